//! The backend that gives every sandbox a virtual machine: a kernel of its own, behind the processor's
//! virtualization or an emulation of it.
//!
//! QEMU or Firecracker runs the machines, without network, disk or any device but one way to the host, by which an
//! agent inside runs commands. All files are in the machine's memory, so a snapshot of the memory holds them
//! with every process. A branch maps the memory of its snapshot and copies what it writes; suspending
//! writes the state and ends the monitor.
//!
//! A sandbox does not wait for its kernel to start: the first one of a kind is captured when it has
//! started, and all go on from there, each with a clock and a randomness of its own.

mod channel;
mod cpio;
mod firecracker;
mod http;
mod machines;
mod monitor;
mod process;
mod qemu;
mod qmp;
mod sandbox;
mod vmm;

use crate::inside::COMMANDS;
use crate::microvm::machines::{Made, Plan, Source};
use crate::microvm::sandbox::Sandbox;
use crate::microvm::vmm::{Accelerator, Machine, MonitorKind};
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Isolation, Network, Options, Persistence,
    PosixOverExec, Result, Snapshot, path,
};
use offshoot_boxed::boxed;
use serde::Deserialize;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};

pub(crate) const NAME: &str = "microvm";

/// Bytes of memory where no limit is set: what is not used costs nothing.
const MEMORY: u64 = 256 << 20;
/// Fewer are not enough for the agent and the first files.
const LEAST: u64 = 16 << 20;
/// What the kernel takes for itself: a limit is about processes and their files.
pub(crate) const KERNEL: u64 = 64 << 20;
/// What a machine's memory is a multiple of.
const UNIT: u64 = 1 << 20;

/// Makes sandboxes with QEMU or Firecracker.
///
/// Settings: `image`, a directory with a `kernel`, the `agent`, and in `modules` what the kernel
/// needs to find a virtio port, and vsock for Firecracker (`host/backends/agent/image` makes one of Debian's kernel); `rootfs`, a
/// directory with a root file system, which is read when the first sandbox of it is made; `workspace`, the
/// root of file operations, `/workspace` by default; `monitor`, `qemu` or `firecracker`, by
/// default `qemu`, the program in `PATH` that runs the machine and all that goes on from it; `accelerator`, `kvm` or
/// `tcg`, by default the first that starts the kernel: Firecracker has `kvm` only. A limit of memory is what the machine has beyond what its kernel takes. Files lie
/// in it too, those of the root file system at most as a third of it, all together as four fifths.
///
/// Snapshots live as long as the factory, and their files hold whatever the machine's memory did. What a
/// process left that ended without cleanup is removed by the next factory on the same machine.
///
/// Commands in flight do not hinder a snapshot or a fork. In the branch they go on without streams.
/// Suspending and restoring wait a while for their end, and fail with `CONFLICT` then.
#[derive(Debug, Default)]
pub struct MicrovmFactory {
    base: Option<PathBuf>,
    made: Mutex<Option<Arc<Made>>>,
}

/// What only this backend knows.
#[derive(Debug, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    image: Option<PathBuf>,
    rootfs: Option<PathBuf>,
    #[serde(default = "workspace")]
    workspace: String,
    #[serde(default)]
    monitor: MonitorKind,
    accelerator: Option<Accelerator>,
}

fn workspace() -> String {
    "/workspace".to_owned()
}

/// What a sandbox can do, without the files that go by way of commands.
fn capabilities() -> Capabilities {
    let mut capabilities = COMMANDS;
    capabilities.persistence = Persistence::Session;
    capabilities.isolation = Isolation::Vm;
    capabilities.background = true;
    capabilities.memory_limit = true;
    capabilities.snapshot_memory = true;
    capabilities
}

fn invalid(operation: &'static str, message: impl Into<String>) -> Error {
    Error::new(Code::Invalid, operation, message).on(NAME)
}

impl MicrovmFactory {
    /// A factory that keeps its state below `base`, which only its user may enter, in place of the
    /// system's directory for temporary files.
    pub fn new(base: impl Into<PathBuf>) -> MicrovmFactory {
        MicrovmFactory {
            base: Some(base.into()),
            made: Mutex::default(),
        }
    }

    /// Ends the machines and removes the directories that factories of this host left when their
    /// process ended without cleanup. Making the first sandbox does the same.
    ///
    /// # Errors
    /// `DIED` where the base directory cannot be used.
    pub fn reap(&self) -> Result<()> {
        self.made("reap").map(drop)
    }

