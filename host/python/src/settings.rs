//! Settings of a sandbox and of an execution, read from Python's values.
//!
//! The classes of `python/offshoot` hand over dictionaries with exactly these keys, all of them set: `from_item_all`
//! has no defaults, and `None` stands for what was left out. Times are seconds, sizes are bytes.

use crate::command;
use crate::error::{raised, wrong};
use offshoot::network::{Policy, Rule, Secret};
use offshoot::{Builder, Exec, Mount, Quotas};
use pyo3::exceptions::PyTypeError;
use pyo3::prelude::*;
use pyo3::types::{PyByteArray, PyBytes, PyDict, PyString};
use std::time::Duration;

/// What `Sandbox` and `Sandboxes.create` are told.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Settings<'py> {
    files: Vec<(String, Content)>,
    /// Folders of the host that are copied in: host's path, sandbox's path.
    imports: Vec<(String, String)>,
    /// Folders of the host that are mounted: host's path, sandbox's path, `ro` or `cow`.
    mounts: Vec<(String, String, String)>,
    env: Vec<(String, String)>,
    /// Begins without the variables that every sandbox has.
    clear_env: bool,
    cwd: Option<String>,
    /// What requests may reach: `GET,POST https://api.example.com`. Nothing where the list is empty.
    network: Vec<String>,
    /// Headers that the host adds: origin, header, value. `ValueError` without rules in `network`.
    secrets: Vec<(String, String, String)>,
    /// Names, each with what is called for it.
    commands: Vec<(String, Bound<'py, PyAny>)>,
    /// Limits by name; one that there is not raises `ValueError`.
    limits: Bound<'py, PyDict>,
    seed: Option<u64>,
}

/// Text, or anything with a buffer of bytes: `bytes`, `bytearray`, `memoryview`, and what has `tobytes`, as arrays
/// do. Text becomes UTF-8; a lone surrogate raises `UnicodeEncodeError`.
pub(crate) struct Content(pub(crate) Vec<u8>);

impl<'a, 'py> FromPyObject<'a, 'py> for Content {
    type Error = PyErr;

    fn extract(value: Borrowed<'a, 'py, PyAny>) -> PyResult<Content> {
        if let Ok(text) = value.cast::<PyString>() {
            return Ok(Content(text.to_cow()?.into_owned().into_bytes()));
        }
        // One copy: `bytes` for what is none, then into the library.
        let bytes = value.py().get_type::<PyBytes>();
        let is_bytes = value.is_instance(&bytes)? || value.cast::<PyByteArray>().is_ok();
        if is_bytes || value.hasattr("tobytes")? {
            let made = bytes.call1((value,))?;
            return Ok(Content(made.extract::<&[u8]>()?.to_vec()));
        }
        let message = format!("expected str or bytes, not {}", value.get_type().name()?);
        Err(PyTypeError::new_err(message))
    }
}

impl Settings<'_> {
    /// A builder with all of it.
    pub(crate) fn builder(self) -> PyResult<Builder> {
        let mut builder = offshoot::Sandbox::builder();
        if self.clear_env {
            builder = builder.clear_env();
        }
        for (name, value) in self.env {
            builder = builder.env(name, value);
        }
        for (path, content) in self.files {
            builder = builder.file(path, content.0);
        }
        for (host, path) in self.imports {
            builder = builder.import(host, path);
        }
        for (host, path, mode) in self.mounts {
            builder = builder.mount(path, mount(&host, &mode)?);
        }
        if let Some(cwd) = self.cwd {
            builder = builder.cwd(cwd);
        }
        if let Some(seed) = self.seed {
            builder = builder.deterministic(seed);
        }
        for (name, function) in self.commands {
            builder = builder.command(name, command::from_function(function.unbind()));
        }
        if !self.network.is_empty() {
            let policy = policy(&self.network, &self.secrets)?;
            builder = builder.network(policy).map_err(raised)?;
        } else if !self.secrets.is_empty() {
            return Err(wrong(
                "secrets without a network policy would never be sent",
            ));
        }
        limited(builder, &self.limits)
    }
}

/// Opens a folder of the host; `ValueError` where that fails or the mode is neither of the two.
fn mount(host: &str, mode: &str) -> PyResult<Mount> {
    match mode {
        "ro" => Mount::read_only(host).map_err(|error| wrong(format!("{host}: {error}"))),
        "cow" => Mount::copy_on_write(host).map_err(|error| wrong(format!("{host}: {error}"))),
        _ => Err(wrong(format!(
            "mode {mode:?}: a mount is \"ro\" or \"cow\""
        ))),
    }
}

/// The rules of the network with the secrets that belong to them.
fn policy(rules: &[String], secrets: &[(String, String, String)]) -> PyResult<Policy> {
    let mut policy = Policy::default();
    for rule in rules {
        policy = policy.allow(Rule::parse(rule).map_err(wrong)?);
    }
    for (origin, header, value) in secrets {
        policy = policy.secret(Secret::header(origin, header, value).map_err(wrong)?);
    }
    Ok(policy)
}

/// Sets the limits that are given over the library's. `disk`, `inodes` and `file_size` are quotas of the files; the
/// others hold for processes.
fn limited(builder: Builder, given: &Bound<'_, PyDict>) -> PyResult<Builder> {
    let mut limits = offshoot::Limits::default();
    let mut quotas = Quotas::default();
    for (name, value) in given {
        match name.extract::<String>()?.as_str() {
            "memory" => limits.memory = value.extract()?,
            "total_memory" => limits.total_memory = value.extract()?,
            "time" => limits.wall_time = Some(seconds(value.extract()?)?),
            "cpu_time" => limits.cpu_time = Some(seconds(value.extract()?)?),
            "processes" => limits.processes = value.extract()?,
            "open_files" => limits.open_files = value.extract()?,
            "output" => limits.output = value.extract()?,
            "disk" => quotas.bytes = value.extract()?,
            "inodes" => quotas.inodes = value.extract()?,
            "file_size" => quotas.file_size = value.extract()?,
            other => return Err(wrong(format!("{other}: there is no such limit"))),
        }
    }
    Ok(builder.limits(limits).quotas(quotas))
}

/// A time that a clock can count: seconds in parts, neither negative nor infinite.
pub(crate) fn seconds(time: f64) -> PyResult<Duration> {
    Duration::try_from_secs_f64(time).map_err(|_| wrong(format!("{time} is no time in seconds")))
}

/// What one execution is told. Script and arguments need not be UTF-8.
#[derive(FromPyObject)]
#[pyo3(from_item_all)]
pub(crate) struct Run {
    script: Content,
    arguments: Vec<Content>,
    stdin: Option<Content>,
    env: Vec<(String, String)>,
    cwd: Option<String>,
    timeout: Option<f64>,
}

impl Run {
    /// As the library reads it; `ValueError` for a time-out that is no time.
    pub(crate) fn exec(self) -> PyResult<Exec> {
        let arguments = self.arguments.into_iter().map(|argument| argument.0);
        let mut exec = Exec::new(self.script.0).arguments(arguments);
        for (name, value) in self.env {
            exec = exec.env(name, value);
        }
        if let Some(stdin) = self.stdin {
            exec = exec.stdin(stdin.0);
        }
        exec.cwd = self.cwd;
        exec.timeout = self.timeout.map(seconds).transpose()?;
        Ok(exec)
    }
}
