//! Branches, tags and `HEAD` (Documentation/gitrepository-layout, git-pack-refs): files with names of objects, packed
//! or loose, and their history.
//!
//! A loose reference is a file with 40 digits or `ref: NAME`; `packed-refs` has a line for each of many. A loose one
//! hides a packed one. Reads are not cached, so each lookup that finds no file reads `packed-refs` again, O(size of
//! it).
//!
//! Names that begin with `refs/` lie in the folder that all work trees share, others (`HEAD`, `ORIG_HEAD`) and
//! `refs/bisect/`, `refs/worktree/` and `refs/rewritten/` in the work tree's own; `main-worktree/HEAD` and
//! `worktrees/ID/HEAD` are those of another. Files are replaced by a rename from `NAME.lock`, which refuses where another git has it.
//! Reftables are not here.

use std::collections::BTreeMap;
use std::io::Write as _;

use super::objects::{Id, Person, none, parse_id, write_file};
use super::stop::{Outcome, fatal, file};
use crate::call::bytes;
use crate::system::{self, Kind};

/// The references of a repository.
pub struct Refs {
    /// The folder of this work tree's `HEAD`.
    own: Vec<u8>,
    /// The folder that all work trees share.
    common: Vec<u8>,
}

/// What a reference says.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Target {
    /// The name of an object.
    Object(Id),
    /// The full name of another reference, which need not exist: `HEAD` before the first commit.
    Symbolic(Vec<u8>),
}

/// One line of the history of a reference (a reflog): `OLD NEW NAME <MAIL> TIME ZONE<tab>WHY`.
pub struct Moved {
    /// Where it was; null where it did not exist.
    pub old: Id,
    /// Where it went; null where it was removed, as `HEAD` is for a moment when a branch is renamed.
    pub new: Id,
    /// Who moved it, and when.
    pub who: Person,
    /// In one line, as `commit: Fix a`.
    pub why: Vec<u8>,
}

impl Refs {
    /// The references below these folders.
    pub fn new(own: Vec<u8>, common: Vec<u8>) -> Refs {
        Refs { own, common }
    }

    /// The file of a loose reference.
    fn path(&self, name: &[u8]) -> Vec<u8> {
        let (folder, name) = self.place(name);
        system::join(folder, name)
    }

