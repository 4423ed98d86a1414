//! `git apply`: patches onto the work tree or the index.

mod hunks;
mod read;
mod target;

use gix_object::Kind;

use super::flags::Flags;
use super::repository::Repository;
use super::stop::{Outcome, Stop, error, fatal, quiet, usage};
use super::tree::{FILE, Item, Items};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;
use read::Reader;
use target::Target;

pub use hunks::onto;

const OPTIONS: &[Opt] = &[
    Opt("p", "", Value::Required),
    Opt("R", "reverse", Value::No),
    Opt("", "check", Value::No),
    Opt("", "stat", Value::No),
    Opt("", "numstat", Value::No),
    Opt("", "summary", Value::No),
    Opt("", "apply", Value::No),
    Opt("", "cached", Value::No),
    Opt("", "index", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "whitespace", Value::Required),
    Opt("", "ignore-whitespace", Value::No),
    Opt("", "ignore-space-change", Value::No),
    Opt("C", "", Value::Required),
    Opt("", "unidiff-zero", Value::No),
    Opt("", "recount", Value::No),
    Opt("", "directory", Value::Required),
    Opt("", "include", Value::Required),
    Opt("", "exclude", Value::Required),
    Opt("3", "3way", Value::No),
    Opt("", "reject", Value::No),
    Opt("N", "intent-to-add", Value::No),
    Opt("", "allow-empty", Value::No),
    Opt("", "binary", Value::No),
];

/// A run of lines in a patch.
#[derive(Clone, Debug, Default)]
struct Hunk {
    old_start: usize,
    new_start: usize,
    /// Mark and text with its end.
    lines: Vec<(u8, Vec<u8>)>,
}

/// What a patch does to one file.
#[derive(Clone, Debug, Default)]
struct FilePatch {
    old: Option<Vec<u8>>,
    new: Option<Vec<u8>>,
    old_mode: Option<u32>,
    new_mode: Option<u32>,
    /// The digits of what the file was, and is.
    old_id: Option<Vec<u8>>,
    hunks: Vec<Hunk>,
    renamed: bool,
    copied: bool,
    binary: bool,
}

impl FilePatch {
    fn name(&self) -> &[u8] {
        self.new
            .as_deref()
            .or(self.old.as_deref())
            .unwrap_or_default()
    }

    fn reverse(&mut self) {
        std::mem::swap(&mut self.old, &mut self.new);
        std::mem::swap(&mut self.old_mode, &mut self.new_mode);
        for hunk in &mut self.hunks {
            std::mem::swap(&mut hunk.old_start, &mut hunk.new_start);
            for (mark, _) in &mut hunk.lines {
                *mark = match *mark {
                    b'+' => b'-',
                    b'-' => b'+',
                    other => other,
                };
            }
            // Lost lines stand before new ones.
            let mut sorted = Vec::new();
            let mut block: Vec<(u8, Vec<u8>)> = Vec::new();
            for line in hunk.lines.drain(..) {
                if line.0 == b' ' {
                    block.sort_by_key(|(mark, _)| *mark == b'+');
                    sorted.append(&mut block);
                    sorted.push(line);
                } else {
                    block.push(line);
                }
            }
            block.sort_by_key(|(mark, _)| *mark == b'+');
            sorted.append(&mut block);
            hunk.lines = sorted;
        }
    }
}

/// `git apply`; without a repository it changes files below the working directory.
pub fn apply(mut repository: Option<&mut Repository>, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    for (key, name) in [
        ("3", "--3way"),
        ("reject", "--reject"),
        ("recount", "--recount"),
        ("include", "--include"),
        ("exclude", "--exclude"),
        ("C", "-C"),
        ("N", "--intent-to-add"),
    ] {
        if flags.has(key) {
            return Err(usage(format!("option `{name}' is not supported")));
        }
    }
    let files = files(&flags)?;
    if files.is_empty() {
        if flags.has("allow-empty") {
            return Ok(0);
        }
        return Err(Stop {
            status: 128,
            message: b"error: No valid patches in input (allow with \"--allow-empty\")".to_vec(),
        });
    }
    let summary_only = flags.has("stat") || flags.has("numstat") || flags.has("summary");
    if summary_only {
        let text = counts(&files, &flags);
        match &mut repository {
            Some(repository) => repository.out.put(&text),
            None => print(&text),
        }
        if !flags.has("apply") {
            return Ok(0);
        }
    }
    let mut target = Target {
        cached: flags.has("cached"),
        index: flags.has("cached") || flags.has("index"),
        loose: flags.has("ignore-whitespace") || flags.has("ignore-space-change"),
        repository,
        done: Vec::new(),
        verbose: flags.has("v"),
    };
    if target.index && target.repository.is_none() {
        return Err(fatal("--index outside a repository"));
    }
    let mut failed = false;
    for one in &files {
        match target.one(one) {
            Ok(()) => {}
            Err(stop) if stop.status == 1 => {
                eprintln!("{}", String::from_utf8_lossy(&stop.message));
                failed = true;
            }
            Err(stop) => return Err(stop),
        }
    }
    if failed {
        return Err(quiet(1));
    }
    if !flags.has("check") {
        target.write()?;
    }
    Ok(0)
}

