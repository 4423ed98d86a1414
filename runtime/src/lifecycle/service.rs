//! The service: reading, listing, deleting, and what all operations share.

use super::amend::{Attempt, Kept, missing};
use super::builder::Waiting;
use super::document::PREFIX;
use super::event::{EventKind, Listener};
use super::grant;
use super::hold::OnCrash;
use super::record::{Info, Record};
use super::release::{Attended, Callback};
use super::slot::Slot;
use crate::Quotas;
use crate::command::Command;
use crate::configuration::Configuration;
use crate::error::{Below, Code, Error, Result};
use crate::layout;
use crate::sandbox::Sandbox;
use crate::template::{self, Sources};
use bytes::Bytes;
use offshoot_backend::{Exec, ShellResult};
use offshoot_kernel::SystemRandom;
use offshoot_store::{
    Capture, Filter, Key, ObjectId, Presence, Ref, Restored, State, Store, Transition,
};
use offshoot_vfs::{Caller, Mount, Options, Random};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Tags that one sandbox has at most.
pub(super) const TAGS: usize = 10;

/// What commits say they were made by.
const ENGINE: &str = concat!("offshoot ", env!("CARGO_PKG_VERSION"));

/// Sandboxes by name in one store; clones are the same service.
///
/// Its operations run on the tokio runtime that they are called from. See the
/// [module](crate::lifecycle) for what it does.
#[derive(Clone)]
pub struct Sandboxes(pub(super) Arc<Service>);

pub(super) struct Service {
    pub(super) store: Store,
    /// A name that no other service has, without what [`Refs::announce`](offshoot_store::Refs) adds.
    pub(super) nonce: String,
    /// That this service is there, from its first claim on.
    pub(super) presence: OnceLock<Option<Presence>>,
    pub(super) on_wait: Option<Waiting>,
    pub(super) lease: Duration,
    pub(super) patience: Duration,
    pub(super) on_crash: OnCrash,
    pub(super) callbacks: HashMap<String, Callback>,
    pub(super) key: Option<Key>,
    pub(super) listeners: Vec<Listener>,
    pub(super) commands: Vec<(String, Command)>,
    pub(super) mounts: Vec<(String, Mount)>,
    pub(super) secrets: Vec<Bytes>,
    pub(super) slots: Mutex<HashMap<String, Arc<Slot>>>,
}

impl Service {
    /// The name that this service has in refs. From the first time on, others see that it is there.
    pub(super) fn owner(&self) -> &str {
        let announce = || self.store.refs().announce(&self.nonce).ok().flatten();
        let presence = self.presence.get_or_init(announce);
        presence.as_ref().map_or(&self.nonce, Presence::owner)
    }
}

impl Sandboxes {
    /// The sandboxes of a store, with the default settings.
    pub fn open(store: Store) -> Sandboxes {
        Sandboxes::builder(store).build()
    }

    /// Whether `curl` and `wget` reach anything in its sandboxes.
    pub fn has_network(&self) -> bool {
        self.0.commands.iter().any(|(name, _)| name == "curl")
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// What is known of a sandbox.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn get(&self, name: &str) -> Result<Info> {
        let (found, record) = self.read(name).await?;
        let commit = found.commit;
        let size = self
            .own_blocking("get", move |store| size(store, commit))
            .await?;
        Ok(Info::new(name.to_owned(), found, record, size))
    }

    /// At most `limit` sandboxes in the order of their names, from the first one behind `after`;
    /// with all of `tags`.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(
        &self,
        tags: &[String],
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<Info>> {
        let (tags, after) = (tags.to_vec(), after.map(str::to_owned));
        self.own_blocking("list", move |store| list(store, &tags, after, limit))
            .await
    }

    /// Changes the record of a sandbox.
    pub(super) async fn note(
        &self,
        name: &str,
        change: impl Fn(&mut Record) + Send + 'static,
    ) -> Result<()> {
        let change = move |attempt: &mut Attempt| {
            change(&mut attempt.record);
            Ok(())
        };
        self.amend("describe", name, Kept::Durably, change)
            .await
            .map(drop)
    }

