//! `git branch` and `git tag`.

use gix_object::Kind;

use super::flags::{Flags, NUMBER};
use super::format::parts;
use super::objects::{Id, Person, parse_id, write_file};
use super::refs::{Target, is_valid};
use super::repository::Repository;
use super::revision;
use super::stop::{Outcome, Stop, error, fatal, usage};
use super::walk::{ahead_behind, is_ancestor};
use super::{commit, config};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;
use gix_glob::wildmatch;

const BRANCH: &[Opt] = &[
    Opt("v", "verbose", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("a", "all", Value::No),
    Opt("r", "remotes", Value::No),
    Opt("l", "list", Value::No),
    Opt("d", "delete", Value::No),
    Opt("D", "", Value::No),
    Opt("m", "move", Value::No),
    Opt("M", "", Value::No),
    Opt("c", "copy", Value::No),
    Opt("C", "", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "show-current", Value::No),
    Opt("", "contains", Value::Optional),
    Opt("", "no-contains", Value::Optional),
    Opt("", "merged", Value::Optional),
    Opt("", "no-merged", Value::Optional),
    Opt("", "points-at", Value::Required),
    Opt("", "sort", Value::Required),
    Opt("", "format", Value::Required),
    Opt("t", "track", Value::Optional),
    Opt("u", "set-upstream-to", Value::Required),
    Opt("", "unset-upstream", Value::No),
    Opt("", "color", Value::Optional),
    Opt("", "column", Value::Optional),
    Opt("i", "ignore-case", Value::No),
    Opt("", "abbrev", Value::Optional),
];

/// `git branch`
pub fn branch(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_commits(arguments), BRANCH)?;
    let names = flags.all_paths();
    if flags.has("show-current") {
        if let Some(branch) = repository.refs.branch() {
            repository.out.put(bytes!(branch, "\n"));
        }
        return Ok(0);
    }
    if flags.has("d") || flags.has("D") {
        return delete(repository, &flags, &names);
    }
    if flags.has("m") || flags.has("M") {
        return rename(repository, &flags, &names);
    }
    if flags.has("c") || flags.has("C") {
        return copy(repository, &flags, &names);
    }
    if flags.has("u") || flags.has("unset-upstream") {
        let branch = match names.first() {
            Some(name) => name.clone(),
            None => repository
                .refs
                .branch()
                .ok_or_else(|| fatal("HEAD is detached"))?,
        };
        return follow(repository, &branch, flags.value("u"), flags.has("q"));
    }
    let filtered = LIMITS.iter().any(|key| flags.has(key)) || flags.has("points-at");
    if names.is_empty() || flags.has("l") || filtered {
        return list(repository, &flags, &names);
    }
    let start = names.get(1).cloned().unwrap_or_else(|| b"HEAD".to_vec());
    create(repository, &names[0], &start, flags.has("f"))?;
    let tracked = revision::reference(repository, &start);
    let remote = tracked
        .as_deref()
        .is_some_and(|name| name.starts_with(b"refs/remotes/"));
    if (flags.has("t") || remote) && !flags.denied("t") {
        follow(repository, &names[0], Some(&start), flags.has("q"))?;
    }
    Ok(0)
}

/// What is said of a name that no branch may have.
pub fn invalid(name: &[u8]) -> Stop {
    fatal(bytes!(
        "'",
        name,
        "' is not a valid branch name\n\
         hint: See `man git check-ref-format`\n\
         hint: Disable this message with \"git config advice.refSyntax false\""
    ))
}

