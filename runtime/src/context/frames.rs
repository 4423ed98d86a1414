//! What an interpreter writes: frames about a cell, and between them what its processes print.

use bytes::{Buf, BytesMut};

/// The byte that a frame begins with.
const START: u8 = 0x1e;

/// Bytes of a frame between its token and its content: kind, whether it goes on, length, line feed.
const HEADER: usize = 16;

/// Bytes that the content of frames which belong together may have.
pub(super) const LONGEST: usize = 64 << 20;

/// What was read.
#[derive(Debug, PartialEq, Eq)]
pub(super) enum Frame {
    /// Bytes of no frame.
    Output(Vec<u8>),
    /// The content of a frame, with those that go on with it.
    Told(u8, Vec<u8>),
    /// A frame that is malformed, or one of several with more than [`LONGEST`] bytes of content.
    Broken,
}

/// Takes apart what arrives.
#[derive(Debug, Default)]
pub(super) struct Frames {
    /// What every frame of the present cell begins with.
    mark: Vec<u8>,
    arrived: BytesMut,
    content: Vec<u8>,
}

impl Frames {
    /// Frames are those with this token from now on.
    pub(super) fn follow(&mut self, token: &str) {
        self.mark = [&[START], token.as_bytes()].concat();
        self.content.clear();
    }

    pub(super) fn push(&mut self, bytes: &[u8]) {
        self.arrived.extend_from_slice(bytes);
    }

    /// What has arrived as a whole; none until there is more.
    pub(super) fn next(&mut self) -> Option<Frame> {
        loop {
            let output = self.output();
            if output > 0 {
                return Some(Frame::Output(self.arrived.split_to(output).to_vec()));
            }
            let rest = self.arrived.get(self.mark.len()..)?;
            let header = &rest[..rest.len().min(HEADER)];
            let Some(end) = header.iter().position(|byte| *byte == b'\n') else {
                return (header.len() == HEADER).then_some(Frame::Broken);
            };
            let Some((kind, more, length)) = fields(&header[..end]) else {
                return Some(Frame::Broken);
            };
            if self.content.len().saturating_add(length) > LONGEST {
                return Some(Frame::Broken);
            }
            let content = rest[end + 1..].get(..length)?;
            self.content.extend_from_slice(content);
            self.arrived.advance(self.mark.len() + end + 1 + length);
            if more != b'+' {
                return Some(Frame::Told(kind, std::mem::take(&mut self.content)));
            }
        }
    }

    /// How many bytes are there before something that is a frame, or may become one.
    fn output(&self) -> usize {
        let bytes = &self.arrived[..];
        let is_start = |at: &usize| {
            let rest = &bytes[*at..];
            let shared = rest.len().min(self.mark.len());
            rest[..shared] == self.mark[..shared]
        };
        let starts = bytes.iter().enumerate();
        let mut starts = starts.filter(|(_, byte)| **byte == START).map(|(at, _)| at);
        starts.find(is_start).unwrap_or(bytes.len())
    }
}

/// Kind, whether it goes on, and length.
fn fields(header: &[u8]) -> Option<(u8, u8, usize)> {
    let (&[kind, more], digits) = header.split_first_chunk()?;
    let length = std::str::from_utf8(digits).ok()?.parse().ok()?;
    Some((kind, more, length))
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Everything in these bytes, that arrive piece by piece; output is put together.
    fn read(bytes: &[u8], piece: usize) -> Vec<Frame> {
        let mut frames = Frames::default();
        frames.follow("TOKEN");
        let mut found: Vec<Frame> = Vec::new();
        for piece in bytes.chunks(piece) {
            frames.push(piece);
            while let Some(frame) = frames.next() {
                match (found.last_mut(), frame) {
                    (Some(Frame::Output(before)), Frame::Output(more)) => before.extend(more),
                    (_, Frame::Broken) => {
                        found.push(Frame::Broken);
                        return found;
                    }
                    (_, frame) => found.push(frame),
                }
            }
        }
        found
    }

    #[test]
    fn frames_and_output_come_in_order() {
        let bytes = b"raw\x1eTOKENo.3\nabc\x1eTOKENr+2\n\x1eT\x1eTOKENr.1\nz\x1eFALSEd.0\nend\x1eTOKENd.0\n";
        let expected = [
            Frame::Output(b"raw".to_vec()),
            Frame::Told(b'o', b"abc".to_vec()),
            Frame::Told(b'r', b"\x1eTz".to_vec()),
            Frame::Output(b"\x1eFALSEd.0\nend".to_vec()),
            Frame::Told(b'd', Vec::new()),
        ];
        for piece in [1, 2, 3, 7, 1_000] {
            assert_eq!(read(bytes, piece), expected, "{piece}");
        }
    }

    #[test]
    fn what_may_become_a_frame_waits() {
        let mut frames = Frames::default();
        frames.follow("TOKEN");
        frames.push(b"a\x1eTOK");
        assert_eq!(frames.next(), Some(Frame::Output(b"a".to_vec())));
        assert_eq!(frames.next(), None);
        frames.push(b"IO");
        assert_eq!(frames.next(), Some(Frame::Output(b"\x1eTOKIO".to_vec())));
    }

    #[test]
    fn content_is_bounded() {
        let long = format!("\x1eTOKENo+{}\n", LONGEST + 1);
        let mut bytes = long.into_bytes();
        bytes.resize(bytes.len() + LONGEST + 1, b'x');
        assert_eq!(read(&bytes, bytes.len()), [Frame::Broken]);
        assert_eq!(read(b"\x1eTOKENo.abc\n", 100), [Frame::Broken]);
    }
}
