//! JavaScript inside a sandbox, called as Node is: `node FILE`, `node -e CODE`, `node -p CODE`, or the
//! program on standard input. Boa runs the language; `node/*.js` are the parts of Node that scripts use
//! most, over the functions of [`host`].

mod host;
mod modules;
mod rejections;

use std::io::{Read as _, Write as _};
use std::path::Path;
use std::rc::Rc;

use boa_engine::{Context, JsResult, JsString, JsValue, Module, Source, js_string};

const USAGE: &str = "Usage: node [options] [ script.js ] [arguments]
       node [options] -e code [arguments]

Options:
  -e, --eval code       run the code
  -p, --print code      run the code and print its value
  --input-type=module   the code is a module
  -v, --version         print the version
  -h, --help            print this

Files and standard input and output are those of the sandbox. There are the modules assert, buffer, events,
fs, os, path, process, url, util and child-free timers; there is no network, no child_process and no npm.
";

/// What Node this answers as to scripts that ask.
const VERSION: &str = "v20.0.0";

/// What to run.
enum Program {
    File(String),
    Code { text: String, print: bool },
}

struct Call {
    program: Program,
    arguments: Vec<String>,
    module: bool,
}

fn main() {
    host::enter_directory();
    let status = match read_arguments() {
        Ok(call) => report(run(&call)),
        Err(status) => status,
    };
    let _ = std::io::stdout().flush();
    host::leave(status);
}

fn report(result: Result<u8, String>) -> u8 {
    match result {
        Ok(status) => status,
        Err(message) => {
            // Nothing is left to tell where standard error is gone.
            let _ = writeln!(std::io::stderr(), "{message}");
            1
        }
    }
}

fn read_arguments() -> Result<Call, u8> {
    let mut arguments = std::env::args().skip(1);
    let mut module = false;
    let mut code = None;
    let mut rest = Vec::new();
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "-h" | "--help" => {
                print!("{USAGE}");
                return Err(0);
            }
            "-v" | "--version" => {
                println!("{VERSION}");
                return Err(0);
            }
            "--input-type=module" => module = true,
            "--input-type=commonjs" => module = false,
            "-e" | "--eval" | "-p" | "--print" | "-pe" => {
                let Some(text) = arguments.next() else {
                    eprintln!("node: {argument} requires an argument");
                    return Err(9);
                };
                let print = argument.contains('p');
                code = Some(Program::Code { text, print });
            }
            "--" => {
                rest.extend(arguments);
                break;
            }
            "-" => {
                rest.push(argument);
                rest.extend(arguments);
                break;
            }
            option if option.starts_with('-') => {
                eprintln!("node: bad option: {option}");
                return Err(9);
            }
            _ => {
                rest.push(argument);
                rest.extend(arguments);
                break;
            }
        }
    }
    let program = match code {
        Some(program) => program,
        None if rest.first().is_none_or(|first| first == "-") => {
            let mut text = String::new();
            if let Err(error) = std::io::stdin().read_to_string(&mut text) {
                eprintln!("node: standard input: {error}");
                return Err(1);
            }
            if !rest.is_empty() {
                rest.remove(0);
            }
            Program::Code { text, print: false }
        }
        None => Program::File(rest.remove(0)),
    };
    Ok(Call {
        program,
        arguments: rest,
        module,
    })
}

/// Runs the program and everything that it leaves for later; the status to exit with.
fn run(call: &Call) -> Result<u8, String> {
    let failed = |error: boa_engine::JsError| error.to_string();
    let loader = Rc::new(modules::Loader::default());
    let mut context = Context::builder()
        .module_loader(loader)
        .host_hooks(Rc::new(rejections::Tracker))
        .build()
        .map_err(failed)?;
    let context = &mut context;
    let result = start(call, context).and_then(|()| finish(context));
    let node = context.global_object();
    match result {
        Ok(status) => Ok(status),
        Err(error) => {
            let error = error.to_opaque(context);
            let report = node
                .get(js_string!("__report"), context)
                .ok()
                .and_then(|report| report.as_callable())
                .and_then(|report| {
                    report
                        .call(&JsValue::undefined(), &[error.clone()], context)
                        .ok()
                });
            let text = match report {
                Some(text) => text
                    .to_string(context)
                    .map_err(failed)?
                    .to_std_string_lossy(),
                None => format!("Uncaught {}", error.display()),
            };
            let _ = std::io::stdout().flush();
            eprintln!("{text}");
            Ok(1)
        }
    }
}

fn start(call: &Call, context: &mut Context) -> JsResult<()> {
    let file = match &call.program {
        Program::File(file) => Some(file.as_str()),
        Program::Code { .. } => None,
    };
    host::install(context, file, &call.arguments)?;
    for (name, text) in modules::PRELUDE {
        context.eval(Source::from_bytes(text).with_path(Path::new(name)))?;
    }
    match &call.program {
        Program::File(file) if call.module || file.ends_with(".mjs") => {
            let path = host::absolute(file);
            let text = host::read_text(&path)?;
            module(&text, &path, context)
        }
        Program::File(file) => {
            let run = context.global_object().get(js_string!("__main"), context)?;
            let file = JsString::from(file.as_str());
            call_with(&run, &[file.into()], context).map(drop)
        }
        Program::Code { text, .. } if call.module => {
            module(text, &host::absolute("[eval]"), context)
        }
        Program::Code { text, print } => {
            let value = context.eval(Source::from_bytes(text).with_path(Path::new("[eval]")))?;
            if *print {
                let log = context
                    .global_object()
                    .get(js_string!("__print"), context)?;
                call_with(&log, &[value], context)?;
            }
            Ok(())
        }
    }
}

/// Runs an ECMAScript module up to its end, also where it waits.
fn module(text: &str, path: &str, context: &mut Context) -> JsResult<()> {
    let source = Source::from_bytes(text).with_path(Path::new(path));
    let module = Module::parse(source, None, context)?;
    let promise = module.load_link_evaluate(context);
    loop {
        context.run_jobs()?;
        match promise.state() {
            boa_engine::builtins::promise::PromiseState::Rejected(error) => {
                return Err(boa_engine::JsError::from_opaque(error));
            }
            boa_engine::builtins::promise::PromiseState::Fulfilled(_) => return Ok(()),
            boa_engine::builtins::promise::PromiseState::Pending => {
                if !tick(context)? {
                    return Ok(());
                }
            }
        }
    }
}

/// Runs jobs and timers until none is left; the status to exit with.
fn finish(context: &mut Context) -> JsResult<u8> {
    loop {
        context.run_jobs()?;
        rejections::check()?;
        if !tick(context)? {
            break;
        }
    }
    let exit = context
        .global_object()
        .get(js_string!("__exiting"), context)?;
    Ok(call_with(&exit, &[], context)?.to_i32(context)? as u8)
}

/// Runs the next timer; false where there is none.
fn tick(context: &mut Context) -> JsResult<bool> {
    let tick = context.global_object().get(js_string!("__tick"), context)?;
    Ok(call_with(&tick, &[], context)?.to_boolean())
}

fn call_with(
    function: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    match function.as_callable() {
        Some(function) => function.call(&JsValue::undefined(), arguments, context),
        None => Ok(JsValue::undefined()),
    }
}
