//! Namerefs: `declare -n` and `declare +n`.

use super::super::letters::{invalid_identifier, is_reference, split_subscript};
use super::{ARRAYS, Argument, Context, New, Refused, Request};
use crate::machine::value::{Attributes, Value};

/// Whether a variable can be made a nameref, or be given another target.
pub(super) fn check_nameref(
    cx: &mut Context<'_>,
    argument: &Argument<'_>,
    request: &Request,
) -> Result<(), Refused> {
    let known = cx.variable(argument.name);
    let array = matches!(argument.value, New::Elements(_)) || argument.subscript.is_some();
    let holds_array = known
        .as_ref()
        .is_some_and(|known| matches!(known.value, Value::Indexed(_) | Value::Associative(_)));
    if array || holds_array && !request.local {
        cx.error_about(argument.reference, "reference variable cannot be an array");
        return Err(Refused::Change);
    }
    let value = match &argument.value {
        New::Text(text) if argument.append => {
            let before = known.and_then(|known| known.value.scalar().cloned());
            let target = [&before.unwrap_or_default(), *text].concat();
            if split_subscript(&target).0 != argument.name {
                return Ok(());
            }
            let tail = b": nameref variable self references not allowed".as_slice();
            cx.shell_error([argument.name, tail].concat());
            return Err(Refused::Assignment);
        }
        New::Text(text) => text.to_vec(),
        _ => match known.filter(|_| !request.local) {
            Some(variable) => match variable.value {
                Value::Text(text) if text.is_empty() => {
                    cx.error("`': invalid variable name for name reference");
                    return Err(Refused::Change);
                }
                Value::Text(text) => text.into_vec(),
                _ => return Ok(()),
            },
            None => return Ok(()),
        },
    };
    if value.is_empty() {
        if request.local {
            // It stays as a variable that is no reference.
            cx.make_local(argument.name, request.inherit)
                .map_err(|_| Refused::Change)?;
        }
        invalid_identifier(cx, b"");
        return Err(Refused::Assignment);
    }
    if !is_reference(&value) {
        let quoted = [b"`".as_slice(), &value, b"'"].concat();
        cx.error_about(&quoted, "invalid variable name for name reference");
        return Err(Refused::Assignment);
    }
    if split_subscript(&value).0 == argument.name {
        if request.local {
            let text = [argument.name, b": circular name reference"].concat();
            cx.error_about(b"warning", &text);
            cx.shell_error([b"warning: ".as_slice(), &text].concat());
            return Ok(());
        }
        cx.error_about(
            argument.name,
            "nameref variable self references not allowed",
        );
        return Err(Refused::Assignment);
    }
    Ok(())
}

/// A nameref becomes an array where it is to have elements.
pub(super) fn make_array(
    cx: &mut Context<'_>,
    argument: &Argument<'_>,
    request: &Request,
    untargeted: bool,
) -> Result<(), Refused> {
    let element = argument.subscript.is_some();
    let given = matches!(argument.value, New::Text(_));
    if element && given && !request.local {
        cx.remove_reference(argument.name);
    } else if untargeted && (element || request.add.has(ARRAYS)) {
        cx.change_attributes(argument.name, Attributes::NONE, Attributes::NAMEREF)
            .map_err(|_| Refused::Change)?;
    }
    Ok(())
}

/// `declare +n`: what the last nameref of a chain leads to is a variable of its own from now on.
pub(super) fn remove_nameref(
    cx: &mut Context<'_>,
    name: &[u8],
    last: &[u8],
) -> Result<(), Refused> {
    let known = cx.variable(last);
    if known.is_some_and(|known| known.attributes.has(Attributes::READONLY)) {
        cx.error_about(name, "readonly variable");
        return Err(Refused::Change);
    }
    cx.change_attributes(last, Attributes::NONE, Attributes::NAMEREF)
        .map_err(|_| Refused::Change)
}
