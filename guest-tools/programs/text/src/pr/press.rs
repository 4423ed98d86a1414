//! What is being printed, and from which files: the state that `page`, `line`, `stored` and `skip` work on.

use super::header::Header;
use super::ink::{Ink, Pen as _};
use super::layout::Layout;
use super::request::Request;
use super::source::Source;
use super::stored::Stored;
use crate::call::{Call, bytes};
use crate::quote;
use crate::system::Failure;

/// What can be had from the file of a column.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    /// There is more of it on this page.
    Open,
    /// A form feed ended the page: there is more on the next one.
    Held,
    /// A form feed was found while lines were stored that are still to be printed.
    Fed,
    /// It is at its end.
    Closed,
}

/// A column of the page.
#[derive(Clone)]
pub struct Column {
    /// Which file it shows, as an index into `Press::sources`.
    pub source: usize,
    /// What can be had from it.
    pub state: State,
    /// How many lines may follow on this page.
    pub left: i64,
    /// How many lines are stored for it.
    pub stored: i64,
    /// The next of them, as an index into `Press::stored`.
    pub next: usize,
    /// The last page ended because it was full: a form feed right there ends nothing.
    pub full: bool,
    /// Where its text begins, with the separator counted; 0 is where the text before it ends.
    pub start: i64,
    /// Its lines begin with a number.
    pub numbered: bool,
}

/// Prints files, one after the other or side by side.
pub struct Press<'a> {
    pub call: &'a Call,
    pub request: &'a Request,
    pub layout: &'a Layout,
    /// Standard output.
    pub ink: Ink,
    status: i32,
    /// The files that are open.
    pub sources: Vec<Source>,
    /// The columns from left to right: those of one file, or one for each file.
    pub columns: Vec<Column>,
    /// The lines of the page, where columns are filled downwards.
    pub stored: Stored,
    /// The header of the file at hand.
    pub header: Header,
    /// The page at hand, counted from 1.
    pub page: u64,
    /// How many files can be read; one that is in several columns may count more than once.
    pub ready: i64,
    /// The number of the next line.
    pub number: i64,
    /// The header of the page is still to be printed.
    pub header_due: bool,
    /// A form feed of the input ended the page, and is to be printed.
    pub feed_due: bool,
    /// Something is on this line, if only its end.
    pub line_due: bool,
    /// Columns that were passed since the last separator.
    pub passed: usize,
    /// The columns that were passed have nothing on this line, not even their separators.
    pub unaligned: bool,
    /// Nothing is on this line.
    pub empty: bool,
    /// The column read nothing but a form feed.
    pub only_feed: bool,
    /// What is to be skipped before the text of a column.
    pub gap: i64,
}

impl<'a> Press<'a> {
    /// Nothing is printed yet.
    pub fn new(call: &'a Call, request: &'a Request, layout: &'a Layout) -> Press<'a> {
        Press {
            call,
            request,
            layout,
            ink: Ink::new(layout.tabs),
            status: 0,
            sources: Vec::new(),
            columns: Vec::new(),
            stored: Stored::default(),
            header: Header::default(),
            page: 1,
            ready: 0,
            number: 1,
            header_due: false,
            feed_due: false,
            line_due: false,
            passed: 0,
            unaligned: false,
            empty: true,
            only_feed: false,
            gap: 0,
        }
    }

    /// The status, after everything is written.
    pub fn finish(self, done: Result<(), i32>) -> i32 {
        let status = done.err().unwrap_or(self.status);
        self.ink.finish(&self.call.name, status)
    }

    /// Prints one file, or several side by side.
    ///
    /// # Errors
    /// The status where a file could not be read on, after the message.
    pub fn job(&mut self, files: &[Vec<u8>]) -> Result<(), i32> {
        let shown = self.open(files);
        if shown.is_empty() {
            return Ok(());
        }
        let name = files.first().filter(|_| !self.layout.merge);
        self.header = Header::new(self.request, name.map(Vec::as_slice));
        self.set_columns(&shown);
        self.number = self.request.first_number.unwrap_or(1);
        self.page = self.request.first_page.unwrap_or(1);
        if self.skip(self.page)? {
            while self.print()? && !self.ink.is_broken() {}
        }
        // Standard input may be named again.
        self.sources.retain(|source| source.name == b"-");
        Ok(())
    }

    /// Opens files; gives which source each of those that could be opened is.
    fn open(&mut self, files: &[Vec<u8>]) -> Vec<usize> {
        let mut shown = Vec::with_capacity(files.len());
        for file in files {
            let known = self.sources.iter().position(|source| source.name == b"-");
            if let Some(at) = known.filter(|_| file == b"-") {
                shown.push(at);
                continue;
            }
            match Source::open(file) {
                Ok(source) => {
                    shown.push(self.sources.len());
                    self.sources.push(source);
                }
                Err(failure) => self.refuse(file, failure),
            }
        }
        shown
    }

    /// Says that a file cannot be opened; the status becomes 1.
    fn refuse(&mut self, file: &[u8], failure: Failure) {
        self.status = 1;
        if !self.request.quiet {
            let message = bytes!(quote::before_colon(file), ": ", failure);
            self.call.fail(1, message);
        }
    }

    /// Lays the columns out for the sources of a job.
    fn set_columns(&mut self, shown: &[usize]) {
        let layout = self.layout;
        let count = if layout.merge {
            shown.len()
        } else {
            layout.columns
        };
        let separator = layout.separator.len() as i64;
        let (mut start, mut end) = (self.request.margin + separator, self.request.margin);
        self.columns.clear();
        for at in 0..count {
            self.columns.push(Column {
                source: shown[at % shown.len()],
                state: State::Open,
                left: 0,
                stored: 0,
                next: 0,
                full: false,
                start,
                numbered: layout.numbers.is_some() && (!layout.merge || at == 0),
            });
            let number = if layout.merge && at == 0 {
                layout.number_width
            } else {
                0
            };
            end += layout.column_width + number;
            start = if layout.cut { end + separator } else { 0 };
            end = start;
        }
        self.ready = shown.len() as i64;
    }
}
