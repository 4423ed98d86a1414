//! Vercel Sandbox as a backend: one service (REST, JSON lines), whose token the host adds.
//!
//! A sandbox has a name and runs in sessions; its files go from one session to the next. Files are reached
//! by commands, which is the host's work.

mod command;
mod control;
mod settings;

use offshoot_connector::{
    Capabilities, Capture, Claims, Command, Connector, Error, Network, Options, Result, Sandbox,
    ShellResult, Stage, machine, path,
};
use settings::{ROOT, Settings, State};

struct Vercel;

offshoot_connector::export!(Vercel);

fn capabilities(network: Network) -> Capabilities {
    let more = Claims::SNAPSHOT
        | Claims::RESTORE
        | Claims::FORK
        | Claims::SUSPEND
        | Claims::RESUME
        | Claims::SNAPSHOT_FILES
        | Claims::SNAPSHOT_SETTINGS;
    machine::capabilities(more, network)
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let base = state.cwd.clone();
    let capabilities = capabilities(state.network());
    machine::placed(state, ROOT, base, wanted, capabilities)
}

/// Makes a sandbox, and ends it again where it cannot be made ready.
fn make(settings: &Settings, options: &Options, snapshot: Option<&str>) -> Result<Sandbox<State>> {
    if let Some(wanted) = &options.cwd {
        path::join(ROOT, wanted)?;
    }
    let state = control::create(settings, options, snapshot)?;
    let wanted = options.cwd.as_deref();
    machine::ready_or_ended(state, |state| ready(state, wanted), control::end)
}

impl Connector for Vercel {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities(Network::Provider)
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&settings, &options, None)
    }

    fn start(snapshot: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&settings, &options, Some(snapshot))
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let closed = options.closed()?.unwrap_or(false);
        let state = control::connect(data, &settings)?;
        if closed && !state.closed {
            return Err(Error::refused("closing the way out of a live sandbox"));
        }
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &[], &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        control::end(state)
    }

    fn snapshot(state: &State, _label: Option<String>) -> Result<Capture> {
        let (id, size) = control::snapshot(state)?;
        Ok(Capture { id, size })
    }

    fn restore(state: &State, snapshot: &str) -> Result<State> {
        control::restore(state, snapshot)
    }

    fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
        control::delete_snapshot(state, snapshot)
    }

    fn fork(state: &State, _label: Option<String>) -> Result<Sandbox<State>> {
        ready(control::fork(state)?, None)
    }

    fn suspend(state: &State) -> Result<()> {
        control::stop(state)
    }

    fn resume(state: &State) -> Result<State> {
        control::resume(state)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.name.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        control::life(state)
    }
}
