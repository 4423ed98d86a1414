//! The record of what a backend can and cannot do.

use serde::{Deserialize, Serialize};
use std::fmt;

/// Everything that a backend can and cannot do. A claim that is false is a fault, in both
/// directions: what is claimed works, what is not claimed is refused with a typed error. The
/// [conformance suite](crate::conformance) proves it.
///
/// A backend starts from [`Capabilities::NONE`] and sets what it has.
///
/// ```
/// use offshoot_backend::{Capabilities, Isolation};
/// let mut capabilities = Capabilities::NONE;
/// capabilities.exec = true;
/// capabilities.isolation = Isolation::Container;
/// assert!(!capabilities.fork);
/// ```
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Capabilities {
    /// Commands run.
    pub exec: bool,
    /// Files can be read and written.
    pub filesystem: bool,
    /// All 256 byte values survive a round trip through a file.
    pub binary_files: bool,
    /// The way out.
    pub network: Network,
    /// A snapshot can be taken.
    pub snapshot: bool,
    /// A sandbox can be set back to a snapshot, and a new one made from it.
    pub restore: bool,
    /// A running sandbox can be branched.
    pub fork: bool,
    /// It can be suspended.
    pub suspend: bool,
    /// It can be resumed.
    pub resume: bool,
    /// It has a portable reference.
    pub reconnect: bool,
    /// How long files stay.
    pub persistence: Persistence,
    /// What separates it from the host.
    pub isolation: Isolation,
    /// stderr comes apart from stdout.
    pub separate_stderr: bool,
    /// `exec` honours its variables.
    pub exec_environment: bool,
    /// `exec` honours its directory.
    pub exec_directory: bool,
    /// The backend itself ends a command with its whole tree at its time-out.
    pub exec_timeout: bool,
    /// Output arrives byte for byte, a last newline and bytes that are not UTF-8 included.
    pub exact_output: bool,
    /// A command can be given standard input.
    pub stdin: bool,
    /// Output can be read while the command runs.
    pub streaming: bool,
    /// Dropping the future of an `exec` kills the command.
    pub cancel: bool,
    /// A process that a command left behind goes on after `exec` returned.
    pub background: bool,
    /// A running command can be sent signals other than SIGKILL.
    pub signals: bool,
    /// A command can have a terminal.
    pub terminal: bool,
    /// Ports inside can be reached from outside.
    pub ports: bool,
    /// Rules for files hold for commands too; see [`Environment::restrict`](crate::Environment::restrict).
    pub file_policy: bool,
    /// Rules for commands hold for each that a script or a program starts.
    pub command_policy: bool,
    /// A limit of memory can be set.
    pub memory_limit: bool,
    /// A limit of processors can be set.
    pub cpu_limit: bool,
    /// A limit of processes can be set.
    pub process_limit: bool,
    /// A snapshot holds files.
    pub snapshot_files: bool,
    /// A snapshot holds variables and the working directory.
    pub snapshot_settings: bool,
    /// A snapshot holds running processes with their memory.
    pub snapshot_memory: bool,
    /// Time-outs are counted in units of this many milliseconds, rounded up.
    pub timeout_unit_ms: u64,
}

impl Capabilities {
    /// Nothing at all; what a backend has is set on top.
    pub const NONE: Capabilities = Capabilities {
        exec: false,
        filesystem: false,
        binary_files: false,
        network: Network::None,
        snapshot: false,
        restore: false,
        fork: false,
        suspend: false,
        resume: false,
        reconnect: false,
        persistence: Persistence::None,
        isolation: Isolation::None,
        separate_stderr: false,
        exec_environment: false,
        exec_directory: false,
        exec_timeout: false,
        exact_output: false,
        stdin: false,
        streaming: false,
        cancel: false,
        background: false,
        signals: false,
        terminal: false,
        ports: false,
        file_policy: false,
        command_policy: false,
        memory_limit: false,
        cpu_limit: false,
        process_limit: false,
        snapshot_files: false,
        snapshot_settings: false,
        snapshot_memory: false,
        timeout_unit_ms: 1,
    };

    /// The same without commands and all that is about them.
    #[must_use]
    pub fn without_exec(self) -> Capabilities {
        Capabilities {
            exec: false,
            separate_stderr: false,
            exec_environment: false,
            exec_directory: false,
            exec_timeout: false,
            exact_output: false,
            stdin: false,
            streaming: false,
            cancel: false,
            background: false,
            signals: false,
            ..self
        }
    }