/// Makes a branch at a commit.
pub fn create(repository: &Repository, name: &[u8], start: &[u8], force: bool) -> Outcome<Id> {
    if !is_valid(name) {
        return Err(invalid(name));
    }
    let full = bytes!("refs/heads/", name);
    let exists = repository.refs.resolve(&full).is_some();
    if exists && !force {
        return Err(fatal(bytes!("a branch named '", name, "' already exists")));
    }
    if exists && repository.refs.head().as_deref() == Some(&full) {
        return Err(fatal(bytes!(
            "cannot force update the branch '",
            name,
            "' used by worktree at '",
            repository.root.clone().unwrap_or_default(),
            "'"
        )));
    }
    let Some(id) = revision::find(repository, start)? else {
        return Err(fatal(bytes!("not a valid object name: '", start, "'")));
    };
    let id = revision::commit_of(repository, &id)?.id;
    let clash = repository
        .refs
        .list(b"refs/heads/")
        .into_iter()
        .find(|(other, _)| {
            other.starts_with(&bytes!(full, "/")) || full.starts_with(&bytes!(other, "/"))
        });
    if let Some((other, _)) = clash {
        return Err(fatal(bytes!(
            "cannot lock ref '",
            full,
            "': '",
            other,
            "' exists; cannot create '",
            full,
            "'"
        )));
    }
    let why = if exists {
        bytes!("branch: Reset to ", start)
    } else {
        bytes!("branch: Created from ", start)
    };
    let who = identity(repository);
    repository.refs.update(&full, &id, &who, &why)?;
    Ok(id)
}

/// Who moves references: also where nobody told git a name.
pub fn identity(repository: &Repository) -> Person {
    repository.committer().unwrap_or_else(|_| {
        let identity = system::identity();
        Person {
            name: identity.user.clone().into_bytes(),
            mail: format!("{}@{}", identity.user, identity.hostname).into_bytes(),
            time: system::Time::now().seconds,
            zone: 0,
        }
    })
}

fn delete(repository: &mut Repository, flags: &Flags, names: &[Vec<u8>]) -> Outcome<i32> {
    if names.is_empty() {
        return Err(fatal("branch name required"));
    }
    let mut status = 0;
    let (folder, kind) = if flags.has("r") {
        ("refs/remotes/", "remote-tracking branch ")
    } else {
        ("refs/heads/", "branch ")
    };
    for name in names {
        let full = bytes!(folder, name);
        let Some(id) = repository.refs.resolve(&full) else {
            repository.say(bytes!("error: ", kind, "'", name, "' not found"));
            status = 1;
            continue;
        };
        if repository.refs.head().as_deref() == Some(&full) {
            let root = repository.root.clone().unwrap_or_default();
            repository.say(bytes!(
                "error: cannot delete branch '",
                name,
                "' used by worktree at '",
                root,
                "'"
            ));
            status = 1;
            continue;
        }
        if !flags.has("D") && !flags.has("f") && !flags.has("r") {
            let upstream = revision::upstream(repository, name)
                .and_then(|upstream| repository.refs.resolve(&upstream));
            let merged = match upstream.or(repository.head()) {
                Some(other) => is_ancestor(repository, &id, &other)?,
                None => false,
            };
            if !merged {
                repository.say(bytes!("error: the branch '", name, "' is not fully merged"));
                repository.say(bytes!(
                    "hint: If you are sure you want to delete it, run 'git branch -D ",
                    name,
                    "'"
                ));
                repository.say(
                    "hint: Disable this message with \"git config advice.forceDeleteBranch false\"",
                );
                status = 1;
                continue;
            }
        }
        repository.refs.delete(&full)?;
        edit_config(repository, |text| {
            let section = format!("branch.{}", String::from_utf8_lossy(name));
            Ok(config::remove_section(&text, &section).unwrap_or(text))
        })?;
        if !flags.has("q") {
            let short = repository.short(&id);
            repository
                .out
                .put(bytes!("Deleted ", kind, name, " (was ", short, ").\n"));
        }
    }
    Ok(status)
}

