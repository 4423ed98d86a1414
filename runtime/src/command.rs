//! Commands of the embedder.

use crate::error::{Below, Error, Result};
use crate::template;
use offshoot_kernel::{Invocation, Program};
use std::future::Future;
use std::path::Path;

/// A command that the embedder adds to a sandbox; see [`Builder::command`](crate::Builder::command).
///
/// It runs as a process of the sandbox: in pipelines, killed with them, with the sandbox's files
/// at hand.
///
/// ```
/// # fn main() -> offshoot::Result<()> {
/// use offshoot::{Command, Sandbox};
/// let double = Command::function(|mut call| async move {
///     let number: i64 = call.argument(1).and_then(|text| text.parse().ok()).unwrap_or(0);
///     let answer = format!("{}\n", number * 2);
///     u8::from(call.stdout.write_all(answer.as_bytes()).await.is_err())
/// });
/// let sandbox = Sandbox::builder().command("double", double).build_blocking()?;
/// assert_eq!(sandbox.exec("double 21 | cat")?.stdout_text(), "42\n");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Command(Program);

impl Command {
    /// A function of the host. It returns the exit status; a kill drops its future.
    ///
    /// It runs outside the isolation: it must not trust its arguments.
    pub fn function<F, R>(function: F) -> Command
    where
        F: Fn(Invocation) -> R + Send + Sync + 'static,
        R: Future<Output = u8> + Send + 'static,
    {
        Command(Program::function(function))
    }

    /// A WASI 0.2 command component, as `cargo build --target wasm32-wasip2` makes one. It runs
    /// isolated like every other program.
    ///
    /// It is compiled here, in this process, and a compiler is no sandbox: pass only components
    /// whose author you trust that far.
    ///
    /// # Errors
    /// `DIED` for bytes that are no such component, or that import what a sandbox does not offer.
    pub fn component(wasm: &[u8]) -> Result<Command> {
        Program::component(template::engine()?, wasm)
            .map(Command)
            .map_err(|error| Error::kernel("command", error))
    }

    /// As [`Command::component`], with the machine code kept in `directory` for the next process, which
    /// then loads it in milliseconds instead of compiling for seconds.
    ///
    /// What lies there is run as machine code outside every sandbox. The directory is made for its owner
    /// alone, and used only while nobody else may write there; it must be none that a sandbox can write
    /// to, through a mount for instance. Where it cannot be used, the component is compiled.
    ///
    /// # Errors
    /// As [`Command::component`].
    pub fn component_cached(wasm: &[u8], directory: &Path) -> Result<Command> {
        Program::component_cached(template::engine()?, wasm, directory)
            .map(Command)
            .map_err(|error| Error::kernel("command", error))
    }

    pub(crate) fn into_program(self) -> Program {
        self.0
    }
}
