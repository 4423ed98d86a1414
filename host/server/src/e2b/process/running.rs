//! A command from its start to its end.

use super::super::failure::{Code, Failure};
use super::super::messages::process::{DataEvent, EndEvent, Event, Output};
use super::{Item, Order, Process, Processes};
use bytes::Bytes;
use offshoot::{ByteReader, Execution};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

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
    mut orders: mpsc::UnboundedReceiver<Order>,
    timeout: Option<Duration>,
) {
    let stdout = pump(&process, execution.take_stdout(), Output::Stdout);
    let stderr = pump(&process, execution.take_stderr(), Output::Stderr);
    let outputs = async { tokio::join!(stdout, stderr) };
    let over = deadline(timeout);
    tokio::pin!(outputs, over);
    let (mut written, mut cause) = (false, None);
    let code = loop {
        tokio::select! {
            _ = &mut outputs, if !written => written = true,
            code = execution.wait(), if written => break code,
            Some(order) = orders.recv() => match order {
                Order::Signal(number) => {
                    cause = (number == TERMINATE).then_some(Cause::Terminated).or(cause);
                    execution.signal(number);
                }
                Order::Kill => {
                    cause = Some(Cause::Killed);
                    execution.kill();
                }
                Order::Type(_) => {}
            },
            () = &mut over, if cause != Some(Cause::TimeOver) => {
                cause = Some(Cause::TimeOver);
                process.killed.send_replace(true);
                execution.kill();
            }
        }
    };
    processes.finish(&process, end(code, cause));
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
