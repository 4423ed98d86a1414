//! Kept sandboxes as files: containers with everything, and tar archives of a folder.

use crate::arguments::Place;
use crate::execute::rest;
use crate::kept::open;
use crate::progress;
use anyhow::Context;
use offshoot::Sandbox;
use offshoot::lifecycle::{Origin, Sandboxes};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, Write};
use std::path::{Path, PathBuf};

/// The flag that asks for a tar archive, of this folder or of the working directory.
pub type Folder = Option<Option<String>>;

/// Writes a sandbox to a file.
///
/// # Errors
/// Where it cannot be read or written; the file is what it was then.
pub async fn export(place: &Place, name: &str, file: PathBuf, tar: Folder) -> anyhow::Result<u8> {
    let sandboxes = open(place).await?;
    let info = sandboxes.get(name).await?;
    let partial = partial(&file);
    let writer = File::create(&partial).context(partial.display().to_string())?;
    let bar = progress::counting("exporting", info.bytes);
    let writer = bar.wrap_write(BufWriter::new(writer));
    let work = async {
        match tar {
            Some(folder) => pack(&sandboxes, name, folder, writer).await,
            None => {
                let commit = sandboxes.export(name, writer).await?;
                Ok(json!({ "commit": commit.to_string() }))
            }
        }
    };
    let document = match progress::during(&bar, work).await {
        Ok(document) => document,
        Err(error) => {
            if partial != file {
                let _ = std::fs::remove_file(&partial);
            }
            return Err(error);
        }
    };
    if partial != file {
        std::fs::rename(&partial, &file).context(file.display().to_string())?;
    }
    place.say(&document, || format!("{} is written", file.display()))
}

/// Where a file is written first: beside it, so that whoever reads it sees the old one or the whole new
/// one. Devices and pipes are written to as they are.
fn partial(file: &Path) -> PathBuf {
    match std::fs::metadata(file) {
        Ok(data) if !data.is_file() => file.to_owned(),
        _ => {
            let mut partial = file.as_os_str().to_owned();
            partial.push(".partial");
            PathBuf::from(partial)
        }
    }
}

/// Writes a folder of a sandbox as a tar archive.
async fn pack(
    sandboxes: &Sandboxes,
    name: &str,
    folder: Option<String>,
    mut writer: impl Write + Send + 'static,
) -> anyhow::Result<serde_json::Value> {
    let lease = sandboxes.lease(name).await?;
    let folder = folder.unwrap_or_else(|| lease.cwd().to_owned());
    let (vfs, path) = (lease.vfs().clone(), folder.clone());
    let packed = tokio::task::spawn_blocking(move || {
        vfs.export_tar(path.as_bytes(), &mut writer)?;
        writer.flush()?;
        anyhow::Ok(())
    });
    let packed = packed.await?;
    let whole = lease.check();
    drop(lease);
    rest(sandboxes, name).await?;
    packed.context(folder.clone())?;
    whole?;
    Ok(json!({ "folder": folder }))
}

/// Makes a sandbox from a file, or unpacks a tar archive in one, which is made where it is missing.
///
/// # Errors
/// Where the file cannot be read, or is no such file.
pub async fn import(place: &Place, name: &str, file: &Path, tar: Folder) -> anyhow::Result<u8> {
    let reader = File::open(file).context(file.display().to_string())?;
    let length = reader.metadata().map_or(0, |data| data.len());
    let bar = progress::counting("importing", length);
    let reader = bar.wrap_read(BufReader::new(reader));
    let sandboxes = open(place).await?;
    let work = async {
        match tar {
            Some(folder) => unpack(&sandboxes, name, folder, reader).await,
            None => Ok(sandboxes.import(name, reader).await?),
        }
    };
    progress::during(&bar, work).await?;
    place.say(&json!({ "name": name }), || format!("{name} is made"))
}

async fn unpack(
    sandboxes: &Sandboxes,
    name: &str,
    folder: Option<String>,
    reader: impl std::io::Read + Send + 'static,
) -> anyhow::Result<()> {
    if sandboxes.get(name).await.is_err() {
        let template = Origin::template(Sandbox::builder());
        sandboxes.create(name, template).await?;
    }
    let lease = sandboxes.lease(name).await?;
    let folder = folder.unwrap_or_else(|| lease.cwd().to_owned());
    let (vfs, path) = (lease.vfs().clone(), folder.clone());
    let unpacked = tokio::task::spawn_blocking(move || vfs.import_tar(path.as_bytes(), reader));
    let unpacked = unpacked.await?;
    drop(lease);
    // What an archive holds is there as a whole or not at all.
    rest(sandboxes, name).await?;
    unpacked.context(folder)
}
