//! Sizes for people and in blocks, rounded up as GNU's tools round them.

/// How sizes are written.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Unit {
    /// Powers of 1024 with a letter: `1.5K`.
    Human,
    /// Powers of 1000 with a letter: `1.5k`.
    Decimal,
    /// Blocks of so many bytes, and the suffix that follows.
    Blocks(u64, &'static str),
}

impl Unit {
    /// Reads the value of `--block-size`.
    pub fn parse(text: &[u8]) -> Option<Unit> {
        let text = std::str::from_utf8(text).ok()?;
        match text {
            "human-readable" => return Some(Unit::Human),
            "si" => return Some(Unit::Decimal),
            _ => {}
        }
        // Digits are not grouped in the locales there are.
        let text = text.strip_prefix('\'').unwrap_or(text);
        let digits = text.bytes().take_while(u8::is_ascii_digit).count();
        let count: u64 = if digits == 0 {
            1
        } else {
            text[..digits].parse().ok()?
        };
        const LETTERS: &[u8] = b"KMGTPE";
        const BINARY: [&str; 6] = ["K", "M", "G", "T", "P", "E"];
        const DECIMAL: [&str; 6] = ["kB", "MB", "GB", "TB", "PB", "EB"];
        const NAMED: [&str; 6] = ["KiB", "MiB", "GiB", "TiB", "PiB", "EiB"];
        let Some((letter, suffix)) = text.as_bytes()[digits..].split_first() else {
            return (digits > 0 && count > 0).then_some(Unit::Blocks(count, ""));
        };
        let upper = letter.to_ascii_uppercase();
        let at = LETTERS.iter().position(|known| *known == upper)?;
        let (base, names) = match suffix {
            b"" | b"i" => (1024u64, BINARY),
            b"iB" => (1024, NAMED),
            b"B" => (1000, DECIMAL),
            _ => return None,
        };
        let shown = if digits == 0 { names[at] } else { "" };
        let block = count.checked_mul(base.checked_pow(at as u32 + 1)?)?;
        (block > 0).then_some(Unit::Blocks(block, shown))
    }

    /// Writes a number of bytes.
    pub fn format(self, bytes: u64) -> String {
        match self {
            Unit::Human => scaled(bytes, 1024, &["", "K", "M", "G", "T", "P", "E"]),
            Unit::Decimal => scaled(bytes, 1000, &["", "k", "M", "G", "T", "P", "E"]),
            Unit::Blocks(size, suffix) => format!("{}{suffix}", bytes.div_ceil(size)),
        }
    }
}

fn scaled(bytes: u64, base: u64, letters: &[&str]) -> String {
    let mut power = 0;
    let mut unit = 1u128;
    let (bytes, base) = (u128::from(bytes), u128::from(base));
    while power + 1 < letters.len() && bytes >= unit * base {
        unit *= base;
        power += 1;
    }
    if power == 0 {
        return bytes.to_string();
    }
    let tenths = (bytes * 10).div_ceil(unit);
    if tenths < 100 {
        return format!("{}.{}{}", tenths / 10, tenths % 10, letters[power]);
    }
    let whole = bytes.div_ceil(unit);
    if whole == base && power + 1 < letters.len() {
        return format!("1.0{}", letters[power + 1]);
    }
    format!("{whole}{}", letters[power])
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn rounds_up() {
        let cases = [
            (0, "0"),
            (1023, "1023"),
            (1024, "1.0K"),
            (1536, "1.5K"),
            (1537, "1.6K"),
            (10239, "10K"),
            (10241, "11K"),
            (1_048_575, "1.0M"),
            (1_572_864, "1.5M"),
        ];
        for (bytes, expected) in cases {
            assert_eq!(Unit::Human.format(bytes), expected);
        }
        assert_eq!(
            Unit::parse(b"1K").map(|unit| unit.format(1025)).as_deref(),
            Some("2")
        );
        assert_eq!(
            Unit::parse(b"K").map(|unit| unit.format(1025)).as_deref(),
            Some("2K")
        );
        assert_eq!(
            Unit::parse(b"kB").map(|unit| unit.format(1001)).as_deref(),
            Some("2kB")
        );
        assert_eq!(Unit::parse(b"x"), None);
    }
}
