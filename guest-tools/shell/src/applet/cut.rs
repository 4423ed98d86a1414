//! `cut`, as in GNU coreutils, for what scripts usually ask; `start` declines the rest, and the program answers.
//!
//! Ranges are sorted and joined once, so a line costs O(length). An unfinished line is held until its end arrives.
//! Fields are bytes between single delimiters, and `-c` counts bytes, as GNU's does.
//!
//! | call | of `a:b:c:d` |
//! |---|---|
//! | `cut -d: -f2` | `b` |
//! | `cut -d: -f3-,1` | `a:c:d` |
//! | `cut -d: -f2 --complement` | `a:c:d` |
//! | `cut -b1,3` | `ab` |

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::{Input, Io, Step};
use crate::os::Errno;

/// What is cut.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Unit {
    Bytes,
    Fields,
}

/// What the arguments ask for.
struct Options {
    /// Whether bytes or fields are counted.
    unit: Unit,
    /// Ranges from 1 on, ascending and apart from one another.
    ranges: Vec<(usize, usize)>,
    /// What stands between fields.
    delimiter: u8,
    /// `-s`: lines without a delimiter are left out.
    only_delimited: bool,
    /// What stands between the pieces; the delimiter for fields and nothing for bytes by default.
    output: Option<Vec<u8>>,
    /// What ends a line: a newline, or NUL with `-z`.
    end: u8,
}

/// `cut -b|-c|-f LIST [-d C] [-s] [-z] [--complement] [--output-delimiter=S] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let (mut list, mut delimiter, mut output) = (None, None, None);
    let (mut only_delimited, mut complement, mut end) = (false, false, b'\n');
    let mut files = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        let unit = match argument {
            Argument::Short(b'b' | b'c') | Argument::Long(b"bytes" | b"characters") => Unit::Bytes,
            Argument::Short(b'f') | Argument::Long(b"fields") => Unit::Fields,
            Argument::Short(b'd') | Argument::Long(b"delimiter") => {
                delimiter = Some(match arguments.value()? {
                    [] => 0,
                    [byte] => *byte,
                    _ => return None,
                });
                continue;
            }
            Argument::Short(b's') | Argument::Long(b"only-delimited") => {
                only_delimited = true;
                continue;
            }
            Argument::Short(b'n') => continue,
            Argument::Short(b'z') | Argument::Long(b"zero-terminated") => {
                end = 0;
                continue;
            }
            Argument::Long(b"complement") => {
                complement = true;
                continue;
            }
            Argument::Long(b"output-delimiter") => {
                let value = arguments.value()?;
                // An empty one stands for a NUL.
                output = Some(if value.is_empty() {
                    vec![0]
                } else {
                    value.to_vec()
                });
                continue;
            }
            Argument::Operand(file) => {
                files.push(file.to_vec());
                continue;
            }
            _ => return None,
        };
        if list.is_some() {
            return None;
        }
        list = Some((unit, ranges(arguments.value()?)?));
    }
    let (unit, mut ranges) = list?;
    if unit == Unit::Bytes && (delimiter.is_some() || only_delimited) {
        return None;
    }
    // Where a line break separates fields, a line is all there is.
    if delimiter == Some(end) {
        return None;
    }
    if complement {
        ranges = complement_of(&ranges);
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    let delimiter = delimiter.unwrap_or(b'\t');
    let options = Options {
        unit,
        ranges,
        delimiter,
        only_delimited,
        output,
        end,
    };
    io.task(async move |io| run(io, &options, &files).await)
}

