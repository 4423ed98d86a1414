//! Commands by Pint, the service inside a machine: begun by one request, and listened to by another, which
//! may be repeated.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, Response, encoded};
use offshoot_connector::machine::{ANSWER, Machine};
use offshoot_connector::{Code, Error, Result, Stage};
use serde::Deserialize;
use serde_json::json;

use crate::control;
use crate::settings::State;

/// How often output is asked for again that broke off while the command ran.
const ATTEMPTS: usize = 5;

/// A command as it is told.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Exec {
    id: String,
    status: String,
}

/// A piece of output.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Piece {
    #[serde(rename = "type")]
    stream: String,
    #[serde(default)]
    output: String,
    #[serde(default)]
    sequence: u64,
    exit_code: Option<i64>,
}

/// What was heard so far.
#[derive(Default)]
struct Heard {
    shown: String,
    last: u64,
    over: bool,
}

impl State {
    fn request(&self, make: fn(String) -> Request, path: &str) -> Request {
        let request = make(format!("{}/api/v1/{path}", self.pint));
        request.header("authorization", format!("Bearer {}", self.token))
    }

    /// The answer, where it is no error. A machine that sleeps or is gone does not answer, or answers by
    /// whatever stands before it: only the control plane tells.
    fn checked(&self, answer: Result<Response>) -> Result<Response> {
        let error = match answer.and_then(Response::success) {
            Ok(answer) => return Ok(answer),
            Err(error) => error,
        };
        Err(match control::life(self) {
            Ok(Stage::Running) | Err(_) => error,
            Ok(_) => error.with_code(Code::SandboxUnavailable),
        })
    }

    /// Listens from where it was left off until the stream ends.
    fn listen(&self, id: &str, heard: &mut Heard) -> Result<()> {
        let path = format!("execs/{id}/io?lastSequence={}", heard.last);
        let request = self
            .request(Request::get, &path)
            .header("accept", "text/event-stream");
        let mut answer = self.checked(request.send())?;
        answer.lines(|line| {
            if let Some(told) = line.strip_prefix(b"data:") {
                heard.take(told)?;
            }
            Ok(heard.over)
        })
    }
}

impl Heard {
    fn take(&mut self, told: &[u8]) -> Result<()> {
        let piece: Piece = serde_json::from_slice(told).map_err(Error::corrupt)?;
        self.over |= piece.exit_code.is_some();
        // What was asked for again may come again.
        if piece.sequence != 0 && piece.sequence <= self.last {
            return Ok(());
        }
        self.last = self.last.max(piece.sequence);
        if piece.stream != "stdout" {
            return Ok(());
        }
        if self.shown.len() + piece.output.len() > ANSWER {
            return Err(Error::corrupt("more output than was asked for"));
        }
        self.shown.push_str(&piece.output);
        Ok(())
    }
}

impl Machine for State {
    fn run(&self, words: &[String], _timeout_ms: Option<u64>) -> Result<String> {
        let (program, arguments) = words.split_first().unwrap_or((&self.cwd, &[]));
        let asked = json!({
            "command": program, "args": arguments, "autorun": true, "interactive": false,
        });
        let request = self.request(Request::post, "execs").json(&asked)?;
        let begun: Exec = self.checked(request.send())?.json()?;
        let mut heard = Heard::default();
        for _ in 0..ATTEMPTS {
            let listened = self.listen(&begun.id, &mut heard);
            if heard.over {
                break;
            }
            // Where it broke off, the command may still run.
            let path = format!("execs/{}", encoded(&begun.id));
            let answer = self.checked(self.request(Request::get, &path).send())?;
            let now: Exec = answer.json()?;
            if listened.is_ok() && !now.status.eq_ignore_ascii_case("running") {
                break;
            }
        }
        let path = format!("execs/{}", encoded(&begun.id));
        // The list of commands is kept short; the result is there.
        let _ = self.request(Request::delete, &path).send();
        Ok(heard.shown)
    }

    /// Files are text there, so the content is too.
    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        const DECODE: &str = r#"base64 -d <"$1.64" >"$1" && rm -f -- "$1.64" && echo decoded"#;
        let place = encoded(&format!("{path}.64"));
        let asked = json!({ "content": STANDARD.encode(content) });
        let request = self
            .request(Request::post, &format!("files/{place}"))
            .json(&asked)?;
        self.checked(request.send())?;
        let words = ["/bin/bash", "-c", DECODE, "offshoot", path].map(str::to_owned);
        let told = self.run(&words, None)?;
        match told.contains("decoded") {
            true => Ok(()),
            false => Err(Error::new(
                Code::Died,
                format!("{path} was not written: {told}"),
            )),
        }
    }
}
