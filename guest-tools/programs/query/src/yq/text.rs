//! The functions of strings and regular expressions, and `envsubst`; those of times are in `moment`.
//!
//! Patterns are those of the `regex` crate, whose syntax is nearly Go's RE2. Most functions take over the style and
//! the tag of the string that they change.

use regex::Regex;

use super::evaluate::{Context, Found, Machine};
use super::functions::{each, two};
use super::parse::Expression;
use super::tree::{Id, Kind, integer, number};
use super::{arithmetic, formats, functions, moment};

/// Calls a function. `plain` is its name without underscores and in lower case, `name` the name as written.
///
/// # Errors
/// A function that is not there, and values that it does not take.
pub fn call(
    machine: &mut Machine,
    context: &Context,
    plain: &str,
    name: &str,
    argument: Option<&Expression>,
) -> Found {
    let need = || argument.ok_or_else(|| format!("'{name}' expects 1 arg but there is none"));
    match plain {
        "upcase" | "asciiupcase" => change(machine, context, "change case with", |text| {
            text.to_uppercase()
        }),
        "downcase" | "asciidowncase" => change(machine, context, "change case with", |text| {
            text.to_lowercase()
        }),
        "trim" => change(machine, context, "trim", |text| text.trim().to_owned()),
        "join" => join(machine, context, need()?),
        "split" => split(machine, context, need()?),
        "sub" => substitute(machine, context, argument),
        "test" | "match" | "capture" => find(machine, context, plain, need()?),
        "tostring" => each(machine, context, |machine, node| {
            let text = functions::text(machine, node);
            let new = machine.tree.replacement(node, Kind::Scalar, "!!str", &text);
            if &*machine.tree[node].tag != "!!str" {
                machine.tree[new].style = super::tree::Style::Double;
            }
            Ok(new)
        }),
        "tonumber" => each(machine, context, to_number),
        "envsubst" => {
            machine.may_read_environment()?;
            substitute_variables(machine, context, "")
        }
        "now" | "fromunix" | "tounix" | "tz" | "formatdatetime" | "withdtf" => {
            moment::call(machine, context, plain, argument)
        }
        _ => formats::call(machine, context, plain, name),
    }
}

/// Applies `to` to each string. `what` is the verb of the message.
fn change(machine: &mut Machine, context: &Context, what: &str, to: fn(&str) -> String) -> Found {
    each(machine, context, |machine, node| {
        let data = machine.tree[node].clone();
        if data.kind != Kind::Scalar || (data.tag.starts_with("!!") && &*data.tag != "!!str") {
            return Err(format!(
                "cannot {what} {}, can only operate on strings. ",
                data.tag
            ));
        }
        let new = machine
            .tree
            .replacement(node, Kind::Scalar, &data.tag, &to(&data.value));
        machine.tree[new].style = data.style;
        Ok(new)
    })
}

/// The text of an argument's first value; empty where it gives none.
fn argument_text(
    machine: &mut Machine,
    context: &Context,
    argument: &Expression,
) -> Result<String, String> {
    let value = machine.first(&context.readonly(), argument)?;
    Ok(value
        .map(|id| machine.tree[id].value.to_string())
        .unwrap_or_default())
}

/// `join(SEPARATOR)`: the texts of a sequence's items; `null` is empty.
fn join(machine: &mut Machine, context: &Context, separator: &Expression) -> Found {
    let separator = argument_text(machine, context, separator)?;
    each(machine, context, |machine, node| {
        if machine.tree[node].kind != Kind::Sequence {
            return Err(format!(
                "cannot join with {}, can only join arrays of scalars",
                machine.tree[node].tag
            ));
        }
        let items = machine.tree[node].content.iter();
        let text = |&item: &Id| {
            if machine.tree.is_null(item) {
                String::new()
            } else {
                machine.tree[item].value.to_string()
            }
        };
        let joined = items.map(text).collect::<Vec<_>>().join(&separator);
        Ok(machine
            .tree
            .replacement(node, Kind::Scalar, "!!str", &joined))
    })
}

/// `split(SEPARATOR)`: a sequence of strings. An empty separator splits into characters, an empty string gives none.
fn split(machine: &mut Machine, context: &Context, separator: &Expression) -> Found {
    let separator = argument_text(machine, context, separator)?;
    let mut found = Vec::new();
    for &node in &context.nodes {
        if machine.tree.is_null(node) {
            continue;
        }
        let value = machine.tree[node].value.clone();
        if machine.tree[node].kind != Kind::Scalar || &*machine.tree[node].tag != "!!str" {
            return Err(format!(
                "cannot split {}, can only split strings",
                machine.tree[node].tag
            ));
        }
        let list = machine.tree.replacement(node, Kind::Sequence, "!!seq", "");
        let parts: Vec<String> = if value.is_empty() {
            Vec::new()
        } else if separator.is_empty() {
            value.chars().map(String::from).collect()
        } else {
            value.split(separator.as_str()).map(str::to_owned).collect()
        };
        for part in parts {
            let part = machine.tree.string(&part);
            machine.tree.attach(list, part);
        }
        found.push(list);
    }
    Ok(found)
}

