//! The way out of a process that has no network: another one makes its requests.
//!
//! Each request is a stream of HTTP/2, for its flow control. What is asked, and what is told of an answer, is the
//! beginning of the body: four bytes of length, lowest first, and that much [postcard](https://postcard.jamesmunns.com/wire-format.html).
//! An exchange that fails ends with the error as a trailer, in the same form as Base64; what follows the body of an
//! answer is told likewise.

use std::convert::Infallible;
use std::panic::{RefUnwindSafe, UnwindSafe};

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
use bytes::{Buf, Bytes, BytesMut};
use futures::Stream;
use futures::stream::unfold;
use http::{HeaderMap, HeaderName, HeaderValue, Method, Uri, Version};
use http_body_util::{BodyExt, Full, LengthLimitError, Limited, StreamBody};
use hyper::body::{Frame, Incoming};
use hyper::client::conn::http2::SendRequest;
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};
use tokio::io::{AsyncRead, AsyncWrite};
use tokio::sync::watch;

use crate::client::{Client, HEADER_BYTES, HEADERS, Request, Response};
use crate::error::{Error, Result};
use crate::outgoing::{self, Answer, Piece};

/// Requests of one gateway at a time; further ones wait.
const STREAMS: u32 = 64;
/// Bytes of an answer that are on their way.
const WINDOW: u32 = 1 << 20;
/// Bytes of a head: a URL, a method and headers.
const HEAD: usize = 4 * HEADER_BYTES;
/// The trailer that an exchange ends with which failed.
const FAILED: HeaderName = HeaderName::from_static("failed");
/// The trailer with what followed the body of an answer.
const FOLLOWED: HeaderName = HeaderName::from_static("followed");

/// One end of a stream to another process, which makes the requests of this one: nothing here needs the host's
/// network, and no secret is in this process.
///
/// Give it to a [`Policy`](crate::Policy). Both processes judge a request, each by its own policy, and both hold its
/// limits; credentials are those of the other process. WebSockets are not carried. Clones are the same stream.
///
/// ```
/// use offshoot_network::http::Method;
/// use offshoot_network::{Client, Gateway, Policy, Request, Rule};
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> offshoot_network::Result<()> {
/// let (own, other) = tokio::io::duplex(64 << 10);
/// // Here the other process is a task, and its policy allows nothing.
/// tokio::spawn(Gateway::serve(Client::new(Policy::default())?, other));
/// let rule = Rule::new("https://example.com")?;
/// let client = Client::new(Policy::default().allow(rule).gateway(Gateway::new(own).await?))?;
/// let refused = client.send(Request::new(Method::GET, "https://example.com/")?).await;
/// assert_eq!(refused.unwrap_err().code(), "POLICY_DENIED");
/// # Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Gateway {
    requests: SendRequest<Full<Bytes>>,
    ended: watch::Receiver<bool>,
}

// Its state is in the tasks of the connection: a panic of who holds it leaves nothing half done.
impl UnwindSafe for Gateway {}
impl RefUnwindSafe for Gateway {}

/// What the other process is asked for.
#[derive(Serialize, Deserialize)]
struct Asked {
    method: String,
    url: String,
    headers: Vec<(String, Vec<u8>)>,
    trailers: Vec<(String, Vec<u8>)>,
    http2: bool,
}

/// How its answer begins.
#[derive(Serialize, Deserialize)]
struct Told {
    status: u16,
    is_http2: bool,
    headers: Vec<(String, Vec<u8>)>,
}

