//! Commands in tasks of their own: pipelines, subshells, substitutions, background jobs, coprocesses.
//!
//! A subshell is a task with a copy of the state, which is cheap since what is large in it is shared until it changes.
//! Pipes between tasks are buffers in memory that become the system's only where a program gets them. The parent waits
//! (`Waiting`) or goes on, and learns of the end by the number of the task.
//!
//! The last command of a subshell or a stage runs in the task itself, without another one (`is_subshell`,
//! `is_replaced`), as bash does without a fork.

use std::rc::Rc;

use super::Machine;
use super::code::{Code, Op, Origin};
use super::context::Failed;
use super::control::Around;
use super::descriptor::Descriptor;
use super::frame::{BlockKind, Frame, Role};
use super::message::report;
use super::option::{SetOption, Shopt};
use super::process::{Seen, is_replaced};
use super::run::{Run, Trouble, controls_jobs};
use super::scheduler::is_subshell;
use super::scope;
use super::state::State;
use super::task::{Task, Waiting};
use crate::builtin::Lookup;
use crate::format::quote;
use crate::os::Pid;
use crate::text::Text;

/// The descriptors of process substitutions and coprocesses begin here and go down, as in bash.
const PROCESS_DESCRIPTOR: u32 = 63;

impl Machine {
    /// The code of a command within the code that runs.
    fn nested_code(task: &Task, index: u32) -> Rc<Code> {
        let frame = task.frames.last();
        frame
            .and_then(|frame| frame.code.codes.get(index as usize))
            .cloned()
            .unwrap_or_default()
    }

    /// The state of a subshell: a copy with a number of its own, one level deeper, and with the traps that subshells
    /// keep.
    fn subshell_state(&mut self, task: &Task) -> State {
        let mut state = task.state.clone();
        state.subshell_level += 1;
        state.pid = self.new_pid();
        state.has_input = task.has_input();
        if !state.traps.is_empty() {
            let functrace = state.options.on(SetOption::Functrace);
            let errtrace = state.options.on(SetOption::Errtrace);
            state.traps = Rc::new(state.traps.for_subshell(functrace, errtrace));
        }
        state
    }

    /// The state of a subshell that is no substitution: it does not have the descriptors of coprocesses.
    fn apart_state(&mut self, task: &Task) -> State {
        let mut state = self.subshell_state(task);
        for number in self.coprocess_descriptors(task) {
            state.descriptors.set(number, None);
        }
        state
    }

    /// The descriptors of the coprocesses that run.
    pub(super) fn coprocess_descriptors(&mut self, task: &Task) -> Vec<u32> {
        let jobs = task.jobs.list().iter();
        let names = jobs.filter_map(|job| job.text.strip_prefix(b"coproc ").map(Text::from));
        let names: Vec<Text> = names.collect();
        let mut numbers = Vec::new();
        for name in names {
            let symbol = self.symbols.intern(&name);
            let value = &task.state.variables.value(symbol);
            let items = scope::items(value);
            let open = items
                .iter()
                .filter_map(|text| crate::arithmetic::plain_integer(text));
            numbers.extend(open.filter_map(|number| u32::try_from(number).ok()));
        }
        numbers
    }

    /// Starts a subshell and returns its number.
    fn start_subshell(&mut self, task: &mut Task, state: State, code: Rc<Code>) -> Run<Pid> {
        self.start_inner(task, state, code, 0)
    }

    /// The same, `levels` deeper for `set -x`.
    fn start_inner(
        &mut self,
        task: &mut Task,
        state: State,
        code: Rc<Code>,
        levels: u32,
    ) -> Run<Pid> {
        let around = match levels {
            0 => Around::subshell(task, &code),
            levels => Around::substitution(task, &code, levels),
        };
        self.start_task(task, state, around, |child| {
            child.push_frame(code, Role::Task)
        })
    }

