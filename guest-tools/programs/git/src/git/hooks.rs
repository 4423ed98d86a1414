//! Hooks (Documentation/githooks): programs of the repository that commands run on their way.
//!
//! They lie in `hooks` of the folder that all work trees share, or where `core.hooksPath` says. Each runs at the top
//! of the work tree (in a bare repository, in its folder), and what it prints goes to standard error, as git has it.

use std::io::{Read as _, Write as _};

use super::config;
use super::flags::Flags;
use super::objects::{Id, none};
use super::repository::Repository;
use super::stop::{Outcome, Stop, error, usage};
use crate::call::bytes;
use crate::options::{Opt, Value};
use crate::system::{self, Handle, Spawn, Streams};

/// How a hook is called.
#[derive(Default)]
pub struct Hook<'a> {
    /// Its arguments.
    pub arguments: &'a [&'a [u8]],
    /// What it reads; nothing where none is given.
    pub input: &'a [u8],
    /// Further variables of its environment.
    pub variables: &'a [(&'a str, &'a [u8])],
    /// Whether what it prints goes to standard output, as that of `pre-push` does.
    pub prints: bool,
    /// Whether it is one of those that receive a push: these run in the repository's folder.
    pub receives: bool,
}

/// Where the hook of a name lies, and whether it may be run. A relative `core.hooksPath` is seen from where hooks
/// run.
fn path(repository: &Repository, name: &str) -> Vec<u8> {
    let folder = match repository.config.get("core.hookspath") {
        Some(folder) => system::join(place(repository), &config::home(folder)),
        None => system::join(&repository.common, b"hooks"),
    };
    system::join(&folder, name.as_bytes())
}

/// The folder in which hooks run.
fn place(repository: &Repository) -> &[u8] {
    repository.root.as_deref().unwrap_or(&repository.git_dir)
}

/// Whether there is a hook of this name that may be run. One that lacks the permission is told of.
pub fn exists(repository: &Repository, name: &str) -> bool {
    let path = path(repository, name);
    match system::access(&path, EXECUTE) {
        Ok(()) => true,
        Err(system::ACCESS) => {
            if repository.config.truth("advice.ignoredhook", true) {
                repository.say(format!(
                    "hint: The '{}' hook was ignored because it's not set as executable.\n\
                     hint: You can disable this warning with `git config advice.ignoredHook false`.",
                    String::from_utf8_lossy(&shown(repository, &path))
                ));
            }
            false
        }
        Err(_) => false,
    }
}

/// The path of a hook as messages have it.
fn shown(repository: &Repository, path: &[u8]) -> Vec<u8> {
    let root = bytes!(place(repository), "/");
    path.strip_prefix(root.as_slice()).unwrap_or(path).to_vec()
}

/// Permission to run a file, as `access` asks for it.
const EXECUTE: u32 = 1;

/// Runs the hook of a name where there is one; its status, 0 where there is none. What was printed before is written
/// first.
pub fn run(repository: &mut Repository, name: &str, hook: &Hook<'_>) -> i32 {
    if !exists(repository, name) {
        return 0;
    }
    repository.out.flush();
    run_at_once(repository, name, hook)
}

/// Runs the hook of a name where there is one, ahead of what was printed before; its status, 0 where there is none.
pub fn run_at_once(repository: &Repository, name: &str, hook: &Hook<'_>) -> i32 {
    if !exists(repository, name) {
        return 0;
    }
    let path = path(repository, name);
    let ended = start(repository, &path, hook, None).and_then(system::wait);
    match ended {
        Ok(exit) => exit.status(),
        Err(failure) => {
            let shown = shown(repository, &path);
            repository.say(bytes!("error: cannot run ", shown, ": ", failure));
            1
        }
    }
}

