//! `uptime`, as in procps: how long the sandbox runs, and the times that `top` and `ps` share with it.

use crate::calendar::Broken;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Time};

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n uptime [options]\n\nOptions:\n -p, --pretty   show uptime in pretty format\n -s, --since    system up since\n",
    options: &[Opt("p", "pretty", Value::No), Opt("s", "since", Value::No)],
    permute: true,
    status: 1,
};

/// Runs `uptime`.
pub fn uptime(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        return options::usage_error(call, &SYNTAX, bytes!("extra operand ", quote::word(extra)));
    }
    let (now, up) = (Time::now(), system::uptime().as_secs() as i64);
    let mut out = Output::new();
    match parsed.last(&["p", "s"]) {
        Some("s") => {
            let since = Broken::from_seconds(now.seconds - up);
            out.line(since.format(b"%Y-%m-%d %H:%M:%S"));
        }
        Some(_) => out.line(pretty(up)),
        None => out.line(header(now, up)),
    }
    out.finish(&call.name, 0, 1)
}

/// The first line of `uptime` and `top`; loads come from `/proc/loadavg`.
pub fn header(now: Time, up: i64) -> String {
    let loads = std::fs::read_to_string("/proc/loadavg").unwrap_or_default();
    let mut loads = loads.split(' ').map(str::to_owned);
    let mut load = || loads.next().unwrap_or_else(|| "0.00".to_owned());
    let clock = Broken::from_seconds(now.seconds).format(b"%H:%M:%S");
    format!(
        " {} up {},  0 user,  load average: {}, {}, {}",
        String::from_utf8_lossy(&clock),
        short(up),
        load(),
        load(),
        load()
    )
}

/// A span as in that line: `14 days, 2 min`, ` 3:24`.
fn short(up: i64) -> String {
    let (days, hours, minutes) = (up / 86_400, up / 3_600 % 24, up / 60 % 60);
    let mut text = match days {
        0 => String::new(),
        1 => "1 day, ".to_owned(),
        days => format!("{days} days, "),
    };
    text += &match hours {
        0 => format!("{minutes} min"),
        _ => format!("{hours:2}:{minutes:02}"),
    };
    text
}

/// A span as `-p` prints it: `up 2 weeks, 2 minutes`.
fn pretty(up: i64) -> String {
    let units = [
        (up / (86_400 * 7), "week"),
        (up / 86_400 % 7, "day"),
        (up / 3_600 % 24, "hour"),
        (up / 60 % 60, "minute"),
    ];
    let parts = units.into_iter().filter(|(count, _)| *count > 0);
    let parts: Vec<String> = parts
        .map(|(count, unit)| format!("{count} {unit}{}", if count == 1 { "" } else { "s" }))
        .collect();
    if parts.is_empty() {
        return "up 0 minutes".to_owned();
    }
    format!("up {}", parts.join(", "))
}

/// A span of seconds as `ps` shows it: `[[days-]hours:]minutes:seconds`, so 12256 is `03:24:16`.
pub fn elapsed(seconds: i64) -> String {
    let (minutes, rest) = (seconds / 60 % 60, seconds % 60);
    match (seconds / 86_400, seconds / 3_600 % 24) {
        (0, 0) => format!("{minutes:02}:{rest:02}"),
        (0, hours) => format!("{hours:02}:{minutes:02}:{rest:02}"),
        (days, hours) => format!("{days}-{hours:02}:{minutes:02}:{rest:02}"),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn spans_read_as_procps_writes_them() {
        let cases = [
            (0, "0 min", "up 0 minutes", "00:00"),
            (61, "1 min", "up 1 minute", "01:01"),
            (12_256, " 3:24", "up 3 hours, 24 minutes", "03:24:16"),
            (90_000, "1 day,  1:00", "up 1 day, 1 hour", "1-01:00:00"),
            (
                1_209_720,
                "14 days, 2 min",
                "up 2 weeks, 2 minutes",
                "14-00:02:00",
            ),
        ];
        for (seconds, line, long, column) in cases {
            assert_eq!(short(seconds), line);
            assert_eq!(pretty(seconds), long);
            assert_eq!(elapsed(seconds), column);
        }
    }
}