    /// The folder in which a reference lies, and its name there.
    fn place<'a>(&'a self, name: &'a [u8]) -> (&'a [u8], &'a [u8]) {
        if let Some(rest) = name.strip_prefix(b"main-worktree/") {
            return (&self.common, rest);
        }
        let shared = name == b"refs"
            || name.starts_with(b"refs/") && !is_own(&bytes!(name, "/"))
            || name.starts_with(b"worktrees/");
        let folder = if shared { &self.common } else { &self.own };
        (folder, name)
    }

    /// All of `packed-refs`. Lines with `^` and comments are passed over.
    fn packed(&self) -> BTreeMap<Vec<u8>, Id> {
        let text = system::read_whole(&system::join(&self.common, b"packed-refs"));
        let mut all = BTreeMap::new();
        for line in text.unwrap_or_default().split(|&byte| byte == b'\n') {
            if let (Some(id), Some(name)) = (line.get(..40).and_then(parse_id), line.get(41..)) {
                all.insert(name.to_vec(), id);
            }
        }
        all
    }

    /// What `name`, a full one, says itself; none where it is neither loose nor packed, or malformed.
    pub fn get(&self, name: &[u8]) -> Option<Target> {
        let path = self.path(name);
        if system::stat(&path, true).is_ok_and(|stat| stat.kind == Kind::Regular)
            && let Ok(text) = system::read_whole(&path)
        {
            let text = text.trim_ascii();
            if let Some(target) = text.strip_prefix(b"ref:") {
                return Some(Target::Symbolic(target.trim_ascii().to_vec()));
            }
            return parse_id(text.get(..40).unwrap_or_default()).map(Target::Object);
        }
        self.packed().get(name).copied().map(Target::Object)
    }

    /// The object at the end of the chain that begins at `name`, five steps at most: a longer one, or a loop, has
    /// none. The object need not exist, and may be a tag.
    pub fn resolve(&self, name: &[u8]) -> Option<Id> {
        let mut name = name.to_vec();
        for _ in 0..6 {
            match self.get(&name)? {
                Target::Object(id) => return Some(id),
                Target::Symbolic(next) => name = next,
            }
        }
        None
    }

    /// The reference that `HEAD` stands for; none where it is detached.
    pub fn head(&self) -> Option<Vec<u8>> {
        match self.get(b"HEAD")? {
            Target::Symbolic(name) => Some(name),
            Target::Object(_) => None,
        }
    }

    /// The current branch without `refs/heads/`, whether it has a commit or not; none where `HEAD` is detached.
    pub fn branch(&self) -> Option<Vec<u8>> {
        let name = self.head()?;
        Some(name.strip_prefix(b"refs/heads/").unwrap_or(&name).to_vec())
    }

    /// All references whose names begin with `prefix`, in the order of names, with the object that each leads to.
    /// Walks all folders below `refs`, whatever the prefix. `HEAD` and what leads nowhere are not in it.
    pub fn list(&self, prefix: &[u8]) -> Vec<(Vec<u8>, Id)> {
        let mut all: BTreeMap<Vec<u8>, Id> = self
            .packed()
            .into_iter()
            .filter(|(name, _)| name.starts_with(prefix))
            .collect();
        let mut folders = vec![b"refs".to_vec()];
        if self.own != self.common {
            folders.extend(OWN.iter().map(|name| name[..name.len() - 1].to_vec()));
        }
        while let Some(folder) = folders.pop() {
            for entry in system::read_directory(&self.path(&folder)).unwrap_or_default() {
                let name = system::join(&folder, &entry.name);
                if entry.kind == Kind::Directory {
                    // Those of this work tree are looked for by themselves.
                    if self.own == self.common || !is_own(&bytes!(name, "/")) {
                        folders.push(name);
                    }
                } else if name.starts_with(prefix)
                    && !name.ends_with(b".lock")
                    && let Some(id) = self.resolve(&name)
                {
                    all.insert(name, id);
                }
            }
        }
        all.into_iter().collect()
    }

    /// Makes `name` say `target`, with missing folders. No history is written, and a symbolic reference is replaced,
    /// not followed.
    pub fn set(&self, name: &[u8], target: &Target) -> Outcome {
        let text = match target {
            Target::Object(id) => format!("{id}\n").into_bytes(),
            Target::Symbolic(other) => bytes!("ref: ", other, "\n"),
        };
        let path = self.path(name);
        make_parents(&path)?;
        let lock = bytes!(path, ".lock");
        if system::stat(&lock, false).is_ok() {
            return Err(fatal(bytes!(
                "Unable to create '",
                lock,
                "': File exists.\n\nAnother git process seems to be running in this repository, \
                 or the lock file may be stale"
            )));
        }
        write_file(&lock, &text)?;
        system::rename(&lock, &path).map_err(|failure| {
            let _ = system::unlink(&lock);
            file("cannot lock ref", name, failure)
        })
    }

    /// Moves `name` to an object, and keeps why. A symbolic one is followed one step, so that moving `HEAD` moves the
    /// branch. The line goes to the histories of the branch and, where it is checked out, of `HEAD`. Nothing checks
    /// where it was before.
    pub fn update(&self, name: &[u8], new: &Id, who: &Person, why: &[u8]) -> Outcome {
        let old = self.resolve(name).unwrap_or_else(none);
        let target = match self.get(name) {
            Some(Target::Symbolic(target)) => target,
            _ => name.to_vec(),
        };
        self.set(&target, &Target::Object(*new))?;
        self.log(&target, &old, new, who, why)?;
        let through_head = name == b"HEAD" || self.head().as_deref() == Some(&target);
        if through_head && target != b"HEAD" {
            self.log(b"HEAD", &old, new, who, why)?;
        }
        Ok(())
    }

    /// Removes a reference with its history, loose and packed, and the folders that are empty then. One that is not
    /// there is no error.
    pub fn delete(&self, name: &[u8]) -> Outcome {
        let path = self.path(name);
        if system::stat(&path, false).is_ok() {
            system::unlink(&path).map_err(|failure| file("cannot remove", &path, failure))?;
        }
        let packed_path = system::join(&self.common, b"packed-refs");
        if self.packed().contains_key(name) {
            let text = system::read_whole(&packed_path).unwrap_or_default();
            let mut kept = Vec::new();
            let mut dropped = false;
            for line in text.split_inclusive(|&byte| byte == b'\n') {
                // A line with `^` belongs to the one before.
                if !line.starts_with(b"^") {
                    dropped = line
                        .get(41..)
                        .is_some_and(|rest| rest.trim_ascii_end() == name);
                }
                if !dropped {
                    kept.extend_from_slice(line);
                }
            }
            write_file(&packed_path, &kept)?;
        }
        // The history may never have been written.
        let _ = system::unlink(&self.log_path(name));
        self.remove_empty_parents(name);
        Ok(())
    }

    /// Removes folders that became empty, up to `refs/heads` and its like: these stay.
    fn remove_empty_parents(&self, name: &[u8]) {
        let mut name = name;
        while let Some(at) = name.iter().rposition(|&byte| byte == b'/') {
            name = &name[..at];
            if name.iter().filter(|&&byte| byte == b'/').count() < 2
                || system::remove_directory(&self.path(name)).is_err()
            {
                return;
            }
        }
    }

    /// Where the history of a reference lies: `logs/NAME`.
    fn log_path(&self, name: &[u8]) -> Vec<u8> {
        let (folder, name) = self.place(name);
        system::join(folder, &bytes!("logs/", name))
    }

    /// Adds a line to the history of `name`. One is begun for `HEAD`, branches, followers of remotes, notes and the
    /// stash; for others only where there is one already. `core.logAllRefUpdates` is not looked at.
    pub fn log(&self, name: &[u8], old: &Id, new: &Id, who: &Person, why: &[u8]) -> Outcome {
        let path = self.log_path(name);
        let kept = name == b"HEAD"
            || [b"refs/heads/".as_slice(), b"refs/remotes/", b"refs/notes/"]
                .iter()
                .any(|prefix| name.starts_with(prefix));
        if !kept && name != b"refs/stash" && system::stat(&path, true).is_err() {
            return Ok(());
        }
        make_parents(&path)?;
        let why: Vec<u8> = why
            .iter()
            .map(|&b| if b == b'\n' { b' ' } else { b })
            .collect();
        let line = bytes!(
            format!("{old} {new} "),
            who.line(),
            "\t",
            why.trim_ascii_end(),
            "\n"
        );
        system::create_file(&path, true)
            .and_then(|mut log| log.write_all(&line).map_err(Into::into))
            .map_err(|failure| file("cannot append to", &path, failure))
    }

    /// The history of `name`, the oldest first; empty where there is none. Lines that do not begin with two names are
    /// passed over.
    pub fn history(&self, name: &[u8]) -> Vec<Moved> {
        let text = system::read_whole(&self.log_path(name)).unwrap_or_default();
        let lines = text.split(|&byte| byte == b'\n').filter_map(|line| {
            let tab = line
                .iter()
                .position(|&byte| byte == b'\t')
                .unwrap_or(line.len());
            Some(Moved {
                old: parse_id(line.get(..40)?)?,
                new: parse_id(line.get(41..81)?)?,
                who: Person::parse(line.get(82..tab).unwrap_or_default()),
                why: line.get(tab + 1..).unwrap_or_default().to_vec(),
            })
        });
        lines.collect()
    }

    /// Replaces the history of `name`; each line begins where the one before ends.
    pub fn set_history(&self, name: &[u8], history: &[Moved]) -> Outcome {
        let olds = std::iter::once(none()).chain(history.iter().map(|moved| moved.new));
        self.write_history(name, olds.zip(history))
    }

    /// Replaces the history of `name` by lines that stay as they are.
    pub fn keep_history(&self, name: &[u8], history: &[Moved]) -> Outcome {
        self.write_history(name, history.iter().map(|moved| (moved.old, moved)))
    }

    /// Writes lines with the old names that are given with them.
    fn write_history<'a>(
        &self,
        name: &[u8],
        lines: impl Iterator<Item = (Id, &'a Moved)>,
    ) -> Outcome {
        let mut text = Vec::new();
        for (old, moved) in lines {
            let ids = format!("{old} {} ", moved.new);
            text.extend(bytes!(ids, moved.who.line(), "\t", moved.why, "\n"));
        }
        write_file(&self.log_path(name), &text)
    }

    /// The names of references with a history, in order.
    pub fn histories(&self) -> Vec<Vec<u8>> {
        let mut found = Vec::new();
        if system::stat(&self.log_path(b"HEAD"), true).is_ok() {
            found.push(b"HEAD".to_vec());
        }
        let mut folders = vec![b"refs".to_vec()];
        while let Some(folder) = folders.pop() {
            for entry in system::read_directory(&self.log_path(&folder)).unwrap_or_default() {
                let name = system::join(&folder, &entry.name);
                if entry.kind == Kind::Directory {
                    folders.push(name);
                } else {
                    found.push(name);
                }
            }
        }
        found.sort();
        found
    }

    /// Replaces the file of packed references; `^` and the end of a tag may follow each. The order of a map is the
    /// one that `sorted` in the header promises.
    pub fn write_packed(&self, refs: &BTreeMap<Vec<u8>, (Id, Option<Id>)>) -> Outcome {
        let mut text = b"# pack-refs with: peeled fully-peeled sorted \n".to_vec();
        for (name, (id, peeled)) in refs {
            text.extend(bytes!(format!("{id} "), name, "\n"));
            if let Some(peeled) = peeled {
                text.extend_from_slice(format!("^{peeled}\n").as_bytes());
            }
        }
        let path = system::join(&self.common, b"packed-refs");
        let new = bytes!(path, ".new");
        write_file(&new, &text)?;
        system::rename(&new, &path).map_err(|failure| file("cannot write", &path, failure))
    }

    /// Puts references into one file, and removes their own if told to: `chosen` says which, `peel` what a
    /// tag stands for.
    pub fn pack(
        &self,
        chosen: impl Fn(&[u8]) -> bool,
        peel: impl Fn(&Id) -> Option<Id>,
        prune: bool,
    ) -> Outcome {
        let mut packed = self.packed();
        let mut loose = Vec::new();
        for (name, id) in self.list(b"refs/") {
            let path = self.path(&name);
            let own = system::stat(&path, false).is_ok_and(|stat| stat.kind == Kind::Regular);
            let plain = matches!(self.get(&name), Some(Target::Object(_)));
            if own && plain && chosen(&name) {
                packed.insert(name.clone(), id);
                loose.push((name, path));
            }
        }
        let rows = packed.into_iter().map(|(name, id)| {
            let peeled = peel(&id).filter(|peeled| *peeled != id);
            (name, (id, peeled))
        });
        self.write_packed(&rows.collect())?;
        for (name, path) in loose.iter().filter(|_| prune) {
            system::unlink(path).map_err(|failure| file("cannot remove", path, failure))?;
            self.remove_empty_parents(name);
        }
        Ok(())
    }

    /// Moves a reference and its history to another name; `HEAD` goes along where it stood there. The old one is
    /// deleted first, so that `a` may become `a/b`. `new` must be free.
    pub fn rename(&self, old: &[u8], new: &[u8], who: &Person) -> Outcome {
        let id = self
            .resolve(old)
            .ok_or_else(|| fatal(bytes!("no ref ", old)))?;
        let log = system::read_whole(&self.log_path(old)).unwrap_or_default();
        let was_head = self.head().as_deref() == Some(old);
        self.delete(old)?;
        self.set(new, &Target::Object(id))?;
        make_parents(&self.log_path(new))?;
        write_file(&self.log_path(new), &log)?;
        let why = bytes!("Branch: renamed ", old, " to ", new);
        self.log(new, &id, &id, who, &why)?;
        if was_head {
            self.set(b"HEAD", &Target::Symbolic(new.to_vec()))?;
            self.log(b"HEAD", &id, &none(), who, &why)?;
            self.log(b"HEAD", &none(), &id, who, &why)?;
        }
        Ok(())
    }
}