    fn made(&self, operation: &'static str) -> Result<Arc<Made>> {
        let mut made = self.made.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(made) = &*made {
            return Ok(Arc::clone(made));
        }
        let opened = Made::open(self.base.as_deref())
            .map_err(|error| Error::new(Code::Died, operation, error.to_string()).on(NAME))?;
        Ok(Arc::clone(made.insert(Arc::new(opened))))
    }
}

/// The options as far as they can be judged before anything is made.
fn checked(options: &Options, operation: &'static str) -> Result<Settings> {
    options.check(NAME, &capabilities())?;
    if options
        .network
        .is_some_and(|network| network != Network::None)
    {
        return Err(Error::unsupported(NAME, operation, "a network"));
    }
    let memory = options.limits.memory_bytes;
    if memory.is_some_and(|memory| memory < LEAST) {
        let message = format!("limits: processes need {LEAST} bytes of memory");
        return Err(invalid(operation, message));
    }
    options.settings_as(NAME)
}

/// What runs the processor, where nothing is tried.
fn accelerator(settings: &Settings) -> Result<Accelerator> {
    match (settings.monitor, settings.accelerator) {
        (MonitorKind::Firecracker, Some(Accelerator::Tcg)) => {
            let message = "settings: accelerator: firecracker has no other one than kvm";
            Err(invalid("create", message))
        }
        (MonitorKind::Firecracker, _) => Ok(Accelerator::Kvm),
        (MonitorKind::Qemu, asked) => Ok(asked.unwrap_or(Accelerator::Tcg)),
    }
}

/// The directory of a setting, with a file that must be in it.
fn directory(name: &str, path: Option<PathBuf>, within: &str) -> Result<PathBuf> {
    let path = path.ok_or_else(|| invalid("create", format!("settings: {name} is missing")))?;
    let found = path.canonicalize().ok();
    let found = found.filter(|path| path.is_dir() && path.join(within).exists());
    found.ok_or_else(|| {
        let shown = path.display();
        let message = match within {
            "" => format!("settings: {name}: {shown} is no directory"),
            _ => format!("settings: {name}: {shown} is no directory with {within}"),
        };
        invalid("create", message)
    })
}

fn source(image: Option<PathBuf>, rootfs: Option<PathBuf>) -> Result<Source> {
    let image = directory("image", image, "kernel")?;
    if !Path::new(&image).join("agent").is_file() {
        return Err(invalid(
            "create",
            "settings: image: there is no agent in it",
        ));
    }
    let rootfs = directory("rootfs", rootfs, "")?;
    Ok(Source { image, rootfs })
}

#[boxed]
impl Factory for MicrovmFactory {
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
        let settings = checked(&options, "create")?;
        let source = source(settings.image.clone(), settings.rootfs.clone())?;
        let memory = options.limits.memory_bytes.unwrap_or(MEMORY);
        let mut machine = Machine {
            monitor: settings.monitor,
            kernel: source.image.join("kernel"),
            memory: KERNEL.saturating_add(memory - memory % UNIT),
            accelerator: accelerator(&settings)?,
        };
        let root = path::resolve("/", &settings.workspace);
        let plan = Plan::new(source, machine.clone(), root);
        let mut plan = plan.with("create", options.cwd.as_deref(), options.env)?;
        let made = self.made("create")?;
        made.vmm(machine.monitor, "create")?;
        if settings.accelerator.is_none() && machine.monitor == MonitorKind::Qemu {
            machine.accelerator = made.accelerator(&plan.source, &machine).await;
            plan.machine = machine;
        }
        let sandbox = Sandbox::create(made, plan).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let id = snapshot.of(NAME, "start")?;
        checked(&options, "start")?;
        let made = self.made("start")?;
        let (plan, _) = made.snapshot("start", id)?;
        if let Some(memory) = options.limits.memory_bytes
            && memory.saturating_add(KERNEL) < plan.machine.memory
        {
            let message = "limits: the memory of a snapshot stays as it is";
            return Err(invalid("start", message));
        }
        let plan = plan.with("start", options.cwd.as_deref(), options.env)?;
        let sandbox = Sandbox::from_snapshot(made, plan, id).await?;
        Ok(Arc::new(PosixOverExec::new(Arc::new(sandbox))))
    }
}
