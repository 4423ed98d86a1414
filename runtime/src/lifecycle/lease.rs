//! Waking, keeping awake, putting to sleep.

use super::amend::{Attempt, Kept, is_gone};
use super::contend::{busy, fenced};
use super::event::EventKind;
use super::hold::{Hold, millis};
use super::record::{Record, is_awake};
use super::script::{self, Sleeping};
use super::service::{Sandboxes, Service, checkout, read};
use super::slot::Slot;
use super::update::Times;
use crate::context::Taking;
use crate::error::{Below, Code, Error, Result};
use crate::running::AllPaused;
use crate::sandbox::Sandbox;
use crate::session::{Session, SessionOptions};
use bytes::Bytes;
use offshoot_store::{Faults, ObjectId, Omission, Receipt, Ref, State, Store, Stored};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::fmt;
use std::ops::Deref;
use std::sync::atomic::Ordering;
use std::sync::{Arc, Weak};
use std::time::Duration;

/// The longest pause between two attempts to put an idle sandbox to sleep.
const LONGEST_BACK_OFF: Duration = Duration::from_secs(300);

/// Characters of a command that its commit is labelled with.
const LABEL: usize = 120;

/// Characters of a session's name.
const LONGEST_SESSION: usize = 20;

/// How a sandbox came to be awake.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "SCREAMING_SNAKE_CASE")]
#[non_exhaustive]
pub enum Bootup {
    /// It was awake.
    Running,
    /// It slept, and has its sessions back.
    Resume,
    /// It was shut down: its files are there, its sessions are new.
    Clean,
    /// It is new: made from a template or another sandbox.
    Fork,
}

impl Bootup {
    /// Its name in reports: `RUNNING`, `RESUME`, `CLEAN`, `FORK`.
    pub fn as_str(self) -> &'static str {
        match self {
            Bootup::Running => "RUNNING",
            Bootup::Resume => "RESUME",
            Bootup::Clean => "CLEAN",
            Bootup::Fork => "FORK",
        }
    }
}

/// Why a sandbox is put to sleep.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Why {
    /// Somebody asked for it.
    Asked,
    /// It was not used for long.
    Idle,
    /// The last counted lease was released.
    Released,
    /// The owner ended it for everyone.
    Ended,
    /// Without its sessions.
    Shutdown,
}

/// A sandbox that is awake here.
pub(super) struct Live {
    pub(super) sandbox: Sandbox,
    pub(super) epoch: u64,
    pub(super) sessions: BTreeMap<String, Arc<Session>>,
    /// Scripts that were suspended with it.
    pub(super) scripts: BTreeMap<u64, Sleeping>,
    faults: Faults,
    receipt: Receipt,
    /// Every execution makes a commit.
    pub(super) history: bool,
    /// What its next state is called.
    label: Option<String>,
}

impl Live {
    /// The state of every session, and of every script that sleeps or is `paused`.
    pub(super) async fn states(&self, paused: &AllPaused) -> Result<BTreeMap<String, Bytes>> {
        let mut states = BTreeMap::new();
        for (name, session) in &self.sessions {
            if let Some(state) = session.state().await {
                states.insert(script::session_key(name), state);
            }
        }
        for (id, script) in &self.scripts {
            let asleep = script.bytes().cloned();
            states.extend(asleep.map(|bytes| (script::key(*id), bytes)));
        }
        for (id, suspended) in paused.suspended() {
            states.insert(script::key(id), suspended.to_bytes()?);
        }
        Ok(states)
    }

    /// Adds what the contexts hold. To take all of it is what takes longer.
    pub(super) fn add_contexts(
        &self,
        states: &mut BTreeMap<String, Bytes>,
        taking: Taking,
    ) -> Result<()> {
        let stored = self.sandbox.stored_contexts(taking)?.into_iter();
        states.extend(stored.map(|(id, bytes)| (script::context_key(&id), bytes)));
        Ok(())
    }
}

/// A claim that keeps a sandbox awake; it is the sandbox as long as it is held.
///
/// It is not suspended while a lease is held, by the idle timer or otherwise.
pub struct Lease {
    hold: Option<Hold>,
    service: Weak<Service>,
    name: String,
    pub(super) slot: Arc<Slot>,
    pub(super) sandbox: Sandbox,
    faults: Faults,
    receipt: Receipt,
    bootup: Bootup,
}

impl Deref for Lease {
    type Target = Sandbox;

    fn deref(&self) -> &Sandbox {
        &self.sandbox
    }
}

