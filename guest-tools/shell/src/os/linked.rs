//! The system beneath the shell of the single-component build: the `vfs` crate, linked in.
//!
//! Everything lives in this instance: open files, pipes, standard streams that are byte buffers.
//! There are no processes, so every command is a builtin or an applet.

use std::cell::RefCell;
use std::collections::{BTreeMap, VecDeque};
use std::io::SeekFrom;
use std::rc::Rc;
use std::sync::Arc;
use std::time::Instant;

use offshoot_vfs as vfs;
use vfs::{Caller, Device, File, NodeId, PipeReader, PipeWriter, Vfs};

use super::{
    Access, DirectoryEntry, Errno, ExitStatus, FileKind, Handle, Identity, Interest, OpenOptions,
    Os, Pid, Result, Spawn, Stat, Timestamp, Whence,
};

/// What a [`LinkedOs`] is given from outside. The default is root on the system's clock.
pub struct Settings {
    /// Who the shell is; permission bits are checked against it.
    pub identity: Identity,
    /// The wall clock.
    pub clock: Arc<dyn vfs::Clock>,
    /// Where random bits come from.
    pub random: Arc<dyn vfs::Random>,
    /// The monotonic clock, in nanoseconds.
    pub monotonic: Box<dyn Fn() -> u64>,
    /// Handles that may be open at once.
    pub open_files: usize,
}

impl Default for Settings {
    fn default() -> Settings {
        let started = Instant::now();
        Settings {
            identity: Identity {
                pid: 1,
                parent: 0,
                uid: 0,
                gid: 0,
                user: "root".into(),
                group: "root".into(),
                hostname: "sandbox".into(),
            },
            clock: Arc::new(vfs::SystemClock),
            random: Arc::new(vfs::SystemRandom::default()),
            monotonic: Box::new(move || {
                u64::try_from(started.elapsed().as_nanos()).unwrap_or(u64::MAX)
            }),
            open_files: 1024,
        }
    }
}

/// The `vfs` crate as the system beneath the shell.
///
/// ```
/// use offshoot_shell::os::linked::{LinkedOs, Settings};
/// use offshoot_shell::os::{OpenOptions, Os};
/// use offshoot_vfs::{Options, Vfs};
///
/// let os = LinkedOs::new(Vfs::new(Options::default()), Settings::default());
/// let create = OpenOptions { write: true, create: true, ..OpenOptions::default() };
/// let file = os.open(b"/hello", create, 0o644)?;
/// assert_eq!(os.write(file, b"hi")?, 2);
/// assert_eq!(os.stat(b"/hello", true)?.size, 2);
/// # Ok::<(), offshoot_shell::os::Errno>(())
/// ```
pub struct LinkedOs {
    vfs: Vfs,
    root: NodeId,
    caller: Caller,
    settings: Settings,
    open: RefCell<Table>,
    /// What `/dev/stdin`, `/dev/fd/N` and their kin stand for.
    descriptors: RefCell<BTreeMap<u32, Handle>>,
}

#[derive(Default)]
struct Table {
    entries: Vec<Option<Rc<Open>>>,
    free: Vec<Handle>,
}

enum Open {
    File(File),
    Fifo(File),
    Reader(PipeReader),
    Writer(PipeWriter),
    Input(RefCell<VecDeque<u8>>),
    Output(Rc<RefCell<Vec<u8>>>),
}

/// What was written to a handle made by [`LinkedOs::output`].
#[derive(Debug, Clone, Default)]
pub struct Output(Rc<RefCell<Vec<u8>>>);

impl Output {
    /// Takes what was written since the last call.
    pub fn take(&self) -> Vec<u8> {
        self.0.take()
    }

    /// Bytes that wait to be taken.
    pub fn len(&self) -> usize {
        self.0.borrow().len()
    }

    /// Whether nothing waits to be taken.
    pub fn is_empty(&self) -> bool {
        self.len() == 0
    }
}

impl LinkedOs {
    /// A system over this filesystem, without open handles.
    pub fn new(vfs: Vfs, settings: Settings) -> LinkedOs {
        let caller = Caller {
            uid: settings.identity.uid,
            gid: settings.identity.gid,
            umask: 0,
            process: 0,
        };
        LinkedOs {
            root: vfs.root(),
            vfs,
            caller,
            settings,
            open: RefCell::default(),
            descriptors: RefCell::default(),
        }
    }

    /// The filesystem beneath.
    pub fn vfs(&self) -> &Vfs {
        &self.vfs
    }

    /// A handle that reads these bytes, then the end: standard input.
    ///
    /// # Errors
    /// [`Errno::TooManyDescriptors`]
    pub fn input(&self, bytes: Vec<u8>) -> Result<Handle> {
        self.add(Open::Input(RefCell::new(bytes.into())))
    }

