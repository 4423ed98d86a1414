//! Trees as flat maps from path to file.

use std::collections::BTreeMap;

use gix_object::{Kind, TreeRef};

use super::objects::{HASH, Id, Objects};
use super::stop::{Outcome, fatal};
use crate::call::bytes;
use crate::system::{self, Stat};

/// A regular file.
pub const FILE: u32 = 0o100_644;
/// An executable file.
pub const EXECUTABLE: u32 = 0o100_755;
/// A symbolic link.
pub const LINK: u32 = 0o120_000;
/// Another repository's commit.
pub const COMMIT: u32 = 0o160_000;
/// A folder.
pub const FOLDER: u32 = 0o040_000;

/// What a path is in a tree.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Item {
    pub mode: u32,
    pub id: Id,
}

/// The entries of one tree object.
type Entries = Vec<(Vec<u8>, Item)>;

/// The files of a tree with all folders below.
pub type Items = BTreeMap<Vec<u8>, Item>;

/// The mode that git gives a file of the work tree; none for what it does not keep.
pub fn mode_of(stat: &Stat) -> Option<u32> {
    match stat.kind {
        system::Kind::Regular if stat.mode & 0o100 != 0 => Some(EXECUTABLE),
        system::Kind::Regular => Some(FILE),
        system::Kind::Symlink => Some(LINK),
        _ => None,
    }
}

/// The entries of one tree object in their order.
pub fn entries(objects: &Objects, id: &Id) -> Outcome<Vec<(Vec<u8>, Item)>> {
    let (kind, content) = objects.read(id)?;
    if kind != Kind::Tree {
        return Err(fatal(format!("object {id} is a {kind}, not a tree")));
    }
    let tree =
        TreeRef::from_bytes(&content, HASH).map_err(|_| fatal(format!("tree {id} is corrupt")))?;
    let entries = tree.entries.iter().map(|entry| {
        let mode = match u32::from(entry.mode.value()) {
            mode if mode & 0o170_000 == 0o100_000 && mode & 0o100 != 0 => EXECUTABLE,
            mode if mode & 0o170_000 == 0o100_000 => FILE,
            mode => mode,
        };
        let id = entry.oid.to_owned();
        (entry.filename.to_vec(), Item { mode, id })
    });
    Ok(entries.collect())
}

/// All files of a tree.
pub fn flatten(objects: &Objects, id: &Id) -> Outcome<Items> {
    let mut items = Items::new();
    let mut folders = vec![(Vec::new(), *id)];
    while let Some((path, id)) = folders.pop() {
        for (name, item) in entries(objects, &id)? {
            let whole = system::join(&path, &name);
            if item.mode == FOLDER {
                folders.push((whole, item.id));
            } else {
                items.insert(whole, item);
            }
        }
    }
    Ok(items)
}

/// What is at `path` in a tree: a file, or a folder.
pub fn find(objects: &Objects, root: &Id, path: &[u8]) -> Outcome<Option<Item>> {
    let mut item = Item {
        mode: FOLDER,
        id: *root,
    };
    for part in path
        .split(|&byte| byte == b'/')
        .filter(|part| !part.is_empty())
    {
        if item.mode != FOLDER {
            return Ok(None);
        }
        let entries = entries(objects, &item.id)?;
        match entries.into_iter().find(|(name, _)| name == part) {
            Some((_, found)) => item = found,
            None => return Ok(None),
        }
    }
    Ok(Some(item))
}

/// Writes trees for `items`, and gives the name of the topmost.
pub fn write(objects: &Objects, items: &Items) -> Outcome<Id> {
    // Folders below the one that is being read, with what is in them so far.
    let mut open: Vec<(Vec<u8>, Entries)> = vec![(Vec::new(), Vec::new())];
    for (path, item) in items {
        let (folder, name) = match path.iter().rposition(|&byte| byte == b'/') {
            Some(at) => (&path[..at], &path[at + 1..]),
            None => (b"".as_slice(), path.as_slice()),
        };
        while open.last().is_some_and(|(top, _)| !is_within(folder, top)) {
            close(objects, &mut open)?;
        }
        let depth = open.last().map_or(0, |(top, _)| top.len());
        let rest = folder.get(depth..).unwrap_or_default();
        let mut end = depth;
        for part in rest
            .split(|&byte| byte == b'/')
            .filter(|part| !part.is_empty())
        {
            end += part.len() + usize::from(end > 0);
            open.push((folder[..end].to_vec(), Vec::new()));
        }
        if let Some((_, entries)) = open.last_mut() {
            entries.push((name.to_vec(), *item));
        }
    }
    while open.len() > 1 {
        close(objects, &mut open)?;
    }
    let entries = open.pop().map(|(_, entries)| entries).unwrap_or_default();
    write_one(objects, entries)
}

fn is_within(folder: &[u8], top: &[u8]) -> bool {
    top.is_empty() || folder == top || folder.starts_with(&bytes!(top, "/"))
}

fn close(objects: &Objects, open: &mut Vec<(Vec<u8>, Entries)>) -> Outcome {
    let Some((path, entries)) = open.pop() else {
        return Ok(());
    };
    let id = write_one(objects, entries)?;
    let name = path
        .rsplit(|&byte| byte == b'/')
        .next()
        .unwrap_or(&path)
        .to_vec();
    if let Some((_, above)) = open.last_mut() {
        above.push((name, Item { mode: FOLDER, id }));
    }
    Ok(())
}

fn write_one(objects: &Objects, mut entries: Entries) -> Outcome<Id> {
    // Folders sort as if their names ended in a slash.
    let key = |(name, item): &(Vec<u8>, Item)| {
        let slash = if item.mode == FOLDER { "/" } else { "" };
        bytes!(name, slash)
    };
    entries.sort_by_key(key);
    let mut content = Vec::new();
    for (name, item) in &entries {
        content.extend(bytes!(
            format!("{:o} ", item.mode),
            name,
            "\0",
            item.id.as_slice()
        ));
    }
    objects.write(Kind::Tree, &content)
}

/// The files that differ between two trees; folders that are equal are not read.
pub fn differences(objects: &Objects, old: &Id, new: &Id) -> Outcome<(Items, Items)> {
    let (mut gone, mut come) = (Items::new(), Items::new());
    let mut open = vec![(Vec::new(), Some(*old), Some(*new))];
    while let Some((folder, old, new)) = open.pop() {
        let read = |id: Option<Id>| -> Outcome<BTreeMap<Vec<u8>, Item>> {
            match id {
                Some(id) => Ok(entries(objects, &id)?.into_iter().collect()),
                None => Ok(BTreeMap::new()),
            }
        };
        if old == new {
            continue;
        }
        let (before, after) = (read(old)?, read(new)?);
        let names: std::collections::BTreeSet<&Vec<u8>> =
            before.keys().chain(after.keys()).collect();
        for name in names {
            let (a, b) = (before.get(name), after.get(name));
            if a == b {
                continue;
            }
            let path = system::join(&folder, name);
            let is_folder = |item: &&Item| item.mode == FOLDER;
            let folders = (a.filter(is_folder), b.filter(is_folder));
            if folders.0.is_some() || folders.1.is_some() {
                let id = |item: Option<&Item>| item.map(|item| item.id);
                open.push((path.clone(), id(folders.0), id(folders.1)));
            }
            if let Some(item) = a.filter(|item| item.mode != FOLDER) {
                gone.insert(path.clone(), *item);
            }
            if let Some(item) = b.filter(|item| item.mode != FOLDER) {
                come.insert(path, *item);
            }
        }
    }
    Ok((gone, come))
}
