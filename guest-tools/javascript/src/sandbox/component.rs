//! The interfaces, as the component imports them.

mod bindings {
    #![allow(unsafe_code, missing_docs, reason = "generated from the WIT contract")]
    wit_bindgen::generate!({
        inline: "
            package offshoot:javascript;
            world node {
                import offshoot:sandbox/vfs@0.1.0;
                import offshoot:sandbox/process@0.1.0;
                export prepare: func() -> result<_, string>;
            }
        ",
        path: "../../wit",
        generate_all,
    });
    export!(Component with_types_in self);
    /// What the build calls, before it keeps the memory of this component as that of the one it makes.
    struct Component;

    impl Guest for Component {
        fn prepare() -> Result<(), String> {
            crate::prepared::prepare().map_err(|error| error.to_string())
        }
    }
}

use std::time::Duration;

use bindings::offshoot::sandbox::types::{Errno, ExitStatus};
use bindings::offshoot::sandbox::{process, vfs};

use super::{Identity, Pairs, Result};

fn name(errno: Errno) -> &'static str {
    match errno {
        Errno::Access => "EACCES",
        Errno::Again | Errno::TooManyProcesses => "EAGAIN",
        Errno::BadDescriptor => "EBADF",
        Errno::Busy => "EBUSY",
        Errno::Child => "ECHILD",
        Errno::CrossDevice => "EXDEV",
        Errno::Exist => "EEXIST",
        Errno::FileTooLarge => "EFBIG",
        Errno::IllegalSequence => "EILSEQ",
        Errno::Invalid => "EINVAL",
        Errno::Io => "EIO",
        Errno::IsDirectory => "EISDIR",
        Errno::TooManyLinks => "ELOOP",
        Errno::TooManyDescriptors => "EMFILE",
        Errno::NameTooLong => "ENAMETOOLONG",
        Errno::NoEntry => "ENOENT",
        Errno::NoExec => "ENOEXEC",
        Errno::NoMemory => "ENOMEM",
        Errno::NoSpace => "ENOSPC",
        Errno::NoProcess => "ESRCH",
        Errno::NotDirectory => "ENOTDIR",
        Errno::NotEmpty => "ENOTEMPTY",
        Errno::NotPermitted => "EPERM",
        Errno::NotSupported => "ENOTSUP",
        Errno::NoDevice => "ENXIO",
        Errno::Overflow => "EOVERFLOW",
        Errno::BrokenPipe => "EPIPE",
        Errno::ReadOnly => "EROFS",
        Errno::CannotSeek => "ESPIPE",
        Errno::ArgumentsTooLong => "E2BIG",
        Errno::ConnectionRefused => "ECONNREFUSED",
    }
}

/// A pipe: what is written into the second end is read from the first.
pub fn pipe() -> Result<(u32, u32)> {
    let ends = process::pipe().map_err(name)?;
    Ok((ends.reader, ends.writer))
}

/// Opens a file for a child, to be read, or to be written at its end.
pub fn open(path: &[u8], writes: bool) -> Result<u32> {
    let flags = if writes {
        vfs::OpenFlags::WRITE | vfs::OpenFlags::APPEND | vfs::OpenFlags::CREATE
    } else {
        vfs::OpenFlags::READ
    };
    vfs::open(path, flags, 0o666).map_err(name)
}

/// Closes a descriptor.
pub fn close(descriptor: u32) {
    vfs::close(descriptor);
}

/// Reads what is there; `EAGAIN` where it has to be waited for.
pub fn read(descriptor: u32, most: u32) -> Result<Vec<u8>> {
    vfs::read(descriptor, most).map_err(name)
}

/// Writes what is taken; `EAGAIN` where the other end has to read first.
pub fn write(descriptor: u32, content: &[u8]) -> Result<u32> {
    vfs::write(descriptor, content).map_err(name)
}

/// Writes to standard output, as one piece where it can be.
pub fn write_output(content: &[u8]) -> std::io::Result<()> {
    let mut rest = content;
    let mut pause = Duration::from_micros(20);
    while !rest.is_empty() {
        match vfs::write(1, rest) {
            Ok(count) => rest = rest.get(count as usize..).unwrap_or_default(),
            Err(Errno::Again) => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(2));
            }
            Err(errno) => return Err(std::io::Error::other(name(errno))),
        }
    }
    Ok(())
}

/// Starts a process.
pub fn spawn(
    path: &[u8],
    arguments: Vec<Vec<u8>>,
    environment: Pairs,
    directory: &[u8],
    descriptors: Vec<(u32, u32)>,
) -> Result<u32> {
    let options = process::SpawnOptions {
        path: path.to_vec(),
        arguments,
        environment,
        directory: directory.to_vec(),
        umask: process::get_umask(),
        descriptors,
        task: None,
    };
    process::spawn(&options).map_err(name)
}

/// How a child ended: its status, or minus the number of a signal; none while it runs.
pub fn try_wait(pid: u32) -> Result<Option<i32>> {
    let ended = process::try_wait(pid).map_err(name)?;
    Ok(ended.map(|status| match status {
        ExitStatus::Exited(code) => i32::from(code),
        ExitStatus::Signalled(signal) => -i32::from(signal),
    }))
}

/// Sends a signal.
pub fn kill(pid: u32, signal: u8) -> Result<()> {
    process::kill(pid, signal).map_err(name)
}

/// How a stream of this process last failed.
pub fn stream_failure() -> Option<&'static str> {
    vfs::stream_failure().map(name)
}

/// Whether a file can be run.
pub fn is_executable(path: &[u8]) -> bool {
    let directory = bindings::offshoot::sandbox::types::FileKind::Directory;
    vfs::stat(path, true).is_ok_and(|found| found.kind != directory)
        && vfs::access(path, vfs::AccessMode::EXECUTE).is_ok()
}

/// Whether the descriptor is a terminal.
pub fn is_terminal(descriptor: u32) -> bool {
    vfs::is_terminal(descriptor)
}

/// Who this process is.
pub fn identify() -> Identity {
    let known = process::identify();
    Identity {
        pid: known.pid,
        parent: known.parent,
        uid: known.uid,
        gid: known.gid,
        user: known.user,
        hostname: known.hostname,
    }
}

/// Changes permission bits.
pub fn set_mode(path: &[u8], mode: u32) -> Result<()> {
    vfs::set_mode(path, mode).map_err(name)
}

/// Permission bits.
pub fn mode(path: &[u8], follow: bool) -> Option<u32> {
    vfs::stat(path, follow).ok().map(|found| found.mode)
}

/// Makes a symbolic link.
pub fn symlink(target: &[u8], path: &[u8]) -> Result<()> {
    vfs::symlink(target, path).map_err(name)
}
