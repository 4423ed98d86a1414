//! An open object: a file, a pipe end, a device, or something of the embedder's.

use std::fmt;
use std::io::SeekFrom;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use bytes::Bytes;
use offshoot_vfs::{
    Device, Error, File, Kind, Metadata, Pipe, PipeReader, PipeWriter, Result, Timestamp,
};

use super::{Capture, Screen, Stdio};
use crate::loopback::Connection;
use crate::process::Group;
use crate::program::Rounds;

/// The device number that pipes and the embedder's objects report.
const DEVICE: u64 = 0xff;

/// What a descriptor refers to. Shared by all its duplicates, also across processes.
pub(crate) struct Object {
    source: Source,
    terminal: Option<Screen>,
    rounds: Option<Rounds>,
    /// Who pays for what is written, where it leaves the sandbox.
    meter: Option<Arc<Group>>,
    /// The path by which a file was opened, where a suspended script may have to open it again.
    path: Option<Box<[u8]>>,
    /// The inode number of what has none, which tells the streams of an execution apart.
    number: u64,
}

enum Source {
    /// What a program gets that asks for a stream whose descriptor is closed.
    Closed,
    Null,
    Bytes(Mutex<Bytes>),
    Capture(Capture),
    Reader(PipeReader),
    Writer(PipeWriter),
    Both(PipeReader, PipeWriter),
    /// One end of a connection within the sandbox.
    Connection(Arc<Connection>),
    File(File),
    Fifo(File, Opening),
    /// What a script that was suspended had not read, before the rest.
    Ahead(Mutex<Bytes>, Box<Object>),
}

impl Object {
    fn new(source: Source) -> Object {
        Object {
            source,
            terminal: None,
            rounds: None,
            meter: None,
            path: None,
            number: 0,
        }
    }

    /// What the embedder gave; `group` pays for what is written to it.
    pub(crate) fn from_host(stdio: Stdio, group: &Arc<Group>) -> Object {
        let metered = |source| Object {
            meter: Some(Arc::clone(group)),
            ..Object::new(source)
        };
        let object = match stdio {
            Stdio::Null => Object::new(Source::Null),
            Stdio::Bytes(bytes) => Object::new(Source::Bytes(Mutex::new(bytes))),
            Stdio::Capture(capture) => metered(Source::Capture(capture)),
            Stdio::Reader(reader) => Object::new(Source::Reader(reader)),
            Stdio::Writer(writer) => metered(Source::Writer(writer)),
            Stdio::File(file) => Object::from_file(file),
            Stdio::Terminal(reader, writer, screen) => Object {
                terminal: Some(screen),
                ..metered(Source::Both(reader, writer))
            },
            Stdio::Rounds(reader, rounds) => Object {
                rounds: Some(rounds),
                ..Object::new(Source::Reader(reader))
            },
        };
        Object {
            number: group.number_stream(),
            ..object
        }
    }

    pub(crate) fn from_file(file: File) -> Object {
        if file.pipe().is_some() {
            return Object::new(Source::Fifo(file, Opening::default()));
        }
        Object::new(Source::File(file))
    }

    /// A file that was opened by its path.
    pub(crate) fn from_path(file: File, path: &[u8]) -> Object {
        Object {
            path: Some(path.into()),
            ..Object::from_file(file)
        }
    }

    /// A FIFO whose other side was there, as it was known before.
    pub(crate) fn opened(self) -> Object {
        if let Source::Fifo(_, opening) = &self.source {
            opening.done.store(true, Ordering::Relaxed);
        }
        self
    }

    /// The same, with these bytes to be read first.
    pub(crate) fn behind(self, unread: Bytes) -> Object {
        if unread.is_empty() {
            return self;
        }
        let (terminal, number) = (self.terminal.clone(), self.number);
        Object {
            terminal,
            number,
            ..Object::new(Source::Ahead(Mutex::new(unread), Box::new(self)))
        }
    }

    pub(crate) fn closed() -> Object {
        Object::new(Source::Closed)
    }

    /// Both ends of a pipe, which are one file.
    pub(crate) fn pipe(group: &Group) -> (Object, Object) {
        let (reader, writer) = Pipe::ends();
        let number = group.number_stream();
        let end = |source| Object {
            number,
            ..Object::new(source)
        };
        (end(Source::Reader(reader)), end(Source::Writer(writer)))
    }

    pub(crate) fn connection(connection: Arc<Connection>) -> Object {
        Object::new(Source::Connection(connection))
    }

    /// The rounds that a program is called in which has it.
    pub(crate) fn rounds(&self) -> Option<&Rounds> {
        self.rounds.as_ref()
    }

