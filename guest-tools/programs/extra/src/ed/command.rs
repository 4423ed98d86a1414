//! One line of commands of `ed`: POSIX's "Commands in ed" and what GNU ed adds (`x`, `y`, `z`, `W`, `#`).
//!
//! A line is `[ADDRESSES]COMMAND[PARAMETERS][SUFFIX]`. `Editor::range` takes the addresses, and each command decides
//! what missing ones mean:
//!
//! | command | without an address |
//! |---|---|
//! | `a` `c` `d` `i` `k` `l` `m` `n` `p` `s` `t` `x` `y` | the current line |
//! | `j` | the current line and the next one |
//! | `g` `v` `G` `V` `w` `W` | all lines |
//! | `r` `=` | the last line |
//! | `z`, and no command at all | the line after the current one |
//! | `e` `E` `f` `h` `H` `P` `q` `Q` `u` `!` | none may be given |
//!
//! A command that fails prints `?` and is remembered for `h`. Addresses are line numbers from 1; 0 stands before the
//! first line and is refused by `check` wherever a line has to exist.

use super::address::{Cursor, Range, letter_of};
use super::buffer::Line;
use super::error::Error;
use super::{Editor, Next};

/// How lines are printed: the suffixes `p`, `n` and `l`, which may be combined.
#[derive(Clone, Copy, Debug, Default)]
pub struct Print {
    /// `p`: the text as it is.
    pub plain: bool,
    /// `n`: the number and a tab in front.
    pub numbered: bool,
    /// `l`: bytes that are not printable as escapes, a `$` at the end, long lines folded.
    pub listed: bool,
}

impl Print {
    /// Whether anything is to be printed at all.
    pub fn is_any(self) -> bool {
        self.plain || self.numbered || self.listed
    }
}

/// Columns after which a listed line goes on below.
const WIDTH: usize = 72;

impl Editor {
    /// Does what a line says, and says whether the editor goes on or quits.
    ///
    /// `was_warned` is set where the command before was refused because it would have lost changes: `e` and `q` do it
    /// then.
    pub fn execute(&mut self, text: &[u8], was_warned: bool) -> Result<Next, Error> {
        let mut line = Cursor::new(text);
        let range = self.range(&mut line)?;
        line.skip_blanks();
        let Some(command) = line.next() else {
            return self.go_to(range);
        };
        let line = &mut line;
        match command {
            b'a' => self.append(line, range.to, range.to),
            b'i' => self.append(line, range.to.saturating_sub(1), range.to),
            b'c' => self.change(line, range),
            b'd' => self.delete(line, range),
            b'e' | b'E' => self.edit(line, range, command == b'E' || was_warned),
            b'f' => self.file_name(line, range),
            b'g' | b'v' | b'G' | b'V' => self.global(line, range, command),
            b'h' | b'H' | b'P' => self.set(line, range, command),
            b'j' => self.join(line, range),
            b'k' => self.mark(line, range),
            b'l' | b'n' | b'p' => self.print_as(line, range, command),
            b'm' => self.relocate(line, range),
            b't' => self.copy(line, range),
            b'q' | b'Q' => {
                nothing(line, range)?;
                match command == b'q' && self.buffer.is_changed() && !was_warned {
                    true => Err(Error::Changed),
                    false => Ok(Next::Quit),
                }
            }
            b'r' => self.insert_file(line, range),
            b's' => self.substitute_in(line, range),
            b'u' => self.undo(line, range),
            b'w' | b'W' => self.write_file(line, range, command == b'W'),
            b'x' => self.put_cut(line, range),
            b'y' => {
                self.check(range.from, range.to)?;
                let print = suffix(line)?;
                self.buffer.cut = self.buffer.lines(range.from, range.to).to_vec();
                self.show(print)
            }
            b'z' => self.scroll(line, range),
            b'=' => self.number(line, range),
            b'!' => {
                if range.count > 0 {
                    return Err(Error::Unexpected);
                }
                self.run_command(line.take_rest())?;
                Ok(Next::Go)
            }
            b'#' => Ok(Next::Go),
            _ => Err(Error::Command),
        }
    }

    /// `h`, `H` and `P`: the last error, whether errors are explained, and the prompt.
    fn set(&mut self, line: &mut Cursor<'_>, range: Range, command: u8) -> Result<Next, Error> {
        nothing(line, range)?;
        match command {
            b'P' => {
                self.prompt = match self.prompt {
                    Some(_) => None,
                    None => Some(b"*".to_vec()),
                };
                return Ok(Next::Go);
            }
            b'H' => self.is_verbose = !self.is_verbose,
            _ => {}
        }
        let shows = command == b'h' || self.is_verbose;
        if let (true, Some(error)) = (shows, &self.last_error) {
            self.out.line(error.to_string());
        }
        Ok(Next::Go)
    }

