//! What changes below a directory.
//!
//! Nothing is notified: a fork of the tree is kept, and what differs from it is what happened. Forks
//! cost a pointer, and a difference what changed, so that looking often is cheap. What came and went
//! between two looks is not seen. Events wait until they are fetched; the tree of the past does not.

use super::super::access::Call;
use super::super::entry::Entry;
use super::super::failure::{Code, Failure, Result};
use super::super::messages::filesystem::{
    CreateWatcherResponse, EntryInfo, EventType, FilesystemEvent, GetWatcherEventsResponse,
    RemoveWatcherResponse, WatchDirResponse, WatchRequest, WatchStart, Watched, WatcherRequest,
};
use super::super::messages::process::KeepAlive;
use super::super::record::Notes;
use super::super::share::Charge;
use super::ENVD;
use super::calls::{Scene, aside};
use super::information::{self, Names};
use futures::stream::{self, Stream};
use offshoot_vfs::{Change, ChangeKind, Kind, Metadata, Vfs, diff};
use std::collections::{BTreeMap, HashSet, VecDeque};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::time::Duration;
use tokio::sync::Notify;
use tokio::time::{Instant, sleep_until};

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(50);

/// The longest time until a stream sees that its sandbox sleeps.
const SIGN: Duration = Duration::from_millis(500);

/// Watchers that one sandbox has at most, streams included.
const MOST: usize = 256;

/// Events that wait for one who does not fetch them.
const WAITING: usize = 10_000;

/// The watchers of a sandbox. All of them look at the same moments, so that one tree of the past is kept
/// for all, for as long as one look takes.
#[derive(Default)]
pub(in super::super) struct Watchers {
    table: Mutex<Table>,
    /// Held while somebody looks.
    turn: tokio::sync::Mutex<()>,
    /// Rung after each look that found something.
    looked: Notify,
}

#[derive(Default)]
struct Table {
    made: u64,
    /// Whether a task looks again and again.
    is_looking: bool,
    /// How it was at the last look; there while there are watchers.
    before: Option<Vfs>,
    watchers: BTreeMap<String, Watcher>,
}

/// What is watched, and what has happened there.
struct Watcher {
    scope: Scope,
    events: VecDeque<FilesystemEvent>,
    /// Whether there were more events than wait for anybody.
    is_behind: bool,
}

/// What one of them looks at.
#[derive(Clone)]
struct Scope {
    directory: String,
    recursive: bool,
    include_entry: bool,
}

impl Scope {
    fn new(scene: &Scene, request: &WatchRequest) -> Result<Scope> {
        let path = scene.path(&request.path);
        scene.require_directory(&path)?;
        let vfs = scene.vfs();
        let real = vfs
            .canonicalize(&ENVD, vfs.root(), path.as_bytes())
            .map_err(|error| Failure::file(&path, error))?;
        Ok(Scope {
            directory: String::from_utf8_lossy(&real).into_owned(),
            recursive: request.recursive,
            include_entry: request.include_entry,
        })
    }
}

impl Watcher {
    fn note(&mut self, events: Vec<FilesystemEvent>) {
        self.is_behind |= self.events.len() + events.len() > WAITING;
        let room = WAITING.saturating_sub(self.events.len());
        self.events.extend(events.into_iter().take(room));
    }

    /// What has happened since it was last asked for.
    fn take(&mut self) -> Result<VecDeque<FilesystemEvent>> {
        let events = std::mem::take(&mut self.events);
        match std::mem::take(&mut self.is_behind) {
            false => Ok(events),
            true => {
                let message = format!("more than {WAITING} events were not fetched, and are gone");
                Err(Failure::new(Code::ResourceExhausted, message))
            }
        }
    }
}

impl Watchers {
    /// Looks at what has happened, for all watchers.
    async fn look(&self, vfs: &Vfs, entry: &Entry) -> Result<()> {
        let _turn = self.turn.lock().await;
        let after = vfs.fork();
        let (before, scopes) = {
            let table = self.lock();
            let scopes = table.watchers.iter();
            let scopes: Vec<_> = scopes
                .map(|(id, watcher)| (id.clone(), watcher.scope.clone()))
                .collect();
            (table.before.clone(), scopes)
        };
        let found = match before {
            Some(before) if !scopes.is_empty() && !before.is_same_tree(&after) => {
                let (notes, seen) = (entry.record().notes, after.fork());
                aside(move || found((&before, &seen), scopes, notes)).await?
            }
            _ => Vec::new(),
        };
        let mut table = self.lock();
        table.before = Some(after);
        let has_news = !found.is_empty();
        for (id, events) in found {
            if let Some(watcher) = table.watchers.get_mut(&id) {
                watcher.note(events);
            }
        }
        drop(table);
        if has_news {
            self.looked.notify_waiters();
        }
        Ok(())
    }

