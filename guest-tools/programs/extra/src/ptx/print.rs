//! Entries as lines: columns of plain text, or calls of a macro for roff and TeX.
//!
//! The plain form has, from left to right, the reference, the tail (what wraps around from behind), the context before,
//! a gap, the keyword with what follows, and the head (what wraps around from the front). Fields that were cut carry
//! the mark of `-F`.

use std::fs::File;
use std::io::{BufWriter, Write as _};

use super::field::{Field, Fields};
use super::measure::{Measure, is_edited};
use super::request::{Format, Request};
use super::scan::Index;
use crate::call::{Call, bytes};
use crate::output::{CHUNK, Output};
use crate::system::Failure;

/// Where lines go.
enum Target {
    /// Standard output.
    Standard(Output),
    /// The file of `-G`, and the first error of writing to it.
    File(BufWriter<File>, Option<std::io::Error>),
}

/// Writes entries.
pub struct Printer<'a> {
    /// What the options ask for.
    request: &'a Request,
    /// The widths of the columns.
    measure: &'a Measure,
    /// Where lines go.
    target: Target,
    /// The line that is made.
    line: Vec<u8>,
}

impl<'a> Printer<'a> {
    /// Writes to `file`, or to standard output.
    pub fn new(request: &'a Request, measure: &'a Measure, file: Option<File>) -> Printer<'a> {
        let target = match file {
            None => Target::Standard(Output::new()),
            Some(file) => Target::File(BufWriter::with_capacity(CHUNK, file), None),
        };
        Printer {
            request,
            measure,
            target,
            line: Vec::new(),
        }
    }

    /// Writes an entry.
    pub fn entry(&mut self, fields: &Fields, index: &Index) {
        let text = &index.texts[fields.text].bytes;
        match self.request.format {
            Format::Plain => self.plain(fields, text),
            Format::Roff => self.roff(fields, text),
            Format::Tex => self.tex(fields, text),
        }
        self.line.push(b'\n');
        match &mut self.target {
            Target::Standard(out) => out.put(&self.line),
            Target::File(writer, failed) => {
                if failed.is_none() {
                    *failed = writer.write_all(&self.line).err();
                }
            }
        }
        self.line.clear();
    }

    /// Whether nothing can be written any more.
    pub fn is_broken(&self) -> bool {
        match &self.target {
            Target::Standard(out) => out.is_broken(),
            Target::File(_, failed) => failed.is_some(),
        }
    }

    /// Writes what is left; gives the status.
    pub fn finish(self, call: &Call) -> i32 {
        match self.target {
            Target::Standard(out) => out.finish(&call.name, 0, 1),
            Target::File(mut writer, failed) => match failed.or(writer.flush().err()) {
                None => 0,
                Some(error) => call.fail(1, bytes!("write error: ", Failure::from(error))),
            },
        }
    }

    /// A line in columns.
    fn plain(&mut self, fields: &Fields, text: &[u8]) {
        let (half, gap) = (self.measure.half, self.request.gap);
        let reference = &fields.reference;
        if !self.request.right {
            let colon = self.request.automatic;
            self.edited(reference);
            if colon {
                self.line.push(b':');
            }
            let width = reference.len() as isize + isize::from(colon);
            self.blanks(self.measure.reference + gap - width);
        }
        let tail = fields.tail.start < fields.tail.end;
        let mut left = half - gap - self.width(&fields.before);
        if tail {
            self.field(&fields.tail, text);
            self.mark(&fields.tail);
            left -= self.width(&fields.tail);
        }
        self.blanks(left);
        self.mark(&fields.before);
        self.field(&fields.before, text);
        self.blanks(gap);
        self.field(&fields.after, text);
        self.mark(&fields.after);
        let right = half - self.width(&fields.after);
        let refers = self.request.refers() && self.request.right;
        if fields.head.start < fields.head.end {
            self.blanks(right - self.width(&fields.head));
            self.mark(&fields.head);
            self.field(&fields.head, text);
        } else if refers {
            self.blanks(right);
        }
        if refers {
            self.blanks(gap);
            self.edited(reference);
        }
    }

    /// `.xx "tail" "before" "keyword and after" "head" "reference"`, quotes doubled.
    fn roff(&mut self, fields: &Fields, text: &[u8]) {
        self.line.push(b'.');
        self.line.extend_from_slice(&self.request.macro_name);
        self.line.extend_from_slice(b" \"");
        self.field(&fields.tail, text);
        self.mark(&fields.tail);
        self.line.extend_from_slice(b"\" \"");
        self.mark(&fields.before);
        self.field(&fields.before, text);
        self.line.extend_from_slice(b"\" \"");
        self.field(&fields.after, text);
        self.mark(&fields.after);
        self.line.extend_from_slice(b"\" \"");
        self.mark(&fields.head);
        self.field(&fields.head, text);
        self.line.push(b'"');
        if self.request.refers() {
            self.line.extend_from_slice(b" \"");
            self.edited(&fields.reference);
            self.line.push(b'"');
        }
    }

    /// `\xx {tail}{before}{keyword}{after}{head}{reference}`, with the special characters of TeX escaped.
    fn tex(&mut self, fields: &Fields, text: &[u8]) {
        let key = Field {
            end: fields.key_end,
            ..fields.after
        };
        let after = Field {
            start: fields.key_end,
            ..fields.after
        };
        self.line.push(b'\\');
        self.line.extend_from_slice(&self.request.macro_name);
        self.line.push(b' ');
        for field in [&fields.tail, &fields.before, &key, &after, &fields.head] {
            self.line.push(b'{');
            self.field(field, text);
            self.line.push(b'}');
        }
        if self.request.refers() {
            self.line.push(b'{');
            self.edited(&fields.reference);
            self.line.push(b'}');
        }
    }

    /// The width of a field with its mark.
    fn width(&self, field: &Field) -> isize {
        let mark = if field.cut {
            self.request.mark.len()
        } else {
            0
        };
        field.width() + mark as isize
    }

    /// The mark of `-F`, where the field was cut.
    fn mark(&mut self, field: &Field) {
        if field.cut {
            self.line.extend_from_slice(&self.request.mark);
        }
    }

    /// This many blanks; none for a negative number.
    fn blanks(&mut self, count: isize) {
        let length = self.line.len() + usize::try_from(count).unwrap_or(0);
        self.line.resize(length, b' ');
    }

    /// The text of a field.
    fn field(&mut self, field: &Field, text: &[u8]) {
        self.edited(text.get(field.start..field.end).unwrap_or_default());
    }

    /// Writes a text with its bytes as the format wants them.
    fn edited(&mut self, text: &[u8]) {
        for &byte in text {
            if !is_edited(self.request.format, byte) {
                self.line.push(byte);
                continue;
            }
            match byte {
                b'"' => self.line.extend_from_slice(b"\"\""),
                b'$' | b'%' | b'&' | b'#' | b'_' => self.line.extend([b'\\', byte]),
                b'{' | b'}' => self.line.extend([b'$', b'\\', byte, b'$']),
                b'\\' => self.line.extend_from_slice(b"\\backslash{}"),
                _ => self.line.push(b' '),
            }
        }
    }
}
