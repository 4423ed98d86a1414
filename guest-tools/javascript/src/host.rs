//! What scripts reach of the sandbox: the object `__host`.

use std::fs;
use std::io::{self, Write as _};
use std::path::{Component, Path, PathBuf};
use std::time::{Duration, Instant, SystemTime};

use boa_engine::builtins::promise::PromiseState;
use boa_engine::object::ObjectInitializer;
use boa_engine::object::builtins::{
    AlignedVec, JsArray, JsArrayBuffer, JsPromise, JsProxy, JsUint8Array,
};
use boa_engine::property::Attribute;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, NativeFunction, js_string};

use crate::{cells, children, codec, date, modules, realms, rejections, sandbox, sockets};

/// Bytes that are read at once.
const PIECE: u32 = 65_536;

thread_local! {
    static START: Instant = Instant::now();
}

/// The path from the root, without `.` and `..`.
pub fn absolute(path: &str) -> String {
    let directory = std::env::current_dir().unwrap_or_else(|_| PathBuf::from("/"));
    let mut clean = PathBuf::from("/");
    for part in directory.join(path).components() {
        match part {
            Component::Normal(name) => clean.push(name),
            Component::ParentDir => drop(clean.pop()),
            _ => {}
        }
    }
    clean.to_string_lossy().into_owned()
}

/// A file as text.
pub fn read_text(path: &str) -> JsResult<String> {
    let bytes = fs::read(path).map_err(|error| failure(&error))?;
    Ok(String::from_utf8_lossy(&bytes).into_owned())
}

/// An error whose message is the name that Node has for it.
pub fn failure(error: &io::Error) -> boa_engine::JsError {
    use io::ErrorKind as K;
    let name = match error.kind() {
        K::NotFound => "ENOENT",
        K::PermissionDenied => "EACCES",
        K::AlreadyExists => "EEXIST",
        K::IsADirectory => "EISDIR",
        K::NotADirectory => "ENOTDIR",
        K::DirectoryNotEmpty => "ENOTEMPTY",
        K::ReadOnlyFilesystem => "EROFS",
        K::StorageFull => "ENOSPC",
        K::BrokenPipe => "EPIPE",
        K::InvalidInput => "EINVAL",
        K::CrossesDevices => "EXDEV",
        K::ConnectionRefused => "ECONNREFUSED",
        K::ConnectionReset => "ECONNRESET",
        K::NotConnected => "ENOTCONN",
        K::AddrInUse => "EADDRINUSE",
        K::AddrNotAvailable => "EADDRNOTAVAIL",
        K::TimedOut => "ETIMEDOUT",
        K::Unsupported => "ENOTSUP",
        // What the standard library has no kind for, by the numbers of WASI.
        _ => match error.raw_os_error() {
            Some(8) => "EBADF",
            Some(10) => "EBUSY",
            Some(32) => "ELOOP",
            Some(33) => "EMFILE",
            Some(37) => "ENAMETOOLONG",
            Some(55) => "ENOTEMPTY",
            Some(63) => "EPERM",
            // The C library says so of whatever a stream fails by, which the sandbox remembers.
            Some(29) => sandbox::stream_failure().unwrap_or("EIO"),
            _ => "EIO",
        },
    };
    JsNativeError::error().with_message(name).into()
}

/// What scripts can call.
pub type Function = fn(&JsValue, &[JsValue], &mut Context) -> JsResult<JsValue>;

const FUNCTIONS: &[(&str, Function)] = &[
    ("read", read),
    ("readDescriptor", read_descriptor),
    ("pollInput", poll_input),
    ("isTerminal", is_terminal),
    ("setMode", set_mode),
    ("symbolicLink", symbolic_link),
    ("write", write),
    ("writeDescriptor", write_descriptor),
    ("stat", stat),
    ("list", list),
    ("remove", remove),
    ("removeDirectory", remove_directory),
    ("makeDirectory", make_directory),
    ("rename", rename),
    ("link", link),
    ("readLink", read_link),
    ("decode", decode),
    ("encode", encode),
    ("random", random),
    ("exit", exit),
    ("now", now),
    ("memory", memory),
    ("promise", promise),
    ("isProxy", is_proxy),
    ("sleep", sleep),
    ("chdir", change_directory),
    ("cwd", directory),
];

