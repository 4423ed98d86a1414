//! `jobs`, `fg`, `bg`, `disown`, `suspend` (the manual's Job Control Builtins).
//!
//! A job is a pipeline of tasks. A word means one by number (`%1`), as the current or previous one (`%%`, `%+`, `%-`),
//! by how its text begins (`%make`), or by what is in it (`%?make`); a text that fits several means none. `fg` and `bg`
//! need `set -m`.

use super::letters::{Letters, integer, none};
use super::{Context, Flow, Pending, Wake, synopsis, wait};
use crate::machine::job::Job;
use crate::machine::option::SetOption;
use crate::machine::trap;
use crate::text::Text;

/// The number of the job that a word such as `%1`, `%%`, `%-` or `%name` means.
pub(super) fn find(cx: &Context<'_>, word: &[u8]) -> Option<u32> {
    let (current, previous) = cx.jobs().current();
    let spec = word.strip_prefix(b"%").unwrap_or(word);
    match spec {
        b"" | b"%" | b"+" => return current,
        b"-" => return previous.or(current),
        _ => {}
    }
    if let Some(number) = integer(spec) {
        let number = u32::try_from(number).ok()?;
        return cx.jobs().get(number).map(|job| job.number);
    }
    let mut found = cx.jobs().list().iter().filter(|job| fits(job, spec));
    let first = found.next()?;
    found.next().is_none().then_some(first.number)
}

/// Whether the text of a job is what `name` or `?name` says.
fn fits(job: &Job, spec: &[u8]) -> bool {
    match spec.strip_prefix(b"?") {
        Some(inside) => {
            let mut parts = job.text.windows(inside.len().max(1));
            parts.any(|part| part == inside)
        }
        None => job.text.starts_with(spec),
    }
}

/// Says that a word means no job, or several; `shown` is what messages call it.
pub(super) fn not_found(cx: &mut Context<'_>, word: &[u8], shown: &[u8]) {
    let spec = word
        .strip_prefix(b"%")
        .filter(|spec| integer(spec).is_none());
    let spec = spec.filter(|spec| !matches!(*spec, b"" | b"%" | b"+" | b"-"));
    match spec {
        Some(spec) if cx.jobs().list().iter().any(|job| fits(job, spec)) => {
            let name = spec.strip_prefix(b"?").unwrap_or(spec);
            cx.error_about(name, "ambiguous job spec");
            if matches!(cx.name(), b"jobs" | b"disown") {
                // These say both.
                cx.error_about(shown, "no such job");
            }
        }
        _ => cx.error_about(shown, "no such job"),
    }
}

/// The job that a process number or a job specification means.
fn find_any(cx: &Context<'_>, word: &[u8]) -> Option<u32> {
    if word.starts_with(b"%") {
        return find(cx, word);
    }
    let pid = integer(word).and_then(|number| u32::try_from(number).ok())?;
    cx.jobs().of_pid(pid).map(|job| job.number)
}

/// What `jobs` shows, and how.
#[derive(Default)]
struct Style {
    /// `-l`: with process numbers.
    long: bool,
    /// `-p`: process numbers alone.
    pids: bool,
    /// Only running (true) or only stopped ones.
    running: Option<bool>,
    /// `-n`: only those that have ended and were not reported.
    new: bool,
}

/// Runs `jobs`. A subshell without jobs of its own lists those of the shell that started it.
pub(super) fn jobs(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let around = cx.jobs().list().is_empty();
    if around {
        cx.jobs_mut().exchange();
    }
    let flow = list(cx, arguments);
    if around {
        cx.jobs_mut().exchange();
    }
    flow
}

/// Reads the options and lists jobs.
fn list(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("lnprsx", arguments);
    let mut style = Style::default();
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'l' => style.long = true,
                b'p' => style.pids = true,
                b'r' => style.running = Some(true),
                b's' => style.running = Some(false),
                b'n' => style.new = true,
                _ => return execute(cx, letters.operands()),
            },
            Err(flow) => return flow,
        }
    }
    let mut status = 0;
    let mut numbers = Vec::new();
    for word in letters.operands() {
        match find_any(cx, word) {
            Some(number) => numbers.push(number),
            None => {
                not_found(cx, word, word);
                status = 1;
            }
        }
    }
    if letters.operands().is_empty() {
        numbers = cx.jobs().list().iter().map(|job| job.number).collect();
    }
    for number in numbers {
        show(cx, number, &style);
    }
    Flow::Status(status)
}

/// `jobs -x COMMAND`: job specifications among the words become process numbers.
fn execute(cx: &mut Context<'_>, words: &[Text]) -> Flow {
    let words: Vec<Text> = words
        .iter()
        .map(|word| {
            let number = word.starts_with(b"%").then(|| find(cx, word)).flatten();
            let job = number.and_then(|number| cx.jobs().get(number));
            job.map_or_else(|| word.clone(), |job| Text::from(i64::from(job.pid())))
        })
        .collect();
    if words.is_empty() {
        return Flow::Status(0);
    }
    Flow::Run {
        words,
        lookup: super::Lookup::NoFunctions,
    }
}

