//! HTTP of components: judged by the policy, dressed with credentials, limited.

use std::pin::Pin;
use std::sync::Arc;

use bytes::Bytes;
use futures::stream;
use http_body_util::{BodyExt, Full, StreamBody};
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
        outgoing.headers = head.headers;
        outgoing.body = collect(body, policy.request_limits().request_bytes).await?;
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

    /// The body with stand-ins; one that is no JSON holds no token.
    async fn without_tokens(
        &self,
        method: &str,
        url: &str,
        mut answer: Response,
    ) -> Result<WasiBody, Error> {
        let kind = answer.headers.get(http::header::CONTENT_TYPE);
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
        if !body.is_empty() && (is_json || looks_like()) {
            body = self
                .vault
                .keep_back(method, url, &body)
                .map_err(|error| Error::InternalError(Some(error.message().to_owned())))?;
        }
        let body = Full::new(Bytes::from(body));
        Ok(body.map_err(|never| match never {}).boxed_unsync())
    }
}

/// The whole body of a request, which is sent at once.
async fn collect(mut body: WasiBody, limit: u64) -> Result<Bytes, Error> {
    let mut all = Vec::new();
    while let Some(frame) = body.frame().await {
        let Ok(data) = frame?.into_data() else {
            continue;
        };
        if (all.len() + data.len()) as u64 > limit {
            return Err(Error::HttpRequestBodySize(Some(limit)));
        }
        all.extend_from_slice(&data);
    }
    Ok(all.into())
}

fn streamed(answer: Response) -> WasiBody {
    let pieces = stream::unfold(answer, |mut answer| async move {
        let piece = answer.piece().await.transpose()?;
        let frame = piece.map(http_body::Frame::data).map_err(denied);
        Some((frame, answer))
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
