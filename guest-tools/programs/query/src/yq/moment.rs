//! Times: Go's layouts over jiff.
//!
//! A layout is an example: the time `Mon Jan 2 15:04:05 MST 2006` written as wanted (Go's package `time`). It is
//! translated to a format of `strftime`; parts that Go knows and `PARTS` does not have, such as days of the year, stay
//! text.

use jiff::tz::TimeZone;
use jiff::{Timestamp, Zoned};

use super::evaluate::{Context, Found, Machine};
use super::functions::{each, two};
use super::parse::Expression;
use super::tree::{Id, Kind};

/// The layout of timestamps where none is given. With it, reading also takes a date alone and a time without offset
/// (as UTC).
const RFC3339: &str = "2006-01-02T15:04:05Z07:00";

/// A part of a layout that `strftime` does not have.
enum Part {
    /// `Z07:00`: the offset, or `Z` for UTC.
    Offset,
    /// `.000`, or `.999` without the zeros at its end: the mark before the digits, and how many there are.
    Fraction {
        mark: char,
        digits: usize,
        trimmed: bool,
    },
}

/// Go's layout as a format of `strftime`; `special` gives what stands for the parts that it does not have.
fn strftime(layout: &str, special: impl Fn(Part) -> String) -> String {
    const PARTS: &[(&str, &str)] = &[
        ("2006", "%Y"),
        ("January", "%B"),
        ("Monday", "%A"),
        ("-07:00", "%:z"),
        ("-0700", "%z"),
        ("MST", "%Z"),
        ("Jan", "%b"),
        ("Mon", "%a"),
        ("01", "%m"),
        ("02", "%d"),
        ("15", "%H"),
        ("03", "%I"),
        ("04", "%M"),
        ("05", "%S"),
        ("06", "%y"),
        ("PM", "%p"),
        ("_2", "%e"),
        ("1", "%-m"),
        ("2", "%-d"),
        ("3", "%-I"),
        ("4", "%-M"),
        ("5", "%-S"),
    ];
    let mut out = String::new();
    let mut rest = layout;
    'next: while !rest.is_empty() {
        if let Some(after) = rest.strip_prefix("Z07:00") {
            out.push_str(&special(Part::Offset));
            rest = after;
            continue;
        }
        if let Some((part, after)) = fraction(rest) {
            out.push_str(&special(part));
            rest = after;
            continue;
        }
        for (part, format) in PARTS {
            if let Some(after) = rest.strip_prefix(part) {
                out.push_str(format);
                rest = after;
                continue 'next;
            }
        }
        let mut characters = rest.chars();
        match characters.next() {
            Some('%') => out.push_str("%%"),
            Some(c) => out.push(c),
            None => break,
        }
        rest = characters.as_str();
    }
    out
}

/// A fraction of a second at the start of a layout, and what follows it: a dot or comma with zeros or nines, and no
/// other digit.
fn fraction(layout: &str) -> Option<(Part, &str)> {
    let mark = layout.chars().next().filter(|c| matches!(c, '.' | ','))?;
    let digit = layout[1..]
        .chars()
        .next()
        .filter(|c| matches!(c, '0' | '9'))?;
    let after = layout[1..].trim_start_matches(digit);
    if after.starts_with(|c: char| c.is_ascii_digit()) {
        return None;
    }
    let part = Part::Fraction {
        mark,
        digits: layout.len() - 1 - after.len(),
        trimmed: digit == '9',
    };
    Some((part, after))
}

/// A time in a layout.
fn format(time: &Zoned, layout: &str) -> String {
    let format = strftime(layout, |part| match part {
        Part::Offset if time.offset().is_zero() => "Z".to_owned(),
        Part::Offset => "%:z".to_owned(),
        Part::Fraction {
            mark,
            digits,
            trimmed,
        } => {
            let nanoseconds = format!("{:09}", time.subsec_nanosecond());
            let shown = format!("{nanoseconds:0<digits$}");
            let shown = &shown[..digits];
            let shown = if trimmed {
                shown.trim_end_matches('0')
            } else {
                shown
            };
            if shown.is_empty() {
                String::new()
            } else {
                format!("{mark}{shown}")
            }
        }
    });
    time.strftime(&format).to_string()
}

