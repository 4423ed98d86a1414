//! Tasks taking turns.

use std::collections::HashSet;

use super::code::{Op, Origin};
use super::execution::Progress;
use super::frame::{Frame, Role};
use super::hash::FastBuild;
use super::message::report;
use super::option::SetOption;
use super::run;
use super::state::State;
use super::task::{Task, TaskId, Waiting};
use super::trap::{self, Event};
use super::{Budgets, Limit, Machine};
use crate::os::{Interest, Pid};

/// Instructions that a task runs before it lets others run.
const SLICE: u32 = 2_000;
/// Instructions after which `poll` returns to its caller.
const TURN: u32 = 200_000;

impl Machine {
    /// Runs whatever can run.
    pub fn poll(&mut self) -> Progress {
        self.poll_within(TURN)
    }

    /// Runs whatever can run for about so many instructions, then answers [`Progress::More`]. Use
    /// it where others have to get their turn sooner.
    pub fn poll_within(&mut self, instructions: u32) -> Progress {
        self.wake_waiting();
        let mut left = instructions;
        while let Some(id) = { self.ready.borrow_mut().pop() } {
            left = left.saturating_sub(self.turn(id, SLICE.min(left)));
            if left == 0 {
                break;
            }
        }
        self.announce(None);
        if !self.ready.borrow().is_empty() {
            return Progress::More;
        }
        if self.tasks.iter().all(Option::is_none) {
            return Progress::Finished;
        }
        // A hasher that draws no random bits, which processes that run by now draw too.
        let mut known: HashSet<_, FastBuild> = HashSet::default();
        let tasks = self.tasks.iter().flatten().filter(|task| !task.paused);
        let (mut interests, mut time) = (Vec::new(), None::<u64>);
        for interest in tasks.flat_map(|task| &task.interests) {
            match *interest {
                // Thousands may sleep: only who wakes first matters.
                Interest::Time(at) => time = Some(time.map_or(at, |first| first.min(at))),
                other if known.insert(other) => interests.push(other),
                _ => {}
            }
        }
        interests.extend(time.map(Interest::Time));
        Progress::Idle(interests)
    }

    /// Makes every task ready that waits for the system: one of its interests may have come true.
    fn wake_waiting(&mut self) {
        let mut ready = self.ready.borrow_mut();
        for task in self.tasks.iter().flatten() {
            if !task.interests.is_empty() && !task.paused {
                ready.push(task.id);
            }
        }
    }

    /// Lets one task run; says how many instructions it ran.
    fn turn(&mut self, id: TaskId, slice: u32) -> u32 {
        let Some(mut task) = self.tasks.get_mut(id.0).and_then(Option::take) else {
            return 0;
        };
        let mut left = slice;
        let progress = self.run(&mut task, &mut left);
        let applet_steps = std::mem::take(&mut self.applet_steps);
        let steps = (slice - left).saturating_add(applet_steps);
        let progress = match self.count_steps(task.execution, steps) {
            Some(limit) => {
                self.exceed(task.execution, limit);
                run::Progress::Ended(1)
            }
            None => progress,
        };
        self.settle(task, progress);
        steps + 1
    }

    fn settle(&mut self, task: Box<Task>, progress: run::Progress) {
        let id = task.id;
        match progress {
            run::Progress::More => self.ready.borrow_mut().push(id),
            run::Progress::Blocked => {}
            run::Progress::Ended(status) => {
                self.free.push(id.0);
                self.end(*task, status);
                return;
            }
        }
        if self.is_over(task.execution) {
            self.free.push(id.0);
            return;
        }
        self.tasks[id.0] = Some(task);
    }

    /// A task has ended: its parent hears of it, or its execution is over.
    fn end(&mut self, task: Task, status: u8) {
        self.changed = true;
        let Task {
            id,
            pid,
            parent,
            execution,
            state,
            control,
            ..
        } = task;
        match parent {
            None => self.finish(execution, id, state, status),
            Some(parent) => {
                drop(state);
                self.killed
                    .extend(control.ending.signal.map(|signal| (pid, signal)));
                self.mail.push((parent, pid, status));
                self.ready.borrow_mut().push(parent);
                self.drop_stale_mail();
            }
        }
    }

