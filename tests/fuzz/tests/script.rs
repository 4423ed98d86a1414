//! Scripts and patterns that somebody wrote.

#![allow(clippy::unwrap_used, reason = "tests")]

use std::collections::BTreeSet;

use bolero::{TypeGenerator, check};
use offshoot_shell::pattern::{Options, Pattern};
use offshoot_shell::syntax::{self, Parser};

#[test]
fn script_bytes() {
    check!().for_each(|bytes: &[u8]| {
        for extglob in [false, true] {
            let options = syntax::Options {
                extglob,
                ..syntax::Options::default()
            };
            let mut parser = Parser::new(bytes, options);
            // An error ends it, and so does the end of the text: each turn takes some of it.
            for _ in 0..=bytes.len() {
                if !matches!(parser.next(None), Ok(Some(_))) {
                    return;
                }
            }
            assert!(matches!(parser.next(None), Ok(None) | Err(_)));
        }
    });
}

/// A piece of a pattern.
#[derive(Debug, TypeGenerator)]
enum Piece {
    Plain(Plain),
    /// `?(…)`, `*(…)`, `+(…)`, `@(…)`, `!(…)`
    Group {
        operator: u8,
        first: Vec<Plain>,
        second: Vec<Plain>,
    },
}

#[derive(Debug, TypeGenerator)]
enum Plain {
    All,
    One,
    Letter(u8),
    Set { is_negated: bool, from: u8, to: u8 },
}

const OPERATORS: &[u8; 5] = b"?*+@!";

fn letter(number: u8) -> u8 {
    b'a' + number % 4
}

impl Plain {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Plain::All => out.push(b'*'),
            Plain::One => out.push(b'?'),
            Plain::Letter(number) => out.push(letter(*number)),
            Plain::Set {
                is_negated,
                from,
                to,
            } => {
                out.push(b'[');
                if *is_negated {
                    out.push(b'!');
                }
                let (from, to) = (letter(*from), letter(*to));
                out.extend([from.min(to), b'-', from.max(to), b']']);
            }
        }
    }

    /// Where a match from `start` may end.
    fn ends(&self, text: &[u8], start: usize) -> BTreeSet<usize> {
        let one = |fits: bool| fits.then_some(start + 1).into_iter().collect();
        match self {
            Plain::All => (start..=text.len()).collect(),
            Plain::One => one(start < text.len()),
            Plain::Letter(number) => one(text.get(start) == Some(&letter(*number))),
            Plain::Set {
                is_negated,
                from,
                to,
            } => {
                let (from, to) = (letter(*from), letter(*to));
                let range = from.min(to)..=from.max(to);
                one(text
                    .get(start)
                    .is_some_and(|byte| range.contains(byte) != *is_negated))
            }
        }
    }
}

fn ends_of(pieces: &[Plain], text: &[u8], start: usize) -> BTreeSet<usize> {
    pieces
        .iter()
        .fold(BTreeSet::from([start]), |starts, piece| {
            starts
                .iter()
                .flat_map(|&start| piece.ends(text, start))
                .collect()
        })
}

impl Piece {
    fn write(&self, out: &mut Vec<u8>) {
        match self {
            Piece::Plain(plain) => plain.write(out),
            Piece::Group {
                operator,
                first,
                second,
            } => {
                out.extend([OPERATORS[usize::from(*operator) % 5], b'(']);
                first.iter().for_each(|piece| piece.write(out));
                out.push(b'|');
                second.iter().for_each(|piece| piece.write(out));
                out.push(b')');
            }
        }
    }

    fn ends(&self, text: &[u8], start: usize) -> BTreeSet<usize> {
        let (operator, first, second) = match self {
            Piece::Plain(plain) => return plain.ends(text, start),
            Piece::Group {
                operator,
                first,
                second,
            } => (operator, first, second),
        };
        let once = |start: usize| -> BTreeSet<usize> {
            let first = ends_of(first, text, start);
            first
                .union(&ends_of(second, text, start))
                .copied()
                .collect()
        };
        let closure = |mut all: BTreeSet<usize>| loop {
            let more: BTreeSet<usize> = all.iter().flat_map(|&start| once(start)).collect();
            let before = all.len();
            all.extend(more);
            if all.len() == before {
                return all;
            }
        };
        match OPERATORS[usize::from(*operator) % 5] {
            b'?' => once(start).into_iter().chain([start]).collect(),
            b'*' => closure(BTreeSet::from([start])),
            b'+' => closure(once(start)),
            b'@' => once(start),
            _ => {
                let matched = once(start);
                (start..=text.len())
                    .filter(|end| !matched.contains(end))
                    .collect()
            }
        }
    }
}

/// A match is what the definition says, tried out.
#[test]
fn script_patterns() {
    let input = bolero::produce::<(Vec<Piece>, Vec<u8>)>();
    check!().with_generator(input).for_each(|(pieces, text)| {
        let text: Vec<u8> = text.iter().take(12).map(|&number| letter(number)).collect();
        let pieces = &pieces[..pieces.len().min(6)];
        let mut source = Vec::new();
        pieces.iter().for_each(|piece| piece.write(&mut source));
        let ends = pieces.iter().fold(BTreeSet::from([0]), |starts, piece| {
            starts
                .iter()
                .flat_map(|&start| piece.ends(&text, start))
                .collect()
        });
        let options = Options {
            extended: true,
            ..Options::default()
        };
        let found = Pattern::new(&source, options).matches(&text);
        let shown = (
            String::from_utf8_lossy(&source),
            String::from_utf8_lossy(&text),
        );
        assert_eq!(found, ends.contains(&text.len()), "{shown:?}");
    });
}
