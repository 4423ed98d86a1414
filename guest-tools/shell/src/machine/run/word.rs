//! Words and operands, as instructions.
//!
//! A word under way is an `Expansion` on the task's stack: literal and quoted text and values are added to it, and
//! `End…` makes fields, a word or an operand of it. `$x` alone has a short way where its value needs neither splitting
//! nor globbing.

use super::Run;
use super::replay::Call;
use crate::machine::Machine;
use crate::machine::code::{Action, BRACED, Form, Op, Parameter, Target};
use crate::machine::expand::{Expansion, Separators, Source};
use crate::machine::option::SetOption;
use crate::machine::scope;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::text::Text;

impl Machine {
    /// Hands constant text to the word under way.
    #[inline]
    fn with_text(task: &mut Task, index: u32, add: fn(&mut Expansion, &[u8])) {
        let text = task
            .frames
            .last()
            .and_then(|frame| frame.code.texts.get(index as usize));
        if let (Some(text), Some(expansion)) = (text, task.stacks.expansions.last_mut()) {
            add(expansion, text);
        }
    }

    /// Changes the word under way.
    fn with_expansion(task: &mut Task, change: impl FnOnce(&mut Expansion)) {
        if let Some(expansion) = task.stacks.expansions.last_mut() {
            change(expansion);
        }
    }

