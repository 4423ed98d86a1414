//! Which lines a command is for.
//!
//! A range begins at a line of its first address and ends as `End` says, never before the line behind it; where the
//! end is a number that is not larger, the range is that one line. A line number as first address also begins a range
//! on the first line that reaches the command after it, once, as GNU does:
//!
//! ```text
//! 2,4p          lines 2 to 4
//! 4,2p          line 4
//! /a/,/b/p      from each a to the next b, or to the end of the input
//! 0,/a/p        to the first a, which may be on line 1
//! 2,+3p  2,~4p  lines 2 to 5; lines 2 to 4
//! ```

use super::Run;
use crate::sed::script::{Address, Command, End, Lines};

/// How far a command's range has come.
#[derive(Clone, Copy)]
pub(super) enum Reach {
    /// It has not begun in this input.
    Idle,
    /// It lasts to this line, or to what else ends it where that is the largest number.
    Open(u64),
    /// It began and ended.
    Over,
}

impl Reach {
    /// The state before the first line, at which a range from 0 is open already.
    pub(super) fn at_start(command: &Command) -> Reach {
        match &command.lines {
            Lines::Range(Address::Line(0), _) => Reach::Open(u64::MAX),
            _ => Reach::Idle,
        }
    }

    /// Whether the range goes on behind the line at hand.
    pub(super) fn is_open(self) -> bool {
        matches!(self, Reach::Open(_))
    }
}

impl<'a> Run<'a> {
    /// Whether the line at hand is one of an address.
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

    /// Whether the line at hand is one of a command's, `!` aside. It moves the command's range on, so it must be
    /// asked once for each time that the command is reached.
    pub(super) fn selects(&mut self, index: usize, command: &'a Command) -> bool {
        match &command.lines {
            Lines::All => true,
            Lines::At(address) => self.at(address),
            Lines::Range(from, to) => self.in_range(index, from, to),
        }
    }

    /// Whether the line at hand is in a range.
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

    /// Whether a range begins at the line at hand.
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
