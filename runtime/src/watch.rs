//! What changes in the files of a sandbox.
//!
//! Nothing is notified: a fork of the tree is kept, and what differs from it is what happened. A fork
//! costs a pointer and a difference what changed, so that looking often is cheap.

use crate::error::{Below, Code, Error, Result};
use crate::sandbox::Sandbox;
use globset::{GlobBuilder, GlobSet};
use offshoot_vfs::{Caller, Change, ChangeKind, Kind, Metadata, Vfs, diff};
use std::collections::HashSet;
use std::fmt;
use std::time::Duration;
use tokio::time::sleep;

/// The pause between two looks of [`Watcher::next`].
const PAUSE: Duration = Duration::from_millis(20);

/// What a watcher looks at; see [`Sandbox::watch`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct WatchOptions {
    recursive: bool,
    excludes: Vec<String>,
}

impl WatchOptions {
    /// The names in the directory itself.
    pub fn new() -> WatchOptions {
        WatchOptions::default()
    }

    /// Everything below it, too.
    pub fn recursive(mut self) -> WatchOptions {
        self.recursive = true;
        self
    }

    /// Leaves out what a glob matches, and all below it. Globs are of paths below the directory:
    /// `*` stays within a name, `**` does not, so `**/node_modules` is one at any depth.
    pub fn exclude(mut self, glob: impl Into<String>) -> WatchOptions {
        self.excludes.push(glob.into());
        self
    }
}

/// Something that happened to a path; see [`Watcher`].
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct FileEvent {
    /// The absolute path. Bytes of a name that are no UTF-8 are U+FFFD.
    pub path: String,
    /// What happened to it.
    pub kind: FileEventKind,
}

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum FileEventKind {
    /// It is new, made or moved here.
    Added,
    /// Its content changed, or what kind of file it is.
    Written,
    /// Its permission bits or owner changed.
    Attributes,
    /// It is gone from here, and the same file is [added](FileEventKind::Added) under another name.
    Moved,
    /// It is gone.
    Removed,
}

/// Looks at what changes below a directory, from the moment it was made; see [`Sandbox::watch`].
///
/// It keeps what was removed since its last look, and the sandbox itself.
pub struct Watcher {
    sandbox: Sandbox,
    directory: Vec<u8>,
    recursive: bool,
    excludes: GlobSet,
    before: Vfs,
}

impl Sandbox {
    /// Watches a directory: what changes from now on is told by [`Watcher::next`], in the order of
    /// paths. It is watched by its path: one that is removed and made again goes on being watched.
    ///
    /// What came and went between two looks is not seen, and changes to one file are one. What is
    /// mounted is not watched.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// use offshoot::{FileEventKind, Sandbox, WatchOptions};
    /// let sandbox = Sandbox::new()?;
    /// let options = WatchOptions::new().recursive().exclude("**/.git");
    /// let mut watcher = sandbox.watch("/home/user", options).await?;
    /// sandbox.exec("git init -q .; echo text > note").await?;
    /// let events = watcher.next().await?;
    /// assert_eq!((events[0].path.as_str(), events[0].kind), ("/home/user/note", FileEventKind::Added));
    /// # Ok(()) }
    /// ```
    ///
    /// # Errors
    /// `CONFLICT` for what is no directory, `INVALID` for a glob that is none, `NOT_FOUND`,
    /// `PATH_ESCAPE`, `POLICY_DENIED`.
    pub async fn watch(&self, path: &str, options: WatchOptions) -> Result<Watcher> {
        let resolved = self.inside("watch", path)?;
        self.alive("watch")?;
        let (vfs, who) = (self.vfs(), self.caller());
        let failed = |error| Error::file("watch", path, error);
        // Reading is asked here, and not again.
        vfs.read_dir(&who, vfs.root(), resolved.as_bytes())
            .map_err(failed)?;
        let directory = vfs.canonicalize(&who, vfs.root(), resolved.as_bytes());
        Ok(Watcher {
            sandbox: self.clone(),
            directory: directory.map_err(failed)?,
            recursive: options.recursive,
            excludes: globs(&options.excludes)?,
            before: vfs.fork(),
        })
    }
}