impl Lease {
    /// The sandbox's name.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// How it came to be awake.
    pub fn bootup(&self) -> Bootup {
        self.bootup
    }

    /// What was brought back when it last woke: all of it, or there would be no lease.
    pub fn receipt(&self) -> &Receipt {
        &self.receipt
    }

    /// The session of this name, whose state sleeps and wakes with the sandbox.
    pub async fn session(&self, name: &str) -> Arc<Session> {
        self.known_session(name, || self.sandbox.session()).await
    }

    /// The session of this name, with the rights that `options` say. Where there is none yet it begins
    /// as they say, too. Rights are this handle's: another one of the same session may have more.
    ///
    /// # Errors
    /// `INVALID` for a name that is empty, longer than 20 characters or has others than letters, digits,
    /// `_` and `-`.
    pub async fn session_with(&self, name: &str, options: SessionOptions) -> Result<Session> {
        check_session(name)?;
        let read_only = options.is_read_only();
        let made = || self.sandbox.session_with(options);
        let session = self.known_session(name, made).await;
        Ok(session.as_allowed(read_only))
    }

    async fn known_session(&self, name: &str, make: impl FnOnce() -> Session) -> Arc<Session> {
        let mut live = self.slot.live.lock().await;
        let made = || Arc::new(make());
        match live.as_mut() {
            Some(live) => {
                let known = live.sessions.entry(name.to_owned()).or_insert_with(made);
                Arc::clone(known)
            }
            None => made(),
        }
    }

    /// Gives it back, and waits for what follows where it was the last; see [`Hold::release`].
    /// Dropping it does the same in the background.
    ///
    /// # Errors
    /// Those of [`Hold::release`].
    pub async fn release(mut self) -> Result<()> {
        let hold = self.hold.take();
        drop(self);
        match hold {
            Some(hold) => hold.release().await,
            None => Ok(()),
        }
    }

    /// What the state that is stored when the sandbox is next put to sleep is called in its history:
    /// the first 120 characters of this.
    pub async fn label(&self, label: &str) {
        let mut live = self.slot.live.lock().await;
        if let Some(live) = live.as_mut() {
            live.label = Some(label.chars().take(LABEL).collect());
        }
    }

    /// The lease as it is counted in the store, where it is.
    pub fn hold(&self) -> Option<&Hold> {
        self.hold.as_ref()
    }

    /// The same, counted in the store.
    pub(super) fn holding(mut self, hold: Hold) -> Lease {
        self.hold = Some(hold);
        self
    }

    /// Whether everything that was read lazily so far was whole, and the sandbox is still this process's.
    ///
    /// # Errors
    /// `CORRUPT` with what was damaged; the guest saw `EIO` there. `FENCED` where another process took
    /// the sandbox over: what changes here is lost.
    pub fn check(&self) -> Result<()> {
        if self.slot.lost.load(Ordering::Acquire) >= self.receipt.epoch {
            return Err(fenced("lease", &self.name));
        }
        match self.faults.take().first() {
            Some(fault) => Err(Error::store("read", fault)),
            None => Ok(()),
        }
    }
}

pub(super) fn check_session(name: &str) -> Result<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"_-".contains(&byte);
    if name.is_empty() || name.len() > LONGEST_SESSION || !name.bytes().all(plain) {
        let message = format!(
            "{name:?}: a session's name has at most {LONGEST_SESSION} letters, digits, '_' and '-'"
        );
        return Err(Error::new(Code::Invalid, "session", message));
    }
    Ok(())
}

impl Drop for Lease {
    fn drop(&mut self) {
        if self.slot.leases.fetch_sub(1, Ordering::AcqRel) > 1 {
            return;
        }
        let due = self.slot.attend.swap(false, Ordering::AcqRel);
        let (true, Some(service), Ok(runtime)) = (
            due || self.slot.times().idle.is_some(),
            self.service.upgrade(),
            tokio::runtime::Handle::try_current(),
        ) else {
            return;
        };
        let given = self.slot.given.load(Ordering::Acquire);
        let (slot, name) = (Arc::clone(&self.slot), self.name.clone());
        runtime.spawn(async move {
            let sandboxes = Sandboxes(service);
            if due {
                // Where it fails, the record says why, and it is tried again.
                let _ = Box::pin(sandboxes.attend(&name)).await;
            }
            sandboxes.suspend_idle(slot, name, given).await;
        });
    }
}

