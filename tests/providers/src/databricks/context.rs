//! An execution context: a process of Python that runs one command after the other.

use serde_json::{Value, json};
use std::collections::HashMap;
use std::io;
use std::path::Path;
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use tokio::io::{AsyncBufReadExt, AsyncWriteExt, BufReader, Lines};
use tokio::process::{Child, ChildStdin, ChildStdout};
use tokio::sync::mpsc;

/// What runs in the process.
const DRIVER: &str = include_str!("driver.py");
/// Bytes of a command's output that are told.
const TOLD: usize = 1 << 20;

/// What became of a command.
struct Command {
    status: &'static str,
    results: Value,
}

#[derive(Default)]
struct Held {
    looked: bool,
    commands: HashMap<String, Command>,
}

type Shared = Arc<Mutex<Held>>;
type Input = Arc<tokio::sync::Mutex<ChildStdin>>;

/// A context. What runs in it ends when it is dropped.
pub(super) struct Context {
    held: Shared,
    input: Input,
    queue: mpsc::UnboundedSender<(String, String)>,
    task: tokio::task::JoinHandle<()>,
}

impl Drop for Context {
    fn drop(&mut self) {
        // Python sees the end of its input.
        self.task.abort();
    }
}

fn lock(held: &Shared) -> MutexGuard<'_, Held> {
    held.lock().unwrap_or_else(PoisonError::into_inner)
}

impl Context {
    /// Starts its Python in a directory.
    pub(super) fn begin(directory: &Path) -> io::Result<Context> {
        let mut child = tokio::process::Command::new("python3")
            .args(["-I", "-c", DRIVER])
            .current_dir(directory)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::null())
            .spawn()?;
        let (Some(input), Some(output)) = (child.stdin.take(), child.stdout.take()) else {
            return Err(io::Error::other("no pipes"));
        };
        let input = Arc::new(tokio::sync::Mutex::new(input));
        let (queue, asked) = mpsc::unbounded_channel();
        let held = Shared::default();
        let lines = BufReader::new(output).lines();
        let task = work(child, Arc::clone(&input), lines, asked, Arc::clone(&held));
        let task = tokio::spawn(task);
        Ok(Context {
            held,
            input,
            queue,
            task,
        })
    }

    /// Its status: at the first look it is not ready yet.
    pub(super) fn status(&self) -> &'static str {
        match std::mem::replace(&mut lock(&self.held).looked, true) {
            false => "Pending",
            true => "Running",
        }
    }

    /// Puts a command into its queue.
    pub(super) fn execute(&self, command: String) -> String {
        let mut held = lock(&self.held);
        let id = format!("{:032x}", held.commands.len() + 1);
        let queued = Command {
            status: "Queued",
            results: Value::Null,
        };
        held.commands.insert(id.clone(), queued);
        // Where the process is gone, the command stays in the queue.
        let _ = self.queue.send((id.clone(), command));
        id
    }

    /// What a command did.
    pub(super) fn told(&self, id: &str) -> Option<Value> {
        let held = lock(&self.held);
        let command = held.commands.get(id)?;
        Some(json!({ "id": id, "status": command.status, "results": command.results }))
    }

    /// Cancels a command; whether there is one.
    pub(super) async fn cancel(&self, id: &str) -> bool {
        {
            let mut held = lock(&self.held);
            let Some(command) = held.commands.get_mut(id) else {
                return false;
            };
            match command.status {
                "Queued" => command.status = "Cancelled",
                "Running" => command.status = "Cancelling",
                _ => {}
            }
            if command.status != "Cancelling" {
                return true;
            }
        }
        let mut input = self.input.lock().await;
        input.write_all(b"{\"cancel\": true}\n").await.is_ok()
    }
}

/// Hands commands to the process, one after the other.
async fn work(
    _child: Child,
    input: Input,
    mut lines: Lines<BufReader<ChildStdout>>,
    mut asked: mpsc::UnboundedReceiver<(String, String)>,
    held: Shared,
) {
    while let Some((id, command)) = asked.recv().await {
        let runs = lock(&held).commands.get_mut(&id).is_some_and(|command| {
            let queued = command.status == "Queued";
            if queued {
                command.status = "Running";
            }
            queued
        });
        if !runs {
            continue;
        }
        let line = format!("{}\n", json!({ "command": command }));
        let sent = input.lock().await.write_all(line.as_bytes()).await;
        let answer = match sent {
            Ok(()) => lines.next_line().await.ok().flatten(),
            Err(_) => None,
        };
        ended(&held, &id, answer.as_deref());
    }
}

/// Keeps what a command did.
fn ended(held: &Shared, id: &str, answer: Option<&str>) {
    let answer = answer.and_then(|line| serde_json::from_str::<Value>(line).ok());
    let mut held = lock(held);
    let Some(command) = held.commands.get_mut(id) else {
        return;
    };
    (command.status, command.results) = match answer {
        _ if command.status == "Cancelling" => ("Cancelled", Value::Null),
        None => (
            "Error",
            json!({ "resultType": "error", "summary": "The Python process exited." }),
        ),
        Some(told) if told.get("summary").is_some() => (
            "Finished",
            json!({ "resultType": "error", "summary": told["summary"], "cause": told["cause"] }),
        ),
        Some(told) => {
            let data = told["data"].as_str().unwrap_or_default();
            ("Finished", super::text(data, TOLD))
        }
    };
}
