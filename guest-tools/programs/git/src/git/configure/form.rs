//! The forms of values that `--type` asks for.

use super::super::config;
use super::super::flags::Flags;
use super::super::repository::parse_date;
use super::super::stop::{Outcome, fatal};
use crate::call::bytes;

/// The kind that is asked for; none where values stay as they are.
fn kind(flags: &Flags) -> Outcome<Option<&str>> {
    let kinds = ["bool", "int", "bool-or-int", "path", "expiry-date", "t"];
    let kind = match flags.last(&kinds) {
        Some("t") => std::str::from_utf8(flags.value("t").unwrap_or_default()).unwrap_or_default(),
        Some(key) => key,
        None => return Ok(None),
    };
    match kind {
        "color" => Ok(Some(kind)),
        _ if kinds[..5].contains(&kind) => Ok(Some(kind)),
        _ => Err(fatal(format!("unrecognized --type argument, {kind}"))),
    }
}

/// A value as it is printed; `file` is where it stands.
pub(super) fn read(flags: &Flags, name: &str, value: &[u8], file: &[u8]) -> Outcome<Vec<u8>> {
    match kind(flags)? {
        Some("path") => Ok(config::home(value)),
        Some("color") => color(value),
        Some("expiry-date") => match value {
            b"never" | b"false" => Ok(b"0".to_vec()),
            b"all" | b"now" => Ok(b"18446744073709551615".to_vec()),
            _ => match parse_date(value) {
                Some((time, _)) => Ok(time.to_string().into_bytes()),
                None => Err(fatal(bytes!(
                    "bad config value for expiry-date: '",
                    value,
                    "'"
                ))),
            },
        },
        Some(kind) => number_or_truth(kind, name, value, file),
        None => Ok(value.to_vec()),
    }
}

/// A value as it is written into a file: numbers without units, truths as `true` and `false`.
pub(super) fn written(flags: &Flags, name: &str, value: &[u8]) -> Outcome<Vec<u8>> {
    match kind(flags)? {
        Some("color") => color(value).map(|_| value.to_vec()),
        Some(kind @ ("bool" | "int" | "bool-or-int")) => number_or_truth(kind, name, value, b""),
        _ => Ok(value.to_vec()),
    }
}

fn number_or_truth(kind: &str, name: &str, value: &[u8], file: &[u8]) -> Outcome<Vec<u8>> {
    let number = number(value);
    match (kind, number, config::is_true(value)) {
        ("int", Some(number), _) => Ok(number.to_string().into_bytes()),
        ("bool-or-int", Some(number), _) if !value.is_empty() => {
            Ok(number.to_string().into_bytes())
        }
        ("bool" | "bool-or-int", _, Some(truth)) => Ok(truth.to_string().into_bytes()),
        ("bool", Some(number), None) => Ok((number != 0).to_string().into_bytes()),
        ("int", None, _) => {
            let place = match file {
                b"" => Vec::new(),
                file => bytes!(" in file ", file),
            };
            Err(fatal(bytes!(
                "bad numeric config value '",
                value,
                "' for '",
                name,
                "'",
                place,
                ": invalid unit"
            )))
        }
        _ => Err(fatal(bytes!(
            "bad boolean config value '",
            value,
            "' for '",
            name,
            "'"
        ))),
    }
}

/// A number with one of the units k, m and g.
fn number(value: &[u8]) -> Option<i64> {
    let text = std::str::from_utf8(value).ok()?.trim().to_lowercase();
    let factor = match text.chars().last()? {
        'k' => 1 << 10,
        'm' => 1 << 20,
        'g' => 1 << 30,
        _ => 1,
    };
    let digits = text.strip_suffix(['k', 'm', 'g']).unwrap_or(&text);
    digits.parse::<i64>().ok()?.checked_mul(factor)
}

/// The escape sequence of a color such as `bold blue`, `red reverse`, `#ff0000` or `12`.
pub(super) fn color(value: &[u8]) -> Outcome<Vec<u8>> {
    let text = String::from_utf8_lossy(value).into_owned();
    let bad = || fatal(format!("invalid color value: {text}"));
    let mut attributes = std::collections::BTreeSet::new();
    let mut colors: Vec<String> = Vec::new();
    let mut count = 0;
    for word in text.split_whitespace() {
        let names = ["bold", "dim", "italic", "ul", "blink", "reverse", "strike"];
        let codes = [1, 2, 3, 4, 5, 7, 9];
        let plain = word
            .strip_prefix("no")
            .map(|rest| rest.trim_start_matches('-'));
        if word == "reset" {
            attributes.insert(0);
        } else if let Some(at) = names.iter().position(|name| *name == word) {
            attributes.insert(codes[at]);
        } else if let Some(at) = names.iter().position(|name| Some(*name) == plain) {
            attributes.insert(if codes[at] < 3 { 22 } else { 20 + codes[at] });
        } else {
            let code = color_code(word, count * 10).ok_or_else(bad)?;
            colors.extend(code);
            count += 1;
        }
        if count > 2 {
            return Err(bad());
        }
    }
    let reset = attributes.remove(&0);
    let codes: Vec<String> = attributes
        .iter()
        .map(ToString::to_string)
        .chain(colors)
        .collect();
    Ok(match (codes.is_empty(), reset) {
        (true, false) => Vec::new(),
        (true, true) => b"\x1b[m".to_vec(),
        (false, true) => format!("\x1b[;{}m", codes.join(";")).into_bytes(),
        (false, false) => format!("\x1b[{}m", codes.join(";")).into_bytes(),
    })
}

/// The code of one color, moved by `shift` for the background; nothing for `normal`, none for what is no color.
fn color_code(word: &str, shift: u32) -> Option<Option<String>> {
    let names = [
        "black", "red", "green", "yellow", "blue", "magenta", "cyan", "white",
    ];
    if word == "normal" || word == "-1" {
        return Some(None);
    }
    if word == "default" {
        return Some(Some((39 + shift).to_string()));
    }
    let (base, name) = match word.strip_prefix("bright") {
        Some(name) => (90, name),
        None => (30, word),
    };
    if let Some(at) = names.iter().position(|known| *known == name) {
        return Some(Some((base + shift + u32::try_from(at).ok()?).to_string()));
    }
    if let Some(hex) = word.strip_prefix('#') {
        let value = u32::from_str_radix(hex, 16)
            .ok()
            .filter(|_| hex.len() == 6)?;
        let (red, green, blue) = (value >> 16, value >> 8 & 255, value & 255);
        return Some(Some(format!("{};2;{red};{green};{blue}", 38 + shift)));
    }
    let number: u32 = word.parse().ok()?;
    Some(Some(match number {
        0..=7 => (30 + shift + number).to_string(),
        8..=15 => (82 + shift + number).to_string(),
        16..=255 => format!("{};5;{number}", 38 + shift),
        _ => return None,
    }))
}

/// Whether an address lies at or below another: the same scheme and host, and a path that begins with its parts.
pub(super) fn url_fits(pattern: &str, url: &str) -> bool {
    let clean = |url: &str| url.trim_end_matches('/').to_owned();
    let (pattern, url) = (clean(pattern), clean(url));
    let rest = url.strip_prefix(&pattern);
    rest.is_some_and(|rest| rest.is_empty() || rest.starts_with(['/', '?', '#']))
}
