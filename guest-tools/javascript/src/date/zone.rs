//! Time zones: the rules of the IANA database, and the names that V8 has for them in American English.

use std::cell::RefCell;

use jiff::Timestamp;
use jiff::tz::TimeZone;

use super::{civil, days};

/// Lines of names and, behind a colon, the zones that have them: the long name, that of summer, the short name, that of
/// summer. What has none is shown by its distance from GMT.
const NAMES: &str = include_str!("zones.txt");

thread_local! {
    /// The zone of local time, once it was asked for.
    static LOCAL: RefCell<Option<(String, TimeZone)>> = const { RefCell::new(None) };
}

/// What a zone has at a time.
pub struct Moment {
    /// Seconds ahead of UTC.
    pub offset: i32,
    /// Its name.
    pub name: String,
    /// Its short name.
    pub short: String,
}

/// Makes another zone that of local time, as a value of `TZ` names it.
pub fn set(name: Option<String>) {
    let name = name.unwrap_or_default();
    let name = name.strip_prefix(':').unwrap_or(&name);
    // As in ICU, what is no zone is UTC.
    let zone = find(name).unwrap_or(TimeZone::UTC);
    LOCAL.set(Some((name.to_owned(), zone)));
}

fn with_local<T>(ask: impl Fn(&str, &TimeZone) -> T) -> T {
    if LOCAL.with_borrow(Option::is_none) {
        set(std::env::var("TZ").ok());
    }
    LOCAL.with_borrow(|local| match local {
        Some((name, zone)) => ask(name, zone),
        None => ask("UTC", &TimeZone::UTC),
    })
}

/// How many seconds local time is ahead at a time.
pub fn offset(seconds: i64) -> i32 {
    with_local(|_, zone| ahead(zone, seconds))
}

/// Local time.
pub fn local(seconds: i64) -> Moment {
    with_local(|name, zone| moment(name, zone, seconds))
}

/// The time of another zone, where there is one of this name.
pub fn within(name: &str, seconds: i64) -> Option<Moment> {
    Some(moment(name, &find(name)?, seconds))
}

fn find(name: &str) -> Option<TimeZone> {
    if name.is_empty() || name.eq_ignore_ascii_case("utc") || name.eq_ignore_ascii_case("gmt") {
        return Some(TimeZone::UTC);
    }
    if let Ok(zone) = TimeZone::get(name) {
        return Some(zone);
    }
    let is_rule = name
        .bytes()
        .any(|letter| letter.is_ascii_digit() || letter == b'<');
    is_rule.then(|| TimeZone::posix(name).ok()).flatten()
}

fn ahead(zone: &TimeZone, seconds: i64) -> i32 {
    let limits = (Timestamp::MIN.as_second(), Timestamp::MAX.as_second());
    let time = Timestamp::from_second(seconds.clamp(limits.0, limits.1)).unwrap_or_default();
    zone.to_offset(time).seconds()
}

fn moment(name: &str, zone: &TimeZone, seconds: i64) -> Moment {
    let offset = ahead(zone, seconds);
    let (year, _, _) = civil(seconds.div_euclid(86_400));
    let seasons = [1, 7].map(|month| ahead(zone, days(year, month, 1) * 86_400));
    let is_summer = offset > seasons[0].min(seasons[1]);
    let names = names(zone.iana_name().unwrap_or(name));
    let pick = |plain: usize| {
        let of = |index: usize| names.get(index).copied().filter(|name| !name.is_empty());
        if is_summer {
            of(plain + 1).or_else(|| of(plain))
        } else {
            of(plain)
        }
    };
    Moment {
        offset,
        name: pick(0).map_or_else(|| distance(offset, true), str::to_owned),
        short: pick(2).map_or_else(|| distance(offset, false), str::to_owned),
    }
}

fn names(zone: &str) -> Vec<&'static str> {
    if ["", "UTC", "GMT"].contains(&zone) {
        return vec!["Coordinated Universal Time", "", "UTC"];
    }
    let line = NAMES.lines().find_map(|line| {
        let (names, zones) = line.split_once(':')?;
        zones
            .split(' ')
            .any(|known| known.eq_ignore_ascii_case(zone))
            .then_some(names)
    });
    line.map(|names| names.split('|').collect())
        .unwrap_or_default()
}

/// A distance from GMT; the hours have two digits in the long form.
fn distance(offset: i32, long: bool) -> String {
    let (sign, minutes) = (if offset < 0 { '-' } else { '+' }, offset.abs() / 60);
    match (minutes / 60, minutes % 60) {
        (0, 0) => "GMT".to_owned(),
        (hours, minutes) if long => format!("GMT{sign}{hours:02}:{minutes:02}"),
        (hours, 0) => format!("GMT{sign}{hours}"),
        (hours, minutes) => format!("GMT{sign}{hours}:{minutes:02}"),
    }
}
