//! `mapfile`, `readarray`.
//!
//! As `read`, it is a value that goes on where the input had not arrived (`Mapping`). Lines are gathered first and
//! assigned at the end; a callback (`-C`) runs after that, as an `eval` of one call for every `-c` lines.
//!
//! `mapfile -t -s 1 -n 2 a` of the lines `1 2 3 4` gives `a=(2 3)`.

use super::letters::{Letters, integer, invalid_identifier, is_name};
use super::{Context, Element, Flow, Key, Pending, Wake};
use crate::codec::record;
use crate::format::quote;
use crate::machine::descriptor::{Direction, ReadStep};
use crate::machine::value::Attributes;
use crate::os::Errno;
use crate::text::Text;

/// A `mapfile` under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Mapping {
    /// The array.
    array: Text,
    /// What ends a line.
    delimiter: u8,
    /// `-t`: lines are kept without their ends.
    trim: bool,
    /// Lines wanted; 0 for all.
    count: u64,
    /// `-O`: the index of the first line; without it the array is emptied.
    origin: Option<u64>,
    /// `-s`: how many lines are dropped at the start.
    skip: u64,
    /// `-u`: what is read.
    descriptor: u32,
    /// `-C`: a command that is given index and line.
    callback: Option<Text>,
    /// `-c`: every how many lines it is called.
    quantum: u64,
    /// What was read.
    lines: Vec<Text>,
    /// Bytes of memory that `lines` hold.
    size: usize,
    /// The line that has begun.
    line: Vec<u8>,
}

/// Bytes of one line that are read before its length is looked at.
const CHUNK: usize = 1 << 20;

record!(Mapping {
    array,
    delimiter,
    trim,
    count,
    origin,
    skip,
    descriptor,
    callback,
    quantum,
    lines,
    size,
    line,
});

/// Runs `mapfile`.
pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut mapping = Mapping {
        array: Text::from("MAPFILE"),
        delimiter: b'\n',
        trim: false,
        count: 0,
        origin: None,
        skip: 0,
        descriptor: 0,
        callback: None,
        quantum: 5000,
        lines: Vec::new(),
        size: 0,
        line: Vec::new(),
    };
    let mut letters = Letters::new("d:n:O:s:tu:C:c:", arguments);
    loop {
        let given = match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => given,
            Err(flow) => return flow,
        };
        let value = given.value.unwrap_or_default();
        if let Some(message) = mapping.option(given.letter, value) {
            cx.error_about(value, message);
            return Flow::Status(1);
        }
    }
    if let Some(name) = letters.operands().first() {
        mapping.array = name.clone();
    }
    mapping.start(cx)
}

