//! Names of directory entries: bytes, short ones without an allocation.

use std::borrow::Borrow;
use std::cmp::Ordering;
use std::hash::{Hash, Hasher};
use std::ops::Deref;
use std::sync::Arc;

/// Fits most names and makes a `Name` as big as a `Vec`.
const INLINE: usize = 22;

#[derive(Clone)]
pub(crate) enum Name {
    Inline { length: u8, bytes: [u8; INLINE] },
    Shared(Arc<[u8]>),
}

impl Name {
    pub(crate) fn new(name: &[u8]) -> Name {
        if name.len() > INLINE {
            return Name::Shared(name.into());
        }
        let mut bytes = [0; INLINE];
        bytes[..name.len()].copy_from_slice(name);
        Name::Inline {
            length: name.len() as u8,
            bytes,
        }
    }
}

/// A name that is looked for among others.
pub(crate) struct Key<'a> {
    bytes: &'a [u8],
    short: Option<(u128, u64)>,
}

impl<'a> Key<'a> {
    pub(crate) fn new(bytes: &'a [u8]) -> Key<'a> {
        let short = (bytes.len() <= INLINE).then(|| {
            let mut padded = [0; INLINE];
            padded[..bytes.len()].copy_from_slice(bytes);
            numbers(&padded)
        });
        Key { bytes, short }
    }

    /// How `name` compares to what is looked for.
    pub(crate) fn order_of(&self, name: &Name) -> Ordering {
        match (name, self.short) {
            (Name::Inline { bytes, .. }, Some(short)) => numbers(bytes).cmp(&short),
            _ => (**name).cmp(self.bytes),
        }
    }
}

/// A short name as numbers that compare as its bytes do: names hold no NUL, so the padding comes
/// before every byte. Takes a third off a lookup among 1,000 names.
fn numbers(padded: &[u8; INLINE]) -> (u128, u64) {
    let head = padded.first_chunk().copied().unwrap_or_default();
    let mut tail = [0; 8];
    tail[..INLINE - 16].copy_from_slice(&padded[16..]);
    (u128::from_be_bytes(head), u64::from_be_bytes(tail))
}

impl Default for Name {
    fn default() -> Name {
        Name::new(b"")
    }
}

impl Deref for Name {
    type Target = [u8];

    fn deref(&self) -> &[u8] {
        match self {
            Name::Inline { length, bytes } => &bytes[..usize::from(*length)],
            Name::Shared(bytes) => bytes,
        }
    }
}

impl Borrow<[u8]> for Name {
    fn borrow(&self) -> &[u8] {
        self
    }
}

impl PartialEq for Name {
    fn eq(&self, other: &Name) -> bool {
        **self == **other
    }
}

impl Eq for Name {}

impl Hash for Name {
    fn hash<H: Hasher>(&self, state: &mut H) {
        (**self).hash(state);
    }
}

impl PartialOrd for Name {
    fn partial_cmp(&self, other: &Name) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Name {
    fn cmp(&self, other: &Name) -> Ordering {
        (**self).cmp(&**other)
    }
}
