//! `git fsck` (Documentation/git-fsck): whether objects are what their names say, and whether what they name is
//! there.
//!
//! Three passes: each object is read, hashed and parsed; the places where use begins are collected; all links are
//! followed. Of the many checks of git's on contents there are those that a hostile tree needs (`.git`, `..`, order,
//! duplicates). Errors go to standard error, findings to standard output at the end.
//!
//! The status is a sum: 1 for damaged objects, 2 for links that lead nowhere, 4 for packs.

use std::collections::{BTreeMap, HashSet};

use gix_object::{CommitRef, Kind, TagRef, TreeRef};

use super::super::flags::Flags;
use super::super::objects::{HASH, Id, Objects, name_of, parse_id, write_file};
use super::super::refs::{Refs, make_parents};
use super::super::repository::Repository;
use super::super::revision;
use super::super::stop::Outcome;
use super::super::worktrees;
use super::reach::{Reach, roots};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The bit of the status for an object that is damaged or malformed.
const BAD_OBJECT: i32 = 1;
/// The bit for something that is named and not there.
const BAD_LINK: i32 = 2;
/// The bit for a pack whose sum or content is wrong.
const BAD_PACK: i32 = 4;

/// `git fsck [OBJECT…]`: from these, or from all references, indexes and histories.
pub fn fsck(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("v", "verbose", Value::No),
        Opt("", "unreachable", Value::No),
        Opt("", "dangling", Value::No),
        Opt("", "tags", Value::No),
        Opt("", "root", Value::No),
        Opt("", "cache", Value::No),
        Opt("", "reflogs", Value::No),
        Opt("", "full", Value::No),
        Opt("", "connectivity-only", Value::No),
        Opt("", "strict", Value::No),
        Opt("", "lost-found", Value::No),
        Opt("", "progress", Value::No),
        Opt("", "name-objects", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut check = Check {
        repository,
        flags: &flags,
        status: 0,
        kinds: BTreeMap::new(),
        corrupt: HashSet::new(),
        lines: Vec::new(),
    };
    check.objects();
    let starts = check.starts()?;
    check.links(&starts)?;
    let Check { status, lines, .. } = check;
    repository.out.put(lines);
    Ok(status)
}

/// A check under way.
struct Check<'a> {
    repository: &'a Repository,
    flags: &'a Flags,
    status: i32,
    /// All objects that are whole.
    kinds: BTreeMap<Id, Kind>,
    /// Objects that are not what they should be.
    corrupt: HashSet<Id>,
    lines: Vec<u8>,
}

