//! The functions that the shell adds to SQLite's.

use std::cmp::Ordering;
use std::io::Write as _;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use offshoot_sqlite::{Connection, Error, Value};

use crate::system::{self, Failure, Time};

/// An error of the shell itself.
pub fn error(message: String) -> Error {
    let mut error = Error::default();
    error.code = 1;
    error.message = message;
    error
}

/// Adds them to a connection.
pub fn add(connection: &Connection) -> Result<(), Error> {
    connection.add_function("regexp", 2, |arguments| matches(arguments, ""))?;
    connection.add_function("regexpi", 2, |arguments| matches(arguments, "(?i)"))?;
    connection.add_function("readfile", 1, |arguments| match arguments {
        [Value::Null] => Ok(Value::Null),
        [path] => Ok(system::read_whole(&text(path)).map_or(Value::Null, Value::Blob)),
        _ => Ok(Value::Null),
    })?;
    connection.add_function("writefile", -1, |arguments| match arguments {
        [path, content, rest @ ..] if rest.len() <= 2 => write(path, content, rest),
        _ => Err("wrong number of arguments to function writefile()".to_owned()),
    })?;
    connection.add_function("lsmode", 1, |arguments| {
        let mode = arguments.first().map_or(0, integer);
        Ok(Value::Text(letters(mode).into_bytes()))
    })?;
    connection.add_function("base64", 1, |arguments| match arguments {
        [Value::Blob(bytes), ..] => Ok(Value::Text(encode(bytes))),
        [Value::Text(text), ..] => Ok(Value::Blob(decode(text))),
        _ => Err("base64 accepts only blob or text".to_owned()),
    })?;
    connection.add_function("usleep", 1, |arguments| {
        let microseconds = arguments.first().map_or(0, integer);
        std::thread::sleep(Duration::from_micros(
            u64::try_from(microseconds).unwrap_or(0),
        ));
        Ok(Value::Integer(microseconds))
    })?;
    connection.add_collation("uint", numbers_by_value)
}

/// Whether a subject matches a pattern.
fn matches(arguments: &[Value], flags: &str) -> Result<Value, String> {
    let [pattern, subject] = arguments else {
        return Ok(Value::Null);
    };
    if [pattern, subject].contains(&&Value::Null) {
        return Ok(Value::Null);
    }
    let pattern = format!("{flags}{}", String::from_utf8_lossy(&text(pattern)));
    let regex = regex::bytes::Regex::new(&pattern);
    let regex = regex.map_err(|_| "bad regular expression".to_owned())?;
    Ok(Value::Integer(i64::from(regex.is_match(&text(subject)))))
}

/// Makes a file, or a directory or symbolic link where the mode says so. A failure is an error where a mode was given.
fn write(path: &Value, content: &Value, rest: &[Value]) -> Result<Value, String> {
    let (path, content) = (text(path), text(content));
    let mode = rest.first().map_or(0, integer);
    let bits = (mode & 0o7777) as u32;
    make_parents(&path);
    let make = || -> Result<Value, Failure> {
        let value = match mode & 0o170000 {
            0o120000 => {
                system::symlink(&content, &path)?;
                return Ok(Value::Null);
            }
            0o040000 => {
                let made = system::make_directory(&path, bits);
                if let (Err(failure), false) = (made, is_directory(&path)) {
                    return Err(failure);
                }
                Value::Null
            }
            _ => {
                system::create_file(&path, false)?.write_all(&content)?;
                Value::Integer(content.len() as i64)
            }
        };
        if bits != 0 {
            system::set_mode(&path, bits)?;
        }
        if let Some(modified) = rest.get(1) {
            let time = Time {
                seconds: integer(modified),
                nanoseconds: 0,
            };
            system::set_times(&path, Time::now(), time, true)?;
        }
        Ok(value)
    };
    match make() {
        Ok(value) => Ok(value),
        Err(_) if rest.is_empty() => Ok(Value::Null),
        Err(_) => Err(format!(
            "failed to write file: {}",
            String::from_utf8_lossy(&path)
        )),
    }
}

/// Makes the directories above a path; where that fails, making the path itself tells.
fn make_parents(path: &[u8]) {
    for (end, _) in path.iter().enumerate().filter(|(_, byte)| **byte == b'/') {
        if end > 0 && !is_directory(&path[..end]) {
            let _ = system::make_directory(&path[..end], 0o777);
        }
    }
}

