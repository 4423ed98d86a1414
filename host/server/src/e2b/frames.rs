//! The envelopes of Connect's streams: a byte of flags, the length, the message.

use super::failure::{Code, Failure, Result};
use crate::web::{self, Body, Chunks};
use bytes::{Buf, BufMut, Bytes, BytesMut};
use futures::StreamExt;

/// The message is compressed.
const COMPRESSED: u8 = 1;

/// The last envelope of a stream, which says how it ended.
const END: u8 = 2;

/// Bytes of flags and length.
const HEADER: usize = 5;

/// Bytes that one message may have. A client that announces more could otherwise have this process
/// collect them.
pub(super) const LONGEST: usize = 16 << 20;

/// A message in its envelope.
pub(super) fn message(bytes: &[u8]) -> Bytes {
    envelope(0, bytes)
}

/// The envelope that ends a stream.
pub(super) fn end(failure: Option<&Failure>) -> Bytes {
    let body = match failure {
        None => serde_json::json!({}),
        Some(failure) => serde_json::json!({ "error": failure.connect() }),
    };
    envelope(END, body.to_string().as_bytes())
}

fn envelope(flags: u8, bytes: &[u8]) -> Bytes {
    let mut envelope = BytesMut::with_capacity(HEADER + bytes.len());
    envelope.put_u8(flags);
    // Messages are shorter than `LONGEST`, or made here.
    envelope.put_u32(u32::try_from(bytes.len()).unwrap_or(u32::MAX));
    envelope.put_slice(bytes);
    envelope.freeze()
}

/// The messages of a request's body.
pub(super) struct Frames {
    body: Chunks,
    buffer: BytesMut,
}

impl Frames {
    pub(super) fn new(body: Body) -> Frames {
        Frames {
            body: web::chunks(body),
            buffer: BytesMut::new(),
        }
    }

    /// The next message; none at the end.
    pub(super) async fn next(&mut self) -> Result<Option<Bytes>> {
        if !self.fill(HEADER).await? {
            return match self.buffer.is_empty() {
                true => Ok(None),
                false => Err(Failure::invalid("the stream ends within an envelope")),
            };
        }
        let flags = self.buffer.get_u8();
        let length = self.buffer.get_u32() as usize;
        if flags & COMPRESSED != 0 {
            let message = "compressed messages are not offered";
            return Err(Failure::new(Code::Unimplemented, message));
        }
        if length > LONGEST {
            let message = format!("a message of {length} bytes; at most {LONGEST} are taken");
            return Err(Failure::new(Code::ResourceExhausted, message));
        }
        if !self.fill(length).await? {
            return Err(Failure::invalid("the stream ends within a message"));
        }
        Ok(Some(self.buffer.split_to(length).freeze()))
    }

    /// Reads until `length` bytes are there; whether they are.
    async fn fill(&mut self, length: usize) -> Result<bool> {
        while self.buffer.len() < length {
            match self.body.next().await {
                Some(Ok(chunk)) => self.buffer.extend_from_slice(&chunk),
                Some(Err(error)) => return Err(error.into()),
                None => return Ok(false),
            }
        }
        Ok(true)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    async fn read(chunks: Vec<Bytes>) -> Vec<std::result::Result<Bytes, Code>> {
        let mut frames = Frames::new(web::stream(futures::stream::iter(chunks)));
        let mut all = Vec::new();
        loop {
            match frames.next().await {
                Ok(Some(message)) => all.push(Ok(message)),
                Ok(None) => return all,
                Err(failure) => {
                    all.push(Err(failure.code()));
                    return all;
                }
            }
        }
    }

    #[tokio::test]
    async fn envelopes_are_taken_apart() {
        for (bytes, expected) in [
            (&b""[..], vec![]),
            (b"\0\0\0\0\x02{}", vec![Ok(Bytes::from("{}"))]),
            (
                b"\0\0\0\0\0\0\0\0\0\x01a",
                vec![Ok(Bytes::new()), Ok(Bytes::from("a"))],
            ),
            (b"\0\0\0", vec![Err(Code::InvalidArgument)]),
            (b"\0\0\0\0\x02{", vec![Err(Code::InvalidArgument)]),
            (b"\x01\0\0\0\0", vec![Err(Code::Unimplemented)]),
            (b"\0\xff\0\0\0", vec![Err(Code::ResourceExhausted)]),
        ] {
            // One byte a chunk: no message arrives in one piece.
            let chunks = bytes.chunks(1).map(Bytes::from_static).collect();
            assert_eq!(read(chunks).await, expected, "{bytes:?}");
        }
    }

    /// What envelopes hold, read in one piece.
    fn expected(mut rest: &[u8]) -> Vec<std::result::Result<Bytes, Code>> {
        let mut all = Vec::new();
        while !rest.is_empty() {
            let failed = match rest.split_first_chunk::<HEADER>() {
                None => Code::InvalidArgument,
                Some(([flags, ..], _)) if flags & COMPRESSED != 0 => Code::Unimplemented,
                Some(([_, length @ ..], behind)) => match u32::from_be_bytes(*length) as usize {
                    length if length > LONGEST => Code::ResourceExhausted,
                    length if length > behind.len() => Code::InvalidArgument,
                    length => {
                        all.push(Ok(Bytes::copy_from_slice(&behind[..length])));
                        rest = &behind[length..];
                        continue;
                    }
                },
            };
            all.push(Err(failed));
            return all;
        }
        all
    }

    proptest::proptest! {
        #[test]
        fn however_they_are_cut_envelopes_are_the_same(
            messages in proptest::collection::vec((0..8_u8, proptest::collection::vec(0..=255_u8, 0..40)), 0..6),
            rest in proptest::collection::vec(0..=255_u8, 0..12),
            chunk in 1..64_usize,
        ) {
            let mut bytes = Vec::new();
            for (flags, message) in messages {
                bytes.extend(envelope(flags & !u8::from(flags < 7), &message));
            }
            bytes.extend(rest);
            let chunks: Vec<Bytes> = bytes.chunks(chunk).map(Bytes::copy_from_slice).collect();
            let runtime = tokio::runtime::Builder::new_current_thread().build().unwrap();
            proptest::prop_assert_eq!(runtime.block_on(read(chunks)), expected(&bytes));
        }
    }

    #[test]
    fn the_end_says_why() {
        assert_eq!(&end(None)[..], b"\x02\0\0\0\x02{}");
        let failure = Failure::new(Code::NotFound, "no such process");
        let text = br#"{"error":{"code":"not_found","message":"no such process"}}"#;
        assert_eq!(&end(Some(&failure))[HEADER..], text);
    }
}
