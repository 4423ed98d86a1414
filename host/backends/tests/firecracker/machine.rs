//! The machine under the stand-in: QEMU, whose one port is given out as vsock.

use offshoot_agent::VSOCK_PORT;
use serde_json::{Map, Value, json};
use std::path::Path;
use std::process::Stdio;
use std::time::Duration;
use tokio::io::{AsyncBufReadExt, AsyncReadExt, AsyncWriteExt, BufReader};
use tokio::net::{UnixListener, UnixStream};
use tokio::process::Command;
use tokio::sync::watch;
use tokio::time::sleep;

pub const PROGRAM: &str = "qemu-system-x86_64";
/// The memory, which QEMU shares, so that it is captured as a file.
const RAM: &str = "ram";
/// QEMU's sockets.
const CONTROL: &str = "qmp";
const PORT: &str = "port";
const LOOK: Duration = Duration::from_millis(5);

#[derive(Default)]
pub struct Machine {
    config: Map<String, Value>,
    running: Option<Running>,
}

struct Running {
    control: BufReader<UnixStream>,
    is_paused: bool,
    /// Ends all streams with each new number.
    reset: watch::Sender<u32>,
}

type Done = Result<(), String>;

fn text(value: &Value) -> &str {
    value.as_str().unwrap_or_default()
}

impl Machine {
    pub fn configure(&mut self, name: &str, body: &Value) -> Done {
        if self.running.is_some() {
            return Err(
                "The requested operation is not supported after starting the microVM.".into(),
            );
        }
        for file in ["kernel_image_path", "initrd_path"] {
            let path = text(&body[file]);
            if !path.is_empty() && std::fs::File::open(path).is_err() {
                return Err(format!("The file cannot be opened: {path}"));
            }
        }
        self.config.insert(name.to_owned(), body.clone());
        Ok(())
    }

    pub async fn start(&mut self) -> Done {
        if self.running.is_some() {
            return Err(
                "The requested operation is not supported after starting the microVM.".into(),
            );
        }
        let boot = self
            .config
            .get("boot-source")
            .ok_or("Missing boot source")?;
        let size = self.config.get("machine-config").ok_or("Missing size")?;
        let size = size["mem_size_mib"].as_u64().unwrap_or_default() << 20;
        // The processor is emulated, and its clock is told to the kernel.
        let line = format!(
            "{} tsc=reliable lpj=4000000 no_timer_check tsc_early_khz={}",
            text(&boot["boot_args"]),
            khz()
        );
        let more = [
            "-kernel",
            text(&boot["kernel_image_path"]),
            "-initrd",
            text(&boot["initrd_path"]),
            "-append",
            &line,
        ];
        let vsock = self.config.get("vsock").ok_or("Missing vsock")?;
        self.running = Some(Running::new(size, &more, text(&vsock["uds_path"])).await?);
        Ok(())
    }

    pub async fn change(&mut self, pause: bool) -> Done {
        let running = self.running.as_mut();
        let running = running.ok_or("not supported before starting the microVM.")?;
        running
            .call(if pause { "stop" } else { "cont" }, json!({}))
            .await?;
        running.is_paused = pause;
        Ok(())
    }

    pub async fn capture(&mut self, body: &Value) -> Done {
        let running = self.running.as_mut();
        let running = running.filter(|running| running.is_paused);
        let running = running.ok_or("Cannot save the microVM state: it is not paused.")?;
        if body["snapshot_type"] == "Diff" {
            return Err("this stand-in has no differences".into());
        }
        let state = text(&body["snapshot_path"]);
        running.shared().await?;
        let to = json!({"uri": format!("exec:cat > {state}")});
        running.call("migrate", to).await?;
        running.migrated().await?;
        sparse(Path::new(RAM), Path::new(text(&body["mem_file_path"])))?;
        running.reset.send_modify(|number| *number += 1);
        Ok(())
    }

    pub async fn load(&mut self, body: &Value) -> Done {
        if self.running.is_some() || !self.config.is_empty() {
            return Err(
                "Loading a microVM snapshot not allowed after configuring boot-specific resources."
                    .into(),
            );
        }
        // The file stays as it is for whoever else goes on from it.
        let file = Path::new(text(&body["mem_backend"]["backend_path"]));
        let _ = std::fs::remove_file(RAM);
        sparse(file, Path::new(RAM))?;
        let size = std::fs::metadata(file).map_err(|e| e.to_string())?.len();
        let mut running = Running::new(size, &["-incoming", "defer"], "channel").await?;
        running.shared().await?;
        let from = json!({"uri": format!("exec:cat {}", text(&body["snapshot_path"]))});
        running.call("migrate-incoming", from).await?;
        running.migrated().await?;
        running.is_paused = true;
        self.running = Some(running);
        match body["resume_vm"] == true {
            true => self.change(false).await,
            false => Ok(()),
        }
    }
}

