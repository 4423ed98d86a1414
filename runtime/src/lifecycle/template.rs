//! Templates: states that sandboxes are made from, by name and version.
//!
//! A version never changes and its number is never given again. Aliases name versions and can be
//! moved.

use super::create::{Origin, check_name};
use super::document::Document;
use super::options::CreateOptions;
use super::record::Record;
use super::service::Sandboxes;
use super::setup::SetupStatus;
use crate::error::{Code, Error, Result};
use offshoot_store::ObjectId;
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::time::Duration;

/// The longest alias, in bytes.
const LONGEST_ALIAS: usize = 64;

/// What is stored of a template.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Versions {
    version: u16,
    /// The last number that was given.
    last: u64,
    versions: BTreeMap<u64, Version>,
    aliases: BTreeMap<String, u64>,
}

#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
struct Version {
    created: u64,
    /// Who it is like: what a sandbox inherits, the commit that it is made from and its pin.
    record: Record,
}

impl Document for Versions {
    const KIND: &'static str = "template";
    const VERSION: u16 = 1;

    fn version(&self) -> u16 {
        self.version
    }
}

impl Versions {
    fn none() -> Versions {
        Versions {
            version: Versions::VERSION,
            last: 0,
            versions: BTreeMap::new(),
            aliases: BTreeMap::new(),
        }
    }

    /// Whether a pin is one of its versions'.
    pub(super) fn has_pin(&self, pin: &str) -> bool {
        let mut versions = self.versions.values();
        versions.any(|version| version.record.base_pin == pin)
    }

    /// The number that a version is named by: its number, an alias, or the newest where nothing is
    /// said.
    fn find(&self, named: Option<&str>) -> Option<u64> {
        let number = match named {
            None => *self.versions.keys().next_back()?,
            Some(named) => match named.parse() {
                Ok(number) => number,
                Err(_) => *self.aliases.get(named)?,
            },
        };
        self.versions.contains_key(&number).then_some(number)
    }
}

/// A version of a template.
#[derive(Debug, Clone, PartialEq, Eq)]
#[non_exhaustive]
pub struct TemplateVersion {
    /// The template's name.
    pub name: String,
    /// The version's number: 1 for the first.
    pub version: u64,
    /// Its aliases, in byte order.
    pub aliases: Vec<String>,
    /// What is in it.
    pub commit: ObjectId,
    /// Milliseconds since 1970.
    pub created: u64,
}

/// The templates of a store: states that any number of sandboxes are made from. See
/// [`Sandboxes::templates`].
///
/// Publish one where several sandboxes begin alike, with tools installed and a setup that has run:
/// whoever makes the next one does not wait for that. A version never changes; an alias says which one
/// is meant today.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Sandbox, lifecycle::{Origin, Sandboxes, Store}};
/// let sandboxes = Sandboxes::open(Store::memory());
/// sandboxes.create("draft", Origin::template(Sandbox::builder())).await?;
/// sandboxes.exec("draft", "echo ready > state").await?;
///
/// let templates = sandboxes.templates();
/// let version = templates.publish("draft", "base").await?.version;
/// templates.set_alias("base", "stable", version).await?;
///
/// sandboxes.create("one", Origin::published("base@stable")).await?;
/// assert_eq!(sandboxes.exec("one", "cat state").await?.stdout_text(), "ready\n");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Templates(Sandboxes);

impl Sandboxes {
    /// The templates of the store.
    pub fn templates(&self) -> Templates {
        Templates(self.clone())
    }
}

impl Templates {
    /// Keeps the present state of a sandbox as a new version of a template, which is made where it is
    /// missing. [`Origin::published`] makes sandboxes from it, which have its files and sessions,
    /// limits, tasks, and a setup that has run. The sandbox stays what it is.
    ///
    /// # Errors
    /// `INVALID` for a name that a sandbox could not have, `CONFLICT` where its setup is not finished
    /// or another process has it awake, `NOT_FOUND`, those of the store.
    pub async fn publish(&self, name: &str, template: &str) -> Result<TemplateVersion> {
        check_name(template)?;
        let commit = self.0.present(name).await?;
        let (_, like) = self.0.read(name).await?;
        let finished = like.setup.is_empty() || like.setup.status == SetupStatus::Finished;
        if !finished {
            let message =
                format!("{name}: its setup is not finished; what first runs in it waits for that");
            return Err(Error::new(Code::Conflict, "publish", message));
        }
        let created = self.0.blocking("publish", |store| store.now()).await?;
        let pin = format!("template/{template}/{created:x}-{}", self.0.nonce());
        self.0.pin("publish", &pin, commit).await?;
        let mut record = Record::new(pin.clone(), commit, 0);
        record.inherit(like);
        let version = Version { created, record };
        let add = move |known: &mut Versions| {
            known.last += 1;
            known.versions.insert(known.last, version.clone());
            Ok(())
        };
        let changed = self.0.change(template, Some(Versions::none()), add).await;
        let known = match changed {
            Ok(known) => known,
            Err(error) => {
                // Nobody knows of it.
                self.0
                    .blocking("publish", move |store| store.unpin(&pin))
                    .await?;
                return Err(error);
            }
        };
        // Others may have published since; it is known by its pin.
        let number = known
            .versions
            .iter()
            .find(|(_, version)| version.record.base_pin == pin)
            .map_or(known.last, |(number, _)| *number);
        info(template, &known, number).ok_or_else(|| missing(template, Some(&number.to_string())))
    }

