//! Functions of ours that give rows: `SELECT … FROM name(argument, …)`.

use std::ffi::{CString, c_char, c_int, c_void};
use std::ptr;

use crate::connection::Connection;
use crate::error::Error;
use crate::ffi;
use crate::function::{answer, argument};
use crate::value::Value;

/// The rows of one call of a table function.
pub trait Rows {
    /// Goes to the next row, at first to the first one; false where there is none.
    ///
    /// # Errors
    /// What the statement fails with.
    fn advance(&mut self) -> Result<bool, String>;

    /// A column of the current row; those of the arguments follow the function's own.
    ///
    /// # Errors
    /// What the statement fails with.
    fn column(&self, index: usize) -> Result<Value, String>;
}

/// A function that gives rows. Its arguments are hidden columns, so that SQLite can take them from
/// `WHERE` as well.
#[derive(Clone, Copy, Debug)]
pub struct TableFunction {
    /// The name.
    pub name: &'static str,
    /// The names of the columns.
    pub columns: &'static [&'static str],
    /// The names of the arguments.
    pub arguments: &'static [&'static str],
    /// What to say where the first argument is missing.
    pub missing: &'static str,
    /// How many arguments make the number of rows small.
    pub bounded_by: usize,
    /// Begins a call; arguments that were not given are none.
    pub call: fn(&[Option<Value>]) -> Box<dyn Rows>,
}

#[repr(C)]
struct Table {
    base: ffi::sqlite3_vtab,
    function: *const TableFunction,
}

#[repr(C)]
struct Cursor {
    base: ffi::sqlite3_vtab_cursor,
    rows: Option<Box<dyn Rows>>,
    is_row: bool,
    number: i64,
}

impl Connection {
    /// Adds a function that gives rows.
    ///
    /// # Errors
    /// SQLite refuses the name.
    pub fn add_table_function(&self, function: TableFunction) -> Result<(), Error> {
        let name = CString::new(function.name).map_err(|_| Error::nul())?;
        let function = Box::into_raw(Box::new(function)).cast();
        // SAFETY: the module is a constant; the function lives until SQLite drops it with the connection,
        // also where this fails.
        let code = unsafe {
            ffi::sqlite3_create_module_v2(self.db, name.as_ptr(), &MODULE, function, Some(release))
        };
        match code {
            ffi::SQLITE_OK => Ok(()),
            code => Err(Error::of(self.db, code)),
        }
    }
}

/// Without `xCreate`, so that the table is there by its name alone.
static MODULE: ffi::sqlite3_module = ffi::sqlite3_module {
    iVersion: 0,
    xCreate: None,
    xConnect: Some(connect),
    xBestIndex: Some(best_index),
    xDisconnect: Some(disconnect),
    xDestroy: None,
    xOpen: Some(open),
    xClose: Some(close),
    xFilter: Some(filter),
    xNext: Some(next),
    xEof: Some(eof),
    xColumn: Some(column),
    xRowid: Some(rowid),
    xUpdate: None,
    xBegin: None,
    xSync: None,
    xCommit: None,
    xRollback: None,
    xFindFunction: None,
    xRename: None,
    xSavepoint: None,
    xRelease: None,
    xRollbackTo: None,
    xShadowName: None,
    xIntegrity: None,
};

unsafe extern "C" fn release(function: *mut c_void) {
    // SAFETY: SQLite drops once what `add_table_function` gave it.
    drop(unsafe { Box::from_raw(function.cast::<TableFunction>()) });
}

unsafe extern "C" fn connect(
    db: *mut ffi::sqlite3,
    function: *mut c_void,
    _count: c_int,
    _arguments: *const *const c_char,
    table: *mut *mut ffi::sqlite3_vtab,
    _message: *mut *mut c_char,
) -> c_int {
    // SAFETY: SQLite passes the function that was added and a place for the table; a table of zeros is
    // what SQLite expects.
    unsafe {
        let function = function.cast::<TableFunction>();
        let hidden = (*function).arguments.iter();
        let hidden = hidden.map(|name| format!(",{name} HIDDEN"));
        let columns = (*function).columns.join(",") + &hidden.collect::<String>();
        let Ok(schema) = CString::new(format!("CREATE TABLE x({columns})")) else {
            return ffi::SQLITE_ERROR;
        };
        let code = ffi::sqlite3_declare_vtab(db, schema.as_ptr());
        if code == ffi::SQLITE_OK {
            let base = std::mem::zeroed();
            *table = Box::into_raw(Box::new(Table { base, function })).cast();
        }
        code
    }
}

unsafe extern "C" fn disconnect(table: *mut ffi::sqlite3_vtab) -> c_int {
    // SAFETY: SQLite ends once each table that `connect` made.
    drop(unsafe { Box::from_raw(table.cast::<Table>()) });
    ffi::SQLITE_OK
}

