//! Names that expansions stand for: `${!prefix*}` and `${!a[@]}`.

use super::lists::Source;
use super::parameter::bad_substitution;
use crate::machine::Machine;
use crate::machine::code::{Parameter, Target};
use crate::machine::run::Run;
use crate::machine::scope;
use crate::machine::task::Task;
use crate::machine::value::Attributes;
use crate::text::Text;

impl Machine {
    /// `${!prefix*}`
    pub(super) fn names(&mut self, task: &mut Task, parameter: &Parameter, joined: bool) -> Run {
        let Target::Variable(symbol) = parameter.target else {
            return bad_substitution(self, task, parameter);
        };
        let prefix = self.symbols.name(symbol);
        let mut names: Vec<Text> = task
            .state
            .variables
            .iter()
            .filter(|(_, variable)| {
                variable.value.is_set() || variable.attributes.has(Attributes::DYNAMIC)
            })
            .map(|(symbol, _)| self.symbols.name(symbol))
            .filter(|name| name.starts_with(&prefix) && scope::is_name(name))
            .collect();
        names.sort();
        self.add_list(task, &names, Source::of(parameter, joined));
        Ok(())
    }

    /// `${!a[@]}`
    pub(super) fn keys(&mut self, task: &mut Task, parameter: &Parameter) -> Run {
        let (symbol, joined) = match parameter.target {
            Target::All(symbol) => (symbol, false),
            Target::Joined(symbol) => (symbol, true),
            _ => return bad_substitution(self, task, parameter),
        };
        let keys = if self.names_element(task, Target::Variable(symbol)) {
            Vec::new()
        } else {
            scope::keys(&scope::value(self, task, symbol))
        };
        self.add_list(task, &keys, Source::of(parameter, joined));
        Ok(())
    }
}
