//! `compgen`, `complete`, `compopt` (the manual's Programmable Completion Builtins).
//!
//! `compgen` makes candidates at once. `complete` only keeps specifications, by the name of the command, as the words
//! that `complete -p` prints again; an editor of lines may use them. `-D`, `-E` and `-I` are kept under these names.
//!
//! | words | candidates |
//! |---|---|
//! | `compgen -W 'add commit' a` | `add` |
//! | `compgen -f -X '!*.c' src/` | files in `src` that end in `.c` |
//! | `compgen -A function _` | functions that begin with `_` |
//!
//! Candidates come in the order actions, `-G`, `-W`, `-F`, `-C`; then the filter, then prefix and suffix. `-o` options
//! have an effect on `dirnames` and `plusdirs` alone. Users and groups are those of the shell itself.

use std::rc::Rc;

use super::letters::{Given, Letters};
use super::{Context, Flow, TABLE, lookup, synopsis};
use crate::format::quote;
use crate::machine::option::{SetOption, Shopt};
use crate::machine::trap::signal_name;
use crate::machine::value::{Attributes, Value};
use crate::os::{Access, FileKind};
use crate::pattern::{self, Pattern};
use crate::text::Text;

/// What candidates are made of.
#[derive(Default)]
struct Request {
    /// Kinds of names, in the order of the options.
    actions: Vec<&'static str>,
    /// `-W`: a list that is expanded and split.
    words: Option<Text>,
    /// `-F`: a function that sets `COMPREPLY`.
    function: Option<Text>,
    /// `-C`: a command whose lines are candidates.
    command: Option<Text>,
    /// `-G`: a pattern of paths, which the word does not narrow.
    glob: Option<Text>,
    /// `-X`: what matches is dropped, or with `!` in front what does not.
    filter: Option<Text>,
    /// `-P`: stands before each candidate.
    prefix: Text,
    /// `-S`: stands behind each candidate.
    suffix: Text,
}

/// Letter (0 where there is none) and name of each action, in the order in which `complete -p` prints them.
const ACTIONS: &[(u8, &str)] = &[
    (b'a', "alias"),
    (b'b', "builtin"),
    (b'c', "command"),
    (b'd', "directory"),
    (b'e', "export"),
    (b'f', "file"),
    (b'g', "group"),
    (b'j', "job"),
    (b'k', "keyword"),
    (b's', "service"),
    (b'u', "user"),
    (b'v', "variable"),
    (0, "arrayvar"),
    (0, "binding"),
    (0, "disabled"),
    (0, "enabled"),
    (0, "function"),
    (0, "helptopic"),
    (0, "hostname"),
    (0, "running"),
    (0, "setopt"),
    (0, "shopt"),
    (0, "signal"),
    (0, "stopped"),
];

/// The values of `-o`, in the order in which `complete -p` prints them.
const OPTIONS: &[&str] = &[
    "bashdefault",
    "default",
    "dirnames",
    "filenames",
    "noquote",
    "nosort",
    "nospace",
    "plusdirs",
];

