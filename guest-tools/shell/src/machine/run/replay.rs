//! Builtins and comparisons in whose expressions commands run: `let 'a[$(cmd)]=1'`.
//!
//! They are native code, which cannot stand still. So where an expansion in them has commands to run,
//! what they have done so far is dropped and kept as a state; the commands run as code of the task;
//! and then the native code begins once more in the state from which it began. Each expansion that
//! it asks for again has its result, and leaves the state that it left.

use std::rc::Rc;

use super::Run;
use crate::builtin::{self, Flow, Pending};
use crate::machine::Machine;
use crate::machine::code::{Code, Op};
use crate::machine::context::{ArrayArgument, Context, Element, Failed};
use crate::machine::frame::Role;
use crate::machine::output::Output;
use crate::machine::state::State;
use crate::machine::task::Task;
use crate::text::Text;

/// Builtins that evaluate expressions and do nothing that could not be done again.
const REPLAYED: [&str; 10] = [
    "[", "declare", "export", "let", "local", "printf", "readonly", "test", "typeset", "unset",
];

/// What is begun again.
#[derive(Debug, Clone)]
pub(in crate::machine) enum Call {
    /// A builtin.
    Builtin {
        /// Its own name.
        entry: Text,
        /// How it was called.
        name: Text,
        /// Its arguments.
        arguments: Vec<Text>,
        /// Those that are compound assignments.
        arrays: Vec<ArrayArgument>,
    },
    /// The rest of a builtin that waited.
    Pending {
        /// How it was called.
        name: Text,
        /// Where it is.
        pending: Pending,
    },
    /// An instruction of `[[ ]]` and its operands.
    Condition {
        /// The instruction.
        op: Op,
        /// Its operands.
        operands: Vec<Text>,
    },
}

/// What an expansion came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::machine) enum Answer {
    /// A text.
    Text(Text),
    /// The elements of a compound value.
    Elements(Vec<Element>),
}

/// Native code that waits for an expansion.
pub struct Replay {
    pub(in crate::machine) call: Call,
    pub(in crate::machine) before: State,
    /// The expansions that it made, and the state after each.
    pub(in crate::machine) answers: Vec<(Answer, State)>,
    /// The expansion that it waits for is one of elements.
    pub(in crate::machine) elements: bool,
}

/// Native code that runs and may have to wait.
#[derive(Default)]
pub struct Replaying {
    answers: Vec<(Answer, State)>,
    /// How many of these it has asked for.
    next: usize,
    wanted: Option<Wanted>,
}

/// What has to run first.
struct Wanted {
    code: Rc<Code>,
    elements: bool,
    state: State,
    output: Output,
}

/// Whether the shell runs commands where it expands a text.
pub(in crate::machine) fn substitutes(text: &[u8]) -> bool {
    text.contains(&b'`') || text.windows(2).any(|pair| pair == b"$(")
}

/// Whether a builtin has to be able to begin again.
pub(super) fn is_replayed(entry: &str, arguments: &[Text]) -> bool {
    arguments.iter().any(|argument| substitutes(argument)) && REPLAYED.contains(&entry)
}

impl Machine {
    /// The result of an expansion within native code, where that can wait: none where the expansion
    /// is to be made on the spot.
    pub(in crate::machine) fn replayed(
        &mut self,
        task: &mut Task,
        text: &[u8],
        elements: bool,
        compile: impl FnOnce(&mut Machine, &mut Task) -> Result<Rc<Code>, Failed>,
    ) -> Option<Result<Answer, Failed>> {
        if task.replaying.is_none() || !substitutes(text) {
            return None;
        }
        let replaying = task.replaying.as_mut()?;
        if replaying.wanted.is_some() {
            return Some(Err(Failed));
        }
        if let Some((answer, state)) = replaying.answers.get(replaying.next) {
            replaying.next += 1;
            let answer = answer.clone();
            task.state = state.clone();
            // What was written before it is on its way.
            task.output.clear();
            return Some(Ok(answer));
        }
        let code = match compile(self, task) {
            Ok(code) => code,
            Err(Failed) => return Some(Err(Failed)),
        };
        let wanted = Wanted {
            code,
            elements,
            state: task.state.clone(),
            output: std::mem::take(&mut task.output),
        };
        if let Some(replaying) = &mut task.replaying {
            replaying.wanted = Some(wanted);
        }
        Some(Err(Failed))
    }

    /// Begins native code that may have to wait.
    pub(in crate::machine) fn replay(&mut self, task: &mut Task, call: Call) -> Run {
        let replay = Replay {
            call,
            before: task.state.clone(),
            answers: Vec::new(),
            elements: false,
        };
        self.run_replay(task, Box::new(replay))
    }

    fn run_replay(&mut self, task: &mut Task, mut replay: Box<Replay>) -> Run {
        let earlier = std::mem::take(&mut task.output);
        task.state = replay.before.clone();
        task.replaying = Some(Box::new(Replaying {
            answers: std::mem::take(&mut replay.answers),
            ..Replaying::default()
        }));
        let ended = self.run_call(task, replay.call.clone());
        let replaying = task.replaying.take().unwrap_or_default();
        let Some(wanted) = replaying.wanted else {
            task.output.put_before(earlier);
            return match ended {
                Ok(flow) => self.deliver_then(task, flow),
                Err(run) => run,
            };
        };
        (self.gives_up, self.ends) = (false, None);
        task.state = wanted.state;
        task.output = wanted.output;
        task.output.put_before(earlier);
        let _ = self.deliver(task);
        replay.answers = replaying.answers;
        replay.elements = wanted.elements;
        if replay.elements {
            task.arrays.push(Vec::new());
        }
        self.push(task, wanted.code, Role::Replay(replay))
    }

    /// The native code: what a builtin returned, or how an instruction went.
    fn run_call(&mut self, task: &mut Task, call: Call) -> Result<Flow, Run> {
        match call {
            Call::Builtin {
                entry,
                name,
                arguments,
                arrays,
            } => {
                let Some(entry) = builtin::find(&entry) else {
                    return Ok(Flow::Status(1));
                };
                task.builtin = Some(entry.name);
                let mut context = Context {
                    machine: self,
                    task,
                    name,
                    arrays,
                };
                Ok((entry.run)(&mut context, &arguments))
            }
            Call::Pending { name, pending } => {
                task.builtin = builtin::find(&name).map(|entry| entry.name);
                let mut context = Context {
                    machine: self,
                    task,
                    name,
                    arrays: Vec::new(),
                };
                Ok(pending.resume(&mut context))
            }
            Call::Condition { op, operands } => {
                task.operands.extend(operands);
                Err(self.test_instruction(task, op))
            }
        }
    }

    /// The expansion that native code waits for is there.
    pub(super) fn end_replay(&mut self, task: &mut Task) -> Run {
        let Some(frame) = task.frames.last_mut() else {
            return Ok(());
        };
        let Role::Replay(mut replay) = std::mem::replace(&mut frame.role, Role::Task) else {
            return Ok(());
        };
        let answer = if replay.elements {
            Answer::Elements(task.arrays.pop().unwrap_or_default())
        } else {
            Answer::Text(task.operand())
        };
        self.pop_frame(task);
        replay.answers.push((answer, task.state.clone()));
        self.run_replay(task, replay)
    }
}
