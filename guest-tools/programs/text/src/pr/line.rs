//! Lines of a file, as far as they fit into a column.
//!
//! A line ends at a newline, a form feed or the end of its file. The form feed ends the page, but not right after a
//! page that was full, and a newline behind it belongs to it.

use super::glyph::Glyph;
use super::ink::Pen;
use super::layout::Layout;
use super::press::{Press, State};
use super::source::Source;
use crate::call::bytes;
use crate::quote;

/// The form feed.
const FEED: u8 = 0x0c;

/// How a line begins.
pub enum Begin {
    /// With a form feed, which ends the page.
    Feed,
    /// The file is at its end.
    File,
    /// Its first character is wider than the column, and nothing of it is shown.
    TooWide,
    /// With a character, or none where it is empty; and the column after that.
    Text(Option<Glyph>, i64),
}

/// How a line ended.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum End {
    /// At its newline.
    Newline,
    /// At a form feed.
    Feed,
    /// At the end of its file.
    File,
    /// It is longer than the column.
    Cut,
}

impl Press<'_> {
    /// Reads the beginning of a column's next line.
    pub fn begin(&mut self, at: usize) -> Begin {
        let column = &mut self.columns[at];
        let source = &mut self.sources[column.source];
        let byte = after_full_page(source, column.full);
        column.full = false;
        let mut position = 0;
        match byte {
            None => Begin::File,
            Some(FEED) => {
                source.skip_newline();
                Begin::Feed
            }
            Some(b'\n') => Begin::Text(None, position),
            Some(byte) => {
                let glyph = self.layout.alphabet.glyph(byte, &mut position);
                if self.layout.cut && position > self.layout.column_width {
                    Begin::TooWide
                } else {
                    Begin::Text(Some(glyph), position)
                }
            }
        }
    }

    /// Prints the next line of a column.
    ///
    /// # Errors
    /// The status where it could not be read, after the message.
    pub fn print_line(&mut self, at: usize) -> Result<(), i32> {
        match self.begin(at) {
            Begin::Feed => {
                self.only_feed = true;
                if self.header_due {
                    self.line_due = true;
                    self.print_header();
                } else {
                    self.feed_due |= self.layout.keeps_feeds;
                }
                self.hold(at);
                Ok(())
            }
            Begin::File => self.end_file(at),
            Begin::TooWide => self.end_line(at, End::Cut),
            Begin::Text(glyph, position) => {
                self.begin_text(at);
                let position = if self.columns[at].numbered {
                    self.write_number();
                    position + self.number_shift()
                } else {
                    position
                };
                self.empty = false;
                let Some(glyph) = glyph else {
                    return Ok(());
                };
                put(glyph, &mut self.ink);
                let source = &mut self.sources[self.columns[at].source];
                let (end, _) = rest(source, self.layout, position, &mut self.ink);
                self.end_line(at, end)
            }
        }
    }

    /// Goes where a column's text begins.
    fn begin_text(&mut self, at: usize) {
        self.line_due = true;
        self.print_header();
        if self.layout.merge && self.unaligned {
            for before in 0..std::mem::take(&mut self.passed) {
                self.align(before);
                self.passed += 1;
            }
            self.gap = self.columns[at].start;
            self.ink.blanks = if self.layout.cut {
                self.layout.column_width
            } else {
                0
            };
            self.unaligned = false;
        }
        self.separate();
    }

    /// Does what the end of a line asks for. What did not fit into the column is skipped.
    ///
    /// # Errors
    /// The status where it could not be read on, after the message.
    pub fn end_line(&mut self, at: usize, mut end: End) -> Result<(), i32> {
        if end == End::Cut {
            end = skip_rest(&mut self.sources[self.columns[at].source]);
        }
        match end {
            End::Feed => {
                self.feed_due |= self.layout.keeps_feeds;
                self.hold(at);
                Ok(())
            }
            End::File => self.end_file(at),
            End::Newline | End::Cut => Ok(()),
        }
    }

    /// A form feed ended the page: of the file at hand, or unless files stand side by side of all columns.
    pub fn hold(&mut self, at: usize) {
        if self.layout.merge {
            self.columns[at].state = State::Held;
        } else {
            let state = if self.layout.down {
                State::Fed
            } else {
                State::Held
            };
            self.columns
                .iter_mut()
                .for_each(|column| column.state = state);
        }
        self.columns[at].left = 0;
        self.ready -= 1;
    }

    /// The file has ended.
    ///
    /// # Errors
    /// The status where it could not be read, after the message.
    pub fn end_file(&mut self, at: usize) -> Result<(), i32> {
        if self.columns[at].state == State::Closed {
            return Ok(());
        }
        let source = &mut self.sources[self.columns[at].source];
        if let Some(failure) = source.failure.take() {
            let name = quote::before_colon(&source.name);
            return Err(self.call.fail(1, bytes!(name, ": ", failure)));
        }
        let columns = if self.layout.merge {
            &mut self.columns[at..=at]
        } else {
            &mut self.columns
        };
        for column in columns {
            column.state = State::Closed;
            if column.stored == 0 {
                column.left = 0;
            }
        }
        self.ready -= 1;
        Ok(())
    }

    /// Prints the number of a line, and counts.
    pub fn write_number(&mut self) {
        let text = self.next_number();
        for byte in text {
            self.ink.write(byte);
        }
        if self.columns.len() == 1
            && let Some(b'\t') = self.layout.numbers.map(|numbers| numbers.separator)
        {
            self.ink.pass_tab(self.layout.tabs.map_or(8, |tabs| tabs.1));
        }
    }

    /// The number of a line with what follows it; the next one is larger by 1. Nothing where lines are not numbered.
    pub fn next_number(&mut self) -> Vec<u8> {
        let Some(numbers) = self.layout.numbers else {
            return Vec::new();
        };
        let number = self.number.to_string().into_bytes();
        self.number += 1;
        let digits = usize::try_from(numbers.digits).unwrap_or(usize::MAX);
        let mut text = vec![b' '; digits.saturating_sub(number.len())];
        // The last digits say more than the first.
        text.extend_from_slice(&number[number.len().saturating_sub(digits)..]);
        if numbers.separator == b'\t' && self.columns.len() > 1 {
            let blanks = self.layout.number_width - numbers.digits;
            text.extend((0..blanks).map(|_| b' '));
        } else {
            text.push(numbers.separator);
        }
        text
    }

    /// What a number takes of the width of its column.
    pub fn number_shift(&self) -> i64 {
        if self.layout.cut && !self.layout.merge {
            self.layout.number_width
        } else {
            0
        }
    }
}

