//! Finds the lines of one input that are selected, in bounded memory.
//!
//! The buffer holds what was read and is not done with: the line at hand, however long, and before it the lines that
//! may become context. Where the pattern runs in linear time it is given many lines at once (`Pattern::line_at`), so
//! that lines without a match cost no work of their own; otherwise one line at a time. Lines before a match are counted
//! only when a number is printed.

use std::io::Read;

use memchr::{memchr, memchr_iter, memrchr};

use super::print::{Place, Printer};
use super::{Binary, Plan, Report};
use crate::input::read_more;
use crate::output::{CHUNK, Output};
use crate::pattern::Pattern;
use crate::system::Failure;

/// One search through one input.
pub struct Search<'a> {
    pub plan: &'a Plan,
    pub pattern: &'a Pattern,
    pub printer: &'a mut Printer,
    pub out: &'a mut Output,
}

/// The part of the input in memory, and how far the search is. All positions are indexes into `buffer`, and move with
/// it when its start is dropped. Between two lines neither `counted` nor `printed` is beyond `at`.
struct State {
    buffer: Vec<u8>,
    /// Offset of the buffer's first byte in the input.
    base: u64,
    /// The next line to look at.
    at: usize,
    /// Everything before was printed already, or is not to be printed.
    printed: usize,
    /// Whether `printed` is the end of a printed line.
    adjacent: bool,
    /// Line ends are counted up to here.
    counted: usize,
    /// The number of the line at `counted`.
    line: u64,
    /// Lines that were selected.
    selected: u64,
    /// How many of the lines that follow are context.
    after_left: u64,
    /// The input is binary, see `Binary`.
    binary: bool,
    /// No further line is to be selected.
    done: bool,
}

