//! Running a simple command: function, builtin, applet, program (the manual's Command Search and Execution).
//!
//! The words lie on the stack of the task since the last mark. `dispatch` decides what the first one is: a function
//! (but behind special builtins in POSIX mode), a builtin that is enabled, an applet, a program. A function pushes a
//! frame and returns at once; the rest of the machine's loop runs it. An applet is a future that is polled from here; a
//! program is a child of the system, for which the task waits.

use std::cell::Cell;
use std::rc::Rc;

use super::set_status;
use super::signal::{child_ended, command_ended};
use super::{Run, Trouble};
use crate::applet;
use crate::builtin::{self, Lookup};
use crate::machine::call::{CallKind, Positional};
use crate::machine::code::Code;
use crate::machine::compile;
use crate::machine::context::ArrayArgument;
use crate::machine::control;
use crate::machine::frame::Role;
use crate::machine::function::Function;
use crate::machine::message::report;
use crate::machine::meter::Metered;
use crate::machine::option::{SetOption, Shopt};
use crate::machine::process::is_replaced;
use crate::machine::symbol::known;
use crate::machine::task::{Exec, Task, Waiting};
use crate::machine::trap::Event;
use crate::machine::{Limit, Machine, external, scope};
use crate::text::Text;

/// Nesting beyond which a shell without a budget of depth stops, so that memory and not luck ends an endless recursion.
const DEEPEST: usize = 200_000;

impl Machine {
    /// `set -x`: shows the words since the mark.
    pub(super) fn trace_command(&mut self, task: &mut Task) -> Run {
        if !task.state.options.on(SetOption::Xtrace) {
            return Ok(());
        }
        let start = task.stacks.marks.last().copied().unwrap_or(0);
        let words = task.stacks.words.get(start..).unwrap_or_default().to_vec();
        if words.is_empty() {
            return Ok(());
        }
        let given = task.array_arguments.iter().filter(|(at, _)| *at >= start);
        let arrays: Vec<ArrayArgument> = given.map(|(_, array)| array.clone()).collect();
        self.trace_words(task, &words, &arrays)
    }

    /// Runs the words since the mark, with the compound assignments among them. Without a word it was a line of
    /// assignments.
    pub(super) fn run_command(&mut self, task: &mut Task) -> Run {
        let start = task.stacks.marks.last().copied().unwrap_or(0);
        let words = task.stacks.take_words();
        let mut arrays = Vec::new();
        if task
            .array_arguments
            .last()
            .is_some_and(|(at, _)| *at >= start)
        {
            let first = task
                .array_arguments
                .iter()
                .position(|(at, _)| *at >= start)
                .unwrap_or(0);
            arrays = task
                .array_arguments
                .split_off(first)
                .into_iter()
                .map(|(_, a)| a)
                .collect();
        }
        if words.is_empty() {
            self.assigned(task);
            return Ok(());
        }
        if let Some(last) = words.last() {
            task.before_command = std::mem::replace(&mut task.state.last_argument, last.clone());
        }
        self.dispatch(task, words, arrays, None)
    }

