//! Commands in a pod.
//!
//! The API server's `exec` knows neither variables, directories and time-outs nor a kill. So what
//! is started is a shell that reads one line: the command with all that belongs to it, marked in its
//! environment. Everything behind that line is the command's standard input. The command is ended
//! by another one that looks for the mark.
//!
//! Of the two protocols, only the newer one can close standard input; with the older one it is empty.

use super::NAME;
use super::cluster::{Cluster, Phase, phase, typed};
use super::manifest::Place;
use crate::inside::{self, GRACE, LEAD, NO_DIRECTORY};
use crate::pipe::at;
use bytes::Bytes;
use futures::{Sink, SinkExt, Stream, StreamExt};
use k8s_openapi::api::core::v1::Pod;
use kube::Resource;
use kube::api::AttachParams;
use kube::core::Status;
use kube::core::response::StatusSummary;
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use offshoot_boxed::boxed;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;
use tokio::time::Instant;
use tokio_tungstenite::tungstenite::{Error as Broken, Message};

/// Runs the line that it reads. A shell reads a line byte by byte, so what follows is left to the
/// command.
const RECEIVE: &str = "\
IFS= read -r offshoot_line || exit 125
offshoot_newline='
'
eval \"$offshoot_line\"";

/// The longest piece of input that is sent at once, as kubectl has it.
const PIECE: usize = 32 << 10;
/// How long output may still come when the status is there: the streams are not ordered.
const SETTLE: Duration = Duration::from_secs(5);
/// How long the API server may take to start a command.
const START: Duration = Duration::from_secs(60);

/// The streams of a command, by the first byte of each message.
mod channel {
    pub(super) const STDIN: u8 = 0;
    pub(super) const STDOUT: u8 = 1;
    pub(super) const STDERR: u8 = 2;
    pub(super) const STATUS: u8 = 3;
    /// Closes the stream that the next byte names.
    pub(super) const CLOSE: u8 = 255;
}

type Incoming = Pin<Box<dyn Stream<Item = std::result::Result<Message, Broken>> + Send>>;
type Outgoing = Pin<Box<dyn Sink<Message, Error = Broken> + Send>>;

/// The connection of a command.
struct Wire {
    incoming: Incoming,
    outgoing: Outgoing,
    closes_stdin: bool,
}

impl Wire {
    async fn open(
        cluster: &Cluster,
        place: &Place,
        words: &[&str],
        stdin: bool,
    ) -> std::result::Result<Wire, kube::Error> {
        let mut parameters = AttachParams::default()
            .stdin(stdin)
            .stdout(true)
            .stderr(true);
        parameters.container.clone_from(&place.container);
        let pods = kube::core::Request::new(Pod::url_path(&(), Some(&place.namespace)));
        let request = pods
            .exec(&place.pod, words.iter().copied(), &parameters)
            .map_err(kube::Error::BuildRequest)?;
        let connection = cluster.client.connect(request).await?;
        let closes_stdin = connection.supports_stream_close();
        let (outgoing, incoming) = connection.into_stream().split();
        Ok(Wire {
            incoming: Box::pin(incoming),
            outgoing: Box::pin(outgoing),
            closes_stdin,
        })
    }
}

/// A message on a stream.
fn message(channel: u8, bytes: &[u8]) -> Message {
    let mut message = Vec::with_capacity(bytes.len() + 1);
    message.push(channel);
    message.extend_from_slice(bytes);
    Message::Binary(message.into())
}

/// Writes to standard input.
async fn send(outgoing: &mut Outgoing, bytes: &[u8]) -> std::result::Result<(), Broken> {
    for piece in bytes.chunks(PIECE) {
        outgoing.feed(message(channel::STDIN, piece)).await?;
    }
    outgoing.flush().await
}

