//! Machines by QEMU: its type microvm, with a console, a control socket, one virtio port, and nothing
//! else that a guest could reach.
//!
//! The memory is a file. In a machine of its own file it is shared with QEMU, so that a snapshot is the
//! small state and a copy of the file; a machine that goes on from a snapshot that stays maps the
//! snapshot's file privately, and pages that it never writes cost nothing.

use super::NAME;
use super::qmp::{Qmp, died};
use super::vmm::{Accelerator, Image, Machine, Memory, Vm, Vmm};
use crate::copy;
use async_trait::async_trait;
use offshoot_agent::PORT;
use offshoot_backend::{Code, Error, Result};
use serde_json::{Value, json};
use std::fs::{self, File};
use std::io;
use std::os::fd::AsRawFd;
use std::os::unix::fs::chown;
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::{Child, Command};
use tokio::time::{Instant, sleep};

const PROGRAM: &str = "qemu-system-x86_64";
/// How soon it is looked again whether QEMU is so far.
const LOOK: Duration = Duration::from_millis(2);
/// How long what it said last may take to arrive.
const LAST_WORDS: Duration = Duration::from_millis(50);
/// How long QEMU may take until it can be talked to, and for a state.
const PATIENCE: Duration = Duration::from_secs(60);
/// A kernel that finds out by itself how fast the emulated clocks are waits for ever on a busy machine.
const EMULATED: &str = "tsc=reliable lpj=4000000 no_timer_check tsc_early_khz=";
/// How fast they are where the host does not say.
const USUAL_KHZ: u64 = 2_000_000;
/// A kernel that cannot go on ends its machine.
const COMMON: &str = "console=ttyS0 quiet panic=-1 rdinit=/.offshoot/agent random.trust_cpu=on";
/// What QEMU writes about itself, kept for messages. A guest can make some devices complain for ever.
const SAID: usize = 4 << 10;
/// Bytes of a state that are copied at once.
const PIECE: usize = 1 << 20;
/// Who QEMU is where it is started by root: nobody, with a directory.
const NOBODY: u32 = 65_534;
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
        let paths = std::env::var_os("PATH").unwrap_or_default();
        let program = std::env::split_paths(&paths)
            .map(|directory| directory.join(PROGRAM))
            .find(|path| path.is_file());
        let program = program.ok_or_else(|| {
            let message = format!("there is no {PROGRAM} in PATH");
            Error::new(Code::SandboxUnavailable, operation, message).on(NAME)
        })?;
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
            .args(["-pidfile", "pid", "-kernel"])
            .arg(&machine.kernel)
            .current_dir(home)
            .env_clear()
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .stderr(Stdio::piped())
            .kill_on_drop(true);
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
        let started = command.args(more).spawn();
        let mut child = started.map_err(|error| died(format!("{PROGRAM}: {error}")))?;
        let said = Arc::default();
        listen(&mut child, &said);
        let running = Running {
            memory: shared.then(|| home.join(MEMORY)),
            directory,
            child: Mutex::new(child),
            control: tokio::sync::Mutex::new(None),
            said,
        };
        running.connect().await?;
        Ok(running)
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

/// Keeps the beginning of what QEMU says.
fn listen(child: &mut Child, said: &Arc<Mutex<Vec<u8>>>) {
    let (stream, said) = (child.stderr.take(), Arc::clone(said));
    tokio::spawn(async move {
        let Some(mut stream) = stream else { return };
        let mut buffer = [0; 1 << 10];
        while let Ok(length @ 1..) = stream.read(&mut buffer).await {
            let mut said = lock(&said);
            let room = SAID.saturating_sub(said.len()).min(length);
            said.extend_from_slice(&buffer[..room]);
        }
    });
}

fn failed(error: &io::Error) -> Error {
    died(error.to_string())
}

fn lock<T>(mutex: &Mutex<T>) -> MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}

#[async_trait]
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
}

/// A QEMU that runs.
#[derive(Debug)]
struct Running {
    /// Kept open, since by it sockets have short paths, whatever the directory's own is.
    directory: File,
    /// The file that it shares its memory with, if it does.
    memory: Option<PathBuf>,
    child: Mutex<Child>,
    control: tokio::sync::Mutex<Option<Qmp>>,
    said: Arc<Mutex<Vec<u8>>>,
}

