//! `git submodule add` and `update` (Documentation/git-submodule): what brings other repositories in.
//!
//! A submodule's own repository lies in `.git/modules/NAME`, its folder has a file `.git` that leads there. `add`
//! clones, stages the commit and writes `.gitmodules`; `update` brings every folder to the commit that the index
//! names. URLs that come from `.gitmodules` are a stranger's words: they are checked before anything is fetched from
//! them.

use super::super::config;
use super::super::flags::Flags;
use super::super::index::Entry;
use super::super::objects::Id;
use super::super::remote;
use super::super::repository::{Globals, Repository};
use super::super::stop::{Outcome, Stop, fatal};
use super::super::tree::{COMMIT, Item};
use super::list::{self, FILE, Submodule, chosen, is_active, is_relative, resolved, setting};
use super::{change, display, failed, find, unmapped};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;

/// The options of `add`.
const ADD: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("b", "branch", Value::Required),
    Opt("f", "force", Value::No),
    Opt("", "name", Value::Required),
    Opt("", "depth", Value::Required),
    Opt("", "progress", Value::No),
];

/// The options of `update`. `--jobs`, `--progress`, `--recommend-shallow` and `--single-branch` have no effect.
const UPDATE: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("i", "init", Value::No),
    Opt("", "remote", Value::No),
    Opt("N", "no-fetch", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "checkout", Value::No),
    Opt("m", "merge", Value::No),
    Opt("r", "rebase", Value::No),
    Opt("", "recursive", Value::No),
    Opt("", "depth", Value::Required),
    Opt("j", "jobs", Value::Required),
    Opt("", "progress", Value::No),
    Opt("", "recommend-shallow", Value::No),
    Opt("", "single-branch", Value::No),
];

/// `git submodule add [-b BRANCH] [--name NAME] URL [PATH]`. A URL is absolute, or begins with `./` or `../` and is
/// then relative to the remote's. A repository that is at PATH already is taken in as it is.
///
/// `.gitmodules` keeps the URL as it was given, `.git/config` the resolved one. Both and the commit are staged at the
/// end.
pub fn add(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, ADD)?;
    let operands = flags.all_paths();
    let (given, folder) = match operands.as_slice() {
        [url] => (url, remote::folder(url)),
        [url, folder] => (url, folder.clone()),
        _ => return Err(super::wrong()),
    };
    let url = if is_relative(given) {
        if !repository.prefix.is_empty() {
            return Err(fatal(
                "Relative path can only be used from the toplevel of the working tree",
            ));
        }
        resolved(repository, given)?
    } else if given.starts_with(b"/") || given.contains(&b':') {
        given.clone()
    } else {
        let why = "' must be absolute or begin with ./|../";
        return Err(fatal(bytes!("repo URL: '", given, why)));
    };
    let path = repository.path_from_top(&folder)?;
    let mut index = repository.index()?;
    check_free(repository, &flags, &path)?;
    let submodule = Submodule {
        name: flags.value("name").unwrap_or(&path).to_vec(),
        path: path.clone(),
        url: Some(given.clone()),
        branch: flags.value("b").map(<[u8]>::to_vec),
        update: None,
    };
    let known = list::read(repository)?;
    let own = change::place(repository, &submodule.name);
    let other = known.iter().find(|one| one.name == submodule.name);
    if let (Some(other), false) = (other, flags.has("f"))
        && other.path != path
        && system::stat(&own, true).is_err()
    {
        return Err(fatal(bytes!(
            "submodule name '",
            submodule.name,
            "' already used for path '",
            other.path,
            "'"
        )));
    }
    let whole = repository.file(&path)?;
    if system::stat(&whole, true).is_ok() && list::git_dir(&whole).is_some() {
        repository.say(bytes!("Adding existing repo at '", path, "' to the index"));
    } else {
        bring(repository, &submodule, &url, &flags)?;
    }
    let Some(id) = repository.submodule_head(&path)? else {
        return Err(fatal(bytes!("Failed to add submodule '", path, "'")));
    };
    list::set(repository, &submodule.name, "url", &url)?;
    index.set(&path, Entry::new(Item { mode: COMMIT, id }));
    let key = |what: &str| list::key(&submodule.name, what);
    list::edit(repository, |text| {
        let set = |text: Vec<u8>, what: &str, value: &[u8]| {
            config::set(&text, FILE, &key(what), value, false)
        };
        let mut text = set(text, "path", &path)?;
        text = set(text, "url", given)?;
        match &submodule.branch {
            Some(branch) => set(text, "branch", branch),
            None => Ok(text),
        }
    })?;
    change::stage_file(repository, &mut index)?;
    repository.save(&index)?;
    let active = list::active_paths(repository)?;
    if !active.is_some_and(|paths| paths.matches(&path)) {
        list::set(repository, &submodule.name, "active", b"true")?;
    }
    Ok(0)
}

