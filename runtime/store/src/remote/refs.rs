//! Refs as objects that are replaced under the condition that nobody else did.

use std::sync::{Arc, Mutex, PoisonError};
use std::time::{Duration, Instant};

use futures::{StreamExt, TryStreamExt};
use object_store::{ObjectStore, ObjectStoreExt, PutMode, UpdateVersion};
use serde::{Deserialize, Serialize};

use super::{Remote, RemoteOptions, failed, lost, unique};
use crate::{Error, Filter, Pin, Ref, Refs, Result, Swap, Version};

/// Reads at once for one page of a listing.
const AT_ONCE: usize = 16;

/// Refs in an object store that honours `If-Match` and `If-None-Match`. Clones are handles on the same
/// store.
#[derive(Clone)]
pub struct RemoteRefs(Arc<Inner>);

struct Inner {
    remote: Remote,
    options: RemoteOptions,
    /// The service's time at a moment of this process.
    clock: Mutex<Option<(Instant, u64)>>,
}

/// What is stored for a ref. The service tells contents apart by their hash, so each has
/// something that no other has.
#[derive(Serialize, Deserialize)]
struct Record<T> {
    unique: String,
    /// None where it was removed: removing the key itself could hit what somebody made anew.
    value: Option<T>,
}

impl RemoteRefs {
    /// The refs below `prefix`.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE`, also where the service ignores conditions.
    pub fn new(
        store: Arc<dyn ObjectStore>,
        prefix: &str,
        options: RemoteOptions,
    ) -> Result<RemoteRefs> {
        let refs = RemoteRefs(Arc::new(Inner {
            remote: Remote::new(store, prefix)?,
            options,
            clock: Mutex::default(),
        }));
        refs.require_conditions()?;
        Ok(refs)
    }

    /// Tries both conditions: a service that ignores one would lose refs without a word.
    fn require_conditions(&self) -> Result<()> {
        let remote = &self.0.remote;
        let path = remote.path("probe", &unique());
        let put = |mode| remote.put(&path, unique().into_bytes(), mode);
        let failed = |error: object_store::Error| failed("try conditional writes", &error);
        put(PutMode::Create).map_err(failed)?;
        let made_twice = put(PutMode::Create).is_ok();
        let (_, version) = remote.get(&path)?.ok_or_else(|| Error::Unavailable {
            operation: "try conditional writes",
            message: "what was written is not there".into(),
            retry: true,
        })?;
        put(PutMode::Update(version.clone())).map_err(failed)?;
        let stale = put(PutMode::Update(version)).is_ok();
        remote.delete(&path)?;
        if made_twice || stale {
            return Err(Error::Unavailable {
                operation: "try conditional writes",
                message: "the service ignores conditions".into(),
                retry: false,
            });
        }
        Ok(())
    }

    fn load<T: serde::de::DeserializeOwned>(
        &self,
        folder: &str,
        name: &str,
    ) -> Result<Option<(Option<T>, UpdateVersion)>> {
        let remote = &self.0.remote;
        let found = remote.get(&remote.path(folder, &hex(name)))?;
        let Some((bytes, version)) = found else {
            return Ok(None);
        };
        Ok(Some((decode(folder, name, &bytes)?, version)))
    }

    fn save<T: Serialize>(
        &self,
        folder: &str,
        name: &str,
        value: Option<T>,
        mode: PutMode,
    ) -> Result<()> {
        let record = Record {
            unique: unique(),
            value,
        };
        let bytes = postcard::to_stdvec(&record).map_err(|_| Error::Limit {
            what: "size of a ref",
        })?;
        let remote = &self.0.remote;
        let put = remote.put(&remote.path(folder, &hex(name)), bytes, mode);
        put.map_err(|error| {
            if lost(&error) {
                changed(name)
            } else {
                failed("write ref", &error)
            }
        })
    }

    /// Replaces what is there where it is of this version.
    fn replace(&self, name: &str, expected: Option<Version>, new: Option<&Ref>) -> Result<()> {
        let found = self.load::<Ref>("refs", name)?;
        let (present, mode) = match found {
            Some((present, version)) => (present, PutMode::Update(version)),
            None => (None, PutMode::Create),
        };
        if present.as_ref().map(Ref::version) != expected {
            return Err(changed(name));
        }
        self.save("refs", name, new, mode)
    }
}

impl Refs for RemoteRefs {
    fn now(&self) -> Result<u64> {
        let inner = &self.0;
        let known = || *inner.clock.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some((moment, time)) = known()
            && moment.elapsed() < inner.options.clock_check
        {
            return Ok(time + millis(moment.elapsed()));
        }
        let failed = |error: object_store::Error| failed("read the service's clock", &error);
        let remote = &inner.remote;
        let path = remote.path("clock", &unique());
        remote
            .put(&path, unique().into_bytes(), PutMode::Overwrite)
            .map_err(failed)?;
        let (store, at) = (Arc::clone(&remote.store), path.clone());
        let meta = remote.bridge.wait(async move { store.head(&at).await });
        let time = meta.map_err(failed)?.last_modified.timestamp_millis();
        remote.delete(&path)?;
        let time = u64::try_from(time).unwrap_or(0);
        let mut clock = inner.clock.lock().unwrap_or_else(PoisonError::into_inner);
        *clock = Some((Instant::now(), time));
        Ok(time)
    }

