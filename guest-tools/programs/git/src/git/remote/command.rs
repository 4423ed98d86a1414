//! `git remote` (Documentation/git-remote): names for other repositories, as sections `[remote "NAME"]` of the
//! settings with `url`, `pushurl`, `fetch`, `tagOpt`, and as references below `refs/remotes/NAME/`.
//!
//! Settings are edited as text, so comments and the order of what is not touched stay. Not here: `--mirror`, groups
//! (`remotes.GROUP`) of `update`, and in `show` the branches that `prune` would remove.

use super::super::branch::edit_config;
use super::super::config;
use super::super::flags::Flags;
use super::super::objects::Id;
use super::super::refs::Target;
use super::super::repository::Repository;
use super::super::stop::{Outcome, Stop, error, usage};
use super::super::walk::is_ancestor;
use super::advert::Advert;
use super::fetch::{Settings, fetch};
use super::refspec::Refspec;
use super::transport::{Service, Transport};
use super::{Remote, missing, names, values};
use crate::call::bytes;
use crate::options::{Opt, Value};

/// The options of all subcommands together: each reads those that it has and leaves the others alone.
const OPTIONS: &[Opt] = &[
    Opt("v", "verbose", Value::No),
    Opt("f", "fetch", Value::No),
    Opt("t", "track", Value::Required),
    Opt("m", "master", Value::Required),
    Opt("", "tags", Value::No),
    Opt("", "mirror", Value::Optional),
    Opt("", "push", Value::No),
    Opt("", "add", Value::No),
    Opt("", "delete", Value::No),
    Opt("", "all", Value::No),
    Opt("a", "auto", Value::No),
    Opt("d", "", Value::No),
    Opt("n", "dry-run", Value::No),
    Opt("p", "prune", Value::No),
    Opt("", "progress", Value::No),
];

/// `git remote`. Statuses are git's: 2 for a remote that does not exist, 3 for one that exists already.
pub fn remote(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(arguments, OPTIONS)?;
    let words: Vec<&[u8]> = flags.operands.iter().map(Vec::as_slice).collect();
    let check = |repository: &Repository, name: &[u8]| {
        let known = names(&repository.config).iter().any(|one| one == name);
        known.then_some(()).ok_or_else(|| missing(name))
    };
    // git itself says it in two ways.
    let check_colon = |repository: &Repository, name: &[u8]| {
        check(repository, name).map_err(|stop| Stop {
            message: bytes!("error: No such remote: '", name, "'"),
            ..stop
        })
    };
    match words.as_slice() {
        [] => list(repository, flags.has("v")),
        [b"add", name, url] => return add(repository, &flags, name, url),
        [b"remove" | b"rm", name] => {
            check_colon(repository, name)?;
            remove(repository, name)?;
        }
        [b"rename", old, new] => {
            check_colon(repository, old)?;
            rename(repository, old, new)?;
        }
        [b"get-url", name] => {
            check(repository, name)?;
            get_url(repository, &flags, name)?;
        }
        [b"set-url", name, urls @ ..] => {
            check(repository, name)?;
            set_url(repository, &flags, name, urls)?;
        }
        [b"show"] => list(repository, false),
        [b"show", name] => show(repository, name, flags.has("n"))?,
        [b"set-head", name, rest @ ..] => {
            check(repository, name)?;
            return set_head(repository, &flags, name, rest.first().copied());
        }
        [b"set-branches", name, branches @ ..] => {
            check(repository, name)?;
            set_branches(repository, &flags, name, branches)?;
        }
        [b"update", rest @ ..] => return update(repository, &flags, rest),
        [b"prune", rest @ ..] => {
            for name in rest {
                check(repository, name)?;
                prune(repository, name, flags.has("n"))?;
            }
        }
        [
            verb @ (b"add" | b"remove" | b"rm" | b"rename" | b"get-url"),
            ..,
        ] => {
            return Err(usage(bytes!(
                "wrong number of arguments for `git remote ",
                *verb,
                "'"
            )));
        }
        [verb, ..] => return Err(usage(bytes!("unknown subcommand: `", *verb, "'"))),
    }
    Ok(0)
}

/// The remotes; with `-v` a line for the URL to fetch from and one for each to push to, apart by a tab:
///
/// ```text
/// origin    https://example.com/a.git (fetch)
/// origin    https://example.com/a.git (push)
/// ```
fn list(repository: &mut Repository, verbose: bool) {
    for name in names(&repository.config) {
        if !verbose {
            repository.out.put(bytes!(name, "\n"));
            continue;
        }
        let Ok(remote) = Remote::find(&repository.config, &name) else {
            continue;
        };
        repository
            .out
            .put(bytes!(name, "\t", remote.url, " (fetch)\n"));
        for url in &remote.push_urls {
            repository.out.put(bytes!(name, "\t", url, " (push)\n"));
        }
    }
}

