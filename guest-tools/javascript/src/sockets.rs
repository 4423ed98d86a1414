//! Connections on the sandbox's loopback, and the heads of HTTP messages.

use std::cell::RefCell;
use std::collections::HashMap;
use std::io::{self, Read as _, Write as _};
use std::net::{Shutdown, SocketAddr, TcpListener, TcpStream};

use boa_engine::object::ObjectInitializer;
use boa_engine::object::builtins::JsArray;
use boa_engine::property::Attribute;
use boa_engine::{Context, JsNativeError, JsResult, JsString, JsValue, js_string};

use crate::host::{Function, array, bytes, failure, flag, number, text};

/// Most fields of a head.
const FIELDS: usize = 256;

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[
    ("listen", listen),
    ("accept", accept),
    ("connect", connect),
    ("receive", receive),
    ("transmit", transmit),
    ("endSocket", end),
    ("closeSocket", close),
    ("addresses", addresses),
    ("parseHead", parse_head),
    ("parseChunk", parse_chunk),
];

enum Socket {
    Listener(TcpListener),
    Stream(TcpStream),
}

#[derive(Default)]
struct Sockets {
    open: HashMap<u32, Socket>,
    last: u32,
}

thread_local! {
    static SOCKETS: RefCell<Sockets> = RefCell::default();
}

fn keep(socket: Socket) -> JsValue {
    SOCKETS.with_borrow_mut(|sockets| {
        sockets.last += 1;
        sockets.open.insert(sockets.last, socket);
        sockets.last.into()
    })
}

fn with_stream<T>(
    arguments: &[JsValue],
    context: &mut Context,
    call: impl FnOnce(&mut TcpStream) -> io::Result<T>,
) -> JsResult<Option<T>> {
    let id = number(arguments, 0, context)? as u32;
    let done = SOCKETS.with_borrow_mut(|sockets| match sockets.open.get_mut(&id) {
        Some(Socket::Stream(stream)) => call(stream),
        _ => Err(io::ErrorKind::NotConnected.into()),
    });
    match done {
        Ok(value) => Ok(Some(value)),
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(None),
        Err(error) => Err(failure(&error)),
    }
}

/// `listen(host, port)`
fn listen(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let host = text(arguments, 0, context)?;
    let port = number(arguments, 1, context)? as u16;
    let listener = TcpListener::bind((host.as_str(), port)).map_err(|error| failure(&error))?;
    listener
        .set_nonblocking(true)
        .map_err(|error| failure(&error))?;
    Ok(keep(Socket::Listener(listener)))
}

/// `accept(listener)`: the next connection, undefined where there is none.
fn accept(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let id = number(arguments, 0, context)? as u32;
    let accepted = SOCKETS.with_borrow(|sockets| match sockets.open.get(&id) {
        Some(Socket::Listener(listener)) => listener.accept(),
        _ => Err(io::ErrorKind::NotConnected.into()),
    });
    match accepted {
        Ok((stream, _)) => {
            stream
                .set_nonblocking(true)
                .map_err(|error| failure(&error))?;
            Ok(keep(Socket::Stream(stream)))
        }
        Err(error) if error.kind() == io::ErrorKind::WouldBlock => Ok(JsValue::undefined()),
        Err(error) => Err(failure(&error)),
    }
}

/// `connect(host, port)`
fn connect(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let host = text(arguments, 0, context)?;
    let port = number(arguments, 1, context)? as u16;
    let stream = TcpStream::connect((host.as_str(), port)).map_err(|error| failure(&error))?;
    stream
        .set_nonblocking(true)
        .map_err(|error| failure(&error))?;
    Ok(keep(Socket::Stream(stream)))
}

/// `receive(socket, most)`: what arrived, nothing at the end, undefined where it has to be waited for.
fn receive(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let most = number(arguments, 1, context)? as usize;
    let read = with_stream(arguments, context, |stream| {
        let mut content = vec![0; most];
        let count = stream.read(&mut content)?;
        content.truncate(count);
        Ok(content)
    })?;
    read.map_or(Ok(JsValue::undefined()), |content| array(content, context))
}

