//! The made-up service of the template, played by local sandboxes.

use crate::service::{Answer, Request, Service};
use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use offshoot_backend::{
    Code, Environment, Error, Exec, FileKind, Options, Registry, RemoveOptions, ShellResult,
};
use offshoot_connectors::{Credential, Manifest, Token};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::sync::{Arc, Mutex};
use tokio::runtime::Handle;

const KEY: &str = "k3y-of-the-operator";
const TOKEN: &str = "t0k3n-of-the-box";

/// The service: each box is a local sandbox.
struct Boxes {
    registry: Registry,
    boxes: Mutex<HashMap<String, Arc<dyn Environment>>>,
    runtime: Handle,
}

type Outcome = Result<Answer, Error>;

impl Boxes {
    fn answer(&self, request: &Request) -> Answer {
        let head = request.head.to_ascii_lowercase();
        let (path, query) = request.path.split_once('?').unwrap_or((&request.path, ""));
        let parts: Vec<&str> = path.trim_matches('/').split('/').collect();
        let allowed = match parts[..] {
            ["boxes"] => head.contains(&format!("x-key: {KEY}")),
            _ => head.contains(&format!("authorization: bearer {TOKEN}")),
        };
        if !allowed {
            return Answer::new(401, "text/plain", b"who are you?");
        }
        let done = self.runtime.block_on(self.route(request, &parts, query));
        done.unwrap_or_else(|error| {
            let status = match error.code() {
                Code::NotFound | Code::SandboxUnavailable => 404,
                Code::Conflict => 409,
                Code::PolicyDenied | Code::PathEscape => 403,
                Code::Limit => 429,
                Code::Invalid => 400,
                _ => 500,
            };
            Answer::new(status, "text/plain", error.to_string().as_bytes())
        })
    }

    async fn route(&self, request: &Request, parts: &[&str], query: &str) -> Outcome {
        if let ["boxes"] = parts {
            return self.make(&request.body).await;
        }
        let id = parts.get(1).copied().unwrap_or_default();
        let found = self.boxes.lock().unwrap().get(id).cloned();
        let Some(found) = found else {
            return Ok(Answer::new(404, "text/plain", b"no such box"));
        };
        match (request.method.as_str(), parts.get(2).copied()) {
            ("DELETE", None) => {
                found.cleanup().await?;
                self.boxes.lock().unwrap().remove(id);
                Ok(Answer::text(""))
            }
            ("POST", Some("run")) => run(&*found, &request.body).await,
            (method, Some("files")) => files(&*found, method, query, &request.body).await,
            _ => Ok(Answer::new(405, "text/plain", b"")),
        }
    }

    async fn make(&self, body: &[u8]) -> Outcome {
        let asked: Value = serde_json::from_slice(body).unwrap();
        let mut options = Options::default();
        for (name, value) in asked["variables"].as_object().unwrap() {
            let value = value.as_str().unwrap().to_owned();
            options.env.push((name.clone(), value));
        }
        options.cwd = asked["directory"].as_str().map(str::to_owned);
        let made = self.registry.open("local", options).await?;
        let mut boxes = self.boxes.lock().unwrap();
        let id = format!("b{}", boxes.len() + 1);
        let told = json!({ "id": id, "token": TOKEN, "root": made.root(), "home": made.cwd() });
        boxes.insert(id, made);
        Ok(Answer::json(&told.to_string()))
    }
}