impl Check<'_> {
    /// An error, which sets a bit of the status.
    fn say(&mut self, bit: i32, line: impl AsRef<[u8]>) {
        self.status |= bit;
        self.repository.say(bytes!("error: ", line));
    }

    /// Reads every object, and compares it with its name. Those in several packs are read once.
    fn objects(&mut self) {
        let objects = &self.repository.objects;
        let (loose, _) = objects.loose();
        for loose in loose {
            let path = self.repository.near(&loose.path);
            match Objects::read_loose(&loose.path) {
                None => {
                    self.corrupt.insert(loose.id);
                    let text = format!("{}: object corrupt or missing: ", loose.id);
                    self.say(BAD_OBJECT, bytes!(text, path));
                }
                Some((kind, content)) => match name_of(kind, &content) {
                    Ok(id) if id != loose.id => {
                        self.corrupt.insert(loose.id);
                        let text = format!("{id}: hash-path mismatch, found at: ");
                        self.say(BAD_OBJECT, bytes!(text, path));
                    }
                    _ => self.object(loose.id, kind, &content),
                },
            }
        }
        for pack in objects.stored() {
            let name = bytes!(pack.stem, ".pack");
            if let Some(what) = objects.verify(&pack) {
                let path = self.repository.near(&name);
                self.say(BAD_PACK, bytes!(path, ": ", what));
            }
            for id in pack.ids {
                if self.kinds.contains_key(&id) {
                    continue;
                }
                match objects.find(&id) {
                    Ok(Some((kind, content))) if name_of(kind, &content).is_ok_and(|n| n == id) => {
                        self.object(id, kind, &content);
                    }
                    _ => self.say(BAD_PACK, bytes!(format!("{id} is corrupt in "), name)),
                }
            }
        }
    }

    /// Looks at what an object says, and notes it as there.
    fn object(&mut self, id: Id, kind: Kind, content: &[u8]) {
        let fault = match kind {
            Kind::Blob => None,
            Kind::Tree => tree_fault(content),
            Kind::Commit => CommitRef::from_bytes(content, HASH)
                .is_err()
                .then_some("unparsable: cannot be read"),
            Kind::Tag => TagRef::from_bytes(content, HASH)
                .is_err()
                .then_some("unparsable: cannot be read"),
        };
        if let Some(fault) = fault {
            self.status |= BAD_OBJECT;
            self.repository
                .say(format!("error in {kind} {id}: {fault}"));
        }
        self.kinds.insert(id, kind);
        if self.flags.has("root")
            && kind == Kind::Commit
            && self
                .repository
                .objects
                .commit(&id)
                .is_ok_and(|c| c.parents.is_empty())
        {
            self.lines.extend(format!("root {id}\n").into_bytes());
        }
        if self.flags.has("tags") && kind == Kind::Tag {
            let field = |key: &[u8]| {
                let mut lines = content.split(|&byte| byte == b'\n');
                lines
                    .find_map(|line| line.strip_prefix(key))
                    .unwrap_or_default()
                    .to_vec()
            };
            let line = bytes!(
                "tagged ",
                field(b"type "),
                " ",
                field(b"object "),
                " (",
                field(b"tag "),
                format!(") in {id}\n")
            );
            self.lines.extend(line);
        }
    }

    /// Where use begins: as it was named, or all references.
    fn starts(&mut self) -> Outcome<Vec<Id>> {
        let mut ids = Vec::new();
        let words = self.flags.all_paths();
        for word in &words {
            match revision::find(self.repository, word)? {
                Some(id) => ids.push(id),
                None => {
                    let text = bytes!("invalid parameter: expected sha1, got '", word, "'");
                    self.say(BAD_OBJECT, text);
                }
            }
        }
        if !words.is_empty() {
            return Ok(ids);
        }
        let repository = self.repository;
        for folder in worktrees::folders(repository) {
            let refs = Refs::new(folder, repository.common.clone());
            match (refs.head(), refs.resolve(b"HEAD")) {
                (Some(branch), None) => {
                    let short = branch.strip_prefix(b"refs/heads/").unwrap_or(&branch);
                    repository.say(bytes!(
                        "notice: HEAD points to an unborn branch (",
                        short,
                        ")"
                    ));
                }
                (None, None) => self.say(BAD_LINK, "invalid HEAD"),
                _ => {}
            }
        }
        let refs = repository.refs.list(b"refs/");
        if refs.is_empty() {
            repository.say("notice: No default references");
        }
        for (name, id) in refs {
            if !repository.objects.has(&id) {
                self.say(
                    BAD_LINK,
                    bytes!(name, format!(": invalid sha1 pointer {id}")),
                );
            }
        }
        let histories = !self.flags.denied("reflogs");
        if histories {
            for name in repository.refs.histories() {
                for moved in repository.refs.history(&name) {
                    for id in [moved.old, moved.new] {
                        if !id.is_null() && !repository.objects.has(&id) {
                            let text = format!(": invalid reflog entry {id}");
                            self.say(BAD_LINK, bytes!(name, text));
                        }
                    }
                }
            }
        }
        let all = roots(repository, histories)?.into_iter();
        Ok(all.filter(|id| repository.objects.has(id)).collect())
    }

    /// Follows all links, and shows what is missing and what nobody names.
    fn links(&mut self, starts: &[Id]) -> Outcome {
        let repository = self.repository;
        let mut reach = Reach::new(&repository.objects, Some(self.corrupt.clone()));
        reach.follow(starts)?;
        let used: HashSet<Id> = reach.seen.clone();
        // What is unused is looked at as well: a link from there may be broken, too.
        let unused: Vec<Id> = self
            .kinds
            .keys()
            .filter(|id| !used.contains(*id))
            .copied()
            .collect();
        reach.follow(&unused)?;
        let mut missing: BTreeMap<Id, Kind> = BTreeMap::new();
        for broken in &reach.broken {
            let kind = broken.kind.unwrap_or(Kind::Commit);
            self.status |= BAD_LINK;
            if let Some((from, id)) = broken.from {
                let text = format!(
                    "broken link from {:>7} {id}\n              to {:>7} {}\n",
                    from.to_string(),
                    kind.to_string(),
                    broken.id
                );
                self.lines.extend(text.into_bytes());
            }
            missing.insert(broken.id, kind);
        }
        for (id, kind) in missing {
            self.lines
                .extend(format!("missing {kind} {id}\n").into_bytes());
        }
        if repository.refs.list(b"refs/").is_empty() && self.flags.operands.is_empty() {
            return Ok(());
        }
        self.unused(&unused)
    }

    /// Shows what no root reaches: all of it with `--unreachable`, otherwise what no other unreached object names
    /// (`dangling`), which `--lost-found` writes into `.git/lost-found`.
    fn unused(&mut self, unused: &[Id]) -> Outcome {
        let objects = &self.repository.objects;
        let named = named(objects, unused)?;
        for id in unused {
            let Some(kind) = self.kinds.get(id).copied() else {
                continue;
            };
            if self.flags.has("unreachable") {
                self.lines
                    .extend(format!("unreachable {kind} {id}\n").into_bytes());
                continue;
            }
            if named.contains(id) {
                continue;
            }
            if !self.flags.denied("dangling") {
                self.lines
                    .extend(format!("dangling {kind} {id}\n").into_bytes());
            }
            if self.flags.has("lost-found") {
                let folder = if kind == Kind::Commit {
                    "commit"
                } else {
                    "other"
                };
                let path = self.repository.own(&format!("lost-found/{folder}/{id}"));
                make_parents(&path)?;
                let content = match kind {
                    Kind::Blob => objects.blob(id)?.to_vec(),
                    _ => format!("{id}\n").into_bytes(),
                };
                write_file(&path, &content)?;
            }
        }
        Ok(())
    }
}

