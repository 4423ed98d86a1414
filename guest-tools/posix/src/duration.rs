//! Durations as `sleep` and `timeout` read them.

use std::time::Duration;

/// A duration such as `1.5m`.
pub fn duration(text: &[u8]) -> Option<Duration> {
    let text = std::str::from_utf8(text).ok()?;
    let (digits, unit) = match text.as_bytes().last()? {
        b's' => (&text[..text.len() - 1], 1.0),
        b'm' => (&text[..text.len() - 1], 60.0),
        b'h' => (&text[..text.len() - 1], 3600.0),
        b'd' => (&text[..text.len() - 1], 86400.0),
        _ => (text, 1.0),
    };
    let seconds: f64 = digits.parse().ok().filter(|value: &f64| *value >= 0.0)?;
    Some(Duration::try_from_secs_f64(seconds * unit).unwrap_or(Duration::MAX))
}
