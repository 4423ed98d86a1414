//! JavaScript inside a sandbox, called as Node is: `node FILE`, `node -e CODE`, `node -p CODE`, or the
//! program on standard input. Boa runs the language; `node/*.js` are the parts of Node that scripts use
//! most, over the functions of [`host`], each evaluated when it is first asked for.

mod cells;
mod children;
mod codec;
mod date;
mod host;
mod json;
mod modules;
mod prepared;
mod realms;
mod rejections;
mod sandbox;
mod sockets;

use std::io::{Read as _, Write as _};
use std::mem::ManuallyDrop;

use boa_engine::builtins::promise::PromiseState;
use boa_engine::object::builtins::JsPromise;
use boa_engine::{Context, JsError, JsResult, JsString, JsValue};

use prepared::Prepared;

const USAGE: &str = "Usage: node [options] [ script.js ] [arguments]
       node [options] -e code [arguments]

Options:
  -e, --eval code       run the code
  -p, --print code      run the code and print its value
  -r, --require module  load a module before
  --input-type=module   the code is a module
  --test                run the tests of files, or of those below the working directory
  --test-name-pattern=P of these, the tests whose names match
  -v, --version         print the version
  -h, --help            print this

Files, processes and the network are those of the sandbox: child_process runs its commands, http and net
serve and reach its loopback, and fetch, http and https reach other hosts by its curl, as the network
policy allows. There are both kinds of modules, node_modules and package.json, and of Node's own:
assert, async_hooks, buffer, child_process, crypto, dns, events, fs, http, https, module, net, os, path,
perf_hooks, process, querystring, readline, stream, string_decoder, test, timers, tls, tty, url, util, v8,
vm, zlib.
crypto has digests, signatures by a shared key and random values. There are no threads, no native
addons and no npm. Intl and toLocaleString know American English, with the numbers and short dates of
some more languages.
";

/// What Node this answers as to scripts that ask.
const VERSION: &str = "v20.19.0";

/// What to run.
enum Program {
    File(String),
    Code {
        text: String,
        print: bool,
    },
    /// `--test`: the files of tests, in processes of their own.
    Tests {
        pattern: Option<String>,
        only: bool,
    },
    /// What is behind a context: `--cells FLAG INTERRUPTIBLE`, which no person calls.
    Cells {
        flag: String,
        is_interruptible: bool,
    },
}

