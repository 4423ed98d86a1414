//! `git fetch`.

use super::super::branch::identity;
use super::super::flags::Flags;
use super::super::objects::{Id, none, parse_id, write_file};
use super::super::refs::Target;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal, usage};
use super::super::walk::{Walk, is_ancestor};
use super::advert::Advert;
use super::refspec::Refspec;
use super::transport::{Service, Transport, Wants};
use super::{Remote, default_name, names, pack, pretty, url};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// As many commits that are here are named to the other side.
const HAVES: usize = 512;

/// A depth that nothing exceeds: `--unshallow`.
const ENDLESS: usize = 0x7fff_ffff;

/// How to fetch.
#[derive(Default)]
pub struct Settings {
    pub quiet: bool,
    pub verbose: bool,
    pub dry: bool,
    pub force: bool,
    pub prune: bool,
    /// Adds to `FETCH_HEAD` instead of replacing it.
    pub append: bool,
    /// All tags or none; otherwise those of what is fetched.
    pub tags: Option<bool>,
    pub depth: Option<usize>,
    /// Whether the branch that is checked out may move.
    pub moves_head: bool,
    /// What the history of references says: `fetch origin`.
    pub action: Vec<u8>,
}

/// How a reference is noted in `FETCH_HEAD`.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Merge,
    Other,
    Unmarked,
}

/// A reference of the other side, and where it goes here.
struct Update {
    source: Vec<u8>,
    id: Id,
    local: Option<Vec<u8>>,
    force: bool,
    mark: Mark,
}

const OPTIONS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("a", "append", Value::No),
    Opt("f", "force", Value::No),
    Opt("p", "prune", Value::No),
    Opt("P", "prune-tags", Value::No),
    Opt("t", "tags", Value::No),
    Opt("", "all", Value::No),
    Opt("", "multiple", Value::No),
    Opt("", "depth", Value::Required),
    Opt("", "unshallow", Value::No),
    Opt("u", "update-head-ok", Value::No),
    Opt("", "dry-run", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "recurse-submodules", Value::Optional),
    Opt("j", "jobs", Value::Required),
    Opt("", "filter", Value::Required),
    Opt("4", "ipv4", Value::No),
    Opt("6", "ipv6", Value::No),
    Opt("n", "", Value::No),
    Opt("", "auto-gc", Value::No),
    Opt("", "auto-maintenance", Value::No),
    Opt("", "write-fetch-head", Value::No),
];

/// `git fetch`
pub fn command(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let mut operands = flags.all_paths();
    let mut settings = settings(&flags)?;
    settings.action = bytes!("fetch", joined(arguments));
    if flags.has("prune-tags") || flags.has("P") {
        return Err(usage("option `--prune-tags' is not supported"));
    }
    if flags.has("all") || flags.has("multiple") {
        let list = if flags.has("all") {
            names(&repository.config)
        } else {
            operands
        };
        let mut status = 0;
        let several = list.len() > 1;
        for name in list {
            if several && !settings.quiet {
                repository.out.put(bytes!("Fetching ", name, "\n"));
                repository.out.flush();
            }
            let remote = Remote::find(&repository.config, &name)?;
            status = status.max(fetch(repository, &remote, &[], &settings)?);
            settings.append = true;
        }
        return Ok(status);
    }
    let named = !operands.is_empty();
    let name = match named {
        true => operands.remove(0),
        false => default_name(repository),
    };
    let remote = Remote::find(&repository.config, &name)?;
    if !named && !remote.is_named {
        return Ok(0);
    }
    let specs = specs(&operands)?;
    fetch(repository, &remote, &specs, &settings)
}

/// Options that `pull` shares.
pub fn settings(flags: &Flags) -> Outcome<Settings> {
    if let Some(filter) = flags.value("filter") {
        let _ = filter;
        super::sideband::warn("filtering is not supported here, ignoring");
    }
    let depth = flags.number("depth")?;
    if depth == Some(0) {
        return Err(fatal("depth 0 is not a positive number"));
    }
    let all = flags.has("unshallow").then_some(ENDLESS);
    Ok(Settings {
        quiet: flags.has("q"),
        verbose: flags.has("v"),
        dry: flags.has("dry-run"),
        force: flags.has("f"),
        prune: flags.has("p"),
        append: flags.has("a"),
        tags: match (flags.has("t"), flags.denied("t") || flags.has("n")) {
            (true, _) => Some(true),
            (_, true) => Some(false),
            _ => None,
        },
        depth: all.or(depth),
        moves_head: flags.has("u"),
        action: Vec::new(),
    })
}