impl Gateway {
    /// Over a stream whose other end another process serves.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the stream has ended.
    pub async fn new<S>(stream: S) -> Result<Gateway>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let handshake = hyper::client::conn::http2::Builder::new(TokioExecutor::new())
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(4 * WINDOW)
            .max_header_list_size(HEAD as u32)
            .handshake(TokioIo::new(stream));
        let (requests, connection) = handshake.await.map_err(|_| gone())?;
        let (end, ended) = watch::channel(false);
        tokio::spawn(async move {
            // Why it ended is seen by those that wait for answers.
            let _ = connection.await;
            let _ = end.send(true);
        });
        Ok(Gateway { requests, ended })
    }

    /// Waits until the other process has ended, or has closed the stream.
    pub async fn ended(&self) {
        // Where the sender is gone, so is the connection.
        let _ = self.ended.clone().wait_for(|ended| *ended).await;
    }

    /// Makes the requests that come over a stream, as `client` may, until it ends.
    ///
    /// At most 64 run at a time, each within the limits of the client's policy: what the other process makes this
    /// one hold is bounded.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where the other end does not speak as a gateway does.
    pub async fn serve<S>(client: Client, stream: S) -> Result<()>
    where
        S: AsyncRead + AsyncWrite + Send + Unpin + 'static,
    {
        let service = service_fn(move |asked| answer(client.clone(), asked));
        hyper::server::conn::http2::Builder::new(TokioExecutor::new())
            .max_concurrent_streams(STREAMS)
            .initial_stream_window_size(WINDOW)
            .initial_connection_window_size(4 * WINDOW)
            .serve_connection(TokioIo::new(stream), service)
            .await
            .map_err(|error| Error::Unavailable {
                reason: error.to_string(),
            })
    }

    pub(crate) async fn send(mut self, asked: Bytes) -> Result<Answer> {
        let mut request = http::Request::new(Full::new(asked));
        *request.uri_mut() = Uri::from_static("http://gateway/");
        self.requests.ready().await.map_err(|_| gone())?;
        let answer = self.requests.send_request(request).await;
        let mut body = Body {
            rest: BytesMut::new(),
            incoming: answer.map_err(|_| gone())?.into_body(),
        };
        let told: Told = loop {
            if let Some(told) = take(&mut body.rest)? {
                break told;
            }
            match body.incoming.frame().await {
                Some(frame) => match piece(frame)? {
                    Piece::Data(data) => body.rest.extend_from_slice(&data),
                    Piece::Trailers(_) => return Err(malformed()),
                },
                None => return Err(gone()),
            }
        };
        Ok(Answer {
            status: told.status,
            version: match told.is_http2 {
                true => Version::HTTP_2,
                false => Version::HTTP_11,
            },
            headers: headers(told.headers)?,
            body: outgoing::Body::Gateway(body),
        })
    }
}

/// The rest of an answer.
pub(crate) struct Body {
    /// What came with its head.
    rest: BytesMut,
    incoming: Incoming,
}

impl Body {
    pub(crate) async fn piece(&mut self) -> Result<Option<Piece>> {
        if !self.rest.is_empty() {
            return Ok(Some(Piece::Data(self.rest.split().freeze())));
        }
        self.incoming.frame().await.map(piece).transpose()
    }
}

/// What a frame says; the error that a trailer says.
fn piece(frame: std::result::Result<Frame<Bytes>, hyper::Error>) -> Result<Piece> {
    let frame = frame.map_err(|_| gone())?;
    let trailers = match frame.into_data() {
        Ok(data) => return Ok(Piece::Data(data)),
        Err(other) => other.into_trailers().map_err(|_| gone())?,
    };
    if let Some(followed) = trailers.get(FOLLOWED) {
        let pairs = decoded(followed).ok_or_else(malformed)?;
        return Ok(Piece::Trailers(headers(pairs)?));
    }
    let failed = trailers.get(FAILED).ok_or_else(gone)?;
    Err(decoded(failed).unwrap_or_else(gone))
}

fn decoded<T: DeserializeOwned>(value: &HeaderValue) -> Option<T> {
    let bytes = STANDARD.decode(value.as_bytes()).ok()?;
    postcard::from_bytes(&bytes).ok()
}

/// What the other process is asked for, head and body. `sent` are the headers as they shall be.
pub(crate) fn asked(request: &Request, sent: &HeaderMap) -> Bytes {
    let head = put(&Asked {
        method: request.method.to_string(),
        url: request.url.to_string(),
        headers: pairs(sent),
        trailers: pairs(&request.trailers),
        http2: request.http2,
    });
    Bytes::from([&head[..], &request.body].concat())
}

fn pairs(headers: &HeaderMap) -> Vec<(String, Vec<u8>)> {
    let pairs = headers.iter();
    pairs
        .map(|(name, value)| (name.to_string(), value.as_bytes().to_vec()))
        .collect()
}

fn headers(pairs: Vec<(String, Vec<u8>)>) -> Result<HeaderMap> {
    let mut headers = HeaderMap::new();
    for (name, value) in pairs.iter().take(HEADERS) {
        let name = HeaderName::from_bytes(name.as_bytes()).map_err(|_| malformed())?;
        let value = HeaderValue::from_bytes(value).map_err(|_| malformed())?;
        headers.append(name, value);
    }
    Ok(headers)
}

