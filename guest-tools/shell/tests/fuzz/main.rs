//! Random scripts: bounded ones from a grammar must do what bash does, arbitrary bytes must end.
//!
//! Both are a driver, for as long as they are told; arbitrary bytes run where `OFFSHOOT_SLOW_TESTS` is
//! set as well:
//!
//! ```sh
//! OFFSHOOT_FUZZ_SECONDS=3600 OFFSHOOT_FUZZ_SEED=7 \
//!     cargo test -p offshoot-shell --features linked --test fuzz -- --nocapture
//! ```
//!
//! Scripts that differed and were mended are rows of `../scripts.txt`.
#![cfg(feature = "linked")]
#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "tests"
)]

mod grammar;
mod known;
mod random;

use std::os::unix::process::CommandExt;
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::{Duration, Instant};

use grammar::Grammar;
use offshoot_shell::machine::Budgets;
use offshoot_shell::sandbox::{ExecOptions, Options, Sandbox};
use random::Random;

/// Scripts of each kind where no time is given.
const SCRIPTS: u64 = 400;
/// Differences after which a run stops, where `OFFSHOOT_FUZZ_FINDINGS` names no other number.
const ENOUGH: u64 = 8;

/// What a script did.
#[derive(Debug, PartialEq, Eq)]
struct Effect {
    status: i32,
    stdout: String,
    stderr: String,
}

fn setting(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

fn is_driver() -> bool {
    setting("OFFSHOOT_FUZZ_SECONDS").is_some()
}

fn is_slow() -> bool {
    is_driver() || std::env::var_os("OFFSHOOT_SLOW_TESTS").is_some()
}

/// The numbers of the scripts of this run.
fn rounds() -> impl Iterator<Item = u64> {
    let first = setting("OFFSHOOT_FUZZ_SEED").unwrap_or(1) * 1_000_000;
    let until = setting("OFFSHOOT_FUZZ_SECONDS").map(|seconds| {
        let begin = Instant::now();
        move || begin.elapsed() < Duration::from_secs(seconds)
    });
    (first..).take_while(move |number| match &until {
        Some(running) => running(),
        None => *number < first + SCRIPTS,
    })
}

fn directory() -> PathBuf {
    let path = std::env::temp_dir().join(format!("shell-fuzz-{}", std::process::id()));
    let _ = std::fs::remove_dir_all(&path);
    std::fs::create_dir_all(&path).unwrap();
    path
}

/// Output with its messages without the numbers of lines: `../language.txt` has those.
fn messages(bytes: &[u8]) -> String {
    let text = String::from_utf8_lossy(bytes);
    let mut result = String::with_capacity(text.len());
    for (index, piece) in text.split("line ").enumerate() {
        let digits = piece.bytes().take_while(u8::is_ascii_digit).count();
        if index == 0 || digits == 0 {
            result.push_str(if index == 0 { "" } else { "line " });
            result.push_str(piece);
        } else {
            result.push_str("line N");
            result.push_str(&piece[digits..]);
        }
    }
    result
}

fn bash(script: &str) -> Effect {
    let directory = directory();
    // By its path, since PATH leads nowhere.
    let output = Command::new("/bin/bash")
        .arg0("bash")
        .args(["-c", script])
        .current_dir(&directory)
        .stdin(Stdio::null())
        .env_clear()
        .env("PATH", "/nothing")
        .env("HOME", "/nothing/home")
        .env("LC_ALL", "C.UTF-8")
        .output()
        .unwrap();
    std::fs::remove_dir_all(&directory).unwrap();
    Effect {
        status: output.status.code().unwrap_or(-1),
        stdout: messages(&output.stdout),
        stderr: messages(&output.stderr),
    }
}

/// More than a bounded script needs: what goes beyond is no case, since bash has no such limits and
/// would go on for hours.
const BOUNDS: Budgets = Budgets {
    steps: 200_000,
    depth: 200,
    output: 1_000_000,
    expansion: 1_000_000,
    variables: 16_000_000,
};

/// None where the script goes beyond its bounds.
fn ours(script: &str) -> Option<Effect> {
    let variables = [
        ("LC_ALL", "C.UTF-8"),
        ("PATH", "/nothing"),
        ("HOME", "/nothing/home"),
    ];
    let variables =
        variables.map(|(name, value)| (name.as_bytes().to_vec(), value.as_bytes().to_vec()));
    let sandbox = Sandbox::new(Options {
        environment: variables.to_vec(),
        budgets: BOUNDS,
        ..Options::default()
    })
    .unwrap();
    let result = sandbox
        .exec(script.as_bytes(), &ExecOptions::default())
        .unwrap();
    result.exceeded.is_none().then(|| Effect {
        status: i32::from(result.status),
        stdout: messages(&result.stdout),
        stderr: messages(&result.stderr),
    })
}

/// How often bash is asked where it does something else: the stages of a pipeline print in an order that
/// is chance.
const ASKED: usize = 4;

/// What bash does and what we do, where that is never the same and no defect of bash.
fn difference(script: &str) -> Option<(Effect, Effect)> {
    let ours = ours(script)?;
    let mut differing = None;
    for _ in 0..ASKED {
        let bash = bash(script);
        if bash == ours || known::reason(script, &bash, &ours).is_some() {
            return None;
        }
        differing = Some(bash);
    }
    Some((differing?, ours))
}

/// Leaves lines out as long as the rest still differs.
fn reduced(lines: Vec<String>) -> Vec<String> {
    let mut lines = lines;
    let mut at = 0;
    while at < lines.len() {
        let mut shorter = lines.clone();
        shorter.remove(at);
        if difference(&shorter.join("\n")).is_some() {
            lines = shorter;
        } else {
            at += 1;
        }
    }
    lines
}

#[test]
fn scripts_of_the_grammar_do_what_bash_does() {
    if !is_driver() {
        return;
    }
    let enough = setting("OFFSHOOT_FUZZ_FINDINGS").unwrap_or(ENOUGH);
    let mut found = Vec::new();
    let mut count = 0;
    for number in rounds() {
        count += 1;
        let lines = Grammar::new(Random::new(number)).script();
        if difference(&lines.join("\n")).is_none() {
            continue;
        }
        let script = reduced(lines).join("\n");
        let Some((expected, got)) = difference(&script) else {
            continue;
        };
        found.push(format!(
            "script {number}:\n{script}\nbash:  {expected:?}\nshell: {got:?}\n"
        ));
        if found.len() as u64 >= enough {
            break;
        }
    }
    println!("{count} scripts of the grammar");
    assert!(
        found.is_empty(),
        "{} scripts differ\n{}",
        found.len(),
        found.join("\n")
    );
}

#[test]
fn arbitrary_bytes_end() {
    if !is_slow() {
        return;
    }
    let budgets = Budgets {
        steps: 20_000,
        depth: 60,
        output: 100_000,
        expansion: 100_000,
        variables: 1_000_000,
    };
    let mut count = 0;
    for number in rounds() {
        count += 1;
        let text = random::bytes(&mut Random::new(number));
        let sandbox = Sandbox::new(Options {
            budgets,
            ..Options::default()
        })
        .unwrap();
        // An error is a result too; a panic or a hang is none.
        let _ = sandbox.exec(&text, &ExecOptions::default());
    }
    println!("{count} scripts of arbitrary bytes");
}
