//! The sandbox as a component: world `sandbox-guest`.

use self::bindings::exports::offshoot::sandbox::sandbox as contract;
use self::bindings::offshoot::sandbox::types;
use crate::machine::{Budgets, Limit};
use crate::os::{Errno, FileKind, Stat, Timestamp};
use crate::sandbox::{ExecOptions, Options, Sandbox};

/// What wit-bindgen makes of the contracts.
#[allow(missing_docs, unsafe_code, reason = "generated")]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "sandbox-guest",
        generate_all,
    });
}

struct Component;

/// A sandbox as the host holds it.
struct SandboxResource(Sandbox);

impl contract::Guest for Component {
    type Sandbox = SandboxResource;
}

type Result<T> = std::result::Result<T, contract::Error>;

fn pairs(environment: Vec<(String, String)>) -> Vec<(Vec<u8>, Vec<u8>)> {
    environment
        .into_iter()
        .map(|(name, value)| (name.into_bytes(), value.into_bytes()))
        .collect()
}

impl contract::GuestSandbox for SandboxResource {
    fn create(options: contract::Options) -> Result<contract::Sandbox> {
        let budgets = options
            .budgets
            .map_or_else(Budgets::default, |budgets| Budgets {
                steps: budgets.steps,
                depth: budgets.depth,
                output: budgets.output,
                expansion: budgets.expansion,
                variables: budgets.variables,
            });
        let sandbox = Sandbox::new(Options {
            environment: pairs(options.environment),
            directory: options.directory.map(String::into_bytes),
            max_bytes: options.max_bytes,
            max_inodes: options.max_inodes,
            budgets,
            seed: options.seed,
        });
        sandbox
            .map(|made| contract::Sandbox::new(SandboxResource(made)))
            .map_err(file)
    }

    fn exec(&self, script: String, options: contract::ExecOptions) -> Result<contract::ExecResult> {
        let options = ExecOptions {
            directory: options.directory.map(String::into_bytes),
            environment: pairs(options.environment),
            stdin: options.stdin,
            timeout_ms: options.timeout_ms,
        };
        let result = self.0.exec(script.as_bytes(), &options).map_err(file)?;
        Ok(contract::ExecResult {
            status: result.status,
            stdout: result.stdout,
            stderr: result.stderr,
            exceeded: result.exceeded.map(limit),
        })
    }

    fn fork(&self) -> contract::Sandbox {
        contract::Sandbox::new(SandboxResource(self.0.fork()))
    }

    fn read_file(&self, path: String) -> Result<Vec<u8>> {
        self.0.read_file(path.as_bytes()).map_err(file)
    }

    fn write_file(&self, path: String, data: Vec<u8>) -> Result<()> {
        self.0.write_file(path.as_bytes(), &data).map_err(file)
    }

    fn stat(&self, path: String) -> Result<types::FileStat> {
        self.0.stat(path.as_bytes()).map(stat).map_err(file)
    }

    fn read_directory(&self, path: String) -> Result<Vec<String>> {
        let names = self.0.read_directory(path.as_bytes()).map_err(file)?;
        let names = names.into_iter().map(String::from_utf8);
        names
            .collect::<std::result::Result<_, _>>()
            .map_err(|_| contract::Error::NotText)
    }

    fn exists(&self, path: String) -> bool {
        self.0.stat(path.as_bytes()).is_ok()
    }

    fn make_directory(&self, path: String, recursive: bool) -> Result<()> {
        self.0
            .make_directory(path.as_bytes(), recursive)
            .map_err(file)
    }

    fn remove(&self, path: String, recursive: bool, force: bool) -> Result<()> {
        self.0
            .remove(path.as_bytes(), recursive, force)
            .map_err(file)
    }
}

fn limit(limit: Limit) -> types::Limit {
    match limit {
        Limit::Steps => types::Limit::Steps,
        Limit::Depth => types::Limit::Depth,
        Limit::Output => types::Limit::Output,
        Limit::Expansion => types::Limit::Expansion,
        Limit::Variables => types::Limit::Variables,
    }
}

fn time(time: Timestamp) -> types::Timestamp {
    types::Timestamp {
        seconds: time.seconds,
        nanoseconds: time.nanoseconds,
    }
}

fn stat(stat: Stat) -> types::FileStat {
    types::FileStat {
        kind: match stat.kind {
            FileKind::Regular => types::FileKind::Regular,
            FileKind::Directory => types::FileKind::Directory,
            FileKind::Symlink => types::FileKind::Symlink,
            FileKind::Fifo => types::FileKind::Fifo,
            FileKind::CharacterDevice => types::FileKind::CharacterDevice,
        },
        device: stat.device,
        inode: stat.inode,
        mode: stat.mode,
        links: stat.links,
        uid: stat.uid,
        gid: stat.gid,
        size: stat.size,
        blocks: stat.blocks,
        accessed: time(stat.accessed),
        modified: time(stat.modified),
        changed: time(stat.changed),
        created: time(stat.changed),
    }
}

fn file(error: Errno) -> contract::Error {
    contract::Error::File(errno(error))
}

fn errno(error: Errno) -> types::Errno {
    match error {
        Errno::Access => types::Errno::Access,
        Errno::Again => types::Errno::Again,
        Errno::BadDescriptor => types::Errno::BadDescriptor,
        Errno::Busy => types::Errno::Busy,
        Errno::Child => types::Errno::Child,
        Errno::CrossDevice => types::Errno::CrossDevice,
        Errno::Exist => types::Errno::Exist,
        Errno::FileTooLarge => types::Errno::FileTooLarge,
        Errno::IllegalSequence => types::Errno::IllegalSequence,
        Errno::Invalid => types::Errno::Invalid,
        Errno::Io => types::Errno::Io,
        Errno::IsDirectory => types::Errno::IsDirectory,
        Errno::TooManyLinks => types::Errno::TooManyLinks,
        Errno::TooManyDescriptors => types::Errno::TooManyDescriptors,
        Errno::NameTooLong => types::Errno::NameTooLong,
        Errno::NoEntry => types::Errno::NoEntry,
        Errno::NoExec => types::Errno::NoExec,
        Errno::NoMemory => types::Errno::NoMemory,
        Errno::NoSpace => types::Errno::NoSpace,
        Errno::NoProcess => types::Errno::NoProcess,
        Errno::NotDirectory => types::Errno::NotDirectory,
        Errno::NotEmpty => types::Errno::NotEmpty,
        Errno::NotPermitted => types::Errno::NotPermitted,
        Errno::NotSupported => types::Errno::NotSupported,
        Errno::NoDevice => types::Errno::NoDevice,
        Errno::Overflow => types::Errno::Overflow,
        Errno::BrokenPipe => types::Errno::BrokenPipe,
        Errno::ReadOnly => types::Errno::ReadOnly,
        Errno::CannotSeek => types::Errno::CannotSeek,
        Errno::TooManyProcesses => types::Errno::TooManyProcesses,
        Errno::ArgumentsTooLong => types::Errno::ArgumentsTooLong,
        Errno::ConnectionRefused => types::Errno::ConnectionRefused,
    }
}

#[allow(missing_docs, unsafe_code, reason = "generated")]
mod exports {
    use super::{Component, bindings};
    bindings::export!(Component with_types_in bindings);
}
