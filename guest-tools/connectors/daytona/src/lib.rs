//! Daytona as a backend: its control plane (REST) and the toolbox, the service inside a sandbox.
//!
//! Both want the same key, which the host adds. No other credential comes with answers.

mod command;
mod control;
mod files;
mod settings;

use offshoot_connector::http::Request;
use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, FileStat, Isolation, Network, Options,
    Persistence, Result, Sandbox, ShellResult, Stage, path,
};
use serde::Deserialize;
use settings::{HOME, ROOT, Settings, State};

struct Daytona;

offshoot_connector::export!(Daytona);

fn capabilities(network: Network) -> Capabilities {
    Capabilities {
        claims: Claims::EXEC
            | Claims::FILESYSTEM
            | Claims::BINARY_FILES
            | Claims::SUSPEND
            | Claims::RESUME
            | Claims::RECONNECT
            | Claims::SEPARATE_STDERR
            | Claims::EXEC_ENVIRONMENT
            | Claims::EXEC_DIRECTORY
            | Claims::EXEC_TIMEOUT
            | Claims::EXACT_OUTPUT
            | Claims::STDIN,
        network,
        persistence: Persistence::Durable,
        isolation: Isolation::Provider,
        timeout_unit_ms: 1,
    }
}

/// The directory that the sandbox has for work.
fn work_directory(state: &State) -> Result<String> {
    #[derive(Deserialize)]
    struct Found {
        dir: String,
    }
    let answer = Request::get(format!("{}/work-dir", state.toolbox)).send()?;
    match control::checked(state, answer) {
        Ok(answer) => {
            let found: Found = answer.json()?;
            path::join(HOME, &found.dir)
        }
        // An older toolbox does not have the question.
        Err(error) if error.code == Code::NotFound => Ok(HOME.to_owned()),
        Err(error) => Err(error),
    }
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>) -> Result<Sandbox<State>> {
    let mut cwd = work_directory(&state)?;
    if let Some(wanted) = wanted {
        cwd = path::join(&cwd, wanted)?;
        files::mkdir(&state, &cwd, true)?;
    }
    Ok(Sandbox {
        root: ROOT.to_owned(),
        cwd,
        capabilities: capabilities(state.network()),
        state,
    })
}

impl Connector for Daytona {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities(Network::Provider)
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let blocked = options.closed()?.unwrap_or(false);
        if let Some(wanted) = &options.cwd {
            path::join(HOME, wanted)?;
        }
        let state = control::create(&settings, &options, blocked)?;
        ready(state.clone(), options.cwd.as_deref()).inspect_err(|_| {
            // The error that is told is the first one.
            let _ = control::end(&state);
        })
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        let wanted = options.closed()?.unwrap_or(false);
        let state = control::connect(data, &settings)?;
        if wanted && !state.blocked {
            return Err(Error::refused("closing the way out of a live sandbox"));
        }
        ready(state, options.cwd.as_deref())
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        command::run(state, &command)
    }

    fn read_file(state: &State, path: &str) -> Result<Vec<u8>> {
        files::read(state, path)
    }

    fn write_file(state: &State, path: &str, content: Vec<u8>) -> Result<()> {
        files::write(state, path, &content)
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
        control::end(state)
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