/// Refuses where the path of a new submodule is taken.
fn check_free(repository: &Repository, flags: &Flags, path: &[u8]) -> Outcome {
    let index = repository.index()?;
    let taken = index.has(path) || index.has_below(path);
    if taken && !flags.has("f") {
        return Err(fatal(bytes!("'", path, "' already exists in the index")));
    }
    let other = index
        .get(path)
        .is_some_and(|entry| entry.item.mode != COMMIT);
    if other || index.has_below(path) {
        return Err(fatal(bytes!(
            "'",
            path,
            "' already exists in the index and is not a submodule"
        )));
    }
    let ignored = super::super::ignore::Ignored::new(repository)?;
    if ignored.is_ignored(path, true) && !flags.has("f") {
        return Err(Stop {
            status: 1,
            message: bytes!(
                "The following paths are ignored by one of your .gitignore files:\n",
                path,
                "\nhint: Use -f if you really want to add them.\n\
                 hint: Disable this message with \"git config advice.addIgnoredFile false\""
            ),
        });
    }
    Ok(())
}

/// Clones a new submodule and checks its branch out. A repository of the same name in `.git/modules` is used again
/// with `-f`, and otherwise an error that says what it is.
fn bring(repository: &mut Repository, submodule: &Submodule, url: &[u8], flags: &Flags) -> Outcome {
    let path = &submodule.path;
    let whole = repository.file(path)?;
    let entries = system::read_directory(&whole);
    if entries.is_ok_and(|entries| !entries.is_empty()) {
        return Err(fatal(bytes!(
            "'",
            path,
            "' already exists and is not a valid git repo"
        )));
    }
    let own = change::place(repository, &submodule.name);
    if system::stat(&own, true).is_ok() {
        if !flags.has("f") {
            return Err(kept(&submodule.name, &own, url));
        }
        repository.out.line(bytes!(
            "Reactivating local git directory for submodule '",
            submodule.name,
            "'"
        ));
    }
    let depth = flags.value("depth");
    clone(repository, submodule, url, depth, flags.has("q"))?;
    let Some(mut inner) = repository.submodule(path)? else {
        return Err(fatal(bytes!("Failed to add submodule '", path, "'")));
    };
    let mut words = vec![b"-f".to_vec(), b"-q".to_vec()];
    if let Some(branch) = &submodule.branch {
        let remote = remote::default_name(&inner);
        words.extend([b"-B".to_vec(), branch.clone(), bytes!(remote, "/", branch)]);
    }
    let outcome = match &submodule.branch {
        Some(_) => super::super::switch::checkout(&mut inner, &words),
        None if inner.head().is_none() => Ok(0),
        None => super::super::reset::reset(&mut inner, &[b"--hard".to_vec(), b"-q".to_vec()]),
    };
    inner.out.flush();
    outcome.map_err(|stop| {
        repository.say(&stop.message);
        fatal(bytes!("unable to checkout submodule '", path, "'"))
    })?;
    Ok(())
}

