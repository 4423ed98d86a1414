//! Looking through a whole tree that may come from an attacker.

use std::collections::{BTreeMap, BTreeSet};

use super::{Body, Inode, Name, ROOT, Tree, is_name};
use crate::{Error, Kind, Result, Usage};

/// What the directories of a tree say about an inode.
#[derive(Default)]
struct Named {
    names: u32,
    subdirectories: u32,
    /// Whether a directory has it under the name that it believes to have.
    known: bool,
}

impl Tree {
    /// Checks that the tree is one: every inode is reached from the root, directories exactly once
    /// and from their parent, and all counts are true.
    pub(crate) fn verify(&self, contents: bool) -> Result<()> {
        let mut named = BTreeMap::<u64, Named>::new();
        let mut pending = vec![ROOT];
        let mut seen = BTreeSet::from([ROOT]);
        named.insert(
            ROOT,
            Named {
                names: 1,
                known: true,
                ..Named::default()
            },
        );
        while let Some(number) = pending.pop() {
            let directory = self.directory(number)?;
            let mut last: Option<&Name> = None;
            let mut count = 0;
            for entry in directory.names.iter() {
                let (name, entry) = entry?;
                if !is_name(name) || last.is_some_and(|last| last >= name) {
                    return Err(Error::Corrupt);
                }
                // What a search finds must be what a listing shows.
                if directory.names.get(name)? != Some(entry) {
                    return Err(Error::Corrupt);
                }
                (last, count) = (Some(name), count + 1);
                let inode = self.inode(entry.inode).map_err(missing)?;
                if inode.kind() != entry.kind {
                    return Err(Error::Corrupt);
                }
                let known = inode.parent == number && inode.name == *name;
                if entry.kind == Kind::Directory {
                    if !known || !seen.insert(entry.inode) {
                        return Err(Error::Corrupt);
                    }
                    pending.push(entry.inode);
                    named.entry(number).or_default().subdirectories += 1;
                }
                let found = named.entry(entry.inode).or_default();
                found.names += 1;
                found.known |= known;
            }
            if count != directory.names.len() {
                return Err(Error::Corrupt);
            }
        }
        self.verify_inodes(&named, contents)
    }

    fn verify_inodes(&self, named: &BTreeMap<u64, Named>, contents: bool) -> Result<()> {
        let (mut usage, mut found, mut result) = (Usage::default(), 0, Ok(()));
        self.inodes.for_each(|number, inode| {
            found += 1;
            result = result.and_then(|()| match named.get(&number) {
                Some(named) if number < self.next && self.agrees(inode, named) => {
                    usage.inodes += u64::from(named.names);
                    usage.bytes = usage.bytes.saturating_add(inode.stored());
                    match &inode.body {
                        Body::File(content) => content.verify(contents),
                        _ => Ok(()),
                    }
                }
                _ => Err(Error::Corrupt),
            });
        })?;
        result?;
        if usage == self.usage && found == named.len() {
            Ok(())
        } else {
            Err(Error::Corrupt)
        }
    }

    fn agrees(&self, inode: &Inode, named: &Named) -> bool {
        match inode.kind() {
            Kind::Directory => named.names == 1 && inode.links == named.subdirectories + 2,
            _ => inode.links == named.names,
        }
    }
}

/// A name that leads nowhere is damage; a failing store stays what it is.
fn missing(error: Error) -> Error {
    match error {
        Error::NoEntry => Error::Corrupt,
        other => other,
    }
}