    /// A handle whose output is kept without bound until it is taken: standard output and error.
    ///
    /// # Errors
    /// [`Errno::TooManyDescriptors`]
    pub fn output(&self) -> Result<(Handle, Output)> {
        let output = Output::default();
        let handle = self.add(Open::Output(output.0.clone()))?;
        Ok((handle, output))
    }

    /// Another handle of the same open file, with the offset in common.
    ///
    /// # Errors
    /// [`Errno::BadDescriptor`], [`Errno::TooManyDescriptors`]
    pub fn duplicate(&self, handle: Handle) -> Result<Handle> {
        self.share(self.get(handle)?)
    }

    /// Says what `/dev/stdin`, `/dev/stdout`, `/dev/stderr` and `/dev/fd/N` stand for from now on.
    pub fn set_descriptors(&self, descriptors: &[(u32, Handle)]) {
        *self.descriptors.borrow_mut() = descriptors.iter().copied().collect();
    }

    /// Whether what the shell waits for has happened. Nothing outside of the instance changes a
    /// pipe, so only times are worth sleeping for.
    pub fn is_ready(&self, interest: Interest) -> bool {
        match interest {
            Interest::Time(at) => self.monotonic() >= at,
            Interest::Child(_) => true,
            Interest::Readable(handle) => match self.get(handle).as_deref() {
                Ok(Open::Reader(reader)) => reader.is_readable(),
                Ok(Open::Fifo(file)) => {
                    let readable = file.pipe_reader().is_none_or(PipeReader::is_readable);
                    file.has_met() && readable
                }
                _ => true,
            },
            Interest::Writable(handle) => match self.get(handle).as_deref() {
                Ok(Open::Writer(writer)) => writer.is_writable(),
                Ok(Open::Fifo(file)) => {
                    let writable = file.pipe_writer().is_none_or(PipeWriter::is_writable);
                    file.has_met() && writable
                }
                _ => true,
            },
        }
    }

    fn add(&self, open: Open) -> Result<Handle> {
        self.share(Rc::new(open))
    }

    fn share(&self, open: Rc<Open>) -> Result<Handle> {
        let mut table = self.open.borrow_mut();
        if let Some(handle) = table.free.pop() {
            table.entries[handle as usize] = Some(open);
            return Ok(handle);
        }
        if table.entries.len() >= self.settings.open_files {
            return Err(Errno::TooManyDescriptors);
        }
        table.entries.push(Some(open));
        Ok(table.entries.len() as Handle - 1)
    }

    fn get(&self, handle: Handle) -> Result<Rc<Open>> {
        let table = self.open.borrow();
        let entry = table.entries.get(handle as usize).cloned().flatten();
        entry.ok_or(Errno::BadDescriptor)
    }
}

impl Open {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        match self {
            Open::File(file) => file.read(buffer).map_err(errno),
            Open::Fifo(file) if file.can_read() && !file.has_met() => Err(Errno::Again),
            Open::Fifo(file) => file.read(buffer).map_err(errno),
            Open::Reader(reader) => reader.try_read(buffer).map_err(errno),
            Open::Input(bytes) => {
                let mut bytes = bytes.borrow_mut();
                let count = buffer.len().min(bytes.len());
                for (to, from) in buffer.iter_mut().zip(bytes.drain(..count)) {
                    *to = from;
                }
                Ok(count)
            }
            Open::Writer(_) | Open::Output(_) => Err(Errno::BadDescriptor),
        }
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        match self {
            Open::File(file) => file.write(data).map_err(errno),
            Open::Fifo(file) if file.can_write() && !file.has_met() => Err(Errno::Again),
            Open::Fifo(file) => file.write(data).map_err(errno),
            Open::Writer(writer) => writer.try_write(data).map_err(errno),
            Open::Output(bytes) => {
                bytes.borrow_mut().extend_from_slice(data);
                Ok(data.len())
            }
            Open::Reader(_) | Open::Input(_) => Err(Errno::BadDescriptor),
        }
    }
}

impl Os for LinkedOs {
    fn has_processes(&self) -> bool {
        false
    }

    fn identity(&self) -> Identity {
        self.settings.identity.clone()
    }

    fn open(&self, path: &[u8], options: OpenOptions, mode: u32) -> Result<Handle> {
        let options = vfs::OpenOptions {
            read: options.read,
            write: options.write,
            append: options.append,
            create: options.create,
            exclusive: options.exclusive,
            truncate: options.truncate,
            directory: options.directory,
            no_follow: false,
        };
        let file = self
            .vfs
            .open(&self.caller, self.root, path, &options, mode)
            .map_err(errno)?;
        match file.device() {
            Some(Device::Descriptor(number)) => {
                let known = self.descriptors.borrow().get(&number).copied();
                self.share(self.get(known.ok_or(Errno::NoEntry)?)?)
            }
            Some(Device::Tty) => Err(Errno::NoDevice),
            _ if file.pipe().is_some() => self.add(Open::Fifo(file)),
            _ => self.add(Open::File(file)),
        }
    }

