//! Statements: sent once, looked at until they end, cancelled at their time-out.

use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{Code, Error, Result, ShellResult};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};
use std::thread;
use std::time::{Duration, Instant};

use crate::rows::{Column, Row, written};
use crate::settings::Settings;

/// How long the service lets the request for a statement wait, in seconds: 0, or 5 to 50.
const WAIT: u64 = 30;
const LEAST_WAIT: u64 = 5;
/// The first time between two looks, which doubles up to [`LOOK`].
const FIRST_LOOK: Duration = Duration::from_millis(50);
const LOOK: Duration = Duration::from_secs(2);
/// Bytes of an answer: the service gives at most 25 MiB in place, which as JSON are more.
const ANSWER: usize = 64 << 20;

#[derive(Deserialize)]
struct Statement {
    statement_id: String,
    status: Status,
    manifest: Option<Manifest>,
    result: Option<Chunk>,
}

#[derive(Deserialize)]
struct Status {
    state: String,
    error: Option<Failure>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Failure {
    error_code: String,
    message: String,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Manifest {
    schema: Schema,
    truncated: bool,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Schema {
    columns: Vec<Column>,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Chunk {
    data_array: Vec<Row>,
    next_chunk_index: Option<u64>,
}

fn answer<T: DeserializeOwned>(request: Request) -> Result<T> {
    let body = request.send()?.success()?.read(ANSWER)?;
    serde_json::from_slice(&body).map_err(Error::corrupt)
}

/// Runs a statement to its end.
///
/// # Errors
/// [`Code::Died`] where somebody else cancelled it or its rows are gone, and those of the service. What the statement
/// does wrong is a status.
pub(crate) fn run(
    settings: &Settings,
    statement: &str,
    timeout_ms: Option<u64>,
) -> Result<ShellResult> {
    let deadline = timeout_ms.map(|limit| Instant::now() + Duration::from_millis(limit));
    let wait = timeout_ms.map_or(WAIT, |limit| (limit / 1000).min(WAIT));
    let wait = if wait < LEAST_WAIT { 0 } else { wait };
    let mut asked = json!({
        "warehouse_id": settings.warehouse, "statement": statement, "wait_timeout": format!("{wait}s"),
        "on_wait_timeout": "CONTINUE", "disposition": "INLINE", "format": "JSON_ARRAY",
    });
    for (name, value) in [("catalog", &settings.catalog), ("schema", &settings.schema)] {
        if let Some(value) = value {
            asked[name] = Value::from(value.as_str());
        }
    }
    let statements = format!("{}/api/2.0/sql/statements", settings.host);
    let mut told: Statement = answer(Request::post(statements.as_str()).json(&asked)?)?;
    let url = format!("{statements}/{}", encoded(&told.statement_id));
    let mut wait = FIRST_LOOK;
    while matches!(&*told.status.state, "PENDING" | "RUNNING") {
        let left = deadline.map(|deadline| deadline.saturating_duration_since(Instant::now()));
        if left == Some(Duration::ZERO) {
            let cancel = Request::post(format!("{url}/cancel")).json(&json!({}))?;
            cancel.send()?.success()?;
            return Ok(ended(124, "", "", true));
        }
        thread::sleep(left.unwrap_or(wait).min(wait));
        wait = (wait * 2).min(LOOK);
        told = answer(Request::get(url.as_str()))?;
    }
    settled(settings, &url, told)
}

/// What a statement that ended comes to.
fn settled(settings: &Settings, url: &str, told: Statement) -> Result<ShellResult> {
    match &*told.status.state {
        "SUCCEEDED" => {}
        "FAILED" => {
            let failure = told.status.error.unwrap_or_default();
            let text = format!("{}: {}\n", failure.error_code, failure.message);
            return Ok(ended(1, "", &text, false));
        }
        "CLOSED" => return Err(Error::new(Code::Died, "the statement's rows are gone")),
        "CANCELED" => return Err(Error::new(Code::Died, "the statement was cancelled")),
        other => return Err(Error::corrupt(format!("a statement that is {other}"))),
    }
    let manifest = told.manifest.unwrap_or_default();
    let mut chunk = told.result.unwrap_or_default();
    let mut rows = chunk.data_array;
    while let Some(next) = chunk.next_chunk_index {
        chunk = answer(Request::get(format!("{url}/result/chunks/{next}")))?;
        if chunk.next_chunk_index.is_some_and(|later| later <= next) {
            return Err(Error::corrupt("chunks that come again"));
        }
        rows.append(&mut chunk.data_array);
    }
    let text = written(settings.format, &manifest.schema.columns, &rows);
    let mut ended = ended(0, &text, "", false);
    ended.truncated = manifest.truncated;
    Ok(ended)
}

fn ended(exit_code: u8, stdout: &str, stderr: &str, timed_out: bool) -> ShellResult {
    ShellResult {
        exit_code,
        stdout: stdout.into(),
        stderr: stderr.into(),
        timed_out,
        truncated: false,
    }
}
