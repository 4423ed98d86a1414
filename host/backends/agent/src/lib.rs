//! The protocol between the host of a virtual machine and the agent inside: frames in both
//! directions of one stream, which belong to numbered commands.
//!
//! A frame is the length of what follows (four bytes, the lowest first), a kind, the number of a
//! command, and the rest. Neither side ever waits for one command's streams: each is sent at most
//! [`WINDOW`] bytes that the other side has not taken yet.
//!
//! ```
//! use offshoot_agent::{Down, Frames, MAX_DOWN};
//! let mut bytes = Vec::new();
//! Down::Stdin(7, b"text".to_vec()).encode(&mut bytes);
//! let mut frames = Frames::new(MAX_DOWN);
//! frames.push(&bytes);
//! let frame = frames.next()?.and_then(|frame| Down::decode(&frame));
//! assert_eq!(frame, Some(Down::Stdin(7, b"text".to_vec())));
//! # Ok::<(), offshoot_agent::Malformed>(())
//! ```

use serde::{Deserialize, Serialize};
use std::fmt;

/// The name of the port inside.
pub const PORT: &str = "offshoot";
/// The port inside that the agent listens on where vsock leads to the host.
pub const VSOCK_PORT: u32 = 7_301;
/// The last file of the first file system: without it the rest did not fit into the memory either.
pub const WHOLE: &str = ".offshoot/whole";
/// Bytes of a stream that one frame carries.
pub const PIECE: usize = 32 << 10;
/// Bytes of a stream that may be on their way. A guest that sends more, to fill the host's memory,
/// has broken the protocol.
pub const WINDOW: usize = 256 << 10;
/// The longest frame from the host: a command with all its arguments and variables.
pub const MAX_DOWN: usize = 8 << 20;
/// The longest frame from the guest, whose length field must not make the host allocate at will.
pub const MAX_UP: usize = 64 << 10;

/// What is executed.
#[derive(Debug, Clone, PartialEq, Eq, Default, Serialize, Deserialize)]
pub struct Start {
    /// The script, as `sh -c` takes it.
    pub script: Vec<u8>,
    /// `$0`.
    pub name: Vec<u8>,
    /// `$1` and on.
    pub arguments: Vec<Vec<u8>>,
    /// The working directory.
    pub cwd: String,
    /// All variables.
    pub environment: Vec<(String, String)>,
    /// Whether standard input comes from the host; else it is empty.
    pub stdin: bool,
    /// Whether the end waits for everything that was started.
    pub waits: bool,
}

/// What the host says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Down {
    /// The first word of a host. Commands of an earlier one go on without streams. Nanoseconds since
    /// 1970, and bytes that nobody else knows.
    Hello(u64, Vec<u8>),
    /// Executes.
    Start(u32, Start),
    /// A piece of standard input.
    Stdin(u32, Vec<u8>),
    /// There is no more of it.
    StdinEnd(u32),
    /// So many bytes of output were taken.
    Taken(u32, u32),
    /// Sends a signal to all processes of the command.
    Signal(u32, u8),
    /// Ends all processes of the command, kindly at first.
    End(u32),
    /// Nobody listens to the command any more.
    Leave(u32),
    /// Kills all processes of the command; nobody listens any more.
    Kill(u32),
    /// Answers [`Up::Frozen`] and then sends nothing more.
    Freeze,
    /// Goes on after [`Down::Freeze`]. Nanoseconds since 1970.
    Thaw(u64),
}

/// What the agent says.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Up {
    /// The answer to [`Down::Hello`], and whether the whole root file system is there.
    Ready(bool),
    /// A piece of standard output.
    Stdout(u32, Vec<u8>),
    /// A piece of standard error.
    Stderr(u32, Vec<u8>),
    /// So many bytes of standard input were taken.
    Taken(u32, u32),
    /// Standard input is read no more.
    StdinClosed(u32),
    /// The command ended, with 128 + n where signal n ended it.
    Exit(u32, u8),
    /// The command could not be started.
    Failed(u32, Failure, String),
    /// Nothing more comes until [`Down::Thaw`].
    Frozen,
}

/// Why a command could not be started.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Failure {
    /// The working directory is missing.
    NoDirectory,
    /// The arguments and variables are more than a process can have.
    TooLong,
    /// There is no room for another process.
    Full,
    /// Something else.
    Other,
}

/// One frame, not yet understood.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Frame {
    kind: u8,
    id: u32,
    rest: Vec<u8>,
}

/// A frame with a length that none can have.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Malformed;

