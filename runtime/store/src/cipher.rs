//! Encryption at rest, under a key that the store never has.
//!
//! What is stored under an object's id is its payload, encrypted, and the id is the hash of what is
//! stored. So the medium can be verified without the key, equal content is stored once among those who
//! share a key, and nobody else can tell that it is equal. The kind of an object and its length stay
//! visible, and so do the names and states of refs.
//!
//! | bytes | of a stored payload |
//! |---|---|
//! | 24 | a keyed hash of kind and content, from which the key of this object is made |
//! | n | the content, encrypted with ChaCha20-Poly1305 under that key |
//! | 16 | its tag, over the kind as well |
//!
//! No key encrypts two contents, so no nonce is needed, and no random numbers are.

use bytes::Bytes;
use ring::aead::{Aad, CHACHA20_POLY1305, LessSafeKey, Nonce, UnboundKey};

use crate::{Error, Key, Kind, Object, Result};

const HASH: usize = 24;

/// Encrypts and decrypts with keys that are made from one.
pub(crate) struct Cipher {
    hashes: Key,
    keys: Key,
}

impl Cipher {
    /// `purpose` keeps the keys of one use from being those of another.
    pub(crate) fn new(key: &Key, purpose: &str) -> Cipher {
        Cipher {
            hashes: Key::derive(&key.sign("hashes", purpose.as_bytes())),
            keys: Key::derive(&key.sign("keys", purpose.as_bytes())),
        }
    }

    /// Encrypts; `bound` must be the same when it is decrypted.
    pub(crate) fn encrypt(&self, bound: &[u8], content: &[u8]) -> Result<Vec<u8>> {
        let mut hasher = self.hashes.hasher();
        // The length keeps the two apart.
        hasher.update(&(bound.len() as u64).to_le_bytes());
        hasher.update(bound).update(content);
        let mut hash = [0; HASH];
        hasher.finalize_xof().fill(&mut hash);
        let mut stored = Vec::with_capacity(HASH + content.len() + CHACHA20_POLY1305.tag_len());
        stored.extend_from_slice(&hash);
        stored.extend_from_slice(content);
        let refused = |_| Error::Limit {
            what: "size of what is encrypted",
        };
        let tag = self
            .key(&hash)
            .and_then(|key| {
                key.seal_in_place_separate_tag(once(), Aad::from(bound), &mut stored[HASH..])
            })
            .map_err(refused)?;
        stored.extend_from_slice(tag.as_ref());
        Ok(stored)
    }

    /// Decrypts.
    ///
    /// # Errors
    /// `CORRUPT` where it was encrypted with another key, bound to something else, or changed.
    pub(crate) fn decrypt(&self, bound: &[u8], stored: &[u8]) -> Result<Vec<u8>> {
        let refused = || Error::NotAuthentic {
            reason: "it was not encrypted with this key",
        };
        let (hash, content) = stored.split_first_chunk::<HASH>().ok_or_else(refused)?;
        let mut content = content.to_vec();
        let length = self
            .key(hash)
            .and_then(|key| {
                key.open_in_place(once(), Aad::from(bound), &mut content)
                    .map(|plain| plain.len())
            })
            .map_err(|_| refused())?;
        content.truncate(length);
        Ok(content)
    }

    /// The key of one content.
    fn key(&self, hash: &[u8; HASH]) -> Result<LessSafeKey, ring::error::Unspecified> {
        let key = self.keys.sign("content", hash);
        UnboundKey::new(&CHACHA20_POLY1305, &key).map(LessSafeKey::new)
    }

    /// An object as it is stored.
    pub(crate) fn seal(&self, kind: Kind, payload: &[u8]) -> Result<Object> {
        Ok(Object::new(kind, self.encrypt(&[kind as u8], payload)?))
    }

    /// An object as it was meant. Its id stays that of the stored form.
    pub(crate) fn open(&self, stored: Object) -> Result<Object> {
        let payload = self.decrypt(&[stored.kind as u8], &stored.payload)?;
        Ok(Object {
            payload: Bytes::from(payload),
            ..stored
        })
    }
}

/// The nonce of a key that encrypts one content.
fn once() -> Nonce {
    Nonce::assume_unique_for_key([0; 12])
}
