//! Signals that arrive at a task.

use std::rc::Rc;

use super::{Progress, Run, Trouble};
use crate::builtin::Pending;
use crate::machine::Machine;
use crate::machine::control::Left;
use crate::machine::frame::{Frame, Role};
use crate::machine::option::SetOption;
use crate::machine::reader::{Input, Purpose};
use crate::machine::task::{Prompt, Task, TaskId, Waiting};
use crate::machine::trap::{self, Action, Event};
use crate::os::{Errno, Pid};

/// Signals that end nothing unless they are trapped: CHLD, CONT, URG, WINCH.
const HARMLESS: &[u8] = &[trap::CHILD, trap::CONTINUE, 23, 28];

/// Signals that let a task stand still: STOP, TSTP, TTIN, TTOU.
const PAUSING: &[u8] = &[trap::STOP, TERMINAL_STOP, 21, 22];

/// SIGTSTP
const TERMINAL_STOP: u8 = 20;

/// What a terminal sends to the job in the foreground: INT, QUIT, TSTP, WINCH.
const TYPED: &[u8] = &[trap::INTERRUPT, 3, TERMINAL_STOP, 28];

/// Whether a signal ends a command that a task runs itself.
pub(in crate::machine) fn is_fatal(task: &Task, signal: u8) -> bool {
    let ignored = match task.state.traps.get(Event::Signal(signal)) {
        None => task.state.ignored.holds(signal),
        Some(action) => signal != trap::KILL && *action == Action::Ignore,
    };
    signal != 0 && !ignored && !is_harmless(signal)
}

fn is_harmless(signal: u8) -> bool {
    HARMLESS.contains(&signal) || PAUSING.contains(&signal)
}

/// Whether a person types the commands of a task, whose jobs are controlled.
pub(in crate::machine) fn controls_jobs(task: &Task) -> bool {
    task.state.options.on(SetOption::Monitor) && is_prompting(task)
}

/// Whether a shell may end: not where jobs stand still, of which it warns, once.
pub(in crate::machine) fn may_exit(task: &mut Task) -> bool {
    if !controls_jobs(task) {
        return true;
    }
    task.output.push(2, b"exit\n");
    let warns = task.jobs.any_stopped() && !task.warned;
    if warns {
        task.output.push(2, b"There are stopped jobs.\n");
    }
    task.warned = true;
    !warns
}

/// Whether a signal lets a task stand still.
fn pauses(task: &Task, signal: u8) -> bool {
    let trapped = task.state.traps.get(Event::Signal(signal)).is_some();
    PAUSING.contains(&signal) && (signal == trap::STOP || !trapped) && !is_prompting(task)
}

/// A signal arrives: CONT takes back those that pause, and they it.
fn receive(task: &mut Task, signal: u8) {
    let pausing = PAUSING.contains(&signal);
    task.signals.retain(|other| match signal {
        trap::CONTINUE => !PAUSING.contains(other),
        _ => !pausing || *other != trap::CONTINUE,
    });
    task.signals.push_back(signal);
}

/// INT that a script sends: while a command runs in the foreground, the shell ends by it where the command does.
fn receive_sent(task: &mut Task, signal: u8) {
    if signal == trap::INTERRUPT && waits_for_command(task) && is_fatal(task, signal) {
        let event = Event::Signal(signal);
        if task.state.traps.get(event).is_none() && !is_prompting(task) {
            task.interrupted = true;
            return;
        }
    }
    receive(task, signal);
}

/// Whether a task waits for a command that is not the task itself.
fn waits_for_command(task: &Task) -> bool {
    match &task.waiting {
        Some(Waiting::Tasks { .. }) => true,
        Some(Waiting::Child { pid, .. }) => *pid != task.pid,
        Some(Waiting::Applet(_)) => task.seen.applet.is_some(),
        _ => false,
    }
}

/// The command in the foreground has ended, by a signal or not: an INT that came meanwhile ends the shell where it
/// ended the command.
pub(in crate::machine) fn command_ended(task: &mut Task, signal: Option<u8>) {
    if std::mem::take(&mut task.interrupted) && signal == Some(trap::INTERRUPT) {
        task.signals.push_back(trap::INTERRUPT);
    }
}

/// A child of a task has ended: its CHLD trap hears of it, unless that is what runs.
pub(in crate::machine) fn child_ended(task: &mut Task) {
    let event = Event::Signal(trap::CHILD);
    let trapped = matches!(task.state.traps.get(event), Some(Action::Run(_)));
    if trapped && !task.in_trap(event) {
        task.signals.push_back(trap::CHILD);
    }
}