/// Puts `__host` in place: the functions.
pub fn install(context: &mut Context) -> JsResult<()> {
    let mut object = ObjectInitializer::new(context);
    let all = [
        FUNCTIONS,
        cells::FUNCTIONS,
        children::FUNCTIONS,
        codec::FUNCTIONS,
        date::FUNCTIONS,
        sockets::FUNCTIONS,
        modules::FUNCTIONS,
        realms::FUNCTIONS,
    ];
    for (name, function) in all.into_iter().flatten() {
        let function = *function;
        let function = NativeFunction::from_copy_closure(move |this, arguments, context| {
            rejections::checkpoint();
            function(this, arguments, context)
        });
        object.function(function, JsString::from(*name), 2);
    }
    let object = object.build();
    context.register_global_property(js_string!("__host"), object, Attribute::CONFIGURABLE)
}

/// Tells the program how it was called: the script, the arguments, the environment and the directory.
pub fn begin(context: &mut Context, file: Option<&str>, arguments: &[String]) -> JsResult<()> {
    START.with(|_| ());
    let script = file.map(absolute).unwrap_or_default();
    let environment = std::env::vars().map(|(name, value)| format!("{name}={value}"));
    let environment = environment.collect::<Vec<_>>().join("\0");
    let given = [script, arguments.join("\0"), environment];
    let given = given.map(|text| JsString::from(text.as_str()).into());
    modules::call("__begin", &given, context).map(drop)
}

/// An argument as text.
pub fn text(arguments: &[JsValue], index: usize, context: &mut Context) -> JsResult<String> {
    match arguments.get(index) {
        Some(value) => Ok(value.to_string(context)?.to_std_string_lossy()),
        None => Ok(String::new()),
    }
}

fn path(arguments: &[JsValue], index: usize, context: &mut Context) -> JsResult<PathBuf> {
    Ok(PathBuf::from(absolute(&text(arguments, index, context)?)))
}

/// An argument as a truth value.
pub fn flag(arguments: &[JsValue], index: usize) -> bool {
    arguments.get(index).is_some_and(JsValue::to_boolean)
}

/// The bytes of a text or of an array of bytes.
pub fn bytes(arguments: &[JsValue], index: usize, context: &mut Context) -> JsResult<Vec<u8>> {
    let Some(object) = arguments.get(index).and_then(JsValue::as_object) else {
        return Ok(text(arguments, index, context)?.into_bytes());
    };
    let array = JsUint8Array::from_object(object.clone())?;
    let start = array.byte_offset(context)?;
    let length = array.byte_length(context)?;
    let buffer = array.buffer(context)?;
    let buffer = buffer
        .as_object()
        .ok_or_else(|| JsNativeError::typ().with_message("no buffer"))?;
    let buffer = JsArrayBuffer::from_object(buffer.clone())?;
    let data = buffer
        .data()
        .ok_or_else(|| JsNativeError::typ().with_message("detached buffer"))?;
    Ok(data.get(start..start + length).unwrap_or_default().to_vec())
}

/// An argument as a number, 0 where there is none.
pub fn number(arguments: &[JsValue], index: usize, context: &mut Context) -> JsResult<f64> {
    arguments
        .get(index)
        .map_or(Ok(0.0), |value| value.to_number(context))
}

/// Bytes as an array of them.
pub fn array(bytes: Vec<u8>, context: &mut Context) -> JsResult<JsValue> {
    let block = AlignedVec::from_slice(64, &bytes);
    let buffer = JsArrayBuffer::from_byte_block(block, context)?;
    Ok(JsUint8Array::from_array_buffer(buffer, context)?.into())
}

fn done(result: io::Result<()>) -> JsResult<JsValue> {
    result
        .map(|()| JsValue::undefined())
        .map_err(|error| failure(&error))
}

/// `read(path, asText)`
fn read(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = fs::read(path(arguments, 0, context)?).map_err(|error| failure(&error))?;
    if flag(arguments, 1) {
        return Ok(JsString::from(String::from_utf8_lossy(&content).as_ref()).into());
    }
    array(content, context)
}

/// `readDescriptor(most)`: standard input, at most so many bytes; 0 for all of it.
fn read_descriptor(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let most = number(arguments, 0, context)? as u32;
    let mut content = Vec::new();
    loop {
        let wanted = if most == 0 { PIECE } else { most };
        let piece = read_patiently(wanted)?;
        content.extend_from_slice(&piece);
        if piece.is_empty() || most != 0 {
            return array(content, context);
        }
    }
}

/// Standard input, waited for ever less often.
fn read_patiently(most: u32) -> JsResult<Vec<u8>> {
    let mut pause = Duration::from_micros(20);
    loop {
        match sandbox::read(0, most) {
            Err("EAGAIN") => {
                std::thread::sleep(pause);
                pause = (pause * 2).min(Duration::from_millis(2));
            }
            outcome => {
                return outcome.map_err(|code| JsNativeError::error().with_message(code).into());
            }
        }
    }
}

