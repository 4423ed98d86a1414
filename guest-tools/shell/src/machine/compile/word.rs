//! Words.

use super::Compiler;
use super::expression::braced_variable;
use super::lists::{divides, has_list, may_divide, spreads};
use crate::machine::code::{Form, Op, Use};
use crate::syntax::tree::{Operator, Parameter, Part, Reference, Word};
use crate::syntax::{brace, print};
use crate::text::Text;

/// Where a part stands.
#[derive(Debug, Clone, Copy)]
pub(super) struct Place {
    /// Between double quotes.
    pub quoted: bool,
    /// Text of the script is split like the result of an expansion: it stands inside one.
    pub inner: bool,
    /// It is the value of an assignment: there `~` means something after a `:` too.
    pub value: bool,
    /// What the word becomes.
    pub form: Form,
    /// Whether the result stays whole, for the substitutions in it; none where what is around them says.
    pub unsplit: Option<bool>,
    /// Between double quotes with dividers.
    pub divided: bool,
    /// In an operand that stands between double quotes.
    pub quoted_operand: bool,
}

impl Place {
    pub(super) const fn new(form: Form) -> Place {
        Place {
            quoted: false,
            inner: false,
            value: false,
            form,
            unsplit: match form {
                Form::Fields | Form::Document | Form::Argument => None,
                _ => Some(true),
            },
            divided: false,
            quoted_operand: false,
        }
    }

    /// The value of an assignment.
    pub(super) const fn value() -> Place {
        Place {
            value: true,
            ..Place::new(Form::Value)
        }
    }
}

/// The text of a word that needs no expansion at all.
pub fn constant(word: &Word) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for (index, part) in word.parts.iter().enumerate() {
        match part {
            Part::Literal(literal) if plain(literal, index == 0) => text.extend_from_slice(literal),
            Part::Quoted(quoted) => text.extend_from_slice(quoted),
            Part::Escaped(byte) => text.push(*byte),
            Part::DoubleQuoted(parts) => text.extend_from_slice(&quoted_constant(parts)?),
            _ => return None,
        }
    }
    Some(text)
}

pub(super) fn quoted_constant(parts: &[Part]) -> Option<Vec<u8>> {
    let mut text = Vec::new();
    for part in parts {
        match part {
            Part::Quoted(quoted) | Part::Literal(quoted) => text.extend_from_slice(quoted),
            Part::Escaped(byte) => text.push(*byte),
            _ => return None,
        }
    }
    Some(text)
}

/// Whether nothing is left of a word, not even quotes: no field comes of it.
fn is_blank(word: &Word) -> bool {
    let blank = |part: &Part| matches!(part, Part::Literal(text) if text.is_empty());
    word.parts.iter().all(blank)
}

/// Whether a word may stand for paths.
fn names_paths(word: &Word) -> bool {
    word.parts.iter().any(|part| match part {
        Part::Literal(text) => text.iter().any(|&byte| is_glob(byte)),
        Part::Quoted(_) | Part::Escaped(_) | Part::DoubleQuoted(_) => false,
        _ => true,
    })
}

/// Whether it matters that a word is expanded as an index and no key: it has quotes that would stay,
/// or expansions within brackets.
pub(super) fn quotes_index(parts: &[Part]) -> bool {
    let mut brackets = false;
    parts.iter().any(|part| match part {
        Part::Literal(text) => {
            brackets |= text.contains(&b'[');
            false
        }
        Part::Quoted(_) | Part::Escaped(_) => true,
        _ => brackets,
    })
}

/// Whether the expansion of a word runs commands.
fn runs(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Command(_) | Part::Process { .. } => true,
        Part::DoubleQuoted(parts) => runs(parts),
        Part::Arithmetic { expression, .. } => runs(&expression.parts),
        Part::Parameter(parameter) => parameter.words().any(|word| runs(&word.parts)),
        _ => false,
    })
}

/// What is said of braces that are not expanded.
fn message(error: brace::BraceError) -> &'static str {
    match error {
        brace::BraceError::TooDeep => "nested deeper than 200 levels",
        _ => "too many braces without a partner",
    }
}

