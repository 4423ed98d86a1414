//! Builtins: calling them, delivering their output, and what they return.
//!
//! A builtin is native code that must not block. It writes to the task's buffer and returns a `Flow`: a status, or what
//! the machine is to do next (run words, read a text, leave loops, wait). `deliver` hands the buffer to the descriptors
//! afterwards; where a pipe is full the task waits with the `Flow` kept, and goes on from there. A builtin in whose
//! arguments commands would run in the middle is replayed instead (`replay`).

use std::rc::Rc;

use super::replay::Call;
use super::set_status;
use super::{Run, Trouble};
use crate::builtin::{Entry, Flow, Lookup, Wake};
use crate::machine::call::{CallKind, Positional};
use crate::machine::context::{ArrayArgument, Context};
use crate::machine::control::{self, Left, Suppression, is_looked_at};
use crate::machine::descriptor::{Descriptor, Direction};
use crate::machine::frame::{BlockKind, Role};
use crate::machine::message::report;
use crate::machine::option::{SetOption, Shopt};
use crate::machine::reader::{Input, Purpose, Reader};
use crate::machine::symbol::Symbol;
use crate::machine::task::{Task, Waiting};
use crate::machine::trap::{self, Action, Event};
use crate::machine::value::{Attributes, Variable};
use crate::machine::{Limit, Machine};
use crate::os::{Errno, Interest};
use crate::text::Text;

/// How many builtins in a row may run one another on the native stack.
const LONGEST_CHAIN: u32 = 16;
/// The status of a builtin that was called in a wrong way.
const USAGE: u8 = 2;
/// Bytes that are written to a pipe without letting others run first.
const TURN: usize = 4096;

/// Output could not be delivered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(in crate::machine) enum Undelivered {
    /// There is no room yet; the task waits for it.
    Blocked,
    /// Nobody reads it.
    Broken,
    /// It failed; the message was printed.
    Failed,
    /// The budget is used up.
    Exceeded,
}

impl Machine {
    /// Runs a builtin. `named` is set where the word itself named it, and not `command` or `builtin`: then an error of
    /// a special one may end the shell.
    pub(super) fn run_builtin(
        &mut self,
        task: &mut Task,
        entry: &'static Entry,
        name: Text,
        arguments: &[Text],
        arrays: Vec<ArrayArgument>,
        named: bool,
    ) -> Run {
        // `command` takes away that an error ends the shell.
        task.special = entry.special && named;
        if self.builtin_waits(task, entry.name, arguments) {
            let call = Call::Builtin {
                entry: Text::from(entry.name),
                name,
                arguments: arguments.to_vec(),
                arrays,
            };
            return self.replay(task, call);
        }
        match entry.name {
            "exit" | "logout" => {}
            other => task.warned = other == "jobs",
        }
        task.builtin = Some(entry.name);
        let assigned = assigned_before(task, entry);
        let flow = {
            let mut context = Context {
                machine: self,
                task,
                name,
                arrays,
            };
            (entry.run)(&mut context, arguments)
        };
        if !assigned.is_empty() {
            self.keep_assigned(task, entry, arguments, &assigned);
        }
        self.deliver_then(task, flow)
    }

    /// What a builtin assigned to variables that were assigned before it outlasts it: bash changes
    /// both, and `export` and `readonly` make the one before the command the lasting one.
    fn keep_assigned(
        &mut self,
        task: &mut Task,
        entry: &Entry,
        arguments: &[Text],
        before: &[(Symbol, Variable)],
    ) {
        let marks = marks(entry, arguments);
        let declares = ["declare", "local", "typeset"].contains(&entry.name);
        for (symbol, variable) in before {
            let name = self.symbols.name(*symbol);
            let named = |word: &Text| {
                let end = word.iter().position(|&byte| b"=+".contains(&byte));
                word.get(..end.unwrap_or(word.len())) == Some(name.as_bytes())
            };
            let now = task
                .state
                .variables
                .get(*symbol)
                .cloned()
                .unwrap_or_default();
            let Some(call) = task.state.calls.top_mut() else {
                return;
            };
            let kept = call.saved.iter_mut().find(|(saved, _)| saved == symbol);
            let Some((_, kept)) = kept else {
                continue;
            };
            let old = kept.value.size();
            if marks && arguments.iter().any(named) {
                *kept = now;
                kept.attributes = kept.attributes.without(Attributes::TEMPORARY);
            } else if !declares && now.value != variable.value {
                kept.value = now.value;
            }
            let new = kept.value.size();
            task.state.variables.account(old, new);
        }
    }

