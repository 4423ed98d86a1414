//! What changed between two filesystems.

use std::collections::HashSet;

use crate::tree::{Delta, Stop};
use crate::{Error, Metadata, Result, Vfs};

/// Bytes from which on a path names nothing, as on Linux: calls refuse it.
const LONGEST: usize = 4096;
/// Bytes of paths that a list may take; a guest chooses how many and how long they are (T47).
const LISTED: usize = 256 << 20;
/// The device of the root tree.
const DEVICE: u64 = 1;

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

/// What a reader of `after` finds other than in `before`, each directory before what is in it and
/// names in the order of their bytes. Mounts are left out.
///
/// For a filesystem and its fork this costs what changed and not what is there, in time and in
/// memory. A directory that was moved counts with all that is in it, as removed and as added, and a
/// change to a file with several hard links has all names looked through. What two trees have from
/// one store is compared by its ids and not read.
///
/// What lies so deep that no call takes its path, 4,096 bytes and more, counts as a modification of
/// the deepest directory above it that has one.
///
/// # Errors
/// `EIO` where a tree is read from a store that fails, `EOVERFLOW` where the paths take more than
/// 256 MiB: [`Changes`] has no such bound.
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
    Changes::between(before, after, &|| false)?.list()
}

impl Vfs {
    /// Whether both have one tree in memory, as right after a fork: then nothing differs.
    pub fn is_same(&self, other: &Vfs) -> bool {
        let tree = self.lock().root_tree().clone();
        tree.is(other.lock().root_tree())
    }

    /// Whether this is what `before` was but for the times at which files were last read, mounts left
    /// out. Looks at what differs, up to the first change.
    ///
    /// # Errors
    /// `EIO` where a tree is read from a store that fails.
    pub fn is_only_read_since(&self, before: &Vfs) -> Result<bool> {
        let before = before.lock().root_tree().clone();
        let after = self.lock().root_tree().clone();
        crate::tree::same_but_read(&before, &after)
    }
}

/// [`diff`] path by path, for those who need no list, or more than paths.
pub struct Changes {
    delta: Delta,
    /// The step that comes next.
    next: usize,
    path: Vec<u8>,
    /// The steps from the root to the last one, each with the length of its path.
    above: Vec<(u32, usize)>,
    /// Steps below which something lies too deep for a path.
    folded: HashSet<u32>,
    /// Inodes that stand where nothing was before.
    added: HashSet<u64>,
}

/// One path that [`Changes`] tells of.
#[non_exhaustive]
pub struct Difference<'a> {
    /// The path; empty for the root directory.
    pub path: &'a [u8],
    /// What happened to it.
    pub kind: ChangeKind,
    /// What was there.
    pub before: Option<Metadata>,
    /// What is there now.
    pub after: Option<Metadata>,
    /// Whether it is gone from here and new somewhere else.
    pub moved: bool,
}

impl Changes {
    /// Compares two filesystems. `cancelled` is asked every now and then.
    ///
    /// # Errors
    /// `EIO` where a tree is read from a store that fails, [`Error::Cancelled`].
    pub fn between(before: &Vfs, after: &Vfs, cancelled: &dyn Fn() -> bool) -> Result<Changes> {
        let before = before.lock().root_tree().clone();
        let after = after.lock().root_tree().clone();
        let delta = crate::tree::delta(&before, &after, &Stop::when(cancelled))?;
        Ok(Changes::of(delta))
    }

    pub(crate) fn of(delta: Delta) -> Changes {
        let mut changes = Changes {
            folded: HashSet::new(),
            added: HashSet::new(),
            delta,
            next: 0,
            path: Vec::new(),
            above: Vec::new(),
        };
        changes.note();
        changes
    }

    /// Finds what is too deep, and what is new.
    fn note(&mut self) {
        // The length of each step's path, and the deepest step above it whose path can be named.
        let mut lengths: Vec<(usize, u32)> = Vec::with_capacity(self.delta.steps.len());
        for (at, step) in self.delta.steps.iter().enumerate() {
            let (above, anchor) = lengths
                .get(step.parent as usize)
                .copied()
                .unwrap_or_default();
            let length = if at == 0 {
                0
            } else {
                above + 1 + step.name.len()
            };
            let fits = length < LONGEST;
            lengths.push((length, if fits { at as u32 } else { anchor }));
            if step.kind.is_some() && !fits {
                self.folded.insert(anchor);
            }
            if step.kind == Some(ChangeKind::Added) {
                self.added.extend(step.new);
            }
        }
    }

    /// The next change.
    pub fn advance(&mut self) -> Option<Difference<'_>> {
        loop {
            let (at, step) = (self.next, self.delta.steps.get(self.next)?);
            self.next += 1;
            while self
                .above
                .last()
                .is_some_and(|(above, _)| *above != step.parent)
            {
                self.above.pop();
            }
            let length = self.above.last().map_or(0, |(_, length)| *length);
            if at == 0 {
                self.above.push((0, 0));
            } else if length < LONGEST {
                self.path.truncate(length);
                self.path.push(b'/');
                self.path.extend_from_slice(&step.name);
                self.above.push((at as u32, self.path.len()));
            } else {
                // All below is as unnameable.
                self.above.push((at as u32, LONGEST));
            }
            if at != 0 && (length >= LONGEST || self.path.len() >= LONGEST) {
                continue;
            }
            let folded = self.folded.contains(&(at as u32));
            let kind = step.kind.or(folded.then_some(ChangeKind::Modified));
            if kind.is_some() {
                break;
            }
        }
        self.current()
    }

    /// What the last step tells.
    fn current(&self) -> Option<Difference<'_>> {
        let step = self.delta.steps.get(self.next.checked_sub(1)?)?;
        let look = |tree: &crate::tree::Tree, number: Option<u64>| {
            let number = number?;
            let inode = tree.inode(number).ok()?;
            Some(inode.metadata(DEVICE, number))
        };
        let kind = step.kind.unwrap_or(ChangeKind::Modified);
        let gone = step.old.filter(|_| kind == ChangeKind::Removed);
        Some(Difference {
            path: &self.path,
            kind,
            before: look(&self.delta.before, step.old),
            after: look(&self.delta.after, step.new),
            moved: gone.is_some_and(|number| self.added.contains(&number)),
        })
    }

    /// The rest as a list.
    ///
    /// # Errors
    /// `EOVERFLOW` where the paths take more than 256 MiB.
    pub fn list(mut self) -> Result<Vec<Change>> {
        let (mut changes, mut bytes) = (Vec::new(), 0);
        while let Some(Difference { path, kind, .. }) = self.advance() {
            bytes += path.len();
            if bytes > LISTED {
                return Err(Error::Overflow);
            }
            let path = path.to_vec();
            changes.push(Change { path, kind });
        }
        Ok(changes)
    }
}

impl std::fmt::Debug for Changes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_struct("Changes")
            .field("steps", &self.delta.steps.len())
            .field("next", &self.next)
            .finish_non_exhaustive()
    }
}
