//! What runs virtual machines, as the rest of the backend sees it.

use async_trait::async_trait;
use offshoot_backend::Result;
use serde::{Deserialize, Serialize};
use std::fmt;
use std::path::{Path, PathBuf};
use tokio::net::UnixStream;

/// What runs the processor.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum Accelerator {
    /// The host's own, by KVM.
    Kvm,
    /// An emulation.
    Tcg,
}

/// What runs a machine.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq, Hash, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub(super) enum MonitorKind {
    #[default]
    Qemu,
    Firecracker,
}

/// What a machine is made of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Machine {
    pub(super) monitor: MonitorKind,
    pub(super) kernel: PathBuf,
    /// Bytes of memory.
    pub(super) memory: u64,
    pub(super) accelerator: Accelerator,
}

/// A machine that was captured.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Image {
    /// Processor and devices; memory too, where it is in no file.
    pub(super) state: PathBuf,
    /// The memory, which may be captured further: a machine only reads it.
    pub(super) memory: Option<PathBuf>,
}

/// What a machine does with the memory that it is restored from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(super) enum Memory {
    /// The file is the machine's from now on, and only its.
    Own,
    /// The file stays as it is; what the machine changes is its own.
    Shared,
}

/// Starts machines.
#[async_trait]
pub(super) trait Vmm: Send + Sync + fmt::Debug + 'static {
    /// Starts a machine with this first file system. Its files lie in the directory `home`.
    async fn boot(&self, home: &Path, machine: &Machine, first: &Path) -> Result<Box<dyn Vm>>;

    /// Starts a machine that goes on from an image; it is paused.
    async fn restore(
        &self,
        home: &Path,
        machine: &Machine,
        image: &Image,
        memory: Memory,
    ) -> Result<Box<dyn Vm>>;

    /// Whether a machine that goes on from [`Memory::Shared`] is captured as well as any other, so that
    /// nobody needs a copy of the file.
    fn shares(&self) -> bool;
}

/// A machine that runs, or is paused. It ends when it is dropped.
#[async_trait]
pub(super) trait Vm: Send + Sync + fmt::Debug + 'static {
    /// The stream to the agent; one at a time. A machine that has just started may have none yet, and
    /// is waited for.
    async fn channel(&self) -> Result<UnixStream>;

    /// Whether capturing it ends the stream, at both ends; then it needs another one to go on.
    fn is_cut(&self) -> bool;

    /// Stops the processor.
    async fn pause(&self) -> Result<()>;

    /// Lets it go on.
    async fn resume(&self) -> Result<()>;

    /// Writes what a paused machine holds into the directory `to`. With `copy` the memory is copied,
    /// if it is in a file; else the machine must not go on, and the image has its very file.
    async fn snapshot(&self, to: &Path, copy: bool) -> Result<Image>;

    /// Whether it is there.
    fn is_alive(&self) -> bool;

    /// Ends it at once; one that has ended is fine.
    async fn end(&self) -> Result<()>;
}
