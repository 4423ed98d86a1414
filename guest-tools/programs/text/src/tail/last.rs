//! The end of a file, or what follows its start.
//!
//! The last lines of a regular file are found from its end, a chunk at a time, so that the cost is that of what is
//! printed. Of a stream only those chunks are kept that may belong to the end.

use crate::system::File;
use std::collections::VecDeque;
use std::io::{Read, Seek as _, SeekFrom};

use super::Part;
use crate::output::{CHUNK, Output};
use crate::system::Failure;

/// Prints the part of a regular file of this size, without reading what stands before it; gives the offset that was
/// reached, which is larger than `size` where the file has grown.
pub fn file(file: &mut File, size: u64, part: Part, out: &mut Output) -> Result<u64, Failure> {
    if size == 0 || (part.from_start && !part.bytes) {
        return stream(file, part, out);
    }
    let start = match (part.from_start, part.bytes) {
        (true, _) => part.count.saturating_sub(1).min(size),
        (false, true) => size.saturating_sub(part.count),
        (false, false) => last_lines(file, size, part)?,
    };
    file.seek(SeekFrom::Start(start))?;
    Ok(start + copy(file, out)?)
}

/// Where the last lines start, found from the end.
fn last_lines(file: &mut File, size: u64, part: Part) -> Result<u64, Failure> {
    if part.count == 0 {
        return Ok(size);
    }
    let (mut left, mut end) = (part.count, size);
    let mut block = vec![0; CHUNK];
    while end > 0 {
        let length = end.min(CHUNK as u64) as usize;
        let start = end - length as u64;
        file.seek(SeekFrom::Start(start))?;
        let block = &mut block[..length];
        file.read_exact(block)?;
        // The last line has its end or not: it is one line either way.
        let searched = if end == size { length - 1 } else { length };
        for at in memchr::memrchr_iter(part.end, &block[..searched]) {
            left -= 1;
            if left == 0 {
                return Ok(start + at as u64 + 1);
            }
        }
        end = start;
    }
    Ok(0)
}

/// Prints the part of what is read once; gives how much was read.
pub fn stream(input: &mut impl Read, part: Part, out: &mut Output) -> Result<u64, Failure> {
    if part.from_start {
        return after(input, part, out);
    }
    let mut kept: VecDeque<Vec<u8>> = VecDeque::new();
    let (mut total, mut held, mut lines) = (0, 0, 0);
    loop {
        let mut block = vec![0; CHUNK];
        let length = read(input, &mut block)?;
        if length == 0 {
            break;
        }
        block.truncate(length);
        total += length as u64;
        held += length as u64;
        lines += count(part.end, &block);
        kept.push_back(block);
        // One line more is kept, since the last one may have no end.
        while let Some(first) = kept.front() {
            let (length, ends) = (first.len() as u64, count(part.end, first));
            let is_needless = if part.bytes {
                held - length >= part.count
            } else {
                lines - ends > part.count
            };
            if !is_needless {
                break;
            }
            held -= length;
            lines -= ends;
            kept.pop_front();
        }
    }
    let text: Vec<u8> = kept.into_iter().flatten().collect();
    out.put(&text[start(&text, part)..]);
    Ok(total)
}

/// Where the part starts in all that may belong to it.
fn start(text: &[u8], part: Part) -> usize {
    if part.bytes {
        return text.len() - part.count.min(text.len() as u64) as usize;
    }
    if part.count == 0 || text.is_empty() {
        return text.len();
    }
    let ends = memchr::memrchr_iter(part.end, &text[..text.len() - 1]);
    let before = usize::try_from(part.count - 1).unwrap_or(usize::MAX);
    ends.into_iter().nth(before).map_or(0, |at| at + 1)
}

/// How many line ends there are.
fn count(end: u8, block: &[u8]) -> u64 {
    memchr::memchr_iter(end, block).count() as u64
}

/// Reads once; 0 at the end.
fn read(input: &mut impl Read, block: &mut [u8]) -> Result<usize, Failure> {
    loop {
        match input.read(block) {
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            outcome => return Ok(outcome?),
        }
    }
}

/// Prints what is read from the Nth line or byte on; gives how much was read.
fn after(input: &mut impl Read, part: Part, out: &mut Output) -> Result<u64, Failure> {
    let mut left = part.count.saturating_sub(1);
    let (mut block, mut total) = (vec![0; CHUNK], 0);
    while !out.is_broken() {
        let length = read(input, &mut block)?;
        if length == 0 {
            break;
        }
        total += length as u64;
        let mut text = &block[..length];
        if part.bytes {
            let skipped = left.min(length as u64);
            left -= skipped;
            text = &text[skipped as usize..];
        } else {
            while left > 0 && !text.is_empty() {
                let end = memchr::memchr(part.end, text);
                left -= u64::from(end.is_some());
                text = &text[end.map_or(text.len(), |at| at + 1)..];
            }
        }
        out.put(text);
    }
    Ok(total)
}

/// Prints what is left of a file; gives how much that is.
pub fn copy(input: &mut impl Read, out: &mut Output) -> Result<u64, Failure> {
    let (mut block, mut total) = (vec![0; CHUNK], 0);
    while !out.is_broken() {
        let length = read(input, &mut block)?;
        if length == 0 {
            break;
        }
        out.put(&block[..length]);
        total += length as u64;
    }
    Ok(total)
}