/// The line that [`RECEIVE`] reads.
fn line(exec: &Exec, cwd: &str, mark: &str, has_input: bool) -> Result<Vec<u8>> {
    let mut line = b"exec".to_vec();
    let words = inside::words(NAME, LEAD, exec, cwd, mark)?;
    let environment = inside::environment(exec, mark);
    let lead = std::iter::once("env".to_owned()).chain(environment);
    for word in lead.chain(words) {
        line.extend_from_slice(b" '");
        for byte in word.bytes() {
            match byte {
                b'\'' => line.extend_from_slice(br"'\''"),
                b'\n' => line.extend_from_slice(br#"'"$offshoot_newline"'"#),
                byte => line.push(byte),
            }
        }
        line.push(b'\'');
    }
    if !has_input {
        line.extend_from_slice(b" </dev/null");
    }
    line.push(b'\n');
    Ok(line)
}

/// A command in a pod that runs.
pub(super) struct Process {
    cluster: Cluster,
    place: Place,
    mark: String,
    incoming: Incoming,
    input: Option<Outgoing>,
    /// How it ended, and until when more output is awaited.
    status: Option<(Status, Instant)>,
    deadline: Option<Instant>,
    /// The time-out has passed; its caller waits until then.
    ending: Option<Instant>,
    missing_directory: bool,
    over: bool,
    ended: Arc<AtomicBool>,
    cwd: String,
    /// Whether the protocol can close standard input.
    pub(super) closes_stdin: bool,
}

impl Process {
    pub(super) async fn start(
        cluster: Cluster,
        place: Place,
        exec: &Exec,
        ended: Arc<AtomicBool>,
    ) -> Result<Process> {
        let mark = inside::mark();
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let cwd = exec.cwd.clone().unwrap_or_else(|| "/".to_owned());
        let has_input = exec.stdin != Stdin::Empty;
        let line = line(exec, &cwd, &mark, has_input)?;
        let started = async {
            let words = ["sh", "-c", RECEIVE];
            let mut wire = Wire::open(&cluster, &place, &words, true)
                .await
                .map_err(|error| unavailable(error, &ended))?;
            if has_input && !wire.closes_stdin {
                return Err(Error::unsupported(NAME, "exec", "standard input"));
            }
            send(&mut wire.outgoing, &line).await.map_err(|error| {
                let message = format!("the connection ended: {error}");
                Error::new(Code::Died, "exec", message).on(NAME)
            })?;
            Ok(wire)
        };
        let wire = match tokio::time::timeout(START, started).await {
            Ok(wire) => wire?,
            Err(_) => {
                let message = format!("no command was started in {} s", START.as_secs());
                return Err(Error::new(Code::Died, "exec", message).on(NAME));
            }
        };
        Ok(Process {
            cluster,
            place,
            mark,
            incoming: wire.incoming,
            input: has_input.then_some(wire.outgoing),
            status: None,
            deadline,
            ending: None,
            missing_directory: false,
            over: false,
            ended,
            cwd,
            closes_stdin: wire.closes_stdin,
        })
    }

    /// What everything that belongs to it is found by.
    pub(super) fn mark(&self) -> &str {
        &self.mark
    }

    /// Gives these bytes as standard input, in the background.
    pub(super) fn feed(&mut self, bytes: Vec<u8>) {
        if let Some(mut input) = self.input.take() {
            tokio::spawn(async move {
                // A command need not read its input.
                let _ = send(&mut input, &bytes).await;
                close(&mut input).await;
            });
        }
    }

    /// Takes in one message, and gives the event that it is.
    fn take(&mut self, bytes: &Bytes) -> Result<Option<Event>> {
        let Some(channel) = bytes.first() else {
            return Ok(None);
        };
        let rest = bytes.slice(1..);
        match *channel {
            // The first message is an empty one.
            channel::STDOUT | channel::STDERR if rest.is_empty() => Ok(None),
            channel::STDOUT => Ok(Some(Event::Stdout(rest))),
            channel::STDERR => {
                self.missing_directory |= rest == self.mark.as_bytes();
                Ok(Some(Event::Stderr(rest)))
            }
            channel::STATUS if !rest.is_empty() => {
                let status = serde_json::from_slice(&rest).map_err(|error| {
                    let message = format!("the status cannot be read: {error}");
                    Error::new(Code::Corrupt, "exec", message).on(NAME)
                })?;
                self.status = Some((status, Instant::now() + SETTLE));
                Ok(None)
            }
            _ => Ok(None),
        }
    }

    /// How it ended. Nothing is lost when the future is dropped.
    async fn exit(&mut self) -> Result<Option<Event>> {
        let found = self.settle().await;
        self.over = true;
        found.map(|code| Some(Event::Exit(code)))
    }

    async fn settle(&mut self) -> Result<u8> {
        if self.ending.is_some() {
            return Ok(TIMED_OUT);
        }
        let died = |message: String| Error::new(Code::Died, "exec", message).on(NAME);
        if self.ended.load(Ordering::Acquire) {
            let message = "the sandbox was cleaned up during the call";
            return Err(died(message.to_owned()));
        }
        let Some((status, _)) = &self.status else {
            let why = self.fate().await;
            // Where only the connection is lost, the command would go on.
            self.end("KILL", false);
            let lost = || "the connection ended during the call".to_owned();
            return Err(died(why.unwrap_or_else(lost)));
        };
        let Some(code) = exit_code(status) else {
            return Err(died(format!("the command cannot run: {}", status.message)));
        };
        if code == NO_DIRECTORY && self.missing_directory {
            let message = format!("{}: no such directory", self.cwd);
            return Err(Error::new(Code::NotFound, "exec", message).on(NAME));
        }
        // By a signal of its own, or with the whole pod?
        if code == 137
            && let Some(why) = self.fate().await
        {
            return Err(died(why));
        }
        Ok(code)
    }

    /// What became of the pod; nothing where it runs.
    async fn fate(&mut self) -> Option<String> {
        let found = match self.cluster.pod("exec", &self.place).await {
            Ok(pod) => phase(pod.as_ref(), self.place.container.as_deref()),
            Err(error) => return Some(error.message().to_owned()),
        };
        match found {
            Phase::Running | Phase::Pending(_) => None,
            Phase::Missing | Phase::Ending => Some("the pod ended during the call".to_owned()),
            Phase::Failed(why) => Some(format!("the pod ended during the call: {why}")),
        }
    }

    fn end(&self, signal: &'static str, insist: bool) {
        let (cluster, place) = (self.cluster.clone(), self.place.clone());
        let mark = self.mark.clone();
        if let Ok(runtime) = tokio::runtime::Handle::try_current() {
            runtime.spawn(async move {
                // It may have ended already, and the pod with it.
                let _ = end(&cluster, &place, &mark, signal, insist).await;
            });
        }
    }
}

/// The status of a command that ran.
fn exit_code(status: &Status) -> Option<u8> {
    if matches!(status.status, Some(StatusSummary::Success)) {
        return Some(0);
    }
    if status.reason != "NonZeroExitCode" {
        return None;
    }
    let details = status.details.as_ref()?;
    let cause = details
        .causes
        .iter()
        .find(|cause| cause.reason == "ExitCode")?;
    let code: i64 = cause.message.parse().ok()?;
    Some(u8::try_from(code & 0xff).unwrap_or(u8::MAX))
}

/// A refusal before the command ran.
fn unavailable(error: kube::Error, ended: &AtomicBool) -> Error {
    if ended.load(Ordering::Acquire) {
        return Error::ended("exec").on(NAME);
    }
    let error = typed("exec", error);
    match error.code() {
        Code::PolicyDenied | Code::SandboxUnavailable => error,
        Code::NotFound | Code::Invalid => {
            let message = format!("the pod sleeps, or is gone: {}", error.message());
            Error::new(Code::SandboxUnavailable, "exec", message).on(NAME)
        }
        _ => {
            let message = error.message().to_owned();
            let error = Error::new(Code::SandboxUnavailable, "exec", message).on(NAME);
            error.with_retryable(true)
        }
    }
}

/// Sends a signal to a marked command.
pub(super) async fn end(
    cluster: &Cluster,
    place: &Place,
    mark: &str,
    signal: &str,
    insist: bool,
) -> std::result::Result<(), kube::Error> {
    let words = inside::end(mark, signal, insist);
    let mut wire = Wire::open(cluster, place, &words, false).await?;
    while let Some(Ok(_)) = wire.incoming.next().await {}
    Ok(())
}

/// Closes standard input.
async fn close(input: &mut Outgoing) {
    // It may have ended already.
    let _ = input.send(message(channel::CLOSE, &[channel::STDIN])).await;
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if self.over {
                return Ok(None);
            }
            let settled = self.status.as_ref().map(|(_, until)| *until);
            let until = settled.or(self.ending).or(self.deadline);
            tokio::select! {
                biased;
                received = self.incoming.next() => match received {
                    Some(Ok(Message::Binary(bytes))) => match self.take(&bytes) {
                        Ok(None) => {}
                        event => return event,
                    },
                    Some(Ok(Message::Close(_)) | Err(_)) | None => return self.exit().await,
                    Some(Ok(_)) => {}
                },
                () = at(until), if until.is_some() => {
                    if settled.is_some() || self.ending.is_some() {
                        return self.exit().await;
                    }
                    self.end("TERM", true);
                    self.ending = Some(Instant::now() + GRACE);
                }
            }
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let input = self.input.take()?;
        Some(Box::new(Piped(Some(input))))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        let name = inside::signal_name(NAME, signal)?;
        self.end(name, false);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if !self.over {
            self.end("KILL", false);
        }
    }
}

