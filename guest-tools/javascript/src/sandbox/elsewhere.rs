//! Outside a sandbox there are none of its processes: the language and the library can be tested there.

use std::io::Read as _;

use super::{Identity, Pairs, Result};

const MISSING: &str = "ENOSYS";

/// A pipe.
pub fn pipe() -> Result<(u32, u32)> {
    Err(MISSING)
}

/// Opens a file for a child.
pub fn open(_: &[u8], _: bool) -> Result<u32> {
    Err(MISSING)
}

/// Closes a descriptor.
pub fn close(_: u32) {}

/// Reads what is there; standard input is waited for.
pub fn read(descriptor: u32, most: u32) -> Result<Vec<u8>> {
    // Cells come by another descriptor than the program's input, which has to be there for itself here.
    if descriptor != 0 && descriptor != 3 {
        return Err(MISSING);
    }
    let mut content = vec![0; most as usize];
    let count = std::io::stdin().read(&mut content).map_err(|_| "EIO")?;
    content.truncate(count);
    Ok(content)
}

/// Writes.
pub fn write(_: u32, _: &[u8]) -> Result<u32> {
    Err(MISSING)
}

/// Writes to standard output, as one piece where it can be.
pub fn write_output(content: &[u8]) -> std::io::Result<()> {
    use std::io::Write as _;
    std::io::stdout().write_all(content)?;
    std::io::stdout().flush()
}

/// Starts a process.
pub fn spawn(_: &[u8], _: Vec<Vec<u8>>, _: Pairs, _: &[u8], _: Vec<(u32, u32)>) -> Result<u32> {
    Err(MISSING)
}

/// How a child ended.
pub fn try_wait(_: u32) -> Result<Option<i32>> {
    Err(MISSING)
}

/// Sends a signal.
pub fn kill(_: u32, _: u8) -> Result<()> {
    Err(MISSING)
}

/// How a stream of this process last failed.
pub fn stream_failure() -> Option<&'static str> {
    None
}

/// Whether a file can be run.
pub fn is_executable(path: &[u8]) -> bool {
    std::path::Path::new(&*String::from_utf8_lossy(path)).is_file()
}

/// Whether the descriptor is a terminal.
pub fn is_terminal(_: u32) -> bool {
    false
}

/// Who this process is.
pub fn identify() -> Identity {
    Identity {
        pid: std::process::id(),
        ..Identity::default()
    }
}

/// Changes permission bits.
pub fn set_mode(_: &[u8], _: u32) -> Result<()> {
    Err(MISSING)
}

/// Permission bits.
pub fn mode(_: &[u8], _: bool) -> Option<u32> {
    None
}

/// Makes a symbolic link.
pub fn symlink(_: &[u8], _: &[u8]) -> Result<()> {
    Err(MISSING)
}
