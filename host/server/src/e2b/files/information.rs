//! What the client is told of a file.

use super::super::failure::{Failure, Result};
use super::super::messages::filesystem::{EntryInfo, FileType, Timestamp};
use super::super::record::Notes;
use super::ENVD;
use offshoot_vfs::{Caller, Kind, Metadata, NodeId, Vfs};
use std::collections::BTreeMap;

/// The names of users and groups by number, and what clients wrote down about files.
pub(super) struct Names {
    users: BTreeMap<u32, String>,
    groups: BTreeMap<u32, String>,
    notes: Notes,
}

impl Names {
    pub(super) fn of(vfs: &Vfs, notes: Notes) -> Names {
        Names {
            users: read(vfs, "/etc/passwd"),
            groups: read(vfs, "/etc/group"),
            notes,
        }
    }
}

/// The names of a file like `/etc/passwd`, whose third field is the number.
fn read(vfs: &Vfs, path: &str) -> BTreeMap<u32, String> {
    let bytes = vfs
        .read_file(&Caller::ROOT, vfs.root(), path.as_bytes())
        .unwrap_or_default();
    let text = String::from_utf8_lossy(&bytes);
    let pair = |line: &str| {
        let mut fields = line.split(':');
        let name = fields.next()?.to_owned();
        Some((fields.nth(1)?.parse().ok()?, name))
    };
    text.lines().filter_map(pair).collect()
}

/// What is known of an absolute path.
pub(super) fn of(vfs: &Vfs, names: &Names, path: &[u8]) -> Result<EntryInfo> {
    within(vfs, names, (vfs.root(), path), path)
}

/// What is known of what `place` leads to, whose path is shown; a link is not followed. A path that is no
/// text is shown with replacement characters, so that it can be seen and not asked for.
pub(super) fn within(
    vfs: &Vfs,
    names: &Names,
    place: (NodeId, &[u8]),
    path: &[u8],
) -> Result<EntryInfo> {
    let (at, name) = place;
    let shown = String::from_utf8_lossy(path).into_owned();
    let failed = |error| Failure::file(&shown, error);
    let metadata = vfs.stat(&ENVD, at, name, false).map_err(failed)?;
    let (file_type, symlink_target) = if metadata.kind == Kind::Symlink {
        let target = vfs.read_link(&ENVD, at, name).map_err(failed)?;
        let followed = vfs.stat(&ENVD, at, name, true);
        let kind = followed.map_or(Kind::Symlink, |followed| followed.kind);
        (
            file_type(kind),
            Some(String::from_utf8_lossy(&target).into_owned()),
        )
    } else {
        (file_type(metadata.kind), None)
    };
    Ok(EntryInfo {
        name: shown.rsplit('/').next().unwrap_or_default().to_owned(),
        r#type: file_type.into(),
        path: shown.clone(),
        size: i64::try_from(metadata.size).unwrap_or(i64::MAX),
        mode: metadata.mode & 0o777,
        permissions: permissions(&metadata),
        owner: named(&names.users, metadata.uid),
        group: named(&names.groups, metadata.gid),
        modified_time: Some(Timestamp {
            seconds: metadata.modified.seconds,
            nanos: i32::try_from(metadata.modified.nanoseconds).unwrap_or(0),
        }),
        is_symlink: metadata.kind == Kind::Symlink,
        symlink_target,
        metadata: names
            .notes
            .get(&metadata.inode)
            .map(|note| note.metadata.clone())
            .unwrap_or_default(),
    })
}

fn file_type(kind: Kind) -> FileType {
    match kind {
        Kind::Regular => FileType::File,
        Kind::Directory => FileType::Directory,
        Kind::Symlink => FileType::Symlink,
        _ => FileType::Unspecified,
    }
}

fn named(names: &BTreeMap<u32, String>, number: u32) -> String {
    names
        .get(&number)
        .cloned()
        .unwrap_or_else(|| number.to_string())
}

/// The bits as Go writes them.
fn permissions(metadata: &Metadata) -> String {
    let kind = match metadata.kind {
        Kind::Directory => 'd',
        Kind::Symlink => 'L',
        Kind::Fifo => 'p',
        Kind::Device => 'D',
        Kind::Regular => '-',
    };
    let bits = (0..9).rev().zip("rwxrwxrwx".chars());
    let bits = bits.map(|(bit, letter)| match metadata.mode >> bit & 1 {
        1 => letter,
        _ => '-',
    });
    std::iter::once(kind).chain(bits).collect()
}
