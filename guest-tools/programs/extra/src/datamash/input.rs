//! Lines of standard input and their fields.
//!
//! A line keeps its text once and the bounds of its fields, so that a field is a slice. Fields are separated by one
//! byte, where an empty field is a field (`a::b` has three), or by runs of blanks, where there are no empty fields and
//! blanks at the ends of a line do not count. An empty line has no field.

use std::io::{self, BufRead, StdinLock};

use super::{Settings, Stop};
use crate::call::bytes;
use crate::system::Failure;

/// A line: its text and where its fields are.
#[derive(Clone, Default)]
pub struct Line {
    /// The text without the end of the line.
    pub text: Vec<u8>,
    /// Start and end of each field in the text.
    fields: Vec<(usize, usize)>,
    /// Its number in the input.
    pub number: u64,
}

impl Line {
    /// How many fields there are.
    pub fn count(&self) -> usize {
        self.fields.len()
    }

    /// The fields from left to right.
    pub fn fields(&self) -> impl DoubleEndedIterator<Item = &[u8]> {
        self.fields
            .iter()
            .map(|(start, end)| &self.text[*start..*end])
    }

    /// A field that must be there; the first one has the number 1.
    pub fn field(&self, number: usize) -> Result<&[u8], Stop> {
        match self.fields.get(number - 1) {
            Some((start, end)) => Ok(&self.text[*start..*end]),
            None => Err(Stop::from(format!(
                "invalid input: field {number} requested, line {} has only {} fields",
                self.number,
                self.count()
            ))),
        }
    }

    /// A field, where it is there.
    pub fn get(&self, index: usize) -> Option<&[u8]> {
        let (start, end) = self.fields.get(index)?;
        Some(&self.text[*start..*end])
    }
}

/// Standard input.
pub struct Input {
    input: StdinLock<'static>,
    /// As `Settings::separator`.
    separator: Option<u8>,
    line_end: u8,
    skips_comments: bool,
    /// How many lines were read, comments included.
    number: u64,
    /// The first line, where it has the names of the columns.
    pub header: Option<Line>,
    /// What `sort` has read and ordered; `next` takes from it.
    ready: Option<std::vec::IntoIter<Line>>,
}

impl Input {
    /// Standard input, of which nothing is read yet.
    pub fn new(settings: &Settings) -> Input {
        Input {
            input: io::stdin().lock(),
            separator: settings.separator,
            line_end: settings.line_end,
            skips_comments: settings.skips_comments,
            number: 0,
            header: None,
            ready: None,
        }
    }

    /// Reads the first line as the header; an empty input has none.
    pub fn read_header(&mut self) -> Result<(), Stop> {
        self.header = self.read()?;
        Ok(())
    }

    /// The next line.
    pub fn next(&mut self) -> Result<Option<Line>, Stop> {
        match &mut self.ready {
            Some(ready) => Ok(ready.next()),
            None => self.read(),
        }
    }

    /// Reads everything that is left and sorts it by `key`, stably, in O(n log n). Lines are numbered anew in the new
    /// order.
    pub fn sort<K: Ord>(&mut self, key: impl Fn(&Line) -> Result<K, Stop>) -> Result<(), Stop> {
        let mut lines = Vec::new();
        while let Some(line) = self.read()? {
            lines.push((key(&line)?, line));
        }
        lines.sort_by(|left, right| left.0.cmp(&right.0));
        // Messages number the lines as they come.
        let first = 1 + u64::from(self.header.is_some());
        let numbers = first..;
        let lines = lines.into_iter().zip(numbers);
        let lines = lines.map(|((_, line), number)| Line { number, ..line });
        let lines: Vec<Line> = lines.collect();
        self.ready = Some(lines.into_iter());
        Ok(())
    }

    /// Reads the next line that is no comment with `-C`.
    fn read(&mut self) -> Result<Option<Line>, Stop> {
        loop {
            let mut text = Vec::new();
            let count = self.input.read_until(self.line_end, &mut text);
            let count = count.map_err(|error| bytes!("read error: ", Failure::from(error)))?;
            if count == 0 {
                return Ok(None);
            }
            if text.last() == Some(&self.line_end) {
                text.pop();
            }
            self.number += 1;
            let first = text.iter().find(|byte| !is_blank(byte));
            if self.skips_comments && matches!(first, Some(b'#' | b';')) {
                continue;
            }
            return Ok(Some(Line {
                fields: self.split(&text),
                number: self.number,
                text,
            }));
        }
    }

    /// The bounds of the fields of a line.
    fn split(&self, text: &[u8]) -> Vec<(usize, usize)> {
        let mut fields = Vec::new();
        let mut start = 0;
        if let Some(separator) = self.separator {
            if text.is_empty() {
                return fields;
            }
            for at in memchr::memchr_iter(separator, text) {
                fields.push((start, at));
                start = at + 1;
            }
            fields.push((start, text.len()));
            return fields;
        }
        while start < text.len() {
            start += text[start..]
                .iter()
                .take_while(|byte| is_blank(byte))
                .count();
            let length = text[start..]
                .iter()
                .take_while(|byte| !is_blank(byte))
                .count();
            if length > 0 {
                fields.push((start, start + length));
            }
            start += length;
        }
        fields
    }
}

/// What separates fields with `-W`: a space or a tab.
fn is_blank(byte: &u8) -> bool {
    matches!(byte, b' ' | b'\t')
}