    /// `d`.
    fn delete(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        self.check(range.from, range.to)?;
        let print = suffix(line)?;
        self.buffer.delete(range.from, range.to);
        self.show(print)
    }

    /// `k`: gives a line a letter.
    fn mark(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let letter = line.next().ok_or(Error::Suffix)?;
        end(line)?;
        self.check(range.to, range.to)?;
        self.buffer.mark(letter_of(letter)?, range.to);
        Ok(Next::Go)
    }

    /// `l`, `n` and `p`.
    fn print_as(
        &mut self,
        line: &mut Cursor<'_>,
        range: Range,
        command: u8,
    ) -> Result<Next, Error> {
        let mut print = suffix(line)?;
        match command {
            b'l' => print.listed = true,
            b'n' => print.numbered = true,
            _ => print.plain = true,
        }
        self.print((range.from, range.to), print)?;
        Ok(Next::Go)
    }

    /// `s`: what a backslash ends goes on with the next line.
    fn substitute_in(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let mut rest = line.take_rest().to_vec();
        while rest.iter().rev().take_while(|&&byte| byte == b'\\').count() % 2 == 1
            && let Some(more) = self.input.line()
        {
            rest.push(b'\n');
            rest.extend(more);
        }
        self.substitute(&mut Cursor::new(&rest), range)
    }

    /// `u`.
    fn undo(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        if range.count > 0 {
            return Err(Error::Unexpected);
        }
        let print = suffix(line)?;
        match self.buffer.undo() {
            true => self.show(print),
            false => Err(Error::NoChange),
        }
    }

    /// `x`: puts copies of what was cut behind a line.
    fn put_cut(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let print = suffix(line)?;
        if self.buffer.cut.is_empty() {
            return Err(Error::NothingCut);
        }
        let copies = copies(&self.buffer.cut);
        self.buffer.append(range.to, copies);
        self.show(print)
    }

    /// `=`.
    fn number(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let print = suffix(line)?;
        let number = match range.count {
            0 => self.buffer.last(),
            _ => range.to,
        };
        self.out.line(number.to_string());
        self.show(print)
    }

    /// Whether the lines `from` to `to` exist and are in order; `Error::Address` otherwise, so for line 0 as well.
    pub fn check(&self, from: usize, to: usize) -> Result<(), Error> {
        match 0 < from && from <= to && to <= self.buffer.last() {
            true => Ok(()),
            false => Err(Error::Address),
        }
    }

    /// A line with nothing but an address.
    fn go_to(&mut self, range: Range) -> Result<Next, Error> {
        let to = match range.count {
            0 => self.buffer.current + 1,
            _ => range.to,
        };
        self.check(to, to)?;
        let print = Print {
            plain: true,
            ..Print::default()
        };
        self.print((to, to), print)?;
        Ok(Next::Go)
    }

    /// `a` and `i`: text that is read up to a `.` goes behind line `after`, which may be 0. Where no text comes, `here`
    /// is the current line, as POSIX has it.
    fn append(&mut self, line: &mut Cursor<'_>, after: usize, here: usize) -> Result<Next, Error> {
        let print = suffix(line)?;
        let lines = self.input.text();
        if lines.is_empty() {
            self.buffer.current = here.max(usize::from(self.buffer.last() > 0));
        } else {
            let lines = lines.into_iter().map(Line::new);
            self.buffer.append(after, lines.collect());
        }
        self.show(print)
    }

    /// `c`: the lines are replaced by text. Without text they are deleted.
    fn change(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        self.check(range.from, range.to)?;
        let print = suffix(line)?;
        let lines: Vec<Line> = self.input.text().into_iter().map(Line::new).collect();
        self.buffer.delete(range.from, range.to);
        if !lines.is_empty() {
            self.buffer.append(range.from - 1, lines);
        }
        self.show(print)
    }

    /// `e` and `E`: the buffer becomes the file's content, and the history of `u` starts anew. With `force` changes are
    /// lost.
    ///
    /// The name becomes the default file name, unless it is a command (`e !ls`).
    fn edit(&mut self, line: &mut Cursor<'_>, range: Range, force: bool) -> Result<Next, Error> {
        let file = self.operand(line, range)?;
        if self.buffer.is_changed() && !force {
            return Err(Error::Changed);
        }
        self.buffer.clear();
        if !file.starts_with(b"!") {
            self.name(&file)?;
        }
        self.read(&file, 0)?;
        self.buffer.clear_history();
        Ok(Next::Go)
    }

