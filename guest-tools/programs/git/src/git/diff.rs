//! `git diff` (Documentation/git-diff, diff-options): what differs between commits, the index and the work tree.
//!
//! What is compared follows from the operands: none is index and work tree, `--cached` is `HEAD` and index, one tree
//! is that tree and the work tree (or the index), two trees or `A..B` are these, `A...B` is the merge base and B, two
//! blobs are these. `side` makes the list of changes, `settings` refines (renames, order, filters) and prints it.
//! `raw_diff` has the plumbing commands over the same parts.

mod settings;
mod side;

use std::rc::Rc;

use super::change::{Change, Content, Side};
use super::flags::Flags;
use super::lines::Blanks;
use super::objects::{Id, name_of};
use super::patch::Style;
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::selection::{Filter, Pickaxe};
use super::stop::{Outcome, fatal, quiet, usage};
use super::tree::Item;
use super::{change, check, combined, patch, revision, summary};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

pub use settings::{Settings, color};
pub use side::{against_work, columns, staged, unstaged};

/// The options of changes, and those that a command adds.
macro_rules! diff_options {
    ($($extra:expr),* $(,)?) => {
        &[
            Opt("p", "patch", Value::No),
            Opt("u", "", Value::No),
            Opt("s", "no-patch", Value::No),
            Opt("U", "unified", Value::Required),
            Opt("", "stat", Value::Optional),
            Opt("", "numstat", Value::No),
            Opt("", "shortstat", Value::No),
            Opt("", "summary", Value::No),
            Opt("", "patch-with-stat", Value::No),
            Opt("", "name-only", Value::No),
            Opt("", "name-status", Value::No),
            Opt("", "raw", Value::No),
            Opt("z", "", Value::No),
            Opt("M", "find-renames", Value::Optional),
            Opt("C", "find-copies", Value::Optional),
            Opt("", "renames", Value::No),
            Opt("w", "ignore-all-space", Value::No),
            Opt("b", "ignore-space-change", Value::No),
            Opt("", "ignore-space-at-eol", Value::No),
            Opt("", "minimal", Value::No),
            Opt("", "patience", Value::No),
            Opt("", "histogram", Value::No),
            Opt("", "diff-algorithm", Value::Required),
            Opt("a", "text", Value::No),
            Opt("", "full-index", Value::No),
            Opt("", "abbrev", Value::Optional),
            Opt("", "color", Value::Optional),
            Opt("", "prefix", Value::No),
            Opt("", "src-prefix", Value::Required),
            Opt("", "dst-prefix", Value::Required),
            Opt("", "diff-filter", Value::Required),
            Opt("R", "", Value::No),
            Opt("", "relative", Value::Optional),
            Opt("", "ext-diff", Value::No),
            Opt("", "textconv", Value::No),
            Opt("", "indent-heuristic", Value::No),
            Opt("", "cc", Value::No),
            Opt("c", "", Value::No),
            Opt("m", "", Value::No),
            Opt("S", "", Value::Required),
            Opt("G", "", Value::Required),
            Opt("", "word-diff", Value::Optional),
            Opt("", "color-words", Value::Optional),
            Opt("", "word-diff-regex", Value::Required),
            $($extra,)*
        ]
    };
}

pub(super) use diff_options;

const OPTIONS: &[Opt] = diff_options![
    Opt("", "cached", Value::No),
    Opt("", "staged", Value::No),
    Opt("", "exit-code", Value::No),
    Opt("q", "quiet", Value::No),
    Opt("", "index", Value::No),
    Opt("", "merge-base", Value::No),
    Opt("", "check", Value::No),
    Opt("", "ignore-submodules", Value::Optional),
    Opt("", "pickaxe-regex", Value::No),
];

/// What is shown of changes; several forms may be asked for at once, and are printed in git's order.
#[derive(Clone, Debug, Default)]
pub struct Show {
    /// The patch (`-p`).
    pub patch: bool,
    /// `--stat`, within so many columns.
    pub stat: Option<usize>,
    pub numstat: bool,
    pub shortstat: bool,
    pub summary: bool,
    pub name_only: bool,
    pub name_status: bool,
    pub raw: bool,
    /// Names end in NUL and are not quoted (`-z`).
    pub nul: bool,
    /// Nothing (`-s`).
    pub none: bool,
}

