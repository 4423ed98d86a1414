//! `/proc`: what scripts read about the sandbox and its processes.
//!
//! It is a mount whose files are made when they are opened, from the same list that `kill` and `ps`
//! go by. Nothing of the host is in it: memory is what limits count, time is the sandbox's, and
//! what nobody counts inside is 0 or not there.

mod network;
mod process;
mod system;

use std::sync::{Arc, OnceLock};

use offshoot_vfs::{Device, Error, Kind, Result, Source, SourceFile, SourceStat, Timestamp};

use crate::Kernel;
use process::Seen;

/// `/proc` as one process sees it, or with 0 as whoever is none.
pub(crate) struct View {
    kernel: Kernel,
    process: u32,
}

/// When a sandbox began, and the number that stands for that.
#[derive(Default)]
pub(crate) struct Birth {
    time: OnceLock<Timestamp>,
    id: OnceLock<String>,
}

/// What a path leads to.
enum Place<'a> {
    Directory,
    /// A directory or file of the sandbox.
    Link(Vec<u8>),
    System(system::Content),
    Process(Box<Seen>, Item<'a>),
}

/// Something in the directory of a process.
enum Item<'a> {
    Directory(&'a [&'a str]),
    Link(Vec<u8>),
    File(u32, process::Content),
    Descriptors,
    Descriptor(u32),
}

impl View {
    pub(crate) fn new(kernel: Kernel, process: u32) -> View {
        View { kernel, process }
    }

    fn find(&self, path: &[u8]) -> Result<Place<'static>> {
        let path = std::str::from_utf8(path).map_err(|_| Error::NoEntry)?;
        let (first, rest) = path.split_once('/').unwrap_or((path, ""));
        if let Some(pid) = number(first) {
            let seen = process::find(&self.kernel, pid).ok_or(Error::NoEntry)?;
            let item = self.item(&seen, rest)?;
            return Ok(Place::Process(Box::new(seen), item));
        }
        match (path, self.process) {
            ("self" | "thread-self", 0) => Err(Error::NoEntry),
            ("self", own) => Ok(Place::Link(own.to_string().into())),
            ("thread-self", own) => Ok(Place::Link(format!("{own}/task/{own}").into())),
            ("mounts", _) => Ok(Place::Link(b"self/mounts".to_vec())),
            _ => match system::find(path) {
                Some(content) => Ok(Place::System(content)),
                None if system::is_directory(path) => Ok(Place::Directory),
                None => Err(Error::NoEntry),
            },
        }
    }

    /// What is at `path` in the directory of a process.
    fn item(&self, seen: &Seen, path: &str) -> Result<Item<'static>> {
        // Its only thread is the process once more.
        let own = seen.info.pid.to_string();
        let (thread, path) = match path.strip_prefix("task/") {
            Some(rest) => {
                let rest = rest.strip_prefix(&own).ok_or(Error::NoEntry)?;
                let inside = rest.strip_prefix('/').or(rest.is_empty().then_some(""));
                (true, inside.ok_or(Error::NoEntry)?)
            }
            None => (false, path),
        };
        match path {
            "" if thread => Ok(Item::Directory(process::THREAD)),
            "" => Ok(Item::Directory(process::NAMES)),
            "task" if !thread => Ok(Item::Directory(&[])),
            "cwd" if seen.directory.is_empty() => Err(Error::NoEntry),
            "cwd" => Ok(Item::Link(seen.directory.clone())),
            "exe" => Ok(Item::Link(seen.program.clone())),
            "root" => Ok(Item::Link(b"/".to_vec())),
            "fd" if self.is_own(seen) => Ok(Item::Descriptors),
            "children" if !thread => Err(Error::NoEntry),
            _ => self.file(seen, path),
        }
    }

    fn file(&self, seen: &Seen, path: &str) -> Result<Item<'static>> {
        if let Some(descriptor) = path.strip_prefix("fd/").and_then(number)
            && self.is_own(seen)
            && seen.has_descriptor(descriptor)
        {
            return Ok(Item::Descriptor(descriptor));
        }
        let (mode, content) = process::content(path).ok_or(Error::NoEntry)?;
        Ok(Item::File(mode, content))
    }

    /// Descriptors are known to the process itself only.
    fn is_own(&self, seen: &Seen) -> bool {
        seen.info.pid == self.process
    }
}

