//! `flock` of util-linux: locks that the processes of a sandbox share.
//!
//! A lock belongs to an open file, not to a name and not to a process: a command that is started inherits it with the
//! descriptor, and it is gone when nothing has the file open any more. So `flock FILE COMMAND` holds the lock while the
//! command runs, and `exec 9>FILE; flock 9` holds it until the shell closes descriptor 9.
//!
//! Statuses: that of the command; 1 (or `-E`) where the lock was not to be had in time; else those of `sysexits.h`: 64
//! usage, 65 the lock, 66 the file, 69 the command, 71 the system.

use std::time::{Duration, Instant};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Failure, Handle, Lock, Spawn, Streams};

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n flock [options] <file>|<directory> <command> [<argument>...]\n flock [options] <file>|<directory> -c <command>\n flock [options] <file descriptor number>\n\nManage file locks from shell scripts.\n\nOptions:\n \
            -s, --shared             get a shared lock\n \
            -x, --exclusive          get an exclusive lock (default)\n \
            -u, --unlock             remove a lock\n \
            -n, --nonblock           fail rather than wait\n \
            -w, --timeout <secs>     wait for a limited amount of time\n \
            -E, --conflict-exit-code <number>  exit code after conflict or timeout\n \
            -o, --close              close file descriptor before running command\n \
            -c, --command <command>  run a single command string through the shell\n \
            -F, --no-fork            execute command without forking\n     \
                --verbose            increase verbosity\n",
    options: &[
        Opt("s", "shared", Value::No),
        Opt("xe", "exclusive", Value::No),
        Opt("u", "unlock", Value::No),
        Opt("n", "nonblock", Value::No),
        Opt("n", "nb", Value::No),
        Opt("w", "timeout", Value::Required),
        Opt("w", "wait", Value::Required),
        Opt("E", "conflict-exit-code", Value::Required),
        Opt("o", "close", Value::No),
        Opt("F", "no-fork", Value::No),
        Opt("", "verbose", Value::No),
        Opt("h", "help", Value::No),
        Opt("V", "version", Value::No),
    ],
    permute: false,
    status: USAGE,
};

// The statuses of `sysexits.h`.
/// The command line is wrong.
const USAGE: i32 = 64;
/// What was given cannot be locked.
const DATA: i32 = 65;
/// The file cannot be opened.
const NO_INPUT: i32 = 66;
/// The command cannot be run.
const UNAVAILABLE: i32 = 69;
/// A time cannot be waited for.
const SYSTEM: i32 = 71;

/// Runs `flock`.
pub fn run(call: &Call) -> i32 {
    prepare(call).unwrap_or_else(|status| status)
}

/// What is locked.
enum Target {
    /// A file that was opened for it, made where it was missing.
    File(Vec<u8>, Handle),
    /// A descriptor that the caller has open.
    Descriptor(u32),
}

/// What the command line asks for.
struct Request<'a> {
    call: &'a Call,
    /// The kind of lock; `Lock::None` gives it back.
    lock: Lock,
    /// How long to wait; none waits for ever.
    patience: Option<Duration>,
    /// The status where the lock is not to be had.
    conflict: i32,
    verbose: bool,
    target: Target,
    /// The command; none for a descriptor, or where nothing is to run.
    command: Vec<Vec<u8>>,
}

/// Reads the command line and does what it asks for; `Err` is the exit status.
fn prepare(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &SYNTAX)?;
    if parsed.has("h") {
        let mut out = Output::new();
        out.put(SYNTAX.usage);
        return Ok(out.finish(&call.name, 0, 1));
    }
    let conflict = conflict(call, &parsed)?;
    let patience = patience(call, &parsed)?;
    if parsed.has("F") && parsed.has("o") {
        let message = "the --no-fork and --close options are incompatible";
        return Err(call.fail(USAGE, message));
    }
    let (target, command) = match parsed.operands.as_slice() {
        [] => return Err(options::usage_error(call, &SYNTAX, "not enough arguments")),
        [number] => {
            let wrong = || call.fail(USAGE, bytes!("bad file descriptor: '", number, "'"));
            let number = options::number(number).ok_or_else(wrong)?;
            (Target::Descriptor(number), Vec::new())
        }
        [path, command @ ..] => {
            let command = words(call, command)?;
            let handle = system::open_lock(path).map_err(|failure| {
                call.fail(
                    NO_INPUT,
                    bytes!("cannot open lock file ", path, ": ", failure),
                )
            })?;
            (Target::File(path.clone(), handle), command)
        }
    };
    let request = Request {
        call,
        lock: match parsed.last(&["s", "x", "u"]) {
            Some("s") => Lock::Shared,
            Some("u") => Lock::None,
            _ => Lock::Exclusive,
        },
        patience,
        conflict,
        verbose: parsed.has("verbose"),
        target,
        command,
    };
    request.serve(parsed.has("o"))
}

