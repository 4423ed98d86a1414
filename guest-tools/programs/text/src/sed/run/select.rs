//! Which lines a command is for.

use super::Run;
use crate::sed::script::{Address, Command, End, Lines};

/// How far a command's range has come.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// It has not begun in this input.
    Idle,
    /// It lasts to this line, or to what else ends it.
    Open(u64),
    /// It began and ended.
    Over,
}

impl Reach {
    pub(super) fn at_start(command: &Command) -> Reach {
        match &command.lines {
            Lines::Range(Address::Line(0), _) => Reach::Open(u64::MAX),
            _ => Reach::Idle,
        }
    }

    pub(super) fn is_open(self) -> bool {
        matches!(self, Reach::Open(_))
    }
}

impl<'a> Run<'a> {
    pub(super) fn at(&mut self, address: &Address) -> bool {
        let line = self.input.line;
        match address {
            Address::Line(wanted) => line == *wanted,
            Address::Step(first, 0) => line == *first,
            Address::Step(first, step) => line >= *first && (line - first).is_multiple_of(*step),
            Address::Last => self.input.is_last(),
            Address::Match(pattern) => self.matches(pattern.as_ref()),
        }
    }

    pub(super) fn selects(&mut self, index: usize, command: &'a Command) -> bool {
        match &command.lines {
            Lines::All => true,
            Lines::At(address) => self.at(address),
            Lines::Range(from, to) => self.in_range(index, from, to),
        }
    }

    fn in_range(&mut self, index: usize, from: &'a Address, to: &'a End) -> bool {
        let line = self.input.line;
        let Reach::Open(end) = self.ranges[index] else {
            return self.begins(index, from, to);
        };
        let ends = match to {
            End::Address(Address::Match(pattern)) => self.matches(pattern.as_ref()),
            End::Address(Address::Last) => self.input.is_last(),
            _ => line >= end,
        };
        if ends {
            self.ranges[index] = Reach::Over;
        }
        // A jump over its end closes the range before this line.
        line <= end || self.begins(index, from, to)
    }

    fn begins(&mut self, index: usize, from: &'a Address, to: &'a End) -> bool {
        let line = self.input.line;
        // Whoever was elsewhere at its first line finds the range begun, once.
        let late = match (from, &self.ranges[index]) {
            (Address::Line(first), Reach::Idle) => line > *first,
            _ => false,
        };
        if !late && !self.at(from) {
            return false;
        }
        let end = match to {
            End::Address(Address::Line(end)) if late && *end < line => return false,
            End::Address(Address::Line(end)) => *end,
            End::Address(Address::Last) if self.input.is_last() => line,
            End::Address(_) => u64::MAX,
            End::Count(count) => line.saturating_add(*count),
            End::Multiple(0) => line,
            End::Multiple(step) => (line / step + 1) * step,
        };
        self.ranges[index] = match end > line {
            true => Reach::Open(end),
            false => Reach::Over,
        };
        true
    }
}