    /// Runs a command, looked up in the usual way or as a builtin such as `command`, `builtin` or `exec` wants it.
    pub(in crate::machine) fn dispatch(
        &mut self,
        task: &mut Task,
        words: Vec<Text>,
        arrays: Vec<ArrayArgument>,
        lookup: Option<&Lookup>,
    ) -> Run {
        let name = words[0].clone();
        let entry = builtin::find(&name)
            .filter(|_| !task.state.disabled.contains(&name) && !self.is_left(task, &name));
        task.reads = false;
        let special_first =
            entry.is_some_and(|entry| entry.special) && task.state.options.on(SetOption::Posix);
        if lookup.is_none()
            && !special_first
            && let Some(symbol) = self.symbols.find(&name)
            && let Some(function) = task.state.functions.get(&symbol)
        {
            let function = function.clone();
            return self.call(task, &function, words);
        }
        if let Some(entry) = entry
            && !matches!(lookup, Some(Lookup::Replace { .. }))
        {
            if entry.special && task.state.options.on(SetOption::Posix) && lookup.is_none() {
                keep_environment(task);
            }
            task.reads = matches!(entry.name, "eval" | "." | "source");
            // What shows variables shows the `$_` of the command before.
            let shows = matches!(
                entry.name,
                "declare" | "export" | "local" | "readonly" | "set" | "typeset"
            );
            if shows {
                std::mem::swap(&mut task.state.last_argument, &mut task.before_command);
            }
            let result = self.run_builtin(task, entry, name, &words[1..], arrays, lookup.is_none());
            if shows {
                std::mem::swap(&mut task.state.last_argument, &mut task.before_command);
            }
            return result;
        }
        if matches!(lookup, Some(Lookup::BuiltinsOnly)) {
            report(
                task,
                &[b"builtin: ", name.as_bytes(), b": not a shell builtin"].concat(),
            );
            set_status(task, 1);
            return Ok(());
        }
        if matches!(lookup, Some(Lookup::Replace { .. })) {
            task.exec = Exec::Begun;
        }
        self.start_external(task, words, lookup)
    }

    /// Starts what is neither function nor builtin, unless the execution is held.
    fn start_external(
        &mut self,
        task: &mut Task,
        words: Vec<Text>,
        lookup: Option<&Lookup>,
    ) -> Run {
        if task.state.options.restricted() && words[0].contains(&b'/') {
            let tail = b": restricted: cannot specify `/' in command names".as_slice();
            report(task, &[words[0].as_bytes(), tail].concat());
            set_status(task, 1);
            return Ok(());
        }
        if self.is_held(task) {
            task.waiting = Some(Waiting::Held {
                words,
                lookup: lookup.cloned(),
            });
            return Err(Trouble::Blocked);
        }
        let result = self.run_external(task, words, lookup);
        if task.exec.is_begun()
            && task.waiting.is_none()
            && !matches!(result, Err(Trouble::Blocked))
        {
            result?;
            return self.replaced(task);
        }
        result
    }

    /// The command of `exec` has ended, and so does the shell.
    pub(super) fn replaced(&mut self, task: &mut Task) -> Run {
        let status = task.state.status;
        let failed = task.exec == Exec::Failed;
        if failed && crate::machine::external::survives_exec(task) {
            task.exec = Exec::None;
            return Ok(());
        }
        if failed {
            control::keep_redirects(task, task.blocks.len());
        }
        task.state.traps = Rc::default();
        task.timers.clear();
        Err(Trouble::Exit(status))
    }

    /// Calls a function: a new scope, its own parameters, the traps that it inherits, and a frame with its code.
    ///
    /// `FUNCNEST` is checked before; exceeding it discards the command, as bash does.
    pub(in crate::machine) fn call(
        &mut self,
        task: &mut Task,
        function: &Rc<Function>,
        words: Vec<Text>,
    ) -> Run {
        let nesting = scope::get(self, task, known::FUNCNEST)
            .and_then(|text| crate::arithmetic::plain_integer(&text));
        if let Some(limit) = nesting.filter(|&limit| limit > 0)
            && task.state.calls.depth() as i64 >= limit
        {
            let tail = format!(": maximum function nesting level exceeded ({limit})");
            report(task, &[function.name.as_bytes(), tail.as_bytes()].concat());
            return Err(Trouble::Discard(1));
        }
        let code = self.function_code(task, function);
        let line = task.line;
        let events = [
            (Event::Debug, SetOption::Functrace),
            (Event::Return, SetOption::Functrace),
            (Event::Error, SetOption::Errtrace),
        ];
        let untrapped = !task.traps_errors();
        let hidden = super::builtin::hide_traps(task, &events, function.traced);
        task.state.calls.push(
            CallKind::Function,
            function.name.clone(),
            function.source.clone(),
            line,
        );
        let option_offset = task.state.option_offset;
        if let Some(call) = task.state.calls.top_mut() {
            call.option_offset = option_offset;
        }
        let mut arguments = words;
        arguments.remove(0);
        let fresh = Positional::new(arguments);
        let shown = task
            .state
            .options
            .shopt(Shopt::Extdebug)
            .then(|| fresh.clone());
        let before = std::mem::replace(&mut task.state.positional, fresh);
        let last = std::mem::replace(&mut task.state.last_argument, task.before_command.clone());
        if let Some(call) = task.state.calls.top_mut() {
            call.positional = Some(before);
            call.traps = hidden;
            call.arguments = shown;
            call.last_argument = Some(last);
        }
        self.push(task, code, Role::Function)?;
        if let Some(frame) = task.frames.last_mut() {
            frame.untrapped = untrapped;
        }
        if task.state.traps.is_empty() {
            return Ok(());
        }
        task.line = function.start();
        self.debug_trap(task)
    }

