//! Unix commands linked into the shell because they are hot.
//!
//! An applet reads all its arguments first. Where it implements every one of them exactly it becomes
//! a task; otherwise it declines before any I/O, and the program of the same name runs instead. A
//! task never blocks: [`Running::poll`] says what it waits for.

mod arguments;
mod basename;
mod cat;
#[cfg(feature = "programs")]
mod command;
mod cut;
mod head;
mod io;
mod seq;
mod sleep;
mod tail;
#[cfg(test)]
mod tests;
mod tr;
mod wc;

use std::cell::Cell;
use std::pin::Pin;
use std::rc::Rc;
use std::task::{self, Poll, Waker};

use crate::machine::Budgets;
use crate::os::{Handle, Interest, Os, Result, Stat, Whence};

/// An open file that an applet inherits.
pub trait Stream {
    /// Reads; 0 at the end, [`crate::os::Errno::Again`] where nothing is there yet.
    fn read(&self, buffer: &mut [u8]) -> Result<usize>;
    /// Writes and says how much was taken.
    fn write(&self, data: &[u8]) -> Result<usize>;
    /// Moves the offset.
    fn seek(&self, offset: i64, whence: Whence) -> Result<u64>;
    /// `fstat`
    fn stat(&self) -> Result<Stat>;
    /// Puts back what was read, so that the next read gives it; only what cannot seek needs it.
    fn put_back(&self, bytes: &[u8]) {
        let _ = bytes;
    }
    /// A number that streams of the same open file have in common, and no others; none where that is not known.
    fn place(&self) -> Option<usize> {
        None
    }
}

/// A handle of the system as a stream. It stays open when the stream is dropped.
pub struct HandleStream {
    /// The system.
    pub os: Rc<dyn Os>,
    /// The handle.
    pub handle: Handle,
}

impl Stream for HandleStream {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        self.os.read(self.handle, buffer)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        self.os.write(self.handle, data)
    }

    fn seek(&self, offset: i64, whence: Whence) -> Result<u64> {
        self.os.seek(self.handle, offset, whence)
    }

    fn stat(&self) -> Result<Stat> {
        self.os.stat_handle(self.handle)
    }
}

/// What an applet starts with. It owns all of it, so that it can outlive the command that began it.
pub struct Context {
    /// The system.
    pub os: Rc<dyn Os>,
    /// The arguments, the name first.
    pub arguments: Vec<Vec<u8>>,
    /// The exported variables.
    pub environment: Rc<[(Vec<u8>, Vec<u8>)]>,
    /// Working directory, absolute.
    pub directory: Vec<u8>,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// What the execution may use.
    pub budgets: Budgets,
    /// Instructions that others took which it started.
    pub spent: Cell<u64>,
    /// The open descriptors by number. They are dropped when the applet has ended.
    pub streams: Vec<(u32, Rc<dyn Stream>)>,
}

/// How an applet ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With this status.
    Exit(u8),
    /// It wrote to a pipe without a reader: status 141 unless `SIGPIPE` is ignored.
    BrokenPipe,
}

/// What an applet waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wait {
    /// Input on this descriptor of its context.
    Readable(u32),
    /// Room on this descriptor of its context.
    Writable(u32),
    /// Something of the system.
    System(Interest),
}

/// How far an applet came.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Progress {
    /// It ended; all its output is written.
    Done(Outcome),
    /// Poll it again when this happened.
    Waiting(Wait),
    /// It can go on at once; it returned to let others run.
    More,
}

/// What an applet does.
enum Task {
    /// A computation that reads and writes.
    Work(Pin<Box<dyn Future<Output = Outcome>>>),
    /// It ends with status 0 when the monotonic clock reaches this many nanoseconds.
    Until(u64),
}

/// What tells [`Running::poll`] why a task is pending.
type Awaited = Rc<Cell<Option<Wait>>>;

/// An applet that was started. Dropping it ends it and closes what it opened.
pub struct Running {
    name: &'static str,
    task: Task,
    awaited: Awaited,
    os: Rc<dyn Os>,
    /// What it was started with; none of one that was suspended.
    context: Option<Rc<Context>>,
}

