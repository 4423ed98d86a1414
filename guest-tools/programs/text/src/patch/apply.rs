//! Finding the place of a hunk and applying it, as patch's `locate_hunk` does.
//!
//! A hunk is looked for where it says, moved by as much as the hunk before it was, then at growing distances ahead
//! and behind. What must match are its lines of the old text, but for `fuzz` lines of context at either end. A hunk
//! with less context before than after was made at the start of a file, and must match there as long as there is no
//! fuzz to make up for it; the same holds for the end.
//!
//! The cost of a search is O(lines of the text · lines of the hunk) at worst. Hunks must come in the order of the
//! text: none is looked for above the end of the last one.

use super::read::{Hunk, Side};

/// A text that is being patched.
pub struct Text<'a> {
    lines: Vec<&'a [u8]>,
    /// `-l`: runs of blanks are equal, and those at the end of a line do not count.
    ignore_blanks: bool,
    /// The name of `-D`: both texts are kept, and the preprocessor of C takes one of them.
    define: Option<&'a [u8]>,
    /// How many lines of the old text are done with.
    done: usize,
    /// How far the last hunk was from where it said.
    pub offset: isize,
    /// By how many lines the new text is longer so far.
    pub growth: isize,
    /// The new text so far, which stands for the first `done` lines of the old one.
    pub result: Vec<u8>,
}

/// Which text the lines that are written belong to, with `-D`.
#[derive(Clone, Copy)]
enum Part {
    Common,
    Old,
    New,
    /// Behind `#else`.
    Other,
}

/// Where a hunk fits.
#[derive(Clone, Copy, Debug)]
pub struct Place {
    /// The line of the old text, counted from 1.
    pub line: usize,
    /// How many lines of context were not looked at, at the start and at the end.
    skip: (usize, usize),
}