/// Changes the repository's own settings.
pub fn edit_config(
    repository: &Repository,
    change: impl FnOnce(Vec<u8>) -> Outcome<Vec<u8>>,
) -> Outcome {
    let path = system::join(&repository.common, b"config");
    let text = system::read_whole(&path).unwrap_or_default();
    let new = change(text.clone())?;
    if new != text {
        write_file(&path, &new)?;
    }
    Ok(())
}

fn old_and_new<'a>(
    repository: &Repository,
    names: &'a [Vec<u8>],
) -> Outcome<(Vec<u8>, &'a Vec<u8>)> {
    match names {
        [new] => {
            let old = repository.refs.branch();
            Ok((
                old.ok_or_else(|| fatal("cannot rename the current branch while not on any"))?,
                new,
            ))
        }
        [old, new] => Ok((old.clone(), new)),
        _ => Err(fatal("branch name required")),
    }
}

fn rename(repository: &mut Repository, flags: &Flags, names: &[Vec<u8>]) -> Outcome<i32> {
    let (old, new) = old_and_new(repository, names)?;
    let (old_full, new_full) = (bytes!("refs/heads/", old), bytes!("refs/heads/", new));
    if !is_valid(new) {
        return Err(invalid(new));
    }
    let unborn = repository.refs.resolve(&old_full).is_none();
    if unborn && repository.refs.head().as_deref() != Some(&old_full) {
        return Err(fatal(bytes!("no branch named '", old, "'")));
    }
    let forced = flags.has("M") || flags.has("f");
    if repository.refs.resolve(&new_full).is_some() && !forced && old != *new {
        return Err(fatal(bytes!("a branch named '", new, "' already exists")));
    }
    if unborn {
        repository.refs.set(b"HEAD", &Target::Symbolic(new_full))?;
        return Ok(0);
    }
    if old != *new {
        repository
            .refs
            .rename(&old_full, &new_full, &identity(repository))?;
        let quoted = |name: &[u8]| String::from_utf8_lossy(name).into_owned();
        let (from, to) = (
            format!("[branch \"{}\"]", quoted(&old)),
            format!("[branch \"{}\"]", quoted(new)),
        );
        edit_config(repository, |text| {
            Ok(String::from_utf8_lossy(&text)
                .replace(&from, &to)
                .into_bytes())
        })?;
    }
    Ok(0)
}

fn copy(repository: &mut Repository, flags: &Flags, names: &[Vec<u8>]) -> Outcome<i32> {
    let (old, new) = old_and_new(repository, names)?;
    let full = bytes!("refs/heads/", old);
    if repository.refs.resolve(&full).is_none() {
        return Err(fatal(bytes!("no branch named '", old, "'")));
    }
    create(repository, new, &full, flags.has("C") || flags.has("f"))?;
    Ok(0)
}

/// Lets a branch follow another one, or none.
pub fn follow(
    repository: &mut Repository,
    branch: &[u8],
    other: Option<&[u8]>,
    quiet: bool,
) -> Outcome<i32> {
    if repository
        .refs
        .resolve(&bytes!("refs/heads/", branch))
        .is_none()
    {
        return Err(fatal(bytes!("branch '", branch, "' does not exist")));
    }
    let key = |what: &str| bytes!("branch.", branch, ".", what);
    let Some(other) = other else {
        return edit_config(repository, |text| {
            let (text, count) = config::unset(&text, b"config", &key("remote"))?;
            if count == 0 {
                return Err(fatal(bytes!(
                    "branch '",
                    branch,
                    "' has no upstream information"
                )));
            }
            Ok(config::unset(&text, b"config", &key("merge"))?.0)
        })
        .map(|()| 0);
    };
    let Some(full) = revision::reference(repository, other) else {
        return Err(fatal(bytes!(
            "the requested upstream branch '",
            other,
            "' does not exist"
        )));
    };
    let (remote, merge) = match full.strip_prefix(b"refs/remotes/") {
        Some(rest) => {
            let slash = rest
                .iter()
                .position(|&byte| byte == b'/')
                .unwrap_or(rest.len());
            (rest[..slash].to_vec(), bytes!("refs/heads", &rest[slash..]))
        }
        None => (b".".to_vec(), full.clone()),
    };
    edit_config(repository, |text| {
        let text = config::set(&text, b"config", &key("remote"), &remote, false)?;
        config::set(&text, b"config", &key("merge"), &merge, false)
    })?;
    if quiet {
        return Ok(0);
    }
    let short = revision::short_reference(&full).to_vec();
    repository.out.put(bytes!(
        "branch '",
        branch,
        "' set up to track '",
        short,
        "'.\n"
    ));
    Ok(0)
}

