//! Reading, changing and deleting what is at a path.
//!
//! A path is an array of keys: names, numbers, and objects with `start` and `end` for slices, as `path(f)` gives them.
//! Here are the primitives under `getpath`, `setpath`, `delpaths` and all assignments. Values are shared (`Rc`): a
//! change copies those containers on the way that somebody else holds, too, and changes the others in place. `reduce`
//! with `.[$k] = …` is therefore linear and not quadratic.

use std::rc::Rc;

use super::json::shortened;
use super::run::{Flow, Item, Out, Path, Stop};
use super::value::{Items, MAX_DEPTH, MAX_RECURSION, Members, Value};

/// A value, or the message of an error.
type Outcome<T = Value> = Result<T, String>;

/// Refuses to go on from a computed value in a path expression.
///
/// `key` is what is to be accessed, or none for an iteration; it is for the message alone.
pub fn check(item: &Item, key: Option<&Value>) -> Outcome<()> {
    if !matches!(item.path, Path::Lost) {
        return Ok(());
    }
    let value = shortened(&item.value);
    Err(match key {
        Some(key) => format!(
            "Invalid path expression near attempt to access element {} of {value}",
            shortened(key)
        ),
        None => format!("Invalid path expression near attempt to iterate through {value}"),
    })
}

/// The path of an item that a path expression gave, from the root on.
///
/// # Errors
/// `Invalid path expression with result …` for a value that was computed.
pub fn keys(item: &Item) -> Flow<Vec<Value>> {
    let Path::At(last) = &item.path else {
        return Err(Stop::from(format!(
            "Invalid path expression with result {}",
            shortened(&item.value)
        )));
    };
    let mut keys = Vec::new();
    let mut step = last.as_ref();
    while let Some(found) = step {
        keys.push(found.key.clone());
        step = found.parent.as_ref();
    }
    keys.reverse();
    Ok(keys)
}

/// The message for a key that the value does not have by its type: `Cannot index number with string ("a")`.
fn cannot_index(value: &Value, key: &Value) -> String {
    format!(
        "Cannot index {} with {} ({})",
        value.kind(),
        key.kind(),
        shortened(key)
    )
}

/// The place in an array of `length` that a number names.
///
/// A fraction is rounded down, a negative number counts from the end. None where that is before the start: -1 of 3 →
/// 2, -4 of 3 → none. The place may lie beyond the end.
fn place(number: f64, length: usize) -> Option<usize> {
    let floor = number.floor();
    let place = if floor < 0.0 {
        floor + length as f64
    } else {
        floor
    };
    (place >= 0.0).then_some(place as usize)
}

/// The bounds of a slice of something that long.
///
/// The start is rounded down and the end up, so `[1,2,3] | .[0.5:1.5]` is `[1,2]`. Both are clamped to the length, and
/// an end before the start gives an empty slice at the start.
fn bounds(members: &Members, length: usize) -> Outcome<(usize, usize)> {
    let bound = |name: &str, default: f64| match members.get(name) {
        None | Some(Value::Null) => Ok(default),
        Some(value) => value
            .number()
            .ok_or_else(|| "Start and end indices of an array slice must be numbers".to_owned()),
    };
    let all = length as f64;
    let (mut start, mut end) = (bound("start", 0.0)?, bound("end", all)?);
    if start.is_nan() {
        start = 0.0;
    }
    if end.is_nan() {
        end = all;
    }
    let wrap = |bound: f64| if bound < 0.0 { bound + all } else { bound };
    let start = wrap(start).clamp(0.0, all).floor() as usize;
    let end = wrap(end).clamp(0.0, all).ceil() as usize;
    Ok((start, end.max(start)))
}

/// `value[key]`.
///
/// A name or index that is not there gives `null`, and so does any key of `null`. An array as the key of an array is a
/// search: `[1,2,1] | .[[1]]` is `[0,2]`. Slices of strings count in characters.
///
/// # Errors
/// A key of a type that the value does not have.
pub fn index(value: &Value, key: &Value) -> Outcome {
    match (value, key) {
        (Value::Object(members), Value::String(name)) => {
            Ok(members.get(name).cloned().unwrap_or(Value::Null))
        }
        (Value::Array(items), Value::Number(_) | Value::Exact(..)) => {
            let number = key.number().unwrap_or(f64::NAN);
            if number.is_nan() {
                return Ok(Value::Null);
            }
            let found = place(number, items.len()).and_then(|place| items.get(place));
            Ok(found.cloned().unwrap_or(Value::Null))
        }
        (Value::Null, Value::String(_) | Value::Number(_) | Value::Exact(..) | Value::Null) => {
            Ok(Value::Null)
        }
        (Value::Null, Value::Object(bound)) if is_slice(bound) => Ok(Value::Null),
        (Value::Array(items), Value::Object(bound)) if is_slice(bound) => {
            let (start, end) = bounds(bound, items.len())?;
            Ok(items[start..end].to_vec().into())
        }
        (Value::String(text), Value::Object(bound)) if is_slice(bound) => {
            let (start, end) = bounds(bound, text.chars().count())?;
            Ok(text
                .chars()
                .skip(start)
                .take(end - start)
                .collect::<String>()
                .into())
        }
        (Value::Array(items), Value::Array(wanted)) => {
            Ok(super::natives::find_items(items, wanted))
        }
        _ => Err(cannot_index(value, key)),
    }
}

