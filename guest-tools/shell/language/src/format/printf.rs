//! `printf`.

mod directive;

use directive::Directive;

use super::escape::{Dialect, Unescaped, escape, unescape};
use super::number::{self, Complaint};
use super::quote;
use super::time::{Zone, strftime};

/// What `printf` needs to know beside its arguments.
#[derive(Debug, Clone, Copy)]
pub struct Context<'a> {
    /// The time now, in seconds since 1970: `%(…)T` of -1.
    pub now: i64,
    /// When the shell was started: `%(…)T` of -2.
    pub started: i64,
    /// The time zone.
    pub zone: &'a Zone,
    /// How many bytes may be written. It is checked before memory is taken: `%1000000000d` is eleven
    /// bytes that ask for a gigabyte.
    pub limit: usize,
}

/// What `printf` has to say beside its output.
#[derive(Debug, Clone, PartialEq, Eq, Default)]
pub struct Report {
    /// The exit status.
    pub status: u8,
    /// Messages, without `printf: ` in front, and how many bytes of the output come before each one.
    pub messages: Vec<(usize, Vec<u8>)>,
    /// What `%n` assigns: names, and the bytes written so far.
    pub counts: Vec<(Vec<u8>, usize)>,
    /// The output would have become longer than the limit, and ends before that.
    pub too_long: bool,
}

/// Formats arguments as the builtin `printf` does, and appends to `output`. The format is used again
/// as long as arguments are left.
///
/// ```
/// use offshoot_shell_language::format::{Context, printf, time::Zone};
///
/// let context = Context { now: 0, started: 0, zone: &Zone::utc(), limit: 1000 };
/// let mut output = Vec::new();
/// let report = printf(b"%s=%03d\n", &[b"a".as_slice(), b"7", b"b", b"0x1f"], &context, &mut output);
/// assert_eq!(output, b"a=007\nb=031\n");
/// assert_eq!(report.status, 0);
/// ```
pub fn printf<T: AsRef<[u8]>>(
    format: &[u8],
    arguments: &[T],
    context: &Context<'_>,
    output: &mut Vec<u8>,
) -> Report {
    let start = output.len();
    let mut writer = Writer {
        arguments,
        used: 0,
        context,
        output,
        start,
        report: Report::default(),
    };
    loop {
        let before = writer.used;
        if writer.pass(format).is_none() || writer.used == before || writer.used >= arguments.len()
        {
            return writer.report;
        }
    }
}

struct Writer<'a, T> {
    arguments: &'a [T],
    used: usize,
    context: &'a Context<'a>,
    output: &'a mut Vec<u8>,
    /// The length of `output` before.
    start: usize,
    report: Report,
}

impl<'a, T: AsRef<[u8]>> Writer<'a, T> {
    /// Goes through the format once; none where that ended the output.
    fn pass(&mut self, format: &[u8]) -> Option<()> {
        let mut at = 0;
        while let Some(length) = memchr::memchr2(b'%', b'\\', &format[at..]) {
            self.write(&format[at..at + length])?;
            at += length;
            let rest = &format[at..];
            if rest[0] == b'\\' {
                let mut result = Unescaped::default();
                at += escape(rest, Dialect::Format, &mut result);
                self.take(&result);
                self.write(&result.text)?;
            } else if rest.get(1) == Some(&b'%') {
                self.write(b"%")?;
                at += 2;
            } else {
                at += self.directive(rest)?;
            }
        }
        self.write(&format[at..])
    }

    fn write(&mut self, bytes: &[u8]) -> Option<()> {
        self.reserve(bytes.len())?;
        self.output.extend_from_slice(bytes);
        Some(())
    }

    /// Checks that so many bytes may be written.
    fn reserve(&mut self, length: usize) -> Option<()> {
        let written = self.output.len() - self.start;
        if length > self.context.limit.saturating_sub(written) {
            self.report.too_long = true;
            self.report.status = 1;
            return None;
        }
        Some(())
    }

    fn fail(&mut self, message: Vec<u8>) {
        self.say(message);
        self.report.status = 1;
    }

    /// Notes a message, which comes after what was written so far.
    fn say(&mut self, message: Vec<u8>) {
        let written = self.output.len() - self.start;
        self.report.messages.push((written, message));
    }

    fn take(&mut self, result: &Unescaped) {
        for message in &result.messages {
            self.say(message.as_bytes().to_vec());
        }
    }

