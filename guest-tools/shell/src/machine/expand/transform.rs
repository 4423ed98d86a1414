//! `${x@Q}` and its kin (the manual's Shell Parameter Expansion).
//!
//! | letter | of `x='a b'` |
//! |---|---|
//! | `Q` | `'a b'`, as input |
//! | `U` `u` `L` | `A B`, `A b`, `a b` |
//! | `E` | backslash escapes as in `$'…'` |
//! | `P` | as a prompt |
//! | `A` | `x='a b'`, with `declare` and its flags where it has attributes |
//! | `a` | the letters of the attributes |
//! | `K` `k` | as `Q`; of `${a[@]}` keys and values, in one word or in words |
//!
//! Lists are transformed item by item. An unknown letter is an error where there is a value, nothing otherwise.

use super::lists::Source;
use super::target::{Found, Resolved};
use crate::format::{case, escape, quote};
use crate::machine::Machine;
use crate::machine::code::{Form, Parameter, Target};
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::text::Text;

impl Machine {
    /// Adds a transformed value to the word under way.
    pub(super) fn transform(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: &Found,
        letter: u8,
    ) -> Run {
        if !b"QEPAaULuKk".contains(&letter) {
            return match found.value {
                Resolved::Unset => Ok(()),
                _ => {
                    let parts = [&self.target_name(found), b"@".as_slice(), &[letter]];
                    let message =
                        [b"${", parts.concat().as_slice(), b"}: bad substitution"].concat();
                    crate::machine::message::expansion_fault(self, task, &message);
                    Err(super::target::fatal(task))
                }
            };
        }
        if let (b'a' | b'A', Resolved::Unset, Target::Element(symbol), Some(subscript)) =
            (letter, &found.value, found.target, &found.subscript)
        {
            // bash looks for the element again, and complains of its subscript again.
            scope::get_element(self, task, symbol, subscript).map_err(|_| Trouble::Discard(1))?;
        }
        match letter {
            b'a' => return self.attribute_letters(task, parameter, found),
            b'A' => return self.as_assignment(task, parameter, found),
            b'K' | b'k' => {
                if let Target::All(symbol) | Target::Joined(symbol) = found.target
                    && !matches!(scope::value(self, task, symbol), Value::Text(_))
                {
                    return self.pairs(task, parameter, symbol, letter);
                }
            }
            _ => {}
        }
        match &found.value {
            Resolved::Unset => Ok(()),
            Resolved::Scalar(text) => {
                let text = self.transformed(task, text, letter)?;
                self.add(task, &text, parameter.quoted);
                Ok(())
            }
            Resolved::List { items, joined } => {
                let mut changed = Vec::with_capacity(items.len());
                for item in items {
                    changed.push(self.transformed(task, item, letter)?);
                }
                self.add_list(task, &changed, Source::of(parameter, *joined));
                Ok(())
            }
        }
    }

    /// One text, transformed by a letter.
    fn transformed(&mut self, task: &mut Task, text: &Text, letter: u8) -> Run<Text> {
        Ok(match letter {
            b'Q' | b'K' | b'k' => Text::from(quote::reusable(text)),
            b'U' => Text::from(case::upper(text)),
            b'L' => Text::from(case::lower(text)),
            b'u' => Text::from(case::capitalized(text)),
            b'E' => Text::from(escape::unescape(text, escape::Dialect::Quoted).text),
            b'P' => self.prompt(task, text).map_err(|_| Trouble::Discard(1))?,
            _ => text.clone(),
        })
    }

    /// The attributes of the variable that an expansion is about; `None` for what has none.
    fn attributes_of(&mut self, task: &mut Task, found: &Found) -> Option<Attributes> {
        let symbol = match found.target {
            Target::Variable(symbol)
            | Target::Element(symbol)
            | Target::All(symbol)
            | Target::Joined(symbol) => symbol,
            _ => return None,
        };
        let place = scope::resolve(self, task, symbol)?;
        if place.subscript.is_some() {
            return None;
        }
        Some(task.state.variables.attributes(place.symbol))
    }