    fn close(&self, handle: Handle) {
        let mut table = self.open.borrow_mut();
        let entry = table.entries.get_mut(handle as usize);
        let closed = entry.and_then(Option::take);
        if closed.is_some() {
            table.free.push(handle);
        }
        drop(table);
        drop(closed);
    }

    fn read(&self, handle: Handle, buffer: &mut [u8]) -> Result<usize> {
        self.get(handle)?.read(buffer)
    }

    fn read_until(&self, handle: Handle, delimiter: u8, limit: usize) -> Result<Vec<u8>> {
        match &*self.get(handle)? {
            Open::Reader(reader) => reader.try_read_until(delimiter, limit).map_err(errno),
            Open::Input(bytes) => {
                let mut bytes = bytes.borrow_mut();
                let found = bytes.iter().take(limit).position(|byte| *byte == delimiter);
                let count = found.map_or(limit.min(bytes.len()), |at| at + 1);
                Ok(bytes.drain(..count).collect())
            }
            _ => Err(Errno::NotSupported),
        }
    }

    fn write(&self, handle: Handle, data: &[u8]) -> Result<usize> {
        self.get(handle)?.write(data)
    }

    fn seek(&self, handle: Handle, offset: i64, whence: Whence) -> Result<u64> {
        let to = match whence {
            Whence::Start => SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::Invalid)?),
            Whence::Current => SeekFrom::Current(offset),
            Whence::End => SeekFrom::End(offset),
        };
        match &*self.get(handle)? {
            Open::File(file) => file.seek(to).map_err(errno),
            _ => Err(Errno::CannotSeek),
        }
    }

    fn stat_handle(&self, handle: Handle) -> Result<Stat> {
        match &*self.get(handle)? {
            Open::File(file) | Open::Fifo(file) => file.metadata().map(stat).map_err(errno),
            _ => {
                let now = self.now();
                Ok(Stat {
                    kind: FileKind::Fifo,
                    device: u64::MAX,
                    inode: u64::from(handle),
                    mode: 0o600,
                    links: 1,
                    uid: self.caller.uid,
                    gid: self.caller.gid,
                    size: 0,
                    blocks: 0,
                    accessed: now,
                    modified: now,
                    changed: now,
                })
            }
        }
    }

    fn is_terminal(&self, _handle: Handle) -> bool {
        false
    }

    fn stat(&self, path: &[u8], follow: bool) -> Result<Stat> {
        let found = self.vfs.stat(&self.caller, self.root, path, follow);
        found.map(stat).map_err(errno)
    }

    fn access(&self, path: &[u8], access: Access) -> Result<()> {
        let mode = vfs::AccessMode {
            read: access.read,
            write: access.write,
            execute: access.execute,
        };
        self.vfs
            .access(&self.caller, self.root, path, mode, true)
            .map_err(errno)
    }

    fn read_directory(&self, path: &[u8]) -> Result<Vec<DirectoryEntry>> {
        let entries = self.vfs.read_dir(&self.caller, self.root, path);
        let entries = entries.map_err(errno)?.into_iter();
        Ok(entries
            .map(|entry| DirectoryEntry {
                name: entry.name,
                kind: kind(entry.kind),
            })
            .collect())
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        let target = self.vfs.read_link(&self.caller, self.root, path);
        target.map_err(errno)
    }

    fn canonicalize(&self, path: &[u8]) -> Result<Vec<u8>> {
        let found = self.vfs.canonicalize(&self.caller, self.root, path);
        found.map_err(errno)
    }

    fn make_directory(&self, path: &[u8], mode: u32) -> Result<()> {
        let made = self.vfs.create_dir(&self.caller, self.root, path, mode);
        made.map_err(errno)
    }

    fn make_fifo(&self, path: &[u8], mode: u32) -> Result<()> {
        let made = self.vfs.create_fifo(&self.caller, self.root, path, mode);
        made.map_err(errno)
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        let made = self.vfs.symlink(&self.caller, target, self.root, path);
        made.map_err(errno)
    }

    fn link(&self, existing: &[u8], path: &[u8], follow: bool) -> Result<()> {
        self.vfs
            .link(
                &self.caller,
                (self.root, existing),
                (self.root, path),
                follow,
            )
            .map_err(errno)
    }

    fn rename(&self, old: &[u8], new: &[u8]) -> Result<()> {
        self.vfs
            .rename(&self.caller, (self.root, old), (self.root, new))
            .map_err(errno)
    }

    fn unlink(&self, path: &[u8]) -> Result<()> {
        let gone = self.vfs.unlink(&self.caller, self.root, path);
        gone.map_err(errno)
    }

    fn remove_directory(&self, path: &[u8]) -> Result<()> {
        let gone = self.vfs.remove_dir(&self.caller, self.root, path);
        gone.map_err(errno)
    }

    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()> {
        let set = self.vfs.set_mode(&self.caller, self.root, path, mode);
        set.map_err(errno)
    }

    fn set_times(
        &self,
        path: &[u8],
        accessed: Option<Timestamp>,
        modified: Option<Timestamp>,
    ) -> Result<()> {
        let (accessed, modified) = (new_time(accessed), new_time(modified));
        self.vfs
            .set_times(&self.caller, self.root, path, accessed, modified, true)
            .map_err(errno)
    }

    fn pipe(&self) -> Result<(Handle, Handle)> {
        let (reader, writer) = vfs::Pipe::ends();
        let reader = self.add(Open::Reader(reader))?;
        match self.add(Open::Writer(writer)) {
            Ok(writer) => Ok((reader, writer)),
            Err(error) => {
                self.close(reader);
                Err(error)
            }
        }
    }

    fn spawn(&self, _options: &Spawn<'_>) -> Result<Pid> {
        Err(Errno::NoExec)
    }

    fn try_wait(&self, _pid: Pid) -> Result<Option<ExitStatus>> {
        Err(Errno::Child)
    }

    fn kill(&self, _pid: Pid, _signal: u8) -> Result<()> {
        Err(Errno::NoProcess)
    }

    fn now(&self) -> Timestamp {
        timestamp(self.settings.clock.now())
    }

    fn monotonic(&self) -> u64 {
        (self.settings.monotonic)()
    }

    fn random(&self) -> u64 {
        let mut bytes = [0; 8];
        self.settings.random.fill(&mut bytes);
        u64::from_le_bytes(bytes)
    }
}

