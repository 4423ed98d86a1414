//! Documents: small JSON in refs of their own, behind all sandboxes, which any process changes by
//! compare-and-swap.

use super::service::Sandboxes;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{Filter, Ref, Store, Swap};
use serde::Serialize;
use serde::de::DeserializeOwned;

/// What the names of their refs begin with, and the names of sandboxes cannot: the last of all
/// characters that a name could have.
pub(super) const PREFIX: char = '~';

/// How often a change starts again because somebody else was faster.
const ATTEMPTS: usize = 100;

/// Refs that are looked at in one step.
const PAGE: usize = 500;

/// What is stored under a name.
pub(super) trait Document:
    Clone + PartialEq + Serialize + DeserializeOwned + Send + 'static
{
    /// What it is, in refs and in errors.
    const KIND: &'static str;

    /// The newest version of the form that this program reads.
    const VERSION: u16;

    /// The version of the form that this one has.
    fn version(&self) -> u16;

    /// Whether something is left to do, for whoever looks next.
    fn is_due(&self) -> bool {
        false
    }
}

/// The name of a document's ref.
pub(super) fn key<D: Document>(name: &str) -> String {
    format!("{PREFIX}{}/{name}", D::KIND)
}

/// The name of the document that a ref of this name holds, where it is of this kind.
pub(super) fn name_in<D: Document>(key: &str) -> Option<&str> {
    key.strip_prefix(PREFIX)?
        .strip_prefix(D::KIND)?
        .strip_prefix('/')
}

pub(super) fn decode<D: Document>(key: &str, bytes: &[u8]) -> Result<D> {
    let document: D = serde_json::from_slice(bytes)
        .map_err(|error| Error::new(Code::Corrupt, D::KIND, format!("{key}: {error}")))?;
    let (found, newest) = (document.version(), D::VERSION);
    if found > newest {
        let message = format!("{key}: version {found}; this one reads up to {newest}");
        return Err(Error::new(Code::TooNew, D::KIND, message));
    }
    Ok(document)
}

pub(super) fn encode<D: Document>(document: &D) -> Result<Vec<u8>> {
    serde_json::to_vec(document).map_err(|error| Error::new(Code::Died, D::KIND, error.to_string()))
}

impl Sandboxes {
    /// Stores a new document.
    ///
    /// # Errors
    /// `CONFLICT` where there is one of this name, those of the store.
    pub(super) async fn start<D: Document>(&self, name: &str, document: D) -> Result<()> {
        let key = key::<D>(name);
        self.own_blocking(D::KIND, move |store| swap(store, &key, None, &document))
            .await
    }

    /// All documents of a kind, by name.
    ///
    /// # Errors
    /// Those of the store.
    pub(super) async fn documents<D: Document>(&self) -> Result<Vec<(String, D)>> {
        self.own_blocking(D::KIND, |store| {
            // All refs behind this one begin with it, until one does not.
            let mut last = key::<D>("");
            let mut found = Vec::new();
            loop {
                let page = store.list(&Filter::default(), Some(&last), PAGE);
                let page = page.map_err(|error| Error::store(D::KIND, &error))?;
                let full = page.len() == PAGE;
                for (key, each) in page {
                    let Some(name) = name_in::<D>(&key) else {
                        return Ok(found);
                    };
                    found.push((name.to_owned(), decode(&key, &each.data)?));
                    last = key;
                }
                if !full {
                    return Ok(found);
                }
            }
        })
        .await
    }

    /// Changes a document in one step, and returns it as it is then. One that is missing is made
    /// from `missing`.
    ///
    /// # Errors
    /// `NOT_FOUND` where it is missing and there is nothing to make it from, those of `change`, those
    /// of the store.
    pub(super) async fn change<D: Document>(
        &self,
        name: &str,
        missing: Option<D>,
        change: impl Fn(&mut D) -> Result<()> + Send + 'static,
    ) -> Result<D> {
        let (name, key) = (name.to_owned(), key::<D>(name));
        self.own_blocking(D::KIND, move |store| {
            for _ in 0..ATTEMPTS {
                let found = store.refs().read(&key);
                let found = found.map_err(|error| Error::store(D::KIND, &error))?;
                let before = found.as_ref().map(|found| decode(&key, &found.data));
                let before = before.transpose()?.or_else(|| missing.clone());
                let before: D = before.ok_or_else(|| {
                    let message = format!("no {} is called {name}", D::KIND);
                    Error::new(Code::NotFound, D::KIND, message)
                })?;
                let mut document = before.clone();
                change(&mut document)?;
                if found.is_some() && document == before {
                    return Ok(document);
                }
                match swap(store, &key, found.as_ref(), &document) {
                    Ok(()) => return Ok(document),
                    Err(error) if error.code() == Code::Conflict => {}
                    Err(error) => return Err(error),
                }
            }
            let message = format!("{name} was changed by others again and again");
            Err(Error::new(Code::Conflict, D::KIND, message).with_retryable(true))
        })
        .await
    }
}

/// Puts a document in the place of what was found there.
fn swap<D: Document>(store: &Store, key: &str, found: Option<&Ref>, document: &D) -> Result<()> {
    let failed = |error: offshoot_store::Error| Error::store(D::KIND, &error);
    let now = store.now().map_err(failed)?;
    let mut new = match found {
        Some(found) => Ref {
            seq: found.seq + 1,
            changed: now,
            ..found.clone()
        },
        None => Ref::pending(None, now),
    };
    new.deadline = document.is_due().then_some(now);
    new.data = encode(document)?;
    let swap = Swap {
        name: key,
        expected: found.map(Ref::version),
        new: &new,
    };
    store.refs().swap(swap).map_err(failed)
}
