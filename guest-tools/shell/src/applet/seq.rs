//! `seq`

use super::Task;
use super::arguments::{Argument, Arguments};
use super::io::Io;

/// A decimal number: `value / 10^places`.
#[derive(Clone, Copy)]
struct Decimal {
    value: i128,
    places: u32,
    /// How wide it was written.
    written: usize,
    negative_zero: bool,
}

/// `seq [-w] [-s STRING] [FIRST [STEP]] LAST`, of plain decimal numbers.
pub(super) fn start(io: Io) -> Option<Task> {
    let context = io.context();
    let mut rest = &context.arguments[1..];
    let mut separator = b"\n".to_vec();
    let mut equal_width = false;
    // A negative number is no option.
    while let Some(first) = rest.first() {
        let looks_negative =
            matches!(first.as_slice(), [b'-', next, ..] if next.is_ascii_digit() || *next == b'.');
        if !first.starts_with(b"-") || looks_negative || first.len() == 1 {
            break;
        }
        let used = option(rest, &mut separator, &mut equal_width)?;
        let done = first == b"--";
        rest = &rest[used..];
        if done {
            break;
        }
    }
    let numbers: Vec<Decimal> = rest
        .iter()
        .map(|text| decimal(text))
        .collect::<Option<_>>()?;
    let one = Decimal {
        value: 1,
        places: 0,
        written: 1,
        negative_zero: false,
    };
    let (first, step, last) = match numbers.as_slice() {
        [last] => (one, one, *last),
        [first, last] => (*first, one, *last),
        [first, step, last] => (*first, *step, *last),
        _ => return None,
    };
    if step.value == 0 || numbers.iter().any(|number| number.negative_zero) {
        return None;
    }
    // As many places as the first number and the step show.
    let places = first.places.max(step.places);
    let scale = places.max(last.places);
    let at_scale = |number: Decimal| {
        number
            .value
            .checked_mul(10i128.checked_pow(scale - number.places)?)
    };
    let width = width(first, last, places);
    let (first, step, last) = (at_scale(first)?, at_scale(step)?, at_scale(last)?);
    let drop = 10i128.checked_pow(scale - places)?;
    let shape = Shape {
        drop,
        places,
        width: if equal_width { width } else { 0 },
    };
    io.task(async move |io: &mut Io| {
        let mut value = first;
        let goes_on = |value: i128| {
            if step > 0 {
                value <= last
            } else {
                value >= last
            }
        };
        let any = goes_on(value);
        while goes_on(value) {
            if value != first {
                io.out.extend_from_slice(&separator);
            }
            shape.append(&mut io.out, value);
            io.flush_block().await?;
            value += step;
        }
        if any {
            io.out.push(b'\n');
        }
        Ok(0)
    })
}

/// Reads one option and says how many words it took; none where it is unknown.
fn option(words: &[Vec<u8>], separator: &mut Vec<u8>, equal_width: &mut bool) -> Option<usize> {
    // The reader of options sees this one and its value only.
    let window: Vec<Vec<u8>> = std::iter::once(Vec::new())
        .chain(words.iter().take(2).cloned())
        .collect();
    let mut arguments = Arguments::new(&window);
    let mut used = 1;
    if words[0] == b"--" {
        return Some(1);
    }
    let length = words[0].len();
    for _ in 1..length.max(2) {
        match arguments.next().ok()?? {
            Argument::Short(b's') => {
                let value = arguments.value()?;
                used = if words[0].ends_with(value) && words[0].len() > 2 {
                    1
                } else {
                    2
                };
                *separator = value.to_vec();
                return Some(used);
            }
            Argument::Long(b"separator") => {
                *separator = arguments.value()?.to_vec();
                return Some(if words[0].contains(&b'=') { 1 } else { 2 });
            }
            Argument::Long(b"equal-width") => {
                *equal_width = true;
                return Some(1);
            }
            Argument::Short(b'w') => *equal_width = true,
            _ => return None,
        }
    }
    Some(used)
}

/// How wide GNU's numbers are: as the first and the last were written, with the places of all.
fn width(first: Decimal, last: Decimal, places: u32) -> usize {
    let point = |number: Decimal| usize::from(number.places == 0 && places > 0);
    let first_width = first.written + (places - first.places) as usize + point(first);
    let last_width = last.written + places as usize + point(last) - last.places as usize;
    let cut = usize::from(last.places > 0 && places == 0);
    first_width.max(last_width - cut)
}

/// A decimal number without an exponent, of at most 30 digits.
fn decimal(text: &[u8]) -> Option<Decimal> {
    let text = std::str::from_utf8(text).ok()?;
    let unsigned = text.strip_prefix(['-', '+']).unwrap_or(text);
    let (whole, fraction) = unsigned.split_once('.').unwrap_or((unsigned, ""));
    let digits = [whole, fraction].concat();
    if digits.is_empty() || digits.len() > 30 || !digits.bytes().all(|byte| byte.is_ascii_digit()) {
        return None;
    }
    let magnitude: i128 = digits.parse().ok()?;
    let negative = text.starts_with('-');
    Some(Decimal {
        value: if negative { -magnitude } else { magnitude },
        places: fraction.len() as u32,
        written: usize::from(negative)
            + whole.len().max(1)
            + fraction.len()
            + usize::from(!fraction.is_empty()),
        negative_zero: negative && magnitude == 0,
    })
}

/// How numbers are written.
struct Shape {
    /// What their scale has more than their places.
    drop: i128,
    places: u32,
    width: usize,
}

impl Shape {
    fn text(&self, value: i128) -> String {
        let value = value / self.drop;
        let sign = if value < 0 { "-" } else { "" };
        let digits = value.unsigned_abs().to_string();
        let places = self.places as usize;
        if places == 0 {
            return format!("{sign}{digits}");
        }
        let digits = format!("{digits:0>width$}", width = places + 1);
        let (whole, fraction) = digits.split_at(digits.len() - places);
        format!("{sign}{whole}.{fraction}")
    }

    fn append(&self, out: &mut Vec<u8>, value: i128) {
        if self.places == 0
            && self.width == 0
            && self.drop == 1
            && let Ok(number) = i64::try_from(value)
        {
            out.extend_from_slice(&crate::text::Text::from(number));
            return;
        }
        let text = self.text(value);
        match text.strip_prefix('-') {
            Some(magnitude) => {
                let width = self.width.saturating_sub(1);
                out.extend_from_slice(format!("-{magnitude:0>width$}").as_bytes());
            }
            None => {
                out.extend_from_slice(format!("{text:0>width$}", width = self.width).as_bytes())
            }
        }
    }
}
