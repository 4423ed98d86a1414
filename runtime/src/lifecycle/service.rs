//! The service: creating, listing, deleting, and what all operations share.

use super::amend::{Attempt, Kept, missing};
use super::document::PREFIX;
use super::event::{Event, EventKind, Listener, listener};
use super::grant;
use super::hold::{OnCrash, OnLastRelease};
use super::lease::Slot;
use super::options::CreateOptions;
use super::point::Point;
use super::record::{Info, Parent, Record};
use super::release::{Attended, Callback, CallbackError};
use super::update::Update;
use crate::command::Command;
use crate::configuration::Configuration;
use crate::error::{Below, Code, Error, Result};
use crate::layout;
use crate::sandbox::Sandbox;
use crate::template::{self, Sources};
use crate::{Builder, Quotas};
use bytes::Bytes;
use offshoot_backend::{Exec, ShellResult};
use offshoot_kernel::SystemRandom;
use offshoot_store::{
    Capture, Filter, Key, ObjectId, Pin, Presence, Ref, Restored, State, Store, Swap, Transition,
};
use offshoot_vfs::{Caller, Mount, Options, Random};
use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::fmt;
use std::future::Future;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::Duration;

/// Tags that one sandbox has at most.
pub(super) const TAGS: usize = 10;

/// The longest name of a sandbox, in bytes.
const LONGEST_NAME: usize = 128;

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
    nonce: String,
    /// That this service is there, from its first claim on.
    presence: OnceLock<Option<Presence>>,
    pub(super) on_wait: Option<Waiting>,
    pub(super) lease: Duration,
    pub(super) patience: Duration,
    pub(super) on_crash: OnCrash,
    pub(super) callbacks: HashMap<String, Callback>,
    pub(super) key: Option<Key>,
    pub(super) listeners: Vec<Listener>,
    commands: Vec<(String, Command)>,
    mounts: Vec<(String, Mount)>,
    secrets: Vec<Bytes>,
    slots: Mutex<HashMap<String, Arc<Slot>>>,
}

/// Who is told what an operation waits for.
pub(super) type Waiting = Box<dyn Fn(&str) + Send + Sync>;

impl Service {
    /// The name that this service has in refs. From the first time on, others see that it is there.
    pub(super) fn owner(&self) -> &str {
        let announce = || self.store.refs().announce(&self.nonce).ok().flatten();
        let presence = self.presence.get_or_init(announce);
        presence.as_ref().map_or(&self.nonce, Presence::owner)
    }
}

/// Describes a [`Sandboxes`].
pub struct SandboxesBuilder {
    store: Store,
    lease: Duration,
    patience: Duration,
    on_crash: OnCrash,
    on_wait: Option<Waiting>,
    callbacks: HashMap<String, Callback>,
    key: Option<Key>,
    listeners: Vec<Listener>,
    commands: Vec<(String, Command)>,
    mounts: Vec<(String, Mount)>,
    secrets: Vec<Bytes>,
}

/// What a sandbox is made from.
#[non_exhaustive]
pub enum Origin {
    /// A description of a new one.
    Template(Box<Builder>),
    /// The present state of another one, which is not woken for it.
    Sandbox(String),
    /// A state in the past: `NAME@LABEL` for a snapshot, `NAME~2` for two states before.
    Point(String),
    /// A version of a template: `NAME` for the newest, `NAME@3`, `NAME@ALIAS`.
    Published(String),
}

impl Origin {
    /// From a description.
    pub fn template(builder: Builder) -> Origin {
        Origin::Template(Box::new(builder))
    }

    /// A branch of the present state of `name`.
    pub fn sandbox(name: impl Into<String>) -> Origin {
        Origin::Sandbox(name.into())
    }

    /// A branch of a state in the past.
    pub fn point(point: impl Into<String>) -> Origin {
        Origin::Point(point.into())
    }

