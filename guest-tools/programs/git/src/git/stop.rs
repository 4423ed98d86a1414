//! How a git command ends early.

use crate::call::bytes;
use crate::system::Failure;

/// The status to end with, and what is said before.
#[derive(Debug)]
pub struct Stop {
    pub status: i32,
    /// Whole lines, without the last newline; nothing where all was said.
    pub message: Vec<u8>,
}

/// What a step of a command gives.
pub type Outcome<T = ()> = Result<T, Stop>;

/// Ends with 128: the repository or the request makes it impossible.
pub fn fatal(message: impl AsRef<[u8]>) -> Stop {
    Stop {
        status: 128,
        message: bytes!("fatal: ", message),
    }
}

/// Ends with 1: it was tried and did not work.
pub fn error(message: impl AsRef<[u8]>) -> Stop {
    Stop {
        status: 1,
        message: bytes!("error: ", message),
    }
}

/// Ends with 129: the command line is wrong.
pub fn usage(message: impl AsRef<[u8]>) -> Stop {
    Stop {
        status: 129,
        message: bytes!("error: ", message),
    }
}

/// Ends with `status`, all having been said.
pub fn quiet(status: i32) -> Stop {
    Stop {
        status,
        message: Vec::new(),
    }
}

/// What went wrong with a file.
pub fn file(what: &str, path: &[u8], failure: Failure) -> Stop {
    fatal(bytes!(what, " '", path, "': ", failure))
}