/// Whether a person types the commands of a task.
fn is_prompting(task: &Task) -> bool {
    let reads = |role: &Role| match role {
        Role::Reader(reader) => matches!(reader.input, Input::Descriptor { .. }),
        _ => false,
    };
    task.state.interactive && task.frames.first().is_some_and(|frame| reads(&frame.role))
}

impl Machine {
    /// Acts on the signals of a task that does not wait.
    pub(super) fn signals(&mut self, task: &mut Task) {
        while let Some(signal) = task.signals.pop_front() {
            match task.state.traps.get(Event::Signal(signal)).cloned() {
                Some(Action::Ignore) if signal != trap::KILL => {}
                None if task.state.ignored.holds(signal) => {}
                Some(Action::Run(text)) if signal != trap::KILL => {
                    let _ = self.begin_trap(task, Event::Signal(signal), &text);
                    return;
                }
                _ if pauses(task, signal) => return self.pause(task, signal),
                _ if is_harmless(signal) => {}
                _ if is_prompting(task) && signal != trap::KILL => {
                    if signal == trap::INTERRUPT {
                        return self.interrupt(task);
                    }
                }
                _ => return self.die(task, signal),
            }
        }
    }

    /// Ctrl-C in an interactive shell: the commands under way are given up.
    fn interrupt(&mut self, task: &mut Task) {
        while task.frames.len() > 1 {
            self.pop_frame(task);
        }
        self.discard(task);
        if let Some(Role::Reader(reader)) = task.frames.first_mut().map(|frame| &mut frame.role)
            && let Input::Descriptor { pending, .. } = &mut reader.input
        {
            pending.clear();
        }
        task.prompt = Prompt::Due;
        super::set_status(task, 128 + trap::INTERRUPT);
    }

    /// What is typed at the terminal is for the job in the foreground. Whether it ends by that, the shell
    /// hears from the job.
    fn pass_on(&mut self, task: &mut Task) {
        if !controls_jobs(task) {
            return;
        }
        let Some(Waiting::Tasks { pids, statuses, .. }) = &task.waiting else {
            return;
        };
        let running = pids.iter().zip(statuses);
        let running = running.filter(|(_, status)| status.is_none());
        let running: Vec<Pid> = running.map(|(pid, _)| *pid).collect();
        if running.is_empty() {
            return;
        }
        for signal in TYPED {
            if let Some(at) = task.signals.iter().position(|one| one == signal) {
                task.signals.remove(at);
                for &pid in &running {
                    // It may have ended.
                    let _ = self.kill_group(task, pid, *signal);
                }
            }
        }
    }

    /// Takes notice where all of what the shell waits for stands still: that is a job then, and the next
    /// command is read.
    pub(super) fn notice_stop(&mut self, task: &mut Task) {
        if !controls_jobs(task) {
            return;
        }
        let Some(Waiting::Tasks { pids, statuses, .. }) = &task.waiting else {
            return;
        };
        let mut running = pids
            .iter()
            .zip(statuses)
            .filter(|(_, status)| status.is_none());
        let stands = |pid: Pid| {
            let id = self.find_task(task.execution, pid);
            let found = id.and_then(|id| self.tasks.get(id.0)?.as_deref());
            found.is_some_and(|found| found.paused)
        };
        if !running.clone().any(|_| true) || !running.all(|(pid, _)| stands(*pid)) {
            return;
        }
        let Some(Waiting::Tasks {
            pids,
            statuses,
            text,
        }) = task.waiting.take()
        else {
            return;
        };
        task.interests.clear();
        let text = text.unwrap_or_default();
        let number = task.jobs.stop(&pids, &statuses, text, TERMINAL_STOP);
        if let Some(line) = task.jobs.line(number, false) {
            task.output.push(2, &line);
        }
        if task.frames.len() > 1 || task.loop_depth() > 0 {
            // A loop or function is not gone on with.
            self.interrupt(task);
        }
        super::set_status(task, 128 + TERMINAL_STOP);
    }

    /// `fg`: waits for a job, to which the terminal belongs from now on.
    pub(super) fn foreground(&mut self, task: &mut Task, number: u32) -> Run {
        let Some(job) = task.jobs.get(number) else {
            return Ok(());
        };
        let pids = job.processes.iter().map(|process| process.pid).collect();
        let statuses = job.processes.iter().map(|process| process.status);
        let (statuses, text) = (statuses.collect(), job.text.clone());
        self.wait_for_tasks(task, pids, statuses, Some(text))
    }