impl fmt::Debug for Lease {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Lease")
            .field("name", &self.name)
            .field("bootup", &self.bootup)
            .finish_non_exhaustive()
    }
}

impl Sandboxes {
    /// A lease on a sandbox, which is woken where it sleeps. However many ask at once, it is woken
    /// once.
    ///
    /// Contents are read when they are looked at, so this takes the same time whatever the size.
    ///
    /// # Errors
    /// `NOT_FOUND`, `CONFLICT` where another process has it awake (it can be tried again), `CORRUPT`
    /// and `TOO_NEW` for what cannot be brought back, `DIED` for a sandbox that has failed, those of
    /// the store.
    pub async fn lease(&self, name: &str) -> Result<Lease> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let mut bootup = Bootup::Running;
        if live.is_none() {
            bootup = self.wake_into(name, &slot, &mut live).await?;
        }
        let lost = || Error::new(Code::Died, "lease", "the sandbox is not awake");
        let held = live.as_ref().ok_or_else(lost)?;
        slot.leases.fetch_add(1, Ordering::AcqRel);
        slot.given.fetch_add(1, Ordering::AcqRel);
        Ok(Lease {
            hold: None,
            service: Arc::downgrade(&self.0),
            name: name.to_owned(),
            slot: Arc::clone(&slot),
            sandbox: held.sandbox.clone(),
            faults: held.faults.clone(),
            receipt: held.receipt.clone(),
            bootup,
        })
    }

    /// Wakes what sleeps, under the slot's lock.
    pub(super) async fn wake_into(
        &self,
        name: &str,
        slot: &Arc<Slot>,
        live: &mut Option<Live>,
    ) -> Result<Bootup> {
        let (woken, bootup, record) = self.wake(name).await?;
        self.keep_renewed(name, slot, woken.epoch);
        slot.follow(live.insert(woken), &record);
        slot.forget_ended_tasks();
        slot.unreported.store(false, Ordering::Release);
        slot.awake.store(true, Ordering::Release);
        self.deliver_later(name);
        if !self.setup_after(name, bootup, &record.setup) {
            self.tasks_after(name, bootup, &record);
        }
        Ok(bootup)
    }

    /// Puts a sandbox to sleep: what changed is written, made durable, and only then named its state;
    /// then its memory is given back. One that sleeps is fine.
    ///
    /// Scripts that were spawned and still run sleep with it: [`Lease::resume_script`] lets them go
    /// on when it is awake again, in any process.
    ///
    /// The answer says what was stored; where it is an error the sandbox is awake as before, and its
    /// scripts go on.
    ///
    /// # Errors
    /// `CONFLICT` while a lease is held, here or counted in the store, another process has it awake,
    /// or a script has a program in flight (the message names it); `CAPABILITY` for a script that
    /// cannot be kept, `FENCED` where another process took it over (what changed since its last
    /// commit is lost, and it is ended here), `POLICY_DENIED` for a declared secret, `NOT_FOUND`,
    /// those of the store.
    pub async fn suspend(&self, name: &str) -> Result<ObjectId> {
        self.suspend_with(name, AllPaused::default()).await
    }

    /// The same, but waits until no script has a program in flight; scripts wait before they start
    /// the next one.
    ///
    /// # Errors
    /// Those of [`Sandboxes::suspend`], without programs in flight.
    pub async fn suspend_patiently(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        let sandbox = live.as_ref().map(|live| live.sandbox.clone());
        drop(live);
        let paused = match sandbox {
            Some(sandbox) => sandbox.pause(AllPaused::default(), true).await?,
            None => AllPaused::default(),
        };
        self.suspend_with(name, paused).await
    }

    async fn suspend_with(&self, name: &str, paused: AllPaused) -> Result<ObjectId> {
        let slot = self.slot(name);
        let mut live = slot.live.lock().await;
        let count = slot.leases();
        if count > 0 && live.is_some() {
            let message = format!("{name} is in use: {count} leases are held");
            return Err(Error::new(Code::Conflict, "suspend", message));
        }
        let stored = self
            .suspend_paused(name, &slot, &mut live, Why::Asked, paused)
            .await?;
        if let Some(stored) = stored {
            return Ok(stored.commit);
        }
        if slot.unreported.swap(false, Ordering::AcqRel) {
            return Err(fenced("suspend", name));
        }
        let (found, _) = self.read(name).await?;
        match (found.state, found.commit) {
            (State::Suspended, Some(commit)) => Ok(commit),
            _ => Err(busy("suspend", name, &found)),
        }
    }

    /// Suspends what is awake here.
    pub(super) async fn suspend_live(
        &self,
        name: &str,
        slot: &Slot,
        live: &mut Option<Live>,
        why: Why,
    ) -> Result<Option<Stored>> {
        self.suspend_paused(name, slot, live, why, AllPaused::default())
            .await
    }

    /// Suspends what is awake here, some of whose scripts stand still already.
    async fn suspend_paused(
        &self,
        name: &str,
        slot: &Slot,
        live: &mut Option<Live>,
        why: Why,
        paused: AllPaused,
    ) -> Result<Option<Stored>> {
        let Some(awake) = live.as_ref() else {
            return Ok(None);
        };
        let paused = match why {
            Why::Asked | Why::Idle => awake.sandbox.pause(paused, false).await?,
            // It sleeps whatever runs; what cannot be kept ends.
            Why::Released | Why::Ended => {
                let all = awake.sandbox.pause(paused, false).await;
                all.unwrap_or_default()
            }
            Why::Shutdown => AllPaused::default(),
        };
        let mut states = awake.states(&paused).await?;
        if why != Why::Shutdown {
            awake.add_contexts(&mut states, Taking::Whole)?;
        }
        let mut capture = self.capture(&awake.sandbox, states)?;
        capture.label = awake.label.clone();
        capture.only_changes = true;
        let (vfs, epoch, owned) = (awake.sandbox.vfs().clone(), awake.epoch, name.to_owned());
        let listening = self.is_listening();
        let stored = self
            .own_blocking("suspend", move |store| {
                let amend = |new: &mut Ref| -> std::result::Result<(), Failure> {
                    let mut record = Record::decode(&owned, &new.data)?;
                    why.settle(&mut record, new.changed)?;
                    if listening {
                        let kind = match why {
                            Why::Shutdown => EventKind::Shutdown,
                            _ => EventKind::Hibernated,
                        };
                        record.tell(&owned, kind, (new.changed, new.epoch), None);
                    }
                    Ok(record.settle(new)?)
                };
                let stored = store.suspend_with(&owned, epoch, &vfs, &capture, amend);
                stored.map_err(|failure| match failure {
                    Failure::Store(offshoot_store::Error::Fenced { .. }) => {
                        fenced("suspend", &owned)
                    }
                    failure => failure.during("suspend"),
                })
            })
            .await;
        let gone = match &stored {
            Ok(_) => true,
            Err(error) => error.code() == Code::Fenced,
        };
        if gone && let Some(awake) = live.take() {
            match &stored {
                Ok(_) => slot.set_asleep(),
                Err(_) => slot.lose(awake.epoch),
            }
            paused.stop().await;
            awake.sandbox.cleanup().await;
            self.deliver_later(name);
        }
        stored.map(Some)
    }

    /// Makes what is awake here durable, and leaves it awake. What its contexts hold is taken as a whole where it is to
    /// be a state that others begin with.
    pub(super) async fn checkpoint_live(
        &self,
        name: &str,
        live: &Live,
        label: Option<String>,
        contexts: Taking,
    ) -> Result<ObjectId> {
        let mut states = live.states(&AllPaused::default()).await?;
        live.add_contexts(&mut states, contexts)?;
        let mut capture = self.capture(&live.sandbox, states)?;
        capture.label = label;
        capture.only_changes = true;
        // Scripts that run go on; what is stored is without them.
        match live.sandbox.running().count() {
            0 => {}
            count => capture.omitted.push(Omission::Processes(count as u64)),
        }
        let (vfs, epoch, owned) = (live.sandbox.vfs().clone(), live.epoch, name.to_owned());
        let stored = self
            .blocking("checkpoint", move |store| {
                store.checkpoint(&owned, epoch, &vfs, &capture)
            })
            .await?;
        Ok(stored.commit)
    }

    /// Makes a commit of what a command has changed, where the sandbox keeps its history.
    pub(super) async fn note_command(&self, name: &str, command: &str) -> Result<()> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        match live.as_ref() {
            Some(live) if live.history => {
                let label = command.chars().take(LABEL).collect();
                let noted = self
                    .checkpoint_live(name, live, Some(label), Taking::Known)
                    .await;
                noted.map(drop)
            }
            _ => Ok(()),
        }
    }

    /// Suspends where nobody has had a lease for the whole time.
    pub(super) async fn suspend_idle(self, slot: Arc<Slot>, name: String, given: u64) {
        let Times { idle, warning } = slot.times();
        let Some(idle) = idle else { return };
        let mut pause = idle;
        if let Some(early) = warning.filter(|early| *early < idle) {
            tokio::time::sleep(idle - early).await;
            if slot.given.load(Ordering::Acquire) != given || slot.leases() > 0 {
                return;
            }
            Box::pin(self.warn_idle(&name)).await;
            pause = early;
        }
        loop {
            tokio::time::sleep(pause).await;
            let mut live = slot.live.lock().await;
            let used = slot.given.load(Ordering::Acquire) != given;
            if used || slot.leases() > 0 {
                return;
            }
            // Boxed, so that what waits for idleness is small.
            let done = Box::pin(self.suspend_live(&name, &slot, &mut live, Why::Idle)).await;
            match done {
                Ok(_) => return,
                Err(error) if error.code() == Code::Fenced => return,
                // It stays usable, and is tried again.
                Err(_) => pause = (pause * 2).min(LONGEST_BACK_OFF),
            }
        }
    }

    /// Loads the last commit of a sandbox and becomes its owner, in this order: a commit that does not
    /// come back leaves the ref as it is. Waits for another process as long as patience lasts.
    async fn wake(&self, name: &str) -> Result<(Live, Bootup, Record)> {
        self.patiently(|| {
            // All of it in one go: every change of threads costs more than what is done there.
            let (sandboxes, owned) = (self.clone(), name.to_owned());
            let wake = move |store: &Store| sandboxes.try_wake(store, &owned);
            self.own_blocking("lease", wake)
        })
        .await
    }

    /// The same, once. Blocks.
    fn try_wake(&self, store: &Store, name: &str) -> Result<(Live, Bootup, Record)> {
        let (found, record) = read(store, name)?;
        let failed = |error: offshoot_store::Error| Error::store("lease", &error);
        if found.state == State::Failed {
            let reason = found.reason.clone().unwrap_or_default();
            return Err(Error::new(Code::Died, "lease", format!("{name}: {reason}")));
        }
        if is_awake(found.state) {
            let until = found.lease_until;
            let now = store.now().map_err(failed)?;
            let lasts = until.is_none_or(|until| until >= now);
            if lasts && !is_gone(&**store.refs(), &found) {
                return Err(busy("lease", name, &found));
            }
        }
        let lost = || {
            let message = format!("{name} has no commit to come back from");
            Error::new(Code::Corrupt, "lease", message)
        };
        let commit = found.commit.ok_or_else(lost)?;
        let restored = checkout(store, commit).map_err(failed)?;
        let sandbox = self.assemble(name, &restored, &record)?;
        let (owner, lease) = (self.0.owner(), millis(self.0.lease));
        let claim = |attempt: &mut Attempt| attempt.claim(name, commit, owner, lease);
        let claimed = self.amend_here(store, ("lease", name), Kept::WhileRunning, claim)?;
        let bootup = claimed.answer;
        let (states, scripts) = match bootup {
            Bootup::Clean => Default::default(),
            _ => {
                sandbox.load_contexts(script::contexts(&restored.sessions));
                script::split(&restored.sessions)
            }
        };
        let last = scripts.keys().next_back().copied();
        sandbox.running().reserve(last.unwrap_or(0));
        let session = |(name, state)| (name, Arc::new(sandbox.load_session(state)));
        let sessions = states.into_iter().map(session).collect();
        let epoch = claimed.found.epoch;
        let scripts = scripts.into_iter();
        let scripts = scripts
            .map(|(id, bytes)| (id, Sleeping::new(bytes)))
            .collect();
        let live = Live {
            sessions,
            scripts,
            sandbox,
            epoch,
            faults: restored.faults,
            receipt: Receipt {
                epoch,
                ..restored.receipt
            },
            history: claimed.record.history,
            label: None,
        };
        Ok((live, bootup, claimed.record))
    }
}

/// What stops a publish: the store, or a rule of ours.
pub(super) enum Failure {
    Store(offshoot_store::Error),
    Own(Error),
}

impl Failure {
    pub(super) fn during(self, operation: &'static str) -> Error {
        match self {
            Failure::Store(error) => Error::store(operation, &error),
            Failure::Own(error) => error,
        }
    }
}

impl From<offshoot_store::Error> for Failure {
    fn from(error: offshoot_store::Error) -> Failure {
        Failure::Store(error)
    }
}

impl From<Error> for Failure {
    fn from(error: Error) -> Failure {
        Failure::Own(error)
    }
}
