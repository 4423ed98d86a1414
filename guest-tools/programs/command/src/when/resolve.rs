//! From the items of a date to a point in time.

use jiff::civil::Date;
use jiff::tz::{AmbiguousOffset, TimeZone};
use jiff::{Span, Zoned};

use super::read::Items;
use super::token::Number;
use crate::system::Time;

/// The point in time that the items mean.
pub fn resolve(items: &Items, now: Time, zone: &TimeZone) -> Option<Time> {
    if let Some((seconds, nanoseconds)) = items.stamp {
        return Some(Time {
            seconds,
            nanoseconds,
        });
    }
    let seen = [items.dates, items.times, items.days, items.zones];
    if seen.iter().any(|count| *count > 1) {
        return None;
    }
    let base = crate::time::local(now, zone);
    let day = date(items, base.date())?;
    let mut nanosecond = 0;
    let clock = if items.times > 0 {
        nanosecond = items.nanosecond;
        (hour(items)?, items.minute, items.second)
    } else if items.relatives > 0 && items.dates == 0 && items.days == 0 {
        nanosecond = now.nanoseconds;
        let time = base.time();
        (
            i64::from(time.hour()),
            i64::from(time.minute()),
            i64::from(time.second()),
        )
    } else {
        (0, 0, 0)
    };
    let rule = match (items.local, items.zone) {
        (Some(offset), _) => Rule::Offset(offset),
        (None, None) => Rule::Exists,
        (None, Some(_)) => Rule::Any,
    };
    // With a zone of its own, what the local one skips means nothing.
    let skipped = instant(day, clock, zone, Rule::Exists).is_none();
    let mut moment = match items.zone {
        Some(_) if skipped => instant(day, clock, &TimeZone::UTC, rule)?,
        _ => instant(day, clock, zone, rule)?,
    };
    if let Some((weekday, which)) = items.weekday
        && items.dates == 0
    {
        let today = i64::from(moment.weekday().to_sunday_zero_offset());
        let skipped = i64::from(which > 0 && weekday != today);
        let days = (weekday - today + 7) % 7 + 7 * (which.checked_sub(skipped)?);
        let day = moment.date().checked_add(span(days)?).ok()?;
        moment = instant(day, clock, zone, Rule::Any)?;
    }
    let relative = &items.relative;
    if relative.year != 0 || relative.month != 0 || relative.day != 0 {
        let day = shifted(moment.date(), relative.year, relative.month, relative.day)?;
        moment = instant(day, clock, zone, Rule::Any)?;
    }
    let mut seconds = moment.timestamp().as_second();
    if let Some(offset) = items.zone {
        seconds -= offset - i64::from(moment.offset().seconds());
    }
    seconds = seconds
        .checked_add(relative.hour.checked_mul(3600)?)?
        .checked_add(relative.minute.checked_mul(60)?)?
        .checked_add(relative.second)?;
    let nanoseconds = i64::from(nanosecond) + relative.nanosecond;
    Some(Time {
        seconds: seconds.checked_add(nanoseconds.div_euclid(1_000_000_000))?,
        nanoseconds: nanoseconds.rem_euclid(1_000_000_000) as u32,
    })
}

/// The hour of 24.
fn hour(items: &Items) -> Option<i64> {
    match items.meridian {
        None => (0..24).contains(&items.hour).then_some(items.hour),
        Some(more) => (1..=12)
            .contains(&items.hour)
            .then_some(items.hour % 12 + more),
    }
}

fn date(items: &Items, today: Date) -> Option<Date> {
    let year = match items.year {
        None => i64::from(today.year()),
        Some(Number {
            value, digits: 2, ..
        }) => value + if value < 69 { 2000 } else { 1900 },
        Some(Number { value, .. }) => value,
    };
    let part = |given: Option<i64>, own: i8| i8::try_from(given.unwrap_or(own.into())).ok();
    Date::new(
        i16::try_from(year).ok()?,
        part(items.month, today.month())?,
        part(items.day, today.day())?,
    )
    .ok()
}

/// What a local time must be.
#[derive(Clone, Copy)]
enum Rule {
    /// No time that the zone skips.
    Exists,
    /// At this offset, in seconds east of Greenwich.
    Offset(i64),
    Any,
}

/// A date and a time in a zone; none where the rule forbids it.
fn instant(day: Date, clock: (i64, i64, i64), zone: &TimeZone, rule: Rule) -> Option<Zoned> {
    let (hour, minute, second) = clock;
    let part = |value: i64, most: i64| (0..=most).contains(&value).then_some(value as i8);
    let time = day.at(part(hour, 23)?, part(minute, 59)?, part(second, 59)?, 0);
    let ambiguous = zone.to_ambiguous_zoned(time);
    match rule {
        Rule::Exists if matches!(ambiguous.offset(), AmbiguousOffset::Gap { .. }) => None,
        Rule::Exists | Rule::Any => ambiguous.compatible().ok(),
        Rule::Offset(offset) => {
            let at =
                |found: Zoned| (i64::from(found.offset().seconds()) == offset).then_some(found);
            let later = ambiguous.clone().later().ok().and_then(at);
            later.or_else(|| ambiguous.earlier().ok().and_then(at))
        }
    }
}

fn span(days: i64) -> Option<Span> {
    Span::new().try_days(days).ok()
}

/// A date with its fields moved; what a month has no day for runs on into the next one.
fn shifted(day: Date, years: i64, months: i64, days: i64) -> Option<Date> {
    let month = (i64::from(day.year()).checked_add(years)?)
        .checked_mul(12)?
        .checked_add(i64::from(day.month()) - 1)?
        .checked_add(months)?;
    let first = Date::new(
        i16::try_from(month.div_euclid(12)).ok()?,
        month.rem_euclid(12) as i8 + 1,
        1,
    );
    let days = days.checked_add(i64::from(day.day()) - 1)?;
    first.ok()?.checked_add(span(days)?).ok()
}