    /// What a foreground command waits for is interrupted too.
    fn interrupt_waiting(&mut self, task: &mut Task) {
        let pids = match task.waiting.take() {
            Some(Waiting::Child { pid, .. }) => {
                let _ = self.os.kill(pid, trap::INTERRUPT);
                Vec::new()
            }
            Some(Waiting::Tasks { pids, .. }) => {
                task.jobs.finish(&pids);
                pids
            }
            Some(Waiting::Substitution { pid, .. }) => vec![pid],
            _ => Vec::new(),
        };
        for pid in pids {
            if let Some(id) = self.find_task(task.execution, pid) {
                self.signal_task(id, trap::INTERRUPT);
            }
        }
        task.interests.clear();
        task.signals.clear();
        self.interrupt(task);
    }

    /// The task ends by a signal; the EXIT trap runs unless it is SIGKILL.
    fn die(&mut self, task: &mut Task, signal: u8) {
        if signal == trap::KILL {
            Rc::make_mut(&mut task.state.traps).set(Event::Exit, None);
            task.output.clear();
        }
        self.clear(task);
        task.control.ending.left = Left::Calls;
        task.control.ending.signal = Some(signal);
        task.state.status = 128 + signal;
    }

    /// Acts on signals while a task waits; none where it goes on waiting or running.
    pub(super) fn signal_while_waiting(&mut self, task: &mut Task) -> Option<Progress> {
        if is_prompting(task) {
            task.waiting.as_ref()?;
            self.pass_on(task);
            let traps = Rc::clone(&task.state.traps);
            let trapped = |signal: u8| traps.get(Event::Signal(signal)).is_some();
            if !trapped(trap::INTERRUPT) && task.signals.contains(&trap::INTERRUPT) {
                self.interrupt_waiting(task);
                return None;
            }
            let acted_on = |signal: &u8| *signal == trap::KILL || trapped(*signal);
            task.signals.retain(acted_on);
        }
        if !task.signals.contains(&trap::KILL)
            && let Some(at) = task.signals.iter().position(|one| pauses(task, *one))
            && let Some(signal) = task.signals.remove(at)
        {
            self.pause(task, signal);
            return Some(Progress::Blocked);
        }
        let fatal = task.signals.iter().copied().find(|&signal| {
            let trapped = task.state.traps.get(Event::Signal(signal)).is_some();
            let ignored = task.state.ignored.holds(signal);
            signal == trap::KILL || (!trapped && !ignored && !is_harmless(signal))
        });
        if let Some(signal) = fatal {
            if let Some(Waiting::Child { pid, .. }) = &task.waiting {
                let _ = self.os.kill(*pid, signal);
            }
            task.waiting = None;
            task.interests.clear();
            task.signals.clear();
            self.die(task, signal);
            return self.trouble(task, Trouble::Exit(128 + signal));
        }
        self.trap_in_wait(task);
        if let Some(Waiting::Builtin { pending, .. }) = &task.waiting
            && pending.interruptible()
            && let posix = task.state.options.on(SetOption::Posix)
            && let Some(&signal) = task
                .signals
                .iter()
                .find(|one| posix || **one != trap::CHILD)
            && matches!(
                task.state.traps.get(Event::Signal(signal)),
                Some(Action::Run(_))
            )
        {
            task.waiting = None;
            task.interests.clear();
            super::set_status(task, 128 + signal);
        }
        None
    }

    /// The task stands still, and so does the command that is its last.
    fn pause(&mut self, task: &mut Task, signal: u8) {
        task.paused = true;
        self.changed = true;
        self.note_pause(task, signal);
    }

    /// Whether a task that stands still goes on: SIGCONT and SIGKILL let it.
    pub(super) fn goes_on(&mut self, task: &mut Task) -> bool {
        let moves = |signal: &u8| matches!(*signal, trap::CONTINUE | trap::KILL);
        if task.signals.iter().any(moves) {
            task.paused = false;
            self.changed = true;
            self.note_pause(task, trap::CONTINUE);
        }
        !task.paused
    }

