//! Two names: what is there, and what is to compare.
//!
//! | Old and new | At the top | In a recursion |
//! |---|---|---|
//! | two files | compared | compared |
//! | a directory and a file | the file of that name in the directory | said |
//! | two directories | compared entry by entry | with `-r` likewise, else said |
//! | two links, with `--no-dereference` | their targets | their targets |
//! | other kinds | read | said |

use std::collections::BTreeMap;

use super::Diff;
use crate::call::bytes;
use crate::system;
use crate::system::{Kind, Stat, Time};

/// One side of a comparison.
#[derive(Clone)]
pub(super) struct File {
    /// Its path, for messages and headers.
    pub(super) path: Vec<u8>,
    /// Its name in headers (`-L`).
    pub(super) label: Option<Vec<u8>>,
    /// What is in it; nothing of a file that does not exist.
    pub(super) content: Vec<u8>,
    /// When it was changed; the epoch for a file that does not exist.
    pub(super) modified: Time,
}

impl File {
    /// Its label, if it has one, or its path.
    pub(super) fn name(&self) -> &[u8] {
        self.label.as_ref().unwrap_or(&self.path)
    }
}

/// What `diff` calls a kind of file.
fn called(stat: &Stat) -> &'static str {
    match stat.kind {
        Kind::Directory => "directory",
        Kind::Symlink => "symbolic link",
        Kind::Fifo => "fifo",
        Kind::Regular if stat.size == 0 => "regular empty file",
        Kind::Regular => "regular file",
        Kind::CharacterDevice => "character special file",
    }
}

/// Whether two names are of one file, whose content is equal to itself.
fn is_same(old: (&[u8], &Option<Stat>), new: (&[u8], &Option<Stat>)) -> bool {
    match (old, new) {
        ((b"-", _), (b"-", _)) => true,
        ((_, Some(old)), (_, Some(new))) => {
            old.inode != 0 && (old.device, old.inode) == (new.device, new.inode)
        }
        _ => false,
    }
}

impl<'a> Diff<'a> {
    /// What a name is; none for a file that does not exist and counts as empty, and for what was decompressed.
    fn stat(&self, path: &[u8]) -> system::Result<Option<Stat>> {
        if self.given.iter().any(|(name, _)| name == path) {
            return Ok(None);
        }
        let found = if path == b"-" {
            system::stat_descriptor(0)
        } else {
            system::stat(path, !self.parsed.has("no-dereference"))
        };
        match found {
            Err(system::NO_ENTRY) if self.takes_absent() => Ok(None),
            // A pipe that has no `stat` is still standard input.
            Err(_) if path == b"-" => Ok(None),
            found => found.map(Some),
        }
    }

    /// Whether a file that is not there is an empty one.
    fn takes_absent(&self) -> bool {
        self.parsed.has("N") || self.parsed.has("P")
    }

    /// Compares two names. `top` is true for those of the command line.
    pub(super) fn pair(&mut self, mut old: Vec<u8>, mut new: Vec<u8>, top: bool) {
        let (a, b) = (self.stat(&old), self.stat(&new));
        for (path, outcome) in [(&old, &a), (&new, &b)] {
            if let Err(failure) = outcome {
                self.complain(path, *failure);
            }
        }
        let (Ok(a), Ok(b)) = (a, b) else {
            return;
        };
        let kind = |stat: &Option<Stat>| stat.as_ref().map(|stat| stat.kind);
        let is_directory = |stat| kind(stat) == Some(Kind::Directory);
        match (is_directory(&a), is_directory(&b)) {
            (true, true) if top || self.parsed.has("r") => {
                return self.directories(&old, &new, top);
            }
            (true, true) => {
                let line = bytes!("Common subdirectories: ", old, " and ", new);
                return self.out.line(line);
            }
            // A directory and a file: the file of that name in the directory.
            (true, false) if top => old = system::join(&old, base_name(&new)),
            (false, true) if top => new = system::join(&new, base_name(&old)),
            (false, false) => match (kind(&a), kind(&b)) {
                (Some(Kind::Symlink), Some(Kind::Symlink)) => return self.links(&old, &new),
                (Some(Kind::Symlink), _) | (_, Some(Kind::Symlink)) => {
                    return self.kinds((&old, &a), (&new, &b));
                }
                // What has no end is not read without being asked for.
                (Some(one), Some(other)) if !top && [one, other] != [Kind::Regular; 2] => {
                    return self.kinds((&old, &a), (&new, &b));
                }
                _ => {}
            },
            _ => return self.kinds((&old, &a), (&new, &b)),
        }
        if self.style.shows_equal() || !is_same((&old, &a), (&new, &b)) {
            return self.files(old, new, top);
        }
        self.identical(&old, &new);
    }

