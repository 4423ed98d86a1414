//! The pattern space as text: what `s` makes of it, and how `l` shows it.

use crate::pattern::{Groups, Pattern, character_length};
use crate::sed::script::{Case, Part, Substitution};

/// A text without the end of its last line.
pub(super) fn strip_end(mut text: Vec<u8>, end: u8) -> Vec<u8> {
    if text.last() == Some(&end) {
        text.pop();
    }
    text
}

/// The text with the matches replaced; none where nothing was. Matches are looked for from left to right and do not
/// overlap; an empty one right behind another is none, and after an empty one the search goes on behind the next
/// character.
///
/// ```text
/// s/b*/x/g     abc     xaxcx
/// s/a/x/2      aaa     axa
/// ```
pub fn replace(pattern: &Pattern, substitution: &Substitution, text: &[u8]) -> Option<Vec<u8>> {
    let find = |at: usize| -> Option<Groups> {
        if substitution.groups {
            pattern.groups_at(text, at)
        } else {
            pattern.find_at(text, at).map(|span| vec![Some(span)])
        }
    };
    let mut out: Option<Vec<u8>> = None;
    let (mut at, mut copied, mut seen) = (0, 0, 0);
    let mut last_end = None;
    while at <= text.len() {
        let Some(groups) = find(at) else { break };
        let Some((from, to)) = groups[0] else { break };
        let step = |at: usize| {
            at + text
                .get(at..)
                .map_or(1, |rest| character_length(rest).max(1))
        };
        // An empty match right after a match is none.
        if from == to && last_end == Some(from) {
            at = step(from);
            continue;
        }
        seen += 1;
        if seen >= substitution.number {
            let out = out.get_or_insert_with(|| Vec::with_capacity(text.len() + 32));
            out.extend_from_slice(&text[copied..from]);
            insert(&substitution.replacement, text, &groups, out);
            copied = to;
            if !substitution.all {
                break;
            }
        }
        last_end = Some(to);
        at = if to > from { to } else { step(from) };
    }
    let mut out = out?;
    out.extend_from_slice(&text[copied..]);
    Some(out)
}

/// Appends a replacement, with its groups and changes of case. A group that took no part in the match is empty.
fn insert(parts: &[Part], text: &[u8], groups: &Groups, out: &mut Vec<u8>) {
    let (mut all, mut next) = (None, None);
    for part in parts {
        let piece = match part {
            Part::Literal(literal) => literal.as_slice(),
            Part::Group(number) => match groups.get(*number).copied().flatten() {
                Some((from, to)) => &text[from..to],
                None => continue,
            },
            Part::Case(case @ (Case::Upper | Case::Lower)) => {
                (all, next) = (Some(*case), None);
                continue;
            }
            Part::Case(Case::End) => {
                (all, next) = (None, None);
                continue;
            }
            Part::Case(case) => {
                next = Some(*case);
                continue;
            }
        };
        if all.is_none() && next.is_none() {
            out.extend_from_slice(piece);
        } else if !piece.is_empty() {
            convert(piece, all, next.take(), out);
        }
    }
}

/// Appends a piece in another case: its first character in `next`, if that is given, the others in `all`.
fn convert(piece: &[u8], all: Option<Case>, next: Option<Case>, out: &mut Vec<u8>) {
    let mut first = next;
    for chunk in piece.utf8_chunks() {
        for character in chunk.valid().chars() {
            let case = first.take().or(all);
            let mut buffer = [0; 4];
            let mut push = |character: char| {
                out.extend_from_slice(character.encode_utf8(&mut buffer).as_bytes());
            };
            match case {
                Some(Case::Upper | Case::UpperNext) => character.to_uppercase().for_each(&mut push),
                Some(_) => character.to_lowercase().for_each(&mut push),
                None => push(character),
            }
        }
        out.extend_from_slice(chunk.invalid());
    }
}

/// The text as `l` shows it: escapes and octal numbers for what is no printable ASCII, `$` at the end, and a `\`
/// where a line of `width` columns is broken. An escape is not broken; 0 and 1 never break.
pub(super) fn list(text: &[u8], width: usize) -> Vec<u8> {
    let mut out = Vec::new();
    let mut column = 0;
    for &byte in text {
        let piece = match byte {
            b'\\' => b"\\\\".to_vec(),
            7 => b"\\a".to_vec(),
            8 => b"\\b".to_vec(),
            9 => b"\\t".to_vec(),
            10 => b"\\n".to_vec(),
            11 => b"\\v".to_vec(),
            12 => b"\\f".to_vec(),
            13 => b"\\r".to_vec(),
            32..=126 => vec![byte],
            _ => format!("\\{byte:03o}").into_bytes(),
        };
        if width > 0 && column + piece.len() > width - 1 {
            out.extend_from_slice(b"\\\n");
            column = 0;
        }
        column += piece.len();
        out.extend_from_slice(&piece);
    }
    out.extend_from_slice(b"$\n");
    out
}