/// `pollInput(most)`: what standard input has, undefined where it has to be waited for.
fn poll_input(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    match sandbox::read(0, number(arguments, 0, context)? as u32) {
        Ok(content) => array(content, context),
        Err("EAGAIN") => Ok(JsValue::undefined()),
        Err(code) => Err(JsNativeError::error().with_message(code).into()),
    }
}

/// `isTerminal(descriptor)`
fn is_terminal(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    Ok(sandbox::is_terminal(number(arguments, 0, context)? as u32).into())
}

/// `setMode(path, mode)`
fn set_mode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = absolute(&text(arguments, 0, context)?);
    let mode = number(arguments, 1, context)? as u32;
    coded(sandbox::set_mode(path.as_bytes(), mode))
}

/// `symbolicLink(target, path)`
fn symbolic_link(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (target, path) = (text(arguments, 0, context)?, text(arguments, 1, context)?);
    coded(sandbox::symlink(
        target.as_bytes(),
        absolute(&path).as_bytes(),
    ))
}

fn coded(result: sandbox::Result<()>) -> JsResult<JsValue> {
    result
        .map(|()| JsValue::undefined())
        .map_err(|code| JsNativeError::error().with_message(code).into())
}

/// `write(path, content, append, exclusive)`
fn write(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (path, content) = (path(arguments, 0, context)?, bytes(arguments, 1, context)?);
    let append = flag(arguments, 2);
    let file = fs::OpenOptions::new()
        .write(true)
        .append(append)
        .truncate(!append)
        .create(true)
        .create_new(flag(arguments, 3))
        .open(path);
    done(file.and_then(|mut file| file.write_all(&content)))
}

/// `writeDescriptor(number, content)`: standard output or standard error.
fn write_descriptor(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let number = arguments
        .first()
        .map_or(Ok(1.0), |number| number.to_number(context))?;
    let content = bytes(arguments, 1, context)?;
    done(if number == 2.0 {
        let flushed = io::stdout().flush();
        flushed.and_then(|()| io::stderr().write_all(&content))
    } else {
        io::stdout().write_all(&content)
    })
}

/// `stat(path, follow)`: kind, size, and the times in milliseconds.
fn stat(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = path(arguments, 0, context)?;
    let found = if flag(arguments, 1) {
        fs::metadata(&path)
    } else {
        fs::symlink_metadata(&path)
    };
    let found = found.map_err(|error| failure(&error))?;
    let time = |time: io::Result<SystemTime>| {
        let since = time
            .ok()
            .and_then(|time| time.duration_since(SystemTime::UNIX_EPOCH).ok());
        since.map_or(0.0, |since| since.as_secs_f64() * 1000.0)
    };
    let kind = if found.is_dir() {
        "directory"
    } else if found.is_symlink() {
        "link"
    } else if found.is_file() {
        "file"
    } else {
        "other"
    };
    let mut object = ObjectInitializer::new(context);
    object.property(js_string!("kind"), JsString::from(kind), Attribute::all());
    object.property(js_string!("size"), found.len() as f64, Attribute::all());
    let bits = sandbox::mode(path.as_os_str().as_encoded_bytes(), flag(arguments, 1));
    let bits = bits.map_or(JsValue::undefined(), JsValue::from);
    object.property(js_string!("mode"), bits, Attribute::all());
    object.property(
        js_string!("modified"),
        time(found.modified()),
        Attribute::all(),
    );
    object.property(
        js_string!("accessed"),
        time(found.accessed()),
        Attribute::all(),
    );
    Ok(object.build().into())
}

/// `list(path)`: the names in order, joined by NUL, each after the letter of its kind.
fn list(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let entries = fs::read_dir(path(arguments, 0, context)?).map_err(|error| failure(&error))?;
    let mut names = Vec::new();
    for entry in entries {
        let entry = entry.map_err(|error| failure(&error))?;
        let letter = match entry.file_type() {
            Ok(kind) if kind.is_dir() => 'd',
            Ok(kind) if kind.is_symlink() => 'l',
            _ => 'f',
        };
        names.push(format!("{}{letter}", entry.file_name().to_string_lossy()));
    }
    names.sort();
    Ok(JsString::from(names.join("\0").as_str()).into())
}

fn remove(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    done(fs::remove_file(path(arguments, 0, context)?))
}

