//! What is at the receiver alone, and goes (`--delete`).
//!
//! Only directories that the sender has are looked into. What a filter rule excludes is protected there, unless
//! `--delete-excluded` is given. Entries go in the reverse order of copying: directories first, names descending.

use super::path::{absolute, base_name, below, trim_slash};
use super::{MAX_DEPTH, Transfer};
use crate::call::bytes;
use crate::system;
use crate::system::{Kind, Stat};

impl<'a> Transfer<'a> {
    /// Removes from the receiver's directories what the sender has not, in one pass, for `--delete-before` and
    /// `--delete-after`.
    pub(super) fn sweep(&mut self, sources: &[Vec<u8>], target: &[u8]) {
        for source in sources {
            let bare = trim_slash(source);
            let contents = source.ends_with(b"/") || matches!(base_name(bare), b"." | b"..");
            let is_directory =
                system::stat(bare, true).is_ok_and(|stat| stat.kind == Kind::Directory);
            if is_directory && contents {
                self.sweep_directory(bare, target, b"", 0);
            } else if is_directory {
                let name = base_name(bare).to_vec();
                self.sweep_directory(bare, &system::join(target, &name), &name, 0);
            }
        }
    }

    /// The same for a directory and those in it. A link at the receiver is not followed, but for the destination
    /// itself.
    fn sweep_directory(&mut self, source: &[u8], target: &[u8], shown: &[u8], depth: usize) {
        let is_directory =
            |path: &[u8]| system::stat(path, false).is_ok_and(|stat| stat.kind == Kind::Directory);
        if depth > MAX_DEPTH || !(depth == 0 || is_directory(target)) {
            return;
        }
        let Ok(entries) = self.list(source, shown) else {
            return;
        };
        self.delete_extra(target, shown, &entries);
        for (name, stat) in &entries {
            if stat.kind == Kind::Directory {
                let (source, target) = (system::join(source, name), system::join(target, name));
                self.sweep_directory(&source, &target, &below(shown, name), depth + 1);
            }
        }
    }

    /// Removes from one directory what is not among `entries`.
    pub(super) fn delete_extra(
        &mut self,
        target: &[u8],
        shown: &[u8],
        entries: &[(Vec<u8>, Stat)],
    ) {
        let Ok(mut found) = system::read_directory(target) else {
            return;
        };
        found.retain(|entry| !entries.iter().any(|(name, _)| *name == entry.name));
        found.sort_by_key(|entry| (entry.kind == Kind::Directory, entry.name.clone()));
        for entry in found.into_iter().rev() {
            let path = below(shown, &entry.name);
            let directory = entry.kind == Kind::Directory;
            if self.settings.delete_excluded || !self.settings.filter.excludes(&path, directory) {
                self.delete(&system::join(target, &entry.name), &path, directory, 0);
            }
        }
    }

    /// Removes an entry with all that is in it, and reports each of them. A dry run only reports.
    pub(super) fn delete(&mut self, target: &[u8], shown: &[u8], directory: bool, depth: usize) {
        if depth > MAX_DEPTH {
            return self.fail(bytes!(target, ": nested too deep"));
        }
        if directory {
            let mut inside = system::read_directory(target).unwrap_or_default();
            inside.sort_by_key(|entry| (entry.kind == Kind::Directory, entry.name.clone()));
            for entry in inside.into_iter().rev() {
                let path = system::join(shown, &entry.name);
                self.delete(
                    &system::join(target, &entry.name),
                    &path,
                    entry.kind == Kind::Directory,
                    depth + 1,
                );
            }
        }
        let label = if directory {
            bytes!(shown, "/")
        } else {
            shown.to_vec()
        };
        if self.settings.itemize {
            self.out.line(bytes!("*deleting   ", label));
        } else if self.settings.verbose {
            self.out.line(bytes!("deleting ", label));
        }
        self.counts.deleted += 1;
        if self.settings.dry {
            return;
        }
        let removed = if directory {
            system::remove_directory(target)
        } else {
            system::unlink(target)
        };
        if let Err(failure) = removed {
            self.fail(bytes!("delete_file: ", label, " failed: ", failure));
        }
    }

    /// Removes what is in the way of something of another kind. A directory has to be empty; `Err` is reported already.
    pub(super) fn replace(&mut self, target: &[u8]) -> Result<(), ()> {
        if self.settings.dry {
            return Ok(());
        }
        let directory = system::stat(target, false).is_ok_and(|stat| stat.kind == Kind::Directory);
        let removed = if directory {
            system::remove_directory(target)
        } else {
            system::unlink(target)
        };
        removed.map_err(|failure| {
            self.fail(bytes!(
                "could not make way for new file: ",
                absolute(target),
                ": ",
                failure
            ));
        })
    }
}
