//! Commands: one request with the text of a script, one answer when it has ended.

use offshoot_connector::http::Request;
use offshoot_connector::machine::{self, ANSWER, Machine};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Error, Result, mark};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::session::VERSION;
use crate::settings::{DATA, State};

/// Seconds that the service gives a command beyond its time-out, for what tells its output.
const GRACE_SECONDS: u64 = 60;
/// Bytes of a script that is a word; a longer one is a file.
const SCRIPT: usize = 100_000;

/// A command that has ended.
#[derive(Deserialize)]
struct Ran {
    result: Option<Told>,
    #[serde(default)]
    error: Value,
}

#[derive(Deserialize)]
struct Told {
    #[serde(default)]
    stdout: Option<String>,
}

impl State {
    /// Runs a script in whatever session has the identifier, and gives its output.
    pub(crate) fn shell(&self, script: &str, timeout_ms: Option<u64>) -> Result<String> {
        let needed = timeout_ms.map_or(0, |given| given.div_ceil(1000) + GRACE_SECONDS);
        let asked = json!({
            "shellCommand": script, "timeoutInSeconds": needed.max(self.command_seconds),
        });
        let request = Request::post(self.url("executions", VERSION)).json(&asked)?;
        let body = request.send()?.success()?.read(ANSWER)?;
        let ran: Ran = serde_json::from_slice(&body).map_err(Error::corrupt)?;
        match ran.result {
            Some(told) => Ok(told.stdout.unwrap_or_default()),
            None => {
                let why: String = ran.error.to_string().chars().take(500).collect();
                Err(Error::new(
                    Code::Died,
                    format!("the command was not run: {why}"),
                ))
            }
        }
    }

    /// Uploads a file to the one directory that takes some, and gives its path.
    fn data(&self, content: &[u8]) -> Result<String> {
        let (name, boundary) = (format!(".offshoot-{}", unique()), unique());
        let mut body = format!(
            "--{boundary}\r\nContent-Disposition: form-data; name=\"file\"; filename=\"{name}\"\r\n\
             Content-Type: application/octet-stream\r\n\r\n"
        )
        .into_bytes();
        body.extend_from_slice(content);
        body.extend_from_slice(format!("\r\n--{boundary}--\r\n").as_bytes());
        let kind = format!("multipart/form-data; boundary={boundary}");
        let url = format!("{}&path={DATA}", self.url("files", VERSION));
        Request::post(url).body(&kind, body).send()?.success()?;
        Ok(format!("{DATA}/{name}"))
    }
}

impl Machine for State {
    fn run(&self, words: &[String], timeout_ms: Option<u64>) -> Result<String> {
        let text = machine::text(&mark::guarded(&self.id, words));
        if text.len() <= SCRIPT {
            return mark::found(self.shell(&text, timeout_ms)?);
        }
        let file = self.data(machine::text(words).as_bytes())?;
        let text = machine::text(&mark::guarded(&self.id, &machine::by_file(&file)));
        mark::found(self.shell(&text, timeout_ms)?)
    }

    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.data(content)?;
        machine::moved(self, &file, path)
    }
}
