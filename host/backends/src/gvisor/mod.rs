//! The backend that gives every sandbox a gVisor container: a kernel of its own in user space.
//!
//! `runsc` is driven without an engine. The root file system is a directory of the host that is only
//! read; what a sandbox writes stays in its memory. A checkpoint holds files, memory and processes
//! alike: suspend is a checkpoint, and a branch goes on with every process that the origin had in
//! the background. There is no network.

mod process;
mod runsc;
mod sandbox;

use crate::gvisor::runsc::Runsc;
use crate::gvisor::sandbox::{Made, Plan, Sandbox};
use crate::inside::COMMANDS;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Isolation, Network, Options, Persistence,
    PosixOverExec, Result, Snapshot, path,
};
use offshoot_boxed::boxed;
use serde::Deserialize;
use std::path::PathBuf;
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) const NAME: &str = "gvisor";

/// Makes sandboxes with `runsc`, which needs root.
///
/// Settings: `rootfs`, a directory with a root file system; `workspace`, the root of file operations,
/// `/workspace` by default.
///
/// Snapshots live as long as the factory. What a process left that ended without cleanup is removed
/// by the next factory on the same machine.
///
/// While a checkpoint is taken no command is in flight: their streams are the host's, which nothing
/// inside may hold then. Snapshots, forks and suspending wait a while for the end of those that are,
/// and fail with `CONFLICT` then. What commands left in the background goes on.
#[derive(Debug, Default)]
pub struct GvisorFactory {
    base: Option<PathBuf>,
    made: Mutex<Option<Arc<Made>>>,
}

/// What only this backend knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    rootfs: Option<PathBuf>,
    #[serde(default = "workspace")]
    workspace: String,
}

fn workspace() -> String {
    "/workspace".to_owned()
}

/// What a sandbox can do, without the files that go by way of commands.
fn capabilities() -> Capabilities {
    let mut capabilities = COMMANDS;
    capabilities.persistence = Persistence::Session;
    capabilities.isolation = Isolation::Container;
    capabilities.background = true;
    capabilities.snapshot_memory = true;
    capabilities
}

impl GvisorFactory {
    /// A factory that keeps its state below `base`, which only root may enter, in place of the
    /// system's directory for temporary files.
    pub fn new(base: impl Into<PathBuf>) -> GvisorFactory {
        GvisorFactory {
            base: Some(base.into()),
            made: Mutex::default(),
        }
    }

    /// Ends the sandboxes and removes the directories that factories of this machine left when their
    /// process ended without cleanup. Making the first sandbox does the same.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where `runsc` cannot be used, `DIED` where the base directory cannot.
    pub fn reap(&self) -> Result<()> {
        self.made("reap").map(drop)
    }

    fn made(&self, operation: &'static str) -> Result<Arc<Made>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(Arc::clone(made));
        }
        let opened = Made::open(Runsc::find(operation)?, self.base.as_deref())
            .map_err(|error| Error::new(Code::Died, operation, error.to_string()).on(NAME))?;
        Ok(Arc::clone(made.insert(Arc::new(opened))))
    }
}

/// What the options ask for; refused before anything is made.
fn plan(operation: &'static str, options: Options, captured: Option<Plan>) -> Result<Plan> {
    options.check(NAME, &capabilities())?;
    if options
        .network
        .is_some_and(|network| network != Network::None)
    {
        return Err(Error::unsupported(NAME, operation, "a network"));
    }
    let settings: Settings = options.settings_as(NAME)?;
    let invalid = |message: String| Error::new(Code::Invalid, operation, message).on(NAME);
    let plan = match (captured, settings.rootfs) {
        (Some(captured), _) => captured,
        (None, None) => return Err(invalid("settings: rootfs is missing".to_owned())),
        (None, Some(rootfs)) => {
            let shown = rootfs.display().to_string();
            let rootfs = rootfs
                .canonicalize()
                .ok()
                .filter(|path| path.is_dir())
                .ok_or_else(|| invalid(format!("settings: rootfs: {shown} is no directory")))?;
            let root = path::resolve("/", &settings.workspace);
            Plan::new(rootfs, root)
        }
    };
    plan.with(operation, options.cwd.as_deref(), options.env)
}

#[boxed]
impl Factory for GvisorFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        let mut capabilities = capabilities();
        capabilities.filesystem = true;
        capabilities.binary_files = true;
        capabilities
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        let plan = plan("create", options, None)?;
        let sandbox = Sandbox::create(self.made("create")?, plan).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let id = snapshot.of(NAME, "start")?;
        let made = self.made("start")?;
        let plan = plan("start", options, Some(made.captured("start", id)?))?;
        let sandbox = Sandbox::from_snapshot(made, plan, id).await;
        let sandbox = sandbox.map_err(|error| error.during("start"))?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }
}
