//! Words.

use super::Compiler;
use super::lists::{divides, has_list, is_divisible, may_divide, may_list, spreads};
use crate::machine::code::{Division, Form, Hole, Op, Origin, Template, Use};
use crate::machine::symbol::Symbol;
use crate::syntax::tree::{
    CommandKind, List, Operator, Parameter, Part, Pipeline, Reference, Substitution, Word,
};
use crate::syntax::{Options, Parser, brace, print};
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

fn quoted_constant(parts: &[Part]) -> Option<Vec<u8>> {
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
fn quotes_index(parts: &[Part]) -> bool {
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

fn plain(literal: &[u8], first: bool) -> bool {
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
            if let Some(name) = simple_variable(part) {
                let symbol = self.variable(name);
                return self.emit(Op::WordVariable(symbol));
            }
            if let Part::DoubleQuoted(parts) = part
                && let [inner] = parts.as_slice()
                && let Some(name) = simple_variable(inner)
            {
                let symbol = self.variable(name);
                return self.emit(Op::WordQuoted(symbol));
            }
        }
        self.emit(Op::Begin(Form::Fields));
        self.word_parts(word, Place::new(Form::Fields));
        self.emit(Op::EndFields);
    }

    /// Where the value begins in a word that looks like an assignment and has a `~` to expand.
    pub(super) fn assigned_value(&self, word: &Word) -> Option<usize> {
        let Some(Part::Literal(text)) = word.parts.first() else {
            return None;
        };
        let tilde = |part: &Part| matches!(part, Part::Literal(text) if memchr::memchr(b'~', text).is_some());
        if self.settings.posix || !word.parts.iter().any(tilde) {
            return None;
        }
        let name = text
            .iter()
            .position(|byte| !byte.is_ascii_alphanumeric() && *byte != b'_')?;
        if !crate::machine::scope::is_name(&text[..name]) {
            return None;
        }
        let mut at = name;
        if text[at] == b'[' {
            at += text[at..].iter().position(|&byte| byte == b']')? + 1;
        }
        if text.get(at) == Some(&b'+') {
            at += 1;
        }
        (text.get(at) == Some(&b'=')).then_some(at + 1)
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

    /// A word that becomes an operand: no splitting, no paths.
    pub(super) fn operand(&mut self, word: &Word) {
        self.operand_as(word, Form::Text, false);
    }

    /// The same for a key of an associative array, in which `~` is nothing special.
    pub(super) fn key(&mut self, word: &Word) {
        match word.parts.split_first() {
            Some((Part::Literal(text), rest)) if text.starts_with(b"~") => {
                let mut parts = vec![Part::Quoted(text.clone())];
                parts.extend_from_slice(rest);
                self.operand(&Word { parts });
            }
            _ => self.operand(word),
        }
    }

    /// The same for the subject of `case` and the words of tests, which are words of commands.
    pub(super) fn subject(&mut self, word: &Word) {
        self.subject_as(word, Form::Text);
    }

    /// A pattern or another form of such a word.
    pub(super) fn subject_as(&mut self, word: &Word, form: Form) {
        if self.assigned_value(word).is_none() {
            return self.operand_as(word, form, false);
        }
        self.emit(Op::Begin(form));
        self.divide(&word.parts, Division::Joined);
        self.word_parts(word, Place::new(form));
        self.emit(Op::EndOperand);
    }

    /// A pattern of `case`: of a word that is split only the first part counts.
    pub(super) fn case_pattern(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Pattern));
        self.divide(&word.parts, Division::First);
        self.word_parts(word, Place::new(Form::Pattern));
        self.emit(Op::EndOperand);
    }

    /// A word with a list is split as if it became fields, whatever it is.
    pub(super) fn divide(&mut self, parts: &[Part], division: Division) {
        let quoted = |part: &Part| matches!(part, Part::DoubleQuoted(parts) if parts.iter().any(is_divisible));
        if parts.iter().any(quoted) {
            return self.emit(Op::Divide(division));
        }
        if parts.iter().any(is_divisible) {
            self.emit(Op::DivideUnquoted(division));
        }
        if parts.iter().any(may_list) {
            self.emit(Op::DivideIfListed(division));
        }
    }

    /// The value of an assignment: like an operand, with `~` after every `:` too.
    pub(super) fn value(&mut self, word: &Word) {
        if let Some(text) = constant(word).filter(|text| !text.windows(2).any(|pair| pair == b":~"))
        {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        if let [part] = word.parts.as_slice() {
            let part = match part {
                Part::DoubleQuoted(parts) if parts.len() == 1 => &parts[0],
                part => part,
            };
            if let Some(name) = simple_variable(part) {
                let symbol = self.variable(name);
                return self.emit(Op::OperandVariable(symbol));
            }
        }
        self.emit(Op::Begin(Form::Value));
        self.parts_with_tilde(&word.parts, Place::value(), true);
        self.emit(Op::EndOperand);
    }

    /// A pattern or another form of operand.
    pub(super) fn operand_as(&mut self, word: &Word, form: Form, quoted: bool) {
        if let Some(text) = constant(word).filter(|_| matches!(form, Form::Text | Form::Value)) {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        self.emit(Op::Begin(form));
        if form != Form::Value {
            self.divide(&word.parts, Division::Joined);
        }
        let place = Place {
            quoted,
            ..Place::new(form)
        };
        if quoted {
            self.parts(&word.parts, place);
        } else {
            self.parts_with_tilde(&word.parts, place, false);
        }
        self.emit(Op::EndOperand);
    }

    /// The text of a here-document: as between double quotes.
    pub(super) fn document(&mut self, word: &Word) {
        if let Some(text) = quoted_constant(&word.parts) {
            let index = self.text(&text);
            return self.emit(Op::Operand(index));
        }
        self.emit(Op::Begin(Form::Document));
        let divided = may_divide(&word.parts, true);
        if divided {
            self.emit(Op::BeginDividers);
        }
        self.parts(
            &word.parts,
            Place {
                quoted: true,
                divided,
                ..Place::new(Form::Document)
            },
        );
        if divided {
            self.emit(Op::EndDividers);
        }
        self.emit(Op::EndOperand);
    }

    /// An arithmetic expression.
    pub(super) fn arithmetic(&mut self, word: &Word, usage: Use) {
        if let Some(text) = quoted_constant(&word.parts) {
            let index = self.expression(&text);
            return self.emit(Op::Arithmetic(index, usage));
        }
        let template = self.template(&word.parts);
        let hole = template.map(|index| self.hole(Op::Template(index, 0, usage)));
        self.expanded(word);
        self.emit(Op::Evaluate(usage));
        if let Some(hole) = hole {
            self.fill(&hole);
        }
    }

    /// The text of an arithmetic expression, as an operand.
    pub(super) fn expanded(&mut self, word: &Word) {
        self.emit(Op::Begin(Form::Text));
        self.expression_parts(&word.parts);
        self.emit(Op::EndOperand);
    }

    /// The subscript of a variable, as an operand: a word where it is a key, else an expression,
    /// in which quotes mean less.
    pub(super) fn subscript(&mut self, symbol: Symbol, word: &Word) {
        let index = quotes_index(&word.parts).then(|| {
            let text = crate::syntax::print::word(word);
            crate::syntax::entry::subscript(&text, Default::default(), self.line)
        });
        let Some(Ok(index)) = index else {
            return self.key(word);
        };
        let keyed = self.hole(Op::JumpIfAssociative(symbol, 0));
        self.expanded(&index);
        let end = self.hole(Op::Jump(0));
        self.fill(&keyed);
        self.key(word);
        self.fill(&end);
    }

    /// The parts of an expression. What is expanded within a subscript is quoted there, since the
    /// evaluation expands subscripts once more.
    pub(super) fn expression_parts(&mut self, parts: &[Part]) {
        let outer = self.note_bad(parts, true);
        let place = Place {
            quoted: true,
            unsplit: None,
            ..Place::new(Form::Text)
        };
        let mut depth = 0usize;
        for part in parts {
            match part {
                Part::Literal(text) | Part::Quoted(text) => {
                    for byte in text {
                        match byte {
                            b'[' => depth += 1,
                            b']' => depth = depth.saturating_sub(1),
                            _ => {}
                        }
                    }
                    self.part(part, place);
                }
                Part::Escaped(_) | Part::Arithmetic { .. } => self.part(part, place),
                part if depth == 0 => self.part(part, place),
                part => {
                    self.emit(Op::Begin(Form::Text));
                    self.part(part, place);
                    self.emit(Op::EndQuoted);
                }
            }
        }
        self.bad = outer;
    }

    fn variable(&mut self, name: &[u8]) -> crate::machine::symbol::Symbol {
        let symbol = self.symbols.intern(name);
        self.symbols.wants_command |= symbol == crate::machine::symbol::known::BASH_COMMAND;
        symbol
    }

    /// The template of an expression whose expansions are plain parameters.
    fn template(&mut self, parts: &[Part]) -> Option<u32> {
        let mut text = Vec::new();
        let mut holes = Vec::new();
        for part in parts {
            match part {
                Part::Literal(plain) | Part::Quoted(plain) => text.extend_from_slice(plain),
                Part::Parameter(parameter) => {
                    holes.push(self.template_hole(parameter)?);
                    text.push(0);
                }
                _ => return None,
            }
        }
        self.code.templates.push(Template {
            text: Text::from(text),
            holes,
            parsed: std::cell::OnceCell::new(),
        });
        Some((self.code.templates.len() - 1) as u32)
    }

    fn template_hole(&mut self, parameter: &Parameter) -> Option<Hole> {
        if parameter.indirect || parameter.operator != Operator::Value {
            return None;
        }
        Some(match &parameter.reference {
            Reference::Variable {
                name,
                subscript: None,
            } => Hole::Variable(self.symbols.intern(name)),
            Reference::Positional(number) if *number > 0 => Hole::Positional(*number),
            Reference::Special(name @ (b'#' | b'?')) => Hole::Special(*name),
            _ => return None,
        })
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
    fn note_bad(&mut self, parts: &[Part], quoted: bool) -> Text {
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

    fn substitution(&mut self, substitution: &Substitution, copy: bool) -> u32 {
        let first = substitution.line;
        let printed = as_printed(substitution, first);
        let substitution = printed.as_ref().unwrap_or(substitution);
        let input = copy.then(|| input_only(&substitution.body)).flatten();
        let line = match self.line {
            0 => self.context,
            line => line,
        };
        self.nested(|compiler| {
            compiler.code.origin = Origin::Substitution;
            if line > 0 {
                compiler.base += i64::from(first) - i64::from(line);
            }
            if let Some(redirect) = input {
                compiler.emit(Op::Redirects);
                let hole = compiler.redirect(redirect);
                compiler.emit(Op::Copy);
                compiler.fill(&hole);
                compiler.emit(Op::Leave);
            } else {
                compiler.list(&substitution.body);
            }
            if let Some(error) = &substitution.error {
                compiler.code.errors.push((**error).clone());
                let index = compiler.code.errors.len() - 1;
                compiler.emit(Op::SyntaxError(index as u32));
            }
        })
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

/// A substitution with the lines that it has for bash, which keeps no text of one but that which
/// it prints; none where they are those of the script.
#[inline(never)]
fn as_printed(substitution: &Substitution, first: u32) -> Option<Substitution> {
    if substitution.source.is_some() || is_line(&substitution.body, first) {
        return None;
    }
    let text = print::list(&substitution.body);
    let options = Options {
        extglob: true,
        ..Options::default()
    };
    let mut parser = Parser::at_line(&text, options, first);
    let mut body = List::default();
    while let Some(list) = parser.next(None).ok()? {
        body.items.extend(list.items);
    }
    Some(Substitution {
        body,
        ..substitution.clone()
    })
}

/// Whether a list stands on one line, and is printed on one.
fn is_line(list: &List, first: u32) -> bool {
    let plain = |pipeline: &Pipeline| {
        pipeline.stages.iter().all(|command| {
            matches!(command.kind, CommandKind::Simple { .. }) && command.line == first
        })
    };
    let mut items = list.items.iter();
    items.all(|item| plain(&item.first) && item.rest.iter().all(|(_, rest)| plain(rest)))
}

/// Whether an expansion is none.
pub(super) fn is_bad(parameter: &Parameter) -> bool {
    parameter.operator == Operator::Bad || parameter.reference == Reference::Bad
}

/// Whether a message may show the text around it: what `${!x}` leads to may be none, too.
pub(super) fn may_be_bad(parameter: &Parameter) -> bool {
    is_bad(parameter) || parameter.indirect && parameter.source.is_empty()
}

/// The redirect of `$(< file)`.
fn input_only(list: &List) -> Option<&crate::syntax::tree::Redirect> {
    use crate::syntax::tree::{RedirectAction, RedirectTarget};
    let [item] = list.items.as_slice() else {
        return None;
    };
    let [command] = item.first.stages.as_slice() else {
        return None;
    };
    let plain = item.rest.is_empty() && !item.background && !item.first.negated;
    let CommandKind::Simple { assignments, words } = &command.kind else {
        return None;
    };
    match command.redirects.as_slice() {
        [redirect]
            if plain
                && assignments.is_empty()
                && words.is_empty()
                && redirect.target == RedirectTarget::Default
                && matches!(redirect.action, RedirectAction::Input(_)) =>
        {
            Some(redirect)
        }
        _ => None,
    }
}

/// The name of `$name` or `${name}`.
fn simple_variable(part: &Part) -> Option<&[u8]> {
    let Part::Parameter(parameter) = part else {
        return None;
    };
    match (
        &parameter.reference,
        &parameter.operator,
        parameter.indirect,
    ) {
        (
            Reference::Variable {
                name,
                subscript: None,
            },
            Operator::Value,
            false,
        ) => Some(name),
        _ => None,
    }
}
