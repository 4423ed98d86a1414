//! `cmp`, after GNU diffutils 3.8: two files byte by byte.
//!
//! Both stream; blocks that are equal are compared at once, single bytes only around a difference. A missing second
//! file is standard input. For `zcmp` and its relatives the contents are decompressed before.
//!
//! ```text
//! a b differ: byte 3, line 1          the first difference
//!   3 141 142                         -l: each of them, with the bytes in octal
//! cmp: EOF on a after byte 2, in line 1
//! ```
//!
//! Statuses: 0 the same, 1 different, 2 trouble.

use std::io::{BufRead, BufReader, Read};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::quote;
use crate::system;
use offshoot_codec as archive;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: cmp [OPTION]... FILE1 [FILE2 [SKIP1 [SKIP2]]]\nCompare two files byte by byte.\n",
    options: &[
        Opt("b", "print-bytes", Value::No),
        Opt("i", "ignore-initial", Value::Required),
        Opt("l", "verbose", Value::No),
        Opt("n", "bytes", Value::Required),
        Opt("s", "quiet", Value::No),
        Opt("s", "silent", Value::No),
    ],
    permute: true,
    status: 2,
};

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    compare(call).unwrap_or_else(|status| status)
}

/// Reads the command line and compares. Both of the results are exit statuses.
fn compare(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let mut operands = parsed.operands.clone();
    let mut given = Vec::new();
    if let Some((family, _)) = archive::family(&call.name) {
        let compared = family.compare(call, &operands)?;
        operands = compared.names.to_vec();
        given = compared.given;
    }
    let Some(first) = operands.first() else {
        let message = bytes!("missing operand after ", quote::message(b"cmp"));
        return Err(options::usage_error(call, &SYNTAX, message));
    };
    let second = operands.get(1).map_or(&b"-"[..], Vec::as_slice);
    let section = Section::read(call, &parsed, &operands)?;
    let quiet = parsed.has("s");
    let files = Files { call, given, quiet };
    let a = files.open(first, section.skips[0])?;
    let b = files.open(second, section.skips[1])?;
    let most = files.size(first).min(files.size(second)).min(section.limit);
    if quiet && parsed.has("l") {
        let message = "options -l and -s are incompatible";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let mut report = Report {
        call,
        names: [first, second],
        quiet,
        verbose: parsed.has("l"),
        characters: parsed.has("b"),
        // As many digits as any offset may have, where there is no size.
        digits: most.min(i64::MAX.unsigned_abs()).to_string().len(),
        out: Output::new(),
    };
    let status = report.walk(a, b, section.limit);
    Ok(report.out.finish(&call.name, status, 2))
}

/// What part of the files is compared.
struct Section {
    /// How many bytes of each file are passed over first.
    skips: [u64; 2],
    /// How many bytes are compared at most.
    limit: u64,
}

impl Section {
    /// What `-i`, `-n` and the operands after the names ask for.
    fn read(call: &Call, parsed: &Parsed, operands: &[Vec<u8>]) -> Result<Section, i32> {
        let wrong = |option: &str, text: &[u8]| {
            let message = bytes!("invalid ", option, " value '", text, "'");
            options::usage_error(call, &SYNTAX, message)
        };
        let mut skips = [0, 0];
        if let Some(text) = parsed.value("i") {
            let mut parts = text.splitn(2, |&byte| byte == b':');
            let first = parts.next().and_then(size);
            let first = first.ok_or_else(|| wrong("--ignore-initial", text))?;
            let second = parts.next().map(|part| {
                let second = size(part);
                second.ok_or_else(|| wrong("--ignore-initial", part))
            });
            skips = [first, second.unwrap_or(Ok(first))?];
        }
        for (skip, text) in skips.iter_mut().zip(operands.iter().skip(2)) {
            *skip = size(text).ok_or_else(|| wrong("--ignore-initial", text))?;
        }
        let limit = parsed.value("n").map(|text| {
            let limit = size(text);
            limit.ok_or_else(|| wrong("--bytes", text))
        });
        let limit = limit.transpose()?;
        Ok(Section {
            skips,
            limit: limit.unwrap_or(u64::MAX),
        })
    }
}

/// A number of bytes as C writes it, with a unit.
///
/// ```text
/// 10 → 10     0x10 → 16     010 → 8     1K → 1024     1kB → 1000     1MiB → 1,048,576
/// ```
fn size(text: &[u8]) -> Option<u64> {
    let text = std::str::from_utf8(text).ok()?;
    let (digits, radix) = match text.strip_prefix("0x").or(text.strip_prefix("0X")) {
        Some(rest) => (rest, 16),
        None if text.starts_with('0') => (text, 8),
        None => (text, 10),
    };
    let end = digits.find(|letter: char| !letter.is_digit(radix));
    let (digits, unit) = digits.split_at(end.unwrap_or(digits.len()));
    let count = u64::from_str_radix(digits, radix).ok()?;
    let Some(letter) = unit.chars().next() else {
        return Some(count);
    };
    let power = match letter {
        'k' | 'K' => 1,
        letter => "MGTPEZY".find(letter)? as u32 + 2,
    };
    let base: u64 = match &unit[1..] {
        "" | "iB" => 1024,
        "B" | "D" => 1000,
        _ => return None,
    };
    count.checked_mul(base.checked_pow(power)?)
}

/// Where the contents come from: the filesystem, or what was decompressed before.
struct Files<'a> {
    call: &'a Call,
    /// Contents by name.
    given: Vec<(Vec<u8>, Vec<u8>)>,
    quiet: bool,
}

