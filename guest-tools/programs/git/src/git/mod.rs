//! `git`, after git 2.47.3, in one process: every command of the table below is a function on a [`Repository`].
//!
//! What lies in `.git` is git's own format, both ways, so a repository may be handed to another git and back: loose
//! objects, packs of version 2 with their `.idx`, the index (Documentation/gitformat-index, versions 2 to 4 read),
//! loose and packed references, reflogs and the notes of what is under way (`MERGE_HEAD`, `rebase-merge/` …).
//! Objects, packs and the index are read and written by the crates of gitoxide; files go through `system`, which
//! knows modes where WASI does not. `curl` is the way to servers, which `remote` calls.
//!
//! How the modules stand to each other, from below:
//!
//! - `objects`, `refs`, `index`, `tree`, `config`: what is stored; `repository` finds all of it and is handed to
//!   commands.
//! - `revision` (names to objects), `walk` (commits in order), `selection` (the options of `log`), `pathspec`,
//!   `ignore`.
//! - `worktree` (what the files are like), `move_tree` (files from one tree to another), `three_way` and
//!   `merge_trees`.
//! - `change`, `diff`, `patch`, `format`, `graph`: how differences and commits are shown.
//! - the commands, each in the module of its name; `flags` reads their options, `stop` is how they end early.
//!
//! Deliberate differences: no pager; no signatures; SHA-1 only; no sparse index; commands that are known
//! and not here say so with status 2 ([`ABSENT`]).
//!
//! Standard output is kept back until a command ends, after what went to standard error, as with a git that writes
//! into a pipe.

mod add;
mod am;
mod apply;
mod archive;
mod bisect;
mod blame;
mod branch;
mod cat_file;
mod change;
mod check;
mod clean;
mod combined;
mod commit;
mod config;
mod configure;
mod date;
mod describe;
mod diff;
mod editor;
mod flags;
mod format;
mod format_patch;
mod graph;
mod grep;
mod hooks;
mod ignore;
mod index;
mod init;
mod interactive;
mod lines;
mod listing;
mod log;
mod merge;
mod merge_file;
mod merge_trees;
mod move_tree;
mod name_rev;
mod notes;
mod objects;
mod patch;
mod pathspec;
mod pick;
mod plumbing;
mod quoting;
mod raw_diff;
mod rebase;
mod ref_commands;
mod ref_rows;
mod reflog;
mod refs;
mod remote;
mod repository;
mod rerere;
mod reset;
mod restore;
mod rev_parse;
mod revision;
mod selection;
mod shortlog;
mod stash;
mod status;
mod stop;
mod submodule;
mod summary;
mod switch;
mod tag;
mod three_way;
mod todo;
mod tree;
mod upkeep;
mod var;
mod walk;
mod words;
mod worktree;
mod worktrees;

use std::io::Write as _;

use crate::call::{Call, bytes};
use crate::output::Output;
use crate::system;
pub use ignore::global_excludes;
use repository::{Globals, Repository, settings};
use stop::{Outcome, Stop, fatal, usage};

/// The version of git whose behaviour this follows; `git --version` prints it.
const VERSION: &str = "2.47.3";

/// A command that works on a repository. It gets the words behind its name, and answers its exit status.
type Command = fn(&mut Repository, &[Vec<u8>]) -> Outcome<i32>;

