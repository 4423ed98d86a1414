//! The functions of `jq` that map an input and argument values to exactly one value.
//!
//! The manual's section "Builtin operators and functions" is the specification, and `jq` 1.8.1's C source is it for
//! messages. A builtin of `jq` is in one of three tables: here, when a plain Rust function of values can do it; in
//! `prelude::SPECIALS`, when it decides itself how often its arguments run; in `prelude::DEFINITIONS`, when its text
//! in the language is short and fast enough. `natives::find` and the prelude are asked when a program is parsed, never
//! at run time.
//!
//! Arguments are evaluated before the call, by `Machine::product`: with an argument that gives several values the
//! function runs once for each. All errors are strings that `try … catch` sees unchanged, such as `number (1) cannot
//! be reversed, as it is not an array`.

use std::rc::Rc;

use super::dates;
use super::formats::{apply, to_text};
use super::json::{Reader, compact, is_number, shortened};
use super::math;
use super::operators::{self, compare};
use super::paths;
use super::regex;
use super::value::{MAX_DEPTH, Members, Value, parse_number};

/// A value, or the message that `catch` receives.
pub(super) type Outcome<T = Value> = Result<T, String>;

/// A function of its input and its arguments.
#[derive(Debug)]
pub struct Native {
    /// The name that programs call. A leading underscore marks helpers of the prelude, which `builtins` does not list.
    pub name: &'static str,
    /// The number of arguments. Functions of one name and different arity are different functions.
    pub arity: usize,
    /// Computes the result from the input and `arity` arguments, in the order in which they are written.
    pub run: fn(&Value, &[Value]) -> Outcome,
}

/// One row of the table.
const fn native(name: &'static str, arity: usize, run: fn(&Value, &[Value]) -> Outcome) -> Native {
    Native { name, arity, run }
}