impl fmt::Display for Malformed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("a frame has an impossible length")
    }
}

impl std::error::Error for Malformed {}

/// The kind and the number, which every frame has.
const HEAD: usize = 5;

/// Cuts a stream into frames.
#[derive(Debug)]
pub struct Frames {
    limit: usize,
    bytes: Vec<u8>,
    /// How many of them were given.
    start: usize,
}

impl Frames {
    /// Frames of at most `limit` bytes.
    pub fn new(limit: usize) -> Frames {
        Frames {
            limit,
            bytes: Vec::new(),
            start: 0,
        }
    }

    /// Adds what was read.
    pub fn push(&mut self, bytes: &[u8]) {
        self.bytes.drain(..self.start);
        self.start = 0;
        self.bytes.extend_from_slice(bytes);
    }

    /// The next whole frame; none where more must be read.
    ///
    /// # Errors
    /// Where there is no frame and never will be.
    #[expect(
        clippy::should_implement_trait,
        reason = "an iterator has no end of this kind"
    )]
    pub fn next(&mut self) -> Result<Option<Frame>, Malformed> {
        let rest = &self.bytes[self.start..];
        let Some((length, rest)) = rest.split_first_chunk() else {
            return Ok(None);
        };
        let length = usize::try_from(u32::from_le_bytes(*length)).map_err(|_| Malformed)?;
        if length < HEAD || length > self.limit {
            return Err(Malformed);
        }
        let Some(frame) = rest.get(..length) else {
            return Ok(None);
        };
        let (Some(kind), Some(id)) = (frame.first(), number(frame.get(1..).unwrap_or_default()))
        else {
            return Err(Malformed);
        };
        let frame = Frame {
            kind: *kind,
            id,
            rest: frame[HEAD..].to_vec(),
        };
        self.start += 4 + length;
        Ok(Some(frame))
    }
}

fn number(bytes: &[u8]) -> Option<u32> {
    bytes.first_chunk().copied().map(u32::from_le_bytes)
}

fn long_number(bytes: &[u8]) -> Option<u64> {
    bytes.first_chunk().copied().map(u64::from_le_bytes)
}

fn frame(out: &mut Vec<u8>, kind: u8, id: u32, parts: &[&[u8]]) {
    let length = HEAD + parts.iter().map(|part| part.len()).sum::<usize>();
    // What does not fit is refused by the reader.
    let length = u32::try_from(length).unwrap_or(u32::MAX);
    out.extend_from_slice(&length.to_le_bytes());
    out.push(kind);
    out.extend_from_slice(&id.to_le_bytes());
    for part in parts {
        out.extend_from_slice(part);
    }
}

impl Down {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Down::Hello(time, seed) => frame(out, 1, 0, &[&time.to_le_bytes(), seed]),
            Down::Start(id, start) => {
                let start = postcard::to_stdvec(start).unwrap_or_default();
                frame(out, 2, *id, &[&start]);
            }
            Down::Stdin(id, bytes) => frame(out, 3, *id, &[bytes]),
            Down::StdinEnd(id) => frame(out, 4, *id, &[]),
            Down::Taken(id, bytes) => frame(out, 5, *id, &[&bytes.to_le_bytes()]),
            Down::Signal(id, signal) => frame(out, 6, *id, &[&[*signal]]),
            Down::End(id) => frame(out, 7, *id, &[]),
            Down::Kill(id) => frame(out, 8, *id, &[]),
            Down::Freeze => frame(out, 9, 0, &[]),
            Down::Thaw(time) => frame(out, 10, 0, &[&time.to_le_bytes()]),
            Down::Leave(id) => frame(out, 11, *id, &[]),
        }
    }

    /// What a frame of the host's means; none where nothing.
    pub fn decode(frame: &Frame) -> Option<Down> {
        let (id, rest) = (frame.id, &*frame.rest);
        Some(match frame.kind {
            1 => Down::Hello(long_number(rest)?, rest.get(8..)?.to_vec()),
            2 => Down::Start(id, postcard::from_bytes(rest).ok()?),
            3 => Down::Stdin(id, rest.to_vec()),
            4 => Down::StdinEnd(id),
            5 => Down::Taken(id, number(rest)?),
            6 => Down::Signal(id, *rest.first()?),
            7 => Down::End(id),
            8 => Down::Kill(id),
            9 => Down::Freeze,
            10 => Down::Thaw(long_number(rest)?),
            11 => Down::Leave(id),
            _ => return None,
        })
    }
}

