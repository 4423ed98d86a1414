//! `Date` where the engine's differs from V8's: the texts that it reads, the zone that local time is of, and its name.

mod read;
mod zone;

use boa_engine::object::FunctionObjectBuilder;
use boa_engine::value::PreferredType;
use boa_engine::{
    Context, JsArgs, JsNativeError, JsObject, JsResult, JsString, JsValue, NativeFunction,
    js_string,
};

use crate::host::{Function, number, text};
use crate::json::define;

pub use zone::offset;

/// What scripts call.
pub const FUNCTIONS: &[(&str, Function)] = &[("zone", zone_at), ("setZone", set_zone)];

const METHODS: &[(&str, Function)] = &[("toString", to_string), ("toTimeString", to_time_string)];

const DAYS: [&str; 7] = ["Sun", "Mon", "Tue", "Wed", "Thu", "Fri", "Sat"];
const MONTHS: [&str; 12] = [
    "Jan", "Feb", "Mar", "Apr", "May", "Jun", "Jul", "Aug", "Sep", "Oct", "Nov", "Dec",
];

/// Puts a constructor in place of the engine's, which it calls with what a text stands for.
pub fn install(context: &mut Context) -> JsResult<()> {
    let standard = context.intrinsics().constructors().date();
    let (engine, prototype) = (standard.constructor(), standard.prototype());
    let made = NativeFunction::from_copy_closure_with_captures(construct, engine.clone());
    let made = FunctionObjectBuilder::new(context.realm(), made)
        .name(js_string!("Date"))
        .length(7)
        .constructor(true)
        .build();
    let property = boa_engine::property::PropertyDescriptor::builder()
        .value(prototype.clone())
        .writable(false)
        .enumerable(false)
        .configurable(false);
    made.define_property_or_throw(js_string!("prototype"), property, context)?;
    for name in ["now", "UTC"] {
        let function = engine.get(JsString::from(name), context)?;
        if let Some(function) = function.as_object() {
            define(&made, name, function, context)?;
        }
    }
    let parse = function("parse", 1, parse, context);
    define(&made, "parse", parse, context)?;
    for (name, method) in METHODS {
        let method = function(name, 0, *method, context);
        define(&prototype, name, method, context)?;
    }
    define(&prototype, "constructor", made.clone().into(), context)?;
    let global = context.global_object();
    define(&global, "Date", made.into(), context)
}

fn function(name: &str, length: usize, function: Function, context: &mut Context) -> JsObject {
    FunctionObjectBuilder::new(context.realm(), NativeFunction::from_fn_ptr(function))
        .name(JsString::from(name))
        .length(length)
        .build()
        .into()
}

fn construct(
    target: &JsValue,
    arguments: &[JsValue],
    engine: &JsObject,
    context: &mut Context,
) -> JsResult<JsValue> {
    let Some(target) = target.as_object() else {
        let now = context.clock().system_time_millis();
        return Ok(JsString::from(shown(now as f64, true)).into());
    };
    let mut given = arguments.to_vec();
    if let [value] = given.as_mut_slice() {
        let is_date = value
            .as_object()
            .is_some_and(|object| time(&object, context).is_ok());
        if !is_date {
            *value = value.to_primitive(context, PreferredType::Default)?;
            if let Some(text) = value.as_string() {
                *value = read::time(&text).into();
            }
        }
    }
    Ok(engine.construct(&given, Some(&target), context)?.into())
}

/// `parse(text)`
fn parse(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let text = arguments.get_or_undefined(0).to_string(context)?;
    Ok(read::time(&text).into())
}

/// The time of a `Date`.
fn time(object: &JsObject, context: &mut Context) -> JsResult<f64> {
    let own = boa_engine::object::builtins::JsDate::from_object(object.clone())?;
    own.value_of(context)?.to_number(context)
}

fn time_of(this: &JsValue, context: &mut Context) -> JsResult<f64> {
    match this.as_object() {
        Some(object) => time(&object, context),
        None => Err(JsNativeError::typ()
            .with_message("this is not a Date object.")
            .into()),
    }
}