/// All functions but those of one or more numbers, which are in `math::FUNCTIONS`.
static NATIVES: &[Native] = &[
    native("not", 0, |input, _| Ok((!input.is_true()).into())),
    native("type", 0, |input, _| Ok(input.kind().into())),
    native("length", 0, |input, _| length(input)),
    native("utf8bytelength", 0, |input, _| match input {
        Value::String(text) => Ok(text.len().into()),
        _ => Err(refuse(input, "only strings have UTF-8 byte length")),
    }),
    native("keys", 0, |input, _| keys(input, true)),
    native("keys_unsorted", 0, |input, _| keys(input, false)),
    native("has", 1, |input, arguments| has(input, &arguments[0])),
    native("contains", 1, |input, arguments| {
        Ok(contains(input, &arguments[0], MAX_DEPTH)?.into())
    }),
    native("to_entries", 0, |input, _| to_entries(input)),
    native("from_entries", 0, |input, _| from_entries(input)),
    native("tostring", 0, |input, _| Ok(to_text(input).into())),
    native("tojson", 0, |input, _| Ok(compact(input).into())),
    native("fromjson", 0, |input, _| from_json(input)),
    native("tonumber", 0, |input, _| to_number(input)),
    native("toboolean", 0, |input, _| match (input, input.text()) {
        (Value::Bool(_), _) => Ok(input.clone()),
        (_, Some("true")) => Ok(true.into()),
        (_, Some("false")) => Ok(false.into()),
        _ => Err(refuse(input, "cannot be parsed as a boolean")),
    }),
    native("toarray", 0, |input, _| match input {
        Value::Array(_) => Ok(input.clone()),
        _ => Ok(vec![input.clone()].into()),
    }),
    native("ascii_downcase", 0, |input, _| {
        Ok(text(input, "ascii_downcase input must be a string")?
            .to_ascii_lowercase()
            .into())
    }),
    native("ascii_upcase", 0, |input, _| {
        Ok(text(input, "ascii_upcase input must be a string")?
            .to_ascii_uppercase()
            .into())
    }),
    native("explode", 0, |input, _| {
        let text = text(input, "explode input must be a string")?;
        Ok(text
            .chars()
            .map(|character| Value::Number(f64::from(u32::from(character))))
            .collect::<Vec<_>>()
            .into())
    }),
    native("implode", 0, |input, _| implode(input)),
    native("ltrimstr", 1, |input, arguments| {
        trim_string(input, &arguments[0], true, false)
    }),
    native("rtrimstr", 1, |input, arguments| {
        trim_string(input, &arguments[0], false, true)
    }),
    native("trimstr", 1, |input, arguments| {
        trim_string(input, &arguments[0], true, true)
    }),
    native("trim", 0, |input, _| {
        Ok(text(input, "trim input must be a string")?
            .trim_matches(is_space)
            .into())
    }),
    native("ltrim", 0, |input, _| {
        Ok(text(input, "trim input must be a string")?
            .trim_start_matches(is_space)
            .into())
    }),
    native("rtrim", 0, |input, _| {
        Ok(text(input, "trim input must be a string")?
            .trim_end_matches(is_space)
            .into())
    }),
    native("startswith", 1, |input, arguments| {
        match (input, &arguments[0]) {
            (Value::String(text), Value::String(start)) => Ok(text.starts_with(&**start).into()),
            _ => Err("startswith() requires string inputs".to_owned()),
        }
    }),
    native("endswith", 1, |input, arguments| {
        match (input, &arguments[0]) {
            (Value::String(text), Value::String(end)) => Ok(text.ends_with(&**end).into()),
            _ => Err("endswith() requires string inputs".to_owned()),
        }
    }),
    native("split", 1, |input, arguments| {
        match (input, &arguments[0]) {
            (Value::String(text), Value::String(separator)) => {
                Ok(operators::split(text, separator))
            }
            _ => Err("split input and separator must be strings".to_owned()),
        }
    }),
    native("join", 1, |input, arguments| join(input, &arguments[0])),
    native("indices", 1, |input, arguments| {
        indices(input, &arguments[0])
    }),
    native("_indices", 1, |input, arguments| {
        indices(input, &arguments[0])
    }),
    native("_strindices", 1, |input, arguments| {
        match (input, &arguments[0]) {
            (Value::String(text), Value::String(wanted)) => Ok(find_text(text, wanted)),
            (Value::String(_), other) => Err(refuse(other, "is not a string")),
            _ => Err(refuse(input, "cannot be searched, as it is not a string")),
        }
    }),
    native("index", 1, |input, arguments| {
        paths::index(&indices(input, &arguments[0])?, &Value::Number(0.0))
    }),
    native("rindex", 1, |input, arguments| {
        paths::index(&indices(input, &arguments[0])?, &Value::Number(-1.0))
    }),
    native("setpath", 2, |input, arguments| match &arguments[0] {
        Value::Array(path) => paths::set(input.clone(), path, arguments[1].clone()),
        _ => Err("Path must be specified as an array".to_owned()),
    }),
    native("delpaths", 1, |input, arguments| match &arguments[0] {
        Value::Array(paths) => paths::delete(input.clone(), paths),
        _ => Err("Paths must be specified as an array".to_owned()),
    }),
    native("sort", 0, |input, _| Ok(sorted(input)?.into())),
    native("unique", 0, |input, _| {
        let mut items = sorted(input)?;
        items.dedup_by(|a, b| compare(a, b).is_ok_and(std::cmp::Ordering::is_eq));
        Ok(items.into())
    }),
    native("min", 0, |input, _| extreme(input, false)),
    native("max", 0, |input, _| extreme(input, true)),
    native("reverse", 0, |input, _| match input {
        Value::Null => Ok(Vec::new().into()),
        Value::String(text) => Ok(text.chars().rev().collect::<String>().into()),
        Value::Array(items) => Ok(items.iter().rev().cloned().collect::<Vec<_>>().into()),
        _ => Err(refuse(input, "cannot be reversed, as it is not an array")),
    }),
    native("flatten", 0, |input, _| flatten(input, 1e9)),
    native("flatten", 1, |input, arguments| {
        flatten(input, arguments[0].number().unwrap_or(0.0))
    }),
    native("transpose", 0, |input, _| transpose(input)),
    native("bsearch", 1, |input, arguments| {
        binary_search(input, &arguments[0])
    }),
    native("format", 1, |input, arguments| match &arguments[0] {
        Value::String(name) => apply(name, input),
        other => Err(refuse(other, "is not a valid format")),
    }),
    native("_match", 3, |input, arguments| {
        regex::find(input, &arguments[0], &arguments[1], arguments[2].is_true())
    }),
    native("infinite", 0, |_, _| Ok(f64::INFINITY.into())),
    native("nan", 0, |_, _| Ok(f64::NAN.into())),
    native("null", 0, |_, _| Ok(Value::Null)),
    native("isinfinite", 0, |input, _| {
        Ok(number(input)?.is_infinite().into())
    }),
    native("isnan", 0, |input, _| Ok(number(input)?.is_nan().into())),
    native("isfinite", 0, |input, _| {
        Ok(input
            .number()
            .is_some_and(|number| !number.is_infinite())
            .into())
    }),
    native("isnormal", 0, |input, _| {
        Ok(number(input)?.is_normal().into())
    }),
    native("isvalid", 0, |_, _| Ok(true.into())),
    // What is less than 0 is negated, or cannot be.
    native("abs", 0, |input, _| match input {
        Value::Number(number) if *number == 0.0 => Ok(0.0.into()),
        _ if compare(input, &Value::Number(0.0))?.is_lt() => operators::negate(input),
        _ => Ok(input.clone()),
    }),
    native("now", 0, |_, _| {
        Ok(crate::system::Time::now().as_f64().into())
    }),
    native("mktime", 0, |input, _| dates::make(input)),
    native("timegm", 0, |input, _| dates::make(input)),
    native("gmtime", 0, |input, _| dates::broken(input, "gmtime")),
    native("localtime", 0, |input, _| dates::broken(input, "localtime")),
    native("strftime", 1, |input, arguments| {
        dates::format(input, &arguments[0], "strftime")
    }),
    native("strflocaltime", 1, |input, arguments| {
        dates::format(input, &arguments[0], "strflocaltime")
    }),
    native("strptime", 1, |input, arguments| {
        dates::parse(input, &arguments[0])
    }),
    native("significand", 0, |input, _| {
        math::significand(number(input)?)
    }),
    native("frexp", 0, |input, _| math::frexp(number(input)?)),
    native("modf", 0, |input, _| math::modf(number(input)?)),
];

