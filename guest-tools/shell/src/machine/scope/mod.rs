//! Variables as a script names them: namerefs, attributes, arrays, scopes.

mod array;
mod assign;
mod attributes;
mod local;
mod read;
mod subscript;
mod unset;

pub use self::array::{assign_compound_text, assign_elements, begin_array, set_array};
pub use self::assign::{converted, readonly, set, set_element, set_reference};
pub use self::attributes::{all, change_attributes, follow, variable};
pub use self::local::{environment, is_local, is_local_anywhere, make_local, swap_global};
pub use self::read::{
    bad_name, get, get_element, get_reference, is_reference, is_set, items, keys, value,
};
pub use self::subscript::arithmetic;
pub use self::unset::{unset, unset_reference};

use crate::machine::message::report;
use crate::machine::symbol::Symbol;
use crate::machine::task::Task;
use crate::machine::value::{Attributes, Value};
use crate::machine::{Machine, reference};
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
    let found = resolve_quietly(machine, task, symbol);
    if found.is_none() {
        warn_circular(machine, task, symbol);
    }
    found
}

/// Warns about a circle of namerefs.
pub fn warn_circular(machine: &mut Machine, task: &mut Task, symbol: Symbol) {
    let name = machine.symbols.name(symbol);
    let parts = [b"warning: ", name.as_bytes(), b": circular name reference"];
    report(task, &parts.concat());
}

/// The last nameref that has a target of those that follow one another; none where `symbol` is no
/// such one.
pub fn last_reference(machine: &mut Machine, task: &Task, symbol: Symbol) -> Option<Symbol> {
    let mut last = None;
    let mut at = symbol;
    for _ in 0..=MAX_NAMEREFS {
        let Some(variable) = task.state.variables.get(at) else {
            break;
        };
        let target = variable.value.scalar().filter(|text| !text.is_empty());
        let Some(target) = target.filter(|_| variable.attributes.has(Attributes::NAMEREF)) else {
            break;
        };
        let (name, subscript) = reference::split(target);
        last = Some(at);
        if subscript.is_some() {
            break;
        }
        at = machine.symbols.intern(name);
    }
    last
}

/// Makes a nameref a variable without a value, because it is given elements.
pub fn remove_reference(machine: &mut Machine, task: &mut Task, symbol: Symbol) {
    let name = machine.symbols.name(symbol);
    let tail = b": removing nameref attribute".as_slice();
    report(task, &[b"warning: ", name.as_bytes(), tail].concat());
    let slot = task.state.variables.slot(symbol);
    let old = slot.value.size();
    slot.value = Value::Unset;
    slot.attributes = slot.attributes.without(Attributes::NAMEREF);
    task.state.variables.account(old, 0);
}

/// The same without a word about a circle.
pub fn resolve_quietly(machine: &mut Machine, task: &Task, symbol: Symbol) -> Option<Place> {
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
    None
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
