//! The system of a run inside of another program: everything comes from its [`Host`].

mod file;
mod host;

use std::time::Duration;

pub use file::{File, Handle, Metadata, Standard, standard};
pub(crate) use file::{read, write};
use host::host;
pub use host::{Host, Opening, run};

use super::{
    Entry, Errno, Exit, Failure, Identity, Lock, NO_ENTRY, Process, Result, Space, Spawn, Stat,
    TerminalMode, Time, join, text_variable,
};

/// What a run cannot do.
const UNSUPPORTED: Failure = Failure(Errno::NotSupported);

/// The run is in its directory already.
pub fn enter_directory() {}

/// Ends the process, of which a run is a part: commands return instead.
pub fn exit(status: i32) -> ! {
    std::process::exit(status)
}

/// The working directory.
pub fn directory() -> Vec<u8> {
    host().map_or_else(|_| b"/".to_vec(), |host| host.directory())
}

fn absolute(path: &[u8]) -> Result<Vec<u8>> {
    match path.first() {
        None => Err(NO_ENTRY),
        Some(b'/') => Ok(path.to_vec()),
        Some(_) => Ok(join(&directory(), path)),
    }
}

/// The present.
pub(super) fn now() -> Time {
    host().map(|host| host.now()).unwrap_or_default()
}

/// The environment.
pub fn environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    host().map(|host| host.environment()).unwrap_or_default()
}

/// A variable of the environment.
pub fn variable(name: &str) -> Option<Vec<u8>> {
    let mut all = environment().into_iter();
    all.find(|(known, _)| known == name.as_bytes())
        .map(|(_, value)| value)
}

/// Opens a file for reading; a directory is refused as reading it would be.
pub fn open_file(path: &[u8]) -> Result<File> {
    File::open(&absolute(path)?, Opening::default())
}

/// Creates or empties a file; `append` keeps what is in it.
pub fn create_file(path: &[u8], append: bool) -> Result<File> {
    let how = Opening {
        write: true,
        append,
        exclusive: false,
    };
    File::open(&absolute(path)?, how)
}

/// Creates a file where there is nothing of its name.
pub fn create_new(path: &[u8]) -> Result<File> {
    let how = Opening {
        write: true,
        append: false,
        exclusive: true,
    };
    File::open(&absolute(path)?, how)
}

/// `stat`, or without `follow` `lstat`.
pub fn stat(path: &[u8], follow: bool) -> Result<Stat> {
    host()?.stat(&absolute(path)?, follow)
}

/// `stat` of an open descriptor.
pub fn stat_descriptor(descriptor: u32) -> Result<Stat> {
    host()?.stat_file(descriptor)
}

/// Moves the offset of standard input back over bytes that were read and not used: who shares it reads
/// them next. A pipe keeps its own.
pub fn give_back(count: usize) {
    if let (Ok(host), Ok(count)) = (host(), i64::try_from(count)) {
        // Only files can.
        let _ = host.seek(0, std::io::SeekFrom::Current(-count));
    }
}

/// Whether the descriptor is a terminal: a run has none.
pub fn is_terminal(_descriptor: u32) -> bool {
    false
}

/// The columns and lines of the terminal that a descriptor is.
pub fn terminal_size(_descriptor: u32) -> Option<(u16, u16)> {
    None
}

/// There is no terminal to set.
pub fn set_terminal(_descriptor: u32, _wanted: TerminalMode) -> Result<()> {
    Err(UNSUPPORTED)
}

/// How the terminal that a descriptor is takes what is typed.
pub fn terminal_mode(_descriptor: u32) -> Option<TerminalMode> {
    None
}

/// Whether the user may read (4), write (2) and execute (1) the path.
pub fn access(path: &[u8], bits: u32) -> Result<()> {
    host()?.access(&absolute(path)?, bits)
}

/// The names in a directory, sorted.
pub fn read_directory(path: &[u8]) -> Result<Vec<Entry>> {
    host()?.read_directory(&absolute(path)?)
}

/// The target of a symbolic link.
pub fn read_link(path: &[u8]) -> Result<Vec<u8>> {
    host()?.read_link(&absolute(path)?)
}

/// The path without symbolic links, `.` and `..`.
pub fn canonicalize(path: &[u8]) -> Result<Vec<u8>> {
    host()?.canonicalize(&absolute(path)?)
}

/// Makes a directory.
pub fn make_directory(path: &[u8], mode: u32) -> Result<()> {
    host()?.make_directory(&absolute(path)?, mode)
}

/// Makes a named pipe.
pub fn make_fifo(path: &[u8], mode: u32) -> Result<()> {
    host()?.make_fifo(&absolute(path)?, mode)
}

