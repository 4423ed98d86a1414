//! HTTP as a connector speaks it: one request, one answer that is read in pieces.
//!
//! Everything goes through the host, which judges the URL, adds the credential, counts bytes and
//! time, and follows no redirect.

use std::task::Poll;

use serde::Serialize;
use serde::de::DeserializeOwned;

use crate::bindings::wasi::http::outgoing_handler;
use crate::bindings::wasi::http::types::{
    ErrorCode, Fields, IncomingBody, IncomingResponse, Method, OutgoingBody, OutgoingRequest,
    Scheme,
};
use crate::bindings::wasi::io::poll::poll;
use crate::bindings::wasi::io::streams::{InputStream, StreamError};
use crate::{Code, Error, Result};

/// Bytes of an answer that [`Response::json`] reads.
const JSON_BYTES: usize = 4 << 20;
/// Bytes that are asked for at once.
const PIECE: u64 = 256 << 10;
/// Bytes of one line of an answer.
const LINE: usize = 64 << 20;

/// A request.
///
/// ```no_run
/// use offshoot_connector::http::Request;
/// # fn main() -> offshoot_connector::Result<()> {
/// let answer = Request::post("https://api.example.com/boxes")
///     .json(&serde_json::json!({ "image": "debian" }))?
///     .send()?
///     .success()?;
/// let made: serde_json::Value = answer.json()?;
/// # drop(made); Ok(()) }
/// ```
#[derive(Debug)]
pub struct Request {
    method: Method,
    url: String,
    headers: Vec<(String, Vec<u8>)>,
    body: Vec<u8>,
}

impl Request {
    /// A request with any method.
    pub fn new(method: Method, url: impl Into<String>) -> Request {
        Request {
            method,
            url: url.into(),
            headers: Vec::new(),
            body: Vec::new(),
        }
    }

    /// A GET.
    pub fn get(url: impl Into<String>) -> Request {
        Request::new(Method::Get, url)
    }

    /// A POST.
    pub fn post(url: impl Into<String>) -> Request {
        Request::new(Method::Post, url)
    }

    /// A PUT.
    pub fn put(url: impl Into<String>) -> Request {
        Request::new(Method::Put, url)
    }

    /// A DELETE.
    pub fn delete(url: impl Into<String>) -> Request {
        Request::new(Method::Delete, url)
    }

    /// The same with a header.
    #[must_use]
    pub fn header(mut self, name: &str, value: impl AsRef<[u8]>) -> Request {
        self.headers
            .push((name.to_owned(), value.as_ref().to_vec()));
        self
    }

    /// The same with a body.
    #[must_use]
    pub fn body(mut self, content_type: &str, body: Vec<u8>) -> Request {
        self.body = body;
        self.header("content-type", content_type)
    }

    /// The same with a JSON body.
    ///
    /// # Errors
    /// [`Code::Invalid`] for what JSON cannot say.
    pub fn json(self, value: &impl Serialize) -> Result<Request> {
        let body = serde_json::to_vec(value)
            .map_err(|error| Error::new(Code::Invalid, error.to_string()))?;
        Ok(self.body("application/json", body))
    }

    /// Sends it and waits for the beginning of the answer, whatever its status.
    ///
    /// # Errors
    /// [`Code::PolicyDenied`] for a URL that is not on the host's list, [`Code::Timeout`],
    /// [`Code::Limit`], and [`Code::Died`] where nobody answers.
    pub fn send(self) -> Result<Response> {
        let (scheme, authority, path) = split(&self.url)?;
        let fields = Fields::from_list(&self.headers)
            .map_err(|error| Error::new(Code::Invalid, format!("headers: {error}")))?;
        let request = OutgoingRequest::new(fields);
        let set = request
            .set_method(&self.method)
            .and_then(|()| request.set_scheme(Some(&scheme)))
            .and_then(|()| request.set_authority(Some(authority)))
            .and_then(|()| request.set_path_with_query(Some(path)));
        set.map_err(|()| Error::new(Code::Invalid, format!("not a URL: {}", self.url)))?;
        let body = request
            .body()
            .map_err(|()| Error::new(Code::Invalid, "the body is gone"))?;
        let answer = outgoing_handler::handle(request, None).map_err(|code| failure(&code))?;
        // Where the host refuses, the answer says why, not the body.
        let written = write(body, &self.body);
        loop {
            if let Some(answer) = answer.get() {
                let answer = answer.map_err(|()| Error::corrupt("taken twice"))?;
                return Response::new(answer.map_err(|code| failure(&code))?);
            }
            if let Err(error) = &written
                && error.code != Code::Died
            {
                return Err(error.clone());
            }
            answer.subscribe().block();
        }
    }
}

