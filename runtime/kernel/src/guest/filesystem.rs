//! `wasi:filesystem` over the sandbox's files.
//!
//! The one preopen is `/`. WASI 0.2 programs have no working directory: `wasi-libc` drops the
//! leading slash of absolute paths, so that `/tmp/x` and `tmp/x` arrive as the same path below the
//! preopen. What happens then depends on the program:
//! - One that asks for `initial-cwd` resolves relative paths itself (Rust: pass the answer to
//!   `std::env::set_current_dir` first thing in `main`). Its paths start at the root, always.
//! - For any other, a path whose first name exists in `/` starts there, and every other path (and
//!   `.`, and `..`) starts in the working directory. So `read("notes.txt")` and `read("/etc/passwd")`
//!   both do what they say; only a relative path that begins like a directory of `/`, or an absolute
//!   path of a new file directly in `/`, is taken for the other.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;
use std::vec;

use offshoot_vfs::{
    Caller, Device, DirectoryEntry, Error, File, Kind, Metadata, NodeId, OpenOptions, Vfs,
};
use wasmtime::component::Resource;
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream};

use super::bindings::wasi::filesystem::preopens;
use super::bindings::wasi::filesystem::types::{
    self, Advice, DescriptorFlags, DescriptorStat, DescriptorType, ErrorCode, MetadataHashValue,
    NewTimestamp, OpenFlags, PathFlags,
};
use super::errno::StreamErrno;
use super::limiter::Held;
use super::stat::{hash, new_time};
use super::streams::{
    FileInput, FileOutput, ObjectInput, ObjectOutput, read_some, readable, writable,
};
use super::text::{from_bytes, to_bytes};
use super::{Errno, Failure, Guest};
use crate::descriptor::Object;
use crate::limit::ENTRY_BYTES;

/// Permission bits of new files and directories, before the umask.
const FILE_MODE: u32 = 0o666;
const DIRECTORY_MODE: u32 = 0o777;

/// `descriptor`: an open file or directory.
pub struct Descriptor {
    open: Open,
    flags: DescriptorFlags,
    /// The path by which it was opened, as the guest gave it.
    path: Box<str>,
}

enum Open {
    /// The preopen.
    Root,
    Directory(File),
    Object(Arc<Object>),
}

/// `directory-entry-stream`: the entries that were there when it was opened.
///
/// They count as memory of the sandbox: a guest can hold many listings of a large directory.
pub struct Entries {
    left: vec::IntoIter<DirectoryEntry>,
    _held: Held,
}

impl Descriptor {
    /// What it is, for people.
    pub(super) fn describe(&self) -> String {
        let path = self.path.trim_start_matches('/');
        match self.open {
            Open::Root | Open::Directory(_) => format!("the directory /{path}"),
            Open::Object(_) => format!("the file /{path}"),
        }
    }

    /// What streams and offsets work on.
    fn object(&self) -> Result<&Arc<Object>, Failure> {
        match &self.open {
            Open::Object(object) => Ok(object),
            Open::Root | Open::Directory(_) => Err(Errno::IsDirectory.into()),
        }
    }

    /// Where paths start.
    fn directory(&self, vfs: &Vfs) -> Result<NodeId, Failure> {
        match &self.open {
            Open::Root => Ok(vfs.root()),
            Open::Directory(file) => Ok(file.node()),
            Open::Object(_) => Err(Errno::NotDirectory.into()),
        }
    }

    fn metadata(&self, vfs: &Vfs) -> offshoot_vfs::Result<Metadata> {
        match &self.open {
            Open::Root => vfs.metadata(vfs.root()),
            Open::Directory(file) => file.metadata(),
            Open::Object(object) => object.metadata(),
        }
    }
}

/// What an operation on a path needs.
struct Place {
    vfs: Vfs,
    caller: Caller,
    at: NodeId,
}

impl Guest {
    fn file(&self, descriptor: &Resource<Descriptor>) -> Result<&Descriptor, Failure> {
        Ok(self.resources.get(descriptor)?)
    }

    fn metadata(&self, descriptor: &Resource<Descriptor>) -> Result<Metadata, Failure> {
        Ok(self.file(descriptor)?.metadata(self.kernel.vfs())?)
    }

