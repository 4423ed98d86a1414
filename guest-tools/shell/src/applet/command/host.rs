//! The system of one attempt to run a command: the shell's own, and the streams that it inherits.

use std::cell::{Cell, RefCell};
use std::io::SeekFrom;
use std::rc::Rc;
use std::time::Duration;

use offshoot_command::system::linked::{Host, Opening};
use offshoot_command::system::{Entry, Exit, Failure, Identity, Kind, Result, Spawn, Stat, Time};

use super::child::{Child, End};
use super::gathered::{BOUND, Inputs, stream};
use super::pipe::Pipe;
use crate::applet::io::own_descriptor;
use crate::applet::{Context, Stream};
use crate::os::{self, Access, Errno, FileKind, Handle, OpenOptions, Os, Timestamp, Whence};

/// Files that the command opens have numbers from here on.
const OPENED: u32 = 1 << 16;

/// Why an attempt does not count.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Spoiled {
    /// More of this pipe was asked for than is there.
    Input(u32),
    /// A file was to be changed before the input is known to suffice.
    Change,
}

/// What an attempt came to.
pub(super) struct Ended {
    pub(super) inputs: Inputs,
    /// Output that is not written yet, in order: the number of the stream, and the bytes.
    pub(super) kept: Vec<(u32, Vec<u8>)>,
    pub(super) spoiled: Option<Spoiled>,
    /// Nobody reads its output.
    pub(super) broken: bool,
}

/// A file that a command opened; it is closed with the last who has it.
pub(super) struct OpenFile {
    os: Rc<dyn Os>,
    handle: Handle,
}

impl OpenFile {
    /// Its handle in the system.
    pub(super) fn handle(&self) -> Handle {
        self.handle
    }
}

impl Drop for OpenFile {
    fn drop(&mut self) {
        self.os.close(self.handle);
    }
}

#[derive(Clone)]
enum Opened {
    File(Rc<OpenFile>),
    Inherited(u32),
    Reader(Rc<Pipe>),
    Writer(Rc<Pipe>),
}

/// A command that was started.
enum Started {
    /// It runs when its input is complete.
    Ready(Box<Child>),
    Ended(Exit),
}

/// The system of one attempt.
pub(super) struct RunHost {
    context: Rc<Context>,
    inputs: RefCell<Inputs>,
    /// Nothing may change, all output is kept.
    trial: bool,
    spoiled: Cell<Option<Spoiled>>,
    kept: RefCell<Vec<(u32, Vec<u8>)>>,
    kept_bytes: Cell<usize>,
    broken: Cell<bool>,
    opened: RefCell<Vec<Option<Opened>>>,
    started: RefCell<Vec<Started>>,
    /// Where files that it inherited stood before it read.
    offsets: RefCell<Vec<(u32, u64)>>,
}

impl RunHost {
    pub(super) fn new(context: Rc<Context>, inputs: Inputs, trial: bool) -> RunHost {
        RunHost {
            context,
            inputs: RefCell::new(inputs),
            trial,
            spoiled: Cell::new(None),
            kept: RefCell::default(),
            kept_bytes: Cell::new(0),
            broken: Cell::new(false),
            opened: RefCell::default(),
            started: RefCell::default(),
            offsets: RefCell::default(),
        }
    }

    /// Closes what is open, and undoes what an attempt did that does not count.
    pub(super) fn end(&self) -> Ended {
        drop(self.opened.take());
        // Nobody asks any more how they end.
        self.finish_all(|_| true);
        let spoiled = self.spoiled.get();
        for (number, offset) in self.offsets.take() {
            if spoiled.is_some()
                && let Some(stream) = stream(&self.context, number)
            {
                // It stood there before.
                let _ = stream.seek(offset.cast_signed(), Whence::Start);
            }
        }
        Ended {
            inputs: self.inputs.take(),
            kept: self.kept.take(),
            spoiled,
            broken: self.broken.get(),
        }
    }

    /// An attempt that does not count ends soon: nothing works any more.
    fn works(&self) -> Result<()> {
        match self.spoiled.get() {
            None => Ok(()),
            Some(_) => Err(Failure(Errno::Again)),
        }
    }

