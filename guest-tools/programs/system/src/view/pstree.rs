//! `pstree`: the processes as a tree.

use crate::call::Call;
use crate::options::{self, Opt, Syntax, Value};
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

/// Runs `pstree`; a process stands on a line of its own, as with `-c -a`.
pub fn pstree(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let processes = system::processes();
    let known = |pid: u32| processes.iter().any(|process| process.pid == pid);
    let roots: Vec<&Process> = match parsed.operands.first() {
        Some(word) => {
            let pid = options::number::<u32>(word);
            processes
                .iter()
                .filter(|process| Some(process.pid) == pid)
                .collect()
        }
        None => {
            let is_root =
                |process: &&Process| process.parent == process.pid || !known(process.parent);
            processes.iter().filter(is_root).collect()
        }
    };
    let mut out = Output::new();
    // What is to be printed next, with the strokes before it.
    let mut open: Vec<(&Process, String, String)> = Vec::new();
    open.extend(
        roots
            .iter()
            .rev()
            .map(|process| (*process, String::new(), String::new())),
    );
    let status = i32::from(open.is_empty());
    while let Some((process, own, below)) = open.pop() {
        let mut label = String::from_utf8_lossy(process.name()).into_owned();
        if parsed.has("p") {
            label.push_str(&format!("({})", process.pid));
        }
        if parsed.has("a") && process.arguments.len() > 1 {
            let rest = process.arguments[1..].join(&b' ');
            label.push_str(&format!(" {}", String::from_utf8_lossy(&rest)));
        }
        out.line(format!("{own}{label}"));
        let children: Vec<&Process> = processes
            .iter()
            .filter(|child| child.parent == process.pid && child.pid != process.pid)
            .collect();
        let last = children.len().saturating_sub(1);
        for (at, child) in children.into_iter().enumerate().rev() {
            let (stroke, under) = match (parsed.has("A"), at == last) {
                (true, true) => ("  `-", "    "),
                (true, false) => ("  |-", "  | "),
                (false, true) => ("  └─", "    "),
                (false, false) => ("  ├─", "  │ "),
            };
            open.push((child, format!("{below}{stroke}"), format!("{below}{under}")));
        }
    }
    out.finish(&call.name, status, 1)
}
