//! What SQLite says when something fails.

use std::ffi::CStr;

use crate::ffi;

/// Why SQLite refused something.
#[derive(Clone, Debug, Default, PartialEq, Eq, thiserror::Error)]
#[error("{message}")]
#[non_exhaustive]
pub struct Error {
    /// SQLite's primary result code.
    pub code: i32,
    /// SQLite's message.
    pub message: String,
    /// Where in the statement the error was found, in bytes.
    pub offset: Option<usize>,
}

impl Error {
    /// The last error of a connection.
    pub(crate) fn of(db: *mut ffi::sqlite3, code: i32) -> Error {
        // SAFETY: `db` is an open connection or null, for which SQLite has messages as well; the text
        // is copied before the next call.
        let (message, offset) = unsafe {
            let message = CStr::from_ptr(ffi::sqlite3_errmsg(db));
            let offset = ffi::sqlite3_error_offset(db);
            (message.to_string_lossy().into_owned(), offset)
        };
        Error {
            code: code & 0xff,
            message,
            offset: usize::try_from(offset).ok(),
        }
    }

    /// The error of a code alone.
    pub(crate) fn from_code(code: i32) -> Error {
        // SAFETY: the texts are constants of the library.
        let message = unsafe { CStr::from_ptr(ffi::sqlite3_errstr(code)) };
        Error {
            code: code & 0xff,
            message: message.to_string_lossy().into_owned(),
            offset: None,
        }
    }

    /// An argument holds a NUL byte.
    pub(crate) fn nul() -> Error {
        Error {
            code: ffi::SQLITE_MISUSE,
            message: "a name holds a NUL byte".to_owned(),
            offset: None,
        }
    }
}
