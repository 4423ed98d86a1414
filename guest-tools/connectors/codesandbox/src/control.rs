//! The control plane: sandboxes are copies of others, and their machines start, sleep and wake.

use offshoot_connector::control::{gone_is_fine, is_plain, unreachable_is_unavailable};
use offshoot_connector::http::{Request, Response};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde::de::DeserializeOwned;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// What every answer is wrapped in.
#[derive(Deserialize)]
struct Wrapped<T> {
    data: Option<T>,
    #[serde(default)]
    errors: Vec<Value>,
}

/// A machine that was started.
#[derive(Deserialize)]
struct Started {
    #[serde(default)]
    use_pint: bool,
    #[serde(default)]
    pint_url: String,
    #[serde(default)]
    pint_token: String,
    workspace_path: String,
}

fn data<T: DeserializeOwned>(answer: Response) -> Result<T> {
    let wrapped: Wrapped<T> = answer.success()?.json()?;
    wrapped.data.ok_or_else(|| {
        let why: Vec<String> = wrapped.errors.iter().map(Value::to_string).collect();
        Error::corrupt(format!("no data: {}", why.join(", ")))
    })
}

/// Makes a copy of a sandbox or template, and gives its id.
fn copy(api: &str, id: &str) -> Result<String> {
    #[derive(Deserialize)]
    struct Made {
        id: String,
    }
    let asked = json!({ "privacy": 2, "private_preview": true, "tags": ["sdk"], "path": "/SDK" });
    let request = Request::post(format!("{api}/sandbox/{id}/fork")).json(&asked)?;
    let made: Made = data(unreachable_is_unavailable(request.send())?)?;
    match is_plain(&made.id) {
        true => Ok(made.id),
        false => Err(Error::corrupt("a sandbox without an id")),
    }
}

/// Starts or wakes the machine of a sandbox.
fn start(state: &State) -> Result<State> {
    let mut asked = json!({});
    if let Some(tier) = &state.tier {
        asked["tier"] = tier.as_str().into();
    }
    if let Some(seconds) = state.hibernation_timeout_seconds {
        asked["hibernation_timeout_seconds"] = seconds.into();
    }
    let request = Request::post(format!("{}/vm/{}/start", state.api, state.id)).json(&asked)?;
    let started: Started = data(unreachable_is_unavailable(request.send())?)?;
    if !started.use_pint || started.pint_url.is_empty() {
        let what = "a sandbox whose machine speaks only the older protocol over WebSockets";
        return Err(Error::refused(what));
    }
    Ok(State {
        pint: started.pint_url.trim_end_matches('/').to_owned(),
        token: started.pint_token,
        cwd: started.workspace_path,
        ..state.clone()
    })
}

impl Settings {
    fn state(&self, id: String, environment: &[(String, String)]) -> State {
        State {
            id,
            api: self.api.trim_end_matches('/').to_owned(),
            pint: String::new(),
            token: String::new(),
            cwd: String::new(),
            environment: environment.to_vec(),
            tier: self.tier.clone(),
            hibernation_timeout_seconds: self.hibernation_timeout_seconds,
        }
    }
}

/// Starts the machine of a sandbox that was just made, and ends it again where it does not start.
fn begun(made: &State) -> Result<State> {
    start(made).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = end(made);
    })
}

pub(crate) fn create(settings: &Settings, options: &Options) -> Result<State> {
    if !is_plain(&settings.template) {
        let message = "a template is named by its id";
        return Err(Error::new(Code::Invalid, message));
    }
    let id = copy(settings.api.trim_end_matches('/'), &settings.template)?;
    begun(&settings.state(id, &options.environment))
}

/// Reaches a sandbox by its id, waking it where it sleeps.
pub(crate) fn connect(id: &str, settings: &Settings, options: &Options) -> Result<State> {
    if !is_plain(id) {
        let message = "a reference to a CodeSandbox sandbox is its id";
        return Err(Error::new(Code::Invalid, message));
    }
    start(&settings.state(id.to_owned(), &options.environment))
}

pub(crate) fn resume(state: &State) -> Result<State> {
    start(state)
}

pub(crate) fn fork(state: &State) -> Result<State> {
    let id = copy(&state.api, &state.id)?;
    begun(&State {
        id,
        ..state.clone()
    })
}

/// Lets the machine sleep; one that sleeps is fine.
pub(crate) fn hibernate(state: &State) -> Result<()> {
    if life(state)? == Stage::Suspended {
        return Ok(());
    }
    let request = Request::post(format!("{}/vm/{}/hibernate", state.api, state.id));
    request.json(&json!({}))?.send()?.success().map(drop)
}

/// Deletes a sandbox with its machine.
pub(crate) fn end(state: &State) -> Result<()> {
    let request = Request::delete(format!("{}/vm/{}", state.api, state.id));
    gone_is_fine(request.send()?.success())
}

/// The machines that run are listed; what is not there sleeps, where the sandbox is there.
pub(crate) fn life(state: &State) -> Result<Stage> {
    #[derive(Deserialize)]
    struct Running {
        vms: Vec<Machine>,
    }
    #[derive(Deserialize)]
    struct Machine {
        id: String,
    }
    let running: Running = data(Request::get(format!("{}/vm/running", state.api)).send()?)?;
    if running.vms.iter().any(|machine| machine.id == state.id) {
        return Ok(Stage::Running);
    }
    let request = Request::get(format!("{}/sandbox/{}", state.api, state.id));
    match request.send()?.success() {
        Ok(_) => Ok(Stage::Suspended),
        Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}
