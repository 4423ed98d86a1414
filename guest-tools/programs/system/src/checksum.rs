//! `crc32`, the checksum of zip and gzip, as Perl's Archive::Zip has it, and `shasum` of Perl's Digest::SHA.
//!
//! ```text
//! printf abc > f; crc32 f             352441c2
//! shasum -a 256 f                     SUM  f
//! shasum -c list                      f: OK
//! ```
//!
//! `crc32` reads a file in pieces, `shasum` as a whole. When sums are checked, the length of a sum tells the algorithm.

use std::io::Read as _;

use sha1::Sha1;
use sha2::digest::DynDigest;
use sha2::{Sha224, Sha256, Sha384, Sha512, Sha512_224, Sha512_256};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::system;

/// `crc32` has no options.
const SYNTAX: Syntax = Syntax {
    usage: "Usage: crc32 [FILE]...\n",
    options: &[],
    permute: true,
    status: 2,
};

/// Runs `crc32`, as the one of Archive::Zip does: the name follows where there are several files.
pub fn crc32(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut out = Output::new();
    let several = parsed.operands.len() > 1;
    for path in &parsed.operands {
        let sum = system::open_file(path).and_then(|mut file| {
            let mut hasher = flate2::Crc::new();
            let mut buffer = vec![0; CHUNK];
            loop {
                match file.read(&mut buffer)? {
                    0 => return Ok(hasher.sum()),
                    count => hasher.update(&buffer[..count]),
                }
            }
        });
        match sum {
            Ok(sum) if several => out.line(bytes!(format!("{sum:08x}\t"), path)),
            Ok(sum) => out.line(format!("{sum:08x}")),
            // The tool goes on, and ends as if all had been there.
            Err(failure) => {
                call.fail(0, bytes!("Cannot open ", path, ": ", failure));
            }
        }
    }
    out.finish(&call.name, 0, 1)
}

/// Options of `shasum`.
const SHASUM: Syntax = Syntax {
    usage: "Usage: shasum [OPTION]... [FILE]...\nPrint or check SHA checksums.\n",
    options: &[
        Opt("a", "algorithm", Value::Required),
        Opt("b", "binary", Value::No),
        Opt("c", "check", Value::No),
        Opt("t", "text", Value::No),
        Opt("", "tag", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("s", "status", Value::No),
        Opt("", "strict", Value::No),
        Opt("", "ignore-missing", Value::No),
        Opt("w", "warn", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `shasum`, as the one of Digest::SHA does.
pub fn shasum(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SHASUM) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let bits = parsed.value("a").unwrap_or(b"1").to_vec();
    if hasher(&bits).is_none() {
        return call.fail(1, "Unrecognized algorithm");
    }
    let mut paths = parsed.operands.clone();
    if paths.is_empty() {
        paths.push(b"-".to_vec());
    }
    let mut out = Output::new();
    let mut status = 0;
    for path in &paths {
        let text = match system::read_whole(path) {
            Ok(text) => text,
            Err(failure) => {
                status = call.fail(1, bytes!(path, ": ", failure));
                continue;
            }
        };
        if parsed.has("c") {
            status = status.max(check(call, &parsed, path, &text, &mut out));
            continue;
        }
        let sum = digest(&bits, &text).unwrap_or_default();
        let mark = if parsed.has("b") { "*" } else { " " };
        out.line(match parsed.has("tag") {
            true => bytes!("SHA", bits, " (", path, ") = ", sum),
            false => bytes!(sum, " ", mark, path),
        });
    }
    out.finish(&call.name, status, 1)
}

/// A new computation for `-a BITS`.
fn hasher(bits: &[u8]) -> Option<Box<dyn DynDigest>> {
    Some(match bits {
        b"1" => Box::new(Sha1::default()),
        b"224" => Box::new(Sha224::default()),
        b"256" => Box::new(Sha256::default()),
        b"384" => Box::new(Sha384::default()),
        b"512" => Box::new(Sha512::default()),
        b"512224" => Box::new(Sha512_224::default()),
        b"512256" => Box::new(Sha512_256::default()),
        _ => return None,
    })
}

/// The sum of a text in hexadecimal digits; `None` for an unknown algorithm.
fn digest(bits: &[u8], text: &[u8]) -> Option<String> {
    let mut hasher = hasher(bits)?;
    hasher.update(text);
    Some(
        hasher
            .finalize()
            .iter()
            .map(|byte| format!("{byte:02x}"))
            .collect(),
    )
}

/// The algorithm, the number of digits, and the file that a line of a list names (`SUM  FILE`, `SUM *FILE`); `None` for
/// a line of another form.
fn entry(line: &[u8]) -> Option<(&'static [u8], usize, &[u8])> {
    let digits = line
        .iter()
        .take_while(|byte| byte.is_ascii_hexdigit())
        .count();
    let bits: &[u8] = match digits {
        40 => b"1",
        56 => b"224",
        64 => b"256",
        96 => b"384",
        128 => b"512",
        _ => return None,
    };
    let path = line.get(digits + 2..)?;
    (!path.is_empty()).then_some((bits, digits, path))
}

/// Checks the sums of a list and gives the status: 1 where a sum differs, a file cannot be read, the list has no sums,
/// or with `--strict` a line is malformed.
fn check(call: &Call, parsed: &options::Parsed, list: &[u8], text: &[u8], out: &mut Output) -> i32 {
    let (mut failed, mut unread, mut seen, mut malformed, mut fine) = (0, 0, 0, 0, 0);
    let lines = text.split(|&byte| byte == b'\n').enumerate();
    for (at, line) in lines.filter(|(_, line)| !line.is_empty()) {
        let Some((bits, digits, path)) = entry(line) else {
            malformed += 1;
            if parsed.has("w") {
                out.flush();
                let place = format!(": {}: improperly formatted SHA checksum line", at + 1);
                call.fail(0, bytes!(list, place));
            }
            continue;
        };
        seen += 1;
        let Ok(content) = system::read_whole(path) else {
            if !parsed.has("ignore-missing") {
                out.flush();
                call.fail(1, bytes!(path, ": No such file or directory"));
                out.line(bytes!(path, ": FAILED open or read"));
                unread += 1;
            }
            continue;
        };
        let same = digest(bits, &content)
            .is_some_and(|sum| sum.as_bytes().eq_ignore_ascii_case(&line[..digits]));
        failed += i32::from(!same);
        fine += i32::from(same);
        let hidden = parsed.has("s") || same && parsed.has("q");
        if !hidden {
            out.line(bytes!(path, if same { ": OK" } else { ": FAILED" }));
        }
    }
    if seen == 0 {
        return call.fail(
            1,
            bytes!(list, ": no properly formatted SHA checksum lines found"),
        );
    }
    let warn = |count: i32, one: &str, many: &str| {
        if count > 0 && !parsed.has("s") {
            let what = if count == 1 { one } else { many };
            call.fail(0, format!("WARNING: {count} {what}"));
        }
    };
    out.flush();
    warn(
        malformed,
        "line is improperly formatted",
        "lines are improperly formatted",
    );
    warn(
        unread,
        "listed file could not be read",
        "listed files could not be read",
    );
    warn(
        failed,
        "computed checksum did NOT match",
        "computed checksums did NOT match",
    );
    if fine == 0 && parsed.has("ignore-missing") {
        if !parsed.has("s") {
            call.fail(1, bytes!(list, ": no file was verified"));
        }
        return 1;
    }
    i32::from(failed + unread > 0 || malformed > 0 && parsed.has("strict"))
}
