//! `head`, as in GNU coreutils, and what `tail` has in common with it.
//!
//! It stops reading when it has what it prints, and gives back what was read beyond that where the input can seek: so
//! `{ head -n 1; cat; } < FILE` loses nothing. With a negative number the last lines are held back while more may come.

use super::Task;
use super::arguments::{Argument, Arguments, size};
use super::io::{BLOCK, Input, Io, Step};
use crate::os::{Errno, Whence};
use offshoot_posix::quote;

/// What the arguments ask for.
#[derive(Clone, Copy)]
struct Options {
    /// How many lines or bytes.
    count: u64,
    /// Bytes instead of lines.
    bytes: bool,
    /// All but the last `count`.
    elide: bool,
    /// `-q` and `-v`, the later one.
    headers: Option<bool>,
    /// What ends a line.
    delimiter: u8,
}

/// `head [-qvz] [-c [-]N] [-n [-]N] [-N] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut options = Options {
        count: 10,
        bytes: false,
        elide: false,
        headers: None,
        delimiter: b'\n',
    };
    let mut files = Vec::new();
    let mut rest = context.arguments.clone();
    if let Some(count) = rest.get(1).and_then(|first| obsolete(first)) {
        options.count = count;
        rest.remove(1);
    }
    let mut arguments = Arguments::new(&rest);
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(letter @ (b'c' | b'n')) => {
                options.set_count(letter == b'c', arguments.value()?)?;
            }
            Argument::Long(b"bytes") => options.set_count(true, arguments.value()?)?,
            Argument::Long(b"lines") => options.set_count(false, arguments.value()?)?,
            Argument::Short(b'q') | Argument::Long(b"quiet" | b"silent") => {
                options.headers = Some(false);
            }
            Argument::Short(b'v') | Argument::Long(b"verbose") => options.headers = Some(true),
            Argument::Short(b'z') | Argument::Long(b"zero-terminated") => options.delimiter = 0,
            Argument::Operand(file) => files.push(file.to_vec()),
            _ => return None,
        }
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    io.task(async move |io| run(io, &options, &files).await)
}

/// The number of `-N`, the old form, which has to come first.
fn obsolete(argument: &[u8]) -> Option<u64> {
    let digits = argument.strip_prefix(b"-")?;
    let all = !digits.is_empty() && digits.iter().all(u8::is_ascii_digit);
    all.then(|| size(digits))?
}

impl Options {
    /// Takes the value of `-n` or `-c`; a minus sign means all but the last.
    fn set_count(&mut self, bytes: bool, value: &[u8]) -> Option<()> {
        let magnitude = value.strip_prefix(b"-");
        self.elide = magnitude.is_some();
        self.bytes = bytes;
        self.count = size(magnitude.unwrap_or(value))?;
        Some(())
    }
}

async fn run(io: &mut Io, options: &Options, files: &[Vec<u8>]) -> Step<u8> {
    let headers = options.headers.unwrap_or(files.len() > 1);
    let mut status = 0;
    let mut first = true;
    for file in files {
        let done = match io.operand(file) {
            Ok(input) => {
                if headers {
                    header(io, file, first);
                    first = false;
                }
                copy(io, &input, options)
                    .await?
                    .map_err(|error| ("error reading", error))
            }
            Err(error) => Err(("cannot open", error)),
        };
        if let Err((what, error)) = done {
            io.flush().await?;
            complain(io, what, file, error).await;
            status = 1;
        }
    }
    Ok(status)
}

/// Prints what stands above each of several files.
pub(super) fn header(io: &mut Io, file: &[u8], first: bool) {
    let name = if file == b"-" {
        b"standard input"
    } else {
        file
    };
    io.out
        .extend_from_slice(if first { b"==> " } else { b"\n==> " });
    io.out.extend_from_slice(name);
    io.out.extend_from_slice(b" <==\n");
}

