//! Inputs that are read piece by piece.

use std::cell::Cell;
use std::io::{ErrorKind, Read};

use crate::output::CHUNK;

/// Appends what one read of an input gives, and says how many bytes that were: none at the end.
///
/// `pending` is how much of the buffer waits for more, as a line does whose end was not read yet. So much is read at
/// most, and [`CHUNK`] at least: a buffer that grows by its own size is copied in linear time. A read that a signal
/// interrupted is repeated.
///
/// # Errors
/// Those of the input; the buffer is as it was.
pub fn read_more(
    input: &mut (impl Read + ?Sized),
    buffer: &mut Vec<u8>,
    pending: usize,
) -> std::io::Result<usize> {
    let size = CHUNK.max(pending);
    // A buffer of zeros for each read would cost more than what a small file has.
    let mut room = ROOM.take();
    if room.len() < size {
        room.resize(size, 0);
    }
    let read = loop {
        match input.read(&mut room[..size]) {
            Err(error) if error.kind() == ErrorKind::Interrupted => {}
            read => break read,
        }
    };
    buffer.extend_from_slice(&room[..*read.as_ref().unwrap_or(&0)]);
    if room.len() == CHUNK {
        ROOM.set(room);
    }
    read
}

thread_local! {
    /// What is read into.
    static ROOM: Cell<Vec<u8>> = const { Cell::new(Vec::new()) };
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]

    use super::*;

    /// Gives each of these once.
    struct Steps(Vec<std::io::Result<&'static [u8]>>);

    impl Read for Steps {
        fn read(&mut self, room: &mut [u8]) -> std::io::Result<usize> {
            if self.0.is_empty() {
                return Ok(0);
            }
            self.0.remove(0)?.read(room)
        }
    }

    #[test]
    fn reads_append_until_the_end() {
        let steps = vec![
            Ok(&b"one"[..]),
            Err(ErrorKind::Interrupted.into()),
            Ok(b"two"),
            Err(ErrorKind::PermissionDenied.into()),
        ];
        let (mut input, mut buffer) = (Steps(steps), Vec::new());
        assert_eq!(read_more(&mut input, &mut buffer, 0).unwrap(), 3);
        assert_eq!(read_more(&mut input, &mut buffer, 3).unwrap(), 3);
        let error = read_more(&mut input, &mut buffer, 6).unwrap_err();
        assert_eq!(error.kind(), ErrorKind::PermissionDenied);
        assert_eq!(read_more(&mut input, &mut buffer, 6).unwrap(), 0);
        assert_eq!(buffer, b"onetwo");
    }
}