/// The commands that need a repository, in the order of names. [`dispatch`] has those that may run without one.
const COMMANDS: &[(&str, Command)] = &[
    ("add", add::add),
    ("am", am::am),
    ("annotate", blame::annotate),
    ("archive", archive::archive),
    ("bisect", bisect::bisect),
    ("blame", blame::blame),
    ("branch", branch::branch),
    ("bundle", remote::bundle),
    ("cat-file", cat_file::cat_file),
    ("check-ignore", plumbing::check_ignore),
    ("checkout", switch::checkout),
    ("cherry-pick", pick::cherry_pick),
    ("clean", clean::clean),
    ("commit", commit::commit),
    ("commit-tree", plumbing::commit_tree),
    ("count-objects", upkeep::count_objects),
    ("describe", describe::describe),
    ("diff-files", raw_diff::diff_files),
    ("diff-index", raw_diff::diff_index),
    ("diff-tree", raw_diff::diff_tree),
    ("fetch", remote::fetch),
    ("for-each-ref", ref_rows::for_each_ref),
    ("format-patch", format_patch::format_patch),
    ("fsck", upkeep::fsck),
    ("gc", upkeep::gc),
    ("grep", grep::grep),
    ("hook", hooks::hook),
    ("log", log::log),
    ("ls-files", listing::ls_files),
    ("ls-tree", listing::ls_tree),
    ("maintenance", upkeep::maintenance),
    ("merge", merge::merge),
    ("merge-base", merge_file::merge_base),
    ("mv", add::mv),
    ("name-rev", name_rev::name_rev),
    ("notes", notes::notes),
    ("pack-refs", upkeep::pack_refs),
    ("prune", upkeep::prune),
    ("prune-packed", upkeep::prune_packed),
    ("pull", remote::pull),
    ("push", remote::push),
    ("read-tree", plumbing::read_tree),
    ("rebase", rebase::rebase),
    ("reflog", reflog::reflog),
    ("remote", remote::remote),
    ("repack", upkeep::repack),
    ("rerere", rerere::rerere),
    ("reset", reset::reset),
    ("restore", restore::restore),
    ("rev-list", log::rev_list),
    ("rev-parse", rev_parse::rev_parse),
    ("revert", pick::revert),
    ("rm", add::rm),
    ("shortlog", shortlog::shortlog),
    ("show", log::show),
    ("show-ref", ref_commands::show_ref),
    ("stage", add::add),
    ("stash", stash::stash),
    ("status", status::status),
    ("submodule", submodule::submodule),
    ("switch", switch::switch),
    ("symbolic-ref", ref_commands::symbolic_ref),
    ("tag", tag::tag),
    ("update-index", plumbing::update_index),
    ("update-ref", ref_commands::update_ref),
    ("var", var::var),
    ("whatchanged", log::whatchanged),
    ("worktree", worktrees::worktree),
    ("write-tree", plumbing::write_tree),
];

/// Commands of git that are not here: they are refused by name, so that a script sees that nothing was misspelt.
const ABSENT: &[&str] = &[
    "difftool",
    "fast-export",
    "fast-import",
    "filter-branch",
    "gui",
    "mergetool",
    "mktree",
    "mktag",
    "pack-objects",
    "range-diff",
    "replace",
    "send-email",
    "sparse-checkout",
    "unpack-objects",
    "verify-commit",
    "verify-pack",
    "verify-tag",
];

/// Runs `git`. Exit statuses are git's: 1 for `error:`, 128 for `fatal:`, 129 for a usage, 141 where standard output
/// was closed.
pub fn run(call: &Call) -> i32 {
    let mut out = Output::new();
    match execute(&call.arguments, &mut out) {
        Ok(status) => out.finish("git", status, 1),
        Err(stop) => {
            say(&stop);
            out.finish("git", stop.status, 1)
        }
    }
}

/// Says what went wrong, and then writes what was printed before: git holds it back until its end.
fn finish(repository: Repository, outcome: Outcome<i32>) -> Outcome<i32> {
    let status = match outcome {
        Ok(status) => status,
        Err(stop) => {
            say(&stop);
            stop.status
        }
    };
    match repository.out.finish("git", status, 1) {
        0 => Ok(0),
        status => Err(stop::quiet(status)),
    }
}

/// Writes the message of a command that ended early; one that is quiet has none.
fn say(stop: &Stop) {
    if !stop.message.is_empty() {
        // Nothing is left to tell where standard error is gone.
        let _ = std::io::stderr().write_all(&bytes!(stop.message, "\n"));
    }
}