    /// A version of a template that was [published](Sandboxes::publish): `NAME` for the newest,
    /// `NAME@3` for the third, `NAME@ALIAS`.
    pub fn published(version: impl Into<String>) -> Origin {
        Origin::Published(version.into())
    }
}

impl fmt::Debug for Origin {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Origin::Template(_) => f.write_str("Template"),
            Origin::Sandbox(name) => f.debug_tuple("Sandbox").field(name).finish(),
            Origin::Point(point) => f.debug_tuple("Point").field(point).finish(),
            Origin::Published(version) => f.debug_tuple("Published").field(version).finish(),
        }
    }
}

impl SandboxesBuilder {
    /// How long a sandbox stays this process's when the process is gone; 30 seconds. It is renewed
    /// while the process lives.
    #[must_use]
    pub fn lease(mut self, time: Duration) -> SandboxesBuilder {
        self.lease = time;
        self
    }

    /// How long an operation waits for a sandbox that another process has awake; not at all by
    /// default.
    #[must_use]
    pub fn patience(mut self, time: Duration) -> SandboxesBuilder {
        self.patience = time;
        self
    }

    /// Tells what an operation waits for that has begun to wait, up to its
    /// [patience](SandboxesBuilder::patience).
    #[must_use]
    pub fn on_wait(mut self, told: impl Fn(&str) + Send + Sync + 'static) -> SandboxesBuilder {
        self.on_wait = Some(Box::new(told));
        self
    }

    /// What [`Sandboxes::sweep`] does with a sandbox whose owner is gone; it sleeps at its last
    /// commit by default. [`Sandboxes::set_policies`] says it for one.
    #[must_use]
    pub fn on_crash(mut self, policy: OnCrash) -> SandboxesBuilder {
        self.on_crash = policy;
        self
    }

    /// Registers what [`OnLastRelease::Callback`] and [`OnLastRelease::SaveAndDelete`] name. It is
    /// given the service and the sandbox's name; of several processes, one runs it, and again where it
    /// failed.
    #[must_use]
    pub fn callback<F, R>(mut self, name: impl Into<String>, function: F) -> SandboxesBuilder
    where
        F: Fn(Sandboxes, String) -> R + Send + Sync + 'static,
        R: Future<Output = std::result::Result<(), CallbackError>> + Send + 'static,
    {
        let callback: Callback =
            Arc::new(move |sandboxes, name| Box::pin(function(sandboxes, name)));
        self.callbacks.insert(name.into(), callback);
        self
    }

    /// Tells a function everything that happens to sandboxes through services of this store that
    /// have listeners: in order for each sandbox, and at least once. One that it fails for is told
    /// again, and the next ones wait.
    #[must_use]
    pub fn on_event<F, R>(mut self, function: F) -> SandboxesBuilder
    where
        F: Fn(Event) -> R + Send + Sync + 'static,
        R: Future<Output = std::result::Result<(), CallbackError>> + Send + 'static,
    {
        self.listeners.push(listener(function));
        self
    }

    /// Tells a server everything that happens to sandboxes, as [`SandboxesBuilder::on_event`] tells a
    /// function: in order for each sandbox, at least once, signed. What could not be told is in the
    /// store, and a later process with the same webhook tells it.
    ///
    /// # Errors
    /// `INVALID` for what is no URL of a server, `DIED` where the host cannot start what requests run
    /// on.
    #[cfg(feature = "network")]
    pub fn webhook(mut self, webhook: super::webhook::Webhook) -> Result<SandboxesBuilder> {
        self.listeners.push(webhook.listener()?);
        Ok(self)
    }

    /// The key that portable references are signed with. Services that are to understand each other's
    /// have the same one; it is never stored, and is no credential for anything else.
    #[must_use]
    pub fn reference_key(mut self, key: Key) -> SandboxesBuilder {
        self.key = Some(key);
        self
    }

    /// Registers a command of the embedder in every sandbox of the service.
    #[must_use]
    pub fn command(
        mut self,
        name: impl Into<String>,
        command: impl Into<Command>,
    ) -> SandboxesBuilder {
        self.commands.push((name.into(), command.into()));
        self
    }

