//! The machines of one factory: how they are made, captured and continued.

use super::channel::{Channel, Frozen, is_heard};
use super::cpio::Archive;
use super::firecracker::Firecracker;
use super::monitor::{end_all, sparse};
use super::qemu::Qemu;
use super::qmp::died;
use super::vmm::{Accelerator, Image, Machine, Memory, MonitorKind, Vm, Vmm};
use super::{KERNEL, NAME};
use crate::copy;
use crate::space::{Owned, private};
use offshoot_agent::WHOLE;
use offshoot_backend::{Code, Error, Result, path};
use serde::{Deserialize, Serialize};
use std::collections::{HashMap, VecDeque};
use std::fs::{self, File};
use std::io::{self, BufWriter};
use std::os::unix::fs::MetadataExt;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;
use tokio::net::UnixStream;
use tokio::sync::OnceCell;
use tokio::time::{Instant, sleep, timeout_at};

/// How long the first start of a kernel may take: emulated, on a busy machine.
const BOOT: Duration = Duration::from_secs(180);
/// How long it may take where the processor runs it, until that is given up: there are hosts whose
/// KVM is there and runs no Linux.
const TRIAL: Duration = Duration::from_secs(10);
/// How long a machine that goes on may take until its agent answers.
const WAKE: Duration = Duration::from_secs(60);
/// Templates that are kept, the last used ones: somebody who may choose limits could fill the disk with
/// one for each number.
const TEMPLATES: usize = 4;
const MACHINES: &str = "machines";
const SNAPSHOTS: &str = "snapshots";
/// What makes a directory a snapshot.
const FACTS: &str = "facts.json";
/// What a kernel may have as modules that finds the host by them, in the order of loading: a virtio port
/// of QEMU's, or vsock, and the randomness of Firecracker's.
const MODULES: [&str; 9] = [
    "virtio_ring",
    "virtio",
    "virtio_mmio",
    "virtio_blk",
    "virtio_console",
    "vsock",
    "vmw_vsock_virtio_transport_common",
    "vmw_vsock_virtio_transport",
    "virtio-rng",
];
/// How soon another stream to an agent is tried where one ended.
const AGAIN: Duration = Duration::from_millis(10);
/// Where commands are looked for.
const SEARCH: &str = "/usr/local/sbin:/usr/local/bin:/usr/sbin:/usr/bin:/sbin:/bin";

fn io(operation: &'static str, error: &io::Error) -> Error {
    Error::new(Code::Died, operation, error.to_string()).on(NAME)
}

/// What a first file system is packed of.
#[derive(Debug, Clone, PartialEq, Eq, Hash, Serialize, Deserialize)]
pub(super) struct Source {
    /// The directory with kernel, modules and agent.
    pub(super) image: PathBuf,
    /// The directory with everything else.
    pub(super) rootfs: PathBuf,
}

/// What a sandbox is made of, and its branches after it.
#[derive(Debug, Clone, Serialize, Deserialize)]
pub(super) struct Plan {
    pub(super) source: Source,
    pub(super) machine: Machine,
    pub(super) root: String,
    pub(super) cwd: String,
    variables: Vec<(String, String)>,
}

impl Plan {
    pub(super) fn new(source: Source, machine: Machine, root: String) -> Plan {
        Plan {
            source,
            machine,
            cwd: root.clone(),
            root,
            variables: Vec::new(),
        }
    }

    /// The same with another working directory and more variables.
    pub(super) fn with(
        mut self,
        operation: &'static str,
        cwd: Option<&str>,
        variables: Vec<(String, String)>,
    ) -> Result<Plan> {
        if let Some(cwd) = cwd {
            self.cwd = path::resolve(&self.root, cwd);
        }
        if !path::is_within(&self.root, &self.cwd) {
            let message = format!("{}: the path leads out of {}", self.cwd, self.root);
            return Err(Error::new(Code::PathEscape, operation, message).on(NAME));
        }
        self.variables
            .retain(|(name, _)| !variables.iter().any(|(new, _)| new == name));
        self.variables.extend(variables);
        Ok(self)
    }

    /// What every process in it gets.
    pub(super) fn variables(&self) -> Vec<(String, String)> {
        let mut all = vec![("PATH".to_owned(), SEARCH.to_owned())];
        all.retain(|(name, _)| !self.variables.iter().any(|(own, _)| own == name));
        all.extend(self.variables.iter().cloned());
        all
    }
}

/// The directory of one machine; removed with it.
#[derive(Debug)]
pub(super) struct Home(PathBuf);

impl Home {
    pub(super) fn path(&self) -> &Path {
        &self.0
    }

    pub(super) fn remove(&self, operation: &'static str) -> Result<()> {
        copy::remove(&self.0).map_err(|error| io(operation, &error))
    }
}