/// The words of a command line with blanks before them.
pub fn joined(arguments: &[Vec<u8>]) -> Vec<u8> {
    arguments
        .iter()
        .flat_map(|word| bytes!(" ", word))
        .collect()
}

/// Reads references to fetch; `tag NAME` stands for one of them.
pub fn specs(words: &[Vec<u8>]) -> Outcome<Vec<Refspec>> {
    let mut specs = Vec::new();
    let mut words = words.iter();
    while let Some(word) = words.next() {
        let text = match word.as_slice() {
            b"tag" => {
                let Some(name) = words.next() else {
                    return Err(fatal("You need to specify a tag name."));
                };
                bytes!("refs/tags/", name, ":refs/tags/", name)
            }
            _ => word.clone(),
        };
        specs.push(Refspec::parse(&text)?);
    }
    Ok(specs)
}

/// Fetches from a remote; 1 where a reference was refused.
pub fn fetch(
    repository: &mut Repository,
    remote: &Remote,
    specs: &[Refspec],
    settings: &Settings,
) -> Outcome<i32> {
    let mut transport = Transport::open(&repository.config, &remote.url)?;
    let advert = transport.list(Service::Fetch)?;
    let tags = settings.tags.or(remote.tags);
    let mut updates = plan(repository, remote, &advert, specs, tags)?;
    if !settings.moves_head {
        refuse_current(repository, &updates)?;
    }
    let follows = tags.is_none()
        && updates
            .iter()
            .any(|update| update.local.is_some() && update.mark != Mark::Unmarked);
    bring(
        repository,
        &transport,
        &advert,
        &updates,
        settings.depth,
        follows,
    )?;
    if follows {
        let extra = tags_of_known(repository, &advert, &updates);
        bring(repository, &transport, &advert, &extra, None, false)?;
        updates.extend(extra);
    }
    let mut report = Report::new(repository, remote, settings, &updates);
    if settings.prune || remote.prune {
        let rules = if specs.is_empty() {
            &remote.fetch
        } else {
            specs
        };
        report.prune(repository, rules, &advert)?;
    }
    report.apply(repository, &updates)?;
    if !settings.dry {
        report.note(repository, remote, &updates)?;
    }
    Ok(i32::from(report.refused))
}

/// What is to be fetched and where it goes, what is merged first.
fn plan(
    repository: &Repository,
    remote: &Remote,
    advert: &Advert,
    specs: &[Refspec],
    tags: Option<bool>,
) -> Outcome<Vec<Update>> {
    let mut updates: Vec<Update> = Vec::new();
    if !specs.is_empty() {
        for spec in specs.iter().filter(|spec| !spec.negative) {
            expand(&mut updates, spec, advert, Mark::Merge)?;
        }
        let sources: Vec<Vec<u8>> = updates.iter().map(|update| update.source.clone()).collect();
        for source in sources {
            let known = remote.fetch.iter().find(|spec| spec.map(&source).is_some());
            let (Some(spec), Some(id)) = (known, advert.refs.get(&source)) else {
                continue;
            };
            let local = spec.map(&source);
            if updates.iter().all(|update| update.local != local) {
                let (id, force, mark) = (*id, spec.force, Mark::Unmarked);
                updates.push(Update {
                    source,
                    id,
                    local,
                    force,
                    mark,
                });
            }
        }
    } else if remote.fetch.is_empty() {
        let head = Refspec {
            source: b"HEAD".to_vec(),
            ..Refspec::default()
        };
        expand(&mut updates, &head, advert, Mark::Merge)?;
    } else {
        for spec in remote.fetch.iter().filter(|spec| !spec.negative) {
            expand(&mut updates, spec, advert, Mark::Other)?;
        }
        mark_merged(repository, remote, &mut updates);
    }
    let all = if specs.is_empty() {
        &remote.fetch
    } else {
        specs
    };
    let left_out = |name: &[u8]| all.iter().any(|spec| spec.negative && spec.fits(name));
    updates.retain(|update| !left_out(&update.source));
    if tags == Some(true) {
        let rule = Refspec::parse(b"refs/tags/*:refs/tags/*")?;
        let mark = if specs.is_empty() {
            Mark::Other
        } else {
            Mark::Unmarked
        };
        expand(&mut updates, &rule, advert, mark)?;
    }
    updates.sort_by_key(|update| update.mark);
    Ok(updates)
}

