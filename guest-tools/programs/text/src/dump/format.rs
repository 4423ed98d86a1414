//! The formats of `hexdump`: units of `COUNT/BYTES "FORMAT"`, after hexdump(1) of util-linux.
//!
//! A unit applies its format COUNT times, to BYTES bytes each. A block of the input is as long as the longest format,
//! and is written in all of them, each from its start. A block that repeats the one before is `*`.
//!
//! ```text
//! "%08.8_ax  " 8/1 "%02x "     an offset, and eight bytes
//! ```
//!
//! | Conversion | Stands for | Bytes |
//! |---|---|---|
//! | `%d %i %o %u %x %X` | a number | BYTES, or 4 |
//! | `%e %f %g` and so on | a float | BYTES (4, 8 or 16), or 8 |
//! | `%c` | a byte as it is | 1 |
//! | `%s` | text | BYTES, or 1 |
//! | `%_c %_p %_u` | a byte with escapes, as a dot, by its ASCII name | 1 |
//! | `%_ad %_ao %_ax` | the offset of what follows | 0 |
//! | `%_Ad` and so on | the offset at the end, in a format that is written once | 0 |
//!
//! Numbers have the low byte first, and 1, 2, 4 or 8 bytes.

use super::visible;
use crate::awk;

/// One conversion or text of a unit.
#[derive(Debug)]
enum Part {
    /// Text between conversions.
    Text(Vec<u8>),
    /// Flags, width and precision; the conversion; how many bytes it takes; its colours.
    Convert(Shape, Conversion, usize, Vec<Color>),
}

/// How wide a value is written: what stands between `%` and the conversion.
#[derive(Clone, Copy, Debug)]
struct Shape {
    /// `-`.
    left: bool,
    /// `0`: a width is filled with zeros.
    zeros: bool,
    /// `+`, or ` `: what stands before a number that is not negative.
    sign: Option<u8>,
    /// `#`.
    alternate: bool,
    /// How many bytes it takes at least.
    width: usize,
    /// How many digits a number has at least, or a float behind its point.
    precision: Option<usize>,
}

impl Shape {
    /// Reads flags, width and precision.
    fn parse(flags: &str) -> Shape {
        let bare = flags.trim_start_matches(['-', '+', ' ', '#', '0']);
        let flags = &flags[..flags.len() - bare.len()];
        let (width, precision) = match bare.split_once('.') {
            Some((width, precision)) => (width, Some(precision)),
            None => (bare, None),
        };
        let sign = ['+', ' '].into_iter().find(|sign| flags.contains(*sign));
        Shape {
            left: flags.contains('-'),
            zeros: flags.contains('0'),
            sign: sign.map(|sign| sign as u8),
            alternate: flags.contains('#'),
            width: width.parse().unwrap_or(0),
            precision: precision.map(|digits| digits.parse().unwrap_or(0)),
        }
    }

    /// Writes a float as `printf` of C does.
    fn float(self, letter: u8, value: f64, out: &mut Vec<u8>) {
        let mut format = String::from("%");
        format.extend(self.left.then_some('-'));
        format.extend(self.zeros.then_some('0'));
        format.extend(self.alternate.then_some('#'));
        format.extend(self.sign.map(char::from));
        if self.width > 0 {
            format.push_str(&self.width.to_string());
        }
        if let Some(precision) = self.precision {
            format.push_str(&format!(".{precision}"));
        }
        format.push(char::from(letter));
        awk::put_float(format.as_bytes(), value, out);
    }

    /// Writes a text with its blanks.
    fn text(self, text: &[u8], out: &mut Vec<u8>) {
        let fill = self.width.saturating_sub(text.len());
        if self.left {
            out.extend_from_slice(text);
        }
        out.extend(std::iter::repeat_n(b' ', fill));
        if !self.left {
            out.extend_from_slice(text);
        }
    }

    /// Writes a number with its blanks and zeros, which stand behind its sign or prefix.
    fn number(self, prefix: &[u8], digits: &[u8], out: &mut Vec<u8>) {
        let zeros = self.precision.unwrap_or(0).saturating_sub(digits.len());
        let fill = self
            .width
            .saturating_sub(prefix.len() + digits.len() + zeros);
        let (fill, zeros) = if self.zeros && !self.left && self.precision.is_none() {
            (0, fill)
        } else {
            (fill, zeros)
        };
        if !self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
        out.extend_from_slice(prefix);
        out.extend(std::iter::repeat_n(b'0', zeros));
        out.extend_from_slice(digits);
        if self.left {
            out.extend(std::iter::repeat_n(b' ', fill));
        }
    }
}

