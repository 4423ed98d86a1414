//! Characters of a byte string: UTF-8 sequences, and single bytes where there is none.

/// Added to a byte that belongs to no UTF-8 sequence; above every real character.
const STRAY: u32 = 0x11_0000;

/// A character as a number: its code point, or a value above them all for a stray byte.
pub(super) type Character = u32;

/// The character at `at` and its length in bytes; none at the end.
#[inline]
pub(super) fn decode(text: &[u8], at: usize, bytewise: bool) -> Option<(Character, usize)> {
    let first = *text.get(at)?;
    if first < 0x80 {
        return Some((u32::from(first), 1));
    }
    if !bytewise {
        let end = text.len().min(at + width(first));
        if let Some(character) = text
            .get(at..end)
            .and_then(|bytes| std::str::from_utf8(bytes).ok())
            .and_then(|text| text.chars().next())
        {
            return Some((u32::from(character), character.len_utf8()));
        }
    }
    Some((STRAY + u32::from(first), 1))
}

/// The start of the character that ends at `end`, which is not 0.
pub(super) fn previous(text: &[u8], end: usize, bytewise: bool) -> usize {
    let lowest = if bytewise {
        end - 1
    } else {
        end.saturating_sub(4)
    };
    // A longer sequence wins only where it fills the bytes up to `end`.
    (lowest..end)
        .find(|&start| {
            decode(text, start, bytewise).is_some_and(|(_, length)| start + length == end)
        })
        .unwrap_or(end - 1)
}

/// How many bytes a UTF-8 sequence has that begins with `first`.
fn width(first: u8) -> usize {
    match first {
        0xc2..=0xdf => 2,
        0xe0..=0xef => 3,
        0xf0..=0xf4 => 4,
        _ => 1,
    }
}

/// The character in lower case, where that is a single one.
pub(super) fn fold(character: Character) -> Character {
    let Some(character) = char::from_u32(character) else {
        return character;
    };
    let mut lower = character.to_lowercase();
    match (lower.next(), lower.next()) {
        (Some(single), None) => u32::from(single),
        _ => u32::from(character),
    }
}
