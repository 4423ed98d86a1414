//! Which value a parameter expansion works on.

use super::join;
use crate::machine::Machine;
use crate::machine::code::{Action, Form, Parameter, Target};
use crate::machine::control::thrown;
use crate::machine::frame::{Frame, Role};
use crate::machine::message::{expansion_fault, fault};
use crate::machine::option::SetOption;
use crate::machine::reference::{self, Subscript};
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::trap::Event;
use crate::machine::value::{Attributes, Value, Variable};
use crate::syntax::tree::Reference;
use crate::text::Text;

/// The number of a positional parameter that is never set.
const NO_PARAMETER: u32 = 1 << 24;

/// What an error of expansion does: it ends a shell that is not interactive, and at once under `set -e`.
pub(in crate::machine) fn fatal(task: &mut Task) -> Trouble {
    ended(task, task.exits_on_error())
}

/// What a wrong expression does in POSIX mode, whatever `set -e` says.
pub(in crate::machine) fn fatal_expression(task: &mut Task) -> Trouble {
    ended(task, false)
}

fn ended(task: &mut Task, at_once: bool) -> Trouble {
    if task.state.interactive && task.state.subshell_level == 0 {
        return Trouble::Discard(1);
    }
    if let (true, Some(status)) = (task.in_trap(Event::Exit), task.control.ending.status) {
        return Trouble::Exit(status);
    }
    let status = fatal_status(task, at_once);
    thrown(task, status)
}

/// The status of a shell that ends by an error of expansion.
fn fatal_status(task: &Task, at_once: bool) -> u8 {
    // What a builtin in a process of its own throws ends with that builtin.
    let reads = |frame: &Frame| matches!(frame.role, Role::Reader(_));
    let apart =
        task.control.around.of_main && (task.builtin.is_some() || task.frames.iter().any(reads));
    let main = task.is_of_main() && !apart && task.state.mode == Some(b'c');
    if main && !at_once { 127 } else { 1 }
}

/// What follows where `${x=…}` cannot assign: POSIX mode ends the shell.
pub(in crate::machine) fn unassigned(gives_up: bool, task: &mut Task) -> Trouble {
    if task.state.options.on(SetOption::Posix) && !task.state.interactive {
        return fatal(task);
    }
    Trouble::Discard(match gives_up || task.is_within_text() {
        true => 1,
        false => 2,
    })
}

/// An item of `${!@}`, which is not a name anyway: bash shows its mark of an empty one among others.
fn marked(item: Text, plain: bool) -> Text {
    match item.is_empty() && !plain {
        true => Text::from(b"\x7f"),
        false => item,
    }
}

/// What a parameter stands for.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(in crate::machine) enum Resolved {
    /// Nothing.
    Unset,
    /// A string.
    Scalar(Text),
    /// `$@`, `$*` or all elements of an array.
    List {
        /// The values.
        items: Vec<Text>,
        /// `*`
        joined: bool,
    },
}

/// A parameter, indirection done.
#[derive(Debug, Clone)]
pub(in crate::machine) struct Found {
    /// Which one.
    pub target: Target,
    /// The subscript of an element.
    pub subscript: Option<Text>,
    /// Its value.
    pub value: Resolved,
}

impl Machine {
    /// Finds what a parameter expansion works on. The subscript of an element is `subscript`.
    pub(in crate::machine) fn find(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        subscript: Option<Text>,
    ) -> Run<Found> {
        let mut target = parameter.target;
        let mut subscript = subscript;
        if parameter.indirect {
            match self.indirect(task, parameter, subscript.as_ref())? {
                Some((name, sub)) => (target, subscript) = (name, sub),
                None => {
                    // It makes bash forget that a list before it may be no field at all.
                    if let Some(expansion) = task.stacks.expansions.last_mut()
                        && (parameter.quoted || expansion.listed)
                    {
                        expansion.present();
                    }
                    return Ok(Found {
                        target: Target::Bad,
                        subscript,
                        value: Resolved::Unset,
                    });
                }
            }
        }
        if let (Target::Element(symbol), Some(b"")) = (target, subscript.as_deref())
            && !matches!(parameter.action, Action::Length)
            && self.has_keys(task, symbol)
        {
            scope::bad_name(self, task, symbol);
        }
        let value = match self.named(task, parameter) {
            Some(name) => Resolved::Scalar(name),
            None => match target {
                Target::Variable(symbol) if self.names_list(task, symbol) => {
                    self.joined_list(task, symbol, parameter)
                }
                target => self.resolve(task, target, subscript.as_ref())?,
            },
        };
        let no_word = matches!(value, Resolved::List { joined: false, .. });
        if parameter.indirect
            && parameter.quoted
            && !no_word
            && let Some(expansion) = task.stacks.expansions.last_mut()
        {
            expansion.present();
        }
        Ok(Found {
            target,
            subscript,
            value,
        })
    }

