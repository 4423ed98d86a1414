//! Runs a `sed` script over the input.

use std::collections::HashMap;
use std::fs::File;
use std::io::{BufRead as _, BufReader, BufWriter, Write};
use std::rc::Rc;

use super::Plan;
use super::input::Input;
use super::replacement::Replacement;
use super::script::{Action, Address, Case, Command, End, Lines, Part, Substitution};
use crate::call::{Call, bytes};
use crate::launch;
use crate::output::{CHUNK, Output};
use crate::pattern::{Groups, Pattern, character_length};
use crate::system;

/// What `a`, `r` and `R` put out at the end of a cycle.
enum Queued<'a> {
    Text(&'a [u8]),
    File(&'a [u8]),
    Line(Vec<u8>),
}

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

/// A file that `w` writes.
struct Written {
    writer: BufWriter<File>,
    /// Its last line lacks its end.
    missing_end: bool,
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

/// How far a command's range has come.
#[derive(Clone, Copy)]
enum Reach {
    /// It has not begun in this input.
    Idle,
    /// It lasts to this line, or to what else ends it.
    Open(u64),
    /// It began and ended.
    Over,
}

impl Reach {
    fn at_start(command: &Command) -> Reach {
        match &command.lines {
            Lines::Range(Address::Line(0), _) => Reach::Open(u64::MAX),
            _ => Reach::Idle,
        }
    }

    fn is_open(self) -> bool {
        matches!(self, Reach::Open(_))
    }
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

    /// Files for `w` are emptied before the first line is read.
    fn open_files(&mut self) -> i32 {
        for command in self.commands {
            let name = match &command.action {
                Action::Write(name) | Action::WriteFirst(name) => name,
                Action::Substitute(substitution) => match &substitution.file {
                    Some(name) => name,
                    None => continue,
                },
                _ => continue,
            };
            if name == b"/dev/stdout" || name == b"/dev/stderr" {
                continue;
            }
            match system::create_file(name, false) {
                Ok(file) => {
                    let written = Written {
                        writer: BufWriter::with_capacity(CHUNK, file),
                        missing_end: false,
                    };
                    self.files.insert(name, written);
                }
                Err(failure) => {
                    return self
                        .call
                        .fail(4, bytes!("couldn't open file ", name, ": ", failure));
                }
            }
        }
        0
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

    // ---- output ------------------------------------------------------------------------------

    fn put(&mut self, bytes: &[u8]) {
        let end = self.plan.end;
        let missing = std::mem::take(&mut self.missing_end);
        if let Some(replacement) = &mut self.replacement {
            let first = if missing {
                replacement.writer.write_all(&[end])
            } else {
                Ok(())
            };
            if first
                .and_then(|()| replacement.writer.write_all(bytes))
                .is_err()
            {
                self.failure = Some(self.call.fail(4, "couldn't write to output file"));
            }
        } else {
            if missing {
                self.out.put([end]);
            }
            self.out.put(bytes);
        }
    }

    /// A line; the last line of a file without a line end gets none here either.
    fn put_line(&mut self, line: &[u8], ended: bool) {
        self.put(line);
        if ended {
            self.put(&[self.plan.end]);
        } else {
            self.missing_end = true;
        }
    }

    fn print_space(&mut self) {
        let space = std::mem::take(&mut self.space);
        self.put_line(&space, self.ended);
        self.space = space;
    }

    fn put_queue(&mut self) {
        for queued in std::mem::take(&mut self.queue) {
            match queued {
                Queued::Text(text) => self.put(text),
                Queued::Line(line) => self.put_line(&line, true),
                Queued::File(name) => {
                    let path = if name == b"/dev/stdin" { b"-" } else { name };
                    // A file that cannot be read is an empty one.
                    if let Ok(content) = system::read_whole(path)
                        && !content.is_empty()
                    {
                        self.put(&content);
                        self.missing_end = false;
                    }
                }
            }
        }
    }

    /// A line for `w`; like the output, the file gets a line end that was missing before the next line.
    fn write_file(&mut self, name: &'a [u8], line: &[u8], ended: bool) {
        if name == b"/dev/stdout" {
            std::mem::swap(&mut self.missing_end, &mut self.copy_lacks_end);
            self.put_line(line, ended);
            std::mem::swap(&mut self.missing_end, &mut self.copy_lacks_end);
            return;
        }
        let end = [self.plan.end];
        let after: &[u8] = if ended { &end } else { b"" };
        if name == b"/dev/stderr" {
            let _ = std::io::stderr().write_all(&bytes!(line, after));
            return;
        }
        let Some(file) = self.files.get_mut(name) else {
            return;
        };
        let before: &[u8] = if file.missing_end { &end } else { b"" };
        file.missing_end = !ended;
        // Another command may read the file before the end.
        let written = file.writer.write_all(&bytes!(before, line, after));
        if written.and_then(|()| file.writer.flush()).is_err() {
            self.failure = Some(self.call.fail(4, bytes!("couldn't write to ", name)));
        }
    }

    fn begin_replacement(&mut self) {
        self.finish_replacement();
        if self.input.name == b"-" {
            return;
        }
        match Replacement::begin(&self.input.name) {
            Ok(replacement) => self.replacement = Some(replacement),
            Err(failure) => {
                let message = bytes!("couldn't open temporary file: ", failure);
                self.failure = Some(self.call.fail(4, message));
            }
        }
    }

    fn finish_replacement(&mut self) {
        let Some(mut replacement) = self.replacement.take() else {
            return;
        };
        self.missing_end = false;
        if let Err(failure) = replacement.finish(self.plan.in_place.as_deref().unwrap_or_default())
        {
            let message = bytes!("cannot rename ", replacement.temporary, ": ", failure);
            self.failure = Some(self.call.fail(4, message));
        }
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

    fn at(&mut self, address: &Address) -> bool {
        let line = self.input.line;
        match address {
            Address::Line(wanted) => line == *wanted,
            Address::Step(first, 0) => line == *first,
            Address::Step(first, step) => line >= *first && (line - first).is_multiple_of(*step),
            Address::Last => self.input.is_last(),
            Address::Match(pattern) => self.matches(pattern.as_ref()),
        }
    }

    fn selects(&mut self, index: usize, command: &'a Command) -> bool {
        match &command.lines {
            Lines::All => true,
            Lines::At(address) => self.at(address),
            Lines::Range(from, to) => self.in_range(index, from, to),
        }
    }

    fn in_range(&mut self, index: usize, from: &'a Address, to: &'a End) -> bool {
        let line = self.input.line;
        let Reach::Open(end) = self.ranges[index] else {
            return self.begins(index, from, to);
        };
        let ends = match to {
            End::Address(Address::Match(pattern)) => self.matches(pattern.as_ref()),
            End::Address(Address::Last) => self.input.is_last(),
            _ => line >= end,
        };
        if ends {
            self.ranges[index] = Reach::Over;
        }
        // A jump over its end closes the range before this line.
        line <= end || self.begins(index, from, to)
    }

    fn begins(&mut self, index: usize, from: &'a Address, to: &'a End) -> bool {
        let line = self.input.line;
        // Whoever was elsewhere at its first line finds the range begun, once.
        let late = match (from, &self.ranges[index]) {
            (Address::Line(first), Reach::Idle) => line > *first,
            _ => false,
        };
        if !late && !self.at(from) {
            return false;
        }
        let end = match to {
            End::Address(Address::Line(end)) if late && *end < line => return false,
            End::Address(Address::Line(end)) => *end,
            End::Address(Address::Last) if self.input.is_last() => line,
            End::Address(_) => u64::MAX,
            End::Count(count) => line.saturating_add(*count),
            End::Multiple(0) => line,
            End::Multiple(step) => (line / step + 1) * step,
        };
        self.ranges[index] = match end > line {
            true => Reach::Open(end),
            false => Reach::Over,
        };
        true
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

    fn execute(&mut self, index: usize, command: &'a Command) -> Then {
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
            Action::BranchIf(to) => {
                if std::mem::take(&mut self.replaced) {
                    return Then::Jump(to.unwrap_or(self.commands.len()));
                }
            }
            Action::BranchIfNot(to) => {
                if !std::mem::take(&mut self.replaced) {
                    return Then::Jump(to.unwrap_or(self.commands.len()));
                }
            }
            Action::Delete => return Then::End(false),
            Action::DeleteFirst => match memchr::memchr(self.plan.end, &self.space) {
                None => return Then::End(false),
                Some(at) => {
                    self.space.drain(..=at);
                    return Then::Restart;
                }
            },
            Action::Execute(text) => self.run_command(text),
            Action::FileName => {
                let name = self.input.name.clone();
                self.put(&bytes!(name, "\n"));
            }
            Action::GetHold => {
                self.space.clone_from(&self.hold);
                self.ended = self.hold_ended;
            }
            Action::AppendHold => {
                self.space.push(self.plan.end);
                self.space.extend_from_slice(&self.hold);
                self.ended |= self.hold_ended;
            }
            Action::Hold => {
                self.hold.clone_from(&self.space);
                self.hold_ended = self.ended;
            }
            Action::HoldAppend => {
                self.hold.push(self.plan.end);
                self.hold.extend_from_slice(&self.space);
            }
            Action::Exchange => {
                std::mem::swap(&mut self.space, &mut self.hold);
                std::mem::swap(&mut self.ended, &mut self.hold_ended);
            }
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
            Action::Quit(status) => {
                if !self.plan.quiet {
                    self.print_space();
                }
                // Unlike the end of the input, `q` ends the last line.
                self.put(b"");
                return Then::Quit(*status, false);
            }
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

    /// The first line of the pattern space, and whether it has an end.
    fn first_line(&self) -> (Vec<u8>, bool) {
        match memchr::memchr(self.plan.end, &self.space) {
            Some(end) => (self.space[..end].to_vec(), true),
            None => (self.space.clone(), self.ended),
        }
    }

    fn change(&mut self, index: usize, command: &'a Command, text: &'a [u8]) -> Then {
        let ranged = matches!(command.lines, Lines::Range(..)) && !command.negated;
        if !ranged || !self.ranges[index].is_open() || self.input.is_last() {
            self.put(text);
        }
        Then::End(false)
    }

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

    fn append_next(&mut self) -> Then {
        self.put_queue();
        if self.input.is_last() && self.input.is_last_file() {
            return Then::Quit(0, true);
        }
        if self.next_line(true) {
            Then::Continue
        } else {
            Then::Quit(0, true)
        }
    }

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

fn strip_end(mut text: Vec<u8>, end: u8) -> Vec<u8> {
    if text.last() == Some(&end) {
        text.pop();
    }
    text
}

/// The text with the matches replaced; none where nothing was.
pub fn replace(pattern: &Pattern, substitution: &Substitution, text: &[u8]) -> Option<Vec<u8>> {
    let find = |at: usize| -> Option<Groups> {
        if substitution.groups {
            pattern.groups_at(text, at)
        } else {
            pattern.find_at(text, at).map(|span| vec![Some(span)])
        }
    };
    let mut out: Option<Vec<u8>> = None;
    let (mut at, mut copied, mut seen) = (0, 0, 0);
    let mut last_end = None;
    while at <= text.len() {
        let Some(groups) = find(at) else { break };
        let Some((from, to)) = groups[0] else { break };
        let step = |at: usize| {
            at + text
                .get(at..)
                .map_or(1, |rest| character_length(rest).max(1))
        };
        // An empty match right after a match is none.
        if from == to && last_end == Some(from) {
            at = step(from);
            continue;
        }
        seen += 1;
        if seen >= substitution.number {
            let out = out.get_or_insert_with(|| Vec::with_capacity(text.len() + 32));
            out.extend_from_slice(&text[copied..from]);
            insert(&substitution.replacement, text, &groups, out);
            copied = to;
            if !substitution.all {
                break;
            }
        }
        last_end = Some(to);
        at = if to > from { to } else { step(from) };
    }
    let mut out = out?;
    out.extend_from_slice(&text[copied..]);
    Some(out)
}

fn insert(parts: &[Part], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let (mut all, mut next) = (None, None);
    for part in parts {
        let piece = match part {
            Part::Literal(literal) => literal.as_slice(),
            Part::Group(number) => match groups.get(*number).copied().flatten() {
                Some((from, to)) => &text[from..to],
                None => continue,
            },
            Part::Case(case @ (Case::Upper | Case::Lower)) => {
                (all, next) = (Some(*case), None);
                continue;
            }
            Part::Case(Case::End) => {
                (all, next) = (None, None);
                continue;
            }
            Part::Case(case) => {
                next = Some(*case);
                continue;
            }
        };
        if all.is_none() && next.is_none() {
            out.extend_from_slice(piece);
        } else if !piece.is_empty() {
            convert(piece, all, next.take(), out);
        }
    }
}

fn convert(piece: &[u8], all: Option<Case>, next: Option<Case>, out: &mut Vec<u8>) {
    let mut first = next;
    for chunk in piece.utf8_chunks() {
        for character in chunk.valid().chars() {
            let case = first.take().or(all);
            let mut buffer = [0; 4];
            let mut push = |character: char| {
                out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            };
            match case {
                Some(Case::Upper | Case::UpperNext) => character.to_uppercase().for_each(&mut push),
                Some(_) => character.to_lowercase().for_each(&mut push),
                None => push(character),
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
}

/// The text as `l` shows it, in lines of `width`.
fn list(text: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut column = 0;
    for &byte in text {
        let piece = match byte {
            b'\\' => b"\\\\".to_vec(),
            7 => b"\\a".to_vec(),
            8 => b"\\b".to_vec(),
            9 => b"\\t".to_vec(),
            10 => b"\\n".to_vec(),
            11 => b"\\v".to_vec(),
            12 => b"\\f".to_vec(),
            13 => b"\\r".to_vec(),
            32..=126 => vec![byte],
            _ => format!("\\{byte:03o}").into_bytes(),
        };
        if width > 1 && column + piece.len() > width - 1 {
            out.extend_from_slice(b"\\\n");
            column = 0;
        }
        column += piece.len();
        out.extend_from_slice(&piece);
    }
    out.extend_from_slice(b"$\n");
    out
}
