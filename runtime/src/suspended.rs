//! Scripts that were suspended: data that goes on anywhere.

use crate::error::{Below, Error, Result};
use bytes::Bytes;
use std::borrow::Cow;

/// A script that was suspended while it ran; see [`Execution::suspend`](crate::Execution::suspend).
///
/// It has the script's tasks, variables, pipes and open descriptors, and what had arrived on its
/// standard input and was not read. Files that have a name belong to the filesystem, which is kept
/// beside it: [`Sandbox::resume`](crate::Sandbox::resume) finds them by their paths. It can be resumed
/// as often as you like, also in a fork.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// use offshoot::{Exec, Sandbox, Stdin, Suspended};
/// let sandbox = Sandbox::new()?;
/// let script = "read -r a; echo \"first $a\"; read -r b; echo \"then $b\"";
/// let mut running = sandbox.spawn(Exec::new(script).stdin(Stdin::Piped))?;
/// let mut stdin = running.take_stdin().unwrap();
/// stdin.write(b"one\ntw").await.unwrap();
/// assert_eq!(&running.take_stdout().unwrap().read().await.unwrap()[..], b"first one\n");
/// let bytes = running.suspend().await?.to_bytes()?;
///
/// // Later, also in another process, and in a branch at the same time.
/// for sandbox in [sandbox.fork(), sandbox] {
///     let mut running = sandbox.resume(&Suspended::from_bytes(&bytes)?)?;
///     let mut stdout = running.take_stdout().unwrap();
///     // Nothing more comes.
///     drop(running.take_stdin());
///     assert_eq!(&stdout.read().await.unwrap()[..], b"then tw\n");
///     assert_eq!(running.wait().await?, 0);
/// }
/// # Ok(()) }
/// ```
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Suspended(pub(crate) offshoot_kernel::Suspended);

impl Suspended {
    /// The script as bytes: with the version that wrote them and the oldest one that can read them.
    ///
    /// Keep them as you keep the sandbox: whoever can change them can open any of its files.
    ///
    /// # Errors
    /// `LIMIT` where they don't fit into memory.
    pub fn to_bytes(&self) -> Result<Bytes> {
        let bytes = self.0.to_bytes();
        bytes.map_err(|error| Error::kernel("suspend", error))
    }

    /// The script that [`Suspended::to_bytes`] wrote, in any process.
    ///
    /// # Errors
    /// `CORRUPT` for damaged bytes, `TOO_NEW` where they ask for a newer version. What the shell
    /// wrote into them is looked at when it goes on: [`Execution::wait`](crate::Execution::wait) says
    /// so then.
    pub fn from_bytes(bytes: &[u8]) -> Result<Suspended> {
        let read = offshoot_kernel::Suspended::from_bytes(bytes);
        read.map(Suspended)
            .map_err(|error| Error::kernel("resume", error))
    }

    /// The text of the script.
    pub fn script(&self) -> Cow<'_, str> {
        String::from_utf8_lossy(self.0.script())
    }
}
