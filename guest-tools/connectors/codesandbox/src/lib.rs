//! CodeSandbox as a backend: its control plane (REST) and Pint, the service inside a machine (REST, events).
//!
//! The key is added by the host to requests for the control plane. The machine's token comes in an answer's
//! field `pint_token`, where the host keeps it back. Files are reached by commands, which is the host's work.

mod command;
mod control;
mod settings;

use offshoot_connector::{
    Capabilities, Claims, Command, Connector, Network, Options, Result, Sandbox, ShellResult,
    Stage, machine, path,
};
use settings::{ROOT, Settings, State};

struct CodeSandbox;

offshoot_connector::export!(CodeSandbox);

fn capabilities() -> Capabilities {
    machine::capabilities(
        Claims::FORK | Claims::SUSPEND | Claims::RESUME,
        Network::Provider,
    )
}

/// Refuses what cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    machine::checked(ROOT, options, "closing the way out")
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let base = path::join(ROOT, &state.cwd)?;
    machine::placed(state, ROOT, base, wanted, capabilities())
}

impl Connector for CodeSandbox {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = control::create(&settings, &options)?;
        let wanted = options.cwd.as_deref();
        machine::ready_or_ended(state, |state| ready(state, wanted), control::end)
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = control::connect(data, &settings, &options)?;
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &state.environment, &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        control::end(state)
    }

    fn fork(state: &State, _label: Option<String>) -> Result<Sandbox<State>> {
        ready(control::fork(state)?, None)
    }

    fn suspend(state: &State) -> Result<()> {
        control::hibernate(state)
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
