//! Dynamic sessions of Azure Container Apps, a pool of shell sessions, as PyPI
//! `langchain-azure-dynamic-sessions` 1.0.4 expects it.
//!
//! Odd as the provider is: whatever is asked of an identifier begins a session of it, so one that ended is
//! another, empty one the next time; a command is text for a shell, whose status is a string; only one
//! directory takes files, and what is not UTF-8 in output is lost.

use crate::machine::{self, Machines, Said};
use crate::service::{Answer, Request, Service};
use bytes::Bytes;
use futures::stream::StreamExt;
use offshoot::backend::{Code, Environment, Error, Exec, FileKind};
use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::sync::Notify;

/// The token that the pool asks for.
pub const TOKEN: &str = "eyJ0eXAi.5ecre7c0de5ecre7.c0de5ecre7";
/// The directory of a session, the only one that takes files.
pub const DATA: &str = "/mnt/data";
/// The version for commands and files.
const VERSION: &str = "2025-02-02-preview";
/// The version for ending a session.
const END_VERSION: &str = "2025-10-02-preview";
/// Bytes of a command: it is one argument of a shell.
const COMMAND: usize = (128 << 10) - 1;

#[derive(Clone)]
struct Session {
    machine: Arc<dyn Environment>,
    ended: Arc<Notify>,
}

#[derive(Default)]
struct Held {
    sessions: HashMap<String, Session>,
    executions: u64,
}

/// The service.
pub struct Sessions {
    machines: Machines,
    held: Mutex<Held>,
    /// One session is begun after the other.
    beginning: tokio::sync::Mutex<()>,
}

impl std::fmt::Debug for Sessions {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Sessions")
    }
}

type Outcome = Result<Answer, Error>;

fn failed(status: u16, code: &str, message: &str) -> Answer {
    Answer::json(
        status,
        &json!({ "error": { "code": code, "message": message } }),
    )
}

/// Serves until it is dropped.
///
/// # Errors
/// Where there is no port.
pub async fn serve() -> io::Result<(Service, Arc<Sessions>)> {
    let sessions = Arc::new(Sessions {
        machines: Machines::new().map_err(io::Error::other)?,
        held: Mutex::default(),
        beginning: tokio::sync::Mutex::default(),
    });
    let served = Arc::clone(&sessions);
    let service = Service::start(move |request| {
        let served = Arc::clone(&served);
        async move { served.answer(request).await }
    })
    .await?;
    Ok((service, sessions))
}

impl Sessions {
    fn held(&self) -> MutexGuard<'_, Held> {
        self.held.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// How many commands were begun.
    pub fn executions(&self) -> u64 {
        self.held().executions
    }

    /// How many sessions there are.
    pub fn count(&self) -> usize {
        self.held().sessions.len()
    }

    /// Ends all sessions, as their cool-down does.
    ///
    /// # Errors
    /// Those of the machines.
    pub async fn cool_down(&self) -> Result<(), Error> {
        let ended: Vec<Session> = self.held().sessions.drain().map(|(_, one)| one).collect();
        for one in ended {
            one.ended.notify_waiters();
            one.machine.cleanup().await?;
        }
        Ok(())
    }

    async fn answer(&self, request: Request) -> Answer {
        if request.header("authorization") != format!("Bearer {TOKEN}") {
            return failed(401, "Unauthorized", "the token is missing or wrong");
        }
        let path: Vec<&str> = request.path.iter().map(String::as_str).collect();
        let given = |name: &str| request.query.get(name).map_or("", String::as_str);
        let (id, version) = (given("identifier"), given("api-version"));
        let wanted = match &path[..] {
            ["session"] => END_VERSION,
            _ => VERSION,
        };
        if id.is_empty() || version != wanted {
            return failed(400, "BadRequest", "an identifier and a version are needed");
        }
        let outcome = self.routed(&path, id, &request).await;
        outcome.unwrap_or_else(|error| failed(500, "InternalServerError", &error.to_string()))
    }