/// Reads what stands before the command's name, then runs it. `-C` takes effect as it is read, so several add up:
/// `git -C a -C b status` runs in `a/b`. Options of paging, locks and advice are accepted and without effect.
fn execute(arguments: &[Vec<u8>], out: &mut Output) -> Outcome<i32> {
    let mut globals = Globals::default();
    let mut words = arguments.iter();
    let name = loop {
        let Some(word) = words.next() else {
            print_help(out);
            return Ok(1);
        };
        let mut value = || {
            words.next().cloned().ok_or_else(|| {
                let mut stop = usage(bytes!("no value given for ", word));
                stop.status = 129;
                stop
            })
        };
        match word.as_slice() {
            b"-C" => {
                let folder = value()?;
                let path = String::from_utf8_lossy(&folder).into_owned();
                if !folder.is_empty() && std::env::set_current_dir(&path).is_err() {
                    return Err(fatal(bytes!(
                        "cannot change to '",
                        folder,
                        "': No such file or directory"
                    )));
                }
            }
            b"-c" => globals.settings.push(value()?),
            b"--git-dir" => globals.git_dir = Some(value()?),
            b"--work-tree" => globals.work_tree = Some(value()?),
            b"-p"
            | b"-P"
            | b"--paginate"
            | b"--no-pager"
            | b"--literal-pathspecs"
            | b"--no-optional-locks"
            | b"--no-advice" => {}
            b"--version" | b"-v" => {
                out.put(format!("git version {VERSION} (Offshoot)\n"));
                return Ok(0);
            }
            b"--help" | b"-h" => {
                print_help(out);
                return Ok(0);
            }
            b"--exec-path" => {
                out.put("/usr/bin\n");
                return Ok(0);
            }
            b"--bare" => globals.bare = true,
            b"--no-lazy-fetch" | b"--no-replace-objects" => {}
            long if long.starts_with(b"--config-env=") => {
                globals.settings.push(from_environment(&long[13..])?);
            }
            long if long.starts_with(b"--git-dir=") => globals.git_dir = Some(long[10..].to_vec()),
            long if long.starts_with(b"--work-tree=") => {
                globals.work_tree = Some(long[12..].to_vec())
            }
            option if option.starts_with(b"-") => {
                return Err(usage(bytes!("unknown option: ", option)));
            }
            name => break name.to_vec(),
        }
    };
    let rest: Vec<Vec<u8>> = words.cloned().collect();
    dispatch(&globals, &name, &rest, out, 0)
}

/// The setting of `--config-env=NAME=VARIABLE`, as `-c` has it.
fn from_environment(word: &[u8]) -> Outcome<Vec<u8>> {
    let equals = word.iter().rposition(|&byte| byte == b'=');
    let Some(equals) = equals else {
        return Err(fatal(bytes!("invalid config format: ", word)));
    };
    let variable = String::from_utf8_lossy(&word[equals + 1..]).into_owned();
    match system::variable(&variable) {
        Some(value) => Ok(bytes!(&word[..=equals], value)),
        None => Err(fatal(bytes!(
            "missing environment variable '",
            variable,
            "' for configuration '",
            &word[..equals],
            "'"
        ))),
    }
}

/// Finds a command by name: those of the table, those that may be outside of a repository, then aliases. `depth`
/// counts the aliases on the way here.
///
/// A repository is looked for in any case. That none is found is an error for commands of the table only; `diff`
/// falls back to comparing files, and `apply`, `hash-object`, `merge-file` go on without one.
fn dispatch(
    globals: &Globals,
    name: &[u8],
    arguments: &[Vec<u8>],
    out: &mut Output,
    depth: usize,
) -> Outcome<i32> {
    let text = String::from_utf8_lossy(name).into_owned();
    if arguments.first().is_some_and(|word| word == b"--help") && text != "help" {
        out.put(format!(
            "git {text}: see https://git-scm.com/docs/git-{text}\n"
        ));
        return Ok(0);
    }
    let mut found = Repository::discover(globals);
    if let Some((_, command)) = COMMANDS.iter().find(|(known, _)| *known == text) {
        let mut repository = found?;
        let outcome = command(&mut repository, arguments);
        return finish(repository, outcome);
    }
    let outside = |found: &Outcome<Repository>| {
        found
            .as_ref()
            .err()
            .is_some_and(|stop| stop.message.starts_with(b"fatal: not a git repository"))
    };
    match text.as_str() {
        "init" => init::init(globals, arguments, out),
        "clone" => remote::clone(globals, arguments, out),
        "ls-remote" => remote::ls_remote(globals, found.as_ref().ok(), arguments, out),
        "config" => {
            let repository = match &found {
                Ok(repository) => Some(repository),
                Err(_) if outside(&found) => None,
                Err(_) => return found.map(|_| 0),
            };
            configure::config(globals, repository, arguments, out)
        }
        "diff" if outside(&found) || arguments.iter().any(|word| word == b"--no-index") => {
            diff::files(arguments, out)
        }
        "diff" => {
            let mut repository = found?;
            let outcome = diff::diff(&mut repository, arguments);
            finish(repository, outcome)
        }
        "apply" | "hash-object" | "merge-file" => {
            let repository = found.as_mut().ok();
            let outcome = match text.as_str() {
                "apply" => apply::apply(repository, arguments),
                "hash-object" => cat_file::hash_object(repository, arguments),
                _ => merge_file::merge_file(repository, arguments),
            };
            match found {
                Ok(repository) => finish(repository, outcome),
                Err(_) => outcome,
            }
        }
        "check-ref-format" => ref_commands::check_ref_format(arguments),
        "version" => {
            out.put(format!("git version {VERSION} (Offshoot)\n"));
            Ok(0)
        }
        "help" => {
            print_help(out);
            Ok(0)
        }
        other if ABSENT.contains(&other) => Err(Stop {
            status: 2,
            message: bytes!("git: '", name, "' is not supported"),
        }),
        _ => alias(globals, name, arguments, out, depth),
    }
}

