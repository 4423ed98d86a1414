//! What is executed, and what came of it.

use serde::{Deserialize, Serialize};
use std::borrow::Cow;
use std::time::Duration;

/// A command line or script to execute, with its options.
///
/// A plain string is enough for most uses: `sandbox.exec("ls -l")`.
///
/// ```
/// use offshoot_backend::Exec;
/// let exec = Exec::new("read line; echo \"$1: $line in $PWD\"")
///     .arguments(["first"])
///     .cwd("/tmp")
///     .stdin("from the caller\n")
///     .timeout_ms(2_000);
/// assert_eq!(exec.cwd.as_deref(), Some("/tmp"));
/// ```
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Exec {
    /// The script, as `bash -c` takes it.
    pub script: Vec<u8>,
    /// `$0`; `bash` by default.
    pub name: Option<Vec<u8>>,
    /// The script was read from a file of that name: see [`Exec::file`].
    #[serde(default)]
    pub from_file: bool,
    /// `$1` and on.
    pub arguments: Vec<Vec<u8>>,
    /// The working directory of this execution; relative to the sandbox's.
    pub cwd: Option<String>,
    /// Variables of this execution.
    pub environment: Vec<(String, String)>,
    /// Only these variables, and none of the sandbox's.
    pub replace_environment: bool,
    /// Standard input.
    pub stdin: Stdin,
    /// Ends the whole tree of processes after this time, with exit code 124.
    pub timeout: Option<Duration>,
    /// Wait for everything that was started: see [`Exec::wait_for_background`].
    #[serde(default)]
    pub waits: bool,
}

impl Exec {
    /// A script, as `bash -c` takes it. It need not be UTF-8.
    pub fn new(script: impl AsRef<[u8]>) -> Exec {
        Exec {
            script: script.as_ref().to_vec(),
            ..Exec::default()
        }
    }

    /// A script that the caller read from a file: `$0` and `${BASH_SOURCE[0]}` are its name, so that
    /// a script can tell whether it is run or sourced, and messages name it as `bash FILE` does.
    ///
    /// The file need not exist in the sandbox. Backends that start a bash of their own run the text
    /// as `bash -c` does, with `name` as `$0`.
    ///
    /// ```
    /// use offshoot_backend::Exec;
    /// let exec = Exec::file("main.sh", "[ \"${BASH_SOURCE[0]}\" = \"$0\" ] && echo run");
    /// assert!(exec.from_file);
    /// ```
    pub fn file(name: impl AsRef<[u8]>, script: impl AsRef<[u8]>) -> Exec {
        Exec {
            from_file: true,
            ..Exec::new(script).name(name)
        }
    }

    /// `$0`, which messages begin with; `bash` by default.
    #[must_use]
    pub fn name(mut self, name: impl AsRef<[u8]>) -> Exec {
        self.name = Some(name.as_ref().to_vec());
        self
    }

    /// `$1` and on. They are not parsed by the shell, so no quoting is needed.
    #[must_use]
    pub fn arguments<A: AsRef<[u8]>>(mut self, arguments: impl IntoIterator<Item = A>) -> Exec {
        self.arguments.extend(
            arguments
                .into_iter()
                .map(|argument| argument.as_ref().to_vec()),
        );
        self
    }

    /// The working directory of this execution; relative to the sandbox's.
    #[must_use]
    pub fn cwd(mut self, directory: impl Into<String>) -> Exec {
        self.cwd = Some(directory.into());
        self
    }

    /// Sets an environment variable for this execution.
    #[must_use]
    pub fn env(mut self, name: impl Into<String>, value: impl Into<String>) -> Exec {
        self.environment.push((name.into(), value.into()));
        self
    }

    /// Gives this execution only the variables that [`Exec::env`] sets, and none of the sandbox's.
    #[must_use]
    pub fn replace_env(mut self) -> Exec {
        self.replace_environment = true;
        self
    }

    /// Standard input; empty by default.
    #[must_use]
    pub fn stdin(mut self, stdin: impl Into<Stdin>) -> Exec {
        self.stdin = stdin.into();
        self
    }

    /// Ends the whole tree of processes after this many milliseconds, with exit code 124.
    #[must_use]
    pub fn timeout_ms(mut self, milliseconds: u64) -> Exec {
        self.timeout = Some(Duration::from_millis(milliseconds));
        self
    }

    /// Waits for all that the script started in the background.
    ///
    /// Otherwise the end is where the script has ended and nothing has its standard output or error
    /// open any more. On backends that claim `background`, `server > /dev/null 2>&1 &` goes on then for as
    /// long as the sandbox is awake, and the time-out does not hold for it; others wait in any case.
    #[must_use]
    pub fn wait_for_background(mut self) -> Exec {
        self.waits = true;
        self
    }

    /// The script as text; bytes that are not UTF-8 become U+FFFD.
    pub fn text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.script)
    }
}

impl<T: AsRef<[u8]> + ?Sized> From<&T> for Exec {
    fn from(script: &T) -> Exec {
        Exec::new(script)
    }
}

impl From<String> for Exec {
    fn from(script: String) -> Exec {
        Exec::new(script)
    }
}

/// Where standard input comes from.
#[derive(Debug, Clone, Default, PartialEq, Eq, Serialize, Deserialize)]
pub enum Stdin {
    /// It is empty.
    #[default]
    Empty,
    /// These bytes.
    Bytes(Vec<u8>),
    /// Whatever is written while it runs; where the whole result is collected, the same as empty.
    Piped,
}

impl From<Vec<u8>> for Stdin {
    fn from(bytes: Vec<u8>) -> Stdin {
        Stdin::Bytes(bytes)
    }
}

impl<T: AsRef<[u8]> + ?Sized> From<&T> for Stdin {
    fn from(bytes: &T) -> Stdin {
        Stdin::Bytes(bytes.as_ref().to_vec())
    }
}

/// What an execution gave. A non-zero exit code is a result like any other.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
#[non_exhaustive]
pub struct ShellResult {
    /// What was executed.
    pub command: String,
    /// The exit status: 0 to 255; 128 + n where signal n ended it, 124 after a time-out.
    pub exit_code: u8,
    /// Standard output, byte for byte.
    pub stdout: Vec<u8>,
    /// Standard error, byte for byte; empty where the backend merges the two.
    pub stderr: Vec<u8>,
    /// Wall-clock milliseconds from the call to the end.
    pub duration_ms: u64,
    /// The time-out ended it.
    pub timed_out: bool,
    /// Output is missing at the end, since it was more than the backend keeps.
    pub truncated: bool,
}

impl ShellResult {
    /// A result without output.
    pub fn new(command: impl Into<String>, exit_code: u8) -> ShellResult {
        ShellResult {
            command: command.into(),
            exit_code,
            ..ShellResult::default()
        }
    }

    /// Standard output as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stdout_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stdout)
    }

    /// Standard error as text; bytes that are not UTF-8 become U+FFFD.
    pub fn stderr_text(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(&self.stderr)
    }

    /// Whether the exit code is 0.
    pub fn success(&self) -> bool {
        self.exit_code == 0
    }
}
