//! The bytes of stored nodes: numbers as variable-length integers, byte strings with their length.

use crate::{Error, ObjectId, Result, Timestamp};

/// Builds a payload.
#[derive(Default)]
pub(crate) struct Writer(pub(crate) Vec<u8>);

impl Writer {
    pub(crate) fn byte(&mut self, value: u8) {
        self.0.push(value);
    }

    /// Seven bits a byte, the lowest first; the top bit says that more follow.
    pub(crate) fn number(&mut self, mut value: u64) {
        while value >= 0x80 {
            self.0.push(value as u8 | 0x80);
            value >>= 7;
        }
        self.0.push(value as u8);
    }

    pub(crate) fn bytes(&mut self, value: &[u8]) {
        self.number(value.len() as u64);
        self.0.extend_from_slice(value);
    }

    pub(crate) fn id(&mut self, id: ObjectId) {
        self.0.extend_from_slice(&id.0);
    }

    pub(crate) fn time(&mut self, time: Timestamp) {
        // Zigzag, so that times shortly before 1970 are as short as those after.
        self.number((time.seconds << 1 ^ time.seconds >> 63) as u64);
        self.number(time.nanoseconds.into());
    }
}

/// Takes a payload apart. Every length is checked against what is there before anything is
/// allocated, because stored bytes may come from an attacker (T43).
pub(crate) struct Reader<'a>(&'a [u8]);

impl<'a> Reader<'a> {
    pub(crate) fn new(payload: &'a [u8]) -> Reader<'a> {
        Reader(payload)
    }

    pub(crate) fn byte(&mut self) -> Result<u8> {
        let (&first, rest) = self.0.split_first().ok_or(Error::Corrupt)?;
        self.0 = rest;
        Ok(first)
    }

    /// A number in its only form.
    pub(crate) fn number(&mut self) -> Result<u64> {
        let mut value = 0;
        for shift in (0..64).step_by(7) {
            let byte = self.byte()?;
            let bits = u64::from(byte & 0x7f);
            if bits << shift >> shift != bits {
                return Err(Error::Corrupt);
            }
            value |= bits << shift;
            if byte & 0x80 == 0 {
                return if byte == 0 && shift > 0 {
                    Err(Error::Corrupt)
                } else {
                    Ok(value)
                };
            }
        }
        Err(Error::Corrupt)
    }

    /// A number up to `limit`.
    pub(crate) fn number_to(&mut self, limit: u64) -> Result<u64> {
        let number = self.number()?;
        if number <= limit {
            Ok(number)
        } else {
            Err(Error::Corrupt)
        }
    }

    pub(crate) fn small(&mut self) -> Result<u32> {
        u32::try_from(self.number()?).map_err(|_| Error::Corrupt)
    }

    fn take(&mut self, length: usize) -> Result<&'a [u8]> {
        let (taken, rest) = self.0.split_at_checked(length).ok_or(Error::Corrupt)?;
        self.0 = rest;
        Ok(taken)
    }

    pub(crate) fn bytes(&mut self, limit: u64) -> Result<&'a [u8]> {
        let length = self.number_to(limit)?;
        self.take(usize::try_from(length).map_err(|_| Error::Corrupt)?)
    }

    pub(crate) fn id(&mut self) -> Result<ObjectId> {
        let bytes = self.take(32)?;
        bytes.try_into().map(ObjectId).map_err(|_| Error::Corrupt)
    }

    pub(crate) fn time(&mut self) -> Result<Timestamp> {
        let zigzag = self.number()?;
        Ok(Timestamp {
            seconds: (zigzag >> 1) as i64 ^ -((zigzag & 1) as i64),
            nanoseconds: self.number_to(999_999_999)? as u32,
        })
    }

    /// Nothing may follow.
    pub(crate) fn end(self) -> Result<()> {
        if self.0.is_empty() {
            Ok(())
        } else {
            Err(Error::Corrupt)
        }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;

    proptest! {
        #[test]
        fn what_was_written_is_read(number: u64, seconds: i64, nanoseconds in 0..1_000_000_000u32, bytes: Vec<u8>) {
            let time = Timestamp { seconds, nanoseconds };
            let mut writer = Writer::default();
            writer.number(number);
            writer.time(time);
            writer.bytes(&bytes);
            let mut reader = Reader::new(&writer.0);
            prop_assert_eq!(reader.number(), Ok(number));
            prop_assert_eq!(reader.time(), Ok(time));
            prop_assert_eq!(reader.bytes(u64::MAX), Ok(&bytes[..]));
            prop_assert_eq!(reader.end(), Ok(()));
        }
    }

    #[test]
    fn t43_lengths_that_lie() {
        for bytes in [
            &[0x80, 0x00][..],
            &[0x80],
            &[],
            &[0xff; 10],
            &[0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x80, 0x02],
        ] {
            assert_eq!(Reader::new(bytes).number(), Err(Error::Corrupt));
        }
        let mut huge = Writer::default();
        huge.number(1 << 60);
        assert_eq!(Reader::new(&huge.0).bytes(u64::MAX), Err(Error::Corrupt));
    }
}
