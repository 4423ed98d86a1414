//! The rules for commands in the form in which they are applied.

use super::Policy;
use super::boundary::Verdict;
use crate::error::{Code, Error, Result};
use globset::{Glob, GlobMatcher};

/// The patterns of one policy.
pub(super) struct Commands {
    allow: Option<Vec<Pattern>>,
    deny: Vec<Pattern>,
    ask: Vec<Pattern>,
}

impl Commands {
    pub(super) fn new(policy: &Policy) -> Result<Commands> {
        let list = |list: &[String]| list.iter().map(|text| Pattern::new(text)).collect();
        Ok(Commands {
            allow: policy.command.as_deref().map(list).transpose()?,
            deny: list(&policy.command_deny)?,
            ask: list(&policy.command_approval)?,
        })
    }

    pub(super) fn judge(&self, command: &[String]) -> Verdict {
        let any = |list: &[Pattern]| list.iter().any(|pattern| pattern.matches(command));
        if any(&self.deny) || self.allow.as_deref().is_some_and(|list| !any(list)) {
            return Verdict::Refused;
        }
        match any(&self.ask) {
            true => Verdict::Ask,
            false => Verdict::Permitted,
        }
    }

    /// Whether a rule is meant to keep this name from running unasked.
    pub(super) fn restrains(&self, name: &str) -> bool {
        self.refusing().any(|pattern| pattern.is_about(name))
    }

    /// Whether a rule that is not about all programs names this builtin.
    pub(super) fn names_builtin(&self, name: &str) -> bool {
        let all = |pattern: &Pattern| {
            pattern
                .0
                .first()
                .is_some_and(|word| word.glob().glob() == "*")
        };
        self.refusing()
            .any(|pattern| !all(pattern) && pattern.is_about(name))
    }

    /// Whether only what is listed may run.
    pub(super) fn has_list(&self) -> bool {
        self.allow.is_some()
    }

    fn refusing(&self) -> impl Iterator<Item = &Pattern> {
        self.deny.iter().chain(&self.ask)
    }
}

/// The first words of a command, each a glob.
struct Pattern(Vec<GlobMatcher>);

impl Pattern {
    fn new(text: &str) -> Result<Pattern> {
        let invalid = |reason: String| {
            let message = format!("the pattern {text:?}: {reason}");
            Error::new(Code::Invalid, "restrict", message)
        };
        let words = text.split_whitespace().map(|word| {
            let glob = Glob::new(word).map_err(|error| invalid(error.kind().to_string()))?;
            Ok(glob.compile_matcher())
        });
        let words: Vec<GlobMatcher> = words.collect::<Result<_>>()?;
        if words.is_empty() {
            return Err(invalid("it names no command".to_owned()));
        }
        Ok(Pattern(words))
    }

    fn is_about(&self, name: &str) -> bool {
        self.0.first().is_some_and(|word| word.is_match(name))
    }

    fn matches(&self, command: &[String]) -> bool {
        let words = self.0.iter().zip(command);
        self.0.len() <= command.len()
            && words.fold(true, |all, (glob, word)| all && glob.is_match(word))
    }
}
