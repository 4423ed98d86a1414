//! The lines of git's protocol: four hexadecimal digits with the length, then the content.

use std::io::Read;

use super::super::stop::{Outcome, fatal};

/// The most that one line holds.
const MOST: usize = 65_516;

/// One line.
#[derive(Debug, PartialEq, Eq)]
pub enum Packet {
    Data(Vec<u8>),
    /// What ends a list.
    Flush,
}

/// Adds a line.
pub fn put(out: &mut Vec<u8>, content: &[u8]) {
    debug_assert!(content.len() <= MOST, "a line that long cannot be written");
    out.extend_from_slice(format!("{:04x}", content.len() + 4).as_bytes());
    out.extend_from_slice(content);
}

/// Ends a list.
pub fn flush(out: &mut Vec<u8>) {
    out.extend_from_slice(b"0000");
}

/// Reads a line; none at the end.
pub fn read(input: &mut impl Read) -> Outcome<Option<Packet>> {
    let mut digits = [0; 4];
    if !fill(input, &mut digits)? {
        return Ok(None);
    }
    let length = std::str::from_utf8(&digits)
        .ok()
        .and_then(|text| usize::from_str_radix(text, 16).ok());
    match length {
        Some(0) => Ok(Some(Packet::Flush)),
        Some(length @ 4..=65_520) => {
            let mut content = vec![0; length - 4];
            if !content.is_empty() && !fill(input, &mut content)? {
                return Err(hung_up());
            }
            Ok(Some(Packet::Data(content)))
        }
        _ => Err(fatal(format!(
            "protocol error: bad line length character: {}",
            String::from_utf8_lossy(&digits)
        ))),
    }
}

/// The other end stopped in the middle.
pub fn hung_up() -> super::super::stop::Stop {
    fatal("the remote end hung up unexpectedly")
}

/// Fills the buffer; false where nothing is left at all.
fn fill(input: &mut impl Read, buffer: &mut [u8]) -> Outcome<bool> {
    let mut at = 0;
    while at < buffer.len() {
        match input.read(&mut buffer[at..]) {
            Ok(0) if at == 0 => return Ok(false),
            Ok(0) => return Err(hung_up()),
            Ok(count) => at += count,
            Err(error) if error.kind() == std::io::ErrorKind::Interrupted => {}
            Err(error) => return Err(fatal(format!("read error: {error}"))),
        }
    }
    Ok(true)
}

#[cfg(test)]
#[allow(clippy::unwrap_used, reason = "a failure shows as a failed test")]
mod tests {
    use super::*;

    #[test]
    fn lines_are_read_as_they_were_written() {
        let mut text = Vec::new();
        put(&mut text, b"want\n");
        put(&mut text, b"");
        flush(&mut text);
        let mut input = text.as_slice();
        let line = |input: &mut &[u8]| read(input).unwrap();
        assert_eq!(line(&mut input), Some(Packet::Data(b"want\n".to_vec())));
        assert_eq!(line(&mut input), Some(Packet::Data(Vec::new())));
        assert_eq!(line(&mut input), Some(Packet::Flush));
        assert_eq!(line(&mut input), None);
    }

    #[test]
    fn what_is_no_line_is_refused() {
        for text in ["0003", "zzzz", "00", "0009ab", "fff5", "<htm"] {
            assert!(read(&mut text.as_bytes()).is_err(), "{text}");
        }
    }
}
