//! `cksum`, `sum`, `md5sum`, `b2sum` and the `sha*sum`, after GNU coreutils 9.1: checksums, and lists of them that
//! are checked.
//!
//! `algorithm` computes, `line` reads the lines of lists, `check` compares. The commands differ in the algorithm, in
//! the form of their lines, and in the options that they refuse:
//!
//! ```text
//! sum          36979     1 a            a sum and the number of blocks of 1024 bytes (`-s`: 512)
//! cksum        3015617425 6 a           a CRC and the number of bytes
//! cksum -a md5 MD5 (a) = b1946ac9…      `--untagged` gives the form of the others
//! md5sum       b1946ac9…  a             `-b` writes a star before the name
//! ```
//!
//! The status is 1 where a file cannot be read or is not as its list says.

mod algorithm;
mod check;
mod line;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;
use algorithm::{ALL, Algorithm, BLAKE2B_BITS, Sum};

/// The options that all have, after those that only some have.
macro_rules! options {
    ($($own:expr),*) => {
        &[
            $($own,)*
            Opt("c", "check", Value::No),
            Opt("", "tag", Value::No),
            Opt("z", "zero", Value::No),
            Opt("", "ignore-missing", Value::No),
            Opt("", "quiet", Value::No),
            Opt("", "status", Value::No),
            Opt("", "strict", Value::No),
            Opt("w", "warn", Value::No),
        ]
    };
}

/// What changes the second blank of a line into a star.
const BINARY: Opt = Opt("b", "binary", Value::No);
/// The default, which takes `-b` back.
const TEXT: Opt = Opt("t", "text", Value::No);
/// The length of a BLAKE2b in bits.
const LENGTH: Opt = Opt("l", "length", Value::Required);

/// The syntax of a command that computes one kind of checksum.
macro_rules! syntax {
    ($name:literal, $kind:literal) => {
        Syntax {
            usage: concat!(
                "Usage: ",
                $name,
                " [OPTION]... [FILE]...\nPrint or check ",
                $kind,
                " checksums.\n\nWith no FILE, or when FILE is -, read standard input.\n"
            ),
            options: options!(BINARY, TEXT),
            permute: true,
            status: 1,
        }
    };
}

const MD5SUM: Syntax = syntax!("md5sum", "MD5 (128-bit)");
const SHA1SUM: Syntax = syntax!("sha1sum", "SHA1 (160-bit)");
const SHA224SUM: Syntax = syntax!("sha224sum", "SHA224 (224-bit)");
const SHA256SUM: Syntax = syntax!("sha256sum", "SHA256 (256-bit)");
const SHA384SUM: Syntax = syntax!("sha384sum", "SHA384 (384-bit)");
const SHA512SUM: Syntax = syntax!("sha512sum", "SHA512 (512-bit)");
const B2SUM: Syntax = Syntax {
    options: options!(BINARY, TEXT, LENGTH),
    ..syntax!("b2sum", "BLAKE2b (512-bit)")
};

const CKSUM: Syntax = Syntax {
    usage: "Usage: cksum [OPTION]... [FILE]...\nPrint or verify checksums, by default the 32 bit CRC.\n\nWith no FILE, or when FILE is -, read standard input. TYPE of -a is bsd, sysv, crc, md5,\nsha1, sha224, sha256, sha384, sha512, blake2b or sm3.\n",
    options: options!(
        LENGTH,
        Opt("a", "algorithm", Value::Required),
        Opt("", "untagged", Value::No),
        Opt("", "debug", Value::No)
    ),
    permute: true,
    status: 1,
};

/// Runs a command that computes one kind of checksum.
pub fn run(call: &Call) -> i32 {
    let (algorithm, syntax) = match call.name.as_str() {
        "sha1sum" => (Algorithm::Sha1, SHA1SUM),
        "sha224sum" => (Algorithm::Sha224, SHA224SUM),
        "sha256sum" => (Algorithm::Sha256, SHA256SUM),
        "sha384sum" => (Algorithm::Sha384, SHA384SUM),
        "sha512sum" => (Algorithm::Sha512, SHA512SUM),
        "b2sum" => (Algorithm::Blake2b, B2SUM),
        _ => (Algorithm::Md5, MD5SUM),
    };
    start(call, Some(algorithm), &syntax).unwrap_or_else(|status| status)
}

