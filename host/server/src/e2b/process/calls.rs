//! The service `process.Process`.

use super::super::access::Call;
use super::super::connect::{self, Messages};
use super::super::endpoint::Endpoint;
use super::super::entry::{Awake, Entry};
use super::super::failure::{Code, Failure, Result};
use super::super::files::{Account, resolve};
use super::super::messages::process::{
    CloseStdinRequest, CloseStdinResponse, ConnectRequest, ConnectResponse, Event, Given,
    KeepAlive, ListRequest, ListResponse, ProcessConfig, ProcessEvent, ProcessInput,
    ProcessSelector, SendInputRequest, SendInputResponse, SendSignalRequest, SendSignalResponse,
    Signal, StartEvent, StartRequest, StartResponse, StreamInputRequest, StreamInputResponse,
    Streamed, UpdateRequest, UpdateResponse,
};
use super::super::share::Charge;
use super::{Input, Item, Process, command, running, terminal};
use crate::web::{Request, Response};
use bytes::Bytes;
use futures::stream::{self, Stream};
use offshoot::{Exec, Stdin};
use offshoot_vfs::Caller;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;
use tokio::time::{Instant, Interval, MissedTickBehavior};

/// What is typed at once at a terminal, in bytes; between two pieces it can be killed.
const TYPED_AT_ONCE: usize = 4 << 10;

/// Pieces that wait until a terminal reads; beyond them the client waits.
const TYPED: usize = 16;

/// Files of the user's that a login shell reads.
const PROFILES: [&str; 3] = [".bash_profile", ".bash_login", ".profile"];

/// Serves the method `name`.
pub(in super::super) async fn serve(at: Endpoint, name: &str, request: Request) -> Response {
    match name {
        "List" => connect::unary(at, request, list).await,
        "Start" => connect::server_stream(at, request, start).await,
        "Connect" => connect::server_stream(at, request, attach).await,
        "Update" => connect::unary(at, request, update).await,
        "StreamInput" => connect::client_stream(at, request, stream_input).await,
        "SendInput" => connect::unary(at, request, send_input).await,
        "SendSignal" => connect::unary(at, request, send_signal).await,
        "CloseStdin" => connect::unary(at, request, close_stdin).await,
        _ => connect::unknown(name),
    }
}

async fn list(call: Call, _: ListRequest) -> Result<ListResponse> {
    let awake = call.endpoint.enter(&call.entry).await?;
    Ok(ListResponse {
        processes: awake.processes.list(),
    })
}

async fn start(
    call: Call,
    request: StartRequest,
) -> Result<impl Stream<Item = Result<StartResponse>> + use<>> {
    let missing = || Failure::invalid("no process is described");
    let config = request.process.ok_or_else(missing)?;
    let charge = call.entry.share.stream()?;
    let awake = call.endpoint.enter(&call.entry).await?;
    let exec = prepare(&call.entry, call.username.as_deref(), (&*awake, &config))?;
    let processes = Arc::clone(&awake.processes);
    let (process, heard) = if let Some(pty) = request.pty {
        let size = pty.size.unwrap_or_default();
        let exec = exec
            .env("COLUMNS", size.cols.to_string())
            .env("LINES", size.rows.to_string());
        let shell = awake.sandbox().terminal(exec)?;
        let (input, typed) = mpsc::channel(TYPED);
        let (process, orders, heard) =
            processes.insert(config, request.tag, Input::Terminal(input));
        let driver = terminal::drive(
            processes,
            Arc::clone(&process),
            shell,
            (orders, typed),
            call.timeout,
        );
        tokio::spawn(driver);
        (process, heard)
    } else {
        // Clients that do not say mean that there is input.
        let exec = match request.stdin.unwrap_or(true) {
            true => exec.stdin(Stdin::Piped),
            false => exec,
        };
        let mut execution = awake.sandbox().spawn(exec)?;
        let input = execution.take_stdin().map_or(Input::Closed, Input::Pipe);
        let (process, orders, heard) = processes.insert(config, request.tag, input);
        let driver = running::drive(
            processes,
            Arc::clone(&process),
            execution,
            orders,
            call.timeout,
        );
        tokio::spawn(driver);
        (process, heard)
    };
    // The command's own end tells the client that the time is over.
    let events = events(process.pid, (heard, charge), call.keepalive, None);
    Ok(map(events, |event| StartResponse { event: Some(event) }))
}

