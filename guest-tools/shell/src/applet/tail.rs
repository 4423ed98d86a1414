//! `tail`, as in GNU coreutils, without `-f`: following is left to the program.
//!
//! Of a file that can seek, blocks are read from the end until there are enough lines, so the cost is that of what is
//! printed. Of a pipe the last lines are held and older ones dropped whenever the buffer has doubled: O(input) time,
//! and memory for twice what is printed.

use super::Task;
use super::arguments::{Argument, Arguments, size};
use super::head::{complain, header, last_lines};
use super::io::{BLOCK, Input, Io, Step};
use crate::os::{Errno, FileKind, Whence};

/// What the arguments ask for.
#[derive(Clone, Copy)]
struct Options {
    /// How many lines or bytes.
    count: u64,
    /// Bytes instead of lines.
    bytes: bool,
    /// `+N`: from the Nth on.
    from_start: bool,
    /// `-q` and `-v`, the later one; by default several files have headers.
    headers: Option<bool>,
    /// What ends a line.
    delimiter: u8,
}

/// `tail [-qvz] [-c [+]N] [-n [+]N] [-N] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut options = Options {
        count: 10,
        bytes: false,
        from_start: false,
        headers: None,
        delimiter: b'\n',
    };
    let mut files = Vec::new();
    let mut rest = context.arguments.clone();
    if let Some(first) = rest.get(1) {
        // `+5` may be the old form, or a file.
        if first.starts_with(b"+") {
            return None;
        }
        let digits = first.strip_prefix(b"-").unwrap_or_default();
        if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) {
            // The old form takes one file at most.
            if rest.len() > 3 {
                return None;
            }
            options.count = size(digits)?;
            rest.remove(1);
        }
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

impl Options {
    /// Takes the value of `-n` or `-c`; a minus sign changes nothing.
    fn set_count(&mut self, bytes: bool, value: &[u8]) -> Option<()> {
        self.bytes = bytes;
        self.from_start = value.starts_with(b"+");
        let magnitude = value
            .strip_prefix(b"+")
            .or_else(|| value.strip_prefix(b"-"));
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

/// Prints the wanted part of one input.
async fn copy(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    if options.from_start {
        return from_start(io, input, options).await;
    }
    match skip(io, input, options).await? {
        Ok(()) => last(io, input, options).await,
        Err(error) => Ok(Err(error)),
    }
}

/// Prints from the Nth line or byte on.
async fn from_start(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let mut left = options.count.saturating_sub(1);
    let mut block = Vec::new();
    loop {
        block.clear();
        match io.read(input, &mut block).await? {
            Ok(0) => return Ok(Ok(())),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        let mut at = 0;
        if options.bytes {
            at = usize::try_from(left).unwrap_or(usize::MAX).min(block.len());
            left -= at as u64;
        }
        while left > 0 && at < block.len() {
            match memchr::memchr(options.delimiter, &block[at..]) {
                Some(end) => {
                    at += end + 1;
                    left -= 1;
                }
                None => at = block.len(),
            }
        }
        io.out.extend_from_slice(&block[at..]);
        io.flush_block().await?;
    }
}

/// Of a file that can seek, goes to a place not far before what is wanted.
async fn skip(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let Ok(stat) = input.stat() else {
        return Ok(Ok(()));
    };
    let Some(start) = input.offset().filter(|_| stat.kind == FileKind::Regular) else {
        return Ok(Ok(()));
    };
    if stat.size.saturating_sub(start) <= BLOCK as u64 {
        return Ok(Ok(()));
    }
    let mut place = stat.size;
    if options.bytes {
        place = stat.size.saturating_sub(options.count).max(start);
    } else {
        let mut found = 0;
        while place > start && found <= options.count {
            let piece = (BLOCK as u64).min(place - start);
            place -= piece;
            if let Err(error) = input.seek(place as i64, Whence::Start) {
                return Ok(Err(error));
            }
            let mut block = Vec::new();
            match io.read(input, &mut block).await? {
                Ok(count) => {
                    let counted = &block[..count.min(piece as usize)];
                    found += memchr::memchr_iter(options.delimiter, counted).count() as u64;
                }
                Err(error) => return Ok(Err(error)),
            }
        }
    }
    Ok(input.seek(place as i64, Whence::Start).map(drop))
}

/// Prints the last lines or bytes of what can still be read.
async fn last(io: &mut Io, input: &Input, options: &Options) -> Step<Result<(), Errno>> {
    let tail = |held: &[u8]| match options.bytes {
        true => held
            .len()
            .saturating_sub(usize::try_from(options.count).unwrap_or(usize::MAX)),
        false => last_lines(held, options.count, options.delimiter),
    };
    let mut held = Vec::new();
    let mut limit = 4 * BLOCK;
    loop {
        match io.read(input, &mut held).await? {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        if held.len() >= limit {
            held.drain(..tail(&held));
            limit = (2 * held.len()).max(4 * BLOCK);
        }
    }
    io.out.extend_from_slice(&held[tail(&held)..]);
    io.flush_block().await?;
    Ok(Ok(()))
}
