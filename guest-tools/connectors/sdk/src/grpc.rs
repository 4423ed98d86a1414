//! gRPC as a connector speaks it: one request, one message or a stream of them as its answer.
//!
//! Messages are types of `prost`. The host sends what has this content type over HTTP/2.

mod status;

use std::marker::PhantomData;
use std::task::Poll;

use prost::Message;

use crate::http::{Request, Response};
use crate::{Code, Error};
use status::{GRPC_MESSAGE, GRPC_STATUS, ended};

pub use status::{Failure, Result, Status};

/// Bytes before a message: whether it is compressed, and its length.
const HEADER: usize = 5;
/// Bytes of one message of an answer.
const LONGEST: usize = 64 << 20;

/// A service at an address, and what each call to it carries.
///
/// ```no_run
/// use offshoot_connector::grpc::Service;
/// # #[derive(Clone, PartialEq, prost::Message)]
/// # struct Asked { #[prost(string, tag = "1")] name: String }
/// # fn main() -> offshoot_connector::grpc::Result<()> {
/// let boxes = Service::new("https://api.example.com", "example.Boxes").with("x-region", "eu");
/// let told: Asked = boxes.call("Make", &Asked { name: "one".to_owned() })?;
/// # drop(told); Ok(()) }
/// ```
#[derive(Debug, Clone)]
pub struct Service {
    address: String,
    name: &'static str,
    metadata: Vec<(String, String)>,
}

impl Service {
    /// A service by its address and its full name.
    pub fn new(address: &str, name: &'static str) -> Service {
        Service {
            address: address.trim_end_matches('/').to_owned(),
            name,
            metadata: Vec::new(),
        }
    }

    /// The same with a header that each call carries.
    #[must_use]
    pub fn with(mut self, name: &str, value: impl Into<String>) -> Service {
        self.metadata.push((name.to_owned(), value.into()));
        self
    }

    /// Calls a method that answers with one message.
    ///
    /// # Errors
    /// What the service said, [`Code::Corrupt`] for what is no such answer, and as [`Request::send`].
    pub fn call<A: Message + Default>(&self, method: &str, asked: &impl Message) -> Result<A> {
        let mut answer = self.stream(method, asked)?;
        let told = answer
            .message()?
            .ok_or_else(|| Error::corrupt("no message"))?;
        match answer.message()? {
            None => Ok(told),
            Some(_) => Err(Error::corrupt("a second message").into()),
        }
    }

    /// Calls a method that answers with a stream of messages.
    ///
    /// # Errors
    /// As [`Service::call`], where the service refuses at once.
    pub fn stream<A: Message + Default>(
        &self,
        method: &str,
        asked: &impl Message,
    ) -> Result<Messages<A>> {
        let url = format!("{}/{}/{method}", self.address, self.name);
        let mut request = Request::post(url)
            .body("application/grpc+proto", framed(asked)?)
            .header("te", "trailers");
        for (name, value) in &self.metadata {
            request = request.header(name, value);
        }
        let answer = request.send()?;
        if answer.status() != 200 {
            let status = Status::of_http(answer.status());
            let message = answer.error().message;
            return Err(status.failure(message));
        }
        let headers = [GRPC_STATUS, GRPC_MESSAGE]
            .into_iter()
            .filter_map(|name| Some((name.to_owned(), answer.header(name)?.as_bytes().to_vec())));
        // Where it has nothing else to say, a service says its status in the headers.
        if let Some(ended) = ended(&headers.collect::<Vec<_>>()) {
            ended?;
        }
        let kind = answer.header("content-type").unwrap_or_default();
        if !kind.starts_with("application/grpc") {
            let kind: String = kind.chars().take(100).collect();
            return Err(Error::corrupt(format!("gRPC was expected, not {kind:?}")).into());
        }
        Ok(Messages {
            answer: Some(answer),
            frames: Frames::default(),
            of: PhantomData,
        })
    }
}

/// The messages of an answer, as they come.
#[derive(Debug)]
pub struct Messages<A> {
    /// Nothing after its end.
    answer: Option<Response>,
    frames: Frames,
    of: PhantomData<A>,
}

impl<A: Message + Default> Messages<A> {
    /// The next message; nothing at the end. Waits.
    ///
    /// # Errors
    /// What the service said at the end, [`Code::Corrupt`] for what is no message, [`Code::Died`] where it breaks
    /// off.
    pub fn message(&mut self) -> Result<Option<A>> {
        loop {
            match self.try_message()? {
                Poll::Ready(message) => return Ok(message),
                Poll::Pending => Response::wait(&self.answer.iter().collect::<Vec<_>>()),
            }
        }
    }

