//! `offshoot:sandbox/vfs`: the files with everything that POSIX knows about them. Nothing here waits.

use std::io::SeekFrom;
use std::net::SocketAddr;
use std::sync::Arc;

use offshoot_vfs::{AccessMode, Device, Error, Kind, Metadata, NewTime, OpenOptions, Timestamp};

use super::bindings::offshoot::sandbox::{types, vfs};
use super::streams::read_some;
use super::{Errno, Failure, Guest, Held};
use crate::descriptor::Object;
use crate::loopback::{self, Refusal};
use crate::process::Delivery;

type Answer<T> = Result<T, Failure>;

impl Guest {
    /// Opens a path as a descriptor of the process.
    fn open_descriptor(
        &mut self,
        path: &[u8],
        flags: vfs::OpenFlags,
        mode: u32,
    ) -> Result<u32, Errno> {
        self.check_open_files(self.open_files)?;
        if let Some(address) = path.strip_prefix(b"/dev/tcp/") {
            return self.open_connection(address);
        }
        let options = OpenOptions {
            read: flags.contains(vfs::OpenFlags::READ),
            write: flags.contains(vfs::OpenFlags::WRITE),
            append: flags.contains(vfs::OpenFlags::APPEND),
            create: flags.contains(vfs::OpenFlags::CREATE),
            exclusive: flags.contains(vfs::OpenFlags::EXCLUSIVE),
            truncate: flags.contains(vfs::OpenFlags::TRUNCATE),
            directory: flags.contains(vfs::OpenFlags::DIRECTORY),
            no_follow: flags.contains(vfs::OpenFlags::NO_FOLLOW),
        };
        let files = self.kernel.vfs();
        let file = files.open(&self.caller(), files.root(), path, &options, mode)?;
        let object = self.own_object(file, Some(path))?;
        self.descriptors.insert(object)
    }

    /// Opens `HOST/PORT` below `/dev/tcp` as bash does, within the sandbox.
    fn open_connection(&mut self, address: &[u8]) -> Result<u32, Errno> {
        let text = std::str::from_utf8(address).map_err(|_| Errno::NoEntry)?;
        let (host, port) = text.split_once('/').ok_or(Errno::NoEntry)?;
        let port: u16 = port.parse().map_err(|_| Errno::NoEntry)?;
        let hostname = &self.kernel.settings().identity.hostname;
        let addresses: Vec<_> = loopback::resolve(host, hostname)
            .into_iter()
            .map(|ip| SocketAddr::new(ip, port))
            .collect();
        if addresses.is_empty() {
            return Err(Errno::NoEntry);
        }
        let held = || Held::new(&self.kernel);
        let connection = self.kernel.loopback().reach(&addresses, held);
        let connection = connection.map_err(|refusal| match refusal {
            Refusal::Beyond => Errno::Access,
            Refusal::Memory => Errno::NoMemory,
            _ => Errno::ConnectionRefused,
        })?;
        self.descriptors
            .insert(Arc::new(Object::connection(connection)))
    }

    pub(super) fn open_object(&self, descriptor: u32) -> Result<&Arc<Object>, Errno> {
        self.descriptors.get(descriptor)
    }
}

impl vfs::Host for Guest {
    fn open(&mut self, path: Vec<u8>, options: vfs::OpenFlags, mode: u32) -> Answer<u32> {
        Ok(self.open_descriptor(&path, options, mode)?)
    }

    fn close(&mut self, descriptor: u32) -> wasmtime::Result<()> {
        self.descriptors.close(descriptor);
        Ok(())
    }

    fn duplicate(&mut self, descriptor: u32) -> Answer<u32> {
        self.check_open_files(self.open_files)?;
        let object = Arc::clone(self.open_object(descriptor)?);
        Ok(self.descriptors.insert(object)?)
    }

    fn read(&mut self, descriptor: u32, most: u32) -> Answer<Vec<u8>> {
        let object = self.open_object(descriptor)?;
        Ok(read_some(most as usize, |room| object.read(room))?)
    }

    fn write(&mut self, descriptor: u32, bytes: Vec<u8>) -> Answer<u32> {
        match self.open_object(descriptor)?.write(&bytes) {
            Ok(count) => Ok(u32::try_from(count).map_err(|_| Errno::Overflow)?),
            Err(Error::BrokenPipe) if self.delivery == Delivery::Default => {
                Err(Failure::broken_pipe())
            }
            Err(error) => Err(error.into()),
        }
    }

