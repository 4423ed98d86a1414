//! Commands: a stream of envelopes for each, and calls that act upon it.

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use offshoot_connector::http::{Request, Response};
use offshoot_connector::path::unique;
use offshoot_connector::script::{self, MARK};
use offshoot_connector::{Code, Command, Error, Event, Input, Result, Running, SignalName};
use serde::Deserialize;
use serde_json::{Map, Value, json};

use crate::envd::{self, Failure};
use crate::files;
use crate::settings::State;

/// The flag of the envelope that ends a stream.
const END: u8 = 2;
/// Bytes of flags and length.
const HEADER: usize = 5;
/// Bytes that one envelope may have.
const LONGEST: usize = 32 << 20;
/// Bytes of input that one call carries.
const INPUT: usize = 1 << 20;
/// Seconds between two signs of life.
const KEEPALIVE: &str = "30";
/// What the provider waits longer than the host, which counts the time-out.
const GRACE_MS: u64 = 10_000;

/// A command that runs.
pub(crate) struct Process {
    pid: u64,
    mark: String,
    events: Events,
    ended: bool,
}

/// Starts a command and waits for its number.
pub(crate) fn start(state: &State, command: &Command) -> Result<Process> {
    let mark = unique();
    let asked = json!({
        "process": config(command, &mark),
        "stdin": matches!(command.input, Input::Piped),
    });
    let timeout = command.timeout_ms.map(|ms| ms.saturating_add(GRACE_MS));
    let started = launch(state, &asked, timeout);
    let (pid, events) = started.map_err(|error| explained(state, command, error))?;
    Ok(Process {
        pid,
        mark,
        events,
        ended: false,
    })
}

fn launch(state: &State, asked: &Value, timeout: Option<u64>) -> Result<(u64, Events)> {
    let body = serde_json::to_vec(asked).map_err(Error::corrupt)?;
    let length = u32::try_from(body.len())
        .map_err(|_| Error::new(Code::Limit, "limit reached: the script is too long"))?;
    let mut envelope = vec![0];
    envelope.extend_from_slice(&length.to_be_bytes());
    envelope.extend_from_slice(&body);
    let mut request = Request::post(format!("{}/process.Process/Start", state.envd))
        .body("application/connect+json", envelope)
        .header("connect-protocol-version", "1")
        .header("keepalive-ping-interval", KEEPALIVE);
    if let Some(timeout) = timeout {
        request = request.header("connect-timeout-ms", timeout.to_string());
    }
    let answer = envd::checked(envd::dressed(state, request).send()?)?;
    let mut events = Events {
        answer,
        buffer: Vec::new(),
        read: 0,
    };
    match events.next()? {
        Message::Start { pid } => Ok((pid, events)),
        Message::Failed(error) => Err(error),
        _ => Err(Error::corrupt("it began without a process number")),
    }
}

/// What envd calls invalid is most often the directory.
fn explained(state: &State, command: &Command, error: Error) -> Error {
    if error.code != Code::Invalid {
        return error;
    }
    match files::stat(state, &command.cwd) {
        Err(missing) if missing.code == Code::NotFound => error.with_code(Code::NotFound),
        Ok(found) if found.kind != offshoot_connector::FileKind::Directory => {
            error.with_code(Code::Conflict)
        }
        _ => error,
    }
}

/// The command as envd wants it.
fn config(command: &Command, mark: &str) -> Value {
    let mut words = script::words(command, mark);
    let mut variables = Map::new();
    variables.insert(MARK.to_owned(), mark.into());
    if !command.replace_environment {
        for (name, value) in &command.environment {
            variables.insert(name.clone(), value.as_str().into());
        }
    }
    json!({
        "cmd": words.remove(0),
        "args": words,
        "envs": variables,
        "cwd": command.cwd,
    })
}

impl Running for Process {
    fn id(&self) -> String {
        format!("{}:{}", self.pid, self.mark)
    }

    fn next(&mut self) -> Result<Option<Event>> {
        while !self.ended {
            match self.events.next()? {
                Message::Stdout(bytes) => return Ok(Some(Event::Stdout(bytes))),
                Message::Stderr(bytes) => return Ok(Some(Event::Stderr(bytes))),
                Message::Start { .. } | Message::Nothing => {}
                Message::End(code) => {
                    self.ended = true;
                    return Ok(Some(Event::Exit(code)));
                }
                Message::Failed(error) => {
                    self.ended = true;
                    return match error.code {
                        Code::Timeout => Ok(Some(Event::TimedOut)),
                        Code::SandboxUnavailable => Err(error.with_code(Code::Died)),
                        _ => Err(error),
                    };
                }
            }
        }
        Ok(None)
    }
}

/// What an envelope says.
enum Message {
    Start { pid: u64 },
    Stdout(Vec<u8>),
    Stderr(Vec<u8>),
    End(u8),
    Failed(Error),
    Nothing,
}

/// The envelopes of an answer.
struct Events {
    answer: Response,
    buffer: Vec<u8>,
    /// Bytes of the buffer that were read.
    read: usize,
}

impl Events {
    fn next(&mut self) -> Result<Message> {
        let header = self.take(HEADER)?;
        let (flags, length) = match header[..] {
            [flags, a, b, c, d] => (flags, u32::from_be_bytes([a, b, c, d]) as usize),
            _ => return Err(Error::corrupt("an envelope without a header")),
        };
        if length > LONGEST {
            return Err(Error::corrupt(format!("an envelope of {length} bytes")));
        }
        let body = self.take(length)?;
        if flags & END != 0 {
            return ended(&body);
        }
        message(&body)
    }

