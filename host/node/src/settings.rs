//! Settings of a sandbox and of an execution, and what comes out of one.

use crate::command::{self, Function};
use crate::error::{thrown, wrong};
use napi::bindgen_prelude::{Either, Uint8Array};
use napi_derive::napi;
use offshoot::network::{Policy, Rule, Secret};
use offshoot::{Builder, Exec, Mount, Quotas};
use std::collections::HashMap;
use std::time::Duration;

/// Text, or bytes.
pub(crate) type Content = Either<String, Uint8Array>;

pub(crate) fn bytes(content: Content) -> Vec<u8> {
    match content {
        Either::A(text) => text.into_bytes(),
        Either::B(bytes) => bytes.to_vec(),
    }
}

#[napi(object, object_to_js = false)]
pub struct FileEntry {
    pub path: String,
    pub content: Content,
}

#[napi(object)]
pub struct MountEntry {
    pub host: String,
    pub path: String,
    pub mode: String,
}

#[napi(object)]
pub struct SecretEntry {
    pub origin: String,
    pub header: String,
    pub value: String,
}

#[napi(object, object_to_js = false)]
pub struct CommandEntry {
    pub name: String,
    pub run: Function,
}

#[napi(object, object_to_js = false)]
pub struct Settings {
    pub files: Vec<FileEntry>,
    pub mounts: Vec<MountEntry>,
    pub env: HashMap<String, String>,
    pub cwd: Option<String>,
    pub network: Vec<String>,
    pub secrets: Vec<SecretEntry>,
    pub commands: Vec<CommandEntry>,
    pub limits: HashMap<String, f64>,
    pub seed: Option<f64>,
}

impl Settings {
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

/// A time that a clock can count.
pub(crate) fn milliseconds(name: &str, value: f64) -> napi::Result<Duration> {
    Duration::try_from_secs_f64(value / 1000.0)
        .map_err(|_| wrong(format!("{name}: {value} is no time in milliseconds")))
}

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

#[napi(object, object_to_js = false)]
pub struct Run {
    pub script: Content,
    pub arguments: Vec<String>,
    pub stdin: Option<Content>,
    pub env: HashMap<String, String>,
    pub cwd: Option<String>,
    pub timeout_ms: Option<f64>,
}

impl Run {
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

#[napi(object)]
pub struct ExecResult {
    pub exit_code: u8,
    pub stdout: Uint8Array,
    pub stderr: Uint8Array,
    pub timed_out: bool,
    pub truncated: bool,
    pub duration_ms: f64,
}