/// The options that ask what a commit reaches, or what reaches it.
const LIMITS: [&str; 4] = ["contains", "no-contains", "merged", "no-merged"];

/// The command line with the commits of such options joined to them: they are left out only where the
/// option is the last word.
fn with_commits(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let mut words = arguments.iter();
    let mut out = Vec::new();
    while let Some(word) = words.next() {
        let name = word.strip_prefix(b"--").unwrap_or_default();
        let takes = LIMITS.iter().any(|key| key.as_bytes() == name);
        match (takes, words.as_slice().first()) {
            (true, Some(commit)) => {
                out.push(bytes!(word, "=", commit));
                words.next();
            }
            _ => out.push(word.clone()),
        }
        if word == b"--" {
            out.extend(words.by_ref().cloned());
        }
    }
    out
}

/// Whether a reference fits `--contains`, `--merged` and the like.
fn fits(repository: &Repository, flags: &Flags, id: &Id) -> Outcome<bool> {
    let Ok((commit, Kind::Commit)) = repository.objects.peel(id) else {
        return Ok(!LIMITS.iter().any(|key| flags.has(key)));
    };
    let reaches = |key: &str| -> Outcome<bool> {
        for name in flags.values(key) {
            let name = if name.is_empty() { b"HEAD" } else { name };
            let other = revision::commit(repository, name)?.id;
            let (old, new) = match key.ends_with("merged") {
                true => (&commit, &other),
                false => (&other, &commit),
            };
            if is_ancestor(repository, old, new)? {
                return Ok(true);
            }
        }
        Ok(false)
    };
    for key in LIMITS.into_iter().filter(|key| flags.has(key)) {
        if reaches(key)? == key.starts_with("no-") {
            return Ok(false);
        }
    }
    if let Some(name) = flags.value("points-at") {
        let wanted = revision::resolve(repository, name)?;
        return Ok(wanted == *id || wanted == commit);
    }
    Ok(true)
}

fn wild(patterns: &[Vec<u8>], name: &[u8]) -> bool {
    patterns.is_empty()
        || patterns.iter().any(|pattern| {
            gix_glob::wildmatch(
                pattern.as_slice().into(),
                name.into(),
                wildmatch::Mode::empty(),
            )
        })
}

/// A reference in a list.
struct Row {
    name: Vec<u8>,
    id: Id,
}

fn sort(repository: &Repository, flags: &Flags, rows: &mut [Row]) -> Outcome {
    for key in flags.values("sort") {
        let (key, down) = match key.strip_prefix(b"-") {
            Some(key) => (key, true),
            None => (key, false),
        };
        let time = |row: &Row, author: bool| {
            let commit = revision::commit_of(repository, &row.id);
            commit.map_or(0, |c| {
                if author {
                    c.author.time
                } else {
                    c.committer.time
                }
            })
        };
        match key {
            b"refname" => rows.sort_by(|a, b| a.name.cmp(&b.name)),
            b"committerdate" | b"creatordate" | b"taggerdate" => {
                rows.sort_by_key(|row| time(row, false))
            }
            b"authordate" => rows.sort_by_key(|row| time(row, true)),
            b"version:refname" | b"v:refname" => {
                rows.sort_by(|a, b| crate::version::compare(&a.name, &b.name));
            }
            _ => return Err(usage(bytes!("option `--sort=", key, "' is not supported"))),
        }
        if down {
            rows.reverse();
        }
    }
    Ok(())
}

