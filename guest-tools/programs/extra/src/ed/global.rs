//! `g`, `v`, `G` and `V`: a list of commands for each line that matches, or does not.
//!
//! POSIX has two passes: first all lines of the range are tested and remembered, then the list runs for each of them
//! that still exists, with it as the current line. Lines are found again by identity, not by number, so commands of the
//! list may insert, move and delete lines. `g/x/d` deletes every line with an `x`, `g/^/m0` reverses the buffer.
//!
//! The list is one command, or several lines of which all but the last end in a backslash; an empty one is `p`. Within
//! it `g` and its kin are refused, and an `s` without a match is no error. The first command that fails ends the whole.

use std::collections::VecDeque;

use super::address::{Cursor, Range};
use super::buffer::Line;
use super::command::Print;
use super::error::Error;
use super::{Editor, Next};

impl Editor {
    /// Does one of the four; `command` is its letter. `G` and `V` ask for the commands of each line.
    pub fn global(
        &mut self,
        line: &mut Cursor<'_>,
        range: Range,
        command: u8,
    ) -> Result<Next, Error> {
        if self.is_global {
            return Err(Error::Nested);
        }
        let (from, to) = match range.count {
            0 => (1, self.buffer.last()),
            _ => (range.from, range.to),
        };
        self.check(from, to)?;
        let divider = match line.next() {
            None | Some(b' ') => return Err(Error::Delimiter),
            Some(divider) => divider,
        };
        let pattern = self.delimited(line, divider)?;
        let wanted = matches!(command, b'g' | b'G');
        let lines = self.buffer.lines(from, to).iter();
        let lines = lines.filter(|line| pattern.is_match(line) == wanted);
        let lines: Vec<Line> = lines.cloned().collect();
        let is_asked = matches!(command, b'G' | b'V');
        let list = match is_asked {
            true => VecDeque::new(),
            false => self.commands(line.take_rest().to_vec()),
        };
        self.is_global = true;
        let result = lines.iter().try_for_each(|line| {
            // A command before may have removed it.
            let Some(number) = self.buffer.find(line) else {
                return Ok(());
            };
            self.buffer.current = number;
            match is_asked {
                true => self.ask(),
                false => self.run(list.clone()),
            }
        });
        self.is_global = false;
        self.input.read_list(None);
        result.map(|()| Next::Go)
    }

    /// The rest of a line, and the lines that follow while one ends in a backslash. An empty list becomes `p`.
    fn commands(&mut self, first: Vec<u8>) -> VecDeque<Vec<u8>> {
        let mut list = VecDeque::new();
        let mut line = first;
        while line.last() == Some(&b'\\') {
            line.pop();
            list.push_back(std::mem::take(&mut line));
            match self.input.typed() {
                Some(next) => line = next,
                None => return list,
            }
        }
        list.push_back(line);
        if list.len() == 1 && list[0].is_empty() {
            list[0].push(b'p');
        }
        list
    }

    /// Runs a list for the current line. Commands that take text (`a`, `c`, `i`) read it from the list as well.
    fn run(&mut self, list: VecDeque<Vec<u8>>) -> Result<(), Error> {
        self.input.read_list(Some(list));
        while let Some(command) = self.input.line() {
            self.execute(&command, false)?;
        }
        Ok(())
    }

    /// Shows the line and does what is typed for it: an empty line does nothing, `&` repeats what was typed before.
    fn ask(&mut self) -> Result<(), Error> {
        let here = self.buffer.current;
        let print = Print {
            plain: true,
            ..Print::default()
        };
        self.print((here, here), print)?;
        self.out.flush();
        let Some(typed) = self.input.typed() else {
            return Err(Error::Command);
        };
        match typed.as_slice() {
            b"" => return Ok(()),
            b"&" if self.list.is_empty() => return Err(Error::NoCommand),
            b"&" => {}
            _ => self.list = typed,
        }
        let list = self.commands(self.list.clone());
        self.run(list)
    }
}
