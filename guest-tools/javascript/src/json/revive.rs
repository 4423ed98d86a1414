//! `JSON.parse`, with a function that sees each value on the way out.

use boa_engine::object::builtins::JsArray;
use boa_engine::property::PropertyKey;
use boa_engine::string::JsStrVariant;
use boa_engine::{Context, JsArgs, JsObject, JsResult, JsString, JsValue, js_string};

use super::parse;

/// `parse(text, reviver)`
pub fn parse(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = arguments.get_or_undefined(0).to_string(context)?;
    let value = match text.as_str().variant() {
        JsStrVariant::Latin1(units) => parse::value(units, context)?,
        JsStrVariant::Utf16(units) => parse::value(units, context)?,
    };
    match arguments.get_or_undefined(1).as_callable() {
        Some(reviver) => revived(value, &reviver, context),
        None => Ok(value),
    }
}

/// An object whose properties are gone through.
struct Level {
    /// Where it stands.
    holder: JsObject,
    name: JsString,
    object: JsObject,
    keys: std::vec::IntoIter<JsString>,
}

/// What a value becomes where `reviver` sees all that is in it, the innermost first.
fn revived(value: JsValue, reviver: &JsObject, context: &mut Context) -> JsResult<JsValue> {
    let root = JsObject::with_object_proto(context.intrinsics());
    root.create_data_property_or_throw(js_string!(), value, context)?;
    let mut levels: Vec<Level> = Vec::new();
    let (mut holder, mut name) = (root, js_string!());
    loop {
        let value = holder.get(name.clone(), context)?;
        if let Some(object) = value.as_object() {
            let keys = names(&object, context)?.into_iter();
            levels.push(Level {
                holder,
                name,
                object,
                keys,
            });
        } else {
            let made = reviver.call(
                &holder.clone().into(),
                &[name.clone().into(), value],
                context,
            )?;
            if levels.is_empty() {
                return Ok(made);
            }
            replace(&holder, name, made, context)?;
        }
        // Whatever is complete is seen; the next property is of the first level that has one.
        loop {
            let Some(level) = levels.last_mut() else {
                return Ok(JsValue::undefined());
            };
            if let Some(next) = level.keys.next() {
                (holder, name) = (level.object.clone(), next);
                break;
            }
            let Some(Level {
                holder,
                name,
                object,
                ..
            }) = levels.pop()
            else {
                return Ok(JsValue::undefined());
            };
            let made = reviver.call(
                &holder.clone().into(),
                &[name.clone().into(), object.into()],
                context,
            )?;
            if levels.is_empty() {
                return Ok(made);
            }
            replace(&holder, name, made, context)?;
        }
    }
}

fn replace(
    holder: &JsObject,
    name: JsString,
    value: JsValue,
    context: &mut Context,
) -> JsResult<()> {
    if value.is_undefined() {
        // What cannot be deleted stays, as in the language.
        let _ = holder.delete_property_or_throw(name, context);
    } else {
        holder.create_data_property(name, value, context)?;
    }
    Ok(())
}

/// The indices of an array, the names of another object.
fn names(object: &JsObject, context: &mut Context) -> JsResult<Vec<JsString>> {
    if object.is_array() {
        let length = JsArray::from_object(object.clone())?.length(context)?;
        return Ok((0..length)
            .map(|index| JsString::from(index.to_string()))
            .collect());
    }
    listed(object, context)
}

/// The names of an object's own properties that are listed.
pub fn listed(object: &JsObject, context: &mut Context) -> JsResult<Vec<JsString>> {
    let keys = object.own_property_keys(context)?;
    let mut names = Vec::with_capacity(keys.len());
    for key in keys {
        let name = match &key {
            PropertyKey::String(name) => name.clone(),
            PropertyKey::Index(index) => JsString::from(index.get().to_string()),
            PropertyKey::Symbol(_) => continue,
        };
        let own = object.borrow().properties().get(&key);
        // What keeps its properties elsewhere is asked.
        let is_listed = match own {
            Some(own) => own.enumerable() == Some(true),
            None => is_enumerable(object, &name, context)?,
        };
        if is_listed {
            names.push(name);
        }
    }
    Ok(names)
}

fn is_enumerable(object: &JsObject, name: &JsString, context: &mut Context) -> JsResult<bool> {
    let prototype = context.intrinsics().constructors().object().prototype();
    let asked = prototype.get(js_string!("propertyIsEnumerable"), context)?;
    let Some(asked) = asked.as_callable() else {
        return Ok(true);
    };
    let is = asked.call(&object.clone().into(), &[name.clone().into()], context)?;
    Ok(is.to_boolean())
}
