//! The filesystem under test.

use std::io::SeekFrom;
use std::sync::Arc;
use std::sync::atomic::{AtomicI64, Ordering};

use offshoot_vfs::{
    Caller, Change, Clock, File, Kind, Metadata, NewTime, NodeId, Options, Quotas, Result,
    SystemRandom, Timestamp, Usage, Vfs,
};

use crate::Filesystem;
use crate::operation::{Operation, Outcome, SLOTS, Stat, Value, pattern};

/// A clock that counts the operations that changed something or tried to.
#[derive(Default)]
pub struct Ticks(pub AtomicI64);

impl Clock for Ticks {
    fn now(&self) -> Timestamp {
        Timestamp {
            seconds: self.0.load(Ordering::Relaxed),
            nanoseconds: 0,
        }
    }
}

pub struct Subject {
    vfs: Vfs,
    clock: Arc<Ticks>,
    at: NodeId,
    open: [Option<File>; SLOTS],
}

impl Subject {
    pub fn new(quotas: Quotas) -> Subject {
        let clock = Arc::new(Ticks::default());
        let random = Arc::new(SystemRandom::default());
        let vfs = Vfs::new(Options {
            quotas,
            clock: clock.clone(),
            random,
        });
        let base = b"/0/1/2/3/4/5/6/7/8/9";
        vfs.create_dir_all(&Caller::ROOT, vfs.root(), base, 0o777)
            .unwrap();
        let at = vfs.resolve(&Caller::ROOT, vfs.root(), base, true).unwrap();
        Subject {
            vfs,
            clock,
            at,
            open: Default::default(),
        }
    }

    /// A filesystem whose base is an overlay of a host directory.
    #[cfg(all(feature = "host", unix))]
    pub fn overlay(directory: &std::path::Path) -> Subject {
        let mut subject = Subject::new(Quotas::default());
        let (vfs, root) = (&subject.vfs, subject.vfs.root());
        vfs.create_dir(&Caller::ROOT, root, b"/m", 0o755).unwrap();
        let mount = offshoot_vfs::Mount::copy_on_write(directory).unwrap();
        vfs.mount(&Caller::ROOT, b"/m", mount).unwrap();
        subject.at = vfs.resolve(&Caller::ROOT, root, b"/m", true).unwrap();
        subject
    }

    /// Writes the overlay back.
    #[cfg(all(feature = "host", unix))]
    pub fn apply(&self, directory: &std::path::Path) {
        let host = offshoot_vfs::HostDirectory::open(directory).unwrap();
        self.vfs.apply(b"/m", &host, Default::default()).unwrap();
        assert_eq!(self.vfs.changes(b"/m").unwrap(), []);
    }

    pub fn fork(&self) -> Subject {
        let clock = Arc::new(Ticks(AtomicI64::new(self.clock.0.load(Ordering::Relaxed))));
        let quotas = self.quotas();
        let random = Arc::new(SystemRandom::default());
        let vfs = self.vfs.fork_with(Options {
            quotas,
            clock: clock.clone(),
            random,
        });
        Subject {
            vfs,
            clock,
            at: self.at,
            open: Default::default(),
        }
    }

    fn quotas(&self) -> Quotas {
        let total = self.vfs.statfs(self.vfs.root()).unwrap();
        Quotas {
            bytes: total.total_bytes,
            inodes: total.total_inodes,
            ..crate::QUOTAS
        }
    }

    pub fn usage(&self) -> Usage {
        self.vfs.usage()
    }

    pub fn diff(&self, other: &Subject) -> Vec<Change> {
        offshoot_vfs::diff(&self.vfs, &other.vfs).unwrap()
    }

    /// Merges and says whether that went without a conflict.
    pub fn merge(&self, base: &Subject, theirs: &Subject) -> bool {
        match self.vfs.merge(&base.vfs, &theirs.vfs) {
            Ok(_) => true,
            Err(offshoot_vfs::MergeError::Conflicts(found)) => {
                assert!(!found.is_empty());
                false
            }
            Err(other) => panic!("{other}"),
        }
    }

    /// What a reader finds, from the root on.
    pub fn paths(&self) -> crate::merge::Paths {
        let (vfs, root) = (&self.vfs, &Caller::ROOT);
        let (mut found, mut pending) = (crate::merge::Paths::new(), vec![Vec::new()]);
        while let Some(path) = pending.pop() {
            let name = if path.is_empty() { &b"/"[..] } else { &path };
            let stat = vfs.stat(root, vfs.root(), name, false).unwrap();
            let content = match stat.kind {
                Kind::Regular => vfs.read_file(root, vfs.root(), name).unwrap(),
                Kind::Symlink => vfs.read_link(root, vfs.root(), name).unwrap(),
                _ => Vec::new(),
            };
            if stat.kind == Kind::Directory {
                for entry in vfs.read_dir(root, vfs.root(), name).unwrap() {
                    pending.push([&path, &b"/"[..], &entry.name].concat());
                }
            }
            found.insert(path, (stat.kind, stat.mode, (stat.uid, stat.gid), content));
        }
        found
    }

    /// Removing everything gives back everything.
    pub fn check_emptied(mut self) {
        self.open = Default::default();
        self.vfs
            .remove_tree(&Caller::ROOT, self.vfs.root(), b"/0")
            .unwrap();
        assert_eq!(
            self.vfs.usage(),
            Usage {
                bytes: 0,
                inodes: 1
            }
        );
    }

