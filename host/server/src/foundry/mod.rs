//! The container of a hosted agent of Azure's Foundry, in which each session is a virtual sandbox.
//!
//! Foundry starts the image of a hosted agent for each of its sessions, asks `GET /readiness` until that is answered,
//! and hands on to `POST /invocations` what is invoked at the agent's endpoint. An [`Endpoint`] answers so, as PyPI's
//! `azure-ai-agentserver-invocations` does; [`Image`] describes what Foundry is given: an image and an agent's
//! definition.
//!
//! An invocation is a script for the session's sandbox:
//!
//! ```json
//! { "script": "wc -l < words", "cwd": "/home/user", "timeout_ms": 5000 }
//! ```
//!
//! | field | meaning |
//! |---|---|
//! | `script` | The script, as `bash -c` takes it; `input` is another name for it |
//! | `name`, `arguments` | `$0`, and `$1` and on |
//! | `environment`, `replace_environment` | Variables, and whether these are all |
//! | `cwd` | The directory; relative to `/home/user` |
//! | `stdin` | What it reads |
//! | `stdin_file` | Or the file of the sandbox that it reads, which is removed before it begins |
//! | `timeout_ms` | When it is ended, with status 124 |
//! | `encoding` | `text` (the default), or `base64` for what the script, the arguments, the input and the answer's streams are in |
//! | `existing` | Refuse to make a sandbox where the session has none |
//!
//! An invocation goes on to its end, whether its caller waits or not. What a script leaves in the background with its
//! streams elsewhere goes on after it, for as long as the container runs.
//!
//! The answer has `exit_code`, `stdout`, `stderr`, `timed_out` and `truncated`. Any status is an answer; what goes
//! wrong otherwise is `{"error": {"code", "message"}}` with one of the codes of [`offshoot::Code`].

mod endpoint;
mod failure;
mod image;
mod invocation;

pub use endpoint::{Builder, Endpoint};
pub use image::Image;
