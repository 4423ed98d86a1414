//! The machine's own files and processes.

use std::collections::HashMap;
use std::fs::{self, File, Permissions};
use std::io::{Read, Write};
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, PermissionsExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Mutex;
use std::time::Duration;

use super::{
    Entry, Errno, Exit, Failure, Identity, Kind, Lock, Process, Result, Space, Spawn, Stat,
    TerminalMode, Time,
};

/// An open file for a child.
pub struct Handle(File);

static CHILDREN: Mutex<Option<HashMap<u32, Child>>> = Mutex::new(None);

fn native(path: &[u8]) -> &Path {
    Path::new(std::ffi::OsStr::from_bytes(path))
}

/// The process is in its directory already.
pub fn enter_directory() {}

/// Ends the process.
pub fn exit(status: i32) -> ! {
    std::process::exit(status)
}

fn kind(found: fs::FileType) -> Kind {
    if found.is_dir() {
        Kind::Directory
    } else if found.is_symlink() {
        Kind::Symlink
    } else if found.is_fifo() {
        Kind::Fifo
    } else if found.is_char_device() {
        Kind::CharacterDevice
    } else {
        Kind::Regular
    }
}

fn convert(found: &fs::Metadata) -> Stat {
    let time = |seconds, nanoseconds: i64| Time {
        seconds,
        nanoseconds: nanoseconds as u32,
    };
    Stat {
        kind: kind(found.file_type()),
        device: found.dev(),
        inode: found.ino(),
        mode: found.mode() & 0o7777,
        links: found.nlink() as u32,
        uid: found.uid(),
        gid: found.gid(),
        size: found.size(),
        blocks: found.blocks(),
        accessed: time(found.atime(), found.atime_nsec()),
        modified: time(found.mtime(), found.mtime_nsec()),
        changed: time(found.ctime(), found.ctime_nsec()),
        created: time(found.mtime(), found.mtime_nsec()),
    }
}

/// `stat`, or without `follow` `lstat`.
pub fn stat(path: &[u8], follow: bool) -> Result<Stat> {
    let path = native(path);
    Ok(convert(&if follow {
        fs::metadata(path)?
    } else {
        fs::symlink_metadata(path)?
    }))
}

/// `stat` of an open descriptor.
pub fn stat_descriptor(descriptor: u32) -> Result<Stat> {
    stat(format!("/proc/self/fd/{descriptor}").as_bytes(), true)
}

/// Moves the offset of standard input back over bytes that were read and not used: who shares it reads
/// them next. A pipe keeps its own.
pub fn give_back(count: usize) {
    use std::io::{Seek as _, SeekFrom};
    use std::os::fd::AsFd as _;
    let Ok(count) = i64::try_from(count) else {
        return;
    };
    if let Ok(own) = std::io::stdin().as_fd().try_clone_to_owned() {
        // Only files can.
        let _ = std::fs::File::from(own).seek(SeekFrom::Current(-count));
    }
}

/// Whether the descriptor is a terminal.
pub fn is_terminal(descriptor: u32) -> bool {
    use std::io::IsTerminal as _;
    match descriptor {
        0 => std::io::stdin().is_terminal(),
        1 => std::io::stdout().is_terminal(),
        _ => std::io::stderr().is_terminal(),
    }
}

/// The columns and lines of the terminal that a descriptor is: natively not known.
pub fn terminal_size(_descriptor: u32) -> Option<(u16, u16)> {
    None
}

/// Natively a terminal is left as it is.
pub fn set_terminal(_descriptor: u32, _wanted: TerminalMode) -> Result<()> {
    Err(Failure(Errno::NotSupported))
}

/// Natively not known.
pub fn terminal_mode(_descriptor: u32) -> Option<TerminalMode> {
    None
}

/// Whether the user may read (4), write (2) and execute (1) the path.
pub fn access(path: &[u8], bits: u32) -> Result<()> {
    let found = stat(path, true)?;
    let allowed = if identity().uid == 0 {
        bits & 1 == 0 || found.mode & 0o111 != 0 || found.kind == Kind::Directory
    } else {
        (found.mode >> 6) & bits == bits
    };
    if allowed { Ok(()) } else { Err(super::ACCESS) }
}

