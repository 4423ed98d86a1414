//! `uname` and `arch`, as in coreutils: what scripts expect of a Linux machine, the same on every host. Programs are
//! WebAssembly, so what is told is only what scripts make decisions by: `Linux`, `x86_64`, a kernel release that names
//! Offshoot.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::quote;
use crate::system;

const UNAME: Syntax = Syntax {
    usage: "Usage: uname [OPTION]...\nPrint certain system information.\n",
    options: &[
        Opt("a", "all", Value::No),
        Opt("s", "kernel-name", Value::No),
        Opt("n", "nodename", Value::No),
        Opt("r", "kernel-release", Value::No),
        Opt("v", "kernel-version", Value::No),
        Opt("m", "machine", Value::No),
        Opt("p", "processor", Value::No),
        Opt("i", "hardware-platform", Value::No),
        Opt("o", "operating-system", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The architecture that programs are told.
pub const MACHINE: &str = "x86_64";

/// Runs `uname`; without options `-s`. `-a` leaves out what is unknown.
pub fn uname(call: &Call) -> i32 {
    let parsed = match options::parse(call, &UNAME) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        let message = bytes!("extra operand ", quote::word(extra));
        return options::usage_error(call, &UNAME, message);
    }
    let hostname = system::identity().hostname;
    let parts = [
        ("s", "Linux"),
        ("n", hostname.as_str()),
        ("r", "6.1.0-offshoot"),
        ("v", "#1 SMP Offshoot"),
        ("m", MACHINE),
        ("p", "unknown"),
        ("i", "unknown"),
        ("o", "GNU/Linux"),
    ];
    let all = parsed.has("a");
    let none = parsed.options.is_empty();
    let shown = parts.into_iter().filter(|(key, text)| match all {
        true => *text != "unknown",
        false => parsed.has(key) || (none && *key == "s"),
    });
    let mut out = Output::new();
    out.line(shown.map(|(_, text)| text).collect::<Vec<_>>().join(" "));
    out.finish(&call.name, 0, 1)
}

/// Runs `arch`.
pub fn arch(call: &Call) -> i32 {
    const ARCH: Syntax = Syntax {
        usage: "Usage: arch\nPrint machine architecture.\n",
        options: &[],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &ARCH) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(extra) = parsed.operands.first() {
        let message = bytes!("extra operand ", quote::word(extra));
        return options::usage_error(call, &ARCH, message);
    }
    let mut out = Output::new();
    out.line(MACHINE);
    out.finish(&call.name, 0, 1)
}
