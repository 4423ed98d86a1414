//! Brace expansion: one word to many, before anything else in it is expanded.
//!
//! A word is first turned into a pattern whose number of words is known, so that a budget can be
//! checked before any of them is made; the words then come one by one.

mod sequence;
mod text;

use std::fmt;

use super::parser::Options;
use super::quote::lengthen_name;
use super::tree::{Part, Word};
use super::word::push_literal;
use super::{entry, print};
use sequence::Sequence;

/// How deep braces may nest.
const MAX_DEPTH: u32 = 200;

/// How many steps the search for matching braces may take, beside 64 for each byte.
const SPARE_STEPS: usize = 1 << 20;

/// Why braces can't be expanded.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum BraceError {
    /// They nest deeper than 200 levels.
    TooDeep,
    /// Too many braces have no partner.
    TooComplex,
}

impl fmt::Display for BraceError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            BraceError::TooDeep => "braces nest too deep",
            BraceError::TooComplex => "too many braces have no partner",
        })
    }
}

impl std::error::Error for BraceError {}

/// The words that a word with braces stands for.
///
/// ```
/// use offshoot_shell_language::syntax::{brace, entry, print};
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let word = entry::word(b"x{1..3}", Default::default(), 1)?;
/// let expansion = brace::expand(&word, 1)?.ok_or("it has braces")?;
/// assert_eq!(expansion.count(), 3);
/// let words: Vec<_> = expansion.words().map(|word| print::word(&word)).collect();
/// assert_eq!(words, [b"x1", b"x2", b"x3"]);
/// # Ok(())
/// # }
/// ```
#[derive(Debug)]
pub struct Expansion {
    pattern: Vec<Piece>,
    count: u64,
    /// The pieces are text that is yet to be parsed, on this line.
    text_line: Option<u32>,
}

/// A piece of a word.
#[derive(Debug)]
enum Piece {
    /// The same in each word.
    Fixed(Vec<Part>),
    /// `{a,b}`
    Choice(Vec<Alternative>),
    /// `{1..9}`
    Sequence(Sequence),
}

/// One side of a comma.
#[derive(Debug)]
struct Alternative {
    pattern: Vec<Piece>,
    /// How many words this alternative and those before it stand for.
    end: u64,
}

/// What a word is made of here.
#[derive(Clone, Copy)]
enum Token<'a> {
    Byte(u8),
    /// A character of a text that divides nothing.
    Plain(u8),
    /// The brace of `${` in a text.
    Open,
    /// Quotes or an expansion.
    Part(&'a Part),
}

/// Expands the braces of `word`; none where it has none that expand.
///
/// Takes time linear in the word and makes no words yet. `line` is where commands in it are said to
/// stand, where the text has to be parsed once more.
///
/// # Errors
///
/// Braces that nest too deep, or that make the search for partners too long.
pub fn expand(word: &Word, line: u32) -> Result<Option<Expansion>, BraceError> {
    if text::decides(word) {
        let text = print::word(word);
        return match text.contains(&b'{') {
            true => expansion(&text::tokens(&text), Some(line)),
            false => Ok(None),
        };
    }
    let open = |part: &Part| matches!(part, Part::Literal(text) if text.contains(&b'{'));
    if !word.parts.iter().any(open) {
        return Ok(None);
    }
    expansion(&tokens(word), None)
}

fn expansion(
    tokens: &[Token<'_>],
    text_line: Option<u32>,
) -> Result<Option<Expansion>, BraceError> {
    let steps = SPARE_STEPS + 64 * tokens.len();
    let mut search = Search { steps, depth: 0 };
    let pattern = search.pattern(tokens)?;
    if pattern.iter().all(|piece| matches!(piece, Piece::Fixed(_))) {
        return Ok(None);
    }
    let count = count(&pattern);
    Ok(Some(Expansion {
        pattern,
        count,
        text_line,
    }))
}

fn tokens(word: &Word) -> Vec<Token<'_>> {
    let mut tokens = Vec::new();
    for part in &word.parts {
        match part {
            Part::Literal(text) => tokens.extend(text.iter().map(|&byte| Token::Byte(byte))),
            part => tokens.push(Token::Part(part)),
        }
    }
    tokens
}

