//! Native code in whose expansions commands run: `let 'a[$(cmd)]=1'`, `$PS4`, `${x@P}`, namerefs to
//! `a[$(cmd)]`, `compgen -W '$(cmd)'`.
//!
//! It cannot stand still. So where an expansion in it has commands to run, what it has done so far is
//! dropped and kept as a state; the commands run as code of the task; and then the native code begins
//! once more in the state from which it began. Each expansion that it asks for again has its result,
//! and leaves the state that it left.

use std::rc::Rc;

use super::Run;
use crate::builtin::{self, Flow, Pending};
use crate::machine::Machine;
use crate::machine::code::{Code, Op};
use crate::machine::context::{ArrayArgument, Context, Element, Failed};
use crate::machine::control::Suppression;
use crate::machine::expand::Expansion;
use crate::machine::frame::Role;
use crate::machine::output::Output;
use crate::machine::state::State;
use crate::machine::task::Task;
use crate::text::Text;

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
    /// An instruction of the frame below.
    Instruction {
        /// The instruction.
        op: Op,
    },
    /// A prompt that is about to be shown.
    Prompt {
        /// The variable with its text.
        variable: Text,
    },
}

/// What an expansion is to leave.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Kind {
    /// An operand.
    Text,
    /// The elements of a compound value.
    Elements,
    /// Fields.
    Words,
    /// Nothing: these are commands.
    Commands,
}

/// What an expansion came to.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::machine) enum Answer {
    /// A text.
    Text(Text),
    /// The elements of a compound value.
    Elements(Vec<Element>),
    /// Fields.
    Words(Vec<Text>),
    /// Commands ran.
    Nothing,
}

/// Native code that waits for an expansion.
pub struct Replay {
    pub(in crate::machine) call: Call,
    pub(in crate::machine) before: State,
    /// The expansions that it made, and the state after each.
    pub(in crate::machine) answers: Vec<(Answer, State)>,
    /// What it waits for.
    pub(in crate::machine) kind: Kind,
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
    kind: Kind,
    state: State,
    output: Output,
}

impl Replaying {
    /// Whether the native code is to come to its end quickly: it begins again.
    pub(in crate::machine) fn is_given_up(&self) -> bool {
        self.wanted.is_some()
    }
}

/// Whether the shell runs commands where it expands a text.
pub(in crate::machine) fn substitutes(text: &[u8]) -> bool {
    text.contains(&b'`') || text.windows(2).any(|pair| pair == b"$(")
}

/// What an instruction takes from the stacks of its frame, so that it can be put back.
struct Taken {
    next: usize,
    suppression: Suppression,
    marks: Vec<usize>,
    words: Vec<Text>,
    operands: Vec<Text>,
    expansions: Vec<Expansion>,
    arrays: Vec<Vec<Element>>,
    array_arguments: Vec<(usize, ArrayArgument)>,
    substituted: Option<u8>,
}

impl Taken {
    fn of(task: &Task) -> Option<Taken> {
        let frame = task.frames.last()?;
        let heights = frame.heights;
        Some(Taken {
            next: frame.next,
            suppression: frame.suppression,
            marks: above(&task.stacks.marks, heights.marks),
            words: above(&task.stacks.words, heights.words),
            operands: above(&task.stacks.operands, heights.operands),
            expansions: above(&task.stacks.expansions, heights.expansions),
            arrays: above(&task.stacks.arrays, heights.arrays),
            array_arguments: task.array_arguments.clone(),
            substituted: task.substituted,
        })
    }

    fn put_back(self, task: &mut Task) {
        let Some(frame) = task.frames.last_mut() else {
            return;
        };
        (frame.next, frame.suppression) = (self.next, self.suppression);
        let heights = frame.heights;
        task.truncate(heights);
        task.stacks.marks.extend(self.marks);
        task.stacks.words.extend(self.words);
        task.stacks.operands.extend(self.operands);
        task.stacks.expansions.extend(self.expansions);
        task.stacks.arrays.extend(self.arrays);
        task.array_arguments = self.array_arguments;
        task.substituted = self.substituted;
    }
}

fn above<T: Clone>(stack: &[T], height: usize) -> Vec<T> {
    stack.get(height..).unwrap_or_default().to_vec()
}

impl Machine {
    /// The result of an expansion within native code, where that can wait: none where the expansion
    /// is to be made on the spot.
    pub(in crate::machine) fn replayed(
        &mut self,
        task: &mut Task,
        text: &[u8],
        kind: Kind,
        compile: impl FnOnce(&mut Machine, &mut Task) -> Result<Rc<Code>, Failed>,
    ) -> Option<Result<Answer, Failed>> {
        if kind != Kind::Commands && !substitutes(text) {
            return None;
        }
        let Some(replaying) = task.replaying.as_mut() else {
            crate::machine::message::report(task, b"command substitution: cannot wait here");
            return Some(Err(Failed));
        };
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
            kind,
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
            kind: Kind::Text,
        };
        self.run_replay(task, Box::new(replay))
    }

    fn run_replay(&mut self, task: &mut Task, mut replay: Box<Replay>) -> Run {
        let earlier = std::mem::take(&mut task.output);
        let stacks = match &replay.call {
            Call::Instruction { .. } => Taken::of(task),
            _ => None,
        };
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
                Err(run) => {
                    let _ = self.deliver(task);
                    run
                }
            };
        };
        if let Some(stacks) = stacks {
            stacks.put_back(task);
        }
        (self.gives_up, self.ends) = (false, None);
        task.state = wanted.state;
        task.output = wanted.output;
        task.output.put_before(earlier);
        let _ = self.deliver(task);
        replay.answers = replaying.answers;
        replay.kind = wanted.kind;
        self.push(task, wanted.code, Role::Replay(replay))?;
        if wanted.kind == Kind::Elements {
            task.stacks.arrays.push(Vec::new());
        }
        Ok(())
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
            Call::Instruction { op } => Err(self.instruction(task, op)),
            Call::Prompt { variable } => {
                self.show_prompt(task, &variable);
                Err(Ok(()))
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
        let answer = match replay.kind {
            Kind::Text => Answer::Text(task.stacks.operand()),
            Kind::Elements => Answer::Elements(task.stacks.arrays.pop().unwrap_or_default()),
            Kind::Words => Answer::Words(task.stacks.take_words()),
            Kind::Commands => Answer::Nothing,
        };
        self.pop_frame(task);
        replay.answers.push((answer, task.state.clone()));
        self.run_replay(task, replay)
    }
}
