//! HTTP as far as it is the same for all routes: bodies and answers.

use bytes::Bytes;
use futures::stream::{Stream, StreamExt};
use http::{HeaderValue, StatusCode, header};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Body as _, Frame};
use serde::Serialize;
use std::pin::Pin;
use std::time::Duration;

/// The longest pause between two pieces of a body that is read as a whole. A client that is slower holds
/// what it has sent, and a connection.
const PAUSE: Duration = Duration::from_secs(30);

/// What is read of a body that nobody wants, and how long: a stranger can send it.
const UNWANTED: (usize, Duration) = (1 << 20, Duration::from_secs(2));

/// Why a body broke off.
pub(crate) type BoxError = Box<dyn std::error::Error + Send + Sync>;

pub(crate) fn boxed(error: impl std::error::Error + Send + Sync + 'static) -> BoxError {
    Box::new(error)
}

/// What is sent with a request or an answer.
pub(crate) type Body = UnsyncBoxBody<Bytes, BoxError>;

pub(crate) type Request = http::Request<Body>;

pub(crate) type Response = http::Response<Body>;

/// Why a body was not read to its end.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Unread {
    /// It broke off, with what the connection says.
    #[error("{0}")]
    Broken(String),
    /// It stopped coming.
    #[error("the body does not go on")]
    Late,
    /// It has more bytes than are taken.
    #[error("a body of more than {0} bytes")]
    TooLong(usize),
}

type Result<T> = std::result::Result<T, Unread>;

/// The content of a body as it comes.
pub(crate) type Chunks = Pin<Box<dyn Stream<Item = Result<Bytes>> + Send>>;

/// A body that is there as a whole.
pub(crate) fn full(bytes: impl Into<Bytes>) -> Body {
    Full::new(bytes.into()).map_err(boxed).boxed_unsync()
}

/// A body that comes chunk by chunk.
pub(crate) fn stream(chunks: impl Stream<Item = Bytes> + Send + 'static) -> Body {
    fallible(chunks.map(Ok))
}

/// A body that may break off.
pub(crate) fn fallible(
    chunks: impl Stream<Item = std::result::Result<Bytes, BoxError>> + Send + 'static,
) -> Body {
    StreamBody::new(chunks.map(|chunk| chunk.map(Frame::data))).boxed_unsync()
}

/// Takes a body apart.
pub(crate) fn chunks(body: Body) -> Chunks {
    let chunks = body.into_data_stream();
    Box::pin(chunks.map(|chunk| chunk.map_err(|error| Unread::Broken(error.to_string()))))
}

/// The same for a body that is read as a whole, which must go on coming.
pub(crate) fn steady_chunks(body: Body) -> Chunks {
    let pieces = futures::stream::unfold(chunks(body), |mut chunks| async move {
        let chunk = match tokio::time::timeout(PAUSE, chunks.next()).await {
            Ok(chunk) => chunk?,
            Err(_) => Err(Unread::Late),
        };
        Some((chunk, chunks))
    });
    Box::pin(pieces)
}

/// Refuses a body that says that it has more than `limit` bytes.
pub(crate) fn check_length(body: &Body, limit: usize) -> Result<()> {
    match usize::try_from(body.size_hint().lower()) {
        Ok(length) if length <= limit => Ok(()),
        _ => Err(Unread::TooLong(limit)),
    }
}

/// All of a body that has at most `limit` bytes.
pub(crate) async fn collect(body: Body, limit: usize) -> Result<Vec<u8>> {
    check_length(&body, limit)?;
    let mut chunks = steady_chunks(body);
    let mut bytes = Vec::new();
    while let Some(chunk) = chunks.next().await {
        bytes.extend_from_slice(&chunk?);
        if bytes.len() > limit {
            return Err(Unread::TooLong(limit));
        }
    }
    Ok(bytes)
}

/// Reads what nobody wants of a body. A connection with something unread is closed behind the answer,
/// and a client that sends its next request on it would not know whether it was looked at.
pub(crate) async fn drain(body: Body) {
    let (limit, time) = UNWANTED;
    // More is not read for the sake of a connection.
    let _ = tokio::time::timeout(time, collect(body, limit)).await;
}

/// An answer without a body.
pub(crate) fn empty(status: StatusCode) -> Response {
    let mut response = http::Response::new(full(Bytes::new()));
    *response.status_mut() = status;
    response
}

/// An answer of this content type.
pub(crate) fn typed(content_type: &str, body: Body) -> Response {
    let mut response = http::Response::new(body);
    if let Ok(value) = HeaderValue::from_str(content_type) {
        response.headers_mut().insert(header::CONTENT_TYPE, value);
    }
    response
}

/// An answer in JSON.
pub(crate) fn json(status: StatusCode, value: &impl Serialize) -> Response {
    match serde_json::to_vec(value) {
        Ok(bytes) => {
            let mut response = typed("application/json", full(bytes));
            *response.status_mut() = status;
            response
        }
        Err(_) => empty(StatusCode::INTERNAL_SERVER_ERROR),
    }
}
