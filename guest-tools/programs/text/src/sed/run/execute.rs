//! Commands, one after the other: what each of them does to the two spaces and the input.

use std::collections::HashMap;
use std::io::{BufRead as _, BufReader};

use super::output::Queued;
use super::text::{list, replace, strip_end};
use super::{Run, Then};
use crate::call::bytes;
use crate::output::CHUNK;
use crate::pattern::character_length;
use crate::sed::script::{Action, Command, Lines, Substitution};
use crate::{launch, system};

impl<'a> Run<'a> {
    /// Runs one command, and says how the cycle goes on.
    pub(super) fn execute(&mut self, index: usize, command: &'a Command) -> Then {
        match &command.action {
            Action::Block(_) | Action::EndBlock | Action::Nothing => {}
            Action::Equals => {
                let line = self.input.line.to_string();
                self.put(&bytes!(line, "\n"));
            }
            Action::Append(text) => self.queue.push(Queued::Text(text)),
            Action::Insert(text) => self.put(text),
            Action::Change(text) => return self.change(index, command, text),
            Action::Branch(to) => return Then::Jump(to.unwrap_or(self.commands.len())),
            Action::BranchIf(to) | Action::BranchIfNot(to) => {
                let wanted = matches!(command.action, Action::BranchIf(_));
                if std::mem::take(&mut self.replaced) == wanted {
                    return Then::Jump(to.unwrap_or(self.commands.len()));
                }
            }
            Action::Delete => return Then::End(false),
            Action::DeleteFirst => return self.delete_first(),
            Action::Execute(text) => self.run_command(text),
            Action::FileName => {
                let name = self.input.name.clone();
                self.put(&bytes!(name, "\n"));
            }
            Action::GetHold
            | Action::AppendHold
            | Action::Hold
            | Action::HoldAppend
            | Action::Exchange => self.move_spaces(&command.action),
            Action::Zap => self.space.clear(),
            Action::List(width) => {
                let text = list(&self.space, width.unwrap_or(self.plan.width));
                self.put(&text);
            }
            Action::Next => return self.next_command(),
            Action::NextAppend => return self.append_next(),
            Action::Print => self.print_space(),
            Action::PrintFirst => {
                let (first, ended) = self.first_line();
                self.put_line(&first, ended);
            }
            Action::Quit(status) => return self.quit(*status),
            Action::QuitSilently(status) => {
                self.queue.clear();
                return Then::Quit(*status, false);
            }
            Action::ReadFile(name) => self.queue.push(Queued::File(name)),
            Action::ReadLine(name) => {
                if let Some(line) = self.read_line(name) {
                    self.queue.push(Queued::Line(line));
                }
            }
            Action::Write(name) => {
                let space = self.space.clone();
                self.write_file(name, &space, self.ended);
            }
            Action::WriteFirst(name) => {
                let (first, ended) = self.first_line();
                self.write_file(name, &first, ended);
            }
            Action::Substitute(substitution) => self.substitute(substitution),
            Action::Transliterate(table) => self.transliterate(table),
        }
        Then::Continue
    }

    /// `D`: a new cycle with what follows the first line, or with a new line where nothing does.
    fn delete_first(&mut self) -> Then {
        match memchr::memchr(self.plan.end, &self.space) {
            None => Then::End(false),
            Some(at) => {
                self.space.drain(..=at);
                Then::Restart
            }
        }
    }

    /// `g`, `G`, `h`, `H` and `x`: text between the pattern space and the hold space.
    fn move_spaces(&mut self, action: &Action) {
        match action {
            Action::GetHold => {
                self.space.clone_from(&self.hold);
                self.ended = self.hold_ended;
            }
            Action::AppendHold => {
                self.space.push(self.plan.end);
                self.space.extend_from_slice(&self.hold);
                self.ended = self.hold_ended;
            }
            Action::Hold => {
                self.hold.clone_from(&self.space);
                self.hold_ended = self.ended;
            }
            Action::HoldAppend => {
                self.hold.push(self.plan.end);
                self.hold.extend_from_slice(&self.space);
                self.hold_ended = self.ended;
            }
            _ => {
                std::mem::swap(&mut self.space, &mut self.hold);
                std::mem::swap(&mut self.ended, &mut self.hold_ended);
            }
        }
    }

