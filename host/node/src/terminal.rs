//! A shell that is typed to: `Terminal` of `lib/index.cjs`.
//!
//! One lock guards the terminal, and a reader holds it while it waits for output. Who types rings `typed` first: the
//! reader lets go, the keys are handed over, and the reader begins its wait again.

use crate::error::thrown;
use crate::settings::{Content, bytes};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::{Terminal, TerminalEvent};
use std::time::Duration;
use tokio::sync::{Mutex, MutexGuard, Notify};

/// The pause between two looks for output while the shell waits for a line: jobs in the background may write then,
/// which is no event of its own.
const LOOK: Duration = Duration::from_millis(10);

/// A terminal of a sandbox.
#[napi]
pub struct NativeTerminal {
    terminal: Mutex<Terminal>,
    /// Somebody types while somebody else reads.
    typed: Notify,
}

impl NativeTerminal {
    pub(crate) fn new(terminal: Terminal) -> NativeTerminal {
        NativeTerminal {
            terminal: Mutex::new(terminal),
            typed: Notify::new(),
        }
    }

    /// The terminal, taken from a reader that waits.
    async fn typing(&self) -> MutexGuard<'_, Terminal> {
        self.typed.notify_one();
        self.terminal.lock().await
    }
}

#[napi]
impl NativeTerminal {
    /// The next piece of output; `null` once the shell has ended. Both outputs and the prompts come in one stream.
    #[napi]
    pub async fn read(&self) -> Option<Uint8Array> {
        loop {
            let mut terminal = self.terminal.lock().await;
            let event = tokio::select! {
                event = terminal.next() => event,
                () = self.typed.notified() => continue,
            };
            drop(terminal);
            match event {
                TerminalEvent::Output(bytes) => return Some(bytes.to_vec().into()),
                TerminalEvent::Ended => return None,
                // Jobs in the background write while the prompt waits.
                _ => tokio::time::sleep(LOOK).await,
            }
        }
    }

    /// Types: a line with its end, or a part of one.
    #[napi]
    pub async fn write(&self, data: Content) -> napi::Result<()> {
        let typed = bytes(data);
        self.typing().await.write(&typed).await.map_err(thrown)
    }

    /// Ctrl-D at the start of a line: at the prompt the shell ends.
    #[napi]
    pub async fn end_input(&self) {
        self.typing().await.end_input();
    }

    /// Ctrl-C: ends what runs in the foreground, and the line that is typed.
    #[napi]
    pub async fn interrupt(&self) {
        self.typing().await.interrupt();
    }

    /// Closes the input and waits for the end; the status.
    #[napi]
    pub async fn wait(&self) -> napi::Result<u8> {
        self.typing().await.wait().await.map_err(thrown)
    }
}
