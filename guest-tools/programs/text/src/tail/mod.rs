//! `tail`, after GNU coreutils 9.1: the ends of files, and what is added to them.
//!
//! `last` finds the end of a file, from behind where it can seek and by keeping what may belong to it where not;
//! `follow` looks at files again and again, since nothing tells of changes. The old forms `-5`, `+3c` and `-2cf` are
//! options first.
//!
//! The status is 1 where a file could not be read; `-f` ends only with its files, `--pid`, or the reader of its
//! output.

mod follow;
mod last;

use crate::system::File;
use std::time::Duration;

use crate::call::{Call, bytes};
use crate::duration::duration;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Kind};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: tail [OPTION]... [FILE]...\nPrint the last 10 lines of each FILE to standard output.\nNUM of -c and -n may begin with + to count from the start, and end with b, K, kB, M, MB and so on.\n",
    options: &[
        Opt("c", "bytes", Value::Required),
        Opt("f", "follow", Value::Optional),
        Opt("F", "", Value::No),
        Opt("n", "lines", Value::Required),
        Opt("", "max-unchanged-stats", Value::Required),
        Opt("", "pid", Value::Required),
        Opt("q", "quiet", Value::No),
        Opt("q", "silent", Value::No),
        Opt("", "retry", Value::No),
        Opt("s", "sleep-interval", Value::Required),
        Opt("v", "verbose", Value::No),
        Opt("z", "zero-terminated", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What is printed of a file: `-n` and `-c`.
#[derive(Clone, Copy)]
struct Part {
    /// How many lines or bytes, or from which one on.
    count: u64,
    /// They are bytes.
    bytes: bool,
    /// `+N`: from the Nth on, counted from 1; 0 and 1 are all.
    from_start: bool,
    /// What ends lines.
    end: u8,
}

/// How a file that grows is watched.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Follow {
    /// Not at all.
    No,
    /// `-f`: the file that was opened, whatever becomes of its name.
    Descriptor,
    /// `-F`: the file that has the name.
    Name,
}

/// What the command line asks for.
struct Plan {
    part: Part,
    follow: Follow,
    /// `--retry`: files that cannot be opened are tried again.
    retry: bool,
    /// Those whose end is the end (`--pid`).
    pids: Vec<u32>,
    /// `-s`: how long to wait between two looks.
    pause: Duration,
    /// Files have their names above them.
    headers: bool,
}

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    start(call).unwrap_or_else(|status| status)
}

/// Prints the ends of the files, and follows them. Both of the results are exit statuses.
fn start(call: &Call) -> Result<i32, i32> {
    let call = Call {
        name: call.name.clone(),
        arguments: modern(call.arguments.clone()),
    };
    if let Some([b'-', digit @ b'0'..=b'9', ..]) = call.arguments.first().map(Vec::as_slice) {
        let message = bytes!("option used in invalid context -- ", [*digit]);
        return Err(call.fail(1, message));
    }
    let mut parsed = options::parse(&call, &SYNTAX)?;
    let mut files = std::mem::take(&mut parsed.operands);
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let plan = plan(&call, &parsed, files.len())?;
    let mut tail = Tail {
        call: &call,
        plan,
        out: Output::new(),
        shown: None,
        headed: false,
        status: 0,
    };
    let mut watched = Vec::new();
    for (at, file) in files.iter().enumerate() {
        watched.extend(tail.first(at, file));
    }
    if tail.plan.follow != Follow::No {
        tail.out.flush();
        tail.shown = Some(files.len() - 1);
        follow::follow(&mut tail, watched);
    }
    let status = tail.status;
    Ok(tail.out.finish(&call.name, status, 1))
}

/// The command line with `-N`, `+N` and their letters as options of today: they stand alone, or before
/// one file.
fn modern(mut arguments: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let is_alone = match arguments.get(1..).unwrap_or_default() {
        [] => true,
        [file] => file == b"-" || !file.starts_with(b"-"),
        [dashes, _] => dashes == b"--",
        _ => false,
    };
    let words = match arguments.first().map(Vec::as_slice) {
        Some([b'+', count @ ..]) if is_alone => old_form(count, "+"),
        Some([b'-', count @ ..]) if is_alone && count.first().is_some_and(u8::is_ascii_digit) => {
            old_form(count, "")
        }
        _ => None,
    };
    if let Some(words) = words {
        arguments.splice(..1, words);
    }
    arguments
}