/// What these objects name.
fn named(objects: &Objects, ids: &[Id]) -> Outcome<HashSet<Id>> {
    let mut found = HashSet::new();
    for id in ids {
        let Ok(Some((kind, content))) = objects.find(id) else {
            continue;
        };
        match kind {
            Kind::Blob => {}
            Kind::Commit => {
                let commit = objects.commit(id)?;
                found.insert(commit.tree);
                found.extend(commit.parents);
            }
            Kind::Tree => {
                let entries = super::super::tree::entries(objects, id)?;
                found.extend(entries.into_iter().map(|(_, item)| item.id));
            }
            Kind::Tag => {
                let line = content.split(|&byte| byte == b'\n').next();
                let target = line.and_then(|line| line.strip_prefix(b"object "));
                found.extend(target.and_then(parse_id));
            }
        }
    }
    Ok(found)
}

/// What is wrong with a tree, as git names it; none where it is sound. Folders sort as if their names ended in a
/// slash.
fn tree_fault(content: &[u8]) -> Option<&'static str> {
    let Ok(tree) = TreeRef::from_bytes(content, HASH) else {
        return Some("badTree: cannot be parsed as a tree");
    };
    let key = |entry: &gix_object::tree::EntryRef| {
        let slash = if entry.mode.is_tree() { "/" } else { "" };
        bytes!(entry.filename.to_vec(), slash)
    };
    for entry in &tree.entries {
        let name: &[u8] = entry.filename;
        match name {
            b"." => return Some("hasDot: contains '.'"),
            b".." => return Some("hasDotdot: contains '..'"),
            b".git" => return Some("hasDotgit: contains '.git'"),
            _ if name.contains(&b'/') => return Some("fullPathname: contains full pathnames"),
            _ => {}
        }
    }
    for pair in tree.entries.windows(2) {
        if pair[0].filename == pair[1].filename {
            return Some("duplicateEntries: contains duplicate file entries");
        }
        if key(&pair[0]) > key(&pair[1]) {
            return Some("treeNotSorted: not properly sorted");
        }
    }
    None
}
