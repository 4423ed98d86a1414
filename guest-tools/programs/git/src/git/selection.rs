//! Which commits `git log` and its kin show (Documentation/git-log, rev-list-options): options, filters, order, and
//! what changed in each.
//!
//! A walk goes from the included commits by date, without those that excluded ones reach. Where paths limit it,
//! history is simplified as git does by default: a commit that has the files of some parent is left out and only that
//! parent followed (TREESAME). Filters by text, time and number of parents leave commits out without changing the
//! walk. What is left out is remembered with its parents, so that the parents of shown commits, and `--graph`, can be
//! those that are shown.
//!
//! `log`, `show`, `rev-list`, `whatchanged`, `shortlog` and `format-patch` share this. Not here: `--children`,
//! `--stdin`, `--objects`, `--simplify-by-decoration`, `--show-signature`.

mod filter;

use std::collections::{HashMap, HashSet};

use gix_object::Kind;

use super::change::Change;
use super::date::DateStyle;
use super::diff::{Settings, color, diff_options, revisions_and_paths};
use super::flags::{Flags, NUMBER};
use super::format::{Context, Names, Pretty};
use super::notes::Notes;
use super::objects::{Commit, Id, empty_tree};
use super::pathspec::Pathspec;
use super::repository::Repository;
use super::revision::Range;
use super::stop::{Outcome, fatal, usage};
use super::walk::Walk;
use super::{change, combined, notes, revision, tree};
use crate::call::bytes;
use crate::options::{Opt, Value};

pub use filter::{Filter, Pickaxe, basic};

/// The options of `git log`, those of `git diff` included.
pub const OPTIONS: &[Opt] = diff_options![
    Opt("", NUMBER, Value::No),
    Opt("n", "max-count", Value::Required),
    Opt("", "skip", Value::Required),
    Opt("", "oneline", Value::No),
    Opt("", "pretty", Value::Optional),
    Opt("", "format", Value::Required),
    Opt("", "date", Value::Required),
    Opt("", "relative-date", Value::No),
    Opt("", "abbrev-commit", Value::No),
    Opt("", "decorate", Value::Optional),
    Opt("", "graph", Value::No),
    Opt("", "all", Value::No),
    Opt("", "branches", Value::Optional),
    Opt("", "tags", Value::Optional),
    Opt("", "remotes", Value::Optional),
    Opt("", "glob", Value::Required),
    Opt("", "exclude", Value::Required),
    Opt("", "not", Value::No),
    Opt("", "min-parents", Value::Required),
    Opt("", "max-parents", Value::Required),
    Opt("", "encoding", Value::Required),
    Opt("", "expand-tabs", Value::Optional),
    Opt("", "show-pulls", Value::No),
    Opt("", "quiet", Value::No),
    Opt("", "timestamp", Value::No),
    Opt("", "no-commit-header", Value::No),
    Opt("", "commit-header", Value::No),
    Opt("", "author", Value::Required),
    Opt("", "committer", Value::Required),
    Opt("", "grep", Value::Required),
    Opt("", "all-match", Value::No),
    Opt("", "invert-grep", Value::No),
    Opt("i", "regexp-ignore-case", Value::No),
    Opt("E", "extended-regexp", Value::No),
    Opt("F", "fixed-strings", Value::No),
    Opt("", "since", Value::Required),
    Opt("", "after", Value::Required),
    Opt("", "until", Value::Required),
    Opt("", "before", Value::Required),
    Opt("", "merges", Value::No),
    Opt("", "reverse", Value::No),
    Opt("", "first-parent", Value::No),
    Opt("", "topo-order", Value::No),
    Opt("", "date-order", Value::No),
    Opt("", "author-date-order", Value::No),
    Opt("", "follow", Value::No),
    Opt("", "full-history", Value::No),
    Opt("", "left-right", Value::No),
    Opt("", "parents", Value::No),
    Opt("", "children", Value::No),
    Opt("", "root", Value::No),
    Opt("", "stdin", Value::No),
    Opt("", "count", Value::No),
    Opt("", "pickaxe-regex", Value::No),
    Opt("", "use-mailmap", Value::No),
    Opt("", "mailmap", Value::No),
    Opt("", "show-signature", Value::No),
    Opt("", "notes", Value::Optional),
    Opt("", "simplify-by-decoration", Value::No),
    Opt("g", "walk-reflogs", Value::No),
    Opt("", "objects", Value::No),
];

