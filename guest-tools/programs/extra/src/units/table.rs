//! The units that there are.
//!
//! `table.txt` has a line for each: a name, a blank, and an expression, or `!` for a base unit. A name that ends in `-`
//! is a prefix. The table is read into a map on first use. A name is looked up as it stands, then with prefixes, then
//! without a plural's ending: `kilometres` is the prefix `kilo` and the unit `metre`.

use std::sync::LazyLock;

use rustc_hash::FxHashMap;

use super::parse::{Problem, nested};
use super::value::Value;

/// Names to definitions.
static TABLE: LazyLock<FxHashMap<&str, &str>> = LazyLock::new(|| {
    let lines = include_str!("table.txt").lines();
    let lines = lines.filter(|line| !line.starts_with('#'));
    lines.filter_map(|line| line.split_once(' ')).collect()
});

/// How a unit is defined, where it has a name of its own.
pub fn definition(name: &str) -> Option<&'static str> {
    TABLE.get(name).copied().filter(|text| *text != "!")
}

/// How many units there are.
pub fn count() -> usize {
    TABLE.len()
}

/// The value of a unit, with a prefix or in the plural; `None` where there is none of that name. `depth` is that of the
/// expression it stands in.
pub fn unit(name: &str, depth: u32) -> Result<Option<Value>, Problem> {
    if let Some(value) = singular(name, depth)? {
        return Ok(Some(value));
    }
    let stems = [
        name.strip_suffix('s').map(str::to_owned),
        name.strip_suffix("es").map(str::to_owned),
        name.strip_suffix("ies").map(|stem| format!("{stem}y")),
    ];
    for stem in stems.into_iter().flatten().filter(|stem| stem.len() > 1) {
        if let Some(value) = singular(&stem, depth)? {
            return Ok(Some(value));
        }
    }
    Ok(None)
}

/// The value of a name with an optional prefix, of which the longest that fits is taken.
fn singular(name: &str, depth: u32) -> Result<Option<Value>, Problem> {
    if let Some(value) = whole(name, depth)? {
        return Ok(Some(value));
    }
    // The longest prefix wins.
    let ends = name.char_indices().map(|(at, _)| at).skip(1);
    for end in ends.collect::<Vec<_>>().into_iter().rev() {
        let Some(prefix) = prefix(&name[..end]) else {
            continue;
        };
        if let Some(value) = whole(&name[end..], depth)? {
            return Ok(Some(Value::plain(prefix).times(value)));
        }
    }
    // A prefix alone is a number.
    Ok((name.len() > 3)
        .then(|| prefix(name))
        .flatten()
        .map(Value::plain))
}

/// The value of a name that is in the table as it stands.
fn whole(name: &str, depth: u32) -> Result<Option<Value>, Problem> {
    match TABLE.get(name) {
        None => Ok(None),
        Some(&"!") => Ok(Value::base(name)),
        Some(text) => nested(text, depth + 1).map(Some),
    }
}

/// The factor of a prefix; one may be defined as another one.
fn prefix(name: &str) -> Option<f64> {
    let text = TABLE.get(format!("{name}-").as_str())?;
    if !text.starts_with(|c: char| c.is_ascii_digit()) {
        return prefix(text);
    }
    nested(text, 1).ok().map(|value| value.number)
}

/// A temperature scale, which is more than a factor.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Scale {
    /// `tempC`
    Celsius,
    /// `tempF`
    Fahrenheit,
    /// `tempK`
    Kelvin,
    /// `tempR`
    Rankine,
    /// `tempreaumur`
    Reaumur,
}

impl Scale {
    /// The scale of a function's name.
    pub fn named(name: &str) -> Option<Scale> {
        Some(match name {
            "tempC" | "tempcelsius" => Scale::Celsius,
            "tempF" | "tempfahrenheit" => Scale::Fahrenheit,
            "tempK" | "tempkelvin" => Scale::Kelvin,
            "tempR" | "temprankine" => Scale::Rankine,
            "tempreaumur" => Scale::Reaumur,
            _ => return None,
        })
    }

    /// Degrees in one kelvin, and where the scale is at 0 K.
    fn line(self) -> (f64, f64) {
        match self {
            Scale::Celsius => (1.0, -273.15),
            Scale::Fahrenheit => (1.8, -459.67),
            Scale::Kelvin => (1.0, 0.0),
            Scale::Rankine => (1.8, 0.0),
            Scale::Reaumur => (0.8, -218.52),
        }
    }

    /// A temperature on this scale.
    pub fn kelvin(self, degrees: f64) -> Value {
        let (per_kelvin, zero) = self.line();
        let mut value = Value::base("K").unwrap_or(Value::plain(1.0));
        value.number = (degrees - zero) / per_kelvin;
        value
    }

    /// The degrees of a temperature; none where it is none.
    pub fn degrees(self, value: Value) -> Option<f64> {
        let (per_kelvin, zero) = self.line();
        (value.powers == self.kelvin(0.0).powers).then_some(value.number * per_kelvin + zero)
    }
}
