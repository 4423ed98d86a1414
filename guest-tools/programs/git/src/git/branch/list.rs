//! Branches, each in a line.

use crate::call::bytes;
use crate::git::flags::Flags;
use crate::git::objects::Id;
use crate::git::ref_rows::{Row, fields, fits, sort, wild};
use crate::git::repository::Repository;
use crate::git::revision;
use crate::git::stop::Outcome;
use crate::git::walk::ahead_behind;

pub(super) fn list(
    repository: &mut Repository,
    flags: &Flags,
    patterns: &[Vec<u8>],
) -> Outcome<i32> {
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
            let text = crate::git::status::off_branch(repository, &id)
                .unwrap_or_else(|| crate::git::status::detached_name(repository, &id));
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
    let elsewhere = crate::git::worktrees::branches_elsewhere(repository);
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