    /// The compiled body of a function. It is compiled on the first call, and again where the text of its commands is
    /// needed (for traps and `BASH_COMMAND`) and was not kept.
    fn function_code(&mut self, task: &Task, function: &Function) -> Rc<Code> {
        let settings = self.settings(task);
        if let Some(code) = &*function.code.borrow()
            && (code.with_sources || !settings.sources)
        {
            return code.clone();
        }
        let code = compile::body(&mut self.symbols, settings, function);
        *function.code.borrow_mut() = Some(code.clone());
        code
    }

    /// Begins a frame within the budget of depth.
    pub(in crate::machine) fn push(&mut self, task: &mut Task, code: Rc<Code>, role: Role) -> Run {
        let depth = task.depth() as usize;
        let budget = self.budgets(task.execution).depth as usize;
        let limit = if budget == 0 { DEEPEST } else { budget };
        if depth >= limit {
            report(
                task,
                format!("maximum nesting level exceeded ({limit})").as_bytes(),
            );
            return Err(Trouble::Exceeded(Limit::Depth));
        }
        task.push_frame(code, role);
        Ok(())
    }

    /// Runs what is neither function nor builtin. With job control it becomes a job, in a task of its own.
    fn run_external(&mut self, task: &mut Task, words: Vec<Text>, lookup: Option<&Lookup>) -> Run {
        let standard = matches!(lookup, Some(Lookup::StandardPath));
        let name = words[0].clone();
        let found = external::locate(self, task, &name, standard);
        let replaces = matches!(lookup, Some(Lookup::Replace { .. }));
        if super::controls_jobs(task) && !replaces && !matches!(found, external::Located::Nothing) {
            return self.run_job(task, words, lookup);
        }
        match found {
            external::Located::Shell => self.run_shell(task, &words, lookup),
            external::Located::Applet(applet) => {
                let clear = matches!(lookup, Some(Lookup::Replace { clear: true, .. }));
                match self.start_applet(task, applet, &words, clear) {
                    Some(result) => result,
                    None => {
                        let path = external::find(self, task, &name, standard);
                        self.spawn(task, words, path, lookup)
                    }
                }
            }
            external::Located::Path(path) => self.spawn(task, words, Some(path), lookup),
            external::Located::Nothing => self.spawn(task, words, None, lookup),
        }
    }

