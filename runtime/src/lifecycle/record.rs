//! What is known of a sandbox besides its state.

use super::claims::Issued;
use super::event::Outbox;
use super::grant::Grant;
use super::hold::{Holder, OnCrash, OnLastRelease};
use super::lease::Bootup;
use super::retention::Retention;
use super::setup::Setup;
use super::task::Task;
use crate::configuration::{StoredLimits, StoredQuotas};
use crate::error::{Code, Error, Result};
use offshoot_store::{ObjectId, Ref, State};
use serde::{Deserialize, Serialize};
use std::collections::{BTreeMap, BTreeSet};

/// The version of the stored form. An older program would drop what it does not know, and with it
/// the leases of others.
const VERSION: u16 = 2;

/// A hibernation timeout below this many milliseconds is worth a warning.
const SHORT_IDLE: u64 = 60_000;

/// Kept with the ref, and changed with it in one step.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Record {
    version: u16,
    /// Where it came from.
    pub(super) parent: Option<Parent>,
    /// The version of a template that it was made from.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) template: Option<String>,
    /// The pin that keeps what it was made from.
    pub(super) base_pin: String,
    /// What it was made from, or was when its changes were last promoted.
    pub(super) base: ObjectId,
    /// The epoch in which it was made.
    pub(super) born: u64,
    /// Milliseconds without a lease after which it is suspended.
    pub(super) idle_ms: Option<u64>,
    pub(super) title: Option<String>,
    pub(super) tags: Vec<String>,
    /// Somebody asks its owner to put it to sleep.
    #[serde(default)]
    pub(super) asleep: bool,
    /// When it was last used; all times are the store's.
    #[serde(default)]
    pub(super) used: u64,
    /// When it was last put to sleep.
    #[serde(default)]
    pub(super) hibernated: Option<u64>,
    /// When it is to be deleted.
    #[serde(default)]
    pub(super) expires: Option<u64>,
    /// Counted leases, by the holder's name.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) holders: BTreeMap<String, Holder>,
    #[serde(default)]
    pub(super) on_last_release: OnLastRelease,
    /// Milliseconds between the last release and what follows from it.
    #[serde(default)]
    pub(super) grace_ms: u64,
    /// When what follows from the last release is due.
    #[serde(default)]
    pub(super) release_at: Option<u64>,
    /// What code inside has asked for instead.
    #[serde(default)]
    pub(super) asked: Option<OnLastRelease>,
    /// Who is doing what is due, and until when nobody else does.
    #[serde(default)]
    pub(super) acting: Option<(String, u64)>,
    /// How often what is due has failed in a row.
    #[serde(default)]
    pub(super) failures: u32,
    /// Why it failed last.
    #[serde(default)]
    pub(super) failure: Option<String>,
    #[serde(default)]
    pub(super) on_crash: Option<OnCrash>,
    #[serde(default, skip_serializing_if = "Issued::is_unused")]
    pub(super) references: Issued,
    #[serde(default)]
    pub(super) description: Option<String>,
    /// How it last came to be awake.
    #[serde(default)]
    pub(super) bootup: Option<Bootup>,
    /// Its next start is without its sessions.
    #[serde(default)]
    pub(super) clean: bool,
    #[serde(default, skip_serializing_if = "Setup::is_empty")]
    pub(super) setup: Setup,
    /// Every execution makes a commit.
    #[serde(default)]
    pub(super) history: bool,
    /// Which earlier states are kept.
    #[serde(default)]
    pub(super) retention: Retention,
    /// Its commits may be somebody else's, who does not decide what it may take and who it is.
    #[serde(default)]
    pub(super) foreign: bool,
    /// The callback that fills it before anybody uses it.
    #[serde(default)]
    pub(super) load: Option<String>,
    /// What code inside may ask for.
    #[serde(default, skip_serializing_if = "BTreeSet::is_empty")]
    pub(super) grants: BTreeSet<Grant>,
    #[serde(default, skip_serializing_if = "Outbox::is_unused")]
    pub(super) outbox: Outbox,
    /// Limits that it was told since it was made.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) limits: Option<StoredLimits>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) quotas: Option<StoredQuotas>,
    /// Milliseconds before it is put to sleep or deleted that this is told.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub(super) warning_ms: Option<u64>,
    /// What was told of that: the kind of event, and when it is to happen.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) warned: BTreeMap<String, u64>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub(super) tasks: Vec<Task>,
    /// Numbers of the scripts of tasks that run.
    #[serde(default, skip_serializing_if = "BTreeMap::is_empty")]
    pub(super) task_scripts: BTreeMap<String, u64>,
}

/// What is to be done for a sandbox now.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Due {
    /// Its time is over.
    Expiry,
    /// What follows from the last release.
    Release,
    /// It was not used for long.
    Idle,
}

