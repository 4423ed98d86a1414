//! `wc`

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::{Input, Io, Step, is_utf8};
use crate::os::{Errno, FileKind};

#[derive(Clone, Copy, Default)]
struct Options {
    lines: bool,
    words: bool,
    characters: bool,
    bytes: bool,
    utf8: bool,
}

#[derive(Clone, Copy, Default)]
struct Counts {
    lines: u64,
    words: u64,
    characters: u64,
    bytes: u64,
}

/// `wc [-clmw] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let mut options = Options {
        utf8: is_utf8(&context),
        ..Options::default()
    };
    let mut files = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(b'c') | Argument::Long(b"bytes") => options.bytes = true,
            Argument::Short(b'l') | Argument::Long(b"lines") => options.lines = true,
            Argument::Short(b'm') | Argument::Long(b"chars") => options.characters = true,
            Argument::Short(b'w') | Argument::Long(b"words") => options.words = true,
            Argument::Operand(file) => files.push(file.to_vec()),
            _ => return None,
        }
    }
    if !(options.lines || options.words || options.characters || options.bytes) {
        (options.lines, options.words, options.bytes) = (true, true, true);
    }
    io.task(async move |io| run(io, &options, &files).await)
}

async fn run(io: &mut Io, options: &Options, files: &[Vec<u8>]) -> Step<u8> {
    let stdin = [b"-".to_vec()];
    let named = !files.is_empty();
    let files = if named { files } else { &stdin };
    let opened: Vec<_> = files.iter().map(|file| io.operand(file)).collect();
    let width = width(options, &opened);
    let mut total = Counts::default();
    let mut status = 0;
    for (file, input) in files.iter().zip(opened) {
        let (counts, error) = match input {
            Ok(input) => count(io, &input, options).await?,
            Err(error) => {
                io.flush().await?;
                io.complain_about(file, error).await;
                status = 1;
                continue;
            }
        };
        if let Some(error) = error {
            io.flush().await?;
            io.complain_about(file, error).await;
            status = 1;
        }
        show(io, options, &counts, width, named.then_some(file));
        total.lines += counts.lines;
        total.words += counts.words;
        total.characters += counts.characters;
        total.bytes += counts.bytes;
    }
    if files.len() > 1 {
        show(io, options, &total, width, Some(b"total"));
    }
    Ok(status)
}

/// The width of the numbers: as wide as the sizes of all files together ask for.
fn width(options: &Options, files: &[Result<Input, Errno>]) -> usize {
    let columns = [
        options.lines,
        options.words,
        options.characters,
        options.bytes,
    ];
    if files.len() == 1 && columns.iter().filter(|column| **column).count() == 1 {
        return 1;
    }
    let mut total = 0;
    let mut least = 1;
    for stat in files.iter().flatten().filter_map(|input| input.stat().ok()) {
        if stat.kind == FileKind::Regular {
            total += stat.size;
        } else {
            least = 7;
        }
    }
    total.to_string().len().max(least)
}

fn show(io: &mut Io, options: &Options, counts: &Counts, width: usize, name: Option<&[u8]>) {
    let columns = [
        (options.lines, counts.lines),
        (options.words, counts.words),
        (options.characters, counts.characters),
        (options.bytes, counts.bytes),
    ];
    let mut first = true;
    for (_, number) in columns.iter().filter(|(wanted, _)| *wanted) {
        if !first {
            io.out.push(b' ');
        }
        first = false;
        io.out
            .extend_from_slice(format!("{number:width$}").as_bytes());
    }
    if let Some(name) = name {
        io.out.push(b' ');
        // A newline in a name would look like two lines.
        let shown = if name.contains(&b'\n') {
            offshoot_posix::quote::shell_where_needed(name)
        } else {
            name.to_vec()
        };
        io.out.extend_from_slice(&shown);
    }
    io.out.push(b'\n');
}

/// Counts to the end, or to an error.
async fn count(io: &mut Io, input: &Input, options: &Options) -> Step<(Counts, Option<Errno>)> {
    let mut counts = Counts::default();
    let mut in_word = false;
    let mut block = Vec::new();
    loop {
        block.clear();
        match io.read(input, &mut block).await? {
            Ok(0) => return Ok((counts, None)),
            Ok(_) => {}
            Err(error) => return Ok((counts, Some(error))),
        }
        counts.bytes += block.len() as u64;
        if options.lines {
            counts.lines += memchr::memchr_iter(b'\n', &block).count() as u64;
        }
        if options.characters {
            let starts = block
                .iter()
                .filter(|&&byte| !options.utf8 || byte & 0xc0 != 0x80);
            counts.characters += starts.count() as u64;
        }
        if options.words {
            for &byte in &block {
                let space = matches!(byte, b' ' | b'\t'..=b'\r');
                // What does not print neither begins nor ends a word.
                let prints = byte > b' ' && byte != 127;
                if space {
                    in_word = false;
                } else if prints && !in_word {
                    in_word = true;
                    counts.words += 1;
                }
            }
        }
    }
}
