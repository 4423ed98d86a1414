//! The functions of `make` (GNU make manual, "Functions for Transforming Text"), those of 4.4 included.
//!
//! A call is `$(NAME ARGUMENTS)`. Arguments are separated by commas and expanded before the function runs, except for
//! `if`, `or`, `and`, `foreach`, `let` and `call`, which expand what they need. Words are separated by white space and
//! joined by single blanks again.

use super::parse::{self, Operator};
use super::variables::{Flavor, Origin};
use super::{Make, Outcome, current};
use crate::glob::Glob;
use crate::system::{self, Kind, Streams};

/// Functions by name, with how many arguments they have at most; the last takes the commas that are left.
const FUNCTIONS: &[(&str, usize)] = &[
    ("abspath", 1),
    ("addprefix", 2),
    ("addsuffix", 2),
    ("and", usize::MAX),
    ("basename", 1),
    ("call", usize::MAX),
    ("dir", 1),
    ("error", 1),
    ("eval", 1),
    ("file", 2),
    ("filter", 2),
    ("filter-out", 2),
    ("findstring", 2),
    ("firstword", 1),
    ("flavor", 1),
    ("foreach", 3),
    ("if", 3),
    ("info", 1),
    ("intcmp", 5),
    ("join", 2),
    ("lastword", 1),
    ("let", 3),
    ("notdir", 1),
    ("or", usize::MAX),
    ("origin", 1),
    ("patsubst", 3),
    ("realpath", 1),
    ("shell", 1),
    ("sort", 1),
    ("strip", 1),
    ("subst", 3),
    ("suffix", 1),
    ("value", 1),
    ("warning", 1),
    ("wildcard", 1),
    ("word", 2),
    ("wordlist", 3),
    ("words", 1),
];

impl Make {
    /// What a function gives; none where there is none of this name.
    ///
    /// `text` is what follows the name, not expanded.
    pub fn function(&mut self, name: &str, text: &str, depth: usize) -> Outcome<Option<String>> {
        let Some(&(_, most)) = FUNCTIONS.iter().find(|(known, _)| *known == name) else {
            return Ok(None);
        };
        let arguments = split(text, most);
        let lazy = match name {
            "if" => self.choose(&arguments, depth)?,
            "or" => self.any(&arguments, depth)?,
            "and" => self.all(&arguments, depth)?,
            "foreach" => self.each(&arguments, depth)?,
            "let" => self.bind(&arguments, depth)?,
            "call" => self.call(&arguments, depth)?,
            _ => {
                let mut values = Vec::with_capacity(arguments.len());
                for argument in arguments {
                    values.push(self.expand_at(argument, depth)?);
                }
                self.apply(name, &values)?
            }
        };
        Ok(Some(lazy))
    }

    /// `$(if CONDITION,THEN,ELSE)`: a condition is true where its expansion is not empty.
    fn choose(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        let condition = self.expand_at(arguments[0].trim(), depth)?;
        let branch = if condition.is_empty() { 2 } else { 1 };
        self.expand_at(arguments.get(branch).copied().unwrap_or_default(), depth)
    }

    /// `$(or A,B,…)`: the first that is not empty; the others are not expanded.
    fn any(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        for argument in arguments {
            let value = self.expand_at(argument.trim(), depth)?;
            if !value.is_empty() {
                return Ok(value);
            }
        }
        Ok(String::new())
    }

    /// `$(and A,B,…)`: the last, or nothing where one is empty.
    fn all(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        let mut last = String::new();
        for argument in arguments {
            last = self.expand_at(argument.trim(), depth)?;
            if last.is_empty() {
                break;
            }
        }
        Ok(last)
    }

    /// `$(foreach NAME,LIST,BODY)`: BODY for each word, joined by blanks.
    fn each(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        let [name, list, body] = arguments else {
            return self.few(arguments.len(), "foreach");
        };
        let name = self.expand_at(name.trim(), depth)?;
        let list = self.expand_at(list, depth)?;
        let mut parts = Vec::new();
        for word in list.split_whitespace() {
            self.variables.push();
            self.variables
                .set_inner(&name, word, Flavor::Simple, Origin::Automatic);
            let part = self.expand_at(body, depth);
            self.variables.pop();
            parts.push(part?);
        }
        Ok(parts.join(" "))
    }

