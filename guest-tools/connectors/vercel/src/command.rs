//! Commands: one request whose answer streams JSON lines, in which bytes that are not UTF-8 are lost.

use flate2::Compression;
use flate2::write::GzEncoder;
use offshoot_connector::http::{Request, Response};
use offshoot_connector::machine::{ANSWER, Machine};
use offshoot_connector::{Code, Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::State;

/// Milliseconds that the service gives a command beyond its time-out, for what tells its output.
const GRACE_MS: u64 = 60_000;
/// What a stream of lines has as its type, and nothing else does.
const LINES: &str = "application/x-ndjson";

impl Machine for State {
    fn run(&self, words: &[String], timeout_ms: Option<u64>) -> Result<String> {
        let (program, arguments) = words.split_first().unwrap_or((&self.cwd, &[]));
        let mut asked = json!({
            "command": program, "args": arguments, "cwd": "/", "wait": true, "logs": true,
        });
        if let Some(milliseconds) = timeout_ms {
            asked["timeout"] = (milliseconds + GRACE_MS).into();
        }
        told(self.ask("cmd", |request| request.json(&asked))?)
    }

    /// The service unpacks an archive.
    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let (directory, name) = path.rsplit_once('/').unwrap_or(("", path));
        let archive = archive(name, content).map_err(|error| {
            Error::new(Code::Invalid, format!("{path}: cannot be packed: {error}"))
        })?;
        let filled = |request: Request| {
            let request = request.header("x-cwd", directory);
            Ok(request.body("application/gzip", archive.clone()))
        };
        self.ask("fs/write", filled).map(drop)
    }
}

/// A gzip of a tar of one file. It is not made smaller: that costs more than it saves here.
fn archive(name: &str, content: &[u8]) -> std::io::Result<Vec<u8>> {
    let mut header = tar::Header::new_ustar();
    header.set_size(content.len() as u64);
    header.set_mode(0o600);
    let out = GzEncoder::new(
        Vec::with_capacity(content.len() + 2048),
        Compression::none(),
    );
    let mut archive = tar::Builder::new(out);
    archive.append_data(&mut header, name, content)?;
    archive.into_inner()?.finish()
}

/// One line of the answer.
#[derive(Deserialize)]
struct Line {
    command: Option<Command>,
    stream: Option<String>,
    #[serde(default)]
    data: Value,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Command {
    exit_code: Option<i64>,
}

/// What the command wrote to standard output.
fn told(mut answer: Response) -> Result<String> {
    let kind = answer.header("content-type").unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some(LINES) {
        return Err(Error::corrupt(format!("lines were expected, not {kind:?}")));
    }
    let (mut shown, mut over) = (String::new(), false);
    answer.lines(|line| {
        over = !line.is_empty() && heard(line, &mut shown)?;
        Ok(over)
    })?;
    match over {
        true => Ok(shown),
        false => Err(Error::new(Code::Died, "the command's output broke off")),
    }
}

/// Takes a line in; true where the command has ended.
fn heard(line: &[u8], shown: &mut String) -> Result<bool> {
    let line: Line = serde_json::from_slice(line).map_err(Error::corrupt)?;
    if let Some(command) = line.command {
        return Ok(command.exit_code.is_some());
    }
    match (line.stream.as_deref(), &line.data) {
        (Some("stdout"), Value::String(text)) if shown.len() + text.len() <= ANSWER => {
            shown.push_str(text);
        }
        (Some("stdout"), _) => return Err(Error::corrupt("more output than was asked for")),
        (Some("error"), data) => {
            let message = format!("{}: {}", data["code"], data["message"]);
            return Err(Error::new(Code::Died, message));
        }
        _ => {}
    }
    Ok(false)
}
