//! POSIX basic and extended regular expressions, and Perl's, over byte strings: what `grep`, `sed`,
//! `find`, `expr` and `awk` match with. They run on the `regex` crate, in linear time; only
//! back-references and Perl's look-around need the backtracking engine, and a plain text needs none.

mod backtrack;
mod literal;
mod longest;
mod perl;
mod translate;

pub use translate::{Dialect, character_length, has_bare_class};

use backtrack::Backtracking;
use literal::Literal;
use longest::Longest;
use regex::bytes::{Regex, RegexBuilder};

/// How to read and match a pattern.
#[derive(Clone, Copy, Debug)]
pub struct Settings {
    /// The syntax of the pattern.
    pub dialect: Dialect,
    /// Letters match in either case.
    pub ignore_case: bool,
    /// `^` and `$` match at line ends inside the text too.
    pub multi_line: bool,
    /// No match contains this byte: a pattern can be searched for in many lines at once.
    pub line_end: Option<u8>,
    /// What a match must fill.
    pub whole: Whole,
}

/// What a match must fill.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Whole {
    /// Nothing: it may be anywhere.
    No,
    /// There is no word character right before or after it.
    Word,
    /// A line.
    Line,
}

impl Settings {
    /// Settings for `dialect` with everything else off.
    pub fn new(dialect: Dialect) -> Settings {
        Settings {
            dialect,
            ignore_case: false,
            multi_line: false,
            line_end: None,
            whole: Whole::No,
        }
    }
}

/// Where a match and its groups start and end; group 0 is the whole match.
pub type Groups = Vec<Option<(usize, usize)>>;

/// A compiled pattern.
pub struct Pattern {
    source: Vec<u8>,
    engine: Engine,
}

enum Engine {
    Literal(Literal),
    Linear {
        regex: Regex,
        longest: Option<Box<Longest>>,
        /// No match holds a newline: all of it is in one line.
        in_line: bool,
    },
    Backtracking(Box<Backtracking>),
}

impl Pattern {
    /// Compiles `source`; the error is GNU's wording where it has one.
    pub fn new(source: &[u8], settings: &Settings) -> Result<Pattern, String> {
        if let Some(literal) = Literal::new(source, settings) {
            return Ok(Pattern {
                source: source.to_vec(),
                engine: Engine::Literal(literal),
            });
        }
        let mut translated = translate::translate(source, settings)?;
        translated.text = match settings.whole {
            Whole::No => translated.text,
            Whole::Word => format!("\\b{{start-half}}(?:{})\\b{{end-half}}", translated.text),
            Whole::Line => format!("^(?:{})$", translated.text),
        };
        if translated.backtracks {
            let engine = Backtracking::new(&translated.text, settings)?;
            return Ok(Pattern {
                source: source.to_vec(),
                engine: Engine::Backtracking(Box::new(engine)),
            });
        }
        let built = RegexBuilder::new(&translated.text)
            .case_insensitive(settings.ignore_case)
            .multi_line(settings.multi_line || settings.line_end.is_some())
            .dot_matches_new_line(settings.line_end.is_none())
            .line_terminator(settings.line_end.unwrap_or(b'\n'))
            .size_limit(64 << 20)
            .dfa_size_limit(8 << 20)
            .build();
        let regex = match built {
            Ok(regex) => regex,
            Err(_) if settings.dialect == Dialect::Perl => {
                let engine = Backtracking::new(&translated.text, settings)?;
                return Ok(Pattern {
                    source: source.to_vec(),
                    engine: Engine::Backtracking(Box::new(engine)),
                });
            }
            Err(regex::Error::CompiledTooBig(_)) => return Err("Regular expression too big".into()),
            Err(_) => return Err("Invalid regular expression".into()),
        };
        let longest = if translated.ambiguous {
            Longest::new(&translated.text, settings)
        } else {
            None
        };
        let in_line = settings.line_end == Some(b'\n')
            && settings.dialect != Dialect::Perl
            && !source.windows(2).any(|pair| pair == b"\\n");
        Ok(Pattern {
            source: source.to_vec(),
            engine: Engine::Linear {
                regex,
                longest: longest.map(Box::new),
                in_line,
            },
        })
    }