impl Record {
    pub(super) fn new(base_pin: String, base: ObjectId, born: u64) -> Record {
        Record {
            version: VERSION,
            parent: None,
            template: None,
            base_pin,
            base,
            born,
            idle_ms: None,
            title: None,
            tags: Vec::new(),
            asleep: false,
            used: 0,
            hibernated: None,
            expires: None,
            holders: BTreeMap::new(),
            on_last_release: OnLastRelease::default(),
            grace_ms: 0,
            release_at: None,
            asked: None,
            acting: None,
            failures: 0,
            failure: None,
            on_crash: None,
            references: Issued::default(),
            description: None,
            bootup: None,
            clean: false,
            setup: Setup::default(),
            history: false,
            retention: Retention::default(),
            foreign: false,
            load: None,
            grants: BTreeSet::new(),
            outbox: Outbox::default(),
            limits: None,
            quotas: None,
            warning_ms: None,
            warned: BTreeMap::new(),
            tasks: Vec::new(),
            task_scripts: BTreeMap::new(),
        }
    }

    /// What a branch has of its parent's.
    pub(super) fn inherit(&mut self, parent: Record) {
        self.setup = parent.setup;
        self.foreign = parent.foreign;
        (self.limits, self.quotas) = (parent.limits, parent.quotas);
        self.tasks = parent.tasks;
    }

    pub(super) fn encode(&self) -> Result<Vec<u8>> {
        serde_json::to_vec(self)
            .map_err(|error| Error::new(Code::Died, "record", error.to_string()))
    }

    pub(super) fn decode(name: &str, bytes: &[u8]) -> Result<Record> {
        let mut record: Record = serde_json::from_slice(bytes).map_err(|error| {
            let why = match bytes.first() {
                Some(b'{') => error.to_string(),
                _ => "it is no record; is the store encrypted?".to_owned(),
            };
            Error::new(Code::Corrupt, "record", format!("{name}: {why}"))
        })?;
        if record.version > VERSION {
            let found = record.version;
            let message = format!("{name}: version {found}; this one reads up to {VERSION}");
            return Err(Error::new(Code::TooNew, "record", message));
        }
        record.version = VERSION;
        Ok(record)
    }

    /// Forgets holders whose time has run out; the last one's end counts as its release.
    pub(super) fn drop_lapsed(&mut self, now: u64) {
        let held = !self.holders.is_empty();
        self.holders.retain(|_, holder| holder.until >= now);
        if held && self.holders.is_empty() {
            self.released(now);
        }
    }

    /// What follows when nobody uses it any more.
    pub(super) fn action(&self) -> &OnLastRelease {
        self.asked.as_ref().unwrap_or(&self.on_last_release)
    }

    /// The last holder has gone.
    pub(super) fn released(&mut self, now: u64) {
        let acts = self.on_last_release != OnLastRelease::Keep;
        self.release_at = acts.then(|| now.saturating_add(self.grace_ms));
        self.used = now;
    }

    /// What is due, where nobody is doing it.
    pub(super) fn due(&self, state: State, now: u64) -> Option<Due> {
        if self.acting.as_ref().is_some_and(|(_, until)| *until >= now) {
            return None;
        }
        let passed = |time: Option<u64>| time.is_some_and(|time| time <= now);
        if passed(self.expires) {
            Some(Due::Expiry)
        } else if !self.holders.is_empty() {
            None
        } else if passed(self.release_at) {
            Some(Due::Release)
        } else if passed(self.idle_at(state)) {
            Some(Due::Idle)
        } else {
            None
        }
    }

    pub(super) fn idle_at(&self, state: State) -> Option<u64> {
        let idle = self.idle_ms.filter(|_| is_awake(state));
        idle.map(|idle| self.used.saturating_add(idle))
    }

    /// When somebody should look at it next.
    pub(super) fn deadline(&self, state: State) -> Option<u64> {
        let held = self.holders.values().map(|holder| holder.until).max();
        let free = match held {
            Some(until) => Some(until),
            None => [self.release_at, self.idle_at(state)]
                .into_iter()
                .flatten()
                .min(),
        };
        let warning = self.warning(state).map(|(_, at, _)| at);
        let first = [self.expires, free, warning].into_iter().flatten().min();
        // Whoever is at it is given the time.
        let first = match (first, &self.acting) {
            (Some(first), Some((_, until))) => Some(first.max(*until)),
            (first, _) => first,
        };
        [first, self.outbox.deadline()].into_iter().flatten().min()
    }
}

/// Whether somebody has it in memory, or had before a crash.
pub(super) fn is_awake(state: State) -> bool {
    matches!(state, State::Running | State::Suspending | State::Resuming)
}

/// What a branch came from.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Parent {
    /// The sandbox.
    pub name: String,
    /// Its state at that time.
    pub commit: ObjectId,
}