    /// As [`Messages::message`], without waiting for a message.
    ///
    /// # Errors
    /// As [`Messages::message`].
    pub fn try_message(&mut self) -> Result<Poll<Option<A>>> {
        loop {
            if let Some(message) = self.frames.next()? {
                let message = A::decode(&*message).map_err(Error::corrupt)?;
                return Ok(Poll::Ready(Some(message)));
            }
            let Some(answer) = &mut self.answer else {
                return Ok(Poll::Ready(None));
            };
            match answer.try_piece()? {
                Poll::Ready(Some(piece)) => self.frames.push(&piece),
                Poll::Ready(None) => {
                    self.end()?;
                    return Ok(Poll::Ready(None));
                }
                Poll::Pending => return Ok(Poll::Pending),
            }
        }
    }

    fn end(&mut self) -> Result<()> {
        let trailers = match self.answer.take() {
            Some(answer) => answer.trailers()?,
            None => return Ok(()),
        };
        let broke_off = || Error::new(Code::Died, "the answer ended without a status");
        ended(&trailers).ok_or_else(broke_off)??;
        self.frames.over()
    }

    /// Waits until one of two answers may have a message, or its end; where both have ended, not at all.
    pub fn wait(one: &Messages<A>, other: &Messages<A>) {
        let answers: Vec<&Response> = one.answer.iter().chain(&other.answer).collect();
        Response::wait(&answers);
    }
}

/// A message with its header.
fn framed(message: &impl Message) -> Result<Vec<u8>> {
    let length = message.encoded_len();
    let told = u32::try_from(length)
        .map_err(|_| Error::new(Code::Limit, "limit reached: a message of 4 GiB"))?;
    let mut bytes = Vec::with_capacity(HEADER + length);
    bytes.push(0);
    bytes.extend_from_slice(&told.to_be_bytes());
    message.encode(&mut bytes).map_err(Error::corrupt)?;
    Ok(bytes)
}

/// Bytes of an answer, from which messages are taken.
#[derive(Debug, Default)]
struct Frames {
    buffer: Vec<u8>,
    /// Bytes of the buffer that were taken.
    taken: usize,
}

impl Frames {
    fn push(&mut self, piece: &[u8]) {
        self.buffer.drain(..self.taken);
        self.taken = 0;
        self.buffer.extend_from_slice(piece);
    }

    /// The next message, where all of it is there.
    fn next(&mut self) -> Result<Option<Vec<u8>>> {
        let rest = &self.buffer[self.taken..];
        let Some(([flag, length @ ..], rest)) = rest.split_first_chunk::<HEADER>() else {
            return Ok(None);
        };
        let length = u32::from_be_bytes(*length) as usize;
        if *flag != 0 {
            return Err(Error::corrupt("a message is compressed").into());
        }
        if length > LONGEST {
            return Err(Error::corrupt(format!("a message of {length} bytes")).into());
        }
        let Some(message) = rest.get(..length) else {
            return Ok(None);
        };
        let message = message.to_vec();
        self.taken += HEADER + length;
        Ok(Some(message))
    }

    /// Refuses a message that is not whole.
    fn over(&self) -> Result<()> {
        match self.buffer.len() == self.taken {
            true => Ok(()),
            false => Err(Error::corrupt("the last message is not whole").into()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[derive(Clone, PartialEq, Message)]
    struct Named {
        #[prost(string, tag = "1")]
        name: String,
    }

    fn named(name: &str) -> Named {
        Named {
            name: name.to_owned(),
        }
    }

    #[test]
    fn messages_are_taken_from_pieces_of_any_size() {
        let names = ["", "one", &"long".repeat(1000)];
        let all: Vec<u8> = names
            .iter()
            .flat_map(|name| framed(&named(name)).unwrap())
            .collect();
        for size in [1, 3, 5, 4096, all.len()] {
            let mut frames = Frames::default();
            let mut found = Vec::new();
            for piece in all.chunks(size) {
                frames.push(piece);
                while let Some(message) = frames.next().unwrap() {
                    found.push(Named::decode(&*message).unwrap().name);
                }
            }
            assert_eq!(found, names);
            frames.over().unwrap();
        }
    }

    #[test]
    fn what_is_no_message_is_corrupt() {
        for bytes in [&[1, 0, 0, 0, 0][..], &[0, 0xff, 0, 0, 0]] {
            let mut frames = Frames::default();
            frames.push(bytes);
            assert_eq!(frames.next().unwrap_err().error.code, Code::Corrupt);
        }
        let mut frames = Frames::default();
        frames.push(&[0, 0, 0, 0, 2, 9]);
        assert!(frames.next().unwrap().is_none());
        assert_eq!(frames.over().unwrap_err().error.code, Code::Corrupt);
    }
}