    /// Mounts this at `path` in every sandbox of the service whenever it wakes; the directory is made
    /// where it is missing. What is mounted is not stored: writes to a copy-on-write mount are gone when
    /// the sandbox sleeps.
    #[must_use]
    pub fn mount(mut self, path: impl Into<String>, mount: Mount) -> SandboxesBuilder {
        self.mounts.push((path.into(), mount));
        self
    }

    /// Lets `curl` and `wget` reach what `policy` allows, in every sandbox of the service.
    ///
    /// # Errors
    /// `DIED` where the host cannot start what requests run on.
    #[cfg(feature = "network")]
    pub fn network(mut self, policy: crate::network::Policy) -> Result<SandboxesBuilder> {
        self.commands.extend(crate::network::commands(policy)?);
        Ok(self)
    }

    /// Declares a value that must never be stored: a suspend that would write it fails with
    /// `POLICY_DENIED`.
    #[must_use]
    pub fn secret(mut self, value: impl AsRef<[u8]>) -> SandboxesBuilder {
        self.secrets.push(Bytes::copy_from_slice(value.as_ref()));
        self
    }

    /// Makes the service.
    pub fn build(self) -> Sandboxes {
        let mut nonce = [0; 12];
        SystemRandom.fill(&mut nonce);
        let hex: String = nonce.iter().map(|byte| format!("{byte:02x}")).collect();
        Sandboxes(Arc::new(Service {
            store: self.store,
            nonce: format!("{}-{hex}", std::process::id()),
            presence: OnceLock::new(),
            on_wait: self.on_wait,
            lease: self.lease,
            patience: self.patience,
            on_crash: self.on_crash,
            callbacks: self.callbacks,
            key: self.key,
            listeners: self.listeners,
            commands: self.commands,
            mounts: self.mounts,
            secrets: self.secrets,
            slots: Mutex::default(),
        }))
    }
}

impl Sandboxes {
    /// The sandboxes of a store, with the default settings.
    pub fn open(store: Store) -> Sandboxes {
        Sandboxes::builder(store).build()
    }

    /// Describes a service.
    pub fn builder(store: Store) -> SandboxesBuilder {
        SandboxesBuilder {
            store,
            lease: Duration::from_secs(30),
            patience: Duration::ZERO,
            on_crash: OnCrash::Suspend,
            on_wait: None,
            callbacks: HashMap::new(),
            key: None,
            listeners: Vec::new(),
            commands: Vec::new(),
            mounts: Vec::new(),
            secrets: Vec::new(),
        }
    }

    /// Whether `curl` and `wget` reach anything in its sandboxes.
    pub fn has_network(&self) -> bool {
        self.0.commands.iter().any(|(name, _)| name == "curl")
    }

    /// The store.
    pub fn store(&self) -> &Store {
        &self.0.store
    }

    /// Makes a sandbox, durable and asleep; [`Sandboxes::lease`] wakes it. For a branch this takes
    /// the same time whatever the size.
    ///
    /// # Errors
    /// `CONFLICT` where the name is taken or the origin is awake in another process, `INVALID` for a
    /// name that is empty, longer than 128 bytes or has characters other than letters, digits, `.`,
    /// `_` and `-`, `NOT_FOUND` for the origin, those of [`Builder::build`] and of the store.
    pub async fn create(&self, name: &str, origin: Origin) -> Result<Info> {
        self.create_with(name, origin, CreateOptions::new()).await
    }

