//! What changes below a directory.
//!
//! Nothing is notified: a fork of the tree is kept, and what differs from it is what happened. Forks
//! cost a pointer, and a difference what changed, so that looking often is cheap. What came and went
//! between two looks is not seen.

use super::super::access::Call;
use super::super::failure::{Code, Failure, Result};
use super::super::messages::filesystem::{
    CreateWatcherResponse, EntryInfo, EventType, FilesystemEvent, GetWatcherEventsResponse,
    RemoveWatcherResponse, WatchDirResponse, WatchRequest, WatchStart, Watched, WatcherRequest,
};
use super::super::messages::process::KeepAlive;
use super::ENVD;
use super::calls::Scene;
use super::information::{self, Names};
use futures::stream::{self, Stream};
use offshoot_vfs::{Change, ChangeKind, Kind, Metadata, Vfs, diff};
use std::collections::{BTreeMap, VecDeque};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::time::{Instant, sleep_until};

/// The pause between two looks of a stream.
const PAUSE: Duration = Duration::from_millis(50);

/// Watchers that one sandbox has at most: each keeps what was removed since its last look.
const MOST: usize = 256;

/// The watchers of a sandbox that are asked for events, by id.
#[derive(Default)]
pub(in super::super) struct Watchers(Mutex<Table>);

#[derive(Default)]
struct Table {
    made: u64,
    watchers: BTreeMap<String, Watcher>,
}

impl Watchers {
    fn lock(&self) -> MutexGuard<'_, Table> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// What is watched, and how it was when it was last looked at.
struct Watcher {
    directory: String,
    recursive: bool,
    include_entry: bool,
    before: Vfs,
}

impl Watcher {
    fn new(scene: &Scene, path: &str, recursive: bool, include_entry: bool) -> Result<Watcher> {
        let path = scene.path(path);
        scene.require_directory(&path)?;
        let vfs = scene.vfs();
        let real = vfs
            .canonicalize(&ENVD, vfs.root(), path.as_bytes())
            .map_err(|error| Failure::file(&path, error))?;
        Ok(Watcher {
            directory: String::from_utf8_lossy(&real).into_owned(),
            recursive,
            include_entry,
            before: vfs.fork(),
        })
    }

    /// What happened since the last look.
    fn look(&mut self, vfs: &Vfs) -> Result<Vec<FilesystemEvent>> {
        let after = vfs.fork();
        let changes =
            diff(&self.before, &after).map_err(|error| Failure::file(&self.directory, error))?;
        let view = View {
            watcher: self,
            after: &after,
            names: (self.include_entry && !changes.is_empty()).then(|| Names::of(&after)),
        };
        let events = view.events(&changes);
        self.before = after;
        Ok(events)
    }
}

/// One look of a watcher.
struct View<'a> {
    watcher: &'a Watcher,
    after: &'a Vfs,
    names: Option<Names>,
}

impl View<'_> {
    fn events(&self, changes: &[Change]) -> Vec<FilesystemEvent> {
        let moved = self.moved(changes);
        let mut events = Vec::new();
        for change in changes {
            let Some(name) = self.name(&change.path) else {
                continue;
            };
            for kind in self.kinds(change, &moved) {
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
        let base = self.watcher.directory.trim_end_matches('/');
        let name = path.strip_prefix(base)?.strip_prefix('/')?;
        (!name.is_empty() && (self.watcher.recursive || !name.contains('/'))).then_some(name)
    }

    /// The inodes that are new at some path: what is gone at another was renamed.
    fn moved(&self, changes: &[Change]) -> Vec<u64> {
        let added = changes
            .iter()
            .filter(|change| change.kind == ChangeKind::Added);
        added
            .filter_map(|change| metadata(self.after, &change.path))
            .map(|metadata| metadata.inode)
            .collect()
    }

    fn kinds(&self, change: &Change, moved: &[u64]) -> Vec<EventType> {
        let old = metadata(&self.watcher.before, &change.path);
        let new = metadata(self.after, &change.path);
        match change.kind {
            ChangeKind::Added => {
                let written = new.is_some_and(|new| new.kind == Kind::Regular && new.size > 0);
                let both = [EventType::Create, EventType::Write];
                both[..if written { 2 } else { 1 }].to_vec()
            }
            ChangeKind::Removed => match old {
                Some(old) if moved.contains(&old.inode) => vec![EventType::Rename],
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
        information::of(self.after, self.names.as_ref()?, path.as_bytes()).ok()
    }
}

fn metadata(vfs: &Vfs, path: &[u8]) -> Option<Metadata> {
    vfs.stat(&ENVD, vfs.root(), path, false).ok()
}

pub(super) async fn create(call: Call, request: WatchRequest) -> Result<CreateWatcherResponse> {
    let scene = Scene::of(&call).await?;
    let watcher = Watcher::new(
        &scene,
        &request.path,
        request.recursive,
        request.include_entry,
    )?;
    let mut table = scene.awake.watchers.lock();
    if table.watchers.len() >= MOST {
        let message = format!("a sandbox has at most {MOST} watchers");
        return Err(Failure::new(Code::ResourceExhausted, message));
    }
    table.made += 1;
    let watcher_id = format!("w{}", table.made);
    table.watchers.insert(watcher_id.clone(), watcher);
    Ok(CreateWatcherResponse { watcher_id })
}

pub(super) async fn events(
    call: Call,
    request: WatcherRequest,
) -> Result<GetWatcherEventsResponse> {
    let scene = Scene::of(&call).await?;
    let id = request.watcher_id;
    let mut table = scene.awake.watchers.lock();
    let watcher = table.watchers.get_mut(&id).ok_or_else(|| unknown(&id))?;
    let events = watcher.look(scene.vfs())?;
    Ok(GetWatcherEventsResponse { events })
}

pub(super) async fn remove(call: Call, request: WatcherRequest) -> Result<RemoveWatcherResponse> {
    let scene = Scene::of(&call).await?;
    let id = request.watcher_id;
    let removed = scene.awake.watchers.lock().watchers.remove(&id);
    removed.ok_or_else(|| unknown(&id))?;
    Ok(RemoveWatcherResponse {})
}

fn unknown(id: &str) -> Failure {
    Failure::new(Code::NotFound, format!("watcher with id {id} not found"))
}

/// Where a stream of events is.
struct Watching {
    call: Call,
    watcher: Watcher,
    waiting: VecDeque<Watched>,
    keepalive: Instant,
    end: Option<Instant>,
    over: bool,
}

pub(super) async fn stream(
    call: Call,
    request: WatchRequest,
) -> Result<impl Stream<Item = Result<WatchDirResponse>>> {
    let scene = Scene::of(&call).await?;
    let watcher = Watcher::new(
        &scene,
        &request.path,
        request.recursive,
        request.include_entry,
    )?;
    drop(scene);
    let watching = Watching {
        watcher,
        waiting: VecDeque::from([Watched::Start(WatchStart {})]),
        keepalive: Instant::now() + call.keepalive,
        end: call.timeout.map(|timeout| Instant::now() + timeout),
        over: false,
        call,
    };
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
            sleep_until(now + PAUSE).await;
            // Watching wakes nobody, and ends with what it watches.
            let gone = || Failure::gone(&self.call.entry.id);
            let awake = self.call.entry.look().await.ok_or_else(gone)?;
            let events = self.watcher.look(awake.sandbox().vfs())?;
            self.waiting
                .extend(events.into_iter().map(Watched::Filesystem));
        }
    }
}
