//! Machines by QEMU: its type microvm, with a console, a control socket, one virtio port, and nothing
//! else that a guest could reach.
//!
//! The memory is a file. In a machine of its own file it is shared with QEMU, so that a snapshot is the
//! small state and a copy of the file; a machine that goes on from a snapshot that stays maps the
//! snapshot's file privately, and pages that it never writes cost nothing.

use super::monitor::{LOOK, Monitor, NOBODY, PATIENCE, PID, failed, find, sparse};
use super::qmp::{Qmp, died};
use super::vmm::{Accelerator, Image, Machine, Memory, Vm, Vmm};
use offshoot_agent::PORT;
use offshoot_backend::Result;
use offshoot_boxed::boxed;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::Command;
use tokio::time::sleep;

const PROGRAM: &str = "qemu-system-x86_64";
/// A kernel that finds out by itself how fast the emulated clocks are waits for ever on a busy machine.
const EMULATED: &str = "tsc=reliable lpj=4000000 no_timer_check tsc_early_khz=";
/// How fast they are where the host does not say.
const USUAL_KHZ: u64 = 2_000_000;
/// A kernel that cannot go on ends its machine.
const COMMON: &str = "console=ttyS0 quiet panic=-1 rdinit=/.offshoot/agent random.trust_cpu=on";
/// Bytes of a state that are copied at once.
const PIECE: usize = 1 << 20;
/// The file of a machine's own memory.
const MEMORY: &str = "memory";
const STATE: &str = "state";

/// The program.
#[derive(Debug, Clone)]
pub(super) struct Qemu {
    program: PathBuf,
}

impl Qemu {
    /// The program in PATH.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where there is none.
    pub(super) fn find(operation: &'static str) -> Result<Qemu> {
        let program = find(PROGRAM, operation)?;
        Ok(Qemu { program })
    }

    /// What starts one; its paths begin in `home`.
    fn command(&self, home: &Path, machine: &Machine, file: &Path, shared: bool) -> Command {
        let (accelerator, processor) = match machine.accelerator {
            Accelerator::Kvm => ("kvm", "host"),
            Accelerator::Tcg => ("tcg", "max"),
        };
        let file = file.display().to_string().replace(',', ",,");
        let share = if shared { "on" } else { "off" };
        // Root has to become somebody else, who cannot become anybody.
        let change = match rustix::process::geteuid().is_root() {
            true => "allow",
            false => "deny",
        };
        let bytes = machine.memory;
        let mut command = Command::new(&self.program);
        command
            .args(["-nodefaults", "-no-user-config", "-no-reboot"])
            .args(["-display", "none", "-cpu", processor, "-m"])
            .arg(format!("{}k", bytes >> 10))
            .arg("-M")
            .arg(format!("microvm,accel={accelerator},memory-backend=ram"))
            .arg("-object")
            .arg(format!(
                "memory-backend-file,id=ram,size={bytes},mem-path={file},share={share}"
            ))
            // A guest that breaks out finds a process that may start no other.
            .arg("-sandbox")
            .arg(format!(
                "on,obsolete=deny,elevateprivileges={change},spawn=deny,resourcecontrol=deny"
            ))
            .args(["-chardev", "ringbuf,id=console,size=65536"])
            .args(["-serial", "chardev:console"])
            .arg("-chardev")
            .arg("socket,id=channel,path=channel,server=on,wait=off")
            .args(["-device", "virtio-serial-device", "-device"])
            .arg(format!("virtserialport,chardev=channel,name={PORT}"))
            .args(["-qmp", "unix:control,server=on,wait=off"])
            .args(["-pidfile", PID, "-kernel"])
            .arg(&machine.kernel)
            .current_dir(home)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        command
    }

    /// Starts one and takes its control.
    async fn start(
        &self,
        home: &Path,
        machine: &Machine,
        (file, shared): (&Path, bool),
        more: &[&str],
    ) -> Result<Running> {
        let directory = File::open(home).map_err(|error| failed(&error))?;
        let mut command = self.command(home, machine, file, shared);
        if rustix::process::geteuid().is_root() {
            // What it opened before stays open to it; of files by name it needs its sockets.
            chown(home, Some(NOBODY), Some(NOBODY)).map_err(|error| failed(&error))?;
            command.arg("-runas").arg(format!("{NOBODY}:{NOBODY}"));
        }
        let monitor = Monitor::start(PROGRAM, directory, command.args(more))?;
        let control = monitor.near("control");
        let control = monitor.until(|| Qmp::open(&control)).await?;
        Ok(Running {
            memory: shared.then(|| home.join(MEMORY)),
            monitor,
            control: tokio::sync::Mutex::new(control),
        })
    }
}

/// How fast the processor's counter is, which an emulated one has, too.
fn khz() -> u64 {
    let facts = fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = facts.lines().find_map(|line| line.strip_prefix("cpu MHz"));
    let number = line.and_then(|line| line.split(':').nth(1));
    let khz = number.and_then(|number| number.trim().replacen('.', "", 1).parse().ok());
    khz.unwrap_or(USUAL_KHZ)
}

#[boxed]
impl Vmm for Qemu {
    async fn boot(&self, home: &Path, machine: &Machine, first: &Path) -> Result<Box<dyn Vm>> {
        let line = match machine.accelerator {
            Accelerator::Kvm => COMMON.to_owned(),
            Accelerator::Tcg => format!("{COMMON} {EMULATED}{}", khz()),
        };
        let first = first.display().to_string();
        let more = ["-initrd", first.as_str(), "-append", line.as_str()];
        let memory = (Path::new(MEMORY), true);
        Ok(Box::new(self.start(home, machine, memory, &more).await?))
    }

