//! The index (Documentation/gitformat-index): what the next commit will hold, and what the work tree looked like.
//!
//! In memory it is a map by path and stage, ordered as the file orders it: bytewise by path, then by stage. Stage 0
//! is a settled file; 1, 2 and 3 are base, ours and theirs of a conflict. A path has stage 0 or others, never both,
//! and no file lies at a path that is a folder of another: [`Index::set`] keeps this.
//!
//! Extensions (cached trees, untracked files, resolve-undo) are not kept when the file is written: others make them
//! anew. A split or sparse index is not written, and a sparse one not read. The file is replaced by a rename from
//! `index.lock`.

use std::collections::BTreeMap;

use filetime::FileTime;
use gix_index::entry::{Flags, Mode, Stage, Stat as Times};
use gix_index::{State, decode, write};

use super::objects::{HASH, write_file};
use super::stop::{Outcome, fatal, file};
use super::tree::{self, Item, Items};
use crate::call::bytes;
use crate::system::{self, Stat, Time};

/// A file in the index.
#[derive(Clone, Debug)]
pub struct Entry {
    /// Mode and object.
    pub item: Item,
    /// Only its name is known so far: `add -N`.
    pub intended: bool,
    /// What `stat` said when the content was last compared; zero where nothing is known.
    times: Times,
    /// `assume-valid` and `skip-worktree`, which are written as they were read.
    kept: Flags,
}

impl Entry {
    /// An entry of which nothing is known in the work tree: the file is compared by content at the next look.
    pub fn new(item: Item) -> Entry {
        Entry {
            item,
            intended: false,
            times: Times::default(),
            kept: Flags::empty(),
        }
    }

    /// An entry for a file that was just read or written.
    pub fn seen(item: Item, stat: &Stat) -> Entry {
        Entry {
            times: times(stat),
            ..Entry::new(item)
        }
    }

    /// Whether the file looks as it did when its content was last compared. A change time or inode of 0 was never
    /// known and counts as equal.
    ///
    /// A file that is as young as the index is not trusted ("racy git" in Documentation/technical): it may have been
    /// changed again within the same tick of the clock. It is then compared by content.
    pub fn is_unchanged(&self, stat: &Stat, index_time: Time) -> bool {
        let now = times(stat);
        let old = self.times;
        let fresh = (i64::from(old.mtime.secs), old.mtime.nsecs)
            < (index_time.seconds, index_time.nanoseconds);
        let same = old.mtime == now.mtime
            && old.size == now.size
            && (old.ino == now.ino || old.ino == 0)
            && (old.ctime == now.ctime || old.ctime.secs == 0);
        fresh && same && !self.intended && tree::mode_of(stat) == Some(self.item.mode)
    }
}

/// The file's facts as the index keeps them, cut to 32 bits as git does.
fn times(stat: &Stat) -> Times {
    let convert = |time: Time| gix_index::entry::stat::Time {
        secs: time.seconds as u32,
        nsecs: time.nanoseconds,
    };
    Times {
        mtime: convert(stat.modified),
        ctime: convert(stat.changed),
        dev: stat.device as u32,
        ino: stat.inode as u32,
        uid: stat.uid,
        gid: stat.gid,
        size: stat.size as u32,
    }
}

/// All entries by path and stage.
#[derive(Clone, Debug, Default)]
pub struct Index {
    entries: BTreeMap<(Vec<u8>, u8), Entry>,
    /// When the file was written, by the file's own time; zero for an index that was never read.
    pub time: Time,
}

impl Index {
    /// Reads the file; an empty index where it is missing. A checksum or format that does not fit is `fatal: index
    /// file corrupt`.
    pub fn read(path: &[u8]) -> Outcome<Index> {
        let Ok(stat) = system::stat(path, true) else {
            return Ok(Index::default());
        };
        let data =
            system::read_whole(path).map_err(|failure| file("cannot read", path, failure))?;
        let time = FileTime::from_unix_time(stat.modified.seconds, stat.modified.nanoseconds);
        let (state, _) = State::from_bytes(&data, time, HASH, decode::Options::default())
            .map_err(|error| fatal(bytes!("index file corrupt: ", error.to_string())))?;
        if state.is_sparse() {
            return Err(fatal("a sparse index is not supported"));
        }
        let mut entries = BTreeMap::new();
        for entry in state.entries() {
            let item = Item {
                mode: entry.mode.bits(),
                id: entry.id,
            };
            let key = (entry.path(&state).to_vec(), entry.stage_raw() as u8);
            let kept = Flags::ASSUME_VALID | Flags::SKIP_WORKTREE;
            let entry = Entry {
                item,
                intended: entry.flags.contains(Flags::INTENT_TO_ADD),
                times: entry.stat,
                kept: entry.flags & kept,
            };
            entries.insert(key, entry);
        }
        Ok(Index {
            entries,
            time: stat.modified,
        })
    }

