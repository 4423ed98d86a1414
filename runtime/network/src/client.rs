//! Requests under a policy.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_LENGTH, HOST, PROXY_AUTHORIZATION, TE, TRAILER,
    TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderName, HeaderValue, Method};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::Instant;
use url::Url;

use crate::error::{Error, Result};
use crate::exchange::Exchange;
use crate::origin::{self, origin};
use crate::outgoing::{Connections, Piece, Way};
use crate::policy::Policy;
use crate::redact::Redactor;
use crate::resolve::Checked;
use crate::secret::Secret;
use crate::tls;

/// Headers of a request and of an answer, at most (T37).
pub(crate) const HEADERS: usize = 256;
/// Bytes of them, at most.
pub(crate) const HEADER_BYTES: usize = 64 << 10;
/// Pieces of an answer that wait for the reader.
pub(crate) const PIECES: usize = 4;
/// Bytes of one answer that are on their way by HTTP/2. A connection takes those of many, so that answers that nobody
/// reads hold up no other.
const STREAM_WINDOW: u32 = 1 << 20;
/// How long a connection waits for its next request.
const IDLE: Duration = Duration::from_secs(30);

/// What `TE` says of who takes trailers.
const TRAILERS: HeaderValue = HeaderValue::from_static("trailers");
/// The encoding that is none.
const IDENTITY: HeaderValue = HeaderValue::from_static("identity");
/// How the messages of an answer may be compressed, each by itself.
const GRPC_ACCEPT_ENCODING: HeaderName = HeaderName::from_static("grpc-accept-encoding");

/// What the connection itself says, which no request may.
const OF_THE_CONNECTION: [HeaderName; 7] = [
    CONNECTION,
    CONTENT_LENGTH,
    PROXY_AUTHORIZATION,
    TE,
    TRAILER,
    TRANSFER_ENCODING,
    UPGRADE,
];

/// One request.
#[derive(Debug, Clone)]
pub struct Request {
    /// The method.
    pub method: Method,
    /// Where to; made with [`Request::new`], so that one parser reads it for all purposes.
    pub(crate) url: Url,
    /// Its headers. Those that belong to the connection are left out; `Host` is refused.
    pub headers: HeaderMap,
    /// Its body.
    pub body: Bytes,
    /// What follows the body, without any secret of the host's; nothing is sent where it is empty.
    pub trailers: HeaderMap,
    /// Whether HTTP/2 is spoken and nothing else: over TLS where the server offers it, without TLS from the first
    /// byte on. `TE: trailers` is sent then where the headers have it, as gRPC demands.
    pub http2: bool,
    /// Credentials of this request alone.
    secrets: Vec<Secret>,
}

impl Request {
    /// A request without headers and body.
    ///
    /// # Errors
    /// `INVALID` for what is no `http` or `https` URL, or has a name or password in it.
    pub fn new(method: Method, url: &str) -> Result<Request> {
        Ok(Request {
            method,
            url: origin::http_url(url)?,
            headers: HeaderMap::new(),
            body: Bytes::new(),
            trailers: HeaderMap::new(),
            http2: false,
            secrets: Vec::new(),
        })
    }

    /// The same with a credential beside those of the policy: for tokens that came with an answer.
    /// It is used for its own origin only, and taken out of the answer like the others.
    #[must_use]
    pub fn secret(mut self, secret: Secret) -> Request {
        self.secrets.push(secret);
        self
    }

    /// Where to.
    pub fn url(&self) -> &Url {
        &self.url
    }

    /// The refusal of this request, for who judges it beside a policy.
    pub fn denied(&self) -> Error {
        Error::Denied {
            method: self.method.to_string(),
            origin: origin(&self.url),
        }
    }
}

/// The beginning of an answer; its body follows in pieces.
///
/// Dropping it breaks the exchange off.
#[derive(Debug)]
pub struct Response {
    /// The status.
    pub status: u16,
    /// The version: `HTTP/1.1`, `HTTP/2.0`.
    pub version: http::Version,
    /// Its headers, without the host's secrets.
    pub headers: HeaderMap,
    pub(crate) pieces: mpsc::Receiver<Result<Piece>>,
    pub(crate) trailers: HeaderMap,
    pub(crate) _task: Task,
}

