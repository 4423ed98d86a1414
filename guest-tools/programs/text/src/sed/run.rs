//! Runs a `sed` script over the input.

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
    Continue,
    Jump(usize),
    /// The end of the cycle, with the pattern space printed or not.
    End(bool),
    /// Again without reading a line.
    Restart,
    Quit(i32, bool),
}

/// A script at work: both spaces, the input and the files it writes.
pub struct Run<'a> {
    call: &'a Call,
    plan: &'a Plan,
    commands: &'a [Command],
    input: Input<'a>,
    out: Output,
    replacement: Option<Replacement>,
    files: HashMap<&'a [u8], Written>,
    readers: HashMap<&'a [u8], Option<BufReader<File>>>,
    space: Vec<u8>,
    hold: Vec<u8>,
    /// Whether the line in the hold space had an end.
    hold_ended: bool,
    /// The last line read had an end.
    ended: bool,
    /// What was written last lacks its line end.
    missing_end: bool,
    /// So does what `w /dev/stdout` wrote last: GNU takes that for another file.
    copy_lacks_end: bool,
    /// The ranges, by command.
    ranges: Vec<Reach>,
    queue: Vec<Queued<'a>>,
    last_pattern: Option<Rc<Pattern>>,
    replaced: bool,
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

    fn cycles(&mut self) -> i32 {
        let mut read = true;
        loop {
            if read && !self.next_line(false) {
                return 0;
            }
            read = true;
            self.replaced = false;
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

    /// Reads a line into the pattern space, or after a newline to its end.
    fn next_line(&mut self, append: bool) -> bool {
        if append {
            self.space.push(self.plan.end);
        } else {
            self.space.clear();
        }
        match self.input.read(&mut self.space) {
            Some(ended) => {
                self.ended = ended;
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
