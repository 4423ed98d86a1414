//! The microvm backend on Debian's QEMU and kernel, emulated: it passes everywhere. It needs an image,
//! which `tests/install` makes, and a static BusyBox, and runs where OFFSHOOT_MICROVM_TESTS is set.

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
        if !image.join("vmlinuz").is_file() || !image.join("agent").is_file() {
            return skip("there is no image, which tests/install makes");
        }
        let directory = tempfile::tempdir().unwrap();
        let ground = Ground { directory, image };
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
        Options::default()
            .setting("image", self.image.display().to_string())
            .setting("rootfs", self.path("rootfs").display().to_string())
            .setting("accelerator", "tcg")
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
                place.starts_with(&base).then_some(number)
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

    /// Waits for the end of what was told to end; the directory of the first start stays.
    async fn is_empty(&self) {
        let mut looks = 0;
        while !self.machines().is_empty() || self.left().len() > 1 {
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

/// What a call takes, in milliseconds: the middle of several.
async fn middle<F: Future<Output = ()>>(times: usize, call: impl Fn() -> F) -> f64 {
    let mut taken = Vec::new();
    for _ in 0..times {
        let started = Instant::now();
        call().await;
        taken.push(started.elapsed().as_secs_f64() * 1e3);
    }
    taken.sort_by(f64::total_cmp);
    taken[taken.len() / 2]
}

#[tokio::test(flavor = "multi_thread")]
#[ignore = "it measures, and demands nothing"]
async fn times() {
    let Some(ground) = Ground::new() else { return };
    let factory = ground.factory();
    let first = Instant::now();
    let environment = ground.open(&factory).await;
    println!(
        "first sandbox, with its kernel's start: {:?}",
        first.elapsed()
    );
    let fresh = middle(5, || async {
        ground.open(&factory).await.cleanup().await.unwrap();
    });
    println!("a further sandbox, and its end: {:.1} ms", fresh.await);
    let exec = middle(20, || async {
        sh(&environment, "true").await;
    });
    println!("exec: {:.1} ms", exec.await);
    let snapshot = middle(5, || async {
        let snapshot = environment.snapshot(None).await.unwrap();
        environment.delete_snapshot(&snapshot).await.unwrap();
    });
    println!("snapshot, and its end: {:.1} ms", snapshot.await);
    let snapshot = environment.snapshot(None).await.unwrap();
    println!("snapshot: {} bytes on disk", snapshot.size.unwrap());
    let start = middle(5, || async {
        let branch = environment.start(&snapshot).await.unwrap();
        branch.cleanup().await.unwrap();
    });
    println!("start of a snapshot, and its end: {:.1} ms", start.await);
    let branch = environment.start(&snapshot).await.unwrap();
    let again = middle(3, || async {
        let snapshot = branch.snapshot(None).await.unwrap();
        branch.delete_snapshot(&snapshot).await.unwrap();
    });
    println!("snapshot of a branch, and its end: {:.1} ms", again.await);
    let fork = middle(5, || async {
        environment
            .fork(None)
            .await
            .unwrap()
            .cleanup()
            .await
            .unwrap();
    });
    println!("fork, and its end: {:.1} ms", fork.await);
    let fork = middle(5, || async {
        let fork = environment.fork(None).await.unwrap();
        sh(&fork, "true").await;
        fork.cleanup().await.unwrap();
    });
    println!("fork, its first exec, and its end: {:.1} ms", fork.await);
    let sleep = middle(5, || async {
        environment.suspend().await.unwrap();
        environment.resume().await.unwrap();
    });
    println!("suspend and resume: {:.1} ms", sleep.await);
    let flood = Instant::now();
    let exec = Exec::new("head -c 50000000 /dev/zero");
    assert_eq!(
        environment.exec(exec).await.unwrap().stdout.len(),
        50_000_000
    );
    println!("50 MB of output: {:?}", flood.elapsed());
    branch.cleanup().await.unwrap();
    environment.cleanup().await.unwrap();
}
