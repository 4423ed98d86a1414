//! What a connector is written with.
//!
//! A connector is a component that implements a remote backend. It implements [`Connector`], says
//! [`export!`] once, and speaks to its provider with [`http::Request`]. Only what is claimed in
//! [`Connector::describe`] needs an implementation; the rest refuses. `docs/connectors.md` is the
//! guide, `guest-tools/connectors/template` the place to start.
//!
//! - [`http`]: requests and answers.
//! - [`grpc`]: the same for services of gRPC.
//! - [`control`]: what control planes have in common.
//! - [`machine`]: commands, where the service only runs words and gives text.
//! - [`websocket`]: connections that both sides talk over.
//! - [`script`]: commands, where the service runs programs.
//! - [`mark`]: what tells a machine from the one that a service begins in its place.

mod adapter;
pub mod control;
pub mod grpc;
pub mod http;
pub mod machine;
pub mod mark;
pub mod path;
pub mod script;
pub mod time;
pub mod websocket;

/// What `wit/` says, as Rust.
#[allow(
    missing_docs,
    unsafe_code,
    unnameable_types,
    clippy::all,
    clippy::allow_attributes_without_reason,
    reason = "generated"
)]
pub mod bindings {
    wit_bindgen::generate!({
        path: "wit",
        world: "offshoot:sandbox/connector",
        pub_export_macro: true,
        export_macro_name: "export_bindings",
        default_bindings_module: "offshoot_connector::bindings",
        generate_all,
    });
}

pub use adapter::{Adapter, Process};
pub use bindings::exports::offshoot::sandbox::backend::{
    Capabilities, Capture, Claims, Code, Command, Error, Event, FileKind, FileStat, Input,
    Isolation, Network, Options, Persistence, ResourceLimits, ShellResult, SignalName, Stage,
};
pub use bindings::offshoot::sandbox::types::Timestamp;

use serde::Serialize;
use serde::de::DeserializeOwned;

/// What a connector's functions return.
pub type Result<T> = std::result::Result<T, Error>;

/// A sandbox, as it is given to the host.
#[derive(Debug, Clone)]
pub struct Sandbox<S> {
    /// What later calls find it by. It holds no credential.
    pub state: S,
    /// The directory that file operations cannot leave.
    pub root: String,
    /// The working directory.
    pub cwd: String,
    /// What it can and cannot do.
    pub capabilities: Capabilities,
}

/// A command that runs.
pub trait Running {
    /// What the host names it by in [`Connector::signal`] and the others. Nothing of this object
    /// is there when they are called: they run in other instances.
    fn id(&self) -> String;

    /// The next thing that it does; nothing after its end. Waits.
    ///
    /// # Errors
    /// [`Code::Died`] where the provider broke off.
    fn next(&mut self) -> Result<Option<Event>>;
}

