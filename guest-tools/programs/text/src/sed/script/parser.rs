//! Commands of a script: their addresses and their letters.
//!
//! The parser descends through the bytes of the script. Where it reports an error it stands behind the character that
//! is wrong: the place in GNU's messages is the number of bytes read.

use std::collections::HashMap;

use super::{Action, Address, Command, End, Lines};
use crate::pattern::Dialect;

/// The error is a message.
pub(super) type Outcome<T> = Result<T, String>;

/// A script that is being read.
pub(super) struct Parser<'a> {
    /// All of the script.
    pub(super) source: &'a [u8],
    /// How much of it was read.
    pub(super) at: usize,
    pub(super) dialect: Dialect,
    /// Patterns have no operators of GNU's own.
    pub(super) posix: bool,
    pub(super) commands: Vec<Command>,
    /// The indexes of blocks that are not closed.
    pub(super) open: Vec<usize>,
    /// The index of the command behind each label.
    pub(super) labels: HashMap<Vec<u8>, usize>,
    /// The jumps to labels, which may still follow.
    pub(super) jumps: Vec<(usize, Vec<u8>)>,
}

impl Parser<'_> {
    /// The next byte.
    pub(super) fn peek(&self) -> Option<u8> {
        self.source.get(self.at).copied()
    }

    /// Takes the next byte.
    pub(super) fn next(&mut self) -> Option<u8> {
        let byte = self.peek();
        self.at += usize::from(byte.is_some());
        byte
    }

    /// Takes bytes as long as they are in `set`.
    pub(super) fn skip(&mut self, set: &[u8]) {
        while self.peek().is_some_and(|byte| set.contains(&byte)) {
            self.at += 1;
        }
    }

    /// Reads all commands.
    pub(super) fn script(&mut self) -> Outcome<()> {
        loop {
            self.skip(b" \t\n;");
            if self.peek().is_none() {
                return Ok(());
            }
            self.command()?;
        }
    }

    /// The commands, with their jumps. A message about the script as a whole begins with `@`, for the name of the
    /// script.
    pub(super) fn finish(mut self) -> Outcome<Vec<Command>> {
        if !self.open.is_empty() {
            return Err("@char 0: unmatched `{'".to_owned());
        }
        for (index, label) in std::mem::take(&mut self.jumps) {
            let Some(&target) = self.labels.get(&label) else {
                let label = String::from_utf8_lossy(&label);
                return Err(format!("can't find label for jump to `{label}'"));
            };
            match &mut self.commands[index].action {
                Action::Branch(to) | Action::BranchIf(to) | Action::BranchIfNot(to) => {
                    *to = Some(target);
                }
                _ => {}
            }
        }
        Ok(self.commands)
    }

    /// Takes a number; none where there is none, or it is too large.
    pub(super) fn number(&mut self) -> Option<u64> {
        let start = self.at;
        while self.peek().is_some_and(|byte| byte.is_ascii_digit()) {
            self.at += 1;
        }
        crate::options::number(&self.source[start..self.at])
    }

    /// Reads a command: addresses, `!`, a letter and what belongs to it.
    fn command(&mut self) -> Outcome<()> {
        let lines = self.lines()?;
        self.skip(b" \t");
        let mut negated = false;
        while self.peek() == Some(b'!') {
            self.at += 1;
            if negated {
                return Err("multiple `!'s".to_owned());
            }
            negated = true;
            self.skip(b" \t");
        }
        let Some(letter) = self.next() else {
            return Err("missing command".to_owned());
        };
        let action = self.action(letter, &lines)?;
        self.commands.push(Command {
            lines,
            negated,
            action,
        });
        Ok(())
    }

    /// Reads up to two addresses. `0` is allowed only before a pattern: `0,/a/` may end at the first line.
    fn lines(&mut self) -> Outcome<Lines> {
        let Some(first) = self.address()? else {
            return match self.peek() {
                Some(b',') => {
                    self.at += 1;
                    Err("unknown command: `,'".to_owned())
                }
                _ => Ok(Lines::All),
            };
        };
        self.skip(b" \t");
        if self.peek() != Some(b',') {
            // Before the first line there is only something to insert.
            if matches!(first, Address::Line(0)) && self.peek() != Some(b'r') {
                self.at += 1;
                return Err("invalid usage of line address 0".to_owned());
            }
            return Ok(Lines::At(first));
        }
        self.at += 1;
        self.skip(b" \t");
        let end = match self.peek() {
            Some(sign @ (b'+' | b'~')) => {
                self.at += 1;
                let count = self.number().ok_or("expected number after `+' or `~'")?;
                if sign == b'+' {
                    End::Count(count)
                } else {
                    End::Multiple(count)
                }
            }
            _ => match self.address()? {
                Some(Address::Step(line, _)) => End::Address(Address::Line(line)),
                Some(address) => End::Address(address),
                None => {
                    self.at += 1;
                    return Err("unexpected `,'".to_owned());
                }
            },
        };
        let matches_end = matches!(end, End::Address(Address::Match(_)));
        if matches!(first, Address::Line(0)) && !matches_end {
            self.at += 1;
            return Err("invalid usage of line address 0".to_owned());
        }
        Ok(Lines::Range(first, end))
    }

    /// Reads an address; none where there is none. Behind a pattern may stand `I` and `M`.
    fn address(&mut self) -> Outcome<Option<Address>> {
        Ok(match self.peek() {
            Some(b'0'..=b'9') => {
                let line = self.number().ok_or("line number too large")?;
                self.skip(b" \t");
                if self.peek() == Some(b'~') {
                    self.at += 1;
                    let step = self.number().unwrap_or(0);
                    return Ok(Some(Address::Step(line, step)));
                }
                Some(Address::Line(line))
            }
            Some(b'$') => {
                self.at += 1;
                Some(Address::Last)
            }
            Some(mark @ (b'/' | b'\\')) => {
                self.at += 1;
                let delimiter = match mark {
                    b'/' => b'/',
                    _ => self.next().ok_or("unexpected end of script")?,
                };
                let source = self
                    .delimited(delimiter, true)
                    .ok_or("unterminated address regex")?;
                let (mut ignore_case, mut multi_line) = (false, false);
                loop {
                    match self.peek() {
                        Some(b'I') => ignore_case = true,
                        Some(b'M') => multi_line = true,
                        _ => break,
                    }
                    self.at += 1;
                }
                Some(Address::Match(self.pattern(
                    &source,
                    ignore_case,
                    multi_line,
                )?))
            }
            _ => None,
        })
    }

    /// A command may end with blanks, then `;`, `}`, `#` or a newline.
    pub(super) fn end(&mut self) -> Outcome<()> {
        self.skip(b" \t");
        match self.peek() {
            None | Some(b'}' | b'#') => Ok(()),
            Some(b';' | b'\n') => {
                self.at += 1;
                Ok(())
            }
            Some(_) => {
                self.at += 1;
                Err("extra characters after command".to_owned())
            }
        }
    }

    /// A command without arguments: only its end may follow.
    pub(super) fn simple(&mut self, action: Action) -> Outcome<Action> {
        self.end()?;
        Ok(action)
    }
}
