//! A disk that exists in memory only: it counts every call, stops or fails at any of them, and
//! forgets what was not synced when the power goes.
//!
//! Both the SQLite database (through a VFS) and the files of large objects live on it. What a write
//! changed may reach the medium at any time, in any order and in parts, until the file is synced; the
//! same goes for names until their directory is synced. After a sync that failed, what was written
//! before it is never durable, however often it is synced again, as on Linux.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Error, ErrorKind};
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, LazyLock, Mutex, MutexGuard};
use std::time::Duration;

use offshoot_store::{Disk, SqliteOptions, SqliteStore};
use sqlite_vfs::{DatabaseHandle, LockKind, OpenAccess, OpenKind, OpenOptions, Vfs, WalDisabled};

const SECTOR: usize = 512;
const NAME: &str = "simulated";

/// Random numbers from a seed.
pub struct Dice(pub u64);

impl Dice {
    pub fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut z = self.0;
        z = (z ^ (z >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        z = (z ^ (z >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
        z ^ (z >> 31)
    }

    pub fn below(&mut self, limit: u64) -> u64 {
        self.next() % limit
    }

    pub fn one_in(&mut self, count: u64) -> bool {
        self.below(count) == 0
    }
}

#[derive(Clone)]
enum Change {
    Write(usize, Vec<u8>),
    Resize(usize),
}

impl Change {
    fn apply(&self, bytes: &mut Vec<u8>) {
        match self {
            Change::Write(at, data) => {
                bytes.resize(bytes.len().max(at + data.len()), 0);
                bytes[*at..at + data.len()].copy_from_slice(data);
            }
            Change::Resize(size) => bytes.resize(*size, 0),
        }
    }

    /// What of it may have reached the medium when it was torn.
    fn torn(&self, dice: &mut Dice) -> Vec<Change> {
        let Change::Write(at, data) = self else {
            return Vec::new();
        };
        let sectors = data.chunks(SECTOR).enumerate();
        let kept = sectors.filter(|_| dice.one_in(2));
        kept.map(|(index, part)| Change::Write(at + index * SECTOR, part.to_vec()))
            .collect()
    }
}

#[derive(Clone, Default)]
struct Inode {
    /// What programs see.
    current: Vec<u8>,
    /// What survives.
    durable: Vec<u8>,
    /// What may survive.
    pending: Vec<Change>,
}

/// What goes wrong, and when.
#[derive(Clone, Copy, PartialEq, Debug)]
pub enum Fault {
    /// The machine stops at this call.
    Stop(u64),
    /// This call fails, where it changes anything.
    Fail(u64),
    /// From this call on nothing fits any more.
    Full(u64),
}

#[derive(Clone, Default)]
struct State {
    inodes: BTreeMap<u64, Inode>,
    next: u64,
    names: BTreeMap<String, u64>,
    durable_names: BTreeMap<String, u64>,
    calls: u64,
    fault: Option<Fault>,
    stopped: bool,
}

#[derive(Clone, Default)]
pub struct SimDisk {
    state: Arc<Mutex<State>>,
    number: u64,
}

/// All disks, by the number in the path of their databases.
static DISKS: LazyLock<Mutex<BTreeMap<u64, SimDisk>>> = LazyLock::new(Mutex::default);

impl SimDisk {
    pub fn new() -> SimDisk {
        SimDisk::with(State::default())
    }

    fn with(state: State) -> SimDisk {
        static ONCE: LazyLock<()> = LazyLock::new(|| {
            sqlite_vfs::register(NAME, Disks, false).unwrap();
        });
        LazyLock::force(&ONCE);
        let mut disks = DISKS.lock().unwrap();
        static NUMBER: AtomicU64 = AtomicU64::new(1);
        let number = NUMBER.fetch_add(1, Ordering::SeqCst);
        let state = Arc::new(Mutex::new(state));
        let disk = SimDisk { state, number };
        disks.insert(number, disk.clone());
        disk
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap()
    }

    pub fn calls(&self) -> u64 {
        self.lock().calls
    }

    pub fn set_fault(&self, fault: Option<Fault>) {
        self.lock().fault = fault;
    }

    pub fn stopped(&self) -> bool {
        self.lock().stopped
    }

    pub fn open(&self) -> offshoot_store::Result<SqliteStore> {
        let options = SqliteOptions {
            exclusive: true,
            vfs: Some(NAME.into()),
            disk: Some(Arc::new(self.clone())),
            // With the same times everything is the same, and so calls can be numbered.
            clock: Arc::new(crate::support::ManualClock::default()),
            ..SqliteOptions::default()
        };
        SqliteStore::open_with(format!("/{}", self.number), options)
    }

    /// The disk as it is found when the machine starts again.
    pub fn after_power_loss(&self, dice: &mut Dice) -> SimDisk {
        let old = self.lock().clone();
        let mut new = State {
            next: old.next,
            ..State::default()
        };
        // Nothing, all of it, a beginning, or any part of what was on its way.
        let mood = dice.below(4);
        let paths: BTreeSet<_> = old.names.keys().chain(old.durable_names.keys()).collect();
        for path in paths {
            let (current, durable) = (old.names.get(path), old.durable_names.get(path));
            let kept = match mood {
                0 => durable,
                1 => current,
                _ if dice.one_in(2) => durable,
                _ => current,
            };
            if let Some(number) = kept {
                new.names.insert(path.clone(), *number);
            }
        }
        for (number, inode) in &old.inodes {
            let mut bytes = inode.durable.clone();
            let beginning = dice.below(inode.pending.len() as u64 + 1) as usize;
            for (index, change) in inode.pending.iter().enumerate() {
                match mood {
                    0 => {}
                    1 => change.apply(&mut bytes),
                    2 if index < beginning => change.apply(&mut bytes),
                    2 if index == beginning => {
                        change
                            .torn(dice)
                            .iter()
                            .for_each(|part| part.apply(&mut bytes));
                    }
                    3 if dice.one_in(2) => change.apply(&mut bytes),
                    3 => change
                        .torn(dice)
                        .iter()
                        .for_each(|part| part.apply(&mut bytes)),
                    _ => {}
                }
            }
            let inode = Inode {
                current: bytes.clone(),
                durable: bytes,
                pending: Vec::new(),
            };
            new.inodes.insert(*number, inode);
        }
        new.durable_names = new.names.clone();
        DISKS.lock().unwrap().remove(&self.number);
        SimDisk::with(new)
    }
}

impl State {
    /// Counts a call, and lets it fail where it is its turn.
    fn call(&mut self, changes: bool, grows: bool) -> io::Result<()> {
        if self.stopped {
            return Err(Error::other("the machine has stopped"));
        }
        self.calls += 1;
        match self.fault {
            Some(Fault::Stop(at)) if self.calls >= at => {
                self.stopped = true;
                Err(Error::other("the machine has stopped"))
            }
            Some(Fault::Fail(at)) if self.calls == at && changes => {
                Err(Error::other("the disk has failed"))
            }
            Some(Fault::Full(at)) if self.calls >= at && grows => {
                Err(Error::new(ErrorKind::StorageFull, "the disk is full"))
            }
            _ => Ok(()),
        }
    }

    fn number(&self, path: &str) -> io::Result<u64> {
        let missing = || Error::new(ErrorKind::NotFound, "no such file");
        self.names.get(path).copied().ok_or_else(missing)
    }

    fn create(&mut self, path: &str) -> u64 {
        if let Some(number) = self.names.get(path) {
            return *number;
        }
        self.next += 1;
        self.inodes.insert(self.next, Inode::default());
        self.names.insert(path.to_owned(), self.next);
        self.next
    }

    fn change(&mut self, number: u64, change: Change) -> io::Result<()> {
        let result = self.call(true, matches!(change, Change::Write(..)));
        let torn = self.stopped && result.is_err();
        let inode = self.inodes.get_mut(&number).unwrap();
        if result.is_ok() {
            change.apply(&mut inode.current);
        }
        // The call at which the machine stops may have come to pass, whole or in part.
        if result.is_ok() || torn && self.calls == self.stop_call() {
            let inode = self.inodes.get_mut(&number).unwrap();
            inode.pending.push(change);
        }
        result
    }

    fn stop_call(&self) -> u64 {
        match self.fault {
            Some(Fault::Stop(at)) => at,
            _ => 0,
        }
    }

    fn sync(&mut self, number: u64) -> io::Result<()> {
        let result = self.call(true, false);
        let inode = self.inodes.get_mut(&number).unwrap();
        let pending = std::mem::take(&mut inode.pending);
        if result.is_ok() {
            pending
                .iter()
                .for_each(|change| change.apply(&mut inode.durable));
            // As ext4 does for a file that is new.
            for (path, found) in &self.names {
                if *found == number {
                    self.durable_names.insert(path.clone(), number);
                }
            }
        } else if self.stopped {
            inode.pending = pending;
        }
        result
    }
}

fn text(path: &Path) -> String {
    let path = path.to_string_lossy();
    path.trim_start_matches("./").to_owned()
}

impl Disk for SimDisk {
    fn create_dir(&self, _path: &Path) -> io::Result<()> {
        self.lock().call(true, true)
    }

    fn write(&self, path: &Path, content: &[u8]) -> io::Result<()> {
        let mut state = self.lock();
        state.call(true, true)?;
        let number = state.create(&text(path));
        state.change(number, Change::Resize(0))?;
        state.change(number, Change::Write(0, content.to_vec()))
    }

    fn sync(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock();
        let number = state.number(&text(path))?;
        // The name is the directory's matter.
        let names = state.durable_names.clone();
        let result = state.sync(number);
        state.durable_names = names;
        result
    }

    fn sync_dir(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.call(true, false)?;
        let folder = text(path);
        let inside = |name: &&String| match name.rsplit_once('/') {
            Some((parent, _)) => parent == folder,
            None => folder == ".",
        };
        let gone: Vec<_> = state.durable_names.keys().filter(inside).cloned().collect();
        for name in gone {
            state.durable_names.remove(&name);
        }
        let there = state.names.iter().filter(|(name, _)| inside(name));
        let there: Vec<_> = there
            .map(|(name, number)| (name.clone(), *number))
            .collect();
        state.durable_names.extend(there);
        Ok(())
    }

    fn rename(&self, from: &Path, to: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.call(true, true)?;
        let number = state.number(&text(from))?;
        state.names.remove(&text(from));
        state.names.insert(text(to), number);
        Ok(())
    }

    fn read(&self, path: &Path) -> io::Result<Vec<u8>> {
        let mut state = self.lock();
        state.call(false, false)?;
        let number = state.number(&text(path))?;
        Ok(state.inodes[&number].current.clone())
    }

    fn remove(&self, path: &Path) -> io::Result<()> {
        let mut state = self.lock();
        state.call(true, false)?;
        state.number(&text(path))?;
        state.names.remove(&text(path));
        Ok(())
    }

    fn list(&self, path: &Path) -> io::Result<Vec<String>> {
        let mut state = self.lock();
        state.call(false, false)?;
        let start = match &text(path)[..] {
            "." => String::new(),
            path => format!("{path}/"),
        };
        let below = state
            .names
            .keys()
            .filter_map(|name| name.strip_prefix(&start[..]));
        let names: BTreeSet<_> = below.filter_map(|rest| rest.split('/').next()).collect();
        Ok(names.into_iter().map(str::to_owned).collect())
    }
}

/// What SQLite sees: all disks, told apart by the first component of a path.
struct Disks;

fn find(path: &str) -> io::Result<(SimDisk, String)> {
    let missing = || Error::new(ErrorKind::NotFound, "no such disk");
    let (number, name) = path
        .trim_start_matches('/')
        .split_once('/')
        .ok_or_else(missing)?;
    let number: u64 = number.parse().map_err(|_| missing())?;
    let disks = DISKS.lock().unwrap();
    let disk = disks.get(&number).ok_or_else(missing)?;
    Ok((disk.clone(), name.to_owned()))
}

struct Handle {
    disk: SimDisk,
    inode: u64,
    lock: LockKind,
}

impl Vfs for Disks {
    type Handle = Handle;

    fn open(&self, path: &str, options: OpenOptions) -> io::Result<Handle> {
        let (disk, name) = match options.kind {
            // Of no consequence for what is stored.
            OpenKind::TempDb | OpenKind::TempJournal | OpenKind::TransientDb => {
                (SimDisk::default(), path.to_owned())
            }
            _ => find(path)?,
        };
        let mut state = disk.lock();
        state.call(true, true)?;
        let inode = match options.access {
            OpenAccess::Read | OpenAccess::Write => state.number(&name)?,
            OpenAccess::Create | OpenAccess::CreateNew => state.create(&name),
        };
        drop(state);
        let lock = LockKind::None;
        Ok(Handle { disk, inode, lock })
    }

    fn delete(&self, path: &str) -> io::Result<()> {
        let (disk, name) = find(path)?;
        let mut state = disk.lock();
        state.call(true, false)?;
        state.number(&name)?;
        state.names.remove(&name);
        Ok(())
    }

    fn exists(&self, path: &str) -> io::Result<bool> {
        let (disk, name) = find(path)?;
        let state = disk.lock();
        Ok(state.names.contains_key(&name))
    }

    fn temporary_name(&self) -> String {
        "/0/temporary".into()
    }

    fn random(&self, buffer: &mut [i8]) {
        buffer.fill(7);
    }

    fn sleep(&self, duration: Duration) -> Duration {
        duration
    }
}

impl DatabaseHandle for Handle {
    type WalIndex = WalDisabled;

    fn size(&self) -> io::Result<u64> {
        Ok(self.disk.lock().inodes[&self.inode].current.len() as u64)
    }

    fn read_exact_at(&mut self, buffer: &mut [u8], offset: u64) -> io::Result<()> {
        let mut state = self.disk.lock();
        state.call(false, false)?;
        let bytes = &state.inodes[&self.inode].current;
        let offset = offset as usize;
        let short = || Error::new(ErrorKind::UnexpectedEof, "past the end");
        let found = bytes.get(offset..offset + buffer.len()).ok_or_else(short)?;
        buffer.copy_from_slice(found);
        Ok(())
    }

    fn write_all_at(&mut self, buffer: &[u8], offset: u64) -> io::Result<()> {
        let change = Change::Write(offset as usize, buffer.to_vec());
        self.disk.lock().change(self.inode, change)
    }

    fn sync(&mut self, _data_only: bool) -> io::Result<()> {
        self.disk.lock().sync(self.inode)
    }

    fn set_len(&mut self, size: u64) -> io::Result<()> {
        let change = Change::Resize(size as usize);
        self.disk.lock().change(self.inode, change)
    }

    fn lock(&mut self, lock: LockKind) -> io::Result<bool> {
        self.lock = lock;
        Ok(true)
    }

    fn reserved(&mut self) -> io::Result<bool> {
        Ok(false)
    }

    fn current_lock(&self) -> io::Result<LockKind> {
        Ok(self.lock)
    }

    fn wal_index(&self, _readonly: bool) -> io::Result<WalDisabled> {
        Ok(WalDisabled)
    }
}
