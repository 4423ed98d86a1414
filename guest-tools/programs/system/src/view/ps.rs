//! `ps`, as procps prints it.

use std::cmp::Ordering;
use std::collections::HashMap;

use super::uptime;
use crate::accounts::Accounts;
use crate::calendar::Broken;
use crate::call::{Call, bytes};
use crate::options;
use crate::output::Output;
use crate::quote;
use crate::system::{self, Process, Time};

/// How a column is laid out.
struct Column {
    /// The names under which `-o` knows it.
    names: &'static [&'static str],
    title: &'static str,
    width: usize,
    right: bool,
}

const fn left(names: &'static [&'static str], title: &'static str, width: usize) -> Column {
    Column {
        names,
        title,
        width,
        right: false,
    }
}

const fn right(names: &'static [&'static str], title: &'static str, width: usize) -> Column {
    Column {
        names,
        title,
        width,
        right: true,
    }
}

/// The columns; a width of 0 is that of a process number.
const COLUMNS: &[Column] = &[
    right(&["%cpu", "pcpu"], "%CPU", 4),
    right(&["%mem", "pmem"], "%MEM", 4),
    left(&["args", "command"], "COMMAND", 27),
    left(&["cmd"], "CMD", 27),
    left(&["comm", "ucomm"], "COMMAND", 15),
    left(&["ucmd"], "CMD", 15),
    left(&["fname"], "COMMAND", 8),
    right(&["c"], "C", 2),
    left(&["class"], "CLS", 3),
    right(&["cls"], "CLS", 3),
    right(&["cputime", "time"], "TIME", 8),
    right(&["bsdtime"], "TIME", 6),
    right(&["egid"], "EGID", 5),
    left(&["egroup"], "EGROUP", 8),
    right(&["etime"], "ELAPSED", 11),
    right(&["etimes"], "ELAPSED", 7),
    right(&["euid"], "EUID", 5),
    left(&["euser"], "EUSER", 8),
    left(&["f", "flag", "flags"], "F", 1),
    right(&["gid"], "GID", 5),
    left(&["group"], "GROUP", 8),
    right(&["lstart"], "STARTED", 24),
    right(&["lwp"], "LWP", 0),
    right(&["tid"], "TID", 0),
    right(&["ni", "nice"], "NI", 3),
    right(&["nlwp"], "NLWP", 4),
    right(&["pgid"], "PGID", 0),
    right(&["pgrp"], "PGRP", 0),
    right(&["pid"], "PID", 0),
    right(&["ppid"], "PPID", 0),
    right(&["pri"], "PRI", 3),
    right(&["opri"], "PRI", 3),
    right(&["psr"], "PSR", 3),
    right(&["rgid"], "RGID", 5),
    left(&["rgroup"], "RGROUP", 8),
    right(&["rss", "rssize"], "RSS", 5),
    right(&["ruid"], "RUID", 5),
    left(&["ruser"], "RUSER", 8),
    left(&["s", "state"], "S", 1),
    right(&["sess"], "SESS", 0),
    right(&["sid"], "SID", 0),
    right(&["size"], "SIZE", 5),
    right(&["start"], "STARTED", 8),
    right(&["start_time"], "START", 5),
    right(&["bsdstart"], "START", 6),
    left(&["stat"], "STAT", 4),
    right(&["stime"], "STIME", 5),
    right(&["sz"], "SZ", 5),
    right(&["thcount"], "THCNT", 5),
    left(&["tname"], "TTY", 8),
    left(&["tt", "tty"], "TT", 8),
    right(&["uid"], "UID", 5),
    left(&["uid_hack"], "UID", 8),
    left(&["user", "uname"], "USER", 8),
    right(&["vsz", "vsize"], "VSZ", 6),
    left(&["wchan"], "WCHAN", 6),
    left(&["addr"], "ADDR", 1),
];

const PLAIN: &str = "pid,tname,time,cmd=CMD";
const FULL: &str = "uid_hack,pid,ppid,c,stime,tname,time,cmd";
const LONG: &str = "f,s,uid,pid,ppid,c,opri,ni,addr,sz,wchan,tname,time,cmd=CMD";
const JOBS: &str = "pid,pgid,sid,tname,time,cmd=CMD";
const USER: &str = "user,pid,pcpu,pmem,vsz,rss,tname,stat,start_time,bsdtime,args";
const BSD: &str = "pid,tname,stat,bsdtime,args";

