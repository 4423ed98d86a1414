//! Open files that a session keeps from one execution to the next.
//!
//! They are kept by their paths: one that was renamed or removed meanwhile is closed when the session
//! goes on.

use std::rc::Rc;

use offshoot_shell_language::record;

use super::{Descriptor, Descriptors};
use crate::os::{OpenOptions, Os, Whence};
use crate::text::Text;

/// Numbers below are those of standard streams, which each execution has for itself.
const FIRST: u32 = 3;

/// How a redirect opened a file.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Origin {
    /// Its absolute path.
    pub path: Text,
    /// It can be read.
    pub read: bool,
    /// It can be written.
    pub write: bool,
    /// Each write goes to the end.
    pub append: bool,
}

/// An open file of a session.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct OpenFile {
    /// Its number.
    pub number: u32,
    /// What it is.
    pub origin: Origin,
    /// Where the next byte is read or written.
    pub offset: u64,
    /// A lower number that shares it.
    pub shares: Option<u32>,
}

record!(Origin {
    path,
    read,
    write,
    append
});
record!(OpenFile {
    number,
    origin,
    offset,
    shares
});

/// The files that `exec` opened, in the order of their numbers.
pub(crate) fn keep(descriptors: &Descriptors) -> Vec<OpenFile> {
    let mut kept: Vec<OpenFile> = Vec::new();
    for (number, open) in descriptors.iter().filter(|(number, _)| *number >= FIRST) {
        let Some((origin, offset)) = open.place() else {
            continue;
        };
        let first = descriptors
            .iter()
            .find(|(_, other)| Rc::ptr_eq(other, open));
        let shares = first.map(|(first, _)| first);
        kept.push(OpenFile {
            number,
            origin,
            offset,
            shares: shares.filter(|&first| first != number && first >= FIRST),
        });
    }
    kept
}

/// Opens them again where their numbers are free.
pub(crate) fn reopen(os: &Rc<dyn Os>, files: &[OpenFile], descriptors: &mut Descriptors) {
    for file in files {
        if descriptors.get(file.number).is_some() {
            continue;
        }
        let shared = file
            .shares
            .and_then(|number| descriptors.get(number).cloned());
        if let Some(open) = shared.or_else(|| file.open(os)) {
            descriptors.set(file.number, Some(open));
        }
    }
}

impl OpenFile {
    fn open(&self, os: &Rc<dyn Os>) -> Option<Rc<Descriptor>> {
        let options = OpenOptions {
            read: self.origin.read,
            write: self.origin.write,
            append: self.origin.append,
            ..OpenOptions::default()
        };
        let handle = os.open(&self.origin.path, options, 0).ok()?;
        let offset = i64::try_from(self.offset).unwrap_or(i64::MAX);
        // Of what cannot seek by now, the beginning is as good.
        let _ = os.seek(handle, offset, Whence::Start);
        Some(Descriptor::opened(os, handle, self.origin.clone()))
    }
}