    /// Starts an applet on the descriptors of the task; `None` where it declines, and its program is to be started
    /// instead. With `clear` it has no environment.
    fn start_applet(
        &mut self,
        task: &mut Task,
        applet: applet::Applet,
        words: &[Text],
        clear: bool,
    ) -> Option<Run> {
        let streams = task
            .state
            .descriptors
            .iter()
            .map(|(number, open)| {
                let stream: Rc<dyn applet::Stream> = Rc::new(Metered {
                    open: open.clone(),
                    meter: self.meter.clone(),
                });
                (number, stream)
            })
            .collect();
        let environment = match clear {
            true => Vec::new(),
            false => scope::environment(self, task),
        };
        let context = Rc::new(applet::Context {
            os: self.os.clone(),
            arguments: words.iter().map(|word| word.to_vec()).collect(),
            environment: environment.into(),
            directory: task.state.directory.to_vec(),
            umask: task.state.umask,
            budgets: self.budgets_left(task.execution),
            spent: Cell::new(0),
            streams,
        });
        let running = applet.start(&context)?;
        drop(context);
        let run = self.poll_applet(task, running);
        if task.waiting.is_some() {
            let own = !is_replaced(task);
            task.seen.applet = own.then(|| self.new_pid());
            self.changed = true;
        }
        Some(run)
    }

    /// Runs an applet as far as it comes, within what is left of the output. It counts the applet's steps against the
    /// budget of the execution.
    pub(super) fn poll_applet(&mut self, task: &mut Task, mut running: applet::Running) -> Run {
        use crate::machine::descriptor::Direction;
        let left = self.allowed_output(task.execution, usize::MAX);
        self.meter.start(left as u64);
        let progress = running.poll();
        let written = usize::try_from(self.meter.written()).unwrap_or(usize::MAX);
        self.count_output(task.execution, written);
        let spent = u32::try_from(running.spent()).unwrap_or(u32::MAX);
        let steps = self.meter.steps().saturating_add(spent);
        self.applet_steps = self.applet_steps.saturating_add(steps);
        if self.meter.exceeded() {
            return Err(Trouble::Exceeded(Limit::Output));
        }
        match progress {
            applet::Progress::Done(outcome) => {
                drop(running);
                self.applet_ended(task, outcome)
            }
            applet::Progress::More => {
                task.waiting = Some(Waiting::Applet(running));
                self.ready.borrow_mut().push(task.id);
                Err(Trouble::Blocked)
            }
            applet::Progress::Waiting(wait) => {
                let (number, direction) = match wait {
                    applet::Wait::Readable(number) => (number, Direction::Read),
                    applet::Wait::Writable(number) => (number, Direction::Write),
                    applet::Wait::System(interest) => {
                        task.interests.push(interest);
                        task.waiting = Some(Waiting::Applet(running));
                        return Err(Trouble::Blocked);
                    }
                };
                if let Some(open) = task.state.descriptors.get(number).cloned() {
                    self.wait_descriptor(task, &open, direction);
                }
                task.waiting = Some(Waiting::Applet(running));
                Err(Trouble::Blocked)
            }
        }
    }

    /// Takes the status of an applet: 141 where nobody read what it wrote.
    fn applet_ended(&mut self, task: &mut Task, outcome: applet::Outcome) -> Run {
        self.changed |= task.seen.applet.take().is_some();
        if !is_replaced(task) {
            child_ended(task);
        }
        match outcome {
            applet::Outcome::Exit(status) => set_status(task, status),
            applet::Outcome::BrokenPipe => set_status(task, 141),
        }
        command_ended(task, task.state.status.checked_sub(128));
        self.reap_coprocesses(task);
        if task.exec.is_begun() {
            return self.replaced(task);
        }
        Ok(())
    }
}

/// Assignments before a special builtin last in posix mode.
fn keep_environment(task: &mut Task) {
    use crate::machine::frame::BlockKind;
    let own = task.frames.last().map_or(0, |frame| frame.heights.blocks);
    let blocks = task.blocks.get(own..).unwrap_or_default();
    let mut kinds = blocks.iter().rev().map(|block| &block.kind);
    // Its redirects may stand within.
    let around = kinds.find(|kind| !matches!(kind, BlockKind::Redirects(..)));
    if matches!(around, Some(BlockKind::Environment { call: true }))
        && let Some(call) = task.state.calls.top_mut()
        && call.kind == CallKind::Environment
    {
        call.keeps = true;
    }
}
