//! Between the contract's types and those of `wit/backend.wit`, one to one.

use std::time::{Duration, SystemTime, UNIX_EPOCH};

use offshoot_backend::{
    Capabilities, Code, Error, Exec, FileKind, FileStat, Isolation, Network, Options, Persistence,
    Result, ShellResult, Signal, State, Stdin,
};
use serde_json::{Map, Value};

use crate::bindings::{Timestamp, wit};

/// Bytes of a message that are kept.
const MESSAGE: usize = 4 << 10;

/// The record of capabilities.
pub(crate) fn capabilities(given: &wit::Capabilities) -> Capabilities {
    use wit::Claims;
    let has = |claim: Claims| given.claims.contains(claim);
    let mut record = Capabilities::NONE;
    record.exec = has(Claims::EXEC);
    record.filesystem = has(Claims::FILESYSTEM);
    record.binary_files = has(Claims::BINARY_FILES);
    record.network = match given.network {
        wit::Network::None => Network::None,
        wit::Network::Policy => Network::Policy,
        wit::Network::Provider => Network::Provider,
        wit::Network::Host => Network::Host,
    };
    record.snapshot = has(Claims::SNAPSHOT);
    record.restore = has(Claims::RESTORE);
    record.fork = has(Claims::FORK);
    record.suspend = has(Claims::SUSPEND);
    record.resume = has(Claims::RESUME);
    record.reconnect = has(Claims::RECONNECT);
    record.persistence = match given.persistence {
        wit::Persistence::None => Persistence::None,
        wit::Persistence::Session => Persistence::Session,
        wit::Persistence::Durable => Persistence::Durable,
    };
    record.isolation = match given.isolation {
        wit::Isolation::None => Isolation::None,
        wit::Isolation::Process => Isolation::Process,
        wit::Isolation::Wasm => Isolation::Wasm,
        wit::Isolation::Container => Isolation::Container,
        wit::Isolation::Vm => Isolation::Vm,
        wit::Isolation::Provider => Isolation::Provider,
    };
    record.separate_stderr = has(Claims::SEPARATE_STDERR);
    record.exec_environment = has(Claims::EXEC_ENVIRONMENT);
    record.exec_directory = has(Claims::EXEC_DIRECTORY);
    record.exec_timeout = has(Claims::EXEC_TIMEOUT);
    record.exact_output = has(Claims::EXACT_OUTPUT);
    record.stdin = has(Claims::STDIN);
    record.streaming = has(Claims::STREAMING);
    record.cancel = has(Claims::CANCEL);
    record.background = has(Claims::BACKGROUND);
    record.signals = has(Claims::SIGNALS);
    record.terminal = has(Claims::TERMINAL);
    record.ports = has(Claims::PORTS);
    record.memory_limit = has(Claims::MEMORY_LIMIT);
    record.cpu_limit = has(Claims::CPU_LIMIT);
    record.process_limit = has(Claims::PROCESS_LIMIT);
    record.snapshot_files = has(Claims::SNAPSHOT_FILES);
    record.snapshot_settings = has(Claims::SNAPSHOT_SETTINGS);
    record.snapshot_memory = has(Claims::SNAPSHOT_MEMORY);
    record.timeout_unit_ms = given.timeout_unit_ms.max(1);
    record
}

/// The options that a component sees; idleness and the like are the host's.
pub(crate) fn options(given: &Options, defaults: &Map<String, Value>) -> wit::Options {
    let mut settings = defaults.clone();
    settings.extend(given.settings.clone());
    wit::Options {
        environment: given.env.clone(),
        metadata: given.metadata.clone().into_iter().collect(),
        cwd: given.cwd.clone(),
        limits: wit::ResourceLimits {
            memory_bytes: given.limits.memory_bytes,
            cpus: given.limits.cpus,
            processes: given.limits.processes,
        },
        network: given.network.map(|network| match network {
            Network::None => wit::Network::None,
            Network::Policy => wit::Network::Policy,
            Network::Provider => wit::Network::Provider,
            Network::Host => wit::Network::Host,
        }),
        settings: Value::Object(settings).to_string(),
    }
}

/// The command as a component gets it; for `spawn` the host brings all input.
pub(crate) fn command(exec: &Exec, cwd: &str, streaming: bool) -> wit::Command {
    let input = match &exec.stdin {
        Stdin::Empty => wit::Input::Empty,
        Stdin::Bytes(bytes) if !streaming => wit::Input::Bytes(bytes.clone()),
        Stdin::Piped if !streaming => wit::Input::Empty,
        Stdin::Bytes(_) | Stdin::Piped => wit::Input::Piped,
    };
    wit::Command {
        script: exec.script.clone(),
        name: exec.name.clone(),
        arguments: exec.arguments.clone(),
        cwd: exec.cwd.clone().unwrap_or_else(|| cwd.to_owned()),
        environment: exec.environment.clone(),
        replace_environment: exec.replace_environment,
        input,
        timeout_ms: exec.timeout.map(milliseconds),
    }
}

/// Whole milliseconds, never less.
pub(crate) fn milliseconds(time: Duration) -> u64 {
    u64::try_from(time.as_nanos().div_ceil(1_000_000)).unwrap_or(u64::MAX)
}

/// The result of a command.
pub(crate) fn result(exec: &Exec, given: wit::ShellResult, duration: Duration) -> ShellResult {
    let mut result = ShellResult::new(exec.text(), given.exit_code);
    result.stdout = given.stdout;
    result.stderr = given.stderr;
    result.timed_out = given.timed_out;
    result.truncated = given.truncated;
    result.duration_ms = u64::try_from(duration.as_millis()).unwrap_or(u64::MAX);
    result
}

