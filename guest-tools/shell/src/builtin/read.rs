//! `read`
//!
//! A `read` is a value (`Reading`) that keeps what has arrived: `resume` reads as far as the input goes and answers
//! with a wait or the end, so that nothing blocks and a script can be suspended in the middle of a line. Not a byte
//! more is taken from the descriptor than belongs to the line (`Descriptor::read_to`).
//!
//! | call | input | result |
//! |---|---|---|
//! | `IFS=: read a b` | `x:y:z` | `a=x`, `b=y:z` |
//! | `read a b` | `x  y  z` | `a=x`, `b=y  z` |
//! | `read -r a` | `x\ty` | `a=x\ty` |
//! | `read -n 2 a` | `xyz` | `a=xy`, the rest stays |
//! | `read -a v` | `x y` | `v=(x y)` |
//!
//! Statuses: 0; 1 at the end of the input, with what came before it assigned; 142 where the time of `-t` was up; 1 for
//! errors.

use super::letters::{Letters, integer, invalid_identifier, is_name};
use super::{Context, Flow, Pending, Wake};
use crate::codec::{Codec, Image, Moment, Read, Reader, Writer, record};
use crate::machine::descriptor::{Descriptor, Direction, ReadStep};
use crate::os::Errno;
use crate::text::Text;

/// A `read` under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Reading {
    /// `-r`: backslashes are text.
    raw: bool,
    /// `-a`: the array that gets the fields.
    array: Option<Text>,
    /// The variables; `REPLY` where there is none.
    names: Vec<Text>,
    /// What ends the line: a newline, or the first byte of `-d`, NUL for an empty one.
    delimiter: u8,
    /// Characters wanted: `-n` and `-N`.
    limit: Option<u64>,
    /// `-N`: the delimiter ends nothing and nothing is split.
    exact: bool,
    /// `-s`: a terminal does not show what is typed.
    silent: bool,
    /// Monotonic nanoseconds.
    deadline: Option<u64>,
    /// `-u`: the descriptor that is read.
    descriptor: u32,
    /// What was read, backslashes and all, without the delimiter.
    text: Vec<u8>,
    /// How far the characters of the text were counted for `-n` and `-N`.
    counted: Counted,
}

/// The characters of the text as far as they were counted.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
struct Counted {
    /// How many bytes are counted.
    bytes: usize,
    /// How many characters they are.
    characters: u64,
    /// A backslash quotes the next one.
    escaped: bool,
}

impl Codec<Image> for Reading {
    fn encode(&self, writer: &mut Writer) {
        let Reading {
            raw,
            array,
            names,
            delimiter,
            limit,
            exact,
            // A terminal does not outlive its script.
            silent: _,
            deadline,
            descriptor,
            text,
            // It is counted again.
            counted: _,
        } = self;
        raw.encode(writer);
        array.encode(writer);
        names.encode(writer);
        delimiter.encode(writer);
        limit.encode(writer);
        exact.encode(writer);
        deadline.is_some().encode(writer);
        if let Some(deadline) = deadline {
            Moment(*deadline).encode(writer);
        }
        descriptor.encode(writer);
        text.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Reading> {
        Ok(Reading {
            raw: Codec::decode(reader)?,
            array: Codec::decode(reader)?,
            names: Codec::decode(reader)?,
            delimiter: Codec::decode(reader)?,
            limit: Codec::decode(reader)?,
            exact: Codec::decode(reader)?,
            silent: false,
            deadline: match bool::decode(reader)? {
                true => Some(Moment::decode(reader)?.0),
                false => None,
            },
            descriptor: Codec::decode(reader)?,
            text: Codec::decode(reader)?,
            counted: Counted::default(),
        })
    }
}

/// `128 + SIGALRM`: the time is up.
const TIMED_OUT: u8 = 142;

/// Bytes of one line that are read before its length is looked at.
const CHUNK: usize = 1 << 20;

/// Why reading stopped.
enum End {
    /// The line is longer than a value may be.
    TooLarge,
    /// The delimiter, or the wanted characters, were read.
    Complete,
    /// The input has ended.
    Input,
    /// The time was up.
    Time,
    /// The descriptor cannot be read.
    Error(Errno),
}

/// Runs `read`.
pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut reading = Reading {
        raw: false,
        array: None,
        names: Vec::new(),
        delimiter: b'\n',
        limit: None,
        exact: false,
        silent: false,
        deadline: None,
        descriptor: 0,
        text: Vec::new(),
        counted: Counted::default(),
    };
    let mut timeout = None;
    let mut prompt = None;
    let mut letters = Letters::new("ersa:d:i:n:N:p:t:u:", arguments);
    loop {
        let given = match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => given,
            Err(flow) => return flow,
        };
        let value = given.value.unwrap_or_default();
        match given.letter {
            b'r' => reading.raw = true,
            b'a' => reading.array = Some(Text::from(value)),
            b'd' => reading.delimiter = value.first().copied().unwrap_or(0),
            b'n' | b'N' => match integer(value).and_then(|count| u64::try_from(count).ok()) {
                Some(count) => {
                    reading.limit = Some(count);
                    reading.exact = given.letter == b'N';
                }
                None => return complain(cx, value, "invalid number"),
            },
            b'p' => prompt = given.value,
            b't' => match nanoseconds(value) {
                Some(time) => timeout = Some(time),
                None => return complain(cx, value, "invalid timeout specification"),
            },
            b'u' => match integer(value).and_then(|number| u32::try_from(number).ok()) {
                Some(number) => reading.descriptor = number,
                None => return complain(cx, value, "invalid file descriptor specification"),
            },
            b's' => reading.silent = true,
            // -e and -i concern a line editor.
            _ => {}
        }
    }
    reading.names = letters.operands().to_vec();
    reading.start(cx, timeout, prompt)
}

