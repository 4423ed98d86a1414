//! A Databricks workspace, as PyPI `databricks-sdk` 0.162.0 expects it: clusters, and their execution contexts of the
//! API 1.2, and statements and sessions on a SQL warehouse, which `databricks-sql-connector` 4.9.0 asks for too.
//!
//! A cluster's driver is this machine: a context is a process of its `python3`, and what sandboxes have lies in a
//! temporary directory, which is emptied when the cluster stops. Contexts run one command after the other. How long a
//! command and its output may be is an assumption, as are the words of the errors of the API 1.2.

mod context;
mod sql;

use crate::service::{Answer, Request, Service};
use context::Context;
use serde_json::{Value, json};
pub use sql::WAREHOUSE;
use sql::Warehouse;
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

/// The token that the workspace asks for.
pub const TOKEN: &str = "dapi5ecre7c0de5ecre7c0de5ecre7c0de00";
/// The cluster.
pub const CLUSTER: &str = "1126-120000-f00dcafe";
/// Contexts of a cluster at once.
const CONTEXTS: usize = 150;
/// Bytes of a command.
const COMMAND: usize = 1 << 20;
/// How often a cluster that starts is looked at before it runs.
const STARTING: u32 = 3;

/// What a cluster is.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Stage {
    Terminated,
    /// It runs after so many looks.
    Pending(u32),
    Running,
    Failed,
}

struct Held {
    stage: Stage,
    starts: u32,
    made: u64,
    contexts: HashMap<String, Arc<Context>>,
    directory: tempfile::TempDir,
}

/// The workspace.
pub struct Workspace {
    held: Mutex<Held>,
    warehouse: Warehouse,
}

impl std::fmt::Debug for Workspace {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Workspace")
    }
}

/// An error of the APIs 2.
fn failed(status: u16, code: &str, message: &str) -> Answer {
    Answer::json(status, &json!({ "error_code": code, "message": message }))
}

/// An error of the API 1.2.
fn failed_1(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({ "error": message }))
}

/// Serves until it is dropped.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Workspace>)> {
    let workspace = Arc::new(Workspace {
        held: Mutex::new(Held {
            stage: Stage::Running,
            starts: 0,
            made: 0,
            contexts: HashMap::new(),
            directory: tempfile::tempdir()?,
        }),
        warehouse: Warehouse::new()?,
    });
    let served = Arc::clone(&workspace);
    let service = Service::start(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(&request).await }
    })
    .await?;
    Ok((service, workspace))
}

impl Workspace {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// The directory of the driver's disk.
    pub fn directory(&self) -> String {
        self.held().directory.path().display().to_string()
    }

    /// How many contexts there are.
    pub fn contexts(&self) -> usize {
        self.held().contexts.len()
    }

    /// How often the cluster was started.
    pub fn starts(&self) -> u32 {
        self.held().starts
    }

    /// Stops the cluster: its contexts end, and what is on its disk is gone.
    ///
    /// # Errors
    /// Where the disk cannot be emptied.
    pub fn terminate(&self) -> io::Result<()> {
        let mut held = self.held();
        held.stage = Stage::Terminated;
        held.contexts.clear();
        empty(held.directory.path())
    }

    /// Has all statements that succeed end in another state from now on.
    pub fn force(&self, state: Option<&'static str>) {
        self.warehouse.force(state);
    }

