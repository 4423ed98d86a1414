//! What the shell needs from the system beneath it: files, pipes, processes, time.
//!
//! One trait, two implementations: `host` speaks to the kernel through the WIT interfaces `vfs` and
//! `process`; `linked` uses the `vfs` crate inside the same component and has no processes.
//! No method blocks: [`Errno::Again`] means "wait for the interest, then try again".

#[cfg(feature = "component")]
pub mod host;
#[cfg(any(feature = "linked", test))]
pub mod linked;

pub use offshoot_posix::errno::Errno;

/// A descriptor of the system, unique within the instance. The numbers that a script sees (`3>&1`)
/// are the machine's own and map to these.
pub type Handle = u32;

/// A process number.
pub type Pid = u32;

/// The result of a system operation.
pub type Result<T> = std::result::Result<T, Errno>;

/// How to open a file.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct OpenOptions {
    /// Reading is wanted.
    pub read: bool,
    /// Writing is wanted.
    pub write: bool,
    /// Each write goes to the end.
    pub append: bool,
    /// Make the file where it is missing.
    pub create: bool,
    /// With `create`: fail where it exists.
    pub exclusive: bool,
    /// Empty the file.
    pub truncate: bool,
    /// Fail on anything but a directory.
    pub directory: bool,
}

/// What a file is.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum FileKind {
    /// A regular file.
    Regular,
    /// A directory.
    Directory,
    /// A symbolic link.
    Symlink,
    /// A pipe.
    Fifo,
    /// A character device.
    CharacterDevice,
}

/// Seconds since 1970 and nanoseconds (0 to 999,999,999) counted forward from them.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Default)]
pub struct Timestamp {
    /// Whole seconds.
    pub seconds: i64,
    /// The rest.
    pub nanoseconds: u32,
}

/// What `stat` reports.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Stat {
    /// The kind.
    pub kind: FileKind,
    /// The mount.
    pub device: u64,
    /// The inode.
    pub inode: u64,
    /// Permission, set-id and sticky bits.
    pub mode: u32,
    /// Hard links.
    pub links: u32,
    /// Owner.
    pub uid: u32,
    /// Group.
    pub gid: u32,
    /// Bytes.
    pub size: u64,
    /// Units of 512 bytes.
    pub blocks: u64,
    /// Last read.
    pub accessed: Timestamp,
    /// Last change of the content.
    pub modified: Timestamp,
    /// Last change of anything.
    pub changed: Timestamp,
}

/// One name in a directory.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct DirectoryEntry {
    /// The name.
    pub name: Vec<u8>,
    /// What it is.
    pub kind: FileKind,
}

/// Who the shell is.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// `$$`
    pub pid: Pid,
    /// `$PPID`
    pub parent: Pid,
    /// `$UID`
    pub uid: u32,
    /// The first of `$GROUPS`.
    pub gid: u32,
    /// The user's name.
    pub user: String,
    /// The group's name.
    pub group: String,
    /// `$HOSTNAME`
    pub hostname: String,
}

/// How a child ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum ExitStatus {
    /// It returned this code.
    Exited(u8),
    /// This signal ended it.
    Signalled(u8),
}

/// What a new process starts with.
#[derive(Debug, Clone)]
pub struct Spawn<'a> {
    /// Absolute path.
    pub path: &'a [u8],
    /// Arguments, the name first.
    pub arguments: &'a [Vec<u8>],
    /// The whole environment.
    pub environment: &'a [(Vec<u8>, Vec<u8>)],
    /// Working directory.
    pub directory: &'a [u8],
    /// File creation mask.
    pub umask: u32,
    /// Its descriptors: number, and handle of ours.
    pub descriptors: &'a [(u32, Handle)],
    /// The task in whose place it runs: it gets that number where it is free.
    pub task: Option<Pid>,
}

/// A task of the shell, as others see it: a process.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct TaskInfo {
    /// Its number.
    pub pid: Pid,
    /// The number of the task or process that started it.
    pub parent: Pid,
    /// Arguments, the name first; none means those of the shell's process.
    pub arguments: Vec<Vec<u8>>,
    /// Working directory.
    pub directory: Vec<u8>,
    /// It stands still by a signal.
    pub stopped: bool,
}

/// What a task waits for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub enum Interest {
    /// The handle can be read, or is at its end.
    Readable(Handle),
    /// The handle can be written, or has no reader.
    Writable(Handle),
    /// The child ended.
    Child(Pid),
    /// The monotonic clock reached this many nanoseconds.
    Time(u64),
}

/// Which access is asked for.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Access {
    /// Reading.
    pub read: bool,
    /// Writing.
    pub write: bool,
    /// Executing, or searching.
    pub execute: bool,
}

