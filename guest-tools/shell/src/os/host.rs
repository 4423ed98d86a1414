//! The system beneath the shell guest of the native runtime: the kernel, through the WIT interfaces `vfs` and
//! `process`.
//!
//! Each function is one call to the kernel, with types converted both ways and errors as `Errno`. The kernel ends a
//! guest that hands over more than a call may carry, so lengths are checked here first and are ordinary errors:
//! `ENAMETOOLONG` for paths, `E2BIG` for arguments, a short count for writes.

use super::{
    Access, DirectoryEntry, Errno, ExitStatus, FileKind, Handle, Identity, OpenOptions, Os, Pid,
    Result, Spawn, Stat, TaskInfo, Timestamp, Whence,
};
use crate::component::bindings::offshoot::sandbox::{process, types, vfs};
use crate::component::bindings::wasi::clocks::{monotonic_clock, wall_clock};
use crate::component::bindings::wasi::random::random;

/// Bytes that one call may hand to the kernel, which copies them: less than what it allows.
const CALL_BYTES: usize = 3 << 20;
/// Bytes that the kernel takes a string for, beside its content.
const STRING_BYTES: usize = 24;
/// Bytes of the longest path that is asked for; no file has one of this length.
const PATH_BYTES: usize = 64 << 10;

/// Fails with `ENAMETOOLONG` where a call would not carry the path.
fn checked(path: &[u8]) -> Result<&[u8]> {
    match path.len() > PATH_BYTES {
        true => Err(Errno::NameTooLong),
        false => Ok(path),
    }
}

/// Bytes that the strings of a list take in a call.
fn carried<'a>(strings: impl IntoIterator<Item = &'a Vec<u8>>) -> usize {
    let strings = strings.into_iter();
    strings.map(|string| string.len() + STRING_BYTES).sum()
}

/// Speaks to the kernel. It has no state: descriptors are the kernel's.
#[derive(Debug, Clone, Copy, Default)]
pub struct HostOs;

impl Os for HostOs {
    fn identity(&self) -> Identity {
        let found = process::identify();
        Identity {
            pid: found.pid,
            parent: found.parent,
            uid: found.uid,
            gid: found.gid,
            user: found.user,
            group: found.group,
            hostname: found.hostname,
        }
    }

    fn open(&self, path: &[u8], options: OpenOptions, mode: u32) -> Result<Handle> {
        let mut flags = vfs::OpenFlags::empty();
        flags.set(vfs::OpenFlags::READ, options.read);
        flags.set(vfs::OpenFlags::WRITE, options.write);
        flags.set(vfs::OpenFlags::APPEND, options.append);
        flags.set(vfs::OpenFlags::CREATE, options.create);
        flags.set(vfs::OpenFlags::EXCLUSIVE, options.exclusive);
        flags.set(vfs::OpenFlags::TRUNCATE, options.truncate);
        flags.set(vfs::OpenFlags::DIRECTORY, options.directory);
        vfs::open(checked(path)?, flags, mode).map_err(errno)
    }

    fn close(&self, handle: Handle) {
        vfs::close(handle);
    }

    fn read(&self, handle: Handle, buffer: &mut [u8]) -> Result<usize> {
        let max = u32::try_from(buffer.len()).unwrap_or(u32::MAX);
        let bytes = vfs::read(handle, max).map_err(errno)?;
        let length = bytes.len().min(buffer.len());
        buffer[..length].copy_from_slice(&bytes[..length]);
        Ok(length)
    }

    fn write(&self, handle: Handle, data: &[u8]) -> Result<usize> {
        vfs::write(handle, &data[..data.len().min(CALL_BYTES)])
            .map(|taken| taken as usize)
            .map_err(errno)
    }

    fn seek(&self, handle: Handle, offset: i64, whence: Whence) -> Result<u64> {
        let whence = match whence {
            Whence::Start => vfs::Whence::Start,
            Whence::Current => vfs::Whence::Current,
            Whence::End => vfs::Whence::End,
        };
        vfs::seek(handle, offset, whence).map_err(errno)
    }

    fn stat_handle(&self, handle: Handle) -> Result<Stat> {
        vfs::stat_descriptor(handle).map(stat).map_err(errno)
    }

    fn is_terminal(&self, handle: Handle) -> bool {
        vfs::is_terminal(handle)
    }

    fn terminal_size(&self, handle: Handle) -> Option<(u16, u16)> {
        let terminal = vfs::get_terminal(handle).ok()?;
        Some((terminal.columns, terminal.rows))
    }

