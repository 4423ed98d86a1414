//! The longest of the matches that start at one place, as POSIX demands where alternatives compete.

use std::cell::RefCell;

use regex::bytes::{Regex, RegexBuilder};
use regex_automata::hybrid::dfa::{Cache, DFA};
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

use super::{Groups, Settings};

/// A matcher that finds the longest of the leftmost matches, as POSIX asks.
pub struct Longest {
    automaton: DFA,
    cache: RefCell<Cache>,
    whole: Regex,
}

impl Longest {
    /// None where the automaton cannot be built; the first alternative wins then.
    pub fn new(text: &str, settings: &Settings) -> Option<Longest> {
        let multi_line = settings.multi_line || settings.line_end.is_some();
        let dots = settings.line_end.is_none();
        let syntax = syntax::Config::new()
            .utf8(false)
            .case_insensitive(settings.ignore_case)
            .multi_line(multi_line)
            .dot_matches_new_line(dots)
            .line_terminator(settings.line_end.unwrap_or(b'\n'));
        let automaton = DFA::builder()
            .configure(
                DFA::config()
                    .match_kind(MatchKind::All)
                    .unicode_word_boundary(true),
            )
            .syntax(syntax)
            .build(text)
            .ok()?;
        let whole = RegexBuilder::new(&format!("(?:{text})\\z"))
            .case_insensitive(settings.ignore_case)
            .multi_line(multi_line)
            .dot_matches_new_line(dots)
            .line_terminator(settings.line_end.unwrap_or(b'\n'))
            .build()
            .ok()?;
        let cache = RefCell::new(automaton.create_cache());
        Some(Longest {
            automaton,
            cache,
            whole,
        })
    }

    /// The end of the longest match that starts at `start`.
    pub fn end(&self, text: &[u8], start: usize) -> Option<usize> {
        let input = Input::new(text).range(start..).anchored(Anchored::Yes);
        let found = self
            .automaton
            .try_search_fwd(&mut self.cache.borrow_mut(), &input)
            .ok()??;
        Some(found.offset())
    }

    /// The groups of the match from `start` to `end`.
    pub fn groups(&self, text: &[u8], start: usize, end: usize) -> Option<Groups> {
        let mut locations = self.whole.capture_locations();
        self.whole
            .captures_read_at(&mut locations, &text[..end], start)?;
        Some(
            (0..locations.len())
                .map(|index| locations.get(index))
                .collect(),
        )
    }
}
