//! Parameter expansions: from the syntax tree of `${…}` to instructions.
//!
//! Plain values are one instruction. `-`, `=`, `?` and `+` are jumps over the code of their word; other operators put
//! their operands on the stack and end in `Op::Expand`, which finds all the rest in a `Parameter` of the code:
//!
//! ```text
//! $x            Variable x
//! ${x-w}        Default → end; [w]; end:
//! ${x=w}        AssignDefault → end; Begin [w] EndOperand; StoreDefault; end:
//! ${x#p}        Begin [p] EndOperand; Expand
//! ${x:n}        SkipUnset → end; [n]; Expand; end:        n has effects
//! ```
//!
//! Where operands have effects (`${x:i++}`), bash does not evaluate them for an unset variable, hence `SkipUnset`.

use super::Compiler;
use super::lists::{is_divisible, is_list, operand, spreads, with_quoted_lists};
use super::word::{Place, is_bad, may_be_bad};
use crate::machine::code::{Action, BRACED, Division, Form, Op, Parameter, Target, Use};
use crate::machine::symbol::known;
use crate::syntax::print;
use crate::syntax::quote::lengthen_name;
use crate::syntax::tree::{self, Operator, Part, Reference, Subscript, Word};
use crate::text::Text;

impl Compiler<'_> {
    /// Compiles one expansion at a place of a word.
    pub(super) fn parameter(&mut self, parameter: &tree::Parameter, place: Place) {
        let target = self.target(&parameter.reference);
        if let (Operator::Value, false) = (&parameter.operator, parameter.indirect) {
            match target {
                Target::Variable(symbol) => {
                    return self.emit(Op::Variable(symbol, place.quoted, !parameter.bare));
                }
                Target::Positional(number) => {
                    let braces = if parameter.bare { 0 } else { BRACED };
                    return self.emit(Op::Positional(number | braces, place.quoted));
                }
                // Its name in messages is another.
                Target::Special(b'!') if !parameter.bare => {}
                Target::Special(b'*') if place.divided && place.form == Form::Document => {}
                Target::Special(b'*')
                    if place.inner && !place.quoted && place.form != Form::Fields => {}
                Target::Special(byte) if byte != b'@' || place.quoted || !place.inner => {
                    return self.emit(Op::Special(byte, place.quoted));
                }
                _ => {}
            }
        }
        self.element(&parameter.reference);
        match &parameter.operator {
            Operator::Default { colon, word } => {
                let index = self.described(parameter, target, place, conditional(*colon));
                let hole = self.hole(Op::Default(index, 0));
                self.chosen(parameter, place);
                self.inner(word, place);
                self.fill(&hole);
            }
            Operator::Alternative { colon, word } => {
                let index = self.described(parameter, target, place, conditional(*colon));
                let hole = self.hole(Op::Alternative(index, 0));
                self.chosen(parameter, place);
                self.inner(word, place);
                self.fill(&hole);
            }
            Operator::Assign { colon, word } => {
                let index = self.described(parameter, target, place, conditional(*colon));
                let hole = self.hole(Op::AssignDefault(index, 0));
                let form = match place.form {
                    Form::Document => Form::Document,
                    _ => Form::Value,
                };
                self.inner_operand(word, place, form);
                self.emit(Op::StoreDefault(index));
                self.fill(&hole);
            }
            Operator::Error { colon, word } => {
                let index = self.described(parameter, target, place, conditional(*colon));
                let hole = self.hole(Op::Default(index, 0));
                if word.parts.is_empty() {
                    let message = match colon {
                        true => b"parameter null or not set".as_slice(),
                        false => b"parameter not set",
                    };
                    let message = self.text(message);
                    self.emit(Op::Operand(message));
                } else {
                    self.message(word);
                }
                self.emit(Op::Fail(index));
                self.fill(&hole);
            }
            operator => {
                let skip = has_effects(operator).then(|| self.hole(Op::SkipUnset(0, 0)));
                let mut action = self.operands(operator, place);
                if action == Action::Bad && transforms(&parameter.source) {
                    action = Action::Unnamed;
                }
                let index = self.described(parameter, target, place, action);
                self.emit(Op::Expand(index));
                if let Some(hole) = skip {
                    self.code.parameters[index as usize].early = true;
                    self.code.ops[hole.0] = Op::SkipUnset(index, 0);
                    self.fill(&hole);
                }
            }
        }
    }

    /// The word stands for `"${a[@]-word}"`: then that is a field, though it may be empty.
    fn chosen(&mut self, parameter: &tree::Parameter, place: Place) {
        if place.quoted && is_list(parameter) {
            self.emit(Op::Present);
        }
    }

    /// The word of `${x-word}`, as part of the word under way.
    fn inner(&mut self, word: &Word, place: Place) {
        let within = place.inner;
        let place = Place {
            inner: true,
            unsplit: Some(place.quoted),
            quoted_operand: place.quoted,
            ..place
        };
        let quoted = |part: &Part| matches!(part, Part::DoubleQuoted(parts) if spreads(parts));
        let fields = place.form == Form::Fields;
        let apart = !place.quoted && fields && word.parts.iter().any(quoted);
        let gathers = !apart && !place.quoted && !within && fields && has_bare_list(&word.parts);
        let divided = place.divided && place.quoted;
        if divided {
            self.emit(Op::OpenOperand);
        }
        if apart {
            self.emit(Op::SetApart);
        } else if gathers {
            self.emit(Op::Gather);
        }
        match joined_parts(word, place.quoted) {
            None => self.parts_with_tilde(&word.parts, place, place.value),
            Some(parts) => self.parts(&parts, place),
        }
        if apart {
            self.emit(Op::Rejoin);
        } else if gathers {
            self.emit(Op::Gathered);
        }
        if divided {
            self.emit(Op::CloseOperand);
        }
    }

    /// The word of `${x?word}`, as an operand: split, whatever is around it.
    fn message(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Text));
        self.emit(Op::Divide(Division::Joined));
        // What is written in it is not.
        let written = |part: &Part| match part {
            Part::Literal(text) if !text.starts_with(b"~") => Part::Quoted(text.clone()),
            part => part.clone(),
        };
        let parts: Vec<Part> = word.parts.iter().map(written).collect();
        self.parts_with_tilde(&parts, Place::new(Form::Text), false);
        self.emit(Op::EndOperand);
    }

    /// The word of `${x=word}`, as an operand.
    fn inner_operand(&mut self, word: &Word, place: Place, form: Form) {
        self.emit(Op::Begin(form));
        let inner = Place {
            quoted: place.quoted,
            ..Place::new(form)
        };
        match joined_parts(word, place.quoted) {
            None => self.parts_with_tilde(&word.parts, inner, false),
            Some(parts) => self.parts(&parts, inner),
        }
        self.emit(Op::EndOperand);
    }

    /// Adds the description of an expansion to the code, and gives its index. Its source is what messages show.
    fn described(
        &mut self,
        parameter: &tree::Parameter,
        target: Target,
        place: Place,
        action: Action,
    ) -> u32 {
        let source = match action {
            Action::Slice { .. } if !is_bad(parameter) => {
                Text::from(print::parameter_name(parameter))
            }
            _ if may_be_bad(parameter) => self.bad.clone(),
            _ => Text::from(&parameter.source),
        };
        self.code.parameters.push(Parameter {
            target,
            indirect: parameter.indirect,
            quoted: place.quoted,
            early: false,
            inner: place.inner,
            action,
            source,
        });
        (self.code.parameters.len() - 1) as u32
    }

    /// What an expansion is about, with its name as a symbol.
    fn target(&mut self, reference: &Reference) -> Target {
        match reference {
            Reference::Variable { name, subscript } => {
                let symbol = self.symbols.intern(name);
                self.symbols.wants_command |= symbol == known::BASH_COMMAND;
                match subscript {
                    None => Target::Variable(symbol),
                    Some(Subscript::All) => Target::All(symbol),
                    Some(Subscript::Joined) => Target::Joined(symbol),
                    Some(Subscript::Index(_)) => Target::Element(symbol),
                }
            }
            Reference::Positional(number) => Target::Positional(*number),
            Reference::Special(byte) => Target::Special(*byte),
            Reference::Bad => Target::Bad,
        }
    }

    /// Puts the subscript on the stack where the expansion is about an element.
    fn element(&mut self, reference: &Reference) {
        if let Reference::Variable {
            name,
            subscript: Some(Subscript::Index(word)),
        } = reference
        {
            let symbol = self.symbols.intern(name);
            self.subscript(symbol, word);
        }
    }

    /// The operands of an operator, and what it does with them.
    fn operands(&mut self, operator: &Operator, place: Place) -> Action {
        match operator {
            Operator::Value => Action::Value,
            Operator::Length => Action::Length,
            Operator::Names { joined } => Action::Names { joined: *joined },
            Operator::Keys => Action::Keys,
            Operator::Slice { offset, length } => {
                self.arithmetic(offset, Use::Operand);
                if let Some(length) = length {
                    self.arithmetic(length, Use::Operand);
                }
                let text = |word: &Word| {
                    let parts = word.parts.iter();
                    parts
                        .flat_map(|part| print::part(part, false))
                        .collect::<Vec<u8>>()
                };
                let length = length.as_ref().map(text);
                Action::Slice {
                    length: length.map(|text| self.text(&text)),
                }
            }
            Operator::RemovePrefix { longest, pattern } => {
                self.pattern_operand(pattern, place);
                Action::RemovePrefix { longest: *longest }
            }
            Operator::RemoveSuffix { longest, pattern } => {
                self.pattern_operand(pattern, place);
                Action::RemoveSuffix { longest: *longest }
            }
            Operator::Replace {
                anchor,
                pattern,
                replacement,
            } => {
                self.pattern_operand(pattern, place);
                let empty = Word::default();
                self.replacement(replacement.as_ref().unwrap_or(&empty));
                Action::Replace { anchor: *anchor }
            }
            Operator::Case {
                change,
                all,
                pattern,
            } => {
                if let Some(pattern) = pattern {
                    self.operand_as(pattern, Form::Pattern, false);
                }
                Action::Case {
                    change: *change,
                    all: *all,
                    pattern: pattern.is_some(),
                }
            }
            Operator::Transform(letter) => Action::Transform(*letter),
            Operator::Bad => Action::Bad,
            Operator::Default { colon, .. }
            | Operator::Assign { colon, .. }
            | Operator::Error { colon, .. }
            | Operator::Alternative { colon, .. } => {
                let _ = place;
                conditional(*colon)
            }
        }
    }

    /// A pattern as an operand; between double quotes lists in it are joined.
    fn pattern_operand(&mut self, pattern: &Word, place: Place) {
        match place.quoted {
            true => self.operand_as(&with_quoted_lists(pattern), Form::Pattern, false),
            false => self.operand_as(pattern, Form::Pattern, false),
        }
    }

    /// The replacement of `${x/p/r}`: a `&` that is not quoted stands for the match.
    fn replacement(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Replacement));
        self.divide(&word.parts, Division::Joined);
        self.parts_with_tilde(&word.parts, Place::new(Form::Replacement), false);
        self.emit(Op::EndOperand);
    }
}

