//! Runs a `sed` script over the input.
//!
//! A cycle reads a line into the pattern space, runs the commands, prints the pattern space, and writes what `a`, `r`
//! and `R` have queued. Commands run by their index (`execute`), `select` decides which lines they are for, `text` is
//! `s` and `l`, `output` everything that is written.
//!
//! A last line without a newline is printed without one: that it is missing is kept with the pattern space and the
//! hold space, and made good before anything follows. Memory is that of the two spaces and the longest line.

mod execute;
mod output;
mod select;
mod text;

use crate::system::File;
use std::collections::HashMap;
use std::io::{BufReader, Write as _};
use std::rc::Rc;

use super::Plan;
use super::input::Input;
use super::replacement::Replacement;
use super::script::{Action, Address, Command, Lines};
use crate::call::Call;
use crate::output::Output;
use crate::pattern::Pattern;
use output::{Queued, Written};
use select::Reach;

pub use text::replace;

/// How a cycle goes on after a command.
enum Then {
    /// With the next command.
    Continue,
    /// With the command of this index; one behind the last ends the cycle.
    Jump(usize),
    /// The end of the cycle, with the pattern space printed or not.
    End(bool),
    /// Again with the same pattern space, without reading a line (`D`).
    Restart,
    /// Not at all: the exit status, and whether the pattern space is printed.
    Quit(i32, bool),
}

/// A script at work: both spaces, the input and the files it writes.
pub struct Run<'a> {
    call: &'a Call,
    plan: &'a Plan,
    commands: &'a [Command],
    input: Input<'a>,
    out: Output,
    /// The new file of `-i` that output goes to.
    replacement: Option<Replacement>,
    /// The files of `w`, by name; they stay open.
    files: HashMap<&'a [u8], Written>,
    /// The files of `R`, by name; none for one that cannot be opened.
    readers: HashMap<&'a [u8], Option<BufReader<File>>>,
    /// The pattern space, without the end of its last line.
    space: Vec<u8>,
    /// The hold space.
    hold: Vec<u8>,
    /// Whether the line in the hold space had an end.
    hold_ended: bool,
    /// The last line read had an end.
    ended: bool,
    /// What was written last lacks its line end.
    missing_end: bool,
    /// So does what `w /dev/stdout` wrote last: GNU takes that for another file.
    copy_lacks_end: bool,
    /// How far the range of each command has come, by the command's index.
    ranges: Vec<Reach>,
    /// What is written at the end of the cycle, or before the next line is read.
    queue: Vec<Queued<'a>>,
    /// The pattern that was used last, for the empty one.
    last_pattern: Option<Rc<Pattern>>,
    /// An `s` has replaced something since a line was read, for `t` and `T`.
    replaced: bool,
    /// The status of what ends the run.
    failure: Option<i32>,
}

impl<'a> Run<'a> {
    /// Prepares to run a parsed script.
    pub fn new(
        call: &'a Call,
        plan: &'a Plan,
        commands: &'a [Command],
        files: Vec<Vec<u8>>,
    ) -> Run<'a> {
        Run {
            call,
            plan,
            commands,
            input: Input::new(call, files, plan.separate, plan.end),
            out: Output::new(),
            replacement: None,
            files: HashMap::new(),
            readers: HashMap::new(),
            space: Vec::new(),
            hold: Vec::new(),
            hold_ended: true,
            ended: true,
            missing_end: false,
            copy_lacks_end: false,
            ranges: commands.iter().map(Reach::at_start).collect(),
            queue: Vec::new(),
            last_pattern: None,
            replaced: false,
            failure: None,
        }
    }

    /// Runs the script over the whole input and returns the exit status.
    pub fn run(mut self) -> i32 {
        let mut status = self.open_files();
        if status == 0 {
            status = self.cycles();
        }
        self.finish_replacement();
        for file in self.files.values_mut() {
            if file.writer.flush().is_err() {
                self.failure = Some(4);
            }
        }
        let status = if status != 0 {
            status
        } else {
            self.failure.unwrap_or(self.input.status)
        };
        self.out.finish(&self.call.name, status, 4)
    }

    /// Runs cycles until the input ends or a command quits; gives the exit status of the latter.
    fn cycles(&mut self) -> i32 {
        let mut read = true;
        loop {
            if read && !self.next_line(false) {
                return 0;
            }
            read = true;
            match self.cycle() {
                Then::Restart => read = false,
                Then::Quit(status, print) => {
                    if print && !self.plan.quiet {
                        self.print_space();
                    }
                    self.put_queue();
                    self.input.give_back();
                    return status;
                }
                Then::End(print) => {
                    if print && !self.plan.quiet {
                        self.print_space();
                    }
                }
                _ => {
                    if !self.plan.quiet {
                        self.print_space();
                    }
                }
            }
            self.put_queue();
            if self.plan.unbuffered {
                self.out.flush();
            }
            if self.out.is_broken() || self.failure.is_some() {
                return 0;
            }
        }
    }

    /// Reads a line into the pattern space, or after a newline to its end; false at the end of the input. Where a
    /// file begins, ranges begin anew with `-s`, and the new file with `-i`.
    fn next_line(&mut self, append: bool) -> bool {
        if append {
            self.space.push(self.plan.end);
        } else {
            self.space.clear();
        }
        match self.input.read(&mut self.space) {
            Some(ended) => {
                self.ended = ended;
                // For `n` and `N`, too; `D` goes on without a line.
                self.replaced = false;
                if self.input.began && self.plan.separate {
                    self.ranges = self.commands.iter().map(Reach::at_start).collect();
                }
                if self.input.began && self.plan.in_place.is_some() {
                    self.begin_replacement();
                }
                if self.input.began && self.input.line == 1 {
                    self.put_before();
                }
                true
            }
            None => {
                if append {
                    self.space.pop();
                }
                false
            }
        }
    }

    /// Puts out the files of `0r`, which come before the first line.
    fn put_before(&mut self) {
        for command in self.commands {
            if let (Lines::At(Address::Line(0)), Action::ReadFile(name)) =
                (&command.lines, &command.action)
            {
                self.queue.push(Queued::File(name));
            }
        }
        self.put_queue();
    }

    // ---- lines -------------------------------------------------------------------------------

    /// Whether a pattern matches the pattern space; none is the one that was used last.
    fn matches(&mut self, pattern: Option<&Rc<Pattern>>) -> bool {
        match pattern.cloned().or_else(|| self.last_pattern.clone()) {
            Some(pattern) => {
                let found = pattern.is_match(&self.space);
                self.last_pattern = Some(pattern);
                found
            }
            None => {
                self.failure = Some(self.call.fail(1, "no previous regular expression"));
                false
            }
        }
    }

    // ---- commands ----------------------------------------------------------------------------

    /// Runs the commands for the line at hand.
    fn cycle(&mut self) -> Then {
        let mut at = 0;
        let commands = self.commands;
        while let Some(command) = commands.get(at) {
            if self.selects(at, command) == command.negated {
                at = match command.action {
                    Action::Block(end) => end + 1,
                    _ => at + 1,
                };
                continue;
            }
            match self.execute(at, command) {
                Then::Continue => at += 1,
                Then::Jump(to) => at = to,
                then => return then,
            }
            if self.failure.is_some() {
                return Then::End(false);
            }
        }
        Then::End(true)
    }
}
