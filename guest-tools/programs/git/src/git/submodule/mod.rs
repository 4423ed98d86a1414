//! `git submodule` (Documentation/git-submodule, gitsubmodules): other repositories in folders of this one.
//!
//! The index has a commit (mode 160000) at the path, `.gitmodules` a name and a URL, `.git/config` the URL once it is
//! initialized, and `.git/modules/NAME` the repository. `list` reads and resolves these, `update` clones and checks
//! out, `change` edits. `git submodule summary` is not here, and `foreach` is the only way in which this runs a
//! shell.

pub(super) mod change;
mod list;
mod update;

use super::branch::edit_config;
use super::config;
use super::describe;
use super::flags::Flags;
use super::repository::{Globals, Repository};
use super::stop::{Outcome, Stop, fatal, quiet};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system;
use list::{Submodule, chosen, is_active, resolved, setting};

pub use change::{before_move, before_removal, moved, removed};
pub use update::all as update_all;

/// What is said with status 1 where a subcommand or option is not known.
const USAGE: &str = "\
usage: git submodule [--quiet] [--cached]
   or: git submodule [--quiet] add [-b <branch>] [-f|--force] [--name <name>] [--] <repository> [<path>]
   or: git submodule [--quiet] status [--cached] [--recursive] [--] [<path>...]
   or: git submodule [--quiet] init [--] [<path>...]
   or: git submodule [--quiet] deinit [-f|--force] (--all| [--] <path>...)
   or: git submodule [--quiet] update [--init] [--remote] [-N|--no-fetch] [-f|--force] [--checkout|--merge|--rebase] [--recursive] [--] [<path>...]
   or: git submodule [--quiet] set-branch (--default|--branch <branch>) [--] <path>
   or: git submodule [--quiet] set-url [--] <path> <newurl>
   or: git submodule [--quiet] foreach [--recursive] <command>
   or: git submodule [--quiet] sync [--recursive] [--] [<path>...]
   or: git submodule [--quiet] absorbgitdirs [--] [<path>...]";

/// The options of `status`, `init`, `sync` and others that have few.
const STATUS: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("", "cached", Value::No),
    Opt("", "recursive", Value::No),
];

/// The options of `deinit`.
const DEINIT: &[Opt] = &[
    Opt("q", "quiet", Value::No),
    Opt("f", "force", Value::No),
    Opt("", "all", Value::No),
];

/// `git submodule`: `status` without a subcommand. `-q` and `--cached` may stand before it.
pub fn submodule(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    repository.root()?;
    let mut words = arguments.to_vec();
    let mut before = Vec::new();
    while words.first().is_some_and(|word| word.starts_with(b"-")) {
        let word = words.remove(0);
        if !matches!(word.as_slice(), b"-q" | b"--quiet" | b"--cached") {
            return Err(wrong());
        }
        before.push(word);
    }
    let verb = match words.is_empty() {
        true => b"status".to_vec(),
        false => words.remove(0),
    };
    words.splice(0..0, before);
    match verb.as_slice() {
        b"add" => update::add(repository, &words),
        b"status" => status(repository, &words),
        b"init" => {
            let flags = Flags::read(&words, STATUS)?;
            init(repository, &flags.all_paths(), flags.has("q"), b"")?;
            Ok(0)
        }
        b"update" => update::update(repository, &words),
        b"foreach" => foreach(repository, &words),
        b"deinit" => deinit(repository, &words),
        b"sync" => {
            let flags = Flags::read(&words, STATUS)?;
            sync(repository, &flags.all_paths(), &flags, b"")?;
            Ok(0)
        }
        b"set-url" => change::set_url(repository, &words),
        b"set-branch" => change::set_branch(repository, &words),
        b"absorbgitdirs" => {
            let flags = Flags::read(&words, STATUS)?;
            change::absorb(repository, &flags.all_paths())
        }
        b"summary" => Err(fatal("`git submodule summary' is not supported")),
        _ => Err(wrong()),
    }
}

/// The usage, with status 1 as git's script has it.
fn wrong() -> Stop {
    Stop {
        status: 1,
        message: USAGE.as_bytes().to_vec(),
    }
}

/// A path as it is shown: seen from the working directory, or behind the submodules around it.
fn display(repository: &Repository, outer: &[u8], path: &[u8]) -> Vec<u8> {
    match outer {
        b"" => repository.path_from_here(path),
        outer => bytes!(outer, "/", path),
    }
}

/// Prints a line before another process, or we ourselves, say something.
fn tell(repository: &mut Repository, line: impl AsRef<[u8]>) {
    repository.out.line(line);
    repository.out.flush();
}

