//! Standard output in large pieces, and what to do where it fails.

use std::io::{self, BufWriter, Write};

use crate::stream::{self, StdoutLock};

/// How many bytes are read or written at a time.
pub const CHUNK: usize = 64 * 1024;

/// Standard output, buffered; each line at once where it is a terminal.
pub struct Output {
    writer: BufWriter<StdoutLock<'static>>,
    terminal: bool,
    failed: Option<io::Error>,
}

impl Default for Output {
    fn default() -> Self {
        Output::new()
    }
}

impl Output {
    /// Takes standard output.
    pub fn new() -> Output {
        let writer = BufWriter::with_capacity(CHUNK, stream::stdout().lock());
        Output {
            writer,
            terminal: crate::system::is_terminal(1),
            failed: None,
        }
    }

    /// Writes bytes.
    pub fn put(&mut self, bytes: impl AsRef<[u8]>) {
        if self.failed.is_none() {
            self.failed = self.writer.write_all(bytes.as_ref()).err();
        }
    }

    /// Writes bytes and a newline.
    pub fn line(&mut self, bytes: impl AsRef<[u8]>) {
        self.put(bytes);
        self.end_line(b'\n');
    }

    /// Ends a line.
    pub fn end_line(&mut self, end: u8) {
        self.put([end]);
        if self.terminal {
            self.flush();
        }
    }

    /// Hands everything to the kernel, before another process writes.
    pub fn flush(&mut self) {
        if self.failed.is_none() {
            self.failed = self.writer.flush().err();
        }
    }

    /// Whether a write failed: the rest need not be computed.
    pub fn is_broken(&self) -> bool {
        self.failed.is_some()
    }

    /// Flushes, and says so where something could not be written: then the status is `failure`.
    pub fn finish(mut self, name: &str, status: i32, failure: i32) -> i32 {
        self.flush();
        match self.failed.take() {
            None => status,
            Some(error) => {
                let reason = crate::system::Failure::from(error);
                crate::call::complain(name, format!("write error: {}", reason.0));
                failure
            }
        }
    }
}

impl Write for Output {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.put(bytes);
        match &self.failed {
            None => Ok(bytes.len()),
            Some(error) => Err(error.kind().into()),
        }
    }

    fn flush(&mut self) -> io::Result<()> {
        Output::flush(self);
        Ok(())
    }
}