/// Runs `cksum`.
pub fn cksum(call: &Call) -> i32 {
    start(call, None, &CKSUM).unwrap_or_else(|status| status)
}

const SUM: Syntax = Syntax {
    usage: "Usage: sum [OPTION]... [FILE]...\nPrint or check a checksum of 16 bits, and how many blocks there are.\n\n  -r              use BSD sum algorithm (the default), use 1K blocks\n  -s, --sysv      use System V sum algorithm, use 512 bytes blocks\n",
    options: &[Opt("r", "", Value::No), Opt("s", "sysv", Value::No)],
    permute: true,
    status: 1,
};

/// Runs `sum`.
pub fn sum(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SUM) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let algorithm = match parsed.last(&["r", "s"]) {
        Some("s") => Algorithm::SysV,
        _ => Algorithm::Bsd,
    };
    let job = Job {
        algorithm,
        bits: 0,
        is_tagged: false,
        is_binary: false,
        end: b'\n',
        has_names: !parsed.operands.is_empty(),
    };
    job.print(call, parsed.operands)
}

/// How checksums are printed.
struct Job {
    algorithm: Algorithm,
    /// How many bits a digest has.
    bits: usize,
    /// Lines have the form of BSD: `MD5 (NAME) = DIGEST`.
    is_tagged: bool,
    /// There is a star before names.
    is_binary: bool,
    /// What ends lines: a newline, or with `-z` a zero byte, before which names are not escaped.
    end: u8,
    /// Whether files are named on the command line.
    has_names: bool,
}

/// Prints or checks. `own` is the algorithm of a command that has only one; `cksum` has none, and takes `-a`. Both of
/// the results are exit statuses.
fn start(call: &Call, own: Option<Algorithm>, syntax: &Syntax) -> Result<i32, i32> {
    let parsed = options::parse(call, syntax)?;
    let mut algorithm = own;
    if let Some(name) = parsed.value("a") {
        let names: Vec<Vec<&str>> = ALL.iter().map(|(_, name, _)| vec![*name]).collect();
        algorithm = Some(ALL[options::choice(call, "--algorithm", name, &names)?].0);
    }
    let bits = length(call, &parsed, algorithm)?;
    let checks = parsed.has("c");
    let is_number = algorithm.is_some_and(Algorithm::is_number);
    if checks && is_number {
        let message = "--check is not supported with --algorithm={bsd,sysv,crc}";
        return Err(call.fail(1, message));
    }
    refuse(call, &parsed, own.is_some(), syntax)?;
    let tags = ["tag", "untagged"];
    let job = Job {
        algorithm: algorithm.unwrap_or(Algorithm::Crc),
        bits,
        is_tagged: match own {
            Some(_) => parsed.has("tag"),
            None => parsed.last(&tags) != Some("untagged"),
        },
        is_binary: parsed.last(&["b", "t"]) == Some("b"),
        end: if parsed.has("z") { 0 } else { b'\n' },
        has_names: !parsed.operands.is_empty(),
    };
    if !checks {
        return Ok(job.print(call, parsed.operands));
    }
    let mut lists = parsed.operands.clone();
    if lists.is_empty() {
        lists.push(b"-".to_vec());
    }
    let mut out = Output::new();
    let mut status = 0;
    for list in &lists {
        if !check::check(call, &parsed, algorithm, list, &mut out) {
            status = 1;
        }
    }
    Ok(out.finish(&call.name, status, 1))
}

/// How many bits the digest has: what `-l` says where that is not 0, else all of the algorithm.
///
/// # Errors
/// Status 1, after a message, for a number that is none, not a multiple of 8 or above 512, and for an algorithm other
/// than BLAKE2b.
fn length(call: &Call, parsed: &Parsed, algorithm: Option<Algorithm>) -> Result<usize, i32> {
    let whole = algorithm.map_or(0, Algorithm::bits);
    let Some(text) = parsed.value("l") else {
        return Ok(whole);
    };
    let refuse = |reason: &[u8]| {
        call.fail(0, bytes!("invalid length: ", quote::word(text)));
        if reason.is_empty() {
            1
        } else {
            call.fail(1, reason)
        }
    };
    let Some(bits) = options::number::<usize>(text) else {
        return Err(refuse(b""));
    };
    match bits {
        0 => Ok(whole),
        _ if algorithm != Some(Algorithm::Blake2b) => {
            Err(call.fail(1, "--length is only supported with --algorithm=blake2b"))
        }
        _ if bits > BLAKE2B_BITS => {
            let kind = quote::word(b"BLAKE2b");
            let most = format!(" is {BLAKE2B_BITS} bits");
            Err(refuse(&bytes!("maximum digest length for ", kind, most)))
        }
        _ if bits % 8 != 0 => Err(refuse(b"length is not a multiple of 8")),
        _ => Ok(bits),
    }
}

