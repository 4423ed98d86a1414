//! What differs between two trees, with files that were renamed or copied.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::hash::{Hash as _, Hasher as _};
use std::rc::Rc;

use super::objects::{Id, Objects, none};
use super::stop::Outcome;
use super::tree::{COMMIT, Item, Items};

/// Where the content of a side of a change is.
#[derive(Clone, Debug)]
pub enum Content {
    /// In the database, under the item's name.
    Object,
    /// Here: a file of the work tree.
    Here(Rc<[u8]>),
}

/// One side of a change.
#[derive(Clone, Debug)]
pub struct Side {
    pub path: Vec<u8>,
    pub item: Item,
    pub content: Content,
}

/// What became of a file.
#[derive(Clone, Debug)]
pub struct Change {
    pub old: Option<Side>,
    pub new: Option<Side>,
    /// How alike both are in percent, where the file was renamed or copied.
    pub score: Option<u32>,
    pub copied: bool,
    /// The path has a conflict.
    pub unmerged: bool,
}

impl Change {
    /// The letter of `--name-status`.
    pub fn letter(&self) -> char {
        let kind = |side: &Side| side.item.mode & 0o170_000;
        match (&self.old, &self.new) {
            _ if self.unmerged => 'U',
            (None, _) => 'A',
            (_, None) => 'D',
            _ if self.copied => 'C',
            _ if self.score.is_some() => 'R',
            (Some(old), Some(new)) if kind(old) != kind(new) => 'T',
            _ => 'M',
        }
    }

    /// The path after the change, or the one that is gone.
    pub fn path(&self) -> &[u8] {
        let side = self.new.as_ref().or(self.old.as_ref());
        side.map_or(b"", |side| &side.path)
    }

    /// The path before the change.
    pub fn old_path(&self) -> &[u8] {
        let side = self.old.as_ref().or(self.new.as_ref());
        side.map_or(b"", |side| &side.path)
    }
}

/// A file of a tree or index.
pub fn side(path: &[u8], item: &Item) -> Side {
    Side {
        path: path.to_vec(),
        item: *item,
        content: Content::Object,
    }
}

impl Side {
    /// The bytes of this side.
    pub fn bytes(&self, objects: &Objects) -> Outcome<Rc<[u8]>> {
        match &self.content {
            Content::Here(content) => Ok(content.clone()),
            Content::Object if self.item.mode == COMMIT => Ok(Rc::from(
                format!("Subproject commit {}\n", self.item.id).into_bytes(),
            )),
            Content::Object => objects.blob(&self.item.id),
        }
    }
}

/// The files that differ between two trees.
pub fn between(old: &Items, new: &Items) -> Vec<Change> {
    let paths: BTreeSet<&Vec<u8>> = old.keys().chain(new.keys()).collect();
    let mut changes = Vec::new();
    for path in paths {
        let (before, after) = (old.get(path), new.get(path));
        if before != after {
            changes.push(Change {
                old: before.map(|item| side(path, item)),
                new: after.map(|item| side(path, item)),
                score: None,
                copied: false,
                unmerged: false,
            });
        }
    }
    changes
}

/// Finds files that were renamed: a file that is gone and a new one at least `least` percent alike.
/// With `copies` files that changed are looked at as the origin of copies as well.
pub fn find_renames(
    objects: &Objects,
    changes: Vec<Change>,
    least: u32,
    copies: bool,
) -> Outcome<Vec<Change>> {
    let added = |change: &Change| change.old.is_none() && !change.unmerged;
    let gone = |change: &Change| change.new.is_none() && !change.unmerged;
    if !changes.iter().any(added) || (!copies && !changes.iter().any(gone)) {
        return Ok(changes);
    }
    let mut sources: Vec<(Side, bool)> = changes
        .iter()
        .filter(|change| gone(change) || (copies && !added(change)))
        .filter_map(|change| Some((change.old.clone()?, gone(change))))
        .collect();
    let targets: Vec<&Side> = changes
        .iter()
        .filter(|change| added(change))
        .filter_map(|change| change.new.as_ref())
        .collect();
    let mut pairs = exact(&sources, &targets);
    let open_targets = (0..targets.len())
        .filter(|at| !pairs.contains_key(at))
        .count();
    // As in git: too many candidates are not compared.
    if sources.len().saturating_mul(open_targets) <= 1000 * 1000 {
        similar(objects, &sources, &targets, least, copies, &mut pairs)?;
    }
    let mut used: HashMap<usize, usize> = HashMap::new();
    for (source, _) in pairs.values() {
        *used.entry(*source).or_insert(0) += 1;
    }
    let origin: BTreeMap<Vec<u8>, (usize, u32)> = pairs
        .iter()
        .map(|(target, pair)| (targets[*target].path.clone(), *pair))
        .collect();
    let renamed: BTreeSet<Vec<u8>> = used
        .keys()
        .filter(|at| sources[**at].1)
        .map(|at| sources[*at].0.path.clone())
        .collect();
    let mut out = Vec::new();
    for mut change in changes {
        if gone(&change) && renamed.contains(change.path()) {
            continue;
        }
        if let (true, Some((at, score))) = (added(&change), origin.get(change.path())) {
            let left = used.entry(*at).or_insert(1);
            *left -= 1;
            let (source, was_removed) = &mut sources[*at];
            change.old = Some(source.clone());
            change.score = Some(*score);
            change.copied = !*was_removed || *left > 0;
        }
        out.push(change);
    }
    Ok(out)
}

