//! `git describe` (Documentation/git-describe): a commit by the nearest tag, `v1.2-4-gabc1234`.
//!
//! A walk by date from the commit gives each name that it meets a bit, which spreads to ancestors; a name's depth is
//! how many commits of the walk it does not reach. At most `--candidates` names are weighed; the walk goes on only
//! until the best one's depth is certain. `--contains` is `name-rev`'s work; blobs are not described.

use std::collections::HashMap;

use gix_glob::wildmatch;
use gix_object::Kind;

use super::diff::against_work;
use super::flags::Flags;
use super::objects::{Commit, Id, Person};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal, usage};
use super::walk::Queue;
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("", "all", Value::No),
    Opt("", "tags", Value::No),
    Opt("", "long", Value::No),
    Opt("", "always", Value::No),
    Opt("", "abbrev", Value::Optional),
    Opt("", "exact-match", Value::No),
    Opt("", "candidates", Value::Required),
    Opt("", "match", Value::Required),
    Opt("", "exclude", Value::Required),
    Opt("", "first-parent", Value::No),
    Opt("", "dirty", Value::Optional),
    Opt("", "contains", Value::No),
];

/// A name of a commit.
struct Name {
    /// As it is shown; of annotated tags the name that is written in them.
    text: Vec<u8>,
    /// 2 for tags with a message, 1 for other tags, 0 for other references.
    rank: u8,
    /// When a tag was made: of two, the younger counts.
    time: i64,
}

/// A name on the way, and how many commits it does not reach.
struct Candidate {
    text: Vec<u8>,
    depth: usize,
    /// Its bit in what was reached.
    bit: u32,
}

/// A description with its options.
struct Describe<'a> {
    repository: &'a Repository,
    flags: &'a Flags,
    /// By commit, also of ranks that do not count.
    names: HashMap<Id, Name>,
    /// The rank from which names count: 2, with `--tags` 1, with `--all` 0.
    least: u8,
    /// Digits of the name at the end; 0 leaves the end out.
    abbrev: Option<usize>,
    /// How many names are weighed; 0 for `--exact-match`.
    candidates: usize,
}

/// `git describe [COMMIT…]`; `HEAD` where none is named.
pub fn describe(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    if flags.has("contains") {
        return contains(repository, &flags);
    }
    let abbrev = match flags.value("abbrev") {
        Some(text) if !text.is_empty() => flags.number("abbrev")?.or(Some(text.len())),
        _ if flags.denied("abbrev") => Some(0),
        _ => None,
    };
    if flags.has("long") && abbrev == Some(0) {
        return Err(fatal(
            "options '--long' and '--abbrev=0' cannot be used together",
        ));
    }
    if flags.has("dirty") && !flags.operands.is_empty() {
        return Err(fatal(
            "option '--dirty' and commit-ishes cannot be used together",
        ));
    }
    let mut out = Vec::new();
    {
        let describe = Describe {
            repository,
            flags: &flags,
            names: names(repository, &flags)?,
            least: match (flags.has("all"), flags.has("tags")) {
                (true, _) => 0,
                (false, true) => 1,
                (false, false) => 2,
            },
            abbrev,
            candidates: match flags.has("exact-match") {
                true => 0,
                false => flags.number("candidates")?.unwrap_or(10).min(26),
            },
        };
        if describe.names.is_empty() && !flags.has("always") {
            return Err(fatal("No names found, cannot describe anything."));
        }
        let mut words = flags.operands.clone();
        if words.is_empty() {
            words.push(b"HEAD".to_vec());
        }
        for word in &words {
            let id = revision::find(repository, word)?
                .ok_or_else(|| fatal(bytes!("Not a valid object name ", word)))?;
            let commit = match repository.objects.peel(&id)? {
                (id, Kind::Commit) => repository.objects.commit(&id)?,
                _ => return Err(fatal(bytes!(word, " is no commit: that is not supported"))),
            };
            out.extend(describe.commit(&commit)?);
            if flags.has("dirty") && is_dirty(repository)? {
                match flags.value("dirty") {
                    Some(mark) if !mark.is_empty() => out.extend_from_slice(mark),
                    _ => out.extend_from_slice(b"-dirty"),
                }
            }
            out.push(b'\n');
        }
    }
    repository.out.put(&out);
    Ok(0)
}