    /// Delivers what a builtin wrote, then acts on what it returned.
    pub(super) fn deliver_then(&mut self, task: &mut Task, flow: Flow) -> Run {
        if !task.output.is_empty() {
            match self.deliver(task) {
                Ok(()) => {}
                Err(Undelivered::Blocked) => {
                    task.waiting = Some(Waiting::Output(flow));
                    return Err(Trouble::Blocked);
                }
                Err(Undelivered::Broken) => return self.broken_pipe(task),
                Err(Undelivered::Exceeded) => return Err(Trouble::Exceeded(Limit::Output)),
                Err(Undelivered::Failed) => {
                    task.builtin = None;
                    if let Flow::Status(_) = flow {
                        set_status(task, 1);
                        return Ok(());
                    }
                }
            }
        }
        let name = task.builtin.take();
        self.flow(task, flow, name)
    }

    /// Nobody reads what the task writes: SIGPIPE ends it, unless it is trapped.
    fn broken_pipe(&mut self, task: &mut Task) -> Run {
        match task.state.traps.get(Event::Signal(trap::PIPE)) {
            Some(_) => {
                set_status(task, 1);
                Ok(())
            }
            None => {
                task.output.clear();
                task.control.ending.signal = Some(trap::PIPE);
                Err(Trouble::Exit(128 + trap::PIPE))
            }
        }
    }

    /// Delivers output as far as that is possible, in the order in which it was written to the several descriptors.
    ///
    /// A write of more than `TURN` bytes to a pipe lets others run first, once, since the reader may end before it
    /// reads.
    #[inline(never)]
    pub(in crate::machine) fn deliver(&mut self, task: &mut Task) -> Result<(), Undelivered> {
        let mut result = Ok(());
        while let Some((number, bytes)) = task.output.first() {
            let Some(open) = task.state.descriptors.get(number) else {
                task.output.drop_first();
                result = result.and(write_error(task, number, Errno::BadDescriptor));
                continue;
            };
            if bytes.is_empty() {
                task.output.drop_first();
                continue;
            }
            if bytes.len() > TURN && !task.output.yielded && open.is_pipe() {
                // The reader may end before it reads, as it may in bash.
                task.output.yielded = true;
                self.ready.borrow_mut().push(task.id);
                return Err(Undelivered::Blocked);
            }
            let allowed = self.allowed_output(task.execution, bytes.len());
            if allowed == 0 {
                return Err(Undelivered::Exceeded);
            }
            match open.write(&bytes[..allowed]) {
                Ok(count) => {
                    self.count_output(task.execution, count);
                    task.output.advance(count);
                }
                Err(Errno::Again) => {
                    let open = open.clone();
                    self.wait_descriptor(task, &open, Direction::Write);
                    return Err(Undelivered::Blocked);
                }
                Err(Errno::BrokenPipe) => {
                    let ignored = task.state.traps.get(Event::Signal(trap::PIPE));
                    if !matches!(ignored, Some(Action::Ignore)) {
                        return Err(Undelivered::Broken);
                    }
                    task.output.drop_first();
                    result = result.and(write_error(task, number, Errno::BrokenPipe));
                }
                Err(error) => {
                    task.output.drop_first();
                    result = result.and(write_error(task, number, error));
                }
            }
        }
        result
    }

    /// Makes the task wait for a descriptor.
    pub(in crate::machine) fn wait_descriptor(
        &mut self,
        task: &mut Task,
        open: &Descriptor,
        direction: Direction,
    ) {
        task.interests.extend(open.wait(direction, task.id));
    }

