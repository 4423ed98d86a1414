//! Operations on each line by itself: hashes, roundings, parts of file names, numbers in texts.
//!
//! | operation | input | output |
//! |---|---|---|
//! | `round` `floor` `ceil` `trunc` `frac` | `-1.5` | `-2` `-2` `-1` `-1` `-0.5` |
//! | `bin:10` | `37` | `30` |
//! | `getnum` | `zoom-123.45xyz` | `123.45` |
//! | `getnum:i` | `zoom-123.45xyz` | `-123` |
//! | `basename` `barename` `extname` | `/a/b.tar.gz` | `b.tar.gz` `b` `tar.gz` |
//!
//! A line is written as soon as it is read. Without `--full` only the results are written.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use sha2::Digest;

use super::input::{Input, Line};
use super::number::parse;
use super::operation::Operation;
use super::plan::{Plan, name};
use super::{Settings, Stop};
use crate::call::bytes;
use crate::output::Output;

/// Endings of compressed files: the ending before them counts as well.
const COMPRESSED: [&[u8]; 5] = [b"gz", b"bz2", b"xz", b"zip", b"zst"];

/// Writes the results for each line.
pub fn run(
    settings: &Settings,
    plan: &Plan,
    input: &mut Input,
    out: &mut Output,
) -> Result<(), Stop> {
    let mut wants_header = settings.header_out;
    while let Some(line) = input.next()? {
        if std::mem::take(&mut wants_header) {
            let count = if settings.is_full { line.count() } else { 0 };
            let mut fields: Vec<_> = (1..=count).map(|column| name(column, input)).collect();
            let labels = plan
                .operations
                .iter()
                .map(|operation| plan.label(operation, input));
            fields.extend(labels);
            settings.write(out, fields);
        }
        let mut fields: Vec<Vec<u8>> = match settings.is_full {
            true => line.fields().map(<[u8]>::to_vec).collect(),
            false => Vec::new(),
        };
        for operation in &plan.operations {
            fields.push(result(settings, operation, &line)?);
        }
        settings.write(out, fields);
    }
    Ok(())
}

/// The result of one operation for a line.
fn result(settings: &Settings, operation: &Operation, line: &Line) -> Result<Vec<u8>, Stop> {
    let column = operation.columns.first().copied().unwrap_or(1);
    let text = line.field(column)?;
    let refuse = |what: &str| {
        let place = format!(
            "invalid {what} value in line {} field {column}: '",
            line.number
        );
        Stop::from(bytes!(place, text, "'"))
    };
    let number = || parse(text).ok_or_else(|| refuse("numeric"));
    let parameter = |default: f64| operation.parameter.unwrap_or(default);
    let value = match operation.name {
        "base64" => return Ok(STANDARD.encode(text).into_bytes()),
        "debase64" => return STANDARD.decode(text).map_err(|_| refuse("base64")),
        "md5" => return Ok(hexadecimal(&md5::Md5::digest(text))),
        "sha1" => return Ok(hexadecimal(&sha1::Sha1::digest(text))),
        "sha224" => return Ok(hexadecimal(&sha2::Sha224::digest(text))),
        "sha256" => return Ok(hexadecimal(&sha2::Sha256::digest(text))),
        "sha384" => return Ok(hexadecimal(&sha2::Sha384::digest(text))),
        "sha512" => return Ok(hexadecimal(&sha2::Sha512::digest(text))),
        "cut" => return Ok(text.to_vec()),
        "dirname" => return Ok(directory(text).to_vec()),
        "basename" => return Ok(file_name(text).to_vec()),
        "barename" => return Ok(name_and_ending(file_name(text)).0.to_vec()),
        "extname" => return Ok(name_and_ending(file_name(text)).1.to_vec()),
        "getnum" => extracted(text, operation.letter),
        "strbin" => (hash(text) % parameter(10.0) as u64) as f64,
        "bin" => {
            let size = parameter(100.0);
            let bin = (number()? / size).trunc();
            (if bin.is_sign_negative() {
                bin - 1.0
            } else {
                bin
            }) * size
        }
        "round" => number()?.round(),
        "floor" => number()?.floor(),
        "ceil" => number()?.ceil(),
        "trunc" => number()?.trunc(),
        _ => number()?.fract(),
    };
    Ok(settings.format.write(value))
}

