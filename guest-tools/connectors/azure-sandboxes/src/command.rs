//! Commands: one request with the words, one answer when they have ended.

use offshoot_connector::http::{Request, encoded};
use offshoot_connector::machine::{ANSWER, Machine};
use offshoot_connector::{Error, Result};
use serde::Deserialize;
use serde_json::json;

use crate::control::{COMMANDS, VERSION};
use crate::settings::{ROOT, State};

/// A command that has ended.
#[derive(Deserialize)]
struct Ran {
    stdout: String,
}

impl Machine for State {
    /// The service has no time-out; what runs counts it.
    fn run(&self, words: &[String], _timeout_ms: Option<u64>) -> Result<String> {
        let (program, arguments) = words
            .split_first()
            .ok_or_else(|| Error::corrupt("no words"))?;
        let mut asked = json!({
            "command": program, "args": arguments, "workingDirectory": ROOT,
            // One that sleeps is told, and not woken by what was meant for one that runs.
            "activationMode": "Manual",
        });
        if let Some(user) = &self.user {
            asked["user"] = user.as_str().into();
        }
        let request = Request::post(self.url("/executeCommand", COMMANDS));
        let body = self.ask(request.json(&asked)?)?.read(ANSWER)?;
        let ran: Ran = serde_json::from_slice(&body).map_err(Error::corrupt)?;
        Ok(ran.stdout)
    }

    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let url = self.url("/files", VERSION);
        let url = format!("{url}&createDirs=false&path={}", encoded(path));
        let request = Request::put(url).body("application/octet-stream", content.to_vec());
        self.ask(request).map(drop)
    }
}
