//! Words, with their quotes.

use super::super::tree::{
    Assignment, AssignmentValue, CaseChange, Operator, Parameter, Part, Reference, ReplaceAnchor,
    Subscript, Substitution, Word,
};

/// Puts a word.
pub(super) fn put_word(out: &mut Vec<u8>, word: &Word) {
    put_parts(out, &word.parts);
}

/// Puts `for name in words`.
pub(super) fn put_word_list(
    out: &mut Vec<u8>,
    keyword: &[u8],
    name: &[u8],
    words: Option<&[Word]>,
) {
    out.extend_from_slice(keyword);
    out.extend_from_slice(name);
    out.extend_from_slice(b" in ");
    let Some(words) = words else {
        return out.extend_from_slice(b"\"$@\"");
    };
    for (index, word) in words.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        put_word(out, word);
    }
}

fn put_parts(out: &mut Vec<u8>, parts: &[Part]) {
    for part in parts {
        put_part(out, part, true);
    }
}

/// Puts what stands between double quotes or is read as if it did.
fn put_inner(out: &mut Vec<u8>, parts: &[Part]) {
    for part in parts {
        put_part(out, part, false);
    }
}

/// Puts text that is read as between double quotes: a here-document, an arithmetic expression.
pub(super) fn put_document(out: &mut Vec<u8>, word: &Word) {
    put_inner(out, &word.parts);
}

/// Puts one part; `Quoted` text has quotes where it is `quotable`.
pub(super) fn put_part(out: &mut Vec<u8>, part: &Part, quotable: bool) {
    match part {
        Part::Literal(text) => out.extend_from_slice(text),
        Part::Quoted(text) if quotable => put_single_quoted(out, text),
        Part::Quoted(text) => out.extend_from_slice(text),
        Part::Escaped(byte) => out.extend_from_slice(&[b'\\', *byte]),
        Part::DoubleQuoted(parts) => {
            out.push(b'"');
            put_inner(out, parts);
            out.push(b'"');
        }
        Part::Parameter(parameter) if parameter.bare => {
            out.push(b'$');
            put_parameter(out, parameter);
        }
        Part::Parameter(parameter) => {
            out.extend_from_slice(b"${");
            put_parameter_in(out, parameter, quotable);
            out.push(b'}');
        }
        Part::Command(substitution) => put_substitution(out, b"$(", substitution),
        Part::Arithmetic {
            expression,
            brackets,
        } => {
            out.extend_from_slice(if *brackets { b"$[" } else { b"$((" });
            put_inner(out, &expression.parts);
            out.extend_from_slice(if *brackets { b"]" } else { b"))" });
        }
        Part::Process { output, body } => {
            put_substitution(out, if *output { b">(" } else { b"<(" }, body);
        }
        Part::ExtendedPattern {
            operator,
            alternatives,
        } => {
            out.extend_from_slice(&[*operator, b'(']);
            for (index, alternative) in alternatives.iter().enumerate() {
                if index > 0 {
                    out.push(b'|');
                }
                put_parts(out, &alternative.parts);
            }
            out.push(b')');
        }
        Part::Unclosed { source, .. } => out.extend_from_slice(source),
    }
}

/// Puts `'…'`; quotes within are put as `'\''`.
pub(super) fn put_single_quoted(out: &mut Vec<u8>, text: &[u8]) {
    out.push(b'\'');
    for &byte in text {
        match byte {
            b'\'' => out.extend_from_slice(b"'\\''"),
            byte => out.push(byte),
        }
    }
    out.push(b'\'');
}

fn put_substitution(out: &mut Vec<u8>, open: &[u8], substitution: &Substitution) {
    if let Some(source) = &substitution.source {
        out.extend_from_slice(source);
        return;
    }
    out.extend_from_slice(open);
    let text = super::list_for(&substitution.body, substitution.posix);
    if text.starts_with(b"(") {
        out.push(b' ');
    }
    out.extend_from_slice(&text);
    if super::ends_bare(&substitution.body) {
        out.push(b';');
    }
    out.push(b')');
}

/// Puts an assignment.
pub(super) fn put_assignment(out: &mut Vec<u8>, assignment: &Assignment) {
    out.extend_from_slice(&assignment.name);
    if let Some(subscript) = &assignment.subscript {
        put_subscript(out, subscript);
    }
    out.extend_from_slice(if assignment.append { b"+=" } else { b"=" });
    let elements = match &assignment.value {
        AssignmentValue::Scalar(word) => return put_word(out, word),
        AssignmentValue::Array(elements) => elements,
    };
    out.push(b'(');
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            out.push(b' ');
        }
        if let Some(subscript) = &element.subscript {
            put_subscript(out, subscript);
            out.extend_from_slice(if element.append { b"+=" } else { b"=" });
        }
        put_word(out, &element.value);
    }
    out.push(b')');
}

