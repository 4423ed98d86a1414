//! Reading and writing variables: namerefs, attributes, arrays, scopes.

use std::rc::Rc;

use super::call::CallKind;
use super::context::{Element, Failed};
use super::message::report;
use super::option::{SetOption, Shopt};
use super::reference::{self, Subscript};
use super::symbol::Symbol;
use super::task::Task;
use super::value::{Associative, Attributes, Indexed, Value, Variable};
use super::{Machine, special};
use crate::text::Text;

/// Namerefs that may be followed in a row.
const MAX_NAMEREFS: usize = 8;

/// Where a name leads.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Place {
    /// The variable.
    pub symbol: Symbol,
    /// The element, where a nameref names one.
    pub subscript: Option<Text>,
}

/// Whether a word can name a variable.
pub fn is_name(word: &[u8]) -> bool {
    let Some((first, rest)) = word.split_first() else {
        return false;
    };
    (first.is_ascii_alphabetic() || *first == b'_')
        && rest
            .iter()
            .all(|byte| byte.is_ascii_alphanumeric() || *byte == b'_')
}

/// Follows namerefs. None where they go in a circle or lead nowhere.
pub fn resolve(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Place> {
    let mut at = symbol;
    for _ in 0..=MAX_NAMEREFS {
        let Some(variable) = task.state.variables.get(at) else {
            return Some(Place {
                symbol: at,
                subscript: None,
            });
        };
        if !variable.attributes.has(Attributes::NAMEREF) {
            return Some(Place {
                symbol: at,
                subscript: None,
            });
        }
        let Some(target) = variable
            .value
            .scalar()
            .cloned()
            .filter(|text| !text.is_empty())
        else {
            return Some(Place {
                symbol: at,
                subscript: None,
            });
        };
        let (name, subscript) = reference::split(&target);
        let next = machine.symbols.intern(name);
        if let Some(subscript) = subscript {
            return Some(Place {
                symbol: next,
                subscript: Some(Text::from(subscript)),
            });
        }
        if next == at {
            break;
        }
        at = next;
    }
    let mut text = b"warning: ".to_vec();
    text.extend_from_slice(&machine.symbols.name(symbol));
    text.extend_from_slice(b": circular name reference");
    report(task, &text);
    None
}

/// The value of `$name`.
#[inline]
pub fn get(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Text> {
    let variable = task.state.variables.get(symbol)?;
    if !variable.attributes.has(Attributes::SLOW_GET) {
        return variable.value.scalar().cloned();
    }
    get_slowly(machine, task, symbol)
}

fn get_slowly(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Text> {
    let Some(place) = resolve(machine, task, symbol) else {
        return outside(task, symbol, |task| get(machine, task, symbol)).flatten();
    };
    match place.subscript {
        Some(subscript) => element_or_list(machine, task, place.symbol, &subscript),
        None => special::value(machine, task, place.symbol)
            .scalar()
            .cloned(),
    }
}

/// Acts on the outermost variable, which a local nameref of the same name means; none where there is
/// no other.
fn outside<T>(task: &mut Task, symbol: Symbol, action: impl FnOnce(&mut Task) -> T) -> Option<T> {
    if !swap_global(task, symbol) {
        return None;
    }
    let reference = task.state.variables.attributes(symbol);
    let result = (!reference.has(Attributes::NAMEREF)).then(|| action(task));
    swap_global(task, symbol);
    result
}

fn element_or_list(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
) -> Option<Text> {
    match Subscript::parse(subscript) {
        Subscript::All | Subscript::Joined => {
            let items = items(&value(machine, task, symbol));
            Some(super::expand::join(&items, b" "))
        }
        Subscript::Index => {
            let subscript = machine.expand_subscript(task, subscript).ok()?;
            get_element(machine, task, symbol, &subscript)
                .ok()
                .flatten()
        }
    }
}

/// The whole value, dynamic ones computed, namerefs followed.
pub fn value(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Value {
    let attributes = task.state.variables.attributes(symbol);
    if !attributes.has(Attributes::SLOW_GET) {
        return task.state.variables.value(symbol).clone();
    }
    match resolve(machine, task, symbol) {
        Some(Place {
            symbol,
            subscript: None,
        }) => special::value(machine, task, symbol),
        Some(Place {
            symbol,
            subscript: Some(subscript),
        }) => element_or_list(machine, task, symbol, &subscript).map_or(Value::Unset, Value::Text),
        None => outside(task, symbol, |task| value(machine, task, symbol)).unwrap_or(Value::Unset),
    }
}

/// The elements of a value; a string is an array of one.
pub fn items(value: &Value) -> Vec<Text> {
    match value {
        Value::Unset => Vec::new(),
        Value::Text(text) => vec![text.clone()],
        Value::Indexed(array) => array.iter().map(|(_, item)| item.clone()).collect(),
        Value::Associative(map) => map.iter().map(|(_, item)| item.clone()).collect(),
    }
}

/// The keys of a value.
pub fn keys(value: &Value) -> Vec<Text> {
    match value {
        Value::Unset => Vec::new(),
        Value::Text(_) => vec![Text::from("0")],
        Value::Indexed(array) => array
            .iter()
            .map(|(key, _)| Text::from(key as i64))
            .collect(),
        Value::Associative(map) => map.iter().map(|(key, _)| key.clone()).collect(),
    }
}

/// The value of a subscript; an error in it gives up all commands.
fn subscript_number(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Result<i64, Failed> {
    // No message names the builtin.
    let builtin = task.builtin.take();
    let result = integer_number(machine, task, text);
    task.builtin = builtin;
    result
}

/// The same for the value of an integer.
fn integer_number(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Result<i64, Failed> {
    let result = machine.arithmetic_text(task, text);
    machine.gives_up |= result.is_err();
    result
}

/// The index that an arithmetic subscript means; negative ones count from the end.
pub fn index(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &[u8],
    end: u64,
) -> Result<Option<u64>, Failed> {
    let number = match crate::arithmetic::plain_integer(subscript) {
        Some(number) => number,
        None => subscript_number(machine, task, subscript)?,
    };
    if number >= 0 {
        return Ok(Some(number as u64));
    }
    let _ = symbol;
    Ok(end.checked_sub(number.unsigned_abs()))
}

fn end_of(value: &Value) -> u64 {
    match value {
        Value::Indexed(array) => array.end(),
        Value::Text(_) => 1,
        Value::Unset | Value::Associative(_) => 0,
    }
}

fn bad_subscript(machine: &Machine, task: &mut Task, symbol: Symbol, subscript: &[u8]) {
    let mut text = machine.symbols.name(symbol).to_vec();
    text.push(b'[');
    text.extend_from_slice(subscript);
    text.extend_from_slice(b"]: bad array subscript");
    report(task, &text);
}

/// The element of an array; the subscript is an expression or a key.
pub fn get_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
) -> Result<Option<Text>, Failed> {
    let place = resolve(machine, task, symbol).ok_or(Failed)?;
    if place.subscript.is_some() {
        // An element has no elements.
        return Ok(None);
    }
    let value = special::value(machine, task, place.symbol);
    if let Value::Associative(map) = &value {
        return Ok(map.get(subscript).cloned());
    }
    if task
        .state
        .variables
        .attributes(place.symbol)
        .has(Attributes::ASSOCIATIVE)
    {
        return Ok(None);
    }
    let attributes = task.state.variables.attributes(place.symbol);
    if !value.is_set() && attributes.has(Attributes::ASSOCIATIVE) {
        // Declared and without a value: what stands in the brackets is a key all the same.
        return Ok(None);
    }
    let end = match &value {
        // A string has an element 0, and none that counts from the end.
        Value::Text(_) => 0,
        value => end_of(value),
    };
    let Some(at) = index(machine, task, place.symbol, subscript, end)? else {
        let mut text = machine.symbols.name(symbol).to_vec();
        text.extend_from_slice(b": bad array subscript");
        report(task, &text);
        return Ok(None);
    };
    Ok(match &value {
        Value::Indexed(array) => array.get(at).cloned(),
        Value::Text(text) if at == 0 => Some(text.clone()),
        _ => None,
    })
}

/// The value of `name` or `name[subscript]`.
pub fn get_reference(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Option<Text> {
    let (name, subscript) = reference::split(text);
    let symbol = machine.symbols.intern(name);
    let Some(subscript) = subscript else {
        return get(machine, task, symbol);
    };
    let subscript = machine.expand_subscript(task, subscript).ok()?;
    get_element(machine, task, symbol, &subscript)
        .ok()
        .flatten()
}

/// `test -v`
pub fn is_set(machine: &mut Machine, task: &mut Task, text: &[u8]) -> bool {
    let (name, subscript) = reference::split(text);
    if let Ok(number) = std::str::from_utf8(name).unwrap_or("").parse::<usize>() {
        return number == 0 || task.state.positional.as_slice().len() >= number;
    }
    if !is_name(name) {
        return false;
    }
    let symbol = machine.symbols.intern(name);
    let reference = task.state.variables.attributes(symbol);
    if reference.has(Attributes::NAMEREF)
        && resolve(machine, task, symbol).is_none_or(|place| place.subscript.is_some())
    {
        // The name of an element is no name of a variable.
        return false;
    }
    let Some(subscript) = subscript else {
        return get(machine, task, symbol).is_some();
    };
    let all = matches!(subscript, b"@" | b"*");
    let value = value(machine, task, symbol);
    if all && !matches!(&value, Value::Associative(_)) {
        return !items(&value).is_empty();
    }
    if let Value::Associative(map) = &value
        && all
    {
        return map.get(subscript).is_some() || !map.is_empty();
    }
    let Ok(subscript) = machine.expand_subscript(task, subscript) else {
        return false;
    };
    get_element(machine, task, symbol, &subscript)
        .ok()
        .flatten()
        .is_some()
}

/// Assigns to a variable: `name=value` or `name+=value`.
#[inline]
pub fn set(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let export = task.state.options.on(SetOption::Allexport);
    let slot = task.state.variables.slot(symbol);
    if slot.attributes.has(Attributes::SLOW_SET) || export {
        return set_slowly(machine, task, symbol, value, append);
    }
    let (old, new);
    match &mut slot.value {
        Value::Text(text) if append => {
            (old, new) = (0, value.len());
            text.push_bytes(&value);
        }
        Value::Text(text) => {
            (old, new) = (text.len(), value.len());
            *text = value;
        }
        Value::Unset if !slot.attributes.has(ARRAYS) => {
            (old, new) = (0, value.len());
            slot.value = Value::Text(value);
        }
        _ => return set_array_scalar(task, symbol, value, append),
    }
    task.state.variables.account(old, new);
    Ok(())
}

const ARRAYS: Attributes = Attributes::INDEXED.with(Attributes::ASSOCIATIVE);

/// `a=x` where `a` is an array: its element 0.
fn set_array_scalar(
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    store_element(slot, None, value, append);
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

/// Puts an element in place; without a key that is element 0.
fn store_element(slot: &mut Variable, key: Option<(u64, &Text)>, value: Text, append: bool) {
    if let Value::Text(text) = &slot.value {
        slot.value = Value::Indexed(Rc::new(Indexed::from_elements([text.clone()])));
    }
    if !slot.value.is_set() {
        slot.value = if slot.attributes.has(Attributes::ASSOCIATIVE) {
            Value::Associative(Rc::default())
        } else {
            Value::Indexed(Rc::default())
        };
    }
    match &mut slot.value {
        Value::Indexed(array) => {
            slot.attributes = slot.attributes.with(Attributes::INDEXED);
            let at = key.map_or(0, |(at, _)| at);
            let array = Rc::make_mut(array);
            if append {
                array.append_at(at, &value);
            } else {
                array.set(at, value);
            }
        }
        Value::Associative(map) => {
            let zero = Text::from("0");
            let key = key.map_or(&zero, |(_, key)| key);
            let map = Rc::make_mut(map);
            if append {
                map.append(key, &value);
            } else {
                map.set(key.clone(), value);
            }
        }
        Value::Unset | Value::Text(_) => {}
    }
}

fn readonly(machine: &Machine, task: &mut Task, symbol: Symbol) -> Failed {
    let mut text = machine.symbols.name(symbol).to_vec();
    text.extend_from_slice(b": readonly variable");
    report(task, &text);
    Failed
}

fn set_slowly(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::NAMEREF) {
        if !task.state.variables.value(symbol).is_set() {
            return set_nameref(machine, task, symbol, value);
        }
        let Some(place) = resolve(machine, task, symbol) else {
            let set = |task: &mut Task| set(machine, task, symbol, value, append);
            return outside(task, symbol, set).unwrap_or(Err(Failed));
        };
        return match place.subscript {
            Some(subscript) => {
                let subscript = machine.expand_subscript(task, &subscript)?;
                set_element(machine, task, place.symbol, &subscript, value, append)
            }
            None if place.symbol == symbol => Ok(()),
            None => set(machine, task, place.symbol, value, append),
        };
    }
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    let old = append
        .then(|| special::value(machine, task, symbol).scalar().cloned())
        .flatten();
    let (value, append) = converted(machine, task, attributes, value, append, old)?;
    if attributes.has(Attributes::HOOKED) && special::assign(machine, task, symbol, &value) {
        return Ok(());
    }
    let export = task.state.options.on(SetOption::Allexport);
    let slot = task.state.variables.slot(symbol);
    if export {
        slot.attributes = slot.attributes.with(Attributes::EXPORT);
    }
    let old = slot.value.size();
    match &mut slot.value {
        Value::Text(text) if append => text.push_bytes(&value),
        Value::Text(_) => slot.value = Value::Text(value),
        Value::Unset if !slot.attributes.has(ARRAYS) => slot.value = Value::Text(value),
        _ => store_element(slot, None, value, append),
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

/// `declare -n r; r=x`: gives the nameref its target.
fn set_nameref(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    value: Text,
) -> Result<(), Failed> {
    let (name, _) = reference::split(&value);
    if !is_name(name) {
        let mut text = b"`".to_vec();
        text.extend_from_slice(&value);
        text.extend_from_slice(b"': not a valid identifier");
        report(task, &text);
        return Err(Failed);
    }
    let _ = machine;
    task.state.variables.store(symbol, value);
    Ok(())
}

/// The value after what the attributes make of it, and whether it is still to be appended.
fn converted(
    machine: &mut Machine,
    task: &mut Task,
    attributes: Attributes,
    value: Text,
    append: bool,
    old: Option<Text>,
) -> Result<(Text, bool), Failed> {
    let mut value = value;
    let mut append = append;
    if attributes.has(Attributes::INTEGER) {
        let mut number = integer_number(machine, task, &value)?;
        if append {
            let old = match &old {
                Some(old) => integer_number(machine, task, old)?,
                None => 0,
            };
            number = number.wrapping_add(old);
            append = false;
        }
        value = Text::from(number);
    }
    let cased = Attributes::LOWER
        .with(Attributes::UPPER)
        .with(Attributes::CAPITALIZE);
    if append && attributes.has(cased) {
        let old = old.unwrap_or_default();
        value = Text::from([old.as_bytes(), value.as_bytes()].concat());
        append = false;
    }
    if attributes.has(Attributes::LOWER) {
        value = super::expand::change_case(&value, false);
    } else if attributes.has(Attributes::UPPER) {
        value = super::expand::change_case(&value, true);
    } else if attributes.has(Attributes::CAPITALIZE) {
        let mut lower = super::expand::change_case(&value, false).into_vec();
        if let Some(first) = lower.first_mut() {
            first.make_ascii_uppercase();
        }
        value = Text::from(lower);
    }
    Ok((value, append))
}

/// Assigns to an element.
pub fn set_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let place = resolve(machine, task, symbol).ok_or(Failed)?;
    let symbol = place.symbol;
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    if let Some(element) = &place.subscript {
        let name = machine.symbols.name(symbol);
        let parts = [b"`", name.as_bytes(), b"[", element.as_bytes()];
        report(
            task,
            &[&parts.concat(), b"]': not a valid identifier".as_slice()].concat(),
        );
        return Err(Failed);
    }
    let whole = task.state.variables.value(symbol);
    let associative = attributes.has(Attributes::ASSOCIATIVE);
    let end = end_of(whole);
    let at = if associative {
        if subscript.is_empty() {
            bad_subscript(machine, task, symbol, subscript);
            return Err(Failed);
        }
        0
    } else {
        if Subscript::parse(subscript) != Subscript::Index {
            bad_subscript(machine, task, symbol, subscript);
            return Err(Failed);
        }
        match index(machine, task, symbol, subscript, end)? {
            Some(at) => at,
            None => {
                bad_subscript(machine, task, symbol, subscript);
                return Err(Failed);
            }
        }
    };
    let slow = Attributes::INTEGER
        .with(Attributes::LOWER)
        .with(Attributes::UPPER)
        .with(Attributes::CAPITALIZE);
    let (mut value, mut append) = (value, append);
    if attributes.has(slow) {
        let old = append
            .then(|| element_of(task.state.variables.value(symbol), at, subscript))
            .flatten();
        (value, append) = converted(machine, task, attributes, value, append, old)?;
    }
    if attributes.has(Attributes::HOOKED)
        && special::assign_element(machine, task, symbol, subscript, &value)
    {
        return Ok(());
    }
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    store_element(slot, Some((at, subscript)), value, append);
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

fn element_of(value: &Value, at: u64, key: &Text) -> Option<Text> {
    match value {
        Value::Indexed(array) => array.get(at).cloned(),
        Value::Associative(map) => map.get(key).cloned(),
        Value::Text(text) if at == 0 => Some(text.clone()),
        _ => None,
    }
}

/// Assigns to `name` or `name[subscript]`.
pub fn set_reference(
    machine: &mut Machine,
    task: &mut Task,
    text: &[u8],
    value: Text,
    append: bool,
) -> Result<(), Failed> {
    let (name, subscript) = reference::split(text);
    if !is_name(name) {
        let mut message = b"`".to_vec();
        message.extend_from_slice(text);
        message.extend_from_slice(b"': not a valid identifier");
        report(task, &message);
        return Err(Failed);
    }
    let symbol = machine.symbols.intern(name);
    match subscript {
        None => set(machine, task, symbol, value, append),
        Some(subscript) => {
            let subscript = machine.expand_subscript(task, subscript)?;
            set_element(machine, task, symbol, &subscript, value, append)
        }
    }
}

/// Replaces the whole value by an indexed array.
pub fn set_array(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Text>,
) -> Result<(), Failed> {
    let elements = elements.into_iter();
    let elements = elements
        .map(|value| Element {
            subscript: None,
            append: false,
            value,
        })
        .collect();
    assign_elements(machine, task, symbol, elements, false)
}

/// A compound assignment.
pub fn assign_elements(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Element>,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::NAMEREF) && !task.state.variables.value(symbol).is_set() {
        // A nameref without a target becomes an array.
        let name = machine.symbols.name(symbol);
        let parts = [
            b"warning: ",
            name.as_bytes(),
            b": removing nameref attribute",
        ];
        report(task, &parts.concat());
        task.state.variables.slot(symbol).attributes = attributes.without(Attributes::NAMEREF);
    }
    let place = resolve(machine, task, symbol).ok_or(Failed)?;
    let symbol = place.symbol;
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    if attributes.has(Attributes::ASSOCIATIVE) {
        return assign_keys(machine, task, symbol, elements, append);
    }
    let old = task.state.variables.value(symbol);
    let mut array = match old {
        _ if !append => Rc::default(),
        // Taken out of its slot, so that appending to it does not copy it.
        Value::Indexed(_) => match std::mem::take(&mut task.state.variables.slot(symbol).value) {
            Value::Indexed(array) => array,
            _ => Rc::default(),
        },
        Value::Text(text) => Rc::new(Indexed::from_elements([text.clone()])),
        _ => Rc::default(),
    };
    let before = if append {
        array.size()
    } else {
        task.state.variables.value(symbol).size()
    };
    let mut next = array.end();
    let mut result = Ok(());
    for element in elements {
        if let Err(failed) = assign_one(
            machine, task, symbol, attributes, &mut array, &mut next, element,
        ) {
            result = Err(failed);
            break;
        }
    }
    let after = array.size();
    let slot = task.state.variables.slot(symbol);
    slot.value = Value::Indexed(array);
    slot.attributes = slot.attributes.with(Attributes::INDEXED);
    task.state.variables.account(before, after);
    result
}

fn assign_one(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    attributes: Attributes,
    array: &mut Rc<Indexed>,
    next: &mut u64,
    element: Element,
) -> Result<(), Failed> {
    let at = match &element.subscript {
        None => *next,
        Some(subscript) => match index_within(machine, task, symbol, subscript, array)? {
            Some(at) => at,
            None => {
                bad_subscript(machine, task, symbol, subscript);
                return Ok(());
            }
        },
    };
    let (mut value, mut append) = (element.value, element.append);
    if attributes.has(Attributes::SLOW_SET) {
        let old = array.get(at).cloned();
        (value, append) = converted(machine, task, attributes, value, append, old)?;
    }
    let array = Rc::make_mut(array);
    if append {
        array.append_at(at, &value);
    } else {
        array.set(at, value);
    }
    *next = at + 1;
    Ok(())
}

/// The index that a subscript of a compound value means: it may look at the array as it is by now.
fn index_within(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
    array: &mut Rc<Indexed>,
) -> Result<Option<u64>, Failed> {
    let end = array.end();
    if crate::arithmetic::plain_integer(subscript).is_some() {
        return index(machine, task, symbol, subscript, end);
    }
    let visible = Value::Indexed(std::mem::take(array));
    task.state.variables.slot(symbol).value = visible;
    let found = index(machine, task, symbol, subscript, end);
    if let Value::Indexed(now) = std::mem::take(&mut task.state.variables.slot(symbol).value) {
        *array = now;
    }
    found
}

fn assign_keys(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    elements: Vec<Element>,
    append: bool,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    let present = match std::mem::take(&mut task.state.variables.slot(symbol).value) {
        Value::Associative(map) => Rc::unwrap_or_clone(map),
        _ => Associative::default(),
    };
    let before = present.size();
    // An element that is appended to is one of the array before the assignment.
    let (mut map, before_it) = if append {
        (present, None)
    } else {
        (Associative::default(), Some(present))
    };
    let mut key: Option<Text> = None;
    let pairs = elements.iter().all(|element| element.subscript.is_none());
    for element in elements {
        let Some(subscript) = element.subscript else {
            if !pairs {
                let name = machine.symbols.name(symbol);
                let parts = [name.as_bytes(), b": ", element.value.as_bytes()].concat();
                let tail = b": must use subscript when assigning associative array";
                report(task, &[parts.as_slice(), tail].concat());
                continue;
            }
            // Without subscripts, keys and values alternate.
            match key.take() {
                None => key = Some(element.value),
                Some(key) => map.set(key, element.value),
            }
            continue;
        };
        let old = before_it.as_ref().unwrap_or(&map).get(&subscript).cloned();
        let (value, append) = converted(
            machine,
            task,
            attributes,
            element.value,
            element.append,
            old.clone(),
        )?;
        if append && before_it.is_none() {
            map.append(&subscript, &value);
        } else if append {
            let old = old.unwrap_or_default();
            map.set(subscript, Text::from([&*old, &*value].concat()));
        } else {
            map.set(subscript, value);
        }
    }
    if let Some(key) = key {
        map.set(key, Text::new());
    }
    let after = map.size();
    task.state.variables.slot(symbol).value = Value::Associative(Rc::new(map));
    task.state.variables.account(before, after);
    Ok(())
}

/// Unsets `name` or `name[subscript]`.
pub fn unset_reference(machine: &mut Machine, task: &mut Task, text: &[u8]) -> Result<(), Failed> {
    let (name, subscript) = reference::split(text);
    let symbol = machine.symbols.intern(name);
    let Some(place) = resolve(machine, task, symbol) else {
        return Ok(());
    };
    let Some(subscript) = subscript.map(Text::from).or(place.subscript) else {
        return unset(machine, task, place.symbol);
    };
    let symbol = place.symbol;
    if task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::READONLY)
    {
        let message = [b"unset: ", name, b": cannot unset: readonly variable"].concat();
        report(task, &message);
        return Err(Failed);
    }
    let associative = task
        .state
        .variables
        .attributes(symbol)
        .has(Attributes::ASSOCIATIVE);
    if !associative && matches!(subscript.as_bytes(), b"@" | b"*") {
        return unset(machine, task, symbol);
    }
    let subscript = machine.expand_subscript(task, &subscript)?;
    unset_element(machine, task, symbol, name, &subscript)
}

fn unset_element(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    name: &[u8],
    subscript: &Text,
) -> Result<(), Failed> {
    let variable = task
        .state
        .variables
        .get(symbol)
        .filter(|known| known.exists());
    let Some(variable) = variable else {
        return Ok(());
    };
    let (attributes, end) = (variable.attributes, end_of(&variable.value));
    if attributes.has(Attributes::ASSOCIATIVE) {
        remove_key(task, symbol, subscript);
        return Ok(());
    }
    if attributes.has(Attributes::INDEXED) {
        return unset_index(machine, task, symbol, subscript, end);
    }
    if index(machine, task, symbol, subscript, 1)? == Some(0) {
        return unset(machine, task, symbol);
    }
    let message = [b"unset: ", name, b": not an array variable"];
    report(task, &message.concat());
    Err(Failed)
}

fn unset_index(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    subscript: &Text,
    end: u64,
) -> Result<(), Failed> {
    let Some(at) = index(machine, task, symbol, subscript, end)? else {
        let message = [b"unset: [", subscript.as_bytes(), b"]: bad array subscript"];
        report(task, &message.concat());
        return Err(Failed);
    };
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    if let Value::Indexed(array) = &mut slot.value {
        Rc::make_mut(array).remove(at);
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
    Ok(())
}

fn remove_key(task: &mut Task, symbol: Symbol, key: &Text) {
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    if let Value::Associative(map) = &mut slot.value {
        Rc::make_mut(map).remove(key);
    }
    let new = slot.value.size();
    task.state.variables.account(old, new);
}

/// Unsets a variable. A local one stays local; one of a calling function reveals what it hides.
pub fn unset(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Result<(), Failed> {
    let variable = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    if variable.attributes.has(Attributes::READONLY) {
        let name = machine.symbols.name(symbol);
        let tail = b": cannot unset: readonly variable";
        report(task, &[b"unset: ", name.as_bytes(), tail].concat());
        return Err(Failed);
    }
    if variable.attributes.has(Attributes::HOOKED) {
        special::unset(task, symbol);
    }
    let holds = |call: &super::call::Call| call.hides(symbol);
    let owner = task.state.calls.iter().position(holds);
    let local = is_local(task, symbol);
    let keep = local || task.state.options.shopt(Shopt::LocalvarUnset);
    if owner.is_none() || keep {
        let mut left = Variable::default();
        if owner.is_some() {
            // It is still there, and hides the one of the caller.
            left.attributes = Attributes::DECLARED;
        }
        task.state.variables.replace(symbol, left);
        return Ok(());
    }
    let Some(call) = task.state.calls.find_mut(holds) else {
        return Ok(());
    };
    if let Some(at) = call.saved.iter().position(|(saved, _)| *saved == symbol) {
        let (_, hidden) = call.saved.remove(at);
        task.state.variables.reveal(symbol, hidden);
    }
    Ok(())
}

/// The variable itself; dynamic ones with their present value.
pub fn variable(machine: &mut Machine, task: &mut Task, symbol: Symbol) -> Option<Variable> {
    let variable = task
        .state
        .variables
        .get(symbol)
        .filter(|variable| variable.exists())?;
    let mut variable = variable.clone();
    if variable.attributes.has(Attributes::DYNAMIC) {
        variable.value = special::value(machine, task, symbol);
    }
    Some(variable)
}

/// The name at the end of a chain of namerefs.
pub fn follow(machine: &mut Machine, task: &mut Task, name: &[u8]) -> Text {
    let symbol = machine.symbols.intern(name);
    match resolve(machine, task, symbol) {
        Some(Place {
            symbol,
            subscript: None,
        }) => machine.symbols.name(symbol),
        Some(Place {
            symbol,
            subscript: Some(subscript),
        }) => {
            let name = machine.symbols.name(symbol);
            Text::from([name.as_bytes(), b"[", subscript.as_bytes(), b"]"].concat())
        }
        None => Text::from(name),
    }
}

/// All variables that exist, sorted by name.
pub fn all(machine: &mut Machine, task: &mut Task) -> Vec<(Text, Variable)> {
    let symbols: Vec<Symbol> = task
        .state
        .variables
        .iter()
        .map(|(symbol, _)| symbol)
        .collect();
    let mut found: Vec<(Text, Variable)> = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        if let Some(variable) = variable(machine, task, symbol) {
            found.push((machine.symbols.name(symbol), variable));
        }
    }
    found.sort_by(|a, b| a.0.cmp(&b.0));
    found
}

/// Adds and removes attributes.
pub fn change_attributes(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    add: Attributes,
    remove: Attributes,
) -> Result<(), Failed> {
    let attributes = task.state.variables.attributes(symbol);
    if attributes.has(Attributes::READONLY) && remove.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    let old = task.state.variables.value(symbol).clone();
    let name = machine.symbols.name(symbol);
    match &old {
        Value::Indexed(_) if add.has(Attributes::ASSOCIATIVE) => {
            let tail = b": cannot convert indexed to associative array";
            report(
                task,
                &[task.command_name().as_slice(), name.as_bytes(), tail].concat(),
            );
            return Err(Failed);
        }
        Value::Associative(_) if add.has(Attributes::INDEXED) => {
            let tail = b": cannot convert associative to indexed array";
            report(
                task,
                &[task.command_name().as_slice(), name.as_bytes(), tail].concat(),
            );
            return Err(Failed);
        }
        _ => {}
    }
    let slot = task.state.variables.slot(symbol);
    let before = slot.value.size();
    slot.attributes = attributes
        .without(remove)
        .with(add)
        .with(Attributes::DECLARED);
    if let Value::Text(text) = &slot.value {
        if add.has(Attributes::INDEXED) {
            slot.value = Value::Indexed(Rc::new(Indexed::from_elements([text.clone()])));
        } else if add.has(Attributes::ASSOCIATIVE) {
            let mut map = Associative::default();
            map.set(Text::from("0"), text.clone());
            slot.value = Value::Associative(Rc::new(map));
        }
    }
    let after = slot.value.size();
    task.state.variables.account(before, after);
    Ok(())
}

/// Whether a variable is local to the running function.
pub fn is_local(task: &Task, symbol: Symbol) -> bool {
    for call in task.state.calls.iter() {
        let holds = call.hides(symbol);
        match call.kind {
            CallKind::Function => return holds,
            // `x=1 eval 'local x'`: it lives as long as the assignment.
            CallKind::Environment if holds && task.state.calls.in_function() => {
                let attributes = task.state.variables.attributes(symbol);
                return !attributes.has(Attributes::TEMPORARY);
            }
            CallKind::Environment | CallKind::Source => {}
        }
    }
    false
}

/// Whether the variable is one that was assigned before a command of the running function.
fn is_before_command(task: &Task, symbol: Symbol) -> bool {
    let within = |call: &&super::call::Call| call.kind != CallKind::Function;
    task.state.calls.in_function()
        && task
            .state
            .calls
            .iter()
            .take_while(within)
            .any(|call| call.hides(symbol))
}

/// Makes a variable local to the running function.
pub fn make_local(
    machine: &mut Machine,
    task: &mut Task,
    symbol: Symbol,
    inherit: bool,
) -> Result<(), Failed> {
    let old = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    let inherit = inherit || task.state.options.shopt(Shopt::LocalvarInherit);
    if is_before_command(task, symbol) {
        if old.attributes.has(Attributes::READONLY) {
            return Err(readonly(machine, task, symbol));
        }
        task.state.variables.slot(symbol).attributes =
            old.attributes.without(Attributes::TEMPORARY);
        return Ok(());
    }
    let Some(call) = task.state.calls.function_mut() else {
        return Ok(());
    };
    if call.hides(symbol) {
        return Ok(());
    }
    if old.attributes.has(Attributes::READONLY) {
        return Err(readonly(machine, task, symbol));
    }
    // What was assigned before the call belongs to the function.
    let assigned = call
        .parent
        .top_mut()
        .filter(|parent| parent.kind == CallKind::Environment);
    let hidden = assigned.and_then(|parent| {
        let at = parent
            .saved
            .iter()
            .position(|(saved, _)| *saved == symbol)?;
        Some(parent.saved.remove(at).1)
    });
    let kept = if hidden.is_none() {
        old.value.size()
    } else {
        0
    };
    call.saved
        .push((symbol, hidden.unwrap_or_else(|| old.clone())));
    task.state.variables.account(0, kept);
    let fresh = if old.attributes.has(Attributes::TEMPORARY) {
        Variable {
            value: old.value,
            attributes: Attributes::EXPORT.with(Attributes::DECLARED),
        }
    } else if inherit {
        Variable {
            value: old.value,
            attributes: old
                .attributes
                .without(Attributes::NAMEREF)
                .with(Attributes::DECLARED),
        }
    } else {
        let kept = Attributes::HOOKED.with(Attributes::DYNAMIC);
        let kept = Attributes(old.attributes.0 & kept.0 & !Attributes::DYNAMIC.0);
        Variable {
            value: Value::Unset,
            attributes: kept.with(Attributes::DECLARED),
        }
    };
    task.state.variables.replace(symbol, fresh);
    Ok(())
}

/// Exchanges the visible variable and the outermost one; false where they are the same.
pub fn swap_global(task: &mut Task, symbol: Symbol) -> bool {
    let holds = |call: &super::call::Call| call.hides(symbol);
    let Some(depth) = task
        .state
        .calls
        .iter()
        .filter(|call| holds(call))
        .last()
        .map(|call| call.depth())
    else {
        return false;
    };
    let visible = task
        .state
        .variables
        .get(symbol)
        .cloned()
        .unwrap_or_default();
    let found = task.state.calls.find_mut(|call| call.depth() == depth);
    let saved = found.and_then(|call| call.saved.iter_mut().find(|(saved, _)| *saved == symbol));
    let Some((_, global)) = saved else {
        return false;
    };
    let kept = visible.value.size();
    let global = std::mem::replace(global, visible);
    task.state.variables.account(0, kept);
    task.state.variables.reveal(symbol, global);
    true
}

/// The variables and functions that a process inherits.
pub fn environment(machine: &mut Machine, task: &mut Task) -> Vec<(Vec<u8>, Vec<u8>)> {
    let exported = |variable: &Variable| {
        let set = variable.value.is_set() || variable.attributes.has(Attributes::DYNAMIC);
        set && variable.attributes.has(Attributes::EXPORT)
    };
    let symbols: Vec<Symbol> = task
        .state
        .variables
        .iter()
        .filter(|(_, variable)| exported(variable))
        .map(|(symbol, _)| symbol)
        .collect();
    let mut environment = Vec::with_capacity(symbols.len());
    for symbol in symbols {
        if matches!(
            task.state.variables.value(symbol),
            Value::Indexed(_) | Value::Associative(_)
        ) {
            continue;
        }
        let variable = task.state.variables.get(symbol);
        let value = match variable {
            // Its own value, the name.
            Some(variable) if variable.attributes.has(Attributes::NAMEREF) => {
                variable.value.scalar().cloned()
            }
            _ => get(machine, task, symbol),
        };
        if let Some(value) = value {
            environment.push((machine.symbols.name(symbol).into_vec(), value.into_vec()));
        }
    }
    for function in task
        .state
        .functions
        .values()
        .filter(|function| function.exported)
    {
        let mut name = b"BASH_FUNC_".to_vec();
        name.extend_from_slice(&function.name);
        name.extend_from_slice(b"%%");
        let text = {
            // What follows the name: `() { …`.
            let text = crate::syntax::print::function(b"", &function.body);
            text.trim_ascii_start().to_vec()
        };
        environment.push((name, text));
    }
    environment.sort();
    environment
}

/// Evaluates an expression, with its message where it fails.
pub fn arithmetic(
    machine: &mut Machine,
    task: &mut Task,
    expression: &[u8],
) -> Result<i64, Failed> {
    machine.arithmetic_text(task, expression)
}

/// A compound assignment from text with its parentheses.
pub fn assign_compound_text(
    machine: &mut Machine,
    task: &mut Task,
    name: &[u8],
    text: &[u8],
    append: bool,
) -> Result<(), Failed> {
    let symbol = machine.symbols.intern(name);
    let elements = machine.expand_elements(task, text)?;
    assign_elements(machine, task, symbol, elements, append)
}
