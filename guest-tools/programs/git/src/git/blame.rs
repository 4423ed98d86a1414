//! `git blame` and `annotate` (Documentation/git-blame): which commit each line of a file comes from.
//!
//! All lines begin with the file as it is shown. A commit that has lines open hands those that a comparison finds
//! unchanged to its parents, the youngest commit first; what no parent takes is its own. Costs a comparison for each
//! commit of the file's history and parent. A file that a parent lacks is looked for among renames. Lines that moved
//! within a file or between files (`-M`, `-C`) are not looked for, and ranges of commits are not taken.

mod print;

use std::collections::HashMap;
use std::rc::Rc;

use regex::bytes::Regex;

use super::change;
use super::flags::Flags;
use super::lines::{Blanks, compare, split};
use super::objects::{Commit, Id, Person, none};
use super::patch::Style;
use super::repository::Repository;
use super::stop::{Outcome, fatal, usage};
use super::tree::{self, Item};
use super::{date::DateStyle, revision};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("L", "", Value::Required),
    Opt("s", "", Value::No),
    Opt("l", "", Value::No),
    Opt("t", "", Value::No),
    Opt("e", "show-email", Value::No),
    Opt("f", "show-name", Value::No),
    Opt("n", "show-number", Value::No),
    Opt("b", "", Value::No),
    Opt("c", "", Value::No),
    Opt("w", "", Value::No),
    Opt("p", "porcelain", Value::No),
    Opt("", "line-porcelain", Value::No),
    Opt("", "root", Value::No),
    Opt("", "abbrev", Value::Required),
    Opt("", "date", Value::Required),
    Opt("", "first-parent", Value::No),
    Opt("", "progress", Value::No),
];

/// A commit with the name that the file has in it.
#[derive(Clone, PartialEq, Eq, Hash)]
struct Origin {
    commit: Id,
    path: Vec<u8>,
}

/// Where a line comes from, as far as is known.
#[derive(Clone)]
struct Line {
    origin: Rc<Origin>,
    /// Its number there, counted from 0.
    number: usize,
}

/// What is known of the lines of a file.
struct Blame<'a> {
    repository: &'a Repository,
    /// With `-w` lines that differ in blanks alone are equal.
    blanks: Blanks,
    first_parent: bool,
    /// The commit that stands for the work tree, with the null name, and the file's content there.
    work: Option<(Commit, Rc<[u8]>)>,
    /// The file in the first parent that has it, for `previous` of the porcelain.
    previous: HashMap<Origin, Origin>,
    /// By the number of the line in what is shown. Lines outside of `-L` keep where they began.
    lines: Vec<Line>,
}

/// `git blame`
pub fn blame(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    run(repository, arguments, false)
}

/// `git annotate`
pub fn annotate(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    run(repository, arguments, true)
}

/// Both commands: they differ in how they print.
fn run(repository: &mut Repository, arguments: &[Vec<u8>], annotate: bool) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let (revision, path) = operands(repository, &flags)?;
    let mut out = Vec::new();
    {
        let mut blame = Blame {
            repository,
            blanks: if flags.has("w") {
                Blanks::All
            } else {
                Blanks::Count
            },
            first_parent: flags.has("first-parent"),
            work: None,
            previous: HashMap::new(),
            lines: Vec::new(),
        };
        let start = blame.start(revision.as_deref(), &path)?;
        let content = blame.content(&start)?;
        let content = content.ok_or_else(|| missing(&path, revision.as_deref()))?;
        let text = split(&content);
        let shown = ranges(&flags, &text, &path)?;
        blame.lines = (0..text.len())
            .map(|number| Line {
                origin: start.clone(),
                number,
            })
            .collect();
        blame.run(&shown)?;
        print::print(&blame, &flags, annotate, &path, &text, &shown, &mut out)?;
    }
    repository.out.put(&out);
    Ok(0)
}

/// git's words for a file that is not there.
fn missing(path: &[u8], revision: Option<&[u8]>) -> super::stop::Stop {
    fatal(match revision {
        Some(revision) => bytes!("no such path ", path, " in ", revision),
        None => bytes!("no such path '", path, "' in HEAD"),
    })
}

