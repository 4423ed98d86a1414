//! Names of commits and other objects (Documentation/gitrevisions): `HEAD~2`, `main@{1}`, `v1^{tree}`, `HEAD:path`.
//!
//! A name is read from its left: a base, then any number of suffixes, then at most one `:path`.
//!
//! | form | meaning |
//! |---|---|
//! | 40 digits; 4 and more that are unique | the object; of several that fit, the only commit |
//! | `name` | a reference: `name`, `refs/name`, or in `refs/tags`, `refs/heads`, `refs/remotes`; a remote's `HEAD` |
//! | `v1.2-4-gabc1234` | what `describe` prints |
//! | `name@{2}`, `name@{yesterday}` | a state of its reflog |
//! | `@{-1}`, `name@{u}` | the branch before; the branch that it follows |
//! | `^`, `^2`, `^0`, `~3` | parents; the commit itself; ancestors along first parents |
//! | `^{commit}`, `^{tree}`, `^{}`, `^{/text}` | peeled to a kind, past tags, to a commit whose message matches |
//! | `:/text` | the youngest commit of any reference whose message matches |
//! | `:path`, `:2:path`, `rev:path`, `rev:./path` | a file of the index, of a side of a conflict, of a tree |
//!
//! "Not found" and "wrong" are kept apart: `Ok(None)` for a name that nothing has, which may then be a path, and an
//! error for a name that can only be a revision and is not there. Not here: `rev^{/!-text}`.

use gix_object::Kind;

use super::objects::{Commit, Id, parse_id};
use super::refs::Target;
use super::repository::{Repository, parse_date};
use super::stop::{Outcome, Stop, fatal};
use super::tree;
use super::walk::Walk;
use crate::call::bytes;

/// The object that a name stands for; `fatal: ambiguous argument` where it stands for nothing.
pub fn resolve(repository: &Repository, name: &[u8]) -> Outcome<Id> {
    match find(repository, name)? {
        Some(id) => Ok(id),
        None => Err(unknown(name)),
    }
}

/// What git says of a word that is neither a revision nor a path.
pub fn unknown(name: &[u8]) -> Stop {
    fatal(bytes!(
        "ambiguous argument '",
        name,
        "': unknown revision or path not in the working tree.\n\
         Use '--' to separate paths from revisions, like this:\n\
         'git <command> [<revision>...] -- [<file>...]'"
    ))
}

/// The commit that a name stands for, through tags.
pub fn commit(repository: &Repository, name: &[u8]) -> Outcome<Commit> {
    let id = resolve(repository, name)?;
    commit_of(repository, &id)
}

/// The commit that an object is or that a tag names; an error for trees and blobs.
pub fn commit_of(repository: &Repository, id: &Id) -> Outcome<Commit> {
    let (id, _) = repository.objects.peel(id)?;
    repository.objects.commit(&id)
}

/// The full name of the reference that a short one means, in git's order; the first that resolves counts, without a
/// warning where others would, too. `@` is `HEAD`.
pub fn reference(repository: &Repository, name: &[u8]) -> Option<Vec<u8>> {
    let name = if name == b"@" { b"HEAD" } else { name };
    let forms = [
        name.to_vec(),
        bytes!("refs/", name),
        bytes!("refs/tags/", name),
        bytes!("refs/heads/", name),
        bytes!("refs/remotes/", name),
        bytes!("refs/remotes/", name, "/HEAD"),
    ];
    // A bare word names a file of `.git` only where it looks like HEAD or ORIG_HEAD.
    let special = name
        .iter()
        .all(|byte| byte.is_ascii_uppercase() || *byte == b'_');
    let other = name.starts_with(b"main-worktree/") || name.starts_with(b"worktrees/");
    let usable = |form: &&Vec<u8>| form.starts_with(b"refs/") || special || other;
    let mut found = forms.iter().filter(usable);
    found
        .find(|form| repository.refs.resolve(form).is_some())
        .cloned()
}