/// What the current branch follows is what `pull` merges.
fn mark_merged(repository: &Repository, remote: &Remote, updates: &mut [Update]) {
    let branch = repository.refs.branch().unwrap_or_default();
    let branch = String::from_utf8_lossy(&branch).into_owned();
    let setting = |key: &str| repository.config.get(&format!("branch.{branch}.{key}"));
    if setting("remote") != Some(&remote.name) {
        return;
    }
    let merged = setting("merge");
    for update in updates {
        if merged == Some(&update.source) {
            update.mark = Mark::Merge;
        }
    }
}

/// Adds what a rule stands for.
fn expand(updates: &mut Vec<Update>, spec: &Refspec, advert: &Advert, mark: Mark) -> Outcome {
    let force = spec.force;
    if spec.is_pattern() {
        for (source, id) in &advert.refs {
            if let Some(local) = spec.map(source).filter(|_| source != b"HEAD") {
                let (source, id, local) = (source.clone(), *id, Some(local));
                updates.push(Update {
                    source,
                    id,
                    local,
                    force,
                    mark,
                });
            }
        }
        return Ok(());
    }
    let word = if spec.source.is_empty() {
        b"HEAD"
    } else {
        spec.source.as_slice()
    };
    let found = resolve(advert, word);
    let (source, id) = match (found, parse_id(word)) {
        (Some((source, id)), _) => (source, id),
        (None, Some(id)) => (word.to_vec(), id),
        (None, None) => return Err(fatal(bytes!("couldn't find remote ref ", word))),
    };
    let local = spec.target.as_deref().filter(|target| !target.is_empty());
    let local = local.map(|target| {
        if target.starts_with(b"refs/") {
            target.to_vec()
        } else if source.starts_with(b"refs/tags/") {
            bytes!("refs/tags/", target)
        } else {
            bytes!("refs/heads/", target)
        }
    });
    updates.push(Update {
        source,
        id,
        local,
        force,
        mark,
    });
    Ok(())
}

/// The reference of the other side that a short name means.
pub fn resolve(advert: &Advert, word: &[u8]) -> Option<(Vec<u8>, Id)> {
    let folders = ["", "refs/", "refs/tags/", "refs/heads/", "refs/remotes/"];
    let mut names = folders.iter().map(|folder| bytes!(folder, word));
    names.find_map(|name| advert.refs.get(&name).map(|id| (name, *id)))
}

fn refuse_current(repository: &Repository, updates: &[Update]) -> Outcome {
    let current = repository.refs.head();
    let clash = updates
        .iter()
        .any(|update| update.local.is_some() && update.local == current);
    match (&repository.root, current) {
        (Some(root), Some(current)) if clash => Err(fatal(bytes!(
            "refusing to fetch into branch '",
            current,
            "' checked out at '",
            root,
            "'"
        ))),
        _ => Ok(()),
    }
}

/// Fetches the objects that are not here.
fn bring(
    repository: &mut Repository,
    transport: &Transport,
    advert: &Advert,
    updates: &[Update],
    depth: Option<usize>,
    tags: bool,
) -> Outcome {
    let mut ids: Vec<Id> = updates.iter().map(|update| update.id).collect();
    ids.retain(|id| depth.is_some() || !repository.objects.has(id));
    ids.sort();
    ids.dedup();
    if ids.is_empty() {
        return Ok(());
    }
    let wants = Wants {
        ids,
        haves: haves(repository)?,
        depth,
        shallow: repository.objects.shallow().iter().copied().collect(),
        tags,
    };
    let received = transport.fetch(advert, &wants)?;
    super::bundle::check_needs(repository, &received.needs)?;
    set_shallow(repository, &received.shallow, &received.unshallow)?;
    pack::store(repository, received.pack)
}

/// Notes where the history ends early.
pub fn set_shallow(repository: &mut Repository, add: &[Id], remove: &[Id]) -> Outcome {
    if add.is_empty() && remove.is_empty() {
        return Ok(());
    }
    let mut all = repository.objects.shallow().clone();
    all.retain(|id| !remove.contains(id));
    all.extend(add);
    repository.objects.set_shallow(all)
}