/// The revision and the file that the command line names, in either order where no `--` stands between; the file's
/// path is from the top of the work tree.
fn operands(repository: &Repository, flags: &Flags) -> Outcome<(Option<Vec<u8>>, Vec<u8>)> {
    let behind = flags.paths.clone().unwrap_or_default();
    let (revision, path) = match (flags.operands.as_slice(), behind.as_slice()) {
        ([], [path]) => (None, path),
        ([revision], [path]) => (Some(revision), path),
        ([path], []) => (None, path),
        ([first, second], []) => {
            let there = |path: &[u8]| {
                let path = repository.path_from_top(path);
                path.and_then(|path| repository.file(&path))
                    .is_ok_and(|path| system::stat(&path, false).is_ok())
            };
            // Both orders are good.
            match there(second) || !there(first) {
                true => (Some(first), second),
                false => (Some(second), first),
            }
        }
        _ => return Err(usage("usage: git blame [<options>] [<rev>] [--] <file>")),
    };
    if let Some(revision) = revision
        && revision::split_range(revision).is_some()
    {
        return Err(usage("ranges of commits are not supported"));
    }
    Ok((revision.cloned(), repository.path_from_top(path)?))
}

/// The lines that `-L` asks for, counted from 0, in order and each once; all without it. A start behind the end of
/// the file is fatal. An expression of a later `-L` is searched behind the range before.
fn ranges(flags: &Flags, text: &[&[u8]], path: &[u8]) -> Outcome<Vec<usize>> {
    let given: Vec<&[u8]> = flags.values("L").collect();
    if given.is_empty() {
        return Ok((0..text.len()).collect());
    }
    let mut wanted = vec![false; text.len()];
    let mut from = 0;
    for value in given {
        let (start, end) = range(value, text, from)?;
        if start >= text.len() {
            return Err(fatal(bytes!(
                "file ",
                path,
                format!(
                    " has only {} line{}",
                    text.len(),
                    if text.len() == 1 { "" } else { "s" }
                )
            )));
        }
        let end = end.min(text.len());
        wanted[start..end.max(start)].fill(true);
        from = end;
    }
    Ok((0..text.len()).filter(|at| wanted[*at]).collect())
}

/// Reads `start,end`; the end is behind the last line. `2,5`, `2,+3`, `5,-2`, `/re/`, `/re/,/re/`, `,5`, `2,`; turned
/// round they mean the same. `:name` is not here.
fn range(value: &[u8], text: &[&[u8]], from: usize) -> Outcome<(usize, usize)> {
    let bad = || usage(bytes!("invalid or unsupported -L range: '", value, "'"));
    let number = |text: &[u8]| crate::options::number::<usize>(text);
    let (first, rest) = if value.starts_with(b"/") {
        let (pattern, rest) = expression(value).ok_or_else(bad)?;
        (search(pattern, text, from).ok_or_else(bad)?, rest)
    } else {
        let end = value.iter().position(|&byte| byte == b',');
        let (first, rest) = value.split_at(end.unwrap_or(value.len()));
        match first {
            b"" => (0, rest),
            _ => (
                number(first)
                    .and_then(|first| first.checked_sub(1))
                    .ok_or_else(bad)?,
                rest,
            ),
        }
    };
    let second = match rest {
        b"" | b"," => return Ok((first, text.len())),
        rest => rest.strip_prefix(b",").ok_or_else(bad)?,
    };
    match second[0] {
        b'+' => {
            let count = number(&second[1..]).filter(|count| *count > 0);
            Ok((first, first + count.ok_or_else(bad)?))
        }
        b'-' => {
            let count = number(&second[1..]).filter(|count| *count > 0);
            let start = (first + 1).saturating_sub(count.ok_or_else(bad)?);
            Ok((start, first + 1))
        }
        b'/' => {
            let (pattern, rest) = expression(second).ok_or_else(bad)?;
            let last = search(pattern, text, first + 1).filter(|_| rest.is_empty());
            Ok((first, last.ok_or_else(bad)? + 1))
        }
        _ => {
            let last = number(second).filter(|last| *last > 0).ok_or_else(bad)?;
            // Turned round they mean the same.
            Ok(if last <= first {
                (last - 1, first + 1)
            } else {
                (first, last)
            })
        }
    }
}

/// Splits `/re/rest`; a slash within the expression is not possible.
fn expression(text: &[u8]) -> Option<(&[u8], &[u8])> {
    let end = text[1..].iter().position(|&byte| byte == b'/')?;
    Some((&text[1..=end], &text[end + 2..]))
}