/// Whether there is `$@` or its kin out of double quotes, also in an operand.
fn has_bare_list(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Parameter(parameter) => {
            is_divisible(part) || operand(parameter).is_some_and(|word| has_bare_list(&word.parts))
        }
        _ => false,
    })
}

/// The parts of an operand between double quotes without those within it, where these would end a
/// name: `"${x-$a"b"}"` is about the variable `ab`.
#[inline(never)]
fn joined_parts(word: &Word, quoted: bool) -> Option<Vec<Part>> {
    let bare = |part: &Part| matches!(part, Part::Parameter(parameter) if parameter.bare);
    let named = |part: &Part| match part {
        Part::DoubleQuoted(parts) => parts.iter().any(bare),
        part => bare(part),
    };
    let has_quotes = |part: &Part| matches!(part, Part::DoubleQuoted(_));
    if !quoted || !word.parts.iter().any(has_quotes) || !word.parts.iter().any(named) {
        return None;
    }
    let mut joined = Vec::new();
    for part in &word.parts {
        match part {
            Part::DoubleQuoted(parts) => parts.iter().for_each(|part| push(&mut joined, part)),
            part => push(&mut joined, part),
        }
    }
    Some(joined)
}

/// Adds a part; text that goes on with a name lengthens the variable before it.
fn push(parts: &mut Vec<Part>, part: &Part) {
    match part {
        Part::Quoted(text) => {
            let taken = lengthen_name(parts, text);
            if taken == 0 || taken < text.len() {
                parts.push(Part::Quoted(text[taken..].to_vec()));
            }
        }
        part => parts.push(part.clone()),
    }
}