/// Where a seek counts from.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Whence {
    /// The beginning.
    Start,
    /// The current offset.
    Current,
    /// The end.
    End,
}

/// The system beneath the shell. Paths are absolute bytes.
pub trait Os {
    /// Who runs.
    fn identity(&self) -> Identity;
    /// Opens a file; `mode` is already masked.
    fn open(&self, path: &[u8], options: OpenOptions, mode: u32) -> Result<Handle>;
    /// Closes a handle.
    fn close(&self, handle: Handle);
    /// Reads into `buffer`; 0 at the end.
    fn read(&self, handle: Handle, buffer: &mut [u8]) -> Result<usize>;
    /// Reads up to a delimiter, which then is the last byte of the result, and takes not one byte
    /// more: at most `limit` bytes or what is there, nothing at the end. [`Errno::NotSupported`] for
    /// what is no pipe.
    fn read_until(&self, handle: Handle, delimiter: u8, limit: usize) -> Result<Vec<u8>> {
        let _ = (handle, delimiter, limit);
        Err(Errno::NotSupported)
    }
    /// Writes and says how much was taken.
    fn write(&self, handle: Handle, data: &[u8]) -> Result<usize>;
    /// Moves the offset.
    fn seek(&self, handle: Handle, offset: i64, whence: Whence) -> Result<u64>;
    /// `fstat`
    fn stat_handle(&self, handle: Handle) -> Result<Stat>;
    /// `isatty`
    fn is_terminal(&self, handle: Handle) -> bool;
    /// The columns and lines of the terminal that a handle is.
    fn terminal_size(&self, handle: Handle) -> Option<(u16, u16)> {
        let _ = handle;
        None
    }
    /// Sets whether the terminal that a handle is shows what is typed, whether that arrives by lines, and
    /// whether keys such as Ctrl-C are signals.
    fn set_terminal(&self, handle: Handle, echo: bool, lines: bool, signals: bool) {
        let _ = (handle, echo, lines, signals);
    }
    /// `stat` or `lstat`.
    fn stat(&self, path: &[u8], follow: bool) -> Result<Stat>;
    /// `access`; nothing asked for means existence.
    fn access(&self, path: &[u8], access: Access) -> Result<()>;
    /// Entries in name order, without `.` and `..`.
    fn read_directory(&self, path: &[u8]) -> Result<Vec<DirectoryEntry>>;
    /// `readlink`
    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// The path without links, `.` and `..`.
    fn canonicalize(&self, path: &[u8]) -> Result<Vec<u8>>;
    /// `mkdir`; `mode` is already masked.
    fn make_directory(&self, path: &[u8], mode: u32) -> Result<()>;
    /// `mkfifo`
    fn make_fifo(&self, path: &[u8], mode: u32) -> Result<()>;
    /// `symlink`
    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()>;
    /// `link`
    fn link(&self, existing: &[u8], path: &[u8], follow: bool) -> Result<()>;
    /// `rename`
    fn rename(&self, old: &[u8], new: &[u8]) -> Result<()>;
    /// `unlink`
    fn unlink(&self, path: &[u8]) -> Result<()>;
    /// `rmdir`
    fn remove_directory(&self, path: &[u8]) -> Result<()>;
    /// `chmod`
    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()>;
    /// Sets access and modification time; none means the present.
    fn set_times(
        &self,
        path: &[u8],
        accessed: Option<Timestamp>,
        modified: Option<Timestamp>,
    ) -> Result<()>;
    /// A bounded pipe: reader, writer.
    fn pipe(&self) -> Result<(Handle, Handle)>;
    /// Starts a process; [`Errno::NoExec`] where the file is no program.
    fn spawn(&self, options: &Spawn<'_>) -> Result<Pid>;
    /// How a child ended, once.
    fn try_wait(&self, pid: Pid) -> Result<Option<ExitStatus>>;
    /// Sends a signal.
    fn kill(&self, pid: Pid, signal: u8) -> Result<()>;
    /// Whether commands can run as programs, each a process.
    fn has_processes(&self) -> bool {
        true
    }
    /// Says which tasks there are now, where others can see and reach them; of the process itself,
    /// where it works.
    fn set_tasks(&self, tasks: &[TaskInfo]) {
        let _ = tasks;
    }
    /// The processes of the sandbox and their parents, with the tasks that were told of.
    fn processes(&self) -> Vec<(Pid, Pid)> {
        Vec::new()
    }
    /// The wall clock.
    fn now(&self) -> Timestamp;
    /// The monotonic clock, in nanoseconds.
    fn monotonic(&self) -> u64;
    /// Random bits; equal for equal seeds in deterministic mode.
    fn random(&self) -> u64;
}
