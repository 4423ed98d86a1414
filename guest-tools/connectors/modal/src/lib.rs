//! Modal as a backend: its control plane and the command router of each sandbox (gRPC).
//!
//! The credential is added by the host to calls of the control plane. The tokens that come with its answers the host
//! keeps back: what this component holds are stand-ins. Files are reached by commands, which is the host's work.

mod control;
mod process;
mod service;
mod settings;
mod wire;

use control::{FOR_EVER, Wanted};
use offshoot_connector::{
    Capabilities, Capture, Claims, Command, Connector, Error, Isolation, Network, Options,
    Persistence, Result, Running, Sandbox, SignalName, Stage, path,
};
use settings::{ROOT, Settings, State};

struct Modal;

offshoot_connector::export!(Modal);

fn capabilities(network: Network) -> Capabilities {
    Capabilities {
        claims: Claims::EXEC
            | Claims::SNAPSHOT
            | Claims::RESTORE
            | Claims::FORK
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
            | Claims::SNAPSHOT_FILES,
        network,
        persistence: Persistence::Durable,
        isolation: Isolation::Container,
        timeout_unit_ms: 1,
    }
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let mut cwd = path::join(ROOT, &state.settings.directory)?;
    if let Some(wanted) = wanted {
        cwd = path::join(&cwd, wanted)?;
        process::mkdir(&state, &cwd)?;
    }
    Ok(Sandbox {
        root: ROOT.to_owned(),
        cwd,
        capabilities: capabilities(state.network()),
        state,
    })
}

/// Makes a sandbox, and ends it again where it cannot be made ready.
fn make(settings: &Settings, options: Options, image: Option<&str>) -> Result<Sandbox<State>> {
    let closed = options.closed()?.unwrap_or(false);
    let directory = path::join(ROOT, &settings.directory)?;
    if let Some(wanted) = &options.cwd {
        path::join(&directory, wanted)?;
    }
    let wanted = Wanted {
        variables: options.environment,
        tags: options.metadata,
        closed,
    };
    let state = control::create(settings, wanted, image)?;
    ready(state.clone(), options.cwd.as_deref()).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = control::end(&state);
    })
}

impl Connector for Modal {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities(Network::Provider)
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&settings, options, None)
    }

    fn start(snapshot: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&settings, options, Some(snapshot))
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        if options.closed()? == Some(true) {
            return Err(Error::refused("closing the way out of a live sandbox"));
        }
        let mut state = control::connect(data, &settings)?;
        state.variables = options.environment;
        ready(state, options.cwd.as_deref())
    }

    fn cleanup(state: &State) -> Result<()> {
        control::end(state)
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
        let id = control::snapshot(state, FOR_EVER)?;
        Ok(Capture { id, size: None })
    }

    /// Modal sets no sandbox back: a new one takes the place of the old one, under another id.
    fn restore(state: &State, snapshot: &str) -> Result<State> {
        let new = control::beside(state, snapshot)?;
        control::end(state)?;
        Ok(new)
    }

    fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
        control::delete_snapshot(state, snapshot)
    }

    fn fork(state: &State, _label: Option<String>) -> Result<Sandbox<State>> {
        // Nobody else knows the image: it ends when the branch does.
        let image = control::snapshot(state, state.settings.lifetime_seconds.into())?;
        ready(control::beside(state, &image)?, None)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        control::life(state)
    }
}
