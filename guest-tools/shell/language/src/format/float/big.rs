//! Natural numbers of any size, as far as decimal conversion needs them.

use std::cmp::Ordering;

/// A natural number: digits to the base 2³², the lowest first, without zeros at the end.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(super) struct Big(Vec<u32>);

impl From<u64> for Big {
    fn from(value: u64) -> Big {
        let mut big = Big(vec![value as u32, (value >> 32) as u32]);
        big.trim();
        big
    }
}

impl Big {
    fn trim(&mut self) {
        while self.0.last() == Some(&0) {
            self.0.pop();
        }
    }

    /// How many bits it has.
    pub(super) fn bits(&self) -> usize {
        let top = self
            .0
            .last()
            .map_or(0, |top| 32 - top.leading_zeros() as usize);
        top + 32 * self.0.len().saturating_sub(1)
    }

    /// Multiplies by one number and adds another.
    pub(super) fn multiply_add(&mut self, factor: u32, summand: u32) {
        let mut carry = u64::from(summand);
        for digit in &mut self.0 {
            carry += u64::from(*digit) * u64::from(factor);
            *digit = carry as u32;
            carry >>= 32;
        }
        if carry != 0 {
            self.0.push(carry as u32);
        }
    }

    /// Multiplies by a power.
    pub(super) fn multiply_power(&mut self, base: u32, mut exponent: u32) {
        // As many factors at once as fit.
        let (mut chunk, mut count) = (base, 1);
        while let Some(greater) = chunk.checked_mul(base) {
            chunk = greater;
            count += 1;
        }
        while exponent >= count {
            self.multiply_add(chunk, 0);
            exponent -= count;
        }
        self.multiply_add(base.pow(exponent), 0);
    }

    /// Multiplies by a power of two.
    pub(super) fn shift_left(&mut self, by: usize) {
        if self.0.is_empty() {
            return;
        }
        self.multiply_add(1 << (by % 32), 0);
        self.0.splice(0..0, std::iter::repeat_n(0, by / 32));
    }

    fn subtract(&mut self, other: &Big) {
        let mut borrow = 0;
        for (at, digit) in self.0.iter_mut().enumerate() {
            let taken = i64::from(other.0.get(at).copied().unwrap_or(0)) + borrow;
            let rest = i64::from(*digit) - taken;
            *digit = rest as u32;
            borrow = i64::from(rest < 0);
        }
        self.trim();
    }

    fn compare(&self, other: &Big) -> Ordering {
        let lengths = self.0.len().cmp(&other.0.len());
        lengths.then_with(|| self.0.iter().rev().cmp(other.0.iter().rev()))
    }

    /// The quotient, and whether nothing is left over. Takes time in proportion to the bits of the
    /// quotient × the length of the divisor; for quotients of about 66 bits.
    pub(super) fn divide(mut self, divisor: &Big) -> (Big, bool) {
        let extra = (self.bits() + 1).saturating_sub(divisor.bits());
        let mut shifted = divisor.clone();
        shifted.shift_left(extra);
        let mut quotient = Big(Vec::new());
        for _ in 0..=extra {
            let fits = self.compare(&shifted) != Ordering::Less;
            if fits {
                self.subtract(&shifted);
            }
            quotient.multiply_add(2, u32::from(fits));
            shifted.halve();
        }
        let exact = self.0.is_empty();
        (quotient, exact)
    }

    fn halve(&mut self) {
        let mut carry = 0;
        for digit in self.0.iter_mut().rev() {
            let next = *digit << 31;
            *digit = *digit >> 1 | carry;
            carry = next;
        }
        self.trim();
    }

    fn bit(&self, at: usize) -> bool {
        self.0
            .get(at / 32)
            .is_some_and(|digit| digit >> (at % 32) & 1 == 1)
    }

    /// The number without its lowest `drop` bits, rounded to the nearest, ties to even, and whether
    /// that changed it. `more` says that it was a bit greater than shown. What remains must fit into
    /// 64 bits.
    pub(super) fn top(&self, drop: i64, more: bool) -> (u128, bool) {
        let Ok(drop) = usize::try_from(drop) else {
            let value = self.low() << drop.unsigned_abs();
            return (value, more);
        };
        let mut value = 0;
        for at in (drop..self.bits()).rev() {
            value = value << 1 | u128::from(self.bit(at));
        }
        if drop == 0 {
            return (value, more);
        }
        let half = self.bit(drop - 1);
        let rest = more || (0..drop - 1).any(|at| self.bit(at));
        if half && (rest || value & 1 == 1) {
            value += 1;
        }
        (value, half || rest)
    }

    fn low(&self) -> u128 {
        self.0
            .iter()
            .take(4)
            .rev()
            .fold(0, |value, &digit| value << 32 | u128::from(digit))
    }

    /// The decimal digits, from 0 to 9, the highest first.
    pub(super) fn digits(mut self) -> Vec<u8> {
        let mut digits = Vec::new();
        while !self.0.is_empty() {
            let mut rest: u64 = 0;
            for digit in self.0.iter_mut().rev() {
                let value = rest << 32 | u64::from(*digit);
                *digit = (value / 1_000_000_000) as u32;
                rest = value % 1_000_000_000;
            }
            self.trim();
            for _ in 0..9 {
                digits.push((rest % 10) as u8);
                rest /= 10;
            }
        }
        while digits.last() == Some(&0) {
            digits.pop();
        }
        digits.reverse();
        digits
    }
}
