//! States that are kept, and going back to them.

use super::point::Point;
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use offshoot_store::{Capture, ObjectId};

/// A state of a sandbox that is kept under a label.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct SnapshotInfo {
    /// The sandbox.
    pub name: String,
    /// The label.
    pub label: String,
    /// What is kept.
    pub commit: ObjectId,
    /// Bytes in files.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
    /// Milliseconds since 1970.
    pub created: u64,
}

/// A state in the history of a sandbox.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct LogEntry {
    /// Which one.
    pub commit: ObjectId,
    /// Milliseconds since 1970.
    pub created: u64,
    /// Bytes in files.
    pub bytes: u64,
    /// Files and directories.
    pub files: u64,
    /// The command that led to it, in a sandbox that keeps its history.
    pub label: Option<String>,
}

/// The past of one sandbox: snapshots, which are kept under a label, and earlier states as far back as
/// they are kept. See [`Sandboxes::snapshots`].
///
/// Take one before something that may have to be undone. It costs the same whatever the size, and
/// whoever wants to try from there makes a branch of it: `NAME@LABEL` is an
/// [origin](super::Origin::point).
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{Origin, Sandboxes, Store}};
/// let sandboxes = Sandboxes::open(Store::memory());
/// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
/// sandboxes.exec("box", "echo one > notes").await?;
///
/// let snapshots = sandboxes.snapshots("box");
/// snapshots.take("good").await?;
/// sandboxes.exec("box", "rm notes").await?;
/// snapshots.restore("box@good").await?;
/// assert_eq!(sandboxes.exec("box", "cat notes").await?.stdout_text(), "one\n");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Snapshots {
    sandboxes: Sandboxes,
    name: String,
}

impl Sandboxes {
    /// The snapshots and earlier states of a sandbox.
    pub fn snapshots(&self, name: impl Into<String>) -> Snapshots {
        Snapshots {
            sandboxes: self.clone(),
            name: name.into(),
        }
    }
}

impl Snapshots {
    /// Keeps the present state of a sandbox under a label, until it is removed or the sandbox is
    /// deleted. One of the same label is replaced.
    ///
    /// # Errors
    /// `INVALID` for a label that is empty or has a `/`, `CONFLICT` where another process has the
    /// sandbox awake, `NOT_FOUND`, those of the store.
    pub async fn take(&self, label: &str) -> Result<SnapshotInfo> {
        if label.is_empty() || label.contains(['/', '@', '~']) || label.len() > 100 {
            let message = format!("{label:?} cannot be a label");
            return Err(Error::new(Code::Invalid, "snapshot", message));
        }
        let commit = self.sandboxes.present(&self.name).await?;
        let pin = format!("snapshot/{}/{label}", self.name);
        self.sandboxes.pin("snapshot", &pin, commit).await?;
        self.info(label, commit).await
    }

    /// The snapshots of a sandbox, by label.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self) -> Result<Vec<SnapshotInfo>> {
        let prefix = format!("snapshot/{}/", self.name);
        let pins = self
            .sandboxes
            .blocking("snapshots", |store| store.pins())
            .await?;
        let mut infos = Vec::new();
        for pin in pins {
            if let Some(label) = pin.name.strip_prefix(&prefix) {
                infos.push(self.info(label, pin.commit).await?);
            }
        }
        Ok(infos)
    }

    async fn info(&self, label: &str, commit: ObjectId) -> Result<SnapshotInfo> {
        let found = self
            .sandboxes
            .blocking("snapshot", move |store| store.get_commit(commit))
            .await?;
        Ok(SnapshotInfo {
            name: self.name.clone(),
            label: label.to_owned(),
            commit,
            bytes: found.bytes,
            files: found.files,
            created: found.created,
        })
    }

    /// Forgets a snapshot; whether there was one. Sandboxes that were made from it are not affected.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn remove(&self, label: &str) -> Result<bool> {
        let pin = format!("snapshot/{}/{label}", self.name);
        self.sandboxes
            .blocking("remove_snapshot", move |store| store.unpin(&pin))
            .await
    }

    /// Sets a sandbox back to a state of it or of another one: `NAME@LABEL` or `NAME~2`. Where it is
    /// awake in this process it is ended, and sleeps afterwards. What it was before is the state before
    /// the new one: `NAME~1`.
    ///
    /// # Errors
    /// `CONFLICT` while a lease is held or another process has it awake, `NOT_FOUND`, those of the
    /// store.
    pub async fn restore(&self, point: &str) -> Result<ObjectId> {
        let name = self.name.as_str();
        let (text, point) = (point, Point::parse(point)?);
        let commit = self.sandboxes.find(&point).await?;
        if point.name != name && self.sandboxes.read(&point.name).await?.1.foreign {
            self.sandboxes
                .note(name, |record| record.foreign = true)
                .await?;
        }
        // What is awake here is stored first, so that nothing is lost by going back.
        if self.sandboxes.slot(name).is_awake() {
            self.sandboxes.suspend(name).await?;
        }
        let lease = self.sandboxes.lease(name).await?;
        self.sandboxes.setup(name).settled().await;
        let epoch = lease.receipt().epoch;
        let slot = self.sandboxes.slot(name);
        drop(lease);
        let mut live = slot.live.lock().await;
        let restored = self.sandboxes.checkout(commit).await?;
        let before = self.sandboxes.read(name).await?.0.commit;
        let capture = Capture {
            parents: before.into_iter().chain([commit]).collect(),
            sessions: restored.sessions,
            settings: restored.settings,
            caps: restored.commit.caps,
            omitted: restored.commit.omitted,
            label: Some(format!("restored {text}")),
            metadata: restored.commit.metadata,
            engine: restored.commit.engine,
            ..Capture::default()
        };
        let (owned, vfs) = (name.to_owned(), restored.vfs);
        let stored = self
            .sandboxes
            .blocking("restore", move |store| {
                store.suspend(&owned, epoch, &vfs, &capture)
            })
            .await?;
        if let Some(live) = live.take() {
            slot.set_asleep();
            live.sandbox.cleanup().await;
        }
        Ok(stored.commit)
    }

    /// At most `limit` states of a sandbox, the last one first, as far back as they are kept.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn log(&self, limit: usize) -> Result<Vec<LogEntry>> {
        let (found, record) = self.sandboxes.read(&self.name).await?;
        let now = self.sandboxes.blocking("log", |store| store.now()).await?;
        let kept = record.retention.history(u32::MAX, now);
        let limit = limit.min((kept.generations as usize).saturating_add(1));
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut next = found.commit;
        while let Some(commit) = next
            && entries.len() < limit
        {
            let read = self
                .sandboxes
                .blocking("log", move |store| store.get_commit(commit))
                .await;
            let read = match read {
                // Older ones were collected.
                Err(error) if error.code() == Code::NotFound && !entries.is_empty() => break,
                read => read?,
            };
            if !entries.is_empty() && read.created < kept.since {
                break;
            }
            entries.push(LogEntry {
                commit,
                created: read.created,
                bytes: read.bytes,
                files: read.files,
                label: read.label,
            });
            next = read.parents.first().copied();
        }
        Ok(entries)
    }
}
