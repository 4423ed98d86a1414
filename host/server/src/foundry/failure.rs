//! Why an invocation failed, and how Foundry is told.

use crate::web::{self, Response};
use http::{HeaderValue, StatusCode};
use offshoot::Code;
use serde_json::json;

/// The header by which Foundry knows whose fault it was.
const SOURCE: &str = "x-platform-error-source";

/// An invocation that gave no result.
#[derive(Debug)]
pub(super) struct Failure {
    status: StatusCode,
    code: &'static str,
    message: String,
}

/// What a handler gives.
pub(super) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure {
            status: status(code),
            code: code.as_str(),
            message: message.into(),
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Failure {
        Failure::new(Code::Invalid, message)
    }

    /// The same with another status.
    pub(super) fn with_status(mut self, status: StatusCode) -> Failure {
        self.status = status;
        self
    }

    pub(super) fn answer(&self) -> Response {
        let body = json!({ "error": { "code": self.code, "message": self.message } });
        let mut answer = web::json(self.status, &body);
        let source = match self.status.is_client_error() {
            true => "user",
            false => "upstream",
        };
        answer
            .headers_mut()
            .insert(SOURCE, HeaderValue::from_static(source));
        answer
    }
}

impl From<offshoot::Error> for Failure {
    fn from(error: offshoot::Error) -> Failure {
        Failure::new(error.code(), error.to_string())
    }
}

fn status(code: Code) -> StatusCode {
    match code {
        Code::Invalid | Code::NotText | Code::PathEscape => StatusCode::BAD_REQUEST,
        Code::PolicyDenied => StatusCode::FORBIDDEN,
        Code::NotFound => StatusCode::NOT_FOUND,
        Code::Conflict | Code::Fenced => StatusCode::CONFLICT,
        Code::Limit => StatusCode::TOO_MANY_REQUESTS,
        Code::Capability => StatusCode::NOT_IMPLEMENTED,
        Code::SandboxUnavailable => StatusCode::SERVICE_UNAVAILABLE,
        Code::Timeout => StatusCode::GATEWAY_TIMEOUT,
        _ => StatusCode::INTERNAL_SERVER_ERROR,
    }
}
