//! Requests under a policy.

use std::sync::{Arc, OnceLock};
use std::time::Duration;

use bytes::Bytes;
use http::header::{
    ACCEPT_ENCODING, CONNECTION, CONTENT_ENCODING, CONTENT_LENGTH, HOST, PROXY_AUTHORIZATION, TE,
    TRAILER, TRANSFER_ENCODING, UPGRADE,
};
use http::{HeaderMap, HeaderValue, Method};
use tokio::runtime::Runtime;
use tokio::sync::{mpsc, oneshot};
use tokio::task::AbortHandle;
use tokio::time::{Instant, timeout_at};
use url::Url;

use crate::error::{Error, Result};
use crate::origin::{self, origin};
use crate::outgoing::{Answer, Outgoing, Way};
use crate::policy::Policy;
use crate::redact::Redactor;
use crate::resolve::{Checked, Nowhere};
use crate::secret::Secret;
use crate::tls;

/// Headers of a request and of an answer, at most (T37).
pub(crate) const HEADERS: usize = 256;
/// Bytes of them, at most.
pub(crate) const HEADER_BYTES: usize = 64 << 10;
/// Pieces of an answer that wait for the reader.
pub(crate) const PIECES: usize = 4;
/// How long a connection waits for its next request.
const IDLE: Duration = Duration::from_secs(30);

/// What the connection itself says, which no request may.
const OF_THE_CONNECTION: [http::HeaderName; 7] = [
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
    pub(crate) pieces: mpsc::Receiver<Result<Bytes>>,
    pub(crate) _task: Task,
}

