//! Connections to a database.

use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;
use std::ptr;

use crate::error::Error;
use crate::ffi;
use crate::statement::Statement;

/// How to open a database.
#[derive(Clone, Copy, Debug, Default)]
pub struct Open {
    /// Nothing may be changed, and the file must exist.
    pub read_only: bool,
}

/// An open database; it is closed when dropped.
#[derive(Debug)]
pub struct Connection {
    pub(crate) db: *mut ffi::sqlite3,
}

impl Connection {
    /// Opens the database at `path`, a file that is made with the first write, or `:memory:`.
    ///
    /// # Errors
    /// SQLite cannot open it.
    pub fn open(path: &[u8], how: Open) -> Result<Connection, Error> {
        let path = CString::new(path).map_err(|_| Error::nul())?;
        let access = if how.read_only {
            ffi::SQLITE_OPEN_READONLY
        } else {
            ffi::SQLITE_OPEN_READWRITE | ffi::SQLITE_OPEN_CREATE
        };
        let mut db = ptr::null_mut();
        // SAFETY: the path is a C string; the connection is owned from here on, also after a failure.
        unsafe {
            let flags = access | ffi::SQLITE_OPEN_URI;
            let code = ffi::sqlite3_open_v2(path.as_ptr(), &mut db, flags, ptr::null());
            let connection = Connection { db };
            if code == ffi::SQLITE_OK {
                Ok(connection)
            } else {
                Err(Error::of(connection.db, code))
            }
        }
    }

    /// Compiles the first statement of `sql`; none where there are only blanks and comments. Gives as well
    /// how many bytes it took.
    ///
    /// # Errors
    /// The statement is wrong, or the database cannot be read.
    pub fn prepare(&self, sql: &[u8]) -> Result<(Option<Statement<'_>>, usize), Error> {
        let mut statement = ptr::null_mut();
        let mut rest = ptr::null();
        // SAFETY: the text is given with its length; `rest` points into it or to its end.
        unsafe {
            let length =
                c_int::try_from(sql.len()).map_err(|_| Error::from_code(ffi::SQLITE_TOOBIG))?;
            let start = sql.as_ptr().cast();
            let code = ffi::sqlite3_prepare_v2(self.db, start, length, &mut statement, &mut rest);
            if code != ffi::SQLITE_OK {
                return Err(Error::of(self.db, code));
            }
            let taken = if rest.is_null() {
                sql.len()
            } else {
                rest.offset_from(start) as usize
            };
            let statement = (!statement.is_null()).then_some(Statement {
                raw: statement,
                db: self.db,
                connection: PhantomData,
            });
            Ok((statement, taken))
        }
    }

    /// Runs all statements of `sql` and drops their rows.
    ///
    /// # Errors
    /// The first statement that fails.
    pub fn execute(&self, sql: &str) -> Result<(), Error> {
        let mut rest = sql.as_bytes();
        while !rest.is_empty() {
            let (statement, taken) = self.prepare(rest)?;
            if let Some(mut statement) = statement {
                while statement.step()? {}
            }
            rest = &rest[taken..];
        }
        Ok(())
    }

    /// How many rows the last statement changed.
    pub fn changes(&self) -> i64 {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_changes64(self.db) }
    }

    /// How many rows were changed since the database was opened.
    pub fn total_changes(&self) -> i64 {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_total_changes64(self.db) }
    }

    /// Whether no transaction is open.
    pub fn is_autocommit(&self) -> bool {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_get_autocommit(self.db) != 0 }
    }

    /// Whether the database with this name can only be read.
    pub fn is_read_only(&self, name: &str) -> bool {
        let Ok(name) = CString::new(name) else {
            return false;
        };
        // SAFETY: the connection is open, and the name is a C string.
        unsafe { ffi::sqlite3_db_readonly(self.db, name.as_ptr()) == 1 }
    }

    /// How long a statement waits for other processes, in milliseconds.
    pub fn set_timeout(&self, milliseconds: i32) {
        // SAFETY: the connection is open.
        unsafe { ffi::sqlite3_busy_timeout(self.db, milliseconds) };
    }

    /// Copies the whole database `from` of `source` over the database `to` of this connection.
    ///
    /// # Errors
    /// A name is unknown, or one of the two cannot be read or written.
    pub fn restore(&self, to: &str, source: &Connection, from: &str) -> Result<(), Error> {
        let to = CString::new(to).map_err(|_| Error::nul())?;
        let from = CString::new(from).map_err(|_| Error::nul())?;
        // SAFETY: both connections are open for as long as the copy, which ends here.
        unsafe {
            let backup = ffi::sqlite3_backup_init(self.db, to.as_ptr(), source.db, from.as_ptr());
            if backup.is_null() {
                return Err(Error::of(self.db, ffi::SQLITE_ERROR));
            }
            ffi::sqlite3_backup_step(backup, -1);
            match ffi::sqlite3_backup_finish(backup) {
                ffi::SQLITE_OK => Ok(()),
                code => Err(Error::of(self.db, code)),
            }
        }
    }
}

impl Drop for Connection {
    fn drop(&mut self) {
        // SAFETY: every statement borrows the connection, so none is left.
        unsafe { ffi::sqlite3_close(self.db) };
    }
}

/// Whether `sql` ends with a complete statement.
pub fn is_complete(sql: &[u8]) -> bool {
    // SAFETY: the text is a C string.
    CString::new(sql).is_ok_and(|sql| unsafe { ffi::sqlite3_complete(sql.as_ptr()) != 0 })
}

/// SQLite's version and the identity of its source.
pub fn version() -> (String, String) {
    // SAFETY: both are constants of the library.
    let [version, source] = unsafe {
        [ffi::sqlite3_libversion(), ffi::sqlite3_sourceid()]
            .map(|text| CStr::from_ptr(text).to_string_lossy().into_owned())
    };
    (version, source)
}

/// Whether SQL gives a meaning to this word.
pub fn is_keyword(word: &[u8]) -> bool {
    // SAFETY: the word is given with its length.
    c_int::try_from(word.len()).is_ok_and(|length| unsafe {
        ffi::sqlite3_keyword_check(word.as_ptr().cast(), length) != 0
    })
}
