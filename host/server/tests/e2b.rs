//! E2B's own SDKs against the endpoint.
//!
//! `tests/sdk/install DIRECTORY` installs them once, and `OFFSHOOT_E2B_SDK` names the directory. Without
//! it these tests say so and do nothing.

#![allow(
    clippy::unwrap_used,
    clippy::expect_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_server::e2b::Endpoint;
use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::net::TcpListener;
use tokio::process::Command;
use tokio::sync::oneshot;

const KEY: &str = "e2b_0123456789012345678901234567890123456789";

/// An endpoint on a free port of the loopback.
struct Served {
    url: String,
    stop: oneshot::Sender<()>,
    done: tokio::task::JoinHandle<offshoot_server::Result<()>>,
}

impl Served {
    async fn start(store: Store) -> Served {
        let endpoint = Endpoint::builder(Sandboxes::open(store), KEY)
            .template("prepared", || {
                offshoot::Sandbox::builder().file("/home/user/prepared", "yes\n")
            })
            .open()
            .await
            .unwrap();
        let listener = TcpListener::bind("127.0.0.1:0").await.unwrap();
        let url = format!("http://{}", listener.local_addr().unwrap());
        let (stop, stopped) = oneshot::channel();
        let shutdown = async move { stopped.await.unwrap_or(()) };
        let done = tokio::spawn(endpoint.serve(listener, shutdown));
        Served { url, stop, done }
    }

    async fn stop(self) {
        self.stop.send(()).unwrap();
        self.done.await.unwrap().unwrap();
    }
}

/// Where the SDKs are, if they are.
fn installed() -> Option<PathBuf> {
    let directory = std::env::var_os("OFFSHOOT_E2B_SDK").map(PathBuf::from);
    if directory.is_none() {
        eprintln!(
            "skipped: run host/server/tests/sdk/install DIRECTORY and set OFFSHOOT_E2B_SDK to it"
        );
    }
    directory
}

fn script(name: &str) -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR"))
        .join("tests/sdk")
        .join(name)
}

/// Runs one of the scripts to its end against the endpoint.
async fn run(program: &OsStr, words: &[&OsStr], directory: &Path, url: &str) {
    let output = Command::new(program)
        .args(words)
        .current_dir(directory)
        .env("E2B_API_KEY", KEY)
        .env("E2B_API_URL", url)
        .env("E2B_SANDBOX_URL", url)
        .env("PYTHONDONTWRITEBYTECODE", "1")
        .stdin(Stdio::null())
        .kill_on_drop(true)
        .output()
        .await
        .unwrap();
    let text = |bytes: &[u8]| String::from_utf8_lossy(bytes).into_owned();
    assert!(
        output.status.success(),
        "{words:?}: {}\n{}\n{}",
        output.status,
        text(&output.stdout),
        text(&output.stderr)
    );
}

async fn python(name: &str) {
    let Some(sdk) = installed() else { return };
    let served = Served::start(Store::memory()).await;
    let program = sdk.join("python/bin/python");
    run(
        program.as_os_str(),
        &[script(name).as_os_str()],
        &sdk,
        &served.url,
    )
    .await;
    served.stop().await;
}

async fn javascript(name: &str) {
    let Some(sdk) = installed() else { return };
    let served = Served::start(Store::memory()).await;
    // A module finds its packages beside itself.
    let copy = sdk.join("node").join(name);
    std::fs::copy(script(name), &copy).unwrap();
    run(
        OsStr::new("node"),
        &[copy.as_os_str()],
        &sdk.join("node"),
        &served.url,
    )
    .await;
    served.stop().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_runs_commands() {
    python("commands.py").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_reaches_files() {
    python("files.py").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_keeps_sandboxes() {
    python("life.py").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn python_works_asynchronously() {
    python("asynchronous.py").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_runs_commands() {
    javascript("commands.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_reaches_files() {
    javascript("files.mjs").await;
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_keeps_sandboxes() {
    javascript("life.mjs").await;
}

/// Whether this build has a Python to interpret code with.
fn interprets() -> bool {
    let sandbox = offshoot::Sandbox::new().unwrap();
    let (vfs, caller) = (sandbox.vfs(), sandbox.caller());
    let found = vfs.stat(&caller, vfs.root(), b"/usr/bin/python3", true);
    if found.is_err() {
        eprintln!("skipped: this build has no python3");
    }
    found.is_ok()
}

#[tokio::test(flavor = "multi_thread")]
async fn python_interprets_code() {
    if interprets() {
        python("interpreter.py").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn javascript_interprets_code() {
    if interprets() {
        javascript("interpreter.mjs").await;
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn sandboxes_outlive_the_endpoint() {
    let Some(sdk) = installed() else { return };
    let store = Store::memory();
    let program = sdk.join("python/bin/python");
    for part in ["before", "after"] {
        let served = Served::start(store.clone()).await;
        let words = [script("restart.py"), PathBuf::from(part)];
        let words = [words[0].as_os_str(), words[1].as_os_str()];
        run(program.as_os_str(), &words, &sdk, &served.url).await;
        served.stop().await;
    }
}
