//! The plain types that operations take and give: callers, times, kinds, metadata.

use crate::Device;

/// On whose behalf an operation runs; permission bits are checked against it.
///
/// User 0 bypasses permission checks, as root does in POSIX.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct Caller {
    /// User.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// The number of the process, where it is one and a mount shows it to itself
    /// ([`crate::Views`]); 0 for anyone else.
    pub process: u32,
}

impl Caller {
    /// Root with an empty umask: what an embedder prepares a tree with.
    pub const ROOT: Caller = Caller {
        uid: 0,
        gid: 0,
        umask: 0,
        process: 0,
    };
}

/// A point in time since 1970-01-01T00:00:00Z.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash, Default)]
pub struct Timestamp {
    /// Whole seconds; negative before 1970.
    pub seconds: i64,
    /// 0 to 999,999,999, counted forward from `seconds`.
    pub nanoseconds: u32,
}

/// A new time for a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub enum NewTime {
    /// Leave it.
    #[default]
    Keep,
    /// The filesystem's clock.
    Now,
    /// This time.
    At(Timestamp),
}

/// What a directory entry is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Kind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A named pipe.
    Fifo,
    /// A character device such as `/dev/null`.
    Device,
}

/// What `stat` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Metadata {
    /// The kind of file.
    pub kind: Kind,
    /// Which device, where `kind` is [`Kind::Device`].
    pub special: Option<Device>,
    /// The mount it lives on.
    pub device: u64,
    /// Its number on that mount; never reused.
    pub inode: u64,
    /// Permission bits, set-id bits and sticky bit (octal 7777).
    pub mode: u32,
    /// Number of hard links.
    pub links: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Length in bytes; of a symbolic link, the length of its target.
    pub size: u64,
    /// Storage used, in units of 512 bytes.
    pub blocks: u64,
    /// Last read, kept as Linux's `relatime` does: moved when it would become later than the last
    /// modification, or once a day.
    pub accessed: Timestamp,
    /// Last change of the content.
    pub modified: Timestamp,
    /// Last change of content or metadata.
    pub changed: Timestamp,
    /// Creation.
    pub created: Timestamp,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The name; never `.` or `..`.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: Kind,
    /// Its number on the directory's mount.
    pub inode: u64,
}

/// How to open; the default asks for nothing, which suits a directory.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenOptions {
    /// Reading is wanted.
    pub read: bool,
    /// Writing is wanted.
    pub write: bool,
    /// Each write goes to the end; implies `write`.
    pub append: bool,
    /// Make the file where it is missing.
    pub create: bool,
    /// With `create`: fail where it exists.
    pub exclusive: bool,
    /// Empty the file; needs `write`.
    pub truncate: bool,
    /// Fail with [`crate::Error::NotDirectory`] on anything else.
    pub directory: bool,
    /// Fail with [`crate::Error::TooManyLinks`] where the last component is a symbolic link.
    pub no_follow: bool,
}

impl OpenOptions {
    /// For reading.
    pub const READ: OpenOptions = OpenOptions {
        read: true,
        write: false,
        append: false,
        create: false,
        exclusive: false,
        truncate: false,
        directory: false,
        no_follow: false,
    };
    /// For writing from an empty file on, created where it is missing.
    pub const WRITE: OpenOptions = OpenOptions {
        read: false,
        write: true,
        create: true,
        truncate: true,
        ..OpenOptions::READ
    };
    /// For writing at the end, created where it is missing.
    pub const APPEND: OpenOptions = OpenOptions {
        read: false,
        write: true,
        append: true,
        create: true,
        ..OpenOptions::READ
    };
}

/// What kind of access is asked about; all clear asks whether the file exists.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct AccessMode {
    /// Reading.
    pub read: bool,
    /// Writing.
    pub write: bool,
    /// Executing, or searching a directory.
    pub execute: bool,
}

/// What a tree holds, counted exactly.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Usage {
    /// Bytes stored in files and symbolic links. Holes and shared names cost nothing, and content
    /// that forks share counts in each of them.
    pub bytes: u64,
    /// Inodes, and hard links beyond the first of each.
    pub inodes: u64,
}

/// Size and use of the filesystem that holds a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct FilesystemStat {
    /// Bytes that may be stored.
    pub total_bytes: u64,
    /// Bytes still free.
    pub free_bytes: u64,
    /// Inodes that may exist.
    pub total_inodes: u64,
    /// Inodes still free.
    pub free_inodes: u64,
    /// Writes are refused.
    pub read_only: bool,
}
