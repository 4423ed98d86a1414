//! Bringing the changes of a branch home.

use crate::{Change, ChangeKind, Error, Vfs};

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
    /// them in the order of paths. Mounts are left out.
    ///
    /// `base` is what this filesystem and `theirs` were both forked from. Where only one side
    /// changed a path, or both did the same to it, there is no conflict; a time alone counts as
    /// nothing. Files are replaced as a rename replaces them: who has one open keeps the old one.
    /// It costs what changed on either side.
    ///
    /// # Errors
    /// [`MergeError::Conflicts`] with every path that stands in the way; [`MergeError::File`] with
    /// `ENOSPC` for the quotas, `EBUSY` for a mount point and `EIO` where a store fails.
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
        let now = self.now();
        let base = base.lock().root_tree().clone();
        let theirs = theirs.lock().root_tree().clone();
        let mut state = self.lock();
        let merged = crate::tree::merge(&base, state.root_tree(), &theirs, &state.quotas, now);
        match merged {
            Ok(merged) => {
                state.replace_root(merged.tree, &merged.nameless)?;
                Ok(merged.changes)
            }
            Err(crate::tree::Refusal::Conflicts(found)) => Err(MergeError::Conflicts(found)),
            Err(crate::tree::Refusal::File(error)) => Err(error.into()),
        }
    }
}
