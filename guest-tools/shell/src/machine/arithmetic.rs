//! Arithmetic on the variables of a task.

use std::rc::Rc;

use super::context::Failed;
use super::message::report;
use super::option::SetOption;
use super::symbol::Symbol;
use super::task::Task;
use super::value::{Attributes, Value};
use super::{Machine, scope};
use crate::arithmetic::{self, ArithmeticError, Expression, Failure, Index, Scope};
use crate::text::Text;

/// How many parsed expressions are kept.
const CACHED: usize = 256;

/// Evaluations after which a single expression is given up, whatever the budgets.
const MAX_CHARGES: u32 = 1_000_000;

struct Variables<'a> {
    machine: &'a mut Machine,
    task: &'a mut Task,
    charges: u32,
}

/// Why the scope refused; its message was printed.
enum Refusal {
    /// An assignment failed.
    Failed,
    /// A variable is unset under `set -u`.
    Unbound,
}

impl Variables<'_> {
    fn number(
        &mut self,
        symbol: Symbol,
        value: Option<Text>,
    ) -> Result<arithmetic::Value, Refusal> {
        let Some(text) = value else {
            // An array that has other elements is bound.
            if self.task.state.options.on(SetOption::Nounset)
                && !scope::value(self.machine, self.task, symbol).is_set()
            {
                let name = self.machine.symbols.name(symbol);
                report(
                    self.task,
                    &[name.as_bytes(), b": unbound variable"].concat(),
                );
                return Err(Refusal::Unbound);
            }
            return Ok(arithmetic::Value::Unset);
        };
        Ok(match arithmetic::plain_integer(&text) {
            Some(number) => arithmetic::Value::Integer(number),
            None => arithmetic::Value::Text(text),
        })
    }

    fn subscript(&mut self, index: &Index) -> Result<Text, Refusal> {
        match index {
            Index::Number(number) => Ok(Text::from(*number)),
            Index::Key(key) => self
                .machine
                .expand_subscript(self.task, key)
                .map_err(|Failed| Refusal::Failed),
        }
    }
}

impl Scope for Variables<'_> {
    type Error = Refusal;

    fn intern(&mut self, name: &[u8]) -> u32 {
        self.machine.symbols.intern(name).0
    }

    #[inline]
    fn get(&mut self, name: u32) -> Result<arithmetic::Value, Refusal> {
        let symbol = Symbol(name);
        if let Some(variable) = self.task.state.variables.get(symbol)
            && let Value::Text(text) = &variable.value
            && !variable.attributes.has(Attributes::SLOW_GET)
        {
            return Ok(match arithmetic::plain_integer(text) {
                Some(number) => arithmetic::Value::Integer(number),
                None => arithmetic::Value::Text(text.clone()),
            });
        }
        let value = scope::get(self.machine, self.task, symbol);
        self.number(symbol, value)
    }

    #[inline]
    fn set(&mut self, name: u32, value: i64) -> Result<(), Refusal> {
        scope::set(
            self.machine,
            self.task,
            Symbol(name),
            Text::from(value),
            false,
        )
        .map_err(|Failed| Refusal::Failed)
    }

    fn is_associative(&mut self, name: u32) -> bool {
        let place = scope::resolve(self.machine, self.task, Symbol(name));
        let symbol = place.map_or(Symbol(name), |place| place.symbol);
        self.task
            .state
            .variables
            .attributes(symbol)
            .has(Attributes::ASSOCIATIVE)
    }

    fn get_element(&mut self, name: u32, index: &Index) -> Result<arithmetic::Value, Refusal> {
        let subscript = self.subscript(index)?;
        let symbol = Symbol(name);
        let value = scope::get_element(self.machine, self.task, symbol, &subscript)
            .map_err(|Failed| Refusal::Failed)?;
        self.number(symbol, value)
    }

    fn set_element(&mut self, name: u32, index: &Index, value: i64) -> Result<(), Refusal> {
        let subscript = self.subscript(index)?;
        let value = Text::from(value);
        scope::set_element(
            self.machine,
            self.task,
            Symbol(name),
            &subscript,
            value,
            false,
        )
        .map_err(|Failed| Refusal::Failed)
    }

    fn expand(&mut self, subscript: Text) -> Result<Text, Refusal> {
        self.machine
            .expand_subscript(self.task, &subscript)
            .map_err(|Failed| Refusal::Failed)
    }

    fn charge(&mut self) -> Result<(), Refusal> {
        self.charges += 1;
        if self.charges > MAX_CHARGES {
            report(self.task, b"expression recursion level exceeded");
            return Err(Refusal::Failed);
        }
        Ok(())
    }
}

/// How an evaluation failed; its message was printed.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Fault {
    /// The expression is wrong, or an assignment failed.
    Expression,
    /// A variable is unset under `set -u`.
    Unbound,
}

impl Machine {
    /// The parsed form of an expression.
    pub(super) fn parse_expression(&mut self, text: &Text) -> Rc<Expression> {
        if let Some(expression) = self.expressions.get(text) {
            return expression.clone();
        }
        let symbols = &mut self.symbols;
        let parsed = Expression::parse(text, &mut |name| symbols.intern(name).0);
        let expression = Rc::new(parsed);
        if self.expressions.len() >= CACHED {
            self.expressions.clear();
        }
        self.expressions.insert(text.clone(), expression.clone());
        expression
    }

    /// Evaluates a parsed expression; prints what is wrong with it.
    pub(super) fn evaluate(
        &mut self,
        task: &mut Task,
        expression: &Rc<Expression>,
        holes: &[i64],
        prefix: &[u8],
    ) -> Result<i64, Fault> {
        let mut evaluator = self.evaluators.pop().unwrap_or_default();
        let mut variables = Variables {
            machine: self,
            task,
            charges: 0,
        };
        let result = evaluator.evaluate(expression, holes, &mut variables);
        self.evaluators.push(evaluator);
        match result {
            Ok(value) => Ok(value),
            Err(Failure::Expression(error)) => {
                report_error(task, &error, prefix);
                self.gives_up |= error.in_subscript;
                Err(Fault::Expression)
            }
            Err(Failure::Scope(Refusal::Unbound)) => Err(Fault::Unbound),
            Err(Failure::Scope(Refusal::Failed)) => Err(Fault::Expression),
        }
    }

    /// Evaluates the text of an expression.
    pub(super) fn arithmetic_text(&mut self, task: &mut Task, text: &[u8]) -> Result<i64, Failed> {
        if let Some(number) = arithmetic::plain_integer(text) {
            return Ok(number);
        }
        let expression = self.parse_expression(&Text::from(text));
        let prefix = task.command_name();
        self.evaluate(task, &expression, &[], &prefix)
            .map_err(|_| Failed)
    }
}

fn report_error(task: &mut Task, error: &ArithmeticError, prefix: &[u8]) {
    let prefix = if error.in_subscript { b"" } else { prefix };
    report(task, &[prefix, error.message().as_slice()].concat());
}