    /// `f`: sets the default file name where one is given, and prints it.
    fn file_name(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        if range.count > 0 {
            return Err(Error::Unexpected);
        }
        if let Some(name) = name(line)? {
            self.name(&name)?;
        }
        if self.file.is_empty() {
            return Err(Error::NoName);
        }
        self.out.line(&self.file);
        Ok(Next::Go)
    }

    /// `j`: the lines become one, with nothing between them. A single line stays as it is.
    fn join(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let print = suffix(line)?;
        let (from, to) = match range.count {
            0 => (range.to, range.to + 1),
            _ => (range.from, range.to),
        };
        self.check(from, to)?;
        if from != to {
            let joined = self.buffer.lines(from, to).iter();
            let joined: Vec<u8> = joined.flat_map(|line| line.iter().copied()).collect();
            self.buffer.cut = self.buffer.lines(from, to).to_vec();
            self.buffer.replace(from - 1, to, [Line::new(joined)]);
            self.buffer.current = from;
        }
        self.show(print)
    }

    /// The address behind `m`: exactly one, and 0 means before the first line.
    fn destination(&mut self, line: &mut Cursor<'_>) -> Result<usize, Error> {
        let to = self.range(line)?;
        match to.count {
            1 => Ok(to.to),
            _ => Err(Error::Destination),
        }
    }

    /// `m`: moves lines behind another one, which must not be among them. The last line that was moved is the current
    /// one.
    ///
    /// The lines are the same afterwards (`Line` compares by identity), so marks and the lists of `g` follow them.
    fn relocate(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        self.check(range.from, range.to)?;
        let after = self.destination(line)?;
        let print = suffix(line)?;
        let (from, to) = (range.from, range.to);
        if (from..to).contains(&after) {
            return Err(Error::Destination);
        }
        let moved = self.buffer.lines(from, to).to_vec();
        if after == to || after == from - 1 {
            self.buffer.current = to;
        } else if after > to {
            self.buffer.replace(after, after, moved);
            self.buffer.replace(from - 1, to, []);
            self.buffer.current = after;
        } else {
            let count = moved.len();
            self.buffer.replace(from - 1, to, []);
            self.buffer.append(after, moved);
            self.buffer.current = after + count;
        }
        self.show(print)
    }

    /// `t`: copies lines behind another one. The copies are lines of their own, without the marks of the originals.
    fn copy(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        self.check(range.from, range.to)?;
        let after = self.range(line)?.to;
        let print = suffix(line)?;
        let copies = copies(self.buffer.lines(range.from, range.to));
        self.buffer.append(after, copies);
        self.show(print)
    }

    /// `r`: reads a file, or what `!COMMAND` prints, behind a line.
    fn insert_file(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let given = name(line)?;
        let after = match range.count {
            0 => self.buffer.last(),
            _ => range.to,
        };
        let file = self.or_own(given)?;
        self.read(&file, after)?;
        Ok(Next::Go)
    }

    /// `w`, `W` (appends) and `wq`. Only where all lines went to a file does the buffer count as saved.
    fn write_file(
        &mut self,
        line: &mut Cursor<'_>,
        range: Range,
        append: bool,
    ) -> Result<Next, Error> {
        let quits = line.takes(b'q');
        let given = name(line)?;
        let lines = match range.count {
            0 => (1, self.buffer.last()),
            _ => {
                self.check(range.from, range.to)?;
                (range.from, range.to)
            }
        };
        let file = self.or_own(given)?;
        self.write(&file, lines, append)?;
        let is_all = lines == (1, self.buffer.last());
        if is_all && !file.starts_with(b"!") {
            self.buffer.forget_changes();
        }
        match quits {
            true => Ok(Next::Quit),
            false => Ok(Next::Go),
        }
    }

    /// The name that `r` and `w` use: the one given, or the default one. A name that is given where there is no default
    /// becomes it; `!COMMAND` never does.
    fn or_own(&mut self, given: Option<Vec<u8>>) -> Result<Vec<u8>, Error> {
        if let Some(name) = &given
            && self.file.is_empty()
            && !name.starts_with(b"!")
        {
            self.name(name)?;
        }
        let file = given.unwrap_or_else(|| self.file.clone());
        match file.is_empty() {
            true => Err(Error::NoName),
            false => self.permitted(&file).map(|()| file),
        }
    }

