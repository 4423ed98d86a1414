//! Tasks as bytes: their frames, blocks and stacks, and what they wait for.
//!
//! Each `record!` and `variants!` is the format of a type: fields in this order, variants by these numbers. Both are
//! part of images that are stored, so a number is never given to another variant and an order is never changed without
//! a new version. Destructuring names every field, so a field that is added to a type does not compile until it is
//! here.
//!
//! Not written: the number of a task (its place among those that are saved stands for it), its execution, and what can
//! be found out anew, such as the descriptors that it waits for.

use crate::applet::Running;
use crate::builtin::{self, Flow, Lookup, Pending, Wake};
use crate::codec::{Codec, Corrupt, Image, Moment, Read, Reader, Writer, record, variants};
use crate::machine::context::{ArrayArgument, Element, Key};
use crate::machine::control::{Control, Ending, Left};
use crate::machine::descriptor::Direction;
use crate::machine::frame::{Block, BlockKind, Evaluation, Frame, Heights, Loop, Role, TrapSaved};
use crate::machine::reader::{self, Input, Purpose};
use crate::machine::run::replay::{Answer, Call, Kind, Replay};
use crate::machine::stacks::Stacks;
use crate::machine::task::{Exec, Prompt, Task, TaskId, Waiting};

record!(Frame {
    code,
    next,
    role,
    heights,
    suppression,
    line,
    returned,
    untrapped,
    passes
});
variants!(Role {
    0 Task,
    1 Function,
    2 Reader(reader),
    3 Nested,
    4 LastStage(pids),
    5 Subscript(evaluation),
    6 Replay(replay),
});
record!(Control { around, ending });
record!(Ending {
    status,
    signal,
    left
});
variants!(Left { 0 Nothing, 1 Variables, 2 Calls });
record!(Stacks {
    marks,
    words,
    operands,
    expansions,
    arrays
});
variants!(Exec { 0 None, 1 Begun, 2 Failed });
variants!(Prompt { 0 Due, 1 Running(status), 2 Shown, 3 Answered });
record!(Evaluation { paused, usage });
record!(Replay {
    call,
    before,
    answers,
    kind
});
variants!(Call {
    0 Builtin { entry, name, arguments, arrays },
    1 Pending { name, pending },
    2 Instruction { op },
    3 Prompt { variable },
});
variants!(Kind { 0 Text, 1 Elements, 2 Words, 3 Commands });
variants!(Answer { 0 Text(text), 1 Elements(elements), 2 Words(words), 3 Nothing });
record!(TrapSaved {
    event,
    status,
    pipe_status,
    wait,
    remains,
    reads
});
record!(Heights {
    blocks,
    marks,
    words,
    operands,
    expansions,
    arrays,
    timers
});
record!(Block {
    kind,
    heights,
    suppression,
    input
});
variants!(BlockKind { 0 Loop(inner), 1 Redirects(saved), 2 Environment { call } });
record!(Loop {
    start,
    exit,
    status,
    words,
    symbol
});
record!(reader::Reader {
    input,
    purpose,
    given_up,
    unchecked,
    spared,
    ignores,
    error_trap,
    command
});
variants!(Input { 0 Text(parser), 1 Descriptor { from, pending, line, ended } });
variants!(Purpose { 0 Main, 1 Eval(builtin), 2 Source, 3 Trap(saved) });
variants!(Key { 0 Next, 1 At(subscript), 2 Refused });
record!(Element { key, append, value });
record!(ArrayArgument {
    index,
    append,
    elements
});
variants!(Flow {
    0 Status(status),
    1 Fatal(status),
    2 Exit(status),
    3 Return(status),
    4 Break(count),
    5 Continue(count),
    6 Eval(text),
    7 Source { text, path, arguments },
    8 Run { words, lookup },
    9 KeepRedirects,
    10 Wait(wakes, pending),
    11 BreakAll,
    12 TooLarge,
    13 Abandon(status),
    14 Next(pending),
    15 Unread,
    16 Foreground(number),
});
variants!(Lookup {
    0 NoFunctions,
    1 StandardPath,
    2 BuiltinsOnly,
    3 Replace { name, clear },
});
variants!(Pending {
    0 Mapfile(mapping),
    1 Read(reading),
    2 Wait(waiting),
    3 Source(sourcing),
    4 Store(storing),
});
variants!(Direction { 0 Read, 1 Write });

