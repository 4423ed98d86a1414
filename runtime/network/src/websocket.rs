//! WebSockets under a policy.

use bytes::Bytes;
use futures::future::{Either, select};
use futures::stream::{SplitSink, SplitStream};
use futures::{SinkExt, StreamExt};
use http::header::{CONNECTION, SEC_WEBSOCKET_ACCEPT, SEC_WEBSOCKET_KEY, SEC_WEBSOCKET_VERSION};
use http::header::{HeaderMap, HeaderValue, UPGRADE};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};
use tokio_tungstenite::WebSocketStream;
use tokio_tungstenite::tungstenite::handshake::{client::generate_key, derive_accept_key};
use tokio_tungstenite::tungstenite::protocol::{Role, WebSocketConfig};
use tokio_tungstenite::tungstenite::{self, Error as SocketError};
use url::Url;

use crate::client::{Client, PIECES, Request, Task, http};
use crate::error::{Error, Result};
use crate::exchange::failure;
use crate::origin::origin;
use crate::redact::Redactor;
use crate::secret::Secret;

/// Bytes of one message that comes.
const MESSAGE: usize = 16 << 20;

/// A message of a [`WebSocket`].
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Message {
    /// A text.
    Text(String),
    /// Bytes.
    Binary(Bytes),
}

impl Message {
    fn len(&self) -> usize {
        match self {
            Message::Text(text) => text.len(),
            Message::Binary(bytes) => bytes.len(),
        }
    }
}

/// A connection that both sides send messages over; dropping it ends it.
///
/// The host's secrets are taken out of each message that comes, as far as one message holds them whole.
#[derive(Debug)]
pub struct WebSocket {
    url: Url,
    /// Those that what comes may repeat.
    secrets: Vec<Secret>,
    outgoing: mpsc::Sender<Message>,
    incoming: mpsc::Receiver<Result<Message>>,
    /// Bytes that may still be sent and may still come, with what they were at first.
    left: [(u64, u64); 2],
    _task: Task,
}

type Stream = WebSocketStream<reqwest::Upgraded>;

impl Client {
    /// Connects. The policy judges the URL as that of a GET, and the credentials of the origin go into the
    /// headers of the request, which may name a subprotocol.
    ///
    /// # Errors
    /// As [`Client::send`], `DIED` where the other side answers in place of a connection, `SANDBOX_UNAVAILABLE`
    /// where requests leave by a [`Gateway`](crate::Gateway).
    pub async fn websocket(&self, request: Request) -> Result<WebSocket> {
        if self.policy.way_out().is_some() {
            return Err(Error::Unavailable {
                reason: "a gateway carries no WebSockets".to_owned(),
            });
        }
        self.policy.allows(&request.method, &request.url)?;
        let headers = self.checked(&request)?;
        let secrets: Vec<Secret> = self.secrets_for(&request).cloned().collect();
        let redactor = Redactor::new(secrets.iter());
        let mut headers = self.with_secrets(headers, &request, &redactor);
        let key = generate_key();
        greet(&mut headers, &key);
        let limits = self.policy.request_limits();
        let connecting = Connecting {
            request: http(&self.policy, &["http/1.1"])?
                .get(request.url.clone())
                .headers(headers),
            key,
            origin: origin(&request.url),
            deadline: Instant::now() + limits.time,
        };
        let (begun, answer) = oneshot::channel();
        let (outgoing, to_send) = mpsc::channel(PIECES);
        let (received, incoming) = mpsc::channel(PIECES);
        let origin = connecting.origin.clone();
        let task = self.runtime.spawn(connecting.run(begun, to_send, received));
        let task = Task(task.abort_handle());
        answer.await.map_err(|_| Error::Broken { origin })??;
        Ok(WebSocket {
            url: request.url,
            secrets,
            outgoing,
            incoming,
            left: [limits.request_bytes, limits.response_bytes].map(|limit| (limit, limit)),
            _task: task,
        })
    }
}

/// What makes a request one for a connection.
fn greet(headers: &mut HeaderMap, key: &str) {
    headers.insert(CONNECTION, HeaderValue::from_static("Upgrade"));
    headers.insert(UPGRADE, HeaderValue::from_static("websocket"));
    headers.insert(SEC_WEBSOCKET_VERSION, HeaderValue::from_static("13"));
    if let Ok(key) = HeaderValue::from_str(key) {
        headers.insert(SEC_WEBSOCKET_KEY, key);
    }
}

impl WebSocket {
    /// Sends a message. Where a text has the placeholder of one of `secrets` that is for this URL, the value goes
    /// in its place; it is taken out of what comes from then on.
    ///
    /// # Errors
    /// `LIMIT` for more than the policy lets be sent, `DIED` where the connection ended.
    pub async fn send(&mut self, message: Message, secrets: Vec<Secret>) -> Result<()> {
        spend(&mut self.left[0], message.len(), "request")?;
        let mut message = message;
        for secret in secrets {
            if let Message::Text(text) = &mut message
                && secret.is_for(&self.url)
                && let Some(filled) = secret.filled(text.as_bytes())
            {
                *text = String::from_utf8_lossy(&filled).into_owned();
                self.secrets.push(secret);
            }
        }
        let broken = |_| Error::Broken {
            origin: origin(&self.url),
        };
        self.outgoing.send(message).await.map_err(broken)
    }

