//! The same API without async, for scripts, tests and programs that have no runtime.
//!
//! All sandboxes of a process share one runtime with a few threads. Don't call these from async
//! code: they block the thread.
//!
//! ```
//! # fn main() -> offshoot::Result<()> {
//! let sandbox = offshoot::blocking::Sandbox::new()?;
//! assert_eq!(sandbox.exec("echo $((6 * 7))")?.stdout_text(), "42\n");
//! # Ok(()) }
//! ```

use crate::error::{Code, Error, Result};
use crate::{Builder, Exec, FileStat, RemoveOptions, ShellResult};
use std::future::Future;
use std::sync::OnceLock;
use tokio::runtime::{Builder as RuntimeBuilder, Runtime};

/// Threads that run guests.
const THREADS: usize = 2;

/// The runtime of all blocking sandboxes.
fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<Option<Runtime>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        RuntimeBuilder::new_multi_thread()
            .worker_threads(THREADS)
            .enable_all()
            .build()
            .ok()
    });
    made.as_ref()
        .ok_or_else(|| Error::new(Code::Died, "runtime", "no threads could be started"))
}

/// A sandbox whose operations block; see [`crate::Sandbox`].
#[derive(Debug)]
pub struct Sandbox {
    inner: crate::Sandbox,
    runtime: &'static Runtime,
}

impl Sandbox {
    /// A sandbox with the defaults.
    ///
    /// # Errors
    /// `DIED` where the engine could not be started.
    pub fn new() -> Result<Sandbox> {
        Sandbox::from_builder(Builder::default())
    }

    /// Describes a sandbox; finish with [`Builder::build_blocking`].
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn from_builder(builder: Builder) -> Result<Sandbox> {
        let runtime = runtime()?;
        let _guard = runtime.enter();
        Ok(Sandbox {
            inner: builder.build()?,
            runtime,
        })
    }

    /// Runs a script from fresh shell state; see [`crate::Sandbox::exec`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::exec`].
    pub fn exec(&self, exec: impl Into<Exec>) -> Result<ShellResult> {
        self.wait(self.inner.exec(exec))
    }

    /// A session that was exported; see [`crate::Sandbox::import_session`].
    pub fn import_session(&self, state: impl Into<bytes::Bytes>) -> Session {
        Session {
            inner: self.inner.import_session(state),
            runtime: self.runtime,
        }
    }

    /// A session, whose shell state lives from one execution to the next.
    pub fn session(&self) -> Session {
        Session {
            inner: self.inner.session(),
            runtime: self.runtime,
        }
    }

    /// An independent copy; see [`crate::Sandbox::fork`].
    pub fn fork(&self) -> Sandbox {
        Sandbox {
            inner: self.inner.fork(),
            runtime: self.runtime,
        }
    }

    /// Reads a file as text; see [`crate::Sandbox::read_file`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::read_file`].
    pub fn read_file(&self, path: &str) -> Result<String> {
        self.wait(self.inner.read_file(path))
    }

    /// Reads a file's bytes; see [`crate::Sandbox::read_file_buffer`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::read_file_buffer`].
    pub fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.wait(self.inner.read_file_buffer(path))
    }

    /// Writes a file; see [`crate::Sandbox::write_file`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::write_file`].
    pub fn write_file(&self, path: &str, content: impl AsRef<[u8]>) -> Result<()> {
        self.wait(self.inner.write_file(path, content))
    }

    /// Facts about a path; see [`crate::Sandbox::stat`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::stat`].
    pub fn stat(&self, path: &str) -> Result<FileStat> {
        self.wait(self.inner.stat(path))
    }

    /// The names in a directory; see [`crate::Sandbox::readdir`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::readdir`].
    pub fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.wait(self.inner.readdir(path))
    }

    /// Whether the path exists.
    pub fn exists(&self, path: &str) -> bool {
        self.wait(self.inner.exists(path))
    }

    /// Makes a directory; see [`crate::Sandbox::mkdir`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::mkdir`].
    pub fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.wait(self.inner.mkdir(path, recursive))
    }

    /// Removes a file or tree; see [`crate::Sandbox::rm`].
    ///
    /// # Errors
    /// As [`crate::Sandbox::rm`].
    pub fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        self.wait(self.inner.rm(path, options))
    }

    /// Joins a path to the working directory; see [`crate::Sandbox::resolve_path`].
    pub fn resolve_path(&self, path: &str) -> String {
        self.inner.resolve_path(path)
    }

    /// The working directory.
    pub fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    /// Ends the sandbox; see [`crate::Sandbox::cleanup`].
    pub fn cleanup(&self) {
        self.wait(self.inner.cleanup());
    }

    /// The async form of the same sandbox.
    pub fn as_async(&self) -> &crate::Sandbox {
        &self.inner
    }

    fn wait<F: Future>(&self, future: F) -> F::Output {
        self.runtime.block_on(future)
    }
}

/// A session whose operations block; see [`crate::Session`].
#[derive(Debug)]
pub struct Session {
    inner: crate::Session,
    runtime: &'static Runtime,
}

impl Session {
    /// The state as bytes; see [`crate::Session::export`].
    ///
    /// # Errors
    /// As [`crate::Session::export`].
    pub fn export(&self) -> Result<bytes::Bytes> {
        self.runtime.block_on(self.inner.export())
    }

    /// Runs a script on the session's state; see [`crate::Session::exec`].
    ///
    /// # Errors
    /// As [`crate::Session::exec`].
    pub fn exec(&self, exec: impl Into<Exec>) -> Result<ShellResult> {
        self.runtime.block_on(self.inner.exec(exec))
    }
}
