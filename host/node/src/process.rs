//! A script that runs while JavaScript reads and writes its streams.

use crate::error::{thrown, wrong};
use crate::settings::{Content, bytes};
use napi::bindgen_prelude::Uint8Array;
use napi_derive::napi;
use offshoot::{ByteReader, ByteWriter, Execution, Signals};
use tokio::sync::Mutex;

/// A running script.
#[napi]
pub struct NativeProcess {
    execution: Mutex<Execution>,
    stdin: Mutex<Option<ByteWriter>>,
    stdout: Mutex<Option<ByteReader>>,
    stderr: Mutex<Option<ByteReader>>,
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

async fn next(reader: &Mutex<Option<ByteReader>>) -> Option<Uint8Array> {
    let mut reader = reader.lock().await;
    let piece = reader.as_mut()?.read().await?;
    Some(piece.to_vec().into())
}

#[napi]
impl NativeProcess {
    /// The next piece of standard output, or nothing at its end.
    #[napi]
    pub async fn read_stdout(&self) -> Option<Uint8Array> {
        next(&self.stdout).await
    }

    /// The next piece of standard error, or nothing at its end.
    #[napi]
    pub async fn read_stderr(&self) -> Option<Uint8Array> {
        next(&self.stderr).await
    }

    /// Writes to standard input; waits while the script does not read.
    #[napi]
    pub async fn write(&self, data: Content) -> napi::Result<()> {
        let mut stdin = self.stdin.lock().await;
        let writer = stdin
            .as_mut()
            .ok_or_else(|| wrong("standard input is closed"))?;
        writer.write(&bytes(data)).await.map_err(wrong)
    }

    /// Ends standard input.
    #[napi]
    pub async fn close_stdin(&self) {
        self.stdin.lock().await.take();
    }

    /// Sends a signal by its POSIX number.
    #[napi]
    pub fn signal(&self, number: u8) {
        self.signals.send(number);
    }

    /// Waits for the end; the status.
    #[napi]
    pub async fn wait(&self) -> napi::Result<u8> {
        self.execution.lock().await.wait().await.map_err(thrown)
    }
}
