//! Sandboxes of Azure Container Apps: the control plane and files as PyPI `azure-containerapps-sandbox` 0.1.0b4
//! expects them (2026-02-01-preview), and commands as the service's specification has them beside that
//! (2026-09-01-preview, `ExecuteSandboxCommandContent`).
//!
//! Odd as the provider is: what a sandbox is told to be, it is at the next look only; a sandbox of a snapshot
//! takes no variables, labels or policies; a sandbox that was deleted is shown as such once more; what needs one
//! that runs answers 409, but commands, which answer 400; bytes of output that are not UTF-8 are lost.

mod files;

use crate::machine::{self, Machines, Said};
use crate::service::{Answer, Request, Service};
use futures::stream::StreamExt;
use offshoot::backend::{Code, Environment, Error, Exec};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The token that is asked for.
pub const TOKEN: &str = "eyJ0eXAi.5a4db0c5ecre75a4.db0c5ecre7";
/// The subscription of the group.
pub const SUBSCRIPTION: &str = "11111111-2222-3333-4444-555555555555";
/// The resource group of the group.
pub const RESOURCES: &str = "resources";
/// The group of the sandboxes.
pub const GROUP: &str = "group-1";

/// The version of the client.
const VERSION: &str = "2026-02-01-preview";
/// The version that has words and users.
const COMMANDS: &str = "2026-09-01-preview";
/// A directory that root can make, whom commands of the provider are of, and those of a virtual sandbox are not.
const MADE: &str = "/workspace";
/// What a sandbox of a snapshot cannot be asked for.
const CAPTURED: [&str; 8] = [
    "labels",
    "environment",
    "connections",
    "egressPolicy",
    "volumes",
    "ports",
    "entrypoint",
    "cmd",
];

struct Made {
    /// What it was asked to be.
    asked: Value,
    machine: Arc<dyn Environment>,
    state: &'static str,
    /// The state that the next look shows; nothing for one that is deleted.
    next: Option<&'static str>,
    /// Why it is stopped.
    reason: Option<&'static str>,
    ended: Arc<Notify>,
}

#[derive(Clone)]
struct Taken {
    sandbox: String,
    asked: Value,
    labels: Value,
}

#[derive(Default)]
struct Held {
    made: HashMap<String, Made>,
    snapshots: HashMap<String, Taken>,
    numbers: u64,
    executions: Vec<Value>,
}

impl Held {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

/// The service.
pub struct Sandboxes {
    machines: Machines,
    held: Mutex<Held>,
}

impl std::fmt::Debug for Sandboxes {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sandboxes")
    }
}

type Outcome = Result<Answer, Error>;

/// A problem as RFC 9457 has it.
fn failed(status: u16, title: &str, detail: &str) -> Answer {
    let told = json!({ "title": title, "status": status, "detail": detail });
    Answer::new(status, "application/problem+json", told.to_string())
}

fn missing() -> Answer {
    failed(404, "NotFound", "there is no such resource")
}

/// Serves until it is dropped, the same over TLS too.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Sandboxes>)> {
    let sandboxes = Arc::new(Sandboxes {
        machines: Machines::new().map_err(io::Error::other)?,
        held: Mutex::default(),
    });
    let served = Arc::clone(&sandboxes);
    let service = Service::with_tls(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    });
    Ok((service.await?, sandboxes))
}

impl Sandboxes {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// What was asked for each command that was begun.
    pub fn executions(&self) -> Vec<Value> {
        self.held().executions.clone()
    }

    /// What the sandboxes that are there were asked to be.
    pub fn asked(&self) -> Vec<Value> {
        let held = self.held();
        held.made.values().map(|made| made.asked.clone()).collect()
    }

    /// How many snapshots are kept.
    pub fn snapshots(&self) -> usize {
        self.held().snapshots.len()
    }

    /// Stops a sandbox as an administrator does, who must enable it again.
    ///
    /// # Errors
    /// Those of its machine.
    pub async fn disable(&self, id: &str) -> Result<(), Error> {
        self.stop(id, "Disabled").await.map(drop)
    }

