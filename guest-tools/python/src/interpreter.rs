//! Sets the interpreter up and runs the program.

use std::io::{Read as _, Write as _};

use rustpython_vm::builtins::PyBaseExceptionRef;
use rustpython_vm::common::rc::PyRc;
use rustpython_vm::compiler::Mode;
use rustpython_vm::frozen::FrozenModule;
use rustpython_vm::scope::Scope;
use rustpython_vm::{
    AsObject as _, InterpreterBuilder, PyResult, Settings, VirtualMachine, py_freeze,
};

use crate::arguments::{Call, Program};
use crate::{depth, module};

/// Runs the program; the status to exit with.
pub fn run(call: &Call) -> i32 {
    let source = match &call.program {
        Program::Input => match read_input() {
            Ok(source) => source,
            Err(status) => return status,
        },
        _ => String::new(),
    };
    let builder = InterpreterBuilder::new().settings(settings(call));
    let modules = rustpython_stdlib::stdlib_module_defs(&builder.ctx);
    let own = module::module_def(&builder.ctx);
    let executable = match call.name.contains('/') {
        true => call.name.clone(),
        false => format!("/usr/bin/{}", call.name),
    };
    let interpreter = builder
        .add_native_modules(&modules)
        .add_native_module(own)
        .add_frozen_modules(standard_library())
        .add_frozen_modules(py_freeze!(dir = "../library"))
        .init_hook(move |vm| {
            // Nobody else holds the state before the interpreter runs.
            if let Some(state) = PyRc::get_mut(&mut vm.state) {
                state.config.paths.executable = executable.clone();
                state.config.paths.base_executable = executable;
            }
        })
        .interpreter();
    let status = interpreter.run(|vm| {
        let failed = |error| report(error, vm);
        execute(call, &source, vm).map_err(failed)
    });
    // As the system cuts the status of a process.
    (status & 0xff) as i32
}

/// The standard library, with another name for what `library` replaces and builds upon.
fn standard_library() -> impl Iterator<Item = (&'static str, FrozenModule)> {
    let modules = rustpython_pylib::FROZEN_STDLIB.into_iter();
    modules.map(|(name, module)| match name {
        "pickle" => ("_frozen_pickle", module),
        "subprocess" => ("_subprocess", module),
        "json.encoder" => ("_json_encoder", module),
        "json.scanner" => ("_json_scanner", module),
        "asyncio.selector_events" => ("_asyncio_selector_events", module),
        _ => (name, module),
    })
}

/// The program on standard input.
fn read_input() -> Result<String, i32> {
    let mut source = String::new();
    match std::io::stdin().read_to_string(&mut source) {
        Ok(_) => Ok(source),
        Err(error) => {
            // Nothing is left to tell where standard error is gone.
            let _ = writeln!(std::io::stderr(), "python3: standard input: {error}");
            Err(1)
        }
    }
}

/// What options and variables ask for.
fn settings(call: &Call) -> Settings {
    let mut settings = Settings::default();
    settings.isolated = call.has('I');
    settings.ignore_environment = settings.isolated || call.has('E');
    let variable = |name: &str| {
        let value = std::env::var(name).ok().filter(|value| !value.is_empty());
        value.filter(|_| !settings.ignore_environment)
    };
    let count = |letter, name| {
        let asked = variable(name).map_or(0, |value| value.parse().unwrap_or(1));
        call.count(letter).max(asked)
    };
    let flag = |letter, name| call.has(letter) || variable(name).is_some();
    let optimize = count('O', "PYTHONOPTIMIZE");
    let verbose = count('v', "PYTHONVERBOSE");
    let debug = count('d', "PYTHONDEBUG");
    let no_user = flag('s', "PYTHONNOUSERSITE");
    let no_bytecode = flag('B', "PYTHONDONTWRITEBYTECODE");
    let safe_path = flag('P', "PYTHONSAFEPATH");
    let unbuffered = flag('u', "PYTHONUNBUFFERED");
    let path = variable("PYTHONPATH");
    let encoding = variable("PYTHONIOENCODING");
    let warnings = variable("PYTHONWARNINGS");
    let seed = variable("PYTHONHASHSEED").and_then(|seed| seed.parse().ok());
    settings.bytes_warning = call.count('b').into();
    settings.optimize = optimize;
    settings.verbose = verbose;
    settings.debug = debug;
    settings.quiet = call.has('q');
    settings.import_site = !call.has('S');
    settings.user_site_directory = !settings.isolated && !no_user;
    settings.write_bytecode = !no_bytecode;
    settings.safe_path = settings.isolated || safe_path;
    settings.buffered_stdio = !unbuffered;
    settings.hash_seed = seed;
    settings.utf8_mode = 1;
    if let Some(path) = path {
        settings
            .path_list
            .extend(path.split(':').map(str::to_owned));
    }
    if let Some(encoding) = encoding {
        let (name, errors) = encoding.split_once(':').unwrap_or((&encoding, ""));
        settings.stdio_encoding = Some(name.to_owned()).filter(|name| !name.is_empty());
        settings.stdio_errors = Some(errors.to_owned()).filter(|errors| !errors.is_empty());
    }
    if let Some(warnings) = warnings {
        let each = warnings.split(',').map(str::to_owned);
        settings.warnoptions.extend(each);
    }
    settings.warnoptions.extend(call.warnings.iter().cloned());
    settings.xoptions = call
        .extra
        .iter()
        .map(|option| match option.split_once('=') {
            Some((name, value)) => (name.to_owned(), Some(value.to_owned())),
            None => (option.clone(), None),
        })
        .collect();
    settings.argv.clone_from(&call.argv);
    settings
}