    /// [`Sandboxes::create`] with everything else that is known of the sandbox from the beginning.
    ///
    /// # Errors
    /// Those of [`Sandboxes::create`]; `INVALID` for more than ten tags or a hibernation timeout
    /// over a day.
    pub async fn create_with(
        &self,
        name: &str,
        origin: Origin,
        options: CreateOptions,
    ) -> Result<Info> {
        check_name(name)?;
        let pin = self.base_pin(name).await?;
        let mut published = None;
        let (base, parent) = match origin {
            Origin::Template(builder) => {
                let sandbox = builder.build()?;
                let capture = self.capture(&sandbox, BTreeMap::new())?;
                let vfs = sandbox.vfs().clone();
                let key = pin.clone();
                let stored = self
                    .blocking("create", move |store| store.snapshot(&key, &vfs, &capture))
                    .await?;
                (stored.commit, None)
            }
            Origin::Sandbox(parent) => {
                let commit = self.present(&parent).await?;
                self.pin("create", &pin, commit).await?;
                (commit, Some(parent))
            }
            Origin::Point(text) => {
                let point = Point::parse(&text)?;
                let commit = self.find(&point).await?;
                self.pin("create", &pin, commit).await?;
                (commit, Some(point.name))
            }
            Origin::Published(text) => {
                let (like, version) = self.published(&text).await?;
                let commit = like.base;
                self.pin("create", &pin, commit).await?;
                published = Some((like, version));
                (commit, None)
            }
        };
        let mut record = Record::new(pin.clone(), base, 0);
        // What its setup has made is in the files.
        if let Some(parent) = &parent {
            record.inherit(self.read(parent).await?.1);
        }
        if let Some((like, version)) = published {
            record.inherit(like);
            record.template = Some(version);
        }
        record.parent = parent.map(|name| Parent { name, commit: base });
        let now = self.blocking("create", |store| store.now()).await?;
        let made = match options.settle(&mut record, now) {
            Ok(()) => self.insert(name, base, record).await,
            Err(error) => Err(error),
        };
        if made.is_err() {
            // The pin of a sandbox that was not made; the collector would keep its commit.
            let _ = self
                .blocking("create", move |store| store.unpin(&pin))
                .await;
        }
        made?;
        self.get(name).await
    }

    /// Makes a sandbox from a commit that somebody else made. Its limits, quotas and user are this
    /// service's, whatever the commit says.
    pub(super) async fn create_from(&self, name: &str, commit: ObjectId) -> Result<()> {
        check_name(name)?;
        let pin = self.base_pin(name).await?;
        self.pin("create", &pin, commit).await?;
        let mut record = Record::new(pin.clone(), commit, 0);
        record.foreign = true;
        let made = self.insert(name, commit, record).await;
        if made.is_err() {
            let _ = self
                .blocking("create", move |store| store.unpin(&pin))
                .await;
        }
        made
    }

    /// Makes `count` branches of the present state of one sandbox, `PREFIX-0` and on. A store that
    /// can makes all of them in one step, or none.
    ///
    /// # Errors
    /// As [`Sandboxes::create`]; `CONFLICT` also for a name that was deleted not long ago.
    pub async fn fork_many(&self, parent: &str, prefix: &str, count: usize) -> Result<Vec<String>> {
        let names: Vec<String> = (0..count)
            .map(|index| format!("{prefix}-{index}"))
            .collect();
        names.iter().try_for_each(|name| check_name(name))?;
        let base = self.present(parent).await?;
        let (_, origin) = self.read(parent).await?;
        let (parent, nonce) = (parent.to_owned(), self.nonce());
        let (made, listening) = (names.clone(), self.is_listening());
        self.own_blocking("create", move |store| {
            let failed = |error: offshoot_store::Error| Error::store("create", &error);
            let now = store.now().map_err(failed)?;
            let (mut refs, mut pins) = (Vec::new(), Vec::new());
            for name in made {
                let pin = format!("base/{name}/{now:x}-{nonce}");
                let mut record = Record::new(pin.clone(), base, 0);
                record.inherit(origin.clone());
                record.parent = Some(Parent {
                    name: parent.clone(),
                    commit: base,
                });
                if listening {
                    record.tell(&name, EventKind::Created, (now, 0), None);
                }
                let mut new = Ref::suspended(base, now);
                record.settle(&mut new)?;
                refs.push((name, new));
                let until = None;
                pins.push(Pin {
                    name: pin,
                    commit: base,
                    until,
                });
            }
            store.refs().make(&refs, &pins).map_err(failed)
        })
        .await?;
        names.iter().for_each(|name| self.deliver_later(name));
        Ok(names)
    }

