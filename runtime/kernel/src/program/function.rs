//! Programs that are functions of the embedder.

use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use offshoot_vfs::{Caller, Device, Error, OpenOptions, Vfs};

use super::{LoopbackStream, Run};
use crate::Kernel;
use crate::descriptor::Object;
use crate::guest::Guest;
use crate::process::ProcessEnd;

/// One call of a host function as a command.
#[derive(Debug)]
pub struct Invocation {
    /// The arguments; the first is the name it was called by.
    pub arguments: Vec<Vec<u8>>,
    /// The environment.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// The working directory, absolute.
    pub directory: Vec<u8>,
    /// The files of the sandbox.
    pub vfs: Vfs,
    /// On whose behalf it runs.
    pub caller: Caller,
    /// Standard input.
    pub stdin: Input,
    /// Standard output.
    pub stdout: Output,
    /// Standard error.
    pub stderr: Output,
    kernel: Kernel,
}

impl Invocation {
    /// An argument as text; none where it is missing or not UTF-8.
    pub fn argument(&self, index: usize) -> Option<&str> {
        std::str::from_utf8(self.arguments.get(index)?).ok()
    }

    /// Opens a file of the sandbox for reading; `path` is absolute or below the working directory.
    ///
    /// # Errors
    /// `ENOENT`, `EACCES`, `EISDIR` and what else the filesystem says.
    pub fn open(&self, path: &[u8]) -> offshoot_vfs::Result<Input> {
        self.object(path, &OpenOptions::READ).map(Input)
    }

    /// Opens a file of the sandbox for writing from its beginning on, or at its end where `append`
    /// is set. It is made where it is missing.
    ///
    /// # Errors
    /// `ENOENT` for a missing directory, `EACCES`, `EISDIR` and what else the filesystem says.
    pub fn create(&self, path: &[u8], append: bool) -> offshoot_vfs::Result<Output> {
        let options = match append {
            true => OpenOptions::APPEND,
            false => OpenOptions::WRITE,
        };
        self.object(path, &options).map(Output)
    }

    /// Whether the rules of this sandbox let its commands make this HTTP request, as they are now. A
    /// function that reaches the network on behalf of a script asks before each, redirects included.
    pub fn permits_request(&self, method: &str, url: &str) -> bool {
        let gate = self.kernel.gate_slot().clone();
        gate.is_none_or(|gate| gate.permits_request(method, url))
    }

    /// Connects with who listens at this port of the sandbox's own loopback, by name or address. Nothing else
    /// is reached.
    ///
    /// # Errors
    /// `NotFound` for a name that is not the sandbox's, `PermissionDenied` for an address that is not,
    /// `ConnectionRefused` where nobody listens, `OutOfMemory` where the sandbox has none left for it.
    pub async fn connect(&self, host: &str, port: u16) -> std::io::Result<LoopbackStream> {
        LoopbackStream::open(&self.kernel, host, port).await
    }

    /// The absolute form of `path`.
    pub fn absolute(&self, path: &[u8]) -> Vec<u8> {
        if path.starts_with(b"/") {
            return path.to_vec();
        }
        [self.directory.as_slice(), b"/", path].concat()
    }

    fn object(&self, path: &[u8], options: &OpenOptions) -> offshoot_vfs::Result<Arc<Object>> {
        let path = self.absolute(path);
        let file = self
            .vfs
            .open(&self.caller, self.vfs.root(), &path, options, 0o666)?;
        match file.device() {
            Some(Device::Descriptor(0)) => Ok(Arc::clone(&self.stdin.0)),
            Some(Device::Descriptor(1)) => Ok(Arc::clone(&self.stdout.0)),
            Some(Device::Descriptor(2)) => Ok(Arc::clone(&self.stderr.0)),
            Some(Device::Descriptor(_) | Device::Tty) => Err(Error::NoDevice),
            _ => Ok(Arc::new(Object::from_file(file))),
        }
    }
}

/// What a host function reads.
#[derive(Debug)]
pub struct Input(Arc<Object>);

impl Input {
    /// Reads what is there, waiting for at least one byte; 0 is the end.
    ///
    /// # Errors
    /// `EBADF`, `EISDIR` and what else its file says.
    pub async fn read(&mut self, buffer: &mut [u8]) -> offshoot_vfs::Result<usize> {
        loop {
            match self.0.read(buffer) {
                Err(Error::Again) => {
                    poll_fn(|context| {
                        if self.0.poll_readable(context.waker()) {
                            Poll::Ready(())
                        } else {
                            Poll::Pending
                        }
                    })
                    .await
                }
                other => return other,
            }
        }
    }

    /// Reads up to the end; at most `most` bytes, since a pipe can be endless.
    ///
    /// # Errors
    /// Those of [`Input::read`], and `EFBIG` where there is more.
    pub async fn read_to_end(&mut self, most: usize) -> offshoot_vfs::Result<Vec<u8>> {
        let mut all = Vec::new();
        let mut buffer = vec![0; 16 << 10];
        loop {
            match self.read(&mut buffer).await? {
                0 => return Ok(all),
                count if all.len() + count > most => return Err(Error::FileTooLarge),
                count => all.extend_from_slice(&buffer[..count]),
            }
        }
    }
}

/// What a host function writes to.
#[derive(Debug)]
pub struct Output(Arc<Object>);

impl Output {
    /// Writes all of `bytes`, waiting while a pipe is full.
    ///
    /// # Errors
    /// `EPIPE` where nobody reads any more, `ENOSPC` and what else its file says.
    pub async fn write_all(&mut self, mut bytes: &[u8]) -> offshoot_vfs::Result<()> {
        while !bytes.is_empty() {
            match self.0.write(bytes) {
                Ok(count) => bytes = &bytes[count..],
                Err(Error::Again) => {
                    poll_fn(|context| {
                        if self.0.poll_writable(context.waker()) {
                            Poll::Ready(())
                        } else {
                            Poll::Pending
                        }
                    })
                    .await;
                }
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }
}

type Body = dyn Fn(Invocation) -> super::FunctionFuture + Send + Sync;

/// A function of the embedder.
pub(super) struct Function(Box<Body>);

impl Function {
    pub(super) fn new(
        function: impl Fn(Invocation) -> super::FunctionFuture + Send + Sync + 'static,
    ) -> Function {
        Function(Box::new(function))
    }

    /// A process that calls it.
    pub(super) fn run(self: &Arc<Function>, guest: Guest) -> Run {
        let function = Arc::clone(self);
        Box::pin(async move {
            let call = invocation(guest);
            ProcessEnd::Exited((function.0)(call).await)
        })
    }
}

fn invocation(guest: Guest) -> Invocation {
    let object = |number| guest.descriptor(number);
    let (stdin, stdout, stderr) = (object(0), object(1), object(2));
    let caller = guest.caller();
    let kernel = guest.kernel().clone();
    let startup = guest.into_startup();
    Invocation {
        arguments: startup.arguments,
        environment: Arc::unwrap_or_clone(startup.environment),
        directory: startup.directory,
        vfs: kernel.vfs().clone(),
        kernel,
        caller,
        stdin: Input(stdin),
        stdout: Output(stdout),
        stderr: Output(stderr),
    }
}
