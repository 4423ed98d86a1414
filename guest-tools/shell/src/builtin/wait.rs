//! `wait`.
//!
//! A `wait` is a value that looks at the list of jobs whenever one changes (`resume`), and answers with another wait or
//! the end.
//!
//! | call | returns |
//! |---|---|
//! | `wait` | 0, when no job runs |
//! | `wait PID…`, `wait %1` | the status of the last one; 127 for what is no child |
//! | `wait -n [-p V] [PID…]` | the status of the first that ends, its number in `V`; 127 where there is none |

use super::letters::{Letters, integer, invalid_identifier};
use super::{Context, Flow, Pending, job};
use crate::codec::{record, variants};
use crate::os::Pid;
use crate::text::Text;

/// A `wait` under way.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Waiting {
    /// What is waited for.
    what: What,
    /// `-p`
    variable: Option<Text>,
}

#[derive(Debug, Clone, PartialEq, Eq)]
enum What {
    /// Until no job runs.
    All,
    /// For these, in order; the status of the last one counts.
    Each { targets: Vec<Target>, status: u8 },
    /// For the first of these to end; of any job where there are none.
    Any(Vec<Pid>),
}

/// A process that is waited for.
#[derive(Debug, Clone, PartialEq, Eq)]
struct Target {
    /// Its number.
    pid: Pid,
    /// Forgotten once it has ended.
    job: Option<u32>,
    /// It was named as a job: bash says where that stands still.
    named: bool,
}

record!(Waiting { what, variable });
variants!(What { 0 All, 1 Each { targets, status }, 2 Any(pids) });
record!(Target { pid, job, named });

/// The status for what is no child of this shell.
const UNKNOWN: u8 = 127;

/// Runs `wait`.
pub(super) fn run(cx: &mut Context<'_>, arguments: &[Text]) -> Flow {
    let mut letters = Letters::new("fnp:", arguments);
    let (mut any, mut variable) = (false, None);
    loop {
        match letters.next(cx) {
            Ok(None) => break,
            Ok(Some(given)) => match given.letter {
                b'n' => any = true,
                b'p' => variable = given.value.map(Text::from),
                _ => {}
            },
            Err(flow) => return flow,
        }
    }
    if let Some(name) = &variable {
        if !cx.is_reference(name, cx.takes_expanded()) {
            invalid_identifier(cx, name);
            return Flow::Status(1);
        }
        if cx.unset(name, false).is_err() {
            return Flow::Status(1);
        }
    }
    let operands = letters.operands();
    let what = if operands.is_empty() {
        if any {
            What::Any(Vec::new())
        } else {
            What::All
        }
    } else {
        let (targets, status) = targets(cx, operands, any);
        if any {
            if targets.is_empty() {
                return Flow::Status(status);
            }
            What::Any(targets.into_iter().map(|target| target.pid).collect())
        } else {
            What::Each { targets, status }
        }
    };
    Waiting { what, variable }.resume(cx)
}

/// What the operands mean, and the status where the last one means nothing.
fn targets(cx: &mut Context<'_>, operands: &[Text], any: bool) -> (Vec<Target>, u8) {
    let mut found = Vec::new();
    let mut status = 0;
    for word in operands {
        match target(cx, word, any) {
            Ok(target) => {
                found.push(target);
                status = 0;
            }
            Err(failed) => status = failed,
        }
    }
    (found, status)
}

/// The process that a word means, or the status where it means none.
fn target(cx: &mut Context<'_>, word: &Text, any: bool) -> Result<Target, u8> {
    if word.starts_with(b"%") {
        let job = job::find(cx, word).and_then(|number| cx.jobs().get(number));
        return match job {
            Some(job) => Ok(Target {
                pid: job.pid(),
                job: Some(job.number),
                named: true,
            }),
            None => {
                job::not_found(cx, word, word);
                Err(UNKNOWN)
            }
        };
    }
    let digits = !word.is_empty() && word.iter().all(u8::is_ascii_digit);
    let Some(number) = integer(word).filter(|_| digits) else {
        let quoted = [b"`".as_slice(), word, b"'"].concat();
        cx.error_about(&quoted, "not a pid or valid job spec");
        return Err(1);
    };
    let pid = Pid::try_from(number).unwrap_or(0);
    let job = cx.jobs().of_pid(pid).map(|job| job.number);
    let substitution = cx.jobs().is_substitution(pid);
    if job.is_some() || !any && (substitution || cx.jobs().ended(pid).is_some()) {
        let named = false;
        return Ok(Target { pid, job, named });
    }
    if any {
        cx.error_about(word, "no such job");
    } else {
        cx.error(format!("pid {number} is not a child of this shell"));
    }
    Err(UNKNOWN)
}

