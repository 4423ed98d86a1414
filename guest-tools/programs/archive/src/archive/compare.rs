//! `tar --compare`: how files differ from what an archive has of them.
//!
//! Compared are the type, the permission bits, and for regular files the owners' numbers, the time to a second, the
//! size and the content; for links where they lead. Each difference is a line on standard output and makes the status
//! 1:
//!
//! ```text
//! a: Mode differs
//! a: Contents differ
//! ```
//!
//! A size that differs hides the content, a type that differs everything else, as in GNU tar.

use std::io::Read;

use ::tar::{EntryType, Header};

use super::extract::Reader;
use super::tar::DIFFERENT;
use crate::call::bytes;
use crate::output::CHUNK;
use crate::quote;
use crate::system::{self, Kind, Stat};

impl Reader<'_> {
    /// Compares a member with the file of its name below the directory of `-C`, and says each difference. A file that
    /// is not there is a difference; one that cannot be read is an error.
    pub(super) fn compare(
        &mut self,
        name: &[u8],
        header: &Header,
        link: Option<&[u8]>,
        content: &mut dyn Read,
    ) {
        if self.plan.verbose > 0 {
            self.list(name, header, link, self.plan.verbose);
        }
        let bare = name.strip_suffix(b"/").unwrap_or(name);
        let path = system::join(&self.plan.directory, bare);
        let link = link.unwrap_or_default();
        match header.entry_type() {
            EntryType::Symlink => match system::read_link(&path) {
                Ok(target) if target == link => {}
                Ok(_) => self.differs(bare, "Symlink differs"),
                Err(failure) => self.missing(bare, "Cannot readlink", failure),
            },
            EntryType::Link => {
                let Some(stat) = self.stat(bare, &path) else {
                    return;
                };
                let first = system::join(&self.plan.directory, link);
                if let Some(first) = self.stat(link, &first)
                    && !first.is_same(&stat)
                {
                    let name = String::from_utf8_lossy(link).into_owned();
                    self.differs(bare, &format!("Not linked to {name}"));
                }
            }
            kind => {
                let Some(stat) = self.stat(bare, &path) else {
                    return;
                };
                let wanted = match kind {
                    EntryType::Directory => Kind::Directory,
                    EntryType::Fifo => Kind::Fifo,
                    EntryType::Char | EntryType::Block => Kind::CharacterDevice,
                    _ => Kind::Regular,
                };
                if stat.kind != wanted {
                    return self.differs(bare, "File type differs");
                }
                if header.mode().is_ok_and(|mode| mode & 0o7777 != stat.mode) {
                    self.differs(bare, "Mode differs");
                }
                if wanted == Kind::Regular {
                    self.file(bare, &path, header, &stat, content);
                }
            }
        }
    }

    /// Compares owners, time, size and content of a regular file. Owners are compared by their numbers alone.
    fn file(
        &mut self,
        name: &[u8],
        path: &[u8],
        header: &Header,
        stat: &Stat,
        content: &mut dyn Read,
    ) {
        let is_other = |number: std::io::Result<u64>, own: u32| {
            number.is_ok_and(|number| number != u64::from(own))
        };
        if is_other(header.uid(), stat.uid) {
            self.differs(name, "Uid differs");
        }
        if is_other(header.gid(), stat.gid) {
            self.differs(name, "Gid differs");
        }
        if header.mtime().unwrap_or(0) as i64 != stat.modified.seconds {
            self.differs(name, "Mod time differs");
        }
        if header.size().is_ok_and(|size| size != stat.size) {
            return self.differs(name, "Size differs");
        }
        match system::open_file(path).map(|mut file| is_same(&mut file, content)) {
            Ok(Ok(true)) => {}
            Ok(Ok(false)) => self.differs(name, "Contents differ"),
            Ok(Err(failure)) => self.fails(name, "Cannot read", failure),
            Err(failure) => self.fails(name, "Cannot open", failure),
        }
    }

    /// What a file is; none after a message.
    fn stat(&mut self, name: &[u8], path: &[u8]) -> Option<Stat> {
        match system::stat(path, self.plan.dereference) {
            Ok(stat) => Some(stat),
            Err(failure) => {
                self.missing(name, "Cannot stat", failure);
                None
            }
        }
    }

    /// Says a difference; the status becomes 1 unless it is 2 already.
    fn differs(&mut self, name: &[u8], what: &str) {
        let name = quote::escaped(name, false, false);
        self.out.line(bytes!(name, ": ", what));
        self.status = self.status.max(DIFFERENT);
    }

    /// A file that is not there is a difference; what hides it otherwise is an error.
    fn missing(&mut self, name: &[u8], what: &str, failure: system::Failure) {
        if failure != system::NO_ENTRY {
            return self.fails(name, what, failure);
        }
        self.out.flush();
        let what = format!(": Warning: {what}: ");
        self.call.fail(DIFFERENT, bytes!(name, what, failure));
        self.status = self.status.max(DIFFERENT);
    }

    /// Says an error; the status becomes 2.
    fn fails(&mut self, name: &[u8], what: &str, failure: system::Failure) {
        self.out.flush();
        self.status = self.call.fail(2, bytes!(name, ": ", what, ": ", failure));
    }
}

/// Whether both give the same bytes. Memory is constant.
fn is_same(file: &mut dyn Read, member: &mut dyn Read) -> system::Result<bool> {
    let (mut left, mut right) = (Vec::with_capacity(CHUNK), Vec::with_capacity(CHUNK));
    loop {
        left.clear();
        right.clear();
        (&mut *file).take(CHUNK as u64).read_to_end(&mut left)?;
        (&mut *member).take(CHUNK as u64).read_to_end(&mut right)?;
        if left != right {
            return Ok(false);
        }
        if left.is_empty() {
            return Ok(true);
        }
    }
}