    fn read(&self, name: &str) -> Result<Option<Ref>> {
        Ok(self.load("refs", name)?.and_then(|(found, _)| found))
    }

    fn swap(&self, swap: Swap<'_>) -> Result<()> {
        self.replace(swap.name, swap.expected, Some(swap.new))
    }

    fn forget(&self, name: &str, expected: Version) -> Result<()> {
        self.replace(name, Some(expected), None)
    }

    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        let remote = &self.0.remote;
        let names = remote
            .list("refs")?
            .into_iter()
            .filter_map(|(name, _)| unhex(&name));
        let wanted = |name: &String| {
            name.starts_with(&filter.prefix) && after.is_none_or(|after| name.as_str() > after)
        };
        let names: Vec<String> = names.filter(wanted).collect();
        let mut page = Vec::new();
        for names in names.chunks(AT_ONCE) {
            if page.len() >= limit {
                break;
            }
            let store = Arc::clone(&remote.store);
            let paths: Vec<_> = names
                .iter()
                .map(|name| remote.path("refs", &hex(name)))
                .collect();
            let read = remote.bridge.wait(async move {
                let read = |path| {
                    let store = Arc::clone(&store);
                    async move {
                        match store.get(&path).await {
                            Ok(found) => Ok(Some(found.bytes().await?)),
                            Err(object_store::Error::NotFound { .. }) => Ok(None),
                            Err(error) => Err(error),
                        }
                    }
                };
                let all = futures::stream::iter(paths).map(read).buffered(AT_ONCE);
                all.try_collect::<Vec<_>>().await
            });
            let read = read.map_err(|error| failed("list refs", &error))?;
            for (name, bytes) in names.iter().zip(read) {
                let Some(bytes) = bytes else { continue };
                if let Some(found) = decode::<Ref>("refs", name, &bytes)?
                    && filter.matches(name, &found)
                {
                    page.push((name.clone(), found));
                }
            }
        }
        page.truncate(limit);
        Ok(page)
    }

    fn pin(&self, pin: &Pin) -> Result<()> {
        self.save("pins", &pin.name, Some(pin), PutMode::Overwrite)
    }

    fn unpin(&self, name: &str) -> Result<bool> {
        match self.load::<Pin>("pins", name)? {
            Some((Some(_), version)) => {
                self.save::<Pin>("pins", name, None, PutMode::Update(version))?;
                Ok(true)
            }
            _ => Ok(false),
        }
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        let mut pins = Vec::new();
        for (name, _) in self.0.remote.list("pins")? {
            let Some(name) = unhex(&name) else { continue };
            if let Some((Some(pin), _)) = self.load("pins", &name)? {
                pins.push(pin);
            }
        }
        Ok(pins)
    }

    fn gc_epoch(&self) -> Result<u64> {
        let found = self.load::<u64>("state", "gc-epoch")?;
        Ok(found.and_then(|(epoch, _)| epoch).unwrap_or(0))
    }

    fn advance_gc_epoch(&self) -> Result<u64> {
        loop {
            let (epoch, mode) = match self.load::<u64>("state", "gc-epoch")? {
                Some((epoch, version)) => (epoch.unwrap_or(0), PutMode::Update(version)),
                None => (0, PutMode::Create),
            };
            match self.save("state", "gc-epoch", Some(epoch + 1), mode) {
                Err(Error::Conflict { .. }) => {}
                done => return done.map(|()| epoch + 1),
            }
        }
    }

    fn settle(&self) -> Duration {
        self.0.options.settle
    }
}

fn millis(duration: Duration) -> u64 {
    u64::try_from(duration.as_millis()).unwrap_or(u64::MAX)
}

fn changed(name: &str) -> Error {
    Error::conflict(format!("ref {name:?} was changed meanwhile"))
}

fn decode<T: serde::de::DeserializeOwned>(
    folder: &str,
    name: &str,
    bytes: &[u8],
) -> Result<Option<T>> {
    let record: Record<T> = postcard::from_bytes(bytes).map_err(|_| Error::Corrupt {
        what: format!("{folder}/{name}"),
        reason: "it makes no sense",
    })?;
    Ok(record.value)
}

/// A name as hexadecimal digits, which every service takes and which sort as the name does.
fn hex(name: &str) -> String {
    name.bytes().map(|byte| format!("{byte:02x}")).collect()
}

fn unhex(digits: &str) -> Option<String> {
    let byte = |at| u8::from_str_radix(digits.get(at..at + 2)?, 16).ok();
    let bytes: Option<Vec<u8>> = (0..digits.len()).step_by(2).map(byte).collect();
    String::from_utf8(bytes?).ok()
}