    /// The file of `e`: as `or_own`, but the caller sets the default name. It takes no addresses.
    fn operand(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Vec<u8>, Error> {
        if range.count > 0 {
            return Err(Error::Unexpected);
        }
        let file = name(line)?.unwrap_or_else(|| self.file.clone());
        match file.is_empty() {
            true => Err(Error::NoName),
            false => Ok(file),
        }
    }

    /// `zN`: prints N lines from the address on; N stays for later, and is the terminal's lines at first.
    fn scroll(&mut self, line: &mut Cursor<'_>, range: Range) -> Result<Next, Error> {
        let from = match range.count {
            0 => self.buffer.current + 1,
            _ => range.to,
        };
        if line.is_at_digit() {
            self.window = line.number()?.max(1);
        }
        let mut print = suffix(line)?;
        print.plain = true;
        self.check(from, from)?;
        let to = (from + self.window - 1).min(self.buffer.last());
        self.print((from, to), print)?;
        Ok(Next::Go)
    }

    /// Prints the current line where a suffix asked for that.
    fn show(&mut self, print: Print) -> Result<Next, Error> {
        if print.is_any() {
            let here = self.buffer.current;
            self.print((here, here), print)?;
        }
        Ok(Next::Go)
    }

    /// Prints lines; the last of them is the current one.
    pub fn print(&mut self, (from, to): (usize, usize), print: Print) -> Result<(), Error> {
        self.check(from, to)?;
        for number in from..=to {
            let line = self.buffer.line(number);
            let mut text = Vec::new();
            if print.numbered {
                text.extend(format!("{number}\t").into_bytes());
            }
            match print.listed {
                true => list(&line, &mut text),
                false => text.extend_from_slice(&line),
            }
            self.out.line(text);
        }
        self.buffer.current = to;
        Ok(())
    }
}

/// Lines of their own with the same text.
fn copies(lines: &[Line]) -> Vec<Line> {
    lines.iter().map(|line| Line::new(line.to_vec())).collect()
}

/// Appends a line as `l` shows it: `\\`, `\$`, `\t` and the like, other bytes in octal (`\303`), and a `$` at the end.
/// Lines are folded by a backslash after 72 columns; an escape is never split, and the number of `n` counts.
fn list(line: &[u8], text: &mut Vec<u8>) {
    let mut column = text.len();
    for &byte in line {
        let shown = match byte {
            b'\\' => "\\\\".to_owned(),
            b'$' => "\\$".to_owned(),
            0x07 => "\\a".to_owned(),
            0x08 => "\\b".to_owned(),
            0x0c => "\\f".to_owned(),
            b'\r' => "\\r".to_owned(),
            b'\t' => "\\t".to_owned(),
            0x0b => "\\v".to_owned(),
            b' '..=b'~' => char::from(byte).to_string(),
            byte => format!("\\{byte:03o}"),
        };
        if column + shown.len() > WIDTH {
            text.extend_from_slice(b"\\\n");
            column = 0;
        }
        column += shown.len();
        text.extend_from_slice(shown.as_bytes());
    }
    text.push(b'$');
}

/// The suffix behind a command: any of `p`, `n` and `l`, then the end of the line.
fn suffix(line: &mut Cursor<'_>) -> Result<Print, Error> {
    let mut print = Print::default();
    while let Some(byte) = line.peek() {
        match byte {
            b'p' => print.plain = true,
            b'n' => print.numbered = true,
            b'l' => print.listed = true,
            _ => break,
        }
        line.next();
    }
    end(line)?;
    Ok(print)
}

/// `Error::Suffix` where something is left of the line.
fn end(line: &Cursor<'_>) -> Result<(), Error> {
    match line.peek() {
        None => Ok(()),
        Some(_) => Err(Error::Suffix),
    }
}

/// For commands without addresses and parameters: `Error::Unexpected` for an address, `Error::Suffix` for more text.
fn nothing(line: &Cursor<'_>, range: Range) -> Result<(), Error> {
    match range.count {
        0 => end(line),
        _ => Err(Error::Unexpected),
    }
}

/// The file name behind a command, `None` where there is none. A blank has to separate it: `wfile` is refused.
fn name(line: &mut Cursor<'_>) -> Result<Option<Vec<u8>>, Error> {
    match line.peek() {
        None => return Ok(None),
        Some(b' ' | b'\t') => {}
        Some(_) => return Err(Error::UnexpectedSuffix),
    }
    line.skip_blanks();
    let name = line.take_rest().to_vec();
    Ok((!name.is_empty()).then_some(name))
}
