//! A Databricks cluster as a backend: a cluster of the user's, whose execution contexts (REST) run Python, which
//! runs what is asked for. The host adds the token.
//!
//! A sandbox is a directory on the cluster's driver. The cluster is started where it sleeps, and left running. Files
//! are reached by commands, which is the host's work.

mod cluster;
mod command;
mod context;
mod settings;

use offshoot_connector::control::{is_plain, unreachable_is_unavailable};
use offshoot_connector::path::{self, unique};
use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, Network, Options, Result, Sandbox,
    ShellResult, Stage, machine,
};
use settings::{Settings, State};

struct Databricks;

offshoot_connector::export!(Databricks);

fn capabilities() -> Capabilities {
    machine::capabilities(Claims::empty(), Network::Provider)
}

/// The state of a sandbox, with nothing made.
fn named(settings: &Settings, cluster: &str, id: &str, options: &Options) -> Result<State> {
    for (value, variable) in [
        (&*settings.host, "DATABRICKS_HOST"),
        (cluster, "DATABRICKS_CLUSTER_ID"),
    ] {
        if value.is_empty() {
            let message = format!("the workspace or the cluster is not set: {variable}");
            return Err(Error::new(Code::Invalid, message));
        }
    }
    if options.closed()? == Some(true) {
        return Err(Error::refused("closing the way out of a cluster"));
    }
    let directory = path::join("/", &settings.directory)?;
    let home = path::join(&directory, &format!("offshoot-{id}"))?;
    let state = State {
        host: settings.host.trim_end_matches('/').to_owned(),
        cluster: cluster.to_owned(),
        id: id.to_owned(),
        home,
        environment: options.environment.clone(),
    };
    cwd(&state, options)?;
    Ok(state)
}

/// The directory that is wanted.
fn cwd(state: &State, options: &Options) -> Result<String> {
    let root = state.root();
    let cwd = path::join(&root, options.cwd.as_deref().unwrap_or_default())?;
    if cwd == root || cwd.starts_with(&format!("{root}/")) {
        return Ok(cwd);
    }
    let message = format!("{cwd}: the path leads out of {root}");
    Err(Error::new(Code::PathEscape, message))
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, options: &Options) -> Result<Sandbox<State>> {
    let cwd = cwd(&state, options)?;
    let root = state.root();
    let wanted = options.cwd.as_ref().map(|_| cwd.as_str());
    machine::placed(state, &root.clone(), root, wanted, capabilities())
}

impl Connector for Databricks {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let state = named(&settings, &settings.cluster, &unique(), &options)?;
        cluster::wake(&state)?;
        unreachable_is_unavailable(state.make())?;
        machine::ready_or_ended(state, |state| ready(state, &options), State::remove)
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let (cluster, id) = data
            .split_once('/')
            .filter(|(cluster, id)| is_plain(cluster) && is_plain(id))
            .ok_or_else(|| Error::new(Code::Invalid, "a reference is CLUSTER/SANDBOX"))?;
        let state = named(&settings, cluster, id, &options)?;
        match unreachable_is_unavailable(Databricks::life(&state))? {
            Stage::Running => ready(state, &options),
            _ => Err(Error::new(Code::NotFound, format!("no sandbox {data}"))),
        }
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        machine::exec(state, &state.environment, &command)
    }

    fn cleanup(state: &State) -> Result<()> {
        match Databricks::life(state)? {
            Stage::Running => state.remove(),
            _ => Ok(()),
        }
    }

    fn reference(state: &State) -> Result<String> {
        Ok(format!("{}/{}", state.cluster, state.id))
    }

    fn life(state: &State) -> Result<Stage> {
        // A driver that stopped keeps no files.
        match cluster::runs(state)? && state.is_there()? {
            true => Ok(Stage::Running),
            false => Ok(Stage::Deleted),
        }
    }
}