/// Scheme, authority and the rest; the host reads the URL again and judges it.
fn split(url: &str) -> Result<(Scheme, &str, &str)> {
    let (scheme, rest) = match url.split_once("://") {
        Some(("https", rest)) => (Scheme::Https, rest),
        Some(("http", rest)) => (Scheme::Http, rest),
        _ => return Err(Error::new(Code::Invalid, format!("not a URL: {url}"))),
    };
    let end = rest.find(['/', '?']).unwrap_or(rest.len());
    Ok((scheme, &rest[..end], &rest[end..]))
}

fn write(body: OutgoingBody, mut bytes: &[u8]) -> Result<()> {
    let broken = |_: StreamError| Error::new(Code::Died, "the request broke off");
    let stream = body
        .write()
        .map_err(|()| Error::new(Code::Invalid, "the body is gone"))?;
    while !bytes.is_empty() {
        let room = usize::try_from(stream.check_write().map_err(broken)?).unwrap_or(usize::MAX);
        if room == 0 {
            stream.subscribe().block();
            continue;
        }
        let (now, later) = bytes.split_at(room.min(bytes.len()));
        stream.write(now).map_err(broken)?;
        bytes = later;
    }
    stream.flush().map_err(broken)?;
    stream.subscribe().block();
    drop(stream);
    OutgoingBody::finish(body, None).map_err(|code| failure(&code))
}

/// An answer whose head is there.
#[derive(Debug)]
pub struct Response {
    status: u16,
    headers: Vec<(String, Vec<u8>)>,
    // In this order: a stream ends before its body, a body before its response.
    stream: InputStream,
    body: IncomingBody,
    _response: IncomingResponse,
}

impl Response {
    fn new(response: IncomingResponse) -> Result<Response> {
        let taken = |()| Error::corrupt("its body is gone");
        let body = response.consume().map_err(taken)?;
        Ok(Response {
            status: response.status(),
            headers: response.headers().entries(),
            stream: body.stream().map_err(taken)?,
            body,
            _response: response,
        })
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.status
    }

    /// A header that is text.
    pub fn header(&self, name: &str) -> Option<&str> {
        let found = self
            .headers
            .iter()
            .find(|(given, _)| given.eq_ignore_ascii_case(name))?;
        std::str::from_utf8(&found.1).ok()
    }

    /// The same, where the status is 2xx.
    ///
    /// # Errors
    /// What the status stands for, with the beginning of the body as its message: 404 is
    /// [`Code::NotFound`], 401 and 403 [`Code::PolicyDenied`], 409 [`Code::Conflict`], 429 and 507
    /// [`Code::Limit`], 408 and 504 [`Code::Timeout`], 502 and 503 [`Code::SandboxUnavailable`],
    /// other 4xx [`Code::Invalid`], the rest [`Code::Died`].
    pub fn success(self) -> Result<Response> {
        match self.status {
            200..300 => Ok(self),
            _ => Err(self.error()),
        }
    }

    /// The error that the status stands for; see [`Response::success`].
    pub fn error(mut self) -> Error {
        let code = match self.status {
            404 => Code::NotFound,
            401 | 403 => Code::PolicyDenied,
            409 => Code::Conflict,
            429 | 507 => Code::Limit,
            408 | 504 => Code::Timeout,
            502 | 503 => Code::SandboxUnavailable,
            400..500 => Code::Invalid,
            _ => Code::Died,
        };
        let mut text = self.read(64 << 10).unwrap_or_default();
        text.truncate(1 << 10);
        let text = String::from_utf8_lossy(&text);
        let error = Error::new(code, format!("status {}: {}", self.status, text.trim()));
        match self.status {
            429 | 503 | 504 => error.again(),
            _ => error,
        }
    }

    /// The next piece of the body; nothing at its end. Waits.
    ///
    /// # Errors
    /// [`Code::Died`] where it breaks off, or exceeds what the host allows.
    pub fn piece(&mut self) -> Result<Option<Vec<u8>>> {
        loop {
            match self.stream.blocking_read(PIECE) {
                Ok(piece) if piece.is_empty() => {}
                Ok(piece) => return Ok(Some(piece)),
                Err(StreamError::Closed) => return Ok(None),
                Err(StreamError::LastOperationFailed(error)) => {
                    return Err(broken(&error.to_debug_string()));
                }
            }
        }
    }

    /// As [`Response::piece`], without waiting.
    ///
    /// # Errors
    /// As [`Response::piece`].
    pub fn try_piece(&mut self) -> Result<Poll<Option<Vec<u8>>>> {
        match self.stream.read(PIECE) {
            Ok(piece) if piece.is_empty() => Ok(Poll::Pending),
            Ok(piece) => Ok(Poll::Ready(Some(piece))),
            Err(StreamError::Closed) => Ok(Poll::Ready(None)),
            Err(StreamError::LastOperationFailed(error)) => Err(broken(&error.to_debug_string())),
        }
    }