impl Request {
    /// Notes an option; an error message where its value means nothing.
    fn option(&mut self, given: &Given<'_>) -> Result<(), &'static str> {
        let value = given.value.map(Text::from).unwrap_or_default();
        match given.letter {
            b'A' => {
                let found = ACTIONS
                    .iter()
                    .find(|(_, name)| name.as_bytes() == value.as_bytes());
                self.actions.push(found.ok_or("invalid action name")?.1);
            }
            b'o' => {
                let known = OPTIONS
                    .iter()
                    .any(|name| name.as_bytes() == value.as_bytes());
                if !known {
                    return Err("invalid option name");
                }
                if value.as_bytes() == b"dirnames" || value.as_bytes() == b"plusdirs" {
                    self.actions.push("directory");
                }
            }
            b'W' => self.words = Some(value),
            b'F' => self.function = Some(value),
            b'C' => self.command = Some(value),
            b'G' => self.glob = Some(value),
            b'X' => self.filter = Some(value),
            b'P' => self.prefix = value,
            b'S' => self.suffix = value,
            letter => {
                let found = ACTIONS.iter().find(|(known, _)| *known == letter);
                self.actions.extend(found.map(|(_, name)| *name));
            }
        }
        Ok(())
    }
}

/// Runs `compgen`. The status is 1 where there is no candidate, 2 for an option whose value means nothing.
pub(super) fn compgen(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("abcdefgjksuvo:A:G:W:F:C:X:P:S:", arguments);
    let mut request = Request::default();
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => {
                if let Err(message) = request.option(&given) {
                    cx.error_about(given.value.unwrap_or_default(), message);
                    return Flow::Status(2);
                }
            }
            Err(flow) => return flow,
        }
    }
    let word = letters.operands().first().cloned().unwrap_or_default();
    let mut candidates = Vec::new();
    for action in std::mem::take(&mut request.actions) {
        candidates.extend(candidates_of(cx, action, &word));
    }
    if let Some(glob) = &request.glob {
        // Whatever `dotglob`, `noglob` and `GLOBIGNORE` say.
        match cx.machine.matching_paths(cx.task, glob, false) {
            Ok(paths) => candidates.extend(paths),
            Err(_) => return Flow::TooLarge,
        }
    }
    if let Some(words) = &request.words {
        let fields = cx.expand_list(words).into_iter();
        let fitting = fields.filter(|field| field.starts_with(&word));
        candidates.extend(fitting.map(Text::into_vec));
    }
    if let Some(function) = &request.function {
        cx.error("warning: -F option may not work as you expect");
        candidates.extend(generated(cx, function.as_bytes(), &word, true));
    }
    if let Some(command) = &request.command {
        cx.error("warning: -C option may not work as you expect");
        candidates.extend(generated(cx, command.as_bytes(), &word, false));
    }
    if let Some(filter) = &request.filter {
        let negated = filter.strip_prefix(b"!").filter(|rest| {
            // `!(…)` is a pattern of its own.
            !(cx.shopt(Shopt::Extglob) && rest.starts_with(b"("))
        });
        let (keep, text) = negated.map_or((false, filter.as_bytes()), |rest| (true, rest));
        let options = pattern::Options {
            extended: cx.shopt(Shopt::Extglob),
            ..pattern::Options::default()
        };
        let pattern = Pattern::new(&substituted(text, &word), options);
        candidates.retain(|candidate| pattern.matches(candidate) == keep);
    }
    for candidate in &candidates {
        cx.out([request.prefix.as_bytes(), candidate, &request.suffix, b"\n"].concat());
    }
    Flow::Status(u8::from(candidates.is_empty()))
}

/// What a function leaves in `COMPREPLY`, or a command prints. It is called with the word and the variables of a
/// completion, all of which are unset afterwards.
fn generated(cx: &mut Context<'_>, command: &[u8], word: &[u8], function: bool) -> Vec<Vec<u8>> {
    let word = quote::single(word);
    let call = [command, b" compgen ".as_slice(), &word, b" ''"].concat();
    for name in ["COMP_LINE", "COMP_POINT", "COMP_TYPE", "COMP_KEY"] {
        let value = if name == "COMP_LINE" { "" } else { "0" };
        let _ = cx.set(name.as_bytes(), Text::from(value));
    }
    let text = if function {
        call
    } else {
        [b"mapfile -t COMPREPLY < <(".as_slice(), &call, b")"].concat()
    };
    let _ = cx.run_line(&text);
    let found = match cx.value(b"COMPREPLY") {
        Value::Indexed(array) => array.iter().map(|(_, item)| item.to_vec()).collect(),
        Value::Text(text) => vec![text.into_vec()],
        _ => Vec::new(),
    };
    for name in [
        "COMPREPLY",
        "COMP_LINE",
        "COMP_POINT",
        "COMP_TYPE",
        "COMP_KEY",
    ] {
        let _ = cx.unset(name.as_bytes(), false);
    }
    found
}

