//! `git clone` (Documentation/git-clone).
//!
//! The other side's references are listed first, so that a clone that cannot be makes no folder. Then a repository is
//! initialized, all wanted objects are fetched in one pack, references are written packed, `HEAD` is set and files
//! checked out. Where any of it fails, a folder that was made is removed.
//!
//! `--filter` is ignored with a warning, `--depth` for folders too, as git does. Not here: `--shared`, `--reference`,
//! `--sparse`, `--separate-git-dir`, `--shallow-since`. `--local`, `--hardlinks`, `--jobs`, `--template` and
//! `--shallow-submodules` have no effect: objects are always copied.

use std::collections::BTreeMap;

use super::super::branch::{edit_config, identity};
use super::super::config::{self, Config};
use super::super::flags::Flags;
use super::super::init;
use super::super::objects::Id;
use super::super::refs::Target;
use super::super::repository::{Globals, Repository, directory, settings};
use super::super::stop::{Outcome, fatal, usage};
use super::super::submodule;
use super::super::tree::Items;
use super::advert::Advert;
use super::transport::{Service, Transport, Wants, is_bundle, is_local};
use super::{pack, url};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::output::Output;
use crate::system;

/// The options that are read.
const OPTIONS: &[Opt] = &[
    Opt("b", "branch", Value::Required),
    Opt("o", "origin", Value::Required),
    Opt("q", "quiet", Value::No),
    Opt("v", "verbose", Value::No),
    Opt("n", "checkout", Value::No),
    Opt("", "bare", Value::No),
    Opt("", "mirror", Value::No),
    Opt("", "depth", Value::Required),
    Opt("", "single-branch", Value::No),
    Opt("", "tags", Value::No),
    Opt("c", "config", Value::Required),
    Opt("l", "local", Value::No),
    Opt("", "hardlinks", Value::No),
    Opt("s", "shared", Value::No),
    Opt("", "progress", Value::No),
    Opt("", "filter", Value::Required),
    Opt("", "recurse-submodules", Value::Optional),
    Opt("", "recursive", Value::Optional),
    Opt("", "shallow-submodules", Value::No),
    Opt("", "sparse", Value::No),
    Opt("", "template", Value::Required),
    Opt("", "reference", Value::Required),
    Opt("", "separate-git-dir", Value::Required),
    Opt("", "shallow-since", Value::Required),
    Opt("j", "jobs", Value::Required),
    Opt("4", "ipv4", Value::No),
    Opt("6", "ipv6", Value::No),
];

/// What is cloned, and how.
struct Clone<'a> {
    flags: &'a Flags,
    /// The remote's name: `-o`, `clone.defaultRemoteName`, `origin`.
    origin: Vec<u8>,
    /// As it is noted in the settings.
    url: Vec<u8>,
    /// Without a work tree; `--mirror` implies it.
    bare: bool,
    /// How many commits of each line of history come along; none for all.
    depth: Option<usize>,
    /// Only the branch that is checked out comes along; implied by a depth.
    single: bool,
}

/// `git clone`
pub fn clone(globals: &Globals, arguments: &[Vec<u8>], out: &mut Output) -> Outcome<i32> {
    clone_if(globals, arguments, out, || Ok(()))
}

