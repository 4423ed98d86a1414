//! How applets read, write, wait and complain.

use std::future::poll_fn;
use std::rc::Rc;
use std::task::Poll;

use super::{Awaited, Context, HandleStream, Outcome, Stream, Task, Wait};
use crate::os::{Errno, FileKind, Handle, Interest, OpenOptions, Result, Stat, Whence};
use offshoot_posix::quote;

/// Bytes that one read asks for and one write gathers.
pub(super) const BLOCK: usize = 64 * 1024;
/// Bytes that an applet handles before it lets others run.
const TURN: usize = 1 << 20;

/// Why an applet ends early.
#[derive(Debug, Clone, Copy)]
pub(super) enum Stop {
    /// The message has been printed.
    Status(u8),
    /// Nobody reads its output.
    BrokenPipe,
}

/// The result of what may end an applet.
pub(super) type Step<T> = std::result::Result<T, Stop>;

/// Input of an applet.
#[derive(Clone)]
pub(super) enum Input {
    /// A descriptor of its context.
    Inherited(u32, Rc<dyn Stream>),
    /// A file that it opened.
    Opened(Rc<OpenedFile>),
}

/// A file that is closed when it is dropped.
pub(super) struct OpenedFile(HandleStream);

impl Drop for OpenedFile {
    fn drop(&mut self) {
        self.0.os.close(self.0.handle);
    }
}

impl Input {
    fn stream(&self) -> &dyn Stream {
        match self {
            Input::Inherited(_, stream) => &**stream,
            Input::Opened(file) => &file.0,
        }
    }

    /// `fstat`
    pub(super) fn stat(&self) -> Result<Stat> {
        self.stream().stat()
    }

    /// Moves the offset.
    pub(super) fn seek(&self, offset: i64, whence: Whence) -> Result<u64> {
        self.stream().seek(offset, whence)
    }

    /// The offset where this is a regular file that can seek.
    pub(super) fn offset(&self) -> Option<u64> {
        let regular = self.stat().is_ok_and(|stat| stat.kind == FileKind::Regular);
        regular.then(|| self.seek(0, Whence::Current).ok())?
    }

    fn wait(&self, read: bool) -> Wait {
        match (self, read) {
            (Input::Inherited(number, _), true) => Wait::Readable(*number),
            (Input::Inherited(number, _), false) => Wait::Writable(*number),
            (Input::Opened(file), true) => Wait::System(Interest::Readable(file.0.handle)),
            (Input::Opened(file), false) => Wait::System(Interest::Writable(file.0.handle)),
        }
    }
}

/// An applet's connection to the world: arguments, files, output, waiting.
pub(super) struct Io {
    context: Rc<Context>,
    awaited: Awaited,
    /// Standard output that is not written yet.
    pub(super) out: Vec<u8>,
    /// What is left of this turn.
    turn: usize,
    /// The status of a failed write.
    pub(super) write_failure: u8,
}

impl Io {
    pub(super) fn new(context: Rc<Context>, awaited: Awaited) -> Io {
        Io {
            context,
            awaited,
            out: Vec::new(),
            turn: TURN,
            write_failure: 1,
        }
    }

    /// The arguments, the name first.
    pub(super) fn context(&self) -> Rc<Context> {
        self.context.clone()
    }

    /// Makes a task of `body`; what is left of its output is written when it is done.
    pub(super) fn task<F>(mut self, body: F) -> Option<Task>
    where
        F: AsyncFnOnce(&mut Io) -> Step<u8> + 'static,
    {
        Some(Task::Work(Box::pin(async move {
            let mut result = body(&mut self).await;
            if !matches!(result, Err(Stop::BrokenPipe)) {
                // What was written so far counts even where the applet failed.
                if let Err(stop) = self.flush().await {
                    result = Err(stop);
                }
            }
            match result {
                Ok(status) | Err(Stop::Status(status)) => Outcome::Exit(status),
                Err(Stop::BrokenPipe) => Outcome::BrokenPipe,
            }
        })))
    }