/// Pairs of equal content: target to source.
fn exact(sources: &[(Side, bool)], targets: &[&Side]) -> BTreeMap<usize, (usize, u32)> {
    let mut by_id: HashMap<Id, Vec<usize>> = HashMap::new();
    for (at, (source, _)) in sources.iter().enumerate() {
        by_id.entry(source.item.id).or_default().push(at);
    }
    let mut pairs = BTreeMap::new();
    let mut taken = BTreeSet::new();
    for (at, target) in targets.iter().enumerate() {
        let Some(candidates) = by_id.get(&target.item.id) else {
            continue;
        };
        let kind = |side: &Side| side.item.mode & 0o170_000;
        let best = candidates
            .iter()
            .filter(|source| kind(&sources[**source].0) == kind(target))
            .max_by_key(|source| {
                let (side, _) = &sources[**source];
                let free = !taken.contains(*source);
                let named = base_name(&side.path) == base_name(&target.path);
                (free, named, std::cmp::Reverse(**source))
            });
        if let Some(&source) = best
            && (!taken.contains(&source) || !sources[source].1)
        {
            taken.insert(source);
            pairs.insert(at, (source, 100));
        }
    }
    pairs
}

fn base_name(path: &[u8]) -> &[u8] {
    path.rsplit(|&byte| byte == b'/').next().unwrap_or(path)
}

fn similar(
    objects: &Objects,
    sources: &[(Side, bool)],
    targets: &[&Side],
    least: u32,
    copies: bool,
    pairs: &mut BTreeMap<usize, (usize, u32)>,
) -> Outcome {
    let taken: BTreeSet<usize> = pairs.values().map(|(source, _)| *source).collect();
    let is_file = |side: &Side| side.item.mode & 0o170_000 == 0o100_000 && side.item.id != none();
    let mut prints: HashMap<usize, Print> = HashMap::new();
    for (at, (source, _)) in sources.iter().enumerate() {
        if is_file(source) && (copies || !taken.contains(&at)) {
            prints.insert(at, Print::new(&source.bytes(objects)?));
        }
    }
    let mut scored = Vec::new();
    for (at, target) in targets.iter().enumerate() {
        if pairs.contains_key(&at) || !is_file(target) {
            continue;
        }
        let content = target.bytes(objects)?;
        if content.is_empty() {
            continue;
        }
        let print = Print::new(&content);
        for (source, known) in &prints {
            let score = known.score(&print);
            if score * 100 >= u64::from(least) * MAX_SCORE {
                let named = base_name(&sources[*source].0.path) == base_name(&target.path);
                scored.push((
                    score,
                    named,
                    std::cmp::Reverse(at),
                    std::cmp::Reverse(*source),
                ));
            }
        }
    }
    scored.sort_by(|a, b| b.cmp(a));
    let mut used = taken;
    for (score, _, target, source) in scored {
        let (target, source) = (target.0, source.0);
        if pairs.contains_key(&target) || (used.contains(&source) && !copies) {
            continue;
        }
        used.insert(source);
        pairs.insert(target, (source, (score * 100 / MAX_SCORE) as u32));
    }
    Ok(())
}

/// The score of equal content.
const MAX_SCORE: u64 = 60_000;

/// The lines of a file, and how many bytes each kind of line has.
struct Print {
    spans: HashMap<u64, u64>,
    size: u64,
}

impl Print {
    fn new(content: &[u8]) -> Print {
        let text = !content[..content.len().min(8000)].contains(&0);
        let mut spans: HashMap<u64, u64> = HashMap::new();
        let mut add = |span: &[u8]| {
            let mut hasher = rustc_hash::FxHasher::default();
            span.hash(&mut hasher);
            *spans.entry(hasher.finish()).or_insert(0) += span.len() as u64;
        };
        for line in content.split_inclusive(|&byte| byte == b'\n') {
            if text && line.ends_with(b"\r\n") && line.len() <= 64 {
                let mut plain = line[..line.len() - 2].to_vec();
                plain.push(b'\n');
                add(&plain);
            } else {
                line.chunks(64).for_each(&mut add);
            }
        }
        Print {
            spans,
            size: content.len() as u64,
        }
    }

    fn score(&self, new: &Print) -> u64 {
        let largest = self.size.max(new.size);
        if largest == 0 {
            return MAX_SCORE;
        }
        let copied: u64 = self
            .spans
            .iter()
            .filter_map(|(span, size)| new.spans.get(span).map(|other| *other.min(size)))
            .sum();
        copied * MAX_SCORE / largest
    }
}
