//! An HTTP service on the loopback, in HTTP/1.1 or HTTP/2.

use bytes::Bytes;
use futures::stream::{Stream, StreamExt};
use http_body_util::combinators::UnsyncBoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::service::service_fn;
use hyper::upgrade::{OnUpgrade, Upgraded};
use hyper_util::rt::TokioIo;
use serde_json::Value;
use std::collections::HashMap;
use std::convert::Infallible;
use std::future::Future;
use std::io;
use std::net::SocketAddr;
use std::path::Path;
use std::sync::{Arc, Mutex, PoisonError};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::net::TcpListener;
use tokio::sync::watch;
use tokio::task::{JoinHandle, JoinSet};
use tokio_rustls::TlsAcceptor;
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::derive_accept_key;
use tokio_tungstenite::tungstenite::protocol::Role;

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
    /// Whether it came over TLS.
    pub secure: bool,
    /// The name that it was sent to.
    authority: String,
    /// What the connection becomes where the answer says so.
    upgrade: OnUpgrade,
    /// Ends with the service.
    over: watch::Receiver<()>,
}

/// A connection that both sides send messages over.
pub type WebSocket = WebSocketStream<TokioIo<Upgraded>>;

impl Request {
    /// A header that is text, or nothing.
    pub fn header(&self, name: &str) -> &str {
        let value = self.headers.get(name);
        value
            .and_then(|value| value.to_str().ok())
            .unwrap_or_default()
    }