/// Starts what the template has run in a sandbox that wakes; its output is for whoever connects to it.
pub(in super::super) fn launch(entry: &Entry, awake: &Awake) -> Result<()> {
    let start = entry.record().start;
    let Some(start) = start.filter(|start| !start.command.is_empty()) else {
        return Ok(());
    };
    let config = ProcessConfig {
        cmd: "/bin/bash".to_owned(),
        args: ["-l", "-c", &start.command].map(str::to_owned).into(),
        ..ProcessConfig::default()
    };
    let exec = prepare(entry, None, (awake, &config))?;
    let execution = awake.sandbox().spawn(exec)?;
    let processes = Arc::clone(&awake.processes);
    let tag = Some("start".to_owned());
    // Who listens comes later, or never.
    let (process, orders, _) = processes.insert(config, tag, Input::Closed);
    tokio::spawn(running::drive(processes, process, execution, orders, None));
    Ok(())
}

/// What is executed, with the directory and variables of the sandbox.
fn prepare(
    entry: &Entry,
    username: Option<&str>,
    (awake, config): (&Awake, &ProcessConfig),
) -> Result<Exec> {
    let sandbox = awake.sandbox();
    let account = Account::find(sandbox, username)?;
    if account.uid != sandbox.caller().uid {
        let message = format!("commands cannot be run as {:?}", account.name);
        return Err(Failure::new(Code::Unimplemented, message));
    }
    let vfs = sandbox.vfs();
    let is_there = |path: &str| {
        let found = vfs.stat(&Caller::ROOT, vfs.root(), path.as_bytes(), true);
        found.is_ok()
    };
    let home = &account.home;
    let has_profile = PROFILES
        .iter()
        .any(|name| is_there(&format!("{home}/{name}")));
    let record = entry.record();
    let usual = record.start.as_ref().map(|start| start.directory.as_str());
    let directory = config.cwd.as_deref().filter(|path| !path.is_empty());
    let directory = resolve(sandbox, home, directory.or(usual).unwrap_or_default());
    if !is_there(&directory) {
        let message = format!("cwd '{directory}' does not exist");
        return Err(Failure::invalid(message));
    }
    let variables = record
        .envs
        .iter()
        .filter(|(name, _)| !config.envs.contains_key(*name));
    let exec = variables.fold(
        command::execution(config, has_profile),
        |exec, (name, value)| exec.env(name, value),
    );
    Ok(exec
        .env("E2B_SANDBOX", "true")
        .env("E2B_SANDBOX_ID", &entry.id)
        .env("E2B_TEMPLATE_ID", record.template)
        .cwd(directory))
}

async fn attach(
    call: Call,
    request: ConnectRequest,
) -> Result<impl Stream<Item = Result<ConnectResponse>> + use<>> {
    let charge = call.entry.share.stream()?;
    let process = find(&call, request.process).await?;
    let ended = || Failure::new(Code::NotFound, format!("process {} has ended", process.pid));
    let heard = process.listen().ok_or_else(ended)?;
    let events = events(process.pid, (heard, charge), call.keepalive, call.timeout);
    Ok(map(events, |event| ConnectResponse { event: Some(event) }))
}

/// The size of a terminal is not known inside, so there is nothing to change.
async fn update(call: Call, request: UpdateRequest) -> Result<UpdateResponse> {
    find(&call, request.process).await?;
    Ok(UpdateResponse {})
}

async fn stream_input(
    call: Call,
    mut messages: Messages<StreamInputRequest>,
) -> Result<StreamInputResponse> {
    let _charge = call.entry.share.stream()?;
    let mut process = None;
    while let Some(message) = messages.next().await? {
        match message.event {
            Some(Streamed::Start(start)) => process = Some(find(&call, start.process).await?),
            Some(Streamed::Data(data)) => {
                let unknown = || Failure::invalid("the first message must select a process");
                process
                    .as_ref()
                    .ok_or_else(unknown)?
                    .feed(data.input)
                    .await?;
            }
            Some(Streamed::Keepalive(_)) | None => {}
        }
    }
    Ok(StreamInputResponse {})
}

async fn send_input(call: Call, request: SendInputRequest) -> Result<SendInputResponse> {
    let process = find(&call, request.process).await?;
    let length = request.input.as_ref().map_or(0, ProcessInput::length);
    let _charge = call.entry.share.bytes(length)?;
    process.feed(request.input).await?;
    Ok(SendInputResponse {})
}

async fn send_signal(call: Call, request: SendSignalRequest) -> Result<SendSignalResponse> {
    let signal = request.signal();
    let process = find(&call, request.process).await?;
    match signal {
        Signal::Kill => process.kill(),
        Signal::Terminate => process.signal(15)?,
        Signal::Unspecified => return Err(Failure::invalid("no signal is named")),
    }
    Ok(SendSignalResponse {})
}

