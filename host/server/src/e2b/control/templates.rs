//! Templates that clients build, and lists of all.
//!
//! A template that was built is a named snapshot. Its steps run in a sandbox, so that what needs another
//! system than the sandbox's (an image, a package manager, root) is refused, with what to do instead.

use super::super::endpoint::Endpoint;
use super::super::failure::{Code, Failure, Result};
use super::super::record::{now, timestamp};
use super::{build, parse};
use crate::web::{self, Body, Response};
use bytes::Bytes;
use http::{HeaderMap, StatusCode, header};
use serde::{Deserialize, Serialize};
use serde_json::{Value, json};
use std::collections::BTreeMap;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// Builds that are known at a time; the oldest are forgotten.
const MOST: usize = 64;

/// Bytes of all files that wait for builds.
const WAITING: u64 = 512 << 20;

/// Entries of a log that one answer has.
const LOGS: usize = 100;

/// The builds of this process, by their number.
#[derive(Default)]
pub(in super::super) struct Builds(Mutex<BTreeMap<u64, Arc<Build>>>);

/// One build.
pub(super) struct Build {
    /// What it is asked for by: template and build have one name.
    pub(super) id: String,
    /// What the template is called.
    pub(super) name: String,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    /// Archives by the hash that clients name them by.
    files: BTreeMap<String, Bytes>,
    progress: Progress,
    log: Vec<Entry>,
}

/// How far it is.
#[derive(Debug, Clone, Default)]
enum Progress {
    #[default]
    Waiting,
    Building,
    Ready,
    Failed(Fault),
}

/// Why it failed, and at which step.
#[derive(Debug, Clone, Serialize)]
pub(super) struct Fault {
    pub(super) message: String,
    #[serde(skip_serializing_if = "Option::is_none")]
    pub(super) step: Option<String>,
}

/// A line of its log.
#[derive(Debug, Clone, Serialize)]
struct Entry {
    timestamp: String,
    message: String,
    level: &'static str,
}

/// A request for a template.
#[derive(Debug, Deserialize)]
struct NewTemplate {
    name: Option<String>,
    alias: Option<String>,
    #[serde(default)]
    tags: Option<Vec<String>>,
}

impl Builds {
    fn find(&self, id: &str) -> Result<Arc<Build>> {
        let builds = self.lock();
        let found = builds.values().find(|build| build.id == id);
        let missing = || Failure::new(Code::NotFound, format!("there is no build {id:?}"));
        found.cloned().ok_or_else(missing)
    }

    fn add(&self, build: Build) {
        let mut builds = self.lock();
        let next = builds.keys().next_back().map_or(0, |last| last + 1);
        builds.insert(next, Arc::new(build));
        if builds.len() > MOST {
            builds.pop_first();
        }
    }

    fn waiting(&self) -> u64 {
        let builds = self.lock();
        let files = builds.values().map(|build| build.waiting());
        files.sum()
    }

    fn lock(&self) -> MutexGuard<'_, BTreeMap<u64, Arc<Build>>> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Build {
    /// Adds a line to the log.
    pub(super) fn log(&self, level: &'static str, message: impl Into<String>) {
        self.lock().log.push(Entry {
            timestamp: timestamp(now()),
            message: message.into(),
            level,
        });
    }

    /// The archive of this hash.
    pub(super) fn archive(&self, hash: &str) -> Option<Bytes> {
        self.lock().files.get(hash).cloned()
    }

    /// Ends it.
    pub(super) fn finish(&self, done: std::result::Result<(), Fault>) {
        let mut state = self.lock();
        state.files.clear();
        state.progress = match done {
            Ok(()) => Progress::Ready,
            Err(fault) => Progress::Failed(fault),
        };
    }

