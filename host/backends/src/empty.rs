//! The backend that grants nothing: no command, no file. Its lifecycle works all the same, so that
//! code which only branches and cleans up runs on it.

use offshoot_backend::{
    Capabilities, Environment, Error, Exec, Factory, Options, Result, ShellResult, Snapshot,
};
use offshoot_boxed::boxed;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};

const NAME: &str = "empty";

/// Makes sandboxes without any authority.
///
/// ```
/// # #[tokio::main(flavor = "current_thread")] async fn main() -> offshoot_backend::Result<()> {
/// use offshoot_backend::{Code, Factory, Options};
/// let sandbox = offshoot_backends::empty::Empty.create(Options::default()).await?;
/// let error = sandbox.exec("true".into()).await.unwrap_err();
/// assert_eq!(error.code(), Code::Capability);
/// sandbox.fork(None).await?.cleanup().await
/// # }
/// ```
#[derive(Debug, Clone, Copy, Default)]
pub struct Empty;

#[derive(Debug, Default)]
struct Nothing {
    ended: AtomicBool,
}

fn capabilities() -> Capabilities {
    let mut capabilities = Capabilities::NONE;
    capabilities.snapshot = true;
    capabilities.restore = true;
    capabilities.fork = true;
    capabilities
}

#[boxed]
impl Factory for Empty {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        options.check(NAME, &capabilities())?;
        options.no_settings(NAME)?;
        Ok(Arc::new(Nothing::default()))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        snapshot.of(NAME, "start")?;
        self.create(options).await
    }
}

impl Nothing {
    fn alive(&self, operation: &'static str) -> Result<()> {
        if self.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation).on(NAME));
        }
        Ok(())
    }
}

#[boxed]
impl Environment for Nothing {
    fn backend(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    fn cwd(&self) -> &str {
        "/"
    }

    async fn exec(&self, _: Exec) -> Result<ShellResult> {
        Err(self.refusal("exec", "commands"))
    }

    async fn cleanup(&self) -> Result<()> {
        self.ended.store(true, Ordering::Release);
        Ok(())
    }

    async fn snapshot(&self, label: Option<&str>) -> Result<Snapshot> {
        self.alive("snapshot")?;
        Ok(Snapshot::new(NAME, "nothing").labelled(label))
    }

    async fn restore(&self, snapshot: &Snapshot) -> Result<()> {
        self.alive("restore")?;
        snapshot.of(NAME, "restore").map(drop)
    }

    async fn start(&self, snapshot: &Snapshot) -> Result<Arc<dyn Environment>> {
        self.alive("start")?;
        snapshot.of(NAME, "start")?;
        Ok(Arc::new(Nothing::default()))
    }

    async fn delete_snapshot(&self, snapshot: &Snapshot) -> Result<()> {
        snapshot.of(NAME, "delete_snapshot").map(drop)
    }

    async fn fork(&self, _: Option<&str>) -> Result<Arc<dyn Environment>> {
        self.alive("fork")?;
        Ok(Arc::new(Nothing::default()))
    }
}
