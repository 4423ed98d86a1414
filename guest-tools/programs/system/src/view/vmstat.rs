//! `vmstat`, as in procps: memory and processes in one line.
//!
//! `vmstat DELAY` prints ten lines, where procps goes on for ever; `vmstat DELAY COUNT` as many as asked for.

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

/// How the columns of `-w` and of the usual lines are written.
struct Layout {
    /// The line of the groups.
    title: &'static str,
    /// The line of the columns.
    names: &'static str,
    /// Whether it is the layout of `-w`.
    wide: bool,
}

const USUAL: Layout = Layout {
    title: "procs -----------memory---------- ---swap-- -----io---- -system-- ------cpu-----",
    names: " r  b   swpd   free   buff  cache   si   so    bi    bo   in   cs us sy id wa st",
    wide: false,
};

const WIDE: Layout = Layout {
    title: "--procs-- -----------------------memory---------------------- ---swap-- -----io---- \
            -system-- ----------cpu----------",
    names: "   r    b         swpd         free         buff        cache   si   so    bi    bo   \
            in   cs  us  sy  id  wa  st  gu",
    wide: true,
};

impl Layout {
    /// The two lines of the head, with the columns of `-a` and `-t`.
    fn head(&self, active: bool, stamp: bool) -> String {
        let mut title = self.title.to_owned();
        let mut names = self.names.to_owned();
        if active {
            names = names
                .replace("  buff  cache", " inact active")
                .replace("  buff        cache", " inact       active");
        }
        if stamp {
            title.push_str(" -----timestamp-----");
            names.push_str(&format!(" {:>19}", "UTC"));
        }
        format!("{title}\n{names}")
    }

    /// A line: running processes, and swapped, free and the other two kinds of memory.
    fn row(&self, running: usize, memory: [u64; 4]) -> String {
        let [swapped, free, third, fourth] = memory;
        match self.wide {
            false => format!(
                "{running:2}  0 {swapped:6} {free:6} {third:6} {fourth:6}    0    0     0     0    0    0  0  0 100  0  0"
            ),
            true => format!(
                "{running:4}    0 {swapped:12} {free:12} {third:12} {fourth:12}    0    0     0     0    0    0   0   0 100   0   0   0"
            ),
        }
    }
}

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
        None | Some(b"K") => 1024,
        Some(b"k") => 1000,
        Some(b"m") => 1_000_000,
        Some(b"M") => 1 << 20,
        Some(_) => return call.fail(1, "-S requires k, K, m or M (default is KiB)"),
    };
    let delay = numbers.first().copied();
    // Without a count it would go on for ever: ten lines, as `watch` shows.
    let count = numbers
        .get(1)
        .copied()
        .unwrap_or(if delay.is_some() { 10 } else { 1 });
    let mut out = Output::new();
    let layout = if parsed.has("w") { WIDE } else { USUAL };
    let (active, stamp) = (parsed.has("a"), parsed.has("t"));
    out.line(layout.head(active, stamp));
    for at in 0..count {
        if at > 0 {
            out.flush();
            std::thread::sleep(Duration::from_secs(delay.unwrap_or(1)));
        }
        let memory = Memory::read();
        let swapped = memory.get("SwapTotal") - memory.get("SwapFree").min(memory.get("SwapTotal"));
        let running = system::processes().len();
        let (third, fourth) = match active {
            true => (memory.get("Inactive"), memory.get("Active")),
            false => (memory.get("Buffers"), memory.cache()),
        };
        let sizes = [swapped, memory.get("MemFree"), third, fourth];
        let mut line = layout.row(running, sizes.map(|size| size * 1024 / unit));
        if stamp {
            let now = jiff::Timestamp::now();
            line.push_str(&format!(" {}", now.strftime("%Y-%m-%d %H:%M:%S")));
        }
        out.line(line);
    }
    out.finish(&call.name, 0, 1)
}
