//! The docker backend on a real engine, which the test starts on a socket and data of its own.
//!
//! It needs root, `dockerd` with `runc` and `containerd`, and a static BusyBox, as Debian's packages
//! docker.io, busybox-static and curl bring them, and runs where OFFSHOOT_DOCKER_TESTS is set.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use offshoot_backend::conformance::{self, Made};
use offshoot_backend::{Code, Environment, Exec, Factory, Options, Rules, Watch};
use offshoot_backends::docker::DockerFactory;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::Duration;

const IMAGE: &str = "offshoot-test/busybox:1";

/// An engine of this test alone.
struct Engine {
    process: Child,
    directory: tempfile::TempDir,
}

impl Engine {
    /// Starts one, or says why it cannot.
    async fn start() -> Option<Engine> {
        let skip = |reason: &str| {
            // Past the capture of tests, so that a run shows what it left out.
            let _ = writeln!(std::io::stderr(), "skipped: docker: {reason}");
            None
        };
        if std::env::var_os("OFFSHOOT_DOCKER_TESTS").is_none() {
            return skip("OFFSHOOT_DOCKER_TESTS is not set");
        }
        if !rustix::process::geteuid().is_root() {
            return skip("an engine needs root");
        }
        for program in ["dockerd", "containerd", "runc", "busybox", "curl"] {
            if find(program).is_none() {
                return skip(&format!("there is no {program}"));
            }
        }
        let directory = tempfile::tempdir().unwrap();
        let at = |name: &str| directory.path().join(name);
        std::fs::write(at("daemon.json"), "{}").unwrap();
        let log = std::fs::File::create(at("log")).unwrap();
        let process = Command::new("dockerd")
            .args(["--bridge=none", "--iptables=false", "--config-file"])
            .arg(at("daemon.json"))
            .arg("--data-root")
            .arg(at("data"))
            .arg("--exec-root")
            .arg(at("exec"))
            .arg("--pidfile")
            .arg(at("pid"))
            .arg("-H")
            .arg(format!("unix://{}", at("socket").display()))
            .stdout(Stdio::null())
            .stderr(log)
            .spawn()
            .unwrap();
        let mut engine = Engine { process, directory };
        loop {
            let answers = DockerFactory::new(engine.socket()).reap().await.is_ok();
            if answers {
                return Some(engine);
            }
            if engine.process.try_wait().unwrap().is_some() {
                let log = std::fs::read_to_string(engine.directory.path().join("log")).unwrap();
                return skip(&format!("the engine cannot start here:\n{log}"));
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn socket(&self) -> String {
        self.directory.path().join("socket").display().to_string()
    }

    /// A factory with the image, and the options that select it.
    async fn factory(&self) -> (Arc<DockerFactory>, Options) {
        let factory = DockerFactory::new(self.socket());
        factory.import(IMAGE, root_file_system()).await.unwrap();
        let options = Options::default().setting("image", IMAGE);
        (Arc::new(factory), options)
    }

    /// What the engine answers, past the backend.
    fn get(&self, path: &str) -> serde_json::Value {
        let output = Command::new("curl")
            .args(["-s", "--unix-socket", &self.socket()])
            .arg(format!("http://engine/{path}"))
            .output()
            .unwrap();
        serde_json::from_slice(&output.stdout).unwrap()
    }

    /// The ids of all containers, or of all images, that are there.
    fn list(&self, what: &str) -> Vec<String> {
        let found = self.get(&format!("{what}/json?all=1"));
        let found = found.as_array().unwrap();
        found
            .iter()
            .map(|one| one["Id"].as_str().unwrap().to_owned())
            .collect()
    }
}

impl Drop for Engine {
    fn drop(&mut self) {
        // The engine ends its containers and its own containerd at SIGTERM.
        if let Some(pid) = i32::try_from(self.process.id())
            .ok()
            .and_then(rustix::process::Pid::from_raw)
        {
            let _ = rustix::process::kill_process(pid, rustix::process::Signal::TERM);
        }
        let _ = self.process.wait();
    }
}

fn find(program: &str) -> Option<PathBuf> {
    std::env::split_paths(&std::env::var_os("PATH")?)
        .map(|directory| directory.join(program))
        .find(|path| path.is_file())
}

/// A root file system of BusyBox alone.
fn root_file_system() -> Vec<u8> {
    let busybox = find("busybox").unwrap();
    let mut archive = tar::Builder::new(Vec::new());
    let mut add = |path: &str, kind: tar::EntryType, mode: u32, content: &[u8], link: &str| {
        let mut header = tar::Header::new_gnu();
        header.set_entry_type(kind);
        header.set_mode(mode);
        header.set_size(content.len() as u64);
        if link.is_empty() {
            archive.append_data(&mut header, path, content).unwrap();
        } else {
            archive.append_link(&mut header, path, link).unwrap();
        }
    };
    for directory in ["bin", "etc", "root", "proc", "sys", "dev", "workspace"] {
        add(directory, tar::EntryType::Directory, 0o755, b"", "");
    }
    add("tmp", tar::EntryType::Directory, 0o1777, b"", "");
    let passwd = b"root:x:0:0:root:/root:/bin/sh\n";
    add("etc/passwd", tar::EntryType::Regular, 0o644, passwd, "");
    let binary = std::fs::read(&busybox).unwrap();
    add("bin/busybox", tar::EntryType::Regular, 0o755, &binary, "");
    let applets = Command::new(&busybox)
        .arg("--list")
        .output()
        .unwrap()
        .stdout;
    for applet in String::from_utf8(applets).unwrap().lines() {
        if applet != "busybox" {
            let path = Path::new("bin").join(applet).display().to_string();
            add(&path, tar::EntryType::Symlink, 0o777, b"", "busybox");
        }
    }
    archive.into_inner().unwrap()
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_and_leaves_nothing() {
    let Some(engine) = Engine::start().await else {
        return;
    };
    let (factory, options) = engine.factory().await;
    let before = engine.list("images");
    let report = conformance::run(&Made::new(factory, options)).await;
    assert!(report.passed(), "\n{}", report.table());
    assert_eq!(engine.list("containers"), Vec::<String>::new());
    assert_eq!(engine.list("images"), before);
}

#[tokio::test(flavor = "multi_thread")]
async fn an_engine_that_ends_and_an_owner_that_ended() {
    let Some(mut engine) = Engine::start().await else {
        return;
    };
    let (factory, options) = engine.factory().await;
    let environment = factory.create(options.clone()).await.unwrap();

    // What a process that is gone made is reaped; what a live one made stays.
    let orphan = Command::new("curl")
        .args(["-s", "--unix-socket", &engine.socket()])
        .args(["-H", "Content-Type: application/json", "-d"])
        .arg(format!(
            r#"{{"Image":"{IMAGE}","Cmd":["true"],"Labels":{{"run.offshoot.kind":"sandbox",
            "run.offshoot.owner":"{}/earlier/1/1"}}}}"#,
            std::fs::read_to_string("/etc/machine-id")
                .unwrap_or_default()
                .trim()
        ))
        .arg("http://engine/containers/create")
        .stdout(Stdio::null())
        .status();
    assert!(orphan.unwrap().success());
    assert_eq!(engine.list("containers").len(), 2);
    DockerFactory::new(engine.socket()).reap().await.unwrap();
    DockerFactory::new(engine.socket()).reap().await.unwrap();
    assert_eq!(engine.list("containers").len(), 1);

