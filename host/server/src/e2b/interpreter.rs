//! The code interpreter: what E2B's template serves at port 49999 of a sandbox.

use super::access::Call;
use super::endpoint::Endpoint;
use super::entry::Guard;
use super::failure::{Code, Failure, Result};
use super::files::{Account, resolve};
use super::record::Record;
use super::share::Charge;
use crate::connection;
use crate::web::{self, Request, Response};
use bytes::Bytes;
use futures::stream;
use http::{Method, StatusCode};
use offshoot::{Cell, CellEvent, CellResult, CellRun, Context, ContextOptions, Language, Sandbox};
use serde::Deserialize;
use serde_json::{Map, Value, json};
use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::SystemTime;

/// The port that clients name for it.
pub(super) const PORT: &str = "49999";

/// The template that its SDKs ask for where none is named.
pub(super) const TEMPLATE: &str = "code-interpreter-v1";

/// Bytes that the body of a request may have.
const LONGEST: usize = 16 << 20;

/// Contexts that a sandbox may have.
const MOST: usize = 32;

/// The names that the protocol has for media types.
const FORMATS: [(&str, &str); 12] = [
    ("text/plain", "text"),
    ("text/html", "html"),
    ("text/markdown", "markdown"),
    ("image/svg+xml", "svg"),
    ("image/png", "png"),
    ("image/jpeg", "jpeg"),
    ("application/pdf", "pdf"),
    ("text/latex", "latex"),
    ("application/json", "json"),
    ("application/javascript", "javascript"),
    ("e2b/data", "data"),
    ("e2b/chart", "chart"),
];

/// The contexts of a sandbox while it is awake. They sleep with it, and a branch has its own.
pub(super) struct Contexts {
    held: tokio::sync::Mutex<Held>,
    /// Held by code that runs.
    running: Arc<()>,
}

impl Contexts {
    /// Those of a sandbox that has just woken.
    pub(super) fn of(sandbox: &Sandbox, record: &Record) -> Contexts {
        let found = sandbox.contexts().into_iter();
        let all: BTreeMap<_, _> = found
            .map(|context| (context.id().to_owned(), context))
            .collect();
        let mut usual = record.contexts.clone();
        usual.retain(|_, id| all.contains_key(id));
        Contexts {
            held: tokio::sync::Mutex::new(Held { all, usual }),
            running: Arc::default(),
        }
    }

    /// Whether any code runs.
    pub(super) fn is_busy(&self) -> bool {
        Arc::strong_count(&self.running) > 1
    }
}

#[derive(Default)]
struct Held {
    all: BTreeMap<String, Context>,
    /// Those that code runs in which names none, by language.
    usual: BTreeMap<String, String>,
}

/// Whether a request is for the interpreter.
pub(super) fn is_meant(path: &str, port: Option<&str>) -> bool {
    let first = path.trim_start_matches('/').split('/').next();
    match first {
        Some("execute" | "contexts") => true,
        Some("health") => port == Some(PORT),
        _ => false,
    }
}

/// Serves the interpreter of a sandbox.
pub(super) async fn serve(at: &Endpoint, request: Request) -> Result<Response> {
    let (parts, body) = request.into_parts();
    let call = match Call::of_traffic(at, &parts.headers) {
        Ok(call) => call,
        Err(failure) => {
            web::drain(body).await;
            return Err(failure);
        }
    };
    connection::trust(&parts.extensions);
    let body = web::collect(body, LONGEST).await?;
    let path: Vec<&str> = parts.uri.path().split('/').skip(1).collect();
    match (parts.method, path.as_slice()) {
        (Method::GET, ["health"]) => {
            call.endpoint.enter(&call.entry).await?;
            Ok(web::json(StatusCode::OK, &"OK"))
        }
        (Method::POST, ["execute"]) => execute(call, &body).await,
        (Method::GET, ["contexts"]) => list(&call).await,
        (Method::POST, ["contexts"]) => create(&call, &body).await,
        (Method::DELETE, ["contexts", id]) => remove(&call, id).await,
        (Method::POST, ["contexts", id, "restart"]) => restart(&call, id).await,
        _ => Err(Failure::no_route()),
    }
}

#[derive(Deserialize)]
struct Execute {
    code: String,
    context_id: Option<String>,
    language: Option<String>,
    env_vars: Option<BTreeMap<String, String>>,
}

#[derive(Deserialize)]
struct Create {
    language: Option<String>,
    cwd: Option<String>,
}

fn parse<'a, T: Deserialize<'a>>(body: &'a [u8]) -> Result<T> {
    serde_json::from_slice(body).map_err(|error| Failure::invalid(format!("the body: {error}")))
}

fn language(name: Option<&str>) -> Result<Language> {
    Ok(name.unwrap_or("python").to_lowercase().parse()?)
}

fn missing(id: &str) -> Failure {
    Failure::new(Code::NotFound, format!("Context {id} not found"))
}

