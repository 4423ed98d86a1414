//! What expressions give.
//!
//! `eval` gives a value; `condition`, `number`, `text` and `put` give the same as a truth, a number or a text without
//! making the value in between. They must evaluate operands in the same order: each operand once, from left to right.

use std::rc::Rc;

use super::{Flow, Interpreter, MOST_CALLS, Outcome, fail};
use crate::awk::format::put_value;
use crate::awk::tree::*;
use crate::awk::value::{
    Array, Promise, Slot, Text, Value, compare, compare_text, looks_numeric, prefix_number,
};

/// An element that was passed before it had a value, and what the function made of it.
type Pending = (Array, Text, Promise);

impl<'p> Interpreter<'p> {
    /// An expression as text, numbers by CONVFMT.
    pub(in crate::awk) fn text(&mut self, expression: &'p Expression) -> Outcome<Text> {
        Ok(self.eval(expression)?.to_text(&self.convert))
    }

    /// Whether an expression is true: a number other than 0, a text that is not empty, a regular expression that `$0`
    /// matches.
    pub(super) fn condition(&mut self, expression: &'p Expression) -> Outcome<bool> {
        match expression {
            Expression::Regex(pattern) if !self.ignore_case => {
                if self.stale {
                    self.whole_record();
                }
                Ok(pattern.is_match(&self.record))
            }
            Expression::Regex(_) => {
                let pattern = self.pattern_of(expression)?;
                Ok(pattern.is_match(&self.whole_record()))
            }
            Expression::Compare(comparison, left, right) => {
                self.comparison(*comparison, left, right)
            }
            Expression::Group(inner) => self.condition(inner),
            Expression::Not(inner) => Ok(!self.condition(inner)?),
            Expression::And(left, right) => Ok(self.condition(left)? && self.condition(right)?),
            Expression::Or(left, right) => Ok(self.condition(left)? || self.condition(right)?),
            _ => Ok(self.eval(expression)?.is_true()),
        }
    }

    /// The value of an expression. Arrays are no values here: naming one is fatal.
    pub(in crate::awk) fn eval(&mut self, expression: &'p Expression) -> Outcome<Value> {
        Ok(match expression {
            Expression::Number(number) => Value::Number(*number),
            Expression::Text(text) => Value::Text(Rc::clone(text)),
            Expression::Regex(_) => Value::bool(self.condition(expression)?),
            Expression::TypedRegex(source) => Value::Regex(Rc::clone(source)),
            Expression::Variable(place) => self.variable(*place)?,
            Expression::Element(..) | Expression::Nested(..) => self.element_value(expression)?,
            Expression::Symbol(_) => {
                let target = self.target(expression)?;
                self.value_of(&target)?
            }
            Expression::Field(index) => {
                let index = self.field_index(index)?;
                self.field(index)
            }
            Expression::Group(inner) => self.eval(inner)?,
            Expression::Compare(..)
            | Expression::Not(_)
            | Expression::And(..)
            | Expression::Or(..) => Value::bool(self.condition(expression)?),
            Expression::Negate(inner) => Value::Number(-self.eval(inner)?.number()),
            Expression::Plus(inner) => Value::Number(self.eval(inner)?.number()),
            Expression::Arithmetic(..) => Value::Number(self.number(expression)?),
            Expression::Concatenate(..) => {
                let convert = Rc::clone(&self.convert);
                let mut text = Vec::with_capacity(32);
                self.put(expression, &convert, &mut text)?;
                Value::text(text)
            }
            Expression::Match(negated, left, right) => {
                let found = match self.span_of(left)? {
                    Some((from, to)) => {
                        let pattern = self.pattern_of(right)?;
                        pattern.is_match(&self.record[from..to])
                    }
                    None => {
                        let text = self.text(left)?;
                        self.pattern_of(right)?.is_match(&text)
                    }
                };
                Value::bool(found != *negated)
            }
            Expression::In(subscripts, array) => {
                let key = self.key(subscripts)?;
                let array = self.array_of(array)?;
                let found = array.borrow().contains_key(&key);
                Value::bool(found)
            }
            Expression::Condition(condition, yes, no) => {
                if self.condition(condition)? {
                    self.eval(yes)?
                } else {
                    self.eval(no)?
                }
            }
            Expression::Assign(target, value) => return self.assignment(target, value),
            Expression::Update(operator, target, value) => {
                let value = self.number(value)?;
                if value == 0.0 && matches!(operator, Operator::Divide | Operator::Remainder) {
                    let name = if *operator == Operator::Divide {
                        "/="
                    } else {
                        "%="
                    };
                    return fail(format!("division by zero attempted in `{name}'"));
                }
                return self.modify(target, |old| {
                    let new = arithmetic(*operator, old, value)?;
                    Ok((new, new))
                });
            }
            Expression::Step(target, step, before) => {
                return self.modify(target, |old| {
                    Ok((old + step, if *before { old } else { old + step }))
                });
            }
            Expression::Call(index, arguments) => self.call(*index, arguments)?,
            Expression::Indirect(place, arguments) => self.indirect(*place, arguments)?,
            Expression::Builtin(builtin, arguments) => self.builtin(*builtin, arguments)?,
            Expression::Getline(source, variable) => self.getline(source, variable.as_deref())?,
        })
    }