impl Response {
    /// The next piece of the body; none at its end.
    ///
    /// # Errors
    /// `LIMIT` beyond the policy's size, `TIMEOUT` beyond its time, `DIED` where the other side
    /// broke off. What came before has been delivered.
    pub async fn piece(&mut self) -> Result<Option<Bytes>> {
        self.pieces.recv().await.transpose()
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
            None => Way::Own(http(&policy, &["h2", "http/1.1"])?),
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
        let outgoing = self
            .way
            .request(request.method, request.url, headers, request.body);
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
        let size: usize = headers
            .iter()
            .map(|(name, value)| name.as_str().len() + value.len())
            .sum();
        if headers.len() > HEADERS || size > HEADER_BYTES {
            return Err(Error::too_large("request's header", HEADER_BYTES as u64));
        }
        for name in &OF_THE_CONNECTION {
            headers.remove(name);
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
            headers.insert(ACCEPT_ENCODING, HeaderValue::from_static("identity"));
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

/// What makes requests, by one of the protocols where it is secure.
pub(crate) fn http(policy: &Arc<Policy>, protocols: &[&str]) -> Result<reqwest::Client> {
    reqwest::Client::builder()
        .tls_backend_preconfigured(tls::config(policy.roots(), protocols)?)
        .dns_resolver(Checked(Arc::clone(policy)))
        .redirect(reqwest::redirect::Policy::none())
        .retry(reqwest::retry::never())
        .referer(false)
        .no_proxy()
        .pool_idle_timeout(IDLE)
        .http1_title_case_headers()
        .http1_max_headers(HEADERS)
        .http2_max_header_list_size(HEADER_BYTES as u32)
        .build()
        .map_err(|error| Error::Unavailable {
            reason: error.to_string(),
        })
}

struct Head {
    status: u16,
    version: http::Version,
    headers: HeaderMap,
}

/// What one exchange needs while it runs.
struct Exchange {
    redactor: Redactor,
    origin: String,
    deadline: Instant,
    left: u64,
    limit: u64,
}

impl Exchange {
    async fn run(
        mut self,
        outgoing: Outgoing,
        head: oneshot::Sender<Result<Head>>,
        pieces: mpsc::Sender<Result<Bytes>>,
    ) {
        let mut answer = match self.begin(outgoing).await {
            Ok(answer) => answer,
            Err(error) => {
                let _ = head.send(Err(error));
                return;
            }
        };
        let mut headers = std::mem::take(&mut answer.headers);
        self.redactor.headers(&mut headers);
        let begun = head.send(Ok(Head {
            status: answer.status,
            version: answer.version,
            headers,
        }));
        if begun.is_ok()
            && let Err(error) = self.deliver(&mut answer, &pieces).await
        {
            let _ = pieces.send(Err(error)).await;
        }
    }

    /// Whether an answer could carry a secret where it is not looked for (T34).
    fn hides(&self, answer: &Answer) -> bool {
        let encodings = answer.headers.get_all(CONTENT_ENCODING);
        let plain = |value: &HeaderValue| {
            let value = value.as_bytes().trim_ascii();
            value.is_empty() || value.eq_ignore_ascii_case(b"identity")
        };
        !self.redactor.is_idle() && !encodings.iter().all(plain)
    }

    async fn begin(&self, outgoing: Outgoing) -> Result<Answer> {
        match timeout_at(self.deadline, outgoing.send(&self.origin)).await {
            Ok(Ok(answer)) if self.hides(&answer) => Err(Error::Encoded {
                origin: self.origin.clone(),
            }),
            Ok(answer) => answer,
            Err(_) => Err(self.timeout()),
        }
    }

    async fn deliver(
        &mut self,
        answer: &mut Answer,
        pieces: &mpsc::Sender<Result<Bytes>>,
    ) -> Result<()> {
        loop {
            let piece = match timeout_at(self.deadline, answer.chunk(&self.origin)).await {
                Ok(piece) => piece?,
                Err(_) => return Err(self.timeout()),
            };
            let last = piece.is_none();
            let shown = self.shown(piece.unwrap_or_default(), last)?;
            // A reader that went away needs nothing more; a slow one has the deadline.
            let sent = shown.is_empty()
                || match timeout_at(self.deadline, pieces.send(Ok(shown))).await {
                    Ok(sent) => sent.is_ok(),
                    Err(_) => return Err(self.timeout()),
                };
            if last || !sent {
                return Ok(());
            }
        }
    }

    /// What of the piece can be shown.
    fn shown(&mut self, piece: Bytes, last: bool) -> Result<Bytes> {
        let length = piece.len() as u64;
        if length > self.left {
            return Err(Error::too_large("answer", self.limit));
        }
        self.left -= length;
        if self.redactor.is_idle() {
            return Ok(piece);
        }
        Ok(self.redactor.body(&piece, last).into())
    }

    fn timeout(&self) -> Error {
        Error::Timeout {
            origin: self.origin.clone(),
        }
    }
}

/// Says what happened without any text of the library, which may show what was sent.
pub(crate) fn failure(origin: &str, error: &reqwest::Error) -> Error {
    let origin = origin.to_owned();
    let host = || {
        let name = origin.split("://").nth(1).unwrap_or_default();
        name.to_owned()
    };
    if let Some(nowhere) = cause::<Nowhere>(error) {
        return match nowhere {
            Nowhere::Unknown => Error::Resolve { host: host() },
            Nowhere::Refused => Error::Address { host: host() },
        };
    }
    if cause::<rustls::Error>(error).is_some() {
        return Error::Secure { origin };
    }
    match error {
        error if error.is_timeout() => Error::Timeout { origin },
        error if error.is_connect() => Error::Connect { origin },
        _ => Error::Broken { origin },
    }
}

/// The cause of this type, also within an I/O error.
fn cause<'a, E: std::error::Error + 'static>(
    error: &'a (dyn std::error::Error + 'static),
) -> Option<&'a E> {
    let mut next = Some(error);
    while let Some(error) = next {
        if let Some(found) = error.downcast_ref::<E>() {
            return Some(found);
        }
        let inner = error
            .downcast_ref::<std::io::Error>()
            .and_then(std::io::Error::get_ref);
        if let Some(found) = inner.and_then(|inner| inner.downcast_ref::<E>()) {
            return Some(found);
        }
        next = error.source();
    }
    None
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
