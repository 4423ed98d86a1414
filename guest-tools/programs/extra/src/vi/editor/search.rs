//! The line behind `:`, `/` and `?`, and searches.
//!
//! Patterns are basic regular expressions. A search goes on at the other end of the text, and the last place it looks
//! at is the line of the cursor. Behind an operator (`d/x`) it is a motion up to the match.

use offshoot_command::pattern::{Dialect, Pattern, Settings};
use offshoot_command::screen::Key;

use super::{Editor, Mode, Wish, starts};
use crate::vi::motion::Kind;

impl Editor {
    /// A key in such a line. Enter runs it, Escape and a Backspace at its start leave it.
    pub(super) fn line(&mut self, key: Key, kind: char, mut text: String) -> Wish {
        match key {
            Key::Escape | Key::Control('c') => {
                self.mode = Mode::Normal;
                self.searching = None;
            }
            Key::Backspace | Key::Control('h') if text.pop().is_none() => self.mode = Mode::Normal,
            Key::Enter => {
                self.mode = Mode::Normal;
                if kind == ':' {
                    return self.execute(&text);
                }
                self.backwards = kind == '?';
                let (operator, before) = (self.searching.take(), self.cursor);
                if self.look_for(&text) {
                    self.search(self.backwards);
                }
                if let Some(operator) = operator
                    && self.cursor != before
                {
                    let to = std::mem::replace(&mut self.cursor, before);
                    self.apply(operator, to, Kind::Before);
                }
            }
            key => {
                if let Key::Character(character) = key {
                    text.push(character);
                }
                self.mode = Mode::Line { kind, text };
            }
        }
        Wish::Nothing
    }

    /// Takes over a pattern; nothing means the last one. False where there is none.
    pub fn look_for(&mut self, text: &str) -> bool {
        if !text.is_empty() {
            match Pattern::new(text.as_bytes(), &Settings::new(Dialect::Basic)) {
                Ok(pattern) => self.pattern = Some(pattern),
                Err(error) => {
                    self.message = error;
                    return false;
                }
            }
        }
        if self.pattern.is_none() {
            self.message = "No previous regular expression".to_owned();
        }
        self.pattern.is_some()
    }

    /// Goes to the next match, and on at the other end of the text.
    pub(super) fn search(&mut self, backwards: bool) {
        let Some(pattern) = &self.pattern else {
            return;
        };
        let (lines, (line, at)) = (self.buffer.lines.len(), self.cursor);
        let found = (0..=lines).find_map(|step| {
            let number = match backwards {
                false => (line + step) % lines,
                true => (line + lines - step) % lines,
            };
            let starts = starts(pattern, &self.buffer.lines[number]);
            let mut fitting = starts.into_iter().filter(|&start| match (step, backwards) {
                (0, false) => start > at,
                (0, true) => start < at,
                _ => true,
            });
            let start = if backwards {
                fitting.next_back()
            } else {
                fitting.next()
            };
            Some((number, start?))
        });
        match found {
            Some(place) => self.cursor = place,
            None => self.message = "Pattern not found".to_owned(),
        }
    }
}

/// A character in the other case; the first character where that would be several.
pub(super) fn turned(one: char) -> char {
    let other = match one.is_uppercase() {
        true => one.to_lowercase().next(),
        false => one.to_uppercase().next(),
    };
    other.unwrap_or(one)
}