impl Mapping {
    /// Notes an option; the message where its value is wrong.
    fn option(&mut self, letter: u8, value: &[u8]) -> Option<&'static str> {
        let number = || integer(value).and_then(|number| u64::try_from(number).ok());
        match letter {
            b'd' => self.delimiter = value.first().copied().unwrap_or(0),
            b't' => self.trim = true,
            b'C' => self.callback = Some(Text::from(value)),
            b'n' | b's' => match number() {
                Some(count) if letter == b'n' => self.count = count,
                Some(count) => self.skip = count,
                None => return Some("invalid line count"),
            },
            b'O' => match number() {
                Some(origin) => self.origin = Some(origin),
                None => return Some("invalid array origin"),
            },
            b'c' => match number() {
                Some(quantum @ 1..) => self.quantum = quantum,
                _ => return Some("invalid callback quantum"),
            },
            _ => match number().and_then(|number| u32::try_from(number).ok()) {
                Some(number) => self.descriptor = number,
                None => return Some("invalid file descriptor specification"),
            },
        }
        None
    }

    /// Checks name and descriptor and begins.
    fn start(self, cx: &mut Context<'_>) -> Flow {
        if self.array.is_empty() {
            cx.error("empty array variable name");
            return Flow::Status(2);
        }
        if !is_name(&self.array) {
            invalid_identifier(cx, &self.array);
            return Flow::Status(1);
        }
        if cx.descriptor(self.descriptor).is_none() {
            let text = Errno::BadDescriptor.message();
            cx.error(format!(
                "{}: invalid file descriptor: {text}",
                self.descriptor
            ));
            return Flow::Status(1);
        }
        let name = cx.follow(&self.array);
        let known = cx.variable(&name);
        if known.is_some_and(|known| known.attributes.has(Attributes::ASSOCIATIVE)) {
            cx.error_about(&self.array, "not an indexed array");
            return Flow::Status(1);
        }
        self.resume(cx)
    }

    /// Reads as far as the input goes.
    pub(super) fn resume(mut self, cx: &mut Context<'_>) -> Flow {
        let Some(descriptor) = cx.descriptor(self.descriptor) else {
            return self.finish(cx);
        };
        let wanted = if self.count == 0 {
            u64::MAX
        } else {
            self.skip + self.count
        };
        let most = cx.expansion_limit();
        while (self.lines.len() as u64) < wanted {
            if self.size + self.line.len() > most {
                return Flow::TooLarge;
            }
            match descriptor.read_to(self.delimiter, CHUNK, &mut self.line) {
                Ok(ReadStep::Delimiter) => self.end_line(true),
                Ok(ReadStep::Limit) => {}
                Ok(ReadStep::Blocked) => {
                    let wake = Wake::Descriptor(self.descriptor, Direction::Read);
                    return Flow::Wait(vec![wake], Pending::Mapfile(Box::new(self)));
                }
                Ok(ReadStep::End) | Err(_) => {
                    if !self.line.is_empty() {
                        self.end_line(false);
                    }
                    break;
                }
            }
        }
        self.finish(cx)
    }

    /// Keeps the line that has ended; `delimited` where it has its delimiter.
    fn end_line(&mut self, delimited: bool) {
        if delimited && !self.trim && self.delimiter != 0 {
            self.line.push(self.delimiter);
        }
        // A line is a string of C: a byte 0 ends it.
        if let Some(end) = memchr::memchr(0, &self.line) {
            self.line.truncate(end);
        }
        self.size += self.line.len() + std::mem::size_of::<Text>();
        self.lines.push(Text::from(self.line.as_slice()));
        self.line.clear();
    }

    /// Assigns the lines, and has the callback run.
    fn finish(mut self, cx: &mut Context<'_>) -> Flow {
        let skip = usize::try_from(self.skip)
            .unwrap_or(usize::MAX)
            .min(self.lines.len());
        self.lines.drain(..skip);
        if self.origin.is_none() && self.callback.is_none() {
            let stored = cx.set_array(&self.array, self.lines);
            return Flow::Status(u8::from(stored.is_err()));
        }
        let lines = self.lines.as_slice();
        let stored = match self.origin {
            None => cx.set_array(&self.array, lines.to_vec()),
            Some(origin) => {
                let numbered = (origin..).zip(lines).map(|(index, line)| Element {
                    key: Key::At(Text::from(index as i64)),
                    append: false,
                    value: line.clone(),
                });
                cx.assign_elements(&self.array, numbered.collect(), true)
            }
        };
        if stored.is_err() {
            return Flow::Status(1);
        }
        match &self.callback {
            Some(callback) => Flow::Eval(self.calls(callback, lines)),
            None => Flow::Status(0),
        }
    }

    /// The calls of the callback as a script: the index and the line of every quantum.
    fn calls(&self, callback: &[u8], lines: &[Text]) -> Text {
        let origin = self.origin.unwrap_or(0);
        let mut script = Vec::new();
        for (index, line) in (0u64..).zip(lines) {
            if (index + 1) % self.quantum == 0 {
                script.extend_from_slice(callback);
                script.extend_from_slice(format!(" {} ", origin + index).as_bytes());
                script.extend_from_slice(&quote::reusable(line));
                script.push(b'\n');
            }
        }
        // The status of the callback is not the status of the command.
        script.extend_from_slice(b":");
        Text::from(script)
    }
}
