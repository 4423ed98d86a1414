//! Connect RPC: unary calls and streams, in JSON or protobuf.

use super::access::Call;
use super::endpoint::Endpoint;
use super::failure::{Code, Failure, Result};
use super::frames::{self, Frames, LONGEST};
use crate::connection;
use crate::web::{self, Body, Request, Response};
use futures::stream::{self, Stream, StreamExt};
use http::{HeaderMap, StatusCode, header};
use serde::Serialize;
use serde::de::DeserializeOwned;
use std::sync::Arc;
use std::time::Duration;

/// Bytes of an answer that are written at once.
const QUICK: usize = 256 << 10;

/// A message that clients send.
pub(super) trait Query: prost::Message + Default + DeserializeOwned + 'static {}

impl<T> Query for T where T: prost::Message + Default + DeserializeOwned + 'static {}

/// A message that clients get.
pub(super) trait Answer: prost::Message + Serialize + 'static {}

impl<T> Answer for T where T: prost::Message + Serialize + 'static {}

/// How messages are written.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Codec {
    Json,
    Proto,
}

impl Codec {
    /// The codec of a request: `application/json` for unary calls, `application/connect+json` for
    /// streams.
    fn of(headers: &HeaderMap, prefix: &str) -> Option<Codec> {
        let named = headers.get(header::CONTENT_TYPE)?.to_str().ok()?;
        let essence = named.split(';').next()?.trim().to_ascii_lowercase();
        match essence.strip_prefix("application/")?.strip_prefix(prefix)? {
            "json" => Some(Codec::Json),
            "proto" => Some(Codec::Proto),
            _ => None,
        }
    }

    fn content_type(self, prefix: &str) -> String {
        let name = match self {
            Codec::Json => "json",
            Codec::Proto => "proto",
        };
        format!("application/{prefix}{name}")
    }

    fn decode<M: Query>(self, bytes: &[u8]) -> Result<M> {
        match self {
            // Connect lets an empty body stand for the empty message.
            Codec::Json if bytes.is_empty() => Ok(M::default()),
            Codec::Json => {
                serde_json::from_slice(bytes).map_err(|error| Failure::invalid(error.to_string()))
            }
            Codec::Proto => M::decode(bytes).map_err(|error| Failure::invalid(error.to_string())),
        }
    }

    fn encode<M: Answer>(self, message: &M) -> Result<Vec<u8>> {
        match self {
            Codec::Json => serde_json::to_vec(message)
                .map_err(|error| Failure::new(Code::Internal, error.to_string())),
            Codec::Proto => Ok(message.encode_to_vec()),
        }
    }
}

/// Serves a call with one message each way.
pub(super) async fn unary<Q, R, F>(
    endpoint: Endpoint,
    request: Request,
    handler: impl FnOnce(Call, Q) -> F,
) -> Response
where
    Q: Query,
    R: Answer,
    F: Future<Output = Result<R>>,
{
    let Some(codec) = Codec::of(request.headers(), "") else {
        return web::empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    };
    let done = async {
        refuse_compression(request.headers())?;
        let (call, body) = identify(&endpoint, request).await?;
        let body = web::collect(body, LONGEST).await?;
        let (timeout, entry) = (call.timeout, Arc::clone(&call.entry));
        let answer = handler(call, codec.decode(&body)?);
        let answer = within(timeout, answer).await?;
        entry.settle().await?;
        if answer.encoded_len() <= QUICK {
            return codec.encode(&answer);
        }
        // A worker has others to answer meanwhile.
        let written = tokio::task::spawn_blocking(move || codec.encode(&answer)).await;
        written.unwrap_or_else(|fault| Err(Failure::new(Code::Internal, fault.to_string())))
    };
    match done.await {
        Ok(bytes) => web::typed(&codec.content_type(""), web::full(bytes)),
        Err(failure) => failure.into_connect(),
    }
}

/// Serves a call that is answered with a stream. The client's time-out is left to the handler.
pub(super) async fn server_stream<Q, R, S, F>(
    endpoint: Endpoint,
    request: Request,
    handler: impl FnOnce(Call, Q) -> F,
) -> Response
where
    Q: Query,
    R: Answer,
    S: Stream<Item = Result<R>> + Send + 'static,
    F: Future<Output = Result<S>>,
{
    let Some(codec) = Codec::of(request.headers(), "connect+") else {
        return web::empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    };
    let started = async {
        let (call, body) = identify(&endpoint, request).await?;
        let query = only(body, codec).await?;
        handler(call, query).await
    };
    match started.await {
        Ok(items) => stream_response(codec, body(codec, items)),
        Err(failure) if failure.is_from_proxy() => failure.into_rest(),
        Err(failure) => stream_response(codec, web::full(frames::end(Some(&failure)))),
    }
}