    pub(crate) fn is_terminal(&self) -> bool {
        self.terminal.is_some()
    }

    /// What is known of the terminal, where it is one.
    pub(crate) fn screen(&self) -> Option<&Screen> {
        self.terminal.as_ref()
    }

    /// The file of the sandbox, where it is one.
    pub(crate) fn file(&self) -> Option<&File> {
        match &self.source {
            Source::File(file) | Source::Fifo(file, _) => Some(file),
            _ => None,
        }
    }

    /// The path by which it was opened.
    pub(crate) fn path(&self) -> Option<&[u8]> {
        self.path.as_deref()
    }

    /// Whether the other side of a FIFO was there since it was opened.
    pub(crate) fn is_opened(&self) -> bool {
        match &self.source {
            Source::Fifo(file, opening) => opening.is_done(file),
            _ => true,
        }
    }

    /// What has arrived from the embedder and was not read, and whether more may come.
    pub(crate) fn unread(&self) -> (Vec<u8>, bool) {
        match &self.source {
            Source::Bytes(bytes) => (lock(bytes).to_vec(), false),
            Source::Reader(reader) | Source::Both(reader, _) => {
                (reader.pipe().contents(), reader.pipe().writers() > 0)
            }
            Source::Ahead(bytes, rest) => {
                let (more, open) = rest.unread();
                ([&lock(bytes)[..], &more].concat(), open)
            }
            _ => (Vec::new(), false),
        }
    }

    /// Lets whoever writes to it wait, or no longer.
    pub(crate) fn freeze(&self, frozen: bool) {
        match &self.source {
            Source::Reader(reader) | Source::Both(reader, _) => reader.freeze(frozen),
            Source::Ahead(_, rest) => rest.freeze(frozen),
            _ => {}
        }
    }

    /// Whether an offset means something: everything but streams.
    pub(crate) fn can_seek(&self) -> bool {
        matches!(&self.source, Source::File(file) if file.kind() == Kind::Regular)
    }

