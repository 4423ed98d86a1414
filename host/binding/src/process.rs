//! A command that runs, with its streams apart.

use bytes::Bytes;
use offshoot::backend::{Code, Error, Event, Input, Result, Running, Signal};
use std::fmt;
use tokio::runtime::Handle;
use tokio::sync::{Mutex, mpsc, oneshot, watch};

/// How many pieces of one output wait for their reader before the command does.
const WAITING: usize = 64;

/// A running command. Dropping it kills what it started.
///
/// A slow reader slows the command down: read both outputs.
pub struct Process {
    input: Mutex<Option<Box<dyn Input>>>,
    stdout: Mutex<mpsc::Receiver<Bytes>>,
    stderr: Mutex<mpsc::Receiver<Bytes>>,
    orders: mpsc::UnboundedSender<Order>,
    end: watch::Receiver<Option<Result<u8>>>,
    backend: String,
    runtime: Handle,
}

/// A signal to send, and who hears what came of it.
type Order = (Signal, oneshot::Sender<Result<()>>);

impl fmt::Debug for Process {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Process")
            .field("backend", &self.backend)
            .finish_non_exhaustive()
    }
}

impl Process {
    /// Must be called on a runtime.
    pub(crate) fn new(mut running: Box<dyn Running>, backend: String) -> Process {
        let input = Mutex::new(running.take_input());
        let (out, stdout) = mpsc::channel(WAITING);
        let (err, stderr) = mpsc::channel(WAITING);
        let (orders, ordered) = mpsc::unbounded_channel();
        let (ended, end) = watch::channel(None);
        tokio::spawn(async move {
            let streams = Streams { out, err };
            if let Some(came) = drive(running, &streams, ordered).await {
                // Nobody may be left who waits.
                let _ = ended.send(Some(came));
            }
        });
        Process {
            input,
            stdout: Mutex::new(stdout),
            stderr: Mutex::new(stderr),
            orders,
            end,
            backend,
            runtime: Handle::current(),
        }
    }

    /// The next piece of standard output, or nothing at its end.
    pub async fn read_stdout(&self) -> Option<Bytes> {
        self.stdout.lock().await.recv().await
    }

    /// The next piece of standard error, or nothing at its end.
    pub async fn read_stderr(&self) -> Option<Bytes> {
        self.stderr.lock().await.recv().await
    }

    /// Writes to standard input; waits while the command does not read.
    ///
    /// # Errors
    /// `CONFLICT` where the input is closed, or the command reads no more.
    pub async fn write(&self, bytes: &[u8]) -> Result<()> {
        match self.input.lock().await.as_mut() {
            Some(input) => input.write(bytes).await,
            None => Err(self.error(Code::Conflict, "write", "standard input is closed")),
        }
    }

    /// Ends standard input.
    pub async fn close_stdin(&self) {
        self.input.lock().await.take();
    }

    /// Sends a signal by its POSIX number; one that has ended hears nothing.
    ///
    /// # Errors
    /// `CAPABILITY` for a signal that the backend cannot send.
    pub async fn signal(&self, number: u8) -> Result<()> {
        let known = [Signal::Interrupt, Signal::Terminate, Signal::Kill];
        let signal = known.into_iter().find(|signal| signal.number() == number);
        let Some(signal) = signal else {
            let what = format!("the signal {number}");
            return Err(Error::unsupported(self.backend.clone(), "signal", &what));
        };
        let (answer, answered) = oneshot::channel();
        if self.orders.send((signal, answer)).is_err() {
            return Ok(());
        }
        answered.await.unwrap_or(Ok(()))
    }

    /// Waits for the end; the status.
    ///
    /// # Errors
    /// `LIMIT` where a limit ended it, `DIED` where the sandbox or its provider did.
    pub async fn wait(&self) -> Result<u8> {
        let mut end = self.end.clone();
        let came = end.wait_for(Option::is_some).await;
        let came = came.ok().and_then(|came| came.clone());
        came.unwrap_or_else(|| Err(self.error(Code::Died, "wait", "it was given up")))
    }

    fn error(&self, code: Code, operation: &'static str, message: &str) -> Error {
        Error::new(code, operation, message).on(self.backend.clone())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        // The end of an input may need the runtime.
        let _runtime = self.runtime.enter();
        self.input.get_mut().take();
    }
}

/// Where output goes.
struct Streams {
    out: mpsc::Sender<Bytes>,
    err: mpsc::Sender<Bytes>,
}

/// Carries events to their readers and orders to the command, until it has ended; nothing where its holder let it go.
async fn drive(
    mut running: Box<dyn Running>,
    streams: &Streams,
    mut ordered: mpsc::UnboundedReceiver<Order>,
) -> Option<Result<u8>> {
    let mut carried = None;
    loop {
        let order = tokio::select! {
            order = ordered.recv() => order,
            step = step(running.as_mut(), streams, &mut carried) => match step {
                Some(came) => return Some(came),
                None => continue,
            },
        };
        let (signal, answer) = order?;
        let sent = running.signal(signal).await;
        // Who asked may have gone.
        let _ = answer.send(sent);
    }
}

/// Hands on what is carried, or takes the next event; the end where it came. Dropping it loses nothing.
async fn step<'a>(
    running: &mut dyn Running,
    streams: &'a Streams,
    carried: &mut Option<(&'a mpsc::Sender<Bytes>, Bytes)>,
) -> Option<Result<u8>> {
    if let Some((to, _)) = carried {
        // Who reads no more loses what comes.
        let place = to.reserve().await;
        if let (Ok(place), Some((_, bytes))) = (place, carried.take()) {
            place.send(bytes);
        }
        return None;
    }
    match running.next().await {
        Ok(Some(Event::Stdout(bytes))) => *carried = Some((&streams.out, bytes)),
        Ok(Some(Event::Stderr(bytes))) => *carried = Some((&streams.err, bytes)),
        Ok(Some(Event::Exit(status))) => return Some(Ok(status)),
        Ok(Some(_)) => {}
        Ok(None) => {
            let message = "it ended without an exit status";
            return Some(Err(Error::new(Code::Died, "wait", message)));
        }
        Err(error) => return Some(Err(error)),
    }
    None
}