/// There is a repository of that name already: git's words, with its remotes.
fn kept(name: &[u8], own: &[u8], url: &[u8]) -> Stop {
    let text = system::read_whole(&system::join(own, b"config")).unwrap_or_default();
    let settings = config::parse(&text, b"config").unwrap_or_default();
    let mut remotes = Vec::new();
    for setting in &settings {
        let name = setting.name.strip_prefix("remote.");
        if let (Some(name), Some(value)) = (
            name.and_then(|rest| rest.strip_suffix(".url")),
            &setting.value,
        ) {
            remotes.extend(bytes!("  ", name, "\t", value, "\n"));
        }
    }
    let message = bytes!(
        "fatal: A git directory for '",
        name,
        "' is found locally with remote(s):\n",
        remotes,
        "If you want to reuse this local git directory instead of cloning again from\n  ",
        url,
        "\nuse the '--force' option. If the local git directory is not the correct repo\n\
         or you are unsure what this means choose another name with the '--name' option."
    );
    Stop {
        status: 128,
        message,
    }
}

/// Makes the folder of a submodule a repository: its own that is there already, or a clone, which is then moved to
/// `.git/modules`. The failure of the clone is told first.
fn clone(
    repository: &Repository,
    submodule: &Submodule,
    url: &[u8],
    depth: Option<&[u8]>,
    silent: bool,
) -> Outcome {
    let folder = repository.file(&submodule.path)?;
    let own = change::place(repository, &submodule.name);
    if system::stat(&own, true).is_ok() {
        super::super::refs::make_parents(&bytes!(folder, "/"))?;
        let folder = system::canonicalize(&folder).unwrap_or(folder);
        return change::connect(&own, &folder);
    }
    let refused = |stop: Stop| {
        let path = bytes!("' into submodule path '", folder, "' failed");
        Stop {
            status: 128,
            message: bytes!(stop.message, "\nfatal: clone of '", url, path),
        }
    };
    let mut words = vec![b"-n".to_vec()];
    if silent {
        words.push(b"-q".to_vec());
    }
    if let Some(depth) = depth {
        words.push(bytes!("--depth=", depth));
    }
    words.extend([b"--".to_vec(), url.to_vec(), folder.clone()]);
    let globals = Globals {
        settings: repository.settings.clone(),
        ..Globals::default()
    };
    let mut out = crate::output::Output::new();
    remote::clone_of_stranger(&globals, url, &words, &mut out).map_err(refused)?;
    out.flush();
    let folder = system::canonicalize(&folder).unwrap_or(folder);
    change::take_in(repository, &submodule.name, &folder)?;
    Ok(())
}

/// How a submodule comes to another commit: `--checkout`, `--merge`, `--rebase`, or `submodule.NAME.update`.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Way {
    /// Detached at the commit; the default, and for what was just cloned the only way.
    Checkout,
    /// The commit is merged into the submodule's branch.
    Merge,
    /// The submodule's branch is put on top of the commit.
    Rebase,
    /// It is left alone.
    None,
}

/// One `update`, with its options, which go down to nested submodules.
struct Update<'a> {
    flags: &'a Flags,
}

/// `git submodule update`.
pub fn update(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, UPDATE)?;
    Update { flags: &flags }.run(repository, &flags.all_paths(), b"")
}

/// `git submodule update --init --recursive`, as a clone does it.
pub fn all(repository: &mut Repository, silent: bool) -> Outcome<i32> {
    let mut words = vec![b"--init".to_vec(), b"--recursive".to_vec()];
    if silent {
        words.push(b"-q".to_vec());
    }
    update(repository, &words)
}

