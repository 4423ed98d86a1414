//! Every builtin with its options and every expansion operator: what bash 5.2 did was recorded.
//!
//! A row of `table.txt` is a name (`declare -a`, `${x%p}`), a script, and what bash did with it.
//! `OFFSHOOT_RECORD=1` runs the scripts in the machine's bash and writes the file anew.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

use std::collections::BTreeSet;
use std::process::{Command, Stdio};

use offshoot_shell::builtin;
use offshoot_shell::sandbox::{ExecOptions, Options, Sandbox};

const TABLE: &str = include_str!("table.txt");

/// The letters of the options of each builtin that has any.
const LETTERS: &[(&str, &str)] = &[
    ("alias", "p"),
    ("bind", "lpPsSvVqurfxXm"),
    ("cd", "LPe"),
    ("command", "pvV"),
    ("compgen", "abcdefkvoAGWFCXPS"),
    ("complete", "prDEIo"),
    ("compopt", "oDEI"),
    ("declare", "aAfFgiIlnrtuxp"),
    ("dirs", "clpv"),
    ("disown", "ahr"),
    ("echo", "neE"),
    ("enable", "adfnps"),
    ("exec", "acl"),
    ("export", "fnp"),
    ("fc", "elnrs"),
    ("hash", "dlprt"),
    ("help", "s"),
    ("history", "acdnprsw"),
    ("jobs", "lnprsx"),
    ("kill", "lLns"),
    ("local", "aAiIlnprux"),
    ("mapfile", "dnOstuCc"),
    ("popd", "n"),
    ("printf", "v"),
    ("pushd", "n"),
    ("pwd", "LP"),
    ("read", "adeinNprstu"),
    ("readonly", "aAfp"),
    ("set", "abefhmnptuxBCEHPTo"),
    ("shopt", "opqsu"),
    ("test", "abcdefghknoprstuvwxzGLNORS"),
    ("trap", "lp"),
    ("type", "afptP"),
    ("ulimit", "SHtf"),
    ("umask", "pS"),
    ("unalias", "a"),
    ("unset", "fnv"),
    ("wait", "fnp"),
];

/// The expansions, by the names of their rows.
const EXPANSIONS: &[&str] = &[
    "${x}",
    "${x-w}",
    "${x:-w}",
    "${x=w}",
    "${x:=w}",
    "${x?w}",
    "${x:?w}",
    "${x+w}",
    "${x:+w}",
    "${x:o}",
    "${x:o:l}",
    "${!x}",
    "${!x*}",
    "${!x@}",
    "${!a[@]}",
    "${!a[*]}",
    "${#x}",
    "${#a[@]}",
    "${x#p}",
    "${x##p}",
    "${x%p}",
    "${x%%p}",
    "${x/p/r}",
    "${x//p/r}",
    "${x/#p/r}",
    "${x/%p/r}",
    "${x^p}",
    "${x^^p}",
    "${x,p}",
    "${x,,p}",
    "${x~}",
    "${x@Q}",
    "${x@E}",
    "${x@P}",
    "${x@A}",
    "${x@K}",
    "${x@k}",
    "${x@a}",
    "${x@U}",
    "${x@u}",
    "${x@L}",
    "$@",
    "$*",
    "$#",
    "$?",
    "$-",
    "$!",
    "$$",
    "$0",
    "$_",
    "$1",
    "$(c)",
    "`c`",
    "$(<f)",
    "$((e))",
    "$[e]",
    "<(c)",
    ">(c)",
    "{a,b}",
    "~",
    "*",
    "?(p)",
    "$'s'",
    "$\"s\"",
];

#[derive(Debug, Clone, PartialEq, Eq, Default)]
struct Effect {
    status: i32,
    stdout: String,
    stderr: String,
}

struct Row {
    name: String,
    script: String,
    effect: Effect,
}

fn rows() -> Vec<Row> {
    let mut rows: Vec<Row> = Vec::new();
    for line in TABLE.lines() {
        if let Some(name) = line.strip_prefix("# ") {
            rows.push(Row {
                name: name.to_owned(),
                script: String::new(),
                effect: Effect::default(),
            });
            continue;
        }
        let row = rows.last_mut().expect("a row begins with its name");
        if let Some(status) = line.strip_prefix("%% ") {
            row.effect.status = status.parse().unwrap();
        } else if let Some(text) = line.strip_prefix("%1 ") {
            row.effect.stdout = unescaped(text);
        } else if let Some(text) = line.strip_prefix("%2 ") {
            row.effect.stderr = unescaped(text);
        } else {
            if !row.script.is_empty() {
                row.script.push('\n');
            }
            row.script.push_str(line);
        }
    }
    rows
}

