//! The value of `-d` in a command line, as a point in time that every reader of dates understands.

use jiff::tz::TimeZone;

use crate::call::{Call, bytes};
use crate::system::Time;

/// How a command with `-d` spells its options.
pub struct Spelling {
    /// Short options with a value of their own, besides `-d`.
    pub valued: &'static str,
    /// What is said before a text that is no date.
    pub complaint: &'static str,
}

/// `date`.
pub const DATE: Spelling = Spelling {
    valued: "frs",
    complaint: "invalid date ",
};

/// `touch`.
pub const TOUCH: Spelling = Spelling {
    valued: "rt",
    complaint: "invalid date format ",
};

/// The arguments with each date as seconds since 1970; `Err` is the status after a message.
///
/// `touch -r` counts from the time of its file: then they stay as they are.
pub fn resolved(call: &Call, spelling: &Spelling) -> Result<Vec<Vec<u8>>, i32> {
    let reference =
        |argument: &Vec<u8>| argument.starts_with(b"-r") || argument.starts_with(b"--r");
    if spelling.valued == TOUCH.valued && call.arguments.iter().any(reference) {
        return Ok(call.arguments.clone());
    }
    let utc = call.name == "date" && call.arguments.iter().any(|argument| is_utc(argument));
    let zone = if utc {
        TimeZone::UTC
    } else {
        crate::time::zone()
    };
    let stamp = |text: &[u8]| {
        let found = std::str::from_utf8(text)
            .ok()
            .and_then(|text| super::parse(text, Time::now(), &zone));
        match found {
            Some(time) => Ok(shown(time)),
            None => Err(call.fail(1, bytes!(spelling.complaint, "'", text, "'"))),
        }
    };
    let mut out = Vec::with_capacity(call.arguments.len());
    let mut arguments = call.arguments.iter();
    while let Some(argument) = arguments.next() {
        if argument == b"--" {
            out.push(argument.clone());
            break;
        }
        match find(argument, spelling) {
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
            Found::Other => out.push(argument.clone()),
        }
    }
    out.extend(arguments.cloned());
    Ok(out)
}

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

fn find<'a>(argument: &'a [u8], spelling: &Spelling) -> Found<'a> {
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
                    letter if spelling.valued.as_bytes().contains(letter) => {
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

/// `@seconds.nanoseconds`; before 1970 the fraction counts backward in this notation.
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

    fn read(name: &str, spelling: &Spelling, line: &[&str]) -> Result<String, i32> {
        let call = Call {
            name: name.to_owned(),
            arguments: line.iter().map(|word| word.as_bytes().to_vec()).collect(),
        };
        let words = resolved(&call, spelling)?;
        let words: Vec<_> = words
            .iter()
            .map(|word| String::from_utf8_lossy(word))
            .collect();
        Ok(words.join("|"))
    }

    #[test]
    fn dates_are_found_wherever_they_stand() {
        let cases: [(&[&str], &str); 8] = [
            (&["-d", "@5", "+%s"], "--date=@5|+%s"),
            (&["-ud@5"], "-u|--date=@5"),
            (&["-ud", "1970-01-01 00:01"], "-u|--date=@60"),
            (&["--date=@-1.5"], "--date=@-1.500000000"),
            (&["--da", "@1.25", "-R"], "--date=@1.250000000|-R"),
            (&["-r", "-d", "+%s"], "-r|-d|+%s"),
            (&["-Idate", "--", "-d"], "-Idate|--|-d"),
            (&["-d"], "-d"),
        ];
        for (line, expected) in cases {
            assert_eq!(
                read("date", &DATE, line).as_deref(),
                Ok(expected),
                "{line:?}"
            );
        }
        assert_eq!(read("date", &DATE, &["-d", "nonsense"]), Err(1));
        let line = ["-r", "f", "-d", "+1 day", "g"];
        assert_eq!(
            read("touch", &TOUCH, &line).as_deref(),
            Ok("-r|f|-d|+1 day|g")
        );
        assert_eq!(
            read("touch", &TOUCH, &["-d@7", "g"]).as_deref(),
            Ok("--date=@7|g")
        );
    }
}
