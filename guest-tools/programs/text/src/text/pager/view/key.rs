//! What keys do, by the names that `less` has for them. A number typed before a command is its count, its line or its
//! part in a hundred.

use offshoot_command::screen::Key;

use super::{Action, Typing, View};
use crate::pattern::{Dialect, Pattern, Settings};

impl View {
    /// Does what was typed behind `/`, `?` or `:`.
    fn enter(&mut self, typed: &Typing) -> Action {
        let count = self.take_number().unwrap_or(1);
        if typed.kind == ':' {
            return match typed.text.as_str() {
                "n" => Action::Next,
                "p" => Action::Previous,
                text if text.starts_with('q') => Action::Quit,
                text => {
                    if let Ok(line) = text.parse::<usize>() {
                        self.go_to(line);
                    }
                    Action::Draw
                }
            };
        }
        self.look_for(&typed.text);
        self.backwards = typed.kind == '?';
        if self.message.is_none() {
            // What is on top counts, too, where nothing was looked at yet.
            let first = !self.backwards && self.top == (0, 0) && self.is_match(0);
            if !first {
                self.search(self.backwards, count);
            }
        }
        Action::Draw
    }

    /// Takes over a pattern; nothing means the last one.
    pub(super) fn look_for(&mut self, text: &str) {
        if text.is_empty() {
            return;
        }
        let mut settings = Settings::new(Dialect::Extended);
        settings.ignore_case = self.manner.ignore_case && !text.chars().any(char::is_uppercase);
        match Pattern::new(text.as_bytes(), &settings) {
            Ok(pattern) => self.pattern = Some(pattern),
            Err(_) => self.message = Some("Invalid pattern".to_owned()),
        }
    }

    /// Shows this line first, from 1.
    pub fn go_to(&mut self, line: usize) {
        let number = line.saturating_sub(1);
        if self.text.line(number).is_some() {
            self.top = (number, 0);
        } else {
            self.show_end();
        }
    }

    /// The number that was typed, which is gone then.
    fn take_number(&mut self) -> Option<usize> {
        std::mem::take(&mut self.number).parse().ok()
    }

    /// Does what a key asks for: it goes on with what is typed behind `/`, `?` or `:`, adds a digit to a number, or
    /// is a command.
    pub fn press(&mut self, key: Key) -> Action {
        self.message = None;
        self.fresh = false;
        if let Some(mut typing) = self.typing.take() {
            match key {
                Key::Enter => return self.enter(&typing),
                Key::Escape | Key::Control('c') => {}
                Key::Backspace if typing.text.pop().is_none() => {}
                key => {
                    if let Key::Character(character) = key {
                        typing.text.push(character);
                    }
                    let whole = typing.kind == ':' && matches!(typing.text.as_str(), "n" | "p");
                    if whole {
                        return self.enter(&typing);
                    }
                    self.typing = Some(typing);
                }
            }
            return Action::Draw;
        }
        if let Key::Character(digit @ '0'..='9') = key {
            self.number.push(digit);
            return Action::Draw;
        }
        self.command(key)
    }

    /// Does what a key means where nothing is typed.
    fn command(&mut self, key: Key) -> Action {
        let (page, before) = (self.page(), self.before.take());
        let number = match key {
            // What is typed first belongs to it.
            Key::Character('/' | '?') => None,
            _ => self.take_number(),
        };
        let count = number.unwrap_or(1);
        match key {
            Key::Character('q' | 'Q') | Key::Control('c') => return Action::Quit,
            Key::Character('Z') if before == Some('Z') => return Action::Quit,
            Key::Character('Z') => self.before = Some('Z'),
            Key::Character(' ' | 'f' | 'z') | Key::Control('f' | 'v') | Key::PageDown => {
                if self.manner.more && self.is_at_end() {
                    return Action::Quit;
                }
                self.down(number.unwrap_or(page));
                if self.manner.more && self.is_at_end() {
                    // Its end is shown, and then it is over.
                    return Action::Quit;
                }
            }
            Key::Character('b' | 'w') | Key::Control('b') | Key::PageUp => {
                self.up(number.unwrap_or(page));
            }
            Key::Character('d') | Key::Control('d') => {
                self.down(number.unwrap_or(page / 2));
            }
            Key::Character('u') | Key::Control('u') => self.up(number.unwrap_or(page / 2)),
            Key::Character('j' | 'e') | Key::Control('e' | 'n' | 'j') | Key::Enter | Key::Down => {
                self.down(count);
                if self.manner.more && self.is_at_end() {
                    return Action::Quit;
                }
            }
            Key::Character('k' | 'y') | Key::Control('y' | 'k' | 'p') | Key::Up => self.up(count),
            Key::Character('g' | '<') | Key::Home => self.go_to(count),
            Key::Character('G' | '>') | Key::End => match number {
                Some(line) => self.go_to(line),
                None => self.show_end(),
            },
            Key::Character('%' | 'p') => {
                let lines = self.text.count();
                self.go_to(lines * number.unwrap_or(0).min(100) / 100 + 1);
            }
            Key::Right => {
                self.left += number.unwrap_or(self.width() / 2);
                self.top.1 = 0;
            }
            Key::Left => self.left = self.left.saturating_sub(number.unwrap_or(self.width() / 2)),
            Key::Character(kind @ ('/' | '?' | ':')) => {
                let text = String::new();
                self.typing = Some(Typing { kind, text });
            }
            Key::Character('n') => self.search(self.backwards, count),
            Key::Character('N') => self.search(!self.backwards, count),
            Key::Character('=') | Key::Control('g') => self.message = Some(self.place()),
            _ => {}
        }
        Action::Draw
    }
}
