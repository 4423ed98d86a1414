//! The functions of `make` (GNU make manual, "Functions for Transforming Text"), with `let` and `intcmp` of 4.4.
//!
//! A call is `$(NAME ARGUMENTS)`. Arguments are separated by commas and expanded before the function runs, except for
//! `if`, `or`, `and`, `foreach`, `let` and `call`, which expand what they need. Words are separated by white space and
//! joined by single blanks again.

use super::parse::{self, Operator};
use super::variables::{Flavor, Origin};
use super::{Make, Outcome, text};
use crate::system::{self, Streams};

/// Functions by name, with how many arguments they have at least and at most; the last takes the commas that are left.
const FUNCTIONS: &[(&str, usize, usize)] = &[
    ("abspath", 1, 1),
    ("addprefix", 2, 2),
    ("addsuffix", 2, 2),
    ("and", 1, usize::MAX),
    ("basename", 1, 1),
    ("call", 1, usize::MAX),
    ("dir", 1, 1),
    ("error", 1, 1),
    ("eval", 1, 1),
    ("file", 1, 2),
    ("filter", 2, 2),
    ("filter-out", 2, 2),
    ("findstring", 2, 2),
    ("firstword", 1, 1),
    ("flavor", 1, 1),
    ("foreach", 3, 3),
    ("if", 2, 3),
    ("info", 1, 1),
    ("intcmp", 2, 5),
    ("join", 2, 2),
    ("lastword", 1, 1),
    ("let", 3, 3),
    ("notdir", 1, 1),
    ("or", 1, usize::MAX),
    ("origin", 1, 1),
    ("patsubst", 3, 3),
    ("realpath", 1, 1),
    ("shell", 1, 1),
    ("sort", 1, 1),
    ("strip", 1, 1),
    ("subst", 3, 3),
    ("suffix", 1, 1),
    ("value", 1, 1),
    ("warning", 1, 1),
    ("wildcard", 1, 1),
    ("word", 2, 2),
    ("wordlist", 3, 3),
    ("words", 1, 1),
];

/// Whether `make` has a function of this name.
pub fn is_function(name: &str) -> bool {
    FUNCTIONS.iter().any(|(known, ..)| *known == name)
}

impl Make {
    /// What a function gives; none where there is none of this name.
    ///
    /// `text` is what follows the name, not expanded, in brackets of which `open` is the first.
    pub fn function(
        &mut self,
        name: &str,
        text: &str,
        open: char,
        depth: usize,
    ) -> Outcome<Option<String>> {
        let Some(&(_, least, most)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) else {
            return Ok(None);
        };
        let arguments = split(text, open, most);
        if arguments.len() < least {
            return self.few(arguments.len(), name);
        }
        if let Some(result) = self.lazy(name, &arguments, depth)? {
            return Ok(Some(result));
        }
        let mut values = Vec::with_capacity(arguments.len());
        for argument in arguments {
            values.push(self.expand_at(argument, depth)?);
        }
        self.apply(name, &values).map(Some)
    }

    /// The functions that expand their arguments themselves; none for any other.
    fn lazy(&mut self, name: &str, arguments: &[&str], depth: usize) -> Outcome<Option<String>> {
        Ok(Some(match name {
            "if" => self.choose(arguments, depth)?,
            "or" => self.any(arguments, depth)?,
            "and" => self.all(arguments, depth)?,
            "foreach" => self.each(arguments, depth)?,
            "let" => self.bind(arguments, depth)?,
            "call" => self.call(arguments, depth)?,
            _ => return Ok(None),
        }))
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
        if let Some(&(_, least, _)) = FUNCTIONS.iter().find(|(known, ..)| *known == name) {
            let arguments: Vec<&str> = values[1..].iter().map(String::as_str).collect();
            if arguments.len() < least {
                return self.few(arguments.len(), &name);
            }
            return match self.lazy(&name, &arguments, depth)? {
                Some(result) => Ok(result),
                None => self.apply(&name, &values[1..]),
            };
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
        self.refuse(&format!(
            "insufficient number of arguments ({count}) to function '{name}'"
        ))
    }

    /// The functions whose arguments are all expanded; `values` has as many as the function needs.
    fn apply(&mut self, name: &str, values: &[String]) -> Outcome<String> {
        if let Some(result) = text::transform(name, values).or_else(|| text::rename(name, values)) {
            return Ok(result);
        }
        let first = values.first().map_or("", String::as_str);
        Ok(match name {
            "word" => self.word(first, &values[1])?,
            "wordlist" => self.word_list(first, &values[1], &values[2])?,
            "origin" | "flavor" | "value" => self.about(name, first.trim()),
            "shell" => self.shell(first)?,
            "eval" => {
                self.evaluate(first)?;
                String::new()
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

    /// `$(word N,TEXT)`
    fn word(&self, at: &str, text: &str) -> Outcome<String> {
        let at = self.count(at, "first argument to 'word' function", 1)?;
        let word = text.split_whitespace().nth(at - 1);
        Ok(word.unwrap_or_default().to_owned())
    }

    /// `$(wordlist FROM,TO,TEXT)`
    fn word_list(&self, from: &str, to: &str, text: &str) -> Outcome<String> {
        let from = self.count(from, "first argument to 'wordlist' function", 1)?;
        let to = self.count(to, "second argument to 'wordlist' function", 0)?;
        let list = text.split_whitespace().skip(from - 1);
        let list: Vec<&str> = list
            .take(to.saturating_add(1).saturating_sub(from))
            .collect();
        Ok(list.join(" "))
    }

    /// What `origin`, `flavor` and `value` tell of a variable.
    fn about(&self, function: &str, name: &str) -> String {
        let found = self.variables.get(name);
        match (function, found) {
            ("value", found) => found.map_or_else(String::new, |found| found.value.clone()),
            (_, None) => "undefined".to_owned(),
            ("origin", Some(found)) => found.origin.text().to_owned(),
            (_, Some(found)) => match found.flavor {
                Flavor::Recursive => "recursive".to_owned(),
                Flavor::Simple => "simple".to_owned(),
            },
        }
    }

    /// A number among the arguments, at least `least`; `what` is for the message.
    fn count(&self, text: &str, what: &str, least: usize) -> Outcome<usize> {
        match text.trim().parse::<usize>() {
            Ok(number) if number >= least => Ok(number),
            Ok(_) => self.refuse(&format!("{what} must be greater than 0")),
            Err(_) => self.refuse(&format!("non-numeric {what}: '{}'", text.trim())),
        }
    }

    /// `$(intcmp A,B,LESS,EQUAL,GREATER)`. With two arguments the number where both are equal; GREATER defaults to
    /// EQUAL.
    fn compare(&self, values: &[String]) -> Outcome<String> {
        let number = |at: usize| -> Outcome<i64> {
            let text = values.get(at).map_or("", |text| text.trim());
            match text.parse() {
                Ok(number) => Ok(number),
                Err(_) => self.refuse(&format!(
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

/// Arguments at commas outside of brackets of the kind that `open` begins; those of another kind do not count.
///
/// At most `most` arguments; commas after that belong to the last.
fn split(text: &str, open: char, most: usize) -> Vec<&str> {
    let close = if open == '{' { '}' } else { ')' };
    let mut parts = Vec::new();
    let (mut depth, mut start) = (0_i32, 0);
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
        } else if letter == ',' && depth == 0 && parts.len() + 1 < most {
            parts.push(&text[start..at]);
            start = at + 1;
        }
    }
    parts.push(&text[start..]);
    parts
}
