//! Vercel Sandbox, as `@vercel/sandbox` 3.5.0 and `vercel-sandbox` 0.10.0 expect it.
//!
//! Odd as the provider is: a snapshot ends the session; a fork has what the source had when its last
//! session ended; `mkdir` makes no parents; a session that ended answers 410; bytes of output that are not
//! UTF-8 are lost.

mod commands;
mod files;

use crate::machine::{Job, Machines};
use crate::service::{Answer, Request, Service};
use offshoot::backend::{Code, Environment, Error};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::{SystemTime, UNIX_EPOCH};

/// The token that is asked for.
pub const TOKEN: &str = "vca_5ecre7c0de5ecre7c0de5ecre7c0de";
/// The team that sandboxes belong to.
pub const TEAM: &str = "team_1";
/// The project that they belong to.
pub const PROJECT: &str = "prj_1";
/// The directory of a sandbox.
pub const HOME: &str = "/vercel/sandbox";

/// A sandbox of a name.
struct Made {
    /// What it was asked to be.
    asked: Value,
    /// The machine of the session that runs, or ran last.
    machine: Arc<dyn Environment>,
    session: String,
    status: &'static str,
    /// The status that the next look shows.
    next: &'static str,
    /// What the next session begins with.
    current: Option<String>,
    jobs: HashMap<String, (Value, Arc<Job>)>,
    ended: Arc<tokio::sync::Notify>,
}

struct Taken {
    session: String,
}

#[derive(Default)]
struct Held {
    made: HashMap<String, Made>,
    snapshots: HashMap<String, Taken>,
    numbers: u64,
    executions: u64,
}

impl Held {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }

    /// The sandbox of a session.
    fn of_session(&mut self, session: &str) -> Option<&mut Made> {
        self.made.values_mut().find(|made| made.session == session)
    }
}

/// The service.
pub struct Vercel {
    machines: Machines,
    held: Mutex<Held>,
}

impl std::fmt::Debug for Vercel {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Vercel")
    }
}

type Outcome = Result<Answer, Error>;

fn failed(status: u16, code: &str, message: &str) -> Answer {
    Answer::json(
        status,
        &json!({ "error": { "code": code, "message": message } }),
    )
}

fn gone() -> Answer {
    failed(404, "not_found", "Sandbox not found.")
}

fn now() -> u64 {
    let since = SystemTime::now().duration_since(UNIX_EPOCH);
    since.map_or(0, |since| {
        u64::try_from(since.as_millis()).unwrap_or(u64::MAX)
    })
}

/// Serves until it is dropped.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Vercel>)> {
    let machines = Machines::new().map_err(io::Error::other)?;
    let vercel = Arc::new(Vercel {
        machines,
        held: Mutex::default(),
    });
    let served = Arc::clone(&vercel);
    let service = Service::start(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    });
    Ok((service.await?, vercel))
}

impl Vercel {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many commands were begun.
    pub fn executions(&self) -> u64 {
        self.held().executions
    }

