//! `git log`, `show` and `rev-list`.

use std::collections::VecDeque;

use gix_object::Kind;

use super::date::DateStyle;
use super::diff::revisions_and_paths;
use super::flags::Flags;
use super::format::Pretty;
use super::graph::{Graph, Rows};
use super::objects::{Id, Person};
use super::reflog::reflog_lines;
use super::repository::Repository;
use super::selection::{OPTIONS, prepare, with_turned};
use super::stop::{Outcome, fatal, usage};
use super::walk::reachable;
use super::{revision, tree};
use crate::call::bytes;

/// `git log`
pub fn log(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_turned(arguments), OPTIONS)?;
    if flags.has("g") {
        return reflog_lines(repository, &flags);
    }
    list(repository, &flags, false)
}

/// `git whatchanged`: commits with the raw form of what they changed.
pub fn whatchanged(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_turned(arguments), OPTIONS)?;
    if flags.has("g") {
        return Err(usage("option `--walk-reflogs' is not supported"));
    }
    list(repository, &flags, true)
}

fn list(repository: &mut Repository, flags: &Flags, changed_only: bool) -> Outcome<i32> {
    let text = {
        let mut log = prepare(repository, flags)?;
        let show = &mut log.settings.show;
        if changed_only && !show.none {
            log.changed_only = true;
            show.raw = !show.any();
        }
        if flags.has("follow") || log.filter.pickaxe.is_some() {
            // Which path is followed changes on the way.
            log.settings.renames = log.settings.renames.or(Some((50, false)));
        }
        let start = log.followed.clone();
        let selected = log.select()?;
        log.followed = start;
        let mut graph = flags.has("graph").then(Graph::default);
        let mut out = Vec::new();
        let sides = match (flags.has("left-right"), log.range.symmetric) {
            (true, Some((left, _))) => Some(reachable(repository, &[left])?),
            _ => None,
        };
        for (at, one) in selected.iter().enumerate() {
            let mut context = log.context(None)?;
            context.parents = flags.has("parents").then_some(one.parents.as_slice());
            context.side = sides.as_ref().map(|left| {
                if left.contains(&one.commit.id) {
                    '<'
                } else {
                    '>'
                }
            });
            let mut text = log.entry(&one.commit, &context, false)?;
            if let Some(path) = log.followed.take() {
                log.followed = log.follow(&one.commit, path)?.1;
            }
            let last = at + 1 == selected.len();
            let terminates = log.pretty.terminates();
            if !terminates && !last {
                text.push(b'\n');
            }
            if let Pretty::User(_, false) = log.pretty
                && !log.settings.show.any()
            {
                // Newlines stand between such texts, not behind each.
                text.pop();
            }
            match &mut graph {
                Some(graph) => {
                    let rows = graph.draw(&one.commit.id, &one.parents);
                    let gap = !terminates && !last;
                    draw(&mut out, &text, &rows, gap);
                }
                None => out.extend(text),
            }
        }
        out
    };
    repository.out.put(&text);
    Ok(0)
}

/// Puts the lines of the graph before those of a text.
fn draw(out: &mut Vec<u8>, text: &[u8], rows: &Rows, gap: bool) {
    let body = text.strip_suffix(b"\n").unwrap_or(text);
    let mut body: VecDeque<&[u8]> = body.split(|&byte| byte == b'\n').collect();
    if gap {
        body.pop_back();
    }
    let first = body.pop_front().unwrap_or_default();
    out.extend(bytes!(rows.first, first, "\n"));
    let mut after: VecDeque<&String> = rows.after.iter().collect();
    let mut end: VecDeque<&String> = rows.end.iter().collect();
    for line in body {
        let prefix = after.pop_front().unwrap_or(&rows.rest);
        out.extend(bytes!(prefix, line, "\n"));
    }
    for row in after.drain(..) {
        out.extend(bytes!(row, "\n"));
    }
    if gap && end.is_empty() {
        out.extend(bytes!(rows.rest, "\n"));
    }
    for row in end.drain(..) {
        out.extend(bytes!(row, "\n"));
    }
}

/// `git show`
pub fn show(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let mut flags = Flags::read(&with_turned(arguments), OPTIONS)?;
    let (mut words, paths) = revisions_and_paths(repository, &flags)?;
    if words.is_empty() {
        words.push(b"HEAD".to_vec());
        repository.head_commit()?;
    }
    flags.operands = vec![b"HEAD".to_vec()];
    flags.paths = Some(paths);
    let mut text = Vec::new();
    let mut one_shown = false;
    for word in &words {
        let is_range = revision::split_range(word).is_some() || word.ends_with(b"^!");
        let mut ids = Vec::new();
        if is_range {
            flags.operands = vec![word.clone()];
            let mut log = prepare(repository, &flags)?;
            ids.extend(log.select()?.iter().map(|one| one.commit.id));
        } else {
            ids.push(revision::resolve(repository, word)?);
        }
        for id in ids {
            show_one(repository, &flags, word, id, &mut one_shown, &mut text)?;
        }
    }
    repository.out.put(&text);
    Ok(0)
}

