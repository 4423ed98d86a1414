//! `git diff`, and how other commands show changes.

use std::collections::BTreeSet;
use std::rc::Rc;

use imara_diff::Algorithm;

use super::change::{self, Change, Content, Side};
use super::check;
use super::combined;
use super::flags::Flags;
use super::index::Index;
use super::lines::Blanks;
use super::objects::{Id, name_of, none};
use super::patch::{self, Style};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision;
use super::selection::{Filter, Pickaxe};
use super::stop::{Outcome, fatal, quiet, usage};
use super::summary;
use super::tree::{COMMIT, Item, Items};
use super::words::{self, Mark};
use super::worktree::State;
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

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

/// What is shown of changes.
#[derive(Clone, Debug, Default)]
pub struct Show {
    pub patch: bool,
    pub stat: Option<usize>,
    pub numstat: bool,
    pub shortstat: bool,
    pub summary: bool,
    pub name_only: bool,
    pub name_status: bool,
    pub raw: bool,
    pub nul: bool,
    pub none: bool,
}

/// How changes are found and shown.
#[derive(Clone, Debug)]
pub struct Settings {
    pub style: Style,
    pub show: Show,
    /// How alike files are that were renamed, and whether copies count.
    pub renames: Option<(u32, bool)>,
    /// `--raw` has whole names of objects.
    pub full_names: bool,
    filter: Option<String>,
    reverse: bool,
    relative: Option<Vec<u8>>,
}

fn percent(text: &[u8]) -> u32 {
    if text.is_empty() {
        return 50;
    }
    let digits = text.strip_suffix(b"%");
    match digits.map(crate::options::number::<u32>) {
        Some(number) => number.unwrap_or(50).min(100),
        None => {
            let fraction = String::from_utf8_lossy(text).into_owned();
            let value: f64 = format!("0.{fraction}").parse().unwrap_or(0.5);
            (value * 100.0).round() as u32
        }
    }
}

impl Settings {
    /// Reads the options of changes.
    pub fn new(repository: &Repository, flags: &Flags) -> Outcome<Settings> {
        let config = &repository.config;
        let mut style = Style {
            text: flags.has("a"),
            full_index: flags.has("full-index"),
            ..Style::default()
        };
        if let Some(context) = config
            .text("diff.context")
            .and_then(|text| text.parse().ok())
        {
            style.context = context;
        }
        if let Some(context) = flags.number("U")? {
            style.context = context;
        }
        let algorithm = match flags.last(&["minimal", "patience", "histogram", "diff-algorithm"]) {
            Some("diff-algorithm") => flags.value("diff-algorithm").map(<[u8]>::to_vec),
            Some(name) => Some(name.as_bytes().to_vec()),
            None => config.get("diff.algorithm").map(<[u8]>::to_vec),
        };
        style.algorithm = match algorithm.as_deref() {
            None | Some(b"myers" | b"default") => Algorithm::Myers,
            Some(b"minimal") => Algorithm::MyersMinimal,
            Some(b"histogram") => Algorithm::Histogram,
            Some(name) => {
                return Err(fatal(bytes!(
                    "the diff algorithm '",
                    name,
                    "' is not supported"
                )));
            }
        };
        style.blanks = match () {
            () if flags.has("w") => Blanks::All,
            () if flags.has("b") => Blanks::Amount,
            () if flags.has("ignore-space-at-eol") => Blanks::End,
            () => Blanks::Count,
        };
        if flags.denied("prefix") || config.truth("diff.noprefix", false) {
            style.prefixes = [Vec::new(), Vec::new()];
        }
        for (key, at) in [("src-prefix", 0), ("dst-prefix", 1)] {
            if let Some(prefix) = flags.value(key) {
                style.prefixes[at] = prefix.to_vec();
            }
        }
        if let Some(length) = flags.value("abbrev").filter(|text| !text.is_empty()) {
            style.abbrev = crate::options::number(length);
        }
        if flags.denied("abbrev") {
            style.full_index = true;
        }
        style.color = color(repository, flags)?;
        style.words = words::Words::new(flags)?;
        style.color |= style
            .words
            .as_ref()
            .is_some_and(|words| words.mark == Mark::Color);
        let renames = match (flags.last(&["M", "C"]), config.get("diff.renames")) {
            _ if flags.denied("renames") => None,
            (Some("C"), _) => Some((percent(flags.value("C").unwrap_or_default()), true)),
            (Some(_), _) => Some((percent(flags.value("M").unwrap_or_default()), false)),
            (None, Some(b"copies" | b"copy")) => Some((50, true)),
            (None, Some(value)) if super::config::is_true(value) == Some(false) => None,
            (None, _) => Some((50, false)),
        };
        let relative = flags
            .has("relative")
            .then(|| match flags.value("relative") {
                Some(path) if !path.is_empty() => path.to_vec(),
                _ => repository.prefix.clone(),
            });
        let filter = flags.value("diff-filter");
        Ok(Settings {
            style,
            show: Show::new(flags)?,
            renames,
            full_names: false,
            filter: filter.map(|text| String::from_utf8_lossy(text).into_owned()),
            reverse: flags.has("R"),
            relative,
        })
    }

