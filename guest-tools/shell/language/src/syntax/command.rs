//! Lists, pipelines and telling commands apart.

use super::reader::{Parse, Reader};
use super::token::Reserved;
use super::tree::{
    Command, Connector, Item, List, Part, Pipeline, Redirect, RedirectAction, RedirectTarget, Word,
};

impl Reader<'_> {
    /// Reads the next command line; none at the end of the script.
    pub fn command_line(&mut self) -> Parse<Option<List>> {
        self.command_line_part()
            .map_err(|error| self.recovered(error))
    }

    fn command_line_part(&mut self) -> Parse<Option<List>> {
        self.cursor.not_arithmetic.clear();
        loop {
            self.skip_to_command();
            match self.peek() {
                None => return Ok(None),
                Some(b'\n') => {
                    self.newline()?;
                    self.options.remains.quotes = false;
                }
                Some(_) => break,
            }
        }
        if std::mem::take(&mut self.options.remains.quotes) {
            self.unreserved = Some(self.cursor.position);
        }
        let mut list = List {
            items: Vec::with_capacity(1),
        };
        loop {
            let item = grow(&mut list.items);
            self.item(item)?;
            let background = item.background;
            match self.peek() {
                None | Some(b'\n') => {}
                Some(_) if background => {}
                Some(b';') if !self.at_list_end() => self.cursor.position += 1,
                Some(_) => return self.unexpected(),
            }
            self.skip_to_command();
            match self.peek() {
                Some(b'\n') => {
                    self.newline()?;
                    break;
                }
                None => break,
                Some(_) => {}
            }
        }
        if !self.pending.is_empty() {
            self.read_here_documents()?;
        }
        Ok(Some(list))
    }

    /// Reads a list up to what ends it; it has one command at least.
    pub fn list(&mut self, list: &mut List) -> Parse<()> {
        self.skip_lines_to_command()?;
        loop {
            let item = grow(&mut list.items);
            self.item(item)?;
            let background = item.background;
            match self.peek() {
                Some(b'\n') => {}
                _ if background => {}
                Some(b';') if !self.at_list_end() => self.cursor.position += 1,
                None | Some(b')' | b';') => return Ok(()),
                _ if self.closed && self.at_list_end() => return Ok(()),
                _ => return self.unexpected(),
            }
            self.skip_to_command();
            while self.peek() == Some(b'\n') {
                self.newline()?;
                self.skip_to_command();
            }
            if self.at_list_end() {
                return Ok(());
            }
        }
    }

    /// Reads pipelines joined by `&&` and `||`, and a `&` after them.
    fn item(&mut self, item: &mut Item) -> Parse<()> {
        self.pipeline(&mut item.first)?;
        while let Some(connector) = self.connector() {
            self.skip_lines_to_command()?;
            item.rest.push((connector, Pipeline::default()));
            if let Some((_, pipeline)) = item.rest.last_mut() {
                self.pipeline(pipeline)?;
            }
        }
        item.background = self.cursor.eat(b'&');
        item.newline = self.peek() == Some(b'\n');
        Ok(())
    }

    /// Takes `&&` or `||`.
    fn connector(&mut self) -> Option<Connector> {
        self.skip_blanks();
        let byte = self.peek()?;
        let connector = match byte {
            b'&' => Connector::And,
            b'|' => Connector::Or,
            _ => return None,
        };
        if self.cursor.peek_second() != Some(byte) {
            return None;
        }
        self.cursor.position += 1;
        self.cursor.eat(byte);
        Some(connector)
    }

    fn pipeline(&mut self, pipeline: &mut Pipeline) -> Parse<()> {
        let prefixed = self.pipeline_prefix(pipeline);
        self.check_aliases()?;
        if prefixed && matches!(self.peek(), None | Some(b'\n' | b';')) {
            return match self.peek() {
                None if self.substitutions > 0 => self.unexpected(),
                Some(b';') if self.at_list_end() => self.unexpected(),
                _ => Ok(()),
            };
        }
        pipeline.stages.reserve_exact(1);
        loop {
            let stage = grow(&mut pipeline.stages);
            self.command(stage)?;
            self.skip_blanks();
            if self.peek() != Some(b'|') || self.cursor.peek_second() == Some(b'|') {
                return Ok(());
            }
            self.cursor.position += 1;
            if self.cursor.eat(b'&') {
                stage.redirects.push(error_to_output());
            }
            self.skip_lines_to_command()?;
        }
    }

    /// Reads `!` and `time`; whether there was one.
    fn pipeline_prefix(&mut self, pipeline: &mut Pipeline) -> bool {
        let mut prefixed = false;
        loop {
            self.skip_to_command();
            match self.reserved() {
                Some(Reserved::Bang) if !self.is_negated_pattern() => {
                    self.eat_reserved(Reserved::Bang);
                    pipeline.negated = !pipeline.negated;
                }
                Some(Reserved::Time) => {
                    self.eat_reserved(Reserved::Time);
                    self.skip_blanks();
                    let mut portable = self.eat_word(b"-p");
                    self.skip_blanks();
                    // To bash it is an option like the other.
                    portable |= self.eat_word(b"--");
                    pipeline.timed = Some(portable || pipeline.timed == Some(true));
                }
                _ => return prefixed,
            }
            prefixed = true;
        }
    }

    /// Whether `!(` begins a pattern.
    fn is_negated_pattern(&mut self) -> bool {
        self.options.extglob && self.cursor.peek_second() == Some(b'(')
    }

    /// Takes the plain word `expected` where it comes next.
    pub fn eat_word(&mut self, expected: &[u8]) -> bool {
        let Some(rest) = self.cursor.rest().strip_prefix(expected) else {
            return false;
        };
        let delimited = rest.first().is_none_or(|&byte| super::token::is_meta(byte));
        if delimited {
            self.cursor.position += expected.len();
        }
        delimited
    }

    /// Reads one command of a pipeline.
    fn command(&mut self, command: &mut Command) -> Parse<()> {
        command.line = self.cursor.line;
        match self.peek() {
            Some(b'(') => self.compound_command(command),
            Some(b'a'..=b'z' | b'{' | b'}' | b'!' | b'[') => match self.reserved() {
                None | Some(Reserved::Time) => self.simple_command(command),
                Some(Reserved::Bang) if self.is_negated_pattern() => self.simple_command(command),
                Some(Reserved::Function) => self.function_command(command),
                Some(Reserved::Coproc) => self.coprocess(command),
                Some(_) => self.compound_command(command),
            },
            _ => self.simple_command(command),
        }
    }
}

/// Adds an empty element, to be filled in place: what is built on the stack and moved makes frames
/// large.
fn grow<T: Default>(vector: &mut Vec<T>) -> &mut T {
    let index = vector.len();
    vector.push(T::default());
    &mut vector[index]
}

/// `2>&1`
fn error_to_output() -> Redirect {
    let parts = vec![Part::Literal(b"1".to_vec())];
    Redirect {
        target: RedirectTarget::Descriptor(2),
        action: RedirectAction::DuplicateOutput(Word { parts }),
    }
}
