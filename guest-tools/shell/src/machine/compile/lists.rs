//! Which parts of a word are lists, and what that changes about the text around them.

use crate::syntax::tree::{Operator, Parameter, Part, Reference, Subscript, Word};

/// Whether bash leaves a character of an operand between double quotes without quotes: it may begin
/// something, or a backslash stays before it.
pub(super) fn divides(text: &[u8], at: usize) -> bool {
    matches!(text[at], b':' | b'=' | b'[' | b'~') || at > 0 && text[at - 1] == b'\\'
}

/// Whether a list may divide a text between double quotes, or that of a here-document.
pub(super) fn may_divide(parts: &[Part], document: bool) -> bool {
    fn has_list(part: &Part) -> bool {
        match part {
            Part::DoubleQuoted(parts) => parts.iter().any(has_list),
            Part::Parameter(parameter) => {
                let word = operand(parameter);
                is_list(parameter) || word.is_some_and(|word| word.parts.iter().any(has_list))
            }
            _ => false,
        }
    }
    let listed = |part: &Part| matches!(part, Part::Parameter(parameter) if operand(parameter).is_some_and(|word| word.parts.iter().any(has_list)));
    let divides = |part: &Part| listed(part) || joins(part, document);
    parts.iter().any(has_list) && (has_dividers(parts, false) || parts.iter().any(divides))
}

/// Whether a part is made of the items of a `*`, or an operand in it; with `plain`, also `$*` itself.
fn joins(part: &Part, plain: bool) -> bool {
    let joins = |part: &Part| joins(part, plain);
    let Part::Parameter(parameter) = part else {
        return matches!(part, Part::DoubleQuoted(parts) if parts.iter().any(joins));
    };
    let star = match &parameter.reference {
        Reference::Special(name) => *name == b'*',
        Reference::Variable { subscript, .. } => {
            matches!(subscript, Some(Subscript::Joined))
                || matches!(parameter.operator, Operator::Names { joined: true })
        }
        _ => false,
    };
    match operand(parameter) {
        Some(word) => plain && star || word.parts.iter().any(joins),
        None if matches!(parameter.operator, Operator::Value) => plain && star,
        None => star && !matches!(parameter.operator, Operator::Length),
    }
}

fn has_dividers(parts: &[Part], inner: bool) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(text) | Part::Quoted(text) => {
            inner && (0..text.len()).any(|at| divides(text, at))
        }
        Part::DoubleQuoted(parts) => has_dividers(parts, inner),
        Part::Parameter(parameter) => {
            operand(parameter).is_some_and(|word| has_dividers(&word.parts, true))
        }
        _ => false,
    })
}

/// Whether quoted parts alone keep an empty word: not where `"$@"` decides.
pub(super) fn has_list(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Parameter(parameter) => is_list(parameter),
        _ => false,
    })
}

/// Whether an expansion may stand for any number of fields between double quotes.
pub(super) fn is_list(parameter: &Parameter) -> bool {
    match &parameter.reference {
        Reference::Special(b'@')
        | Reference::Variable {
            subscript: Some(Subscript::All),
            ..
        } => !matches!(parameter.operator, Operator::Length),
        Reference::Variable { .. } => {
            parameter.indirect || matches!(parameter.operator, Operator::Names { joined: false })
        }
        _ => parameter.indirect,
    }
}

/// Whether a part divides a word that becomes one string: `$@` and its kin.
pub(super) fn is_divisible(part: &Part) -> bool {
    matches!(part, Part::Parameter(parameter)
        if is_list(parameter) && !parameter.indirect && operand(parameter).is_none())
}

/// Whether an operand or a reference in a part may stand for a list that divides the word.
pub(super) fn may_list(part: &Part) -> bool {
    match part {
        Part::DoubleQuoted(parts) => parts.iter().any(may_list),
        Part::Parameter(parameter) => match &parameter.operator {
            Operator::Default { word, .. }
            | Operator::Alternative { word, .. }
            | Operator::Assign { word, .. } => {
                let inner = |part: &Part| is_divisible(part) || may_list(part);
                is_list(parameter) || spreads(&word.parts) || word.parts.iter().any(inner)
            }
            _ => parameter.indirect,
        },
        _ => false,
    }
}

/// A pattern within double quotes, where the items of lists count as quoted as well.
pub(super) fn with_quoted_lists(pattern: &Word) -> Word {
    let is_list = |part: &Part| {
        matches!(part, Part::Parameter(parameter) if matches!(parameter.operator, Operator::Value)
        && match &parameter.reference {
            Reference::Special(name) => *name == b'@',
            Reference::Variable { subscript, .. } => matches!(
                subscript,
                Some(Subscript::All | Subscript::Joined)
            ),
            _ => false,
        })
    };
    let quoted = |part: &Part| match is_list(part) {
        true => Part::DoubleQuoted(vec![part.clone()]),
        false => part.clone(),
    };
    Word {
        parts: pattern.parts.iter().map(quoted).collect(),
    }
}

/// The word of `${x-word}` and `${x+word}`, which becomes part of the word around it.
pub(super) fn operand(parameter: &Parameter) -> Option<&Word> {
    match &parameter.operator {
        Operator::Default { word, .. } | Operator::Alternative { word, .. } => Some(word),
        _ => None,
    }
}

/// Whether there is `$@` or its kin between double quotes, or in an operand there. A list that an
/// operand stands for is none.
pub(super) fn spreads(parts: &[Part]) -> bool {
    // What `${!x}` stands for is mostly none.
    let named = |parameter: &Parameter| !parameter.indirect && is_list(parameter);
    parts.iter().any(|part| match part {
        Part::DoubleQuoted(parts) => spreads(parts),
        Part::Parameter(parameter) => match operand(parameter) {
            Some(word) => spreads(&word.parts),
            None => named(parameter),
        },
        _ => false,
    })
}
