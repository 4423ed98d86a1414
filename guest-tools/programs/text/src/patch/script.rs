//! Scripts for `ed`, as `diff -e` makes them: `a`, `c`, `d` and `i` with the numbers of lines, and `s/.//`, which takes
//! the dot from a line that could not be given as a dot alone.
//!
//! ```text
//! 3,4c        lines 3 and 4 become the lines up to the dot
//! new
//! .
//! ```

use super::Patching;
use super::read::{Format, Patch};
use super::write::Change;
use crate::call::bytes;
use crate::system;

/// A command with its lines: the letter, the first and the last line it is about.
struct Command {
    letter: u8,
    from: Option<usize>,
    to: Option<usize>,
}

/// Whether a text is such a script: that is what its first line shows, but for one that names the file.
pub(super) fn is_script(text: &[u8]) -> bool {
    let mut lines = text.split(|&byte| byte == b'\n');
    let first = lines.find(|line| !line.is_empty() && !line.starts_with(b"Index:"));
    first.is_some_and(|line| command(line).is_some_and(|command| command.from.is_some()))
}

/// The command that a line is.
fn command(line: &[u8]) -> Option<Command> {
    if line == b"s/.//" {
        return Some(Command {
            letter: b's',
            from: None,
            to: None,
        });
    }
    let (&letter, places) = line.split_last()?;
    if !b"acdi".contains(&letter) {
        return None;
    }
    let mut numbers = places.splitn(2, |&byte| byte == b',');
    let mut number = |missing| match numbers.next() {
        None => Some(missing),
        Some(b"") => None,
        Some(digits) => crate::options::number::<usize>(digits).map(Some),
    };
    if places.is_empty() {
        return Some(Command {
            letter,
            from: None,
            to: None,
        });
    }
    let from = number(None)?;
    let to = number(from)?;
    Some(Command { letter, from, to })
}

/// A text that a script changes.
struct Text {
    lines: Vec<Vec<u8>>,
    /// The line that the last command has left, counted from 1; 0 before the first one.
    current: usize,
}

impl Text {
    /// Does what a command says; none where there are no such lines. `new` are the lines behind the command.
    fn apply(&mut self, command: &Command, new: Vec<Vec<u8>>) -> Option<()> {
        let to = command.to.unwrap_or(self.current);
        let from = command.from.unwrap_or(self.current);
        let (start, end) = match command.letter {
            b'a' => (to, to),
            b'i' => (to.saturating_sub(1), to.saturating_sub(1)),
            _ => (from.checked_sub(1)?, to),
        };
        if start > end || end > self.lines.len() {
            return None;
        }
        if command.letter == b's' {
            let line = self.lines.get_mut(start)?;
            line.drain(..line.len().min(1));
            return Some(());
        }
        let count = new.len();
        self.lines.splice(start..end, new);
        self.current = match count {
            // What follows the lines that went, if anything does.
            0 if command.letter != b'a' => (start + 1).min(self.lines.len()),
            _ => start + count,
        };
        Some(())
    }
}

impl Patching<'_> {
    /// Applies a script to the file that the command line names, or a line `Index:` before it; gives the status.
    ///
    /// # Errors
    /// Status 2, after a message, where there is no command, or one names lines that are not there; the file stays.
    pub(super) fn script(mut self, text: &[u8]) -> Result<i32, i32> {
        let mut lines = text.split(|&byte| byte == b'\n').peekable();
        let mut patch = Patch::empty(Format::Normal);
        patch.line = 1;
        while let Some(line) = lines.next_if(|line| command(line).is_none()) {
            if let Some(name) = line.strip_prefix(b"Index:") {
                patch.index = Some(name.trim_ascii().to_vec());
            }
        }
        if lines.peek().is_none() {
            let message = "**** Only garbage was found in the patch input.";
            return Err(self.call.fail(2, message));
        }
        let Some(name) = self.choose(&patch) else {
            self.not_found(&patch);
            return Ok(self.out.finish("patch", 1, 2));
        };
        let path = system::join(&self.base, &name);
        let mode = system::stat(&path, true).ok().map(|stat| stat.mode);
        let content = match mode {
            None => Vec::new(),
            Some(_) => system::read_whole(&path).map_err(|failure| {
                let message = bytes!("**** Can't open file ", name, " : ", failure);
                self.call.fail(2, message)
            })?,
        };
        let content = content.strip_suffix(b"\n").unwrap_or(&content);
        let mut changed = Text {
            lines: match content.is_empty() {
                true => Vec::new(),
                false => content
                    .split(|&byte| byte == b'\n')
                    .map(<[u8]>::to_vec)
                    .collect(),
            },
            current: 0,
        };
        changed.current = changed.lines.len();
        while let Some(found) = lines.next().and_then(command) {
            let mut new = Vec::new();
            if b"aci".contains(&found.letter) {
                let inserted = lines.by_ref().take_while(|line| *line != b".");
                new.extend(inserted.map(<[u8]>::to_vec));
            }
            if changed.apply(&found, new).is_none() {
                self.out.flush();
                self.out.put("?\n");
                self.out.flush();
                return Err(self.call.fail(2, "**** ed FAILED"));
            }
        }
        let mut result = changed.lines.join(&b'\n');
        if !changed.lines.is_empty() {
            result.push(b'\n');
        }
        let change = Change {
            name: &name,
            target: None,
            mode,
            mismatch: false,
            reverse: false,
            failed: false,
        };
        self.write(&patch, &change, &result)?;
        Ok(self.out.finish("patch", 0, 2))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn commands_have_numbers_and_a_letter() {
        let cases: [(&str, Option<(u8, Option<usize>, Option<usize>)>); 9] = [
            ("3a", Some((b'a', Some(3), Some(3)))),
            ("3,4c", Some((b'c', Some(3), Some(4)))),
            ("d", Some((b'd', None, None))),
            ("s/.//", Some((b's', None, None))),
            ("3c4", None),
            (",c", None),
            ("!x", None),
            ("2s/a/b/", None),
            ("99999999999999999999d", None),
        ];
        for (line, expected) in cases {
            let found = command(line.as_bytes());
            let found = found.map(|found| (found.letter, found.from, found.to));
            assert_eq!(found, expected, "{line}");
        }
    }
}
