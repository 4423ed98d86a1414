//! Questions about files.

use std::cmp::Ordering;

use crate::os::{Access, FileKind, Os, Stat};

/// How two files are compared.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Comparison {
    /// `-nt`: the left was modified later, or only it exists.
    Newer,
    /// `-ot`: the left was modified earlier, or only the right exists.
    Older,
    /// `-ef`: both are the same file.
    Same,
}

/// The answer to a question about a file; `question` is the letter of the operator, `path` is
/// absolute. False where the file is missing.
pub fn ask(os: &dyn Os, question: u8, path: &[u8]) -> bool {
    if path.is_empty() {
        return false;
    }
    let access = |access| os.access(path, access).is_ok();
    match question {
        b'r' => {
            return access(Access {
                read: true,
                ..Access::default()
            });
        }
        b'w' => {
            return access(Access {
                write: true,
                ..Access::default()
            });
        }
        b'x' => {
            return access(Access {
                execute: true,
                ..Access::default()
            });
        }
        b'h' | b'L' => {
            return os
                .stat(path, false)
                .is_ok_and(|stat| stat.kind == FileKind::Symlink);
        }
        _ => {}
    }
    os.stat(path, true)
        .is_ok_and(|stat| about(os, question, &stat))
}

fn about(os: &dyn Os, question: u8, stat: &Stat) -> bool {
    match question {
        b'a' | b'e' => true,
        b'c' => stat.kind == FileKind::CharacterDevice,
        b'd' => stat.kind == FileKind::Directory,
        b'f' => stat.kind == FileKind::Regular,
        b'g' => stat.mode & 0o2000 != 0,
        b'k' => stat.mode & 0o1000 != 0,
        b'p' => stat.kind == FileKind::Fifo,
        b's' => stat.size > 0,
        b'u' => stat.mode & 0o4000 != 0,
        b'G' => stat.gid == os.identity().gid,
        b'N' => stat.modified > stat.accessed,
        b'O' => stat.uid == os.identity().uid,
        // There are no block devices and no sockets.
        _ => false,
    }
}

/// Compares two files; the paths are absolute.
pub fn compare(os: &dyn Os, comparison: Comparison, left: &[u8], right: &[u8]) -> bool {
    let stat = |path: &[u8]| {
        if path.is_empty() {
            None
        } else {
            os.stat(path, true).ok()
        }
    };
    let (left, right) = (stat(left), stat(right));
    let order = left
        .map(|stat| stat.modified)
        .cmp(&right.map(|stat| stat.modified));
    match comparison {
        Comparison::Newer => order == Ordering::Greater,
        Comparison::Older => order == Ordering::Less,
        Comparison::Same => left
            .zip(right)
            .is_some_and(|(left, right)| (left.device, left.inode) == (right.device, right.inode)),
    }
}