    /// `@a`: the letters, once for each element of a list.
    fn attribute_letters(&mut self, task: &mut Task, parameter: &Parameter, found: &Found) -> Run {
        let letters = self
            .attributes_of(task, found)
            .unwrap_or_default()
            .letters();
        let letters = Text::from(letters);
        if let Target::All(symbol) | Target::Joined(symbol) = found.target {
            // No value has letters all the same; a string without letters is nothing at all.
            let unset = !scope::value(self, task, symbol).is_set();
            if unset && !letters.is_empty() {
                self.add(task, &letters, parameter.quoted);
                return Ok(());
            }
            if letters.is_empty() {
                let joined = matches!(found.target, Target::Joined(_));
                self.add_list(task, &[], Source::of(parameter, joined));
                return Ok(());
            }
        }
        match &found.value {
            Resolved::List { items, joined } => {
                let all: Vec<Text> = items.iter().map(|_| letters.clone()).collect();
                self.add_list(task, &all, Source::of(parameter, *joined));
            }
            _ => self.add(task, &letters, parameter.quoted),
        }
        Ok(())
    }

    /// `@A`: a command that makes the variable again. Positional parameters become `set -- …`; a single one and an
    /// element behind a nameref have no such command.
    fn as_assignment(&mut self, task: &mut Task, parameter: &Parameter, found: &Found) -> Run {
        let nameless = match found.target {
            Target::Positional(_) => true,
            Target::Special(name) => !matches!(name, b'@' | b'*'),
            _ => self.names_element(task, found.target),
        };
        if nameless {
            return Ok(());
        }
        let attributes = self.attributes_of(task, found).unwrap_or_default();
        let letters = attributes.letters();
        let name = match found.target {
            Target::All(symbol)
            | Target::Joined(symbol)
            | Target::Element(symbol)
            | Target::Variable(symbol) => {
                let name = self.symbols.name(symbol);
                scope::follow(self, task, &name).into_vec()
            }
            _ => self.target_name(found),
        };
        let mut text = Vec::new();
        // `"${a[@]@A}"` is more than one field.
        let mut fields: Vec<Text> = Vec::new();
        match (&found.value, found.target) {
            (Resolved::List { .. }, Target::All(symbol) | Target::Joined(symbol)) => {
                let arrays = Attributes::INDEXED.with(Attributes::ASSOCIATIVE);
                let declared = |what: Vec<u8>| {
                    let flags = Text::from(format!("-{letters}").into_bytes());
                    vec![Text::from("declare"), flags, Text::from(what)]
                };
                match scope::value(self, task, symbol) {
                    Value::Unset if attributes.has(arrays) => fields = declared(name),
                    Value::Unset => text = declaration(&letters, &name, None),
                    Value::Text(value) => text = declaration(&letters, &name, Some(&value)),
                    value => {
                        fields = declared([&name, b"=".as_slice(), &compound(&value)].concat());
                    }
                }
            }
            (Resolved::List { items, .. }, _) if items.is_empty() => {}
            (Resolved::List { items, .. }, _) => {
                fields = vec![Text::from("set"), Text::from("--")];
                fields.extend(items.iter().map(|item| Text::from(quote::reusable(item))));
            }
            (Resolved::Scalar(value), _) => text = declaration(&letters, &name, Some(value)),
            (Resolved::Unset, _) => text = declaration(&letters, &name, None),
        }
        if text.is_empty() && fields.is_empty() && matches!(found.value, Resolved::List { .. }) {
            return Ok(());
        }
        if fields.is_empty() {
            self.add(task, &text, parameter.quoted);
            return Ok(());
        }
        let joined = matches!(found.value, Resolved::List { joined: true, .. });
        self.add_declaration(task, fields, joined, parameter);
        Ok(())
    }

