//! `$(…)`: references to variables and functions (GNU make manual, "How to Use Variables").
//!
//! Expansion is by textual recursion: a recursive variable is expanded anew at each use, a simple one never. What
//! looks like a function call but names no function is a reference to a variable of that odd name, which is mostly
//! empty.
//!
//! ```text
//! $x          the variable x             $(a:%.c=%.o)  patsubst on each word
//! $(name)     ${name}                    $(a:.c=.o)    the same
//! $$          a dollar                   $(@D) $(^F)   folder and file parts of an automatic variable
//! ```

use super::functions::is_function;
use super::parse::{self, Definition, Operator};
use super::variables::{Flavor, Origin};
use super::{Make, Outcome};

/// Nested this deep an expansion ends with an error instead of using up the stack, which `a = $(call a)` would.
const DEPTH: usize = 200;

impl Make {
    /// The text with all references replaced.
    ///
    /// # Errors
    /// `Fatal` with the present place: an unterminated reference, a recursive variable that contains itself, what a
    /// function refuses.
    pub fn expand(&mut self, text: &str) -> Outcome<String> {
        self.expand_at(text, 0)
    }

    /// The same inside of `depth` others.
    pub fn expand_at(&mut self, text: &str, depth: usize) -> Outcome<String> {
        if depth > DEPTH {
            return self.fatal("expansion is nested too deeply");
        }
        let mut out = String::with_capacity(text.len());
        let mut rest = text;
        while let Some(at) = rest.find('$') {
            out.push_str(&rest[..at]);
            rest = &rest[at + 1..];
            let Some(letter) = rest.chars().next() else {
                break;
            };
            let close = match letter {
                '$' => {
                    out.push('$');
                    rest = &rest[1..];
                    continue;
                }
                '(' => ')',
                '{' => '}',
                other => {
                    out.push_str(&self.value(&rest[..other.len_utf8()], depth)?);
                    rest = &rest[other.len_utf8()..];
                    continue;
                }
            };
            let Some(end) = closing(rest, letter, close) else {
                return self.unterminated(&rest[1..], close);
            };
            let inner = &rest[1..end];
            out.push_str(&self.reference(inner, letter, depth + 1)?);
            rest = &rest[end + 1..];
        }
        out.push_str(rest);
        Ok(out)
    }

    /// The error for a reference without its closing bracket.
    fn unterminated<T>(&self, inner: &str, close: char) -> Outcome<T> {
        match called(inner).filter(|(name, _)| is_function(name)) {
            Some((name, _)) => self.refuse(&format!(
                "unterminated call to function '{name}': missing '{close}'"
            )),
            None => self.refuse("unterminated variable reference"),
        }
    }

    /// What stands between `$(` and `)`, or between other brackets of which `open` is the first.
    ///
    /// A function call is told from a variable by a blank after a name that `functions` knows.
    fn reference(&mut self, inner: &str, open: char, depth: usize) -> Outcome<String> {
        if let Some((name, arguments)) = called(inner)
            && let Some(result) = self.function(name, arguments, open, depth)?
        {
            return Ok(result);
        }
        if let Some(colon) = parse::find(inner, ':')
            && let Some(equals) = inner[colon..].find('=')
        {
            let name = self.expand_at(&inner[..colon], depth)?;
            let from = self.expand_at(&inner[colon + 1..colon + equals], depth)?;
            let to = self.expand_at(&inner[colon + equals + 1..], depth)?;
            let value = self.value(&name, depth)?;
            let (from, to) = match parse::percent(&from).1.is_some() {
                true => (from, to),
                false => (format!("%{from}"), format!("%{to}")),
            };
            return Ok(super::text::substitute(&from, &to, &value));
        }
        let name = self.expand_at(inner, depth)?;
        let named = name.starts_with(|first: char| first.is_alphanumeric() || first == '_');
        if self.settings.warn_undefined && named && self.variables.get_mut(&name).is_none() {
            self.warn(&format!("warning: undefined variable '{name}'"));
        }
        self.value(&name, depth)
    }

    /// The expanded value of a variable.
    ///
    /// A variable that is not set is empty.
    pub fn value(&mut self, name: &str, depth: usize) -> Outcome<String> {
        let Some(variable) = self.variables.get_mut(name) else {
            return self.part_of_automatic(name, depth);
        };
        let value = variable.value.clone();
        if variable.flavor == Flavor::Simple {
            return Ok(value);
        }
        if variable.expanding {
            return Err(super::Fatal {
                place: variable.place.clone(),
                message: format!("Recursive variable '{name}' references itself (eventually)"),
            });
        }
        variable.expanding = true;
        let place = variable.place.clone().or_else(|| self.within.clone());
        let outer = std::mem::replace(&mut self.within, place);
        let result = self.expand_at(&value, depth + 1);
        self.within = outer;
        if let Some(variable) = self.variables.get_mut(name) {
            variable.expanding = false;
        }
        result
    }

