//! Pages, line by line over all columns.
//!
//! Something that may turn out to be nothing waits: the header until a line is there, separators and blanks until a
//! column has text. So a page without lines is not printed, and no line ends in blanks.

use super::ink::Pen as _;
use super::layout::TRAILER;
use super::press::{Column, Press, State};

impl Press<'_> {
    /// How many columns have something for this page.
    fn active(&self) -> usize {
        let is_active = |column: &&Column| {
            matches!(column.state, State::Open | State::Fed)
                || (self.layout.down && column.stored > 0 && column.left > 0)
        };
        self.columns.iter().filter(is_active).count()
    }

    /// Prints a page; false where it was the last one.
    ///
    /// # Errors
    /// The status where a file could not be read on, after the message.
    pub fn print(&mut self) -> Result<bool, i32> {
        self.begin_page()?;
        if self.active() == 0 {
            return Ok(false);
        }
        self.header_due |= self.layout.headed;
        let lines = if self.request.double { 2 } else { 1 };
        let mut left = self.layout.body * lines;
        let mut printed = false;
        self.line_due = false;
        while left > 0 && self.active() > 0 && !self.ink.is_broken() {
            printed |= self.row()?;
            if self.line_due {
                self.ink.newline();
                left -= 1;
            }
            if self.active() == 0 && !self.layout.headed {
                break;
            }
            if self.request.double && printed {
                self.ink.newline();
                left -= 1;
            }
        }
        self.end_page(left, printed);
        self.page += 1;
        Ok(self.page <= self.request.last_page)
    }

    /// Gives each column the lines of a page.
    fn begin_page(&mut self) -> Result<(), i32> {
        if self.layout.down {
            return self.store_columns();
        }
        for column in &mut self.columns {
            column.left = if column.state == State::Open {
                self.layout.body
            } else {
                0
            };
        }
        Ok(())
    }

    /// Ends a page that has `left` lines free: by a form feed, or by empty lines up to its length.
    fn end_page(&mut self, left: i64, printed: bool) {
        if left == 0 {
            let open = self.columns.iter_mut();
            open.filter(|column| column.state == State::Open)
                .for_each(|column| column.full = true);
        }
        if printed && self.layout.headed {
            if self.request.feeds {
                self.ink.raw(b"\x0c");
            } else {
                (0..left + TRAILER).for_each(|_| self.ink.newline());
            }
        } else if self.layout.keeps_feeds && std::mem::take(&mut self.feed_due) {
            self.ink.raw(b"\x0c");
        }
        if self.page < self.request.last_page {
            self.reopen();
        }
    }

    /// What was held for the next page can be read again.
    pub fn reopen(&mut self) {
        for column in &mut self.columns {
            if column.state == State::Held {
                column.state = State::Open;
                self.ready += 1;
            }
        }
        if self.layout.down {
            self.ready = i64::from(self.columns[0].state != State::Closed);
        }
    }

    /// Prints a line of all columns but its end; whether any of them had one.
    fn row(&mut self) -> Result<bool, i32> {
        self.ink.begin_line();
        self.passed = 0;
        (self.line_due, self.unaligned, self.empty) = (false, false, true);
        let mut printed = false;
        for at in 0..self.columns.len() {
            if self.columns[at].left > 0 || self.columns[at].state == State::Fed {
                self.only_feed = false;
                self.gap = self.columns[at].start;
                if self.layout.down {
                    self.print_stored(at);
                } else {
                    self.print_line(at)?;
                }
                printed |= self.line_due;
                self.columns[at].left -= 1;
                if self.columns[at].left <= 0 && self.active() == 0 {
                    break;
                }
                if self.layout.merge && self.columns[at].state != State::Open {
                    self.fill_ended(at);
                }
            } else if self.layout.merge {
                self.fill(at);
            }
            self.passed += usize::from(self.layout.separated);
        }
        Ok(printed)
    }

    /// What a column has on the line where its file ended.
    fn fill_ended(&mut self, at: usize) {
        let held = self.columns[at].state == State::Held;
        if self.empty || !held || self.only_feed {
            self.fill(at);
        }
    }

    /// What a column without a line has, beside others.
    fn fill(&mut self, at: usize) {
        if self.empty {
            self.unaligned = true;
        } else {
            self.align(at);
        }
    }

    /// Writes what a column without text has: its separator and its number.
    pub fn align(&mut self, at: usize) {
        self.gap = self.columns[at].start;
        self.separate();
        if self.columns[at].numbered {
            self.write_number();
        }
    }

    /// Goes where a column begins.
    pub fn separate(&mut self) {
        let separator = &self.layout.separator;
        let width = separator.len() as i64;
        if width < self.gap {
            self.ink.move_to(self.gap - width);
            self.gap = 0;
        }
        if self.layout.separated {
            if self.passed == 0 {
                self.ink.settle();
            } else {
                self.ink.separator(separator);
                self.passed = 0;
            }
        }
    }

    /// Prints the header of the page, where it is not there yet.
    pub fn print_header(&mut self) {
        if !std::mem::take(&mut self.header_due) {
            return;
        }
        self.ink.begin_line();
        self.ink.move_to(self.request.margin);
        self.ink.settle();
        self.ink.raw(b"\n\n");
        (0..self.request.margin).for_each(|_| self.ink.raw(b" "));
        self.ink.raw(&self.header.line(self.page));
        self.ink.raw(b"\n\n\n");
        self.ink.begin_line();
    }
}
