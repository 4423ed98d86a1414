//! Functions as variables: `declare -f`, `export -f`, `readonly -f`, and `unset` of either.

use super::declare::Request;
use super::letters::Letters;
use super::{Context, Flow, listing};
use crate::machine::function::Function;
use crate::machine::option::Shopt;
use crate::machine::value::Attributes;
use crate::text::Text;

/// `declare -f` and `declare -F`
pub(super) fn declare(
    cx: &mut Context<'_>,
    names: &[Text],
    request: &Request,
    names_only: bool,
    print: bool,
) -> Flow {
    if names.is_empty() {
        for function in cx.functions() {
            if !wanted(&function, request.add) {
                continue;
            }
            if !names_only {
                cx.out(listing::function(cx, &function));
            }
            if names_only || listing::has_attributes(&function) {
                cx.out(listing::function_attributes(&function));
            }
        }
        return Flow::Status(0);
    }
    let changes = request.add != Attributes::NONE || request.remove != Attributes::NONE;
    let mut status = 0;
    for name in names {
        if name.contains(&b'=') && !names_only {
            cx.error("cannot use `-f' to make functions");
            return Flow::Status(1);
        }
        let Some(function) = cx.function(name) else {
            status = 1;
            continue;
        };
        if changes {
            status |= u8::from(change(cx, &function, request).is_none());
        } else if names_only {
            show_name(cx, &function, print);
        } else {
            cx.out(listing::function(cx, &function));
            if print && listing::has_attributes(&function) {
                cx.out(listing::function_attributes(&function));
            }
        }
    }
    Flow::Status(status)
}

/// `declare -F`: the name, with line and file under `extdebug`.
fn show_name(cx: &mut Context<'_>, function: &Function, print: bool) {
    if print {
        cx.out(listing::function_attributes(function));
    } else if cx.shopt(Shopt::Extdebug) {
        let line = function.line.to_string();
        let parts: [&[u8]; 3] = [&function.name, line.as_bytes(), &function.source];
        let mut text = parts.join(&b' ');
        text.push(b'\n');
        cx.out(text);
    } else {
        cx.out([function.name.as_bytes(), b"\n"].concat());
    }
}

/// Whether a function has one of the attributes, or none is asked for.
fn wanted(function: &Function, attributes: Attributes) -> bool {
    attributes == Attributes::NONE
        || function.exported && attributes.has(Attributes::EXPORT)
        || function.readonly && attributes.has(Attributes::READONLY)
        || function.traced && attributes.has(Attributes::TRACE)
}

/// Changes the attributes of a function; `None` where it is readonly, which was reported.
fn change(cx: &mut Context<'_>, function: &Function, request: &Request) -> Option<()> {
    if function.readonly && request.remove.has(Attributes::READONLY) {
        cx.error_about(&function.name, "readonly function");
        return None;
    }
    let set = |old: bool, attribute| {
        (old || request.add.has(attribute)) && !request.remove.has(attribute)
    };
    let mut changed = function.clone();
    changed.exported = set(function.exported, Attributes::EXPORT);
    changed.readonly = set(function.readonly, Attributes::READONLY);
    changed.traced = set(function.traced, Attributes::TRACE);
    cx.set_function(changed);
    Some(())
}

/// `export -f`, `export -fn`, `readonly -f`
pub(super) fn set_attribute(cx: &mut Context<'_>, names: &[Text], request: &Request) -> Flow {
    if names.is_empty() {
        let attribute = request.add.with(request.remove);
        for function in cx
            .functions()
            .into_iter()
            .filter(|known| wanted(known, attribute))
        {
            cx.out(listing::function(cx, &function));
            cx.out(listing::function_attributes(&function));
        }
        return Flow::Status(0);
    }
    let mut status = 0;
    for name in names {
        match cx.function(name) {
            Some(_)
                if request.add.has(Attributes::EXPORT)
                    && name.iter().any(|byte| matches!(byte, b'/' | b'=')) =>
            {
                cx.error_about(name, "cannot export");
                status = 1;
            }
            Some(function) => status |= u8::from(change(cx, &function, request).is_none()),
            None => {
                cx.error_about(name, "not a function");
                status = 1;
            }
        }
    }
    Flow::Status(status)
}

/// `unset`
pub(super) fn unset(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("fvn", arguments);
    let (mut functions, mut variables, mut nameref) = (false, false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'f' => functions = true,
                b'v' => variables = true,
                _ => nameref = true,
            },
            Err(flow) => return flow,
        }
    }
    if functions && variables {
        cx.error("cannot simultaneously unset a function and a variable");
        return Flow::Status(1);
    }
    let mut status = 0;
    for (at, name) in letters.operands().iter().enumerate() {
        let expanded = cx.is_expanded(letters.count() + at);
        let done = if functions {
            cx.unset_function(name)
        } else {
            unset_name(cx, name, expanded, variables, nameref)
        };
        status |= u8::from(done.is_err());
    }
    if let Some(last) = arguments.last()
        && super::letters::is_reference(last)
        && !functions
    {
        // bash cuts the subscript off in place.
        let base = Text::from(super::letters::split_subscript(last).0);
        cx.state_mut().last_argument = base;
    }
    Flow::Status(status)
}

/// Unsets a variable or an element, or a function where there is no such variable and `-v` does not forbid it.
fn unset_name(
    cx: &mut Context<'_>,
    name: &Text,
    expanded: bool,
    only_variables: bool,
    nameref: bool,
) -> Result<(), super::Failed> {
    if !cx.is_reference(name, expanded) {
        if !only_variables && cx.function(name).is_some() {
            return cx.unset_function(name);
        }
        // Without -v any word may name a function that does not exist.
        if !only_variables {
            return Ok(());
        }
        super::letters::invalid_identifier(cx, name);
        return Err(super::Failed);
    }
    let base = super::letters::split_subscript(name).0;
    let known = cx.variable(base).is_some();
    if nameref {
        return cx.unset_nameref(name);
    }
    if !known && !only_variables && cx.function(base).is_some() {
        if base.len() < name.len() {
            cx.error_about(base, "not an array variable");
            return Err(super::Failed);
        }
        return cx.unset_function(name);
    }
    cx.unset(name, expanded)
}
