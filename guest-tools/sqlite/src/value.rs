//! Values as SQLite stores them.

/// A value of a column, a parameter or a function.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// No value.
    Null,
    /// A whole number.
    Integer(i64),
    /// A number with a fraction.
    Real(f64),
    /// Text, which should be UTF-8 and may not be.
    Text(Vec<u8>),
    /// Bytes.
    Blob(Vec<u8>),
}
