//! Settings of a sandbox and of an execution, and what comes out of one.
//!
//! `lib/index.cjs` fills in every key that is not an `Option` here: users leave out what they like. Numbers of
//! JavaScript are checked before they are counts or times: `NaN`, parts of a byte and what is over 2^53 - 1 throw
//! `INVALID`, with the name of the setting.

use crate::command::{self, Function};
use crate::error::{thrown, wrong};
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;
use offshoot::network::{Policy, Rule, Secret};
use offshoot::{Builder, Exec, Mount, Quotas};
use std::collections::HashMap;
use std::time::Duration;

/// Text, or bytes. Text becomes UTF-8; a half of a surrogate pair in it becomes U+FFFD.
pub(crate) type Content = Either<String, Uint8Array>;

/// The bytes that are meant.
pub(crate) fn bytes(content: Content) -> Vec<u8> {
    match content {
        Either::A(text) => text.into_bytes(),
        Either::B(bytes) => bytes.to_vec(),
    }
}

/// A file to write.
#[napi(object, object_to_js = false)]
pub struct FileEntry {
    /// Its path in the sandbox; missing parents are made.
    pub path: String,
    /// All that is in it.
    pub content: Content,
}

/// A folder of the host in the sandbox.
#[napi(object)]
pub struct MountEntry {
    /// The folder's path on the host.
    pub host: String,
    /// Where the sandbox has it.
    pub path: String,
    /// `ro` to read, `cow` to write to without the host seeing it.
    pub mode: String,
}

/// A header that the host adds to requests. The sandbox never sees its value.
#[napi(object)]
pub struct SecretEntry {
    /// To which origin: `https://api.example.com`.
    pub origin: String,
    /// The header's name.
    pub header: String,
    /// The header's value.
    pub value: String,
}

/// A command that is a function of the host. It runs outside the isolation: it must not trust its arguments.
#[napi(object, object_to_js = false)]
pub struct CommandEntry {
    /// The word that calls it.
    pub name: String,
    /// What is called.
    pub run: Function,
}

/// What a sandbox is made with.
#[napi(object, object_to_js = false)]
pub struct Settings {
    /// Files to begin with.
    pub files: Vec<FileEntry>,
    /// Folders of the host.
    pub mounts: Vec<MountEntry>,
    /// Variables, beside those that every sandbox has.
    pub env: HashMap<String, String>,
    /// The working directory; the user's home where it is missing.
    pub cwd: Option<String>,
    /// What requests may reach: `GET,POST https://api.example.com`. Nothing where the list is empty.
    pub network: Vec<String>,
    /// Headers that the host adds; `INVALID` without rules in `network`, since they would never be sent.
    pub secrets: Vec<SecretEntry>,
    /// Functions of the host.
    pub commands: Vec<CommandEntry>,
    /// Limits by name, those of `Limits` in `lib/index.d.ts`. A name that there is not throws `INVALID`.
    pub limits: HashMap<String, f64>,
    /// With a seed, a whole number, times and random numbers repeat.
    pub seed: Option<f64>,
}

impl Settings {
    /// A builder with all of it; nothing of the host but the folders to mount is looked at.
    pub(crate) fn builder(self) -> napi::Result<Builder> {
        let mut builder = offshoot::Sandbox::builder();
        for (name, value) in self.env {
            builder = builder.env(name, value);
        }
        for file in self.files {
            builder = builder.file(file.path, bytes(file.content));
        }
        for entry in self.mounts {
            builder = builder.mount(&entry.path, mount(&entry)?);
        }
        if let Some(cwd) = self.cwd {
            builder = builder.cwd(cwd);
        }
        if let Some(seed) = self.seed {
            builder = builder.deterministic(whole("seed", seed)?);
        }
        for entry in self.commands {
            builder = builder.command(entry.name, command::from_function(entry.run));
        }
        if !self.network.is_empty() {
            let policy = policy(&self.network, &self.secrets)?;
            builder = builder.network(policy).map_err(thrown)?;
        } else if !self.secrets.is_empty() {
            return Err(wrong(
                "secrets without a network policy would never be sent",
            ));
        }
        limited(builder, self.limits)
    }
}

