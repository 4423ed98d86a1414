//! A file that is edited in place (`-i inplace`): what is printed goes to a new file, which then takes its name. The
//! old file is untouched until that; its mode is kept, its owner is not.

use crate::system::File;
use std::fmt;
use std::io::{BufWriter, Write as _};

use crate::output::CHUNK;
use crate::system::{self, Kind};

/// Why a file cannot be edited in place.
#[derive(Debug)]
pub enum Refusal {
    /// It is a directory, a pipe or a device.
    NotRegular,
    /// An operation on it or on the new file failed.
    Failed(system::Failure),
}

impl From<system::Failure> for Refusal {
    fn from(failure: system::Failure) -> Refusal {
        Refusal::Failed(failure)
    }
}

impl fmt::Display for Refusal {
    fn fmt(&self, out: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Refusal::NotRegular => out.write_str("not a regular file"),
            Refusal::Failed(failure) => write!(out, "{}", failure.0),
        }
    }
}

/// The new file, until it takes the name of the old one.
pub struct InPlace {
    /// Where output goes meanwhile.
    pub file: BufWriter<File>,
    /// The new file's name, in the same directory, so that the final rename stays within a filesystem.
    temporary: Vec<u8>,
    /// The old file, without symbolic links.
    target: Vec<u8>,
    /// Of the backup; empty where none is kept.
    suffix: Vec<u8>,
}

impl InPlace {
    /// Makes the new file beside `target`; with a suffix the old file is kept under its name and that.
    ///
    /// # Errors
    /// Why the file cannot be edited in place.
    pub fn begin(target: &[u8], suffix: &[u8]) -> Result<InPlace, Refusal> {
        let found = system::stat(target, true)?;
        if found.kind != Kind::Regular {
            return Err(Refusal::NotRegular);
        }
        let target = system::canonicalize(target)?;
        let folder = target.iter().rposition(|&byte| byte == b'/');
        let folder = folder.map_or(0, |at| at + 1);
        let free = (0..100).map(|attempt| {
            let name = format!("gawk.{}.{attempt}", system::identity().pid);
            [&target[..folder], name.as_bytes()].concat()
        });
        let mut last = Err(system::NO_ENTRY);
        for temporary in free {
            last = system::create_new(&temporary).map(|file| (temporary, file));
            if last.is_ok() {
                break;
            }
        }
        let (temporary, file) = last?;
        Ok(InPlace {
            file: BufWriter::with_capacity(CHUNK, file),
            temporary,
            target,
            suffix: suffix.to_vec(),
        })
    }

    /// Puts the new file in the place of the old one, in one rename.
    pub fn finish(mut self) -> system::Result<()> {
        self.file.flush()?;
        drop(self.file);
        let found = system::stat(&self.target, true)?;
        system::set_mode(&self.temporary, found.mode)?;
        if !self.suffix.is_empty() {
            let backup = [&self.target[..], &self.suffix].concat();
            system::rename(&self.target, &backup)?;
        }
        system::rename(&self.temporary, &self.target)
    }
}
