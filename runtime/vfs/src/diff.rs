//! What changed between two filesystems.

use crate::{Result, Vfs};

/// One path that differs.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Change {
    /// The path; empty for the root directory.
    pub path: Vec<u8>,
    /// What happened to it.
    pub kind: ChangeKind,
}

/// What happened to a path.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum ChangeKind {
    /// It is new.
    Added,
    /// It is gone.
    Removed,
    /// Its content, kind, permission bits or owner changed, or for what is no directory the time of
    /// its last modification.
    Modified,
}

/// What a reader of `after` finds other than in `before`, in the order of paths. Mounts are left out.
///
/// For a filesystem and its fork this costs what changed and not what is there. A directory that
/// was moved counts with all that is in it, as removed and as added, and a change to a file with
/// several hard links has all names looked through. What two trees have from one store is compared
/// by its ids and not read.
///
/// # Errors
/// `EIO` where a tree is read from a store that fails.
///
/// ```
/// use offshoot_vfs::{Caller, ChangeKind, Options, Vfs, diff};
///
/// let before = Vfs::new(Options::default());
/// let after = before.fork();
/// after.write_file(&Caller::ROOT, after.root(), b"/new", b"text", 0o644)?;
/// let changes = diff(&before, &after)?;
/// assert_eq!((&changes[0].path[..], changes[0].kind), (&b"/new"[..], ChangeKind::Added));
/// # Ok::<(), offshoot_vfs::Error>(())
/// ```
pub fn diff(before: &Vfs, after: &Vfs) -> Result<Vec<Change>> {
    let before = before.lock().root_tree().clone();
    let after = after.lock().root_tree().clone();
    crate::tree::diff(&before, &after)
}