fn list(repository: &mut Repository, flags: &Flags, patterns: &[Vec<u8>]) -> Outcome<i32> {
    let mut rows = Vec::new();
    let folders: &[&[u8]] = match (flags.has("a"), flags.has("r")) {
        (true, _) => &[b"refs/heads/", b"refs/remotes/"],
        (false, true) => &[b"refs/remotes/"],
        (false, false) => &[b"refs/heads/"],
    };
    for folder in folders {
        for (name, id) in repository.refs.list(folder) {
            if fits(repository, flags, &id)? && wild(patterns, revision::short_reference(&name)) {
                rows.push(Row { name, id });
            }
        }
    }
    sort(repository, flags, &mut rows)?;
    let mut out = Vec::new();
    if let Some(format) = flags.value("format") {
        for row in &rows {
            out.extend(bytes!(fields(repository, format, row)?, "\n"));
        }
        repository.out.put(&out);
        return Ok(0);
    }
    let head = repository.refs.head();
    let shown = |row: &Row| {
        let short = revision::short_reference(&row.name);
        if flags.has("a") && row.name.starts_with(b"refs/remotes/") {
            bytes!("remotes/", short)
        } else {
            short.to_vec()
        }
    };
    let detached = match (&head, repository.head()) {
        (None, Some(id)) if !flags.has("r") && patterns.is_empty() => {
            let text = super::status::detached_name(repository, &id);
            Some((bytes!("(", text, ")"), id))
        }
        _ => None,
    };
    let length = |name: &[u8]| String::from_utf8_lossy(name).chars().count();
    let widths = rows.iter().map(|row| length(&shown(row)));
    let widths = widths.chain(detached.iter().map(|(name, _)| length(name)));
    let width = widths.max().unwrap_or(0);
    let verbose = flags.has("v");
    let very = flags.values("v").count() > 1;
    let mut line = |mark: &str, name: &[u8], id: &Id, full: &[u8]| -> Outcome {
        out.extend(bytes!(mark, name));
        let target = revision::symbolic(repository, full).filter(|_| !full.is_empty());
        if let Some(target) = target {
            if verbose {
                out.extend(b" ".repeat(width - length(name)));
            }
            out.extend(bytes!(" -> ", revision::short_reference(&target)));
        } else if verbose {
            let commit = revision::commit_of(repository, id)?;
            let pad = " ".repeat(width - length(name) + 1);
            let follows = following(repository, full, id, very)?;
            out.extend(bytes!(
                pad,
                repository.short(id),
                " ",
                follows,
                commit.subject()
            ));
        }
        out.push(b'\n');
        Ok(())
    };
    if let Some((name, id)) = &detached {
        line("* ", name, id, b"")?;
    }
    let elsewhere = super::worktrees::branches_elsewhere(repository);
    for row in &rows {
        let mark = match head.as_deref() == Some(&row.name) {
            true => "* ",
            false if elsewhere.contains(&row.name) => "+ ",
            false => "  ",
        };
        line(mark, &shown(row), &row.id, &row.name)?;
    }
    repository.out.put(&out);
    Ok(0)
}

fn following(repository: &Repository, full: &[u8], id: &Id, very: bool) -> Outcome<Vec<u8>> {
    let Some(branch) = full.strip_prefix(b"refs/heads/") else {
        return Ok(Vec::new());
    };
    let Some(upstream) = revision::upstream(repository, branch) else {
        return Ok(Vec::new());
    };
    let name = revision::short_reference(&upstream);
    let state = match repository.refs.resolve(&upstream) {
        None => "gone".to_owned(),
        Some(other) => match ahead_behind(repository, id, &other)? {
            (0, 0) => String::new(),
            (ahead, 0) => format!("ahead {ahead}"),
            (0, behind) => format!("behind {behind}"),
            (ahead, behind) => format!("ahead {ahead}, behind {behind}"),
        },
    };
    Ok(match (very, state.is_empty()) {
        (true, true) => bytes!("[", name, "] "),
        (true, false) => bytes!("[", name, ": ", state, "] "),
        (false, true) => Vec::new(),
        (false, false) => bytes!("[", state, "] "),
    })
}

