//! A command behind a connector: a task reads what it does, other instances act upon it.

use std::future::Future;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use offshoot_backend::{Code, Error, Event, Input, Result, Running, Signal, Stdin, TIMED_OUT};
use offshoot_boxed::boxed;
use tokio::runtime::Handle;
use tokio::sync::mpsc;
use tokio::task::AbortHandle;
use tokio::time::{Instant, sleep_until, timeout};
use wasmtime::component::ResourceAny;

use crate::bindings::wit;
use crate::connector::Inner;
use crate::convert;
use crate::environment::KILL;
use crate::instance::{Instance, Place, call};

/// Events that wait for the reader; more slow the command down.
const WAITING: usize = 4;
/// Bytes of input that one call carries.
const INPUT: usize = 256 << 10;

/// What a command is a command of.
#[derive(Clone)]
pub(crate) struct Target {
    connector: Arc<Inner>,
    state: Arc<str>,
}

impl Target {
    pub(crate) fn new(connector: &Arc<Inner>, state: Arc<str>) -> Target {
        Target {
            connector: Arc::clone(connector),
            state,
        }
    }

    async fn signal(&self, process: &str, signal: wit::SignalName) -> Result<()> {
        let instances = &self.connector.instances;
        call!(
            instances,
            "signal",
            call_signal(&self.state, process, signal)
        )
    }

    async fn write(&self, process: &str, bytes: &[u8]) -> Result<()> {
        let instances = &self.connector.instances;
        for piece in bytes.chunks(INPUT) {
            call!(
                instances,
                "write_input",
                call_write_input(&self.state, process, piece)
            )?;
        }
        Ok(())
    }

    async fn close(&self, process: &str) -> Result<()> {
        let instances = &self.connector.instances;
        call!(
            instances,
            "close_input",
            call_close_input(&self.state, process)
        )
    }

    fn on(&self, error: Error) -> Error {
        error.on(self.connector.name.clone())
    }
}

/// A running command.
pub(crate) struct Process {
    target: Target,
    /// What the component knows it by.
    id: Arc<str>,
    events: mpsc::Receiver<Result<wit::Event>>,
    pump: AbortHandle,
    input: Option<Box<dyn Input>>,
    deadline: Instant,
    /// Whether the deadline is the caller's, and not the limit of all commands.
    asked: bool,
    over: bool,
    ended: bool,
    timed_out: bool,
    runtime: Handle,
}

impl Process {
    /// Starts a command, and feeds it where its input is known. Who gives up meanwhile has ended it: its process
    /// is dropped as soon as it is there.
    pub(crate) async fn start(
        target: Target,
        command: wit::Command,
        stdin: Stdin,
        time: Option<Duration>,
    ) -> Result<Process> {
        let name = target.connector.name.clone();
        let started = tokio::spawn(Process::launch(target, command, stdin, time)).await;
        started.unwrap_or_else(|error| {
            let message = format!("the command was not started: {error}");
            Err(Error::new(Code::Died, "spawn", message).on(name))
        })
    }

    async fn launch(
        target: Target,
        mut command: wit::Command,
        stdin: Stdin,
        time: Option<Duration>,
    ) -> Result<Process> {
        let instances = &target.connector.instances;
        let most = Duration::from_millis(instances.limits().command_ms);
        let deadline = Instant::now() + time.unwrap_or(most).min(most);
        if matches!(stdin, Stdin::Empty) {
            command.input = wit::Input::Empty;
        }
        let place = instances.place().await?;
        let mut instance = instances.take("spawn").await?;
        let begun = instances
            .drive(
                begin(&target, &mut instance, &command),
                Some(instances.call_time()),
            )
            .await;
        let (handle, id) = match instances.settle("spawn", &mut instance, begun)? {
            Ok(begun) => begun,
            Err(error) => {
                instances.park(instance);
                return Err(instances.on(convert::error(error, "spawn")));
            }
        };
        let id: Arc<str> = convert::plain(&id).into();
        let (sender, events) = mpsc::channel(WAITING);
        let reading = pump(target.clone(), instance, handle, sender, place);
        let mut process = Process {
            id,
            events,
            pump: tokio::spawn(reading).abort_handle(),
            input: None,
            deadline,
            asked: time.is_some_and(|time| time <= most),
            over: false,
            ended: false,
            timed_out: false,
            runtime: Handle::current(),
            target,
        };
        process.feed(stdin);
        Ok(process)
    }

    fn feed(&mut self, stdin: Stdin) {
        let input = Pipe {
            target: self.target.clone(),
            id: Arc::clone(&self.id),
            runtime: self.runtime.clone(),
        };
        match stdin {
            Stdin::Empty => {}
            Stdin::Piped => self.input = Some(Box::new(input)),
            Stdin::Bytes(bytes) => {
                // A command that does not read all of it is no fault.
                self.runtime.spawn(async move {
                    let mut input = input;
                    let _ = input.write(&bytes).await;
                });
            }
        }
    }

