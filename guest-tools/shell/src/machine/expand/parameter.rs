//! Parameter expansions while they run: `Op::SkipUnset` (`skips`) and `Op::Expand` (`expand`).
//!
//! The operands lie on the task's stack, below them the subscript of an element. `expand` takes them off, finds the
//! value (`target`), applies the operator and adds the result to the word under way, split or not as the place wants
//! it. Operators that work on texts do so for each item of a list; the sum of the results is bounded by the budget of
//! expansions.
//!
//! `${#a[@]}` and slices of an indexed array do not copy the elements.

use std::rc::Rc;

use super::replace::anchored;
use super::replace::apply;
use super::replace::escapes_next;
use super::replace::is_after_star;

use super::Separators;
use super::lists::Source;
use super::target::{Found, Resolved};
use crate::machine::Machine;
use crate::machine::code::{Action, Code, Parameter, Target};
use crate::machine::message::{expansion_fault, fault};
use crate::machine::option::{SetOption, Shopt};
use crate::machine::run::{Run, Trouble};
use crate::machine::scope;
use crate::machine::symbol::{Symbol, known};
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::pattern::Pattern;
use crate::syntax::tree::ReplaceAnchor;
use crate::text::Text;

/// The mark of a value that was taken before the operands were expanded.
const KEPT: &[u8] = b"=";

impl Machine {
    /// `$IFS`
    pub(in crate::machine) fn separators(&mut self, task: &mut Task) -> Separators {
        Separators::new(scope::get(self, task, known::IFS))
    }

    /// Adds a string to the word under way.
    pub(in crate::machine) fn add(&mut self, task: &mut Task, text: &[u8], quoted: bool) {
        let separators = self.separators(task);
        if let Some(expansion) = task.stacks.expansions.last_mut() {
            expansion.value(text, quoted, &separators);
        }
    }

    /// Adds what an expansion gave: nothing, a string, or a list.
    pub(super) fn add_resolved(
        &mut self,
        task: &mut Task,
        value: &Resolved,
        parameter: &Parameter,
    ) {
        match value {
            Resolved::Unset => {}
            Resolved::Scalar(text) => self.add(task, text, parameter.quoted),
            Resolved::List { items, joined } => {
                self.add_list(task, items, Source::of(parameter, *joined));
            }
        }
    }

    /// Takes the subscript off the stack, where the expansion is about an element.
    pub(super) fn subscript_operand(task: &mut Task, parameter: &Parameter) -> Option<Text> {
        matches!(parameter.target, Target::Element(_)).then(|| task.stacks.operand())
    }

    /// Looks at a parameter before the operands of its operator are expanded; true where there is
    /// nothing to work on, and they are not. A string is kept with a mark, for [`Machine::expand`].
    pub(in crate::machine) fn skips(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
    ) -> Run<bool> {
        if parameter.target == Target::Bad {
            return bad_substitution(self, task, parameter);
        }
        if let (false, Some((empty, joined))) = (
            parameter.indirect,
            self.list_is_empty(task, parameter.target),
        ) {
            return Ok(self.skips_list(task, parameter, parameter.target, empty, joined));
        }
        let subscript = Self::subscript_operand(task, parameter);
        let found = self.find(task, parameter, subscript.clone())?;
        match &found.value {
            Resolved::Scalar(value) if value.is_empty() && trims(parameter.action) => {
                self.add_resolved(task, &found.value, parameter);
                Ok(true)
            }
            Resolved::Scalar(value) => {
                task.stacks.operands.extend([value.clone(), KEPT.into()]);
                Ok(false)
            }
            Resolved::List { items, joined } => {
                task.stacks.operands.extend(subscript);
                Ok(self.skips_list(task, parameter, found.target, items.is_empty(), *joined))
            }
            Resolved::Unset => {
                let named = parameter.indirect.then_some(subscript);
                self.missing(task, parameter, &found, named)?;
                Ok(true)
            }
        }
    }

    /// The same for a list: what is cut from the positional parameters begins with `$0`.
    fn skips_list(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        target: Target,
        empty: bool,
        joined: bool,
    ) -> bool {
        let slices = matches!(parameter.action, Action::Slice { .. });
        if empty && !(slices && matches!(target, Target::Special(_))) {
            self.add_list(task, &[], Source::of(parameter, joined));
            return true;
        }
        task.stacks.operands.push(Text::new());
        false
    }

    /// Whether a list has no elements, and whether it is a `*`; none where the target is no list.
    fn list_is_empty(&mut self, task: &mut Task, target: Target) -> Option<(bool, bool)> {
        let (symbol, joined) = match target {
            Target::Special(name @ (b'@' | b'*')) => {
                return Some((task.state.positional.as_slice().is_empty(), name == b'*'));
            }
            Target::All(symbol) => (symbol, false),
            Target::Joined(symbol) => (symbol, true),
            _ => return None,
        };
        let empty = match scope::value(self, task, symbol) {
            Value::Unset => true,
            Value::Text(_) => self.names_element(task, Target::Variable(symbol)),
            Value::Indexed(array) => array.is_empty(),
            Value::Associative(map) => map.is_empty(),
        };
        Some((empty, joined))
    }