/// `git clone`, where `allowed` agrees once it was said what is cloned. A submodule's URL is judged there, so that
/// the refusal stands below the line `Cloning into …`, as git has it.
pub fn clone_if(
    globals: &Globals,
    arguments: &[Vec<u8>],
    out: &mut Output,
    allowed: impl FnOnce() -> Outcome,
) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    for name in [
        "s",
        "sparse",
        "reference",
        "separate-git-dir",
        "shallow-since",
    ] {
        if flags.has(name) {
            let name = if name == "s" { "shared" } else { name };
            return Err(usage(format!("option `--{name}' is not supported")));
        }
    }
    let operands = flags.all_paths();
    let (given, folder) = match operands.as_slice() {
        [url] => (url, None),
        [url, folder] => (url, Some(folder.clone())),
        [] => return Err(usage("You must specify a repository to clone.")),
        _ => return Err(usage("Too many arguments.")),
    };
    let config = settings(globals, None)?;
    let bare = flags.has("bare") || flags.has("mirror");
    let depth = flags.number("depth")?;
    if depth == Some(0) {
        return Err(fatal("depth 0 is not a positive number"));
    }
    let clone = Clone {
        origin: flags
            .value("o")
            .or_else(|| config.get("clone.defaultremotename"))
            .unwrap_or(b"origin")
            .to_vec(),
        url: place(&config, given)?,
        bare,
        depth,
        single: (flags.has("single-branch") || depth.is_some()) && !flags.denied("single-branch"),
        flags: &flags,
    };
    let guessed = || {
        let bundle = is_local(given) && is_bundle(given);
        url::folder(given, bare, bundle).ok_or_else(|| {
            fatal(
                "No directory name could be guessed.\nPlease specify a directory on the command line",
            )
        })
    };
    let mut folder = match folder {
        Some(folder) => folder,
        None => guessed()?,
    };
    while folder.len() > 1 && folder.ends_with(b"/") {
        folder.pop();
    }
    clone.run(globals, &config, &folder, allowed, out)
}

/// The absolute path of a folder, or the URL, after `url.BASE.insteadOf`. A path must lead to a repository or a
/// bundle.
fn place(config: &Config, given: &[u8]) -> Outcome<Vec<u8>> {
    let url = url::rewritten(config, given, false);
    if url.is_empty() && super::local::find(&url).is_some() {
        return Err(fatal("The empty string is not a valid path"));
    }
    if !is_local(&url) || url.starts_with(b"file://") {
        return Ok(url);
    }
    if super::local::find(&url).is_none() && !is_bundle(&url) {
        return Err(fatal(bytes!("repository '", given, "' does not exist")));
    }
    Ok(system::join(&directory()?, &url))
}

