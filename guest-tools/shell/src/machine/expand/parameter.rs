//! Parameter expansions.

use std::borrow::Cow;
use std::rc::Rc;

use super::Separators;
use super::lists::Source;
use super::target::{Found, Resolved};
use crate::machine::Machine;
use crate::machine::code::{Action, Code, Parameter, Target};
use crate::machine::message::{expansion_fault, fault, report};
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

    fn length(&mut self, task: &mut Task, parameter: &Parameter, found: &Found) -> Run {
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
    fn counts_elements(&mut self, task: &mut Task, target: Target) -> Run {
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
    fn is_outside(&mut self, task: &mut Task, symbol: Symbol, subscript: &Text) -> Run<bool> {
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

    /// Whether `${x[@]:…}` cuts a string: `x` is no array.
    pub(super) fn is_scalar(&mut self, task: &mut Task, target: Target) -> bool {
        match target {
            Target::All(symbol) | Target::Joined(symbol) => {
                matches!(scope::value(self, task, symbol), Value::Text(_))
            }
            _ => false,
        }
    }

    /// `${x:offset:length}`
    fn slice(
        &mut self,
        task: &mut Task,
        parameter: &Parameter,
        found: Found,
        operands: &[Text],
        length_text: Option<u32>,
    ) -> Run {
        let number = |text: Option<&Text>| {
            text.and_then(|text| crate::arithmetic::plain_integer(text))
                .unwrap_or(0)
        };
        let offset = number(operands.first());
        let length = length_text.map(|text| Length {
            value: number(operands.get(1)),
            text,
        });
        match found.value {
            Resolved::Unset => Ok(()),
            Resolved::Scalar(text) => {
                let slice = self.substring(task, &text, offset, length)?;
                self.add(task, &slice.unwrap_or_default(), parameter.quoted);
                Ok(())
            }
            Resolved::List { items, .. } if self.is_scalar(task, found.target) => {
                let text = items.first().cloned().unwrap_or_default();
                if let Some(slice) = self.substring(task, &text, offset, length)? {
                    if parameter.quoted
                        && let Some(expansion) = task.stacks.expansions.last_mut()
                    {
                        expansion.quoted(b"");
                    }
                    self.add(task, &slice, parameter.quoted);
                }
                Ok(())
            }
            Resolved::List { items, joined } => {
                let items = self.sublist(task, found.target, items, offset, length)?;
                self.add_list(task, &items, Source::of(parameter, joined));
                Ok(())
            }
        }
    }

    /// The characters of a slice; nothing where it begins outside the text.
    fn substring(
        &mut self,
        task: &mut Task,
        text: &Text,
        offset: i64,
        length: Option<Length>,
    ) -> Run<Option<Text>> {
        let plain = text.is_ascii() || self.bytewise(task);
        let count = if plain {
            text.len() as i64
        } else {
            boundaries(text).count() as i64
        };
        let start = if offset < 0 { count + offset } else { offset };
        if start < 0 || start > count {
            return Ok(None);
        }
        let end = match length {
            None => count,
            Some(length) if length.value < 0 => count + length.value,
            Some(length) => start.saturating_add(length.value).min(count),
        };
        if let Some(length) = length.filter(|_| end < start) {
            return Err(length.refused(task));
        }
        let byte = |at: i64| {
            if plain {
                at as usize
            } else {
                boundaries(text).nth(at as usize).unwrap_or(text.len())
            }
        };
        Ok(Some(Text::from(&text[byte(start)..byte(end)])))
    }

    fn sublist(
        &mut self,
        task: &mut Task,
        target: Target,
        items: Vec<Text>,
        offset: i64,
        length: Option<Length>,
    ) -> Run<Vec<Text>> {
        // Beyond the end, nothing is wrong with a length.
        let limit = |task: &mut Task| match length {
            Some(length) if length.value < 0 => Err(length.refused(task)),
            Some(length) => Ok(length.value as usize),
            None => Ok(usize::MAX),
        };
        match target {
            Target::Special(_) => {
                let count = items.len() as i64 + 1;
                let start = if offset < 0 { count + offset } else { offset };
                if start < 0 || start > count {
                    return Ok(Vec::new());
                }
                let limit = limit(task)?;
                let name = task.state.name.clone();
                let all = std::iter::once(name).chain(items);
                Ok(all.skip(start as usize).take(limit).collect())
            }
            Target::All(symbol) | Target::Joined(symbol) => {
                let value = scope::value(self, task, symbol);
                Ok(match &value {
                    crate::machine::value::Value::Indexed(array) => {
                        let end = array.end() as i64;
                        let start = if offset < 0 { end + offset } else { offset };
                        if start < 0 || start >= end {
                            return Ok(Vec::new());
                        }
                        let limit = limit(task)?;
                        let from = array.iter_from(start as u64);
                        from.take(limit).map(|(_, item)| item.clone()).collect()
                    }
                    _ => {
                        // Positions of an associative array count from 1, and at least one
                        // element is taken.
                        let associative = matches!(value, Value::Associative(_));
                        let count = items.len() as i64 + i64::from(associative);
                        let start = if offset < 0 { count + offset } else { offset };
                        if start < 0 || start > items.len() as i64 {
                            return Ok(Vec::new());
                        }
                        let limit = limit(task)?;
                        let skip = (start - i64::from(associative)).max(0) as usize;
                        let limit = limit.max(usize::from(associative));
                        items.into_iter().skip(skip).take(limit).collect()
                    }
                })
            }
            _ => Ok(items),
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

/// The length of a slice.
#[derive(Debug, Clone, Copy)]
struct Length {
    value: i64,
    /// Its text among the texts of the code.
    text: u32,
}

impl Length {
    #[cold]
    fn refused(self, task: &mut Task) -> Trouble {
        let frame = task.frames.last();
        let text = frame.and_then(|frame| frame.code.texts.get(self.text as usize));
        let text = text.map_or(&[][..], |text| text.as_bytes());
        let message = [text, b": substring expression < 0"].concat();
        report(task, &message);
        Trouble::Discard(1)
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

fn trims(action: Action) -> bool {
    matches!(
        action,
        Action::RemovePrefix { .. } | Action::RemoveSuffix { .. }
    )
}

/// How many operands an operator takes from the stack.
fn operands(action: Action) -> usize {
    match action {
        Action::Slice { length } => 1 + usize::from(length.is_some()),
        Action::RemovePrefix { .. } | Action::RemoveSuffix { .. } => 1,
        Action::Replace { .. } => 2,
        Action::Case { pattern, .. } => usize::from(pattern),
        _ => 0,
    }
}

/// Where the characters of a text begin.
fn boundaries(text: &[u8]) -> impl Iterator<Item = usize> + '_ {
    let mut at = 0;
    text.utf8_chunks().flat_map(move |chunk| {
        let start = at;
        let invalid = start + chunk.valid().len();
        at = invalid + chunk.invalid().len();
        let valid = chunk.valid().char_indices();
        valid
            .map(move |(offset, _)| start + offset)
            .chain(invalid..at)
    })
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

/// The pattern of `${x/p/r}`, which may begin with its anchor only when it is expanded.
fn anchored(anchor: ReplaceAnchor, pattern: &Text) -> (ReplaceAnchor, Cow<'_, Text>) {
    let anchor = match (anchor, pattern.first()) {
        (ReplaceAnchor::First, Some(b'#')) => ReplaceAnchor::Prefix,
        (ReplaceAnchor::First, Some(b'%')) => ReplaceAnchor::Suffix,
        _ => return (anchor, Cow::Borrowed(pattern)),
    };
    (anchor, Cow::Owned(Text::from(&pattern[1..])))
}

fn apply(
    action: Action,
    text: &Text,
    pattern: Option<&Pattern>,
    operands: &[Text],
    limit: usize,
    patsub: bool,
) -> Run<Text> {
    Ok(match (action, pattern) {
        (Action::RemovePrefix { longest }, Some(pattern)) => match pattern.prefix(text, longest) {
            Some(end) if end > 0 => Text::from(&text[end..]),
            _ => text.clone(),
        },
        (Action::RemoveSuffix { longest }, Some(pattern)) => match pattern.suffix(text, longest) {
            Some(start) if start < text.len() => Text::from(&text[..start]),
            _ => text.clone(),
        },
        (Action::Replace { anchor }, Some(pattern)) => {
            let empty = Text::new();
            let replacement = operands.get(1).unwrap_or(&empty);
            let literal;
            let replacement = if patsub {
                replacement
            } else {
                literal = without_matches(replacement);
                &literal
            };
            replaced(text, pattern, anchor, replacement, limit)?
        }
        (Action::Case { change, all, .. }, pattern) => {
            let wanted =
                |character: &[u8]| pattern.is_none_or(|pattern| pattern.matches(character));
            Text::from(crate::format::case::convert(text, change, all, wanted))
        }
        _ => text.clone(),
    })
}

/// Whether a pattern ends with a backslash that quotes nothing.
fn escapes_next(pattern: &[u8]) -> bool {
    let trailing = pattern.iter().rev().take_while(|&&byte| byte == b'\\');
    trailing.count() % 2 == 1
}

/// Whether nothing but `?` stands between a `*`, or the beginning, and the backslash at the end.
fn is_after_star(pattern: &[u8]) -> bool {
    let mut before = pattern.iter().rev().skip(1);
    matches!(before.find(|&&byte| byte != b'?'), None | Some(b'*'))
}

/// A replacement in which an unquoted `&` stands for itself.
fn without_matches(replacement: &[u8]) -> Text {
    let mut text = Text::with_capacity(replacement.len());
    let mut bytes = replacement.iter().copied();
    while let Some(byte) = bytes.next() {
        if byte == b'&' {
            text.push(b'\\');
        }
        text.push(byte);
        if byte == b'\\' {
            bytes.next().into_iter().for_each(|byte| text.push(byte));
        }
    }
    text
}

fn replaced(
    text: &Text,
    pattern: &Pattern,
    anchor: ReplaceAnchor,
    replacement: &Text,
    limit: usize,
) -> Run<Text> {
    let ranges = pattern.replacements(text, anchor);
    if ranges.is_empty() {
        return Ok(text.clone());
    }
    let plain = !replacement.iter().any(|byte| matches!(byte, b'&' | b'\\'));
    let mut result = Vec::with_capacity(text.len());
    let mut at = 0;
    for range in ranges {
        result.extend_from_slice(&text[at..range.start]);
        if plain {
            result.extend_from_slice(replacement);
        } else {
            push_replacement(&mut result, replacement, &text[range.clone()]);
        }
        if result.len() > limit {
            return Err(Trouble::Exceeded(crate::machine::Limit::Expansion));
        }
        at = range.end;
    }
    result.extend_from_slice(&text[at..]);
    Ok(Text::from(result))
}

/// A `&` that is not quoted stands for the match.
fn push_replacement(result: &mut Vec<u8>, replacement: &[u8], matched: &[u8]) {
    let mut bytes = replacement.iter().peekable();
    while let Some(&byte) = bytes.next() {
        match byte {
            b'\\' if matches!(bytes.peek(), Some(b'&' | b'\\')) => result.extend(bytes.next()),
            b'&' => result.extend_from_slice(matched),
            byte => result.push(byte),
        }
    }
}
