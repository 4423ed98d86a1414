//! The files of the sandbox as a whole.

use std::fmt::Write;
use std::sync::atomic::Ordering;

use super::network;
use crate::Kernel;

/// Makes what a file holds.
pub(super) type Content = fn(&Kernel) -> String;

/// The release of Linux whose behaviour programs may expect, as `uname` says it.
const RELEASE: &str = "6.1.0-offshoot";
/// The build of it.
const BUILD: &str = "#1 SMP Offshoot";

const FILES: &[(&str, Content)] = &[
    ("cmdline", |_| "\n".to_owned()),
    ("cpuinfo", |_| {
        "processor\t: 0\nvendor_id\t: Offshoot\nmodel name\t: WebAssembly\nsiblings\t: 1\n\
         core id\t\t: 0\ncpu cores\t: 1\n\n"
            .to_owned()
    }),
    ("filesystems", |_| {
        "nodev\ttmpfs\nnodev\tproc\nnodev\toverlay\n".to_owned()
    }),
    ("loadavg", loads),
    ("meminfo", memory),
    ("net/tcp", network::tcp),
    ("net/tcp6", network::tcp6),
    ("net/udp", network::udp),
    ("net/udp6", network::udp6),
    ("stat", counts),
    ("swaps", |_| {
        "Filename\t\t\t\tType\t\tSize\t\tUsed\t\tPriority\n".to_owned()
    }),
    ("sys/kernel/hostname", |kernel| {
        format!("{}\n", kernel.settings().identity.hostname)
    }),
    ("sys/kernel/osrelease", |_| format!("{RELEASE}\n")),
    ("sys/kernel/ostype", |_| "Linux\n".to_owned()),
    ("sys/kernel/pid_max", |_| "4194304\n".to_owned()),
    ("sys/kernel/random/boot_id", |kernel| {
        format!("{}\n", kernel.boot_id())
    }),
    ("sys/kernel/random/uuid", |kernel| {
        format!("{}\n", uuid(kernel))
    }),
    ("sys/kernel/version", |_| format!("{BUILD}\n")),
    ("uptime", |kernel| {
        let hundredths = kernel.settings().time.monotonic() / 10_000_000;
        format!("{}.{:02} 0.00\n", hundredths / 100, hundredths % 100)
    }),
    ("version", |_| format!("Linux version {RELEASE} {BUILD}\n")),
];

/// What makes the file at `path`.
pub(super) fn find(path: &str) -> Option<Content> {
    let found = FILES.iter().find(|(known, _)| *known == path);
    found.map(|(_, content)| *content)
}

/// The part of a file's path that is below `directory`.
fn below<'a>(file: &'a str, directory: &str) -> Option<&'a str> {
    match directory {
        "" => Some(file),
        _ => file.strip_prefix(directory)?.strip_prefix('/'),
    }
}

pub(super) fn is_directory(path: &str) -> bool {
    FILES.iter().any(|(file, _)| below(file, path).is_some())
}

/// The names in a directory.
pub(super) fn names(directory: &str) -> Vec<String> {
    let inside = FILES.iter().filter_map(|(file, _)| below(file, directory));
    let mut names: Vec<String> = inside
        .filter_map(|rest| rest.split('/').next().map(str::to_owned))
        .collect();
    names.dedup();
    names
}

/// A random number in the form of RFC 4122.
pub(super) fn uuid(kernel: &Kernel) -> String {
    let mut bytes = [0; 16];
    kernel.settings().random.fill(&mut bytes);
    bytes[6] = bytes[6] & 0x0f | 0x40;
    bytes[8] = bytes[8] & 0x3f | 0x80;
    let mut text = String::with_capacity(36);
    for (at, byte) in bytes.iter().enumerate() {
        let dash = if matches!(at, 4 | 6 | 8 | 10) {
            "-"
        } else {
            ""
        };
        let _ = write!(text, "{dash}{byte:02x}");
    }
    text
}

/// Nobody measures the load; whoever reads is the one that runs.
fn loads(kernel: &Kernel) -> String {
    let processes = kernel.processes();
    let last = processes.last().map_or(0, |process| process.pid);
    format!("0.00 0.00 0.00 1/{} {last}\n", processes.len())
}

/// What the processes may have together; nothing is swapped and no page is cached.
fn memory(kernel: &Kernel) -> String {
    let total = kernel.limits().total_memory / 1024;
    let used = kernel.memory().load(Ordering::Relaxed).div_ceil(1024);
    let free = total.saturating_sub(used);
    let rows = [
        ("MemTotal", total),
        ("MemFree", free),
        ("MemAvailable", free),
        ("Buffers", 0),
        ("Cached", 0),
        ("SwapCached", 0),
        ("SwapTotal", 0),
        ("SwapFree", 0),
        ("Shmem", 0),
        ("SReclaimable", 0),
    ];
    let line = |(name, amount)| format!("{:<15} {amount:>8} kB\n", format!("{name}:"));
    rows.map(line).concat()
}

/// Nobody counts the processor's time inside.
fn counts(kernel: &Kernel) -> String {
    let began = kernel.began().seconds;
    let processes = kernel.table().given();
    format!(
        "cpu  0 0 0 0 0 0 0 0 0 0\ncpu0 0 0 0 0 0 0 0 0 0 0\nintr 0\nctxt 0\nbtime {began}\n\
         processes {processes}\nprocs_running 1\nprocs_blocked 0\nsoftirq 0\n"
    )
}