impl Drop for Home {
    fn drop(&mut self) {
        // What cannot be removed now goes with the factory's directory.
        let _ = copy::remove(&self.0);
    }
}

/// A machine that runs, and the stream to its agent.
#[derive(Debug)]
pub(super) struct Live {
    vm: Box<dyn Vm>,
    pub(super) channel: Arc<Channel>,
    pub(super) home: Arc<Home>,
}

impl Live {
    /// Lets a paused machine go on, whose agent gets a new host.
    pub(super) async fn go(vm: Box<dyn Vm>, home: Arc<Home>) -> Result<Live> {
        vm.resume().await?;
        Live::new(vm, home, WAKE).await
    }

    async fn new(vm: Box<dyn Vm>, home: Arc<Home>, patience: Duration) -> Result<Live> {
        let until = Instant::now() + patience;
        loop {
            let opened = async {
                let stream = stream(&*vm, until, patience).await?;
                Channel::open(stream, until - Instant::now()).await
            };
            match opened.await {
                Ok(channel) => return Ok(Live { vm, channel, home }),
                // A guest that goes on may end the streams of before late, and a new one with them.
                Err(error)
                    if vm.is_cut()
                        && error.code() == Code::Died
                        && vm.is_alive()
                        && Instant::now() < until =>
                {
                    sleep(AGAIN).await;
                }
                Err(error) => return Err(error),
            }
        }
    }

    pub(super) fn is_alive(&self) -> bool {
        !self.channel.is_over() && self.vm.is_alive()
    }

    /// Ends it; what is in flight hears of it.
    pub(super) async fn end(&self) -> Result<()> {
        let ended = self.vm.end().await;
        self.channel.close();
        ended
    }

    /// Captures it into a directory; it goes on.
    pub(super) async fn capture(&self, to: &Path) -> Result<Image> {
        let frozen = self.channel.freeze().await?;
        let captured = self.still(to, true).await;
        self.go_on(frozen).await.and(captured)
    }

    /// Captures it where it is, and ends it; where that fails, it goes on.
    pub(super) async fn put_away(&self) -> Result<Image> {
        let frozen = self.channel.freeze().await?;
        match self.still(self.home.path(), false).await {
            Ok(image) => {
                self.end().await?;
                Ok(image)
            }
            Err(error) => {
                self.go_on(frozen).await?;
                Err(error)
            }
        }
    }

    /// Captures it, and leaves it paused.
    async fn still(&self, to: &Path, copy: bool) -> Result<Image> {
        if self.vm.is_cut() {
            self.channel.part();
        }
        self.vm.pause().await?;
        self.vm.snapshot(to, copy).await
    }

    /// Lets it go on after [`Live::still`], with the commands that are in flight.
    async fn go_on(&self, frozen: Frozen) -> Result<()> {
        let gone = async {
            self.vm.resume().await?;
            match self.vm.is_cut() {
                true => Ok(Some(self.again().await?)),
                false => Ok(None),
            }
        };
        match gone.await {
            Ok(Some(stream)) => frozen.go_on(&self.channel, stream),
            Ok(None) => {}
            Err(error) => {
                if self.vm.is_cut() {
                    self.channel.fall();
                }
                return Err(error);
            }
        }
        Ok(())
    }

    /// Another stream to the silent agent.
    async fn again(&self) -> Result<UnixStream> {
        let until = Instant::now() + WAKE;
        while self.vm.is_alive() {
            let mut stream = stream(&*self.vm, until, WAKE).await?;
            match timeout_at(until, is_heard(&mut stream)).await {
                Ok(true) => return Ok(stream),
                Ok(false) => sleep(AGAIN).await,
                Err(_) => return Err(silent(WAKE)),
            }
        }
        Err(died("the machine ended"))
    }
}

fn silent(patience: Duration) -> Error {
    let seconds = patience.as_secs();
    died(format!("no answer of the agent within {seconds} s"))
}

/// The stream to the agent of a machine, within its time.
async fn stream(vm: &dyn Vm, until: Instant, patience: Duration) -> Result<UnixStream> {
    let stream = timeout_at(until, vm.channel()).await;
    stream.map_err(|_| silent(patience))?
}

/// The state in which a kernel has just started, and what sandboxes begin with.
#[derive(Debug)]
struct Template {
    image: Image,
    _home: Arc<Home>,
}

/// What templates are made of.
type Key = (Source, Machine);

/// What a snapshot is kept with.
#[derive(Debug, Serialize, Deserialize)]
struct Facts {
    plan: Plan,
    image: Image,
}

/// What a factory shares with its sandboxes.
#[derive(Debug)]
pub(super) struct Made {
    vmms: Mutex<HashMap<MonitorKind, Arc<dyn Vmm>>>,
    // Before the space: their directories lie in it.
    templates: Mutex<VecDeque<(Key, Arc<OnceCell<Template>>)>>,
    accelerator: OnceCell<Accelerator>,
    space: Owned,
}