    /// Adds a watcher of what happens from now on.
    async fn add(scene: &Scene, call: &Call, scope: Scope) -> Result<String> {
        let watchers = &scene.awake.watchers;
        watchers.look(scene.vfs(), &call.entry).await?;
        let mut table = watchers.lock();
        if table.watchers.len() >= MOST {
            let message = format!("a sandbox has at most {MOST} watchers");
            return Err(Failure::new(Code::ResourceExhausted, message));
        }
        table.made += 1;
        let id = format!("w{}", table.made);
        let watcher = Watcher {
            scope,
            events: VecDeque::new(),
            is_behind: false,
        };
        table.watchers.insert(id.clone(), watcher);
        if !std::mem::replace(&mut table.is_looking, true) {
            let entry = Arc::downgrade(&call.entry);
            tokio::spawn(keep_looking(entry, Arc::downgrade(watchers)));
        }
        Ok(id)
    }

    fn remove(&self, id: &str) -> Result<()> {
        let mut table = self.lock();
        let removed = table.watchers.remove(id);
        if table.watchers.is_empty() {
            table.before = None;
        }
        removed.map(drop).ok_or_else(|| unknown(id))
    }

    fn take(&self, id: &str) -> Result<VecDeque<FilesystemEvent>> {
        let mut table = self.lock();
        let watcher = table.watchers.get_mut(id).ok_or_else(|| unknown(id))?;
        watcher.take()
    }

    fn lock(&self) -> MutexGuard<'_, Table> {
        self.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Looks again and again as long as anybody watches.
async fn keep_looking(entry: Weak<Entry>, watched: Weak<Watchers>) {
    loop {
        sleep_until(Instant::now() + PAUSE).await;
        // Watching wakes nobody, and ends with what it watches.
        let (Some(entry), Some(watchers)) = (entry.upgrade(), watched.upgrade()) else {
            return;
        };
        {
            let mut table = watchers.lock();
            if table.watchers.is_empty() {
                table.is_looking = false;
                return;
            }
        }
        let Some(awake) = entry.look().await else {
            return;
        };
        if !Arc::ptr_eq(&awake.watchers, &watchers) {
            return;
        }
        // What cannot be read now may be readable at the next look.
        let _ = watchers.look(awake.sandbox().vfs(), &entry).await;
    }
}

/// What each of the watchers finds other than before.
fn found(
    (before, after): (&Vfs, &Vfs),
    scopes: Vec<(String, Scope)>,
    notes: Notes,
) -> Result<Vec<(String, Vec<FilesystemEvent>)>> {
    let changes = diff(before, after).map_err(|error| Failure::file("/", error))?;
    let names = Names::of(after, notes);
    let moved = moved(after, &changes);
    let looks = scopes.into_iter().map(|(id, scope)| {
        let view = View {
            scope: &scope,
            before,
            after,
            names: &names,
            moved: &moved,
        };
        (id, view.events(&changes))
    });
    Ok(looks.filter(|(_, events)| !events.is_empty()).collect())
}

/// The inodes that are new at some path: what is gone at another was renamed.
fn moved(after: &Vfs, changes: &[Change]) -> HashSet<u64> {
    let added = changes
        .iter()
        .filter(|change| change.kind == ChangeKind::Added);
    added
        .filter_map(|change| metadata(after, &change.path))
        .map(|metadata| metadata.inode)
        .collect()
}

/// One look of a watcher.
struct View<'a> {
    scope: &'a Scope,
    before: &'a Vfs,
    after: &'a Vfs,
    names: &'a Names,
    moved: &'a HashSet<u64>,
}

impl View<'_> {
    fn events(&self, changes: &[Change]) -> Vec<FilesystemEvent> {
        let mut events = Vec::new();
        for change in changes {
            let Some(name) = self.name(&change.path) else {
                continue;
            };
            if events.len() > WAITING {
                break;
            }
            for kind in self.kinds(change) {
                events.push(FilesystemEvent {
                    name: name.to_owned(),
                    r#type: kind.into(),
                    entry: self.entry(&change.path),
                });
            }
        }
        events
    }

    /// The path below the watched directory, where it is watched.
    fn name<'p>(&self, path: &'p [u8]) -> Option<&'p str> {
        let path = std::str::from_utf8(path).ok()?;
        let base = self.scope.directory.trim_end_matches('/');
        let name = path.strip_prefix(base)?.strip_prefix('/')?;
        (!name.is_empty() && (self.scope.recursive || !name.contains('/'))).then_some(name)
    }

    fn kinds(&self, change: &Change) -> Vec<EventType> {
        let old = metadata(self.before, &change.path);
        let new = metadata(self.after, &change.path);
        match change.kind {
            ChangeKind::Added => {
                let written = new.is_some_and(|new| new.kind == Kind::Regular && new.size > 0);
                let both = [EventType::Create, EventType::Write];
                both[..if written { 2 } else { 1 }].to_vec()
            }
            ChangeKind::Removed => match old {
                Some(old) if self.moved.contains(&old.inode) => vec![EventType::Rename],
                _ => vec![EventType::Remove],
            },
            ChangeKind::Modified => {
                let content = |old: Metadata, new: Metadata| {
                    old.kind != Kind::Directory
                        && (old.modified, old.size) != (new.modified, new.size)
                };
                let both = old.zip(new);
                match both.is_some_and(|(old, new)| content(old, new)) {
                    true => vec![EventType::Write],
                    false => vec![EventType::Chmod],
                }
            }
        }
    }

    fn entry(&self, path: &[u8]) -> Option<EntryInfo> {
        let path = std::str::from_utf8(path).ok()?;
        let wanted = self.scope.include_entry.then_some(path)?;
        information::of(self.after, self.names, wanted.as_bytes()).ok()
    }
}

