//! What a name stands for: `type`, `command -v`, `hash`, `enable`.
//!
//! The order of precedence is alias, keyword, function, builtin, then a file: one that was hashed, or the first in
//! `PATH`. For `ls` that was run before:
//!
//! | call | output |
//! |---|---|
//! | `type ls` | `ls is hashed (/usr/bin/ls)` |
//! | `type -t ls` | `file` |
//! | `command -v ls` | `/usr/bin/ls` |
//! | `type -a test` | a line for the builtin, a line for each file |

use std::rc::Rc;

use super::letters::Letters;
use super::{Context, Flow, TABLE, find, listing};
use crate::machine::hash::bash_hash;
use crate::machine::option::{SetOption, Shopt};
use crate::os::{Access, FileKind};
use crate::text::Text;

/// What a command word can be.
enum Meaning {
    /// An alias and its text; only where aliases are expanded.
    Alias(Text),
    /// A reserved word.
    Keyword,
    /// A function.
    Function,
    /// A special builtin, which is told apart in POSIX mode only.
    Special,
    /// A builtin that is enabled.
    Builtin,
    /// A file that the shell remembers.
    Hashed(Text),
    /// A file that was found.
    File(Text),
}

/// The reserved words, in the order in which bash lists them.
pub(super) const KEYWORDS: &[&[u8]] = &[
    b"if",
    b"then",
    b"else",
    b"elif",
    b"fi",
    b"case",
    b"esac",
    b"for",
    b"select",
    b"while",
    b"until",
    b"do",
    b"done",
    b"in",
    b"function",
    b"time",
    b"{",
    b"}",
    b"!",
    b"[[",
    b"]]",
    b"coproc",
];

/// What is asked for.
#[derive(Default)]
struct Wanted {
    /// `-a`: every meaning, and every file in `PATH`.
    all: bool,
    /// `-f`: functions do not count.
    no_functions: bool,
    /// `-P`: only files; with -p only where the name is nothing else.
    force_path: bool,
    /// `command -p`: the standard path in the place of `PATH`, and nothing that is remembered.
    standard: bool,
}

/// Everything that a name means, in order of precedence; only the first unless all are wanted. A remembered file that
/// is found counts as a hit.
fn meanings(cx: &mut Context<'_>, name: &Text, wanted: &Wanted) -> Vec<Meaning> {
    let mut found = Vec::new();
    if !wanted.force_path {
        named(cx, name, wanted, &mut found);
    }
    if !found.is_empty() && !wanted.all {
        found.truncate(1);
        return found;
    }
    if name.contains(&b'/') {
        if is_executable(cx, name) {
            found.push(Meaning::File(name.clone()));
        }
        return found;
    }
    if wanted.all {
        found.extend(cx.find_all_commands(name).into_iter().map(Meaning::File));
        return found;
    }
    match cx.state().hashed.get(name).cloned() {
        Some((path, _)) if !wanted.standard => {
            count_hit(cx, name);
            found.push(Meaning::Hashed(path));
        }
        _ => found.extend(cx.look_up_command(name, wanted.standard).map(Meaning::File)),
    }
    found
}

/// Adds what a name means without looking at files.
fn named(cx: &mut Context<'_>, name: &Text, wanted: &Wanted, found: &mut Vec<Meaning>) {
    if cx.shopt(Shopt::ExpandAliases)
        && let Some(value) = cx.state().aliases.get(name)
    {
        found.push(Meaning::Alias(value.clone()));
    }
    if KEYWORDS.contains(&name.as_bytes()) {
        found.push(Meaning::Keyword);
    }
    if !wanted.no_functions && cx.function(name).is_some() {
        found.push(Meaning::Function);
    }
    if let Some(entry) = find(name).filter(|_| !cx.state().disabled.contains(name)) {
        let posix = cx.on(SetOption::Posix);
        found.push(if entry.special && posix {
            Meaning::Special
        } else {
            Meaning::Builtin
        });
    }
}

/// Whether a path leads to a file, not a directory, that may be executed.
fn is_executable(cx: &Context<'_>, name: &[u8]) -> bool {
    let path = cx.absolute(name);
    let file = cx
        .os()
        .stat(&path, true)
        .is_ok_and(|stat| stat.kind != FileKind::Directory);
    file && cx
        .os()
        .access(
            &path,
            Access {
                execute: true,
                ..Access::default()
            },
        )
        .is_ok()
}

