//! `git diff-tree`, `diff-index` and `diff-files`: changes for programs.

use super::change::{self, Change};
use super::diff::{Settings, against_work, diff_options, revisions_and_paths, staged, unstaged};
use super::flags::Flags;
use super::objects::{Commit, Id, empty_tree};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision;
use super::selection::prepare;
use super::stop::{Outcome, usage};
use super::tree::{self, Items};
use crate::options::{Opt, Value};

/// Reads the options; only what is asked for finds renames.
fn settings(repository: &Repository, flags: &Flags) -> Outcome<Settings> {
    for (key, name) in [
        ("S", "-S"),
        ("G", "-G"),
        ("c", "-c"),
        ("cc", "--cc"),
        ("t", "-t"),
        ("stdin", "--stdin"),
        ("merge-base", "--merge-base"),
    ] {
        if flags.has(key) {
            return Err(usage(format!("option `{name}' is not supported")));
        }
    }
    let mut settings = Settings::new(repository, flags)?;
    if flags.last(&["M", "C"]).is_none() {
        settings.renames = None;
    }
    settings.full_names = !flags.has("abbrev");
    settings.show.raw |= !settings.show.any() && !settings.show.none;
    Ok(settings)
}

fn finish(
    repository: &mut Repository,
    flags: &Flags,
    settings: &Settings,
    changes: Vec<Change>,
) -> Outcome<i32> {
    let changes = settings.refine(repository, changes)?;
    let mut out = Vec::new();
    settings.print(repository, &changes, &mut out)?;
    if !flags.has("q") {
        repository.out.put(&out);
    }
    let told = flags.has("q") || flags.has("exit-code");
    Ok(i32::from(told && !changes.is_empty()))
}