fn metadata(vfs: &Vfs, path: &[u8]) -> Option<Metadata> {
    vfs.stat(&ENVD, vfs.root(), path, false).ok()
}

pub(super) async fn create(call: Call, request: WatchRequest) -> Result<CreateWatcherResponse> {
    let scene = Scene::of(&call).await?;
    let scope = Scope::new(&scene, &request)?;
    let watcher_id = Watchers::add(&scene, &call, scope).await?;
    Ok(CreateWatcherResponse { watcher_id })
}

pub(super) async fn events(
    call: Call,
    request: WatcherRequest,
) -> Result<GetWatcherEventsResponse> {
    let scene = Scene::of(&call).await?;
    let watchers = &scene.awake.watchers;
    watchers.look(scene.vfs(), &call.entry).await?;
    let events = watchers.take(&request.watcher_id)?;
    Ok(GetWatcherEventsResponse {
        events: events.into(),
    })
}

pub(super) async fn remove(call: Call, request: WatcherRequest) -> Result<RemoveWatcherResponse> {
    let scene = Scene::of(&call).await?;
    scene.awake.watchers.remove(&request.watcher_id)?;
    Ok(RemoveWatcherResponse {})
}

fn unknown(id: &str) -> Failure {
    Failure::new(Code::NotFound, format!("watcher with id {id} not found"))
}

/// Where a stream of events is.
struct Watching {
    call: Call,
    watchers: Weak<Watchers>,
    id: String,
    waiting: VecDeque<Watched>,
    keepalive: Instant,
    end: Option<Instant>,
    over: bool,
    _charge: Charge,
}

impl Drop for Watching {
    fn drop(&mut self) {
        if let Some(watchers) = self.watchers.upgrade() {
            // It is gone where the sandbox has slept meanwhile.
            let _ = watchers.remove(&self.id);
        }
    }
}

pub(super) async fn stream(
    call: Call,
    request: WatchRequest,
) -> Result<impl Stream<Item = Result<WatchDirResponse>>> {
    let charge = call.entry.share.stream()?;
    let scene = Scene::of(&call).await?;
    let scope = Scope::new(&scene, &request)?;
    let id = Watchers::add(&scene, &call, scope).await?;
    let watching = Watching {
        watchers: Arc::downgrade(&scene.awake.watchers),
        id,
        waiting: VecDeque::from([Watched::Start(WatchStart {})]),
        keepalive: Instant::now() + call.keepalive,
        end: call.timeout.map(|timeout| Instant::now() + timeout),
        over: false,
        call,
        _charge: charge,
    };
    drop(scene);
    Ok(stream::unfold(watching, |mut watching| async move {
        let item = watching.next().await?;
        let item = item.map(|event| WatchDirResponse { event: Some(event) });
        Some((item, watching))
    }))
}

impl Watching {
    async fn next(&mut self) -> Option<Result<Watched>> {
        if self.over {
            return None;
        }
        let item = self.wait().await;
        self.over = item.is_err();
        Some(item)
    }

    async fn wait(&mut self) -> Result<Watched> {
        loop {
            if let Some(event) = self.waiting.pop_front() {
                return Ok(event);
            }
            let now = Instant::now();
            if self.end.is_some_and(|end| end <= now) {
                return Err(Failure::new(
                    Code::DeadlineExceeded,
                    "the time given is over",
                ));
            }
            if self.keepalive <= now {
                self.keepalive = now + self.call.keepalive;
                return Ok(Watched::Keepalive(KeepAlive {}));
            }
            let gone = || Failure::gone(&self.call.entry.id);
            let watchers = self.watchers.upgrade().ok_or_else(gone)?;
            let looked = watchers.looked.notified();
            tokio::pin!(looked);
            looked.as_mut().enable();
            let events = watchers.take(&self.id)?;
            if events.is_empty() {
                let until = self.end.unwrap_or(self.keepalive).min(self.keepalive);
                // A sandbox that falls asleep rings nothing.
                let until = until.min(now + SIGN);
                let _ = tokio::time::timeout_at(until, looked).await;
            }
            self.waiting
                .extend(events.into_iter().map(Watched::Filesystem));
        }
    }
}
