//! The modifiers `localtime` and `utc` of the date functions: SQLite's own need `localtime_r`, which WASI lacks.

use std::rc::Rc;

use offshoot_sqlite::{Connection, Error, Open, Value};

use super::functions::text;
use crate::system::Time;

/// Whether statements may use the modifiers.
pub fn is_needed(sql: &[u8]) -> bool {
    let lower = sql.to_ascii_lowercase();
    [&b"localtime"[..], b"utc"]
        .iter()
        .any(|word| memchr::memmem::find(&lower, word).is_some())
}

/// Puts functions that know the sandbox's time zone in the place of SQLite's.
pub fn add(connection: &Connection) -> Result<(), Error> {
    let clock = Rc::new(Connection::open(b":memory:", Open::default())?);
    for (name, skipped) in [
        ("date", 0),
        ("time", 0),
        ("datetime", 0),
        ("julianday", 0),
        ("unixepoch", 0),
        ("strftime", 1),
    ] {
        let clock = Rc::clone(&clock);
        connection.add_function(name, -1, move |arguments| {
            let arguments = in_utc(&clock, arguments, skipped).map_err(|error| error.message)?;
            call(&clock, name, &arguments).map_err(|error| error.message)
        })?;
    }
    Ok(())
}

/// The arguments with each of the two modifiers as the seconds that it adds.
fn in_utc(clock: &Connection, arguments: &[Value], skipped: usize) -> Result<Vec<Value>, Error> {
    let mut plain: Vec<Value> = Vec::with_capacity(arguments.len());
    for (index, argument) in arguments.iter().enumerate() {
        let word = text(argument).to_ascii_lowercase();
        let back = match &word[..] {
            b"localtime" if index > skipped => false,
            b"utc" if index > skipped => true,
            _ => {
                plain.push(argument.clone());
                continue;
            }
        };
        let mut until = vec![Value::Text(b"%s".to_vec())];
        until.extend_from_slice(&plain[skipped.min(plain.len())..]);
        let seconds = match call(clock, "strftime", &until)? {
            Value::Null => return Ok(vec![Value::Null]),
            seconds => String::from_utf8_lossy(&text(&seconds))
                .parse()
                .unwrap_or(0),
        };
        // Back from local time: the offset of the time that is meant, not of the one that is read.
        let shift = if back {
            -offset(seconds - offset(seconds))
        } else {
            offset(seconds)
        };
        plain.push(Value::Text(format!("{shift:+} seconds").into_bytes()));
    }
    Ok(plain)
}

/// How many seconds local time is ahead of UTC.
fn offset(seconds: i64) -> i64 {
    let time = Time {
        seconds,
        nanoseconds: 0,
    };
    i64::from(
        crate::time::local(time, &crate::time::zone())
            .offset()
            .seconds(),
    )
}

/// Calls one of SQLite's own functions.
fn call(clock: &Connection, name: &str, arguments: &[Value]) -> Result<Value, Error> {
    let sql = format!("SELECT {name}({})", vec!["?"; arguments.len()].join(","));
    let (Some(mut statement), _) = clock.prepare(sql.as_bytes())? else {
        return Ok(Value::Null);
    };
    for (index, argument) in arguments.iter().enumerate() {
        statement.bind(index + 1, argument)?;
    }
    statement.step()?;
    Ok(statement.value(0))
}
