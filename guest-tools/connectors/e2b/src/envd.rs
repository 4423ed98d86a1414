//! envd, the service inside a sandbox: unary calls of Connect in JSON.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, Response};
use offshoot_connector::{Code, Error, Result};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::Value;

use crate::settings::State;

/// envd's port, which proxies want to be named.
const PORT: &str = "49983";
/// Bytes of an error's answer.
const ERROR_BYTES: usize = 64 << 10;

/// What every call carries.
pub(crate) fn dressed(state: &State, request: Request) -> Request {
    let request = request
        .header("x-access-token", &state.token)
        .header("e2b-sandbox-id", &state.id)
        .header("e2b-sandbox-port", PORT);
    match &state.user {
        None => request,
        Some(user) => {
            let user = STANDARD.encode(format!("{user}:"));
            request.header("authorization", format!("Basic {user}"))
        }
    }
}

/// Calls a method.
pub(crate) fn call<T: DeserializeOwned>(state: &State, method: &str, body: &Value) -> Result<T> {
    let request = Request::post(format!("{}/{method}", state.envd))
        .json(body)?
        .header("connect-protocol-version", "1");
    checked(dressed(state, request).send()?)?.json()
}

/// The answer, where it is no error.
pub(crate) fn checked(mut answer: Response) -> Result<Response> {
    let status = answer.status();
    if (200..300).contains(&status) {
        return Ok(answer);
    }
    let body = answer.read(ERROR_BYTES)?;
    Err(match serde_json::from_slice::<Failure>(&body) {
        Ok(failure) => failure.error(status),
        Err(_) => {
            let text = String::from_utf8_lossy(&body);
            let text: String = text.chars().take(500).collect();
            Error::new(of_status(status), format!("status {status}: {text}"))
        }
    })
}

/// An error as Connect (a name) and the rest of E2B (a number) write it.
#[derive(Deserialize)]
pub(crate) struct Failure {
    code: Value,
    #[serde(default)]
    message: String,
}

impl Failure {
    /// The error that it stands for.
    pub(crate) fn error(self, status: u16) -> Error {
        let code = match self.code.as_str() {
            Some(name) => of_name(name),
            None => of_status(status),
        };
        Error::new(code, self.message)
    }
}

fn of_name(name: &str) -> Code {
    match name {
        "not_found" => Code::NotFound,
        "already_exists" | "failed_precondition" | "aborted" => Code::Conflict,
        "invalid_argument" | "out_of_range" => Code::Invalid,
        "permission_denied" | "unauthenticated" => Code::PolicyDenied,
        "resource_exhausted" => Code::Limit,
        "deadline_exceeded" => Code::Timeout,
        "unimplemented" => Code::Capability,
        "unavailable" => Code::SandboxUnavailable,
        "data_loss" => Code::Corrupt,
        _ => Code::Died,
    }
}

fn of_status(status: u16) -> Code {
    match status {
        400 => Code::Invalid,
        401 | 403 => Code::PolicyDenied,
        404 => Code::NotFound,
        409 => Code::Conflict,
        429 | 507 => Code::Limit,
        501 => Code::Capability,
        // The proxy in front: the sandbox is gone or sleeps.
        502 | 503 => Code::SandboxUnavailable,
        504 => Code::Timeout,
        _ => Code::Died,
    }
}
