//! CodeSandbox: its control plane, as `@codesandbox/sdk` 2.4.2 expects it, and Pint, the service inside a
//! machine, from the types in the same package: that version of the client does not speak to it.
//!
//! Odd as the provider is: a command has no directory, no variables and no time-out; the content of a file
//! is text; what sleeps is not there for Pint, and its gateway answers.

mod pint;

use crate::machine::{Job, Machines};
use crate::service::{Answer, Request, Service};
use offshoot::backend::{Environment, Error};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};

/// The key that the control plane asks for.
pub const KEY: &str = "csb_v1_5ecre7c0de5ecre7c0de5ecre7c0de";
/// What a machine's token begins with.
pub const TOKEN: &str = "pint_5ecre7";
/// The template that there is.
pub const TEMPLATE: &str = "pcz35m";
/// The directory of a sandbox.
pub const HOME: &str = "/project/workspace";

/// A sandbox.
struct Made {
    asked: Value,
    /// The machine, where it runs.
    machine: Option<Arc<dyn Environment>>,
    /// The files that it is started with.
    files: Option<String>,
    /// What it said of itself when it went to sleep.
    bootup: &'static str,
    /// Changes with each start.
    token: String,
    jobs: HashMap<String, (Value, Arc<Job>)>,
    ended: Arc<tokio::sync::Notify>,
}

#[derive(Default)]
struct Held {
    made: HashMap<String, Made>,
    numbers: u64,
    executions: u64,
}

impl Held {
    fn number(&mut self) -> u64 {
        self.numbers += 1;
        self.numbers
    }
}

/// The service.
pub struct CodeSandbox {
    machines: Machines,
    held: Mutex<Held>,
    url: OnceLock<String>,
}

impl std::fmt::Debug for CodeSandbox {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("CodeSandbox")
    }
}

type Outcome = Result<Answer, Error>;

fn told(data: &Value) -> Answer {
    Answer::json(200, &json!({ "success": true, "errors": [], "data": data }))
}

fn failed(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({ "success": false, "errors": [message] }))
}

/// Serves until they are dropped: the control plane, and by itself what machines answer.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Service, Arc<CodeSandbox>)> {
    let sandboxes = Arc::new(CodeSandbox {
        machines: Machines::new().map_err(io::Error::other)?,
        held: Mutex::default(),
        url: OnceLock::new(),
    });
    let served = Arc::clone(&sandboxes);
    let service = Service::start(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    })
    .await?;
    let served = Arc::clone(&sandboxes);
    let machines = Service::start(move |request| {
        let served = Arc::clone(&served);
        async move { served.inside(request).await }
    })
    .await?;
    sandboxes.url.get_or_init(|| machines.url());
    Ok((service, machines, sandboxes))
}

impl CodeSandbox {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many commands were begun.
    pub fn executions(&self) -> u64 {
        self.held().executions
    }

    async fn answer(&self, request: Request) -> Answer {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        if request.header("authorization") != format!("Bearer {KEY}") {
            return failed(401, "Unauthorized");
        }
        let outcome = self.control(&path, &request).await;
        outcome.unwrap_or_else(|error| failed(500, &error.to_string()))
    }

    async fn inside(&self, request: Request) -> Answer {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let (id, rest) = path.split_first().unwrap_or((&"", &[]));
        let outcome = self.pint(id, rest, &request).await;
        outcome.unwrap_or_else(|error| failed(500, &error.to_string()))
    }

    async fn control(&self, path: &[&str], request: &Request) -> Outcome {
        match (&*request.method, path) {
            ("GET", ["meta", "info"]) => Ok(Answer::json(
                200,
                &json!({ "api": { "latest_version": "1" } }),
            )),
            ("POST", ["sandbox", id, "fork"]) => self.fork(id, request.json()).await,
            ("GET", ["sandbox"]) => {
                let held = self.held();
                let all: Vec<Value> = held
                    .made
                    .iter()
                    .map(|(id, made)| object(id, made))
                    .collect();
                let pagination =
                    json!({ "current_page": 1, "next_page": null, "total_records": all.len() });
                Ok(told(&json!({ "sandboxes": all, "pagination": pagination })))
            }
            ("GET", ["sandbox", id]) => Ok(match self.held().made.get(*id) {
                Some(made) => told(&object(id, made)),
                None => failed(404, "Not Found"),
            }),
            ("GET", ["vm", "running"]) => {
                let held = self.held();
                let running = held.made.iter().filter(|(_, made)| made.machine.is_some());
                let vms: Vec<Value> = running
                    .map(|(id, _)| json!({ "id": id, "credit_basis": "1", "specs": { "cpu": 2, "memory": 4, "storage": 20 } }))
                    .collect();
                let count = vms.len();
                Ok(told(
                    &json!({ "vms": vms, "concurrent_vm_count": count, "concurrent_vm_limit": 10 }),
                ))
            }
            ("POST", ["vm", id, "start"]) => self.start(id).await,
            ("POST", ["vm", id, "hibernate"]) => self.sleep(id, "RESUME").await,
            ("POST", ["vm", id, "shutdown"]) => self.sleep(id, "CLEAN").await,
            ("PUT", ["vm", id, "hibernation_timeout"]) => {
                let asked = request.json();
                let mut held = self.held();
                let Some(made) = held.made.get_mut(*id) else {
                    return Ok(failed(404, "Not Found"));
                };
                made.asked["hibernation"] = asked["hibernation_timeout_seconds"].clone();
                Ok(told(
                    &json!({ "hibernation_timeout_seconds": made.asked["hibernation"] }),
                ))
            }
            ("DELETE", ["vm", id]) => {
                let Some(made) = self.held().made.remove(*id) else {
                    return Ok(failed(404, "Not Found"));
                };
                made.ended.notify_waiters();
                if let Some(machine) = made.machine {
                    machine.cleanup().await?;
                }
                Ok(told(&json!({})))
            }
            _ => Ok(failed(404, "Not Found")),
        }
    }