    async fn answer(&self, request: Request) -> Answer {
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return failed(401, "Unauthorized", "the token is missing or wrong");
        }
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let place = [
            "subscriptions",
            SUBSCRIPTION,
            "resourceGroups",
            RESOURCES,
            "sandboxGroups",
            GROUP,
        ];
        let Some(below) = path.strip_prefix(&place[..]) else {
            return missing();
        };
        let wanted = match below {
            ["sandboxes", _, "executeCommand"] => COMMANDS,
            _ => VERSION,
        };
        if request
            .query
            .get("api-version")
            .is_none_or(|given| given != wanted)
        {
            return failed(
                400,
                "UnsupportedApiVersion",
                "the version is missing or another",
            );
        }
        let outcome = self.route(below, &request).await;
        outcome.unwrap_or_else(|error| match error.code() {
            Code::NotFound => missing(),
            Code::Conflict => failed(409, "Conflict", &error.to_string()),
            _ => failed(500, "InternalServerError", &error.to_string()),
        })
    }

    async fn route(&self, path: &[&str], request: &Request) -> Outcome {
        match (&*request.method, path) {
            ("PUT", ["sandboxes"]) => self.create(request.json()).await,
            ("GET", ["sandboxes"]) => {
                let mut held = self.held();
                let ids: Vec<String> = held.made.keys().cloned().collect();
                let all = ids.iter().filter_map(|id| look(&mut held, id)).collect();
                Ok(Answer::json(200, &Value::Array(all)))
            }
            ("GET", ["sandboxes", id]) => {
                let told = look(&mut self.held(), id);
                Ok(told.map_or_else(missing, |told| Answer::json(200, &told)))
            }
            ("DELETE", ["sandboxes", id]) => self.delete(id).await,
            ("POST", ["sandboxes", id, "stop"]) => self.stop(id, "UserStopped").await,
            ("POST", ["sandboxes", id, "resume"]) => self.resume(id).await,
            ("POST", ["sandboxes", id, rest @ ..]) if rest.first() == Some(&"executeCommand") => {
                self.command(id, &request.json()).await
            }
            (_, ["sandboxes", id, rest @ ..]) => self.inside(id, rest, request).await,
            (method, ["snapshots", id]) => Ok(self.kept(method, id)),
            _ => Ok(missing()),
        }
    }

    async fn create(&self, mut asked: Value) -> Outcome {
        let source = &asked["sourcesRef"];
        let snapshot = source["snapshot"]["id"].as_str().map(str::to_owned);
        if let Some(id) = &snapshot {
            if CAPTURED.iter().any(|field| !asked[field].is_null()) {
                return Ok(failed(400, "BadRequest", "a snapshot is restored as it is"));
            }
            let Some(taken) = self.held().snapshots.get(id).cloned() else {
                return Ok(missing());
            };
            let source = asked["sourcesRef"].take();
            asked = taken.asked;
            asked["sourcesRef"] = source;
        } else if source["diskImage"]["name"] != "ubuntu" && source["diskImage"]["id"] != "image-1"
        {
            return Ok(failed(400, "BadRequest", "no such disk image"));
        }
        let machine = self.machine(&asked, snapshot.as_deref()).await?;
        let mut held = self.held();
        let id = format!("00000000-0000-4000-8000-{:012}", held.number());
        let made = Made {
            asked,
            machine,
            state: "Creating",
            next: Some("Running"),
            reason: None,
            ended: Arc::default(),
        };
        let told = told(&id, &made);
        held.made.insert(id, made);
        Ok(Answer::json(201, &told))
    }

    async fn machine(
        &self,
        asked: &Value,
        snapshot: Option<&str>,
    ) -> Result<Arc<dyn Environment>, Error> {
        let env = asked["environment"].as_object().into_iter().flatten();
        let env = env.filter_map(|(name, value)| Some((name.clone(), value.as_str()?.to_owned())));
        self.machines.make(MADE, env.collect(), snapshot).await
    }

    async fn delete(&self, id: &str) -> Outcome {
        let machine = {
            let mut held = self.held();
            let Some(made) = held.made.get_mut(id) else {
                return Ok(missing());
            };
            (made.state, made.next) = ("Deleting", None);
            made.ended.notify_waiters();
            Arc::clone(&made.machine)
        };
        machine.cleanup().await?;
        self.machines.forget(id);
        Ok(Answer::new(204, "application/json", ""))
    }

    /// Stops a sandbox, whose files stay; the answer is a snapshot, as the specification has it.
    async fn stop(&self, id: &str, reason: &'static str) -> Outcome {
        let (machine, ended) = {
            let mut held = self.held();
            let Some(made) = held.made.get_mut(id) else {
                return Ok(missing());
            };
            if made.state != "Running" {
                return Ok(failed(409, "SandboxNotRunning", "the sandbox does not run"));
            }
            (made.state, made.next) = ("Stopping", Some("Stopping"));
            made.reason = Some(reason);
            (Arc::clone(&made.machine), Arc::clone(&made.ended))
        };
        self.machines.capture(&*machine, id).await?;
        ended.notify_waiters();
        machine.cleanup().await?;
        let mut held = self.held();
        let Some(made) = held.made.get_mut(id) else {
            return Ok(missing());
        };
        made.next = Some("Stopped");
        let taken = Taken {
            sandbox: id.to_owned(),
            asked: made.asked.clone(),
            labels: json!({}),
        };
        Ok(Answer::json(200, &snapshot(&format!("stop-{id}"), &taken)))
    }

    async fn resume(&self, id: &str) -> Outcome {
        let asked = {
            let mut held = self.held();
            let Some(made) = held.made.get_mut(id) else {
                return Ok(missing());
            };
            if made.state != "Stopped" || made.reason == Some("Disabled") {
                return Ok(failed(409, "Conflict", "the sandbox cannot be resumed"));
            }
            (made.state, made.next) = ("Resuming", Some("Resuming"));
            made.asked.clone()
        };
        let machine = self.machine(&asked, Some(id)).await?;
        let mut held = self.held();
        let Some(made) = held.made.get_mut(id) else {
            return Ok(missing());
        };
        (made.machine, made.next, made.reason) = (machine, Some("Running"), None);
        Ok(Answer::json(200, &told(id, made)))
    }

    /// What needs a sandbox that runs.
    async fn inside(&self, id: &str, path: &[&str], request: &Request) -> Outcome {
        let (machine, asked) = {
            let mut held = self.held();
            let Some(made) = held.made.get_mut(id) else {
                return Ok(missing());
            };
            if made.state != "Running" {
                return Ok(failed(409, "SandboxNotRunning", "the sandbox does not run"));
            }
            if let ("POST", ["egresspolicy"]) = (&*request.method, path) {
                made.asked["egressPolicy"] = request.json();
                return Ok(Answer::json(200, &request.json()));
            }
            (Arc::clone(&made.machine), made.asked.clone())
        };
        match (&*request.method, path) {
            ("POST", ["executeShellCommand"]) => {
                let command = request.json()["command"].as_str().map(str::to_owned);
                let Some(command) = command else {
                    return Ok(failed(400, "BadRequest", "command is missing"));
                };
                let mut asked = request.json();
                (asked["command"], asked["args"]) = ("/bin/bash".into(), json!(["-c", command]));
                self.command(id, &asked).await
            }
            ("POST", ["snapshot"]) => {
                let taken = format!("snapshot-{}", self.held().number());
                self.machines.capture(&*machine, &taken).await?;
                let kept = Taken {
                    sandbox: id.to_owned(),
                    asked,
                    labels: request.json()["labels"].take(),
                };
                let told = snapshot(&taken, &kept);
                self.held().snapshots.insert(taken, kept);
                Ok(Answer::json(200, &told))
            }
            (method, ["files", rest @ ..]) => files::answer(&*machine, method, rest, request).await,
            _ => Ok(missing()),
        }
    }

    /// Runs a command to its end.
    async fn command(&self, id: &str, asked: &Value) -> Outcome {
        let (machine, ended) = {
            let mut held = self.held();
            let Some(made) = held.made.get(id) else {
                return Ok(missing());
            };
            if made.state != "Running" {
                return Ok(failed(400, "SandboxNotRunning", "the sandbox does not run"));
            }
            let found = (Arc::clone(&made.machine), Arc::clone(&made.ended));
            held.executions.push(asked.clone());
            found
        };
        let Some(program) = asked["command"].as_str() else {
            return Ok(failed(400, "BadRequest", "command is missing"));
        };
        let arguments = asked["args"].as_array().into_iter().flatten();
        let mut words = vec![program.to_owned()];
        words.extend(arguments.filter_map(|word| Some(word.as_str()?.to_owned())));
        let directory = asked["workingDirectory"].as_str().unwrap_or(MADE);
        let mut exec = Exec::new("").cwd(directory);
        for (name, value) in asked["environment"].as_object().into_iter().flatten() {
            exec = exec.env(name, value.as_str().unwrap_or_default());
        }
        let ended = ended.notified();
        let job = machine::start(machine, &words, exec);
        let (mut out, mut err, mut status) = (Vec::new(), Vec::new(), None);
        let mut said = Box::pin(job.listen().take_until(ended));
        while let Some(said) = said.next().await {
            match said {
                Said::Out(bytes) => out.extend_from_slice(&bytes),
                Said::Err(bytes) => err.extend_from_slice(&bytes),
                Said::End(code) => status = Some(code),
                Said::Failed(why) => return Ok(failed(500, "ExecutionFailed", &why)),
            }
        }
        let Some(status) = status else {
            return Ok(failed(409, "SandboxNotRunning", "the sandbox was stopped"));
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let told = json!({
            "exitCode": status, "stdout": text(&out), "stderr": text(&err), "executionTimeMs": 1,
        });
        Ok(Answer::json(200, &told))
    }

    fn kept(&self, method: &str, id: &str) -> Answer {
        let mut held = self.held();
        let Some(taken) = held.snapshots.get(id) else {
            return missing();
        };
        let told = snapshot(id, taken);
        match method {
            "GET" => Answer::json(200, &told),
            "DELETE" => {
                held.snapshots.remove(id);
                self.machines.forget(id);
                Answer::new(204, "application/json", "")
            }
            _ => missing(),
        }
    }
}

