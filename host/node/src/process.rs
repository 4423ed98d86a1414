//! A script that runs while JavaScript reads and writes its streams: `Process` of `lib/index.cjs`.
//!
//! Each stream has a lock of its own, and so has the execution: a reader that waits for output keeps neither a writer
//! nor `wait` from going on, and a signal needs no lock at all.

use crate::error::{thrown, wrong};
use crate::settings::{Content, bytes};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::{ByteReader, ByteWriter, Execution, Signals};
use tokio::sync::Mutex;

/// A running script. Both outputs are to be read while it runs: a script that fills one that nobody reads waits.
#[napi]
pub struct NativeProcess {
    execution: Mutex<Execution>,
    /// None once it was closed, and where the script was given an input of its own.
    stdin: Mutex<Option<ByteWriter>>,
    stdout: Mutex<Option<ByteReader>>,
    stderr: Mutex<Option<ByteReader>>,
    /// Apart from the execution, whose lock `wait` holds until the end.
    signals: Signals,
}

impl NativeProcess {
    pub(crate) fn new(mut execution: Execution) -> NativeProcess {
        NativeProcess {
            signals: execution.signals(),
            stdin: Mutex::new(execution.take_stdin()),
            stdout: Mutex::new(execution.take_stdout()),
            stderr: Mutex::new(execution.take_stderr()),
            execution: Mutex::new(execution),
        }
    }
}

/// The next piece of a stream, or nothing at its end, as also for a stream that the execution did not give.
async fn next(reader: &Mutex<Option<ByteReader>>) -> Option<Uint8Array> {
    let mut reader = reader.lock().await;
    let piece = reader.as_mut()?.read().await?;
    Some(piece.to_vec().into())
}

#[napi]
impl NativeProcess {
    /// The next piece of standard output as it came; `null` at its end.
    #[napi]
    pub async fn read_stdout(&self) -> Option<Uint8Array> {
        next(&self.stdout).await
    }

    /// The next piece of standard error as it came; `null` at its end.
    #[napi]
    pub async fn read_stderr(&self) -> Option<Uint8Array> {
        next(&self.stderr).await
    }

    /// Writes to standard input; waits while the script does not read. Throws `INVALID` where the input is closed, or
    /// the script reads no more.
    #[napi]
    pub async fn write(&self, data: Content) -> napi::Result<()> {
        let mut stdin = self.stdin.lock().await;
        let writer = stdin
            .as_mut()
            .ok_or_else(|| wrong("standard input is closed"))?;
        writer.write(&bytes(data)).await.map_err(wrong)
    }

    /// Ends standard input: the script reads the end of file. Doing it twice is fine.
    #[napi]
    pub async fn close_stdin(&self) {
        self.stdin.lock().await.take();
    }

    /// Sends a signal by its POSIX number, also while `wait` waits. A trap of the script may take it; 9 ends the
    /// script with all that it started.
    #[napi]
    pub fn signal(&self, number: u8) {
        self.signals.send(number);
    }

    /// Waits for the end; the status, 0 to 255. Output that nobody has read by then is dropped.
    #[napi]
    pub async fn wait(&self) -> napi::Result<u8> {
        self.execution.lock().await.wait().await.map_err(thrown)
    }
}
