//! `tee`

use crate::applet::Task;
use crate::applet::arguments::{Argument, Arguments};
use crate::applet::io::{Input, Io, Step, Stop};
use crate::os::OpenOptions;

/// `tee [-ai] [FILE…]`
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut arguments = Arguments::new(&context.arguments);
    let (mut append, mut files) = (false, Vec::new());
    while let Some(argument) = arguments.next().ok()? {
        match argument {
            Argument::Short(b'a') | Argument::Long(b"append") => append = true,
            // There is nobody who interrupts.
            Argument::Short(b'i') | Argument::Long(b"ignore-interrupts") => {}
            Argument::Operand(file) => files.push(file.to_vec()),
            _ => return None,
        }
    }
    io.task(async move |io| run(io, append, &files).await)
}

async fn run(io: &mut Io, append: bool, files: &[Vec<u8>]) -> Step<u8> {
    let options = OpenOptions {
        write: true,
        create: true,
        append,
        truncate: !append,
        ..OpenOptions::default()
    };
    let mut status = 0;
    let mut opened: Vec<(&Vec<u8>, Input)> = Vec::new();
    for file in files {
        match io.open_with(file, options) {
            Ok(output) => opened.push((file, output)),
            Err(error) => {
                io.complain_about(file, error).await;
                status = 1;
            }
        }
    }
    let input = match io.inherited(0) {
        Ok(input) => input,
        Err(error) => {
            io.complain_about(b"standard input", error).await;
            return Ok(1);
        }
    };
    let mut block = Vec::new();
    loop {
        block.clear();
        match io.read(&input, &mut block).await? {
            Ok(0) => return Ok(status),
            Ok(_) => {}
            Err(error) => {
                io.complain_about(b"standard input", error).await;
                return Err(Stop::Status(1));
            }
        }
        io.write(&block).await?;
        let mut at = 0;
        while let Some((file, output)) = opened.get(at) {
            match io.write_to(output, &block).await {
                Ok(()) => at += 1,
                Err(error) => {
                    io.complain_about(file, error).await;
                    status = 1;
                    opened.remove(at);
                }
            }
        }
    }
}