/// Runs `type`. The status is 1 where one of the names means nothing.
pub(super) fn describe_types(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("afptP", arguments);
    let mut wanted = Wanted::default();
    let (mut path_only, mut word_only) = (false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'a' => wanted.all = true,
                b'f' => wanted.no_functions = true,
                b'p' => (path_only, word_only) = (true, false),
                b't' => (path_only, word_only) = (false, true),
                _ => {
                    (path_only, word_only) = (true, false);
                    wanted.force_path = true;
                }
            },
            Err(flow) => return flow,
        }
    }
    let mut status = 0;
    for name in letters.operands() {
        let found = meanings(cx, name, &wanted);
        if found.is_empty() {
            if !path_only && !word_only {
                cx.error_about(name, "not found");
            }
            status = 1;
        }
        for meaning in found {
            if word_only {
                cx.out([kind(&meaning).as_bytes(), b"\n"].concat());
            } else if path_only {
                if let Meaning::File(path) | Meaning::Hashed(path) = meaning {
                    cx.out([path.as_bytes(), b"\n"].concat());
                }
            } else {
                describe(cx, name, &meaning);
            }
        }
    }
    Flow::Status(status)
}

/// The word of `type -t`.
fn kind(meaning: &Meaning) -> &'static str {
    match meaning {
        Meaning::Alias(_) => "alias",
        Meaning::Keyword => "keyword",
        Meaning::Function => "function",
        Meaning::Special | Meaning::Builtin => "builtin",
        Meaning::Hashed(_) | Meaning::File(_) => "file",
    }
}

/// The sentence of `type` and `command -V`; a function is printed behind its own.
fn describe(cx: &mut Context<'_>, name: &Text, meaning: &Meaning) {
    let mut line = name.to_vec();
    match meaning {
        Meaning::Alias(value) => {
            line.extend_from_slice(b" is aliased to `");
            line.extend_from_slice(value);
            line.push(b'\'');
        }
        Meaning::Keyword => line.extend_from_slice(b" is a shell keyword"),
        Meaning::Function => {
            line.extend_from_slice(b" is a function\n");
            if let Some(function) = cx.function(name) {
                line.extend_from_slice(&listing::function(cx, &function));
            }
            cx.out(line);
            return;
        }
        Meaning::Special => line.extend_from_slice(b" is a special shell builtin"),
        Meaning::Builtin => line.extend_from_slice(b" is a shell builtin"),
        Meaning::Hashed(path) => {
            line.extend_from_slice(b" is hashed (");
            line.extend_from_slice(path);
            line.push(b')');
        }
        Meaning::File(path) => {
            line.extend_from_slice(b" is ");
            line.extend_from_slice(path);
        }
    }
    line.push(b'\n');
    cx.out(line);
}

/// `command -v` and `command -V`. The status is 0 where at least one of the names means something.
pub(super) fn describe_commands(
    cx: &mut Context<'_>,
    names: &[Text],
    verbose: bool,
    standard: bool,
) -> Flow {
    let wanted = Wanted {
        standard,
        ..Wanted::default()
    };
    let mut any = false;
    for name in names {
        let Some(meaning) = meanings(cx, name, &wanted).into_iter().next() else {
            if verbose {
                cx.error_about(name, "not found");
            }
            continue;
        };
        any = true;
        if verbose {
            describe(cx, name, &meaning);
            continue;
        }
        let line = match &meaning {
            Meaning::Alias(value) => [
                b"alias ",
                name.as_bytes(),
                b"=",
                &super::alias::definition(value),
            ]
            .concat(),
            Meaning::Hashed(path) | Meaning::File(path) => path.to_vec(),
            _ => name.to_vec(),
        };
        cx.out([&line, b"\n".as_slice()].concat());
    }
    Flow::Status(u8::from(!any))
}

/// The options of `hash` that say what is done with each name.
#[derive(Default)]
struct HashRequest<'a> {
    /// `-d`: forget it.
    delete: bool,
    /// `-l`: print it as a command.
    reusable: bool,
    /// `-t`: print its path.
    paths: bool,
    /// `-p`: the path to remember for it.
    path: Option<&'a [u8]>,
}

/// Runs `hash`. The status is 1 where a name is not found, or hashing is off (`set +h`).
pub(super) fn hash(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    if !cx.on(SetOption::Hashall) {
        cx.error("hashing disabled");
        return Flow::Status(1);
    }
    let mut letters = Letters::new("dlp:rt", arguments);
    let mut request = HashRequest::default();
    let mut emptied = false;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'd' => request.delete = true,
                b'l' => request.reusable = true,
                b'p' => request.path = given.value,
                b'r' => emptied = true,
                _ => request.paths = true,
            },
            Err(flow) => return flow,
        }
    }
    if emptied {
        cx.state_mut().hashed = Rc::default();
    }
    let names = letters.operands();
    if names.is_empty() {
        if request.delete || request.paths {
            let letter = if request.delete { 'd' } else { 't' };
            cx.error(format!("-{letter}: option requires an argument"));
            return Flow::Status(1);
        }
        if !emptied {
            list_hashed(cx, request.reusable);
        }
        return Flow::Status(0);
    }
    let mut status = 0;
    for name in names {
        status |= hash_one(cx, name, &request, names.len() > 1);
    }
    Flow::Status(status)
}