/// Shows a job, if it is wanted; one that has ended is shown once and then forgotten.
fn show(cx: &mut Context<'_>, number: u32, style: &Style) {
    let Some(job) = cx.jobs().get(number).cloned() else {
        return;
    };
    let ended = job.status();
    let wanted = match style.running {
        None => !style.new || ended.is_some() && !job.reported,
        Some(true) => job.is_running(),
        Some(false) => job.stopped.is_some(),
    };
    if !wanted || ended.is_some() && job.reported {
        return;
    }
    if style.pids {
        let pid = job.processes.first().map_or(0, |process| process.pid);
        cx.out(format!("{pid}\n"));
        return;
    }
    if let Some(line) = cx.jobs().line(number, style.long) {
        cx.out(line);
    }
    if ended.is_some() {
        cx.jobs_mut().remove(number);
    } else if job.stopped.is_some()
        && let Some(job) = cx.jobs_mut().get_mut(number)
    {
        job.reported = true;
    }
}

/// Runs `fg`: continues a job and waits for it.
pub(super) fn foreground(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let number = match controlled(cx, arguments) {
        Ok(number) => number,
        Err(flow) => return flow,
    };
    let Some(job) = cx.jobs().get(number).cloned() else {
        return Flow::Status(1);
    };
    cx.out([job.text.as_bytes(), b"\n"].concat());
    signal(cx, number, trap::CONTINUE);
    match cx.controls_jobs() {
        true => Flow::Foreground(number),
        false => wait::for_job(cx, number),
    }
}

/// Runs `bg`: continues a stopped job.
pub(super) fn background(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let number = match controlled(cx, arguments) {
        Ok(number) => number,
        Err(flow) => return flow,
    };
    let Some(job) = cx.jobs().get(number).cloned() else {
        return Flow::Status(1);
    };
    if job.stopped.is_none() {
        cx.error(format!("job {number} already in background"));
        return Flow::Status(0);
    }
    signal(cx, number, trap::CONTINUE);
    let mark = match cx.jobs().current() {
        (Some(current), _) if current == number => '+',
        _ => '-',
    };
    let mut line = format!("[{number}]{mark} ").into_bytes();
    line.extend_from_slice(&job.text);
    line.extend_from_slice(b" &\n");
    cx.out(line);
    Flow::Status(0)
}

/// Sends a signal to the processes of a job; whether one of them got it. A job that stands still
/// goes on where it is to end.
pub(super) fn signal(cx: &mut Context<'_>, number: u32, signal: u8) -> bool {
    let Some(job) = cx.jobs().get(number).cloned() else {
        return false;
    };
    let ends = matches!(signal, trap::HANGUP | trap::TERMINATE) && job.stopped.is_some();
    let moves = ends || matches!(signal, trap::CONTINUE | trap::KILL);
    let mut sent = false;
    // Each is the leader of what it started, where jobs are controlled.
    let whole = cx.on(SetOption::Monitor);
    let kill = |cx: &mut Context<'_>, pid, signal| match whole {
        true => cx.kill_group(pid, signal),
        false => cx.kill(pid, signal),
    };
    for process in job.processes.iter().filter(|one| one.status.is_none()) {
        sent |= kill(cx, process.pid, signal).is_ok();
        if ends {
            let _ = kill(cx, process.pid, trap::CONTINUE);
        }
        if moves {
            cx.jobs_mut().pause(process.pid, None);
        }
    }
    sent
}

/// The job that `fg` and `bg` work on.
fn controlled(cx: &mut Context<'_>, arguments: &[Text]) -> Result<u32, Flow> {
    if !cx.on(SetOption::Monitor) {
        cx.error("no job control");
        return Err(Flow::Status(1));
    }
    let operands = none(cx, arguments)?;
    let word = operands
        .first()
        .map_or(b"%%".as_slice(), |word| word.as_bytes());
    find(cx, word).ok_or_else(|| {
        let shown = operands
            .first()
            .map_or(b"current".as_slice(), |word| word.as_bytes());
        not_found(cx, word, shown);
        Flow::Status(1)
    })
}

/// Runs `disown`: forgets jobs.
pub(super) fn disown(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("ahr", arguments);
    let (mut all, mut keep, mut running) = (false, false, false);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'a' => all = true,
                b'h' => keep = true,
                _ => running = true,
            },
            Err(flow) => return flow,
        }
    }
    let operands = letters.operands();
    if operands.is_empty() && (all || running) {
        let list = cx.jobs().list().iter();
        let wanted = list.filter(|job| !running || job.status().is_none());
        for number in wanted.map(|job| job.number).collect::<Vec<_>>() {
            if !keep {
                cx.jobs_mut().remove(number);
            }
        }
        return Flow::Status(0);
    }
    let current = [Text::from(b"%%")];
    let words = if operands.is_empty() {
        &current
    } else {
        operands
    };
    let mut status = 0;
    for word in words {
        match find_any(cx, word) {
            // With -h a job stays; no signal is sent at the end anyway.
            Some(_) if keep => {}
            Some(number) => cx.jobs_mut().remove(number),
            None => {
                let shown = if operands.is_empty() {
                    b"current".as_slice()
                } else {
                    word
                };
                not_found(cx, word, shown);
                status = 1;
            }
        }
    }
    Flow::Status(status)
}

/// Runs `suspend`: stops the shell itself.
pub(super) fn suspend(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("f", arguments);
    let mut force = false;
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(_)) => force = true,
            Err(flow) => return flow,
        }
    }
    if !letters.operands().is_empty() {
        return synopsis::usage(cx);
    }
    if !force && !cx.on(SetOption::Monitor) {
        cx.error("cannot suspend: no job control");
        return Flow::Status(1);
    }
    let pid = cx.state().pid;
    Flow::Status(u8::from(cx.kill(pid, trap::STOP).is_err()))
}

/// Waits until any job changes.
pub(super) fn until_change(pending: Pending) -> Flow {
    Flow::Wait(vec![Wake::Jobs], pending)
}
