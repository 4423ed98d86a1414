//! Commands: told as JSON lines while they run, or looked at later.

use super::{Outcome, Vercel, failed, now};
use crate::machine::{self, Job, Said};
use crate::service::{Answer, Request};
use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt};
use offshoot::backend::{Environment, Exec, Signal};
use serde_json::{Value, json};
use std::io;
use std::sync::Arc;
use tokio::sync::Notify;

/// The type of a stream of lines.
const LINES: &str = "application/x-ndjson";

impl Vercel {
    /// Begins a command.
    pub(super) fn command(
        &self,
        session: &str,
        machine: &Arc<dyn Environment>,
        request: &Request,
    ) -> Answer {
        let asked = request.json();
        let Some(program) = asked["command"].as_str() else {
            return failed(400, "bad_request", "command is missing");
        };
        let arguments = asked["args"].as_array().into_iter().flatten();
        let mut words = vec![program.to_owned()];
        words.extend(arguments.filter_map(|word| Some(word.as_str()?.to_owned())));
        let cwd = machine.resolve_path(asked["cwd"].as_str().unwrap_or("."));
        let mut exec = Exec::new("").cwd(&cwd);
        for (name, value) in asked["env"].as_object().into_iter().flatten() {
            exec = exec.env(name, value.as_str().unwrap_or_default());
        }
        if let Some(milliseconds) = asked["timeout"].as_u64() {
            exec = exec.timeout_ms(milliseconds);
        }
        let job = machine::start(Arc::clone(machine), &words, exec);
        let mut held = self.held();
        held.executions += 1;
        let id = format!("cmd_{}", held.number());
        let Some(made) = held.of_session(session) else {
            return super::gone();
        };
        let about = json!({
            "id": id, "name": program, "args": &words[1..], "cwd": cwd, "sessionId": session,
            "exitCode": null, "startedAt": now(),
        });
        made.jobs.insert(id, (about.clone(), Arc::clone(&job)));
        if asked["wait"] != true {
            return Answer::json(200, &json!({ "command": about }));
        }
        let ended = Arc::clone(&made.ended);
        let first = line(&json!({ "command": about }));
        let rest = lines(&job, Some(about), asked["logs"] == true, ended);
        Answer::stream(LINES, stream::iter([Ok(first)]).chain(rest))
    }

    /// A command that was begun before.
    pub(super) async fn job(
        &self,
        method: &str,
        session: &str,
        id: &str,
        rest: &[&str],
        request: &Request,
    ) -> Outcome {
        let found = {
            let mut held = self.held();
            let made = held.of_session(session);
            made.and_then(|made| Some((made.jobs.get(id)?.clone(), Arc::clone(&made.ended))))
        };
        let Some(((about, job), ended)) = found else {
            return Ok(failed(404, "not_found", "Command not found."));
        };
        match (method, rest) {
            ("GET", []) => {
                if request.query.get("wait").is_some_and(|wait| wait == "true") {
                    job.listen().for_each(|_| async {}).await;
                }
                Ok(Answer::json(200, &json!({ "command": told(about, &job) })))
            }
            ("GET", ["logs"]) => Ok(Answer::stream(LINES, lines(&job, None, true, ended))),
            ("POST", ["kill"]) => {
                let signal = match request.json()["signal"].as_u64() {
                    Some(2) => Signal::Interrupt,
                    Some(9) => Signal::Kill,
                    _ => Signal::Terminate,
                };
                job.signal(signal);
                Ok(Answer::json(200, &json!({ "command": told(about, &job) })))
            }
            _ => Ok(failed(404, "not_found", "no such route")),
        }
    }
}

/// What is told of a command, with its status where it ended.
fn told(mut about: Value, job: &Job) -> Value {
    about["exitCode"] = job.status().map_or(Value::Null, Value::from);
    about
}

fn line(value: &Value) -> Bytes {
    Bytes::from(format!("{value}\n"))
}

/// The lines of a command: what it writes where that is wanted, and its end where it is `about` it. They
/// break off where its session ends.
fn lines(
    job: &Arc<Job>,
    about: Option<Value>,
    logs: bool,
    ended: Arc<Notify>,
) -> impl Stream<Item = io::Result<Bytes>> + Send + use<> {
    let said = job.listen().filter_map(move |said| {
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let written = |name: &str, bytes: &[u8]| {
            logs.then(|| line(&json!({ "stream": name, "data": text(bytes) })))
        };
        let one = match &said {
            Said::Out(bytes) => written("stdout", bytes),
            Said::Err(bytes) => written("stderr", bytes),
            Said::End(status) => about.clone().map(|mut about| {
                about["exitCode"] = (*status).into();
                line(&json!({ "command": about }))
            }),
            Said::Failed(why) => {
                let data = json!({ "code": "command_failed", "message": why });
                Some(line(&json!({ "stream": "error", "data": data })))
            }
        };
        async move { one.map(Ok) }
    });
    said.take_until(async move { ended.notified().await })
}
