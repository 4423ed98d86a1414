//! Columns that are filled one after the other: a page is read whole before it is printed, since its lines are spread
//! evenly where the file ends within it.

use super::ink::Pen as _;
use super::line::{Begin, put, rest};
use super::press::{Press, State};

/// The lines of a page.
#[derive(Default)]
pub struct Stored {
    /// The lines, one after the other, as they are printed.
    text: Vec<u8>,
    /// Where each line begins in the text, and the column where it ends.
    lines: Vec<(usize, i64)>,
}

impl Stored {
    /// A line and the column where it ends; nothing behind the last.
    fn line(&self, at: usize) -> (&[u8], i64) {
        let Some(&(from, end)) = self.lines.get(at) else {
            return (&[], 0);
        };
        let to = self
            .lines
            .get(at + 1)
            .map_or(self.text.len(), |next| next.0);
        (&self.text[from..to], end)
    }
}

impl Press<'_> {
    /// Reads the lines of a page and spreads them evenly over the columns.
    ///
    /// # Errors
    /// The status where the file could not be read, after the message.
    pub fn store_columns(&mut self) -> Result<(), i32> {
        self.stored.text.clear();
        self.stored.lines.clear();
        self.columns.iter_mut().for_each(|column| column.stored = 0);
        for at in 0..self.columns.len() {
            let mut lines = 0;
            while lines < self.layout.body && self.ready > 0 {
                lines += 1;
                if self.columns[at].state == State::Open {
                    self.store_line(at)?;
                }
            }
        }
        let (count, mut next) = (self.stored.lines.len(), 0);
        let columns = self.columns.len();
        for (at, column) in self.columns.iter_mut().enumerate() {
            let lines = count / columns + usize::from(at < count % columns);
            column.next = next;
            next += lines;
            column.stored = lines as i64;
            column.left = column.stored;
        }
        Ok(())
    }

    /// Stores the next line for a column.
    fn store_line(&mut self, at: usize) -> Result<(), i32> {
        let from = self.stored.text.len();
        let end = self.store_text(at)?;
        // A file or a page that ends here has no line where it has no text.
        if self.columns[at].state == State::Open || self.stored.text.len() > from {
            self.stored.lines.push((from, end));
            self.columns[at].stored += 1;
        }
        Ok(())
    }

    /// Stores the next line; gives the column where it ends.
    fn store_text(&mut self, at: usize) -> Result<i64, i32> {
        let (glyph, mut position) = match self.begin(at) {
            Begin::Text(glyph, position) => (glyph, position),
            Begin::Feed => return self.end_line(at, super::line::End::Feed).map(|()| 0),
            Begin::File => return self.end_file(at).map(|()| 0),
            Begin::TooWide => return self.end_line(at, super::line::End::Cut).map(|()| 0),
        };
        if self.columns[at].numbered {
            let number = self.next_number();
            self.stored.text.extend_from_slice(&number);
            position += self.number_shift();
        }
        let Some(glyph) = glyph else {
            return Ok(position);
        };
        put(glyph, &mut self.stored.text);
        let source = &mut self.sources[self.columns[at].source];
        let (end, position) = rest(source, self.layout, position, &mut self.stored.text);
        self.end_line(at, end)?;
        Ok(position)
    }

    /// Prints the next stored line of a column.
    pub fn print_stored(&mut self, at: usize) {
        self.line_due = true;
        self.print_header();
        if self.columns[at].state == State::Fed {
            self.columns
                .iter_mut()
                .for_each(|column| column.state = State::Held);
            if self.columns[0].left <= 0 {
                // The page has a header and no text.
                self.line_due = self.layout.headed;
                return;
            }
        }
        self.separate();
        let column = &mut self.columns[at];
        let (text, end) = self.stored.line(column.next);
        column.next += 1;
        for &byte in text {
            self.ink.write(byte);
        }
        if self.ink.blanks == 0 {
            let separator = self.layout.separator.len() as i64;
            let first = column.start - separator == self.request.margin;
            self.ink.position = column.start + end - if first { separator } else { 0 };
        }
    }
}
