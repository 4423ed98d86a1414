//! `pstree`, as psmisc has it: the processes as a tree.
//!
//! ```text
//! bash-+-make---cc
//!      `-2*[sleep]
//! ```
//!
//! The first child stands in the line of its parent. Equal branches are joined, unless numbers (`-p`), arguments (`-a`)
//! or `-c` tell them apart. With `-a` each process has a line. Strokes are ASCII where standard output is no terminal.

use crate::call::Call;
use crate::options::{self, Opt, Parsed, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Process};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: pstree [ -a ] [ -p ] [ -A | -U ] [ PID ]\nDisplay a tree of processes.\n",
    options: &[
        Opt("a", "arguments", Value::No),
        Opt("A", "ascii", Value::No),
        Opt("U", "unicode", Value::No),
        Opt("c", "compact-not", Value::No),
        Opt("l", "long", Value::No),
        Opt("n", "numeric-sort", Value::No),
        Opt("p", "show-pids", Value::No),
        Opt("T", "hide-threads", Value::No),
    ],
    permute: true,
    status: 1,
};

/// The strokes of the tree: to an only child, to the first of several, to one more, to the last, past one.
struct Strokes {
    /// To an only child.
    only: &'static str,
    /// To the first of several.
    first: &'static str,
    /// To one more.
    more: &'static str,
    /// To the last.
    last: &'static str,
    /// Past one, to those below.
    past: &'static str,
}

const ASCII: Strokes = Strokes {
    only: "---",
    first: "-+-",
    more: "|-",
    last: "`-",
    past: "| ",
};

const UNICODE: Strokes = Strokes {
    only: "───",
    first: "─┬─",
    more: "├─",
    last: "└─",
    past: "│ ",
};

/// A process and those below it.
#[derive(PartialEq)]
struct Branch {
    /// The name, with number and arguments where they are asked for.
    label: String,
    /// How many equal branches this one stands for.
    count: usize,
    /// The processes below it, in the order of their names (with `-n` of their numbers).
    children: Vec<Branch>,
}

/// Runs `pstree`.
pub fn pstree(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let mut processes = system::processes();
    if parsed.has("n") {
        processes.sort_by_key(|process| process.pid);
    } else {
        processes.sort_by(|left, right| {
            let names = left.name().cmp(right.name());
            names.then(left.pid.cmp(&right.pid))
        });
    }
    let known = |pid: u32| processes.iter().any(|process| process.pid == pid);
    let root = parsed
        .operands
        .first()
        .map(|word| options::number::<u32>(word));
    let is_root = |process: &&Process| match root {
        Some(root) => Some(process.pid) == root,
        None => process.parent == process.pid || !known(process.parent),
    };
    let strokes = match parsed.last(&["A", "U"]) {
        Some("A") => ASCII,
        None if !system::is_terminal(1) => ASCII,
        _ => UNICODE,
    };
    let mut out = Output::new();
    let mut status = 1;
    for process in processes.iter().filter(is_root) {
        status = 0;
        let branch = branch(process, &processes, &parsed);
        if parsed.has("a") {
            list(&branch, "", "", &strokes, &mut out);
        } else {
            draw(&branch, String::new(), "", 0, &strokes, &mut out);
        }
    }
    out.finish(&call.name, status, 1)
}

/// The process with all below it; equal branches are joined where nothing tells them apart.
fn branch(process: &Process, all: &[Process], parsed: &Parsed) -> Branch {
    let (arguments, pids) = (parsed.has("a"), parsed.has("p"));
    let mut label = String::from_utf8_lossy(process.name()).into_owned();
    match (pids, arguments) {
        (true, true) => label.push_str(&format!(",{}", process.pid)),
        (true, false) => label.push_str(&format!("({})", process.pid)),
        _ => {}
    }
    if arguments && process.arguments.len() > 1 {
        let rest = process.arguments[1..].join(&b' ');
        label.push_str(&format!(" {}", String::from_utf8_lossy(&rest)));
    }
    let joins = !arguments && !pids && !parsed.has("c");
    let mut children: Vec<Branch> = Vec::new();
    let own = all
        .iter()
        .filter(|child| child.parent == process.pid && child.pid != process.pid);
    for child in own {
        let child = branch(child, all, parsed);
        let is_equal =
            |other: &&mut Branch| other.label == child.label && other.children == child.children;
        match children.iter_mut().find(is_equal).filter(|_| joins) {
            Some(other) => other.count += 1,
            None => children.push(child),
        }
    }
    Branch {
        label,
        count: 1,
        children,
    }
}

/// A line for each process.
fn list(branch: &Branch, own: &str, below: &str, strokes: &Strokes, out: &mut Output) {
    out.line(format!("{own}{}", branch.label));
    let last = branch.children.len().saturating_sub(1);
    for (at, child) in branch.children.iter().enumerate() {
        let (stroke, under) = match at == last {
            true => (strokes.last, "  "),
            false => (strokes.more, strokes.past),
        };
        let (own, below) = (format!("{below}  {stroke}"), format!("{below}  {under}"));
        list(child, &own, &below, strokes, out);
    }
}

/// The first child stands in the line of its parent, the others below it. `line` is what stands before the
/// branch, `below` what stands before the lines after it, `open` how many brackets its last line closes.
fn draw(
    branch: &Branch,
    mut line: String,
    below: &str,
    open: usize,
    strokes: &Strokes,
    out: &mut Output,
) {
    let (text, open) = match branch.count {
        1 => (branch.label.clone(), open),
        count => (format!("{count}*[{}", branch.label), open + 1),
    };
    line.push_str(&text);
    let below = format!("{below}{}", " ".repeat(text.chars().count()));
    let Some(last) = branch.children.len().checked_sub(1) else {
        out.line(line + &"]".repeat(open));
        return;
    };
    for (at, child) in branch.children.iter().enumerate() {
        match (at, last) {
            (0, 0) => line.push_str(strokes.only),
            (0, _) => line.push_str(strokes.first),
            _ if at == last => line = format!("{below} {}", strokes.last),
            _ => line = format!("{below} {}", strokes.more),
        }
        let under = if at == last { "  " } else { strokes.past };
        let open = if at == last { open } else { 0 };
        let under = format!("{below} {under}");
        draw(child, std::mem::take(&mut line), &under, open, strokes, out);
    }
}
