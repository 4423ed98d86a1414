//! The instructions.

use std::borrow::Cow;
use std::rc::Rc;

use super::replay::Call;
use super::{Run, Trouble};
use crate::arithmetic::Expression;
use crate::machine::code::{Action, BRACED, Code, Form, Op, Target, Use};
use crate::machine::context::{Element, Failed, Key};
use crate::machine::control;
use crate::machine::expand::{Expansion, Source};
use crate::machine::frame::{BlockKind, Evaluation, Role};
use crate::machine::message::{fault, report};
use crate::machine::option::SetOption;
use crate::machine::process::is_replaced;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::machine::{Limit, Machine, arithmetic, scope};
use crate::syntax::SyntaxErrorKind;
use crate::text::Text;

impl Machine {
    /// Runs instructions of the frames above `floor` until there is trouble, `slice` is used up or
    /// a signal arrived.
    pub(in crate::machine) fn instructions(
        &mut self,
        task: &mut Task,
        slice: &mut u32,
        floor: usize,
    ) -> Run {
        while *slice > 0 && task.signals.is_empty() {
            if task.frames.len() <= floor {
                return Ok(());
            }
            *slice -= 1;
            let Some(frame) = task.frames.last_mut() else {
                return Err(Trouble::Exit(task.state.status));
            };
            match frame.code.ops.get(frame.next) {
                Some(&op) => {
                    frame.next += 1;
                    if floor == 0 && (self.is_careful(task) || self.instruction_waits(task, op)) {
                        self.replay(task, Call::Instruction { op })?;
                    } else {
                        self.instruction(task, op)?;
                    }
                }
                None => self.end_frame(task)?,
            }
        }
        Ok(())
    }

    #[inline]
    fn code(task: &Task) -> Rc<Code> {
        // An instruction comes from a frame.
        task.frames
            .last()
            .map(|frame| frame.code.clone())
            .unwrap_or_default()
    }

    pub(super) fn jump(task: &mut Task, to: u32) {
        if let Some(frame) = task.frames.last_mut() {
            frame.next = to as usize;
        }
    }

    #[inline]
    fn text_of(task: &Task, index: u32) -> Text {
        let frame = task.frames.last();
        let text = frame.and_then(|frame| frame.code.texts.get(index as usize));
        text.cloned().unwrap_or_default()
    }

    /// Hands constant text to the word under way.
    #[inline]
    fn with_text(task: &mut Task, index: u32, add: fn(&mut Expansion, &[u8])) {
        let text = task
            .frames
            .last()
            .and_then(|frame| frame.code.texts.get(index as usize));
        if let (Some(text), Some(expansion)) = (text, task.expansions.last_mut()) {
            add(expansion, text);
        }
    }

    fn with_expansion(task: &mut Task, change: impl FnOnce(&mut Expansion)) {
        if let Some(expansion) = task.expansions.last_mut() {
            change(expansion);
        }
    }