    fn file(&self, slot: usize) -> std::result::Result<&File, &'static str> {
        self.open[slot].as_ref().ok_or("closed")
    }

    fn try_run(&mut self, caller: &Caller, operation: &Operation) -> Result<Value> {
        use Operation as O;
        let (vfs, at) = (self.vfs.clone(), self.at);
        let unit = |()| Value::Unit;
        match operation {
            O::CreateDir(path, mode) => vfs.create_dir(caller, at, path, *mode).map(unit),
            O::CreateFifo(path, mode) => vfs.create_fifo(caller, at, path, *mode).map(unit),
            O::Symlink(target, path) => vfs.symlink(caller, target, at, path).map(unit),
            O::Link(old, new, follow) => vfs.link(caller, (at, old), (at, new), *follow).map(unit),
            O::Rename(old, new) => vfs.rename(caller, (at, old), (at, new)).map(unit),
            O::Unlink(path) => vfs.unlink(caller, at, path).map(unit),
            O::RemoveDir(path) => vfs.remove_dir(caller, at, path).map(unit),
            O::RemoveTree(path) => vfs.remove_tree(caller, at, path).map(unit),
            O::Open(slot, path, options, mode) => {
                let file = vfs.open(caller, at, path, options, *mode)?;
                self.open[*slot] = (file.kind() == Kind::Regular).then_some(file);
                Ok(Value::Unit)
            }
            O::SetMode(path, mode) => vfs.set_mode(caller, at, path, *mode).map(unit),
            O::SetOwner(path, uid, gid) => vfs
                .set_owner(caller, at, path, (*uid, *gid), true)
                .map(unit),
            O::SetSize(path, size) => vfs.set_size(caller, at, path, *size).map(unit),
            O::SetTimes(path, time, follow) => {
                let time = NewTime::At(Timestamp {
                    seconds: *time,
                    nanoseconds: 5,
                });
                vfs.set_times(caller, at, path, time, time, *follow)
                    .map(unit)
            }
            O::Stat(path, follow) => vfs.stat(caller, at, path, *follow).map(stat),
            O::ReadDir(path) => {
                let entries = vfs.read_dir(caller, at, path)?;
                Ok(Value::Names(
                    entries
                        .into_iter()
                        .map(|entry| (entry.name, entry.kind))
                        .collect(),
                ))
            }
            O::ReadLink(path) => vfs.read_link(caller, at, path).map(Value::Bytes),
            O::ReadFile(path) => vfs.read_file(caller, at, path).map(Value::Bytes),
            O::Canonicalize(path) => vfs.canonicalize(caller, at, path).map(Value::Bytes),
            _ => Ok(Value::Unit),
        }
    }

    fn run_open(&mut self, operation: &Operation) -> Option<Outcome> {
        use Operation as O;
        let count =
            |count: Result<usize>| count.map(|n| Value::Number(n as u64)).map_err(|e| e.code());
        let read = |length: usize, read: &dyn Fn(&mut [u8]) -> Result<usize>| {
            let mut buffer = vec![0xee; length];
            let count = read(&mut buffer).map_err(|error| error.code())?;
            buffer.truncate(count);
            Ok(Value::Bytes(buffer))
        };
        let (O::Read(slot, _)
        | O::Write(slot, ..)
        | O::ReadAt(slot, ..)
        | O::WriteAt(slot, ..)
        | O::Seek(slot, _)
        | O::SetSizeOpen(slot, _)
        | O::StatOpen(slot)
        | O::Close(slot)) = operation
        else {
            return None;
        };
        if let O::Close(slot) = operation {
            self.open[*slot] = None;
            return Some(Ok(Value::Unit));
        }
        let file = match self.file(*slot) {
            Ok(file) => file,
            Err(closed) => return Some(Err(closed)),
        };
        Some(match operation {
            O::Read(_, length) => read(*length, &|buffer| file.read(buffer)),
            O::ReadAt(_, at, length) => read(*length, &|buffer| file.read_at(*at, buffer)),
            O::Write(_, length, seed) => count(file.write(&pattern(*length, *seed))),
            O::WriteAt(_, at, length) => count(file.write_at(*at, &pattern(*length, 7))),
            O::Seek(_, at) => file
                .seek(SeekFrom::Start(*at))
                .map(Value::Number)
                .map_err(|e| e.code()),
            O::SetSizeOpen(_, size) => file
                .set_size(*size)
                .map(|()| Value::Unit)
                .map_err(|e| e.code()),
            _ => file.metadata().map(stat).map_err(|error| error.code()),
        })
    }
}

fn stat(metadata: Metadata) -> Value {
    Value::Stat(Stat {
        kind: metadata.kind,
        mode: metadata.mode,
        links: metadata.links.into(),
        owner: (metadata.uid, metadata.gid),
        size: metadata.size,
        modified: metadata.modified,
        changed: metadata.changed,
    })
}

impl Filesystem for Subject {
    fn run(&mut self, caller: &Caller, operation: &Operation) -> Outcome {
        self.clock.0.fetch_add(1, Ordering::Relaxed);
        match self.run_open(operation) {
            Some(outcome) => outcome,
            None => self
                .try_run(caller, operation)
                .map_err(|error| error.code()),
        }
    }

    fn dump(&mut self) -> Vec<(Vec<u8>, Outcome, Outcome)> {
        crate::dump(self)
    }
}