/// The object that a name stands for; none where nothing has the name.
pub fn find(repository: &Repository, name: &[u8]) -> Outcome<Option<Id>> {
    if let Some(rest) = name.strip_prefix(b":") {
        return in_index(repository, rest);
    }
    if let Some(colon) = top_level_colon(name) {
        let Some(id) = find(repository, &name[..colon])? else {
            return Ok(None);
        };
        let path = &name[colon + 1..];
        let path = if path.starts_with(b"./") || path.starts_with(b"../") {
            repository.path_from_top(path)?
        } else {
            path.to_vec()
        };
        let root = repository.objects.tree_of(&id)?;
        return match tree::find(&repository.objects, &root, &path)? {
            Some(item) => Ok(Some(item.id)),
            None => Err(fatal(bytes!(
                "path '",
                path,
                "' does not exist in '",
                &name[..colon],
                "'"
            ))),
        };
    }
    let end = base_length(name);
    let (base, mut rest) = name.split_at(end);
    let Some(mut id) = base_object(repository, base)? else {
        return Ok(None);
    };
    while let Some((&mark, after)) = rest.split_first() {
        let digits = after
            .iter()
            .take_while(|byte| byte.is_ascii_digit())
            .count();
        let number = std::str::from_utf8(&after[..digits])
            .ok()
            .and_then(|text| text.parse().ok());
        if mark == b'^' && after.first() == Some(&b'{') {
            let close = after.iter().position(|&byte| byte == b'}');
            let Some(close) = close else { return Ok(None) };
            match peel(repository, id, &after[1..close])? {
                Some(found) => id = found,
                None => return Ok(None),
            }
            rest = &after[close + 1..];
            continue;
        }
        let commit = commit_of(repository, &id)?;
        let found = match (mark, number) {
            (b'^', Some(0)) => Some(commit.id),
            (b'^', number) => commit.parents.get(number.unwrap_or(1_usize) - 1).copied(),
            (b'~', number) => ancestor(repository, commit, number.unwrap_or(1))?,
            _ => None,
        };
        match found {
            Some(found) => id = found,
            None => return Ok(None),
        }
        rest = &after[digits..];
    }
    Ok(Some(id))
}

/// The commit `count` first parents back; none where history is shorter.
fn ancestor(repository: &Repository, commit: Commit, count: usize) -> Outcome<Option<Id>> {
    let mut commit = commit;
    for _ in 0..count {
        match commit.parents.first() {
            Some(parent) => commit = repository.objects.commit(parent)?,
            None => return Ok(None),
        }
    }
    Ok(Some(commit.id))
}

/// A colon that is not within braces: `HEAD@{10:30}:file` is cut at the second one.
fn top_level_colon(name: &[u8]) -> Option<usize> {
    let mut depth = 0;
    name.iter().position(|&byte| {
        match byte {
            b'{' => depth += 1,
            b'}' => depth -= 1,
            _ => {}
        }
        byte == b':' && depth == 0
    })
}

/// Where the first `^` or `~` stands, or the end: neither may be in the name of a reference.
fn base_length(name: &[u8]) -> usize {
    name.iter()
        .position(|byte| b"^~".contains(byte))
        .unwrap_or(name.len())
}

/// What follows a colon at the start: `/text`, `N:path` or `path`. Paths that begin with `./` or `../` are seen from
/// the working directory, others from the top.
fn in_index(repository: &Repository, rest: &[u8]) -> Outcome<Option<Id>> {
    if let Some(text) = rest.strip_prefix(b"/") {
        let mut starts: Vec<Id> = repository
            .refs
            .list(b"refs/")
            .into_iter()
            .map(|(_, id)| id)
            .collect();
        starts.extend(repository.head());
        let starts: Vec<Id> = starts
            .into_iter()
            .filter_map(|id| commit_of(repository, &id).ok().map(|commit| commit.id))
            .collect();
        return with_message(repository, &starts, text);
    }
    let (stage, path) = match rest {
        [stage @ b'0'..=b'3', b':', path @ ..] => (stage - b'0', path),
        path => (0, path),
    };
    let path = if path.starts_with(b"./") || path.starts_with(b"../") {
        repository.path_from_top(path)?
    } else {
        path.to_vec()
    };
    let index = repository.index()?;
    match index.stage(&path, stage) {
        Some(entry) => Ok(Some(entry.item.id)),
        None if index.has(&path) => Err(fatal(bytes!(
            "path '",
            path,
            format!("' is in the index, but not at stage {stage}")
        ))),
        None => Err(fatal(bytes!("path '", path, "' is not in the index"))),
    }
}

/// The first commit, from the youngest on, whose message matches a regular expression. The expressions are those of
/// the `regex` crate, close to POSIX's extended ones.
fn with_message(repository: &Repository, starts: &[Id], text: &[u8]) -> Outcome<Option<Id>> {
    let text = String::from_utf8_lossy(text).into_owned();
    let pattern = regex::bytes::Regex::new(&text)
        .map_err(|_| fatal(format!("Invalid search pattern: {text}")))?;
    let mut walk = Walk::new(repository, starts, &[])?;
    while let Some(commit) = walk.next()? {
        if pattern.is_match(&commit.message) {
            return Ok(Some(commit.id));
        }
    }
    Ok(None)
}

