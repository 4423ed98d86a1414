//! `${x-w}` and its kin: what happens where there is no value.

use super::parameter::{bad_substitution, written_subscript};
use super::target::{Found, Resolved, unassigned};
use crate::machine::Machine;
use crate::machine::code::{Action, Form, Parameter, Target};
use crate::machine::message::{expansion_fault, fault};
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::Attributes;
use crate::text::Text;

impl Machine {
    /// `${x-w}` and `${x?w}`: adds the value and says so, or leaves it to the word.
    pub(in crate::machine) fn default(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
    ) -> Run<bool> {
        let subscript = Self::subscript_operand(task, parameter);
        let found = self.find_conditional(task, parameter, subscript)?;
        if !self.counts(task, parameter, &found) {
            return Ok(false);
        }
        self.add_resolved(task, &found.value, parameter);
        Ok(true)
    }

    /// `${x+w}`: whether the word is to be added.
    pub(in crate::machine) fn alternative(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
    ) -> Run<bool> {
        let subscript = Self::subscript_operand(task, parameter);
        let found = self.find_conditional(task, parameter, subscript)?;
        let counts = self.counts(task, parameter, &found);
        if !counts
            && parameter.quoted
            && let Resolved::List { items, joined } = &found.value
            && let Some(expansion) = task.stacks.expansions.last_mut()
        {
            expansion.listed |= !joined;
            if !joined {
                expansion.note_list();
            }
            if !items.is_empty() {
                // An empty item is a field, as `"${a[@]}"` would be.
                expansion.present();
            }
        }
        Ok(counts)
    }

    /// `${x=w}`: like [`Machine::default`]; the subscript stays an operand where it is not done.
    pub(in crate::machine) fn assign_default(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
    ) -> Run<bool> {
        let subscript = Self::subscript_operand(task, parameter);
        let found = self.find_conditional(task, parameter, subscript.clone())?;
        if self.counts(task, parameter, &found) {
            self.add_resolved(task, &found.value, parameter);
            return Ok(true);
        }
        if parameter.indirect {
            self.check_named(task, parameter, found.target, subscript.as_ref())?;
        }
        if matches!(found.target, Target::Special(_) | Target::Positional(_)) {
            return self.refuse_default(task, parameter, &found);
        }
        task.stacks.operands.extend(subscript);
        Ok(false)
    }

    /// Nothing can be assigned to what `${!@=…}` names, nor to a parameter that is no variable.
    fn check_named(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        target: Target,
        subscript: Option<&Text>,
    ) -> Run {
        let text = match (parameter.target, target) {
            (Target::Special(name), _) => {
                [b"$!".as_slice(), &[name], b": cannot assign in this way"].concat()
            }
            (_, Target::Special(_) | Target::Positional(_)) => {
                let name = self.naming_text(task, parameter.target, subscript)?;
                [name.as_bytes(), b": invalid variable name"].concat()
            }
            _ => return Ok(()),
        };
        expansion_fault(self, task, &text);
        Err(Trouble::Discard(1))
    }

    /// Nothing can be assigned to what `${1=…}` names.
    fn refuse_default<T>(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: &Found,
    ) -> Run<T> {
        let name = self.target_name(found);
        let message = match found.target {
            Target::Bad => {
                let subscript = written_subscript(parameter).map(Text::from);
                let name = self.indirect_name(parameter, subscript);
                let text = [name.as_slice(), b": invalid indirect expansion"].concat();
                expansion_fault(self, task, &text);
                return Err(Trouble::Discard(1));
            }
            Target::All(_) | Target::Joined(_) => {
                [name.as_slice(), b": bad array subscript"].concat()
            }
            _ => {
                let text = [b"$", name.as_slice(), b": cannot assign in this way"].concat();
                expansion_fault(self, task, &text);
                return Err(Trouble::Discard(1));
            }
        };
        fault(self, task, &message);
        Err(unassigned(self.gives_up, task))
    }