/// A colour of `_L[…]`: where the value is this one, or always.
#[derive(Debug)]
struct Color {
    /// The sequence of the terminal.
    escape: String,
    /// The value that has the colour; none for any.
    value: Option<u64>,
}

/// What is written of the bytes.
#[derive(Clone, Copy, Debug, PartialEq)]
enum Conversion {
    /// `%d` and so on, with the letter.
    Integer(u8),
    /// `%c`
    Character,
    /// `%_c`, `%_p`, `%_u`
    Named(u8),
    Text,
    /// `%e` and so on.
    Float(u8),
    /// `%_a`: the offset, with the letter of its base.
    Offset(u8),
    /// `%_A`: the offset once all was read.
    End(u8),
}

/// Parts that are applied some times one after the other.
#[derive(Debug)]
struct Unit {
    /// How often, at least.
    count: usize,
    /// Whether the count was given: then the unit is not repeated to the end of the block.
    is_counted: bool,
    parts: Vec<Part>,
    /// How many bytes the parts take together.
    bytes: usize,
}

/// How many bytes the parts take together.
fn bytes_of(parts: &[Part]) -> usize {
    parts
        .iter()
        .map(|part| match part {
            Part::Convert(_, _, bytes, _) => *bytes,
            Part::Text(_) => 0,
        })
        .sum()
}

/// One format string.
#[derive(Debug)]
pub struct Format {
    units: Vec<Unit>,
}

impl Format {
    /// How many bytes of the input the format takes.
    fn bytes(&self) -> usize {
        let bytes = self.units.iter();
        let bytes = bytes.map(|unit| unit.count.saturating_mul(unit.bytes));
        bytes.fold(0, usize::saturating_add)
    }

    /// The format that only stands at the end.
    fn is_end(&self) -> bool {
        let end = |part: &Part| matches!(part, Part::Convert(_, Conversion::End(_), ..));
        self.units.iter().any(|unit| unit.parts.iter().any(end))
    }
}

/// What is wrong with a format.
#[derive(Debug)]
pub enum Wrong {
    /// It cannot be read.
    Malformed,
    /// A number of bytes would be that of several conversions.
    Several,
    /// The conversion does not take so many bytes.
    Bytes(String),
    /// There is no such conversion.
    Conversion(u8),
}

impl Wrong {
    /// The message, for this format.
    pub fn message(&self, format: &[u8]) -> Vec<u8> {
        match self {
            Wrong::Malformed => [b"bad format {", format, b"}"].concat(),
            Wrong::Several => b"byte count with multiple conversion characters".to_vec(),
            Wrong::Bytes(name) => {
                format!("bad byte count for conversion character {name}").into_bytes()
            }
            Wrong::Conversion(letter) => [&b"bad conversion character %"[..], &[*letter]].concat(),
        }
    }
}

/// Reads a format string.
///
/// # Errors
/// What is wrong with it.
pub fn parse(text: &[u8]) -> Result<Format, Wrong> {
    let mut units = Vec::new();
    let mut rest = text.trim_ascii();
    while !rest.is_empty() {
        let digits = |rest: &mut &[u8]| {
            let length = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
            let (number, after) = rest.split_at(length);
            *rest = after;
            if number.is_empty() {
                return Ok(None);
            }
            let number = crate::options::number::<usize>(number).ok_or(Wrong::Malformed)?;
            Ok(Some(number))
        };
        let count = digits(&mut rest)?;
        rest = rest.trim_ascii_start();
        let mut bytes = None;
        if let Some(after) = rest.strip_prefix(b"/") {
            rest = after.trim_ascii_start();
            bytes = digits(&mut rest)?;
        }
        let opened = rest.trim_ascii_start().strip_prefix(b"\"");
        rest = opened.ok_or(Wrong::Malformed)?;
        let mut end = 0;
        while *rest.get(end).ok_or(Wrong::Malformed)? != b'"' {
            end += if rest[end] == b'\\' { 2 } else { 1 };
        }
        let parts = parts(&rest[..end], bytes)?;
        let takes = |part: &&Part| matches!(part, Part::Convert(_, _, bytes, _) if *bytes > 0);
        if bytes.is_some() && parts.iter().filter(takes).count() > 1 {
            return Err(Wrong::Several);
        }
        units.push(Unit {
            count: count.unwrap_or(1),
            is_counted: count.is_some(),
            bytes: bytes_of(&parts),
            parts,
        });
        rest = rest[end + 1..].trim_ascii_start();
    }
    Ok(Format { units })
}