impl Made {
    /// Reaps what crashed owners left, and takes a new directory.
    pub(super) fn open(base: Option<&Path>) -> io::Result<Made> {
        let end = |path: &Path, _: &str| end_all(&path.join(MACHINES));
        let space = Owned::open(base, "offshoot-microvm", &[MACHINES, SNAPSHOTS], &end)?;
        Ok(Made {
            vmms: Mutex::default(),
            templates: Mutex::default(),
            accelerator: OnceCell::new(),
            space,
        })
    }

    /// What runs machines of this kind.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where it is not there.
    pub(super) fn vmm(&self, kind: MonitorKind, operation: &'static str) -> Result<Arc<dyn Vmm>> {
        let mut vmms = self.vmms.lock().unwrap_or_else(PoisonError::into_inner);
        if let Some(vmm) = vmms.get(&kind) {
            return Ok(Arc::clone(vmm));
        }
        let vmm: Arc<dyn Vmm> = match kind {
            MonitorKind::Qemu => Arc::new(Qemu::find(operation)?),
            MonitorKind::Firecracker => Arc::new(Firecracker::find(operation)?),
        };
        vmms.insert(kind, Arc::clone(&vmm));
        Ok(vmm)
    }

    /// A directory for a machine.
    pub(super) fn home(&self) -> Result<Arc<Home>> {
        let home = self.space.directory(MACHINES);
        let home = home.map_err(|error| io("machine", &error))?;
        Ok(Arc::new(Home(home)))
    }

    /// What runs processors here: KVM where a kernel starts with it.
    pub(super) async fn accelerator(&self, source: &Source, machine: &Machine) -> Accelerator {
        let find = || async {
            let device = File::options().read(true).write(true).open("/dev/kvm");
            let machine = Machine {
                accelerator: Accelerator::Kvm,
                ..machine.clone()
            };
            match device.is_ok() && self.boot(source, &machine, TRIAL).await.is_ok() {
                true => Accelerator::Kvm,
                false => Accelerator::Tcg,
            }
        };
        *self.accelerator.get_or_init(find).await
    }

    /// Starts a kernel.
    async fn boot(&self, source: &Source, machine: &Machine, patience: Duration) -> Result<Live> {
        let home = self.home()?;
        let first = home.path().join("first");
        let (packed, source) = (first.clone(), source.clone());
        let packing = tokio::task::spawn_blocking(move || pack(&source, &packed)).await;
        let packing = packing.map_err(io::Error::other).flatten();
        let size = packing.map_err(|error| io("create", &error))?;
        if size.saturating_mul(3) > machine.memory.saturating_sub(KERNEL) {
            let message = format!(
                "limit reached: memory: the first files, {size} bytes, need thrice as much"
            );
            return Err(Error::new(Code::Limit, "create", message).on(NAME));
        }
        let vmm = self.vmm(machine.monitor, "create")?;
        let vm = vmm.boot(home.path(), machine, &first).await?;
        let live = Live::new(vm, home, patience).await?;
        // The kernel has unpacked it.
        let _ = fs::remove_file(first);
        Ok(live)
    }

    /// Where the template of this kind is, or will be.
    fn template(&self, key: Key) -> Arc<OnceCell<Template>> {
        let templates = self.templates.lock();
        let mut templates = templates.unwrap_or_else(PoisonError::into_inner);
        let known = templates.iter().position(|(known, _)| *known == key);
        let entry = known.and_then(|at| templates.remove(at));
        let (key, cell) = entry.unwrap_or_else(|| (key, Arc::default()));
        templates.push_back((key, Arc::clone(&cell)));
        if templates.len() > TEMPLATES {
            templates.pop_front();
        }
        cell
    }

    /// A machine whose kernel has just started: a copy of the first one of its kind.
    pub(super) async fn fresh(&self, plan: &Plan) -> Result<Live> {
        let cell = self.template((plan.source.clone(), plan.machine.clone()));
        let make = || async {
            let live = self.boot(&plan.source, &plan.machine, BOOT).await?;
            let image = live.put_away().await?;
            let _home = Arc::clone(&live.home);
            Ok::<_, Error>(Template { image, _home })
        };
        let template = cell.get_or_try_init(make).await?;
        let home = self.home()?;
        let mut image = template.image.clone();
        if self.vmm(plan.machine.monitor, "create")?.shares() {
            let memory = Memory::Shared;
            return self.wake(home, &plan.machine, &image, memory).await;
        }
        if let Some(memory) = &mut image.memory {
            let own = home.path().join("copy");
            sparse(memory.clone(), own.clone()).await?;
            *memory = own;
        }
        self.wake(home, &plan.machine, &image, Memory::Own).await
    }