impl Clone<'_> {
    /// Checks the folder, lists, and fills. The folder must be empty or missing.
    fn run(
        &self,
        globals: &Globals,
        config: &Config,
        folder: &[u8],
        allowed: impl FnOnce() -> Outcome,
        out: &mut Output,
    ) -> Outcome<i32> {
        let there = system::read_directory(folder);
        let existed = there.is_ok();
        if there.is_ok_and(|entries| !entries.is_empty()) || system::read_whole(folder).is_ok() {
            return Err(fatal(bytes!(
                "destination path '",
                folder,
                "' already exists and is not an empty directory."
            )));
        }
        let quiet = self.flags.has("q");
        if !quiet {
            let what = if self.bare {
                "Cloning into bare repository '"
            } else {
                "Cloning into '"
            };
            super::sideband::tell(&bytes!(what, folder, "'...\n"));
        }
        if self.flags.has("filter") {
            super::sideband::warn("filtering is not supported here, ignoring");
        }
        if self.depth.is_some() && self.is_folder() {
            super::sideband::warn("--depth is ignored in local clones; use file:// instead.");
        }
        let mut config = config.clone();
        for word in self.flags.values("c") {
            config.add_word(word)?;
        }
        allowed()?;
        let mut transport = Transport::open(&config, &self.url)?;
        let advert = transport.list(Service::Fetch)?;
        let head = self.head(&advert, &config)?;
        let outcome = self.fill(globals, folder, &transport, &advert, &head, out);
        if outcome.is_err() && !existed {
            // Nothing half done stays behind; what cannot be removed is in the way of nothing.
            let _ = std::fs::remove_dir_all(String::from_utf8_lossy(folder).as_ref());
        }
        outcome
    }

    /// Whether the submodules come along.
    fn recurses(&self) -> bool {
        self.flags.has("recurse-submodules") || self.flags.has("recursive")
    }

    /// Whether it comes from a folder that was named as such.
    fn is_folder(&self) -> bool {
        is_local(&self.url) && !self.url.starts_with(b"file://") && !is_bundle(&self.url)
    }

    /// The reference that is checked out: the one of `-b`, a branch or a tag, or what the other side's `HEAD` says.
    fn head(&self, advert: &Advert, config: &Config) -> Outcome<Head> {
        if let Some(word) = self.flags.value("b") {
            let forms = ["refs/heads/", "refs/tags/"].map(|folder| bytes!(folder, word));
            let found = forms
                .into_iter()
                .find(|name| advert.refs.contains_key(name));
            return match found {
                Some(name) => Ok(Head::Reference(name)),
                None => Err(fatal(bytes!(
                    "Remote branch ",
                    word,
                    " not found in upstream ",
                    self.origin
                ))),
            };
        }
        let branch = advert
            .default_branch()
            .filter(|name| advert.refs.contains_key(name));
        Ok(match (branch, advert.refs.get(b"HEAD".as_slice())) {
            (Some(name), _) => Head::Reference(name),
            (None, Some(id)) => Head::Commit(*id),
            (None, None) => {
                let usual = config.get("init.defaultbranch").unwrap_or(b"master");
                Head::Missing(
                    advert
                        .head
                        .clone()
                        .unwrap_or_else(|| bytes!("refs/heads/", usual)),
                )
            }
        })
    }

    /// Makes the repository and fetches into it.
    fn fill(
        &self,
        globals: &Globals,
        folder: &[u8],
        transport: &Transport,
        advert: &Advert,
        head: &Head,
        out: &mut Output,
    ) -> Outcome<i32> {
        let mut repository = self.make(globals, folder, head, out)?;
        let wanted = self.wanted(advert, head);
        let mut ids: Vec<Id> = wanted.iter().map(|(_, id)| *id).collect();
        if let Head::Commit(id) = head {
            ids.push(*id);
        }
        ids.sort();
        ids.dedup();
        if ids.is_empty() {
            super::sideband::warn("You appear to have cloned an empty repository.");
        } else {
            let tags = !self.flags.denied("tags");
            let wants = Wants {
                ids,
                depth: self.depth.filter(|_| !self.is_folder()),
                tags,
                ..Wants::default()
            };
            let received = transport.fetch(advert, &wants)?;
            let checked = super::bundle::check_needs(&repository, &received.needs);
            checked.map_err(super::bundle::refused)?;
            super::fetch::set_shallow(&mut repository, &received.shallow, &[])?;
            pack::store(&mut repository, received.pack)?;
        }
        self.references(&repository, advert, wanted, head)?;
        if self.is_folder() && !self.flags.has("q") {
            super::sideband::tell(b"done.\n");
        }
        if !self.bare {
            self.check_out(&mut repository, head)?;
        }
        if self.recurses() && !self.bare && repository.head().is_some() {
            out.flush();
            let status = submodule::update_all(&mut repository, self.flags.has("q"));
            repository.out.flush();
            return status;
        }
        Ok(0)
    }

    /// An empty repository that knows where it comes from.
    fn make(
        &self,
        globals: &Globals,
        folder: &[u8],
        head: &Head,
        out: &mut Output,
    ) -> Outcome<Repository> {
        let mut words = vec![b"-q".to_vec(), folder.to_vec()];
        if let Head::Reference(name) | Head::Missing(name) = head
            && let Some(branch) = name.strip_prefix(b"refs/heads/")
        {
            words.extend([b"-b".to_vec(), branch.to_vec()]);
        }
        if self.bare {
            words.push(b"--bare".to_vec());
        }
        let plain = Globals {
            settings: globals.settings.clone(),
            ..Globals::default()
        };
        init::init(&plain, &words, out)?;
        let root = system::join(&directory()?, folder);
        let root = system::canonicalize(&root).unwrap_or(root);
        let own = Globals {
            bare: false,
            settings: globals.settings.clone(),
            git_dir: Some(if self.bare {
                root.clone()
            } else {
                system::join(&root, b".git")
            }),
            work_tree: (!self.bare).then(|| root.clone()),
        };
        let repository = Repository::discover(&own)?;
        let key = |what: &str| bytes!("remote.", self.origin, ".", what);
        edit_config(&repository, |text| {
            let mut text = text;
            for word in self.flags.values("c") {
                let equals = word
                    .iter()
                    .position(|&byte| byte == b'=')
                    .unwrap_or(word.len());
                let value = word.get(equals + 1..).unwrap_or(b"true");
                text = config::set(&text, b"config", &word[..equals], value, true)?;
            }
            if self.recurses() {
                let folders: Vec<&[u8]> = ["recurse-submodules", "recursive"]
                    .iter()
                    .flat_map(|key| self.flags.values(key))
                    .collect();
                for folder in folders {
                    let paths = if folder.is_empty() { b"." } else { folder };
                    text = config::set(&text, b"config", b"submodule.active", paths, true)?;
                }
            }
            text = config::set(&text, b"config", &key("url"), &self.url, false)?;
            if self.flags.denied("tags") {
                text = config::set(&text, b"config", &key("tagOpt"), b"--no-tags", false)?;
            }
            if let Some(rule) = self.rule(head) {
                text = config::set(&text, b"config", &key("fetch"), &rule, false)?;
            }
            if self.flags.has("mirror") {
                text = config::set(&text, b"config", &key("mirror"), b"true", false)?;
            }
            Ok(text)
        })?;
        Repository::discover(&own)
    }

    /// What later fetches bring: all branches, only the one of `--single-branch`, everything for a mirror, nothing
    /// for a bare clone, as git has it.
    fn rule(&self, head: &Head) -> Option<Vec<u8>> {
        if self.flags.has("mirror") {
            return Some(b"+refs/*:refs/*".to_vec());
        }
        if self.bare {
            return None;
        }
        Some(match head {
            Head::Reference(name) if self.single => match name.strip_prefix(b"refs/heads/") {
                Some(branch) => bytes!("+", name, ":refs/remotes/", self.origin, "/", branch),
                None => bytes!("+", name, ":", name),
            },
            _ => bytes!("+refs/heads/*:refs/remotes/", self.origin, "/*"),
        })
    }

    /// The references that come along, with their names there. Tags of a single branch are not among them: those
    /// whose objects came along are taken afterwards.
    fn wanted(&self, advert: &Advert, head: &Head) -> Vec<(Vec<u8>, Id)> {
        let tags = !self.flags.denied("tags");
        let all = advert.refs.iter().filter(|(name, _)| match head {
            Head::Reference(only) if self.single && *name == only => true,
            Head::Reference(_) | Head::Commit(_) if self.single => false,
            _ if self.flags.has("mirror") => name.starts_with(b"refs/"),
            _ => name.starts_with(b"refs/heads/") || (tags && name.starts_with(b"refs/tags/")),
        });
        all.map(|(name, id)| (name.clone(), *id)).collect()
    }

    /// Notes what the other side had: branches as `refs/remotes/ORIGIN/…`, or under their own names in a bare clone,
    /// tags, and `refs/remotes/ORIGIN/HEAD`.
    fn references(
        &self,
        repository: &Repository,
        advert: &Advert,
        mut wanted: Vec<(Vec<u8>, Id)>,
        head: &Head,
    ) -> Outcome {
        if self.single && !self.flags.denied("tags") {
            let tags = advert.refs.iter().filter(|(name, id)| {
                name.starts_with(b"refs/tags/")
                    && repository.objects.has(id)
                    && advert
                        .target(name)
                        .is_some_and(|id| repository.objects.has(&id))
            });
            wanted.extend(tags.map(|(name, id)| (name.clone(), *id)));
        }
        let rows = wanted.into_iter().map(|(name, id)| {
            let local = match name.strip_prefix(b"refs/heads/") {
                Some(branch) if !self.bare => bytes!("refs/remotes/", self.origin, "/", branch),
                _ => name.clone(),
            };
            let peeled = repository.objects.peel(&id).ok().map(|(peeled, _)| peeled);
            (local, (id, peeled.filter(|peeled| *peeled != id)))
        });
        let rows: BTreeMap<_, _> = rows.collect();
        if !rows.is_empty() {
            repository.refs.write_packed(&rows)?;
        }
        let who = identity(repository);
        let why = bytes!("clone: from ", url::without_secrets(&self.url));
        let folder = bytes!("refs/remotes/", self.origin, "/");
        if let (Some(name), false) = (advert.default_branch(), self.bare)
            && let Some(branch) = name.strip_prefix(b"refs/heads/")
        {
            let follower = bytes!(folder, branch);
            if let Some(id) = repository.refs.resolve(&follower) {
                let link = bytes!(folder, "HEAD");
                repository.refs.set(&link, &Target::Symbolic(follower))?;
                repository
                    .refs
                    .log(&link, &super::super::objects::none(), &id, &who, &why)?;
            }
        }
        self.set_head(repository, advert, head, &why)
    }

    /// Sets `HEAD`: to a branch that follows the remote's, detached for a tag or a commit, to a branch without
    /// commits for an empty repository.
    fn set_head(
        &self,
        repository: &Repository,
        advert: &Advert,
        head: &Head,
        why: &[u8],
    ) -> Outcome {
        let who = identity(repository);
        match head {
            Head::Reference(name) => match name.strip_prefix(b"refs/heads/") {
                Some(_) if self.bare => repository
                    .refs
                    .set(b"HEAD", &Target::Symbolic(name.clone())),
                Some(branch) => {
                    let id = advert.refs.get(name).copied();
                    let id = id.unwrap_or_else(super::super::objects::none);
                    repository.refs.update(b"HEAD", &id, &who, why)?;
                    self.follow(repository, branch, name)
                }
                None => {
                    let id = advert
                        .target(name)
                        .unwrap_or_else(super::super::objects::none);
                    let id = repository.objects.peel(&id).map_or(id, |(id, _)| id);
                    repository.refs.set(b"HEAD", &Target::Object(id))?;
                    let old = super::super::objects::none();
                    repository.refs.log(b"HEAD", &old, &id, &who, why)
                }
            },
            Head::Commit(id) => {
                repository.refs.set(b"HEAD", &Target::Object(*id))?;
                let old = super::super::objects::none();
                repository.refs.log(b"HEAD", &old, id, &who, why)
            }
            Head::Missing(name) => match name.strip_prefix(b"refs/heads/") {
                Some(branch) if !self.bare => self.follow(repository, branch, name),
                _ => Ok(()),
            },
        }
    }

    /// Lets a branch follow the remote's, in the settings.
    fn follow(&self, repository: &Repository, branch: &[u8], name: &[u8]) -> Outcome {
        let key = |what: &str| bytes!("branch.", branch, ".", what);
        edit_config(repository, |text| {
            let text = config::set(&text, b"config", &key("remote"), &self.origin, false)?;
            config::set(&text, b"config", &key("merge"), name, false)
        })
    }

    /// Writes the files of `HEAD`, unless `-n`; advice where it is detached.
    fn check_out(&self, repository: &mut Repository, head: &Head) -> Outcome {
        let Some(id) = repository.head() else {
            return Ok(());
        };
        if self.flags.denied("n") || self.flags.has("n") {
            return Ok(());
        }
        let detached = matches!(head, Head::Reference(_)) && repository.refs.head().is_none();
        let advised = repository.config.truth("advice.detachedhead", true);
        if detached && advised && !self.flags.has("q") {
            let advice = super::super::switch::ADVICE;
            repository.say(bytes!(
                "Note: switching to '",
                id.to_string(),
                "'.\n\n",
                advice
            ));
        }
        let items = repository.items(&id)?;
        let mut index = repository.index()?;
        let reason = &super::super::move_tree::CHECKOUT;
        repository.move_tree(&mut index, &Items::new(), &items, true, reason)?;
        repository.save(&index)
    }
}

/// What is checked out.
enum Head {
    /// A branch, or a tag.
    Reference(Vec<u8>),
    Commit(Id),
    /// A branch without commits.
    Missing(Vec<u8>),
}