    /// The same with one yes-or-no claim turned round.
    pub(crate) fn flipped(mut self, claim: &str) -> Capabilities {
        let field = match claim {
            "exec" => &mut self.exec,
            "filesystem" => &mut self.filesystem,
            "binary_files" => &mut self.binary_files,
            "snapshot" => &mut self.snapshot,
            "restore" => &mut self.restore,
            "fork" => &mut self.fork,
            "suspend" => &mut self.suspend,
            "resume" => &mut self.resume,
            "reconnect" => &mut self.reconnect,
            "separate_stderr" => &mut self.separate_stderr,
            "exec_environment" => &mut self.exec_environment,
            "exec_directory" => &mut self.exec_directory,
            "exec_timeout" => &mut self.exec_timeout,
            "exact_output" => &mut self.exact_output,
            "stdin" => &mut self.stdin,
            "streaming" => &mut self.streaming,
            "cancel" => &mut self.cancel,
            "background" => &mut self.background,
            "signals" => &mut self.signals,
            "terminal" => &mut self.terminal,
            "ports" => &mut self.ports,
            "file_policy" => &mut self.file_policy,
            "command_policy" => &mut self.command_policy,
            "memory_limit" => &mut self.memory_limit,
            "cpu_limit" => &mut self.cpu_limit,
            "process_limit" => &mut self.process_limit,
            "snapshot_files" => &mut self.snapshot_files,
            "snapshot_settings" => &mut self.snapshot_settings,
            "snapshot_memory" => &mut self.snapshot_memory,
            _ => return self,
        };
        *field = !*field;
        self
    }

    /// Every yes-or-no claim with its name, in the order of the fields.
    pub fn claims(&self) -> [(&'static str, bool); 29] {
        [
            ("exec", self.exec),
            ("filesystem", self.filesystem),
            ("binary_files", self.binary_files),
            ("snapshot", self.snapshot),
            ("restore", self.restore),
            ("fork", self.fork),
            ("suspend", self.suspend),
            ("resume", self.resume),
            ("reconnect", self.reconnect),
            ("separate_stderr", self.separate_stderr),
            ("exec_environment", self.exec_environment),
            ("exec_directory", self.exec_directory),
            ("exec_timeout", self.exec_timeout),
            ("exact_output", self.exact_output),
            ("stdin", self.stdin),
            ("streaming", self.streaming),
            ("cancel", self.cancel),
            ("background", self.background),
            ("signals", self.signals),
            ("terminal", self.terminal),
            ("ports", self.ports),
            ("file_policy", self.file_policy),
            ("command_policy", self.command_policy),
            ("memory_limit", self.memory_limit),
            ("cpu_limit", self.cpu_limit),
            ("process_limit", self.process_limit),
            ("snapshot_files", self.snapshot_files),
            ("snapshot_settings", self.snapshot_settings),
            ("snapshot_memory", self.snapshot_memory),
        ]
    }
}

/// What way out a sandbox has.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Network {
    /// None.
    None,
    /// An allow-list that the runtime enforces.
    Policy,
    /// Decided on the provider's side.
    Provider,
    /// The host's own.
    Host,
}

/// How long files stay.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Persistence {
    /// Not beyond the call.
    None,
    /// As long as the sandbox lives.
    Session,
    /// Beyond the end of the program that made it.
    Durable,
}

/// What separates a sandbox from its host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Isolation {
    /// Nothing.
    None,
    /// A process.
    Process,
    /// WebAssembly.
    Wasm,
    /// A container.
    Container,
    /// A virtual machine.
    Vm,
    /// The provider decides.
    Provider,
}

impl fmt::Display for Network {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Network::None => "none",
            Network::Policy => "policy",
            Network::Provider => "provider",
            Network::Host => "host",
        })
    }
}

impl fmt::Display for Persistence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Persistence::None => "none",
            Persistence::Session => "session",
            Persistence::Durable => "durable",
        })
    }
}

impl fmt::Display for Isolation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(match self {
            Isolation::None => "none",
            Isolation::Process => "process",
            Isolation::Wasm => "wasm",
            Isolation::Container => "container",
            Isolation::Vm => "vm",
            Isolation::Provider => "provider",
        })
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn no_claim_is_forgotten() {
        let record = serde_json::to_value(Capabilities::NONE).unwrap();
        let fields: Vec<&String> = record
            .as_object()
            .unwrap()
            .iter()
            .filter(|(_, value)| value.is_boolean())
            .map(|(name, _)| name)
            .collect();
        let mut claims = Capabilities::NONE.claims().map(|(name, _)| name);
        claims.sort_unstable();
        assert_eq!(fields, claims);
        for (name, _) in Capabilities::NONE.claims() {
            let flipped = Capabilities::NONE.flipped(name).claims();
            let set: Vec<_> = flipped.iter().filter(|(_, claimed)| *claimed).collect();
            assert_eq!(set, [&(name, true)]);
        }
    }
}