/// The submodule at a path, if `.gitmodules` names it.
fn find(all: &[Submodule], path: &[u8]) -> Option<Submodule> {
    all.iter().find(|submodule| submodule.path == path).cloned()
}

/// The index has a submodule there that `.gitmodules` does not know.
fn unmapped(path: &[u8]) -> Stop {
    fatal(bytes!(
        "no submodule mapping found in .gitmodules for path '",
        path,
        "'"
    ))
}

/// `status`: a line for each, ` ` as it should be, `+` at another commit, `-` not initialized, `U` in conflict:
///
/// ```text
/// +1a2b3c4… vendor/lib (v1.2-3-g1a2b3c4)
/// ```
fn status(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, STATUS)?;
    let mut out = Vec::new();
    let outcome = status_of(repository, &flags.all_paths(), &flags, b"", &mut out);
    if !flags.has("q") {
        repository.out.put(&out);
    }
    outcome?;
    Ok(0)
}

/// The lines for one repository, and with `--recursive` for those within, behind `outer`.
fn status_of(
    repository: &Repository,
    given: &[Vec<u8>],
    flags: &Flags,
    outer: &[u8],
    out: &mut Vec<u8>,
) -> Outcome {
    let index = repository.index()?;
    let all = list::read(repository)?;
    for path in chosen(repository, &index, given)? {
        let submodule = find(&all, &path).ok_or_else(|| unmapped(&path))?;
        let shown = display(repository, outer, &path);
        let Some(entry) = index.get(&path) else {
            let none = super::objects::none().to_string();
            out.extend(bytes!("U", none, " ", shown, "\n"));
            continue;
        };
        let id = entry.item.id;
        let inner = repository.submodule(&path)?;
        let (Some(inner), true) = (inner, is_active(repository, &submodule)?) else {
            out.extend(bytes!("-", id.to_string(), " ", shown, "\n"));
            continue;
        };
        let head = inner.head().unwrap_or(id);
        let (mark, id) = match (head == id, flags.has("cached")) {
            (true, _) => (" ", id),
            (false, true) => ("+", id),
            (false, false) => ("+", head),
        };
        out.extend(bytes!(mark, id.to_string(), " ", shown));
        if let Some(name) = describe::any_name(&inner, &id) {
            out.extend(bytes!(" (", name, ")"));
        }
        out.push(b'\n');
        if flags.has("recursive") {
            status_of(&inner, &[], flags, &shown, out)?;
        }
    }
    Ok(())
}

/// `init`: the URLs of `.gitmodules` become settings, where there are none. Modes of update that are commands are
/// replaced by `none`: a stranger wrote them.
fn init(repository: &mut Repository, given: &[Vec<u8>], silent: bool, outer: &[u8]) -> Outcome {
    let index = repository.index()?;
    let all = list::read(repository)?;
    let only_active = given.is_empty() && list::active_paths(repository)?.is_some();
    for path in chosen(repository, &index, given)? {
        let shown = display(repository, outer, &path);
        let missing = || {
            fatal(bytes!(
                "No url found for submodule path '",
                shown,
                "' in .gitmodules"
            ))
        };
        let submodule = find(&all, &path).ok_or_else(missing)?;
        let active = is_active(repository, &submodule)?;
        if only_active && !active {
            continue;
        }
        if !active {
            list::set(repository, &submodule.name, "active", b"true")?;
        }
        if setting(repository, &submodule.name, "url").is_none() {
            let url = submodule.url.as_ref().ok_or_else(missing)?;
            if list::is_relative(url) {
                list::warn_of_missing_remote(repository);
            }
            let url = resolved(repository, url)?;
            list::set(repository, &submodule.name, "url", &url)?;
            if !silent {
                repository.say(bytes!(
                    "Submodule '",
                    submodule.name,
                    "' (",
                    url,
                    ") registered for path '",
                    shown,
                    "'"
                ));
            }
        }
        if let Some(way) = &submodule.update
            && setting(repository, &submodule.name, "update").is_none()
        {
            if way.starts_with(b"!") {
                repository.say(bytes!(
                    "warning: command update mode suggested for submodule '",
                    submodule.name,
                    "'"
                ));
                list::set(repository, &submodule.name, "update", b"none")?;
            } else {
                list::set(repository, &submodule.name, "update", way)?;
            }
        }
    }
    Ok(())
}

