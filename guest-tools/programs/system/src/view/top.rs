//! `top` in batch mode (`-b`), as procps 4.0.2 prints it: one picture of the processes after the other.
//!
//! Without `-n` it goes on for ever, every three seconds. Times, memory and shares of processes are not counted and are
//! 0. The interactive screen is not there: without `-b` it fails as procps does without a terminal.

use std::time::Duration;

use super::free::Memory;
use super::uptime;
use crate::accounts::Accounts;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system::{self, Process, Time};

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n  top -b [-n ITERATIONS] [-d SECONDS] [-p PIDS]\n",
    options: &[
        Opt("b", "batch-mode", Value::No),
        Opt("n", "iterations", Value::Required),
        Opt("d", "delay", Value::Required),
        Opt("p", "pid", Value::Required),
        Opt("c", "cmdline-toggle", Value::No),
        Opt("i", "idle-toggle", Value::No),
        Opt("w", "width", Value::Optional),
    ],
    permute: true,
    status: 1,
};

/// Runs `top`.
pub fn top(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        return call.fail(1, bytes!("unknown option ", quote::word(extra)));
    }
    if !parsed.has("b") {
        return call.fail(1, "failed tty get");
    }
    let mut left = match parsed.value("n").map(options::number::<u64>) {
        None => u64::MAX,
        Some(Some(count)) if count > 0 => count,
        Some(_) => {
            let text = parsed.value("n").unwrap_or_default();
            return call.fail(1, bytes!("bad iterations argument '", text, "'"));
        }
    };
    let delay = parsed
        .value("d")
        .map_or(Some(Duration::from_secs(3)), |text| {
            let seconds = std::str::from_utf8(text).ok()?.parse().ok()?;
            Duration::try_from_secs_f64(seconds).ok()
        });
    let Some(delay) = delay else {
        let text = parsed.value("d").unwrap_or_default();
        return call.fail(1, bytes!("bad delay interval '", text, "'"));
    };
    let pids = parsed.value("p").map(|list| {
        let pids = list.split(|&byte| byte == b',').map(options::number::<u32>);
        pids.collect::<Option<Vec<u32>>>()
    });
    if let Some(None) = pids {
        let text = parsed.value("p").unwrap_or_default();
        return call.fail(1, bytes!("bad pid '", text, "'"));
    }
    let pids = pids.flatten();
    let mut out = Output::new();
    loop {
        let all = system::processes().into_iter();
        let wanted =
            |process: &Process| pids.as_ref().is_none_or(|pids| pids.contains(&process.pid));
        picture(
            &all.filter(wanted).collect::<Vec<_>>(),
            parsed.has("c"),
            &mut out,
        );
        left -= 1;
        if left == 0 || out.is_broken() {
            break;
        }
        out.line("");
        out.flush();
        std::thread::sleep(delay);
    }
    out.finish(&call.name, 0, 1)
}

/// Prints one picture: five lines about the sandbox, a heading, and the processes.
fn picture(processes: &[Process], full: bool, out: &mut Output) {
    let accounts = Accounts::new();
    let own = accounts.own();
    let header = uptime::header(Time::now(), system::uptime().as_secs() as i64);
    out.line(format!("top -{header}"));
    let running = processes
        .iter()
        .filter(|process| process.pid == own.pid)
        .count();
    out.line(format!(
        "Tasks: {:3} total, {running:3} running, {:3} sleeping,   0 stopped,   0 zombie",
        processes.len(),
        processes.len() - running
    ));
    out.line("%Cpu(s):  0.0 us,  0.0 sy,  0.0 ni,100.0 id,  0.0 wa,  0.0 hi,  0.0 si,  0.0 st ");
    let memory = Memory::read();
    let mebi = |kibibytes: u64| kibibytes as f64 / 1024.0;
    let get = |name: &str| mebi(memory.get(name));
    out.line(format!(
        "MiB Mem : {:8.1} total, {:8.1} free, {:8.1} used, {:8.1} buff/cache     ",
        get("MemTotal"),
        get("MemFree"),
        mebi(memory.used()),
        get("Buffers") + mebi(memory.cache())
    ));
    out.line(format!(
        "MiB Swap: {:8.1} total, {:8.1} free, {:8.1} used. {:8.1} avail Mem ",
        get("SwapTotal"),
        get("SwapFree"),
        get("SwapTotal") - get("SwapFree"),
        mebi(memory.available())
    ));
    out.line("");
    out.line("    PID USER      PR  NI    VIRT    RES    SHR S  %CPU  %MEM     TIME+ COMMAND");
    let user: String = accounts.user(own.uid, false).chars().take(8).collect();
    for process in processes {
        let state = if process.pid == own.pid { 'R' } else { 'S' };
        let command = if full {
            process.arguments.join(&b' ')
        } else {
            process.name().to_vec()
        };
        out.line(format!(
            "{:7} {user:<8}  20   0       0      0      0 {state}   0.0   0.0   0:00.00 {}",
            process.pid,
            String::from_utf8_lossy(&command)
        ));
    }
}
