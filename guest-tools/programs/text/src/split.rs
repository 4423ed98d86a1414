//! `split`, after GNU coreutils 9.1: a file in pieces.
//!
//! `pieces` cuts, `names` makes the names of the pieces; a piece goes to a file, or with `--filter` to the standard
//! input of a command that finds its name in `$FILE`. All ways but `-n N` and `-n l/N` stream; these two read the
//! input as a whole, since where pieces end depends on its size.
//!
//! The status is 1 for every error; pieces that were written stay.

mod names;
mod pieces;

use std::io::{self, BufReader, Write};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::CHUNK;
use crate::quote;
use crate::size::Unit;
use crate::system::{self, Failure, Stat};
use names::Names;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: split [OPTION]... [FILE [PREFIX]]\nOutput pieces of FILE to PREFIXaa, PREFIXab, ...;\ndefault size is 1000 lines, and default PREFIX is 'x'.\nWith no FILE, or when FILE is -, read standard input.\nCHUNKS is N, K/N, l/N, l/K/N, r/N or r/K/N.\n",
    options: &[
        Opt("a", "suffix-length", Value::Required),
        Opt("", "additional-suffix", Value::Required),
        Opt("b", "bytes", Value::Required),
        Opt("C", "line-bytes", Value::Required),
        Opt("d", "", Value::No),
        Opt("", "numeric-suffixes", Value::Optional),
        Opt("x", "", Value::No),
        Opt("", "hex-suffixes", Value::Optional),
        Opt("e", "elide-empty-files", Value::No),
        Opt("", "filter", Value::Required),
        Opt("l", "lines", Value::Required),
        Opt("n", "number", Value::Required),
        Opt("t", "separator", Value::Required),
        Opt("u", "unbuffered", Value::No),
        Opt("", "verbose", Value::No),
    ],
    permute: true,
    status: 1,
};

/// How the input is cut.
enum Cut {
    /// `-l`: so many lines.
    Lines(u64),
    /// `-b`: so many bytes.
    Bytes(u64),
    /// `-C`: whole lines, at most so many bytes.
    LineBytes(u64),
    /// `-n`: so many pieces of about the same size.
    Chunks(Chunks),
}

/// A number of pieces: `-n N`, `K/N`, `l/N`, `l/K/N`, `r/N` or `r/K/N`.
struct Chunks {
    /// How many there are, at least 1.
    count: u64,
    /// Only this one, counted from 1, to standard output.
    only: Option<u64>,
    by: By,
}

/// Where pieces end.
#[derive(Clone, Copy, PartialEq, Eq)]
enum By {
    /// At any byte.
    Bytes,
    /// At the end of the line that the byte is in (`l/`).
    Lines,
    /// Lines go to the pieces in turn (`r/`).
    Turns,
}

/// Where pieces go.
struct Target<'a> {
    call: &'a Call,
    names: Names,
    /// The command of `--filter`.
    filter: Option<Vec<u8>>,
    /// `-e`: pieces of `-n` that are empty are not made.
    elide: bool,
    /// `--verbose`: each piece is said.
    verbose: bool,
    /// What ends lines (`-t`).
    separator: u8,
    /// What is read, which no piece may replace.
    input: Option<Stat>,
}

/// The exit status; the message was printed.
type Stop = i32;

/// Runs `split`.
pub fn run(call: &Call) -> i32 {
    let call = Call {
        name: call.name.clone(),
        arguments: modern(&call.arguments),
    };
    match options::parse(&call, &SYNTAX).and_then(|parsed| split(&call, &parsed)) {
        Ok(()) => 0,
        Err(status) => status,
    }
}

/// The arguments with `-N` as `-l N`.
fn modern(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let modern = |argument: &Vec<u8>| match argument.as_slice() {
        [b'-', digits @ ..] if !digits.is_empty() && digits.iter().all(u8::is_ascii_digit) => {
            bytes!("-l", digits)
        }
        _ => argument.clone(),
    };
    arguments.iter().map(modern).collect()
}