    fn drop_stale_mail(&mut self) {
        if self.mail.len() > 64 {
            let tasks = &self.tasks;
            self.mail
                .retain(|(parent, ..)| tasks.get(parent.0).is_some_and(Option::is_some));
        }
    }

    /// Puts a new task among the others, ready to run.
    pub(super) fn insert_task(
        &mut self,
        parent: Option<TaskId>,
        execution: usize,
        state: State,
        prepare: impl FnOnce(&mut Task),
    ) -> TaskId {
        let index = self.free.pop().unwrap_or_else(|| {
            self.tasks.push(None);
            self.tasks.len() - 1
        });
        let id = TaskId(index);
        let mut task = Box::new(Task::new(id, parent, execution, state));
        prepare(&mut task);
        self.tasks[index] = Some(task);
        self.ready.borrow_mut().push(id);
        self.changed = true;
        id
    }

    /// Takes in what happened to the children of a task.
    pub(super) fn collect_mail(&mut self, task: &mut Task) {
        if self.mail.is_empty() {
            return;
        }
        let id = task.id;
        let mut waiting = task.waiting.take();
        let mut killed = std::mem::take(&mut self.killed);
        self.mail.retain(|&(parent, pid, status)| {
            if parent != id {
                return true;
            }
            run::child_ended(task);
            let taken = waiting
                .as_mut()
                .is_some_and(|waiting| note(waiting, pid, status));
            let signal = take_signal(&mut killed, pid);
            if taken && signal.is_some() {
                run::command_ended(task, signal);
            }
            let typed = run::controls_jobs(task);
            if taken && is_subshell(task) {
                task.control.ending.signal = signal;
            } else if let (true, true, Some(signal)) = (taken, typed, signal) {
                tell_killed(task, signal);
            } else if let (true, Some(signal), Some(Waiting::Tasks { text, .. })) =
                (taken, signal, &waiting)
                && let Some(text) = text
            {
                report_signal(task, pid, signal, text);
            }
            if !taken && !task.jobs.end(pid, status) {
                note_stage(&mut task.frames, pid, status);
            } else if let (false, Some(signal)) = (taken, signal) {
                report_killed(task, pid, signal);
            }
            false
        });
        self.killed = killed;
        task.waiting = waiting;
    }

    /// The task of an execution with this number; copies of a script have the same.
    pub(super) fn find_task(&self, execution: usize, pid: Pid) -> Option<TaskId> {
        let tasks = self.tasks.iter().flatten();
        let found = tasks
            .filter(|task| task.execution == execution)
            .find(|task| task.pid == pid || (pid == task.state.shell_pid && task.parent.is_none()));
        found.map(|task| task.id)
    }

    /// A task in its place.
    pub(super) fn task_mut(&mut self, id: TaskId) -> Option<&mut Task> {
        self.tasks.get_mut(id.0)?.as_deref_mut()
    }

    fn count_steps(&mut self, execution: usize, steps: u32) -> Option<Limit> {
        let execution = self.executions.get_mut(execution)?.as_mut()?;
        execution.steps += u64::from(steps);
        let limit = execution.budgets.steps;
        (limit != 0 && execution.steps > limit).then_some(Limit::Steps)
    }

    /// Instructions that an execution has taken.
    #[cfg(feature = "programs")]
    pub(crate) fn steps(&self, id: super::ExecutionId) -> u64 {
        let execution = self.executions.get(id.0).and_then(Option::as_ref);
        execution.map_or(0, |execution| execution.steps)
    }

    /// What is left of the budgets of an execution.
    pub(super) fn budgets_left(&self, execution: usize) -> Budgets {
        let found = self.executions.get(execution).and_then(Option::as_ref);
        found.map_or_else(Budgets::default, |execution| {
            let mut left = execution.budgets;
            if left.steps > 0 {
                left.steps = left.steps.saturating_sub(execution.steps).max(1);
            }
            left
        })
    }
}