/// Tells what a sandbox is, and what was under way is done at the next look.
fn look(held: &mut Held, id: &str) -> Option<Value> {
    let made = held.made.get_mut(id)?;
    let told = told(id, made);
    match made.next {
        Some(next) => made.state = next,
        None => drop(held.made.remove(id)),
    }
    Some(told)
}

fn told(id: &str, made: &Made) -> Value {
    let mut told = json!({
        "id": id, "state": made.state, "sandboxGroupId": GROUP, "region": "westus2",
        "createdAt": "2026-11-01T00:00:00Z",
    });
    for field in [
        "labels",
        "environment",
        "egressPolicy",
        "lifecycle",
        "resources",
        "sourcesRef",
    ] {
        if !made.asked[field].is_null() {
            told[field] = made.asked[field].clone();
        }
    }
    if let (Some(reason), "Stopped") = (made.reason, made.state) {
        told["stateDetails"] =
            json!({ "stoppedReason": reason, "stoppedAt": "2026-11-01T00:00:00Z" });
    }
    told
}

fn snapshot(id: &str, taken: &Taken) -> Value {
    json!({
        "id": id, "sandboxId": taken.sandbox, "status": "Ready", "sizeInMB": 1,
        "createdAtUtc": "2026-11-01T00:00:00Z", "resources": taken.asked["resources"],
        "labels": if taken.labels.is_null() { json!({}) } else { taken.labels.clone() },
    })
}
