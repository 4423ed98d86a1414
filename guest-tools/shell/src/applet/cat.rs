//! `cat`

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::{Input, Io, Step};
use crate::os::{Errno, FileKind};
use offshoot_posix::display::{Display, Shown};

/// `cat [-AbeEnstTuv] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let mut shown = Shown::default();
    let mut files = Vec::new();
    while let Some(argument) = arguments.next().ok()? {
        let letter = match argument {
            Argument::Short(letter) => letter,
            Argument::Long(name) => {
                let mut known = Shown::OPTIONS.iter();
                known
                    .find(|(_, long)| !name.is_empty() && long.as_bytes() == name)?
                    .0
            }
            Argument::Operand(file) => {
                files.push(file.to_vec());
                continue;
            }
        };
        if !shown.add(letter) {
            return None;
        }
    }
    if files.is_empty() {
        files.push(b"-".to_vec());
    }
    io.task(async move |io| run(io, shown, &files).await)
}

async fn run(io: &mut Io, shown: Shown, files: &[Vec<u8>]) -> Step<u8> {
    let mut status = 0;
    let mut display = Display::new(shown);
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
            Ok(input) if shown.is_plain() => copy(io, input).await?,
            Ok(input) => show(io, input, &mut display).await?,
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

async fn show(io: &mut Io, input: &Input, display: &mut Display) -> Step<Result<(), Errno>> {
    let mut block = Vec::new();
    loop {
        block.clear();
        match io.read(input, &mut block).await? {
            Ok(0) => return Ok(Ok(())),
            Ok(_) => {}
            Err(error) => return Ok(Err(error)),
        }
        for line in block.split_inclusive(|&byte| byte == b'\n') {
            display.line(&mut io.out, line);
            io.flush_block().await?;
        }
    }
}
