//! Random sessions in kept sandboxes, with forks, suspends, kills and collections between, against the same
//! scripts in fresh ones: no hang, no difference, no growth.
//!
//! A few seconds by default, a minute with `OFFSHOOT_SLOW_TESTS`, as long as `OFFSHOOT_SOAK` says
//! in seconds. `OFFSHOOT_SOAK_SEED` repeats one. The scripts are those that agents sent, where the
//! conformance cases are there (`CONFORMANCE`, or `shared/conformance` beside the checkout), and a
//! table of ours.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]
#![cfg(unix)]

use base64::Engine;
use base64::prelude::BASE64_STANDARD;
use serde_json::Value;
use std::collections::HashMap;
use std::fmt::Write as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::{Duration, Instant};

/// Longer than any command here takes, on whatever machine: what lasts longer hangs.
const HANG: Duration = Duration::from_secs(600);

/// Sandboxes that are kept at most.
const KEPT: usize = 6;

const OWN: [(&str, &str); 12] = [
    (
        "lines",
        "seq 1 500 | awk '{s+=$1} END {print s}'; seq 9 | tac | paste -sd,",
    ),
    (
        "tree",
        "mkdir -p a/b/c; for i in 1 2 3; do echo $i > a/b/$i; done; find . -type f | sort | xargs cat",
    ),
    (
        "git",
        "git init -q r; cd r; echo 1 > f; git add f; git -c user.name=a -c user.email=a@b commit -qm one; git log --format=%s; git status --short",
    ),
    (
        "json",
        "echo '{\"a\":[1,2,{\"b\":3}]}' > d; jq -c '.a[2].b, (.a|length)' d",
    ),
    (
        "archive",
        "mkdir d; seq 100 > d/x; tar czf d.tgz d; rm -r d; tar xzf d.tgz; cksum < d/x",
    ),
    (
        "sql",
        "sqlite3 t.db 'create table t(a); insert into t values(1),(2); select sum(a) from t'",
    ),
    (
        "functions",
        "f() { local n=$1; ((n < 2)) && echo 1 || echo $((n * $(f $((n - 1))))); }; f 9",
    ),
    (
        "traps",
        "trap 'echo bye' EXIT; set -e; (exit 3) || echo caught $?; false; echo never",
    ),
    (
        "jobs",
        "for i in 3 1 2; do (sleep 0.0$i; echo $i) & done; wait; echo all",
    ),
    (
        "sort",
        "seq 3000 -1 1 | sort -n | uniq | head -3; printf '%s\\n' b a c | sort -r",
    ),
    (
        "read",
        "printf 'a b\\nc d\\n' | while read -r x y; do echo \"$y $x\"; done",
    ),
    (
        "sed",
        "printf 'one\\ntwo\\n' > f; sed -i 's/o/0/g' f; cat f; diff <(echo one) f; echo $?",
    ),
];

#[derive(Clone)]
struct Case {
    name: String,
    script: String,
}

struct Random(u64);

impl Random {
    fn below(&mut self, end: usize) -> usize {
        self.0 ^= self.0 << 13;
        self.0 ^= self.0 >> 7;
        self.0 ^= self.0 << 17;
        (self.0 >> 11) as usize % end
    }
}

/// What a case is in a directory that is new, whatever ran before.
fn whole(name: &str, script: &str, files: &[(String, String)]) -> Case {
    let mut text = String::from(
        "cd / && rm -rf /home/user/case /tmp/* && mkdir -p /home/user/case && cd /home/user/case\n",
    );
    for (path, content) in files {
        let encoded = BASE64_STANDARD.encode(content);
        let quoted = format!("'{}'", path.replace('\'', r"'\''"));
        writeln!(
            text,
            "mkdir -p \"$(dirname -- {quoted})\"; base64 -d > {quoted} <<< '{encoded}'"
        )
        .unwrap();
    }
    Case {
        name: name.to_owned(),
        script: text + script,
    }
}

