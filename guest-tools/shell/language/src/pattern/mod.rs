//! Glob patterns with the extensions of bash.
//!
//! A pattern is compiled once ([`Pattern::new`]) and then matched against whole texts (`case`,
//! `[[ ]]`), against their starts and ends (`${x#p}`, `${x%p}`), searched for (`${x/p/r}`), or
//! matched against the names in directories ([`glob`]).
//!
//! Quoting: in a pattern's text, a backslash makes the byte after it stand for itself. Whoever
//! expands a word into a pattern puts one before every quoted special byte ([`escape`]).

mod automaton;
mod character;
mod parse;
mod path;
#[cfg(test)]
mod path_tests;
pub mod regex;
mod segments;
mod set;
#[cfg(test)]
mod tests;

use std::ops::Range;

use automaton::{Automaton, Goal, Search};
use segments::Segments;

pub use crate::syntax::tree::ReplaceAnchor;
pub use path::{Entry, EntryKind, Files, GlobOptions, TooManyNames, glob};

/// How a pattern is read and matched.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Default)]
pub struct Options {
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)` and `!(…)` are operators: `extglob` is on, or the pattern
    /// stands in `[[ ]]`.
    pub extended: bool,
    /// Upper and lower case are the same: `nocasematch`, `nocaseglob`.
    pub ignore_case: bool,
    /// A character is a byte, as in the C locale; else texts are UTF-8, and a byte that belongs to no
    /// sequence counts as a character.
    pub bytewise: bool,
}

/// A compiled pattern.
///
/// Searches take time in proportion to the lengths of pattern and text, whatever the pattern;
/// `!(…)` adds a factor of the text's length. They use no native stack in proportion to either.
///
/// ```
/// use offshoot_shell_language::pattern::{Options, Pattern};
///
/// let pattern = Pattern::new(b"*.tar.*", Options::default());
/// assert!(pattern.matches(b"a.tar.gz"));
/// assert_eq!(Pattern::new(b"*/", Options::default()).prefix(b"/usr/bin/", true), Some(9));
/// ```
#[derive(Debug, Clone)]
pub struct Pattern {
    form: Form,
    bytewise: bool,
    empty: bool,
    /// It begins with a `*`, of whatever kind.
    star: bool,
}

#[derive(Debug, Clone)]
enum Form {
    Segments(Segments),
    Automaton(Automaton),
}

impl Pattern {
    /// Compiles a pattern. Every text is one: what is no operator stands for itself.
    pub fn new(pattern: &[u8], options: Options) -> Pattern {
        let nodes = parse::parse(pattern, options);
        let form = match Segments::new(&nodes, options) {
            Some(segments) => Form::Segments(segments),
            None => Form::Automaton(Automaton::new(&nodes, options)),
        };
        Pattern {
            form,
            bytewise: options.bytewise,
            empty: pattern.is_empty(),
            star: pattern.first() == Some(&b'*'),
        }
    }

    /// The only text that matches, where there is just one.
    pub fn literal(&self) -> Option<&[u8]> {
        match &self.form {
            Form::Segments(segments) => segments.literal(),
            Form::Automaton(_) => None,
        }
    }

    /// Whether the whole text matches.
    pub fn matches(&self, text: &[u8]) -> bool {
        match &self.form {
            Form::Segments(segments) => segments.matches(text),
            Form::Automaton(automaton) => whole(&mut Search::new(automaton, text)),
        }
    }

    /// Whether a file's name matches. A dot at its start must be written out in the pattern unless
    /// `dots` is set.
    pub fn matches_name(&self, name: &[u8], dots: bool) -> bool {
        if dots || name.first() != Some(&b'.') {
            return self.matches(name);
        }
        match &self.form {
            Form::Segments(segments) => segments.begins_with_dot() && segments.matches(name),
            Form::Automaton(automaton) => whole(&mut Search::new(automaton, name).keep_dot()),
        }
    }

    /// The length of the longest match that the text begins with, or of the shortest.
    pub fn prefix(&self, text: &[u8], longest: bool) -> Option<usize> {
        match &self.form {
            Form::Segments(segments) => segments.prefix(text, 0, longest),
            Form::Automaton(automaton) => {
                let goal = Goal {
                    anchored: true,
                    first_end: !longest,
                    ..Goal::default()
                };
                Some(Search::new(automaton, text).find(0, goal)?.end)
            }
        }
    }

    /// Where the longest match, or the shortest, begins that the text ends with.
    pub fn suffix(&self, text: &[u8], longest: bool) -> Option<usize> {
        match &self.form {
            Form::Segments(segments) => segments.suffix(text, longest),
            Form::Automaton(automaton) => {
                let goal = Goal {
                    to_end: true,
                    last_start: !longest,
                    ..Goal::default()
                };
                Some(Search::new(automaton, text).find(0, goal)?.start)
            }
        }
    }

