//! Packs (Documentation/gitformat-pack, version 2): choosing what another repository lacks, writing, and taking in.
//!
//! A choice walks from what is wanted to what both have; trees at that border are marked as known first, so files
//! that both have do not go along. Packs that are sent hold whole objects, those of `repack` differences by name
//! (REF_DELTA). A pack that comes may be thin: what it stands on and does not have is added before it is stored.
//! Packs are handled in memory.

use std::collections::{HashSet, VecDeque};
use std::io::Write as _;

use flate2::Compression;
use flate2::write::ZlibEncoder;
use gix_object::Kind;
use rustc_hash::FxHashMap;
use sha1::{Digest as _, Sha1};

use super::super::objects::{Id, Objects, parse_id, write_file};
use super::super::refs::make_parents;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal};
use super::super::tree::{self, COMMIT, FOLDER};
use super::delta::{self, Difference, Member};
use super::indexing::{foreign_bases, index_of};
use crate::call::bytes;
use crate::system;

/// Objects that another repository lacks.
#[derive(Default)]
pub struct Selection {
    /// Commits before trees before files.
    pub objects: Vec<Id>,
    /// Commits whose parents were left out.
    pub shallow: Vec<Id>,
}

/// How far a history goes.
#[derive(Default)]
pub struct Limits<'a> {
    /// So many commits behind each other are chosen, those that are wanted included.
    pub depth: Option<usize>,
    /// Commits whose parents the other side lacks.
    pub shallow: &'a [Id],
}

/// What `wants` need beyond what can be reached from `haves`. Names in `haves` that are not here are passed over.
pub fn select(
    objects: &Objects,
    wants: &[Id],
    haves: &[Id],
    limits: &Limits,
) -> Outcome<Selection> {
    let mut known = HashSet::new();
    let mut open: Vec<Id> = Vec::new();
    for id in haves.iter().filter(|id| objects.has(id)) {
        let (peeled, kind) = objects.peel(id)?;
        if peeled != *id {
            known.insert(*id);
        }
        if kind == Kind::Commit {
            open.push(peeled);
        }
    }
    while let Some(id) = open.pop() {
        let ends = limits.shallow.contains(&id);
        if known.insert(id) && !ends && objects.has(&id) {
            open.extend(objects.commit(&id)?.parents);
        }
    }
    Selector {
        objects,
        known,
        seen: HashSet::new(),
        found: Selection::default(),
        trees: Vec::new(),
    }
    .run(wants, limits.depth)
}

/// A choice under way.
struct Selector<'a> {
    objects: &'a Objects,
    /// Commits that the other side has.
    known: HashSet<Id>,
    seen: HashSet<Id>,
    found: Selection,
    /// Trees of the commits that go along.
    trees: Vec<Id>,
}