    /// Where `path` starts.
    fn place(&self, descriptor: &Resource<Descriptor>, path: &str) -> Result<Place, Failure> {
        let vfs = self.kernel.vfs().clone();
        let caller = self.caller();
        let descriptor = self.file(descriptor)?;
        // Paths are below the descriptor; a leading slash would leave it (T01).
        if path.starts_with('/') {
            return Err(Errno::NotPermitted.into());
        }
        let at = match descriptor.open {
            Open::Root if !self.knows_directory => self.likely_start(&vfs, &caller, path)?,
            _ => descriptor.directory(&vfs)?,
        };
        Ok(Place { vfs, caller, at })
    }

    /// What a path leads to. The working directory is one even after it was removed, as on Unix, so
    /// that a program can enter it and its relative paths then find nothing.
    fn stat_below(
        &self,
        descriptor: &Resource<Descriptor>,
        flags: PathFlags,
        path: &str,
    ) -> Result<Metadata, Failure> {
        let Place { vfs, caller, at } = self.place(descriptor, path)?;
        match vfs.stat(&caller, at, &to_bytes(path), follows(flags)) {
            Err(Error::NoEntry) if at == vfs.root() && self.started_in(path) => Ok(Metadata {
                inode: u64::MAX,
                links: 0,
                ..vfs.stat(&Caller::ROOT, at, b".", true)?
            }),
            found => Ok(found?),
        }
    }

    fn started_in(&self, path: &str) -> bool {
        self.knows_directory && self.startup.directory.strip_prefix(b"/") == Some(&*to_bytes(path))
    }

    /// Where a path below the preopen starts, for a program that does not know its directory.
    fn likely_start(&self, vfs: &Vfs, caller: &Caller, path: &str) -> Result<NodeId, Failure> {
        let root = vfs.root();
        let first = path.split('/').next().unwrap_or_default();
        let absolute = match first {
            "" => true,
            "." | ".." => false,
            name => vfs
                .stat(&Caller::ROOT, root, &to_bytes(name), false)
                .is_ok(),
        };
        match absolute {
            true => Ok(root),
            false => Ok(vfs.resolve(caller, root, &self.startup.directory, true)?),
        }
    }

    /// Opens a path, except for the waiting.
    fn open_path(
        &self,
        descriptor: &Resource<Descriptor>,
        follow: bool,
        path: &str,
        open: OpenFlags,
        flags: DescriptorFlags,
    ) -> Result<Open, Failure> {
        self.check_open_files(self.open_files)?;
        let place = self.place(descriptor, path)?;
        let directory = open.contains(OpenFlags::DIRECTORY);
        if directory && flags.contains(DescriptorFlags::WRITE) {
            return Err(Errno::IsDirectory.into());
        }
        let options = OpenOptions {
            read: flags.contains(DescriptorFlags::READ),
            write: flags.contains(DescriptorFlags::WRITE),
            append: false,
            create: open.contains(OpenFlags::CREATE),
            exclusive: open.contains(OpenFlags::EXCLUSIVE),
            truncate: open.contains(OpenFlags::TRUNCATE),
            directory,
            no_follow: !follow,
        };
        let file = place.vfs.open(
            &place.caller,
            place.at,
            &to_bytes(path),
            &options,
            FILE_MODE,
        )?;
        match file.kind() {
            Kind::Directory => Ok(Open::Directory(file)),
            _ => Ok(Open::Object(self.own_object(file, None)?)),
        }
    }

    /// Remembers an open file, and forgets those that are closed.
    fn remember(&mut self, object: &Arc<Object>) {
        if self.opened.len() > self.open_files {
            self.opened.retain(|opened| opened.strong_count() > 0);
        }
        self.opened.push(Arc::downgrade(object));
    }

    /// `file`, or where it is a device that means an object of this process, that object. A path is
    /// remembered for a script that may be suspended.
    pub(super) fn own_object(&self, file: File, path: Option<&[u8]>) -> Result<Arc<Object>, Errno> {
        match file.device() {
            Some(Device::Descriptor(number)) => match self.descriptors.get(number) {
                Ok(object) => Ok(Arc::clone(object)),
                Err(_) => Err(Errno::NoEntry),
            },
            Some(Device::Tty) => {
                let standard = (0..3).filter_map(|number| self.descriptors.get(number).ok());
                let mut terminals = standard.filter(|object| object.is_terminal());
                terminals.next().cloned().ok_or(Errno::NoDevice)
            }
            _ => Ok(Arc::new(match path {
                Some(path) => Object::from_path(file, path),
                None => Object::from_file(file),
            })),
        }
    }

