//! Sandboxes of Azure Container Apps as a backend: one service (REST) of a region, whose token the host adds.
//!
//! A sandbox is a virtual machine of a group. Files are reached by commands, which is the host's work.

mod command;
mod control;
mod settings;

use offshoot_connector::{
    Capabilities, Capture, Claims, Command, Connector, Error, Network, Options, Result, Sandbox,
    ShellResult, Stage, machine, path,
};
use settings::{HOME, ROOT, Settings, State};

struct Sandboxes;

offshoot_connector::export!(Sandboxes);

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
    let capabilities = capabilities(state.network());
    let wanted = Some(wanted.unwrap_or("."));
    machine::placed(state, ROOT, HOME.to_owned(), wanted, capabilities)
}

/// The sandbox that `made` makes, which ends again where it cannot be made ready.
fn make(options: &Options, made: impl FnOnce() -> Result<State>) -> Result<Sandbox<State>> {
    let wanted = options.cwd.as_deref();
    if let Some(wanted) = wanted {
        path::join(ROOT, wanted)?;
    }
    options.closed()?;
    machine::ready_or_ended(made()?, |state| ready(state, wanted), control::end)
}

impl Connector for Sandboxes {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities(Network::Provider)
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&options, || control::create(&settings, &options))
    }

    fn start(snapshot: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        make(&options, || control::start(snapshot, &settings, &options))
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
        machine::exec(state, &state.environment, &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        control::end(state)
    }

    fn snapshot(state: &State, label: Option<String>) -> Result<Capture> {
        let (id, size) = control::snapshot(state, label.as_deref())?;
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
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        control::life(state)
    }
}