fn is_directory(path: &[u8]) -> bool {
    system::stat(path, true).is_ok_and(|stat| stat.kind == system::Kind::Directory)
}

/// A mode as `ls` writes it; the shell knows three types of files, and no set-id bits.
fn letters(mode: i64) -> String {
    let kind = match mode & 0o170000 {
        0o120000 => 'l',
        0o100000 => '-',
        0o040000 => 'd',
        _ => '?',
    };
    let bits = (0..9).map(|index| match mode >> (8 - index) & 1 {
        0 => '-',
        _ => ['r', 'w', 'x'][index % 3],
    });
    std::iter::once(kind).chain(bits).collect()
}

/// Base 64 in lines of 72 characters, each with its end.
fn encode(bytes: &[u8]) -> Vec<u8> {
    let text = STANDARD.encode(bytes);
    let lines = text.as_bytes().chunks(72);
    lines
        .flat_map(|line| [line, b"\n"])
        .flatten()
        .copied()
        .collect()
}

/// What base 64 stands for, up to its first mistake.
fn decode(text: &[u8]) -> Vec<u8> {
    let digits = text
        .iter()
        .copied()
        .filter(|byte| !byte.is_ascii_whitespace());
    let mut digits: Vec<u8> = digits.take_while(|byte| *byte != b'=').collect();
    let valid = |byte: &u8| byte.is_ascii_alphanumeric() || b"+/".contains(byte);
    digits.truncate(digits.iter().take_while(|byte| valid(byte)).count());
    if digits.len() % 4 == 1 {
        digits.pop();
    }
    let engine = base64::engine::GeneralPurpose::new(
        &base64::alphabet::STANDARD,
        base64::engine::GeneralPurposeConfig::new()
            .with_decode_allow_trailing_bits(true)
            .with_decode_padding_mode(base64::engine::DecodePaddingMode::Indifferent),
    );
    engine.decode(digits).unwrap_or_default()
}

/// The order `uint`: bytes, but runs of digits by their value.
fn numbers_by_value(left: &[u8], right: &[u8]) -> Ordering {
    let (mut left, mut right) = (left, right);
    loop {
        let (Some(&a), Some(&b)) = (left.first(), right.first()) else {
            return left.len().cmp(&right.len());
        };
        if a.is_ascii_digit() && b.is_ascii_digit() {
            let (x, after_left) = run_of_digits(left);
            let (y, after_right) = run_of_digits(right);
            let order = x.len().cmp(&y.len()).then_with(|| x.cmp(y));
            if order != Ordering::Equal {
                return order;
            }
            (left, right) = (after_left, after_right);
        } else if a != b {
            return a.cmp(&b);
        } else {
            (left, right) = (&left[1..], &right[1..]);
        }
    }
}

/// The digits at the start without their leading zeros, and what follows.
fn run_of_digits(text: &[u8]) -> (&[u8], &[u8]) {
    let end = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let zeros = text[..end].iter().take_while(|byte| **byte == b'0').count();
    (&text[zeros..end], &text[end..])
}

/// A value as text.
pub fn text(value: &Value) -> Vec<u8> {
    match value {
        Value::Null => Vec::new(),
        Value::Integer(number) => number.to_string().into_bytes(),
        Value::Real(number) => super::literal::real(*number).into_bytes(),
        Value::Text(bytes) | Value::Blob(bytes) => bytes.clone(),
    }
}

/// A value as a whole number: of a text the digits that it starts with, as far as 64 bits go.
pub fn integer(value: &Value) -> i64 {
    let text = match value {
        Value::Null => return 0,
        Value::Integer(number) => return *number,
        Value::Real(number) => return *number as i64,
        Value::Text(text) | Value::Blob(text) => text.trim_ascii_start(),
    };
    let (is_negative, digits) = match text.first() {
        Some(b'-') => (true, &text[1..]),
        Some(b'+') => (false, &text[1..]),
        _ => (false, text),
    };
    let digits = digits.iter().take_while(|byte| byte.is_ascii_digit());
    digits.fold(0i64, |number, digit| {
        let digit = i64::from(digit - b'0');
        let number = number.saturating_mul(10);
        match is_negative {
            true => number.saturating_sub(digit),
            false => number.saturating_add(digit),
        }
    })
}