    /// Puts a new ref in place, or one over the tombstone of its predecessor, whose epoch goes on so that
    /// a late owner of that stays fenced.
    async fn insert(&self, name: &str, base: ObjectId, record: Record) -> Result<()> {
        let owned = name.to_owned();
        let (data, listening) = (record, self.is_listening());
        let made = self.blocking("create", move |store| {
            let now = store.now()?;
            let old = store.refs().read(&owned)?;
            let mut new = Ref::suspended(base, now);
            let expected = old.as_ref().map(Ref::version);
            if let Some(old) = &old {
                if old.state != State::Deleted {
                    return Ok(Err(Error::new(
                        Code::Conflict,
                        "create",
                        format!("{owned} exists already"),
                    )));
                }
                (new.epoch, new.seq) = (old.epoch + 1, old.seq + 1);
            }
            let mut data = data;
            if let Some(old) = &old
                && let Ok(before) = Record::decode(&owned, &old.data)
            {
                // Numbers of events go on, and what was not told yet is told.
                data.outbox = before.outbox;
            }
            data.born = new.epoch;
            if listening {
                data.tell(&owned, EventKind::Created, (now, new.epoch), None);
            }
            if let Err(error) = data.settle(&mut new) {
                return Ok(Err(error));
            }
            store.refs().swap(Swap {
                name: &owned,
                expected,
                new: &new,
            })?;
            Ok(Ok(()))
        });
        let made = made.await?;
        self.deliver_later(name);
        made
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

    /// Changes title, tags and idle time; what is none stays.
    ///
    /// # Errors
    /// `INVALID` for more than ten tags, `NOT_FOUND`, those of the store.
    pub async fn describe(
        &self,
        name: &str,
        title: Option<String>,
        tags: Option<Vec<String>>,
        idle: Option<Duration>,
    ) -> Result<()> {
        let mut update = Update::new();
        if let Some(title) = title {
            update = update.title(title);
        }
        if let Some(tags) = tags {
            update = update.tags(tags);
        }
        if let Some(idle) = idle {
            update = update.hibernation_timeout(Some(idle).filter(|idle| !idle.is_zero()));
        }
        self.update(name, update).await.map(drop)
    }

    /// Changes what follows from the last release, what happens when the owner is gone, and when the
    /// sandbox is deleted whatever happens; what is none stays.
    ///
    /// # Errors
    /// `NOT_FOUND`, those of the store.
    pub async fn set_policies(
        &self,
        name: &str,
        on_last_release: Option<OnLastRelease>,
        on_crash: Option<OnCrash>,
        time_to_live: Option<Duration>,
    ) -> Result<()> {
        let mut update = Update::new();
        if let Some(action) = on_last_release {
            update = update.on_last_release(action);
        }
        if let Some(policy) = on_crash {
            update = update.on_crash(policy);
        }
        if let Some(time) = time_to_live {
            update = update.time_to_live(Some(time));
        }
        self.update(name, update).await.map(drop)
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

    /// The name of a pin for what a sandbox is made from. It has the time in it, by which one that a
    /// crash left behind is known.
    async fn base_pin(&self, name: &str) -> Result<String> {
        let now = self.blocking("create", |store| store.now()).await?;
        Ok(format!("base/{name}/{now:x}-{}", self.nonce()))
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

impl fmt::Debug for SandboxesBuilder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // Secrets are not shown.
        f.debug_struct("SandboxesBuilder")
            .field("lease", &self.lease)
            .field("patience", &self.patience)
            .finish_non_exhaustive()
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

pub(super) fn check_name(name: &str) -> Result<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(plain) {
        let message = format!("{name:?}: a name has letters, digits, '.', '_' and '-'");
        return Err(Error::new(Code::Invalid, "create", message));
    }
    Ok(())
}