/// Complains of the value of an option.
fn complain(cx: &mut Context<'_>, subject: &[u8], message: &str) -> Flow {
    cx.error_about(subject, message);
    Flow::Status(1)
}

/// Decimal seconds with a fraction as nanoseconds.
fn nanoseconds(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let (whole, fraction) = text.split_once('.').unwrap_or((text, ""));
    let digits = |text: &str| text.bytes().all(|byte| byte.is_ascii_digit());
    if !digits(whole) || !digits(fraction) || whole.is_empty() && fraction.is_empty() {
        return None;
    }
    let seconds: u64 = if whole.is_empty() {
        0
    } else {
        whole.parse().ok()?
    };
    let rest: u64 = format!("{fraction:0<9}").get(..9)?.parse().ok()?;
    seconds.checked_mul(1_000_000_000)?.checked_add(rest)
}

impl Reading {
    /// Checks names and descriptor and begins. `-t 0` only asks whether there is anything to read.
    fn start(mut self, cx: &mut Context<'_>, timeout: Option<u64>, prompt: Option<&[u8]>) -> Flow {
        let first = self.array.as_ref().or(self.names.first()).cloned();
        let mut valid = |name: &Text| match self.array {
            Some(_) => is_name(name),
            None => cx.is_reference(name, cx.takes_expanded()),
        };
        if let Some(name) = first.filter(|name| !valid(name)) {
            invalid_identifier(cx, &name);
            return Flow::Status(1);
        }
        let Some(descriptor) = cx.descriptor(self.descriptor) else {
            let text = Errno::BadDescriptor.message();
            if self.descriptor == 0 {
                cx.error(format!("read error: 0: {text}"));
            } else {
                cx.error(format!(
                    "{}: invalid file descriptor: {text}",
                    self.descriptor
                ));
            }
            return Flow::Status(1);
        };
        if timeout == Some(0) {
            return Flow::Status(u8::from(!descriptor.is_ready_to_read()));
        }
        let default = || {
            let value = cx.get(b"TMOUT")?;
            nanoseconds(&value).filter(|time| *time > 0)
        };
        let timeout = timeout.or_else(default);
        let now = cx.os().monotonic();
        self.deadline = timeout.map(|time| now.saturating_add(time));
        if descriptor.is_terminal() {
            if let Some(prompt) = prompt {
                cx.err(prompt);
            }
            self.set_terminal(&descriptor, true);
        }
        self.resume(cx)
    }

    /// Reads as far as the input goes.
    pub(super) fn resume(mut self, cx: &mut Context<'_>) -> Flow {
        let end = match cx.descriptor(self.descriptor) {
            None => End::Error(Errno::BadDescriptor),
            Some(descriptor) => match self.fill(&descriptor, cx.expansion_limit()) {
                Some(end) => end,
                None if self.deadline.is_some_and(|at| cx.os().monotonic() >= at) => End::Time,
                None => {
                    let mut wakes = vec![Wake::Descriptor(self.descriptor, Direction::Read)];
                    wakes.extend(self.deadline.map(Wake::Time));
                    return Flow::Wait(wakes, Pending::Read(Box::new(self)));
                }
            },
        };
        if let Some(descriptor) = cx.descriptor(self.descriptor) {
            self.set_terminal(&descriptor, false);
        }
        let status = match end {
            End::Complete => 0,
            End::Input => 1,
            End::Time => TIMED_OUT,
            End::TooLarge => return Flow::TooLarge,
            End::Error(error) => {
                cx.error(format!(
                    "read error: {}: {}",
                    self.descriptor,
                    error.message()
                ));
                return Flow::Status(1);
            }
        };
        if self.names.iter().any(|name| cx.runs_commands(name)) {
            let storing = Storing {
                reading: self,
                status,
            };
            return Flow::Next(Pending::Store(Box::new(storing)));
        }
        self.store(cx, status)
    }

