//! `fallocate` of util-linux 2.38: makes files longer, and ranges of them zero. The filesystem has no holes: digging
//! for them changes nothing, and punching one writes zeros.

use std::fs::{File, OpenOptions};
use std::io::{self, Seek as _, SeekFrom, Write as _};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::system::{self, Failure};

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n fallocate [options] <filename>\n\nPreallocate space to, or deallocate space from a file.\n\nOptions:\n -d, --dig-holes      detect zeroes and replace with holes\n -l, --length <num>   length for range operations, in bytes\n -n, --keep-size      maintain the apparent size of the file\n -o, --offset <num>   offset for range operations, in bytes\n -p, --punch-hole     replace a range with a hole (implies -n)\n -z, --zero-range     zero and ensure allocation of a range\n -x, --posix          use posix_fallocate(3) instead of fallocate(2)\n -v, --verbose        verbose mode\n\n -h, --help           display this help\n -V, --version        display version\n",
    options: &[
        Opt("c", "collapse-range", Value::No),
        Opt("d", "dig-holes", Value::No),
        Opt("i", "insert-range", Value::No),
        Opt("l", "length", Value::Required),
        Opt("n", "keep-size", Value::No),
        Opt("o", "offset", Value::Required),
        Opt("p", "punch-hole", Value::No),
        Opt("z", "zero-range", Value::No),
        Opt("x", "posix", Value::No),
        Opt("v", "verbose", Value::No),
        Opt("h", "help", Value::No),
        Opt("V", "version", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

fn start(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let fail = |message: &[u8]| call.fail(1, message);
    if parsed.has("h") {
        let mut out = Output::new();
        out.put(SYNTAX.usage);
        return Ok(out.finish(&call.name, 0, 1));
    }
    let ways = ["c", "d", "p", "z"].iter().filter(|key| parsed.has(key));
    if ways.count() > 1 {
        return Err(fail(
            b"mutually exclusive arguments: --collapse-range --dig-holes --punch-hole --zero-range",
        ));
    }
    let range = Range::read(&parsed).map_err(|message| fail(message.as_bytes()))?;
    let path = match parsed.operands.as_slice() {
        [] => return Err(fail(b"no filename specified")),
        [path] => path,
        _ => return Err(fail(b"unexpected number of arguments")),
    };
    let creates = !["c", "d", "i", "p"].iter().any(|key| parsed.has(key));
    let mut file = open(path, creates)
        .map_err(|failure| fail(&bytes!("cannot open ", path, ": ", failure)))?;
    let done = change(&parsed, &range, &mut file);
    done.map_err(|error| fail(&bytes!("fallocate failed: ", Failure::from(error))))?;
    let mut out = Output::new();
    if parsed.has("v") {
        out.line(bytes!(path, ": ", told(&parsed, range.length)));
    }
    Ok(out.finish(&call.name, 0, 1))
}

/// The bytes that are meant.
struct Range {
    offset: u64,
    /// More than 0, but for `-d`.
    length: u64,
}

impl Range {
    /// Reads `-o` and `-l`; the error is the message.
    fn read(parsed: &Parsed) -> Result<Range, &'static str> {
        let offset = match parsed.value("o") {
            None => 0,
            Some(text) => size(text).ok_or("invalid offset value specified")?,
        };
        let length = match parsed.value("l") {
            None if parsed.has("d") => 0,
            None if parsed.operands.is_empty() => return Err("no filename specified"),
            None => return Err("no length argument specified"),
            Some(text) => size(text)
                .filter(|length| *length > 0)
                .ok_or("invalid length value specified")?,
        };
        Ok(Range { offset, length })
    }

    /// The first byte behind the range; an error where it is beyond the largest offset.
    fn end(&self) -> io::Result<u64> {
        let end = self.offset.checked_add(self.length);
        end.filter(|end| i64::try_from(*end).is_ok())
            .ok_or_else(|| io::ErrorKind::FileTooLarge.into())
    }
}

/// A number of bytes: decimal, hexadecimal or with a fraction, and a unit. `K` and `KiB` are 1024, `KB` is 1000, and so
/// on up to `E`.
///
/// ```text
/// 1.5K  ->  1536        0x10  ->  16        2MB  ->  2000000        1Q  ->  none
/// ```
fn size(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?.trim_start();
    if let Some(digits) = text.strip_prefix("0x") {
        return u64::from_str_radix(digits, 16).ok();
    }
    let end = text.find(|char: char| !char.is_ascii_digit() && char != '.');
    let (number, unit) = text.split_at(end.unwrap_or(text.len()));
    let mut letters = unit.chars();
    let Some(letter) = letters.next() else {
        return number.parse().ok();
    };
    let power = "KMGTPE".find(letter.to_ascii_uppercase())? as u32 + 1;
    let base: u64 = match letters.as_str() {
        "" | "iB" => 1024,
        "B" => 1000,
        _ => return None,
    };
    let unit = base.pow(power);
    match number.parse::<u64>() {
        Ok(number) => number.checked_mul(unit),
        Err(_) => Some((number.parse::<f64>().ok()? * unit as f64) as u64),
    }
}

/// Opens the file to be changed; `creates` it where it is not there.
fn open(path: &[u8], creates: bool) -> Result<File, Failure> {
    let text = std::str::from_utf8(path).map_err(|_| Failure(system::Errno::IllegalSequence))?;
    let opened = OpenOptions::new()
        .read(true)
        .write(true)
        .create(creates)
        .truncate(false)
        .open(text);
    Ok(opened?)
}

/// Does what the options ask for: clears the range, or makes the file as long as its end.
fn change(parsed: &Parsed, range: &Range, file: &mut File) -> io::Result<()> {
    if parsed.has("c") || parsed.has("i") {
        return Err(io::ErrorKind::Unsupported.into());
    }
    // There are no holes: zeros take no other room.
    if parsed.has("d") {
        return Ok(());
    }
    let (size, end) = (file.metadata()?.len(), range.end()?);
    if parsed.has("p") || parsed.has("z") {
        clear(file, range.offset, end.min(size))?;
    }
    if end > size && !parsed.has("n") && !parsed.has("p") {
        file.set_len(end)?;
    }
    Ok(())
}

/// Writes zeros from `start` up to `end`.
fn clear(file: &mut File, start: u64, end: u64) -> io::Result<()> {
    let zeros = [0; CHUNK];
    file.seek(SeekFrom::Start(start))?;
    let mut left = end.saturating_sub(start);
    while left > 0 {
        let count = left.min(CHUNK as u64);
        file.write_all(&zeros[..count as usize])?;
        left -= count;
    }
    Ok(())
}

/// The line of `-v`, with the length in the largest unit that fits.
fn told(parsed: &Parsed, length: u64) -> String {
    let what = match parsed.last(&["d", "p", "z"]) {
        Some("d") => "converted to sparse holes",
        Some("p") => "hole created",
        Some(_) => "zeroed",
        None => "allocated",
    };
    let (mut value, mut unit) = (length as f64, 0);
    while value >= 1024.0 {
        value /= 1024.0;
        unit += 1;
    }
    let name = ["B", "KiB", "MiB", "GiB", "TiB", "PiB", "EiB"][unit];
    let value = (value * 10.0).floor() / 10.0;
    format!("{value} {name} ({length} bytes) {what}.")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn sizes_have_units() {
        let cases: [(&str, Option<u64>); 9] = [
            ("10", Some(10)),
            ("1K", Some(1024)),
            ("1KB", Some(1000)),
            ("2MiB", Some(2 << 20)),
            ("1.5K", Some(1536)),
            ("0x10", Some(16)),
            ("-1", None),
            ("x", None),
            ("20000000E", None),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text.as_bytes()), expected, "{text}");
        }
    }
}