    async fn answer(&self, request: Request) -> Answer {
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return failed(403, "forbidden", "Not authorized");
        }
        if request.query.get("teamId").is_none_or(|team| team != TEAM) {
            return failed(403, "forbidden", "Not a member of the team");
        }
        let outcome = self.route(&request).await;
        outcome.unwrap_or_else(|error| {
            let (status, code) = match error.code() {
                Code::NotFound => (404, "not_found"),
                Code::SandboxUnavailable => (410, "sandbox_stopped"),
                _ => (400, "bad_request"),
            };
            failed(status, code, &error.to_string())
        })
    }

    async fn route(&self, request: &Request) -> Outcome {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        match (&*request.method, &path[..]) {
            ("POST", ["v2" | "v3", "sandboxes"]) => self.create(path[0], request).await,
            ("GET", ["v2", "sandboxes"]) => Ok(self.list()),
            (method, ["v2", "sandboxes", "snapshots", id]) => Ok(self.snapshots(method, id)),
            (method, ["v2", "sandboxes", "sessions", id, rest @ ..]) => {
                self.session(method, id, rest, request).await
            }
            (method, ["v2", "sandboxes", name, rest @ ..]) => {
                if request
                    .query
                    .get("projectId")
                    .is_none_or(|project| project != PROJECT)
                {
                    return Ok(failed(400, "bad_request", "projectId is missing"));
                }
                self.sandbox(method, name, rest, request).await
            }
            _ => Ok(failed(404, "not_found", "no such route")),
        }
    }

    async fn create(&self, version: &str, request: &Request) -> Outcome {
        let asked = request.json();
        if asked["projectId"] != PROJECT {
            return Ok(failed(400, "bad_request", "projectId is missing"));
        }
        if (version == "v2") == asked["runtime"].is_null() {
            return Ok(failed(
                400,
                "bad_request",
                "a runtime is for v2, an image for v3",
            ));
        }
        let known = ["node24", "node22", "python3.13"];
        if asked["runtime"]
            .as_str()
            .is_some_and(|name| !known.contains(&name))
        {
            return Ok(failed(400, "bad_request", "no such runtime"));
        }
        let source = match asked["source"]["type"].as_str() {
            Some("snapshot") => asked["source"]["snapshotId"].as_str(),
            _ => None,
        };
        if source.is_some_and(|id| !self.machines.has(id)) {
            return Ok(failed(410, "snapshot_not_found", "the snapshot is gone"));
        }
        let source = source.map(str::to_owned);
        self.make(asked, source).await
    }

    /// Makes a sandbox that is pending until somebody looks.
    async fn make(&self, mut asked: Value, source: Option<String>) -> Outcome {
        let machine = self.machine(&asked, source.as_deref()).await?;
        let mut held = self.held();
        let number = held.number();
        let name = match asked["name"].as_str() {
            Some(name) => name.to_owned(),
            None => format!("sandbox-{number}"),
        };
        if held.made.contains_key(&name) {
            return Ok(failed(409, "conflict", "the name is taken"));
        }
        asked["createdAt"] = now().into();
        let made = Made {
            asked,
            machine,
            session: format!("sbx_{number}"),
            status: "pending",
            next: "running",
            current: source,
            jobs: HashMap::new(),
            ended: Arc::default(),
        };
        let told = whole(&name, &made);
        held.made.insert(name, made);
        Ok(Answer::json(200, &told))
    }

    async fn machine(
        &self,
        asked: &Value,
        snapshot: Option<&str>,
    ) -> Result<Arc<dyn Environment>, Error> {
        let env = asked["env"].as_object().into_iter().flatten();
        let env = env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        self.machines.make(HOME, env.collect(), snapshot).await
    }

    fn list(&self) -> Answer {
        let held = self.held();
        let all: Vec<Value> = held
            .made
            .iter()
            .map(|(name, made)| object(name, made))
            .collect();
        let pagination = json!({ "count": all.len(), "next": null });
        Answer::json(200, &json!({ "sandboxes": all, "pagination": pagination }))
    }

    async fn sandbox(&self, method: &str, name: &str, rest: &[&str], request: &Request) -> Outcome {
        match (method, rest) {
            ("GET", []) => {
                self.look(
                    name,
                    request.query.get("resume").is_some_and(|r| r == "true"),
                )
                .await
            }
            ("DELETE", []) => {
                let Some(made) = self.held().made.remove(name) else {
                    return Ok(gone());
                };
                made.ended.notify_waiters();
                made.machine.cleanup().await?;
                Ok(Answer::json(
                    200,
                    &json!({ "sandbox": object(name, &made), "routes": [] }),
                ))
            }
            ("PATCH", []) => {
                let asked = request.json();
                let mut held = self.held();
                let Some(made) = held.made.get_mut(name) else {
                    return Ok(gone());
                };
                for (field, value) in asked.as_object().into_iter().flatten() {
                    match (field.as_str(), value.as_str()) {
                        ("currentSnapshotId", Some(id)) if self.machines.has(id) => {
                            made.current = Some(id.to_owned());
                        }
                        ("currentSnapshotId", _) => {
                            return Ok(failed(410, "snapshot_not_found", "the snapshot is gone"));
                        }
                        _ => made.asked[field] = value.clone(),
                    }
                }
                Ok(Answer::json(
                    200,
                    &json!({ "sandbox": object(name, made), "routes": [] }),
                ))
            }
            ("POST", ["fork"]) => {
                let (mut asked, source) = match self.held().made.get(name) {
                    Some(made) => (made.asked.clone(), made.current.clone()),
                    None => return Ok(gone()),
                };
                asked["name"] = Value::Null;
                for (field, value) in request.json().as_object().into_iter().flatten() {
                    asked[field] = value.clone();
                }
                self.make(asked, source).await
            }
            _ => Ok(failed(404, "not_found", "no such route")),
        }
    }

    /// Tells what a sandbox is, and what was under way is done at the next look. With `resume`, one that
    /// is stopped gets a new session.
    async fn look(&self, name: &str, resume: bool) -> Outcome {
        let (asked, current) = {
            let mut held = self.held();
            let Some(made) = held.made.get_mut(name) else {
                return Ok(gone());
            };
            if made.status != "stopped" || !resume {
                let told = whole(name, made);
                made.status = made.next;
                return Ok(Answer::json(200, &told));
            }
            (made.asked.clone(), made.current.clone())
        };
        let machine = self.machine(&asked, current.as_deref()).await?;
        let mut held = self.held();
        let number = held.number();
        let Some(made) = held.made.get_mut(name) else {
            return Ok(gone());
        };
        made.machine = machine;
        made.session = format!("sbx_{number}");
        (made.status, made.next) = ("pending", "running");
        made.jobs.clear();
        let mut told = whole(name, made);
        told["resumed"] = true.into();
        Ok(Answer::json(200, &told))
    }

    fn snapshots(&self, method: &str, id: &str) -> Answer {
        let mut held = self.held();
        let Some(taken) = held.snapshots.get(id) else {
            return failed(410, "snapshot_not_found", "the snapshot is gone");
        };
        let session = taken.session.clone();
        match method {
            "GET" => Answer::json(
                200,
                &json!({ "snapshot": snapshot(id, &session, "created") }),
            ),
            "DELETE" => {
                held.snapshots.remove(id);
                self.machines.forget(id);
                Answer::json(
                    200,
                    &json!({ "snapshot": snapshot(id, &session, "deleted") }),
                )
            }
            _ => failed(404, "not_found", "no such route"),
        }
    }

    async fn session(&self, method: &str, id: &str, rest: &[&str], request: &Request) -> Outcome {
        let machine = {
            let mut held = self.held();
            let Some(made) = held.of_session(id) else {
                // That of a session before the one that runs ended too.
                return Ok(failed(410, "sandbox_stopped", "the session has ended"));
            };
            match (made.status, method, rest) {
                ("running", ..) | (_, "GET", []) => {}
                ("stopping", ..) => return Ok(failed(422, "sandbox_stopping", "it stops")),
                ("snapshotting", ..) => {
                    return Ok(failed(422, "sandbox_snapshotting", "it is captured"));
                }
                // What is asked of one that starts waits for it: the clients do not.
                ("pending", ..) => (made.status, made.next) = ("running", "running"),
                _ => return Ok(failed(410, "sandbox_stopped", "the session has ended")),
            }
            if let ("GET", []) = (method, rest) {
                let told = json!({ "session": session(made), "routes": [] });
                made.status = made.next;
                return Ok(Answer::json(200, &told));
            }
            Arc::clone(&made.machine)
        };
        match (method, rest) {
            ("POST", ["stop"]) => self.end(id, "stopping").await,
            ("POST", ["snapshot"]) => self.end(id, "snapshotting").await,
            ("POST", ["extend-timeout"]) => {
                let longer = request.json()["duration"].as_u64().unwrap_or(0);
                let mut held = self.held();
                let Some(made) = held.of_session(id) else {
                    return Ok(gone());
                };
                let lasts = made.asked["timeout"].as_u64().unwrap_or(300_000) + longer;
                made.asked["timeout"] = lasts.into();
                Ok(Answer::json(200, &json!({ "session": session(made) })))
            }
            ("POST", ["cmd"]) => Ok(self.command(id, &machine, request)),
            (method, ["cmd", command, rest @ ..]) => {
                self.job(method, id, command, rest, request).await
            }
            ("POST", ["fs", what]) => files::answer(&*machine, what, request).await,
            _ => Ok(failed(404, "not_found", "no such route")),
        }
    }

    /// Ends a session, whose files become what the next one begins with.
    async fn end(&self, id: &str, by: &'static str) -> Outcome {
        let (machine, ended, number) = {
            let mut held = self.held();
            let number = held.number();
            let Some(made) = held.of_session(id) else {
                return Ok(gone());
            };
            (made.status, made.next) = (by, by);
            (Arc::clone(&made.machine), Arc::clone(&made.ended), number)
        };
        let taken = format!("snap_{number}");
        self.machines.capture(&*machine, &taken).await?;
        ended.notify_waiters();
        machine.cleanup().await?;
        let mut held = self.held();
        held.snapshots.insert(
            taken.clone(),
            Taken {
                session: id.to_owned(),
            },
        );
        let name = held.made.iter().find(|(_, made)| made.session == id);
        let Some(name) = name.map(|(name, _)| name.clone()) else {
            return Ok(gone());
        };
        let Some(made) = held.made.get_mut(&name) else {
            return Ok(gone());
        };
        made.current = Some(taken.clone());
        let told = json!({
            "session": session(made), "sandbox": object(&name, made),
            "snapshot": snapshot(&taken, id, "created"),
        });
        made.next = "stopped";
        Ok(Answer::json(200, &told))
    }
}

