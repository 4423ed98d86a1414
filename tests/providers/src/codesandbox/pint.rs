//! Pint: commands and files of one machine.

use super::{CodeSandbox, Outcome};
use crate::machine::{self, Job, Said};
use crate::service::{Answer, Request};
use bytes::Bytes;
use futures::stream::{Stream, StreamExt};
use offshoot::backend::{Code, Environment, Exec, FileKind, Signal};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use tokio::sync::Notify;

fn failed(status: u16, message: &str) -> Answer {
    Answer::json(status, &json!({ "code": status, "message": message }))
}

impl CodeSandbox {
    pub(super) async fn pint(&self, id: &str, path: &[&str], request: &Request) -> Outcome {
        let machine = {
            let held = self.held();
            let Some(made) = held.made.get(id) else {
                return Ok(failed(502, "Bad Gateway"));
            };
            let Some(machine) = &made.machine else {
                return Ok(failed(502, "Bad Gateway"));
            };
            if request.header("authorization") != format!("Bearer {}", made.token) {
                return Ok(failed(401, "Unauthorized"));
            }
            Arc::clone(machine)
        };
        let ["api", "v1", rest @ ..] = path else {
            return Ok(failed(404, "Not Found"));
        };
        match (&*request.method, rest) {
            ("POST", ["execs"]) => Ok(self.begin(id, &machine, &request.json())),
            (method, ["execs", exec, rest @ ..]) => Ok(self.exec(method, id, exec, rest, request)),
            (method, ["files", path]) => file(&*machine, method, path, request).await,
            (method, ["directories", path]) => directory(&*machine, method, path).await,
            ("GET", ["file_stat", path]) => Ok(match machine.stat(path).await {
                Ok(stat) => Answer::json(
                    200,
                    &json!({
                        "name": path.rsplit('/').next(), "path": path, "size": stat.size,
                        "isDir": stat.kind == FileKind::Directory, "modTime": "2026-11-01T00:00:00Z",
                    }),
                ),
                Err(error) => missing(&error),
            }),
            _ => Ok(failed(404, "Not Found")),
        }
    }

    /// Begins a command: words as they are, in the directory of the sandbox.
    fn begin(&self, id: &str, machine: &Arc<dyn Environment>, asked: &Value) -> Answer {
        let Some(program) = asked["command"].as_str() else {
            return failed(400, "command is missing");
        };
        let arguments = asked["args"].as_array().into_iter().flatten();
        let mut words = vec![program.to_owned()];
        words.extend(arguments.filter_map(|word| Some(word.as_str()?.to_owned())));
        let job = machine::start(
            Arc::clone(machine),
            &words,
            Exec::new("").cwd(machine.cwd()),
        );
        let mut held = self.held();
        held.executions += 1;
        let number = held.number();
        let Some(made) = held.made.get_mut(id) else {
            return failed(502, "Bad Gateway");
        };
        let about = json!({
            "id": format!("exec{number}"), "command": program, "args": &words[1..], "pid": number,
            "interactive": asked["interactive"] == true, "status": "RUNNING", "exitCode": 0,
        });
        made.jobs
            .insert(format!("exec{number}"), (about.clone(), job));
        Answer::json(201, &about)
    }

    /// A command that was begun before.
    fn exec(&self, method: &str, id: &str, exec: &str, rest: &[&str], request: &Request) -> Answer {
        let mut held = self.held();
        let Some(made) = held.made.get_mut(id) else {
            return failed(502, "Bad Gateway");
        };
        let Some((mut about, job)) = made.jobs.get(exec).cloned() else {
            return failed(404, "exec not found");
        };
        match (method, rest) {
            ("GET", []) => {
                if let Some(status) = job.status() {
                    (about["status"], about["exitCode"]) = ("EXITED".into(), status.into());
                }
                Answer::json(200, &about)
            }
            ("DELETE", []) => {
                job.signal(Signal::Kill);
                made.jobs.remove(exec);
                Answer::json(200, &json!({ "message": "deleted" }))
            }
            ("GET", ["io"]) => {
                let last = request.query.get("lastSequence");
                let last = last.and_then(|last| last.parse().ok()).unwrap_or(0);
                let ended = Arc::clone(&made.ended);
                Answer::stream("text/event-stream", events(&job, last, ended))
            }
            _ => failed(404, "Not Found"),
        }
    }
}

/// What a command says, as events; they break off where its machine ends.
fn events(
    job: &Arc<Job>,
    last: usize,
    ended: Arc<Notify>,
) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
    let numbered = job.listen().enumerate();
    let said = numbered.filter_map(move |(number, said)| {
        let sequence = number + 1;
        let event = |mut told: Value| {
            told["sequence"] = sequence.into();
            told["timestamp"] = "2026-11-01T00:00:00Z".into();
            Ok(Bytes::from(format!("data: {told}\n\n")))
        };
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let one = match &said {
            Said::Out(bytes) => event(json!({ "type": "stdout", "output": text(bytes) })),
            Said::Err(bytes) => event(json!({ "type": "stderr", "output": text(bytes) })),
            Said::End(status) => {
                event(json!({ "type": "stdout", "output": "", "exitCode": status }))
            }
            Said::Failed(why) => event(json!({ "type": "stderr", "output": why, "exitCode": 127 })),
        };
        async move { (sequence > last).then_some(one) }
    });
    said.take_until(async move { ended.notified().await })
}

fn missing(error: &offshoot::backend::Error) -> Answer {
    match error.code() {
        Code::NotFound => failed(404, "not found"),
        _ => failed(400, &error.to_string()),
    }
}

/// A file, whose content is text.
async fn file(machine: &dyn Environment, method: &str, path: &str, request: &Request) -> Outcome {
    Ok(match method {
        "GET" => match machine.read_file_buffer(path).await {
            Ok(content) => {
                let content = String::from_utf8_lossy(&content).into_owned();
                Answer::json(200, &json!({ "path": path, "content": content }))
            }
            Err(error) => missing(&error),
        },
        "POST" => {
            let asked = request.json();
            let content = asked["content"].as_str().unwrap_or_default();
            match machine.write_file(path, content.as_bytes()).await {
                Ok(()) => Answer::json(201, &json!({ "path": path, "content": content })),
                Err(error) => missing(&error),
            }
        }
        _ => failed(404, "Not Found"),
    })
}

async fn directory(machine: &dyn Environment, method: &str, path: &str) -> Outcome {
    Ok(match method {
        "POST" => match machine.mkdir(path, true).await {
            Ok(()) => Answer::json(201, &json!({ "message": "created", "path": path })),
            Err(error) => missing(&error),
        },
        _ => failed(404, "Not Found"),
    })
}
