//! Open files.

use std::fmt;
use std::io::SeekFrom;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use crate::live::State;
use crate::{
    Caller, Device, DirectoryEntry, Error, Kind, Metadata, NewTime, NodeId, OpenOptions, Pipe,
    PipeReader, PipeWriter, Result, SourceFile, Vfs,
};

/// An open file of any kind. Clones share the offset, as POSIX descriptors made by `dup` do.
///
/// A file that is open stays readable and writable after its last name is gone, and its storage
/// is freed when the last clone is dropped.
#[derive(Clone)]
pub struct File(Arc<Open>);

struct Open {
    vfs: Vfs,
    node: NodeId,
    kind: Kind,
    read: bool,
    write: bool,
    append: bool,
    offset: Mutex<u64>,
    device: Option<Device>,
    fifo: Option<Fifo>,
    /// Where the content is read from until the file is changed.
    source: Option<Arc<dyn SourceFile>>,
    /// The process that opened it.
    process: u32,
}

/// The ends of a FIFO that this file holds.
struct Fifo {
    pipe: Pipe,
    reader: Option<PipeReader>,
    writer: Option<PipeWriter>,
}

impl File {
    pub(crate) fn new(
        vfs: Vfs,
        node: NodeId,
        kind: Kind,
        options: &OpenOptions,
        device: Option<Device>,
        fifo: Option<Pipe>,
    ) -> File {
        let OpenOptions {
            read,
            write,
            append,
            ..
        } = *options;
        let fifo = fifo.map(|pipe| Fifo {
            reader: read.then(|| pipe.reader()),
            writer: write.then(|| pipe.writer()),
            pipe,
        });
        let offset = Mutex::new(0);
        let source = None;
        File(Arc::new(Open {
            vfs,
            node,
            kind,
            read,
            write,
            append,
            offset,
            device,
            fifo,
            source,
            process: 0,
        }))
    }

    /// The same file, just opened, by this process.
    pub(crate) fn of(mut self, process: u32) -> File {
        if let Some(open) = Arc::get_mut(&mut self.0) {
            open.process = process;
        }
        self
    }

    /// The same file, just opened, with its content in a mount's source.
    pub(crate) fn with_source(mut self, source: Arc<dyn SourceFile>) -> File {
        if let Some(open) = Arc::get_mut(&mut self.0) {
            open.source = Some(source);
        }
        self
    }

    /// The node that is open.
    pub fn node(&self) -> NodeId {
        self.0.node
    }

    /// What it is.
    pub fn kind(&self) -> Kind {
        self.0.kind
    }

    /// The device, where it is one. [`Device::Tty`] and [`Device::Descriptor`] mean files of the
    /// process that opened them; whoever keeps processes puts these in place.
    pub fn device(&self) -> Option<Device> {
        self.0.device
    }

    /// The pipe of a FIFO.
    pub fn pipe(&self) -> Option<&Pipe> {
        self.0.fifo.as_ref().map(|fifo| &fifo.pipe)
    }

    /// Whether the other side of a FIFO was there since it was opened, which POSIX has the opening wait
    /// for; true of any other file.
    pub fn has_met(&self) -> bool {
        self.pipe_reader().is_none_or(PipeReader::has_met)
            && self.pipe_writer().is_none_or(PipeWriter::has_met)
    }

    /// The same; otherwise registers `waker`.
    pub fn poll_met(&self, waker: &Waker) -> bool {
        self.pipe_reader()
            .is_none_or(|reader| reader.poll_met(waker))
            && self
                .pipe_writer()
                .is_none_or(|writer| writer.poll_met(waker))
    }

    /// The reading end of a FIFO that is open for reading.
    pub fn pipe_reader(&self) -> Option<&PipeReader> {
        self.0.fifo.as_ref()?.reader.as_ref()
    }

    /// The writing end of a FIFO that is open for writing.
    pub fn pipe_writer(&self) -> Option<&PipeWriter> {
        self.0.fifo.as_ref()?.writer.as_ref()
    }

    /// Whether it is open for reading.
    pub fn can_read(&self) -> bool {
        self.0.read
    }

    /// Whether it is open for writing.
    pub fn can_write(&self) -> bool {
        self.0.write
    }

    /// Whether every write goes to the end.
    pub fn is_append(&self) -> bool {
        self.0.append
    }

    /// Its metadata now.
    ///
    /// # Errors
    /// `ENOENT` where its mount is gone.
    pub fn metadata(&self) -> Result<Metadata> {
        self.0.vfs.metadata(self.0.node)
    }

    /// The entries of an open directory.
    ///
    /// # Errors
    /// `ENOTDIR`, and `ENOENT` where it was removed.
    pub fn read_dir(&self) -> Result<Vec<DirectoryEntry>> {
        let now = self.0.vfs.now();
        let mut state = self.0.vfs.lock();
        let entries = state.entries(self.0.node, self.0.process)?;
        state.note_access(self.0.node, now);
        Ok(entries)
    }