/// Whether an object as a key means a slice.
fn is_slice(bounds: &Members) -> bool {
    bounds.contains_key("start") || bounds.contains_key("end")
}

/// `value[]`.
///
/// Paths are made only where somebody asks for them.
pub fn iterate(item: &Item, out: Out) -> Flow {
    match &item.value {
        Value::Array(items) => {
            check(item, None)?;
            for (index, child) in items.iter().enumerate() {
                out(match item.path {
                    Path::Off => Item::plain(child.clone()),
                    _ => item.child(&index.into(), child.clone()),
                })?;
            }
            Ok(())
        }
        Value::Object(members) => {
            check(item, None)?;
            for (name, child) in members.iter() {
                out(match item.path {
                    Path::Off => Item::plain(child.clone()),
                    _ => item.child(&Value::String(name.clone()), child.clone()),
                })?;
            }
            Ok(())
        }
        other => {
            check(item, None)?;
            Err(format!(
                "Cannot iterate over {} ({})",
                other.kind(),
                shortened(other)
            )
            .into())
        }
    }
}

/// What is at `path`; nothing below null is an error.
///
/// Ends at the first `null` without a look at the keys after it.
pub fn get(value: &Value, path: &[Value]) -> Outcome {
    if path.len() > MAX_DEPTH {
        return Err("Path too deep".to_owned());
    }
    let mut value = value.clone();
    for key in path {
        if let Value::Null = value {
            return Ok(Value::Null);
        }
        value = index(&value, key)?;
    }
    Ok(value)
}

/// `value` with `new` at `path`.
///
/// What is missing on the way is made: objects for names, arrays for numbers, filled with `null` up to the place.
///
/// ```text
/// null      path ["a",1]                 new 5  → {"a":[null,5]}
/// [1,2,3]   path [{"start":1,"end":2}]   new [] → [1,3]
/// ```
pub fn set(value: Value, path: &[Value], new: Value) -> Outcome {
    if path.len() > MAX_RECURSION {
        return Err("Path too deep".to_owned());
    }
    let Some((key, rest)) = path.split_first() else {
        return Ok(new);
    };
    match (value, key) {
        (Value::Object(mut members), Value::String(name)) => {
            let object = Rc::make_mut(&mut members);
            let slot = object.entry(name.clone()).or_insert(Value::Null);
            let old = std::mem::replace(slot, Value::Null);
            *slot = set(old, rest, new)?;
            Ok(Value::Object(members))
        }
        (Value::Null, Value::String(name)) => {
            let mut members = Members::new();
            members.insert(name.clone(), set(Value::Null, rest, new)?);
            Ok(members.into())
        }
        (value @ (Value::Array(_) | Value::Null), Value::Number(_) | Value::Exact(..)) => {
            let items = match value {
                Value::Array(items) => items,
                _ => Rc::default(),
            };
            set_item(items, key.number().unwrap_or(f64::NAN), rest, new)
        }
        (value @ (Value::Array(_) | Value::Null), Value::Object(bound)) if is_slice(bound) => {
            set_slice(value, bound, rest, new)
        }
        (Value::String(_), Value::Object(bound)) if is_slice(bound) => {
            Err("Cannot update string slices".to_owned())
        }
        (Value::Array(_), Value::Array(_)) => {
            Err("Cannot update field at array index of array".to_owned())
        }
        (value, key) => Err(cannot_index(&value, key)),
    }
}

/// Sets an item of an array. Beyond 536,870,911 it refuses, as `jq` does, before memory is asked for.
fn set_item(mut items: Rc<Items>, number: f64, rest: &[Value], new: Value) -> Outcome {
    if number.is_nan() {
        return Err("Cannot set array element at NaN index".to_owned());
    }
    let Some(place) = place(number, items.len()) else {
        return Err("Out of bounds negative array index".to_owned());
    };
    if place > 536_870_911 {
        return Err("Array index too large".to_owned());
    }
    let array = Rc::make_mut(&mut items);
    let old = array
        .get_mut(place)
        .map_or(Value::Null, |slot| std::mem::replace(slot, Value::Null));
    let new = set(old, rest, new)?;
    if place >= array.len() {
        array.resize(place + 1, Value::Null);
    }
    array[place] = new;
    Ok(Value::Array(items))
}

