//! A shell at a terminal from its start to its end.

use super::super::messages::process::Output;
use super::discipline::{Discipline, Effect, shown};
use super::running::{Cause, data, deadline};
use super::{Orders, Process, Processes, kill};
use bytes::Bytes;
use offshoot::{Terminal, TerminalEvent};
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::mpsc;

/// At the user's turn, whether jobs in the background wrote something is looked at so often.
const LOOK: Duration = Duration::from_millis(50);

/// SIGINT, by which Ctrl-C is known.
const INTERRUPT: u8 = 2;

/// Runs a terminal to its end.
pub(super) async fn drive(
    processes: Arc<Processes>,
    process: Arc<Process>,
    mut terminal: Terminal,
    (mut orders, mut typed): (Orders, mpsc::Receiver<Bytes>),
    timeout: Option<Duration>,
) {
    let over = deadline(timeout);
    tokio::pin!(over);
    let mut discipline = Discipline::default();
    let mut turn = false;
    let cause = loop {
        tokio::select! {
            event = terminal.next(), if !turn => match event {
                TerminalEvent::Output(bytes) => {
                    process.tell(data(Output::Pty(shown(&bytes).into()))).await;
                }
                TerminalEvent::Turn => turn = true,
                _ => break None,
            },
            () = tokio::time::sleep(LOOK), if turn => turn = false,
            () = kill(&mut orders.killed) => break Some(Cause::Killed),
            Some(number) = orders.signals.recv() => match number {
                INTERRUPT => terminal.interrupt(),
                // An interactive shell has nothing else to do than to end.
                _ => break Some(Cause::Terminated),
            },
            Some(bytes) = typed.recv() => {
                turn = false;
                type_in(&process, &mut terminal, discipline.typed(&bytes)).await;
            }
            () = &mut over => break Some(Cause::TimeOver),
        }
    };
    let code = match cause {
        None => terminal.wait().await,
        Some(Cause::Terminated) => Ok(143),
        Some(_) => Ok(137),
    };
    drop(terminal);
    processes.finish(&process, code, cause).await;
}

/// Does what was typed. A kill ends the waiting for a shell that does not read.
async fn type_in(process: &Process, terminal: &mut Terminal, effects: Vec<Effect>) {
    let mut killed = process.killed.subscribe();
    for effect in effects {
        match effect {
            Effect::Echo(bytes) => process.tell(data(Output::Pty(bytes.into()))).await,
            Effect::Interrupt => terminal.interrupt(),
            Effect::End => terminal.end_input(),
            Effect::Line(line) => {
                tokio::select! {
                    // A shell that has ended says so itself.
                    _ = terminal.write(&line) => {}
                    _ = killed.wait_for(|killed| *killed) => return,
                }
            }
        }
    }
}