pub(super) fn plain(literal: &[u8], first: bool) -> bool {
    let tilde = first && literal.first() == Some(&b'~');
    !tilde && !literal.iter().any(|byte| is_glob(*byte))
}

fn is_glob(byte: u8) -> bool {
    matches!(byte, b'*' | b'?' | b'[' | b'\\')
}

impl Compiler<'_> {
    /// Words that become fields; elements of an array are no assignments, whatever they look like.
    pub(super) fn elements(&mut self, words: &[Word]) {
        let posix = std::mem::replace(&mut self.settings.posix, true);
        self.words(words);
        self.settings.posix = posix;
    }

    /// Words that become fields.
    pub(super) fn words(&mut self, words: &[Word]) {
        let late = words.iter().rposition(|word| runs(&word.parts));
        if words[..late.unwrap_or(0)].iter().any(names_paths) {
            return self.words_together(words);
        }
        let mut constants: Vec<Text> = Vec::new();
        for word in words {
            let expansion = if self.settings.braces {
                brace::expand(word, self.line)
            } else {
                Ok(None)
            };
            match expansion {
                Ok(None) => self.word_or_constant(word, &mut constants),
                Ok(Some(expansion)) if expansion.count() <= self.settings.brace_limit as u64 => {
                    for word in expansion.words().filter(|word| !is_blank(word)) {
                        self.word_or_constant(&word, &mut constants);
                    }
                }
                Ok(Some(_)) => self.too_large(&mut constants, "too many words"),
                Err(error) => self.too_large(&mut constants, message(error)),
            }
        }
        self.constants(&mut constants);
    }

    fn too_large(&mut self, constants: &mut Vec<Text>, message: &str) {
        self.constants(constants);
        let text = self.text(format!("brace expansion: {message}").as_bytes());
        self.emit(Op::TooLarge(text));
    }

    /// Words that become fields, where a command in one of them may change what a pattern in another
    /// one matches: paths are looked for when all are expanded.
    fn words_together(&mut self, words: &[Word]) {
        self.emit(Op::Begin(Form::Fields));
        for word in words {
            let expansion = match self.settings.braces {
                true => brace::expand(word, self.line),
                false => Ok(None),
            };
            match expansion {
                Ok(None) => self.field_of_several(word),
                Ok(Some(expansion)) if expansion.count() <= self.settings.brace_limit as u64 => {
                    for word in expansion.words() {
                        self.field_of_several(&word);
                    }
                }
                Ok(Some(_)) => self.too_large(&mut Vec::new(), "too many words"),
                Err(error) => self.too_large(&mut Vec::new(), message(error)),
            }
        }
        self.emit(Op::EndFields);
    }

    fn field_of_several(&mut self, word: &Word) {
        self.word_parts(word, Place::new(Form::Fields));
        self.emit(Op::EndField);
    }

    /// Whether braces make more of a word.
    pub(super) fn has_braces(&self, word: &Word) -> bool {
        self.settings.braces && !matches!(brace::expand(word, self.line), Ok(None))
    }

    fn word_or_constant(&mut self, word: &Word, constants: &mut Vec<Text>) {
        match constant(word).filter(|_| self.assigned_value(word).is_none()) {
            Some(text) => constants.push(Text::from(text)),
            None => {
                self.constants(constants);
                self.field(word);
            }
        }
    }

    fn constants(&mut self, constants: &mut Vec<Text>) {
        if !constants.is_empty() {
            self.code.words.push(std::mem::take(constants).into());
            let index = (self.code.words.len() - 1) as u32;
            self.emit(Op::Words(index));
        }
    }

    /// A word that becomes fields.
    fn field(&mut self, word: &Word) {
        if let [part] = word.parts.as_slice() {
            if let Some((name, braced)) = braced_variable(part) {
                let symbol = self.variable(name);
                return self.emit(Op::WordVariable(symbol, braced));
            }
            if let Part::DoubleQuoted(parts) = part
                && let [inner] = parts.as_slice()
                && let Some((name, braced)) = braced_variable(inner)
            {
                let symbol = self.variable(name);
                return self.emit(Op::WordQuoted(symbol, braced));
            }
        }
        self.emit(Op::Begin(Form::Fields));
        self.word_parts(word, Place::new(Form::Fields));
        self.emit(Op::EndFields);
    }

    /// The parts of a word; one that looks like an assignment has tildes in its value.
    pub(super) fn word_parts(&mut self, word: &Word, place: Place) {
        match (self.assigned_value(word), word.parts.split_first()) {
            (Some(value), Some((Part::Literal(text), rest))) => {
                self.literal(&text[..value], place);
                let last = rest.is_empty();
                self.literal_with_tilde(&text[value..], place, true, last, true);
                for (index, part) in rest.iter().enumerate() {
                    match part {
                        Part::Literal(text) => {
                            let last = index + 1 == rest.len();
                            self.literal_with_tilde(text, place, false, last, true);
                        }
                        part => self.part(part, place),
                    }
                }
            }
            _ => self.parts_with_tilde(&word.parts, place, false),
        }
    }

    pub(super) fn parts(&mut self, parts: &[Part], place: Place) {
        let outer = self.note_bad(parts, place.quoted);
        for part in parts {
            self.part(part, place);
        }
        self.bad = outer;
    }

    /// Parts with tilde expansion at the start, and in an assignment after every `:`.
    pub(super) fn parts_with_tilde(&mut self, parts: &[Part], place: Place, assignment: bool) {
        let outer = self.note_bad(parts, place.quoted);
        for (index, part) in parts.iter().enumerate() {
            match part {
                Part::Literal(text) if !place.quoted => {
                    let last = index + 1 == parts.len();
                    self.literal_with_tilde(text, place, index == 0, last, assignment);
                }
                part => self.part(part, place),
            }
        }
        self.bad = outer;
    }

    /// Notes the text that `parts` are of, where one of them is an expansion that is none; what
    /// was noted before.
    #[inline(never)]
    pub(super) fn note_bad(&mut self, parts: &[Part], quoted: bool) -> Text {
        let outer = self.bad.clone();
        let mut text = std::mem::take(&mut self.lead);
        let bad = |part: &Part| matches!(part, Part::Parameter(parameter) if may_be_bad(parameter));
        if !parts.iter().any(bad) {
            return outer;
        }
        for part in parts {
            match part {
                Part::Escaped(b'"') if quoted => text.push(b'"'),
                part => text.extend(print::part(part, !quoted)),
            }
        }
        self.bad = Text::from(text);
        outer
    }

    fn literal_with_tilde(
        &mut self,
        text: &[u8],
        place: Place,
        first: bool,
        last: bool,
        assignment: bool,
    ) {
        let mut rest = text;
        let mut at_start = first;
        loop {
            if at_start && rest.first() == Some(&b'~') {
                let stop = |byte: &u8| *byte == b'/' || *byte == b':' && assignment;
                let end = rest.iter().position(stop);
                if let Some(end) = end.or(last.then_some(rest.len())) {
                    // Out of assignments, what follows a `:` may not be quoted, though it is no user.
                    let end = rest[..end]
                        .iter()
                        .position(|&byte| byte == b':')
                        .unwrap_or(end);
                    let user = self.text(&rest[1..end]);
                    self.emit(Op::Tilde(user));
                    rest = &rest[end..];
                }
            }
            let colon = rest.iter().position(|&byte| assignment && byte == b':');
            let Some(colon) = colon else {
                return self.literal(rest, place);
            };
            self.literal(&rest[..=colon], place);
            rest = &rest[colon + 1..];
            at_start = true;
        }
    }

    fn literal(&mut self, text: &[u8], place: Place) {
        if text.is_empty() {
            return;
        }
        if place.divided && place.quoted_operand {
            return self.quoted_operand(text);
        }
        let index = self.text(text);
        self.emit(if place.quoted {
            Op::Quoted(index)
        } else if place.inner && place.form == Form::Fields {
            Op::Split(index)
        } else if text.iter().any(|&byte| is_glob(byte)) {
            Op::Glob(index)
        } else {
            Op::Literal(index)
        });
    }

    fn active(&mut self, text: &[u8]) {
        let index = self.text(text);
        self.emit(Op::Glob(index));
    }

    pub(super) fn part(&mut self, part: &Part, place: Place) {
        match part {
            Part::Literal(text) => self.literal(text, place),
            Part::Quoted(text) if place.divided && place.quoted_operand => {
                self.quoted_operand(text);
            }
            Part::Quoted(text) => {
                let index = self.text(text);
                self.emit(Op::Quoted(index));
            }
            Part::Escaped(byte)
                if place.divided && place.quoted_operand && divides(&[*byte], 0) =>
            {
                self.emit(Op::Divider(*byte));
            }
            Part::Escaped(byte) => {
                let index = self.text(&[*byte]);
                self.emit(Op::Quoted(index));
            }
            Part::DoubleQuoted(parts) => {
                if !has_list(parts) && !place.quoted {
                    self.emit(Op::Present);
                }
                let fields = place.form == Form::Fields;
                let apart = fields && !place.quoted && spreads(parts);
                if apart {
                    self.emit(Op::SetApart);
                }
                let divided = !place.quoted && may_divide(parts, false);
                if divided {
                    self.emit(Op::BeginDividers);
                }
                self.parts(
                    parts,
                    Place {
                        quoted: true,
                        divided: place.divided || divided,
                        ..place
                    },
                );
                if divided {
                    self.emit(Op::EndDividers);
                }
                if apart {
                    self.emit(Op::Rejoin);
                }
            }
            Part::Parameter(parameter) => self.parameter(parameter, place),
            // Without a command no process starts, and the status stays.
            Part::Command(nothing) if nothing.body.items.is_empty() && nothing.error.is_none() => {}
            Part::Command(substitution) => {
                let code = self.substitution(substitution, true);
                self.emit(Op::Substitute(code, place.quoted, place.unsplit));
            }
            Part::Arithmetic { expression, .. } => {
                self.arithmetic(
                    expression,
                    Use::Append {
                        quoted: place.quoted,
                    },
                );
            }
            Part::Process { output, body } => {
                let code = self.substitution(body, false);
                self.emit(Op::Process(code, *output));
            }
            Part::ExtendedPattern {
                operator,
                alternatives,
            } => {
                self.active(&[*operator, b'(']);
                for (index, alternative) in alternatives.iter().enumerate() {
                    if index > 0 {
                        self.active(b"|");
                    }
                    self.parts(&alternative.parts, place);
                }
                self.active(b")");
            }
            Part::Unclosed { source, closing } => {
                let message = unclosed(source, *closing);
                let index = self.text(&message);
                self.emit(Op::Error(index));
            }
        }
    }

    /// Text of an operand between double quotes with dividers.
    #[inline(never)]
    fn quoted_operand(&mut self, text: &[u8]) {
        let mut start = 0;
        for (at, byte) in text.iter().enumerate() {
            if !divides(text, at) {
                continue;
            }
            if at > start {
                let index = self.text(&text[start..at]);
                self.emit(Op::Quoted(index));
            }
            start = at + 1;
            self.emit(Op::Divider(*byte));
        }
        if start < text.len() {
            let index = self.text(&text[start..]);
            self.emit(Op::Quoted(index));
        }
    }
}

/// What is said of an expansion that does not end.
fn unclosed(source: &[u8], closing: u8) -> Vec<u8> {
    let backquotes = closing == b'`';
    let quote: &[u8] = if backquotes {
        b"\"`\""
    } else {
        &[b'`', closing, b'\'']
    };
    let begin = source.iter().rposition(|&byte| backquotes && byte == b'`');
    let shown = &source[begin.unwrap_or(0)..];
    [b"bad substitution: no closing ", quote, b" in ", shown].concat()
}

/// Whether an expansion is none.
pub(super) fn is_bad(parameter: &Parameter) -> bool {
    parameter.operator == Operator::Bad || parameter.reference == Reference::Bad
}

/// Whether a message may show the text around it: what `${!x}` leads to may be none, too.
pub(super) fn may_be_bad(parameter: &Parameter) -> bool {
    is_bad(parameter) || parameter.indirect && parameter.source.is_empty()
}