    fn spoil(&self, why: Spoiled) -> Failure {
        self.spoiled.set(Some(why));
        Failure(Errno::Again)
    }

    /// Before a file changes.
    fn changes(&self) -> Result<()> {
        self.works()?;
        if self.trial {
            return Err(self.spoil(Spoiled::Change));
        }
        Ok(())
    }

    fn stream(&self, number: u32) -> Result<Rc<dyn Stream>> {
        stream(&self.context, number).ok_or(Failure(Errno::BadDescriptor))
    }

    fn find(&self, file: u32) -> Result<Opened> {
        let Some(at) = file.checked_sub(OPENED) else {
            return Ok(Opened::Inherited(file));
        };
        let opened = self.opened.borrow().get(at as usize).cloned().flatten();
        opened.ok_or(Failure(Errno::BadDescriptor))
    }

    fn add(&self, opened: Opened) -> u32 {
        let mut all = self.opened.borrow_mut();
        let free = all.iter().position(Option::is_none).unwrap_or(all.len());
        if free == all.len() {
            all.push(None);
        }
        all[free] = Some(opened);
        OPENED + free as u32
    }

    /// Notes where a file stands that others read as well.
    fn remember(&self, number: u32, stream: &dyn Stream) {
        let mut offsets = self.offsets.borrow_mut();
        if self.trial
            && !offsets.iter().any(|(known, _)| *known == number)
            && let Ok(offset) = stream.seek(0, Whence::Current)
        {
            offsets.push((number, offset));
        }
    }

    fn write_stream(&self, number: u32, bytes: &[u8]) -> Result<usize> {
        let stream = self.stream(number)?;
        if self.broken.get() {
            // By now a signal would have ended it.
            return Err(Failure(Errno::BrokenPipe));
        }
        if !self.trial && self.kept.borrow().is_empty() {
            match stream.write(bytes) {
                Err(Errno::Again) => {}
                Err(Errno::BrokenPipe) => {
                    self.broken.set(true);
                    return Err(Failure(Errno::BrokenPipe));
                }
                done => return done.map_err(Failure),
            }
        }
        if self.kept_bytes.get() + bytes.len() > BOUND {
            return Err(Failure(Errno::FileTooLarge));
        }
        self.kept_bytes.set(self.kept_bytes.get() + bytes.len());
        let mut kept = self.kept.borrow_mut();
        match kept.last_mut() {
            Some((last, text)) if *last == number => text.extend_from_slice(bytes),
            _ => kept.push((number, bytes.to_vec())),
        }
        Ok(bytes.len())
    }

    /// What it was started with.
    pub(super) fn context(&self) -> &Context {
        &self.context
    }

    /// An open file as the stream of another command.
    pub(super) fn end_of(&self, file: u32) -> Result<End> {
        Ok(match self.find(file)? {
            Opened::File(file) => End::File(file),
            Opened::Inherited(number) => End::Inherited(number),
            Opened::Reader(pipe) | Opened::Writer(pipe) => End::Pipe(pipe),
        })
    }

    /// Whether both are the same open file.
    pub(super) fn is_same(&self, one: &End, other: &End) -> bool {
        match (one, other) {
            (End::Pipe(one), End::Pipe(other)) => Rc::ptr_eq(one, other),
            (End::Inherited(one), End::Inherited(other)) => {
                let place = |number| stream(&self.context, number).and_then(|one| one.place());
                place(*one).is_some() && place(*one) == place(*other)
            }
            _ => false,
        }
    }

    /// Reads for a command that was started; nothing where more would have to come from elsewhere.
    pub(super) fn read_end(&self, end: &End, buffer: &mut [u8]) -> Result<usize> {
        match end {
            End::Inherited(number) => self.read_stream(*number, buffer),
            End::File(file) => file.os.read(file.handle, buffer).map_err(Failure),
            End::Pipe(pipe) => Ok(pipe.read(buffer)),
        }
    }