    fn waiting(&self) -> u64 {
        let state = self.lock();
        state.files.values().map(|file| file.len() as u64).sum()
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Begins a template, whose files come next.
pub(super) fn begin(at: &Endpoint, body: &[u8]) -> Result<Response> {
    let asked: NewTemplate = parse(body)?;
    let name = asked.name.or(asked.alias).unwrap_or_default();
    let (name, tag) = name.split_once(':').unwrap_or((&name, "default"));
    let mut tags = asked.tags.unwrap_or_default();
    tags.push(tag.to_owned());
    if name.is_empty() {
        return Err(Failure::invalid("the template has no name"));
    }
    if let Some(other) = tags.iter().find(|tag| *tag != "default") {
        let message = format!("the tag {other:?} is not offered here: a template has one version");
        return Err(Failure::invalid(message));
    }
    at.check_name(name)?;
    let id = build::fresh_uuid();
    at.0.builds.add(Build {
        id: id.clone(),
        name: name.to_owned(),
        state: Mutex::default(),
    });
    let answer = json!({
        "templateID": id, "buildID": id, "public": false,
        "names": [name], "aliases": [name], "tags": ["default"],
    });
    Ok(web::json(StatusCode::ACCEPTED, &answer))
}

/// Where an archive is sent to.
pub(super) fn link(at: &Endpoint, headers: &HeaderMap, id: &str, hash: &str) -> Result<Response> {
    let build = at.0.builds.find(id)?;
    if build.archive(hash).is_some() {
        return Ok(web::json(StatusCode::CREATED, &json!({ "present": true })));
    }
    let text = |name: &str| headers.get(name).and_then(|value| value.to_str().ok());
    let host = text(header::HOST.as_str()).unwrap_or("localhost");
    let scheme = text("x-forwarded-proto").unwrap_or("http");
    let token = at.keys().token(&place(id, hash));
    let url = format!("{scheme}://{host}/templates/{id}/files/{hash}?token={token}");
    let answer = json!({ "present": false, "url": url });
    Ok(web::json(StatusCode::CREATED, &answer))
}

/// Takes an archive. Who has the link may send it.
pub(in super::super) async fn receive(
    at: &Endpoint,
    place: &Place<'_>,
    body: Body,
) -> Result<Response> {
    let build = at.0.builds.find(place.id)?;
    let room = WAITING.saturating_sub(at.0.builds.waiting());
    let limit = usize::try_from(room).unwrap_or(usize::MAX);
    let bytes = web::collect(body, limit).await?;
    build
        .lock()
        .files
        .insert(place.hash.to_owned(), bytes.into());
    Ok(web::empty(StatusCode::OK))
}

/// Which archive a link is of.
pub(in super::super) struct Place<'a> {
    id: &'a str,
    hash: &'a str,
}

impl<'a> Place<'a> {
    /// Reads the path of a link, whose query shows that it was made here.
    pub(in super::super) fn of(at: &Endpoint, path: &'a str, query: &str) -> Option<Place<'a>> {
        let rest = path.strip_prefix("/templates/")?;
        let (id, hash) = rest.split_once("/files/")?;
        let token = query.strip_prefix("token=")?;
        at.keys()
            .made(token, &place(id, hash))
            .then_some(Place { id, hash })
    }
}

fn place(id: &str, hash: &str) -> String {
    format!("template {id}/{hash}")
}

/// Starts a build whose files are there.
pub(super) fn start(at: &Endpoint, id: &str, body: &[u8]) -> Result<Response> {
    let build = at.0.builds.find(id)?;
    let plan: build::Plan = parse(body)?;
    plan.check()?;
    {
        let mut state = build.lock();
        if !matches!(state.progress, Progress::Waiting) {
            return Err(Failure::new(Code::Conflict, "the build has begun already"));
        }
        state.progress = Progress::Building;
    }
    let endpoint = at.clone();
    tokio::spawn(async move {
        let done = build::run(&endpoint, &build, &plan).await;
        if let Err(fault) = &done {
            build.log("error", fault.message.clone());
        }
        build.finish(done);
    });
    Ok(web::empty(StatusCode::ACCEPTED))
}

/// How far a build is, with its log from a place on.
pub(super) fn status(at: &Endpoint, id: &str, query: &str) -> Result<Response> {
    let build = at.0.builds.find(id)?;
    let mut pairs = form_urlencoded::parse(query.as_bytes());
    let offset =
        pairs.find_map(|(name, value)| (name == "logsOffset").then(|| value.parse().ok())?);
    let state = build.lock();
    let entries = state.log.iter().skip(offset.unwrap_or(0)).take(LOGS);
    let entries: Vec<&Entry> = entries.collect();
    let (status, reason) = match &state.progress {
        Progress::Waiting => ("waiting", None),
        Progress::Building => ("building", None),
        Progress::Ready => ("ready", None),
        Progress::Failed(fault) => ("error", Some(fault)),
    };
    let mut answer = json!({
        "templateID": build.id, "buildID": build.id, "status": status,
        "logs": [], "logEntries": entries,
    });
    if let Some(reason) = reason {
        answer["reason"] = json!(reason);
    }
    Ok(web::json(StatusCode::OK, &answer))
}

/// All that sandboxes can be made from by name.
pub(super) fn list(at: &Endpoint) -> Response {
    let given =
        at.0.templates
            .keys()
            .map(|name| (name.clone(), name.clone()));
    let built = at.snapshots().clone().into_iter();
    let built = built.filter_map(|(id, record)| record.name.map(|name| (id, name)));
    let all: Vec<Value> = given
        .chain(built)
        .map(|(id, name)| described(&id, &name))
        .collect();
    web::json(StatusCode::OK, &all)
}

fn described(id: &str, name: &str) -> Value {
    let time = timestamp(0);
    json!({
        "templateID": id, "buildID": id, "names": [name], "aliases": [name], "public": false,
        "cpuCount": super::wire::CPUS, "memoryMB": super::wire::MEMORY_MIB,
        "diskSizeMB": offshoot::Quotas::default().bytes >> 20,
        "createdAt": time, "updatedAt": time, "createdBy": null, "lastSpawnedAt": null,
        "spawnCount": 0, "buildCount": 1, "buildStatus": "ready",
        "envdVersion": super::wire::ENVD_VERSION,
    })
}
