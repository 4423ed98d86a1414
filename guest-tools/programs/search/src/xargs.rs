//! `xargs` of findutils 4.9.0; POSIX.1-2017, Shell & Utilities, "xargs". `-o` is missing.
//!
//! Items are read one at a time and gathered until a limit is reached: `-n` items, `-L` lines, or `-s` bytes. So memory
//! is bounded by one command line. Commands start by `system::spawn`; up to `-P` of them run at once.
//!
//! The exit status: 0; 123 where a command exited with 1 to 254; 124 after one that exited with 255; 125 after one that
//! a signal ended; 126 and 127 where the command cannot run or is not found; 1 for other errors.
//!
//! ```text
//! printf "a 'b c'\\ d\n\ne\n" | xargs -n 1   ->  three commands, with a, "b c d" and e
//! ```

use std::io::{BufRead, BufReader, Read, Write as _};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::CHUNK;
use crate::quote;
use crate::system::{self, Exit, Handle, Spawn, Streams};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: xargs [OPTION]... COMMAND [INITIAL-ARGS]...\nRun COMMAND with arguments INITIAL-ARGS and more arguments read from input.\n",
    options: &[
        Opt("0", "null", Value::No),
        Opt("a", "arg-file", Value::Required),
        Opt("d", "delimiter", Value::Required),
        Opt("E", "eof", Value::Required),
        Opt("e", "", Value::Optional),
        Opt("I", "replace", Value::Required),
        Opt("i", "", Value::Optional),
        Opt("L", "max-lines", Value::Required),
        Opt("l", "", Value::Optional),
        Opt("n", "max-args", Value::Required),
        Opt("P", "max-procs", Value::Required),
        Opt("p", "interactive", Value::No),
        Opt("", "process-slot-var", Value::Required),
        Opt("r", "no-run-if-empty", Value::No),
        Opt("s", "max-chars", Value::Required),
        Opt("", "show-limits", Value::No),
        Opt("t", "verbose", Value::No),
        Opt("x", "exit", Value::No),
    ],
    permute: false,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    match Xargs::new(call) {
        Ok(xargs) => xargs.run(),
        Err(status) => status,
    }
}

/// Which of `-I`, `-L` and `-n` hold: each switches off the others before it, with a warning. `-n 1` stands with `-I`.
#[derive(Default)]
struct Grouping {
    /// `-I`, `-i`: the text that items replace.
    replace: Option<Vec<u8>>,
    /// `-n` holds.
    arguments: bool,
    /// `-L` or `-l` holds.
    lines: bool,
}

impl Grouping {
    /// Goes through the options in their order.
    fn new(call: &Call, parsed: &Parsed) -> Grouping {
        let mut grouping = Grouping::default();
        for (key, value) in &parsed.options {
            let name = match *key {
                "I" | "i" => "--replace/-I/-i",
                "L" => "-L",
                "l" => "--max-lines/-l",
                "n" if grouping.replace.is_some() && value == b"1" => continue,
                "n" => "--max-args/-n",
                _ => continue,
            };
            let replaces = name.starts_with("--replace");
            let counts = *key == "n";
            let off = |held: bool, other: &str| {
                if held {
                    let text = format!(
                        "warning: options {other} and {name} are mutually exclusive, ignoring previous {other} value"
                    );
                    call.fail(0, text);
                }
            };
            off(grouping.lines && (replaces || counts), "--max-lines");
            off(grouping.arguments && !counts, "--max-args");
            off(grouping.replace.is_some() && !replaces, "--replace");
            grouping = Grouping {
                replace: replaces.then(|| match (*key, value.as_slice()) {
                    ("i", b"") => b"{}".to_vec(),
                    _ => value.clone(),
                }),
                arguments: counts,
                lines: !replaces && !counts,
            };
        }
        grouping
    }
}

