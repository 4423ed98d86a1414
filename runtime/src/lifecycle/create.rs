//! Making sandboxes: from a description, from another one, from the past, from a template.

use super::event::EventKind;
use super::options::CreateOptions;
use super::point::Point;
use super::record::{Info, Parent, Record};
use super::service::Sandboxes;
use crate::Builder;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{ObjectId, Pin, Ref, State, Swap};
use std::collections::BTreeMap;
use std::fmt;

/// The longest name of a sandbox, in bytes.
const LONGEST_NAME: usize = 128;

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

    /// A version of a template that was [published](super::Templates::publish): `NAME` for the newest,
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

impl Sandboxes {
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
                let (like, version) = self.templates().published(&text).await?;
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

    /// The name of a pin for what a sandbox is made from. It has the time in it, by which one that a
    /// crash left behind is known.
    async fn base_pin(&self, name: &str) -> Result<String> {
        let now = self.blocking("create", |store| store.now()).await?;
        Ok(format!("base/{name}/{now:x}-{}", self.nonce()))
    }
}

pub(super) fn check_name(name: &str) -> Result<()> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || b"._-".contains(&byte);
    if name.is_empty() || name.len() > LONGEST_NAME || !name.bytes().all(plain) {
        let message = format!("{name:?}: a name has letters, digits, '.', '_' and '-'");
        return Err(Error::new(Code::Invalid, "create", message));
    }
    Ok(())
}
