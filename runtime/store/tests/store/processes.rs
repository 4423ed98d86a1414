//! D10: several processes on one SQLite store, each killed at any moment.

use std::io::{BufRead, BufReader};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;

use offshoot_store::{Capture, SqliteStore, State, Store, Transition};
use offshoot_vfs::Options;

use crate::support::*;

/// Tells a process that it is a child, and where the store is.
const STORE: &str = "OFFSHOOT_TEST_STORE";

/// Not a test of its own: what a child does until it is killed. It saves one state after the other
/// and says so when each is acknowledged.
#[test]
fn child() {
    let Some(path) = std::env::var_os(STORE) else {
        return;
    };
    let name = format!("box-{}", std::process::id());
    let store = Store::sqlite(path).unwrap();
    store.create(&name, None).unwrap();
    let start = Transition::Start(claim(&name));
    let epoch = store.change(&name, None, &start).unwrap().epoch;
    let fs = files(300, 600);
    println!("ready {name}");
    for number in 1u32.. {
        write(&fs, "/number", &number.to_le_bytes());
        write(&fs, "/d0/large", &vec![number as u8; 100_000]);
        let large: bytes::Bytes = vec![number as u8; 70_000].into();
        let capture = Capture {
            sessions: [("s".into(), large)].into(),
            ..Capture::default()
        };
        store.checkpoint(&name, epoch, &fs, &capture).unwrap();
        println!("saved {number}");
    }
}

struct Running {
    child: Child,
    name: String,
    lines: std::io::Lines<BufReader<std::process::ChildStdout>>,
    saved: u32,
}

fn spawn(path: &std::path::Path) -> Running {
    let mut child = Command::new(std::env::current_exe().unwrap())
        .args(["--exact", "processes::child", "--nocapture"])
        .env(STORE, path)
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut lines = BufReader::new(child.stdout.take().unwrap()).lines();
    let name = loop {
        let line = lines.next().unwrap().unwrap();
        if let Some(name) = line.strip_prefix("ready ") {
            break name.to_owned();
        }
    };
    Running {
        child,
        name,
        lines,
        saved: 0,
    }
}

impl Running {
    fn note(&mut self, line: &str) {
        if let Some(number) = line.strip_prefix("saved ") {
            // The last line may be cut off.
            self.saved = number.parse().unwrap_or(self.saved);
        }
    }

    fn wait_for(&mut self, number: u32) {
        while self.saved < number {
            let line = self.lines.next().unwrap().unwrap();
            self.note(&line);
        }
    }

    /// SIGKILL; then what it still said counts.
    fn kill(mut self) -> (String, u32) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
        while let Some(Ok(line)) = self.lines.next() {
            self.note(&line);
        }
        (self.name, self.saved)
    }
}

#[test]
fn two_processes_and_kill_nine() {
    let directory = tempfile::tempdir().unwrap();
    let (sqlite, store) = sqlite(directory.path());
    let mut dead: Vec<(String, u32)> = Vec::new();
    for round in 0..if slow() { 25 } else { 3 } {
        let (mut a, mut b) = (spawn(directory.path()), spawn(directory.path()));
        a.wait_for(2);
        b.wait_for(1 + round % 3);
        dead.push(a.kill());
        // The other one goes on.
        let goal = b.saved + 3;
        b.wait_for(goal);
        dead.push(b.kill());
        sqlite.check_integrity().unwrap();
        let report = store.check(false).unwrap();
        assert!(report.is_clean(), "{report:?}");
        for (name, saved) in &dead {
            let found = store.read(name).unwrap();
            assert_eq!(found.state, State::Running);
            let back = store
                .checkout(found.commit.unwrap(), Options::default())
                .unwrap();
            let number = read(&back.vfs, "/number");
            let number = u32::from_le_bytes(number.try_into().unwrap());
            // The one that was on its way may have come to pass.
            assert!(
                (*saved..=saved + 1).contains(&number),
                "{name}: {number} after {saved}"
            );
            assert_eq!(read(&back.vfs, "/d0/large"), vec![number as u8; 100_000]);
            assert_eq!(back.sessions["s"], vec![number as u8; 70_000]);
        }
    }
    // No lock is left: this process writes at once, and so does a new one.
    store.snapshot("after", &files(10, 10), &capture()).unwrap();
    let mut last = spawn(directory.path());
    last.wait_for(1);
    last.kill();
    sqlite.remove_leftovers().unwrap();
    assert!(store.check(false).unwrap().is_clean());
}

/// Threads and handles of one process, at the same refs.
#[test]
fn t41_many_writers_lose_nothing() {
    let directory = tempfile::tempdir().unwrap();
    let handles: Vec<Store> = (0..3)
        .map(|_| {
            let sqlite = Arc::new(SqliteStore::open(directory.path()).unwrap());
            Store::new(sqlite.clone(), sqlite).unwrap()
        })
        .collect();
    let base = files(200, 100);
    let commit = handles[0]
        .snapshot("base", &base, &capture())
        .unwrap()
        .commit;
    const WRITERS: usize = 12;
    std::thread::scope(|scope| {
        for writer in 0..WRITERS {
            let store = handles[writer % handles.len()].clone();
            scope.spawn(move || {
                let name = format!("branch-{writer:02}");
                store.create(&name, Some(commit)).unwrap();
                let found = store
                    .change(&name, None, &Transition::Resume(claim(&name)))
                    .unwrap();
                let back = store.checkout(commit, Options::default()).unwrap();
                store
                    .change(&name, Some(found.epoch), &Transition::Ready)
                    .unwrap();
                for round in 0..5 {
                    let text = format!("{writer} {round}");
                    write(&back.vfs, "/d1/f1", text.as_bytes());
                    write(
                        &back.vfs,
                        &format!("/only {writer} {round}"),
                        text.as_bytes(),
                    );
                    store
                        .checkpoint(&name, found.epoch, &back.vfs, &Capture::default())
                        .unwrap();
                }
                store
                    .suspend(&name, found.epoch, &back.vfs, &Capture::default())
                    .unwrap();
            });
        }
    });
    let store = &handles[0];
    assert!(store.check(false).unwrap().is_clean());
    for writer in 0..WRITERS {
        let found = store.read(&format!("branch-{writer:02}")).unwrap();
        assert_eq!(found.state, State::Suspended);
        let back = store
            .checkout(found.commit.unwrap(), Options::default())
            .unwrap();
        assert_eq!(read(&back.vfs, "/d1/f1"), format!("{writer} 4").as_bytes());
        let names = back.vfs.read_dir(&ROOT, back.vfs.root(), b"/").unwrap();
        let own = names
            .iter()
            .filter(|entry| entry.name.starts_with(b"only"))
            .count();
        assert_eq!(own, 5, "no sibling's files");
    }
}