/// Reads what stands in the quotes of a unit. `bytes` is how many the unit gives to a number or a text.
fn parts(text: &[u8], bytes: Option<usize>) -> Result<Vec<Part>, Wrong> {
    let mut parts = Vec::new();
    let mut plain = Vec::new();
    let mut at = 0;
    while at < text.len() {
        match text[at] {
            b'\\' => {
                plain.push(match text.get(at + 1).ok_or(Wrong::Malformed)? {
                    b'n' => b'\n',
                    b't' => b'\t',
                    b'r' => b'\r',
                    b'a' => 7,
                    b'b' => 8,
                    b'f' => 12,
                    b'v' => 11,
                    b'0' => 0,
                    other => *other,
                });
                at += 2;
            }
            b'%' if text.get(at + 1) == Some(&b'%') => {
                plain.push(b'%');
                at += 2;
            }
            b'%' => {
                let start = at + 1;
                at = start;
                while text
                    .get(at)
                    .is_some_and(|byte| b"-+ #0123456789.".contains(byte))
                {
                    at += 1;
                }
                let shape = Shape::parse(&String::from_utf8_lossy(&text[start..at]));
                if !plain.is_empty() {
                    parts.push(Part::Text(std::mem::take(&mut plain)));
                }
                let (conversion, takes) = conversion(text, &mut at, bytes)?;
                let mut colors = Vec::new();
                if let Some(list) = text[at..].strip_prefix(b"_L[") {
                    let end = memchr::memchr(b']', list).ok_or(Wrong::Malformed)?;
                    let named = list[..end].split(|&byte| byte == b',');
                    let named = named.map(color).collect::<Option<Vec<Color>>>();
                    colors = named.ok_or(Wrong::Malformed)?;
                    at += end + 4;
                }
                parts.push(Part::Convert(shape, conversion, takes, colors));
            }
            byte => {
                plain.push(byte);
                at += 1;
            }
        }
    }
    if !plain.is_empty() {
        parts.push(Part::Text(plain));
    }
    Ok(parts)
}

/// Reads the letters of a conversion; gives it and how many bytes it takes, which are those of the unit if the
/// conversion can be of so many.
fn conversion(
    text: &[u8],
    at: &mut usize,
    bytes: Option<usize>,
) -> Result<(Conversion, usize), Wrong> {
    let mut next = || {
        *at += 1;
        text.get(*at - 1).copied().ok_or(Wrong::Malformed)
    };
    let letter = next()?;
    let (conversion, default, sizes): (_, usize, &[usize]) = match letter {
        b'_' => match next()? {
            b'a' => return Ok((Conversion::Offset(next()?), 0)),
            b'A' => return Ok((Conversion::End(next()?), 0)),
            name @ (b'c' | b'p' | b'u') => (Conversion::Named(name), 1, &[1]),
            name => return Err(Wrong::Conversion(name)),
        },
        b'd' | b'i' | b'o' | b'u' | b'x' | b'X' => (Conversion::Integer(letter), 4, &[1, 2, 4, 8]),
        b'e' | b'E' | b'f' | b'g' | b'G' => (Conversion::Float(letter), 8, &[4, 8, 16]),
        b'c' => (Conversion::Character, 1, &[1]),
        b's' => return Ok((Conversion::Text, bytes.unwrap_or(1))),
        letter => return Err(Wrong::Conversion(letter)),
    };
    let takes = bytes.unwrap_or(default);
    if sizes.contains(&takes) {
        return Ok((conversion, takes));
    }
    let name = match conversion {
        Conversion::Named(name) => format!("_{}", char::from(name)),
        _ => char::from(letter).to_string(),
    };
    Err(Wrong::Bytes(name))
}

/// `red`, or `red:0x61`: what shall have the colour. Places (`@…`) and texts are not looked for.
fn color(text: &[u8]) -> Option<Color> {
    const NAMES: [&str; 8] = [
        "black", "red", "green", "brown", "blue", "magenta", "cyan", "gray",
    ];
    let text = std::str::from_utf8(text).ok()?.trim_start_matches('!');
    let (name, value) = match text.split_once(':') {
        Some((name, value)) => (name, Some(value.split('@').next()?)),
        None => (text, None),
    };
    let name = if name == "yellow" { "brown" } else { name };
    let at = NAMES.iter().position(|known| *known == name)?;
    let parse = |value: &str| match value.strip_prefix("0x") {
        Some(digits) => u64::from_str_radix(digits, 16).ok(),
        None if value.starts_with('0') => u64::from_str_radix(value, 8).ok(),
        None => value.parse().ok(),
    };
    let value = match value {
        Some(value) => Some(parse(value)?),
        None => None,
    };
    Some(Color {
        escape: format!("\x1b[3{at}m"),
        value,
    })
}

