//! Values of the filesystem as the interface has them, and back.

use offshoot_vfs::{
    AccessMode, Caller, ChangeKind, Device, DirectoryEntry, Error, File, FilesystemStat, Kind,
    MergeError, Metadata, NewTime, OpenOptions, Quotas, Timestamp,
};

use crate::bindings::exports::offshoot::web::trees;
use crate::bindings::offshoot::sandbox::{types, vfs};

impl From<trees::Caller> for Caller {
    fn from(caller: trees::Caller) -> Caller {
        Caller {
            uid: caller.uid,
            gid: caller.gid,
            umask: caller.umask,
            process: caller.process,
        }
    }
}

impl From<trees::Quotas> for Quotas {
    fn from(quotas: trees::Quotas) -> Quotas {
        Quotas {
            bytes: quotas.bytes,
            inodes: quotas.inodes,
            file_size: quotas.file_size,
            ..Quotas::default()
        }
    }
}

impl From<Quotas> for trees::Quotas {
    fn from(quotas: Quotas) -> trees::Quotas {
        trees::Quotas {
            bytes: quotas.bytes,
            inodes: quotas.inodes,
            file_size: quotas.file_size,
        }
    }
}

impl From<offshoot_vfs::Change> for trees::Change {
    fn from(change: offshoot_vfs::Change) -> trees::Change {
        trees::Change {
            path: change.path,
            kind: change.kind.into(),
        }
    }
}

/// What a merge came to: conflicts are a result.
///
/// # Errors
/// Where the tree refused.
pub(crate) fn merged(
    outcome: Result<Vec<offshoot_vfs::Change>, MergeError>,
) -> Result<trees::Merged, types::Errno> {
    let (mut changes, mut conflicts) = (Vec::new(), Vec::new());
    match outcome {
        Ok(made) => changes = made.into_iter().map(Into::into).collect(),
        Err(MergeError::Conflicts(found)) => {
            conflicts = found.into_iter().map(|conflict| conflict.path).collect();
        }
        Err(MergeError::File(error)) => return Err(error.into()),
        Err(_) => return Err(types::Errno::Io),
    }
    Ok(trees::Merged { changes, conflicts })
}

/// How to open, from the flags.
pub(crate) fn open_options(flags: vfs::OpenFlags) -> OpenOptions {
    OpenOptions {
        read: flags.contains(vfs::OpenFlags::READ),
        write: flags.contains(vfs::OpenFlags::WRITE),
        append: flags.contains(vfs::OpenFlags::APPEND),
        create: flags.contains(vfs::OpenFlags::CREATE),
        exclusive: flags.contains(vfs::OpenFlags::EXCLUSIVE),
        truncate: flags.contains(vfs::OpenFlags::TRUNCATE),
        directory: flags.contains(vfs::OpenFlags::DIRECTORY),
        no_follow: flags.contains(vfs::OpenFlags::NO_FOLLOW),
    }
}

/// What access is asked about, from the flags.
pub(crate) fn access_mode(flags: vfs::AccessMode) -> AccessMode {
    AccessMode {
        read: flags.contains(vfs::AccessMode::READ),
        write: flags.contains(vfs::AccessMode::WRITE),
        execute: flags.contains(vfs::AccessMode::EXECUTE),
    }
}

/// What the host has to do with an open file.
pub(crate) fn special(file: &File) -> trees::Special {
    match file.device() {
        Some(Device::Tty) => trees::Special::Terminal,
        Some(Device::Descriptor(number)) => trees::Special::Descriptor(number),
        _ if file.pipe().is_some() => trees::Special::Fifo,
        _ => trees::Special::None,
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

impl From<DirectoryEntry> for vfs::DirectoryEntry {
    fn from(entry: DirectoryEntry) -> vfs::DirectoryEntry {
        vfs::DirectoryEntry {
            name: entry.name,
            kind: entry.kind.into(),
            inode: entry.inode,
        }
    }
}

impl From<FilesystemStat> for vfs::FilesystemStat {
    fn from(stat: FilesystemStat) -> vfs::FilesystemStat {
        vfs::FilesystemStat {
            total_bytes: stat.total_bytes,
            free_bytes: stat.free_bytes,
            total_inodes: stat.total_inodes,
            free_inodes: stat.free_inodes,
            read_only: stat.read_only,
        }
    }
}

/// A new time; `EINVAL` for one with a second of nanoseconds or more.
pub(crate) fn new_time(time: vfs::NewTime) -> Result<NewTime, types::Errno> {
    match time {
        vfs::NewTime::Keep => Ok(NewTime::Keep),
        vfs::NewTime::Now => Ok(NewTime::Now),
        vfs::NewTime::At(at) if at.nanoseconds >= 1_000_000_000 => Err(types::Errno::Invalid),
        vfs::NewTime::At(at) => Ok(NewTime::At(Timestamp {
            seconds: at.seconds,
            nanoseconds: at.nanoseconds,
        })),
    }
}

impl From<ChangeKind> for trees::ChangeKind {
    fn from(kind: ChangeKind) -> trees::ChangeKind {
        match kind {
            ChangeKind::Added => trees::ChangeKind::Added,
            ChangeKind::Removed => trees::ChangeKind::Removed,
            ChangeKind::Modified => trees::ChangeKind::Modified,
        }
    }
}

impl From<Error> for types::Errno {
    fn from(error: Error) -> types::Errno {
        use types::Errno;
        match error {
            Error::Access => Errno::Access,
            Error::Again => Errno::Again,
            Error::BadDescriptor => Errno::BadDescriptor,
            Error::Busy => Errno::Busy,
            Error::CrossDevice => Errno::CrossDevice,
            Error::Exist => Errno::Exist,
            Error::FileTooLarge => Errno::FileTooLarge,
            Error::Invalid => Errno::Invalid,
            Error::IsDirectory => Errno::IsDirectory,
            Error::TooManyLinks => Errno::TooManyLinks,
            Error::NameTooLong => Errno::NameTooLong,
            Error::NoEntry => Errno::NoEntry,
            Error::NoSpace => Errno::NoSpace,
            Error::NotDirectory => Errno::NotDirectory,
            Error::NotEmpty => Errno::NotEmpty,
            Error::NotPermitted => Errno::NotPermitted,
            Error::NotSupported => Errno::NotSupported,
            Error::NoDevice => Errno::NoDevice,
            Error::Overflow => Errno::Overflow,
            Error::BrokenPipe => Errno::BrokenPipe,
            Error::ReadOnly => Errno::ReadOnly,
            Error::CannotSeek => Errno::CannotSeek,
            _ => Errno::Io,
        }
    }
}

/// Why the content of an archive or a snapshot was refused.
pub(crate) fn refusal(error: Error) -> trees::Refusal {
    match error {
        Error::Corrupt => trees::Refusal::Corrupt,
        Error::PathEscape => trees::Refusal::PathEscape,
        other => trees::Refusal::Tree(other.into()),
    }
}
