//! Processes that are WebAssembly components.
//!
//! The crate has what a small operating system has, for one sandbox at a time: an [`Engine`] that
//! runs guests within limits, [`Programs`], a [`Kernel`] with processes, pipes and signals over the
//! sandbox's filesystem, WASI 0.2 for programs, and the [`Shell`] that scripts run in. It holds no
//! policy: paths, environment and limits come from the embedder.
//!
//! No guest reaches anything of the host. WASI is served from [`offshoot_vfs::Vfs`] and from the
//! [`Time`] and randomness in [`Settings`]; sockets reach the loopback of the sandbox, and nothing else.

mod descriptor;
mod engine;
mod error;
mod gate;
mod guest;
mod kernel;
mod limit;
mod loopback;
mod memory;
mod proc;
mod process;
mod program;
mod shell;
mod time;

pub use descriptor::{ByteReader, ByteWriter, Capture, Screen, Stdio};
pub use engine::{Artifact, Cpu, Engine, EngineOptions, PageAligned, Running, Unpack, user_cache};
pub use error::{Error, Result};
pub use gate::Gate;
pub use kernel::{HeldMemory, Identity, Kernel, ProcessInfo, Settings};
pub use limit::{Limit, Limits};
pub use memory::give_memory_back;
pub use process::{Process, ProcessEnd, SpawnOptions};
pub use program::{
    Image, Input, Invocation, LoopbackStream, Output, Program, Programs, Rounds, marker,
};
pub use shell::{
    Budgets, Paused, Reopened, Request, Resume, Session, Setup, Shell, Signals, Source, Suspended,
    Suspender,
};
pub use time::{FixedTime, SeededRandom, SystemRandom, SystemTimes, Time, WallClock};
