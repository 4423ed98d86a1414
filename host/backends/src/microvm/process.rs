//! Commands in a machine, as their caller sees them.

use super::NAME;
use super::channel::{Channel, News, Started};
use crate::inside::GRACE;
use crate::pipe::at;
use bytes::Bytes;
use offshoot_agent::{Down, Failure, MAX_DOWN, PIECE, Start, WINDOW};
use offshoot_backend::{
    Code, Error, Event, Exec, Input, Result, Running, Signal, Stdin, TIMED_OUT,
};
use offshoot_boxed::boxed;
use std::sync::Arc;
use tokio::sync::{OwnedRwLockReadGuard, Semaphore};
use tokio::time::Instant;

/// One word of a command has at most 128 KiB, which the kernel counts with the final NUL.
const MAX_WORD: usize = (128 << 10) - 1;
/// Beyond this an agent would not read what it is told; the kernel's own limit is lower.
const MAX_WORDS: usize = MAX_DOWN / 2;
/// Taken bytes of output that are told together.
const TOLD: usize = WINDOW / 4;

/// A command in a machine that runs.
pub(super) struct Process {
    channel: Arc<Channel>,
    started: Started,
    input: Option<PipeIn>,
    /// Bytes that were taken and not told.
    taken: usize,
    deadline: Option<Instant>,
    /// The time-out has passed; its caller waits until then.
    ending: Option<Instant>,
    over: bool,
    /// The machine does not go away under it.
    _in_flight: OwnedRwLockReadGuard<()>,
}

impl Process {
    /// Starts one with these variables beside its own, in the directory that it names.
    pub(super) fn start(
        channel: Arc<Channel>,
        exec: Exec,
        variables: Vec<(String, String)>,
        in_flight: OwnedRwLockReadGuard<()>,
    ) -> Result<Process> {
        let deadline = exec.timeout.map(|timeout| Instant::now() + timeout);
        let (start, stdin) = describe(exec, variables)?;
        let is_fed = start.stdin;
        let started = channel.start(start);
        let input = is_fed.then(|| PipeIn {
            channel: Arc::clone(&channel),
            id: started.id,
            room: Arc::clone(&started.input),
        });
        let mut process = Process {
            channel,
            started,
            input,
            taken: 0,
            deadline,
            ending: None,
            over: false,
            _in_flight: in_flight,
        };
        if let Stdin::Bytes(bytes) = stdin
            && let Some(mut input) = process.input.take()
        {
            // A command need not read its input.
            tokio::spawn(async move { input.write(&bytes).await });
        }
        Ok(process)
    }

    fn took(&mut self, bytes: &Bytes) {
        self.taken += bytes.len();
        if self.taken >= TOLD {
            self.channel.taken(self.started.id, self.taken);
            self.taken = 0;
        }
    }

    /// The command is over.
    fn end(&mut self, code: u8) -> Event {
        self.over = true;
        match self.ending {
            Some(_) => Event::Exit(TIMED_OUT),
            None => Event::Exit(code),
        }
    }

    /// The machine is over.
    fn died(&mut self) -> Error {
        self.over = true;
        let message = match self.channel.is_closed() {
            true => "the sandbox was cleaned up during the call",
            false => "the sandbox ended during the call",
        };
        Error::new(Code::Died, "exec", message).on(NAME)
    }
}

