//! Large objects as files: `objects/ab/cdef…`.

use std::io;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use crate::{Disk, Error, Object, ObjectId, Result};

pub(super) struct Spill {
    disk: Arc<dyn Disk>,
    /// Makes names of files that are being written unique in this process.
    counter: AtomicU64,
}

impl Spill {
    pub(super) fn new(disk: Arc<dyn Disk>) -> Spill {
        Spill {
            disk,
            counter: AtomicU64::new(0),
        }
    }

    /// Stores an object's payload so that it survives power loss under its name or not at all.
    pub(super) fn put(&self, object: &Object) -> Result<()> {
        let failed = |error: io::Error| Error::io("write object", &error);
        let path = path(object.id);
        let folder = path.parent().unwrap_or(Path::new("objects"));
        self.disk.create_dir(folder).map_err(failed)?;
        self.disk.sync_dir(Path::new("objects")).map_err(failed)?;
        self.disk.sync_dir(Path::new(".")).map_err(failed)?;
        // It got its name after its content was durable, but the name itself may not be.
        let known = self.disk.read(&path);
        if known.is_ok_and(|known| known == object.payload) {
            return self.disk.sync_dir(folder).map_err(failed);
        }
        let number = self.counter.fetch_add(1, Ordering::Relaxed);
        let temporary = folder.join(format!(".{}-{number}", std::process::id()));
        let written = self
            .disk
            .write(&temporary, &object.payload)
            .and_then(|()| self.disk.sync(&temporary))
            .and_then(|()| self.disk.rename(&temporary, &path));
        if let Err(error) = written {
            // What cannot be removed now is removed by the next look for leftovers.
            let _ = self.disk.remove(&temporary);
            return Err(failed(error));
        }
        self.disk.sync_dir(folder).map_err(failed)
    }

    pub(super) fn get(&self, id: ObjectId) -> Result<Vec<u8>> {
        self.disk
            .read(&path(id))
            .map_err(|error| match error.kind() {
                io::ErrorKind::NotFound => Error::damaged(id, "its file is missing"),
                _ => Error::io("read object", &error),
            })
    }

    pub(super) fn remove(&self, id: ObjectId) -> Result<()> {
        match self.disk.remove(&path(id)) {
            Err(error) if error.kind() != io::ErrorKind::NotFound => {
                Err(Error::io("remove object", &error))
            }
            _ => Ok(()),
        }
    }

    /// Files that `known` does not know: what a crash between two steps left.
    pub(super) fn leftovers(&self, mut known: impl FnMut(ObjectId) -> Result<bool>) -> Result<u64> {
        let failed = |error: io::Error| Error::io("list objects", &error);
        let list = |path: &Path| match self.disk.list(path) {
            Err(error) if error.kind() == io::ErrorKind::NotFound => Ok(Vec::new()),
            listed => listed.map_err(failed),
        };
        let mut removed = 0;
        for folder in list(Path::new("objects"))? {
            let folder_path = Path::new("objects").join(&folder);
            for name in list(&folder_path)? {
                let keep = match parse(&folder, &name) {
                    Some(id) => known(id)?,
                    None => false,
                };
                if !keep {
                    self.disk.remove(&folder_path.join(name)).map_err(failed)?;
                    removed += 1;
                }
            }
        }
        Ok(removed)
    }
}

fn path(id: ObjectId) -> PathBuf {
    let name = id.to_string();
    let (folder, rest) = name.split_at(2);
    ["objects", folder, rest].iter().collect()
}

fn parse(folder: &str, name: &str) -> Option<ObjectId> {
    let digits = [folder, name].concat();
    if digits.len() != 64 || !digits.is_ascii() {
        return None;
    }
    let mut id = [0; 32];
    for (index, byte) in id.iter_mut().enumerate() {
        *byte = u8::from_str_radix(&digits[2 * index..2 * index + 2], 16).ok()?;
    }
    Some(ObjectId(id))
}
