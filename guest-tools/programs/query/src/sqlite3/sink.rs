//! Where results go: standard output, or the file of `.output` or `.once`.

use crate::stream::eprintln;
use crate::system::File;
use std::io::{BufWriter, Write as _};

use crate::output::Output;
use crate::system::{self, Failure};

/// Where results go.
pub struct Sink {
    /// Standard output.
    standard: Output,
    /// The file and its name, where results go to one.
    file: Option<(Vec<u8>, BufWriter<File>)>,
    /// `.output off`: results go nowhere.
    discard: bool,
    /// Back to standard output after the next statement.
    pub once: bool,
}

impl Sink {
    /// Standard output.
    pub fn new() -> Sink {
        Sink {
            standard: Output::new(),
            file: None,
            discard: false,
            once: false,
        }
    }

    /// Writes to wherever results go.
    pub fn put(&mut self, bytes: impl AsRef<[u8]>) {
        match &mut self.file {
            _ if self.discard => {}
            Some((_, file)) => {
                // A file that cannot be written is told about when it is closed.
                let _ = file.write_all(bytes.as_ref());
            }
            None => self.standard.put(bytes),
        }
    }

    /// Writes to `path` from here on; to standard output without one.
    pub fn redirect(&mut self, path: Option<&[u8]>, once: bool) -> system::Result<()> {
        self.file = None;
        self.once = once;
        self.discard = path == Some(b"off");
        if let Some(path) = path.filter(|path| !matches!(*path, b"stdout" | b"off")) {
            let file = system::create_file(path, false)?;
            self.file = Some((path.to_vec(), BufWriter::new(file)));
        }
        Ok(())
    }

    /// After a statement: `.once` is over.
    pub fn after(&mut self) {
        if std::mem::take(&mut self.once) {
            self.close();
        }
    }

    fn close(&mut self) {
        if let Some((path, mut file)) = self.file.take()
            && let Err(error) = file.flush()
        {
            let reason = Failure::from(error);
            eprintln!(
                "Error: cannot write to \"{}\": {}",
                String::from_utf8_lossy(&path),
                reason.0
            );
        }
        self.discard = false;
    }

    /// The name that `.show` prints.
    pub fn name(&self) -> Vec<u8> {
        self.file
            .as_ref()
            .map_or_else(|| b"stdout".to_vec(), |(path, _)| path.clone())
    }

    /// Hands everything on, before something else writes.
    pub fn flush(&mut self) {
        if let Some((_, file)) = &mut self.file {
            let _ = file.flush();
        }
        self.standard.flush();
    }

    /// Whether nobody reads standard output any more.
    pub fn is_broken(&self) -> bool {
        self.standard.is_broken()
    }

    /// Writes what is left; the status to end with.
    pub fn finish(mut self, status: i32) -> i32 {
        self.close();
        self.standard.finish("sqlite3", status, 1)
    }
}
