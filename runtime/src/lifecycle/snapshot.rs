//! States that are kept, and going back to them.

use super::point::Point;
use super::service::Sandboxes;
use crate::error::{Code, Error, Result};
use offshoot_store::{Capture, Export, Import, ObjectId, State};
use std::io::{Read, Write};

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

impl Sandboxes {
    /// Keeps the present state of a sandbox under a label, until it is removed or the sandbox is
    /// deleted. One of the same label is replaced.
    ///
    /// # Errors
    /// `INVALID` for a label that is empty or has a `/`, `CONFLICT` where another process has the
    /// sandbox awake, `NOT_FOUND`, those of the store.
    pub async fn snapshot(&self, name: &str, label: &str) -> Result<SnapshotInfo> {
        if label.is_empty() || label.contains(['/', '@', '~']) || label.len() > 100 {
            let message = format!("{label:?} cannot be a label");
            return Err(Error::new(Code::Invalid, "snapshot", message));
        }
        let commit = self.present(name).await?;
        let pin = format!("snapshot/{name}/{label}");
        self.pin("snapshot", &pin, commit).await?;
        self.snapshot_info(name, label, commit).await
    }

    /// The snapshots of a sandbox, by label.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn snapshots(&self, name: &str) -> Result<Vec<SnapshotInfo>> {
        let prefix = format!("snapshot/{name}/");
        let pins = self.blocking("snapshots", |store| store.pins()).await?;
        let mut infos = Vec::new();
        for pin in pins {
            if let Some(label) = pin.name.strip_prefix(&prefix) {
                infos.push(self.snapshot_info(name, label, pin.commit).await?);
            }
        }
        Ok(infos)
    }

    async fn snapshot_info(
        &self,
        name: &str,
        label: &str,
        commit: ObjectId,
    ) -> Result<SnapshotInfo> {
        let found = self
            .blocking("snapshot", move |store| store.get_commit(commit))
            .await?;
        Ok(SnapshotInfo {
            name: name.to_owned(),
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
    pub async fn remove_snapshot(&self, name: &str, label: &str) -> Result<bool> {
        let pin = format!("snapshot/{name}/{label}");
        self.blocking("remove_snapshot", move |store| store.unpin(&pin))
            .await
    }

    /// Sets a sandbox back to a state of it or of another one: `NAME@LABEL` or `NAME~2`. Where it is
    /// awake in this process it is ended, and sleeps afterwards. What it was before is the state before
    /// the new one: `NAME~1`.
    ///
    /// # Errors
    /// `CONFLICT` while a lease is held or another process has it awake, `NOT_FOUND`, those of the
    /// store.
    pub async fn restore(&self, name: &str, point: &str) -> Result<ObjectId> {
        let (text, point) = (point, Point::parse(point)?);
        let commit = self.find(&point).await?;
        if point.name != name && self.read(&point.name).await?.1.foreign {
            self.note(name, |record| record.foreign = true).await?;
        }
        // What is awake here is stored first, so that nothing is lost by going back.
        if self.slot(name).is_awake() {
            self.suspend(name).await?;
        }
        let lease = self.lease(name).await?;
        self.setup_settled(name).await;
        let epoch = lease.receipt().epoch;
        let slot = self.slot(name);
        drop(lease);
        let mut live = slot.live.lock().await;
        let restored = self.checkout(commit).await?;
        let before = self.read(name).await?.0.commit;
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
    pub async fn log(&self, name: &str, limit: usize) -> Result<Vec<LogEntry>> {
        let (found, record) = self.read(name).await?;
        let now = self.blocking("log", |store| store.now()).await?;
        let kept = record.retention.history(u32::MAX, now);
        let limit = limit.min((kept.generations as usize).saturating_add(1));
        let mut entries: Vec<LogEntry> = Vec::new();
        let mut next = found.commit;
        while let Some(commit) = next
            && entries.len() < limit
        {
            let read = self
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

    /// Writes the present state of a sandbox as one container, with its settings and sessions.
    ///
    /// # Errors
    /// As [`Sandboxes::create`] for the origin; those of the store and of the writer.
    pub async fn export(
        &self,
        name: &str,
        mut writer: impl Write + Send + 'static,
    ) -> Result<ObjectId> {
        let commit = self.present(name).await?;
        let (found, _) = self.read(name).await?;
        let options = Export {
            name: name.to_owned(),
            epoch: found.epoch,
            key: None,
        };
        self.blocking("export", move |store| {
            store.export(commit, &options, &mut writer)
        })
        .await?;
        Ok(commit)
    }

    /// Makes a sandbox from a container, which is verified as a whole before anything is named.
    ///
    /// # Errors
    /// `CORRUPT` and `TOO_NEW` for the container, those of [`Sandboxes::create`].
    pub async fn import(&self, name: &str, mut reader: impl Read + Send + 'static) -> Result<()> {
        let pin = format!("import/{}", self.nonce());
        let key = pin.clone();
        let header = self
            .blocking("import", move |store| {
                let header = store.import(&Import::default(), &mut reader)?;
                store.pin(&key, header.commit, None)?;
                Ok(header)
            })
            .await?;
        let made = self.create_from(name, header.commit).await;
        let _ = self
            .blocking("import", move |store| store.unpin(&pin))
            .await;
        made
    }

    /// Whether a sandbox sleeps with everything stored.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn is_asleep(&self, name: &str) -> Result<bool> {
        Ok(self.read(name).await?.0.state == State::Suspended)
    }
}
