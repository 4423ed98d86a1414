//! Patterns without groups: runs of single characters with `*` between them.
//!
//! Such a pattern needs no backtracking. Going through a text, each run may be placed at the first
//! spot where it fits, since that leaves the most room for those after it; so every search is one
//! pass over the text for each run.

use std::ops::Range;

use memchr::{memchr, memmem, memrchr};

use super::Options;
use super::character::{Character, decode, fold, previous};
use super::parse::Node;
use super::set::Set;

/// A compiled pattern: its runs, between each two of which stands a `*`. A `*` at an end shows as
/// an empty run there.
#[derive(Debug, Clone)]
pub(super) struct Segments {
    runs: Vec<Run>,
    ignore_case: bool,
    bytewise: bool,
}

/// Characters in a row.
#[derive(Debug, Clone)]
enum Run {
    /// Known bytes.
    Literal(Vec<u8>),
    /// Anything of a fixed number of characters.
    Units(Vec<Unit>),
}

#[derive(Debug, Clone)]
enum Unit {
    Character(Character),
    Any,
    Set(Set),
}

impl Segments {
    /// Compiles a pattern; none where it has groups.
    pub(super) fn new(nodes: &[Node], options: Options) -> Option<Segments> {
        let mut runs = Vec::new();
        for nodes in nodes.split(|node| *node == Node::Star) {
            let units = nodes.iter().map(|node| match node {
                Node::Character(character) => Some(Unit::Character(*character)),
                Node::Any => Some(Unit::Any),
                Node::Set(set) => Some(Unit::Set(set.clone())),
                Node::Star | Node::Group(..) => None,
            });
            runs.push(Run::new(
                units.collect::<Option<Vec<_>>>()?,
                options.ignore_case,
            ));
        }
        Some(Segments {
            runs,
            ignore_case: options.ignore_case,
            bytewise: options.bytewise,
        })
    }

    /// The text that is the only match, where that is so.
    pub(super) fn literal(&self) -> Option<&[u8]> {
        match self.runs.as_slice() {
            [Run::Literal(bytes)] => Some(bytes),
            _ => None,
        }
    }

    /// Whether a match can begin with a dot that is written out.
    pub(super) fn begins_with_dot(&self) -> bool {
        match self.runs.first() {
            Some(Run::Literal(bytes)) => bytes.first() == Some(&b'.'),
            Some(Run::Units(units)) => {
                matches!(units.first(), Some(Unit::Character(character)) if *character == u32::from('.'))
            }
            None => false,
        }
    }

    /// Whether the whole text matches.
    pub(super) fn matches(&self, text: &[u8]) -> bool {
        let Some(start) = self.at_start(&self.runs[0], text, 0) else {
            return false;
        };
        match &self.runs[1..] {
            [] => start == text.len(),
            [middle @ .., last] => {
                let Some(end) = self.at_end(last, text, start) else {
                    return false;
                };
                self.place_forward(middle, &text[..end], start).is_some()
            }
        }
    }

    /// The end of the longest match, or of the shortest, that begins at `from`.
    pub(super) fn prefix(&self, text: &[u8], from: usize, longest: bool) -> Option<usize> {
        let start = self.at_start(&self.runs[0], text, from)?;
        self.rest(text, start, longest)
    }

    /// Where the longest match, or the shortest, begins that ends with the text.
    pub(super) fn suffix(&self, text: &[u8], longest: bool) -> Option<usize> {
        let [first, middle @ .., last] = self.runs.as_slice() else {
            return self.at_end(self.runs.first()?, text, 0);
        };
        let mut end = self.at_end(last, text, 0)?;
        for run in middle.iter().rev() {
            end = self.find_last(run, text, 0, end)?.start;
        }
        if longest {
            return Some(self.find_first(first, &text[..end], 0)?.start);
        }
        Some(self.find_last(first, text, 0, end)?.start)
    }

    /// The leftmost match from `from` on, as long as it can be.
    pub(super) fn find(&self, text: &[u8], from: usize) -> Option<Range<usize>> {
        let first = self.find_first(&self.runs[0], text, from)?;
        // A later start leaves less room: where this one fails, all do.
        let end = self.rest(text, first.end, true)?;
        Some(first.start..end)
    }

    /// Places all runs but the first, after `start`; gives the end.
    fn rest(&self, text: &[u8], start: usize, longest: bool) -> Option<usize> {
        match &self.runs[1..] {
            [] => Some(start),
            runs if !longest => self.place_forward(runs, text, start),
            [middle @ .., last] => {
                let start = self.place_forward(middle, text, start)?;
                Some(self.find_last(last, text, start, text.len())?.end)
            }
        }
    }