/// The names in a directory, sorted.
pub fn read_directory(path: &[u8]) -> Result<Vec<Entry>> {
    let mut entries = Vec::new();
    for entry in fs::read_dir(native(path))? {
        let entry = entry?;
        entries.push(Entry {
            name: entry.file_name().into_vec(),
            kind: kind(entry.file_type()?),
        });
    }
    entries.sort_by(|a, b| a.name.cmp(&b.name));
    Ok(entries)
}

/// The target of a symbolic link.
pub fn read_link(path: &[u8]) -> Result<Vec<u8>> {
    Ok(fs::read_link(native(path))?.into_os_string().into_vec())
}

/// The path without symbolic links, `.` and `..`.
pub fn canonicalize(path: &[u8]) -> Result<Vec<u8>> {
    Ok(fs::canonicalize(native(path))?.into_os_string().into_vec())
}

/// Makes a directory.
pub fn make_directory(path: &[u8], mode: u32) -> Result<()> {
    use std::os::unix::fs::DirBuilderExt as _;
    Ok(fs::DirBuilder::new().mode(mode).create(native(path))?)
}

/// Makes a named pipe.
pub fn make_fifo(path: &[u8], mode: u32) -> Result<()> {
    let status = Command::new("/usr/bin/mkfifo")
        .arg(format!("--mode={:o}", mode & !umask()))
        .arg(native(path))
        .stderr(Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(super::EXIST)
    }
}

/// Makes a symbolic link.
pub fn symlink(target: &[u8], path: &[u8]) -> Result<()> {
    Ok(std::os::unix::fs::symlink(native(target), native(path))?)
}

/// Makes a hard link.
pub fn link(existing: &[u8], path: &[u8], follow: bool) -> Result<()> {
    if follow {
        let existing = canonicalize(existing)?;
        return Ok(fs::hard_link(native(&existing), native(path))?);
    }
    Ok(fs::hard_link(native(existing), native(path))?)
}

/// Moves a file or directory.
pub fn rename(old: &[u8], new: &[u8]) -> Result<()> {
    Ok(fs::rename(native(old), native(new))?)
}

/// Removes a name that is no directory.
pub fn unlink(path: &[u8]) -> Result<()> {
    Ok(fs::remove_file(native(path))?)
}

/// Removes an empty directory.
pub fn remove_directory(path: &[u8]) -> Result<()> {
    Ok(fs::remove_dir(native(path))?)
}

/// Changes permission bits.
pub fn set_mode(path: &[u8], mode: u32) -> Result<()> {
    Ok(fs::set_permissions(
        native(path),
        Permissions::from_mode(mode),
    )?)
}

/// Changes owner and group.
pub fn set_owner(path: &[u8], uid: Option<u32>, gid: Option<u32>, follow: bool) -> Result<()> {
    let path = native(path);
    let _: () = if follow {
        std::os::unix::fs::chown(path, uid, gid)?
    } else {
        std::os::unix::fs::lchown(path, uid, gid)?
    };
    Ok(())
}

/// Changes the times of access and modification.
pub fn set_times(path: &[u8], accessed: Time, modified: Time, follow: bool) -> Result<()> {
    use filetime::{FileTime, set_file_times, set_symlink_file_times};
    let convert = |time: Time| FileTime::from_unix_time(time.seconds, time.nanoseconds);
    let (accessed, modified) = (convert(accessed), convert(modified));
    // Following opens the file, which waits where it is a named pipe.
    let link = fs::symlink_metadata(native(path)).is_ok_and(|stat| stat.is_symlink());
    if follow && link {
        set_file_times(native(path), accessed, modified)?;
    } else {
        set_symlink_file_times(native(path), accessed, modified)?;
    }
    Ok(())
}

/// Size and use of the filesystem that holds `path`.
pub fn space(path: &[u8]) -> Result<Space> {
    stat(path, true)?;
    Ok(Space {
        total_bytes: 1 << 30,
        free_bytes: 1 << 29,
        total_inodes: 1 << 20,
        free_inodes: 1 << 19,
    })
}