/// The function of that name and number of arguments. A linear search, paid once for each call in the program's text.
pub fn find(name: &str, arity: usize) -> Option<&'static Native> {
    NATIVES
        .iter()
        .chain(math::FUNCTIONS)
        .find(|native| native.name == name && native.arity == arity)
}

/// All functions as `NAME/ARITY`, for `builtins`; the caller drops those that begin with an underscore.
pub fn names() -> impl Iterator<Item = String> {
    NATIVES
        .iter()
        .chain(math::FUNCTIONS)
        .map(|native| format!("{}/{}", native.name, native.arity))
}

/// An error message with the type of the value and a shortened copy: `object ({"a":1}) has no keys`.
fn refuse(value: &Value, what: &str) -> String {
    format!("{} ({}) {what}", value.kind(), shortened(value))
}

/// The number as a double.
///
/// # Errors
/// `string ("a") number required` and the like, for a value that is none.
pub(super) fn number(value: &Value) -> Outcome<f64> {
    value
        .number()
        .ok_or_else(|| refuse(value, "number required"))
}

/// The text of a string, or `message` as the error.
fn text<'a>(value: &'a Value, message: &str) -> Outcome<&'a str> {
    value.text().ok_or_else(|| message.to_owned())
}

/// Whether `trim` and its relatives take the character away: Unicode white space.
fn is_space(character: char) -> bool {
    character.is_whitespace()
}

