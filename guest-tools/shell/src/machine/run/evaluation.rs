//! Arithmetic, as instructions.

use std::borrow::Cow;
use std::rc::Rc;

use super::{Run, Trouble};
use crate::arithmetic::Expression;
use crate::machine::code::{Action, Hole, Op, Use};
use crate::machine::frame::{Evaluation, Role};
use crate::machine::option::SetOption;
use crate::machine::task::Task;
use crate::machine::{Machine, arithmetic, scope};
use crate::text::Text;

impl Machine {
    /// Evaluates a constant expression.
    pub(super) fn constant_arithmetic(&mut self, task: &mut Task, index: u32, usage: Use) -> Run {
        let code = Self::code(task);
        let text = &code.expressions[index as usize];
        self.trace_arithmetic(task, &text.text, usage)?;
        let expression = text
            .parsed
            .get_or_init(|| self.parse_expression(&text.text));
        self.arithmetic_value(task, expression, &[], usage)
    }

    /// Evaluates the operand, which is shown first where `shown`.
    pub(super) fn evaluate_operand(&mut self, task: &mut Task, usage: Use, shown: bool) -> Run {
        let text = task.stacks.operand();
        if shown {
            self.trace_arithmetic(task, &text, usage)?;
        }
        let expression = self.parse_expression(&text);
        self.arithmetic_value(task, &expression, &[], usage)
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
    pub(super) fn arithmetic_section(&mut self, task: &mut Task, usage: Use) -> Run {
        let text = task.stacks.operands.last().cloned().unwrap_or_default();
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
        let expanded = task.stacks.operand();
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
            Use::Operand => task.stacks.operands.push(Text::from(value)),
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
    pub(super) fn template(&mut self, task: &mut Task, index: u32, to: u32, usage: Use) -> Run {
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

    fn hole(&mut self, task: &mut Task, hole: Hole) -> Option<Text> {
        match hole {
            Hole::Variable(symbol) => scope::get(self, task, symbol),
            Hole::Positional(number) => task
                .state
                .positional
                .as_slice()
                .get(number as usize - 1)
                .cloned(),
            Hole::Special(name) => self.special_parameter(task, name),
        }
    }
}