fn show_one(
    repository: &Repository,
    flags: &Flags,
    word: &[u8],
    id: Id,
    one_shown: &mut bool,
    text: &mut Vec<u8>,
) -> Outcome {
    let mut id = id;
    loop {
        let (kind, content) = repository.objects.read(&id)?;
        match kind {
            Kind::Blob => text.extend_from_slice(&content),
            Kind::Tree => {
                text.extend(bytes!("tree ", word, "\n\n"));
                for (name, item) in tree::entries(&repository.objects, &id)? {
                    let slash = if item.mode == tree::FOLDER { "/" } else { "" };
                    text.extend(bytes!(name, slash, "\n"));
                }
            }
            Kind::Tag => {
                let field = |key: &str| {
                    let lines = content.split(|&byte| byte == b'\n');
                    let mut values = lines.filter_map(|line| line.strip_prefix(key.as_bytes()));
                    values.next().map(<[u8]>::to_vec).unwrap_or_default()
                };
                let tagger = Person::parse(&field("tagger "));
                let body = content.windows(2).position(|pair| pair == b"\n\n");
                let body = body.map_or(b"".as_slice(), |at| &content[at + 2..]);
                text.extend(bytes!("tag ", field("tag "), "\n"));
                text.extend(bytes!("Tagger: ", tagger.name, " <", tagger.mail, ">\n"));
                text.extend(bytes!(
                    "Date:   ",
                    DateStyle::default().show(&tagger),
                    "\n\n",
                    body,
                    "\n"
                ));
                id = revision::find(repository, &field("object "))?
                    .ok_or_else(|| fatal(format!("tag {id} is corrupt")))?;
                continue;
            }
            Kind::Commit => {
                let mut log = prepare(repository, flags)?;
                if !log.settings.show.any() && !log.settings.show.none {
                    log.settings.show.patch = true;
                }
                if *one_shown && !log.pretty.terminates() {
                    text.push(b'\n');
                }
                *one_shown = true;
                let commit = repository.objects.commit(&id)?;
                let context = log.context(None)?;
                text.extend(log.entry(&commit, &context, true)?);
            }
        }
        return Ok(());
    }
}

/// `git rev-list`
pub fn rev_list(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(&with_turned(arguments), OPTIONS)?;
    if flags.operands.is_empty()
        && !["all", "branches", "tags", "remotes"]
            .iter()
            .any(|key| flags.has(key))
    {
        return Err(usage(
            "usage: git rev-list [<options>] <commit>... [--] [<path>...]",
        ));
    }
    let mut text = Vec::new();
    {
        let mut log = prepare(repository, &flags)?;
        let selected = log.select()?;
        if flags.has("count") {
            if let (true, Some((left, _))) = (flags.has("left-right"), log.range.symmetric) {
                let left = reachable(repository, &[left])?;
                let count = selected
                    .iter()
                    .filter(|one| left.contains(&one.commit.id))
                    .count();
                text.extend(format!("{count}\t{}\n", selected.len() - count).into_bytes());
            } else {
                text.extend(format!("{}\n", selected.len()).into_bytes());
            }
        } else {
            let named = flags.last(&["oneline", "pretty", "format"]);
            for one in &selected {
                let name = if log.abbrev {
                    repository.short(&one.commit.id)
                } else {
                    one.commit.id.to_string()
                };
                let parents: String = if flags.has("parents") {
                    one.parents.iter().map(|id| format!(" {id}")).collect()
                } else {
                    String::new()
                };
                match named {
                    None => text.extend(format!("{name}{parents}\n").into_bytes()),
                    Some("oneline") => {
                        text.extend(bytes!(name, parents, " ", one.commit.subject(), "\n"));
                    }
                    Some(_) => {
                        let context = log.context(None)?;
                        let shown = context.show(&one.commit, &log.pretty)?;
                        if matches!(log.pretty, Pretty::User(..)) {
                            text.extend(format!("commit {name}{parents}\n").into_bytes());
                        }
                        text.extend(bytes!(shown, "\n"));
                    }
                }
            }
        }
    }
    repository.out.put(&text);
    Ok(0)
}
