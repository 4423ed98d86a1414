//! The E2B connector against `offshoot serve --e2b`: the suite, the end of the service in the middle of
//! a call, and where the credentials are.

#![cfg(target_os = "linux")]
#![allow(clippy::unwrap_used, reason = "a test fails by panicking")]

use offshoot::backend::{Code, Environment, Factory, Options, Rules, Watch};
use offshoot_connectors::Connector;
use offshoot_connectors::e2b::{self, Service};
use std::fs::File;
use std::io::{BufRead, BufReader, Read, Seek, SeekFrom};
use std::process::{Child, ChildStdout, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const KEY: &str = "e2b_5ecre7c0de5ecre7c0de5ecre7c0de5ecre7c0de";

/// The endpoint, as a process of its own.
struct Served {
    child: Child,
    url: String,
    /// What it says further must find a reader.
    _output: BufReader<ChildStdout>,
}

impl Served {
    fn start() -> Served {
        let mut child = Command::new(env!("CARGO_BIN_EXE_offshoot"))
            .args(["serve", "--e2b", "--listen", "127.0.0.1:0"])
            .env("OFFSHOOT_E2B_KEY", KEY)
            .stdout(Stdio::piped())
            .stdin(Stdio::null())
            .spawn()
            .unwrap();
        let mut line = String::new();
        let mut out = BufReader::new(child.stdout.take().unwrap());
        out.read_line(&mut line).unwrap();
        let url = line.trim().strip_prefix("E2B_API_URL=").unwrap().to_owned();
        Served {
            child,
            url,
            _output: out,
        }
    }

    fn service(&self) -> Service {
        Service {
            domain: None,
            api: Some(self.url.clone()),
            sandbox: Some(self.url.clone()),
            key: Some(KEY.to_owned()),
        }
    }

    async fn connector(&self) -> Connector {
        let engine = offshoot::engine().unwrap();
        e2b::connector(engine, &self.service()).await.unwrap()
    }
}

impl Drop for Served {
    fn drop(&mut self) {
        let _ = self.child.kill();
        let _ = self.child.wait();
    }
}

fn options() -> Options {
    Options::default().setting("memory", false)
}

/// `offshoot validate e2b`, which must succeed.
fn validate(served: &Served, more: &[&str]) -> String {
    let output = Command::new(env!("CARGO_BIN_EXE_offshoot"))
        .args(["validate", "e2b", "--set", "memory=false"])
        .args(more)
        .env("E2B_API_KEY", KEY)
        .env("E2B_API_URL", &served.url)
        .env("E2B_SANDBOX_URL", &served.url)
        .stdin(Stdio::null())
        .output()
        .unwrap();
    let shown = String::from_utf8_lossy(&output.stdout).into_owned();
    let errors = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{shown}\n{errors}");
    shown
}

#[test]
fn the_connector_for_e2b_passes_the_suite() {
    validate(&Served::start(), &[]);
}

#[test]
fn twins_of_the_connector_for_e2b_are_found() {
    let served = Served::start();
    // What it has and a twin denies, and what it lacks and a twin claims.
    let claims = [
        "stdin",
        "separate_stderr",
        "suspend",
        "terminal",
        "file_policy",
        "background",
    ];
    let mut words = vec!["--twins", "--json"];
    words.extend(claims.iter().flat_map(|claim| ["--only", claim]));
    let report: serde_json::Value = serde_json::from_str(&validate(&served, &words)).unwrap();
    assert_eq!(report["steps"].as_array().unwrap().len(), claims.len());
}

#[tokio::test(flavor = "multi_thread")]
async fn calls_settle_when_the_service_dies() {
    let mut served = Served::start();
    let connector = served.connector().await;
    let made = connector.create(options()).await.unwrap();
    let watch = Watch {
        poll: Duration::from_millis(200),
        silence: Duration::from_secs(2),
    };
    let sandbox = Arc::new(Rules::new(made).watch(watch));
    let running = {
        let sandbox = Arc::clone(&sandbox);
        tokio::spawn(async move { sandbox.exec("echo begun > begun; sleep 60".into()).await })
    };
    while !sandbox.exists("begun").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    served.child.kill().unwrap();
    let killed = Instant::now();
    let error = running.await.unwrap().unwrap_err();
    assert_eq!(
        (error.code(), error.backend()),
        (Code::Died, Some("e2b")),
        "{error}"
    );
    assert!(killed.elapsed() < Duration::from_secs(30));
    served.child.wait().unwrap();
    // Its port is free again: nothing that it started keeps it, once its worker has seen that it is gone.
    let address = served.url.strip_prefix("http://").unwrap();
    while std::net::TcpListener::bind(address).is_err() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let error = sandbox.read_file("begun").await.unwrap_err();
    assert_eq!(error.code(), Code::Died, "{error}");
    let error = connector.create(options()).await.map(drop).unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
}

#[tokio::test(flavor = "multi_thread")]
async fn t34_no_credential_is_where_the_component_is() {
    let served = Served::start();
    let connector = served.connector().await;
    let sandbox = connector.create(options()).await.unwrap();
    let reference = sandbox.reference().await.unwrap();
    let id = reference.provider_data.clone();
    let token = token(&served, &id).await;
    let attached = connector.attach(&id, options()).await.unwrap();
    let mut told = vec![reference.to_string(), format!("{connector:?} {sandbox:?}")];
    let cwd = sandbox.cwd().to_owned();
    let file = format!("{cwd}/file");
    attached.write_file(&file, b"content").await.unwrap();
    let snapshot = sandbox.snapshot(Some("kept")).await.unwrap();
    told.push(serde_json::to_string(&snapshot).unwrap());
    let branch = sandbox.start(&snapshot).await.unwrap();
    sandbox.suspend().await.unwrap();
    sandbox.resume().await.unwrap();
    let looks = "env; cat /proc/self/environ; cat /etc/* ~/.* 2>/dev/null";
    let exec = offshoot::Exec::new(looks).cwd(cwd);
    let seen = sandbox.exec(exec.clone()).await.unwrap();
    told.push(seen.stdout_text().into_owned());
    for error in [
        sandbox.read_file_buffer("/no/such").await.map(drop),
        sandbox.readdir(&file).await.map(drop),
        sandbox.exec(exec.cwd("/no/such")).await.map(drop),
        connector.attach("no-such", options()).await.map(drop),
        connector.attach("\u{0}", options()).await.map(drop),
    ] {
        let error = error.unwrap_err();
        told.push(format!("{error} {error:?}"));
    }
    for text in &told {
        for (what, secret) in [("key", KEY), ("token", &token)] {
            assert!(!text.contains(secret), "the {what} is in {text}");
        }
    }
    // A call that is under way keeps an instance, and so a memory.
    let running = {
        let sandbox = Arc::clone(&sandbox);
        tokio::spawn(async move { sandbox.exec("echo begun > begun; sleep 60".into()).await })
    };
    while !sandbox.exists("begun").await.unwrap() {
        tokio::time::sleep(Duration::from_millis(20)).await;
    }
    let memories = linear_memories();
    let holds = |text: &str| {
        memories
            .iter()
            .any(|memory| contains(memory, text.as_bytes()))
    };
    // What the component does know is found, so it was the right memory.
    assert!(holds(&id) && holds("offshoot-token-"));
    assert!(!holds(KEY), "the key is in the component's memory");
    assert!(!holds(&token), "the token is in the component's memory");
    for end in [branch, sandbox] {
        end.cleanup().await.unwrap();
    }
    // It ends with its sandbox, however that is told.
    drop(running.await.unwrap());
}

/// The token of a sandbox, as E2B's own clients get it.
async fn token(served: &Served, id: &str) -> String {
    use offshoot_network::{Client, Policy, Request, Rule};
    let policy = Policy::default().allow(Rule::new(&served.url).unwrap());
    let url = format!("{}/sandboxes/{id}", served.url);
    let mut request = Request::new("GET".parse().unwrap(), &url).unwrap();
    request.headers.insert("x-api-key", KEY.parse().unwrap());
    let client = Client::new(policy).unwrap();
    let body = client.send(request).await.unwrap().body().await.unwrap();
    let told: serde_json::Value = serde_json::from_slice(&body).unwrap();
    told["envdAccessToken"].as_str().unwrap().to_owned()
}

fn contains(text: &[u8], part: &[u8]) -> bool {
    text.windows(part.len()).any(|window| window == part)
}

/// The contents of all linear memories of this process: what is writable and followed by at least a
/// GiB that nobody may touch.
fn linear_memories() -> Vec<Vec<u8>> {
    const RESERVED: u64 = 1 << 30;
    let maps = std::fs::read_to_string("/proc/self/maps").unwrap();
    let number = |text: &str| u64::from_str_radix(text, 16).unwrap();
    let regions: Vec<(u64, u64, bool)> = maps
        .lines()
        .map(|line| {
            let mut words = line.split_whitespace();
            let (start, end) = words.next().unwrap().split_once('-').unwrap();
            let writable = words.next().unwrap().starts_with("rw");
            (number(start), number(end), writable)
        })
        .collect();
    let mut memory = File::open("/proc/self/mem").unwrap();
    let mut found = Vec::new();
    let mut run: Vec<(u64, u64)> = Vec::new();
    for (start, end, writable) in regions {
        let adjoins = run.last().is_none_or(|last| last.1 == start);
        if writable {
            if !adjoins {
                run.clear();
            }
            run.push((start, end));
            continue;
        }
        if adjoins && end - start >= RESERVED {
            for (start, end) in &run {
                let mut bytes = vec![0; usize::try_from(end - start).unwrap()];
                memory.seek(SeekFrom::Start(*start)).unwrap();
                if memory.read_exact(&mut bytes).is_ok() {
                    found.push(bytes);
                }
            }
        }
        run.clear();
    }
    found
}
