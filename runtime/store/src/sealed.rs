//! Refs on a medium that somebody else can write to: what the caller keeps with them is encrypted,
//! and everything they say is bound to it.
//!
//! A ref that was changed without the key is refused, and so is one that is older than what this
//! process has seen. Across processes, whoever wants to find an older store that was put back whole
//! keeps [`SealedRefs::known`] elsewhere.

use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use crate::cipher::Cipher;
use crate::{
    Error, Filter, Key, Object, Objects, Pin, Presence, Published, Ref, Refs, Result, Swap, Version,
};

/// What was last seen of a ref.
#[derive(Debug, Clone, Copy, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Known {
    /// Its version.
    pub version: Version,
    /// When it had changed, by the store's clock.
    pub changed: u64,
}

/// Refs of another store, sealed with a key.
///
/// Names, states, owners and times stay readable, since stores search by them. Pins are kept as they
/// are. See [`crate::Store::encrypted`].
pub struct SealedRefs {
    inner: Arc<dyn Refs>,
    cipher: Cipher,
    known: Mutex<BTreeMap<String, Known>>,
}

impl SealedRefs {
    /// Seals what `inner` keeps.
    pub fn new(inner: Arc<dyn Refs>, key: &Key) -> SealedRefs {
        SealedRefs {
            inner,
            cipher: Cipher::new(key, "refs"),
            known: Mutex::default(),
        }
    }

    /// The newest that was seen of each ref.
    pub fn known(&self) -> BTreeMap<String, Known> {
        self.lock().clone()
    }

    /// Has older ones than these refused from now on.
    pub fn expect(&self, known: BTreeMap<String, Known>) {
        let mut seen = self.lock();
        for (name, known) in known {
            let newest = seen.entry(name).or_insert(known);
            if newest.version < known.version {
                *newest = known;
            }
        }
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Known>> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn seal(&self, name: &str, new: &Ref) -> Result<Ref> {
        let data = self.cipher.encrypt(&bound(name, new)?, &new.data)?;
        Ok(Ref {
            data,
            ..new.clone()
        })
    }

    fn open(&self, name: &str, found: Ref) -> Result<Ref> {
        let data = self.cipher.decrypt(&bound(name, &found)?, &found.data)?;
        self.note(name, &found)?;
        Ok(Ref { data, ..found })
    }

    /// Refuses what is older than what was seen, unless it was made anew since.
    fn note(&self, name: &str, found: &Ref) -> Result<()> {
        let (version, changed) = (found.version(), found.changed);
        let mut seen = self.lock();
        let new = Known { version, changed };
        let newest = seen.entry(name.to_owned()).or_insert(new);
        if version < newest.version && found.created <= newest.changed {
            return Err(Error::RolledBack {
                found: version.epoch,
                expected: newest.version.epoch,
            });
        }
        *newest = new;
        Ok(())
    }

    /// Runs a change with the sealed form of what a ref becomes, and remembers that.
    fn with(&self, swap: Swap<'_>, run: impl FnOnce(Swap<'_>) -> Result<()>) -> Result<()> {
        let sealed = self.seal(swap.name, swap.new)?;
        run(Swap {
            new: &sealed,
            ..swap
        })?;
        self.remember(swap.name, swap.new);
        Ok(())
    }

    fn remember(&self, name: &str, new: &Ref) {
        let (version, changed) = (new.version(), new.changed);
        let new = Known { version, changed };
        let mut seen = self.lock();
        // Somebody who was faster may have read a later one already.
        let newest = seen.entry(name.to_owned()).or_insert(new);
        if newest.version < version {
            *newest = new;
        }
    }
}

/// What a ref says beside the caller's data, as it is bound to that.
fn bound(name: &str, found: &Ref) -> Result<Vec<u8>> {
    let rest = Ref {
        data: Vec::new(),
        ..found.clone()
    };
    postcard::to_stdvec(&(name, rest)).map_err(|_| Error::Limit {
        what: "size of a ref",
    })
}

impl Refs for SealedRefs {
    fn now(&self) -> Result<u64> {
        self.inner.now()
    }

    fn read(&self, name: &str) -> Result<Option<Ref>> {
        let found = self.inner.read(name)?;
        found.map(|found| self.open(name, found)).transpose()
    }

    fn swap(&self, swap: Swap<'_>) -> Result<()> {
        self.with(swap, |sealed| self.inner.swap(sealed))
    }

    fn swap_soon(&self, swap: Swap<'_>) -> Result<()> {
        self.with(swap, |sealed| self.inner.swap_soon(sealed))
    }

    fn make(&self, refs: &[(String, Ref)], pins: &[Pin]) -> Result<()> {
        let seal = |(name, new): &(String, Ref)| Ok((name.clone(), self.seal(name, new)?));
        let sealed: Result<Vec<_>> = refs.iter().map(seal).collect();
        self.inner.make(&sealed?, pins)?;
        refs.iter().for_each(|(name, new)| self.remember(name, new));
        Ok(())
    }

    fn forget(&self, name: &str, expected: Version) -> Result<()> {
        self.inner.forget(name, expected)?;
        self.lock().remove(name);
        Ok(())
    }

    fn list(
        &self,
        filter: &Filter,
        after: Option<&str>,
        limit: usize,
    ) -> Result<Vec<(String, Ref)>> {
        let found = self.inner.list(filter, after, limit)?.into_iter();
        let open = |(name, found): (String, Ref)| {
            let found = self.open(&name, found)?;
            Ok((name, found))
        };
        found.map(open).collect()
    }

    fn pin(&self, pin: &Pin) -> Result<()> {
        self.inner.pin(pin)
    }

    fn unpin(&self, name: &str) -> Result<bool> {
        self.inner.unpin(name)
    }

    fn pins(&self) -> Result<Vec<Pin>> {
        self.inner.pins()
    }

    fn pins_of(&self, prefix: &str) -> Result<Vec<Pin>> {
        self.inner.pins_of(prefix)
    }

    fn gc_epoch(&self) -> Result<u64> {
        self.inner.gc_epoch()
    }

    fn advance_gc_epoch(&self) -> Result<u64> {
        self.inner.advance_gc_epoch()
    }

    fn announce(&self, owner: &str) -> Result<Option<Presence>> {
        self.inner.announce(owner)
    }

    fn is_gone(&self, owner: &str) -> bool {
        self.inner.is_gone(owner)
    }

    fn settle(&self) -> std::time::Duration {
        self.inner.settle()
    }

    fn publish(
        &self,
        objects: &dyn Objects,
        batch: &[Object],
        gc_epoch: u64,
        swap: Swap<'_>,
    ) -> Result<Published> {
        let sealed = self.seal(swap.name, swap.new)?;
        let sealed = Swap {
            new: &sealed,
            ..swap
        };
        let published = self.inner.publish(objects, batch, gc_epoch, sealed)?;
        if published != Published::Moved {
            self.remember(swap.name, swap.new);
        }
        Ok(published)
    }
}
