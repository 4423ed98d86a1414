//! ECMAScript modules, and the parts of Node, each of which is evaluated when it is first asked for.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use boa_engine::module::{ModuleLoader, Referrer};
use boa_engine::object::JsObject;
use boa_engine::property::PropertyKey;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, Module, Script, Source};

use crate::host::{self, Function, text};

/// What runs before every program, in this order.
pub const PRELUDE: &[(&str, &str)] = &[
    ("node:compile", include_str!("node/compile.js")),
    ("node:inspect", include_str!("node/inspect.js")),
    ("node:loop", include_str!("node/loop.js")),
    ("node:process", include_str!("node/process.js")),
    ("node:console", include_str!("node/console.js")),
    ("node:modules", include_str!("node/modules.js")),
];

macro_rules! library {
    ($($name:literal => $file:literal),* $(,)?) => {
        /// The modules by name; those that begin with `_` are of ours.
        const LIBRARY: &[(&str, &str)] = &[$(($name, include_str!(concat!("node/", $file, ".js")))),*];
    };
}

library! {
    "_abort" => "abort",
    "_cells" => "cells",
    "_clone" => "clone",
    "_curl" => "curl",
    "_equal" => "equal",
    "_globals" => "globals",
    "_resolve" => "resolve",
    "_stdio" => "stdio",
    "assert" => "assert",
    "async_hooks" => "async_hooks",
    "buffer" => "buffer",
    "child_process" => "child_process",
    "crypto" => "crypto",
    "events" => "events",
    "fetch" => "fetch",
    "fs" => "fs",
    "http" => "http",
    "net" => "net",
    "os" => "os",
    "path" => "path",
    "querystring" => "querystring",
    "readline" => "readline",
    "stream" => "stream",
    "string_decoder" => "string_decoder",
    "url" => "url",
    "util" => "util",
    "zlib" => "zlib",
}

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[("compile", compile), ("builtin", builtin)];

/// `compile(text, path)`: the value of a script.
fn compile(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (source, path) = (text(arguments, 0, context)?, text(arguments, 1, context)?);
    evaluate(&source, &path, context)
}

/// Runs a script of this path.
pub fn evaluate(source: &str, path: &str, context: &mut Context) -> JsResult<JsValue> {
    let source = Source::from_bytes(source).with_path(Path::new(path));
    Script::parse(source, None, context)?.evaluate(context)
}

/// `builtin(name)`: the function that makes a module of Node; undefined where there is none.
fn builtin(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = text(arguments, 0, context)?;
    let Some((name, source)) = LIBRARY.iter().find(|(known, _)| **known == *name) else {
        return Ok(JsValue::undefined());
    };
    let source = format!("(function (module, exports, require, host) {{'use strict';{source}\n}})");
    evaluate(&source, &format!("node:{name}"), context)
}

/// Loads each module once.
#[derive(Default)]
pub struct Loader {
    loaded: RefCell<HashMap<String, Module>>,
}

impl Loader {
    /// The module of a file; `text` where that is not what the file has.
    pub fn load(&self, path: &str, text: Option<&str>, context: &mut Context) -> JsResult<Module> {
        if let Some(module) = self.loaded.borrow().get(path) {
            return Ok(module.clone());
        }
        let text = match text {
            Some(text) => text.to_owned(),
            None => host::read_text(path)?,
        };
        self.keep(path, &text, context)
    }

    fn keep(&self, path: &str, text: &str, context: &mut Context) -> JsResult<Module> {
        // The first line may say what runs the file.
        let text = match text.strip_prefix("#!") {
            Some(rest) => format!("//{rest}"),
            None => text.to_owned(),
        };
        let source = Source::from_bytes(&text).with_path(Path::new(path));
        let module = Module::parse(source, None, context)?;
        self.loaded
            .borrow_mut()
            .insert(path.to_owned(), module.clone());
        Ok(module)
    }
}

/// Calls one of the functions that the prelude left.
pub fn call(name: &str, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let key = PropertyKey::from(JsString::from(name));
    let function = context.global_object().get(key, context)?;
    let Some(function) = function.as_callable() else {
        return Err(JsNativeError::error()
            .with_message(format!("{name} is missing"))
            .into());
    };
    function.call(&JsValue::undefined(), arguments, context)
}

impl Loader {
    fn import(&self, from: &str, specifier: JsString, context: &mut Context) -> JsResult<Module> {
        let given = [specifier.into(), JsString::from(from).into()];
        let found = call("__importing", &given, context)?;
        let found = found.to_string(context)?.to_std_string_lossy();
        // The format, and the file or the name.
        let (format, path) = found.split_once(' ').unwrap_or(("builtin", &found));
        if format == "module" {
            return self.load(path, None, context);
        }
        if let Some(module) = self.loaded.borrow().get(path) {
            return Ok(module.clone());
        }
        let text = bridge(path, context)?;
        self.keep(path, &text, context)
    }
}

impl ModuleLoader for Loader {
    async fn load_imported_module(
        self: Rc<Self>,
        referrer: Referrer,
        specifier: JsString,
        context: &RefCell<&mut Context>,
    ) -> JsResult<Module> {
        let from = referrer
            .path()
            .map(|path| path.to_string_lossy().into_owned());
        let from = host::absolute(&from.unwrap_or_else(|| "[eval]".to_owned()));
        let context = &mut **context.borrow_mut();
        self.import(&from, specifier, context)
    }

    fn init_import_meta(self: Rc<Self>, meta: &JsObject, module: &Module, context: &mut Context) {
        let Some(path) = module.path() else { return };
        let path = JsString::from(path.to_string_lossy().as_ref());
        // Where it cannot be told, it is not.
        let _ = call("__meta", &[meta.clone().into(), path.into()], context);
    }
}

/// A module that exports what `require` gives.
fn bridge(path: &str, context: &mut Context) -> JsResult<String> {
    let name = JsString::from(path);
    let list = call("__exports", &[name.into()], context)?;
    let mut text = format!("const m = __require({path:?}); export default m;\n");
    let list = list.to_string(context)?.to_std_string_lossy();
    for (index, name) in list.split(',').filter(|name| !name.is_empty()).enumerate() {
        text.push_str(&format!(
            "const e{index} = m.{name}; export {{ e{index} as {name} }};\n"
        ));
    }
    Ok(text)
}