impl Show {
    /// Reads the options. The width is that of `--stat=WIDTH`, or of the terminal.
    fn new(flags: &Flags) -> Outcome<Show> {
        let stat = flags.has("stat") || flags.has("patch-with-stat");
        let width = match flags.value("stat") {
            Some(text) if !text.is_empty() => {
                let first = text.split(|&byte| byte == b',').next().unwrap_or_default();
                let width = crate::options::number(first);
                width.ok_or_else(|| usage(bytes!("invalid --stat value: ", text)))?
            }
            _ => columns(),
        };
        let mut show = Show {
            stat: stat.then_some(width),
            numstat: flags.has("numstat"),
            shortstat: flags.has("shortstat"),
            summary: flags.has("summary"),
            name_only: flags.has("name-only"),
            name_status: flags.has("name-status"),
            raw: flags.has("raw"),
            nul: flags.has("z"),
            none: flags.has("s") || flags.denied("p"),
            patch: false,
        };
        let asked =
            flags.has("p") || flags.has("u") || flags.has("U") || flags.has("patch-with-stat");
        show.patch = asked && !show.none;
        Ok(show)
    }

    /// Whether anything was asked for.
    pub fn any(&self) -> bool {
        self.patch
            || self.stat.is_some()
            || self.numstat
            || self.shortstat
            || self.summary
            || self.name_only
            || self.name_status
            || self.raw
    }
}

/// Words of a command line.
type Words = Vec<Vec<u8>>;

/// Splits operands into revisions and paths, as far as `--` does not: what names a revision is one, up to the first
/// word that does not. Paths must then exist, or be patterns.
pub fn revisions_and_paths(repository: &Repository, flags: &Flags) -> Outcome<(Words, Words)> {
    if let Some(paths) = &flags.paths {
        return Ok((flags.operands.clone(), paths.clone()));
    }
    let names = |word: &[u8]| {
        let mut range = revision::Range::default();
        range.add(repository, word)
    };
    let mut at = 0;
    for word in &flags.operands {
        match names(word) {
            Ok(true) => at += 1,
            _ => break,
        }
    }
    let (revisions, paths) = flags.operands.split_at(at);
    for path in paths {
        let there = repository
            .path_from_top(path)
            .and_then(|path| repository.file(&path))
            .is_ok_and(|path| system::stat(&path, false).is_ok());
        if !there && !path.iter().any(|byte| b"*?[".contains(byte)) && !path.starts_with(b":") {
            names(path)?;
            return Err(revision::unknown(path));
        }
    }
    Ok((revisions.to_vec(), paths.to_vec()))
}

/// `git diff`. Status 1 for differences with `--exit-code` or `--quiet`, 2 for what `--check` finds. With `-w` and
/// its kin files that differ in blanks alone do not count.
pub fn diff(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let pickaxe = Filter::new(&flags)?.pickaxe;
    let mut settings = Settings::new(repository, &flags)?;
    let is_quiet = flags.has("q");
    if !settings.show.any() && !settings.show.none {
        settings.show.patch = true;
    }
    let cached = flags.has("cached") || flags.has("staged");
    let (revisions, paths) = revisions_and_paths(repository, &flags)?;
    let paths = Pathspec::new(repository, &paths)?;
    let trees = trees(repository, &flags, &revisions)?;
    if let [one, two] = trees.as_slice()
        && let (Some(old), Some(new)) = (blob(repository, one)?, blob(repository, two)?)
    {
        return blobs(
            repository,
            &settings,
            (&revisions[0], old),
            (&revisions[1], new),
        );
    }
    let changes = changes(repository, &trees, cached, &paths)?;
    let work = trees.is_empty() && !cached;
    let mut changes = settings.refine(repository, changes)?;
    if let Some(pickaxe) = pickaxe {
        changes = searched(repository, changes, &pickaxe)?;
    }
    let mut out = Vec::new();
    if flags.has("check") {
        check::check(repository, &changes, &settings.style, &mut out)?;
        repository.out.put(&out);
        let differs = flags.has("exit-code") && !changes.is_empty();
        return Ok(if out.is_empty() { 0 } else { 2 } | i32::from(differs));
    }
    if settings.show.patch && work && changes.iter().any(|change| change.unmerged) {
        let index = repository.index()?;
        for change in &changes {
            if change.unmerged {
                combined::unmerged(repository, &index, change.path(), &settings.style, &mut out)?;
            } else {
                patch::print(&mut out, &repository.objects, change, &settings.style)?;
            }
        }
    } else {
        settings.print(repository, &changes, &mut out)?;
    }
    if !is_quiet {
        repository.out.put(&out);
    }
    let different = if settings.style.blanks == Blanks::Count {
        !changes.is_empty()
    } else {
        !out.is_empty()
    };
    Ok(i32::from(different && (is_quiet || flags.has("exit-code"))))
}

