//! The work tree: comparing it with the index, and writing files into it.

use std::collections::BTreeMap;
use std::io::Write as _;

use gix_object::Kind as ObjectKind;

use super::ignore::Ignored;
use super::index::{Entry, Index};
use super::objects::name_of;
use super::pathspec::Pathspec;
use super::refs::make_parents;
use super::repository::Repository;
use super::stop::{Outcome, file};
use super::tree::{self, COMMIT, EXECUTABLE, Item, LINK};
use crate::call::bytes;
use crate::system::{self, Kind, Stat};

/// What became of a file of the index in the work tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum State {
    Same,
    Gone,
    /// Another content or mode. The content is in no database yet.
    Changed(Item),
}

impl Repository {
    /// The content of a file of the work tree as git keeps it.
    pub fn content(&self, path: &[u8], stat: &Stat) -> Outcome<Vec<u8>> {
        let whole = self.file(path)?;
        let content = if stat.kind == Kind::Symlink {
            system::read_link(&whole)
        } else {
            system::read_whole(&whole)
        };
        content.map_err(|failure| file("could not open", path, failure))
    }

    /// What a file of the work tree is; none where it is gone or nothing that git keeps. With `write`
    /// its content goes to the database.
    pub fn item(&self, path: &[u8], write: bool) -> Outcome<Option<(Item, Stat)>> {
        let Ok(stat) = system::stat(&self.file(path)?, false) else {
            return Ok(None);
        };
        if stat.kind == Kind::Directory {
            let head = self.submodule_head(path)?;
            return Ok(head.map(|id| (Item { mode: COMMIT, id }, stat)));
        }
        let Some(mode) = tree::mode_of(&stat) else {
            return Ok(None);
        };
        let content = self.content(path, &stat)?;
        let id = if write {
            self.objects.write(ObjectKind::Blob, &content)?
        } else {
            name_of(ObjectKind::Blob, &content)?
        };
        Ok(Some((Item { mode, id }, stat)))
    }

    /// Compares a file with its entry in the index.
    pub fn compare(&self, index: &Index, path: &[u8], entry: &Entry) -> Outcome<State> {
        let whole = self.file(path)?;
        // A file below a symbolic link is not the one of the index.
        let Ok(stat) = system::stat(&whole, false) else {
            return Ok(State::Gone);
        };
        if self.is_behind_link(path)? {
            return Ok(State::Gone);
        }
        if entry.is_unchanged(&stat, index.time) {
            return Ok(State::Same);
        }
        if entry.item.mode == COMMIT && stat.kind == Kind::Directory {
            return self.compare_submodule(path, entry);
        }
        Ok(match self.item(path, false)? {
            Some((item, _)) if item == entry.item && !entry.intended => State::Same,
            Some((item, _)) => State::Changed(item),
            None => State::Gone,
        })
    }

    /// Compares a submodule with its entry. One with changes of its own is another, with the same commit.
    fn compare_submodule(&self, path: &[u8], entry: &Entry) -> Outcome<State> {
        Ok(match self.submodule_work(path)? {
            Some(work) if work.modified || work.head != entry.item.id => State::Changed(Item {
                mode: COMMIT,
                id: work.head,
            }),
            _ => State::Same,
        })
    }

    fn is_behind_link(&self, path: &[u8]) -> Outcome<bool> {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends {
            let folder = self.file(&path[..end])?;
            if system::stat(&folder, false).is_ok_and(|stat| stat.kind != Kind::Directory) {
                return Ok(true);
            }
        }
        Ok(false)
    }

    /// The files of the index that look different in the work tree.
    pub fn changed(&self, index: &Index, paths: &Pathspec) -> Outcome<BTreeMap<Vec<u8>, State>> {
        let mut changed = BTreeMap::new();
        for (path, stage, entry) in index.all() {
            if stage > 0 || !paths.matches(path) {
                continue;
            }
            let state = self.compare(index, path, entry)?;
            if state != State::Same {
                changed.insert(path.to_vec(), state);
            }
        }
        Ok(changed)
    }

    /// Writes a file of the work tree, and gives its entry for the index.
    pub fn check_out(&self, path: &[u8], item: &Item) -> Outcome<Entry> {
        let whole = self.file(path)?;
        if item.mode == COMMIT {
            make_parents(&bytes!(whole, "/"))?;
            return Ok(Entry::new(*item));
        }
        let content = self.objects.blob(&item.id)?;
        self.put(path, &content, item.mode)?;
        let stat =
            system::stat(&whole, false).map_err(|failure| file("cannot stat", path, failure))?;
        Ok(Entry::seen(*item, &stat))
    }

    /// Writes content to a file of the work tree in place of what is there.
    pub fn put(&self, path: &[u8], content: &[u8], mode: u32) -> Outcome {
        let whole = self.file(path)?;
        self.clear_way(path)?;
        make_parents(&whole)?;
        let failed = |failure| file("unable to create file", path, failure);
        if let Ok(stat) = system::stat(&whole, false) {
            if stat.kind == Kind::Directory {
                system::remove_directory(&whole).map_err(failed)?;
            } else {
                system::unlink(&whole).map_err(failed)?;
            }
        }
        if mode == LINK {
            return system::symlink(content, &whole).map_err(failed);
        }
        system::create_file(&whole, false)
            .and_then(|mut file| file.write_all(content).map_err(Into::into))
            .map_err(failed)?;
        if mode == EXECUTABLE {
            let bits = system::stat(&whole, true).map_err(failed)?.mode;
            system::set_mode(&whole, bits | ((bits & 0o444) >> 2)).map_err(failed)?;
        }
        Ok(())
    }

