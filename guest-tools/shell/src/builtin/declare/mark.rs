//! `export` and `readonly`

use super::super::letters::{Letters, invalid_identifier, is_name, split_subscript};
use super::super::{Context, Flow, function, listing};
use super::{ARRAYS, Argument, New, Refused, Request, assign};
use crate::machine::option::SetOption;
use crate::machine::value::Attributes;
use crate::text::Text;

pub(in crate::builtin) fn export(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    set_attribute(cx, arguments, "aAfnp", Attributes::EXPORT)
}

pub(in crate::builtin) fn readonly(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    set_attribute(cx, arguments, "aAfnp", Attributes::READONLY)
}

fn set_attribute(
    cx: &mut Context<'_>,
    arguments: &[Text],
    known: &'static str,
    attribute: Attributes,
) -> Flow {
    let mut letters = Letters::new(known, arguments);
    let mut request = Request {
        add: attribute,
        ..Request::default()
    };
    let mut functions = false;
    let mut arrays = Attributes::NONE;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'f' => functions = true,
                b'n' => {
                    request.add = Attributes::NONE;
                    // What is readonly stays so.
                    request.remove = attribute.without(Attributes::READONLY);
                }
                b'a' => arrays = arrays.with(Attributes::INDEXED),
                b'A' => arrays = arrays.with(Attributes::ASSOCIATIVE),
                _ => request.print = true,
            },
            Err(flow) => return flow,
        }
    }
    let operands = letters.operands();
    if functions {
        return function::set_attribute(cx, operands, &request);
    }
    if operands.is_empty() {
        for (name, variable) in cx.variables() {
            let fits = arrays == Attributes::NONE || variable.attributes.has(arrays);
            if fits && variable.attributes.has(attribute) {
                let line = match cx.on(SetOption::Posix) {
                    true => listing::portable(cx.name(), &name, &variable),
                    false => listing::definition(&name, &variable),
                };
                cx.out(line);
            }
        }
        return Flow::Status(0);
    }
    request.add = request.add.with(arrays);
    let (mut failed, mut status) = (false, 0);
    for (at, word) in operands.iter().enumerate() {
        if cx.gives_up() {
            break;
        }
        let argument = Argument::parse(cx, letters.count() + at, word);
        if argument.subscript.is_some() || !is_name(argument.name) {
            let named = argument.subscript.is_some() && is_name(argument.name);
            invalid_identifier(cx, if named { argument.reference } else { word });
            let refused = match argument.value {
                New::Text(_) if named => Refused::Assignment,
                _ => Refused::Change,
            };
            status = status.max(refused.status(cx));
            continue;
        }
        if let New::Text(value) = &argument.value {
            cx.trace_assignment(argument.name, &Text::from(*value), argument.append);
        }
        let (expanded, given) = (
            argument.is_expanded(&request),
            !matches!(argument.value, New::None),
        );
        if mark(cx, argument, &request).is_some() {
            continue;
        }
        if expanded {
            return Flow::Abandon(1);
        }
        failed = true;
        if given {
            status = status.max(Refused::Assignment.status(cx));
        }
    }
    match failed {
        true => Flow::Fatal(status.max(1)),
        false => Flow::Status(status),
    }
}

/// Assigns, then sets or removes the attribute.
fn mark(cx: &mut Context<'_>, argument: Argument<'_>, request: &Request) -> Option<()> {
    let followed = cx.follow(argument.name);
    let (name, subscript) = split_subscript(&followed);
    if subscript.is_some() {
        // A name reference to an element: that has no attributes of its own.
        if let New::Text(_) = argument.value {
            assign(cx, name, &followed, argument, Attributes::NONE, false)?;
        }
        invalid_identifier(cx, &followed);
        return Some(());
    }
    let name = name.to_vec();
    // Without a value, -a and -A make no array.
    let add = match argument.value {
        New::None => request.add.without(ARRAYS),
        _ => request.add,
    };
    let early = Attributes(add.0 & ARRAYS.0);
    if early != Attributes::NONE {
        cx.change_attributes(&name, early, Attributes::NONE).ok()?;
    }
    let present = cx
        .variable(&name)
        .map_or(Attributes::NONE, |known| known.attributes);
    let creating = request.add.has(ARRAYS);
    if creating && present.has(Attributes::READONLY) && matches!(argument.value, New::Text(_)) {
        cx.error_about(&name, "readonly variable");
        return None;
    }
    // Without -a and -A, parentheses in a string are nothing special.
    let present = if creating {
        present
    } else {
        present.without(ARRAYS)
    };
    assign(cx, &name, &followed, argument, present, creating)?;
    cx.change_attributes(&name, add, request.remove).ok()
}
