//! The engines that patterns run on: the automaton of ripgrep, and with `-P` one with look-around and back-references.
//!
//! `Engine` implements ripgrep's `Matcher`, which the searcher and the printers are written against. The automaton
//! promises linear time and never matches a line end, which lets the searcher skip lines without a match; the other
//! engine promises neither (`line_terminator` is none), so the searcher gives it line by line.

use grep_matcher::{ByteSet, Captures, LineMatchKind, LineTerminator, Match, Matcher, NoError};
use grep_regex::{RegexCaptures, RegexMatcher};

use crate::pattern::{Groups, Pattern};

/// What looks for the patterns.
pub enum Engine {
    /// Without `-P`.
    Plain(RegexMatcher),
    /// With it.
    Perl(Perl),
}

/// A pattern of Perl's kind, and the names of its groups.
pub struct Perl {
    /// The compiled pattern.
    pattern: Pattern,
    /// Named groups with their numbers, for `--replace '$name'`.
    names: Vec<(String, usize)>,
}

/// The groups of a match.
#[derive(Clone, Debug)]
pub enum Found {
    /// Of the automaton.
    Plain(RegexCaptures),
    /// Of the other one; empty where nothing matched.
    Perl(Groups),
}

impl Perl {
    /// The engine of a pattern.
    pub fn new(pattern: Pattern) -> Perl {
        let names = names(pattern.source());
        Perl { pattern, names }
    }
}

/// The named groups of a pattern and their numbers. Counts the opening parentheses that capture: not those behind a
/// backslash, in a bracket expression, or of `(?:…)`, `(?=…)`, `(?<=…)`, `(*…)`.
///
/// ```text
/// (a)(?<year>\d+)(?:x)(?P<day>\d)   ->  year 2, day 3
/// ```
fn names(source: &[u8]) -> Vec<(String, usize)> {
    let mut names = Vec::new();
    let mut count = 0;
    let mut at = 0;
    while at < source.len() {
        let rest = &source[at + 1..];
        match source[at] {
            b'\\' => at += 1,
            b'[' => at += class_length(rest),
            b'(' => {
                let named = [&b"?P<"[..], b"?<", b"?'"]
                    .iter()
                    .find_map(|start| rest.strip_prefix(*start))
                    .filter(|name| !matches!(name.first(), Some(b'=' | b'!')));
                if let Some(name) = named {
                    count += 1;
                    let end = name.iter().position(|byte| b">'".contains(byte));
                    let name = &name[..end.unwrap_or(name.len())];
                    names.push((String::from_utf8_lossy(name).into_owned(), count));
                } else if !matches!(rest.first(), Some(b'?' | b'*')) {
                    count += 1;
                }
            }
            _ => {}
        }
        at += 1;
    }
    names
}

/// How many bytes of a bracket expression are behind its `[`. A `]` that is first in it is a member, and so is what
/// `[:name:]` has.
fn class_length(text: &[u8]) -> usize {
    let mut at = usize::from(text.first() == Some(&b'^'));
    at += usize::from(text.get(at) == Some(&b']'));
    while let Some(byte) = text.get(at) {
        at += match byte {
            b']' => return at + 1,
            b'\\' => 2,
            b'[' if text.get(at + 1) == Some(&b':') => {
                let end = text[at..].windows(2).position(|pair| pair == b":]");
                end.map_or(1, |end| end + 2)
            }
            _ => 1,
        };
    }
    text.len()
}

/// A match from its start and end.
fn span((start, end): (usize, usize)) -> Match {
    Match::new(start, end)
}

impl Captures for Found {
    fn len(&self) -> usize {
        match self {
            Found::Plain(groups) => groups.len(),
            Found::Perl(groups) => groups.len(),
        }
    }

    fn get(&self, index: usize) -> Option<Match> {
        match self {
            Found::Plain(groups) => groups.get(index),
            Found::Perl(groups) => groups.get(index).copied().flatten().map(span),
        }
    }
}

/// None of these can fail: a pattern was compiled before.
impl Matcher for Engine {
    type Captures = Found;
    type Error = NoError;

    fn find_at(&self, text: &[u8], at: usize) -> Result<Option<Match>, NoError> {
        match self {
            Engine::Plain(matcher) => matcher.find_at(text, at),
            Engine::Perl(perl) => Ok(perl.pattern.find_at(text, at).map(span)),
        }
    }

    fn new_captures(&self) -> Result<Found, NoError> {
        match self {
            Engine::Plain(matcher) => Ok(Found::Plain(matcher.new_captures()?)),
            Engine::Perl(_) => Ok(Found::Perl(Groups::new())),
        }
    }

    fn captures_at(&self, text: &[u8], at: usize, found: &mut Found) -> Result<bool, NoError> {
        match (self, found) {
            (Engine::Plain(matcher), Found::Plain(groups)) => matcher.captures_at(text, at, groups),
            (Engine::Perl(perl), Found::Perl(groups)) => {
                *groups = perl.pattern.groups_at(text, at).unwrap_or_default();
                Ok(!groups.is_empty())
            }
            // The groups are those of another engine.
            _ => Ok(false),
        }
    }

    fn capture_count(&self) -> usize {
        match self {
            Engine::Plain(matcher) => matcher.capture_count(),
            Engine::Perl(perl) => perl.pattern.group_count() + 1,
        }
    }

    fn capture_index(&self, name: &str) -> Option<usize> {
        match self {
            Engine::Plain(matcher) => matcher.capture_index(name),
            Engine::Perl(perl) => {
                let mut names = perl.names.iter();
                names.find(|(known, _)| known == name).map(|(_, at)| *at)
            }
        }
    }

    fn non_matching_bytes(&self) -> Option<&ByteSet> {
        match self {
            Engine::Plain(matcher) => matcher.non_matching_bytes(),
            Engine::Perl(_) => None,
        }
    }

    fn line_terminator(&self) -> Option<LineTerminator> {
        match self {
            Engine::Plain(matcher) => matcher.line_terminator(),
            Engine::Perl(_) => None,
        }
    }

    fn shortest_match_at(&self, text: &[u8], at: usize) -> Result<Option<usize>, NoError> {
        match self {
            Engine::Plain(matcher) => matcher.shortest_match_at(text, at),
            Engine::Perl(perl) => Ok(perl.pattern.find_at(text, at).map(|(_, end)| end)),
        }
    }

    fn find_candidate_line(&self, text: &[u8]) -> Result<Option<LineMatchKind>, NoError> {
        match self {
            Engine::Plain(matcher) => matcher.find_candidate_line(text),
            Engine::Perl(perl) => {
                let found = perl.pattern.find_at(text, 0);
                Ok(found.map(|(_, end)| LineMatchKind::Confirmed(end)))
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_have_the_numbers_of_their_groups() {
        let found = names(br"(a)(?:b)(?P<x>c)\((?<y>d)[(][]()][^](][[:alpha:](](?<=e)(?'z'f)");
        let expected = [("x", 2), ("y", 3), ("z", 4)];
        let expected = expected.map(|(name, at)| (name.to_owned(), at));
        assert_eq!(found, expected);
    }
}
