//! Errors of the library as exceptions of JavaScript.
//!
//! napi carries a status and a message. The message is JSON here, with the keys `code`, `operation`, `retryable`,
//! `message`, `errno` and `output`; `lib/index.cjs` reads it and throws the class of `OffshootError` that belongs to
//! the code. Nothing else in this crate makes an error of napi's.

use crate::settings::ExecResult;
use napi::{Error, Status};
use serde_json::json;

/// The exception for an error of the library, with what a script had written by then in `output`. The two outputs are
/// arrays of numbers there: JSON has no bytes.
pub(crate) fn thrown(error: offshoot::Error) -> Error {
    let output = error.output().cloned().map(|output| {
        json!({
            "exitCode": output.exit_code,
            "stdout": output.stdout,
            "stderr": output.stderr,
            "timedOut": output.timed_out,
            "truncated": output.truncated,
            "durationMs": output.duration_ms,
        })
    });
    coded(
        error.code().as_str(),
        error.operation(),
        error.retryable(),
        &error.to_string(),
        error.errno(),
        output,
    )
}

/// The exception for what a store says before there are sandboxes, under the operation `open`.
pub(crate) fn unopened(error: &offshoot::lifecycle::StoreError) -> Error {
    coded(
        error.code(),
        "open",
        error.retryable(),
        &error.to_string(),
        None,
        None,
    )
}

/// A setting that makes no sense: `INVALID`, which is not to be tried again.
pub(crate) fn wrong(message: impl std::fmt::Display) -> Error {
    coded(
        "INVALID",
        "settings",
        false,
        &message.to_string(),
        None,
        None,
    )
}

/// The caller's signal ended it: `ABORTED`. The other half rejects with an `AbortError` in its place.
pub(crate) fn aborted() -> Error {
    coded(
        "ABORTED",
        "exec",
        false,
        "the operation was aborted",
        None,
        None,
    )
}

/// The text that the other half parses. `output` is that of an `ExecResult`, or `null`.
fn coded(
    code: &str,
    operation: &str,
    retryable: bool,
    message: &str,
    errno: Option<&str>,
    output: Option<serde_json::Value>,
) -> Error {
    let facts = json!({
        "code": code,
        "operation": operation,
        "retryable": retryable,
        "message": message,
        "errno": errno,
        "output": output,
    });
    Error::new(Status::GenericFailure, facts.to_string())
}

impl From<offshoot::ShellResult> for ExecResult {
    fn from(result: offshoot::ShellResult) -> ExecResult {
        ExecResult {
            exit_code: result.exit_code,
            stdout: result.stdout.into(),
            stderr: result.stderr.into(),
            timed_out: result.timed_out,
            truncated: result.truncated,
            duration_ms: result.duration_ms as f64,
        }
    }
}
