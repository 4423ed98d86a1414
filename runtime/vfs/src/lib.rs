//! An in-memory POSIX filesystem whose fork is a pointer copy.
//!
//! A [`Vfs`] is a live tree of files with modes, owners, links and nanosecond times. Its inodes,
//! directories and contents are persistent structures: [`Vfs::fork`] copies a root pointer, and the
//! first write after it copies one path. The crate does no I/O of its own, has no async and no
//! unsafe code, and builds for `wasm32-wasip2` with `default-features = false`.
//!
//! ```
//! use offshoot_vfs::{Caller, Options, Vfs};
//!
//! let main = Vfs::new(Options::default());
//! main.write_file(&Caller::ROOT, main.root(), b"/greeting", b"hello", 0o644)?;
//! let branch = main.fork();
//! branch.write_file(&Caller::ROOT, branch.root(), b"/greeting", b"bye", 0o644)?;
//! assert_eq!(main.read_file(&Caller::ROOT, main.root(), b"/greeting")?, b"hello");
//! assert_eq!(branch.read_file(&Caller::ROOT, branch.root(), b"/greeting")?, b"bye");
//! # Ok::<(), offshoot_vfs::Error>(())
//! ```

#[cfg(feature = "tar")]
mod archive;
mod device;
mod diff;
mod error;
mod file;
mod file_io;
#[cfg(feature = "host")]
mod host;
#[cfg(feature = "interop")]
mod interop;
mod live;
mod merge;
mod metadata;
mod mount;
mod options;
mod pipe;
mod source;
mod stored;
mod tree;

pub use device::Device;
pub use diff::{Change, ChangeKind, Changes, Difference, diff};
pub use error::{Error, Result};
pub use file::File;
#[cfg(feature = "host")]
pub use host::HostDirectory;
#[cfg(feature = "interop")]
pub use interop::{AsFileSystem, FileSystemSource};
pub use live::{Access, Guard, NodeId, Vfs};
#[cfg(feature = "host")]
pub use live::{ApplyError, Protected};
pub use merge::{Conflict, MergeError};
pub use metadata::{
    AccessMode, Caller, DirectoryEntry, FilesystemStat, Kind, Metadata, NewTime, OpenOptions,
    Timestamp, Usage,
};
pub use mount::{Mount, MountInfo};
pub use options::{Clock, Options, Quotas, Random, SystemClock, SystemRandom};
pub use pipe::{Pipe, PipeReader, PipeWriter};
pub use source::{Source, SourceFile, SourceStat, SyntheticFiles, Views};
pub use stored::{Link, ObjectId, ObjectKind, ObjectSink, ObjectSource, Saved, links};