/// Whether `tee` writes over a file that the script has named before: who comes first, the reader of the
/// file or `tee`, is chance.
fn races(script: &str) -> bool {
    let mut parts = script.match_indices("| tee ");
    parts.any(|(at, tee)| {
        let file = script[at + tee.len()..].split_whitespace().next();
        file.is_some_and(|file| script[..at].contains(file))
    })
}

fn recorded() -> Vec<Case> {
    let beside = Path::new(env!("CARGO_MANIFEST_DIR")).join("../../../shared/conformance");
    let folder = std::env::var_os("CONFORMANCE").map_or(beside, PathBuf::from);
    let Ok(lines) = std::fs::read_to_string(folder.join("open.jsonl")) else {
        return Vec::new();
    };
    let mut cases = Vec::new();
    for line in lines.lines() {
        let case: Value = serde_json::from_str(line).unwrap();
        let plain = case["suite"] == "agent"
            && case["skip"].is_null()
            && case["stdin"].is_null()
            && case["needs"].as_array().is_some_and(Vec::is_empty);
        if !plain {
            continue;
        }
        let here = |text: &str| text.replace("@CWD@", "/home/user/case");
        let files = case["files"].as_object().into_iter().flatten();
        let files: Vec<_> = files
            .filter_map(|(path, content)| Some((path.clone(), here(content.as_str()?))))
            .collect();
        let (name, script) = (
            case["name"].as_str().unwrap(),
            case["script"].as_str().unwrap(),
        );
        if races(script) {
            continue;
        }
        cases.push(whole(name, &here(script), &files));
    }
    cases
}

struct Soak {
    store: PathBuf,
    random: Random,
    /// What a case does in a fresh sandbox; none where it does not do the same each time.
    fresh: HashMap<String, Option<(i32, String)>>,
}

impl Soak {
    fn start(&self, words: &[&str]) -> Child {
        Command::new(env!("CARGO_BIN_EXE_offshoot"))
            .args(words)
            .env("OFFSHOOT_STORE", &self.store)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .spawn()
            .unwrap()
    }

    /// The status and both outputs of a command, which must end.
    fn end(child: Child, what: &str) -> (i32, String, String) {
        let pid = child.id();
        let (tell, told) = std::sync::mpsc::channel();
        let reader = std::thread::spawn(move || {
            let output = child.wait_with_output();
            let _ = tell.send(());
            output.unwrap()
        });
        if told.recv_timeout(HANG).is_err() {
            let _ = Command::new("kill").args(["-9", &pid.to_string()]).status();
            panic!("{what} hangs");
        }
        let output = reader.join().unwrap();
        let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
        let status = output.status.code().unwrap_or(-1);
        (status, text(&output.stdout), text(&output.stderr))
    }

    fn run(&self, words: &[&str]) -> (i32, String, String) {
        Soak::end(self.start(words), &format!("{words:?}"))
    }

    fn must(&self, words: &[&str]) -> String {
        let (status, stdout, stderr) = self.run(words);
        assert_eq!(status, 0, "{words:?}: {stdout}{stderr}");
        stdout
    }

    /// What a case does where nothing ran before, where that is always the same.
    fn expected(&mut self, case: &Case) -> Option<(i32, String)> {
        if let Some(known) = self.fresh.get(&case.name) {
            return known.clone();
        }
        let run = || {
            let (status, stdout, _) = self.run(&["run", "-c", &case.script]);
            (status, stdout)
        };
        let first = run();
        let found = (first == run()).then_some(first);
        self.fresh.insert(case.name.clone(), found.clone());
        found
    }

