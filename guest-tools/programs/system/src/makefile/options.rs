//! The command line of `make`, and the flags that it hands to those below it.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};

/// The options of GNU make; those that change nothing here are accepted.
const SYNTAX: Syntax = Syntax {
    usage: "Usage: make [options] [target] ...\nLike GNU make 4.3, with let, intcmp and :::= of 4.4.\n",
    options: &[
        Opt("B", "always-make", Value::No),
        Opt("C", "directory", Value::Required),
        Opt("d", "", Value::No),
        Opt("", "debug", Value::Optional),
        Opt("e", "environment-overrides", Value::No),
        Opt("E", "eval", Value::Required),
        Opt("f", "file", Value::Required),
        Opt("f", "makefile", Value::Required),
        Opt("i", "ignore-errors", Value::No),
        Opt("I", "include-dir", Value::Required),
        Opt("j", "jobs", Value::Optional),
        Opt("k", "keep-going", Value::No),
        Opt("l", "load-average", Value::Optional),
        Opt("n", "just-print", Value::No),
        Opt("n", "dry-run", Value::No),
        Opt("n", "recon", Value::No),
        Opt("o", "old-file", Value::Required),
        Opt("o", "assume-old", Value::Required),
        Opt("O", "output-sync", Value::Optional),
        Opt("q", "question", Value::No),
        Opt("r", "no-builtin-rules", Value::No),
        Opt("R", "no-builtin-variables", Value::No),
        Opt("s", "silent", Value::No),
        Opt("s", "quiet", Value::No),
        Opt("S", "no-keep-going", Value::No),
        Opt("S", "stop", Value::No),
        Opt("t", "touch", Value::No),
        Opt("", "trace", Value::No),
        Opt("w", "print-directory", Value::No),
        Opt("", "no-print-directory", Value::No),
        Opt("W", "what-if", Value::Required),
        Opt("W", "new-file", Value::Required),
        Opt("W", "assume-new", Value::Required),
        Opt("", "warn-undefined-variables", Value::No),
        Opt("v", "version", Value::No),
    ],
    permute: true,
    status: 2,
};

/// What the command line and `MAKEFLAGS` ask for.
#[derive(Default)]
pub struct Settings {
    /// `-B`: everything is out of date.
    pub always: bool,
    /// `-C`, each relative to the one before.
    pub directories: Vec<String>,
    /// `-e`
    pub environment_wins: bool,
    /// `--eval`: texts to read before the makefiles.
    pub evaluated: Vec<String>,
    /// `-f`
    pub makefiles: Vec<String>,
    /// `-i`
    pub ignore_errors: bool,
    /// `-I`
    pub include: Vec<String>,
    /// `-k`; `-S` takes it back.
    pub keep_going: bool,
    /// `-n`
    pub dry: bool,
    /// `-o`: files that are never remade.
    pub old: Vec<String>,
    /// `-W`: files that count as new.
    pub new: Vec<String>,
    /// `-q`
    pub question: bool,
    /// `-r`, `-R`
    pub no_builtin_rules: bool,
    /// `-s`
    pub silent: bool,
    /// `-t`
    pub touch: bool,
    /// `--trace`
    pub trace: bool,
    /// `--warn-undefined-variables`
    pub warn_undefined: bool,
    /// `-j`, handed on and otherwise without effect; empty without a number.
    pub jobs: Option<String>,
    /// `-w` and `--no-print-directory`; none where neither was given.
    pub print_directory: Option<bool>,
    /// Definitions among the operands.
    pub assignments: Vec<String>,
    /// The other operands.
    pub goals: Vec<String>,
}

/// Reads `MAKEFLAGS` and then the command line; the error is the status to end with.
pub fn read(call: &Call) -> Result<Settings, i32> {
    let mut arguments = inherited();
    let long = |argument: &Vec<u8>| match argument.as_slice() {
        b"-h" => b"--help".to_vec(),
        _ => argument.clone(),
    };
    arguments.extend(call.arguments.iter().map(long));
    let call = Call {
        name: call.name.clone(),
        arguments: join_numbers(arguments),
    };
    let parsed = options::parse(&call, &SYNTAX)?;
    let mut settings = Settings::default();
    for (key, value) in &parsed.options {
        settings.take(key, String::from_utf8_lossy(value).into_owned());
        if *key == "j" && !value.is_empty() && options::number::<u32>(value).is_none_or(|n| n == 0)
        {
            let message =
                bytes!("*** the '-j' option requires a positive integer argument.  Stop.");
            return Err(call.fail(2, message));
        }
    }
    for operand in &parsed.operands {
        let text = String::from_utf8_lossy(operand).into_owned();
        match text.contains('=') {
            true => settings.assignments.push(text),
            false => settings.goals.push(text),
        }
    }
    Ok(settings)
}