    // The engine is killed in the middle of a call. What it started outlives it, and is ended here.
    let id = &engine.list("containers")[0];
    let inspected = engine.get(&format!("containers/{id}/json"));
    let init = inspected["State"]["Pid"].to_string();
    let shim = parent_of(&init);
    let rules = Rules::new(Arc::clone(&environment)).watch(Watch {
        poll: Duration::from_millis(200),
        silence: Duration::from_secs(2),
    });
    let call = tokio::spawn(async move { rules.exec(Exec::new("sleep 600")).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    engine.process.kill().unwrap();
    engine.process.wait().unwrap();
    let error = call.await.unwrap().unwrap_err();
    assert_eq!(
        (error.code(), error.backend()),
        (Code::Died, Some("docker"))
    );
    let error = factory.create(options).await.unwrap_err();
    assert_eq!(error.code(), Code::Died);
    let containerd = engine
        .directory
        .path()
        .join("exec/containerd/containerd.pid");
    let containerd = std::fs::read_to_string(containerd).unwrap();
    for process in [&init, &shim, containerd.trim()] {
        let process = rustix::process::Pid::from_raw(process.parse().unwrap()).unwrap();
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }
}

/// The process that started another one.
fn parent_of(process: &str) -> String {
    let stat = std::fs::read_to_string(format!("/proc/{process}/stat")).unwrap();
    let (_, fields) = stat.rsplit_once(") ").unwrap();
    fields.split(' ').nth(1).unwrap().to_owned()
}

#[tokio::test]
async fn without_an_engine_it_is_unavailable() {
    let directory = tempfile::tempdir().unwrap();
    let socket = directory.path().join("none").display().to_string();
    let factory = DockerFactory::new(socket);
    let options = Options::default().setting("image", IMAGE);
    let error = factory.create(options).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    let misspelt = Options::default().setting("imgae", IMAGE);
    let error = factory.create(misspelt).await.unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
}