/// `%(refname:short)` and its like, as `for-each-ref` knows them.
fn fields(repository: &Repository, format: &[u8], row: &Row) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let mut rest = format;
    while let Some(at) = rest.iter().position(|&byte| byte == b'%') {
        out.extend_from_slice(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix(b"%") {
            out.push(b'%');
            rest = after;
            continue;
        }
        if let Some(digits) = rest
            .get(..2)
            .filter(|digits| digits.iter().all(u8::is_ascii_hexdigit))
        {
            let text = std::str::from_utf8(digits).unwrap_or_default();
            out.push(u8::from_str_radix(text, 16).unwrap_or(b'%'));
            rest = &rest[2..];
            continue;
        }
        let inner = rest.strip_prefix(b"(").unwrap_or_default();
        let Some(end) = inner.iter().position(|&byte| byte == b')') else {
            return Err(fatal(bytes!("malformed format string ", format)));
        };
        out.extend(field(repository, &inner[..end], row)?);
        rest = &inner[end + 1..];
    }
    out.extend_from_slice(rest);
    Ok(out)
}

fn field(repository: &Repository, name: &[u8], row: &Row) -> Outcome<Vec<u8>> {
    let text = String::from_utf8_lossy(name).into_owned();
    let (kind, content) = repository.objects.read(&row.id)?;
    let commit = revision::commit_of(repository, &row.id);
    let message = match kind {
        Kind::Commit => commit
            .as_ref()
            .map(|commit| commit.message.clone())
            .unwrap_or_default(),
        _ => tag_message(&content),
    };
    let tagger = || {
        let mut lines = content.split(|&byte| byte == b'\n');
        lines
            .find_map(|line| line.strip_prefix(b"tagger "))
            .map(Person::parse)
    };
    let person = |field: &str, person: Option<Person>| -> Vec<u8> {
        let Some(person) = person else {
            return Vec::new();
        };
        let (what, modifier) = field.split_once(':').unwrap_or((field, ""));
        match what {
            "name" => person.name,
            "email" if modifier == "trim" => person.mail,
            "email" => bytes!("<", person.mail, ">"),
            "date" => {
                let style = super::date::DateStyle::new(modifier.as_bytes()).unwrap_or_default();
                style.show(&person).into_bytes()
            }
            _ => person.line(),
        }
    };
    let author = commit.as_ref().ok().map(|commit| commit.author.clone());
    let committer = commit.as_ref().ok().map(|commit| commit.committer.clone());
    Ok(match text.as_str() {
        "refname" => row.name.clone(),
        "refname:short" => revision::short_reference(&row.name).to_vec(),
        "objectname" => row.id.to_string().into_bytes(),
        "objectname:short" => repository.short(&row.id).into_bytes(),
        "objecttype" => kind.to_string().into_bytes(),
        "objectsize" => content.len().to_string().into_bytes(),
        "subject" | "contents:subject" => parts(&message).0,
        "body" | "contents:body" => parts(&message).1,
        "contents" => message,
        "HEAD" if repository.refs.head().as_deref() == Some(&row.name) => b"*".to_vec(),
        "HEAD" => b" ".to_vec(),
        "upstream" | "upstream:short" => {
            let branch = row.name.strip_prefix(b"refs/heads/").unwrap_or_default();
            let found = revision::upstream(repository, branch).unwrap_or_default();
            if text == "upstream" {
                found
            } else {
                revision::short_reference(&found).to_vec()
            }
        }
        "tree" => commit
            .map(|commit| commit.tree.to_string().into_bytes())
            .unwrap_or_default(),
        other => {
            if let Some(rest) = other.strip_prefix("author") {
                person(rest, author)
            } else if let Some(rest) = other.strip_prefix("committer") {
                person(rest, committer)
            } else if let Some(rest) = other.strip_prefix("tagger") {
                person(rest, tagger())
            } else if let Some(rest) = other.strip_prefix("creator") {
                person(rest, tagger().or(committer))
            } else {
                return Err(fatal(bytes!("unknown field name: ", name)));
            }
        }
    })
}