/// The words of `MAKEFLAGS`: letters without a dash, options, `--` and definitions.
///
/// A backslash quotes the character behind it. The first word is letters unless it begins with a dash or is a
/// definition.
fn inherited() -> Vec<Vec<u8>> {
    let flags = std::env::var("MAKEFLAGS").unwrap_or_default();
    let mut words = Vec::new();
    let mut word = String::new();
    let mut letters = flags.chars();
    while let Some(letter) = letters.next() {
        match letter {
            '\\' => word.extend(letters.next()),
            ' ' if !word.is_empty() => words.push(std::mem::take(&mut word)),
            ' ' => {}
            other => word.push(other),
        }
    }
    if !word.is_empty() {
        words.push(word);
    }
    if let Some(first) = words.first_mut()
        && !first.starts_with('-')
        && !first.contains('=')
    {
        first.insert(0, '-');
    }
    words.retain(|word| word != "--" && word != "-");
    words.into_iter().map(String::into_bytes).collect()
}

/// `-j 4` and `-l 2` are one word each.
fn join_numbers(arguments: Vec<Vec<u8>>) -> Vec<Vec<u8>> {
    let mut joined: Vec<Vec<u8>> = Vec::new();
    for argument in arguments {
        let number = options::number::<f64>(&argument).is_some();
        match joined.last_mut() {
            Some(last) if number && (last == b"-j" || last == b"-l") => last.extend(argument),
            _ => joined.push(argument),
        }
    }
    joined
}

impl Settings {
    /// Keeps one option.
    fn take(&mut self, key: &str, value: String) {
        match key {
            "B" => self.always = true,
            "C" => self.directories.push(value),
            "e" => self.environment_wins = true,
            "E" => self.evaluated.push(value),
            "f" => self.makefiles.push(value),
            "i" => self.ignore_errors = true,
            "I" => self.include.push(value),
            "j" => self.jobs = Some(value),
            "k" => self.keep_going = true,
            "S" => self.keep_going = false,
            "n" => self.dry = true,
            "o" => self.old.push(value),
            "W" => self.new.push(value),
            "q" => self.question = true,
            "r" | "R" => self.no_builtin_rules = true,
            "s" => self.silent = true,
            "t" => self.touch = true,
            "trace" => self.trace = true,
            "warn-undefined-variables" => self.warn_undefined = true,
            "w" => self.print_directory = Some(true),
            "no-print-directory" => self.print_directory = Some(false),
            _ => {}
        }
    }

    /// Whether the directory is told at the beginning and the end.
    ///
    /// By default with `-C` or below another `make`, unless silent.
    pub fn announces(&self, level: u32) -> bool {
        let moved = !self.directories.is_empty() || level > 0;
        self.print_directory.unwrap_or(moved && !self.silent)
    }

    /// `MAKEFLAGS` for those below.
    ///
    /// Letters first, then options with values, then `--` and definitions with their blanks quoted.
    pub fn flags(&self) -> String {
        let letters = [
            (self.always, 'B'),
            (self.environment_wins, 'e'),
            (self.ignore_errors, 'i'),
            (self.keep_going, 'k'),
            (self.dry, 'n'),
            (self.question, 'q'),
            (self.no_builtin_rules, 'r'),
            (self.silent, 's'),
            (self.touch, 't'),
            (self.print_directory == Some(true), 'w'),
        ];
        let mut text: String = letters
            .iter()
            .filter(|(set, _)| *set)
            .map(|(_, letter)| *letter)
            .collect();
        for directory in &self.include {
            text.push_str(" -I");
            text.push_str(directory);
        }
        if let Some(jobs) = &self.jobs {
            text.push_str(" -j");
            text.push_str(jobs);
        }
        if self.trace {
            text.push_str(" --trace");
        }
        if self.warn_undefined {
            text.push_str(" --warn-undefined-variables");
        }
        if self.print_directory == Some(false) {
            text.push_str(" --no-print-directory");
        }
        if !self.assignments.is_empty() {
            text.push_str(" --");
            for assignment in &self.assignments {
                let quoted = assignment.replace('\\', "\\\\").replace(' ', "\\ ");
                text.push(' ');
                text.push_str(&quoted);
            }
        }
        text
    }
}