impl Response {
    /// The next piece of the body; none at its end.
    ///
    /// # Errors
    /// `LIMIT` beyond the policy's size, `TIMEOUT` beyond its time, `DIED` where the other side
    /// broke off. What came before has been delivered.
    pub async fn piece(&mut self) -> Result<Option<Bytes>> {
        Ok(match self.pieces.recv().await.transpose()? {
            Some(Piece::Data(bytes)) => Some(bytes),
            Some(Piece::Trailers(trailers)) => {
                self.trailers = trailers;
                None
            }
            None => None,
        })
    }

    /// What followed the body, without the host's secrets; empty until [`Response::piece`] told its end.
    pub fn trailers(&self) -> &HeaderMap {
        &self.trailers
    }

    /// The whole body.
    ///
    /// # Errors
    /// As [`Response::piece`].
    pub async fn body(&mut self) -> Result<Vec<u8>> {
        let mut all = Vec::new();
        while let Some(piece) = self.piece().await? {
            all.extend_from_slice(&piece);
        }
        Ok(all)
    }
}

/// Ends with the answer that it serves.
#[derive(Debug)]
pub(crate) struct Task(pub(crate) AbortHandle);

impl Drop for Task {
    fn drop(&mut self) {
        self.0.abort();
    }
}

/// Makes requests that a [`Policy`] allows, over connections of its own.
///
/// It follows no redirects: who does asks again, and is judged again. It uses no proxy and no
/// cookies, asks for no compression, and works under any executor, since it has a thread for itself.
///
/// ```
/// # use offshoot_network::http::Method;
/// # use offshoot_network::{Client, Error, Policy, Request};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> offshoot_network::Result<()> {
/// let client = Client::new(Policy::default())?;
/// let request = Request::new(Method::GET, "https://example.com/")?;
/// assert_eq!(client.send(request).await.unwrap_err().code(), "POLICY_DENIED");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Client {
    pub(crate) policy: Arc<Policy>,
    way: Way,
    pub(crate) runtime: &'static Runtime,
}

impl Client {
    /// A client for one sandbox, or for all that have the same policy.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the host cannot start its thread.
    pub fn new(policy: Policy) -> Result<Client> {
        let policy = Arc::new(policy);
        let way = match policy.way_out() {
            Some(gateway) => Way::Gateway(gateway.clone()),
            None => Way::Own(Connections::new(&policy)?),
        };
        Ok(Client {
            policy,
            way,
            runtime: runtime()?,
        })
    }

    /// The policy.
    pub fn policy(&self) -> &Policy {
        &self.policy
    }

    /// Sends a request and returns as soon as the answer has begun. Any status is an answer.
    ///
    /// # Errors
    /// `POLICY_DENIED` before anything is sent where no rule allows the URL or none of the host's
    /// addresses, `LIMIT` for a body or headers that are too large, `INVALID` for a `Host` header,
    /// `NOT_FOUND` for an unknown host, `TIMEOUT`, `DIED`.
    pub async fn send(&self, request: Request) -> Result<Response> {
        self.policy.allows(&request.method, &request.url)?;
        let limits = self.policy.request_limits();
        let headers = self.checked(&request)?;
        let exchange = Exchange {
            redactor: Redactor::new(self.secrets_for(&request)),
            origin: origin(&request.url),
            deadline: Instant::now() + limits.time,
            left: limits.response_bytes,
            limit: limits.response_bytes,
        };
        let headers = self.with_secrets(headers, &request, &exchange.redactor);
        let outgoing = self.way.request(request, headers)?;
        let (head, answer) = oneshot::channel();
        let (sender, pieces) = mpsc::channel(PIECES);
        let origin = exchange.origin.clone();
        let task = self.runtime.spawn(exchange.run(outgoing, head, sender));
        let task = Task(task.abort_handle());
        let head = answer.await.map_err(|_| Error::Broken { origin })??;
        Ok(Response {
            status: head.status,
            version: head.version,
            headers: head.headers,
            pieces,
            trailers: HeaderMap::new(),
            _task: task,
        })
    }

