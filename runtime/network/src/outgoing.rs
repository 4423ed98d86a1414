//! A request on its way, by connections of this process or by a gateway, and its answer.

use std::convert::Infallible;
use std::sync::{Arc, OnceLock};

use bytes::Bytes;
use futures::stream;
use http::HeaderMap;
use http_body_util::combinators::BoxBody;
use http_body_util::{BodyExt, Full, StreamBody};
use hyper::body::Frame;

use crate::client::{self, Request};
use crate::error::Result;
use crate::exchange::failure;
use crate::gateway::{self, Gateway};
use crate::policy::Policy;

/// How requests leave.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    Own(Connections),
    Gateway(Gateway),
}

/// The connections of this process.
#[derive(Debug, Clone)]
pub(crate) struct Connections {
    policy: Arc<Policy>,
    any: reqwest::Client,
    /// Those that speak HTTP/2 and nothing else, for who asks for that.
    http2: Arc<OnceLock<reqwest::Client>>,
}

impl Connections {
    pub(crate) fn new(policy: &Arc<Policy>) -> Result<Connections> {
        Ok(Connections {
            policy: Arc::clone(policy),
            any: client::http(policy, &["h2", "http/1.1"])?,
            http2: Arc::default(),
        })
    }

    fn http2(&self) -> Result<&reqwest::Client> {
        if let Some(made) = self.http2.get() {
            return Ok(made);
        }
        let made = client::http2(&self.policy)?;
        Ok(self.http2.get_or_init(|| made))
    }
}

impl Way {
    /// A request with the headers that it shall have.
    pub(crate) fn request(&self, request: Request, headers: HeaderMap) -> Result<Outgoing> {
        Ok(match self {
            Way::Own(connections) => {
                let http = match request.http2 {
                    true => connections.http2()?,
                    false => &connections.any,
                };
                let body = match request.trailers.is_empty() {
                    true => request.body.into(),
                    false => reqwest::Body::wrap(body(request.body, request.trailers)),
                };
                let request = http.request(request.method, request.url);
                Outgoing::Own(Box::new(request.headers(headers).body(body)))
            }
            Way::Gateway(gateway) => {
                let asked = gateway::asked(&request, &headers);
                Outgoing::Gateway(gateway.clone(), asked)
            }
        })
    }
}

/// A body with what follows it.
pub(crate) fn body(bytes: Bytes, trailers: HeaderMap) -> BoxBody<Bytes, Infallible> {
    if trailers.is_empty() {
        return Full::new(bytes).boxed();
    }
    let data = (!bytes.is_empty()).then(|| Frame::data(bytes));
    let frames = data.into_iter().chain([Frame::trailers(trailers)]);
    StreamBody::new(stream::iter(frames.map(Ok))).boxed()
}

/// A request that is ready to leave.
pub(crate) enum Outgoing {
    Own(Box<reqwest::RequestBuilder>),
    /// With what the other process is asked for.
    Gateway(Gateway, Bytes),
}

impl Outgoing {
    pub(crate) async fn send(self, origin: &str) -> Result<Answer> {
        match self {
            Outgoing::Own(request) => {
                let answer = request.send().await;
                let mut answer = answer.map_err(|error| failure(origin, &error))?;
                Ok(Answer {
                    status: answer.status().as_u16(),
                    version: answer.version(),
                    headers: std::mem::take(answer.headers_mut()),
                    body: Body::Own(answer.into()),
                })
            }
            Outgoing::Gateway(gateway, asked) => gateway.send(asked).await,
        }
    }
}

/// An answer that has begun.
pub(crate) struct Answer {
    pub(crate) status: u16,
    pub(crate) version: http::Version,
    pub(crate) headers: HeaderMap,
    pub(crate) body: Body,
}

pub(crate) enum Body {
    Own(reqwest::Body),
    Gateway(gateway::Body),
}

/// A part of an answer that follows its head.
#[derive(Debug)]
pub(crate) enum Piece {
    Data(Bytes),
    /// The last one.
    Trailers(HeaderMap),
}

impl Piece {
    /// What a frame holds, where that is known.
    pub(crate) fn of(frame: Frame<Bytes>) -> Option<Piece> {
        match frame.into_data() {
            Ok(data) => Some(Piece::Data(data)),
            Err(other) => other.into_trailers().ok().map(Piece::Trailers),
        }
    }
}

impl Answer {
    /// What comes next; none at its end.
    pub(crate) async fn piece(&mut self, origin: &str) -> Result<Option<Piece>> {
        let body = match &mut self.body {
            Body::Own(body) => body,
            Body::Gateway(body) => return body.piece().await,
        };
        while let Some(frame) = body.frame().await {
            let frame = frame.map_err(|error| failure(origin, &error))?;
            if let Some(piece) = Piece::of(frame) {
                return Ok(Some(piece));
            }
        }
        Ok(None)
    }
}
