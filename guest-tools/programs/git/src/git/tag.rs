//! `git tag`.

use gix_object::Kind;

use crate::call::bytes;
use crate::git::flags::{Flags, NUMBER};
use crate::git::objects::{Id, parse_id};
use crate::git::ref_rows::{LIMITS, Row, field, fields, fits, sort, wild, with_commits};
use crate::git::refs::{Target, is_valid};
use crate::git::repository::Repository;
use crate::git::stop::{Outcome, fatal};
use crate::git::{commit, editor, revision};
use crate::options::{Opt, Value};
use crate::system;

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
            texts.push(
                text.map_err(|failure| crate::git::stop::file("could not open", path, failure))?,
            );
        }
        let mut message = commit::clean(&texts.join(b"\n\n".as_slice()), false);
        if texts.is_empty() {
            message = editor::edit(repository, b"")?;
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