/// What is known of a sandbox. Times are milliseconds since 1970, by the store's clock.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct Info {
    /// Its name.
    pub name: String,
    /// Where it stands.
    pub state: State,
    /// Its last durable state.
    pub commit: Option<ObjectId>,
    /// Bytes in files, at the last durable state.
    pub bytes: u64,
    /// Files and directories, at the last durable state.
    pub files: u64,
    /// Where it came from; none for what a template made.
    pub parent: Option<Parent>,
    /// The version of a published template that it was made from: `NAME@NUMBER`.
    pub template: Option<String>,
    /// Who has it awake.
    pub owner: Option<String>,
    /// A text for people.
    pub title: Option<String>,
    /// A longer one.
    pub description: Option<String>,
    /// How it last came to be awake; that it was made, where it never was.
    pub bootup: Bootup,
    /// At most ten.
    pub tags: Vec<String>,
    /// Milliseconds without a lease after which it is suspended.
    pub idle_ms: Option<u64>,
    /// When it was made.
    pub created: u64,
    /// When its state last changed.
    pub changed: u64,
    /// When it was last used, as far as the store was told.
    pub used: u64,
    /// When it was last put to sleep.
    pub hibernated: Option<u64>,
    /// When it is to be deleted.
    pub expires: Option<u64>,
    /// Counted leases on it.
    pub leases: usize,
    /// What follows when the last of them is released.
    pub on_last_release: OnLastRelease,
    /// What happens to it when its owner crashed, where that is not left to the service.
    pub on_crash: Option<OnCrash>,
    /// Why what was due for it last failed; it is tried again.
    pub failure: Option<String>,
    /// Why it failed.
    pub reason: Option<String>,
    /// Its setup and how far that is.
    pub setup: Setup,
    /// Which earlier states are kept.
    pub retention: Retention,
    /// What is odd about its settings, in words.
    pub warnings: Vec<String>,
}

impl Info {
    pub(super) fn new(name: String, found: Ref, record: Record, size: (u64, u64)) -> Info {
        Info {
            name,
            state: found.state,
            commit: found.commit,
            bytes: size.0,
            files: size.1,
            parent: record.parent,
            template: record.template,
            owner: found.owner,
            title: record.title,
            description: record.description,
            bootup: record.bootup.unwrap_or(Bootup::Fork),
            tags: record.tags,
            idle_ms: record.idle_ms,
            warnings: warnings(record.idle_ms),
            created: found.created,
            changed: found.changed,
            used: record.used,
            hibernated: record.hibernated,
            expires: record.expires,
            leases: record.holders.len(),
            on_last_release: record.on_last_release,
            on_crash: record.on_crash,
            failure: record.failure,
            reason: found.reason,
            setup: record.setup,
            retention: record.retention,
        }
    }
}

fn warnings(idle_ms: Option<u64>) -> Vec<String> {
    let short = idle_ms.filter(|idle| *idle < SHORT_IDLE);
    let warning = |idle| format!("it is put to sleep after {idle} ms without use, which is short");
    short.map(warning).into_iter().collect()
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn record() -> Record {
        Record::new("base/box/1".to_owned(), ObjectId::default(), 0)
    }

    #[test]
    fn older_records_are_read_and_newer_ones_refused() {
        let bytes = record().encode().unwrap();
        let text = String::from_utf8(bytes).unwrap();
        let mut old: serde_json::Value = serde_json::from_str(&text).unwrap();
        let fields = [
            "version", "parent", "base_pin", "base", "born", "idle_ms", "title", "tags",
        ];
        old.as_object_mut()
            .unwrap()
            .retain(|name, _| fields.contains(&name.as_str()));
        old["version"] = 1.into();
        let read = Record::decode("box", old.to_string().as_bytes()).unwrap();
        assert_eq!(read, record());
        let newer = text.replacen("\"version\":2", "\"version\":3", 1);
        let refused = Record::decode("box", newer.as_bytes()).unwrap_err();
        assert_eq!(refused.code(), Code::TooNew);
    }

    #[test]
    fn what_is_due_and_when() {
        let holder = |until| Holder { since: 0, until };
        let held = [("a".to_owned(), holder(50)), ("b".to_owned(), holder(70))];
        let full = Record {
            idle_ms: Some(10),
            used: 20,
            holders: BTreeMap::from(held),
            on_last_release: OnLastRelease::Suspend,
            grace_ms: 5,
            ..record()
        };
        // Held: nothing but its end.
        assert_eq!(full.deadline(State::Running), Some(70));
        assert_eq!(full.due(State::Running, 60), None);
        let mut lapsed = full.clone();
        lapsed.drop_lapsed(71);
        assert_eq!(lapsed.deadline(State::Suspended), Some(76));
        assert_eq!(lapsed.due(State::Running, 75), None);
        assert_eq!(lapsed.due(State::Running, 76), Some(Due::Release));
        lapsed.acting = Some(("me".to_owned(), 100));
        assert_eq!(lapsed.due(State::Running, 90), None);
        assert_eq!(lapsed.deadline(State::Running), Some(100));
        // Idle counts while it is awake.
        let idle = Record {
            holders: BTreeMap::new(),
            ..full
        };
        assert_eq!(idle.due(State::Running, 30), Some(Due::Idle));
        assert_eq!(idle.due(State::Suspended, 30), None);
        let mortal = Record {
            expires: Some(25),
            ..idle
        };
        assert_eq!(mortal.due(State::Suspended, 25), Some(Due::Expiry));
        assert_eq!(mortal.deadline(State::Running), Some(25));
    }
}