/// A commit that is shown.
pub struct Selected {
    /// As it is stored: `commit.parents` are its true parents.
    pub commit: Commit,
    /// The nearest ancestors along each parent that are shown as well; for `--graph` and `--parents`.
    pub parents: Vec<Id>,
}

/// Everything a command of this family needs: which commits, how they look, and which changes are shown.
pub struct Log<'a> {
    pub repository: &'a Repository,
    pub flags: &'a Flags,
    /// What of the changes is shown: patch, statistics, names.
    pub settings: Settings,
    pub pretty: Pretty,
    /// `--date` or `log.date`.
    pub dates: DateStyle,
    /// The references beside commits; none without `--decorate`.
    pub names: Option<Names>,
    /// Notes about the commits.
    pub notes: Vec<Notes>,
    /// Names of commits are short.
    pub abbrev: bool,
    /// `--author`, `--grep`, `--since`, `-S` and their kin.
    pub filter: Filter,
    /// The paths that history is limited to; empty for all.
    pub paths: Pathspec,
    /// Where the walk begins, and what it leaves out.
    pub range: Range,
    /// The path that `--follow` follows, as it is called further back.
    pub followed: Option<Vec<u8>>,
    /// Commits without changes to show are left out, as by `whatchanged`.
    pub changed_only: bool,
}

/// Reads what is common to the commands; `words` are revisions.
pub fn prepare<'a>(repository: &'a Repository, flags: &'a Flags) -> Outcome<Log<'a>> {
    let unsupported = [
        ("children", "--children"),
        ("stdin", "--stdin"),
        ("show-signature", "--show-signature"),
        ("simplify-by-decoration", "--simplify-by-decoration"),
        ("objects", "--objects"),
    ];
    if let Some((_, name)) = unsupported.iter().find(|(key, _)| flags.has(key)) {
        return Err(usage(format!("option `{name}' is not supported")));
    }
    let (words, paths) = revisions_and_paths(repository, flags)?;
    let range = range(repository, flags, &words)?;
    let pretty = pretty(repository, flags)?;
    let dates = dates(repository, flags)?;
    let decorate = decorates(repository, flags)?;
    let paths = Pathspec::new(repository, &paths)?;
    let followed = match flags.has("follow") {
        true => match paths.literals().collect::<Vec<_>>().as_slice() {
            [(_, path)] => Some(path.to_vec()),
            _ => return Err(fatal("--follow requires exactly one pathspec")),
        },
        false => None,
    };
    Ok(Log {
        settings: Settings::new(repository, flags)?,
        pretty,
        dates,
        notes: notes::shown(repository, flags)?,
        names: decorate.then(|| Names::new(repository)),
        abbrev: abbreviates(repository, flags),
        filter: Filter::new(flags)?,
        paths,
        range,
        followed,
        changed_only: false,
        repository,
        flags,
    })
}

/// The command line with `^` before the revisions that a `--not` turns around; what stands behind `--` stays.
pub fn with_turned(arguments: &[Vec<u8>]) -> Vec<Vec<u8>> {
    let end = arguments.iter().position(|word| word == b"--");
    let (words, rest) = arguments.split_at(end.unwrap_or(arguments.len()));
    let mut turned = false;
    let mut out: Vec<Vec<u8>> = Vec::new();
    for word in words {
        if word == b"--not" {
            turned = !turned;
            continue;
        }
        let word = match (turned && !word.starts_with(b"-"), word.strip_prefix(b"^")) {
            (false, _) => word.clone(),
            (true, Some(rest)) => rest.to_vec(),
            (true, None) => bytes!("^", word),
        };
        out.push(word);
    }
    out.extend_from_slice(rest);
    out
}