/// Compiles a pattern.
fn compile(pattern: &str) -> Result<Regex, String> {
    Regex::new(pattern).map_err(|_| format!("error parsing regexp: `{pattern}`"))
}

/// `sub(PATTERN; REPLACEMENT)`: replaces all matches. `$1` and `${name}` are groups; as in Go, `$1x` is a group named
/// `1x`.
fn substitute(machine: &mut Machine, context: &Context, argument: Option<&Expression>) -> Found {
    let (pattern, replacement) = two("sub", argument)?;
    let mut found = Vec::new();
    for &node in &context.nodes {
        let at = context.one(node);
        let pattern = compile(&argument_text(machine, &at, pattern)?)?;
        let replacement = argument_text(machine, &at, replacement)?;
        let data = machine.tree[node].clone();
        if data.kind != Kind::Scalar || (data.tag.starts_with("!!") && &*data.tag != "!!str") {
            return Err(format!(
                "cannot substitute with {}, can only substitute strings. Hint: Most often you'll want to use '|=' over '=' for this operation",
                data.tag
            ));
        }
        let text = pattern.replace_all(&data.value, replacement.as_str());
        let new = machine.tree.replacement(node, Kind::Scalar, "!!str", &text);
        machine.tree[new].style = data.style;
        found.push(new);
    }
    Ok(found)
}

/// `test`, `match` and `capture`, with a pattern and perhaps flags: `match("a(.)"; "gi")`. Only the first match counts
/// without `g`; the other flags go to the engine.
fn find(machine: &mut Machine, context: &Context, what: &str, argument: &Expression) -> Found {
    let (pattern, flags) = match two("", Some(argument)) {
        Ok((pattern, flags)) => (pattern, Some(flags)),
        Err(_) => (argument, None),
    };
    let mut found = Vec::new();
    for &node in &context.nodes {
        let at = context.one(node);
        let mut pattern = argument_text(machine, &at, pattern)?;
        let mut flags = match flags {
            Some(flags) => argument_text(machine, &at, flags)?,
            None => String::new(),
        };
        let global = flags.contains('g');
        flags.retain(|c| c != 'g');
        if !flags.is_empty() {
            pattern = format!("(?{flags}){pattern}");
        }
        let pattern = compile(&pattern)?;
        let data = machine.tree[node].clone();
        if machine.tree.is_null(node) {
            if what == "test" {
                found.push(functions::truth(machine, node, false));
            }
            continue;
        }
        if data.kind != Kind::Scalar || (data.tag.starts_with("!!") && &*data.tag != "!!str") {
            return Err(format!(
                "cannot match with {}, can only match strings. Hint: Most often you'll want to use '|=' over '=' for this operation",
                data.tag
            ));
        }
        if what == "test" {
            found.push(functions::truth(
                machine,
                node,
                pattern.is_match(&data.value),
            ));
            continue;
        }
        let limit = if global { usize::MAX } else { 1 };
        for captures in pattern.captures_iter(&data.value).take(limit) {
            let new = machine.tree.replacement(node, Kind::Mapping, "!!map", "");
            if what == "capture" {
                for (place, name) in pattern.capture_names().enumerate() {
                    if let Some(name) = name {
                        let value = captures.get(place).map(|group| group.as_str());
                        member(machine, new, name, value.map(|text| ("!!str", text)));
                    }
                }
            } else {
                describe(machine, new, &pattern, &captures);
            }
            found.push(new);
        }
    }
    Ok(found)
}

/// Appends a pair to a mapping; no value is `null`.
fn member(machine: &mut Machine, mapping: Id, name: &str, value: Option<(&str, &str)>) {
    let key = machine.tree.string(name);
    let value = match value {
        Some((tag, text)) => machine.tree.scalar(tag, text),
        None => machine.tree.null(),
    };
    machine.tree.attach_pair(mapping, key, value);
}