/// `length`: characters of a string, items, members, the absolute value of a number, 0 for `null`.
///
/// A number whose digits are kept stays exact: `-1.10 | length` gives `1.10`. A boolean has no length.
fn length(input: &Value) -> Outcome {
    Ok(match input {
        Value::Null => 0.0.into(),
        Value::Bool(_) => return Err(refuse(input, "has no length")),
        Value::Number(number) => number.abs().into(),
        Value::Exact(number, _) if *number < 0.0 => operators::negate(input)?,
        Value::Exact(..) => input.clone(),
        Value::String(text) => text.chars().count().into(),
        Value::Array(items) => items.len().into(),
        Value::Object(members) => members.len().into(),
    })
}

/// `keys` and `keys_unsorted`. Names are sorted by code points; an array gives its indices: `["a","b"] | keys` is
/// `[0,1]`.
fn keys(input: &Value, sort: bool) -> Outcome {
    Ok(match input {
        Value::Array(items) => (0..items.len()).map(Value::from).collect::<Vec<_>>().into(),
        Value::Object(members) if sort => Value::sorted_members(members)
            .into_iter()
            .map(|(name, _)| Value::String(name.clone()))
            .collect::<Vec<_>>()
            .into(),
        Value::Object(members) => members
            .keys()
            .map(|name| Value::String(name.clone()))
            .collect::<Vec<_>>()
            .into(),
        _ => return Err(refuse(input, "has no keys")),
    })
}

/// `has(KEY)`: a member of that name, or an index from 0 up to the length. A negative index is not there.
fn has(input: &Value, key: &Value) -> Outcome {
    match (input, key) {
        (Value::Object(members), Value::String(name)) => Ok(members.contains_key(name).into()),
        (Value::Array(items), _) if key.number().is_some() => {
            let number = key.number().unwrap_or(f64::NAN);
            Ok((number >= 0.0 && number < items.len() as f64).into())
        }
        _ => Err(format!(
            "Cannot check whether {} has a {} key",
            input.kind(),
            key.kind()
        )),
    }
}

/// `contains`: strings by substring, arrays where each wanted item is contained in some item, objects member by
/// member.
///
/// ```text
/// {"a":["foobar"]} contains {"a":["oba"]}   → true
/// [1,[2]]          contains [[2]]           → true
/// ```
///
/// Other values are equal or not. Values of different types are an error at the top and simply not contained below it.
/// The cost is the product of the lengths of the arrays at each level.
fn contains(input: &Value, wanted: &Value, depth: usize) -> Outcome<bool> {
    if depth == 0 {
        return Err("Containment check too deep".to_owned());
    }
    match (input, wanted) {
        (Value::Object(members), Value::Object(wanted)) => {
            for (name, wanted) in wanted.iter() {
                let Some(found) = members.get(name) else {
                    return Ok(false);
                };
                if found.kind() != wanted.kind() || !contains(found, wanted, depth - 1)? {
                    return Ok(false);
                }
            }
            Ok(true)
        }
        (Value::Array(items), Value::Array(wanted)) => {
            'wanted: for wanted in wanted.iter() {
                for item in items.iter() {
                    if item.kind() == wanted.kind() && contains(item, wanted, depth - 1)? {
                        continue 'wanted;
                    }
                }
                return Ok(false);
            }
            Ok(true)
        }
        (Value::String(text), Value::String(wanted)) => Ok(text.contains(&**wanted)),
        _ if input.kind() == wanted.kind() => Ok(compare(input, wanted)?.is_eq()),
        _ => Err(format!(
            "{} ({}) and {} ({}) cannot have their containment checked",
            input.kind(),
            shortened(input),
            wanted.kind(),
            shortened(wanted)
        )),
    }
}