    /// The number of an expression, without the text that a field would be.
    pub(super) fn number(&mut self, expression: &'p Expression) -> Outcome<f64> {
        match expression {
            Expression::Number(number) => Ok(*number),
            Expression::Arithmetic(operator, left, right) => {
                let left = self.number(left)?;
                let right = self.number(right)?;
                arithmetic(*operator, left, right)
            }
            Expression::Group(inner) => self.number(inner),
            Expression::Variable(place) => match self.plain_number(*place) {
                Some(number) => Ok(*number),
                None => Ok(self.variable(*place)?.number()),
            },
            Expression::Field(index) if self.fields.is_none() && !self.csv => {
                let index = self.field_index(index)?;
                if index == 0 {
                    return Ok(self.whole_record_number());
                }
                self.split_to(index);
                let span = self.spans.get(index - 1);
                Ok(span.map_or(0.0, |&(from, to)| prefix_number(&self.record[from..to]).0))
            }
            _ => Ok(self.eval(expression)?.number()),
        }
    }

    /// The number of an expression that is one and no text, without the value around it; none where that
    /// is not known before.
    fn certain_number(&mut self, expression: &'p Expression) -> Outcome<Option<f64>> {
        match expression {
            Expression::Number(number) => Ok(Some(*number)),
            Expression::Variable(place) => Ok(self.plain_number(*place).copied()),
            Expression::Arithmetic(..) => self.number(expression).map(Some),
            Expression::Group(inner) => self.certain_number(inner),
            _ => Ok(None),
        }
    }

    /// The number that `$0` begins with.
    fn whole_record_number(&mut self) -> f64 {
        prefix_number(&self.whole_record()).0
    }

    /// Writes the text of an expression, with `convert` for a number that is no integer.
    pub(super) fn put(
        &mut self,
        expression: &'p Expression,
        convert: &[u8],
        out: &mut Vec<u8>,
    ) -> Outcome<()> {
        match expression {
            Expression::Text(text) => out.extend_from_slice(text),
            Expression::Group(inner) => return self.put(inner, convert, out),
            Expression::Concatenate(left, right) => {
                let convert = Rc::clone(&self.convert);
                self.put(left, &convert, out)?;
                return self.put(right, &convert, out);
            }
            Expression::Field(index) => {
                let index = self.field_index(index)?;
                self.put_field(index, out);
            }
            _ => put_value(&self.eval(expression)?, convert, out),
        }
        Ok(())
    }

