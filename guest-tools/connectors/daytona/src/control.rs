//! The control plane: sandboxes as a whole.

use offshoot_connector::control::{
    gone_is_fine, is_plain, object, settled, unreachable_is_unavailable,
};
use offshoot_connector::http::{Request, Response};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// A sandbox as the control plane tells it.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Told {
    id: String,
    #[serde(default)]
    state: String,
    #[serde(default)]
    toolbox_proxy_url: String,
    #[serde(default)]
    network_block_all: bool,
}

impl Told {
    fn stage(&self) -> Stage {
        match self.state.as_str() {
            "started" => Stage::Running,
            "stopped" | "paused" | "archived" => Stage::Suspended,
            "stopping" | "pausing" | "archiving" => Stage::Suspending,
            "starting" | "resuming" | "restoring" => Stage::Resuming,
            "destroying" | "destroyed" => Stage::Deleted,
            "error" | "build_failed" => Stage::Failed,
            _ => Stage::Pending,
        }
    }

    fn state(self, api: &str) -> Result<State> {
        if !is_plain(&self.id) || self.toolbox_proxy_url.is_empty() {
            return Err(Error::corrupt("a sandbox without an id or an address"));
        }
        let toolbox = self.toolbox_proxy_url.trim_end_matches('/');
        Ok(State {
            toolbox: format!("{toolbox}/{}", self.id),
            id: self.id,
            api: api.to_owned(),
            blocked: self.network_block_all,
        })
    }
}

/// Makes a sandbox and waits until it runs.
pub(crate) fn create(settings: &Settings, options: &Options, blocked: bool) -> Result<State> {
    let mut asked = json!({
        "env": object(&options.environment),
        "labels": object(&options.metadata),
        "networkBlockAll": blocked,
    });
    for (name, value) in [
        ("snapshot", settings.snapshot.as_deref().map(Value::from)),
        ("target", settings.target.as_deref().map(Value::from)),
        (
            "autoStopInterval",
            settings.auto_stop_minutes.map(Value::from),
        ),
    ] {
        if let Some(value) = value {
            asked[name] = value;
        }
    }
    let api = settings.api.trim_end_matches('/');
    let request = Request::post(format!("{api}/sandbox")).json(&asked)?;
    let answer = unreachable_is_unavailable(request.send())?;
    let made: Told = answer.success()?.json()?;
    let id = made.id.clone();
    let ready = reach(api, &id, made, Stage::Running).and_then(|told| told.state(api));
    ready.inspect_err(|_| {
        // The error that is told is the first one.
        let _ = delete(api, &id);
    })
}

/// Reaches a sandbox by its id, waking it where it sleeps.
pub(crate) fn connect(id: &str, settings: &Settings) -> Result<State> {
    if !is_plain(id) {
        let message = "a reference to a Daytona sandbox is its id";
        return Err(Error::new(Code::Invalid, message));
    }
    let api = settings.api.trim_end_matches('/');
    wake(api, id)?.state(api)
}

pub(crate) fn resume(state: &State) -> Result<State> {
    wake(&state.api, &state.id)?.state(&state.api)
}

fn wake(api: &str, id: &str) -> Result<Told> {
    let told = unreachable_is_unavailable(look(api, id))?;
    match told.stage() {
        Stage::Suspended | Stage::Suspending => {
            let asleep = reach(api, id, told, Stage::Suspended)?;
            change(api, id, "start")?;
            reach(api, id, asleep, Stage::Running)
        }
        _ => reach(api, id, told, Stage::Running),
    }
}

/// Stops a sandbox: its files stay, what runs ends.
pub(crate) fn stop(state: &State) -> Result<()> {
    let (api, id) = (&*state.api, &*state.id);
    let told = look(api, id)?;
    if !matches!(told.stage(), Stage::Suspended | Stage::Suspending) {
        change(api, id, "stop")?;
    }
    reach(api, id, told, Stage::Suspended).map(drop)
}

fn change(api: &str, id: &str, what: &str) -> Result<()> {
    let request = Request::post(format!("{api}/sandbox/{id}/{what}"));
    request.send()?.success().map(drop)
}

/// Waits until a sandbox is where it was sent.
fn reach(api: &str, id: &str, told: Told, wanted: Stage) -> Result<Told> {
    settled(told, wanted, Told::stage, || look(api, id))
}

fn look(api: &str, id: &str) -> Result<Told> {
    let request = Request::get(format!("{api}/sandbox/{id}"));
    let told: Told = request.send()?.success()?.json()?;
    match told.stage() {
        // It is told for a while yet.
        Stage::Deleted => Err(Error::new(Code::NotFound, "the sandbox was deleted")),
        _ => Ok(told),
    }
}

/// Ends a sandbox; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    delete(&state.api, &state.id)
}

fn delete(api: &str, id: &str) -> Result<()> {
    let request = Request::delete(format!("{api}/sandbox/{id}"));
    gone_is_fine(request.send()?.success())
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    match look(&state.api, &state.id) {
        Ok(told) => Ok(told.stage()),
        Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}

/// The answer of the service inside a sandbox, where it is no error. Its 404 and 400 are of a path as
/// of a sandbox that is gone or sleeps: only the control plane tells them apart.
pub(crate) fn checked(state: &State, answer: Response) -> Result<Response> {
    let error = match answer.success() {
        Ok(answer) => return Ok(answer),
        Err(error) => error,
    };
    Err(match life(state) {
        Ok(Stage::Running) | Err(_) => match error.code {
            Code::Invalid => error.with_code(Code::Conflict),
            _ => error,
        },
        Ok(_) => error.with_code(Code::SandboxUnavailable),
    })
}
