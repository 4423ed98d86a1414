//! HTTP as far as it is the same for all routes: bodies, answers, connections.

use super::failure::{Code, Failure, Result};
use bytes::Bytes;
use futures::stream::{Stream, StreamExt};
use http::{HeaderValue, StatusCode, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use hyper_util::server::graceful::GracefulShutdown;
use serde::Serialize;
use std::convert::Infallible;
use std::pin::Pin;
use std::time::Duration;
use tokio::net::TcpListener;

/// When no connection can be taken, for want of descriptors mostly, the next try is so much later.
const PAUSE: Duration = Duration::from_millis(50);

/// Why a body broke off.
pub(super) type BoxError = Box<dyn std::error::Error + Send + Sync>;

fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> BoxError {
    Box::new(error)
}

/// What is sent with a request or an answer.
pub(super) type Body = UnsyncBoxBody<Bytes, BoxError>;

pub(super) type Request = http::Request<Body>;

pub(super) type Response = http::Response<Body>;

/// The content of a body as it comes.
pub(super) type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;

/// A body that is there as a whole.
pub(super) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(boxed).boxed_unsync()
}

/// A body that comes chunk by chunk.
pub(super) fn stream(chunks: impl Stream<Item = Bytes> + Send + 'static) -> Body {
    fallible(chunks.map(Ok))
}

/// A body that may break off.
pub(super) fn fallible(
    chunks: impl Stream<Item = std::result::Result<Bytes, BoxError>> + Send + 'static,
) -> Body {
    StreamBody::new(chunks.map(|chunk| chunk.map(Frame::data))).boxed_unsync()
}

/// Takes a body apart.
pub(super) fn chunks(body: Body) -> Chunks {
    let chunks = body.into_data_stream();
    Box::pin(chunks.map(|chunk| chunk.map_err(|error| Failure::invalid(error.to_string()))))
}

/// All of a body that has at most `limit` bytes.
pub(super) async fn collect(body: Body, limit: usize) -> Result<Vec<u8>> {
    let mut chunks = chunks(body);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > limit {
            let message = format!("a body of more than {limit} bytes");
            return Err(Failure::new(Code::ResourceExhausted, message));
        }
    }
    Ok(bytes)
}

/// Reads what nobody wants of a body. A connection with something unread is closed behind the answer,
/// and a client that sends its next request on it would not know whether it was looked at.
pub(super) async fn drain(body: Body) {
    // More is not read for the sake of a connection.
    let _ = collect(body, 1 << 20).await;
}

/// An answer without a body.
pub(super) fn empty(status: StatusCode) -> Response {
    let mut response = http::Response::new(full(Bytes::new()));
    *response.status_mut() = status;
    response
}

/// An answer of this content type.
pub(super) fn typed(content_type: &str, body: Body) -> Response {
    let mut response = http::Response::new(body);
    if let Ok(value) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

/// An answer in JSON.
pub(super) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            let mut response = typed("application/json", full(bytes));
            *response.status_mut() = status;
            response
        }
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}

/// Nothing is served there.
pub(super) fn no_route() -> Failure {
    Failure::new(Code::NotFound, "there is no such route")
}

/// Serves connections until `closed` is done, and then to the end of the requests that are in flight.
pub(super) async fn serve<F>(
    listener: TcpListener,
    closed: impl Future<Output = ()> + Send + 'static,
    answer: impl Fn(Request) -> F + Clone + Send + 'static,
) -> std::io::Result<()>
where
    F: Future<Output = Response> + Send + 'static,
{
    let graceful = GracefulShutdown::new();
    tokio::pin!(closed);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            () = &mut closed => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        // Small answers are waited for.
        stream.set_nodelay(true)?;
        let answer = answer.clone();
        let service = service_fn(move |request: http::Request<Incoming>| {
            let request = request.map(|body| body.map_err(boxed).boxed_unsync());
            let answer = answer(request);
            async move { Ok::<_, Infallible>(answer.await) }
        });
        let mut server = auto::Builder::new(TokioExecutor::new());
        // With a timer, a client that is slow with its headers is given up.
        server.http1().timer(TokioTimer::new());
        let connection = server
            .serve_connection(TokioIo::new(stream), service)
            .into_owned();
        let connection = graceful.watch(connection);
        // What goes wrong on a connection is known to its client.
        tokio::spawn(async move { drop(connection.await) });
    }
    drop(listener);
    graceful.shutdown().await;
    Ok(())
}
