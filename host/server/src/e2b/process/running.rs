//! A command from its start to its end.

use super::super::failure::{Code, Failure};
use super::super::messages::process::{DataEvent, EndEvent, Event, Output};
use super::{Item, Orders, Process, Processes, kill};
use bytes::Bytes;
use offshoot::{ByteReader, Execution};
use std::sync::Arc;
use std::time::Duration;

/// SIGTERM.
const TERMINATE: u8 = 15;

/// Why a command was ended from outside.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Cause {
    Killed,
    Terminated,
    TimeOver,
}

/// Runs a command to its end: passes its output on, and does what it is told.
pub(super) async fn drive(
    processes: Arc<Processes>,
    process: Arc<Process>,
    mut execution: Execution,
    mut orders: Orders,
    timeout: Option<Duration>,
) {
    let stdout = pump(&process, execution.take_stdout(), Output::Stdout);
    let stderr = pump(&process, execution.take_stderr(), Output::Stderr);
    let outputs = async { tokio::join!(stdout, stderr) };
    let over = deadline(timeout);
    tokio::pin!(outputs, over);
    let (mut written, mut killed, mut cause) = (false, false, None);
    let code = loop {
        tokio::select! {
            _ = &mut outputs, if !written => written = true,
            code = execution.wait(), if written => break code,
            Some(number) = orders.signals.recv() => {
                cause = (number == TERMINATE).then_some(Cause::Terminated).or(cause);
                execution.signal(number);
            }
            () = kill(&mut orders.killed), if !killed => {
                killed = true;
                cause = cause.filter(|cause| *cause == Cause::TimeOver).or(Some(Cause::Killed));
                execution.kill();
            }
            () = &mut over, if !killed && cause != Some(Cause::TimeOver) => {
                cause = Some(Cause::TimeOver);
                process.kill();
            }
        }
    };
    processes.finish(&process, code, cause).await;
}

/// Passes one of the outputs on.
async fn pump(process: &Process, reader: Option<ByteReader>, output: fn(Bytes) -> Output) {
    let Some(mut reader) = reader else { return };
    while let Some(bytes) = reader.read().await {
        process.tell(data(output(bytes))).await;
    }
}

pub(super) fn data(output: Output) -> Event {
    Event::Data(DataEvent {
        output: Some(output),
    })
}

/// Waits for ever where there is no time-out.
pub(super) async fn deadline(timeout: Option<Duration>) {
    match timeout {
        Some(timeout) => tokio::time::sleep(timeout).await,
        None => std::future::pending().await,
    }
}

/// The last thing that is said of a command.
pub(super) fn end(code: offshoot::Result<u8>, cause: Option<Cause>) -> Item {
    let signalled = |name: &str| EndEvent {
        exit_code: -1,
        exited: false,
        status: format!("signal: {name}"),
        error: Some(format!("signal: {name}")),
    };
    let end = match (code, cause) {
        (_, Some(Cause::TimeOver)) => {
            let message = "the command's time is over, and it was killed";
            return Err(Failure::new(Code::DeadlineExceeded, message));
        }
        (_, Some(Cause::Killed)) => signalled("killed"),
        (Ok(143), Some(Cause::Terminated)) => signalled("terminated"),
        (Err(error), _) => return Err(error.into()),
        (Ok(code), _) => {
            let status = format!("exit status {code}");
            EndEvent {
                exit_code: i32::from(code),
                exited: true,
                error: (code != 0).then(|| status.clone()),
                status,
            }
        }
    };
    Ok(Event::End(end))
}
