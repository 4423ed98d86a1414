//! The microvm backend on Debian's QEMU and kernel, emulated: it passes everywhere. It needs an image,
//! which `tests/install` makes, and a static BusyBox, and runs where OFFSHOOT_MICROVM_TESTS is set.

#![cfg(target_os = "linux")]
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

#[path = "../busybox/mod.rs"]
mod busybox;
mod by_firecracker;
#[path = "../canary/mod.rs"]
mod canary;
#[path = "../firecracker/mod.rs"]
mod firecracker;
mod times;

use busybox::{find, root_file_system};
use canary::Canary;
use offshoot_backend::conformance::{self, Made};
use offshoot_backend::{
    Code, Environment, Event, Exec, Factory, Options, ResourceLimits, Rules, State, Stdin,
};
use offshoot_backends::microvm::MicrovmFactory;
use std::io::Write;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::{Duration, Instant};

/// What it has and a twin denies, and what it lacks and a twin claims. The rest takes long, and is
/// proven on other backends.
const TWINS: [&str; 7] = [
    "stdin",
    "background",
    "suspend",
    "snapshot_memory",
    "terminal",
    "file_policy",
    "reconnect",
];

/// Within what time a call ends whose machine ended, on a busy host.
const SETTLED: Duration = Duration::from_secs(10);

/// An image, a root file system, and where factories keep their state.
struct Ground {
    directory: tempfile::TempDir,
    image: PathBuf,
    monitor: &'static str,
}

/// Where `tests/install` puts the image.
fn image() -> PathBuf {
    let variable = |name| std::env::var_os(name).map(PathBuf::from);
    let cache = || {
        let cache = variable("XDG_CACHE_HOME");
        let home = || variable("HOME").unwrap_or_else(|| "/root".into());
        cache.unwrap_or_else(|| home().join(".cache"))
    };
    variable("OFFSHOOT_MICROVM_IMAGE").unwrap_or_else(|| cache().join("offshoot/microvm"))
}

impl Ground {
    /// Makes one, or says why it cannot.
    fn new() -> Option<Ground> {
        Ground::by("qemu")
    }

    fn by(monitor: &'static str) -> Option<Ground> {
        let skip = |reason: &str| {
            // Past the capture of tests, so that a run shows what it left out.
            let _ = writeln!(std::io::stderr(), "skipped: microvm: {reason}");
            None
        };
        if std::env::var_os("OFFSHOOT_MICROVM_TESTS").is_none() {
            return skip("OFFSHOOT_MICROVM_TESTS is not set");
        }
        for program in ["qemu-system-x86_64", "busybox"] {
            if find(program).is_none() {
                return skip(&format!("there is no {program}"));
            }
        }
        let image = image();
        if !image.join("kernel").is_file() || !image.join("agent").is_file() {
            return skip("there is no image, which tests/install makes");
        }
        let directory = tempfile::tempdir().unwrap();
        let ground = Ground {
            directory,
            image,
            monitor,
        };
        let archive = root_file_system();
        let mut archive = tar::Archive::new(&*archive);
        archive.unpack(ground.path("rootfs")).unwrap();
        Some(ground)
    }

    fn path(&self, name: &str) -> PathBuf {
        self.directory.path().join(name)
    }

    fn base(&self) -> PathBuf {
        self.path("state")
    }

    fn factory(&self) -> Arc<MicrovmFactory> {
        Arc::new(MicrovmFactory::new(self.base()))
    }

    fn options(&self) -> Options {
        let options = Options::default()
            .setting("image", self.image.display().to_string())
            .setting("rootfs", self.path("rootfs").display().to_string())
            .setting("monitor", self.monitor);
        match self.monitor {
            "qemu" => options.setting("accelerator", "tcg"),
            _ => options,
        }
    }

    async fn open(&self, factory: &Arc<MicrovmFactory>) -> Arc<dyn Environment> {
        let made = factory.create(self.options()).await.unwrap();
        Arc::new(Rules::new(made))
    }

