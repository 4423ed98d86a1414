//! `cat`

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::{Input, Io, Step};
use crate::os::{Errno, FileKind};

#[derive(Default)]
struct Options {
    number: bool,
    number_nonblank: bool,
    squeeze: bool,
    ends: bool,
    tabs: bool,
    nonprinting: bool,
}

impl Options {
    fn plain(&self) -> bool {
        !(self.number || self.squeeze || self.ends || self.tabs || self.nonprinting)
    }
}

/// What goes on from one file to the next.
struct State {
    line: u64,
    at_line_start: bool,
    blank_lines: u32,
}

/// `cat [-AbeEnstTuv] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let mut options = Options::default();
    let mut files = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        let letter = match argument {
            Argument::Short(letter) => letter,
            Argument::Long(b"show-all") => b'A',
            Argument::Long(b"number-nonblank") => b'b',
            Argument::Long(b"show-ends") => b'E',
            Argument::Long(b"number") => b'n',
            Argument::Long(b"squeeze-blank") => b's',
            Argument::Long(b"show-tabs") => b'T',
            Argument::Long(b"show-nonprinting") => b'v',
            Argument::Long(_) => return None,
            Argument::Operand(file) => {
                files.push(file.to_vec());
                continue;
            }
        };
        let before = options;
        options = Options {
            number: before.number || matches!(letter, b'n' | b'b'),
            number_nonblank: before.number_nonblank || letter == b'b',
            squeeze: before.squeeze || letter == b's',
            ends: before.ends || matches!(letter, b'A' | b'e' | b'E'),
            tabs: before.tabs || matches!(letter, b'A' | b't' | b'T'),
            nonprinting: before.nonprinting || matches!(letter, b'A' | b'e' | b't' | b'v'),
        };
        if !b"AbeEnstTuv".contains(&letter) {
            return None;
        }
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    io.task(async move |io| run(io, &options, &files).await)
}

async fn run(io: &mut Io, options: &Options, files: &[Vec<u8>]) -> Step<u8> {
    let mut status = 0;
    let mut state = State {
        line: 0,
        at_line_start: true,
        blank_lines: 0,
    };
    for file in files {
        let opened = io.operand(file);
        let done = match &opened {
            Ok(input) if is_output(io, input) => {
                io.flush().await?;
                let mut message = offshoot_posix::quote::shell_where_needed(file);
                message.extend_from_slice(b": input file is output file");
                io.complain(message).await;
                status = 1;
                continue;
            }
            Ok(input) if options.plain() => copy(io, input).await?,
            Ok(input) => show(io, input, options, &mut state).await?,
            Err(error) => Err(*error),
        };
        if let Err(error) = done {
            io.flush().await?;
            io.complain_about(file, error).await;
            status = 1;
        }
    }
    Ok(status)
}

/// Whether reading this to its end would never end, since it is what is written.
fn is_output(io: &Io, input: &Input) -> bool {
    let Ok(Ok(output)) = io.inherited(1).map(|output| output.stat()) else {
        return false;
    };
    if output.kind != FileKind::Regular {
        return false;
    }
    let same = |file: crate::os::Stat| {
        (file.device, file.inode) == (output.device, output.inode)
            && input.offset().is_some_and(|offset| offset < file.size)
    };
    input.stat().is_ok_and(same)
}

async fn copy(io: &mut Io, input: &Input) -> Step<Result<(), Errno>> {
    loop {
        let mut block = std::mem::take(&mut io.out);
        let count = io.read(input, &mut block).await;
        io.out = block;
        match count? {
            Ok(0) => return Ok(Ok(())),
            Ok(_) => io.flush().await?,
            Err(error) => return Ok(Err(error)),
        }
    }
}

async fn show(
    io: &mut Io,
    input: &Input,
    options: &Options,
    state: &mut State,
) -> Step<Result<(), Errno>> {
    let mut block = Vec::new();
    loop {
        block.clear();
        match io.read(input, &mut block).await? {
            Ok(0) => return Ok(Ok(())),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            show_line(&mut io.out, line, options, state);
            io.flush_block().await?;
        }
    }
}

/// Prints a line, or what the block has of it.
fn show_line(out: &mut Vec<u8>, line: &[u8], options: &Options, state: &mut State) {
    let (text, ended) = match line {
        [text @ .., b'\n'] => (text, true),
        text => (text, false),
    };
    if state.at_line_start {
        let blank = text.is_empty();
        state.blank_lines = if blank { state.blank_lines + 1 } else { 0 };
        if options.squeeze && state.blank_lines > 1 {
            return;
        }
        if options.number && !(options.number_nonblank && blank) {
            state.line += 1;
            out.extend_from_slice(format!("{:6}\t", state.line).as_bytes());
        }
    }
    // A carriage return at the end of a line is shown by -E alone too.
    let (text, carriage) = match text {
        [before @ .., b'\r'] if ended && options.ends && !options.nonprinting => (before, true),
        _ => (text, false),
    };
    if options.nonprinting || options.tabs {
        text.iter().for_each(|&byte| show_byte(out, byte, options));
    } else {
        out.extend_from_slice(text);
    }
    if carriage {
        out.extend_from_slice(b"^M");
    }
    if ended {
        if options.ends {
            out.push(b'$');
        }
        out.push(b'\n');
    }
    state.at_line_start = ended;
}

fn show_byte(out: &mut Vec<u8>, byte: u8, options: &Options) {
    match byte {
        b'\t' if options.tabs => out.extend_from_slice(b"^I"),
        b'\t' => out.push(b'\t'),
        _ if !options.nonprinting => out.push(byte),
        0..32 => out.extend_from_slice(&[b'^', byte + 64]),
        32..127 => out.push(byte),
        127 => out.extend_from_slice(b"^?"),
        128..160 => out.extend_from_slice(&[b'M', b'-', b'^', byte - 128 + 64]),
        160..255 => out.extend_from_slice(&[b'M', b'-', byte - 128]),
        255 => out.extend_from_slice(b"M-^?"),
    }
}
