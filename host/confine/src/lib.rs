//! Confines a process that runs sandboxes: what breaks out of WebAssembly finds a process without files, programs and
//! network of the host.
//!
//! The walls of a sandbox are wasmtime's. This is a second one behind them, by the kernel of Linux: [Landlock] closes
//! the file system, the network and signals to others, a [filter of system calls] closes new programs and processes,
//! debugging, mounts, modules and other ways into the kernel that a server of sandboxes has no use for. Everything is
//! given up for good: nothing that runs in the process can take it back.
//!
//! ```
//! use offshoot_confine::Confinement;
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let store = tempfile::tempdir()?;
//! // Of the thread that calls it, and of all that are started by it: enter before a runtime begins.
//! let thread = std::thread::spawn(move || -> Result<_, offshoot_confine::Error> {
//!     let walls = Confinement::default().write(store.path()).listen(3000).enter()?;
//!     Ok((walls, std::fs::read("/etc/passwd").is_err(), std::fs::write(store.path().join("own"), "").is_ok()))
//! });
//! let (walls, others_are_closed, own_is_open) = thread.join().map_err(|_| "panicked")??;
//! assert_eq!(walls.files, others_are_closed);
//! assert!(own_is_open);
//! # Ok(()) }
//! ```
//!
//! [Landlock]: https://docs.kernel.org/userspace-api/landlock.html
//! [filter of system calls]: https://docs.kernel.org/userspace-api/seccomp_filter.html

#[cfg(target_os = "linux")]
mod calls;
#[cfg(target_os = "linux")]
mod landlock;

use std::path::PathBuf;

/// Why a process could not be confined.
#[derive(Debug, thiserror::Error)]
#[non_exhaustive]
pub enum Error {
    /// A path that was to stay open cannot be opened.
    #[error("{path}: {reason}")]
    Path {
        /// The path.
        path: PathBuf,
        /// What happened.
        reason: String,
    },
    /// The kernel has what is needed, and refuses it.
    #[error("the kernel refused: {0}")]
    Refused(String),
}

impl Error {
    /// A stable code for programs.
    pub fn code(&self) -> &'static str {
        match self {
            Error::Path { .. } => "PATH",
            Error::Refused(_) => "REFUSED",
        }
    }
}

/// Which walls stand; what this kernel lacks is false.
#[derive(Debug, Clone, Copy, Default, PartialEq, Eq)]
#[non_exhaustive]
pub struct Walls {
    /// Files beyond those that stay open are closed (Linux 5.13, with Landlock).
    pub files: bool,
    /// Ports of TCP beyond those that stay open are closed (Linux 6.7).
    pub ports: bool,
    /// Processes beyond this one get no signals (Linux 6.12).
    pub signals: bool,
    /// System calls are filtered: no programs, processes, debugging, mounts, modules, users, raw sockets or sockets of
    /// Unix; without [`Confinement::connect`] no datagrams.
    pub calls: bool,
}

impl Walls {
    /// What this kernel lacks, in words; none where all walls stand.
    pub fn missing(&self) -> Vec<&'static str> {
        let all = [
            (self.files, "files"),
            (self.ports, "ports"),
            (self.signals, "signals"),
            (self.calls, "system calls"),
        ];
        let missing = all.into_iter().filter(|(stands, _)| !stands);
        missing.map(|(_, name)| name).collect()
    }
}

/// What stays open for a process that is confined; nothing by default but what every process reads of its system:
/// its own part of `/proc`, time zones, libraries, `/dev/null` and `/dev/urandom`.
#[derive(Debug, Clone, Default)]
pub struct Confinement {
    readable: Vec<PathBuf>,
    writable: Vec<PathBuf>,
    listening: Vec<u16>,
    connecting: bool,
}

impl Confinement {
    /// Leaves a file, or a directory with all that is in it, open for reading.
    #[must_use]
    pub fn read(mut self, path: impl Into<PathBuf>) -> Confinement {
        self.readable.push(path.into());
        self
    }

    /// Leaves a directory with all that is in it open for reading and writing. It must be there.
    #[must_use]
    pub fn write(mut self, path: impl Into<PathBuf>) -> Confinement {
        self.writable.push(path.into());
        self
    }

    /// Leaves a TCP port open for listening; 0 stands for whichever the system chooses.
    #[must_use]
    pub fn listen(mut self, port: u16) -> Confinement {
        self.listening.push(port);
        self
    }

    /// Leaves connections and datagrams to other hosts open, with what names and certificates are read from.
    #[must_use]
    pub fn connect(mut self) -> Confinement {
        self.connecting = true;
        self
    }

    /// Confines the calling thread and all that it starts from now on, for good, as far as this kernel can; on other
    /// systems than Linux nothing happens, and no wall stands. Call it before the first thread is started: those
    /// that run already stay free.
    ///
    /// # Errors
    /// [`Error::Path`] for a path to leave open that is not there, [`Error::Refused`].
    pub fn enter(self) -> Result<Walls, Error> {
        #[cfg(target_os = "linux")]
        {
            let mut walls = landlock::enter(&self)?;
            walls.calls = calls::filter(self.connecting)?;
            Ok(walls)
        }
        #[cfg(not(target_os = "linux"))]
        Ok(Walls::default())
    }
}