/// Makes a symbolic link.
pub fn symlink(target: &[u8], path: &[u8]) -> Result<()> {
    host()?.symlink(target, &absolute(path)?)
}

/// Makes a hard link.
pub fn link(existing: &[u8], path: &[u8], follow: bool) -> Result<()> {
    host()?.link(&absolute(existing)?, &absolute(path)?, follow)
}

/// Moves a file or directory.
pub fn rename(old: &[u8], new: &[u8]) -> Result<()> {
    host()?.rename(&absolute(old)?, &absolute(new)?)
}

/// Removes a name that is no directory.
pub fn unlink(path: &[u8]) -> Result<()> {
    host()?.unlink(&absolute(path)?)
}

/// Removes an empty directory.
pub fn remove_directory(path: &[u8]) -> Result<()> {
    host()?.remove_directory(&absolute(path)?)
}

/// Changes permission bits.
pub fn set_mode(path: &[u8], mode: u32) -> Result<()> {
    host()?.set_mode(&absolute(path)?, mode)
}

/// Only what changes nothing is possible: a run has one user.
pub fn set_owner(path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> Result<()> {
    let found = stat(path, follow)?;
    let same = uid.is_none_or(|uid| uid == found.uid) && gid.is_none_or(|gid| gid == found.gid);
    if same {
        Ok(())
    } else {
        Err(Failure(Errno::NotPermitted))
    }
}

/// Changes the times of access and modification; those of a symbolic link itself cannot be set.
pub fn set_times(path: &[u8], accessed: Time, modified: Time, follow: bool) -> Result<()> {
    let path = absolute(path)?;
    if !follow && stat(&path, false)?.kind == super::Kind::Symlink {
        return Err(UNSUPPORTED);
    }
    host()?.set_times(&path, accessed, modified)
}

/// Size and use of a filesystem: not known.
pub fn space(path: &[u8]) -> Result<Space> {
    stat(path, true)?;
    Err(UNSUPPORTED)
}

/// Opens a file for a child, for reading, or emptied for writing.
pub fn open_handle(path: &[u8], write: bool) -> Result<Handle> {
    if write {
        create_file(path, false)
    } else {
        open_file(path)
    }
}

/// Opens a file for a child that writes at its end.
pub fn open_appended(path: &[u8]) -> Result<Handle> {
    create_file(path, true)
}

/// Standard input (0), output (1) or error (2), for a child.
pub fn standard_handle(descriptor: u32) -> Result<Handle> {
    standard(descriptor)
}

/// There are no locks.
pub fn open_lock(_path: &[u8]) -> Result<Handle> {
    Err(UNSUPPORTED)
}

/// There are no locks.
pub fn lock(_handle: &Handle, _lock: Lock) -> Result<()> {
    Err(UNSUPPORTED)
}

/// There are no locks.
pub fn lock_descriptor(_number: u32, _lock: Lock) -> Result<()> {
    Err(UNSUPPORTED)
}

/// Who runs.
pub fn identity() -> Identity {
    let nobody = || Identity {
        uid: 0,
        gid: 0,
        user: String::new(),
        group: String::new(),
        hostname: String::new(),
        pid: 0,
        parent: 0,
    };
    host().map_or_else(|_| nobody(), |host| host.identity())
}

/// The permission bits that new files do not get.
pub fn umask() -> u32 {
    host().map_or(0o022, |host| host.umask())
}

/// Starts another command.
///
/// # Errors
/// What [`Host::spawn`] says.
pub fn spawn(spawn: &Spawn) -> Result<u32> {
    host()?.spawn(spawn)
}

/// How a command that was started ended.
///
/// # Errors
/// [`Errno::Child`]: none of this number was started.
pub fn wait(pid: u32) -> Result<Exit> {
    host()?.wait(pid)
}

/// The same: what was started has ended.
///
/// # Errors
/// Those of [`wait`].
pub fn try_wait(pid: u32) -> Result<Option<Exit>> {
    wait(pid).map(Some)
}

/// What was started has ended.
pub fn kill(_pid: u32, _signal: u8) -> Result<()> {
    Err(Failure(Errno::NoProcess))
}

/// What was started has ended.
pub fn processes() -> Vec<Process> {
    Vec::new()
}

/// How long the system runs.
pub fn uptime() -> Duration {
    host().map(|host| host.uptime()).unwrap_or_default()
}

/// Why a stream last failed: its error says it.
pub fn stream_failure() -> Option<Failure> {
    None
}

/// A pipe: the file that reads, and the one that writes.
///
/// # Errors
/// What [`Host::pipe`] says.
pub fn pipe() -> Result<(Handle, Handle)> {
    let (reader, writer) = host()?.pipe()?;
    Ok((File::opened(reader), File::opened(writer)))
}
