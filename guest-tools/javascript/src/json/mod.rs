//! `JSON`, with loops where the engine's own goes down the stack, so that a text may be as deep as memory allows.

mod parse;
mod revive;
mod stringify;

use boa_engine::property::Attribute;
use boa_engine::{Context, JsObject, JsResult, JsString, NativeFunction, js_string};

use crate::host::Function;

const FUNCTIONS: &[(&str, usize, Function)] = &[
    ("parse", 2, revive::parse),
    ("stringify", 3, stringify::stringify),
];

/// Puts the functions in place of the engine's. What this version of Node lacks goes.
pub fn install(context: &mut Context) -> JsResult<()> {
    let json = context.global_object().get(js_string!("JSON"), context)?;
    let Some(json) = json.as_object() else {
        return Ok(());
    };
    for name in ["rawJSON", "isRawJSON"] {
        json.delete_property_or_throw(JsString::from(name), context)?;
    }
    for (name, length, function) in FUNCTIONS {
        let function = NativeFunction::from_fn_ptr(*function);
        let function = boa_engine::object::FunctionObjectBuilder::new(context.realm(), function)
            .name(JsString::from(*name))
            .length(*length)
            .build();
        define(&json, name, function.into(), context)?;
    }
    Ok(())
}

/// Defines what is not listed, as the language's own functions are.
pub fn define(
    object: &JsObject,
    name: &str,
    value: JsObject,
    context: &mut Context,
) -> JsResult<()> {
    let attribute = Attribute::WRITABLE | Attribute::NON_ENUMERABLE | Attribute::CONFIGURABLE;
    let property = boa_engine::property::PropertyDescriptor::builder()
        .value(value)
        .writable(attribute.writable())
        .enumerable(attribute.enumerable())
        .configurable(attribute.configurable());
    object.define_property_or_throw(JsString::from(name), property, context)?;
    Ok(())
}