    /// `q`: the end, after what the cycle would print.
    fn quit(&mut self, status: i32) -> Then {
        if !self.plan.quiet {
            self.print_space();
        }
        // Unlike the end of the input, `q` ends the last line.
        self.put(b"");
        Then::Quit(status, false)
    }

    /// The first line of the pattern space, and whether it has an end.
    fn first_line(&self) -> (Vec<u8>, bool) {
        match memchr::memchr(self.plan.end, &self.space) {
            Some(end) => (self.space[..end].to_vec(), true),
            None => (self.space.clone(), self.ended),
        }
    }

    /// `c`: the text in place of the line; of a range once, at its end. With `!` it is written for each line.
    fn change(&mut self, index: usize, command: &'a Command, text: &'a [u8]) -> Then {
        let ranged = matches!(command.lines, Lines::Range(..)) && !command.negated;
        if !ranged || !self.ranges[index].is_open() || self.input.is_last() {
            self.put(text);
        }
        Then::End(false)
    }

    /// `n`. Without a next line it ends the script; the pattern space is printed, as GNU does unless it is told to be
    /// POSIX's.
    fn next_command(&mut self) -> Then {
        if self.input.is_last() && self.input.is_last_file() {
            return Then::Quit(0, true);
        }
        if !self.plan.quiet {
            self.print_space();
        }
        self.put_queue();
        if self.next_line(false) {
            Then::Continue
        } else {
            Then::Quit(0, false)
        }
    }

    /// `N`, likewise.
    fn append_next(&mut self) -> Then {
        self.put_queue();
        if self.input.is_last() && self.input.is_last_file() {
            return Then::Quit(0, !self.plan.posix);
        }
        if self.next_line(true) {
            Then::Continue
        } else {
            Then::Quit(0, true)
        }
    }

    /// The next line of a file of `R`, without its end; none behind the last.
    fn read_line(&mut self, name: &'a [u8]) -> Option<Vec<u8>> {
        let open = || {
            system::open_file(name)
                .ok()
                .map(|file| BufReader::with_capacity(CHUNK, file))
        };
        let reader = self.readers.entry(name).or_insert_with(open).as_mut()?;
        let mut line = Vec::new();
        reader
            .read_until(self.plan.end, &mut line)
            .ok()
            .filter(|count| *count > 0)?;
        if line.last() == Some(&self.plan.end) {
            line.pop();
        }
        Some(line)
    }

    /// `e`: without a command, the pattern space is one and its output takes its place.
    fn run_command(&mut self, command: &[u8]) {
        let own = command.is_empty();
        let text = if own {
            self.space.clone()
        } else {
            command.to_vec()
        };
        match launch::output_of(&text) {
            Ok(output) if own => self.space = strip_end(output, self.plan.end),
            Ok(output) => self.put(&output),
            Err(failure) => self.failure = Some(self.call.fail(4, bytes!("e: ", failure))),
        }
    }

    /// `y`.
    fn transliterate(&mut self, table: &HashMap<Vec<u8>, Vec<u8>>) {
        let mut out = Vec::with_capacity(self.space.len());
        let mut at = 0;
        while at < self.space.len() {
            let length = character_length(&self.space[at..]);
            let character = &self.space[at..at + length];
            out.extend_from_slice(table.get(character).map_or(character, Vec::as_slice));
            at += length;
        }
        self.space = out;
    }

    /// `s`: replaces, and then runs, prints and writes as its flags say, in this order.
    fn substitute(&mut self, substitution: &'a Substitution) {
        let pattern = match substitution
            .pattern
            .clone()
            .or_else(|| self.last_pattern.clone())
        {
            Some(pattern) => pattern,
            None => {
                self.failure = Some(self.call.fail(1, "no previous regular expression"));
                return;
            }
        };
        let changed = replace(&pattern, substitution, &self.space);
        self.last_pattern = Some(pattern);
        let Some(text) = changed else { return };
        self.space = text;
        self.replaced = true;
        if substitution.evaluate {
            self.run_command(b"");
        }
        for _ in 0..substitution.print {
            self.print_space();
        }
        if let Some(name) = &substitution.file {
            let space = self.space.clone();
            self.write_file(name, &space, self.ended);
        }
    }
}
