//! Kept sandboxes as files: containers with everything, and tar archives of a folder.

use crate::arguments::Place;
use crate::execute::rest;
use crate::kept::{open, open_or_make};
use crate::progress;
use anyhow::{Context, bail};
use offshoot::lifecycle::{Info, Origin, Sandboxes};
use offshoot::{Code, Sandbox};
use serde_json::json;
use std::fs::File;
use std::io::{BufReader, BufWriter, IsTerminal, Read, Write};
use std::path::{Path, PathBuf};

/// The flag that asks for a tar archive, of this folder or of the working directory.
pub type Folder = Option<Option<String>>;

/// The file that stands for standard output or input.
const STREAM: &str = "-";

/// Writes a sandbox to a file, or with `-` to standard output.
///
/// # Errors
/// Where it cannot be read or written; the file is what it was then.
pub async fn export(place: &Place, name: &str, file: PathBuf, tar: Folder) -> anyhow::Result<u8> {
    if file.as_os_str() == STREAM {
        if place.json {
            bail!("--json: standard output is where the sandbox goes");
        }
        if std::io::stdout().is_terminal() {
            bail!("standard output is a terminal: give a FILE, or > FILE");
        }
        let sandboxes = open(place).await?;
        let info = sandboxes.get(name).await?;
        write(&sandboxes, &info, std::io::stdout(), tar).await?;
        return Ok(0);
    }
    let sandboxes = open(place).await?;
    let info = sandboxes.get(name).await?;
    let partial = partial(&file);
    let writer = File::create(&partial).context(partial.display().to_string())?;
    let document = match write(&sandboxes, &info, writer, tar).await {
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

/// Writes a sandbox; what there is to say of it.
async fn write(
    sandboxes: &Sandboxes,
    info: &Info,
    writer: impl Write + Send + 'static,
    tar: Folder,
) -> anyhow::Result<serde_json::Value> {
    let bar = progress::counting("exporting", info.bytes);
    let writer = bar.wrap_write(BufWriter::new(writer));
    let work = async {
        match tar {
            Some(folder) => pack(sandboxes, &info.name, folder, writer).await,
            None => {
                let commit = sandboxes.export(&info.name, writer).await?;
                Ok(json!({ "commit": commit.to_string() }))
            }
        }
    };
    progress::during(&bar, work).await
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

/// Makes a sandbox from a file, with `-` from standard input, or unpacks a tar archive in one, which is made
/// where it is missing.
///
/// # Errors
/// Where the file cannot be read, or is no such file; no sandbox is made then.
pub async fn import(place: &Place, name: &str, file: &Path, tar: Folder) -> anyhow::Result<u8> {
    let (reader, length): (Box<dyn Read + Send>, u64) = match file.as_os_str() == STREAM {
        true => (Box::new(std::io::stdin()), 0),
        false => {
            let reader = File::open(file).context(file.display().to_string())?;
            let length = reader.metadata().map_or(0, |data| data.len());
            (Box::new(reader), length)
        }
    };
    let bar = progress::counting("importing", length);
    let reader = bar.wrap_read(BufReader::new(reader));
    let sandboxes = open_or_make(place).await?;
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
    reader: impl Read + Send + 'static,
) -> anyhow::Result<()> {
    let is_there = match sandboxes.get(name).await {
        Err(error) if error.code() == Code::NotFound => false,
        found => found.map(|_| true)?,
    };
    if !is_there {
        let template = Origin::template(Sandbox::builder());
        sandboxes.create(name, template).await?;
    }
    let unpacked = unpack_in(sandboxes, name, folder, reader).await;
    if unpacked.is_err() && !is_there {
        // Nobody asked for an empty one. That the archive was refused says more than what else fails now.
        let _ = sandboxes.delete(name).await;
    }
    unpacked
}

async fn unpack_in(
    sandboxes: &Sandboxes,
    name: &str,
    folder: Option<String>,
    reader: impl Read + Send + 'static,
) -> anyhow::Result<()> {
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
