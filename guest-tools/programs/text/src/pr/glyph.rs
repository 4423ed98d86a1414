//! What a byte of the input becomes, and how wide that is.

/// What is written for one byte.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Glyph {
    /// So many blanks.
    Blanks(i64),
    /// The first so many of these bytes.
    Bytes([u8; 4], usize),
}

/// How bytes that are not printed are shown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unprintable {
    /// As they are; they take no column.
    AsIs,
    /// `-c`: `^G` for control characters, `\377` for bytes above ASCII.
    Caret,
    /// `-v`: `\007` for all of them.
    Octal,
}

/// How bytes are shown.
#[derive(Clone, Debug)]
pub struct Alphabet {
    /// What counts as a tab besides the tab, and how many columns apart its stops are.
    pub tab: (u8, i64),
    /// Tabs become blanks.
    pub expand: bool,
    /// How bytes that are not printed are shown.
    pub unprintable: Unprintable,
}

/// The distance of the stops of a tab.
const TAB: i64 = 8;

impl Alphabet {
    /// What `byte` becomes at column `position`, which is moved on. A backspace moves back, and is nothing at the
    /// first column.
    pub fn glyph(&self, byte: u8, position: &mut i64) -> Glyph {
        if byte == self.tab.0 || byte == b'\t' {
            let stops = if byte == self.tab.0 { self.tab.1 } else { TAB };
            let width = stops - *position % stops;
            *position += width;
            return if self.expand {
                Glyph::Blanks(width)
            } else {
                single(byte)
            };
        }
        if (b' '..=b'~').contains(&byte) {
            *position += 1;
            return single(byte);
        }
        let (glyph, width) = match self.unprintable {
            Unprintable::Caret if byte < 0x80 => (Glyph::Bytes([b'^', byte ^ 0x40, 0, 0], 2), 2),
            Unprintable::Caret | Unprintable::Octal => (octal(byte), 4),
            Unprintable::AsIs if byte == 8 && *position == 0 => (Glyph::Blanks(0), 0),
            Unprintable::AsIs => (single(byte), -i64::from(byte == 8)),
        };
        *position += width;
        glyph
    }
}

/// A byte as it is.
fn single(byte: u8) -> Glyph {
    Glyph::Bytes([byte, 0, 0, 0], 1)
}

/// A byte as `\OOO`.
fn octal(byte: u8) -> Glyph {
    let digit = |shift: u8| b'0' + (byte >> shift & 7);
    Glyph::Bytes([b'\\', digit(6), digit(3), digit(0)], 4)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn widths_and_bytes() {
        let alphabet = |unprintable| Alphabet {
            tab: (b'x', 4),
            expand: true,
            unprintable,
        };
        let cases = [
            (Unprintable::AsIs, b'a', 3, single(b'a'), 4),
            (Unprintable::AsIs, b'x', 3, Glyph::Blanks(1), 4),
            (Unprintable::AsIs, b'\t', 3, Glyph::Blanks(5), 8),
            (Unprintable::AsIs, 8, 3, single(8), 2),
            (Unprintable::AsIs, 8, 0, Glyph::Blanks(0), 0),
            (Unprintable::AsIs, 200, 1, single(200), 1),
            (Unprintable::Caret, 7, 0, Glyph::Bytes(*b"^G\0\0", 2), 2),
            (Unprintable::Caret, 200, 0, Glyph::Bytes(*b"\\310", 4), 4),
            (Unprintable::Octal, 7, 0, Glyph::Bytes(*b"\\007", 4), 4),
        ];
        for (unprintable, byte, before, expected, after) in cases {
            let mut position = before;
            let glyph = alphabet(unprintable).glyph(byte, &mut position);
            assert_eq!((glyph, position), (expected, after), "{byte}");
        }
    }
}
