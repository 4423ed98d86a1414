//! Builds the guests once and runs them.

use std::path::PathBuf;
use std::process::Command;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use offshoot_kernel::{
    Artifact, Capture, Engine, EngineOptions, Kernel, Limits, Process, ProcessEnd, Program,
    Programs, Request, Settings, Setup, Shell, SpawnOptions, Stdio, WallClock, marker,
};
use offshoot_vfs::{Caller, Device, Options, Vfs};

/// Longer than anything that works takes; what waits this long hangs.
pub const PATIENCE: Duration = Duration::from_secs(30);

/// The guests as components.
struct Guests {
    engine: Engine,
    program: Program,
    shell: Program,
}

fn guests() -> &'static Guests {
    static GUESTS: OnceLock<Guests> = OnceLock::new();
    GUESTS.get_or_init(|| {
        let engine = Engine::new(&EngineOptions::default()).unwrap();
        let folder = build();
        let artifact = |name: &str| {
            let wasm = std::fs::read(folder.join(name)).unwrap();
            Artifact::trusted(Engine::precompile(&wasm).unwrap().leak())
        };
        let program = Program::command(&engine, artifact("program.wasm"));
        let shell = Program::shell(&engine, artifact("shell.wasm"));
        Guests {
            engine,
            program,
            shell,
        }
    })
}

/// Runs Cargo for the guests; it builds only what changed.
fn build() -> PathBuf {
    let source = PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("tests/guests");
    let target = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("kernel-guests");
    let mut cargo = Command::new(env!("CARGO"));
    for name in [
        "CARGO_ENCODED_RUSTFLAGS",
        "RUSTFLAGS",
        "RUSTC_WORKSPACE_WRAPPER",
        "RUSTC",
    ] {
        cargo.env_remove(name);
    }
    cargo
        .current_dir(source)
        .args(["build", "--quiet", "--target", "wasm32-wasip2"]);
    let status = cargo.arg("--target-dir").arg(&target).status().unwrap();
    assert!(status.success(), "the guests do not build");
    target.join("wasm32-wasip2/debug")
}

pub fn engine() -> &'static Engine {
    &guests().engine
}

/// How a process ended and what it wrote.
#[derive(Debug, PartialEq)]
pub struct Result {
    pub end: ProcessEnd,
    pub stdout: String,
    pub stderr: String,
}

/// A sandbox to test in.
pub struct Sandbox {
    pub kernel: Kernel,
    pub setup: Arc<Setup>,
}

impl Sandbox {
    pub fn new() -> Sandbox {
        Sandbox::with(|_| {})
    }

    /// With other settings than the usual ones.
    pub fn with(change: impl FnOnce(&mut Settings)) -> Sandbox {
        let mut programs = Programs::default();
        programs.insert("program", guests().program.clone());
        programs.insert("shell", guests().shell.clone());
        let mut settings = Settings::new(guests().engine.clone(), Arc::new(programs));
        change(&mut settings);
        let options = Options {
            clock: Arc::new(WallClock(Arc::clone(&settings.time))),
            ..Options::default()
        };
        let kernel = Kernel::new(Arc::new(settings), files(options));
        Sandbox {
            kernel,
            setup: Arc::default(),
        }
    }

    pub fn limited(change: impl FnOnce(&mut Limits)) -> Sandbox {
        Sandbox::with(|settings| change(&mut settings.limits))
    }

    pub fn options(&self, words: &[&str]) -> SpawnOptions {
        let mut options = SpawnOptions::new("/bin/program", ["program"]);
        options
            .arguments
            .extend(words.iter().map(|word| word.as_bytes().to_vec()));
        options.directory = b"/home/user".to_vec();
        options
    }

    pub fn spawn(&self, options: SpawnOptions) -> Process {
        self.kernel.spawn(options).unwrap()
    }

    /// Runs the test program to its end.
    pub async fn run(&self, words: &[&str]) -> Result {
        self.run_with(self.options(words), b"").await
    }

    pub async fn run_with(&self, options: SpawnOptions, stdin: &'static [u8]) -> Result {
        let (stdout, stderr) = (Capture::new(), Capture::new());
        let options = options
            .descriptor(0, Stdio::Bytes(stdin.into()))
            .descriptor(1, Stdio::Capture(stdout.clone()))
            .descriptor(2, Stdio::Capture(stderr.clone()));
        let process = self.spawn(options);
        let end = wait(&process).await;
        Result {
            end,
            stdout: text(&stdout),
            stderr: text(&stderr),
        }
    }

    pub fn shell(&self) -> Shell {
        Shell::new(&self.kernel, shell_program()).unwrap()
    }

    /// Runs a script of the test shell from fresh state.
    pub async fn script(&self, shell: &mut Shell, script: &str) -> (ProcessEnd, String) {
        let stdout = Capture::new();
        let request = Request::text(script).descriptor(1, Stdio::Capture(stdout.clone()));
        let end = tokio::time::timeout(PATIENCE, shell.run(&self.setup, request)).await;
        (end.expect("the script hangs").unwrap(), text(&stdout))
    }

    pub fn write(&self, path: &str, content: &[u8], mode: u32) {
        let vfs = self.kernel.vfs();
        vfs.write_file(&Caller::ROOT, vfs.root(), path.as_bytes(), content, mode)
            .unwrap();
    }

    pub fn read(&self, path: &str) -> String {
        let vfs = self.kernel.vfs();
        let content = vfs
            .read_file(&Caller::ROOT, vfs.root(), path.as_bytes())
            .unwrap();
        String::from_utf8(content).unwrap()
    }
}

/// The end of a process that does not hang.
pub async fn wait(process: &Process) -> ProcessEnd {
    tokio::time::timeout(PATIENCE, process.wait())
        .await
        .expect("the process hangs")
}

pub fn text(capture: &Capture) -> String {
    String::from_utf8_lossy(&capture.take()).into_owned()
}

fn files(options: Options) -> Vfs {
    let vfs = Vfs::new(options);
    let root = vfs.root();
    let all = &Caller::ROOT;
    for folder in ["bin", "dev", "dev/fd", "etc", "home", "home/user", "tmp"] {
        vfs.create_dir(all, root, folder.as_bytes(), 0o777).unwrap();
    }
    vfs.set_mode(all, root, b"/", 0o777).unwrap();
    vfs.write_file(all, root, b"/bin/program", &marker("program"), 0o755)
        .unwrap();
    vfs.write_file(all, root, b"/bin/sh", &marker("shell"), 0o755)
        .unwrap();
    vfs.write_file(all, root, b"/etc/motd", b"welcome\n", 0o644)
        .unwrap();
    let devices: [(&str, Device); 6] = [
        ("dev/tty", Device::Tty),
        ("dev/null", Device::Null),
        ("dev/zero", Device::Zero),
        ("dev/stdin", Device::Descriptor(0)),
        ("dev/fd/0", Device::Descriptor(0)),
        ("dev/fd/5", Device::Descriptor(5)),
    ];
    for (path, device) in devices {
        vfs.create_device(all, root, path.as_bytes(), device, 0o666)
            .unwrap();
    }
    vfs
}

/// The test shell as a program.
pub fn shell_program() -> &'static Program {
    &guests().shell
}