/// A remembered command was asked for.
fn count_hit(cx: &mut Context<'_>, name: &Text) {
    if let Some(entry) = Rc::make_mut(&mut cx.state_mut().hashed).get_mut(name) {
        entry.1 += 1;
    }
}

/// Prints what is remembered, in bash's order: by 256 chains of its hash table.
fn list_hashed(cx: &mut Context<'_>, reusable: bool) {
    let hashed = cx.state().hashed.clone();
    if hashed.is_empty() {
        if !reusable && !cx.on(SetOption::Posix) {
            cx.out("hash: hash table empty\n");
        }
        return;
    }
    if !reusable {
        cx.out("hits\tcommand\n");
    }
    // bash keeps them in 256 chains.
    let mut listed: Vec<_> = hashed.iter().collect();
    listed.sort_by_key(|(name, _)| bash_hash(name) % 256);
    for (name, (path, hits)) in listed {
        let line = if reusable {
            [b"builtin hash -p ", path.as_bytes(), b" ", name, b"\n"].concat()
        } else {
            [format!("{hits:4}\t").as_bytes(), path, b"\n"].concat()
        };
        cx.out(line);
    }
}

/// Does what the options ask for with one name, and gives the status. A name with a slash, a builtin or a function is
/// not remembered, and that is no error.
fn hash_one(cx: &mut Context<'_>, name: &Text, request: &HashRequest<'_>, many: bool) -> u8 {
    if let Some(path) = request.path {
        if path.contains(&b'/') && cx.is_restricted(path) {
            return 1;
        }
        let hashed = Rc::make_mut(&mut cx.state_mut().hashed);
        hashed.insert(name.clone(), (Text::from(path), 0));
        return 0;
    }
    let known = cx.state().hashed.get(name).cloned();
    if request.delete || request.paths {
        let Some((path, _)) = known else {
            cx.error_about(name, "not found");
            return 1;
        };
        if request.delete {
            Rc::make_mut(&mut cx.state_mut().hashed).remove(name);
            return 0;
        }
        count_hit(cx, name);
        if request.reusable {
            cx.out([b"builtin hash -p ", path.as_bytes(), b" ", name, b"\n"].concat());
        } else if many {
            cx.out([name.as_bytes(), b"\t", &path, b"\n"].concat());
        } else {
            cx.out([path.as_bytes(), b"\n"].concat());
        }
        return 0;
    }
    if name.contains(&b'/') || find(name).is_some() || cx.function(name).is_some() {
        return 0;
    }
    Rc::make_mut(&mut cx.state_mut().hashed).remove(name);
    match cx.find_command(name, false) {
        Some(path) => {
            let hashed = Rc::make_mut(&mut cx.state_mut().hashed);
            hashed.insert(name.clone(), (path, 0));
            0
        }
        None => {
            cx.error_about(name, "not found");
            1
        }
    }
}

/// `enable -f`: there are no shared objects here.
fn not_loaded(cx: &mut Context<'_>, file: &[u8]) -> Flow {
    let parts: [&[u8]; 4] = [b"cannot open shared object ", file, b": ", file];
    let subject = parts.concat();
    let reason = "cannot open shared object file: No such file or directory";
    cx.error_about(&subject, reason);
    Flow::Status(1)
}

/// Runs `enable`: lists builtins, or turns them on and off (`-n`).
pub(super) fn enable(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("adnpsf:", arguments);
    let (mut all, mut off, mut special, mut print) = (false, false, false, false);
    let (mut unload, mut file) = (false, None);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'a' => all = true,
                b'n' => off = true,
                b's' => special = true,
                b'p' => print = true,
                b'd' => unload = true,
                _ => file = given.value.map(Text::from),
            },
            Err(flow) => return flow,
        }
    }
    let names = letters.operands();
    if (unload || file.is_some()) && cx.is_restricted(b"") {
        return Flow::Status(1);
    }
    if names.is_empty() || print {
        for entry in TABLE {
            let disabled = cx.state().disabled.contains(entry.name.as_bytes());
            let shown = all || disabled == off;
            if shown && (!special || entry.special) {
                let flag = if disabled { "-n " } else { "" };
                cx.out(format!("enable {flag}{}\n", entry.name));
            }
        }
        return Flow::Status(0);
    }
    if let Some(file) = file {
        return not_loaded(cx, &file);
    }
    let mut status = 0;
    for name in names {
        if find(name).is_none() {
            cx.error_about(name, "not a shell builtin");
            status = 1;
            continue;
        }
        if unload {
            cx.error_about(name, "not dynamically loaded");
            status = 1;
            continue;
        }
        if !off && cx.state().disabled.contains(name) && cx.is_restricted(b"") {
            return Flow::Status(1);
        }
        let disabled = Rc::make_mut(&mut cx.state_mut().disabled);
        if off {
            disabled.insert(name.clone());
        } else {
            disabled.remove(name);
        }
    }
    Flow::Status(status)
}