    /// `path` made absolute against the working directory.
    pub(super) fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.starts_with(b"/") || path.is_empty() {
            return path.to_vec();
        }
        let directory = &self.context.directory;
        let separator: &[u8] = if directory.ends_with(b"/") { b"" } else { b"/" };
        [directory, separator, path].concat()
    }

    /// The descriptor of this number.
    pub(super) fn inherited(&self, number: u32) -> Result<Input> {
        let found = self
            .context
            .streams
            .iter()
            .find(|(known, _)| *known == number);
        let (_, stream) = found.ok_or(Errno::BadDescriptor)?;
        Ok(Input::Inherited(number, stream.clone()))
    }

    /// Opens a file for reading; `/dev/stdin` and `/dev/fd/N` are the applet's own.
    pub(super) fn open(&self, path: &[u8]) -> Result<Input> {
        let options = OpenOptions {
            read: true,
            ..OpenOptions::default()
        };
        self.open_with(path, options)
    }

    /// Opens a file.
    pub(super) fn open_with(&self, path: &[u8], options: OpenOptions) -> Result<Input> {
        if let Some(number) = own_descriptor(path) {
            return self.inherited(number).map_err(|_| Errno::NoEntry);
        }
        let mode = 0o666 & !self.context.umask;
        let handle: Handle = self.context.os.open(&self.absolute(path), options, mode)?;
        Ok(Input::Opened(Rc::new(OpenedFile(HandleStream {
            os: self.context.os.clone(),
            handle,
        }))))
    }

    /// Opens an operand for reading, `-` being standard input.
    pub(super) fn operand(&self, path: &[u8]) -> Result<Input> {
        match path {
            b"-" => self.inherited(0),
            _ => self.open(path),
        }
    }

    /// Reads at the end of `buffer` what one read gives, at most [`BLOCK`]; 0 is the end. Output is
    /// written before it waits.
    pub(super) async fn read(
        &mut self,
        input: &Input,
        buffer: &mut Vec<u8>,
    ) -> Step<Result<usize>> {
        let length = buffer.len();
        let result = loop {
            buffer.resize(length + BLOCK, 0);
            match input.stream().read(&mut buffer[length..]) {
                Err(Errno::Again) => {
                    // Thousands may wait at once: the room is not theirs meanwhile.
                    buffer.truncate(length);
                    buffer.shrink_to_fit();
                    self.flush().await?;
                    self.wait(input.wait(true)).await;
                }
                result => break result,
            }
        };
        let count = *result.as_ref().unwrap_or(&0);
        buffer.truncate(length + count);
        self.spend(count).await;
        Ok(result)
    }

    /// Writes the gathered output where there is a block of it.
    #[inline]
    pub(super) async fn flush_block(&mut self) -> Step<()> {
        if self.out.len() >= BLOCK {
            self.flush().await?;
        }
        Ok(())
    }

    /// Writes all gathered output.
    pub(super) async fn flush(&mut self) -> Step<()> {
        if self.out.is_empty() {
            return Ok(());
        }
        let out = std::mem::take(&mut self.out);
        let result = self.write(&out).await;
        self.out = out;
        self.out.clear();
        result
    }

    /// Writes to standard output past the gathered output, which has to be empty.
    pub(super) async fn write(&mut self, bytes: &[u8]) -> Step<()> {
        let written = match self.inherited(1) {
            Ok(stdout) => self.write_to(&stdout, bytes).await,
            Err(error) => Err(error),
        };
        match written {
            Ok(()) => Ok(()),
            Err(Errno::BrokenPipe) => Err(Stop::BrokenPipe),
            Err(error) => {
                self.complain(format!("write error: {}", error.message()))
                    .await;
                self.out.clear();
                Err(Stop::Status(self.write_failure))
            }
        }
    }

    /// Writes everything to a file.
    pub(super) async fn write_to(&mut self, file: &Input, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            match file.stream().write(bytes) {
                Ok(taken) => {
                    bytes = &bytes[taken..];
                    self.spend(taken).await;
                }
                Err(Errno::Again) => self.wait(file.wait(false)).await,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    /// Prints `NAME: MESSAGE` on standard error; where that fails there is nobody to tell.
    pub(super) async fn complain(&mut self, message: impl AsRef<[u8]>) {
        let context = self.context.clone();
        let name = context.arguments.first().map_or(&b""[..], Vec::as_slice);
        let line = [name, b": ", message.as_ref(), b"\n"].concat();
        if let Ok(stderr) = self.inherited(2) {
            let _ = self.write_to(&stderr, &line).await;
        }
    }

    /// Prints `NAME: FILE: ERROR`.
    pub(super) async fn complain_about(&mut self, file: &[u8], error: Errno) {
        let mut message = quote::shell_where_needed(file);
        message.extend_from_slice(b": ");
        message.extend_from_slice(error.message().as_bytes());
        self.complain(message).await;
    }

    /// Waits once; what was awaited has happened then, or perhaps not.
    pub(super) async fn wait(&mut self, wait: Wait) {
        self.turn = TURN;
        self.pend(Some(wait)).await;
    }

    /// Lets others run where this turn is used up.
    async fn spend(&mut self, bytes: usize) {
        self.turn = self.turn.saturating_sub(bytes.max(64));
        if self.turn == 0 {
            self.turn = TURN;
            self.pend(None).await;
        }
    }

    async fn pend(&self, wait: Option<Wait>) {
        let mut pended = false;
        poll_fn(|_| {
            if pended {
                return Poll::Ready(());
            }
            pended = true;
            self.awaited.set(wait);
            Poll::Pending
        })
        .await;
    }
}

/// Whether the locale's characters are UTF-8: the environment names a locale other than C.
pub(super) fn is_utf8(context: &Context) -> bool {
    let value = |name: &[u8]| {
        let found = context.environment.iter().find(|(known, _)| known == name);
        found
            .map(|(_, value)| value.as_slice())
            .filter(|value| !value.is_empty())
    };
    let names: [&[u8]; 3] = [b"LC_ALL", b"LC_CTYPE", b"LANG"];
    let locale = names.into_iter().find_map(value);
    !matches!(locale, None | Some(b"C" | b"POSIX"))
}

/// The number that `/dev/stdin`, `/dev/fd/N` and their kin stand for.
pub(super) fn own_descriptor(path: &[u8]) -> Option<u32> {
    let digits = match path {
        b"/dev/stdin" => return Some(0),
        b"/dev/stdout" => return Some(1),
        b"/dev/stderr" => return Some(2),
        _ => path
            .strip_prefix(b"/dev/fd/")
            .or_else(|| path.strip_prefix(b"/proc/self/fd/"))?,
    };
    std::str::from_utf8(digits).ok()?.parse().ok()
}