/// Opens a folder of the host; `INVALID` where that fails or the mode is neither of the two.
fn mount(entry: &MountEntry) -> napi::Result<Mount> {
    let made = match entry.mode.as_str() {
        "ro" => Mount::read_only(&entry.host),
        "cow" => Mount::copy_on_write(&entry.host),
        mode => {
            return Err(wrong(format!(
                "mode {mode:?}: a mount is \"ro\" or \"cow\""
            )));
        }
    };
    made.map_err(|error| wrong(format!("{}: {error}", entry.host)))
}

/// The rules of the network with the secrets that belong to them.
fn policy(rules: &[String], secrets: &[SecretEntry]) -> napi::Result<Policy> {
    let mut policy = Policy::default();
    for rule in rules {
        policy = policy.allow(Rule::parse(rule).map_err(wrong)?);
    }
    for entry in secrets {
        let secret = Secret::header(&entry.origin, &entry.header, &entry.value);
        policy = policy.secret(secret.map_err(wrong)?);
    }
    Ok(policy)
}

/// A count that JavaScript's numbers hold exactly.
fn whole(name: &str, value: f64) -> napi::Result<u64> {
    if value.fract() != 0.0 || !(0.0..=9_007_199_254_740_991.0).contains(&value) {
        return Err(wrong(format!("{name}: {value} is no whole number from 0")));
    }
    Ok(value as u64)
}

/// A time that a clock can count: milliseconds in parts, neither negative nor infinite.
pub(crate) fn milliseconds(name: &str, value: f64) -> napi::Result<Duration> {
    Duration::try_from_secs_f64(value / 1000.0)
        .map_err(|_| wrong(format!("{name}: {value} is no time in milliseconds")))
}

/// Sets the limits that are given over the library's. `disk`, `inodes` and `fileSize` are quotas of the files; the
/// others hold for processes. Times are in milliseconds, sizes in bytes.
fn limited(builder: Builder, given: HashMap<String, f64>) -> napi::Result<Builder> {
    let mut limits = offshoot::Limits::default();
    let mut quotas = Quotas::default();
    for (name, value) in given {
        let count = || whole(&name, value);
        let size = || whole(&name, value).map(|value| value as usize);
        match name.as_str() {
            "memory" => limits.memory = count()?,
            "totalMemory" => limits.total_memory = count()?,
            "timeMs" => limits.wall_time = Some(milliseconds(&name, value)?),
            "cpuTimeMs" => limits.cpu_time = Some(milliseconds(&name, value)?),
            "processes" => limits.processes = size()?,
            "openFiles" => limits.open_files = size()?,
            "output" => limits.output = count()?,
            "disk" => quotas.bytes = count()?,
            "inodes" => quotas.inodes = count()?,
            "fileSize" => quotas.file_size = count()?,
            other => return Err(wrong(format!("{other}: there is no such limit"))),
        }
    }
    Ok(builder.limits(limits).quotas(quotas))
}

/// One execution.
#[napi(object, object_to_js = false)]
pub struct Run {
    /// The script. It need not be UTF-8.
    pub script: Content,
    /// `$1`, `$2` …
    pub arguments: Vec<String>,
    /// Standard input; empty where it is missing, unless the script is spawned.
    pub stdin: Option<Content>,
    /// Variables over those of the sandbox.
    pub env: HashMap<String, String>,
    /// The working directory; the sandbox's where it is missing.
    pub cwd: Option<String>,
    /// Milliseconds, in parts too, after which the script is ended.
    pub timeout_ms: Option<f64>,
}

impl Run {
    /// The library's form of it; `INVALID` for a time-out that is no time.
    pub(crate) fn exec(self) -> napi::Result<Exec> {
        let mut exec = Exec::new(bytes(self.script)).arguments(self.arguments);
        for (name, value) in self.env {
            exec = exec.env(name, value);
        }
        if let Some(stdin) = self.stdin {
            exec = exec.stdin(bytes(stdin));
        }
        exec.cwd = self.cwd;
        exec.timeout = self
            .timeout_ms
            .map(|time| milliseconds("timeoutMs", time))
            .transpose()?;
        Ok(exec)
    }
}

/// Output and status of a script that ended.
#[napi(object)]
pub struct ExecResult {
    /// The status, 0 to 255; 124 after a time-out.
    pub exit_code: u8,
    /// Standard output, byte for byte.
    pub stdout: Uint8Array,
    /// Standard error, byte for byte.
    pub stderr: Uint8Array,
    /// Whether the time-out ended it.
    pub timed_out: bool,
    /// Whether output is missing at its end.
    pub truncated: bool,
    /// How long it took, in whole milliseconds.
    pub duration_ms: f64,
}
