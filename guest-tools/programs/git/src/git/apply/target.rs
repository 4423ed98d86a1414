//! What a patch is put onto: the work tree, the index, or both.

use gix_object::Kind;

use super::FilePatch;
use super::hunks::patched;
use crate::call::bytes;
use crate::git::index::Entry;
use crate::git::objects::Id;
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, error, file};
use crate::git::tree::{EXECUTABLE, FILE, Item, LINK};
use crate::system;

/// A file as it will be.
pub(super) struct Done {
    pub(super) path: Vec<u8>,
    /// None removes it.
    pub(super) content: Option<(Vec<u8>, u32)>,
}

/// Where patches go.
pub(super) struct Target<'a> {
    pub(super) cached: bool,
    pub(super) index: bool,
    pub(super) loose: bool,
    pub(super) verbose: bool,
    pub(super) repository: Option<&'a mut Repository>,
    pub(super) done: Vec<Done>,
}

impl Target<'_> {
    /// The file as it is, or as an earlier part of the patch left it.
    pub(super) fn read(&self, path: &[u8]) -> Outcome<Option<(Vec<u8>, u32)>> {
        if let Some(done) = self.done.iter().rev().find(|done| done.path == path) {
            return Ok(done.content.clone());
        }
        if let (true, Some(repository)) = (self.cached, &self.repository) {
            let index = repository.index()?;
            return match index.get(&self.whole(path)?) {
                Some(entry) => {
                    let content = repository.objects.blob(&entry.item.id)?;
                    Ok(Some((content.to_vec(), entry.item.mode)))
                }
                None => Ok(None),
            };
        }
        let Ok(stat) = system::stat(path, false) else {
            return Ok(None);
        };
        let Some(mode) = crate::git::tree::mode_of(&stat) else {
            return Ok(None);
        };
        let content = if mode == LINK {
            system::read_link(path)
        } else {
            system::read_whole(path)
        };
        let content = content.map_err(|failure| file("cannot read", path, failure))?;
        Ok(Some((content, mode)))
    }

    fn whole(&self, path: &[u8]) -> Outcome<Vec<u8>> {
        match &self.repository {
            Some(repository) => repository.path_from_top(path),
            None => Ok(path.to_vec()),
        }
    }

    pub(super) fn one(&mut self, patch: &FilePatch) -> Outcome {
        let name = patch.name().to_vec();
        if self.verbose {
            eprintln!("Checking patch {}...", String::from_utf8_lossy(&name));
        }
        for path in [&patch.old, &patch.new].into_iter().flatten() {
            let escapes = path.first() == Some(&b'/')
                || path
                    .split(|&byte| byte == b'/')
                    .any(|part| part == b".." || part == b".git");
            if escapes {
                return Err(error(bytes!("invalid path '", path, "'")));
            }
        }
        if self.index && !self.cached {
            self.check_index(patch)?;
        }
        let old = match &patch.old {
            Some(path) => match self.read(path)? {
                Some(old) => old,
                None => {
                    let place = if self.cached {
                        ": does not exist in index"
                    } else {
                        ": No such file or directory"
                    };
                    return Err(error(bytes!(path, place)));
                }
            },
            None => (Vec::new(), FILE),
        };
        if let (None, Some(path)) = (&patch.old, &patch.new)
            && self.read(path)?.is_some()
        {
            let place = if self.cached {
                ": already exists in index"
            } else {
                ": already exists in working directory"
            };
            return Err(error(bytes!(path, place)));
        }

        let content = patched(&old.0, patch, self.loose).map_err(|line| {
            error(bytes!(
                "patch failed: ",
                name,
                format!(":{line}\nerror: "),
                name,
                ": patch does not apply"
            ))
        })?;
        if let (Some(path), true) = (&patch.old, patch.new.is_none() || patch.renamed) {
            if patch.new.is_none() && !content.is_empty() {
                return Err(error(bytes!(
                    "removal patch leaves file contents\nerror: ",
                    path,
                    ": patch does not apply"
                )));
            }
            self.done.push(Done {
                path: path.clone(),
                content: None,
            });
        }
        if let Some(path) = &patch.new {
            let mode = patch.new_mode.unwrap_or(old.1);
            self.done.push(Done {
                path: path.clone(),
                content: Some((content, mode)),
            });
        }
        Ok(())
    }

    fn check_index(&self, patch: &FilePatch) -> Outcome {
        let Some(repository) = &self.repository else {
            return Ok(());
        };
        let index = repository.index()?;
        let Some(path) = &patch.old else {
            let new = patch.name();
            return match index.has(&self.whole(new)?) {
                true => Err(error(bytes!(new, ": already exists in index"))),
                false => Ok(()),
            };
        };
        let whole = self.whole(path)?;
        match index.get(&whole) {
            None => Err(error(bytes!(path, ": does not exist in index"))),
            Some(entry) => match repository.compare(&index, &whole, entry)? {
                crate::git::worktree::State::Same => Ok(()),
                _ => Err(error(bytes!(path, ": does not match index"))),
            },
        }
    }

    pub(super) fn write(&mut self) -> Outcome {
        let mut written: Vec<(Vec<u8>, Option<Item>)> = Vec::new();
        for done in &self.done {
            let whole = self.whole(&done.path)?;
            match &done.content {
                None => {
                    if !self.cached {
                        remove(&done.path);
                    }
                    written.push((whole, None));
                }
                Some((content, mode)) => {
                    if !self.cached {
                        place(&done.path, content, *mode)?;
                    }
                    if let (true, Some(repository)) = (self.index, &self.repository) {
                        let id: Id = repository.objects.write(Kind::Blob, content)?;
                        let mode = if *mode & 0o111 != 0 && *mode != LINK {
                            EXECUTABLE
                        } else {
                            *mode
                        };
                        written.push((whole, Some(Item { mode, id })));
                    }
                }
            }
        }
        if let (true, Some(repository)) = (self.index, &self.repository) {
            let mut index = repository.index()?;
            for (path, item) in written {
                match item {
                    Some(item) => {
                        let stat = system::stat(&repository.file(&path)?, false);
                        let entry = match (&stat, self.cached) {
                            (Ok(stat), false) => Entry::seen(item, stat),
                            _ => Entry::new(item),
                        };
                        index.set(&path, entry);
                    }
                    None => {
                        index.remove(&path);
                    }
                }
            }
            repository.save(&index)?;
        }
        Ok(())
    }
}

fn remove(path: &[u8]) {
    // It was read a moment ago; where it is gone, nothing is left to do.
    let _ = system::unlink(path);
    let mut folder = path;
    while let Some(at) = folder.iter().rposition(|&byte| byte == b'/') {
        folder = &folder[..at];
        if system::remove_directory(folder).is_err() {
            break;
        }
    }
}

fn place(path: &[u8], content: &[u8], mode: u32) -> Outcome {
    crate::git::refs::make_parents(path)?;
    let failed = |failure| file("unable to write", path, failure);
    if mode == LINK {
        // What was there before may be a link as well.
        let _ = system::unlink(path);
        return system::symlink(content, path).map_err(failed);
    }
    if system::stat(path, false).is_ok_and(|stat| stat.kind == system::Kind::Symlink) {
        system::unlink(path).map_err(failed)?;
    }
    crate::git::objects::write_file(path, content)?;
    let stat = system::stat(path, true).map_err(failed)?;
    let bits = match mode & 0o111 {
        0 => stat.mode & !0o111,
        _ => stat.mode | ((stat.mode & 0o444) >> 2),
    };
    if bits != stat.mode {
        system::set_mode(path, bits).map_err(failed)?;
    }
    Ok(())
}
