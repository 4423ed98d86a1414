//! The format of `--format`: one directive with what stands around it.
//!
//! ```text
//! %[0]['][-][WIDTH][.PRECISION]f
//! ```
//!
//! `%%` is no directive. Behind the directive it is written as it stands; what stands before is cut to the length that
//! it had if each `%%` were one byte, as in GNU's: `%%` gives `%`, and `x%%y` gives `x%%`. `0` pads with zeros between sign and digits, `'` is accepted and
//! groups nothing in the locales there are, `-` aligns to the left.

use super::number::Scale;
use crate::output::Output;

/// A format that was read. The default one has no text, width or precision.
#[derive(Default)]
pub struct Format {
    /// What stands before the directive, as it is written.
    before: Vec<u8>,
    /// What stands behind it.
    after: Vec<u8>,
    /// The least width in bytes; aligned to the left where it is negative, none where it is 0.
    pub padding: isize,
    /// The least width that zeros fill; 0 without `0`.
    zeros: usize,
    /// How many digits stand behind the point.
    pub precision: Option<usize>,
    /// `'` was given.
    pub grouping: bool,
}

/// Why a format is none.
pub enum Malformed {
    /// There is no `%`.
    NoDirective,
    /// It ends within the directive.
    EndsEarly,
    /// The directive has something else than `f` at its end.
    Directive,
    /// A sign or a blank follows the point.
    Precision,
    /// There is a second directive.
    TooMany,
}

impl Malformed {
    /// The message, before and after the format.
    pub fn parts(&self) -> (&'static str, &'static str) {
        match self {
            Malformed::NoDirective => ("format ", " has no % directive"),
            Malformed::EndsEarly => ("format ", " ends in %"),
            Malformed::Directive => (
                "invalid format ",
                ", directive must be %[0]['][-][N][.][N]f",
            ),
            Malformed::Precision => ("invalid precision in format ", ""),
            Malformed::TooMany => ("format ", " has too many % directives"),
        }
    }
}

/// The place of the first `%` that is a directive.
fn directive(text: &[u8]) -> Option<usize> {
    let mut at = 0;
    while at < text.len() {
        match &text[at..] {
            [b'%', b'%', ..] => at += 2,
            [b'%', ..] => return Some(at),
            _ => at += 1,
        }
    }
    None
}

/// How many `%%` there are in a text without a directive.
fn pairs(text: &[u8]) -> usize {
    text.iter().filter(|&&byte| byte == b'%').count() / 2
}

impl Format {
    /// Reads a format.
    ///
    /// # Errors
    /// What is wrong with it: the first thing that is found from the left.
    pub fn parse(text: &[u8]) -> Result<Format, Malformed> {
        let start = directive(text).ok_or(Malformed::NoDirective)?;
        let mut rest = &text[start + 1..];
        if rest.is_empty() {
            return Err(Malformed::EndsEarly);
        }
        let mut format = Format {
            before: text[..start - pairs(&text[..start])].to_vec(),
            ..Format::default()
        };
        let mut zero = false;
        loop {
            match rest {
                [b' ', after @ ..] => rest = after,
                [b'\'', after @ ..] => (format.grouping, rest) = (true, after),
                [b'0', after @ ..] => (zero, rest) = (true, after),
                _ => break,
            }
        }
        let left = rest.strip_prefix(b"-");
        let (width, after) = number(left.unwrap_or(rest));
        rest = after;
        match left {
            Some(_) => format.padding = -(width as isize),
            None if zero => format.zeros = width,
            None => format.padding = width as isize,
        }
        if let Some(after) = rest.strip_prefix(b".") {
            if after.first().is_some_and(|byte| b"-+ \t".contains(byte)) {
                return Err(Malformed::Precision);
            }
            let (precision, after) = number(after);
            format.precision = Some(precision);
            rest = after;
        }
        let Some(after) = rest.strip_prefix(b"f") else {
            return Err(if rest.is_empty() {
                Malformed::EndsEarly
            } else {
                Malformed::Directive
            });
        };
        if directive(after).is_some() {
            return Err(Malformed::TooMany);
        }
        format.after = after.to_vec();
        Ok(format)
    }

    /// The number with as many zeros behind its sign as the format asks for; its unit, if `scale` has any, is not
    /// counted.
    pub fn zero_padded(&self, text: String, scale: Scale) -> String {
        let letters = text.trim_end_matches(|letter: char| letter.is_ascii_alphabetic());
        let unit = if scale == Scale::None {
            ""
        } else {
            &text[letters.len()..]
        };
        let number = &text[..text.len() - unit.len()];
        let (sign, digits) = match number.strip_prefix('-') {
            Some(digits) => ("-", digits),
            None => ("", number),
        };
        let width = self.zeros.saturating_sub(sign.len());
        format!("{sign}{digits:0>width$}{unit}")
    }

    /// Writes a number with what stands around the directive, padded with blanks to `width` bytes, to the left where
    /// that is negative.
    pub fn write(&self, text: &[u8], width: isize, out: &mut Output) {
        let blanks = width.unsigned_abs().saturating_sub(text.len());
        let blanks = " ".repeat(blanks);
        out.put(&self.before);
        if width > 0 {
            out.put(&blanks);
        }
        out.put(text);
        if width < 0 {
            out.put(&blanks);
        }
        out.put(&self.after);
    }
}

/// The number that a text begins with, 0 where there is none or it is too large, and what follows.
fn number(text: &[u8]) -> (usize, &[u8]) {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (number, rest) = text.split_at(digits);
    let number = std::str::from_utf8(number).ok();
    // What is wider than any terminal is as wide as one can be.
    let number = number.and_then(|number| number.parse().ok());
    (number.unwrap_or(0), rest)
}
