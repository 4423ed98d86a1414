//! Commands of a sandbox that are functions of JavaScript.

use crate::settings::{Content, bytes};
use napi::bindgen_prelude::{Promise, Uint8Array};
use napi::threadsafe_function::ThreadsafeFunction;
use napi_derive::napi;
use offshoot::{Command, Invocation as Call};
use std::collections::HashMap;
use std::sync::Arc;

/// The most that a function gets as standard input: what the host holds of it in memory.
const INPUT: usize = 256 << 20;

/// A function that JavaScript's thread runs when a command is called.
pub(crate) type Function =
    Arc<ThreadsafeFunction<Invocation, Promise<Answer>, Invocation, napi::Status, false>>;

/// One call.
#[napi(object)]
pub struct Invocation {
    pub name: String,
    pub arguments: Vec<String>,
    pub env: HashMap<String, String>,
    pub cwd: String,
    pub stdin: Uint8Array,
}

/// What the function says to it.
#[napi(object, object_to_js = false)]
pub struct Answer {
    pub exit_code: u8,
    pub stdout: Option<Content>,
    pub stderr: Option<Content>,
}

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// A command that reads all of its input, asks the function, and writes what it answers.
pub(crate) fn from_function(function: Function) -> Command {
    Command::function(move |call| {
        let function = Arc::clone(&function);
        async move { run(&function, call).await.unwrap_or(1) }
    })
}

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