    /// `( … )`
    pub(super) fn subshell(&mut self, task: &mut Task, index: u32) -> Run {
        let code = Self::nested_code(task, index);
        let begun = |frame: &Frame| frame.code.origin.is_part();
        if task.frames.last().is_some_and(begun) && is_subshell(task) {
            task.frames.clear();
            task.state.has_input = false;
            return self.push(task, code, Role::Task);
        }
        let mut state = self.apart_state(task);
        state.has_input = false;
        let text = code.text.clone();
        let pid = self.start_subshell(task, state, code)?;
        self.wait_for_task(task, pid, text)
    }

    /// Whether the words since the mark, from behind `command` on, name neither a function nor a builtin.
    pub(super) fn is_external(&mut self, task: &Task) -> bool {
        let start = task.stacks.marks.last().copied().unwrap_or(0);
        let words = task.stacks.words.get(start..).unwrap_or_default();
        let mut at = 0;
        while let Some(word) = words.get(at)
            && (*word == "command" || at > 0 && *word == "-p")
        {
            at += 1;
        }
        let Some(name) = words.get(at) else {
            return false;
        };
        if at > 0 && name.starts_with(b"-") {
            return false;
        }
        let symbol = self.symbols.find(name).filter(|_| at == 0);
        let function = symbol.is_some_and(|symbol| task.state.functions.contains_key(&symbol));
        let builtin = crate::builtin::find(name).is_some() && !task.state.disabled.contains(name);
        !function && (!builtin || self.is_left(task, name))
    }

    /// An external command, from its redirects on, in the process that is to run it.
    pub(super) fn external(&mut self, task: &mut Task, index: u32) -> Run {
        let code = Self::nested_code(task, index);
        let words = task.stacks.take_words();
        if let Some(last) = words.last() {
            task.before_command = std::mem::replace(&mut task.state.last_argument, last.clone());
        }
        let suppressed = task.suppressed();
        self.run_apart(task, code, words, suppressed)
    }

    /// Gives a command that is none to the function for those, in the process that was to run it.
    pub(super) fn handle_not_found(&mut self, task: &mut Task, words: Vec<Text>) -> Run {
        let code = Rc::new(Code {
            ops: vec![Op::Run],
            simple: true,
            origin: Origin::External,
            text: quote::command(words.get(1..).unwrap_or_default()),
            ..Code::default()
        });
        // In it `set -e` acts whatever looks at the status of the command.
        self.run_apart(task, code, words, false)
    }

    /// Runs a command that is no part of the shell in a task of its own, which is the job in the
    /// foreground.
    pub(super) fn run_job(
        &mut self,
        task: &mut Task,
        words: Vec<Text>,
        lookup: Option<&Lookup>,
    ) -> Run {
        let text = match task.command.is_empty() {
            true => quote::command(&words),
            false => task.command.clone(),
        };
        let code = Rc::new(Code {
            simple: true,
            origin: Origin::External,
            alone: true,
            text: text.clone(),
            ..Code::default()
        });
        let mut state = self.subshell_state(task);
        state.subshell_level -= 1;
        disown_traps(&mut state);
        let around = Around::job(task);
        let lookup = Some(lookup.cloned().unwrap_or(Lookup::NoFunctions));
        let pid = self.start_task(task, state, around, |child| {
            child.push_frame(code, Role::Task);
            child.waiting = Some(Waiting::Held { words, lookup });
        })?;
        self.wait_for_task(task, pid, text)
    }

    /// Runs code that takes these words in the process of an external command.
    fn run_apart(
        &mut self,
        task: &mut Task,
        code: Rc<Code>,
        words: Vec<Text>,
        suppressed: bool,
    ) -> Run {
        if is_replaced(task) {
            task.control.around.suppressed = suppressed;
            task.frames.clear();
            self.push(task, code, Role::Task)?;
            task.stacks.marks.push(0);
            task.stacks.words = words;
            return Ok(());
        }
        let mut state = self.subshell_state(task);
        // To its redirects this is the shell itself.
        state.subshell_level -= 1;
        if !task.state.traps.lists_others() {
            disown_traps(&mut state);
        }
        let around = Around::external(task, suppressed);
        let text = code.text.clone();
        let pid = self.start_task(task, state, around, |child| {
            child.push_frame(code, Role::Task);
            child.stacks.marks.push(0);
            child.stacks.words = words;
        })?;
        self.wait_for_task(task, pid, text)
    }