/// The filter with the word to complete in place of `&`.
fn substituted(filter: &[u8], word: &[u8]) -> Vec<u8> {
    let mut text = Vec::with_capacity(filter.len());
    let mut quoted = false;
    for &byte in filter {
        if byte == b'&' && !quoted {
            text.extend_from_slice(word);
        } else {
            text.push(byte);
        }
        quoted = byte == b'\\' && !quoted;
    }
    text
}

/// The names of one kind that begin with `word`: sorted, or in bash's own order where that is not the alphabet's.
fn candidates_of(cx: &mut Context<'_>, action: &str, word: &[u8]) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = match action {
        "file" => return files(cx, word, false),
        "directory" => return files(cx, word, true),
        "alias" => cx
            .state()
            .aliases
            .keys()
            .map(|name| name.to_vec())
            .collect(),
        "keyword" => lookup::KEYWORDS.iter().map(|name| name.to_vec()).collect(),
        "builtin" | "helptopic" => TABLE.iter().map(|entry| entry.name.into()).collect(),
        "enabled" | "disabled" => {
            let off = action == "disabled";
            let wanted = TABLE.iter().map(|entry| entry.name.as_bytes());
            wanted
                .filter(|name| cx.state().disabled.contains(*name) == off)
                .map(<[u8]>::to_vec)
                .collect()
        }
        "function" => cx
            .functions()
            .iter()
            .map(|function| function.name.to_vec())
            .collect(),
        "variable" => variables(cx, |_| true),
        "export" => variables(cx, |found| found.has(Attributes::EXPORT)),
        "binding" => super::bind::functions()
            .iter()
            .map(|name| name.as_bytes().to_vec())
            .collect(),
        "arrayvar" => cx
            .variables()
            .into_iter()
            .filter(|(_, found)| matches!(found.value, Value::Indexed(_) | Value::Associative(_)))
            .map(|(name, _)| name.into_vec())
            .collect(),
        "setopt" => SetOption::ALL
            .iter()
            .map(|option| option.name().into())
            .collect(),
        "shopt" => Shopt::ALL
            .iter()
            .map(|option| option.name().into())
            .collect(),
        "signal" => {
            let signals = (1..=64).filter_map(signal_name);
            let signals = signals.map(|name| [b"SIG", name.as_bytes()].concat());
            let events = ["DEBUG", "ERR", "RETURN"].map(|name| name.into());
            std::iter::once(b"EXIT".to_vec())
                .chain(signals)
                .chain(events)
                .collect()
        }
        "job" | "running" => {
            let jobs = cx.jobs().list().iter().filter(|job| job.status().is_none());
            jobs.map(|job| job.text.to_vec()).collect()
        }
        "user" => vec![cx.os().identity().user.into_bytes()],
        "group" => vec![cx.os().identity().group.into_bytes()],
        "hostname" => vec![cx.os().identity().hostname.into_bytes()],
        "command" => commands(cx),
        _ => Vec::new(),
    };
    names.retain(|name| name.starts_with(word));
    let in_order = [
        "builtin", "keyword", "signal", "setopt", "shopt", "job", "running",
    ];
    if !in_order.contains(&action) {
        names.sort();
        names.dedup();
    }
    names
}

/// The names of variables with wanted attributes.
fn variables(cx: &mut Context<'_>, wanted: impl Fn(Attributes) -> bool) -> Vec<Vec<u8>> {
    let all = cx.variables().into_iter();
    all.filter(|(_, found)| wanted(found.attributes))
        .map(|(name, _)| name.into_vec())
        .collect()
}

/// Everything that can be a command word.
fn commands(cx: &mut Context<'_>) -> Vec<Vec<u8>> {
    let mut names: Vec<Vec<u8>> = Vec::new();
    for action in ["alias", "keyword", "function", "builtin"] {
        names.extend(candidates_of(cx, action, b""));
    }
    let path = cx.get(b"PATH").unwrap_or_default();
    for directory in path.split(|&byte| byte == b':') {
        let full = cx.absolute(directory);
        let executable = Access {
            execute: true,
            ..Access::default()
        };
        for (name, kind) in entries(cx, directory) {
            let file = [full.as_slice(), b"/", &name].concat();
            if kind != FileKind::Directory && cx.os().access(&file, executable).is_ok() {
                names.push(name);
            }
        }
    }
    names
}