impl Update<'_> {
    /// Updates the submodules of one repository: first all clones, then each to its commit, as git does. `given`
    /// limits it to paths; `outer` is what stands before them in messages, for nested ones. The status is the
    /// highest.
    fn run(&self, repository: &mut Repository, given: &[Vec<u8>], outer: &[u8]) -> Outcome<i32> {
        let silent = self.flags.has("q");
        if self.flags.has("i") {
            super::init(repository, given, silent, outer)?;
        }
        let index = repository.index()?;
        let known = list::read(repository)?;
        let mut ready = Vec::new();
        for path in chosen(repository, &index, given)? {
            let shown = display(repository, outer, &path);
            let Some(entry) = index.get(&path) else {
                repository.say(bytes!("Skipping unmerged submodule ", shown));
                continue;
            };
            let submodule = find(&known, &path).ok_or_else(|| unmapped(&path))?;
            let way = self.way(repository, &submodule);
            if way == Way::None {
                repository.say(bytes!("Skipping submodule '", shown, "'"));
                continue;
            }
            if !is_active(repository, &submodule)? {
                if !given.is_empty() {
                    repository.say(bytes!(
                        "Submodule path '",
                        shown,
                        "' not initialized\nMaybe you want to use 'update --init'?"
                    ));
                }
                continue;
            }
            let fresh = list::git_dir(&repository.file(&path)?).is_none();
            if fresh {
                repository.out.flush();
                self.clone(repository, &submodule)?;
            }
            ready.push((submodule, way, entry.item.id, fresh));
        }
        let mut status = 0;
        for (submodule, way, id, fresh) in ready {
            let way = if fresh { Way::Checkout } else { way };
            status = status.max(self.one(repository, &submodule, way, (id, fresh), outer)?);
        }
        Ok(status)
    }

    /// The last of the options, then the user's setting, then `.gitmodules`; what else stands there counts as
    /// checkout.
    fn way(&self, repository: &Repository, submodule: &Submodule) -> Way {
        match self.flags.last(&["checkout", "m", "r"]) {
            Some("checkout") => return Way::Checkout,
            Some("m") => return Way::Merge,
            Some("r") => return Way::Rebase,
            _ => {}
        }
        let word = setting(repository, &submodule.name, "update").or(submodule.update.clone());
        match word.as_deref() {
            Some(b"merge") => Way::Merge,
            Some(b"rebase") => Way::Rebase,
            Some(b"none") => Way::None,
            _ => Way::Checkout,
        }
    }

    /// Clones a submodule; as git, a second time where the first fails.
    fn clone(&self, repository: &Repository, submodule: &Submodule) -> Outcome {
        let url = setting(repository, &submodule.name, "url");
        let url = match url.or_else(|| submodule.url.clone()) {
            Some(url) => resolved(repository, &url)?,
            None => return Err(failed()),
        };
        let silent = self.flags.has("q");
        let depth = self.flags.value("depth");
        let name = &submodule.path;
        for again in [". Retry scheduled", " a second time, aborting"] {
            let Err(stop) = clone(repository, submodule, &url, depth, silent) else {
                return Ok(());
            };
            repository.say(&stop.message);
            repository.say(bytes!("Failed to clone '", name, "'", again));
        }
        Err(failed())
    }

    /// Brings one submodule to the commit `id`, with `--remote` to the tip of its branch, and goes into it with
    /// `--recursive`. One that is there already is left alone, unless it is `fresh` or forced.
    fn one(
        &self,
        repository: &mut Repository,
        submodule: &Submodule,
        way: Way,
        (mut id, fresh): (Id, bool),
        outer: &[u8],
    ) -> Outcome<i32> {
        let shown = display(repository, outer, &submodule.path);
        let lost = || {
            fatal(bytes!(
                "Unable to find current revision in submodule path '",
                shown,
                "'"
            ))
        };
        let mut inner = repository.submodule(&submodule.path)?.ok_or_else(lost)?;
        repository.out.flush();
        if self.flags.has("remote") {
            id = self.tip(&mut inner, submodule, &shown)?;
        }
        let force = self.flags.has("f");
        if fresh || force || inner.head() != Some(id) {
            if !self.flags.has("N") && !inner.objects.has(&id) {
                self.fetch(&mut inner, &id, &shown)?;
            }
            let line = self.go(&mut inner, way, &id, fresh || force, &shown)?;
            if !self.flags.has("q") {
                repository.out.line(line);
            }
        }
        if !self.flags.has("recursive") {
            return Ok(0);
        }
        repository.out.flush();
        let status = self.run(&mut inner, &[], &shown);
        inner.out.flush();
        status
    }

    /// The commit that the branch of the remote has: that of `.gitmodules`, `.` for the outer branch's name, else the
    /// remote's `HEAD`.
    fn tip(&self, inner: &mut Repository, submodule: &Submodule, shown: &[u8]) -> Outcome<Id> {
        let remote = remote::default_name(inner);
        if !self.flags.has("N") {
            fetch(inner, &[])
                .map_err(|_| fatal(bytes!("Unable to fetch in submodule path '", shown, "'")))?;
        }
        let name = match submodule.branch.as_deref() {
            Some(b".") => inner.refs.branch().unwrap_or_default(),
            Some(branch) => branch.to_vec(),
            None => b"HEAD".to_vec(),
        };
        let full = bytes!("refs/remotes/", remote, "/", name);
        inner.refs.resolve(&full).ok_or_else(|| {
            fatal(bytes!(
                "Unable to find ",
                remote,
                "/",
                name,
                " revision in submodule path '",
                shown,
                "'"
            ))
        })
    }

    /// Brings a commit that is not here: all branches first, then the commit by its name, which not every server
    /// gives.
    fn fetch(&self, inner: &mut Repository, id: &Id, shown: &[u8]) -> Outcome {
        let done = fetch(inner, &[]);
        inner.objects.refresh();
        if done.is_ok() && inner.objects.has(id) {
            return Ok(());
        }
        let name = id.to_string();
        let direct = [remote::default_name(inner), name.clone().into_bytes()];
        let done = fetch(inner, &direct);
        inner.objects.refresh();
        match done {
            Ok(0) => Ok(()),
            _ => Err(fatal(bytes!(
                "Fetched in submodule path '",
                shown,
                "', but it did not contain ",
                name,
                ". Direct fetching of that commit failed."
            ))),
        }
    }

    /// Goes to the commit, and gives the line that says so. Failures end with status 1 for a checkout, 128 for the
    /// others.
    fn go(
        &self,
        inner: &mut Repository,
        way: Way,
        id: &Id,
        force: bool,
        shown: &[u8],
    ) -> Outcome<Vec<u8>> {
        let name = id.to_string().into_bytes();
        let mut words = Vec::new();
        if way == Way::Checkout || self.flags.has("q") {
            words.push(b"-q".to_vec());
        }
        let (outcome, did, did_not) = match way {
            Way::Merge => {
                words.push(name.clone());
                let outcome = super::super::merge::merge(inner, &words);
                (outcome, "merged in", "merge")
            }
            Way::Rebase => {
                words.push(name.clone());
                let outcome = super::super::rebase::rebase(inner, &words);
                (outcome, "rebased into", "rebase")
            }
            _ => {
                if force {
                    words.push(b"-f".to_vec());
                }
                words.extend([b"--detach".to_vec(), name.clone()]);
                let outcome = super::super::switch::checkout(inner, &words);
                (outcome, "checked out", "checkout")
            }
        };
        inner.out.flush();
        match outcome {
            Ok(0) => Ok(bytes!(
                "Submodule path '",
                shown,
                "': ",
                did,
                " '",
                name,
                "'"
            )),
            other => {
                if let Err(stop) = other {
                    inner.say(&stop.message);
                }
                Err(Stop {
                    status: if way == Way::Checkout { 1 } else { 128 },
                    message: bytes!(
                        if way == Way::Checkout { "" } else { "fatal: " },
                        "Unable to ",
                        did_not,
                        " '",
                        name,
                        "' in submodule path '",
                        shown,
                        "'"
                    ),
                })
            }
        }
    }
}

/// `git fetch` in a submodule, whose remote a stranger may have named.
fn fetch(inner: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let remote = remote::default_name(inner);
    let urls = remote::values(&inner.config, &remote, "url");
    for url in &urls {
        remote::check_allowed(&inner.config, url, false)?;
    }
    let outcome = remote::fetch(inner, words);
    inner.out.flush();
    if let Err(stop) = &outcome {
        inner.say(&stop.message);
    }
    outcome
}
