//! What a shell is asked to run.

use std::time::Duration;

use super::{Signals, Suspender};
use crate::Stdio;
use crate::guest::{sandbox_types, shell_bindings};

/// The first state of a shell.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Setup {
    /// Environment variables.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory, absolute.
    pub directory: Vec<u8>,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// Behave as `sh`, not as `bash`.
    pub posix: bool,
}

impl Default for Setup {
    /// `bash` in `/` with an empty environment and a umask of 022.
    fn default() -> Setup {
        let directory = b"/".to_vec();
        Setup {
            environment: Vec::new(),
            directory,
            umask: 0o022,
            posix: false,
        }
    }
}

impl Setup {
    pub(super) fn to_guest(&self) -> shell_bindings::Setup {
        shell_bindings::Setup {
            environment: self.environment.clone(),
            directory: self.directory.clone(),
            umask: self.umask,
            posix: self.posix,
        }
    }
}

/// What to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Source {
    /// The text of a script.
    Text(Vec<u8>),
    /// The path of a script in the sandbox.
    File(Vec<u8>),
    /// The text of a script that was read from a file of the name of `$0`.
    Script(Vec<u8>),
    /// Commands from standard input.
    Input,
    /// The options and operands of `bash`, without the name.
    Invocation(Vec<Vec<u8>>),
}

impl Source {
    fn to_guest(&self) -> shell_bindings::Source {
        match self {
            Source::Text(text) => shell_bindings::Source::Text(text.clone()),
            Source::File(path) => shell_bindings::Source::File(path.clone()),
            Source::Script(text) => shell_bindings::Source::Script(text.clone()),
            Source::Input => shell_bindings::Source::Input,
            Source::Invocation(words) => shell_bindings::Source::Invocation(words.clone()),
        }
    }
}

/// Budgets that the shell counts itself; 0 means no limit.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Budgets {
    /// Instructions of its machine (T19).
    pub steps: u64,
    /// Nesting of functions, substitutions, subshells, `eval` and `source` (T20, T21).
    pub depth: u32,
    /// Bytes written by builtins and applets (T25).
    pub output: u64,
    /// Bytes that one word expansion may produce (T22, T23).
    pub expansion: u64,
    /// Bytes that variables hold (T23).
    pub variables: u64,
}

impl Default for Budgets {
    /// No limit of steps and output (time and [`crate::Limits::output`] hold), a depth of 12,000,
    /// 48 MiB for an expansion and 64 MiB for variables.
    fn default() -> Budgets {
        Budgets {
            steps: 0,
            depth: 12_000,
            output: 0,
            expansion: 48 << 20,
            variables: 64 << 20,
        }
    }
}

impl From<Budgets> for sandbox_types::Budgets {
    fn from(budgets: Budgets) -> sandbox_types::Budgets {
        sandbox_types::Budgets {
            steps: budgets.steps,
            depth: budgets.depth,
            output: budgets.output,
            expansion: budgets.expansion,
            variables: budgets.variables,
        }
    }
}

/// One execution.
#[derive(Debug, Clone)]
pub struct Request {
    /// The script.
    pub source: Source,
    /// `$0`.
    pub name: Vec<u8>,
    /// `$1` and on.
    pub arguments: Vec<Vec<u8>>,
    /// Variables added to the environment for this execution only.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory for this execution only.
    pub directory: Option<Vec<u8>>,
    /// Its descriptors; those of 0, 1 and 2 that are missing are [`Stdio::Null`].
    pub descriptors: Vec<(u32, Stdio)>,
    /// What the shell counts itself.
    pub budgets: Budgets,
    /// Ends it with everything that it started after this time; by default
    /// [`crate::Limits::wall_time`].
    pub wall_time: Option<Duration>,
    /// Where signals for it come from.
    pub signals: Signals,
    /// Who may suspend it.
    pub suspender: Suspender,
    /// Wait for background jobs too, as a reader of the output of `bash -c` does. Otherwise the
    /// end of the script is the end of the execution.
    pub wait_for_background: bool,
    /// Where that waits only for commands that have none of [`Request::descriptors`] open for writing, as
    /// `server > /dev/null 2>&1 &` has not, be done with the execution and let them go on: until they
    /// end, or the sandbox does. Its time limit does not hold for them.
    pub release: bool,
    /// Leave processes alone that still run at the end; otherwise they are killed.
    pub detach: bool,
}

/// How a suspended script goes on.
#[derive(Debug, Clone, Default)]
pub struct Resume {
    /// What its descriptors are that the embedder gave; what is missing is [`Stdio::Null`]. What had
    /// arrived at one and was not read comes before what is given here.
    pub descriptors: Vec<(u32, Stdio)>,
    /// Ends it after this time; by default what was left when it was suspended.
    pub wall_time: Option<Duration>,
    /// Where signals for it come from.
    pub signals: Signals,
    /// Who may suspend it again.
    pub suspender: Suspender,
}

impl Request {
    /// A script with nothing connected.
    pub fn new(source: Source) -> Request {
        Request {
            source,
            name: b"bash".to_vec(),
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            descriptors: Vec::new(),
            budgets: Budgets::default(),
            wall_time: None,
            signals: Signals::new(),
            suspender: Suspender::new(),
            wait_for_background: false,
            release: false,
            detach: false,
        }
    }

    /// The text of a script.
    pub fn text(script: impl Into<Vec<u8>>) -> Request {
        Request::new(Source::Text(script.into()))
    }

    /// Adds a descriptor.
    #[must_use]
    pub fn descriptor(mut self, number: u32, stdio: Stdio) -> Request {
        self.descriptors.push((number, stdio));
        self
    }

    /// What `ps` shows.
    pub(super) fn command_line(&self) -> Vec<Vec<u8>> {
        let mut line = vec![self.name.clone()];
        line.extend(self.arguments.iter().cloned());
        line
    }

    /// The text of the script, where it is one.
    pub(super) fn script(&self) -> &[u8] {
        match &self.source {
            Source::Text(text) | Source::Script(text) => text,
            _ => &[],
        }
    }

    /// For the guest, without what is known only when it starts.
    pub(super) fn to_guest(
        &self,
        descriptors: Vec<(u32, u32)>,
        keep: bool,
    ) -> shell_bindings::Request {
        let has_extras =
            !self.arguments.is_empty() || !self.environment.is_empty() || self.directory.is_some();
        let extras = has_extras.then(|| shell_bindings::Extras {
            arguments: self.arguments.clone(),
            environment: self.environment.clone(),
            directory: self.directory.clone(),
            ..no_extras()
        });
        shell_bindings::Request {
            source: self.source.to_guest(),
            name: self.name.clone(),
            descriptors,
            budgets: self.budgets.into(),
            keep,
            extras,
        }
    }
}

/// To be filled.
pub(super) fn no_extras() -> shell_bindings::Extras {
    shell_bindings::Extras {
        arguments: Vec::new(),
        environment: Vec::new(),
        directory: None,
        signals: Vec::new(),
        leaves: Vec::new(),
    }
}
