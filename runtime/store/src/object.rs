//! Immutable objects, named by the hash of what they hold.

use bytes::Bytes;
use offshoot_vfs::{Link, ObjectKind};

use crate::format::OBJECT_VERSION;
use crate::{Error, ObjectId, Result};

/// What an object is. The number goes into its id, so one kind is never taken for another.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
#[non_exhaustive]
pub enum Kind {
    /// Bytes of a file, at most 64 KiB.
    Chunk = 1,
    /// A node of the list of a file's chunks.
    File = 2,
    /// A node of a directory's names.
    Names = 3,
    /// A node of the table of inodes. Files up to 256 bytes are inside.
    Inodes = 4,
    /// The root of a tree.
    Tree = 5,
    /// The state of a shell session; its bytes mean something to the shell only.
    Session = 6,
    /// Settings of a sandbox; its bytes mean something to the façade only.
    Settings = 7,
    /// What refs name: see [`crate::Commit`].
    Commit = 8,
}

impl Kind {
    /// The kind with this number.
    ///
    /// # Errors
    /// `CORRUPT` where there is none.
    pub fn from_number(number: u8) -> Result<Kind> {
        use Kind::*;
        let kinds = [Chunk, File, Names, Inodes, Tree, Session, Settings, Commit];
        let kind = kinds.into_iter().find(|kind| *kind as u8 == number);
        kind.ok_or(Error::Corrupt {
            what: format!("kind {number}"),
            reason: "there is no such kind",
        })
    }

    /// The kind as the filesystem knows it; none for what is not part of a tree.
    pub(crate) fn in_tree(self) -> Option<ObjectKind> {
        match self {
            Kind::Chunk => Some(ObjectKind::Chunk),
            Kind::File => Some(ObjectKind::File),
            Kind::Names => Some(ObjectKind::Names),
            Kind::Inodes => Some(ObjectKind::Inodes),
            Kind::Tree => Some(ObjectKind::Tree),
            Kind::Session | Kind::Settings | Kind::Commit => None,
        }
    }
}

impl From<ObjectKind> for Kind {
    fn from(kind: ObjectKind) -> Kind {
        match kind {
            ObjectKind::File => Kind::File,
            ObjectKind::Names => Kind::Names,
            ObjectKind::Inodes => Kind::Inodes,
            ObjectKind::Tree => Kind::Tree,
            _ => Kind::Chunk,
        }
    }
}

/// An object with its name.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Object {
    /// BLAKE3 of the kind's number, the format's number and the payload.
    pub id: ObjectId,
    /// What it is.
    pub kind: Kind,
    /// What it holds.
    pub payload: Bytes,
}

impl Object {
    /// Names a payload.
    pub fn new(kind: Kind, payload: impl Into<Bytes>) -> Object {
        let payload = payload.into();
        Object {
            id: id_of(kind, &payload),
            kind,
            payload,
        }
    }

    /// Whether the payload is still the one that was named.
    ///
    /// # Errors
    /// `CORRUPT` where not.
    pub fn verify(self) -> Result<Object> {
        if id_of(self.kind, &self.payload) == self.id {
            Ok(self)
        } else {
            Err(Error::damaged(self.id, "its content has another hash"))
        }
    }
}

fn id_of(kind: Kind, payload: &[u8]) -> ObjectId {
    let mut hasher = blake3::Hasher::new();
    hasher.update(&[kind as u8, OBJECT_VERSION]);
    hasher.update(payload);
    ObjectId(*hasher.finalize().as_bytes())
}

/// Where an object leads to, and what must be true there.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct Target {
    /// What is there.
    pub kind: Kind,
    /// Its name.
    pub id: ObjectId,
    /// For parts of a tree, what the object that leads there says about it.
    pub claim: Option<u64>,
}

impl From<Link> for Target {
    fn from(link: Link) -> Target {
        Target {
            kind: link.kind.into(),
            id: link.id,
            claim: Some(link.claim),
        }
    }
}

/// What an object leads to.
///
/// # Errors
/// `CORRUPT` where the payload does not mean what kind and claim say, `TOO_NEW`.
pub fn targets(object: &Object, claim: Option<u64>) -> Result<Vec<Target>> {
    if let Some(kind) = object.kind.in_tree() {
        return match offshoot_vfs::links(kind, &object.payload, claim) {
            Ok(links) => Ok(links.into_iter().map(Target::from).collect()),
            Err(_) => Err(Error::damaged(object.id, "it is no node of a tree")),
        };
    }
    match object.kind {
        Kind::Commit => Ok(crate::Commit::decode(object)?.targets()),
        _ if claim.is_some_and(|claim| claim != object.payload.len() as u64) => {
            Err(Error::damaged(object.id, "it has another length"))
        }
        _ => Ok(Vec::new()),
    }
}