/// A word of a text in which braces were expanded; what is no word any more stands for itself.
fn parsed(word: Word, line: u32) -> Word {
    let text = print::word(&word);
    // `$'…'` is decoded in a text that was printed.
    let options = Options {
        extglob: true,
        posix: true,
        ..Options::default()
    };
    entry::word(&text, options, line).unwrap_or(word)
}

impl Expansion {
    /// How many words there are; `u64::MAX` stands for more.
    pub fn count(&self) -> u64 {
        self.count
    }

    /// The words in order, made as they are asked for.
    pub fn words(&self) -> impl Iterator<Item = Word> + '_ {
        (0..self.count).map(|index| self.word(index))
    }

    /// The word `index`, from 0; each takes time linear in the pattern.
    pub fn word(&self, index: u64) -> Word {
        let mut parts = Vec::new();
        put(&self.pattern, index, &mut parts);
        match self.text_line {
            Some(line) => parsed(Word { parts }, line),
            None => Word { parts },
        }
    }
}

fn count(pattern: &[Piece]) -> u64 {
    pattern.iter().fold(1, |product: u64, piece| {
        product.saturating_mul(piece.count())
    })
}

/// Puts the parts of the word `index`; the last piece changes fastest.
fn put(pattern: &[Piece], mut index: u64, parts: &mut Vec<Part>) {
    let mut below = count(pattern);
    for piece in pattern {
        below /= piece.count().max(1);
        let own = index / below.max(1);
        index %= below.max(1);
        match piece {
            Piece::Fixed(fixed) => fixed.iter().cloned().for_each(|part| push(parts, part)),
            Piece::Sequence(sequence) => push(parts, sequence.part(own)),
            Piece::Choice(alternatives) => {
                let chosen = alternatives.partition_point(|alternative| alternative.end <= own);
                let start = match chosen {
                    0 => 0,
                    chosen => alternatives[chosen - 1].end,
                };
                if let Some(alternative) = alternatives.get(chosen) {
                    put(&alternative.pattern, own - start, parts);
                }
            }
        }
    }
}

fn push(parts: &mut Vec<Part>, part: Part) {
    match part {
        Part::Literal(text) => {
            let taken = lengthen_name(parts, &text);
            if taken < text.len() {
                push_literal(parts, &text[taken..]);
            }
        }
        part => parts.push(part),
    }
}

impl Piece {
    fn count(&self) -> u64 {
        match self {
            Piece::Fixed(_) => 1,
            Piece::Choice(alternatives) => alternatives.last().map_or(1, |last| last.end),
            Piece::Sequence(sequence) => sequence.count(),
        }
    }
}

/// The search for braces that expand.
struct Search {
    steps: usize,
    depth: u32,
}

