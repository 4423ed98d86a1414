//! What is a word, what ends a sentence, and which words are wanted.

use std::collections::HashSet;

use super::request::Request;
use crate::call::{Call, bytes};
use crate::pattern::{self, Dialect, Pattern, Settings};
use crate::quote;

/// What a word is.
pub enum Words {
    /// What a regular expression matches.
    Pattern(Pattern),
    /// A run of these bytes.
    Bytes(Box<[bool; 256]>),
}

impl Words {
    /// What the options say that a word is.
    ///
    /// # Errors
    /// The status, after the message.
    pub fn new(call: &Call, request: &Request) -> Result<Words, i32> {
        if !request.word.is_empty() {
            return compile(call, &request.word, request.ignore_case).map(Words::Pattern);
        }
        let mut bytes = Box::new([false; 256]);
        match &request.break_file {
            Some(name) => {
                bytes.fill(true);
                for byte in super::read(call, name)? {
                    bytes[usize::from(byte)] = false;
                }
            }
            None if request.traditional => bytes.fill(true),
            None => (0..=u8::MAX).for_each(|byte| {
                bytes[usize::from(byte)] = byte.is_ascii_alphabetic();
            }),
        }
        if request.traditional {
            b" \t\n"
                .iter()
                .for_each(|byte| bytes[usize::from(*byte)] = false);
        }
        Ok(Words::Bytes(bytes))
    }

    /// Where the first word of a text begins and ends; it may be empty.
    pub fn find(&self, text: &[u8]) -> Option<(usize, usize)> {
        match self {
            Words::Pattern(pattern) => pattern.find_at(text, 0),
            Words::Bytes(bytes) => {
                let is_word = |byte: &u8| bytes[usize::from(*byte)];
                let from = text.iter().position(is_word)?;
                let length = text[from..].iter().position(|byte| !is_word(byte));
                Some((from, length.map_or(text.len(), |length| from + length)))
            }
        }
    }

    /// How much of a text that is not empty is one word, or one byte that begins none.
    pub fn step(&self, text: &[u8]) -> usize {
        match self {
            Words::Pattern(pattern) => match pattern.find_at(text, 0) {
                Some((0, length)) => length.max(1),
                _ => 1,
            },
            Words::Bytes(bytes) => {
                let word = text.iter().take_while(|byte| bytes[usize::from(**byte)]);
                word.count().max(1)
            }
        }
    }
}

/// Words that are left out, or that alone are wanted.
pub struct List {
    words: HashSet<Vec<u8>>,
    ignore_case: bool,
}

impl List {
    /// Reads a file with a word a line.
    ///
    /// # Errors
    /// The status, after the message.
    pub fn read(call: &Call, name: &[u8], ignore_case: bool) -> Result<List, i32> {
        let text = super::read(call, name)?;
        let words = text
            .split(|byte| *byte == b'\n')
            .filter(|word| !word.is_empty());
        Ok(List {
            words: words.map(|word| folded(word, ignore_case)).collect(),
            ignore_case,
        })
    }

    /// Whether it has a word.
    pub fn has(&self, word: &[u8]) -> bool {
        if self.ignore_case {
            self.words.contains(&folded(word, true))
        } else {
            self.words.contains(word)
        }
    }
}

fn folded(word: &[u8], ignore_case: bool) -> Vec<u8> {
    if ignore_case {
        word.to_ascii_uppercase()
    } else {
        word.to_vec()
    }
}

/// A regular expression in the syntax of Emacs.
///
/// # Errors
/// The status, after the message.
pub fn compile(call: &Call, source: &[u8], ignore_case: bool) -> Result<Pattern, i32> {
    let settings = Settings {
        ignore_case,
        multi_line: true,
        ..Settings::new(Dialect::Basic)
    };
    let plain = plain(source).map(|plain| pattern::from_emacs(&plain));
    let compiled = plain.and_then(|plain| Pattern::new(&plain, &settings));
    compiled.map_err(|problem| {
        let shown = quote::word(source);
        call.fail(1, bytes!(problem, " (for regexp ", shown, ")"))
    })
}

/// The same expression without what means something else elsewhere: in the syntax of Emacs a dot is no
/// newline, and there are no classes in brackets.
fn plain(source: &[u8]) -> Result<Vec<u8>, String> {
    let mut out = Vec::with_capacity(source.len() + 8);
    let mut rest = source;
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        match byte {
            b'.' => out.extend_from_slice(b"[^\n]"),
            b'\\' => {
                out.push(byte);
                if let Some((&next, after)) = rest.split_first() {
                    out.push(next);
                    rest = after;
                }
            }
            b'[' => {
                let length = bracket(rest);
                if matches!(rest, [] | [b'^']) {
                    return Err("Invalid regular expression".to_owned());
                }
                out.push(byte);
                without_classes(&rest[..length], &mut out);
                rest = &rest[length..];
            }
            _ => out.push(byte),
        }
    }
    Ok(out)
}

/// The length of a list in brackets, without the one that ends it.
fn bracket(text: &[u8]) -> usize {
    let first = usize::from(text.first() == Some(&b'^'));
    // A bracket that would end an empty list is part of it.
    let from = first + usize::from(text.get(first) == Some(&b']'));
    let end = memchr::memchr(b']', &text[from..]);
    end.map_or(text.len(), |end| from + end)
}

/// Puts opening brackets where no class can begin with them.
fn without_classes(list: &[u8], out: &mut Vec<u8>) {
    let mut has_bracket = false;
    for (at, &byte) in list.iter().enumerate() {
        let next = list.get(at + 1);
        if byte == b'[' && next.is_some_and(|next| b":.=".contains(next)) {
            has_bracket = true;
        } else {
            out.push(byte);
        }
    }
    if has_bracket {
        out.push(b'[');
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn expressions_mean_what_they_mean_in_emacs() {
        let cases = [
            ("a.b", "a[^\n]b"),
            ("a\\.b", "a\\.b"),
            ("[.]+", "[.]+"),
            ("[[:alpha:]]+", "[:alpha:[]]+"),
            ("[][.]x", "[].[]x"),
            ("[^]a", "[^]a"),
        ];
        for (source, expected) in cases {
            let expected = Ok(expected.as_bytes().to_vec());
            assert_eq!(plain(source.as_bytes()), expected, "{source}");
        }
        assert!(plain(b"x[").is_err());
    }
}
