//! An environment under policies.

use super::approval::Desk;
use super::boundary::Verdict;
use super::{Access, Approver, Boundary, ExecRule, Policy, Summary, check};
use crate::capabilities::{Capabilities, Network};
use crate::environment::{Environment, State};
use crate::error::{Code, Error, Result};
use crate::exec::{Exec, ShellResult};
use crate::factory::{Factory, Options};
use crate::files::{FileStat, RemoveOptions};
use crate::running::Running;
use crate::snapshot::{Reference, Snapshot};
use async_trait::async_trait;
use std::fmt;
use std::sync::Arc;

/// An environment that does what its policies permit, and no more.
///
/// File operations are judged here, on every backend. What commands do is judged at the sandbox's own
/// boundary ([`Environment::restrict`]): on a backend without one (`file_policy`, `command_policy`),
/// rules for files are refused unless commands are denied, and rules for commands and requests always,
/// before anything is made. Whether commands run at all, and approvals for them, hold everywhere. Branches, and sandboxes from snapshots, are under the same policies. There is no
/// reference to it, since who attaches would not be under them.
pub struct Restricted {
    inner: Arc<dyn Environment>,
    terms: Arc<Terms>,
}

/// What all branches share.
struct Terms {
    rules: Summary,
    boundary: Arc<Boundary>,
    desk: Desk,
}

impl Restricted {
    /// Puts an environment under all of these policies. What needs an approval is refused where
    /// there is no approver.
    ///
    /// # Errors
    /// `CAPABILITY` for what the backend cannot honour and `INVALID` for a malformed pattern, before
    /// anything is touched.
    pub async fn new(
        inner: Arc<dyn Environment>,
        policies: &[Policy],
        approver: Option<Arc<dyn Approver>>,
    ) -> Result<Restricted> {
        let rules = check(policies, inner.backend(), &inner.capabilities())?;
        let desk = Desk {
            backend: inner.backend().to_owned(),
            approver,
            patience: rules.patience,
        };
        let boundary = Boundary::new(policies)
            .map_err(|error| error.on(inner.backend().to_owned()))?
            .asking(desk.clone());
        let terms = Arc::new(Terms {
            rules,
            boundary: Arc::new(boundary),
            desk,
        });
        Restricted::under(inner, terms).await
    }

    async fn under(inner: Arc<dyn Environment>, terms: Arc<Terms>) -> Result<Restricted> {
        if terms.rules.boundary {
            inner.restrict(Arc::clone(&terms.boundary)).await?;
        }
        Ok(Restricted { inner, terms })
    }

    async fn wrap(&self, made: Arc<dyn Environment>) -> Result<Arc<dyn Environment>> {
        let terms = Arc::clone(&self.terms);
        match Restricted::under(Arc::clone(&made), terms).await {
            Ok(restricted) => Ok(Arc::new(restricted)),
            Err(error) => {
                made.cleanup().await?;
                Err(error)
            }
        }
    }

    fn denied(&self, operation: &'static str, message: String) -> Error {
        Error::new(Code::PolicyDenied, operation, message).on(self.backend().to_owned())
    }

    /// Judges a path, which may have to wait for an approval; whether there was one.
    async fn judge(&self, operation: &'static str, path: &str, access: Access) -> Result<bool> {
        let resolved = self.resolve_path(path);
        match self.terms.boundary.judge(&resolved, access) {
            Verdict::Permitted => Ok(false),
            Verdict::Ask => self.ask(operation, &resolved).await.map(|()| true),
            Verdict::Refused => {
                let what = match access {
                    Access::Read => "read",
                    Access::Write => "written",
                };
                let message = format!("{path}: the policy does not let it be {what}");
                Err(self.denied(operation, message))
            }
        }
    }

    async fn ask(&self, operation: &'static str, subject: &str) -> Result<()> {
        match self.terms.desk.refusal(operation, subject).await {
            None => Ok(()),
            Some(reason) => Err(self.denied(operation, reason)),
        }
    }

    /// Judges a change of `path` and makes it.
    async fn change<T>(
        &self,
        operation: &'static str,
        path: &str,
        change: impl Future<Output = Result<T>> + Send,
    ) -> Result<T> {
        let approved = self.judge(operation, path, Access::Write).await?;
        let resolved = self.resolve_path(path);
        let _grant = approved.then(|| self.terms.boundary.grant(&resolved));
        change.await
    }

    async fn command(&self, operation: &'static str, exec: &Exec) -> Result<()> {
        match self.terms.rules.exec {
            ExecRule::Allow => Ok(()),
            ExecRule::Ask => self.ask(operation, &exec.text()).await,
            ExecRule::Deny => Err(self.refusal(operation, "commands under its policy")),
        }
    }
}