/// Serves a call whose request is a stream and whose answer is one message.
pub(super) async fn client_stream<Q, R, F>(
    endpoint: Endpoint,
    request: Request,
    handler: impl FnOnce(Call, Messages<Q>) -> F,
) -> Response
where
    Q: Query,
    R: Answer,
    F: Future<Output = Result<R>>,
{
    let Some(codec) = Codec::of(request.headers(), "connect+") else {
        return web::empty(StatusCode::UNSUPPORTED_MEDIA_TYPE);
    };
    let done = async {
        let (call, body) = identify(&endpoint, request).await?;
        let timeout = call.timeout;
        let messages = Messages::new(body, codec);
        let answer = within(timeout, handler(call, messages)).await?;
        codec.encode(&answer)
    };
    let body = match done.await {
        Ok(bytes) => [&frames::message(&bytes)[..], &frames::end(None)].concat(),
        Err(failure) if failure.is_from_proxy() => return failure.into_rest(),
        Err(failure) => frames::end(Some(&failure)).to_vec(),
    };
    stream_response(codec, web::full(body))
}

/// The messages of a client's stream.
pub(super) struct Messages<Q> {
    frames: Frames,
    codec: Codec,
    message: std::marker::PhantomData<fn() -> Q>,
}

impl<Q: Query> Messages<Q> {
    fn new(body: Body, codec: Codec) -> Messages<Q> {
        Messages {
            frames: Frames::new(body),
            codec,
            message: std::marker::PhantomData,
        }
    }

    /// The next one; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Q>> {
        match self.frames.next().await? {
            Some(bytes) => Ok(Some(self.codec.decode(&bytes)?)),
            None => Ok(None),
        }
    }
}

/// Who calls, and the body that is to be read.
async fn identify(endpoint: &Endpoint, request: Request) -> Result<(Call, Body)> {
    let (parts, body) = request.into_parts();
    match Call::identify(endpoint, &parts.headers, None) {
        Ok(call) => {
            connection::trust(&parts.extensions);
            Ok((call, body))
        }
        Err(failure) => {
            web::drain(body).await;
            Err(failure)
        }
    }
}

/// The one message of a request that is answered with a stream.
async fn only<Q: Query>(body: Body, codec: Codec) -> Result<Q> {
    let mut messages = Messages::new(body, codec);
    let wrong = || Failure::invalid("the request must have one message");
    let message = messages.next().await?.ok_or_else(wrong)?;
    match messages.frames.next().await? {
        None => Ok(message),
        Some(_) => Err(wrong()),
    }
}

/// Messages in their envelopes, and the end.
fn body<R: Answer>(codec: Codec, items: impl Stream<Item = Result<R>> + Send + 'static) -> Body {
    let envelopes = stream::unfold(Some(Box::pin(items)), move |items| async move {
        let mut items = items?;
        let item = items.next().await;
        Some(
            match item.map(|item| item.and_then(|item| codec.encode(&item))) {
                Some(Ok(bytes)) => (frames::message(&bytes), Some(items)),
                Some(Err(failure)) => (frames::end(Some(&failure)), None),
                None => (frames::end(None), None),
            },
        )
    });
    web::stream(envelopes)
}

fn stream_response(codec: Codec, body: Body) -> Response {
    web::typed(&codec.content_type("connect+"), body)
}

/// Gives up after the time that the client set.
pub(super) async fn within<T>(
    timeout: Option<Duration>,
    work: impl Future<Output = Result<T>>,
) -> Result<T> {
    let Some(timeout) = timeout else {
        return work.await;
    };
    match tokio::time::timeout(timeout, work).await {
        Ok(done) => done,
        Err(_) => Err(Failure::new(
            Code::DeadlineExceeded,
            "the time given is over",
        )),
    }
}

fn refuse_compression(headers: &HeaderMap) -> Result<()> {
    match headers.get(header::CONTENT_ENCODING) {
        Some(encoding) if encoding != "identity" => {
            let message = "compressed messages are not offered";
            Err(Failure::new(Code::Unimplemented, message))
        }
        _ => Ok(()),
    }
}

/// The answer to a method that no service has.
pub(super) fn unknown(method: &str) -> Response {
    let message = format!("there is no method {method:?}");
    Failure::new(Code::Unimplemented, message).into_connect()
}
