//! `@csv`, `@base64` and the other formats of the manual's section "Format strings".
//!
//! A format is applied to each value that a string interpolates, or to the input where it stands alone. Decoding
//! replaces what is no UTF-8 by U+FFFD, but for `@urid`, which refuses it.

use base64::Engine as _;
use base64::alphabet;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};

use super::json::{compact, hexadecimal, shortened};
use super::value::{Value, format_number};

type Outcome<T = Value> = Result<T, String>;

/// Applies the format called `name`.
///
/// # Errors
/// `x is not a valid format`; a value that the format does not take, as an object in a CSV row; text that cannot be
/// decoded.
pub fn apply(name: &str, value: &Value) -> Outcome {
    let text = || to_text(value);
    Ok(match name {
        "text" => Value::from(text()),
        "json" => Value::from(compact(value)),
        "csv" => row(value, "csv", ",", csv_field)?.into(),
        "tsv" => row(value, "tsv", "\t", tsv_field)?.into(),
        "html" => html(&text()).into(),
        "uri" => uri(&text()).into(),
        "urid" => from_uri(&text())
            .ok_or_else(|| {
                format!(
                    "{} ({}) is not a valid uri encoding",
                    value.kind(),
                    shortened(value)
                )
            })?
            .into(),
        "sh" => shell(value)?.into(),
        "base64" => base64::engine::general_purpose::STANDARD
            .encode(text())
            .into(),
        "base64d" => from_base64(&text())
            .ok_or_else(|| {
                let short = text().trim_end_matches('=').len() % 4 == 1;
                let what = if short {
                    "trailing base64 byte found"
                } else {
                    "is not valid base64 data"
                };
                format!("{} ({}) {what}", value.kind(), shortened(value))
            })?
            .into(),
        "base32" => base32(text().as_bytes()).into(),
        "base32d" => from_base32(&text())
            .ok_or_else(|| {
                format!(
                    "{} ({}) is not valid base32 data",
                    value.kind(),
                    shortened(value)
                )
            })?
            .into(),
        _ => return Err(format!("{name} is not a valid format")),
    })
}

/// Strings as they are, everything else as JSON.
///
/// The conversion of `tostring` and of plain interpolation.
pub fn to_text(value: &Value) -> String {
    value.text().map_or_else(|| compact(value), str::to_owned)
}

/// A row of `@csv` or `@tsv` without a line end: the fields of an array, joined.
fn row(
    value: &Value,
    name: &str,
    separator: &str,
    field: fn(&Value) -> Outcome<String>,
) -> Outcome<String> {
    let Value::Array(items) = value else {
        return Err(format!(
            "{} ({}) cannot be {name}-formatted, only an array can be",
            value.kind(),
            shortened(value)
        ));
    };
    let fields: Vec<String> = items.iter().map(field).collect::<Outcome<_>>()?;
    Ok(fields.join(separator))
}

/// A field of CSV (RFC 4180). Strings are always quoted, numbers and booleans are not, `null` is empty.
fn csv_field(value: &Value) -> Outcome<String> {
    Ok(match value {
        Value::Null => String::new(),
        Value::Bool(truth) => truth.to_string(),
        Value::Number(number) if number.is_nan() => String::new(),
        Value::Number(number) => format_number(*number),
        Value::Exact(_, text) => text.to_string(),
        Value::String(text) => format!("\"{}\"", text.replace('"', "\"\"")),
        other => return Err(invalid(other, "is not valid in a csv row")),
    })
}

/// A field of TSV: tabs, line ends and backslashes in strings are written as escapes, nothing is quoted.
fn tsv_field(value: &Value) -> Outcome<String> {
    Ok(match value {
        Value::String(text) => text
            .replace('\\', "\\\\")
            .replace('\t', "\\t")
            .replace('\n', "\\n")
            .replace('\r', "\\r"),
        Value::Array(_) | Value::Object(_) => {
            return Err(invalid(value, "is not valid in a tsv row"));
        }
        other => csv_field(other)?,
    })
}