/// A column that was asked for, with its title.
struct Shown {
    column: &'static Column,
    title: String,
}

/// How a command line asks for processes.
#[derive(Default)]
struct Request {
    columns: Vec<Shown>,
    /// The format that options without `-o` select.
    format: Option<&'static str>,
    /// Process numbers, parents, command names and users; a process needs to fit one.
    pids: Vec<u32>,
    parents: Vec<u32>,
    commands: Vec<Vec<u8>>,
    users: Vec<Vec<u8>>,
    selective: bool,
    bsd: bool,
    forest: bool,
    headless: bool,
    inverted: bool,
    sort: Vec<(bool, &'static Column)>,
}

const USAGE: &str = "
Usage:
 ps [options]

 Try 'ps --help <simple|list|output|threads|misc|all>'
  or 'ps --help <s|l|o|t|m|a>'
 for additional help text.

For more details see ps(1).
";

fn refuse(message: impl AsRef<[u8]>) -> i32 {
    crate::call::complain("error", message);
    eprint!("{USAGE}");
    1
}

/// Whether a process stands still by a signal.
fn is_stopped(pid: u32) -> bool {
    // One that has just ended does not.
    let stat = system::read_whole(format!("/proc/{pid}/stat").as_bytes()).unwrap_or_default();
    let name = stat.iter().rposition(|&byte| byte == b')');
    name.is_some_and(|end| stat[end..].starts_with(b") T"))
}

fn column(name: &str) -> Option<&'static Column> {
    COLUMNS.iter().find(|column| column.names.contains(&name))
}

impl Request {
    /// Reads the command line; `Err` is the status after the message was printed.
    fn read(arguments: &[Vec<u8>]) -> Result<Request, i32> {
        let mut request = Request::default();
        let mut words = arguments.iter();
        while let Some(word) = words.next() {
            match word.as_slice() {
                [b'-', b'-', long @ ..] if !long.is_empty() => request.long(long, &mut words)?,
                [b'-', letters @ ..] if !letters.is_empty() => {
                    request.letters(letters, true, &mut words)?;
                }
                [b'0'..=b'9', ..] => request.numbers(word)?,
                letters => {
                    request.bsd = true;
                    request.letters(letters, false, &mut words)?;
                }
            }
        }
        Ok(request)
    }

    fn letters(
        &mut self,
        letters: &[u8],
        dash: bool,
        words: &mut std::slice::Iter<Vec<u8>>,
    ) -> Result<(), i32> {
        // `-aux` means what `aux` does.
        let dash = dash && !matches!(letters, b"aux" | b"auxw" | b"auxww" | b"auxf");
        for (at, &letter) in letters.iter().enumerate() {
            let mut value = || {
                let rest = &letters[at + 1..];
                let next = if rest.is_empty() { words.next() } else { None };
                match next {
                    Some(next) => Ok(next.clone()),
                    None if !rest.is_empty() => Ok(rest.to_vec()),
                    None => Err(refuse("list of process IDs must follow -p")),
                }
            };
            match (dash, letter) {
                (true, b'A' | b'e' | b'a' | b'd') | (_, b'w') => {}
                (false, b'a' | b'x' | b'g' | b'e' | b'c' | b'S' | b'r') => {}
                (true, b'f' | b'F') => self.format = Some(FULL),
                (true, b'l') => self.format = Some(LONG),
                (true, b'j') => self.format = Some(JOBS),
                (true, b'y') => {}
                (false, b'u') => self.format = Some(USER),
                (false, b'f') | (true, b'H') => self.forest = true,
                (true, b'N') => self.inverted = true,
                (false, b'h') => self.headless = true,
                (_, b'o' | b'O') => {
                    let format = value()?;
                    if letter == b'O' {
                        self.format(b"pid")?;
                        self.format(&format)?;
                        self.format(b"s,tname,time,args")?;
                    } else {
                        self.format(&format)?;
                    }
                    return Ok(());
                }
                (_, b'p') | (true, b'q') => {
                    let list = value()?;
                    return self.numbers(&list);
                }
                (true, b'C') => {
                    let list = value()?;
                    self.selective = true;
                    self.commands.extend(split(&list));
                    return Ok(());
                }
                (true, b'u' | b'U') => {
                    let list = value()?;
                    self.selective = true;
                    self.users.extend(split(&list));
                    return Ok(());
                }
                (false, b'k') => {
                    let keys = value()?;
                    return self.sort(&keys);
                }
                (true, b'V') => {
                    println!("ps from procps-ng 4.0.2 (Offshoot)");
                    return Err(0);
                }
                (true, _) => {
                    return Err(refuse(bytes!("unsupported SysV option -", [letter])));
                }
                (false, _) => return Err(refuse("unsupported option (BSD syntax)")),
            }
        }
        Ok(())
    }