    /// The next message; none where the other side ended the connection.
    ///
    /// # Errors
    /// `LIMIT` beyond the policy's size, `TIMEOUT` beyond its time, `DIED` where the other side broke off.
    pub async fn receive(&mut self) -> Result<Option<Message>> {
        let Some(message) = self.incoming.recv().await.transpose()? else {
            return Ok(None);
        };
        spend(&mut self.left[1], message.len(), "answer")?;
        let clean = |bytes: &[u8]| Redactor::new(self.secrets.iter()).body(bytes, true);
        Ok(Some(match message {
            message if self.secrets.is_empty() => message,
            Message::Text(text) => {
                Message::Text(String::from_utf8_lossy(&clean(text.as_bytes())).into_owned())
            }
            Message::Binary(bytes) => Message::Binary(clean(&bytes).into()),
        }))
    }
}

fn spend((left, limit): &mut (u64, u64), length: usize, what: &'static str) -> Result<()> {
    let rest = left.checked_sub(length as u64);
    *left = rest.ok_or(Error::too_large(what, *limit))?;
    Ok(())
}

/// What a connection needs while it is made and lasts.
struct Connecting {
    request: reqwest::RequestBuilder,
    key: String,
    origin: String,
    deadline: Instant,
}

impl Connecting {
    async fn run(
        self,
        begun: oneshot::Sender<Result<()>>,
        to_send: mpsc::Receiver<Message>,
        received: mpsc::Sender<Result<Message>>,
    ) {
        let (origin, deadline) = (self.origin.clone(), self.deadline);
        let connected = timeout_at(deadline, self.connect()).await;
        let late = || Error::Timeout {
            origin: origin.clone(),
        };
        let socket = match connected.unwrap_or_else(|_| Err(late())) {
            Ok(socket) => socket,
            Err(error) => {
                // Nobody waits where the caller is gone.
                let _ = begun.send(Err(error));
                return;
            }
        };
        if begun.send(Ok(())).is_err() {
            return;
        }
        let (sink, stream) = socket.split();
        let both = select(
            Box::pin(write(sink, to_send)),
            Box::pin(read(stream, &origin, &received)),
        );
        let told = match timeout_at(deadline, both).await {
            Ok(Either::Left((Ok(()), _)) | Either::Right((Ok(()), _))) => return,
            Ok(Either::Left((Err(error), _))) => failed(&origin, &error),
            Ok(Either::Right((Err(error), _))) => error,
            Err(_) => late(),
        };
        let _ = received.send(Err(told)).await;
    }

    async fn connect(self) -> Result<Stream> {
        let told = |error: reqwest::Error| failure(&self.origin, &error);
        let answer = self.request.send().await.map_err(told)?;
        let accepted = answer.headers().get(SEC_WEBSOCKET_ACCEPT);
        let expected = derive_accept_key(self.key.as_bytes());
        let is_right = accepted.is_some_and(|accepted| accepted.as_bytes() == expected.as_bytes());
        let status = answer.status().as_u16();
        if status != 101 || !is_right {
            return Err(Error::NoWebSocket {
                origin: self.origin,
                status,
            });
        }
        let upgraded = answer.upgrade().await.map_err(told)?;
        let config = WebSocketConfig::default()
            .max_message_size(Some(MESSAGE))
            .max_frame_size(Some(MESSAGE));
        Ok(WebSocketStream::from_raw_socket(upgraded, Role::Client, Some(config)).await)
    }
}

/// Sends what is to be sent, until there is nobody to say more.
async fn write(
    mut sink: SplitSink<Stream, tungstenite::Message>,
    mut to_send: mpsc::Receiver<Message>,
) -> std::result::Result<(), SocketError> {
    while let Some(message) = to_send.recv().await {
        let message = match message {
            Message::Text(text) => tungstenite::Message::text(text),
            Message::Binary(bytes) => tungstenite::Message::binary(bytes),
        };
        sink.send(message).await?;
    }
    sink.close().await
}

/// Hands on what comes, until the other side ends the connection. What is asked of the connection itself is
/// answered by the library.
async fn read(
    mut stream: SplitStream<Stream>,
    origin: &str,
    received: &mpsc::Sender<Result<Message>>,
) -> Result<()> {
    while let Some(message) = stream.next().await {
        let message = match message.map_err(|error| failed(origin, &error))? {
            tungstenite::Message::Text(text) => Message::Text(text.to_string()),
            tungstenite::Message::Binary(bytes) => Message::Binary(bytes),
            tungstenite::Message::Close(_) => return Ok(()),
            _ => continue,
        };
        if received.send(Ok(message)).await.is_err() {
            return Ok(());
        }
    }
    Ok(())
}

fn failed(origin: &str, error: &SocketError) -> Error {
    match error {
        SocketError::Capacity(_) => Error::too_large("answer", MESSAGE as u64),
        _ => Error::Broken {
            origin: origin.to_owned(),
        },
    }
}
