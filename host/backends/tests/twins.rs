//! The suite is red on twins of a working backend that claim what they lack, and on those that
//! lack what they deny.

#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use async_trait::async_trait;
use offshoot_backend::conformance::{self, Made, Subject};
use offshoot_backend::{
    Capabilities, Environment, Exec, Factory, FileStat, Options, RemoveOptions, Result, Running,
    ShellResult, Snapshot, State,
};
use offshoot_backends::empty::Empty;
use offshoot_backends::local::LocalFactory;
use std::sync::Arc;

/// A fault that is planted into the working backend.
#[derive(Debug, Clone, Copy, PartialEq)]
enum Fault {
    /// Standard error arrives among standard output.
    Merged,
    /// The last newline of output is lost.
    Trimmed,
    /// Bytes that are not UTF-8 are replaced.
    Lossy,
    /// Links are followed out of the root.
    Follows,
    /// A time-out is reported, and the command goes on.
    LetsRun,
    /// What was written is not quite what is read.
    Appends,
    /// A directory is removed without being asked to.
    Eager,
    /// A branch is the same sandbox again.
    Shared,
    /// Restoring does nothing.
    Forgets,
    /// Cleanup does nothing.
    Lives,
    /// Directory names are cut at newlines.
    Lines,
}

struct Twin {
    inner: Arc<dyn Environment>,
    fault: Fault,
}

impl Twin {
    fn wrap(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        let fault = self.fault;
        Arc::new(Twin { inner, fault })
    }
}

#[async_trait]
impl Environment for Twin {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, mut exec: Exec) -> Result<ShellResult> {
        if self.fault == Fault::LetsRun
            && let Some(timeout) = exec.timeout.take()
        {
            let (inner, command) = (Arc::clone(&self.inner), exec.text().into_owned());
            let call = tokio::spawn(async move { inner.exec(exec).await });
            return match tokio::time::timeout(timeout, call).await {
                Ok(done) => done.unwrap(),
                Err(_) => {
                    let mut result = ShellResult::new(command, 124);
                    result.timed_out = true;
                    Ok(result)
                }
            };
        }
        let mut result = self.inner.exec(exec).await?;
        match self.fault {
            Fault::Merged => result.stdout.append(&mut result.stderr),
            Fault::Trimmed if result.stdout.ends_with(b"\n") => drop(result.stdout.pop()),
            _ => {}
        }
        Ok(result)
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        if self.fault == Fault::Follows
            && let Ok(content) = std::fs::read(path)
        {
            return Ok(content);
        }
        let mut content = self.inner.read_file_buffer(path).await?;
        match self.fault {
            Fault::Lossy => content = String::from_utf8_lossy(&content).into_owned().into(),
            Fault::Appends => content.push(b'\n'),
            _ => {}
        }
        Ok(content)
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.inner.write_file(path, content).await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.inner.stat(path).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        let names = self.inner.readdir(path).await?;
        if self.fault != Fault::Lines {
            return Ok(names);
        }
        Ok(names
            .iter()
            .flat_map(|name| name.lines().map(str::to_owned))
            .collect())
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.inner.mkdir(path, recursive).await
    }

    async fn rm(&self, path: &str, mut options: RemoveOptions) -> Result<()> {
        options.recursive |= self.fault == Fault::Eager;
        self.inner.rm(path, options).await
    }

    async fn cleanup(&self) -> Result<()> {
        match self.fault {
            Fault::Lives => Ok(()),
            _ => self.inner.cleanup().await,
        }
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.inner.spawn(exec).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.inner.snapshot(label).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        match self.fault {
            Fault::Forgets => Ok(()),
            _ => self.inner.restore(snapshot).await,
        }
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.inner.start(snapshot).await?))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.delete_snapshot(snapshot).await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        match self.fault {
            Fault::Shared => Ok(self.wrap(Arc::clone(&self.inner))),
            _ => Ok(self.wrap(self.inner.fork(label).await?)),
        }
    }

    async fn suspend(&self) -> Result<()> {
        self.inner.suspend().await
    }

    async fn resume(&self) -> Result<()> {
        self.inner.resume().await
    }

    async fn reference(&self) -> Result<offshoot_backend::Reference> {
        self.inner.reference().await
    }

    async fn state(&self) -> Result<State> {
        self.inner.state().await
    }
}

struct Broken(LocalFactory, Fault);

#[async_trait]
impl Subject for Broken {
    fn name(&self) -> String {
        format!("{:?}", self.1)
    }

    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>> {
        let inner = self.0.create(wanted).await?;
        let fault = self.1;
        Ok(Arc::new(Twin { inner, fault }))
    }

    async fn start(&self, snapshot: &Snapshot) -> Option<Result<Arc<dyn Environment>>> {
        Some(self.0.start(snapshot, Options::default()).await)
    }
}

/// Whether this step fails for a fault, and passes without one.
async fn is_found(fault: Fault, area: &str, name: &str) -> bool {
    let wanted = |a: &str, n: &str| a == area && (n == name || a == "classic");
    let twin = Broken(LocalFactory::default(), fault);
    let report = conformance::run_only(&twin, &wanted).await;
    let honest = Made::new(Arc::new(LocalFactory::default()), Options::default());
    let without = conformance::run_only(&honest, &wanted).await;
    assert!(without.passed(), "\n{}", without.table());
    let mut failed = report.failures();
    failed.any(|(step, _)| step.area == area && step.name == name)
}

async fn every_twin_is_found(factory: Arc<dyn Factory>) {
    let subject = Made::new(factory, Options::default());
    let twins = conformance::run_twins(&subject, &|_, _| true).await;
    assert!(twins.passed(), "\n{}", twins.table());
}

#[tokio::test(flavor = "multi_thread")]
async fn every_claim_turned_round_is_found_on_local() {
    every_twin_is_found(Arc::new(LocalFactory::default())).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn every_claim_turned_round_is_found_on_empty() {
    every_twin_is_found(Arc::new(Empty)).await;
}

#[tokio::test(flavor = "multi_thread")]
async fn a_wrong_answer_is_found() {
    for (fault, area, step) in [
        (Fault::Merged, "capability", "separate_stderr"),
        (Fault::Trimmed, "classic", "exec"),
        (Fault::Lossy, "capability", "binary_files"),
        (
            Fault::Follows,
            "escape",
            "T02 symbolic links do not lead out",
        ),
        (
            Fault::LetsRun,
            "exec",
            "a time-out gives 124, the output so far, and ends the whole tree",
        ),
        (Fault::Appends, "classic", "readFile"),
        (Fault::Eager, "files", "rm keeps its rules"),
        (Fault::Shared, "capability", "fork"),
        (Fault::Forgets, "capability", "restore"),
        (
            Fault::Lives,
            "life",
            "cleanup may be repeated, and ends every operation",
        ),
        (Fault::Lines, "files", "readdir gives every name as it is"),
    ] {
        assert!(is_found(fault, area, step).await, "{fault:?}: {step}");
    }
}