/// `foreach`: a command in the folder of each that has a repository. The first one that fails ends it.
fn foreach(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let mut words = words;
    let (mut silent, mut recursive) = (false, false);
    while let Some((first, rest)) = words.split_first() {
        match first.as_slice() {
            b"-q" | b"--quiet" => silent = true,
            b"--recursive" => recursive = true,
            b"--" => {
                words = rest;
                break;
            }
            word if word.starts_with(b"-") => return Err(wrong()),
            _ => break,
        }
        words = rest;
    }
    let each = Each {
        words,
        silent,
        recursive,
    };
    each.run(repository, b"")?;
    Ok(0)
}

/// A `foreach` under way.
struct Each<'a> {
    /// One word is a script, several are a command with arguments.
    words: &'a [Vec<u8>],
    silent: bool,
    recursive: bool,
}

impl Each<'_> {
    fn run(&self, repository: &mut Repository, outer: &[u8]) -> Outcome {
        let index = repository.index()?;
        let all = list::read(repository)?;
        for path in chosen(repository, &index, &[])? {
            let submodule = find(&all, &path).ok_or_else(|| unmapped(&path))?;
            let Some(mut inner) = repository.submodule(&path)? else {
                continue;
            };
            let shown = display(repository, outer, &path);
            if !self.silent {
                repository.out.line(bytes!("Entering '", shown, "'"));
            }
            repository.out.flush();
            let id = index.get(&path).map(|entry| entry.item.id.to_string());
            let failed = |name: &[u8]| {
                fatal(bytes!(
                    "run_command returned non-zero status for ",
                    name,
                    "\n."
                ))
            };
            let variables = [
                ("name", submodule.name.clone()),
                ("sm_path", path.clone()),
                ("displaypath", shown.clone()),
                ("sha1", id.unwrap_or_default().into_bytes()),
                ("toplevel", repository.root()?.to_vec()),
            ];
            let folder = repository.file(&path)?;
            if !self.words.is_empty() && !self.command(&folder, &path, &variables) {
                return Err(failed(&shown));
            }
            if self.recursive {
                self.run(&mut inner, &shown)?;
            }
        }
        Ok(())
    }

    /// Runs the command in a folder; whether it ended with 0. A script has `$name`, `$sm_path`, `$displaypath`,
    /// `$sha1`, `$toplevel` and `$path`.
    fn command(&self, folder: &[u8], path: &[u8], variables: &[(&str, Vec<u8>)]) -> bool {
        let mut environment = system::environment();
        let mut arguments = vec![b"sh".to_vec(), b"-c".to_vec()];
        match self.words {
            [script] => {
                let known = |name: &[u8]| variables.iter().any(|(key, _)| key.as_bytes() == name);
                environment.retain(|(name, _)| !known(name));
                let new = variables.iter();
                environment
                    .extend(new.map(|(name, value)| (name.as_bytes().to_vec(), value.clone())));
                // Not of the environment, as git has it.
                let quoted = shell_word(path);
                arguments.push(bytes!("path=", quoted, "; ", script));
            }
            [first, ..] => {
                arguments.push(bytes!(first, " \"$@\""));
                arguments.extend(self.words.iter().cloned());
            }
            [] => return true,
        }
        environment.retain(|(name, _)| name != b"GIT_PROTOCOL_FROM_USER");
        environment.push((b"GIT_PROTOCOL_FROM_USER".to_vec(), b"0".to_vec()));
        let started = system::spawn(&system::Spawn {
            path: b"/bin/sh",
            arguments: &arguments,
            environment: &environment,
            directory: Some(folder),
            streams: system::Streams::default(),
        });
        started
            .and_then(system::wait)
            .is_ok_and(|exit| exit.status() == 0)
    }
}

/// `sync`: the URLs of `.gitmodules` replace those that are in the settings, here and in the submodule.
fn sync(repository: &mut Repository, given: &[Vec<u8>], flags: &Flags, outer: &[u8]) -> Outcome {
    let index = repository.index()?;
    let all = list::read(repository)?;
    for path in chosen(repository, &index, given)? {
        let Some(submodule) = find(&all, &path) else {
            continue;
        };
        if !is_active(repository, &submodule)? {
            continue;
        }
        let shown = display(repository, outer, &path);
        if !flags.has("q") {
            let line = bytes!("Synchronizing submodule url for '", shown, "'");
            repository.out.line(line);
        }
        let url = submodule.url.clone().unwrap_or_default();
        let url = resolved(repository, &url)?;
        list::set(repository, &submodule.name, "url", &url)?;
        let Some(mut inner) = repository.submodule(&path)? else {
            continue;
        };
        let remote = super::remote::default_name(&inner);
        let key = bytes!("remote.", remote, ".url");
        edit_config(&inner, |text| {
            config::set(&text, b"config", &key, &url, false)
        })?;
        if flags.has("recursive") {
            repository.out.flush();
            inner.reload()?;
            sync(&mut inner, &[], flags, &shown)?;
            inner.out.flush();
        }
    }
    Ok(())
}