/// `git diff-files`
pub fn diff_files(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = diff_options![
        Opt("q", "quiet", Value::No),
        Opt("", "exit-code", Value::No),
        Opt("", "ignore-submodules", Value::Optional),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let settings = settings(repository, &flags)?;
    let paths = Pathspec::new(repository, &flags.all_paths())?;
    let changes = unstaged(repository, &repository.index()?, &paths)?;
    finish(repository, &flags, &settings, changes)
}

/// `git diff-index`
pub fn diff_index(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    const OPTIONS: &[Opt] = diff_options![
        Opt("", "cached", Value::No),
        Opt("q", "quiet", Value::No),
        Opt("", "exit-code", Value::No),
        Opt("", "merge-base", Value::No),
        Opt("", "ignore-submodules", Value::Optional),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let settings = settings(repository, &flags)?;
    if flags.has("m") {
        return Err(usage("option `-m' is not supported"));
    }
    let (revisions, paths) = revisions_and_paths(repository, &flags)?;
    let [name] = revisions.as_slice() else {
        return Err(usage(
            "usage: git diff-index [--cached] [<options>] <tree-ish> [<path>...]",
        ));
    };
    let tree = repository.items(&revision::resolve(repository, name)?)?;
    let (index, paths) = (repository.index()?, Pathspec::new(repository, &paths)?);
    let changes = if flags.has("cached") {
        staged(&tree, &index, &paths)
    } else {
        against_work(repository, &tree, &index, &paths)?
    };
    finish(repository, &flags, &settings, changes)
}

const TREE: &[Opt] = diff_options![
    Opt("r", "", Value::No),
    Opt("t", "", Value::No),
    Opt("v", "", Value::No),
    Opt("", "root", Value::No),
    Opt("", "stdin", Value::No),
    Opt("", "merge-base", Value::No),
    Opt("", "commit-id", Value::No),
    Opt("", "oneline", Value::No),
    Opt("", "pretty", Value::Optional),
    Opt("", "format", Value::Required),
    Opt("", "date", Value::Required),
    Opt("", "abbrev-commit", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "exit-code", Value::No),
];

/// `git diff-tree`
pub fn diff_tree(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, TREE)?;
    let settings = settings(repository, &flags)?;
    let (revisions, paths) = revisions_and_paths(repository, &flags)?;
    let paths = Pathspec::new(repository, &paths)?;
    let mut ids = Vec::new();
    for word in &revisions {
        match revision::split_range(word) {
            Some((old, new, false)) => {
                ids.push(revision::resolve(repository, old)?);
                ids.push(revision::resolve(repository, new)?);
            }
            Some(_) => return Err(usage("ranges with three dots are not supported")),
            None => ids.push(revision::resolve(repository, word)?),
        }
    }
    match ids.as_slice() {
        [old, new] => {
            let old = repository.objects.tree_of(old)?;
            let new = repository.objects.tree_of(new)?;
            let changes = between(repository, &flags, &settings, &paths, (&old, &new))?;
            finish(repository, &flags, &settings, changes)
        }
        [one] => {
            let commit = revision::commit_of(repository, one)?;
            one_commit(repository, &flags, &settings, &paths, &commit)
        }
        _ => Err(usage(
            "usage: git diff-tree [-m] [-s] [-v] [--no-commit-id] [--pretty] [-r] [--root] \
             [<options>] <tree-ish> [<tree-ish>] [<path>...]",
        )),
    }
}

/// What differs between two trees; folders stand for what is in them where nothing asks for files.
fn between(
    repository: &Repository,
    flags: &Flags,
    settings: &Settings,
    paths: &Pathspec,
    (old, new): (&Id, &Id),
) -> Outcome<Vec<Change>> {
    let show = &settings.show;
    let counts = show.patch || show.numstat || show.shortstat || show.stat.is_some();
    if flags.has("r") || counts || show.summary {
        let (gone, come) = tree::differences(&repository.objects, old, new)?;
        let mut changes = change::between(&gone, &come);
        changes.retain(|change| paths.matches(change.path()));
        return Ok(changes);
    }
    let top = |id: &Id| -> Outcome<Items> {
        Ok(tree::entries(&repository.objects, id)?
            .into_iter()
            .collect())
    };
    let mut changes = change::between(&top(old)?, &top(new)?);
    let folder = |change: &Change| {
        let mut sides = [&change.old, &change.new].into_iter().flatten();
        sides.any(|side| side.item.mode == tree::FOLDER)
    };
    changes.retain(|change| {
        let path = change.path();
        paths.matches(path) || (folder(change) && paths.may_match_below(path))
    });
    Ok(changes)
}

fn one_commit(
    repository: &mut Repository,
    flags: &Flags,
    settings: &Settings,
    paths: &Pathspec,
    commit: &Commit,
) -> Outcome<i32> {
    let verbose = ["v", "oneline", "pretty", "format"]
        .iter()
        .any(|key| flags.has(key));
    let parents: Vec<Id> = match commit.parents.as_slice() {
        [] if flags.has("root") => vec![empty_tree()],
        [one] => vec![*one],
        [_, _, ..] if flags.has("m") && verbose => {
            return Err(usage("options `-m' and `-v' are not supported together"));
        }
        parents if flags.has("m") => parents.to_vec(),
        _ => return Ok(0),
    };
    let mut out = Vec::new();
    let mut differ = false;
    for parent in &parents {
        let old = repository.objects.tree_of(parent)?;
        let changes = between(repository, flags, settings, paths, (&old, &commit.tree))?;
        let changes = settings.refine(repository, changes)?;
        if changes.is_empty() && !verbose {
            continue;
        }
        differ |= !changes.is_empty();
        let mut details = Vec::new();
        settings.print(repository, &changes, &mut details)?;
        if verbose {
            let log = prepare(repository, flags)?;
            out.extend(log.header(commit, &details)?);
        } else if !flags.denied("commit-id") {
            let end = if settings.show.nul { '\0' } else { '\n' };
            out.extend(format!("{}{end}", commit.id).into_bytes());
        }
        out.extend(details);
    }
    if !flags.has("q") {
        repository.out.put(&out);
    }
    let told = flags.has("q") || flags.has("exit-code");
    Ok(i32::from(told && differ))
}