    fn long(&mut self, word: &[u8], words: &mut std::slice::Iter<Vec<u8>>) -> Result<(), i32> {
        let (name, given) = match word.iter().position(|&byte| byte == b'=') {
            Some(at) => (&word[..at], Some(word[at + 1..].to_vec())),
            None => (word, None),
        };
        let mut value = || {
            given
                .clone()
                .or_else(|| words.next().cloned())
                .ok_or_else(|| refuse(bytes!("option requires an argument -- '", name, "'")))
        };
        match name {
            b"no-headers" | b"no-heading" | b"noheader" | b"noheading" => self.headless = true,
            b"headers" => {}
            b"forest" => self.forest = true,
            b"deselect" => self.inverted = true,
            b"format" => return self.format(&value()?),
            b"sort" => return self.sort(&value()?),
            b"pid" | b"quick-pid" => return self.numbers(&value()?),
            b"user" | b"User" => {
                self.selective = true;
                let list = value()?;
                self.users.extend(split(&list));
            }
            b"ppid" => {
                self.selective = true;
                for number in split(&value()?) {
                    let number = options::number(&number);
                    self.parents
                        .push(number.ok_or_else(|| refuse("process ID list syntax error"))?);
                }
            }
            b"cols" | b"columns" | b"width" => {
                value()?;
            }
            b"help" => {
                print!("{USAGE}");
                return Err(0);
            }
            b"version" => {
                println!("ps from procps-ng 4.0.2 (Offshoot)");
                return Err(0);
            }
            _ => return Err(refuse("unknown gnu long option")),
        }
        Ok(())
    }

    fn numbers(&mut self, list: &[u8]) -> Result<(), i32> {
        self.selective = true;
        for number in split(list) {
            match options::number(&number) {
                Some(pid) => self.pids.push(pid),
                None => return Err(refuse("process ID list syntax error")),
            }
        }
        Ok(())
    }

    /// Adds the columns of one `-o`.
    fn format(&mut self, format: &[u8]) -> Result<(), i32> {
        let text = String::from_utf8_lossy(format).into_owned();
        let mut rest = text.as_str();
        loop {
            rest = rest.trim_start_matches([' ', ',']);
            if rest.is_empty() {
                return Ok(());
            }
            let end = rest.find([' ', ',', '=']).unwrap_or(rest.len());
            let name = &rest[..end];
            let found = column(name).ok_or_else(|| {
                refuse(format!(
                    "unknown user-defined format specifier \"{}\"",
                    name.escape_default()
                ))
            })?;
            rest = &rest[end..];
            let mut title = found.title;
            if let Some(given) = rest.strip_prefix('=') {
                let end = title_end(given);
                (title, rest) = given.split_at(end);
            }
            self.columns.push(Shown {
                column: found,
                title: title.to_owned(),
            });
        }
    }

    fn sort(&mut self, keys: &[u8]) -> Result<(), i32> {
        let text = String::from_utf8_lossy(keys).into_owned();
        for key in text.split(',') {
            let name = key.trim_start_matches(['+', '-']);
            match column(name) {
                Some(found) => self.sort.push((key.starts_with('-'), found)),
                None => return Err(refuse("unknown sort specifier")),
            }
        }
        Ok(())
    }