async fn close_stdin(call: Call, request: CloseStdinRequest) -> Result<CloseStdinResponse> {
    let process = find(&call, request.process).await?;
    let mut input = process.input.lock().await;
    if matches!(*input, Input::Terminal(_)) {
        let message = "the input of a terminal cannot be closed; send Ctrl-D instead";
        return Err(Failure::new(Code::Conflict, message));
    }
    *input = Input::Closed;
    Ok(CloseStdinResponse {})
}

/// A process by what the client says of it. It does not keep the sandbox awake.
async fn find(call: &Call, selector: Option<ProcessSelector>) -> Result<Arc<Process>> {
    let awake = call.endpoint.enter(&call.entry).await?;
    awake.processes.find(selector)
}

impl ProcessInput {
    fn length(&self) -> u64 {
        match &self.input {
            Some(Given::Stdin(bytes) | Given::Pty(bytes)) => bytes.len() as u64,
            None => 0,
        }
    }
}

impl Process {
    /// Gives it input; waits while it does not read.
    async fn feed(&self, given: Option<ProcessInput>) -> Result<()> {
        let refuse = |message: &str| Err(Failure::new(Code::Conflict, message));
        let mut input = self.input.lock().await;
        match (&mut *input, given.and_then(|given| given.input)) {
            (_, None) => Err(Failure::invalid("there is no input")),
            (Input::Closed, Some(_)) => refuse("standard input is closed"),
            (Input::Pipe(writer), Some(Given::Stdin(bytes))) => {
                let broken = |error: offshoot_vfs::Error| {
                    Failure::new(Code::Conflict, format!("standard input: {error}"))
                };
                writer.write(&bytes).await.map_err(broken)
            }
            (Input::Terminal(typed), Some(Given::Pty(bytes))) => {
                let mut rest: Bytes = bytes;
                while !rest.is_empty() {
                    let piece = rest.split_to(rest.len().min(TYPED_AT_ONCE));
                    if typed.send(piece).await.is_err() {
                        return refuse("the terminal has ended");
                    }
                }
                Ok(())
            }
            (Input::Pipe(_), Some(_)) => refuse("the process has no terminal"),
            (Input::Terminal(_), Some(_)) => {
                refuse("the process has a terminal and no other input")
            }
        }
    }
}

/// Where a stream of events is.
struct Events {
    first: Option<Event>,
    heard: mpsc::Receiver<Item>,
    keepalive: Interval,
    end: Option<Instant>,
    over: bool,
    _charge: Charge,
}

/// The start, what is heard, signs of life in between, and nothing behind the end.
fn events(
    pid: u32,
    (heard, charge): (mpsc::Receiver<Item>, Charge),
    keepalive: Duration,
    timeout: Option<Duration>,
) -> impl Stream<Item = Item> + use<> {
    let mut keepalive = tokio::time::interval_at(Instant::now() + keepalive, keepalive);
    keepalive.set_missed_tick_behavior(MissedTickBehavior::Delay);
    let events = Events {
        first: Some(Event::Start(StartEvent { pid })),
        heard,
        keepalive,
        end: timeout.map(|timeout| Instant::now() + timeout),
        over: false,
        _charge: charge,
    };
    stream::unfold(events, |mut events| async move {
        let item = events.next().await?;
        Some((item, events))
    })
}

impl Events {
    async fn next(&mut self) -> Option<Item> {
        if self.over {
            return None;
        }
        if let Some(first) = self.first.take() {
            return Some(Ok(first));
        }
        let end = self.end;
        let item = tokio::select! {
            biased;
            item = self.heard.recv() => item.unwrap_or_else(|| {
                Err(Failure::new(Code::Unavailable, "the process is gone"))
            }),
            () = at(end) => {
                Err(Failure::new(Code::DeadlineExceeded, "the time given is over"))
            }
            _ = self.keepalive.tick() => Ok(Event::Keepalive(KeepAlive {})),
        };
        self.over = matches!(item, Err(_) | Ok(Event::End(_)));
        Some(item)
    }
}

async fn at(end: Option<Instant>) {
    match end {
        Some(end) => tokio::time::sleep_until(end).await,
        None => std::future::pending().await,
    }
}

/// Puts events into the answers of a call.
fn map<R>(
    events: impl Stream<Item = Item>,
    answer: fn(ProcessEvent) -> R,
) -> impl Stream<Item = Result<R>> {
    use futures::StreamExt;
    events.map(move |item| item.map(|event| answer(ProcessEvent { event: Some(event) })))
}