/// Bytes as lower-case hexadecimal digits.
fn hexadecimal(bytes: &[u8]) -> Vec<u8> {
    let digits = bytes.iter().map(|byte| format!("{byte:02x}"));
    digits.collect::<String>().into_bytes()
}

/// The hash of P. J. Weinberger, as gnulib computes it.
fn hash(text: &[u8]) -> u64 {
    text.iter().fold(0u64, |hash, byte| {
        hash.rotate_left(9).wrapping_add(u64::from(*byte))
    })
}

/// The first number in a text, of the kind that a letter of `getnum:` names: `n` natural, `i` integer, `d` decimal with
/// sign, `p` positive decimal, `h` hexadecimal, `o` octal. 0 where there is none.
fn extracted(text: &[u8], letter: u8) -> f64 {
    let digits: &[u8] = match letter {
        b'n' => b"0123456789",
        b'i' => b"+-0123456789",
        b'd' => b"+-.0123456789",
        b'h' => b"0123456789abcdefABCDEF",
        b'o' => b"01234567",
        _ => b".0123456789",
    };
    let is_digit = |byte: &u8| digits.contains(byte);
    let start = text.iter().position(is_digit).unwrap_or(text.len());
    let run = text[start..]
        .iter()
        .take_while(|byte| is_digit(byte))
        .count();
    let run = std::str::from_utf8(&text[start..start + run]).unwrap_or_default();
    let radix = |radix| u64::from_str_radix(run, radix).map_or(0.0, |value| value as f64);
    match letter {
        b'h' => radix(16),
        b'o' => radix(8),
        // As C does, it takes as much as is a number.
        _ => (1..=run.len())
            .rev()
            .find_map(|end| parse(&run.as_bytes()[..end]))
            .unwrap_or(0.0),
    }
}

/// A path without slashes at its end; empty for the root.
fn trimmed(path: &[u8]) -> &[u8] {
    let end = path.iter().rposition(|byte| *byte != b'/');
    &path[..end.map_or(0, |end| end + 1)]
}

/// The last part of a path; `/` for the root.
fn file_name(path: &[u8]) -> &[u8] {
    match trimmed(path) {
        [] => &path[..path.len().min(1)],
        path => path.rsplit(|byte| *byte == b'/').next().unwrap_or(path),
    }
}

/// The path without its last part: `.` for a plain name, `/` for what lies in the root.
fn directory(path: &[u8]) -> &[u8] {
    let path = match trimmed(path) {
        [] if path.is_empty() => return b".",
        [] => return b"/",
        path => path,
    };
    match path.iter().rposition(|byte| *byte == b'/') {
        None => b".",
        Some(end) => match trimmed(&path[..end]) {
            [] => b"/",
            directory => directory,
        },
    }
}

/// A file name without its ending, and the ending without its dot.
///
/// An ending is alphanumeric and not at the start of the name, so `.profile` and `a.b-c` have none. The one in front of
/// a compression's ending belongs to it: `x.tar.gz` gives `x` and `tar.gz`.
fn name_and_ending(name: &[u8]) -> (&[u8], &[u8]) {
    let ending = |text: &[u8], least: usize| {
        let dot = text.iter().rposition(|byte| *byte == b'.')?;
        let after = &text[dot + 1..];
        let fits = after.len() >= least && after.iter().all(u8::is_ascii_alphanumeric);
        (dot > 0 && fits).then_some(dot)
    };
    let Some(mut dot) = ending(name, 1) else {
        return (
            name.strip_suffix(b".")
                .filter(|name| !name.is_empty())
                .unwrap_or(name),
            b"",
        );
    };
    if COMPRESSED.contains(&&name[dot + 1..])
        && let Some(before) = ending(&name[..dot], 0)
    {
        dot = before;
    }
    (&name[..dot], &name[dot + 1..])
}