/// Commits that are here: first those that references name, then what lies behind them.
fn haves(repository: &Repository) -> Outcome<Vec<Id>> {
    let mut tips = Vec::new();
    let refs = repository.refs.list(b"refs/").into_iter();
    let refs = refs.filter(|(name, _)| !name.starts_with(b"refs/tags/"));
    for id in refs.map(|(_, id)| id).chain(repository.head()) {
        let is_commit = repository.objects.commit(&id).is_ok();
        if is_commit && !tips.contains(&id) && tips.len() < HAVES / 2 {
            tips.push(id);
        }
    }
    let mut found = tips.clone();
    let mut walk = Walk::new(repository, &tips, &[])?;
    while let Some(commit) = walk.next()? {
        if found.len() == HAVES {
            break;
        }
        if !tips.contains(&commit.id) {
            found.push(commit.id);
        }
    }
    Ok(found)
}

/// Tags of the other side on objects that are here, and that are no tags here.
fn tags_of_known(repository: &Repository, advert: &Advert, updates: &[Update]) -> Vec<Update> {
    let tags = advert
        .refs
        .iter()
        .filter(|(name, _)| name.starts_with(b"refs/tags/"));
    let new = tags.filter(|(name, _)| {
        repository.refs.resolve(name).is_none()
            && updates
                .iter()
                .all(|update| update.local.as_ref() != Some(*name))
    });
    let known = new.filter(|(name, _)| {
        let target = advert.target(name);
        target.is_some_and(|id| repository.objects.has(&id))
    });
    known
        .map(|(name, id)| Update {
            source: name.clone(),
            id: *id,
            local: Some(name.clone()),
            force: false,
            mark: Mark::Other,
        })
        .collect()
}

/// What is told and noted of a fetch.
struct Report<'a> {
    settings: &'a Settings,
    shown_url: Vec<u8>,
    is_headed: bool,
    /// The width of what happened.
    summary: usize,
    /// The width of the names of the other side.
    names: usize,
    refused: bool,
}

/// What became of one reference.
struct Line {
    flag: char,
    summary: String,
    note: &'static str,
}