    /// Instructions that build words and operands.
    pub(super) fn word_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        match op {
            Op::WordVariable(symbol, braced) => return self.word_variable(task, symbol, braced),
            Op::WordQuoted(symbol, braced) => return self.word_quoted(task, symbol, braced),
            Op::Begin(form) => task.stacks.expansions.push(Expansion::new(form)),
            Op::BeginTarget => begin_target(task),
            Op::EndTarget => return self.end_target(task),
            Op::Literal(index) if !is_divided(task) => {
                Self::with_text(task, index, Expansion::literal)
            }
            Op::Glob(index) if !is_divided(task) => Self::with_text(task, index, Expansion::glob),
            Op::Literal(index) | Op::Glob(index) => self.divided_literal(task, index),
            Op::Split(index) => {
                let text = Self::text_of(task, index);
                self.add(task, &text, false);
            }
            Op::SetApart => Self::with_expansion(task, Expansion::set_apart),
            Op::Rejoin => Self::with_expansion(task, Expansion::rejoin),
            Op::Gather => self.with_separators(task, Expansion::gather),
            Op::BeginDividers => Self::with_expansion(task, Expansion::begin_dividers),
            Op::OpenOperand => Self::with_expansion(task, Expansion::begin_operand),
            Op::CloseOperand => Self::with_expansion(task, Expansion::end_operand),
            Op::EndDividers => Self::with_expansion(task, Expansion::end_dividers),
            Op::Divider(byte) => self.with_separators(task, |expansion, separators| {
                expansion.divider(byte, separators);
            }),
            Op::Gathered => Self::with_expansion(task, Expansion::gathered),
            Op::Divide(division) => self.with_separators(task, |expansion, separators| {
                expansion.division = division.with(separators);
            }),
            Op::DivideUnquoted(division) => self.with_separators(task, |expansion, separators| {
                if separators.divide_lists() {
                    expansion.division = division;
                }
            }),
            Op::DivideIfListed(division) => self.with_separators(task, |expansion, separators| {
                expansion.divide_if_listed(division.with(separators));
            }),
            Op::Quoted(index) => Self::with_text(task, index, Expansion::quoted),
            Op::Present => Self::with_expansion(task, Expansion::present),
            Op::Tilde(index) => self.add_home(task, index),
            Op::Variable(symbol, quoted, braced) => {
                return self.variable(task, symbol, quoted, braced);
            }
            Op::Positional(number, quoted) => return self.positional(task, number, quoted),
            Op::Special(name, quoted) => return self.special(task, name, quoted),
            Op::Expand(index)
            | Op::Default(index, _)
            | Op::Alternative(index, _)
            | Op::AssignDefault(index, _)
            | Op::StoreDefault(index)
            | Op::SkipUnset(index, _)
            | Op::Fail(index) => return self.parameter_instruction(task, op, index),
            Op::Substitute(index, quoted, unsplit) => {
                return self.substitute(task, index, quoted, unsplit);
            }
            Op::Process(index, output) => return self.process(task, index, output),
            Op::Arithmetic(index, usage) => return self.constant_arithmetic(task, index, usage),
            Op::Template(index, to, usage) => return self.template(task, index, to, usage),
            Op::Evaluate(usage) => return self.evaluate_operand(task, usage, true),
            Op::Section(usage) => return self.arithmetic_section(task, usage),
            Op::EvaluateSection(usage) => return self.evaluate_operand(task, usage, false),
            Op::EndField => Self::with_expansion(task, Expansion::end_field),
            Op::EndFields => return self.end_fields(task),
            Op::EndWord => {
                let text = self.end_text(task)?;
                task.stacks.words.push(text);
            }
            Op::EndOperand => return self.end_operand(task),
            Op::EndQuoted => return self.end_quoted(task),
            Op::Operand(index) => {
                let text = Self::text_of(task, index);
                task.stacks.operands.push(text);
            }
            Op::OperandVariable(symbol) => {
                task.state.unsplit = false;
                let value = self.bound_value(task, symbol)?;
                task.stacks.operands.push(value);
            }
            Op::Drop => {
                task.stacks.operands.pop();
            }
            _ => return self.element_instruction(task, op),
        }
        Ok(())
    }

    /// Instructions of parameter expansions.
    fn parameter_instruction(&mut self, task: &mut Task, op: Op, index: u32) -> Run {
        let code = Self::code(task);
        let parameter = &code.parameters[index as usize];
        if self.parameter_waits(task, parameter) {
            return self.replay(task, Call::Instruction { op });
        }
        let jump = match op {
            Op::Expand(_) => return self.expand(task, &code, index),
            Op::Default(_, to) => self.default(task, parameter)?.then_some(to),
            Op::Alternative(_, to) => (!self.alternative(task, parameter)?).then_some(to),
            Op::AssignDefault(_, to) => self.assign_default(task, parameter)?.then_some(to),
            Op::StoreDefault(_) => return self.store_default(task, parameter),
            Op::SkipUnset(_, to) => self.skips(task, parameter)?.then_some(to),
            Op::Fail(_) => return self.fail(task, parameter),
            _ => None,
        };
        if let Some(to) = jump {
            Self::jump(task, to);
        }
        Ok(())
    }

    /// Adds text as written to a word whose lists are divided.
    fn divided_literal(&mut self, task: &mut Task, index: u32) {
        let text = Self::text_of(task, index);
        let separators = self.separators(task).without_blank();
        Self::with_expansion(task, |expansion| {
            expansion.divided_literal(&text, &separators)
        });
    }

    /// Changes the word under way by the separators of fields.
    fn with_separators(
        &mut self,
        task: &mut Task,
        change: impl FnOnce(&mut Expansion, &Separators),
    ) {
        let separators = self.separators(task);
        Self::with_expansion(task, |expansion| change(expansion, &separators));
    }

    /// Adds a home directory; the string is what follows `~`.
    fn add_home(&mut self, task: &mut Task, index: u32) {
        let user = Self::text_of(task, index);
        let home = self.tilde(task, &user);
        Self::with_expansion(task, |expansion| match home {
            Some(home) => expansion.quoted(&home),
            None => expansion.glob(&[b"~", user.as_bytes()].concat()),
        });
    }

    /// Ends the target of a redirect.
    fn end_target(&mut self, task: &mut Task) -> Run {
        let whole = |expansion: &&Expansion| expansion.form == Form::Text;
        let Some(expansion) = task.stacks.expansions.last().filter(whole) else {
            return self.end_fields(task);
        };
        let is_word = expansion.current.started();
        let text = self.end_text(task)?;
        task.stacks.words.extend(is_word.then_some(text));
        Ok(())
    }

    /// Ends a word: an operand.
    fn end_operand(&mut self, task: &mut Task) -> Run {
        let form = task.stacks.expansions.last();
        let form = form.map(|expansion| expansion.form);
        task.state.unsplit &= matches!(form, Some(Form::Pattern | Form::Replacement));
        let text = self.end_text(task)?;
        task.stacks.operands.push(text);
        Ok(())
    }

    /// Ends a word and adds it to the one around it, quoted for a subscript.
    fn end_quoted(&mut self, task: &mut Task) -> Run {
        let text = self.end_text(task)?;
        Self::with_expansion(task, |outer| outer.quoted(&quoted_subscript(&text)));
        Ok(())
    }

    /// The value of a variable that must be set under `set -u`.
    fn bound_value(&mut self, task: &mut Task, symbol: Symbol) -> Run<Text> {
        if let Some(value) = scope::get(self, task, symbol) {
            return Ok(value);
        }
        let variables = &task.state.variables;
        if variables.attributes(symbol).has(Attributes::NAMEREF)
            && let Value::Text(target) = variables.value(symbol)
            && target.contains(&b'[')
        {
            // Of an element, bash does not ask.
            return Ok(Text::new());
        }
        let name = self.symbols.name(symbol);
        self.unbound(task, &name)?;
        Ok(Text::new())
    }

    /// A word that is a variable alone, in double quotes.
    fn word_quoted(&mut self, task: &mut Task, symbol: Symbol, braced: bool) -> Run {
        match self.word_value(task, symbol)? {
            Some(value) => task.stacks.words.push(value),
            None => return self.nameref_word(task, symbol, true, braced),
        }
        Ok(())
    }

    /// The value of a variable that is a word; none of a nameref to all elements of an array.
    #[inline]
    fn word_value(&mut self, task: &mut Task, symbol: Symbol) -> Run<Option<Text>> {
        if let Some(variable) = task.state.variables.get(symbol) {
            if !variable.attributes.has(Attributes::SLOW_GET) {
                if let Some(value) = variable.value.scalar() {
                    return Ok(Some(value.clone()));
                }
            } else if self.names_list(task, symbol) {
                return Ok(None);
            }
        }
        self.bound_value(task, symbol).map(Some)
    }

    /// A word that is a nameref to all elements of an array.
    fn nameref_word(&mut self, task: &mut Task, symbol: Symbol, quoted: bool, braced: bool) -> Run {
        task.stacks.expansions.push(Expansion::new(Form::Fields));
        self.nameref_value(task, symbol, quoted, braced)?;
        if quoted && braced {
            Self::with_expansion(task, |expansion| expansion.quoted(b""));
        }
        self.end_fields(task)
    }

    /// A word that is a variable alone, not quoted.
    fn word_variable(&mut self, task: &mut Task, symbol: Symbol, braced: bool) -> Run {
        let Some(value) = self.word_value(task, symbol)? else {
            return self.nameref_word(task, symbol, false, braced);
        };
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.');
        if !value.is_empty() && value.iter().all(plain) && self.default_separators(task) {
            task.stacks.words.push(value);
            return Ok(());
        }
        let mut expansion = Expansion::new(Form::Fields);
        let separators = self.separators(task);
        expansion.value(&value, false, &separators);
        task.stacks.expansions.push(expansion);
        self.end_fields(task)
    }

    /// Whether no letter, digit or `_ / .` separates fields.
    fn default_separators(&mut self, task: &mut Task) -> bool {
        match task.state.variables.value(known::IFS) {
            Value::Unset => true,
            Value::Text(text) => text.as_bytes() == b" \t\n",
            _ => false,
        }
    }

    /// Adds the value of a variable.
    fn variable(&mut self, task: &mut Task, symbol: Symbol, quoted: bool, braced: bool) -> Run {
        if task
            .state
            .variables
            .attributes(symbol)
            .has(Attributes::NAMEREF)
        {
            return self.nameref_value(task, symbol, quoted, braced);
        }
        let value = self.bound_value(task, symbol)?;
        if quoted {
            if let Some(expansion) = task.stacks.expansions.last_mut() {
                expansion.quoted_value(&value);
            }
        } else {
            self.add(task, &value, false);
        }
        Ok(())
    }

    /// Adds the value of what a nameref names. All elements of an array are a list without braces, and one string with
    /// them.
    fn nameref_value(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        quoted: bool,
        braced: bool,
    ) -> Run {
        if !braced && let Some((items, joined)) = self.nameref_list(task, symbol) {
            let source = Source {
                action: Action::Value,
                target: match joined {
                    true => Target::Joined(symbol),
                    false => Target::All(symbol),
                },
                joined,
                quoted,
                inner: false,
            };
            self.add_list(task, &items, source);
            return Ok(());
        }
        let parameter = Parameter {
            target: Target::Variable(symbol),
            indirect: false,
            quoted,
            early: false,
            inner: false,
            action: Action::Value,
            source: Text::new(),
        };
        self.expand_parameter(task, &parameter, Vec::new(), None)
    }

    /// Adds a positional parameter; messages name it with or without a dollar, as it was written.
    fn positional(&mut self, task: &mut Task, number: u32, quoted: bool) -> Run {
        let braced = number & BRACED != 0;
        let number = number & !BRACED;
        let value = match number {
            0 => Some(task.state.name.clone()),
            number => task
                .state
                .positional
                .as_slice()
                .get(number as usize - 1)
                .cloned(),
        };
        match value {
            Some(value) => self.add(task, &value, quoted),
            None if braced => self.unbound(task, number.to_string().as_bytes())?,
            None => self.unbound(task, format!("${number}").as_bytes())?,
        }
        Ok(())
    }

    /// Adds a special parameter, or a list of all positional ones.
    fn special(&mut self, task: &mut Task, name: u8, quoted: bool) -> Run {
        if matches!(name, b'@' | b'*') {
            let items = task.state.positional.clone();
            let source = Source {
                action: Action::Value,
                target: Target::Special(name),
                joined: name == b'*',
                quoted,
                inner: false,
            };
            self.add_list(task, items.as_slice(), source);
            return Ok(());
        }
        match self.special_parameter(task, name) {
            Some(value) => self.add(task, &value, quoted),
            None => self.unbound(task, &[b'$', name])?,
        }
        Ok(())
    }

    /// Ends the word under way as one text, within the budget of expansions.
    fn end_text(&mut self, task: &mut Task) -> Run<Text> {
        let Some(expansion) = task.stacks.expansions.pop() else {
            return Ok(Text::new());
        };
        self.check_expansion(task, expansion.size())?;
        Ok(expansion.into_text())
    }
}

/// Begins the target of a redirect: in posix mode it is not split and stands for no paths.
fn begin_target(task: &mut Task) {
    let posix = task.state.options.on(SetOption::Posix) && !task.state.interactive;
    let form = if posix { Form::Text } else { Form::Fields };
    task.stacks.expansions.push(Expansion::new(form));
}

/// A text as it stands in a subscript that is expanded once more.
fn quoted_subscript(text: &[u8]) -> Vec<u8> {
    let mut quoted = Vec::with_capacity(text.len());
    for &byte in text {
        if b"[]$`~\\'\"".contains(&byte) {
            quoted.push(b'\\');
        }
        quoted.push(byte);
    }
    quoted
}

/// Whether lists in the word under way are divided.
fn is_divided(task: &Task) -> bool {
    task.stacks
        .expansions
        .last()
        .is_some_and(Expansion::is_divided)
}
