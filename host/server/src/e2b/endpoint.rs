//! The endpoint: what it is made of, its routes, its end.

use super::access::{self, Keys};
use super::durable::Durability;
use super::entry::Entry;
use super::failure::Failure;
use super::record::{Kind, Record};
use super::share::{self, Share};
use super::{control, files, interpreter, process};
use crate::connection::{self, Patience};
use crate::error::{Error, Result};
use crate::web::{Request, Response};
use offshoot::lifecycle::Sandboxes;
use std::collections::BTreeMap;
use std::fmt;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::net::TcpListener;

/// The template that the SDKs ask for where none is named.
const USUAL_TEMPLATE: &str = "base";

/// How many sandboxes are read from the store at once.
const PAGE: usize = 256;

/// Describes the sandboxes of a template.
pub(super) type Template = Arc<dyn Fn() -> offshoot::Builder + Send + Sync>;

/// Speaks E2B's control plane and envd over virtual sandboxes; clones are the same endpoint.
///
/// Its sandboxes live in a [`Sandboxes`] service, beside others that may be there. It expects to be
/// the only endpoint on that store.
#[derive(Clone)]
pub struct Endpoint(pub(super) Arc<Inner>);

pub(super) struct Inner {
    pub(super) sandboxes: Sandboxes,
    keys: Keys,
    pub(super) templates: BTreeMap<String, Template>,
    pub(super) durability: Durability,
    /// What clients make this process hold.
    pub(super) share: Arc<Share>,
    patience: Patience,
    entries: Mutex<BTreeMap<String, Arc<Entry>>>,
    /// Snapshots by the name of the sleeping sandbox that each is.
    pub(super) snapshots: Mutex<BTreeMap<String, Record>>,
    /// Who makes a sandbox under a key, so that it is made once.
    turns: Mutex<BTreeMap<String, Weak<tokio::sync::Mutex<()>>>>,
    pub(super) builds: control::Builds,
    closing: AtomicBool,
}

/// Describes an [`Endpoint`].
pub struct Builder {
    sandboxes: Sandboxes,
    key: String,
    templates: BTreeMap<String, Template>,
    durability: Durability,
    patience: Patience,
}

impl Builder {
    /// The time after which a connection without a request in flight is closed, whether it has ever sent
    /// one or not; a minute by default.
    #[must_use]
    pub fn idle_connections(mut self, time: Duration) -> Builder {
        self.patience.idle = time;
        self
    }

    /// How many connections there are at a time: at all, and of those that have not shown a key or token
    /// yet. Where more come, the oldest of the latter are closed, and then the oldest idle ones. By
    /// default half of the files that the process may open, and 256 or a quarter of these.
    #[must_use]
    pub fn connections(mut self, most: usize, strangers: usize) -> Builder {
        (self.patience.most, self.patience.strangers) = (most, strangers);
        self
    }

    /// When what operations change is stored durably; within a second by default.
    #[must_use]
    pub fn durability(mut self, durability: Durability) -> Builder {
        self.durability = durability;
        self
    }

    /// Adds a template, or replaces `base`, which has the defaults of [`offshoot::Builder`].
    #[must_use]
    pub fn template(
        mut self,
        name: impl Into<String>,
        make: impl Fn() -> offshoot::Builder + Send + Sync + 'static,
    ) -> Builder {
        self.templates.insert(name.into(), Arc::new(make));
        self
    }

    /// Reads which sandboxes are there, and counts their time again.
    ///
    /// # Errors
    /// `INVALID` for an empty key, those of the store.
    pub async fn open(mut self) -> Result<Endpoint> {
        if self.key.is_empty() {
            return Err(Error::Invalid("the API key is empty"));
        }
        if let Some(usual) = self.templates.get(USUAL_TEMPLATE).cloned() {
            let interpreter = interpreter::TEMPLATE.to_owned();
            self.templates.entry(interpreter).or_insert(usual);
        }
        let endpoint = Endpoint(Arc::new(Inner {
            sandboxes: self.sandboxes,
            keys: Keys::new(self.key),
            templates: self.templates,
            durability: self.durability,
            share: Share::of_all(share::OF_ALL),
            patience: self.patience,
            entries: Mutex::default(),
            snapshots: Mutex::default(),
            turns: Mutex::default(),
            builds: control::Builds::default(),
            closing: AtomicBool::new(false),
        }));
        endpoint.read_store().await?;
        Ok(endpoint)
    }
}

impl Endpoint {
    /// Describes an endpoint over the sandboxes of a service, which answers to clients that know
    /// `key`.
    pub fn builder(sandboxes: Sandboxes, key: impl Into<String>) -> Builder {
        let usual: Template = Arc::new(offshoot::Sandbox::builder);
        Builder {
            sandboxes,
            key: key.into(),
            templates: BTreeMap::from([(USUAL_TEMPLATE.to_owned(), usual)]),
            durability: Durability::default(),
            patience: Patience::default(),
        }
    }

