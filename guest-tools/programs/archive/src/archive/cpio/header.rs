//! Members as each format has them; GNU cpio's `cpio(5)` and `cpiohdr.h` describe them.
//!
//! | Format | Magic | Header | Aligned to |
//! |---|---|---|---|
//! | `bin` | 070707 as a 16-bit number, in either byte order | 13 such numbers, 26 bytes | 2 |
//! | `odc` | `070707` | octal text, 76 bytes | – |
//! | `newc` | `070701` | hexadecimal text, 110 bytes | 4 |
//! | `crc` | `070702` | as `newc`, with the sum of the content's bytes | 4 |
//!
//! A header is followed by the name with a zero byte, and the content; the member `TRAILER!!!` ends an archive.
//! Numbers that are too large for `bin` are cut: inodes, owners and sizes to 16, 16 and 32 bits.

use super::gather::Attributes;
use crate::call::bytes;

/// A member of an archive.
pub(super) struct Member<'a> {
    pub(super) name: &'a [u8],
    /// Device and inode: the same for all names of a file.
    pub(super) inode: (u64, u64),
    /// Type and permission bits.
    pub(super) mode: u32,
    pub(super) uid: u32,
    pub(super) gid: u32,
    /// How many names the file has, also outside of the archive.
    pub(super) links: u32,
    /// In seconds since 1970.
    pub(super) modified: i64,
    /// The content of a regular file, or the text of a symbolic link.
    pub(super) content: &'a [u8],
    /// Its format (`newc`, `crc`) has the content of a file with several names once, with the last of them.
    pub(super) is_once: bool,
}

impl Member<'_> {
    /// The type bits of the mode, in place.
    pub(super) fn kind(&self) -> u32 {
        self.mode & 0o170_000
    }
}

/// How an archive is written.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Format {
    /// `bin`, with the low byte first.
    Binary,
    /// `newc`.
    New,
    /// `crc`.
    Checked,
    /// `odc`.
    Portable,
}

/// Appends a member in a format, with its padding. Times before 1970 become 0.
pub(super) fn put(archive: &mut Vec<u8>, member: &Member, format: Format) {
    let size = member.content.len();
    let name = member.name.len() + 1;
    let modified = member.modified.max(0);
    if format == Format::Portable {
        let head = format!(
            "070707{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{:06o}{modified:011o}{name:06o}{size:011o}",
            member.inode.0 & 0o777_777,
            member.inode.1 & 0o777_777,
            member.mode,
            member.uid & 0o777_777,
            member.gid & 0o777_777,
            member.links,
            0
        );
        archive.extend_from_slice(&bytes!(head, member.name, "\0", member.content));
        return;
    }
    if format == Format::Binary {
        let fields = [
            0o070_707,
            0,
            member.inode.1,
            u64::from(member.mode),
            u64::from(member.uid),
            u64::from(member.gid),
            u64::from(member.links),
            0,
            modified as u64 >> 16,
            modified as u64,
            name as u64,
            size as u64 >> 16,
            size as u64,
        ];
        for field in fields {
            archive.extend_from_slice(&(field as u16).to_le_bytes());
        }
        archive.extend_from_slice(&bytes!(member.name, "\0"));
        archive.resize(archive.len().next_multiple_of(2), 0);
        archive.extend_from_slice(member.content);
        archive.resize(archive.len().next_multiple_of(2), 0);
        return;
    }
    let checked = format == Format::Checked && member.kind() == 0o100_000;
    let check = if checked {
        member
            .content
            .iter()
            .fold(0_u32, |sum, byte| sum.wrapping_add(u32::from(*byte)))
    } else {
        0
    };
    let magic = if format == Format::Checked {
        "070702"
    } else {
        "070701"
    };
    let head = format!(
        "{magic}{:08X}{:08X}{:08X}{:08X}{:08X}{modified:08X}{size:08X}{:08X}{:08X}{:08X}{:08X}{name:08X}{check:08X}",
        member.inode.1, member.mode, member.uid, member.gid, member.links, 0, 0, 0, 0
    );
    archive.extend_from_slice(&bytes!(head, member.name, "\0"));
    archive.resize(archive.len().next_multiple_of(4), 0);
    archive.extend_from_slice(member.content);
    archive.resize(archive.len().next_multiple_of(4), 0);
}