/// A signal.
pub(crate) fn signal(signal: Signal) -> Option<wit::SignalName> {
    match signal {
        Signal::Interrupt => Some(wit::SignalName::Interrupt),
        Signal::Terminate => Some(wit::SignalName::Terminate),
        Signal::Kill => Some(wit::SignalName::Kill),
        _ => None,
    }
}

/// Facts about a path.
pub(crate) fn stat(given: &wit::FileStat) -> FileStat {
    let kind = match given.kind {
        wit::FileKind::File => FileKind::File,
        wit::FileKind::Directory => FileKind::Directory,
        wit::FileKind::Symlink => FileKind::Symlink,
        wit::FileKind::Other => FileKind::Other,
    };
    let mut stat = FileStat::new(kind, given.size);
    stat.mtime = given.modified.as_ref().and_then(time);
    stat.ctime = given.changed.as_ref().and_then(time);
    stat.atime = given.accessed.as_ref().and_then(time);
    stat.is_symlink = given.is_symlink;
    stat.mode = given.mode.map(|mode| mode & 0o7777);
    stat
}

fn time(given: &Timestamp) -> Option<SystemTime> {
    let whole = Duration::from_secs(given.seconds.unsigned_abs());
    let base = match given.seconds >= 0 {
        true => UNIX_EPOCH.checked_add(whole),
        false => UNIX_EPOCH.checked_sub(whole),
    };
    base?.checked_add(Duration::from_nanos(given.nanoseconds.into()))
}

/// Where in its life a sandbox is.
pub(crate) fn state(given: wit::Stage) -> State {
    match given {
        wit::Stage::Pending => State::Pending,
        wit::Stage::Running => State::Running,
        wit::Stage::Suspending => State::Suspending,
        wit::Stage::Suspended => State::Suspended,
        wit::Stage::Resuming => State::Resuming,
        wit::Stage::Failed => State::Failed,
        wit::Stage::Deleted => State::Deleted,
    }
}

/// Names in a directory, in order. What cannot be a name is a lie of the component.
pub(crate) fn names(path: &str, mut names: Vec<String>) -> Result<Vec<String>> {
    let is_none =
        |name: &String| matches!(name.as_str(), "" | "." | "..") || name.contains(['/', '\0']);
    if let Some(name) = names.iter().find(|name| is_none(name)) {
        let message = plain(&format!("{path}: {name:?} was listed, which is no name"));
        return Err(Error::new(Code::Corrupt, "readdir", message));
    }
    names.sort_unstable();
    Ok(names)
}

/// The error of a component.
pub(crate) fn error(given: wit::Error, operation: &'static str) -> Error {
    let code = match given.code {
        wit::Code::SandboxUnavailable => Code::SandboxUnavailable,
        wit::Code::PolicyDenied => Code::PolicyDenied,
        wit::Code::Capability => Code::Capability,
        wit::Code::Timeout => Code::Timeout,
        wit::Code::NotFound => Code::NotFound,
        wit::Code::PathEscape => Code::PathEscape,
        wit::Code::Limit => Code::Limit,
        wit::Code::Died => Code::Died,
        wit::Code::Fenced => Code::Fenced,
        wit::Code::Conflict => Code::Conflict,
        wit::Code::Corrupt => Code::Corrupt,
        wit::Code::TooNew => Code::TooNew,
        wit::Code::Invalid => Code::Invalid,
        wit::Code::NotText => Code::NotText,
    };
    Error::new(code, operation, plain(&given.message)).with_retryable(given.retryable)
}

/// A text of a component as it may stand in a message: one line, and not endless.
pub(crate) fn plain(text: &str) -> String {
    let mut end = text.len().min(MESSAGE);
    while !text.is_char_boundary(end) {
        end -= 1;
    }
    let kept = text[..end].chars();
    kept.map(|letter| if letter.is_control() { ' ' } else { letter })
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_claim_has_its_field() {
        let none = wit::Capabilities {
            claims: wit::Claims::empty(),
            network: wit::Network::None,
            persistence: wit::Persistence::None,
            isolation: wit::Isolation::None,
            timeout_unit_ms: 0,
        };
        assert_eq!(capabilities(&none), Capabilities::NONE);
        let all = wit::Capabilities {
            claims: wit::Claims::all(),
            ..none
        };
        let claims = capabilities(&all).claims();
        // Rules that hold inside are no part of the interface.
        let missing: Vec<&str> = claims
            .iter()
            .filter(|(_, claimed)| !claimed)
            .map(|(name, _)| *name)
            .collect();
        assert_eq!(missing, ["file_policy", "command_policy"]);
    }

    #[test]
    fn what_a_component_says_is_one_line_of_bounded_length() {
        assert_eq!(plain("a\nb\x1b[2Jc"), "a b [2Jc");
        assert_eq!(plain(&"\u{e9}".repeat(MESSAGE)).len(), MESSAGE);
    }

    #[test]
    fn names_are_sorted_and_judged() {
        let given = |names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect();
        assert_eq!(names("/", given(&["b", "a"])).unwrap(), ["a", "b"]);
        for name in ["", ".", "..", "a/b", "a\0b"] {
            let error = names("/", given(&[name])).unwrap_err();
            assert_eq!(error.code(), Code::Corrupt, "{name:?}");
        }
    }

    #[test]
    fn times_before_1970_are_times() {
        let given = |seconds| Timestamp {
            seconds,
            nanoseconds: 5,
        };
        assert_eq!(time(&given(0)), Some(UNIX_EPOCH + Duration::from_nanos(5)));
        assert!(time(&given(-1)).unwrap() < UNIX_EPOCH);
        // The farthest one is a time or none, as the system has it; it never wraps round.
        assert!(time(&given(i64::MAX)).is_none_or(|far| far > UNIX_EPOCH));
    }
}
