//! `getent`, as in glibc: entries of the files in `/etc`.
//!
//! Users and groups are looked up by name or number, other databases by any word of a line. The user and the group of
//! the process are there even where the files lack them.

use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;

const SYNTAX: Syntax = Syntax {
    usage: "Usage: getent [OPTION...] database [key ...]\nGet entries from administrative database.\n",
    options: &[
        Opt("i", "no-idn", Value::No),
        Opt("s", "service", Value::Required),
    ],
    permute: true,
    status: 1,
};

/// Runs `getent`: 2 where a key is not found, 1 where there is no such database.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let Some((database, keys)) = parsed.operands.split_first() else {
        return options::usage_error(call, &SYNTAX, "wrong number of arguments");
    };
    let mut out = Output::new();
    let lines = match database.as_slice() {
        b"passwd" => users(),
        b"group" => groups(),
        b"hosts" | b"ahosts" | b"ahostsv4" => hosts(),
        b"services" | b"protocols" | b"networks" | b"shadow" | b"gshadow" | b"ethers" | b"rpc"
        | b"netgroup" => {
            let path = format!("/etc/{}", String::from_utf8_lossy(database));
            lines_of(&path)
        }
        _ => {
            call.fail(1, bytes!("Unknown database: ", database));
            return 1;
        }
    };
    let mut status = 0;
    if keys.is_empty() {
        for line in &lines {
            out.line(line);
        }
    }
    let named = matches!(database.as_slice(), b"passwd" | b"group");
    for key in keys {
        let key = String::from_utf8_lossy(key);
        let found = lines.iter().find(|line| match named {
            true => {
                let mut fields = line.split(':');
                fields.next() == Some(&*key) || fields.nth(1) == Some(&*key)
            }
            false => line.split_whitespace().any(|word| word == key),
        });
        match found {
            Some(line) => out.line(line),
            None => status = 2,
        }
    }
    out.finish(&call.name, status, 1)
}

/// The lines of a file that are neither empty nor comments; none where there is no file.
fn lines_of(path: &str) -> Vec<String> {
    let text = std::fs::read_to_string(path).unwrap_or_default();
    let lines = text
        .lines()
        .filter(|line| !line.is_empty() && !line.starts_with('#'));
    lines.map(str::to_owned).collect()
}

/// The users of `/etc/passwd`, and who the process is.
fn users() -> Vec<String> {
    let mut lines = lines_of("/etc/passwd");
    let accounts = Accounts::new();
    let own = accounts.own();
    if !lines
        .iter()
        .any(|line| line.split(':').nth(2) == Some(&own.uid.to_string()))
    {
        let home = std::env::var("HOME").unwrap_or_else(|_| "/".to_owned());
        lines.push(format!(
            "{}:x:{}:{}::{home}:/bin/bash",
            own.user, own.uid, own.gid
        ));
    }
    lines
}

/// The groups of `/etc/group`, and that of the process.
fn groups() -> Vec<String> {
    let mut lines = lines_of("/etc/group");
    let accounts = Accounts::new();
    let own = accounts.own();
    if !lines
        .iter()
        .any(|line| line.split(':').nth(2) == Some(&own.gid.to_string()))
    {
        lines.push(format!("{}:x:{}:", own.group, own.gid));
    }
    lines
}

/// The lines of `/etc/hosts`, the address in a column of 15 characters.
fn hosts() -> Vec<String> {
    let mut lines: Vec<String> = Vec::new();
    for line in lines_of("/etc/hosts") {
        let mut words = line.split_whitespace();
        if let Some(address) = words.next() {
            let names: Vec<&str> = words.collect();
            lines.push(format!("{address:<15} {}", names.join(" ")));
        }
    }
    lines
}