impl Watcher {
    /// What happened since the last look; empty where nothing did. It costs what changed.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`], `DIED` where the tree is read from a store
    /// that fails; what happened is told by the next look then.
    pub fn look(&mut self) -> Result<Vec<FileEvent>> {
        self.sandbox.alive("watch")?;
        let after = self.sandbox.vfs().fork();
        let failed = |error| Error::file("watch", &String::from_utf8_lossy(&self.directory), error);
        let changes = diff(&self.before, &after).map_err(failed)?;
        let moved = moved(&changes, &after);
        let seen = changes.iter().filter(|change| self.sees(&change.path));
        let events = seen.map(|change| FileEvent {
            path: String::from_utf8_lossy(&change.path).into_owned(),
            kind: kind(change, &self.before, &after, &moved),
        });
        let events = events.collect();
        self.before = after;
        Ok(events)
    }

    /// Waits until something happened, and tells it. Dropping the future loses nothing.
    ///
    /// # Errors
    /// As [`Watcher::look`].
    pub async fn next(&mut self) -> Result<Vec<FileEvent>> {
        loop {
            let events = self.look()?;
            if !events.is_empty() {
                return Ok(events);
            }
            sleep(PAUSE).await;
        }
    }

    /// Whether a path is watched.
    fn sees(&self, path: &[u8]) -> bool {
        let base = self.directory.strip_suffix(b"/").unwrap_or(&self.directory);
        let below = path
            .strip_prefix(base)
            .and_then(|path| path.strip_prefix(b"/"));
        let Some(below) = below.filter(|below| !below.is_empty()) else {
            return false;
        };
        let nested = below.contains(&b'/');
        (self.recursive || !nested) && !self.excluded(&String::from_utf8_lossy(below))
    }

    /// Whether a glob matches the path or a directory above it.
    fn excluded(&self, path: &str) -> bool {
        let above = path.match_indices('/').map(|(end, _)| &path[..end]);
        !self.excludes.is_empty() && above.chain([path]).any(|path| self.excludes.is_match(path))
    }
}

impl fmt::Debug for Watcher {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Watcher")
            .field("directory", &String::from_utf8_lossy(&self.directory))
            .field("recursive", &self.recursive)
            .finish_non_exhaustive()
    }
}

fn globs(patterns: &[String]) -> Result<GlobSet> {
    let invalid = |error: globset::Error| Error::new(Code::Invalid, "watch", error.to_string());
    let mut set = GlobSet::builder();
    for pattern in patterns {
        let glob = GlobBuilder::new(pattern).literal_separator(true).build();
        set.add(glob.map_err(invalid)?);
    }
    set.build().map_err(invalid)
}

/// The inodes that are new at some path: what is gone at another was moved.
fn moved(changes: &[Change], after: &Vfs) -> HashSet<u64> {
    let added = changes
        .iter()
        .filter(|change| change.kind == ChangeKind::Added);
    added
        .filter_map(|change| metadata(after, &change.path))
        .map(|metadata| metadata.inode)
        .collect()
}

fn kind(change: &Change, before: &Vfs, after: &Vfs, moved: &HashSet<u64>) -> FileEventKind {
    match change.kind {
        ChangeKind::Added => FileEventKind::Added,
        ChangeKind::Removed => match metadata(before, &change.path) {
            Some(old) if moved.contains(&old.inode) => FileEventKind::Moved,
            _ => FileEventKind::Removed,
        },
        ChangeKind::Modified => {
            let both = metadata(before, &change.path).zip(metadata(after, &change.path));
            match both {
                Some((old, new)) if !written(&old, &new) => FileEventKind::Attributes,
                _ => FileEventKind::Written,
            }
        }
    }
}

fn written(old: &Metadata, new: &Metadata) -> bool {
    let content = |file: &Metadata| (file.inode, file.modified, file.size);
    old.kind != new.kind || (old.kind != Kind::Directory && content(old) != content(new))
}

fn metadata(vfs: &Vfs, path: &[u8]) -> Option<Metadata> {
    vfs.stat(&Caller::ROOT, vfs.root(), path, false).ok()
}
