//! Parsing what is no script: one word, a here-document, a compound value.

use super::cursor::Cursor;
use super::error::SyntaxError;
use super::parser::{AliasLookup, Options};
use super::quote::QuotedEnds;
use super::reader::Reader;
use super::tree::{ArrayElement, Part, Word};
use super::word::Ends;

/// Parses `text` as between double quotes, though `"` stands for itself: a prompt, `PS4`.
///
/// A syntax error in a substitution is kept in the word, to be reported when it is expanded.
pub fn document(text: &[u8], options: Options, line: u32) -> Word {
    reader(text, options, line).document_text()
}

/// Parses the subscript of an indexed array: it is expanded as between double quotes, and what is
/// left of it is an expression, in which other quotes are errors.
///
/// # Errors
///
/// Quotes or substitutions that don't end.
pub fn subscript(text: &[u8], options: Options, line: u32) -> Result<Word, Box<SyntaxError>> {
    let mut parts = Vec::new();
    reader(text, options, line).quoted_parts(&mut parts, QuotedEnds::Subscript)?;
    Ok(Word { parts })
}

/// Parses an arithmetic text: `let` arguments, offsets. All of it is taken.
///
/// # Errors
///
/// Quotes or substitutions that don't end.
pub fn arithmetic(text: &[u8], options: Options, line: u32) -> Result<Word, Box<SyntaxError>> {
    let mut reader = reader(text, options, line);
    let mut parts = Vec::new();
    loop {
        reader.quoted_parts(&mut parts, QuotedEnds::Arithmetic)?;
        if reader.cursor.raw().is_none() {
            return Ok(Word { parts });
        }
        super::quote::push_quoted(&mut parts, b")");
        reader.cursor.position += 1;
    }
}

/// Parses `text` as one word in which blanks and operators stand for themselves, as the operand of
/// `${x-…}`: quotes and expansions act.
///
/// # Errors
///
/// Quotes or substitutions that don't end.
pub fn word(text: &[u8], options: Options, line: u32) -> Result<Word, Box<SyntaxError>> {
    let mut reader = reader(text, options, line);
    let mut parts = Vec::new();
    loop {
        reader.word_parts(&mut parts, Ends::Operand)?;
        if reader.cursor.raw().is_none() {
            return Ok(Word { parts });
        }
        super::word::push_literal(&mut parts, b"}");
        reader.cursor.position += 1;
    }
}

/// Parses `( … )`, the text of a compound value, as for `declare -a 'a=(1 2)'`; none where `text`
/// is no such thing.
///
/// # Errors
///
/// Parentheses with something in them that is no list of words.
pub fn compound_value(
    text: &[u8],
    options: Options,
    line: u32,
) -> Result<Option<Vec<ArrayElement>>, Box<SyntaxError>> {
    if !text.starts_with(b"(") || !text.ends_with(b")") {
        return Ok(None);
    }
    reader(text, options, line).compound_value().map(Some)
}

/// The text of a word that has neither quotes nor expansions.
pub fn literal(word: &Word) -> Option<&[u8]> {
    match word.parts.as_slice() {
        [] => Some(b""),
        [Part::Literal(text)] => Some(text),
        _ => None,
    }
}

fn reader(text: &[u8], options: Options, line: u32) -> Reader<'static> {
    const NONE: Option<AliasLookup<'static>> = None;
    Reader::new(Cursor::new(text.to_vec(), line), options, NONE)
}