/// `removeDirectory(path, recursive)`
fn remove_directory(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    let path = path(arguments, 0, context)?;
    done(if flag(arguments, 1) {
        fs::remove_dir_all(path)
    } else {
        fs::remove_dir(path)
    })
}

/// `makeDirectory(path, recursive)`
fn make_directory(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = path(arguments, 0, context)?;
    done(if flag(arguments, 1) {
        fs::create_dir_all(path)
    } else {
        fs::create_dir(path)
    })
}

fn rename(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (from, to) = (path(arguments, 0, context)?, path(arguments, 1, context)?);
    done(fs::rename(from, to))
}

fn link(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (from, to) = (path(arguments, 0, context)?, path(arguments, 1, context)?);
    done(fs::hard_link(from, to))
}

fn read_link(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let target = fs::read_link(path(arguments, 0, context)?).map_err(|error| failure(&error))?;
    Ok(JsString::from(target.to_string_lossy().as_ref()).into())
}

/// `decode(bytes)`: the text of UTF-8.
fn decode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 0, context)?;
    Ok(JsString::from(String::from_utf8_lossy(&content).as_ref()).into())
}

/// `encode(text)`: the bytes of UTF-8.
fn encode(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = text(arguments, 0, context)?.into_bytes();
    array(content, context)
}

/// `random(count)`
fn random(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let count = arguments
        .first()
        .map_or(Ok(0.0), |count| count.to_number(context))?;
    let mut content = vec![0; (count as usize).min(1 << 20)];
    getrandom::fill(&mut content)
        .map_err(|error| JsNativeError::error().with_message(error.to_string()))?;
    array(content, context)
}

/// `exit(status)`: ends the program at once.
fn exit(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let status = arguments
        .first()
        .map_or(Ok(0), |status| status.to_i32(context))?;
    // What was printed so far is all there is.
    let _ = io::stdout().flush();
    leave(status as u8)
}

/// Ends the process; the standard library would tell a WASI host only whether the status is 0.
pub fn leave(status: u8) -> ! {
    #[cfg(target_os = "wasi")]
    wasip2::cli::exit::exit_with_code(status);
    std::process::exit(i32::from(status))
}

/// Makes the directory that the process was started in the current one.
pub fn enter_directory() {
    #[cfg(target_os = "wasi")]
    if let Some(directory) = wasip2::cli::environment::initial_cwd() {
        // Where it is gone, relative paths fail one by one.
        let _ = std::env::set_current_dir(directory);
    }
}

/// The time since the start.
pub fn elapsed() -> Duration {
    START.with(Instant::elapsed)
}

/// `now()`: milliseconds since the start.
fn now(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok((elapsed().as_secs_f64() * 1000.0).into())
}

/// `memory()`: bytes of memory that the process has.
fn memory(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    #[cfg(target_family = "wasm")]
    let pages = core::arch::wasm32::memory_size::<0>();
    #[cfg(not(target_family = "wasm"))]
    let pages = 0;
    Ok((pages as f64 * 65_536.0).into())
}

/// `promise(value)`: the state of a promise and what it has come to; undefined of anything else.
fn promise(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let object = arguments.first().and_then(JsValue::as_object);
    let Some(promise) = object.and_then(|object| JsPromise::from_object(object).ok()) else {
        return Ok(JsValue::undefined());
    };
    let (state, value) = match promise.state() {
        PromiseState::Pending => (js_string!("pending"), JsValue::undefined()),
        PromiseState::Fulfilled(value) => (js_string!("fulfilled"), value),
        PromiseState::Rejected(error) => (js_string!("rejected"), error),
    };
    Ok(JsArray::from_iter([state.into(), value], context).into())
}

/// `isProxy(value)`
fn is_proxy(_: &JsValue, arguments: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let object = arguments.first().and_then(JsValue::as_object);
    Ok(object
        .is_some_and(|object| JsProxy::from_object(object).is_ok())
        .into())
}

/// `sleep(milliseconds)`
fn sleep(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let time = arguments
        .first()
        .map_or(Ok(0.0), |time| time.to_number(context))?;
    // What was printed is seen while the program waits.
    let _ = io::stdout().flush();
    std::thread::sleep(Duration::from_secs_f64((time / 1000.0).clamp(0.0, 1e9)));
    cells::look_now()
}

fn change_directory(
    _: &JsValue,
    arguments: &[JsValue],
    context: &mut Context,
) -> JsResult<JsValue> {
    done(std::env::set_current_dir(path(arguments, 0, context)?))
}

fn directory(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    Ok(JsString::from(absolute(Path::new(".").to_string_lossy().as_ref()).as_str()).into())
}
