//! Files that were patched, and what could not be.
//!
//! A file is replaced and not changed: it is removed and made anew, so that its other names keep the old content. A
//! backup is made with `-b`, and where a hunk did not fit exactly, unless `--posix` or `--no-backup-if-mismatch` is
//! given.

use std::io::Write as _;

use super::Patching;
use super::reject;
use crate::call::bytes;
use crate::patch::read::{Format, Hunk, Name, Patch};
use crate::{quote, system};

impl Patching<'_> {
    /// Says what failed, and keeps it in a file: that of `-r`, else the name with `.rej`. With `--dry-run` and `-r -`
    /// it is only said.
    ///
    /// # Errors
    /// Status 2, after a message, where the file cannot be written.
    pub(super) fn reject(
        &mut self,
        patch: &Patch,
        name: &[u8],
        (failed, reverse): (&[Hunk], bool),
        summary: &str,
    ) -> Result<(), i32> {
        self.say(summary);
        let out = self.parsed.value("o").filter(|out| *out != b"-");
        let file = match self.parsed.value("r") {
            Some(file) => file.to_vec(),
            None => bytes!(out.unwrap_or(name), ".rej"),
        };
        if self.parsed.has("dry-run") || file == b"-" {
            self.say("\n");
            return Ok(());
        }
        let shown = quote::shell_where_needed(&file);
        self.say(bytes!(" -- saving rejects to file ", shown, "\n"));
        let context = match self.parsed.value("reject-format") {
            Some(format) => format == b"context",
            None => patch.format != Format::Unified,
        };
        let text = reject::text(patch, failed, context, reverse);
        self.save(&system::join(&self.base, &file), &text, None)
    }

    /// Writes a file, with the directories it is in.
    fn save(&mut self, path: &[u8], content: &[u8], mode: Option<u32>) -> Result<(), i32> {
        let saved = make_parents(path)
            .and_then(|()| system::create_file(path, false))
            .and_then(|mut file| Ok(file.write_all(content)?))
            .and_then(|()| mode.map_or(Ok(()), |mode| system::set_mode(path, mode)));
        saved.map_err(|failure| {
            self.out.flush();
            let name = quote::shell_where_needed(path);
            self.call
                .fail(2, bytes!("**** Can't create file ", name, " : ", failure))
        })
    }

    /// Writes the result in its place, under a new name, or into the file of `-o`. A result without content removes
    /// the file where the patch says so or `-E` is given, with the directories that are empty then.
    ///
    /// # Errors
    /// Status 2, after a message, where a file cannot be written.
    pub(super) fn write(
        &mut self,
        patch: &Patch,
        change: &Change,
        result: &[u8],
    ) -> Result<(), i32> {
        if self.parsed.has("dry-run") {
            return Ok(());
        }
        if let Some(out) = self.parsed.value("o").map(<[u8]>::to_vec) {
            if out == b"-" {
                self.out.put(result);
                return Ok(());
            }
            return self.save(&system::join(&self.base, &out), result, change.mode);
        }
        let path = system::join(&self.base, change.name);
        let backup = self.parsed.has("b")
            || (change.mismatch
                && !self.parsed.has("posix")
                && !self.parsed.has("no-backup-if-mismatch"));
        if backup {
            let old = if change.mode.is_some() {
                system::read_whole(&path).unwrap_or_default()
            } else {
                Vec::new()
            };
            let prefix = self.parsed.value("B").unwrap_or_default();
            let given = self.parsed.value("z");
            let suffix = given.unwrap_or(if prefix.is_empty() { b".orig" } else { b"" });
            let backup = system::join(&self.base, &bytes!(prefix, change.name, suffix));
            self.save(&backup, &old, change.mode)?;
        }
        let new = if change.reverse {
            &patch.old
        } else {
            &patch.new
        };
        let gone = new.as_ref().is_some_and(Name::is_nothing)
            || (if change.reverse {
                patch.creates
            } else {
                patch.deletes
            });
        let removes = gone || (self.parsed.has("E") && !patch.hunks.is_empty());
        if removes && result.is_empty() && !change.failed {
            // Directories that are empty now go too, as far as that works.
            if change.mode.is_some() && system::unlink(&path).is_ok() {
                let mut parent = change.name;
                while let Some(at) = parent.iter().rposition(|&byte| byte == b'/') {
                    parent = &parent[..at];
                    if system::remove_directory(&system::join(&self.base, parent)).is_err() {
                        break;
                    }
                }
            }
            return Ok(());
        }
        if gone && !change.failed && !patch.hunks.is_empty() {
            let shown = quote::shell_where_needed(change.name);
            self.say(bytes!(
                "Not deleting file ",
                shown,
                " as content differs from patch\n"
            ));
            self.status = 1;
        }
        let target = system::join(&self.base, change.target.unwrap_or(change.name));
        let mode = if change.reverse { None } else { patch.mode }.or(change.mode);
        // What takes its place is a new file: other names of the old one keep its content.
        if change.mode.is_some() && change.target.is_none() && !patch.hunks.is_empty() {
            let _ = system::unlink(&target);
        }
        self.save(&target, result, mode)?;
        if change.target.is_some() && !patch.is_copy {
            let _ = system::unlink(&path);
        }
        Ok(())
    }
}

/// How a file was changed.
pub(super) struct Change<'a> {
    /// The file, below the directory of `-d`.
    pub(super) name: &'a [u8],
    /// Its new name, where it is renamed or copied.
    pub(super) target: Option<&'a [u8]>,
    /// The permission bits that it has; none where there is no such file.
    pub(super) mode: Option<u32>,
    /// A hunk did not fit exactly.
    pub(super) mismatch: bool,
    /// The patch was undone.
    pub(super) reverse: bool,
    /// A hunk was rejected.
    pub(super) failed: bool,
}

/// Whether the patch says that the file did not exist before; with `reverse`, that it does not exist after.
pub(super) fn is_new(patch: &Patch, reverse: bool) -> bool {
    let (name, git) = if reverse {
        (&patch.new, patch.deletes)
    } else {
        (&patch.old, patch.creates)
    };
    git || name.as_ref().is_some_and(Name::is_nothing)
}

/// Makes the directories that a file is in.
fn make_parents(path: &[u8]) -> system::Result<()> {
    for (at, _) in path
        .iter()
        .enumerate()
        .filter(|&(at, &byte)| byte == b'/' && at > 0)
    {
        match system::make_directory(&path[..at], 0o777) {
            Ok(()) | Err(system::EXIST) => {}
            Err(failure) => {
                system::stat(&path[..at], true).map_err(|_| failure)?;
            }
        }
    }
    Ok(())
}