/// Waits for one job; its status is the command's.
pub(super) fn for_job(cx: &mut Context<'_>, number: u32) -> Flow {
    let pid = cx.jobs().get(number).map_or(0, |job| job.pid());
    let target = Target {
        pid,
        job: Some(number),
        named: true,
    };
    let what = What::Each {
        targets: vec![target],
        status: 0,
    };
    Waiting {
        what,
        variable: None,
    }
    .resume(cx)
}

impl Waiting {
    /// Looks again at what is waited for.
    pub(super) fn resume(mut self, cx: &mut Context<'_>) -> Flow {
        cx.machine.reap_coprocesses(cx.task);
        let ended = match &mut self.what {
            What::All => wait_for_all(cx),
            What::Each { targets, status } => wait_for_each(cx, targets, *status),
            What::Any(pids) => wait_for_any(cx, pids),
        };
        let Some((pid, status)) = ended else {
            return job::until_change(Pending::Wait(Box::new(self)));
        };
        if let (Some(name), Some(pid)) = (&self.variable, pid)
            && cx.set(name, Text::from(i64::from(pid))).is_err()
        {
            return Flow::Status(1);
        }
        Flow::Status(status)
    }
}

/// The process whose status counts, and its status.
type Ended = (Option<Pid>, u8);

/// Whether no job runs any more; what has ended is forgotten then.
fn wait_for_all(cx: &mut Context<'_>) -> Option<Ended> {
    let last = cx.state().background;
    if cx.jobs().any_running() || last.is_some_and(|pid| cx.jobs().is_substitution(pid)) {
        return None;
    }
    let told = cx.controls_jobs();
    for job in cx.jobs().list().to_vec() {
        match job.stopped {
            // The user hears of it before the next prompt.
            None if told => {}
            None => cx.jobs_mut().remove(job.number),
            Some(_) => {
                let (number, pid) = (job.number, job.pid());
                cx.error(format!("warning: job {number}[{pid}] stopped"));
            }
        }
    }
    while cx.jobs_mut().take_ended(|_| true).is_some() {}
    Some((None, 0))
}

/// The status of the last target, when all have ended. `last` is not 0 where the last operand meant no process, and is
/// the result then: `wait $! %9` is 127.
fn wait_for_each(cx: &mut Context<'_>, targets: &mut [Target], last: u8) -> Option<Ended> {
    let mut result = (None, last);
    for target in targets.iter() {
        let status = match target.job.and_then(|number| cx.jobs().get(number)) {
            // The status of the job's last process; a job has ended when all have.
            Some(job) if job.pid() == target.pid => job.status().or_else(|| stopped(cx, target)),
            _ => cx.jobs().ended(target.pid),
        };
        let status = status.or_else(|| {
            let known = cx.jobs().of_pid(target.pid).is_some();
            if known || cx.jobs().is_substitution(target.pid) {
                None
            } else {
                cx.jobs().ended(target.pid).or(Some(UNKNOWN))
            }
        })?;
        result = (Some(target.pid), if last == 0 { status } else { last });
    }
    for target in targets.iter() {
        cx.jobs_mut().forget_ended(target.pid);
        let over = |number: &u32| {
            cx.jobs()
                .get(*number)
                .is_some_and(|job| job.status().is_some())
        };
        if let Some(number) = target.job.filter(over)
            && !cx.controls_jobs()
        {
            cx.jobs_mut().remove(number);
        }
    }
    Some(result)
}

/// The status of a job that stands still, which is not waited for.
fn stopped(cx: &mut Context<'_>, target: &Target) -> Option<u8> {
    let number = target.job?;
    let signal = cx.jobs().get(number)?.stopped?;
    if target.named {
        cx.shell_error(format!("warning: wait_for_job: job {number} is stopped"));
    }
    Some(128 + signal)
}

/// The first process that has ended, or 127 where none of them runs.
fn wait_for_any(cx: &mut Context<'_>, pids: &[Pid]) -> Option<Ended> {
    let last =
        |pid: Pid, cx: &Context<'_>| cx.jobs().of_pid(pid).is_none_or(|job| job.pid() == pid);
    let ready: Vec<Pid> = cx
        .jobs()
        .list()
        .iter()
        .filter(|job| job.status().is_some())
        .map(|job| job.pid())
        .collect();
    let wanted = |pid: Pid| (pids.is_empty() || pids.contains(&pid)) && ready.contains(&pid);
    if let Some((pid, status)) = cx.jobs_mut().take_ended(wanted) {
        if last(pid, cx)
            && let Some(number) = cx.jobs().of_pid(pid).map(|job| job.number)
        {
            cx.jobs_mut().remove(number);
        }
        return Some((Some(pid), status));
    }
    let runs = match pids {
        [] => cx.jobs().any_running(),
        pids => pids.iter().any(|pid| {
            cx.jobs()
                .of_pid(*pid)
                .is_some_and(|job| job.status().is_none())
        }),
    };
    (!runs).then_some((None, UNKNOWN))
}
