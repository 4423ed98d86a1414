//! Commands. Daytona runs a text and gives one string in which both streams are mixed and bytes that
//! are not UTF-8 are lost, and nothing at all after a time-out of its own.

use offshoot_connector::http::Request;
use offshoot_connector::machine::{self, ANSWER, Machine};
use offshoot_connector::{Code, Command, Error, Result, ShellResult};
use serde::Deserialize;
use serde_json::json;

use crate::control::checked;
use crate::files;
use crate::settings::State;

/// Seconds of a command without a time-out. Without a number the provider takes one of its own, which
/// clients document as 10; the host's limit is a day.
const FOREVER: u64 = 24 * 3600;
/// Seconds that the provider gives a command beyond its time-out, for what tells its output.
const GRACE_SECONDS: u64 = 120;
/// The exit status where the provider could not start its shell.
const NOT_STARTED: i64 = -1;

/// Runs a command to its end.
pub(crate) fn run(state: &State, command: &Command) -> Result<ShellResult> {
    machine::exec(state, &[], command)
}

impl Machine for State {
    /// The provider's shell may be zsh, bash or sh, and reads the text where a command would find its
    /// input; so there is nothing in it but a command and its words.
    fn run(&self, words: &[String], timeout_ms: Option<u64>) -> Result<String> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Ran {
            exit_code: Option<i64>,
            result: String,
        }
        let seconds = match timeout_ms {
            Some(milliseconds) => milliseconds.div_ceil(1000) + GRACE_SECONDS,
            None => FOREVER,
        };
        let asked = json!({ "command": machine::text(words), "cwd": "/", "timeout": seconds });
        let request = Request::post(format!("{}/process/execute", self.toolbox)).json(&asked)?;
        let body = checked(self, request.send()?)?.read(ANSWER)?;
        let ran: Ran = serde_json::from_slice(&body).map_err(Error::corrupt)?;
        match ran.exit_code {
            Some(NOT_STARTED) => {
                let shown: String = ran.result.chars().take(500).collect();
                let message = format!("the command was not started: {shown}");
                Err(Error::new(Code::Died, message))
            }
            _ => Ok(ran.result),
        }
    }

    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        files::upload(self, path, content)
    }
}