impl Running {
    /// Runs as far as possible.
    pub fn poll(&mut self) -> Progress {
        let work = match &mut self.task {
            Task::Work(work) => work,
            Task::Until(until) if self.os.monotonic() >= *until => {
                return Progress::Done(Outcome::Exit(0));
            }
            Task::Until(until) => {
                return Progress::Waiting(Wait::System(Interest::Time(*until)));
            }
        };
        let mut context = task::Context::from_waker(Waker::noop());
        match work.as_mut().poll(&mut context) {
            Poll::Ready(outcome) => Progress::Done(outcome),
            Poll::Pending => self
                .awaited
                .take()
                .map_or(Progress::More, Progress::Waiting),
        }
    }

    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Instructions that others took since it was last asked, which it started.
    pub(crate) fn spent(&self) -> u64 {
        let spent = self.context.as_ref().map(|context| context.spent.take());
        spent.unwrap_or(0)
    }

    /// The point in time that it only waits for, where that is all that it does.
    pub(crate) fn until(&self) -> Option<u64> {
        match self.task {
            Task::Work(_) => None,
            Task::Until(until) => Some(until),
        }
    }

    /// An applet that only waits for a point in time.
    pub(crate) fn sleeping(os: Rc<dyn Os>, until: u64) -> Running {
        Running {
            name: "sleep",
            task: Task::Until(until),
            awaited: Awaited::default(),
            os,
            context: None,
        }
    }

    /// The same, given up: it ends with this status.
    pub(crate) fn ended(&self, status: u8) -> Running {
        Running {
            name: self.name,
            task: Task::Work(Box::pin(std::future::ready(Outcome::Exit(status)))),
            awaited: Awaited::default(),
            os: self.os.clone(),
            context: None,
        }
    }

    /// Its arguments, the name first.
    pub(crate) fn arguments(&self) -> Vec<Vec<u8>> {
        let given = self
            .context
            .as_ref()
            .map(|context| context.arguments.clone());
        given.unwrap_or_else(|| vec![self.name.as_bytes().to_vec()])
    }
}

/// A command that is linked in.
#[derive(Debug, Clone, Copy)]
pub struct Applet {
    name: &'static str,
    start: Start,
}

/// What begins an applet.
#[derive(Debug, Clone, Copy)]
enum Start {
    /// A task of our own; none where it declines.
    Task(fn(io::Io) -> Option<Task>),
    /// A command of a family.
    #[cfg(feature = "programs")]
    Command(command::Linked),
}

impl Start {
    fn begin(self, io: io::Io) -> Option<Task> {
        match self {
            Start::Task(start) => start(io),
            #[cfg(feature = "programs")]
            Start::Command(linked) => command::start(io, linked),
        }
    }
}

impl Applet {
    /// Its name.
    pub fn name(&self) -> &'static str {
        self.name
    }

    /// Starts it; none where it declines these arguments, and then nothing has happened.
    pub fn start(&self, context: &Rc<Context>) -> Option<Running> {
        if reads_processes(context) {
            return None;
        }
        let awaited = Awaited::default();
        let io = || io::Io::new(context.clone(), awaited.clone());
        let task = self.start.begin(io());
        #[cfg(feature = "programs")]
        let task = task.or_else(|| command::find(self.name.as_bytes())?.start.begin(io()));
        let task = task?;
        Some(Running {
            name: self.name,
            task,
            awaited,
            os: context.os.clone(),
            context: Some(context.clone()),
        })
    }
}

/// Whether it may look at `/proc`, where it would find the shell in its own place.
fn reads_processes(context: &Context) -> bool {
    let is_inside = |path: &[u8]| {
        (path.starts_with(b"/proc/") || path == b"/proc") && io::own_descriptor(path).is_none()
    };
    let mut operands = context.arguments.iter().skip(1);
    let reads = is_inside(&context.directory) || operands.any(|operand| is_inside(operand));
    reads && context.os.has_processes()
}

/// The applet of this name.
pub fn find(name: &[u8]) -> Option<Applet> {
    let at = APPLETS.binary_search_by(|applet| applet.name.as_bytes().cmp(name));
    let found = at.ok().and_then(|at| APPLETS.get(at).copied());
    #[cfg(feature = "programs")]
    let found = found.or_else(|| command::find(name));
    found
}

/// All applets.
pub fn all() -> impl Iterator<Item = &'static Applet> {
    let found = APPLETS.iter();
    #[cfg(feature = "programs")]
    let found = found.chain(command::all());
    found
}

macro_rules! applets {
    ($($name:literal $start:path;)*) => {
        &[$(Applet { name: $name, start: Start::Task($start) }),*]
    };
}

static APPLETS: &[Applet] = applets! {
    "basename" basename::start;
    "cat" cat::start;
    "cut" cut::start;
    "dirname" basename::start_dirname;
    "head" head::start;
    "seq" seq::start;
    "sleep" sleep::start;
    "tail" tail::start;
    "tr" tr::start;
    "wc" wc::start;
};
