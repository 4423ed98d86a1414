//! Paths, and names for what a connector leaves in a sandbox.

use crate::bindings::wasi::random::random::get_random_bytes;
use crate::{Code, Error, Result};

/// Joins a path to an absolute directory, without `.` and `..`.
///
/// # Errors
/// [`Code::PathEscape`] for a path that leads out of `/`.
pub fn join(base: &str, path: &str) -> Result<String> {
    let from = if path.starts_with('/') { "" } else { base };
    let mut names: Vec<&str> = Vec::new();
    for name in from.split('/').chain(path.split('/')) {
        match name {
            "" | "." => {}
            ".." => {
                let left = names.pop();
                left.ok_or_else(|| {
                    Error::new(Code::PathEscape, format!("{path}: the path leads out of /"))
                })?;
            }
            name => names.push(name),
        }
    }
    Ok(format!("/{}", names.join("/")))
}

/// The directory that a path is in; `/` for those of one name.
pub fn parent(path: &str) -> &str {
    match path.rsplit_once('/') {
        Some(("", _)) | None => "/",
        Some((parent, _)) => parent,
    }
}

/// 24 hexadecimal digits that nothing else is named by.
pub fn unique() -> String {
    let random = get_random_bytes(12);
    random.iter().map(|byte| format!("{byte:02x}")).collect()
}
