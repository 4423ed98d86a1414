//! What a three-way merge must give, from the paths alone.

use offshoot_vfs::Kind;
use std::collections::{BTreeMap, BTreeSet};

/// What a reader sees at a path: kind, permission bits, owner, content.
pub type Seen = (Kind, u32, (u32, u32), Vec<u8>);

/// All paths; the root is the empty one.
pub type Paths = BTreeMap<Vec<u8>, Seen>;

/// The merged paths; none where a path conflicts or one would stand in what is no directory.
pub fn merge(base: &Paths, ours: &Paths, theirs: &Paths) -> Option<Paths> {
    let mut merged = Paths::new();
    let all: BTreeSet<_> = [base, ours, theirs]
        .iter()
        .flat_map(|side| side.keys())
        .collect();
    for path in all {
        let (base, ours, theirs) = (base.get(path), ours.get(path), theirs.get(path));
        let chosen = match () {
            () if theirs == base => ours,
            () if ours == base || ours == theirs => theirs,
            () => return None,
        };
        if let Some(seen) = chosen {
            merged.insert(path.clone(), seen.clone());
        }
    }
    let stands = |path: &Vec<u8>| match path.iter().rposition(|&byte| byte == b'/') {
        Some(at) => merged
            .get(&path[..at])
            .is_some_and(|seen| seen.0 == Kind::Directory),
        None => true,
    };
    let whole = merged.keys().all(stands);
    whole.then_some(merged)
}
