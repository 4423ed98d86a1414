//! Patches with several old sides (Documentation/diff-format, "COMBINED DIFF FORMAT"): of merges (`--cc`), and of
//! files in conflict against ours and theirs.
//!
//! A table has a line for each of the result, with what was lost before it and, as bits, which parents lack it. A run
//! of changed lines in which all came from the same parents is left out: it is what one side did. 31 parents at most.

use std::rc::Rc;

use super::index::Index;
use super::lines::{self, is_binary};
use super::objects::{Id, none};
use super::patch::Style;
use super::quoting::quoted;
use super::repository::Repository;
use super::stop::Outcome;
use super::tree::Items;
use crate::call::bytes;
use crate::system;

/// A line that a parent has and the result has not.
struct Lost {
    text: Vec<u8>,
    /// Which parents have it, as bits.
    parents: u32,
}

/// A line of the result with what was lost before it.
#[derive(Default)]
struct Line {
    lost: Vec<Lost>,
    /// The parents that do not have the line, as bits.
    new_for: u32,
}

/// A file with its content in each parent and in the result.
struct File<'a> {
    path: &'a [u8],
    /// Mode, name and content in each parent; mode 0 where it is not there.
    parents: Vec<(u32, Id, Rc<[u8]>)>,
    mode: u32,
    /// Null for a file of the work tree.
    id: Id,
    content: Rc<[u8]>,
}

/// The patch of a path with a conflict: work tree against ours and theirs; `* Unmerged path` where one of the three
/// is gone.
pub fn unmerged(
    repository: &Repository,
    index: &Index,
    path: &[u8],
    style: &Style,
    out: &mut Vec<u8>,
) -> Outcome {
    let (Some(ours), Some(theirs)) = (index.stage(path, 2), index.stage(path, 3)) else {
        out.extend(bytes!("* Unmerged path ", quoted(path), "\n"));
        return Ok(());
    };
    let Ok(stat) = system::stat(&repository.file(path)?, false) else {
        out.extend(bytes!("* Unmerged path ", quoted(path), "\n"));
        return Ok(());
    };
    let mut parents = Vec::new();
    for entry in [ours, theirs] {
        let content = repository.objects.blob(&entry.item.id)?;
        parents.push((entry.item.mode, entry.item.id, content));
    }
    let file = File {
        path,
        parents,
        mode: super::tree::mode_of(&stat).unwrap_or(super::tree::FILE),
        id: none(),
        content: Rc::from(repository.content(path, &stat)?),
    };
    print(repository, &file, style, out)
}

/// The patch of a merge: files that differ from all parents. Those that the merge removed are not shown.
pub fn merge(
    repository: &Repository,
    parents: &[Items],
    result: &Items,
    style: &Style,
    out: &mut Vec<u8>,
) -> Outcome {
    for (path, item) in result {
        let old: Vec<_> = parents.iter().map(|parent| parent.get(path)).collect();
        if old.contains(&Some(item)) {
            continue;
        }
        let mut contents = Vec::new();
        for old in old {
            contents.push(match old {
                Some(old) => (old.mode, old.id, repository.objects.blob(&old.id)?),
                None => (0, none(), Rc::from([])),
            });
        }
        let file = File {
            path,
            parents: contents,
            mode: item.mode,
            id: item.id,
            content: repository.objects.blob(&item.id)?,
        };
        print(repository, &file, style, out)?;
    }
    Ok(())
}

/// The paths of a merge that differ from all parents, in order; removed ones included.
pub fn changed_paths(parents: &[Items], result: &Items) -> Vec<Vec<u8>> {
    let mut paths: Vec<&Vec<u8>> = result.keys().collect();
    paths.extend(parents.iter().flat_map(|parent| parent.keys()));
    paths.sort();
    paths.dedup();
    let differs = |path: &&&Vec<u8>| {
        parents
            .iter()
            .all(|parent| parent.get(**path) != result.get(**path))
    };
    paths
        .iter()
        .filter(differs)
        .map(|path| (*path).clone())
        .collect()
}

