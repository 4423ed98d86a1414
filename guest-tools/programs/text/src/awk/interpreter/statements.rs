//! What statements do.

use super::{Flow, Interpreter, Outcome, Stop, fail};
use crate::awk::tree::*;
use crate::awk::value::{Value, compare};

/// How many elements an array may have whose order a `delete` keeps, at O(n). In larger ones the last element takes the
/// place of the deleted one.
const MOST_ORDERED: usize = 1024;

impl<'p> Interpreter<'p> {
    /// Runs statements until one does not end normally.
    pub(super) fn block(&mut self, statements: &'p [Statement]) -> Outcome<Flow> {
        for statement in statements {
            match self.statement(statement)? {
                Flow::Normal => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }

    fn statement(&mut self, statement: &'p Statement) -> Outcome<Flow> {
        match statement {
            Statement::Expression(expression) => {
                self.eval(expression)?;
            }
            Statement::Print(arguments, redirect) => self.print(arguments, redirect.as_ref())?,
            Statement::Printf(arguments, redirect) => self.printf(arguments, redirect.as_ref())?,
            Statement::If(condition, then, otherwise) => {
                if self.condition(condition)? {
                    return self.statement(then);
                }
                if let Some(otherwise) = otherwise {
                    return self.statement(otherwise);
                }
            }
            Statement::While(condition, body) => {
                while self.condition(condition)? {
                    match self.statement(body)? {
                        Flow::Break => break,
                        Flow::Return(value) => return Ok(Flow::Return(value)),
                        _ => {}
                    }
                }
            }
            Statement::Do(body, condition) => loop {
                match self.statement(body)? {
                    Flow::Break => break,
                    Flow::Return(value) => return Ok(Flow::Return(value)),
                    _ => {}
                }
                if !self.condition(condition)? {
                    break;
                }
            },
            Statement::For(start, condition, step, body) => {
                return self.for_loop(start.as_deref(), condition.as_ref(), step.as_deref(), body);
            }
            Statement::ForIn(variable, array, body) => return self.for_in(variable, array, body),
            Statement::Switch(subject, cases) => return self.switch(subject, cases),
            Statement::Block(statements) => return self.block(statements),
            Statement::Next | Statement::NextFile => return self.next(statement),
            Statement::Break => return Ok(Flow::Break),
            Statement::Continue => return Ok(Flow::Continue),
            Statement::Exit(status) => {
                if let Some(status) = status {
                    self.status = self.eval(status)?.number() as i64 as i32 & 0xff;
                }
                return Err(Stop::Exit);
            }
            Statement::Return(value) => {
                let value = value.as_ref().map(|value| self.eval(value)).transpose()?;
                return Ok(Flow::Return(value.unwrap_or_default()));
            }
            Statement::Delete(what) => self.delete(what)?,
            Statement::Line(source, line) => self.line_number = (*source, *line),
        }
        Ok(Flow::Normal)
    }

    /// `next` and `nextfile`, which have no meaning in rules without a record.
    fn next(&self, statement: &'p Statement) -> Outcome<Flow> {
        let whole = matches!(statement, Statement::NextFile);
        match self.rule {
            None if whole => Err(Stop::NextFile),
            None => Err(Stop::Next),
            Some("BEGINFILE") if whole => Err(Stop::NextFile),
            Some(rule) => {
                let name = if whole { "nextfile" } else { "next" };
                fail(format!("`{name}' cannot be called from a `{rule}' rule"))
            }
        }
    }

    /// Deletes an element, or all of an array.
    fn delete(&mut self, what: &'p Expression) -> Outcome<()> {
        let fixed = match what {
            Expression::Symbol(_) => Some(SYMTAB),
            Expression::Variable(Place::Global(at)) | Expression::Element(Place::Global(at), _) => {
                Some(*at)
            }
            _ => None,
        };
        if let Some(at @ (SYMTAB | FUNCTAB)) = fixed {
            return fail(format!("`delete' is not allowed with {}", SPECIAL[at]));
        }
        if !matches!(what, Expression::Element(..) | Expression::Nested(..)) {
            self.array_of(what)?.borrow_mut().clear();
            return Ok(());
        }
        let (array, key) = self.element(what)?;
        let mut array = array.borrow_mut();
        // The order of many elements is not worth moving all of them.
        if array.len() > MOST_ORDERED {
            array.swap_remove(&key);
        } else {
            array.shift_remove(&key);
        }
        Ok(())
    }

    /// `for (start; condition; step)`; `continue` goes to the step.
    fn for_loop(
        &mut self,
        start: Option<&'p Statement>,
        condition: Option<&'p Expression>,
        step: Option<&'p Statement>,
        body: &'p Statement,
    ) -> Outcome<Flow> {
        if let Some(start) = start {
            self.statement(start)?;
        }
        while condition.map_or(Ok(true), |condition| self.condition(condition))? {
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                _ => {}
            }
            if let Some(step) = step {
                self.statement(step)?;
            }
        }
        Ok(Flow::Normal)
    }

    /// `for (variable in array)`, over the keys that were there at the beginning.
    fn for_in(
        &mut self,
        variable: &'p Expression,
        array: &'p Expression,
        body: &'p Statement,
    ) -> Outcome<Flow> {
        let array = self.array_of(array)?;
        for key in self.ordered_keys(&array)? {
            self.assign(variable, Value::Text(key))?;
            match self.statement(body)? {
                Flow::Break => break,
                Flow::Return(value) => return Ok(Flow::Return(value)),
                _ => {}
            }
        }
        Ok(Flow::Normal)
    }

    /// Runs the bodies from the first label that fits on, or from `default`, until a `break`. Labels are constants:
    /// texts and numbers are compared, regular expressions matched.
    fn switch(
        &mut self,
        subject: &'p Expression,
        cases: &'p [(Option<Expression>, Vec<Statement>)],
    ) -> Outcome<Flow> {
        let subject = self.eval(subject)?;
        let mut start = cases.iter().position(|(label, _)| label.is_none());
        for (index, (label, _)) in cases.iter().enumerate() {
            let Some(label) = label else { continue };
            let hit = match label {
                Expression::Regex(_) | Expression::TypedRegex(_) => self
                    .pattern_of(label)?
                    .is_match(&subject.to_text(&self.convert)),
                _ => {
                    let label = self.eval(label)?;
                    compare(&subject, &label, &self.convert, self.ignore_case)
                        == Some(std::cmp::Ordering::Equal)
                }
            };
            if hit {
                start = Some(index);
                break;
            }
        }
        for (_, body) in cases.iter().skip(start.unwrap_or(cases.len())) {
            match self.block(body)? {
                Flow::Break => break,
                Flow::Normal => {}
                flow => return Ok(flow),
            }
        }
        Ok(Flow::Normal)
    }
}