impl Running {
    fn near(&self, name: &str) -> PathBuf {
        let number = self.directory.as_raw_fd();
        PathBuf::from(format!("/proc/self/fd/{number}/{name}"))
    }

    /// Takes the control as soon as it is there.
    async fn connect(&self) -> Result<()> {
        let until = Instant::now() + PATIENCE;
        loop {
            let is_alive = self.is_alive();
            match Qmp::open(&self.near("control")).await {
                Ok(control) => {
                    *self.control.lock().await = Some(control);
                    return Ok(());
                }
                Err(error) if !is_alive || Instant::now() > until => {
                    // What it said last may be on its way.
                    sleep(LAST_WORDS).await;
                    return Err(self.explain(&error));
                }
                Err(_) => sleep(LOOK).await,
            }
        }
    }

    /// The error with what QEMU said.
    fn explain(&self, error: &Error) -> Error {
        let said = lock(&self.said).clone();
        let said = String::from_utf8_lossy(&said);
        match said.lines().next_back() {
            Some(line) => died(format!("{}: {line}", error.message())),
            None => error.clone(),
        }
    }

    async fn call(&self, name: &str, arguments: Value) -> Result<Value> {
        let mut control = self.control.lock().await;
        let control = control.as_mut().ok_or_else(|| died("the machine ended"))?;
        let called = control.call(name, arguments).await;
        called.map_err(|error| self.explain(&error))
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
                    return Err(self.explain(&error));
                }
                _ => sleep(LOOK).await,
            }
        }
    }

    /// Writes the state into a file. QEMU, which may start no process, writes it into a socket.
    async fn save(&self, path: &Path) -> Result<()> {
        let socket = self.near("stream");
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
            let mut stream = UnixStream::connect(self.near("stream")).await?;
            tokio::io::copy_buf(&mut file, &mut stream).await?;
            stream.shutdown().await
        };
        send.await.map_err(|error| self.explain(&failed(&error)))?;
        let loaded = tokio::time::timeout(PATIENCE, self.migrated()).await;
        let _ = fs::remove_file(self.near("stream"));
        loaded.map_err(|_| died("the state was not read in time"))?
    }
}

#[async_trait]
impl Vm for Running {
    async fn channel(&self) -> Result<UnixStream> {
        let stream = UnixStream::connect(self.near("channel")).await;
        stream.map_err(|error| self.explain(&failed(&error)))
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
        matches!(lock(&self.child).try_wait(), Ok(None))
    }

    async fn end(&self) -> Result<()> {
        // One that has ended cannot be killed.
        let _ = lock(&self.child).start_kill();
        let until = Instant::now() + PATIENCE;
        while self.is_alive() {
            if Instant::now() > until {
                return Err(died("qemu does not end"));
            }
            sleep(LOOK).await;
        }
        Ok(())
    }
}

/// Copies memory, away from the threads that must not wait.
pub(super) async fn sparse(from: PathBuf, to: PathBuf) -> Result<()> {
    let copied = tokio::task::spawn_blocking(move || copy::sparse(&from, &to)).await;
    let copied = copied.map_err(|error| died(error.to_string()))?;
    copied.map_err(|error| failed(&error))
}

/// Ends every QEMU whose files lie in directories below one that has no owner any more.
pub(super) fn end_all(machines: &Path) {
    use rustix::process::{Pid, Signal, kill_process};
    for home in fs::read_dir(machines).into_iter().flatten().flatten() {
        let home = home.path();
        let number = fs::read_to_string(home.join("pid")).unwrap_or_default();
        let Some(process) = number.trim().parse().ok().and_then(Pid::from_raw) else {
            continue;
        };
        // The number may belong to somebody else by now.
        let place = fs::read_link(format!("/proc/{}/cwd", process.as_raw_pid()));
        if place.is_ok_and(|place| place == home) {
            let _ = kill_process(process, Signal::KILL);
        }
    }
}
