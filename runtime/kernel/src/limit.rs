//! Limits of processes and sandboxes. Each stops an attack of the threat list, named by its id.

use std::fmt;
use std::time::Duration;

/// Entries of a process's resource table, which holds its WASI handles (T28).
pub(crate) const RESOURCES: usize = 1024;
/// Bytes that one host call may copy out of a guest (T28).
pub(crate) const HOST_CALL_BYTES: usize = 4 << 20;
/// Bytes of saved shell state that are copied out of a guest (T28).
pub(crate) const STATE_BYTES: usize = 256 << 20;
/// Bytes of randomness that one call may ask for (T28).
pub(crate) const RANDOM_BYTES: u64 = 64 << 10;
/// Bytes that one read takes at most, whatever length the guest names (T28).
pub(crate) const READ_BYTES: usize = 1 << 20;
/// Bytes that a linear memory can have: WebAssembly addresses them with 32 bits.
pub(crate) const MOST_MEMORY: u64 = 4 << 30;
/// Memories of one process (T27).
pub(crate) const MEMORIES: usize = 4;
/// Elements of one table (T27).
pub(crate) const TABLE_ELEMENTS: usize = 20_000;
/// Ended processes for which nobody has asked, as a multiple of the processes that may be alive (T20).
pub(crate) const ENDED: usize = 16;
/// Bytes of the host that one entry of a directory that is being read is taken for (T14, T28).
pub(crate) const ENTRY_BYTES: u64 = 96;
/// `#!` interpreters that are followed for one spawn, so that two scripts cannot name each other
/// without end (T21).
pub(crate) const INTERPRETERS: usize = 4;

/// Limits of one sandbox, counted and enforced by the kernel.
///
/// A limit that is reached ends what reached it with [`crate::ProcessEnd::Limit`], or refuses the
/// operation with the POSIX error for it where programs expect one (`EAGAIN`, `EMFILE`). Output that
/// was written before is delivered.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Limits {
    /// Bytes of linear memory of one process; 256 MiB. More than [`Limits::MOST_MEMORY`] is as good as that, and no
    /// process gets more than [`crate::EngineOptions::process_memory`] (T27).
    pub memory: u64,
    /// Bytes of linear memory of all processes together, with what is kept of programs that rest or have not begun
    /// yet; 1 GiB (T20, T27).
    pub total_memory: u64,
    /// How long an execution with all its processes may take; no limit by default (T19, T26, T39).
    pub wall_time: Option<Duration>,
    /// How much processor time an execution with all its processes may use; no limit by default (T19).
    pub cpu_time: Option<Duration>,
    /// Processes alive at once in the sandbox; 64 (T20).
    pub processes: usize,
    /// Descriptors open at once in one process; 256 (T38).
    pub open_files: usize,
    /// Bytes that an execution may write to what the embedder gave it as output; 1 GiB (T25).
    pub output: u64,
    /// WebAssembly instances of one process; 32 (T27).
    pub instances: usize,
    /// WebAssembly tables of one process; 32 (T27).
    pub tables: usize,
    /// Bytes of arguments and environment of one process; 2 MiB (T28).
    pub arguments: usize,
}

impl Limits {
    /// The most that [`Limits::memory`] can mean: 4 GiB, all that a process of 32 bits can address.
    pub const MOST_MEMORY: u64 = MOST_MEMORY;

    /// With this memory for one process, and as much as before for all others together.
    #[must_use]
    pub fn with_memory(self, memory: u64) -> Limits {
        let others = self.total_memory.saturating_sub(self.memory);
        Limits {
            memory,
            total_memory: self.total_memory.max(memory.saturating_add(others)),
            ..self
        }
    }
}

impl Default for Limits {
    fn default() -> Limits {
        Limits {
            memory: 256 << 20,
            total_memory: 1 << 30,
            wall_time: None,
            cpu_time: None,
            processes: 64,
            open_files: 256,
            output: 1 << 30,
            instances: 32,
            tables: 32,
            arguments: 2 << 20,
        }
    }
}

/// The limit that was reached.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
#[non_exhaustive]
pub enum Limit {
    /// Linear memory.
    Memory,
    /// Wall-clock time.
    WallTime,
    /// Processor time.
    CpuTime,
    /// Processes alive at once.
    Processes,
    /// Places for instances, which the sandboxes of one host process share.
    Places,
    /// Descriptors open at once.
    OpenFiles,
    /// Bytes written as output.
    Output,
    /// WebAssembly instances.
    Instances,
    /// WebAssembly tables, or their elements.
    Tables,
    /// Instructions that the shell executed.
    Steps,
    /// Nesting in the shell.
    Depth,
    /// Bytes that one word expansion produced.
    Expansion,
    /// Bytes that shell variables hold.
    Variables,
}

impl Limit {
    /// The name, as in `wit/types.wit`, which knows all that a guest can meet.
    pub fn name(self) -> &'static str {
        match self {
            Limit::Memory => "memory",
            Limit::WallTime => "wall-time",
            Limit::CpuTime => "cpu-time",
            Limit::Processes => "processes",
            Limit::Places => "places",
            Limit::OpenFiles => "open-files",
            Limit::Output => "output",
            Limit::Instances => "instances",
            Limit::Tables => "tables",
            Limit::Steps => "steps",
            Limit::Depth => "depth",
            Limit::Expansion => "expansion",
            Limit::Variables => "variables",
        }
    }
}

impl fmt::Display for Limit {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