/// Starts a hook and feeds it. The shell takes its place with what it prints turned to standard
/// error, and reads it itself where it is a text without `#!`.
fn start(
    repository: &Repository,
    path: &[u8],
    hook: &Hook<'_>,
    errors: Option<&Handle>,
) -> system::Result<u32> {
    let command: &[u8] = if hook.prints {
        b"exec \"$0\" \"$@\""
    } else {
        b"exec \"$0\" \"$@\" >&2"
    };
    let mut arguments = [b"sh".as_slice(), b"-c", command]
        .map(<[u8]>::to_vec)
        .to_vec();
    let place = if hook.receives {
        &repository.git_dir
    } else {
        place(repository)
    };
    arguments.push(match hook.receives {
        true => path.to_vec(),
        false => shown(repository, path),
    });
    arguments.extend(hook.arguments.iter().map(|word| word.to_vec()));
    let mut environment = system::environment();
    let mut set = |name: &str, value: &[u8]| {
        environment.retain(|(known, _)| known != name.as_bytes());
        environment.push((name.as_bytes().to_vec(), value.to_vec()));
    };
    set("GIT_PREFIX", &repository.prefix);
    if repository.root.is_none() || hook.receives {
        set("GIT_DIR", b".");
    }
    for (name, value) in hook.variables {
        set(name, value);
    }
    let (input, mut feed) = system::pipe()?;
    let pid = system::spawn(&Spawn {
        path: b"/bin/sh",
        arguments: &arguments,
        environment: &environment,
        directory: Some(place),
        streams: Streams {
            input: Some(&input),
            errors,
            ..Streams::default()
        },
    })?;
    drop(input);
    // A hook need not read what it is given.
    let _ = feed.write_all(hook.input);
    drop(feed);
    Ok(pid)
}

/// Runs the hook of a name where there is one, and hands what it says to `tell` as it comes; its status.
pub fn run_heard(
    repository: &Repository,
    name: &str,
    hook: &Hook<'_>,
    tell: impl FnMut(&[u8]),
) -> i32 {
    if !exists(repository, name) {
        return 0;
    }
    heard(repository, &path(repository, name), hook, tell).unwrap_or(1)
}

/// Starts a hook and listens until it ends; its status.
fn heard(
    repository: &Repository,
    path: &[u8],
    hook: &Hook<'_>,
    mut tell: impl FnMut(&[u8]),
) -> system::Result<i32> {
    let (mut reader, writer) = system::pipe()?;
    let pid = start(repository, path, hook, Some(&writer))?;
    drop(writer);
    let mut buffer = [0; 4096];
    while let Ok(count @ 1..) = reader.read(&mut buffer) {
        tell(&buffer[..count]);
    }
    Ok(system::wait(pid)?.status())
}

/// Tells `post-checkout` that `HEAD` went from one commit to another. Its status is that of the command.
pub fn after_checkout(
    repository: &mut Repository,
    old: Option<Id>,
    new: Option<Id>,
    branch: bool,
) -> i32 {
    let text = |id: Option<Id>| id.unwrap_or_else(none).to_string().into_bytes();
    let (old, new) = (text(old), text(new));
    let flag: &[u8] = if branch { b"1" } else { b"0" };
    let hook = Hook {
        arguments: &[&old, &new, flag],
        ..Hook::default()
    };
    run(repository, "post-checkout", &hook)
}

/// `git hook run`: runs a hook with the arguments behind `--`. One that is not there is an error, unless
/// `--ignore-missing` is given.
pub fn hook(repository: &mut Repository, arguments: &[Vec<u8>]) -> Outcome<i32> {
    let (verb, rest) = match arguments.split_first() {
        Some((verb, rest)) => (verb.as_slice(), rest),
        None => (b"".as_slice(), arguments),
    };
    if verb != b"run" {
        return Err(usage(bytes!("need a subcommand\n", USAGE)));
    }
    let flags = Flags::read(rest, OPTIONS)?;
    let Some(name) = flags.operands.first() else {
        return Err(Stop {
            status: 129,
            message: USAGE.to_vec(),
        });
    };
    let name = String::from_utf8_lossy(name).into_owned();
    if !exists(repository, &name) {
        if flags.has("ignore-missing") {
            return Ok(0);
        }
        return Err(error(format!("cannot find a hook named {name}")));
    }
    let input = match flags.value("to-stdin") {
        Some(path) => system::read_whole(path)
            .map_err(|failure| super::stop::file("cannot open", path, failure))?,
        None => Vec::new(),
    };
    let words: Vec<&[u8]> = flags.paths.iter().flatten().map(Vec::as_slice).collect();
    let hook = Hook {
        arguments: &words,
        input: &input,
        ..Hook::default()
    };
    Ok(run(repository, &name, &hook))
}

/// How `git hook` is called.
const USAGE: &[u8] = b"usage: git hook run [--ignore-missing] [--to-stdin=<path>] <hook-name> \
                       [-- <hook-args>]\n";

/// The options of `git hook run`.
const OPTIONS: &[Opt] = &[
    Opt("", "ignore-missing", Value::No),
    Opt("", "to-stdin", Value::Required),
];
