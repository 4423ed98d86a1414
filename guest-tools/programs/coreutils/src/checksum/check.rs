//! `-c`: whether the files of a list still have their checksums.
//!
//! For each line of the list there is one on standard output, `NAME: OK` or `NAME: FAILED`; counts of what is wrong
//! follow on standard error. Empty lines and those that begin with `#` are skipped, and a carriage return at an end
//! is ignored. How much is said depends on the last of three options:
//!
//! | Option | Files that are right | Files that are wrong | Malformed lines |
//! |---|---|---|---|
//! | none | shown | shown | counted |
//! | `--quiet` | – | shown | counted |
//! | `--warn` | shown | shown | each, and counted |
//! | `--status` | – | – | – |

use std::io::{BufRead as _, BufReader};

use super::algorithm::{Algorithm, Sum};
use super::line::{Line, Reader, escaped};
use crate::call::{Call, bytes};
use crate::options::Parsed;
use crate::output::Output;
use crate::quote;
use crate::system;

/// What was found in one list.
#[derive(Default)]
struct Counts {
    /// Lines that are none.
    malformed: u64,
    /// Files that could not be read.
    unread: u64,
    /// Files with another checksum.
    different: u64,
    /// Files that are as they were.
    same: u64,
    /// Lines that are some, whatever their files are.
    well_formed: u64,
}

/// How much is said: of these options the last counts. `w` is `--warn`.
fn says(parsed: &Parsed) -> Option<&'static str> {
    parsed.last(&["status", "quiet", "w"])
}

/// Whether everything in the list is as it should be: at least one file has its checksum, none has another or cannot
/// be read, and with `--strict` no line is malformed. `algorithm` is that of the command or of `-a`; without one each
/// line needs a tag. `-` is standard input, which cannot check itself.
pub fn check(
    call: &Call,
    parsed: &Parsed,
    algorithm: Option<Algorithm>,
    list: &[u8],
    out: &mut Output,
) -> bool {
    let is_input = list == b"-";
    let shown = match is_input {
        true => quote::before_colon(b"standard input"),
        false => quote::before_colon(list),
    };
    let input = match system::open_input(list) {
        Ok(input) => input,
        Err(system::Failure(system::Errno::IsDirectory)) => {
            call.fail(1, bytes!(shown, ": read error"));
            return false;
        }
        Err(failure) => {
            call.fail(1, bytes!(shown, ": ", failure));
            return false;
        }
    };
    let mut input = BufReader::new(input);
    let mut reader = Reader::new(algorithm);
    let mut counts = Counts::default();
    let mut line = Vec::new();
    let mut number = 0_u64;
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => number += 1,
            Err(_) => {
                call.fail(1, bytes!(shown, ": read error"));
                return false;
            }
        }
        let text = line.strip_suffix(b"\n").unwrap_or(&line);
        let text = text.strip_suffix(b"\r").unwrap_or(text);
        if text.is_empty() || text.starts_with(b"#") {
            continue;
        }
        let entry = reader.read(text);
        match entry.filter(|entry| !(is_input && entry.name == b"-")) {
            Some(entry) => {
                counts.well_formed += 1;
                one(call, parsed, &entry, &mut counts, out);
            }
            None => {
                counts.malformed += 1;
                if says(parsed) == Some("w") {
                    out.flush();
                    let tag = reader.tag();
                    let what = format!(": {number}: improperly formatted {tag} checksum line");
                    call.fail(0, bytes!(shown, what));
                }
            }
        }
    }
    out.flush();
    if counts.well_formed == 0 {
        call.fail(
            1,
            bytes!(shown, ": no properly formatted checksum lines found"),
        );
        return false;
    }
    if says(parsed) != Some("status") {
        report(call, &counts);
        if parsed.has("ignore-missing") && counts.same == 0 {
            call.fail(1, bytes!(shown, ": no file was verified"));
        }
    }
    let strict = !parsed.has("strict") || counts.malformed == 0;
    counts.same > 0 && counts.different == 0 && counts.unread == 0 && strict
}

/// Checks the file of a line. With `--ignore-missing` one that does not exist counts as nothing.
fn one(call: &Call, parsed: &Parsed, entry: &Line, counts: &mut Counts, out: &mut Output) {
    let mut tell = |what: &str| {
        let name = match entry.name.contains(&b'\n') {
            true => bytes!("\\", escaped(&entry.name)),
            false => entry.name.clone(),
        };
        out.line(bytes!(name, ": ", what));
        out.flush();
    };
    let opened = system::open_input(&entry.name);
    if parsed.has("ignore-missing") && matches!(opened, Err(system::NO_ENTRY)) {
        return;
    }
    let sum = opened.and_then(|mut input| entry.algorithm.compute(&mut input, entry.bits));
    let is_shown = says(parsed) != Some("status");
    match sum {
        Err(failure) => {
            counts.unread += 1;
            call.fail(1, bytes!(quote::before_colon(&entry.name), ": ", failure));
            if is_shown {
                tell("FAILED open or read");
            }
        }
        Ok(Sum::Digest(digest)) if digest.as_bytes() == entry.digest => {
            counts.same += 1;
            if is_shown && says(parsed) != Some("quiet") {
                tell("OK");
            }
        }
        Ok(_) => {
            counts.different += 1;
            if is_shown {
                tell("FAILED");
            }
        }
    }
}

/// Says how much was wrong, unless it is nothing.
fn report(call: &Call, counts: &Counts) {
    let warnings = [
        (
            counts.malformed,
            "line is improperly formatted",
            "lines are improperly formatted",
        ),
        (
            counts.unread,
            "listed file could not be read",
            "listed files could not be read",
        ),
        (
            counts.different,
            "computed checksum did NOT match",
            "computed checksums did NOT match",
        ),
    ];
    for (count, one, many) in warnings {
        if count > 0 {
            let what = if count == 1 { one } else { many };
            call.fail(0, format!("WARNING: {count} {what}"));
        }
    }
}
