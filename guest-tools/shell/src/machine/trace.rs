//! `set -x`

use super::code::Use;
use super::context::{ArrayArgument, Element, Key};
use super::option::SetOption;
use super::run::{Run, Trouble};
use super::symbol::{Symbol, known};
use super::task::Task;
use super::{Machine, scope};
use crate::format::quote;
use crate::text::Text;

impl Machine {
    /// Shows a command with its arguments; compound values on lines of their own before it.
    pub(super) fn trace_words(
        &mut self,
        task: &mut Task,
        words: &[Text],
        arrays: &[ArrayArgument],
    ) -> Run {
        let mut line = Vec::new();
        for (index, word) in words.iter().enumerate() {
            if index > 0 {
                line.push(b' ');
            }
            let array = arrays.iter().find(|array| array.index + 1 == index);
            match array.and_then(|array| Some((array.append, array.elements.as_ref()?))) {
                Some((append, elements)) => {
                    let sign: &[u8] = if append { b"+=" } else { b"=" };
                    self.trace(task, &[word, sign, &compound(elements)].concat())?;
                    line.extend_from_slice(word);
                }
                None => line.extend_from_slice(&quote::traced(word)),
            }
        }
        self.trace(task, &line)
    }

    /// Shows an assignment.
    pub(super) fn trace_assignment(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        subscript: Option<&Text>,
        value: &Text,
        append: bool,
    ) -> Run {
        let mut line = self.symbols.name(symbol).to_vec();
        if let Some(subscript) = subscript {
            line.push(b'[');
            line.extend_from_slice(subscript);
            line.push(b']');
        }
        line.extend_from_slice(if append { b"+=" } else { b"=" });
        line.extend_from_slice(&quote::traced_value(value));
        self.trace(task, &line)
    }

    /// Shows `(( ))`, or an expression of `for (( ))`.
    pub(super) fn trace_arithmetic(&mut self, task: &mut Task, text: &Text, usage: Use) -> Run {
        if !task.state.options.on(SetOption::Xtrace) {
            return Ok(());
        }
        let text = match usage {
            Use::Status => text.as_bytes(),
            Use::Test | Use::Discard => text.trim_ascii_start(),
            Use::Append { .. } | Use::Operand => return Ok(()),
        };
        self.trace(task, &[b"(( ", text, b" ))"].concat())
    }

    /// Shows a line after the prompt.
    pub(super) fn trace(&mut self, task: &mut Task, line: &[u8]) -> Run {
        if !task.state.options.on(SetOption::Xtrace) {
            return Ok(());
        }
        let prompt = scope::get(self, task, known::PS4).unwrap_or_default();
        let dynamic = prompt
            .iter()
            .any(|byte| matches!(byte, b'$' | b'`' | b'\\'));
        let prompt = if dynamic {
            task.state.options.set(SetOption::Xtrace, false);
            let status = task.state.status;
            let expanded = self.prompt(task, &prompt);
            task.state.status = status;
            if task.begins_again()
                || self.ends.is_some() && task.state.options.on(SetOption::Errexit)
            {
                return Err(Trouble::Discard(1));
            }
            task.state.options.set(SetOption::Xtrace, true);
            expanded.unwrap_or_else(|_| {
                // An error shows the prompt as it is, and ends nothing.
                (self.gives_up, self.ends) = (false, None);
                prompt
            })
        } else {
            prompt
        };
        let mut text = Vec::new();
        // The first character shows the depth of the shell in shells.
        let first = prompt.utf8_chunks().next().and_then(|chunk| {
            let character = chunk.valid().chars().next();
            character.map_or_else(|| prompt.get(..1), |found| prompt.get(..found.len_utf8()))
        });
        for _ in 0..task.trace_depth() {
            text.extend_from_slice(first.unwrap_or_default());
        }
        text.extend_from_slice(&prompt);
        text.extend_from_slice(line);
        text.push(b'\n');
        let number = scope::get(self, task, known::BASH_XTRACEFD)
            .and_then(|text| crate::arithmetic::plain_integer(&text))
            .and_then(|number| u32::try_from(number).ok())
            .unwrap_or(2);
        task.output.push(number, &text);
        // It is delivered with the output of the command; what fails to be is lost.
        if task.replaying.is_none() {
            let _ = self.deliver(task);
        }
        Ok(())
    }
}

/// A compound value of a declaration builtin.
fn compound(elements: &[Element]) -> Vec<u8> {
    let mut text = b"(".to_vec();
    for (index, element) in elements.iter().enumerate() {
        if index > 0 {
            text.push(b' ');
        }
        if let Key::At(subscript) = &element.key {
            text.push(b'[');
            text.extend_from_slice(&quote::single(subscript));
            text.extend_from_slice(if element.append { b"]+=" } else { b"]=" });
        }
        text.extend_from_slice(&quote::single(&element.value));
    }
    text.push(b')');
    text
}
