//! Processes of the sandbox, and descriptors that they share with this one.

use boa_engine::object::ObjectInitializer;
use boa_engine::property::Attribute;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, js_string};

use crate::host::{Function, array, bytes, number, text};
use crate::sandbox;

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("pipe", pipe),
    ("openDescriptor", open),
    ("closeDescriptor", close),
    ("readPipe", read),
    ("writePipe", write),
    ("spawn", spawn),
    ("tryWait", try_wait),
    ("kill", kill),
    ("isExecutable", is_executable),
    ("identify", identify),
];

fn failure(code: &'static str) -> boa_engine::JsError {
    JsNativeError::error().with_message(code).into()
}

/// `pipe()`: its two ends, the reader first, as a text.
fn pipe(_: &JsValue, _: &[JsValue], _: &mut Context) -> JsResult<JsValue> {
    let (reader, writer) = sandbox::pipe().map_err(failure)?;
    Ok(JsString::from(format!("{reader} {writer}").as_str()).into())
}

/// `openDescriptor(path, forWriting)`: a descriptor that a child can inherit; what is written goes to the end.
fn open(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = crate::host::absolute(&text(arguments, 0, context)?);
    let writes = arguments.get(1).is_some_and(JsValue::to_boolean);
    let descriptor = sandbox::open(path.as_bytes(), writes).map_err(failure)?;
    Ok(descriptor.into())
}

fn close(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    sandbox::close(number(arguments, 0, context)? as u32);
    Ok(JsValue::undefined())
}

/// `readPipe(descriptor, most)`: what is there, nothing at the end, undefined where it has to be waited for.
fn read(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let descriptor = number(arguments, 0, context)? as u32;
    let most = number(arguments, 1, context)? as u32;
    match sandbox::read(descriptor, most) {
        Ok(content) => array(content, context),
        Err("EAGAIN") => Ok(JsValue::undefined()),
        Err(code) => Err(failure(code)),
    }
}

/// `writePipe(descriptor, content)`: how many bytes were taken.
fn write(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let descriptor = number(arguments, 0, context)? as u32;
    let content = bytes(arguments, 1, context)?;
    match sandbox::write(descriptor, &content) {
        Ok(count) => Ok(count.into()),
        Err("EAGAIN") => Ok(0.into()),
        Err(code) => Err(failure(code)),
    }
}

/// `spawn(path, words, variables, directory, stdin, stdout, stderr)`: lists are texts joined by NUL.
fn spawn(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = crate::host::absolute(&text(arguments, 0, context)?);
    let words = text(arguments, 1, context)?;
    let words = words.split('\0').map(|word| word.as_bytes().to_vec());
    let variables = text(arguments, 2, context)?;
    let variables = variables.split('\0').filter_map(|line| {
        let (name, value) = line.split_once('=')?;
        Some((name.as_bytes().to_vec(), value.as_bytes().to_vec()))
    });
    let directory = crate::host::absolute(&text(arguments, 3, context)?);
    let mut descriptors = Vec::new();
    for stream in 0..3 {
        descriptors.push((
            stream,
            number(arguments, 4 + stream as usize, context)? as u32,
        ));
    }
    let pid = sandbox::spawn(
        path.as_bytes(),
        words.collect(),
        variables.collect(),
        directory.as_bytes(),
        descriptors,
    );
    Ok(pid.map_err(failure)?.into())
}

/// `tryWait(pid)`: the status, minus the number of the signal that ended it, undefined while it runs.
fn try_wait(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let ended = sandbox::try_wait(number(arguments, 0, context)? as u32).map_err(failure)?;
    Ok(ended.map_or(JsValue::undefined(), JsValue::from))
}

fn kill(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let pid = number(arguments, 0, context)? as u32;
    let signal = number(arguments, 1, context)? as u8;
    sandbox::kill(pid, signal).map_err(failure)?;
    Ok(JsValue::undefined())
}

fn is_executable(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let path = crate::host::absolute(&text(arguments, 0, context)?);
    Ok(sandbox::is_executable(path.as_bytes()).into())
}

/// `identify()`: who this process is.
fn identify(_: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let known = sandbox::identify();
    let mut object = ObjectInitializer::new(context);
    for (name, value) in [
        (js_string!("pid"), known.pid),
        (js_string!("parent"), known.parent),
        (js_string!("uid"), known.uid),
        (js_string!("gid"), known.gid),
    ] {
        object.property(name, value, Attribute::all());
    }
    for (name, value) in [
        (js_string!("user"), known.user),
        (js_string!("hostname"), known.hostname),
    ] {
        object.property(name, JsString::from(value.as_str()), Attribute::all());
    }
    Ok(object.build().into())
}