impl Codec<Image> for Wake {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Wake::Descriptor(number, direction) => {
                writer.byte(0);
                number.encode(writer);
                direction.encode(writer);
            }
            Wake::Time(time) => {
                writer.byte(1);
                Moment(*time).encode(writer);
            }
            Wake::Jobs => writer.byte(2),
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Wake> {
        Ok(match reader.byte()? {
            0 => Wake::Descriptor(Codec::decode(reader)?, Codec::decode(reader)?),
            1 => Wake::Time(Moment::decode(reader)?.0),
            2 => Wake::Jobs,
            _ => return Err(Corrupt),
        })
    }
}

/// The mark of what cannot be written, a program or an applet in flight: [`super::in_flight`] finds these before, so
/// none is ever read.
const NOTHING: u8 = u8::MAX;

impl Codec<Image> for Waiting {
    fn encode(&self, writer: &mut Writer) {
        match self {
            Waiting::Tasks {
                pids,
                statuses,
                text,
            } => {
                writer.byte(0);
                pids.encode(writer);
                statuses.encode(writer);
                text.encode(writer);
            }
            Waiting::Substitution {
                pid,
                status,
                reader,
                output,
                quoted,
            } => {
                writer.byte(1);
                pid.encode(writer);
                status.encode(writer);
                reader.encode(writer);
                output.encode(writer);
                quoted.encode(writer);
            }
            Waiting::Output(flow) => {
                writer.byte(2);
                flow.encode(writer);
            }
            Waiting::Builtin { name, pending } => {
                writer.byte(3);
                name.encode(writer);
                pending.encode(writer);
            }
            Waiting::Copy(left) => {
                writer.byte(4);
                left.encode(writer);
            }
            Waiting::Input => writer.byte(5),
            Waiting::Select(line) => {
                writer.byte(6);
                line.encode(writer);
            }
            Waiting::LastWords => writer.byte(7),
            Waiting::Applet(running) => match running.until() {
                Some(until) => {
                    writer.byte(8);
                    Moment(until).encode(writer);
                }
                None => writer.byte(NOTHING),
            },
            Waiting::Held { words, lookup } => {
                writer.byte(9);
                words.encode(writer);
                lookup.encode(writer);
            }
            Waiting::Opening(open) => {
                writer.byte(10);
                open.encode(writer);
            }
            Waiting::Child { .. } => writer.byte(NOTHING),
        }
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Waiting> {
        Ok(match reader.byte()? {
            0 => Waiting::Tasks {
                pids: Codec::decode(reader)?,
                statuses: Codec::decode(reader)?,
                text: Codec::decode(reader)?,
            },
            1 => Waiting::Substitution {
                pid: Codec::decode(reader)?,
                status: Codec::decode(reader)?,
                reader: Codec::decode(reader)?,
                output: Codec::decode(reader)?,
                quoted: Codec::decode(reader)?,
            },
            2 => Waiting::Output(Codec::decode(reader)?),
            3 => Waiting::Builtin {
                name: Codec::decode(reader)?,
                pending: Codec::decode(reader)?,
            },
            4 => Waiting::Copy(Codec::decode(reader)?),
            5 => Waiting::Input,
            6 => Waiting::Select(Codec::decode(reader)?),
            7 => Waiting::LastWords,
            8 => Waiting::Applet(Running::sleeping(
                reader.context.os.clone(),
                Moment::decode(reader)?.0,
            )),
            9 => Waiting::Held {
                words: Codec::decode(reader)?,
                lookup: Codec::decode(reader)?,
            },
            10 => Waiting::Opening(Codec::decode(reader)?),
            _ => return Err(Corrupt),
        })
    }
}

/// A task by its number among those that are saved with it.
impl Codec<Image> for TaskId {
    fn encode(&self, writer: &mut Writer) {
        let number = writer
            .context
            .tasks
            .iter()
            .position(|&place| place == self.0);
        number.encode(writer);
    }

