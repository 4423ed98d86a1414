//! Simple commands.

use super::reader::{Parse, Reader};
use super::token::is_meta;
use super::tree::{Argument, Assignment, Command, CommandKind, Part, Word};
use super::word::Ends;

/// What the first words of a command say about the assignments among its arguments.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Declares {
    /// No word was read yet.
    Unknown,
    /// They are words.
    No,
    /// They are assignments.
    Yes,
    /// They are words, of which a compound value is part: `eval a=(1 2)`.
    Compound,
    /// The next word may still say so: `command export a=b` in posix mode.
    Prefixed,
    /// Only scalar ones are: `command export a=b`.
    Scalar,
}

impl Reader<'_> {
    /// Reads a simple command, or the definition of a function that begins as one.
    pub fn simple_command(&mut self, command: &mut Command) -> Parse<()> {
        let mut assignments = Vec::new();
        let mut words = Vec::new();
        let mut declares = Declares::Unknown;
        loop {
            self.skip_blanks();
            if !words.is_empty() {
                self.expand_after_blank(&[]);
            } else if !command.redirects.is_empty() {
                self.skip_to_command();
            }
            // bash knows a command when it has read the second token.
            if assignments.len() + words.len() == 1 {
                command.line = self.cursor.line;
            }
            let Some(byte) = self.peek() else {
                break;
            };
            match byte {
                b'<' | b'>' | b'&' | b'0'..=b'9' | b'{'
                    if self.redirect(&mut command.redirects)? =>
                {
                    continue;
                }
                b'(' => {
                    let plain = assignments.is_empty() && command.redirects.is_empty();
                    let name = match words.as_slice() {
                        [Argument::Word(name)] if plain => super::print::word(name),
                        _ => return self.unexpected(),
                    };
                    return self.function_after_name(name, command);
                }
                b'<' | b'>' => {}
                _ if is_meta(byte) => break,
                _ => {}
            }
            let second = assignments.len() + words.len() == 1;
            if declares == Declares::Unknown {
                declares = self.first_argument(&mut assignments, &mut words)?;
            } else {
                self.argument(declares, &mut words)?;
                if declares == Declares::Prefixed {
                    declares = words
                        .last()
                        .map_or(declares, |word| self.declaration(word, declares));
                }
            }
            if second {
                command.line = self.cursor.line;
            }
        }
        if words.is_empty() && assignments.is_empty() && command.redirects.is_empty() {
            return self.unexpected();
        }
        self.closed = false;
        command.kind = CommandKind::Simple { assignments, words };
        Ok(())
    }

    /// Reads an assignment or the first word; what that says about the words after it.
    fn first_argument(
        &mut self,
        assignments: &mut Vec<Assignment>,
        words: &mut Vec<Argument>,
    ) -> Parse<Declares> {
        let mut parts = Vec::new();
        let begins = self.unreserved != Some(self.cursor.position);
        let ends = match begins {
            true => Ends::Subscript,
            false => Ends::SubscriptWord,
        };
        if let Some(assignment) = self.assignment(&mut parts, ends)? {
            assignments.push(assignment);
            self.expand_alias_after_assignment();
            if !begins {
                self.skip_blanks();
                self.unreserved = Some(self.cursor.position);
            }
            return Ok(Declares::Unknown);
        }
        self.word_parts(&mut parts, Ends::Command)?;
        let argument = Argument::Word(Word { parts });
        let declares = self.declaration(&argument, Declares::Unknown);
        words.push(argument);
        Ok(declares)
    }

    fn expand_alias_after_assignment(&mut self) {
        if self.aliases.is_some() {
            self.skip_to_command();
        }
    }

    fn argument(&mut self, declares: Declares, words: &mut Vec<Argument>) -> Parse<()> {
        let mut parts = Vec::new();
        let possible = match declares {
            Declares::Yes => true,
            Declares::No | Declares::Compound | Declares::Prefixed | Declares::Unknown => false,
            Declares::Scalar => !self.is_compound_assignment(),
        };
        if possible && let Some(assignment) = self.assignment(&mut parts, Ends::SubscriptWord)? {
            words.push(Argument::Assignment(assignment));
            return Ok(());
        }
        if declares == Declares::Compound && self.is_compound_assignment() {
            self.plain_compound(&mut parts)?;
        }
        self.word_parts(&mut parts, Ends::Command)?;
        words.push(Argument::Word(Word { parts }));
        Ok(())
    }

    /// Whether `name=(` or `name+=(` comes next.
    fn is_compound_assignment(&self) -> bool {
        let rest = self.cursor.rest();
        let length = rest
            .iter()
            .position(|&byte| !super::token::is_name(byte))
            .unwrap_or(rest.len());
        let rest = &rest[length..];
        length > 0 && (rest.starts_with(b"=(") || rest.starts_with(b"+=("))
    }

    /// What the word of a command says about the assignments after it.
    fn declaration(&self, argument: &Argument, before: Declares) -> Declares {
        let Argument::Word(word) = argument else {
            return Declares::No;
        };
        let [Part::Literal(name)] = word.parts.as_slice() else {
            return Declares::No;
        };
        let first = before == Declares::Unknown;
        match name.as_slice() {
            b"command" if self.options.posix => Declares::Prefixed,
            b"declare" | b"typeset" | b"local" | b"export" | b"readonly" | b"alias" if first => {
                Declares::Yes
            }
            b"declare" | b"typeset" | b"local" | b"export" | b"readonly" | b"alias" => {
                Declares::Scalar
            }
            b"eval" | b"let" if first => Declares::Compound,
            _ => Declares::No,
        }
    }
}