/// Standard input over the connection; dropping it is the end of the input.
struct Piped(Option<Outgoing>);

#[boxed]
impl Input for Piped {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        let closed = || Error::new(Code::Conflict, "write", "the command reads no more").on(NAME);
        let outgoing = self.0.as_mut().ok_or_else(closed)?;
        send(outgoing, bytes).await.map_err(|_| closed())
    }
}

impl Drop for Piped {
    fn drop(&mut self) {
        if let Some(mut input) = self.0.take()
            && let Ok(runtime) = tokio::runtime::Handle::try_current()
        {
            runtime.spawn(async move { close(&mut input).await });
        }
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn a_status_has_its_code() {
        let of = |text: &str| exit_code(&serde_json::from_str(text).unwrap());
        assert_eq!(of(r#"{"metadata":{},"status":"Success"}"#), Some(0));
        let failed = r#"{"metadata":{},"status":"Failure","reason":"NonZeroExitCode",
            "message":"command terminated with exit code 7",
            "details":{"causes":[{"reason":"ExitCode","message":"7"}]}}"#;
        assert_eq!(of(failed), Some(7));
        let refused = r#"{"metadata":{},"status":"Failure","reason":"InternalError",
            "message":"no such container","code":500}"#;
        assert_eq!(of(refused), None);
    }

    #[test]
    fn a_line_is_one_line_and_holds_every_byte() {
        let exec = Exec::new("printf '%s' \"$1\"\necho $A").arguments(["it's\n\n$(id)"]);
        let exec = exec.env("A", "two\nlines'");
        let line = line(&exec, "/", "mark", false).unwrap();
        assert_eq!(line.iter().filter(|byte| **byte == b'\n').count(), 1);
        let child = std::process::Command::new("sh")
            .args(["-c", RECEIVE])
            .stdin(std::process::Stdio::piped())
            .stdout(std::process::Stdio::piped())
            .spawn();
        let mut child = child.unwrap();
        std::io::Write::write_all(&mut child.stdin.take().unwrap(), &line).unwrap();
        let output = child.wait_with_output().unwrap();
        let shown = String::from_utf8(output.stdout).unwrap();
        assert_eq!(shown, "it's\n\n$(id)two lines'\n");
    }
}
