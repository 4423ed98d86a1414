//! Azure Container Instances as a backend: container groups by Azure's management service (REST), whose token
//! the host adds, and commands by a terminal over a WebSocket.
//!
//! A container that is stopped and started again is a new, empty one. So a container of ours has a mark, and one
//! without it is another than the sandbox, which is never passed off as it. Files are reached by commands, which
//! is the host's work.

mod control;
mod settings;
mod terminal;

use offshoot_connector::{
    Capabilities, Claims, Command, Connector, Isolation, Network, Options, Result, Sandbox,
    ShellResult, Stage, machine,
};
use settings::{HOME, ROOT, Settings, State};

struct Containers;

offshoot_connector::export!(Containers);

fn capabilities() -> Capabilities {
    Capabilities {
        isolation: Isolation::Container,
        ..machine::capabilities(Claims::empty(), Network::Provider)
    }
}

/// Refuses what cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    machine::checked(ROOT, options, "closing the way out, which a container has")
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let wanted = Some(wanted.unwrap_or("."));
    machine::placed(state, ROOT, HOME.to_owned(), wanted, capabilities())
}

impl Connector for Containers {
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
        let state = control::find(data, &settings)?;
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &[], &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        control::end(state)
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        control::life(state)
    }
}
