//! An HTTP service on the loopback.

use bytes::Bytes;
use futures::stream::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::net::TcpListener;
use tokio::task::{JoinHandle, JoinSet};

/// A request as it came.
#[derive(Debug)]
pub struct Request {
    /// The method.
    pub method: String,
    /// The parts of the path, decoded.
    pub path: Vec<String>,
    /// The query, decoded; of a name that is there twice, the last.
    pub query: HashMap<String, String>,
    /// The headers.
    pub headers: http::HeaderMap,
    /// The body.
    pub body: Bytes,
}

impl Request {
    /// A header that is text, or nothing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The body as JSON; null where it is none.
    pub fn json(&self) -> Value {
        serde_json::from_slice(&self.body).unwrap_or_default()
    }
}

/// What is answered.
pub struct Answer(http::Response<UnsyncBoxBody<Bytes, io::Error>>);

impl std::fmt::Debug for Answer {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("Answer").field(&self.0.status()).finish()
    }
}

impl Answer {
    fn with(status: u16, kind: &str, body: UnsyncBoxBody<Bytes, io::Error>) -> Answer {
        let mut response = http::Response::new(body);
        let status = http::StatusCode::from_u16(status);
        *response.status_mut() = status.unwrap_or(http::StatusCode::INTERNAL_SERVER_ERROR);
        if let Ok(kind) = kind.parse() {
            response
                .headers_mut()
                .insert(http::header::CONTENT_TYPE, kind);
        }
        Answer(response)
    }

    /// An answer with a status, a type and a body.
    pub fn new(status: u16, kind: &str, body: impl Into<Bytes>) -> Answer {
        let body = Full::new(body.into()).map_err(|never| match never {});
        Answer::with(status, kind, body.boxed_unsync())
    }

    /// JSON.
    pub fn json(status: u16, value: &Value) -> Answer {
        Answer::new(status, "application/json", value.to_string())
    }

    /// A body that comes in pieces; an error breaks the connection off.
    pub fn stream(
        kind: &str,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Answer {
        let frames = pieces.map(|piece| piece.map(Frame::data));
        Answer::with(200, kind, StreamBody::new(frames).boxed_unsync())
    }

    /// The status.
    pub fn status(&self) -> u16 {
        self.0.status().as_u16()
    }
}

/// What was asked and what was answered.
#[derive(Debug, Clone)]
pub struct Seen {
    /// The method and the path as they came, query included.
    pub line: String,
    /// The headers, a line each.
    pub headers: String,
    /// The status of the answer.
    pub status: u16,
}

/// A service; dropping it breaks all of its connections off.
#[derive(Debug)]
pub struct Service {
    address: SocketAddr,
    seen: Arc<Mutex<Vec<Seen>>>,
    task: JoinHandle<()>,
}

impl Service {
    /// Serves on a free port of the loopback.
    ///
    /// # Errors
    /// Where there is no port.
    pub async fn start<H, F>(handler: H) -> io::Result<Service>
    where
        H: Fn(Request) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let seen: Arc<Mutex<Vec<Seen>>> = Arc::default();
        let task = tokio::spawn(accept(listener, Arc::new(handler), Arc::clone(&seen)));
        Ok(Service {
            address,
            seen,
            task,
        })
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// All that was asked and answered so far.
    pub fn seen(&self) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.clone()
    }

    /// Ends it in the middle of whatever it does.
    pub fn kill(&self) {
        self.task.abort();
    }
}

impl Drop for Service {
    fn drop(&mut self) {
        self.kill();
    }
}

async fn accept<H, F>(listener: TcpListener, handler: Arc<H>, seen: Arc<Mutex<Vec<Seen>>>)
where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    // They end with this task.
    let mut connections = JoinSet::new();
    while let Ok((stream, _)) = listener.accept().await {
        while connections.try_join_next().is_some() {}
        let (handler, seen) = (Arc::clone(&handler), Arc::clone(&seen));
        connections.spawn(async move {
            let service = service_fn(move |request| {
                answered(request, Arc::clone(&handler), Arc::clone(&seen))
            });
            let connection = hyper::server::conn::http1::Builder::new();
            // How a connection ends is its client's affair.
            let _ = connection
                .serve_connection(TokioIo::new(stream), service)
                .await;
        });
    }
}

async fn answered<H, F>(
    request: http::Request<Incoming>,
    handler: Arc<H>,
    seen: Arc<Mutex<Vec<Seen>>>,
) -> Result<http::Response<UnsyncBoxBody<Bytes, io::Error>>, Infallible>
where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let (parts, body) = request.into_parts();
    let line = format!("{} {}", parts.method, parts.uri);
    let headers: Vec<String> = parts
        .headers
        .iter()
        .map(|(name, value)| format!("{name}: {}", String::from_utf8_lossy(value.as_bytes())))
        .collect();
    let answer = match body.collect().await {
        Ok(body) => {
            let decoded = |part: &str| {
                let decoded = percent_encoding::percent_decode_str(part);
                decoded.decode_utf8_lossy().into_owned()
            };
            let query = parts.uri.query().unwrap_or_default();
            handler(Request {
                method: parts.method.to_string(),
                path: parts
                    .uri
                    .path()
                    .trim_matches('/')
                    .split('/')
                    .map(decoded)
                    .collect(),
                query: form_urlencoded::parse(query.as_bytes())
                    .into_owned()
                    .collect(),
                headers: parts.headers,
                body: body.to_bytes(),
            })
            .await
        }
        Err(error) => Answer::new(400, "text/plain", error.to_string()),
    };
    let status = answer.status();
    let one = Seen {
        line,
        headers: headers.join("\n"),
        status,
    };
    seen.lock()
        .unwrap_or_else(PoisonError::into_inner)
        .push(one);
    Ok(answer.0)
}
