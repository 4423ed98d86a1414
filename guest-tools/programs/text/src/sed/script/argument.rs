//! What stands behind a command's letter: labels, files and text. Labels end at a blank, a `;` or the end of the
//! line; names of files and commands of `e` take all of the line.

use super::parser::{Outcome, Parser};
use super::substitution::escape;
use super::{Action, Lines};

impl Parser<'_> {
    /// Reads what follows a command's letter, as far as the command goes.
    pub(super) fn action(&mut self, letter: u8, lines: &Lines) -> Outcome<Action> {
        match letter {
            b'#' => self.comment(lines),
            b'{' => {
                self.open.push(self.commands.len());
                Ok(Action::Block(0))
            }
            b'}' => self.close_block(lines),
            b':' => self.define_label(lines),
            b'b' => self.jump(Action::Branch(None)),
            b't' => self.jump(Action::BranchIf(None)),
            b'T' => self.jump(Action::BranchIfNot(None)),
            b'=' => self.simple(Action::Equals),
            b'd' => self.simple(Action::Delete),
            b'D' => self.simple(Action::DeleteFirst),
            b'F' => self.simple(Action::FileName),
            b'g' => self.simple(Action::GetHold),
            b'G' => self.simple(Action::AppendHold),
            b'h' => self.simple(Action::Hold),
            b'H' => self.simple(Action::HoldAppend),
            b'n' => self.simple(Action::Next),
            b'N' => self.simple(Action::NextAppend),
            b'p' => self.simple(Action::Print),
            b'P' => self.simple(Action::PrintFirst),
            b'x' => self.simple(Action::Exchange),
            b'z' => self.simple(Action::Zap),
            b'l' | b'L' => {
                self.skip(b" \t");
                let width = self.number();
                self.simple(Action::List(width.map(|width| width as usize)))
            }
            b'q' => self.quit(Action::Quit, lines),
            b'Q' => self.quit(Action::QuitSilently, lines),
            b'a' => Ok(Action::Append(self.text()?)),
            b'i' => Ok(Action::Insert(self.text()?)),
            b'c' => Ok(Action::Change(self.text()?)),
            b'r' => Ok(Action::ReadFile(self.file()?)),
            b'R' => Ok(Action::ReadLine(self.file()?)),
            b'w' => Ok(Action::Write(self.file()?)),
            b'W' => Ok(Action::WriteFirst(self.file()?)),
            b'e' => {
                self.skip(b" \t");
                Ok(Action::Execute(self.rest_of_line()))
            }
            b's' => self.substitution(),
            b'y' => self.transliteration(),
            b'v' => {
                let version = self.label();
                if is_newer(&version) {
                    return Err("expected newer version of sed".to_owned());
                }
                self.simple(Action::Nothing)
            }
            _ => {
                let letter = char::from(letter);
                Err(format!("unknown command: `{letter}'"))
            }
        }
    }

    /// `#`: up to the end of the line.
    fn comment(&mut self, lines: &Lines) -> Outcome<Action> {
        if !matches!(lines, Lines::All) {
            return Err("comments don't accept any addresses".to_owned());
        }
        while self.peek().is_some_and(|byte| byte != b'\n') {
            self.at += 1;
        }
        Ok(Action::Nothing)
    }

    /// `}`: the innermost open block learns where it ends.
    fn close_block(&mut self, lines: &Lines) -> Outcome<Action> {
        let Some(start) = self.open.pop() else {
            return Err("unexpected `}'".to_owned());
        };
        if !matches!(lines, Lines::All) {
            return Err("} doesn't want any addresses".to_owned());
        }
        self.commands[start].action = Action::Block(self.commands.len());
        self.simple(Action::EndBlock)
    }

    /// `:`: a name for the next command.
    fn define_label(&mut self, lines: &Lines) -> Outcome<Action> {
        if !matches!(lines, Lines::All) {
            return Err(": doesn't want any addresses".to_owned());
        }
        let label = self.label();
        if label.is_empty() {
            return Err("\":\" lacks a label".to_owned());
        }
        self.labels.insert(label, self.commands.len());
        Ok(Action::Nothing)
    }

    /// `q` and `Q`, with the status that may follow.
    fn quit(&mut self, action: fn(i32) -> Action, lines: &Lines) -> Outcome<Action> {
        if matches!(lines, Lines::Range(..)) {
            return Err("command only uses one address".to_owned());
        }
        self.skip(b" \t");
        let status = self.number().unwrap_or(0) as i32;
        self.simple(action(status))
    }

    /// The name behind `:`.
    fn label(&mut self) -> Vec<u8> {
        self.skip(b" \t");
        let start = self.at;
        while self.peek().is_some_and(|byte| !b" \t\n;".contains(&byte)) {
            self.at += 1;
        }
        self.source[start..self.at].to_vec()
    }

    /// A jump with its label, which `}` ends as well.
    fn jump(&mut self, action: Action) -> Outcome<Action> {
        self.skip(b" \t");
        let start = self.at;
        while self.peek().is_some_and(|byte| !b" \t\n;}".contains(&byte)) {
            self.at += 1;
        }
        let label = self.source[start..self.at].to_vec();
        if !label.is_empty() {
            self.jumps.push((self.commands.len(), label));
        }
        self.simple(action)
    }

    /// Takes what is left of the line, without its end.
    fn rest_of_line(&mut self) -> Vec<u8> {
        let rest = &self.source[self.at..];
        let length = memchr::memchr(b'\n', rest).unwrap_or(rest.len());
        self.at += length;
        rest[..length].to_vec()
    }

    /// Takes the name of a file, up to the end of the line.
    pub(super) fn file(&mut self) -> Outcome<Vec<u8>> {
        self.skip(b" \t");
        let name = self.rest_of_line();
        if name.is_empty() {
            return Err("missing filename in r/R/w/W commands".to_owned());
        }
        Ok(name)
    }

    /// The text of `a`, `i` and `c`, with its newline.
    fn text(&mut self) -> Outcome<Vec<u8>> {
        self.skip(b" \t");
        match self.peek() {
            None => return Err("expected \\ after `a', `c' or `i'".to_owned()),
            Some(b'\\') => {
                self.at += 1;
                let start = self.at;
                self.skip(b" \t");
                match self.peek() {
                    Some(b'\n') => self.at += 1,
                    None => return Ok(Vec::new()),
                    // `a\text`: the backslash keeps leading blanks.
                    Some(_) => self.at = start,
                }
            }
            Some(_) => {}
        }
        let mut text = Vec::new();
        while let Some(byte) = self.next() {
            match byte {
                b'\n' => break,
                b'\\' => {
                    let Some(next) = self.next() else { break };
                    let (byte, used) = escape(next, &self.source[self.at..]).unwrap_or((next, 0));
                    text.push(byte);
                    self.at += used;
                }
                _ => text.push(byte),
            }
        }
        text.push(b'\n');
        Ok(text)
    }
}

/// Whether a version, as the argument of `v`, is later than the one that this follows.
fn is_newer(version: &[u8]) -> bool {
    let number = |part: &[u8]| crate::options::number(part).unwrap_or(u64::MAX);
    let parts = version.split(|byte| *byte == b'.');
    !version.is_empty() && parts.map(number).gt([4, 9])
}
