//! `cmp`.

use std::io::{BufRead, BufReader, Read};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
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

fn compare(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    let mut operands = parsed.operands.clone();
    let mut given = Vec::new();
    if let Some((family, _)) = archive::family(&call.name) {
        let compared = family.compare(call, &operands)?;
        operands = compared.names.to_vec();
        given = compared.given;
    }
    let given = |path: &[u8]| given.iter().find(|(name, _)| name == path);
    let Some(first) = operands.first() else {
        let message = bytes!("missing operand after ", quote::message(b"cmp"));
        return Err(options::usage_error(call, &SYNTAX, message));
    };
    let second = operands.get(1).map_or(&b"-"[..], Vec::as_slice);
    let count = |text: &[u8]| {
        options::number::<u64>(text).ok_or_else(|| {
            let message = bytes!("invalid --ignore-initial value '", text, "'");
            options::usage_error(call, &SYNTAX, message)
        })
    };
    let (mut skip_first, mut skip_second) = (0, 0);
    if let Some(text) = parsed.value("i") {
        let mut parts = text.splitn(2, |&byte| byte == b':');
        skip_first = count(parts.next().unwrap_or_default())?;
        skip_second = parts.next().map_or(Ok(skip_first), count)?;
    }
    if let Some(text) = operands.get(2) {
        skip_first = count(text)?;
    }
    if let Some(text) = operands.get(3) {
        skip_second = count(text)?;
    }
    let limit = parsed
        .value("n")
        .map(count)
        .transpose()?
        .unwrap_or(u64::MAX);
    let quiet = parsed.has("s");
    let open = |path: &[u8], skip: u64| {
        let input: Box<dyn Read> = match given(path) {
            Some((_, content)) => Box::new(content.as_slice()),
            None => system::open_input(path).map_err(|failure| match quiet {
                // The status says it.
                true if failure == system::NO_ENTRY => 2,
                _ => call.fail(2, bytes!(path, ": ", failure)),
            })?,
        };
        let mut input = BufReader::with_capacity(CHUNK, input);
        let skipped = std::io::copy(&mut input.by_ref().take(skip), &mut std::io::sink());
        skipped
            .map(|_| input)
            .map_err(|error| call.fail(2, bytes!(path, ": ", system::Failure::from(error))))
    };
    let (mut a, mut b) = (open(first, skip_first)?, open(second, skip_second)?);
    let size = |path: &[u8]| match given(path) {
        Some(_) => u64::MAX,
        None if path == b"-" => system::stat_descriptor(0).map_or(u64::MAX, size_of),
        None => system::stat(path, true).map_or(u64::MAX, size_of),
    };
    let most = size(first).min(size(second)).min(limit);
    // As many digits as any offset may have, where there is no size.
    let digits = most.min(i64::MAX.unsigned_abs()).to_string().len();
    let mut out = Output::new();
    if quiet && parsed.has("l") {
        let message = "options -l and -s are incompatible";
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let (mut offset, mut line, mut status) = (0u64, 1u64, 0);
    let mut last = 0u8;
    while offset < limit {
        let same = equal_start(&mut a, &mut b, limit - offset);
        if let Some(&end) = same.last() {
            offset += same.len() as u64;
            line += same.iter().filter(|&&byte| byte == b'\n').count() as u64;
            last = end;
            let same = same.len();
            a.consume(same);
            b.consume(same);
            continue;
        }
        let (x, y) = (next(&mut a), next(&mut b));
        let (x, y) = match (x, y) {
            (None, None) => break,
            (Some(x), Some(y)) => (x, y),
            (x, _) => {
                let short = if x.is_none() {
                    first.as_slice()
                } else {
                    second
                };
                if !quiet {
                    out.flush();
                    let place = place(offset, line, last, parsed.has("l"));
                    call.fail(1, bytes!("EOF on ", short, place));
                }
                return Ok(out.finish(&call.name, 1, 2));
            }
        };
        offset += 1;
        if x != y {
            status = 1;
            if quiet {
                break;
            }
            if parsed.has("l") {
                if parsed.has("b") {
                    let (a, b) = (visible(x), visible(y));
                    out.line(format!("{offset:>digits$} {x:>3o} {a:<4} {y:>3o} {b}"));
                } else {
                    out.line(format!("{offset:>digits$} {x:>3o} {y:>3o}"));
                }
            } else {
                out.put(bytes!(
                    first,
                    " ",
                    second,
                    format!(" differ: byte {offset}, line {line}")
                ));
                if parsed.has("b") {
                    out.put(format!(" is {x:>3o} {} {y:>3o} {}", visible(x), visible(y)));
                }
                out.put(b"\n");
                break;
            }
        }
        line += u64::from(x == b'\n');
        last = x;
    }
    Ok(out.finish(&call.name, status, 2))
}

/// How large a file is; what is no file has no size.
fn size_of(stat: system::Stat) -> u64 {
    if stat.kind == system::Kind::Regular {
        stat.size
    } else {
        u64::MAX
    }
}

/// The bytes at hand that are the same in both, at most `limit`: none where they differ at once.
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

fn next(input: &mut impl BufRead) -> Option<u8> {
    let byte = input.fill_buf().ok()?.first().copied()?;
    input.consume(1);
    Some(byte)
}

/// Where a file ended, as `cmp` says it.
fn place(offset: u64, line: u64, last: u8, verbose: bool) -> String {
    match offset {
        0 => " which is empty".to_owned(),
        _ if verbose => format!(" after byte {offset}"),
        _ if last == b'\n' => format!(" after byte {offset}, line {}", line - 1),
        _ => format!(" after byte {offset}, in line {line}"),
    }
}

fn visible(byte: u8) -> String {
    match byte {
        0..=31 => format!("^{}", char::from(byte + 64)),
        127 => "^?".to_owned(),
        128.. => format!("M-{}", visible(byte - 128)),
        _ => char::from(byte).to_string(),
    }
}
