//! The docker backend on a real engine, which the test starts on a socket and data of its own.
//!
//! It needs root, `dockerd` with `runc` and `containerd`, and a static BusyBox, as Debian's packages
//! docker.io, busybox-static and curl bring them, and runs where OFFSHOOT_DOCKER_TESTS is set.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

mod busybox;
mod canary;

use busybox::{find, root_file_system};
use canary::Canary;
use offshoot_backend::conformance::{self, Made};
use offshoot_backend::{Code, Environment, Exec, Factory, Options, Rules, Watch};
use offshoot_backends::docker::DockerFactory;
use std::io::Write;
use std::path::Path;
use std::process::{Child, Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

const IMAGE: &str = "offshoot-test/busybox:1";

/// What it has and a twin denies, and what it lacks and a twin claims. The rest takes long, and is
/// proven on other backends.
const TWINS: [&str; 6] = [
    "stdin",
    "separate_stderr",
    "suspend",
    "terminal",
    "file_policy",
    "background",
];

/// Within what time a call ends whose engine ended: twice what the watch takes, on a busy machine.
const SETTLED: Duration = Duration::from_secs(20);

/// How long an engine may take to answer first.
const START: Duration = Duration::from_secs(90);

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
        let process = Engine::launch(directory.path());
        let mut engine = Engine { process, directory };
        match engine.answers().await {
            Ok(()) if engine.runs_containers().await => Some(engine),
            Ok(()) => skip("the engine cannot run a container on this machine"),
            Err(log) => skip(&format!("the engine cannot start here:\n{log}")),
        }
    }

    fn launch(directory: &Path) -> Child {
        let at = |name: &str| directory.join(name);
        std::fs::write(at("daemon.json"), "{}").unwrap();
        let log = std::fs::File::create(at("log")).unwrap();
        Command::new("dockerd")
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
            .unwrap()
    }

    /// Waits until it answers; its log where it ended before.
    async fn answers(&mut self) -> Result<(), String> {
        let started = Instant::now();
        loop {
            if DockerFactory::new(self.socket()).reap().await.is_ok() {
                return Ok(());
            }
            if self.process.try_wait().unwrap().is_some() || started.elapsed() > START {
                return Err(std::fs::read_to_string(self.directory.path().join("log")).unwrap());
            }
            tokio::time::sleep(Duration::from_millis(200)).await;
        }
    }

    fn socket(&self) -> String {
        self.directory.path().join("socket").display().to_string()
    }

    /// Whether a container runs at all, past the backend, so that a fault of ours is none of the
    /// machine.
    async fn runs_containers(&self) -> bool {
        let factory = DockerFactory::new(self.socket());
        factory.import(IMAGE, root_file_system()).await.unwrap();
        let made = self.post(
            "containers/create?name=try",
            &format!(
                r#"{{"Image":"{IMAGE}","Cmd":["true"],"HostConfig":{{"NetworkMode":"none"}}}}"#
            ),
        );
        let runs = made == "201" && self.post("containers/try/start", "") == "204";
        let _ = self.curl(&["-X", "DELETE"], "containers/try?force=1");
        runs
    }

    /// The status that the engine answers a request with, past the backend.
    fn post(&self, path: &str, body: &str) -> String {
        let json = "Content-Type: application/json";
        let status = ["-o", "/dev/null", "-w", "%{http_code}"];
        let request = ["-X", "POST", "-H", json, "-d", body];
        self.curl(&[&status[..], &request[..]].concat(), path)
    }

    /// A factory with the image, and the options that select it.
    async fn factory(&self) -> (Arc<DockerFactory>, Options) {
        let factory = DockerFactory::new(self.socket());
        let options = Options::default().setting("image", IMAGE);
        (Arc::new(factory), options)
    }

    fn curl(&self, arguments: &[&str], path: &str) -> String {
        let output = Command::new("curl")
            .args(["-s", "--max-time", "60", "--unix-socket", &self.socket()])
            .args(arguments)
            .arg(format!("http://engine/{path}"))
            .output()
            .unwrap();
        String::from_utf8(output.stdout).unwrap()
    }

    /// What the engine answers, past the backend.
    fn get(&self, path: &str) -> serde_json::Value {
        serde_json::from_str(&self.curl(&[], path)).unwrap()
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
        let started = Instant::now();
        while let Ok(None) = self.process.try_wait() {
            if started.elapsed() > START {
                let _ = self.process.kill();
            }
            std::thread::sleep(Duration::from_millis(100));
        }
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_and_leaves_nothing() {
    let Some(engine) = Engine::start().await else {
        return;
    };
    let (factory, options) = engine.factory().await;
    let before = engine.list("images");
    let subject = Made::new(factory, options);
    let report = conformance::run(&subject).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    let some = |_: &str, name: &str| TWINS.contains(&name);
    let twins = conformance::run_twins(&subject, &some).await;
    assert!(twins.passed(), "\n{}", twins.table());
    assert_eq!(twins.steps.len(), TWINS.len());
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
    let orphan = format!(
        r#"{{"Image":"{IMAGE}","Cmd":["true"],"Labels":{{"run.offshoot.kind":"sandbox",
        "run.offshoot.owner":"{}/earlier/1/1"}}}}"#,
        std::fs::read_to_string("/etc/machine-id")
            .unwrap_or_default()
            .trim()
    );
    assert_eq!(engine.post("containers/create", &orphan), "201");
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
    let killed = Instant::now();
    engine.process.kill().unwrap();
    engine.process.wait().unwrap();
    let error = call.await.unwrap().unwrap_err();
    assert!(killed.elapsed() < SETTLED, "{:?}", killed.elapsed());
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
    let number = std::fs::read_to_string(&containerd).unwrap();
    // Whoever takes in orphans here may never ask how they ended, and then they seem alive.
    std::fs::remove_file(containerd).unwrap();
    for process in [&init, &shim, number.trim()] {
        let process = rustix::process::Pid::from_raw(process.parse().unwrap()).unwrap();
        let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
    }

    // An engine on the same data knows the container; whoever made it can still clean up.
    engine.process = Engine::launch(engine.directory.path());
    engine.answers().await.unwrap();
    assert_eq!(engine.list("containers").len(), 1);
    environment.cleanup().await.unwrap();
    assert_eq!(engine.list("containers"), Vec::<String>::new());
    // And nothing is left of it on the host.
    let below = |name: &str| names(&engine.directory.path().join("data").join(name));
    assert_eq!(below("containers"), Vec::<String>::new());
    for process in [&init, &shim] {
        assert!(!is_alive(process), "process {process} is left");
    }
}

