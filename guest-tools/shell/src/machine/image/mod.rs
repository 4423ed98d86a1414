//! Suspended scripts: an execution under way as bytes.
//!
//! Between two polls everything about a script is plain data: the frames of its tasks and the code
//! that they run, their variables, pipes and what the pipes hold. [`Machine::suspend`] writes it
//! down, [`Machine::resume`] goes on with it, in another instance too, and more than once. Open
//! files of the system are named by their handles; the host sees to it that these mean the same.
//!
//! The bytes begin with a magic, the version that wrote them and the oldest version that can read
//! them, and end with a sum of all before it, so that damage is noticed. They hold compiled code, so
//! a change to the instructions is a new version; a field that is added to what runs does not
//! compile until it is written and read here.

mod code;
mod shell;
mod task;

use super::StateError;
use super::execution::{ExecutionId, Session};
use super::symbol::Symbol;
use super::task::{Task, TaskId, Waiting};
use super::{Budgets, Machine};
use crate::codec::{Codec, Known, Reader, Writer, Written, record};
use crate::os::{Handle, Pid};

const MAGIC: &[u8; 8] = b"OFFTASKS";
const VERSION: u32 = 18;
const OLDEST_READER: u32 = 18;

record!(Budgets {
    steps,
    depth,
    output,
    expansion,
    variables
});

/// A script that was suspended.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspended {
    /// What [`Machine::resume`] takes.
    pub bytes: Vec<u8>,
    /// The handles of the system that it has open.
    pub handles: Vec<Handle>,
}

/// Why a script could not be suspended.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum SuspendError {
    /// There is no such execution, or nothing of it runs any more.
    Ended,
    /// A command that is no part of the shell is under way.
    InFlight {
        /// Its name.
        command: Vec<u8>,
        /// Its process, where it has one.
        pid: Option<Pid>,
    },
    /// Commands are nested deeper than a reader could follow.
    TooDeep,
}

impl SuspendError {
    /// A stable code.
    pub fn code(&self) -> &'static str {
        match self {
            SuspendError::Ended => "NOT_FOUND",
            SuspendError::InFlight { .. } => "CONFLICT",
            SuspendError::TooDeep => "LIMIT",
        }
    }
}

impl std::fmt::Display for SuspendError {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        match self {
            SuspendError::Ended => formatter.write_str("nothing of the script runs"),
            SuspendError::InFlight { command, .. } => {
                let command = String::from_utf8_lossy(command);
                write!(formatter, "`{command}` is under way")
            }
            SuspendError::TooDeep => formatter.write_str("commands are nested too deep"),
        }
    }
}

impl std::error::Error for SuspendError {}

/// FNV-1a: enough against damage, and nothing more is asked of it.
fn sum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

/// The command under way outside of the shell, for which a task waits.
fn in_flight(task: &Task) -> Option<SuspendError> {
    match &task.waiting {
        Some(Waiting::Child { pid, name, .. }) => Some(SuspendError::InFlight {
            command: name.to_vec(),
            pid: Some(*pid),
        }),
        Some(Waiting::Applet(running)) if running.until().is_none() => {
            Some(SuspendError::InFlight {
                command: running.name().into(),
                pid: None,
            })
        }
        _ => None,
    }
}

impl Machine {
    /// An execution under way as bytes; it goes on unless it is dropped.
    ///
    /// Pipes of the system that belong to the script alone are emptied into the bytes, and files are
    /// set to the offset that the script sees; so whoever waits for one of its handles has to poll
    /// again first.
    ///
    /// # Errors
    ///
    /// [`SuspendError::InFlight`] while a program or an applet is under way: its state is its own.
    /// [`Machine::hold`] makes a script wait before the next one. [`SuspendError::TooDeep`] for
    /// commands that the parser takes and whose image could not be read again.
    pub fn suspend(&mut self, id: ExecutionId) -> Result<Suspended, SuspendError> {
        let tasks: Vec<&Task> = self
            .tasks
            .iter()
            .flatten()
            .map(|task| &**task)
            .filter(|task| task.execution == id.0)
            .collect();
        if tasks.is_empty() {
            return Err(SuspendError::Ended);
        }
        if let Some(error) = tasks.iter().find_map(|task| in_flight(task)) {
            return Err(error);
        }
        let Some(Some(execution)) = self.executions.get(id.0) else {
            return Err(SuspendError::Ended);
        };
        let places = tasks.iter().map(|task| task.id.0).collect();
        let mut writer = Writer::new(Written::new(self.os.monotonic(), places));
        writer.number(tasks.len() as u64);
        execution.encode(&mut writer);
        for task in &tasks {
            task::encode(task, &mut writer);
        }
        let mut order: Vec<TaskId> = self.ready.borrow().order().collect();
        order.retain(|id| writer.context.tasks.contains(&id.0));
        order.encode(&mut writer);
        let mut mail = self.mail.clone();
        mail.retain(|(parent, ..)| writer.context.tasks.contains(&parent.0));
        mail.encode(&mut writer);
        let mut killed = self.killed.clone();
        killed.retain(|(killed, _)| mail.iter().any(|(_, pid, _)| pid == killed));
        killed.encode(&mut writer);
        self.last_pid().encode(&mut writer);
        self.symbols.wants_command.encode(&mut writer);
        if writer.too_deep {
            return Err(SuspendError::TooDeep);
        }
        Ok(Suspended {
            bytes: self.finish_image(&writer),
            handles: writer.context.handles.into_iter().collect(),
        })
    }

