//! Authenticity: what crosses a trust boundary is sealed with a key.

use crate::{Error, Result};

/// A secret that whoever seals and whoever opens share. It is wiped from no memory; keep it short-lived
/// where that matters.
#[derive(Clone)]
pub struct Key([u8; 32]);

impl Key {
    /// A key made from a secret of any length. Not for passwords: it takes no effort to try many.
    pub fn derive(secret: &[u8]) -> Key {
        Key(blake3::derive_key(
            "offshoot-store 2026 seal of a root",
            secret,
        ))
    }

    /// A tag for a text, which only who has the key can make. `purpose` keeps what was signed for one
    /// use from being taken for another.
    ///
    /// ```
    /// let key = offshoot_store::Key::derive(b"some secret");
    /// let tag = key.sign("greeting", b"hello");
    /// assert!(key.verifies("greeting", b"hello", &tag));
    /// assert!(!key.verifies("farewell", b"hello", &tag));
    /// ```
    pub fn sign(&self, purpose: &str, text: &[u8]) -> [u8; 32] {
        *self.text_tag(purpose, text).as_bytes()
    }

    /// Whether a tag was made for this text and purpose with this key. Takes the same time wherever
    /// it differs.
    pub fn verifies(&self, purpose: &str, text: &[u8], tag: &[u8]) -> bool {
        let tag: Result<[u8; 32], _> = tag.try_into();
        tag.is_ok_and(|tag| self.text_tag(purpose, text) == blake3::Hash::from_bytes(tag))
    }

    fn text_tag(&self, purpose: &str, text: &[u8]) -> blake3::Hash {
        let mut hasher = self.hasher();
        // The length keeps purpose and text apart.
        hasher.update(&(purpose.len() as u64).to_le_bytes());
        hasher.update(purpose.as_bytes()).update(text).finalize()
    }

    /// A hasher for what is sealed.
    pub(crate) fn hasher(&self) -> blake3::Hasher {
        blake3::Hasher::new_keyed(&self.0)
    }

    /// Seals the root of a sandbox, for a store that somebody else could change.
    pub fn seal(&self, root: &Root) -> Result<Seal> {
        Ok(Seal {
            root: root.clone(),
            tag: *self.tag(root)?.as_bytes(),
        })
    }

    /// The root that was sealed, where it is at least as new as the newest that the caller has seen.
    ///
    /// # Errors
    /// `CORRUPT` where the key does not fit or anything was changed, `FENCED` for an older one.
    pub fn open(&self, seal: &Seal, at_least: (u64, u64)) -> Result<Root> {
        // Comparing hashes takes the same time wherever they differ.
        if self.tag(&seal.root)? != blake3::Hash::from_bytes(seal.tag) {
            return Err(Error::NotAuthentic {
                reason: "the seal of a root does not fit",
            });
        }
        let found = (seal.root.epoch, seal.root.seq);
        if found < at_least {
            return Err(Error::RolledBack {
                found: found.0,
                expected: at_least.0,
            });
        }
        Ok(seal.root.clone())
    }

    fn tag(&self, root: &Root) -> Result<blake3::Hash> {
        let bytes = postcard::to_stdvec(root).map_err(|_| Error::Limit {
            what: "size of a root",
        })?;
        Ok(self.hasher().update(&bytes).finalize())
    }
}

impl std::fmt::Debug for Key {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.write_str("Key(…)")
    }
}

/// What a ref says, for somebody who does not trust the store that keeps it.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Root {
    /// The sandbox.
    pub name: String,
    /// Its commit.
    pub commit: crate::ObjectId,
    /// [`crate::Ref::epoch`].
    pub epoch: u64,
    /// [`crate::Ref::seq`].
    pub seq: u64,
}

/// A root and the proof that somebody with the key has said so.
#[derive(Debug, Clone, PartialEq, Eq, serde::Serialize, serde::Deserialize)]
pub struct Seal {
    /// What was sealed.
    pub root: Root,
    tag: [u8; 32],
}