fn escaped(text: &str) -> String {
    let mut escaped = String::new();
    for letter in text.chars() {
        match letter {
            '\\' => escaped.push_str("\\\\"),
            '\n' => escaped.push_str("\\n"),
            letter if letter.is_control() => {
                escaped.push_str(&format!("\\u{{{:x}}}", u32::from(letter)));
            }
            letter => escaped.push(letter),
        }
    }
    escaped
}

fn unescaped(text: &str) -> String {
    let mut result = String::new();
    let mut rest = text;
    while let Some(at) = rest.find('\\') {
        result.push_str(&rest[..at]);
        rest = &rest[at + 1..];
        if let Some(after) = rest.strip_prefix("u{") {
            let (digits, after) = after.split_once('}').unwrap();
            let number = u32::from_str_radix(digits, 16).unwrap();
            result.push(char::from_u32(number).unwrap());
            rest = after;
        } else {
            result.push(if rest.starts_with('n') { '\n' } else { '\\' });
            rest = &rest[1..];
        }
    }
    result + rest
}

fn bash(script: &str) -> Effect {
    let directory = std::env::temp_dir().join(format!("shell-table-{}", std::process::id()));
    std::fs::create_dir_all(&directory).unwrap();
    let output = Command::new("bash")
        .args(["-c", script])
        .current_dir(&directory)
        .stdin(Stdio::null())
        .env_clear()
        .env("PATH", "/usr/bin:/bin")
        .env("HOME", "/home/user")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Effect {
        status: output.status.code().unwrap_or(-1),
        stdout: String::from_utf8(output.stdout).unwrap(),
        stderr: String::from_utf8(output.stderr).unwrap(),
    }
}

fn ours(script: &str) -> Effect {
    let sandbox = Sandbox::new(Options {
        environment: vec![(b"LC_ALL".to_vec(), b"C.UTF-8".to_vec())],
        ..Options::default()
    })
    .unwrap();
    let result = sandbox
        .exec(script.as_bytes(), &ExecOptions::default())
        .unwrap();
    Effect {
        status: i32::from(result.status),
        stdout: String::from_utf8(result.stdout).unwrap(),
        stderr: String::from_utf8(result.stderr).unwrap(),
    }
}

#[test]
fn rows_are_what_bash_did() {
    if std::env::var_os("OFFSHOOT_RECORD").is_some() {
        return record();
    }
    let mut differing = Vec::new();
    for row in rows() {
        let found = ours(&row.script);
        if found != row.effect {
            let (name, script) = (row.name, row.script);
            differing.push(format!(
                "{name}\n{script}\nbash:  {:?}\nshell: {found:?}\n",
                row.effect
            ));
        }
    }
    assert!(
        differing.is_empty(),
        "{} rows differ\n{}",
        differing.len(),
        differing.join("\n")
    );
}

fn record() {
    let mut text = String::new();
    for row in rows() {
        let effect = bash(&row.script);
        let (name, script, status) = (row.name, row.script, effect.status);
        text.push_str(&format!("# {name}\n{script}\n%% {status}\n"));
        for (number, stream) in [(1, &effect.stdout), (2, &effect.stderr)] {
            if !stream.is_empty() {
                text.push_str(&format!("%{number} {}\n", escaped(stream)));
            }
        }
    }
    let path = concat!(env!("CARGO_MANIFEST_DIR"), "/tests/table.txt");
    std::fs::write(path, text).unwrap();
}

#[test]
fn every_builtin_option_and_expansion_has_a_row() {
    let rows = rows();
    let names: BTreeSet<&str> = rows.iter().map(|row| row.name.as_str()).collect();
    let builtins = builtin::TABLE.iter().map(|entry| entry.name);
    let without: Vec<&str> = builtins
        .filter(|builtin| {
            let of = |name: &&str| name.split(' ').next() == Some(*builtin);
            !names.iter().any(of)
        })
        .collect();
    let options = LETTERS.iter().flat_map(|(builtin, letters)| {
        let letters = letters.chars();
        letters.map(move |letter| format!("{builtin} -{letter}"))
    });
    let expansions = EXPANSIONS.iter().map(|name| (*name).to_owned());
    let missing: Vec<String> = options
        .chain(expansions)
        .filter(|name| !names.contains(name.as_str()))
        .collect();
    assert!(
        without.is_empty() && missing.is_empty(),
        "{without:?} {missing:?}"
    );
}
