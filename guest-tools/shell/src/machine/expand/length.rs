//! `${#x}`: lengths.

use super::slice::boundaries;
use super::target::{Found, Resolved};
use crate::machine::Machine;
use crate::machine::code::{Parameter, Target};
use crate::machine::option::SetOption;
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::Value;
use crate::text::Text;

impl Machine {
    pub(super) fn length(&mut self, task: &mut Task, parameter: &Parameter, found: &Found) -> Run {
        let length = match &found.value {
            Resolved::Unset => {
                self.length_of_nothing(task, found)?;
                0
            }
            // Where a nameref names an element, bash finds no variable of that name.
            Resolved::Scalar(_) if self.names_element(task, found.target) => 0,
            Resolved::Scalar(text) => self.character_count(task, text),
            Resolved::List { items, .. } => items.len(),
        };
        self.add(task, &Text::from(length as i64), parameter.quoted);
        Ok(())
    }

    /// Complains under `set -u` of `${#a[…]}` where there is no array.
    pub(super) fn counts_elements(&mut self, task: &mut Task, target: Target) -> Run {
        let (Target::All(symbol) | Target::Joined(symbol) | Target::Element(symbol)) = target
        else {
            return Ok(());
        };
        let value = scope::value(self, task, symbol);
        if task.state.options.on(SetOption::Nounset)
            && (!value.is_set() || matches!(value, Value::Text(_)))
        {
            let name = self.symbols.name(symbol);
            return self.unbound(task, &name).map_err(|_| Trouble::Discard(1));
        }
        Ok(())
    }

    /// Whether a negative subscript counts past the beginning of an array.
    pub(super) fn is_outside(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
        subscript: &Text,
    ) -> Run<bool> {
        let negative = crate::arithmetic::plain_integer(subscript).filter(|number| *number < 0);
        let Some(number) = negative else {
            return Ok(false);
        };
        Ok(match scope::value(self, task, symbol) {
            Value::Indexed(array) => array.end() < number.unsigned_abs(),
            // A string has no element that counts from the end.
            Value::Text(_) => true,
            Value::Unset | Value::Associative(_) => false,
        })
    }

    /// Complains of what has no length under `set -u`: not of an element that an array lacks.
    fn length_of_nothing(&mut self, task: &mut Task, found: &Found) -> Run {
        if let Target::Special(_) | Target::Element(_) = found.target {
            return Ok(());
        }
        let name = self.target_name(found);
        self.unbound(task, &name)
    }

    /// How many characters a text has.
    pub(in crate::machine) fn character_count(&mut self, task: &mut Task, text: &[u8]) -> usize {
        if text.is_ascii() || self.bytewise(task) {
            text.len()
        } else {
            boundaries(text).count()
        }
    }
}
