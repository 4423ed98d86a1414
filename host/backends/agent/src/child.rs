//! One command: its processes, and the ends of its streams.

use offshoot_agent::{Failure, Start, WINDOW};
use rustix::process::{Pid, PidfdFlags, Signal};
use std::collections::VecDeque;
use std::ffi::{OsStr, OsString};
use std::fs;
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt, OsStringExt};
use std::os::unix::process::CommandExt;
use std::path::{Path, PathBuf};
use std::process::{Command, Stdio};
use std::time::Instant;

/// The first argument of the agent as it goes into a group and becomes a command.
pub(crate) const ENTER: &str = "enter";
const GROUPS: &str = "/sys/fs/cgroup";
/// Where a shell may be, the better ones first.
const SHELLS: [&str; 4] = [
    "/bin/bash",
    "/usr/bin/bash",
    "/usr/local/bin/bash",
    "/bin/sh",
];

/// Goes into the group of the first argument and becomes the rest.
pub(crate) fn enter(mut words: impl Iterator<Item = OsString>) -> io::Result<()> {
    let mut word = || {
        words
            .next()
            .ok_or_else(|| io::Error::other("a word is missing"))
    };
    let (group, program, name) = (word()?, word()?, word()?);
    rustix::process::setsid()?;
    let _ = fs::write("/proc/self/oom_score_adj", "0");
    // Without groups, sessions have to do.
    let _ = fs::write(Path::new(&group).join("cgroup.procs"), "0");
    Err(Command::new(program).arg0(name).args(words).exec())
}

/// All processes of one command: a group of the kernel's, or the session of its first one.
#[derive(Debug)]
pub(crate) struct Group {
    path: PathBuf,
    leader: Pid,
    /// Of the first process, which may not be in the group yet.
    handle: OwnedFd,
}

impl Group {
    /// Sends a signal to all of them; those who are gone by now are no fault.
    pub(crate) fn signal(&self, signal: Signal) {
        let _ = rustix::process::pidfd_send_signal(&self.handle, signal);
        if !self.path.exists() {
            let _ = rustix::process::kill_process_group(self.leader, signal);
        }
        if signal == Signal::KILL && fs::write(self.path.join("cgroup.kill"), "1").is_ok() {
            return;
        }
        for process in self.processes() {
            if process != self.leader {
                let _ = rustix::process::kill_process(process, signal);
            }
        }
    }

    /// What becomes readable when the first process ends.
    pub(crate) fn handle(&self) -> &OwnedFd {
        &self.handle
    }

    /// Whether one of them is there.
    pub(crate) fn is_alive(&self) -> bool {
        !self.processes().is_empty()
    }

    fn processes(&self) -> Vec<Pid> {
        let listed = fs::read_to_string(self.path.join("cgroup.procs")).unwrap_or_default();
        let numbers = listed.lines().filter_map(|line| line.parse().ok());
        numbers.filter_map(Pid::from_raw).collect()
    }

    /// Removes the group; false where somebody is in it.
    pub(crate) fn remove(&self) -> bool {
        match fs::remove_dir(&self.path) {
            Err(error) => error.kind() == io::ErrorKind::NotFound,
            Ok(()) => true,
        }
    }
}

/// Standard input on its way to a command.
#[derive(Debug)]
pub(crate) struct Feed {
    pub(crate) pipe: OwnedFd,
    pub(crate) bytes: VecDeque<u8>,
    pub(crate) is_complete: bool,
}

/// A command that runs.
#[derive(Debug)]
pub(crate) struct Child {
    pub(crate) group: Group,
    pub(crate) stdin: Option<Feed>,
    pub(crate) outputs: [Option<OwnedFd>; 2],
    /// Bytes of output that the host has room for.
    pub(crate) room: usize,
    pub(crate) status: Option<u8>,
    pub(crate) waits: bool,
    /// When it is killed that was asked to end.
    pub(crate) kill_at: Option<Instant>,
}

impl Child {
    /// Starts one, in a group of this number.
    pub(crate) fn start(start: &Start, number: u64) -> Result<Child, (Failure, String)> {
        if !Path::new(&start.cwd).is_dir() {
            return Err((Failure::NoDirectory, start.cwd.clone()));
        }
        let shell = SHELLS.iter().find(|shell| Path::new(shell).exists());
        let shell = shell.ok_or_else(|| (Failure::Other, "there is no shell".to_owned()))?;
        let path = Path::new(GROUPS).join(format!("offshoot-{number}"));
        let _ = fs::create_dir(&path);
        let mut command = Command::new("/proc/self/exe");
        let argv = [b"-c", &*start.script, &*start.name];
        let stdin = match start.stdin {
            true => Stdio::piped(),
            false => Stdio::null(),
        };
        let name = Path::new(shell).file_name().unwrap_or_default();
        command
            .arg(ENTER)
            .arg(&path)
            .arg(shell)
            .arg(name)
            .args(argv.map(OsStr::from_bytes))
            .args(start.arguments.iter().cloned().map(OsString::from_vec))
            .current_dir(&start.cwd)
            .env_clear()
            .envs(start.environment.iter().map(|(name, value)| (name, value)))
            .stdin(stdin)
            .stdout(Stdio::piped())
            .stderr(Stdio::piped());
        let started = command.spawn().and_then(|mut child| {
            let leader = i32::try_from(child.id()).ok().and_then(Pid::from_raw);
            let leader = leader.ok_or_else(|| io::Error::other("a process without a number"))?;
            let stdin = child.stdin.take().map(|pipe| Feed {
                pipe: pipe.into(),
                bytes: VecDeque::new(),
                is_complete: false,
            });
            let outputs = [
                child.stdout.take().map(OwnedFd::from),
                child.stderr.take().map(OwnedFd::from),
            ];
            let ends = stdin
                .iter()
                .map(|feed| &feed.pipe)
                .chain(outputs.iter().flatten());
            for end in ends {
                rustix::io::ioctl_fionbio(end, true)?;
            }
            Ok(Child {
                group: Group {
                    path: path.clone(),
                    leader,
                    handle: rustix::process::pidfd_open(leader, PidfdFlags::empty())?,
                },
                stdin,
                outputs,
                room: WINDOW,
                status: None,
                waits: start.waits,
                kill_at: None,
            })
        });
        started.map_err(|error| {
            let _ = fs::remove_dir(&path);
            let failure = match error.kind() {
                io::ErrorKind::ArgumentListTooLong => Failure::TooLong,
                io::ErrorKind::WouldBlock | io::ErrorKind::OutOfMemory => Failure::Full,
                _ => Failure::Other,
            };
            (failure, error.to_string())
        })
    }

    /// The number of its first process.
    pub(crate) fn leader(&self) -> Pid {
        self.group.leader
    }

    /// Whether everything is over that the host waits for.
    pub(crate) fn is_over(&self) -> bool {
        self.status.is_some()
            && self.outputs.iter().all(Option::is_none)
            && !(self.waits && self.group.is_alive())
    }
}