    /// A machine that goes on from an image.
    pub(super) async fn wake(
        &self,
        home: Arc<Home>,
        machine: &Machine,
        image: &Image,
        memory: Memory,
    ) -> Result<Live> {
        let vm = self.paused(&home, machine, image, memory).await?;
        Live::go(vm, home).await
    }

    /// The same before it does; until then nothing of the image has changed.
    pub(super) async fn paused(
        &self,
        home: &Home,
        machine: &Machine,
        image: &Image,
        memory: Memory,
    ) -> Result<Box<dyn Vm>> {
        let vmm = self.vmm(machine.monitor, "machine")?;
        vmm.restore(home.path(), machine, image, memory).await
    }

    /// The same with the memory in a file, by which branches share it.
    pub(super) async fn flat(
        &self,
        machine: &Machine,
        image: Image,
        directory: &Path,
    ) -> Result<Image> {
        if image.memory.is_some() {
            return Ok(image);
        }
        let home = directory.join("flat");
        private(&home).map_err(|error| io("snapshot", &error))?;
        let vmm = self.vmm(machine.monitor, "snapshot")?;
        let vm = vmm.restore(&home, machine, &image, Memory::Own).await?;
        let flat = vm.snapshot(&home, false).await?;
        vm.end().await?;
        fs::remove_file(&image.state).map_err(|error| io("snapshot", &error))?;
        Ok(flat)
    }

    /// A directory for a snapshot, and its name.
    pub(super) fn new_snapshot(&self, operation: &'static str) -> Result<(String, PathBuf)> {
        let id = format!("{}-{}", self.space.id(), self.space.number());
        let directory = self.space.path().join(SNAPSHOTS).join(&id);
        private(&directory).map_err(|error| io(operation, &error))?;
        Ok((id, directory))
    }

    /// Makes a directory a snapshot, and gives its size.
    pub(super) fn keep(
        &self,
        operation: &'static str,
        directory: &Path,
        plan: &Plan,
        image: &Image,
    ) -> Result<u64> {
        let facts = Facts {
            plan: plan.clone(),
            image: image.clone(),
        };
        let facts = serde_json::to_vec(&facts).unwrap_or_default();
        fs::write(directory.join(FACTS), facts).map_err(|error| io(operation, &error))?;
        let files = [Some(&image.state), image.memory.as_ref()];
        let sizes = files.into_iter().flatten().map(|path| {
            let metadata = fs::metadata(path);
            // The memory that was never touched takes nothing.
            metadata.map_or(0, |metadata| metadata.blocks() * 512)
        });
        Ok(sizes.sum())
    }

    /// What a snapshot holds.
    pub(super) fn snapshot(&self, operation: &'static str, id: &str) -> Result<(Plan, Image)> {
        let named = self.space.named(SNAPSHOTS, id);
        let facts = named.and_then(|directory| fs::read(directory.join(FACTS)).ok());
        let facts = facts.ok_or_else(|| {
            let message = format!("there is no snapshot {id}");
            Error::new(Code::NotFound, operation, message).on(NAME)
        })?;
        let facts: Facts = serde_json::from_slice(&facts).map_err(|error| {
            let message = format!("the snapshot {id}: {error}");
            Error::new(Code::Corrupt, operation, message).on(NAME)
        })?;
        Ok((facts.plan, facts.image))
    }

    /// Deletes a snapshot; what goes on from it has its files open.
    pub(super) fn delete(&self, operation: &'static str, id: &str) -> Result<()> {
        match self.space.named(SNAPSHOTS, id) {
            Some(directory) => copy::remove(&directory).map_err(|error| io(operation, &error)),
            None => Ok(()),
        }
    }
}

/// Packs the first file system, and gives its size. It is in memory twice as the kernel unpacks it, and
/// may take half of what is left beside the archive.
fn pack(source: &Source, to: &Path) -> io::Result<u64> {
    let mut archive = Archive::new(BufWriter::new(File::create(to)?));
    archive.directory(".offshoot")?;
    archive.program(".offshoot/agent", &fs::read(source.image.join("agent"))?)?;
    archive.directory(".offshoot/modules")?;
    for (number, module) in MODULES.iter().enumerate() {
        let path = source.image.join("modules").join(format!("{module}.ko"));
        match fs::read(path) {
            Ok(content) => {
                let name = format!(".offshoot/modules/{number}-{module}.ko");
                archive.program(&name, &content)?;
            }
            // This kernel has it built in.
            Err(error) if error.kind() == io::ErrorKind::NotFound => {}
            Err(error) => return Err(error),
        }
    }
    archive.tree(&source.rootfs)?;
    archive.program(WHOLE, b"")?;
    archive.finish()?;
    Ok(fs::metadata(to)?.len())
}
