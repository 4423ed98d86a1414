//! What the database itself holds, file by file.

use super::{HASH, Id, Object, Objects, parse_id, unpack_loose};
use crate::call::bytes;
use crate::system::{self, Stat};

use super::super::stop::{Outcome, file};

/// An object in a file of its own.
pub struct Loose {
    pub id: Id,
    pub path: Vec<u8>,
    pub stat: Stat,
}

/// A pack.
pub struct Stored {
    /// The path without `.pack`.
    pub stem: Vec<u8>,
    /// The objects in it, in the order of their names.
    pub ids: Vec<Id>,
    /// Whether somebody asked that it stays.
    pub kept: bool,
    pub stat: Stat,
}

/// What else may lie beside a pack; the index goes first, so that nobody takes the pack for whole.
const ENDS: [&str; 6] = [".idx", ".pack", ".rev", ".bitmap", ".mtimes", ".promisor"];

impl Stored {
    /// Bytes of the pack and its index.
    pub fn size(&self) -> u64 {
        let size = |end: &str| system::stat(&bytes!(self.stem, end), true).map_or(0, |s| s.size);
        size(".pack") + size(".idx")
    }

    /// Removes the pack.
    ///
    /// # Errors
    /// Where its files cannot be removed.
    pub fn remove(&self) -> Outcome {
        for end in ENDS {
            let path = bytes!(self.stem, end);
            if system::stat(&path, false).is_ok() {
                system::unlink(&path)
                    .map_err(|failure| file("unable to unlink", &path, failure))?;
            }
        }
        Ok(())
    }
}

impl Objects {
    /// The folder that is written to.
    pub fn folder(&self) -> &[u8] {
        &self.folders[0]
    }

    /// The loose objects of our own, in the order of their names, and files among them that are none.
    pub fn loose(&self) -> (Vec<Loose>, Vec<Vec<u8>>) {
        let (mut found, mut other) = (Vec::new(), Vec::new());
        for part in 0..=255_u8 {
            let start = format!("{part:02x}");
            let folder = system::join(self.folder(), start.as_bytes());
            for entry in system::read_directory(&folder).unwrap_or_default() {
                let path = system::join(&folder, &entry.name);
                let id = parse_id(&bytes!(start, entry.name));
                match (id, system::stat(&path, false)) {
                    (Some(id), Ok(stat)) => found.push(Loose { id, path, stat }),
                    _ => other.push(path),
                }
            }
        }
        found.sort_by_key(|loose| loose.id);
        (found, other)
    }

    /// The packs of our own, in the order of their names.
    pub fn stored(&self) -> Vec<Stored> {
        let own = system::join(self.folder(), b"pack");
        let mut found = Vec::new();
        for pack in self.packs() {
            let Some(stem) = pack.path.strip_suffix(b".pack") else {
                continue;
            };
            let Ok(stat) = system::stat(&pack.path, true) else {
                continue;
            };
            if stem.strip_prefix(own.as_slice()).is_some() {
                found.push(Stored {
                    stem: stem.to_vec(),
                    ids: pack.index.iter().map(|entry| entry.oid).collect(),
                    kept: system::stat(&bytes!(stem, ".keep"), true).is_ok(),
                    stat,
                });
            }
        }
        found.sort_by(|one, two| one.stem.cmp(&two.stem));
        found
    }

    /// Whether an object lies in a pack, be it borrowed or not.
    pub fn is_packed(&self, id: &Id) -> bool {
        let mut packs = self.packs().iter();
        packs.any(|pack| pack.index.lookup(id).is_some())
    }

    /// Whether an object lies in our own folder.
    pub fn is_own(&self, id: &Id) -> bool {
        let own = system::join(self.folder(), b"pack");
        let loose = Objects::loose_path(self.folder(), id);
        let mut packs = self.packs().iter();
        packs.any(|pack| pack.path.starts_with(&own) && pack.index.lookup(id).is_some())
            || system::stat(&loose, true).is_ok()
    }

    /// Writes an object of a pack into a file of its own, as old as the pack.
    ///
    /// # Errors
    /// Where it can be neither read nor written.
    pub fn loosen(&self, id: &Id, stat: &Stat) -> Outcome {
        let (kind, content) = self.read(id)?;
        let path = self.write_loose(id, kind, &content)?;
        // One that seems younger is kept longer, no more.
        let _ = system::set_times(&path, stat.accessed, stat.modified, false);
        Ok(())
    }

    /// Checks a pack with its index against their checksums; says what is wrong.
    pub fn verify(&self, stored: &Stored) -> Option<String> {
        let read = |end: &str| system::read_whole(&bytes!(stored.stem, end));
        let (Ok(pack), Ok(index)) = (read(".pack"), read(".idx")) else {
            return Some("cannot be read".to_owned());
        };
        for (data, what) in [(&pack, "pack"), (&index, "index")] {
            let end = data.len().saturating_sub(HASH.len_in_bytes());
            let (body, sum) = data.split_at(end);
            use sha1::Digest as _;
            if sha1::Sha1::digest(body).as_slice() != sum {
                return Some(format!("{what} has another checksum than it says"));
            }
        }
        None
    }

    /// Reads a file with a loose object; none where it is corrupt.
    pub fn read_loose(path: &[u8]) -> Option<Object> {
        unpack_loose(&system::read_whole(path).ok()?)
    }
}