/// Whether a reference is one that a list of references names: all below `prefix`, or those that fit the pattern in
/// `value`, and none that `excluded` has.
fn is_listed(prefix: &str, value: &[u8], excluded: &[Vec<u8>], name: &[u8]) -> bool {
    use super::ref_rows::wild;
    let short = name.strip_prefix(prefix.as_bytes()).unwrap_or(name);
    if !excluded.is_empty() && (wild(excluded, name) || wild(excluded, short)) {
        return false;
    }
    if value.is_empty() {
        return name.starts_with(prefix.as_bytes());
    }
    let whole = match prefix {
        "" if !value.starts_with(b"refs/") => bytes!("refs/", value),
        _ => bytes!(prefix, value),
    };
    let is_pattern = whole.iter().any(|byte| b"*?[".contains(byte));
    let whole = if is_pattern {
        whole
    } else {
        bytes!(whole.strip_suffix(b"/").unwrap_or(&whole), "/*")
    };
    wild(&[whole], name)
}

/// The commits that words, `--all` and its kin name; `HEAD` where nothing does. `--branches` in a repository without
/// any gives nothing, not `HEAD`.
fn range(repository: &Repository, flags: &Flags, words: &[Vec<u8>]) -> Outcome<Range> {
    let mut range = Range::default();
    for word in words {
        if !range.add(repository, word)? {
            return Err(revision::unknown(word));
        }
    }
    let lists = [
        ("all", "refs/"),
        ("branches", "refs/heads/"),
        ("tags", "refs/tags/"),
        ("remotes", "refs/remotes/"),
        ("glob", ""),
    ];
    let mut listed = false;
    let mut excluded: Vec<Vec<u8>> = Vec::new();
    for (key, value) in flags.in_order() {
        if key == "exclude" {
            excluded.push(value.to_vec());
        }
        let Some((_, prefix)) = lists.iter().find(|(name, _)| *name == key) else {
            continue;
        };
        listed = true;
        for (name, id) in repository.refs.list(prefix.as_bytes()) {
            if is_listed(prefix, value, &excluded, &name)
                && let Ok((id, Kind::Commit)) = repository.objects.peel(&id)
            {
                range.include.push(id);
            }
        }
        excluded.clear();
    }
    if flags.has("all") {
        range.include.extend(repository.head());
    }
    if range.include.is_empty() && !listed {
        range.include.push(repository.head_commit()?.id);
    }
    Ok(range)
}

/// How a commit is shown: the last of `--oneline`, `--pretty` and `--format`, then `format.pretty`, then `medium`.
fn pretty(repository: &Repository, flags: &Flags) -> Outcome<Pretty> {
    match flags.last(&["oneline", "pretty", "format"]) {
        Some("oneline") => Ok(Pretty::Oneline),
        Some("format") if flags.value("format") == Some(b"") => Ok(Pretty::User(Vec::new(), true)),
        Some(key) => Pretty::new(repository, flags.value(key).unwrap_or_default()),
        None => match repository.config.get("format.pretty") {
            Some(text) => Pretty::new(repository, text),
            None => Ok(Pretty::Medium),
        },
    }
}

/// Whether names of commits are short: by `--abbrev-commit`, `--oneline` or `log.abbrevCommit`.
fn abbreviates(repository: &Repository, flags: &Flags) -> bool {
    let wished = flags.has("abbrev-commit")
        || flags.last(&["oneline", "pretty", "format"]) == Some("oneline")
        || repository.config.truth("log.abbrevcommit", false);
    wished && !flags.denied("abbrev-commit")
}

/// How dates are shown: `--relative-date`, `--date`, `log.date`.
fn dates(repository: &Repository, flags: &Flags) -> Outcome<DateStyle> {
    let date = flags.value("date").map(<[u8]>::to_vec);
    let date = date.or_else(|| repository.config.get("log.date").map(<[u8]>::to_vec));
    match date {
        _ if flags.has("relative-date") => DateStyle::new(b"relative"),
        Some(text) => DateStyle::new(&text),
        None => Ok(DateStyle::default()),
    }
}

/// Whether the references to a commit are shown beside it. There is no terminal, so `auto` is no.
fn decorates(repository: &Repository, flags: &Flags) -> Outcome<bool> {
    match flags.value("decorate") {
        Some(b"no" | b"auto") => Ok(false),
        Some(b"full") => Err(usage("option `--decorate=full' is not supported")),
        Some(_) => Ok(true),
        None => {
            let wish = repository.config.get("log.decorate");
            let wished = matches!(wish, Some(b"short" | b"full" | b"true" | b"yes"));
            Ok(wished && !flags.denied("decorate"))
        }
    }
}