/// A number as the names of processes and descriptors are written: without leading zeros.
fn number(name: &str) -> Option<u32> {
    let number: u32 = name.parse().ok()?;
    (number.to_string() == name).then_some(number)
}

impl Source for View {
    fn stat(&self, path: &[u8]) -> Result<SourceStat> {
        let began = self.kernel.began();
        let root = |kind, mode| SourceStat {
            modified: began,
            ..SourceStat::new(kind, mode)
        };
        Ok(match self.find(path)? {
            Place::Directory => root(Kind::Directory, 0o555),
            Place::Link(_) => root(Kind::Symlink, 0o777),
            Place::System(_) => root(Kind::Regular, 0o444),
            Place::Process(seen, item) => {
                let (kind, mode, device) = match item {
                    Item::Directory(_) => (Kind::Directory, 0o555, None),
                    Item::Descriptors => (Kind::Directory, 0o500, None),
                    Item::Link(_) => (Kind::Symlink, 0o777, None),
                    Item::File(mode, _) => (Kind::Regular, mode, None),
                    Item::Descriptor(number) => {
                        (Kind::Device, 0o666, Some(Device::Descriptor(number)))
                    }
                };
                let identity = &self.kernel.settings().identity;
                SourceStat {
                    device,
                    uid: identity.uid,
                    gid: identity.gid,
                    modified: later(began, seen.info.started),
                    ..SourceStat::new(kind, mode)
                }
            }
        })
    }

    fn read_dir(&self, path: &[u8]) -> Result<Vec<Vec<u8>>> {
        let names = match self.find(path)? {
            Place::Directory if path.is_empty() => {
                let mut names = system::names("");
                names.push("mounts".to_owned());
                if self.process != 0 {
                    names.extend(["self", "thread-self"].map(str::to_owned));
                }
                let processes = self.kernel.processes();
                names.extend(processes.iter().map(|process| process.pid.to_string()));
                names
            }
            Place::Directory => system::names(&String::from_utf8_lossy(path)),
            Place::Process(seen, Item::Descriptors) => {
                let numbers = seen.descriptors().iter();
                numbers.map(u32::to_string).collect()
            }
            Place::Process(seen, Item::Directory([])) => vec![seen.info.pid.to_string()],
            Place::Process(seen, Item::Directory(names)) => {
                let own = self.is_own(&seen);
                let shown = names.iter().filter(|name| own || **name != "fd");
                shown.map(|name| (*name).to_owned()).collect()
            }
            _ => return Err(Error::NotDirectory),
        };
        Ok(names.into_iter().map(String::into_bytes).collect())
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        match self.find(path)? {
            Place::Link(target) | Place::Process(_, Item::Link(target)) => Ok(target),
            _ => Err(Error::Invalid),
        }
    }

    fn open(&self, path: &[u8]) -> Result<Arc<dyn SourceFile>> {
        match self.find(path)? {
            Place::System(content) => Ok(Arc::new(content(&self.kernel).into_bytes())),
            Place::Process(seen, Item::File(_, content)) => {
                let reader = process::Reader {
                    kernel: &self.kernel,
                    process: self.process,
                };
                Ok(Arc::new(content(&seen, &reader)))
            }
            _ => Err(Error::Invalid),
        }
    }
}

impl Kernel {
    /// When the sandbox's monotonic clock was at 0.
    fn began(&self) -> Timestamp {
        *self.birth().time.get_or_init(|| {
            let time = &self.settings().time;
            let (now, elapsed) = (time.wall(), time.monotonic());
            let total = i128::from(now.seconds) * SECOND + i128::from(now.nanoseconds)
                - i128::from(elapsed);
            Timestamp {
                seconds: i64::try_from(total.div_euclid(SECOND)).unwrap_or_default(),
                nanoseconds: total.rem_euclid(SECOND) as u32,
            }
        })
    }

    /// A random number that is this sandbox's as long as it lives in this process.
    fn boot_id(&self) -> &str {
        self.birth().id.get_or_init(|| system::uuid(self))
    }
}

/// Nanoseconds of a second.
const SECOND: i128 = 1_000_000_000;

/// So many nanoseconds after `time`.
fn later(time: Timestamp, nanoseconds: u64) -> Timestamp {
    let total = u64::from(time.nanoseconds).saturating_add(nanoseconds);
    Timestamp {
        seconds: time.seconds.saturating_add_unsigned(total / SECOND as u64),
        nanoseconds: (total % SECOND as u64) as u32,
    }
}
