//! Lists in a word: `$@`, `$*`, `${a[@]}`, what is made of them, and what stands between the items
//! where they become one string.

use super::{Expansion, Separators, join};
use crate::machine::Machine;
use crate::machine::code::{Action, Division, Form, Parameter, Target};
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
    /// In the operand of another expansion.
    pub inner: bool,
}

/// What becomes of the items.
enum Plan<'a> {
    /// One string, joined by this.
    Join(&'a [u8]),
    /// Fields.
    Fields,
    /// What blanks divide in one string.
    Spaced,
    /// Between double quotes, what a list in the same text divides.
    Spread,
    /// One string that is not divided.
    Whole,
}

impl Source {
    /// The list of `parameter`.
    pub(super) fn of(parameter: &Parameter, joined: bool) -> Source {
        Source {
            action: parameter.action,
            target: parameter.target,
            joined,
            quoted: parameter.quoted,
            inner: parameter.inner,
        }
    }

    /// `unsplit`: see [`crate::machine::state::State::unsplit`].
    fn plan<'a>(
        self,
        expansion: &Expansion,
        separators: &'a Separators,
        unsplit: bool,
    ) -> Plan<'a> {
        let form = expansion.list_form();
        let none = separators.is_empty();
        let first = if none { b" " } else { separators.first() };
        Plan::Join(match (self.joined, form) {
            (false, Form::Fields) if self.quoted || !self.inner => return Plan::Fields,
            (false, Form::Fields) if none || separators.contains(b' ') => return Plan::Fields,
            (false, Form::Fields) if self.is_plain() => return Plan::Whole,
            (false, Form::Fields) => b" ",
            (true, Form::Fields) if !self.quoted && !none => return Plan::Fields,
            (true, Form::Fields) if !self.quoted && !self.inner && expansion.is_divided() => {
                match self.is_split_star() {
                    true => return Plan::Spaced,
                    false => b"",
                }
            }
            (true, Form::Fields) if !self.quoted => match self.action {
                Action::Names { .. } => b"",
                Action::Keys if !unsplit => b" ",
                _ if unsplit && self.is_spaced_star(expansion) => return Plan::Spaced,
                _ if unsplit => b"",
                _ => return Plan::Fields,
            },
            (true, Form::Fields | Form::Text)
                if expansion.is_dividable() && !none && !self.is_plain() =>
            {
                return Plan::Spread;
            }
            (true, Form::Document) if self.is_whole_array() => separators.first(),
            (true, Form::Document) if expansion.is_dividable() => return Plan::Spread,
            (true, Form::Document) => self.in_document(separators),
            (true, form)
                if !self.quoted && !self.is_closed() && (self.inner || form == Form::Argument) =>
            {
                first
            }
            (true, _) => separators.first(),
            (false, Form::Value | Form::Argument) if self.is_open() => first,
            (false, _) => b" ",
        })
    }

    /// `${*#x}` and its kin, and `$*` after a quoted list.
    fn is_spaced_star(self, expansion: &Expansion) -> bool {
        let plain = self.is_plain() || matches!(self.action, Action::Transform(_));
        self.target == Target::Special(b'*') && (!plain || self.is_plain() && expansion.listed)
    }

    /// What is split at blanks in one string with a list, though nothing separates.
    fn is_split_star(self) -> bool {
        let special = self.target == Target::Special(b'*');
        match self.action {
            Action::Case { .. } => true,
            Action::Replace { .. } => !special,
            Action::RemovePrefix { .. } | Action::RemoveSuffix { .. } | Action::Slice { .. } => {
                special
            }
            _ => special && self.is_plain(),
        }
    }

    fn is_plain(self) -> bool {
        matches!(self.action, Action::Value | Action::Conditional { .. })
    }

    /// `${a[*]}` and what stands for it.
    fn is_whole_array(self) -> bool {
        self.is_plain() && matches!(self.target, Target::Joined(_))
    }

    /// What joins the items of a `*` in a here-document without lists.
    fn in_document(self, separators: &Separators) -> &[u8] {
        match self.action {
            Action::Case { .. } | Action::Replace { .. } => separators.first(),
            _ => b" ",
        }
    }

    /// The items of a `*` in a here-document with a list.
    fn beside_list(self, items: &[Text], expansion: &Expansion, separators: &Separators) -> Text {
        let none = separators.is_empty();
        let changed = matches!(self.action, Action::Case { .. } | Action::Replace { .. });
        match self.is_plain() {
            true if none => {
                let blank = Separators::new(Some(Text::from(b" ")));
                expansion.divided(&join(items, b" "), &blank)
            }
            true => expansion.divided(&join(items, b" "), separators),
            false if changed && none => join(items, b""),
            false if none || separators.contains(b' ') => expansion.without_empty(items),
            false => join(items, b" "),
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

    /// Whether nothing is between the items of a `*` in an argument or an operand where nothing
    /// separates.
    fn is_closed(self) -> bool {
        let array = matches!(self.target, Target::Joined(_));
        match self.action {
            Action::Value | Action::Conditional { .. } | Action::Replace { .. } => array,
            Action::Case { .. } => true,
            _ => false,
        }
    }
}

impl Expansion {
    /// Adds the values of a list.
    fn items(&mut self, items: &[Text], source: Source, separators: &Separators, unsplit: bool) {
        if let Some(mut undivided) = self.undivided.take() {
            undivided.items(items, source, separators, unsplit);
            self.items(items, source, separators, unsplit);
            self.undivided = Some(undivided);
            return;
        }
        let list = source.quoted && !source.joined;
        if list {
            self.note_list();
        }
        if source.quoted && source.joined && source.is_plain() && !items.is_empty() {
            self.present();
        }
        if matches!(self.division, Division::Joined | Division::First)
            && !source.joined
            && source.is_plain()
            && (source.quoted || separators.divide_lists())
        {
            // The items are apart, but what is in them is not split.
            return self.list(items, true, separators);
        }
        let form = self.list_form();
        match source.plan(self, separators, unsplit) {
            Plan::Join(separator) => self.value(&join(items, separator), source.quoted, separators),
            Plan::Fields => self.list(items, source.quoted, separators),
            Plan::Spaced => {
                let blank = Separators::new(Some(Text::from(b" ")));
                self.split(&join(items, b""), &blank);
            }
            Plan::Spread if form == Form::Document => {
                let beside_list = source.beside_list(items, self, separators);
                let text = join(items, source.in_document(separators));
                self.alternative(&text, beside_list);
            }
            Plan::Spread => self.spread(items, separators),
            Plan::Whole => {
                let none = Separators::new(Some(Text::new()));
                self.split(&join(items, b" "), &none);
            }
        }
        let last = items.last().filter(|_| list && source.is_plain());
        if last.is_some_and(|item| item.is_empty()) {
            self.note_empty();
        }
    }
}

impl Machine {
    /// Adds the values of a list to the word under way.
    pub(in crate::machine) fn add_list(&mut self, task: &mut Task, items: &[Text], source: Source) {
        let separators = self.separators(task);
        if let Some(expansion) = task.stacks.expansions.last_mut() {
            expansion.items(items, source, &separators, task.state.unsplit);
        }
    }
}
