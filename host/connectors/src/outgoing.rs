//! HTTP of components: judged by the policy, dressed with credentials, limited.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures::stream;
use http::HeaderMap;
use http::header::CONTENT_TYPE;
use http_body::Frame;
use http_body_util::{BodyExt, StreamBody};
use offshoot_network::{Client, Error as NetworkError, Request, Response};
use wasmtime_wasi_http::{Error, RequestOptions, WasiBody, WasiHttpHooks};

use crate::vault::Vault;

/// Bytes of an answer in which tokens are looked for.
const WITH_TOKENS: usize = 8 << 20;

/// Where the requests of one connector go.
#[derive(Clone)]
pub(crate) struct Way {
    pub(crate) client: Client,
    pub(crate) vault: Arc<Vault>,
}

/// The requests of one instance; none may be made while there is no way.
pub(crate) struct Outgoing {
    pub(crate) way: Option<Way>,
}

type Sent = Result<(http::Response<WasiBody>, Settled), Error>;
type Settled = Box<dyn Future<Output = Result<(), Error>> + Send>;

impl WasiHttpHooks for Outgoing {
    fn set_host_header(&mut self) -> bool {
        false
    }

    fn send_request(
        &mut self,
        request: http::Request<WasiBody>,
        _options: Option<RequestOptions>,
        _received: Settled,
    ) -> Box<dyn Future<Output = Sent> + Send> {
        let way = self.way.clone();
        Box::new(async move {
            let way = way.ok_or(Error::HttpRequestDenied)?;
            let response = way.send(request).await?;
            let settled: Settled = Box::new(async { Ok(()) });
            Ok((response, settled))
        })
    }
}

impl Way {
    async fn send(
        &self,
        request: http::Request<WasiBody>,
    ) -> Result<http::Response<WasiBody>, Error> {
        let (head, body) = request.into_parts();
        let (method, url) = (head.method.to_string(), head.uri.to_string());
        let mut outgoing = Request::new(head.method, &url).map_err(denied)?;
        // Refused before the body is taken.
        let policy = self.client.policy();
        policy.check(&method, &url).map_err(denied)?;
        outgoing.http2 = is_grpc(&head.headers);
        outgoing.headers = head.headers;
        let limit = policy.request_limits().request_bytes;
        (outgoing.body, outgoing.trailers) = collect(body, limit).await?;
        for token in self.vault.named_in(&outgoing.headers) {
            outgoing = outgoing.secret(token);
        }
        let answer = self.client.send(outgoing).await.map_err(denied)?;
        let mut response = http::Response::builder().status(answer.status);
        if let Some(headers) = response.headers_mut() {
            headers.clone_from(&answer.headers);
        }
        let body = match self.vault.looks_at(&method, &url) {
            true => self.without_tokens(&method, &url, answer).await?,
            false => streamed(answer),
        };
        response.body(body).map_err(|_| Error::HttpProtocolError)
    }

    /// The body with stand-ins; one that is neither JSON nor of gRPC holds no token.
    async fn without_tokens(
        &self,
        method: &str,
        url: &str,
        mut answer: Response,
    ) -> Result<WasiBody, Error> {
        let is_grpc = is_grpc(&answer.headers);
        let kind = answer.headers.get(CONTENT_TYPE);
        let is_json =
            kind.is_some_and(|kind| kind.as_bytes().windows(4).any(|part| part == b"json"));
        let mut body = Vec::new();
        while let Some(piece) = answer.piece().await.map_err(denied)? {
            if body.len() + piece.len() > WITH_TOKENS {
                return Err(Error::HttpResponseBodySize(Some(WITH_TOKENS as u64)));
            }
            body.extend_from_slice(&piece);
        }
        let looks_like = || serde_json::from_slice::<serde::de::IgnoredAny>(&body).is_ok();
        let kept = match is_grpc {
            true => Some(self.vault.keep_back_of_messages(method, url, &body)),
            false if !body.is_empty() && (is_json || looks_like()) => {
                Some(self.vault.keep_back(method, url, &body))
            }
            false => None,
        };
        if let Some(kept) = kept {
            body = kept.map_err(|error| Error::InternalError(Some(error.message().to_owned())))?;
        }
        let mut frames = vec![Frame::data(Bytes::from(body))];
        if !answer.trailers().is_empty() {
            frames.push(Frame::trailers(answer.trailers().clone()));
        }
        let frames = stream::iter(frames.into_iter().map(Ok));
        Ok(StreamBody::new(frames).boxed_unsync())
    }
}

/// gRPC is spoken over HTTP/2 alone.
fn is_grpc(headers: &HeaderMap) -> bool {
    let kind = headers.get(CONTENT_TYPE);
    kind.is_some_and(|kind| kind.as_bytes().starts_with(b"application/grpc"))
}

/// The whole body of a request, which is sent at once, and what follows it.
async fn collect(mut body: WasiBody, limit: u64) -> Result<(Bytes, HeaderMap), Error> {
    let (mut all, mut trailers) = (Vec::new(), HeaderMap::new());
    while let Some(frame) = body.frame().await {
        let data = match frame?.into_data() {
            Ok(data) => data,
            Err(other) => {
                trailers.extend(other.into_trailers().unwrap_or_default());
                continue;
            }
        };
        if (all.len() + data.len()) as u64 > limit {
            return Err(Error::HttpRequestBodySize(Some(limit)));
        }
        all.extend_from_slice(&data);
    }
    Ok((all.into(), trailers))
}

fn streamed(answer: Response) -> WasiBody {
    let pieces = stream::unfold(Some(answer), |answer| async move {
        let mut answer = answer?;
        Some(match answer.piece().await {
            Ok(Some(piece)) => (Ok(Frame::data(piece)), Some(answer)),
            Ok(None) if answer.trailers().is_empty() => return None,
            Ok(None) => (Ok(Frame::trailers(answer.trailers().clone())), None),
            Err(error) => (Err(denied(error)), None),
        })
    });
    let pieces: Pin<Box<dyn futures::Stream<Item = _> + Send>> = Box::pin(pieces);
    StreamBody::new(pieces).boxed_unsync()
}

/// What the component is told. The messages name origins, never headers or bodies.
fn denied(error: NetworkError) -> Error {
    match error {
        NetworkError::Denied { .. } => Error::HttpRequestDenied,
        NetworkError::Address { .. } => Error::DestinationIpProhibited,
        NetworkError::Resolve { .. } => Error::DestinationNotFound,
        NetworkError::Connect { .. } => Error::ConnectionRefused,
        NetworkError::Secure { .. } => Error::TlsProtocolError,
        NetworkError::Timeout { .. } => Error::HttpResponseTimeout,
        NetworkError::TooLarge { what, limit } if what.starts_with("request") => {
            Error::HttpRequestBodySize(Some(limit))
        }
        NetworkError::TooLarge { limit, .. } => Error::HttpResponseBodySize(Some(limit)),
        NetworkError::Broken { .. } => Error::ConnectionTerminated,
        NetworkError::Invalid { .. } => Error::HttpRequestUriInvalid,
        error => Error::InternalError(Some(error.to_string())),
    }
}
