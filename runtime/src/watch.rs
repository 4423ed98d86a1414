//! What changes in the files of a sandbox.
//!
//! Nothing is notified: a fork of the tree is kept, and what differs from it is what happened. A fork
//! costs a pointer and a difference what changed, so that looking often is cheap.

use crate::error::{Below, Code, Error, Result};
use crate::sandbox::Sandbox;
use globset::{GlobBuilder, GlobSet};
use offshoot_vfs::{ChangeKind, Changes, Difference, Kind, Metadata, Vfs};
use std::fmt;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::sleep;

/// The pause between two looks of [`Watcher::next`].
const PAUSE: Duration = Duration::from_millis(20);

/// Events that one look tells at most, and bytes of their paths: a guest chooses how many there are
/// and how long (T48).
const EVENTS: usize = 4096;
const EVENT_BYTES: usize = 1 << 20;
/// Differences that one look passes at most, told or not.
const PASSED: usize = 65_536;

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
    /// What was found and is not told yet.
    pending: Option<Changes>,
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
            pending: None,
        })
    }
}

impl Watcher {
    /// What happened since the last look; empty where nothing did. It costs what changed.
    ///
    /// One look tells some thousand events at most; more come with the next one. What was compared
    /// takes memory for each change until it is told. With many changes this computes for long:
    /// [`Watcher::next`] does that beside the executor.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`], `DIED` where the tree is read from a store
    /// that fails; what happened is told by the next look then.
    pub fn look(&mut self) -> Result<Vec<FileEvent>> {
        self.sandbox.alive("watch")?;
        loop {
            let mut changes = match self.pending.take() {
                Some(changes) => changes,
                None => {
                    let (changes, after) = self.compare(&|| false)?;
                    self.before = after;
                    changes
                }
            };
            let (events, more) = self.tell(&mut changes);
            self.pending = more.then_some(changes);
            if !events.is_empty() || !more {
                return Ok(events);
            }
        }
    }

    /// Waits until something happened, and tells it. Dropping the future loses nothing.
    ///
    /// # Errors
    /// As [`Watcher::look`].
    pub async fn next(&mut self) -> Result<Vec<FileEvent>> {
        loop {
            self.sandbox.alive("watch")?;
            if self.pending.is_none() {
                self.compare_beside().await?;
            }
            if let Some(mut changes) = self.pending.take() {
                let (events, more) = self.tell(&mut changes);
                self.pending = more.then_some(changes);
                if !events.is_empty() {
                    return Ok(events);
                }
                tokio::task::yield_now().await;
            }
            if self.pending.is_none() {
                sleep(PAUSE).await;
            }
        }
    }

    fn compare(&self, cancelled: &dyn Fn() -> bool) -> Result<(Changes, Vfs)> {
        let after = self.sandbox.vfs().fork();
        let failed = |error| Error::file("watch", &String::from_utf8_lossy(&self.directory), error);
        let changes = Changes::between(&self.before, &after, cancelled).map_err(failed)?;
        Ok((changes, after))
    }

    /// Compares on a thread that nobody else waits for; it ends soon after the future is dropped.
    async fn compare_beside(&mut self) -> Result<()> {
        let after = self.sandbox.vfs().fork();
        if self.before.is_same(&after) {
            return Ok(());
        }
        let given_up = Arc::new(AtomicBool::new(false));
        let _guard = GiveUp(Arc::clone(&given_up));
        let (before, new) = (self.before.fork(), after.fork());
        let work = move || {
            let cancelled = || given_up.load(Ordering::Relaxed);
            Changes::between(&before, &new, &cancelled)
        };
        let changes = tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| Error::new(Code::Died, "watch", error.to_string()))?;
        let failed = |error| Error::file("watch", &String::from_utf8_lossy(&self.directory), error);
        self.pending = Some(changes.map_err(failed)?);
        self.before = after;
        Ok(())
    }

    /// The next events, and whether there may be more.
    fn tell(&self, changes: &mut Changes) -> (Vec<FileEvent>, bool) {
        let (mut events, mut bytes) = (Vec::new(), 0);
        for _ in 0..PASSED {
            let Some(difference) = changes.advance() else {
                return (events, false);
            };
            if !self.sees(difference.path) {
                continue;
            }
            bytes += difference.path.len();
            events.push(FileEvent {
                path: String::from_utf8_lossy(difference.path).into_owned(),
                kind: kind(&difference),
            });
            if events.len() >= EVENTS || bytes >= EVENT_BYTES {
                break;
            }
        }
        (events, true)
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

/// Ends a comparison that nobody waits for.
struct GiveUp(Arc<AtomicBool>);

impl Drop for GiveUp {
    fn drop(&mut self) {
        self.0.store(true, Ordering::Relaxed);
    }
}

fn kind(difference: &Difference<'_>) -> FileEventKind {
    match difference.kind {
        ChangeKind::Added => FileEventKind::Added,
        ChangeKind::Removed if difference.moved => FileEventKind::Moved,
        ChangeKind::Removed => FileEventKind::Removed,
        ChangeKind::Modified => match difference.before.zip(difference.after) {
            Some((old, new)) if !written(&old, &new) => FileEventKind::Attributes,
            _ => FileEventKind::Written,
        },
    }
}

fn written(old: &Metadata, new: &Metadata) -> bool {
    let content = |file: &Metadata| (file.inode, file.modified, file.size);
    old.kind != new.kind || (old.kind != Kind::Directory && content(old) != content(new))
}
