//! E2B as a backend: its control plane (REST) and envd, the service inside a sandbox (Connect).
//!
//! The API key is added by the host to requests for the control plane. The token of a sandbox comes in
//! an answer's field `envdAccessToken`, where the host keeps it back: what this component holds is
//! a stand-in.

mod control;
mod envd;
mod files;
mod process;
mod settings;

use offshoot_connector::{
    Capabilities, Capture, Claims, Code, Command, Connector, FileStat, Isolation, Network, Options,
    Persistence, Result, Running, Sandbox, SignalName, Stage, path,
};
use settings::{HOME, ROOT, Settings, State};

struct E2b;

offshoot_connector::export!(E2b);

/// What a sandbox can do; `memory` says whether snapshots and pauses keep what runs.
fn capabilities(network: Network, memory: bool) -> Capabilities {
    let mut claims = Claims::EXEC
        | Claims::FILESYSTEM
        | Claims::BINARY_FILES
        | Claims::SNAPSHOT
        | Claims::RESTORE
        | Claims::FORK
        | Claims::SUSPEND
        | Claims::RESUME
        | Claims::RECONNECT
        | Claims::SEPARATE_STDERR
        | Claims::EXEC_ENVIRONMENT
        | Claims::EXEC_DIRECTORY
        | Claims::EXEC_TIMEOUT
        | Claims::EXACT_OUTPUT
        | Claims::STDIN
        | Claims::STREAMING
        | Claims::CANCEL
        | Claims::BACKGROUND
        | Claims::SIGNALS
        | Claims::SNAPSHOT_FILES
        | Claims::SNAPSHOT_SETTINGS;
    if memory {
        claims |= Claims::SNAPSHOT_MEMORY;
    }
    Capabilities {
        claims,
        network,
        persistence: Persistence::Durable,
        isolation: Isolation::Vm,
        timeout_unit_ms: 1,
    }
}

/// Whether the internet is to be there, where that was said.
fn internet(options: &Options) -> Result<Option<bool>> {
    Ok(options.closed()?.map(|closed| !closed))
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let cwd = match wanted {
        None => HOME.to_owned(),
        Some(path) => {
            let cwd = path::join(HOME, path)?;
            files::mkdir(&state, &cwd, true)?;
            cwd
        }
    };
    let network = match state.internet {
        Some(false) => Network::None,
        _ => Network::Provider,
    };
    Ok(Sandbox {
        root: ROOT.to_owned(),
        cwd,
        capabilities: capabilities(network, state.memory),
        state,
    })
}

/// Makes a sandbox of a template or snapshot, and ends it again where it cannot be made ready.
fn make(template: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
    let internet = internet(&options)?;
    let wanted = options.cwd.clone();
    if let Some(path) = &wanted {
        path::join(HOME, path)?;
    }
    let state = control::create(template, &settings, &options, internet)?;
    ready(state.clone(), wanted.as_deref()).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = control::kill(&state);
    })
}

impl Connector for E2b {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities(Network::Provider, true)
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let template = settings.template.clone();
        make(&template, settings, options)
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let internet = internet(&options)?;
        let state = control::connect(data, &settings, internet)?;
        ready(state, options.cwd.as_deref())
    }

    fn start(snapshot: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(snapshot, settings, options)
    }

    fn read_file(state: &State, path: &str) -> Result<Vec<u8>> {
        files::read(state, path)
    }

    fn write_file(state: &State, path: &str, content: Vec<u8>) -> Result<()> {
        files::write(state, path, content)
    }

    fn stat(state: &State, path: &str) -> Result<FileStat> {
        files::stat(state, path)
    }

    fn readdir(state: &State, path: &str) -> Result<Vec<String>> {
        files::readdir(state, path)
    }

    fn mkdir(state: &State, path: &str, recursive: bool) -> Result<()> {
        files::mkdir(state, path, recursive)
    }

    fn rm(state: &State, path: &str, recursive: bool, force: bool) -> Result<()> {
        files::rm(state, path, recursive, force)
    }

    fn cleanup(state: &State) -> Result<()> {
        control::kill(state)
    }

    fn spawn(state: &State, command: Command) -> Result<Box<dyn Running>> {
        Ok(Box::new(process::start(state, &command)?))
    }

    fn signal(state: &State, process: &str, signal: SignalName) -> Result<()> {
        process::signal(state, process, signal)
    }

    fn write_input(state: &State, process: &str, data: Vec<u8>) -> Result<()> {
        process::write_input(state, process, &data)
    }

    fn close_input(state: &State, process: &str) -> Result<()> {
        process::close_input(state, process)
    }

    fn snapshot(state: &State, _label: Option<String>) -> Result<Capture> {
        let id = control::snapshot(state)?;
        Ok(Capture { id, size: None })
    }

    /// E2B sets no sandbox back: a new one takes the place of the old one, under another id.
    fn restore(state: &State, snapshot: &str) -> Result<State> {
        let new = control::replace(state, snapshot)?;
        control::kill(state)?;
        Ok(new)
    }

    fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
        control::delete_snapshot(state, snapshot)
    }

    fn fork(state: &State, _label: Option<String>) -> Result<Sandbox<State>> {
        ready(control::fork(state)?, None)
    }

    fn suspend(state: &State) -> Result<()> {
        match control::pause(state) {
            Err(error) if error.code == Code::Conflict => match control::life(state)? {
                Stage::Suspended => Ok(()),
                _ => Err(error),
            },
            paused => paused,
        }
    }

    fn resume(state: &State) -> Result<State> {
        control::resume(state)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        control::life(state)
    }
}