#[async_trait]
impl Environment for Restricted {
    fn backend(&self) -> &str {
        self.inner.backend()
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = self.inner.capabilities();
        capabilities.reconnect = false;
        capabilities.file_policy = false;
        capabilities.command_policy = false;
        if self.terms.rules.exec == ExecRule::Deny {
            capabilities = capabilities.without_exec();
        }
        if self.terms.rules.offline {
            capabilities.network = Network::None;
        }
        capabilities
    }

    fn root(&self) -> &str {
        self.inner.root()
    }

    fn cwd(&self) -> &str {
        self.inner.cwd()
    }

    async fn exec(&self, exec: Exec) -> Result<ShellResult> {
        self.command("exec", &exec).await?;
        self.inner.exec(exec).await
    }

    async fn read_file_buffer(&self, path: &str) -> Result<Vec<u8>> {
        self.judge("read_file_buffer", path, Access::Read).await?;
        self.inner.read_file_buffer(path).await
    }

    async fn write_file(&self, path: &str, content: &[u8]) -> Result<()> {
        let write = self.inner.write_file(path, content);
        self.change("write_file", path, write).await
    }

    async fn stat(&self, path: &str) -> Result<FileStat> {
        self.judge("stat", path, Access::Read).await?;
        self.inner.stat(path).await
    }

    async fn readdir(&self, path: &str) -> Result<Vec<String>> {
        self.judge("readdir", path, Access::Read).await?;
        self.inner.readdir(path).await
    }

    async fn mkdir(&self, path: &str, recursive: bool) -> Result<()> {
        let made = self.inner.mkdir(path, recursive);
        self.change("mkdir", path, made).await
    }

    async fn rm(&self, path: &str, options: RemoveOptions) -> Result<()> {
        let resolved = self.resolve_path(path);
        let whole = self
            .terms
            .boundary
            .permits_tree(resolved.as_bytes(), Access::Write);
        // Where commands are judged at the boundary, so is each file that goes.
        if options.recursive && !whole && !self.inner.capabilities().file_policy {
            self.judge("rm", path, Access::Write).await?;
            let message = format!("{path}: the policy does not let all of it be removed");
            return Err(self.denied("rm", message));
        }
        self.change("rm", path, self.inner.rm(path, options)).await
    }

    async fn cleanup(&self) -> Result<()> {
        self.inner.cleanup().await
    }

    async fn spawn(&self, exec: Exec) -> Result<Box<dyn Running>> {
        self.command("spawn", &exec).await?;
        self.inner.spawn(exec).await
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.inner.snapshot(label).await
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.restore(snapshot).await
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.wrap(self.inner.start(snapshot).await?).await
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        self.inner.delete_snapshot(snapshot).await
    }

    async fn fork(&self, label: Option<&str>) -> Result<Arc<dyn Environment>> {
        self.wrap(self.inner.fork(label).await?).await
    }

    async fn suspend(&self) -> Result<()> {
        self.inner.suspend().await
    }

    async fn resume(&self) -> Result<()> {
        self.inner.resume().await
    }

    async fn reference(&self) -> Result<Reference> {
        Err(self.refusal("reference", "references to what is under a policy"))
    }

    async fn state(&self) -> Result<State> {
        self.inner.state().await
    }

    async fn restrict(&self, boundary: Arc<Boundary>) -> Result<()> {
        let _ = boundary;
        Err(self.refusal("restrict", "a second boundary; give all policies at once"))
    }
}

impl fmt::Debug for Restricted {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Restricted")
            .field("inner", &self.inner)
            .field("rules", &self.terms.rules)
            .finish_non_exhaustive()
    }
}

/// Makes sandboxes under policies.
pub(crate) struct RestrictedFactory {
    pub(crate) inner: Arc<dyn Factory>,
    pub(crate) policies: Vec<Policy>,
    pub(crate) approver: Option<Arc<dyn Approver>>,
}

impl RestrictedFactory {
    /// Refuses what cannot be honoured before anything is made.
    fn check(&self, options: &Options) -> Result<()> {
        let mut capabilities = self.inner.capabilities();
        if let Some(network) = options.network {
            capabilities.network = network;
        }
        check(&self.policies, self.inner.name(), &capabilities)?;
        let boundary = Boundary::new(&self.policies);
        boundary
            .map(drop)
            .map_err(|error| error.on(self.inner.name().to_owned()))
    }

    async fn restrict(&self, made: Arc<dyn Environment>) -> Result<Arc<dyn Environment>> {
        let approver = self.approver.clone();
        match Restricted::new(Arc::clone(&made), &self.policies, approver).await {
            Ok(restricted) => Ok(Arc::new(restricted)),
            Err(error) => {
                made.cleanup().await?;
                Err(error)
            }
        }
    }
}

#[async_trait]
impl Factory for RestrictedFactory {
    fn name(&self) -> &str {
        self.inner.name()
    }

    fn capabilities(&self) -> Capabilities {
        self.inner.capabilities()
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        self.check(&options)?;
        self.restrict(self.inner.create(options).await?).await
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        self.check(&options)?;
        self.restrict(self.inner.start(snapshot, options).await?)
            .await
    }
}
