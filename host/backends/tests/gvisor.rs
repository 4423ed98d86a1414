//! The gvisor backend on Debian's `runsc`. It needs root and a static BusyBox, and runs where
//! OFFSHOOT_GVISOR_TESTS is set.

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
use offshoot_backends::gvisor::GvisorFactory;
use std::io::Write;
use std::path::Path;
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What it has and a twin denies, and what it lacks and a twin claims. The rest takes long, and is
/// proven on other backends.
const TWINS: [&str; 6] = [
    "stdin",
    "background",
    "suspend",
    "terminal",
    "file_policy",
    "reconnect",
];

/// Within what time a call ends whose sandbox ended, on a busy machine.
const SETTLED: Duration = Duration::from_secs(30);

/// A root file system, and where factories keep their state.
struct Ground(tempfile::TempDir);

impl Ground {
    /// Makes one, or says why it cannot.
    fn new() -> Option<Ground> {
        let skip = |reason: &str| {
            // Past the capture of tests, so that a run shows what it left out.
            let _ = writeln!(std::io::stderr(), "skipped: gvisor: {reason}");
            None
        };
        if std::env::var_os("OFFSHOOT_GVISOR_TESTS").is_none() {
            return skip("OFFSHOOT_GVISOR_TESTS is not set");
        }
        if !rustix::process::geteuid().is_root() {
            return skip("runsc needs root");
        }
        for program in ["runsc", "busybox", "timeout"] {
            if find(program).is_none() {
                return skip(&format!("there is no {program}"));
            }
        }
        // Without our code, so that a fault of ours is none of the machine.
        let works = Command::new("timeout")
            .args(["-k", "1", "60", "runsc", "--platform=ptrace"])
            .args(["--ignore-cgroups", "--network=none", "do", "true"])
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::null())
            .status();
        if !works.is_ok_and(|status| status.success()) {
            return skip("runsc cannot run anything on this machine");
        }
        let ground = Ground(tempfile::tempdir().unwrap());
        let archive = root_file_system();
        let mut archive = tar::Archive::new(&*archive);
        archive.unpack(ground.rootfs()).unwrap();
        Some(ground)
    }

    fn rootfs(&self) -> std::path::PathBuf {
        self.0.path().join("rootfs")
    }

    fn base(&self) -> std::path::PathBuf {
        self.0.path().join("state")
    }

    fn factory(&self) -> Arc<GvisorFactory> {
        Arc::new(GvisorFactory::new(self.base()))
    }

    fn options(&self) -> Options {
        let rootfs = self.rootfs().display().to_string();
        Options::default().setting("rootfs", rootfs)
    }

    /// The processes of runsc that belong to this ground, of this kind.
    fn processes(&self, kind: &str) -> Vec<i32> {
        let base = self.base().display().to_string();
        let processes = std::fs::read_dir("/proc").unwrap();
        processes
            .filter_map(|entry| {
                let entry = entry.ok()?;
                let number = entry.file_name().to_str()?.parse().ok()?;
                let line = std::fs::read(entry.path().join("cmdline")).ok()?;
                let line = String::from_utf8_lossy(&line).into_owned();
                (line.starts_with(kind) && line.contains(&base)).then_some(number)
            })
            .collect()
    }

    /// The arguments of every process that belongs to this ground.
    fn every_process(&self) -> Vec<String> {
        let base = self.base().display().to_string();
        let lines = std::fs::read_dir("/proc").unwrap().filter_map(|entry| {
            let line = std::fs::read(entry.ok()?.path().join("cmdline")).ok()?;
            Some(String::from_utf8_lossy(&line).into_owned())
        });
        lines.filter(|line| line.contains(&base)).collect()
    }

    /// Waits for the end of what was told to end.
    async fn is_empty(&self) {
        let mut looks = 0;
        while !self.processes("runsc").is_empty() {
            looks += 1;
            assert!(looks < 300, "processes are left");
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
    }

    /// The directories of sandboxes and snapshots.
    fn left(&self) -> Vec<String> {
        let mut left = Vec::new();
        for owner in names(&self.base()) {
            for part in ["bundles", "snapshots", "state"] {
                left.extend(names(&self.base().join(&owner).join(part)));
            }
        }
        left
    }
}

fn names(directory: &Path) -> Vec<String> {
    let Ok(entries) = std::fs::read_dir(directory) else {
        return Vec::new();
    };
    entries
        .map(|entry| entry.unwrap().file_name().into_string().unwrap())
        .collect()
}