    /// The name that it was sent to, with its port.
    pub fn authority(&self) -> &str {
        match self.authority.as_str() {
            "" => self.header("host"),
            authority => authority,
        }
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

    /// The same with a header.
    #[must_use]
    pub fn header(mut self, name: &'static str, value: http::HeaderValue) -> Answer {
        self.0.headers_mut().insert(name, value);
        self
    }

    /// A body that comes in pieces; an error breaks the connection off.
    pub fn stream(
        kind: &str,
        pieces: impl Stream<Item = io::Result<Bytes>> + Send + 'static,
    ) -> Answer {
        let frames = pieces.map(|piece| piece.map(Frame::data));
        Answer::with(200, kind, StreamBody::new(frames).boxed_unsync())
    }

    /// An answer whose body is frames, the last of which may be trailers.
    pub fn frames(
        headers: &[(&'static str, String)],
        frames: impl Stream<Item = Frame<Bytes>> + Send + 'static,
    ) -> Answer {
        let body = StreamBody::new(frames.map(Ok)).boxed_unsync();
        let mut answer = Answer::with(200, "", body);
        let fields = answer.0.headers_mut();
        fields.clear();
        for (name, value) in headers {
            if let Ok(value) = value.parse() {
                fields.insert(*name, value);
            }
        }
        answer
    }

    /// A WebSocket, over which `talk` goes until it ends or the service does.
    pub fn websocket<F>(
        request: Request,
        talk: impl FnOnce(WebSocket) -> F + Send + 'static,
    ) -> Answer
    where
        F: Future<Output = ()> + Send + 'static,
    {
        let key = request.header("sec-websocket-key");
        if key.is_empty() || !request.header("upgrade").eq_ignore_ascii_case("websocket") {
            return Answer::new(426, "text/plain", "a WebSocket is needed");
        }
        let accept = derive_accept_key(key.as_bytes());
        let (upgrade, mut over) = (request.upgrade, request.over);
        tokio::spawn(async move {
            let talked = async {
                if let Ok(upgraded) = upgrade.await {
                    let upgraded = TokioIo::new(upgraded);
                    let socket = WebSocketStream::from_raw_socket(upgraded, Role::Server, None);
                    talk(socket.await).await;
                }
            };
            tokio::select! {
                () = talked => {}
                _ = over.changed() => {}
            }
        });
        let mut answer = Answer::new(101, "text/plain", "");
        let headers = answer.0.headers_mut();
        headers.remove(http::header::CONTENT_TYPE);
        for (name, value) in [
            (http::header::CONNECTION, "Upgrade"),
            (http::header::UPGRADE, "websocket"),
            (http::header::SEC_WEBSOCKET_ACCEPT, accept.as_str()),
        ] {
            if let Ok(value) = value.parse() {
                headers.insert(name, value);
            }
        }
        answer
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
    alive: watch::Sender<()>,
    task: JoinHandle<()>,
    secured: Option<Secured>,
}

/// The same service over TLS.
#[derive(Debug)]
struct Secured {
    address: SocketAddr,
    task: JoinHandle<()>,
    certificate: tempfile::NamedTempFile,
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
        Service::plain(handler, Protocol::Http1).await
    }

    /// The same in HTTP/2 alone, from the first byte on.
    ///
    /// # Errors
    /// Where there is no port.
    pub async fn http2<H, F>(handler: H) -> io::Result<Service>
    where
        H: Fn(Request) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        Service::plain(handler, Protocol::Http2).await
    }

    async fn plain<H, F>(handler: H, protocol: Protocol) -> io::Result<Service>
    where
        H: Fn(Request) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        let (handler, seen) = (Arc::new(handler), Arc::default());
        let (alive, over) = watch::channel(());
        let (address, task) = listen(protocol, over, handler, &seen).await?;
        Ok(Service {
            address,
            seen,
            alive,
            task,
            secured: None,
        })
    }

    /// The same, at a second port over TLS with a certificate of its own, for clients that take nothing less.
    ///
    /// # Errors
    /// Where there is no port, or no certificate can be made.
    pub async fn with_tls<H, F>(handler: H) -> io::Result<Service>
    where
        H: Fn(Request) -> F + Send + Sync + 'static,
        F: Future<Output = Answer> + Send + 'static,
    {
        let made = rcgen::generate_simple_self_signed(["127.0.0.1".to_owned()]);
        let made = made.map_err(io::Error::other)?;
        let certificate = tempfile::NamedTempFile::with_suffix(".pem")?;
        std::fs::write(certificate.path(), made.cert.pem())?;
        let key = rustls::pki_types::PrivatePkcs8KeyDer::from(made.signing_key.serialize_der());
        let provider = Arc::new(rustls::crypto::ring::default_provider());
        let config = rustls::ServerConfig::builder_with_provider(provider)
            .with_safe_default_protocol_versions()
            .map(|builder| builder.with_no_client_auth())
            .and_then(|builder| builder.with_single_cert(vec![made.cert.der().clone()], key.into()))
            .map_err(io::Error::other)?;
        let (handler, seen) = (Arc::new(handler), Arc::default());
        let (alive, over) = watch::channel(());
        let plain = Arc::clone(&handler);
        let (address, task) = listen(Protocol::Http1, over.clone(), plain, &seen).await?;
        let protocol = Protocol::Secure(TlsAcceptor::from(Arc::new(config)));
        let (secured, secured_task) = listen(protocol, over, handler, &seen).await?;
        Ok(Service {
            address,
            seen,
            alive,
            task,
            secured: Some(Secured {
                address: secured,
                task: secured_task,
                certificate,
            }),
        })
    }

    /// Where it is.
    pub fn url(&self) -> String {
        format!("http://{}", self.address)
    }

    /// Where it is over TLS, and the file with the certificate to trust, where there is that.
    pub fn secured(&self) -> Option<(String, &Path)> {
        let secured = self.secured.as_ref()?;
        let url = format!("https://{}", secured.address);
        Some((url, secured.certificate.path()))
    }

    /// All that was asked and answered so far.
    pub fn seen(&self) -> Vec<Seen> {
        let seen = self.seen.lock().unwrap_or_else(PoisonError::into_inner);
        seen.clone()
    }

    /// Ends it in the middle of whatever it does, and returns when nothing of it answers any more.
    pub async fn end(self) {
        drop(self.alive);
        let tasks = self.secured.map(|secured| secured.task);
        for task in tasks.into_iter().chain([self.task]) {
            // An error here is a panic of the task, which has ended, too.
            let _ = task.await;
        }
    }
}

/// What a port speaks.
#[derive(Clone)]
enum Protocol {
    Http1,
    Http2,
    /// HTTP/1.1 over TLS.
    Secure(TlsAcceptor),
}

async fn listen<H, F>(
    protocol: Protocol,
    over: watch::Receiver<()>,
    handler: Arc<H>,
    seen: &Arc<Mutex<Vec<Seen>>>,
) -> io::Result<(SocketAddr, JoinHandle<()>)>
where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let listener = TcpListener::bind("127.0.0.1:0").await?;
    let address = listener.local_addr()?;
    let task = tokio::spawn(accept(listener, protocol, over, handler, Arc::clone(seen)));
    Ok((address, task))
}

