//! A whole sandbox in one value: the shell over a filesystem of its own, without a host.

use std::cell::Cell;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_vfs::{self as vfs, Caller, Quotas, Vfs};

use crate::machine::{Budgets, Limit, Machine, Outcome, Progress, Request, Setup, Source};
use crate::os::linked::{LinkedOs, Settings};
use crate::os::{Errno, FileKind, Identity, Interest, OpenOptions, Os, Stat};
use crate::{applet, machine::path};

/// What a sandbox starts with.
#[derive(Debug, Clone, Default)]
pub struct Options {
    /// Environment variables beside the usual ones.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory; `/home/user` by default.
    pub directory: Option<Vec<u8>>,
    /// Bytes that files may take; 1 GiB by default.
    pub max_bytes: Option<u64>,
    /// Files and directories that may exist; 1,000,000 by default.
    pub max_inodes: Option<u64>,
    /// Budgets of each execution.
    pub budgets: Budgets,
    /// Fixes clock and randomness.
    pub seed: Option<u64>,
}

/// Options of one execution.
#[derive(Debug, Clone, Default)]
pub struct ExecOptions {
    /// Working directory; relative to the sandbox's.
    pub directory: Option<Vec<u8>>,
    /// Variables for this execution.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Standard input.
    pub stdin: Vec<u8>,
    /// Milliseconds after which the execution ends with status 124.
    pub timeout_ms: Option<u64>,
}

/// What an execution produced.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct ExecResult {
    /// Exit status.
    pub status: u8,
    /// Standard output.
    pub stdout: Vec<u8>,
    /// Standard error.
    pub stderr: Vec<u8>,
    /// The limit that ended it.
    pub exceeded: Option<Limit>,
}

/// A sandbox: files and settings. Commands are the builtins and applets of the shell.
///
/// ```
/// use offshoot_shell::sandbox::{ExecOptions, Options, Sandbox};
///
/// let sandbox = Sandbox::new(Options::default())?;
/// let result = sandbox.exec(b"echo hi > f; cat f", &ExecOptions::default())?;
/// assert_eq!(result.stdout, b"hi\n");
/// let branch = sandbox.fork();
/// branch.write_file(b"f", b"other")?;
/// assert_eq!(sandbox.read_file(b"f")?, b"hi\n");
/// # Ok::<(), offshoot_shell::os::Errno>(())
/// ```
pub struct Sandbox {
    vfs: Vfs,
    options: Rc<Options>,
    /// Executions so far: each gets random bits of its own.
    executions: Cell<u64>,
}

/// A result whose error is that of a file operation.
pub type Result<T> = std::result::Result<T, Errno>;

const HOME: &[u8] = b"/home/user";
const UID: u32 = 1000;
const GIBIBYTE: u64 = 1 << 30;
const INODES: u64 = 1_000_000;
/// When a seeded sandbox's clock begins: 2025-01-01.
const EPOCH: i64 = 1_735_689_600;
const BLOCK: usize = 65_536;

/// A clock that moves only when it is read.
struct FixedClock(AtomicU64);

impl vfs::Clock for FixedClock {
    fn now(&self) -> vfs::Timestamp {
        let ticks = self.0.fetch_add(1000, Ordering::Relaxed);
        vfs::Timestamp {
            seconds: EPOCH + (ticks / 1_000_000_000) as i64,
            nanoseconds: (ticks % 1_000_000_000) as u32,
        }
    }
}

/// Random bits from a seed (SplitMix64).
struct Seeded(AtomicU64);

