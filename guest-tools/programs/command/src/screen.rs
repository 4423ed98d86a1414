//! A program on the whole screen of a terminal: keys as they come, and what is drawn.

use std::io::{Read, Write as _};

use crate::system::{self, Failure, File, TerminalMode};

/// What a key means.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Key {
    /// A character.
    Character(char),
    /// Ctrl and this letter, in lower case.
    Control(char),
    /// The arrow upwards.
    Up,
    /// The arrow downwards.
    Down,
    /// The arrow to the left.
    Left,
    /// The arrow to the right.
    Right,
    /// To the beginning.
    Home,
    /// To the end.
    End,
    /// A page upwards.
    PageUp,
    /// A page downwards.
    PageDown,
    /// Removes what is under the cursor.
    Delete,
    /// Removes what is before the cursor.
    Backspace,
    /// The end of a line.
    Enter,
    /// Tab
    Tab,
    /// Escape
    Escape,
}

/// The terminal while a program has the whole of it; as before once this is dropped.
pub struct Screen {
    keys: File,
    pending: Vec<u8>,
    /// The descriptor that is the terminal.
    terminal: u32,
    before: TerminalMode,
    alternate: bool,
}

/// Bytes that are read at once.
const BLOCK: usize = 1024;

impl Screen {
    /// Takes the terminal; `alternate` leaves what is on it as it is, to be seen again afterwards. None
    /// where there is none.
    ///
    /// # Errors
    /// Where its keys cannot be read.
    pub fn take(alternate: bool) -> Option<Result<Screen, Failure>> {
        let is_one = |number: &u32| system::terminal_mode(*number).is_some();
        let terminal = (0..3).find(is_one)?;
        let before = system::terminal_mode(terminal)?;
        let keys = match system::open_file(b"/dev/tty") {
            Ok(keys) => keys,
            Err(failure) => return Some(Err(failure)),
        };
        let raw = TerminalMode {
            echo: false,
            lines: false,
            signals: false,
        };
        if let Err(failure) = system::set_terminal(terminal, raw) {
            return Some(Err(failure));
        }
        let mut screen = Screen {
            keys,
            pending: Vec::new(),
            terminal,
            before,
            alternate,
        };
        if alternate {
            screen.draw(b"\x1b[?1049h\x1b[H");
        }
        Some(Ok(screen))
    }

    /// Columns and lines, at least one of each.
    pub fn size(&self) -> (usize, usize) {
        let (columns, lines) = system::terminal_size(self.terminal).unwrap_or((80, 24));
        (usize::from(columns.max(1)), usize::from(lines.max(1)))
    }

    /// Writes to the terminal at once.
    pub fn draw(&mut self, bytes: &[u8]) {
        let mut output = crate::stream::stdout().lock();
        // Where nobody looks any more, the keys end as well.
        let _ = output.write_all(bytes).and_then(|()| output.flush());
    }

    /// Waits for a key; none at the end of the input.
    pub fn key(&mut self) -> Option<Key> {
        loop {
            if let Some((key, length)) = decode(&self.pending) {
                self.pending.drain(..length);
                return Some(key);
            }
            let mut block = [0; BLOCK];
            match self.keys.read(&mut block) {
                Ok(count) if count > 0 => self.pending.extend_from_slice(&block[..count]),
                _ => return None,
            }
        }
    }
}

impl Drop for Screen {
    fn drop(&mut self) {
        if self.alternate {
            self.draw(b"\x1b[?1049l");
        }
        // A terminal that is gone needs no mode.
        let _ = system::set_terminal(self.terminal, self.before);
    }
}

/// What the arrows and their kin send, behind the escape.
const SEQUENCES: &[(&[u8], Key)] = &[
    (b"[A", Key::Up),
    (b"[B", Key::Down),
    (b"[C", Key::Right),
    (b"[D", Key::Left),
    (b"OA", Key::Up),
    (b"OB", Key::Down),
    (b"OC", Key::Right),
    (b"OD", Key::Left),
    (b"[H", Key::Home),
    (b"[F", Key::End),
    (b"OH", Key::Home),
    (b"OF", Key::End),
    (b"[1~", Key::Home),
    (b"[4~", Key::End),
    (b"[7~", Key::Home),
    (b"[8~", Key::End),
    (b"[3~", Key::Delete),
    (b"[5~", Key::PageUp),
    (b"[6~", Key::PageDown),
];

/// The first key of what was typed and its bytes; none where more of it has to come. What a key sends
/// arrives at once, so an escape with nothing behind it is the key of that name.
fn decode(typed: &[u8]) -> Option<(Key, usize)> {
    let first = *typed.first()?;
    let key = match first {
        b'\r' | b'\n' => Key::Enter,
        b'\t' => Key::Tab,
        0x7f | 0x08 => Key::Backspace,
        0x1b => {
            let rest = &typed[1..];
            let found = SEQUENCES.iter().find(|(text, _)| rest.starts_with(text));
            return Some(match found {
                Some((text, key)) => (*key, 1 + text.len()),
                None => (Key::Escape, 1),
            });
        }
        0..=0x1f => Key::Control(char::from(first + b'`')),
        _ => {
            let length = match first {
                0xc0..=0xdf => 2,
                0xe0..=0xef => 3,
                0xf0..=0xf7 => 4,
                _ => 1,
            };
            let text = typed.get(..length)?;
            let character = std::str::from_utf8(text)
                .ok()
                .and_then(|text| text.chars().next());
            return Some((
                Key::Character(character.unwrap_or(char::REPLACEMENT_CHARACTER)),
                length,
            ));
        }
    };
    Some((key, 1))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn keys_are_told_apart() {
        for (typed, expected) in [
            (b"a".as_slice(), Some((Key::Character('a'), 1))),
            ("ä".as_bytes(), Some((Key::Character('ä'), 2))),
            (&"ä".as_bytes()[..1], None),
            (b"\x03", Some((Key::Control('c'), 1))),
            (b"\r", Some((Key::Enter, 1))),
            (b"\x7f", Some((Key::Backspace, 1))),
            (b"\x1b[Ax", Some((Key::Up, 3))),
            (b"\x1b[5~", Some((Key::PageUp, 4))),
            (b"\x1b", Some((Key::Escape, 1))),
            (b"\x1b:q", Some((Key::Escape, 1))),
            (b"", None),
        ] {
            assert_eq!(decode(typed), expected, "{typed:?}");
        }
    }
}