/// How formats are written.
#[derive(Clone, Copy)]
pub struct Shown {
    /// `-v`: lines that repeat are not left out.
    pub all: bool,
    /// Colours are written.
    pub colored: bool,
}

/// Writes `content`, which starts at `start` of the input, in all formats. Formats with a `%_A` stand once at the
/// end; of several the last counts.
pub fn render(formats: &[Format], content: &[u8], start: usize, shown: Shown) -> Vec<u8> {
    let mut out = Vec::with_capacity(content.len() * 5);
    let size = formats.iter().map(Format::bytes).max().unwrap_or(0).max(1);
    if formats.iter().all(|format| format.bytes() == 0) {
        return out;
    }
    let mut previous: Option<&[u8]> = None;
    let mut starred = false;
    for (index, block) in content.chunks(size).enumerate() {
        if !shown.all && block.len() == size && previous == Some(block) {
            if !starred {
                out.extend_from_slice(b"*\n");
                starred = true;
            }
            continue;
        }
        starred = false;
        previous = Some(block);
        for format in formats.iter().filter(|format| !format.is_end()) {
            line(format, block, (start + index * size, size), shown, &mut out);
        }
    }
    // Of several formats for the end the last counts.
    let end = formats.iter().rfind(|format| format.is_end());
    if let Some(format) = end.filter(|_| !content.is_empty()) {
        line(format, &[], (start + content.len(), 0), shown, &mut out);
    }
    out
}

/// Writes one block in one format. What the block is too short for shows as blanks, with the texts around it.
/// `offset` is that of the block, `size` how long it would be.
fn line(
    format: &Format,
    block: &[u8],
    (offset, size): (usize, usize),
    shown: Shown,
    out: &mut Vec<u8>,
) {
    let mut at = 0;
    // A format may have no unit at all.
    let last = format.units.len().saturating_sub(1);
    for (number, unit) in format.units.iter().enumerate() {
        let bytes = unit.bytes;
        // A last unit without a count is repeated as long as there is data.
        let mut count = unit.count;
        if number == last && bytes > 0 && !unit.is_counted && size > at {
            count = count.max((size - at) / bytes);
        }
        for turn in 0..count {
            for (index, part) in unit.parts.iter().enumerate() {
                match part {
                    Part::Text(text) => {
                        // Of what follows the last value one blank is left out.
                        let trailing =
                            index + 1 == unit.parts.len() && turn + 1 == count && count > 1;
                        let shorter = match text.split_last() {
                            Some((last, rest)) if trailing && last.is_ascii_whitespace() => rest,
                            _ => text,
                        };
                        out.extend_from_slice(shorter);
                    }
                    Part::Convert(shape, conversion, takes, colors) => {
                        if block.len() < size && at >= block.len() {
                            out.extend(std::iter::repeat_n(b' ', shape.width));
                        } else {
                            let rest = block.get(at..).unwrap_or_default();
                            let mut data = rest[..rest.len().min(*takes)].to_vec();
                            data.resize(*takes, 0);
                            let fits = |color: &&Color| {
                                let value = color.value;
                                value.is_none_or(|value| value == little_endian(&data))
                            };
                            let color = colors.iter().filter(|_| shown.colored).find(fits);
                            out.extend(color.iter().flat_map(|color| color.escape.bytes()));
                            convert(*shape, *conversion, &data, offset + at, out);
                            out.extend(color.iter().flat_map(|_| *b"\x1b[0m"));
                        }
                        at += takes;
                    }
                }
            }
        }
    }
}

/// The number of up to eight bytes, the low one first.
fn little_endian(data: &[u8]) -> u64 {
    data.iter()
        .take(8)
        .rev()
        .fold(0, |value, &byte| value << 8 | u64::from(byte))
}

/// The digits of a number, at the end of `space`.
fn digits(letter: u8, value: u64, space: &mut [u8; 24]) -> &[u8] {
    let radix = match letter {
        b'x' | b'X' => 16,
        b'o' => 8,
        _ => 10,
    };
    let symbols = if letter == b'X' {
        b"0123456789ABCDEF"
    } else {
        b"0123456789abcdef"
    };
    let (mut at, mut value) = (space.len(), value);
    loop {
        at -= 1;
        space[at] = symbols[(value % radix) as usize];
        value /= radix;
        if value == 0 {
            return &space[at..];
        }
    }
}