/// The time of a text in a layout; without an offset it is UTC.
fn parse(text: &str, layout: &str) -> Result<Zoned, String> {
    let wrong = || format!("parsing time {text:?} as {layout:?}: cannot parse");
    if layout == RFC3339 {
        if let Ok(zoned) = jiff::fmt::temporal::DateTimeParser::new().parse_timestamp(text) {
            let offset = text
                .rfind(['+', '-'])
                .filter(|&at| at > 10)
                .map(|at| &text[at..]);
            let zone = offset
                .and_then(|offset| jiff::fmt::strtime::parse("%:z", offset).ok()?.offset())
                .map_or(TimeZone::UTC, TimeZone::fixed);
            return Ok(zoned.to_zoned(zone));
        }
        let date: jiff::civil::DateTime = text
            .parse()
            .or_else(|_| {
                text.parse::<jiff::civil::Date>()
                    .map(|date| date.at(0, 0, 0, 0))
            })
            .map_err(|_| wrong())?;
        return date.to_zoned(TimeZone::UTC).map_err(|_| wrong());
    }
    let pattern = strftime(layout, |part| match part {
        Part::Offset => "%:z".to_owned(),
        Part::Fraction { .. } => String::new(),
    });
    // A fraction may follow the seconds whether or not the layout has one.
    let pattern = pattern.replace("%S", "%S%.f").replace("%-S", "%-S%.f");
    let broken = jiff::fmt::strtime::parse(&pattern, text).map_err(|_| wrong())?;
    if let Ok(zoned) = broken.to_zoned() {
        return Ok(zoned);
    }
    let date = broken
        .to_datetime()
        .or_else(|_| broken.to_date().map(|date| date.at(0, 0, 0, 0)))
        // A time of day alone is in Go's first year.
        .or_else(|_| {
            broken
                .to_time()
                .map(|time| jiff::civil::date(0, 1, 1).to_datetime(time))
        });
    date.and_then(|date| date.to_zoned(TimeZone::UTC))
        .map_err(|_| wrong())
}

/// A scalar with a time in the place of a node: a timestamp in the usual layout, otherwise a string.
fn replace(machine: &mut Machine, node: Id, text: &str, layout: &str) -> Id {
    let tag = if layout == RFC3339 {
        "!!timestamp"
    } else {
        "!!str"
    };
    let new = machine.tree.replacement(node, Kind::Scalar, tag, text);
    machine.tree[new].style = machine.tree[node].style;
    new
}

/// Calls a function of times.
///
/// `name` is without underscores and in lower case: `now`, `fromunix`, `tounix`, `tz`, `formatdatetime`, `withdtf`.
pub fn call(
    machine: &mut Machine,
    context: &Context,
    name: &str,
    argument: Option<&Expression>,
) -> Found {
    match name {
        "now" => {
            let now = Timestamp::now().to_zoned(crate::time::zone());
            let text = format(&now, RFC3339);
            Ok(vec![machine.tree.scalar("!!timestamp", &text)])
        }
        "fromunix" => each(machine, context, |machine, node| {
            let value = machine.tree[node].value.clone();
            let seconds: i64 = value
                .parse()
                .map_err(|_| format!("from_unix only works on numbers, found {value}"))?;
            let time = Timestamp::from_second(seconds).map_err(|error| error.to_string())?;
            let text = format(&time.to_zoned(crate::time::zone()), RFC3339);
            Ok(replace(machine, node, &text, RFC3339))
        }),
        "tounix" => each(machine, context, |machine, node| {
            let time = parse(&machine.tree[node].value.clone(), RFC3339)?;
            let seconds = time.timestamp().as_second().to_string();
            Ok(machine
                .tree
                .replacement(node, Kind::Scalar, "!!int", &seconds))
        }),
        "tz" => in_zone(machine, context, argument),
        "formatdatetime" => {
            let layout = text_of(machine, context, name, argument)?;
            each(machine, context, |machine, node| {
                let time = parse(&machine.tree[node].value.clone(), RFC3339)?;
                let text = format(&time, &layout);
                let new = replace(machine, node, &text, &layout);
                machine.tree[new].tag = super::scalar::resolve(&text).into();
                Ok(new)
            })
        }
        _ => with_layout(machine, context, name, argument),
    }
}