/// A remote backend: the functions of the interface `backend` in `wit/`, with its documentation.
/// Functions with a body here are optional and refuse.
#[allow(unused_variables, reason = "the names are for those who implement it")]
pub trait Connector: 'static {
    /// The connector's own settings; `deny_unknown_fields` refuses misspelt ones.
    type Settings: DeserializeOwned;
    /// What is kept of a sandbox between calls.
    type State: Serialize + DeserializeOwned;

    /// What a sandbox with the usual settings can do.
    fn describe() -> Capabilities;

    /// Makes a sandbox.
    ///
    /// # Errors
    /// [`Code::Capability`] for what is not offered, before anything is made.
    fn create(settings: Self::Settings, options: Options) -> Result<Sandbox<Self::State>>;

    /// Ends the sandbox at the provider; one that is gone is fine.
    ///
    /// # Errors
    /// Those of the provider.
    fn cleanup(state: &Self::State) -> Result<()>;

    /// Runs a command to its end; not called where `streaming` is claimed.
    ///
    /// # Errors
    /// Those of the provider; never for what the command does.
    fn exec(state: &Self::State, command: Command) -> Result<ShellResult> {
        Err(Error::refused("commands"))
    }

    /// A file's bytes.
    ///
    /// # Errors
    /// [`Code::NotFound`], [`Code::Conflict`] for a directory.
    fn read_file(state: &Self::State, path: &str) -> Result<Vec<u8>> {
        Err(Error::refused("files"))
    }

    /// Replaces a file.
    ///
    /// # Errors
    /// [`Code::NotFound`] without its parent, [`Code::Conflict`] for a directory.
    fn write_file(state: &Self::State, path: &str, content: Vec<u8>) -> Result<()> {
        Err(Error::refused("files"))
    }

    /// Facts about a path.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    fn stat(state: &Self::State, path: &str) -> Result<FileStat> {
        Err(Error::refused("files"))
    }

    /// Names in a directory.
    ///
    /// # Errors
    /// [`Code::NotFound`], [`Code::Conflict`] for a file, [`Code::NotText`].
    fn readdir(state: &Self::State, path: &str) -> Result<Vec<String>> {
        Err(Error::refused("files"))
    }

    /// Whether the path exists.
    ///
    /// # Errors
    /// Those of the provider; never for a missing path.
    fn exists(state: &Self::State, path: &str) -> Result<bool> {
        match Self::stat(state, path) {
            Ok(_) => Ok(true),
            Err(error) if matches!(error.code, Code::NotFound | Code::Conflict) => Ok(false),
            Err(error) => Err(error),
        }
    }

    /// Makes a directory.
    ///
    /// # Errors
    /// [`Code::Conflict`] where something is there, [`Code::NotFound`] without its parent.
    fn mkdir(state: &Self::State, path: &str, recursive: bool) -> Result<()> {
        Err(Error::refused("files"))
    }

    /// Removes a file or a tree.
    ///
    /// # Errors
    /// [`Code::NotFound`] unless `force`, [`Code::Conflict`] for a directory without `recursive`.
    fn rm(state: &Self::State, path: &str, recursive: bool, force: bool) -> Result<()> {
        Err(Error::refused("files"))
    }

    /// Reaches a live sandbox by what [`Connector::reference`] gave.
    ///
    /// # Errors
    /// [`Code::Invalid`], [`Code::NotFound`].
    fn attach(
        data: &str,
        settings: Self::Settings,
        options: Options,
    ) -> Result<Sandbox<Self::State>> {
        Err(Error::refused("references"))
    }

    /// Makes a sandbox from a snapshot.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    fn start(
        snapshot: &str,
        settings: Self::Settings,
        options: Options,
    ) -> Result<Sandbox<Self::State>> {
        Err(Error::refused("snapshots"))
    }

    /// Starts a command.
    ///
    /// # Errors
    /// [`Code::NotFound`] for a missing directory.
    fn spawn(state: &Self::State, command: Command) -> Result<Box<dyn Running>> {
        Err(Error::refused("streaming"))
    }

    /// Sends a signal to a command and all that it started.
    ///
    /// # Errors
    /// [`Code::Capability`] for a signal that cannot be sent.
    fn signal(state: &Self::State, process: &str, signal: SignalName) -> Result<()> {
        Err(Error::refused("signals"))
    }

    /// Writes to a command's standard input.
    ///
    /// # Errors
    /// [`Code::Conflict`] where it takes no more.
    fn write_input(state: &Self::State, process: &str, data: Vec<u8>) -> Result<()> {
        Err(Error::refused("standard input"))
    }

    /// Ends a command's standard input.
    ///
    /// # Errors
    /// Those of the provider.
    fn close_input(state: &Self::State, process: &str) -> Result<()> {
        Err(Error::refused("standard input"))
    }

    /// Captures the sandbox.
    ///
    /// # Errors
    /// Those of the provider.
    fn snapshot(state: &Self::State, label: Option<String>) -> Result<Capture> {
        Err(Error::refused("snapshots"))
    }

    /// Sets the sandbox back, and gives its state from then on.
    ///
    /// # Errors
    /// [`Code::NotFound`].
    fn restore(state: &Self::State, snapshot: &str) -> Result<Self::State> {
        Err(Error::refused("snapshots"))
    }

    /// Deletes a snapshot; a missing one is fine.
    ///
    /// # Errors
    /// [`Code::Conflict`] where it is in use.
    fn delete_snapshot(state: &Self::State, snapshot: &str) -> Result<()> {
        Err(Error::refused("snapshots"))
    }

    /// An independent copy.
    ///
    /// # Errors
    /// Those of the provider.
    fn fork(state: &Self::State, label: Option<String>) -> Result<Sandbox<Self::State>> {
        Err(Error::new(
            Code::SandboxUnavailable,
            "forks are not offered here",
        ))
    }

    /// Puts it to sleep; one that sleeps is fine.
    ///
    /// # Errors
    /// Those of the provider.
    fn suspend(state: &Self::State) -> Result<()> {
        Err(Error::refused("suspending"))
    }

    /// Wakes it, and gives its state from then on; one that runs is fine.
    ///
    /// # Errors
    /// [`Code::NotFound`] where it is gone.
    fn resume(state: &Self::State) -> Result<Self::State> {
        Err(Error::refused("suspending"))
    }

    /// What [`Connector::attach`] finds it by, without a credential.
    ///
    /// # Errors
    /// Those of the provider.
    fn reference(state: &Self::State) -> Result<String> {
        Err(Error::refused("references"))
    }

    /// Where in its life it is.
    ///
    /// # Errors
    /// [`Code::Died`] where the provider cannot be reached.
    fn life(state: &Self::State) -> Result<Stage> {
        Ok(Stage::Running)
    }
}

impl Error {
    /// An error; the message is for people.
    pub fn new(code: Code, message: impl Into<String>) -> Error {
        Error {
            code,
            message: message.into(),
            retryable: false,
        }
    }

    /// The refusal of what is not offered.
    pub fn refused(what: &str) -> Error {
        Error::new(Code::Capability, format!("{what}: not offered here"))
    }

    /// An answer that cannot be understood.
    pub fn corrupt(why: impl std::fmt::Display) -> Error {
        Error::new(Code::Corrupt, format!("the provider's answer: {why}"))
    }

    /// The same error with another code.
    #[must_use]
    pub fn with_code(mut self, code: Code) -> Error {
        self.code = code;
        self
    }

    /// The same error, which a later call may not give.
    #[must_use]
    pub fn again(mut self) -> Error {
        self.retryable = true;
        self
    }
}

/// Makes a type that implements [`Connector`] the component's.
#[macro_export]
macro_rules! export {
    ($connector:ty) => {
        const _: () = {
            type Exported = $crate::Adapter<$connector>;
    $crate::bindings::export_bindings!(Exported with_types_in $crate::bindings);
        };
    };
}