/// The refspec that lets a remote branch be followed; with `*` all of them: `+refs/heads/*:refs/remotes/origin/*`.
fn rule(remote: &[u8], branch: &[u8]) -> Vec<u8> {
    bytes!(
        "+refs/heads/",
        branch,
        ":refs/remotes/",
        remote,
        "/",
        branch
    )
}

/// `git remote add`: writes the section, then with `-f` fetches, and with `-m` sets the remote's `HEAD` unasked.
fn add(repository: &mut Repository, flags: &Flags, name: &[u8], url: &[u8]) -> Outcome<i32> {
    if names(&repository.config).iter().any(|known| known == name) {
        return Err(Stop {
            status: 3,
            message: bytes!("error: remote ", name, " already exists."),
        });
    }
    if !super::super::refs::is_valid(name) {
        return Err(super::super::stop::fatal(bytes!(
            "'",
            name,
            "' is not a valid remote name"
        )));
    }
    if flags.has("mirror") {
        return Err(usage("option `--mirror' is not supported"));
    }
    let mut branches: Vec<&[u8]> = flags.values("t").collect();
    if branches.is_empty() {
        branches.push(b"*");
    }
    let key = |what: &str| bytes!("remote.", name, ".", what);
    edit_config(repository, |text| {
        let mut text = config::set(&text, b"config", &key("url"), url, false)?;
        for branch in &branches {
            text = config::set(&text, b"config", &key("fetch"), &rule(name, branch), true)?;
        }
        if flags.has("tags") || flags.denied("tags") {
            let option = if flags.has("tags") {
                "--tags"
            } else {
                "--no-tags"
            };
            text = config::set(&text, b"config", &key("tagOpt"), option.as_bytes(), false)?;
        }
        Ok(text)
    })?;
    repository.reload()?;
    if flags.has("f") {
        repository.out.put(bytes!("Updating ", name, "\n"));
        repository.out.flush();
        let remote = Remote::find(&repository.config, name)?;
        let settings = Settings {
            action: bytes!("remote add ", name),
            ..Settings::default()
        };
        fetch(repository, &remote, &[], &settings)?;
    }
    if let Some(branch) = flags.value("m") {
        link_head(repository, name, branch)?;
    }
    Ok(0)
}

/// Lets `refs/remotes/NAME/HEAD` stand for a branch of the remote, whether that is there or not.
fn link_head(repository: &Repository, name: &[u8], branch: &[u8]) -> Outcome {
    let target = bytes!("refs/remotes/", name, "/", branch);
    repository.refs.set(
        &bytes!("refs/remotes/", name, "/HEAD"),
        &Target::Symbolic(target),
    )
}

/// The branches that follow a remote, in the order of the settings.
fn followers(repository: &Repository, name: &[u8]) -> Vec<String> {
    let settings = repository.config.all().iter();
    let own = settings.filter(|setting| setting.value.as_deref() == Some(name));
    let branches = own.filter_map(|setting| {
        let inner = setting.name.strip_prefix("branch.")?;
        Some(inner.strip_suffix(".remote")?.to_owned())
    });
    branches.collect()
}

/// Removes the section, what branches say of it, and the references that follow it with their histories.
fn remove(repository: &mut Repository, name: &[u8]) -> Outcome {
    let section = format!("remote.{}", String::from_utf8_lossy(name));
    let branches = followers(repository, name);
    edit_config(repository, |text| {
        let mut text = config::remove_section(&text, &section).unwrap_or(text);
        for branch in &branches {
            for key in ["remote", "merge", "pushremote"] {
                let key = format!("branch.{branch}.{key}");
                text = config::unset(&text, b"config", key.as_bytes())?.0;
            }
        }
        Ok(text)
    })?;
    for full in below(repository, name) {
        repository.refs.delete(&full)?;
    }
    Ok(())
}

/// The references that follow a remote, `HEAD` first: it is symbolic, and must go before what it names.
fn below(repository: &Repository, name: &[u8]) -> Vec<Vec<u8>> {
    let folder = bytes!("refs/remotes/", name, "/");
    let mut all: Vec<Vec<u8>> = repository
        .refs
        .list(&folder)
        .into_iter()
        .map(|(name, _)| name)
        .collect();
    let head = bytes!(folder, "HEAD");
    if repository.refs.get(&head).is_some() {
        all.retain(|name| *name != head);
        all.insert(0, head);
    }
    all
}