/// The text that an argument gives first.
fn text_of(
    machine: &mut Machine,
    context: &Context,
    name: &str,
    argument: Option<&Expression>,
) -> Result<String, String> {
    let argument = argument.ok_or_else(|| format!("'{name}' expects 1 arg but there is none"))?;
    let value = machine.first(&context.readonly(), argument)?;
    Ok(value
        .map(|id| machine.tree[id].value.to_string())
        .unwrap_or_default())
}

/// `tz(ZONE)` and `tz(LAYOUT; ZONE)`.
fn in_zone(machine: &mut Machine, context: &Context, argument: Option<&Expression>) -> Found {
    let mut text = |argument| text_of(machine, context, "tz", argument);
    let (layout, zone) = match argument.map(|argument| two("tz", Some(argument))) {
        Some(Ok((layout, zone))) => (text(Some(layout))?, text(Some(zone))?),
        _ => (RFC3339.to_owned(), text(argument)?),
    };
    let zone = jiff::tz::TimeZone::get(&zone)
        .map_err(|_| format!("could not load tz [{zone}]: unknown time zone {zone}"))?;
    each(machine, context, |machine, node| {
        let time = parse(&machine.tree[node].value.clone(), &layout)?;
        let text = format(&time.with_time_zone(zone.clone()), &layout);
        Ok(replace(machine, node, &text, &layout))
    })
}

/// `with_dtf(LAYOUT; CALL)`: only the functions that read and write a time know the layout.
fn with_layout(
    machine: &mut Machine,
    context: &Context,
    name: &str,
    argument: Option<&Expression>,
) -> Found {
    let mut text = |argument| text_of(machine, context, name, argument);
    let (layout, body) = two("with_dtf", argument)?;
    let layout = text(Some(layout))?;
    let Expression::Call(inner, inside) = body else {
        return Err("with_dtf: only format_datetime, to_unix and tz are supported".to_owned());
    };
    let (format_to, zone) = match inner.as_str() {
        "format_datetime" => (text(inside.as_deref())?, None),
        "tz" => {
            let zone = text(inside.as_deref())?;
            let zone = jiff::tz::TimeZone::get(&zone)
                .map_err(|_| format!("could not load tz [{zone}]"))?;
            (layout.clone(), Some(zone))
        }
        other => return Err(format!("with_dtf: {other} is not supported")),
    };
    each(machine, context, |machine, node| {
        let mut time = parse(&machine.tree[node].value.clone(), &layout)?;
        if let Some(zone) = &zone {
            time = time.with_time_zone(zone.clone());
        }
        let text = format(&time, &format_to);
        Ok(replace(machine, node, &text, &format_to))
    })
}

/// A time moved by a duration such as `3h10m`.
///
/// A duration is numbers with `h`, `m`, `s`, `ms`, `us` or `ns`, perhaps with a sign. `back` subtracts it.
///
/// `shift("2021-01-01T00:00:00Z", "3h10m", false)` is `2021-01-01T03:10:00Z`.
pub fn shift(time: &str, duration: &str, back: bool) -> Result<String, String> {
    let moved = parse(time, RFC3339)?;
    let wrong =
        || format!("unable to parse duration [{duration}]: time: invalid duration {duration:?}");
    let (negative, mut rest) = match duration.strip_prefix('-') {
        Some(rest) => (true, rest),
        None => (false, duration.strip_prefix('+').unwrap_or(duration)),
    };
    if rest.is_empty() {
        return Err(wrong());
    }
    let mut seconds = 0.0;
    while !rest.is_empty() {
        let digits = rest
            .find(|c: char| !c.is_ascii_digit() && c != '.')
            .ok_or_else(wrong)?;
        let amount: f64 = rest[..digits].parse().map_err(|_| wrong())?;
        rest = &rest[digits..];
        let end = rest
            .find(|c: char| c.is_ascii_digit() || c == '.')
            .unwrap_or(rest.len());
        seconds += amount
            * match &rest[..end] {
                "h" => 3600.0,
                "m" => 60.0,
                "s" => 1.0,
                "ms" => 1e-3,
                "us" | "\u{b5}s" | "\u{3bc}s" => 1e-6,
                "ns" => 1e-9,
                _ => return Err(wrong()),
            };
        rest = &rest[end..];
    }
    let seconds = if negative == back { seconds } else { -seconds };
    let span = jiff::SignedDuration::try_from_secs_f64(seconds).map_err(|_| wrong())?;
    let moved = moved.checked_add(span).map_err(|error| error.to_string())?;
    Ok(format(&moved, RFC3339))
}