    /// Finds renames, and leaves out what is not asked for.
    pub fn refine(&self, repository: &Repository, changes: Vec<Change>) -> Outcome<Vec<Change>> {
        let mut changes = match self.renames {
            Some((least, copies)) => {
                change::find_renames(&repository.objects, changes, least, copies)?
            }
            None => changes,
        };
        if let Some(filter) = &self.filter {
            let lower: Vec<char> = filter.chars().filter(char::is_ascii_lowercase).collect();
            let upper: Vec<char> = filter.chars().filter(char::is_ascii_uppercase).collect();
            changes.retain(|change| {
                let letter = change.letter();
                !lower.contains(&letter.to_ascii_lowercase())
                    && (upper.is_empty() || upper.contains(&letter))
            });
        }
        if self.reverse {
            for change in &mut changes {
                std::mem::swap(&mut change.old, &mut change.new);
            }
        }
        if let Some(folder) = &self.relative {
            let cut = |side: &mut Option<Side>| {
                if let Some(inner) = side {
                    match inner.path.strip_prefix(folder.as_slice()) {
                        Some(rest) => inner.path = rest.to_vec(),
                        None => *side = None,
                    }
                }
            };
            for change in &mut changes {
                cut(&mut change.old);
                cut(&mut change.new);
            }
            changes.retain(|change| change.old.is_some() || change.new.is_some());
        }
        Ok(changes)
    }

    /// Appends what is shown of the changes.
    pub fn print(&self, repository: &Repository, changes: &[Change], out: &mut Vec<u8>) -> Outcome {
        let (objects, show) = (&repository.objects, &self.show);
        if show.name_only || show.name_status {
            out.extend(summary::names(changes, show.name_status, show.nul));
            return Ok(());
        }
        if show.raw {
            out.extend(summary::raw(
                objects,
                changes,
                self.full_names || self.style.full_index,
                show.nul,
            ));
        }
        if show.numstat || show.shortstat || show.stat.is_some() {
            let counted = summary::count(objects, changes, &self.style)?;
            if show.numstat {
                out.extend(summary::numbers(&counted, changes, show.nul));
            }
            if let Some(width) = show.stat {
                out.extend(summary::graph(&counted, width, self.style.color));
            } else if show.shortstat && !counted.is_empty() {
                out.extend_from_slice(summary::total(&counted).as_bytes());
            }
        }
        if show.summary {
            out.extend(summary::news(changes));
        }
        if show.patch {
            let more =
                show.raw || show.numstat || show.shortstat || show.stat.is_some() || show.summary;
            if more && !changes.is_empty() {
                out.push(b'\n');
            }
            for change in changes {
                if change.unmerged {
                    out.extend(bytes!("* Unmerged path ", change.path(), "\n"));
                } else {
                    patch::print(out, objects, change, &self.style)?;
                }
            }
        }
        Ok(())
    }
}