    /// Adds a parameter expansion to the word under way.
    pub(in crate::machine) fn expand(
        &mut self,
        task: &mut Task,
        code: &Rc<Code>,
        index: u32,
    ) -> Run {
        let parameter = &code.parameters[index as usize];
        let operands = operands(parameter.action);
        let operands = task
            .stacks
            .operands
            .split_off(task.stacks.operands.len().saturating_sub(operands));
        if parameter.early && task.stacks.operand().as_bytes() == KEPT {
            let found = Found {
                target: parameter.target,
                subscript: None,
                value: Resolved::Scalar(task.stacks.operand()),
            };
            return self.expand_found(task, parameter, operands, found);
        }
        let subscript = Self::subscript_operand(task, parameter);
        self.expand_parameter(task, parameter, operands, subscript)
    }

    /// The same with its operands.
    pub(in crate::machine) fn expand_parameter(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        operands: Vec<Text>,
        subscript: Option<Text>,
    ) -> Run {
        match parameter.action {
            Action::Names { joined } => return self.names(task, parameter, joined),
            Action::Keys => return self.keys(task, parameter),
            Action::Unnamed => return self.without_letter(task, parameter, subscript),
            Action::Bad => return bad_substitution(self, task, parameter),
            _ if parameter.target == Target::Bad => return bad_substitution(self, task, parameter),
            _ => {}
        }
        if parameter.indirect
            && let Target::Variable(symbol) = parameter.target
            && task
                .state
                .variables
                .attributes(symbol)
                .has(Attributes::NAMEREF)
            && parameter.action == Action::Value
        {
            if !task.state.variables.value(symbol).is_set() {
                return self.bad_indirect(task, parameter.target, None).map(|_| ());
            }
            let name = self.symbols.name(symbol);
            let target = scope::follow(self, task, &name);
            self.add(task, &target, parameter.quoted);
            return Ok(());
        }
        if let (false, Target::All(symbol) | Target::Joined(symbol)) =
            (parameter.indirect, parameter.target)
            && let Some(done) = self.without_copy(task, parameter, symbol, &operands)
        {
            return done;
        }
        if parameter.action == Action::Length && !parameter.indirect {
            self.counts_elements(task, parameter.target)?;
        }
        if let (Action::Length, Target::Element(symbol), false) =
            (parameter.action, parameter.target, parameter.indirect)
            && !scope::value(self, task, symbol).is_set()
        {
            let found = Found {
                target: parameter.target,
                subscript,
                value: Resolved::Unset,
            };
            return self.length(task, parameter, &found);
        }
        if let (Action::Length, Target::Element(symbol), Some(subscript), false) = (
            parameter.action,
            parameter.target,
            &subscript,
            parameter.indirect,
        ) && self.is_outside(task, symbol, subscript)?
        {
            let shown = written_subscript(parameter).unwrap_or(subscript);
            fault(self, task, &[shown, b"]: bad array subscript"].concat());
            return Err(Trouble::Discard(1));
        }
        let named = parameter.indirect.then(|| subscript.clone());
        let found = self.find(task, parameter, subscript)?;
        if parameter.action == Action::Length {
            return self.length(task, parameter, &found);
        }
        if found.value == Resolved::Unset && !self.is_described(task, parameter, found.target) {
            self.missing(task, parameter, &found, named)?;
        }
        if let Action::Transform(letter) = parameter.action {
            return self.transform(task, parameter, &found, letter);
        }
        self.expand_found(task, parameter, operands, found)
    }

    /// Whether a transformation says something about what has no value: all of an array, and what an
    /// array without an element 0 is.
    fn is_described(&mut self, task: &mut Task, parameter: &Parameter, target: Target) -> bool {
        match (parameter.action, target) {
            (Action::Transform(_), Target::All(_)) => true,
            (Action::Transform(b'a' | b'A'), Target::Variable(symbol)) => {
                match scope::value(self, task, symbol) {
                    Value::Indexed(array) => !array.is_empty(),
                    Value::Associative(map) => !map.is_empty(),
                    _ => false,
                }
            }
            _ => false,
        }
    }

    /// `${x@}`, which is an error where there is something to transform.
    fn without_letter(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        subscript: Option<Text>,
    ) -> Run {
        let found = self.find(task, parameter, subscript)?;
        if found.value != Resolved::Unset {
            let _ = bad_substitution::<()>(self, task, parameter);
            return Err(super::target::fatal(task));
        }
        let name = self.target_name(&found);
        self.unbound(task, &name)
    }

    /// The same with its value, for an operator that changes it.
    fn expand_found(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        operands: Vec<Text>,
        found: Found,
    ) -> Run {
        if let Action::Slice { length } = parameter.action {
            return self.slice(task, parameter, found, &operands, length);
        }
        let value = self.changed(task, parameter, found.value, &operands)?;
        self.add_resolved(task, &value, parameter);
        Ok(())
    }