/// The options that an old form stands for, without its first character: `5` → `-n5`, `5c` → `-c5`, `2b` → `-c2b`,
/// `5lf` → `-n5 -f`. None where it is no old form.
fn old_form(text: &[u8], sign: &str) -> Option<Vec<Vec<u8>>> {
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    let (count, letters) = text.split_at(digits);
    let (unit, letters) = match letters {
        [unit @ (b'b' | b'c' | b'l'), rest @ ..] => (*unit, rest),
        letters => (b'l', letters),
    };
    let follows = match letters {
        b"" => false,
        b"f" => true,
        _ => return None,
    };
    let count = if count.is_empty() { b"10" } else { count };
    let (option, suffix) = match unit {
        b'b' => ("-c", "b"),
        b'c' => ("-c", ""),
        _ => ("-n", ""),
    };
    let mut words = vec![bytes!(option, sign, count, suffix)];
    words.extend(follows.then(|| b"-f".to_vec()));
    Some(words)
}

/// What the options ask for, with so many files. The error is the status, after a message.
fn plan(call: &Call, parsed: &Parsed, files: usize) -> Result<Plan, i32> {
    let part = part(call, parsed)?;
    let follow = match parsed.last(&["f", "F"]) {
        None => Follow::No,
        Some("F") => Follow::Name,
        Some(_) => match parsed.value("f").unwrap_or_default() {
            b"" => Follow::Descriptor,
            given => {
                let kinds = [vec!["descriptor"], vec!["name"]];
                match options::choice(call, "--follow", given, &kinds)? {
                    0 => Follow::Descriptor,
                    _ => Follow::Name,
                }
            }
        },
    };
    let retry = parsed.has("retry") || parsed.has("F");
    if parsed.has("retry") && follow == Follow::No {
        call.fail(
            0,
            "warning: --retry ignored; --retry is useful only when following",
        );
    } else if retry && follow == Follow::Descriptor {
        call.fail(0, "warning: --retry only effective for the initial open");
    }
    let pids = parsed.options.iter().filter(|(key, _)| *key == "pid");
    let pids = pids.map(|(_, pid)| {
        let refuse = || call.fail(1, bytes!("invalid PID: ", quote::word(pid)));
        options::number(pid).ok_or_else(refuse)
    });
    let pids = pids.collect::<Result<Vec<u32>, i32>>()?;
    if !pids.is_empty() && follow == Follow::No {
        let text = "warning: PID ignored; --pid=PID is useful only when following";
        call.fail(0, text);
    }
    let pause = match parsed.value("s") {
        None => Duration::from_secs(1),
        Some(text) => duration(text)
            .filter(|_| !text.last().is_some_and(u8::is_ascii_alphabetic))
            .ok_or_else(|| {
                call.fail(1, bytes!("invalid number of seconds: ", quote::word(text)))
            })?,
    };
    if let Some(text) = parsed.value("max-unchanged-stats")
        && options::number::<u64>(text).is_none()
    {
        let text = quote::word(text);
        let message = "invalid maximum number of unchanged stats between opens: ";
        return Err(call.fail(1, bytes!(message, text)));
    }
    let headers = match parsed.last(&["q", "v"]) {
        Some("q") => false,
        Some(_) => true,
        None => files > 1,
    };
    Ok(Plan {
        part,
        follow,
        retry,
        pids,
        pause,
        headers,
    })
}

/// The part that `-n` and `-c` ask for; the last one counts.
fn part(call: &Call, parsed: &Parsed) -> Result<Part, i32> {
    let mut part = Part {
        count: 10,
        bytes: false,
        from_start: false,
        end: if parsed.has("z") { 0 } else { b'\n' },
    };
    for (key, value) in &parsed.options {
        if !matches!(*key, "c" | "n") {
            continue;
        }
        part.bytes = *key == "c";
        let (from_start, count) = match value.as_slice() {
            [b'+', count @ ..] => (true, count),
            [b'-', count @ ..] => (false, count),
            count => (false, count),
        };
        part.from_start = from_start;
        part.count = size(count).map_err(|reason| {
            let what = if part.bytes { "bytes" } else { "lines" };
            let shown = quote::word(value.strip_prefix(b"-").unwrap_or(value));
            call.fail(1, bytes!("invalid number of ", what, ": ", shown, reason))
        })?;
    }
    Ok(part)
}

/// `5`, `1b` (512), `1K` (1024), `2MB` (2,000,000): a count with what GNU's tools let follow it; the error ends the
/// message.
fn size(text: &[u8]) -> Result<u64, &'static str> {
    const TOO_LARGE: &str = ": Value too large for defined data type";
    let digits = text.iter().take_while(|byte| byte.is_ascii_digit()).count();
    if digits == 0 {
        return Err("");
    }
    let count: Option<u64> = options::number(&text[..digits]);
    let times = |unit: Option<u64>| count?.checked_mul(unit?);
    let (letter, rest) = match &text[digits..] {
        b"" => return count.ok_or(TOO_LARGE),
        b"b" => return times(Some(512)).ok_or(TOO_LARGE),
        [letter, rest @ ..] => (letter, rest),
    };
    let base: u64 = match rest {
        b"" | b"iB" => 1024,
        b"B" => 1000,
        _ => return Err(""),
    };
    let power = match letter {
        b'k' | b'K' => 1,
        b'm' | b'M' => 2,
        letter => match b"GTPEZY".iter().position(|known| known == letter) {
            Some(at) => at as u32 + 3,
            None => return Err(""),
        },
    };
    times(base.checked_pow(power)).ok_or(TOO_LARGE)
}

