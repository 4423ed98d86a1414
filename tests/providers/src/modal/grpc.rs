//! Answers of gRPC.

use crate::service::{Answer, Request};
use bytes::Bytes;
use futures::stream::{self, Stream, StreamExt};
use http::HeaderMap;
use hyper::body::Frame;
use offshoot::backend::{Code, Error};
use prost::Message;

/// What a call comes to.
pub(super) type Outcome = Result<Answer, Failed>;

/// A status with a message.
#[derive(Debug)]
pub(super) struct Failed {
    status: u8,
    message: String,
}

impl Failed {
    fn new(status: u8, message: impl Into<String>) -> Failed {
        let message = message.into();
        Failed { status, message }
    }

    pub(super) fn invalid(message: impl Into<String>) -> Failed {
        Failed::new(3, message)
    }

    pub(super) fn not_found(message: impl Into<String>) -> Failed {
        Failed::new(5, message)
    }

    pub(super) fn precondition(message: impl Into<String>) -> Failed {
        Failed::new(9, message)
    }

    pub(super) fn unimplemented(message: impl Into<String>) -> Failed {
        Failed::new(12, message)
    }

    pub(super) fn unauthenticated(message: impl Into<String>) -> Failed {
        Failed::new(16, message)
    }

    fn fields(&self) -> [(&'static str, String); 2] {
        let message = percent_encoding::utf8_percent_encode(
            &self.message,
            percent_encoding::NON_ALPHANUMERIC,
        );
        [
            ("grpc-status", self.status.to_string()),
            ("grpc-message", message.to_string()),
        ]
    }

    /// The answer with nothing but the status, in its headers.
    pub(super) fn answer(self) -> Answer {
        let [status, message] = self.fields();
        Answer::frames(&[content_type(), status, message], stream::empty())
    }
}

impl From<Error> for Failed {
    fn from(error: Error) -> Failed {
        let status = match error.code() {
            Code::NotFound => 5,
            Code::SandboxUnavailable | Code::Died => 14,
            _ => 13,
        };
        Failed::new(status, error.to_string())
    }
}

fn content_type() -> (&'static str, String) {
    ("content-type", "application/grpc".to_owned())
}

/// The messages that a call came with.
pub(super) fn all<M: Message + Default>(request: &Request) -> Result<Vec<M>, Failed> {
    let mut messages = Vec::new();
    let mut rest = &request.body[..];
    while let Some(([flag, length @ ..], after)) = rest.split_first_chunk::<5>() {
        let length = u32::from_be_bytes(*length) as usize;
        let (message, after) = after
            .split_at_checked(length)
            .filter(|_| *flag == 0)
            .ok_or_else(|| Failed::new(13, "no message"))?;
        let message = M::decode(message).map_err(|error| Failed::new(13, error.to_string()))?;
        messages.push(message);
        rest = after;
    }
    Ok(messages)
}

/// The one message that a call came with.
pub(super) fn asked<M: Message + Default>(request: &Request) -> Result<M, Failed> {
    let mut messages = all(request)?;
    match (messages.pop(), messages.is_empty()) {
        (Some(message), true) => Ok(message),
        _ => Err(Failed::new(13, "one message was expected")),
    }
}

fn frame(message: &impl Message) -> Frame<Bytes> {
    let message = message.encode_to_vec();
    let length = u32::try_from(message.len()).unwrap_or(u32::MAX);
    Frame::data([&[0], &length.to_be_bytes()[..], &message].concat().into())
}

fn trailers(fields: &[(&'static str, String)]) -> Frame<Bytes> {
    let mut trailers = HeaderMap::new();
    for (name, value) in fields {
        trailers.extend(
            value
                .parse()
                .ok()
                .map(|value| (http::HeaderName::from_static(name), value)),
        );
    }
    Frame::trailers(trailers)
}

/// What a stream tells.
pub(super) enum Told<M> {
    Message(M),
    /// The last thing.
    Failed(Failed),
}

/// An answer of one message.
pub(super) fn reply(message: &impl Message) -> Outcome {
    let frames = [frame(message), trailers(&[("grpc-status", "0".to_owned())])];
    Ok(Answer::frames(&[content_type()], stream::iter(frames)))
}

/// An answer of many messages.
pub(super) fn streamed<M: Message + 'static>(
    told: impl Stream<Item = Told<M>> + Send + 'static,
) -> Answer {
    let end = stream::once(async { None });
    let frames = told.map(Some).chain(end).scan(false, |ended, told| {
        let frame = match told {
            _ if *ended => None,
            Some(Told::Message(message)) => Some(frame(&message)),
            Some(Told::Failed(failed)) => {
                *ended = true;
                Some(trailers(&failed.fields()))
            }
            None => Some(trailers(&[("grpc-status", "0".to_owned())])),
        };
        std::future::ready(frame)
    });
    Answer::frames(&[content_type()], frames)
}