    pub(super) fn instruction(&mut self, task: &mut Task, op: Op) -> Run {
        match op {
            Op::Jump(to) => Self::jump(task, to),
            Op::JumpIfFailed(to) => {
                if task.state.status != 0 {
                    Self::jump(task, to);
                }
            }
            Op::JumpIfSucceeded(to) => {
                if task.state.status == 0 {
                    Self::jump(task, to);
                }
            }
            Op::JumpIfZero(to) => {
                if task.zero {
                    Self::jump(task, to);
                }
            }
            Op::Status(status) => task.state.status = status,
            Op::Negate => task.state.status = u8::from(task.state.status == 0),
            Op::PipeStatus => super::set_status(task, task.state.status),
            Op::Refuse(words) => {
                if words && is_replaced(task) && self.is_external(task) {
                    control::pass_check(task);
                }
                let words = if words { task.take_words() } else { Vec::new() };
                task.state.last_argument = words.last().cloned().unwrap_or_default();
                super::set_status(task, task.state.status);
            }
            Op::Line(line) => {
                task.line = line;
                task.checked_line = line;
            }
            Op::At(line) => task.line = line,
            Op::Source(index) => return self.source(task, index),
            Op::Name(index) => self.name(task, index),
            Op::NameTrapped(index) => self.name_trapped(task, index),
            Op::SkipRefused(to) => {
                if std::mem::take(&mut task.refused) {
                    task.state.status = 0;
                    Self::jump(task, to);
                }
            }
            Op::Check(_) => return self.check(task),
            Op::CheckInShell(_) if task.frames.len() > 1 => return self.check(task),
            Op::CheckInShell(_) => {}
            Op::Suppress(on) => {
                if let Some(frame) = task.frames.last_mut() {
                    frame.suppression.change(on);
                }
            }
            Op::SuppressNegated(level, begins) => {
                let acts = task.state.options.on(SetOption::Errexit);
                if let Some(frame) = task.frames.last_mut() {
                    frame.suppression.change_negated(level, begins, acts);
                }
            }
            Op::Trace(index) => {
                if task.state.options.on(SetOption::Xtrace) {
                    let text = Self::text_of(task, index);
                    return self.trace(task, &text);
                }
            }
            Op::Loop(_)
            | Op::LoopStep(_)
            | Op::For(..)
            | Op::ForPositional(..)
            | Op::ForTest
            | Op::ForDrop
            | Op::ForNext
            | Op::SelectMenu
            | Op::SelectNext
            | Op::LoopName(..)
            | Op::KeepStatus
            | Op::RestoreStatus => return self.loop_instruction(task, op),
            Op::Leave => self.leave_block(task),
            Op::Mark => {
                if !task.process_descriptors.is_empty() {
                    self.close_processes(task);
                }
                task.substituted = None;
                task.marks.push(task.words.len());
            }
            Op::MarkWithin => task.marks.push(task.words.len()),
            Op::Bare => {
                if !task.process_descriptors.is_empty() {
                    self.close_processes(task);
                }
                task.substituted = None;
            }
            Op::Words(index) => {
                let frame = task.frames.last();
                if let Some(words) = frame.and_then(|frame| frame.code.words.get(index as usize)) {
                    task.words.extend_from_slice(words);
                }
            }
            Op::TooLarge(index) => {
                let text = Self::text_of(task, index);
                report(task, &text);
                return Err(Trouble::Exceeded(Limit::Expansion));
            }
            Op::Assign(symbol, append) => return self.assign(task, symbol, append),
            Op::Temporary(symbol, append) => {
                return self.trace_temporary(task, symbol, append);
            }
            Op::TemporaryShown(symbol, append) => {
                return self.assign_temporary(task, symbol, append);
            }
            Op::RefuseReadonly(symbol, to) => return self.refuse_readonly(task, symbol, to),
            Op::TraceValue(symbol, depth, append) => {
                if task.state.options.on(SetOption::Xtrace) && !self.is_readonly(task, symbol) {
                    let value = task.operands.iter().rev().nth(depth as usize).cloned();
                    self.trace_assignment(task, symbol, None, &value.unwrap_or_default(), append)?;
                }
            }
            Op::Assigned => self.assigned(task),
            Op::Environment => self.environment_begin(task),
            Op::Redirects => {
                // What was said before does not go where they lead.
                if !task.output.is_empty() {
                    let _ = self.deliver(task);
                }
                task.push_block(BlockKind::Redirects(Vec::new()));
            }
            Op::Input(given) => {
                if let Some(block) = task.blocks.last_mut() {
                    block.input = Some(given);
                }
            }
            Op::KeepRedirects => {
                let given = task.blocks.pop().and_then(|block| block.input);
                task.state.has_input = given.unwrap_or(task.state.has_input);
            }
            Op::External(index, to, sure) => {
                if (sure || task.state.options.on(SetOption::Nounset)) && self.is_external(task) {
                    Self::jump(task, to);
                    return self.external(task, index);
                }
            }
            Op::Redirect(index, to) => {
                // What the redirects before it said does not go where it leads.
                if !task.output.is_empty() {
                    let _ = self.deliver(task);
                }
                let code = Self::code(task);
                if !self.redirect(task, &code.redirects[index as usize])? {
                    if task.begins_again() || self.gives_up {
                        return Err(Trouble::Discard(1));
                    }
                    // The redirects before it hold for its message.
                    let _ = self.deliver(task);
                    task.state.status = 1;
                    if is_before_special(task) {
                        return Err(control::thrown(task, 1));
                    }
                    // A command that has a name counts as run.
                    let named = task
                        .marks
                        .last()
                        .is_some_and(|start| *start < task.words.len());
                    task.reads &= !named;
                    Self::jump(task, to);
                }
            }
            Op::Run => return self.run_command(task),
            Op::TraceWords => return self.trace_command(task),
            Op::Subshell(index) => return self.subshell(task, index),
            Op::Pipeline(index) => return self.pipeline(task, index),
            Op::Background(code, text) => return self.background(task, code, text),
            Op::Coprocess(code, name) => return self.coprocess(task, code, name),
            Op::Define(index) => return self.define(task, index),
            Op::CaseConstant(..) | Op::Case(_) => self.case(task, op),
            Op::CaseKeep => {
                let place = task.operands.len().saturating_sub(2);
                if let Some(kept) = task.operands.get_mut(place) {
                    *kept = Text::from(i64::from(task.state.status));
                }
            }
            Op::KeptStatus => {
                let kept = task.operands.last();
                let status = kept.and_then(|text| crate::arithmetic::plain_integer(text));
                let status = status.and_then(|status| u8::try_from(status).ok());
                // That of a substitution since is newer.
                task.state.status = task.substituted.or(status).unwrap_or_default();
            }
            Op::CaseStatus => {
                let kept = task.operands.iter().rev().nth(1);
                let status = kept.and_then(|text| crate::arithmetic::plain_integer(text));
                task.state.status = status
                    .and_then(|status| u8::try_from(status).ok())
                    .unwrap_or(0);
            }
            Op::TestWord(_)
            | Op::TestUnary(..)
            | Op::TestBinary(..)
            | Op::TestMatch(..)
            | Op::Tested => return self.test_instruction(task, op),
            Op::Error(index) => {
                let text = Self::text_of(task, index);
                fault(self, task, &text);
                return Err(Trouble::Discard(1));
            }
            Op::RefuseAssignment(index) => {
                let text = Self::text_of(task, index);
                report(task, &text);
                return control::refused_before(task);
            }
            Op::SyntaxError(index) => {
                let code = Self::code(task);
                let error = &code.errors[index as usize];
                self.print_substituted_error(task, error);
                let compound = error.kind == SyntaxErrorKind::CompoundValue;
                task.state.status = match error.substituted || compound {
                    true => 1,
                    false => 2,
                };
            }
            Op::Time(portable) => {
                let times = (self.os.monotonic(), portable);
                task.timers.push(times);
            }
            Op::Timed => self.report_time(task),
            Op::Copy => return self.copy_input(task, Vec::new()),
            _ => return self.word_instruction(task, op),
        }
        Ok(())
    }

