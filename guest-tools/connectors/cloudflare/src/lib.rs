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
    Capabilities, Claims, Command, Connector, Network, Options, Result, Sandbox, ShellResult,
    Stage, machine, mark,
};
use settings::{ROOT, Settings, State, WORKSPACE};

struct Cloudflare;

offshoot_connector::export!(Cloudflare);

fn capabilities() -> Capabilities {
    machine::capabilities(Claims::empty(), Network::Provider)
}

/// Refuses what cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    machine::checked(
        ROOT,
        options,
        "closing the way out, which the Worker decides",
    )
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
        let wanted = options.cwd.as_deref();
        machine::ready_or_ended(state, |state| ready(state, wanted), sandbox::end)
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
