//! Operators and operands of an expression, by recursive descent over the words of the command line.

use super::predicate::{invalid, one_or};
use super::{Expression, Follow, Number, Program};
use crate::call::bytes;
use crate::pattern::Dialect;
use crate::system::Stat;
use crate::{options, quote, system};

/// A message, without the name of the command, in place of what could not be parsed.
pub(super) type Outcome<T> = Result<T, Vec<u8>>;

/// Parentheses within each other. Parsing and evaluation recurse on the guest's stack, which a command line of any
/// length must not exhaust.
const MOST_NESTED: usize = 200;

/// The position in the command line, and what options have set so far.
pub(super) struct Parser<'a> {
    /// All arguments of the call.
    pub(super) words: &'a [Vec<u8>],
    /// Index of the next word.
    pub(super) at: usize,
    /// Options such as `-maxdepth` are put here, wherever they stand.
    pub(super) program: Program,
    /// Set by `-regextype`, for the `-regex` after it.
    pub(super) dialect: Dialect,
    /// Patterns are in the syntax of Emacs, the default, and are translated to `dialect`.
    pub(super) emacs: bool,
    /// There is an action other than `-prune` and `-quit`.
    pub(super) acts: bool,
    /// Number of commands so far, for `Command::number`.
    pub(super) commands: usize,
    /// The last predicate.
    pub(super) predicate: Option<&'a [u8]>,
    /// Open parentheses.
    pub(super) depth: usize,
}

impl<'a> Parser<'a> {
    /// The next word, which is not taken.
    fn peek(&self) -> Option<&'a [u8]> {
        self.words.get(self.at).map(Vec::as_slice)
    }

    /// The whole expression; true where there is none. Words that are left are an error.
    pub(super) fn whole(&mut self) -> Outcome<Expression> {
        if self.peek().is_none() {
            return Ok(Expression::True);
        }
        let expression = self.list()?;
        match self.peek() {
            None => Ok(expression),
            Some(b")") => Err(b"you have too many ')'".to_vec()),
            Some(word) => Err(self.path_after(word)),
        }
    }

    /// Operands of the comma.
    fn list(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.or()?];
        while self.peek() == Some(b",") {
            self.at += 1;
            parts.push(self.or()?);
        }
        Ok(one_or(parts, Expression::List))
    }

    /// Operands of `-o`.
    fn or(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.and()?];
        while let Some(b"-o" | b"-or") = self.peek() {
            self.at += 1;
            parts.push(self.and()?);
        }
        Ok(one_or(parts, Expression::Or))
    }

    /// Operands of `-a`, which may be left out.
    fn and(&mut self) -> Outcome<Expression> {
        let mut parts = vec![self.not()?];
        loop {
            match self.peek() {
                Some(b"-a" | b"-and") => self.at += 1,
                None | Some(b")" | b"," | b"-o" | b"-or") => break,
                Some(_) => {}
            }
            parts.push(self.not()?);
        }
        Ok(one_or(parts, Expression::And))
    }

    /// A primary behind any number of `!`.
    fn not(&mut self) -> Outcome<Expression> {
        let mut negated = false;
        while let Some(b"!" | b"-not") = self.peek() {
            negated = !negated;
            self.at += 1;
        }
        let inner = self.primary()?;
        Ok(if negated {
            Expression::Not(Box::new(inner))
        } else {
            inner
        })
    }

    /// A parenthesis, a test, an option or an action.
    fn primary(&mut self) -> Outcome<Expression> {
        let Some(word) = self.peek() else {
            let last = &self.words[self.at - 1];
            return Err(bytes!("expected an expression after '", last, "'"));
        };
        self.at += 1;
        match word {
            b"(" => {
                self.depth += 1;
                if self.depth > MOST_NESTED {
                    return Err(b"expression nested too deeply".to_vec());
                }
                if self.peek() == Some(b")") {
                    return Err(b"invalid expression; empty parentheses are not allowed.".to_vec());
                }
                if self.peek().is_none() {
                    let text = "invalid expression; expected to find a ')' but didn't see one.";
                    let hint = " Perhaps you need an extra predicate after '('";
                    return Err(bytes!(text, hint));
                }
                let inner = self.list()?;
                if self.peek() != Some(b")") {
                    let text = "invalid expression; I was expecting to find a ')' somewhere but did not see one.";
                    return Err(text.as_bytes().to_vec());
                }
                self.at += 1;
                self.depth -= 1;
                Ok(inner)
            }
            b")" => Err(b"invalid expression; you have too many ')'".to_vec()),
            b"-o" | b"-or" | b"-a" | b"-and" | b"," => Err(bytes!(
                "invalid expression; you have used a binary operator '",
                word,
                "' with nothing before it."
            )),
            _ if word.first() == Some(&b'-') => {
                self.predicate = Some(word);
                self.predicate(word)
            }
            _ => Err(self.path_after(word)),
        }
    }

    /// The message for a word that is no part of an expression. Where a file has this name and a predicate was before
    /// it, the shell may have expanded the predicate's pattern.
    fn path_after(&self, word: &[u8]) -> Vec<u8> {
        let message = bytes!("paths must precede expression: `", word, "'");
        match self.predicate {
            Some(predicate) if system::access(word, 0).is_ok() => {
                let hint = "\nfind: possible unquoted pattern after predicate `";
                bytes!(message, hint, predicate, "'?")
            }
            _ => message,
        }
    }

    /// Takes the argument of `name`; a message where the words are at an end.
    pub(super) fn argument(&mut self, name: &[u8]) -> Outcome<&'a [u8]> {
        let word = self
            .peek()
            .ok_or_else(|| bytes!("missing argument to `", name, "'"))?;
        self.at += 1;
        Ok(word)
    }

    /// Takes a number with an optional sign.
    pub(super) fn number(&mut self, name: &[u8]) -> Outcome<Number> {
        let text = self.argument(name)?;
        Number::parse(text).ok_or_else(|| invalid(text, name))
    }

    /// Takes the number of `-maxdepth` or `-mindepth`, which has no sign.
    pub(super) fn depth_limit(&mut self, name: &[u8]) -> Outcome<usize> {
        let text = self.argument(name)?;
        options::number(text).ok_or_else(|| {
            bytes!(
                "Expected a positive decimal integer argument to ",
                name,
                ", but got ",
                quote::word(text)
            )
        })
    }

    /// Takes the path of a file to compare with: its `stat`, through links with `-H` and `-L`.
    pub(super) fn reference(&mut self, name: &[u8]) -> Outcome<Stat> {
        let path = self.argument(name)?;
        let follow = self.program.follow != Follow::Never;
        system::stat(path, follow).map_err(|failure| bytes!(quote::word(path), ": ", failure))
    }
}