    /// Compares two operands: as numbers where both are numbers or look like ones and are input, else as texts. Nan is
    /// equal to nothing.
    fn comparison(
        &mut self,
        comparison: Comparison,
        left: &'p Expression,
        right: &'p Expression,
    ) -> Outcome<bool> {
        use std::cmp::Ordering::{Equal, Greater, Less};
        let order = match self.order_of_field(left, right)? {
            Some(order) => Some(order),
            None => self.order(left, right)?,
        };
        Ok(match comparison {
            Comparison::Less => order == Some(Less),
            Comparison::LessEqual => matches!(order, Some(Less | Equal)),
            Comparison::Equal => order == Some(Equal),
            Comparison::NotEqual => order != Some(Equal),
            Comparison::Greater => order == Some(Greater),
            Comparison::GreaterEqual => matches!(order, Some(Greater | Equal)),
        })
    }

    /// The order of two operands; none where one is nan.
    fn order(
        &mut self,
        left: &'p Expression,
        right: &'p Expression,
    ) -> Outcome<Option<std::cmp::Ordering>> {
        let left = match self.certain_number(left)? {
            Some(left) => match self.certain_number(right)? {
                Some(right) => return Ok(left.partial_cmp(&right)),
                None => Value::Number(left),
            },
            None => self.eval(left)?,
        };
        let right = self.eval(right)?;
        Ok(compare(&left, &right, &self.convert, self.ignore_case))
    }

    /// How a field compares to a constant, found in the record itself; none where that cannot be told there.
    fn order_of_field(
        &mut self,
        left: &'p Expression,
        right: &'p Expression,
    ) -> Outcome<Option<std::cmp::Ordering>> {
        if !matches!(right, Expression::Number(_) | Expression::Text(_)) {
            return Ok(None);
        }
        let Some((from, to)) = self.span_of(left)? else {
            return Ok(None);
        };
        let field = &self.record[from..to];
        Ok(match right {
            Expression::Number(number) => {
                looks_numeric(field).and_then(|field| field.partial_cmp(number))
            }
            Expression::Text(text) => Some(compare_text(field, text, self.ignore_case)),
            _ => None,
        })
    }

    pub(super) fn assignment(
        &mut self,
        target: &'p Expression,
        value: &'p Expression,
    ) -> Outcome<Value> {
        // `x = x y` grows the text in place, so that a loop of them takes linear time.
        if let (Expression::Variable(place), Expression::Concatenate(left, right)) = (target, value)
            && let Expression::Variable(source) = **left
            && source == *place
            && !matches!(place, Place::Global(index) if *index < SPECIAL.len())
        {
            let tail = self.text(right)?;
            return self.append(*place, &tail);
        }
        let value = self.eval(value)?;
        self.assign(target, value.clone())?;
        Ok(value)
    }

    /// Appends to a variable in place. The variable lets go of its text meanwhile, so that nobody else counts it and it
    /// is not copied.
    fn append(&mut self, place: Place, tail: &[u8]) -> Outcome<Value> {
        let mut text = self.variable(place)?.to_text(&self.convert);
        self.set_variable(place, Value::Unset)?;
        Rc::make_mut(&mut text).extend_from_slice(tail);
        self.set_variable(place, Value::Text(Rc::clone(&text)))?;
        Ok(Value::Text(text))
    }

    /// `@name(…)`: a function of the program or of awk.
    fn indirect(&mut self, place: Place, arguments: &'p [Expression]) -> Outcome<Value> {
        let name = self.variable(place)?.to_text(&self.convert);
        let plain = name.strip_prefix(b"awk::").unwrap_or(&name);
        if let Some(&index) = self.functions.get(plain) {
            return self.call(index, arguments);
        }
        let shown = String::from_utf8_lossy(&name);
        let Some(builtin) = Builtin::find(plain) else {
            return fail(format!(
                "`{shown}' is not a function, so it cannot be called indirectly"
            ));
        };
        let (least, most) = builtin.arity();
        if arguments.len() < least || arguments.len() > most {
            let count = arguments.len();
            return fail(format!(
                "function `{shown}' called with {count} arguments, which is not what it takes"
            ));
        }
        self.builtin(builtin, arguments)
    }

