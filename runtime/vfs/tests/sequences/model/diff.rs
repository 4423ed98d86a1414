//! What differs between two.

use super::*;

/// The difference by looking at every path.
pub fn diff(before: &Model, after: &Model) -> Vec<Change> {
    let list = |model: &Model| {
        let (mut paths, mut pending) = (BTreeMap::new(), vec![(Vec::new(), 0)]);
        while let Some((path, node)) = pending.pop() {
            if let Ok(names) = model.names(node) {
                pending.extend(
                    names
                        .iter()
                        .map(|(name, node)| ([&path[..], b"/", name].concat(), *node)),
                );
            }
            paths.insert(path, model.nodes[node].clone());
        }
        paths
    };
    let same = |a: &Node, b: &Node| {
        let attributes = |node: &Node| (node.mode, node.uid, node.gid);
        attributes(a) == attributes(b)
            && match (&a.body, &b.body) {
                (Body::File(x, _), Body::File(y, _)) => x == y && a.modified == b.modified,
                (Body::Symlink(x), Body::Symlink(y)) => x == y,
                (Body::Directory(_), Body::Directory(_)) | (Body::Fifo, Body::Fifo) => true,
                _ => false,
            }
    };
    let (old, new) = (list(before), list(after));
    let kind = |path: &Vec<u8>| match (old.get(path), new.get(path)) {
        (Some(a), Some(b)) => (!same(a, b)).then_some(ChangeKind::Modified),
        (Some(_), None) => Some(ChangeKind::Removed),
        _ => Some(ChangeKind::Added),
    };
    let paths: BTreeSet<_> = old.keys().chain(new.keys()).collect();
    paths
        .into_iter()
        .filter_map(|path| {
            kind(path).map(|kind| Change {
                path: path.clone(),
                kind,
            })
        })
        .collect()
}