/// A match as `match` gives it: `string`, `offset`, `length` and `captures`. Offsets count in bytes, -1 for no match.
fn describe(machine: &mut Machine, new: Id, pattern: &Regex, captures: &regex::Captures) {
    let whole = captures.get(0);
    let part = |group: Option<regex::Match>| {
        let text = group.map(|group| group.as_str().to_owned());
        let offset = group.map_or(-1, |group| group.start() as i64);
        let length = group.map_or(0, |group| group.as_str().len());
        (text, offset.to_string(), length.to_string())
    };
    let fill = |machine: &mut Machine, id: Id, group: Option<regex::Match>| {
        let (text, offset, length) = part(group);
        member(
            machine,
            id,
            "string",
            text.as_deref().map(|text| ("!!str", text)),
        );
        member(machine, id, "offset", Some(("!!int", &offset)));
        member(machine, id, "length", Some(("!!int", &length)));
    };
    fill(machine, new, whole);
    let list = machine.tree.make(Kind::Sequence, "!!seq", "");
    for (place, name) in pattern.capture_names().enumerate().skip(1) {
        let group = machine.tree.make(Kind::Mapping, "!!map", "");
        fill(machine, group, captures.get(place));
        if let Some(name) = name {
            member(machine, group, "name", Some(("!!str", name)));
        }
        machine.tree.attach(list, group);
    }
    let key = machine.tree.string("captures");
    machine.tree.attach_pair(new, key, list);
}

/// `to_number`: the same text with the tag of a number.
fn to_number(machine: &mut Machine, node: Id) -> Result<Id, String> {
    let data = machine.tree[node].clone();
    if data.kind != Kind::Scalar {
        return Err(format!(
            "cannot convert node at path {} of tag {} to number",
            machine.tree.nice_path(node),
            data.tag
        ));
    }
    let tag = if integer(&data.value).is_some() {
        "!!int"
    } else if number(&data.value).is_some() {
        "!!float"
    } else {
        return Err(format!(
            "cannot convert node value [{}] at path {} of tag {} to number",
            data.value,
            machine.tree.nice_path(node),
            data.tag
        ));
    };
    Ok(machine
        .tree
        .replacement(node, Kind::Scalar, tag, &data.value))
}

/// Replaces `$NAME` and `${NAME…}` by environment variables; `options` has `nu`, `ne` and `ff`.
///
/// `nu` refuses a variable that is not set, `ne` one that is empty. `ff` is accepted and changes nothing: the first
/// error ends the run.
pub fn substitute_variables(machine: &mut Machine, context: &Context, options: &str) -> Found {
    each(machine, context, |machine, node| {
        let data = machine.tree[node].clone();
        if &*data.tag != "!!str" {
            return Err(format!(
                "cannot substitute with {}, can only substitute strings",
                data.tag
            ));
        }
        let text = expand(&data.value, options)?;
        let new = machine.tree.replacement(node, Kind::Scalar, "!!str", &text);
        machine.tree[new].style = data.style;
        Ok(new)
    })
}

/// Expands variables: `$NAME`, `${NAME}`, `${NAME-x}`, `${NAME:-x}`, and `=` in the place of `-` with the same
/// meaning.
fn expand(text: &str, options: &str) -> Result<String, String> {
    let mut out = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('$') {
        out.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        let (name, default) = if let Some(inside) = rest.strip_prefix('{') {
            let Some(end) = inside.find('}') else {
                return Err("closing brace expected".to_owned());
            };
            let body = &inside[..end];
            rest = &inside[end + 1..];
            let split = body
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(body.len());
            (&body[..split], &body[split..])
        } else {
            let end = rest
                .find(|c: char| !c.is_ascii_alphanumeric() && c != '_')
                .unwrap_or(rest.len());
            if end == 0 {
                out.push('$');
                continue;
            }
            let name = &rest[..end];
            rest = &rest[end..];
            (name, "")
        };
        let value = crate::system::text_variable(name);
        let fallback = |mark: &str| default.strip_prefix(mark);
        let value = if let Some(other) = fallback(":-").or_else(|| fallback(":=")) {
            value
                .filter(|value| !value.is_empty())
                .or_else(|| Some(other.to_owned()))
        } else if let Some(other) = fallback("-").or_else(|| fallback("=")) {
            value.or_else(|| Some(other.to_owned()))
        } else {
            value
        };
        match value {
            None if options.contains("nu") => return Err(format!("variable ${{{name}}} not set")),
            Some(value) if value.is_empty() && options.contains("ne") => {
                return Err(format!("variable ${{{name}}} set but empty"));
            }
            value => out.push_str(&value.unwrap_or_default()),
        }
    }
    out.push_str(rest);
    Ok(out)
}

/// A number for messages and results.
pub fn number_text(value: f64) -> String {
    arithmetic::show(value)
}