    /// Has a terminal take what is typed as this wants it, or as usual again.
    fn set_terminal(&self, terminal: &Descriptor, begins: bool) {
        let by_lines = self.limit.is_none() && self.delimiter == b'\n';
        if self.silent || !by_lines {
            terminal.set_terminal(!(begins && self.silent), !begins || by_lines);
        }
    }

    /// Assigns and gives the status: 1 where a name is none or a variable cannot be assigned.
    fn store(&self, cx: &mut Context<'_>, status: u8) -> Flow {
        match self.assign(cx) {
            Ok(()) => Flow::Status(status),
            Err(()) => Flow::Status(1),
        }
    }

    /// Reads until an end; none where more has to arrive first.
    fn fill(&mut self, descriptor: &Descriptor, most: usize) -> Option<End> {
        loop {
            let wanted = match self.limit {
                None => CHUNK,
                Some(limit) => match self.missing(limit) {
                    0 => return Some(End::Complete),
                    missing => usize::try_from(missing).unwrap_or(CHUNK).min(CHUNK),
                },
            };
            if self.text.len() > most {
                return Some(End::TooLarge);
            }
            let step = if self.exact {
                read_exactly(descriptor, wanted, &mut self.text)
            } else {
                descriptor.read_to(self.delimiter, wanted, &mut self.text)
            };
            match step {
                Ok(ReadStep::Delimiter) if self.is_continued() => {
                    self.text.push(self.delimiter);
                }
                Ok(ReadStep::Delimiter) => return Some(End::Complete),
                Ok(ReadStep::Limit) => {}
                Ok(ReadStep::End) => return Some(End::Input),
                Ok(ReadStep::Blocked) => return None,
                Err(error) => return Some(End::Error(error)),
            }
        }
    }

    /// Whether a backslash quotes what comes next.
    fn is_continued(&self) -> bool {
        let backslashes = self
            .text
            .iter()
            .rev()
            .take_while(|&&byte| byte == b'\\')
            .count();
        !self.raw && backslashes % 2 == 1
    }

    /// How many bytes have to follow at least until the wanted characters are there.
    fn missing(&mut self, limit: u64) -> u64 {
        let Counted {
            bytes,
            characters: mut count,
            mut escaped,
        } = self.counted;
        let mut open = 0;
        let mut end = bytes;
        for chunk in self.text[bytes..].utf8_chunks() {
            for character in chunk.valid().chars() {
                if !self.raw && !escaped && character == '\\' {
                    escaped = true;
                    continue;
                }
                // A quoted newline vanishes.
                count += u64::from(!(escaped && character == '\n'));
                escaped = false;
            }
            open = incomplete(chunk.invalid());
            end = self.text.len();
            if open == 0 {
                count += chunk.invalid().len() as u64;
            } else {
                end -= chunk.invalid().len();
            }
        }
        self.counted = Counted {
            bytes: end,
            characters: count,
            escaped,
        };
        match open {
            0 => limit.saturating_sub(count) + u64::from(escaped && count >= limit),
            open => open,
        }
    }

    /// The text without quoting backslashes, and which bytes they quoted.
    fn unescape(&self) -> (Vec<u8>, Vec<bool>) {
        let mut text = Vec::with_capacity(self.text.len());
        let mut quoted = Vec::with_capacity(self.text.len());
        let mut bytes = self.text.iter().copied();
        while let Some(byte) = bytes.next() {
            let is_quoted = byte == b'\\' && !self.raw;
            let byte = match is_quoted {
                false => byte,
                true => match bytes.next() {
                    // A quoted end of line joins two lines.
                    Some(b'\n') | None => continue,
                    Some(byte) => byte,
                },
            };
            if byte != 0 {
                text.push(byte);
                quoted.push(is_quoted);
            }
        }
        (text, quoted)
    }

    /// Splits what was read and assigns it. With `-N` nothing is split; a surplus of names is emptied.
    fn assign(&self, cx: &mut Context<'_>) -> Result<(), ()> {
        let (text, quoted) = self.unescape();
        let ifs = cx.get(b"IFS").unwrap_or_else(|| Text::from(b" \t\n"));
        let mut splitter = Splitter {
            text: &text,
            quoted: &quoted,
            ifs: &ifs,
        };
        if let Some(array) = &self.array {
            let mut fields = Vec::new();
            while let Some(field) = splitter.field() {
                fields.push(Text::from(field));
            }
            if let Some(variable) = cx.variable(array)
                && variable
                    .attributes
                    .has(crate::machine::value::Attributes::ASSOCIATIVE)
            {
                cx.error_about(array, "cannot convert associative to indexed array");
                return Err(());
            }
            return cx.set_array(array, fields).map_err(drop);
        }
        let Some((last, names)) = self.names.split_last() else {
            return cx.set(b"REPLY", Text::from(text)).map_err(drop);
        };
        if self.exact {
            let values = std::iter::once(Text::from(text.as_slice()));
            let values = values.chain(std::iter::repeat(Text::new()));
            for (name, value) in self.names.iter().zip(values) {
                store(cx, name, value)?;
            }
            return Ok(());
        }
        for name in names {
            let value = Text::from(splitter.field().unwrap_or_default());
            store(cx, name, value)?;
        }
        store(cx, last, Text::from(splitter.rest()))
    }
}