impl Selector<'_> {
    /// Commits in breadth, so that depths are those of the shortest way; then the trees.
    fn run(mut self, wants: &[Id], depth: Option<usize>) -> Outcome<Selection> {
        let mut open = VecDeque::new();
        let mut boundary = Vec::new();
        for want in wants {
            self.start(want, &mut open)?;
        }
        while let Some((id, level)) = open.pop_front() {
            if self.known.contains(&id) {
                boundary.push(id);
                continue;
            }
            if !self.seen.insert(id) {
                continue;
            }
            let commit = self.objects.commit(&id)?;
            self.found.objects.push(id);
            self.trees.push(commit.tree);
            if depth == Some(level) && !commit.parents.is_empty() {
                self.found.shallow.push(id);
                continue;
            }
            open.extend(commit.parents.iter().map(|parent| (*parent, level + 1)));
        }
        for id in boundary {
            let root = self.objects.commit(&id)?.tree;
            self.walk(root, false)?;
        }
        for root in std::mem::take(&mut self.trees) {
            self.walk(root, true)?;
        }
        Ok(self.found)
    }

    /// Follows tags to the commit, tree or file at their end.
    fn start(&mut self, want: &Id, open: &mut VecDeque<(Id, usize)>) -> Outcome {
        let mut id = *want;
        loop {
            let (kind, content) = self.objects.read(&id)?;
            match kind {
                Kind::Commit => open.push_back((id, 1)),
                Kind::Tree => self.trees.push(id),
                Kind::Blob => self.take(id, true),
                Kind::Tag => {
                    if !self.known.contains(&id) {
                        self.take(id, true);
                    }
                    let line = content.split(|&byte| byte == b'\n').next();
                    let target = line.and_then(|line| line.strip_prefix(b"object "));
                    let corrupt = || fatal(format!("tag {id} is corrupt"));
                    id = target.and_then(parse_id).ok_or_else(corrupt)?;
                    continue;
                }
            }
            return Ok(());
        }
    }

    /// Notes an object, which is chosen if it is wanted.
    fn take(&mut self, id: Id, wanted: bool) {
        if self.seen.insert(id) && wanted {
            self.found.objects.push(id);
        }
    }

    /// A tree with all that is in it, submodules aside.
    fn walk(&mut self, root: Id, wanted: bool) -> Outcome {
        let mut open = vec![root];
        while let Some(id) = open.pop() {
            if !self.seen.insert(id) {
                continue;
            }
            if wanted {
                self.found.objects.push(id);
            }
            for (_, item) in tree::entries(self.objects, &id)? {
                match item.mode {
                    FOLDER => open.push(item.id),
                    COMMIT => {}
                    _ => self.take(item.id, wanted),
                }
            }
        }
        Ok(())
    }
}

/// A pack with these objects, each whole.
pub fn write(objects: &Objects, ids: &[Id]) -> Outcome<Vec<u8>> {
    write_with(objects, ids.iter(), &FxHashMap::default())
}

/// A pack with these objects, as differences from each other where that is smaller; the base of each is one of
/// `window` others that are alike by name and size.
pub fn pack_small(objects: &Objects, members: &[Member], window: usize) -> Outcome<Vec<u8>> {
    let small = delta::differences(objects, members, window)?;
    write_with(objects, members.iter().map(|member| &member.id), &small)
}

/// The header, an entry for each object, the SHA-1 of it all.
fn write_with<'a>(
    objects: &Objects,
    ids: impl ExactSizeIterator<Item = &'a Id>,
    small: &FxHashMap<Id, Difference>,
) -> Outcome<Vec<u8>> {
    let count = u32::try_from(ids.len()).map_err(|_| fatal("too many objects for one pack"))?;
    let mut out = b"PACK\0\0\0\x02".to_vec();
    out.extend_from_slice(&count.to_be_bytes());
    for id in ids {
        let whole;
        let content: &[u8] = match small.get(id) {
            Some(difference) => {
                entry_head(&mut out, DELTA, difference.delta.len());
                out.extend_from_slice(difference.base.as_slice());
                &difference.delta
            }
            None => {
                whole = objects.read(id)?;
                entry_head(&mut out, number(whole.0), whole.1.len());
                &whole.1
            }
        };
        out = with_packed(out, content)?;
    }
    let sum = Sha1::digest(&out);
    out.extend_from_slice(&sum);
    Ok(out)
}

/// Appends content, compressed.
fn with_packed(out: Vec<u8>, content: &[u8]) -> Outcome<Vec<u8>> {
    let failed = |error: std::io::Error| fatal(error.to_string());
    let mut encoder = ZlibEncoder::new(out, Compression::default());
    encoder.write_all(content).map_err(failed)?;
    encoder.finish().map_err(failed)
}

