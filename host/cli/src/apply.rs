//! `offshoot run --apply`: what a script changed in folders of the host, written back to them.

use crate::arguments::{MountArgument, MountMode};
use crate::report::{letter, shown};
use anyhow::{Context, bail};
use offshoot::lifecycle::{Change, ChangeKind};
use offshoot::{Code, Error, HostDirectory, Protected, Sandbox};
use serde_json::{Value, json};
use std::path::{Path, PathBuf};

/// What came of the changes in the folders of the host.
#[derive(Debug, Default)]
pub struct Applied {
    /// What is written.
    written: Vec<(PathBuf, ChangeKind)>,
    /// How many changes are not, by folder, since the script failed.
    withheld: Vec<(PathBuf, usize)>,
}

impl Applied {
    /// One line for each.
    pub fn lines(&self, status: u8) -> Vec<String> {
        let written = self.written.iter().map(|(path, kind)| {
            let path = shown(path.as_os_str().as_encoded_bytes());
            format!("{} {path}", letter(*kind))
        });
        let withheld = self.withheld.iter().map(|(folder, count)| {
            let folder = shown(folder.as_os_str().as_encoded_bytes());
            format!(
                "offshoot: the status is {status}: none of {count} changes is written to {folder}"
            )
        });
        written.chain(withheld).collect()
    }

    /// The same as JSON: what is written, and how many changes are not.
    pub fn json(&self) -> (Value, usize) {
        let written = self.written.iter().map(|(path, kind)| {
            json!({ "path": path.to_string_lossy(), "kind": letter(*kind).to_string() })
        });
        let withheld = self.withheld.iter().map(|(_, count)| count).sum();
        (written.collect(), withheld)
    }

    fn note(&mut self, folder: &Path, changes: &[Change]) {
        let written = changes
            .iter()
            .map(|change| (below(folder, &change.path), change.kind));
        self.written.extend(written);
    }
}

/// The folders that changes can come back to.
///
/// # Errors
/// Where there is none.
pub fn folders(mounts: &[MountArgument]) -> anyhow::Result<Vec<MountArgument>> {
    let folders = mounts
        .iter()
        .filter(|mount| mount.mode == MountMode::CopyOnWrite);
    let folders: Vec<MountArgument> = folders.cloned().collect();
    if folders.is_empty() {
        bail!("--apply: no folder is mounted with :cow, as in --mount .:/work:cow");
    }
    Ok(folders)
}

/// Writes the changes back where the script has succeeded. What is written is said also where a later change
/// cannot be.
///
/// # Errors
/// Where a change is refused, and then nothing of its folder is written; where the host fails.
pub async fn apply(
    sandbox: &Sandbox,
    folders: Vec<MountArgument>,
    status: u8,
) -> (Applied, anyhow::Result<()>) {
    let mut applied = Applied::default();
    for mount in folders {
        let vfs = sandbox.vfs().clone();
        let work = tokio::task::spawn_blocking(move || {
            let done = apply_one(&vfs, &mount, status, &mut applied);
            (applied, done)
        });
        let done;
        (applied, done) = match work.await {
            Ok((applied, done)) => (applied, done),
            Err(error) => (Applied::default(), Err(error.into())),
        };
        if done.is_err() {
            return (applied, done);
        }
    }
    (applied, Ok(()))
}

fn apply_one(
    vfs: &offshoot::Vfs,
    mount: &MountArgument,
    status: u8,
    applied: &mut Applied,
) -> anyhow::Result<()> {
    let (host, path) = (&mount.host, mount.guest.as_bytes());
    if status != 0 {
        let count = vfs.changes(path).map_or(0, |changes| changes.len());
        applied.withheld.push((host.clone(), count));
        return Ok(());
    }
    let directory = HostDirectory::open(host).with_context(|| host.display().to_string())?;
    match vfs.apply(path, &directory, Protected::Refuse) {
        Ok(changes) => {
            applied.note(host, &changes);
            Ok(())
        }
        Err(error) => {
            applied.note(host, &error.written);
            let place = shown(below(host, &error.path).as_os_str().as_encoded_bytes());
            let folder = shown(host.as_os_str().as_encoded_bytes());
            let rest = match error.written.len() {
                0 => format!("nothing is written to {folder}"),
                count => format!("{count} changes are written to {folder}, the others not"),
            };
            let message = format!("{place}: {}; {rest}", error.reason());
            Err(Error::new(code_of(error.reason.code()), "--apply", message).into())
        }
    }
}

fn code_of(reason: &str) -> Code {
    match reason {
        "POLICY_DENIED" | "EACCES" | "EPERM" | "EROFS" => Code::PolicyDenied,
        "PATH_ESCAPE" => Code::PathEscape,
        "ENOENT" => Code::NotFound,
        "ENOSPC" | "EFBIG" | "ENAMETOOLONG" => Code::Limit,
        "EINVAL" => Code::Invalid,
        "EIO" => Code::Died,
        _ => Code::Conflict,
    }
}

/// A path of a mounted folder on the host.
fn below(folder: &Path, path: &[u8]) -> PathBuf {
    match path {
        b"" => folder.to_owned(),
        path => folder.join(host_path(path)),
    }
}

#[cfg(unix)]
fn host_path(path: &[u8]) -> PathBuf {
    use std::os::unix::ffi::OsStrExt;
    std::ffi::OsStr::from_bytes(path).into()
}

#[cfg(not(unix))]
fn host_path(path: &[u8]) -> PathBuf {
    String::from_utf8_lossy(path).into_owned().into()
}
