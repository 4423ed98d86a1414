//! Pages that are not printed: their lines are read and counted, with the same rules for form feeds as when they are
//! printed.

use super::line::{End, after_full_page, skip_rest};
use super::press::{Column, Press, State};

impl Press<'_> {
    /// Reads up to a page; false where there is none.
    ///
    /// # Errors
    /// The status where a file could not be read, after the message.
    pub fn skip(&mut self, page: u64) -> Result<bool, i32> {
        for passed in 1..page {
            for line in 1..=self.layout.body {
                self.skip_line(line == self.layout.body)?;
            }
            self.hold_stored();
            self.reopen();
            if self.ready < 1 {
                let message = format!("starting page number {page} exceeds page count {passed}");
                self.call.fail(0, message);
                return Ok(false);
            }
            let is_closed = |column: &Column| column.state == State::Closed;
            if self.columns.iter().all(is_closed) {
                return Ok(false);
            }
        }
        Ok(true)
    }

    /// Lines that were left where a form feed stood are on the next page.
    fn hold_stored(&mut self) {
        if self.layout.down {
            let open = self.columns.iter_mut();
            open.filter(|column| column.state != State::Closed)
                .for_each(|column| column.state = State::Held);
        }
    }

    /// Reads a line of every column; `last` is the last one of a page.
    fn skip_line(&mut self, last: bool) -> Result<(), i32> {
        for at in 0..self.columns.len() {
            if self.columns[at].state == State::Open {
                self.skip_text(at, last)?;
            }
        }
        Ok(())
    }

    /// Reads a line of a column.
    fn skip_text(&mut self, at: usize, last: bool) -> Result<(), i32> {
        let column = &mut self.columns[at];
        let source = &mut self.sources[column.source];
        let first = after_full_page(source, column.full);
        column.full = last;
        let end = match first {
            None => End::File,
            Some(b'\n') => End::Newline,
            Some(0x0c) => {
                source.skip_newline();
                End::Feed
            }
            Some(_) => skip_rest(source),
        };
        if end == End::Feed && last {
            // The page ended there, before it was known to be full.
            if self.layout.merge {
                self.columns[at].full = false;
            } else {
                self.columns
                    .iter_mut()
                    .for_each(|column| column.full = false);
            }
        }
        match end {
            End::Feed => self.hold(at),
            End::File => self.end_file(at)?,
            End::Newline | End::Cut => {}
        }
        let counts = self.request.first_number.is_none();
        if counts && (!self.layout.merge || at == 0) && first != Some(0x0c) {
            self.number += 1;
        }
        Ok(())
    }
}
