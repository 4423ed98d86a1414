//! What a new process starts with, and the handle on it.

use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::time::Duration;

use super::{Entry, ProcessEnd};
use crate::Stdio;

/// Where a process comes from; by default from the embedder.
#[derive(Debug, Clone, Copy, Default)]
pub(crate) struct Origin {
    /// Its parent, if it has one.
    pub(crate) parent: Option<u32>,
    /// The task whose number it gets where that is free.
    pub(crate) task: Option<u32>,
}

/// What a new process starts with.
///
/// # Examples
/// ```
/// use offshoot_kernel::{SpawnOptions, Stdio};
///
/// let (output, _reader) = Stdio::output();
/// let options = SpawnOptions::new("/bin/ls", ["ls", "-l"]).descriptor(1, output);
/// assert_eq!(options.arguments.len(), 2);
/// ```
#[derive(Debug, Clone)]
pub struct SpawnOptions {
    /// Absolute path of a program, or of a script that begins with `#!`.
    pub path: Vec<u8>,
    /// The arguments; the first is the name it is called by.
    pub arguments: Vec<Vec<u8>>,
    /// The whole environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory, absolute.
    pub directory: Vec<u8>,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// Its descriptors; those of 0, 1 and 2 that are missing are [`Stdio::Null`].
    pub descriptors: Vec<(u32, Stdio)>,
    /// Ends it and all that it started after this time; by default [`crate::Limits::wall_time`].
    pub wall_time: Option<Duration>,
}

impl SpawnOptions {
    /// A program with its arguments, in `/`, with an empty environment and nothing connected.
    pub fn new<A: Into<Vec<u8>>>(
        path: impl Into<Vec<u8>>,
        arguments: impl IntoIterator<Item = A>,
    ) -> SpawnOptions {
        SpawnOptions {
            path: path.into(),
            arguments: arguments.into_iter().map(Into::into).collect(),
            environment: Vec::new(),
            directory: b"/".to_vec(),
            umask: 0o022,
            descriptors: Vec::new(),
            wall_time: None,
        }
    }

    /// Adds a descriptor.
    #[must_use]
    pub fn descriptor(mut self, number: u32, stdio: Stdio) -> SpawnOptions {
        self.descriptors.push((number, stdio));
        self
    }

    /// Adds an environment variable.
    #[must_use]
    pub fn variable(mut self, name: impl Into<Vec<u8>>, value: impl Into<Vec<u8>>) -> SpawnOptions {
        self.environment.push((name.into(), value.into()));
        self
    }
}

/// What a running process was started with.
pub(crate) struct Startup {
    pub(crate) arguments: Vec<Vec<u8>>,
    pub(crate) environment: Arc<Vec<(Vec<u8>, Vec<u8>)>>,
    pub(crate) directory: Vec<u8>,
    pub(crate) umask: u32,
}

impl Startup {
    /// Bytes of arguments and environment, with the end of each and a pointer to it, as Linux counts.
    pub(crate) fn size(&self) -> usize {
        const POINTER: usize = 8;
        let arguments = self.arguments.iter();
        let arguments = arguments.map(|argument| argument.len() + 1 + POINTER);
        let variables = self
            .environment
            .iter()
            .map(|(name, value)| name.len() + value.len() + 2 + POINTER);
        arguments.chain(variables).sum()
    }
}

/// A process that was started. Dropping the handle leaves the process alone.
#[derive(Clone)]
pub struct Process(Arc<Entry>);

impl Process {
    pub(crate) fn new(entry: Arc<Entry>) -> Process {
        Process(entry)
    }

    /// Its number in the sandbox.
    pub fn pid(&self) -> u32 {
        self.0.pid
    }

    /// Waits until it has ended. Any number of callers may wait, and may stop waiting.
    pub async fn wait(&self) -> ProcessEnd {
        poll_fn(|context| {
            self.0.poll_ended(context.waker());
            match self.0.ended() {
                Some(end) => Poll::Ready(end),
                None => Poll::Pending,
            }
        })
        .await
    }

    /// How it ended; none while it runs.
    pub fn ended(&self) -> Option<ProcessEnd> {
        self.0.ended()
    }

    /// Sends a signal by its POSIX number. A program ends at the instruction it is at; a shell may
    /// have a trap for all but 9 and 19.
    pub fn kill(&self, signal: u8) {
        self.0.send(signal);
    }

    /// Sends a signal to it and to everything that it started.
    pub fn kill_all(&self, signal: u8) {
        self.0.group.send(signal);
    }

    /// Processor time that it and everything that it started used so far.
    pub fn cpu_time(&self) -> Duration {
        self.0.group.spent()
    }
}

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("pid", &self.0.pid)
            .field("end", &self.0.ended())
            .finish()
    }
}
