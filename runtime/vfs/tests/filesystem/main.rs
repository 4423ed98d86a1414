//! What the filesystem promises, area by area.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a failed step is a failed test"
)]

#[cfg(all(feature = "host", unix))]
mod apply;
#[cfg(feature = "tar")]
mod archive;
mod attacks;
mod basics;
mod copies;
mod deep;
mod files;
mod guard;
#[cfg(all(feature = "host", unix))]
mod host;
#[cfg(feature = "interop")]
mod interop;
mod merge;
mod mounts;
mod paths;
mod pipes;
mod wakeups;

use offshoot_vfs::{Caller, Options, Quotas, Vfs};

pub(crate) const ROOT: Caller = Caller::ROOT;
/// Somebody who is not root.
pub(crate) const USER: Caller = Caller {
    uid: 1000,
    gid: 1000,
    umask: 0o022,
    process: 0,
};

pub(crate) fn with_quotas(quotas: Quotas) -> Vfs {
    Vfs::new(Options {
        quotas,
        ..Options::default()
    })
}

pub(crate) fn new() -> Vfs {
    Vfs::new(Options::default())
}

pub(crate) fn write(fs: &Vfs, path: &str, content: &str) {
    fs.write_file(&ROOT, fs.root(), path.as_bytes(), content.as_bytes(), 0o644)
        .unwrap();
}

pub(crate) fn read(fs: &Vfs, path: &str) -> Result<String, offshoot_vfs::Error> {
    let content = fs.read_file(&ROOT, fs.root(), path.as_bytes())?;
    Ok(String::from_utf8(content).unwrap())
}

pub(crate) fn names(fs: &Vfs, path: &str) -> Vec<String> {
    let entries = fs.read_dir(&ROOT, fs.root(), path.as_bytes()).unwrap();
    entries
        .into_iter()
        .map(|entry| String::from_utf8(entry.name).unwrap())
        .collect()
}