    /// The headers of a request that is within the limits, without those of the connection.
    pub(crate) fn checked(&self, request: &Request) -> Result<HeaderMap> {
        let limit = self.policy.request_limits().request_bytes;
        if request.body.len() as u64 > limit {
            return Err(Error::too_large("request", limit));
        }
        let mut headers = request.headers.clone();
        if headers.contains_key(HOST) {
            return Err(Error::invalid("Host", "the URL says the host"));
        }
        let (count, size) = measured(&[&headers, &request.trailers]);
        if count > HEADERS || size > HEADER_BYTES {
            return Err(Error::too_large("request's header", HEADER_BYTES as u64));
        }
        let wants_trailers = headers.get(TE).is_some_and(|value| value == TRAILERS);
        for name in &OF_THE_CONNECTION {
            headers.remove(name);
        }
        if request.http2 && wants_trailers {
            headers.insert(TE, TRAILERS);
        }
        let names = request.trailers.keys().map(HeaderName::as_str);
        let names = names.collect::<Vec<_>>().join(", ");
        if !names.is_empty() {
            let names = HeaderValue::from_str(&names);
            headers.extend(names.into_iter().map(|names| (TRAILER, names)));
        }
        Ok(headers)
    }

    /// The headers as they are sent.
    pub(crate) fn with_secrets(
        &self,
        mut headers: HeaderMap,
        request: &Request,
        redactor: &Redactor,
    ) -> HeaderMap {
        if !redactor.is_idle() {
            // Nothing that was compressed can be searched for the secret.
            headers.insert(ACCEPT_ENCODING, IDENTITY);
            if headers.contains_key(GRPC_ACCEPT_ENCODING) {
                headers.insert(GRPC_ACCEPT_ENCODING, IDENTITY);
            }
        }
        for secret in self.secrets_for(request) {
            secret.apply(&mut headers);
        }
        headers
    }

    pub(crate) fn secrets_for<'a>(
        &'a self,
        request: &'a Request,
    ) -> impl Iterator<Item = &'a Secret> {
        let own = request.secrets.iter();
        let own = own.filter(|secret| secret.is_for(&request.url));
        own.chain(self.policy.secrets_for(&request.url))
    }
}

/// How many headers these are, and their bytes.
pub(crate) fn measured(all: &[&HeaderMap]) -> (usize, usize) {
    let sizes = all.iter().flat_map(|headers| headers.iter());
    let sizes = sizes.map(|(name, value)| name.as_str().len() + value.len());
    sizes.fold((0, 0), |(count, sum), size| (count + 1, sum + size))
}

/// What makes requests, by one of the protocols where it is secure.
pub(crate) fn http(policy: &Arc<Policy>, protocols: &[&str]) -> Result<reqwest::Client> {
    made(builder(policy, protocols)?)
}

/// What makes requests by HTTP/2 alone.
pub(crate) fn http2(policy: &Arc<Policy>) -> Result<reqwest::Client> {
    let builder = builder(policy, &["h2"])?
        .http2_prior_knowledge()
        .http2_initial_stream_window_size(STREAM_WINDOW)
        .http2_initial_connection_window_size(64 * STREAM_WINDOW);
    made(builder)
}

fn builder(policy: &Arc<Policy>, protocols: &[&str]) -> Result<reqwest::ClientBuilder> {
    Ok(reqwest::Client::builder()
        .tls_backend_preconfigured(tls::config(policy.roots(), protocols)?)
        .dns_resolver(Checked(Arc::clone(policy)))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .http1_title_case_headers()
        .http1_max_headers(HEADERS)
        .http2_max_header_list_size(HEADER_BYTES as u32))
}

fn made(builder: reqwest::ClientBuilder) -> Result<reqwest::Client> {
    builder.build().map_err(|error| Error::Unavailable {
        reason: error.to_string(),
    })
}

/// The thread that all clients of the process share.
pub(crate) fn runtime() -> Result<&'static Runtime> {
    static RUNTIME: OnceLock<std::result::Result<Runtime, String>> = OnceLock::new();
    let made = RUNTIME.get_or_init(|| {
        tokio::runtime::Builder::new_multi_thread()
            .worker_threads(1)
            .thread_name("offshoot-network")
            .enable_all()
            .build()
            .map_err(|error| error.to_string())
    });
    made.as_ref().map_err(|reason| Error::Unavailable {
        reason: reason.clone(),
    })
}
