//! Functions of ours that statements may call.

use std::cmp::Ordering;
use std::ffi::{CString, c_int, c_void};
use std::slice;

use crate::connection::Connection;
use crate::error::Error;
use crate::ffi;
use crate::value::Value;

type Function = Box<dyn Fn(&[Value]) -> Result<Value, String>>;

impl Connection {
    /// Adds a function with a fixed number of arguments, or with any number where it is -1.
    ///
    /// # Errors
    /// The name is too long, or holds a NUL byte.
    pub fn add_function(
        &self,
        name: &str,
        arguments: i32,
        function: impl Fn(&[Value]) -> Result<Value, String> + 'static,
    ) -> Result<(), Error> {
        let name = CString::new(name).map_err(|_| Error::nul())?;
        let function: Box<Function> = Box::new(Box::new(function));
        // SAFETY: the function lives until SQLite drops it with the connection, also where this fails.
        let code = unsafe {
            ffi::sqlite3_create_function_v2(
                self.db,
                name.as_ptr(),
                arguments,
                ffi::SQLITE_UTF8,
                Box::into_raw(function).cast(),
                Some(call),
                None,
                None,
                Some(release),
            )
        };
        match code {
            ffi::SQLITE_OK => Ok(()),
            code => Err(Error::of(self.db, code)),
        }
    }
}

type Order = Box<dyn Fn(&[u8], &[u8]) -> Ordering>;

impl Connection {
    /// Adds an order of texts.
    ///
    /// # Errors
    /// The name holds a NUL byte.
    pub fn add_collation(
        &self,
        name: &str,
        order: impl Fn(&[u8], &[u8]) -> Ordering + 'static,
    ) -> Result<(), Error> {
        let name = CString::new(name).map_err(|_| Error::nul())?;
        let order: Box<Order> = Box::new(Box::new(order));
        // SAFETY: the order lives until SQLite drops it with the connection.
        let code = unsafe {
            ffi::sqlite3_create_collation_v2(
                self.db,
                name.as_ptr(),
                ffi::SQLITE_UTF8,
                Box::into_raw(order).cast(),
                Some(compare),
                Some(release_order),
            )
        };
        match code {
            ffi::SQLITE_OK => Ok(()),
            code => Err(Error::of(self.db, code)),
        }
    }
}

unsafe extern "C" fn release_order(order: *mut c_void) {
    // SAFETY: SQLite drops once what `add_collation` gave it.
    drop(unsafe { Box::from_raw(order.cast::<Order>()) });
}

unsafe extern "C" fn compare(
    order: *mut c_void,
    left_length: c_int,
    left: *const c_void,
    right_length: c_int,
    right: *const c_void,
) -> c_int {
    let bytes = |start: *const c_void, length: c_int| match length {
        0 => &[][..],
        // SAFETY: SQLite passes texts with their lengths.
        _ => unsafe { slice::from_raw_parts(start.cast::<u8>(), length as usize) },
    };
    // SAFETY: SQLite passes the order that was added.
    let order = unsafe { &*order.cast::<Order>() };
    order(bytes(left, left_length), bytes(right, right_length)) as c_int
}

unsafe extern "C" fn release(function: *mut c_void) {
    // SAFETY: SQLite drops once what `add_function` gave it.
    drop(unsafe { Box::from_raw(function.cast::<Function>()) });
}

unsafe extern "C" fn call(
    context: *mut ffi::sqlite3_context,
    count: c_int,
    arguments: *mut *mut ffi::sqlite3_value,
) {
    // SAFETY: SQLite passes the function that was added, and as many values as it says.
    unsafe {
        let function = &*ffi::sqlite3_user_data(context).cast::<Function>();
        let arguments = match count {
            0 => Vec::new(),
            _ => slice::from_raw_parts(arguments, count as usize)
                .iter()
                .map(|value| argument(*value))
                .collect(),
        };
        answer(context, function(&arguments));
    }
}

/// Copies an argument.
///
/// # Safety
/// `value` is an argument of the call that runs.
pub(crate) unsafe fn argument(value: *mut ffi::sqlite3_value) -> Value {
    // SAFETY: as above; texts and blobs have as many bytes as SQLite says.
    unsafe {
        let copy = |start: *const u8| {
            if start.is_null() {
                return Vec::new();
            }
            slice::from_raw_parts(start, ffi::sqlite3_value_bytes(value) as usize).to_vec()
        };
        match ffi::sqlite3_value_type(value) {
            ffi::SQLITE_INTEGER => Value::Integer(ffi::sqlite3_value_int64(value)),
            ffi::SQLITE_FLOAT => Value::Real(ffi::sqlite3_value_double(value)),
            ffi::SQLITE_TEXT => Value::Text(copy(ffi::sqlite3_value_text(value).cast())),
            ffi::SQLITE_BLOB => Value::Blob(copy(ffi::sqlite3_value_blob(value).cast())),
            _ => Value::Null,
        }
    }
}

/// Hands the result to SQLite.
///
/// # Safety
/// `context` is that of the call that runs.
pub(crate) unsafe fn answer(context: *mut ffi::sqlite3_context, result: Result<Value, String>) {
    let transient = ffi::SQLITE_TRANSIENT();
    // SAFETY: SQLite copies texts and blobs at once.
    unsafe {
        match result {
            Ok(Value::Null) => ffi::sqlite3_result_null(context),
            Ok(Value::Integer(number)) => ffi::sqlite3_result_int64(context, number),
            Ok(Value::Real(number)) => ffi::sqlite3_result_double(context, number),
            Ok(Value::Text(text)) => {
                let length = text.len() as c_int;
                ffi::sqlite3_result_text(context, text.as_ptr().cast(), length, transient);
            }
            Ok(Value::Blob(blob)) => {
                let length = blob.len() as c_int;
                ffi::sqlite3_result_blob(context, blob.as_ptr().cast(), length, transient);
            }
            Err(message) => {
                let length = message.len() as c_int;
                ffi::sqlite3_result_error(context, message.as_ptr().cast(), length);
            }
        }
    }
}
