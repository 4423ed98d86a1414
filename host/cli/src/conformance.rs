//! `offshoot conformance-server`: a fresh sandbox for every case, one JSON object a line.

use anyhow::Context;
use base64::{Engine as _, engine::general_purpose::STANDARD as BASE64};
use offshoot::blocking::Sandbox;
use offshoot::{Command, Exec, Invocation, ShellResult};
use serde::{Deserialize, Serialize};
use std::collections::BTreeMap;
use std::io::{BufRead, Write};
use std::path::Path;

/// One case.
#[derive(Debug, Deserialize)]
struct Request {
    script: String,
    #[serde(default)]
    stdin: String,
    cwd: String,
    root: String,
    env: BTreeMap<String, String>,
    timeout: f64,
    #[serde(default)]
    helpers: bool,
}

/// What it gave.
#[derive(Debug, Serialize)]
struct Answer {
    stdout: String,
    stderr: String,
    status: Option<u8>,
    note: Option<String>,
}

/// Answers requests until standard input ends.
///
/// # Errors
/// Where a line is no request, or the answer cannot be written.
pub fn serve() -> anyhow::Result<()> {
    let mut out = std::io::stdout().lock();
    for line in std::io::stdin().lock().lines() {
        let request: Request = serde_json::from_str(&line?).context("the request")?;
        let answer = run(&request).unwrap_or_else(|error| Answer {
            stdout: String::new(),
            stderr: String::new(),
            status: None,
            note: Some(format!("{error:#}")),
        });
        serde_json::to_writer(&mut out, &answer)?;
        out.write_all(b"\n")?;
        out.flush()?;
    }
    Ok(())
}

fn run(request: &Request) -> anyhow::Result<Answer> {
    let mut builder = Sandbox::builder()
        .clear_env()
        .cwd(&request.cwd)
        .import(Path::new(&request.root), &request.root);
    for (name, value) in &request.env {
        builder = builder.env(name, value);
    }
    if request.helpers {
        for (name, helper) in helpers() {
            builder = builder.command(name, helper);
        }
    }
    let sandbox = builder.build_blocking()?;
    let exec = Exec::new(BASE64.decode(&request.script)?)
        .stdin(BASE64.decode(&request.stdin)?)
        .timeout_ms((request.timeout * 1e3) as u64);
    Ok(match sandbox.exec(exec) {
        Ok(result) if result.timed_out => answer(&result, Some("timeout".to_owned())),
        Ok(result) => answer(&result, None),
        Err(error) => match error.output() {
            Some(output) => answer(output, Some(error.to_string())),
            None => return Err(error.into()),
        },
    })
}

fn answer(result: &ShellResult, note: Option<String>) -> Answer {
    Answer {
        stdout: BASE64.encode(&result.stdout),
        stderr: BASE64.encode(&result.stderr),
        status: Some(result.exit_code),
        note,
    }
}

/// The commands that some cases call to show what they received.
fn helpers() -> [(&'static str, Command); 4] {
    [
        ("argv.py", Command::function(argv)),
        ("printenv.py", Command::function(printenv)),
        ("stdout_stderr.py", Command::function(stdout_stderr)),
        ("read_from_fd.py", Command::function(read_from_fd)),
    ]
}

/// The status after writing.
fn written<E>(result: Result<(), E>, status: u8) -> u8 {
    if result.is_ok() { status } else { 1 }
}

/// Prints its arguments as a Python list.
async fn argv(mut call: Invocation) -> u8 {
    let list: Vec<String> = call
        .arguments
        .iter()
        .skip(1)
        .map(|bytes| represent(bytes))
        .collect();
    let line = format!("[{}]\n", list.join(", "));
    written(call.stdout.write_all(line.as_bytes()).await, 0)
}

/// Python's `repr` of a byte string, without the `b`.
fn represent(bytes: &[u8]) -> String {
    let quote = if bytes.contains(&b'\'') && !bytes.contains(&b'"') {
        '"'
    } else {
        '\''
    };
    let mut text = String::from(quote);
    for &byte in bytes {
        match byte {
            b'\\' => text += "\\\\",
            b'\n' => text += "\\n",
            b'\t' => text += "\\t",
            b'\r' => text += "\\r",
            32..=126 if char::from(byte) == quote => text.extend(['\\', quote]),
            32..=126 => text.push(char::from(byte)),
            other => text += &format!("\\x{other:02x}"),
        }
    }
    text.push(quote);
    text
}

/// Prints variables of the environment, `None` where there is none.
async fn printenv(mut call: Invocation) -> u8 {
    let mut text = Vec::new();
    for name in call.arguments.iter().skip(1) {
        let found = call.environment.iter().find(|(key, _)| key == name);
        text.extend_from_slice(found.map_or(b"None", |(_, value)| value));
        text.push(b'\n');
    }
    written(call.stdout.write_all(&text).await, 0)
}

/// Writes its first argument to stdout, the second to stderr, and ends with the third.
async fn stdout_stderr(mut call: Invocation) -> u8 {
    let line = |index, default: &str| format!("{}\n", call.argument(index).unwrap_or(default));
    let (out, err) = (line(1, "STDOUT"), line(2, "STDERR"));
    let status = call
        .argument(3)
        .and_then(|status| status.parse().ok())
        .unwrap_or(0);
    let done = call.stdout.write_all(out.as_bytes()).await;
    written(
        done.and(call.stderr.write_all(err.as_bytes()).await),
        status,
    )
}

/// Prints what each descriptor gives; only standard input can be reached from here.
async fn read_from_fd(mut call: Invocation) -> u8 {
    let mut buffer = [0; 1024];
    for index in 1..call.arguments.len() {
        let name = call.argument(index).unwrap_or("?").to_owned();
        let read = if name == "0" {
            call.stdin.read(&mut buffer).await.ok()
        } else {
            None
        };
        let Some(length) = read else {
            let message = format!("FATAL: Error reading from fd {name}: Bad file descriptor\n");
            return written(call.stderr.write_all(message.as_bytes()).await, 1);
        };
        let mut text = format!("{name}: ").into_bytes();
        text.extend_from_slice(&buffer[..length]);
        if call.stdout.write_all(&text).await.is_err() {
            return 1;
        }
    }
    0
}
