//! Commands: one request whose answer streams events, in which bytes that are not UTF-8 are lost.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, Response};
use offshoot_connector::machine::{self, ANSWER, Machine};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Error, Result, mark};
use serde_json::{Value, json};

use crate::sandbox;
use crate::settings::{State, WORKSPACE};

/// What a stream of events has as its type, and nothing else does.
const EVENTS: &str = "text/event-stream";
/// Bytes of words that go in a request: quoted, they are one argument of a shell. Longer ones are a file.
const WORDS: usize = 50_000;

impl State {
    /// Runs words in whatever container the sandbox has, and gives their output. The bridge's own time-out
    /// ends the wait and not the command, so it is not asked for.
    pub(crate) fn told(&self, words: &[String]) -> Result<String> {
        let request = Request::post(self.place("/exec")).json(&json!({ "argv": words }))?;
        told(request.send()?.success()?)
    }

    /// The same, where the container is the one that was marked. Otherwise the request has begun another, which
    /// is ended.
    fn found(&self, guarded: &[String]) -> Result<String> {
        mark::found(self.told(guarded)?).inspect_err(|_| {
            // The error that is told is the first one.
            let _ = sandbox::end(self);
        })
    }

    /// Writes a file to the one directory that takes some, and gives its path.
    fn workspace(&self, content: &[u8]) -> Result<String> {
        let path = format!("{WORKSPACE}/.offshoot-{}", unique());
        let request = Request::put(self.place(&format!("/file{path}")));
        let request = request.body("application/octet-stream", content.to_vec());
        request.send()?.success()?;
        Ok(path)
    }
}

impl Machine for State {
    fn run(&self, words: &[String], _timeout_ms: Option<u64>) -> Result<String> {
        let guarded = mark::guarded(&self.id, words);
        if guarded.iter().map(String::len).sum::<usize>() <= WORDS {
            return self.found(&guarded);
        }
        let file = self.workspace(machine::text(words).as_bytes())?;
        self.found(&mark::guarded(&self.id, &machine::by_file(&file)))
    }

    fn upload(&self, path: &str, content: &[u8]) -> Result<()> {
        let file = self.workspace(content)?;
        machine::moved(self, &file, path)
    }
}

/// What the command wrote to standard output.
fn told(mut answer: Response) -> Result<String> {
    let kind = answer.header("content-type").unwrap_or_default();
    if kind.split(';').next().map(str::trim) != Some(EVENTS) {
        let message = format!("events were expected, not {kind:?}");
        return Err(Error::corrupt(message));
    }
    let (mut shown, mut event, mut over) = (Vec::new(), String::new(), false);
    answer.lines(|line| {
        let line = std::str::from_utf8(line).map_err(Error::corrupt)?;
        match line.split_once(": ") {
            Some(("event", name)) => name.clone_into(&mut event),
            Some(("data", data)) => over = heard(&event, data, &mut shown)?,
            _ => {}
        }
        Ok(over)
    })?;
    if !over {
        return Err(Error::new(Code::Died, "the command's output broke off"));
    }
    String::from_utf8(shown).map_err(Error::corrupt)
}

/// Takes an event in; true where the command has ended.
fn heard(event: &str, data: &str, shown: &mut Vec<u8>) -> Result<bool> {
    match event {
        "stdout" => {
            let piece = STANDARD.decode(data).map_err(Error::corrupt)?;
            if shown.len() + piece.len() > ANSWER {
                return Err(Error::corrupt("more output than was asked for"));
            }
            shown.extend(piece);
        }
        "exit" => return Ok(true),
        "error" => {
            let told: Value = serde_json::from_str(data).unwrap_or_default();
            let message = format!("{}: {}", told["code"], told["error"]);
            return Err(Error::new(Code::Died, message));
        }
        _ => {}
    }
    Ok(false)
}