/// What the revisions of a command line compare: commits, trees or blobs, the old one first.
fn trees(repository: &Repository, flags: &Flags, revisions: &[Vec<u8>]) -> Outcome<Vec<Id>> {
    let mut trees: Vec<Id> = Vec::new();
    for word in revisions {
        if let Some((left, right, symmetric)) = revision::split_range(word) {
            let (left, right) = (
                revision::resolve(repository, left)?,
                revision::resolve(repository, right)?,
            );
            if symmetric {
                trees.push(base_of(repository, &left, &right)?);
            } else {
                trees.push(left);
            }
            trees.push(right);
        } else if let Some(name) = word.strip_suffix(b"^!") {
            let commit = revision::commit(repository, name)?;
            trees.extend(commit.parents.first());
            trees.push(commit.id);
        } else {
            trees.push(revision::resolve(repository, word)?);
        }
    }
    if flags.has("merge-base")
        && let Some(first) = trees.first_mut()
    {
        let head = repository
            .head()
            .ok_or_else(|| fatal("no merge base found"))?;
        *first = base_of(repository, first, &head)?;
    }
    Ok(trees)
}

/// The changes between two trees, or one or none and what is staged or in the work tree.
fn changes(
    repository: &Repository,
    trees: &[Id],
    cached: bool,
    paths: &Pathspec,
) -> Outcome<Vec<Change>> {
    match (trees, cached) {
        ([], false) => unstaged(repository, &repository.index()?, paths),
        ([], true) => Ok(staged(
            &repository.head_items()?,
            &repository.index()?,
            paths,
        )),
        ([tree], true) => Ok(staged(
            &repository.items(tree)?,
            &repository.index()?,
            paths,
        )),
        ([tree], false) => against_work(
            repository,
            &repository.items(tree)?,
            &repository.index()?,
            paths,
        ),
        ([old, new], false) => {
            let mut changes = change::between(&repository.items(old)?, &repository.items(new)?);
            changes.retain(|change| paths.matches(change.path()));
            Ok(changes)
        }
        _ => Err(usage("this combination of trees is not supported")),
    }
}

/// The changes that `-S` or `-G` find.
fn searched(
    repository: &Repository,
    changes: Vec<Change>,
    pickaxe: &Pickaxe,
) -> Outcome<Vec<Change>> {
    let mut found = Vec::new();
    for change in changes {
        if pickaxe.fits(repository, &change)? {
            found.push(change);
        }
    }
    Ok(found)
}

/// The youngest merge base of two commits; fatal where there is none.
fn base_of(repository: &Repository, left: &Id, right: &Id) -> Outcome<Id> {
    let left = revision::commit_of(repository, left)?.id;
    let right = revision::commit_of(repository, right)?.id;
    let bases = super::walk::merge_bases(repository, &left, &right)?;
    bases
        .first()
        .copied()
        .ok_or_else(|| fatal(format!("{left}...{right}: no merge base")))
}

/// The object as an item, where it is a blob.
fn blob(repository: &Repository, id: &Id) -> Outcome<Option<Item>> {
    let (kind, _) = repository.objects.read(id)?;
    Ok((kind == gix_object::Kind::Blob).then_some(Item {
        mode: super::tree::FILE,
        id: *id,
    }))
}

/// Prints the difference between two blobs, under the names that their revisions gave them.
fn blobs(
    repository: &mut Repository,
    settings: &Settings,
    old: (&[u8], Item),
    new: (&[u8], Item),
) -> Outcome<i32> {
    let name = |word: &[u8]| {
        let colon = word.iter().position(|&byte| byte == b':');
        word[colon.map_or(0, |at| at + 1)..].to_vec()
    };
    let change = Change {
        old: Some(change::side(&name(old.0), &old.1)),
        new: Some(change::side(&name(new.0), &new.1)),
        score: None,
        copied: false,
        unmerged: false,
    };
    let mut out = Vec::new();
    if old.1 != new.1 {
        settings.print(repository, &[change], &mut out)?;
    }
    repository.out.put(&out);
    Ok(0)
}

/// `git diff --no-index`, which needs no repository: two files, never folders. Only the patch is printed; status 1
/// where they differ.
pub fn files(arguments: &[Vec<u8>], out: &mut crate::output::Output) -> Outcome<i32> {
    const OPTIONS: &[Opt] = diff_options![
        Opt("", "index", Value::No),
        Opt("", "exit-code", Value::No),
        Opt("q", "quiet", Value::No),
    ];
    let flags = Flags::read(arguments, OPTIONS)?;
    let paths = flags.all_paths();
    let [old, new] = paths.as_slice() else {
        return Err(usage("git diff --no-index takes two paths"));
    };
    let is_folder = |path: &[u8]| {
        system::stat(path, true).is_ok_and(|stat| stat.kind == system::Kind::Directory)
    };
    let name = |path: &[u8]| {
        let name = path.rsplit(|&byte| byte == b'/').next();
        name.unwrap_or_default().to_vec()
    };
    let mut changes = Vec::new();
    match (is_folder(old), is_folder(new)) {
        (true, true) => {
            let mut all = below(old, b"")?;
            all.extend(below(new, b"")?);
            for path in all {
                let sides = [old, new].map(|folder| system::join(folder, &path));
                let there = |path: &Vec<u8>| system::stat(path, false).is_ok();
                let [old, new] = sides.map(|path| Some(path).filter(there));
                changes.extend(between(old.as_deref(), new.as_deref())?);
            }
        }
        (true, false) => {
            let old = system::join(old, &name(new));
            changes.extend(between(Some(&old), Some(new))?);
        }
        (false, true) => {
            let new = system::join(new, &name(old));
            changes.extend(between(Some(old), Some(&new))?);
        }
        (false, false) => changes.extend(between(Some(old), Some(new))?),
    }
    if changes.is_empty() {
        return Err(quiet(0));
    }
    if !flags.has("q") {
        let text = shown(&flags, &changes)?;
        out.put(&text);
    }
    Ok(1)
}

