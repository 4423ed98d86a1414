//! Arithmetic on the variables of a task.

use std::rc::Rc;

use super::code::Code;
use super::context::Failed;
use super::message::{expansion_fault, fault, report};
use super::option::SetOption;
use super::run::replay::substitutes;
use super::symbol::Symbol;
use super::task::Task;
use super::value::{Attributes, Value};
use super::{Machine, scope};
use crate::arithmetic::{
    self, ArithmeticError, Evaluator, Expression, Failure, Index, Paused, Scope,
};
use crate::text::Text;

/// How many parsed expressions are kept.
const CACHED: usize = 256;

/// Evaluations after which a single expression is given up, whatever the budgets.
const MAX_CHARGES: u32 = 1_000_000;

struct Variables<'a> {
    machine: &'a mut Machine,
    task: &'a mut Task,
    charges: u32,
    /// The evaluation can wait for a subscript with substitutions.
    waits: bool,
    /// The subscript that it waited for.
    expanded: Option<Text>,
    /// What messages begin with.
    prefix: &'a [u8],
}

/// Why the scope refused; its message was printed.
enum Refusal {
    /// An assignment failed.
    Failed,
    /// A variable is unset under `set -u`.
    Unbound,
    /// This has to run first; it leaves the subscript.
    Wait(Rc<Code>),
}

impl Variables<'_> {
    fn number(
        &mut self,
        symbol: Symbol,
        value: Option<Text>,
    ) -> Result<arithmetic::Value, Refusal> {
        let Some(text) = value else {
            self.require(symbol.0)?;
            return Ok(arithmetic::Value::Unset);
        };
        Ok(match arithmetic::plain_integer(&text) {
            Some(number) => arithmetic::Value::Integer(number),
            None => arithmetic::Value::Text(text),
        })
    }

    /// Complains of what names no element: nothing, or `@` and `*` where they are no keys.
    fn refused(&mut self, name: u32, index: &Index, assigned: bool) -> Result<bool, Refusal> {
        let Index::Key(key) = index else {
            return Ok(false);
        };
        if !key.is_empty() && self.is_associative(name) {
            return Ok(false);
        }
        let name = self.machine.symbols.name(Symbol(name));
        let begin = [name.as_bytes(), b"["].concat();
        let bad = b"]: bad array subscript".as_slice();
        let messages = match (key.is_empty(), assigned) {
            (true, true) => {
                let tail = b"]': not a valid identifier".as_slice();
                report(self.task, &[self.prefix, b"`", &begin, tail].concat());
                return Ok(true);
            }
            // bash looks for the variable, then for the element.
            (true, false) => vec![[&begin, bad].concat(); 2],
            (false, true) => vec![[&begin, b"*".as_slice(), bad].concat()],
            (false, false) => vec![[&begin, key.as_bytes(), bad].concat()],
        };
        for message in messages {
            fault(self.machine, self.task, &message);
            if self.machine.gives_up {
                return Err(Refusal::Failed);
            }
        }
        Ok(true)
    }

    fn subscript(&mut self, index: &Index) -> Result<Text, Refusal> {
        match index {
            Index::Number(number) => Ok(Text::from(*number)),
            Index::Key(key) => self.expanded(key, true),
        }
    }
}

