//! Patterns that are a text and nothing else: found without an automaton.

use memchr::memmem::Finder;

use super::{Dialect, Settings, Whole};

/// How many places are compared at a time, so that the compiler can do it in vectors.
const BLOCK: usize = 32;

/// A text that is searched for.
pub struct Literal {
    length: usize,
    search: Search,
}

enum Search {
    Byte(u8),
    /// A letter in either case.
    Letter(u8, u8),
    Text(Box<Finder<'static>>),
    /// A text with letters in either case; in lower case here.
    Folded(Vec<u8>),
}

impl Literal {
    /// The text that a pattern stands for; none where it is more than a text, or might be.
    pub fn new(source: &[u8], settings: &Settings) -> Option<Literal> {
        let plain = |byte: &u8| match settings.dialect {
            Dialect::Fixed => byte.is_ascii_graphic() || *byte == b' ',
            _ => byte.is_ascii_alphanumeric() || b" _-,:;@%=\"'&!<>~/".contains(byte),
        };
        if settings.whole != Whole::No || source.is_empty() || !source.iter().all(plain) {
            return None;
        }
        let folds = settings.ignore_case && source.iter().any(u8::is_ascii_alphabetic);
        let search = match source {
            // The Kelvin sign is a `k`, and the long s an `s`.
            _ if folds && source.iter().any(|byte| b"kKsS".contains(byte)) => return None,
            [letter] if folds => {
                Search::Letter(letter.to_ascii_lowercase(), letter.to_ascii_uppercase())
            }
            _ if folds => Search::Folded(source.to_ascii_lowercase()),
            [byte] => Search::Byte(*byte),
            _ => Search::Text(Box::new(Finder::new(source).into_owned())),
        };
        Some(Literal {
            length: source.len(),
            search,
        })
    }

    /// Where it is first at or after `start`.
    pub fn find_at(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let rest = text.get(start..)?;
        let found = match &self.search {
            Search::Byte(byte) => memchr::memchr(*byte, rest),
            Search::Letter(lower, upper) => memchr::memchr2(*lower, *upper, rest),
            Search::Text(finder) => finder.find(rest),
            Search::Folded(text) => folded(text, rest),
        }?;
        Some((start + found, start + found + self.length))
    }
}

/// Where a text in lower case, of two bytes at least, is first in `text` in either case.
fn folded(wanted: &[u8], text: &[u8]) -> Option<usize> {
    let last = wanted.len() - 1;
    let places = text.len().checked_sub(last)?;
    // A letter is its lower case once the bit that tells them apart is set.
    let mask = |byte: u8| if byte.is_ascii_lowercase() { 0x20 } else { 0 };
    let (head, tail) = (wanted[0], wanted[last]);
    let (head_mask, tail_mask) = (mask(head), mask(tail));
    let whole = |at: usize| {
        let there = &text[at..at + wanted.len()];
        there.eq_ignore_ascii_case(wanted).then_some(at)
    };
    let heads = text[..places].chunks_exact(BLOCK);
    let tails = text[last..].chunks_exact(BLOCK);
    let mut at = 0;
    for (heads, tails) in heads.zip(tails) {
        let mut found = 0;
        for (first, end) in heads.iter().zip(tails) {
            found |= u8::from(first | head_mask == head) & u8::from(end | tail_mask == tail);
        }
        if found != 0
            && let Some(place) = (at..at + BLOCK).find_map(whole)
        {
            return Some(place);
        }
        at += BLOCK;
    }
    (at..places).find_map(whole)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    /// Where a text is, by comparing it at every place.
    fn slow(wanted: &[u8], text: &[u8], start: usize) -> Option<(usize, usize)> {
        let places = start..(text.len() + 1).saturating_sub(wanted.len());
        places
            .map(|at| (at, at + wanted.len()))
            .find(|&(from, to)| text[from..to].eq_ignore_ascii_case(wanted))
    }

    #[test]
    fn texts_in_either_case_are_found_wherever_they_are() {
        let settings = Settings {
            ignore_case: true,
            ..Settings::new(Dialect::Basic)
        };
        for wanted in [
            "ab",
            "aXb",
            "a-b",
            "-ab-",
            "x",
            "-",
            "abababababababababababababababababab",
        ] {
            let literal = Literal::new(wanted.as_bytes(), &settings).unwrap();
            for length in 0..100 {
                for place in 0..length {
                    let mut text = b"aB.-\xc1\x01aX".repeat(13);
                    text.truncate(length);
                    let end = (place + wanted.len()).min(length);
                    let part = &wanted.to_ascii_uppercase().into_bytes()[..end - place];
                    text[place..end].copy_from_slice(part);
                    for start in [0, 1, place, length] {
                        let found = literal.find_at(&text, start);
                        assert_eq!(
                            found,
                            slow(wanted.as_bytes(), &text, start),
                            "{wanted} {text:?}"
                        );
                    }
                }
            }
        }
    }

    #[test]
    fn what_may_be_more_than_a_text_is_left_to_the_automaton() {
        let basic = Settings::new(Dialect::Basic);
        let folding = Settings {
            ignore_case: true,
            ..basic
        };
        for source in [
            "a.b", "a\\b", "^a", "a$", "[a]", "a*", "a\nb", "", "\u{e4}", "a{2}", "(a)",
        ] {
            assert!(
                Literal::new(source.as_bytes(), &basic).is_none(),
                "{source}"
            );
        }
        assert!(Literal::new(b"task", &basic).is_some());
        assert!(Literal::new(b"task", &folding).is_none());
        assert!(Literal::new(b"12", &folding).is_some());
        assert!(Literal::new(b"a.b", &Settings::new(Dialect::Fixed)).is_some());
    }
}