#[tokio::test(flavor = "multi_thread")]
async fn its_speed_is_measured() {
    let Some(engine) = Engine::start().await else {
        return;
    };
    // The engine is named by a setting, as on a command line.
    let (_, options) = engine.factory().await;
    let options = options.setting("socket", format!("unix://{}", engine.socket()));
    let subject = Made::new(Arc::new(DockerFactory::default()), options);
    let found = conformance::measure(&subject).await;
    let found = found.unwrap();
    println!("{found:#?}");
    assert!(found.len() >= 4 && found.iter().all(|speed| speed.min_ns > 0));
    assert_eq!(engine.list("containers"), Vec::<String>::new());
}

/// The names in a directory.
fn names(directory: &Path) -> Vec<String> {
    let entries = std::fs::read_dir(directory).unwrap();
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

/// Whether a process runs; one that only waits to be asked how it ended does not.
fn is_alive(process: &str) -> bool {
    std::fs::read(format!("/proc/{process}/cmdline")).is_ok_and(|line| !line.is_empty())
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_anywhere() {
    let Some(engine) = Engine::start().await else {
        return;
    };
    let (factory, options) = engine.factory().await;
    let mut canary = Canary::new();
    let made = factory.create(options.clone()).await.unwrap();
    let environment: Arc<dyn Environment> = Arc::new(Rules::new(made));
    canary.fly(&environment).await;
    let snapshot = environment.snapshot(Some("kept")).await.unwrap();
    canary.tell("the snapshot", serde_json::to_string(&snapshot).unwrap());
    let branch = environment.start(&snapshot).await.unwrap();
    canary.tell("the factory", format!("{factory:?} {options:?}"));
    for id in engine.list("containers") {
        let found = engine.get(&format!("containers/{id}/json"));
        for exec in found["ExecIDs"].as_array().into_iter().flatten() {
            let exec = engine.get(&format!("exec/{}/json", exec.as_str().unwrap()));
            canary.tell("the engine's record of a command", exec.to_string());
        }
        canary.tell("the container's record", found.to_string());
        let logs = engine.curl(&[], &format!("containers/{id}/logs?stdout=1&stderr=1"));
        canary.tell("the container's log", logs);
    }
    let image = engine.get(&format!("images/{}/json", snapshot.id));
    canary.tell("the image of the snapshot", image.to_string());
    canary.look(engine.directory.path());
    canary.check();
    branch.cleanup().await.unwrap();
    environment.delete_snapshot(&snapshot).await.unwrap();
    environment.cleanup().await.unwrap();
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
    // The setting goes over the factory's own, and other ways to an engine are refused.
    let none = directory.path().join("other").display().to_string();
    let named = Options::default()
        .setting("image", IMAGE)
        .setting("socket", format!("unix://{none}"));
    let error = factory.create(named).await.unwrap_err();
    assert!(error.to_string().contains(&none), "{error}");
    let remote = Options::default()
        .setting("image", IMAGE)
        .setting("socket", "tcp://10.0.0.1:2375");
    let error = factory.create(remote).await.unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
    let misspelt = Options::default().setting("imgae", IMAGE);
    let error = factory.create(misspelt).await.unwrap_err();
    assert_eq!(error.code(), Code::Invalid);
}
