//! One block of the input as lines: one for each type, below each other.
//!
//! Values of different types line up: each type gets the same number of columns in a line, and what it does not need
//! is spread between its values as GNU spreads it.

use super::types::{Kind, Type};

/// How the place of a block is written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Radix {
    /// `-A o`: at least 7 digits.
    Octal,
    /// `-A d`: at least 7 digits.
    Decimal,
    /// `-A x`: at least 6 digits.
    Hexadecimal,
    /// `-A n`: not at all.
    None,
}

impl Radix {
    /// How many digits an offset has at least.
    fn width(self) -> usize {
        match self {
            Radix::Octal | Radix::Decimal => 7,
            Radix::Hexadecimal => 6,
            Radix::None => 0,
        }
    }

    /// Writes a place.
    pub fn place(self, place: u64, out: &mut Vec<u8>) {
        let base = match self {
            Radix::Octal => 8,
            Radix::Decimal => 10,
            Radix::Hexadecimal => 16,
            Radix::None => return,
        };
        digits(place, base, self.width(), self.width(), out);
    }
}

/// A type and the columns of each of its values in a line.
struct Field {
    kind: Type,
    /// The columns of each of its values in a line, with the blanks before it.
    columns: Vec<usize>,
}

/// How blocks are written.
pub struct Layout {
    /// The types, in the order of their lines.
    fields: Vec<Field>,
    /// How many bytes a line has.
    pub block: usize,
    /// The base of offsets.
    pub radix: Radix,
    /// What is added to the offset for the one in parentheses; none where there is no such.
    pub label: Option<i64>,
    /// Values have their high byte first.
    pub big_endian: bool,
}

impl Layout {
    /// Lines the values of all types up. `block` is the length of a line in bytes, a multiple of every size.
    pub fn new(types: &[Type], block: usize, radix: Radix) -> Layout {
        let count = |kind: &Type| block / kind.size;
        let widths = types.iter().map(|kind| (kind.width() + 1) * count(kind));
        let widest = widths.max().unwrap_or(0);
        let fields = types.iter().map(|kind| {
            let count = count(kind);
            let pad = widest - kind.width() * count;
            let mut left = pad;
            let columns = (0..count).rev().map(|after| {
                let next = pad * after / count;
                let columns = left - next + kind.width();
                left = next;
                columns
            });
            Field {
                kind: *kind,
                columns: columns.collect(),
            }
        });
        Layout {
            fields: fields.collect(),
            block,
            radix,
            label: None,
            big_endian: false,
        }
    }

    /// Writes where a block is.
    pub fn place(&self, place: u64, out: &mut Vec<u8>) {
        self.radix.place(place, out);
        if let Some(label) = self.label {
            out.extend_from_slice(b" (");
            let radix = match self.radix {
                Radix::None => Radix::Octal,
                radix => radix,
            };
            radix.place(place.wrapping_add_signed(label), out);
            out.push(b')');
        }
    }

    /// Writes a block at an offset; one that is too short is filled with zeros, as far as a value needs them.
    pub fn write(&self, place: u64, block: &[u8], out: &mut Vec<u8>) {
        for (index, field) in self.fields.iter().enumerate() {
            if index == 0 {
                self.place(place, out);
            } else {
                let width = self.radix.width();
                out.resize(out.len() + width, b' ');
            }
            field.write(block, self.big_endian, out);
            if field.kind.shows_text {
                let shown = block.len().div_ceil(field.kind.size);
                let missing: usize = field.columns[shown.min(field.columns.len())..].iter().sum();
                out.resize(out.len() + missing, b' ');
                out.extend_from_slice(b"  >");
                let visible = |&byte: &u8| {
                    if (b' '..=b'~').contains(&byte) {
                        byte
                    } else {
                        b'.'
                    }
                };
                out.extend(block.iter().map(visible));
                out.push(b'<');
            }
            out.push(b'\n');
        }
    }
}

impl Field {
    /// Writes the values of a block.
    fn write(&self, block: &[u8], big_endian: bool, out: &mut Vec<u8>) {
        let Type { kind, size, .. } = self.kind;
        let width = self.kind.width();
        for (data, &columns) in block.chunks(size).zip(&self.columns) {
            match kind {
                Kind::Name => name(data[0], columns, out),
                Kind::Character => character(data[0], columns, out),
                Kind::Octal => digits(value(data, size, big_endian), 8, width, columns, out),
                Kind::Hexadecimal => hexadecimal(value(data, size, big_endian), size, columns, out),
                Kind::Unsigned => digits(value(data, size, big_endian), 10, 1, columns, out),
                Kind::Signed => signed(value(data, size, big_endian), size, columns, out),
                Kind::Float => {
                    let text = float(value(data, size, big_endian), size);
                    right(text.as_bytes(), columns, out);
                }
            }
        }
    }
}

/// A value of up to eight bytes, missing ones zero.
fn value(data: &[u8], size: usize, big_endian: bool) -> u64 {
    let mut bytes = [0; 8];
    bytes[..data.len()].copy_from_slice(data);
    if big_endian {
        bytes[..size].reverse();
    }
    u64::from_le_bytes(bytes)
}

