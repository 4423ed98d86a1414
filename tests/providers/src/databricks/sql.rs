//! Statements on a warehouse. What runs them is SQLite in a process of Python.

use super::failed;
use crate::service::{Answer, Request};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::AsyncWriteExt;
use tokio::sync::Notify;

/// The warehouse.
pub const WAREHOUSE: &str = "f00dcafe1126f00d";
/// Rows of a chunk.
const CHUNK: usize = 1000;
/// What runs a statement.
const PROGRAM: &str = include_str!("statement.py");

struct Statement {
    state: &'static str,
    told: Value,
    changed: Arc<Notify>,
    task: Option<tokio::task::JoinHandle<()>>,
}

#[derive(Default)]
struct Held {
    statements: HashMap<String, Statement>,
    /// The catalog and the schema of each session.
    sessions: HashMap<String, (Value, Value)>,
    /// A state that statements end in, whatever they do.
    forced: Option<&'static str>,
    made: u64,
}

/// A warehouse.
pub(super) struct Warehouse {
    held: Arc<Mutex<Held>>,
    directory: tempfile::TempDir,
}

fn lock(held: &Mutex<Held>) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Warehouse {
    pub(super) fn new() -> std::io::Result<Warehouse> {
        Ok(Warehouse {
            held: Arc::default(),
            directory: tempfile::tempdir()?,
        })
    }

    /// Has all statements from now on end in a state.
    pub(super) fn force(&self, state: Option<&'static str>) {
        lock(&self.held).forced = state;
    }

    /// The states of all statements.
    pub(super) fn states(&self) -> Vec<&'static str> {
        let held = lock(&self.held);
        held.statements.values().map(|one| one.state).collect()
    }

    pub(super) async fn answer(&self, request: &Request, path: &[&str]) -> Answer {
        match (&*request.method, path) {
            ("GET", ["warehouses", id]) if *id == WAREHOUSE => Answer::json(
                200,
                &json!({ "id": WAREHOUSE, "name": "shared", "state": "RUNNING" }),
            ),
            ("GET", ["warehouses", id]) => {
                let message = format!("The SQL warehouse {id} was not found.");
                failed(404, "RESOURCE_DOES_NOT_EXIST", &message)
            }
            (method, ["sessions", ..]) => self.session(method, &path[1..], &request.json()),
            ("DELETE", ["statements", id]) => match lock(&self.held).statements.get_mut(*id) {
                Some(one) => {
                    one.state = "CLOSED";
                    Answer::json(200, &json!({}))
                }
                None => failed(404, "NOT_FOUND", "no such statement"),
            },
            ("POST", ["statements"]) => self.execute(&request.json()).await,
            ("GET", ["statements", id]) => self.about(id),
            ("POST", ["statements", id, "cancel"]) => self.cancel(id),
            ("GET", ["statements", id, "result", "chunks", number]) => {
                let held = lock(&self.held);
                let told = held.statements.get(*id).map(|one| &one.told["rows"]);
                let number = number.parse().unwrap_or(usize::MAX);
                match told.and_then(Value::as_array) {
                    Some(rows) if number.saturating_mul(CHUNK) < rows.len().max(1) => {
                        Answer::json(200, &chunk(rows, number))
                    }
                    _ => failed(404, "NOT_FOUND", "no such chunk"),
                }
            }
            _ => failed(404, "ENDPOINT_NOT_FOUND", "no such route"),
        }
    }

    fn session(&self, method: &str, path: &[&str], asked: &Value) -> Answer {
        let mut held = lock(&self.held);
        match (method, path) {
            ("POST", []) if asked["warehouse_id"] == WAREHOUSE => {
                held.made += 1;
                let id = format!("01f1{:04x}", held.made);
                let names = (asked["catalog"].clone(), asked["schema"].clone());
                held.sessions.insert(id.clone(), names);
                Answer::json(200, &json!({ "session_id": id }))
            }
            ("DELETE", [id]) if held.sessions.remove(*id).is_some() => {
                Answer::json(200, &json!({}))
            }
            _ => failed(404, "RESOURCE_DOES_NOT_EXIST", "no such session"),
        }
    }

    async fn execute(&self, asked: &Value) -> Answer {
        let text = |name: &str| asked[name].as_str().unwrap_or_default();
        if text("warehouse_id") != WAREHOUSE {
            let message = "The warehouse was not found.";
            return failed(404, "RESOURCE_DOES_NOT_EXIST", message);
        }
        let wait = asked["wait_timeout"].as_str().unwrap_or("10s");
        let wait = wait.strip_suffix('s').and_then(|wait| wait.parse().ok());
        let Some(wait @ (0 | 5..=50)) = wait else {
            let message = "wait_timeout must be 0 or between 5 and 50 seconds";
            return failed(400, "INVALID_PARAMETER_VALUE", message);
        };
        let inline = matches!(text("disposition"), "" | "INLINE");
        if !inline || !matches!(text("format"), "" | "JSON_ARRAY") {
            let message = "INLINE supports only JSON_ARRAY";
            return failed(400, "INVALID_PARAMETER_VALUE", message);
        }
        let (id, changed) = self.begin(asked);
        let ended = tokio::time::timeout(Duration::from_secs(wait), changed.notified());
        if ended.await.is_err() && text("on_wait_timeout") == "CANCEL" {
            self.cancel(&id);
        }
        self.about(&id)
    }

    fn begin(&self, asked: &Value) -> (String, Arc<Notify>) {
        let given = asked["parameters"].as_array().into_iter().flatten();
        let parameters: Map<String, Value> = given
            .filter_map(|one| Some((one["name"].as_str()?.to_owned(), one["value"].clone())))
            .collect();
        let mut held = lock(&self.held);
        let session = asked["session_id"].as_str().unwrap_or_default();
        let (catalog, schema) = match held.sessions.get(session) {
            Some(names) => names.clone(),
            None => (asked["catalog"].clone(), asked["schema"].clone()),
        };
        let input = json!({
            "database": self.directory.path().join("database"), "statement": asked["statement"],
            "catalog": catalog, "schema": schema, "parameters": parameters,
        });
        held.made += 1;
        let id = format!("01f0{:04x}-0000-1000-8000-000000000000", held.made);
        let changed = Arc::new(Notify::new());
        let shared = Arc::clone(&self.held);
        let name = id.clone();
        let task = tokio::spawn(async move {
            let told = run(&input.to_string()).await;
            let mut held = lock(&shared);
            let forced = held.forced;
            if let Some(one) = held.statements.get_mut(&name) {
                one.state = match told.get("rows") {
                    Some(_) => forced.unwrap_or("SUCCEEDED"),
                    None => "FAILED",
                };
                one.told = told;
                one.changed.notify_one();
            }
        });
        let statement = Statement {
            state: "RUNNING",
            told: Value::Null,
            changed: Arc::clone(&changed),
            task: Some(task),
        };
        held.statements.insert(id.clone(), statement);
        (id, changed)
    }

    fn cancel(&self, id: &str) -> Answer {
        let mut held = lock(&self.held);
        let Some(one) = held.statements.get_mut(id) else {
            return failed(404, "NOT_FOUND", "no such statement");
        };
        if one.state == "RUNNING" {
            one.state = "CANCELED";
            one.task.take().inspect(|task| task.abort());
            one.changed.notify_one();
        }
        Answer::json(200, &json!({}))
    }

    fn about(&self, id: &str) -> Answer {
        let held = lock(&self.held);
        let Some(one) = held.statements.get(id) else {
            return failed(404, "NOT_FOUND", "no such statement");
        };
        let mut told = json!({ "statement_id": id, "status": { "state": one.state } });
        if one.state == "FAILED" {
            told["status"]["error"] =
                json!({ "error_code": "BAD_REQUEST", "message": one.told["error"] });
        }
        if let ("SUCCEEDED", Some(rows)) = (one.state, one.told["rows"].as_array()) {
            let columns = &one.told["columns"];
            told["manifest"] = json!({
                "format": "JSON_ARRAY", "total_row_count": rows.len(), "truncated": false,
                "schema": { "column_count": columns.as_array().map_or(0, Vec::len), "columns": columns },
                "total_chunk_count": rows.len().div_ceil(CHUNK).max(1),
            });
            told["result"] = chunk(rows, 0);
        }
        Answer::json(200, &told)
    }
}

fn chunk(rows: &[Value], number: usize) -> Value {
    let from = number * CHUNK;
    let to = rows.len().min(from + CHUNK);
    let mut told = json!({
        "chunk_index": number, "row_offset": from, "row_count": to - from, "data_array": rows[from..to],
    });
    if to < rows.len() {
        told["next_chunk_index"] = json!(number + 1);
    }
    told
}

/// What a statement did. The process ends with the future.
async fn run(input: &str) -> Value {
    let ran = async {
        let mut child = tokio::process::Command::new("python3")
            .args(["-I", "-c", PROGRAM])
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .kill_on_drop(true)
            .spawn()?;
        if let Some(mut stdin) = child.stdin.take() {
            stdin.write_all(input.as_bytes()).await?;
        }
        let output = child.wait_with_output().await?;
        serde_json::from_slice(&output.stdout).map_err(std::io::Error::other)
    };
    ran.await
        .unwrap_or_else(|error: std::io::Error| json!({ "error": error.to_string() }))
}