/// The state of a run.
struct Xargs<'a> {
    call: &'a Call,
    parsed: Parsed,
    /// The command and its initial arguments; `echo` where none was given.
    command: Vec<Vec<u8>>,
    /// `-I`, `-i`: the text that the item takes the place of; each line is an item then.
    replace: Option<Vec<u8>>,
    /// `-n`.
    most_arguments: usize,
    /// `-L`, `-l`.
    most_lines: usize,
    /// `-s`: the command line's words, with a byte for the end of each.
    most_bytes: usize,
    /// `-P`; 0 on the command line is no limit.
    most_processes: usize,
    /// Commands that run: process, and how many were started before it; the oldest first.
    running: Vec<(u32, u64)>,
    /// The numbers for `--process-slot-var`, parallel to `running`.
    slots: Vec<usize>,
    /// How many commands were started.
    started: u64,
    /// 0, or 123 after a command that failed, or 1 after input that could not be read.
    status: i32,
    /// The status that ends everything at once.
    fatal: Option<i32>,
}

impl<'a> Xargs<'a> {
    /// Reads the options; `Err` is the status after a message.
    fn new(call: &'a Call) -> Result<Xargs<'a>, i32> {
        let mut parsed = options::parse(call, &SYNTAX)?;
        let mut command = std::mem::take(&mut parsed.operands);
        if command.is_empty() {
            command.push(b"echo".to_vec());
        }
        let number = |key: &str, usual: usize| match parsed.value(key) {
            None | Some(b"") => Ok(usual),
            Some(text) => options::number::<usize>(text).ok_or_else(|| {
                let message = bytes!("invalid number \"", text, "\" for -", key, " option");
                options::usage_error(call, &SYNTAX, message)
            }),
        };
        let positive = |key: &str, usual| match number(key, usual)? {
            0 => {
                let message = bytes!("value 0 for -", key, " option should be >= 1");
                Err(options::usage_error(call, &SYNTAX, message))
            }
            found => Ok(found),
        };
        let most_arguments = positive("n", usize::MAX)?;
        let most_lines = match parsed.last(&["L", "l"]) {
            Some("l") => positive("l", 1)?,
            Some(_) => positive("L", usize::MAX)?,
            None => usize::MAX,
        };
        let most_bytes = positive("s", 128 * 1024)?;
        let most_processes = number("P", 1)?;
        let grouping = Grouping::new(call, &parsed);
        let most_processes = if most_processes == 0 {
            usize::MAX
        } else {
            most_processes
        };
        Ok(Xargs {
            call,
            parsed,
            command,
            replace: grouping.replace,
            most_arguments: if grouping.arguments {
                most_arguments
            } else {
                usize::MAX
            },
            most_lines: if grouping.lines {
                most_lines
            } else {
                usize::MAX
            },
            most_bytes,
            most_processes,
            running: Vec::new(),
            slots: Vec::new(),
            started: 0,
            status: 0,
            fatal: None,
        })
    }

    /// What `--show-limits` says: the limits of the Linux that `uname` tells of.
    fn show_limits(&self) {
        const MOST: usize = 2_097_152;
        let environment = system::environment();
        let size = environment
            .iter()
            .map(|(name, value)| name.len() + value.len() + 2);
        let size: usize = size.sum();
        let text = format!(
            "Your environment variables take up {size} bytes\n\
             POSIX upper limit on argument length (this system): {}\n\
             POSIX smallest allowable upper limit on argument length (all systems): 4096\n\
             Maximum length of command we could actually use: {}\n\
             Size of command buffer we are actually using: {}\n\
             Maximum parallelism (--max-procs must be no greater): {}\n",
            MOST.saturating_sub(size + 2048),
            MOST.saturating_sub(2 * size + 2048),
            self.most_bytes,
            i32::MAX
        );
        // Nobody is told where standard error is gone.
        let _ = crate::stream::stderr().write_all(text.as_bytes());
    }

    /// Runs everything, waits for all commands, and gives the exit status.
    fn run(mut self) -> i32 {
        if self.parsed.has("show-limits") {
            self.show_limits();
        }
        let source = match self.parsed.value("a") {
            Some(path) => match system::open_file(path) {
                Ok(file) => Box::new(file) as Box<dyn Read>,
                Err(failure) => {
                    let path = quote::word(path);
                    return self
                        .call
                        .fail(1, bytes!("Cannot open input file ", path, ": ", failure));
                }
            },
            None => Box::new(crate::stream::stdin().lock()),
        };
        let delimiter = match self.delimiter() {
            Ok(delimiter) => delimiter,
            Err(status) => return status,
        };
        let mut items = Items {
            input: BufReader::with_capacity(CHUNK, source),
            delimiter,
            line_based: self.replace.is_some(),
            end: self
                .parsed
                .last(&["E", "e"])
                .and_then(|key| self.parsed.value(key))
                .filter(|end| !end.is_empty())
                .map(<[u8]>::to_vec),
        };
        let outcome = self.all(&mut items);
        while !self.running.is_empty() {
            self.reap();
        }
        if let Err(message) = outcome {
            return self.call.fail(1, message);
        }
        self.fatal.unwrap_or(self.status)
    }

    /// The byte of `-0` or `-d` that separates items; none where blanks and quotes do. `-d` takes a byte or an escape:
    /// `\n`, `\0`, `\x41`, `\101`.
    fn delimiter(&self) -> Result<Option<u8>, i32> {
        match self.parsed.last(&["0", "d"]) {
            None => Ok(None),
            Some("0") => Ok(Some(0)),
            Some(_) => {
                let text = self.parsed.value("d").unwrap_or_default();
                let found = match text {
                    [byte] => Some(*byte),
                    [b'\\', letter] => match letter {
                        b'n' => Some(b'\n'),
                        b't' => Some(b'\t'),
                        b'0' => Some(0),
                        b'r' => Some(b'\r'),
                        b'a' => Some(7),
                        b'b' => Some(8),
                        b'f' => Some(12),
                        b'v' => Some(11),
                        b'\\' => Some(b'\\'),
                        _ => None,
                    },
                    [b'\\', b'x', digits @ ..] => std::str::from_utf8(digits)
                        .ok()
                        .and_then(|digits| u8::from_str_radix(digits, 16).ok()),
                    [b'\\', digits @ ..] => std::str::from_utf8(digits)
                        .ok()
                        .and_then(|digits| u8::from_str_radix(digits, 8).ok()),
                    _ => None,
                };
                found.map(Some).ok_or_else(|| {
                    let text = String::from_utf8_lossy(text).into_owned();
                    self.call.fail(1, format!("Invalid input delimiter specification {text}: the delimiter must be either a single character or an escape sequence starting with \\."))
                })
            }
        }
    }

    /// Reads the items and starts the commands. Without items the command runs once, unless `-r` or `-I` is given.
    ///
    /// # Errors
    /// A message where a command line cannot hold even one item.
    fn all(&mut self, items: &mut Items) -> Result<(), Vec<u8>> {
        let fixed: usize = self.command.iter().map(|word| word.len() + 1).sum();
        let mut arguments: Vec<Vec<u8>> = Vec::new();
        let (mut bytes, mut lines) = (fixed, 0);
        let mut any = false;
        while self.fatal.is_none() {
            let item = match items.next() {
                Ok(Some(item)) => item,
                Ok(None) => break,
                Err(message) => {
                    // What was read before runs all the same.
                    self.status = self.call.fail(1, message);
                    if !arguments.is_empty() {
                        self.start(arguments);
                    }
                    return Ok(());
                }
            };
            any = true;
            if self.replace.is_some() {
                self.replaced(&item.text, fixed)?;
                continue;
            }
            let size = item.text.len() + 1;
            if !arguments.is_empty() && bytes + size > self.most_bytes {
                self.start(std::mem::take(&mut arguments));
                (bytes, lines) = (fixed, 0);
            }
            if fixed + size > self.most_bytes {
                let message = if fixed > self.most_bytes {
                    "cannot fit single argument within argument list size limit"
                } else {
                    "argument line too long"
                };
                return Err(message.as_bytes().to_vec());
            }
            bytes += size;
            arguments.push(item.text);
            lines += usize::from(item.ends_line);
            if arguments.len() >= self.most_arguments || lines >= self.most_lines {
                self.start(std::mem::take(&mut arguments));
                (bytes, lines) = (fixed, 0);
            }
        }
        let run_empty = !any && !self.parsed.has("r") && self.replace.is_none();
        if self.fatal.is_none() && (!arguments.is_empty() || run_empty) {
            self.start(arguments);
        }
        Ok(())
    }

    /// Runs the command with the item in place of each replacement string in its words, but for the command's name.
    /// `fixed` is the size of the words as they were given.
    ///
    /// # Errors
    /// A message where they do not fit into a command line, which is so for an empty replacement string.
    fn replaced(&mut self, item: &[u8], fixed: usize) -> Result<(), Vec<u8>> {
        if fixed > self.most_bytes {
            return Err(b"cannot fit single argument within argument list size limit".to_vec());
        }
        if item.len() >= self.most_bytes {
            return Err(b"argument line too long".to_vec());
        }
        let Some(pattern) = self.replace.clone().filter(|pattern| !pattern.is_empty()) else {
            return Err(b"command too long".to_vec());
        };
        let replace = |word: &Vec<u8>| {
            let mut out = Vec::with_capacity(word.len() + item.len());
            let mut rest = word.as_slice();
            while let Some(at) = rest
                .windows(pattern.len())
                .position(|window| window == pattern)
            {
                out.extend_from_slice(&rest[..at]);
                out.extend_from_slice(item);
                rest = &rest[at + pattern.len()..];
            }
            out.extend_from_slice(rest);
            out
        };
        let (name, words) = self.command.split_at(1);
        let mut all = name.to_vec();
        all.extend(words.iter().map(replace));
        if all.iter().any(|word| word.len() + 1 >= self.most_bytes) {
            return Err(b"command too long".to_vec());
        }
        if all.iter().map(|word| word.len() + 1).sum::<usize>() > self.most_bytes {
            return Err(b"argument list too long".to_vec());
        }
        self.spawn(&all);
        Ok(())
    }

    /// Runs the command with the arguments behind the initial ones.
    fn start(&mut self, arguments: Vec<Vec<u8>>) {
        let words: Vec<Vec<u8>> = self.command.iter().cloned().chain(arguments).collect();
        self.spawn(&words);
    }

    /// Starts a command, and waits before that while `-P` of them run, or the system refuses more processes. A command
    /// that is not found, or cannot run, ends everything. Its standard input is `/dev/null`, unless items come from
    /// `-a`.
    fn spawn(&mut self, words: &[Vec<u8>]) {
        if !self.announce(words) {
            return;
        }
        while self.running.len() >= self.most_processes {
            self.reap();
        }
        if self.fatal.is_some() {
            return;
        }
        let refuse = |failure: system::Failure| {
            let status = if failure == system::NO_ENTRY {
                127
            } else {
                126
            };
            self.call.fail(status, bytes!(words[0], ": ", failure))
        };
        let program = match system::find_program(&words[0], &system::search_path()) {
            Ok(program) => program,
            Err(failure) => {
                self.fatal = Some(refuse(failure));
                return;
            }
        };
        let null = match self.parsed.has("a") {
            true => None,
            false => system::open_handle(b"/dev/null", false).ok(),
        };
        let launched = loop {
            match self.launch(&program, words, null.as_ref()) {
                // There is room again when one of them has ended.
                Err(system::AGAIN) if !self.running.is_empty() => self.reap(),
                launched => break launched,
            }
        };
        match launched {
            Ok(pid) => {
                self.slots.push(self.free_slot());
                self.running.push((pid, self.started));
            }
            Err(failure) => self.fatal = Some(refuse(failure)),
        }
        self.started += 1;
        if self.most_processes == 1 {
            self.reap();
        }
    }

    /// The least number that none of the running commands has.
    fn free_slot(&self) -> usize {
        let used = |slot: &usize| self.slots.contains(slot);
        (0..).find(|slot| !used(slot)).unwrap_or_default()
    }

    /// Starts the program; one that is no executable format is a script for `sh`.
    fn launch(
        &self,
        program: &[u8],
        words: &[Vec<u8>],
        input: Option<&Handle>,
    ) -> system::Result<u32> {
        let mut environment = system::environment();
        if let Some(name) = self.parsed.value("process-slot-var") {
            environment.retain(|(known, _)| known != name);
            environment.push((name.to_vec(), self.free_slot().to_string().into_bytes()));
        }
        let spawn = |path: &[u8], arguments: &[Vec<u8>]| {
            let streams = Streams {
                input,
                ..Streams::default()
            };
            let environment = environment.as_slice();
            system::spawn(&Spawn {
                path,
                arguments,
                environment,
                directory: None,
                streams,
            })
        };
        match spawn(program, words) {
            Err(failure) if failure.0 == system::Errno::NoExec => {
                let mut script = vec![b"sh".to_vec(), program.to_vec()];
                script.extend_from_slice(&words[1..]);
                spawn(b"/bin/sh", &script)
            }
            started => started,
        }
    }

    /// Asks `?...` and reads the answer from the terminal: standard input has the items. Without a terminal everything
    /// ends with status 1.
    fn agrees(&mut self) -> bool {
        let mut answer = String::new();
        let question = |terminal: system::File| {
            // Nobody answers what could not be asked.
            let _ = crate::stream::stderr().write_all(b"?...");
            Ok(BufReader::new(terminal).read_line(&mut answer)?)
        };
        match system::open_file(b"/dev/tty").and_then(question) {
            Ok(_) => answer.starts_with(['y', 'Y']),
            Err(failure) => {
                let text = "failed to open /dev/tty for reading: ";
                self.fatal = Some(self.call.fail(1, bytes!(text, failure)));
                false
            }
        }
    }

    /// Shows the command for `-t` and `-p`, quoted for the shell; false where the user does not want it run.
    fn announce(&mut self, words: &[Vec<u8>]) -> bool {
        let ask = self.parsed.has("p");
        if !ask && !self.parsed.has("t") {
            return true;
        }
        let words = words.iter().map(|word| quote::shell_where_needed(word));
        let mut line = words.collect::<Vec<_>>().join(&b' ');
        if !ask {
            line.push(b'\n');
        }
        let _ = crate::stream::stderr().write_all(&line);
        !ask || self.agrees()
    }

    /// Takes note of one child that has ended. Where several run and none has, it returns after a millisecond: no call
    /// waits for any of several children. Callers call it in a loop.
    fn reap(&mut self) {
        let ended = (0..self.running.len()).find_map(|index| {
            match system::try_wait(self.running[index].0) {
                Ok(None) => None,
                Ok(Some(exit)) => Some((index, exit)),
                Err(_) => Some((index, Exit::Code(1))),
            }
        });
        let (index, exit) = match ended {
            Some(found) => found,
            None if self.running.is_empty() => return,
            None if self.running.len() == 1 => {
                (0, system::wait(self.running[0].0).unwrap_or(Exit::Code(1)))
            }
            None => {
                std::thread::sleep(std::time::Duration::from_millis(1));
                return;
            }
        };
        self.running.remove(index);
        self.slots.remove(index);
        self.ended(exit);
    }

    /// What a command's end means for the exit status; 255 and signals end everything.
    fn ended(&mut self, exit: Exit) {
        let name = &self.command[0];
        match exit {
            Exit::Code(0) => {}
            Exit::Code(255) => {
                let text = ": exited with status 255; aborting";
                let status = self.call.fail(124, bytes!(name, text));
                // A failure before this one is what is told.
                self.fatal = Some(if self.status == 0 {
                    status
                } else {
                    self.status
                });
            }
            Exit::Signal(signal) => {
                let text = format!(": terminated by signal {signal}");
                self.fatal = Some(self.call.fail(125, bytes!(name, text)));
            }
            Exit::Code(_) => self.status = 123,
        }
    }
}

/// A word of the input.
struct Item {
    text: Vec<u8>,
    /// It was the last of its line, for `-L`. A line that ends with a blank goes on in the next.
    ends_line: bool,
}

/// Reads the items.
struct Items {
    input: BufReader<Box<dyn Read>>,
    /// Separates items, and nothing is quoted then.
    delimiter: Option<u8>,
    /// With `-I` a whole line is one item, without blanks before it.
    line_based: bool,
    /// `-E`: input ends before an item that is this; not looked for where there is a delimiter.
    end: Option<Vec<u8>>,
}

impl Items {
    /// The next item; none at the end.
    ///
    /// # Errors
    /// A message for a quote that is not closed on its line, or a read error.
    fn next(&mut self) -> Result<Option<Item>, Vec<u8>> {
        if let Some(delimiter) = self.delimiter {
            let mut text = Vec::new();
            self.input
                .read_until(delimiter, &mut text)
                .map_err(|_| b"read error".to_vec())?;
            if text.is_empty() {
                return Ok(None);
            }
            if text.last() == Some(&delimiter) {
                text.pop();
            }
            return Ok(Some(Item {
                text,
                ends_line: true,
            }));
        }
        let item = self.word()?;
        let stop = item
            .as_ref()
            .is_some_and(|item| Some(&item.text) == self.end.as_ref());
        Ok(item.filter(|_| !stop))
    }

