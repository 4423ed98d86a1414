//! `csplit`, after GNU coreutils 9.1: a file in pieces that lines or patterns end.
//!
//! `arguments` reads what ends pieces, `lines` keeps lines that may still be looked at, `names` names the pieces. The
//! input streams; lines are kept only while an offset backwards may need them.
//!
//! ```text
//! csplit f 10 20            lines 1-9, 10-19, the rest
//! csplit f /x/ '{*}'        a piece up to each line with x
//! csplit f %x%+1            from the line behind the first x on; nothing is kept of what is before
//! ```
//!
//! The size of each piece is printed when it ends. After an error the pieces are removed, unless `-k` is given; the
//! status is 1.

mod arguments;
mod lines;
mod names;

use crate::system::File;
use std::io::{self, BufReader, BufWriter, Read, Write};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::{CHUNK, Output};
use crate::pattern::Pattern;
use crate::quote;
use crate::system::{self, Errno, Failure};
use arguments::{Control, Times, Until};
use lines::Lines;
use names::Names;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: csplit [OPTION]... FILE PATTERN...\nOutput pieces of FILE separated by PATTERN(s) to files 'xx00', 'xx01', ...,\nand output byte counts of each piece to standard output.\nRead standard input if FILE is -\n",
    options: &[
        Opt("b", "suffix-format", Value::Required),
        Opt("f", "prefix", Value::Required),
        Opt("k", "keep-files", Value::No),
        Opt("", "suppress-matched", Value::No),
        Opt("n", "digits", Value::Required),
        Opt("sq", "quiet", Value::No),
        Opt("", "silent", Value::No),
        Opt("z", "elide-empty-files", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The exit status; the message was printed.
type Stop = i32;

/// Runs `csplit`.
pub fn run(call: &Call) -> i32 {
    match options::parse(call, &SYNTAX).and_then(|parsed| split(call, &parsed)) {
        Ok(status) | Err(status) => status,
    }
}

/// Reads the command line and splits; gives the exit status.
fn split(call: &Call, parsed: &Parsed) -> Result<i32, Stop> {
    let names = Names::new(call, parsed)?;
    let [name, patterns @ ..] = &parsed.operands[..] else {
        return Err(options::usage_error(call, &SYNTAX, "missing operand"));
    };
    if patterns.is_empty() {
        let message = bytes!("missing operand after ", quote::word(name));
        return Err(options::usage_error(call, &SYNTAX, message));
    }
    let input = match system::open_input(name) {
        Ok(input) => input,
        Err(Failure(Errno::IsDirectory)) => Box::new(Directory),
        Err(failure) => {
            let name = quote::message(name);
            let message = bytes!("cannot open ", name, " for reading: ", failure);
            return Err(call.fail(1, message));
        }
    };
    let controls = arguments::controls(call, patterns)?;
    let mut splitter = Splitter {
        call,
        lines: Lines::new(BufReader::with_capacity(CHUNK, input)),
        names,
        is_quiet: parsed.has("s") || parsed.has("silent"),
        elides: parsed.has("z"),
        suppresses: parsed.has("suppress-matched"),
        piece: None,
        made: Vec::new(),
        sizes: Output::new(),
    };
    let status = splitter.run(&controls).err().unwrap_or(0);
    if status != 0 {
        splitter.close();
        for name in splitter.made.iter().filter(|_| !parsed.has("k")) {
            // What cannot be removed stays; the failure was told.
            let _ = system::unlink(name);
        }
    }
    Ok(splitter.sizes.finish(&call.name, status, 1))
}

/// A directory can be opened, and not read.
struct Directory;

impl Read for Directory {
    fn read(&mut self, _buffer: &mut [u8]) -> io::Result<usize> {
        Err(io::ErrorKind::IsADirectory.into())
    }
}

/// A piece that is being written.
struct Piece {
    file: BufWriter<File>,
    /// How many bytes were written.
    size: u64,
}

/// The state of one call.
struct Splitter<'a> {
    call: &'a Call,
    lines: Lines<BufReader<Box<dyn Read>>>,
    names: Names,
    /// `-s`: sizes are not printed.
    is_quiet: bool,
    /// `-z`: empty pieces are removed.
    elides: bool,
    /// `--suppress-matched`: the line that ends a piece is left out.
    suppresses: bool,
    /// The piece at hand; none while lines are skipped.
    piece: Option<Piece>,
    /// The names of all pieces, which an error removes.
    made: Vec<Vec<u8>>,
    /// Standard output, which comes after what went wrong.
    sizes: Output,
}

impl Splitter<'_> {
    /// Makes all pieces, and one of the rest.
    fn run(&mut self, controls: &[Control]) -> Result<(), Stop> {
        for control in controls {
            let mut repetition = 0;
            while control.times.allows(repetition) {
                let goes_on = match &control.until {
                    Until::Line(number) => self.until_line(*number, repetition)?,
                    Until::Match {
                        pattern,
                        offset,
                        skips,
                    } => self.until_match(control, pattern, *offset, *skips, repetition)?,
                };
                if !goes_on {
                    return Ok(());
                }
                repetition += 1;
            }
        }
        self.open()?;
        self.rest()?;
        self.close();
        Ok(())
    }

    /// Copies up to a line; with each repetition as many lines again. The result is always true.
    fn until_line(&mut self, number: u64, repetition: u64) -> Result<bool, Stop> {
        let end = number.saturating_mul(repetition + 1);
        self.open()?;
        if self.is_at_end()? {
            if self.suppresses {
                return Err(self.out_of_range(number, repetition));
            }
            // GNU leaves this piece behind.
            self.piece = None;
            self.made.clear();
            return Err(self.call.fail(1, "input disappeared"));
        }
        while self.lines.number() < end {
            match self.take()? {
                Some(line) => self.put(&line)?,
                None => return Err(self.out_of_range(number, repetition)),
            }
        }
        self.close();
        if self.suppresses {
            self.take()?;
        } else if self.is_at_end()? {
            return Err(self.out_of_range(number, repetition));
        }
        Ok(true)
    }

    /// Says that there is no line of this number.
    fn out_of_range(&self, number: u64, repetition: u64) -> Stop {
        let what = quote::word(number.to_string().as_bytes());
        let again = on_repetition(repetition);
        self.call
            .fail(1, bytes!(what, ": line number out of range", again))
    }

    /// Copies, or skips, up to a match and so many lines on; false where the last repetition came to the
    /// end of the input.
    fn until_match(
        &mut self,
        control: &Control,
        pattern: &Pattern,
        offset: i64,
        skips: bool,
        repetition: u64,
    ) -> Result<bool, Stop> {
        if !skips {
            self.open()?;
        }
        loop {
            let is_match = match self.lines.look() {
                Ok(found) => {
                    found.map(|line| pattern.is_match(line.strip_suffix(b"\n").unwrap_or(line)))
                }
                Err(error) => return Err(self.unread(error)),
            };
            let Some(is_match) = is_match else {
                if !skips {
                    self.rest()?;
                    self.close();
                }
                if control.times == Times::Always {
                    return Ok(false);
                }
                let what = quote::word(&control.text);
                let again = on_repetition(repetition);
                let message = bytes!(what, ": match not found", again);
                return Err(self.call.fail(1, message));
            };
            if is_match {
                break;
            }
            // With an offset backwards the lines are kept until the match is known.
            if offset >= 0
                && let Some(line) = self.take()?
                && !skips
            {
                self.put(&line)?;
            }
        }
        let end = self.lines.looked_at().saturating_add_signed(offset);
        if end < self.lines.number() {
            return Err(self.no_line(control));
        }
        while self.lines.number() < end {
            match self.take()? {
                Some(line) if !skips => self.put(&line)?,
                Some(_) => {}
                None => return Err(self.no_line(control)),
            }
        }
        if !skips {
            self.close();
        }
        if offset > 0 {
            self.lines.look_from(end + 1);
        }
        if self.suppresses {
            self.take()?;
        }
        Ok(true)
    }

    /// Says that an offset leads out of the input.
    fn no_line(&self, control: &Control) -> Stop {
        let what = quote::word(&control.text);
        self.call
            .fail(1, bytes!(what, ": line number out of range"))
    }

    /// Takes the next line; none at the end.
    fn take(&mut self) -> Result<Option<Vec<u8>>, Stop> {
        let line = self.lines.take();
        line.map_err(|error| self.unread(error))
    }

    /// Whether no line is left.
    fn is_at_end(&mut self) -> Result<bool, Stop> {
        let ended = self.lines.is_at_end();
        ended.map_err(|error| self.unread(error))
    }

    /// Says that the input cannot be read.
    fn unread(&self, error: io::Error) -> Stop {
        let failure = Failure::from(error);
        self.call.fail(1, bytes!("read error: ", failure))
    }

    /// Copies what is left of the input.
    fn rest(&mut self) -> Result<(), Stop> {
        while let Some(line) = self.take()? {
            self.put(&line)?;
        }
        Ok(())
    }

    /// Begins the next piece.
    fn open(&mut self) -> Result<(), Stop> {
        let name = self.names.name(self.made.len());
        let file = system::create_file(&name, false).map_err(|failure| {
            self.call
                .fail(1, bytes!(quote::before_colon(&name), ": ", failure))
        })?;
        self.made.push(name);
        self.piece = Some(Piece {
            file: BufWriter::with_capacity(CHUNK, file),
            size: 0,
        });
        Ok(())
    }

    /// Writes a line to the piece at hand.
    fn put(&mut self, line: &[u8]) -> Result<(), Stop> {
        let Some(piece) = &mut self.piece else {
            return Ok(());
        };
        piece.size += line.len() as u64;
        piece
            .file
            .write_all(line)
            .map_err(|error| self.unwritten(error))
    }

    /// Says that a piece cannot be written.
    fn unwritten(&self, error: io::Error) -> Stop {
        let name = self.made.last().map_or(&b""[..], Vec::as_slice);
        let failure = Failure::from(error);
        let name = quote::message(name);
        self.call
            .fail(1, bytes!("write error for ", name, ": ", failure))
    }

    /// Ends the piece and says how big it is; an empty one may go, and its name is used again.
    fn close(&mut self) {
        let Some(mut piece) = self.piece.take() else {
            return;
        };
        if let Err(error) = piece.file.flush() {
            self.unwritten(error);
        }
        if piece.size == 0 && self.elides {
            if let Some(name) = self.made.pop() {
                // An empty file that stays does no harm.
                let _ = system::unlink(&name);
            }
        } else if !self.is_quiet {
            self.sizes.line(piece.size.to_string());
        }
    }
}

/// How a message names a repetition.
fn on_repetition(repetition: u64) -> String {
    match repetition {
        0 => String::new(),
        repetition => format!(" on repetition {repetition}"),
    }
}
