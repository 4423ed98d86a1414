//! Cloudflare's Sandbox SDK as a backend, by its bridge: a Worker of the user's (REST, server-sent events),
//! whose key the host adds.
//!
//! The bridge begins a new, empty container for an id whose container ended. So a sandbox of ours has a
//! mark, and a container without it is another than the sandbox, which is never passed off as it. Files are
//! reached by commands, which is the host's work; the image needs `bash`.

mod command;
mod sandbox;
mod settings;

use offshoot_connector::{
    Capabilities, Claims, Command, Connector, Error, Isolation, Network, Options, Persistence,
    Result, Sandbox, ShellResult, Stage, machine, mark, path,
};
use settings::{ROOT, Settings, State, WORKSPACE};

struct Cloudflare;

offshoot_connector::export!(Cloudflare);

fn capabilities() -> Capabilities {
    Capabilities {
        claims: Claims::EXEC
            | Claims::RECONNECT
            | Claims::SEPARATE_STDERR
            | Claims::EXEC_ENVIRONMENT
            | Claims::EXEC_DIRECTORY
            | Claims::EXEC_TIMEOUT
            | Claims::EXACT_OUTPUT
            | Claims::STDIN,
        network: Network::Provider,
        persistence: Persistence::Durable,
        isolation: Isolation::Vm,
        timeout_unit_ms: 1,
    }
}

/// Refuses what the bridge cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    if let Some(wanted) = &options.cwd {
        path::join(ROOT, wanted)?;
    }
    match options.closed()? {
        Some(true) => Err(Error::refused(
            "closing the way out, which the Worker decides",
        )),
        _ => Ok(()),
    }
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let base = WORKSPACE.to_owned();
    machine::placed(state, ROOT, base, wanted, capabilities())
}

impl Connector for Cloudflare {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = sandbox::begin(&settings, &options)?;
        ready(state.clone(), options.cwd.as_deref()).inspect_err(|_| {
            // The error that is told is the first one.
            let _ = sandbox::end(&state);
        })
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = sandbox::find(data, &settings, &options)?;
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &state.environment, &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        sandbox::end(state)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        mark::life(state)
    }
}