/// The messages of `head` and `tail` about a file.
pub(super) async fn complain(io: &mut Io, what: &str, file: &[u8], error: Errno) {
    let name = if file == b"-" {
        b"standard input"
    } else {
        file
    };
    let mut message = what.as_bytes().to_vec();
    message.push(b' ');
    message.extend_from_slice(&quote::message(name));
    if what == "cannot open" {
        message.extend_from_slice(b" for reading");
    }
    message.extend_from_slice(b": ");
    message.extend_from_slice(error.message().as_bytes());
    io.complain(message).await;
}

/// Prints the wanted part of one input.
async fn copy(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    match (options.elide, options.bytes) {
        (false, _) => first(io, input, options).await,
        (true, true) => but_last_bytes(io, input, options.count).await,
        (true, false) => but_last_lines(io, input, options).await,
    }
}

/// The first lines or bytes. What was read beyond them is given back where the input can seek.
async fn first(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let mut left = options.count;
    let mut block = Vec::new();
    while left > 0 {
        block.clear();
        match io.read(input, &mut block).await? {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        let taken = if options.bytes {
            let taken = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            left -= taken as u64;
            taken
        } else {
            take_lines(&block, options.delimiter, &mut left)
        };
        io.out.extend_from_slice(&block[..taken]);
        io.flush_block().await?;
        if taken < block.len() {
            // A pipe cannot; then the rest is lost, as with every reader of blocks.
            let _ = input.seek(-((block.len() - taken) as i64), Whence::Current);
        }
    }
    Ok(Ok(()))
}

/// The length of at most `left` lines at the start of `block`.
fn take_lines(block: &[u8], delimiter: u8, left: &mut u64) -> usize {
    let mut at = 0;
    while *left > 0 {
        match find(&block[at..], delimiter) {
            Some(end) => at += end + 1,
            None => return block.len(),
        }
        *left -= 1;
    }
    at
}

/// Where a byte first is.
#[inline]
pub(super) fn find(bytes: &[u8], wanted: u8) -> Option<usize> {
    bytes.iter().position(|&byte| byte == wanted)
}

/// All but the last bytes, which are held until the end.
async fn but_last_bytes(io: &mut Io, input: &Input, count: u64) -> Step<Result<(), Errno>> {
    let keep = usize::try_from(count).unwrap_or(usize::MAX);
    let mut held = Vec::new();
    loop {
        match io.read(input, &mut held).await? {
            Ok(0) => return Ok(Ok(())),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        if held.len() >= keep.saturating_add(BLOCK) {
            io.out.extend(held.drain(..held.len() - keep));
            io.flush_block().await?;
        } else if held.len() > keep {
            io.out.extend(held.drain(..held.len() - keep));
        }
    }
}

/// All but the last lines, which are held until the end.
async fn but_last_lines(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let mut held = Vec::new();
    let mut limit = 4 * BLOCK;
    loop {
        match io.read(input, &mut held).await? {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        // Lines are counted from the end, so they leave in pieces as large as what is held.
        if held.len() < limit {
            continue;
        }
        let kept = last_lines(&held, options.count, options.delimiter);
        io.out.extend(held.drain(..kept));
        io.flush_block().await?;
        limit = (2 * held.len()).max(4 * BLOCK);
    }
    let kept = last_lines(&held, options.count, options.delimiter);
    io.out.extend_from_slice(&held[..kept]);
    Ok(Ok(()))
}

/// Where the last `count` lines of `bytes` begin; a last line without an end counts.
pub(super) fn last_lines(bytes: &[u8], count: u64, delimiter: u8) -> usize {
    if count == 0 {
        return bytes.len();
    }
    let mut left = count;
    let mut end = bytes.len();
    if bytes.last() == Some(&delimiter) {
        end -= 1;
    }
    while let Some(at) = bytes[..end].iter().rposition(|&byte| byte == delimiter) {
        left -= 1;
        if left == 0 {
            return at + 1;
        }
        end = at;
    }
    0
}
