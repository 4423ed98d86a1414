//! Care of a store: what is overdue, whose owner is gone, what was left behind, what is collected.

use super::amend::{Attempt, Kept};
use super::document::{self, PREFIX};
use super::event::EventKind;
use super::hold::OnCrash;
use super::record::{Record, is_awake};
use super::release::Attended;
use super::service::{Sandboxes, Service};
use super::template::Versions;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{Collect, Collected, Filter, History, Named, Report, State, Store};
use std::sync::{Arc, Weak};
use std::time::Duration;

/// Refs that are looked at in one step.
const PAGE: usize = 500;

/// How old something without an owner must be before it counts as left behind: longer than it takes
/// to make a sandbox.
const LEAK_AGE: Duration = Duration::from_secs(3600);

/// What [`Maintenance::sweep`] did and found.
#[derive(Debug, Default)]
#[non_exhaustive]
pub struct Swept {
    /// Put to sleep: idle for long, or released by the last holder.
    pub suspended: Vec<String>,
    /// Deleted: released by the last holder, or their time was over.
    pub deleted: Vec<String>,
    /// A callback ran for these.
    pub called: Vec<String>,
    /// Their owner was gone, and this process has them awake now.
    pub adopted: Vec<String>,
    /// Their owner was gone; they sleep at their last commit.
    pub recovered: Vec<String>,
    /// Their owner was gone, and they were deleted.
    pub dropped: Vec<String>,
    /// What was left behind by crashes.
    pub leaks: Vec<Leak>,
    /// What could not be done; it is tried again by the next sweep.
    pub failed: Vec<(String, Error)>,
}

/// Something that nobody owns any more.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub enum Leak {
    /// This pin keeps a commit for a sandbox that is gone, or was made anew.
    Pin(String),
    /// These snapshots belong to a sandbox that is gone.
    Snapshot(String),
}

/// Sweeps now and then until it is dropped.
#[derive(Debug)]
pub struct Reconciler(tokio::task::JoinHandle<()>);

impl Drop for Reconciler {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Care of a whole store: what is overdue, what crashes left behind, what nobody needs any more, and
/// whether everything is whole. See [`Sandboxes::maintenance`].
///
/// A program that stays calls [`reconcile`](Maintenance::reconcile) once; one that runs for a single
/// operation calls [`attend_due`](Maintenance::attend_due) before it ends. Any number of processes may do
/// any of it at any time, and each thing is done once.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{Collect, Origin, Sandboxes, Store}};
/// use std::time::Duration;
/// let sandboxes = Sandboxes::open(Store::memory());
/// sandboxes.create("box", Origin::template(Sandbox::builder())).await?;
/// sandboxes.delete("box").await?;
///
/// let maintenance = sandboxes.maintenance();
/// assert!(maintenance.sweep().await?.failed.is_empty());
/// maintenance.collect(Collect { grace: Duration::ZERO, ..Collect::default() }).await?;
/// assert!(maintenance.check(false).await?.is_clean());
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Maintenance(Sandboxes);

impl Sandboxes {
    /// Care of the store.
    pub fn maintenance(&self) -> Maintenance {
        Maintenance(self.clone())
    }

    /// Lets a sandbox sleep whose owner is gone; whether it was.
    pub(super) async fn lay_to_rest(&self, name: &str) -> Result<bool> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        if live.is_some() {
            // This process is late itself; its next renewal decides.
            return Ok(false);
        }
        let owner = self.0.owner().to_owned();
        let change = move |attempt: &mut Attempt| {
            let gone = is_awake(attempt.found.state) && attempt.is_lapsed();
            if gone {
                attempt.tell(EventKind::Recovered, None);
                attempt.lay_down(&owner)?;
            }
            Ok(gone)
        };
        let done = self.amend("sweep", name, Kept::Durably, change).await?;
        Ok(done.answer)
    }
}