    /// Makes a version of a template from an origin: a sandbox is made, set up as `options` say, shut
    /// down, published and deleted. One that a crash leaves behind is deleted by a
    /// [sweep](super::Maintenance::sweep) after `timeout`.
    ///
    /// # Errors
    /// `TIMEOUT` where the setup took longer than `timeout`, those of
    /// [`SetupControl::wait`](super::SetupControl::wait) with the output of a step that failed, of
    /// [`Sandboxes::create_with`] and of [`Templates::publish`]; then there is no new version.
    pub async fn build(
        &self,
        template: &str,
        origin: Origin,
        options: CreateOptions,
        timeout: Duration,
    ) -> Result<TemplateVersion> {
        check_name(template)?;
        let name = format!("{template}.build-{}", self.0.nonce());
        let options = options.time_to_live(timeout.max(Duration::from_secs(1)));
        self.0.create_with(&name, origin, options).await?;
        let built = async {
            self.0.setup(&name).wait(timeout).await?;
            self.0.shutdown(&name).await?;
            self.publish(&name, template).await
        };
        let built = built.await;
        self.0.delete(&name).await?;
        built
    }

    /// The names of all templates that have a version, in byte order.
    ///
    /// # Errors
    /// Those of the store.
    pub async fn list(&self) -> Result<Vec<String>> {
        let documents = self.0.documents::<Versions>().await?;
        let named = documents
            .into_iter()
            .filter(|(_, known)| !known.versions.is_empty());
        Ok(named.map(|(name, _)| name).collect())
    }

    /// The versions of a template, oldest first.
    ///
    /// # Errors
    /// `NOT_FOUND` where it never had one, those of the store.
    pub async fn versions(&self, template: &str) -> Result<Vec<TemplateVersion>> {
        let known = self.known(template).await?;
        let numbers = known.versions.keys();
        Ok(numbers
            .filter_map(|number| info(template, &known, *number))
            .collect())
    }

    /// Gives a version another name, which [`Origin::published`] takes; a version that had it loses it
    /// in the same step.
    ///
    /// # Errors
    /// `INVALID` for an alias that is a number, longer than 64 bytes, or has characters that no name
    /// has; `NOT_FOUND`, those of the store.
    pub async fn set_alias(&self, template: &str, alias: &str, version: u64) -> Result<()> {
        if check_name(alias).is_err() || alias.len() > LONGEST_ALIAS || alias.parse::<u64>().is_ok()
        {
            let message = format!("{alias:?} cannot be an alias");
            return Err(Error::new(Code::Invalid, "set_alias", message));
        }
        let (name, alias) = (template.to_owned(), alias.to_owned());
        let set = move |known: &mut Versions| {
            if !known.versions.contains_key(&version) {
                return Err(missing(&name, Some(&version.to_string())));
            }
            known.aliases.insert(alias.clone(), version);
            Ok(())
        };
        self.0.change(template, None, set).await.map(drop)
    }

    /// Forgets a version and its aliases; whether there was one. Sandboxes that were made from it are
    /// not affected.
    ///
    /// # Errors
    /// `NOT_FOUND` for a template that never was, those of the store.
    pub async fn remove(&self, template: &str, version: u64) -> Result<bool> {
        let before = self.known(template).await?;
        let Some(gone) = before.versions.get(&version) else {
            return Ok(false);
        };
        let pin = gone.record.base_pin.clone();
        let remove = move |known: &mut Versions| {
            known.versions.remove(&version);
            known.aliases.retain(|_, number| *number != version);
            Ok(())
        };
        self.0.change(template, None, remove).await?;
        self.0
            .blocking("remove_template", move |store| store.unpin(&pin))
            .await?;
        Ok(true)
    }

    /// The record that a sandbox from this version begins with, and the version's full name. `text`
    /// is `NAME`, `NAME@NUMBER` or `NAME@ALIAS`.
    pub(super) async fn published(&self, text: &str) -> Result<(Record, String)> {
        let (name, named) = match text.split_once('@') {
            Some((name, named)) => (name, Some(named)),
            None => (text, None),
        };
        let mut known = self.known(name).await?;
        let number = known.find(named).ok_or_else(|| missing(name, named))?;
        let version = known.versions.remove(&number);
        let version = version.ok_or_else(|| missing(name, named))?;
        Ok((version.record, format!("{name}@{number}")))
    }

    async fn known(&self, template: &str) -> Result<Versions> {
        self.0
            .change(template, None, |_: &mut Versions| Ok(()))
            .await
    }
}

fn info(template: &str, known: &Versions, number: u64) -> Option<TemplateVersion> {
    let version = known.versions.get(&number)?;
    let aliases = known.aliases.iter();
    let aliases = aliases.filter(|(_, named)| **named == number);
    Some(TemplateVersion {
        name: template.to_owned(),
        version: number,
        aliases: aliases.map(|(alias, _)| alias.clone()).collect(),
        commit: version.record.base,
        created: version.created,
    })
}

fn missing(template: &str, named: Option<&str>) -> Error {
    let message = match named {
        Some(named) => format!("{template} has no version {named}"),
        None => format!("{template} has no version"),
    };
    Error::new(Code::NotFound, "template", message)
}