    /// Writes all that a command wrote that was started.
    pub(super) fn write_all(&self, end: &End, bytes: &[u8]) -> Result<()> {
        let mut rest = bytes;
        while !rest.is_empty() {
            let count = match end {
                End::Inherited(number) => self.write_stream(*number, rest)?,
                End::File(file) => file.os.write(file.handle, rest).map_err(Failure)?,
                End::Pipe(pipe) => pipe.write(rest).map_err(Failure)?,
            };
            rest = &rest[count..];
        }
        Ok(())
    }

    /// Puts back what a command did not take.
    pub(super) fn give_back(&self, end: &End, bytes: &[u8]) {
        if bytes.is_empty() {
            return;
        }
        match end {
            End::Pipe(pipe) => pipe.put_back(bytes),
            End::File(_) => {}
            End::Inherited(number) => {
                if let Some(gathered) = self.inputs.borrow_mut().get_mut(number) {
                    gathered.taken = gathered.taken.saturating_sub(bytes.len());
                } else if let Some(stream) = stream(&self.context, *number) {
                    // What cannot seek was not read.
                    let _ = stream.seek(-(bytes.len() as i64), Whence::Current);
                }
            }
        }
    }

    /// Runs a command that was started, where it has not run yet.
    fn finish(&self, number: usize) -> Result<Exit> {
        let mut started = self.started.borrow_mut();
        let Some(place) = started.get_mut(number) else {
            return Err(Failure(Errno::Child));
        };
        let over = Started::Ended(Exit::Signal(9));
        match std::mem::replace(place, over) {
            Started::Ended(exit) => {
                *place = Started::Ended(exit);
                Ok(exit)
            }
            Started::Ready(child) => {
                drop(started);
                let exit = child.run(self)?;
                if let Some(place) = self.started.borrow_mut().get_mut(number) {
                    *place = Started::Ended(exit);
                }
                Ok(exit)
            }
        }
    }

    /// Runs those of the commands that have not run yet for which this holds.
    fn finish_all(&self, which: impl Fn(&Child) -> bool) {
        let count = self.started.borrow().len();
        for number in 0..count {
            let runs = matches!(
                self.started.borrow().get(number),
                Some(Started::Ready(child)) if which(child)
            );
            if runs {
                // Who waits for it is told.
                let _ = self.finish(number);
            }
        }
    }

    fn read_stream(&self, number: u32, buffer: &mut [u8]) -> Result<usize> {
        let stream = self.stream(number)?;
        if let Some(gathered) = self.inputs.borrow_mut().get_mut(&number) {
            return match gathered.read(buffer) {
                Some(read) => read.map_err(Failure),
                None => Err(self.spoil(Spoiled::Input(number))),
            };
        }
        self.remember(number, &*stream);
        stream.read(buffer).map_err(Failure)
    }

    fn masked(&self, mode: u32) -> u32 {
        mode & !self.context.umask
    }
}

fn kind(kind: FileKind) -> Kind {
    match kind {
        FileKind::Regular => Kind::Regular,
        FileKind::Directory => Kind::Directory,
        FileKind::Symlink => Kind::Symlink,
        FileKind::Fifo => Kind::Fifo,
        FileKind::CharacterDevice => Kind::CharacterDevice,
    }
}

fn time(time: Timestamp) -> Time {
    Time {
        seconds: time.seconds,
        nanoseconds: time.nanoseconds,
    }
}

fn stamp(time: Time) -> Timestamp {
    Timestamp {
        seconds: time.seconds,
        nanoseconds: time.nanoseconds,
    }
}

fn convert(stat: os::Stat) -> Stat {
    Stat {
        kind: kind(stat.kind),
        device: stat.device,
        inode: stat.inode,
        mode: stat.mode,
        links: stat.links,
        uid: stat.uid,
        gid: stat.gid,
        size: stat.size,
        blocks: stat.blocks,
        accessed: time(stat.accessed),
        modified: time(stat.modified),
        changed: time(stat.changed),
        created: time(stat.changed),
    }
}

impl Host for RunHost {
    fn identity(&self) -> Identity {
        let found = self.context.os.identity();
        Identity {
            uid: found.uid,
            gid: found.gid,
            user: found.user,
            group: found.group,
            hostname: found.hostname,
            pid: found.pid,
            parent: found.parent,
        }
    }

