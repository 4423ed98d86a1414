//! The value of `date -d` in a command line, as a point in time that every reader of dates understands, and formats
//! as GNU reads them.
//!
//! Dates in words (`next friday`, `2 days ago`) are parsed by `when`, which `touch` and `find` use too, and not by
//! uutils; what uutils gets is `--date=@SECONDS`.

use jiff::tz::TimeZone;

use crate::call::{Call, bytes};
use crate::quote;
use crate::system::Time;

/// The short options of `date` with a value of their own, besides `-d`.
const VALUED: &[u8] = b"frs";

/// The arguments with each date as seconds since 1970. The zone is UTC where `-u` stands anywhere, else that of `TZ`.
///
/// ```text
/// date -ud '1970-01-01 00:01' +%s     -u --date=@60 +%s
/// ```
///
/// # Errors
/// Status 1, after a message, for a date that is none. A `-d` without a value is left to uutils.
pub fn resolved(call: &Call) -> Result<Vec<Vec<u8>>, i32> {
    let utc = call.arguments.iter().any(|argument| is_utc(argument));
    let zone = if utc {
        TimeZone::UTC
    } else {
        crate::time::zone()
    };
    let stamp = |text: &[u8]| {
        let found = std::str::from_utf8(text)
            .ok()
            .and_then(|text| crate::when::parse(text, Time::now(), &zone));
        match found {
            Some(time) => Ok(shown(time)),
            None => Err(call.fail(1, bytes!("invalid date ", quote::word(text)))),
        }
    };
    let mut out = Vec::with_capacity(call.arguments.len());
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == b"--" {
            out.push(argument.clone());
            break;
        }
        match find(argument) {
            Found::Date(head, value) => {
                let value = match value.or_else(|| arguments.next().map(Vec::as_slice)) {
                    Some(value) => stamp(value)?,
                    None => {
                        out.push(argument.clone());
                        continue;
                    }
                };
                out.extend((head.len() > 1).then(|| head.to_vec()));
                out.push(bytes!("--date=", value));
            }
            Found::Valued => {
                out.push(argument.clone());
                out.extend(arguments.next().cloned());
            }
            Found::Other => out.push(plain_format(argument)),
        }
    }
    out.extend(arguments.cloned());
    Ok(out)
}

/// A format without the modifiers that mean nothing in the locales there are (`%Ey` → `%y`), and with what GNU does
/// not know as it stands (`%Q` → `%%Q`). An argument that is no format is left as it is.
fn plain_format(argument: &[u8]) -> Vec<u8> {
    let Some(format) = argument.strip_prefix(b"+") else {
        return argument.to_vec();
    };
    let mut out = b"+".to_vec();
    let mut rest = format;
    while let Some(at) = memchr::memchr(b'%', rest) {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        let flags = rest.iter().take_while(|byte| b"-_0^#+".contains(byte));
        let flags = flags.count();
        let digits = rest[flags..]
            .iter()
            .take_while(|byte| byte.is_ascii_digit());
        let end = flags + digits.count();
        let (head, tail) = rest.split_at(end);
        match tail {
            [b'Q', ..] => {
                out.extend_from_slice(b"%%");
                out.extend_from_slice(head);
            }
            [b'E', b'c' | b'C' | b'x' | b'X' | b'y' | b'Y', ..] => {
                out.push(b'%');
                out.extend_from_slice(head);
                rest = &tail[1..];
                out.push(rest[0]);
                rest = &rest[1..];
                continue;
            }
            // A sign stands only before a year that is longer.
            [b'Y', ..] if head == b"+4" => out.extend_from_slice(b"%04"),
            _ => {
                out.push(b'%');
                out.extend_from_slice(head);
            }
        }
        rest = tail;
        if let Some((letter, after)) = rest.split_first() {
            out.push(*letter);
            rest = after;
        }
    }
    out.extend_from_slice(rest);
    out
}

/// Whether the argument is `-u`, alone or before other letters, or `--utc` or `--universal`, abbreviated or not.
fn is_utc(argument: &[u8]) -> bool {
    match argument {
        [b'-', b'-', name @ ..] => {
            name.len() > 1 && (b"utc".starts_with(name) || b"universal".starts_with(name))
        }
        [b'-', letters @ ..] => letters
            .iter()
            .take_while(|letter| !b"dfrsI".contains(letter))
            .any(|letter| *letter == b'u'),
        _ => false,
    }
}

/// What an argument is.
enum Found<'a> {
    /// `-d` after other letters, and its value where it is in the same argument.
    Date(&'a [u8], Option<&'a [u8]>),
    /// The next argument is its value.
    Valued,
    Other,
}

/// What an argument is.
fn find(argument: &[u8]) -> Found<'_> {
    match argument {
        [b'-', b'-', long @ ..] => {
            let equals = long.iter().position(|byte| *byte == b'=');
            let name = &long[..equals.unwrap_or(long.len())];
            if name.len() >= 2 && b"date".starts_with(name) {
                return Found::Date(b"-", equals.map(|at| &long[at + 1..]));
            }
            Found::Other
        }
        [b'-', letters @ ..] => {
            for (at, letter) in letters.iter().enumerate() {
                let rest = &letters[at + 1..];
                match letter {
                    b'd' => {
                        return Found::Date(&argument[..=at], (!rest.is_empty()).then_some(rest));
                    }
                    b'I' => return Found::Other,
                    letter if VALUED.contains(letter) => {
                        return if rest.is_empty() {
                            Found::Valued
                        } else {
                            Found::Other
                        };
                    }
                    _ => {}
                }
            }
            Found::Other
        }
        _ => Found::Other,
    }
}

/// `@seconds.nanoseconds`; before 1970 the fraction counts backward in this notation, so that half a second before
/// 1970 is `@-0.500000000`.
fn shown(time: Time) -> String {
    let (seconds, nanoseconds) = (time.seconds, time.nanoseconds);
    match (seconds < 0, nanoseconds) {
        (_, 0) => format!("@{seconds}"),
        (false, _) => format!("@{seconds}.{nanoseconds:09}"),
        (true, _) => format!("@-{}.{:09}", -(seconds + 1), 1_000_000_000 - nanoseconds),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn read(line: &[&str]) -> Result<String, i32> {
        let call = Call {
            name: "date".to_owned(),
            arguments: line.iter().map(|word| word.as_bytes().to_vec()).collect(),
        };
        let words = resolved(&call)?;
        let words: Vec<_> = words
            .iter()
            .map(|word| String::from_utf8_lossy(word))
            .collect();
        Ok(words.join("|"))
    }

    #[test]
    fn dates_are_found_wherever_they_stand() {
        let cases: [(&[&str], &str); 9] = [
            (&["-d", "@5", "+%s"], "--date=@5|+%s"),
            (&["-ud@5"], "-u|--date=@5"),
            (&["-ud", "1970-01-01 00:01"], "-u|--date=@60"),
            (&["--date=@-1.5"], "--date=@-1.500000000"),
            (&["--da", "@1.25", "-R"], "--date=@1.250000000|-R"),
            (&["-r", "-d", "+%s"], "-r|-d|+%s"),
            (&["-Idate", "--", "-d"], "-Idate|--|-d"),
            (&["-d"], "-d"),
            (&["+%+4Y%Ey%Q%%Q%-5Q%d"], "+%04Y%y%%Q%%Q%%-5Q%d"),
        ];
        for (line, expected) in cases {
            assert_eq!(read(line).as_deref(), Ok(expected), "{line:?}");
        }
        assert_eq!(read(&["-d", "nonsense"]), Err(1));
    }
}