/// `transmit(socket, content)`: how many bytes were taken.
fn transmit(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 1, context)?;
    let count = with_stream(arguments, context, |stream| stream.write(&content))?;
    Ok((count.unwrap_or(0) as u32).into())
}

/// `endSocket(socket)`: nothing more is sent.
fn end(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    with_stream(arguments, context, |stream| {
        stream.shutdown(Shutdown::Write)
    })?;
    Ok(JsValue::undefined())
}

fn close(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let id = number(arguments, 0, context)? as u32;
    SOCKETS.with_borrow_mut(|sockets| sockets.open.remove(&id));
    Ok(JsValue::undefined())
}

/// `addresses(socket)`: host and port of this end, and of the other where there is one.
fn addresses(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let id = number(arguments, 0, context)? as u32;
    let (local, remote) = SOCKETS.with_borrow(|sockets| match sockets.open.get(&id) {
        Some(Socket::Listener(listener)) => (listener.local_addr().ok(), None),
        Some(Socket::Stream(stream)) => (stream.local_addr().ok(), stream.peer_addr().ok()),
        None => (None, None),
    });
    let mut values = Vec::new();
    for address in [local, remote].into_iter().flatten() {
        values.push(JsString::from(address.ip().to_string().as_str()).into());
        values.push(JsValue::from(address.port()));
        values.push(JsValue::from(if SocketAddr::is_ipv6(&address) {
            6
        } else {
            4
        }));
    }
    Ok(JsArray::from_iter(values, context).into())
}

/// `parseHead(content, isRequest)`: undefined where it is not whole.
fn parse_head(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 0, context)?;
    let malformed = |_| JsNativeError::error().with_message("EPROTO");
    let mut fields = [httparse::EMPTY_HEADER; FIELDS];
    let (length, first, second, status, fields) = if flag(arguments, 1) {
        let mut request = httparse::Request::new(&mut fields);
        let httparse::Status::Complete(length) = request.parse(&content).map_err(malformed)? else {
            return Ok(JsValue::undefined());
        };
        let (method, path) = (
            request.method.unwrap_or_default(),
            request.path.unwrap_or_default(),
        );
        (
            length,
            method,
            path,
            request.version.unwrap_or(1).into(),
            request.headers,
        )
    } else {
        let mut response = httparse::Response::new(&mut fields);
        let httparse::Status::Complete(length) = response.parse(&content).map_err(malformed)?
        else {
            return Ok(JsValue::undefined());
        };
        let reason = response.reason.unwrap_or_default();
        (
            length,
            reason,
            "",
            response.code.unwrap_or_default(),
            response.headers,
        )
    };
    let latin = |value: &[u8]| {
        value
            .iter()
            .map(|byte| char::from(*byte))
            .collect::<String>()
    };
    let list = fields.iter().flat_map(|field| {
        let value = latin(field.value);
        [JsString::from(field.name), JsString::from(value.as_str())].map(JsValue::from)
    });
    let list = JsArray::from_iter(list.collect::<Vec<_>>(), context);
    let mut object = ObjectInitializer::new(context);
    object.property(js_string!("length"), length as u32, Attribute::all());
    object.property(js_string!("first"), JsString::from(first), Attribute::all());
    object.property(
        js_string!("second"),
        JsString::from(second),
        Attribute::all(),
    );
    object.property(js_string!("number"), status, Attribute::all());
    object.property(js_string!("fields"), list, Attribute::all());
    Ok(object.build().into())
}

/// `parseChunk(content)`: bytes of the line with a chunk's size, and the size; undefined where it is not whole.
fn parse_chunk(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let content = bytes(arguments, 0, context)?;
    match httparse::parse_chunk_size(&content) {
        Ok(httparse::Status::Complete((line, size))) => {
            let values = [JsValue::from(line as u32), JsValue::from(size as f64)];
            Ok(JsArray::from_iter(values, context).into())
        }
        Ok(httparse::Status::Partial) => Ok(JsValue::undefined()),
        Err(_) => Err(JsNativeError::error().with_message("EPROTO").into()),
    }
}
