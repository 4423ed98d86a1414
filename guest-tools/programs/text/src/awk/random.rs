//! gawk's random numbers, so that a seed gives the sequence it gives there: the `random()` of BSD, an additive feedback
//! generator of degree 63 (x^63 + x + 1), its output shuffled as Bays and Durham describe.

/// Words of state.
const DEGREE: usize = 63;
/// Entries of the table that output is drawn from.
const SHUFFLED: usize = 512;

/// The generator after a seed.
pub struct Random {
    state: [u32; DEGREE],
    /// The word that is replaced next; `rear` is the one added to it.
    front: usize,
    rear: usize,
    shuffled: Vec<u32>,
    /// What came out last, which selects the next entry of the table.
    last: u32,
}

impl Random {
    /// A generator with its first values, which depend on the seed most, thrown away.
    pub fn new(seed: u32) -> Random {
        let mut state = [seed; DEGREE];
        for index in 1..DEGREE {
            state[index] = park_miller(state[index - 1]);
        }
        let mut random = Random {
            state,
            front: 1,
            rear: 0,
            shuffled: Vec::new(),
            last: 0,
        };
        random.shuffled = (0..SHUFFLED).map(|_| random.plain()).collect();
        random.last = random.plain();
        for _ in 0..10 * DEGREE {
            random.bits();
        }
        random
    }

    /// The next value before shuffling.
    fn plain(&mut self) -> u32 {
        let sum = self.state[self.front].wrapping_add(self.state[self.rear]);
        self.state[self.front] = sum;
        self.front = (self.front + 1) % DEGREE;
        self.rear = (self.rear + 1) % DEGREE;
        sum >> 1
    }

    /// The next 31 bits.
    fn bits(&mut self) -> u32 {
        let new = self.plain();
        let place = self.last as usize % SHUFFLED;
        self.last = std::mem::replace(&mut self.shuffled[place], new);
        self.last
    }

    /// The next number, at least 0 and less than 1.
    pub fn next(&mut self) -> f64 {
        const RANGE: f64 = 2_147_483_648.0;
        loop {
            let (low, high) = (f64::from(self.bits()), f64::from(self.bits()));
            // Bits below those of a number around 0.5 are rounded away.
            let value = 0.5 + (low / RANGE + high) / RANGE - 0.5;
            if value < 1.0 {
                return value;
            }
        }
    }
}

/// The next value of Park and Miller's generator, with the sign that 32 bits have.
fn park_miller(value: u32) -> u32 {
    let value = match value.cast_signed() {
        0 => 123_459_876,
        value => value,
    };
    let (high, low) = (value / 127_773, value % 127_773);
    let next = 16_807_i32
        .wrapping_mul(low)
        .wrapping_sub(2_836_i32.wrapping_mul(high));
    let next = if next < 0 {
        next.wrapping_add(0x7fff_ffff)
    } else {
        next
    };
    next.cast_unsigned()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_seed_gives_what_it_gives_gawk() {
        let cases = [
            (0_u32, "0.855566 0.237442 0.235577"),
            (1, "0.924046 0.593909 0.306394"),
            (42, "0.246320 0.396143 0.955075"),
            (u32::MAX, "0.796873 0.197006 0.029984"),
        ];
        for (seed, expected) in cases {
            let mut random = Random::new(seed);
            let got = [random.next(), random.next(), random.next()];
            let got = got.map(|number| format!("{number:.6}")).join(" ");
            assert_eq!(got, expected, "{seed}");
        }
    }
}
