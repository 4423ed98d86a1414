//! `offshoot run --apply`: what a script changed in folders of the host, written back to them.

use crate::arguments::{MountArgument, MountMode};
use crate::report::letter;
use anyhow::{Context, bail};
use offshoot::{HostDirectory, Protected, Sandbox};
use std::io::Write;

/// Writes the changes back where the script has succeeded, and says on standard error which.
///
/// # Errors
/// Where a change is refused, and then nothing of its folder is written; where the host fails.
pub async fn apply(sandbox: &Sandbox, mounts: &[MountArgument], status: u8) -> anyhow::Result<()> {
    let folders = mounts
        .iter()
        .filter(|mount| mount.mode == MountMode::CopyOnWrite);
    for mount in folders {
        let (vfs, mount) = (sandbox.vfs().clone(), mount.clone());
        tokio::task::spawn_blocking(move || apply_one(&vfs, &mount, status)).await??;
    }
    Ok(())
}

fn apply_one(vfs: &offshoot::Vfs, mount: &MountArgument, status: u8) -> anyhow::Result<()> {
    let (host, path) = (mount.host.display(), mount.guest.as_bytes());
    let mut stderr = std::io::stderr();
    if status != 0 {
        let count = vfs.changes(path).map_or(0, |changes| changes.len());
        writeln!(
            stderr,
            "offshoot: the status is {status}: none of {count} changes is written to {host}"
        )?;
        return Ok(());
    }
    let directory = HostDirectory::open(&mount.host).with_context(|| host.to_string())?;
    match vfs.apply(path, &directory, Protected::Refuse) {
        Ok(changes) => {
            for change in changes {
                let path = String::from_utf8_lossy(&change.path).into_owned();
                writeln!(
                    stderr,
                    "{} {}",
                    letter(change.kind),
                    mount.host.join(path).display()
                )?;
            }
            Ok(())
        }
        Err(error) => bail!("--apply: nothing is written to {host}: {error}"),
    }
}