    fn seek(&mut self, descriptor: u32, offset: i64, whence: vfs::Whence) -> Answer<u64> {
        let to = match whence {
            vfs::Whence::Start => {
                SeekFrom::Start(u64::try_from(offset).map_err(|_| Errno::Invalid)?)
            }
            vfs::Whence::Current => SeekFrom::Current(offset),
            vfs::Whence::End => SeekFrom::End(offset),
        };
        Ok(self.open_object(descriptor)?.seek(to)?)
    }

    fn stat_descriptor(&mut self, descriptor: u32) -> Answer<types::FileStat> {
        Ok(self.open_object(descriptor)?.metadata()?.into())
    }

    fn is_terminal(&mut self, descriptor: u32) -> wasmtime::Result<bool> {
        Ok(self
            .open_object(descriptor)
            .is_ok_and(|object| object.is_terminal()))
    }

    fn get_terminal(&mut self, descriptor: u32) -> Answer<vfs::Terminal> {
        let screen = self.open_object(descriptor)?.screen();
        let screen = screen.ok_or(Errno::NotSupported)?;
        let (columns, rows) = screen.size();
        let modes = [
            (vfs::TerminalMode::ECHO, screen.echoes()),
            (vfs::TerminalMode::LINES, screen.takes_lines()),
            (vfs::TerminalMode::SIGNALS, screen.takes_signals()),
        ];
        let on = modes.into_iter().filter(|(_, on)| *on);
        let mode = on.fold(vfs::TerminalMode::empty(), |all, (one, _)| all | one);
        Ok(vfs::Terminal {
            columns,
            rows,
            mode,
        })
    }

    fn set_terminal(&mut self, descriptor: u32, mode: vfs::TerminalMode) -> Answer<()> {
        let screen = self.open_object(descriptor)?.screen();
        let screen = screen.ok_or(Errno::NotSupported)?;
        let has = |flag| mode.contains(flag);
        screen.set(
            has(vfs::TerminalMode::ECHO),
            has(vfs::TerminalMode::LINES),
            has(vfs::TerminalMode::SIGNALS),
        );
        Ok(())
    }

    fn set_size(&mut self, descriptor: u32, size: u64) -> Answer<()> {
        Ok(self.open_object(descriptor)?.set_size(size)?)
    }

    fn lock(&mut self, descriptor: u32, mode: vfs::LockMode) -> Answer<()> {
        let object = self.open_object(descriptor)?;
        let mut locks = self.kernel.locks();
        match mode {
            vfs::LockMode::Shared => locks.lock(object, false)?,
            vfs::LockMode::Exclusive => locks.lock(object, true)?,
            vfs::LockMode::None => locks.unlock(object)?,
        }
        Ok(())
    }

    fn stat(&mut self, path: Vec<u8>, follow: bool) -> Answer<types::FileStat> {
        let files = self.kernel.vfs();
        let metadata = files.stat(&self.caller(), files.root(), &path, follow)?;
        Ok(self.as_opened(metadata).into())
    }

    fn access(&mut self, path: Vec<u8>, mode: vfs::AccessMode) -> Answer<()> {
        let files = self.kernel.vfs();
        let mode = AccessMode {
            read: mode.contains(vfs::AccessMode::READ),
            write: mode.contains(vfs::AccessMode::WRITE),
            execute: mode.contains(vfs::AccessMode::EXECUTE),
        };
        Ok(files.access(&self.caller(), files.root(), &path, mode, true)?)
    }

    fn read_directory(&mut self, path: Vec<u8>) -> Answer<Vec<vfs::DirectoryEntry>> {
        let files = self.kernel.vfs();
        let entries = files.read_dir(&self.caller(), files.root(), &path)?;
        let entry = |entry: offshoot_vfs::DirectoryEntry| vfs::DirectoryEntry {
            name: entry.name,
            kind: entry.kind.into(),
            inode: entry.inode,
        };
        Ok(entries.into_iter().map(entry).collect())
    }

    fn read_link(&mut self, path: Vec<u8>) -> Answer<Vec<u8>> {
        let files = self.kernel.vfs();
        Ok(files.read_link(&self.caller(), files.root(), &path)?)
    }

    fn canonicalize(&mut self, path: Vec<u8>) -> Answer<Vec<u8>> {
        let files = self.kernel.vfs();
        Ok(files.canonicalize(&self.caller(), files.root(), &path)?)
    }

