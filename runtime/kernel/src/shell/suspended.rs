//! Scripts that were suspended, as the host keeps them.
//!
//! | bytes | what |
//! |---|---|
//! | 8 | `OFFSLEEP` |
//! | 2 · 2 | version that wrote it, oldest version that can read it; little-endian |
//! | n | the shell's image, the script's open files, what it used of its limits |
//! | 8 | FNV-1a of all before |

use std::fmt;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::{Error, Result};

const MAGIC: [u8; 8] = *b"OFFSLEEP";
/// What this version writes.
const VERSION: u16 = 2;
/// The first version that says whether anybody waits for what has let go of the streams.
const RELEASES: u16 = 2;
/// The lowest version that a reader must know for what this one writes.
const MIN_READER: u16 = 1;

/// A script that was suspended: plain data, for any instance in any process.
///
/// It has the script's tasks, variables and pipes, and what was open: files by their paths, files
/// without a name with their contents, and what had arrived on standard input and was not read.
/// Files that have a name stay in the filesystem, which is kept beside it.
///
/// Whoever can change the bytes can open every file of the sandbox that they are resumed in.
#[derive(Clone, PartialEq, Eq)]
pub struct Suspended(pub(super) Arc<Body>);

#[derive(PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Body {
    /// The image that the shell made.
    pub(super) state: Vec<u8>,
    pub(super) nodes: Vec<Node>,
    pub(super) objects: Vec<Kept>,
    pub(super) descriptors: Vec<Numbered>,
    /// Its number among the processes of the sandbox, which `$$` shows.
    pub(super) pid: u32,
    pub(super) arguments: Vec<Vec<u8>>,
    pub(super) script: Vec<u8>,
    /// 0: each subshell has its own, in the state.
    pub(super) umask: u32,
    pub(super) background: bool,
    pub(super) left: Left,
    /// Nobody waits for what has let go of the streams. Behind the rest since version 2.
    #[serde(skip)]
    pub(super) release: bool,
}

/// A file that is open.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Node {
    pub(super) kind: NodeKind,
    /// None where its last name is gone.
    pub(super) path: Option<Vec<u8>>,
    pub(super) mode: u32,
    pub(super) owner: (u32, u32),
    /// What a file without a name holds, or a FIFO that only the script has open.
    pub(super) content: Vec<u8>,
}

#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum NodeKind {
    Regular,
    Directory,
    Fifo,
    Device,
}

/// What several descriptors may share.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub(super) enum Kept {
    /// What the embedder gave under this number.
    Given {
        number: u32,
        unread: Vec<u8>,
        /// More may arrive.
        open: bool,
    },
    File {
        node: u32,
        read: bool,
        write: bool,
        append: bool,
        offset: u64,
        /// The other side of a FIFO was there.
        opened: bool,
    },
}

/// A descriptor of the instance.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(super) struct Numbered {
    pub(super) number: u32,
    pub(super) object: u32,
    /// The script does not close it: the number in the script that it was given as.
    pub(super) lent: Option<u32>,
}

/// What is left of the limits of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
pub(crate) struct Left {
    pub(crate) wall_time: Option<Duration>,
    pub(crate) output: u64,
    /// Processor time that was used.
    pub(crate) processor: Duration,
}

impl Suspended {
    /// The script as bytes: versioned, and equal for equal scripts.
    ///
    /// # Errors
    /// [`Error::Limit`] where they don't fit into memory.
    pub fn to_bytes(&self) -> Result<Bytes> {
        let mut bytes = Vec::with_capacity(self.0.state.len() + 256);
        bytes.extend_from_slice(&MAGIC);
        bytes.extend_from_slice(&VERSION.to_le_bytes());
        bytes.extend_from_slice(&MIN_READER.to_le_bytes());
        let encoded = postcard::to_extend(&(&*self.0, self.0.release), bytes);
        let mut bytes = encoded.map_err(|_| Error::Limit(crate::Limit::Memory))?;
        let sum = sum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        Ok(bytes.into())
    }

