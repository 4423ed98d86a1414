//! A number with units: the exponents of the base units make its dimension.

use super::number;

/// The units that all others are made of, in the order in which they are shown.
pub const BASES: [&str; 8] = ["A", "K", "bit", "cd", "kg", "m", "mol", "s"];

/// A number, and the power of each base unit.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Value {
    /// The number in base units.
    pub number: f64,
    /// The power of each of `BASES`; all 0 for a plain number.
    pub powers: [i32; BASES.len()],
}

impl Value {
    /// A number without a unit.
    pub fn plain(number: f64) -> Value {
        Value {
            number,
            powers: [0; BASES.len()],
        }
    }

    /// One of a base unit.
    pub fn base(name: &str) -> Option<Value> {
        let at = BASES.iter().position(|base| *base == name)?;
        let mut value = Value::plain(1.0);
        value.powers[at] = 1;
        Some(value)
    }

    /// Whether it has no unit.
    pub fn is_plain(&self) -> bool {
        self.powers.iter().all(|power| *power == 0)
    }

    /// The product.
    pub fn times(mut self, other: Value) -> Value {
        self.number *= other.number;
        for (power, more) in self.powers.iter_mut().zip(other.powers) {
            *power = power.saturating_add(more);
        }
        self
    }

    /// The reciprocal; of 0 it is infinite.
    pub fn inverse(mut self) -> Value {
        self.number = 1.0 / self.number;
        for power in &mut self.powers {
            *power = -*power;
        }
        self
    }

    /// The `n`th power.
    pub fn power(mut self, n: i32) -> Value {
        self.number = self.number.powi(n);
        for power in &mut self.powers {
            *power = power.saturating_mul(n);
        }
        self
    }

    /// The `n`th root; none where a unit has none.
    pub fn root(mut self, n: i32) -> Option<Value> {
        self.number = match n {
            2 => self.number.sqrt(),
            3 => self.number.cbrt(),
            n => self.number.powf(1.0 / f64::from(n)),
        };
        for power in &mut self.powers {
            if *power % n != 0 {
                return None;
            }
            *power /= n;
        }
        Some(self)
    }

    /// `2.5 kg m / s^2`.
    pub fn shown(&self, digits: usize) -> String {
        let side = |sign: i32| -> String {
            let units = BASES.iter().zip(self.powers).filter(|(_, p)| p * sign > 0);
            let shown = units.map(|(name, power)| match power.abs() {
                1 => format!(" {name}"),
                power => format!(" {name}^{power}"),
            });
            shown.collect()
        };
        let (above, below) = (side(1), side(-1));
        let slash = if below.is_empty() { "" } else { " /" };
        format!("{}{above}{slash}{below}", number(self.number, digits))
    }
}
