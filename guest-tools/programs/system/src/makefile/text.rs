//! The functions of `make` that transform text and names, without looking at variables.

use super::{current, parse};
use crate::glob::Glob;
use crate::system::{self, Kind};

/// The functions on words; none for any other.
pub fn transform(name: &str, values: &[String]) -> Option<String> {
    let value = |at: usize| values.get(at).map_or("", String::as_str);
    let (first, second, third) = (value(0), value(1), value(2));
    Some(match name {
        "subst" if first.is_empty() => format!("{third}{second}"),
        "subst" => third.replace(first, second),
        "patsubst" => substitute(first.trim(), second.trim(), third),
        "strip" => words(first, |word| Some(word.to_owned())),
        "findstring" if second.contains(first) => first.to_owned(),
        "findstring" => String::new(),
        "filter" => filter(first, second, true),
        "filter-out" => filter(first, second, false),
        "sort" => {
            let mut sorted: Vec<&str> = first.split_whitespace().collect();
            sorted.sort_unstable();
            sorted.dedup();
            sorted.join(" ")
        }
        "words" => first.split_whitespace().count().to_string(),
        "firstword" => first
            .split_whitespace()
            .next()
            .unwrap_or_default()
            .to_owned(),
        "lastword" => first
            .split_whitespace()
            .last()
            .unwrap_or_default()
            .to_owned(),
        "join" => join(first, second),
        _ => return None,
    })
}

/// The functions on the names of files; none for any other.
pub fn rename(name: &str, values: &[String]) -> Option<String> {
    let value = |at: usize| values.get(at).map_or("", String::as_str);
    let (first, second) = (value(0), value(1));
    Some(match name {
        "dir" => words(first, |word| {
            Some(word.rfind('/').map_or("./", |at| &word[..=at]).to_owned())
        }),
        "notdir" => words(first, |word| {
            Some(word.rsplit('/').next().unwrap_or_default().to_owned())
        }),
        "suffix" => words(first, |word| dot(word).map(|at| word[at..].to_owned())),
        "basename" => words(first, |word| {
            Some(word[..dot(word).unwrap_or(word.len())].to_owned())
        }),
        "addsuffix" => words(second, |word| Some(format!("{word}{first}"))),
        "addprefix" => words(second, |word| Some(format!("{first}{word}"))),
        "wildcard" => {
            let found: Vec<String> = first.split_whitespace().flat_map(glob).collect();
            found.join(" ")
        }
        "abspath" => words(first, |word| Some(absolute(word))),
        "realpath" => words(first, |word| {
            let path = system::canonicalize(absolute(word).as_bytes()).ok()?;
            Some(String::from_utf8_lossy(&path).into_owned())
        }),
        _ => return None,
    })
}

/// The words that fit one of the patterns, or those that fit none.
fn filter(patterns: &str, text: &str, fitting: bool) -> String {
    let patterns: Vec<&str> = patterns.split_whitespace().collect();
    let fits = |word: &str| {
        patterns
            .iter()
            .any(|pattern| parse::stem(pattern, word).is_some())
    };
    words(text, |word| {
        (fits(word) == fitting).then(|| word.to_owned())
    })
}

/// Two lists, joined word by word.
fn join(left: &str, right: &str) -> String {
    let (mut left, mut right) = (left.split_whitespace(), right.split_whitespace());
    let mut joined = Vec::new();
    loop {
        match (left.next(), right.next()) {
            (None, None) => return joined.join(" "),
            (a, b) => joined.push(format!(
                "{}{}",
                a.unwrap_or_default(),
                b.unwrap_or_default()
            )),
        }
    }
}

/// What `each` gives for each word, joined by blanks; none leaves the word out.
fn words(text: &str, each: impl Fn(&str) -> Option<String>) -> String {
    let found: Vec<String> = text.split_whitespace().filter_map(each).collect();
    found.join(" ")
}

/// Where the suffix of a name begins.
///
/// A dot in a folder's name does not count.
fn dot(word: &str) -> Option<usize> {
    let slash = word.rfind('/').map_or(0, |at| at + 1);
    word[slash..].rfind('.').map(|at| slash + at)
}

/// Words of a text in which a pattern is replaced.
///
/// A pattern without `%` stands for the whole word. In both a backslash makes a `%` an ordinary letter.
pub fn substitute(from: &str, to: &str, text: &str) -> String {
    let (has_stem, to) = (parse::percent(from).1.is_some(), parse::percent(to));
    words(text, |word| {
        Some(match (parse::stem(from, word), &to) {
            (None, _) => word.to_owned(),
            (Some(stem), (before, Some(after))) if has_stem => format!("{before}{stem}{after}"),
            (Some(_), (before, Some(after))) => format!("{before}%{after}"),
            (Some(_), (whole, None)) => whole.clone().into_owned(),
        })
    })
}

/// A path from the root without `.` and `..`.
///
/// Nothing is looked up, so symbolic links are not followed.
fn absolute(word: &str) -> String {
    let whole = match word.starts_with('/') {
        true => word.to_owned(),
        false => format!("{}/{word}", current()),
    };
    let mut parts: Vec<&str> = Vec::new();
    for part in whole.split('/') {
        match part {
            "" | "." => {}
            ".." => {
                parts.pop();
            }
            other => parts.push(other),
        }
    }
    format!("/{}", parts.join("/"))
}

/// The files that a shell pattern names, sorted; a name without one that exists.
///
/// Patterns may be in any part of the path; a hidden file needs a dot in the pattern. Each folder's entries come in
/// the order of `read_directory`.
pub fn glob(pattern: &str) -> Vec<String> {
    let mut found = vec![String::new()];
    let directory_only = pattern.ends_with('/');
    let mut rest = pattern.trim_start_matches('/');
    if rest.len() < pattern.len() {
        found = vec!["/".to_owned()];
    }
    while !rest.is_empty() {
        let (part, after) = rest.split_once('/').unwrap_or((rest, ""));
        rest = after.trim_start_matches('/');
        let mut next = Vec::new();
        for base in found {
            step(&base, part, &mut next);
        }
        found = next;
    }
    found.retain(|path| {
        let flags = system::stat(path.as_bytes(), true).map(|stat| stat.kind);
        match flags {
            Ok(kind) => !directory_only || kind == Kind::Directory,
            Err(_) => !directory_only && system::stat(path.as_bytes(), false).is_ok(),
        }
    });
    if directory_only {
        found.iter_mut().for_each(|path| path.push('/'));
    }
    found
}

/// Adds what one part of the pattern names below `base`.
fn step(base: &str, part: &str, found: &mut Vec<String>) {
    let join = |name: &str| match base.is_empty() || base.ends_with('/') {
        true => format!("{base}{name}"),
        false => format!("{base}/{name}"),
    };
    if !part.contains(['*', '?', '[']) {
        found.push(join(part));
        return;
    }
    let matcher = Glob::new(part.as_bytes(), false, true);
    let directory = if base.is_empty() { "." } else { base };
    for entry in system::read_directory(directory.as_bytes()).unwrap_or_default() {
        let hidden = entry.name.starts_with(b".") && !part.starts_with('.');
        if !hidden && matcher.matches(&entry.name) {
            found.push(join(&String::from_utf8_lossy(&entry.name)));
        }
    }
}
