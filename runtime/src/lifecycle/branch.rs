//! What branches differ in, and bringing their changes home.

use super::lease::Why;
use super::point::Point;
use super::service::Sandboxes;
use crate::context::Taking;
use crate::error::{Below, Code, Error, Result};
use offshoot_vfs::{Caller, Change, Conflict, Kind, MergeError, Vfs};

/// What [`Sandboxes::promote`] came to.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Promotion {
    /// The parent has these changes now, durably.
    Done(Vec<Change>),
    /// Both sides changed these paths, and nothing happened.
    Conflicts(Vec<Conflict>),
}

/// A path that differs, with what is in it.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct ContentChange {
    /// The path and what happened to it.
    pub change: Change,
    /// What a file had in it, or where a symbolic link led; none for what was not there, for other
    /// kinds, and for files that were longer than asked for.
    pub before: Option<Vec<u8>>,
    /// The same afterwards.
    pub after: Option<Vec<u8>>,
    /// Its kind and permission bits as POSIX has them in one number, `0o100644` for instance; none for what was not
    /// there.
    pub before_mode: Option<u32>,
    /// The same afterwards.
    pub after_mode: Option<u32>,
}

/// Kind and permission bits of a path, and what is in it.
fn content(
    vfs: &Vfs,
    path: &[u8],
    longest: u64,
) -> offshoot_vfs::Result<(Option<u32>, Option<Vec<u8>>)> {
    let found = match vfs.stat(&Caller::ROOT, vfs.root(), path, false) {
        Err(offshoot_vfs::Error::NoEntry | offshoot_vfs::Error::NotDirectory) => {
            return Ok((None, None));
        }
        found => found?,
    };
    let content = match found.kind {
        Kind::Regular if found.size <= longest => {
            Some(vfs.read_file(&Caller::ROOT, vfs.root(), path)?)
        }
        Kind::Symlink => Some(vfs.read_link(&Caller::ROOT, vfs.root(), path)?),
        _ => None,
    };
    let kind = match found.kind {
        Kind::Regular => 0o100_000,
        Kind::Directory => 0o040_000,
        Kind::Symlink => 0o120_000,
        Kind::Fifo => 0o010_000,
        Kind::Device => 0o020_000,
    };
    Ok((Some(kind | found.mode), content))
}

impl Sandboxes {
    /// What a reader of `after` finds other than in `before`; each is `NAME`, `NAME@LABEL` for a
    /// snapshot or `NAME~2` for an earlier state.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CONFLICT` for one that another process has awake, `CORRUPT`, those of the
    /// store.
    pub async fn diff(&self, before: &str, after: &str) -> Result<Vec<Change>> {
        let before = self.files(&Point::parse(before)?).await?;
        let after = self.files(&Point::parse(after)?).await?;
        let work = move || offshoot_vfs::diff(&before, &after);
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| Error::new(Code::Died, "diff", error.to_string()))?
            .map_err(|error| Error::file("diff", "/", error))
    }

    /// [`Sandboxes::diff`] with what is in each path on both sides.
    ///
    /// # Errors
    /// Those of [`Sandboxes::diff`].
    pub async fn diff_contents(
        &self,
        before: &str,
        after: &str,
        longest: u64,
    ) -> Result<Vec<ContentChange>> {
        let before = self.files(&Point::parse(before)?).await?;
        let after = self.files(&Point::parse(after)?).await?;
        let work = move || -> offshoot_vfs::Result<Vec<ContentChange>> {
            let changes = offshoot_vfs::diff(&before, &after)?.into_iter();
            let content = |change: Change| {
                let (before_mode, before) = content(&before, &change.path, longest)?;
                let (after_mode, after) = content(&after, &change.path, longest)?;
                Ok(ContentChange {
                    before,
                    after,
                    before_mode,
                    after_mode,
                    change,
                })
            };
            changes.map(content).collect()
        };
        tokio::task::spawn_blocking(work)
            .await
            .map_err(|error| Error::new(Code::Died, "diff", error.to_string()))?
            .map_err(|error| Error::file("diff", "/", error))
    }

    /// Brings what changed in a branch since it was forked, or last promoted, to its parent, all of it
    /// or nothing. The branch stays as it is.
    ///
    /// The parent may have moved on: paths that only one side changed do not meet. It is woken for
    /// this where it sleeps, and sleeps again after.
    ///
    /// # Errors
    /// `INVALID` for what is no branch, `NOT_FOUND` where the parent is gone, `LIMIT` where the
    /// changes don't fit the parent's quotas, `CONFLICT` where another process has one of them awake,
    /// those of the store.
    pub async fn promote(&self, branch: &str) -> Result<Promotion> {
        let (_, record) = self.read(branch).await?;
        let orphan = || Error::new(Code::Invalid, "promote", format!("{branch} is no branch"));
        let parent = record.parent.clone().ok_or_else(orphan)?.name;
        let commit = self.present(branch).await?;
        let base = self.checkout(record.base).await?.vfs;
        let theirs = self.checkout(commit).await?.vfs;

        let lease = self.lease(&parent).await?;
        self.setup(&parent).settled().await;
        let ours = lease.vfs().clone();
        let merge = move || ours.merge(&base, &theirs);
        let merged = tokio::task::spawn_blocking(merge)
            .await
            .map_err(|error| Error::new(Code::Died, "promote", error.to_string()))?;
        let outcome = match merged {
            Ok(changes) => Promotion::Done(changes),
            Err(MergeError::Conflicts(found)) => Promotion::Conflicts(found),
            Err(MergeError::File(error)) => return Err(Error::file("promote", "/", error)),
            Err(error) => return Err(Error::new(Code::Died, "promote", error.to_string())),
        };
        let was_awake = lease.bootup() == super::Bootup::Running;
        drop(lease);
        let slot = self.slot(&parent);
        let mut live = slot.live.lock().await;
        if !was_awake {
            self.suspend_live(&parent, &slot, &mut live, Why::Asked)
                .await?;
        } else if let Some(live) = live.as_ref() {
            self.checkpoint_live(&parent, live, None, Taking::Known)
                .await?;
        }
        drop(live);
        if matches!(outcome, Promotion::Done(_)) {
            // From here on the two differ by what comes after this state of the branch.
            self.pin("promote", &record.base_pin, commit).await?;
            self.note(branch, move |record| record.base = commit)
                .await?;
        }
        Ok(outcome)
    }

    /// The sandboxes that were forked from `name`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn branches(&self, name: &str) -> Result<Vec<String>> {
        let all = self.list(&[], None, usize::MAX >> 1).await?;
        let of_it = |info: &super::Info| {
            let parent = info.parent.as_ref();
            parent.is_some_and(|parent| parent.name == name)
        };
        Ok(all
            .into_iter()
            .filter(of_it)
            .map(|info| info.name)
            .collect())
    }
}