impl Running {
    async fn new(size: u64, more: &[&str], vsock: &str) -> Result<Running, String> {
        for socket in [CONTROL, PORT] {
            let _ = std::fs::remove_file(socket);
        }
        let listener = UnixListener::bind(vsock).map_err(|error| format!("{vsock}: {error}"))?;
        // It ends with this process, as the processor of Firecracker's does.
        let qemu = Command::new("setpriv")
            .args(["--pdeathsig", "KILL", PROGRAM])
            .args(["-nodefaults", "-no-user-config", "-no-reboot"])
            .args(["-display", "none", "-cpu", "max", "-m"])
            .arg(format!("{}k", size >> 10))
            .args(["-M", "microvm,accel=tcg,memory-backend=ram", "-object"])
            .arg(format!(
                "memory-backend-file,id=ram,size={size},mem-path={RAM},share=on"
            ))
            .args([
                "-chardev",
                "ringbuf,id=console,size=65536",
                "-serial",
                "chardev:console",
            ])
            .arg("-chardev")
            .arg(format!("socket,id=channel,path={PORT},server=on,wait=off"))
            .args(["-device", "virtio-serial-device", "-device"])
            .arg(format!(
                "virtserialport,chardev=channel,name={}",
                offshoot_agent::PORT
            ))
            .arg("-qmp")
            .arg(format!("unix:{CONTROL},server=on,wait=off"))
            .args(more)
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .kill_on_drop(true)
            .spawn();
        let mut qemu = qemu.map_err(|error| error.to_string())?;
        let control = loop {
            match UnixStream::connect(CONTROL).await {
                Ok(control) => break control,
                Err(error) if !matches!(qemu.try_wait(), Ok(None)) => return Err(error.to_string()),
                Err(_) => sleep(LOOK).await,
            }
        };
        // As Firecracker does where the guest ends.
        tokio::task::spawn_local(async move {
            let _ = qemu.wait().await;
            std::process::exit(0);
        });
        let (reset, _) = watch::channel(0);
        let mut running = Running {
            control: BufReader::new(control),
            is_paused: false,
            reset,
        };
        running.call("qmp_capabilities", json!({})).await?;
        let resets = running.reset.clone();
        tokio::task::spawn_local(async move {
            while let Ok((stream, _)) = listener.accept().await {
                tokio::task::spawn_local(relay(stream, resets.subscribe()));
            }
        });
        Ok(running)
    }

    async fn call(&mut self, name: &str, arguments: Value) -> Result<Value, String> {
        let text = json!({"execute": name, "arguments": arguments}).to_string() + "\n";
        let sent = self.control.get_mut().write_all(text.as_bytes()).await;
        sent.map_err(|error| error.to_string())?;
        loop {
            let mut line = String::new();
            match self.control.read_line(&mut line).await {
                Ok(0) | Err(_) => return Err("the machine ended".to_owned()),
                Ok(_) => {}
            }
            let answer: Value = serde_json::from_str(&line).unwrap();
            if let Some(value) = answer.get("return") {
                return Ok(value.clone());
            }
            if let Some(error) = answer.get("error") {
                return Err(error.to_string());
            }
        }
    }

    /// Leaves the memory out of the state: it is a file.
    async fn shared(&mut self) -> Done {
        let shared = json!({"capability": "x-ignore-shared", "state": true});
        let shared = json!({"capabilities": [shared]});
        self.call("migrate-set-capabilities", shared)
            .await
            .map(drop)
    }

    async fn migrated(&mut self) -> Done {
        loop {
            let answer = self.call("query-migrate", json!({})).await?;
            match text(&answer["status"]) {
                "completed" => return Ok(()),
                "failed" | "cancelled" => return Err(answer.to_string()),
                _ => sleep(LOOK).await,
            }
        }
    }
}

/// Gives the machine's port to whoever asks for the agent's, until the next reset.
async fn relay(mut stream: UnixStream, mut resets: watch::Receiver<u32>) {
    let mut line = Vec::new();
    while !line.ends_with(b"\n") {
        match stream.read_u8().await {
            Ok(byte) if line.len() < 32 => line.push(byte),
            _ => return,
        }
    }
    // Where nobody listens, the stream ends.
    if line != format!("CONNECT {VSOCK_PORT}\n").into_bytes() {
        return;
    }
    let Ok(mut port) = UnixStream::connect(PORT).await else {
        return;
    };
    if stream.write_all(b"OK 1073741824\n").await.is_ok() {
        tokio::select! {
            _ = tokio::io::copy_bidirectional(&mut stream, &mut port) => {}
            _ = resets.changed() => {}
        }
    }
}

fn sparse(from: &Path, to: &Path) -> Done {
    let copied = std::process::Command::new("cp")
        .arg("--sparse=always")
        .arg(from)
        .arg(to)
        .status();
    match copied.is_ok_and(|status| status.success()) {
        true => Ok(()),
        false => Err(format!("{} cannot be copied", from.display())),
    }
}

/// How fast the processor's counter is.
fn khz() -> u64 {
    let facts = std::fs::read_to_string("/proc/cpuinfo").unwrap_or_default();
    let line = facts.lines().find_map(|line| line.strip_prefix("cpu MHz"));
    let number = line.and_then(|line| line.split(':').nth(1));
    let khz = number.and_then(|number| number.trim().replacen('.', "", 1).parse().ok());
    khz.unwrap_or(2_000_000)
}