/// Whether to print in colours.
pub fn color(repository: &Repository, flags: &Flags) -> Outcome<bool> {
    let wish = match flags.value("color") {
        Some(wish) => wish.to_vec(),
        None if flags.denied("color") => return Ok(false),
        None => {
            let config = &repository.config;
            let value = config.get("color.diff").or_else(|| config.get("color.ui"));
            return Ok(value == Some(b"always"));
        }
    };
    match wish.as_slice() {
        b"" | b"always" => Ok(true),
        b"never" | b"auto" => Ok(false),
        _ => Err(usage(
            "option `color' expects \"always\", \"auto\", or \"never\"",
        )),
    }
}

impl Show {
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

/// The width of the terminal, or what is usual.
pub fn columns() -> usize {
    let columns = std::env::var("COLUMNS")
        .ok()
        .and_then(|text| text.parse().ok());
    columns.filter(|columns| *columns > 0).unwrap_or(80)
}

/// The files that differ between a tree and the index.
pub fn staged(head: &Items, index: &Index, paths: &Pathspec) -> Vec<Change> {
    let mut changes = change::between(head, &index.items());
    let conflicts = index.conflicts();
    changes.retain(|change| !conflicts.contains_key(change.path()));
    changes.extend(conflicts.keys().map(|path| unmerged(path)));
    changes.retain(|change| paths.matches(change.path()));
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    changes
}

fn unmerged(path: &[u8]) -> Change {
    let item = Item {
        mode: 0,
        id: none(),
    };
    Change {
        old: Some(change::side(path, &item)),
        new: Some(change::side(path, &item)),
        score: None,
        copied: false,
        unmerged: true,
    }
}

/// A file of the work tree as a side of a change.
pub fn work_side(repository: &Repository, path: &[u8], item: &Item) -> Outcome<Side> {
    if item.mode == COMMIT {
        let dirty = repository
            .submodule_work(path)?
            .is_some_and(|work| work.modified);
        let end = if dirty { "-dirty" } else { "" };
        let text = format!("Subproject commit {}{end}\n", item.id);
        return Ok(Side {
            path: path.to_vec(),
            item: *item,
            content: Content::Here(Rc::from(text.into_bytes())),
        });
    }
    let content = match system::stat(&repository.file(path)?, false) {
        Ok(stat) => repository.content(path, &stat)?,
        Err(_) => Vec::new(),
    };
    Ok(Side {
        path: path.to_vec(),
        item: *item,
        content: Content::Here(Rc::from(content)),
    })
}

/// The files that differ between the index and the work tree.
pub fn unstaged(repository: &Repository, index: &Index, paths: &Pathspec) -> Outcome<Vec<Change>> {
    let mut changes = Vec::new();
    for (path, state) in repository.changed(index, paths)? {
        let Some(entry) = index.get(&path) else {
            continue;
        };
        let new = match state {
            State::Changed(item) => Some(work_side(repository, &path, &item)?),
            _ => None,
        };
        let old = (!entry.intended).then(|| change::side(&path, &entry.item));
        if old.is_none() && new.is_none() {
            continue;
        }
        changes.push(Change {
            old,
            new,
            score: None,
            copied: false,
            unmerged: false,
        });
    }
    let conflicts = index.conflicts();
    changes.extend(
        conflicts
            .keys()
            .filter(|path| paths.matches(path))
            .map(|path| unmerged(path)),
    );
    changes.sort_by(|a, b| a.path().cmp(b.path()));
    Ok(changes)
}

/// The files that differ between a tree and the work tree.
pub fn against_work(
    repository: &Repository,
    tree: &Items,
    index: &Index,
    paths: &Pathspec,
) -> Outcome<Vec<Change>> {
    let known: BTreeSet<Vec<u8>> = tree.keys().cloned().chain(index.paths()).collect();
    let mut changes = Vec::new();
    for path in known.iter().filter(|path| paths.matches(path)) {
        let old = tree.get(path);
        let new = match index.get(path) {
            Some(entry) => match repository.compare(index, path, entry)? {
                State::Same => Some((entry.item, false)),
                State::Changed(item) => Some((item, true)),
                State::Gone => None,
            },
            None if index.has(path) => repository.item(path, false)?.map(|(item, _)| (item, true)),
            None => None,
        };
        let inside = new.is_some_and(|(item, changed)| changed && item.mode == COMMIT);
        if old.copied() == new.map(|(item, _)| item) && !inside {
            continue;
        }
        let new = match new {
            Some((item, true)) => Some(work_side(repository, path, &item)?),
            Some((item, false)) => Some(change::side(path, &item)),
            None => None,
        };
        changes.push(Change {
            old: old.map(|item| change::side(path, item)),
            new,
            score: None,
            copied: false,
            unmerged: false,
        });
    }
    Ok(changes)
}

/// Words of a command line.
type Words = Vec<Vec<u8>>;

/// Splits operands into revisions and paths, as far as `--` does not.
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

/// `git diff`
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
    let mut trees: Vec<Id> = Vec::new();
    for word in &revisions {
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
        } else if word.ends_with(b"^!") {
            let commit = revision::commit(repository, &word[..word.len() - 2])?;
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
    let changes = match (trees.as_slice(), cached) {
        ([], false) => {
            let index = repository.index()?;
            unstaged(repository, &index, &paths)?
        }
        ([], true) => staged(&repository.head_items()?, &repository.index()?, &paths),
        ([tree], true) => staged(&repository.items(tree)?, &repository.index()?, &paths),
        ([tree], false) => against_work(
            repository,
            &repository.items(tree)?,
            &repository.index()?,
            &paths,
        )?,
        ([old, new], false) => {
            let mut changes = change::between(&repository.items(old)?, &repository.items(new)?);
            changes.retain(|change| paths.matches(change.path()));
            changes
        }
        _ => return Err(usage("this combination of trees is not supported")),
    };
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

fn base_of(repository: &Repository, left: &Id, right: &Id) -> Outcome<Id> {
    let left = revision::commit_of(repository, left)?.id;
    let right = revision::commit_of(repository, right)?.id;
    let bases = super::walk::merge_bases(repository, &left, &right)?;
    bases
        .first()
        .copied()
        .ok_or_else(|| fatal(format!("{left}...{right}: no merge base")))
}

fn blob(repository: &Repository, id: &Id) -> Outcome<Option<Item>> {
    let (kind, _) = repository.objects.read(id)?;
    Ok((kind == gix_object::Kind::Blob).then_some(Item {
        mode: super::tree::FILE,
        id: *id,
    }))
}

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

/// `git diff --no-index`, which needs no repository: two files.
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
    let side = |path: &[u8]| -> Outcome<Option<Side>> {
        if path == b"/dev/null" {
            return Ok(None);
        }
        let stat = system::stat(path, false)
            .map_err(|_| super::stop::error(bytes!("Could not access '", path, "'")))?;
        let mode = super::tree::mode_of(&stat)
            .ok_or_else(|| usage("only files are compared without a repository"))?;
        let content = system::read_whole(path)
            .map_err(|failure| super::stop::file("could not open", path, failure))?;
        let id = name_of(gix_object::Kind::Blob, &content)?;
        Ok(Some(Side {
            path: path.strip_prefix(b"/").unwrap_or(path).to_vec(),
            item: Item { mode, id },
            content: Content::Here(Rc::from(content)),
        }))
    };
    let change = Change {
        old: side(old)?,
        new: side(new)?,
        score: None,
        copied: false,
        unmerged: false,
    };
    let item = |side: &Option<Side>| side.as_ref().map(|side| side.item);
    if item(&change.old) == item(&change.new) {
        return Err(quiet(0));
    }
    let objects = super::objects::Objects::new(Vec::new());
    let style = Style {
        context: flags.number("U")?.unwrap_or(3),
        abbrev: Some(7),
        ..Style::default()
    };
    let mut text = Vec::new();
    if !flags.has("q") {
        patch::print(&mut text, &objects, &change, &style)?;
    }
    out.put(&text);
    Ok(1)
}