fn kill(process: i32) {
    let process = rustix::process::Pid::from_raw(process).unwrap();
    let _ = rustix::process::kill_process(process, rustix::process::Signal::KILL);
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_and_leaves_nothing() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let subject = Made::new(factory.clone(), ground.options());
    let report = conformance::run(&subject).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    let some = |_: &str, name: &str| TWINS.contains(&name);
    let twins = conformance::run_twins(&subject, &some).await;
    assert!(twins.passed(), "\n{}", twins.table());
    assert_eq!(twins.steps.len(), TWINS.len());
    assert_eq!(ground.left(), Vec::<String>::new());
    ground.is_empty().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_sandbox_that_is_killed_and_an_owner_that_ended() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let environment = factory.create(ground.options()).await.unwrap();
    let rules = Rules::new(Arc::clone(&environment)).watch(Watch {
        poll: Duration::from_millis(500),
        silence: Duration::from_secs(5),
    });
    let call = tokio::spawn(async move { rules.exec(Exec::new("sleep 600")).await });
    tokio::time::sleep(Duration::from_secs(1)).await;
    let sandboxes = ground.processes("runsc-sandbox");
    assert_eq!(sandboxes.len(), 1);
    kill(sandboxes[0]);
    let killed = Instant::now();
    let error = call.await.unwrap().unwrap_err();
    assert!(killed.elapsed() < SETTLED, "{:?}", killed.elapsed());
    let found = (error.code(), error.backend(), error.operation());
    assert_eq!(found, (Code::Died, Some("gvisor"), "exec"));
    environment.cleanup().await.unwrap();
    assert_eq!(ground.left(), Vec::<String>::new());
    ground.is_empty().await;

    // What the process of an owner left that is gone is reaped: its lock is free.
    let orphan = factory.create(ground.options()).await.unwrap();
    std::mem::forget(orphan);
    for owner in names(&ground.base()) {
        let lock = ground.base().join(owner).join("lock");
        if lock.is_file() {
            std::fs::remove_file(lock).unwrap();
        }
    }
    assert_eq!(ground.processes("runsc-sandbox").len(), 1);
    ground.factory().reap().unwrap();
    ground.is_empty().await;
    assert_eq!(ground.left(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_anywhere() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let mut canary = Canary::new();
    let made = factory.create(ground.options()).await.unwrap();
    let environment: Arc<dyn Environment> = Arc::new(Rules::new(made));
    canary.fly(&environment).await;
    // While a command runs, what any user of the host can see of it.
    let running = {
        let exec = Exec::new("sleep 5 # c4nary-of-a-script-07bd")
            .env("CANARY", "c4nary-of-a-variable-5e6c");
        let environment = Arc::clone(&environment);
        tokio::spawn(async move { environment.exec(exec).await })
    };
    while !running.is_finished() {
        for process in ground.every_process() {
            canary.tell("the arguments of a process", process);
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    running.await.unwrap().unwrap();
    let snapshot = environment.snapshot(Some("kept")).await.unwrap();
    canary.tell("the snapshot", serde_json::to_string(&snapshot).unwrap());
    let branch = environment.start(&snapshot).await.unwrap();
    canary.tell("the factory", format!("{factory:?}"));
    canary.look(&ground.base());
    canary.check();
    branch.cleanup().await.unwrap();
    environment.delete_snapshot(&snapshot).await.unwrap();
    environment.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_checkpoint_waits_for_commands_and_what_cannot_be_is_refused_first() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    for (options, code) in [
        (Options::default(), Code::Invalid),
        (
            ground.options().setting("rootfs", "/nowhere"),
            Code::Invalid,
        ),
        (ground.options().setting("image", "x"), Code::Invalid),
    ] {
        let error = factory.create(options).await.unwrap_err();
        assert_eq!((error.code(), error.backend()), (code, Some("gvisor")));
    }
    assert!(!ground.base().exists(), "something was touched");
    let environment = factory.create(ground.options()).await.unwrap();
    let rules = Arc::new(Rules::new(Arc::clone(&environment)));
    let long = {
        let rules = Arc::clone(&rules);
        tokio::spawn(async move { rules.exec(Exec::new("echo on; sleep 12; echo off")).await })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let error = rules.suspend().await.unwrap_err();
    assert_eq!((error.code(), error.retryable()), (Code::Conflict, true));
    assert_eq!(long.await.unwrap().unwrap().stdout, b"on\noff\n");
    rules.suspend().await.unwrap();
    assert_eq!(ground.processes("runsc-sandbox"), Vec::<i32>::new());
    let error = rules.exec("true".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    rules.cleanup().await.unwrap();
}
