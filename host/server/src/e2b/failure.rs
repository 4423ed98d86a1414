//! Why a request failed, and how each of the protocols says it.

use crate::web::{self, Response, Unread};
use http::StatusCode;
use serde_json::{Value, json};

/// What went wrong, by the codes of Connect and one of E2B's proxy.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Code {
    /// Malformed, or without a meaning.
    InvalidArgument,
    /// No key or token, or a wrong one.
    Unauthenticated,
    /// Permission bits or a policy refuse.
    PermissionDenied,
    /// No such sandbox, template, process, file or watcher.
    NotFound,
    /// It exists already.
    AlreadyExists,
    /// The present state does not allow it.
    Conflict,
    /// A limit was reached.
    ResourceExhausted,
    /// The sandbox's disk is full.
    NoSpace,
    /// The time given by the client is over.
    DeadlineExceeded,
    /// The sandbox ended during the call.
    Unavailable,
    /// The sandbox that a call to envd is meant for is not there.
    Gone,
    /// Not offered.
    Unimplemented,
    /// A fault of this process.
    Internal,
}

impl Code {
    /// The name that Connect has for it.
    fn name(self) -> &'static str {
        match self {
            Code::InvalidArgument => "invalid_argument",
            Code::Unauthenticated => "unauthenticated",
            Code::PermissionDenied => "permission_denied",
            Code::NotFound => "not_found",
            Code::AlreadyExists => "already_exists",
            Code::Conflict => "failed_precondition",
            Code::ResourceExhausted | Code::NoSpace => "resource_exhausted",
            Code::DeadlineExceeded => "deadline_exceeded",
            Code::Unavailable | Code::Gone => "unavailable",
            Code::Unimplemented => "unimplemented",
            Code::Internal => "internal",
        }
    }

    /// The status of a REST answer.
    fn status(self) -> StatusCode {
        match self {
            Code::InvalidArgument => StatusCode::BAD_REQUEST,
            Code::Unauthenticated => StatusCode::UNAUTHORIZED,
            Code::PermissionDenied => StatusCode::FORBIDDEN,
            Code::NotFound => StatusCode::NOT_FOUND,
            Code::AlreadyExists | Code::Conflict => StatusCode::CONFLICT,
            Code::ResourceExhausted => StatusCode::TOO_MANY_REQUESTS,
            Code::NoSpace => StatusCode::INSUFFICIENT_STORAGE,
            Code::DeadlineExceeded => StatusCode::GATEWAY_TIMEOUT,
            Code::Unavailable => StatusCode::SERVICE_UNAVAILABLE,
            Code::Gone => StatusCode::BAD_GATEWAY,
            Code::Unimplemented => StatusCode::NOT_IMPLEMENTED,
            Code::Internal => StatusCode::INTERNAL_SERVER_ERROR,
        }
    }
}

/// A request failed.
#[derive(Debug, Clone)]
pub(super) struct Failure {
    code: Code,
    message: String,
}

/// What a handler gives.
pub(super) type Result<T> = std::result::Result<T, Failure>;

impl Failure {
    pub(super) fn new(code: Code, message: impl Into<String>) -> Failure {
        Failure {
            code,
            message: message.into(),
        }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Failure {
        Failure::new(Code::InvalidArgument, message)
    }

    /// Nothing is served there.
    pub(super) fn no_route() -> Failure {
        Failure::new(Code::NotFound, "there is no such route")
    }

    /// There is no such sandbox, said by the control plane.
    pub(super) fn no_sandbox(id: &str) -> Failure {
        Failure::new(Code::NotFound, format!("sandbox {id:?} was not found"))
    }

    /// There is no such sandbox, said in envd's place. The SDKs look for these words.
    pub(super) fn gone(id: &str) -> Failure {
        Failure::new(Code::Gone, format!("The sandbox {id} was not found"))
    }

    pub(super) fn message(&self) -> &str {
        &self.message
    }

    pub(super) fn code(&self) -> Code {
        self.code
    }

    /// A file operation on `path` failed.
    pub(super) fn file(path: &str, error: offshoot_vfs::Error) -> Failure {
        use offshoot_vfs::Error;
        let code = match error {
            Error::NoEntry => Code::NotFound,
            Error::Exist => Code::AlreadyExists,
            Error::Access | Error::NotPermitted | Error::ReadOnly | Error::Refused => {
                Code::PermissionDenied
            }
            Error::NoSpace | Error::FileTooLarge => Code::NoSpace,
            Error::Io => Code::Internal,
            _ => Code::InvalidArgument,
        };
        Failure::new(code, format!("path '{path}': {error}"))
    }

    /// Whether the stand-in for envd answers, and not envd: in plain JSON, whatever was asked.
    pub(super) fn is_from_proxy(&self) -> bool {
        self.code == Code::Gone
    }

    /// The object that a Connect error is.
    pub(super) fn connect(&self) -> Value {
        json!({ "code": self.code.name(), "message": self.message })
    }

    /// The answer to a unary Connect call.
    pub(super) fn into_connect(self) -> Response {
        if self.is_from_proxy() {
            return self.into_rest();
        }
        let status = match self.code {
            Code::Conflict => StatusCode::BAD_REQUEST,
            Code::NoSpace => StatusCode::TOO_MANY_REQUESTS,
            code => code.status(),
        };
        web::json(status, &self.connect())
    }

    /// The object that a REST error is.
    pub(super) fn rest(&self) -> Value {
        json!({ "code": self.code.status().as_u16(), "message": self.message })
    }

    /// The answer to a REST call.
    pub(super) fn into_rest(self) -> Response {
        web::json(self.code.status(), &self.rest())
    }
}

impl From<Unread> for Failure {
    fn from(error: Unread) -> Failure {
        let code = match error {
            Unread::Broken(_) => Code::InvalidArgument,
            Unread::Late => Code::DeadlineExceeded,
            Unread::TooLong(_) => Code::ResourceExhausted,
        };
        Failure::new(code, error.to_string())
    }
}

impl From<offshoot::Error> for Failure {
    fn from(error: offshoot::Error) -> Failure {
        use offshoot::Code as Theirs;
        let code = match error.code() {
            Theirs::NotFound => Code::NotFound,
            Theirs::Invalid | Theirs::PathEscape | Theirs::NotText => Code::InvalidArgument,
            Theirs::PolicyDenied => Code::PermissionDenied,
            Theirs::Capability => Code::Unimplemented,
            Theirs::Conflict => Code::Conflict,
            Theirs::Limit => Code::ResourceExhausted,
            Theirs::Timeout => Code::DeadlineExceeded,
            Theirs::SandboxUnavailable | Theirs::Fenced => Code::Unavailable,
            _ => Code::Internal,
        };
        Failure::new(code, error.to_string())
    }
}
