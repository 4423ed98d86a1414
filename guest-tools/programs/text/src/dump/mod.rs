//! Files as numbers: `xxd`, after that of Vim, and `hexdump`, after util-linux.
//!
//! `xxd` writes and `revert` reads back; `hexdump` reads options, which all stand for the formats of `format`.

mod format;
mod hexdump;
mod revert;
mod xxd;

pub use hexdump::run as hexdump;
pub use xxd::run as xxd;

/// A number as C writes it: decimal, `0x…` or `0…`; `b`, `k` and `m` behind it multiply by 512, 1024 and 1024². What is
/// too large becomes the largest number. None for other texts.
///
/// ```text
/// 0x10 → 16     010 → 8     2k → 2048     -1 → -1     0xb → 11
/// ```
fn number(text: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(text).ok()?.trim();
    let (sign, text) = match text.strip_prefix('-') {
        Some(rest) => (-1, rest),
        None => (1, text.strip_prefix('+').unwrap_or(text)),
    };
    let (text, unit) = match text.as_bytes().last()? {
        b'b' if !text.starts_with("0x") => (&text[..text.len() - 1], 512),
        b'k' | b'K' => (&text[..text.len() - 1], 1024),
        b'm' | b'M' => (&text[..text.len() - 1], 1024 * 1024),
        _ => (text, 1),
    };
    let (digits, radix) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(hex) => (hex, 16),
        None if text.len() > 1 && text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    if digits.is_empty() {
        return None;
    }
    let value = digits.chars().try_fold(0i64, |value, digit| {
        let digit = i64::from(digit.to_digit(radix)?);
        Some(value.saturating_mul(i64::from(radix)).saturating_add(digit))
    })?;
    Some(value.saturating_mul(unit).saturating_mul(sign))
}

/// A byte as text shows it: itself, or a dot for what is no printable ASCII.
fn visible(byte: u8) -> char {
    if (b' '..=b'~').contains(&byte) {
        char::from(byte)
    } else {
        '.'
    }
}
