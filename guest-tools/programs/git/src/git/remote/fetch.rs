//! `git fetch` (Documentation/git-fetch): references and objects of another repository.
//!
//! `plan` says which references go where, [`bring`] fetches the objects that are missing in one pack, `report` moves
//! the references, tells of each and writes `FETCH_HEAD`. Tags of what was fetched come along in a second request,
//! unless options say all or none. `--filter` is ignored with a warning; `--prune-tags` is not here.

mod plan;
mod report;

use super::super::flags::Flags;
use super::super::objects::Id;
use super::super::repository::Repository;
use super::super::stop::{Outcome, fatal, usage};
use super::super::walk::Walk;
use super::advert::Advert;
use super::refspec::Refspec;
use super::transport::{Service, Transport, Wants};
use super::{Remote, default_name, names, pack};
use crate::call::bytes;
use crate::options::{Opt, Value};
use plan::{plan, refuse_current};
use report::Report;

pub use plan::resolve;
pub use report::merged;

/// As many commits that are here are named to the other side.
const HAVES: usize = 512;

/// A depth that nothing exceeds: `--unshallow`.
const ENDLESS: usize = 0x7fff_ffff;

/// How to fetch; what `pull` and `remote update` share.
#[derive(Default)]
pub struct Settings {
    /// Nothing is told.
    pub quiet: bool,
    /// References that did not move are told as well.
    pub verbose: bool,
    /// References and `FETCH_HEAD` stay; objects come.
    pub dry: bool,
    /// All references may go elsewhere than forward.
    pub force: bool,
    /// References whose source is gone there are deleted.
    pub prune: bool,
    /// Adds to `FETCH_HEAD` instead of replacing it.
    pub append: bool,
    /// All tags or none; otherwise those of what is fetched.
    pub tags: Option<bool>,
    /// So many commits of each line of history, from the tips.
    pub depth: Option<usize>,
    /// Whether the branch that is checked out may move.
    pub moves_head: bool,
    /// What the history of references says: `fetch origin`.
    pub action: Vec<u8>,
}

/// How a reference is noted in `FETCH_HEAD`: in this order, since what is to be merged stands first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Mark {
    Merge,
    Other,
    Unmarked,
}

/// A reference of the other side, and where it goes here.
struct Update {
    /// Its full name there.
    source: Vec<u8>,
    id: Id,
    /// The full name here; none where it is only noted.
    local: Option<Vec<u8>>,
    force: bool,
    mark: Mark,
}

/// The options that are read.
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

/// `git fetch [REMOTE [REFSPEC…]]`, `--all`, `--multiple`. A status is the highest of all.
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

/// Reads references to fetch; `tag NAME` stands for the tag of this name.
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

/// Fetches from a remote; 1 where a reference was refused. The objects are here before any reference moves.
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

/// Fetches the objects that are not here, with what `HAVES` commits of ours let the other side leave out. With a
/// depth all are asked for, since their history may be cut elsewhere.
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
