//! What a sandbox is made with, and how sandboxes are listed.

use super::document::PREFIX;
use super::grant::Grant;
use super::hold::{OnCrash, OnLastRelease, millis};
use super::record::{Info, Record};
use super::service::{Sandboxes, TAGS};
use super::setup::Setup;
use super::task::Task;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{Filter, Ref, State};
use std::collections::BTreeSet;
use std::time::Duration;

/// Sandboxes on one page of a listing, where nothing else is said.
const PAGE: usize = 50;

/// The longest time without use after which a sandbox can be told to sleep.
const LONGEST_IDLE: Duration = Duration::from_secs(86_400);

/// What a sandbox is made with; see [`Sandboxes::create_with`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct CreateOptions {
    title: Option<String>,
    description: Option<String>,
    tags: Vec<String>,
    idle: Option<Duration>,
    time_to_live: Option<Duration>,
    on_last_release: OnLastRelease,
    on_crash: Option<OnCrash>,
    setup: Setup,
    history: bool,
    grants: BTreeSet<Grant>,
    load: Option<String>,
    warning: Option<Duration>,
    tasks: Vec<Task>,
}

impl CreateOptions {
    /// Nothing in particular.
    pub fn new() -> CreateOptions {
        CreateOptions::default()
    }

    /// A short text for people.
    pub fn title(mut self, title: impl Into<String>) -> CreateOptions {
        self.title = Some(title.into());
        self
    }

    /// A longer one.
    pub fn description(mut self, description: impl Into<String>) -> CreateOptions {
        self.description = Some(description.into());
        self
    }

    /// A tag to list by; at most ten.
    pub fn tag(mut self, tag: impl Into<String>) -> CreateOptions {
        self.tags.push(tag.into());
        self
    }

    /// Without a lease for so long, it is put to sleep: up to a day.
    pub fn hibernation_timeout(mut self, idle: Duration) -> CreateOptions {
        self.idle = Some(idle);
        self
    }

    /// It is deleted after this time, whatever happens.
    pub fn time_to_live(mut self, time: Duration) -> CreateOptions {
        self.time_to_live = Some(time);
        self
    }

    /// So long before it is put to sleep for idleness or deleted for its age, listeners are told.
    pub fn warning(mut self, early: Duration) -> CreateOptions {
        self.warning = Some(early);
        self
    }

    /// A named command that can be started and stopped: see [`Tasks::run`](super::Tasks::run).
    pub fn task(mut self, task: Task) -> CreateOptions {
        self.tasks.push(task);
        self
    }

    /// What follows when its last counted lease is released.
    pub fn on_last_release(mut self, action: OnLastRelease) -> CreateOptions {
        self.on_last_release = action;
        self
    }

    /// What happens to it when its owner is gone.
    pub fn on_crash(mut self, policy: OnCrash) -> CreateOptions {
        self.on_crash = Some(policy);
        self
    }

    /// A step of its setup, after those given before. They run when it is first woken, and again
    /// after a shutdown; a branch has what they made already.
    pub fn setup_step(
        mut self,
        name: impl Into<String>,
        command: impl Into<String>,
    ) -> CreateOptions {
        self.setup.push(name.into(), command.into());
        self
    }

    /// Every [`Sandboxes::exec`] that changes something makes a commit, so that [`log`](super::Snapshots::log) has the history of
    /// commands and [`Snapshots::restore`](super::Snapshots::restore) goes back to any of them. They are kept as long as
    /// [`Collect::history`](offshoot_store::Collect) says.
    pub fn history(mut self) -> CreateOptions {
        self.history = true;
        self
    }

    /// Code inside may ask for this, with the command `lifecycle`. Without any grant there is no such
    /// command; a branch has none of its parent's.
    pub fn grant(mut self, grant: Grant) -> CreateOptions {
        self.grants.insert(grant);
        self
    }

    /// A callback fills it before it is used.
    pub(super) fn load(mut self, callback: &str) -> CreateOptions {
        self.load = Some(callback.to_owned());
        self
    }

    /// Puts it into the record of a new sandbox.
    pub(super) fn settle(self, record: &mut Record, now: u64) -> Result<()> {
        check(&self.tags, self.idle)?;
        Task::check(&self.tasks)?;
        record.title = self.title;
        record.description = self.description;
        record.tags = self.tags;
        record.idle_ms = self.idle.map(millis);
        let end = |time| now.saturating_add(millis(time));
        record.expires = self.time_to_live.map(end);
        record.on_last_release = self.on_last_release;
        record.on_crash = self.on_crash;
        record.history = self.history;
        record.grants = self.grants;
        record.load = self.load;
        record.warning_ms = self.warning.map(millis).filter(|early| *early > 0);
        if !self.tasks.is_empty() {
            record.tasks = self.tasks;
        }
        if !self.setup.is_empty() {
            record.setup = self.setup;
        }
        Ok(())
    }
}

