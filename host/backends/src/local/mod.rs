//! The backend that runs the host's shell in a directory. It isolates nothing: use it for code that
//! the host's user would run anyway, with the API of every other backend.
//!
//! What it does give: an environment that holds only what an allow-list names of the host's
//! variables; a process group for every command, ended as a whole; file operations that cannot
//! leave the directory; snapshots and forks by reflink where the file system has it, else by copy;
//! directories that are owned, removed at cleanup, and reaped after a crash.
//!
//! A command is known by its process group and by a variable that all inherit. What leaves both, as
//! `env -i setsid` does, is no longer known, and outlives its sandbox.

mod environment;
mod files;
mod process;
mod space;

use crate::inside::COMMANDS;
use crate::local::environment::{Local, Origin, Shared};
use crate::local::space::Space;
use offshoot_backend::{
    Capabilities, Code, Environment, Error, Factory, Isolation, Network, Options, Persistence,
    Result, Snapshot, path,
};
use offshoot_boxed::boxed;
use serde::{Deserialize, Serialize};
use std::collections::HashMap;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, PoisonError, Weak};

pub(crate) const NAME: &str = "local";

/// The host's variables that a command may see.
const ALLOWED: [&str; 14] = [
    "PATH", "HOME", "USER", "LOGNAME", "HOSTNAME", "SHELL", "LANG", "LC_ALL", "LC_CTYPE", "TZ",
    "TERM", "TMPDIR", "TMP", "TEMP",
];

/// Makes sandboxes on the host.
///
/// Settings: `directory`, an existing directory to work in, which stays at cleanup; without it
/// each sandbox gets one of its own.
///
/// Snapshots live as long as the factory; everything that it made is removed when it is dropped,
/// and when its process ended without that, by the next factory of the same user.
#[derive(Debug, Default)]
pub struct LocalFactory {
    base: Option<PathBuf>,
    made: Arc<Made>,
}

/// What a factory shares with its sandboxes.
#[derive(Debug, Default)]
struct Made {
    space: Mutex<Option<Arc<Space>>>,
    /// The live sandboxes by their root.
    live: Mutex<HashMap<PathBuf, Weak<Shared>>>,
}

/// What only this backend knows.
#[derive(Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
struct Settings {
    directory: Option<PathBuf>,
}

/// What a reference holds.
#[derive(Debug, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
struct Address {
    directory: PathBuf,
}

fn capabilities() -> Capabilities {
    let mut capabilities = COMMANDS;
    capabilities.filesystem = true;
    capabilities.binary_files = true;
    capabilities.network = Network::Host;
    capabilities.reconnect = true;
    capabilities.persistence = Persistence::Session;
    capabilities.isolation = Isolation::None;
    capabilities
}

impl LocalFactory {
    /// A factory that makes its directories below `base`, which only its user may enter, in place
    /// of the system's directory for temporary files.
    pub fn new(base: impl Into<PathBuf>) -> LocalFactory {
        LocalFactory {
            base: Some(base.into()),
            made: Arc::default(),
        }
    }

    /// Removes the directories and ends the processes that factories of this user left when their
    /// process ended without cleanup. Making the first sandbox does the same.
    ///
    /// # Errors
    /// `DIED` where the base directory cannot be used.
    pub fn reap(&self) -> Result<()> {
        self.space("reap").map(drop)
    }

    fn space(&self, operation: &'static str) -> Result<Arc<Space>> {
        let mut space = lock(&self.made.space);
        if let Some(space) = &*space {
            return Ok(Arc::clone(space));
        }
        let opened = Space::open(self.base.as_deref()).map_err(|error| io(operation, "", error))?;
        Ok(Arc::clone(space.insert(Arc::new(opened))))
    }

    fn open(&self, options: Options, from: Option<&str>) -> Result<Arc<dyn Environment>> {
        options.check(NAME, &capabilities())?;
        let settings: Settings = options.settings_as(NAME)?;
        let space = self.space("create")?;
        let captured = match from {
            Some(id) => Some(space.snapshot(id).ok_or_else(|| no_snapshot("start", id))?),
            None => None,
        };
        let (root, origin) = match settings.directory {
            None => (
                space.directory().map_err(|error| io("create", "", error))?,
                Origin::Made,
            ),
            Some(directory) => {
                let shown = directory.display().to_string();
                let root = directory
                    .canonicalize()
                    .map_err(|error| io("create", &shown, error))?;
                if !root.is_dir() {
                    let message = format!("{shown}: not a directory");
                    return Err(Error::new(Code::Conflict, "create", message).on(NAME));
                }
                (root, Origin::Given)
            }
        };
        let mut variables = Vec::new();
        let mut cwd = options.cwd;
        if let Some(captured) = captured {
            captured
                .fill(&root)
                .map_err(|error| io("start", "", error))?;
            variables.extend(captured.variables);
            cwd = cwd.or(Some(captured.cwd));
        }
        variables.extend(options.env);
        let shared = Shared::new(&self.made, space, root, origin, variables)?;
        let environment = Local::owner(shared, cwd.as_deref())?;
        Ok(Arc::new(environment))
    }
}