impl vfs::Random for Seeded {
    fn fill(&self, bytes: &mut [u8]) {
        for chunk in bytes.chunks_mut(8) {
            let state = self.0.fetch_add(0x9e37_79b9_7f4a_7c15, Ordering::Relaxed);
            let mut mixed = state.wrapping_add(0x9e37_79b9_7f4a_7c15);
            mixed = (mixed ^ (mixed >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
            mixed = (mixed ^ (mixed >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
            mixed ^= mixed >> 31;
            chunk.copy_from_slice(&mixed.to_le_bytes()[..chunk.len()]);
        }
    }
}

impl Sandbox {
    /// Makes a sandbox with `/usr/bin` (and `/bin`, a link to it), `/home/user`, `/tmp` and `/dev`.
    ///
    /// # Errors
    /// The quotas are too small for these.
    pub fn new(options: Options) -> Result<Sandbox> {
        let mut settings = vfs::Options {
            quotas: Quotas {
                bytes: options.max_bytes.unwrap_or(GIBIBYTE),
                inodes: options.max_inodes.unwrap_or(INODES),
                ..Quotas::default()
            },
            ..vfs::Options::default()
        };
        if let Some(seed) = options.seed {
            settings.clock = Arc::new(FixedClock(AtomicU64::new(0)));
            settings.random = Arc::new(Seeded(AtomicU64::new(seed)));
        }
        let sandbox = Sandbox {
            vfs: Vfs::new(settings),
            options: Rc::new(options),
            executions: Cell::new(0),
        };
        sandbox.furnish()?;
        Ok(sandbox)
    }

    fn furnish(&self) -> Result<()> {
        let root = self.system(0, 0);
        for directory in ["/usr", "/usr/bin", "/dev", "/home", "/etc", "/home/user"] {
            root.make_directory(directory.as_bytes(), 0o755)?;
        }
        for directory in ["/tmp", "/var", "/var/tmp"] {
            root.make_directory(directory.as_bytes(), 0o1777)?;
        }
        root.symlink(b"usr/bin", b"/bin")?;
        let names = applet::all().map(applet::Applet::name);
        for name in names.chain(["bash", "sh"]) {
            let path = format!("/usr/bin/{name}");
            let create = OpenOptions {
                write: true,
                create: true,
                ..OpenOptions::default()
            };
            let handle = root.open(path.as_bytes(), create, 0o755)?;
            let written = root.write(handle, format!("\x7fOFFSHOOT program {name}\n").as_bytes());
            root.close(handle);
            written?;
        }
        let at = self.vfs.root();
        let owner = (Some(UID), Some(UID));
        let given = self.vfs.set_owner(&Caller::ROOT, at, HOME, owner, true);
        given.map_err(|_| Errno::Io)?;
        self.vfs.populate_devices(b"/dev").map_err(|_| Errno::Io)
    }

    /// The filesystem as a system for a user.
    fn system(&self, uid: u32, execution: u64) -> Rc<LinkedOs> {
        let user = if uid == 0 { "root" } else { "user" };
        let mut settings = Settings {
            identity: Identity {
                pid: 2,
                parent: 1,
                uid,
                gid: uid,
                user: user.into(),
                group: user.into(),
                hostname: "sandbox".into(),
            },
            ..Settings::default()
        };
        if let Some(seed) = self.options.seed {
            settings.clock = Arc::new(FixedClock(AtomicU64::new(execution * 1_000_000_000)));
            settings.random = Arc::new(Seeded(AtomicU64::new(seed.wrapping_add(execution))));
        }
        Rc::new(LinkedOs::new(self.vfs.clone(), settings))
    }

    fn directory(&self) -> &[u8] {
        self.options.directory.as_deref().unwrap_or(HOME)
    }

    fn absolute(&self, path: &[u8]) -> Vec<u8> {
        path::absolute(self.directory(), path)
    }

    /// An independent copy of files and settings; takes constant time.
    pub fn fork(&self) -> Sandbox {
        Sandbox {
            vfs: self.vfs.fork(),
            options: self.options.clone(),
            executions: self.executions.clone(),
        }
    }

    /// Runs a script from fresh shell state; files persist.
    ///
    /// # Errors
    /// The standard streams cannot be made.
    pub fn exec(&self, script: &[u8], options: &ExecOptions) -> Result<ExecResult> {
        let number = self.executions.get() + 1;
        self.executions.set(number);
        let os = self.system(UID, number);
        let input = os.input(options.stdin.clone())?;
        let (stdout, output) = os.output()?;
        let (stderr, errors) = os.output()?;
        let descriptors = vec![(0, input), (1, stdout), (2, stderr)];
        os.set_descriptors(&descriptors);
        let mut machine = Machine::new(os.clone());
        let mut environment: Vec<(Vec<u8>, Vec<u8>)> = [
            ("HOME", "/home/user"),
            ("PATH", "/usr/local/bin:/usr/bin:/bin"),
            ("USER", "user"),
            ("LOGNAME", "user"),
            ("SHELL", "/bin/bash"),
            ("LANG", "C.UTF-8"),
        ]
        .map(|(name, value)| (name.into(), value.into()))
        .to_vec();
        environment.extend(self.options.environment.iter().cloned());
        let directory = self.directory().to_vec();
        let session = machine.session(&Setup {
            environment,
            directory,
            umask: 0o022,
            posix: false,
        });
        let request = Request {
            source: Source::Text(script.to_vec()),
            name: b"bash".to_vec(),
            arguments: Vec::new(),
            environment: options.environment.clone(),
            directory: options.directory.as_ref().map(|path| self.absolute(path)),
            descriptors,
            budgets: self.options.budgets,
        };
        let id = machine.start(&session, request);
        let deadline = options.timeout_ms.map(|limit| {
            os.monotonic()
                .saturating_add(limit.saturating_mul(1_000_000))
        });
        let outcome = drive(&mut machine, &os, deadline, |machine| machine.outcome(id));
        machine.drop_execution(id);
        let (status, exceeded) = match outcome {
            Some(Outcome::Exited(status)) => (status, None),
            Some(Outcome::Exceeded(limit)) => (1, Some(limit)),
            None => (124, None),
        };
        Ok(ExecResult {
            status,
            stdout: output.take(),
            stderr: errors.take(),
            exceeded,
        })
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// As POSIX `open` and `read`.
    pub fn read_file(&self, path: &[u8]) -> Result<Vec<u8>> {
        let os = self.system(UID, 0);
        let read = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        let handle = os.open(&self.absolute(path), read, 0)?;
        let mut bytes = Vec::new();
        let mut block = vec![0; BLOCK];
        loop {
            match os.read(handle, &mut block)? {
                0 => return Ok(bytes),
                count => bytes.extend_from_slice(&block[..count]),
            }
        }
    }

    /// Writes a file, with missing parents, replacing it as a whole.
    ///
    /// # Errors
    /// As POSIX `open` and `write`.
    pub fn write_file(&self, path: &[u8], data: &[u8]) -> Result<()> {
        let os = self.system(UID, 0);
        let full = self.absolute(path);
        if let Some(slash) = full.iter().rposition(|&byte| byte == b'/') {
            make_directories(&*os, &full[..slash])?;
        }
        let options = OpenOptions {
            write: true,
            create: true,
            truncate: true,
            ..OpenOptions::default()
        };
        let handle = os.open(&full, options, 0o644)?;
        let mut rest = data;
        while !rest.is_empty() {
            let count = os.write(handle, rest)?;
            rest = &rest[count..];
        }
        os.close(handle);
        Ok(())
    }

    /// Facts about a path; symbolic links are followed.
    ///
    /// # Errors
    /// As POSIX `stat`.
    pub fn stat(&self, path: &[u8]) -> Result<Stat> {
        self.system(UID, 0).stat(&self.absolute(path), true)
    }

    /// Names in a directory, in order.
    ///
    /// # Errors
    /// As POSIX `opendir`.
    pub fn read_directory(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let entries = self.system(UID, 0).read_directory(&self.absolute(path))?;
        Ok(entries.into_iter().map(|entry| entry.name).collect())
    }

    /// Makes a directory; with `recursive` also its parents, and an existing one is fine.
    ///
    /// # Errors
    /// As POSIX `mkdir`.
    pub fn make_directory(&self, path: &[u8], recursive: bool) -> Result<()> {
        let os = self.system(UID, 0);
        let full = self.absolute(path);
        if recursive {
            make_directories(&*os, &full)
        } else {
            os.make_directory(&full, 0o755)
        }
    }

    /// Removes a file, or with `recursive` a tree; with `force` a missing path is fine.
    ///
    /// # Errors
    /// As POSIX `unlink` and `rmdir`.
    pub fn remove(&self, path: &[u8], recursive: bool, force: bool) -> Result<()> {
        let os = self.system(UID, 0);
        match remove(&*os, self.absolute(path), recursive) {
            Err(Errno::NoEntry) if force => Ok(()),
            result => result,
        }
    }
}

/// Runs a machine until there is an outcome or the deadline has come.
fn drive(
    machine: &mut Machine,
    os: &LinkedOs,
    deadline: Option<u64>,
    outcome: impl Fn(&Machine) -> Option<Outcome>,
) -> Option<Outcome> {
    loop {
        let progress = machine.poll();
        if let Some(outcome) = outcome(machine) {
            return Some(outcome);
        }
        if deadline.is_some_and(|deadline| os.monotonic() >= deadline) {
            return None;
        }
        match progress {
            Progress::More => {}
            Progress::Finished => return None,
            Progress::Idle(interests) => {
                if interests.iter().any(|interest| os.is_ready(*interest)) {
                    continue;
                }
                let times = interests.iter().filter_map(|interest| match interest {
                    Interest::Time(time) => Some(*time),
                    _ => None,
                });
                // Nothing else happens in an instance that is alone.
                let next = times.chain(deadline).min()?;
                let wait = next.saturating_sub(os.monotonic());
                std::thread::sleep(std::time::Duration::from_nanos(wait));
            }
        }
    }
}

fn make_directories(os: &dyn Os, path: &[u8]) -> Result<()> {
    let ends = path
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'/' && *at > 0);
    let ends: Vec<usize> = ends.map(|(at, _)| at).chain([path.len()]).collect();
    for end in ends {
        match os.make_directory(&path[..end], 0o755) {
            Ok(()) | Err(Errno::Exist) => {}
            Err(_) if path[..end].is_empty() => {}
            Err(error) => return Err(error),
        }
    }
    match os.stat(path, true) {
        Ok(stat) if stat.kind != FileKind::Directory => Err(Errno::Exist),
        _ => Ok(()),
    }
}

fn remove(os: &dyn Os, path: Vec<u8>, recursive: bool) -> Result<()> {
    let mut left = vec![(path, false)];
    while let Some((path, emptied)) = left.pop() {
        if os.stat(&path, false)?.kind != FileKind::Directory {
            os.unlink(&path)?;
        } else if !recursive {
            return Err(Errno::IsDirectory);
        } else if emptied {
            os.remove_directory(&path)?;
        } else {
            let entries = os.read_directory(&path)?;
            left.push((path.clone(), true));
            left.extend(
                entries
                    .into_iter()
                    .map(|entry| (path::absolute(&path, &entry.name), false)),
            );
        }
    }
    Ok(())
}