    /// Places each run at the first spot where it fits; gives the end of the last.
    fn place_forward(&self, runs: &[Run], text: &[u8], mut start: usize) -> Option<usize> {
        for run in runs {
            start = self.find_first(run, text, start)?.end;
        }
        Some(start)
    }

    fn find_first(&self, run: &Run, text: &[u8], from: usize) -> Option<Range<usize>> {
        match run {
            Run::Literal(bytes) => {
                let start = from + find(text.get(from..)?, bytes)?;
                Some(start..start + bytes.len())
            }
            Run::Units(_) => {
                let mut start = from;
                loop {
                    if let Some(end) = self.at_start(run, text, start) {
                        return Some(start..end);
                    }
                    start += decode(text, start, self.bytewise)?.1;
                }
            }
        }
    }

    /// The last spot between `from` and `end`.
    fn find_last(&self, run: &Run, text: &[u8], from: usize, end: usize) -> Option<Range<usize>> {
        match run {
            Run::Literal(bytes) => {
                let start = from + find_back(text.get(from..end)?, bytes)?;
                Some(start..start + bytes.len())
            }
            Run::Units(_) => {
                let mut end = end;
                loop {
                    if let Some(start) = self.at_end(run, &text[..end], from) {
                        return Some(start..end);
                    }
                    if end <= from {
                        return None;
                    }
                    end = previous(text, end, self.bytewise);
                }
            }
        }
    }

    /// The end of the run, placed at `from`.
    fn at_start(&self, run: &Run, text: &[u8], from: usize) -> Option<usize> {
        match run {
            // Comparing nothing takes some processors long.
            Run::Literal(bytes) if bytes.is_empty() => Some(from),
            Run::Literal(bytes) => text
                .get(from..)?
                .starts_with(bytes)
                .then_some(from + bytes.len()),
            Run::Units(units) => {
                let mut at = from;
                for unit in units {
                    let (character, length) = decode(text, at, self.bytewise)?;
                    if !self.fits(unit, character) {
                        return None;
                    }
                    at += length;
                }
                Some(at)
            }
        }
    }

    /// The start of the run, placed so that it ends with the text, at `lowest` or later.
    fn at_end(&self, run: &Run, text: &[u8], lowest: usize) -> Option<usize> {
        let start = match run {
            Run::Literal(bytes) if bytes.is_empty() => text.len(),
            Run::Literal(bytes) => text.strip_suffix(bytes.as_slice())?.len(),
            Run::Units(units) => {
                let mut at = text.len();
                for unit in units.iter().rev() {
                    if at == 0 {
                        return None;
                    }
                    let start = previous(&text[..at], at, self.bytewise);
                    if !self.fits(unit, decode(text, start, self.bytewise)?.0) {
                        return None;
                    }
                    at = start;
                }
                at
            }
        };
        (start >= lowest).then_some(start)
    }

    #[inline]
    fn fits(&self, unit: &Unit, character: Character) -> bool {
        match unit {
            Unit::Any => true,
            Unit::Set(set) => set.contains(character),
            Unit::Character(wanted) if self.ignore_case => *wanted == fold(character),
            Unit::Character(wanted) => *wanted == character,
        }
    }
}

impl Run {
    fn new(units: Vec<Unit>, ignore_case: bool) -> Run {
        let mut bytes = Vec::new();
        for unit in &units {
            let Unit::Character(character) = unit else {
                return Run::Units(units);
            };
            match char::from_u32(*character) {
                Some(it) if ignore_case && it.is_alphabetic() => return Run::Units(units),
                Some(it) => bytes.extend_from_slice(it.encode_utf8(&mut [0; 4]).as_bytes()),
                // Stray bytes.
                None => bytes.push(*character as u8),
            }
        }
        Run::Literal(bytes)
    }
}

/// Below this length, in bytes, preparing a fast search costs more than it saves.
const SHORT: usize = 128;

/// The first place of `wanted`.
fn find(text: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [] => Some(0),
        [byte] => memchr(*byte, text),
        _ if text.len() > SHORT => memmem::find(text, wanted),
        _ => text
            .windows(wanted.len())
            .position(|window| window == wanted),
    }
}

/// The last place of `wanted`.
fn find_back(text: &[u8], wanted: &[u8]) -> Option<usize> {
    match wanted {
        [] => Some(text.len()),
        [byte] => memrchr(*byte, text),
        _ if text.len() > SHORT => memmem::rfind(text, wanted),
        _ => text
            .windows(wanted.len())
            .rposition(|window| window == wanted),
    }
}