#[boxed]
impl Factory for LocalFactory {
    fn name(&self) -> &str {
        NAME
    }

    fn capabilities(&self) -> Capabilities {
        capabilities()
    }

    async fn create(&self, options: Options) -> Result<Arc<dyn Environment>> {
        self.open(options, None)
    }

    async fn attach(&self, data: &str, options: Options) -> Result<Arc<dyn Environment>> {
        let Address { directory } = serde_json::from_str(data).map_err(|error| {
            let message = format!("not a reference of this backend: {error}");
            Error::new(Code::Invalid, "attach", message).on(NAME)
        })?;
        let live = lock(&self.made.live)
            .get(&directory)
            .and_then(Weak::upgrade)
            .filter(|shared| shared.is_there());
        let shared = match live {
            Some(shared) => shared,
            None => {
                let shown = directory.display().to_string();
                let root = directory
                    .canonicalize()
                    .map_err(|error| io("attach", &shown, error))?;
                let space = self.space("attach")?;
                // A reference is text from anywhere: it opens no other directory of the host.
                if !space.is_announced(&root) {
                    let message = format!("{shown}: no sandbox lives there");
                    return Err(Error::new(Code::NotFound, "attach", message).on(NAME));
                }
                Shared::new(&self.made, space, root, Origin::Attached, options.env)?
            }
        };
        Ok(Arc::new(Local::attached(shared, options.cwd.as_deref())?))
    }

    async fn start(&self, snapshot: &Snapshot, options: Options) -> Result<Arc<dyn Environment>> {
        let id = snapshot.of(NAME, "start")?;
        self.open(options, Some(id))
    }
}

/// The absolute path of a working directory below `root`.
fn working_directory(root: &str, cwd: Option<&str>) -> Result<String> {
    let Some(cwd) = cwd else {
        return Ok(root.to_owned());
    };
    let resolved = path::resolve(root, cwd);
    if path::escapes(root, cwd) || !path::is_within(root, &resolved) {
        let message = format!("{cwd}: the path leads out of {root}");
        return Err(Error::new(Code::PathEscape, "create", message).on(NAME));
    }
    Ok(resolved)
}

/// A path of the host as the API shows it.
fn text(path: &Path) -> Result<&str> {
    path.to_str().ok_or_else(|| {
        let message = format!("{}: the path is not UTF-8", path.display());
        Error::new(Code::NotText, "create", message).on(NAME)
    })
}

fn no_snapshot(operation: &'static str, id: &str) -> Error {
    let message = format!("there is no snapshot {id}");
    Error::new(Code::NotFound, operation, message).on(NAME)
}

/// The typed form of a failed system call on `path`.
fn io(operation: &'static str, path: &str, error: std::io::Error) -> Error {
    use std::io::ErrorKind as Kind;
    let code = match (error.kind(), error.raw_os_error()) {
        // What cap-std answers for a path that leaves its directory has no number.
        (Kind::PermissionDenied, None) => Code::PathEscape,
        (Kind::NotFound, _) => Code::NotFound,
        (Kind::PermissionDenied | Kind::ReadOnlyFilesystem, _) => Code::PolicyDenied,
        (
            Kind::AlreadyExists
            | Kind::IsADirectory
            | Kind::NotADirectory
            | Kind::DirectoryNotEmpty
            | Kind::ResourceBusy,
            _,
        ) => Code::Conflict,
        (Kind::StorageFull | Kind::QuotaExceeded | Kind::FileTooLarge, _) => Code::Limit,
        (Kind::InvalidInput, _) => Code::Invalid,
        (_, Some(number)) if number == rustix::io::Errno::LOOP.raw_os_error() => Code::Conflict,
        (_, Some(number)) if number == rustix::io::Errno::NAMETOOLONG.raw_os_error() => Code::Limit,
        (_, Some(number)) if number == rustix::io::Errno::MFILE.raw_os_error() => Code::Limit,
        _ => Code::Died,
    };
    let message = match path {
        "" => error.to_string(),
        path => format!("{path}: {error}"),
    };
    Error::new(code, operation, message).on(NAME)
}

fn lock<T>(mutex: &Mutex<T>) -> std::sync::MutexGuard<'_, T> {
    mutex.lock().unwrap_or_else(PoisonError::into_inner)
}