/// Renames section, references and the branches' settings. Refspecs are changed in their target only, where that is
/// the usual folder. The references lose their histories; git moves these along.
fn rename(repository: &mut Repository, old: &[u8], new: &[u8]) -> Outcome {
    if names(&repository.config).iter().any(|known| known == new) {
        return Err(Stop {
            status: 3,
            message: bytes!("error: remote ", new, " already exists."),
        });
    }
    let section = format!("remote.{}.", String::from_utf8_lossy(old));
    let settings: Vec<(String, Vec<u8>)> = repository
        .config
        .all()
        .iter()
        .filter_map(|setting| {
            let key = setting.name.strip_prefix(&section)?.to_owned();
            Some((key, setting.value.clone().unwrap_or_default()))
        })
        .collect();
    let (from, to) = (
        bytes!("refs/remotes/", old, "/"),
        bytes!("refs/remotes/", new, "/"),
    );
    let branches = followers(repository, old);
    edit_config(repository, |text| {
        let mut text = config::remove_section(&text, section.trim_end_matches('.')).unwrap_or(text);
        for (key, value) in &settings {
            let value = match value.windows(from.len()).position(|part| part == from) {
                Some(at) if key == "fetch" => {
                    bytes!(&value[..at], to, &value[at + from.len()..])
                }
                _ => value.clone(),
            };
            let key = bytes!("remote.", new, ".", key);
            text = config::set(&text, b"config", &key, &value, true)?;
        }
        for branch in &branches {
            let key = format!("branch.{branch}.remote");
            text = config::set(&text, b"config", key.as_bytes(), new, false)?;
        }
        Ok(text)
    })?;
    for name in below(repository, old) {
        let moved = bytes!(to, &name[from.len()..]);
        match repository.refs.get(&name) {
            Some(Target::Symbolic(target)) => {
                let rest = target.strip_prefix(from.as_slice()).unwrap_or(&target);
                let target = Target::Symbolic(bytes!(to, rest));
                repository.refs.delete(&name)?;
                repository.refs.set(&moved, &target)?;
            }
            Some(Target::Object(id)) => {
                repository.refs.delete(&name)?;
                repository.refs.set(&moved, &Target::Object(id))?;
            }
            None => {}
        }
    }
    Ok(())
}

/// The first URL, or with `--all` each on a line; `--push` those to push to.
fn get_url(repository: &mut Repository, flags: &Flags, name: &[u8]) -> Outcome {
    let remote = Remote::find(&repository.config, name)?;
    let all = match (flags.has("push"), flags.has("all")) {
        (true, _) => remote.push_urls.clone(),
        (false, true) => values(&repository.config, name, "url"),
        (false, false) => vec![remote.url.clone()],
    };
    let count = if flags.has("all") { all.len() } else { 1 };
    for url in all.iter().take(count) {
        repository.out.put(bytes!(url, "\n"));
    }
    Ok(())
}

/// `set-url NAME NEW [OLD]`, `--add NEW`, `--delete OLD`. OLD is compared as text, where git takes a pattern.
/// `--push` changes `pushurl`.
fn set_url(repository: &mut Repository, flags: &Flags, name: &[u8], urls: &[&[u8]]) -> Outcome {
    let key = if flags.has("push") { "pushurl" } else { "url" };
    let full = bytes!("remote.", name, ".", key);
    match (urls, flags.has("add"), flags.has("delete")) {
        ([url], add, false) => edit_config(repository, |text| {
            config::set(&text, b"config", &full, url, add)
        }),
        ([old], false, true) => replace(repository, name, key, old, None),
        ([new, old], false, false) => replace(repository, name, key, old, Some(new)),
        _ => Err(usage(
            "usage: git remote set-url [--push] <name> <newurl> [<oldurl>]",
        )),
    }
}

/// Replaces one of several values, or removes it; the order stays. `new` of none removes.
fn replace(
    repository: &Repository,
    name: &[u8],
    key: &str,
    old: &[u8],
    new: Option<&[u8]>,
) -> Outcome {
    let all = values(&repository.config, name, key);
    if !all.iter().any(|value| value == old) {
        return Err(super::super::stop::fatal(bytes!(
            "No such URL found: ",
            old
        )));
    }
    let full = bytes!("remote.", name, ".", key);
    edit_config(repository, |text| {
        let mut text = config::unset(&text, b"config", &full)?.0;
        for value in &all {
            let value = match (value == old, new) {
                (true, None) => continue,
                (true, Some(new)) => new,
                (false, _) => value,
            };
            text = config::set(&text, b"config", &full, value, true)?;
        }
        Ok(text)
    })
}

