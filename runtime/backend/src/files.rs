//! Facts about files.

use serde::{Deserialize, Serialize};
use std::time::SystemTime;

/// Facts about a path. A value that is not known is absent, never made up.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct FileStat {
    /// What it is; links were followed.
    pub kind: FileKind,
    /// Length in bytes.
    pub size: u64,
    /// Last change of the content.
    pub mtime: Option<SystemTime>,
    /// Last change of content or metadata.
    pub ctime: Option<SystemTime>,
    /// Last read.
    pub atime: Option<SystemTime>,
    /// Whether the path itself is a symbolic link.
    pub is_symlink: Option<bool>,
    /// Permission bits.
    pub mode: Option<u32>,
}

impl FileStat {
    /// What every backend knows; the rest is set where it is known.
    pub fn new(kind: FileKind, size: u64) -> FileStat {
        FileStat {
            kind,
            size,
            mtime: None,
            ctime: None,
            atime: None,
            is_symlink: None,
            mode: None,
        }
    }
}

/// What a path is.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
#[non_exhaustive]
pub enum FileKind {
    /// A regular file.
    File,
    /// A directory.
    Directory,
    /// A symbolic link without a target.
    Symlink,
    /// A pipe or device.
    Other,
}

/// Options of [`Environment::rm`](crate::Environment::rm).
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct RemoveOptions {
    /// Remove a directory with all that is in it.
    pub recursive: bool,
    /// A missing path is fine.
    pub force: bool,
}
