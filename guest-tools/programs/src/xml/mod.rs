//! XML as an arena of nodes: read, written, and asked with XPath.

pub mod dom;
pub mod parse;
