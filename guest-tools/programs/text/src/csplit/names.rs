//! The names of the pieces: `xx00`, `xx01` and so on, or what `-f`, `-n` and `-b` ask for.
//!
//! ```text
//! -f p -n 3        p000, p001
//! -b '%#x.txt'     xx0.txt, xx0x1.txt
//! ```

use crate::call::{Call, bytes};
use crate::options::{self, Parsed};
use crate::quote;

/// How to write the number of a piece: one conversion of `printf`, between two texts.
struct Conversion {
    /// The text before the number.
    before: Vec<u8>,
    /// The text behind it.
    after: Vec<u8>,
    /// The conversion: `u`, `o`, `x` or `X`.
    letter: u8,
    /// `-`: the number stands at the left of its width.
    is_left: bool,
    /// `0`: zeros fill the width.
    has_zeros: bool,
    /// `#`: octal and hexadecimal numbers are marked.
    is_alternate: bool,
    /// How many characters it has at least.
    width: usize,
    /// How many digits it has at least.
    precision: Option<usize>,
}

/// How to name the pieces.
pub struct Names {
    /// What names begin with.
    prefix: Vec<u8>,
    /// How the number is written.
    suffix: Conversion,
}

impl Names {
    /// Reads `-b`, `-f` and `-n`; `Err` is the status, after the message was printed.
    pub fn new(call: &Call, parsed: &Parsed) -> Result<Names, i32> {
        let digits = match parsed.value("n") {
            Some(text) => options::number::<u16>(text)
                .ok_or_else(|| call.fail(1, bytes!("invalid number: ", quote::word(text))))?,
            None => 2,
        };
        let suffix = match parsed.value("b") {
            Some(format) => conversion(format).map_err(|message| call.fail(1, message))?,
            None => Conversion {
                before: Vec::new(),
                after: Vec::new(),
                letter: b'u',
                is_left: false,
                has_zeros: true,
                is_alternate: false,
                width: usize::from(digits),
                precision: None,
            },
        };
        let prefix = parsed.value("f").unwrap_or(b"xx").to_vec();
        Ok(Names { prefix, suffix })
    }

    /// The name of a piece; the first one has the number 0.
    pub fn name(&self, number: usize) -> Vec<u8> {
        let suffix = &self.suffix;
        bytes!(
            self.prefix,
            suffix.before,
            suffix.number(number),
            suffix.after
        )
    }
}

impl Conversion {
    /// The number of a piece as `printf` writes it.
    fn number(&self, number: usize) -> String {
        let digits = match self.letter {
            b'o' => format!("{number:o}"),
            b'x' => format!("{number:x}"),
            b'X' => format!("{number:X}"),
            _ => number.to_string(),
        };
        let mark = match self.letter {
            b'o' if self.is_alternate && number != 0 => "0",
            b'x' if self.is_alternate && number != 0 => "0x",
            b'X' if self.is_alternate && number != 0 => "0X",
            _ => "",
        };
        let width = self.width;
        match self.precision {
            Some(0) if number == 0 => " ".repeat(width),
            precision => {
                let least = precision.unwrap_or(0);
                let digits = format!("{digits:0>least$}");
                if self.is_left {
                    format!("{:width$}", format!("{mark}{digits}"))
                } else if self.has_zeros && precision.is_none() {
                    let width = width.saturating_sub(mark.len());
                    format!("{mark}{digits:0>width$}")
                } else {
                    format!("{:>width$}", format!("{mark}{digits}"))
                }
            }
        }
    }
}

/// Reads a format, which has one conversion of a whole number.
fn conversion(format: &[u8]) -> Result<Conversion, String> {
    let (before, rest) = literal(format);
    let Some(rest) = rest else {
        return Err("missing % conversion specification in suffix".to_owned());
    };
    let count =
        |accept: fn(&u8) -> bool, text: &[u8]| text.iter().take_while(|byte| accept(byte)).count();
    let (flags, rest) = rest.split_at(count(|byte| b"'-+ #0".contains(byte), rest));
    let (width, mut rest) = rest.split_at(count(u8::is_ascii_digit, rest));
    let mut precision = None;
    if let Some(after) = rest.strip_prefix(b".") {
        let (digits, after) = after.split_at(count(u8::is_ascii_digit, after));
        precision = Some(options::number(digits).unwrap_or(0));
        rest = after;
    }
    let letter = match rest.first() {
        Some(b'd' | b'i') => b'u',
        Some(&letter @ (b'u' | b'o' | b'x' | b'X')) => letter,
        None => return Err("missing conversion specifier in suffix".to_owned()),
        Some(&other) if other.is_ascii_graphic() || other == b' ' => {
            let other = char::from(other);
            return Err(format!("invalid conversion specifier in suffix: {other}"));
        }
        Some(other) => {
            return Err(format!(
                "invalid conversion specifier in suffix: \\{other:03o}"
            ));
        }
    };
    let allowed: &[u8] = match letter {
        b'u' => b"'-0",
        _ => b"#-0",
    };
    if let Some(flag) = flags.iter().find(|flag| !allowed.contains(flag)) {
        let (flag, letter) = (char::from(*flag), char::from(rest[0]));
        return Err(format!(
            "invalid flags in conversion specification: %{flag}{letter}"
        ));
    }
    let (after, more) = literal(&rest[1..]);
    if more.is_some() {
        return Err("too many % conversion specifications in suffix".to_owned());
    }
    Ok(Conversion {
        before,
        after,
        letter,
        is_left: flags.contains(&b'-'),
        has_zeros: flags.contains(&b'0'),
        is_alternate: flags.contains(&b'#'),
        width: options::number::<u16>(width).map_or(0, usize::from),
        precision,
    })
}

/// The text up to a conversion, in which `%%` is one, and what follows the sign.
fn literal(format: &[u8]) -> (Vec<u8>, Option<&[u8]>) {
    let mut text = Vec::new();
    let mut rest = format;
    while let [byte, after @ ..] = rest {
        rest = after;
        if *byte == b'%' {
            match rest.strip_prefix(b"%") {
                Some(after) => rest = after,
                None => return (text, Some(rest)),
            }
        }
        text.push(*byte);
    }
    (text, None)
}