    /// `${!ref…}` of a nameref is the name that it holds, but for operators on the values of arrays.
    fn named(&mut self, task: &mut Task, parameter: &Parameter) -> Option<Text> {
        let Target::Variable(symbol) = parameter.target else {
            return None;
        };
        let attributes = task.state.variables.attributes(symbol);
        if !parameter.indirect || !attributes.has(Attributes::NAMEREF) {
            return None;
        }
        let Value::Text(name) = task.state.variables.value(symbol).clone() else {
            return None;
        };
        let array = name.contains(&b'[')
            || matches!(
                scope::value(self, task, symbol),
                Value::Indexed(_) | Value::Associative(_)
            );
        let conditional = matches!(parameter.action, Action::Conditional { .. });
        (conditional || !array).then_some(name)
    }

    /// The parameter that another one names.
    fn indirect(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        subscript: Option<&Text>,
    ) -> Run<Option<(Target, Option<Text>)>> {
        let target = parameter.target;
        if let Target::Variable(symbol) = target
            && task
                .state
                .variables
                .attributes(symbol)
                .has(Attributes::NAMEREF)
        {
            // `${!ref}` is the name; it stands for itself as a value.
            if !task.state.variables.value(symbol).is_set() {
                return self.bad_indirect(task, target, subscript);
            }
            return Ok(Some((target, None)));
        }
        let value = match self.resolve(task, target, subscript)? {
            Resolved::Unset => {
                return self.bad_indirect(task, target, subscript);
            }
            Resolved::Scalar(text) => text,
            Resolved::List { items, .. } if items.is_empty() => {
                return self.bad_indirect(task, target, subscript);
            }
            Resolved::List { items, joined } => {
                let separators = self.separators(task);
                let word = task.stacks.expansions.last();
                let document = word.is_some_and(|word| word.form == Form::Document);
                let fields =
                    !parameter.quoted && word.is_some_and(|word| word.form == Form::Fields);
                let array = matches!(target, Target::All(_) | Target::Joined(_));
                let separator = match joined {
                    false if array && !separators.is_empty() => separators.first(),
                    true if array && !(separators.is_empty() && fields) => separators.first(),
                    true if !array && !document => separators.first(),
                    _ => b" ",
                };
                let plain = joined || items.len() == 1 || array && !parameter.quoted && !document;
                let items = items.into_iter().map(|item| marked(item, plain));
                join(&items.collect::<Vec<_>>(), separator)
            }
        };
        self.parse_reference(task, &value).map(Some)
    }

    pub(super) fn bad_indirect(
        &mut self,
        task: &mut Task,
        target: Target,
        subscript: Option<&Text>,
    ) -> Run<Option<(Target, Option<Text>)>> {
        let (Target::Variable(symbol)
        | Target::Element(symbol)
        | Target::All(symbol)
        | Target::Joined(symbol)) = target
        else {
            return Ok(None);
        };
        let place = match target {
            Target::Variable(_) => None,
            _ => scope::resolve(self, task, symbol).filter(|place| place.subscript.is_none()),
        };
        let known = place.map_or(symbol, |place| place.symbol);
        let known = task.state.variables.get(known);
        let reference = |known: &Variable| known.attributes.has(Attributes::NAMEREF);
        if known.is_some_and(|known| known.exists() && !reference(known)) {
            return Ok(None);
        }
        let name = self.target_name(&Found {
            target,
            subscript: subscript.cloned(),
            value: Resolved::Unset,
        });
        let text = [&name, b": invalid indirect expansion".as_slice()].concat();
        fault(self, task, &text);
        Err(Trouble::Discard(1))
    }

