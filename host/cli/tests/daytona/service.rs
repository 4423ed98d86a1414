//! A service of Daytona's shape on the loopback, played by virtual sandboxes: as far as the connector
//! and the official client's scripts beside it ask. That it has this shape is what the client proves.

use super::http::{Answer, Request, Service};
use super::multipart;
use offshoot::backend::{
    self, Code, Environment, Error, Exec, FileKind, FileStat, Options, Registry, RemoveOptions,
};
use serde_json::{Map, Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use std::time::SystemTime;
use tokio::runtime::Handle;

pub const KEY: &str = "dtn_5ecre7c0de5ecre7c0de5ecre7c0de";

/// A sandbox with what is asked of it.
#[derive(Clone)]
struct Made {
    sandbox: Arc<dyn Environment>,
    asked: Value,
    /// The state now, and the one that the next look shows.
    state: (&'static str, &'static str),
}

struct Daytona {
    registry: Registry,
    made: Mutex<HashMap<String, Made>>,
    runtime: Handle,
    url: std::sync::OnceLock<String>,
}

type Outcome = Result<Answer, Error>;

fn told(status: u16, value: &Value) -> Answer {
    Answer::new(status, "application/json", value.to_string().as_bytes())
}

fn failed(status: u16, message: &str) -> Answer {
    told(status, &json!({ "statusCode": status, "message": message }))
}

/// Serves, for as long as the process lives.
pub fn serve() -> Service {
    let daytona = Arc::new(Daytona {
        registry: backend::registry().unwrap(),
        made: Mutex::default(),
        runtime: Handle::current(),
        url: std::sync::OnceLock::new(),
    });
    let served = Arc::clone(&daytona);
    let service = Service::start(move |request| served.answer(request));
    daytona.url.set(service.url()).unwrap();
    service
}

impl Daytona {
    fn answer(&self, request: &Request) -> Answer {
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let head = request.head.to_ascii_lowercase();
        if !head.contains(&format!("authorization: bearer {KEY}").to_ascii_lowercase()) {
            return failed(401, "Unauthorized");
        }
        let query: HashMap<String, String> = query
            .split('&')
            .filter_map(|field| field.split_once('='))
            .map(|(name, value)| (name.to_owned(), decoded(value)))
            .collect();
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let outcome = match parts[..] {
            ["api", "sandbox", ref more @ ..] => self.runtime.block_on(self.control(request, more)),
            ["toolbox", id, ref more @ ..] => {
                let made = self.made.lock().unwrap().get(id).cloned();
                match made {
                    Some(made) if made.state.0 == "started" => self.runtime.block_on(toolbox(
                        &*made.sandbox,
                        request,
                        &more.join("/"),
                        &query,
                        &made.asked,
                    )),
                    Some(_) => return failed(400, "the sandbox is not started"),
                    None => return failed(404, "no such sandbox"),
                }
            }
            _ => return failed(404, "no such route"),
        };
        outcome.unwrap_or_else(|error| {
            let status = match error.code() {
                Code::NotFound => 404,
                Code::PolicyDenied => 403,
                Code::SandboxUnavailable | Code::Died => 502,
                _ => 400,
            };
            failed(status, &error.to_string())
        })
    }

    async fn control(&self, request: &Request, parts: &[&str]) -> Outcome {
        if let ("POST", []) = (&*request.method, parts) {
            return self.create(&request.body).await;
        }
        let id = parts.first().copied().unwrap_or_default();
        let gone = || Ok(failed(404, "no such sandbox"));
        match (&*request.method, &parts[1.min(parts.len())..]) {
            ("GET", []) => {
                let mut all = self.made.lock().unwrap();
                let Some(made) = all.get_mut(id) else {
                    return gone();
                };
                let shown = self.object(id, made);
                made.state.0 = made.state.1;
                Ok(told(200, &shown))
            }
            ("POST", [change @ ("start" | "stop")]) => {
                let mut all = self.made.lock().unwrap();
                let Some(made) = all.get_mut(id) else {
                    return gone();
                };
                made.state = match (*change, made.state.0) {
                    ("start", "stopped") => ("starting", "started"),
                    ("stop", "started") => ("stopping", "stopped"),
                    (_, state) => {
                        return Ok(failed(
                            400,
                            &format!("{change} of a sandbox that is {state}"),
                        ));
                    }
                };
                Ok(told(200, &self.object(id, made)))
            }
            ("DELETE", []) => {
                let made = self.made.lock().unwrap().remove(id);
                let Some(mut made) = made else { return gone() };
                made.sandbox.cleanup().await?;
                made.state = ("destroyed", "destroyed");
                Ok(told(200, &self.object(id, &made)))
            }
            _ => Ok(failed(404, "no such route")),
        }
    }

    async fn create(&self, body: &[u8]) -> Outcome {
        let asked: Value = serde_json::from_slice(body).unwrap();
        let sandbox = self.registry.open("virtual", Options::default()).await?;
        let made = Made {
            sandbox,
            asked,
            state: ("creating", "started"),
        };
        let mut all = self.made.lock().unwrap();
        let id = format!("5a4dbc0e-0000-4000-8000-{:012}", all.len() + 1);
        let shown = self.object(&id, &made);
        all.insert(id, made);
        Ok(told(200, &shown))
    }

    /// A sandbox with all fields that the official client wants.
    fn object(&self, id: &str, made: &Made) -> Value {
        let object = |name: &str| match &made.asked[name] {
            Value::Object(given) => given.clone(),
            _ => Map::new(),
        };
        json!({
            "id": id, "organizationId": "o", "name": id, "user": "daytona", "snapshot": "default",
            "env": object("env"), "labels": object("labels"), "public": false, "kvm": false,
            "networkBlockAll": made.asked["networkBlockAll"] == true, "target": "us", "cpu": 1,
            "gpu": 0, "memory": 1, "disk": 3, "state": made.state.0, "volumes": [],
            "toolboxProxyUrl": format!("{}/toolbox", self.url.get().unwrap()),
        })
    }
}

async fn toolbox(
    sandbox: &dyn Environment,
    request: &Request,
    what: &str,
    query: &HashMap<String, String>,
    asked: &Value,
) -> Outcome {
    let path = |name: &str| sandbox.resolve_path(query.get(name).map_or("", String::as_str));
    match (&*request.method, what) {
        ("GET", "work-dir" | "user-home-dir") => Ok(told(200, &json!({ "dir": sandbox.cwd() }))),
        ("POST", "process/execute") => execute(sandbox, &request.body, asked).await,
        ("GET", "files/info") => {
            let path = path("path");
            let stat = sandbox.stat(&path).await?;
            Ok(told(200, &info(&path, &stat)))
        }
        ("GET", "files") => list(sandbox, &path("path")).await,
        ("GET", "files/download") => {
            let content = sandbox.read_file_buffer(&path("path")).await?;
            Ok(Answer::new(200, "application/octet-stream", &content))
        }
        ("POST", "files/bulk-upload") => upload(sandbox, request).await,
        ("POST", "files/bulk-download") => download(sandbox, &request.body).await,
        ("POST", "files/folder") => {
            sandbox.mkdir(&path("path"), true).await?;
            Ok(Answer::new(201, "text/plain", b""))
        }
        ("DELETE", "files") => {
            let path = path("path");
            // It looks through links, and does not know of force.
            sandbox.stat(&path).await?;
            let recursive = query.get("recursive").is_some_and(|given| given == "true");
            let options = RemoveOptions {
                recursive,
                force: false,
            };
            sandbox.rm(&path, options).await?;
            Ok(Answer::new(204, "text/plain", b""))
        }
        ("POST", "files/move") => {
            let (from, to) = (path("source"), path("destination"));
            if sandbox.exists(&to).await? {
                return Ok(failed(409, "the destination exists"));
            }
            let exec = Exec::new("mv -- \"$1\" \"$2\"").arguments([from, to]);
            match sandbox.exec(exec).await?.success() {
                true => Ok(Answer::text("")),
                false => Ok(failed(404, "it cannot be moved")),
            }
        }
        _ => Ok(failed(404, "no such route")),
    }
}

/// Runs a text: both streams in one string, and nothing of them after a time-out.
async fn execute(sandbox: &dyn Environment, body: &[u8], made: &Value) -> Outcome {
    let asked: Value = serde_json::from_slice(body).unwrap();
    let text = asked["command"].as_str().unwrap();
    let mut exec = Exec::new(format!("exec 2>&1\n{text}"));
    let cwd = asked["cwd"].as_str().unwrap_or(sandbox.cwd());
    exec = exec.cwd(cwd);
    for given in [&made["env"], &asked["envs"]] {
        for (name, value) in given.as_object().into_iter().flatten() {
            exec = exec.env(name, value.as_str().unwrap());
        }
    }
    if let Some(seconds) = asked["timeout"].as_u64() {
        exec = exec.timeout_ms(seconds * 1000);
    }
    match sandbox.exec(exec).await {
        Ok(result) if result.timed_out => Ok(failed(408, "command execution timeout")),
        Ok(result) => {
            let (code, text) = (result.exit_code, result.stdout_text());
            Ok(told(200, &json!({ "exitCode": code, "result": text })))
        }
        // The directory is not there.
        Err(error) if matches!(error.code(), Code::NotFound | Code::Conflict) => {
            Ok(told(200, &json!({ "exitCode": -1, "result": "" })))
        }
        Err(error) => Err(error),
    }
}

async fn list(sandbox: &dyn Environment, path: &str) -> Outcome {
    let mut entries = Vec::new();
    for name in sandbox.readdir(path).await? {
        let path = format!("{path}/{name}");
        // Links that lead nowhere are left out.
        if let Ok(stat) = sandbox.stat(&path).await {
            entries.push(info(&path, &stat));
        }
    }
    Ok(told(200, &Value::from(entries)))
}

fn info(path: &str, stat: &FileStat) -> Value {
    let kind = match stat.kind {
        FileKind::File => "-",
        FileKind::Directory => "d",
        _ => "D",
    };
    let mode = stat.mode.unwrap_or(0o644);
    let letter = |bit: u32| match mode & (1 << bit) {
        0 => '-',
        _ => char::from(b"xwr"[bit as usize % 3]),
    };
    let letters: String = (0..9).rev().map(letter).collect();
    let time = stat.mtime.unwrap_or(SystemTime::UNIX_EPOCH);
    let seconds = time
        .duration_since(SystemTime::UNIX_EPOCH)
        .unwrap()
        .as_secs();
    let (day, second) = (date(seconds / 86_400), seconds % 86_400);
    let clock = format!(
        "{:02}:{:02}:{:02}",
        second / 3600,
        second / 60 % 60,
        second % 60
    );
    json!({
        "name": path.rsplit('/').next(), "isDir": kind == "d", "size": stat.size,
        "mode": format!("{kind}{letters}"), "permissions": format!("{mode:04o}"),
        "owner": "daytona", "group": "daytona",
        "modTime": format!("{day} {clock} +0000 UTC"), "modifiedAt": format!("{day}T{clock}Z"),
    })
}

/// The day of a number of days since 1970.
fn date(mut days: u64) -> String {
    let leap = |year: u64| {
        year.is_multiple_of(4) && (!year.is_multiple_of(100) || year.is_multiple_of(400))
    };
    let mut year = 1970;
    while days >= 365 + u64::from(leap(year)) {
        days -= 365 + u64::from(leap(year));
        year += 1;
    }
    let february = 28 + u64::from(leap(year));
    let mut month = 1;
    for length in [31, february, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31] {
        if days < length {
            break;
        }
        days -= length;
        month += 1;
    }
    format!("{year}-{month:02}-{:02}", days + 1)
}

/// Files with their paths, one after the other; parents are made.
async fn upload(sandbox: &dyn Environment, request: &Request) -> Outcome {
    let parts = multipart::parts(&request.head, &request.body);
    let mut paths: HashMap<String, String> = HashMap::new();
    for (name, content) in &parts {
        if let Some(number) = name.strip_suffix(".path") {
            let path = String::from_utf8(content.clone()).unwrap();
            paths.insert(number.to_owned(), path);
        }
    }
    for (name, content) in &parts {
        let Some(number) = name.strip_suffix(".file") else {
            continue;
        };
        let path = sandbox.resolve_path(&paths[number]);
        if let Some((parent, _)) = path
            .rsplit_once('/')
            .filter(|(parent, _)| !parent.is_empty())
        {
            sandbox.mkdir(parent, true).await?;
        }
        sandbox.write_file(&path, content).await?;
    }
    Ok(Answer::text(""))
}

async fn download(sandbox: &dyn Environment, body: &[u8]) -> Outcome {
    let asked: Value = serde_json::from_slice(body).unwrap();
    let mut answer = Vec::new();
    for path in asked["paths"].as_array().unwrap() {
        let path = path.as_str().unwrap();
        let (name, content) = match sandbox.read_file_buffer(&sandbox.resolve_path(path)).await {
            Ok(content) => ("file", content),
            Err(error) => ("error", error.to_string().into_bytes()),
        };
        multipart::add(&mut answer, name, path, &content);
    }
    multipart::end(&mut answer);
    Ok(Answer::new(200, multipart::KIND, &answer))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        match first {
            b'%' => {
                let digits = std::str::from_utf8(&after[..2]).unwrap();
                bytes.push(u8::from_str_radix(digits, 16).unwrap());
                rest = &after[2..];
            }
            b'+' => bytes.push(b' '),
            byte => bytes.push(*byte),
        }
    }
    String::from_utf8(bytes).unwrap()
}
