//! The machine's bash, which pipelines are compared with.

use std::io::{Read as _, Write as _};
use std::os::unix::fs::{PermissionsExt as _, symlink};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

use super::Outcome;
use super::draw::{self, BIG, Pipeline};
use crate::watchdog::{LOOK, Moved, STILL, ticks};

/// Ticks of the processor between two looks that are no work.
const IDLE: u64 = 3;

/// The embedder's commands for the machine's bash, and the file `big`.
pub(super) fn tools() -> tempfile::TempDir {
    let tools = tempfile::tempdir().unwrap();
    let scripts = [
        ("slow", "exec cat"),
        (
            "gulp",
            "x=$(mktemp); cat > $x; cat $x; s=$?; rm $x; exit $s",
        ),
        ("first", "exec head -c $1"),
        ("gen", "exec head -c $1 ${0%/*}/big"),
    ];
    for (name, script) in scripts {
        let path = tools.path().join(name);
        std::fs::write(&path, format!("#!/bin/bash\n{script}\n")).unwrap();
        std::fs::set_permissions(&path, std::fs::Permissions::from_mode(0o755)).unwrap();
    }
    std::fs::write(tools.path().join("big"), draw::text(BIG)).unwrap();
    tools
}

/// What bash makes of it; nothing where bash itself stands still, which it does with some pipelines.
pub(super) fn outcome(pipeline: &Pipeline, tools: &Path) -> Option<Outcome> {
    let directory = tempfile::tempdir().unwrap();
    symlink(tools.join("big"), directory.path().join("big")).unwrap();
    let mut child = Command::new("bash")
        .args(["-c", &pipeline.script])
        .current_dir(&directory)
        .env_clear()
        .env("PATH", format!("{}:/usr/bin:/bin", tools.display()))
        .env("LC_ALL", "C.UTF-8")
        .stdin(Stdio::piped())
        .stdout(Stdio::piped())
        .stderr(Stdio::null())
        .process_group(0)
        .spawn()
        .expect("the oracle, bash, is not installed");
    let moved = Arc::new(Moved::default());
    let mut stdin = child.stdin.take().unwrap();
    let bytes = pipeline.stdin.clone();
    let writer = std::thread::spawn(move || {
        let _ = stdin.write_all(&bytes);
    });
    let ended = Arc::new(AtomicBool::new(false));
    let watchdog = {
        let (moved, ended, group) = (moved.clone(), ended.clone(), child.id());
        std::thread::spawn(move || watch(&moved, &ended, group))
    };
    let stdout = collect(&mut child, &moved);
    let status = child.wait().unwrap();
    ended.store(true, Ordering::Relaxed);
    watchdog.thread().unpark();
    writer.join().unwrap();
    let gave_up = watchdog.join().unwrap();
    (!gave_up).then(|| Outcome {
        status: status
            .code()
            .or(status.signal().map(|number| 128 + number))
            .unwrap(),
        stdout,
    })
}

fn collect(child: &mut Child, moved: &Moved) -> Vec<u8> {
    let mut stream = child.stdout.take().unwrap();
    let (mut all, mut buffer) = (Vec::new(), [0; 65_536]);
    loop {
        match stream.read(&mut buffer).unwrap() {
            0 => return all,
            count => {
                moved.add(count);
                all.extend_from_slice(&buffer[..count]);
            }
        }
    }
}

/// Ends the processes of a group where neither bytes nor the processor move; says whether it did.
fn watch(moved: &Moved, ended: &AtomicBool, group: u32) -> bool {
    let (mut last, mut still) = ((0, 0), 0);
    while !ended.load(Ordering::Relaxed) {
        std::thread::park_timeout(LOOK);
        let now = (moved.count(), group_ticks(group));
        // Bash wakes now and then although nothing comes.
        still = match now.0 == last.0 && now.1 <= last.1 + IDLE {
            true => still + 1,
            false => 0,
        };
        last = now;
        if still >= STILL {
            let killed = Command::new("kill")
                .args(["-9", "--", &format!("-{group}")])
                .status();
            return killed.unwrap().success();
        }
    }
    false
}

/// Processor time of the processes of a group, in ticks.
fn group_ticks(group: u32) -> u64 {
    let processes = std::fs::read_dir("/proc").unwrap().flatten();
    let stats =
        processes.filter_map(|entry| std::fs::read_to_string(entry.path().join("stat")).ok());
    let group = group.to_string();
    stats
        .filter(|stat| {
            let fields = stat.rsplit(')').next().unwrap_or_default();
            fields.split_whitespace().nth(2) == Some(&*group)
        })
        .map(|stat| ticks(&stat))
        .sum()
}