impl Search<'_> {
    /// Searches and prints. Gives whether a line was selected, and how many bytes were read behind the last line that
    /// `-m` allows (0 where its limit was not reached).
    ///
    /// # Errors
    /// Those of reading; what was found before is printed.
    pub fn run(mut self, mut input: Box<dyn Read>) -> Result<(bool, usize), Failure> {
        let mut state = State {
            buffer: Vec::with_capacity(2 * CHUNK),
            base: 0,
            at: 0,
            printed: 0,
            adjacent: false,
            counted: 0,
            line: 1,
            selected: 0,
            after_left: 0,
            binary: false,
            done: self.plan.limit == 0,
        };
        let mut ended = false;
        while !ended && !state.done {
            ended = self.fill(&mut state, &mut input)?;
            if state.binary && self.plan.binary == Binary::Skip {
                return Ok((false, 0));
            }
            let end = match (ended, memrchr(self.plan.end, &state.buffer)) {
                (true, _) => state.buffer.len(),
                (false, Some(last)) if last + 1 > state.at => last + 1,
                (false, _) => continue,
            };
            self.lines(&mut state, end);
        }
        self.conclude(&state);
        let unused = match state.selected < self.plan.limit {
            true => 0,
            false => state.buffer.len() - state.at,
        };
        Ok((state.selected > 0, unused))
    }

    /// Reads more, after dropping what is no longer needed; true at the end.
    fn fill(&self, state: &mut State, input: &mut Box<dyn Read>) -> Result<bool, Failure> {
        let keep = self.context_start(state, state.at);
        if keep > CHUNK / 2 || keep == state.buffer.len() {
            self.count(state, keep);
            state.buffer.drain(..keep);
            state.base += keep as u64;
            state.at -= keep;
            state.adjacent &= state.printed >= keep;
            state.printed = state.printed.saturating_sub(keep);
            state.counted -= keep;
        }
        let old = state.buffer.len();
        let count = read_more(input, &mut state.buffer, old - state.at)?;
        if !state.binary && self.plan.binary != Binary::Text && self.plan.end != 0 {
            state.binary = memchr(0, &state.buffer[old..]).is_some();
        }
        Ok(count == 0)
    }

    /// Where the lines start that are context before the line at `from`.
    fn context_start(&self, state: &State, from: usize) -> usize {
        let mut start = from;
        for _ in 0..self.plan.before {
            if start <= state.printed {
                return start;
            }
            start = memrchr(self.plan.end, &state.buffer[..start - 1]).map_or(0, |at| at + 1);
        }
        start
    }

    /// Counts the lines before `to`, where numbers are printed.
    fn count(&self, state: &mut State, to: usize) {
        if to > state.counted {
            if self.printer.wants_numbers() {
                let passed = &state.buffer[state.counted..to];
                state.line += memchr_iter(self.plan.end, passed).count() as u64;
            }
            state.counted = to;
        }
    }

    /// Looks at the lines from `state.at` up to `end`, where a line ends.
    fn lines(&mut self, state: &mut State, end: usize) {
        let all = self.plan.limit == u64::MAX && !self.plan.invert;
        if self.plan.report == Report::Count && all && self.pattern.is_linear() {
            return self.count_matches(state, end);
        }
        while state.at < end && !state.done && !self.out.is_broken() {
            let (from, to) = self.next_match(&state.buffer, state.at, end);
            if self.plan.invert {
                while state.at < from && !state.done {
                    let line_end = self.line_end(&state.buffer, state.at, end);
                    self.select(state, state.at, line_end);
                    state.at = line_end;
                }
                if !state.done {
                    self.pass(state, to);
                    state.at = to;
                }
            } else {
                self.pass(state, from);
                if from < end {
                    self.select(state, from, to);
                }
                state.at = to;
            }
        }
        if state.done {
            self.pass(state, end);
        }
    }

    /// Selects all lines that match, which nobody looks at: where they start is not asked.
    fn count_matches(&self, state: &mut State, end: usize) {
        let text = &state.buffer[..end];
        while state.at < end
            && let Some(found) = self.pattern.line_at(text, state.at)
            && !self.is_behind(text, found)
        {
            state.selected += 1;
            state.at = self.line_end(text, found, end);
        }
        state.at = end;
    }

    /// Whether a place is the one after the last line end, where there is no line.
    fn is_behind(&self, text: &[u8], at: usize) -> bool {
        at == text.len() && text.last().is_none_or(|&last| last == self.plan.end)
    }

    /// The next line that matches, with its end; `(end, end)` where none does.
    fn next_match(&self, buffer: &[u8], at: usize, end: usize) -> (usize, usize) {
        if !self.pattern.is_linear() {
            return self.next_match_by_line(buffer, at, end);
        }
        let Some(found) = self.pattern.line_at(&buffer[..end], at) else {
            return (end, end);
        };
        if self.is_behind(&buffer[..end], found) {
            return (end, end);
        }
        let start = memrchr(self.plan.end, &buffer[at..found]).map_or(at, |end| at + end + 1);
        (start, self.line_end(buffer, found, end))
    }

    /// As `next_match`, a line at a time, for engines that must not see several.
    fn next_match_by_line(&self, buffer: &[u8], mut at: usize, end: usize) -> (usize, usize) {
        while at < end {
            let next = self.line_end(buffer, at, end);
            if self.pattern.is_match(self.content(&buffer[at..next])) {
                return (at, next);
            }
            at = next;
        }
        (end, end)
    }

    /// The end of the line at `at`, behind its line end; `end` for the last one.
    fn line_end(&self, buffer: &[u8], at: usize, end: usize) -> usize {
        memchr(self.plan.end, &buffer[at..end]).map_or(end, |found| at + found + 1)
    }

    /// A line without its end.
    fn content<'b>(&self, line: &'b [u8]) -> &'b [u8] {
        line.strip_suffix(&[self.plan.end]).unwrap_or(line)
    }

    /// Where the line at `from` stands.
    fn place(&self, state: &mut State, from: usize) -> Place {
        self.count(state, from);
        Place {
            number: state.line,
            offset: state.base + from as u64,
        }
    }

    /// The lines up to `to` are not selected: they may be context after one that was.
    fn pass(&mut self, state: &mut State, to: usize) {
        let mut at = state.at;
        while state.after_left > 0 && at < to {
            let end = self.line_end(&state.buffer, at, to);
            state.after_left -= 1;
            let place = self.place(state, at);
            let line = self.content(&state.buffer[at..end]);
            self.printer.context(line, place, self.out);
            state.printed = end;
            state.adjacent = true;
            at = end;
        }
    }

    /// Takes a line as selected. All reports but lines, matches and counts are certain by then.
    fn select(&mut self, state: &mut State, from: usize, to: usize) {
        state.selected += 1;
        state.done = state.selected >= self.plan.limit;
        match self.plan.report {
            Report::Lines | Report::Matches => self.show(state, from, to),
            Report::Count => {}
            _ => state.done = true,
        }
    }

    /// Prints a selected line with the context before it; a binary file ends the search instead.
    fn show(&mut self, state: &mut State, from: usize, to: usize) {
        let invalid = || {
            self.plan.utf8
                && self.plan.binary == Binary::Message
                && std::str::from_utf8(&state.buffer[from..to]).is_err()
        };
        if state.binary || invalid() {
            state.binary = true;
            state.done = true;
            state.after_left = 0;
            return;
        }
        self.show_before(state, from);
        let place = self.place(state, from);
        let line = self.content(&state.buffer[from..to]);
        self.printer.selected(line, place, self.pattern, self.out);
        state.printed = to;
        state.adjacent = true;
        state.after_left = self.plan.after;
    }

    /// The context before a selected line, and the separator where lines are left out.
    fn show_before(&mut self, state: &mut State, from: usize) {
        if self.plan.before == 0 && self.plan.after == 0 && !self.printer.separates() {
            return;
        }
        let start = self.context_start(state, from);
        let follows = state.adjacent && start == state.printed;
        if self.printer.started && !follows {
            self.printer.separator(self.out);
        }
        let mut at = start;
        while at < from {
            let end = self.line_end(&state.buffer, at, from);
            let place = self.place(state, at);
            let line = self.content(&state.buffer[at..end]);
            self.printer.context(line, place, self.out);
            at = end;
        }
    }

    /// Prints what is known at the end: the count, the file's name, or that a binary file matches.
    fn conclude(&mut self, state: &State) {
        let selected = state.selected > 0;
        match self.plan.report {
            Report::Count => self.printer.count(state.selected, self.out),
            Report::NamesWith if selected => self.printer.file_name(self.out),
            Report::NamesWithout if !selected => self.printer.file_name(self.out),
            Report::Lines | Report::Matches if state.binary && selected => {
                self.printer.binary_matches(self.out);
            }
            _ => {}
        }
    }
}