/// What references of one work tree alone begin with.
const OWN: [&[u8]; 3] = [b"refs/bisect/", b"refs/worktree/", b"refs/rewritten/"];

/// Whether a reference belongs to one work tree alone.
fn is_own(name: &[u8]) -> bool {
    OWN.iter().any(|prefix| name.starts_with(prefix))
}

/// Makes the folders above `path`.
pub fn make_parents(path: &[u8]) -> Outcome {
    let ends = path
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'/' && *at > 0);
    for (end, _) in ends {
        match system::make_directory(&path[..end], 0o777) {
            Ok(()) | Err(system::EXIST) => {}
            Err(_) if system::stat(&path[..end], true).is_ok_and(|s| s.kind == Kind::Directory) => {
            }
            Err(failure) => return Err(file("cannot make", &path[..end], failure)),
        }
    }
    Ok(())
}

/// Whether a name may be given to a branch or tag: git-check-ref-format's rules, and no `-` in front, no `HEAD`, no
/// `@`. `a/b` may; `a..b`, `a.lock`, `a/.b`, `a b`, `a~1`, `a@{1}` may not.
pub fn is_valid(name: &[u8]) -> bool {
    let bad_part = |part: &[u8]| {
        part.is_empty() || part[0] == b'.' || part.ends_with(b".lock") || part.ends_with(b".")
    };
    let bad_byte = |byte: &u8| *byte <= b' ' || *byte == 0x7f || b"~^:?*[\\".contains(byte);
    !name.is_empty()
        && name != b"@"
        && name != b"HEAD"
        && name[0] != b'-'
        && !name.split(|&byte| byte == b'/').any(bad_part)
        && !name.iter().any(bad_byte)
        && !name.windows(2).any(|pair| pair == b".." || pair == b"@{")
}