    /// A copy of a template or of a sandbox with what it has now; no machine runs for it yet.
    async fn fork(&self, id: &str, asked: Value) -> Outcome {
        let source = {
            let held = self.held();
            match held.made.get(id) {
                Some(made) => Some((made.machine.clone(), made.files.clone())),
                None if id == TEMPLATE => None,
                None => return Ok(failed(404, "Not Found")),
            }
        };
        let number = self.held().number();
        let files = match source {
            Some((Some(machine), _)) => {
                let files = format!("fork-{number}");
                self.machines.capture(&*machine, &files).await?;
                Some(files)
            }
            Some((None, files)) => files,
            None => None,
        };
        let made = Made {
            asked,
            machine: None,
            files,
            bootup: "FORK",
            token: String::new(),
            jobs: HashMap::new(),
            ended: Arc::default(),
        };
        let id = format!("box{number}");
        let title = made.asked["title"].clone();
        self.held().made.insert(id.clone(), made);
        Ok(told(
            &json!({ "id": id, "alias": format!("{id}-alias"), "title": title }),
        ))
    }

    async fn start(&self, id: &str) -> Outcome {
        let (files, runs) = match self.held().made.get(id) {
            Some(made) => (made.files.clone(), made.machine.is_some()),
            None => return Ok(failed(404, "Not Found")),
        };
        let machine = match runs {
            true => None,
            false => Some(
                self.machines
                    .make(HOME, Vec::new(), files.as_deref())
                    .await?,
            ),
        };
        let mut held = self.held();
        let number = held.number();
        let Some(made) = held.made.get_mut(id) else {
            return Ok(failed(404, "Not Found"));
        };
        let mut bootup = "RUNNING";
        if let Some(machine) = machine {
            made.machine = Some(machine);
            made.jobs.clear();
            made.token = format!("{TOKEN}_{number}");
            bootup = made.bootup;
        }
        let at = format!("{}/{id}", self.url.get().map_or("", String::as_str));
        Ok(told(&json!({
            "bootup_type": bootup, "cluster": "made-up", "id": id, "use_pint": true, "pint_url": at,
            "pint_token": made.token, "pitcher_url": "wss://pitcher.invalid", "pitcher_token": "none",
            "pitcher_version": "1", "latest_pitcher_version": "1", "pitcher_manager_version": "1",
            "reconnect_token": "none", "workspace_path": HOME, "user_workspace_path": HOME,
        })))
    }

    /// Ends the machine, whose files stay.
    async fn sleep(&self, id: &str, bootup: &'static str) -> Outcome {
        let (machine, ended, number) = {
            let mut held = self.held();
            let number = held.number();
            let Some(made) = held.made.get_mut(id) else {
                return Ok(failed(404, "Not Found"));
            };
            let Some(machine) = made.machine.take() else {
                return Ok(told(&json!({})));
            };
            (machine, Arc::clone(&made.ended), number)
        };
        let files = format!("sleep-{number}");
        self.machines.capture(&*machine, &files).await?;
        ended.notify_waiters();
        machine.cleanup().await?;
        if let Some(made) = self.held().made.get_mut(id) {
            (made.files, made.bootup) = (Some(files), bootup);
        }
        Ok(told(&json!({})))
    }
}

fn object(id: &str, made: &Made) -> Value {
    json!({
        "id": id, "title": made.asked["title"], "description": made.asked["description"],
        "privacy": made.asked["privacy"].as_u64().unwrap_or(0), "is_frozen": false,
        "tags": made.asked["tags"].as_array().cloned().unwrap_or_default(),
        "settings": { "use_pint": true }, "created_at": "2026-11-01T00:00:00Z",
        "updated_at": "2026-11-01T00:00:00Z",
    })
}
