//! Why changes were not written.

use std::fmt;

use crate::{Change, Error};

/// Why [`crate::Vfs::apply`] did not write everything.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ApplyError {
    /// The path in the mounted directory that stands in the way; empty where none does.
    pub path: Vec<u8>,
    /// What is wrong with it.
    pub reason: Error,
    /// What is written all the same; nothing where a change was refused.
    pub written: Vec<Change>,
}

impl ApplyError {
    pub(super) fn at(path: &[u8], reason: Error) -> ApplyError {
        ApplyError {
            path: path.to_vec(),
            reason,
            written: Vec::new(),
        }
    }

    /// What is wrong, without the path.
    pub fn reason(&self) -> String {
        match self.reason {
            Error::PathEscape => "the symbolic link leads out of the directory".to_owned(),
            reason => reason.to_string(),
        }
    }
}

impl From<Error> for ApplyError {
    fn from(reason: Error) -> ApplyError {
        ApplyError::at(b"", reason)
    }
}

impl fmt::Display for ApplyError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if !self.path.is_empty() {
            // A guest chooses names: what a terminal would obey is escaped.
            write!(f, "{:?}: ", String::from_utf8_lossy(&self.path))?;
        }
        f.write_str(&self.reason())
    }
}

impl std::error::Error for ApplyError {
    fn source(&self) -> Option<&(dyn std::error::Error + 'static)> {
        Some(&self.reason)
    }
}
