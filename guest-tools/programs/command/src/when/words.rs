//! The words of a date.

use jiff::tz::TimeZone;

use super::token::{Token, Unit};
use crate::system::Time;

const MONTHS: [&str; 12] = [
    "JANUARY",
    "FEBRUARY",
    "MARCH",
    "APRIL",
    "MAY",
    "JUNE",
    "JULY",
    "AUGUST",
    "SEPTEMBER",
    "OCTOBER",
    "NOVEMBER",
    "DECEMBER",
];

const DAYS: [(&str, i64); 11] = [
    ("SUNDAY", 0),
    ("MONDAY", 1),
    ("TUESDAY", 2),
    ("TUES", 2),
    ("WEDNESDAY", 3),
    ("WEDNES", 3),
    ("THURSDAY", 4),
    ("THUR", 4),
    ("THURS", 4),
    ("FRIDAY", 5),
    ("SATURDAY", 6),
];

const UNITS: [(&str, Unit, i64); 10] = [
    ("YEAR", Unit::Year, 1),
    ("MONTH", Unit::Month, 1),
    ("FORTNIGHT", Unit::Day, 14),
    ("WEEK", Unit::Day, 7),
    ("DAY", Unit::Day, 1),
    ("HOUR", Unit::Hour, 1),
    ("MINUTE", Unit::Minute, 1),
    ("MIN", Unit::Minute, 1),
    ("SECOND", Unit::Second, 1),
    ("SEC", Unit::Second, 1),
];

const RELATIVE: [(&str, Token); 20] = [
    ("TOMORROW", Token::DayShift(1)),
    ("YESTERDAY", Token::DayShift(-1)),
    ("TODAY", Token::DayShift(0)),
    ("NOW", Token::DayShift(0)),
    ("LAST", Token::Ordinal(-1)),
    ("THIS", Token::Ordinal(0)),
    ("NEXT", Token::Ordinal(1)),
    ("FIRST", Token::Ordinal(1)),
    ("THIRD", Token::Ordinal(3)),
    ("FOURTH", Token::Ordinal(4)),
    ("FIFTH", Token::Ordinal(5)),
    ("SIXTH", Token::Ordinal(6)),
    ("SEVENTH", Token::Ordinal(7)),
    ("EIGHTH", Token::Ordinal(8)),
    ("NINTH", Token::Ordinal(9)),
    ("TENTH", Token::Ordinal(10)),
    ("ELEVENTH", Token::Ordinal(11)),
    ("TWELFTH", Token::Ordinal(12)),
    ("AGO", Token::Ago(-1)),
    ("HENCE", Token::Ago(1)),
];

/// Names of zones, minutes east of Greenwich, and whether it is the name of summer time.
const ZONES: [(&str, i64, bool); 50] = [
    ("GMT", 0, false),
    ("UT", 0, false),
    ("UTC", 0, false),
    ("WET", 0, false),
    ("WEST", 0, true),
    ("BST", 0, true),
    ("ART", -180, false),
    ("BRT", -180, false),
    ("BRST", -180, true),
    ("NST", -210, false),
    ("NDT", -210, true),
    ("AST", -240, false),
    ("ADT", -240, true),
    ("CLT", -240, false),
    ("CLST", -240, true),
    ("EST", -300, false),
    ("EDT", -300, true),
    ("CST", -360, false),
    ("CDT", -360, true),
    ("MST", -420, false),
    ("MDT", -420, true),
    ("PST", -480, false),
    ("PDT", -480, true),
    ("AKST", -540, false),
    ("AKDT", -540, true),
    ("HST", -600, false),
    ("HAST", -600, false),
    ("HADT", -600, true),
    ("SST", -720, false),
    ("WAT", 60, false),
    ("CET", 60, false),
    ("CEST", 60, true),
    ("MET", 60, false),
    ("MEZ", 60, false),
    ("MEST", 60, true),
    ("MESZ", 60, true),
    ("EET", 120, false),
    ("EEST", 120, true),
    ("CAT", 120, false),
    ("SAST", 120, false),
    ("EAT", 180, false),
    ("MSK", 180, false),
    ("MSD", 180, true),
    ("IST", 330, false),
    ("SGT", 480, false),
    ("KST", 540, false),
    ("JST", 540, false),
    ("GST", 600, false),
    ("NZST", 720, false),
    ("NZDT", 720, true),
];