async fn accept<H, F>(
    listener: TcpListener,
    protocol: Protocol,
    mut over: watch::Receiver<()>,
    handler: Arc<H>,
    seen: Arc<Mutex<Vec<Seen>>>,
) where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let mut connections = JoinSet::new();
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            _ = over.changed() => break,
        };
        let Ok((stream, _)) = accepted else { break };
        while connections.try_join_next().is_some() {}
        let (handler, seen) = (Arc::clone(&handler), Arc::clone(&seen));
        let (protocol, over) = (protocol.clone(), over.clone());
        connections.spawn(async move {
            match protocol {
                Protocol::Http1 => serve(stream, false, over, handler, seen).await,
                Protocol::Http2 => serve_http2(stream, over, handler, seen).await,
                Protocol::Secure(acceptor) => {
                    if let Ok(stream) = acceptor.accept(stream).await {
                        serve(stream, true, over, handler, seen).await;
                    }
                }
            }
        });
    }
    drop(listener);
    connections.shutdown().await;
}

async fn serve<S, H, F>(
    stream: S,
    secure: bool,
    over: watch::Receiver<()>,
    handler: Arc<H>,
    seen: Arc<Mutex<Vec<Seen>>>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let service = service_fn(move |request| {
        let (over, handler) = (over.clone(), Arc::clone(&handler));
        answered(request, (secure, over), handler, Arc::clone(&seen))
    });
    let connection = hyper::server::conn::http1::Builder::new();
    // How a connection ends is its client's affair.
    let _ = connection
        .serve_connection(TokioIo::new(stream), service)
        .with_upgrades()
        .await;
}

async fn serve_http2<S, H, F>(
    stream: S,
    over: watch::Receiver<()>,
    handler: Arc<H>,
    seen: Arc<Mutex<Vec<Seen>>>,
) where
    S: AsyncRead + AsyncWrite + Unpin + Send + 'static,
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let mut ended = over.clone();
    let service = service_fn(move |request| {
        let (over, handler) = (over.clone(), Arc::clone(&handler));
        answered(request, (false, over), handler, Arc::clone(&seen))
    });
    // Its streams are tasks of their own, which end with the service too.
    let connection = hyper::server::conn::http2::Builder::new(Streams(ended.clone()))
        .serve_connection(TokioIo::new(stream), service);
    tokio::select! {
        _ = connection => {}
        _ = ended.changed() => {}
    }
}

/// Runs the streams of a connection until the service ends.
#[derive(Clone)]
struct Streams(watch::Receiver<()>);

impl<F: Future<Output: Send> + Send + 'static> hyper::rt::Executor<F> for Streams {
    fn execute(&self, stream: F) {
        let mut over = self.0.clone();
        tokio::spawn(async move {
            tokio::select! {
                _ = stream => {}
                _ = over.changed() => {}
            }
        });
    }
}

async fn answered<H, F>(
    mut request: http::Request<Incoming>,
    (secure, over): (bool, watch::Receiver<()>),
    handler: Arc<H>,
    seen: Arc<Mutex<Vec<Seen>>>,
) -> Result<http::Response<UnsyncBoxBody<Bytes, io::Error>>, Infallible>
where
    H: Fn(Request) -> F + Send + Sync + 'static,
    F: Future<Output = Answer> + Send + 'static,
{
    let upgrade = hyper::upgrade::on(&mut request);
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
                secure,
                authority: parts
                    .uri
                    .authority()
                    .map(ToString::to_string)
                    .unwrap_or_default(),
                upgrade,
                over,
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
