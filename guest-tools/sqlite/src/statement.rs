//! Statements that were compiled.

use std::ffi::{CStr, CString, c_int};
use std::marker::PhantomData;

use crate::connection::Connection;
use crate::error::Error;
use crate::ffi;
use crate::value::Value;

/// One statement of a connection; its rows come one by one.
#[derive(Debug)]
pub struct Statement<'connection> {
    pub(crate) raw: *mut ffi::sqlite3_stmt,
    pub(crate) db: *mut ffi::sqlite3,
    pub(crate) connection: PhantomData<&'connection Connection>,
}

impl Statement<'_> {
    /// Goes to the next row; false behind the last one.
    ///
    /// # Errors
    /// The statement failed; what it changed is undone as SQLite says.
    pub fn step(&mut self) -> Result<bool, Error> {
        // SAFETY: the statement is not finalised before it is dropped.
        match unsafe { ffi::sqlite3_step(self.raw) } {
            ffi::SQLITE_ROW => Ok(true),
            ffi::SQLITE_DONE => Ok(false),
            code => Err(Error::of(self.db, code)),
        }
    }

    /// Goes back to before the first row; values that were bound stay.
    pub fn reset(&mut self) {
        // SAFETY: as for `step`; the code repeats what `step` said.
        unsafe { ffi::sqlite3_reset(self.raw) };
    }

    /// How many columns a row has.
    pub fn columns(&self) -> usize {
        // SAFETY: as for `step`.
        unsafe { ffi::sqlite3_column_count(self.raw) as usize }
    }

    /// The name of a column; empty where there is no such column.
    pub fn name(&self, column: usize) -> Vec<u8> {
        // SAFETY: SQLite answers null for a column that does not exist.
        unsafe {
            let name = ffi::sqlite3_column_name(self.raw, column as c_int);
            if name.is_null() {
                return Vec::new();
            }
            CStr::from_ptr(name).to_bytes().to_vec()
        }
    }

    /// The value of a column in the row that [`Statement::step`] found.
    pub fn value(&self, column: usize) -> Value {
        let column = column as c_int;
        // SAFETY: SQLite answers with null for a column or a row that does not exist.
        unsafe {
            match ffi::sqlite3_column_type(self.raw, column) {
                ffi::SQLITE_INTEGER => Value::Integer(ffi::sqlite3_column_int64(self.raw, column)),
                ffi::SQLITE_FLOAT => Value::Real(ffi::sqlite3_column_double(self.raw, column)),
                ffi::SQLITE_TEXT => {
                    let text = ffi::sqlite3_column_text(self.raw, column);
                    Value::Text(self.copy(column, text.cast()))
                }
                ffi::SQLITE_BLOB => {
                    let blob = ffi::sqlite3_column_blob(self.raw, column);
                    Value::Blob(self.copy(column, blob.cast()))
                }
                _ => Value::Null,
            }
        }
    }

    /// The value of a column as SQLite writes it; none for NULL.
    pub fn text(&self, column: usize) -> Option<Vec<u8>> {
        let column = column as c_int;
        // SAFETY: as for `value`; the text is copied before anything else is asked.
        unsafe {
            if ffi::sqlite3_column_type(self.raw, column) == ffi::SQLITE_NULL {
                return None;
            }
            let text = ffi::sqlite3_column_text(self.raw, column);
            Some(self.copy(column, text.cast()))
        }
    }

    /// Copies what a column's pointer leads to.
    ///
    /// # Safety
    /// `start` is what SQLite gave last for this column.
    unsafe fn copy(&self, column: c_int, start: *const u8) -> Vec<u8> {
        if start.is_null() {
            return Vec::new();
        }
        // SAFETY: that many bytes are there, as SQLite says.
        unsafe {
            let length = ffi::sqlite3_column_bytes(self.raw, column) as usize;
            std::slice::from_raw_parts(start, length).to_vec()
        }
    }

    /// How many parameters the statement has.
    pub fn parameters(&self) -> usize {
        // SAFETY: as for `step`.
        unsafe { ffi::sqlite3_bind_parameter_count(self.raw) as usize }
    }

    /// The name of a parameter, counted from 1; none for one that has only a number.
    pub fn parameter(&self, index: usize) -> Option<String> {
        // SAFETY: SQLite answers null where there is no name.
        unsafe {
            let name = ffi::sqlite3_bind_parameter_name(self.raw, index as c_int);
            (!name.is_null()).then(|| CStr::from_ptr(name).to_string_lossy().into_owned())
        }
    }

    /// Sets a parameter, counted from 1.
    ///
    /// # Errors
    /// There is no such parameter, or the value is too long.
    pub fn bind(&mut self, index: usize, value: &Value) -> Result<(), Error> {
        let index = index as c_int;
        let transient = ffi::SQLITE_TRANSIENT();
        // SAFETY: SQLite copies texts and blobs at once.
        let code = unsafe {
            match value {
                Value::Null => ffi::sqlite3_bind_null(self.raw, index),
                Value::Integer(number) => ffi::sqlite3_bind_int64(self.raw, index, *number),
                Value::Real(number) => ffi::sqlite3_bind_double(self.raw, index, *number),
                Value::Text(text) => {
                    let length = text.len() as c_int;
                    let start = text.as_ptr().cast();
                    ffi::sqlite3_bind_text(self.raw, index, start, length, transient)
                }
                Value::Blob(blob) => {
                    let length = blob.len() as c_int;
                    let start = blob.as_ptr().cast();
                    ffi::sqlite3_bind_blob(self.raw, index, start, length, transient)
                }
            }
        };
        match code {
            ffi::SQLITE_OK => Ok(()),
            code => Err(Error::of(self.db, code)),
        }
    }

    /// Whether the statement changes nothing.
    pub fn is_read_only(&self) -> bool {
        // SAFETY: as for `step`.
        unsafe { ffi::sqlite3_stmt_readonly(self.raw) != 0 }
    }

    /// 1 for an `EXPLAIN`, 2 for an `EXPLAIN QUERY PLAN`, otherwise 0.
    pub fn explains(&self) -> i32 {
        // SAFETY: as for `step`.
        unsafe { ffi::sqlite3_stmt_isexplain(self.raw) }
    }
}

impl Drop for Statement<'_> {
    fn drop(&mut self) {
        // SAFETY: this is the only owner.
        unsafe { ffi::sqlite3_finalize(self.raw) };
    }
}

impl Connection {
    /// Whether a table has a column.
    pub fn has_column(&self, schema: &str, table: &str, column: &str) -> bool {
        let names = [schema, table, column].map(CString::new);
        let [Ok(schema), Ok(table), Ok(column)] = names else {
            return false;
        };
        let none = std::ptr::null_mut::<*const std::ffi::c_char>();
        let nothing = std::ptr::null_mut();
        // SAFETY: all are C strings, and SQLite leaves out answers that nobody wants.
        unsafe {
            ffi::sqlite3_table_column_metadata(
                self.db,
                schema.as_ptr(),
                table.as_ptr(),
                column.as_ptr(),
                none.cast(),
                none.cast(),
                nothing,
                nothing,
                nothing,
            ) == ffi::SQLITE_OK
        }
    }
}
