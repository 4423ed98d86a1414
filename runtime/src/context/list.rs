//! The contexts of a sandbox, and what they hold when it is forked or suspended.

use super::captured::{Holds, Kept, Taking};
use super::{Context, Inner};
use crate::error::{Code, Error, Result};
use crate::sandbox::Sandbox;
use bytes::Bytes;
use offshoot_kernel::HeldMemory;
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

/// The contexts of a sandbox.
#[derive(Default)]
pub(crate) struct Contexts(Mutex<Lists>);

#[derive(Default)]
struct Lists {
    /// Those that somebody has.
    alive: BTreeMap<String, Weak<Inner>>,
    /// Those that came with a fork or from a store, until the first cell runs in them here, and the memory of the
    /// sandbox that they count as.
    kept: BTreeMap<String, (Kept, Option<HeldMemory>)>,
}

impl Contexts {
    fn lock(&self) -> MutexGuard<'_, Lists> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn add(&self, context: &Context) {
        let (id, weak) = (context.0.id.clone(), Arc::downgrade(&context.0));
        self.lock().alive.insert(id, weak);
    }

    /// Whoever has a context that was kept decides from now on how long it lives.
    pub(super) fn forget(&self, id: &str) {
        self.lock().kept.remove(id);
    }

    pub(super) fn remove(&self, id: &str) {
        let mut lists = self.lock();
        lists.alive.remove(id);
        lists.kept.remove(id);
    }

    /// The last handle on a context is gone.
    pub(super) fn drop_from(&self, inner: &Inner) {
        let mut lists = self.lock();
        let found = lists.alive.get(&inner.id);
        if found.is_some_and(|weak| std::ptr::eq(weak.as_ptr(), inner)) {
            lists.alive.remove(&inner.id);
        }
    }

    fn living(&self) -> Vec<Context> {
        let lists = self.lock();
        let alive = lists.alive.values().filter_map(Weak::upgrade);
        alive.map(Context).collect()
    }

    /// The context of this id, where there is one.
    fn find(&self, sandbox: &Sandbox, id: &str) -> Option<Context> {
        let mut lists = self.lock();
        if let Some(inner) = lists.alive.get(id).and_then(Weak::upgrade) {
            return Some(Context(inner));
        }
        let context = lists.kept.get(id)?.0.open(sandbox);
        let weak = Arc::downgrade(&context.0);
        lists.alive.insert(id.to_owned(), weak);
        Some(context)
    }
}

impl Sandbox {
    /// The contexts that are there, with those that came with a fork or a suspend.
    pub fn contexts(&self) -> Vec<Context> {
        let list = self.context_list();
        let ids: Vec<String> = {
            let lists = list.lock();
            lists.kept.keys().cloned().collect()
        };
        let mut found: BTreeMap<String, Context> = list
            .living()
            .into_iter()
            .map(|context| (context.id().to_owned(), context))
            .collect();
        for id in ids {
            if !found.contains_key(&id)
                && let Some(context) = list.find(self, &id)
            {
                found.insert(id, context);
            }
        }
        found.into_values().collect()
    }

    /// The context of this id. One that came with a fork or a suspend starts with its first cell.
    ///
    /// # Errors
    /// `NOT_FOUND` for one that was closed or dropped, or that is another sandbox's.
    pub fn find_context(&self, id: &str) -> Result<Context> {
        self.context_list().find(self, id).ok_or_else(|| {
            let message = format!("there is no context {id:?} here");
            Error::new(Code::NotFound, "context", message)
        })
    }

    /// What its contexts hold now, as far as that is to be taken. One whose cell runs, or that has something open, is there without it and says so
    /// when it is used.
    pub(crate) fn kept_contexts(&self, taking: Taking) -> BTreeMap<String, Kept> {
        let list = self.context_list();
        let mut kept: BTreeMap<String, Kept> = {
            let lists = list.lock();
            let kept = lists.kept.iter();
            kept.map(|(id, (kept, _))| (id.clone(), kept.clone()))
                .collect()
        };
        for context in list.living() {
            let id = context.id().to_owned();
            if context.alive().is_ok() {
                kept.insert(id, context.keep(taking));
            }
        }
        kept
    }

    /// Has these contexts from now on. What they hold counts as memory until their first cell; one that does not fit
    /// is there without it, and says so.
    pub(crate) fn set_contexts(&self, kept: BTreeMap<String, Kept>) {
        if kept.is_empty() {
            return;
        }
        let counted = kept.into_iter().map(|(id, kept)| {
            let counted = match self.hold_memory(kept.holds.size()) {
                Ok(held) => (kept, Some(held)),
                Err(error) => {
                    let holds = Holds::Lost(error.message().to_owned());
                    (Kept { holds, ..kept }, None)
                }
            };
            (id, counted)
        });
        self.context_list().lock().kept = counted.collect();
    }

    /// Counts so many bytes that a context holds as memory of the sandbox.
    ///
    /// # Errors
    /// `LIMIT` where it has not that many left.
    pub(super) fn hold_memory(&self, bytes: u64) -> Result<HeldMemory> {
        self.kernel().hold(bytes).map_err(|_| {
            let message =
                format!("what a context holds, {bytes} bytes, does not fit into total_memory");
            Error::new(Code::Limit, "context", message)
        })
    }

    /// What its contexts hold, as bytes by their ids.
    ///
    /// # Errors
    /// `DIED` where they do not fit into memory.
    pub(crate) fn stored_contexts(&self, taking: Taking) -> Result<Vec<(String, Bytes)>> {
        let kept = self.kept_contexts(taking).into_iter();
        kept.map(|(id, kept)| Ok((id, kept.to_bytes()?))).collect()
    }

    /// Has the contexts that were stored. One that cannot be read is there without what it held, and says so.
    pub(crate) fn load_contexts(&self, stored: impl IntoIterator<Item = (String, Bytes)>) {
        let read = |(id, bytes): (String, Bytes)| {
            let kept = match Kept::from_bytes(&bytes) {
                Ok(kept) => Kept {
                    id: id.clone(),
                    ..kept
                },
                Err(error) => Kept {
                    id: id.clone(),
                    holds: Holds::Lost(error.message().to_owned()),
                    ..Kept::default()
                },
            };
            (id, kept)
        };
        self.set_contexts(stored.into_iter().map(read).collect());
    }
}