    /// `$(let NAMES,LIST,BODY)`: the last name takes all words that are left.
    fn bind(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        let [names, list, body] = arguments else {
            return self.few(arguments.len(), "let");
        };
        let names = self.expand_at(names, depth)?;
        let list = self.expand_at(list, depth)?;
        let names: Vec<&str> = names.split_whitespace().collect();
        let mut words: Vec<&str> = list.split_whitespace().collect();
        self.variables.push();
        for (at, name) in names.iter().enumerate() {
            let value = match at + 1 == names.len() {
                true => words.join(" "),
                false if words.is_empty() => String::new(),
                false => words.remove(0).to_owned(),
            };
            self.variables
                .set_inner(name, &value, Flavor::Simple, Origin::Automatic);
        }
        let result = self.expand_at(body, depth);
        self.variables.pop();
        result
    }

    /// `$(call NAME,A,B…)`: the value of NAME with `$1`, `$2` … set, or the function NAME. `$0` is the name.
    fn call(&mut self, arguments: &[&str], depth: usize) -> Outcome<String> {
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.expand_at(argument, depth)?);
        }
        let name = values[0].trim().to_owned();
        if FUNCTIONS.iter().any(|(known, _)| *known == name) {
            let text = values[1..].join(",");
            return Ok(self.function(&name, &text, depth)?.unwrap_or_default());
        }
        let Some(body) = self.variables.get(&name).map(|known| known.value.clone()) else {
            return Ok(String::new());
        };
        self.variables.push();
        // Those of an outer call are not seen.
        for at in 0..values.len().max(10) {
            let value = values.get(at).map_or("", String::as_str);
            let value = if at == 0 { &name } else { value };
            self.variables
                .set_inner(&at.to_string(), value, Flavor::Simple, Origin::Automatic);
        }
        let result = self.expand_at(&body, depth + 1);
        self.variables.pop();
        result
    }

    /// The error for missing arguments.
    fn few<T>(&self, count: usize, name: &str) -> Outcome<T> {
        self.fatal(&format!(
            "insufficient number of arguments ({count}) to function '{name}'"
        ))
    }

    /// The functions whose arguments are all expanded.
    fn apply(&mut self, name: &str, values: &[String]) -> Outcome<String> {
        let least = match name {
            "subst" | "patsubst" | "wordlist" => 3,
            "addprefix" | "addsuffix" | "filter" | "filter-out" | "findstring" | "join"
            | "word" => 2,
            _ => 1,
        };
        if values.len() < least {
            return self.few(values.len(), name);
        }
        let first = values[0].as_str();
        let second = values.get(1).map_or("", String::as_str);
        let third = values.get(2).map_or("", String::as_str);
        Ok(match name {
            "subst" if first.is_empty() => format!("{third}{second}"),
            "subst" => third.replace(first, second),
            "patsubst" => substitute(first.trim(), second.trim(), third),
            "strip" => words(first, |word| Some(word.to_owned())),
            "findstring" if second.contains(first) => first.to_owned(),
            "findstring" => String::new(),
            "filter" | "filter-out" => {
                let patterns: Vec<&str> = first.split_whitespace().collect();
                let fits = |word: &str| patterns.iter().any(|p| parse::stem(p, word).is_some());
                words(second, |word| {
                    (fits(word) == (name == "filter")).then(|| word.to_owned())
                })
            }
            "sort" => {
                let mut sorted: Vec<&str> = first.split_whitespace().collect();
                sorted.sort_unstable();
                sorted.dedup();
                sorted.join(" ")
            }
            "word" => {
                let at = self.count(first, "first argument to 'word' function", 1)?;
                let word = second.split_whitespace().nth(at - 1);
                word.unwrap_or_default().to_owned()
            }
            "wordlist" => {
                let from = self.count(first, "first argument to 'wordlist' function", 1)?;
                let to = self.count(second, "second argument to 'wordlist' function", 0)?;
                let list = third.split_whitespace().skip(from - 1);
                list.take((to + 1).saturating_sub(from))
                    .collect::<Vec<_>>()
                    .join(" ")
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
            "join" => {
                let (mut left, mut right) = (first.split_whitespace(), second.split_whitespace());
                let mut joined = Vec::new();
                loop {
                    match (left.next(), right.next()) {
                        (None, None) => break joined.join(" "),
                        (a, b) => joined.push(format!(
                            "{}{}",
                            a.unwrap_or_default(),
                            b.unwrap_or_default()
                        )),
                    }
                }
            }
            "wildcard" => {
                let mut found = Vec::new();
                for pattern in first.split_whitespace() {
                    found.extend(glob(pattern));
                }
                found.join(" ")
            }
            "abspath" => words(first, |word| Some(absolute(word))),
            "realpath" => words(first, |word| {
                let path = system::canonicalize(absolute(word).as_bytes()).ok()?;
                Some(String::from_utf8_lossy(&path).into_owned())
            }),
            "shell" => self.shell(first)?,
            "eval" => {
                self.evaluate(first)?;
                String::new()
            }
            "origin" => match self.variables.get(first.trim()) {
                Some(found) => found.origin.text().to_owned(),
                None => "undefined".to_owned(),
            },
            "flavor" => match self.variables.get(first.trim()).map(|found| found.flavor) {
                Some(Flavor::Recursive) => "recursive".to_owned(),
                Some(Flavor::Simple) => "simple".to_owned(),
                None => "undefined".to_owned(),
            },
            "value" => {
                let found = self.variables.get(first.trim());
                found.map_or_else(String::new, |found| found.value.clone())
            }
            "info" => {
                self.out.line(first);
                String::new()
            }
            "warning" => {
                self.warn(first);
                String::new()
            }
            "error" => return self.fatal(first),
            "intcmp" => self.compare(values)?,
            _ => self.file_function(first, values.get(1).map(String::as_str))?,
        })
    }

    /// A number among the arguments, at least `least`; `what` is for the message.
    fn count(&self, text: &str, what: &str, least: usize) -> Outcome<usize> {
        match text.trim().parse::<usize>() {
            Ok(number) if number >= least => Ok(number),
            Ok(_) => self.fatal(&format!("{what} must be greater than 0")),
            Err(_) => self.fatal(&format!("non-numeric {what}: '{}'", text.trim())),
        }
    }

    /// `$(intcmp A,B,LESS,EQUAL,GREATER)`. With two arguments the number where both are equal; GREATER defaults to
    /// EQUAL.
    fn compare(&self, values: &[String]) -> Outcome<String> {
        let number = |at: usize| -> Outcome<i64> {
            let text = values.get(at).map_or("", |text| text.trim());
            match text.parse() {
                Ok(number) => Ok(number),
                Err(_) => self.fatal(&format!(
                    "non-numeric argument to 'intcmp' function: '{text}'"
                )),
            }
        };
        let order = number(0)?.cmp(&number(1)?);
        let pick = |at: usize| values.get(at).cloned();
        Ok(match order {
            std::cmp::Ordering::Equal if values.len() == 2 => values[0].trim().to_owned(),
            std::cmp::Ordering::Less => pick(2).unwrap_or_default(),
            std::cmp::Ordering::Equal => pick(3).unwrap_or_default(),
            std::cmp::Ordering::Greater => pick(4).or_else(|| pick(3)).unwrap_or_default(),
        })
    }

    /// `$(file >NAME,TEXT)`, `>>` and `<`.
    ///
    /// Text is written with a newline at its end; reading drops the last one, and a file that is not there is empty.
    fn file_function(&mut self, target: &str, text: Option<&str>) -> Outcome<String> {
        use std::io::Write as _;
        let target = target.trim();
        if let Some(name) = target.strip_prefix('<') {
            let content = system::read_whole(name.trim().as_bytes()).unwrap_or_default();
            let content = String::from_utf8_lossy(&content).into_owned();
            return Ok(content.strip_suffix('\n').unwrap_or(&content).to_owned());
        }
        let (name, append) = match (target.strip_prefix(">>"), target.strip_prefix('>')) {
            (Some(name), _) => (name.trim(), true),
            (None, Some(name)) => (name.trim(), false),
            (None, None) => {
                return self.fatal(&format!("file: invalid file operation: {target}"));
            }
        };
        let written = system::create_file(name.as_bytes(), append).and_then(|mut file| {
            let mut line = text.unwrap_or_default().to_owned();
            if text.is_some() && !line.ends_with('\n') {
                line.push('\n');
            }
            Ok(file.write_all(line.as_bytes())?)
        });
        match written {
            Ok(()) => Ok(String::new()),
            Err(failure) => self.fatal(&format!("open: {name}: {}", failure.0)),
        }
    }

    /// The output of a command in one line: newlines at the end are dropped, others become blanks. Sets
    /// `.SHELLSTATUS`.
    ///
    /// The command runs while the makefile is expanded, whatever `-n` says, with the environment that `make` itself
    /// has.
    pub fn shell(&mut self, command: &str) -> Outcome<String> {
        use std::io::Read as _;
        self.out.flush();
        let (shell, mut arguments) = self.shell_words()?;
        arguments.extend([b"-c".to_vec(), command.as_bytes().to_vec()]);
        let mut output = Vec::new();
        let ran = shell.and_then(|path| {
            let (mut reader, writer) = system::pipe()?;
            let pid = system::spawn(&system::Spawn {
                path: &path,
                arguments: &arguments,
                environment: &system::environment(),
                directory: None,
                streams: Streams {
                    output: Some(&writer),
                    ..Streams::default()
                },
            })?;
            drop(writer);
            reader.read_to_end(&mut output)?;
            system::wait(pid)
        });
        let status = match ran {
            Ok(exit) => exit.status(),
            Err(failure) => {
                self.complain(&format!("shell: {}", failure.0));
                127
            }
        };
        self.variables.set(
            ".SHELLSTATUS",
            &status.to_string(),
            Flavor::Simple,
            Origin::Override,
        );
        let text = String::from_utf8_lossy(&output);
        Ok(text.trim_end_matches('\n').replace('\n', " "))
    }

    /// Reads a text as a part of the makefile.
    ///
    /// Messages have the place of the `eval`.
    fn evaluate(&mut self, text: &str) -> Outcome<()> {
        let place = self.place.clone();
        let name = place
            .as_ref()
            .map_or_else(String::new, |place| place.file.clone());
        let line = place.as_ref().map_or(1, |place| place.line);
        let read = self.read_lines(text, &name, line, Origin::File);
        self.place = place;
        read
    }

    /// Appends to a variable as `+=` would.
    pub fn append(&mut self, name: &str, value: &str) {
        let definition = parse::Definition {
            name: name.to_owned(),
            operator: Operator::Append,
            value: value.to_owned(),
        };
        // A name and a value without references cannot fail.
        let _ = self.define(&definition, Origin::File, None);
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
/// A pattern without `%` stands for the whole word.
pub fn substitute(from: &str, to: &str, text: &str) -> String {
    words(text, |word| {
        Some(match parse::stem(from, word) {
            Some(stem) if from.contains('%') => to.replacen('%', stem, 1),
            Some(_) => to.to_owned(),
            None => word.to_owned(),
        })
    })
}

/// Arguments at commas outside of parentheses and braces.
///
/// At most `most` arguments; commas after that belong to the last.
fn split(text: &str, most: usize) -> Vec<&str> {
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in text.char_indices() {
        match letter {
            '(' | '{' => depth += 1,
            ')' | '}' => depth -= 1,
            ',' if depth == 0 && parts.len() + 1 < most => {
                parts.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
    }
    parts.push(&text[start..]);
    parts
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