async fn create(call: &Call, body: &[u8]) -> Result<Response> {
    let asked: Create = parse(body)?;
    let awake = call.endpoint.enter(&call.entry).await?;
    let language = language(asked.language.as_deref())?;
    let mut held = awake.contexts.held.lock().await;
    let context = begin(call, &awake, &mut held, language, asked.cwd.as_deref()).await?;
    Ok(web::json(StatusCode::OK, &describe(&context)))
}

/// Starts a context in the sandbox.
async fn begin(
    call: &Call,
    awake: &Guard,
    held: &mut Held,
    language: Language,
    directory: Option<&str>,
) -> Result<Context> {
    if held.all.len() >= MOST {
        let message = format!("a sandbox has at most {MOST} contexts; remove some");
        return Err(Failure::new(Code::ResourceExhausted, message));
    }
    let sandbox = awake.sandbox();
    let home = Account::find(sandbox, None)?.home;
    let directory = resolve(sandbox, &home, directory.unwrap_or_default());
    let options = call.entry.record().envs.into_iter().fold(
        ContextOptions::new(language).cwd(directory),
        |options, (name, value)| options.env(name, value),
    );
    let context = sandbox.context(options).await?;
    held.all.insert(context.id().to_owned(), context.clone());
    Ok(context)
}

fn describe(context: &Context) -> Value {
    json!({
        "id": context.id(),
        "language": context.language().as_str(),
        "cwd": context.cwd(),
    })
}

async fn list(call: &Call) -> Result<Response> {
    let awake = call.endpoint.enter(&call.entry).await?;
    let held = awake.contexts.held.lock().await;
    let all: Vec<Value> = held.all.values().map(describe).collect();
    Ok(web::json(StatusCode::OK, &all))
}

async fn remove(call: &Call, id: &str) -> Result<Response> {
    let awake = call.endpoint.enter(&call.entry).await?;
    let mut held = awake.contexts.held.lock().await;
    held.all.remove(id).ok_or_else(|| missing(id))?.close();
    held.usual.retain(|_, usual| usual != id);
    let usual = held.usual.clone();
    call.entry.change(|record| record.contexts = usual);
    Ok(web::empty(StatusCode::NO_CONTENT))
}

async fn restart(call: &Call, id: &str) -> Result<Response> {
    let awake = call.endpoint.enter(&call.entry).await?;
    let context = awake.contexts.held.lock().await.all.get(id).cloned();
    // The sandbox may pause meanwhile.
    drop(awake);
    context.ok_or_else(|| missing(id))?.restart().await?;
    Ok(web::empty(StatusCode::NO_CONTENT))
}

/// The context that code is for.
async fn find(call: &Call, awake: &Guard, asked: &Execute) -> Result<Context> {
    let mut held = awake.contexts.held.lock().await;
    if let Some(id) = &asked.context_id {
        return held.all.get(id).cloned().ok_or_else(|| missing(id));
    }
    let language = language(asked.language.as_deref())?;
    let known = held.usual.get(language.as_str());
    if let Some(context) = known.and_then(|id| held.all.get(id)) {
        return Ok(context.clone());
    }
    let context = begin(call, awake, &mut held, language, None).await?;
    let (language, id) = (language.as_str().to_owned(), context.id().to_owned());
    held.usual.insert(language, id);
    let usual = held.usual.clone();
    call.entry.change(|record| record.contexts = usual);
    Ok(context)
}

async fn execute(call: Call, body: &[u8]) -> Result<Response> {
    let asked: Execute = parse(body)?;
    let charge = call.entry.share.stream()?;
    let awake = call.endpoint.enter(&call.entry).await?;
    let context = find(&call, &awake, &asked).await?;
    let running = Arc::clone(&awake.contexts.running);
    // Code that runs does not keep its sandbox from pausing.
    drop(awake);
    let cell = asked
        .env_vars
        .into_iter()
        .flatten()
        .fold(Cell::new(asked.code), |cell, (name, value)| {
            cell.env(name, value)
        });
    let stream = Stream {
        stage: Stage::Waits(cell),
        call,
        context,
        stdout: Text::default(),
        stderr: Text::default(),
        _held: (charge, running),
    };
    let lines = stream::unfold(stream, |mut stream| async move {
        let lines = stream.next().await?;
        Some((lines, stream))
    });
    Ok(web::typed("application/x-ndjson", web::stream(lines)))
}

/// What a client hears of its code.
struct Stream {
    stage: Stage,
    call: Call,
    context: Context,
    stdout: Text,
    stderr: Text,
    _held: (Charge, Arc<()>),
}

enum Stage {
    Waits(Cell),
    Runs(Box<CellRun>),
    Over,
}

impl Stream {
    /// The next lines.
    async fn next(&mut self) -> Option<Bytes> {
        loop {
            let done = match &mut self.stage {
                Stage::Over => return None,
                Stage::Waits(cell) => {
                    let cell = std::mem::take(cell);
                    match self.context.start(cell).await {
                        Ok(run) => {
                            self.stage = Stage::Runs(Box::new(run));
                            continue;
                        }
                        Err(error) => Err(error),
                    }
                }
                Stage::Runs(run) => run.next().await,
            };
            let lines = match done {
                Ok(Some(event)) => self.lines(event),
                Ok(None) => self
                    .end()
                    .await
                    .map_or_else(Vec::new, |failure| vec![failure]),
                Err(error) => vec![self.lost(&error).await],
            };
            if !lines.is_empty() {
                let lines = lines.iter().map(|line| format!("{line}\n"));
                return Some(lines.collect::<String>().into());
            }
        }
    }

