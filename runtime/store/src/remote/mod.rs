//! Stores on what the `object_store` crate reaches: S3 and what speaks like it, Google's and Azure's
//! storage, a local directory.
//!
//! | key | what |
//! |---|---|
//! | `packs/ID` | payloads of the objects that one write brought, one after the other |
//! | `index/ID` | which objects these are, and where; written after the pack, which makes it visible |
//! | `condemned/ID` | copies of objects that the collector has condemned |
//! | `refs/NAME`, `pins/NAME` | one each, names in hexadecimal digits |
//! | `gc-epoch`, `clock` | the collector's epoch; what the store's time is read from |
//!
//! Keys of packs are never used twice, so everything but refs, pins and the epoch is immutable, and two
//! writers cannot get into each other's way. Refs need a service that honours `If-Match` and
//! `If-None-Match`; a local directory does not, so its refs go to SQLite.

mod bridge;
mod index;
mod objects;
mod refs;

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::Duration;

use object_store::path::Path;
use object_store::{ObjectStore, ObjectStoreExt, PutMode, PutOptions, UpdateVersion};

use crate::{Durability, Error, Result};
use bridge::Bridge;
pub use objects::RemoteObjects;
pub use refs::RemoteRefs;

/// How remote stores work.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct RemoteOptions {
    /// What an acknowledgement means there.
    pub durability: Durability,
    /// The longest that a writer may take between its last look at the collector's epoch and
    /// the moment when the service has changed the ref. The collector waits as long.
    pub settle: Duration,
    /// For how long this process's clock is believed to run as fast as the service's.
    pub clock_check: Duration,
}

impl Default for RemoteOptions {
    /// Replicated; one minute each.
    fn default() -> RemoteOptions {
        RemoteOptions {
            durability: Durability::Replicated,
            settle: Duration::from_secs(60),
            clock_check: Duration::from_secs(60),
        }
    }
}

/// A service and the way to wait for it.
#[derive(Clone)]
struct Remote {
    store: Arc<dyn ObjectStore>,
    prefix: Path,
    bridge: Arc<Bridge>,
}

impl Remote {
    fn new(store: Arc<dyn ObjectStore>, prefix: &str) -> Result<Remote> {
        Ok(Remote {
            store,
            prefix: Path::from(prefix),
            bridge: Arc::new(Bridge::new()?),
        })
    }

    fn path(&self, folder: &str, name: &str) -> Path {
        let folder = self.prefix.clone().join(folder);
        if name.is_empty() {
            folder
        } else {
            folder.join(name)
        }
    }

    fn put(&self, path: &Path, bytes: Vec<u8>, mode: PutMode) -> Result<(), object_store::Error> {
        let (store, path) = (Arc::clone(&self.store), path.clone());
        self.bridge.wait(async move {
            let options = PutOptions::from(mode);
            store.put_opts(&path, bytes.into(), options).await.map(drop)
        })
    }

    /// Content and version; none where there is nothing.
    fn get(&self, path: &Path) -> Result<Option<(Vec<u8>, UpdateVersion)>> {
        let (store, path) = (Arc::clone(&self.store), path.clone());
        let found = self.bridge.wait(async move {
            let found = store.get(&path).await?;
            let version = UpdateVersion {
                e_tag: found.meta.e_tag.clone(),
                version: found.meta.version.clone(),
            };
            Ok((found.bytes().await?.to_vec(), version))
        });
        match found {
            Ok(found) => Ok(Some(found)),
            Err(object_store::Error::NotFound { .. }) => Ok(None),
            Err(error) => Err(failed("read", &error)),
        }
    }

    /// Names in a folder, with the time of each by the service's clock.
    fn list(&self, folder: &str) -> Result<Vec<(String, u64)>> {
        use futures::TryStreamExt;
        let (store, path) = (Arc::clone(&self.store), self.path(folder, ""));
        let listed: Result<Vec<_>, _> = self
            .bridge
            .wait(async move { store.list(Some(&path)).try_collect().await });
        let name = |meta: object_store::ObjectMeta| {
            let time = u64::try_from(meta.last_modified.timestamp_millis()).unwrap_or(0);
            Some((meta.location.filename()?.to_owned(), time))
        };
        let listed = listed.map_err(|error| failed("list", &error))?;
        let mut names: Vec<_> = listed.into_iter().filter_map(name).collect();
        // Not every store lists in order.
        names.sort_unstable();
        Ok(names)
    }

    fn delete(&self, path: &Path) -> Result<()> {
        let (store, path) = (Arc::clone(&self.store), path.clone());
        match self.bridge.wait(async move { store.delete(&path).await }) {
            Ok(()) | Err(object_store::Error::NotFound { .. }) => Ok(()),
            Err(error) => Err(failed("delete", &error)),
        }
    }
}

/// A name that nobody else uses.
fn unique() -> String {
    use std::hash::{BuildHasher, RandomState};
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let mut hasher = blake3::Hasher::new();
    // Keys of the standard library's hash tables come from the operating system's randomness.
    for _ in 0..4 {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        hasher.update(&RandomState::new().hash_one(number).to_le_bytes());
    }
    hasher.update(&std::process::id().to_le_bytes());
    hasher.finalize().to_hex()[..32].to_owned()
}

fn failed(operation: &'static str, error: &object_store::Error) -> Error {
    use object_store::Error as E;
    let permanent = matches!(
        error,
        E::NotImplemented { .. }
            | E::NotSupported { .. }
            | E::PermissionDenied { .. }
            | E::Unauthenticated { .. }
            | E::UnknownConfigurationKey { .. }
    );
    Error::Unavailable {
        operation,
        message: error.to_string(),
        retry: !permanent,
    }
}

/// Whether somebody else was faster.
fn lost(error: &object_store::Error) -> bool {
    use object_store::Error as E;
    // A service may answer that what must match is not there at all.
    matches!(
        error,
        E::AlreadyExists { .. } | E::Precondition { .. } | E::NotFound { .. }
    )
}
