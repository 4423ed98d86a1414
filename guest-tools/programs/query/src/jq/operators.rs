//! Arithmetic and comparison: `+`, `-`, `*`, `/`, `%`, negation, `==` and `<` with their relatives.
//!
//! Operands are taken by value, so that `. + [x]` in a loop extends an array in place where nobody else holds it. Any
//! arithmetic makes plain doubles of exact numbers; negation alone keeps their digits.

use std::cmp::Ordering;
use std::rc::Rc;

use super::code::Operator;
use super::json::shortened;
use super::value::{MAX_DEPTH, MAX_RECURSION, Value};

type Outcome<T = Value> = Result<T, String>;

/// The order of two values.
///
/// # Errors
/// `Comparison too deep`, beyond `MAX_DEPTH` levels.
pub fn compare(a: &Value, b: &Value) -> Outcome<Ordering> {
    a.compare(b, MAX_DEPTH)
        .ok_or_else(|| "Comparison too deep".to_owned())
}

/// `left OPERATOR right`.
///
/// # Errors
/// Types that the operator does not have, with both values shortened: `number (1) and object ({}) cannot be added`.
pub fn binary(operator: Operator, left: Value, right: Value) -> Outcome {
    let order = |wanted: fn(Ordering) -> bool| Ok(Value::Bool(wanted(compare(&left, &right)?)));
    match operator {
        Operator::Add => add(left, right),
        Operator::Subtract => subtract(left, right),
        Operator::Multiply => multiply(left, right),
        Operator::Divide => divide(left, right),
        Operator::Remainder => remainder(left, right),
        Operator::Equal => Ok(Value::Bool(equal(&left, &right)?)),
        Operator::Unequal => Ok(Value::Bool(!equal(&left, &right)?)),
        Operator::Less => order(Ordering::is_lt),
        Operator::LessOrEqual => order(Ordering::is_le),
        Operator::Greater => order(Ordering::is_gt),
        Operator::GreaterOrEqual => order(Ordering::is_ge),
    }
}

/// Whether two values are equal. Not-a-number equals nothing at the top, where the order would say otherwise.
fn equal(left: &Value, right: &Value) -> Outcome<bool> {
    let nan = left.number().is_some_and(f64::is_nan);
    let order = left.compare(right, MAX_DEPTH);
    let order = order.ok_or_else(|| "Equality check too deep".to_owned())?;
    Ok(!nan && order.is_eq())
}

/// The message for a pair of types that the operator does not have.
fn refuse(left: &Value, right: &Value, what: &str) -> String {
    format!(
        "{} ({}) and {} ({}) cannot be {what}",
        left.kind(),
        shortened(left),
        right.kind(),
        shortened(right)
    )
}

/// `-value`.
pub fn negate(value: &Value) -> Outcome {
    match value {
        Value::Number(number) => Ok(Value::Number(-number)),
        Value::Exact(number, text) => {
            let text = text
                .strip_prefix('-')
                .map_or_else(|| format!("-{text}"), str::to_owned);
            Ok(Value::Exact(-number, text.into()))
        }
        _ => Err(format!(
            "{} ({}) cannot be negated",
            value.kind(),
            shortened(value)
        )),
    }
}

/// `left + right`.
///
/// `null` is neutral. Strings and arrays are joined, objects united, with the right side winning.
pub fn add(left: Value, right: Value) -> Outcome {
    match (left, right) {
        (Value::Null, other) | (other, Value::Null) => Ok(other),
        (Value::String(a), Value::String(b)) => {
            let mut text = String::with_capacity(a.len() + b.len());
            text.push_str(&a);
            text.push_str(&b);
            Ok(text.into())
        }
        (Value::Array(mut a), Value::Array(b)) => {
            if a.is_empty() {
                return Ok(Value::Array(b));
            }
            Rc::make_mut(&mut a).extend(b.iter().cloned());
            Ok(Value::Array(a))
        }
        (Value::Object(mut a), Value::Object(b)) => {
            let members = Rc::make_mut(&mut a);
            for (name, value) in b.iter() {
                members.insert(name.clone(), value.clone());
            }
            Ok(Value::Object(a))
        }
        (left, right) => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Ok(Value::Number(a + b)),
            _ => Err(refuse(&left, &right, "added")),
        },
    }
}

