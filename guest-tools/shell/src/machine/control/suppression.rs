//! The conditions around what runs.

use crate::codec::{Codec, Image, Read, Reader, Writer};

/// So many commands behind `!` within each other are told apart.
pub const NEGATIONS: u32 = 16;

/// How many conditions surround what runs, and in the upper half, which `!` count as such.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Default)]
pub struct Suppression(u32);

impl Suppression {
    /// One condition where `active`, else none.
    pub fn new(active: bool) -> Suppression {
        Suppression(u32::from(active))
    }

    /// Whether a condition surrounds the present instruction.
    pub fn is_active(self) -> bool {
        self.0 as u16 > 0
    }

    /// A condition begins or ends.
    pub fn change(&mut self, begins: bool) {
        match begins {
            true => self.0 += 1,
            false => self.0 -= u32::from(self.is_active()),
        }
    }

    /// A command behind `!` begins or ends; whether it begins one that counts is `acts`.
    pub fn change_negated(&mut self, level: u32, begins: bool, acts: bool) {
        let flag = 1 << (NEGATIONS + level.min(NEGATIONS - 1));
        if begins && acts {
            self.0 |= flag;
            self.change(true);
        } else if !begins && self.0 & flag != 0 {
            self.0 &= !flag;
            self.change(false);
        }
    }
}

impl Codec<Image> for Suppression {
    fn encode(&self, writer: &mut Writer) {
        self.0.encode(writer);
    }

    fn decode(reader: &mut Reader<'_>) -> Read<Suppression> {
        u32::decode(reader).map(Suppression)
    }
}
