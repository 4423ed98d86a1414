//! The sandbox's own interfaces: what WASI cannot express.

mod bindings {
    #![allow(unsafe_code, missing_docs, reason = "generated from the WIT contract")]
    wit_bindgen::generate!({
        inline: "
            package offshoot:python;
            world python {
                import wasi:cli/environment@0.2.12;
                import wasi:cli/exit@0.2.12;
                import offshoot:sandbox/vfs@0.1.0;
                import offshoot:sandbox/process@0.1.0;
            }
        ",
        path: "../../wit",
        generate_all,
    });
}

pub use bindings::offshoot::sandbox::process;
pub use bindings::offshoot::sandbox::types::{Errno, ExitStatus, FileKind, FileStat, Timestamp};
pub use bindings::offshoot::sandbox::vfs;

/// Makes the directory that the process was started in the current one.
pub fn enter_directory() {
    if let Some(directory) = bindings::wasi::cli::environment::initial_cwd() {
        // Where it is gone, relative paths fail one by one, as they do on Unix.
        let _ = std::env::set_current_dir(directory);
    }
}

/// Ends the process; the standard library would tell the host only whether the status is 0.
pub fn leave(status: i32) -> ! {
    bindings::wasi::cli::exit::exit_with_code(status as u8);
    std::process::exit(status)
}

/// The working directory.
pub fn directory() -> Vec<u8> {
    std::env::current_dir().map_or_else(
        |_| b"/".to_vec(),
        |path| path.into_os_string().into_encoded_bytes(),
    )
}

/// The path from the root.
///
/// # Errors
/// `no-entry` for an empty path, as on Unix.
pub fn absolute(path: &[u8]) -> Result<Vec<u8>, Errno> {
    match path.first() {
        None => Err(Errno::NoEntry),
        Some(b'/') => Ok(path.to_vec()),
        Some(_) => {
            let mut whole = directory();
            whole.push(b'/');
            whole.extend_from_slice(path);
            Ok(whole)
        }
    }
}

/// The number and the text that Unix has for an error; numbers are those of WASI, as everywhere in here.
pub fn describe(errno: Errno) -> (i32, &'static str) {
    match errno {
        Errno::Access => (libc::EACCES, "Permission denied"),
        Errno::Again => (libc::EAGAIN, "Resource temporarily unavailable"),
        Errno::BadDescriptor => (libc::EBADF, "Bad file descriptor"),
        Errno::Busy => (libc::EBUSY, "Device or resource busy"),
        Errno::Child => (libc::ECHILD, "No child processes"),
        Errno::CrossDevice => (libc::EXDEV, "Invalid cross-device link"),
        Errno::Exist => (libc::EEXIST, "File exists"),
        Errno::FileTooLarge => (libc::EFBIG, "File too large"),
        Errno::IllegalSequence => (
            libc::EILSEQ,
            "Invalid or incomplete multibyte or wide character",
        ),
        Errno::Invalid => (libc::EINVAL, "Invalid argument"),
        Errno::Io => (libc::EIO, "Input/output error"),
        Errno::IsDirectory => (libc::EISDIR, "Is a directory"),
        Errno::TooManyLinks => (libc::ELOOP, "Too many levels of symbolic links"),
        Errno::TooManyDescriptors => (libc::EMFILE, "Too many open files"),
        Errno::NameTooLong => (libc::ENAMETOOLONG, "File name too long"),
        Errno::NoEntry => (libc::ENOENT, "No such file or directory"),
        Errno::NoExec => (libc::ENOEXEC, "Exec format error"),
        Errno::NoMemory => (libc::ENOMEM, "Cannot allocate memory"),
        Errno::NoSpace => (libc::ENOSPC, "No space left on device"),
        Errno::NoProcess => (libc::ESRCH, "No such process"),
        Errno::NotDirectory => (libc::ENOTDIR, "Not a directory"),
        Errno::NotEmpty => (libc::ENOTEMPTY, "Directory not empty"),
        Errno::NotPermitted => (libc::EPERM, "Operation not permitted"),
        Errno::NotSupported => (libc::ENOTSUP, "Operation not supported"),
        Errno::NoDevice => (libc::ENXIO, "No such device or address"),
        Errno::Overflow => (libc::EOVERFLOW, "Value too large for defined data type"),
        Errno::BrokenPipe => (libc::EPIPE, "Broken pipe"),
        Errno::ReadOnly => (libc::EROFS, "Read-only file system"),
        Errno::CannotSeek => (libc::ESPIPE, "Illegal seek"),
        Errno::TooManyProcesses => (libc::EAGAIN, "Resource temporarily unavailable"),
        Errno::ArgumentsTooLong => (libc::E2BIG, "Argument list too long"),
    }
}