    fn selects(&self, process: &Process, user: &str, uid: u32) -> bool {
        let fits = !self.selective
            || self.pids.contains(&process.pid)
            || self.parents.contains(&process.parent)
            || self.commands.iter().any(|name| name == process.name())
            || self
                .users
                .iter()
                .any(|name| name == user.as_bytes() || options::number(name) == Some(uid));
        fits != self.inverted
    }
}

/// A title goes to the end of the word, or to a comma with the name of a column behind it.
fn title_end(text: &str) -> usize {
    let mut commas = text.match_indices(',').map(|(at, _)| at);
    let names = |at: &usize| {
        let next = text[at + 1..].split([',', '=']).next().unwrap_or_default();
        column(next).is_some()
    };
    commas.find(names).unwrap_or(text.len())
}

fn split(list: &[u8]) -> Vec<Vec<u8>> {
    list.split(|byte| b", ".contains(byte))
        .filter(|word| !word.is_empty())
        .map(<[u8]>::to_vec)
        .collect()
}

/// Where the values of all processes come from.
struct View<'a> {
    accounts: &'a Accounts,
    own: u32,
    now: Time,
}

impl View<'_> {
    fn elapsed(&self, process: &Process) -> i64 {
        (self.now.seconds - process.started.seconds).max(0)
    }

    fn started(&self, process: &Process, format: &str) -> String {
        let started = Broken::from_seconds(process.started.seconds);
        String::from_utf8_lossy(&started.format(format.as_bytes())).into_owned()
    }

    fn value(&self, column: &Column, process: &Process, prefix: &str) -> String {
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

fn text(bytes: &[u8]) -> String {
    String::from_utf8_lossy(bytes).into_owned()
}

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

/// The processes as a tree, each with what its command is indented by.
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

/// Process numbers have as many digits as the largest one.
fn pid_width() -> usize {
    let most = std::fs::read_to_string("/proc/sys/kernel/pid_max").unwrap_or_default();
    let most: u32 = most.trim().parse().unwrap_or(1 << 22);
    (most - 1).to_string().len().max(5)
}

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

/// Runs `pidof`: the numbers of the processes that run a program, the youngest first.
pub fn pidof(call: &Call) -> i32 {
    const SYNTAX: options::Syntax = options::Syntax {
        usage: "Usage: pidof [-s] [-q] [-o PID] [-S SEPARATOR] NAME...\n",
        options: &[
            options::Opt("s", "single-shot", options::Value::No),
            options::Opt("q", "", options::Value::No),
            options::Opt("x", "", options::Value::No),
            options::Opt("o", "omit-pid", options::Value::Required),
            options::Opt("S", "separator", options::Value::Required),
        ],
        permute: true,
        status: 1,
    };
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut omitted = Vec::new();
    for (_, list) in parsed.options.iter().filter(|(key, _)| *key == "o") {
        for number in split(list) {
            match options::number::<u32>(&number) {
                Some(number) => omitted.push(number),
                None => {
                    let message = bytes!("illegal omit pid value (", quote::word(&number), ")!");
                    return call.fail(1, message);
                }
            }
        }
    }
    let mut found: Vec<String> = system::processes()
        .iter()
        .filter(|process| !omitted.contains(&process.pid))
        .filter(|process| {
            let whole = process.arguments.first().map(Vec::as_slice);
            // A script is the second word of its shell.
            let script = process.arguments.get(1).filter(|_| parsed.has("x"));
            let is_script = |name: &[u8]| {
                script.is_some_and(|script| {
                    script == name || script.rsplit(|&byte| byte == b'/').next() == Some(name)
                })
            };
            let fits = |name: &Vec<u8>| {
                name == process.name() || whole == Some(name.as_slice()) || is_script(name)
            };
            parsed.operands.iter().any(fits)
        })
        .map(|process| process.pid.to_string())
        .collect();
    found.reverse();
    if parsed.has("s") {
        found.truncate(1);
    }
    let mut out = Output::new();
    if !found.is_empty() && !parsed.has("q") {
        let separator = parsed.value("S").unwrap_or(b" ");
        out.line(found.join(&text(separator)));
    }
    out.finish(&call.name, i32::from(found.is_empty()), 1)
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