/// The first byte of a line. A form feed right after a full page is none, with the newline after it.
pub fn after_full_page(source: &mut Source, full: bool) -> Option<u8> {
    let byte = source.next();
    if byte != Some(FEED) || !full {
        return byte;
    }
    match source.next() {
        Some(b'\n') => source.next(),
        byte => byte,
    }
}

/// Writes the rest of a line that has reached `position`; gives its end and where it stands.
pub fn rest(
    source: &mut Source,
    layout: &Layout,
    mut position: i64,
    pen: &mut impl Pen,
) -> (End, i64) {
    loop {
        let byte = match source.next() {
            None => return (End::File, position),
            Some(b'\n') => return (End::Newline, position),
            Some(FEED) => {
                source.skip_newline();
                return (End::Feed, position);
            }
            Some(byte) => byte,
        };
        let before = position;
        let glyph = layout.alphabet.glyph(byte, &mut position);
        if layout.cut && position > layout.column_width {
            return (End::Cut, before);
        }
        put(glyph, pen);
        if pen.is_broken() {
            return (End::File, position);
        }
    }
}

/// Reads to the end of a line, and gives how it ends.
pub fn skip_rest(source: &mut Source) -> End {
    loop {
        match source.next() {
            None => return End::File,
            Some(b'\n') => return End::Newline,
            Some(FEED) => {
                source.skip_newline();
                return End::Feed;
            }
            Some(_) => {}
        }
    }
}

/// Writes what a byte became.
#[inline]
pub fn put(glyph: Glyph, pen: &mut impl Pen) {
    match glyph {
        Glyph::Blanks(count) => (0..count).for_each(|_| pen.write(b' ')),
        Glyph::Bytes(bytes, count) => bytes[..count].iter().for_each(|&byte| pen.write(byte)),
    }
}
