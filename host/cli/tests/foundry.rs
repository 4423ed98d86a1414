//! `offshoot build --target foundry-hosted-agent`, and what its image runs: started as the image says, in a directory
//! of the test, with the variables that Foundry fills.

#![cfg(unix)]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    dead_code,
    reason = "a test fails by panicking, and uses a part of what it shares"
)]

#[path = "../../server/tests/raw/mod.rs"]
mod raw;

use raw::{Answer, ask};
use serde_json::{Value, json};
use std::io::{BufRead, BufReader, Write};
use std::net::SocketAddr;
use std::path::Path;
use std::process::{Child, ChildStdout, Command, Output, Stdio};

const SECRET: &str = "canary-of-the-vault";

fn build(directory: &Path, words: &[&str]) -> Output {
    Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(["build", "--target", "foundry-hosted-agent"])
        .args(["--name", "boxes", "--image", "registry.example/boxes:1"])
        .args(words)
        .arg(directory)
        .stdin(Stdio::null())
        .output()
        .unwrap()
}

/// The container of a session.
struct Container {
    child: Child,
    at: SocketAddr,
    _stdout: BufReader<ChildStdout>,
}

impl Container {
    /// Starts what a recipe's last line says.
    fn start(context: &Path, home: &Path) -> Container {
        let recipe = std::fs::read_to_string(context.join("Dockerfile")).unwrap();
        let entry = recipe.lines().last().unwrap();
        let entry = entry.strip_prefix("ENTRYPOINT ").unwrap();
        let words: Vec<String> = serde_json::from_str(entry).unwrap();
        let home = home.to_str().unwrap();
        let here = |word: &String| {
            let word = word.replace("/home/agent", home);
            word.replace("0.0.0.0:8088", "127.0.0.1:0")
        };
        let mut child = Command::new(context.join(&words[0]))
            .args(words[1..].iter().map(here))
            .env_clear()
            .env("HOME", home)
            .env("FOUNDRY_AGENT_SESSION_ID", "session-1")
            .env("API_KEY", SECRET)
            .stdin(Stdio::null())
            .stdout(Stdio::piped())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut stdout = BufReader::new(child.stdout.take().unwrap());
        stdout.read_line(&mut line).unwrap();
        let at = line.trim().strip_prefix("http://").unwrap();
        let at = at.strip_suffix("/invocations").unwrap().parse().unwrap();
        Container {
            child,
            at,
            _stdout: stdout,
        }
    }

    fn invoke(&self, query: &str, body: &Value) -> Answer {
        let line = format!("POST /invocations{query}");
        ask(self.at, &line, &[], body.to_string().as_bytes())
    }

    fn run(&self, query: &str, script: &str) -> String {
        let answer = self.invoke(query, &json!({ "script": script }));
        assert_eq!(answer.status, 200, "{}", answer.text());
        let told: Value = serde_json::from_slice(&answer.body).unwrap();
        told["stdout"].as_str().unwrap().to_owned()
    }

    /// As Foundry stops it.
    fn stop(mut self) {
        let id = self.child.id().to_string();
        let told = Command::new("kill").arg(id).status();
        assert!(told.unwrap().success());
        assert!(self.child.wait().unwrap().success());
    }
}

