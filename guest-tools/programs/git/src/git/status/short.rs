//! A line for each file: `--short`, and both versions of `--porcelain`.

use std::collections::BTreeMap;

use super::{Status, conflict_letters};
use crate::call::bytes;
use crate::git::index::Index;
use crate::git::objects::none;
use crate::git::quoting::{quoted, quoted_with_blanks};
use crate::git::repository::Repository;
use crate::git::revision;
use crate::git::stop::Outcome;
use crate::git::tree::{COMMIT, Item, Items};
use crate::git::walk::ahead_behind;

/// The two letters of a path, and where it came from.
struct Row {
    letters: [char; 2],
    from: Option<Vec<u8>>,
}

/// A row for each path that differs.
fn rows(status: &Status) -> BTreeMap<Vec<u8>, Row> {
    let mut rows: BTreeMap<Vec<u8>, Row> = BTreeMap::new();
    for (column, changes) in [&status.staged, &status.unstaged].into_iter().enumerate() {
        for change in changes {
            let row = rows.entry(change.path().to_vec()).or_insert(Row {
                letters: [' ', ' '],
                from: None,
            });
            row.letters[column] = change.letter();
            if change.score.is_some() {
                row.from = Some(change.old_path().to_vec());
            }
        }
    }
    for (path, sides) in &status.conflicts {
        let letters: Vec<char> = conflict_letters(*sides).chars().collect();
        rows.insert(
            path.clone(),
            Row {
                letters: [letters[0], letters[1]],
                from: None,
            },
        );
    }
    rows
}

/// The text of `--short` and, without `relative`, of the first version of `--porcelain`.
pub fn short(
    repository: &Repository,
    status: &Status,
    branch: bool,
    nul: bool,
    relative: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let end = if nul { "\0" } else { "\n" };
    if branch {
        out.extend(bytes!("## ", branch_line(repository)?, end));
    }
    let show = |path: &[u8]| {
        let path = if relative {
            repository.path_from_here(path)
        } else {
            path.to_vec()
        };
        if nul { path } else { quoted_with_blanks(&path) }
    };
    for (path, mut row) in rows(status) {
        // Programs get the letter of a file.
        if let (Some(inside), true, 'M') = (status.submodules.get(&path), relative, row.letters[1])
        {
            row.letters[1] = inside.letter();
        }
        let letters: String = row.letters.iter().collect();
        out.extend(bytes!(letters, " "));
        match row.from {
            Some(from) if nul => out.extend(bytes!(path, "\0", from, end)),
            Some(from) => out.extend(bytes!(show(&from), " -> ", show(&path), end)),
            None => out.extend(bytes!(show(&path), end)),
        }
    }
    for (mark, paths) in [("?? ", &status.untracked), ("!! ", &status.ignored)] {
        for path in paths {
            out.extend(bytes!(mark, show(path), end));
        }
    }
    Ok(out)
}

/// The branch and how it and the branch that it follows differ.
fn branch_line(repository: &Repository) -> Outcome<Vec<u8>> {
    let Some(branch) = repository.refs.branch() else {
        return Ok(b"HEAD (no branch)".to_vec());
    };
    let Some(head) = repository.head() else {
        return Ok(bytes!("No commits yet on ", branch));
    };
    let Some(upstream) = revision::upstream(repository, &branch) else {
        return Ok(branch);
    };
    let name = bytes!(branch, "...", revision::short_reference(&upstream));
    let Some(other) = repository.refs.resolve(&upstream) else {
        return Ok(bytes!(name, " [gone]"));
    };
    Ok(match ahead_behind(repository, &head, &other)? {
        (0, 0) => name,
        (ahead, 0) => bytes!(name, format!(" [ahead {ahead}]")),
        (0, behind) => bytes!(name, format!(" [behind {behind}]")),
        (ahead, behind) => bytes!(name, format!(" [ahead {ahead}, behind {behind}]")),
    })
}