impl Files<'_> {
    /// The content that was decompressed for a name.
    fn given(&self, path: &[u8]) -> Option<&[u8]> {
        let found = self.given.iter().find(|(name, _)| name == path);
        found.map(|(_, content)| content.as_slice())
    }

    /// The content of a file after its first `skip` bytes.
    fn open<'f>(&'f self, path: &[u8], skip: u64) -> Result<BufReader<Box<dyn Read + 'f>>, i32> {
        let input: Box<dyn Read> = match self.given(path) {
            Some(content) => Box::new(content),
            None => system::open_input(path).map_err(|failure| match self.quiet {
                // The status says it.
                true if failure == system::NO_ENTRY => 2,
                _ => self.call.fail(2, bytes!(path, ": ", failure)),
            })?,
        };
        let mut input = BufReader::with_capacity(CHUNK, input);
        let skipped = std::io::copy(&mut input.by_ref().take(skip), &mut std::io::sink());
        skipped.map(|_| input).map_err(|error| {
            let failure = system::Failure::from(error);
            self.call.fail(2, bytes!(path, ": ", failure))
        })
    }

    /// How many bytes a file has, the most there can be where nothing says it.
    fn size(&self, path: &[u8]) -> u64 {
        match self.given(path) {
            Some(_) => u64::MAX,
            None if path == b"-" => system::stat_descriptor(0).map_or(u64::MAX, size_of),
            None => system::stat(path, true).map_or(u64::MAX, size_of),
        }
    }
}

/// How far both files were read.
struct Position {
    /// How many bytes of each file were compared.
    offset: u64,
    /// The line that the next byte is in, counted from 1.
    line: u64,
    /// The byte before.
    last: u8,
}

impl Position {
    /// Goes on past the next bytes of the first file.
    fn pass(&mut self, bytes: &[u8]) {
        self.offset += bytes.len() as u64;
        self.line += bytes.iter().filter(|&&byte| byte == b'\n').count() as u64;
        self.last = bytes.last().copied().unwrap_or(self.last);
    }
}

/// What is said about the differences, and where.
struct Report<'a> {
    call: &'a Call,
    names: [&'a [u8]; 2],
    quiet: bool,
    /// Every difference is told, not only the first.
    verbose: bool,
    /// The bytes that differ are shown as characters as well.
    characters: bool,
    /// The width of an offset.
    digits: usize,
    out: Output,
}