    /// Adds `set -- 'a' 'b'` or `declare -a a=(…)`. Items are apart as those of `$@`, what stands
    /// before them is where a blank separates.
    fn add_declaration(
        &mut self,
        task: &mut Task,
        fields: Vec<Text>,
        joined: bool,
        parameter: &Parameter,
    ) {
        let quoted = parameter.quoted;
        let separators = self.separators(task);
        let blank = separators.is_empty() || separators.contains(b' ');
        let mut fields = fields;
        let items = fields.split_off(2);
        let head = super::join(&fields, b" ");
        let headed = |items: &[Text], separator: &[u8]| {
            let items = super::join(items, separator);
            Text::from([head.as_bytes(), b" ", items.as_bytes()].concat())
        };
        // Where nothing is split and nothing separates, `*` is as between double quotes.
        let form = task
            .stacks
            .expansions
            .last()
            .map(|expansion| expansion.form);
        let splits = matches!(form, Some(Form::Fields | Form::Document | Form::Argument));
        let whole = quoted || separators.is_empty() && !splits;
        match (quoted, joined) {
            (_, true) if whole => {
                let text = headed(&items, separators.first());
                self.add(task, &text, true);
            }
            (false, _) if !separators.is_empty() => {
                let text = headed(&items, separators.first());
                self.add(task, &text, false);
            }
            _ if blank => {
                fields.extend(items);
                self.add_list(task, &fields, Source::of(parameter, false));
            }
            _ => {
                let mut fields = vec![headed(&items[..1], b"")];
                fields.extend_from_slice(&items[1..]);
                self.add_list(task, &fields, Source::of(parameter, false));
            }
        }
    }

    /// `${a[@]@K}` and `${a[@]@k}`
    fn pairs(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        symbol: crate::machine::symbol::Symbol,
        letter: u8,
    ) -> Run {
        let value = scope::value(self, task, symbol);
        let joined = matches!(parameter.target, Target::Joined(_));
        let keys = scope::keys(&value);
        let items = scope::items(&value);
        let pairs = keys.iter().zip(&items);
        if letter == b'k' {
            let all: Vec<Text> = pairs
                .flat_map(|(key, item)| [key.clone(), item.clone()])
                .collect();
            self.add_list(task, &all, Source::of(parameter, joined));
            return Ok(());
        }
        let mut text = Vec::new();
        for (key, item) in pairs {
            if !text.is_empty() {
                text.push(b' ');
            }
            text.extend_from_slice(&quote::key(key));
            text.push(b' ');
            text.extend_from_slice(&quote::declared(item));
        }
        if let Value::Associative(_) = value {
            text.push(b' ');
        }
        self.add(task, &text, parameter.quoted);
        Ok(())
    }
}

/// What makes a string again; nothing where there is neither a value nor an attribute.
fn declaration(letters: &str, name: &[u8], value: Option<&[u8]>) -> Vec<u8> {
    let mut text = Vec::new();
    if !letters.is_empty() {
        text.extend_from_slice(format!("declare -{letters} ").as_bytes());
    } else if value.is_none() {
        return text;
    }
    text.extend_from_slice(name);
    if let Some(value) = value {
        text.push(b'=');
        text.extend_from_slice(&quote::reusable(value));
    }
    text
}

/// An array as `declare -p` shows it.
pub fn compound(value: &Value) -> Vec<u8> {
    let mut text = b"(".to_vec();
    match value {
        Value::Indexed(array) => {
            for (number, (index, item)) in array.iter().enumerate() {
                if number > 0 {
                    text.push(b' ');
                }
                text.extend_from_slice(format!("[{index}]=").as_bytes());
                text.extend_from_slice(&quote::declared(item));
            }
        }
        Value::Associative(map) => {
            for (key, item) in map.iter() {
                text.push(b'[');
                text.extend_from_slice(&quote::key(key));
                text.extend_from_slice(b"]=");
                text.extend_from_slice(&quote::declared(item));
                text.push(b' ');
            }
        }
        Value::Unset | Value::Text(_) => {}
    }
    text.push(b')');
    text
}
