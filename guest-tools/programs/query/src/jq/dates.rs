//! Dates: seconds since 1970, broken-down times, and text.
//!
//! A broken-down time is an array as in the C structure `tm`, but with the full year: `[2015, 2, 5, 23, 51, 47, 4,
//! 63]` is 2015-03-05T23:51:47, the month from 0, the weekday from Sunday as 0, the day of the year from 0. All times
//! are UTC; `localtime` and `strflocaltime` are the same as `gmtime` and `strftime`.

use super::json::{compact, shortened};
use super::natives::Outcome;
use super::value::Value;
use crate::calendar::{self, Broken};

/// The numbers of a broken-down time; none where something else is among them.
///
/// At least year, month and day must be there; missing fields count as 0.
fn fields(input: &Value) -> Option<Vec<f64>> {
    let items = input.items()?;
    let numbers: Vec<f64> = items.iter().map(Value::number).collect::<Option<_>>()?;
    (numbers.len() >= 3).then_some(numbers)
}

/// The time of these fields, fractions cut off.
fn from_fields(fields: &[f64]) -> Broken {
    let field = |index: usize| fields.get(index).map_or(0, |number| number.floor() as i64);
    Broken {
        year: field(0),
        month: field(1),
        day: field(2),
        hour: field(3),
        minute: field(4),
        second: field(5),
        weekday: field(6),
        yearday: field(7),
    }
}

/// The array of a time; the seconds carry the fraction.
fn to_fields(broken: &Broken, fraction: f64) -> Value {
    let whole = [
        broken.year,
        broken.month,
        broken.day,
        broken.hour,
        broken.minute,
    ];
    let mut items: Vec<Value> = whole
        .iter()
        .map(|&field| Value::Number(field as f64))
        .collect();
    items.push(Value::Number(broken.second as f64 + fraction));
    items.push(Value::Number(broken.weekday as f64));
    items.push(Value::Number(broken.yearday as f64));
    items.into()
}

/// `mktime` and `timegm`: seconds since 1970. Weekday and day of the year are ignored.
pub fn make(input: &Value) -> Outcome {
    if input.items().is_none() {
        return Err("mktime requires array of 6 numbers".to_owned());
    }
    let fields =
        fields(input).ok_or_else(|| "mktime requires parsed datetime inputs".to_owned())?;
    Ok(Value::Number(from_fields(&fields).seconds() as f64))
}

/// `gmtime` and `localtime`; `name` is for the message.
pub fn broken(input: &Value, name: &str) -> Outcome {
    let Some(number) = input.number() else {
        return Err(format!("{name}() requires a number"));
    };
    let whole = number.floor();
    Ok(to_fields(
        &Broken::from_seconds(whole as i64),
        number - whole,
    ))
}

/// `strftime` and `strflocaltime`, of seconds or of a broken-down time. A short array gets its weekday computed.
pub fn format(input: &Value, format: &Value, name: &str) -> Outcome {
    let broken = match input.number() {
        Some(number) => Broken::from_seconds(number.floor() as i64),
        None if input.items().is_some() => {
            let fields =
                fields(input).ok_or_else(|| format!("{name}/1 requires parsed datetime inputs"))?;
            let broken = from_fields(&fields);
            if fields.len() < 8 {
                broken.normal()
            } else {
                broken
            }
        }
        None => return Err(format!("{name}/1 requires parsed datetime inputs")),
    };
    let Value::String(format) = format else {
        return Err(format!("{name}/1 requires a string format"));
    };
    Ok(String::from_utf8_lossy(&broken.format(format.as_bytes()))
        .into_owned()
        .into())
}

/// `strptime`. The whole text must match; nothing may be left over.
pub fn parse(input: &Value, format: &Value) -> Outcome {
    let Value::String(text) = input else {
        return Err(format!(
            "strptime/1 requires string inputs and arguments, not {} ({})",
            input.kind(),
            shortened(input)
        ));
    };
    let Value::String(format) = format else {
        return Err("strptime/1 requires string inputs and arguments".to_owned());
    };
    match calendar::parse(text, format) {
        Some((broken, "")) => Ok(to_fields(&broken, 0.0)),
        _ => Err(format!(
            "date {} does not match format {}",
            compact(input),
            compact(&Value::String(format.clone()))
        )),
    }
}