/// Limits what is fetched to these branches, or with `--add` adds them.
fn set_branches(
    repository: &Repository,
    flags: &Flags,
    name: &[u8],
    branches: &[&[u8]],
) -> Outcome {
    let full = bytes!("remote.", name, ".fetch");
    edit_config(repository, |text| {
        let mut text = match flags.has("add") {
            true => text,
            false => config::unset(&text, b"config", &full)?.0,
        };
        for branch in branches {
            text = config::set(&text, b"config", &full, &rule(name, branch), true)?;
        }
        Ok(text)
    })
}

/// Asks the remote for its references; needs its server.
fn advert(repository: &Repository, name: &[u8]) -> Outcome<(Remote, Advert)> {
    let remote = Remote::find(&repository.config, name)?;
    let advert = Transport::open(&repository.config, &remote.url)?.list(Service::Fetch)?;
    Ok((remote, advert))
}

/// `set-head`: to a branch that is named, to the one that the server names (`-a`), or away (`-d`).
fn set_head(
    repository: &mut Repository,
    flags: &Flags,
    name: &[u8],
    branch: Option<&[u8]>,
) -> Outcome<i32> {
    let link = bytes!("refs/remotes/", name, "/HEAD");
    if flags.has("d") || flags.has("delete") {
        repository.refs.delete(&link)?;
        return Ok(0);
    }
    let branch = match branch {
        Some(branch) => branch.to_vec(),
        None => {
            let found = advert(repository, name)?.1.default_branch();
            let found = found.and_then(|name| Some(name.strip_prefix(b"refs/heads/")?.to_vec()));
            found.ok_or_else(|| error("Cannot determine remote HEAD"))?
        }
    };
    let target = bytes!("refs/remotes/", name, "/", branch);
    if repository.refs.resolve(&target).is_none() {
        return Err(error(bytes!("Not a valid ref: ", target)));
    }
    link_head(repository, name, &branch)?;
    if flags.has("a") {
        repository
            .out
            .put(bytes!(name, "/HEAD set to ", branch, "\n"));
    }
    Ok(0)
}

/// Fetches from all remotes, or from those that are named. `FETCH_HEAD` collects what all of them gave. The status is
/// the highest.
fn update(repository: &mut Repository, flags: &Flags, given: &[&[u8]]) -> Outcome<i32> {
    let list = match given {
        [] => names(&repository.config),
        given => given.iter().map(|name| name.to_vec()).collect(),
    };
    let mut settings = Settings {
        prune: flags.has("p"),
        action: b"remote update".to_vec(),
        ..Settings::default()
    };
    let mut status = 0;
    let several = list.len() > 1;
    for name in list {
        if several {
            repository.out.put(bytes!("Fetching ", name, "\n"));
            repository.out.flush();
        }
        let remote = Remote::find(&repository.config, &name)?;
        status = status.max(fetch(repository, &remote, &[], &settings)?);
        settings.append = true;
    }
    Ok(status)
}

/// What follows references that are gone there: names that some refspec would write, from no source that the other
/// side lists. Symbolic references stay.
fn stale(repository: &Repository, remote: &Remote, advert: &Advert) -> Vec<Vec<u8>> {
    let all = repository.refs.list(b"refs/").into_iter();
    let gone = all.filter(|(name, _)| {
        let symbolic = matches!(repository.refs.get(name), Some(Target::Symbolic(_)));
        let sources = |rule: &Refspec| rule.reverse(name);
        let mut sources = remote.fetch.iter().filter_map(sources).peekable();
        !symbolic && sources.peek().is_some() && sources.all(|one| !advert.refs.contains_key(&one))
    });
    gone.map(|(name, _): (Vec<u8>, Id)| name).collect()
}

/// Deletes what is stale, or with `dry` only says so.
fn prune(repository: &mut Repository, name: &[u8], dry: bool) -> Outcome {
    let (remote, advert) = advert(repository, name)?;
    let gone = stale(repository, &remote, &advert);
    if gone.is_empty() {
        return Ok(());
    }
    repository
        .out
        .put(bytes!("Pruning ", name, "\nURL: ", remote.url, "\n"));
    for full in gone {
        let what = if dry { "would prune" } else { "pruned" };
        repository
            .out
            .put(bytes!(" * [", what, "] ", super::pretty(&full), "\n"));
        if !dry {
            repository.refs.delete(&full)?;
        }
    }
    Ok(())
}