    /// Lets an execution wait before it starts a program or an applet while no other one of its is
    /// under way, so that it can be suspended; or lets it go on. It then waits for nothing else:
    /// [`Machine::poll`] names no interest for it.
    pub fn hold(&mut self, id: ExecutionId, held: bool) {
        let Some(Some(execution)) = self.executions.get_mut(id.0) else {
            return;
        };
        execution.held = held;
        let mut ready = self.ready.borrow_mut();
        for task in self.tasks.iter().flatten() {
            if task.execution == id.0 && matches!(task.waiting, Some(Waiting::Held { .. })) {
                ready.push(task.id);
            }
        }
    }

    /// Whether a task has to wait before it starts a command outside of the shell.
    pub(super) fn is_held(&self, task: &Task) -> bool {
        let execution = self.executions.get(task.execution);
        if !matches!(execution, Some(Some(execution)) if execution.held) {
            return false;
        }
        let mut others = self.tasks.iter().flatten();
        !others.any(|other| other.execution == task.execution && in_flight(other).is_some())
    }

    fn finish_image(&self, body: &Writer) -> Vec<u8> {
        let mut whole = Writer::new(Written::default());
        whole.bytes.extend_from_slice(MAGIC);
        VERSION.encode(&mut whole);
        OLDEST_READER.encode(&mut whole);
        whole.number(body.context.names.len() as u64);
        for name in &body.context.names {
            self.symbols.name(Symbol(*name)).encode(&mut whole);
        }
        whole.bytes.extend_from_slice(&body.bytes);
        let sum = sum(&whole.bytes);
        whole.bytes.extend_from_slice(&sum.to_le_bytes());
        whole.bytes
    }

    /// Goes on with a script that was suspended, on a session of its own.
    ///
    /// `handles` gives the handle of this system for each of [`Suspended::handles`]; one that was
    /// opened by the script is closed by it. Time that went by since does not count as waited.
    ///
    /// # Errors
    ///
    /// [`StateError::Corrupt`] where the bytes are no suspended script, an older version wrote them or
    /// a handle is missing, [`StateError::TooNew`] where a newer version wrote them. Handles that were given may then be
    /// closed already.
    pub fn resume(
        &mut self,
        bytes: &[u8],
        handles: &dyn Fn(Handle) -> Option<Handle>,
    ) -> Result<(Session, ExecutionId), StateError> {
        let (bytes, end) = bytes.split_last_chunk().ok_or(StateError::Corrupt)?;
        let mut reader = Reader::new(
            bytes,
            Known {
                names: Vec::new(),
                handles,
                now: self.os.monotonic(),
                os: self.os.clone(),
                ready: self.ready.clone(),
                tasks: Vec::new(),
            },
        );
        if reader.take(MAGIC.len())? != MAGIC || sum(bytes) != u64::from_le_bytes(*end) {
            return Err(StateError::Corrupt);
        }
        let (version, oldest): (u32, u32) = Codec::decode(&mut reader)?;
        if oldest > VERSION {
            return Err(StateError::TooNew);
        }
        if version < OLDEST_READER {
            return Err(StateError::Corrupt);
        }
        for _ in 0..reader.count()? {
            let name = crate::text::Text::decode(&mut reader)?;
            reader.context.names.push(self.symbols.intern(&name).0);
        }
        let count = reader.count()?;
        if count == 0 {
            return Err(StateError::Corrupt);
        }
        let free = (0..).filter(|&place| self.tasks.get(place).is_none_or(Option::is_none));
        reader.context.tasks = free.take(count).collect();
        let index = self.free_execution();
        let execution = super::execution::Execution::decode(&mut reader)?;
        let mut tasks = Vec::with_capacity(count);
        for place in reader.context.tasks.clone() {
            tasks.push(task::decode(TaskId(place), index, &mut reader)?);
        }
        let order: Vec<TaskId> = Codec::decode(&mut reader)?;
        let mail: Vec<(TaskId, Pid, u8)> = Codec::decode(&mut reader)?;
        let killed: Vec<(Pid, u8)> = Codec::decode(&mut reader)?;
        let last_pid: Pid = Codec::decode(&mut reader)?;
        let wants_command = bool::decode(&mut reader)?;
        if !reader.is_empty() {
            return Err(StateError::Corrupt);
        }
        self.last_pid = Some(self.last_pid().max(last_pid));
        self.symbols.wants_command |= wants_command;
        self.mail.extend(mail);
        self.killed.extend(killed);
        let waiting = tasks.iter().map(|task| task.id);
        let mut ready = self.ready.borrow_mut();
        for id in order.into_iter().chain(waiting) {
            ready.push(id);
        }
        drop(ready);
        self.free
            .retain(|place| !reader.context.tasks.contains(place));
        for task in tasks {
            self.note_references(&task);
            let place = task.id.0;
            if self.tasks.len() <= place {
                self.tasks.resize_with(place + 1, || None);
            }
            self.tasks[place] = Some(Box::new(task));
        }
        let session = execution.session();
        self.executions[index] = Some(execution);
        Ok((session, ExecutionId(index)))
    }
}