    /// Acts on what a builtin returned. `name` is the builtin's, for one that waits.
    fn flow(&mut self, task: &mut Task, flow: Flow, name: Option<&'static str>) -> Run {
        let name = || name.map(Text::from).unwrap_or_default();
        if self.gives_up {
            return Err(Trouble::Discard(1));
        }
        match flow {
            Flow::Status(status) => {
                set_status(task, status);
                if task.state.options.on(SetOption::Noexec) && !task.state.interactive {
                    // `set -n`: what was read together is not run either.
                    while task.frames.len() > 1 {
                        self.pop_frame(task);
                    }
                    return Err(Trouble::Discard(status));
                }
                return self.check_variables(task);
            }
            Flow::TooLarge => {
                report(task, b"input: too large");
                return Err(Trouble::Exceeded(Limit::Expansion));
            }
            Flow::Fatal(status) => {
                set_status(task, status);
                let posix = task.state.options.on(SetOption::Posix) && !task.state.interactive;
                if task.special && posix && !(status == USAGE && is_looked_at(task)) {
                    let thrown = control::thrown(task, status);
                    if task.ends_on_failure() {
                        task.control.ending.left = Left::Variables;
                    }
                    return Err(thrown);
                }
            }
            Flow::Unread => return self.unread(task),
            Flow::Exit(status) => {
                control::keep_for_exit_trap(task);
                return Err(Trouble::Exit(status));
            }
            Flow::Abandon(status) => return Err(Trouble::Discard(status)),
            Flow::Return(status) => return self.return_with(task, status),
            Flow::Break(count) => return self.break_loops(task, count, false),
            Flow::Continue(count) => return self.break_loops(task, count, true),
            Flow::BreakAll => {
                set_status(task, 1);
                if task.ends_on_failure() {
                    // The loops count as left: no command runs any more.
                    Rc::make_mut(&mut task.state.traps).hide(Event::Exit);
                    return Err(control::thrown(task, 1));
                }
                return self.leave_loops(task, task.loop_depth(), false, 1);
            }
            Flow::Eval(text) => {
                return self.eval(task, &text);
            }
            Flow::Source {
                text,
                path,
                arguments,
            } => {
                return self.source_file(task, &text, path, arguments);
            }
            Flow::Run { words, lookup } => return self.dispatch_flow(task, words, &lookup),
            Flow::KeepRedirects => {
                self.keep_redirects(task);
                set_status(task, 0);
            }
            Flow::Foreground(number) => return self.foreground(task, number),
            Flow::Next(pending) => {
                let name = name();
                return self.replay(task, Call::Pending { name, pending });
            }
            Flow::Wait(wakes, pending) => {
                let name = name();
                for wake in wakes {
                    self.wait_for(task, wake);
                }
                task.waiting = Some(Waiting::Builtin { name, pending });
                return Err(Trouble::Blocked);
            }
        }
        Ok(())
    }

    /// Runs words that a builtin names (`command`, `builtin`, `exec`). A chain of these that is too long goes on from
    /// the bottom of the native stack.
    fn dispatch_flow(&mut self, task: &mut Task, words: Vec<Text>, lookup: &Lookup) -> Run {
        if words.is_empty() {
            set_status(task, 0);
            return Ok(());
        }
        if self.chain == LONGEST_CHAIN {
            // `command command …`: goes on from the stack's bottom.
            let lookup = Some(lookup.clone());
            task.waiting = Some(Waiting::Held { words, lookup });
            self.ready.borrow_mut().push(task.id);
            return Err(Trouble::Blocked);
        }
        self.chain += 1;
        let result = self.dispatch(task, words, Vec::new(), Some(lookup));
        self.chain -= 1;
        result
    }

    /// Notes what wakes the task.
    fn wait_for(&mut self, task: &mut Task, wake: Wake) {
        match wake {
            Wake::Descriptor(number, direction) => {
                if let Some(open) = task.state.descriptors.get(number).cloned() {
                    self.wait_descriptor(task, &open, direction);
                }
            }
            Wake::Time(time) => task.interests.push(Interest::Time(time)),
            Wake::Jobs => {}
        }
    }

    /// Begins the text of an `eval`, at the line that runs.
    fn eval(&mut self, task: &mut Task, text: &Text) -> Run {
        task.state.remains.quotes = false;
        let input = Input::Text(self.parser(task, text, task.line.max(1)));
        let reader = Reader::new(input, Purpose::Eval(task.state.last_argument.clone()));
        // `$_` is that of the command before.
        task.state.last_argument = task.before_command.clone();
        self.push_text(task, reader)
    }

    /// Begins an `eval` or a sourced file.
    fn push_text(&mut self, task: &mut Task, mut reader: Reader) -> Run {
        reader.spared = !task.special;
        reader.command = task.command.clone();
        // One that is all of a stage or a job is in no condition.
        let whole = matches!(task.frames.as_slice(), [whole] if whole.code.simple);
        reader.ignores = task.suppressed() && !whole;
        let untrapped = !task.traps_errors();
        if reader.ignores {
            reader.error_trap = match task.state.traps.get(Event::Error) {
                Some(_) => Rc::make_mut(&mut task.state.traps).hide(Event::Error),
                None => None,
            };
        }
        self.push(task, Rc::default(), Role::Reader(Box::new(reader)))?;
        if let Some(frame) = task.frames.last_mut() {
            frame.suppression = Suppression::default();
            frame.untrapped = untrapped;
        }
        Ok(())
    }