/// The command: words, or a text for the shell behind `-c`.
fn words(call: &Call, given: &[Vec<u8>]) -> Result<Vec<Vec<u8>>, i32> {
    let [option, rest @ ..] = given else {
        return Ok(Vec::new());
    };
    if option != b"-c" && option != b"--command" {
        return Ok(given.to_vec());
    }
    let [text] = rest else {
        let message = bytes!(option, " requires exactly one command argument");
        return Err(call.fail(USAGE, message));
    };
    let shell = std::env::var_os("SHELL").map(|shell| shell.into_encoded_bytes());
    let shell = shell.filter(|shell| !shell.is_empty());
    let shell = shell.unwrap_or_else(|| b"/bin/sh".to_vec());
    Ok(vec![shell, b"-c".to_vec(), text.clone()])
}

/// The status of `-E`; 1 by default.
fn conflict(call: &Call, parsed: &Parsed) -> Result<i32, i32> {
    let Some(text) = parsed.value("E") else {
        return Ok(1);
    };
    let wrong = || call.fail(USAGE, bytes!("invalid exit code: '", text, "'"));
    let code: i32 = options::number(text).ok_or_else(wrong)?;
    if !(0..=255).contains(&code) {
        let message = "exit code out of range (expected 0 to 255)";
        return Err(call.fail(USAGE, message));
    }
    Ok(code)
}

/// How long to wait: `-n` not at all, `-w SECONDS`, else for ever (`None`).
fn patience(call: &Call, parsed: &Parsed) -> Result<Option<Duration>, i32> {
    let seconds = match parsed.value("w") {
        None => None,
        Some(text) => {
            let wrong = || call.fail(USAGE, bytes!("invalid timeout value: '", text, "'"));
            let seconds: f64 = options::number(text).ok_or_else(wrong)?;
            let refuse = |_| call.fail(SYSTEM, "cannot set up timer: Invalid argument");
            Some(Duration::try_from_secs_f64(seconds).map_err(refuse)?)
        }
    };
    Ok(if parsed.has("n") {
        Some(Duration::ZERO)
    } else {
        seconds
    })
}

impl Request<'_> {
    /// Takes the lock and runs the command; `closes` is `-o`.
    fn serve(&self, closes: bool) -> Result<i32, i32> {
        let mut out = Output::new();
        let start = Instant::now();
        self.wait(start)?;
        if self.verbose {
            let took = start.elapsed().as_secs_f64();
            let name = &self.call.name;
            out.line(format!("{name}: getting lock took {took:.6} seconds"));
        }
        let Some(program) = self.command.first() else {
            return Ok(out.finish(&self.call.name, 0, 1));
        };
        if self.verbose {
            out.line(bytes!(self.call.name, ": executing ", program));
        }
        let status = self.execute(program, closes)?;
        Ok(out.finish(&self.call.name, status, 1))
    }

    /// Waits until the lock is there. There is no way to wait for one, so it is tried again and again, first after 0.2
    /// ms, then every 20 ms at most; `Err` is the status after the time is up.
    fn wait(&self, start: Instant) -> Result<(), i32> {
        let mut pause = Duration::from_micros(200);
        loop {
            match self.attempt() {
                Err(system::AGAIN) => {}
                Err(failure) => {
                    let name = match &self.target {
                        Target::File(name, _) => name.clone(),
                        Target::Descriptor(number) => number.to_string().into_bytes(),
                    };
                    return Err(self.call.fail(DATA, bytes!(name, ": ", failure)));
                }
                Ok(()) => return Ok(()),
            }
            if self.patience.is_some_and(|limit| start.elapsed() >= limit) {
                if self.verbose {
                    let waited = self.patience != Some(Duration::ZERO);
                    self.call.fail(
                        0,
                        if waited {
                            "timeout while waiting to get lock"
                        } else {
                            "failed to get lock"
                        },
                    );
                }
                return Err(self.conflict);
            }
            std::thread::sleep(pause);
            pause = (pause * 2).min(Duration::from_millis(20));
        }
    }

    /// Tries to take the lock; `AGAIN` where another one has it.
    fn attempt(&self) -> system::Result<()> {
        match &self.target {
            Target::File(_, handle) => system::lock(handle, self.lock),
            Target::Descriptor(number) => system::lock_descriptor(*number, self.lock),
        }
    }

    /// Runs the command, which has the lock too unless the file is closed for it.
    fn execute(&self, program: &[u8], closes: bool) -> Result<i32, i32> {
        let refuse = |failure: Failure| {
            let message = bytes!("failed to execute ", program, ": ", failure);
            self.call.fail(UNAVAILABLE, message)
        };
        let path = system::find_program(program, &system::search_path()).map_err(refuse)?;
        let kept = match &self.target {
            Target::File(_, handle) if !closes => Some(handle),
            _ => None,
        };
        let spawn = Spawn {
            path: &path,
            arguments: &self.command,
            environment: &system::environment(),
            directory: None,
            streams: Streams {
                kept,
                ..Streams::default()
            },
        };
        let pid = system::spawn(&spawn).map_err(refuse)?;
        let exit = system::wait(pid).map_err(refuse)?;
        Ok(exit.status())
    }
}
