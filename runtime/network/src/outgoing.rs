//! A request on its way, by connections of this process or by a gateway, and its answer.

use bytes::Bytes;
use http::{HeaderMap, Method};
use url::Url;

use crate::client::failure;
use crate::error::Result;
use crate::gateway::{self, Gateway};

/// How requests leave.
#[derive(Debug, Clone)]
pub(crate) enum Way {
    Own(reqwest::Client),
    Gateway(Gateway),
}

impl Way {
    pub(crate) fn request(
        &self,
        method: Method,
        url: Url,
        headers: HeaderMap,
        body: Bytes,
    ) -> Outgoing {
        match self {
            Way::Own(http) => {
                let request = http.request(method, url).headers(headers).body(body);
                Outgoing::Own(Box::new(request))
            }
            Way::Gateway(gateway) => {
                let asked = gateway::asked(&method, &url, &headers, &body);
                Outgoing::Gateway(gateway.clone(), asked)
            }
        }
    }
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
                    body: Body::Own(answer),
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
    Own(reqwest::Response),
    Gateway(gateway::Body),
}

impl Answer {
    /// The next piece of the body; none at its end.
    pub(crate) async fn chunk(&mut self, origin: &str) -> Result<Option<Bytes>> {
        match &mut self.body {
            Body::Own(answer) => {
                let piece = answer.chunk().await;
                piece.map_err(|error| failure(origin, &error))
            }
            Body::Gateway(body) => body.chunk().await,
        }
    }
}