    fn push_input(&mut self, stream: DynInputStream) -> Result<Resource<DynInputStream>, Failure> {
        Ok(self.resources.push(stream)?)
    }

    fn push_output(
        &mut self,
        stream: DynOutputStream,
    ) -> Result<Resource<DynOutputStream>, Failure> {
        Ok(self.resources.push(stream)?)
    }
}

impl preopens::Host for Guest {
    fn get_directories(&mut self) -> wasmtime::Result<Vec<(Resource<Descriptor>, String)>> {
        let flags = DescriptorFlags::READ | DescriptorFlags::MUTATE_DIRECTORY;
        let root = self.resources.push(Descriptor {
            open: Open::Root,
            flags,
            path: "".into(),
        })?;
        Ok(vec![(root, "/".to_owned())])
    }
}

impl types::Host for Guest {
    fn convert_error_code(&mut self, failure: Failure) -> wasmtime::Result<ErrorCode> {
        match failure {
            Failure::Errno(errno) => Ok(errno.into()),
            Failure::Trap(error) => Err(error),
        }
    }

    fn filesystem_error_code(
        &mut self,
        error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        let error = self.resources.get(&error)?;
        let errno = error.downcast_ref::<StreamErrno>();
        Ok(errno.map(|StreamErrno(error)| Errno::from(*error).into()))
    }
}