    /// `a | b`: a task for each stage, with pipes between them. With `lastpipe` and without job control the last stage
    /// runs in the shell itself.
    pub(super) fn pipeline(&mut self, task: &mut Task, index: u32) -> Run {
        let Some(code) = task.frames.last().map(|frame| frame.code.clone()) else {
            return Ok(());
        };
        let stages = &code.pipelines[index as usize].stages;
        let last_here =
            task.state.options.shopt(Shopt::Lastpipe) && !task.state.options.on(SetOption::Monitor);
        let count = stages.len() - usize::from(last_here);
        let mut input: Option<Rc<Descriptor>> = None;
        let mut pids = Vec::with_capacity(stages.len());
        for (number, stage) in stages.iter().take(count).enumerate() {
            let mut state = self.apart_state(task);
            if let Some(input) = input.take() {
                state.descriptors.set(0, Some(input));
                state.has_input = true;
            }
            if number + 1 < stages.len() {
                let (reader, writer) = Descriptor::pipe(&self.os, &self.ready, false);
                state.descriptors.set(1, Some(writer));
                input = Some(reader);
            }
            let pid = self.start_subshell(task, state, stage.clone())?;
            self.show_jobs(task, pid);
            pids.push(pid);
        }
        if last_here && let Some(last) = stages.last() {
            task.push_block(BlockKind::Redirects(Vec::new()));
            if let Some(block) = task.blocks.last_mut() {
                block.input = Some(true);
            }
            self.replace(task, 0, input);
            let stages = pids.into_iter().map(|pid| (pid, None)).collect();
            return self.push(task, last.clone(), Role::LastStage(stages));
        }
        let statuses = vec![None; pids.len()];
        // Only a job has a name; nobody hears of the end of one stage.
        let text = controls_jobs(task).then(|| {
            let texts: Vec<&[u8]> = stages.iter().map(|stage| stage.text.as_bytes()).collect();
            Text::from(texts.join(b" | ".as_slice()))
        });
        self.wait_for_tasks(task, pids, statuses, text)
    }

    /// Lets the task that was just started list the jobs of the one that started it.
    fn show_jobs(&mut self, task: &Task, pid: Pid) {
        if task.jobs.list().is_empty() {
            return;
        }
        if let Some(child) = self.find_task(task.execution, pid)
            && let Some(child) = self.task_mut(child)
        {
            child.jobs = task.jobs.shown();
        }
    }

    /// `a &`: a task that is not waited for, with `/dev/null` as its input where nothing else is said and job control
    /// is off.
    pub(super) fn background(&mut self, task: &mut Task, index: u32, text: u32) -> Run {
        let mut state = self.apart_state(task);
        let code = Self::nested_code(task, index);
        let text = task
            .frames
            .last()
            .and_then(|frame| frame.code.texts.get(text as usize))
            .cloned();
        let controls = controls_jobs(task);
        // What the user types is for the shell and the job in the foreground.
        let typed = controls && is_terminal(task);
        if (typed || !task.state.options.on(SetOption::Monitor))
            && !task.has_input()
            && let Some(null) = self.open_null()
        {
            state.descriptors.set(0, Some(null));
        }
        if !task.state.options.on(SetOption::Monitor) {
            state.ignored = state.ignored.for_background();
        }
        let around = Around::background(task, &code);
        let pid = self.start_task(task, state, around, |child| {
            child.push_frame(code, Role::Task);
        })?;
        let number = task.jobs.add(&[pid], text.unwrap_or_default());
        if controls {
            task.output
                .push(2, format!("[{number}] {pid}\n").as_bytes());
        }
        task.state.background = Some(pid);
        super::run::set_status(task, 0);
        Ok(())
    }