    /// The machines of this ground: whose working directory is in it.
    fn machines(&self) -> Vec<i32> {
        let base = self.base();
        let processes = std::fs::read_dir("/proc").unwrap().flatten();
        processes
            .filter_map(|entry| {
                let number = entry.file_name().to_str()?.parse().ok()?;
                let place = std::fs::read_link(entry.path().join("cwd")).ok()?;
                let name = std::fs::read_to_string(entry.path().join("comm")).ok()?;
                // Of a stand-in and the QEMU that it has, the first one is meant.
                let is_meant = self.monitor == "qemu" || !name.starts_with("qemu");
                (is_meant && place.starts_with(&base)).then_some(number)
            })
            .collect()
    }

    /// The directories of machines and snapshots.
    fn left(&self) -> Vec<String> {
        let mut left = Vec::new();
        for owner in names(&self.base()) {
            for part in ["machines", "snapshots"] {
                left.extend(names(&self.base().join(&owner).join(part)));
            }
        }
        left
    }

    /// Waits for the end of what was told to end; the states of kernels that have just started stay, one
    /// for each size of memory.
    async fn is_empty(&self) {
        let mut looks = 0;
        while !self.machines().is_empty() || self.left().len() > 2 {
            looks += 1;
            assert!(looks < 300, "left: {:?} {:?}", self.machines(), self.left());
            tokio::time::sleep(Duration::from_millis(100)).await;
        }
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

async fn sh(environment: &Arc<dyn Environment>, script: &str) -> String {
    let result = environment.exec(script.into()).await.unwrap();
    assert!(result.success(), "{script}: {}", result.stderr_text());
    result.stdout_text().trim_end().to_owned()
}

#[tokio::test(flavor = "multi_thread")]
async fn passes_the_suite_and_leaves_nothing() {
    let Some(ground) = Ground::new() else { return };
    passes(ground).await;
}

async fn passes(ground: Ground) {
    let factory = ground.factory();
    let subject = Made::new(factory.clone(), ground.options());
    let report = conformance::run(&subject).await;
    println!("{}", report.table());
    assert!(report.passed(), "\n{}", report.table());
    let some = |_: &str, name: &str| TWINS.contains(&name);
    let twins = conformance::run_twins(&subject, &some).await;
    assert!(twins.passed(), "\n{}", twins.table());
    assert_eq!(twins.steps.len(), TWINS.len());
    ground.is_empty().await;
    drop((subject, factory));
    assert_eq!(ground.left(), Vec::<String>::new());
}

#[tokio::test(flavor = "multi_thread")]
async fn a_machine_that_is_killed_and_an_owner_that_ended() {
    let Some(ground) = Ground::new() else { return };
    killed(ground).await;
}

async fn killed(ground: Ground) {
    let factory = ground.factory();
    let environment = factory.create(ground.options()).await.unwrap();
    let call = {
        let environment = Arc::clone(&environment);
        let script = Exec::new("echo on; touch begun; sleep 600");
        tokio::spawn(async move { environment.exec(script).await })
    };
    let mut fed = environment
        .spawn(Exec::new("sleep 600").stdin(Stdin::Piped))
        .await
        .unwrap();
    let mut input = fed.take_input().unwrap();
    let begun = async || environment.exec("test -e begun".into()).await.unwrap();
    while begun().await.exit_code != 0 {
        tokio::time::sleep(Duration::from_millis(50)).await;
    }
    let machines = ground.machines();
    assert_eq!(machines.len(), 1);
    kill(machines[0]);
    let killed = Instant::now();
    let error = call.await.unwrap().unwrap_err();
    assert!(killed.elapsed() < SETTLED, "{:?}", killed.elapsed());
    let found = (error.code(), error.backend(), error.operation());
    assert_eq!(found, (Code::Died, Some("microvm"), "exec"));
    assert_eq!(error.output().unwrap().stdout, b"on\n");
    assert_eq!(fed.next().await.unwrap_err().code(), Code::Died);
    assert_eq!(input.write(b"x").await.unwrap_err().code(), Code::Conflict);
    assert_eq!(environment.state().await.unwrap(), State::Failed);
    for error in [
        environment.exec("true".into()).await.map(drop).unwrap_err(),
        environment.snapshot(None).await.map(drop).unwrap_err(),
        environment.fork(None).await.map(drop).unwrap_err(),
        environment.suspend().await.unwrap_err(),
    ] {
        assert_eq!(error.code(), Code::SandboxUnavailable, "{error}");
    }
    drop((fed, input));
    environment.cleanup().await.unwrap();
    ground.is_empty().await;

    // One that is only dropped.
    drop(factory.create(ground.options()).await.unwrap());
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
    assert_eq!(ground.machines().len(), 1);
    ground.factory().reap().unwrap();
    let mut looks = 0;
    while !ground.machines().is_empty() {
        looks += 1;
        assert!(looks < 300, "a machine is left");
        tokio::time::sleep(Duration::from_millis(100)).await;
    }
    assert_eq!(ground.left(), Vec::<String>::new());
}

/// A number that a process keeps in its memory alone: it answers each request with the next one.
const COUNTER: &str = "mkfifo ask answer
    (exec 3<>ask; n=0; while read -r word <&3; do n=$((n+1)); echo \"$word $n\" > answer; done) \
        </dev/null >/dev/null 2>&1 &";

async fn count(environment: &Arc<dyn Environment>, word: &str) -> String {
    sh(environment, &format!("echo {word} > ask; cat answer")).await
}

#[tokio::test(flavor = "multi_thread")]
async fn branches_go_on_by_themselves_with_what_ran() {
    let Some(ground) = Ground::new() else { return };
    branches(ground).await;
}

async fn branches(ground: Ground) {
    let factory = ground.factory();
    let origin = ground.open(&factory).await;
    sh(&origin, COUNTER).await;
    assert_eq!(count(&origin, "a").await, "a 1");
    // A command in flight keeps nobody from a fork, and its streams stay the origin's.
    let mut running = origin
        .spawn(
            Exec::new("echo ready; read -r line; echo \"got $line\"; exit 4").stdin(Stdin::Piped),
        )
        .await
        .unwrap();
    let ready = running.next().await.unwrap();
    assert_eq!(ready, Some(Event::Stdout("ready\n".into())));
    let one = origin.fork(None).await.unwrap();
    let snapshot = origin.snapshot(Some("counted")).await.unwrap();
    let two = origin.start(&snapshot).await.unwrap();
    assert_eq!(count(&origin, "a").await, "a 2");
    assert_eq!(count(&one, "b").await, "b 2");
    assert_eq!(count(&one, "b").await, "b 3");
    assert_eq!(count(&two, "c").await, "c 2");
    assert_eq!(count(&origin, "a").await, "a 3");
    let mut input = running.take_input().unwrap();
    input.write(b"this\n").await.unwrap();
    drop(input);
    let got = running.next().await.unwrap();
    assert_eq!(got, Some(Event::Stdout("got this\n".into())));
    assert_eq!(running.next().await.unwrap(), Some(Event::Exit(4)));
    drop(running);

    // A branch of a branch, from memory that is in no file of its own.
    let again = two.snapshot(None).await.unwrap();
    let three = factory.start(&again, Options::default()).await.unwrap();
    let three: Arc<dyn Environment> = Arc::new(Rules::new(three));
    let four = two.fork(None).await.unwrap();
    two.suspend().await.unwrap();
    assert_eq!(two.state().await.unwrap(), State::Suspended);
    two.resume().await.unwrap();
    for branch in [&two, &three, &four] {
        assert_eq!(count(branch, "d").await, "d 3");
    }
    // Deleted under those who go on from it.
    origin.restore(&snapshot).await.unwrap();
    origin.delete_snapshot(&snapshot).await.unwrap();
    origin.delete_snapshot(&again).await.unwrap();
    assert_eq!(count(&origin, "a").await, "a 2");
    assert_eq!(count(&three, "d").await, "d 4");

    // What is the same in all of them by their memory, and must not be.
    let mut drawn = Vec::new();
    for sandbox in [&origin, &one, &two, &three, &four] {
        drawn.push(sh(sandbox, "head -c 16 /dev/urandom | od -An -t x1").await);
        sandbox.cleanup().await.unwrap();
    }
    drawn.sort_unstable();
    drawn.dedup();
    assert_eq!(drawn.len(), 5);
    ground.is_empty().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn suspending_waits_for_commands_ends_the_machine_and_keeps_the_time() {
    let Some(ground) = Ground::new() else { return };
    suspends(ground).await;
}

async fn suspends(ground: Ground) {
    let factory = ground.factory();
    let sandbox = ground.open(&factory).await;
    let long = {
        let sandbox = Arc::clone(&sandbox);
        tokio::spawn(async move { sandbox.exec(Exec::new("echo on; sleep 12; echo off")).await })
    };
    tokio::time::sleep(Duration::from_secs(1)).await;
    let error = sandbox.suspend().await.unwrap_err();
    assert_eq!((error.code(), error.retryable()), (Code::Conflict, true));
    assert_eq!(long.await.unwrap().unwrap().stdout, b"on\noff\n");
    sandbox.suspend().await.unwrap();
    assert_eq!(ground.machines(), Vec::<i32>::new());
    let error = sandbox.exec("true".into()).await.unwrap_err();
    assert_eq!(error.code(), Code::SandboxUnavailable);
    tokio::time::sleep(Duration::from_secs(5)).await;
    sandbox.resume().await.unwrap();
    let inside: u64 = sh(&sandbox, "date +%s").await.parse().unwrap();
    let now = std::time::SystemTime::now().duration_since(std::time::UNIX_EPOCH);
    assert!(now.unwrap().as_secs().abs_diff(inside) < 3, "{inside}");
    // One that sleeps is ended, too.
    sandbox.suspend().await.unwrap();
    sandbox.cleanup().await.unwrap();
    ground.is_empty().await;
}

#[tokio::test(flavor = "multi_thread")]
async fn what_cannot_be_is_refused_first() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let mut little = ground.options();
    little.limits = ResourceLimits {
        memory_bytes: Some(1 << 20),
        ..ResourceLimits::default()
    };
    for options in [
        Options::default(),
        ground.options().setting("rootfs", "/nowhere"),
        ground.options().setting("image", "/nowhere"),
        ground.options().setting("accelerator", "abacus"),
        ground.options().setting("kernel", "x"),
        ground.options().setting("monitor", "abacus"),
        // It emulates no processor.
        ground.options().setting("monitor", "firecracker"),
        little,
    ] {
        let error = factory.create(options).await.unwrap_err();
        assert_eq!(
            (error.code(), error.backend()),
            (Code::Invalid, Some("microvm"))
        );
    }
    let mut outside = ground.options();
    outside.cwd = Some("/elsewhere".to_owned());
    let error = factory.create(outside).await.unwrap_err();
    assert_eq!(error.code(), Code::PathEscape);
    assert!(!ground.base().exists(), "something was touched");
    // Files that the memory has no room for are missed at once, not by whoever needs them.
    let ballast = ground.path("rootfs").join("ballast");
    std::fs::write(&ballast, vec![1; 60 << 20]).unwrap();
    let mut full = ground.options();
    full.limits.memory_bytes = Some(64 << 20);
    let error = factory.create(full).await.unwrap_err();
    let found = (error.code(), error.operation());
    assert_eq!(found, (Code::Limit, "create"), "{error}");
    std::fs::remove_file(ballast).unwrap();
    // The processor is asked first, and emulated where that runs no kernel.
    let mut options = ground.options();
    options.settings.remove("accelerator");
    options.env.push(("OF_ALL".to_owned(), "set".to_owned()));
    let sandbox = factory.create(options).await.unwrap();
    let sandbox: Arc<dyn Environment> = Arc::new(Rules::new(sandbox));
    assert_eq!(sh(&sandbox, "echo $OF_ALL").await, "set");
    // A word as long as the kernel lets one be, in bytes of every value.
    let word: Vec<u8> = (1..=255).cycle().take(131_071).collect();
    let exec = Exec::new("printf %s \"$1\" | wc -c").arguments([&word]);
    let counted = sandbox.exec(exec).await.unwrap();
    assert_eq!(counted.stdout_text().trim(), "131071");
    for words in [20, 100] {
        let many = Exec::new("true").arguments((0..words).map(|_| &word));
        let error = sandbox.exec(many).await.unwrap_err();
        assert_eq!(error.code(), Code::Limit, "{error}");
    }
    // What a script leaves in the background is waited for where that is asked.
    let exec = Exec::new("(sleep 1; echo late > late) </dev/null >/dev/null 2>&1 &");
    sandbox.exec(exec.wait_for_background()).await.unwrap();
    assert_eq!(sh(&sandbox, "cat late").await, "late");
    // A guest that ends itself.
    let ended = sandbox
        .exec("echo b > /proc/sysrq-trigger; sleep 60".into())
        .await;
    assert_eq!(ended.unwrap_err().code(), Code::Died);
    sandbox.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn a_bomb_of_processes_ends_with_its_command() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let sandbox = ground.open(&factory).await;
    let bomb = Exec::new("bomb() { bomb | bomb & }; bomb; sleep 60").timeout_ms(4_000);
    let ended = sandbox.exec(bomb).await.unwrap();
    assert!(ended.timed_out);
    // Room for others comes as the processes end.
    let mut looks = 0;
    loop {
        match sandbox.exec("ls -d /proc/[0-9]* | wc -l".into()).await {
            Ok(listed) if listed.success() => {
                let listed = listed.stdout_text().trim().parse::<usize>();
                if listed.is_ok_and(|listed| listed < 100) {
                    break;
                }
            }
            Ok(_) => {}
            Err(error) => assert_eq!(error.code(), Code::Limit, "{error}"),
        }
        looks += 1;
        assert!(looks < 100, "it goes on");
        tokio::time::sleep(Duration::from_millis(500)).await;
    }
    sandbox.cleanup().await.unwrap();
}

#[tokio::test(flavor = "multi_thread")]
async fn no_secret_is_told() {
    let Some(ground) = Ground::new() else { return };
    tells_nothing(ground).await;
}

async fn tells_nothing(ground: Ground) {
    let factory = ground.factory();
    let mut canary = Canary::new();
    let environment = ground.open(&factory).await;
    canary.fly(&environment).await;
    let running = {
        let exec = Exec::new("sleep 2 # c4nary-of-a-script-07bd")
            .env("CANARY", "c4nary-of-a-variable-5e6c");
        let environment = Arc::clone(&environment);
        tokio::spawn(async move { environment.exec(exec).await })
    };
    while !running.is_finished() {
        for machine in ground.machines() {
            let owner = std::fs::read_to_string(format!("/proc/{machine}/status")).unwrap();
            let owner = owner.lines().find(|line| line.starts_with("Uid:")).unwrap();
            assert!(!owner.contains("\t0"), "QEMU is root: {owner}");
            for file in ["cmdline", "environ"] {
                let text = std::fs::read(format!("/proc/{machine}/{file}"));
                let text = String::from_utf8_lossy(&text.unwrap_or_default()).into_owned();
                canary.tell("what the host shows of a machine", text);
            }
        }
        tokio::time::sleep(Duration::from_millis(200)).await;
    }
    running.await.unwrap().unwrap();
    let snapshot = environment.snapshot(Some("kept")).await.unwrap();
    canary.tell("the snapshot", serde_json::to_string(&snapshot).unwrap());
    canary.tell("the factory", format!("{factory:?}"));
    // The memory holds what is in it; the rest does not.
    environment.delete_snapshot(&snapshot).await.unwrap();
    environment.cleanup().await.unwrap();
    ground.is_empty().await;
    canary.look(&ground.base());
    canary.check();
}