/// Refuses options that do not go together. `is_one_kind` is false for `cksum`, where `--tag` is the default and goes
/// with `-c`.
fn refuse(call: &Call, parsed: &Parsed, is_one_kind: bool, syntax: &Syntax) -> Result<(), i32> {
    let checks = parsed.has("c");
    let kind = parsed.last(&["b", "t"]);
    let level = parsed.last(&["status", "quiet", "w"]);
    let only = |key: &str| {
        let counts = !matches!(key, "status" | "quiet" | "w") || level == Some(key);
        parsed.has(key) && counts && !checks
    };
    let wrong = if parsed.has("tag") && kind == Some("t") {
        "--tag does not support --text mode".to_owned()
    } else if parsed.has("z") && checks {
        "the --zero option is not supported when verifying checksums".to_owned()
    } else if is_one_kind && parsed.has("tag") && checks {
        "the --tag option is meaningless when verifying checksums".to_owned()
    } else if kind.is_some() && checks {
        "the --binary and --text options are meaningless when verifying checksums".to_owned()
    } else {
        let keys = ["ignore-missing", "status", "w", "quiet", "strict"];
        let Some(key) = keys.into_iter().find(|key| only(key)) else {
            return Ok(());
        };
        let name = if key == "w" { "warn" } else { key };
        format!("the --{name} option is meaningful only when verifying checksums")
    };
    Err(options::usage_error(call, syntax, wrong))
}

impl Job {
    /// Prints the checksums of the files, or of standard input.
    fn print(&self, call: &Call, mut files: Vec<Vec<u8>>) -> i32 {
        if files.is_empty() {
            files.push(b"-".to_vec());
        }
        let mut out = Output::new();
        let mut status = 0;
        for file in &files {
            let sum = system::open_input(file)
                .and_then(|mut input| self.algorithm.compute(&mut input, self.bits));
            match sum {
                Ok(sum) => self.put(&mut out, file, &sum),
                Err(failure) => {
                    out.flush();
                    status = call.fail(1, bytes!(quote::before_colon(file), ": ", failure));
                }
            }
        }
        out.finish(&call.name, status, 1)
    }

    /// Writes the line of a file. Backslashes, newlines and carriage returns in its name are escaped, and a backslash
    /// before the line says so.
    fn put(&self, out: &mut Output, file: &[u8], sum: &Sum) {
        let digest = match sum {
            Sum::Number(sum, size) => {
                let text = match self.algorithm {
                    Algorithm::Bsd => format!("{sum:05} {:5}", size.div_ceil(1024)),
                    Algorithm::SysV => format!("{sum} {}", size.div_ceil(512)),
                    _ => format!("{sum} {size}"),
                };
                out.put(text);
                if self.has_names {
                    out.put(bytes!(" ", file));
                }
                return out.end_line(self.end);
            }
            Sum::Digest(digest) => digest,
        };
        let is_escaped = self.end == b'\n'
            && file
                .iter()
                .any(|byte| matches!(byte, b'\\' | b'\n' | b'\r'));
        let (mark, name) = match is_escaped {
            true => ("\\", line::escaped(file)),
            false => ("", file.to_vec()),
        };
        let text = if self.is_tagged {
            let length = match self.bits == self.algorithm.bits() {
                true => String::new(),
                false => format!("-{}", self.bits),
            };
            bytes!(
                mark,
                self.algorithm.tag(),
                length,
                " (",
                name,
                ") = ",
                digest
            )
        } else {
            let kind = if self.is_binary { " *" } else { "  " };
            bytes!(mark, digest, kind, name)
        };
        out.put(text);
        out.end_line(self.end);
    }
}