/// `deinit`: the folders become empty and the settings go; the repository in `.git/modules` stays.
fn deinit(repository: &mut Repository, words: &[Vec<u8>]) -> Outcome<i32> {
    let flags = Flags::read(words, DEINIT)?;
    let given = flags.all_paths();
    if flags.has("all") && !given.is_empty() {
        return Err(super::stop::usage("pathspec and --all are incompatible"));
    }
    if !flags.has("all") && given.is_empty() {
        return Err(fatal(
            "Use '--all' if you really want to deinitialize all submodules",
        ));
    }
    let index = repository.index()?;
    let all = list::read(repository)?;
    for path in chosen(repository, &index, &given)? {
        let Some(submodule) = find(&all, &path) else {
            continue;
        };
        let shown = repository.path_from_here(&path);
        let folder = repository.file(&path)?;
        if system::stat(&folder, true).is_ok() {
            clear(repository, &submodule, &folder, &flags)?;
        }
        super::refs::make_parents(&bytes!(folder, "/"))?;
        if setting(repository, &submodule.name, "url").is_none() {
            continue;
        }
        let section = bytes!("submodule.", submodule.name);
        let section = String::from_utf8_lossy(&section).into_owned();
        edit_config(repository, |text| {
            Ok(config::remove_section(&text, &section).unwrap_or(text))
        })?;
        if !flags.has("q") {
            let line = bytes!(
                "Submodule '",
                submodule.name,
                "' (",
                submodule.url.clone().unwrap_or_default(),
                ") unregistered for path '",
                shown,
                "'"
            );
            tell(repository, line);
        }
    }
    Ok(0)
}

/// Empties the folder of a submodule, unless changes would be lost: what `git rm` refuses is refused here, but for
/// `-f`.
fn clear(
    repository: &mut Repository,
    submodule: &Submodule,
    folder: &[u8],
    flags: &Flags,
) -> Outcome {
    let path = &submodule.path;
    let shown = repository.path_from_here(path);
    change::absorb(repository, std::slice::from_ref(&shown))?;
    if !flags.has("f") {
        let words = [b"-qn".to_vec(), shown.clone()];
        if let Err(stop) = super::add::rm(repository, &words) {
            repository.say(&stop.message);
            return Err(fatal(bytes!(
                "Submodule work tree '",
                shown,
                "' contains local modifications; use '-f' to discard them"
            )));
        }
    }
    for entry in system::read_directory(folder).unwrap_or_default() {
        super::worktrees::remove_all(&system::join(folder, &entry.name))?;
    }
    let own = change::place(repository, &submodule.name);
    let settings = system::join(&own, b"config");
    let text = system::read_whole(&settings).unwrap_or_default();
    let (text, count) = config::unset(&text, &settings, b"core.worktree")?;
    match count {
        0 => repository.say(bytes!(
            "warning: Could not unset core.worktree setting in submodule '",
            path,
            "'"
        )),
        _ => super::objects::write_file(&settings, &text)?,
    }
    if !flags.has("q") {
        tell(repository, bytes!("Cleared directory '", shown, "'"));
    }
    Ok(())
}

/// A word in quotes that a shell takes off.
fn shell_word(word: &[u8]) -> Vec<u8> {
    let parts: Vec<&[u8]> = word.split(|&byte| byte == b'\'').collect();
    bytes!("'", parts.join(b"'\\''".as_slice()), "'")
}

/// An end without a message.
fn failed() -> Stop {
    quiet(1)
}

/// The top of the work tree whose submodule this repository is; empty where it is none.
pub fn above(repository: &Repository) -> Outcome<Vec<u8>> {
    let Some(root) = repository.root.clone() else {
        return Ok(Vec::new());
    };
    let mut folder = root.clone();
    while let Some(at) = folder.iter().rposition(|&byte| byte == b'/') {
        folder.truncate(at);
        let git = system::join(&folder, b".git");
        if folder.is_empty() || system::stat(&git, true).is_err() {
            continue;
        }
        let globals = Globals {
            git_dir: Some(git),
            work_tree: Some(folder.clone()),
            ..Globals::default()
        };
        let Ok(outer) = Repository::discover(&globals) else {
            return Ok(Vec::new());
        };
        let path = root.get(folder.len() + 1..).unwrap_or_default();
        let index = outer.index()?;
        let is_module = index
            .get(path)
            .is_some_and(|entry| entry.item.mode == crate::git::tree::COMMIT);
        return Ok(if is_module { folder } else { Vec::new() });
    }
    Ok(Vec::new())
}