/// What the braces of `^{…}` ask for; none where the object is of another kind. `^{object}` only asks that it exists.
fn peel(repository: &Repository, id: Id, what: &[u8]) -> Outcome<Option<Id>> {
    if let Some(text) = what.strip_prefix(b"/") {
        let start = commit_of(repository, &id)?.id;
        return with_message(repository, &[start], text);
    }
    let (peeled, kind) = repository.objects.peel(&id)?;
    Ok(match what {
        b"" => Some(peeled),
        b"object" => Some(id),
        b"commit" => (kind == Kind::Commit).then_some(peeled),
        b"tree" => Some(repository.objects.tree_of(&id)?),
        b"blob" => (kind == Kind::Blob).then_some(peeled),
        b"tag" => (repository.objects.read(&id)?.0 == Kind::Tag).then_some(id),
        _ => None,
    })
}

/// The object of a name without suffixes. A reference wins over digits, and digits over what `describe` prints.
fn base_object(repository: &Repository, base: &[u8]) -> Outcome<Option<Id>> {
    if let Some(at) = base.windows(2).position(|pair| pair == b"@{") {
        let Some(inner) = base[at + 2..].strip_suffix(b"}") else {
            return Ok(None);
        };
        return at_time(repository, &base[..at], inner);
    }
    if let Some(id) = parse_id(base) {
        return Ok(Some(id));
    }
    if let Some(name) = reference(repository, base) {
        return Ok(repository.refs.resolve(&name));
    }
    // What `git describe` prints ends in the commit.
    let described = base
        .windows(2)
        .rposition(|pair| pair == b"-g")
        .map(|at| &base[at + 2..]);
    for digits in [Some(base), described].into_iter().flatten() {
        let found = repository.objects.starting_with(digits);
        match found.as_slice() {
            [] => {}
            [only] => return Ok(Some(*only)),
            several => {
                let commits: Vec<&Id> = several
                    .iter()
                    .filter(|id| {
                        repository
                            .objects
                            .read(id)
                            .is_ok_and(|(kind, _)| kind == Kind::Commit)
                    })
                    .collect();
                if let [only] = commits.as_slice() {
                    return Ok(Some(**only));
                }
                return Err(fatal(bytes!("short object ID ", digits, " is ambiguous")));
            }
        }
    }
    Ok(None)
}

/// `name@{…}`: a place in the history of a reference, or the branch that it follows. `name` is empty for `@{…}`,
/// which is the current branch, and for `@{-N}`, which needs none.
///
/// `@{N}` counts from the youngest entry, 0; one past the oldest is where that began. A date finds the last entry
/// that is not younger, or the oldest one where all are.
fn at_time(repository: &Repository, name: &[u8], inner: &[u8]) -> Outcome<Option<Id>> {
    let text = String::from_utf8_lossy(inner).into_owned();
    if let Some(back) = text.strip_prefix('-') {
        let Some(branch) = back
            .parse()
            .ok()
            .and_then(|back| previous_branch(repository, back))
        else {
            return Ok(None);
        };
        return base_object(repository, &branch);
    }
    if text == "push" {
        let name = push_destination(repository, name)?;
        return Ok(repository.refs.resolve(&name));
    }
    if matches!(text.as_str(), "u" | "upstream") {
        return match upstream(repository, name) {
            Some(other) => Ok(repository.refs.resolve(&other)),
            None => {
                let branch = if name.is_empty() || name == b"HEAD" {
                    repository.refs.branch().unwrap_or_default()
                } else {
                    name.to_vec()
                };
                Err(fatal(bytes!(
                    "no upstream configured for branch '",
                    branch,
                    "'"
                )))
            }
        };
    }
    let full = if name.is_empty() {
        repository.refs.head().unwrap_or_else(|| b"HEAD".to_vec())
    } else {
        match reference(repository, name) {
            Some(full) => full,
            None => return Ok(None),
        }
    };
    let history = repository.refs.history(&full);
    let shown = if name.is_empty() {
        b"HEAD".as_slice()
    } else {
        name
    };
    if let Ok(back) = text.parse::<usize>() {
        if back == 0 && history.is_empty() {
            return Ok(repository.refs.resolve(&full));
        }
        let Some(at) = history.len().checked_sub(back + 1) else {
            if back == history.len() && back > 0 {
                return Ok(Some(history[0].old).filter(|id| !id.is_null()));
            }
            return Err(fatal(bytes!(
                "log for '",
                shown,
                format!("' only has {} entries", history.len())
            )));
        };
        return Ok(Some(history[at].new));
    }
    let Some((time, _)) = parse_date(inner) else {
        return Ok(None);
    };
    let moved = history.iter().rev().find(|moved| moved.who.time <= time);
    Ok(moved.or(history.first()).map(|moved| moved.new))
}

