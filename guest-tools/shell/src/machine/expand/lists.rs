//! Lists in a word: `$@`, `$*`, `${a[@]}`, what is made of them, and what stands between the items
//! where they become one string.

use super::{Separators, join};
use crate::machine::Machine;
use crate::machine::code::{Action, Form, Parameter, Target};
use crate::machine::task::Task;
use crate::text::Text;

/// Where a list comes from.
#[derive(Debug, Clone, Copy)]
pub(in crate::machine) struct Source {
    /// What was done to its items.
    pub action: Action,
    /// What it is.
    pub target: Target,
    /// `*`
    pub joined: bool,
    /// Between double quotes.
    pub quoted: bool,
}

impl Source {
    /// The list of `parameter`.
    pub(super) fn of(parameter: &Parameter, joined: bool) -> Source {
        Source {
            action: parameter.action,
            target: parameter.target,
            joined,
            quoted: parameter.quoted,
        }
    }

    /// What joins the items to one string; none where they stay fields.
    fn separator(self, form: Form, separators: &Separators) -> Option<&[u8]> {
        let first = match separators.is_empty() {
            true => b" ".as_slice(),
            false => separators.first(),
        };
        match (self.joined, form) {
            (true, Form::Fields) if !self.quoted => match self.action {
                Action::Keys if separators.is_empty() => Some(b" "),
                Action::Names { .. } if separators.is_empty() => Some(b""),
                _ => None,
            },
            (true, Form::Document) => Some(b" "),
            (true, Form::Argument) if !self.quoted && !self.is_closed() => Some(first),
            (true, _) => Some(separators.first()),
            (false, Form::Fields) => None,
            (false, Form::Value | Form::Argument) if self.is_open() => Some(first),
            (false, _) => Some(b" "),
        }
    }

    /// Whether the items of an `@` in an assignment are apart as in a word that is split.
    fn is_open(self) -> bool {
        match self.action {
            Action::Value | Action::Conditional { .. } => false,
            Action::Names { .. }
            | Action::RemovePrefix { .. }
            | Action::RemoveSuffix { .. }
            | Action::Transform(_) => true,
            _ => self.quoted,
        }
    }

    /// Whether nothing is between the items of a `*` in an argument where nothing separates.
    fn is_closed(self) -> bool {
        let array = matches!(self.target, Target::Joined(_));
        match self.action {
            Action::Value | Action::Conditional { .. } | Action::Replace { .. } => array,
            Action::Case { .. } => true,
            _ => false,
        }
    }
}

impl Machine {
    /// Adds the values of a list to the word under way.
    pub(in crate::machine) fn add_list(&mut self, task: &mut Task, items: &[Text], source: Source) {
        let separators = self.separators(task);
        let Some(expansion) = task.expansions.last_mut() else {
            return;
        };
        match source.separator(expansion.form, &separators) {
            Some(separator) => {
                expansion.value(&join(items, separator), source.quoted, &separators);
            }
            None => expansion.list(items, source.quoted, &separators),
        }
    }
}