/// The entries of a directory; none where it cannot be read.
fn entries(cx: &Context<'_>, directory: &[u8]) -> Vec<(Vec<u8>, FileKind)> {
    let full = cx.absolute(if directory.is_empty() {
        b"."
    } else {
        directory
    });
    let found = cx.os().read_directory(&full).unwrap_or_default();
    found
        .into_iter()
        .map(|entry| (entry.name, entry.kind))
        .collect()
}

/// Paths that begin with `word`, as it is written: `~/` stays. With `directories` only those.
fn files(cx: &mut Context<'_>, word: &[u8], directories: bool) -> Vec<Vec<u8>> {
    let split = word
        .iter()
        .rposition(|&byte| byte == b'/')
        .map_or(0, |at| at + 1);
    let (directory, start) = word.split_at(split);
    // `~/` stays in what is found.
    let place = match directory.strip_prefix(b"~") {
        Some(rest) => {
            let end = rest.iter().position(|&byte| byte == b'/').unwrap_or(0);
            let home = cx.tilde(&rest[..end]);
            home.map_or_else(|| directory.to_vec(), |home| [&home, &rest[end..]].concat())
        }
        None => directory.to_vec(),
    };
    let mut found = Vec::new();
    for (name, kind) in entries(cx, &place) {
        let path = [directory, &name].concat();
        let full = [place.as_slice(), &name].concat();
        let is_directory = kind == FileKind::Directory
            || kind == FileKind::Symlink
                && cx
                    .os()
                    .stat(&cx.absolute(&full), true)
                    .is_ok_and(|stat| stat.kind == FileKind::Directory);
        if name.starts_with(start) && (is_directory || !directories) {
            found.push(path);
        }
    }
    found
}

/// Runs `complete`: sets, prints (`-p`, or without arguments) or removes (`-r`) specifications.
pub(super) fn complete(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("abcdefgjksuvprDEIo:A:G:W:F:C:X:P:S:", arguments);
    let mut request = Request::default();
    let (mut print, mut remove) = (false, false);
    let mut parts: Vec<(u8, Text)> = Vec::new();
    let mut names: Vec<Text> = Vec::new();
    loop {
        let given = match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => given,
            Err(flow) => return flow,
        };
        if let Err(message) = request.option(&given) {
            cx.error_about(given.value.unwrap_or_default(), message);
            return Flow::Status(2);
        }
        let flag = Text::from(&[b'-', given.letter]);
        match given.letter {
            b'p' => print = true,
            b'r' => remove = true,
            b'D' | b'E' | b'I' => names.push(flag),
            letter => parts.push((letter, Text::from(given.value.unwrap_or_default()))),
        }
    }
    names.extend_from_slice(letters.operands());
    if remove {
        return remove_completions(cx, &names);
    }
    if print || arguments.is_empty() {
        return print_completions(cx, &names);
    }
    if names.is_empty() {
        return synopsis::usage(cx);
    }
    let words = Rc::new(in_order(&parts));
    let completions = Rc::make_mut(&mut cx.state_mut().completions);
    completions.extend(names.into_iter().map(|name| (name, words.clone())));
    Flow::Status(0)
}

/// `complete -r`
fn remove_completions(cx: &mut Context<'_>, names: &[Text]) -> Flow {
    if names.is_empty() {
        cx.state_mut().completions = Rc::default();
    }
    let mut status = 0;
    for name in names {
        let completions = Rc::make_mut(&mut cx.state_mut().completions);
        if completions.remove(name).is_none() {
            cx.error_about(name, "no completion specification");
            status = 1;
        }
    }
    Flow::Status(status)
}