/// Prints what nobody caught, before the output that is still buffered, as CPython does.
fn report(error: PyBaseExceptionRef, vm: &VirtualMachine) -> PyBaseExceptionRef {
    if error.fast_isinstance(vm.ctx.exceptions.system_exit) {
        return error;
    }
    vm.print_exception(&error);
    vm.new_system_exit(vec![vm.ctx.new_int(1).into()].into())
}

fn execute(call: &Call, source: &str, vm: &VirtualMachine) -> PyResult<()> {
    depth::install(vm);
    vm.import("_offshoot", 0)?;
    let scope = vm.new_scope_with_main()?;
    if !vm.state.config.settings.warnoptions.is_empty() {
        vm.import("warnings", 0)?;
    }
    if vm.state.config.settings.import_site {
        vm.import("site", 0)?;
    }
    match &call.program {
        Program::Code(code) => run_text(code, "<string>", scope, vm),
        Program::Input => run_text(skipped(call, source), "<stdin>", scope, vm),
        Program::Module(name) => {
            let folder = std::env::current_dir().unwrap_or_default();
            search_first(&folder.to_string_lossy(), vm)?;
            vm.run_module(name)
        }
        Program::File(file) => run_file(call, file, scope, vm),
    }
}

/// Makes a folder the first in which modules are looked for.
fn search_first(folder: &str, vm: &VirtualMachine) -> PyResult<()> {
    if vm.state.config.settings.safe_path {
        return Ok(());
    }
    vm.insert_sys_path(vm.ctx.new_str(folder).into())
}

fn run_text(text: &str, name: &str, scope: Scope, vm: &VirtualMachine) -> PyResult<()> {
    search_first("", vm)?;
    run_source(text, name, scope, vm)
}

fn run_source(text: &str, name: &str, scope: Scope, vm: &VirtualMachine) -> PyResult<()> {
    let code = vm
        .compile(text, Mode::Exec, name.to_owned())
        .map_err(|error| error.into_pyexception(vm, Some(text)))?;
    vm.run_code_obj(code, scope).map(drop)
}

/// The text as `-x` leaves it: line numbers stay.
fn skipped<'a>(call: &Call, text: &'a str) -> &'a str {
    match text.find('\n') {
        Some(end) if call.skip_line => &text[end..],
        _ => text,
    }
}

fn run_file(call: &Call, file: &str, scope: Scope, vm: &VirtualMachine) -> PyResult<()> {
    let path = std::path::absolute(file).unwrap_or_else(|_| file.into());
    let name = path.to_string_lossy();
    let found = match std::fs::metadata(&path) {
        Ok(found) => found,
        Err(error) => return cannot_open(&name, &error, vm),
    };
    let archive = file.ends_with(".zip") || file.ends_with(".pyz");
    if found.is_dir() || archive {
        search_first(&name, vm)?;
        let run = vm.import("runpy", 0)?.get_attr("_run_module_as_main", vm)?;
        return run.call(("__main__", false), vm).map(drop);
    }
    let folder = std::fs::canonicalize(&path).unwrap_or_else(|_| path.clone());
    let folder = folder.parent().unwrap_or(std::path::Path::new("/"));
    search_first(&folder.to_string_lossy(), vm)?;
    if call.skip_line {
        return match std::fs::read_to_string(&path) {
            Ok(text) => run_source(skipped(call, &text), &name, scope, vm),
            Err(error) => cannot_open(&name, &error, vm),
        };
    }
    vm.run_any_file(scope, &name)
}

/// Says so as CPython does, and ends with status 2.
fn cannot_open(name: &str, error: &std::io::Error, vm: &VirtualMachine) -> PyResult<()> {
    let text = error.to_string();
    let text = text.split(" (os error").next().unwrap_or_default();
    // As Linux counts.
    let number = match error.raw_os_error() {
        Some(libc::ENOENT) => 2,
        Some(libc::EACCES) => 13,
        Some(libc::ENOTDIR) => 20,
        Some(libc::ENAMETOOLONG) => 36,
        Some(libc::ELOOP) => 40,
        _ => 5,
    };
    // Nothing is left to tell where standard error is gone.
    let _ = writeln!(
        std::io::stderr(),
        "python3: can't open file '{name}': [Errno {number}] {text}"
    );
    Err(vm.new_system_exit(vec![vm.ctx.new_int(2).into()].into()))
}