    /// All bytes of a regular file, whatever it was opened for: for whoever keeps an open file
    /// whose last name is gone.
    ///
    /// # Errors
    /// `EINVAL` for anything else, `EIO` where they cannot be loaded.
    pub fn contents(&self) -> Result<Vec<u8>> {
        if self.0.kind != Kind::Regular {
            return Err(Error::Invalid);
        }
        let mut all = Vec::new();
        let mut block = vec![0; 64 << 10];
        loop {
            let at = all.len() as u64;
            let source = self.0.source.as_deref();
            match self.0.vfs.read_node(self.0.node, source, at, &mut block)? {
                0 => return Ok(all),
                count => all.extend_from_slice(&block[..count]),
            }
        }
    }

    /// Reads at the offset and moves it. 0 is the end.
    ///
    /// # Errors
    /// `EBADF` where it is not open for reading, `EISDIR`, `EAGAIN` for an empty FIFO, `ENXIO` for
    /// a device that only a process can provide.
    pub fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        if self.0.kind != Kind::Regular {
            return self.read_special(buffer);
        }
        let mut offset = self.0.offset.lock().unwrap_or_else(PoisonError::into_inner);
        let count = self.read_at(*offset, buffer)?;
        *offset += count as u64;
        Ok(count)
    }

    /// Reads at `position` and leaves the offset alone.
    ///
    /// # Errors
    /// Those of [`File::read`], and `ESPIPE` for FIFOs.
    pub fn read_at(&self, position: u64, buffer: &mut [u8]) -> Result<usize> {
        match self.0.kind {
            Kind::Regular if !self.0.read => Err(Error::BadDescriptor),
            Kind::Regular => {
                self.0
                    .vfs
                    .read_node(self.0.node, self.0.source.as_deref(), position, buffer)
            }
            Kind::Fifo => Err(Error::CannotSeek),
            _ => self.read_special(buffer),
        }
    }

    fn read_special(&self, buffer: &mut [u8]) -> Result<usize> {
        if self.0.kind == Kind::Directory {
            return Err(Error::IsDirectory);
        }
        if !self.0.read {
            return Err(Error::BadDescriptor);
        }
        if let Some(reader) = self.pipe_reader() {
            return reader.try_read(buffer);
        }
        match self.0.device {
            Some(Device::Null) => Ok(0),
            Some(Device::Zero | Device::Full) => {
                buffer.fill(0);
                Ok(buffer.len())
            }
            Some(Device::Random) => {
                self.0.vfs.0.options.random.fill(buffer);
                Ok(buffer.len())
            }
            _ => Err(Error::NoDevice),
        }
    }

    /// Writes at the offset, or at the end where the file is open for appending, and moves the
    /// offset behind what was written, which may be less than `bytes`.
    ///
    /// # Errors
    /// `EBADF` where it is not open for writing, `ENOSPC`, `EFBIG`, `EAGAIN` and `EPIPE` for FIFOs,
    /// `ENXIO` for a device that only a process can provide.
    pub fn write(&self, bytes: &[u8]) -> Result<usize> {
        if self.0.kind != Kind::Regular {
            return self.write_special(bytes);
        }
        if !self.0.write {
            return Err(Error::BadDescriptor);
        }
        let now = self.0.vfs.now();
        let mut offset = self.0.offset.lock().unwrap_or_else(PoisonError::into_inner);
        let mut state = self.lock_content()?;
        let at = if self.0.append {
            state.size(self.0.node)?
        } else {
            *offset
        };
        let count = state.write(self.0.node, at, bytes, now)?;
        if count > 0 {
            *offset = at + count as u64;
        }
        Ok(count)
    }

    fn lock_content(&self) -> Result<MutexGuard<'_, State>> {
        self.0
            .vfs
            .lock_content(self.0.node, self.0.source.as_deref())
    }

    /// Writes at `position` (at the end where the file is open for appending) and leaves the offset alone.
    ///
    /// # Errors
    /// Those of [`File::write`], and `ESPIPE` for FIFOs.
    pub fn write_at(&self, position: u64, bytes: &[u8]) -> Result<usize> {
        self.write_from((!self.0.append).then_some(position), bytes)
    }

    /// Writes at the end, in one step with finding it, and leaves the offset alone.
    ///
    /// # Errors
    /// Those of [`File::write_at`].
    pub fn append(&self, bytes: &[u8]) -> Result<usize> {
        self.write_from(None, bytes)
    }

    /// Writes at `position`, or at the end where there is none.
    fn write_from(&self, position: Option<u64>, bytes: &[u8]) -> Result<usize> {
        match self.0.kind {
            Kind::Regular if !self.0.write => Err(Error::BadDescriptor),
            Kind::Regular => {
                let now = self.0.vfs.now();
                let mut state = self.lock_content()?;
                let position = match position {
                    Some(position) => position,
                    None => state.size(self.0.node)?,
                };
                state.write(self.0.node, position, bytes, now)
            }
            Kind::Fifo => Err(Error::CannotSeek),
            _ => self.write_special(bytes),
        }
    }

    fn write_special(&self, bytes: &[u8]) -> Result<usize> {
        if !self.0.write {
            return Err(Error::BadDescriptor);
        }
        if let Some(writer) = self.pipe_writer() {
            return writer.try_write(bytes);
        }
        match self.0.device {
            Some(Device::Null | Device::Zero | Device::Random) => Ok(bytes.len()),
            Some(Device::Full) => Err(Error::NoSpace),
            _ => Err(Error::NoDevice),
        }
    }

    /// Moves the offset and returns the new one. Past the end is allowed.
    ///
    /// # Errors
    /// `EINVAL` before the beginning or past 2^63 - 1, `ESPIPE` for FIFOs and terminals.
    pub fn seek(&self, to: SeekFrom) -> Result<u64> {
        match (self.0.kind, self.0.device) {
            (Kind::Fifo, _) | (_, Some(Device::Tty | Device::Descriptor(_))) => {
                return Err(Error::CannotSeek);
            }
            (Kind::Device, _) => return Ok(0),
            _ => {}
        }
        let mut offset = self.0.offset.lock().unwrap_or_else(PoisonError::into_inner);
        let moved = match to {
            SeekFrom::Start(position) => Some(position),
            SeekFrom::Current(distance) => offset.checked_add_signed(distance),
            SeekFrom::End(distance) => self
                .0
                .vfs
                .lock()
                .size(self.0.node)?
                .checked_add_signed(distance),
        };
        match moved {
            Some(position) if i64::try_from(position).is_ok() => *offset = position,
            _ => return Err(Error::Invalid),
        }
        Ok(*offset)
    }

    /// The offset; 0 for what has none.
    pub fn position(&self) -> u64 {
        *self.0.offset.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Sets the length: cuts off, or extends with a hole.
    ///
    /// # Errors
    /// `EINVAL` where it is no regular file or not open for writing, `EFBIG`.
    pub fn set_size(&self, size: u64) -> Result<()> {
        if !self.0.write {
            return Err(Error::Invalid);
        }
        self.0
            .vfs
            .resize(self.0.node, self.0.source.as_deref(), size)
    }

    /// Gives this file the content of `from`, in constant time: both share it until one is written (a
    /// reflink, as `FICLONE` makes one). What `from` has in a host directory is read.
    ///
    /// # Errors
    /// `EXDEV` where they are of two filesystems, `EINVAL` where one is no regular file, this one is not
    /// open for writing or `from` not for reading; `EFBIG`, `ENOSPC`.
    ///
    /// ```
    /// use offshoot_vfs::{Caller, OpenOptions, Options, Vfs};
    ///
    /// let (fs, who) = (Vfs::new(Options::default()), Caller::ROOT);
    /// fs.write_file(&who, fs.root(), b"/a", b"text", 0o644)?;
    /// let from = fs.open(&who, fs.root(), b"/a", &OpenOptions::READ, 0)?;
    /// let to = fs.open(&who, fs.root(), b"/b", &OpenOptions::WRITE, 0o644)?;
    /// to.reflink(&from)?;
    /// assert_eq!(fs.read_file(&who, fs.root(), b"/b")?, b"text");
    /// # Ok::<(), offshoot_vfs::Error>(())
    /// ```
    pub fn reflink(&self, from: &File) -> Result<()> {
        if !Arc::ptr_eq(&self.0.vfs.0, &from.0.vfs.0) {
            return Err(Error::CrossDevice);
        }
        if !self.0.write || !from.can_read() {
            return Err(Error::Invalid);
        }
        self.0
            .vfs
            .share(from.0.node, from.0.source.as_deref(), self.0.node)
    }

    /// `fchmod`.
    ///
    /// # Errors
    /// Those of [`Vfs::set_mode`], without those of paths.
    pub fn set_mode(&self, caller: &Caller, mode: u32) -> Result<()> {
        let now = self.0.vfs.now();
        self.0.vfs.lock().set_mode(caller, self.0.node, mode, now)
    }

    /// `fchown`.
    ///
    /// # Errors
    /// Those of [`Vfs::set_owner`], without those of paths.
    pub fn set_owner(&self, caller: &Caller, owner: (Option<u32>, Option<u32>)) -> Result<()> {
        let now = self.0.vfs.now();
        self.0.vfs.lock().set_owner(caller, self.0.node, owner, now)
    }

    /// `futimens`.
    ///
    /// # Errors
    /// Those of [`Vfs::set_times`], without those of paths.
    pub fn set_times(&self, caller: &Caller, accessed: NewTime, modified: NewTime) -> Result<()> {
        let now = self.0.vfs.now();
        self.0
            .vfs
            .lock()
            .set_times(caller, self.0.node, accessed, modified, now)
    }
}

impl Drop for Open {
    fn drop(&mut self) {
        // A FIFO's ends go first: the last release forgets the pipe.
        self.fifo = None;
        self.vfs.lock().release(self.node);
    }
}

impl fmt::Debug for File {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("File")
            .field("node", &self.0.node)
            .field("kind", &self.0.kind)
            .field("read", &self.0.read)
            .field("write", &self.0.write)
            .field("offset", &self.position())
            .finish()
    }
}
