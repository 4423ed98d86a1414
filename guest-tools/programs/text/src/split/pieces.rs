//! The ways to cut. Each reads its input once and begins a piece when it has something for it, so that an empty input
//! makes no piece, but with `-n`.

use std::io::{self, BufRead, Read, Write as _};

use super::{By, Chunks, Piece, Stop, Target};

/// What cutting gives: a failed read, or that a message was printed already.
type Outcome = io::Result<Result<(), Stop>>;

/// Gives up with the status that was reported already.
macro_rules! attempt {
    ($outcome:expr) => {
        match $outcome {
            Ok(value) => value,
            Err(status) => return Ok(Err(status)),
        }
    };
}

/// Pieces of so many lines; the last one may have fewer.
pub fn lines(target: &mut Target, input: &mut impl BufRead, count: u64) -> Outcome {
    let mut piece: Option<(Vec<u8>, Piece)> = None;
    let mut left = 0;
    loop {
        let block = input.fill_buf()?;
        if block.is_empty() {
            break;
        }
        if left == 0 {
            if let Some((name, done)) = piece.take() {
                attempt!(target.end(&name, done));
            }
            left = count;
        }
        let (name, open) = match &mut piece {
            Some(piece) => piece,
            None => piece.insert(attempt!(target.begin())),
        };
        let end = block.iter().position(|byte| *byte == target.separator);
        let length = end.map_or(block.len(), |at| at + 1);
        attempt!(target.put(name, open, &block[..length]));
        left -= u64::from(end.is_some());
        input.consume(length);
    }
    if let Some((name, done)) = piece {
        attempt!(target.end(&name, done));
    }
    Ok(Ok(()))
}

/// Pieces of so many bytes.
pub fn bytes(target: &mut Target, input: &mut impl BufRead, count: u64) -> Outcome {
    while !input.fill_buf()?.is_empty() {
        attempt!(one(target, &mut (&mut *input).take(count))?);
    }
    Ok(Ok(()))
}

/// One piece with all of `input`.
fn one(target: &mut Target, input: &mut impl BufRead) -> Outcome {
    let (name, mut piece) = attempt!(target.begin());
    loop {
        let block = input.fill_buf()?;
        if block.is_empty() {
            break;
        }
        attempt!(target.put(&name, &mut piece, block));
        let length = block.len();
        input.consume(length);
    }
    Ok(target.end(&name, piece))
}

/// Pieces of whole lines; only a line that is longer than a piece is cut.
pub fn line_bytes(target: &mut Target, input: &mut impl BufRead, most: u64) -> Outcome {
    let mut piece: Option<(Vec<u8>, Piece)> = None;
    let (mut used, mut line) = (0, Vec::new());
    loop {
        line.clear();
        (&mut *input)
            .take(most)
            .read_until(target.separator, &mut line)?;
        if line.is_empty() {
            break;
        }
        if used + line.len() as u64 > most
            && let Some((name, done)) = piece.take()
        {
            attempt!(target.end(&name, done));
            used = 0;
        }
        let (name, open) = match &mut piece {
            Some(piece) => piece,
            None => piece.insert(attempt!(target.begin())),
        };
        attempt!(target.put(name, open, &line));
        used += line.len() as u64;
    }
    if let Some((name, done)) = piece {
        attempt!(target.end(&name, done));
    }
    Ok(Ok(()))
}

/// A number of pieces. All have the size of the input divided by their number, without a remainder, but for the last
/// one.
pub fn chunks(target: &mut Target, input: &mut impl BufRead, chunks: &Chunks) -> Outcome {
    if chunks.by == By::Turns {
        return turns(target, input, chunks);
    }
    // Where pieces end depends on the whole size.
    let mut text = Vec::new();
    input.read_to_end(&mut text)?;
    // Where there are more pieces than bytes, the first ones have one each.
    let size = ((text.len() as u64).max(chunks.count) / chunks.count) as usize;
    let mut start = 0;
    for number in 1..=chunks.count {
        let mut end = if number == chunks.count {
            text.len()
        } else {
            text.len().min((number as usize).saturating_mul(size))
        };
        if chunks.by == By::Lines {
            end = line_end(&text, end.max(start), target.separator, start);
        }
        let part = &text[start..end.max(start)];
        start = end.max(start);
        match chunks.only {
            Some(only) if only == number => return print(part),
            Some(_) => {}
            None if part.is_empty() && target.elide => {}
            None => attempt!(one(target, &mut &*part)?),
        }
    }
    Ok(Ok(()))
}

/// The end of the line that `end` cuts; a piece has the lines that begin in it, and is empty where it begins in a
/// longer one.
fn line_end(text: &[u8], end: usize, separator: u8, start: usize) -> usize {
    if end == start || text.get(end - 1) == Some(&separator) {
        return end;
    }
    let rest = text[end..].iter().position(|byte| *byte == separator);
    rest.map_or(text.len(), |at| end + at + 1)
}

/// Writes a piece to standard output.
fn print(text: &[u8]) -> Outcome {
    let mut out = crate::stream::stdout().lock();
    out.write_all(text)?;
    out.flush()?;
    Ok(Ok(()))
}

/// The first line to the first piece, the second to the second, and around again.
fn turns(target: &mut Target, input: &mut impl BufRead, chunks: &Chunks) -> Outcome {
    let mut pieces = Vec::new();
    if chunks.only.is_none() && !target.elide {
        for _ in 0..chunks.count {
            pieces.push(attempt!(target.begin()));
        }
    }
    let (mut turn, mut line, mut shown) = (0, Vec::new(), Vec::new());
    loop {
        line.clear();
        if input.read_until(target.separator, &mut line)? == 0 {
            break;
        }
        match chunks.only {
            Some(only) if turn + 1 == only => shown.extend_from_slice(&line),
            Some(_) => {}
            None => {
                if turn as usize >= pieces.len() {
                    pieces.push(attempt!(target.begin()));
                }
                let (name, piece) = &mut pieces[turn as usize];
                let name = name.clone();
                attempt!(target.put(&name, piece, &line));
            }
        }
        turn = (turn + 1) % chunks.count;
    }
    for (name, piece) in pieces {
        attempt!(target.end(&name, piece));
    }
    print(&shown)
}