    /// Opens `/dev/null` for reading; `None` where there is none.
    fn open_null(&self) -> Option<Rc<Descriptor>> {
        let options = crate::os::OpenOptions {
            read: true,
            ..Default::default()
        };
        let handle = self.os.open(b"/dev/null", options, 0).ok()?;
        Some(Descriptor::owned(&self.os, handle))
    }

    /// `$( … )`: a task whose output is read to its end. `set -e` does not hold in it, unless `inherit_errexit` or
    /// POSIX mode say so.
    pub(super) fn substitute(
        &mut self,
        task: &mut Task,
        index: u32,
        quoted: bool,
        unsplit: Option<bool>,
    ) -> Run {
        let (reader, writer) = Descriptor::pipe(&self.os, &self.ready, true);
        let mut state = self.subshell_state(task);
        state.unsplit = unsplit.unwrap_or(state.unsplit);
        state.descriptors.set(1, Some(writer));
        let keeps =
            state.options.shopt(Shopt::InheritErrexit) || state.options.on(SetOption::Posix);
        if !keeps {
            state.options.set(SetOption::Errexit, false);
        }
        let code = Self::nested_code(task, index);
        let pid = self.start_inner(task, state, code, 1)?;
        self.show_jobs(task, pid);
        let _ = reader.wait(super::descriptor::Direction::Read, task.id);
        task.waiting = Some(Waiting::Substitution {
            pid,
            status: None,
            reader,
            output: Vec::new(),
            quoted,
        });
        Err(Trouble::Blocked)
    }

    /// `<( … )` and `>( … )`: a task on a pipe, and the path `/dev/fd/N` of its other end as the word. The descriptor
    /// is closed with the command that it is a word of.
    pub(super) fn process(&mut self, task: &mut Task, index: u32, output: bool) -> Run {
        let (reader, writer) = Descriptor::pipe(&self.os, &self.ready, false);
        let mut state = self.subshell_state(task);
        let (ours, theirs, number) = if output {
            (writer, reader, 0)
        } else {
            (reader, writer, 1)
        };
        state.descriptors.set(number, Some(theirs));
        disown_traps(&mut state);
        let code = Self::nested_code(task, index);
        let pid = self.start_inner(task, state, code, 1)?;
        task.state.background = Some(pid);
        task.jobs.substituted(pid);
        let mut number = PROCESS_DESCRIPTOR;
        while task.state.descriptors.get(number).is_some() && number > 10 {
            number -= 1;
        }
        task.state.descriptors.set(number, Some(ours));
        task.process_descriptors.push((task.frames.len(), number));
        let path = format!("/dev/fd/{number}");
        if let Some(expansion) = task.stacks.expansions.last_mut() {
            expansion.quoted(path.as_bytes());
        }
        Ok(())
    }

    /// Closes the pipes of process substitutions whose command has ended.
    pub(super) fn close_processes(&mut self, task: &mut Task) {
        let depth = task.frames.len();
        while let Some(&(frames, number)) = task.process_descriptors.last() {
            if frames < depth {
                break;
            }
            task.process_descriptors.pop();
            task.state.descriptors.set(number, None);
        }
    }

