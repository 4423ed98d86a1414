//! The recorded cases of the families' commands, in a sandbox in which these commands are linked in.
//!
//! A case whose script needs what is not linked in says so and is left out; how many remain is checked as well.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::fs;
use std::path::Path;

use offshoot_shell::sandbox::{ExecOptions, ExecResult, Options, Sandbox};

/// Files of cases, and how many of them run here.
const FILES: [(&str, usize); 18] = [
    ("search/tests/cases/grep.t", 9),
    ("search/tests/cases/grep-perl.t", 4),
    ("search/tests/cases/find.t", 4),
    ("text/tests/cases/sed.t", 99),
    ("text/tests/cases/sed-ends.t", 10),
    ("text/tests/cases/awk-gawk.t", 84),
    ("text/tests/cases/awk-records.t", 8),
    ("text/tests/cases/awk-warnings.t", 38),
    ("text/tests/cases/options-sort.t", 6),
    ("text/tests/cases/uniq.t", 8),
    ("text/tests/cases/diff.t", 5),
    ("text/tests/cases/join.t", 17),
    ("text/tests/cases/paste.t", 7),
    ("query/tests/cases/jq.t", 33),
    ("files/tests/cases/mv.t", 48),
    ("search/tests/cases/xargs-status.t", 2),
    ("tests/cases/date.t", 17),
    ("system/tests/cases/env-strings.t", 8),
];

/// What a script says that needs more than there is.
const LACKING: [&str; 4] = [
    "command not found",
    "Operation not supported",
    "cannot execute",
    "not in this build",
];

struct Case {
    script: String,
    expected: String,
}

/// The cases of a file, as the crate `offshoot-recorded` describes them.
fn read(path: &Path) -> Vec<Case> {
    let (mut setup, mut cases) = (String::new(), Vec::<Case>::new());
    for line in fs::read_to_string(path).unwrap().lines() {
        match line.split_at(line.len().min(2)) {
            ("$ " | "& ", script) => cases.push(Case {
                script: format!("{setup}{script}"),
                expected: String::new(),
            }),
            ("% ", rest) => {
                setup.push_str(rest);
                setup.push('\n');
            }
            (start, rest) => match cases.last_mut() {
                None => {}
                Some(_) if line.is_empty() => {}
                Some(case) if start == "> " => {
                    case.script.push('\n');
                    case.script.push_str(rest);
                }
                Some(case) => {
                    case.expected.push_str(line);
                    case.expected.push('\n');
                }
            },
        }
    }
    cases
}

/// Output and status as they are written in the files.
fn shown(result: &ExecResult) -> String {
    let text = String::from_utf8_lossy(&result.stdout);
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        shown.push_str("  ");
        shown.push_str(line.trim_end_matches('\n'));
        shown.push('\n');
    }
    if !text.is_empty() && !text.ends_with('\n') {
        shown.push_str("\\\n");
    }
    if result.status != 0 {
        shown.push_str(&format!("[{}]\n", result.status));
    }
    shown
}

fn run(script: &str) -> ExecResult {
    let sandbox = Sandbox::new(Options::default()).unwrap();
    let variables = [("LC_ALL", "C.UTF-8"), ("TZ", "UTC"), ("HOME", "/tmp")];
    let options = ExecOptions {
        environment: variables
            .map(|(name, value)| (name.into(), value.into()))
            .to_vec(),
        ..ExecOptions::default()
    };
    sandbox.exec(script.as_bytes(), &options).unwrap()
}

#[test]
fn linked_commands_print_what_the_tools_of_debian_print() {
    let programs = Path::new(env!("CARGO_MANIFEST_DIR")).join("../programs");
    let only = std::env::var("OFFSHOOT_CASES").ok();
    let mut wrong = String::new();
    for (name, least) in FILES {
        if only.as_ref().is_some_and(|only| !name.ends_with(only)) {
            continue;
        }
        let (mut held, mut left) = (0, 0);
        for case in read(&programs.join(name)) {
            let result = run(&case.script);
            let got = shown(&result);
            if got == case.expected {
                held += 1;
                continue;
            }
            let said = format!("{}{got}", String::from_utf8_lossy(&result.stderr));
            // What it says of a missing command may go to /dev/null.
            if case.script.contains("sdiff ") || LACKING.iter().any(|text| said.contains(text)) {
                left += 1;
                continue;
            }
            let Case { script, expected } = case;
            wrong.push_str(&format!(
                "{name}: $ {script}\nexpected\n{expected}got\n{got}\n"
            ));
        }
        println!("{name}: {held} hold, {left} need more than there is");
        if held < least {
            wrong.push_str(&format!("{name}: {held} cases hold, {least} did\n"));
        }
    }
    assert!(wrong.is_empty(), "{wrong}");
}