    async fn restore(
        &self,
        home: &Path,
        machine: &Machine,
        image: &Image,
        memory: Memory,
    ) -> Result<Box<dyn Vm>> {
        let own = home.join(MEMORY);
        let file = match (&image.memory, memory) {
            (Some(file), Memory::Shared) => (file.as_path(), false),
            (Some(file), Memory::Own) => {
                if *file != own {
                    fs::rename(file, &own).map_err(|error| failed(&error))?;
                }
                (Path::new(MEMORY), true)
            }
            (None, _) => (Path::new(MEMORY), true),
        };
        let vm = self
            .start(home, machine, file, &["-incoming", "defer"])
            .await?;
        vm.ignore_shared(image.memory.is_some()).await?;
        vm.call("migrate-incoming", json!({"uri": "unix:stream"}))
            .await?;
        vm.load(&image.state).await?;
        Ok(Box::new(vm))
    }

    fn shares(&self) -> bool {
        // Captured, it would have its memory in its state.
        false
    }
}

/// A QEMU that runs.
#[derive(Debug)]
struct Running {
    /// The file that it shares its memory with, if it does.
    memory: Option<PathBuf>,
    monitor: Monitor,
    control: tokio::sync::Mutex<Qmp>,
}

impl Running {
    async fn call(&self, name: &str, arguments: Value) -> Result<Value> {
        let mut control = self.control.lock().await;
        let called = control.call(name, arguments).await;
        called.map_err(|error| self.monitor.explain(&error))
    }

    /// Whether a state goes without the memory that is in a file.
    async fn ignore_shared(&self, is_ignored: bool) -> Result<()> {
        let capability = json!({"capability": "x-ignore-shared", "state": is_ignored});
        let arguments = json!({"capabilities": [capability]});
        self.call("migrate-set-capabilities", arguments)
            .await
            .map(drop)
    }

    /// Waits until a state was written or read.
    async fn migrated(&self) -> Result<()> {
        loop {
            let answer = self.call("query-migrate", json!({})).await?;
            match answer.get("status").and_then(Value::as_str) {
                Some("completed") => return Ok(()),
                Some("failed" | "cancelled") => {
                    let why = answer.get("error-desc").and_then(Value::as_str);
                    let error = died(format!("the state: {}", why.unwrap_or("it failed")));
                    return Err(self.monitor.explain(&error));
                }
                _ => sleep(LOOK).await,
            }
        }
    }

    /// Writes the state into a file. QEMU, which may start no process, writes it into a socket.
    async fn save(&self, path: &Path) -> Result<()> {
        let socket = self.monitor.near("stream");
        // One of an earlier call that was given up.
        let _ = fs::remove_file(&socket);
        let listener = UnixListener::bind(&socket).map_err(|error| failed(&error))?;
        if rustix::process::geteuid().is_root() {
            chown(&socket, Some(NOBODY), Some(NOBODY)).map_err(|error| failed(&error))?;
        }
        let receive = async {
            let (stream, _) = listener.accept().await?;
            let mut stream = BufReader::with_capacity(PIECE, stream);
            let mut file = tokio::fs::File::create(path).await?;
            tokio::io::copy_buf(&mut stream, &mut file).await?;
            file.flush().await
        };
        // By default it is as slow as a network.
        let limits = json!({"max-bandwidth": u32::MAX});
        self.call("migrate-set-parameters", limits).await?;
        self.call("migrate", json!({"uri": "unix:stream"})).await?;
        let both = async {
            let received = async { receive.await.map_err(|error| failed(&error)) };
            tokio::try_join!(received, self.migrated()).map(drop)
        };
        let saved = tokio::time::timeout(PATIENCE, both).await;
        let _ = fs::remove_file(&socket);
        saved.map_err(|_| died("the state was not written in time"))?
    }

    /// Reads the state from a file.
    async fn load(&self, path: &Path) -> Result<()> {
        let send = async {
            let file = tokio::fs::File::open(path).await?;
            let mut file = BufReader::with_capacity(PIECE, file);
            let mut stream = UnixStream::connect(self.monitor.near("stream")).await?;
            tokio::io::copy_buf(&mut file, &mut stream).await?;
            stream.shutdown().await
        };
        send.await
            .map_err(|error| self.monitor.explain(&failed(&error)))?;
        let loaded = tokio::time::timeout(PATIENCE, self.migrated()).await;
        let _ = fs::remove_file(self.monitor.near("stream"));
        loaded.map_err(|_| died("the state was not read in time"))?
    }
}

#[boxed]
impl Vm for Running {
    async fn channel(&self) -> Result<UnixStream> {
        let stream = UnixStream::connect(self.monitor.near("channel")).await;
        stream.map_err(|error| self.monitor.explain(&failed(&error)))
    }

    fn is_cut(&self) -> bool {
        false
    }

    async fn pause(&self) -> Result<()> {
        self.call("stop", json!({})).await.map(drop)
    }

    async fn resume(&self) -> Result<()> {
        self.call("cont", json!({})).await.map(drop)
    }

    async fn snapshot(&self, to: &Path, copy: bool) -> Result<Image> {
        self.ignore_shared(self.memory.is_some()).await?;
        let state = to.join(STATE);
        self.save(&state).await?;
        let memory = match &self.memory {
            Some(own) if copy => {
                let copied = to.join(MEMORY);
                sparse(own.clone(), copied.clone()).await?;
                Some(copied)
            }
            own => own.clone(),
        };
        Ok(Image { state, memory })
    }

    fn is_alive(&self) -> bool {
        self.monitor.is_alive()
    }

    async fn end(&self) -> Result<()> {
        self.monitor.end().await
    }
}