impl types::HostDescriptor for Guest {
    fn read_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        offset: u64,
    ) -> Result<Resource<DynInputStream>, Failure> {
        let object = Arc::clone(self.file(&descriptor)?.object()?);
        match object.file() {
            Some(file) if object.can_seek() => {
                if !file.can_read() {
                    return Err(Errno::BadDescriptor.into());
                }
                let file = file.clone();
                let failure = self.stream_failure.clone();
                self.push_input(Box::new(FileInput::new(file, offset, failure)))
            }
            _ => {
                let failure = self.stream_failure.clone();
                self.push_input(Box::new(ObjectInput::new(object, failure)))
            }
        }
    }

    fn write_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
        offset: u64,
    ) -> Result<Resource<DynOutputStream>, Failure> {
        self.write_stream(&descriptor, Some(offset))
    }

    fn append_via_stream(
        &mut self,
        descriptor: Resource<Descriptor>,
    ) -> Result<Resource<DynOutputStream>, Failure> {
        self.write_stream(&descriptor, None)
    }

    /// Nothing here is faster for knowing what comes.
    fn advise(
        &mut self,
        descriptor: Resource<Descriptor>,
        _offset: u64,
        _length: u64,
        _advice: Advice,
    ) -> Result<(), Failure> {
        self.file(&descriptor)?.object().map(drop)
    }

    /// Every write is where all readers see it at once; durability is the embedder's snapshot.
    fn sync_data(&mut self, descriptor: Resource<Descriptor>) -> Result<(), Failure> {
        self.file(&descriptor).map(drop)
    }

    fn sync(&mut self, descriptor: Resource<Descriptor>) -> Result<(), Failure> {
        self.file(&descriptor).map(drop)
    }

    fn get_flags(&mut self, descriptor: Resource<Descriptor>) -> Result<DescriptorFlags, Failure> {
        Ok(self.file(&descriptor)?.flags)
    }

    fn get_type(&mut self, descriptor: Resource<Descriptor>) -> Result<DescriptorType, Failure> {
        Ok(self.metadata(&descriptor)?.kind.into())
    }

    fn set_size(&mut self, descriptor: Resource<Descriptor>, size: u64) -> Result<(), Failure> {
        Ok(self.file(&descriptor)?.object()?.set_size(size)?)
    }

    fn set_times(
        &mut self,
        descriptor: Resource<Descriptor>,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> Result<(), Failure> {
        let (accessed, modified) = (new_time(accessed)?, new_time(modified)?);
        let caller = self.caller();
        let vfs = self.kernel.vfs();
        match &self.file(&descriptor)?.open {
            Open::Root => vfs.set_times(&caller, vfs.root(), b".", accessed, modified, true)?,
            Open::Directory(file) => file.set_times(&caller, accessed, modified)?,
            Open::Object(object) => match object.file() {
                Some(file) => file.set_times(&caller, accessed, modified)?,
                None => return Err(Errno::Invalid.into()),
            },
        }
        Ok(())
    }

    async fn read(
        &mut self,
        descriptor: Resource<Descriptor>,
        length: u64,
        offset: u64,
    ) -> Result<(Vec<u8>, bool), Failure> {
        let object = Arc::clone(self.file(&descriptor)?.object()?);
        let length = usize::try_from(length).unwrap_or(usize::MAX);
        let bytes = loop {
            let mut at = offset;
            let result = read_some(length, |room| {
                let count = match object.file() {
                    Some(file) if object.can_seek() => file.read_at(at, room)?,
                    _ => object.read(room)?,
                };
                at += count as u64;
                Ok(count)
            });
            match result {
                Err(Error::Again) => readable(&object).await,
                other => break other?,
            }
        };
        let is_end = bytes.is_empty() && length > 0;
        Ok((bytes, is_end))
    }

    async fn write(
        &mut self,
        descriptor: Resource<Descriptor>,
        bytes: Vec<u8>,
        offset: u64,
    ) -> Result<u64, Failure> {
        let object = Arc::clone(self.file(&descriptor)?.object()?);
        loop {
            let result = match object.file() {
                Some(file) if object.can_seek() => file.write_at(offset, &bytes),
                _ => object.write(&bytes),
            };
            match result {
                Err(Error::Again) => writable(&object).await,
                Err(Error::BrokenPipe) => return Err(Failure::broken_pipe()),
                other => return Ok(other? as u64),
            }
        }
    }

    fn read_directory(
        &mut self,
        descriptor: Resource<Descriptor>,
    ) -> Result<Resource<Entries>, Failure> {
        let entries = match &self.file(&descriptor)?.open {
            Open::Root => {
                // A program that does not know its directory means that by the preopen itself.
                let place = self.place(&descriptor, ".")?;
                place.vfs.read_dir(&place.caller, place.at, b".")?
            }
            Open::Directory(file) => file.read_dir()?,
            Open::Object(_) => return Err(Errno::NotDirectory.into()),
        };
        let mut held = Held::new(&self.kernel);
        if !held.add(ENTRY_BYTES * entries.len() as u64) {
            return Err(Errno::NoMemory.into());
        }
        let left = entries.into_iter();
        Ok(self.resources.push(Entries { left, _held: held })?)
    }

    fn create_directory_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> Result<(), Failure> {
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        Ok(vfs.create_dir(&caller, at, &to_bytes(&path), DIRECTORY_MODE)?)
    }

    fn stat(&mut self, descriptor: Resource<Descriptor>) -> Result<DescriptorStat, Failure> {
        Ok(self.metadata(&descriptor)?.into())
    }

    fn stat_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> Result<DescriptorStat, Failure> {
        Ok(self.stat_below(&descriptor, flags, &path)?.into())
    }

    fn set_times_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        accessed: NewTimestamp,
        modified: NewTimestamp,
    ) -> Result<(), Failure> {
        let (accessed, modified) = (new_time(accessed)?, new_time(modified)?);
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        let follow = follows(flags);
        Ok(vfs.set_times(&caller, at, &to_bytes(&path), accessed, modified, follow)?)
    }

    fn link_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
        new_descriptor: Resource<Descriptor>,
        new_path: String,
    ) -> Result<(), Failure> {
        // A link to where a symbolic link leads is not offered, as by other hosts.
        if follows(flags) {
            return Err(Errno::Invalid.into());
        }
        let from = self.place(&descriptor, &path)?;
        let to = self.place(&new_descriptor, &new_path)?;
        let (path, new_path) = (to_bytes(&path), to_bytes(&new_path));
        let (old, new) = ((from.at, &*path), (to.at, &*new_path));
        Ok(from.vfs.link(&from.caller, old, new, false)?)
    }

    async fn open_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path_flags: PathFlags,
        path: String,
        open_flags: OpenFlags,
        flags: DescriptorFlags,
    ) -> Result<Resource<Descriptor>, Failure> {
        let follow = follows(path_flags);
        let open = self.open_path(&descriptor, follow, &path, open_flags, flags)?;
        if let Open::Object(object) = &open {
            // A FIFO opens when its other side does.
            poll_fn(|context| match object.poll_open(context.waker()) {
                true => Poll::Ready(()),
                false => Poll::Pending,
            })
            .await;
            self.remember(object);
        }
        let path = path.into();
        let resource = self.resources.push(Descriptor { open, flags, path })?;
        self.open_files += 1;
        Ok(resource)
    }

    fn readlink_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> Result<String, Failure> {
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        let target = vfs.read_link(&caller, at, &to_bytes(&path))?;
        Ok(from_bytes(&target))
    }

    fn remove_directory_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> Result<(), Failure> {
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        Ok(vfs.remove_dir(&caller, at, &to_bytes(&path))?)
    }

    fn rename_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
        new_descriptor: Resource<Descriptor>,
        new_path: String,
    ) -> Result<(), Failure> {
        let from = self.place(&descriptor, &path)?;
        let to = self.place(&new_descriptor, &new_path)?;
        let (path, new_path) = (to_bytes(&path), to_bytes(&new_path));
        let (old, new) = ((from.at, &*path), (to.at, &*new_path));
        Ok(from.vfs.rename(&from.caller, old, new)?)
    }

    fn symlink_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        target: String,
        path: String,
    ) -> Result<(), Failure> {
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        Ok(vfs.symlink(&caller, &to_bytes(&target), at, &to_bytes(&path))?)
    }

    fn unlink_file_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        path: String,
    ) -> Result<(), Failure> {
        let Place { vfs, caller, at } = self.place(&descriptor, &path)?;
        Ok(vfs.unlink(&caller, at, &to_bytes(&path))?)
    }

    fn is_same_object(
        &mut self,
        one: Resource<Descriptor>,
        other: Resource<Descriptor>,
    ) -> wasmtime::Result<bool> {
        let vfs = self.kernel.vfs();
        let node = |descriptor: &Resource<Descriptor>| -> wasmtime::Result<_> {
            let found = self.resources.get(descriptor)?.metadata(vfs);
            Ok(found.ok().map(|metadata| (metadata.device, metadata.inode)))
        };
        let (one, other) = (node(&one)?, node(&other)?);
        Ok(one.is_some() && one == other)
    }

    fn metadata_hash(
        &mut self,
        descriptor: Resource<Descriptor>,
    ) -> Result<MetadataHashValue, Failure> {
        Ok(hash(&self.metadata(&descriptor)?))
    }

    fn metadata_hash_at(
        &mut self,
        descriptor: Resource<Descriptor>,
        flags: PathFlags,
        path: String,
    ) -> Result<MetadataHashValue, Failure> {
        Ok(hash(&self.stat_below(&descriptor, flags, &path)?))
    }

    fn drop(&mut self, descriptor: Resource<Descriptor>) -> wasmtime::Result<()> {
        let descriptor = self.resources.delete(descriptor)?;
        if !matches!(descriptor.open, Open::Root) {
            self.open_files = self.open_files.saturating_sub(1);
        }
        Ok(())
    }
}