/// Opens a file to be locked, and makes it where it is missing.
pub fn open_lock(path: &[u8]) -> Result<Handle> {
    let path = native(path);
    let opened = File::options()
        .read(true)
        .write(true)
        .create(true)
        .truncate(false)
        .open(path);
    Ok(Handle(opened.or_else(|_| File::open(path))?))
}

/// Locks an open file; [`AGAIN`](super::AGAIN) where another lock is in the way.
pub fn lock(handle: &Handle, lock: Lock) -> Result<()> {
    let refused = |error| match error {
        fs::TryLockError::WouldBlock => super::AGAIN,
        fs::TryLockError::Error(error) => error.into(),
    };
    match lock {
        Lock::Shared => handle.0.try_lock_shared().map_err(refused),
        Lock::Exclusive => handle.0.try_lock().map_err(refused),
        Lock::None => Ok(handle.0.unlock()?),
    }
}

/// Locks what was inherited under this number. The machine's own command does it: safe code cannot
/// take a number for an open file.
pub fn lock_descriptor(number: u32, lock: Lock) -> Result<()> {
    let option = match lock {
        Lock::Shared => "-sn",
        Lock::Exclusive => "-xn",
        Lock::None => "-u",
    };
    let number = number.to_string();
    let mut command = Command::new("/usr/bin/flock");
    let command = command.args([option, &number]).stderr(Stdio::null());
    match command.status()?.code() {
        Some(0) => Ok(()),
        Some(1) => Err(super::AGAIN),
        _ => Err(Failure(Errno::BadDescriptor)),
    }
}

/// Opens a file for a child, for reading, or emptied for writing.
pub fn open_handle(path: &[u8], write: bool) -> Result<Handle> {
    let file = if write {
        File::options()
            .read(true)
            .write(true)
            .create(true)
            .truncate(true)
            .open(native(path))?
    } else {
        File::open(native(path))?
    };
    Ok(Handle(file))
}

/// Opens a file for a child that writes at its end; who owns it alone may read it where it is made.
pub fn open_appended(path: &[u8]) -> Result<Handle> {
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = File::options();
    options.append(true).create(true).mode(0o600);
    Ok(Handle(options.open(native(path))?))
}

/// Standard input (0), output (1) or error (2), for a child.
pub fn standard_handle(descriptor: u32) -> Result<Handle> {
    standard(descriptor).map(Handle)
}

/// Who the process is.
pub fn identity() -> Identity {
    let (uid, gid) = fs::metadata("/proc/self").map_or((0, 0), |found| (found.uid(), found.gid()));
    let hostname = fs::read_to_string("/proc/sys/kernel/hostname").unwrap_or_default();
    Identity {
        uid,
        gid,
        user: "root".to_owned(),
        group: "root".to_owned(),
        hostname: hostname.trim().to_owned(),
        pid: std::process::id(),
        parent: std::os::unix::process::parent_id(),
    }
}

/// The permission bits that new files do not get.
pub fn umask() -> u32 {
    let status = fs::read_to_string("/proc/self/status").unwrap_or_default();
    let line = status.lines().find_map(|line| line.strip_prefix("Umask:"));
    line.and_then(|mask| u32::from_str_radix(mask.trim(), 8).ok())
        .unwrap_or(0o022)
}

/// Starts a process.
pub fn spawn(spawn: &Spawn) -> Result<u32> {
    // Safe code cannot hand a further descriptor to a child of the machine.
    let _ = spawn.streams.kept;
    let os = std::ffi::OsStr::from_bytes;
    let mut command = Command::new(native(spawn.path));
    let (name, rest) = spawn
        .arguments
        .split_first()
        .ok_or(Failure(Errno::Invalid))?;
    command
        .arg0(os(name))
        .args(rest.iter().map(|argument| os(argument)))
        .env_clear();
    command.envs(
        spawn
            .environment
            .iter()
            .map(|(name, value)| (os(name), os(value))),
    );
    if let Some(directory) = spawn.directory {
        command.current_dir(native(directory));
    }
    if let Some(input) = spawn.streams.input {
        command.stdin(input.0.try_clone()?);
    }
    if let Some(output) = spawn.streams.output {
        command.stdout(output.0.try_clone()?);
    }
    if let Some(errors) = spawn.streams.errors {
        command.stderr(errors.0.try_clone()?);
    }
    let child = command.spawn()?;
    let pid = child.id();
    if let Ok(mut children) = CHILDREN.lock() {
        children.get_or_insert_default().insert(pid, child);
    }
    Ok(pid)
}