    fn argument(&mut self) -> Option<&'a [u8]> {
        let argument = self.arguments.get(self.used)?.as_ref();
        self.used += 1;
        Some(argument)
    }

    fn complain(&mut self, complaint: Option<Complaint>, text: &[u8]) {
        if let Some(complaint) = complaint {
            self.say(complaint.message(text));
            if complaint == Complaint::Invalid {
                self.report.status = 1;
            }
        }
    }

    fn signed(&mut self) -> i64 {
        let text = self.argument().unwrap_or_default();
        let number = number::signed(text);
        self.complain(number.complaint, text);
        number.value
    }

    /// Handles the directive that the text begins with; gives its length.
    fn directive(&mut self, text: &[u8]) -> Option<usize> {
        let mut directive = Directive::default();
        let mut at = directive.flags(text, 1);
        if text.get(at) == Some(&b'*') {
            directive.set_width(self.signed());
            at += 1;
        } else {
            at = directive.digits(text, at, false);
        }
        if text.get(at) == Some(&b'.') {
            at += 1;
            if text.get(at) == Some(&b'*') {
                directive.set_precision(self.signed());
                at += 1;
            } else {
                at = directive.digits(text, at, true);
            }
        }
        at += text[at..]
            .iter()
            .take_while(|byte| b"hjlLtz".contains(byte))
            .count();
        if text[at..].starts_with(b"(") {
            return self.date(&directive, text, at);
        }
        let Some(&conversion) = text.get(at) else {
            self.fail([b"`", text, b"': missing format character"].concat());
            return None;
        };
        self.reserve(directive.width.max(directive.room(conversion)))?;
        self.convert(&directive, conversion)?;
        Some(at + 1)
    }

    fn convert(&mut self, directive: &Directive, conversion: u8) -> Option<()> {
        match conversion {
            b'd' | b'i' => {
                let value = self.signed();
                let text = directive.signed(value);
                self.write(&text)
            }
            b'u' | b'o' | b'x' | b'X' => {
                let text = self.argument().unwrap_or_default();
                let number = number::unsigned(text);
                self.complain(number.complaint, text);
                self.write(&directive.unsigned(number.value, conversion))
            }
            b'e' | b'E' | b'f' | b'F' | b'g' | b'G' | b'a' | b'A' => {
                let text = self.argument().unwrap_or_default();
                let number = number::float(text);
                self.complain(number.complaint, text);
                self.write(&directive.float(number.value, conversion))
            }
            b'c' => {
                let byte = self.argument().and_then(|text| text.first()).copied();
                self.write(&directive.pad(&[byte.unwrap_or(0)]))
            }
            b's' => {
                let text = self.argument().unwrap_or_default();
                self.text(directive, text)
            }
            b'q' => {
                let text = quote::word(self.argument().unwrap_or_default());
                self.text(directive, &text)
            }
            b'Q' => {
                let text = directive.cut(self.argument().unwrap_or_default());
                self.write(&directive.pad(&quote::word(text)))
            }
            b'b' => {
                let result = unescape(self.argument().unwrap_or_default(), Dialect::Argument);
                self.take(&result);
                self.text(directive, &result.text)?;
                (!result.stopped).then_some(())
            }
            b'n' => {
                let written = self.output.len() - self.start;
                let name = self.argument().unwrap_or_default().to_vec();
                self.report.counts.push((name, written));
                Some(())
            }
            other => {
                self.fail([b"`", [other].as_slice(), b"': invalid format character"].concat());
                None
            }
        }
    }

    fn text(&mut self, directive: &Directive, text: &[u8]) -> Option<()> {
        let text = directive.cut(text);
        if directive.width <= text.len() {
            return self.write(text);
        }
        self.write(&directive.pad(text))
    }

    /// `%(…)T`; the parenthesis stands at `at`.
    fn date(&mut self, directive: &Directive, text: &[u8], at: usize) -> Option<usize> {
        let mut depth = 0;
        let end = text[at..].iter().position(|byte| {
            match byte {
                b'(' => depth += 1,
                b')' => depth -= 1,
                _ => {}
            }
            depth == 0
        });
        let Some(end) = end
            .map(|end| at + end)
            .filter(|end| text.get(end + 1) == Some(&b'T'))
        else {
            let shown = end.and_then(|end| text.get(at + end + 1)).copied();
            self.say(
                [
                    b"warning: `".as_slice(),
                    shown
                        .as_ref()
                        .map_or(b"\0".as_slice(), std::slice::from_ref),
                    b"': invalid time format specification",
                ]
                .concat(),
            );
            self.write(&text[..=at])?;
            return Some(at + 1);
        };
        let seconds = match self.argument() {
            None => self.context.now,
            Some(argument) => {
                let number = number::signed(argument);
                self.complain(number.complaint, argument);
                match number.value {
                    -1 => self.context.now,
                    -2 => self.context.started,
                    seconds => seconds,
                }
            }
        };
        let format = match &text[at + 1..end] {
            b"" => b"%X".as_slice(),
            format => format,
        };
        self.reserve(directive.width.max(format.len()))?;
        let room = self.context.limit;
        let shown = strftime(format, seconds, self.context.zone, room);
        self.text(directive, &shown)?;
        Some(end + 2)
    }
}
