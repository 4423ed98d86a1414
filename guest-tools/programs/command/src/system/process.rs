//! What a process has through the standard library: its environment and the files that it opens.

use std::ffi::OsString;
pub use std::fs::File;

use super::{Errno, Failure, Kind, NO_ENTRY, Result, stat, text};

/// The environment as bytes.
pub fn environment() -> Vec<(Vec<u8>, Vec<u8>)> {
    std::env::vars_os()
        .map(|(name, value)| {
            let given = |text: OsString| text::given(text.into_encoded_bytes());
            (given(name), given(value))
        })
        .collect()
}

/// A variable of the environment.
pub fn variable(name: &str) -> Option<Vec<u8>> {
    std::env::var_os(name).map(OsString::into_encoded_bytes)
}

/// Opens a file for reading; a directory is refused as reading it would be.
pub fn open_file(path: &[u8]) -> Result<File> {
    let file = File::open(text_path(path)?)?;
    if stat(path, true)?.kind == Kind::Directory {
        return Err(Failure(Errno::IsDirectory));
    }
    Ok(file)
}

/// Creates or empties a file; `append` keeps what is in it.
pub fn create_file(path: &[u8], append: bool) -> Result<File> {
    let mut options = std::fs::OpenOptions::new();
    options
        .create(true)
        .write(true)
        .append(append)
        .truncate(!append);
    Ok(options.open(text_path(path)?)?)
}

/// Opens a file for writing and keeps what is in it; the offset is 0.
pub fn update_file(path: &[u8]) -> Result<File> {
    let mut options = std::fs::OpenOptions::new();
    Ok(options.write(true).open(text_path(path)?)?)
}

/// Creates a file where there is nothing of its name.
pub fn create_new(path: &[u8]) -> Result<File> {
    let mut options = std::fs::OpenOptions::new();
    Ok(options
        .create_new(true)
        .write(true)
        .open(text_path(path)?)?)
}

/// A path as the standard library takes it.
fn text_path(path: &[u8]) -> Result<OsString> {
    if path.is_empty() {
        return Err(NO_ENTRY);
    }
    #[cfg(target_os = "wasi")]
    return Ok(text::from_bytes(path).into());
    #[cfg(unix)]
    return Ok(std::os::unix::ffi::OsStringExt::from_vec(path.to_vec()));
}
