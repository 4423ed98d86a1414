//! What builtins wrote, until it is delivered.

use crate::codec::{Codec, Corrupt, Image, Read, Reader, Writer};

/// Bytes for descriptors, in the order in which they were written.
#[derive(Debug, Default)]
pub struct Output {
    chunks: Vec<(u32, Vec<u8>)>,
    /// Bytes of the first chunk that were delivered.
    delivered: usize,
    /// A reader of the first chunk had its turn.
    pub yielded: bool,
    /// A buffer to use again.
    spare: Vec<u8>,
}

impl Output {
    /// Adds bytes for a descriptor. What standard output has of a line waits for its end, as it
    /// does in bash: errors overtake it.
    pub fn push(&mut self, descriptor: u32, bytes: &[u8]) {
        let begun = if descriptor == 2 {
            self.take_begun_line()
        } else {
            Vec::new()
        };
        self.buffer(descriptor).extend_from_slice(bytes);
        if !begun.is_empty() {
            self.buffer(1).extend_from_slice(&begun);
        }
    }

    /// Takes what comes after the last newline of standard output.
    fn take_begun_line(&mut self) -> Vec<u8> {
        let first = self.chunks.len() == 1;
        match self.chunks.last_mut() {
            Some((1, text)) if !first || self.delivered == 0 => {
                let newline = text.iter().rposition(|&byte| byte == b'\n');
                let begun = text.split_off(newline.map_or(0, |at| at + 1));
                if text.is_empty() {
                    self.chunks.pop();
                }
                begun
            }
            _ => Vec::new(),
        }
    }

    /// The buffer for a descriptor, to append to.
    pub fn buffer(&mut self, descriptor: u32) -> &mut Vec<u8> {
        if self
            .chunks
            .last()
            .is_none_or(|(last, _)| *last != descriptor)
        {
            let buffer = std::mem::take(&mut self.spare);
            self.chunks.push((descriptor, buffer));
        }
        let last = self.chunks.len() - 1;
        &mut self.chunks[last].1
    }

    /// Puts in front what was written earlier.
    pub fn put_before(&mut self, earlier: Output) {
        if !earlier.is_empty() {
            let later = std::mem::replace(self, earlier);
            self.chunks.extend(later.chunks);
        }
    }

    /// Whether everything was delivered.
    pub fn is_empty(&self) -> bool {
        self.chunks.is_empty()
    }

    /// The first descriptor and what it is to get.
    pub fn first(&self) -> Option<(u32, &[u8])> {
        let (descriptor, bytes) = self.chunks.first()?;
        Some((*descriptor, &bytes[self.delivered..]))
    }

    /// Notes that `count` bytes of the first were delivered.
    pub fn advance(&mut self, count: usize) {
        self.delivered += count;
        if self
            .chunks
            .first()
            .is_some_and(|(_, bytes)| self.delivered >= bytes.len())
        {
            self.drop_first();
        }
    }

    /// Drops what the first descriptor was to get.
    pub fn drop_first(&mut self) {
        self.delivered = 0;
        self.yielded = false;
        let (_, mut bytes) = self.chunks.remove(0);
        if bytes.capacity() <= 65_536 {
            bytes.clear();
            self.spare = bytes;
        }
    }

    /// Drops everything.
    pub fn clear(&mut self) {
        self.chunks.clear();
        self.delivered = 0;
    }
}

impl Codec<Image> for Output {
    fn encode(&self, writer: &mut Writer) {
        let Output {
            chunks,
            delivered,
            yielded,
            spare: _,
        } = self;
        chunks.encode(writer);
        delivered.encode(writer);
        yielded.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Output> {
        let (chunks, delivered): (Vec<(u32, Vec<u8>)>, usize) = Codec::decode(reader)?;
        let yielded = Codec::decode(reader)?;
        let first = chunks.first().map_or(0, |(_, bytes)| bytes.len());
        if delivered > first {
            return Err(Corrupt);
        }
        Ok(Output {
            chunks,
            delivered,
            yielded,
            spare: Vec::new(),
        })
    }
}
