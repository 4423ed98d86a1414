//! SQLite for programs inside a sandbox.
//!
//! The engine is SQLite itself: an object file for wasm32 that a crate ships, so that guests need no C
//! compiler. This crate adds what the object file lacks there, files and locks ([`Host`]), and an
//! interface without `unsafe`. Natively the same code runs over SQLite built from source, for tests.
//!
//! ```
//! use offshoot_sqlite::{Connection, Host, Open, Value};
//!
//! offshoot_sqlite::install(Host::of_this_process())?;
//! let connection = Connection::open(b":memory:", Open::default())?;
//! let (statement, _rest) = connection.prepare(b"SELECT 6 * 7")?;
//! let mut statement = statement.ok_or("no statement")?;
//! assert!(statement.step()?);
//! assert_eq!(statement.value(0), Value::Integer(42));
//! # Ok::<(), Box<dyn std::error::Error>>(())
//! ```
#![allow(
    unsafe_code,
    reason = "this crate is the border to a library in C; nothing unsafe leaves it"
)]

#[cfg(not(target_os = "wasi"))]
use libsqlite3_sys as ffi;
#[cfg(target_os = "wasi")]
use sqlite_wasm_rs as ffi;

mod connection;
mod error;
mod files;
mod function;
mod host;
mod lock;
mod statement;
mod table_function;
mod value;

pub use connection::{Connection, Open, is_complete, is_keyword, version};
pub use error::Error;
pub use host::{Host, install};
pub use statement::Statement;
pub use table_function::{Rows, TableFunction};
pub use value::Value;