    /// Takes a byte.
    fn byte(&mut self) -> Result<Option<u8>, Vec<u8>> {
        let buffer = self.input.fill_buf().map_err(|_| b"read error".to_vec())?;
        let byte = buffer.first().copied();
        if byte.is_some() {
            self.input.consume(1);
        }
        Ok(byte)
    }

    /// The next byte, which is not taken.
    fn peek(&mut self) -> Option<u8> {
        self.input
            .fill_buf()
            .ok()
            .and_then(|buffer| buffer.first().copied())
    }

    /// A word with quotes and backslashes, or in line mode a line. A backslash quotes any byte, newline included. Empty
    /// lines are skipped; `''` is an empty item.
    fn word(&mut self) -> Result<Option<Item>, Vec<u8>> {
        let mut text = Vec::new();
        let mut started = false;
        while let Some(byte) = self.byte()? {
            match byte {
                b'\n' if started => {
                    return Ok(Some(Item {
                        text,
                        ends_line: true,
                    }));
                }
                b' ' | b'\t' if started && !self.line_based => {
                    // A blank at the end of a line continues it for `-L`.
                    while let Some(b' ' | b'\t' | b'\n') = self.peek() {
                        self.byte()?;
                    }
                    return Ok(Some(Item {
                        text,
                        ends_line: self.peek().is_none(),
                    }));
                }
                b' ' | b'\t' | b'\n' | 11 | 12 | 13 if !started => {}
                b'\'' | b'"' => {
                    started = true;
                    self.quoted(byte, &mut text)?;
                }
                b'\\' => {
                    started = true;
                    text.extend(self.byte()?);
                }
                _ => {
                    started = true;
                    text.push(byte);
                }
            }
        }
        Ok(started.then_some(Item {
            text,
            ends_line: true,
        }))
    }

    /// The rest of a quoted text, which nothing is special in but its end.
    fn quoted(&mut self, quote: u8, text: &mut Vec<u8>) -> Result<(), Vec<u8>> {
        loop {
            match self.byte()? {
                Some(byte) if byte == quote => return Ok(()),
                Some(b'\n') | None => {
                    let kind = if quote == b'"' { "double" } else { "single" };
                    return Err(bytes!(
                        "unmatched ",
                        kind,
                        " quote; by default quotes are special to xargs unless you use the -0 option"
                    ));
                }
                Some(byte) => text.push(byte),
            }
        }
    }
}