/// A `read` that has read all it wants, and has to run commands to know where that goes.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Storing {
    pub(crate) reading: Reading,
    /// The status in the end.
    pub(crate) status: u8,
}

record!(Storing { reading, status });

impl Storing {
    /// Assigns, where commands in subscripts may run.
    pub(super) fn resume(self, cx: &mut Context<'_>) -> Flow {
        self.reading.store(cx, self.status)
    }
}

/// Assigns to a name or an element; an error is reported already.
fn store(cx: &mut Context<'_>, name: &Text, value: Text) -> Result<(), ()> {
    if !cx.is_reference(name, cx.takes_expanded()) {
        invalid_identifier(cx, name);
        return Err(());
    }
    cx.set(name, value).map_err(drop)
}

/// Reads at most `wanted` bytes, whatever they are.
fn read_exactly(
    descriptor: &Descriptor,
    wanted: usize,
    into: &mut Vec<u8>,
) -> crate::os::Result<ReadStep> {
    let length = into.len();
    into.resize(length + wanted.min(4096), 0);
    let result = descriptor.read(&mut into[length..]);
    into.truncate(length + *result.as_ref().unwrap_or(&0));
    match result {
        Ok(0) => Ok(ReadStep::End),
        Ok(_) => Ok(ReadStep::Limit),
        Err(Errno::Again) => Ok(ReadStep::Blocked),
        Err(error) => Err(error),
    }
}

/// How many bytes a character that has begun still lacks.
fn incomplete(bytes: &[u8]) -> u64 {
    let wanted = match bytes.first() {
        Some(0xc2..=0xdf) => 2,
        Some(0xe0..=0xef) => 3,
        Some(0xf0..=0xf4) => 4,
        _ => return 0,
    };
    (wanted as u64).saturating_sub(bytes.len() as u64)
}

/// Splits a line as `read` does.
struct Splitter<'a> {
    /// What is left, without quoting backslashes.
    text: &'a [u8],
    /// Which of its bytes were quoted, and so do not separate.
    quoted: &'a [bool],
    /// The value of `IFS`.
    ifs: &'a [u8],
}

impl<'a> Splitter<'a> {
    /// Whether a byte separates fields.
    fn separates(&self, at: usize) -> bool {
        !self.quoted[at] && self.ifs.contains(&self.text[at])
    }

    /// Whether a byte separates and is white space, of which several are one separator.
    fn is_blank(&self, at: usize) -> bool {
        self.separates(at) && b" \t\n".contains(&self.text[at])
    }

    /// Takes bytes off the front.
    fn skip(&mut self, count: usize) {
        self.text = &self.text[count..];
        self.quoted = &self.quoted[count..];
    }

    /// Takes separating white space off the front.
    fn skip_blanks(&mut self) {
        let count = (0..self.text.len())
            .take_while(|&at| self.is_blank(at))
            .count();
        self.skip(count);
    }

    /// The next field with the separator behind it taken; none where nothing is left.
    fn field(&mut self) -> Option<&'a [u8]> {
        self.skip_blanks();
        if self.text.is_empty() {
            return None;
        }
        let length = (0..self.text.len())
            .take_while(|&at| !self.separates(at))
            .count();
        let field = &self.text[..length];
        let blank = length < self.text.len() && self.is_blank(length);
        self.skip(length);
        self.skip(usize::from(!self.text.is_empty()));
        self.skip_blanks();
        if blank && !self.text.is_empty() && self.separates(0) {
            self.skip(1);
            self.skip_blanks();
        }
        Some(field)
    }

    /// What the last name gets: the rest, or a single field without its separator.
    fn rest(&mut self) -> &'a [u8] {
        self.skip_blanks();
        let text = self.text;
        let field = self.field().unwrap_or_default();
        if self.text.is_empty() {
            return field;
        }
        let trailing = (0..text.len())
            .rev()
            // Blanks at the end go even where a backslash stands before them.
            .take_while(|&at| b" \t\n".contains(&text[at]) && self.ifs.contains(&text[at]))
            .count();
        &text[..text.len() - trailing]
    }
}