/// The text of `--porcelain=v2`; with `nul`, NUL ends its lines and nothing is quoted.
pub(super) fn version_two(
    repository: &Repository,
    status: &Status,
    branch: bool,
    nul: bool,
) -> Outcome<Vec<u8>> {
    let mut out = Vec::new();
    let end = if nul { "\0" } else { "\n" };
    if branch {
        branch_lines(repository, end, &mut out)?;
    }
    let show = |path: &[u8]| if nul { path.to_vec() } else { quoted(path) };
    let index = repository.index()?;
    let head = repository.head_items()?;
    for (path, row) in rows(status) {
        if let Some(sides) = status.conflicts.get(&path) {
            let line = conflict_line(repository, &index, &path, *sides)?;
            out.extend(bytes!(line, show(&path), end));
            continue;
        }
        out.extend(change_line(status, &index, &head, &path, &row).into_bytes());
        match &row.from {
            Some(from) => {
                let both = [&status.staged, &status.unstaged];
                let mut changes = both
                    .into_iter()
                    .flatten()
                    .filter(|change| change.path() == path);
                let score = changes.find_map(|change| change.score).unwrap_or(100);
                let tab = if nul { "\0" } else { "\t" };
                out.extend(bytes!(
                    format!("R{score} "),
                    show(&path),
                    tab,
                    show(from),
                    end
                ));
            }
            None => out.extend(bytes!(show(&path), end)),
        }
    }
    for (mark, paths) in [("? ", &status.untracked), ("! ", &status.ignored)] {
        for path in paths {
            out.extend(bytes!(mark, show(path), end));
        }
    }
    Ok(out)
}

/// Adds the lines of `--branch`.
fn branch_lines(repository: &Repository, end: &str, out: &mut Vec<u8>) -> Outcome {
    let head = repository
        .head()
        .map_or("(initial)".to_owned(), |id| id.to_string());
    out.extend(bytes!("# branch.oid ", head, end));
    let name = repository.refs.branch();
    let shown = name.clone().unwrap_or_else(|| b"(detached)".to_vec());
    out.extend(bytes!("# branch.head ", shown, end));
    let Some(upstream) = name.and_then(|name| revision::upstream(repository, &name)) else {
        return Ok(());
    };
    let shown = revision::short_reference(&upstream);
    out.extend(bytes!("# branch.upstream ", shown, end));
    if let (Some(head), Some(other)) = (repository.head(), repository.refs.resolve(&upstream)) {
        let (ahead, behind) = ahead_behind(repository, &head, &other)?;
        out.extend(bytes!(format!("# branch.ab +{ahead} -{behind}"), end));
    }
    Ok(())
}

/// The line of a file in conflict, up to its path.
fn conflict_line(
    repository: &Repository,
    index: &Index,
    path: &[u8],
    sides: u8,
) -> Outcome<String> {
    let parts = [1, 2, 3].map(|stage| shown_item(index.stage(path, stage).map(|e| e.item)));
    let work = repository
        .item(path, false)?
        .map_or(0, |(item, _)| item.mode);
    let modes = parts.map(|part| format!("{:06o}", part.mode)).join(" ");
    let ids = parts.map(|part| part.id.to_string()).join(" ");
    let letters = conflict_letters(sides);
    Ok(format!("u {letters} N... {modes} {work:06o} {ids} "))
}

/// The line of a file that differs, up to its path.
fn change_line(status: &Status, index: &Index, head: &Items, path: &[u8], row: &Row) -> String {
    let letters = row.letters.iter();
    let letters: String = letters
        .map(|letter| if *letter == ' ' { '.' } else { *letter })
        .collect();
    let old_path = row.from.as_deref().unwrap_or(path);
    let old = shown_item(head.get(old_path).or_else(|| head.get(path)).copied());
    let new = shown_item(index.get(path).map(|entry| entry.item));
    let change = status.unstaged.iter().find(|change| change.path() == path);
    let work = match change {
        Some(change) => change.new.as_ref().map_or(0, |side| side.item.mode),
        None => new.mode,
    };
    let kind = if row.from.is_some() { 2 } else { 1 };
    let is_submodule = [old.mode, new.mode].contains(&COMMIT);
    let inside = match (status.submodules.get(path), is_submodule) {
        (_, false) => "N...".to_owned(),
        (None, true) => "S...".to_owned(),
        (Some(inside), true) => {
            let letter = |is, letter| if is { letter } else { '.' };
            let commits = letter(inside.commits, 'C');
            let modified = letter(inside.modified, 'M');
            format!("S{commits}{modified}{}", letter(inside.untracked, 'U'))
        }
    };
    format!(
        "{kind} {letters} {inside} {:06o} {:06o} {work:06o} {} {} ",
        old.mode, new.mode, old.id, new.id
    )
}

/// An item as it is shown: zeros where there is none.
fn shown_item(item: Option<Item>) -> Item {
    item.unwrap_or_else(|| Item {
        mode: 0,
        id: none(),
    })
}