    /// The next bytes.
    fn take(&mut self, count: usize) -> Result<Vec<u8>> {
        while self.buffer.len() - self.read < count {
            self.buffer.drain(..self.read);
            self.read = 0;
            match self.answer.piece()? {
                Some(piece) => self.buffer.extend_from_slice(&piece),
                None => return Err(Error::new(Code::Died, "the command's stream broke off")),
            }
        }
        let bytes = self.buffer[self.read..self.read + count].to_vec();
        self.read += count;
        Ok(bytes)
    }
}

#[derive(Deserialize)]
struct Envelope {
    event: Told,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Told {
    start: Option<Started>,
    data: Option<Data>,
    end: Option<Ended>,
}

#[derive(Deserialize)]
struct Started {
    pid: u64,
}

#[derive(Deserialize, Default)]
#[serde(default)]
struct Data {
    stdout: Option<String>,
    stderr: Option<String>,
}

/// Protobuf's JSON leaves out what is 0, false or empty.
#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Ended {
    exit_code: i64,
    exited: bool,
    status: String,
}

fn message(body: &[u8]) -> Result<Message> {
    let Envelope { event } = serde_json::from_slice(body).map_err(Error::corrupt)?;
    let bytes = |text: String| STANDARD.decode(text).map_err(Error::corrupt);
    Ok(match event {
        Told {
            start: Some(Started { pid }),
            ..
        } => Message::Start { pid },
        Told {
            data: Some(data), ..
        } => match (data.stdout, data.stderr) {
            (Some(text), _) => Message::Stdout(bytes(text)?),
            (None, Some(text)) => Message::Stderr(bytes(text)?),
            (None, None) => Message::Nothing,
        },
        Told { end: Some(end), .. } => Message::End(end.code()),
        _ => Message::Nothing,
    })
}

impl Ended {
    fn code(&self) -> u8 {
        let signal = |name: &str| match name {
            "hangup" => 1,
            "interrupt" => 2,
            "quit" => 3,
            "aborted" => 6,
            "segmentation fault" => 11,
            "broken pipe" => 13,
            "terminated" => 15,
            _ => 9,
        };
        match (self.exited, self.status.strip_prefix("signal: ")) {
            (false, Some(name)) => 128 + signal(name.trim_end_matches(" (core dumped)")),
            _ => u8::try_from(self.exit_code).unwrap_or(137),
        }
    }
}

/// The last envelope, which says how the stream ended.
fn ended(body: &[u8]) -> Result<Message> {
    #[derive(Deserialize)]
    struct Last {
        error: Option<Failure>,
    }
    let last: Last = serde_json::from_slice(body).map_err(Error::corrupt)?;
    let error = match last.error {
        Some(failure) => failure.error(200),
        None => Error::new(Code::Died, "the stream ended without an exit status"),
    };
    Ok(Message::Failed(error))
}

/// The number and the mark of a process.
fn parts(process: &str) -> Result<(u64, &str)> {
    let parts = process.split_once(':');
    let parts = parts.and_then(|(pid, mark)| Some((pid.parse().ok()?, mark)));
    parts.ok_or_else(|| Error::new(Code::Invalid, "no such process"))
}

/// Calls a method that acts on a process.
fn act(state: &State, method: &str, pid: u64, mut body: Value) -> Result<()> {
    body["process"] = json!({ "pid": pid });
    let answer: Result<Value> = envd::call(state, &format!("process.Process/{method}"), &body);
    answer.map(drop)
}

fn ended_is_fine(result: Result<()>) -> Result<()> {
    match result {
        Err(error) if error.code == Code::NotFound => Ok(()),
        result => result,
    }
}

pub(crate) fn signal(state: &State, process: &str, signal: SignalName) -> Result<()> {
    let (pid, mark) = parts(process)?;
    let name = match signal {
        SignalName::Kill => "SIGNAL_SIGKILL",
        SignalName::Terminate => "SIGNAL_SIGTERM",
        SignalName::Interrupt => return Err(Error::refused("SIGINT")),
    };
    let sent = act(state, "SendSignal", pid, json!({ "signal": name }));
    ended_is_fine(sent)?;
    match signal {
        SignalName::Kill => sweep(state, mark),
        _ => Ok(()),
    }
}

/// Ends what a command left behind.
fn sweep(state: &State, mark: &str) -> Result<()> {
    let mut words = script::sweep(mark);
    let asked = json!({
        "process": { "cmd": words.remove(0), "args": words },
        "stdin": false,
    });
    let (_, mut events) = launch(state, &asked, Some(GRACE_MS))?;
    loop {
        match events.next()? {
            Message::End(_) => return Ok(()),
            Message::Failed(error) => return Err(error),
            _ => {}
        }
    }
}

pub(crate) fn write_input(state: &State, process: &str, data: &[u8]) -> Result<()> {
    let (pid, _) = parts(process)?;
    for chunk in data.chunks(INPUT) {
        let input = json!({ "input": { "stdin": STANDARD.encode(chunk) } });
        act(state, "SendInput", pid, input).map_err(|error| match error.code {
            Code::NotFound | Code::Invalid => error.with_code(Code::Conflict),
            _ => error,
        })?;
    }
    Ok(())
}

pub(crate) fn close_input(state: &State, process: &str) -> Result<()> {
    let (pid, _) = parts(process)?;
    ended_is_fine(act(state, "CloseStdin", pid, json!({})))
}