/// `1,3-5,7-`; none where it is no such list.
fn ranges(list: &[u8]) -> Option<Vec<(usize, usize)>> {
    let mut ranges = Vec::new();
    for item in list.split(|byte| b", \t".contains(byte)) {
        let text = std::str::from_utf8(item).ok()?;
        let number = |text: &str| {
            let digits = text.bytes().all(|byte| byte.is_ascii_digit());
            digits
                .then(|| text.parse::<usize>().ok())?
                .filter(|number| *number > 0)
        };
        let range = match text.split_once('-') {
            None => number(text).map(|at| (at, at))?,
            Some(("", "")) => return None,
            Some(("", last)) => (1, number(last)?),
            Some((first, "")) => (number(first)?, usize::MAX),
            Some((first, last)) => (number(first)?, number(last)?),
        };
        if range.0 > range.1 {
            return None;
        }
        ranges.push(range);
    }
    ranges.sort_unstable();
    let mut joined: Vec<(usize, usize)> = Vec::new();
    for range in ranges {
        match joined.last_mut() {
            // Ranges that only touch stay apart: an output delimiter stands between them.
            Some(last) if range.0 <= last.1 => last.1 = last.1.max(range.1),
            _ => joined.push(range),
        }
    }
    Some(joined)
}

/// The ranges between the given ones.
fn complement_of(ranges: &[(usize, usize)]) -> Vec<(usize, usize)> {
    let mut gaps = Vec::new();
    let mut next = 1;
    for &(first, last) in ranges {
        if first > next {
            gaps.push((next, first - 1));
        }
        if last == usize::MAX {
            return gaps;
        }
        next = last + 1;
    }
    gaps.push((next, usize::MAX));
    gaps
}

/// Cuts the files in order; the status is 1 where one cannot be read.
async fn run(io: &mut Io, options: &Options, files: &[Vec<u8>]) -> Step<u8> {
    let mut status = 0;
    for file in files {
        let done = match io.operand(file) {
            Ok(input) => copy(io, &input, options).await?,
            Err(error) => Err(error),
        };
        if let Err(error) = done {
            io.flush().await?;
            io.complain_about(file, error).await;
            status = 1;
        }
    }
    Ok(status)
}

/// Cuts the lines of one input; a last line without an end gets one.
async fn copy(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let mut held = Vec::new();
    loop {
        let known = held.len();
        match io.read(input, &mut held).await? {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        let Some(last) = memchr::memrchr(options.end, &held[known..]) else {
            continue;
        };
        let whole = known + last + 1;
        cut_lines(&mut io.out, &held[..whole], options);
        held.drain(..whole);
        io.flush_block().await?;
    }
    if !held.is_empty() {
        cut_line(&mut io.out, &held, options);
    }
    Ok(Ok(()))
}

/// Cuts whole lines, each with its end.
fn cut_lines(out: &mut Vec<u8>, text: &[u8], options: &Options) {
    let mut start = 0;
    for end in memchr::memchr_iter(options.end, text) {
        cut_line(out, &text[start..end], options);
        start = end + 1;
    }
}

/// Cuts one line, without its end.
fn cut_line(out: &mut Vec<u8>, line: &[u8], options: &Options) {
    match options.unit {
        Unit::Bytes => {
            let mut separate = false;
            for &(first, last) in &options.ranges {
                if first > line.len() {
                    break;
                }
                if let (true, Some(output)) = (separate, &options.output) {
                    out.extend_from_slice(output);
                }
                separate = true;
                out.extend_from_slice(&line[first - 1..last.min(line.len())]);
            }
        }
        Unit::Fields => {
            if memchr::memchr(options.delimiter, line).is_none() {
                if options.only_delimited {
                    return;
                }
                out.extend_from_slice(line);
            } else {
                cut_fields(out, line, options);
            }
        }
    }
    out.push(options.end);
}

/// Cuts the fields of a line that has a delimiter.
fn cut_fields(out: &mut Vec<u8>, line: &[u8], options: &Options) {
    let one = [options.delimiter];
    let output = options.output.as_deref().unwrap_or(&one);
    let mut ranges = options.ranges.iter();
    let Some(mut range) = ranges.next() else {
        return;
    };
    let mut separate = false;
    let mut start = 0;
    let ends = memchr::memchr_iter(options.delimiter, line).chain([line.len()]);
    for (number, end) in (1..).zip(ends) {
        if number > range.1 {
            match ranges.next() {
                Some(next) => range = next,
                None => return,
            }
        }
        if number >= range.0 {
            if separate {
                out.extend_from_slice(output);
            }
            separate = true;
            out.extend_from_slice(&line[start..end]);
        }
        start = end + 1;
    }
}
