//! Bringing the changes of a branch home.

use std::time::{Duration, Instant};

use crate::live::State;
use crate::tree::Tree;
use crate::{Change, ChangeKind, Changes, Error, Quotas, Timestamp, Vfs};

/// How often a merge begins again because somebody wrote meanwhile.
const ATTEMPTS: u32 = 8;
/// A merge that takes less is made while writers wait.
const HELD: Duration = Duration::from_millis(20);

/// A path that both sides changed, each in its own way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Conflict {
    /// The path.
    pub path: Vec<u8>,
    /// What happened to it, or to a directory above it, in the filesystem that is merged into.
    pub ours: Option<ChangeKind>,
    /// What happened to it, or to a directory above it, in the branch.
    pub theirs: Option<ChangeKind>,
}

/// Why a merge did not happen; nothing was changed.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum MergeError {
    /// Both sides changed these paths, in the order of paths.
    #[error("{} paths were changed on both sides, {} first", .0.len(), first(.0))]
    Conflicts(Vec<Conflict>),
    /// The result does not fit the quotas, or a directory that goes is a mount point.
    #[error(transparent)]
    File(#[from] Error),
}

fn first(conflicts: &[Conflict]) -> String {
    let path = conflicts.first().map(|conflict| &conflict.path[..]);
    String::from_utf8_lossy(path.unwrap_or_default()).into_owned()
}

impl Vfs {
    /// Makes the changes that lead from `base` to `theirs` here as well, all or none, and returns
    /// them as [`diff`](crate::diff) does. Mounts are left out.
    ///
    /// `base` is what this filesystem and `theirs` were both forked from. Where only one side
    /// changed a path, or both did the same to it, there is no conflict; a time alone counts as
    /// nothing. Files are replaced as a rename replaces them: who has one open keeps the old one.
    /// It costs what changed on either side.
    ///
    /// # Errors
    /// [`MergeError::Conflicts`] with every path that stands in the way; [`MergeError::File`] with
    /// `ENOSPC` for the quotas, `EBUSY` for a mount point, `EIO` where a store fails, `EOVERFLOW` as
    /// for [`diff`](crate::diff), and `EAGAIN` where a large merge met writes again and again.
    ///
    /// ```
    /// use offshoot_vfs::{Caller, MergeError, Options, Vfs};
    ///
    /// let main = Vfs::new(Options::default());
    /// let (base, branch) = (main.fork(), main.fork());
    /// let write = |vfs: &Vfs, path: &str| {
    ///     vfs.write_file(&Caller::ROOT, vfs.root(), path.as_bytes(), path.as_bytes(), 0o644)
    /// };
    /// write(&main, "/a")?;
    /// write(&branch, "/b")?;
    /// let changes = main.merge(&base, &branch).unwrap();
    /// assert_eq!(changes[0].path, b"/b");
    /// assert_eq!(main.read_file(&Caller::ROOT, main.root(), b"/b")?, b"/b");
    ///
    /// branch.write_file(&Caller::ROOT, branch.root(), b"/a", b"other", 0o644)?;
    /// assert!(matches!(main.merge(&base, &branch), Err(MergeError::Conflicts(_))));
    /// # Ok::<(), offshoot_vfs::Error>(())
    /// ```
    pub fn merge(&self, base: &Vfs, theirs: &Vfs) -> Result<Vec<Change>, MergeError> {
        let base = base.lock().root_tree().clone();
        let theirs = theirs.lock().root_tree().clone();
        // Without the lock: who waits for it would wait as long as a guest wants (T47).
        for _ in 0..ATTEMPTS {
            let (ours, quotas) = {
                let state = self.lock();
                (state.root_tree().clone(), state.quotas)
            };
            let started = Instant::now();
            let merged = merged(&base, &ours, &theirs, &quotas, self.now())?;
            let took = started.elapsed();
            let mut state = self.lock();
            if state.root_tree().is(&ours) {
                return settle(&mut state, merged);
            }
            if took < HELD {
                let merged = self::merged(&base, state.root_tree(), &theirs, &quotas, self.now())?;
                return settle(&mut state, merged);
            }
        }
        Err(Error::Again.into())
    }
}

/// The merged tree, the inodes that lost their last name, and what was changed.
type Merged = (Tree, Vec<u64>, Vec<Change>);

fn merged(
    base: &Tree,
    ours: &Tree,
    theirs: &Tree,
    quotas: &Quotas,
    now: Timestamp,
) -> Result<Merged, MergeError> {
    match crate::tree::merge(base, ours, theirs, quotas, now) {
        Ok(merged) => {
            let changes = Changes::of(merged.changes).list()?;
            Ok((merged.tree, merged.nameless, changes))
        }
        Err(crate::tree::Refusal::Conflicts(found)) => Err(MergeError::Conflicts(found)),
        Err(crate::tree::Refusal::File(error)) => Err(error.into()),
    }
}

fn settle(state: &mut State, (tree, nameless, changes): Merged) -> Result<Vec<Change>, MergeError> {
    state.replace_root(tree, &nameless)?;
    Ok(changes)
}
