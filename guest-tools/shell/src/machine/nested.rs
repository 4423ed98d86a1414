//! Expansions that the machine needs at once: subscripts in text, prompts, compound values in text.
//!
//! They run on the spot; those in which commands run are waited for, see [`super::run::replay`].

use std::rc::Rc;

use super::Machine;
use super::code::Code;
use super::compile;
use super::context::{Element, Failed, Key};
use super::frame::Role;
use super::message::report;
use super::option::{SetOption, Shopt};
use super::run::Trouble;
use super::run::replay::{Answer, Kind};
use super::symbol::Symbol;
use super::task::Task;
use crate::syntax::{self, entry};
use crate::text::Text;

/// How deep such expansions may nest.
const DEEPEST: u32 = 24;

impl Machine {
    fn entry_options(task: &Task) -> syntax::Options {
        syntax::Options {
            extglob: task.state.options.shopt(Shopt::Extglob),
            posix: task.state.options.on(SetOption::Posix),
            remains: syntax::Remains::default(),
        }
    }

    /// Expands the text of a subscript of a variable.
    pub(super) fn expand_subscript(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        text: &[u8],
    ) -> Result<Text, Failed> {
        if !text.iter().any(is_active) {
            return Ok(Text::from(text));
        }
        let keyed = self.has_keys(task, symbol);
        self.expand_subscript_as(task, text, keyed)
    }

    /// Expands the text of a subscript, which is a key or an expression.
    pub(super) fn expand_subscript_as(
        &mut self,
        task: &mut Task,
        text: &[u8],
        keyed: bool,
    ) -> Result<Text, Failed> {
        if !text.iter().any(is_active) {
            return Ok(Text::from(text));
        }
        let compile =
            |machine: &mut Machine, task: &mut Task| machine.subscript_code(task, text, keyed);
        match self.replayed(task, text, Kind::Text, compile) {
            Some(Ok(Answer::Text(text))) => return Ok(text),
            Some(_) => return Err(Failed),
            None => {}
        }
        let code = self.subscript_code(task, text, keyed)?;
        self.run_nested(task, code, |task| {
            task.stacks.operands.pop().unwrap_or_default()
        })
    }

    /// Code that leaves the text of a subscript, expanded.
    pub(super) fn subscript_code(
        &mut self,
        task: &mut Task,
        text: &[u8],
        keyed: bool,
    ) -> Result<Rc<Code>, Failed> {
        let options = Self::entry_options(task);
        let word = match keyed {
            true => entry::word(text, options, task.line),
            false => entry::subscript(text, options, task.line),
        };
        let word = match word {
            Ok(word) => word,
            Err(error) => {
                self.print_syntax_error(task, &error);
                return Err(Failed);
            }
        };
        let settings = self.settings(task);
        Ok(match keyed {
            true => compile::key(&word, &mut self.symbols, settings),
            false => compile::subscript(&word, &mut self.symbols, settings),
        })
    }

    /// Expands a prompt: its escapes, then parameters and substitutions.
    pub(super) fn prompt(&mut self, task: &mut Task, text: &Text) -> Result<Text, Failed> {
        let text = self.prompt_escapes(task, text);
        let active = text.iter().any(|byte| matches!(byte, b'$' | b'`' | b'\\'));
        if !active || !task.state.options.shopt(Shopt::Promptvars) {
            return Ok(Text::from(text));
        }
        let word = entry::document(&text, Self::entry_options(task), task.line);
        let settings = self.settings(task);
        let code = compile::operand(&word, &mut self.symbols, settings);
        match self.replayed(task, &text, Kind::Text, |_, _| Ok(code.clone())) {
            Some(Ok(Answer::Text(text))) => return Ok(text),
            Some(_) => return Err(Failed),
            None => {}
        }
        self.run_nested(task, code, |task| {
            task.stacks.operands.pop().unwrap_or_default()
        })
    }

    /// Expands the words of a text, which `$IFS` separates; no paths.
    pub(super) fn expand_list(&mut self, task: &mut Task, text: &[u8]) -> Vec<Text> {
        let separators = super::scope::get(self, task, super::symbol::known::IFS)
            .unwrap_or_else(|| Text::from(b" \t\n"));
        let noglob = task.state.options.on(SetOption::Noglob);
        task.state.options.set(SetOption::Noglob, true);
        let mut all = Vec::new();
        for piece in pieces(text, &separators) {
            let Ok(word) = entry::word(piece, Self::entry_options(task), task.line) else {
                continue;
            };
            let settings = self.settings(task);
            let code = compile::fields(&word, &mut self.symbols, settings);
            let words = match self.replayed(task, piece, Kind::Words, |_, _| Ok(code.clone())) {
                Some(Ok(Answer::Words(words))) => Ok(words),
                Some(_) => break,
                None => self.run_nested(task, code, |task| task.stacks.take_words()),
            };
            all.extend(words.into_iter().flatten());
        }
        task.state.options.set(SetOption::Noglob, noglob);
        all
    }

