//! The words of the texts with their contexts and references.

use std::cmp::Ordering;

use super::request::Request;
use super::word::{self, List, Words};
use crate::call::{Call, bytes};
use crate::pattern::Pattern;
use crate::quote;

/// A text that was read.
pub struct Text {
    /// Empty for standard input.
    pub name: Vec<u8>,
    pub bytes: Vec<u8>,
    /// The number of the last line that was looked at, counted from 1.
    pub lines: usize,
}

/// A word of the index: places in a text.
pub struct Entry {
    pub text: usize,
    pub start: usize,
    pub end: usize,
    /// Where its context begins and ends.
    pub left: usize,
    pub right: usize,
    /// Where the reference begins, or the number of the line counted from 1.
    pub reference: usize,
}

/// All words.
pub struct Index<'a> {
    call: &'a Call,
    request: &'a Request,
    pub words: Words,
    sentence: Option<Pattern>,
    ignored: Option<List>,
    only: Option<List>,
    pub texts: Vec<Text>,
    pub entries: Vec<Entry>,
    /// The length of the longest word, wanted or not.
    pub longest: usize,
    /// The length of the longest reference that was given.
    pub widest: usize,
}

impl<'a> Index<'a> {
    /// An index without words.
    ///
    /// # Errors
    /// The status where a list or an expression is wrong, after the message.
    pub fn new(call: &'a Call, request: &'a Request) -> Result<Index<'a>, i32> {
        let list = |name: &Option<Vec<u8>>| {
            let name = name.as_ref();
            name.map(|name| List::read(call, name, request.ignore_case))
                .transpose()
        };
        let sentence = (!request.sentence.is_empty())
            .then(|| word::compile(call, &request.sentence, request.ignore_case))
            .transpose()?;
        Ok(Index {
            call,
            request,
            sentence,
            words: Words::new(call, request)?,
            ignored: list(&request.ignore_file)?,
            only: list(&request.only_file)?,
            texts: Vec::new(),
            entries: Vec::new(),
            longest: 0,
            widest: 0,
        })
    }

    /// Adds the words of a text.
    ///
    /// # Errors
    /// The status where contexts would be empty, after the message.
    pub fn add(&mut self, name: Vec<u8>, bytes: Vec<u8>) -> Result<(), i32> {
        let mut lines = Lines::new(&bytes, self.request.given);
        let mut cursor = 0;
        while cursor < bytes.len() {
            let next = cursor + self.sentence_end(&bytes[cursor..])?;
            let right = without_suffix(&bytes, cursor, next);
            self.context(&bytes, cursor, right, &mut lines);
            cursor = next;
        }
        let lines = lines.number + 1;
        self.texts.push(Text { name, bytes, lines });
        Ok(())
    }

    fn sentence_end(&self, text: &[u8]) -> Result<usize, i32> {
        let found = self.sentence.as_ref();
        match found.and_then(|pattern| pattern.find_at(text, 0)) {
            None => Ok(text.len()),
            // An expression that matches where a context begins would make an empty one.
            Some((0, _)) => {
                let what = "error: regular expression has a match of length zero: ";
                let shown = quote::word(&self.request.sentence);
                Err(self.call.fail(1, bytes!(what, shown)))
            }
            Some((_, end)) => Ok(end),
        }
    }

    /// Adds the words between two places.
    fn context(&mut self, bytes: &[u8], mut left: usize, right: usize, lines: &mut Lines) {
        let mut cursor = left;
        while let Some((from, to)) = self.words.find(&bytes[cursor..right]) {
            let (start, end) = (cursor + from, cursor + to);
            cursor = end.max(start + 1);
            if start == end {
                if cursor > right {
                    break;
                }
                continue;
            }
            self.longest = self.longest.max(end - start);
            if self.request.given {
                lines.advance(bytes, start);
                if lines.scanned > start {
                    continue;
                }
            }
            if !self.is_wanted(&bytes[start..end]) {
                continue;
            }
            if self.request.automatic {
                lines.advance(bytes, start);
            } else if self.request.given {
                self.widest = self.widest.max(lines.reference);
            }
            if self.request.given && lines.start == left {
                // The reference is no part of its own context.
                left += solid(&bytes[left..right]);
                left += blanks(&bytes[left..right]);
            }
            self.entries.push(Entry {
                text: self.texts.len(),
                start,
                end,
                left,
                right,
                reference: if self.request.automatic {
                    lines.number + 1
                } else {
                    lines.start
                },
            });
        }
    }

    fn is_wanted(&self, word: &[u8]) -> bool {
        let is_ignored = self.ignored.as_ref().is_some_and(|list| list.has(word));
        !is_ignored && self.only.as_ref().is_none_or(|list| list.has(word))
    }

    /// Puts the words in order; the same ones stay as they stand in the texts.
    pub fn sort(&mut self) {
        let texts = &self.texts;
        let key = |entry: &Entry| &texts[entry.text].bytes[entry.start..entry.end];
        let ignore_case = self.request.ignore_case;
        self.entries
            .sort_by(|a, b| compare(key(a), key(b), ignore_case));
    }
}

fn compare(a: &[u8], b: &[u8], ignore_case: bool) -> Ordering {
    if ignore_case {
        let (a, b) = (a.iter(), b.iter());
        return a
            .map(u8::to_ascii_uppercase)
            .cmp(b.map(u8::to_ascii_uppercase));
    }
    a.cmp(b)
}

/// How far the lines of a text were looked at.
struct Lines {
    /// Where the line begins.
    start: usize,
    /// Its number, counted from 0.
    number: usize,
    /// The length of its first field.
    reference: usize,
    scanned: usize,
}

impl Lines {
    fn new(bytes: &[u8], given: bool) -> Lines {
        let reference = if given { solid(bytes) } else { 0 };
        Lines {
            start: 0,
            number: 0,
            reference,
            scanned: reference
                + if given {
                    blanks(&bytes[reference..])
                } else {
                    0
                },
        }
    }

    /// Goes to the line that holds a place, and behind its first field.
    fn advance(&mut self, bytes: &[u8], to: usize) {
        while self.scanned < to {
            let Some(end) = memchr::memchr(b'\n', &bytes[self.scanned..to]) else {
                self.scanned = to;
                return;
            };
            self.number += 1;
            self.start = self.scanned + end + 1;
            self.reference = solid(&bytes[self.start..]);
            self.scanned = self.start + self.reference;
        }
    }
}

/// Whether a byte is white space.
pub fn is_space(byte: u8) -> bool {
    matches!(byte, b' ' | b'\t'..=b'\r')
}

/// How much white space a text begins with.
pub fn blanks(text: &[u8]) -> usize {
    text.iter().take_while(|byte| is_space(**byte)).count()
}

/// How much a text begins with that is no white space.
pub fn solid(text: &[u8]) -> usize {
    text.iter().take_while(|byte| !is_space(**byte)).count()
}

/// The end of what is between two places without the white space at its end.
pub fn without_suffix(text: &[u8], from: usize, to: usize) -> usize {
    let Some(text) = text.get(from..to) else {
        return to;
    };
    let last = text.iter().rposition(|byte| !is_space(*byte));
    last.map_or(from, |last| from + last + 1)
}