/// The files that a patch changes or removes, with the digits of what they were, as its lines `index` have them.
pub fn old_files(text: &[u8]) -> Outcome<Vec<(Vec<u8>, Vec<u8>)>> {
    let files = parsed(text)?;
    let old = files
        .into_iter()
        .filter_map(|one| Some((one.old?, one.old_id?)));
    Ok(old.collect())
}

/// What a patch makes of files, whose contents are objects; new contents are written.
pub fn to_items(repository: &Repository, text: &[u8], items: &Items) -> Outcome<Items> {
    let mut out = items.clone();
    for one in parsed(text)? {
        let old = match &one.old {
            Some(path) => match out.get(path) {
                Some(item) => *item,
                None => return Err(error(bytes!(path, ": does not exist in index"))),
            },
            None => Item {
                mode: FILE,
                id: super::objects::none(),
            },
        };
        let content = match one.old {
            Some(_) => repository.objects.blob(&old.id)?.to_vec(),
            None => Vec::new(),
        };
        if let (None, Some(path)) = (&one.old, &one.new)
            && out.contains_key(path)
        {
            return Err(error(bytes!(path, ": already exists in index")));
        }
        let new = hunks::patched(&content, &one, false)
            .map_err(|line| error(bytes!("patch failed: ", one.name(), format!(":{line}"))))?;
        if let (Some(path), true) = (&one.old, one.renamed || one.new.is_none()) {
            out.remove(path);
        }
        if let Some(path) = &one.new {
            let id = repository.objects.write(Kind::Blob, &new)?;
            let mode = one.new_mode.unwrap_or(old.mode);
            out.insert(path.clone(), Item { mode, id });
        }
    }
    Ok(out)
}

/// The changes of files in a patch.
fn parsed(text: &[u8]) -> Outcome<Vec<FilePatch>> {
    let reader = Reader {
        lines: super::lines::split(text),
        at: 0,
        strip: 1,
    };
    reader.all()
}

/// The changes of files in the patches that are named, in the order in which they are applied.
fn files(flags: &Flags) -> Outcome<Vec<FilePatch>> {
    let mut text = Vec::new();
    let mut sources = flags.all_paths();
    if sources.is_empty() {
        sources.push(b"-".to_vec());
    }
    for path in &sources {
        let content = system::read_whole(path);
        text.extend(content.map_err(|failure| Stop {
            status: 128,
            message: bytes!("error: can't open patch '", path, "': ", failure),
        })?);
    }
    let reader = Reader {
        lines: super::lines::split(&text),
        at: 0,
        strip: flags.number("p")?.unwrap_or(1),
    };
    let mut files = reader.all()?;
    if flags.has("R") {
        files.reverse();
    }
    for one in &mut files {
        if flags.has("R") {
            one.reverse();
        }
        if let Some(folder) = flags.value("directory") {
            for name in [&mut one.old, &mut one.new].into_iter().flatten() {
                *name = system::join(folder, name);
            }
        }
        if one.binary {
            return Err(error(bytes!(
                "cannot apply binary patch to '",
                one.name(),
                "' without full index line\nerror: ",
                one.name(),
                ": patch does not apply"
            )));
        }
    }
    Ok(files)
}

fn print(text: &[u8]) {
    use std::io::Write as _;
    // A reader that went away wants no more.
    let _ = std::io::stdout().write_all(text);
}

fn counts(files: &[FilePatch], flags: &Flags) -> Vec<u8> {
    let mut out = Vec::new();
    let mut rows = Vec::new();
    for one in files {
        let count = |mark: u8| {
            let lines = one.hunks.iter().flat_map(|hunk| &hunk.lines);
            lines.filter(|(found, _)| *found == mark).count()
        };
        rows.push((one.name().to_vec(), count(b'+'), count(b'-')));
    }
    if flags.has("numstat") {
        for (name, added, removed) in &rows {
            out.extend(bytes!(format!("{added}\t{removed}\t"), name, "\n"));
        }
    }
    if flags.has("stat") {
        out.extend(super::summary::plain_graph(&rows));
    }
    if flags.has("summary") {
        for one in files {
            let line = match (&one.old, &one.new) {
                (None, Some(name)) => {
                    bytes!(
                        format!(" create mode {:06o} ", one.new_mode.unwrap_or(FILE)),
                        name,
                        "\n"
                    )
                }
                (Some(name), None) => {
                    bytes!(
                        format!(" delete mode {:06o} ", one.old_mode.unwrap_or(FILE)),
                        name,
                        "\n"
                    )
                }
                (Some(old), Some(new)) if one.renamed => bytes!(" rename ", old, " => ", new, "\n"),
                _ => Vec::new(),
            };
            out.extend(line);
        }
    }
    out
}
