//! A tree as bytes: the objects that the store keeps, one after the other.
//!
//! The bytes are a magic word, the format's number, and for each object its kind, the length of its
//! payload (little endian) and the payload; the last one is the tree's root. Names of objects are not
//! written: they are the hash of what is there, as in the store.

use std::collections::{HashMap, HashSet};
use std::ops::Range;
use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use offshoot_vfs::{Error, ObjectId, ObjectKind, ObjectSink, ObjectSource, Options, Result, Vfs};

use crate::bindings::exports::offshoot::web::trees::Refusal;
use crate::convert;

/// What the bytes begin with.
const MAGIC: &[u8] = b"OFFSHOOT tree\n";
/// The number of this format.
const VERSION: u8 = 1;
/// The number of the store's format of objects, which is part of their names.
const OBJECT_VERSION: u8 = 1;

/// The name of an object in the store.
fn name(kind: ObjectKind, payload: &[u8]) -> ObjectId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[kind as u8, OBJECT_VERSION]);
    hasher.update(payload);
    ObjectId(*hasher.finalize().as_bytes())
}

/// Numbers snapshots: each one is whole, so nothing that another one holds is left out.
static SEAL: AtomicU64 = AtomicU64::new(1);

/// Writes objects into bytes, each once.
struct Writer {
    bytes: Vec<u8>,
    known: HashSet<ObjectId>,
    seal: u64,
}

impl ObjectSink for Writer {
    type Error = Error;

    fn seal(&self) -> u64 {
        self.seal
    }

    fn holds(&mut self, id: ObjectId) -> Result<bool> {
        Ok(self.known.contains(&id))
    }

    fn put(&mut self, kind: ObjectKind, payload: Vec<u8>) -> Result<ObjectId> {
        let id = name(kind, &payload);
        if self.known.insert(id) {
            let length = u32::try_from(payload.len()).map_err(|_| Error::Overflow)?;
            self.bytes.push(kind as u8);
            self.bytes.extend(length.to_le_bytes());
            self.bytes.extend(payload);
        }
        Ok(id)
    }
}

/// The root tree as bytes.
///
/// # Errors
/// `EIO` where a part of the tree cannot be read.
pub(crate) fn save(vfs: &Vfs) -> Result<Vec<u8>> {
    let mut bytes = MAGIC.to_vec();
    bytes.push(VERSION);
    let mut writer = Writer {
        bytes,
        known: HashSet::new(),
        seal: SEAL.fetch_add(1, Ordering::Relaxed),
    };
    vfs.save(&mut writer)?;
    Ok(writer.bytes)
}

/// Finds objects in bytes.
struct Reader {
    bytes: Vec<u8>,
    objects: HashMap<ObjectId, (ObjectKind, Range<usize>)>,
}

impl ObjectSource for Reader {
    fn read(&self, id: ObjectId, kind: ObjectKind) -> Result<Vec<u8>> {
        let found = self.objects.get(&id).filter(|(known, _)| *known == kind);
        let (_, range) = found.ok_or(Error::Corrupt)?;
        let payload = self.bytes.get(range.clone()).ok_or(Error::Corrupt)?;
        Ok(payload.to_vec())
    }
}

/// A tree from bytes that [`save`] gave. All of it is looked at, since whoever kept them may have
/// changed them.
///
/// # Errors
/// That they are damaged, too new, or larger than the quotas of `options`.
pub(crate) fn load(bytes: &[u8], options: Options) -> std::result::Result<Vfs, Refusal> {
    let rest = bytes.strip_prefix(MAGIC).ok_or(Refusal::Corrupt)?;
    let (version, _) = rest.split_first().ok_or(Refusal::Corrupt)?;
    if *version > VERSION {
        return Err(Refusal::TooNew);
    }
    let start = MAGIC.len() + 1;
    let (objects, root) = index(bytes, start).ok_or(Refusal::Corrupt)?;
    let reader = Reader {
        bytes: bytes.to_vec(),
        objects,
    };
    let source: Arc<dyn ObjectSource> = Arc::new(reader);
    let vfs = Vfs::open_stored(root, &source, options).map_err(damaged)?;
    vfs.verify(true).map_err(damaged)?;
    Ok(vfs)
}