impl Maintenance {
    /// Does what is overdue for any sandbox of the store, whoever should have done it: puts to sleep
    /// what is idle or was released by its last holder, deletes what has outlived its time, takes
    /// care of those whose owner is gone by their policy, and removes what crashes left behind.
    ///
    /// Any process may do this at any time; of several at once, one does each thing.
    ///
    /// # Errors
    /// Those of the store's listings; failures with single sandboxes are in the answer.
    pub async fn sweep(&self) -> Result<Swept> {
        let (projects, mut swept) = (self.0.projects(), Swept::default());
        let now = self.0.blocking("sweep", |store| store.now()).await?;
        let lapsed = Filter {
            lapsed_before: Some(now),
            ..Filter::default()
        };
        for name in self.names(lapsed).await? {
            self.recover(&name, &mut swept).await;
        }
        let due = Filter {
            due_before: Some(now.saturating_add(1)),
            ..Filter::default()
        };
        for name in self.names(due).await? {
            if let Some(done) = projects.attend(&name).await {
                if let Err(error) = done {
                    swept.failed.push((name, error));
                }
                continue;
            }
            if self.0.is_listening()
                && let Err(error) = self.deliver_events(&name).await
            {
                swept.failed.push((name.clone(), error));
            }
            match self.0.attend(&name).await {
                Ok(Attended::Nothing) => {}
                Ok(Attended::Suspended) => swept.suspended.push(name),
                Ok(Attended::Deleted) => swept.deleted.push(name),
                Ok(Attended::Called) => swept.called.push(name),
                Err(error) => swept.failed.push((name, error)),
            }
        }
        swept.leaks = self.leaks(LEAK_AGE).await?;
        for leak in &swept.leaks {
            let (Leak::Pin(pin) | Leak::Snapshot(pin)) = leak.clone();
            self.0
                .blocking("sweep", move |store| store.unpin(&pin))
                .await?;
        }
        Ok(swept)
    }

    /// Does what the times of sandboxes ask for by now, whoever should have done it: a short
    /// [`Maintenance::sweep`] for programs that run for one operation. How many sandboxes were put to
    /// sleep or deleted.
    ///
    /// # Errors
    /// Those of the store's listing; what fails for one sandbox is due again next time.
    pub async fn attend_due(&self) -> Result<usize> {
        let now = self.0.blocking("sweep", |store| store.now()).await?;
        let due = Filter {
            due_before: Some(now.saturating_add(1)),
            ..Filter::default()
        };
        let mut done = 0;
        for name in self.names(due).await? {
            let attended = match name.starts_with(PREFIX) {
                true => continue,
                false => self.0.attend(&name).await,
            };
            done += usize::from(matches!(
                attended,
                Ok(Attended::Suspended | Attended::Deleted)
            ));
        }
        Ok(done)
    }

    /// Sweeps every so often, until the answer is dropped or the service ends.
    pub fn reconcile(&self, every: Duration) -> Reconciler {
        let service: Weak<Service> = Arc::downgrade(&self.0.0);
        Reconciler(tokio::spawn(async move {
            loop {
                tokio::time::sleep(every).await;
                let Some(service) = service.upgrade() else {
                    return;
                };
                // What fails now is due again next time.
                let _ = Sandboxes(service).maintenance().sweep().await;
            }
        }))
    }