    /// Calls a function of the program: evaluates its arguments and passes them, arrays by reference. An element
    /// without a value may become an array in the function, and is one afterwards.
    fn call(&mut self, index: usize, arguments: &'p [Expression]) -> Outcome<Value> {
        let function = &self.program.functions[index];
        if function.is_missing {
            let name = String::from_utf8_lossy(&function.name);
            return fail(format!("function `{name}' not defined"));
        }
        let most = function.parameters.len();
        if arguments.len() > most {
            let name = String::from_utf8_lossy(&function.name);
            self.warn(&format!(
                "function `{name}' called with more arguments than declared"
            ));
        }
        let mut slots = Vec::with_capacity(function.parameters.len());
        let mut pending: Vec<Pending> = Vec::new();
        for argument in arguments {
            slots.push(match argument {
                Expression::Element(..) | Expression::Nested(..) => {
                    self.element_argument(argument, &mut pending)?
                }
                _ => self.argument(argument)?,
            });
        }
        // What is too much has a value, which nobody sees.
        slots.truncate(most);
        let result = self.call_with(index, slots);
        for (array, key, promise) in pending {
            if let Some(inner) = promise.borrow().clone() {
                array.borrow_mut().insert(key, Value::Array(inner));
            }
        }
        result
    }

    /// Calls a function of the program with what its parameters hold; missing ones are unset. Fatal beyond
    /// `MOST_CALLS`.
    pub(in crate::awk) fn call_with(
        &mut self,
        index: usize,
        mut slots: Vec<Slot>,
    ) -> Outcome<Value> {
        let function = &self.program.functions[index];
        if self.calls >= MOST_CALLS {
            return fail("functions call each other too deeply");
        }
        let line = self.line_number;
        let caller = self.function.replace(index);
        slots.resize(function.parameters.len(), Slot::default());
        let outer = std::mem::replace(&mut self.base, self.frames.len());
        self.frames.extend(slots);
        self.calls += 1;
        let flow = self.block(&function.body);
        self.calls -= 1;
        self.frames.truncate(self.base);
        self.base = outer;
        let value = match flow? {
            Flow::Return(value) => value,
            _ => Value::Unset,
        };
        (self.line_number, self.function) = (line, caller);
        Ok(value)
    }

    /// An element that is an array is passed by reference, and so is one without a value.
    fn element_argument(
        &mut self,
        expression: &'p Expression,
        pending: &mut Vec<Pending>,
    ) -> Outcome<Slot> {
        let (array, key) = self.element(expression)?;
        let found = array
            .borrow_mut()
            .entry(Rc::clone(&key))
            .or_default()
            .clone();
        Ok(match found {
            Value::Array(inner) => Slot::Array(inner),
            Value::Unset => {
                let promise = Promise::default();
                pending.push((array, key, Rc::clone(&promise)));
                Slot::Untyped(promise)
            }
            value => Slot::Scalar(value),
        })
    }

    /// Arrays are passed by reference, and so is what may still become one.
    fn argument(&mut self, expression: &'p Expression) -> Outcome<Slot> {
        let Expression::Variable(place) = expression else {
            return Ok(Slot::Scalar(self.eval(expression)?));
        };
        if *place == Place::Global(NF) {
            return Ok(Slot::Scalar(self.variable(*place)?));
        }
        let special = matches!(place, Place::Global(index) if *index < SPECIAL.len());
        let slot = self.slot(*place);
        if let (Slot::Scalar(Value::Unset), false) = (&*slot, special) {
            *slot = Slot::Untyped(Rc::default());
        }
        let promised = match slot {
            Slot::Untyped(promise) => promise.borrow().clone(),
            _ => None,
        };
        if let Some(array) = promised {
            *slot = Slot::Array(array);
        }
        Ok(slot.clone())
    }
}

/// One operation on floats. Division by zero is fatal, as in gawk.
fn arithmetic(operator: Operator, left: f64, right: f64) -> Outcome<f64> {
    Ok(match operator {
        Operator::Add => left + right,
        Operator::Subtract => left - right,
        Operator::Multiply => left * right,
        Operator::Divide if right == 0.0 => return fail("division by zero attempted"),
        Operator::Divide => left / right,
        Operator::Remainder if right == 0.0 => return fail("division by zero attempted in `%'"),
        Operator::Remainder => left % right,
        Operator::Power => left.powf(right),
    })
}