    /// Instructions that build words and operands.
    fn word_instruction(&mut self, task: &mut Task, op: Op) -> Run {
        match op {
            Op::WordVariable(symbol) => return self.word_variable(task, symbol),
            Op::WordQuoted(symbol) => {
                let value = self.bound_value(task, symbol)?;
                task.words.push(value);
            }
            Op::Begin(form) => task.expansions.push(Expansion::new(form)),
            Op::BeginTarget => {
                let posix = task.state.options.on(SetOption::Posix) && !task.state.interactive;
                let form = if posix { Form::Text } else { Form::Fields };
                task.expansions.push(Expansion::new(form));
            }
            Op::EndTarget => {
                let whole = |expansion: &&Expansion| expansion.form == Form::Text;
                if let Some(expansion) = task.expansions.last().filter(whole) {
                    let is_word = expansion.current.started();
                    let text = self.end_text(task)?;
                    task.words.extend(is_word.then_some(text));
                } else {
                    return self.end_fields(task);
                }
            }
            Op::Literal(index) if !is_divided(task) => {
                Self::with_text(task, index, Expansion::literal);
            }
            Op::Glob(index) if !is_divided(task) => {
                Self::with_text(task, index, Expansion::glob);
            }
            Op::Literal(index) | Op::Glob(index) => {
                let text = Self::text_of(task, index);
                let separators = self.separators(task).without_blank();
                Self::with_expansion(task, |expansion| {
                    expansion.divided_literal(&text, &separators);
                });
            }
            Op::Split(index) => {
                let text = Self::text_of(task, index);
                self.add(task, &text, false);
            }
            Op::SetApart => Self::with_expansion(task, Expansion::set_apart),
            Op::Rejoin => Self::with_expansion(task, Expansion::rejoin),
            Op::Gather => {
                let separators = self.separators(task);
                Self::with_expansion(task, |expansion| expansion.gather(&separators));
            }
            Op::BeginDividers => Self::with_expansion(task, Expansion::begin_dividers),
            Op::OpenOperand => Self::with_expansion(task, Expansion::begin_operand),
            Op::CloseOperand => Self::with_expansion(task, Expansion::end_operand),
            Op::EndDividers => Self::with_expansion(task, Expansion::end_dividers),
            Op::Divider(byte) => {
                let separators = self.separators(task);
                Self::with_expansion(task, |expansion| expansion.divider(byte, &separators));
            }
            Op::Gathered => Self::with_expansion(task, Expansion::gathered),
            Op::Divide(division) => {
                let division = division.with(&self.separators(task));
                Self::with_expansion(task, |expansion| expansion.division = division);
            }
            Op::DivideUnquoted(division) => {
                let divides = self.separators(task).divide_lists();
                if let Some(expansion) = task.expansions.last_mut().filter(|_| divides) {
                    expansion.division = division;
                }
            }
            Op::DivideIfListed(division) => {
                let division = division.with(&self.separators(task));
                Self::with_expansion(task, |expansion| expansion.divide_if_listed(division));
            }
            Op::Quoted(index) => Self::with_text(task, index, Expansion::quoted),
            Op::Present => Self::with_expansion(task, Expansion::present),
            Op::Tilde(index) => {
                let user = Self::text_of(task, index);
                let home = self.tilde(task, &user);
                if let Some(expansion) = task.expansions.last_mut() {
                    match home {
                        Some(home) => expansion.quoted(&home),
                        None => expansion.glob(&[b"~", user.as_bytes()].concat()),
                    }
                }
            }
            Op::Variable(symbol, quoted) => return self.variable(task, symbol, quoted),
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
            Op::Arithmetic(index, usage) => {
                let code = Self::code(task);
                let text = &code.expressions[index as usize];
                self.trace_arithmetic(task, &text.text, usage)?;
                let expression = text
                    .parsed
                    .get_or_init(|| self.parse_expression(&text.text));
                return self.arithmetic_value(task, expression, &[], usage);
            }
            Op::Template(index, to, usage) => return self.template(task, index, to, usage),
            Op::Evaluate(usage) => {
                let text = task.operand();
                self.trace_arithmetic(task, &text, usage)?;
                let expression = self.parse_expression(&text);
                return self.arithmetic_value(task, &expression, &[], usage);
            }
            Op::Section(usage) => return self.arithmetic_section(task, usage),
            Op::EvaluateSection(usage) => {
                let text = task.operand();
                let expression = self.parse_expression(&text);
                return self.arithmetic_value(task, &expression, &[], usage);
            }
            Op::EndField => {
                if let Some(expansion) = task.expansions.last_mut() {
                    expansion.end_field();
                }
            }
            Op::EndFields => return self.end_fields(task),
            Op::EndWord => {
                let text = self.end_text(task)?;
                task.words.push(text);
            }
            Op::EndOperand => {
                let form = task.expansions.last().map(|expansion| expansion.form);
                task.state.unsplit &= matches!(form, Some(Form::Pattern | Form::Replacement));
                let text = self.end_text(task)?;
                task.operands.push(text);
            }
            Op::EndQuoted => {
                let text = self.end_text(task)?;
                if let Some(outer) = task.expansions.last_mut() {
                    outer.quoted(&quoted_subscript(&text));
                }
            }
            Op::Operand(index) => {
                let text = Self::text_of(task, index);
                task.operands.push(text);
            }
            Op::OperandVariable(symbol) => {
                task.state.unsplit = false;
                let value = self.operand_variable(task, symbol)?;
                task.operands.push(value);
            }
            Op::Drop => {
                task.operands.pop();
            }
            Op::AssignElement(symbol, append, text) => {
                let subscript = task.operand();
                let value = task.operand();
                if task.state.options.on(SetOption::Xtrace) {
                    let written = Self::text_of(task, text);
                    self.trace_assignment(task, symbol, Some(&written), &value, append)?;
                }
                if subscript.is_empty() && self.has_keys(task, symbol) {
                    let written = Self::text_of(task, text);
                    let name = self.symbols.name(symbol);
                    let tail = b"]: bad array subscript".as_slice();
                    fault(
                        self,
                        task,
                        &[name.as_bytes(), b"[", &written, tail].concat(),
                    );
                    return Err(assignment_failed(self.gives_up, task));
                }
                let written = Self::text_of(task, text);
                scope::set_element(self, task, symbol, (&subscript, &written), value, append)
                    .map_err(|Failed| assignment_failed(self.gives_up, task))?;
                return self.check_variables(task);
            }
            Op::JumpIfBare(to) if !super::assignment::has_words(task) => {
                task.marks.pop();
                Self::jump(task, to);
            }
            Op::JumpIfAssociative(symbol, to) if self.has_keys(task, symbol) => {
                Self::jump(task, to);
            }
            Op::ArrayDeclare(symbol) => {
                scope::begin_array(self, task, symbol)
                    .map_err(|Failed| assignment_failed(self.gives_up, task))?;
            }
            Op::ArrayBegin => task.arrays.push(Vec::new()),
            Op::JumpIfDeclaresKeys(symbol, to) if self.declares_keys(task, symbol) => {
                Self::jump(task, to);
            }
            Op::ArrayFields => {
                let words = task.take_words();
                if let Some(elements) = task.arrays.last_mut() {
                    elements.extend(words.into_iter().map(|value| Element {
                        key: Key::Next,
                        append: false,
                        value,
                    }));
                }
            }
            Op::ArrayElement(append) => {
                let value = task.operand();
                let key = Key::At(task.operand());
                task.add_element(key, append, value);
            }
            Op::ArrayKey(append, text) => {
                let value = task.operand();
                let key = task.operand();
                match key.is_empty() {
                    true => task.add_element(Key::Refused, false, Self::text_of(task, text)),
                    false => task.add_element(Key::At(key), append, value),
                }
            }
            Op::ArrayRefused(text) => {
                task.add_element(Key::Refused, false, Self::text_of(task, text));
            }
            Op::ArrayAssign(symbol, append) => {
                let elements = task.arrays.pop().unwrap_or_default();
                scope::assign_elements(self, task, symbol, elements, append)
                    .map_err(|Failed| assignment_failed(self.gives_up, task))?;
                return self.check_variables(task);
            }
            Op::ElementArgument => Self::note_argument(task),
            Op::ArrayArgument(symbol, append) => self.array_argument(task, symbol, append),
            _ => {}
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

    /// Whether a name leads to an associative array.
    pub(in crate::machine) fn has_keys(&mut self, task: &mut Task, symbol: Symbol) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        if !attributes.has(Attributes::NAMEREF) {
            return attributes.has(Attributes::ASSOCIATIVE);
        }
        let place = scope::resolve_quietly(self, task, symbol);
        let symbol = place.map_or(symbol, |place| place.symbol);
        let attributes = task.state.variables.attributes(symbol);
        attributes.has(Attributes::ASSOCIATIVE)
    }

    /// Whether the words since the mark declare an associative array of this name.
    fn declares_keys(&mut self, task: &mut Task, symbol: Symbol) -> bool {
        let start = task.marks.last().copied().unwrap_or(0);
        let words = task.words.get(start..).unwrap_or_default();
        let options = words.iter().filter(|word| word.starts_with(b"-"));
        let given = |letter: u8| options.clone().any(|word| word.contains(&letter));
        let (keyed, global) = (given(b'A'), given(b'g'));
        let marks = |word: &Text| matches!(word.as_bytes(), b"export" | b"readonly");
        let local = task.state.calls.in_function() && !global && !words.first().is_some_and(marks);
        keyed || (!local || scope::is_local(task, symbol)) && self.has_keys(task, symbol)
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

    /// The value of an assignment that is a variable alone; an array named by a nameref is joined.
    fn operand_variable(&mut self, task: &mut Task, symbol: Symbol) -> Run<Text> {
        self.bound_value(task, symbol)
    }

    fn word_variable(&mut self, task: &mut Task, symbol: Symbol) -> Run {
        let value = self.bound_value(task, symbol)?;
        let plain = |byte: &u8| byte.is_ascii_alphanumeric() || matches!(byte, b'_' | b'/' | b'.');
        if !value.is_empty() && value.iter().all(plain) && self.default_separators(task) {
            task.words.push(value);
            return Ok(());
        }
        let mut expansion = Expansion::new(Form::Fields);
        let separators = self.separators(task);
        expansion.value(&value, false, &separators);
        task.expansions.push(expansion);
        self.end_fields(task)
    }

    /// Whether no letter, digit or `_ / .` separates fields.
    fn default_separators(&mut self, task: &mut Task) -> bool {
        match task
            .state
            .variables
            .value(crate::machine::symbol::known::IFS)
        {
            Value::Unset => true,
            Value::Text(text) => text.as_bytes() == b" \t\n",
            _ => false,
        }
    }

    fn variable(&mut self, task: &mut Task, symbol: Symbol, quoted: bool) -> Run {
        if task
            .state
            .variables
            .attributes(symbol)
            .has(Attributes::NAMEREF)
        {
            return self.nameref_value(task, symbol, quoted);
        }
        let value = self.bound_value(task, symbol)?;
        if quoted {
            if let Some(expansion) = task.expansions.last_mut() {
                expansion.quoted_value(&value);
            }
        } else {
            self.add(task, &value, false);
        }
        Ok(())
    }

    fn nameref_value(&mut self, task: &mut Task, symbol: Symbol, quoted: bool) -> Run {
        let parameter = crate::machine::code::Parameter {
            target: crate::machine::code::Target::Variable(symbol),
            indirect: false,
            quoted,
            early: false,
            inner: false,
            action: crate::machine::code::Action::Value,
            source: Text::new(),
        };
        self.expand_parameter(task, &parameter, Vec::new(), None)
    }

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

    fn end_text(&mut self, task: &mut Task) -> Run<Text> {
        let Some(expansion) = task.expansions.pop() else {
            return Ok(Text::new());
        };
        self.check_expansion(task, expansion.size())?;
        Ok(expansion.into_text())
    }

    #[inline(never)]
    fn arithmetic_value(
        &mut self,
        task: &mut Task,
        expression: &Rc<Expression>,
        holes: &[i64],
        usage: Use,
    ) -> Run {
        let prefix = self.arithmetic_prefix(task, usage);
        let progress = self.begin_evaluation(task, expression, holes, &prefix);
        self.arithmetic_progress(task, progress, usage)
    }

    /// An expression of `for (( ))` is about to be evaluated.
    fn arithmetic_section(&mut self, task: &mut Task, usage: Use) -> Run {
        let text = task.operands.last().cloned().unwrap_or_default();
        self.trace_arithmetic(task, &text, usage)?;
        if task.trap_status().is_none() && task.control.around.traps.is_empty() {
            task.command = Text::from([b"((", text.as_bytes(), b"))"].concat());
        }
        self.debug_trap(task)
    }

    /// What messages about an expression begin with.
    fn arithmetic_prefix(&self, task: &Task, usage: Use) -> Cow<'static, [u8]> {
        match usage {
            Use::Status | Use::Test | Use::Discard => Cow::Borrowed(b"((: "),
            Use::Append { .. } => Cow::Borrowed(b""),
            Use::Operand => Cow::Owned(Self::sliced_name(task)),
        }
    }

    /// The subscript that an expression waits for is there.
    pub(super) fn end_subscript(&mut self, task: &mut Task) -> Run {
        let expanded = task.operand();
        let frame = task.frames.last_mut();
        let role = frame.map(|frame| std::mem::replace(&mut frame.role, Role::Task));
        self.pop_frame(task);
        let Some(Role::Subscript(evaluation)) = role else {
            return Ok(());
        };
        let Evaluation { paused, usage } = *evaluation;
        let prefix = self.arithmetic_prefix(task, usage);
        let progress = self.resume_evaluation(task, &paused, expanded, &prefix);
        self.arithmetic_progress(task, progress, usage)
    }

    fn arithmetic_progress(
        &mut self,
        task: &mut Task,
        progress: arithmetic::Progress,
        usage: Use,
    ) -> Run {
        let result = match progress {
            arithmetic::Progress::Ended(_) if task.begins_again() => {
                return Err(Trouble::Discard(1));
            }
            arithmetic::Progress::Ended(result) => result,
            arithmetic::Progress::Waits(code, paused) => {
                let evaluation = Box::new(Evaluation { paused, usage });
                return self.push(task, code, Role::Subscript(evaluation));
            }
        };
        let value = match result {
            Ok(value) => value,
            Err(arithmetic::Fault::Unbound) => {
                return Err(crate::machine::expand::fatal(task));
            }
            Err(arithmetic::Fault::Expression) if self.gives_up => return Err(Trouble::Discard(1)),
            Err(arithmetic::Fault::Expression) if usage == Use::Status => {
                super::set_status(task, 1);
                return Ok(());
            }
            Err(arithmetic::Fault::Expression) if matches!(usage, Use::Test | Use::Discard) => {
                return self.leave_loops(task, 1, false, 1);
            }
            // POSIX mode ends the shell.
            Err(arithmetic::Fault::Expression) if task.state.options.on(SetOption::Posix) => {
                return Err(crate::machine::expand::fatal_expression(task));
            }
            Err(arithmetic::Fault::Expression) => return Err(Trouble::Discard(1)),
        };
        match usage {
            Use::Append { quoted } => self.add(task, &Text::from(value), quoted),
            Use::Operand => task.operands.push(Text::from(value)),
            Use::Status => super::set_status(task, u8::from(value == 0)),
            Use::Test => task.zero = value == 0,
            Use::Discard => {}
        }
        Ok(())
    }

    /// What messages about the offset of a slice begin with: the name of what is sliced.
    #[inline(never)]
    fn sliced_name(task: &Task) -> Vec<u8> {
        let Some(frame) = task.frames.last() else {
            return Vec::new();
        };
        let slice = frame.code.ops[frame.next..].iter().find_map(|op| {
            let Op::Expand(index) = op else {
                return None;
            };
            let parameter = &frame.code.parameters[*index as usize];
            matches!(parameter.action, Action::Slice { .. }).then_some(parameter)
        });
        slice.map_or_else(Vec::new, |slice| [slice.source.as_bytes(), b": "].concat())
    }

    /// Evaluates an expression whose `$name`s are numbers, and jumps; or falls to the expansion of
    /// its text.
    fn template(&mut self, task: &mut Task, index: u32, to: u32, usage: Use) -> Run {
        let code = Self::code(task);
        let template = &code.templates[index as usize];
        let parsed = template.parsed.get_or_init(|| {
            let symbols = &mut self.symbols;
            Expression::template(&template.text, &mut |name| symbols.intern(name).0).map(Rc::new)
        });
        let Some(expression) = parsed else {
            return Ok(());
        };
        let mut values = Vec::with_capacity(template.holes.len());
        for hole in &template.holes {
            match self.hole(task, *hole) {
                Some(value) => values.push(value),
                None => return Ok(()),
            }
        }
        let numbers = expression.accepts(values.iter().map(Text::as_bytes));
        let traced = task.state.options.on(SetOption::Xtrace);
        if let Some(numbers) = numbers.filter(|_| !traced) {
            Self::jump(task, to);
            return self.arithmetic_value(task, expression, &numbers, usage);
        }
        Ok(())
    }

    fn hole(&mut self, task: &mut Task, hole: crate::machine::code::Hole) -> Option<Text> {
        match hole {
            crate::machine::code::Hole::Variable(symbol) => scope::get(self, task, symbol),
            crate::machine::code::Hole::Positional(number) => task
                .state
                .positional
                .as_slice()
                .get(number as usize - 1)
                .cloned(),
            crate::machine::code::Hole::Special(name) => self.special_parameter(task, name),
        }
    }

    fn assign(&mut self, task: &mut Task, symbol: Symbol, append: bool) -> Run {
        let value = task.operand();
        if task.state.options.on(SetOption::Xtrace) {
            self.trace_assignment(task, symbol, None, &value, append)?;
        }
        if append {
            let present = task.state.variables.value(symbol).scalar();
            let size = present.map_or(0, |text| text.len()) + value.len();
            self.check_expansion(task, size)?;
        }
        scope::set(self, task, symbol, value, append)
            .map_err(|Failed| assignment_failed(self.gives_up, task))?;
        self.check_variables(task)
    }
}

/// What an assignment that fails does: in posix mode it ends a shell that is not interactive, unless
/// its subscript is wrong, which gives up all commands anyway.
pub(super) fn assignment_failed(gives_up: bool, task: &mut Task) -> Trouble {
    match task.state.options.on(SetOption::Posix) && !gives_up && !task.is_spared() {
        true => crate::machine::expand::fatal(task),
        false => Trouble::Discard(1),
    }
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

/// Whether the redirects under way are those of one of POSIX's special builtins, where that mode is
/// on: one that fails ends the shell.
pub(in crate::machine) fn is_before_special(task: &Task) -> bool {
    let name = task.marks.last().and_then(|start| task.words.get(*start));
    task.state.options.on(SetOption::Posix)
        && !task.state.interactive
        && name
            .and_then(|name| crate::builtin::find(name))
            .is_some_and(|entry| entry.special)
}

fn is_divided(task: &Task) -> bool {
    task.expansions.last().is_some_and(Expansion::is_divided)
}