    fn set_terminal(&self, handle: Handle, echo: bool, lines: bool, signals: bool) {
        let mut mode = vfs::TerminalMode::empty();
        mode.set(vfs::TerminalMode::ECHO, echo);
        mode.set(vfs::TerminalMode::LINES, lines);
        mode.set(vfs::TerminalMode::SIGNALS, signals);
        // What is no terminal has no mode.
        let _ = vfs::set_terminal(handle, mode);
    }

    fn stat(&self, path: &[u8], follow: bool) -> Result<Stat> {
        vfs::stat(checked(path)?, follow).map(stat).map_err(errno)
    }

    fn access(&self, path: &[u8], access: Access) -> Result<()> {
        let mut mode = vfs::AccessMode::empty();
        mode.set(vfs::AccessMode::READ, access.read);
        mode.set(vfs::AccessMode::WRITE, access.write);
        mode.set(vfs::AccessMode::EXECUTE, access.execute);
        vfs::access(checked(path)?, mode).map_err(errno)
    }

    fn read_directory(&self, path: &[u8]) -> Result<Vec<DirectoryEntry>> {
        let entries = vfs::read_directory(checked(path)?).map_err(errno)?;
        Ok(entries
            .into_iter()
            .map(|entry| DirectoryEntry {
                name: entry.name,
                kind: kind(entry.kind),
            })
            .collect())
    }

    fn read_link(&self, path: &[u8]) -> Result<Vec<u8>> {
        vfs::read_link(checked(path)?).map_err(errno)
    }

    fn canonicalize(&self, path: &[u8]) -> Result<Vec<u8>> {
        vfs::canonicalize(checked(path)?).map_err(errno)
    }

    fn make_directory(&self, path: &[u8], mode: u32) -> Result<()> {
        vfs::make_directory(checked(path)?, mode).map_err(errno)
    }

    fn make_fifo(&self, path: &[u8], mode: u32) -> Result<()> {
        vfs::make_fifo(checked(path)?, mode).map_err(errno)
    }

    fn symlink(&self, target: &[u8], path: &[u8]) -> Result<()> {
        vfs::symlink(checked(target)?, checked(path)?).map_err(errno)
    }

    fn link(&self, existing: &[u8], path: &[u8], follow: bool) -> Result<()> {
        vfs::link(checked(existing)?, checked(path)?, follow).map_err(errno)
    }

    fn rename(&self, old: &[u8], new: &[u8]) -> Result<()> {
        vfs::rename(checked(old)?, checked(new)?).map_err(errno)
    }

    fn unlink(&self, path: &[u8]) -> Result<()> {
        vfs::unlink(checked(path)?).map_err(errno)
    }

    fn remove_directory(&self, path: &[u8]) -> Result<()> {
        vfs::remove_directory(checked(path)?).map_err(errno)
    }

    fn set_mode(&self, path: &[u8], mode: u32) -> Result<()> {
        vfs::set_mode(checked(path)?, mode).map_err(errno)
    }

    fn set_times(
        &self,
        path: &[u8],
        accessed: Option<Timestamp>,
        modified: Option<Timestamp>,
    ) -> Result<()> {
        vfs::set_times(checked(path)?, new_time(accessed), new_time(modified), true).map_err(errno)
    }

    fn pipe(&self) -> Result<(Handle, Handle)> {
        process::pipe()
            .map(|ends| (ends.reader, ends.writer))
            .map_err(errno)
    }

    fn spawn(&self, options: &Spawn<'_>) -> Result<Pid> {
        let variables = options.environment.iter();
        let variables = variables.flat_map(|(name, value)| [name, value]);
        if carried(options.arguments.iter().chain(variables)) > CALL_BYTES {
            return Err(Errno::ArgumentsTooLong);
        }
        process::spawn(&process::SpawnOptions {
            path: options.path.to_vec(),
            arguments: options.arguments.to_vec(),
            environment: options.environment.to_vec(),
            directory: options.directory.to_vec(),
            umask: options.umask,
            descriptors: options.descriptors.to_vec(),
            task: options.task,
        })
        .map_err(errno)
    }

    fn try_wait(&self, pid: Pid) -> Result<Option<ExitStatus>> {
        let ended = process::try_wait(pid).map_err(errno)?;
        Ok(ended.map(|status| match status {
            types::ExitStatus::Exited(code) => ExitStatus::Exited(code),
            types::ExitStatus::Signalled(signal) => ExitStatus::Signalled(signal),
        }))
    }

    fn kill(&self, pid: Pid, signal: u8) -> Result<()> {
        process::kill(pid, signal).map_err(errno)
    }

    fn processes(&self) -> Vec<(Pid, Pid)> {
        let all = process::list_processes();
        all.iter().map(|info| (info.pid, info.parent)).collect()
    }