    /// Whether a time-out ended it.
    pub(crate) fn timed_out(&self) -> bool {
        self.timed_out
    }

    /// Kills the command without waiting for that; the answer comes in the handle.
    fn kill(&self) -> tokio::task::JoinHandle<Result<()>> {
        let (target, id) = (self.target.clone(), Arc::clone(&self.id));
        self.runtime
            .spawn(async move { target.signal(&id, wit::SignalName::Kill).await })
    }

    /// Ends it because its time is over.
    async fn time_over(&mut self) -> Result<Option<Event>> {
        if !self.over {
            self.over = true;
            let kill = self.kill();
            let _ = timeout(KILL, kill).await;
        }
        self.ended = true;
        self.pump.abort();
        if self.asked {
            self.timed_out = true;
            return Ok(Some(Event::Exit(TIMED_OUT)));
        }
        let message = "limit reached: the time that a command may take";
        Err(self.target.on(Error::new(Code::Limit, "exec", message)))
    }

    fn told(&mut self, event: Option<Result<wit::Event>>) -> Result<Option<Event>> {
        let event = match event {
            Some(Ok(event)) => event,
            Some(Err(error)) => {
                self.ended = true;
                return Err(self.target.on(error));
            }
            None => {
                self.ended = true;
                let message = "the command ended without an exit status";
                return Err(self.target.on(Error::new(Code::Died, "exec", message)));
            }
        };
        Ok(Some(match event {
            wit::Event::Stdout(bytes) => Event::Stdout(Bytes::from(bytes)),
            wit::Event::Stderr(bytes) => Event::Stderr(Bytes::from(bytes)),
            wit::Event::Exit(code) => {
                self.ended = true;
                Event::Exit(code)
            }
            wit::Event::TimedOut => {
                self.ended = true;
                self.timed_out = true;
                Event::Exit(TIMED_OUT)
            }
        }))
    }
}

/// Starts the command on its instance.
async fn begin(
    target: &Target,
    instance: &mut Instance,
    command: &wit::Command,
) -> wasmtime::Result<std::result::Result<(ResourceAny, String), wit::Error>> {
    let (store, backend) = instance.split();
    let handle = match backend
        .call_spawn(&mut *store, &target.state, command)
        .await?
    {
        Ok(handle) => handle,
        Err(error) => return Ok(Err(error)),
    };
    let id = backend.process().call_id(&mut *store, handle).await?;
    Ok(Ok((handle, id)))
}

/// Reads what the command does until it ends or nobody listens.
async fn pump(
    target: Target,
    mut instance: Instance,
    handle: ResourceAny,
    sender: mpsc::Sender<Result<wit::Event>>,
    _place: Place,
) {
    let instances = &target.connector.instances;
    loop {
        instance.begin();
        let (store, backend) = instance.split();
        let process = backend.process();
        let next = instances
            .drive(process.call_next(store, handle), None)
            .await;
        let event = match instances.settle("exec", &mut instance, next) {
            Ok(Ok(Some(event))) => Ok(event),
            Ok(Ok(None)) => break,
            Ok(Err(error)) => Err(convert::error(error, "exec")),
            Err(error) => {
                // The instance is of no use any more.
                let _ = sender.send(Err(error)).await;
                return;
            }
        };
        let last = !matches!(event, Ok(wit::Event::Stdout(_) | wit::Event::Stderr(_)));
        if sender.send(event).await.is_err() || last {
            break;
        }
    }
    instance.begin();
    let dropped = async {
        handle.resource_drop_async(&mut instance.store).await?;
        Ok(Ok(()))
    };
    let dropped = instances.drive(dropped, Some(instances.call_time())).await;
    if instances.settle("exec", &mut instance, dropped).is_ok() {
        instances.park(instance);
    }
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        if self.ended {
            return Ok(None);
        }
        if self.over {
            return self.time_over().await;
        }
        tokio::select! {
            biased;
            event = self.events.recv() => self.told(event),
            () = sleep_until(self.deadline) => self.time_over().await,
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        self.input.take()
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        let Some(name) = convert::signal(signal) else {
            let what = "this signal";
            let backend = self.target.connector.name.clone();
            return Err(Error::unsupported(backend, "signal", what));
        };
        self.target.signal(&self.id, name).await
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        self.pump.abort();
        if !self.ended {
            drop(self.kill());
        }
    }
}

/// The writing end of a command's input.
struct Pipe {
    target: Target,
    id: Arc<str>,
    runtime: Handle,
}

#[boxed]
impl Input for Pipe {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        self.target.write(&self.id, bytes).await
    }
}

impl Drop for Pipe {
    fn drop(&mut self) {
        let (target, id) = (self.target.clone(), Arc::clone(&self.id));
        // A command that ended has no input to close.
        let close: std::pin::Pin<Box<dyn Future<Output = ()> + Send>> = Box::pin(async move {
            let _ = target.close(&id).await;
        });
        drop(self.runtime.spawn(close));
    }
}
