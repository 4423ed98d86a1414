//! `${x#p}`, `${x/p/r}` and their kin: what patterns take away or replace.

use std::borrow::Cow;

use crate::machine::code::Action;
use crate::machine::run::{Run, Trouble};
use crate::pattern::Pattern;
use crate::syntax::tree::ReplaceAnchor;
use crate::text::Text;

/// The pattern of `${x/p/r}`, which may begin with its anchor only when it is expanded.
pub(super) fn anchored(anchor: ReplaceAnchor, pattern: &Text) -> (ReplaceAnchor, Cow<'_, Text>) {
    let anchor = match (anchor, pattern.first()) {
        (ReplaceAnchor::First, Some(b'#')) => ReplaceAnchor::Prefix,
        (ReplaceAnchor::First, Some(b'%')) => ReplaceAnchor::Suffix,
        _ => return (anchor, Cow::Borrowed(pattern)),
    };
    (anchor, Cow::Owned(Text::from(&pattern[1..])))
}

pub(super) fn apply(
    action: Action,
    text: &Text,
    pattern: Option<&Pattern>,
    operands: &[Text],
    limit: usize,
    patsub: bool,
) -> Run<Text> {
    Ok(match (action, pattern) {
        (Action::RemovePrefix { longest }, Some(pattern)) => match pattern.prefix(text, longest) {
            Some(end) if end > 0 => Text::from(&text[end..]),
            _ => text.clone(),
        },
        (Action::RemoveSuffix { longest }, Some(pattern)) => match pattern.suffix(text, longest) {
            Some(start) if start < text.len() => Text::from(&text[..start]),
            _ => text.clone(),
        },
        (Action::Replace { anchor }, Some(pattern)) => {
            let empty = Text::new();
            let replacement = operands.get(1).unwrap_or(&empty);
            let literal;
            let replacement = if patsub {
                replacement
            } else {
                literal = without_matches(replacement);
                &literal
            };
            replaced(text, pattern, anchor, replacement, limit)?
        }
        (Action::Case { change, all, .. }, pattern) => {
            let wanted =
                |character: &[u8]| pattern.is_none_or(|pattern| pattern.matches(character));
            Text::from(crate::format::case::convert(text, change, all, wanted))
        }
        _ => text.clone(),
    })
}

/// Whether a pattern ends with a backslash that quotes nothing.
pub(super) fn escapes_next(pattern: &[u8]) -> bool {
    let trailing = pattern.iter().rev().take_while(|&&byte| byte == b'\\');
    trailing.count() % 2 == 1
}

/// Whether nothing but `?` stands between a `*`, or the beginning, and the backslash at the end.
pub(super) fn is_after_star(pattern: &[u8]) -> bool {
    let mut before = pattern.iter().rev().skip(1);
    matches!(before.find(|&&byte| byte != b'?'), None | Some(b'*'))
}

/// A replacement in which an unquoted `&` stands for itself.
fn without_matches(replacement: &[u8]) -> Text {
    let mut text = Text::with_capacity(replacement.len());
    let mut bytes = replacement.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte == b'&' {
            text.push(b'\\');
        }
        text.push(byte);
        if byte == b'\\' {
            bytes.next().into_iter().for_each(|byte| text.push(byte));
        }
    }
    text
}

fn replaced(
    text: &Text,
    pattern: &Pattern,
    anchor: ReplaceAnchor,
    replacement: &Text,
    limit: usize,
) -> Run<Text> {
    let ranges = pattern.replacements(text, anchor);
    if ranges.is_empty() {
        return Ok(text.clone());
    }
    let plain = !replacement.iter().any(|byte| matches!(byte, b'&' | b'\\'));
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        result.extend_from_slice(&text[at..range.start]);
        if plain {
            result.extend_from_slice(replacement);
        } else {
            push_replacement(&mut result, replacement, &text[range.clone()]);
        }
        if result.len() > limit {
            return Err(Trouble::Exceeded(crate::machine::Limit::Expansion));
        }
        at = range.end;
    }
    result.extend_from_slice(&text[at..]);
    Ok(Text::from(result))
}

/// A `&` that is not quoted stands for the match.
fn push_replacement(result: &mut Vec<u8>, replacement: &[u8], matched: &[u8]) {
    let mut bytes = replacement.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' if matches!(bytes.peek(), Some(b'&' | b'\\')) => result.extend(bytes.next()),
            b'&' => result.extend_from_slice(matched),
            byte => result.push(byte),
        }
    }
}