/// The report of `git remote show NAME`. With `-n` the server is not asked, and what only it knows is `(not
/// queried)`.
fn show(repository: &mut Repository, name: &[u8], offline: bool) -> Outcome {
    let remote = Remote::find(&repository.config, name)?;
    let mut text = bytes!("* remote ", name, "\n  Fetch URL: ", remote.url, "\n");
    for url in &remote.push_urls {
        text.extend(bytes!("  Push  URL: ", url, "\n"));
    }
    let mut there = None;
    if offline {
        text.extend_from_slice(b"  HEAD branch: (not queried)\n");
        let folder = bytes!("refs/remotes/", name, "/");
        let known = repository.refs.list(&folder).into_iter();
        let known: Vec<Vec<u8>> = known
            .map(|(full, _)| full[folder.len()..].to_vec())
            .filter(|short| short != b"HEAD")
            .collect();
        let plural = if known.len() == 1 { "" } else { "es" };
        if !known.is_empty() {
            text.extend(bytes!(
                "  Remote branch",
                plural,
                ": (status not queried)\n"
            ));
        }
        for short in known {
            text.extend(bytes!("    ", short, "\n"));
        }
    } else {
        let (_, advert) = advert(repository, name)?;
        let head = advert.default_branch();
        let head = head
            .as_deref()
            .map_or(b"(unknown)".as_slice(), super::pretty);
        text.extend(bytes!("  HEAD branch: ", head, "\n"));
        let branches: Vec<&Vec<u8>> = advert
            .refs
            .keys()
            .filter(|full| remote.tracking(full).is_some())
            .collect();
        let width = branches
            .iter()
            .map(|full| super::pretty(full).len())
            .max()
            .unwrap_or(0);
        let plural = if branches.len() == 1 { "" } else { "es" };
        if !branches.is_empty() {
            text.extend(bytes!("  Remote branch", plural, ":\n"));
        }
        for full in branches {
            let known = remote
                .tracking(full)
                .and_then(|name| repository.refs.resolve(&name));
            let state = match known {
                Some(_) => "tracked".to_owned(),
                None => {
                    let folder = String::from_utf8_lossy(name).into_owned();
                    format!("new (next fetch will store in remotes/{folder})")
                }
            };
            let short = super::pretty(full);
            let blanks = b" ".repeat(width - short.len());
            text.extend(bytes!("    ", short, blanks, " ", state, "\n"));
        }
        there = Some(advert);
    }
    let branches = followers(repository, name);
    let width = branches.iter().map(String::len).max().unwrap_or(0);
    if !branches.is_empty() {
        let plural = if branches.len() == 1 { "" } else { "es" };
        text.extend(bytes!(
            "  Local branch",
            plural,
            " configured for 'git pull':\n"
        ));
    }
    for branch in branches {
        let merge = repository.config.get(&format!("branch.{branch}.merge"));
        let merge = super::pretty(merge.unwrap_or_default());
        text.extend(bytes!(
            format!("    {branch:<width$} merges with remote "),
            merge,
            "\n"
        ));
    }
    text.extend(pushed(repository, there.as_ref())?);
    repository.out.put(&text);
    Ok(())
}

/// The branches that both sides have, and how they stand to each other: `up to date`, `fast-forwardable`, or `local
/// out of date`, which also stands for branches that went apart.
fn pushed(repository: &Repository, there: Option<&Advert>) -> Outcome<Vec<u8>> {
    let Some(advert) = there else {
        let text = b"  Local ref configured for 'git push' (status not queried):\n    \
                     (matching) pushes to (matching)\n";
        return Ok(text.to_vec());
    };
    let mut rows = Vec::new();
    for (full, id) in repository.refs.list(b"refs/heads/") {
        let Some(other) = advert.refs.get(&full) else {
            continue;
        };
        let state = if *other == id {
            "up to date"
        } else if !repository.objects.has(other) {
            "local out of date"
        } else if is_ancestor(repository, other, &id)? {
            "fast-forwardable"
        } else {
            "local out of date"
        };
        rows.push((super::pretty(&full).to_vec(), state));
    }
    let width = rows.iter().map(|(name, _)| name.len()).max().unwrap_or(0);
    let mut text = Vec::new();
    if !rows.is_empty() {
        let plural = if rows.len() == 1 { "" } else { "s" };
        text.extend(bytes!(
            "  Local ref",
            plural,
            " configured for 'git push':\n"
        ));
    }
    for (name, state) in rows {
        let blanks = b" ".repeat(width - name.len());
        let both = bytes!("    ", name, blanks, " pushes to ", name, blanks);
        text.extend(bytes!(both, " (", state, ")\n"));
    }
    Ok(text)
}