    /// What crashes left behind and is at least so old, without removing it.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn leaks(&self, age: Duration) -> Result<Vec<Leak>> {
        self.0
            .own_blocking("sweep", move |store| leaks(store, age))
            .await
    }

    /// Removes what nothing leads to any more, and earlier states beyond what their sandboxes
    /// [keep](super::Update::retention); see [`Store::collect`](offshoot_store::Store::collect). Then the
    /// room is given back to the file system, as far as the store can.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn collect(&self, options: Collect) -> Result<Collected> {
        self.0
            .blocking("gc", move |store| {
                let (most, now) = (options.history, store.now()?);
                let keeps = |named: Named<'_>| match named {
                    Named::Ref(name, found) if !name.starts_with(PREFIX) => {
                        // What cannot be read keeps what any other does.
                        let record = Record::decode(name, &found.data);
                        let retention = record.map(|record| record.retention).unwrap_or_default();
                        retention.history(most, now)
                    }
                    Named::Ref(..) => History::generations(most),
                    // A snapshot is one state, and what a branch was made from as well.
                    Named::Pin(_) => History::generations(0),
                };
                let collected = store.collect_with(&options, &keeps)?;
                store.shrink()?;
                Ok(collected)
            })
            .await
    }

    /// Verifies everything; see [`Store::check`](offshoot_store::Store::check).
    ///
    /// # Errors
    /// Those of the store.
    pub async fn check(&self, quarantine: bool) -> Result<Report> {
        self.0
            .blocking("fsck", move |store| store.check(quarantine))
            .await
    }

    /// Brings back what a check put aside and is what was stored all the same; how many objects.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn release_quarantined(&self) -> Result<u64> {
        self.0.blocking("fsck", |store| store.release()).await
    }

    /// Tells the listeners what happened to a sandbox and was not told yet, and waits for them; how
    /// many events. [`Maintenance::sweep`] does it for every sandbox.
    ///
    /// # Errors
    /// `DIED` with what a listener said, and then it is tried again; those of the store.
    pub async fn deliver_events(&self, name: &str) -> Result<usize> {
        self.0.deliver(name, true).await
    }

    /// The names of all refs that a filter means.
    async fn names(&self, filter: Filter) -> Result<Vec<String>> {
        self.0
            .blocking("sweep", move |store| {
                let mut names: Vec<String> = Vec::new();
                loop {
                    let page = store.list(&filter, names.last().map(String::as_str), PAGE)?;
                    let full = page.len() == PAGE;
                    names.extend(page.into_iter().map(|(name, _)| name));
                    if !full {
                        return Ok(names);
                    }
                }
            })
            .await
    }

    /// Takes care of a sandbox whose owner seems to be gone.
    async fn recover(&self, name: &str, swept: &mut Swept) {
        let done = match self.policy(name).await {
            Ok(OnCrash::Adopt) => match self.0.lease(name).await {
                Ok(_) => Ok(Some(&mut swept.adopted)),
                Err(error) => Err(error),
            },
            Ok(OnCrash::Suspend) => match self.0.lay_to_rest(name).await {
                Ok(true) => Ok(Some(&mut swept.recovered)),
                Ok(false) => Ok(None),
                Err(error) => Err(error),
            },
            Ok(OnCrash::Delete) => match self.0.delete_where(name, |_, _| Ok(())).await {
                Ok(_) => Ok(Some(&mut swept.dropped)),
                Err(error) => Err(error),
            },
            Err(error) => Err(error),
        };
        match done {
            Ok(Some(list)) => list.push(name.to_owned()),
            // Its owner is back, somebody else was faster, or it is gone.
            Ok(None) => {}
            Err(error) if matches!(error.code(), Code::Conflict | Code::NotFound) => {}
            Err(error) => swept.failed.push((name.to_owned(), error)),
        }
    }

    /// What is to happen where the owner is gone; a conflict where it is not.
    async fn policy(&self, name: &str) -> Result<OnCrash> {
        let default = self.0.0.on_crash;
        let found = self
            .0
            .amend("sweep", name, Kept::WhileRunning, move |attempt| {
                if !is_awake(attempt.found.state) || !attempt.is_lapsed() {
                    let message = "its owner is there";
                    return Err(Error::new(Code::Conflict, "sweep", message));
                }
                Ok(attempt.record.on_crash.unwrap_or(default))
            })
            .await?;
        Ok(found.answer)
    }
}

fn leaks(store: &Store, age: Duration) -> Result<Vec<Leak>> {
    let failed = |error: offshoot_store::Error| Error::store("sweep", &error);
    let now = store.now().map_err(failed)?;
    let old = now.saturating_sub(super::hold::millis(age));
    let pins = store.pins().map_err(failed)?;
    let mut found = Vec::new();
    for pin in pins {
        let mut parts = pin.name.splitn(3, '/');
        let (kind, name, rest) = (parts.next(), parts.next(), parts.next());
        let (Some(kind), Some(name), Some(rest)) = (kind, name, rest) else {
            continue;
        };
        if kind == "template" {
            if is_older(rest, old) && !is_published(store, name, &pin.name)? {
                found.push(Leak::Pin(pin.name));
            }
            continue;
        }
        if kind != "base" && kind != "snapshot" {
            continue;
        }
        let owner = store.refs().read(name).map_err(failed)?;
        let owner = owner.filter(|owner| owner.state != State::Deleted);
        match owner {
            None if kind == "snapshot" => found.push(Leak::Snapshot(pin.name)),
            None if is_older(rest, old) => found.push(Leak::Pin(pin.name)),
            Some(owner)
                if kind == "base"
                    && is_older(rest, old)
                    && Record::decode(name, &owner.data)?.base_pin != pin.name =>
            {
                found.push(Leak::Pin(pin.name));
            }
            _ => {}
        }
    }
    Ok(found)
}

/// Whether a template has a version with this pin.
fn is_published(store: &Store, template: &str, pin: &str) -> Result<bool> {
    let key = document::key::<Versions>(template);
    let found = store.refs().read(&key);
    let found = found.map_err(|error| Error::store("sweep", &error))?;
    let known = found.map(|found| document::decode::<Versions>(&key, &found.data));
    Ok(known.transpose()?.is_some_and(|known| known.has_pin(pin)))
}

/// Whether the time in the last part of a pin lies before `old`.
fn is_older(part: &str, old: u64) -> bool {
    let time = part.split_once('-').map(|(time, _)| time);
    let time = time.and_then(|time| u64::from_str_radix(time, 16).ok());
    time.is_none_or(|time| time < old)
}
