//! Dynamic sessions of Azure Container Apps as a backend: a pool of shell sessions (REST), whose token the
//! host adds.
//!
//! A session is whatever identifier is asked for: the service begins one where none is. So a session of ours
//! has a mark, and one without it is another than the sandbox, which is never passed off as it. Files are
//! reached by commands, which is the host's work.

mod command;
mod session;
mod settings;

use offshoot_connector::{
    Capabilities, Claims, Command, Connector, Network, Options, Result, Sandbox, ShellResult,
    Stage, machine, mark,
};
use settings::{DATA, ROOT, Settings, State};

struct Sessions;

offshoot_connector::export!(Sessions);

fn capabilities() -> Capabilities {
    machine::capabilities(Claims::empty(), Network::Provider)
}

/// Refuses what cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    machine::checked(ROOT, options, "closing the way out, which the pool decides")
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let base = DATA.to_owned();
    machine::placed(state, ROOT, base, wanted, capabilities())
}

impl Connector for Sessions {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = session::begin(&settings, &options)?;
        let wanted = options.cwd.as_deref();
        machine::ready_or_ended(state, |state| ready(state, wanted), session::end)
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = session::find(data, &settings, &options)?;
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &state.environment, &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        session::end(state)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        mark::life(state)
    }
}