/// Replaces a slice by the items of an array of any length; `rest` leads on inside the slice.
fn set_slice(value: Value, bound: &Members, rest: &[Value], new: Value) -> Outcome {
    let mut items = match value {
        Value::Array(items) => items,
        _ => Rc::default(),
    };
    let (start, end) = bounds(bound, items.len())?;
    let old = if rest.is_empty() {
        Value::Null
    } else {
        items[start..end].to_vec().into()
    };
    let Value::Array(new) = set(old, rest, new)? else {
        return Err("A slice of an array can only be assigned another array".to_owned());
    };
    Rc::make_mut(&mut items).splice(start..end, new.iter().cloned());
    Ok(Value::Array(items))
}

/// `value` without what is at `paths`.
///
/// All paths name places in the value as it is given: `delpaths([[0],[1]])` takes the first two items. An empty path
/// deletes everything, which leaves `null`. Paths are sorted and deleted in groups of the same beginning.
pub fn delete(value: Value, paths: &[Value]) -> Outcome {
    let mut sorted = Vec::with_capacity(paths.len());
    for path in paths {
        let Value::Array(keys) = path else {
            return Err("Path must be specified as an array".to_owned());
        };
        if keys.is_empty() {
            return Ok(Value::Null);
        }
        if keys.len() > MAX_RECURSION {
            return Err("Path too deep".to_owned());
        }
        sorted.push(Rc::clone(keys));
    }
    sorted.sort_by(|a, b| {
        let (a, b) = (Value::Array(a.clone()), Value::Array(b.clone()));
        a.compare(&b, MAX_DEPTH)
            .unwrap_or(std::cmp::Ordering::Equal)
    });
    delete_sorted(value, &sorted, 0)
}

/// Deletes paths that agree in their first `depth` keys.
fn delete_sorted(mut value: Value, paths: &[Rc<Items>], depth: usize) -> Outcome {
    let mut leaves = Vec::new();
    let mut rest = paths;
    while let Some(first) = rest.first() {
        let key = &first[depth];
        let same = |path: &Rc<Items>| {
            path[depth].compare(key, MAX_DEPTH) == Some(std::cmp::Ordering::Equal)
        };
        // Not-a-number is not equal to itself.
        let count = rest.iter().take_while(|path| same(path)).count().max(1);
        let (group, after) = rest.split_at(count);
        rest = after;
        if group.iter().any(|path| path.len() == depth + 1) {
            leaves.push(key.clone());
            continue;
        }
        let child = index(&value, key)?;
        if !matches!(child, Value::Null) {
            let child = delete_sorted(child, group, depth + 1)?;
            value = set(value, std::slice::from_ref(key), child)?;
        }
    }
    if leaves.is_empty() {
        Ok(value)
    } else {
        delete_keys(value, &leaves)
    }
}

/// Deletes children of one value. Places that are not there are skipped; indices and slices are marked before any
/// goes.
fn delete_keys(value: Value, keys: &[Value]) -> Outcome {
    match value {
        Value::Null => Ok(Value::Null),
        Value::Object(mut members) => {
            let object = Rc::make_mut(&mut members);
            for key in keys {
                let Value::String(name) = key else {
                    return Err(format!(
                        "Cannot delete field at {} index of object",
                        kind_of_index(key)
                    ));
                };
                object.shift_remove(name);
            }
            Ok(Value::Object(members))
        }
        Value::Array(items) => {
            let length = items.len();
            let mut gone = vec![false; length];
            for key in keys {
                match key {
                    Value::Object(bound) if is_slice(bound) => {
                        let (start, end) = bounds(bound, length)?;
                        gone[start..end].fill(true);
                    }
                    Value::Number(_) | Value::Exact(..) => {
                        let number = key.number().unwrap_or(f64::NAN);
                        if let Some(slot) = place(number, length)
                            .filter(|_| !number.is_nan())
                            .and_then(|at| gone.get_mut(at))
                        {
                            *slot = true;
                        }
                    }
                    _ => {
                        return Err(format!(
                            "Cannot delete field at {} index of array",
                            kind_of_index(key)
                        ));
                    }
                }
            }
            let kept = items
                .iter()
                .zip(gone)
                .filter(|(_, gone)| !gone)
                .map(|(item, _)| item.clone());
            Ok(kept.collect::<Vec<_>>().into())
        }
        other => Err(format!("Cannot delete fields from {}", other.kind())),
    }
}

/// How the messages for a deletion call a key.
fn kind_of_index(key: &Value) -> &'static str {
    match key {
        Value::String(_) => "object",
        _ => "array",
    }
}
