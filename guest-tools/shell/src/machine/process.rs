//! Tasks as others see them: each is a process with a number and arguments.

use std::rc::Rc;

use super::Machine;
use super::code::{Code, Op, Origin};
use super::frame::{Frame, Role};
use super::run::is_fatal;
use super::task::{Task, TaskId, Waiting};
use super::trap::{self, Action, Event};
use crate::os::{Pid, TaskInfo};

/// Tasks have numbers from here on; those of processes that are none are below.
const FIRST_PID: Pid = 100_000;
/// Numbers that a shell uses before those of another one begin.
const BLOCK: Pid = 65_536;
/// There are so many blocks of numbers below `/proc/sys/kernel/pid_max`.
const BLOCKS: Pid = 62;

/// How others see a task.
#[derive(Clone, Default)]
pub struct Seen {
    /// The number of what started it.
    pub(crate) parent: Pid,
    /// The arguments of the shell that it belongs to; none for that of the process itself.
    pub(crate) arguments: Option<Rc<[Vec<u8>]>>,
    /// The number of the applet that it waits for; none where the applet is all that it runs.
    pub(crate) applet: Option<Pid>,
}

/// The number before those of the tasks of the shell in this process: two shells that run at once
/// use different ones.
pub(super) fn first_pid(process: Pid) -> Pid {
    FIRST_PID + process.saturating_sub(2) % BLOCKS * BLOCK
}

impl Machine {
    /// Tells the system which tasks there are, where that changed: others list them and send them
    /// signals. The one that runs is not in its place.
    pub(super) fn announce(&mut self, running: Option<&Task>) {
        if !std::mem::take(&mut self.changed) {
            return;
        }
        let tasks = self.tasks.iter().flatten().map(Box::as_ref);
        let mut seen = Vec::new();
        tasks.chain(running).for_each(|task| list(task, &mut seen));
        if seen != self.announced {
            self.os.set_tasks(&seen);
            self.announced = seen;
        }
    }

    /// `path` as this task finds it: below `/proc` everybody is listed, and `self` is the task.
    pub(super) fn seen_by(&mut self, task: &Task, path: Vec<u8>) -> Vec<u8> {
        let Some(rest) = path.strip_prefix(b"/proc/") else {
            return path;
        };
        self.announce(Some(task));
        let own = rest
            .strip_prefix(b"self")
            .filter(|rest| matches!(rest, [] | [b'/', ..]));
        match own.filter(|_| task.parent.is_some()) {
            Some(rest) => [format!("/proc/{}", task.pid).as_bytes(), rest].concat(),
            None => path,
        }
    }

    /// Sends a signal to the task or applet of this number; false where there is none.
    pub(super) fn signal_process(&mut self, execution: usize, pid: Pid, signal: u8) -> bool {
        if let Some(id) = self.find_task(execution, pid) {
            // The number of a pipeline in the background is that of its last stage.
            let last = self.last_stage(id);
            let handled = last.is_some_and(|last| {
                let ends = self
                    .task_mut(last)
                    .is_some_and(|task| ends_by(task, signal));
                self.send_to_task(last, signal);
                !ends
            });
            if !handled {
                self.send_to_task(id, signal);
            }
            return true;
        }
        let runs =
            |task: &&mut Box<Task>| task.execution == execution && task.seen.applet == Some(pid);
        let Some(task) = self.tasks.iter_mut().flatten().find(runs) else {
            return false;
        };
        let ends = is_fatal(task, signal);
        let Some(Waiting::Applet(running)) = &mut task.waiting else {
            return false;
        };
        if ends {
            *running = running.ended(128 + signal);
            self.ready.borrow_mut().push(task.id);
        }
        true
    }

    /// The last stage of the pipeline that is all that a job does, while it runs.
    fn last_stage(&mut self, id: TaskId) -> Option<TaskId> {
        let task = self.task_mut(id)?;
        let [frame] = task.frames.as_slice() else {
            return None;
        };
        let Some(Waiting::Tasks { pids, .. }) = &task.waiting else {
            return None;
        };
        let rest = frame.code.ops.get(frame.next..).unwrap_or_default();
        let whole =
            frame.code.origin == Origin::Job && rest.iter().all(|op| matches!(op, Op::Check(_)));
        let (last, execution) = (
            *pids.last().filter(|_| whole && pids.len() > 1)?,
            task.execution,
        );
        self.find_task(execution, last)
    }
}