    fn lines(&mut self, event: CellEvent) -> Vec<Value> {
        let written = |kind: &str, text: String| match text.is_empty() {
            true => Vec::new(),
            false => vec![json!({ "type": kind, "text": text, "timestamp": nanoseconds() })],
        };
        match event {
            CellEvent::Started(number) => {
                vec![json!({ "type": "number_of_executions", "execution_count": number })]
            }
            CellEvent::Stdout(bytes) => written("stdout", self.stdout.add(&bytes)),
            CellEvent::Stderr(bytes) => written("stderr", self.stderr.add(&bytes)),
            CellEvent::Result(result) => vec![shown(result)],
            CellEvent::Error(error) => vec![json!({
                "type": "error",
                "name": error.name,
                "value": error.value,
                "traceback": error.traceback,
            })],
            _ => Vec::new(),
        }
    }

    /// The code has run to its end; what it changed is stored where it must be.
    async fn end(&mut self) -> Option<Value> {
        self.stage = Stage::Over;
        let look = self.call.entry.look().await;
        drop(look);
        let failure = self.call.entry.settle().await.err()?;
        Some(unexpected(failure.message()))
    }

    /// The interpreter has ended, and begins afresh for what comes next.
    async fn lost(&mut self, error: &offshoot::Error) -> Value {
        self.stage = Stage::Over;
        match self.context.restart().await {
            Ok(()) => {
                let message = error.message().trim_end_matches(" until it is restarted");
                unexpected(&format!("{message}, and it was restarted"))
            }
            Err(_) => unexpected(error.message()),
        }
    }
}

fn unexpected(message: &str) -> Value {
    json!({
        "type": "error",
        "name": "UnexpectedEndOfExecution",
        "value": message,
        "traceback": "",
    })
}

/// A value that is shown, under the names of the protocol.
fn shown(result: CellResult) -> Value {
    let mut data = result.data;
    let mut fields = Map::new();
    for (kind, name) in FORMATS {
        if let Some(content) = data.remove(kind) {
            fields.insert(name.to_owned(), content);
        }
    }
    // A text is shown without the quotes of its representation.
    if let Some(Value::String(text)) = fields.get_mut("text")
        && let Some(inner) = text
            .strip_prefix('\'')
            .and_then(|rest| rest.strip_suffix('\''))
    {
        *text = inner.to_owned();
    }
    if !data.is_empty() {
        fields.insert("extra".to_owned(), data.into_iter().collect());
    }
    fields.insert("type".to_owned(), "result".into());
    fields.insert("is_main_result".to_owned(), result.main.into());
    Value::Object(fields)
}

fn nanoseconds() -> u64 {
    let now = SystemTime::now().duration_since(SystemTime::UNIX_EPOCH);
    now.map_or(0, |now| u64::try_from(now.as_nanos()).unwrap_or(u64::MAX))
}

/// Bytes of text, that may be cut inside of a character.
#[derive(Default)]
struct Text(Vec<u8>);

impl Text {
    /// What is whole with these bytes.
    fn add(&mut self, bytes: &[u8]) -> String {
        self.0.extend_from_slice(bytes);
        let whole = match std::str::from_utf8(&self.0) {
            Ok(_) => self.0.len(),
            Err(error) if error.error_len().is_none() => error.valid_up_to(),
            Err(_) => self.0.len(),
        };
        let rest = self.0.split_off(whole);
        let text = String::from_utf8_lossy(&self.0).into_owned();
        self.0 = rest;
        text
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn values_have_the_names_of_the_protocol() {
        let mut result = CellResult::default();
        result.main = true;
        for (kind, content) in [("text/plain", "'a'"), ("image/png", "MQ=="), ("x/y", "z")] {
            result.data.insert(kind.to_owned(), content.into());
        }
        let expected = json!({
            "type": "result", "is_main_result": true, "text": "a", "png": "MQ==", "extra": {"x/y": "z"},
        });
        assert_eq!(shown(result), expected);
    }

    #[test]
    fn characters_stay_whole() {
        let mut text = Text::default();
        let bytes = "aé".as_bytes();
        assert_eq!(text.add(&bytes[..2]), "a");
        assert_eq!(text.add(&bytes[2..]), "é");
        assert_eq!(text.add(b"\xffb"), "\u{fffd}b");
    }

    #[test]
    fn the_port_tells_whose_health_is_asked() {
        for (path, port, meant) in [
            ("/execute", None, true),
            ("/contexts/a/restart", None, true),
            ("/health", Some(PORT), true),
            ("/health", Some("49983"), false),
            ("/health", None, false),
            ("/sandboxes", Some(PORT), false),
        ] {
            assert_eq!(is_meant(path, port), meant, "{path}");
        }
    }
}