    /// Removes files that stand where a folder of `path` has to be.
    fn clear_way(&self, path: &[u8]) -> Outcome {
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        for (end, _) in ends {
            let folder = self.file(&path[..end])?;
            if system::stat(&folder, false).is_ok_and(|stat| stat.kind != Kind::Directory) {
                system::unlink(&folder).map_err(|failure| file("cannot remove", path, failure))?;
            }
        }
        Ok(())
    }

    /// Removes a file of the work tree, and the folders that become empty.
    pub fn take_away(&self, path: &[u8]) -> Outcome {
        let whole = self.file(path)?;
        match system::stat(&whole, false) {
            Ok(stat) if stat.kind != Kind::Directory && !self.is_behind_link(path)? => {
                system::unlink(&whole).map_err(|failure| file("cannot remove", path, failure))?;
            }
            _ => {}
        }
        let mut folder = path;
        while let Some(at) = folder.iter().rposition(|&byte| byte == b'/') {
            folder = &folder[..at];
            let whole = self.file(folder)?;
            let is_here = self.prefix.starts_with(&bytes!(folder, "/"));
            if is_here || system::remove_directory(&whole).is_err() {
                break;
            }
        }
        Ok(())
    }

    /// Walks over files that are not in the index.
    pub fn untracked(&self, index: &Index, ignored: &Ignored, ask: &Ask) -> Outcome<Vec<Vec<u8>>> {
        let mut walk = Walk {
            repository: self,
            index,
            ignored,
            ask,
            found: Vec::new(),
        };
        walk.folder(b"", false)?;
        walk.found.sort();
        Ok(walk.found)
    }

    /// Whether a folder of the work tree is a repository of its own.
    pub fn is_repository(&self, path: &[u8]) -> Outcome<bool> {
        let inner = self.file(&bytes!(path, "/.git"))?;
        Ok(system::stat(&inner, false).is_ok())
    }
}

/// Which files outside of the index are asked for.
pub struct Ask<'a> {
    pub paths: &'a Pathspec,
    /// Folders without any file of the index are given as one, with a slash.
    pub fold: bool,
    /// Only the ignored ones, not the others.
    pub only_ignored: bool,
    /// Both.
    pub all: bool,
}

struct Walk<'a> {
    repository: &'a Repository,
    index: &'a Index,
    ignored: &'a Ignored,
    ask: &'a Ask<'a>,
    found: Vec<Vec<u8>>,
}

impl Walk<'_> {
    fn wants(&self, ignored: bool) -> bool {
        self.ask.all || ignored == self.ask.only_ignored
    }

    fn folder(&mut self, folder: &[u8], inside_ignored: bool) -> Outcome {
        let whole = self.repository.file(folder)?;
        for entry in system::read_directory(&whole).unwrap_or_default() {
            if entry.name == b".git" {
                continue;
            }
            let path = system::join(folder, &entry.name);
            let is_folder = entry.kind == Kind::Directory;
            let tracked = if is_folder {
                self.index.has_below(&path)
            } else {
                self.index.has(&path)
            };
            let ignored =
                inside_ignored || (!tracked && self.ignored.is_ignored_itself(&path, is_folder));
            if !is_folder {
                let kept = matches!(entry.kind, Kind::Regular | Kind::Symlink);
                if kept && !tracked && self.wants(ignored) && self.ask.paths.matches(&path) {
                    self.found.push(path);
                }
                continue;
            }
            if !self.ask.paths.may_match_below(&path) || self.index.has(&path) {
                continue;
            }
            if tracked {
                self.folder(&path, false)?;
            } else if self.repository.is_repository(&path)? {
                if self.wants(ignored) && self.ask.paths.matches(&path) {
                    self.found.push(bytes!(path, "/"));
                }
            } else if ignored && !self.ask.only_ignored && !self.ask.all {
                continue;
            } else if !self.ask.fold {
                self.folder(&path, ignored)?;
            } else {
                self.folded(&path, ignored)?;
            }
        }
        Ok(())
    }

    /// A folder without files of the index: itself, where all in it is wanted.
    fn folded(&mut self, path: &[u8], ignored: bool) -> Outcome {
        if ignored {
            if self.has_files(path)? && self.ask.paths.matches(path) {
                self.found.push(bytes!(path, "/"));
            }
            return Ok(());
        }
        let start = self.found.len();
        self.folder(path, false)?;
        let inner = self.found.split_off(start);
        if inner.is_empty() {
            return Ok(());
        }
        let partly_ignored = self.ask.only_ignored;
        if partly_ignored || !self.ask.paths.matches(path) {
            self.found.extend(inner);
        } else {
            self.found.push(bytes!(path, "/"));
        }
        Ok(())
    }

    fn has_files(&self, folder: &[u8]) -> Outcome<bool> {
        let mut folders = vec![folder.to_vec()];
        while let Some(folder) = folders.pop() {
            for entry in system::read_directory(&self.repository.file(&folder)?).unwrap_or_default()
            {
                if entry.kind != Kind::Directory {
                    return Ok(true);
                }
                folders.push(system::join(&folder, &entry.name));
            }
        }
        Ok(false)
    }
}
