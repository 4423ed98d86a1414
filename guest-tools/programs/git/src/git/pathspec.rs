//! The paths that a command is limited to.

use gix_glob::wildmatch;

use super::repository::Repository;
use super::stop::{Outcome, fatal};
use crate::call::bytes;

struct Spec {
    pattern: Vec<u8>,
    literal: bool,
    glob: bool,
    insensitive: bool,
    exclude: bool,
    given: Vec<u8>,
}

/// A list of paths and patterns; an empty one fits all.
#[derive(Default)]
pub struct Pathspec(Vec<Spec>);

impl Pathspec {
    /// Reads what the user gave.
    pub fn new(repository: &Repository, given: &[Vec<u8>]) -> Outcome<Pathspec> {
        let specs = given.iter().map(|word| Spec::read(repository, word));
        Ok(Pathspec(specs.collect::<Outcome<_>>()?))
    }

    /// Whether all paths fit.
    pub fn is_empty(&self) -> bool {
        self.0.is_empty()
    }

    /// Whether a path fits.
    pub fn matches(&self, path: &[u8]) -> bool {
        let included = self.0.iter().filter(|spec| !spec.exclude);
        let mut included = included.peekable();
        let fits = included.peek().is_none() || included.any(|spec| spec.matches(path));
        let mut excluded = self.0.iter().filter(|spec| spec.exclude);
        fits && !excluded.any(|spec| spec.matches(path))
    }

    /// Whether something below a folder may fit.
    pub fn may_match_below(&self, folder: &[u8]) -> bool {
        let inside = bytes!(folder, "/");
        let may = |spec: &Spec| {
            spec.matches(folder)
                || !spec.literal
                || spec.pattern.starts_with(&inside)
                || spec.pattern.is_empty()
        };
        let mut included = self.0.iter().filter(|spec| !spec.exclude).peekable();
        included.peek().is_none() || included.any(may)
    }

    /// The words that fit none of `paths`.
    pub fn unmatched<'a>(&'a self, paths: &[Vec<u8>]) -> Vec<&'a [u8]> {
        let lost = self.0.iter().filter(|spec| {
            !spec.exclude
                && !spec.pattern.is_empty()
                && !paths.iter().any(|path| spec.matches(path))
        });
        lost.map(|spec| spec.given.as_slice()).collect()
    }

    /// The paths without wildcards, as the user gave them and from the top.
    pub fn literals(&self) -> impl Iterator<Item = (&[u8], &[u8])> {
        let literal = self.0.iter().filter(|spec| spec.literal && !spec.exclude);
        literal.map(|spec| (spec.given.as_slice(), spec.pattern.as_slice()))
    }
}

impl Spec {
    fn read(repository: &Repository, word: &[u8]) -> Outcome<Spec> {
        let mut spec = Spec {
            pattern: Vec::new(),
            literal: false,
            glob: false,
            insensitive: false,
            exclude: false,
            given: word.to_vec(),
        };
        let mut rest = word;
        let mut top = false;
        if let Some(long) = word.strip_prefix(b":(") {
            let end = long.iter().position(|&byte| byte == b')');
            let end = end.ok_or_else(|| {
                fatal(bytes!(
                    "Missing ')' at the end of pathspec magic in '",
                    word,
                    "'"
                ))
            })?;
            for magic in long[..end].split(|&byte| byte == b',') {
                match magic {
                    b"top" => top = true,
                    b"exclude" => spec.exclude = true,
                    b"literal" => spec.literal = true,
                    b"glob" => spec.glob = true,
                    b"icase" => spec.insensitive = true,
                    b"" => {}
                    magic => {
                        return Err(fatal(bytes!(
                            "Invalid pathspec magic '",
                            magic,
                            "' in '",
                            word,
                            "'"
                        )));
                    }
                }
            }
            rest = &long[end + 1..];
        } else if let Some(short) = word.strip_prefix(b":") {
            rest = short;
            while let Some((&byte, after)) = rest.split_first() {
                match byte {
                    b'/' => top = true,
                    b'!' | b'^' => spec.exclude = true,
                    b':' => {
                        rest = after;
                        break;
                    }
                    _ => break,
                }
                rest = after;
            }
        }
        spec.pattern = if top {
            rest.strip_suffix(b"/").unwrap_or(rest).to_vec()
        } else {
            repository.path_from_top(rest)?
        };
        spec.literal |=
            !spec.pattern.iter().any(|byte| b"*?[\\".contains(byte)) && !spec.insensitive;
        Ok(spec)
    }

    fn matches(&self, path: &[u8]) -> bool {
        if self.pattern.is_empty() {
            return true;
        }
        let below = path.strip_prefix(self.pattern.as_slice());
        if below.is_some_and(|rest| rest.is_empty() || rest[0] == b'/') {
            return true;
        }
        if self.literal {
            return false;
        }
        let mut mode = wildmatch::Mode::empty();
        if self.glob {
            mode |= wildmatch::Mode::NO_MATCH_SLASH_LITERAL;
        }
        if self.insensitive {
            mode |= wildmatch::Mode::IGNORE_CASE;
        }
        let fits =
            |path: &[u8]| gix_glob::wildmatch(self.pattern.as_slice().into(), path.into(), mode);
        let ends = path.iter().enumerate().filter(|(_, byte)| **byte == b'/');
        fits(path) || ends.into_iter().any(|(end, _)| fits(&path[..end]))
    }
}