    async fn routed(&self, path: &[&str], id: &str, request: &Request) -> Outcome {
        match (&*request.method, path) {
            ("DELETE", ["session"]) => {
                let Some(session) = self.held().sessions.remove(id) else {
                    return Ok(failed(404, "SessionNotFound", "there is no such session"));
                };
                session.ended.notify_waiters();
                session.machine.cleanup().await?;
                Ok(Answer::new(204, "application/json", ""))
            }
            ("POST", ["executions"]) => self.execute(id, request).await,
            ("POST", ["files"]) => {
                if request.query.get("path").is_none_or(|path| path != DATA) {
                    return Ok(failed(400, "BadRequest", "files go to /mnt/data"));
                }
                upload(&*self.session(id).await?.machine, request).await
            }
            ("GET", ["files"]) => list(&*self.session(id).await?.machine).await,
            ("GET", ["files", name, "content"]) => {
                let machine = self.session(id).await?.machine;
                match machine.read_file_buffer(&format!("{DATA}/{name}")).await {
                    Ok(content) => Ok(Answer::new(200, "application/octet-stream", content)),
                    Err(error) if error.code() == Code::NotFound => {
                        Ok(failed(404, "FileNotFound", "there is no such file"))
                    }
                    Err(error) => Err(error),
                }
            }
            _ => Ok(failed(404, "NotFound", "no such route")),
        }
    }

    /// The session of an identifier, which is begun where there is none.
    async fn session(&self, id: &str) -> Result<Session, Error> {
        let _beginning = self.beginning.lock().await;
        if let Some(session) = self.held().sessions.get(id) {
            return Ok(session.clone());
        }
        let session = Session {
            machine: self.machines.make(DATA, Vec::new(), None).await?,
            ended: Arc::default(),
        };
        let begun = session.clone();
        self.held().sessions.insert(id.to_owned(), begun);
        Ok(session)
    }

    async fn execute(&self, id: &str, request: &Request) -> Outcome {
        let asked = request.json();
        let Some(command) = asked["shellCommand"].as_str() else {
            return Ok(failed(400, "BadRequest", "shellCommand is missing"));
        };
        if command.len() > COMMAND {
            return Ok(failed(400, "BadRequest", "the command is too long"));
        }
        let session = self.session(id).await?;
        let mut exec = Exec::new("").cwd(DATA);
        if let Some(seconds) = asked["timeoutInSeconds"].as_u64() {
            exec = exec.timeout_ms(seconds * 1000);
        }
        let words = ["/bin/bash", "-c", command].map(str::to_owned);
        let ended = session.ended.notified();
        let job = machine::start(Arc::clone(&session.machine), &words, exec);
        self.held().executions += 1;
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
            return Ok(failed(410, "SessionEnded", "the session has ended"));
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        Ok(Answer::json(
            200,
            &json!({
                "identifier": id, "executionType": "Synchronous", "status": status.to_string(),
                "result": { "stdout": text(&out), "stderr": text(&err), "executionTimeInMilliseconds": 1 },
            }),
        ))
    }
}

fn about(name: &str, size: u64) -> Value {
    json!({
        "name": name, "type": "file", "contentType": "application/octet-stream", "sizeInBytes": size,
        "lastModifiedAt": "2026-11-01T00:00:00Z",
    })
}

async fn list(machine: &dyn Environment) -> Outcome {
    let mut files = Vec::new();
    for name in machine.readdir(DATA).await? {
        let stat = machine.stat(&format!("{DATA}/{name}")).await?;
        if stat.kind == FileKind::File {
            files.push(about(&name, stat.size));
        }
    }
    Ok(Answer::json(200, &json!({ "value": files })))
}

async fn upload(machine: &dyn Environment, request: &Request) -> Outcome {
    let Some((name, content)) = part(request) else {
        return Ok(failed(400, "BadRequest", "a file in a form is needed"));
    };
    machine
        .write_file(&format!("{DATA}/{name}"), &content)
        .await?;
    let size = content.len() as u64;
    Ok(Answer::json(200, &about(&name, size)))
}

/// The name and the content of the one file in a form.
fn part(request: &Request) -> Option<(String, Bytes)> {
    let kind = request.header("content-type");
    let boundary = kind
        .strip_prefix("multipart/form-data; boundary=")?
        .trim_matches('"');
    let body = &request.body;
    let find = |text: &str, from: usize| {
        let mut windows = body.get(from..)?.windows(text.len());
        Some(from + windows.position(|window| window == text.as_bytes())?)
    };
    let head = find(&format!("--{boundary}\r\n"), 0)?;
    let begin = find("\r\n\r\n", head)? + 4;
    let end = find(&format!("\r\n--{boundary}--"), begin)?;
    let head = std::str::from_utf8(&body[head..begin]).ok()?;
    let name = head.split_once("filename=\"")?.1.split_once('"')?.0;
    let plain = head.contains("name=\"file\"") && !name.is_empty() && !name.contains('/');
    plain.then(|| (name.to_owned(), body.slice(begin..end)))
}
