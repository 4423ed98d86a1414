//! Machines by Firecracker: one processor, no network and no disk; vsock leads to the agent.
//!
//! A machine's memory is its own, and becomes a file when it is captured. What goes on from a capture maps
//! the file privately, whoever else does, so no file is ever copied. Captures end what vsock carried.
//!
//! Firecracker opens its files by name, and where it was started by root it is nobody, with the group of
//! `/dev/kvm`: all of them are linked into the machine's directory, which is its working directory. Their
//! names and those of sockets stay the same in every machine, so that captures need no other ones. Its
//! own filters of system calls are on; its jailer is not used, since it needs root.

use super::http::Api;
use super::monitor::{LOOK, Monitor, NOBODY, PID, failed, find, near};
use super::qmp::died;
use super::vmm::{Image, Machine, Memory, Vm, Vmm};
use hyper::Method;
use offshoot_agent::VSOCK_PORT;
use offshoot_backend::{Code, Error, Result};
use offshoot_boxed::boxed;
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io;
use std::os::unix::fs::{MetadataExt, lchown};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::UnixStream;
use tokio::process::Command;
use tokio::time::sleep;

const PROGRAM: &str = "firecracker";
const KVM: &str = "/dev/kvm";
/// A kernel that cannot go on resets the processor, which ends its machine. There is no console, which would be
/// as long as the guest likes.
const LINE: &str = "8250.nr_uarts=0 quiet reboot=k panic=-1 pci=off rdinit=/.offshoot/agent \
    random.trust_cpu=on i8042.noaux i8042.nomux i8042.dumbkbd";
/// The number of a guest; each has its own socket, so all have the same one, the least.
const GUEST: u32 = 3;
/// The names of files in a machine's directory.
const CONTROL: &str = "control";
const CHANNEL: &str = "channel";
const KERNEL: &str = "kernel";
const FIRST: &str = "first";
const MEMORY: &str = "memory";
const STATE: &str = "state";
/// What is being captured.
const NEW_MEMORY: &str = "memory.new";
const NEW_STATE: &str = "state.new";
/// The longest answer to a call for a stream.
const GREETING: usize = 32;

/// The program.
#[derive(Debug, Clone)]
pub(super) struct Firecracker {
    program: PathBuf,
}

impl Firecracker {
    /// The program in PATH.
    ///
    /// # Errors
    /// `SANDBOX_UNAVAILABLE` where there is none.
    pub(super) fn find(operation: &'static str) -> Result<Firecracker> {
        let program = find(PROGRAM, operation)?;
        Ok(Firecracker { program })
    }

    /// Starts one that has no machine yet.
    async fn start(&self, home: &Path) -> Result<Running> {
        let io = |error: io::Error| failed(&error);
        for socket in [CONTROL, CHANNEL] {
            // One that was suspended left them.
            let _ = fs::remove_file(home.join(socket));
        }
        let directory = File::open(home).map_err(io)?;
        let mut command = Command::new(&self.program);
        command
            .args(["--api-sock", CONTROL, "--id", "offshoot"])
            // The way that is open to whoever it becomes.
            .current_dir(near(&directory, ""))
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped());
        if let Some((user, group)) = somebody_else() {
            lchown(home, Some(user), Some(group)).map_err(io)?;
            command.uid(user).gid(group);
        }
        let monitor = Monitor::start(PROGRAM, directory, &mut command)?;
        if let Some(id) = monitor.id() {
            fs::write(home.join(PID), id.to_string()).map_err(io)?;
        }
        let api = Api::new(monitor.near(CONTROL));
        monitor.until(|| api.find()).await?;
        let home = home.to_owned();
        Ok(Running { home, monitor, api })
    }
}

/// Who a monitor becomes that root starts.
fn somebody_else() -> Option<(u32, u32)> {
    let is_root = rustix::process::geteuid().is_root();
    is_root.then(|| {
        let group = fs::metadata(KVM).map_or(0, |device| device.gid());
        (NOBODY, if group == 0 { NOBODY } else { group })
    })
}

/// Gives a file in a machine's directory to its monitor.
fn give(path: &Path) -> Result<()> {
    match somebody_else() {
        Some((user, group)) => lchown(path, Some(user), Some(group)).map_err(|e| failed(&e)),
        None => Ok(()),
    }
}

/// Makes a file known by another name, too.
fn link(from: &Path, to: &Path) -> Result<()> {
    if from == to {
        return give(to);
    }
    let _ = fs::remove_file(to);
    fs::hard_link(from, to).map_err(|error| failed(&error))?;
    give(to)
}

#[boxed]
impl Vmm for Firecracker {
    async fn boot(&self, home: &Path, machine: &Machine, first: &Path) -> Result<Box<dyn Vm>> {
        let (from, to) = (machine.kernel.clone(), home.join(KERNEL));
        // A link would give the original to somebody else.
        let copied = tokio::task::spawn_blocking(move || fs::copy(from, to)).await;
        let copied = copied.map_err(io::Error::other).flatten();
        copied.map_err(|error| failed(&error))?;
        give(&home.join(KERNEL))?;
        link(first, &home.join(FIRST))?;
        let vm = self.start(home).await?;
        let size = machine.memory >> 20;
        let boot = json!({"kernel_image_path": KERNEL, "initrd_path": FIRST, "boot_args": LINE});
        for (path, body) in [
            (
                "/machine-config",
                json!({"vcpu_count": 1, "mem_size_mib": size}),
            ),
            ("/boot-source", boot),
            ("/vsock", json!({"guest_cid": GUEST, "uds_path": CHANNEL})),
            ("/entropy", json!({})),
        ] {
            vm.put(path, &body, Code::Invalid).await?;
        }
        let start = json!({"action_type": "InstanceStart"});
        vm.put("/actions", &start, Code::SandboxUnavailable).await?;
        // It has been read.
        let _ = fs::remove_file(home.join(KERNEL));
        Ok(Box::new(vm))
    }