/// The branch that was checked out `back` switches ago, from 1, as the lines `checkout: moving from A to B` of
/// `HEAD`'s history tell it. Where `HEAD` was detached it is the commit's digits.
pub fn previous_branch(repository: &Repository, back: usize) -> Option<Vec<u8>> {
    let history = repository.refs.history(b"HEAD");
    let mut switches = history.iter().rev().filter_map(|moved| {
        let rest = moved.why.strip_prefix(b"checkout: moving from ")?;
        let end = rest.windows(4).position(|part| part == b" to ")?;
        Some(rest[..end].to_vec())
    });
    switches.nth(back.checked_sub(1)?)
}

/// The full name of the reference that a branch follows, by `branch.NAME.remote` and `.merge`. Refspecs are not
/// looked at: `refs/heads/X` of remote R is `refs/remotes/R/X`.
pub fn upstream(repository: &Repository, branch: &[u8]) -> Option<Vec<u8>> {
    let branch = match branch {
        b"" | b"HEAD" | b"@" => repository.refs.branch()?,
        name => name.to_vec(),
    };
    let branch = String::from_utf8_lossy(&branch).into_owned();
    let remote = repository.config.text(&format!("branch.{branch}.remote"))?;
    let merge = repository
        .config
        .get(&format!("branch.{branch}.merge"))?
        .to_vec();
    if remote == "." {
        return Some(merge);
    }
    let short = merge.strip_prefix(b"refs/heads/")?;
    Some(bytes!("refs/remotes/", remote, "/", short))
}

/// The full name of the reference that follows where a branch is pushed to, by `push.default`.
///
/// # Errors
/// `HEAD` is detached, or nothing follows that place. What does need not exist.
pub fn push_destination(repository: &Repository, branch: &[u8]) -> Outcome<Vec<u8>> {
    let branch = match branch {
        b"" | b"HEAD" | b"@" => repository
            .refs
            .branch()
            .ok_or_else(|| fatal("HEAD does not point to a branch"))?,
        name => name.to_vec(),
    };
    let config = &repository.config;
    let text = String::from_utf8_lossy(&branch).into_owned();
    let own = config.get(&format!("branch.{text}.remote"));
    let pushed = config.get(&format!("branch.{text}.pushremote"));
    let remote = pushed
        .or_else(|| config.get("remote.pushdefault"))
        .or(own)
        .unwrap_or(b"origin")
        .to_vec();
    let triangular = own.unwrap_or(b"origin") != remote.as_slice();
    let mode = config
        .text("push.default")
        .unwrap_or_else(|| "simple".to_owned());
    let merge = config.get(&format!("branch.{text}.merge"));
    let full = bytes!("refs/heads/", branch);
    let name = match (mode.as_str(), merge) {
        ("nothing", _) => return Err(fatal("push has no destination (push.default is 'nothing')")),
        ("matching" | "current", _) => full,
        ("upstream" | "tracking", Some(_)) => {
            return Ok(upstream(repository, &branch).unwrap_or_default());
        }
        ("simple", _) if triangular => full,
        ("simple", Some(merge)) if merge == full => full,
        ("simple", Some(_)) => {
            return Err(fatal(
                "cannot resolve 'simple' push to a single destination",
            ));
        }
        _ => {
            return Err(fatal(bytes!(
                "no upstream configured for branch '",
                branch,
                "'"
            )));
        }
    };
    super::remote::follower(repository, &remote, &name).ok_or_else(|| {
        fatal(bytes!(
            "push destination '",
            name,
            "' on remote '",
            remote,
            "' has no local tracking branch"
        ))
    })
}