/// A number that takes the whole text.
fn digits(text: &[u8], radix: u32) -> Option<u64> {
    u64::from_str_radix(std::str::from_utf8(text).ok()?, radix).ok()
}

/// A member of the binary format, in either byte order. A 32-bit number has its high half first in both.
fn take_binary(rest: &[u8]) -> Option<(Member<'_>, usize)> {
    let big = rest.starts_with(&0o070_707_u16.to_be_bytes());
    let field = |index: usize| {
        let pair = rest.get(2 * index..2 * index + 2)?;
        let pair = [pair[0], pair[1]];
        let value = if big {
            u16::from_be_bytes(pair)
        } else {
            u16::from_le_bytes(pair)
        };
        Some(u32::from(value))
    };
    let long = |index: usize| Some(field(index)? << 16 | field(index + 1)?);
    let (name, size) = (field(10)? as usize, long(11)? as usize);
    let start = 26 + name.next_multiple_of(2);
    let end = start.checked_add(size)?;
    let member = Member {
        name: rest.get(26..(26 + name).checked_sub(1)?)?,
        inode: (u64::from(field(1)?), u64::from(field(2)?)),
        mode: field(3)?,
        uid: field(4)?,
        gid: field(5)?,
        links: field(6)?,
        modified: i64::from(long(8)?),
        content: rest.get(start..end)?,
        is_once: false,
    };
    Some((member, end.next_multiple_of(2)))
}

/// The member at the start of `rest`, and how long it is with its padding, which may be more than there is. None
/// where no format is recognised or the member is cut off.
pub(super) fn take(rest: &[u8]) -> Option<(Member<'_>, usize)> {
    let number = |at: usize, length: usize, radix| digits(rest.get(at..at + length)?, radix);
    let size_of = |number: u64| usize::try_from(number).ok();
    if rest.starts_with(&[0xc7, 0x71]) || rest.starts_with(&[0x71, 0xc7]) {
        return take_binary(rest);
    }
    let new = matches!(rest.get(..6)?, b"070701" | b"070702");
    let (head, name, size) = if new {
        (
            110,
            size_of(number(94, 8, 16)?)?,
            size_of(number(54, 8, 16)?)?,
        )
    } else if rest.starts_with(b"070707") {
        (
            76,
            size_of(number(59, 6, 8)?)?,
            size_of(number(65, 11, 8)?)?,
        )
    } else {
        return None;
    };
    let pad = |at: usize| {
        if new {
            at.checked_next_multiple_of(4)
        } else {
            Some(at)
        }
    };
    let start = pad(head + name)?;
    let end = start.checked_add(size)?;
    let content = rest.get(start..end)?;
    let text = rest.get(head..(head + name).checked_sub(1)?)?;
    let field = |narrow: (usize, usize), wide: usize| {
        if new {
            number(wide, 8, 16)
        } else {
            number(narrow.0, narrow.1, 8)
        }
    };
    let device = if new {
        number(62, 8, 16)? << 32 | number(70, 8, 16)?
    } else {
        number(6, 6, 8)?
    };
    let member = Member {
        name: text,
        inode: (device, field((12, 6), 6)?),
        mode: field((18, 6), 14)? as u32,
        uid: field((24, 6), 22)? as u32,
        gid: field((30, 6), 30)? as u32,
        links: field((36, 6), 38)? as u32,
        modified: field((48, 11), 46)? as i64,
        content,
        is_once: new,
    };
    Some((member, pad(end)?))
}

impl Member<'_> {
    /// What the file is given once it is there.
    pub(super) fn attributes(&self) -> Attributes {
        Attributes {
            mode: self.mode,
            uid: self.uid,
            gid: self.gid,
            modified: self.modified,
        }
    }
}