    /// Serves HTTP/1.1 and HTTP/2 until `shutdown` is done. Then commands are ended, sandboxes that
    /// are awake are put to sleep, and their time goes on when the store is opened again.
    ///
    /// # Errors
    /// Those of the listener.
    pub async fn serve(
        self,
        listener: TcpListener,
        shutdown: impl Future<Output = ()> + Send + 'static,
    ) -> Result<()> {
        let (endpoint, patience) = (self.clone(), self.0.patience);
        let closed = async move {
            shutdown.await;
            endpoint.close().await;
        };
        let answer = move |request| {
            let endpoint = self.clone();
            async move { endpoint.answer(request).await }
        };
        connection::serve(listener, patience, closed, answer).await;
        Ok(())
    }

    async fn answer(self, request: Request) -> Response {
        let path = request.uri().path().to_owned();
        if let Some(name) = path.strip_prefix("/process.Process/") {
            return process::serve(self, name, request).await;
        }
        if let Some(name) = path.strip_prefix("/filesystem.Filesystem/") {
            return files::serve(self, name, request).await;
        }
        if interpreter::is_meant(&path, access::port(request.headers())) {
            let served = interpreter::serve(&self, request).await;
            return served.unwrap_or_else(Failure::into_rest);
        }
        let answered = match path.as_str() {
            "/files" | "/health" => files::transfer(&self, request).await,
            _ => control::serve(&self, request).await,
        };
        answered.unwrap_or_else(Failure::into_rest)
    }

    async fn read_store(&self) -> Result<()> {
        let mut after: Option<String> = None;
        loop {
            let service = &self.0.sandboxes;
            let page = service.list(&[], after.as_deref(), PAGE).await?;
            after = page.last().map(|info| info.name.clone());
            let full = page.len() == PAGE;
            for info in page {
                if let Some(record) = info.title.as_deref().and_then(Record::decode) {
                    self.adopt(info.name, record);
                }
            }
            if !full {
                return Ok(());
            }
        }
    }

    /// Takes up what the store has.
    fn adopt(&self, name: String, record: Record) {
        if record.kind == Kind::Snapshot {
            self.snapshots().insert(name, record);
            return;
        }
        let entry = Arc::new(Entry::new(name, record, &self.0.share));
        self.insert(Arc::clone(&entry));
        self.arm(&entry);
    }

    async fn close(&self) {
        self.0.closing.store(true, Ordering::Release);
        let entries = self.entries();
        let aside = entries.iter().map(|entry| self.put_aside(entry));
        futures::future::join_all(aside).await;
    }

    /// Held by one of those who come with the same key.
    pub(super) fn turn_of(&self, key: &str) -> Arc<tokio::sync::Mutex<()>> {
        let mut turns = self.0.turns.lock().unwrap_or_else(PoisonError::into_inner);
        turns.retain(|_, turn| turn.strong_count() > 0);
        let known = turns.get(key).and_then(Weak::upgrade);
        known.unwrap_or_else(|| {
            let turn = Arc::default();
            turns.insert(key.to_owned(), Arc::downgrade(&turn));
            turn
        })
    }

    pub(super) fn is_closing(&self) -> bool {
        self.0.closing.load(Ordering::Acquire)
    }

    pub(super) fn keys(&self) -> &Keys {
        &self.0.keys
    }

    /// The sandbox of this id.
    pub(super) fn entry(&self, id: &str) -> Option<Arc<Entry>> {
        self.lock().get(id).cloned()
    }

    /// All sandboxes.
    pub(super) fn entries(&self) -> Vec<Arc<Entry>> {
        self.lock().values().cloned().collect()
    }

    pub(super) fn insert(&self, entry: Arc<Entry>) {
        self.lock().insert(entry.id.clone(), entry);
    }

    pub(super) fn remove(&self, id: &str) {
        self.lock().remove(id);
    }

    pub(super) fn snapshots(&self) -> MutexGuard<'_, BTreeMap<String, Record>> {
        let snapshots = &self.0.snapshots;
        snapshots.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<String, Arc<Entry>>> {
        let entries = &self.0.entries;
        entries.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl fmt::Debug for Endpoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        // The key is not shown.
        f.debug_struct("Endpoint")
            .field("sandboxes", &self.lock().len())
            .finish_non_exhaustive()
    }
}

impl fmt::Debug for Builder {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let templates: Vec<&String> = self.templates.keys().collect();
        f.debug_struct("Builder")
            .field("templates", &templates)
            .finish_non_exhaustive()
    }
}
