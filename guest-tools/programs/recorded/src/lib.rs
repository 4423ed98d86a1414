//! What the commands print, against what the tools of Debian 12 printed.
//!
//! Each file in `cases` holds scripts and their recorded output. Lines that start with `% ` prepare the
//! empty directory of every case of the file; `$ ` starts a case and `> ` continues its script; output
//! is indented by two spaces; `[N]` is an exit status other than 0, and `\` says that the output does
//! not end with a newline. A case ends with an empty line or with the next `$ `. The same cases run
//! inside a sandbox (crate `tests`), but for those that start with `& ` instead of `$ `.
//!
//! With `OFFSHOOT_RECORD_CASES` set to the name of a file, its cases are run with the tools of the
//! machine instead, and what they print is written down. `OFFSHOOT_CASES` names the one file to run.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a failure shows as a failed test"
)]

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{self, Stdio};

use offshoot_command::family::Command;

struct Case {
    /// `$` or `&`.
    mark: char,
    script: String,
    /// Output and status as they stand in the file.
    expected: String,
}

#[derive(Default)]
struct File {
    /// Comments and preparation, as they stand in the file.
    head: String,
    setup: String,
    cases: Vec<Case>,
}

fn read(path: &Path) -> File {
    let text = fs::read_to_string(path).unwrap();
    let mut file = File::default();
    for line in text.lines() {
        match line.split_at(line.len().min(2)) {
            ("$ " | "& ", script) => file.cases.push(Case {
                mark: if line.starts_with('$') { '$' } else { '&' },
                script: script.to_owned(),
                expected: String::new(),
            }),
            ("% ", setup) => {
                writeln!(file.setup, "{setup}").unwrap();
                writeln!(file.head, "{line}").unwrap();
            }
            _ if line.is_empty() => {}
            (start, rest) => match file.cases.last_mut() {
                None => writeln!(file.head, "{line}").unwrap(),
                Some(case) if start == "> " => {
                    case.script.push('\n');
                    case.script.push_str(rest);
                }
                Some(case) => writeln!(case.expected, "{line}").unwrap(),
            },
        }
    }
    file
}

fn write(path: &Path, file: &File) {
    let mut text = file.head.clone();
    for case in &file.cases {
        let script = case.script.replace('\n', "\n> ");
        write!(text, "\n{} {script}\n{}", case.mark, case.expected).unwrap();
    }
    fs::write(path, text).unwrap();
}

/// Runs a script in a new directory; gives output and status as they are written in the files.
fn run(setup: &str, script: &str, path: &str) -> String {
    let place = tempfile::tempdir().unwrap();
    let directory = place.path().join("case");
    fs::create_dir(&directory).unwrap();
    let output = process::Command::new("bash")
        .args(["-c", &format!("{setup}{script}")])
        .current_dir(&directory)
        .env_clear()
        .env("PATH", path)
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC")
        .env("HOME", place.path())
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let text = String::from_utf8_lossy(&output.stdout);
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        writeln!(shown, "  {}", line.trim_end_matches('\n')).unwrap();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        shown.push_str("\\\n");
    }
    match output.status.code() {
        Some(0) => {}
        Some(code) => writeln!(shown, "[{code}]").unwrap(),
        None => shown.push_str("[killed]\n"),
    }
    shown
}

/// A directory with a link to `program` for each of its commands that it builds natively.
fn links(program: &str, commands: &[Command]) -> tempfile::TempDir {
    let place = tempfile::tempdir().unwrap();
    for command in commands.iter().filter(|command| !command.is_uutils) {
        std::os::unix::fs::symlink(program, place.path().join(command.name)).unwrap();
    }
    place
}

/// Runs the cases of the package in the folder `package` with the commands of its `program`, or records one
/// file of them.
///
/// # Panics
/// Where a case prints something else than what was recorded, with all that differ.
pub fn check(package: &str, program: &str, commands: &[Command]) {
    let cases = Path::new(package).join("tests/cases");
    let mut paths: Vec<PathBuf> = fs::read_dir(&cases)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    let system = "/usr/local/bin:/usr/bin:/bin";
    if let Ok(name) = std::env::var("OFFSHOOT_RECORD_CASES") {
        let path = cases.join(name);
        let mut file = read(&path);
        for case in &mut file.cases {
            case.expected = run(&file.setup, &case.script, system);
        }
        write(&path, &file);
        return;
    }
    let links = links(program, commands);
    let search = format!("{}:{system}", links.path().display());
    let mut failed = String::new();
    let mut count = 0;
    let only = std::env::var_os("OFFSHOOT_CASES");
    let chosen = |path: &&PathBuf| only.is_none() || path.file_name() == only.as_deref();
    for path in paths.iter().filter(chosen) {
        let file = read(path);
        for case in &file.cases {
            count += 1;
            let got = run(&file.setup, &case.script, &search);
            if got != case.expected {
                let name = path.file_name().unwrap().to_string_lossy();
                writeln!(
                    failed,
                    "{name}: $ {}\nexpected\n{}got\n{got}",
                    case.script, case.expected
                )
                .unwrap();
            }
        }
    }
    assert!(count > 0, "no cases");
    assert!(failed.is_empty(), "{failed}");
}
