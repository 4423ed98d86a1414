//! Copying a folder of the host into a sandbox.

use crate::error::{Below, Code, Error, Result};
use offshoot_vfs::{Caller, NewTime, Timestamp, Vfs};
use std::fs::{self, Metadata};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

/// Copies `host` to `path` with modes, times and symbolic links; `who` owns the copy. What is
/// neither file, folder nor link is left out.
pub(crate) fn import(vfs: &Vfs, who: &Caller, host: &Path, path: &str) -> Result<()> {
    let mut pending = vec![(host.to_path_buf(), path.to_owned())];
    // Times come last: an entry made in a directory changes the directory's.
    let mut made: Vec<(String, Metadata)> = Vec::new();
    while let Some((host, path)) = pending.pop() {
        let metadata = fs::symlink_metadata(&host).map_err(|error| unreadable(&host, &error))?;
        copy(vfs, who, &host, &path, &metadata)?;
        if metadata.is_dir() {
            for entry in fs::read_dir(&host).map_err(|error| unreadable(&host, &error))? {
                let entry = entry.map_err(|error| unreadable(&host, &error))?;
                let name = entry.file_name();
                let Some(name) = name.to_str() else {
                    let message = format!("{}: the name is not UTF-8", entry.path().display());
                    return Err(Error::new(Code::NotText, "import", message));
                };
                pending.push((
                    entry.path(),
                    format!("{}/{name}", path.trim_end_matches('/')),
                ));
            }
        }
        made.push((path, metadata));
    }
    for (path, metadata) in made
        .iter()
        .rev()
        .filter(|(_, metadata)| !metadata.is_symlink())
    {
        let modified = metadata.modified().ok().and_then(timestamp);
        let modified = modified.map_or(NewTime::Keep, NewTime::At);
        vfs.set_mode(&Caller::ROOT, vfs.root(), path.as_bytes(), mode(metadata))
            .and_then(|()| {
                vfs.set_times(
                    &Caller::ROOT,
                    vfs.root(),
                    path.as_bytes(),
                    modified,
                    modified,
                    true,
                )
            })
            .map_err(|error| Error::file("import", path, error))?;
    }
    Ok(())
}

fn copy(vfs: &Vfs, who: &Caller, host: &Path, path: &str, metadata: &Metadata) -> Result<()> {
    let (root, at, bytes) = (Caller::ROOT, vfs.root(), path.as_bytes());
    let failed = |error| Error::file("import", path, error);
    if metadata.is_dir() {
        vfs.create_dir_all(&root, at, bytes, 0o755)
            .map_err(failed)?;
    } else if metadata.is_symlink() {
        let target = fs::read_link(host).map_err(|error| unreadable(host, &error))?;
        let target = target.as_os_str().as_encoded_bytes();
        vfs.symlink(&root, target, at, bytes).map_err(failed)?;
    } else if metadata.is_file() {
        let content = fs::read(host).map_err(|error| unreadable(host, &error))?;
        vfs.write_file(&root, at, bytes, &content, 0o644)
            .map_err(failed)?;
    } else {
        return Ok(());
    }
    vfs.set_owner(&root, at, bytes, (Some(who.uid), Some(who.gid)), false)
        .map_err(failed)
}

fn unreadable(host: &Path, error: &std::io::Error) -> Error {
    let code = match error.kind() {
        std::io::ErrorKind::NotFound => Code::NotFound,
        std::io::ErrorKind::PermissionDenied => Code::PolicyDenied,
        _ => Code::Died,
    };
    Error::new(
        code,
        "import",
        format!("{}: {error}", PathBuf::from(host).display()),
    )
}

/// Permission bits; the usual ones where the host has none.
fn mode(metadata: &Metadata) -> u32 {
    #[cfg(unix)]
    {
        use std::os::unix::fs::PermissionsExt;
        metadata.permissions().mode() & 0o7777
    }
    #[cfg(not(unix))]
    {
        if metadata.is_dir() { 0o755 } else { 0o644 }
    }
}

fn timestamp(time: SystemTime) -> Option<Timestamp> {
    let since = time.duration_since(SystemTime::UNIX_EPOCH).ok()?;
    let seconds = i64::try_from(since.as_secs()).ok()?;
    Some(Timestamp {
        seconds,
        nanoseconds: since.subsec_nanos(),
    })
}
