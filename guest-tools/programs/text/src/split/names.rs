//! The names of the pieces: `xaa`, `xab`, … `xyz`, `xzaaa`.
//!
//! Where nothing fixes the length of suffixes they grow by two letters when they run out: the last letter is kept as
//! the first of longer ones, so that names sort in their order. `-a`, `-n` and a start value fix the length.

use super::{Cut, SYNTAX, Stop};
use crate::call::{Call, bytes};
use crate::options::{self, Parsed};
use crate::quote;

const LETTERS: &[u8] = b"abcdefghijklmnopqrstuvwxyz";
const DIGITS: &[u8] = b"0123456789";
const HEXADECIMAL: &[u8] = b"0123456789abcdef";

/// Gives one name after the other.
pub struct Names {
    /// What names begin with.
    prefix: Vec<u8>,
    /// What names end with (`--additional-suffix`).
    additional: Vec<u8>,
    /// The symbols of suffixes: letters, or with `-d` and `-x` digits.
    alphabet: &'static [u8],
    /// The next suffix, as places in the alphabet; none when there is no more.
    next: Option<Vec<usize>>,
    /// Suffixes become longer when they run out.
    grows: bool,
}

impl Names {
    /// What the options ask for. `-n` needs suffixes that are long enough for its pieces.
    pub fn new(call: &Call, parsed: &Parsed, cut: &Cut) -> Result<Names, Stop> {
        let kind = parsed.last(&["d", "x", "numeric-suffixes", "hex-suffixes"]);
        let alphabet = match kind {
            Some("d" | "numeric-suffixes") => DIGITS,
            Some(_) => HEXADECIMAL,
            None => LETTERS,
        };
        let start = kind.and_then(|kind| parsed.value(kind)).unwrap_or_default();
        let start = places(start, alphabet).ok_or_else(|| {
            let message = bytes!(
                "invalid start value for numerical suffix: ",
                quote::word(start)
            );
            options::usage_error(call, &SYNTAX, message)
        })?;
        let length = match parsed.value("a") {
            None => 0,
            Some(text) => options::number(text).ok_or_else(|| {
                call.fail(1, bytes!("invalid suffix length: ", quote::word(text)))
            })?,
        };
        let additional = parsed.value("additional-suffix").unwrap_or_default();
        if additional.contains(&b'/') {
            let message = bytes!(
                "invalid suffix ",
                quote::word(additional),
                ", contains directory separator"
            );
            return Err(options::usage_error(call, &SYNTAX, message));
        }
        let needed = match cut {
            Cut::Chunks(chunks) => digits_for(chunks.count, alphabet.len()),
            _ => 2,
        };
        if length > 0
            && matches!(cut, Cut::Chunks(chunks) if digits_for_exact(chunks.count, alphabet.len()) > length)
        {
            let needed = needed.to_string();
            return Err(call.fail(1, bytes!("the suffix length needs to be at least ", needed)));
        }
        let fixed = length > 0 || matches!(cut, Cut::Chunks(_)) || !start.is_empty();
        let length = if length > 0 {
            length
        } else {
            needed.max(2).max(start.len())
        };
        let mut next = vec![0; length.saturating_sub(start.len())];
        next.extend(start);
        Ok(Names {
            prefix: parsed
                .operands
                .get(1)
                .map_or_else(|| b"x".to_vec(), Clone::clone),
            additional: additional.to_vec(),
            alphabet,
            next: Some(next),
            grows: !fixed,
        })
    }

    /// The name of the next piece; none where the suffixes are used up.
    pub fn next(&mut self) -> Option<Vec<u8>> {
        let current = self.next.take()?;
        let suffix: Vec<u8> = current.iter().map(|place| self.alphabet[*place]).collect();
        self.next = self.following(current);
        Some(bytes!(self.prefix, suffix, self.additional))
    }

    /// The suffix behind another one.
    fn following(&self, mut places: Vec<usize>) -> Option<Vec<usize>> {
        let last = self.alphabet.len() - 1;
        let at = places.iter().rposition(|place| *place < last)?;
        places[at] += 1;
        places[at + 1..].fill(0);
        // The last letter in front is kept for longer suffixes.
        let front = places.iter().take_while(|place| **place == last).count();
        if self.grows
            && places[front..].iter().all(|place| *place == 0)
            && front == places.len() / 2
        {
            places.extend([0, 0]);
        }
        Some(places)
    }
}

/// A suffix as places in the alphabet; none where it has another symbol.
fn places(text: &[u8], alphabet: &[u8]) -> Option<Vec<usize>> {
    let place = |byte: &u8| alphabet.iter().position(|letter| letter == byte);
    text.iter().map(place).collect()
}

/// How long suffixes must be for so many pieces, at least 2.
fn digits_for(count: u64, base: usize) -> usize {
    digits_for_exact(count, base).max(2)
}

/// The same, at least 1.
fn digits_for_exact(count: u64, base: usize) -> usize {
    let mut left = count.saturating_sub(1);
    let mut digits = 1;
    while left >= base as u64 {
        left /= base as u64;
        digits += 1;
    }
    digits
}