/// The action of `-`, `=`, `?` and `+`.
const fn conditional(colon: bool) -> Action {
    Action::Conditional { colon }
}

/// Whether the operands of an operator do more than stand for text.
fn has_effects(operator: &Operator) -> bool {
    let number = |word: &Word| match word.parts.as_slice() {
        [Part::Literal(text) | Part::Quoted(text)] => {
            let text = text.trim_ascii();
            let digits = text.strip_prefix(b"-").unwrap_or(text);
            !digits.starts_with(b"0") && digits.iter().all(u8::is_ascii_digit)
        }
        _ => false,
    };
    match operator {
        Operator::Slice { offset, length } => {
            !number(offset) || length.as_ref().is_some_and(|length| !number(length))
        }
        Operator::RemovePrefix { pattern, .. } | Operator::RemoveSuffix { pattern, .. } => {
            acts(&pattern.parts)
        }
        Operator::Replace {
            pattern,
            replacement,
            ..
        } => {
            let replacement = replacement.as_ref();
            acts(&pattern.parts) || replacement.is_some_and(|word| acts(&word.parts))
        }
        Operator::Case { pattern, .. } => {
            let pattern = pattern.as_ref();
            pattern.is_some_and(|word| acts(&word.parts))
        }
        _ => false,
    }
}

/// Whether any part is more than text.
fn acts(parts: &[Part]) -> bool {
    parts.iter().any(|part| match part {
        Part::Literal(_) | Part::Quoted(_) | Part::Escaped(_) => false,
        Part::DoubleQuoted(parts) => acts(parts),
        _ => true,
    })
}

/// Whether a bad expansion is `name@…`, with no letter or none that is known.
fn transforms(source: &[u8]) -> bool {
    let name = source
        .iter()
        .take_while(|&&byte| byte.is_ascii_alphanumeric() || byte == b'_');
    source.ends_with(b"@") || source.get(name.count()) == Some(&b'@')
}