async fn run(sandbox: &dyn Environment, body: &[u8]) -> Outcome {
    let asked: Value = serde_json::from_slice(body).unwrap();
    let bytes = |value: &Value| STANDARD.decode(value.as_str().unwrap()).unwrap();
    let words = asked["arguments"].as_array().unwrap().iter().map(bytes);
    let mut exec = Exec::new(bytes(&asked["script"]))
        .arguments(words)
        .cwd(asked["directory"].as_str().unwrap())
        .stdin(bytes(&asked["stdin"]));
    if !asked["name"].is_null() {
        exec = exec.name(bytes(&asked["name"]));
    }
    for pair in asked["variables"].as_array().unwrap() {
        exec = exec.env(pair[0].as_str().unwrap(), pair[1].as_str().unwrap());
    }
    if asked["only_these"] == true {
        exec = exec.replace_env();
    }
    if let Some(time) = asked["timeout_ms"].as_u64() {
        exec = exec.timeout_ms(time);
    }
    let told = |result: &ShellResult| {
        let told = json!({
            "status": result.exit_code,
            "stdout": STANDARD.encode(&result.stdout),
            "stderr": STANDARD.encode(&result.stderr),
            "timed_out": result.timed_out,
            "truncated": result.truncated,
        });
        Answer::json(&told.to_string())
    };
    match sandbox.exec(exec).await {
        Ok(result) => Ok(told(&result)),
        // A flood is cut, and said to be.
        Err(error) if error.code() == Code::Limit && error.output().is_some() => {
            let mut result = error.output().unwrap().clone();
            result.truncated = true;
            result.stdout.truncate(1 << 20);
            Ok(told(&result))
        }
        Err(error) => Err(error),
    }
}

async fn files(sandbox: &dyn Environment, method: &str, query: &str, body: &[u8]) -> Outcome {
    let fields: HashMap<String, String> = query
        .split('&')
        .filter_map(|field| field.split_once('='))
        .map(|(name, value)| (name.to_owned(), decoded(value)))
        .collect();
    let is = |name: &str| fields.get(name).is_some_and(|value| value == "true");
    let (recursive, force) = (is("recursive"), is("force"));
    match (
        method,
        fields.get("path"),
        fields.get("about"),
        fields.get("directory"),
    ) {
        ("GET", Some(path), ..) => {
            let content = sandbox.read_file_buffer(path).await?;
            Ok(Answer::new(200, "application/octet-stream", &content))
        }
        ("PUT", Some(path), ..) => {
            let (parent, _) = path.rsplit_once('/').unwrap();
            sandbox.stat(parent).await?;
            sandbox.write_file(path, body).await?;
            Ok(Answer::text(""))
        }
        ("DELETE", Some(path), ..) => {
            sandbox.rm(path, RemoveOptions { recursive, force }).await?;
            Ok(Answer::text(""))
        }
        ("GET", _, Some(path), _) => about(sandbox, path).await,
        ("POST", .., Some(path)) => {
            sandbox.mkdir(path, recursive).await?;
            Ok(Answer::text(""))
        }
        _ => Ok(Answer::new(405, "text/plain", b"")),
    }
}

async fn about(sandbox: &dyn Environment, path: &str) -> Outcome {
    let stat = sandbox.stat(path).await?;
    let (kind, names) = match stat.kind {
        FileKind::File => ("file", None),
        FileKind::Directory => ("directory", Some(sandbox.readdir(path).await?)),
        _ => ("other", None),
    };
    let told = json!({ "kind": kind, "size": stat.size, "names": names });
    Ok(Answer::json(&told.to_string()))
}

fn decoded(text: &str) -> String {
    let mut bytes = Vec::new();
    let mut rest = text.as_bytes();
    while let [first, after @ ..] = rest {
        rest = after;
        if *first == b'%' {
            let digits = std::str::from_utf8(&after[..2]).unwrap();
            bytes.push(u8::from_str_radix(digits, 16).unwrap());
            rest = &after[2..];
        } else {
            bytes.push(*first);
        }
    }
    String::from_utf8(bytes).unwrap()
}

/// Serves boxes, and says what a connector may do there.
pub fn serve() -> (Service, Manifest) {
    let registry = Registry::strict();
    offshoot_backends::register(&registry).unwrap();
    let boxes = Boxes {
        registry,
        boxes: Mutex::default(),
        runtime: Handle::current(),
    };
    let service = Service::start(move |request| boxes.answer(request));
    let url = service.url();
    let manifest = Manifest {
        hosts: vec![url.clone()],
        credentials: vec![Credential {
            origin: format!("{url}/boxes"),
            header: "x-key".into(),
            env: String::new(),
            prefix: String::new(),
            value: Some(KEY.into()),
        }],
        tokens: vec![Token {
            field: "token".into(),
            origin: format!("{url}/boxes"),
            used: format!("{url}/boxes"),
        }],
        settings: json!({ "api": url }).as_object().unwrap().clone(),
        ..Manifest::default()
    };
    (service, manifest)
}