    fn make_directory(&mut self, path: Vec<u8>, mode: u32) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.create_dir(&self.caller(), files.root(), &path, mode)?)
    }

    fn make_fifo(&mut self, path: Vec<u8>, mode: u32) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.create_fifo(&self.caller(), files.root(), &path, mode)?)
    }

    fn symlink(&mut self, target: Vec<u8>, path: Vec<u8>) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.symlink(&self.caller(), &target, files.root(), &path)?)
    }

    fn link(&mut self, existing: Vec<u8>, path: Vec<u8>, follow: bool) -> Answer<()> {
        let files = self.kernel.vfs();
        let root = files.root();
        Ok(files.link(&self.caller(), (root, &existing), (root, &path), follow)?)
    }

    fn rename(&mut self, old: Vec<u8>, new: Vec<u8>) -> Answer<()> {
        let files = self.kernel.vfs();
        let root = files.root();
        Ok(files.rename(&self.caller(), (root, &old), (root, &new))?)
    }

    fn unlink(&mut self, path: Vec<u8>) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.unlink(&self.caller(), files.root(), &path)?)
    }

    fn remove_directory(&mut self, path: Vec<u8>) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.remove_dir(&self.caller(), files.root(), &path)?)
    }

    fn set_mode(&mut self, path: Vec<u8>, mode: u32) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.set_mode(&self.caller(), files.root(), &path, mode)?)
    }

    fn set_owner(
        &mut self,
        path: Vec<u8>,
        uid: Option<u32>,
        gid: Option<u32>,
        follow: bool,
    ) -> Answer<()> {
        let files = self.kernel.vfs();
        Ok(files.set_owner(&self.caller(), files.root(), &path, (uid, gid), follow)?)
    }

    fn set_times(
        &mut self,
        path: Vec<u8>,
        accessed: vfs::NewTime,
        modified: vfs::NewTime,
        follow: bool,
    ) -> Answer<()> {
        let (accessed, modified) = (new_time(accessed)?, new_time(modified)?);
        let files = self.kernel.vfs();
        Ok(files.set_times(
            &self.caller(),
            files.root(),
            &path,
            accessed,
            modified,
            follow,
        )?)
    }

    fn stat_filesystem(&mut self, path: Vec<u8>) -> Answer<vfs::FilesystemStat> {
        let files = self.kernel.vfs();
        let node = files.resolve(&self.caller(), files.root(), &path, true)?;
        let stat = files.statfs(node)?;
        Ok(vfs::FilesystemStat {
            total_bytes: stat.total_bytes,
            free_bytes: stat.free_bytes,
            total_inodes: stat.total_inodes,
            free_inodes: stat.free_inodes,
            read_only: stat.read_only,
        })
    }

    fn stream_failure(&mut self) -> wasmtime::Result<Option<Errno>> {
        Ok(self.stream_failure.last())
    }
}

impl Guest {
    /// `/dev/stdin` and `/dev/fd/N` are what they stand for in this process.
    fn as_opened(&self, metadata: Metadata) -> Metadata {
        match metadata.special {
            Some(Device::Descriptor(number)) => match self.descriptors.get(number) {
                Ok(object) => object.metadata().unwrap_or(metadata),
                Err(_) => metadata,
            },
            _ => metadata,
        }
    }
}

fn new_time(time: vfs::NewTime) -> Result<NewTime, Errno> {
    match time {
        vfs::NewTime::Keep => Ok(NewTime::Keep),
        vfs::NewTime::Now => Ok(NewTime::Now),
        vfs::NewTime::At(types::Timestamp { nanoseconds, .. }) if nanoseconds >= 1_000_000_000 => {
            Err(Errno::Invalid)
        }
        vfs::NewTime::At(types::Timestamp {
            seconds,
            nanoseconds,
        }) => Ok(NewTime::At(Timestamp {
            seconds,
            nanoseconds,
        })),
    }
}

impl From<Kind> for types::FileKind {
    fn from(kind: Kind) -> types::FileKind {
        match kind {
            Kind::Regular => types::FileKind::Regular,
            Kind::Directory => types::FileKind::Directory,
            Kind::Symlink => types::FileKind::Symlink,
            Kind::Fifo => types::FileKind::Fifo,
            Kind::Device => types::FileKind::CharacterDevice,
        }
    }
}

impl From<Timestamp> for types::Timestamp {
    fn from(time: Timestamp) -> types::Timestamp {
        types::Timestamp {
            seconds: time.seconds,
            nanoseconds: time.nanoseconds,
        }
    }
}

impl From<Metadata> for types::FileStat {
    fn from(metadata: Metadata) -> types::FileStat {
        types::FileStat {
            kind: metadata.kind.into(),
            device: metadata.device,
            inode: metadata.inode,
            mode: metadata.mode,
            links: metadata.links,
            uid: metadata.uid,
            gid: metadata.gid,
            size: metadata.size,
            blocks: metadata.blocks,
            accessed: metadata.accessed.into(),
            modified: metadata.modified.into(),
            changed: metadata.changed.into(),
            created: metadata.created.into(),
        }
    }
}