/// A file that is looked at again.
struct Watched {
    /// Its place on the command line.
    number: usize,
    name: Vec<u8>,
    /// The file; none where it could not be opened yet.
    file: Option<File>,
    /// How much of it was printed, as an offset.
    at: u64,
    /// Its device and inode.
    identity: (u64, u64),
}

/// The state of one call.
struct Tail<'a> {
    call: &'a Call,
    plan: Plan,
    out: Output,
    /// The file whose header was printed last.
    shown: Option<usize>,
    /// A header was printed.
    headed: bool,
    status: i32,
}

impl Tail<'_> {
    /// Says something; the status becomes 1.
    fn fail(&mut self, message: Vec<u8>) {
        self.out.flush();
        self.status = self.call.fail(1, message);
    }

    /// Prints the header of the file with this place on the command line, unless it was the last one printed.
    fn header(&mut self, at: usize, name: &[u8]) {
        if self.plan.headers && self.shown != Some(at) {
            let gap = if self.headed { "\n" } else { "" };
            self.headed = true;
            let name = if name == b"-" {
                b"standard input"
            } else {
                name
            };
            self.out.put(bytes!(gap, "==> ", name, " <==\n"));
        }
        self.shown = Some(at);
    }

    /// Prints the part of one file; gives what is to be followed.
    fn first(&mut self, at: usize, name: &[u8]) -> Option<Watched> {
        if name == b"-" {
            self.header(at, name);
            if let Err(failure) = last::stream(
                &mut crate::stream::stdin().lock(),
                self.plan.part,
                &mut self.out,
            ) {
                self.fail(bytes!("error reading 'standard input': ", failure));
            }
            return None;
        }
        let shown = quote::message(name);
        let is_watched = self.plan.follow != Follow::No;
        let mut watched = Watched {
            number: at,
            name: name.to_vec(),
            file: None,
            at: 0,
            identity: (0, 0),
        };
        let found = system::stat(name, true).ok();
        let kind = found.as_ref().map(|found| found.kind);
        if kind == Some(Kind::Directory) {
            self.header(at, name);
            self.fail(bytes!("error reading ", shown, ": Is a directory"));
            if is_watched {
                let text = ": cannot follow end of this type of file";
                let gave_up = if self.plan.retry {
                    ""
                } else {
                    "; giving up on this name"
                };
                self.fail(bytes!(name, text, gave_up));
            }
            return None;
        }
        let mut file = match system::open_file(name) {
            Ok(file) => file,
            Err(failure) => {
                self.fail(bytes!("cannot open ", shown, " for reading: ", failure));
                return (is_watched && self.plan.retry).then_some(watched);
            }
        };
        self.header(at, name);
        let regular = found.as_ref().filter(|found| found.kind == Kind::Regular);
        let printed = match regular {
            Some(found) => last::file(&mut file, found.size, self.plan.part, &mut self.out),
            None => last::stream(&mut file, self.plan.part, &mut self.out),
        };
        match printed {
            Ok(end) => watched.at = end,
            Err(failure) => self.fail(bytes!("error reading ", shown, ": ", failure)),
        }
        if let Some(found) = found {
            watched.identity = (found.device, found.inode);
        }
        watched.file = Some(file);
        is_watched.then_some(watched)
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn old_forms_become_options() {
        let cases: [(&[&str], &str); 9] = [
            (&["+3", "f"], "-n+3 f"),
            (&["+3c"], "-c+3"),
            (&["+l", "f"], "-n+10 f"),
            (&["+3", "f", "g"], "+3 f g"),
            (&["+x"], "+x"),
            (&["f", "+3"], "f +3"),
            (&["-5", "f"], "-n5 f"),
            (&["-2cf", "f"], "-c2 -f f"),
            (&["-5", "-q", "f", "g"], "-5 -q f g"),
        ];
        for (line, expected) in cases {
            let words = line.iter().map(|word| word.as_bytes().to_vec()).collect();
            assert_eq!(modern(words).join(&b' '), expected.as_bytes(), "{line:?}");
        }
    }

    #[test]
    fn counts_have_units() {
        let cases = [
            ("5", Ok(5)),
            ("1b", Ok(512)),
            ("1K", Ok(1024)),
            ("1KiB", Ok(1024)),
            ("2kB", Ok(2000)),
            ("1MB", Ok(1_000_000)),
            ("15E", Ok(15 << 60)),
            ("1Y", Err(": Value too large for defined data type")),
            ("x", Err("")),
            ("", Err("")),
            ("1Q", Err("")),
        ];
        for (text, expected) in cases {
            assert_eq!(size(text.as_bytes()), expected, "{text}");
        }
    }
}