/// `to_entries`: `{"a":1}` → `[{"key":"a","value":1}]`, in the order of the members.
fn to_entries(input: &Value) -> Outcome {
    let Value::Object(members) = input else {
        return Err(refuse(input, "has no keys"));
    };
    let entry = |(name, value): (&Rc<str>, &Value)| {
        let mut entry = Members::with_capacity(2);
        entry.insert("key".into(), Value::String(name.clone()));
        entry.insert("value".into(), value.clone());
        Value::from(entry)
    };
    Ok(members.iter().map(entry).collect::<Vec<_>>().into())
}

/// `from_entries`: the reverse of `to_entries`, with the spellings that `jq` accepts.
///
/// The name is the first of `key`, `k`, `name`, `Name`, `K`, `Key` that is neither `null` nor, but for `key` itself,
/// `false`; a name that is no string is written as JSON, so that `{"key":false}` gives the member `"false"`. The value
/// is the first of `value`, `v`, `Value`, `V` that is there, `null` included. A later entry replaces an earlier one.
fn from_entries(input: &Value) -> Outcome {
    let entries: Vec<&Value> = match input {
        Value::Array(items) => items.iter().collect(),
        Value::Object(members) => members.values().collect(),
        _ => {
            return Err(format!(
                "Cannot iterate over {} ({})",
                input.kind(),
                shortened(input)
            ));
        }
    };
    let mut object = Members::with_capacity(entries.len());
    for entry in entries {
        let get = |name: &str| paths::index(entry, &name.into());
        let mut key = get("key")?;
        for other in ["k", "name", "Name", "K", "Key"] {
            if !matches!(key, Value::Null) {
                break;
            }
            key = get(other)?;
            if matches!(key, Value::Bool(false)) {
                key = Value::Null;
            }
        }
        let name: Rc<str> = match key {
            Value::String(name) => name,
            other => compact(&other).into(),
        };
        let value = match entry {
            Value::Object(members) => ["value", "v", "Value", "V"]
                .iter()
                .find_map(|name| members.get(*name))
                .cloned()
                .unwrap_or(Value::Null),
            _ => Value::Null,
        };
        object.insert(name, value);
    }
    Ok(object.into())
}

/// `fromjson`: exactly one JSON text. An empty or blank string gives `null`.
fn from_json(input: &Value) -> Outcome {
    let Value::String(text) = input else {
        return Err(refuse(input, "only strings can be parsed"));
    };
    let fail = |error: super::json::Malformed| format!("{} (while parsing '{text}')", error.0);
    let mut reader = Reader::new(text.as_bytes());
    let value = reader.next().map_err(fail)?;
    match reader.next() {
        Ok(None) => Ok(value.unwrap_or(Value::Null)),
        Ok(Some(_)) => Err(format!(
            "Unexpected extra JSON values (while parsing '{text}')"
        )),
        Err(error) => Err(fail(error)),
    }
}

/// `tonumber`: numbers as they are, strings that are a number as a whole: no blanks around, no hexadecimal; `"nan"`.
fn to_number(input: &Value) -> Outcome {
    match input {
        Value::Number(_) | Value::Exact(..) => Ok(input.clone()),
        Value::String(text) if is_number(text) => {
            parse_number(text).ok_or_else(|| refuse(input, "cannot be parsed as a number"))
        }
        Value::String(text) if &**text == "nan" => Ok(f64::NAN.into()),
        _ => Err(refuse(input, "cannot be parsed as a number")),
    }
}

/// `implode`: code points to a string. What is no scalar value, as a surrogate or a negative number, becomes U+FFFD.
fn implode(input: &Value) -> Outcome {
    let Value::Array(items) = input else {
        return Err("implode input must be an array".to_owned());
    };
    let mut text = String::with_capacity(items.len());
    for item in items.iter() {
        let Some(number) = item.number().filter(|number| !number.is_nan()) else {
            return Err(refuse(
                item,
                "can't be imploded, unicode codepoint needs to be numeric",
            ));
        };
        let point = if number < 0.0 {
            None
        } else {
            char::from_u32(number as u32)
        };
        text.push(point.unwrap_or('\u{fffd}'));
    }
    Ok(text.into())
}

