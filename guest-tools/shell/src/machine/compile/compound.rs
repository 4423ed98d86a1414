//! Compound values: `( … )` of an assignment.

use super::Compiler;
use super::word::constant;
use crate::format::quote;
use crate::machine::code::Op;
use crate::machine::symbol::Symbol;
use crate::syntax::print;
use crate::syntax::tree::{ArrayElement, Part, Word};

impl Compiler<'_> {
    /// The value of an array that exists by now.
    pub(super) fn array_value(&mut self, elements: &[ArrayElement], symbol: Symbol) {
        if is_same(elements) {
            return self.indexed_elements(elements);
        }
        let keyed = self.hole(Op::JumpIfAssociative(symbol, 0));
        self.indexed_elements(elements);
        let end = self.hole(Op::Jump(0));
        self.fill(&keyed);
        let name = self.symbols.name(symbol);
        self.keyed_elements(elements, &name, false);
        self.fill(&end);
    }

    /// The value that an argument of a declaration builtin gives an array.
    pub(super) fn array_argument_elements(&mut self, elements: &[ArrayElement], symbol: Symbol) {
        if is_same(elements) {
            return self.indexed_elements(elements);
        }
        let keyed = self.hole(Op::JumpIfDeclaresKeys(symbol, 0));
        self.indexed_elements(elements);
        let end = self.hole(Op::Jump(0));
        self.fill(&keyed);
        let name = self.symbols.name(symbol);
        self.keyed_elements(elements, &name, true);
        self.fill(&end);
    }

    /// The value in a text, for the associative array `keyed` or an indexed one.
    pub(super) fn array_text_elements(&mut self, elements: &[ArrayElement], keyed: Option<&[u8]>) {
        match keyed {
            Some(name) => self.keyed_elements(elements, name, false),
            None => self.indexed_elements(elements),
        }
    }

    /// Elements as an associative array has them: each word is one string, a key and its value in
    /// turn where the first has no subscript. Messages show words as they are written, those of an
    /// `argument` quoted.
    fn keyed_elements(&mut self, elements: &[ArrayElement], name: &[u8], argument: bool) {
        let shown = |word: &Word| match (argument, print::word(word)) {
            (true, text) => quote::single(&text),
            (false, text) => text,
        };
        if elements.first().is_some_and(is_key) {
            for pair in elements.chunks(2) {
                let key = plain_word(&pair[0]);
                self.key(&key);
                self.key(&pair.get(1).map(plain_word).unwrap_or_default());
                let written = match argument && constant(&key).is_none_or(|key| key.is_empty()) {
                    true => b"''".to_vec(),
                    false => shown(&key),
                };
                self.array_key(false, &written);
            }
            return;
        }
        for element in elements {
            let Some(subscript) = &element.subscript else {
                let tail = b": must use subscript when assigning associative array".as_slice();
                let text = [name, b": ", &shown(&element.value), tail].concat();
                let text = self.text(&text);
                self.emit(Op::ArrayRefused(text));
                continue;
            };
            self.key(subscript);
            self.key(&element.value);
            match argument {
                true => self.emit(Op::ArrayElement(element.append)),
                false => self.array_key(element.append, &print::word(&plain_word(element))),
            }
        }
    }

    fn array_key(&mut self, append: bool, written: &[u8]) {
        let text = self.text(&[written, b": bad array subscript"].concat());
        self.emit(Op::ArrayKey(append, text));
    }

    /// Elements as an indexed array has them.
    fn indexed_elements(&mut self, elements: &[ArrayElement]) {
        let mut pending: Vec<Word> = Vec::new();
        for element in elements {
            match &element.subscript {
                None => pending.push(element.value.clone()),
                Some(subscript) => {
                    if let Some(word) = self.braced_element(element) {
                        pending.push(word);
                        continue;
                    }
                    self.array_fields(&mut pending);
                    self.operand(subscript);
                    self.value(&element.value);
                    self.emit(Op::ArrayElement(element.append));
                }
            }
        }
        self.array_fields(&mut pending);
    }

    /// An element whose value has braces that expand: of an indexed array, all of it is a word.
    fn braced_element(&self, element: &ArrayElement) -> Option<Word> {
        let expands =
            |word: &Word| !matches!(crate::syntax::brace::expand(word, self.line), Ok(None));
        if !self.settings.braces || !expands(&element.value) {
            return None;
        }
        Some(plain_word(element))
    }

    fn array_fields(&mut self, pending: &mut Vec<Word>) {
        if !pending.is_empty() {
            self.emit(Op::MarkWithin);
            self.elements(pending);
            self.emit(Op::ArrayFields);
            pending.clear();
        }
    }
}

/// Whether elements mean the same to both kinds of arrays: constants, all with a subscript or none.
fn is_same(elements: &[ArrayElement]) -> bool {
    let keyed = elements
        .first()
        .is_some_and(|first| first.subscript.is_some());
    let active = |byte: &u8| matches!(byte, b'{' | b'~');
    let fixed = |word: &Word| constant(word).is_some_and(|text| !text.iter().any(active));
    let full = |word: &Word| constant(word).is_some_and(|text| !text.is_empty());
    elements.iter().all(|element| match &element.subscript {
        Some(subscript) => keyed && full(subscript) && fixed(&element.value),
        None => !keyed && is_key(element) && full(&element.value) && fixed(&element.value),
    })
}

/// Whether an element that comes first is a key, which the value of follows.
fn is_key(first: &ArrayElement) -> bool {
    let bracket =
        matches!(first.value.parts.first(), Some(Part::Literal(text)) if text.starts_with(b"["));
    first.subscript.is_none() && !bracket
}

/// An element as the word that it is written as.
fn plain_word(element: &ArrayElement) -> Word {
    let Some(subscript) = &element.subscript else {
        return element.value.clone();
    };
    let sign: &[u8] = if element.append { b"]+=" } else { b"]=" };
    let mut parts = vec![Part::Literal(b"[".to_vec())];
    parts.extend_from_slice(&subscript.parts);
    parts.push(Part::Literal(sign.to_vec()));
    parts.extend_from_slice(&element.value.parts);
    Word { parts }
}