/// The first line from `from` on that a basic regular expression fits.
fn search(pattern: &[u8], text: &[&[u8]], from: usize) -> Option<usize> {
    let source = super::selection::basic(&String::from_utf8_lossy(pattern));
    let regex = Regex::new(&source).ok()?;
    let fits = |at: &usize| regex.is_match(text[*at].strip_suffix(b"\n").unwrap_or(text[*at]));
    (from..text.len()).find(fits)
}

impl Blame<'_> {
    /// Where the search starts: a commit, or the work tree, whose parent is `HEAD`.
    fn start(&mut self, revision: Option<&[u8]>, path: &[u8]) -> Outcome<Rc<Origin>> {
        let origin = |commit: Id| {
            Rc::new(Origin {
                commit,
                path: path.to_vec(),
            })
        };
        if let Some(name) = revision {
            let id = revision::find(self.repository, name)?
                .ok_or_else(|| fatal(bytes!("bad revision '", name, "'")))?;
            return Ok(origin(revision::commit_of(self.repository, &id)?.id));
        }
        let head = self.repository.head_commit()?;
        let start = origin(head.id);
        if self.content(&start)?.is_none() && !self.repository.index()?.has(path) {
            return Err(missing(path, None));
        }
        let whole = self.repository.file(path)?;
        let stat = system::stat(&whole, false)
            .map_err(|failure| super::stop::file("Cannot lstat", path, failure))?;
        let content: Rc<[u8]> = Rc::from(self.repository.content(path, &stat)?);
        let (time, zone) = super::repository::parse_date(b"now").unwrap_or_default();
        let person = Person {
            name: b"Not Committed Yet".to_vec(),
            mail: b"not.committed.yet".to_vec(),
            time,
            zone,
        };
        let commit = Commit {
            id: none(),
            tree: none(),
            parents: vec![head.id],
            author: person.clone(),
            committer: person,
            message: bytes!("Version of ", path, " from ", path, "\n"),
        };
        self.work = Some((commit, content));
        Ok(origin(none()))
    }

    /// A commit, also the one that stands for the work tree.
    fn commit(&self, id: &Id) -> Outcome<Commit> {
        match &self.work {
            Some((commit, _)) if commit.id == *id => Ok(commit.clone()),
            _ => self.repository.objects.commit(id),
        }
    }

    /// The file that an origin names; none where it is a folder or not there.
    fn item(&self, origin: &Origin) -> Outcome<Option<Item>> {
        let commit = self.commit(&origin.commit)?;
        let found = tree::find(&self.repository.objects, &commit.tree, &origin.path)?;
        Ok(found.filter(|item| item.mode != tree::FOLDER))
    }

    /// The file's content; none where it is not there.
    fn content(&self, origin: &Origin) -> Outcome<Option<Rc<[u8]>>> {
        if let Some((commit, content)) = &self.work
            && commit.id == origin.commit
        {
            return Ok(Some(content.clone()));
        }
        match self.item(origin)? {
            Some(item) => self.repository.objects.blob(&item.id).map(Some),
            None => Ok(None),
        }
    }

    /// Hands lines from commits to their parents, the youngest commits first.
    fn run(&mut self, shown: &[usize]) -> Outcome {
        let mut open: HashMap<Rc<Origin>, Vec<usize>> = HashMap::new();
        let mut order: Vec<(i64, Rc<Origin>)> = Vec::new();
        if let Some(first) = self.lines.first() {
            order.push((i64::MAX, first.origin.clone()));
            open.insert(first.origin.clone(), shown.to_vec());
        }
        while let Some(at) = next(&order) {
            let (_, origin) = order.remove(at);
            let Some(mut wanted) = open.remove(&origin) else {
                continue;
            };
            let commit = self.commit(&origin.commit)?;
            for parent in self.parents(&commit, &origin)? {
                let parent = Rc::new(parent);
                self.previous
                    .entry((*origin).clone())
                    .or_insert_with(|| (*parent).clone());
                let (kept, given) = self.divide(&origin, &parent, &wanted)?;
                wanted = kept;
                if given.is_empty() {
                    continue;
                }
                if !open.contains_key(&parent) {
                    let time = self.commit(&parent.commit)?.committer.time;
                    order.push((time, parent.clone()));
                }
                open.entry(parent.clone()).or_default().extend(given);
            }
        }
        Ok(())
    }

    /// The file in the parents of a commit; one that has it unchanged stands for all.
    fn parents(&self, commit: &Commit, origin: &Origin) -> Outcome<Vec<Origin>> {
        let count = if self.first_parent { 1 } else { usize::MAX };
        let content = self.content(origin)?;
        let mut found = Vec::new();
        for same_name in [true, false] {
            for (at, id) in commit.parents.iter().enumerate().take(count) {
                if found.iter().any(|(known, _)| *known == at) {
                    continue;
                }
                let path = match same_name {
                    true => Some(origin.path.clone()),
                    false => self.old_name(commit, id, &origin.path)?,
                };
                let Some(path) = path else { continue };
                let parent = Origin { commit: *id, path };
                let Some(old) = self.content(&parent)? else {
                    continue;
                };
                if Some(&old) == content.as_ref() {
                    return Ok(vec![parent]);
                }
                found.push((at, parent));
            }
        }
        found.sort_by_key(|(at, _)| *at);
        Ok(found.into_iter().map(|(_, parent)| parent).collect())
    }

    /// What a file was called in the parent that does not have it.
    fn old_name(&self, commit: &Commit, parent: &Id, path: &[u8]) -> Outcome<Option<Vec<u8>>> {
        let objects = &self.repository.objects;
        if commit.id == none() {
            return Ok(None);
        }
        let old = self.repository.objects.commit(parent)?.tree;
        let (gone, come) = tree::differences(objects, &old, &commit.tree)?;
        let changes = change::find_renames(objects, change::between(&gone, &come), 50, false)?;
        let renamed = changes
            .iter()
            .find(|change| change.score.is_some() && change.path() == path);
        Ok(renamed.map(|change| change.old_path().to_vec()))
    }

    /// Gives the parent the lines that it has already: what is left, and what it got, as places in what is shown.
    fn divide(
        &mut self,
        origin: &Origin,
        parent: &Rc<Origin>,
        wanted: &[usize],
    ) -> Outcome<(Vec<usize>, Vec<usize>)> {
        let (Some(new), Some(old)) = (self.content(origin)?, self.content(parent)?) else {
            return Ok((wanted.to_vec(), Vec::new()));
        };
        let (new, old) = (split(&new), split(&old));
        let algorithm = Style::default().algorithm;
        let mut places: Vec<Option<usize>> = vec![None; new.len()];
        let (mut left, mut right) = (0, 0);
        for replaced in compare(&old, &new, algorithm, self.blanks) {
            while right < replaced.new.start {
                places[right] = Some(left);
                (left, right) = (left + 1, right + 1);
            }
            (left, right) = (replaced.old.end, replaced.new.end);
        }
        while right < new.len() {
            places[right] = Some(left);
            (left, right) = (left + 1, right + 1);
        }
        let (mut kept, mut given) = (Vec::new(), Vec::new());
        for &at in wanted {
            match places.get(self.lines[at].number).copied().flatten() {
                Some(number) => {
                    self.lines[at] = Line {
                        origin: parent.clone(),
                        number,
                    };
                    given.push(at);
                }
                None => kept.push(at),
            }
        }
        Ok((kept, given))
    }

    /// Whether a commit has no parents.
    fn is_first(&self, id: &Id) -> Outcome<bool> {
        Ok(self.commit(id)?.parents.is_empty())
    }
}

/// The place of the youngest, or the first of several.
fn next(order: &[(i64, Rc<Origin>)]) -> Option<usize> {
    let young = |at: &usize| (order[*at].0, std::cmp::Reverse(*at));
    (0..order.len()).max_by_key(young)
}

/// How dates are shown, and how many columns they take; 0 with `-t`, which has none of its own.
fn dates(flags: &Flags) -> Outcome<(DateStyle, usize)> {
    let style = flags.value("date").unwrap_or(b"iso");
    let width = match style {
        b"iso" | b"iso8601" => 25,
        b"iso-strict" | b"iso8601-strict" => 25,
        b"rfc" | b"rfc2822" => 31,
        b"short" | b"unix" => 10,
        b"raw" => 16,
        b"default" => 30,
        other => {
            return Err(usage(bytes!(
                "the date style '",
                other,
                "' is not supported"
            )));
        }
    };
    let kept = match flags.has("t") {
        true => (DateStyle::new(b"raw")?, 0),
        false => (DateStyle::new(style)?, width),
    };
    Ok(kept)
}