/// What the agent is told of an execution.
fn describe(exec: Exec, mut variables: Vec<(String, String)>) -> Result<(Start, Stdin)> {
    let is_long = |word: &Vec<u8>| word.len() > MAX_WORD;
    if is_long(&exec.script) || exec.arguments.iter().any(is_long) {
        let message = format!("limit reached: a script or argument has at most {MAX_WORD} bytes");
        return Err(Error::new(Code::Limit, "exec", message).on(NAME));
    }
    let pairs = exec.environment.iter().chain(&variables);
    let pairs = pairs.map(|(name, value)| name.len() + value.len() + 16);
    let words = exec.arguments.iter().map(|word| word.len() + 16);
    if pairs.chain(words).sum::<usize>() > MAX_WORDS {
        return Err(refused(Failure::TooLong, "too many words".to_owned()));
    }
    if exec.replace_environment {
        variables.clear();
    }
    variables.retain(|(name, _)| !exec.environment.iter().any(|(own, _)| own == name));
    variables.extend(exec.environment);
    let start = Start {
        script: exec.script,
        name: exec.name.unwrap_or_else(|| b"bash".to_vec()),
        arguments: exec.arguments,
        cwd: exec.cwd.unwrap_or_else(|| "/".to_owned()),
        environment: variables,
        stdin: exec.stdin != Stdin::Empty,
        waits: exec.waits,
    };
    Ok((start, exec.stdin))
}

fn refused(failure: Failure, message: String) -> Error {
    let (code, message) = match failure {
        Failure::NoDirectory => (Code::NotFound, format!("{message}: no such directory")),
        Failure::TooLong => (
            Code::Limit,
            format!("limit reached: the command: {message}"),
        ),
        Failure::Full => (
            Code::Limit,
            format!("limit reached: processes of the machine: {message}"),
        ),
        Failure::Other => (Code::Died, message),
    };
    Error::new(code, "exec", message).on(NAME)
}

#[boxed]
impl Running for Process {
    async fn next(&mut self) -> Result<Option<Event>> {
        loop {
            if self.over {
                return Ok(None);
            }
            let until = self.ending.or(self.deadline);
            tokio::select! {
                news = self.started.news.recv() => return match news {
                    Some(News::Stdout(bytes)) => {
                        self.took(&bytes);
                        Ok(Some(Event::Stdout(bytes)))
                    }
                    Some(News::Stderr(bytes)) => {
                        self.took(&bytes);
                        Ok(Some(Event::Stderr(bytes)))
                    }
                    Some(News::Exit(code)) => Ok(Some(self.end(code))),
                    Some(News::Failed(failure, message)) => {
                        self.over = true;
                        Err(refused(failure, message))
                    }
                    None => Err(self.died()),
                },
                () = at(until), if until.is_some() => {
                    if self.ending.is_some() {
                        self.channel.send(&Down::Leave(self.started.id));
                        self.channel.forget(self.started.id);
                        return Ok(Some(self.end(TIMED_OUT)));
                    }
                    self.channel.send(&Down::End(self.started.id));
                    self.ending = Some(Instant::now() + GRACE);
                }
            }
        }
    }

    fn take_input(&mut self) -> Option<Box<dyn Input>> {
        let input = self.input.take()?;
        Some(Box::new(input))
    }

    async fn signal(&mut self, signal: Signal) -> Result<()> {
        let down = Down::Signal(self.started.id, signal.number());
        self.channel.send(&down);
        Ok(())
    }
}

impl Drop for Process {
    fn drop(&mut self) {
        if self.over {
            return;
        }
        let id = self.started.id;
        self.channel.send(&match self.ending {
            // It was told to end, and will be killed soon.
            Some(_) => Down::Leave(id),
            None => Down::Kill(id),
        });
        self.channel.forget(id);
    }
}

/// Standard input of a command; dropping it is the end of the input.
struct PipeIn {
    channel: Arc<Channel>,
    id: u32,
    room: Arc<Semaphore>,
}

#[boxed]
impl Input for PipeIn {
    async fn write(&mut self, bytes: &[u8]) -> Result<()> {
        for piece in bytes.chunks(PIECE) {
            let length = u32::try_from(piece.len()).unwrap_or(u32::MAX);
            let room = self.room.acquire_many(length).await;
            let room = room.map_err(|_| {
                Error::new(Code::Conflict, "write", "the command reads no more").on(NAME)
            })?;
            // The agent gives it back.
            room.forget();
            self.channel.send(&Down::Stdin(self.id, piece.to_vec()));
        }
        Ok(())
    }
}

impl Drop for PipeIn {
    fn drop(&mut self) {
        self.channel.send(&Down::StdinEnd(self.id));
    }
}