impl Log<'_> {
    /// The changes of a commit against one parent, or the empty tree: of the paths asked for, with renames as set.
    /// While a file is followed all paths count, or its former name could not be found.
    fn changes(&self, commit: &Commit, parent: Option<&Id>) -> Outcome<Vec<Change>> {
        let objects = &self.repository.objects;
        let old = match parent {
            Some(parent) => objects.commit(parent)?.tree,
            None => empty_tree(),
        };
        let (gone, come) = tree::differences(objects, &old, &commit.tree)?;
        let mut changes = change::between(&gone, &come);
        if self.followed.is_none() {
            changes.retain(|change| self.paths.matches(change.path()));
        }
        self.settings.refine(self.repository, changes)
    }

    /// Whether a commit and its parent have the same files among those asked for. Costs the folders that differ.
    fn is_same(&self, commit: &Commit, parent: &Commit) -> Outcome<bool> {
        if commit.tree == parent.tree {
            return Ok(true);
        }
        let (gone, come) = tree::differences(&self.repository.objects, &parent.tree, &commit.tree)?;
        Ok(!gone
            .keys()
            .chain(come.keys())
            .any(|path| self.paths.matches(path)))
    }

    /// All commits that are asked for, in order. `--skip` and `-n` count what is shown, after the order is made and
    /// before `--reverse`. A plain log stops as soon as it has enough; with `--graph`, `--topo-order` or `--reverse`
    /// all of history is walked first.
    ///
    /// Merges are never found by `-S` and `-G`, as in git without `-m`.
    pub fn select(&mut self) -> Outcome<Vec<Selected>> {
        let limit = self.limit()?;
        let skip = self.flags.number("skip")?.unwrap_or(0);
        let topological = self.flags.has("graph")
            || self.flags.has("topo-order")
            || self.flags.has("date-order")
            || self.flags.has("author-date-order");
        let bounded = !topological && !self.flags.has("reverse");
        let first_parent = self.flags.has("first-parent");
        let limited = !self.paths.is_empty() && self.followed.is_none();
        let full = self.flags.has("full-history") || self.changed_only;
        let mut walk = Walk::new(self.repository, &self.commits()?, &self.range.exclude)?;
        let mut selected: Vec<Selected> = Vec::new();
        // What a commit that is left out stands for, where only some paths are asked for.
        let mut rewritten: HashMap<Id, Vec<Id>> = HashMap::new();
        while let Some(commit) = walk.pop()? {
            let count = if first_parent { 1 } else { usize::MAX };
            let mut parents: Vec<Id> = commit.parents.iter().take(count).copied().collect();
            let mut shown = true;
            if limited {
                let mut same = None;
                for parent in &parents {
                    if self.is_same(&commit, &self.repository.objects.commit(parent)?)? {
                        same = Some(*parent);
                        break;
                    }
                }
                shown = match same {
                    Some(_) => false,
                    None if parents.is_empty() => self.has_files(&commit)?,
                    None => true,
                };
                if let Some(same) = same
                    && !full
                {
                    parents = vec![same];
                }
            }
            for parent in &parents {
                walk.push(parent)?;
            }
            parents.retain(|parent| !walk.is_excluded(parent));
            if let Some(pickaxe) = &self.filter.pickaxe
                && shown
            {
                let mut found = false;
                if commit.parents.len() < 2 {
                    for change in self.changes(&commit, commit.parents.first())? {
                        found |= pickaxe.fits(self.repository, &change)?;
                    }
                }
                shown = found;
            }
            if let (Some(path), true) = (&self.followed, shown) {
                (shown, self.followed) = self.follow(&commit, path.clone())?;
            }
            if self.changed_only && shown {
                shown = !self.details(&commit, false)?.is_empty();
            }
            if !shown || !self.filter.fits(&commit) {
                rewritten.insert(commit.id, parents);
                continue;
            }
            selected.push(Selected { commit, parents });
            if bounded && limit.is_some_and(|limit| selected.len() >= limit + skip) {
                break;
            }
        }
        let mut selected = rewrite(selected, &rewritten);
        if topological {
            selected = sort(selected, self.flags.has("date-order"));
        }
        selected.drain(..skip.min(selected.len()));
        if let Some(limit) = limit {
            selected.truncate(limit);
        }
        if self.flags.has("reverse") {
            selected.reverse();
        }
        Ok(selected)
    }

    /// `-N` or `-n N`, the last one; none for all, also for negative numbers.
    pub fn limit(&self) -> Outcome<Option<usize>> {
        let key = self.flags.last(&[NUMBER, "n"]);
        match key.and_then(|key| self.flags.value(key)) {
            None => Ok(None),
            Some([b'-', digits @ ..]) if crate::options::number::<usize>(digits).is_some() => {
                Ok(None)
            }
            Some(text) => match crate::options::number(text) {
                Some(number) => Ok(Some(number)),
                None => Err(fatal(bytes!("'", text, "': not an integer"))),
            },
        }
    }

    /// The included objects as commits, past tags.
    fn commits(&self) -> Outcome<Vec<Id>> {
        let ids = self.range.include.iter();
        ids.map(|id| revision::commit_of(self.repository, id).map(|commit| commit.id))
            .collect()
    }

    /// Whether a commit has any file that is asked for; for those without parents.
    fn has_files(&self, commit: &Commit) -> Outcome<bool> {
        let files = tree::flatten(&self.repository.objects, &commit.tree)?;
        Ok(files.keys().any(|path| self.paths.matches(path)))
    }

    /// Whether a commit touches the path that is followed, and what it is called before it. Merges are passed over.
    pub fn follow(&self, commit: &Commit, path: Vec<u8>) -> Outcome<(bool, Option<Vec<u8>>)> {
        if commit.parents.len() > 1 {
            return Ok((false, Some(path)));
        }
        let changes = self.changes(commit, commit.parents.first())?;
        match changes.iter().find(|change| change.path() == path) {
            Some(change) => Ok((true, Some(change.old_path().to_vec()))),
            None => Ok((false, Some(path))),
        }
    }

    /// What the text of a commit needs besides it. `reflog` is the place and the reason of a line of `-g`.
    pub fn context<'c>(&'c self, reflog: Option<(Vec<u8>, Vec<u8>)>) -> Outcome<Context<'c>> {
        Ok(Context {
            repository: self.repository,
            dates: self.dates.clone(),
            names: self.names.as_ref(),
            abbrev: self.abbrev,
            color: color(self.repository, self.flags)?,
            side: None,
            reflog,
            notes: &self.notes,
            below: self.flags.has("notes")
                || self.flags.last(&["oneline", "pretty", "format"]).is_none(),
            parents: None,
        })
    }

    /// What follows the text of a commit: the changes in the forms asked for, or nothing.
    ///
    /// A merge has none, unless `--first-parent` or `-m` compare it with its first parent, or `-c` and `--cc`
    /// (`show_merges` for `git show`) with all parents at once. `-m` shows the first parent alone here; git shows
    /// each.
    fn details(&self, commit: &Commit, show_merges: bool) -> Outcome<Vec<u8>> {
        let mut out = Vec::new();
        let show = &self.settings.show;
        if !show.any() {
            return Ok(out);
        }
        let merge = commit.parents.len() > 1;
        let first = self.flags.has("first-parent") || self.flags.has("m");
        let combine = self.flags.has("cc") || self.flags.has("c") || show_merges;
        if merge && !first && !combine {
            return Ok(out);
        }
        let mut changes = self.changes(commit, commit.parents.first())?;
        if let Some(path) = self.flags.has("follow").then_some(&self.followed) {
            let kept = |change: &Change| {
                path.as_ref()
                    .is_some_and(|path| change.path() == path || change.old_path() == path)
            };
            changes.retain(|change| kept(change) || self.paths.matches(change.path()));
        }
        if !merge || first {
            self.settings.print(self.repository, &changes, &mut out)?;
            return Ok(out);
        }
        let parents: Vec<tree::Items> = commit
            .parents
            .iter()
            .map(|parent| self.repository.items(parent))
            .collect::<Outcome<_>>()?;
        let mut result = self.repository.items(&commit.id)?;
        if show.name_only || show.name_status {
            for path in combined::changed_paths(&parents, &result) {
                let status = if show.name_status {
                    "M".repeat(parents.len()) + "\t"
                } else {
                    String::new()
                };
                out.extend(bytes!(status, super::quoting::quoted(&path), "\n"));
            }
            return Ok(out);
        }
        let mut settings = self.settings.clone();
        settings.show.patch = false;
        settings.print(self.repository, &changes, &mut out)?;
        if show.patch {
            result.retain(|path, _| self.paths.matches(path));
            combined::merge(
                self.repository,
                &parents,
                &result,
                &self.settings.style,
                &mut out,
            )?;
        }
        Ok(out)
    }

    /// One commit with its changes, ready to be put out.
    pub fn entry(&self, commit: &Commit, context: &Context, show_merges: bool) -> Outcome<Vec<u8>> {
        let details = self.details(commit, show_merges)?;
        let mut out = self.head(commit, context, &details)?;
        out.extend(details);
        Ok(out)
    }

    /// What stands before the changes of a commit.
    pub fn header(&self, commit: &Commit, details: &[u8]) -> Outcome<Vec<u8>> {
        self.head(commit, &self.context(None)?, details)
    }

    /// The text of a commit up to where its changes begin: a blank line, or `---` where statistics stand before a
    /// patch, or nothing for formats of one line.
    fn head(&self, commit: &Commit, context: &Context, details: &[u8]) -> Outcome<Vec<u8>> {
        let mut out = context.show(commit, &self.pretty)?;
        let empty = matches!(&self.pretty, Pretty::User(format, _) if format.is_empty());
        if !empty || !out.is_empty() {
            out.push(b'\n');
        }
        let show = &self.settings.show;
        let joined = matches!(self.pretty, Pretty::Oneline | Pretty::User(_, false));
        if !details.is_empty() && !joined && !empty {
            let dashes = show.patch && show.stat.is_some();
            out.extend_from_slice(if dashes { b"---\n" } else { b"\n" });
        }
        Ok(out)
    }
}