fn tag_message(content: &[u8]) -> Vec<u8> {
    let body = content.windows(2).position(|pair| pair == b"\n\n");
    body.map_or(Vec::new(), |at| content[at + 2..].to_vec())
}

/// `git for-each-ref`
pub fn for_each_ref(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = &[
        Opt("", "format", Value::Required),
        Opt("", "sort", Value::Required),
        Opt("", "count", Value::Required),
        Opt("", "contains", Value::Optional),
        Opt("", "no-contains", Value::Optional),
        Opt("", "merged", Value::Optional),
        Opt("", "no-merged", Value::Optional),
        Opt("", "points-at", Value::Required),
    ];
    let flags = Flags::read(&with_commits(arguments), OPTIONS)?;
    let mut rows = Vec::new();
    for (name, id) in repository.refs.list(b"refs/") {
        let named = flags.operands.is_empty()
            || flags.operands.iter().any(|pattern| {
                let folder = pattern.strip_suffix(b"/").unwrap_or(pattern);
                name == *folder
                    || name.starts_with(&bytes!(folder, "/"))
                    || wild(std::slice::from_ref(pattern), &name)
            });
        if named && fits(repository, &flags, &id)? {
            rows.push(Row { name, id });
        }
    }
    sort(repository, &flags, &mut rows)?;
    rows.truncate(flags.number("count")?.unwrap_or(usize::MAX));
    let format = flags
        .value("format")
        .unwrap_or(b"%(objectname) %(objecttype)\t%(refname)");
    let mut out = Vec::new();
    for row in &rows {
        out.extend(bytes!(fields(repository, format, row)?, "\n"));
    }
    repository.out.put(&out);
    Ok(0)
}

const TAG: &[Opt] = &[
    Opt("a", "annotate", Value::No),
    Opt("m", "message", Value::Required),
    Opt("F", "file", Value::Required),
    Opt("d", "delete", Value::No),
    Opt("f", "force", Value::No),
    Opt("l", "list", Value::No),
    Opt("n", "", Value::Optional),
    Opt("", "sort", Value::Required),
    Opt("", "format", Value::Required),
    Opt("", "contains", Value::Optional),
    Opt("", "no-contains", Value::Optional),
    Opt("", "merged", Value::Optional),
    Opt("", "no-merged", Value::Optional),
    Opt("", "points-at", Value::Required),
    Opt("", "column", Value::Optional),
    Opt("i", "ignore-case", Value::No),
    Opt("", NUMBER, Value::No),
];