/// A pack with those objects added that its differences name and only we have. Those that are nowhere stay missing,
/// which the index then refuses.
fn completed(objects: &Objects, pack: &[u8]) -> Outcome<Vec<u8>> {
    let (mut out, bases) = foreign_bases(pack)?;
    let bases: Vec<Id> = bases.into_iter().filter(|id| objects.has(id)).collect();
    let count = u32::from_be_bytes([out[8], out[9], out[10], out[11]]);
    let count = u32::try_from(bases.len())
        .ok()
        .and_then(|more| count.checked_add(more));
    let count = count.ok_or_else(|| fatal("too many objects for one pack"))?;
    out[8..12].copy_from_slice(&count.to_be_bytes());
    for id in &bases {
        let (kind, content) = objects.read(id)?;
        entry_head(&mut out, number(kind), content.len());
        out = with_packed(out, &content)?;
    }
    let sum = Sha1::digest(&out);
    out.extend_from_slice(&sum);
    Ok(out)
}

/// The kind of an entry that names its base and says what differs.
const DELTA: u8 = 7;

/// A kind as entries have it: 1 to 4.
fn number(kind: Kind) -> u8 {
    match kind {
        Kind::Commit => 1,
        Kind::Tree => 2,
        Kind::Blob => 3,
        Kind::Tag => 4,
    }
}

/// Kind and size, seven bits of it a byte but for the first, which has four; the highest bit says that more follow.
fn entry_head(out: &mut Vec<u8>, kind: u8, size: usize) {
    let more = |rest: usize| if rest > 0 { 0x80 } else { 0 };
    let mut rest = size >> 4;
    out.push((kind << 4) | (size & 15) as u8 | more(rest));
    while rest > 0 {
        let low = (rest & 127) as u8;
        rest >>= 7;
        out.push(low | more(rest));
    }
}

/// Takes a pack in: checks it, makes its index, and puts both into the database. One without objects is nothing to
/// do.
pub fn store(repository: &mut Repository, pack: Vec<u8>) -> Outcome {
    if pack.get(8..12) == Some(&[0; 4]) {
        return Ok(());
    }
    store_named(repository, &pack).map(|_| ())
}

/// Takes a pack in, and gives its name, which its content decides: the same pack again replaces itself.
pub fn store_named(repository: &mut Repository, pack: &[u8]) -> Outcome<Id> {
    let whole;
    let (pack, (index, name)) = match index_of(pack) {
        Ok(index) => (pack, index),
        // It may stand on objects that it left out because we have them.
        Err(_) => {
            whole = completed(&repository.objects, pack)?;
            (whole.as_slice(), index_of(&whole)?)
        }
    };
    let folder = system::join(&repository.common, b"objects/pack");
    make_parents(&bytes!(folder, "/"))?;
    for (end, content) in [("pack", pack), ("idx", index.as_slice())] {
        let path = system::join(&folder, format!("pack-{name}.{end}").as_bytes());
        let partial = bytes!(path, ".tmp");
        write_file(&partial, content)?;
        system::set_mode(&partial, 0o444)
            .and_then(|()| system::rename(&partial, &path))
            .map_err(|failure| super::super::stop::file("cannot write", &path, failure))?;
    }
    repository.objects.refresh();
    Ok(name)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::super::super::objects::HASH;
    use super::*;

    #[test]
    fn a_pack_that_was_written_is_taken_in() {
        let place = tempfile::tempdir().unwrap();
        let folder = place.path().to_string_lossy().into_owned().into_bytes();
        let objects = Objects::new(folder);
        let sizes = [0, 1, 15, 16, 2047, 2048, 100_000];
        let ids: Vec<Id> = sizes
            .iter()
            .map(|&size| objects.write(Kind::Blob, &vec![b'x'; size]).unwrap())
            .collect();
        let pack = write(&objects, &ids).unwrap();
        let (index, _) = index_of(&pack).unwrap();
        let path = std::path::PathBuf::from("x.idx");
        let index = gix_pack::index::File::from_data(index, path, HASH).unwrap();
        assert!(ids.iter().all(|id| index.lookup(id).is_some()));
        for at in [13, pack.len() / 2, pack.len() - 1] {
            let mut broken = pack.clone();
            broken[at] ^= 1;
            assert!(index_of(&broken).is_err(), "{at}");
        }
        assert!(index_of(&pack[..pack.len() - 30]).is_err());
    }
}