/// The message for a value that the format cannot have.
fn invalid(value: &Value, what: &str) -> String {
    format!("{} ({}) {what}", value.kind(), shortened(value))
}

/// Text with `<>&'"` as entities.
fn html(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for character in text.chars() {
        match character {
            '<' => out.push_str("&lt;"),
            '>' => out.push_str("&gt;"),
            '&' => out.push_str("&amp;"),
            '\'' => out.push_str("&apos;"),
            '"' => out.push_str("&quot;"),
            other => out.push(other),
        }
    }
    out
}

/// Percent-encoding of all but the unreserved characters of RFC 3986.
fn uri(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 16);
    for byte in text.bytes() {
        if byte.is_ascii_alphanumeric() || b"-_.~".contains(&byte) {
            out.push(char::from(byte));
        } else {
            out.push_str(&format!("%{byte:02X}"));
        }
    }
    out
}

/// Percent-decoding; none for a `%` without two digits, or bytes that are no UTF-8. A `+` stays a plus.
fn from_uri(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len());
    let mut rest = text.as_bytes();
    while let Some((&byte, after)) = rest.split_first() {
        rest = after;
        if byte == b'%' {
            let hex = std::str::from_utf8(rest.get(..2)?).ok()?;
            out.push(u8::try_from(hexadecimal(hex)?).ok()?);
            rest = &rest[2..];
        } else {
            out.push(byte);
        }
    }
    String::from_utf8(out).ok()
}

/// A word for a POSIX shell, or several of an array: `["a'b", 1]` → `'a'\''b' 1`.
fn shell(value: &Value) -> Outcome<String> {
    let word = |value: &Value| match value {
        Value::String(text) => Ok(format!("'{}'", text.replace('\'', "'\\''"))),
        Value::Array(_) | Value::Object(_) => Err(invalid(value, "can not be escaped for shell")),
        other => Ok(compact(other)),
    };
    match value {
        Value::Array(items) => Ok(items
            .iter()
            .map(word)
            .collect::<Outcome<Vec<_>>>()?
            .join(" ")),
        other => word(other),
    }
}

/// Base64 (RFC 4648) to text. Padding is optional, and bits that are left over are dropped.
fn from_base64(text: &str) -> Option<String> {
    const LENIENT: GeneralPurpose = GeneralPurpose::new(
        &alphabet::STANDARD,
        GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(DecodePaddingMode::RequireNone),
    );
    let bare = text.trim_end_matches('=');
    let bytes = LENIENT.decode(bare).ok()?;
    Some(String::from_utf8_lossy(&bytes).into_owned())
}

/// The alphabet of RFC 4648.
const BASE32: &[u8; 32] = b"ABCDEFGHIJKLMNOPQRSTUVWXYZ234567";

/// Bytes to base32 with padding, five at a time: 40 bits are eight letters.
fn base32(bytes: &[u8]) -> String {
    let mut out = String::with_capacity(bytes.len().div_ceil(5) * 8);
    for chunk in bytes.chunks(5) {
        let mut group = [0_u8; 8];
        group[3..3 + chunk.len()].copy_from_slice(chunk);
        let bits = u64::from_be_bytes(group);
        let used = (chunk.len() * 8).div_ceil(5);
        for index in 0..8 {
            let value = (bits >> (35 - 5 * index)) as usize & 31;
            out.push(if index < used {
                char::from(BASE32[value])
            } else {
                '='
            });
        }
    }
    out
}

/// Base32 to text; none for a letter that is not in the alphabet. Bits that are left over are dropped.
fn from_base32(text: &str) -> Option<String> {
    let mut out = Vec::with_capacity(text.len() * 5 / 8);
    let (mut bits, mut count) = (0_u32, 0);
    for byte in text.trim_end_matches('=').bytes() {
        let value = BASE32.iter().position(|&letter| letter == byte)? as u32;
        bits = (bits << 5 | value) & 0xffff;
        count += 5;
        if count >= 8 {
            count -= 8;
            out.push((bits >> count) as u8);
        }
    }
    Some(String::from_utf8_lossy(&out).into_owned())
}
