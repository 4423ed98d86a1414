//! Functions and coprocesses.

use super::reader::{Parse, Reader, SUBSTITUTION_LEVELS};
use super::token::Reserved;
use super::tree::{Command, CommandKind};
use super::word::{Ends, join};
use std::rc::Rc;

impl Reader<'_> {
    /// Reads `function NAME [()] BODY`.
    #[inline(never)]
    pub fn function_command(&mut self, command: &mut Command) -> Parse<()> {
        self.eat_reserved(Reserved::Function);
        self.expect_word()?;
        let start = self.cursor.position;
        self.word()?;
        let name = join(&self.cursor.text()[start..self.cursor.position]);
        self.skip_blanks();
        if self.peek() == Some(b'(') {
            let before = self.cursor.position;
            self.cursor.position += 1;
            self.skip_blanks();
            if !self.cursor.eat(b')') {
                self.cursor.position = before;
            }
        }
        self.function_body(name, command)
    }

    /// Reads `() BODY`.
    #[inline(never)]
    pub fn function_after_name(&mut self, name: Vec<u8>, command: &mut Command) -> Parse<()> {
        self.cursor.position += 1;
        self.skip_blanks();
        self.expand_after_blank(&[]);
        if !self.cursor.eat(b')') {
            return self.unexpected();
        }
        self.function_body(name, command)
    }

    #[inline(never)]
    fn function_body(&mut self, name: Vec<u8>, command: &mut Command) -> Parse<()> {
        self.skip_lines_to_command()?;
        if !self.at_compound() {
            return self.unexpected();
        }
        let mut body = Rc::new(Command::default());
        self.enter_levels(SUBSTITUTION_LEVELS)?;
        if let Some(body) = Rc::get_mut(&mut body) {
            self.body_line = self.cursor.line;
            self.compound_command(body)?;
            if let CommandKind::Group(_) = body.kind {
                // bash keeps one number for all: that of the last one within.
                body.line = self.body_line;
            }
        }
        self.leave_levels(SUBSTITUTION_LEVELS);
        command.kind = CommandKind::Function { name, body };
        Ok(())
    }

    /// Reads `coproc [NAME] COMMAND`.
    #[inline(never)]
    pub fn coprocess(&mut self, command: &mut Command) -> Parse<()> {
        self.eat_reserved(Reserved::Coproc);
        self.skip_to_command();
        self.enter()?;
        let mut name = b"COPROC".to_vec();
        if !self.at_compound()
            && let Some(given) = self.coprocess_name()?
        {
            name = given;
        }
        let mut body = Box::new(Command::default());
        body.line = self.cursor.line;
        if self.at_compound() {
            self.compound_command(&mut body)?;
        } else {
            self.simple_command(&mut body)?;
        }
        self.leave();
        command.kind = CommandKind::Coprocess { name, body };
        Ok(())
    }

    /// Takes the name, where a compound command follows it.
    #[inline(never)]
    fn coprocess_name(&mut self) -> Parse<Option<Vec<u8>>> {
        if !self.at_word() {
            return Ok(None);
        }
        let (start, line, pending) = (self.cursor.position, self.cursor.line, self.pending.len());
        // After an assignment comes no name.
        let assigns = self.assignment(&mut Vec::new(), Ends::Subscript)?.is_some();
        if !assigns {
            self.cursor.position = start;
            self.cursor.line = line;
            self.pending.truncate(pending);
            self.word()?;
            let end = self.cursor.position;
            self.skip_blanks();
            if self.at_compound() {
                return Ok(Some(join(&self.cursor.text()[start..end])));
            }
        }
        self.cursor.position = start;
        self.cursor.line = line;
        self.pending.truncate(pending);
        Ok(None)
    }
}