/// The commit of `REV^-N`, and its parent of that number, which is 1 where it is not given; none for other words.
pub fn without_parent(repository: &Repository, word: &[u8]) -> Outcome<Option<(Id, Id)>> {
    let Some(at) = word.windows(2).rposition(|pair| pair == b"^-") else {
        return Ok(None);
    };
    let number = match &word[at + 2..] {
        b"" => Some(1_usize),
        digits => crate::options::number(digits),
    };
    let (Some(number), Some(id)) = (number, find(repository, &word[..at])?) else {
        return Ok(None);
    };
    let commit = commit_of(repository, &id)?;
    let parent = commit.parents.get(number.wrapping_sub(1));
    Ok(parent.map(|parent| (commit.id, *parent)))
}

/// What a list of revisions includes and excludes. Words add to it in any order.
#[derive(Default)]
pub struct Range {
    /// Where a walk starts. Objects of any kind, where a word was a plain name.
    pub include: Vec<Id>,
    /// Commits that are left out with all their ancestors.
    pub exclude: Vec<Id>,
    /// The two sides of `A...B`.
    pub symmetric: Option<(Id, Id)>,
}

/// Splits `A..B` or `A...B`; a missing side is `HEAD`. True for three dots. None for `..` alone, which is a path, and
/// for `../x`.
pub fn split_range(word: &[u8]) -> Option<(&[u8], &[u8], bool)> {
    let at = word.windows(2).position(|pair| pair == b"..")?;
    let symmetric = word.get(at + 2) == Some(&b'.');
    let side = |side: &'static [u8]| side;
    let (left, right) = (&word[..at], &word[at + 2 + usize::from(symmetric)..]);
    if left.is_empty() && right.is_empty() || right.starts_with(b"/") {
        return None;
    }
    let left = if left.is_empty() { side(b"HEAD") } else { left };
    let right = if right.is_empty() {
        side(b"HEAD")
    } else {
        right
    };
    Some((left, right, symmetric))
}

impl Range {
    /// Adds a word such as `A..B`, `^A`, `A^!` (A without its parents) or `A^@` (its parents); false where it names
    /// nothing.
    pub fn add(&mut self, repository: &Repository, word: &[u8]) -> Outcome<bool> {
        if let Some((left, right, symmetric)) = split_range(word) {
            let (Some(left), Some(right)) = (find(repository, left)?, find(repository, right)?)
            else {
                return Ok(false);
            };
            let left = commit_of(repository, &left)?.id;
            let right = commit_of(repository, &right)?.id;
            if symmetric {
                self.include.extend([left, right]);
                self.exclude
                    .extend(super::walk::merge_bases(repository, &left, &right)?);
                self.symmetric = Some((left, right));
            } else {
                self.include.push(right);
                self.exclude.push(left);
            }
            return Ok(true);
        }
        if let Some(rest) = word.strip_prefix(b"^") {
            let Some(id) = find(repository, rest)? else {
                return Ok(false);
            };
            self.exclude.push(commit_of(repository, &id)?.id);
            return Ok(true);
        }
        for (suffix, own) in [(b"^!".as_slice(), true), (b"^@", false)] {
            let Some(rest) = word.strip_suffix(suffix) else {
                continue;
            };
            let Some(id) = find(repository, rest)? else {
                return Ok(false);
            };
            let commit = commit_of(repository, &id)?;
            if own {
                self.include.push(commit.id);
                self.exclude.extend(commit.parents);
            } else {
                self.include.extend(commit.parents);
            }
            return Ok(true);
        }
        if let Some((id, parent)) = without_parent(repository, word)? {
            self.include.push(id);
            self.exclude.push(parent);
            return Ok(true);
        }
        match find(repository, word)? {
            Some(id) => self.include.push(id),
            None => return Ok(false),
        }
        Ok(true)
    }
}

/// How a reference is shown: without the folder it is in. `refs/remotes/origin/main` is `origin/main`.
pub fn short_reference(name: &[u8]) -> &[u8] {
    let folders = [
        b"refs/heads/".as_slice(),
        b"refs/tags/",
        b"refs/remotes/",
        b"refs/",
    ];
    let mut short = folders
        .iter()
        .filter_map(|folder| name.strip_prefix(*folder));
    short.next().unwrap_or(name)
}

/// The full name of what `HEAD` or another symbolic reference says, one step; none where it names an object.
pub fn symbolic(repository: &Repository, name: &[u8]) -> Option<Vec<u8>> {
    match repository.refs.get(name)? {
        Target::Symbolic(target) => Some(target),
        Target::Object(_) => None,
    }
}
