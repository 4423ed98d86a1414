//! `whereis`: where a command is.

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system;

const SYNTAX: Syntax = Syntax {
    usage: "Usage:\n whereis [options] [-BMS <dir>... -f] <name>\n\nLocate the binary, source, and manual-page files for a command.\n",
    options: &[
        Opt("b", "", Value::No),
        Opt("m", "", Value::No),
        Opt("s", "", Value::No),
        Opt("u", "", Value::No),
        Opt("l", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Runs `whereis`; a sandbox has programs, but neither sources nor pages.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() && !parsed.has("l") {
        return call.fail(1, "not enough arguments");
    }
    let mut places: Vec<Vec<u8>> = Vec::new();
    let usual: [&[u8]; 3] = [b"/usr/bin", b"/usr/sbin", b"/usr/local/bin"];
    let path = system::search_path();
    for place in usual.into_iter().chain(path.split(|&byte| byte == b':')) {
        // `/bin` is the same folder as `/usr/bin`.
        if let Ok(place) = system::canonicalize(place)
            && !places.contains(&place)
        {
            places.push(place);
        }
    }
    let mut out = Output::new();
    if parsed.has("l") {
        for place in &places {
            out.line(bytes!("bin: ", place));
        }
    }
    let programs = parsed.has("b") || !parsed.has("m") && !parsed.has("s");
    for name in &parsed.operands {
        let name = name.rsplit(|&byte| byte == b'/').next().unwrap_or(name);
        let mut line = bytes!(name, ":");
        for place in places.iter().filter(|_| programs) {
            if let Ok(file) = system::find_program(name, place) {
                line.extend(bytes!(" ", file));
            }
        }
        out.line(line);
    }
    out.finish(&call.name, 0, 1)
}
