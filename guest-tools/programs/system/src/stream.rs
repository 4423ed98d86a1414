//! `ts` and `sponge` of moreutils, and `watch` of procps: what stands at the end of a pipeline or around a command.

use std::io::{BufRead as _, Read as _, Write as _};
use std::time::{Duration, Instant};

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Failure, Spawn, Streams, Time};
use crate::time;

/// Runs `ts`: a time before each line, at the moment it is read, and written at once.
///
/// `-i` is the time since the line before, `-s` since the start. In a format `%.S`, `%.s` and `%.T` have microseconds.
pub fn timestamps(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "usage: ts [-i | -s] [-m] [format]\nAdd a timestamp to the beginning of each line of input.\n",
        options: &[
            Opt("i", "", Value::No),
            Opt("m", "", Value::No),
            Opt("s", "", Value::No),
        ],
        permute: true,
        status: 2,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let relative = parsed.has("i") || parsed.has("s");
    let format = match parsed.operands.first() {
        Some(format) => String::from_utf8_lossy(format).into_owned(),
        None if relative => "%H:%M:%S".to_owned(),
        None => "%b %d %H:%M:%S".to_owned(),
    };
    let zone = time::zone();
    let mut last = Instant::now();
    let mut input = std::io::stdin().lock();
    let mut out = Output::new();
    let mut line = Vec::new();
    loop {
        line.clear();
        match input.read_until(b'\n', &mut line) {
            Ok(0) => break,
            Ok(_) => {}
            Err(error) => return call.fail(1, bytes!("read error: ", Failure::from(error))),
        }
        let now = if relative {
            let passed = last.elapsed();
            if parsed.has("i") {
                last = Instant::now();
            }
            Time {
                seconds: passed.as_secs() as i64,
                nanoseconds: passed.subsec_nanos(),
            }
        } else {
            Time::now()
        };
        let shown = if relative {
            time::local(now, &jiff::tz::TimeZone::UTC)
        } else {
            time::local(now, &zone)
        };
        let micros = now.nanoseconds / 1000;
        let format = format
            .replace("%.S", &format!("%S.{micros:06}"))
            .replace("%.s", &format!("{}.{micros:06}", now.seconds))
            .replace("%.T", &format!("%H:%M:%S.{micros:06}"));
        out.put(bytes!(time::format(&shown, &format), " ", line));
        out.flush();
        if out.is_broken() {
            break;
        }
    }
    out.finish(&call.name, 0, 1)
}

