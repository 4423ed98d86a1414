//! What takes the place of a process's system in a run.

use std::cell::RefCell;
use std::rc::Rc;
use std::time::Duration;

use crate::call::Call;
use crate::system::{Entry, Errno, Exit, Failure, Identity, Result, Spawn, Stat, Time};

/// How a file is opened.
#[derive(Clone, Copy, Debug, Default)]
pub struct Opening {
    /// It is written instead of read; it is made where it is missing.
    pub write: bool,
    /// Each write goes to its end; otherwise it is emptied.
    pub append: bool,
    /// Nothing of its name may be there.
    pub exclusive: bool,
}

/// The system of one run of a command. Paths are absolute; files are numbers, those of standard streams 0, 1 and 2.
/// Nothing waits for others: where a process would, the operation fails. What a command starts runs to its end within
/// the run.
pub trait Host {
    /// Who runs.
    fn identity(&self) -> Identity;
    /// The working directory.
    fn directory(&self) -> Vec<u8>;
    /// The permission bits that new files do not get.
    fn umask(&self) -> u32;
    /// The environment.
    fn environment(&self) -> Vec<(Vec<u8>, Vec<u8>)>;
    /// The wall clock.
    fn now(&self) -> Time;
    /// How long the system runs.
    fn uptime(&self) -> Duration;

    /// Opens a file.
    fn open(&self, path: &[u8], how: Opening) -> Result<u32>;
    /// Closes a file; standard streams stay open.
    fn close(&self, file: u32);
    /// Reads; 0 at the end.
    fn read(&self, file: u32, buffer: &mut [u8]) -> Result<usize>;
    /// Writes and says how much was taken.
    fn write(&self, file: u32, bytes: &[u8]) -> Result<usize>;
    /// Moves the offset.
    fn seek(&self, file: u32, to: std::io::SeekFrom) -> Result<u64>;
    /// `fstat`
    fn stat_file(&self, file: u32) -> Result<Stat>;

    /// `stat`, or without `follow` `lstat`.
    fn stat(&self, path: &[u8], follow: bool) -> Result<Stat>;
    /// Whether the user may read (4), write (2) and execute (1) the path.
    fn access(&self, path: &[u8], bits: u32) -> Result<()>;
    /// The names in a directory, sorted.
    fn read_directory(&self, path: &[u8]) -> Result<Vec<Entry>>;
    /// The target of a symbolic link.
    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// The path without symbolic links, `.` and `..`.
    fn canonicalize(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// Makes a directory.
    fn make_directory(&self, path: &[u8], mode: u32) -> Result<()>;
    /// Makes a named pipe.
    fn make_fifo(&self, path: &[u8], mode: u32) -> Result<()>;
    /// Makes a symbolic link.
    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()>;
    /// Makes a hard link.
    fn link(&self, existing: &[u8], path: &[u8], follow: bool) -> Result<()>;
    /// Moves a file or directory.
    fn rename(&self, old: &[u8], new: &[u8]) -> Result<()>;
    /// Removes a name that is no directory.
    fn unlink(&self, path: &[u8]) -> Result<()>;
    /// Removes an empty directory.
    fn remove_directory(&self, path: &[u8]) -> Result<()>;
    /// Changes permission bits.
    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()>;
    /// Changes the times of access and modification.
    fn set_times(&self, path: &[u8], accessed: Time, modified: Time) -> Result<()>;

    /// A pipe: the file that reads, and the one that writes. It takes whatever is written.
    fn pipe(&self) -> Result<(u32, u32)>;
    /// Starts another command, and gives its number. It runs as soon as its input is complete.
    fn spawn(&self, spawn: &Spawn<'_>) -> Result<u32>;
    /// How a command that was started ended.
    fn wait(&self, pid: u32) -> Result<Exit>;
}

thread_local! {
    static HOST: RefCell<Option<Rc<dyn Host>>> = const { RefCell::new(None) };
}

/// A run under way, and what it is within: ends also where the command panicked.
struct Running {
    around: Option<Rc<dyn Host>>,
    utf8: bool,
}

impl Drop for Running {
    fn drop(&mut self) {
        HOST.with(|place| place.replace(self.around.take()));
        offshoot_posix::locale::set_utf8(self.utf8);
    }
}

/// Runs a command to its end on this host and gives its status. It may start others, whose runs are within its own.
pub fn run(host: Rc<dyn Host>, command: fn(&Call) -> i32, call: &Call) -> i32 {
    let running = Running {
        around: HOST.with(|place| place.replace(Some(host))),
        utf8: offshoot_posix::locale::is_utf8(),
    };
    offshoot_posix::locale::set_utf8(offshoot_posix::locale::names_utf8(|name| {
        super::text_variable(name)
    }));
    let status = command(call);
    drop(running);
    status
}

/// The host of this run.
pub(super) fn host() -> Result<Rc<dyn Host>> {
    let found = HOST.with(|place| place.borrow().clone());
    found.ok_or(Failure(Errno::NotSupported))
}