    async fn restore(
        &self,
        home: &Path,
        _: &Machine,
        image: &Image,
        memory: Memory,
    ) -> Result<Box<dyn Vm>> {
        let own = home.join(MEMORY);
        let Some(file) = &image.memory else {
            return Err(died("the image has no memory"));
        };
        match memory {
            Memory::Own if *file != own => {
                fs::rename(file, &own).map_err(|error| failed(&error))?;
                give(&own)?;
            }
            _ => link(file, &own)?,
        }
        link(&image.state, &home.join(STATE))?;
        let vm = self.start(home).await?;
        let memory = json!({"backend_type": "File", "backend_path": MEMORY});
        let load = json!({"snapshot_path": STATE, "mem_backend": memory, "resume_vm": false});
        vm.put("/snapshot/load", &load, Code::Died).await?;
        Ok(Box::new(vm))
    }

    fn shares(&self) -> bool {
        true
    }
}

/// A Firecracker that runs.
#[derive(Debug)]
struct Running {
    home: PathBuf,
    monitor: Monitor,
    api: Api,
}

impl Running {
    async fn put(&self, path: &str, body: &Value, code: Code) -> Result<()> {
        let called = self.api.call(Method::PUT, path, body, code).await;
        called.map_err(|error| self.explain(error))
    }

    async fn set_state(&self, state: &str) -> Result<()> {
        let body = json!({"state": state});
        let called = self.api.call(Method::PATCH, "/vm", &body, Code::Died).await;
        called.map_err(|error| self.explain(error))
    }

    /// What was refused has its reason; else the last words of the process are.
    fn explain(&self, error: Error) -> Error {
        match self.monitor.is_alive() || error.code() != Code::Died {
            true => error,
            false => self.monitor.explain(&error),
        }
    }

    /// Asks for a stream to the agent once; none where nobody listens in the guest.
    async fn ask(&self) -> io::Result<Option<UnixStream>> {
        let mut stream = UnixStream::connect(self.monitor.near(CHANNEL)).await?;
        let call = format!("CONNECT {VSOCK_PORT}\n");
        stream.write_all(call.as_bytes()).await?;
        let mut answer = Vec::new();
        // What follows belongs to the stream.
        while !answer.ends_with(b"\n") {
            match stream.read_u8().await {
                Ok(byte) if answer.len() < GREETING => answer.push(byte),
                _ => return Ok(None),
            }
        }
        Ok(answer.starts_with(b"OK ").then_some(stream))
    }
}

#[boxed]
impl Vm for Running {
    async fn channel(&self) -> Result<UnixStream> {
        while self.is_alive() {
            match self.ask().await {
                Ok(Some(stream)) => return Ok(stream),
                // The kernel may still be starting.
                Ok(None) | Err(_) => sleep(LOOK).await,
            }
        }
        Err(self.explain(died("the machine ended")))
    }

    fn is_cut(&self) -> bool {
        true
    }

    async fn pause(&self) -> Result<()> {
        self.set_state("Paused").await
    }

    async fn resume(&self) -> Result<()> {
        self.set_state("Resumed").await
    }

    async fn snapshot(&self, to: &Path, _: bool) -> Result<Image> {
        let new = json!({
            "snapshot_type": "Full",
            "snapshot_path": NEW_STATE,
            "mem_file_path": NEW_MEMORY,
        });
        let created = self.put("/snapshot/create", &new, Code::Died).await;
        let (state, memory) = (to.join(STATE), to.join(MEMORY));
        let kept = created.and_then(|()| {
            // The memory that this one has mapped stays under no name.
            keep(&self.home.join(NEW_MEMORY), &memory)?;
            keep(&self.home.join(NEW_STATE), &state)
        });
        if let Err(error) = kept {
            for name in [NEW_STATE, NEW_MEMORY] {
                let _ = fs::remove_file(self.home.join(name));
            }
            return Err(error);
        }
        Ok(Image {
            state,
            memory: Some(memory),
        })
    }

    fn is_alive(&self) -> bool {
        self.monitor.is_alive()
    }

    async fn end(&self) -> Result<()> {
        self.monitor.end().await
    }
}

/// Moves a file that a monitor wrote. One that a guest has taken over could have left something else.
fn keep(from: &Path, to: &Path) -> Result<()> {
    fs::rename(from, to).map_err(|error| failed(&error))?;
    let kept = fs::symlink_metadata(to).map_err(|error| failed(&error))?;
    match kept.is_file() && kept.nlink() == 1 {
        true => Ok(()),
        false => Err(died("firecracker: /snapshot/create: it wrote no file")),
    }
}