    /// Writes the file, by way of `index.lock`. Where that is there already another git is at work, or one was
    /// killed: fatal, as git says it.
    pub fn write(&self, path: &[u8]) -> Outcome {
        let mut state = State::new(HASH);
        for ((name, stage), entry) in &self.entries {
            let stage = match stage {
                0 => Stage::Unconflicted,
                1 => Stage::Base,
                2 => Stage::Ours,
                _ => Stage::Theirs,
            };
            let mut flags = Flags::from_stage(stage) | entry.kept;
            if entry.intended {
                flags |= Flags::INTENT_TO_ADD | Flags::EXTENDED;
            }
            if entry.kept.contains(Flags::SKIP_WORKTREE) {
                flags |= Flags::EXTENDED;
            }
            let mode = Mode::from_bits_retain(entry.item.mode);
            state.dangerously_push_entry(
                entry.times,
                entry.item.id,
                flags,
                mode,
                name.as_slice().into(),
            );
        }
        state.sort_entries();
        let mut data = Vec::new();
        let options = write::Options {
            extensions: write::Extensions::None,
            skip_hash: false,
        };
        state
            .write_to(&mut data, options)
            .map_err(|error| fatal(error.to_string()))?;
        let mut hasher = gix_hash::hasher(HASH);
        hasher.update(&data);
        let sum = hasher
            .try_finalize()
            .map_err(|error| fatal(error.to_string()))?;
        data.extend_from_slice(sum.as_slice());
        let lock = bytes!(path, ".lock");
        if system::stat(&lock, false).is_ok() {
            return Err(fatal(bytes!(
                "Unable to create '",
                lock,
                "': File exists.\n\nAnother git process seems to be running in this repository"
            )));
        }
        write_file(&lock, &data)?;
        system::rename(&lock, path).map_err(|failure| file("cannot write", path, failure))
    }

    /// The entry of a path without conflict.
    pub fn get(&self, path: &[u8]) -> Option<&Entry> {
        self.entries.get(&(path.to_vec(), 0))
    }

    /// The entry of one side of a conflict: 1 base, 2 ours, 3 theirs.
    pub fn stage(&self, path: &[u8], stage: u8) -> Option<&Entry> {
        self.entries.get(&(path.to_vec(), stage))
    }

    /// Sets the entry of a path, which ends its conflict. What lay above or below it goes.
    pub fn set(&mut self, path: &[u8], entry: Entry) {
        self.remove(path);
        let mut above = path;
        while let Some(at) = above.iter().rposition(|&byte| byte == b'/') {
            above = &above[..at];
            self.remove(above);
        }
        for name in self.below(path) {
            self.remove(&name);
        }
        self.entries.insert((path.to_vec(), 0), entry);
    }

    /// Sets one side of a conflict, which removes the settled entry of the path.
    pub fn set_stage(&mut self, path: &[u8], stage: u8, item: Item) {
        self.entries.remove(&(path.to_vec(), 0));
        self.entries
            .insert((path.to_vec(), stage), Entry::new(item));
    }

    /// Removes all entries of a path; whether there were any.
    pub fn remove(&mut self, path: &[u8]) -> bool {
        let mut found = false;
        for stage in 0..4 {
            found |= self.entries.remove(&(path.to_vec(), stage)).is_some();
        }
        found
    }

    /// Whether any entry has this path.
    pub fn has(&self, path: &[u8]) -> bool {
        (0..4).any(|stage| self.entries.contains_key(&(path.to_vec(), stage)))
    }

    /// The paths below a folder, once each, in order. O(log n) and what is found. An empty folder name finds nothing:
    /// no path begins with a slash.
    pub fn below(&self, folder: &[u8]) -> Vec<Vec<u8>> {
        let start = bytes!(folder, "/");
        let range = self.entries.range((start.clone(), 0)..);
        let mut names: Vec<Vec<u8>> = range
            .take_while(|((name, _), _)| name.starts_with(&start))
            .map(|((name, _), _)| name.clone())
            .collect();
        names.dedup();
        names
    }

    /// Whether there is an entry below a folder.
    pub fn has_below(&self, folder: &[u8]) -> bool {
        let start = bytes!(folder, "/");
        let mut range = self.entries.range((start.clone(), 0)..);
        range
            .next()
            .is_some_and(|((name, _), _)| name.starts_with(&start))
    }

    /// All entries with path and stage, in the file's order.
    pub fn all(&self) -> impl Iterator<Item = (&[u8], u8, &Entry)> {
        self.entries
            .iter()
            .map(|((path, stage), entry)| (path.as_slice(), *stage, entry))
    }

    /// All paths, once each.
    pub fn paths(&self) -> Vec<Vec<u8>> {
        let mut paths: Vec<Vec<u8>> = self.entries.keys().map(|(path, _)| path.clone()).collect();
        paths.dedup();
        paths
    }

    /// The paths with a conflict, and which of the three sides are there as bits.
    pub fn conflicts(&self) -> BTreeMap<Vec<u8>, u8> {
        let mut found = BTreeMap::new();
        for (path, stage) in self.entries.keys().filter(|(_, stage)| *stage > 0) {
            *found.entry(path.clone()).or_insert(0) |= 1 << (stage - 1);
        }
        found
    }

    /// What is in the index without conflict, as a tree has it. Files of `add -N` are not in it.
    pub fn items(&self) -> Items {
        let settled = self
            .entries
            .iter()
            .filter(|((_, stage), entry)| *stage == 0 && !entry.intended);
        settled
            .map(|((path, _), entry)| (path.clone(), entry.item))
            .collect()
    }

    /// The index that a tree has; what is known of the work tree stays where the content is equal.
    pub fn of_tree(items: &Items, old: &Index) -> Index {
        let mut index = Index {
            entries: BTreeMap::new(),
            time: old.time,
        };
        for (path, item) in items {
            let known = old.get(path).filter(|entry| entry.item == *item);
            let entry = known.cloned().unwrap_or_else(|| Entry::new(*item));
            index.entries.insert((path.clone(), 0), entry);
        }
        index
    }
}