/// Asks for the arguments that equal something. `idxNum` has a bit for each one that is given.
unsafe extern "C" fn best_index(
    table: *mut ffi::sqlite3_vtab,
    info: *mut ffi::sqlite3_index_info,
) -> c_int {
    // SAFETY: SQLite passes a table of `connect`, and arrays with as many entries as it says.
    unsafe {
        let function = &*(*table.cast::<Table>()).function;
        let info = &mut *info;
        let mut given = vec![None; function.arguments.len()];
        let mut unusable = vec![false; function.arguments.len()];
        for index in 0..info.nConstraint as usize {
            let constraint = &*info.aConstraint.add(index);
            let own = function.columns.len();
            let Some(hidden) = usize::try_from(constraint.iColumn)
                .ok()
                .and_then(|column| column.checked_sub(own))
                .filter(|_| constraint.op == ffi::SQLITE_INDEX_CONSTRAINT_EQ as u8)
            else {
                continue;
            };
            match constraint.usable {
                0 => unusable[hidden] = true,
                _ => given[hidden] = Some(index),
            }
        }
        if given[0].is_none() && !unusable[0] {
            return fail(table, function.missing);
        }
        if (0..given.len()).any(|index| unusable[index] && given[index].is_none()) {
            return ffi::SQLITE_CONSTRAINT;
        }
        let mut count = 0;
        for (hidden, index) in given.iter().enumerate() {
            if let Some(index) = index {
                count += 1;
                info.idxNum |= 1 << hidden;
                let usage = &mut *info.aConstraintUsage.add(*index);
                usage.argvIndex = count;
                usage.omit = 1;
            }
        }
        let is_bounded = given[..function.bounded_by].iter().all(Option::is_some);
        (info.estimatedCost, info.estimatedRows) = match is_bounded {
            true => (2.0, 1000),
            false => (f64::from(i32::MAX), i64::from(i32::MAX)),
        };
        ffi::SQLITE_OK
    }
}

unsafe extern "C" fn open(
    _table: *mut ffi::sqlite3_vtab,
    cursor: *mut *mut ffi::sqlite3_vtab_cursor,
) -> c_int {
    // SAFETY: SQLite passes a place for the cursor; one of zeros is what it expects.
    unsafe {
        let new = Cursor {
            base: std::mem::zeroed(),
            rows: None,
            is_row: false,
            number: 0,
        };
        *cursor = Box::into_raw(Box::new(new)).cast();
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn close(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: SQLite closes once each cursor that `open` made.
    drop(unsafe { Box::from_raw(cursor.cast::<Cursor>()) });
    ffi::SQLITE_OK
}

unsafe extern "C" fn filter(
    cursor: *mut ffi::sqlite3_vtab_cursor,
    given: c_int,
    _text: *const c_char,
    _count: c_int,
    values: *mut *mut ffi::sqlite3_value,
) -> c_int {
    // SAFETY: SQLite passes an open cursor, and a value for each bit that `best_index` set.
    unsafe {
        let this = &mut *cursor.cast::<Cursor>();
        let function = &*(*this.base.pVtab.cast::<Table>()).function;
        let mut taken = 0;
        let arguments: Vec<Option<Value>> = (0..function.arguments.len())
            .map(|index| {
                (given & 1 << index != 0).then(|| {
                    taken += 1;
                    argument(*values.add(taken - 1))
                })
            })
            .collect();
        this.rows = Some((function.call)(&arguments));
        this.number = 0;
        next(cursor)
    }
}

unsafe extern "C" fn next(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: SQLite passes an open cursor.
    unsafe {
        let this = &mut *cursor.cast::<Cursor>();
        match this.rows.as_mut().map_or(Ok(false), |rows| rows.advance()) {
            Ok(is_row) => {
                this.is_row = is_row;
                this.number += 1;
                ffi::SQLITE_OK
            }
            Err(message) => fail(this.base.pVtab, &message),
        }
    }
}

unsafe extern "C" fn eof(cursor: *mut ffi::sqlite3_vtab_cursor) -> c_int {
    // SAFETY: SQLite passes an open cursor.
    c_int::from(unsafe { !(*cursor.cast::<Cursor>()).is_row })
}

unsafe extern "C" fn column(
    cursor: *mut ffi::sqlite3_vtab_cursor,
    context: *mut ffi::sqlite3_context,
    index: c_int,
) -> c_int {
    // SAFETY: SQLite passes an open cursor and the context of this call.
    unsafe {
        let this = &*cursor.cast::<Cursor>();
        if let Some(rows) = &this.rows {
            answer(context, rows.column(index as usize));
        }
    }
    ffi::SQLITE_OK
}

unsafe extern "C" fn rowid(cursor: *mut ffi::sqlite3_vtab_cursor, number: *mut i64) -> c_int {
    // SAFETY: SQLite passes an open cursor and a place for the number.
    unsafe { *number = (*cursor.cast::<Cursor>()).number };
    ffi::SQLITE_OK
}

/// Leaves a message with the table.
///
/// # Safety
/// `table` is one that `connect` made.
unsafe fn fail(table: *mut ffi::sqlite3_vtab, message: &str) -> c_int {
    // SAFETY: SQLite frees the message, so it is in SQLite's memory, with a NUL at its end.
    unsafe {
        ffi::sqlite3_free((*table).zErrMsg.cast());
        let copy = ffi::sqlite3_malloc64(message.len() as u64 + 1).cast::<u8>();
        if !copy.is_null() {
            ptr::copy_nonoverlapping(message.as_ptr(), copy, message.len());
            *copy.add(message.len()) = 0;
        }
        (*table).zErrMsg = copy.cast();
    }
    ffi::SQLITE_ERROR
}