/// `ltrimstr`, `rtrimstr` and `trimstr`: takes `affix` away at the start, at the end, or at both, once each.
///
/// `"aaa" | trimstr("aa")` gives `"a"`: the end is looked at after the start was taken away.
fn trim_string(input: &Value, affix: &Value, start: bool, end: bool) -> Outcome {
    let (Value::String(text), Value::String(affix)) = (input, affix) else {
        let name = if start { "startswith" } else { "endswith" };
        return Err(format!("{name}() requires string inputs"));
    };
    let mut rest: &str = text;
    if start {
        rest = rest.strip_prefix(&**affix).unwrap_or(rest);
    }
    if end {
        rest = rest.strip_suffix(&**affix).unwrap_or(rest);
    }
    Ok(rest.into())
}

/// `join`: `[1,null,"a"] | join("-")` → `"1--a"`. Numbers and booleans are converted, `null` is empty, and arrays or
/// objects fail in the addition. An empty array gives `""`, whatever the separator is.
fn join(input: &Value, separator: &Value) -> Outcome {
    let Value::Array(items) = input else {
        return Err(format!(
            "Cannot iterate over {} ({})",
            input.kind(),
            shortened(input)
        ));
    };
    if items.is_empty() {
        return Ok("".into());
    }
    let mut out = Value::Null;
    for item in items.iter() {
        let text = match item {
            Value::Null => "".into(),
            Value::Bool(_) | Value::Number(_) | Value::Exact(..) => compact(item).into(),
            other => other.clone(),
        };
        out = match out {
            Value::Null => operators::add("".into(), text)?,
            out => operators::add(operators::add(out, separator.clone())?, text)?,
        };
    }
    Ok(out)
}

/// `indices`: where `wanted` occurs. In a string a string, counted in characters; in an array a run of items or one
/// item.
///
/// `"ababa" | indices("aba")` gives `[0,2]`: occurrences may overlap. Other pairs of types are an index operation.
fn indices(input: &Value, wanted: &Value) -> Outcome {
    match (input, wanted) {
        (Value::Null, _) => Ok(Value::Null),
        (Value::String(text), Value::String(wanted)) => Ok(find_text(text, wanted)),
        (Value::Array(items), Value::Array(wanted)) => Ok(find_items(items, wanted)),
        (Value::Array(items), _) => Ok(find_items(items, std::slice::from_ref(wanted))),
        _ => paths::index(input, wanted),
    }
}

/// The indices at which `wanted` begins as a run of items, as an array; `null` for an empty run. O(n·m) comparisons.
pub fn find_items(items: &[Value], wanted: &[Value]) -> Value {
    if wanted.is_empty() {
        return Value::Null;
    }
    let same = |window: &[Value]| {
        window
            .iter()
            .zip(wanted)
            .all(|(a, b)| compare(a, b).is_ok_and(std::cmp::Ordering::is_eq))
    };
    let found = items
        .windows(wanted.len())
        .enumerate()
        .filter(|(_, window)| same(window));
    found
        .map(|(index, _)| Value::from(index))
        .collect::<Vec<_>>()
        .into()
}

/// The character positions at which `wanted` occurs in `text`, overlapping ones included; `null` for an empty string.
fn find_text(text: &str, wanted: &str) -> Value {
    let mut found = Vec::new();
    if wanted.is_empty() {
        return Value::Null;
    }
    for (index, (at, _)) in text.char_indices().enumerate() {
        if text[at..].starts_with(wanted) {
            found.push(Value::from(index));
        }
    }
    found.into()
}

/// The message of `sort` and `sort_by` for input that is no array; with `group` that of `group_by`.
pub fn not_an_array(input: &Value, group: bool) -> String {
    let what = if group {
        "cannot be grouped, as it is not an array"
    } else {
        "cannot be sorted, as it is not an array"
    };
    refuse(input, what)
}

