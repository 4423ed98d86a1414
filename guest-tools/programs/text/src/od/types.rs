//! How values are read and written: the types of `-t`.
//!
//! ```text
//! -t x2z      hexadecimal, two bytes, characters at the end of the line
//! -t dIfD     signed, four bytes, and floats of eight
//! -c, -x      c, x2
//! ```

use crate::call::bytes;
use crate::quote;

/// What the bytes of a value are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Kind {
    /// `a`: the name of a character.
    Name,
    /// `c`: a character or its escape.
    Character,
    /// `d`: a number in two's complement.
    Signed,
    /// `u`: a number without a sign.
    Unsigned,
    /// `o`
    Octal,
    /// `x`
    Hexadecimal,
    /// `f`: a float of IEEE 754.
    Float,
}

/// One type.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Type {
    pub kind: Kind,
    /// How many bytes a value has: 1, 2, 4 or 8.
    pub size: usize,
    /// `z`: the line ends with its characters.
    pub shows_text: bool,
}

impl Type {
    /// A type without characters at the end of the line.
    pub const fn new(kind: Kind, size: usize) -> Type {
        Type {
            kind,
            size,
            shows_text: false,
        }
    }

    /// How many columns a value takes at least, without the blank before it.
    pub fn width(&self) -> usize {
        let of = |widths: [usize; 4]| widths[self.size.ilog2() as usize];
        match self.kind {
            Kind::Name | Kind::Character => 3,
            Kind::Signed => of([4, 6, 11, 20]),
            Kind::Unsigned => of([3, 5, 10, 20]),
            Kind::Octal => of([3, 6, 11, 22]),
            Kind::Hexadecimal => 2 * self.size,
            Kind::Float if self.size == 4 => 15,
            Kind::Float => 24,
        }
    }
}

/// Reads the value of `-t`: one type after the other.
///
/// # Errors
/// The message.
pub fn parse(text: &[u8]) -> Result<Vec<Type>, Vec<u8>> {
    let mut types = Vec::new();
    let mut rest = text;
    while let Some((&letter, after)) = rest.split_first() {
        rest = after;
        let kind = match letter {
            b'a' => Kind::Name,
            b'c' => Kind::Character,
            b'd' => Kind::Signed,
            b'u' => Kind::Unsigned,
            b'o' => Kind::Octal,
            b'x' => Kind::Hexadecimal,
            b'f' => Kind::Float,
            _ => {
                let word = quote::word(text);
                let start = "invalid character '";
                return Err(bytes!(start, [letter], "' in type string ", word));
            }
        };
        let size = match kind {
            Kind::Name | Kind::Character => 1,
            _ => size(kind, &mut rest, text)?,
        };
        let shows_text = rest.first() == Some(&b'z');
        rest = &rest[usize::from(shows_text)..];
        types.push(Type {
            kind,
            size,
            shows_text,
        });
    }
    Ok(types)
}

/// Takes the size behind a letter from `rest`: a number of bytes, or the letter of a type of C. `whole` is the value
/// of `-t`, for the message.
fn size(kind: Kind, rest: &mut &[u8], whole: &[u8]) -> Result<usize, Vec<u8>> {
    let is_float = kind == Kind::Float;
    let named = match (rest.first(), is_float) {
        (Some(b'C'), false) => Some(1),
        (Some(b'S'), false) => Some(2),
        (Some(b'I'), false) | (Some(b'F'), true) => Some(4),
        (Some(b'L'), false) | (Some(b'D'), true) => Some(8),
        (Some(b'L'), true) => Some(16),
        _ => None,
    };
    let digits = rest.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let size = match named {
        Some(size) => {
            *rest = &rest[1..];
            size
        }
        None if digits == 0 => return Ok(if is_float { 8 } else { 4 }),
        None => {
            let text = std::str::from_utf8(&rest[..digits]).unwrap_or_default();
            *rest = &rest[digits..];
            text.parse().unwrap_or(usize::MAX)
        }
    };
    let known: &[usize] = if is_float { &[4, 8] } else { &[1, 2, 4, 8] };
    if known.contains(&size) {
        return Ok(size);
    }
    let what = if is_float {
        "floating point"
    } else {
        "integral"
    };
    let reason = format!(";\nthis system doesn't provide a {size}-byte {what} type");
    Err(bytes!("invalid type string ", quote::word(whole), reason))
}

/// The type that one of the old options stands for.
pub fn of_letter(letter: &str) -> Option<Type> {
    Some(match letter {
        "a" => Type::new(Kind::Name, 1),
        "b" => Type::new(Kind::Octal, 1),
        "c" => Type::new(Kind::Character, 1),
        "D" => Type::new(Kind::Unsigned, 4),
        "d" => Type::new(Kind::Unsigned, 2),
        "F" => Type::new(Kind::Float, 8),
        "f" => Type::new(Kind::Float, 4),
        "H" => Type::new(Kind::Hexadecimal, 4),
        "x" => Type::new(Kind::Hexadecimal, 2),
        "i" => Type::new(Kind::Signed, 4),
        "l" => Type::new(Kind::Signed, 8),
        "O" => Type::new(Kind::Octal, 4),
        "o" => Type::new(Kind::Octal, 2),
        "s" => Type::new(Kind::Signed, 2),
        _ => return None,
    })
}
