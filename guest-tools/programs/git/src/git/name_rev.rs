//! `git name-rev`: commits named after the references that reach them.

use std::collections::HashMap;

use gix_glob::wildmatch;
use gix_object::Kind;

use super::flags::Flags;
use super::objects::{Id, Person};
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, fatal};
use crate::call::bytes;
use crate::options::{Opt, Value};

const OPTIONS: &[Opt] = &[
    Opt("", "name-only", Value::No),
    Opt("", "tags", Value::No),
    Opt("", "refs", Value::Required),
    Opt("", "exclude", Value::Required),
    Opt("", "undefined", Value::No),
    Opt("", "always", Value::No),
];

/// How much farther the other parents of a merge are than the first.
const MERGE: usize = 65_535;

/// A reference that names commits.
struct Tip {
    name: Vec<u8>,
    commit: Id,
    time: i64,
    tag: bool,
    /// The reference names a tag that names the commit.
    followed: bool,
}

#[derive(Clone)]
struct Name {
    tip: Vec<u8>,
    generation: usize,
    distance: usize,
    time: i64,
    tag: bool,
}

impl Name {
    fn far(&self) -> usize {
        self.distance + if self.generation > 0 { MERGE } else { 0 }
    }

    fn is_better_than(&self, old: &Name) -> bool {
        match (self.tag, old.tag) {
            (true, true) => self.far() < old.far(),
            (true, false) => true,
            (false, true) => false,
            (false, false) => (self.far(), self.time) < (old.far(), old.time),
        }
    }

    fn bare(&self) -> &[u8] {
        self.tip.strip_suffix(b"^0").unwrap_or(&self.tip)
    }

    fn text(&self) -> Vec<u8> {
        match self.generation {
            0 => self.tip.clone(),
            count => bytes!(self.bare(), format!("~{count}")),
        }
    }

    /// The name of one of the parents, counted from 1.
    fn parent(&self, number: usize) -> Name {
        let mut name = self.clone();
        if number == 1 {
            name.generation += 1;
            name.distance += 1;
        } else {
            let back = match self.generation {
                0 => String::new(),
                count => format!("~{count}"),
            };
            name.tip = bytes!(self.bare(), back, format!("^{number}"));
            name.generation = 0;
            name.distance += MERGE;
        }
        name
    }
}

/// `git name-rev`
pub fn name_rev(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut names: HashMap<Id, Name> = HashMap::new();
    for tip in tips(repository, &flags)? {
        spread(repository, &tip, &mut names)?;
    }
    let mut out = Vec::new();
    for word in &flags.operands {
        let id = revision::find(repository, word)?;
        let peeled = id.and_then(|id| repository.objects.peel(&id).ok());
        let Some((id, Kind::Commit)) = peeled else {
            repository.say(bytes!("Could not get sha1 for ", word, ". Skipping."));
            continue;
        };
        if !flags.has("name-only") {
            out.extend(bytes!(word, " "));
        }
        match names.get(&id) {
            Some(name) => out.extend(name.text()),
            None if !flags.denied("undefined") => out.extend_from_slice(b"undefined"),
            None if flags.has("always") => out.extend(repository.short(&id).into_bytes()),
            None => {
                repository.out.put(&out);
                return Err(fatal(format!("cannot describe '{id}'")));
            }
        }
        out.push(b'\n');
    }
    repository.out.put(&out);
    Ok(0)
}

/// The name of a commit after a tag that reaches it.
pub fn after_tags(repository: &Repository, id: &Id) -> Option<Vec<u8>> {
    let words = ["--tags", "--name-only"].map(|word| word.as_bytes().to_vec());
    let flags = Flags::read(&words, OPTIONS).ok()?;
    let mut names = HashMap::new();
    for tip in tips(repository, &flags).ok()? {
        spread(repository, &tip, &mut names).ok()?;
    }
    names.get(id).map(Name::text)
}

/// Gives names to all commits that a reference reaches and names best.
fn spread(repository: &Repository, tip: &Tip, names: &mut HashMap<Id, Name>) -> Outcome {
    let start = Name {
        tip: bytes!(tip.name, if tip.followed { "^0" } else { "" }),
        generation: 0,
        distance: 0,
        time: tip.time,
        tag: tip.tag,
    };
    let mut update = |id: Id, name: Name| {
        let better = names.get(&id).is_none_or(|old| name.is_better_than(old));
        if better {
            names.insert(id, name.clone());
        }
        better.then_some((id, name))
    };
    let mut open: Vec<(Id, Name)> = update(tip.commit, start).into_iter().collect();
    while let Some((id, name)) = open.pop() {
        let parents = repository.objects.commit(&id)?.parents;
        let named = parents.into_iter().zip(1..);
        let mut next: Vec<(Id, Name)> = named
            .filter_map(|(parent, number)| update(parent, name.parent(number)))
            .collect();
        next.reverse();
        open.extend(next);
    }
    Ok(())
}

/// The references that may name commits: tags first, then the older ones.
fn tips(repository: &Repository, flags: &Flags) -> Outcome<Vec<Tip>> {
    let short_tags = flags.has("tags") && flags.has("name-only");
    let mut tips = Vec::new();
    for (full, id) in repository.refs.list(b"refs/") {
        let tag = full.strip_prefix(b"refs/tags/");
        if flags.has("tags") && tag.is_none() {
            continue;
        }
        let fits = |key: &'static str| {
            let places = flags
                .values(key)
                .filter_map(|pattern| place(pattern, &full));
            places.max()
        };
        let wanted = fits("refs");
        if fits("exclude").is_some() || (flags.has("refs") && wanted.is_none()) {
            continue;
        }
        let short = short_tags || wanted.is_some_and(|place| place > 0);
        let (kind, content) = repository.objects.read(&id)?;
        let Ok((commit, Kind::Commit)) = repository.objects.peel(&id) else {
            continue;
        };
        let mut tagger = content
            .split(|&byte| byte == b'\n')
            .filter_map(|line| line.strip_prefix(b"tagger "));
        let time = match (kind, tagger.next()) {
            (Kind::Tag, Some(line)) => Person::parse(line).time,
            _ => repository.objects.commit(&commit)?.committer.time,
        };
        let name = match (tag, full.strip_prefix(b"refs/heads/")) {
            (_, Some(branch)) => branch,
            (Some(tag), _) if short => tag,
            _ if short => revision::short_reference(&full),
            _ => &full[5..],
        };
        tips.push(Tip {
            name: name.to_vec(),
            commit,
            time,
            tag: tag.is_some(),
            followed: kind == Kind::Tag,
        });
    }
    tips.sort_by_key(|tip| (!tip.tag, tip.time));
    Ok(tips)
}

/// Where the part of a reference starts that a pattern fits: all of it, or what is behind a slash.
fn place(pattern: &[u8], full: &[u8]) -> Option<usize> {
    let mode = wildmatch::Mode::empty();
    let slashes = full.iter().enumerate().filter(|(_, byte)| **byte == b'/');
    let mut starts = std::iter::once(0).chain(slashes.map(|(at, _)| at + 1));
    starts.find(|start| gix_glob::wildmatch(pattern.into(), full[*start..].into(), mode))
}