    /// Assigns the operand and adds it.
    pub(in crate::machine) fn store_default(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
    ) -> Run {
        let value = task.stacks.operand();
        let subscript = Self::subscript_operand(task, parameter);
        let found = match parameter.indirect {
            true => self.find_conditional(task, parameter, subscript)?,
            false => Found {
                target: parameter.target,
                subscript,
                value: Resolved::Unset,
            },
        };
        match found.target {
            // It is a key there.
            Target::All(symbol) | Target::Joined(symbol)
                if task
                    .state
                    .variables
                    .attributes(symbol)
                    .has(Attributes::ASSOCIATIVE) =>
            {
                let joined = matches!(found.target, Target::Joined(_));
                let key = Text::from(if joined { b"*" } else { b"@" });
                self.store_element(task, parameter, symbol, (&key, &key), value)?;
            }
            Target::Variable(symbol) => {
                if scope::set(self, task, symbol, value.clone(), false).is_err() {
                    return Err(unassigned(self.gives_up, task));
                }
                let stored = scope::get(self, task, symbol).unwrap_or_default();
                self.add(task, &stored, parameter.quoted);
            }
            Target::Element(symbol) => {
                let subscript = found.subscript.unwrap_or_default();
                let shown = written_subscript(parameter).unwrap_or(&subscript);
                self.store_element(task, parameter, symbol, (&subscript, shown), value)?;
            }
            _ => return self.refuse_default(task, parameter, &found),
        }
        Ok(())
    }

    fn store_element(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        symbol: Symbol,
        place: (&Text, &[u8]),
        value: Text,
    ) -> Run {
        if scope::set_element(self, task, symbol, place, value.clone(), false).is_err() {
            return Err(unassigned(self.gives_up, task));
        }
        let kind = task.state.variables.attributes(symbol);
        let stored = scope::converted(self, task, kind, value, false, None);
        let (stored, _) = stored.map_err(|_| unassigned(self.gives_up, task))?;
        self.add(task, &stored, parameter.quoted);
        Ok(())
    }

    /// `${x?w}`: ends the shell with the operand as message.
    pub(in crate::machine) fn fail(&mut self, task: &mut Task, parameter: &Parameter) -> Run {
        let message = task.stacks.operand();
        let found = Found {
            target: parameter.target,
            subscript: written_subscript(parameter).map(Text::from),
            value: Resolved::Unset,
        };
        let name = match parameter.indirect {
            true => self.indirect_name(parameter, found.subscript),
            false => self.target_name(&found),
        };
        let text = [name.as_slice(), b": ", &message].concat();
        expansion_fault(self, task, &text);
        Err(super::target::fatal(task))
    }

    fn find_conditional(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        subscript: Option<Text>,
    ) -> Run<Found> {
        if parameter.target == Target::Bad {
            bad_substitution(self, task, parameter)?;
        }
        let found = self.find(task, parameter, subscript)?;
        self.leads_nowhere(task, parameter, &found)?;
        Ok(found)
    }

    /// Whether a value counts as set for `-`, `=`, `?`, `+`.
    fn counts(&mut self, task: &mut Task, parameter: &Parameter, found: &Found) -> bool {
        let colon = parameter.action == Action::Conditional { colon: true };
        match &found.value {
            Resolved::Unset => false,
            Resolved::Scalar(text) => !(colon && text.is_empty()),
            Resolved::List { items, joined } => {
                let separators = self.separators(task);
                let separator = if *joined {
                    separators.first()
                } else {
                    b" ".as_slice()
                };
                let null = items.iter().all(|item| item.is_empty())
                    && (items.len() <= 1 || separator.is_empty())
                    && (separators.is_empty()
                        || !is_assigned(task, parameter)
                        || self.is_scalar(task, found.target));
                let counts_as_unset = colon && null;
                !items.is_empty() && !counts_as_unset
            }
        }
    }
}

/// Whether the value of an assignment has an expansion outside of quotes: bash takes an empty item for
/// something there.
fn is_assigned(task: &Task, parameter: &Parameter) -> bool {
    let form = task
        .stacks
        .expansions
        .last()
        .map(|expansion| expansion.form);
    !parameter.quoted && matches!(form, Some(Form::Value | Form::Argument))
}
