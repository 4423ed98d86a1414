//! Signals that arrive at a task.

use std::rc::Rc;

use super::{Progress, Trouble};
use crate::machine::Machine;
use crate::machine::frame::Role;
use crate::machine::reader::Input;
use crate::machine::task::{Prompt, Task, TaskId, Waiting};
use crate::machine::trap::{self, Action, Event};
use crate::os::{Errno, Pid};

/// Signals that end nothing unless they are trapped: CHLD, CONT, URG, WINCH.
const HARMLESS: &[u8] = &[trap::CHILD, 18, 23, 28];

/// Signals that let a command stand still: STOP, TSTP, TTIN, TTOU. Nothing does here.
const PAUSING: &[u8] = &[19, 20, 21, 22];

/// Whether a signal ends a command that a task runs itself.
pub(in crate::machine) fn is_fatal(task: &Task, signal: u8) -> bool {
    let action = task.state.traps.get(Event::Signal(signal));
    let ignored = signal != trap::KILL && matches!(action, Some(Action::Ignore));
    signal != 0 && !ignored && !is_harmless(signal)
}

fn is_harmless(signal: u8) -> bool {
    HARMLESS.contains(&signal) || PAUSING.contains(&signal)
}

/// A child of a task has ended: its CHLD trap hears of it, unless that is what runs.
pub(in crate::machine) fn child_ended(task: &mut Task) {
    let event = Event::Signal(trap::CHILD);
    let trapped = matches!(task.state.traps.get(event), Some(Action::Run(_)));
    if trapped && !task.in_trap(event) {
        task.signals.push_back(trap::CHILD);
    }
}

/// SIGINT
const INTERRUPT: u8 = 2;

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
                Some(Action::Run(text)) if signal != trap::KILL => {
                    let _ = self.begin_trap(task, Event::Signal(signal), &text);
                    return;
                }
                _ if is_harmless(signal) => {}
                _ if is_prompting(task) && signal != trap::KILL => {
                    if signal == INTERRUPT {
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
        super::control::set_status(task, 128 + INTERRUPT);
    }

    /// What a foreground command waits for is interrupted too.
    fn interrupt_waiting(&mut self, task: &mut Task) {
        let pids = match task.waiting.take() {
            Some(Waiting::Child { pid, .. }) => {
                let _ = self.os.kill(pid, INTERRUPT);
                Vec::new()
            }
            Some(Waiting::Tasks { pids, .. }) => pids,
            Some(Waiting::Substitution { pid, .. }) => vec![pid],
            _ => Vec::new(),
        };
        for pid in pids {
            if let Some(id) = self.find_task(task.execution, pid) {
                self.signal_task(id, INTERRUPT);
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
        task.killed = Some(signal);
        task.state.status = 128 + signal;
    }

    /// Acts on signals while a task waits; none where it goes on waiting or running.
    pub(super) fn signal_while_waiting(&mut self, task: &mut Task) -> Option<Progress> {
        if is_prompting(task) {
            task.waiting.as_ref()?;
            let traps = Rc::clone(&task.state.traps);
            let trapped = |signal: u8| traps.get(Event::Signal(signal)).is_some();
            if !trapped(INTERRUPT) && task.signals.contains(&INTERRUPT) {
                self.interrupt_waiting(task);
                return None;
            }
            let acted_on = |signal: &u8| *signal == trap::KILL || trapped(*signal);
            task.signals.retain(acted_on);
        }
        let fatal = task.signals.iter().copied().find(|&signal| {
            let trapped = task.state.traps.get(Event::Signal(signal)).is_some();
            signal == trap::KILL || (!trapped && !is_harmless(signal))
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
        if let Some(Waiting::Builtin { pending, .. }) = &task.waiting
            && pending.interruptible()
            && let Some(&signal) = task.signals.iter().find(|signal| **signal != trap::CHILD)
            && matches!(
                task.state.traps.get(Event::Signal(signal)),
                Some(Action::Run(_))
            )
        {
            task.waiting = None;
            task.interests.clear();
            super::control::set_status(task, 128 + signal);
        }
        None
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
                task.signals.push_back(signal);
            }
            return Ok(());
        }
        if self.signal_process(task.execution, pid, signal) {
            return Ok(());
        }
        self.announce(Some(task));
        self.os.kill(pid, signal)
    }

    /// Delivers a signal to a task.
    pub(in crate::machine) fn signal_task(&mut self, id: TaskId, signal: u8) {
        if signal == 0 {
            return;
        }
        if let Some(task) = self.task_mut(id) {
            task.signals.push_back(signal);
            self.ready.borrow_mut().push(id);
        }
    }
}