/// What does not fit is told apart; whatever else is wrong lies in the bytes.
fn damaged(error: Error) -> Refusal {
    match error {
        Error::NoSpace => convert::refusal(error),
        _ => Refusal::Corrupt,
    }
}

type Objects = HashMap<ObjectId, (ObjectKind, Range<usize>)>;

/// Where each object is, and the last one's name.
fn index(bytes: &[u8], mut at: usize) -> Option<(Objects, ObjectId)> {
    let mut objects = HashMap::new();
    let mut root = None;
    while at < bytes.len() {
        let kind = kind_of(*bytes.get(at)?)?;
        let length: [u8; 4] = bytes.get(at + 1..at + 5)?.try_into().ok()?;
        let start = at + 5;
        let end = start.checked_add(u32::from_le_bytes(length) as usize)?;
        let id = name(kind, bytes.get(start..end)?);
        objects.insert(id, (kind, start..end));
        root = (kind == ObjectKind::Tree).then_some(id);
        at = end;
    }
    Some((objects, root?))
}

fn kind_of(number: u8) -> Option<ObjectKind> {
    Some(match number {
        1 => ObjectKind::Chunk,
        2 => ObjectKind::File,
        3 => ObjectKind::Names,
        4 => ObjectKind::Inodes,
        5 => ObjectKind::Tree,
        _ => return None,
    })
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

    use super::*;
    use offshoot_vfs::Caller;

    const ROOT: Caller = Caller::ROOT;

    fn filled() -> Vfs {
        let vfs = Vfs::new(Options::default());
        let root = vfs.root();
        vfs.create_dir(&ROOT, root, b"/a", 0o755).unwrap();
        vfs.write_file(&ROOT, root, b"/a/large", &[7; 200_000], 0o600)
            .unwrap();
        vfs.write_file(&ROOT, root, b"/small", b"text", 0o644)
            .unwrap();
        vfs.symlink(&ROOT, b"a/large", root, b"/link").unwrap();
        vfs
    }

    #[test]
    fn a_snapshot_is_the_tree_again() {
        let vfs = filled();
        let bytes = save(&vfs).unwrap();
        let back = load(&bytes, Options::default()).unwrap();
        assert_eq!(offshoot_vfs::diff(&vfs, &back).unwrap(), vec![]);
        assert_eq!(save(&back).unwrap(), bytes, "equal trees have equal bytes");
        // A second one is as whole as the first.
        vfs.write_file(&ROOT, vfs.root(), b"/small", b"other", 0o644)
            .unwrap();
        let second = load(&save(&vfs).unwrap(), Options::default()).unwrap();
        let read = |vfs: &Vfs, path: &[u8]| vfs.read_file(&ROOT, vfs.root(), path).unwrap();
        assert_eq!(read(&second, b"/small"), b"other");
        assert_eq!(read(&second, b"/link"), [7; 200_000]);
    }

    #[test]
    fn damage_is_found() {
        let bytes = save(&filled()).unwrap();
        let options = Options::default;
        for end in [0, 5, MAGIC.len(), MAGIC.len() + 1, bytes.len() - 1] {
            assert!(
                matches!(load(&bytes[..end], options()), Err(Refusal::Corrupt)),
                "{end}"
            );
        }
        for at in (MAGIC.len() + 1..bytes.len()).step_by(97) {
            let mut changed = bytes.clone();
            changed[at] ^= 1;
            assert!(load(&changed, options()).is_err(), "{at}");
        }
        let mut newer = bytes.clone();
        newer[MAGIC.len()] = VERSION + 1;
        assert!(matches!(load(&newer, options()), Err(Refusal::TooNew)));
    }
}