/// Prints one file, unless nothing in it differs from all parents.
fn print(repository: &Repository, file: &File, style: &Style, out: &mut Vec<u8>) -> Outcome {
    let new = lines::split(&file.content);
    let count = file.parents.len();
    let mut table: Vec<Line> = (0..=new.len()).map(|_| Line::default()).collect();
    let binary = is_binary(&file.content) || file.parents.iter().any(|parent| is_binary(&parent.2));
    let mut places: Vec<Vec<usize>> = Vec::new();
    if !binary {
        for (at, (_, _, content)) in file.parents.iter().enumerate() {
            let old = lines::split(content);
            places.push(mark(&mut table, &old, &new, at, style));
        }
    }
    let all = (1_u32 << count) - 1;
    let interesting = |line: &Line, last: bool| {
        let lost_by_all = line.lost.iter().any(|lost| lost.parents != 0);
        (!last && line.new_for != 0) || lost_by_all
    };
    let marked: Vec<bool> = table
        .iter()
        .enumerate()
        .map(|(at, line)| interesting(line, at == new.len()))
        .collect();
    let hunks = find_hunks(&table, &marked, new.len(), style.context, all);
    if hunks.is_empty() && !binary && !file.id.is_null() {
        return Ok(());
    }
    head(repository, file, style, out);
    if binary {
        out.extend_from_slice(b"Binary files differ\n");
        return Ok(());
    }
    let names = |prefix: &[u8], gone: bool| {
        if gone {
            b"/dev/null".to_vec()
        } else {
            quoted(&bytes!(prefix, file.path))
        }
    };
    let added = file.parents.iter().all(|parent| parent.0 == 0);
    out.extend(bytes!("--- ", names(&style.prefixes[0], added), "\n"));
    out.extend(bytes!("+++ ", names(&style.prefixes[1], false), "\n"));
    for (start, end) in hunks {
        let marks = "@".repeat(count + 1);
        let mut place = marks.clone();
        for (parent, starts) in places.iter().enumerate() {
            let first = starts[start];
            let lost = table[start..end].iter().flat_map(|line| &line.lost);
            let gone = lost
                .filter(|lost| lost.parents & (1 << parent) != 0)
                .count();
            let shared = table[start..end.min(new.len())]
                .iter()
                .filter(|line| line.new_for & (1 << parent) == 0)
                .count();
            let range = first..first + gone + shared;
            place += &format!(
                " -{},{}",
                range.start + usize::from(!range.is_empty()),
                range.len()
            );
        }
        let length = end.min(new.len()) - start;
        place += &format!(" +{},{length} {marks}", start + usize::from(length > 0));
        out.extend_from_slice(place.as_bytes());
        out.push(b'\n');
        for (at, line) in table[start..end].iter().enumerate() {
            for lost in &line.lost {
                for parent in 0..count {
                    out.push(if lost.parents & (1 << parent) != 0 {
                        b'-'
                    } else {
                        b' '
                    });
                }
                put_line(out, &lost.text);
            }
            if let Some(text) = new.get(start + at) {
                for parent in 0..count {
                    out.push(if line.new_for & (1 << parent) != 0 {
                        b'+'
                    } else {
                        b' '
                    });
                }
                put_line(out, text);
            }
        }
    }
    Ok(())
}

/// A line with its end, or with the note that it has none.
fn put_line(out: &mut Vec<u8>, text: &[u8]) {
    out.extend_from_slice(text);
    if !text.ends_with(b"\n") {
        out.extend_from_slice(b"\n\\ No newline at end of file\n");
    }
}