/// A name from the settings: with `alias.st = status -s`, `git st -b` is `git status -s -b`. An alias may name
/// another one, ten deep, which is also what ends a loop of them. One that begins with `!` is a command of the shell.
fn alias(
    globals: &Globals,
    name: &[u8],
    arguments: &[Vec<u8>],
    out: &mut Output,
    depth: usize,
) -> Outcome<i32> {
    let config = match Repository::discover(globals) {
        Ok(repository) => repository.config,
        Err(_) => settings(globals, None)?,
    };
    let key = format!("alias.{}", String::from_utf8_lossy(name));
    let value = config.get(&key).map(<[u8]>::to_vec);
    let Some(value) = value.filter(|_| depth < 10) else {
        return Err(Stop {
            status: 1,
            message: bytes!("git: '", name, "' is not a git command. See 'git --help'."),
        });
    };
    if let Some(command) = value.strip_prefix(b"!") {
        let found = Repository::discover(globals).ok();
        return shell_alias(found.as_ref(), command, arguments, out);
    }
    let mut words = split_words(&value);
    if words.is_empty() {
        return Err(fatal(bytes!("empty alias for ", name)));
    }
    let first = words.remove(0);
    words.extend(arguments.iter().cloned());
    dispatch(globals, &first, &words, out, depth + 1)
}

/// Runs the shell's command that an alias stands for, with the arguments behind it, at the top of the work tree.
/// `GIT_PREFIX` is the folder where it was called.
fn shell_alias(
    repository: Option<&Repository>,
    command: &[u8],
    arguments: &[Vec<u8>],
    out: &mut Output,
) -> Outcome<i32> {
    let mut words = vec![b"sh".to_vec(), b"-c".to_vec()];
    words.push(match arguments {
        [] => command.to_vec(),
        _ => bytes!(command, " \"$@\""),
    });
    words.push(command.to_vec());
    words.extend_from_slice(arguments);
    let mut environment = system::environment();
    if let Some(repository) = repository {
        environment.retain(|(name, _)| name != b"GIT_PREFIX");
        environment.push((b"GIT_PREFIX".to_vec(), repository.prefix.clone()));
    }
    out.flush();
    let started = system::spawn(&system::Spawn {
        path: b"/bin/sh",
        arguments: &words,
        environment: &environment,
        directory: repository.and_then(|repository| repository.root.as_deref()),
        streams: system::Streams::default(),
    });
    let ended = started.and_then(system::wait);
    ended.map(system::Exit::status).map_err(|failure| Stop {
        status: 128,
        message: bytes!("fatal: cannot run the shell: ", failure),
    })
}

/// The words of an alias, as git's own splitting of command lines (not the shell's) has them: quotes of both kinds
/// group, a backslash keeps the next byte outside of single quotes, nothing is expanded. `log --format='%h %s'` is
/// two words.
fn split_words(text: &[u8]) -> Vec<Vec<u8>> {
    let mut words = Vec::new();
    let mut word: Option<Vec<u8>> = None;
    let mut quote = None;
    let mut bytes = text.iter();
    while let Some(&byte) = bytes.next() {
        match (quote, byte) {
            (Some(open), byte) if open == byte => quote = None,
            (None, b'\'' | b'"') => {
                quote = Some(byte);
                word.get_or_insert_default();
            }
            (open, b'\\') if open != Some(b'\'') => {
                word.get_or_insert_default().extend(bytes.next())
            }
            (None, b' ' | b'\t') => words.extend(word.take()),
            (_, byte) => word.get_or_insert_default().push(byte),
        }
    }
    words.extend(word);
    words
}

/// The usage and the names of all commands.
fn print_help(out: &mut Output) {
    let mut names: Vec<&str> = COMMANDS.iter().map(|(name, _)| *name).collect();
    names.extend([
        "apply",
        "clone",
        "config",
        "diff",
        "hash-object",
        "init",
        "ls-remote",
        "merge-file",
    ]);
    names.sort_unstable();
    out.put("usage: git [-v | --version] [-C <path>] [-c <name>=<value>] [--git-dir=<path>]\n");
    out.put("           [--work-tree=<path>] <command> [<args>]\n\nThese commands are here:\n");
    for name in names {
        out.put(format!("   {name}\n"));
    }
}