fn put_subscript(out: &mut Vec<u8>, subscript: &Word) {
    out.push(b'[');
    put_word(out, subscript);
    out.push(b']');
}

/// Puts what stands between `${` and `}`.
pub(super) fn put_parameter(out: &mut Vec<u8>, parameter: &Parameter) {
    put_parameter_in(out, parameter, true);
}

fn put_parameter_in(out: &mut Vec<u8>, parameter: &Parameter, quotable: bool) {
    if parameter.operator == Operator::Bad {
        out.extend_from_slice(&parameter.source);
        return;
    }
    put_name(out, parameter);
    put_operator(out, &parameter.operator, quotable);
}

/// Puts what an expansion is of, with what stands before it.
pub(super) fn put_name(out: &mut Vec<u8>, parameter: &Parameter) {
    match &parameter.operator {
        Operator::Length => out.push(b'#'),
        Operator::Names { .. } | Operator::Keys => out.push(b'!'),
        _ if parameter.indirect => out.push(b'!'),
        _ => {}
    }
    put_reference(out, &parameter.reference);
}

fn put_reference(out: &mut Vec<u8>, reference: &Reference) {
    match reference {
        Reference::Variable { name, subscript } => {
            out.extend_from_slice(name);
            match subscript {
                None => {}
                Some(Subscript::All) => out.extend_from_slice(b"[@]"),
                Some(Subscript::Joined) => out.extend_from_slice(b"[*]"),
                Some(Subscript::Index(word)) => put_subscript(out, word),
            }
        }
        Reference::Positional(number) => out.extend_from_slice(number.to_string().as_bytes()),
        Reference::Special(byte) => out.push(*byte),
        Reference::Bad => {}
    }
}

fn put_operator(out: &mut Vec<u8>, operator: &Operator, quotable: bool) {
    match operator {
        Operator::Value | Operator::Length | Operator::Keys | Operator::Bad => {}
        Operator::Names { joined } => out.push(if *joined { b'*' } else { b'@' }),
        Operator::Default { colon, word } => put_operand(out, *colon, b'-', word, quotable),
        Operator::Assign { colon, word } => put_operand(out, *colon, b'=', word, quotable),
        Operator::Error { colon, word } => put_operand(out, *colon, b'?', word, true),
        Operator::Alternative { colon, word } => put_operand(out, *colon, b'+', word, quotable),
        Operator::Slice { offset, length } => {
            out.push(b':');
            put_inner(out, &offset.parts);
            if let Some(length) = length {
                out.push(b':');
                put_inner(out, &length.parts);
            }
        }
        Operator::RemovePrefix { longest, pattern } => {
            out.extend_from_slice(if *longest { b"##" } else { b"#" });
            put_word(out, pattern);
        }
        Operator::RemoveSuffix { longest, pattern } => {
            out.extend_from_slice(if *longest { b"%%" } else { b"%" });
            put_word(out, pattern);
        }
        Operator::Replace {
            anchor,
            pattern,
            replacement,
        } => {
            out.extend_from_slice(match anchor {
                ReplaceAnchor::First => b"/",
                ReplaceAnchor::All => b"//",
                ReplaceAnchor::Prefix => b"/#",
                ReplaceAnchor::Suffix => b"/%",
            });
            put_word(out, pattern);
            if let Some(replacement) = replacement {
                out.push(b'/');
                put_word(out, replacement);
            }
        }
        Operator::Case {
            change,
            all,
            pattern,
        } => {
            let byte = match change {
                CaseChange::Upper => b'^',
                CaseChange::Lower => b',',
                CaseChange::Toggle => b'~',
            };
            out.push(byte);
            if *all {
                out.push(byte);
            }
            if let Some(pattern) = pattern {
                put_word(out, pattern);
            }
        }
        Operator::Transform(letter) => out.extend_from_slice(&[b'@', *letter]),
    }
}

/// Puts the operand of `${x-…}`; between double quotes its plain text is `Quoted` too.
fn put_operand(out: &mut Vec<u8>, colon: bool, byte: u8, word: &Word, quotable: bool) {
    if colon {
        out.push(b':');
    }
    out.push(byte);
    for part in &word.parts {
        put_part(out, part, quotable);
    }
}