/// The paths of all files below a folder, from there.
fn below(root: &[u8], folder: &[u8]) -> Outcome<std::collections::BTreeSet<Vec<u8>>> {
    let mut found = std::collections::BTreeSet::new();
    let place = system::join(root, folder);
    let entries = system::read_directory(&place)
        .map_err(|failure| super::stop::file("could not open directory", &place, failure))?;
    for entry in entries {
        let path = match folder {
            b"" => entry.name.clone(),
            _ => system::join(folder, &entry.name),
        };
        match entry.kind {
            system::Kind::Directory => found.extend(below(root, &path)?),
            _ => {
                found.insert(path);
            }
        }
    }
    Ok(found)
}

/// How a file outside of a repository changed into another; none where they are equal.
fn between(old: Option<&[u8]>, new: Option<&[u8]>) -> Outcome<Option<Change>> {
    let change = Change {
        old: old.map(side_of).transpose()?.flatten(),
        new: new.map(side_of).transpose()?.flatten(),
        score: None,
        copied: false,
        unmerged: false,
    };
    let item = |side: &Option<Side>| side.as_ref().map(|side| side.item);
    Ok((item(&change.old) != item(&change.new)).then_some(change))
}

/// A file outside of a repository as a side of a change; none for `/dev/null`.
fn side_of(path: &[u8]) -> Outcome<Option<Side>> {
    if path == b"/dev/null" {
        return Ok(None);
    }
    let stat = system::stat(path, false)
        .map_err(|_| super::stop::error(bytes!("Could not access '", path, "'")))?;
    let mode = super::tree::mode_of(&stat)
        .ok_or_else(|| usage("only files are compared without a repository"))?;
    let content = if mode == super::tree::LINK {
        system::read_link(path)
    } else {
        system::read_whole(path)
    };
    let content = content.map_err(|failure| super::stop::file("could not open", path, failure))?;
    let id = name_of(gix_object::Kind::Blob, &content)?;
    Ok(Some(Side {
        path: path.strip_prefix(b"/").unwrap_or(path).to_vec(),
        item: Item { mode, id },
        content: Content::Here(Rc::from(content)),
    }))
}

/// What is shown of changes of files outside of a repository: the forms that are asked for, or a patch.
fn shown(flags: &Flags, changes: &[Change]) -> Outcome<Vec<u8>> {
    let objects = super::objects::Objects::new(Vec::new());
    let style = Style {
        context: flags.number("U")?.unwrap_or(3),
        abbrev: Some(7),
        ..Style::default()
    };
    let nul = flags.has("z");
    // Two names are shown like those of a file that was renamed, or the old one alone.
    let two_names = |change: &Change| match (&change.old, &change.new) {
        (Some(old), Some(new)) => old.path != new.path,
        _ => false,
    };
    let renamed: Vec<Change> = changes
        .iter()
        .map(|change| Change {
            score: two_names(change).then_some(100),
            ..change.clone()
        })
        .collect();
    let mut named = changes.to_vec();
    for change in &mut named {
        if let (Some(old), Some(new)) = (&change.old, &mut change.new) {
            new.path.clone_from(&old.path);
        }
    }
    let counted = summary::count(&objects, &renamed, &style)?;
    let mut text = Vec::new();
    let mut any = false;
    for key in [
        "numstat",
        "stat",
        "shortstat",
        "summary",
        "name-only",
        "name-status",
    ] {
        if !flags.has(key) {
            continue;
        }
        any = true;
        text.extend(match key {
            "numstat" => summary::numbers(&counted, &renamed, nul),
            "stat" => summary::graph(&counted, columns(), false),
            "shortstat" => summary::total(&counted).into_bytes(),
            "summary" => summary::news(changes),
            _ => summary::names(&named, key == "name-status", nul),
        });
    }
    if !any || flags.has("p") {
        for change in changes {
            patch::print(&mut text, &objects, change, &style)?;
        }
    }
    Ok(text)
}
