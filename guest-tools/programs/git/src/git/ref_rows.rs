//! Refs in rows, as `branch`, `tag` and `for-each-ref` list them.

use gix_glob::wildmatch;
use gix_object::Kind;

use crate::call::bytes;
use crate::git::flags::Flags;
use crate::git::format::parts;
use crate::git::objects::{Id, Person};
use crate::git::repository::Repository;
use crate::git::revision;
use crate::git::stop::{Outcome, Stop, error, fatal, usage};
use crate::git::walk::is_ancestor;
use crate::options::{Opt, Value};

/// The options that ask what a commit reaches, or what reaches it.
pub(super) const LIMITS: [&str; 4] = ["contains", "no-contains", "merged", "no-merged"];

/// The command line with the commits of such options joined to them: they are left out only where the
/// option is the last word.
pub(super) fn with_commits(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
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
pub(super) fn fits(repository: &Repository, flags: &Flags, id: &Id) -> Outcome<bool> {
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

pub fn wild(patterns: &[Vec<u8>], name: &[u8]) -> bool {
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
pub(super) struct Row {
    pub(super) name: Vec<u8>,
    pub(super) id: Id,
}

pub(super) fn sort(repository: &Repository, flags: &Flags, rows: &mut [Row]) -> Outcome {
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

/// `%(refname:short)` and its like, as `for-each-ref` knows them.
pub(super) fn fields(repository: &Repository, format: &[u8], row: &Row) -> Outcome<Vec<u8>> {
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

pub(super) fn field(repository: &Repository, name: &[u8], row: &Row) -> Outcome<Vec<u8>> {
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
                let style =
                    crate::git::date::DateStyle::new(modifier.as_bytes()).unwrap_or_default();
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

/// What is said of a word that no branch and no path has.
pub fn no_match(name: &[u8]) -> Stop {
    error(bytes!(
        "pathspec '",
        name,
        "' did not match any file(s) known to git"
    ))
}