    /// Reads the name of a parameter from text.
    fn parse_reference(&mut self, task: &mut Task, text: &Text) -> Run<(Target, Option<Text>)> {
        let (name, subscript) = reference::split(text);
        if let (Some(digit @ b'0'..=b'9'), None) = (name.first(), subscript)
            && name.iter().all(u8::is_ascii_digit)
        {
            // What is no number of 64 bits is to bash its first digit, as `$9` is.
            let number = Reference::number(name);
            let target = number.map_or(Target::Special(*digit), |number| {
                Target::Positional(number.min(NO_PARAMETER))
            });
            return Ok((target, None));
        }
        if let ([byte @ (b'@' | b'*' | b'#' | b'?' | b'-' | b'$' | b'!')], None) = (name, subscript)
        {
            return Ok((Target::Special(*byte), None));
        }
        let bad = |text: &[u8]| text.is_empty() || !reference::is_whole(text);
        if !scope::is_name(name) || subscript.is_some_and(bad) {
            let text = [text.as_bytes(), b": invalid variable name"].concat();
            fault(self, task, &text);
            return Err(Trouble::Discard(1));
        }
        let symbol = self.symbols.intern(name);
        Ok(match subscript {
            None => (Target::Variable(symbol), None),
            Some(text) => match Subscript::parse(text) {
                Subscript::All => (Target::All(symbol), None),
                Subscript::Joined => (Target::Joined(symbol), None),
                Subscript::Index => {
                    let text = self
                        .expand_subscript(task, symbol, text)
                        .map_err(|_| Trouble::Discard(1))?;
                    (Target::Element(symbol), Some(text))
                }
            },
        })
    }

    fn resolve(
        &mut self,
        task: &mut Task,
        target: Target,
        subscript: Option<&Text>,
    ) -> Run<Resolved> {
        let scalar = |value: Option<Text>| value.map_or(Resolved::Unset, Resolved::Scalar);
        Ok(match target {
            Target::Variable(symbol) => scalar(scope::get(self, task, symbol)),
            Target::Element(symbol) => {
                let empty = Text::new();
                let subscript = subscript.unwrap_or(&empty);
                let value = scope::get_element(self, task, symbol, subscript);
                scalar(value.map_err(|_| Trouble::Discard(1))?)
            }
            Target::All(symbol) => self.elements(task, symbol, false),
            Target::Joined(symbol) => self.elements(task, symbol, true),
            Target::Positional(0) => Resolved::Scalar(task.state.name.clone()),
            Target::Special(digit @ b'0'..=b'9') => {
                return self.resolve(task, Target::Positional(u32::from(digit - b'0')), None);
            }
            Target::Positional(number) => scalar(
                task.state
                    .positional
                    .as_slice()
                    .get(number as usize - 1)
                    .cloned(),
            ),
            Target::Special(b'@') => Resolved::List {
                items: task.state.positional.as_slice().to_vec(),
                joined: false,
            },
            Target::Special(b'*') => Resolved::List {
                items: task.state.positional.as_slice().to_vec(),
                joined: true,
            },
            Target::Special(name) => scalar(self.special_parameter(task, name)),
            Target::Bad => Resolved::Unset,
        })
    }

    /// All elements of an array where a nameref names them, and whether it does so with `*`.
    pub(in crate::machine) fn nameref_list(
        &mut self,
        task: &mut Task,
        symbol: Symbol,
    ) -> Option<(Vec<Text>, bool)> {
        if !self.names_list(task, symbol) {
            return None;
        }
        let place = scope::resolve_quietly(self, task, symbol)?;
        let joined = Subscript::parse(&place.subscript?) == Subscript::Joined;
        let items = scope::items(&scope::value(self, task, place.symbol));
        Some((items, joined))
    }

    /// The same as the one string that it is in braces. It has no length.
    fn joined_list(&mut self, task: &mut Task, symbol: Symbol, parameter: &Parameter) -> Resolved {
        let Some((items, joined)) = self.nameref_list(task, symbol) else {
            return Resolved::Unset;
        };
        if items.is_empty() {
            return Resolved::Unset;
        }
        if parameter.action == Action::Length {
            return Resolved::Scalar(Text::new());
        }
        let separators = self.separators(task);
        let word = task.stacks.expansions.last();
        let fields = word.is_some_and(|word| word.form == Form::Fields);
        let separator = match joined {
            true if parameter.quoted || !fields || !separators.is_empty() => separators.first(),
            false if fields && !separators.is_empty() => separators.first(),
            _ => b" ",
        };
        Resolved::Scalar(join(&items, separator))
    }