/// A sorted copy of an array. The sort is stable and uses the order of all values (`Value::compare`).
fn sorted(input: &Value) -> Outcome<Vec<Value>> {
    let Value::Array(items) = input else {
        return Err(not_an_array(input, false));
    };
    let mut items = items.to_vec();
    let mut failed = None;
    items.sort_by(|a, b| {
        compare(a, b).unwrap_or_else(|message| {
            failed = Some(message);
            std::cmp::Ordering::Equal
        })
    });
    failed.map_or(Ok(items), Err)
}

/// `min` and `max`; `null` for an empty array. Of equal items `min` gives the first and `max` the last.
fn extreme(input: &Value, greatest: bool) -> Outcome {
    let Value::Array(items) = input else {
        return Err(format!(
            "{} ({}) cannot be iterated over",
            input.kind(),
            shortened(input)
        ));
    };
    let mut best: Option<&Value> = None;
    for item in items.iter() {
        let better = match best {
            None => true,
            Some(found) if greatest => compare(item, found)?.is_ge(),
            Some(found) => compare(item, found)?.is_lt(),
        };
        if better {
            best = Some(item);
        }
    }
    Ok(best.cloned().unwrap_or(Value::Null))
}

/// `flatten`: `depth` levels of nested arrays are replaced by their items. An object counts as the array of its
/// values.
///
/// `[1,[2,[3]]] | flatten(1)` → `[1,2,[3]]`. The outermost array is one level itself, hence the comparison with 0.
fn flatten(input: &Value, depth: f64) -> Outcome {
    if depth < 0.0 {
        return Err("flatten depth must not be negative".to_owned());
    }
    fn add(out: &mut Vec<Value>, value: &Value, depth: f64) {
        match value {
            Value::Array(items) if depth >= 0.0 => {
                items.iter().for_each(|item| add(out, item, depth - 1.0))
            }
            other => out.push(other.clone()),
        }
    }
    let mut out = Vec::new();
    match input {
        Value::Array(_) => add(&mut out, input, depth),
        Value::Object(members) => members
            .values()
            .for_each(|item| add(&mut out, item, depth - 1.0)),
        _ => {
            return Err(format!(
                "Cannot iterate over {} ({})",
                input.kind(),
                shortened(input)
            ));
        }
    }
    Ok(out.into())
}

/// `transpose`: rows to columns; short rows are filled with `null`: `[[1],[2,3]]` → `[[1,2],[null,3]]`.
fn transpose(input: &Value) -> Outcome {
    let Value::Array(rows) = input else {
        return Err(format!(
            "Cannot iterate over {} ({})",
            input.kind(),
            shortened(input)
        ));
    };
    let width = rows
        .iter()
        .filter_map(|row| row.items())
        .map(Vec::len)
        .max()
        .unwrap_or(0);
    let mut columns = Vec::with_capacity(width);
    for column in 0..width {
        let column: Vec<Value> = rows
            .iter()
            .map(|row| paths::index(row, &column.into()))
            .collect::<Outcome<_>>()?;
        columns.push(column.into());
    }
    Ok(columns.into())
}

/// `bsearch`: the index of an equal item of a sorted array, or `-1 - i`, where `i` is the place to insert it. O(log
/// n).
fn binary_search(input: &Value, wanted: &Value) -> Outcome {
    let Value::Array(items) = input else {
        return Err(refuse(input, "cannot be searched from"));
    };
    let (mut low, mut high) = (0, items.len());
    while low < high {
        let middle = low + (high - low) / 2;
        match compare(&items[middle], wanted)? {
            std::cmp::Ordering::Equal => return Ok(middle.into()),
            std::cmp::Ordering::Less => low = middle + 1,
            std::cmp::Ordering::Greater => high = middle,
        }
    }
    Ok((-1.0 - low as f64).into())
}