    /// Deletes a sandbox with its snapshots, and ends it where it is awake in this process. Deleting
    /// what is not there is fine; branches of it are not affected. Another process that has it
    /// awake finds out at its next renewal.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn delete(&self, name: &str) -> Result<()> {
        self.delete_where(name, |_, _| Ok(())).await.map(drop)
    }

    /// Deletes where `allowed` does not refuse, which is asked in the same step.
    pub(super) async fn delete_where(
        &self,
        name: &str,
        allowed: impl Fn(&Record, u64) -> Result<()> + Send + 'static,
    ) -> Result<Attended> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let change = move |attempt: &mut Attempt| {
            allowed(&attempt.record, attempt.now)?;
            let (record, now) = (&mut attempt.record, attempt.now);
            record.holders.clear();
            (record.release_at, record.expires, record.acting) = (None, None, None);
            record.used = now;
            attempt.tell(EventKind::Deleted, None);
            attempt.apply(&Transition::Delete, None)
        };
        let deleted = self.amend("delete", name, Kept::Durably, change).await;
        let deleted = match deleted {
            Ok(_) => Attended::Deleted,
            Err(error) if error.code() == Code::NotFound => Attended::Nothing,
            Err(error) => return Err(error),
        };
        if let Some(live) = live.take() {
            slot.set_asleep();
            live.sandbox.cleanup().await;
        }
        drop(live);
        self.deliver_later(name);
        self.unpin_all(name).await?;
        Ok(deleted)
    }

    /// Removes all pins of a sandbox that is deleted.
    async fn unpin_all(&self, name: &str) -> Result<()> {
        let prefixes = [format!("base/{name}/"), format!("snapshot/{name}/")];
        self.blocking("delete", move |store| {
            for prefix in prefixes {
                for pin in store.refs().pins_of(&prefix)? {
                    store.unpin(&pin.name)?;
                }
            }
            Ok(())
        })
        .await
    }

    /// Runs a script from fresh shell state in a sandbox, which is woken for it where it sleeps, and
    /// stays awake until it is suspended.
    ///
    /// # Errors
    /// As [`Sandboxes::lease`] and [`Sandbox::exec`].
    pub async fn exec(&self, name: &str, exec: impl Into<Exec>) -> Result<ShellResult> {
        let lease = self.lease(name).await?;
        let result = lease.exec(exec.into()).await?;
        lease.check()?;
        self.note_command(name, &result.command).await?;
        Ok(result)
    }

    /// The ref and record of a sandbox that is not deleted.
    pub(super) async fn read(&self, name: &str) -> Result<(Ref, Record)> {
        let name = name.to_owned();
        self.own_blocking("get", move |store| read(store, &name))
            .await
    }

    pub(super) async fn pin(
        &self,
        operation: &'static str,
        pin: &str,
        commit: ObjectId,
    ) -> Result<()> {
        let pin = pin.to_owned();
        self.blocking(operation, move |store| store.pin(&pin, commit, None))
            .await
    }

    /// Runs what waits for the store where waiting is allowed.
    pub(super) async fn blocking<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Store) -> offshoot_store::Result<T> + Send + 'static,
    ) -> Result<T> {
        let work =
            move |store: &Store| work(store).map_err(|error| Error::store(operation, &error));
        self.own_blocking(operation, work).await
    }

    /// The same for what fails with errors of this crate.
    pub(super) async fn own_blocking<T: Send + 'static>(
        &self,
        operation: &'static str,
        work: impl FnOnce(&Store) -> Result<T> + Send + 'static,
    ) -> Result<T> {
        let store = self.0.store.clone();
        let done = tokio::task::spawn_blocking(move || work(&store)).await;
        done.map_err(|error| Error::new(Code::Died, operation, error.to_string()))?
    }

    /// The place of a sandbox in this process.
    pub(super) fn slot(&self, name: &str) -> Arc<Slot> {
        let mut slots = self.0.slots.lock().unwrap_or_else(PoisonError::into_inner);
        // Places of sandboxes that sleep are given back now and then.
        if slots.len().is_power_of_two() && slots.len() >= 64 {
            slots.retain(|_, slot| Arc::strong_count(slot) > 1 || slot.is_awake());
        }
        Arc::clone(slots.entry(name.to_owned()).or_default())
    }

    /// What goes into a commit beside the files.
    pub(super) fn capture(
        &self,
        sandbox: &Sandbox,
        sessions: BTreeMap<String, Bytes>,
    ) -> Result<Capture> {
        Ok(Capture {
            sessions,
            settings: Some(sandbox.present_configuration().encode()?.into()),
            engine: ENGINE.to_owned(),
            secrets: self.0.secrets.clone(),
            ..Capture::default()
        })
    }

    /// Reads a commit; contents are read when they are looked at.
    pub(super) async fn checkout(&self, commit: ObjectId) -> Result<Restored> {
        self.blocking("restore", move |store| checkout(store, commit))
            .await
    }

    /// A sandbox of what was read.
    pub(super) fn assemble(
        &self,
        name: &str,
        restored: &Restored,
        record: &Record,
    ) -> Result<Sandbox> {
        let missing = || Error::new(Code::Corrupt, "restore", "the commit has no settings");
        let settings = restored.settings.as_ref().ok_or_else(missing)?;
        let mut configuration = Configuration::decode(settings)?;
        if record.foreign {
            configuration.confine();
        }
        if let Some(seed) = &mut configuration.seed {
            // Not what was drawn before the suspend once more, but again the same at each resume.
            let tree = restored.commit.tree.0;
            let word = tree
                .iter()
                .take(8)
                .fold(0, |word, byte| word << 8 | u64::from(*byte));
            *seed ^= word;
        }
        let sources = Sources::new(configuration.seed);
        let vfs = restored
            .vfs
            .fork_with(sources.options(configuration.quotas));
        let mut commands = self.0.commands.clone();
        if !record.grants.is_empty() {
            let service = Arc::downgrade(&self.0);
            commands.push(grant::command(service, name, &record.grants));
        }
        let programs = template::programs(&vfs, &commands)?;
        let sandbox = configuration.assemble(vfs, programs, sources)?;
        for (path, mount) in &self.0.mounts {
            let (vfs, who) = (sandbox.vfs(), sandbox.caller());
            layout::create_owned(vfs, &who, path)
                .and_then(|()| {
                    let mount = mount.clone().owned_by(who.uid, who.gid);
                    vfs.mount(&Caller::ROOT, path.as_bytes(), mount)
                })
                .map_err(|error| Error::file("mount", path, error))?;
        }
        Ok(sandbox)
    }

    pub(super) fn nonce(&self) -> String {
        let mut nonce = [0; 8];
        SystemRandom.fill(&mut nonce);
        nonce.iter().map(|byte| format!("{byte:02x}")).collect()
    }
}

