//! `man`: a short page for each command, made of what its own `--help` says.
//!
//! Pages are not stored: the command is run with `--help`, or `help` of bash is asked for a builtin, and the output
//! gets a head and a margin. `-k` looks for a text in the names of all commands. The status is 16 where there is no
//! page, as man-db has it.

use std::io::Read as _;

use crate::call::{Call, bytes};
use crate::options::{self, Opt, Syntax, Value};
use crate::output::Output;
use crate::system::{self, Spawn, Streams};

const SYNTAX: Syntax = Syntax {
    usage: "Usage: man [-k | -w] [SECTION] NAME...\nShow what a command or a builtin of the shell says about itself.\n\n  -k, --apropos   list the commands whose name has NAME in it\n  -w, --where     print where the command is\n",
    options: &[
        Opt("k", "apropos", Value::No),
        Opt("w", "where", Value::No),
        Opt("P", "pager", Value::Required),
    ],
    permute: true,
    status: 2,
};

/// Every command of a sandbox, one a line.
const TABLE: &str = include_str!("../../commands.txt");

/// The status for a page that is not there.
const MISSING: i32 = 16;

/// Runs the command.
pub fn run(call: &Call) -> i32 {
    let parsed = match options::parse(call, &SYNTAX) {
        Ok(parsed) => parsed,
        Err(status) => return status,
    };
    let is_section = |word: &Vec<u8>| matches!(word.as_slice(), [b'1'..=b'9']);
    let mut names = parsed.operands.as_slice();
    if names.len() > 1 && is_section(&names[0]) {
        names = &names[1..];
    }
    if names.is_empty() {
        eprintln!("What manual page do you want?\nFor example, try 'man man'.");
        return 1;
    }
    let mut out = Output::new();
    let mut status = 0;
    for name in names {
        let found = if parsed.has("k") {
            apropos(name, &mut out)
        } else if parsed.has("w") {
            place(name, &mut out)
        } else {
            page(name, &mut out)
        };
        if !found {
            out.flush();
            let name = String::from_utf8_lossy(name);
            if parsed.has("k") {
                eprintln!("{name}: nothing appropriate.");
            } else {
                eprintln!("No manual entry for {name}");
            }
            status = MISSING;
        }
    }
    out.finish("man", status, 1)
}

/// `-k`: prints the commands whose name contains a text; whether there is any.
fn apropos(word: &[u8], out: &mut Output) -> bool {
    let word = String::from_utf8_lossy(word);
    let mut found: Vec<&str> = TABLE
        .lines()
        .filter(|line| !line.starts_with('#'))
        .filter_map(|line| line.split(' ').next())
        .filter(|name| name.contains(&*word))
        .collect();
    found.sort_unstable();
    for name in &found {
        out.line(format!("{name} (1)"));
    }
    !found.is_empty()
}

/// `-w`: prints where the command is; whether it is anywhere.
fn place(name: &[u8], out: &mut Output) -> bool {
    match system::find_program(name, &system::search_path()) {
        Ok(path) => {
            out.line(path);
            true
        }
        Err(_) => false,
    }
}

/// Prints the page of a command; whether there is one.
fn page(name: &[u8], out: &mut Output) -> bool {
    let known = system::find_program(name, &system::search_path());
    let text = match &known {
        Ok(path) => output(path, &[name.to_vec(), b"--help".to_vec()]),
        Err(_) => builtin(name),
    };
    let Some(text) = text.filter(|text| !text.is_empty()) else {
        return false;
    };
    let title = String::from_utf8_lossy(name).to_uppercase();
    let head = format!("{title}(1)");
    const WIDTH: usize = 78;
    const MIDDLE: &str = "Commands of the sandbox";
    let gap = WIDTH.saturating_sub(2 * head.len() + MIDDLE.len()) / 2;
    let fill = " ".repeat(gap.max(1));
    out.line(format!("{head}{fill}{MIDDLE}{fill}{head}\n"));
    for line in text.split(|&byte| byte == b'\n') {
        if line.is_empty() {
            out.line("");
        } else {
            out.line(bytes!("       ", line));
        }
    }
    true
}

/// What `help` says about a builtin; nothing where it knows none of that name.
fn builtin(name: &[u8]) -> Option<Vec<u8>> {
    let shell = system::find_program(b"bash", &system::search_path()).ok()?;
    let script = b"help -- \"$1\" 2>/dev/null".to_vec();
    let words = [
        b"bash".to_vec(),
        b"-c".to_vec(),
        script,
        b"bash".to_vec(),
        name.to_vec(),
    ];
    output(&shell, &words)
}

/// The output of a command without an input.
fn output(program: &[u8], arguments: &[Vec<u8>]) -> Option<Vec<u8>> {
    let (mut reader, writer) = system::pipe().ok()?;
    let null = system::open_handle(b"/dev/null", false).ok()?;
    let pid = system::spawn(&Spawn {
        path: program,
        arguments,
        environment: &system::environment(),
        directory: None,
        streams: Streams {
            input: Some(&null),
            output: Some(&writer),
            ..Streams::default()
        },
    })
    .ok()?;
    drop(writer);
    let mut text = Vec::new();
    reader.read_to_end(&mut text).ok()?;
    system::wait(pid).ok()?;
    while text.last() == Some(&b'\n') {
        text.pop();
    }
    Some(text)
}