/// Whether a signal ends a task, which has no trap for it.
fn ends_by(task: &Task, signal: u8) -> bool {
    let trapped = matches!(
        task.state.traps.get(Event::Signal(signal)),
        Some(Action::Run(_))
    );
    is_fatal(task, signal) && (signal == trap::KILL || !trapped)
}

/// What others see of a task: where it works of a shell that is the process itself, and nothing of
/// one whose place a process has taken.
fn list(task: &Task, seen: &mut Vec<TaskInfo>) {
    let replaced = matches!(task.waiting, Some(Waiting::Child { pid, .. }) if pid == task.pid);
    let own = task.parent.is_some() && !replaced;
    let applet = match &task.waiting {
        Some(Waiting::Applet(running)) => Some(running.arguments()),
        _ => None,
    };
    let shell = || task.seen.arguments.as_deref().unwrap_or_default().to_vec();
    let directory = || task.state.directory.to_vec();
    if task.parent.is_none() {
        seen.push(TaskInfo {
            pid: task.pid,
            parent: task.seen.parent,
            arguments: Vec::new(),
            directory: directory(),
            stopped: task.paused,
        });
    }
    if own {
        seen.push(TaskInfo {
            pid: task.pid,
            parent: task.seen.parent,
            arguments: match (&applet, task.seen.applet) {
                (Some(arguments), None) => arguments.clone(),
                _ => shell(),
            },
            directory: directory(),
            stopped: task.paused,
        });
    }
    if let (Some(arguments), Some(pid)) = (applet, task.seen.applet) {
        seen.push(TaskInfo {
            pid,
            parent: task.pid,
            arguments,
            directory: directory(),
            stopped: task.paused,
        });
    }
}

/// Whether what a subshell starts now takes its place: because of `exec`, or since it has nothing
/// else left to do.
pub(super) fn is_replaced(task: &Task) -> bool {
    if task.parent.is_none() || task.exec.is_begun() {
        return task.parent.is_some();
    }
    let Some(frame) = only_frame(task) else {
        return false;
    };
    task.state.traps.is_empty() && is_at_end(frame) || is_alone(task, frame)
}

/// Whether the command under way is all of a `( … )`, so that bash makes no process for it, whatever
/// traps there are.
fn is_alone(task: &Task, frame: &Frame) -> bool {
    frame.code.alone && !task.control.around.within_text && is_at_end(frame)
}

/// Whether no instruction does anything any more.
fn is_at_end(frame: &Frame) -> bool {
    is_at_end_from(frame, frame.next)
}

/// The same from an instruction on.
pub(super) fn is_at_end_from(frame: &Frame, next: usize) -> bool {
    let mut next = next;
    // A jump only leads forward here; another one ends the search.
    while let Some(op) = frame.code.ops.get(next) {
        next = match *op {
            Op::Check(_) | Op::Leave | Op::Drop => next + 1,
            Op::Jump(to) if to as usize > next => to as usize,
            _ => return false,
        };
    }
    true
}

/// Whether bash starts the command under way without a fork, which leaves `$SHLVL` as it is: in the
/// background, or as the last of a subshell.
pub(super) fn keeps_level(task: &Task) -> bool {
    let alone = |code: &Code| match code.origin {
        Origin::Job => code.simple,
        Origin::Stage | Origin::External => false,
        Origin::Commands | Origin::Substitution => true,
    };
    let frame = only_frame(task).filter(|_| !task.exec.is_begun() && is_replaced(task));
    frame.is_some_and(|frame| alone(&frame.code) && is_at_plain_end(frame))
}

/// Whether the command under way is the last of its code, and not within a compound one: before
/// those, bash does fork.
pub(super) fn is_at_plain_end(frame: &Frame) -> bool {
    let rest = frame.code.ops.iter().skip(frame.next);
    rest.copied()
        .all(|op| matches!(op, Op::Check(_) | Op::Leave))
}

fn only_frame(task: &Task) -> Option<&Frame> {
    match task.frames.as_slice() {
        [frame] if matches!(frame.role, Role::Task) => Some(frame),
        _ => None,
    }
}