    /// The states of all statements, in no order.
    pub fn statements(&self) -> Vec<&'static str> {
        self.warehouse.states()
    }

    /// Breaks the cluster: it runs no more and cannot be started.
    pub fn break_down(&self) {
        self.held().stage = Stage::Failed;
    }

    async fn answer(&self, request: &Request) -> Answer {
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        if path[..] == [".well-known", "databricks-config"] {
            return failed(404, "ENDPOINT_NOT_FOUND", "no such route");
        }
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return failed(403, "PERMISSION_DENIED", "Invalid access token.");
        }
        match (&*request.method, &path[..]) {
            ("GET", ["api", "2.1", "clusters", "get"]) => {
                let id = request.query.get("cluster_id");
                self.cluster(id.map_or("", String::as_str))
            }
            ("POST", ["api", "2.1", "clusters", "start"]) => self.start(request),
            (_, ["api", "2.0", "sql", ..]) => self.warehouse.answer(request, &path[3..]).await,
            (_, ["api", "1.2", ..]) => self.api_1(request, &path[2..]).await,
            _ => failed(404, "ENDPOINT_NOT_FOUND", "no such route"),
        }
    }

    fn cluster(&self, id: &str) -> Answer {
        if id != CLUSTER {
            let message = format!("Cluster {id} does not exist");
            return failed(400, "INVALID_PARAMETER_VALUE", &message);
        }
        let mut held = self.held();
        let (state, message) = match held.stage {
            Stage::Terminated => ("TERMINATED", "Inactive cluster terminated"),
            Stage::Pending(_) => ("PENDING", "Starting Spark"),
            Stage::Running => ("RUNNING", ""),
            Stage::Failed => ("ERROR", "Cloud provider failure"),
        };
        held.stage = match held.stage {
            Stage::Pending(0) => Stage::Running,
            Stage::Pending(left) => Stage::Pending(left - 1),
            stage => stage,
        };
        Answer::json(
            200,
            &json!({
                "cluster_id": CLUSTER, "cluster_name": "shared", "spark_version": "17.3.x-scala2.13",
                "state": state, "state_message": message,
            }),
        )
    }

    fn start(&self, request: &Request) -> Answer {
        let mut held = self.held();
        if request.json()["cluster_id"] != CLUSTER {
            return failed(400, "INVALID_PARAMETER_VALUE", "Cluster does not exist");
        }
        if held.stage != Stage::Terminated {
            let message = format!("Cluster {CLUSTER} is in unexpected state {:?}.", held.stage);
            return failed(400, "INVALID_STATE", &message);
        }
        held.stage = Stage::Pending(STARTING);
        held.starts += 1;
        Answer::json(200, &json!({}))
    }

    async fn api_1(&self, request: &Request, path: &[&str]) -> Answer {
        let asked = match &*request.method {
            "GET" => json!(request.query),
            _ => request.json(),
        };
        let given = |name: &str| asked[name].as_str().unwrap_or_default().to_owned();
        if given("clusterId") != CLUSTER {
            return failed_1(400, "RuntimeException: Can't find cluster");
        }
        if path == ["contexts", "create"] {
            return self.create(&given("language"));
        }
        let id = given("contextId");
        let found = self.held().contexts.get(&id).cloned();
        let Some(context) = found else {
            return failed_1(400, "ContextNotFound: no such execution context");
        };
        match (&*request.method, path) {
            ("GET", ["contexts", "status"]) => {
                Answer::json(200, &json!({ "id": id, "status": context.status() }))
            }
            ("POST", ["contexts", "destroy"]) => {
                self.held().contexts.remove(&id);
                Answer::json(200, &json!({ "id": id }))
            }
            ("POST", ["commands", "execute"]) => {
                let command = given("command");
                if given("language") != "python" || command.len() > COMMAND {
                    return failed_1(400, "IllegalArgumentException: the command");
                }
                Answer::json(200, &json!({ "id": context.execute(command) }))
            }
            (method, ["commands", what]) => {
                let (command, id) = (given("commandId"), id.as_str());
                let told = match (method, *what) {
                    ("GET", "status") => context.told(&command),
                    ("POST", "cancel") => {
                        context.cancel(&command).await.then(|| json!({ "id": id }))
                    }
                    _ => None,
                };
                match told {
                    Some(told) => Answer::json(200, &told),
                    None => failed_1(404, "CommandNotFound: no such command"),
                }
            }
            _ => failed_1(404, "no such route"),
        }
    }

    fn create(&self, language: &str) -> Answer {
        let mut held = self.held();
        if held.stage != Stage::Running {
            return failed_1(500, "ClusterNotReadyException: Cluster is not running");
        }
        if held.contexts.len() >= CONTEXTS {
            return failed_1(500, "Too many execution contexts are open right now.");
        }
        if language != "python" {
            return failed_1(400, "IllegalArgumentException: only Python is here");
        }
        let context = match Context::begin(held.directory.path()) {
            Ok(context) => context,
            Err(error) => return failed_1(500, &error.to_string()),
        };
        held.made += 1;
        let id = format!("{:019}", held.made);
        held.contexts.insert(id.clone(), Arc::new(context));
        Answer::json(200, &json!({ "id": id }))
    }
}

fn empty(directory: &Path) -> io::Result<()> {
    for entry in std::fs::read_dir(directory)? {
        std::fs::remove_dir_all(entry?.path())?;
    }
    Ok(())
}

/// What a command's results are where it ended well.
fn text(data: &str, limit: usize) -> Value {
    let mut end = data.len().min(limit);
    while !data.is_char_boundary(end) {
        end -= 1;
    }
    let truncated = end < data.len();
    json!({ "resultType": "text", "data": data[..end], "truncated": truncated })
}