    /// Whether a variable is a nameref to all elements of an array.
    #[cold]
    pub(in crate::machine) fn names_list(&mut self, task: &Task, symbol: Symbol) -> bool {
        let attributes = task.state.variables.attributes(symbol);
        attributes.has(Attributes::NAMEREF)
            && scope::resolve_quietly(self, task, symbol)
                .and_then(|place| place.subscript)
                .is_some_and(|subscript| Subscript::parse(&subscript) != Subscript::Index)
    }

    /// Whether a nameref names an element of an array.
    pub(super) fn names_element(&mut self, task: &mut Task, target: Target) -> bool {
        let Target::Variable(symbol) = target else {
            return false;
        };
        let reference = task.state.variables.attributes(symbol);
        reference.has(Attributes::NAMEREF)
            && scope::resolve_quietly(self, task, symbol)
                .is_some_and(|place| place.subscript.is_some())
    }

    fn elements(&mut self, task: &mut Task, symbol: Symbol, joined: bool) -> Resolved {
        let value = if self.names_element(task, Target::Variable(symbol)) {
            Value::Unset
        } else {
            scope::value(self, task, symbol)
        };
        if value == Value::Unset {
            return Resolved::List {
                items: Vec::new(),
                joined,
            };
        }
        Resolved::List {
            items: scope::items(&value),
            joined,
        }
    }

    /// Complains where `set -u` is on; called for what is unset.
    pub(in crate::machine) fn unbound(&mut self, task: &mut Task, name: &[u8]) -> Run {
        if task.state.options.on(SetOption::Nounset) {
            expansion_fault(self, task, &[name, b": unbound variable"].concat());
            return Err(fatal(task));
        }
        Ok(())
    }

    /// Complains under `set -u` of what has no value; `named`: the subscript of `${!x[…]}`.
    pub(super) fn missing(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: &Found,
        named: Option<Option<Text>>,
    ) -> Run {
        let name = match named {
            Some(subscript) => self.indirect_name(parameter, subscript),
            None => self.target_name(found),
        };
        self.leads_nowhere(task, parameter, found)?;
        self.unbound(task, &name)
    }

    /// The text of a parameter that names another one.
    pub(super) fn naming_text(
        &mut self,
        task: &mut Task,
        target: Target,
        subscript: Option<&Text>,
    ) -> Run<Text> {
        Ok(match self.resolve(task, target, subscript)? {
            Resolved::Unset => Text::new(),
            Resolved::Scalar(text) => text,
            Resolved::List { items, .. } => join(&items, b" "),
        })
    }

    /// `$!` is bad where another parameter names it, for `set -u`, and so is `$9` where a number does
    /// that is too great.
    pub(super) fn leads_nowhere(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: &Found,
    ) -> Run {
        let Target::Special(name @ (b'!' | b'0'..=b'9')) = found.target else {
            return Ok(());
        };
        if !parameter.indirect
            || found.value != Resolved::Unset
            || !task.state.options.on(SetOption::Nounset)
        {
            return Ok(());
        }
        expansion_fault(
            self,
            task,
            &[b"$", &[name], b": unbound variable".as_slice()].concat(),
        );
        if task.state.options.on(SetOption::Errexit) {
            return Err(Trouble::Discard(1));
        }
        super::parameter::bad_substitution(self, task, parameter)
    }

    /// How messages name what `${!x}` leads to.
    pub(super) fn indirect_name(&self, parameter: &Parameter, subscript: Option<Text>) -> Vec<u8> {
        let named = Found {
            target: parameter.target,
            subscript,
            value: Resolved::Unset,
        };
        [b"!".as_slice(), &self.target_name(&named)].concat()
    }

    /// How a target is written.
    pub(in crate::machine) fn target_name(&self, found: &Found) -> Vec<u8> {
        match found.target {
            Target::Variable(symbol) => self.symbols.name(symbol).to_vec(),
            Target::Element(symbol) => {
                let mut name = self.symbols.name(symbol).to_vec();
                name.push(b'[');
                name.extend_from_slice(found.subscript.as_deref().unwrap_or_default());
                name.push(b']');
                name
            }
            Target::All(symbol) => [self.symbols.name(symbol).as_bytes(), b"[@]"].concat(),
            Target::Joined(symbol) => [self.symbols.name(symbol).as_bytes(), b"[*]"].concat(),
            Target::Positional(number) => number.to_string().into_bytes(),
            Target::Special(byte) => vec![byte],
            Target::Bad => Vec::new(),
        }
    }
}