/// A name for a commit, as `git submodule status` shows it: after tags, a reference, or cut short.
pub fn any_name(repository: &Repository, id: &Id) -> Option<Vec<u8>> {
    let commit = repository.objects.commit(id).ok()?;
    let name = |least: u8, words: &[&str]| {
        let words: Vec<Vec<u8>> = words.iter().map(|word| word.as_bytes().to_vec()).collect();
        let flags = Flags::read(&words, OPTIONS).ok()?;
        let describe = Describe {
            repository,
            flags: &flags,
            names: names(repository, &flags).ok()?,
            least,
            abbrev: None,
            candidates: 10,
        };
        let known = !describe.names.is_empty() || flags.has("always");
        known.then(|| describe.commit(&commit).ok())?
    };
    let annotated = name(2, &[]).or_else(|| name(1, &["--tags"]));
    let after = || super::name_rev::after_tags(repository, id);
    annotated
        .or_else(after)
        .or_else(|| name(0, &["--all", "--always"]))
}

/// `--contains`: the name that `name-rev` gives after tags.
fn contains(repository: &mut Repository, flags: &Flags) -> Outcome<i32> {
    for key in ["all", "long", "exact-match", "dirty", "exclude"] {
        if flags.has(key) {
            return Err(usage(bytes!(
                "option `--",
                key,
                "' is not supported with --contains"
            )));
        }
    }
    let mut words: Vec<Vec<u8>> = vec![
        b"--name-only".to_vec(),
        b"--no-undefined".to_vec(),
        b"--tags".to_vec(),
    ];
    if flags.has("always") {
        words.push(b"--always".to_vec());
    }
    words.extend(
        flags
            .values("match")
            .map(|pattern| bytes!("--refs=refs/tags/", pattern)),
    );
    words.extend(flags.operands.iter().cloned());
    if flags.operands.is_empty() {
        words.push(b"HEAD".to_vec());
    }
    super::name_rev::name_rev(repository, &words)
}

/// Whether a tracked file differs from the commit that is checked out.
fn is_dirty(repository: &Repository) -> Outcome<bool> {
    let (head, index) = (repository.head_items()?, repository.index()?);
    let all = Pathspec::default();
    Ok(!super::diff::staged(&head, &index, &all).is_empty()
        || !against_work(repository, &head, &index, &all)?.is_empty())
}

/// The value of a field of a tag's head.
fn field(content: &[u8], key: &[u8]) -> Option<Vec<u8>> {
    let mut lines = content.split(|&byte| byte == b'\n');
    lines.find_map(|line| line.strip_prefix(key).map(<[u8]>::to_vec))
}

/// The best name of each commit that has one: annotated before lightweight tags before branches.
fn names(repository: &Repository, flags: &Flags) -> Outcome<HashMap<Id, Name>> {
    let all = flags.has("all");
    let mut names: HashMap<Id, Name> = HashMap::new();
    for (full, id) in repository.refs.list(b"refs/") {
        let tag = full.strip_prefix(b"refs/tags/");
        let shown = match tag {
            Some(tag) if !all => tag,
            None if !all => continue,
            _ => &full[5..],
        };
        let wild = |key: &'static str| {
            let name = tag.unwrap_or(super::revision::short_reference(&full));
            let mode = wildmatch::Mode::empty();
            let fits = |pattern: &[u8]| gix_glob::wildmatch(pattern.into(), name.into(), mode);
            flags.values(key).any(fits)
        };
        if wild("exclude") || (flags.has("match") && !wild("match")) {
            continue;
        }
        let Ok((commit, Kind::Commit)) = repository.objects.peel(&id) else {
            continue;
        };
        let mut name = Name {
            text: shown.to_vec(),
            rank: u8::from(tag.is_some()),
            time: 0,
        };
        let (kind, content) = repository.objects.read(&id)?;
        if kind == Kind::Tag {
            name.rank = 2;
            name.time = Person::parse(&field(&content, b"tagger ").unwrap_or_default()).time;
            if let Some(own) = field(&content, b"tag ").filter(|_| tag.is_some()) {
                name.text = if all { bytes!("tags/", own) } else { own };
            }
        }
        let better = names.get(&commit).is_none_or(|known| {
            known.rank < name.rank || (known.rank == 2 && name.rank == 2 && known.time < name.time)
        });
        if better {
            names.insert(commit, name);
        }
    }
    Ok(names)
}