    /// `source` of what cannot be read: as a failure of a command, of a special builtin in POSIX mode as the end of the
    /// shell.
    fn unread(&mut self, task: &mut Task) -> Run {
        let before = task.state.status;
        if task.ends_on_failure() {
            let thrown = control::thrown(task, before.max(1));
            task.control.ending.left = Left::Nothing;
            return Err(thrown);
        }
        set_status(task, 1);
        let posix = task.state.options.on(SetOption::Posix) && !task.state.interactive;
        if task.special && posix && !task.is_spared() {
            return Err(control::thrown(task, 1));
        }
        if let Some(Action::Run(text)) = task.state.traps.get(Event::Return)
            && !task.in_trap(Event::Return)
        {
            let text = text.clone();
            self.begin_trap(task, Event::Return, &text)?;
            task.state.status = before;
        }
        Ok(())
    }

    /// Begins a sourced file as a call of its own, with its own parameters where there are any.
    fn source_file(
        &mut self,
        task: &mut Task,
        text: &Text,
        path: Text,
        arguments: Option<Vec<Text>>,
    ) -> Run {
        let line = task.line;
        task.state.remains.quotes = false;
        task.state
            .calls
            .push(CallKind::Source, Text::from("source"), path.clone(), line);
        let extdebug = task.state.options.shopt(Shopt::Extdebug);
        let hidden = hide_traps(task, &[(Event::Debug, SetOption::Functrace)], false);
        let last = std::mem::replace(&mut task.state.last_argument, task.before_command.clone());
        let shown = match &arguments {
            Some(arguments) => extdebug.then(|| Positional::new(arguments.clone())),
            None => Some(Positional::new(vec![path])),
        };
        let before = arguments.map(|arguments| {
            std::mem::replace(&mut task.state.positional, Positional::new(arguments))
        });
        if let Some(call) = task.state.calls.top_mut() {
            call.positional = before;
            call.traps = hidden;
            call.arguments = shown;
            call.last_argument = Some(last);
        }
        let input = Input::Text(self.parser(task, text, 1));
        self.push_text(task, Reader::new(input, Purpose::Source))
    }

    /// `exec` without a command: the redirects of the command under way stay.
    fn keep_redirects(&mut self, task: &mut Task) {
        for block in task.blocks.iter_mut().rev() {
            match &mut block.kind {
                BlockKind::Redirects(saved) => {
                    saved.clear();
                    return;
                }
                BlockKind::Environment { .. } => {}
                BlockKind::Loop(_) => return,
            }
        }
    }
}

/// Builtins for which what is assigned before them is a scope of its own.
const APART: [&str; 8] = [
    ".",
    "eval",
    "fc",
    "mapfile",
    "read",
    "readarray",
    "source",
    "unset",
];

/// The variables that were assigned before a builtin, where what it makes of them may last.
fn assigned_before(task: &Task, entry: &Entry) -> Vec<(Symbol, Variable)> {
    if !task.in_own_environment() || APART.contains(&entry.name) {
        return Vec::new();
    }
    let Some(call) = task.state.calls.iter().next() else {
        return Vec::new();
    };
    let visible = call.saved.iter().map(|&(symbol, _)| {
        let variable = task.state.variables.get(symbol).cloned();
        (symbol, variable.unwrap_or_default())
    });
    visible.collect()
}

/// Whether a builtin marks variables for export or as readonly.
fn marks(entry: &Entry, arguments: &[Text]) -> bool {
    let options = arguments.iter().take_while(|word| word.starts_with(b"-"));
    let mut letters = options.flat_map(|word| word.iter().skip(1).copied());
    match entry.name {
        "export" | "readonly" => !letters.any(|letter| b"nf".contains(&letter)),
        "declare" | "local" | "typeset" => {
            let letters: Vec<u8> = letters.collect();
            letters.iter().any(|letter| b"xr".contains(letter)) && !letters.contains(&b'g')
        }
        _ => false,
    }
}

/// Reports an error of writing, unless it is standard error that cannot be written.
fn write_error(task: &mut Task, number: u32, error: Errno) -> Result<(), Undelivered> {
    if number != 2 {
        let name = task.builtin.unwrap_or("echo");
        report(
            task,
            format!("{name}: write error: {}", error.message()).as_bytes(),
        );
    }
    Err(Undelivered::Failed)
}

/// Takes those traps away that do not hold in a call: each unless its option or `traced` says so.
pub(super) fn hide_traps(
    task: &mut Task,
    events: &[(Event, SetOption)],
    traced: bool,
) -> Vec<(Event, Action)> {
    if task.state.traps.is_empty() {
        return Vec::new();
    }
    let mut hidden = Vec::new();
    for &(event, option) in events {
        let inherited = task.state.options.on(option) || traced && event != Event::Error;
        if !inherited && task.state.traps.get(event).is_some() {
            let action = Rc::make_mut(&mut task.state.traps).hide(event);
            hidden.extend(action.map(|action| (event, action)));
        }
    }
    hidden
}