/// Runs `sponge`: writes a file after all input was read, so `sort f | sponge f` works. Without a file it writes to
/// standard output.
pub fn sponge(call: &Call) -> i32 {
    const SYNTAX: Syntax = Syntax {
        usage: "sponge [-a] <file>: soak up all input from stdin and write it to <file>\n",
        options: &[Opt("a", "", Value::No)],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut text = Vec::new();
    if let Err(error) = std::io::stdin().lock().read_to_end(&mut text) {
        return call.fail(
            1,
            bytes!("failed to read from stdin: ", Failure::from(error)),
        );
    }
    let Some(file) = parsed.operands.first() else {
        let mut out = Output::new();
        out.put(text);
        return out.finish(&call.name, 0, 1);
    };
    let written = system::create_file(file, parsed.has("a"))
        .and_then(|mut opened| Ok(opened.write_all(&text)?));
    match written {
        Ok(()) => 0,
        Err(failure) => call.fail(1, bytes!("error opening output file: ", failure)),
    }
}

/// How often `watch` runs its command: there is no terminal to end it from, and a script that
/// waits for it must go on.
const MOST_RUNS: u32 = 10;

/// Runs `watch`: a command again and again, each time with its whole output below a title, and nothing is cleared.
///
/// It ends after ten runs; with status 8 where `-e` is given and the command fails; with 0 where `-g` sees a change, or
/// `-q N` N runs in a row without one.
pub fn watch(call: &Call) -> i32 {
    match watching(call) {
        Ok(status) | Err(status) => status,
    }
}

/// Options of `watch`.
const WATCH: Syntax = Syntax {
    usage: "Usage: watch [options] command\nRun a command again and again, at most ten times in a sandbox.\n",
    options: &[
        Opt("b", "beep", Value::No),
        Opt("c", "color", Value::No),
        Opt("d", "differences", Value::Optional),
        Opt("e", "errexit", Value::No),
        Opt("g", "chgexit", Value::No),
        Opt("q", "equexit", Value::Required),
        Opt("n", "interval", Value::Required),
        Opt("p", "precise", Value::No),
        Opt("t", "no-title", Value::No),
        Opt("w", "no-wrap", Value::No),
        Opt("x", "exec", Value::No),
    ],
    permute: false,
    status: 1,
};

/// Reads the command line and runs it; `Err` is the exit status as well.
fn watching(call: &Call) -> Result<i32, i32> {
    let parsed = options::parse(call, &WATCH)?;
    let invalid = |text: &[u8]| call.fail(1, bytes!("failed to parse argument: '", text, "'"));
    let interval: f64 = match parsed.value("n") {
        None => 2.0,
        Some(text) => options::number(text).ok_or_else(|| invalid(text))?,
    };
    let interval = interval.clamp(0.1, 4_294_967.0);
    let equal: Option<u32> = match parsed.value("q") {
        None => None,
        Some(text) => Some(options::number(text).ok_or_else(|| invalid(text))?),
    };
    if parsed.operands.is_empty() {
        eprint!("{}", WATCH.usage);
        return Err(1);
    }
    let text = parsed.operands.join(&b' ');
    let arguments = if parsed.has("x") {
        parsed.operands.clone()
    } else {
        vec![b"sh".to_vec(), b"-c".to_vec(), text.clone()]
    };
    let failed = |what: &str, failure: Failure| {
        call.fail(1, bytes!(what, " '", arguments[0], "': ", failure))
    };
    let program = system::find_program(&arguments[0], &system::search_path())
        .map_err(|failure| failed("unable to execute", failure))?;
    let mut out = Output::new();
    let mut history = History::default();
    for run in 1..=MOST_RUNS {
        let start = Instant::now();
        let (shown, status) =
            capture(&program, &arguments).map_err(|failure| failed("unable to run", failure))?;
        if !parsed.has("t") {
            out.put(title(interval, &text));
        }
        out.put(&shown);
        out.flush();
        if out.is_broken() {
            break;
        }
        if status != 0 && parsed.has("e") {
            return Ok(out.finish("watch", 8, 1));
        }
        let changed = history.add(shown);
        if (changed && parsed.has("g")) || equal.is_some_and(|equal| history.same >= equal) {
            return Ok(out.finish("watch", 0, 1));
        }
        if run < MOST_RUNS {
            let pause = Duration::from_secs_f64(interval);
            std::thread::sleep(pause.saturating_sub(if parsed.has("p") {
                start.elapsed()
            } else {
                Duration::ZERO
            }));
        }
    }
    call.fail(
        0,
        format!("stopped after {MOST_RUNS} runs: there is no terminal to end it from"),
    );
    Ok(out.finish("watch", 0, 1))
}

/// What stands above the output: the command, the host and the time.
fn title(interval: f64, command: &[u8]) -> Vec<u8> {
    let now = time::format(
        &time::local(Time::now(), &time::zone()),
        "%a %b %e %H:%M:%S %Y",
    );
    let host = system::identity().hostname;
    bytes!(
        format!("Every {interval:.1}s: "),
        command,
        format!("\t{host}: {now}\n\n")
    )
}

/// How the output goes on from run to run.
#[derive(Default)]
struct History {
    before: Option<Vec<u8>>,
    /// How many runs in a row brought nothing new.
    same: u32,
}

impl History {
    /// Adds the output of a run; whether it differs from that of the run before.
    fn add(&mut self, shown: Vec<u8>) -> bool {
        let is_first = self.before.is_none();
        let changed = self.before.as_ref().is_some_and(|before| *before != shown);
        self.same = if changed || is_first {
            0
        } else {
            self.same + 1
        };
        self.before = Some(shown);
        changed
    }
}

/// The output of a command and its status.
fn capture(program: &[u8], arguments: &[Vec<u8>]) -> system::Result<(Vec<u8>, i32)> {
    let (mut reader, writer) = system::pipe()?;
    let pid = system::spawn(&Spawn {
        path: program,
        arguments,
        environment: &system::environment(),
        directory: None,
        streams: Streams {
            output: Some(&writer),
            ..Streams::default()
        },
    })?;
    drop(writer);
    let mut text = Vec::new();
    reader.read_to_end(&mut text)?;
    Ok((text, system::wait(pid)?.status()))
}
