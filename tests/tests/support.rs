//! What tests that draw by number share.

use std::ops::Range;

/// Random numbers that are the same every time: SplitMix64.
pub(crate) struct Random(u64);

impl Random {
    /// Those of a number.
    pub(crate) fn new(number: u64) -> Random {
        Random(number)
    }

    pub(crate) fn next(&mut self) -> u64 {
        self.0 = self.0.wrapping_add(0x9e37_79b9_7f4a_7c15);
        let mut mixed = self.0;
        mixed = (mixed ^ mixed >> 30).wrapping_mul(0xbf58_476d_1ce4_e5b9);
        mixed = (mixed ^ mixed >> 27).wrapping_mul(0x94d0_49bb_1331_11eb);
        mixed ^ mixed >> 31
    }

    pub(crate) fn below(&mut self, most: usize) -> usize {
        (self.next() % most as u64) as usize
    }
}

/// What to draw: as `variable` says, `N` for the first or `N..M`; without it the first `few`, or `many` where
/// `OFFSHOOT_SLOW_TESTS` is set.
pub(crate) fn drawn(variable: &str, few: u64, many: u64) -> Range<u64> {
    let Ok(given) = std::env::var(variable) else {
        let slow = std::env::var_os("OFFSHOOT_SLOW_TESTS").is_some();
        return 0..if slow { many } else { few };
    };
    let number = |text: &str| text.parse().expect("N or N..M");
    match given.split_once("..") {
        Some((first, end)) => number(first)..number(end),
        None => 0..number(&given),
    }
}