/// The lines before the hunks.
fn head(repository: &Repository, file: &File, style: &Style, out: &mut Vec<u8>) {
    out.extend(bytes!("diff --cc ", quoted(file.path), "\n"));
    let name = |id: &Id| {
        if style.full_index {
            id.to_string()
        } else {
            repository.objects.short(id, style.abbrev)
        }
    };
    let parents: Vec<String> = file.parents.iter().map(|(_, id, _)| name(id)).collect();
    out.extend(bytes!(
        "index ",
        parents.join(","),
        "..",
        name(&file.id),
        "\n"
    ));
    if file.parents.iter().all(|parent| parent.0 == 0) {
        out.extend(format!("new file mode {:06o}\n", file.mode).into_bytes());
    } else if file.parents.iter().any(|parent| parent.0 != file.mode) {
        let modes: Vec<String> = file
            .parents
            .iter()
            .map(|parent| format!("{:06o}", parent.0))
            .collect();
        out.extend(format!("mode {}..{:06o}\n", modes.join(","), file.mode).into_bytes());
    }
}

/// Notes what a parent's lines are in the result; gives where in the parent each line of it begins.
fn mark(
    table: &mut [Line],
    old: &[&[u8]],
    new: &[&[u8]],
    parent: usize,
    style: &Style,
) -> Vec<usize> {
    let bit = 1 << parent;
    let mut places = Vec::with_capacity(new.len() + 1);
    let mut old_at = 0;
    let mut new_at = 0;
    for change in lines::compare(old, new, style.algorithm, style.blanks) {
        while new_at < change.new.start {
            places.push(old_at);
            (old_at, new_at) = (old_at + 1, new_at + 1);
        }
        let lost = &mut table[change.new.start].lost;
        let mut from = 0;
        let mut waiting: Vec<Lost> = Vec::new();
        for text in &old[change.old.clone()] {
            // The same line lost from another parent is shown once.
            let known = lost[from..]
                .iter()
                .position(|lost| lost.text == *text && lost.parents & bit == 0);
            match known {
                Some(at) => {
                    lost[from + at].parents |= bit;
                    let place = from + at;
                    from = place + waiting.len() + 1;
                    lost.splice(place..place, waiting.drain(..));
                }
                None => waiting.push(Lost {
                    text: text.to_vec(),
                    parents: bit,
                }),
            }
        }
        lost.append(&mut waiting);
        places.push(old_at);
        old_at = change.old.end;
        for line in &mut table[change.new.clone()] {
            line.new_for |= bit;
        }
        if change.new.is_empty() {
            places.pop();
        } else {
            for _ in 1..change.new.len() {
                places.push(old_at);
            }
        }
        new_at = change.new.end;
        if change.new.is_empty() && new_at < new.len() {
            // The lost lines stand before the next line of the result.
            places.push(change.old.start);
            (old_at, new_at) = (old_at + 1, new_at + 1);
        } else if change.new.is_empty() {
            places.push(change.old.start);
        }
    }
    while places.len() <= new.len() {
        places.push(old_at);
        old_at += 1;
    }
    places
}

/// The ranges of lines that are shown, with context: runs of `marked` lines that did not come from one side alone.
/// `all` has a bit for each parent.
fn find_hunks(
    table: &[Line],
    marked: &[bool],
    length: usize,
    context: usize,
    all: u32,
) -> Vec<(usize, usize)> {
    let mut hunks: Vec<(usize, usize)> = Vec::new();
    let mut at = 0;
    while at < table.len() {
        if !marked[at] {
            at += 1;
            continue;
        }
        let start = at;
        while at < table.len() && marked[at] {
            at += 1;
        }
        // What came from one side alone is left out.
        let run = &table[start..at];
        let mut sides: Vec<u32> = Vec::new();
        for (offset, line) in run.iter().enumerate() {
            sides.extend(line.lost.iter().map(|lost| lost.parents));
            if start + offset < length && line.new_for != 0 {
                sides.push(line.new_for);
            }
        }
        let same = sides.windows(2).all(|pair| pair[0] == pair[1]);
        if same && sides.first() != Some(&all) {
            continue;
        }
        let first = start.saturating_sub(context);
        let last = (at + context).min(table.len());
        match hunks.last_mut() {
            Some(hunk) if first <= hunk.1 => hunk.1 = last,
            _ => hunks.push((first, last)),
        }
    }
    hunks
}