    /// `coproc`: a task in the background with two pipes, whose ends are in the array `NAME`, and its number in
    /// `NAME_PID`.
    pub(super) fn coprocess(&mut self, task: &mut Task, index: u32, name: u32) -> Run {
        let name = task
            .frames
            .last()
            .and_then(|frame| frame.code.texts.get(name as usize))
            .cloned();
        let name = name.unwrap_or_default();
        let (from, output) = Descriptor::pipe(&self.os, &self.ready, false);
        let (input, to) = Descriptor::pipe(&self.os, &self.ready, false);
        let mut state = self.apart_state(task);
        state.descriptors.set(0, Some(input));
        state.descriptors.set(1, Some(output));
        if !task.state.options.on(SetOption::Monitor) {
            state.ignored = state.ignored.for_background();
        }
        let code = Self::nested_code(task, index);
        let pid = self.start_subshell(task, state, code)?;
        let mut number = PROCESS_DESCRIPTOR;
        let mut numbers = Vec::new();
        for open in [from, to] {
            while task.state.descriptors.get(number).is_some() && number > 10 {
                number -= 1;
            }
            task.state.descriptors.set(number, Some(open));
            numbers.push(Text::from(i64::from(number)));
        }
        task.jobs
            .add(&[pid], Text::from([b"coproc ", name.as_bytes()].concat()));
        task.state.background = Some(pid);
        let symbol = self.symbols.intern(&name);
        scope::set_array(self, task, symbol, numbers).map_err(|Failed| Trouble::Discard(1))?;
        let variable = self.symbols.intern(&[name.as_bytes(), b"_PID"].concat());
        scope::set(self, task, variable, Text::from(i64::from(pid)), false)
            .map_err(|Failed| Trouble::Discard(1))?;
        super::run::set_status(task, 0);
        Ok(())
    }

    /// Closes the pipes of coprocesses that have ended, and unsets what names them.
    pub(crate) fn reap_coprocesses(&mut self, task: &mut Task) {
        let ended = task.jobs.list().iter().filter(|job| job.status().is_some());
        let names = ended.filter_map(|job| {
            let name = job.text.strip_prefix(b"coproc ")?;
            Some((job.pid(), Text::from(name)))
        });
        for (pid, name) in names.collect::<Vec<_>>() {
            let number = self.symbols.intern(&[name.as_bytes(), b"_PID"].concat());
            if scope::get(self, task, number) != Some(Text::from(i64::from(pid))) {
                continue;
            }
            let symbol = self.symbols.intern(&name);
            for open in scope::items(&scope::value(self, task, symbol)) {
                let open = crate::arithmetic::plain_integer(&open).map(u32::try_from);
                if let Some(Ok(open)) = open {
                    task.state.descriptors.set(open, None);
                }
            }
            for variable in [symbol, number] {
                // One that is readonly stays.
                let _ = scope::unset(self, task, variable);
            }
        }
    }

    /// Starts a task as a child of `task`.
    #[inline(never)]
    pub(super) fn start_task(
        &mut self,
        task: &mut Task,
        state: State,
        around: Around,
        prepare: impl FnOnce(&mut Task),
    ) -> Run<Pid> {
        let budget = self.budgets(task.execution).depth as usize;
        if budget != 0 && around.depth as usize >= budget {
            report(
                task,
                format!("maximum nesting level exceeded ({budget})").as_bytes(),
            );
            return Err(Trouble::Exceeded(super::Limit::Depth));
        }
        if !task.output.is_empty() {
            // What was said before comes first; what there is no room for is delivered later.
            let _ = self.deliver(task);
        }
        let parent = task.id;
        let pid = state.pid;
        let line = task.line;
        let command = task.command.clone();
        let seen = Seen {
            parent: task.pid,
            arguments: task.seen.arguments.clone(),
            applet: None,
        };
        self.insert_task(Some(parent), task.execution, state, |child| {
            child.seen = seen;
            child.control.around = around;
            child.line = line;
            child.checked_line = line;
            prepare(child);
            child.command = command;
        });
        Ok(pid)
    }
}

/// Whether standard input is a terminal.
fn is_terminal(task: &Task) -> bool {
    let input = task.state.descriptors.get(0);
    input.is_some_and(|input| input.is_terminal())
}

/// Unlike other subshells this one does not list the traps of its parent.
fn disown_traps(state: &mut State) {
    if !state.traps.is_empty() {
        let own = Rc::unwrap_or_clone(std::mem::take(&mut state.traps)).own();
        state.traps = Rc::new(own);
    }
}