impl Describe<'_> {
    /// `-4-gabc1234`.
    fn suffix(&self, depth: usize, id: &Id) -> Vec<u8> {
        bytes!(format!("-{depth}-g"), self.short(id))
    }

    fn short(&self, id: &Id) -> String {
        match self.abbrev {
            None => self.repository.short(id),
            Some(0) => id.to_string(),
            least => self.repository.objects.short(id, least),
        }
    }

    /// The description of a commit; with `--always` its digits where there is no name.
    fn commit(&self, commit: &Commit) -> Outcome<Vec<u8>> {
        let own = self.names.get(&commit.id);
        if let Some(name) = own.filter(|name| name.rank >= self.least) {
            let suffix = match self.flags.has("long") {
                true => self.suffix(0, &commit.id),
                false => Vec::new(),
            };
            return Ok(bytes!(name.text, suffix));
        }
        if self.candidates == 0 {
            let text = format!("no tag exactly matches '{}'", commit.id);
            return Err(fatal(text));
        }
        match self.search(commit)? {
            Ok(best) if self.abbrev == Some(0) => Ok(best.text),
            Ok(best) => Ok(bytes!(best.text, self.suffix(best.depth, &commit.id))),
            Err(_) if self.flags.has("always") => Ok(self.short(&commit.id).into_bytes()),
            Err(true) => Err(fatal(format!(
                "No annotated tags can describe '{}'.\nHowever, there were unannotated tags: try \
                 --tags.",
                commit.id
            ))),
            Err(false) => Err(fatal(format!(
                "No tags can describe '{}'.\nTry --always, or create some tags.",
                commit.id
            ))),
        }
    }

    /// The nearest name; without one, whether there were some that do not count, for the advice to take `--tags`.
    fn search(&self, start: &Commit) -> Outcome<Result<Candidate, bool>> {
        let objects = &self.repository.objects;
        let mut reached: HashMap<Id, u32> = HashMap::from([(start.id, 0)]);
        let mut queue = Queue::default();
        queue.push(start);
        let mut found: Vec<Candidate> = Vec::new();
        let (mut seen, mut lesser, mut annotated) = (0, false, false);
        let mut open = true;
        while let Some(id) = queue.pop() {
            seen += 1;
            let name = self.names.get(&id);
            lesser |= name.is_some_and(|name| name.rank < self.least);
            if let Some(name) = name.filter(|name| name.rank >= self.least && open) {
                if found.len() == self.candidates {
                    // The best one's depth is all that is still looked for.
                    open = false;
                    found.sort_by_key(|one| one.depth);
                    found.truncate(1);
                } else {
                    let bit = 1 << (found.len() + 1);
                    found.push(Candidate {
                        text: name.text.clone(),
                        depth: seen - 1,
                        bit,
                    });
                    annotated |= name.rank == 2;
                    *reached.entry(id).or_insert(0) |= bit;
                }
            }
            let bits = reached[&id];
            for one in found.iter_mut().filter(|one| bits & one.bit == 0) {
                one.depth += 1;
            }
            if annotated && queue.is_empty() {
                let least = found.iter().map(|one| one.depth).min().unwrap_or(0);
                let best = found.iter().filter(|one| one.depth == least);
                let within = best.fold(0, |bits, one| bits | one.bit);
                if bits & within == within {
                    break;
                }
            }
            let count = if self.flags.has("first-parent") {
                1
            } else {
                usize::MAX
            };
            for parent in objects.commit(&id)?.parents.into_iter().take(count) {
                if !reached.contains_key(&parent) {
                    queue.push(&objects.commit(&parent)?);
                }
                *reached.entry(parent).or_insert(0) |= bits;
            }
        }
        let best = found
            .into_iter()
            .reduce(|best, one| if one.depth < best.depth { one } else { best });
        Ok(best.ok_or(lesser))
    }
}
