//! ECMAScript modules: files, and the modules of Node.

use std::cell::RefCell;
use std::collections::HashMap;
use std::path::Path;
use std::rc::Rc;

use boa_engine::module::{ModuleLoader, Referrer};
use boa_engine::{Context, JsNativeError, JsResult, JsString, Module, Source, js_string};

use crate::host;

/// What runs before the program, in this order.
pub const PRELUDE: &[(&str, &str)] = &[
    ("node:inspect", include_str!("node/inspect.js")),
    ("node:buffer", include_str!("node/buffer.js")),
    ("node:process", include_str!("node/process.js")),
    ("node:fs", include_str!("node/fs.js")),
    ("node:library", include_str!("node/library.js")),
    ("node:modules", include_str!("node/modules.js")),
];

/// Loads each module once.
#[derive(Default)]
pub struct Loader {
    loaded: RefCell<HashMap<String, Module>>,
}

impl ModuleLoader for Loader {
    async fn load_imported_module(
        self: Rc<Self>,
        referrer: Referrer,
        specifier: JsString,
        context: &RefCell<&mut Context>,
    ) -> JsResult<Module> {
        let specifier = specifier.to_std_string_lossy();
        let folder = referrer
            .path()
            .and_then(Path::parent)
            .map(Path::to_path_buf);
        let folder = folder.unwrap_or_else(|| Path::new(&host::absolute(".")).to_path_buf());
        let context = &mut **context.borrow_mut();
        let name = resolve(&specifier, &folder);
        if let Some(module) = self.loaded.borrow().get(&name) {
            return Ok(module.clone());
        }
        let text = if name.ends_with(".mjs") {
            host::read_text(&name)?
        } else {
            bridge(&name, &specifier, context)?
        };
        let module = Module::parse(
            Source::from_bytes(&text).with_path(Path::new(&name)),
            None,
            context,
        )?;
        self.loaded.borrow_mut().insert(name, module.clone());
        Ok(module)
    }
}

fn resolve(specifier: &str, folder: &Path) -> String {
    let specifier = specifier.strip_prefix("file://").unwrap_or(specifier);
    if !specifier.starts_with(['.', '/']) {
        return specifier.to_owned();
    }
    host::absolute(&folder.join(specifier).to_string_lossy())
}

/// A module that exports what `require` gives; a `.js` file that says `export` stays as it is.
fn bridge(name: &str, specifier: &str, context: &mut Context) -> JsResult<String> {
    if name.ends_with(".js")
        && let Ok(text) = host::read_text(name)
        && text
            .lines()
            .any(|line| line.starts_with("export ") || line.starts_with("import "))
    {
        return Ok(text);
    }
    let names = context
        .global_object()
        .get(js_string!("__exports"), context)?;
    let Some(names) = names.as_callable() else {
        return Err(JsNativeError::error()
            .with_message(format!("Cannot find module '{specifier}'"))
            .into());
    };
    let argument = JsString::from(name);
    let list = names.call(
        &boa_engine::JsValue::undefined(),
        &[argument.into()],
        context,
    )?;
    let mut text = format!("const m = __require({name:?}); export default m;\n");
    for name in list
        .to_string(context)?
        .to_std_string_lossy()
        .split(',')
        .filter(|name| !name.is_empty())
    {
        text.push_str(&format!("export const {name} = m.{name};\n"));
    }
    Ok(text)
}
