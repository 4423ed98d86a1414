//! Commands of a sandbox that are functions of JavaScript.
//!
//! A command is called on a thread of the library and answered on JavaScript's own: the call is handed over through a
//! thread-safe function, and the promise that comes back is awaited without holding a thread. Input is read to its
//! end before the function is asked, and output is written after it has answered, so such a command neither streams
//! nor runs at the same time as the rest of its pipeline. In Python a function reads and writes while it runs.
//!
//! `lib/index.cjs` wraps the user's function so that what it returns (a number, text, bytes, an object, nothing) is
//! an `Answer` by the time it is here.

use crate::settings::{Content, bytes};
use napi::bindgen_prelude::{Promise, Uint8Array};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;
use offshoot::{Command, Invocation as Call};
use std::collections::HashMap;
use std::sync::Arc;

/// The most that a function gets as standard input: 256 MiB, which the host holds in memory for each call. Without it
/// a script could fill the host's memory with `yes | command`.
const INPUT: usize = 256 << 20;

/// A function that JavaScript's thread runs when a command is called. It takes an `Invocation` and gives the promise
/// of an `Answer`; calls from several pipelines are queued in the order in which they come.
pub(crate) type Function =
    Arc<ThreadsafeFunction<Invocation, Promise<Answer>, Invocation, napi::Status, false>>;

/// One call of a function as a command. What is not UTF-8 in the words, the variables or the directory is replaced by
/// U+FFFD; standard input is byte for byte.
#[napi(object)]
pub struct Invocation {
    /// The name that it was called by: the first word of the command.
    pub name: String,
    /// The words after the name.
    pub arguments: Vec<String>,
    /// The exported variables.
    pub env: HashMap<String, String>,
    /// The working directory, absolute.
    pub cwd: String,
    /// Standard input to its end, 256 MiB at most.
    pub stdin: Uint8Array,
}

/// What the function says to it. Standard output is written whole before standard error.
#[napi(object, object_to_js = false)]
pub struct Answer {
    /// The exit status, 0 to 255.
    pub exit_code: u8,
    /// What goes to standard output; text as UTF-8, nothing where it is missing.
    pub stdout: Option<Content>,
    /// What goes to standard error.
    pub stderr: Option<Content>,
}

/// Bytes as text, with U+FFFD for what is not UTF-8.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A command that reads all of its input, asks the function, and writes what it answers. Status 1 without a message
/// stands for a stream that failed, as for an output that nobody reads any more.
pub(crate) fn from_function(function: Function) -> Command {
    Command::function(move |call| {
        let function = Arc::clone(&function);
        async move { run(&function, call).await.unwrap_or(1) }
    })
}

/// One call. A function that throws, or whose promise rejects, is status 1 with `NAME: REASON` on standard error, as
/// a command of Unix reports a failure.
async fn run(function: &Function, mut call: Call) -> offshoot_vfs::Result<u8> {
    let mut words = call.arguments.iter().map(|word| text(word));
    let name = words.next().unwrap_or_default();
    let invocation = Invocation {
        name: name.clone(),
        arguments: words.collect(),
        env: call
            .environment
            .iter()
            .map(|(name, value)| (text(name), text(value)))
            .collect(),
        cwd: text(&call.directory),
        stdin: call.stdin.read_to_end(INPUT).await?.into(),
    };
    let answered = async { function.call_async(invocation).await?.await };
    let answer = match answered.await {
        Ok(answer) => answer,
        Err(error) => {
            let message = format!("{name}: {}\n", error.reason);
            call.stderr.write_all(message.as_bytes()).await?;
            return Ok(1);
        }
    };
    if let Some(stdout) = answer.stdout {
        call.stdout.write_all(&bytes(stdout)).await?;
    }
    if let Some(stderr) = answer.stderr {
        call.stderr.write_all(&bytes(stderr)).await?;
    }
    Ok(answer.exit_code)
}