    /// Runs a case in a kept sandbox, with what may happen to it meanwhile.
    fn play(&mut self, name: &str, case: &Case) -> (i32, String) {
        let words = ["exec", name, "-c", &case.script];
        match self.random.below(6) {
            // Killed somewhere on its way, and run again.
            0 => {
                let mut killed = self.start(&words);
                let pause = self.random.below(400) as u64;
                std::thread::sleep(Duration::from_millis(pause));
                killed.kill().unwrap();
                let _ = killed.wait();
                let (status, stdout, _) = self.run(&words);
                (status, stdout)
            }
            // Put to sleep somewhere on its way, and resumed in another process.
            1 => {
                let running = self.start(&words);
                let pause = self.random.below(400) as u64;
                std::thread::sleep(Duration::from_millis(pause));
                self.must(&["suspend", name]);
                let (mut status, mut stdout, errors) = Soak::end(running, "a suspended exec");
                if status == 75 && errors.contains("--resume") {
                    let (resumed, rest, _) = self.run(&["exec", name, "--resume"]);
                    status = resumed;
                    stdout += &rest;
                }
                (status, stdout)
            }
            _ => {
                let (status, stdout, _) = self.run(&words);
                (status, stdout)
            }
        }
    }
}

fn size(path: &Path) -> u64 {
    let entries = std::fs::read_dir(path).unwrap().flatten();
    let length = |entry: std::fs::DirEntry| match entry.metadata() {
        Ok(data) if data.is_dir() => size(&entry.path()),
        data => data.map_or(0, |data| data.len()),
    };
    entries.map(length).sum()
}

fn number(name: &str) -> Option<u64> {
    std::env::var(name).ok()?.parse().ok()
}

#[test]
fn sessions_in_kept_sandboxes_are_as_in_fresh_ones() {
    let slow = std::env::var_os("OFFSHOOT_SLOW_TESTS").is_some();
    let seconds = number("OFFSHOOT_SOAK").unwrap_or(if slow { 60 } else { 5 });
    let seed = number("OFFSHOOT_SOAK_SEED");
    let seed = seed.unwrap_or_else(|| u64::from(std::process::id()) << 32 | 0x9e37_79b9);
    let folder = tempfile::tempdir().unwrap();
    let mut soak = Soak {
        store: folder.path().join("store"),
        random: Random(seed | 1),
        fresh: HashMap::new(),
    };
    let mut cases = recorded();
    cases.extend(OWN.map(|(name, script)| whole(name, script, &[])));
    soak.must(&["create", "first", "--history", "5"]);
    let mut names = vec!["first".to_owned()];
    let (end, mut made, mut played, mut odd) =
        (Instant::now() + Duration::from_secs(seconds), 0, 0, 0);
    while Instant::now() < end {
        let case = cases[soak.random.below(cases.len())].clone();
        let Some(expected) = soak.expected(&case) else {
            odd += 1;
            continue;
        };
        let name = names[soak.random.below(names.len())].clone();
        let found = soak.play(&name, &case);
        assert_eq!(
            found, expected,
            "seed {seed}, {}, in {name}:\n{}",
            case.name, case.script
        );
        played += 1;
        match soak.random.below(12) {
            0 | 1 if names.len() < KEPT => {
                made += 1;
                let branch = format!("branch-{made}");
                soak.must(&["fork", &name, &branch]);
                names.push(branch);
            }
            2 if names.len() > 1 => {
                let gone = names.swap_remove(soak.random.below(names.len()));
                soak.must(&["rm", &gone]);
            }
            3 => drop(soak.must(&["gc", "--grace", "0"])),
            4 => {
                soak.must(&["snapshot", &name, "label"]);
                soak.must(&["restore", &name, &format!("{name}@label")]);
            }
            5 => drop(soak.must(&["resume", &name])),
            _ => {}
        }
    }
    soak.must(&["fsck"]);
    let sandboxes: Value = serde_json::from_str(&soak.must(&["ls", "--json"])).unwrap();
    let asleep = |info: &Value| info["state"] == "suspended";
    assert!(
        sandboxes.as_array().unwrap().iter().all(asleep),
        "{sandboxes}"
    );
    for name in &names {
        soak.must(&["rm", name]);
    }
    soak.must(&["gc", "--grace", "0"]);
    // The reserve, and what a database takes that was emptied.
    let left = size(&soak.store);
    println!("seed {seed}: {played} sessions, {made} forks, {odd} left out, {left} bytes left");
    assert!(left < 2 << 20, "{left} bytes are left of {played} sessions");
    assert_eq!(
        std::fs::read_dir(soak.store.join("owners")).map_or(0, Iterator::count),
        0
    );
}