    fn set_tasks(&self, tasks: &[TaskInfo]) {
        let size = |task: &TaskInfo| {
            size_of::<process::Task>() + task.directory.len() + carried(&task.arguments)
        };
        if tasks.iter().map(size).sum::<usize>() > CALL_BYTES {
            // Too many: those are listed that were before.
            return;
        }
        let task = |task: &TaskInfo| process::Task {
            pid: task.pid,
            parent: task.parent,
            arguments: task.arguments.clone(),
            directory: task.directory.clone(),
            stopped: task.stopped,
        };
        let tasks: Vec<process::Task> = tasks.iter().map(task).collect();
        let _ = process::set_tasks(&tasks);
    }

    fn now(&self) -> Timestamp {
        let now = wall_clock::now();
        let seconds = i64::try_from(now.seconds).unwrap_or(i64::MAX);
        Timestamp {
            seconds,
            nanoseconds: now.nanoseconds,
        }
    }

    fn monotonic(&self) -> u64 {
        monotonic_clock::now()
    }

    fn random(&self) -> u64 {
        random::get_random_u64()
    }
}

/// A time to be set; `None` is now.
fn new_time(time: Option<Timestamp>) -> vfs::NewTime {
    match time {
        None => vfs::NewTime::Now,
        Some(Timestamp {
            seconds,
            nanoseconds,
        }) => vfs::NewTime::At(types::Timestamp {
            seconds,
            nanoseconds,
        }),
    }
}

/// The kind of a file.
fn kind(kind: types::FileKind) -> FileKind {
    match kind {
        types::FileKind::Regular => FileKind::Regular,
        types::FileKind::Directory => FileKind::Directory,
        types::FileKind::Symlink => FileKind::Symlink,
        types::FileKind::Fifo => FileKind::Fifo,
        types::FileKind::CharacterDevice => FileKind::CharacterDevice,
    }
}

/// A point in time.
fn time(time: types::Timestamp) -> Timestamp {
    Timestamp {
        seconds: time.seconds,
        nanoseconds: time.nanoseconds,
    }
}

/// What is known of a file.
fn stat(found: types::FileStat) -> Stat {
    Stat {
        kind: kind(found.kind),
        device: found.device,
        inode: found.inode,
        mode: found.mode,
        links: found.links,
        uid: found.uid,
        gid: found.gid,
        size: found.size,
        blocks: found.blocks,
        accessed: time(found.accessed),
        modified: time(found.modified),
        changed: time(found.changed),
    }
}

/// An error, one for one.
fn errno(errno: types::Errno) -> Errno {
    match errno {
        types::Errno::Access => Errno::Access,
        types::Errno::Again => Errno::Again,
        types::Errno::BadDescriptor => Errno::BadDescriptor,
        types::Errno::Busy => Errno::Busy,
        types::Errno::Child => Errno::Child,
        types::Errno::CrossDevice => Errno::CrossDevice,
        types::Errno::Exist => Errno::Exist,
        types::Errno::FileTooLarge => Errno::FileTooLarge,
        types::Errno::IllegalSequence => Errno::IllegalSequence,
        types::Errno::Invalid => Errno::Invalid,
        types::Errno::Io => Errno::Io,
        types::Errno::IsDirectory => Errno::IsDirectory,
        types::Errno::TooManyLinks => Errno::TooManyLinks,
        types::Errno::TooManyDescriptors => Errno::TooManyDescriptors,
        types::Errno::NameTooLong => Errno::NameTooLong,
        types::Errno::NoEntry => Errno::NoEntry,
        types::Errno::NoExec => Errno::NoExec,
        types::Errno::NoMemory => Errno::NoMemory,
        types::Errno::NoSpace => Errno::NoSpace,
        types::Errno::NoProcess => Errno::NoProcess,
        types::Errno::NotDirectory => Errno::NotDirectory,
        types::Errno::NotEmpty => Errno::NotEmpty,
        types::Errno::NotPermitted => Errno::NotPermitted,
        types::Errno::NotSupported => Errno::NotSupported,
        types::Errno::NoDevice => Errno::NoDevice,
        types::Errno::Overflow => Errno::Overflow,
        types::Errno::BrokenPipe => Errno::BrokenPipe,
        types::Errno::ReadOnly => Errno::ReadOnly,
        types::Errno::CannotSeek => Errno::CannotSeek,
        types::Errno::TooManyProcesses => Errno::TooManyProcesses,
        types::Errno::ArgumentsTooLong => Errno::ArgumentsTooLong,
        types::Errno::ConnectionRefused => Errno::ConnectionRefused,
    }
}
