//! Globals of their own, for `vm`: what an object has is put among them before a script runs, and what they are then is
//! put back.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;

use boa_engine::property::PropertyKey;
use boa_engine::realm::Realm;
use boa_engine::{Context, JsNativeError, JsObject, JsResult, JsValue, Script, Source};

use crate::host::{Function, number, text};
use crate::{date, json};

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[("createRealm", create), ("runInRealm", run)];

thread_local! {
    static REALMS: RefCell<Vec<Known>> = const { RefCell::new(Vec::new()) };
}

#[derive(Clone)]
struct Known {
    realm: Realm,
    /// What the language itself has there.
    own: HashMap<PropertyKey, JsValue>,
}

/// `createRealm()`: its number.
fn create(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let realm = context.create_realm()?;
    let before = context.enter_realm(realm.clone());
    let prepared = prepare(context);
    context.enter_realm(before);
    let own = prepared?;
    let number = REALMS.with_borrow_mut(|realms| {
        realms.push(Known { realm, own });
        realms.len() - 1
    });
    Ok((number as f64).into())
}

fn prepare(context: &mut Context) -> JsResult<HashMap<PropertyKey, JsValue>> {
    json::install(context)?;
    date::install(context)?;
    globals(&context.global_object(), context)
}

fn globals(global: &JsObject, context: &mut Context) -> JsResult<HashMap<PropertyKey, JsValue>> {
    let keys = global.own_property_keys(context)?;
    let mut found = HashMap::new();
    for key in keys {
        let value = global.get(key.clone(), context)?;
        found.insert(key, value);
    }
    Ok(found)
}

/// `runInRealm(number, code, path, object)`: the value of a script.
fn run(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let index = number(arguments, 0, context)? as usize;
    let (code, path) = (text(arguments, 1, context)?, text(arguments, 2, context)?);
    let known = REALMS.with_borrow(|realms| realms.get(index).cloned());
    let object = arguments.get(3).and_then(JsValue::as_object);
    let (Some(known), Some(object)) = (known, object) else {
        return Err(JsNativeError::typ().with_message("no such context").into());
    };
    let before = context.enter_realm(known.realm.clone());
    let outcome = run_within(&known, &object, &code, &path, context);
    context.enter_realm(before);
    outcome
}

fn run_within(
    known: &Known,
    object: &JsObject,
    code: &str,
    path: &str,
    context: &mut Context,
) -> JsResult<JsValue> {
    let global = context.global_object();
    let given = object.own_property_keys(context)?;
    for key in &given {
        let value = object.get(key.clone(), context)?;
        global.set(key.clone(), value, false, context)?;
    }
    let source = Source::from_bytes(code).with_path(Path::new(path));
    let outcome = Script::parse(source, None, context).and_then(|script| script.evaluate(context));
    for key in given {
        if !global.has_own_property(key.clone(), context)? {
            object.delete_property_or_throw(key, context)?;
        }
    }
    for (key, value) in globals(&global, context)? {
        let is_own = known
            .own
            .get(&key)
            .is_some_and(|own| JsValue::same_value(own, &value));
        if !is_own {
            object.set(key, value, false, context)?;
        }
    }
    outcome
}