/// Parents that are left out are replaced by those that stand for them: the nearest shown ancestors, each once, in
/// the order of parents. O(commits) for each parent at worst.
fn rewrite(selected: Vec<Selected>, rewritten: &HashMap<Id, Vec<Id>>) -> Vec<Selected> {
    let known: HashSet<Id> = selected.iter().map(|one| one.commit.id).collect();
    let find = |parent: &Id| {
        let mut found = Vec::new();
        let mut open = vec![*parent];
        let mut seen = HashSet::new();
        while let Some(id) = open.pop() {
            if known.contains(&id) {
                if !found.contains(&id) {
                    found.push(id);
                }
            } else if seen.insert(id)
                && let Some(parents) = rewritten.get(&id)
            {
                open.extend(parents.iter().rev());
            }
        }
        found
    };
    let mut out = Vec::new();
    for mut one in selected {
        let mut parents: Vec<Id> = Vec::new();
        for parent in &one.parents {
            for id in find(parent) {
                if !parents.contains(&id) {
                    parents.push(id);
                }
            }
        }
        one.parents = parents;
        out.push(one);
    }
    out
}

/// Children before their parents (Kahn's algorithm), from the order by date. Lines of development stay together,
/// since the parent that became free last is next; with `by_date` the youngest free one is.
fn sort(selected: Vec<Selected>, by_date: bool) -> Vec<Selected> {
    let order: Vec<Id> = selected.iter().map(|one| one.commit.id).collect();
    let mut all: HashMap<Id, Selected> = selected
        .into_iter()
        .map(|one| (one.commit.id, one))
        .collect();
    let mut children: HashMap<Id, usize> = HashMap::new();
    for one in all.values() {
        for parent in &one.parents {
            *children.entry(*parent).or_insert(0) += 1;
        }
    }
    let free = order.iter().filter(|id| !children.contains_key(*id));
    let mut ready: Vec<Id> = free.rev().copied().collect();
    let mut out = Vec::new();
    while let Some(id) = ready.pop() {
        let Some(one) = all.remove(&id) else { continue };
        for parent in one.parents.iter() {
            if let Some(left) = children.get_mut(parent) {
                *left -= 1;
                if *left == 0 {
                    ready.push(*parent);
                }
            }
        }
        if by_date {
            ready.sort_by_key(|id| all.get(id).map_or(0, |one| one.commit.committer.time));
        }
        out.push(one);
    }
    out
}
