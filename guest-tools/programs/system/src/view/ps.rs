//! `ps`, as procps 4.0.2 prints it.
//!
//! A run reads the command line (`request`), takes the processes that are selected, sorts them or makes a tree of them,
//! and prints columns (`column`). All processes belong to one user and none has a terminal, so `a`, `x`, `-e` and `-A`
//! select what `ps` alone does: everything. What is not counted for each process, as memory and processor time, is 0.
//!
//! The status is 1 where no process was selected.

mod column;
mod request;

use std::cmp::Ordering;
use std::collections::HashMap;

use super::uptime;
use crate::accounts::Accounts;
use crate::calendar::Broken;
use crate::call::Call;
use crate::output::Output;
use crate::system;
use crate::system::{Process, Time};
use column::{BSD, Column, JOBS, LONG, PLAIN, Shown, column};
use request::Request;

/// Whether a process stands still by a signal, by the state in `/proc/PID/stat`.
fn is_stopped(pid: u32) -> bool {
    // One that has just ended does not.
    let stat = system::read_whole(format!("/proc/{pid}/stat").as_bytes()).unwrap_or_default();
    let name = stat.iter().rposition(|&byte| byte == b')');
    name.is_some_and(|end| stat[end..].starts_with(b") T"))
}

/// Where the values of all processes come from.
struct View<'a> {
    accounts: &'a Accounts,
    /// The process of this `ps`, which is the one that runs.
    own: u32,
    /// The moment that ages are counted to.
    now: Time,
}

impl View<'_> {
    /// How many seconds a process is old.
    fn elapsed(&self, process: &Process) -> i64 {
        (self.now.seconds - process.started.seconds).max(0)
    }

    /// When a process started, in a format of `strftime`.
    fn started(&self, process: &Process, format: &str) -> String {
        let started = Broken::from_seconds(process.started.seconds);
        String::from_utf8_lossy(&started.format(format.as_bytes())).into_owned()
    }

    /// What a column says of a process. `prefix` is the indentation of its command in a tree.
    pub(super) fn value(&self, column: &Column, process: &Process, prefix: &str) -> String {
        let own = self.accounts.own();
        let running = process.pid == self.own;
        match column.names[0] {
            "%cpu" | "%mem" => "0.0".to_owned(),
            "args" | "cmd" => format!("{prefix}{}", text(&process.arguments.join(&b' '))),
            "comm" | "ucmd" => format!("{prefix}{}", short(process, 15)),
            "fname" => short(process, 8),
            "class" | "cls" => "TS".to_owned(),
            "cputime" => "00:00:00".to_owned(),
            "bsdtime" => "0:00".to_owned(),
            "egid" | "gid" | "rgid" => own.gid.to_string(),
            "egroup" | "group" | "rgroup" => name(&self.accounts.group(own.gid, false)),
            "etime" => uptime::elapsed(self.elapsed(process)),
            "etimes" => self.elapsed(process).to_string(),
            "euid" | "uid" | "ruid" => own.uid.to_string(),
            "euser" | "user" | "ruser" | "uid_hack" => name(&self.accounts.user(own.uid, false)),
            "lstart" => self.started(process, "%a %b %e %H:%M:%S %Y"),
            "lwp" | "tid" | "pid" => process.pid.to_string(),
            "nlwp" | "thcount" => "1".to_owned(),
            // A sandbox has no sessions and process groups: each process is its own.
            "pgid" | "pgrp" | "sid" | "sess" => process.pid.to_string(),
            "ppid" => process.parent.to_string(),
            "pri" => "19".to_owned(),
            "opri" => "80".to_owned(),
            "s" | "stat" if running => "R".to_owned(),
            "s" | "stat" if is_stopped(process.pid) => "T".to_owned(),
            "s" | "stat" => "S".to_owned(),
            "start" if self.elapsed(process) > 86_400 => self.started(process, "  %b %d"),
            "start" => self.started(process, "%H:%M:%S"),
            "start_time" | "bsdstart" | "stime" => {
                let old = self.elapsed(process) > 86_400;
                self.started(process, if old { "%b%d" } else { "%H:%M" })
            }
            "tname" | "tt" => "?".to_owned(),
            "wchan" | "addr" => "-".to_owned(),
            // What a process holds in memory is not counted for each.
            _ => "0".to_owned(),
        }
    }
}