/// The options of a specification as words, in the order in which bash prints them.
fn in_order(parts: &[(u8, Text)]) -> Vec<Text> {
    let mut words = Vec::new();
    let given = |letter: u8, value: &str| {
        parts
            .iter()
            .any(|(known, text)| *known == letter && text.as_bytes() == value.as_bytes())
    };
    for option in OPTIONS.iter().filter(|option| given(b'o', option)) {
        words.extend([Text::from("-o"), Text::from(*option)]);
    }
    let asked = |letter: u8, name: &str| {
        letter != 0 && parts.iter().any(|(known, _)| *known == letter) || given(b'A', name)
    };
    for (letter, name) in ACTIONS.iter().filter(|(letter, name)| asked(*letter, name)) {
        match letter {
            0 => words.extend([Text::from("-A"), Text::from(*name)]),
            letter => words.push(Text::from(&[b'-', *letter])),
        }
    }
    for letter in b"GWPSXFC" {
        let value = parts.iter().rfind(|(known, _)| known == letter);
        if let Some((_, value)) = value {
            let value = match letter {
                b'F' => value.to_vec(),
                _ => quote::single(value),
            };
            words.extend([Text::from(&[b'-', *letter]), Text::from(value)]);
        }
    }
    words
}

/// `complete -p`: specifications as commands that set them again.
fn print_completions(cx: &mut Context<'_>, names: &[Text]) -> Flow {
    let completions = cx.state().completions.clone();
    let mut status = 0;
    let all: Vec<Text> = completions.keys().cloned().collect();
    for name in if names.is_empty() { &all } else { names } {
        let Some(words) = completions.get(name) else {
            cx.error_about(name, "no completion specification");
            status = 1;
            continue;
        };
        let mut line = b"complete ".to_vec();
        for word in words.iter() {
            line.extend_from_slice(word);
            line.push(b' ');
        }
        line.extend_from_slice(name);
        line.push(b'\n');
        cx.out(line);
    }
    Flow::Status(status)
}

/// Runs `compopt -o OPTION NAME`: no function runs here for whose completion options could be set, so a name is needed.
pub(super) fn compopt(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("+o:DEI", arguments);
    let mut changes: Vec<(Text, bool)> = Vec::new();
    let mut names: Vec<Text> = Vec::new();
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) if given.letter == b'o' => {
                let value = given.value.unwrap_or_default();
                if !OPTIONS.iter().any(|name| name.as_bytes() == value) {
                    cx.error_about(value, "invalid option name");
                    return Flow::Status(2);
                }
                changes.push((Text::from(value), !given.plus));
            }
            Ok(Some(given)) => names.push(Text::from(&[b'-', given.letter])),
            Err(flow) => return flow,
        }
    }
    names.extend_from_slice(letters.operands());
    if names.is_empty() {
        cx.error("not currently executing completion function");
        return Flow::Status(1);
    }
    let mut status = 0;
    for name in &names {
        let known = cx.state().completions.get(name).cloned();
        let Some(words) = known else {
            let shown: &[u8] = match name.as_bytes() {
                b"-D" => b"_DefaultCmD_",
                b"-E" => b"_EmptycmD_",
                b"-I" => b"_InitialWorD_",
                name => name,
            };
            cx.error_about(shown, "no completion specification");
            status = 1;
            continue;
        };
        let words = Rc::new(with_options(&words, &changes));
        Rc::make_mut(&mut cx.state_mut().completions).insert(name.clone(), words);
    }
    Flow::Status(status)
}

/// The words of a specification with other options.
fn with_options(words: &[Text], changes: &[(Text, bool)]) -> Vec<Text> {
    let mut options: Vec<&Text> = Vec::new();
    let mut rest = words;
    while let [flag, option, after @ ..] = rest
        && flag.as_bytes() == b"-o"
    {
        options.push(option);
        rest = after;
    }
    for (option, on) in changes {
        options.retain(|known| *known != option);
        if *on {
            options.push(option);
        }
    }
    options.sort();
    let flags = options
        .into_iter()
        .flat_map(|option| [Text::from("-o"), option.clone()]);
    flags.chain(rest.iter().cloned()).collect()
}