impl Search {
    fn pattern(&mut self, tokens: &[Token<'_>]) -> Result<Vec<Piece>, BraceError> {
        self.depth += 1;
        if self.depth > MAX_DEPTH {
            return Err(BraceError::TooDeep);
        }
        let mut pieces = Vec::new();
        let mut rest = tokens;
        while let Some((open, close)) = self.braces(rest)? {
            push_fixed(&mut pieces, &rest[..open]);
            let inner = &rest[open + 1..close];
            if has_comma(inner) {
                pieces.push(self.choice(inner)?);
            } else if let Some(sequence) = sequence(inner) {
                pieces.push(Piece::Sequence(sequence));
            } else {
                push_fixed(&mut pieces, &rest[open..=close]);
            }
            rest = &rest[close + 1..];
        }
        push_fixed(&mut pieces, rest);
        self.depth -= 1;
        Ok(pieces)
    }

    /// The first `{` that has a `}`, and that.
    fn braces(&mut self, tokens: &[Token<'_>]) -> Result<Option<(usize, usize)>, BraceError> {
        let mut level = 0;
        for (open, token) in tokens.iter().enumerate() {
            match token {
                Token::Open => level += 1,
                Token::Byte(b'{') if level > 0 => level += 1,
                Token::Byte(b'}') if level > 0 => level -= 1,
                Token::Byte(b'{') if !stands_alone(tokens, open) => {
                    if let Some(close) = self.closing(tokens, open)? {
                        return Ok(Some((open, close)));
                    }
                }
                _ => {}
            }
        }
        Ok(None)
    }

    /// The `}` that ends the braces that `open` begins: one with a comma or `..` before it.
    fn closing(&mut self, tokens: &[Token<'_>], open: usize) -> Result<Option<usize>, BraceError> {
        let byte = |index: usize| match tokens.get(index) {
            Some(Token::Byte(byte)) => Some(*byte),
            Some(Token::Open) => Some(b'{'),
            _ => None,
        };
        let mut level = 0;
        let mut divided = false;
        for index in open + 1..tokens.len() {
            self.steps = self.steps.checked_sub(1).ok_or(BraceError::TooComplex)?;
            match byte(index) {
                Some(b'}') if level == 0 && divided => return Ok(Some(index)),
                Some(b'}') if level > 0 => level -= 1,
                Some(b'{') => level += 1,
                Some(b',') if level == 0 => divided = true,
                Some(b'.') if level == 0 && byte(index + 1) == Some(b'.') => {
                    divided |= byte(index + 2) != Some(b'}');
                }
                _ => {}
            }
        }
        Ok(None)
    }

    fn choice(&mut self, inner: &[Token<'_>]) -> Result<Piece, BraceError> {
        let mut alternatives = Vec::new();
        let mut level = 0usize;
        let mut start = 0;
        let mut end: u64 = 0;
        for index in 0..=inner.len() {
            match inner.get(index) {
                Some(Token::Byte(b'{') | Token::Open) => level += 1,
                Some(Token::Byte(b'}')) => level = level.saturating_sub(1),
                Some(Token::Byte(b',')) if level == 0 => {}
                None => {}
                _ => continue,
            }
            let divides = matches!(inner.get(index), None | Some(Token::Byte(b',')));
            if !divides {
                continue;
            }
            let pattern = self.pattern(&inner[start..index])?;
            end = end.saturating_add(count(&pattern));
            alternatives.push(Alternative { pattern, end });
            start = index + 1;
        }
        Ok(Piece::Choice(alternatives))
    }
}

/// Whether the brace at `open` can't begin anything: it is a word or `{}` of its own.
fn stands_alone(tokens: &[Token<'_>], open: usize) -> bool {
    let blank = |byte: &u8| matches!(byte, b' ' | b'\t' | b'\n');
    let before = match open.checked_sub(1).and_then(|index| tokens.get(index)) {
        None => true,
        Some(Token::Plain(byte) | Token::Part(Part::Escaped(byte))) => blank(byte),
        Some(_) => false,
    };
    let after = match tokens.get(open + 1) {
        None => true,
        Some(Token::Byte(byte)) => *byte == b'}' || blank(byte),
        Some(_) => false,
    };
    before && after
}

/// Whether there is a comma, though it may divide nothing.
fn has_comma(inner: &[Token<'_>]) -> bool {
    let mut escaped = false;
    inner.iter().any(|token| match token {
        Token::Byte(byte) | Token::Plain(byte) => {
            let comma = !escaped && *byte == b',';
            escaped = !escaped && *byte == b'\\';
            comma
        }
        Token::Part(Part::Escaped(_)) | Token::Open => false,
        Token::Part(part) => print::part(part, true).contains(&b','),
    })
}

fn sequence(inner: &[Token<'_>]) -> Option<Sequence> {
    let text: Option<Vec<u8>> = inner
        .iter()
        .map(|token| match token {
            Token::Byte(byte) => Some(*byte),
            Token::Plain(_) | Token::Open | Token::Part(_) => None,
        })
        .collect();
    Sequence::parse(&text?)
}

fn push_fixed(pieces: &mut Vec<Piece>, tokens: &[Token<'_>]) {
    if tokens.is_empty() {
        return;
    }
    if !matches!(pieces.last(), Some(Piece::Fixed(_))) {
        pieces.push(Piece::Fixed(Vec::new()));
    }
    let Some(Piece::Fixed(parts)) = pieces.last_mut() else {
        return;
    };
    for token in tokens {
        match token {
            Token::Byte(byte) | Token::Plain(byte) => push_literal(parts, &[*byte]),
            Token::Open => push_literal(parts, b"{"),
            Token::Part(part) => parts.push((*part).clone()),
        }
    }
}
