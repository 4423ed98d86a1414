//! Differences that are plain defects of bash, what nobody would want to have, or the machine's.

use super::Effect;

/// Why a difference is none of ours.
pub fn reason(script: &str, bash: &Effect, ours: &Effect) -> Option<&'static str> {
    // No script has this byte.
    if bash.stdout.contains('\u{7f}') || bash.stderr.contains('\u{7f}') {
        return Some("bash's own mark of an empty string is left in a word");
    }
    // `"${a%'$('}"`: it looks for the end of a substitution that single quotes within braces hide.
    let unended = "command substitution: line N: unexpected EOF while looking for matching `''";
    if script.contains('\'') && bash.stderr.contains(unended) && !ours.stderr.contains(unended) {
        return Some("single quotes in braces within double quotes do not hide `$(` from bash");
    }
    let lists_all = |effect: &Effect| {
        effect
            .stdout
            .lines()
            .any(|line| line.contains("BASHOPTS=checkwinsize"))
    };
    if lists_all(bash)
        && lists_all(ours)
        && bash.status == ours.status
        && bash.stderr == ours.stderr
    {
        return Some("a list of all variables is the machine's");
    }
    let root = names_in_root();
    let named = |text: &str| root.iter().any(|name| text.contains(name));
    if !named(script) && (named(&bash.stdout) || named(&bash.stderr)) {
        return Some("names in the root directory are the machine's");
    }
    let same = |one: &str, other: &str| without_machine(one) == without_machine(other);
    let equal = bash.status == ours.status
        && same(&bash.stdout, &ours.stdout)
        && same(&bash.stderr, &ours.stderr);
    equal.then_some("users and processes are the machine's")
}

/// What the root directory of a sandbox has.
const ROOT: [&str; 7] = ["bin", "dev", "etc", "home", "tmp", "usr", "var"];
/// What `declare -r` and `declare -x` list of the machine's.
const OWN: [&str; 8] = [
    "declare -ir EUID=",
    "declare -ir PPID=",
    "declare -ir UID=",
    "declare -x LANG=\"C.UTF-8\"",
    "declare -x LOGNAME=\"user\"",
    "declare -x PWD=\"",
    "declare -x SHELL=\"/bin/bash\"",
    "declare -x USER=\"user\"",
];

/// Paths that the root directory of this machine has beyond [`ROOT`].
fn names_in_root() -> Vec<String> {
    let names = std::fs::read_dir("/").unwrap();
    let names = names.map(|entry| entry.unwrap().file_name().to_string_lossy().into_owned());
    let other = names.filter(|name| !ROOT.contains(&name.as_str()));
    other.map(|name| format!("/{name}")).collect()
}

/// A text without what the machine decides.
fn without_machine(text: &str) -> String {
    let text = without_own_words(without_numbers(text.to_owned()));
    let lines = text.split_inclusive('\n');
    // As `declare` lists them, and as a loop of the grammar shows what it reads.
    let listed = |line: &str| line.replacen("<declare|", "declare ", 1);
    let mut kept = String::new();
    for line in lines {
        let listed = listed(line);
        let Some(own) = OWN.iter().find(|own| listed.starts_with(**own)) else {
            kept.push_str(line);
            continue;
        };
        // What stands around a list goes on behind its last line.
        let rest = &listed[own.len()..];
        let behind = rest.rsplit_once('"').map_or(rest, |(_, behind)| behind);
        if !behind.ends_with('\n') {
            kept.truncate(kept.trim_end_matches('\n').len());
            kept.push_str(behind);
        }
    }
    kept
}

/// A text without the machine's variables in a list that `printf '<%s>'` shows as words.
fn without_own_words(text: String) -> String {
    ["LANG", "LOGNAME", "PWD", "SHELL", "USER"]
        .iter()
        .fold(text, |text, name| {
            let before = format!("<declare><-x><{name}=\"");
            let mut pieces = text.split(&before);
            let first = pieces.next().unwrap_or_default().to_owned();
            pieces.fold(first, |all, piece| {
                all + piece.split_once("\">").map_or("", |(_, rest)| rest)
            })
        })
}

/// A text without the numbers of users and processes in lists of variables.
fn without_numbers(text: String) -> String {
    ["EUID", "PPID", "UID"].iter().fold(text, |text, name| {
        let before = format!("declare -ir {name}=\"");
        let mut pieces = text.split(&before);
        let first = pieces.next().unwrap_or_default().to_owned();
        pieces.fold(first, |all, piece| {
            all + &before + piece.trim_start_matches(|digit: char| digit.is_ascii_digit())
        })
    })
}