/// What a word means; none where it means nothing in a date.
pub fn word(text: &str, zone: &TimeZone, now: Time) -> Option<Token> {
    let text = text.to_ascii_uppercase();
    match text.as_str() {
        "AM" | "A.M." => return Some(Token::Meridian(0)),
        "PM" | "P.M." => return Some(Token::Meridian(12)),
        "DST" => return Some(Token::Summer),
        _ => {}
    }
    month_or_day(&text)
        .or_else(|| named_zone(&text, zone, now))
        .or_else(|| unit(&text))
        .or_else(|| {
            let found = RELATIVE.iter().find(|(name, _)| *name == text);
            found.map(|(_, token)| token.clone())
        })
        .or_else(|| military(&text))
        .or_else(|| {
            let bare = text.replace('.', "");
            (bare != text)
                .then(|| named_zone(&bare, zone, now))
                .flatten()
        })
}

/// Months and days go by their first three letters as well, with a dot or without.
fn month_or_day(text: &str) -> Option<Token> {
    let short = (text.len() == 3 || text.len() == 4 && text.ends_with('.')).then(|| &text[..3]);
    let matches = |name: &str| match short {
        Some(short) => name.starts_with(short),
        None => name == text,
    };
    let full = |name: &str| name == text || text == "SEPT" && name == "SEPTEMBER";
    let month = MONTHS.iter().position(|name| matches(name) || full(name));
    if let Some(month) = month {
        return Some(Token::Month(month as i64 + 1));
    }
    let day = DAYS.iter().find(|(name, _)| matches(name));
    day.map(|(_, day)| Token::Day(*day))
}

fn named_zone(text: &str, zone: &TimeZone, now: Time) -> Option<Token> {
    if let Some(local) = local_zone(text, zone, now) {
        return Some(local);
    }
    let (_, minutes, summer) = ZONES.iter().find(|(name, ..)| *name == text)?;
    Some(if *summer {
        Token::SummerZone(minutes * 60)
    } else {
        Token::Zone(minutes * 60)
    })
}

/// The abbreviations that the local zone uses in this year.
fn local_zone(text: &str, zone: &TimeZone, now: Time) -> Option<Token> {
    (0..4).find_map(|quarter| {
        let time = Time {
            seconds: now.seconds + quarter * 90 * 86400,
            ..now
        };
        let stamp = jiff::Timestamp::new(time.seconds, 0).ok()?;
        let info = zone.to_offset_info(stamp);
        (info.abbreviation().eq_ignore_ascii_case(text) && !matches!(text, "UTC" | "GMT"))
            .then(|| Token::LocalZone(i64::from(info.offset().seconds())))
    })
}

fn unit(text: &str) -> Option<Token> {
    let singular = text.strip_suffix('S').unwrap_or(text);
    let found = UNITS
        .iter()
        .find(|(name, ..)| *name == text || *name == singular)?;
    Some(Token::Unit(found.1, found.2))
}

/// Zones of one letter, without J, which is the local one.
fn military(text: &str) -> Option<Token> {
    let [letter] = text.as_bytes() else {
        return None;
    };
    let hours = match letter {
        b'A'..=b'I' => i64::from(letter - b'A') + 1,
        b'K'..=b'M' => i64::from(letter - b'K') + 10,
        b'N'..=b'S' | b'U'..=b'Y' => -(i64::from(letter - b'N') + 1),
        b'T' => return Some(Token::T),
        b'Z' => 0,
        b'J' => return Some(Token::Local),
        _ => return None,
    };
    Some(Token::Zone(hours * 3600))
}
