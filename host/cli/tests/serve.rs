//! `offshoot serve`, the real one, killed with no time to say goodbye.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    dead_code,
    reason = "a test fails by panicking, and uses a part of what it shares"
)]

#[path = "../../server/tests/raw/mod.rs"]
mod raw;

use offshoot::lifecycle::{Sandboxes, Store};
use raw::{Answer, ask};
use std::io::{BufRead, BufReader};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Stdio};
use std::time::Duration;

const KEY: &str = "e2b_key";

/// A server of its own process.
struct Server {
    child: Child,
    at: SocketAddr,
    /// What it prints, read no further.
    _stdout: BufReader<ChildStdout>,
}

impl Server {
    fn start(words: &[&str]) -> Server {
        let mut child = Command::new(env!("CARGO_BIN_EXE_offshoot"))
            .args(["serve", "--e2b", "--listen", "127.0.0.1:0"])
            .args(words)
            .env("OFFSHOOT_E2B_KEY", KEY)
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let at = line.trim().rsplit('/').next().unwrap().parse().unwrap();
        Server {
            child,
            at,
            _stdout: stdout,
        }
    }

    /// SIGKILL.
    fn kill(mut self) {
        self.child.kill().unwrap();
        self.child.wait().unwrap();
    }

    fn control(&self, line: &str, body: &str) -> Answer {
        ask(self.at, line, &[("X-API-Key", KEY)], body.as_bytes())
    }

    fn file(&self, (id, token): &(String, String), line: &str, body: &[u8]) -> Answer {
        let headers = [
            ("E2b-Sandbox-Id", id.as_str()),
            ("X-Access-Token", token.as_str()),
            ("Content-Type", "application/octet-stream"),
        ];
        ask(self.at, line, &headers, body)
    }

    fn sandbox(&self) -> (String, String) {
        let made = self.control(
            "POST /sandboxes",
            "{\"templateID\":\"base\",\"timeout\":3600}",
        );
        assert_eq!(made.status, 201, "{}", made.text());
        (made.field("sandboxID"), made.field("envdAccessToken"))
    }
}

impl Drop for Server {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// Each thread of the server, with what the kernel tells of it.
#[cfg(target_os = "linux")]
fn threads(server: &Server) -> Vec<String> {
    let tasks = format!("/proc/{}/task", server.child.id());
    let tasks = std::fs::read_dir(tasks).unwrap();
    let status = |task: std::fs::DirEntry| std::fs::read_to_string(task.path().join("status"));
    tasks.map(|task| status(task.unwrap()).unwrap()).collect()
}

/// How many filters of system calls a thread has.
#[cfg(target_os = "linux")]
fn filters(status: &str) -> u32 {
    let mut lines = status.lines();
    let found = lines.find_map(|line| line.strip_prefix("Seccomp_filters:"));
    found.unwrap().trim().parse().unwrap()
}

#[cfg(target_os = "linux")]
#[test]
fn t57_all_threads_of_a_server_are_confined_and_it_serves() {
    let place = tempfile::tempdir().unwrap();
    let store = place.path().join("new/store");
    let store = store.to_str().unwrap();
    let server = Server::start(&["--store", store, "--durable"]);
    let sandbox = server.sandbox();
    let written = server.file(&sandbox, "POST /files?path=/home/user/a", b"kept");
    assert_eq!(written.status, 200, "{}", written.text());
    let own = filters(&std::fs::read_to_string("/proc/self/status").unwrap());
    for thread in threads(&server) {
        assert!(thread.contains("\nNoNewPrivs:\t1\n"), "{thread}");
        assert!(filters(&thread) > own, "{thread}");
    }
    server.kill();
    let free = Server::start(&["--store", store, "--confine", "never"]);
    let read = free.file(&sandbox, "GET /files?path=/home/user/a", b"");
    assert_eq!((read.status, read.text().as_str()), (200, "kept"));
    assert!(threads(&free).iter().all(|thread| filters(thread) == own));
    free.kill();
}

#[test]
fn what_was_answered_outlives_the_process() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().to_str().unwrap();
    let words = ["--store", store, "--durable"];
    let mut server = Server::start(&words);
    let sandbox = server.sandbox();
    for round in 0..3 {
        let content = format!("round {round}");
        let line = format!("POST /files?path=/home/user/{round}");
        let answer = server.file(&sandbox, &line, content.as_bytes());
        assert_eq!(answer.status, 200, "{}", answer.text());
        server.kill();
        server = Server::start(&words);
        // Nothing is refused, whatever comes first.
        if round % 2 == 0 {
            let line = format!("POST /sandboxes/{}/connect", sandbox.0);
            let answer = server.control(&line, "{\"timeout\":3600}");
            assert!([200, 201].contains(&answer.status), "{}", answer.text());
        }
        for earlier in 0..=round {
            let line = format!("GET /files?path=/home/user/{earlier}");
            let answer = server.file(&sandbox, &line, b"");
            assert_eq!(answer.text(), format!("round {earlier}"), "of {round}");
        }
    }
}

#[test]
fn what_was_answered_is_soon_durable() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().to_str().unwrap();
    let words = ["--store", store, "--durable-within", "100ms"];
    let server = Server::start(&words);
    let sandbox = server.sandbox();
    let before = states(folder.path(), &sandbox.0);
    let answer = server.file(&sandbox, "POST /files?path=/home/user/a", b"kept");
    assert_eq!(answer.status, 200, "{}", answer.text());
    while states(folder.path(), &sandbox.0) == before {
        std::thread::sleep(Duration::from_millis(20));
    }
    server.kill();
    let server = Server::start(&words);
    let answer = server.file(&sandbox, "GET /files?path=/home/user/a", b"");
    assert_eq!(answer.text(), "kept");
}

/// How many states of a sandbox are stored.
fn states(store: &Path, id: &str) -> usize {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    runtime.block_on(async {
        let sandboxes = Sandboxes::open(Store::sqlite(store).unwrap());
        sandboxes.log(id, 1_000).await.unwrap().len()
    })
}

#[test]
fn folders_of_the_host_are_in_every_sandbox() {
    let folder = tempfile::tempdir().unwrap();
    std::fs::write(folder.path().join("given"), "of the host").unwrap();
    let mount = format!("{}:/data", folder.path().display());
    let server = Server::start(&["--mount", &mount]);
    let sandbox = server.sandbox();
    let answer = server.file(&sandbox, "GET /files?path=/data/given", b"");
    assert_eq!(answer.text(), "of the host");
    let answer = server.file(&sandbox, "POST /files?path=/data/new", b"x");
    assert_eq!(answer.status, 403, "{}", answer.text());
}