    /// What it was compiled from.
    pub fn source(&self) -> &[u8] {
        &self.source
    }

    /// How many groups there are beside the whole match.
    pub fn group_count(&self) -> usize {
        match &self.engine {
            Engine::Literal(_) => 0,
            Engine::Linear { regex, .. } => regex.captures_len() - 1,
            Engine::Backtracking(engine) => engine.group_count(),
        }
    }

    /// Whether many lines may be searched at once.
    pub fn is_linear(&self) -> bool {
        !matches!(self.engine, Engine::Backtracking(_))
    }

    /// Whether there is a match.
    pub fn is_match(&self, text: &[u8]) -> bool {
        match &self.engine {
            Engine::Literal(literal) => literal.find_at(text, 0).is_some(),
            Engine::Linear { regex, .. } => regex.is_match(text),
            Engine::Backtracking(engine) => engine.find_at(text, 0).is_some(),
        }
    }

    /// Where some match starts and ends at or after `start`; its start is right, its end may be an
    /// early one.
    fn locate_at(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        match &self.engine {
            Engine::Literal(literal) => literal.find_at(text, start),
            Engine::Linear { regex, .. } => regex
                .find_at(text, start)
                .map(|found| (found.start(), found.end())),
            Engine::Backtracking(engine) => engine.find_at(text, start),
        }
    }

    /// A place in the line that holds the first match at or after `start`, or the end of that line. Where a
    /// match starts would cost more.
    pub fn line_at(&self, text: &[u8], start: usize) -> Option<usize> {
        match &self.engine {
            Engine::Linear {
                regex,
                in_line: true,
                ..
            } => regex.shortest_match_at(text, start),
            _ => self.locate_at(text, start).map(|(from, _)| from),
        }
    }

    /// The first match at or after `start`, and of those the longest.
    pub fn find_at(&self, text: &[u8], start: usize) -> Option<(usize, usize)> {
        let (from, to) = self.locate_at(text, start)?;
        match &self.engine {
            Engine::Linear {
                longest: Some(longest),
                ..
            } => Some((from, longest.end(text, from).unwrap_or(to))),
            _ => Some((from, to)),
        }
    }

    /// The first match at or after `start` with its groups.
    pub fn groups_at(&self, text: &[u8], start: usize) -> Option<Groups> {
        let (regex, longest) = match &self.engine {
            Engine::Literal(literal) => return Some(vec![Some(literal.find_at(text, start)?)]),
            Engine::Linear { regex, longest, .. } => (regex, longest),
            Engine::Backtracking(engine) => return engine.groups_at(text, start),
        };
        let mut locations = regex.capture_locations();
        let found = regex.captures_read_at(&mut locations, text, start)?;
        if let Some(longest) = longest
            && let Some(end) = longest.end(text, found.start())
            && end != found.end()
        {
            return longest.groups(text, found.start(), end);
        }
        Some(
            (0..locations.len())
                .map(|index| locations.get(index))
                .collect(),
        )
    }
}

/// A pattern in Emacs syntax as a basic one: `+` and `?` are operators there, and their escapes
/// characters.
pub fn from_emacs(source: &[u8]) -> Vec<u8> {
    let mut out = Vec::with_capacity(source.len() + 8);
    let mut bytes = source.iter().copied();
    let mut bracket = false;
    while let Some(byte) = bytes.next() {
        match byte {
            b'[' => bracket = true,
            b']' => bracket = false,
            b'+' | b'?' if !bracket => out.push(b'\\'),
            b'\\' if !bracket => match bytes.next() {
                Some(next @ (b'+' | b'?' | b'{' | b'}')) => {
                    out.push(next);
                    continue;
                }
                Some(next) => {
                    out.extend([byte, next]);
                    continue;
                }
                None => {}
            },
            _ => {}
        }
        out.push(byte);
    }
    out
}

#[cfg(test)]
mod tests;
