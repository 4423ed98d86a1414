//! XML as an arena of nodes: read, written, and asked with XPath.

pub mod dom;
mod lint;
pub mod parse;
mod write;
mod xpath;

pub use lint::run as lint;
