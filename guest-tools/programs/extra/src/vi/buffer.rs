//! The text of an editor: lines of characters, and how they were before.
//!
//! Lines are shared between the text and its past, so a copy for `u` costs a pointer for each line. There is always at
//! least one line; a text of one empty line is an empty file.

use std::rc::Rc;

/// A line without its end.
pub type Line = Rc<Vec<char>>;

/// Bytes that are no UTF-8 are these characters and one for each value, so that nothing is lost.
const RAW: u32 = 0x10_ff00;

/// How often changes can be taken back.
const UNDO: usize = 200;

/// A place: line and character.
pub type Place = (usize, usize);

/// A text with its past.
#[derive(Clone, Debug)]
pub struct Buffer {
    /// The lines; never none.
    pub lines: Vec<Line>,
    /// The last line had no end in the file.
    open: bool,
    /// Earlier states, the latest last, each with the cursor of that time.
    past: Vec<(Vec<Line>, Place)>,
    /// States that were taken back, for `^R`.
    future: Vec<(Vec<Line>, Place)>,
    /// There is something that was not written.
    pub changed: bool,
}

impl Buffer {
    /// The text of a file.
    pub fn new(bytes: &[u8]) -> Buffer {
        let open = !bytes.is_empty() && !bytes.ends_with(b"\n");
        let text = bytes.strip_suffix(b"\n").unwrap_or(bytes);
        let lines = text
            .split(|&byte| byte == b'\n')
            .map(|line| Rc::new(characters(line)));
        Buffer {
            lines: lines.collect(),
            open,
            past: Vec::new(),
            future: Vec::new(),
            changed: false,
        }
    }

    /// The bytes of these lines as a file has them.
    pub fn bytes(&self) -> Vec<u8> {
        let mut bytes = Vec::new();
        if self.lines.len() == 1 && self.lines[0].is_empty() {
            return bytes;
        }
        for line in &self.lines {
            for &character in line.iter() {
                match (character as u32).checked_sub(RAW) {
                    Some(byte) => bytes.push(byte as u8),
                    None => bytes.extend_from_slice(character.encode_utf8(&mut [0; 4]).as_bytes()),
                }
            }
            bytes.push(b'\n');
        }
        if self.open {
            bytes.pop();
        }
        bytes
    }

    /// The length of a line in characters; 0 where there is none.
    pub fn len(&self, line: usize) -> usize {
        self.lines.get(line).map_or(0, |line| line.len())
    }

    /// The character at a place; `None` behind the end of a line.
    pub fn at(&self, place: Place) -> Option<char> {
        self.lines.get(place.0)?.get(place.1).copied()
    }

    /// A line to be changed.
    pub fn line(&mut self, number: usize) -> Option<&mut Vec<char>> {
        self.changed = true;
        self.lines.get_mut(number).map(Rc::make_mut)
    }

    /// Remembers the text before a change; `place` is where the cursor is.
    pub fn remember(&mut self, place: Place) {
        self.past.push((self.lines.clone(), place));
        if self.past.len() > UNDO {
            self.past.remove(0);
        }
        self.future.clear();
    }

    /// Takes the last change back, or does it again; where the cursor goes.
    pub fn undo(&mut self, place: Place, again: bool) -> Option<Place> {
        let (from, to) = match again {
            false => (&mut self.past, &mut self.future),
            true => (&mut self.future, &mut self.past),
        };
        let (lines, before) = from.pop()?;
        to.push((std::mem::replace(&mut self.lines, lines), place));
        self.changed = true;
        Some(before)
    }

    /// Removes what is between two places, and gives it back.
    pub fn cut(&mut self, from: Place, to: Place) -> Vec<Vec<char>> {
        let taken = self.copy(from, to);
        let tail = self
            .lines
            .get(to.0)
            .map(|line| line[to.1.min(line.len())..].to_vec());
        if let Some(line) = self.line(from.0) {
            line.truncate(from.1);
            line.extend(tail.unwrap_or_default());
        }
        if to.0 > from.0 {
            let end = (to.0 + 1).min(self.lines.len());
            self.lines.drain(from.0 + 1..end);
        }
        taken
    }

    /// What is between two places.
    pub fn copy(&self, from: Place, to: Place) -> Vec<Vec<char>> {
        let lines = self
            .lines
            .iter()
            .enumerate()
            .skip(from.0)
            .take(to.0 + 1 - from.0);
        let part = |(number, line): (usize, &Line)| {
            let start = if number == from.0 { from.1 } else { 0 };
            let end = if number == to.0 { to.1 } else { line.len() };
            let end = end.min(line.len());
            line[start.min(end)..end].to_vec()
        };
        lines.map(part).collect()
    }

    /// Removes whole lines, and gives them back; one empty line stays.
    pub fn cut_lines(&mut self, from: usize, to: usize) -> Vec<Vec<char>> {
        self.changed = true;
        let end = (to + 1).min(self.lines.len());
        let taken = self.lines.drain(from.min(end)..end);
        let taken = taken.map(|line| line.to_vec()).collect();
        if self.lines.is_empty() {
            self.lines.push(Line::default());
        }
        taken
    }

    /// Puts text in; where it ends.
    pub fn insert(&mut self, place: Place, text: &[Vec<char>]) -> Place {
        self.changed = true;
        let Some((first, rest)) = text.split_first() else {
            return place;
        };
        let Some(line) = self.lines.get_mut(place.0).map(Rc::make_mut) else {
            return place;
        };
        let tail = line.split_off(place.1.min(line.len()));
        line.extend(first);
        let mut end = (place.0, line.len());
        for text in rest {
            end = (end.0 + 1, text.len());
            self.lines.insert(end.0, Rc::new(text.clone()));
        }
        if let Some(line) = self.lines.get_mut(end.0).map(Rc::make_mut) {
            line.extend(tail);
        }
        end
    }

    /// Puts whole lines in before this one.
    pub fn insert_lines(&mut self, at: usize, text: &[Vec<char>]) {
        self.changed = true;
        let at = at.min(self.lines.len());
        self.lines
            .splice(at..at, text.iter().map(|line| Rc::new(line.clone())));
    }
}

/// The characters of a line.
pub fn characters(line: &[u8]) -> Vec<char> {
    let mut characters = Vec::with_capacity(line.len());
    for chunk in line.utf8_chunks() {
        characters.extend(chunk.valid().chars());
        let raw = chunk
            .invalid()
            .iter()
            .map(|&byte| char::from_u32(RAW + u32::from(byte)));
        characters.extend(raw.flatten());
    }
    characters
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_is_lost() {
        for text in [
            b"".as_slice(),
            b"\n\n",
            b"one\ntwo\n",
            b"no end",
            b"\xff\xc3(\n",
            "ä\n".as_bytes(),
        ] {
            assert_eq!(Buffer::new(text).bytes(), text, "{text:?}");
        }
    }
}
