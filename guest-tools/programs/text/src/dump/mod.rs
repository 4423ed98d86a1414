//! Files as numbers: `xxd` and `hexdump`.

mod format;
mod hexdump;
mod revert;
mod xxd;

pub use hexdump::run as hexdump;
pub use xxd::run as xxd;

/// A number as C writes it: decimal, `0x…` or `0…`; `k` and `m` and `b` multiply.
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
    let value = if let Some(hex) = text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        i64::from_str_radix(hex, 16).ok()?
    } else if text.len() > 1 && text.starts_with('0') {
        i64::from_str_radix(text, 8).ok()?
    } else {
        text.parse().ok()?
    };
    Some(sign * value * unit)
}

/// A byte as text shows it.
fn visible(byte: u8) -> char {
    if (b' '..=b'~').contains(&byte) {
        char::from(byte)
    } else {
        '.'
    }
}