/// The words of a list, between commas or blanks.
pub(super) fn split(list: &[u8]) -> Vec<Vec<u8>> {
    list.split(|byte| b", ".contains(byte))
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// Bytes as text.
fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

/// The name of the program, cut to a length.
fn short(process: &Process, length: usize) -> String {
    text(process.name()).chars().take(length).collect()
}

/// Names that are longer than their column end in `+`.
fn name(user: &str) -> String {
    if user.chars().count() <= 8 {
        return user.to_owned();
    }
    user.chars().take(7).chain(['+']).collect()
}

/// The processes as a tree in depth-first order, each with what its command is indented by. A process whose parent is
/// not among them is a root.
fn forest(processes: Vec<Process>) -> Vec<(Process, String)> {
    let numbers: Vec<u32> = processes.iter().map(|process| process.pid).collect();
    let mut children: HashMap<u32, Vec<Process>> = HashMap::new();
    for process in processes {
        let root = process.parent == process.pid || !numbers.contains(&process.parent);
        let parent = if root { 0 } else { process.parent };
        children.entry(parent).or_default().push(process);
    }
    let mut stack: Vec<(Process, String, String)> = Vec::new();
    let mut open = |parent: u32, indent: &str, root: bool, stack: &mut Vec<_>| {
        let below = children.remove(&parent).unwrap_or_default();
        let last = below.len().saturating_sub(1);
        let rows = below.into_iter().enumerate().map(|(at, process)| {
            let (own, under) = match (root, at == last) {
                (true, _) => (String::new(), String::new()),
                (false, true) => (format!("{indent} \\_ "), format!("{indent}    ")),
                (false, false) => (format!("{indent} \\_ "), format!("{indent} |  ")),
            };
            (process, own, under)
        });
        let mut rows: Vec<_> = rows.collect();
        rows.reverse();
        stack.extend(rows);
    };
    open(0, "", true, &mut stack);
    let mut all = Vec::new();
    while let Some((process, own, under)) = stack.pop() {
        open(process.pid, &under, false, &mut stack);
        all.push((process, own));
    }
    all
}

/// Runs `ps`: the processes of the sandbox.
pub fn ps(call: &Call) -> i32 {
    let request = match Request::read(&call.arguments) {
        Ok(request) => request,
        Err(status) => return status,
    };
    let accounts = Accounts::new();
    let view = View {
        own: accounts.own().pid,
        accounts: &accounts,
        now: Time::now(),
    };
    let (lines, found) = print(request, system::processes(), &view, pid_width());
    let mut out = Output::new();
    for line in &lines {
        out.line(line);
    }
    out.finish(&call.name, i32::from(!found), 1)
}

/// How wide process numbers are: as many digits as `pid_max` less one has, and at least 5.
fn pid_width() -> usize {
    let most = std::fs::read_to_string("/proc/sys/kernel/pid_max").unwrap_or_default();
    let most: u32 = most.trim().parse().unwrap_or(1 << 22);
    (most - 1).to_string().len().max(5)
}

/// The lines of the output, and whether there is any process.
fn print(
    mut request: Request,
    processes: Vec<Process>,
    view: &View,
    pid_width: usize,
) -> (Vec<String>, bool) {
    if request.columns.is_empty() {
        let format = match request.format {
            Some(format) => format,
            None if request.bsd => BSD,
            None => PLAIN,
        };
        for name in format.split(',') {
            let (name, title) = name.split_once('=').unwrap_or((name, ""));
            if let Some(found) = column(name) {
                let title = if title.is_empty() { found.title } else { title };
                request.columns.push(Shown {
                    column: found,
                    title: title.to_owned(),
                });
            }
        }
        // In the short formats the command's name alone is shown.
        if matches!(format, PLAIN | LONG | JOBS)
            && let (Some(last), Some(found)) = (request.columns.last_mut(), column("ucmd"))
        {
            last.column = found;
        }
    }
    let own = view.accounts.own();
    let user = view.accounts.user(own.uid, false);
    let mut chosen: Vec<Process> = processes
        .into_iter()
        .filter(|process| request.selects(process, &user, own.uid))
        .collect();
    if !request.sort.is_empty() {
        chosen.sort_by(|a, b| order(&request.sort, view, a, b));
    }
    let rows: Vec<(Process, String)> = if request.forest {
        forest(chosen)
    } else {
        chosen.into_iter().map(|row| (row, String::new())).collect()
    };
    let mut lines = Vec::new();
    let titled = request.columns.iter().any(|shown| !shown.title.is_empty());
    if titled && !request.headless {
        let titles = request.columns.iter().map(|shown| shown.title.clone());
        lines.push(line(&request.columns, titles, pid_width));
    }
    for (process, prefix) in &rows {
        let values = request
            .columns
            .iter()
            .map(|shown| view.value(shown.column, process, prefix));
        lines.push(line(&request.columns, values, pid_width));
    }
    (lines, !rows.is_empty())
}

/// The order of two processes by the keys of `--sort`: as numbers where both values are, else as text.
fn order(keys: &[(bool, &Column)], view: &View, a: &Process, b: &Process) -> Ordering {
    for (down, column) in keys {
        let (x, y) = (view.value(column, a, ""), view.value(column, b, ""));
        let found = match (x.parse::<f64>(), y.parse::<f64>()) {
            (Ok(x), Ok(y)) => x.total_cmp(&y),
            _ => x.cmp(&y),
        };
        let found = if *down { found.reverse() } else { found };
        if found != Ordering::Equal {
            return found;
        }
    }
    Ordering::Equal
}

/// A line of values in columns. A value that is too long pushes the others to the right, and the padding of those
/// behind it makes up for that.
fn line(columns: &[Shown], values: impl Iterator<Item = String>, pid_width: usize) -> String {
    let mut line = String::new();
    let last = columns.len() - 1;
    // How far a long value has pushed the rest to the right; padding makes up for it.
    let mut pushed = 0;
    for (at, (shown, value)) in columns.iter().zip(values).enumerate() {
        let column = shown.column;
        let mut width = match column.width {
            0 => pid_width,
            width => width,
        };
        if shown.title != column.title {
            width = width.max(shown.title.chars().count());
        }
        let padded = width.saturating_sub(pushed);
        pushed = (pushed + value.chars().count()).saturating_sub(width);
        if column.right {
            line.push_str(&format!("{value:>padded$}"));
        } else if at == last {
            line.push_str(&value);
        } else {
            line.push_str(&format!("{value:<padded$}"));
        }
        if at < last {
            line.push(' ');
        }
    }
    line
}

#[cfg(test)]
mod tests {
    use super::*;

    fn process(pid: u32, parent: u32, words: &[&str]) -> Process {
        Process {
            pid,
            parent,
            started: Time {
                seconds: 1_700_000_000 + i64::from(pid),
                nanoseconds: 0,
            },
            arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
        }
    }

    /// The lines of `ps` with the words of `arguments`, for a shell with two children.
    fn ps(arguments: &str) -> Result<Vec<String>, i32> {
        let accounts = Accounts::new();
        let view = View {
            own: 4,
            accounts: &accounts,
            now: Time {
                seconds: 1_700_000_064,
                nanoseconds: 0,
            },
        };
        let words: Vec<Vec<u8>> = arguments
            .split_whitespace()
            .map(|word| word.as_bytes().to_vec())
            .collect();
        let processes = vec![
            process(2, 1, &["bash", "-c", "x"]),
            process(3, 2, &["/usr/bin/sleep", "300"]),
            process(4, 2, &["ps"]),
        ];
        Ok(print(Request::read(&words)?, processes, &view, 5).0)
    }

    /// Recorded from procps 4.0.2 with other numbers.
    #[test]
    fn prints_as_procps_does() {
        let cases: &[(&str, &[&str])] = &[
            (
                "-p 3",
                &[
                    "  PID TTY          TIME CMD",
                    "    3 ?        00:00:00 sleep",
                ],
            ),
            (
                "-f -p 3",
                &[
                    "UID        PID  PPID  C STIME TTY          TIME CMD",
                    "root         3     2  0 22:13 ?        00:00:00 /usr/bin/sleep 300",
                ],
            ),
            (
                "u 3",
                &[
                    "USER       PID %CPU %MEM    VSZ   RSS TTY      STAT START   TIME COMMAND",
                    "root         3  0.0  0.0      0     0 ?        S    22:13   0:00 /usr/bin/sleep 300",
                ],
            ),
            (
                "-l -p 3",
                &[
                    "F S   UID   PID  PPID  C PRI  NI ADDR SZ WCHAN  TTY          TIME CMD",
                    "0 S     0     3     2  0  80   0 -     0 -      ?        00:00:00 sleep",
                ],
            ),
            ("-o pid=X,comm= -p 3", &["    X ", "    3 sleep"]),
            ("-o pid= -o comm= -p 3", &["    3 sleep"]),
            (
                "-eo pid,ppid,comm --sort=-pid",
                &[
                    "  PID  PPID COMMAND",
                    "    4     2 ps",
                    "    3     2 sleep",
                    "    2     1 bash",
                ],
            ),
            (
                "-C sleep -o pid,etime,lstart,args",
                &[
                    "  PID     ELAPSED                  STARTED COMMAND",
                    "    3       01:01 Tue Nov 14 22:13:23 2023 /usr/bin/sleep 300",
                ],
            ),
            (
                "xf -o pid,args",
                &[
                    "  PID COMMAND",
                    "    2 bash -c x",
                    "    3  \\_ /usr/bin/sleep 300",
                    "    4  \\_ ps",
                ],
            ),
            ("-p 99 --no-headers", &[]),
            ("-N -p 3,4 -o pid=", &["    2"]),
            ("--ppid 2 -o s=", &["S", "R"]),
        ];
        for (arguments, expected) in cases {
            let found = ps(arguments).unwrap_or_default();
            assert_eq!(found, *expected, "{arguments}");
        }
        for arguments in ["-o foo", "xyz", "--foo", "-p a", "-Y"] {
            assert_eq!(ps(arguments), Err(1), "{arguments}");
        }
    }
}
