//! One request and its answer, within their limits and without the host's secrets.

use bytes::Bytes;
use http::header::CONTENT_ENCODING;
use http::{HeaderMap, HeaderName, HeaderValue};
use tokio::sync::{mpsc, oneshot};
use tokio::time::{Instant, timeout_at};

use crate::client::{HEADER_BYTES, HEADERS, measured};
use crate::error::{Error, Result};
use crate::outgoing::{Answer, Outgoing, Piece};
use crate::redact::Redactor;
use crate::resolve::Nowhere;

/// How the messages of an answer are compressed, each by itself.
const GRPC_ENCODING: HeaderName = HeaderName::from_static("grpc-encoding");

/// How an answer begins.
pub(crate) struct Head {
    pub(crate) status: u16,
    pub(crate) version: http::Version,
    pub(crate) headers: HeaderMap,
}

/// What one exchange needs while it runs.
pub(crate) struct Exchange {
    pub(crate) redactor: Redactor,
    pub(crate) origin: String,
    pub(crate) deadline: Instant,
    pub(crate) left: u64,
    pub(crate) limit: u64,
}

impl Exchange {
    /// Sends the request, and hands on what is told of its answer.
    pub(crate) async fn run(
        mut self,
        outgoing: Outgoing,
        head: oneshot::Sender<Result<Head>>,
        pieces: mpsc::Sender<Result<Piece>>,
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
        let encodings = answer.headers.get_all(CONTENT_ENCODING).iter();
        let mut encodings = encodings.chain(answer.headers.get_all(GRPC_ENCODING));
        let plain = |value: &HeaderValue| {
            let value = value.as_bytes().trim_ascii();
            value.is_empty() || value.eq_ignore_ascii_case(b"identity")
        };
        !self.redactor.is_idle() && !encodings.all(plain)
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
        pieces: &mpsc::Sender<Result<Piece>>,
    ) -> Result<()> {
        let mut trailers = HeaderMap::new();
        loop {
            let piece = match timeout_at(self.deadline, answer.piece(&self.origin)).await {
                Ok(piece) => piece?,
                Err(_) => return Err(self.timeout()),
            };
            let piece = match piece {
                Some(Piece::Trailers(told)) => {
                    trailers = self.shown_trailers(told)?;
                    continue;
                }
                Some(Piece::Data(bytes)) => Some(bytes),
                None => None,
            };
            let last = piece.is_none();
            let shown = self.shown(piece.unwrap_or_default(), last)?;
            let sent = shown.is_empty() || self.send(pieces, Piece::Data(shown)).await?;
            if !sent {
                return Ok(());
            }
            if last {
                if !trailers.is_empty() {
                    self.send(pieces, Piece::Trailers(trailers)).await?;
                }
                return Ok(());
            }
        }
    }

    /// Hands a piece on. A reader that went away needs nothing more; a slow one has the deadline.
    async fn send(&self, pieces: &mpsc::Sender<Result<Piece>>, piece: Piece) -> Result<bool> {
        match timeout_at(self.deadline, pieces.send(Ok(piece))).await {
            Ok(sent) => Ok(sent.is_ok()),
            Err(_) => Err(self.timeout()),
        }
    }

    /// The trailers as they can be shown.
    fn shown_trailers(&self, mut trailers: HeaderMap) -> Result<HeaderMap> {
        let (count, size) = measured(&[&trailers]);
        if count > HEADERS || size > HEADER_BYTES {
            return Err(Error::too_large("answer's trailer", HEADER_BYTES as u64));
        }
        self.redactor.headers(&mut trailers);
        Ok(trailers)
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