fn ended(status: std::process::ExitStatus) -> Exit {
    match status.code() {
        Some(code) => Exit::Code(code as u8),
        None => Exit::Signal(status.signal().unwrap_or(0) as u8),
    }
}

fn take(pid: u32) -> Result<Child> {
    let mut children = CHILDREN.lock().map_err(|_| Failure(Errno::Child))?;
    children
        .get_or_insert_default()
        .remove(&pid)
        .ok_or(Failure(Errno::Child))
}

/// Waits for a child.
pub fn wait(pid: u32) -> Result<Exit> {
    Ok(ended(take(pid)?.wait()?))
}

/// How a child ended, or none while it runs.
pub fn try_wait(pid: u32) -> Result<Option<Exit>> {
    let mut child = take(pid)?;
    let found = child.try_wait()?.map(ended);
    if let (None, Ok(mut children)) = (found, CHILDREN.lock()) {
        children.get_or_insert_default().insert(pid, child);
    }
    Ok(found)
}

/// Sends a signal.
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    let status = Command::new("/bin/kill")
        .arg(format!("-{signal}"))
        .arg(pid.to_string())
        .stderr(std::process::Stdio::null())
        .status()?;
    if status.success() {
        Ok(())
    } else {
        Err(Failure(Errno::NoProcess))
    }
}

/// The processes of the machine.
pub fn processes() -> Vec<Process> {
    let entries = fs::read_dir("/proc").into_iter().flatten().flatten();
    let pids = entries.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut found: Vec<Process> = pids.filter_map(process).collect();
    found.sort_by_key(|process| process.pid);
    found
}

fn process(pid: u32) -> Option<Process> {
    let line = fs::read(format!("/proc/{pid}/cmdline")).ok()?;
    let words = line.strip_suffix(b"\0")?.split(|&byte| byte == 0);
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The name in parentheses may have blanks.
    let fields = stat.rsplit_once(')')?.1;
    Some(Process {
        pid,
        parent: fields.split_whitespace().nth(1)?.parse().ok()?,
        started: Time::now(),
        arguments: words.map(<[u8]>::to_vec).collect(),
    })
}

/// How long the machine runs.
pub fn uptime() -> Duration {
    let text = fs::read_to_string("/proc/uptime").unwrap_or_default();
    let seconds = text.split(' ').next().and_then(|word| word.parse().ok());
    Duration::try_from_secs_f64(seconds.unwrap_or(0.0)).unwrap_or_default()
}

/// Why the standard library last failed to read or write, where it says only EIO: here it says more.
pub fn stream_failure() -> Option<Failure> {
    None
}

/// A pipe: what is written into the second end is read from the first.
pub fn pipe() -> Result<(Handle, Handle)> {
    let (reader, writer) = std::io::pipe()?;
    let handle = |end: OwnedFd| Handle(File::from(end));
    Ok((handle(reader.into()), handle(writer.into())))
}

/// Standard input, output or error as it is: no more is read and written than is asked for.
pub type Standard = File;

/// Standard input (0), output (1) or error (2) without a buffer, for who shares it with others.
pub fn standard(descriptor: u32) -> Result<Standard> {
    use std::os::fd::AsFd as _;
    let own = match descriptor {
        0 => std::io::stdin().as_fd().try_clone_to_owned(),
        1 => std::io::stdout().as_fd().try_clone_to_owned(),
        _ => std::io::stderr().as_fd().try_clone_to_owned(),
    };
    Ok(File::from(own?))
}

impl Read for Handle {
    fn read(&mut self, buffer: &mut [u8]) -> std::io::Result<usize> {
        self.0.read(buffer)
    }
}

impl Write for Handle {
    fn write(&mut self, bytes: &[u8]) -> std::io::Result<usize> {
        self.0.write(bytes)
    }

    fn flush(&mut self) -> std::io::Result<()> {
        Ok(())
    }
}