/// A text with blanks before it.
fn right(text: &[u8], columns: usize, out: &mut Vec<u8>) {
    out.resize(out.len() + columns.saturating_sub(text.len()), b' ');
    out.extend_from_slice(text);
}

/// A number with at least `least` digits, in at least so many columns.
fn digits(value: u64, base: u64, least: usize, columns: usize, out: &mut Vec<u8>) {
    let mut space = [b'0'; 24];
    let (mut at, mut value) = (space.len(), value);
    while value > 0 {
        at -= 1;
        space[at] = b"0123456789abcdef"[(value % base) as usize];
        value /= base;
    }
    let shown = (space.len() - at).max(least);
    right(&space[space.len() - shown..], columns, out);
}

/// A number of `size` bytes with all its digits.
fn hexadecimal(value: u64, size: usize, columns: usize, out: &mut Vec<u8>) {
    const DIGITS: &[u8; 16] = b"0123456789abcdef";
    out.resize(out.len() + columns.saturating_sub(2 * size), b' ');
    for byte in &value.to_be_bytes()[8 - size..] {
        out.extend_from_slice(&[
            DIGITS[usize::from(byte >> 4)],
            DIGITS[usize::from(byte & 15)],
        ]);
    }
}

/// A number of `size` bytes with its sign.
fn signed(value: u64, size: usize, columns: usize, out: &mut Vec<u8>) {
    let shift = 64 - 8 * size as u32;
    let value = (value << shift) as i64 >> shift;
    right(itoa::Buffer::new().format(value).as_bytes(), columns, out);
}

/// The name of a character (`a`), whose highest bit does not count.
fn name(byte: u8, columns: usize, out: &mut Vec<u8>) {
    const NAMES: [&str; 33] = [
        "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "nl", "vt", "ff", "cr",
        "so", "si", "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub",
        "esc", "fs", "gs", "rs", "us", "sp",
    ];
    let byte = byte & 0x7f;
    match NAMES.get(usize::from(byte)) {
        Some(name) => right(name.as_bytes(), columns, out),
        None if byte == 0x7f => right(b"del", columns, out),
        None => right(&[byte], columns, out),
    }
}

/// A character, its escape or its octal number (`c`).
fn character(byte: u8, columns: usize, out: &mut Vec<u8>) {
    let escape = match byte {
        0 => b'0',
        7 => b'a',
        8 => b'b',
        9 => b't',
        10 => b'n',
        11 => b'v',
        12 => b'f',
        13 => b'r',
        b' '..=b'~' => return right(&[byte], columns, out),
        _ => return digits(u64::from(byte), 8, 3, columns, out),
    };
    right(&[b'\\', escape], columns, out);
}

/// A number with as few digits as tell it from all others, but for those that a decimal number of its precision may
/// always have: at least 6 for four bytes, 15 for eight.
fn float(bits: u64, size: usize) -> String {
    let (value, least) = if size == 4 {
        (f64::from(f32::from_bits(bits as u32)), 6)
    } else {
        (f64::from_bits(bits), 15)
    };
    if value.is_nan() {
        let sign = if value.is_sign_negative() { "-" } else { "" };
        return format!("{sign}nan");
    }
    if value.is_infinite() {
        return if value > 0.0 { "inf" } else { "-inf" }.to_owned();
    }
    // A number below the normal ones has fewer digits.
    let smallest = if size == 4 {
        f64::from(f32::MIN_POSITIVE)
    } else {
        f64::MIN_POSITIVE
    };
    let least = if value.abs() < smallest { 1 } else { least };
    for precision in least..17 {
        let text = general(value, precision);
        let same = if size == 4 {
            text.parse::<f32>().is_ok_and(|back| back == value as f32)
        } else {
            text.parse::<f64>().is_ok_and(|back| back == value)
        };
        if same {
            return text;
        }
    }
    general(value, 17)
}

/// What `%.NUMBERg` gives.
fn general(value: f64, precision: usize) -> String {
    let text = format!("{:.*e}", precision - 1, value);
    let (mantissa, exponent) = text.split_once('e').unwrap_or((&text, "0"));
    let exponent: i32 = exponent.parse().unwrap_or(0);
    let trim = |text: &str| match text.contains('.') {
        true => text.trim_end_matches('0').trim_end_matches('.').to_owned(),
        false => text.to_owned(),
    };
    if exponent < -4 || exponent >= precision as i32 {
        let sign = if exponent < 0 { '-' } else { '+' };
        return format!("{}e{sign}{:02}", trim(mantissa), exponent.abs());
    }
    let decimals = (precision as i32 - 1 - exponent).max(0) as usize;
    trim(&format!("{value:.decimals$}"))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn floats_have_the_digits_they_need() {
        let cases = [
            (1.0, "1"),
            (0.1, "0.1"),
            (-0.0, "-0"),
            (1e10, "10000000000"),
            (1e100, "1e+100"),
            (1.0 / 3.0, "0.3333333333333333"),
            (5e-324, "5e-324"),
            (f64::INFINITY, "inf"),
        ];
        for (value, expected) in cases {
            assert_eq!(float(f64::to_bits(value), 8), expected);
        }
        assert_eq!(float(u64::from(f32::to_bits(0.1)), 4), "0.1");
        assert_eq!(float(u64::from(f32::to_bits(1_234_567.0)), 4), "1234567");
    }
}