impl fmt::Debug for Sandboxes {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandboxes")
            .field("nonce", &self.0.nonce)
            .finish_non_exhaustive()
    }
}

/// The ref and record of a sandbox that is not deleted.
pub(super) fn read(store: &Store, name: &str) -> Result<(Ref, Record)> {
    let found = store.refs().read(name);
    let found = found.map_err(|error| Error::store("get", &error))?;
    let found = found.filter(|found| found.state != State::Deleted);
    let found = found.ok_or_else(|| missing("get", name))?;
    let record = Record::decode(name, &found.data)?;
    Ok((found, record))
}

/// Reads a commit; contents are read when they are looked at.
pub(super) fn checkout(store: &Store, commit: ObjectId) -> offshoot_store::Result<Restored> {
    let options = Options {
        quotas: Quotas {
            bytes: u64::MAX,
            inodes: u64::MAX,
            ..Quotas::default()
        },
        ..Options::default()
    };
    store.restore(commit, options, &BTreeSet::new())
}

/// Bytes and files of a commit.
pub(super) fn size(store: &Store, commit: Option<ObjectId>) -> Result<(u64, u64)> {
    let Some(commit) = commit else {
        return Ok((0, 0));
    };
    let found = store.get_commit(commit);
    let found = found.map_err(|error| Error::store("get", &error))?;
    Ok((found.bytes, found.files))
}

fn list(store: &Store, tags: &[String], after: Option<String>, limit: usize) -> Result<Vec<Info>> {
    let mut infos = Vec::new();
    let mut last = after;
    while infos.len() < limit {
        let page = store.list(&Filter::default(), last.as_deref(), limit);
        let page = page.map_err(|error| Error::store("list", &error))?;
        let full = page.len() == limit;
        last = page.last().map(|(name, _)| name.clone());
        for (name, found) in page {
            // Documents stand behind all sandboxes.
            let hidden = found.state == State::Deleted || name.starts_with(PREFIX);
            if hidden || infos.len() == limit {
                continue;
            }
            let record = Record::decode(&name, &found.data)?;
            if tags.iter().all(|tag| record.tags.contains(tag)) {
                let size = size(store, found.commit)?;
                infos.push(Info::new(name, found, record, size));
            }
        }
        if !full {
            break;
        }
    }
    Ok(infos)
}