/// Refuses more tags than there may be, and times that have no meaning.
pub(super) fn check(tags: &[String], idle: Option<Duration>) -> Result<()> {
    let invalid = |message: String| Err(Error::new(Code::Invalid, "create", message));
    if tags.len() > TAGS {
        return invalid(format!("a sandbox has at most {TAGS} tags"));
    }
    if idle.is_some_and(|idle| idle.is_zero() || idle > LONGEST_IDLE) {
        return invalid("the hibernation timeout is 1 ms to 86,400 s".to_owned());
    }
    Ok(())
}

/// The order of a listing.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub enum Order {
    /// By name: the cheapest, whatever the number of sandboxes.
    #[default]
    Name,
    /// By the time they were made.
    Created,
    /// By the time their state last changed.
    Updated,
}

/// Which sandboxes a listing has; see [`Sandboxes::list_page`].
#[derive(Debug, Clone, Default)]
#[must_use]
pub struct ListOptions {
    tags: Vec<String>,
    state: Option<State>,
    order: Order,
    descending: bool,
    limit: Option<usize>,
    after: Option<String>,
}

impl ListOptions {
    /// All of them, by name, 50 to a page.
    pub fn new() -> ListOptions {
        ListOptions::default()
    }

    /// Only with this tag, and all others given.
    pub fn tag(mut self, tag: impl Into<String>) -> ListOptions {
        self.tags.push(tag.into());
        self
    }

    /// Only in this state.
    pub fn state(mut self, state: State) -> ListOptions {
        self.state = Some(state);
        self
    }

    /// In this order.
    pub fn order(mut self, order: Order) -> ListOptions {
        self.order = order;
        self
    }

    /// The other way round.
    pub fn descending(mut self) -> ListOptions {
        self.descending = true;
        self
    }

    /// At most so many to a page.
    pub fn limit(mut self, limit: usize) -> ListOptions {
        self.limit = Some(limit);
        self
    }

    /// The page behind the one whose [`Page::next`] this is.
    pub fn after(mut self, next: impl Into<String>) -> ListOptions {
        self.after = Some(next.into());
        self
    }

    fn means(&self, found: &Ref, record: &Record) -> bool {
        found.state != State::Deleted
            && self.state.is_none_or(|state| state == found.state)
            && self.tags.iter().all(|tag| record.tags.contains(tag))
    }

    fn key(&self, name: &str, found: &Ref) -> (u64, String) {
        let time = match self.order {
            Order::Name => 0,
            Order::Created => found.created,
            Order::Updated => found.changed,
        };
        (time, name.to_owned())
    }
}

/// A part of a listing.
#[derive(Debug, Clone, Default)]
#[non_exhaustive]
pub struct Page {
    /// The sandboxes.
    pub sandboxes: Vec<Info>,
    /// What [`ListOptions::after`] takes for the next page; none where this is the last one.
    pub next: Option<String>,
}

impl Sandboxes {
    /// A page of sandboxes. By name a page costs the same whatever their number; by time, all
    /// records are looked at.
    ///
    /// # Errors
    /// `INVALID` for an `after` that is not from a page of the same order, those of the store.
    pub async fn list_page(&self, options: ListOptions) -> Result<Page> {
        let limit = options.limit.unwrap_or(PAGE).max(1);
        if options.order == Order::Name && !options.descending && options.state.is_none() {
            let after = options.after.as_deref();
            let mut sandboxes = self.list(&options.tags, after, limit + 1).await?;
            let more = sandboxes.len() > limit;
            sandboxes.truncate(limit);
            let last = sandboxes.last().map(|info| info.name.clone());
            let next = last.filter(|_| more);
            return Ok(Page { sandboxes, next });
        }
        let after = options.after.as_deref().map(parse).transpose()?;
        self.own_blocking("list", move |store| {
            let failed = |error: offshoot_store::Error| Error::store("list", &error);
            let all = store.list(&Filter::default(), None, usize::MAX >> 1);
            let mut found = Vec::new();
            for (name, each) in all.map_err(failed)? {
                if each.state == State::Deleted || name.starts_with(PREFIX) {
                    continue;
                }
                let record = Record::decode(&name, &each.data)?;
                if options.means(&each, &record) {
                    found.push((options.key(&name, &each), each, record));
                }
            }
            found.sort_by(|one, other| one.0.cmp(&other.0));
            if options.descending {
                found.reverse();
            }
            if let Some(after) = after {
                let behind = |key: &(u64, String)| match options.descending {
                    true => *key < after,
                    false => *key > after,
                };
                found.retain(|(key, ..)| behind(key));
            }
            let more = found.len() > limit;
            found.truncate(limit);
            let last = found
                .last()
                .map(|((time, name), ..)| format!("{time}/{name}"));
            let mut page = Page {
                next: last.filter(|_| more),
                ..Page::default()
            };
            for ((_, name), each, record) in found {
                let size = super::service::size(store, each.commit)?;
                page.sandboxes.push(Info::new(name, each, record, size));
            }
            Ok(page)
        })
        .await
    }
}

fn parse(after: &str) -> Result<(u64, String)> {
    let parts = after.split_once('/');
    let parsed = parts.and_then(|(time, name)| Some((time.parse().ok()?, name.to_owned())));
    parsed.ok_or_else(|| {
        let message = format!("{after:?} is not from a page of this order");
        Error::new(Code::Invalid, "list", message)
    })
}
