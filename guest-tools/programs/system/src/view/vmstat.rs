//! `vmstat`: memory and processes in one line.

use std::time::Duration;

use super::free::Memory;
use crate::call::Call;
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n vmstat [options] [delay [count]]\n",
    options: &[
        Opt("a", "active", Value::No),
        Opt("n", "one-header", Value::No),
        Opt("S", "unit", Value::Required),
        Opt("w", "wide", Value::No),
        Opt("t", "timestamp", Value::No),
    ],
    permute: true,
    status: 1,
};

const HEAD: &str = "procs -----------memory---------- ---swap-- -----io---- -system-- -------cpu-------\n \
                    r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st gu";

/// Runs `vmstat`: what a sandbox does not count is 0.
pub fn vmstat(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut numbers = Vec::new();
    for word in &parsed.operands {
        match options::number::<u64>(word) {
            Some(number) if number > 0 => numbers.push(number),
            _ => return call.fail(1, "failed to parse argument"),
        }
    }
    let unit = match parsed.value("S") {
        None | Some(b"K") => 1,
        Some(b"M") => 1024,
        Some(_) => return call.fail(1, "-S requires k, K, m or M (default is KiB)"),
    };
    let delay = numbers.first().copied();
    // Without a count it would go on for ever: ten lines, as `watch` shows.
    let count = numbers
        .get(1)
        .copied()
        .unwrap_or(if delay.is_some() { 10 } else { 1 });
    let mut out = Output::new();
    out.line(HEAD);
    for at in 0..count {
        if at > 0 {
            out.flush();
            std::thread::sleep(Duration::from_secs(delay.unwrap_or(1)));
        }
        let memory = Memory::read();
        let swapped = memory.get("SwapTotal") - memory.get("SwapFree").min(memory.get("SwapTotal"));
        let running = system::processes().len();
        out.line(format!(
            "{running:2}  0 {:6} {:6} {:6} {:6}    0    0     0     0    0    0  0  0 100  0  0  0",
            swapped / unit,
            memory.get("MemFree") / unit,
            memory.get("Buffers") / unit,
            memory.cache() / unit
        ));
    }
    out.finish(&call.name, 0, 1)
}
