//! Words whose braces are seen only in their text: bash looks for braces before it knows what is an
//! expansion, and takes the quotes within `"${x-"…"}"` one after the other.

use super::super::cursor::Cursor;
use super::super::parser::Options;
use super::super::reader::Reader;
use super::super::substitution::Quoting;
use super::super::tree::{Operator, Parameter, Part, Reference, Subscript, Word};
use super::Token;

/// Whether the text of a word may have other braces than its parts.
pub(super) fn decides(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Escaped(_) => false,
        Part::DoubleQuoted(parts) => parts.iter().any(|part| differs(part, true)),
        Part::ExtendedPattern { .. } => true,
        part => differs(part, false),
    })
}

/// The same for a part within an expansion or between double quotes.
fn differs(part: &Part, quoted: bool) -> bool {
    match part {
        Part::Parameter(parameter) => parameter_differs(parameter, quoted),
        Part::Command(substitution) => {
            let backquotes = substitution.source.as_ref().filter(|_| quoted);
            backquotes.is_some_and(|source| source.contains(&b'"'))
        }
        Part::Arithmetic { brackets, .. } => *brackets,
        _ => false,
    }
}

fn parameter_differs(parameter: &Parameter, quoted: bool) -> bool {
    let subscript = match &parameter.reference {
        Reference::Variable {
            subscript: Some(Subscript::Index(word)),
            ..
        } => Some(word),
        _ => None,
    };
    let [first, second] = match &parameter.operator {
        Operator::Bad => return true,
        Operator::Default { word, .. }
        | Operator::Assign { word, .. }
        | Operator::Error { word, .. }
        | Operator::Alternative { word, .. } => [Some(word), None],
        Operator::Slice { offset, length } => [Some(offset), length.as_ref()],
        Operator::RemovePrefix { pattern, .. } | Operator::RemoveSuffix { pattern, .. } => {
            [Some(pattern), None]
        }
        Operator::Replace {
            pattern,
            replacement,
            ..
        } => [Some(pattern), replacement.as_ref()],
        Operator::Case { pattern, .. } => [pattern.as_ref(), None],
        _ => [None, None],
    };
    let words = [subscript, first, second];
    words.into_iter().flatten().any(|word| hides(word, quoted))
}

/// Whether a word within an expansion has quotes or braces that the text shows otherwise.
fn hides(word: &Word, quoted: bool) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Literal(text) => text.contains(&b'{'),
        Part::Quoted(text) => quoted && text.iter().any(|byte| matches!(byte, b'{' | b'"')),
        Part::Escaped(_) => false,
        Part::DoubleQuoted(parts) => quoted || parts.iter().any(|part| differs(part, true)),
        Part::ExtendedPattern { alternatives, .. } => {
            alternatives.iter().any(|word| hides(word, quoted))
        }
        part => differs(part, quoted),
    })
}

/// The text as tokens: what is quoted or part of a command divides nothing.
pub(super) fn tokens(text: &[u8]) -> Vec<Token<'static>> {
    let mut tokens = Vec::with_capacity(text.len());
    let mut reader = None;
    let mut quote = None;
    while let Some(&byte) = text.get(tokens.len()) {
        let at = tokens.len();
        let next = text.get(at + 1);
        let inert = match (quote, byte) {
            (None | Some(b'"' | b'`'), b'\\') => 2,
            (None, b'$') if next == Some(&b'{') => {
                tokens.extend([Token::Plain(b'$'), Token::Open]);
                continue;
            }
            (Some(quote), b'$') if quote != b'\'' && next == Some(&b'{') => 2,
            (None | Some(b'"'), b'$') if next == Some(&b'(') => {
                command_length(text, at, &mut reader)
            }
            (None, b'<' | b'>') if next == Some(&b'(') => command_length(text, at, &mut reader),
            (Some(open), _) => {
                quote = quote.filter(|_| byte != open);
                1
            }
            (None, b'"' | b'\'' | b'`') => {
                quote = Some(byte);
                1
            }
            _ => {
                tokens.push(Token::Byte(byte));
                continue;
            }
        };
        tokens.extend(
            text[at..]
                .iter()
                .take(inert)
                .map(|&byte| Token::Plain(byte)),
        );
    }
    tokens
}

/// How long the command is that begins at `at`.
fn command_length(text: &[u8], at: usize, reader: &mut Option<Reader<'static>>) -> usize {
    let reader = reader.get_or_insert_with(|| {
        Reader::new(Cursor::new(text.to_vec(), 1), Options::default(), None)
    });
    reader.cursor.position = at;
    let mut parts = Vec::new();
    let read = match text[at] {
        b'$' => reader.dollar(&mut parts, Quoting::None),
        _ => reader.process_substitution(&mut parts),
    };
    match read {
        Ok(()) => reader.cursor.position - at,
        Err(_) => text.len() - at,
    }
}