impl<'a> Text<'a> {
    /// Splits `content` into lines.
    pub fn new(content: &'a [u8], ignore_blanks: bool, define: Option<&'a [u8]>) -> Text<'a> {
        Text {
            lines: content.split_inclusive(|&byte| byte == b'\n').collect(),
            ignore_blanks,
            define,
            done: 0,
            offset: 0,
            growth: 0,
            result: Vec::with_capacity(content.len()),
        }
    }

    /// Whether the lines of a hunk, but those of `skip`, stand in the text from `line` on.
    fn fits(&self, pattern: &[&[u8]], line: isize, skip: (usize, usize)) -> bool {
        let inner = &pattern[skip.0.min(pattern.len())..pattern.len().saturating_sub(skip.1)];
        let Ok(line) = usize::try_from(line - 1) else {
            return false;
        };
        let start = line + skip.0;
        let there = self.lines.get(start..start + inner.len());
        there.is_some_and(|there| {
            let mut pairs = there.iter().zip(inner);
            pairs.all(|(have, want)| {
                have == want || (self.ignore_blanks && squeezed(have) == squeezed(want))
            })
        })
    }

    /// The place nearest to where the hunk says, when `fuzz` lines of its context may differ. A hunk without lines of
    /// the old text fits anywhere in it.
    pub fn locate(&self, hunk: &Hunk, fuzz: usize) -> Option<Place> {
        let pattern = hunk.side(Side::Old);
        let (prefix, suffix) = hunk.context();
        let guess = hunk.old_start as isize + self.offset;
        if pattern.is_empty() {
            let line = usize::try_from(guess).ok()?;
            let most = self.lines.len() + 1;
            let empty = (1..=most).contains(&line) && line > self.done;
            return empty.then_some(Place { line, skip: (0, 0) });
        }
        let context = prefix.max(suffix) as isize;
        let fuzz = fuzz as isize;
        let prefix_fuzz = fuzz + prefix as isize - context;
        let suffix_fuzz = fuzz + suffix as isize - context;
        let (count, length) = (pattern.len() as isize, self.lines.len() as isize);
        let place = |line: isize, skip: (isize, isize)| {
            let skip = (skip.0.max(0) as usize, skip.1.max(0) as usize);
            let line_number = usize::try_from(line).ok()?;
            let fresh = line_number + skip.0 > self.done;
            (fresh && self.fits(&pattern, line, skip)).then_some(Place {
                line: line_number,
                skip,
            })
        };
        if prefix_fuzz < 0 && hunk.old_start <= 1 {
            // Less context before than after: it was the start of the file.
            if suffix_fuzz < 0 && count != length {
                return None;
            }
            return place(1, (0, suffix_fuzz));
        }
        let prefix_fuzz = prefix_fuzz.max(0);
        if suffix_fuzz < 0 {
            // Less context after than before: it was the end.
            return place(length - count + 1, (prefix_fuzz, 0));
        }
        let most = length - (count - suffix_fuzz) + 1;
        let forward = most - guess;
        let backward = guess - 1;
        (0..=forward.max(backward).max(0)).find_map(|offset| {
            let skip = (prefix_fuzz, suffix_fuzz);
            let ahead = (offset <= forward).then(|| place(guess + offset, skip));
            ahead.flatten().or_else(|| {
                let behind =
                    (0 < offset && offset <= backward).then(|| place(guess - offset, skip));
                behind.flatten()
            })
        })
    }

    /// Whether the line where the hunk should fit ends in a carriage return and the hunk's does not, or the other way
    /// round.
    pub fn has_other_ends(&self, hunk: &Hunk) -> bool {
        let returns = |line: &[u8]| line.ends_with(b"\r\n");
        let there = self.lines.get(hunk.old_start.saturating_sub(1));
        let line = hunk.lines.first().zip(there);
        line.is_some_and(|((_, line), there)| returns(line) != returns(there))
    }

    /// Applies the hunk at a place that `locate` gave; lines of its context stay as they are in the text.
    pub fn apply(&mut self, hunk: &Hunk, place: Place) {
        self.offset = place.line as isize - hunk.old_start as isize;
        let start = place.line - 1 + place.skip.0;
        self.copy_to(start);
        let last = hunk.lines.len() - place.skip.1;
        let mut part = Part::Common;
        let mut lines: Vec<&(Side, Vec<u8>)> = hunk.lines[place.skip.0..last].iter().collect();
        if self.define.is_some() {
            // What goes stands before what comes, also where the hunk was turned.
            let same = |a: &&(Side, Vec<u8>), b: &&(Side, Vec<u8>)| {
                (a.0 == Side::Both) == (b.0 == Side::Both)
            };
            for run in lines.chunk_by_mut(same) {
                run.sort_by_key(|(side, _)| *side == Side::New);
            }
        }
        for (side, text) in lines {
            self.divide(&mut part, *side);
            match side {
                Side::Both => self.copy_to(self.done + 1),
                Side::Old => {
                    if self.define.is_some() {
                        self.end_line();
                        self.result.extend_from_slice(text);
                    }
                    self.done += 1;
                }
                Side::New => {
                    self.end_line();
                    self.result.extend_from_slice(text);
                }
            }
        }
        self.divide(&mut part, Side::Both);
        self.growth += hunk.side(Side::New).len() as isize - hunk.side(Side::Old).len() as isize;
    }

    /// With `-D`, writes the line of the preprocessor that stands between what came before and a line of a side.
    fn divide(&mut self, part: &mut Part, side: Side) {
        let Some(name) = self.define else {
            return;
        };
        let (next, line) = match (*part, side) {
            (Part::Common, Side::Old) => (Part::Old, [b"#ifndef ", name, b"\n"].concat()),
            (Part::Common, Side::New) => (Part::New, [b"#ifdef ", name, b"\n"].concat()),
            (Part::Old, Side::New) | (Part::New, Side::Old) => (Part::Other, b"#else\n".to_vec()),
            (Part::Old | Part::New | Part::Other, Side::Both) => {
                (Part::Common, b"#endif\n".to_vec())
            }
            _ => return,
        };
        *part = next;
        self.end_line();
        self.result.extend_from_slice(&line);
    }

    /// Copies lines of the old text up to `line`, counted from 0.
    fn copy_to(&mut self, line: usize) {
        let line = line.min(self.lines.len());
        while self.done < line {
            self.end_line();
            self.result.extend_from_slice(self.lines[self.done]);
            self.done += 1;
        }
    }

    /// A line that had no end gets one when another follows it.
    fn end_line(&mut self) {
        if self.result.last().is_some_and(|&last| last != b'\n') {
            self.result.push(b'\n');
        }
    }

    /// The new text, with what follows the last hunk.
    pub fn finish(mut self) -> Vec<u8> {
        self.copy_to(self.lines.len());
        self.result
    }
}

/// A line with each run of blanks as one, and none at its end, for `-l`.
fn squeezed(line: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(line.len());
    for &byte in line.trim_ascii_end() {
        if byte == b' ' || byte == b'\t' {
            if out.last() != Some(&b' ') {
                out.push(b' ');
            }
        } else {
            out.push(byte);
        }
    }
    out
}
