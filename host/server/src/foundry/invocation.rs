//! What is invoked: a script and its result, as JSON.

use super::failure::{Failure, Result};
use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot::{Code, Exec, ShellResult};
use serde::{Deserialize, Serialize};
use serde_json::{Map, Value, json};

/// A script for a session's sandbox.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub(super) struct Invocation {
    #[serde(alias = "input")]
    script: String,
    name: Option<String>,
    #[serde(default)]
    arguments: Vec<String>,
    #[serde(default)]
    environment: Map<String, Value>,
    #[serde(default)]
    replace_environment: bool,
    cwd: Option<String>,
    stdin: Option<String>,
    /// A file of the sandbox in its place.
    pub(super) stdin_file: Option<String>,
    timeout_ms: Option<u64>,
    #[serde(default)]
    encoding: Encoding,
    /// Refuse to make a sandbox.
    #[serde(default)]
    pub(super) existing: bool,
}

/// What bytes are written as.
#[derive(Debug, Clone, Copy, Default, Deserialize, Serialize)]
#[serde(rename_all = "lowercase")]
enum Encoding {
    /// UTF-8; in an answer, bytes that are none become U+FFFD.
    #[default]
    Text,
    /// Any bytes.
    Base64,
}

impl Encoding {
    fn bytes(self, what: &str, text: &str) -> Result<Vec<u8>> {
        match self {
            Encoding::Text => Ok(text.as_bytes().to_vec()),
            Encoding::Base64 => STANDARD
                .decode(text)
                .map_err(|error| Failure::invalid(format!("{what} is not base64: {error}"))),
        }
    }

    fn text(self, bytes: &[u8]) -> String {
        match self {
            Encoding::Text => String::from_utf8_lossy(bytes).into_owned(),
            Encoding::Base64 => STANDARD.encode(bytes),
        }
    }
}

impl Invocation {
    /// Reads the body of a request.
    ///
    /// # Errors
    /// `INVALID` where it is no invocation.
    pub(super) fn read(body: &[u8]) -> Result<Invocation> {
        serde_json::from_slice(body)
            .map_err(|error| Failure::invalid(format!("this is no invocation: {error}")))
    }

    /// What the sandbox executes.
    ///
    /// # Errors
    /// `INVALID` for what is not in the encoding that it says, `NOT_TEXT` for variables that are no text.
    pub(super) fn exec(&self) -> Result<Exec> {
        let encoding = self.encoding;
        let mut exec = Exec::new(encoding.bytes("script", &self.script)?);
        if let Some(name) = &self.name {
            exec = exec.name(encoding.bytes("name", name)?);
        }
        for argument in &self.arguments {
            exec = exec.arguments([encoding.bytes("an argument", argument)?]);
        }
        for (name, value) in &self.environment {
            let value = value.as_str().ok_or_else(|| {
                Failure::new(Code::NotText, format!("the variable {name} is no text"))
            })?;
            exec = exec.env(name, value);
        }
        if self.replace_environment {
            exec = exec.replace_env();
        }
        if let Some(directory) = &self.cwd {
            exec = exec.cwd(directory);
        }
        if self.stdin.is_some() && self.stdin_file.is_some() {
            return Err(Failure::invalid("stdin and stdin_file are two inputs"));
        }
        if let Some(text) = &self.stdin {
            exec = exec.stdin(encoding.bytes("stdin", text)?);
        }
        if let Some(time) = self.timeout_ms {
            exec = exec.timeout_ms(time);
        }
        Ok(exec)
    }

    /// How its result is told.
    pub(super) fn told(&self, result: &ShellResult) -> Value {
        json!({
            "exit_code": result.exit_code,
            "stdout": self.encoding.text(&result.stdout),
            "stderr": self.encoding.text(&result.stderr),
            "encoding": self.encoding,
            "timed_out": result.timed_out,
            "truncated": result.truncated,
        })
    }
}

/// What invocations are, for who asks the agent.
pub(super) fn document() -> Value {
    let text = json!({ "type": "string" });
    let flag = json!({ "type": "boolean" });
    let encoding = json!({ "type": "string", "enum": ["text", "base64"] });
    let answered = |what: &str, schema: Value| json!({ "description": what, "content": { "application/json": { "schema": schema } } });
    json!({
        "openapi": "3.0.3",
        "info": { "title": "Offshoot: a sandbox for each session", "version": env!("CARGO_PKG_VERSION") },
        "paths": { "/invocations": { "post": {
            "operationId": "invoke",
            "parameters": [{ "name": "agent_session_id", "in": "query", "schema": text }],
            "requestBody": { "required": true, "content": { "application/json": { "schema": {
                "type": "object", "required": ["script"], "additionalProperties": false,
                "properties": {
                    "script": text, "name": text, "arguments": { "type": "array", "items": text },
                    "environment": { "type": "object", "additionalProperties": text },
                    "replace_environment": flag, "cwd": text, "stdin": text, "stdin_file": text,
                    "timeout_ms": { "type": "integer", "minimum": 0 },
                    "encoding": encoding, "existing": flag,
                },
            } } } },
            "responses": {
                "200": answered("The script has ended, with whatever status.", json!({
                    "type": "object",
                    "properties": {
                        "exit_code": { "type": "integer", "minimum": 0, "maximum": 255 },
                        "stdout": text, "stderr": text, "encoding": encoding,
                        "timed_out": flag, "truncated": flag,
                    },
                })),
                "default": answered("The script was not run, or not to its end.", json!({
                    "type": "object",
                    "properties": { "error": {
                        "type": "object", "properties": { "code": text, "message": text },
                    } },
                })),
            },
        } } },
    })
}