impl Report<'_> {
    /// Compares at most `limit` bytes and tells of what differs, the first or with `-l` each; gives the exit status.
    fn walk(&mut self, mut a: impl BufRead, mut b: impl BufRead, limit: u64) -> i32 {
        let mut position = Position {
            offset: 0,
            line: 1,
            last: 0,
        };
        let mut status = 0;
        while position.offset < limit {
            let same = equal_start(&mut a, &mut b, limit - position.offset);
            if !same.is_empty() {
                position.pass(same);
                let same = same.len();
                a.consume(same);
                b.consume(same);
                continue;
            }
            let (x, y) = match (next(&mut a), next(&mut b)) {
                (None, None) => break,
                (Some(x), Some(y)) => (x, y),
                (x, _) => {
                    self.ended(usize::from(x.is_some()), &position);
                    return 1;
                }
            };
            if x != y {
                status = 1;
                self.differ(&position, x, y);
                if !self.verbose {
                    break;
                }
            }
            position.pass(&[x]);
        }
        status
    }

    /// The two files have different bytes at a position.
    fn differ(&mut self, position: &Position, x: u8, y: u8) {
        let (offset, digits) = (position.offset + 1, self.digits);
        if self.quiet {
            return;
        }
        if !self.verbose {
            let place = format!(" differ: byte {offset}, line {}", position.line);
            self.out
                .put(bytes!(self.names[0], " ", self.names[1], place));
            if self.characters {
                self.out
                    .put(format!(" is {x:>3o} {} {y:>3o} {}", visible(x), visible(y)));
            }
            self.out.put(b"\n");
        } else if self.characters {
            let (a, b) = (visible(x), visible(y));
            self.out
                .line(format!("{offset:>digits$} {x:>3o} {a:<4} {y:>3o} {b}"));
        } else {
            self.out.line(format!("{offset:>digits$} {x:>3o} {y:>3o}"));
        }
    }

    /// One of the files, the first or the second, ended before the other.
    fn ended(&mut self, short: usize, position: &Position) {
        if self.quiet {
            return;
        }
        self.out.flush();
        let place = place(position, self.verbose);
        self.call
            .fail(1, bytes!("EOF on ", self.names[short], place));
    }
}

/// How large a file is; what is no file has no size.
fn size_of(stat: system::Stat) -> u64 {
    if stat.kind == system::Kind::Regular {
        stat.size
    } else {
        u64::MAX
    }
}

/// The bytes at hand that are the same in both, at most `limit`: none where they differ at once, and at the end of
/// either.
fn equal_start<'a>(a: &'a mut impl BufRead, b: &mut impl BufRead, limit: u64) -> &'a [u8] {
    // What cannot be read has ended.
    let (a, b) = (a.fill_buf().unwrap_or(&[]), b.fill_buf().unwrap_or(&[]));
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let most = most.min(a.len()).min(b.len());
    let (a, b) = (&a[..most], &b[..most]);
    const BLOCK: usize = 4096;
    let blocks = a.chunks(BLOCK).zip(b.chunks(BLOCK));
    let same = blocks.take_while(|(a, b)| a == b).count() * BLOCK;
    let same = same.min(most);
    let rest = a[same..].iter().zip(&b[same..]);
    &a[..same + rest.take_while(|(a, b)| a == b).count()]
}

/// Takes a byte; none at the end.
fn next(input: &mut impl BufRead) -> Option<u8> {
    let byte = input.fill_buf().ok()?.first().copied()?;
    input.consume(1);
    Some(byte)
}

/// Where a file ended, as `cmp` says it.
fn place(position: &Position, verbose: bool) -> String {
    let Position { offset, line, last } = *position;
    match offset {
        0 => " which is empty".to_owned(),
        _ if verbose => format!(" after byte {offset}"),
        _ if last == b'\n' => format!(" after byte {offset}, line {}", line - 1),
        _ => format!(" after byte {offset}, in line {line}"),
    }
}

/// A byte as `cat -v` shows it: `^A`, `M-a`.
fn visible(byte: u8) -> String {
    match byte {
        0..=31 => format!("^{}", char::from(byte + 64)),
        127 => "^?".to_owned(),
        128.. => format!("M-{}", visible(byte - 128)),
        _ => char::from(byte).to_string(),
    }
}