/// A sandbox with its session.
fn whole(name: &str, made: &Made) -> Value {
    json!({ "sandbox": object(name, made), "session": session(made), "routes": [] })
}

fn object(name: &str, made: &Made) -> Value {
    let mut told = Map::new();
    for field in ["runtime", "image", "timeout", "tags", "networkPolicy"] {
        if !made.asked[field].is_null() {
            told.insert(field.to_owned(), made.asked[field].clone());
        }
    }
    if let Some(current) = &made.current {
        told.insert(
            "currentSnapshotId".to_owned(),
            Value::from(current.as_str()),
        );
    }
    let more = json!({
        "name": name, "persistent": made.asked["persistent"] != false, "region": "iad1", "vcpus": 2,
        "memory": 4096, "createdAt": made.asked["createdAt"], "updatedAt": now(),
        "currentSessionId": made.session, "status": made.status, "cwd": HOME,
    });
    told.extend(more.as_object().cloned().unwrap_or_default());
    Value::Object(told)
}

fn session(made: &Made) -> Value {
    let mut told = json!({
        "id": made.session, "memory": 4096, "vcpus": 2, "region": "iad1",
        "timeout": made.asked["timeout"].as_u64().unwrap_or(300_000), "status": made.status,
        "requestedAt": now(), "startedAt": now(), "createdAt": now(), "cwd": HOME,
        "updatedAt": now(),
    });
    for field in ["runtime", "networkPolicy"] {
        if !made.asked[field].is_null() {
            told[field] = made.asked[field].clone();
        }
    }
    told
}

fn snapshot(id: &str, session: &str, status: &str) -> Value {
    json!({
        "id": id, "sourceSessionId": session, "region": "iad1", "status": status,
        "sizeBytes": 1 << 20, "createdAt": now(), "updatedAt": now(),
    })
}