impl Guest {
    fn write_stream(
        &mut self,
        descriptor: &Resource<Descriptor>,
        position: Option<u64>,
    ) -> Result<Resource<DynOutputStream>, Failure> {
        let object = Arc::clone(self.file(descriptor)?.object()?);
        match object.file() {
            Some(file) if object.can_seek() => {
                if !file.can_write() {
                    return Err(Errno::BadDescriptor.into());
                }
                let file = file.clone();
                let failure = self.stream_failure.clone();
                self.push_output(Box::new(FileOutput::new(file, position, failure)))
            }
            _ => {
                let failure = self.stream_failure.clone();
                let held = Held::new(&self.kernel);
                self.push_output(Box::new(ObjectOutput::new(object, held, failure)))
            }
        }
    }
}

impl types::HostDirectoryEntryStream for Guest {
    fn read_directory_entry(
        &mut self,
        entries: Resource<Entries>,
    ) -> Result<Option<types::DirectoryEntry>, Failure> {
        let Some(entry) = self.resources.get_mut(&entries)?.left.next() else {
            return Ok(None);
        };
        let name = from_bytes(&entry.name);
        Ok(Some(types::DirectoryEntry {
            type_: entry.kind.into(),
            name,
        }))
    }

    fn drop(&mut self, entries: Resource<Entries>) -> wasmtime::Result<()> {
        self.resources.delete(entries)?;
        Ok(())
    }
}

fn follows(flags: PathFlags) -> bool {
    flags.contains(PathFlags::SYMLINK_FOLLOW)
}