    /// What a file is called: by its label, if it has one.
    pub(super) fn name<'n>(&'n self, side: usize, path: &'n [u8]) -> &'n [u8] {
        self.label(side).unwrap_or(path)
    }

    /// The first or the second `-L`.
    pub(super) fn label(&self, side: usize) -> Option<&[u8]> {
        let labels = self.parsed.options.iter().filter(|(key, _)| *key == "L");
        labels.map(|(_, label)| label.as_slice()).nth(side)
    }

    /// Says with `-s` that two files are the same.
    pub(super) fn identical(&mut self, old: &[u8], new: &[u8]) {
        if self.parsed.has("s") {
            let (old, new) = (self.name(0, old), self.name(1, new));
            let line = bytes!("Files ", old, " and ", new, " are identical");
            self.out.line(line);
        }
    }

    /// Two files that cannot be compared.
    fn kinds(&mut self, old: (&[u8], &Option<Stat>), new: (&[u8], &Option<Stat>)) {
        let (a, b) = match (old.1, new.1) {
            (Some(a), Some(b)) => (called(a), called(b)),
            (None, _) => return self.complain(old.0, system::NO_ENTRY),
            (_, None) => return self.complain(new.0, system::NO_ENTRY),
        };
        let (old, new) = (self.name(0, old.0), self.name(1, new.0));
        let line = bytes!("File ", old, " is a ", a, " while file ", new, " is a ", b);
        self.out.line(line);
        self.differ();
    }

    /// Two symbolic links that are not followed.
    fn links(&mut self, old: &[u8], new: &[u8]) {
        let (a, b) = match (system::read_link(old), system::read_link(new)) {
            (Ok(a), Ok(b)) => (a, b),
            (Err(failure), _) => return self.complain(old, failure),
            (_, Err(failure)) => return self.complain(new, failure),
        };
        if a == b {
            return self.identical(old, new);
        }
        let line = bytes!("Symbolic links ", old, " and ", new, " differ");
        self.out.line(line);
        self.differ();
    }

    /// Compares the entries of two directories, in the order of their names as bytes. `-S` counts at the top alone.
    fn directories(&mut self, old: &[u8], new: &[u8], top: bool) {
        if self.parsed.has("D") {
            self.out.flush();
            self.status = self
                .call
                .fail(2, "-D option not supported with directories");
            return;
        }
        let mut names: BTreeMap<Vec<u8>, [bool; 2]> = BTreeMap::new();
        for (side, directory) in [old, new].into_iter().enumerate() {
            let entries = match system::read_directory(directory) {
                Ok(entries) => entries,
                Err(system::NO_ENTRY) if self.parsed.has("N") => Vec::new(),
                Err(failure) => return self.complain(directory, failure),
            };
            for entry in entries {
                if self.exclude.iter().any(|glob| glob.matches(&entry.name)) {
                    continue;
                }
                names.entry(entry.name).or_default()[side] = true;
            }
        }
        let first = self.parsed.value("S").filter(|_| top).map(<[u8]>::to_vec);
        let skipped = |name: &Vec<u8>| first.as_ref().is_some_and(|first| name < first);
        for (name, sides) in names.into_iter().filter(|(name, _)| !skipped(name)) {
            let (a, b) = (system::join(old, &name), system::join(new, &name));
            let both = sides == [true, true];
            let absent = self.parsed.has("N") || (self.parsed.has("P") && sides == [false, true]);
            if both || absent {
                self.pair(a, b, false);
            } else {
                let directory = if sides[0] { old } else { new };
                let line = bytes!(
                    "Only in ",
                    directory.strip_suffix(b"/").unwrap_or(directory),
                    ": ",
                    name
                );
                self.out.line(line);
                self.differ();
            }
        }
    }

    /// Reads a file; none after a message.
    pub(super) fn read(&mut self, path: Vec<u8>) -> Option<File> {
        if let Some((_, content)) = self.given.iter().find(|(name, _)| *name == path) {
            return Some(File {
                content: content.clone(),
                label: None,
                modified: Time::now(),
                path,
            });
        }
        let stat = self.stat(&path).ok().flatten();
        let content = match system::read_whole(&path) {
            Ok(content) => content,
            Err(system::NO_ENTRY) if self.takes_absent() => Vec::new(),
            Err(failure) => {
                self.complain(&path, failure);
                return None;
            }
        };
        let modified = match (&stat, path.as_slice()) {
            (Some(stat), _) => stat.modified,
            (None, b"-") => Time::now(),
            (None, _) => Time::default(),
        };
        Some(File {
            path,
            label: None,
            content,
            modified,
        })
    }
}

/// The last part of a path.
fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}
