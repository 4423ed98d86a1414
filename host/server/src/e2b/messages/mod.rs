//! The messages of envd. Each type is its schema: the numbers of its fields are those of the protobuf
//! form, their names in camel case those of the JSON form. Requests are only read and answers only
//! written.

pub(super) mod filesystem;
mod json;
pub(super) mod process;

#[cfg(test)]
mod tests;
