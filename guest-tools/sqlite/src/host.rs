//! What SQLite needs to know of the process it runs in.

use std::path::PathBuf;
use std::sync::OnceLock;

use crate::error::Error;
use crate::{ffi, files};

/// What the process tells SQLite about itself and its system.
#[derive(Clone, Copy, Debug)]
pub struct Host {
    /// The id of this process, which its locks carry.
    pub pid: u32,
    /// Whether a process is alive: the lock of one that is gone is taken away.
    pub is_alive: fn(u32) -> bool,
    /// The working directory.
    pub directory: fn() -> PathBuf,
}

impl Host {
    /// A host for tests and tools outside of a sandbox: every process counts as alive.
    pub fn of_this_process() -> Host {
        Host {
            pid: std::process::id(),
            is_alive: |_| true,
            directory: || std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/")),
        }
    }
}

static HOST: OnceLock<Host> = OnceLock::new();

/// The host that was installed; SQLite calls back only after that.
pub(crate) fn host() -> &'static Host {
    HOST.get_or_init(Host::of_this_process)
}

/// Sets SQLite up over `host`; the first call counts, later ones change nothing.
///
/// # Errors
/// SQLite could not be initialised.
pub fn install(host: Host) -> Result<(), Error> {
    if HOST.set(host).is_err() {
        return Ok(());
    }
    // SAFETY: called once, before any connection exists.
    unsafe {
        let code = ffi::sqlite3_initialize();
        if code != ffi::SQLITE_OK {
            return Err(Error::from_code(code));
        }
        files::register()?;
    }
    Ok(())
}
