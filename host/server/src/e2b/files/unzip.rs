//! Uploads that come compressed.

use super::super::failure::{Failure, Result};
use super::super::share::Charge;
use super::transfer::too_large;
use std::io::Read;

/// Members of a gzip file. One that is empty costs a decompressor, and 20 bytes to send.
const MEMBERS: usize = 1 << 16;

/// Bytes that are decompressed between two looks at what they take.
const PIECE: u64 = 1 << 20;

/// What is in a gzip file of one or more members, at most `largest` bytes.
pub(super) fn unzip(bytes: &[u8], largest: usize, charge: &mut Charge) -> Result<Vec<u8>> {
    let broken = |error| Failure::invalid(format!("gzip: {error}"));
    let mut plain = Vec::new();
    let mut rest = bytes;
    for _ in 0..MEMBERS {
        let mut member = flate2::bufread::GzDecoder::new(rest);
        loop {
            let count = (&mut member).take(PIECE).read_to_end(&mut plain);
            if plain.len() > largest {
                return Err(too_large());
            }
            charge.grow_to((bytes.len() + plain.capacity()) as u64)?;
            if count.map_err(broken)? == 0 {
                break;
            }
        }
        rest = member.into_inner();
        if rest.is_empty() {
            return Ok(plain);
        }
    }
    let message = format!("gzip: more than {MEMBERS} members");
    Err(Failure::invalid(message))
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::super::super::share::{OF_A_SANDBOX, Share};
    use super::*;
    use std::io::Write;

    fn member(bytes: &[u8]) -> Vec<u8> {
        let mut encoder = flate2::write::GzEncoder::new(Vec::new(), flate2::Compression::fast());
        encoder.write_all(bytes).unwrap();
        encoder.finish().unwrap()
    }

    #[test]
    fn members_are_read_and_bounded() {
        let share = Share::of_all(OF_A_SANDBOX);
        let read = |bytes: &[u8]| {
            let mut charge = share.bytes(0).unwrap();
            unzip(bytes, 1_000, &mut charge)
                .map_err(|failure| failure.rest()["message"].to_string())
        };
        let (one, none) = (member(b"one"), member(b""));
        assert_eq!(read(&one).unwrap(), b"one");
        assert_eq!(
            read(&[&one[..], &none, &member(b" two")].concat()).unwrap(),
            b"one two"
        );
        for (bytes, expected) in [
            (one[..one.len() - 1].to_vec(), "gzip"),
            (b"text".to_vec(), "gzip"),
            (vec![], "gzip"),
            ([&one[..], b"more"].concat(), "gzip"),
            (member(&[0; 1_001]), "cannot be uploaded"),
            (none.repeat(MEMBERS + 1), "members"),
        ] {
            let message = read(&bytes).unwrap_err();
            assert!(message.contains(expected), "{message}");
        }
    }
}