impl Up {
    /// Appends the frame.
    pub fn encode(&self, out: &mut Vec<u8>) {
        match self {
            Up::Ready(is_whole) => frame(out, 65, 0, &[&[u8::from(*is_whole)]]),
            Up::Stdout(id, bytes) => frame(out, 66, *id, &[bytes]),
            Up::Stderr(id, bytes) => frame(out, 67, *id, &[bytes]),
            Up::Taken(id, bytes) => frame(out, 68, *id, &[&bytes.to_le_bytes()]),
            Up::StdinClosed(id) => frame(out, 69, *id, &[]),
            Up::Exit(id, code) => frame(out, 70, *id, &[&[*code]]),
            Up::Failed(id, failure, message) => {
                let failure = match failure {
                    Failure::NoDirectory => 1,
                    Failure::TooLong => 2,
                    Failure::Other => 3,
                    Failure::Full => 4,
                };
                frame(out, 71, *id, &[&[failure], message.as_bytes()]);
            }
            Up::Frozen => frame(out, 72, 0, &[]),
        }
    }

    /// What a frame of the agent's means; none where nothing.
    pub fn decode(frame: &Frame) -> Option<Up> {
        let (id, rest) = (frame.id, &*frame.rest);
        Some(match frame.kind {
            65 => Up::Ready(*rest.first()? != 0),
            66 => Up::Stdout(id, rest.to_vec()),
            67 => Up::Stderr(id, rest.to_vec()),
            68 => Up::Taken(id, number(rest)?),
            69 => Up::StdinClosed(id),
            70 => Up::Exit(id, *rest.first()?),
            71 => {
                let failure = match rest.first()? {
                    1 => Failure::NoDirectory,
                    2 => Failure::TooLong,
                    4 => Failure::Full,
                    _ => Failure::Other,
                };
                let message = String::from_utf8_lossy(rest.get(1..)?).into_owned();
                Up::Failed(id, failure, message)
            }
            72 => Up::Frozen,
            _ => return None,
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn every_frame_is_read_as_it_was_written_in_any_pieces() {
        let start = Start {
            script: b"echo \xff".to_vec(),
            name: b"bash".to_vec(),
            arguments: vec![b"".to_vec(), b"two words".to_vec()],
            cwd: "/workspace".to_owned(),
            environment: vec![("A".to_owned(), "=".to_owned())],
            stdin: true,
            waits: false,
        };
        let down = [
            Down::Hello(u64::MAX, b"seed".to_vec()),
            Down::Start(1, start),
            Down::Stdin(2, vec![0; PIECE]),
            Down::StdinEnd(3),
            Down::Taken(4, 70_000),
            Down::Signal(5, 15),
            Down::End(6),
            Down::Kill(7),
            Down::Freeze,
            Down::Thaw(8),
            Down::Leave(9),
        ];
        let up = [
            Up::Ready(true),
            Up::Ready(false),
            Up::Stdout(u32::MAX, b"\0\n".to_vec()),
            Up::Stderr(2, Vec::new()),
            Up::Taken(3, 1),
            Up::StdinClosed(4),
            Up::Exit(5, 255),
            Up::Failed(6, Failure::TooLong, "why".to_owned()),
            Up::Frozen,
        ];
        let mut bytes = Vec::new();
        down.iter().for_each(|frame| frame.encode(&mut bytes));
        up.iter().for_each(|frame| frame.encode(&mut bytes));
        let (mut frames, mut read) = (Frames::new(MAX_DOWN), Vec::new());
        for piece in bytes.chunks(7) {
            frames.push(piece);
            while let Some(frame) = frames.next().unwrap() {
                read.push(frame);
            }
        }
        let (first, second) = read.split_at(down.len());
        let first: Option<Vec<_>> = first.iter().map(Down::decode).collect();
        let second: Option<Vec<_>> = second.iter().map(Up::decode).collect();
        assert_eq!(first.unwrap(), down);
        assert_eq!(second.unwrap(), up);
    }

    #[test]
    fn an_impossible_length_is_refused_before_anything_is_kept() {
        for length in [0, 4, MAX_UP as u32 + 1, u32::MAX] {
            let mut frames = Frames::new(MAX_UP);
            frames.push(&length.to_le_bytes());
            frames.push(&[0; 8]);
            assert_eq!(frames.next(), Err(Malformed), "{length}");
        }
        let mut frames = Frames::new(MAX_UP);
        frames.push(&[5, 0, 0, 0, 200, 0, 0, 0, 0]);
        let frame = frames.next().unwrap().unwrap();
        assert_eq!((Up::decode(&frame), Down::decode(&frame)), (None, None));
    }
}