/// Writes a value.
fn convert(shape: Shape, conversion: Conversion, data: &[u8], offset: usize, out: &mut Vec<u8>) {
    let byte = data.first().copied().unwrap_or(0);
    let mut space = [0; 24];
    match conversion {
        Conversion::Offset(letter) | Conversion::End(letter) => {
            shape.number(b"", digits(letter, offset as u64, &mut space), out);
        }
        Conversion::Integer(b'd' | b'i') => {
            let bits = 64 - 8 * data.len().min(8) as u32;
            let value = (little_endian(data) << bits.min(63)) as i64 >> bits.min(63);
            let sign = if value < 0 { Some(b'-') } else { shape.sign };
            let digits = digits(b'd', value.unsigned_abs(), &mut space);
            shape.number(sign.as_slice(), digits, out);
        }
        Conversion::Integer(letter) => {
            let value = little_endian(data);
            let prefix: &[u8] = match letter {
                _ if !shape.alternate || value == 0 => b"",
                b'x' => b"0x",
                b'X' => b"0X",
                b'o' => b"0",
                _ => b"",
            };
            shape.number(prefix, digits(letter, value, &mut space), out);
        }
        Conversion::Character => out.push(byte),
        Conversion::Text => shape.text(String::from_utf8_lossy(data).as_bytes(), out),
        Conversion::Named(b'p') => shape.text(&[visible(byte) as u8], out),
        Conversion::Named(kind) => shape.text(name(byte, kind).as_bytes(), out),
        Conversion::Float(letter) => {
            let bits = little_endian(data);
            let value = match data.len() {
                4 => f64::from(f32::from_bits(bits as u32)),
                8 => f64::from_bits(bits),
                _ => extended(bits, little_endian(&data[8..]) as u16),
            };
            shape.float(letter, value, out);
        }
    }
}

/// A float of 80 bits: its digits, with the first one written, and its exponent with the sign.
fn extended(digits: u64, exponent: u16) -> f64 {
    let sign = if exponent >> 15 == 1 { -1.0 } else { 1.0 };
    let value = match i32::from(exponent & 0x7fff) {
        0x7fff if digits << 1 == 0 => f64::INFINITY,
        0x7fff => f64::NAN,
        exponent => digits as f64 * 2f64.powi(exponent - 16_383 - 63),
    };
    sign * value
}

/// A byte as `%_c` or `%_u` shows it.
fn name(byte: u8, kind: u8) -> String {
    const NAMES: [&str; 33] = [
        "nul", "soh", "stx", "etx", "eot", "enq", "ack", "bel", "bs", "ht", "lf", "vt", "ff", "cr",
        "so", "si", "dle", "dc1", "dc2", "dc3", "dc4", "nak", "syn", "etb", "can", "em", "sub",
        "esc", "fs", "gs", "rs", "us", "sp",
    ];
    match (byte, kind) {
        (b' '..=b'~', _) => char::from(byte).to_string(),
        (0, b'c') => "\\0".to_owned(),
        (7, b'c') => "\\a".to_owned(),
        (8, b'c') => "\\b".to_owned(),
        (9, b'c') => "\\t".to_owned(),
        (10, b'c') => "\\n".to_owned(),
        (11, b'c') => "\\v".to_owned(),
        (12, b'c') => "\\f".to_owned(),
        (13, b'c') => "\\r".to_owned(),
        (0..=31, b'u') => NAMES[usize::from(byte)].to_owned(),
        (127, b'u') => "del".to_owned(),
        (_, b'u') => format!("{byte:02x}"),
        _ => format!("{byte:03o}"),
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    #[test]
    fn formats_give_what_hexdump_gives() {
        let cases = [
            (
                r#"16/1 "%02x " "\n""#,
                "6f 6e 65 0a                                    \n",
            ),
            (r#"1/1 "%02X,""#, "6F,6E,65,0A,"),
            (r#""%08_ax " 1/4 "%08x" "\n""#, "00000000 0a656e6f\n"),
        ];
        for (format, expected) in &cases {
            let formats = [parse(format.as_bytes()).unwrap()];
            let text = render(
                &formats,
                b"one\n",
                0,
                Shown {
                    all: false,
                    colored: false,
                },
            );
            assert_eq!(String::from_utf8(text).unwrap(), *expected, "{format}");
        }
        assert!(parse(b"nonsense").is_err());
    }

    #[test]
    fn floats_of_80_bits() {
        assert_eq!(extended(0xc000_0000_0000_0000, 0x4000), 3.0);
        assert_eq!(extended(0x8000_0000_0000_0000, 0xbffe), -0.5);
        assert_eq!(extended(0, 0), 0.0);
    }
}
