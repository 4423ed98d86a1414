//! Compound commands: `if`, `for`, `while`, `case`, `select`, `{ … }`, `( … )`, `(( … ))`, `[[ … ]]` (the grammar of
//! POSIX, section 2.10, with bash's additions).
//!
//! The reader of commands calls these where a reserved word or a parenthesis stands in the place of a command. Each is
//! a function that writes into the node it is given, so that large nodes are not moved, and `enter` bounds how deep
//! they nest. Lines of commands are those that bash reports: of a subshell the line of its `)`, of `for ((` the line of
//! the last one within.

use super::error::{MessageLine, SyntaxError, SyntaxErrorKind};
use super::quote::QuotedEnds;
use super::reader::{Parse, Reader};
use super::token::{Reserved, is_meta};
use super::tree::{CaseArm, CaseEnd, Command, CommandKind, List, Word};
use super::word::{Ends, join};

impl Reader<'_> {
    /// Whether a compound command comes next.
    pub fn at_compound(&mut self) -> bool {
        self.peek() == Some(b'(')
            || matches!(
                self.reserved(),
                Some(
                    Reserved::If
                        | Reserved::For
                        | Reserved::Select
                        | Reserved::While
                        | Reserved::Until
                        | Reserved::Case
                        | Reserved::OpenBrace
                        | Reserved::OpenConditional
                )
            )
    }

    /// Reads a compound command with its redirects.
    pub fn compound_command(&mut self, command: &mut Command) -> Parse<()> {
        self.enter()?;
        command.line = self.cursor.line;
        self.compound_kind(&mut command.kind, &mut command.line)?;
        match command.kind {
            // bash names the line of the `)`.
            CommandKind::Subshell(_) | CommandKind::Arithmetic(_) => {
                command.line = self.cursor.line
            }
            CommandKind::Conditional(_) => command.line = self.condition_line,
            // It keeps one number for all of them: that of the last one within.
            CommandKind::ArithmeticFor { .. } => command.line = self.for_line,
            _ => {}
        }
        self.redirects(&mut command.redirects)?;
        self.closed = command.redirects.is_empty();
        self.leave();
        Ok(())
    }

    /// Reads a compound command without its redirects.
    fn compound_kind(&mut self, kind: &mut CommandKind, line: &mut u32) -> Parse<()> {
        if self.peek() == Some(b'(') {
            return self.parenthesis(kind);
        }
        match self.reserved() {
            Some(Reserved::OpenBrace) => {
                self.eat_reserved(Reserved::OpenBrace);
                let mut list = List::default();
                self.list(&mut list)?;
                *kind = CommandKind::Group(list);
                self.expect_reserved(Reserved::CloseBrace)
            }
            Some(Reserved::If) => self.if_command(kind),
            Some(Reserved::While) => self.while_command(kind, Reserved::While),
            Some(Reserved::Until) => self.while_command(kind, Reserved::Until),
            Some(Reserved::For) => self.for_command(kind),
            Some(Reserved::Select) => self.select_command(kind),
            Some(Reserved::Case) => self.case_command(kind, line),
            Some(Reserved::OpenConditional) => self.conditional(kind),
            _ => self.unexpected(),
        }
    }

    /// Reads `( … )` or `(( … ))`. What begins with two parentheses and is no expression with two at its end is a
    /// subshell within another one.
    #[inline(never)]
    fn parenthesis(&mut self, kind: &mut CommandKind) -> Parse<()> {
        let line = self.cursor.line;
        let start = self.cursor.position;
        self.cursor.position += 1;
        if self.unreserved != Some(start) && self.cursor.eat(b'(') {
            if let Some(expression) = self.try_arithmetic(line)? {
                *kind = CommandKind::Arithmetic(expression);
                return Ok(());
            }
            self.cursor.position = start + 1;
            self.cursor.line = line;
        }
        let mut list = List::default();
        self.list(&mut list)?;
        *kind = CommandKind::Subshell(list);
        if !self.cursor.eat(b')') {
            return self.unexpected();
        }
        Ok(())
    }

    /// Reads `if … then … elif … else … fi`.
    #[inline(never)]
    fn if_command(&mut self, kind: &mut CommandKind) -> Parse<()> {
        self.eat_reserved(Reserved::If);
        let mut arms: Vec<(List, List)> = Vec::with_capacity(1);
        loop {
            arms.push(Default::default());
            let Some((condition, body)) = arms.last_mut() else {
                break;
            };
            self.list(condition)?;
            self.expect_reserved(Reserved::Then)?;
            self.list(body)?;
            if !self.eat_reserved(Reserved::Elif) {
                break;
            }
        }
        let mut otherwise = None;
        if self.eat_reserved(Reserved::Else) {
            self.list(otherwise.insert(List::default()))?;
        }
        self.expect_reserved(Reserved::Fi)?;
        *kind = CommandKind::If { arms, otherwise };
        Ok(())
    }

    /// Reads a `while` or an `until` loop.
    #[inline(never)]
    fn while_command(&mut self, kind: &mut CommandKind, word: Reserved) -> Parse<()> {
        self.eat_reserved(word);
        let mut condition = List::default();
        self.list(&mut condition)?;
        let mut body = List::default();
        self.do_group(&mut body)?;
        *kind = CommandKind::While {
            until: word == Reserved::Until,
            condition,
            body,
        };
        Ok(())
    }

    /// Reads `do … done`.
    fn do_group(&mut self, body: &mut List) -> Parse<()> {
        self.expect_reserved(Reserved::Do)?;
        self.list(body)?;
        self.expect_reserved(Reserved::Done)
    }

    /// Reads `do … done` or `{ … }`.
    fn loop_body(&mut self, body: &mut List) -> Parse<()> {
        self.skip_newlines()?;
        if self.eat_reserved(Reserved::OpenBrace) {
            self.list(body)?;
            return self.expect_reserved(Reserved::CloseBrace);
        }
        self.do_group(body)
    }

    /// Reads a `for` loop of either kind.
    #[inline(never)]
    fn for_command(&mut self, kind: &mut CommandKind) -> Parse<()> {
        self.eat_reserved(Reserved::For);
        self.skip_blanks();
        if self.peek() == Some(b'(') && self.cursor.peek_second() == Some(b'(') {
            return self.arithmetic_for(kind);
        }
        let (name, words) = self.loop_words()?;
        let mut body = List::default();
        self.loop_body(&mut body)?;
        *kind = CommandKind::For { name, words, body };
        Ok(())
    }

    /// Reads `select NAME in WORDS; do … done`.
    #[inline(never)]
    fn select_command(&mut self, kind: &mut CommandKind) -> Parse<()> {
        self.eat_reserved(Reserved::Select);
        let (name, words) = self.loop_words()?;
        let mut body = List::default();
        self.loop_body(&mut body)?;
        *kind = CommandKind::Select { name, words, body };
        Ok(())
    }

    /// Reads `NAME`, `NAME in WORDS` and the separator after it. `None` without `in`: the loop is over `"$@"`.
    #[inline(never)]
    fn loop_words(&mut self) -> Parse<(Vec<u8>, Option<Vec<Word>>)> {
        self.skip_blanks();
        self.expand_after_blank(&[]);
        self.expect_word()?;
        let start = self.cursor.position;
        self.word()?;
        let name = join(&self.cursor.text()[start..self.cursor.position]);
        self.skip_blanks();
        self.expand_after_blank(&[Reserved::In, Reserved::Do]);
        if self.peek() == Some(b';') && !self.at_list_end() {
            self.cursor.position += 1;
            return Ok((name, None));
        }
        self.skip_newlines()?;
        if !self.eat_reserved(Reserved::In) {
            return Ok((name, None));
        }
        let mut words = Vec::new();
        loop {
            self.skip_blanks();
            self.expand_after_blank(&[]);
            match self.peek() {
                None => return self.unexpected(),
                Some(b'\n') => break,
                Some(b';') if !self.at_list_end() => {
                    self.cursor.position += 1;
                    break;
                }
                Some(_) => {
                    self.expect_word()?;
                    words.push(self.word()?);
                }
            }
        }
        Ok((name, Some(words)))
    }

    /// Reads `for ((A; B; C))` and its body. A wrong number of expressions is an error only behind the body, as in
    /// bash.
    #[inline(never)]
    fn arithmetic_for(&mut self, kind: &mut CommandKind) -> Parse<()> {
        let line = self.cursor.line;
        self.for_line = line;
        let start = self.cursor.position;
        self.cursor.position += 1;
        self.cursor.eat(b'(');
        let mut sections = vec![self.section(line)?];
        while self.cursor.eat(b';') {
            sections.push(self.section(line)?);
        }
        self.cursor.position += 1;
        if !self.cursor.eat(b')') {
            return self.unexpected();
        }
        let text = self.cursor.text().get(start..self.cursor.position);
        let text = join(text.unwrap_or_default());
        self.skip_blanks();
        if self.peek() == Some(b';') && !self.at_list_end() {
            self.cursor.position += 1;
        }
        let mut body = List::default();
        self.loop_body(&mut body)?;
        let [initial, condition, step] = <[Word; 3]>::try_from(sections)
            .map_err(|sections| self.section_error(&text, sections.len()))?;
        *kind = CommandKind::ArithmeticFor {
            initial,
            condition,
            step,
            body,
        };
        Ok(())
    }

    /// The sections of `for ((…))` are not three.
    #[cold]
    fn section_error(&self, text: &[u8], count: usize) -> Box<SyntaxError> {
        let line = self.for_line;
        let message: &[u8] = match count {
            0..3 => b"syntax error: arithmetic expression required",
            _ => b"syntax error: `;' unexpected",
        };
        let kind = SyntaxErrorKind::Sections;
        let mut error = SyntaxError::new(kind, line, message.to_vec());
        error.lines.push(MessageLine {
            line,
            text: [b"syntax error: `".as_slice(), text, b"'"].concat(),
        });
        error
    }

    /// Reads one expression of `for ((…; …; …))`.
    fn section(&mut self, line: u32) -> Parse<Word> {
        while matches!(self.peek(), Some(b' ' | b'\t' | b'\n')) {
            let end = self.cursor.position + 1;
            self.cursor.skip_to(end);
        }
        let mut word = Word::default();
        self.quoted_parts(&mut word.parts, QuotedEnds::Section)?;
        if self.cursor.raw().is_none() {
            return Err(self.unmatched(b')', line));
        }
        Ok(word)
    }

    /// Reads `case WORD in … esac`; `line` becomes the one of the word.
    #[inline(never)]
    fn case_command(&mut self, kind: &mut CommandKind, line: &mut u32) -> Parse<()> {
        self.eat_reserved(Reserved::Case);
        self.skip_blanks();
        self.expand_after_blank(&[]);
        self.expect_word()?;
        let word = self.word()?;
        *line = self.cursor.line;
        self.skip_lines_after_blank(&[Reserved::In])?;
        self.expect_reserved(Reserved::In)?;
        let mut arms = Vec::new();
        loop {
            self.skip_lines_after_blank(&[Reserved::Esac])?;
            if self.eat_reserved(Reserved::Esac) {
                break;
            }
            arms.push(CaseArm {
                patterns: Vec::with_capacity(1),
                body: List::default(),
                end: CaseEnd::Leave,
            });
            let Some(arm) = arms.last_mut() else {
                break;
            };
            self.case_arm(arm)?;
            self.skip_blanks();
            if !self.case_end(arm) {
                self.skip_newlines()?;
                self.expect_reserved(Reserved::Esac)?;
                break;
            }
        }
        *kind = CommandKind::Case { word, arms };
        Ok(())
    }

    /// Reads the patterns and the commands of one arm.
    #[inline(never)]
    fn case_arm(&mut self, arm: &mut CaseArm) -> Parse<()> {
        if self.cursor.eat(b'(') {
            self.skip_blanks();
        }
        loop {
            self.expect_word()?;
            arm.patterns.push(self.word_until(Ends::Command)?);
            self.skip_blanks();
            self.expand_after_blank(&[]);
            match self.peek() {
                Some(b'|') if self.cursor.peek_second() != Some(b'|') => self.cursor.position += 1,
                Some(b')') => break,
                _ => return self.unexpected(),
            }
        }
        self.cursor.position += 1;
        self.skip_lines_to_command()?;
        if !self.at_case_end() {
            self.list(&mut arm.body)?;
        }
        Ok(())
    }

    /// Whether the body of an arm is empty: `;;`, `;&`, `;;&` or `esac` comes next.
    fn at_case_end(&mut self) -> bool {
        match self.peek() {
            Some(b';') => self.at_list_end(),
            _ => self.reserved() == Some(Reserved::Esac),
        }
    }

    /// Takes what ends an arm; whether there was something.
    fn case_end(&mut self, arm: &mut CaseArm) -> bool {
        if self.peek() != Some(b';') {
            return false;
        }
        self.cursor.position += 1;
        if self.cursor.eat(b'&') {
            arm.end = CaseEnd::FallThrough;
        } else {
            self.cursor.eat(b';');
            if self.cursor.eat(b'&') {
                arm.end = CaseEnd::TestNext;
            }
        }
        true
    }

    /// Whether a word that is no operator comes next.
    pub fn at_word(&mut self) -> bool {
        self.peek().is_some_and(|byte| !is_meta(byte))
    }
}
