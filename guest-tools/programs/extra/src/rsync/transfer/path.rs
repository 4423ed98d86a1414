//! Paths of sources and targets.

use crate::system;

/// Makes a directory and those above it.
pub(super) fn make_all(path: &[u8]) -> system::Result<()> {
    let ends = path
        .iter()
        .enumerate()
        .filter(|(at, byte)| **byte == b'/' && *at > 0);
    for end in ends.map(|(at, _)| at).chain([path.len()]) {
        if end > 0 && system::stat(&path[..end], true).is_err() {
            system::make_directory(&path[..end], 0o777 & !system::umask())?;
        }
    }
    Ok(())
}

/// A path without slashes at its end; `/` stays.
pub(super) fn trim_slash(path: &[u8]) -> &[u8] {
    let end = path
        .iter()
        .rposition(|&byte| byte != b'/')
        .map_or(1, |at| at + 1);
    &path[..end.min(path.len())]
}

/// What is behind the last slash.
pub(super) fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

/// A path from the root, for messages.
pub(super) fn absolute(path: &[u8]) -> Vec<u8> {
    let here = std::env::current_dir().unwrap_or_default();
    system::join(here.as_os_str().as_encoded_bytes(), path)
}

/// A name inside a directory as it is shown.
pub(super) fn below(shown: &[u8], name: &[u8]) -> Vec<u8> {
    if shown.is_empty() {
        name.to_vec()
    } else {
        system::join(shown, name)
    }
}
