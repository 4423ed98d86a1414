//! `JSON.stringify`.

use std::collections::HashSet;
use std::fmt::Write as _;

use boa_engine::object::builtins::JsProxy;
use boa_engine::value::IntegerOrInfinity;
use boa_engine::{
    Context, JsArgs, JsBigInt, JsNativeError, JsObject, JsResult, JsString, JsValue, js_string,
};

use super::revive::listed;

/// Levels that a message about a circle shows at its beginning.
const SHOWN: usize = 3;

/// `stringify(value, replacer, space)`
pub fn stringify(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let value = arguments.get_or_undefined(0).clone();
    let replacer = arguments.get_or_undefined(1);
    let function = replacer.as_callable();
    let allowed = match replacer.as_object() {
        Some(list) if function.is_none() && is_array(&list, context)? => {
            Some(names(&list, context)?)
        }
        _ => None,
    };
    let gap = gap(arguments.get_or_undefined(2).clone(), context)?;
    let mut writer = Writer {
        gap,
        function,
        allowed,
        ..Writer::default()
    };
    let holder = match &writer.function {
        Some(_) => {
            let holder = JsObject::with_object_proto(context.intrinsics());
            holder.create_data_property_or_throw(js_string!(), value.clone(), context)?;
            Some(holder)
        }
        None => None,
    };
    if !writer.write(holder.as_ref(), &js_string!(), value, context)? {
        return Ok(JsValue::undefined());
    }
    while writer.step(context)? {}
    Ok(JsString::from(writer.out.as_str()).into())
}

/// An array or an object that is being written.
struct Level {
    object: JsObject,
    /// Its name within the level around it.
    name: JsString,
    is_array: bool,
    /// The names of its properties; those of an array are counted.
    names: Vec<JsString>,
    length: usize,
    next: usize,
    is_empty: bool,
}

#[derive(Default)]
struct Writer {
    out: String,
    gap: String,
    function: Option<JsObject>,
    /// The only names that are written.
    allowed: Option<Vec<JsString>>,
    levels: Vec<Level>,
    /// The objects of the levels.
    within: HashSet<JsObject>,
}

impl Writer {
    /// Goes on with the innermost level; false where there is none.
    fn step(&mut self, context: &mut Context) -> JsResult<bool> {
        let Some(level) = self.levels.last_mut() else {
            return Ok(false);
        };
        if level.next == level.length {
            self.leave();
            return Ok(true);
        }
        let index = level.next;
        level.next += 1;
        let (object, is_array) = (level.object.clone(), level.is_array);
        let name = match level.names.get(index) {
            Some(name) => name.clone(),
            None => JsString::from(index.to_string()),
        };
        let value = match is_array {
            true => object.get(index, context)?,
            false => object.get(name.clone(), context)?,
        };
        // What comes before a value is taken back where there is none.
        let (before, was_empty) = (self.out.len(), self.begin_entry());
        if !is_array {
            quote(&mut self.out, &name);
            self.out.push(':');
            if !self.gap.is_empty() {
                self.out.push(' ');
            }
        }
        if !self.write(Some(&object), &name, value, context)? {
            if is_array {
                self.out.push_str("null");
            } else {
                self.out.truncate(before);
                if let Some(level) = self.levels.last_mut() {
                    level.is_empty = was_empty;
                }
            }
        }
        Ok(true)
    }

    /// Separates an entry from the one before; whether there was none.
    fn begin_entry(&mut self) -> bool {
        let was_empty = self
            .levels
            .last_mut()
            .is_none_or(|level| std::mem::replace(&mut level.is_empty, false));
        if !was_empty {
            self.out.push(',');
        }
        self.line(self.levels.len());
        was_empty
    }

    fn line(&mut self, depth: usize) {
        if !self.gap.is_empty() {
            self.out.push('\n');
            for _ in 0..depth {
                self.out.push_str(&self.gap);
            }
        }
    }

    fn leave(&mut self) {
        if let Some(level) = self.levels.pop() {
            self.within.remove(&level.object);
            if !level.is_empty {
                self.line(self.levels.len());
            }
            self.out.push(if level.is_array { ']' } else { '}' });
        }
    }