    /// The script that [`Suspended::to_bytes`] wrote. What the shell itself wrote is looked at when
    /// it is resumed.
    ///
    /// # Errors
    /// [`Error::Corrupt`], and [`Error::TooNew`] for bytes that ask for a newer reader.
    pub fn from_bytes(bytes: &[u8]) -> Result<Suspended> {
        let rest = bytes.strip_prefix(&MAGIC).ok_or(Error::Corrupt)?;
        let (versions, rest) = rest.split_first_chunk::<4>().ok_or(Error::Corrupt)?;
        let version = u16::from_le_bytes([versions[0], versions[1]]);
        let (encoded, end) = rest.split_last_chunk::<8>().ok_or(Error::Corrupt)?;
        if sum(&bytes[..bytes.len() - end.len()]) != u64::from_le_bytes(*end) {
            return Err(Error::Corrupt);
        }
        if u16::from_le_bytes([versions[2], versions[3]]) > VERSION {
            return Err(Error::TooNew);
        }
        let corrupt = |_| Error::Corrupt;
        let (mut body, mut more) = postcard::take_from_bytes::<Body>(encoded).map_err(corrupt)?;
        if version >= RELEASES {
            (body.release, more) = postcard::take_from_bytes(more).map_err(corrupt)?;
        }
        // A later version with the same oldest reader may have more at the end.
        match more.is_empty() || version > VERSION {
            true => Ok(Suspended(Arc::new(body))),
            false => Err(Error::Corrupt),
        }
    }

    /// The text of the script; empty where it was no text.
    pub fn script(&self) -> &[u8] {
        &self.0.script
    }

    /// `$0` and the arguments of the script.
    pub fn arguments(&self) -> &[Vec<u8>] {
        &self.0.arguments
    }

    /// Whether more could have arrived at descriptor `number` when it was suspended: its writer had
    /// not closed it.
    pub fn is_open(&self, number: u32) -> bool {
        self.0.objects.iter().any(|kept| {
            matches!(kept, Kept::Given { number: given, open, .. } if *given == number && *open)
        })
    }
}

impl fmt::Debug for Suspended {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Suspended")
            .field("script", &String::from_utf8_lossy(&self.0.script))
            .field("bytes", &self.0.state.len())
            .field("nodes", &self.0.nodes.len())
            .finish_non_exhaustive()
    }
}

/// FNV-1a: enough against damage, and nothing more is asked of it.
fn sum(bytes: &[u8]) -> u64 {
    let step = |sum: u64, byte: &u8| (sum ^ u64::from(*byte)).wrapping_mul(0x100_0000_01b3);
    bytes.iter().fold(0xcbf2_9ce4_8422_2325, step)
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    fn suspended() -> Suspended {
        Suspended(Arc::new(Body {
            state: b"image".to_vec(),
            nodes: vec![Node {
                kind: NodeKind::Regular,
                path: Some(b"/f".to_vec()),
                mode: 0o644,
                owner: (1, 2),
                content: Vec::new(),
            }],
            objects: vec![Kept::Given {
                number: 0,
                unread: b"rest".to_vec(),
                open: true,
            }],
            descriptors: Vec::new(),
            pid: 7,
            arguments: vec![b"bash".to_vec()],
            script: b"sleep 1".to_vec(),
            umask: 0,
            background: true,
            left: Left {
                wall_time: Some(Duration::from_millis(5)),
                output: 9,
                processor: Duration::ZERO,
            },
            release: true,
        }))
    }

    fn sealed(mut bytes: Vec<u8>) -> Vec<u8> {
        let length = bytes.len() - 8;
        bytes.truncate(length);
        let sum = sum(&bytes);
        bytes.extend_from_slice(&sum.to_le_bytes());
        bytes
    }

    #[test]
    fn bytes_come_back_or_are_refused() {
        let bytes = suspended().to_bytes().unwrap().to_vec();
        let back = Suspended::from_bytes(&bytes).unwrap();
        assert!(back == suspended());
        assert!(back.is_open(0) && !back.is_open(1));
        for at in 0..bytes.len() {
            let mut damaged = bytes.clone();
            damaged[at] ^= 1;
            let error = Suspended::from_bytes(&damaged).unwrap_err();
            assert!(matches!(error, Error::Corrupt), "{at}");
            let error = Suspended::from_bytes(&bytes[..at]).unwrap_err();
            assert!(matches!(error, Error::Corrupt), "cut at {at}");
        }
    }

    #[test]
    fn an_older_version_is_read() {
        let mut bytes = suspended().to_bytes().unwrap().to_vec();
        bytes[8] = 1;
        bytes.remove(bytes.len() - 9);
        let back = Suspended::from_bytes(&sealed(bytes)).unwrap();
        assert!(!back.0.release && back.0.background);
    }

    #[test]
    fn newer_versions_say_who_can_read_them() {
        let mut bytes = suspended().to_bytes().unwrap().to_vec();
        // A newer writer that this reader can follow, with a field at the end.
        bytes[8] = 3;
        bytes.splice(bytes.len() - 8..bytes.len() - 8, [1, 2, 3]);
        assert!(Suspended::from_bytes(&sealed(bytes.clone())).unwrap() == suspended());
        bytes[10] = 3;
        let error = Suspended::from_bytes(&sealed(bytes)).unwrap_err();
        assert!(matches!(error, Error::TooNew));
    }
}
