//! `{1..9}`, `{09..1..-2}`, `{a..z}`.

use super::super::tree::Part;

/// A sequence of numbers or letters.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Sequence {
    first: i64,
    step: i64,
    count: u64,
    /// Numbers are padded with zeros to this width.
    width: usize,
    letters: bool,
}

impl Sequence {
    /// The sequence that `text`, without its braces, stands for.
    pub fn parse(text: &[u8]) -> Option<Sequence> {
        let text = std::str::from_utf8(text).ok()?;
        let (first, rest) = text.split_once("..")?;
        let (last, step) = match rest.split_once("..") {
            Some((last, step)) => (last, integer(step)?),
            None => (rest, 1),
        };
        if let (Some(first), Some(last)) = (letter(first), letter(last)) {
            return Sequence::new(first, last, step, 0, true);
        }
        let padded = [first, last]
            .iter()
            .any(|end| end.strip_prefix('-').unwrap_or(end).starts_with('0') && !is_zero(end));
        let width = if padded {
            first.len().max(last.len())
        } else {
            0
        };
        Sequence::new(integer(first)?, integer(last)?, step, width, false)
    }

    fn new(first: i64, last: i64, step: i64, width: usize, letters: bool) -> Option<Sequence> {
        let size = step.checked_abs()?.max(1);
        let step = if first > last { -size } else { size };
        let distance = last.checked_sub(first)?.checked_abs()?;
        let count = (distance / size).checked_add(1)?.unsigned_abs();
        (count < i32::MAX as u64 - 2).then_some(Sequence {
            first,
            step,
            count,
            width,
            letters,
        })
    }

    /// How many members it has.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The member `index`, from 0.
    pub fn part(&self, index: u64) -> Part {
        let offset = self.step.wrapping_mul(index as i64);
        let value = self.first.wrapping_add(offset);
        if !self.letters {
            let text = format!("{value:0width$}", width = self.width);
            return Part::Literal(text.into_bytes());
        }
        match value as u8 {
            // Bash makes the word `\`, whose quote removal leaves nothing.
            b'\\' => Part::Quoted(Vec::new()),
            byte if byte.is_ascii_alphabetic() => Part::Literal(vec![byte]),
            byte => Part::Quoted(vec![byte]),
        }
    }
}

fn letter(text: &str) -> Option<i64> {
    match text.as_bytes() {
        [byte] if byte.is_ascii_alphabetic() => Some(i64::from(*byte)),
        _ => None,
    }
}

fn integer(text: &str) -> Option<i64> {
    text.parse().ok()
}

/// Whether zeros before it would not be padding.
fn is_zero(text: &str) -> bool {
    text == "0" || text == "-0"
}