struct Call {
    program: Program,
    arguments: Vec<String>,
    module: bool,
    /// Modules that are loaded before.
    required: Vec<String>,
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

/// Options that change nothing here.
fn is_ignored(option: &str) -> bool {
    const NAMES: &[&str] = &[
        "--no-warnings",
        "--enable-source-maps",
        "--no-deprecation",
        "--trace-warnings",
    ];
    const PREFIXES: &[&str] = &[
        "--test-concurrency=",
        "--test-reporter=",
        "--test-timeout=",
        "--max-old-space-size=",
        "--stack-size=",
        "--unhandled-rejections=",
        "--disable-warning=",
    ];
    NAMES.contains(&option) || PREFIXES.iter().any(|prefix| option.starts_with(prefix))
}

fn read_arguments() -> Result<Call, u8> {
    let mut arguments = std::env::args().skip(1);
    let mut module = false;
    let mut code = None;
    let mut required = Vec::new();
    let mut rest = Vec::new();
    let (mut tests, mut pattern, mut only) = (false, None, false);
    while let Some(argument) = arguments.next() {
        match argument.as_str() {
            "--cells" => {
                let flag = arguments.next().unwrap_or_default();
                let is_interruptible = arguments.next().is_some_and(|given| given == "true");
                code = Some(Program::Cells {
                    flag,
                    is_interruptible,
                });
            }
            "-h" | "--help" => {
                print!("{USAGE}");
                return Err(0);
            }
            "-v" | "--version" => {
                println!("{VERSION}");
                return Err(0);
            }
            "--test" => tests = true,
            "--test-only" => only = true,
            "--test-name-pattern" => pattern = arguments.next(),
            option if option.starts_with("--test-name-pattern=") => {
                pattern = option.split_once('=').map(|(_, given)| given.to_owned());
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
            "-r" | "--require" => match arguments.next() {
                Some(name) => required.push(name),
                None => {
                    eprintln!("node: {argument} requires an argument");
                    return Err(9);
                }
            },
            option if is_ignored(option) => {}
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
        None if tests => Program::Tests { pattern, only },
        None if rest.first().is_none_or(|first| first == "-") => {
            rest.drain(..rest.len().min(1));
            let text = read_input()?;
            Program::Code { text, print: false }
        }
        None => Program::File(rest.remove(0)),
    };
    Ok(Call {
        program,
        arguments: rest,
        module,
        required,
    })
}

/// The program on standard input.
fn read_input() -> Result<String, u8> {
    let mut text = String::new();
    match std::io::stdin().read_to_string(&mut text) {
        Ok(_) => Ok(text),
        Err(error) => {
            eprintln!("node: standard input: {error}");
            Err(1)
        }
    }
}

/// Runs the program and everything that it leaves for later; the status to exit with.
fn run(call: &Call) -> Result<u8, String> {
    let Prepared { context, loader } = prepared::take().map_err(|error| error.to_string())?;
    // What the engine holds is left to the end of the process.
    let mut context = ManuallyDrop::new(context);
    let context = &mut *context;
    let mut promise = None;
    let mut result = start(call, &loader, context).map(|started| promise = started);
    loop {
        match result {
            Ok(()) => {}
            Err(error) if caught(&error, None, context) => {}
            Err(error) => return Ok(die(error, context)),
        }
        match advance(&mut promise, context) {
            Ok(true) => result = Ok(()),
            Ok(false) => break,
            Err(error) => result = Err(error),
        }
    }
    if let Some(PromiseState::Pending) = promise.as_ref().map(JsPromise::state) {
        // Nothing is left that could settle it.
        let _ = writeln!(
            std::io::stderr(),
            "Warning: Detected unsettled top-level await"
        );
        modules::call("__unsettled", &[], context).map_err(|error| error.to_string())?;
    }
    let exit = modules::call("__exit", &[], context);
    match exit.and_then(|status| status.to_i32(context)) {
        Ok(status) => Ok(status as u8),
        Err(error) => Ok(die(error, context)),
    }
}

/// Whether the program takes care of an error.
fn caught(error: &JsError, promise: Option<JsValue>, context: &mut Context) -> bool {
    // What the engine ends a program by is not for it to see.
    let Ok(opaque) = error.clone().into_opaque(context) else {
        return false;
    };
    let given = [opaque, promise.unwrap_or_default()];
    modules::call("__caught", &given, context).is_ok_and(|caught| caught.to_boolean())
}

/// The functions that an error passed, a line each.
fn frames(error: &JsError) -> String {
    let text = error.to_string();
    let lines: Vec<&str> = text.lines().collect();
    let before = lines.iter().rposition(|line| !line.starts_with("    at "));
    lines[before.map_or(0, |at| at + 1)..].join("\n")
}

/// Says what ended the program; its status, also where the engine ended it and no code can run that would set one.
fn die(error: JsError, context: &mut Context) -> u8 {
    let frames = JsString::from(frames(&error));
    let opaque = error.clone().into_opaque(context);
    let report =
        opaque.and_then(|opaque| modules::call("__report", &[opaque, frames.into()], context));
    let text = match report.and_then(|report| report.to_string(context)) {
        Ok(text) => text.to_std_string_lossy(),
        Err(_) => format!("Uncaught {error}"),
    };
    let _ = std::io::stdout().flush();
    // Nothing is left to tell where standard error is gone.
    let _ = writeln!(std::io::stderr(), "{text}");
    let status = modules::call("__exit", &[1.into()], context);
    status
        .and_then(|status| status.to_i32(context))
        .map_or(1, |status| status as u8)
}

/// Starts the program; the promise of one that is an ECMAScript module.
fn start(
    call: &Call,
    loader: &modules::Loader,
    context: &mut Context,
) -> JsResult<Option<JsPromise>> {
    let file = match &call.program {
        Program::File(file) => Some(file.as_str()),
        Program::Code { .. } | Program::Cells { .. } | Program::Tests { .. } => None,
    };
    host::begin(context, file, &call.arguments)?;
    for name in &call.required {
        modules::call("require", &[JsString::from(name.as_str()).into()], context)?;
    }
    let module = match &call.program {
        Program::File(file) => {
            let given = [JsString::from(file.as_str()).into(), call.module.into()];
            let path = modules::call("__main", &given, context)?.to_string(context)?;
            if path.is_empty() {
                return Ok(None);
            }
            loader.load(&path.to_std_string_lossy(), None, context)?
        }
        Program::Code { text, .. } if call.module => {
            modules::call("__bare", &[], context)?;
            modules::call("__code", &[JsString::from(text.as_str()).into()], context)?;
            loader.load(&host::absolute("[eval1]"), Some(text), context)?
        }
        Program::Tests { pattern, only } => {
            let pattern = pattern.as_deref().map(|text| JsString::from(text).into());
            let given = [pattern.unwrap_or_default(), (*only).into()];
            modules::call("__tests", &given, context)?;
            return Ok(None);
        }
        Program::Cells {
            flag,
            is_interruptible,
        } => {
            cells::serve(flag, *is_interruptible, context)?;
            // Nobody is there any more for what cells have left to do.
            host::leave(0);
        }
        Program::Code { text, print } => {
            modules::call("__code", &[JsString::from(text.as_str()).into()], context)?;
            modules::call("__named", &[], context)?;
            let value = modules::evaluate(text, &host::absolute("[eval]"), context)?;
            if *print {
                modules::call("__print", &[value], context)?;
            }
            return Ok(None);
        }
    };
    Ok(Some(module.load_link_evaluate(context)))
}

/// Does the next thing that there is to do; false where there is none.
fn advance(promise: &mut Option<JsPromise>, context: &mut Context) -> JsResult<bool> {
    loop {
        let ticked = modules::call("__ticks", &[], context)?.to_boolean();
        context.run_jobs()?;
        modules::settle();
        if !ticked {
            break;
        }
    }
    if let Some(PromiseState::Rejected(error)) = promise.as_ref().map(JsPromise::state) {
        *promise = None;
        rejections::forget();
        return Err(JsError::from_opaque(error));
    }
    if let Some((rejected, error)) = rejections::next()?
        && !caught(&error, Some(rejected), context)
    {
        return Err(error);
    }
    if modules::call("__tick", &[], context)?.to_boolean() {
        return Ok(true);
    }
    if modules::call("__ticks", &[], context)?.to_boolean() {
        return Ok(true);
    }
    modules::call("__exiting", &[], context)?;
    context.run_jobs()?;
    Ok(modules::call("__tick", &[], context)?.to_boolean())
}
