//! The commands of a sandbox: that all are there, and that they print inside what the tools of Debian 12
//! printed.

use std::fmt::Write as _;
use std::fs;
use std::path::{Path, PathBuf};
use std::sync::Mutex;
use std::sync::atomic::{AtomicUsize, Ordering};

use offshoot::blocking::Sandbox;
use offshoot::{Exec, User};

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("..")
}

#[test]
fn every_command_of_the_table_is_there() {
    let table = fs::read_to_string(root().join("guest-tools/programs/commands.txt")).unwrap();
    let sandbox = Sandbox::builder().build_blocking().unwrap();
    let listed = sandbox.exec("ls -1 /usr/bin").unwrap();
    let listed = listed.stdout_text().into_owned();
    for line in table.lines().filter(|line| !line.starts_with('#')) {
        let name = line.split(' ').next().unwrap();
        assert!(
            listed.lines().any(|line| line == name),
            "{name} is not in /usr/bin"
        );
    }
}

/// Commands whose words are never options, those that want a network first, and the shell.
const WITHOUT_OPTIONS: &[&str] = &[
    "bash", "curl", "echo", "expr", "false", "printf", "sh", "sleep", "test", "true", "wget",
    "yes", "[",
];

#[test]
fn every_command_tells_what_it_is_and_names_an_option_that_it_does_not_know() {
    let skipped = WITHOUT_OPTIONS.join("|").replace('[', "'['");
    let script = format!(
        r#"for n in $(ls /usr/bin); do
            case $n in {skipped}) continue;; esac
            for o in --help --version; do
                out=$(/usr/bin/$n $o 2>&1 < /dev/null) && [ -n "$out" ] || echo "$n $o: $? $out"
            done
            case $n in awk|gawk|mawk|nawk|ps|locate) continue;; esac
            out=$(/usr/bin/$n --no-such-option 2>&1 < /dev/null) && echo "$n takes anything"
            case $out in *o-such-option*) ;; *) echo "$n --no-such-option: $out";; esac
        done"#
    );
    let sandbox = Sandbox::builder().build_blocking().unwrap();
    let result = sandbox.exec(script.as_str()).unwrap();
    assert_eq!(result.stdout_text(), "");
}

/// The files of recorded cases: those of each family, and those of what crosses families.
pub(crate) fn recorded() -> Vec<PathBuf> {
    let programs = root().join("guest-tools/programs");
    let folders = fs::read_dir(&programs).unwrap();
    let folders = folders.map(|entry| entry.unwrap().path().join("tests/cases"));
    let folders = folders.chain([programs.join("tests/cases")]);
    let mut paths: Vec<PathBuf> = folders
        .filter(|folder| folder.is_dir())
        .flat_map(|folder| fs::read_dir(folder).unwrap())
        .map(|entry| entry.unwrap().path())
        .collect();
    paths.sort();
    paths
}

/// A script and what it printed where it was recorded.
pub(crate) struct Case {
    file: String,
    script: String,
    expected: String,
}

/// The cases of a file; the crate `recorded` beside the families has the format.
pub(crate) fn cases(path: &Path) -> Vec<Case> {
    let file = path.file_name().unwrap().to_string_lossy().into_owned();
    let text = fs::read_to_string(path).unwrap();
    let (mut setup, mut cases) = (String::new(), Vec::<(bool, Case)>::new());
    for line in text.lines() {
        match line.split_at(line.len().min(2)) {
            (mark @ ("$ " | "& "), script) => cases.push((
                mark == "$ ",
                Case {
                    file: file.clone(),
                    script: format!("{setup}{script}"),
                    expected: String::new(),
                },
            )),
            ("% ", line) => writeln!(setup, "{line}").unwrap(),
            _ if line.is_empty() => {}
            (start, rest) => {
                if let Some((_, case)) = cases.last_mut() {
                    if start == "> " {
                        write!(case.script, "\n{rest}").unwrap();
                    } else {
                        writeln!(case.expected, "{line}").unwrap();
                    }
                }
            }
        }
    }
    cases
        .into_iter()
        .filter(|(inside, _)| *inside)
        .map(|(_, case)| case)
        .collect()
}

fn run(base: &Sandbox, case: &Case) -> String {
    // Some commands ask whether there is an input.
    let exec = Exec::new(format!("exec < /dev/null\n{}", case.script))
        .cwd("/root/case")
        .env("LC_ALL", "C.UTF-8")
        .env("TZ", "UTC");
    let result = base.fork().exec(exec).unwrap();
    let text = result.stdout_text();
    let mut shown = String::new();
    for line in text.split_inclusive('\n') {
        writeln!(shown, "  {}", line.trim_end_matches('\n')).unwrap();
    }
    if !text.is_empty() && !text.ends_with('\n') {
        shown.push_str("\\\n");
    }
    if result.exit_code != 0 {
        writeln!(shown, "[{}]", result.exit_code).unwrap();
    }
    shown
}

#[test]
fn commands_print_inside_what_the_tools_of_debian_print() {
    let paths = recorded();
    let all: Vec<Case> = paths.iter().flat_map(|path| cases(path)).collect();
    let base = Sandbox::builder()
        .user(root_user())
        .build_blocking()
        .unwrap();
    check(&base, &all);
}

/// Root, in a home of its own, as the cases were recorded.
pub(crate) fn root_user() -> User {
    User {
        name: "root".to_owned(),
        uid: 0,
        gid: 0,
        home: "/root".to_owned(),
        ..User::default()
    }
}

/// Runs each case in a fork of the sandbox, several at once.
pub(crate) fn check(base: &Sandbox, all: &[Case]) {
    assert!(!all.is_empty());
    base.mkdir("/root/case", true).unwrap();
    let (next, failed) = (AtomicUsize::new(0), Mutex::new(String::new()));
    let work = || {
        while let Some(case) = all.get(next.fetch_add(1, Ordering::Relaxed)) {
            let got = run(base, case);
            if got != case.expected {
                let Case {
                    file,
                    script,
                    expected,
                } = case;
                writeln!(
                    failed.lock().unwrap(),
                    "{file}: $ {script}\nexpected\n{expected}got\n{got}"
                )
                .unwrap();
            }
        }
    };
    std::thread::scope(|scope| {
        for _ in 0..std::thread::available_parallelism().map_or(2, usize::from) {
            scope.spawn(work);
        }
    });
    let failed = failed.into_inner().unwrap();
    assert!(failed.is_empty(), "{failed}");
}
