//! Broken twins: the suite proves nothing about a backend on which it would not fail.

use super::report::{Outcome, Report};
use super::{Subject, Wanted, run_only};
use crate::capabilities::Capabilities;
use crate::environment::{Environment, State};
use crate::error::Result;
use crate::exec::{Exec, ShellResult};
use crate::factory::Options;
use crate::files::{FileStat, RemoveOptions};
use crate::policy::Boundary;
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use std::sync::Arc;
use std::time::Instant;

/// For each wanted claim of `subject` a twin that says otherwise and behaves as before: one that
/// claims what it lacks, or denies what it has. A step passes where the suite fails for the twin.
///
/// The area of the steps is `capability`, as it is of those that must fail.
pub async fn run_twins(subject: &dyn Subject, wanted: Wanted<'_>) -> Report {
    let started = Instant::now();
    let capabilities = match subject.open(Options::default()).await {
        Ok(environment) => {
            let capabilities = environment.capabilities();
            match environment.cleanup().await {
                Ok(()) => Ok(capabilities),
                Err(error) => Err(error),
            }
        }
        Err(error) => Err(error),
    };
    let mut report = Report::new(
        format!("twins of {}", subject.name()),
        capabilities.as_ref().copied().unwrap_or(Capabilities::NONE),
    );
    if let Err(error) = capabilities {
        report.push("life", "open", Outcome::Failed(error.to_string()), started);
        return report;
    }
    for (claim, claimed) in report.capabilities.claims() {
        if wanted("capability", claim) {
            let started = Instant::now();
            let outcome = judge(subject, claim, claimed).await;
            report.push("capability", claim, outcome, started);
        }
    }
    report
}

async fn judge(subject: &dyn Subject, claim: &'static str, claimed: bool) -> Outcome {
    let twin = Flipped { subject, claim };
    let only = |area: &str, name: &str| area == "capability" && name == claim;
    let judged = run_only(&twin, &only).await;
    let found = judged.failures().any(|(step, _)| step.name == claim);
    match (found, claimed) {
        (true, _) => Outcome::Passed,
        (false, true) => Outcome::Failed("it may be denied, though it works".to_owned()),
        (false, false) => Outcome::Failed("it may be claimed, though it is missing".to_owned()),
    }
}

/// A subject whose sandboxes say otherwise about one claim.
struct Flipped<'a> {
    subject: &'a dyn Subject,
    claim: &'static str,
}

impl Flipped<'_> {
    fn wrap(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        let claim = self.claim;
        Arc::new(Twin { inner, claim })
    }
}

#[async_trait]
impl Subject for Flipped<'_> {
    fn name(&self) -> String {
        format!("{} with {} turned round", self.subject.name(), self.claim)
    }

    async fn open(&self, wanted: Options) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.subject.open(wanted).await?))
    }

    async fn attach(&self, reference: &Reference) -> Option<Result<Arc<dyn Environment>>> {
        self.subject.attach(reference).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Option<Result<Arc<dyn Environment>>> {
        self.subject.start(snapshot).await
    }
}

struct Twin {
    inner: Arc<dyn Environment>,
    claim: &'static str,
}

impl Twin {
    fn wrap(&self, inner: Arc<dyn Environment>) -> Arc<dyn Environment> {
        let claim = self.claim;
        Arc::new(Twin { inner, claim })
    }
}

#[async_trait]
impl Environment for Twin {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities().flipped(self.claim)
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.inner.exec(exec).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.inner.read_file_buffer(path).await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        self.inner.write_file(path, content).await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.inner.stat(path).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.inner.readdir(path).await
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        self.inner.mkdir(path, recursive).await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        self.inner.rm(path, options).await
    }

    async fn cleanup(&self) -> Result<()> {
        self.inner.cleanup().await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.inner.spawn(exec).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.inner.snapshot(label).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.restore(snapshot).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.inner.start(snapshot).await?))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.delete_snapshot(snapshot).await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        Ok(self.wrap(self.inner.fork(label).await?))
    }

    async fn suspend(&self) -> Result<()> {
        self.inner.suspend().await
    }

    async fn resume(&self) -> Result<()> {
        self.inner.resume().await
    }

    async fn reference(&self) -> Result<Reference> {
        self.inner.reference().await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        self.inner.restrict(boundary).await
    }

    async fn state(&self) -> Result<State> {
        self.inner.state().await
    }
}