    /// The leftmost match at `from` or later; of several there, the longest.
    pub fn find(&self, text: &[u8], from: usize) -> Option<Range<usize>> {
        match &self.form {
            Form::Segments(segments) => segments.find(text, from),
            Form::Automaton(automaton) => Search::new(automaton, text).find(from, Goal::default()),
        }
    }

    /// The parts of the text that `${text/pattern/…}` replaces, in order.
    ///
    /// As in bash, an empty pattern replaces nothing but at an anchor, and at the end of the text
    /// only a pattern that begins with `*` matches nothing.
    pub fn replacements(&self, text: &[u8], anchor: ReplaceAnchor) -> Vec<Range<usize>> {
        let mut found: Vec<_> = match anchor {
            ReplaceAnchor::Prefix => self
                .prefix(text, true)
                .map(|end| 0..end)
                .into_iter()
                .collect(),
            ReplaceAnchor::Suffix => {
                return self
                    .suffix(text, true)
                    .map(|at| at..text.len())
                    .into_iter()
                    .collect();
            }
            _ if self.empty => return Vec::new(),
            ReplaceAnchor::First => self.find(text, 0).into_iter().collect(),
            ReplaceAnchor::All => self.find_all(text),
        };
        if !self.star && !self.empty {
            found.retain(|range| range.start < text.len());
        }
        found
    }

    fn find_all(&self, text: &[u8]) -> Vec<Range<usize>> {
        let mut found = Vec::new();
        let mut search = match &self.form {
            Form::Segments(_) => None,
            Form::Automaton(automaton) => Some(Search::new(automaton, text)),
        };
        let mut from = 0;
        loop {
            let next = match (&self.form, &mut search) {
                (Form::Segments(segments), _) => segments.find(text, from),
                (_, Some(search)) => search.find(from, Goal::default()),
                _ => None,
            };
            let Some(range) = next else {
                return found;
            };
            from = range.end;
            if range.is_empty() {
                // An empty match is made once; the search goes on after the next character.
                from +=
                    character::decode(text, from, self.bytewise).map_or(1, |(_, length)| length);
            }
            found.push(range);
            if from >= text.len() {
                return found;
            }
        }
    }
}

fn whole(search: &mut Search<'_>) -> bool {
    let goal = Goal {
        anchored: true,
        to_end: true,
        ..Goal::default()
    };
    search.find(0, goal).is_some()
}

/// Whether pathname expansion applies to a word: it has an operator that is not quoted.
pub fn has_magic(pattern: &[u8], extended: bool) -> bool {
    let mut open = false;
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        match byte {
            b'*' | b'?' => return true,
            b'[' => open = true,
            b']' if open => return true,
            b'/' => open = false,
            b'+' | b'@' | b'!' if extended && pattern.get(at + 1) == Some(&b'(') => return true,
            b'\\' => at += 1,
            _ => {}
        }
        at += 1;
    }
    false
}

/// The text with a backslash before every byte that is special in a pattern.
pub fn escape(text: &[u8]) -> Vec<u8> {
    let mut pattern = Vec::with_capacity(text.len());
    for &byte in text {
        if b"\\*?[]()|!+@-^".contains(&byte) {
            pattern.push(b'\\');
        }
        pattern.push(byte);
    }
    pattern
}

/// How long the bracket expression is that `pattern` begins with; 1 where it is none.
pub fn bracket_length(pattern: &[u8]) -> usize {
    let mut at = 1;
    if matches!(pattern.get(at), Some(b'!' | b'^')) {
        at += 1;
    }
    let first = at;
    while let Some(&byte) = pattern.get(at) {
        match (byte, pattern.get(at + 1)) {
            (b']', _) if at > first => return at + 1,
            (b'\\', _) => at += 1,
            (b'[', Some(&kind @ (b':' | b'.' | b'='))) => {
                let inner = pattern.get(at + 2..).unwrap_or_default();
                if let Some(end) = inner.windows(2).position(|pair| pair == [kind, b']']) {
                    at += end + 3;
                }
            }
            _ => {}
        }
        at += 1;
    }
    1
}

/// The same with every character escaped.
pub fn escape_all(text: &[u8]) -> Vec<u8> {
    let mut pattern = Vec::with_capacity(2 * text.len());
    for &byte in text {
        // Not between the bytes of a character.
        if byte & 0xc0 != 0x80 {
            pattern.push(b'\\');
        }
        pattern.push(byte);
    }
    pattern
}

/// The text that a pattern without operators stands for: without its quoting backslashes.
pub fn unescape(pattern: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(pattern.len());
    let mut at = 0;
    while let Some(&byte) = pattern.get(at) {
        if byte == b'\\' && at + 1 < pattern.len() {
            at += 1;
        }
        text.push(pattern[at]);
        at += 1;
    }
    text
}
