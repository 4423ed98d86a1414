//! `free`, as procps 4.0.2 prints it: the memory of the sandbox, from `/proc/meminfo`.

use std::time::Duration;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n free [options]\n",
    options: &[
        Opt("b", "bytes", Value::No),
        Opt("k", "kibi", Value::No),
        Opt("m", "mebi", Value::No),
        Opt("g", "gibi", Value::No),
        Opt("", "tebi", Value::No),
        Opt("", "pebi", Value::No),
        Opt("", "kilo", Value::No),
        Opt("", "mega", Value::No),
        Opt("", "giga", Value::No),
        Opt("", "tera", Value::No),
        Opt("", "peta", Value::No),
        Opt("h", "human", Value::No),
        Opt("", "si", Value::No),
        Opt("l", "lohi", Value::No),
        Opt("t", "total", Value::No),
        Opt("v", "committed", Value::No),
        Opt("s", "seconds", Value::Required),
        Opt("c", "count", Value::Required),
        Opt("w", "wide", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What `/proc/meminfo` says, in KiB.
pub struct Memory(Vec<(String, u64)>);

impl Memory {
    /// Reads the file.
    pub fn read() -> Memory {
        Memory::parse(&std::fs::read_to_string("/proc/meminfo").unwrap_or_default())
    }

    /// Reads lines of the form `NAME:  NUMBER kB`; others are passed over.
    fn parse(text: &str) -> Memory {
        let lines = text.lines().filter_map(|line| {
            let (name, rest) = line.split_once(':')?;
            let amount = rest.split_whitespace().next()?.parse().ok()?;
            Some((name.to_owned(), amount))
        });
        Memory(lines.collect())
    }

    /// One of its lines; 0 where it is missing.
    pub fn get(&self, name: &str) -> u64 {
        let found = self.0.iter().find(|(known, _)| known == name);
        found.map_or(0, |(_, amount)| *amount)
    }

    /// Memory that can be taken without swapping.
    pub fn available(&self) -> u64 {
        self.get("MemAvailable")
    }

    /// Pages that hold files.
    pub fn cache(&self) -> u64 {
        self.get("Cached") + self.get("SReclaimable")
    }

    /// What is taken: all but what is available.
    pub fn used(&self) -> u64 {
        self.get("MemTotal").saturating_sub(self.available())
    }
}

/// How amounts are written.
enum Unit {
    /// In multiples of so many bytes.
    Fixed(u64),
    /// With the unit that gives a short number; in powers of this.
    Human(u64),
}

impl Unit {
    /// The unit that the last of the options asks for, KiB by default. `--si` makes the units of a letter powers of
    /// 1000.
    fn of(key: Option<&str>, si: bool) -> Unit {
        let base: u64 = if si { 1000 } else { 1024 };
        Unit::Fixed(match key {
            Some("b") => 1,
            Some("m") => base.pow(2),
            Some("g") => base.pow(3),
            Some("tebi") => base.pow(4),
            Some("pebi") => base.pow(5),
            Some("kilo") => 1000,
            Some("mega") => 1000_u64.pow(2),
            Some("giga") => 1000_u64.pow(3),
            Some("tera") => 1000_u64.pow(4),
            Some("peta") => 1000_u64.pow(5),
            Some("h") => return Unit::Human(base),
            _ => base,
        })
    }

    /// An amount of KiB in this unit, cut and not rounded: `979Mi`, `6.6Gi`.
    fn format(&self, kibibytes: u64) -> String {
        let bytes = kibibytes * 1024;
        let base = match self {
            Unit::Fixed(size) => return (bytes / size).to_string(),
            Unit::Human(base) => *base,
        };
        let suffix = if base == 1000 { "" } else { "i" };
        if bytes < base {
            return format!("{bytes}B");
        }
        let mut size = base as f64;
        for letter in ["K", "M", "G", "T", "P"] {
            let amount = bytes as f64 / size;
            // Four characters with the unit, cut and not rounded.
            let short = format!("{:.1}", (amount * 10.0).floor() / 10.0);
            if short.len() <= 3 {
                return format!("{short}{letter}{suffix}");
            }
            if amount < 1000.0 {
                return format!("{}{letter}{suffix}", amount.floor());
            }
            size *= base as f64;
        }
        format!("{bytes}B")
    }
}

/// Runs `free`.
pub fn free(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        return options::usage_error(call, &SYNTAX, bytes!("extra operand ", quote::word(extra)));
    }
    let units = [
        "b", "k", "m", "g", "h", "tebi", "pebi", "kilo", "mega", "giga", "tera", "peta",
    ];
    let unit = Unit::of(parsed.last(&units), parsed.has("si"));
    let pause = parsed.value("s").map(|text| {
        let seconds = std::str::from_utf8(text)
            .ok()
            .and_then(|text| text.parse().ok());
        seconds.and_then(|seconds| Duration::try_from_secs_f64(seconds).ok())
    });
    let count = parsed.value("c").map(options::number::<u64>);
    let (pause, mut left) = match (pause, count) {
        (Some(None | Some(Duration::ZERO)), _) => {
            let text = parsed.value("s").unwrap_or_default();
            return call.fail(
                1,
                bytes!("seconds argument '", text, "' is not positive number"),
            );
        }
        (_, Some(None | Some(0))) => {
            let text = parsed.value("c").unwrap_or_default();
            return call.fail(1, bytes!("failed to parse count argument: '", text, "'"));
        }
        (Some(pause), None) => (pause, u64::MAX),
        (pause, Some(Some(count))) => (pause.flatten(), count),
        (None, None) => (None, 1),
    };
    let mut out = Output::new();
    loop {
        let flags = Flags {
            wide: parsed.has("w"),
            zones: parsed.has("l"),
            total: parsed.has("t"),
            committed: parsed.has("v"),
        };
        out.put(table(&Memory::read(), &unit, &flags));
        left -= 1;
        if left == 0 || out.is_broken() {
            break;
        }
        out.line("");
        out.flush();
        std::thread::sleep(pause.unwrap_or(Duration::from_secs(1)));
    }
    out.finish(&call.name, 0, 1)
}

/// Which lines and columns there are.
#[derive(Default)]
struct Flags {
    /// `-w`: buffers and cache apart.
    wide: bool,
    /// `-l`: low and high memory.
    zones: bool,
    /// `-t`: memory and swap together.
    total: bool,
    /// `-v`: the committed memory.
    committed: bool,
}

/// The whole table.
fn table(memory: &Memory, unit: &Unit, flags: &Flags) -> String {
    let show = |amounts: &[u64]| -> String {
        let cells = amounts
            .iter()
            .map(|amount| format!("{:>12}", unit.format(*amount)));
        cells.collect::<Vec<_>>().concat()
    };
    let mut lines = vec![if flags.wide {
        "               total        used        free      shared     buffers       cache   available"
    } else {
        "               total        used        free      shared  buff/cache   available"
    }
    .to_owned()];
    let get = |name: &str| memory.get(name);
    let (total, free, used) = (get("MemTotal"), get("MemFree"), memory.used());
    let mut amounts = vec![total, used, free, get("Shmem")];
    if flags.wide {
        amounts.extend([get("Buffers"), memory.cache()]);
    } else {
        amounts.push(get("Buffers") + memory.cache());
    }
    amounts.push(memory.available());
    lines.push(format!("Mem:    {}", show(&amounts)));
    if flags.zones {
        lines.push(format!(
            "Low:    {}",
            show(&[total, total.saturating_sub(free), free])
        ));
        lines.push(format!("High:   {}", show(&[0, 0, 0])));
    }
    let (swap, swap_free) = (get("SwapTotal"), get("SwapFree"));
    let swap_used = swap.saturating_sub(swap_free);
    lines.push(format!("Swap:   {}", show(&[swap, swap_used, swap_free])));
    if flags.total {
        let sums = [total + swap, used + swap_used, free + swap_free];
        lines.push(format!("Total:  {}", show(&sums)));
    }
    if flags.committed {
        let (limit, committed) = (get("CommitLimit"), get("Committed_AS"));
        let sums = [limit, committed, limit.saturating_sub(committed)];
        lines.push(format!("Comm:   {}", show(&sums)));
    }
    lines.join("\n") + "\n"
}

#[cfg(test)]
mod tests {
    use super::*;

    /// Recorded from procps 4.0.2.
    #[test]
    fn prints_as_procps_does() {
        let memory = Memory::parse(
            "MemTotal:       24684092 kB\nMemFree:         6955156 kB\nMemAvailable:   23680648 kB\n\
             Buffers:          277220 kB\nCached:         16870696 kB\nShmem:              8856 kB\n\
             SwapTotal:             0 kB\n",
        );
        let cases = [
            (
                "k",
                false,
                "Mem:        24684092     1003444     6955156        8856    17147916    23680648",
            ),
            (
                "h",
                false,
                "Mem:            23Gi       979Mi       6.6Gi       8.6Mi        16Gi        22Gi",
            ),
            (
                "m",
                true,
                "Mem:           24105         979        6792           8         270       16475       23125",
            ),
        ];
        for (key, wide, expected) in cases {
            let flags = Flags {
                wide,
                ..Flags::default()
            };
            let found = table(&memory, &Unit::of(Some(key), false), &flags);
            assert_eq!(found.lines().nth(1), Some(expected), "{key}");
        }
    }
}