    /// Passes on that a task stands still or goes on: to its last command, and to the shell that has
    /// it as a job and controls those.
    fn note_pause(&mut self, task: &mut Task, signal: u8) {
        let is_last = |frame: &Frame| frame.next >= frame.code.ops.len();
        if let (Some(Waiting::Child { pid, .. }), [frame]) = (&task.waiting, &task.frames[..])
            && is_last(frame)
        {
            // It may have ended.
            let _ = self.os.kill(*pid, signal);
        }
        let Some(parent) = task.parent.and_then(|parent| self.task_mut(parent)) else {
            return;
        };
        if parent.state.options.on(SetOption::Monitor) {
            parent.jobs.pause(task.pid, task.paused.then_some(signal));
            let parent = parent.id;
            self.ready.borrow_mut().push(parent);
        }
    }

    /// Runs a trap while `wait` or `read` waits, which then goes on: CHLD's in `wait`, the others in `read`.
    /// In POSIX mode the trap ends it.
    fn trap_in_wait(&mut self, task: &mut Task) {
        let Some(Waiting::Builtin { pending, .. }) = &task.waiting else {
            return;
        };
        let goes_on = |signal: u8| match pending {
            Pending::Wait(_) => signal == trap::CHILD,
            Pending::Read(_) => signal != trap::CHILD,
            _ => false,
        };
        let traps = Rc::clone(&task.state.traps);
        let found = task.signals.iter().enumerate().find_map(|(at, &signal)| {
            match traps.get(Event::Signal(signal)) {
                Some(Action::Run(text)) if goes_on(signal) => Some((at, signal, text)),
                _ => None,
            }
        });
        let Some((at, signal, text)) = found else {
            return;
        };
        if task.state.options.on(SetOption::Posix) {
            return;
        }
        let waiting = task.waiting.take();
        task.signals.remove(at);
        task.interests.clear();
        let begun = self.begin_trap(task, Event::Signal(signal), text);
        if begun.is_ok()
            && let Some(Waiting::Builtin { name, pending }) = waiting
            && let Some(Role::Reader(reader)) = task.frames.last_mut().map(|frame| &mut frame.role)
            && let Purpose::Trap(saved) = &mut reader.purpose
        {
            saved.wait = Some((name, pending));
        }
    }

    /// Sends a signal to a task or process.
    pub(in crate::machine) fn kill(
        &mut self,
        task: &mut Task,
        pid: Pid,
        signal: u8,
    ) -> Result<(), Errno> {
        if task.state.pid == pid || (task.state.shell_pid == pid && task.parent.is_none()) {
            if signal != 0 {
                receive(task, signal);
            }
            return Ok(());
        }
        if self.signal_process(task.execution, pid, signal) {
            return Ok(());
        }
        self.announce(Some(task));
        self.os.kill(pid, signal)
    }

    /// Sends a signal to a process that leads a group, and to all that it started, in whatever depth.
    pub(in crate::machine) fn kill_group(
        &mut self,
        task: &mut Task,
        leader: Pid,
        signal: u8,
    ) -> Result<(), Errno> {
        self.announce(Some(task));
        let all = self.os.processes();
        let mut group = vec![leader];
        let mut next = 0;
        while let Some(&parent) = group.get(next) {
            next += 1;
            let shell = self.find_task(task.execution, parent);
            if shell.is_some_and(|id| self.task_mut(id).is_some_and(|one| controls_jobs(one))) {
                // Its jobs are groups of their own.
                continue;
            }
            let tasks = self.tasks.iter().flatten();
            let tasks = tasks.map(|one| (one.pid, one.seen.parent));
            let tasks: Vec<_> = tasks.collect();
            let children = all
                .iter()
                .chain(&tasks)
                .filter(|(pid, from)| *from == parent && *pid != parent);
            let fresh: Vec<Pid> = children
                .map(|(pid, _)| *pid)
                .filter(|pid| !group.contains(pid))
                .collect();
            group.extend(fresh);
        }
        // What ends first starts nothing more.
        let sent = self.kill(task, leader, signal);
        for pid in group.into_iter().skip(1) {
            // Who has ended meanwhile needs none.
            let _ = self.kill(task, pid, signal);
        }
        sent
    }

    /// Delivers a signal to a task from a process of the sandbox.
    pub(in crate::machine) fn send_to_task(&mut self, id: TaskId, signal: u8) {
        if signal == 0 {
            return;
        }
        if let Some(task) = self.task_mut(id) {
            receive_sent(task, signal);
            self.ready.borrow_mut().push(id);
        }
    }

    /// Delivers a signal to a task.
    pub(in crate::machine) fn signal_task(&mut self, id: TaskId, signal: u8) {
        if signal == 0 {
            return;
        }
        if let Some(task) = self.task_mut(id) {
            receive(task, signal);
            self.ready.borrow_mut().push(id);
        }
    }
}