fn new_time(time: Option<Timestamp>) -> vfs::NewTime {
    time.map_or(vfs::NewTime::Now, |time| {
        vfs::NewTime::At(vfs::Timestamp {
            seconds: time.seconds,
            nanoseconds: time.nanoseconds,
        })
    })
}

fn timestamp(time: vfs::Timestamp) -> Timestamp {
    Timestamp {
        seconds: time.seconds,
        nanoseconds: time.nanoseconds,
    }
}

fn kind(kind: vfs::Kind) -> FileKind {
    match kind {
        vfs::Kind::Regular => FileKind::Regular,
        vfs::Kind::Directory => FileKind::Directory,
        vfs::Kind::Symlink => FileKind::Symlink,
        vfs::Kind::Fifo => FileKind::Fifo,
        vfs::Kind::Device => FileKind::CharacterDevice,
    }
}

fn stat(found: vfs::Metadata) -> Stat {
    Stat {
        kind: kind(found.kind),
        device: found.device,
        inode: found.inode,
        mode: found.mode,
        links: found.links,
        uid: found.uid,
        gid: found.gid,
        size: found.size,
        blocks: found.blocks,
        accessed: timestamp(found.accessed),
        modified: timestamp(found.modified),
        changed: timestamp(found.changed),
    }
}

fn errno(error: vfs::Error) -> Errno {
    match error {
        vfs::Error::Access => Errno::Access,
        vfs::Error::Again => Errno::Again,
        vfs::Error::BadDescriptor => Errno::BadDescriptor,
        vfs::Error::Busy => Errno::Busy,
        vfs::Error::CrossDevice => Errno::CrossDevice,
        vfs::Error::Exist => Errno::Exist,
        vfs::Error::FileTooLarge => Errno::FileTooLarge,
        vfs::Error::Invalid => Errno::Invalid,
        vfs::Error::IsDirectory => Errno::IsDirectory,
        vfs::Error::TooManyLinks => Errno::TooManyLinks,
        vfs::Error::NameTooLong => Errno::NameTooLong,
        vfs::Error::NoEntry => Errno::NoEntry,
        vfs::Error::NoSpace => Errno::NoSpace,
        vfs::Error::NotDirectory => Errno::NotDirectory,
        vfs::Error::NotEmpty => Errno::NotEmpty,
        vfs::Error::NotPermitted => Errno::NotPermitted,
        vfs::Error::NotSupported => Errno::NotSupported,
        vfs::Error::NoDevice => Errno::NoDevice,
        vfs::Error::Overflow => Errno::Overflow,
        vfs::Error::BrokenPipe => Errno::BrokenPipe,
        vfs::Error::ReadOnly => Errno::ReadOnly,
        vfs::Error::CannotSeek => Errno::CannotSeek,
        // What only an embedder meets, and whatever comes later.
        _ => Errno::Io,
    }
}