/// Numbers, or an array without the items that are in the other: O(n·m) comparisons.
fn subtract(left: Value, right: Value) -> Outcome {
    match (&left, &right) {
        (Value::Array(a), Value::Array(b)) => {
            let mut kept = Vec::new();
            'items: for item in a.iter() {
                for other in b.iter() {
                    if compare(item, other)?.is_eq() {
                        continue 'items;
                    }
                }
                kept.push(item.clone());
            }
            Ok(kept.into())
        }
        _ => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Ok(Value::Number(a - b)),
            _ => Err(refuse(&left, &right, "subtracted")),
        },
    }
}

/// Numbers, a repeated string, or two objects merged at every level.
fn multiply(left: Value, right: Value) -> Outcome {
    match (&left, &right) {
        (Value::String(text), count) | (count, Value::String(text)) if count.number().is_some() => {
            repeat(text, count.number().unwrap_or(0.0))
        }
        (Value::Object(_), Value::Object(_)) => merge(left, right, MAX_RECURSION + 1),
        _ => match (left.number(), right.number()) {
            (Some(a), Some(b)) => Ok(Value::Number(a * b)),
            _ => Err(refuse(&left, &right, "multiplied")),
        },
    }
}

/// `"ab" * 2` → `"abab"`. A fraction is rounded down, 0 gives `""`, less than 0 and not-a-number give `null`.
fn repeat(text: &str, count: f64) -> Outcome {
    if count.is_nan() || count < 0.0 {
        return Ok(Value::Null);
    }
    let count = count.floor();
    if count * text.len() as f64 > 536_870_911.0 {
        return Err("Repeat string result too long".to_owned());
    }
    Ok(text.repeat(count as usize).into())
}

/// A recursive merge: objects under the same name are merged, everything else is replaced by the right side.
fn merge(left: Value, right: Value, depth: usize) -> Outcome {
    if depth == 0 {
        return Err("Object merge too deep".to_owned());
    }
    let (Value::Object(mut a), Value::Object(b)) = (left, right) else {
        return Ok(Value::Null);
    };
    let members = &mut **Rc::make_mut(&mut a);
    for (name, new) in b.iter() {
        match (members.get_mut(name), new) {
            (Some(old @ Value::Object(_)), Value::Object(_)) => {
                let inner = std::mem::replace(old, Value::Null);
                *old = merge(inner, new.clone(), depth - 1)?;
            }
            _ => {
                members.insert(name.clone(), new.clone());
            }
        }
    }
    Ok(Value::Object(a))
}

/// Numbers, or a string split at another.
///
/// # Errors
/// `… cannot be divided because the divisor is zero`.
fn divide(left: Value, right: Value) -> Outcome {
    match (&left, &right) {
        (Value::String(text), Value::String(separator)) => Ok(split(text, separator)),
        _ => match (left.number(), right.number()) {
            (Some(_), Some(0.0)) => {
                Err(refuse(&left, &right, "divided because the divisor is zero"))
            }
            (Some(a), Some(b)) => Ok(Value::Number(a / b)),
            _ => Err(refuse(&left, &right, "divided")),
        },
    }
}

/// The pieces of `text` between separators; the characters where the separator is empty.
pub fn split(text: &str, separator: &str) -> Value {
    let pieces: Vec<Value> = if text.is_empty() {
        Vec::new()
    } else if separator.is_empty() {
        text.chars()
            .map(|character| character.to_string().into())
            .collect()
    } else {
        text.split(separator).map(Value::from).collect()
    };
    pieces.into()
}

/// `%`: both sides are truncated to 64-bit integers, the sign is that of the left side: `-5 % 3` is -2, `5.9 % 3` is
/// 2.
fn remainder(left: Value, right: Value) -> Outcome {
    let (Some(a), Some(b)) = (left.number(), right.number()) else {
        return Err(refuse(&left, &right, "divided (remainder)"));
    };
    if a.is_nan() || b.is_nan() {
        return Ok(Value::Number(f64::NAN));
    }
    // As integers, cut to what 64 bits hold.
    let (a, b) = (a as i64, (b as i64).unsigned_abs());
    if b == 0 {
        return Err(refuse(
            &left,
            &right,
            "divided (remainder) because the divisor is zero",
        ));
    }
    let size = (a.unsigned_abs() % b) as f64;
    Ok(Value::Number(if a < 0 { -size + 0.0 } else { size }))
}