    /// Waits until one of the answers may have a piece, or its end.
    pub fn wait(answers: &[&Response]) {
        let pollables: Vec<_> = answers
            .iter()
            .map(|answer| answer.stream.subscribe())
            .collect();
        if !pollables.is_empty() {
            poll(&pollables.iter().collect::<Vec<_>>());
        }
    }

    /// What follows the body, the rest of which is left out. Waits.
    ///
    /// # Errors
    /// [`Code::Died`] where it breaks off.
    pub fn trailers(self) -> Result<Vec<(String, Vec<u8>)>> {
        drop(self.stream);
        let trailers = IncomingBody::finish(self.body);
        loop {
            if let Some(told) = trailers.get() {
                let told = told.map_err(|()| Error::corrupt("taken twice"))?;
                let told = told.map_err(|code| broken(&code.to_string()))?;
                return Ok(told.map(|fields| fields.entries()).unwrap_or_default());
            }
            trailers.subscribe().block();
        }
    }

    /// Hands the lines of the body on as they come, without their ends, until `take` says that it has heard all or
    /// the body ends; what follows the last end of a line is left out.
    ///
    /// # Errors
    /// Those of `take`, [`Code::Corrupt`] for a line of more than 64 MiB, and as [`Response::piece`].
    pub fn lines(&mut self, mut take: impl FnMut(&[u8]) -> Result<bool>) -> Result<()> {
        let mut pending = Vec::new();
        while let Some(piece) = self.piece()? {
            let from = pending.len();
            pending.extend_from_slice(&piece);
            let Some(end) = pending[from..].iter().rposition(|byte| *byte == b'\n') else {
                if pending.len() > LINE {
                    return Err(Error::corrupt("a line without an end"));
                }
                continue;
            };
            let rest = pending.split_off(from + end + 1);
            pending.pop();
            for line in pending.split(|byte| *byte == b'\n') {
                if take(line)? {
                    return Ok(());
                }
            }
            pending = rest;
        }
        Ok(())
    }

    /// The whole body.
    ///
    /// # Errors
    /// [`Code::Limit`] beyond `limit` bytes; as [`Response::piece`].
    pub fn read(&mut self, limit: usize) -> Result<Vec<u8>> {
        // A vector that grows has twice the bytes at times, and the memory is limited.
        let told = self.header("content-length");
        let told: usize = told.and_then(|text| text.parse().ok()).unwrap_or(0);
        let mut all = Vec::with_capacity(told.min(limit));
        while let Some(piece) = self.piece()? {
            all.extend_from_slice(&piece);
            if all.len() > limit {
                let message = format!("limit reached: the answer has more than {limit} bytes");
                return Err(Error::new(Code::Limit, message));
            }
        }
        Ok(all)
    }

    /// The body as JSON, at most 4 MiB.
    ///
    /// # Errors
    /// [`Code::Corrupt`] for anything else; as [`Response::read`].
    pub fn json<T: DeserializeOwned>(mut self) -> Result<T> {
        let body = self.read(JSON_BYTES)?;
        serde_json::from_slice(&body).map_err(Error::corrupt)
    }
}

/// A text as a part of a URL: everything but letters, digits and `-_.~` is written as `%XX`.
pub fn encoded(text: &str) -> String {
    let mut encoded = String::with_capacity(text.len());
    for byte in text.bytes() {
        match byte {
            b'a'..=b'z' | b'A'..=b'Z' | b'0'..=b'9' | b'-' | b'_' | b'.' | b'~' => {
                encoded.push(char::from(byte));
            }
            _ => encoded.push_str(&format!("%{byte:02X}")),
        }
    }
    encoded
}

fn broken(why: &str) -> Error {
    Error::new(Code::Died, format!("the answer broke off: {why}"))
}

/// What the host says of a request that got no answer.
fn failure(code: &ErrorCode) -> Error {
    let kind = match code {
        ErrorCode::HttpRequestDenied | ErrorCode::DestinationIpProhibited => Code::PolicyDenied,
        ErrorCode::ConnectionTimeout
        | ErrorCode::HttpResponseTimeout
        | ErrorCode::ConnectionReadTimeout => Code::Timeout,
        ErrorCode::HttpRequestBodySize(_)
        | ErrorCode::HttpResponseBodySize(_)
        | ErrorCode::HttpRequestHeaderSectionSize(_)
        | ErrorCode::HttpResponseHeaderSectionSize(_) => Code::Limit,
        ErrorCode::HttpRequestUriInvalid | ErrorCode::HttpProtocolError => Code::Invalid,
        _ => Code::Died,
    };
    let error = Error::new(kind, format!("no answer: {code}"));
    match kind {
        Code::Died | Code::Timeout => error.again(),
        _ => error,
    }
}
