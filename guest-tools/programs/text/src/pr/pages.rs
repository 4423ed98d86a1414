//! Which pages are printed: `FIRST[:LAST]`.

use crate::options;

/// What is wrong with a range of pages.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Problem {
    /// There is no number.
    Invalid,
    /// Something follows the numbers.
    Suffix,
    /// A number does not fit into 64 bits.
    TooLarge,
}

impl Problem {
    /// What a message begins with.
    pub fn words(self) -> &'static str {
        match self {
            Problem::Invalid => "invalid ",
            Problem::Suffix => "invalid suffix in ",
            Problem::TooLarge => "",
        }
    }

    /// What it ends with.
    pub fn more_words(self) -> &'static str {
        match self {
            Problem::TooLarge => " too large",
            Problem::Invalid | Problem::Suffix => "",
        }
    }
}

/// The first page and the last, where there is one.
pub type Range = (u64, Option<u64>);

/// Reads a range; none where it could as well be the name of a file.
///
/// # Errors
/// What is wrong with the numbers.
pub fn read(text: &[u8]) -> Result<Option<Range>, Problem> {
    let (first, rest) = leading_number(text)?;
    if first == 0 {
        return Ok(None);
    }
    let Some((separator, rest)) = rest.split_first() else {
        return Ok(Some((first, None)));
    };
    if *separator != b':' {
        return Ok(None);
    }
    match leading_number(rest)? {
        (last, []) => Ok((last >= first).then_some((first, Some(last)))),
        _ => Err(Problem::Suffix),
    }
}

/// The number at the start, behind blanks and a `+`, and what follows.
fn leading_number(text: &[u8]) -> Result<(u64, &[u8]), Problem> {
    let bare = text.trim_ascii_start();
    let bare = bare.strip_prefix(b"+").unwrap_or(bare);
    let digits = bare.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Err(Problem::Invalid);
    }
    let number = options::number(&bare[..digits]).ok_or(Problem::TooLarge)?;
    Ok((number, &bare[digits..]))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ranges() {
        let cases = [
            ("2", Ok(Some((2, None)))),
            ("+2:3", Ok(Some((2, Some(3))))),
            ("0", Ok(None)),
            ("3:2", Ok(None)),
            ("2x", Ok(None)),
            ("2:", Err(Problem::Invalid)),
            ("x", Err(Problem::Invalid)),
            ("2:3x", Err(Problem::Suffix)),
            ("99999999999999999999", Err(Problem::TooLarge)),
        ];
        for (text, expected) in cases {
            assert_eq!(read(text.as_bytes()), expected, "{text}");
        }
    }
}
