//! The extended regular expressions of `[[ x =~ re ]]`.
//!
//! The engine is that of `regex-automata`, which never takes more than linear time. It prefers the
//! first alternative where POSIX wants the longest match, so a match that could be longer is made
//! again with all alternatives followed at once ([`Regex::captures`]). Among several ways to divide
//! the longest match into groups the first in the order of the pattern is taken, as in glibc.
//!
//! A back reference (`\1`) is refused.

#[cfg(test)]
mod tests;
mod translate;

use std::cell::{OnceCell, RefCell};
use std::ops::Range;

use regex_automata::meta;
use regex_automata::nfa::thompson::{self, pikevm::PikeVM};
use regex_automata::util::captures::Captures;
use regex_automata::util::syntax;
use regex_automata::{Anchored, Input, MatchKind};

pub use translate::{quote, shown};

/// How much memory the states of an expression may take, in bytes. `((a{99}){99}){99}` is sixteen
/// bytes that ask for a million states.
const SIZE_LIMIT: usize = 4 << 20;

/// How long an expression may be, in bytes.
const LENGTH_LIMIT: usize = 256 << 10;

/// The text is no regular expression, or asks for too much; `[[ ]]` then ends with status 2.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct InvalidRegex;

impl std::fmt::Display for InvalidRegex {
    fn fmt(&self, formatter: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        formatter.write_str("invalid regular expression")
    }
}

impl std::error::Error for InvalidRegex {}

/// A compiled regular expression; worth keeping for as long as the text stays the same.
///
/// ```
/// use offshoot_shell_language::pattern::Options;
/// use offshoot_shell_language::pattern::regex::Regex;
///
/// let regex = Regex::new(b"([a-z]+)=(x|xy)", Options::default())?;
/// let groups = regex.captures(b"key=xyz").unwrap_or_default();
/// assert_eq!(groups, [Some(0..6), Some(0..3), Some(4..6)]);
/// # Ok::<(), offshoot_shell_language::pattern::regex::InvalidRegex>(())
/// ```
#[derive(Debug)]
pub struct Regex {
    pattern: Vec<u8>,
    options: super::Options,
    /// For texts of ASCII alone: without the tables of Unicode, which take long to compile.
    ascii: Engine,
    unicode: OnceCell<Option<Engine>>,
}

impl Regex {
    /// Compiles an expression. A byte 0 makes the byte after it stand for itself ([`quote`]); of the
    /// options, `extended` has no meaning.
    ///
    /// # Errors
    /// [`InvalidRegex`]
    pub fn new(pattern: &[u8], options: super::Options) -> Result<Regex, InvalidRegex> {
        if pattern.len() > LENGTH_LIMIT {
            return Err(InvalidRegex);
        }
        let ascii = Engine::new(pattern, options, false)?;
        Ok(Regex {
            pattern: pattern.to_vec(),
            options,
            ascii,
            unicode: OnceCell::new(),
        })
    }

    /// The leftmost match, and of those the longest: the places of the whole and of each group that
    /// took part.
    pub fn captures(&self, text: &[u8]) -> Option<Vec<Option<Range<usize>>>> {
        if text.is_ascii() || self.options.bytewise {
            return self.ascii.captures(text);
        }
        let compile = || Engine::new(&self.pattern, self.options, true).ok();
        self.unicode.get_or_init(compile).as_ref()?.captures(text)
    }
}

/// An expression, compiled for one kind of text.
#[derive(Debug)]
struct Engine {
    first: meta::Regex,
    source: String,
    unicode: bool,
    ignore_case: bool,
    /// All matches have the same length.
    fixed: bool,
    longest: OnceCell<Option<(PikeVM, RefCell<thompson::pikevm::Cache>)>>,
}

impl Engine {
    fn new(pattern: &[u8], options: super::Options, unicode: bool) -> Result<Engine, InvalidRegex> {
        let source = translate::translate(pattern, unicode)?;
        let ignore_case = options.ignore_case;
        let hir = syntax::parse_with(&source, &dialect(unicode, ignore_case))
            .map_err(|_| InvalidRegex)?;
        let properties = hir.properties();
        let fixed = properties.minimum_len().is_some()
            && properties.minimum_len() == properties.maximum_len();
        let config = meta::Config::new()
            .utf8_empty(false)
            .nfa_size_limit(Some(SIZE_LIMIT))
            .onepass_size_limit(Some(SIZE_LIMIT / 16))
            .hybrid_cache_capacity(SIZE_LIMIT);
        let first = meta::Builder::new()
            .configure(config)
            .build_from_hir(&hir)
            .map_err(|_| InvalidRegex)?;
        Ok(Engine {
            first,
            source,
            unicode,
            ignore_case,
            fixed,
            longest: OnceCell::new(),
        })
    }

    fn captures(&self, text: &[u8]) -> Option<Vec<Option<Range<usize>>>> {
        let mut captures = self.first.create_captures();
        self.first.captures(Input::new(text), &mut captures);
        let first = captures.get_match()?;
        if self.fixed || first.end() == text.len() {
            return Some(groups(&captures));
        }
        let (machine, cache) = self
            .longest
            .get_or_init(|| self.compile_longest())
            .as_ref()?;
        let mut captures = machine.create_captures();
        let input = Input::new(text)
            .range(first.start()..)
            .anchored(Anchored::Yes);
        machine.captures(&mut cache.borrow_mut(), input, &mut captures);
        captures.is_match().then(|| groups(&captures))
    }

    /// A machine that follows every alternative, and so ends at the last place where one can.
    fn compile_longest(&self) -> Option<(PikeVM, RefCell<thompson::pikevm::Cache>)> {
        let machine = PikeVM::builder()
            .configure(PikeVM::config().match_kind(MatchKind::All))
            .syntax(dialect(self.unicode, self.ignore_case))
            .thompson(
                thompson::Config::new()
                    .utf8(false)
                    .nfa_size_limit(Some(SIZE_LIMIT)),
            )
            .build(&self.source)
            .ok()?;
        let cache = RefCell::new(machine.create_cache());
        Some((machine, cache))
    }
}

fn dialect(unicode: bool, ignore_case: bool) -> syntax::Config {
    syntax::Config::new()
        .utf8(false)
        .unicode(unicode)
        .case_insensitive(ignore_case)
        .dot_matches_new_line(true)
}

fn groups(captures: &Captures) -> Vec<Option<Range<usize>>> {
    captures
        .iter()
        .map(|span| span.map(|span| span.range()))
        .collect()
}
