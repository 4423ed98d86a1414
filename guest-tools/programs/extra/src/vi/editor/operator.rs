//! Operators, and the motions that say what they work on.
//!
//! A motion gives a place and a `Kind`: up to the place (`w`, `h`), with the character there (`e`, `$`, `f`), or whole
//! lines (`j`, `G`). The operators are `d` (delete), `c` (change), `y` (copy), `>` and `<` (shift). Twice the same
//! letter means lines (`dd`, `3yy`). As in vi, `cw` works like `ce` within a word, and `dw` on the last word of a line
//! leaves the end of the line.

use offshoot_command::screen::Key;

use super::{Editor, Lines as _, Mode, Register};
use crate::vi::buffer::{Buffer, Place};
use crate::vi::motion;
use crate::vi::motion::Kind;

impl Editor {
    /// Where a motion leads, and what it covers; `None` for a key that is no motion, or one that leads nowhere.
    pub(super) fn motion(&mut self, key: Key, count: Option<usize>) -> Option<(Place, Kind)> {
        let ((line, at), times) = (self.cursor, count.unwrap_or(1));
        let last = self.buffer.lines.len().saturating_sub(1);
        let again = |from: Place, step: fn(&Buffer, Place, bool) -> Place, big| {
            (0..times).fold(from, |place, _| step(&self.buffer, place, big))
        };
        Some(match key {
            Key::Character('h') | Key::Left | Key::Backspace => {
                ((line, at.saturating_sub(times)), Kind::Before)
            }
            Key::Character('l' | ' ') | Key::Right => (
                (line, (at + times).min(self.buffer.len(line))),
                Kind::Before,
            ),
            Key::Character('j') | Key::Down | Key::Control('n' | 'j') => {
                ((line + times).min(last), at).lines()
            }
            Key::Character('k') | Key::Up | Key::Control('p') => {
                (line.saturating_sub(times), at).lines()
            }
            Key::Character('+') | Key::Enter => {
                let to = (line + times).min(last);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('-') => {
                let to = line.saturating_sub(times);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('0') | Key::Home => ((line, 0), Kind::Before),
            Key::Character('^') => ((line, motion::first(&self.buffer, line)), Kind::Before),
            Key::Character('$') | Key::End => {
                let to = (line + times - 1).min(last);
                ((to, self.buffer.len(to).saturating_sub(1)), Kind::With)
            }
            Key::Character(kind @ ('w' | 'W')) => {
                (again(self.cursor, motion::word, kind == 'W'), Kind::Before)
            }
            Key::Character(kind @ ('b' | 'B')) => (
                again(self.cursor, motion::word_back, kind == 'B'),
                Kind::Before,
            ),
            Key::Character(kind @ ('e' | 'E')) => (
                again(self.cursor, motion::word_end, kind == 'E'),
                Kind::With,
            ),
            Key::Character('G') => {
                let to = count
                    .map_or(last, |count| count.saturating_sub(1))
                    .min(last);
                (to, motion::first(&self.buffer, to)).lines()
            }
            Key::Character('{') => (motion::paragraph(&self.buffer, line, false), Kind::Before),
            Key::Character('}') => (motion::paragraph(&self.buffer, line, true), Kind::Before),
            Key::Character('%') => (motion::bracket(&self.buffer, self.cursor)?, Kind::With),
            Key::Character('H') => (self.top.min(last), 0).lines(),
            Key::Character('M') => ((self.top + self.page / 2).min(last), 0).lines(),
            Key::Character('L') => ((self.top + self.page - 1).min(last), 0).lines(),
            Key::Character(kind @ (';' | ',')) => {
                let (how, wanted) = self.found?;
                let how = match (kind, how) {
                    (';', how) => how,
                    (_, how) if how.is_lowercase() => how.to_ascii_uppercase(),
                    (_, how) => how.to_ascii_lowercase(),
                };
                let to = motion::find(&self.buffer, self.cursor, how, wanted, times)?;
                (
                    to,
                    if how.is_lowercase() {
                        Kind::With
                    } else {
                        Kind::Before
                    },
                )
            }
            Key::Character(kind @ ('n' | 'N')) => {
                let before = self.cursor;
                for _ in 0..times {
                    self.search(self.backwards != (kind == 'N'));
                }
                (std::mem::replace(&mut self.cursor, before), Kind::Before)
            }
            _ => return None,
        })
    }

    /// An operator and the key behind it. Counts before both are multiplied: `2d3w` deletes six words.
    pub(super) fn operate(&mut self, operator: char, key: Key) {
        let pending = std::mem::take(&mut self.pending);
        let count = match (pending.times, pending.count) {
            (None, count) | (count, None) => count,
            (Some(times), Some(count)) => Some(times * count),
        };
        if let Key::Character(kind @ ('/' | '?')) = key {
            self.searching = Some(operator);
            let text = String::new();
            self.mode = Mode::Line { kind, text };
            return;
        }
        if key == Key::Character(operator) {
            let last = self.buffer.lines.len().saturating_sub(1);
            let to = (self.cursor.0 + count.unwrap_or(1) - 1).min(last);
            return self.apply(operator, (to, 0), Kind::Lines);
        }
        let key = match (operator, key) {
            // `cw` leaves the space behind the word.
            ('c', Key::Character('w')) if self.is_in_word() => Key::Character('e'),
            ('c', Key::Character('W')) if self.is_in_word() => Key::Character('E'),
            (_, key) => key,
        };
        let Some((mut to, kind)) = self.motion(key, count) else {
            return;
        };
        let word = matches!(key, Key::Character('w' | 'W'));
        if word && to.0 > self.cursor.0 && to.1 <= motion::first(&self.buffer, to.0) {
            // The last word of a line does not take the end of the line along.
            to = (to.0 - 1, self.buffer.len(to.0 - 1));
        }
        self.apply(operator, to, kind);
    }

    /// Whether the cursor is on something other than space.
    fn is_in_word(&self) -> bool {
        self.buffer
            .at(self.cursor)
            .is_some_and(|one| !one.is_whitespace())
    }

    /// Applies an operator to what is between the cursor and a place, in either order. The text goes to the register.
    pub(super) fn apply(&mut self, operator: char, to: Place, kind: Kind) {
        let (mut from, mut to) = (self.cursor.min(to), self.cursor.max(to));
        if operator != 'y' {
            self.change();
        }
        if matches!(operator, '>' | '<') {
            for line in from.0..=to.0 {
                self.shift(line, operator == '>');
            }
            self.cursor = (from.0, motion::first(&self.buffer, from.0));
            return;
        }
        if kind == Kind::Lines {
            let text: Vec<_> = (from.0..=to.0)
                .map(|line| self.buffer.lines[line].to_vec())
                .collect();
            self.register = Register { text, lines: true };
            match operator {
                'd' => {
                    self.buffer.cut_lines(from.0, to.0);
                    let line = from.0.min(self.buffer.lines.len() - 1);
                    self.cursor = (line, motion::first(&self.buffer, line));
                }
                'c' => {
                    self.buffer.cut_lines(from.0, to.0);
                    if self.buffer.lines.len() > 1 || self.buffer.len(0) > 0 {
                        self.buffer.insert_lines(from.0, &[Vec::new()]);
                    }
                    self.cursor = (from.0, 0);
                    self.begin(false);
                }
                _ => self.cursor.0 = from.0,
            }
            return;
        }
        if kind == Kind::With {
            to.1 = (to.1 + 1).min(self.buffer.len(to.0));
        }
        from.1 = from.1.min(self.buffer.len(from.0));
        let text = match operator {
            'y' => self.buffer.copy(from, to),
            _ => self.buffer.cut(from, to),
        };
        self.register = Register { text, lines: false };
        self.cursor = from;
        if operator == 'c' {
            self.begin(false);
        }
    }

    /// Shifts a line by a tab, or takes a tab or up to eight spaces off its start. Empty lines stay.
    fn shift(&mut self, line: usize, right: bool) {
        let Some(line) = self.buffer.line(line) else {
            return;
        };
        match right {
            true if !line.is_empty() => line.insert(0, '\t'),
            true => {}
            false if line.first() == Some(&'\t') => drop(line.remove(0)),
            false => {
                let spaces = line.iter().take(8).take_while(|one| **one == ' ').count();
                line.drain(..spaces);
            }
        }
    }
}