    fn directory(&self) -> Vec<u8> {
        self.context.directory.clone()
    }

    fn umask(&self) -> u32 {
        self.context.umask
    }

    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)> {
        self.context.environment.to_vec()
    }

    fn now(&self) -> Time {
        time(self.context.os.now())
    }

    fn uptime(&self) -> Duration {
        Duration::from_nanos(self.context.os.monotonic())
    }

    fn open(&self, path: &[u8], how: Opening) -> Result<u32> {
        self.works()?;
        if let Some(number) = own_descriptor(path) {
            self.stream(number).map_err(|_| Failure(Errno::NoEntry))?;
            return Ok(self.add(Opened::Inherited(number)));
        }
        if how.write && path != b"/dev/null" {
            self.changes()?;
        }
        let options = OpenOptions {
            read: !how.write,
            write: how.write,
            append: how.append,
            create: how.write,
            exclusive: how.exclusive,
            truncate: how.write && !how.append && !how.exclusive,
            directory: false,
        };
        let mode = self.masked(0o666);
        let handle = self.context.os.open(path, options, mode).map_err(Failure)?;
        let stat = self.context.os.stat_handle(handle);
        if stat.is_ok_and(|stat| stat.kind == FileKind::Directory) {
            self.context.os.close(handle);
            return Err(Failure(Errno::IsDirectory));
        }
        let os = self.context.os.clone();
        Ok(self.add(Opened::File(Rc::new(OpenFile { os, handle }))))
    }

    fn close(&self, file: u32) {
        let at = file.checked_sub(OPENED).map(|at| at as usize);
        let opened = at.and_then(|at| self.opened.borrow_mut().get_mut(at)?.take());
        match opened {
            Some(Opened::Reader(pipe)) => pipe.close(false),
            Some(Opened::Writer(pipe)) => {
                pipe.close(true);
                if !pipe.is_open() {
                    self.finish_all(|child| child.reads(&pipe));
                }
            }
            Some(Opened::File(_) | Opened::Inherited(_)) | None => {}
        }
    }

    fn read(&self, file: u32, buffer: &mut [u8]) -> Result<usize> {
        self.works()?;
        match self.find(file)? {
            Opened::File(file) => file.os.read(file.handle, buffer).map_err(Failure),
            Opened::Inherited(number) => self.read_stream(number, buffer),
            Opened::Writer(_) => Err(Failure(Errno::BadDescriptor)),
            Opened::Reader(pipe) => {
                let count = pipe.read(buffer);
                if count > 0 || !pipe.is_open() {
                    return Ok(count);
                }
                self.finish_all(|child| child.writes(&pipe));
                match pipe.read(buffer) {
                    0 if pipe.is_open() => Err(Failure(Errno::Again)),
                    count => Ok(count),
                }
            }
        }
    }

    fn write(&self, file: u32, bytes: &[u8]) -> Result<usize> {
        self.works()?;
        match self.find(file)? {
            Opened::File(file) => file.os.write(file.handle, bytes).map_err(Failure),
            Opened::Inherited(number) => self.write_stream(number, bytes),
            Opened::Writer(pipe) => pipe.write(bytes).map_err(Failure),
            Opened::Reader(_) => Err(Failure(Errno::BadDescriptor)),
        }
    }

    fn seek(&self, file: u32, to: SeekFrom) -> Result<u64> {
        self.works()?;
        let (offset, whence) = match to {
            SeekFrom::Start(offset) => (offset.cast_signed(), Whence::Start),
            SeekFrom::Current(offset) => (offset, Whence::Current),
            SeekFrom::End(offset) => (offset, Whence::End),
        };
        let moved = match self.find(file)? {
            Opened::File(file) => file.os.seek(file.handle, offset, whence),
            Opened::Reader(_) | Opened::Writer(_) => Err(Errno::CannotSeek),
            Opened::Inherited(number) if self.inputs.borrow().contains_key(&number) => {
                Err(Errno::CannotSeek)
            }
            Opened::Inherited(number) => {
                let stream = self.stream(number)?;
                self.remember(number, &*stream);
                stream.seek(offset, whence)
            }
        };
        moved.map_err(Failure)
    }

    fn stat_file(&self, file: u32) -> Result<Stat> {
        let found = match self.find(file)? {
            Opened::File(file) => file.os.stat_handle(file.handle),
            Opened::Reader(_) | Opened::Writer(_) => Err(Errno::NotSupported),
            Opened::Inherited(number) => self.stream(number)?.stat(),
        };
        found.map(convert).map_err(Failure)
    }

    fn stat(&self, path: &[u8], follow: bool) -> Result<Stat> {
        self.works()?;
        match own_descriptor(path) {
            Some(number) if follow => self.stat_file(number).map_err(|_| Failure(Errno::NoEntry)),
            _ => {
                let found = self.context.os.stat(path, follow);
                found.map(convert).map_err(Failure)
            }
        }
    }

    fn access(&self, path: &[u8], bits: u32) -> Result<()> {
        let access = Access {
            read: bits & 4 != 0,
            write: bits & 2 != 0,
            execute: bits & 1 != 0,
        };
        self.context.os.access(path, access).map_err(Failure)
    }

    fn read_directory(&self, path: &[u8]) -> Result<Vec<Entry>> {
        self.works()?;
        let entries = self.context.os.read_directory(path).map_err(Failure)?;
        let entry = |entry: os::DirectoryEntry| Entry {
            name: entry.name,
            kind: kind(entry.kind),
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        self.context.os.read_link(path).map_err(Failure)
    }

    fn canonicalize(&self, path: &[u8]) -> Result<Vec<u8>> {
        self.context.os.canonicalize(path).map_err(Failure)
    }

    fn make_directory(&self, path: &[u8], mode: u32) -> Result<()> {
        self.changes()?;
        let made = self.context.os.make_directory(path, self.masked(mode));
        made.map_err(Failure)
    }

    fn make_fifo(&self, path: &[u8], mode: u32) -> Result<()> {
        self.changes()?;
        let made = self.context.os.make_fifo(path, self.masked(mode));
        made.map_err(Failure)
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        self.changes()?;
        self.context.os.symlink(target, path).map_err(Failure)
    }

    fn link(&self, existing: &[u8], path: &[u8], follow: bool) -> Result<()> {
        self.changes()?;
        let made = self.context.os.link(existing, path, follow);
        made.map_err(Failure)
    }

    fn rename(&self, old: &[u8], new: &[u8]) -> Result<()> {
        self.changes()?;
        self.context.os.rename(old, new).map_err(Failure)
    }

    fn unlink(&self, path: &[u8]) -> Result<()> {
        self.changes()?;
        self.context.os.unlink(path).map_err(Failure)
    }

    fn remove_directory(&self, path: &[u8]) -> Result<()> {
        self.changes()?;
        self.context.os.remove_directory(path).map_err(Failure)
    }

    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()> {
        self.changes()?;
        self.context.os.set_mode(path, mode).map_err(Failure)
    }

    fn set_times(&self, path: &[u8], accessed: Time, modified: Time) -> Result<()> {
        self.changes()?;
        let (accessed, modified) = (Some(stamp(accessed)), Some(stamp(modified)));
        let set = self.context.os.set_times(path, accessed, modified);
        set.map_err(Failure)
    }

    fn pipe(&self) -> Result<(u32, u32)> {
        self.works()?;
        let pipe = Rc::new(Pipe::new());
        let reader = self.add(Opened::Reader(pipe.clone()));
        Ok((reader, self.add(Opened::Writer(pipe))))
    }

    fn spawn(&self, spawn: &Spawn<'_>) -> Result<u32> {
        // What it does cannot be undone.
        self.changes()?;
        let child = Child::new(self, spawn)?;
        let waits = child.awaits();
        let number = self.started.borrow().len();
        let started = Started::Ready(Box::new(child));
        self.started.borrow_mut().push(started);
        if !waits {
            self.finish(number)?;
        }
        Ok(number as u32 + 1)
    }

    fn wait(&self, pid: u32) -> Result<Exit> {
        let number = pid.checked_sub(1).ok_or(Failure(Errno::Child))?;
        self.finish(number as usize)
    }
}
