//! `clear`, `reset` and `tset`, as in ncurses, and the strings that `tput` has in common with them.

use super::expand::without_padding;
use super::terminfo::Terminal;
use super::without_terminal;
use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;

/// Options of `clear`.
const CLEAR: Syntax = Syntax {
    usage: "Usage: clear [options]\n\nOptions:\n  -T TERM     use this instead of $TERM\n  -V          print curses-version\n  -x          do not try to clear scrollback\n",
    options: &[
        Opt("T", "", Value::Required),
        Opt("V", "version", Value::No),
        Opt("x", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// Options of `reset` and `tset`; those about special characters are accepted.
const RESET: Syntax = Syntax {
    usage: "Usage: reset [options] [terminal]\n\nOptions:\n  -c          set control characters\n  -e ch       erase character\n  -I          no initialization strings\n  -i ch       interrupt character\n  -k ch       kill character\n  -m mapping  map identifier to type\n  -Q          do not output control key settings\n  -q          display term only, do no changes\n  -r          display term on stderr\n  -s          output TERM set command\n  -V          print curses-version\n  -w          set window-size\n\nIf neither -c/-w are given, both are assumed.\n",
    options: &[
        Opt("c", "", Value::No),
        Opt("e", "", Value::Required),
        Opt("I", "", Value::No),
        Opt("i", "", Value::Required),
        Opt("k", "", Value::Required),
        Opt("m", "", Value::Required),
        Opt("Q", "", Value::No),
        Opt("q", "", Value::No),
        Opt("r", "", Value::No),
        Opt("s", "", Value::No),
        Opt("V", "version", Value::No),
        Opt("w", "", Value::No),
    ],
    permute: true,
    status: 1,
};

/// What empties the screen and, unless it is kept, what was scrolled out of it.
pub fn sequence(terminal: &Terminal, keeps_scrollback: bool) -> Option<Vec<u8>> {
    let scrollback = terminal.text("E3").filter(|_| !keeps_scrollback);
    let screen = terminal.text("clear")?;
    Some(without_padding(&bytes!(
        screen,
        scrollback.unwrap_or_default()
    )))
}

/// The strings that make a terminal ready: those for a reset where it has them.
pub fn start(terminal: &Terminal, reset: bool) -> Vec<u8> {
    let strings = [("rs1", "is1"), ("rs2", "is2"), ("rs3", "is3")];
    let text = strings.iter().flat_map(|(again, first)| {
        let found = terminal.text(again).filter(|_| reset);
        found.or_else(|| terminal.text(first)).unwrap_or_default()
    });
    without_padding(&text.collect::<Vec<u8>>())
}

/// Runs `clear`: writes the strings `clear` and `E3`, whether standard output is a terminal or not.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &CLEAR) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if !parsed.operands.is_empty() {
        eprint!("{}", CLEAR.usage);
        return 1;
    }
    match terminal(call, parsed.value("T")) {
        Err(status) => status,
        Ok(terminal) => match sequence(&terminal, parsed.has("x")) {
            None => 1,
            Some(text) => {
                let mut out = Output::new();
                out.put(text);
                out.finish(&call.name, 0, 1)
            }
        },
    }
}

/// The terminal that is named, or that of `TERM`. The status is 3 for one that is not known, 1 for `clear`.
fn terminal(call: &Call, name: Option<&[u8]>) -> Result<Terminal, i32> {
    let name = name.map(<[u8]>::to_vec);
    let name = name.or_else(|| std::env::var_os("TERM").map(|name| name.into_encoded_bytes()));
    let Some(name) = name.filter(|name| !name.is_empty()) else {
        eprintln!("TERM environment variable not set.");
        return Err(1);
    };
    let text = String::from_utf8_lossy(&name);
    Terminal::find(&text).ok_or_else(|| {
        if call.name == "clear" {
            eprintln!("'{text}': unknown terminal type.");
            1
        } else {
            call.fail(3, bytes!("unknown terminal type ", text.as_bytes()))
        }
    })
}

/// Runs `reset` and `tset`: the strings that make a terminal ready; it has no settings to be changed.
pub fn reset(call: &Call) -> i32 {
    let parsed = match options::parse(call, &RESET) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if let Some(status) = without_terminal(call) {
        return status;
    }
    let name = parsed.operands.first().map(Vec::as_slice);
    let found = match terminal(call, name) {
        Ok(found) => found,
        Err(status) => return status,
    };
    let name = name.map(|name| String::from_utf8_lossy(name).into_owned());
    let name = name
        .or_else(|| std::env::var("TERM").ok())
        .unwrap_or_default();
    let mut out = Output::new();
    if parsed.has("q") {
        out.line(&name);
        return out.finish(&call.name, 0, 1);
    }
    if parsed.has("r") {
        eprintln!("Terminal type is {name}.");
    }
    if !parsed.has("I") {
        let text = start(&found, call.name == "reset");
        // Standard output may hold what a shell is to run.
        use std::io::Write as _;
        let _ = std::io::stderr().write_all(&text);
    }
    if parsed.has("s") {
        out.line(format!("TERM={name};"));
    }
    out.finish(&call.name, 0, 1)
}
