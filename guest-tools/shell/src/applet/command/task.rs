//! A command as a task: attempts until its input suffices, then its output.

use std::rc::Rc;

use offshoot_command::call::Call;
use offshoot_command::system::linked;

use super::Linked;
use super::gathered::{Extent, Inputs, inputs, stream};
use super::host::{Ended, RunHost, Spoiled};
use crate::applet::io::{Io, Step, Stop};
use crate::applet::{Context, Task};

/// The command as a task. Whatever the arguments are, it does not decline.
pub(in crate::applet) fn start(io: Io, linked: Linked) -> Option<Task> {
    io.task(async move |io| run(io, linked).await)
}

async fn run(io: &mut Io, linked: Linked) -> Step<u8> {
    let context = io.context();
    let mut inputs = inputs(&context, linked.reads.input(&context.arguments));
    for (number, gathered) in &mut inputs {
        if let Some(stream) = stream(&context, *number) {
            gathered.look(&*stream);
        }
    }
    loop {
        // Where a pipe may have more, what the command does cannot be undone.
        let trial = inputs.values().any(|one| one.extent == Extent::Open);
        let host = Rc::new(RunHost::new(context.clone(), inputs, trial));
        let status = linked::run(host.clone(), linked.run, &call(&context));
        let ended = host.end();
        inputs = match ended.spoiled {
            None => return finish(io, &context, ended, status).await,
            Some(spoiled) => gather(io, ended.inputs, spoiled).await?,
        };
    }
}

fn call(context: &Context) -> Call {
    let mut words = context.arguments.iter();
    let name = words.next().map_or(&b""[..], Vec::as_slice);
    let base = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
    Call {
        name: String::from_utf8_lossy(base).into_owned(),
        arguments: words.cloned().collect(),
    }
}

/// Reads what the next attempt needs.
async fn gather(io: &mut Io, mut inputs: Inputs, spoiled: Spoiled) -> Step<Inputs> {
    for (number, gathered) in &mut inputs {
        gathered.taken = 0;
        match spoiled {
            Spoiled::Input(needed) if needed != *number => {}
            Spoiled::Input(_) => gathered.more(io, *number, false).await?,
            Spoiled::Change => gathered.more(io, *number, true).await?,
        }
    }
    Ok(inputs)
}

async fn finish(io: &mut Io, context: &Context, ended: Ended, status: i32) -> Step<u8> {
    for (number, gathered) in &ended.inputs {
        if let Some(stream) = stream(context, *number) {
            gathered.put_back(&*stream);
        }
    }
    if ended.broken {
        return Err(Stop::BrokenPipe);
    }
    for (number, bytes) in &ended.kept {
        match number {
            1 => io.write(bytes).await?,
            _ => {
                if let Ok(file) = io.inherited(*number) {
                    // It ran to its end already: where this fails there is nobody to tell.
                    let _ = io.write_to(&file, bytes).await;
                }
            }
        }
    }
    Ok(status as u8)
}