fn put(head: &impl Serialize) -> Vec<u8> {
    // Strings and numbers have a form in memory that is there.
    let head = postcard::to_stdvec(head).unwrap_or_default();
    let length = u32::try_from(head.len()).unwrap_or(u32::MAX);
    [&length.to_le_bytes()[..], &head].concat()
}

/// Takes a head off the beginning, where all of it is there.
fn take<T: DeserializeOwned>(bytes: &mut BytesMut) -> Result<Option<T>> {
    let Some((length, rest)) = bytes.split_first_chunk() else {
        return Ok(None);
    };
    let length = u32::from_le_bytes(*length) as usize;
    if length > HEAD {
        return Err(malformed());
    }
    let Some(head) = rest.get(..length) else {
        return Ok(None);
    };
    let head = postcard::from_bytes(head).map_err(|_| malformed())?;
    bytes.advance(4 + length);
    Ok(Some(head))
}

/// Makes one request.
async fn answer(
    client: Client,
    asked: http::Request<Incoming>,
) -> std::result::Result<
    http::Response<StreamBody<impl Stream<Item = std::result::Result<Frame<Bytes>, Infallible>>>>,
    Infallible,
> {
    let next = match begin(&client, asked.into_body()).await {
        Ok(response) => Next::Head(response),
        Err(error) => Next::Failed(error),
    };
    Ok(http::Response::new(StreamBody::new(unfold(next, told))))
}

async fn begin(client: &Client, body: Incoming) -> Result<Response> {
    let limit = client.policy().request_limits().request_bytes;
    let most = usize::try_from(limit).unwrap_or(usize::MAX);
    let body = Limited::new(body, most.saturating_add(HEAD))
        .collect()
        .await;
    let mut body = BytesMut::from(
        body.map_err(|error| match error.downcast_ref::<LengthLimitError>() {
            Some(_) => Error::too_large("request", limit),
            None => malformed(),
        })?
        .to_bytes(),
    );
    let asked: Asked = take(&mut body)?.ok_or_else(malformed)?;
    let method = Method::from_bytes(asked.method.as_bytes()).map_err(|_| malformed())?;
    let mut request = Request::new(method, &asked.url)?;
    request.headers = headers(asked.headers)?;
    request.trailers = headers(asked.trailers)?;
    request.http2 = asked.http2;
    request.body = body.freeze();
    client.send(request).await
}

/// What is told of an answer next.
enum Next {
    Head(Response),
    Body(Response),
    Failed(Error),
    Nothing,
}

async fn told(next: Next) -> Option<(std::result::Result<Frame<Bytes>, Infallible>, Next)> {
    let (frame, next) = match next {
        Next::Head(response) => {
            let head = put(&Told {
                status: response.status,
                is_http2: response.version == Version::HTTP_2,
                headers: pairs(&response.headers),
            });
            (Frame::data(Bytes::from(head)), Next::Body(response))
        }
        Next::Body(mut response) => match response.piece().await {
            Ok(Some(piece)) => (Frame::data(piece), Next::Body(response)),
            Ok(None) if response.trailers().is_empty() => return None,
            Ok(None) => {
                let followed = trailer(FOLLOWED, &pairs(response.trailers()));
                (followed, Next::Nothing)
            }
            Err(error) => (trailer(FAILED, &error), Next::Nothing),
        },
        Next::Failed(error) => (trailer(FAILED, &error), Next::Nothing),
        Next::Nothing => return None,
    };
    Some((Ok(frame), next))
}

fn trailer(name: HeaderName, value: &impl Serialize) -> Frame<Bytes> {
    let value = STANDARD.encode(postcard::to_stdvec(value).unwrap_or_default());
    let value = HeaderValue::from_str(&value);
    Frame::trailers(
        value
            .into_iter()
            .map(|value| (name.clone(), value))
            .collect(),
    )
}

fn gone() -> Error {
    Error::Unavailable {
        reason: "the process that makes requests has ended".to_owned(),
    }
}