    /// The value after a pattern operator.
    fn changed(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        value: Resolved,
        operands: &[Text],
    ) -> Run<Resolved> {
        if parameter.action == Action::Value {
            return Ok(value);
        }
        let mut action = parameter.action;
        let pattern = match (operands.first(), parameter.action) {
            (Some(pattern), Action::Replace { anchor }) => {
                let (anchor, pattern) = anchored(anchor, pattern);
                action = Action::Replace { anchor };
                if escapes_next(&pattern)
                    && (anchor != ReplaceAnchor::Suffix || is_after_star(&pattern))
                {
                    // bash first looks for `*pattern*`, whose last `*` this backslash quotes.
                    return Ok(value);
                }
                Some(self.compiled_pattern(task, &pattern))
            }
            (Some(pattern), _) => {
                // Of the operators, `nocasematch` is for replacements alone.
                let options = self.pattern_options(task);
                Some(self.pattern_with(pattern, options))
            }
            (None, _) => None,
        };
        let limit = self.expansion_limit(task);
        let patsub = task.state.options.shopt(Shopt::PatsubReplacement);
        let mut total = 0;
        let mut change = |text: &Text| -> Run<Text> {
            let changed = apply(action, text, pattern.as_deref(), operands, limit, patsub)?;
            total += changed.len();
            if total > limit {
                return Err(Trouble::Exceeded(crate::machine::Limit::Expansion));
            }
            Ok(changed)
        };
        Ok(match value {
            Resolved::Unset => Resolved::Unset,
            Resolved::Scalar(text) => Resolved::Scalar(change(&text)?),
            Resolved::List { items, joined } => {
                let items = items.iter().map(&mut change).collect::<Run<Vec<Text>>>()?;
                Resolved::List { items, joined }
            }
        })
    }

    /// `${#a[@]}` and `${a[@]:1:2}`, for which the elements need not be copied; none for others.
    fn without_copy(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        symbol: Symbol,
        operands: &[Text],
    ) -> Option<Run> {
        match parameter.action {
            Action::Length => {
                let count = match scope::value(self, task, symbol) {
                    Value::Unset | Value::Text(_) => return None,
                    Value::Indexed(array) => array.len(),
                    Value::Associative(map) => map.len(),
                };
                self.add(task, &Text::from(count as i64), parameter.quoted);
                Some(Ok(()))
            }
            Action::Slice { length }
                if matches!(scope::value(self, task, symbol), Value::Indexed(_)) =>
            {
                let found = Found {
                    target: parameter.target,
                    subscript: None,
                    value: Resolved::List {
                        items: Vec::new(),
                        joined: matches!(parameter.target, Target::Joined(_)),
                    },
                };
                Some(self.slice(task, parameter, found, operands, length))
            }
            _ => None,
        }
    }

    /// Whether `${x[@]:…}` cuts a string: `x` is no array.
    pub(super) fn is_scalar(&mut self, task: &mut Task, target: Target) -> bool {
        match target {
            Target::All(symbol) | Target::Joined(symbol) => {
                matches!(scope::value(self, task, symbol), Value::Text(_))
            }
            _ => false,
        }
    }

    /// A pattern, from the cache where it is there.
    pub(in crate::machine) fn compiled_pattern(
        &mut self,
        task: &mut Task,
        text: &Text,
    ) -> Rc<Pattern> {
        let mut options = self.pattern_options(task);
        options.ignore_case = task
            .state
            .options
            .shopt(crate::machine::option::Shopt::Nocasematch);
        self.pattern_with(text, options)
    }
}

/// The subscript of a parameter as it is written.
pub(super) fn written_subscript(parameter: &Parameter) -> Option<&[u8]> {
    let source: &[u8] = &parameter.source;
    let open = source.iter().position(|&byte| byte == b'[')?;
    let mut depth = 0usize;
    let mut bytes = source.iter().enumerate().skip(open);
    while let Some((at, byte)) = bytes.next() {
        match byte {
            b'\\' => drop(bytes.next()),
            b'[' => depth += 1,
            b']' if depth == 1 => return source.get(open + 1..at),
            b']' => depth -= 1,
            _ => {}
        }
    }
    None
}

/// Whether an action removes a prefix or a suffix.
fn trims(action: Action) -> bool {
    matches!(
        action,
        Action::RemovePrefix { .. } | Action::RemoveSuffix { .. }
    )
}

/// How many operands an operator takes from the stack.
pub(super) fn operands(action: Action) -> usize {
    match action {
        Action::Slice { length } => 1 + usize::from(length.is_some()),
        Action::RemovePrefix { .. } | Action::RemoveSuffix { .. } => 1,
        Action::Replace { .. } => 2,
        Action::Case { pattern, .. } => usize::from(pattern),
        _ => 0,
    }
}

/// Complains about `${…}` without a meaning.
pub(super) fn bad_substitution<T>(
    machine: &mut Machine,
    task: &mut Task,
    parameter: &Parameter,
) -> Run<T> {
    let text = [parameter.source.as_bytes(), b": bad substitution"].concat();
    expansion_fault(machine, task, &text);
    if task.state.options.on(SetOption::Posix) {
        return Err(super::target::fatal(task));
    }
    Err(Trouble::Discard(1))
}