impl Drop for Container {
    fn drop(&mut self) {
        // One that has ended is fine.
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

/// A server of the host that answers with the authorization of the request.
fn echo() -> SocketAddr {
    let listener = std::net::TcpListener::bind("127.0.0.1:0").unwrap();
    let at = listener.local_addr().unwrap();
    std::thread::spawn(move || {
        for stream in listener.incoming() {
            let mut stream = stream.unwrap();
            let lines = BufReader::new(stream.try_clone().unwrap()).lines();
            let lines = lines.map_while(Result::ok);
            let lines: Vec<String> = lines.take_while(|line| !line.is_empty()).collect();
            let knows = lines
                .iter()
                .any(|line| line.ends_with(&format!("Bearer {SECRET}")));
            let body = format!("{knows}: {}\n", lines.join(" "));
            let head = format!("HTTP/1.1 200 OK\r\nContent-Length: {}\r\n\r\n", body.len());
            stream.write_all((head + &body).as_bytes()).unwrap();
        }
    });
    at
}

#[test]
fn what_is_built_answers_as_foundry_asks() {
    let (context, home) = (tempfile::tempdir().unwrap(), tempfile::tempdir().unwrap());
    std::fs::create_dir(home.path().join("files")).unwrap();
    std::fs::write(home.path().join("files/given"), "given\n").unwrap();
    let echo = format!("http://{}", echo());
    let secret = format!("{echo} Authorization: Bearer $API_KEY");
    let words = [
        "--network",
        &echo,
        "--secret",
        &secret,
        "--vault",
        "API_KEY=example/key",
    ];
    let built = build(context.path(), &words);
    assert!(built.status.success(), "{built:?}");
    for name in [
        "agent.yaml",
        "azure.yaml",
        "definition.json",
        ".dockerignore",
    ] {
        assert!(context.path().join(name).is_file(), "{name}");
    }
    let container = Container::start(context.path(), home.path());
    let ready = ask(container.at, "GET /readiness", &[], b"");
    assert_eq!(ready.status, 200, "{}", ready.text());
    let document = ask(container.at, "GET /invocations/docs/openapi.json", &[], b"");
    assert!(
        document.text().contains("timeout_ms"),
        "{}",
        document.text()
    );

    // The session that the container is for, and another one.
    assert_eq!(
        container.run("", "echo kept > file; cat /files/given"),
        "given\n"
    );
    let same = "?agent_session_id=session-1";
    assert_eq!(container.run(same, "cat file"), "kept\n");
    assert_eq!(container.run("?agent_session_id=session-2", "ls"), "");

    // What the vault has goes with requests, and nowhere else.
    let said = container.run("", &format!("curl -s {echo}; env; cat /proc/self/environ"));
    assert!(said.starts_with("true: "), "{said}");
    assert!(!said.contains(SECRET), "{said}");

    // What has no meaning is refused, and the server goes on.
    for (body, status) in [
        (json!({ "script": 1 }), 400),
        (json!({ "scirpt": "true" }), 400),
        (json!({ "script": "%", "encoding": "base64" }), 400),
        (json!({ "script": "true", "environment": { "A": 1 } }), 400),
        (json!({ "script": "true", "cwd": "/no/such" }), 404),
    ] {
        let answer = container.invoke("", &body);
        assert_eq!(answer.status, status, "{body}: {}", answer.text());
        assert!(answer.text().contains("\"code\""), "{}", answer.text());
    }
    assert_eq!(
        container
            .invoke("?agent_session_id=..%2F", &json!({ "script": "true" }))
            .status,
        400
    );
    let none = json!({ "script": "true", "existing": true });
    assert_eq!(
        container
            .invoke("?agent_session_id=session-3", &none)
            .status,
        410
    );
    assert_eq!(
        ask(container.at, "GET /invocations/1", &[], b"").status,
        404
    );

    // It is stopped, and started again in the same directory.
    container.stop();
    let container = Container::start(context.path(), home.path());
    assert_eq!(container.run("", "cat file"), "kept\n");
    // What was answered is kept, however it ends: the worker, and what has started it.
    container.run("", "echo more >> file");
    drop(container);
    let container = Container::start(context.path(), home.path());
    assert_eq!(container.run(same, "cat file"), "kept\nmore\n");
    container.stop();
}

#[test]
fn a_secret_is_never_written_down() {
    let context = tempfile::tempdir().unwrap();
    let literal = "https://api.example.com Authorization: Bearer literal";
    let unknown = "https://api.example.com Authorization: Bearer $TOKEN";
    for words in [
        &["--secret", literal][..],
        &["--secret", unknown],
        &["--vault", "TOKEN"],
        &["--vault", "TOKEN=connection"],
        &["--network", "nonsense"],
        &["--cpu", ""],
    ] {
        let built = build(context.path(), words);
        assert_eq!(built.status.code(), Some(2), "{words:?} {built:?}");
        assert!(
            std::fs::read_dir(context.path()).unwrap().next().is_none(),
            "{words:?}"
        );
    }
}