    /// Writes a value, or enters it; false where it has no text.
    fn write(
        &mut self,
        holder: Option<&JsObject>,
        name: &JsString,
        value: JsValue,
        context: &mut Context,
    ) -> JsResult<bool> {
        let value = self.replaced(holder, name, value, context)?;
        if let Some(text) = value.as_string() {
            quote(&mut self.out, &text);
        } else if value.is_null() {
            self.out.push_str("null");
        } else if let Some(is) = value.as_boolean() {
            self.out.push_str(if is { "true" } else { "false" });
        } else if let Some(number) = value.as_number() {
            if number.is_finite() {
                self.out
                    .push_str(&value.to_string(context)?.to_std_string_lossy());
            } else {
                self.out.push_str("null");
            }
        } else if value.is_bigint() {
            let message = "Do not know how to serialize a BigInt";
            return Err(JsNativeError::typ().with_message(message).into());
        } else if let Some(object) = value.as_object() {
            if object.is_callable() {
                return Ok(false);
            }
            self.enter(object, name.clone(), context)?;
        } else {
            return Ok(false);
        }
        Ok(true)
    }

    /// What stands for a value: its `toJSON`, what the program's function gives, and what is in a box.
    fn replaced(
        &self,
        holder: Option<&JsObject>,
        name: &JsString,
        mut value: JsValue,
        context: &mut Context,
    ) -> JsResult<JsValue> {
        if value.is_object() || value.is_bigint() {
            let object = value.to_object(context)?;
            let own = match value.is_object() {
                true => object.get(js_string!("toJSON"), context)?,
                false => context
                    .intrinsics()
                    .constructors()
                    .bigint()
                    .prototype()
                    .get(js_string!("toJSON"), context)?,
            };
            if let Some(own) = own.as_callable() {
                value = own.call(&value, &[name.clone().into()], context)?;
            }
        }
        if let (Some(function), Some(holder)) = (&self.function, holder) {
            let given = [name.clone().into(), value];
            value = function.call(&holder.clone().into(), &given, context)?;
        }
        let Some(object) = value.as_object() else {
            return Ok(value);
        };
        if object.is::<f64>() {
            return Ok(value.to_number(context)?.into());
        }
        if object.is::<JsString>() {
            return Ok(value.to_string(context)?.into());
        }
        if let Some(is) = object.downcast_ref::<bool>() {
            return Ok((*is).into());
        }
        if let Some(number) = object.downcast_ref::<JsBigInt>() {
            return Ok(number.clone().into());
        }
        Ok(value)
    }

    fn enter(&mut self, object: JsObject, name: JsString, context: &mut Context) -> JsResult<()> {
        if !self.within.insert(object.clone()) {
            return self.refuse_circle(&object, &name, context);
        }
        let is_array = is_array(&object, context)?;
        let (names, length) = if is_array {
            let length = object
                .get(js_string!("length"), context)?
                .to_length(context)?;
            (Vec::new(), length as usize)
        } else {
            let names = match &self.allowed {
                Some(allowed) => allowed.clone(),
                None => listed(&object, context)?,
            };
            let length = names.len();
            (names, length)
        };
        self.out.push(if is_array { '[' } else { '{' });
        self.levels.push(Level {
            object,
            name,
            is_array,
            names,
            length,
            next: 0,
            is_empty: true,
        });
        Ok(())
    }