    /// Reads at the offset; 0 is the end, `EAGAIN` says that there is nothing yet.
    pub(crate) fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        match &self.source {
            Source::Null => Ok(0),
            Source::Bytes(bytes) => Ok(take(bytes, buffer)),
            Source::Ahead(bytes, rest) => match take(bytes, buffer) {
                0 => rest.read(buffer),
                count => Ok(count),
            },
            Source::Reader(reader) | Source::Both(reader, _) => reader.try_read(buffer),
            Source::Connection(connection) => connection.read(buffer),
            Source::File(file) => file.read(buffer),
            Source::Fifo(file, opening) => {
                if file.can_read() && !opening.is_done(file) {
                    return Err(Error::Again);
                }
                file.read(buffer)
            }
            Source::Closed | Source::Capture(_) | Source::Writer(_) => Err(Error::BadDescriptor),
        }
    }

    /// Writes at the offset; says how much was taken.
    pub(crate) fn write(&self, bytes: &[u8]) -> Result<usize> {
        match &self.meter {
            None => self.write_unmetered(bytes),
            Some(group) => {
                let granted = group.grant_output(bytes.len());
                if granted == 0 && !bytes.is_empty() {
                    // The write before met the limit exactly.
                    group.exceed(crate::Limit::Output);
                    return Err(Error::FileTooLarge);
                }
                let written = self.write_unmetered(&bytes[..granted]);
                group.return_output(granted - *written.as_ref().unwrap_or(&0));
                if granted < bytes.len() && written == Ok(granted) {
                    group.exceed(crate::Limit::Output);
                }
                written
            }
        }
    }

    fn write_unmetered(&self, bytes: &[u8]) -> Result<usize> {
        match &self.source {
            Source::Null => Ok(bytes.len()),
            Source::Capture(capture) => {
                capture.push(bytes);
                Ok(bytes.len())
            }
            Source::Writer(writer) | Source::Both(_, writer) => writer.try_write(bytes),
            Source::Connection(connection) => connection.write(bytes),
            Source::File(file) => file.write(bytes),
            Source::Fifo(file, opening) => {
                if file.can_write() && !opening.is_done(file) {
                    return Err(Error::Again);
                }
                file.write(bytes)
            }
            Source::Ahead(_, rest) => rest.write(bytes),
            Source::Closed | Source::Bytes(_) | Source::Reader(_) => Err(Error::BadDescriptor),
        }
    }

    /// Whether a read would not answer `EAGAIN`; otherwise registers `waker`.
    pub(crate) fn poll_readable(&self, waker: &Waker) -> bool {
        match &self.source {
            Source::Reader(reader) | Source::Both(reader, _) => reader.poll_readable(waker),
            Source::Connection(connection) => connection.poll_readable(waker),
            Source::Fifo(file, opening) => match file.pipe_reader() {
                Some(reader) => opening.poll(file, waker) && reader.poll_readable(waker),
                None => true,
            },
            Source::Ahead(bytes, rest) => !lock(bytes).is_empty() || rest.poll_readable(waker),
            _ => true,
        }
    }

    /// Whether a write would not answer `EAGAIN`; otherwise registers `waker`.
    pub(crate) fn poll_writable(&self, waker: &Waker) -> bool {
        match &self.source {
            Source::Writer(writer) | Source::Both(_, writer) => writer.poll_writable(waker),
            Source::Connection(connection) => connection.poll_writable(waker),
            Source::Fifo(file, opening) => match file.pipe_writer() {
                Some(writer) => opening.poll(file, waker) && writer.poll_writable(waker),
                None => true,
            },
            Source::Ahead(_, rest) => rest.poll_writable(waker),
            _ => true,
        }
    }

    /// Whether the other side of a FIFO is there; true for anything else. What `open` waits for.
    pub(crate) fn poll_open(&self, waker: &Waker) -> bool {
        match &self.source {
            Source::Fifo(file, opening) => opening.poll(file, waker),
            _ => true,
        }
    }

    pub(crate) fn seek(&self, to: SeekFrom) -> Result<u64> {
        match &self.source {
            Source::File(file) => file.seek(to),
            Source::Ahead(_, rest) => rest.seek(to),
            Source::Bytes(_) | Source::Null => Ok(0),
            _ => Err(Error::CannotSeek),
        }
    }

    pub(crate) fn set_size(&self, size: u64) -> Result<()> {
        match &self.source {
            Source::File(file) => file.set_size(size),
            _ => Err(Error::Invalid),
        }
    }

    pub(crate) fn metadata(&self) -> Result<Metadata> {
        match &self.source {
            Source::File(file) | Source::Fifo(file, _) => file.metadata(),
            Source::Ahead(_, rest) => rest.metadata(),
            Source::Null => Ok(self.stream(Kind::Device, Some(Device::Null))),
            Source::Both(..) => Ok(self.stream(Kind::Device, Some(Device::Tty))),
            _ => Ok(self.stream(Kind::Fifo, None)),
        }
    }

    /// Metadata of what has no inode.
    fn stream(&self, kind: Kind, special: Option<Device>) -> Metadata {
        let zero = Timestamp::default();
        Metadata {
            kind,
            special,
            device: DEVICE,
            inode: self.number,
            mode: 0o600,
            links: 1,
            uid: 0,
            gid: 0,
            size: 0,
            blocks: 0,
            accessed: zero,
            modified: zero,
            changed: zero,
            created: zero,
        }
    }
}

fn lock(bytes: &Mutex<Bytes>) -> MutexGuard<'_, Bytes> {
    bytes.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Moves bytes from the front.
fn take(bytes: &Mutex<Bytes>, buffer: &mut [u8]) -> usize {
    let mut bytes = lock(bytes);
    let length = buffer.len().min(bytes.len());
    let taken = bytes.split_to(length);
    buffer[..length].copy_from_slice(&taken);
    length
}

impl fmt::Debug for Object {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match &self.source {
            Source::Closed => "Object(closed)",
            Source::Null => "Object(null)",
            Source::Bytes(_) => "Object(bytes)",
            Source::Capture(_) => "Object(capture)",
            Source::Reader(_) | Source::Writer(_) => "Object(pipe)",
            Source::Both(..) => "Object(terminal)",
            Source::Connection(_) => "Object(connection)",
            Source::File(_) => "Object(file)",
            Source::Fifo(..) => "Object(fifo)",
            Source::Ahead(..) => "Object(ahead)",
        })
    }
}

/// The opening of a FIFO, which is done once its other side was there.
///
/// Until then there is nothing to read or write, but neither the end nor a broken pipe: `open` of
/// a program waits, and the shell, which must not, finds the descriptor not ready.
#[derive(Default)]
struct Opening {
    /// It was done before the script was suspended.
    done: AtomicBool,
}

impl Opening {
    fn is_done(&self, file: &File) -> bool {
        self.done.load(Ordering::Relaxed) || file.has_met()
    }

    /// Whether it is done; otherwise registers `waker`.
    fn poll(&self, file: &File, waker: &Waker) -> bool {
        self.done.load(Ordering::Relaxed) || file.poll_met(waker)
    }
}
