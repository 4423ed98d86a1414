//! Removing trees of any size beside others that use the same files.

use super::ENVD;
use offshoot_vfs::{Error, Kind, NodeId, Result, Vfs};

/// How often a directory is emptied that others fill at the same time.
const ATTEMPTS: u32 = 8;

/// A directory that is being emptied.
struct Directory {
    parent: NodeId,
    name: Vec<u8>,
    node: NodeId,
    /// What is still to be removed in it.
    rest: Vec<(Vec<u8>, Kind)>,
    attempts: u32,
}

/// Removes a file, or a directory with all that is in it. Each name goes by itself, so that nobody waits
/// for more than one; symbolic links are removed, never followed.
pub(super) fn remove(vfs: &Vfs, path: &[u8]) -> Result<()> {
    let end = path.len() - path.iter().rev().take_while(|byte| **byte == b'/').count();
    let cut = path[..end]
        .iter()
        .rposition(|byte| *byte == b'/')
        .map_or(0, |at| at + 1);
    let (parent, name) = (&path[..cut], &path[cut..end]);
    if name.is_empty() {
        return Err(Error::Busy);
    }
    let parent = vfs.resolve(&ENVD, vfs.root(), parent, true)?;
    let kind = vfs.stat(&ENVD, parent, name, false)?.kind;
    if kind != Kind::Directory {
        return vfs.unlink(&ENVD, parent, name);
    }
    let mut stack = vec![Directory::new(vfs, parent, name.to_vec())?];
    while let Some(directory) = stack.last_mut() {
        let Some((name, kind)) = directory.rest.pop() else {
            match vfs.remove_dir(&ENVD, directory.parent, &directory.name) {
                // Somebody has put something into it.
                Err(Error::NotEmpty) if directory.attempts < ATTEMPTS => {
                    directory.attempts += 1;
                    directory.rest = entries(vfs, directory.node)?;
                }
                Ok(()) | Err(Error::NoEntry) => drop(stack.pop()),
                Err(error) => return Err(error),
            }
            continue;
        };
        let node = directory.node;
        if kind == Kind::Directory {
            stack.push(Directory::new(vfs, node, name)?);
            continue;
        }
        match vfs.unlink(&ENVD, node, &name) {
            Ok(()) | Err(Error::NoEntry) => {}
            Err(error) => return Err(error),
        }
    }
    Ok(())
}

impl Directory {
    fn new(vfs: &Vfs, parent: NodeId, name: Vec<u8>) -> Result<Directory> {
        let node = vfs.resolve(&ENVD, parent, &name, false)?;
        Ok(Directory {
            rest: entries(vfs, node)?,
            parent,
            name,
            node,
            attempts: 0,
        })
    }
}

/// What is in a directory, read from a fork, which nobody waits for.
fn entries(vfs: &Vfs, directory: NodeId) -> Result<Vec<(Vec<u8>, Kind)>> {
    let found = vfs.fork().read_dir(&ENVD, directory, b".")?;
    Ok(found
        .into_iter()
        .map(|entry| (entry.name.to_vec(), entry.kind))
        .collect())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;
    use offshoot_vfs::Options;

    #[test]
    fn trees_go_and_links_are_not_followed() {
        let vfs = Vfs::new(Options::default());
        let root = vfs.root();
        let mut at = root;
        // Deeper than any path can name.
        for _ in 0..3_000 {
            vfs.create_dir(&ENVD, at, b"d", 0o755).unwrap();
            at = vfs.resolve(&ENVD, at, b"d", false).unwrap();
        }
        vfs.write_file(&ENVD, root, b"/kept", b"kept", 0o644)
            .unwrap();
        vfs.write_file(&ENVD, at, b"f", b"gone", 0o644).unwrap();
        vfs.symlink(&ENVD, b"/kept", at, b"link").unwrap();
        let before = vfs.usage();
        assert_eq!(remove(&vfs, b"/missing"), Err(Error::NoEntry));
        assert_eq!(remove(&vfs, b"/"), Err(Error::Busy));
        assert_eq!(vfs.usage(), before);
        remove(&vfs, b"/d/").unwrap();
        assert_eq!(vfs.read_file(&ENVD, root, b"/kept").unwrap(), b"kept");
        assert_eq!(vfs.read_dir(&ENVD, root, b"/").unwrap().len(), 1);
        remove(&vfs, b"/kept").unwrap();
        assert!(vfs.read_dir(&ENVD, root, b"/").unwrap().is_empty());
    }
}
