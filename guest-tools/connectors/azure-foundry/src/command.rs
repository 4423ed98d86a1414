//! Commands: what is invoked of the session's agent, which is Offshoot's own image.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Command, Error, Input, Result, ShellResult};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::settings::State;

/// Bytes that an answer can have.
const ANSWER: usize = 192 << 20;
/// Bytes of an input that go with its command; a longer one is put into a file before, so many at a time.
const PIECE: usize = 4 << 20;
/// The header of the session that an invocation was for.
const SESSION: &str = "x-agent-session-id";

/// A command that has ended.
#[derive(Deserialize)]
struct Ran {
    exit_code: u8,
    stdout: String,
    stderr: String,
    timed_out: bool,
    truncated: bool,
}

/// Why it was not run.
#[derive(Deserialize)]
struct Failed {
    error: Reason,
}

#[derive(Deserialize)]
struct Reason {
    code: String,
    message: String,
}

impl State {
    /// Runs a command; `existing` where the session must have its sandbox already.
    pub(crate) fn run(&self, command: &Command, existing: bool) -> Result<ShellResult> {
        let long = match &command.input {
            Input::Bytes(bytes) if bytes.len() > PIECE => Some(self.carry(bytes)?),
            _ => None,
        };
        self.invoke(command, existing, long.as_deref())
    }

    /// Puts a long input into a file, and gives its path.
    fn carry(&self, content: &[u8]) -> Result<String> {
        let file = format!("/tmp/.offshoot-{}", unique());
        for piece in content.chunks(PIECE) {
            let command = Command {
                script: b"cat >> \"$1\"".to_vec(),
                name: None,
                arguments: vec![file.as_bytes().to_vec()],
                cwd: "/".to_owned(),
                environment: Vec::new(),
                replace_environment: false,
                input: Input::Bytes(piece.to_vec()),
                timeout_ms: None,
            };
            let done = self.invoke(&command, true, None)?;
            if done.exit_code != 0 {
                let why = String::from_utf8_lossy(&done.stderr);
                let why: String = why.trim().chars().take(500).collect();
                return Err(Error::new(Code::Limit, format!("the input: {why}")));
            }
        }
        Ok(file)
    }

    fn invoke(&self, command: &Command, existing: bool, file: Option<&str>) -> Result<ShellResult> {
        let encode = |bytes: &Vec<u8>| STANDARD.encode(bytes);
        let mut environment = Map::new();
        let sandbox = match command.replace_environment {
            true => &[][..],
            false => &self.environment,
        };
        for (name, value) in sandbox.iter().chain(&command.environment) {
            environment.insert(name.clone(), value.clone().into());
        }
        let input = match &command.input {
            Input::Bytes(bytes) if file.is_none() => Some(encode(bytes)),
            _ => None,
        };
        let arguments: Vec<String> = command.arguments.iter().map(encode).collect();
        let asked = json!({
            "encoding": "base64", "existing": existing,
            "script": encode(&command.script), "name": command.name.as_ref().map(encode),
            "arguments": arguments, "cwd": command.cwd, "stdin": input, "stdin_file": file,
            "environment": Value::from(environment),
            "replace_environment": command.replace_environment,
            "timeout_ms": command.timeout_ms,
        });
        let query = format!("&agent_session_id={}", encoded(&self.id));
        let url = self.url("/endpoint/protocols/invocations", &query);
        let mut answer = Request::post(url).json(&asked)?.send()?;
        if answer.status() != 200 {
            let body = answer.read(ANSWER)?;
            return Err(reason(answer.status(), &body));
        }
        if answer.header(SESSION) != Some(&self.id) {
            let message = "another session answered";
            return Err(Error::new(Code::SandboxUnavailable, message));
        }
        let ran: Ran = serde_json::from_slice(&answer.read(ANSWER)?).map_err(Error::corrupt)?;
        let bytes = |text: &str| STANDARD.decode(text).map_err(Error::corrupt);
        Ok(ShellResult {
            exit_code: ran.exit_code,
            stdout: bytes(&ran.stdout)?,
            stderr: bytes(&ran.stderr)?,
            timed_out: ran.timed_out,
            truncated: ran.truncated,
        })
    }
}

/// What a failed invocation tells. The image has our codes; others are Foundry's.
fn reason(status: u16, body: &[u8]) -> Error {
    let told = serde_json::from_slice::<Failed>(body).ok();
    let (name, message) = match told {
        Some(told) => (told.error.code, told.error.message),
        None => (String::new(), format!("status {status}")),
    };
    let message: String = message.chars().take(500).collect();
    let code = match name.as_str() {
        "INVALID" => Code::Invalid,
        "NOT_FOUND" => Code::NotFound,
        "NOT_TEXT" => Code::NotText,
        "CONFLICT" => Code::Conflict,
        "LIMIT" => Code::Limit,
        "POLICY_DENIED" => Code::PolicyDenied,
        "PATH_ESCAPE" => Code::PathEscape,
        "CAPABILITY" => Code::Capability,
        "TIMEOUT" => Code::Timeout,
        "SANDBOX_UNAVAILABLE" => Code::SandboxUnavailable,
        // There is no such session.
        _ if matches!(status, 404 | 410) => Code::SandboxUnavailable,
        _ if matches!(status, 401 | 403) => Code::PolicyDenied,
        _ => Code::Died,
    };
    Error::new(code, message)
}