/// `git tag`
pub fn tag(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_commits(arguments), TAG)?;
    let names = flags.all_paths();
    if flags.has("d") {
        let mut status = 0;
        for name in &names {
            let full = bytes!("refs/tags/", name);
            match repository.refs.resolve(&full) {
                Some(id) => {
                    repository.refs.delete(&full)?;
                    let short = repository.short(&id);
                    repository
                        .out
                        .put(bytes!("Deleted tag '", name, "' (was ", short, ")\n"));
                }
                None => {
                    repository.say(bytes!("error: tag '", name, "' not found."));
                    status = 1;
                }
            }
        }
        return Ok(status);
    }
    let listing = ["l", "n", "sort", "format", "points-at"]
        .iter()
        .chain(&LIMITS)
        .any(|key| flags.has(key));
    if names.is_empty() || listing {
        return list_tags(repository, &flags, &names);
    }
    let name = &names[0];
    if !is_valid(name) {
        return Err(fatal(bytes!("'", name, "' is not a valid tag name.")));
    }
    let target = names.get(1).map_or(b"HEAD".as_slice(), Vec::as_slice);
    let Some(object) = revision::find(repository, target)? else {
        return Err(fatal(bytes!(
            "Failed to resolve '",
            target,
            "' as a valid ref."
        )));
    };
    let full = bytes!("refs/tags/", name);
    let old = repository.refs.resolve(&full);
    if old.is_some() && !flags.has("f") {
        return Err(fatal(bytes!("tag '", name, "' already exists")));
    }
    let mut id = object;
    if flags.has("a") || flags.has("m") || flags.has("F") {
        let mut texts: Vec<Vec<u8>> = flags.values("m").map(<[u8]>::to_vec).collect();
        if let Some(path) = flags.value("F") {
            let text = system::read_whole(path);
            texts.push(text.map_err(|failure| super::stop::file("could not open", path, failure))?);
        }
        let mut message = commit::clean(&texts.join(b"\n\n".as_slice()), false);
        if texts.is_empty() {
            message = commit::edit(repository, b"")?;
            if message.is_empty() {
                return Err(fatal("no tag message?"));
            }
        }
        let (kind, _) = repository.objects.read(&object)?;
        let head = format!("object {object}\ntype {kind}\ntag ");
        let tagger = repository.committer()?.line();
        let content = bytes!(head, name, "\ntagger ", tagger, "\n\n", message);
        id = repository.objects.write(Kind::Tag, &content)?;
    }
    repository.refs.set(&full, &Target::Object(id))?;
    if let Some(old) = old.filter(|old| *old != id) {
        let short = repository.short(&old);
        repository
            .out
            .put(bytes!("Updated tag '", name, "' (was ", short, ")\n"));
    }
    Ok(0)
}

fn list_tags(repository: &mut Repository, flags: &Flags, patterns: &[Vec<u8>]) -> Outcome<i32> {
    let mut rows = Vec::new();
    for (name, id) in repository.refs.list(b"refs/tags/") {
        if fits(repository, flags, &id)? && wild(patterns, revision::short_reference(&name)) {
            rows.push(Row { name, id });
        }
    }
    sort(repository, flags, &mut rows)?;
    let lines = match flags.value("n") {
        Some(b"") => Some(1),
        Some(text) => crate::options::number(text),
        None => None,
    };
    let mut out = Vec::new();
    for row in &rows {
        let short = revision::short_reference(&row.name);
        if let Some(format) = flags.value("format") {
            out.extend(bytes!(fields(repository, format, row)?, "\n"));
            continue;
        }
        let Some(count) = lines else {
            out.extend(bytes!(short, "\n"));
            continue;
        };
        let contents = field(repository, b"contents", row)?;
        let mut text = contents
            .trim_ascii_end()
            .split(|&byte| byte == b'\n')
            .take(count);
        let first = text.next().unwrap_or_default();
        let name = String::from_utf8_lossy(short).into_owned();
        out.extend(bytes!(format!("{name:<15} "), first, "\n"));
        text.for_each(|line| out.extend(bytes!("    ", line, "\n")));
    }
    repository.out.put(&out);
    Ok(0)
}

/// The commit that a file in `.git` names.
pub fn noted(repository: &Repository, name: &str) -> Option<Id> {
    repository
        .note(name)
        .and_then(|text| parse_id(text.trim_ascii().get(..40)?))
}

/// What is said of a word that no branch and no path has.
pub fn no_match(name: &[u8]) -> Stop {
    error(bytes!(
        "pathspec '",
        name,
        "' did not match any file(s) known to git"
    ))
}
