//! The fields of a line: the word, what stands around it, and what of that goes where there is room.

use super::measure::Measure;
use super::request::Request;
use super::scan::{Entry, Index, Text, blanks, solid, without_suffix};
use super::word::Words;

/// A part of a text. One that would end before it begins is empty, but counts as narrower than that.
#[derive(Clone, Copy, Debug, Default)]
pub struct Field {
    pub start: usize,
    pub end: usize,
    /// Something is missing on its outer side.
    pub cut: bool,
}

impl Field {
    /// How many bytes it has.
    pub fn width(&self) -> isize {
        self.end as isize - self.start as isize
    }
}

/// The fields of an entry.
pub struct Fields {
    pub text: usize,
    /// What follows on the right, printed on the far left.
    pub tail: Field,
    pub before: Field,
    /// The word and what follows it.
    pub after: Field,
    /// The end of the word in that.
    pub key_end: usize,
    /// What stands on the left, printed on the far right.
    pub head: Field,
    pub reference: Vec<u8>,
}

impl Fields {
    /// The fields of an entry, as wide as they may be.
    pub fn new(request: &Request, measure: &Measure, index: &Index, entry: &Entry) -> Fields {
        let text = &index.texts[entry.text];
        let maker = Maker {
            request,
            measure,
            entry,
            words: &index.words,
            bytes: &text.bytes,
        };
        let mut after = maker.after();
        let from = maker.left_start(index.longest);
        let mut before = maker.before(from);
        let tail = maker.tail(&before, &mut after);
        let head = maker.head(from, &mut before, &after);
        Fields {
            text: entry.text,
            key_end: maker.key_end(&after),
            reference: maker.reference(text),
            tail,
            before,
            after,
            head,
        }
    }
}

struct Maker<'a> {
    request: &'a Request,
    measure: &'a Measure,
    entry: &'a Entry,
    words: &'a Words,
    bytes: &'a [u8],
}

impl Maker<'_> {
    /// The length of the word or of the byte at a place.
    fn step(&self, from: usize, to: usize) -> usize {
        match self.bytes.get(from..to) {
            None | Some([]) => 1,
            Some(text) => self.words.step(text),
        }
    }

    /// Where the word ends; one that is white space alone was left out before.
    fn key_end(&self, after: &Field) -> usize {
        match self.words {
            Words::Bytes(_) if after.start == after.end => after.end,
            _ => after.start + self.step(after.start, after.end),
        }
    }

    /// The first place at or after `from` without white space.
    fn skip_blanks(&self, from: usize, to: usize) -> usize {
        from + self.bytes.get(from..to).map_or(0, blanks)
    }

    /// Whether what is missing is marked.
    fn marks(&self) -> bool {
        !self.request.mark.is_empty()
    }

    /// The word, and whole words after it while there is room.
    fn after(&self) -> Field {
        let (start, right) = (self.entry.start, self.entry.right);
        let last = start as isize + self.measure.after;
        let (mut end, mut cursor) = (self.entry.end, self.entry.end);
        while cursor < right && cursor as isize <= last {
            end = cursor;
            cursor += self.step(cursor, right);
        }
        if cursor as isize <= last {
            end = cursor;
        }
        Field {
            start,
            end: without_suffix(self.bytes, start, end),
            cut: self.marks() && end < right,
        }
    }

    /// Where looking for what stands on the left begins: at a word, not much farther away than a line.
    fn left_start(&self, longest: usize) -> usize {
        let (left, key) = (self.entry.left, self.entry.start);
        let reach = usize::try_from(self.measure.half).unwrap_or(0) + longest;
        if key as isize - left as isize > reach as isize {
            let from = key - reach;
            from + self.step(from, key)
        } else {
            left
        }
    }

    /// Whole words up to the word, as many as there is room for.
    fn before(&self, from: usize) -> Field {
        let end = without_suffix(self.bytes, from, self.entry.start);
        let start = self.shrink(from, end, self.measure.before);
        let outer = without_suffix(self.bytes, 0, start);
        Field {
            start: self.skip_blanks(start, self.bytes.len()),
            end,
            cut: self.marks() && outer > self.entry.left,
        }
    }

    /// Leaves out words from the left until what is left fits.
    fn shrink(&self, mut start: usize, end: usize, room: isize) -> usize {
        while (start as isize) + room < end as isize {
            start += self.step(start, end);
        }
        start
    }

    /// What did not fit after the word, where there is room before it.
    fn tail(&self, before: &Field, after: &mut Field) -> Field {
        let room = self.measure.before - before.width() - self.request.gap;
        if room <= 0 {
            return Field::default();
        }
        let right = self.entry.right;
        let start = self.skip_blanks(after.end, self.bytes.len());
        let last = start as isize + room;
        let (mut end, mut cursor) = (start, start);
        while cursor < right && (cursor as isize) < last {
            end = cursor;
            cursor += self.step(cursor, right);
        }
        if (cursor as isize) < last {
            end = cursor;
        }
        let found = end > start;
        if found {
            after.cut = false;
        }
        Field {
            start,
            end: without_suffix(self.bytes, start, end),
            cut: found && self.marks() && end < right,
        }
    }

    /// What did not fit before the word, where there is room after it.
    fn head(&self, from: usize, before: &mut Field, after: &Field) -> Field {
        let room = self.measure.after - after.width() - self.request.gap;
        if room <= 0 {
            return Field::default();
        }
        let end = without_suffix(self.bytes, 0, before.start);
        let start = self.shrink(from, end, room);
        let found = end > start;
        if found {
            before.cut = false;
        }
        Field {
            start: self.skip_blanks(start, end),
            end,
            cut: found && self.marks() && start > self.entry.left,
        }
    }

    fn reference(&self, text: &Text) -> Vec<u8> {
        if self.request.automatic {
            let mut reference = text.name.clone();
            reference.extend_from_slice(format!(":{}", self.entry.reference).as_bytes());
            return reference;
        }
        if !self.request.given {
            return Vec::new();
        }
        let line = self.bytes.get(self.entry.reference..self.entry.right);
        let line = line.unwrap_or_default();
        line[..solid(line)].to_vec()
    }
}