    /// One that is not among them has ended; nobody asks for it, but its number is another's now.
    fn decode(reader: &mut Reader<'_>) -> Read<TaskId> {
        let number = Option::<usize>::decode(reader)?.unwrap_or(0);
        let place = reader.context.tasks.get(number).ok_or(Corrupt)?;
        Ok(TaskId(*place))
    }
}

/// Writes a task. Its place among the saved ones is known to the reader.
pub(super) fn encode(task: &Task, writer: &mut Writer) {
    let Task {
        id: _,
        pid,
        parent,
        execution: _,
        state,
        frames,
        blocks,
        stacks,
        array_arguments,
        line,
        output,
        jobs,
        waiting,
        // Whoever waits asks again.
        interests: _,
        paused,
        signals,
        interrupted,
        substituted,
        zero,
        command,
        control,
        commands_read,
        exec,
        special,
        reads,
        builtin,
        checked_line,
        process_descriptors,
        timers,
        before_command,
        prompt,
        refused,
        // Whoever goes on with it has not been told.
        warned: _,
        // A copy is seen as part of the shell that goes on with it.
        seen: _,
        // Nothing stands still within native code.
        replaying: _,
    } = task;
    pid.encode(writer);
    parent.encode(writer);
    state.encode(writer);
    frames.encode(writer);
    blocks.encode(writer);
    stacks.encode(writer);
    array_arguments.encode(writer);
    line.encode(writer);
    output.encode(writer);
    jobs.encode(writer);
    waiting.encode(writer);
    paused.encode(writer);
    signals.encode(writer);
    interrupted.encode(writer);
    substituted.encode(writer);
    zero.encode(writer);
    command.encode(writer);
    control.encode(writer);
    commands_read.encode(writer);
    exec.encode(writer);
    special.encode(writer);
    reads.encode(writer);
    builtin.map(|name| name.as_bytes().to_vec()).encode(writer);
    checked_line.encode(writer);
    process_descriptors.encode(writer);
    writer.number(timers.len() as u64);
    for (began, portable) in timers {
        Moment(*began).encode(writer);
        portable.encode(writer);
    }
    before_command.encode(writer);
    prompt.encode(writer);
    refused.encode(writer);
}

/// Reads a task to its place. `Corrupt` where the bytes are none, or name a builtin that this version has not.
pub(super) fn decode(id: TaskId, execution: usize, reader: &mut Reader<'_>) -> Read<Task> {
    let pid = Codec::decode(reader)?;
    let parent = Codec::decode(reader)?;
    let mut task = Task::new(id, parent, execution, Codec::decode(reader)?);
    task.pid = pid;
    for call in task.state.calls.iter() {
        let sizes = call.saved.iter().map(|(_, variable)| variable.value.size());
        task.state.variables.account(0, sizes.sum());
    }
    task.frames = Codec::decode(reader)?;
    task.blocks = Codec::decode(reader)?;
    task.stacks = Codec::decode(reader)?;
    task.array_arguments = Codec::decode(reader)?;
    task.line = Codec::decode(reader)?;
    task.output = Codec::decode(reader)?;
    task.jobs = Codec::decode(reader)?;
    task.waiting = Codec::decode(reader)?;
    task.paused = Codec::decode(reader)?;
    task.signals = Codec::decode(reader)?;
    task.interrupted = Codec::decode(reader)?;
    task.substituted = Codec::decode(reader)?;
    task.zero = Codec::decode(reader)?;
    task.command = Codec::decode(reader)?;
    task.control = Codec::decode(reader)?;
    task.commands_read = Codec::decode(reader)?;
    task.exec = Codec::decode(reader)?;
    task.special = Codec::decode(reader)?;
    task.reads = Codec::decode(reader)?;
    task.builtin = match Option::<Vec<u8>>::decode(reader)? {
        Some(name) => Some(builtin::find(&name).ok_or(Corrupt)?.name),
        None => None,
    };
    task.checked_line = Codec::decode(reader)?;
    task.process_descriptors = Codec::decode(reader)?;
    for _ in 0..reader.count()? {
        let began = Moment::decode(reader)?.0;
        task.timers.push((began, bool::decode(reader)?));
    }
    task.before_command = Codec::decode(reader)?;
    task.prompt = Codec::decode(reader)?;
    task.refused = Codec::decode(reader)?;
    Ok(task)
}