    /// `$(@D)` and `$(@F)`.
    ///
    /// Any other name without a variable is empty.
    fn part_of_automatic(&mut self, name: &str, depth: usize) -> Outcome<String> {
        let mut letters = name.chars();
        let (Some(sign), Some(part), None) = (letters.next(), letters.next(), letters.next())
        else {
            return Ok(String::new());
        };
        if !"@<^+?*%|".contains(sign) {
            return Ok(String::new());
        }
        let value = self.value(&sign.to_string(), depth)?;
        let each = |word: &str| match (part, word.rfind('/')) {
            ('D', Some(0)) => Some("/".to_owned()),
            ('D', Some(at)) => Some(word[..at].to_owned()),
            ('D', None) => Some(".".to_owned()),
            ('F', at) => Some(word[at.map_or(0, |at| at + 1)..].to_owned()),
            _ => None,
        };
        let words: Option<Vec<String>> = value.split_whitespace().map(each).collect();
        Ok(words.map_or_else(String::new, |words| words.join(" ")))
    }

    /// Sets what a definition says. `inner` is for the scope of the target that is being made, none for the global
    /// one.
    ///
    /// `+=` keeps the flavor of what it appends to; `?=` does nothing where the variable is set at all; `!=` runs a
    /// command. The variables `MAKEFLAGS` and `.DEFAULT_GOAL` take effect at once.
    pub fn define(
        &mut self,
        definition: &Definition,
        origin: Origin,
        inner: Option<()>,
    ) -> Outcome<()> {
        let name = self.expand(&definition.name)?;
        let name = name.trim();
        if name.is_empty() {
            return self.fatal("empty variable name");
        }
        let known = self.variables.get(name).cloned();
        let value = &definition.value;
        let (value, flavor) = match definition.operator {
            Operator::Recursive => (value.clone(), Flavor::Recursive),
            Operator::Simple => (self.expand(value)?, Flavor::Simple),
            Operator::Immediate => (self.expand(value)?.replace('$', "$$"), Flavor::Recursive),
            Operator::Conditional if known.is_some() => return Ok(()),
            Operator::Conditional => (value.clone(), Flavor::Recursive),
            Operator::Shell => {
                let command = self.expand(value)?;
                (self.shell(&command)?.replace('$', "$$"), Flavor::Recursive)
            }
            Operator::Append => match &known {
                None => (value.clone(), Flavor::Recursive),
                Some(known) => {
                    let added = match known.flavor {
                        Flavor::Simple => self.expand(value)?,
                        Flavor::Recursive => value.clone(),
                    };
                    let whole = match known.value.is_empty() {
                        true => added,
                        false => format!("{} {added}", known.value),
                    };
                    (whole, known.flavor)
                }
            },
        };
        match inner {
            Some(()) => self.variables.set_inner(name, &value, flavor, origin),
            None => self.variables.set(name, &value, flavor, origin),
        }
        let place = self.place.clone();
        if let Some(variable) = self.variables.get_mut(name) {
            variable.place = place;
        }
        match name {
            "MAKEFLAGS" => self.add_flags(&value),
            ".DEFAULT_GOAL" => self.default_goal = None,
            _ => {}
        }
        Ok(())
    }

    /// `MAKEFLAGS += -s` in a makefile.
    ///
    /// Only flags that may still change anything are looked at.
    fn add_flags(&mut self, value: &str) {
        for word in value.split_whitespace() {
            match word {
                "--no-print-directory" => self.settings.print_directory = Some(false),
                "--silent" | "--quiet" => self.settings.silent = true,
                "--keep-going" => self.settings.keep_going = true,
                "--no-builtin-rules" => self.settings.no_builtin_rules = true,
                _ if word.starts_with("--") => {}
                letters => {
                    self.settings.silent |= letters.contains('s');
                    self.settings.keep_going |= letters.contains('k');
                    self.settings.no_builtin_rules |= letters.contains('r');
                }
            }
        }
    }
}

/// The name and the arguments where a reference has the form of a function call.
fn called(inner: &str) -> Option<(&str, &str)> {
    let end = inner.find(|letter: char| !letter.is_ascii_alphanumeric() && letter != '-')?;
    let (name, rest) = inner.split_at(end);
    rest.starts_with([' ', '\t', '\n'])
        .then(|| (name, rest.trim_start()))
}

/// Where the reference that begins a text ends. Only brackets of its own kind count: `$(a{b)` is one reference.
fn closing(text: &str, open: char, close: char) -> Option<usize> {
    let mut depth = 0;
    for (at, letter) in text.char_indices() {
        if letter == open {
            depth += 1;
        } else if letter == close {
            depth -= 1;
            if depth == 0 {
                return Some(at);
            }
        }
    }
    None
}
