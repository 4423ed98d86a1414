//! `time`, as GNU time has it: how long a command takes.
//!
//! The wall clock is measured; processor time, memory and everything else are not counted in a sandbox and are 0. The
//! report goes to standard error or to `-o`, behind what the command printed, and the status is the command's.

use std::io::Write as _;
use std::time::Instant;

use crate::call::Call;
use crate::launch::finish;
use crate::options::{self, Opt, Syntax, Value};
use crate::system::{self, Failure};
use offshoot_command::launch::start;

/// What `-v` prints.
const VERBOSE: &str = "\
\tCommand being timed: \"%C\"
\tUser time (seconds): %U
\tSystem time (seconds): %S
\tPercent of CPU this job got: %P
\tElapsed (wall clock) time (h:mm:ss or m:ss): %E
\tAverage shared text size (kbytes): %X
\tAverage unshared data size (kbytes): %D
\tAverage stack size (kbytes): %p
\tAverage total size (kbytes): %K
\tMaximum resident set size (kbytes): %M
\tAverage resident set size (kbytes): %t
\tMajor (requiring I/O) page faults: %F
\tMinor (reclaiming a frame) page faults: %R
\tVoluntary context switches: %w
\tInvoluntary context switches: %c
\tSwaps: %W
\tFile system inputs: %I
\tFile system outputs: %O
\tSocket messages sent: %s
\tSocket messages received: %r
\tSignals delivered: %k
\tPage size (bytes): %Z
\tExit status: %x";

/// Runs `time`: how long a command takes; processor time and memory are not counted in a sandbox.
pub fn time(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "Usage: time [-apvV] [-f format] [-o file] command [arg...]\n",
        options: &[
            Opt("a", "append", Value::No),
            Opt("f", "format", Value::Required),
            Opt("o", "output", Value::Required),
            Opt("p", "portability", Value::No),
            Opt("q", "quiet", Value::No),
            Opt("v", "verbose", Value::No),
        ],
        permute: false,
        status: 125,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    if parsed.operands.is_empty() {
        return options::usage_error(call, &SYNTAX, "missing operand");
    }
    let begin = Instant::now();
    let status = finish(
        call,
        start(call, &parsed.operands, &system::environment(), None),
    );
    let elapsed = begin.elapsed().as_secs_f64();
    let default = "%Uuser %Ssystem %Eelapsed %PCPU (%Xavgtext+%Davgdata %Mmaxresident)k\n%Iinputs+%Ooutputs (%Fmajor+%Rminor)pagefaults %Wswaps";
    let format = match parsed.value("f") {
        Some(format) => String::from_utf8_lossy(format).into_owned(),
        None if parsed.has("p") => "real %e\nuser %U\nsys %S".to_owned(),
        None if parsed.has("v") => VERBOSE.to_owned(),
        None => default.to_owned(),
    };
    let mut text = Vec::new();
    if status != 0 && !parsed.has("q") && !parsed.has("p") {
        text.extend(format!("Command exited with non-zero status {status}\n").into_bytes());
    }
    text.extend(timing(&format, elapsed, status, &parsed.operands));
    let written = match parsed.value("o") {
        Some(path) => system::create_file(path, parsed.has("a"))
            .and_then(|mut file| file.write_all(&text).map_err(Failure::from)),
        None => std::io::stderr().write_all(&text).map_err(Failure::from),
    };
    match written {
        Ok(()) => status,
        Err(failure) => call.fail(125, failure),
    }
}

/// A format with its letters replaced, and a newline: `%e` seconds, `%E` minutes and seconds, `%x` status, `%C`
/// command, the others 0. An unknown letter is `?` and itself; `\n` and `\t` are escapes.
fn timing(format: &str, elapsed: f64, status: i32, command: &[Vec<u8>]) -> Vec<u8> {
    let mut out = Vec::new();
    let mut letters = format.chars();
    while let Some(letter) = letters.next() {
        match (letter, letter == '%' || letter == '\\') {
            ('%', _) => match letters.next() {
                Some('e') => out.extend(format!("{elapsed:.2}").into_bytes()),
                Some('E') => {
                    let minutes = (elapsed / 60.0).floor();
                    let seconds = elapsed - minutes * 60.0;
                    out.extend(format!("{minutes}:{seconds:05.2}").into_bytes());
                }
                Some('x') => out.extend(status.to_string().into_bytes()),
                Some('C') => out.extend(command.join(&b' ')),
                Some('U' | 'S') => out.extend_from_slice(b"0.00"),
                Some('P') => out.extend_from_slice(b"0%"),
                Some('%') => out.push(b'%'),
                Some('Z') => out.extend_from_slice(b"4096"),
                Some(
                    'D' | 'F' | 'I' | 'K' | 'M' | 'O' | 'R' | 'W' | 'X' | 'c' | 'k' | 'p' | 'r'
                    | 's' | 't' | 'w',
                ) => {
                    out.push(b'0');
                }
                Some(other) => out.extend(format!("?{other}").into_bytes()),
                None => out.push(b'?'),
            },
            (_, true) => match letters.next() {
                Some('n') => out.push(b'\n'),
                Some('t') => out.push(b'\t'),
                Some(other) => out.extend(format!("\\{other}").into_bytes()),
                None => out.push(b'\\'),
            },
            (other, false) => {
                let mut buffer = [0; 4];
                out.extend_from_slice(other.encode_utf8(&mut buffer).as_bytes());
            }
        }
    }
    out.push(b'\n');
    out
}
