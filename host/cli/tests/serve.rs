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

use base64::Engine;
use base64::engine::general_purpose::STANDARD;
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

    /// What a command writes.
    fn command(&self, (id, token): &(String, String), command: &str) -> String {
        let headers = [
            ("E2b-Sandbox-Id", id.as_str()),
            ("X-Access-Token", token.as_str()),
            ("Content-Type", "application/connect+json"),
        ];
        let words = serde_json::json!(["-c", command]);
        let message =
            format!("{{\"process\":{{\"cmd\":\"/bin/bash\",\"args\":{words}}},\"stdin\":false}}");
        let body = raw::envelope(&message);
        let answer = ask(self.at, "POST /process.Process/Start", &headers, &body);
        assert_eq!(answer.status, 200, "{}", answer.text());
        let text = answer.text();
        let pieces = text.split("\"stdout\":\"").skip(1);
        let pieces = pieces.map(|piece| STANDARD.decode(piece.split('"').next().unwrap()).unwrap());
        String::from_utf8(pieces.flatten().collect()).unwrap()
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

/// The process that runs the server's sandboxes.
#[cfg(target_os = "linux")]
fn worker(server: &Server) -> u32 {
    let id = server.child.id();
    let tasks = std::fs::read_dir(format!("/proc/{id}/task")).unwrap();
    let children = tasks.map(|task| task.unwrap().path().join("children"));
    let children: Vec<u32> = children
        .flat_map(|file| {
            let ids = std::fs::read_to_string(file).unwrap();
            let ids = ids.split_whitespace().map(|id| id.parse().unwrap());
            ids.collect::<Vec<_>>()
        })
        .collect();
    assert_eq!(children.len(), 1, "{children:?}");
    children[0]
}

/// Each thread of a process, with what the kernel tells of it.
#[cfg(target_os = "linux")]
fn threads(process: u32) -> Vec<String> {
    let tasks = format!("/proc/{process}/task");
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
    let own = filters(&std::fs::read_to_string("/proc/self/status").unwrap());
    for (isolation, confine) in [
        ("process", "auto"),
        ("thread", "auto"),
        ("process", "never"),
        ("thread", "never"),
    ] {
        let server = Server::start(&[
            "--store",
            store,
            "--durable",
            "--isolation",
            isolation,
            "--confine",
            confine,
        ]);
        let sandbox = server.sandbox();
        let written = server.file(&sandbox, "POST /files?path=/home/user/a", b"kept");
        assert_eq!(written.status, 200, "{}", written.text());
        let process = match isolation {
            "process" => worker(&server),
            _ => server.child.id(),
        };
        for thread in threads(process) {
            let is_confined = filters(&thread) > own && thread.contains("\nNoNewPrivs:\t1\n");
            assert_eq!(is_confined, confine == "auto", "{isolation} {thread}");
        }
        server.kill();
    }
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
        sandboxes.snapshots(id).log(1_000).await.unwrap().len()
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

/// Whether a text is in the memory of a process, its arguments or its environment.
#[cfg(target_os = "linux")]
fn holds(process: u32, text: &str) -> bool {
    use std::io::{Read, Seek, SeekFrom};
    let maps = std::fs::read_to_string(format!("/proc/{process}/maps")).unwrap();
    let mut memory = std::fs::File::open(format!("/proc/{process}/mem")).unwrap();
    maps.lines().any(|line| {
        let mut words = line.split_whitespace();
        let (range, rights) = (words.next().unwrap(), words.next().unwrap());
        let (from, to) = range.split_once('-').unwrap();
        let from = u64::from_str_radix(from, 16).unwrap();
        let length = u64::from_str_radix(to, 16).unwrap() - from;
        let mut content = Vec::new();
        // Only what was written is a process's own; address space that is only reserved is not read.
        if !rights.starts_with("rw") || length > 1 << 30 {
            return false;
        }
        let read = memory.seek(SeekFrom::Start(from));
        let read = read.and_then(|_| (&memory).take(length).read_to_end(&mut content));
        read.is_ok_and(|_| memchr::memmem::find(&content, text.as_bytes()).is_some())
    })
}

/// A server of the host that answers every request with its authorization.
fn echo() -> SocketAddr {
    use std::io::Write;
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines
                .map_while(Result::ok)
                .take_while(|line| !line.is_empty());
            let sent: Vec<String> = lines
                .filter(|line| line.starts_with("Authorization: "))
                .collect();
            let body = format!("{} lines: {}\n", sent.len(), sent.join(" "));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    at
}

#[cfg(target_os = "linux")]
#[test]
fn t58_what_runs_sandboxes_has_no_secret_and_its_death_ends_commands_only() {
    let folder = tempfile::tempdir().unwrap();
    let store = folder.path().to_str().unwrap();
    let at = format!("http://{}", echo());
    let secret = format!("{at} Authorization: Bearer canary-of-the-host");
    let rest = ["--durable", "--network", &at, "--secret", &secret];
    let server = Server::start(&[&["--store", store][..], &rest].concat());
    let sandbox = server.sandbox();
    let said = server.command(
        &sandbox,
        &format!("curl -s {at}/; echo $?; echo kept > /home/user/a"),
    );
    assert_eq!(said, "1 lines: Authorization: [secret]\n0\n");
    let first = worker(&server);
    assert!(!holds(first, "canary-of-the-host"));
    assert!(
        holds(server.child.id(), "canary-of-the-host"),
        "the search finds nothing anywhere"
    );
    let killed = std::process::Command::new("kill")
        .args(["-9", &first.to_string()])
        .status();
    assert!(killed.unwrap().success());
    // Whoever asks meanwhile waits for the next one.
    let answer = server.file(&sandbox, "GET /files?path=/home/user/a", b"");
    assert_eq!((answer.status, answer.text().as_str()), (200, "kept\n"));
    assert_ne!(worker(&server), first);
    let said = server.command(&sandbox, &format!("curl -s {at}/"));
    assert_eq!(said, "1 lines: Authorization: [secret]\n");
}
