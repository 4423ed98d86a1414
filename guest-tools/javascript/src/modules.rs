//! ECMAScript modules, and the parts of Node, each of which is evaluated when it is first asked for.

use std::cell::RefCell;
use std::collections::{BTreeMap, HashMap, HashSet};
use std::path::Path;
use std::rc::Rc;

use boa_engine::builtins::promise::PromiseState;
use boa_engine::module::{ModuleLoader, ModuleRequest, Referrer};
use boa_engine::object::JsObject;
use boa_engine::object::builtins::{JsFunction, JsPromise};
use boa_engine::property::PropertyKey;
use boa_engine::{
    Context, JsError, JsNativeError, JsResult, JsString, JsValue, Module, NativeFunction, Script,
    Source,
};

use crate::host::{self, Function, text};
use crate::rejections::Jobs;

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
    "_locale" => "locale",
    "_messages" => "messages",
    "_resolve" => "resolve",
    "_stdio" => "stdio",
    "assert" => "assert",
    "async_hooks" => "async_hooks",
    "buffer" => "buffer",
    "child_process" => "child_process",
    "crypto" => "crypto",
    "dns" => "dns",
    "events" => "events",
    "fetch" => "fetch",
    "fs" => "fs",
    "http" => "http",
    "net" => "net",
    "os" => "os",
    "path" => "path",
    "punycode" => "punycode",
    "querystring" => "querystring",
    "readline" => "readline",
    "stream" => "stream",
    "string_decoder" => "string_decoder",
    "_test" => "test",
    "_test_files" => "test_files",
    "_webstreams" => "webstreams",
    "tls" => "tls",
    "url" => "url",
    "util" => "util",
    "v8" => "v8",
    "vm" => "vm",
    "zlib" => "zlib",
}

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("compile", compile),
    ("parse", parse),
    ("builtin", builtin),
    ("requireModule", require_module),
    ("evaluated", evaluated),
];

/// `compile(text, path)`: the value of a script.
fn compile(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (source, path) = (text(arguments, 0, context)?, text(arguments, 1, context)?);
    evaluate(&source, &path, context)
}

/// `parse(text, path)`: fails where a text is no script.
fn parse(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (source, path) = (text(arguments, 0, context)?, text(arguments, 1, context)?);
    let source = Source::from_bytes(&source).with_path(Path::new(&path));
    Script::parse(source, None, context)?;
    Ok(JsValue::undefined())
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
    match COMPILED.with_borrow_mut(|compiled| compiled.remove(name)) {
        Some(made) => Ok(made),
        None => wrapped(name, source, context),
    }
}

/// The function that makes a module.
fn wrapped(name: &str, source: &str, context: &mut Context) -> JsResult<JsValue> {
    let source = format!("(function (module, exports, require, host) {{'use strict';{source}\n}})");
    evaluate(&source, &format!("node:{name}"), context)
}

thread_local! {
    /// The functions of modules that nobody has asked for yet.
    static COMPILED: RefCell<BTreeMap<&'static str, JsValue>> = const { RefCell::new(BTreeMap::new()) };
}

/// Compiles all modules, so that those that are asked for only have to run.
#[cfg(target_os = "wasi")]
pub fn compile_all(context: &mut Context) -> JsResult<()> {
    for (name, source) in LIBRARY {
        let made = wrapped(name, source, context)?;
        COMPILED.with_borrow_mut(|compiled| compiled.insert(name, made));
    }
    Ok(())
}

/// `requireModule(path)`: what an ECMAScript module exports, as `require` gives it.
fn require_module(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = text(arguments, 0, context)?;
    let refuse = |code: &'static str| Err(JsNativeError::error().with_message(code).into());
    let loader = context.downcast_module_loader::<Loader>();
    let jobs = context.downcast_job_executor::<Jobs>();
    let (Some(loader), Some(jobs)) = (loader, jobs) else {
        return refuse("ERR_INTERNAL_ASSERTION");
    };
    let others = UNSETTLED.with_borrow(Clone::clone);
    if others.contains(&path) {
        return refuse("ERR_REQUIRE_CYCLE_MODULE");
    }
    let before = loader.required_within.replace(Some(others.clone()));
    let load = |context: &mut Context| -> JsResult<(Module, JsPromise)> {
        let module = loader.load(&path, None, context)?;
        let loaded = module.load(context);
        // Somebody listens to it.
        loaded.catch(nothing(context), context)?;
        Ok((module, loaded))
    };
    let loaded = jobs.apart(context, load).flatten();
    loader.required_within.replace(before);
    let evaluated = loaded.and_then(|(module, loaded)| {
        settled(&loaded)?;
        module.link(context)?;
        let evaluated = module.evaluate(context)?;
        evaluated.catch(nothing(context), context)?;
        settled(&evaluated)?;
        Ok(module.namespace(context).into())
    });
    // Nothing of what it brought along is under way any more.
    UNSETTLED.set(others);
    evaluated
}

/// Fails as a promise did, or where it is not there yet.
fn settled(promise: &JsPromise) -> JsResult<()> {
    match promise.state() {
        PromiseState::Fulfilled(_) => Ok(()),
        PromiseState::Rejected(error) => Err(JsError::from_opaque(error)),
        PromiseState::Pending => Err(JsNativeError::error()
            .with_message("ERR_REQUIRE_ASYNC_MODULE")
            .into()),
    }
}

fn nothing(context: &mut Context) -> JsFunction {
    NativeFunction::from_fn_ptr(|_, _, _| Ok(JsValue::undefined())).to_js_function(context.realm())
}

thread_local! {
    /// Modules that were loaded and may not have been evaluated yet, or may be under way: `require` cannot go into
    /// these.
    static UNSETTLED: RefCell<HashSet<String>> = RefCell::default();
}

/// Nothing runs: what was loaded was evaluated, or waits for what is not there yet.
pub fn settle() {
    UNSETTLED.with_borrow_mut(HashSet::clear);
}

/// `evaluated(path)`: the last that a module does.
fn evaluated(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = text(arguments, 0, context)?;
    UNSETTLED.with_borrow_mut(|unsettled| unsettled.remove(&path));
    Ok(JsValue::undefined())
}

/// Loads each module once.
#[derive(Default)]
pub struct Loader {
    loaded: RefCell<HashMap<String, Module>>,
    /// While `require` loads a module: those that were unsettled before.
    required_within: RefCell<Option<HashSet<String>>>,
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
        // Its own lines keep their numbers.
        let text = format!("{text}\n;__evaluated({path:?});");
        let source = Source::from_bytes(&text).with_path(Path::new(path));
        let module = Module::parse(source, None, context)?;
        self.loaded
            .borrow_mut()
            .insert(path.to_owned(), module.clone());
        UNSETTLED.with_borrow_mut(|unsettled| unsettled.insert(path.to_owned()));
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
        let within = self.required_within.borrow();
        if within.as_ref().is_some_and(|others| others.contains(path)) {
            return Err(JsNativeError::error()
                .with_message("ERR_REQUIRE_CYCLE_MODULE")
                .into());
        }
        drop(within);
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
        request: ModuleRequest,
        context: &RefCell<&mut Context>,
    ) -> JsResult<Module> {
        let from = referrer
            .path()
            .map(|path| path.to_string_lossy().into_owned());
        let from = host::absolute(&from.unwrap_or_else(|| "[eval]".to_owned()));
        let context = &mut **context.borrow_mut();
        self.import(&from, request.specifier().clone(), context)
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