/// Whether a task does nothing but run one subshell, whose end is its own.
pub(super) fn is_subshell(task: &Task) -> bool {
    let [frame] = task.frames.as_slice() else {
        return false;
    };
    let ops = &frame.code.ops;
    let other = |op: &Op| {
        !matches!(
            op,
            Op::Line(_) | Op::At(_) | Op::Name(_) | Op::NameTrapped(_) | Op::Check(_)
        )
    };
    matches!(frame.role, Role::Task)
        && ops.iter().filter(|op| other(op)).count() == 1
        && ops.iter().any(|op| matches!(op, Op::Subshell(_)))
}

fn take_signal(killed: &mut Vec<(Pid, u8)>, pid: Pid) -> Option<u8> {
    let at = killed.iter().position(|(process, _)| *process == pid)?;
    Some(killed.swap_remove(at).1)
}

/// Says that a signal ended a command that the shell waited for.
pub(super) fn report_signal(task: &mut Task, pid: Pid, signal: u8, text: &[u8]) {
    let trapped = task.state.traps.get(Event::Signal(signal)).is_some();
    if task.state.interactive || matches!(signal, trap::INTERRUPT | trap::PIPE) {
        return;
    }
    let within = task
        .frames
        .first()
        .is_some_and(|frame| frame.code.origin == Origin::Substitution);
    if task.state.mode == Some(b'c') && (within || task.state.options.on(SetOption::Posix)) {
        return;
    }
    let what = trap::description(signal).unwrap_or("Unknown signal");
    if trapped || signal == trap::TERMINATE {
        task.output.push(2, format!("{what}\n").as_bytes());
        return;
    }
    let line = format!("{pid:5} {what:<24}").into_bytes();
    report(task, &[line.as_slice(), text].concat());
}

/// Says that a signal ended what was in the foreground; what Ctrl-C ended gives up the commands behind
/// it, too.
fn tell_killed(task: &mut Task, signal: u8) {
    match signal {
        trap::INTERRUPT => task.signals.push_back(signal),
        trap::PIPE => {}
        signal => {
            let what = trap::description(signal).unwrap_or("Unknown signal");
            task.output.push(2, format!("{what}\n").as_bytes());
        }
    }
}

/// Says that a signal ended a job, where a script would see it: not of INT, PIPE and TERM.
fn report_killed(task: &mut Task, pid: Pid, signal: u8) {
    let quiet = [trap::INTERRUPT, trap::PIPE, trap::TERMINATE].contains(&signal);
    let trapped = task.state.traps.get(Event::Signal(signal)).is_some();
    let number = task.jobs.of_pid(pid).map(|job| job.number);
    let Some(job) = number.and_then(|number| task.jobs.get_mut(number)) else {
        return;
    };
    if quiet || trapped || task.state.interactive {
        return;
    }
    job.reported = true;
    let what = trap::description(signal).unwrap_or("Unknown signal");
    let line = format!("{pid:5} {what:<24}").into_bytes();
    let line = [line.as_slice(), &job.text].concat();
    report(task, &line);
}

/// Notes the end of a stage of a pipeline whose last stage the shell runs itself.
fn note_stage(frames: &mut [Frame], pid: Pid, ended: u8) {
    for frame in frames.iter_mut().rev() {
        if let Role::LastStage(stages) = &mut frame.role
            && let Some((_, status)) = stages.iter_mut().find(|(stage, _)| *stage == pid)
        {
            *status = Some(ended);
            return;
        }
    }
}

/// Notes the end of a process that a task waits for.
fn note(waiting: &mut Waiting, pid: Pid, ended: u8) -> bool {
    match waiting {
        Waiting::Tasks { pids, statuses, .. } => {
            let Some(at) = pids.iter().position(|&other| other == pid) else {
                return false;
            };
            statuses[at] = Some(ended);
            true
        }
        Waiting::Substitution {
            pid: awaited,
            status,
            ..
        } if *awaited == pid => {
            *status = Some(ended);
            true
        }
        _ => false,
    }
}