impl<'a> Report<'a> {
    fn new(
        repository: &Repository,
        remote: &Remote,
        settings: &'a Settings,
        updates: &[Update],
    ) -> Report<'a> {
        let mut names = 10;
        let mut widest = 7;
        for update in updates {
            widest = widest.max(repository.short(&update.id).len());
            let Some(local) = &update.local else { continue };
            if repository.refs.resolve(local) == Some(update.id) || update.source == b"HEAD" {
                continue;
            }
            let width = pretty(&update.source).len();
            if 21 + width + 4 + pretty(local).len() < 80 {
                names = names.max(width);
            }
        }
        Report {
            settings,
            shown_url: url::shown(&remote.url),
            is_headed: false,
            summary: 2 * widest + 3,
            names,
            refused: false,
        }
    }

    fn show(&mut self, repository: &Repository, line: &Line, from: &[u8], to: &[u8]) {
        let is_quiet = self.settings.quiet && line.flag != '!';
        if is_quiet || (line.flag == '=' && !self.settings.verbose) {
            return;
        }
        if !self.is_headed {
            repository.say(bytes!("From ", self.shown_url));
            self.is_headed = true;
        }
        let width = self.summary;
        let head = format!(" {} {:<width$} ", line.flag, line.summary);
        let blanks = b" ".repeat(self.names.saturating_sub(from.len()));
        let note = if line.note.is_empty() {
            String::new()
        } else {
            format!("  ({})", line.note)
        };
        repository.say(bytes!(head, from, blanks, " -> ", to, note));
    }

    /// Removes what follows references that are gone.
    fn prune(&mut self, repository: &Repository, rules: &[Refspec], advert: &Advert) -> Outcome {
        for (name, _) in repository.refs.list(b"refs/") {
            let sources: Vec<Vec<u8>> = rules
                .iter()
                .filter_map(|rule| rule.reverse(&name))
                .collect();
            let is_stale = !sources.is_empty()
                && sources
                    .iter()
                    .all(|source| !advert.refs.contains_key(source));
            let symbolic = matches!(repository.refs.get(&name), Some(Target::Symbolic(_)));
            if !is_stale || symbolic {
                continue;
            }
            if !self.settings.dry {
                repository.refs.delete(&name)?;
            }
            let summary = "[deleted]".to_owned();
            let line = Line {
                flag: '-',
                summary,
                note: "",
            };
            self.show(repository, &line, b"(none)", pretty(&name));
        }
        Ok(())
    }

    fn apply(&mut self, repository: &Repository, updates: &[Update]) -> Outcome {
        for update in updates {
            let name = pretty(&update.source);
            let Some(local) = &update.local else {
                let line = Line {
                    flag: '*',
                    summary: kind(&update.source, "branch").to_owned(),
                    note: "",
                };
                self.show(repository, &line, name, b"FETCH_HEAD");
                continue;
            };
            let line = self.update(repository, update, local)?;
            self.refused |= line.flag == '!';
            self.show(repository, &line, name, pretty(local));
        }
        Ok(())
    }

    fn update(&self, repository: &Repository, update: &Update, local: &[u8]) -> Outcome<Line> {
        let line = |flag, summary: &str, note| Line {
            flag,
            summary: summary.to_owned(),
            note,
        };
        let old = repository.refs.resolve(local);
        let force = update.force || self.settings.force;
        let Some(old) = old else {
            let (what, why) = if update.source.starts_with(b"refs/tags/") {
                ("[new tag]", "storing tag")
            } else if update.source.starts_with(b"refs/heads/") {
                ("[new branch]", "storing head")
            } else {
                ("[new ref]", "storing ref")
            };
            self.set(repository, local, &update.id, why)?;
            return Ok(line('*', what, ""));
        };
        if old == update.id {
            return Ok(line('=', "[up to date]", ""));
        }
        if local.starts_with(b"refs/tags/") {
            if !force {
                return Ok(line('!', "[rejected]", "would clobber existing tag"));
            }
            self.set(repository, local, &update.id, "updating tag")?;
            return Ok(line('t', "[tag update]", ""));
        }
        let commits = [&old, &update.id].map(|id| repository.objects.commit(id).is_ok());
        let forward = commits == [true, true] && is_ancestor(repository, &old, &update.id)?;
        let (from, to) = (repository.short(&old), repository.short(&update.id));
        if forward {
            self.set(repository, local, &update.id, "fast-forward")?;
            return Ok(line(' ', &format!("{from}..{to}"), ""));
        }
        if force {
            self.set(repository, local, &update.id, "forced-update")?;
            return Ok(line('+', &format!("{from}...{to}"), "forced update"));
        }
        Ok(line('!', "[rejected]", "non-fast-forward"))
    }

    fn set(&self, repository: &Repository, name: &[u8], id: &Id, why: &str) -> Outcome {
        if self.settings.dry {
            return Ok(());
        }
        let why = bytes!(self.settings.action, ": ", why);
        repository
            .refs
            .update(name, id, &identity(repository), &why)
    }

    /// Writes `FETCH_HEAD`.
    fn note(&self, repository: &Repository, remote: &Remote, updates: &[Update]) -> Outcome {
        let mut text = Vec::new();
        if self.settings.append {
            text = repository.note("FETCH_HEAD").unwrap_or_default();
        }
        let url = url::shown(&remote.url);
        for update in updates
            .iter()
            .filter(|update| update.mark != Mark::Unmarked)
        {
            let mark = if update.mark == Mark::Merge {
                ""
            } else {
                "not-for-merge"
            };
            let name = pretty(&update.source);
            let what = match kind(&update.source, "") {
                _ if update.source == b"HEAD" => Vec::new(),
                "" => bytes!("'", name, "' of "),
                kind => bytes!(kind, " '", name, "' of "),
            };
            text.extend(bytes!(format!("{}\t{mark}\t", update.id), what, url, "\n"));
        }
        write_file(&repository.own("FETCH_HEAD"), &text)
    }
}

/// What a reference is called.
fn kind<'a>(name: &[u8], other: &'a str) -> &'a str {
    if name.starts_with(b"refs/heads/") {
        "branch"
    } else if name.starts_with(b"refs/tags/") {
        "tag"
    } else if name.starts_with(b"refs/remotes/") {
        "remote-tracking branch"
    } else {
        other
    }
}

/// What `FETCH_HEAD` says is to be merged: commits, and what each is called.
pub fn merged(repository: &Repository) -> Vec<(Id, Vec<u8>)> {
    let text = repository.note("FETCH_HEAD").unwrap_or_default();
    let lines = text.split(|&byte| byte == b'\n');
    let found = lines.filter_map(|line| {
        let mut parts = line.splitn(3, |&byte| byte == b'\t');
        let id = parse_id(parts.next()?)?;
        let mark = parts.next()?;
        mark.is_empty().then_some((id, parts.next()?.to_vec()))
    });
    found.filter(|(id, _)| *id != none()).collect()
}