/// Reads the options and cuts the input.
fn split(call: &Call, parsed: &Parsed) -> Result<(), Stop> {
    if let Some(extra) = parsed.operands.get(2) {
        let message = bytes!("extra operand ", quote::word(extra));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let cut = cut(call, parsed)?;
    let name = parsed.operands.first().map_or(&b"-"[..], Vec::as_slice);
    let mut target = Target {
        call,
        names: Names::new(call, parsed, &cut)?,
        filter: parsed.value("filter").map(<[u8]>::to_vec),
        elide: parsed.has("e"),
        verbose: parsed.has("verbose"),
        separator: separator(call, parsed)?,
        input: None,
    };
    let refuse = |failure: Failure| {
        let message = if name == b"-" {
            bytes!("-: ", failure)
        } else {
            bytes!(
                "cannot open ",
                quote::message(name),
                " for reading: ",
                failure
            )
        };
        call.fail(1, message)
    };
    let input = system::open_input(name).map_err(refuse)?;
    target.input = match name {
        b"-" => system::stat_descriptor(0).ok(),
        name => system::stat(name, true).ok(),
    };
    let mut input = BufReader::with_capacity(CHUNK, input);
    let read = |error: io::Error| refuse(error.into());
    match cut {
        Cut::Lines(count) => pieces::lines(&mut target, &mut input, count).map_err(read)?,
        Cut::Bytes(count) => pieces::bytes(&mut target, &mut input, count).map_err(read)?,
        Cut::LineBytes(count) => {
            pieces::line_bytes(&mut target, &mut input, count).map_err(read)?
        }
        Cut::Chunks(chunks) => pieces::chunks(&mut target, &mut input, &chunks).map_err(read)?,
    }
}

/// How the options ask to cut: 1000 lines without any; more than one way is an error.
fn cut(call: &Call, parsed: &Parsed) -> Result<Cut, Stop> {
    let keys = ["b", "C", "l", "n"];
    let given: Vec<_> = keys.into_iter().filter(|key| parsed.has(key)).collect();
    let [key] = given[..] else {
        if given.is_empty() {
            return Ok(Cut::Lines(1000));
        }
        let message = "cannot split in more than one way";
        return Err(options::usage_error(call, &SYNTAX, message));
    };
    let text = parsed.value(key).unwrap_or_default();
    if key == "n" {
        return chunks(text)
            .map(Cut::Chunks)
            .ok_or_else(|| call.fail(1, bytes!("invalid number of chunks: ", quote::word(text))));
    }
    let what = if key == "l" { "lines" } else { "bytes" };
    let count = size(text).ok_or_else(|| {
        call.fail(
            1,
            bytes!("invalid number of ", what, ": ", quote::word(text)),
        )
    })?;
    Ok(match key {
        "b" => Cut::Bytes(count),
        "C" => Cut::LineBytes(count),
        _ => Cut::Lines(count),
    })
}

/// A number with a unit, as in `10K`; `b` is 512. None for 0.
fn size(text: &[u8]) -> Option<u64> {
    if !text.first()?.is_ascii_digit() {
        return None;
    }
    if let Some(blocks) = text.strip_suffix(b"b") {
        return options::number::<u64>(blocks)?
            .checked_mul(512)
            .filter(|size| *size > 0);
    }
    match Unit::parse(text)? {
        Unit::Blocks(size, _) => Some(size),
        _ => None,
    }
}

/// Reads the value of `-n`.
fn chunks(text: &[u8]) -> Option<Chunks> {
    let (by, rest) = match text {
        [b'l', b'/', rest @ ..] => (By::Lines, rest),
        [b'r', b'/', rest @ ..] => (By::Turns, rest),
        rest => (By::Bytes, rest),
    };
    let (only, count) = match rest.iter().position(|byte| *byte == b'/') {
        Some(at) => (Some(options::number(&rest[..at])?), &rest[at + 1..]),
        None => (None, rest),
    };
    let count = options::number(count).filter(|count| *count > 0)?;
    let fits = only.is_none_or(|only| (1..=count).contains(&only));
    fits.then_some(Chunks { count, only, by })
}

/// What ends lines: a newline, or the byte of `-t`, where `\0` is a zero byte.
fn separator(call: &Call, parsed: &Parsed) -> Result<u8, Stop> {
    match parsed.value("t") {
        None => Ok(b'\n'),
        Some([byte]) => Ok(*byte),
        Some(b"\\0") => Ok(0),
        Some([]) => Err(call.fail(1, "empty record separator")),
        Some(text) => Err(call.fail(1, bytes!("multi-character separator ", quote::word(text)))),
    }
}

/// A piece that is being written.
enum Piece {
    /// A file.
    File(io::BufWriter<crate::system::File>),
    /// The end of a pipe to a command, and the number of its process.
    Filter(system::Handle, u32),
}

impl Target<'_> {
    /// Begins the next piece; gives its name too. A file of the name is written over.
    fn begin(&mut self) -> Result<(Vec<u8>, Piece), Stop> {
        let Some(name) = self.names.next() else {
            return Err(self.call.fail(1, "output file suffixes exhausted"));
        };
        if let Some(filter) = &self.filter {
            let piece = self.begin_filter(filter, &name)?;
            return Ok((name, piece));
        }
        if self.verbose {
            let line = bytes!("creating file ", quote::shell(&name), "\n");
            let _ = crate::stream::stdout().write_all(&line);
        }
        let old = system::stat(&name, true).ok();
        let is_input = |old: &Stat| self.input.as_ref().is_some_and(|input| input.is_same(old));
        if old.is_some_and(|old| is_input(&old)) {
            let message = bytes!(quote::message(&name), " would overwrite input; aborting");
            return Err(self.call.fail(1, message));
        }
        match system::create_file(&name, false) {
            Ok(file) => Ok((name, Piece::File(io::BufWriter::with_capacity(CHUNK, file)))),
            Err(failure) => Err(self.call.fail(1, bytes!(name, ": ", failure))),
        }
    }

    /// Starts the command of a piece.
    fn begin_filter(&self, filter: &[u8], name: &[u8]) -> Result<Piece, Stop> {
        if self.verbose {
            let line = bytes!("executing with FILE=", quote::shell(name), "\n");
            let _ = crate::stream::stdout().write_all(&line);
        }
        let mut environment = system::environment();
        environment.retain(|(key, _)| key != b"FILE");
        environment.push((b"FILE".to_vec(), name.to_vec()));
        let refuse = |failure: Failure| {
            self.call
                .fail(1, bytes!("failed to run command: ", failure))
        };
        let (reader, writer) = system::pipe().map_err(refuse)?;
        let pid = system::spawn(&system::Spawn {
            path: b"/bin/sh",
            arguments: &[b"sh".to_vec(), b"-c".to_vec(), filter.to_vec()],
            environment: &environment,
            directory: None,
            streams: system::Streams {
                input: Some(&reader),
                ..system::Streams::default()
            },
        });
        drop(reader);
        Ok(Piece::Filter(writer, pid.map_err(refuse)?))
    }

    /// Ends a piece. A command is waited for, and must have the status 0.
    fn end(&self, name: &[u8], piece: Piece) -> Result<(), Stop> {
        match piece {
            Piece::File(mut file) => file
                .flush()
                .map_err(|error| self.call.fail(1, bytes!(name, ": ", Failure::from(error)))),
            Piece::Filter(writer, pid) => {
                drop(writer);
                match system::wait(pid).map(system::Exit::status) {
                    Ok(0) => Ok(()),
                    Ok(status) => {
                        let message = bytes!(
                            "with FILE=",
                            name,
                            ", exit ",
                            status.to_string(),
                            " from command"
                        );
                        Err(self.call.fail(1, message))
                    }
                    Err(failure) => Err(self.call.fail(1, bytes!("wait: ", failure))),
                }
            }
        }
    }

    /// Writes to a piece.
    fn put(&self, name: &[u8], piece: &mut Piece, text: &[u8]) -> Result<(), Stop> {
        let written = match piece {
            Piece::File(file) => file.write_all(text),
            // A filter need not read everything.
            Piece::Filter(writer, _) => match writer.write_all(text) {
                Err(error) if error.kind() == io::ErrorKind::BrokenPipe => Ok(()),
                written => written,
            },
        };
        written.map_err(|error| self.call.fail(1, bytes!(name, ": ", Failure::from(error))))
    }
}
