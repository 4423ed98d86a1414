//! Which commits are shown, by what they say and what they change.
//!
//! Expressions are basic ones as in `grep`, extended with `-E`, plain text with `-F`, without regard to case with
//! `-i`; they are searched for in the whole message, `^` and `$` at each line. Several of one kind are alternatives,
//! different kinds must all fit. `-P` is not here.

use regex::bytes::{Regex, RegexBuilder};

use crate::call::bytes;
use crate::git::change;
use crate::git::change::Change;
use crate::git::flags::Flags;
use crate::git::objects::{Commit, Person};
use crate::git::repository::{Repository, parse_date};
use crate::git::stop::{Outcome, fatal};

/// Which commits are asked for.
pub struct Filter {
    /// Of `--author`; one of them must be in `Name <mail>`.
    authors: Vec<Regex>,
    committers: Vec<Regex>,
    /// Of `--grep`.
    messages: Vec<Regex>,
    /// All of `messages` must fit, not one.
    all_match: bool,
    /// The commits whose message does not fit.
    invert: bool,
    /// Seconds; the committer's time, inclusive.
    since: Option<i64>,
    /// Seconds; the committer's time, inclusive.
    until: Option<i64>,
    /// True for merges alone, false for none of them.
    merges: Option<bool>,
    /// What changes must do to a text; costs the changes of each commit.
    pub pickaxe: Option<Pickaxe>,
}

/// `-S` and `-G`.
pub enum Pickaxe {
    /// `-S`: the number of places changes, so a text that is moved within a file is not found. An expression with
    /// `--pickaxe-regex`, otherwise plain text.
    Count(Regex),
    /// `-G`: an added or removed line has it.
    Line(Regex),
}

/// An expression of `--grep` and its kin, as `-E` and `-F` say.
fn pattern(flags: &Flags, text: &[u8]) -> Outcome<Regex> {
    let text = String::from_utf8_lossy(text).into_owned();
    let source = if flags.has("F") {
        regex::escape(&text)
    } else if flags.has("E") {
        text.clone()
    } else {
        basic(&text)
    };
    compile(flags, &source, &text)
}

/// What `-G` searches for is always an extended expression.
fn extended(flags: &Flags, text: &[u8]) -> Outcome<Regex> {
    let text = String::from_utf8_lossy(text).into_owned();
    compile(flags, &text, &text)
}

/// Compiles `source`; `text` is what the message shows where it is no expression.
fn compile(flags: &Flags, source: &str, text: &str) -> Outcome<Regex> {
    RegexBuilder::new(source)
        .case_insensitive(flags.has("i"))
        .multi_line(true)
        .build()
        .map_err(|_| fatal(format!("invalid regular expression: {text}")))
}

/// A basic regular expression (POSIX 9.3, with GNU's additions) in the form of the library: `\+ \? \| \( \) \{ \}`
/// are special, the bare ones are not. `a\(b\|c\)+` becomes `a(b|c)\+`.
pub fn basic(text: &str) -> String {
    let mut out = String::new();
    let mut characters = text.chars();
    while let Some(character) = characters.next() {
        match character {
            '\\' => match characters.next() {
                Some(next @ ('+' | '?' | '|' | '(' | ')' | '{' | '}')) => out.push(next),
                Some(next) => out.extend(['\\', next]),
                None => out.push_str("\\\\"),
            },
            '+' | '?' | '|' | '(' | ')' | '{' | '}' => out.extend(['\\', character]),
            other => out.push(other),
        }
    }
    out
}

/// A time of `--since` or `--until`, the last of two spellings.
fn time(flags: &Flags, keys: [&str; 2]) -> Outcome<Option<i64>> {
    let Some(key) = flags.last(&keys) else {
        return Ok(None);
    };
    let text = flags.value(key).unwrap_or_default();
    match parse_date(text) {
        Some((seconds, _)) => Ok(Some(seconds)),
        None => Err(fatal(bytes!("cannot read the date '", text, "'"))),
    }
}

impl Filter {
    /// Reads the filters of a command line; wrong dates and expressions are fatal.
    pub fn new(flags: &Flags) -> Outcome<Filter> {
        let all = |key: &'static str| -> Outcome<Vec<Regex>> {
            flags.values(key).map(|text| pattern(flags, text)).collect()
        };
        let merges = flags.has("merges").then_some(true);
        let pickaxe = match (flags.value("S"), flags.value("G")) {
            (Some(text), _) if flags.has("pickaxe-regex") => {
                Some(Pickaxe::Count(extended(flags, text)?))
            }
            (Some(text), _) => {
                let source = regex::escape(&String::from_utf8_lossy(text));
                let regex = Regex::new(&source).map_err(|error| fatal(error.to_string()))?;
                Some(Pickaxe::Count(regex))
            }
            (None, Some(text)) => Some(Pickaxe::Line(extended(flags, text)?)),
            (None, None) => None,
        };
        Ok(Filter {
            authors: all("author")?,
            committers: all("committer")?,
            messages: all("grep")?,
            all_match: flags.has("all-match"),
            invert: flags.has("invert-grep"),
            since: time(flags, ["since", "after"])?,
            until: time(flags, ["until", "before"])?,
            merges: if flags.denied("merges") {
                Some(false)
            } else {
                merges
            },
            pickaxe,
        })
    }

    /// Whether a commit is one by what it says; the pickaxe is not asked.
    pub(super) fn fits(&self, commit: &Commit) -> bool {
        let person = |patterns: &[Regex], person: &Person| {
            let text = bytes!(person.name, " <", person.mail, ">");
            patterns.is_empty() || patterns.iter().any(|pattern| pattern.is_match(&text))
        };
        let mut hits = self
            .messages
            .iter()
            .map(|pattern| pattern.is_match(&commit.message));
        let message = if self.messages.is_empty() {
            true
        } else if self.all_match {
            hits.all(|hit| hit) != self.invert
        } else {
            hits.any(|hit| hit) != self.invert
        };
        let merge = commit.parents.len() > 1;
        self.merges.is_none_or(|wanted| wanted == merge)
            && self
                .since
                .is_none_or(|since| commit.committer.time >= since)
            && self
                .until
                .is_none_or(|until| commit.committer.time <= until)
            && person(&self.authors, &commit.author)
            && person(&self.committers, &commit.committer)
            && message
    }
}

impl Pickaxe {
    /// Whether a change is one that is searched for.
    pub fn fits(&self, repository: &Repository, change: &Change) -> Outcome<bool> {
        let content = |side: &Option<change::Side>| match side {
            Some(side) => side
                .bytes(&repository.objects)
                .map(|content| content.to_vec()),
            None => Ok(Vec::new()),
        };
        let (old, new) = (content(&change.old)?, content(&change.new)?);
        Ok(match self {
            Pickaxe::Count(regex) => regex.find_iter(&old).count() != regex.find_iter(&new).count(),
            Pickaxe::Line(regex) => {
                let (old, new) = (
                    crate::git::lines::split(&old),
                    crate::git::lines::split(&new),
                );
                let changes = crate::git::lines::compare(
                    &old,
                    &new,
                    imara_diff::Algorithm::Myers,
                    crate::git::lines::Blanks::Count,
                );
                changes.iter().any(|change| {
                    let lost = old[change.old.clone()].iter();
                    lost.chain(&new[change.new.clone()])
                        .any(|line| regex.is_match(line))
                })
            }
        })
    }
}