impl Variables<'_> {
    fn is_readonly(&mut self, symbol: Symbol) -> bool {
        let place = scope::resolve(self.machine, self.task, symbol);
        place.is_some_and(|place| {
            let attributes = self.task.state.variables.attributes(place.symbol);
            attributes.has(Attributes::READONLY)
        })
    }

    fn expanded(&mut self, text: &[u8], keyed: bool) -> Result<Text, Refusal> {
        if let Some(text) = self.expanded.take() {
            return Ok(text);
        }
        if self.waits && substitutes(text) {
            let code = self.machine.subscript_code(self.task, text, keyed);
            return Err(code.map_or(Refusal::Failed, Refusal::Wait));
        }
        let expanded = self.machine.expand_subscript_as(self.task, text, keyed);
        expanded.map_err(|Failed| Refusal::Failed)
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

    fn require(&mut self, name: u32) -> Result<(), Refusal> {
        // An array that has other elements is bound.
        if self.task.state.options.on(SetOption::Nounset)
            && !scope::value(self.machine, self.task, Symbol(name)).is_set()
        {
            let name = self.machine.symbols.name(Symbol(name));
            let text = [name.as_bytes(), b": unbound variable"].concat();
            expansion_fault(self.machine, self.task, &text);
            return Err(Refusal::Unbound);
        }
        Ok(())
    }

    fn get_element(&mut self, name: u32, index: &Index) -> Result<arithmetic::Value, Refusal> {
        if self.refused(name, index, false)? {
            let unnamed = *index == Index::Key(Text::new());
            if unnamed && self.task.state.options.on(SetOption::Nounset) {
                expansion_fault(self.machine, self.task, b"(null): unbound variable");
                return Err(Refusal::Unbound);
            }
            return Ok(arithmetic::Value::Unset);
        }
        let subscript = self.subscript(index)?;
        let symbol = Symbol(name);
        if subscript.is_empty() && self.is_associative(name) {
            scope::bad_name(self.machine, self.task, symbol);
        }
        let value = scope::get_element(self.machine, self.task, symbol, &subscript)
            .map_err(|Failed| Refusal::Failed)?;
        self.number(symbol, value)
    }

    fn set_element(&mut self, name: u32, index: &Index, value: i64) -> Result<(), Refusal> {
        if self.refused(name, index, true)? {
            return Ok(());
        }
        let subscript = self.subscript(index)?;
        let (symbol, value) = (Symbol(name), Text::from(value));
        let shown = match index {
            Index::Key(key) => key,
            Index::Number(_) => &subscript,
        };
        let place = (&subscript, shown.as_bytes());
        match scope::set_element(self.machine, self.task, symbol, place, value, false) {
            // Of what cannot be found bash complains, and goes on.
            Err(Failed) if self.machine.gives_up || self.is_readonly(symbol) => {
                Err(Refusal::Failed)
            }
            _ => Ok(()),
        }
    }

    fn expand(&mut self, subscript: Text) -> Result<Text, Refusal> {
        self.expanded(&subscript, false)
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
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Fault {
    /// The expression is wrong, or an assignment failed.
    Expression,
    /// A variable is unset under `set -u`.
    Unbound,
}

/// How far an evaluation of an instruction came.
pub enum Progress {
    /// To its end.
    Ended(Result<i64, Fault>),
    /// This code leaves the subscript that it waits for.
    Waits(Rc<Code>, Paused),
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
            waits: false,
            expanded: None,
            prefix,
        };
        let result = evaluator.evaluate(expression, holes, &mut variables);
        self.evaluators.push(evaluator);
        result.map_err(|failure| self.fault(task, failure, prefix))
    }

    /// The same for an instruction, which can wait for substitutions in subscripts.
    #[inline]
    pub(super) fn begin_evaluation(
        &mut self,
        task: &mut Task,
        expression: &Rc<Expression>,
        holes: &[i64],
        prefix: &[u8],
    ) -> Progress {
        self.evaluation(task, prefix, holes, None, |evaluator, variables| {
            evaluator.evaluate(expression, holes, variables)
        })
    }

    /// Goes on with the subscript that was waited for.
    pub(super) fn resume_evaluation(
        &mut self,
        task: &mut Task,
        paused: &Paused,
        expanded: Text,
        prefix: &[u8],
    ) -> Progress {
        self.evaluation(
            task,
            prefix,
            paused.holes(),
            Some(expanded),
            |evaluator, variables| evaluator.resume(paused, variables),
        )
    }

    #[inline]
    fn evaluation(
        &mut self,
        task: &mut Task,
        prefix: &[u8],
        holes: &[i64],
        expanded: Option<Text>,
        run: impl FnOnce(&mut Evaluator, &mut Variables<'_>) -> Result<i64, Failure<Refusal>>,
    ) -> Progress {
        let mut evaluator = self.evaluators.pop().unwrap_or_default();
        let mut variables = Variables {
            machine: self,
            charges: 0,
            waits: task.replaying.is_none(),
            task,
            expanded,
            prefix,
        };
        let result = run(&mut evaluator, &mut variables);
        let progress = match result {
            Ok(value) => Progress::Ended(Ok(value)),
            Err(Failure::Scope(Refusal::Wait(code))) => {
                Progress::Waits(code, evaluator.pause(holes))
            }
            Err(failure) => Progress::Ended(Err(self.fault(task, failure, prefix))),
        };
        self.evaluators.push(evaluator);
        progress
    }

    /// Reports what is wrong.
    #[cold]
    fn fault(&mut self, task: &mut Task, failure: Failure<Refusal>, prefix: &[u8]) -> Fault {
        match failure {
            Failure::Expression(error) => {
                report_error(task, &error, prefix);
                self.gives_up |= error.in_subscript;
                Fault::Expression
            }
            Failure::Scope(Refusal::Unbound) => Fault::Unbound,
            Failure::Scope(Refusal::Failed | Refusal::Wait(_)) => Fault::Expression,
        }
    }

    /// Evaluates the text of an expression.
    pub(super) fn arithmetic_text(&mut self, task: &mut Task, text: &[u8]) -> Result<i64, Failed> {
        if let Some(number) = arithmetic::plain_integer(text) {
            return Ok(number);
        }
        let expression = self.parse_expression(&Text::from(text));
        let prefix = task.command_name();
        let result = self.evaluate(task, &expression, &[], &prefix);
        if result == Err(Fault::Unbound) {
            self.end_after(super::expand::fatal(task));
        }
        result.map_err(|_| Failed)
    }
}

fn report_error(task: &mut Task, error: &ArithmeticError, prefix: &[u8]) {
    let prefix = if error.in_subscript { b"" } else { prefix };
    report(task, &[prefix, error.message().as_slice()].concat());
}