    /// Runs a command to its end, in code that can begin again.
    pub(super) fn run_line(&mut self, task: &mut Task, text: &[u8]) -> Result<(), Failed> {
        let line = task.line.max(1);
        let compile = |machine: &mut Machine, task: &mut Task| {
            let list = machine.parser(task, text, line).next(None);
            let list = list.ok().flatten().ok_or(Failed)?;
            let settings = machine.settings(task);
            Ok(compile::list(&list, &mut machine.symbols, settings, line))
        };
        match self.replayed(task, text, Kind::Commands, compile) {
            Some(Ok(_)) => Ok(()),
            Some(Err(Failed)) | None => Err(Failed),
        }
    }

    /// Expands the elements of a compound value in text, of the associative array `keyed` or an
    /// indexed one.
    pub(super) fn expand_elements(
        &mut self,
        task: &mut Task,
        text: &[u8],
        keyed: Option<&[u8]>,
    ) -> Result<Vec<Element>, Failed> {
        let parsed = entry::compound_value(text, Self::entry_options(task), task.line);
        let elements = match parsed {
            Ok(Some(elements)) => elements,
            Ok(None) => {
                return Ok(vec![Element {
                    key: Key::Next,
                    append: false,
                    value: Text::from(text),
                }]);
            }
            Err(error) => {
                self.print_syntax_error(task, &error);
                return Err(Failed);
            }
        };
        let settings = self.settings(task);
        let code = compile::elements(&elements, keyed, &mut self.symbols, settings);
        match self.replayed(task, text, Kind::Elements, |_, _| Ok(code.clone())) {
            Some(Ok(Answer::Elements(elements))) => return Ok(elements),
            Some(_) => return Err(Failed),
            None => {}
        }
        task.stacks.arrays.push(Vec::new());
        let result = self.run_nested(task, code, |task| {
            task.stacks.arrays.pop().unwrap_or_default()
        });
        if result.is_err() {
            task.stacks.arrays.pop();
        }
        result
    }

    /// Runs code that leaves a result on a stack, to its end. None of it waits: where commands run,
    /// [`Machine::replayed`] comes first.
    fn run_nested<T>(
        &mut self,
        task: &mut Task,
        code: Rc<Code>,
        take: impl FnOnce(&mut Task) -> T,
    ) -> Result<T, Failed> {
        if self.nesting >= DEEPEST {
            report(task, b"expansions nested too deep");
            return Err(Failed);
        }
        self.nesting += 1;
        let floor = task.frames.len();
        let blocks = task.blocks.len();
        task.push_frame(code, Role::Nested);
        let result = self.instructions(task, &mut u32::MAX.clone(), floor);
        self.nesting -= 1;
        if result == Err(Trouble::NestedEnd) {
            let taken = take(task);
            if task.frames.len() > floor {
                task.frames.truncate(floor);
            }
            task.blocks.truncate(blocks);
            return Ok(taken);
        }
        if result == Err(Trouble::Blocked) {
            report(task, b"expansion: cannot wait here");
            (task.waiting, task.interests) = (None, Vec::new());
        }
        if let Err(trouble @ Trouble::Exit(_)) = result {
            self.end_after(trouble);
        }
        while task.frames.len() > floor {
            self.pop_frame(task);
        }
        Err(Failed)
    }
}

/// Whether a subscript with this byte has to be expanded.
fn is_active(byte: &u8) -> bool {
    matches!(byte, b'$' | b'`' | b'"' | b'\'' | b'\\')
}

/// The parts of a text between separators that are not quoted.
fn pieces<'t>(text: &'t [u8], separators: &[u8]) -> Vec<&'t [u8]> {
    let mut found = Vec::new();
    let mut start = 0;
    let mut at = 0;
    let mut quote = None;
    let mut depth = 0usize;
    while let Some(&byte) = text.get(at) {
        match (quote, byte) {
            (Some(b'\''), b'\'') | (Some(b'"'), b'"') => quote = None,
            (Some(b'\''), _) => {}
            (_, b'\\') => at += 1,
            (None, b'\'' | b'"') => quote = Some(byte),
            (None, b'(' | b'{') if at > 0 && (text[at - 1] == b'$' || depth > 0) => depth += 1,
            (None, b')' | b'}') => depth = depth.saturating_sub(1),
            (None, byte) if depth == 0 && separators.contains(&byte) => {
                found.push(&text[start..at]);
                start = at + 1;
            }
            _ => {}
        }
        at += 1;
    }
    found.push(&text[start.min(text.len())..]);
    found.retain(|piece| !piece.is_empty());
    found
}