fn malformed() -> Error {
    Error::Unavailable {
        reason: "what the other process says is malformed".to_owned(),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::{Limits, Policy, Rule, Secret};
    use std::io::{Read, Write};
    use std::net::{SocketAddr, TcpListener};
    use std::sync::mpsc;
    use std::time::Duration;
    use tokio::io::duplex;

    /// A server that answers each connection with the next of `answers`, and tells what it was sent.
    fn served(answers: Vec<Vec<u8>>) -> (SocketAddr, mpsc::Receiver<String>) {
        let listener = TcpListener::bind("127.0.0.1:0").unwrap();
        let at = listener.local_addr().unwrap();
        let (sender, seen) = mpsc::channel();
        std::thread::spawn(move || {
            for answer in answers {
                let (mut stream, _) = listener.accept().unwrap();
                let mut request = Vec::new();
                while !request.windows(4).any(|end| end == b"\r\n\r\n") {
                    let mut byte = [0];
                    stream.read_exact(&mut byte).unwrap();
                    request.push(byte[0]);
                }
                let request = String::from_utf8_lossy(&request).into_owned();
                let length = request
                    .lines()
                    .find_map(|line| line.strip_prefix("Content-Length: ")?.parse().ok());
                let mut body = (&stream).take(length.unwrap_or(0));
                std::io::copy(&mut body, &mut std::io::sink()).unwrap();
                sender.send(request).unwrap();
                // A reader that has enough goes away.
                let _ = stream.write_all(&answer);
            }
        });
        (at, seen)
    }

    fn answer(head: &str, body: &[u8]) -> Vec<u8> {
        let head = format!(
            "HTTP/1.1 200 OK\r\nContent-Length: {}\r\n{head}\r\n",
            body.len()
        );
        [head.as_bytes(), body].concat()
    }

    fn policy(rules: &[&str]) -> Policy {
        let rules = rules
            .iter()
            .map(|rule| Rule::parse(rule).unwrap().internal());
        rules.fold(Policy::default(), Policy::allow)
    }

    /// A client whose requests another makes.
    async fn through(own: Policy, other: Policy) -> Client {
        let (near, far) = duplex(64 << 10);
        tokio::spawn(Gateway::serve(Client::new(other).unwrap(), far));
        Client::new(own.gateway(Gateway::new(near).await.unwrap())).unwrap()
    }

    async fn get(client: &Client, url: &str) -> Result<Vec<u8>> {
        client
            .send(Request::new(Method::GET, url)?)
            .await?
            .body()
            .await
    }

    #[tokio::test]
    async fn t58_the_other_process_adds_its_secrets_and_takes_them_out() {
        let (at, seen) = served(vec![answer(
            "X-Echo: Bearer s3cr3t-value\r\n",
            b"you sent s3cr3t-value",
        )]);
        let url = format!("http://{at}/path?q=1");
        let origin = format!("http://{at}");
        let secret = Secret::header(&origin, "authorization", "Bearer s3cr3t-value").unwrap();
        let other = policy(&[&origin]).secret(secret);
        let client = through(policy(&[&origin]), other).await;
        let mut request = Request::new(Method::GET, &url).unwrap();
        request
            .headers
            .insert("x-own", HeaderValue::from_bytes(b"caf\xe9").unwrap());
        let mut answer = client.send(request).await.unwrap();
        assert_eq!((answer.status, answer.version), (200, Version::HTTP_11));
        let echo = answer.headers["x-echo"].to_str().unwrap().to_owned();
        let body = String::from_utf8(answer.body().await.unwrap()).unwrap();
        let sent = seen.recv().unwrap();
        assert!(sent.starts_with("GET /path?q=1 HTTP/1.1\r\n"), "{sent}");
        assert!(sent.contains("Bearer s3cr3t-value"), "{sent}");
        assert!(
            !echo.contains("s3cr3t") && !body.contains("s3cr3t"),
            "{echo} {body}"
        );
        assert!(body.starts_with("you sent "), "{body}");
    }

    #[tokio::test]
    async fn errors_are_those_of_a_client_without_a_gateway() {
        let (at, _seen) = served(vec![
            answer("", &[b'x'; 300_000]),
            b"HTTP/1.1 200 OK\r\nContent-Length: 10\r\n\r\nshort".to_vec(),
            answer("", b"fine"),
        ]);
        let origin = format!("http://{at}");
        let limits = Limits {
            response_bytes: 100_000,
            ..Limits::default()
        };
        let rules = [&*origin, "http://127.0.0.1:9", "http://nowhere.invalid"];
        // Only the other process has the limit, and one rule less.
        let client = through(
            policy(&rules).allow(Rule::parse("PUT http://localhost:1").unwrap()),
            policy(&rules).limits(limits),
        )
        .await;
        for (url, code) in [
            (&*origin, "LIMIT"),
            (&*origin, "DIED"),
            ("http://127.0.0.1:9", "DIED"),
            ("http://nowhere.invalid", "NOT_FOUND"),
            ("http://other.invalid", "POLICY_DENIED"),
        ] {
            let error = get(&client, url).await.unwrap_err();
            assert_eq!(error.code(), code, "{url}: {error}");
        }
        let put = Request::new(Method::PUT, "http://localhost:1").unwrap();
        let denied = client.send(put).await.unwrap_err();
        assert!(matches!(denied, Error::Denied { .. }), "{denied}");
        assert_eq!(get(&client, &origin).await.unwrap(), b"fine");
    }

    #[tokio::test(flavor = "multi_thread")]
    async fn large_bodies_go_both_ways_at_once() {
        let big: Vec<u8> = (0..8 << 20).map(|at: u32| (at % 251) as u8).collect();
        let (at, _seen) = served((0..4).map(|_| answer("", &big)).collect());
        let origin = format!("http://{at}");
        let allowed = policy(&[&format!("GET,POST {origin}")]);
        let client = through(allowed.clone(), allowed).await;
        let asked = (0..4).map(|_| {
            let mut request = Request::new(Method::POST, &origin).unwrap();
            request.body = Bytes::from(vec![7; 2 << 20]);
            let client = client.clone();
            async move { client.send(request).await?.body().await }
        });
        for body in futures::future::join_all(asked).await {
            assert!(body.unwrap() == big);
        }
    }

    #[tokio::test]
    async fn an_answer_that_nobody_reads_ends_the_exchange() {
        let (at, seen) = served(vec![answer("", &vec![0; 32 << 20]), answer("", b"next")]);
        let origin = format!("http://{at}");
        let client = through(policy(&[&origin]), policy(&[&origin])).await;
        let request = Request::new(Method::GET, &origin).unwrap();
        drop(client.send(request).await.unwrap());
        // The server takes the next connection when this one was given up.
        assert_eq!(get(&client, &origin).await.unwrap(), b"next");
        assert_eq!(seen.iter().count(), 2);
    }

    #[tokio::test]
    async fn the_end_of_the_other_process_is_told() {
        let (near, far) = duplex(1 << 10);
        let gateway = Gateway::new(near).await.unwrap();
        let rule = Rule::new("http://localhost:1").unwrap();
        let client = Client::new(Policy::default().allow(rule).gateway(gateway.clone())).unwrap();
        let asking = tokio::spawn(async move { get(&client, "http://localhost:1").await });
        tokio::time::sleep(Duration::from_millis(20)).await;
        drop(far);
        assert_eq!(
            asking.await.unwrap().unwrap_err().code(),
            "SANDBOX_UNAVAILABLE"
        );
        gateway.ended().await;
    }

    #[tokio::test]
    async fn what_is_malformed_is_refused() {
        let client = Client::new(policy(&["http://localhost:1"])).unwrap();
        let head = put(&Asked {
            method: "GET".to_owned(),
            url: "file:///etc/passwd".to_owned(),
            headers: Vec::new(),
            trailers: Vec::new(),
            http2: false,
        });
        for (asked, code) in [
            (Vec::new(), "SANDBOX_UNAVAILABLE"),
            (vec![0xff; 3], "SANDBOX_UNAVAILABLE"),
            (vec![0xff; 300], "SANDBOX_UNAVAILABLE"),
            (vec![9, 0, 0, 0, 1], "SANDBOX_UNAVAILABLE"),
            (vec![2, 0, 0, 0, 0xff, 0xff], "SANDBOX_UNAVAILABLE"),
            (head, "INVALID"),
        ] {
            let (near, far) = duplex(64 << 10);
            tokio::spawn(Gateway::serve(client.clone(), far));
            let gateway = Gateway::new(near).await.unwrap();
            let answered = gateway.send(Bytes::from(asked.clone())).await;
            let error = answered.err().unwrap();
            assert_eq!(error.code(), code, "{asked:?}: {error}");
        }
    }
}
