//! Hosted agents of Azure's Foundry as a backend: one service (REST), whose token the host adds, and behind it
//! Offshoot's own image, which `offshoot build --target foundry-hosted-agent` describes.
//!
//! A sandbox is a session of the agent. Foundry has no commands: the image has them. Files are reached by commands,
//! which is the host's work.

mod command;
mod session;
mod settings;

use offshoot_connector::{
    Capabilities, Claims, Code, Command, Connector, Error, Input, Network, Options, Result,
    Sandbox, ShellResult, Stage, machine, path,
};
use settings::{HOME, ROOT, Settings, State};

struct Foundry;

offshoot_connector::export!(Foundry);

fn capabilities() -> Capabilities {
    let more = Claims::SUSPEND | Claims::RESUME | Claims::BACKGROUND;
    machine::capabilities(more, Network::Provider)
}

/// Refuses what cannot be asked for.
fn checked(options: &Options) -> Result<()> {
    machine::checked(
        ROOT,
        options,
        "closing the way out, which the image decides",
    )
}

/// Runs a script of ours, which must succeed.
fn does(state: &State, script: &str, argument: &str, existing: bool) -> Result<()> {
    let command = Command {
        script: script.as_bytes().to_vec(),
        name: None,
        arguments: vec![argument.as_bytes().to_vec()],
        cwd: ROOT.to_owned(),
        environment: Vec::new(),
        replace_environment: false,
        input: Input::Empty,
        timeout_ms: None,
    };
    let done = state.run(&command, existing)?;
    if done.exit_code == 0 {
        return Ok(());
    }
    let why = String::from_utf8_lossy(&done.stderr);
    let why: String = why.trim().chars().take(500).collect();
    Err(Error::new(Code::Conflict, format!("{argument}: {why}")))
}

/// The sandbox as the host keeps it, with its directory made.
fn ready(state: State, wanted: Option<&str>, existing: bool) -> Result<Sandbox<State>> {
    let cwd = match wanted {
        Some(wanted) => path::join(HOME, wanted)?,
        None => HOME.to_owned(),
    };
    does(&state, "mkdir -p -- \"$1\"", &cwd, existing)?;
    Ok(Sandbox {
        root: ROOT.to_owned(),
        cwd,
        capabilities: capabilities(),
        state,
    })
}

impl Connector for Foundry {
    type Settings = Settings;
    type State = State;

    fn describe() -> Capabilities {
        capabilities()
    }

    fn create(settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = session::create(&settings, &options)?;
        ready(state.clone(), options.cwd.as_deref(), false).inspect_err(|_| {
            // The error that is told is the first one.
            let _ = session::end(&state);
        })
    }

    fn attach(data: &str, settings: Settings, options: Options) -> Result<Sandbox<State>> {
        checked(&options)?;
        let state = session::find(data, &settings, &options)?;
        let found = ready(state, options.cwd.as_deref(), true);
        found.map_err(|error| match error.code {
            Code::SandboxUnavailable => error.with_code(Code::NotFound),
            _ => error,
        })
    }

    fn exec(state: &State, command: Command) -> Result<ShellResult> {
        state.run(&command, true)
    }

    fn cleanup(state: &State) -> Result<()> {
        session::end(state)
    }

    fn suspend(state: &State) -> Result<()> {
        session::stop(state)
    }

    fn resume(state: &State) -> Result<State> {
        // Whatever is invoked wakes it.
        does(state, ":", "", true).map_err(|error| match error.code {
            Code::SandboxUnavailable => error.with_code(Code::NotFound),
            _ => error,
        })?;
        Ok(state.clone())
    }

    fn reference(state: &State) -> Result<String> {
        Ok(state.id.clone())
    }

    fn life(state: &State) -> Result<Stage> {
        session::life(state)
    }
}