fn to_string(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let time = time_of(this, context)?;
    Ok(JsString::from(shown(time, true)).into())
}

fn to_time_string(this: &JsValue, _: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let time = time_of(this, context)?;
    Ok(JsString::from(shown(time, false)).into())
}

/// A time as `toString` shows it, or `toTimeString`.
fn shown(time: f64, with_day: bool) -> String {
    if time.is_nan() {
        return "Invalid Date".to_owned();
    }
    let seconds = (time / 1000.0).floor() as i64;
    let moment = zone::local(seconds);
    let local = seconds + i64::from(moment.offset);
    let (days, rest) = (local.div_euclid(86_400), local.rem_euclid(86_400));
    let mut out = String::new();
    if with_day {
        let (year, month, day) = civil(days);
        let weekday = DAYS[(days + 4).rem_euclid(7) as usize];
        let month = MONTHS[(month - 1) as usize];
        let sign = if year < 0 { "-" } else { "" };
        out = format!("{weekday} {month} {day:02} {sign}{:04} ", year.abs());
    }
    let sign = if moment.offset < 0 { '-' } else { '+' };
    let minutes = moment.offset.abs() / 60;
    out + &format!(
        "{:02}:{:02}:{:02} GMT{sign}{:02}{:02} ({})",
        rest / 3600,
        rest / 60 % 60,
        rest % 60,
        minutes / 60,
        minutes % 60,
        moment.name
    )
}

/// Year, month and day of a number of days since 1970.
fn civil(days: i64) -> (i64, i64, i64) {
    let days = days + 719_468;
    let era = days.div_euclid(146_097);
    let of_era = days.rem_euclid(146_097);
    let year = (of_era - of_era / 1460 + of_era / 36_524 - of_era / 146_096) / 365;
    let of_year = of_era - (365 * year + year / 4 - year / 100);
    let shifted = (5 * of_year + 2) / 153;
    let day = of_year - (153 * shifted + 2) / 5 + 1;
    let month = if shifted < 10 {
        shifted + 3
    } else {
        shifted - 9
    };
    (year + era * 400 + i64::from(month <= 2), month, day)
}

/// Days from 1970 to a day of the calendar.
fn days(year: i64, month: i64, day: i64) -> i64 {
    let year = year - i64::from(month <= 2);
    let era = year.div_euclid(400);
    let of_era = year.rem_euclid(400);
    let shifted = (month + 9) % 12;
    let of_year = (153 * shifted + 2) / 5 + day - 1;
    era * 146_097 + of_era * 365 + of_era / 4 - of_era / 100 + of_year - 719_468
}

/// `zone(name, time)`: seconds ahead of UTC, long name and short name, each behind a line end; undefined where there is
/// no such zone.
fn zone_at(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let (name, time) = (text(arguments, 0, context)?, number(arguments, 1, context)?);
    let Some(moment) = zone::within(&name, (time / 1000.0).floor() as i64) else {
        return Ok(JsValue::undefined());
    };
    let told = format!("{}\n{}\n{}", moment.offset, moment.name, moment.short);
    Ok(JsString::from(told).into())
}

/// `setZone(name)`: that of local time, from now on.
fn set_zone(_: &JsValue, arguments: &[JsValue], context: &mut Context) -> JsResult<JsValue> {
    let name = arguments.get_or_undefined(0);
    let name = match name.is_undefined() {
        true => None,
        false => Some(text(arguments, 0, context)?),
    };
    zone::set(name);
    Ok(JsValue::undefined())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn days_and_dates_are_each_others_inverse() {
        for (date, number) in [
            ((1970, 1, 1), 0),
            ((2000, 2, 29), 11_016),
            ((1969, 12, 31), -1),
            ((-1, 3, 1), -719_834),
        ] {
            let (year, month, day) = date;
            assert_eq!(days(year, month, day), number, "{date:?}");
            assert_eq!(civil(number), date);
        }
    }
}