    /// An object is within itself: the error says by which way.
    fn refuse_circle(
        &self,
        object: &JsObject,
        name: &JsString,
        context: &mut Context,
    ) -> JsResult<()> {
        let first = self.levels.iter().position(|level| level.object == *object);
        let levels = self
            .levels
            .get(first.unwrap_or_default()..)
            .unwrap_or_default();
        let mut text = String::from("Converting circular structure to JSON\n    --> starting at ");
        let key = |index: usize, name: &JsString| {
            let around = levels
                .get(index.wrapping_sub(1))
                .is_some_and(|level| level.is_array);
            let name = name.to_std_string_lossy();
            if around {
                format!("index {name}")
            } else {
                format!("property '{name}'")
            }
        };
        for (index, level) in levels.iter().enumerate() {
            // The first ones and the last.
            if index >= SHOWN && index + 1 < levels.len() {
                if index == SHOWN {
                    text.push_str("\n    |     ...");
                }
                continue;
            }
            if index > 0 {
                // Writing to a text cannot fail.
                let _ = write!(text, "\n    |     {} -> ", key(index, &level.name));
            }
            let made = level.object.get(js_string!("constructor"), context)?;
            let made = match made.as_object() {
                Some(made) => made.get(js_string!("name"), context)?.to_string(context)?,
                None => js_string!("Object"),
            };
            let _ = write!(
                text,
                "object with constructor '{}'",
                made.to_std_string_lossy()
            );
        }
        let _ = write!(
            text,
            "\n    --- {} closes the circle",
            key(levels.len(), name)
        );
        Err(JsNativeError::typ().with_message(text).into())
    }
}

/// Whether an object is an array, or stands for one.
fn is_array(object: &JsObject, context: &mut Context) -> JsResult<bool> {
    if object.is_array() || JsProxy::from_object(object.clone()).is_err() {
        return Ok(object.is_array());
    }
    let array = context.intrinsics().constructors().array().constructor();
    let asked = array.get(js_string!("isArray"), context)?;
    match asked.as_callable() {
        Some(asked) => Ok(asked
            .call(&array.into(), &[object.clone().into()], context)?
            .to_boolean()),
        None => Ok(false),
    }
}

/// The names in a list, each once.
fn names(list: &JsObject, context: &mut Context) -> JsResult<Vec<JsString>> {
    let length = list
        .get(js_string!("length"), context)?
        .to_length(context)?;
    let (mut names, mut known) = (Vec::new(), HashSet::new());
    for index in 0..length {
        let item = list.get(index, context)?;
        let is_boxed = item
            .as_object()
            .is_some_and(|object| object.is::<f64>() || object.is::<JsString>());
        if item.is_string() || item.is_number() || is_boxed {
            let name = item.to_string(context)?;
            if known.insert(name.clone()) {
                names.push(name);
            }
        }
    }
    Ok(names)
}

/// What each level is indented by.
fn gap(space: JsValue, context: &mut Context) -> JsResult<String> {
    let object = space.as_object();
    let is_boxed = |is: fn(&JsObject) -> bool| object.as_ref().is_some_and(is);
    if space.is_number() || is_boxed(|object| object.is::<f64>()) {
        let number = space.to_number(context)?;
        let count = match JsValue::from(number).to_integer_or_infinity(context)? {
            IntegerOrInfinity::Integer(count) => count.clamp(0, 10) as usize,
            IntegerOrInfinity::PositiveInfinity => 10,
            IntegerOrInfinity::NegativeInfinity => 0,
        };
        return Ok(" ".repeat(count));
    }
    if space.is_string() || is_boxed(|object| object.is::<JsString>()) {
        let text = space.to_string(context)?.to_std_string_lossy();
        return Ok(text.chars().take(10).collect());
    }
    Ok(String::new())
}

/// Writes a text in quotes.
fn quote(out: &mut String, text: &JsString) {
    out.push('"');
    for part in char::decode_utf16(text.iter()) {
        match part {
            Ok('"') => out.push_str("\\\""),
            Ok('\\') => out.push_str("\\\\"),
            Ok('\u{8}') => out.push_str("\\b"),
            Ok('\u{c}') => out.push_str("\\f"),
            Ok('\n') => out.push_str("\\n"),
            Ok('\r') => out.push_str("\\r"),
            Ok('\t') => out.push_str("\\t"),
            Ok(letter) if letter < ' ' => escape(out, letter as u16),
            Ok(letter) => out.push(letter),
            Err(half) => escape(out, half.unpaired_surrogate()),
        }
    }
    out.push('"');
}

fn escape(out: &mut String, unit: u16) {
    // Writing to a text cannot fail.
    let _ = write!(out, "\\u{unit:04x}");
}
