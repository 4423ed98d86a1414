//! Hashing: a fast one for the machine's own tables, and bash's for the order of associative arrays.

use std::hash::{BuildHasherDefault, Hasher};

/// Builds [`Fast`] hashers.
pub type FastBuild = BuildHasherDefault<Fast>;

/// A multiplicative hash of short names.
#[derive(Debug, Default, Clone, Copy)]
pub struct Fast(u64);

const MULTIPLIER: u64 = 0x517c_c1b7_2722_0a95;

impl Fast {
    fn add(&mut self, word: u64) {
        self.0 = (self.0.rotate_left(5) ^ word).wrapping_mul(MULTIPLIER);
    }
}

impl Hasher for Fast {
    fn write(&mut self, bytes: &[u8]) {
        let mut chunks = bytes.chunks_exact(8);
        for chunk in &mut chunks {
            let mut word = [0; 8];
            word.copy_from_slice(chunk);
            self.add(u64::from_le_bytes(word));
        }
        let mut word = [0; 8];
        let rest = chunks.remainder();
        word[..rest.len()].copy_from_slice(rest);
        self.add(u64::from_le_bytes(word) ^ ((rest.len() as u64) << 56));
    }

    fn write_u32(&mut self, number: u32) {
        self.add(u64::from(number));
    }

    fn write_usize(&mut self, number: usize) {
        self.add(number as u64);
    }

    fn finish(&self) -> u64 {
        self.0 ^ (self.0 >> 32)
    }
}

/// The hash that bash gives a key of an associative array: FNV-1 with 32 bits, whose bytes have a sign
/// as on most machines.
pub const fn bash_hash(key: &[u8]) -> u32 {
    let mut hash: u32 = 2_166_136_261;
    let mut at = 0;
    while at < key.len() {
        hash = hash.wrapping_mul(16_777_619) ^ (key[at] as i8 as u32);
        at += 1;
    }
    hash
}
