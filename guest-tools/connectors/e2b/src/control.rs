//! The control plane: sandboxes as a whole.

use offshoot_connector::control::{gone_is_fine, object, unreachable_is_unavailable};
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// What a sandbox is answered with.
#[derive(Deserialize)]
struct Made {
    #[serde(rename = "sandboxID")]
    id: String,
    #[serde(rename = "envdAccessToken")]
    token: Option<String>,
    domain: Option<String>,
}

/// One of the branches that were asked for.
#[derive(Deserialize)]
#[serde(rename_all = "lowercase")]
enum Branch {
    Sandbox(Made),
    Error(Value),
}

/// Makes a sandbox of a template or a snapshot.
pub(crate) fn create(
    template: &str,
    settings: &Settings,
    options: &Options,
    internet: Option<bool>,
) -> Result<State> {
    let asked = json!({
        "envVars": object(&options.environment),
        "metadata": object(&options.metadata),
    });
    let lifetime = settings.lifetime_seconds;
    let made = order(&settings.api(), template, lifetime, internet, asked)?;
    let token = made.token.unwrap_or_default();
    Ok(settings.state(made.id, token, made.domain.as_deref(), internet))
}

/// Makes a sandbox from a snapshot that takes the place of another one.
pub(crate) fn replace(old: &State, snapshot: &str) -> Result<State> {
    let made = order(
        &old.api,
        snapshot,
        old.lifetime_seconds,
        old.internet,
        json!({}),
    )?;
    Ok(beside(old, made))
}

fn order(
    api: &str,
    template: &str,
    lifetime_seconds: u64,
    internet: Option<bool>,
    mut asked: Value,
) -> Result<Made> {
    asked["templateID"] = template.into();
    asked["timeout"] = lifetime_seconds.into();
    if let Some(internet) = internet {
        asked["allow_internet_access"] = internet.into();
    }
    let request = Request::post(format!("{api}/v2/sandboxes")).json(&asked)?;
    unreachable_is_unavailable(request.send())?
        .success()?
        .json()
}

/// A sandbox of the same settings.
fn beside(old: &State, made: Made) -> State {
    State {
        // Where each sandbox has a name of its own, its id is in it.
        envd: old.envd.replace(&old.id, &made.id),
        id: made.id,
        token: made.token.unwrap_or_default(),
        ..old.clone()
    }
}

/// Reaches a sandbox by its id, waking it where it sleeps.
pub(crate) fn connect(id: &str, settings: &Settings, internet: Option<bool>) -> Result<State> {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-';
    if id.is_empty() || !id.bytes().all(plain) {
        let message = "a reference to an E2B sandbox is its id";
        return Err(Error::new(Code::Invalid, message));
    }
    let made = wake(&settings.api(), id, settings.lifetime_seconds)?;
    let token = made.token.unwrap_or_default();
    Ok(settings.state(made.id, token, made.domain.as_deref(), internet))
}

pub(crate) fn resume(state: &State) -> Result<State> {
    let made = wake(&state.api, &state.id, state.lifetime_seconds)?;
    Ok(beside(state, made))
}

fn wake(api: &str, id: &str, lifetime_seconds: u64) -> Result<Made> {
    let request = Request::post(format!("{api}/v2/sandboxes/{id}/connect"))
        .json(&json!({ "timeout": lifetime_seconds }))?;
    unreachable_is_unavailable(request.send())?
        .success()?
        .json()
}

pub(crate) fn pause(state: &State) -> Result<()> {
    let body = memory(state);
    request(state, "/pause").json(&body)?.send()?.success()?;
    Ok(())
}

/// Ends a sandbox; one that is gone is fine.
pub(crate) fn kill(state: &State) -> Result<()> {
    let url = format!("{}/sandboxes/{}", state.api, state.id);
    gone_is_fine(Request::delete(url).send()?.success())
}

pub(crate) fn snapshot(state: &State) -> Result<String> {
    #[derive(Deserialize)]
    struct Taken {
        #[serde(rename = "snapshotID")]
        id: String,
    }
    let body = memory(state);
    let answer = request(state, "/snapshots").json(&body)?.send()?;
    let taken: Taken = answer.success()?.json()?;
    Ok(taken.id)
}

pub(crate) fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
    let name = encoded(snapshot);
    let url = format!("{}/templates/{name}", state.api);
    gone_is_fine(Request::delete(url).send()?.success())
}

pub(crate) fn fork(state: &State) -> Result<State> {
    let asked = json!({ "count": 1, "timeout": state.lifetime_seconds });
    let answer = request(state, "/fork").json(&asked)?.send()?;
    let branches: Vec<Branch> = answer.success()?.json()?;
    match branches.into_iter().next() {
        Some(Branch::Sandbox(made)) => Ok(beside(state, made)),
        Some(Branch::Error(error)) => Err(Error::new(Code::Died, format!("no branch: {error}"))),
        None => Err(Error::corrupt("no branch")),
    }
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    #[derive(Deserialize)]
    struct Detail {
        state: String,
    }
    let url = format!("{}/sandboxes/{}", state.api, state.id);
    let detail: Detail = match Request::get(url).send()?.success() {
        Ok(answer) => answer.json()?,
        Err(error) if error.code == Code::NotFound => return Ok(Stage::Deleted),
        Err(error) => return Err(error),
    };
    match detail.state.as_str() {
        "paused" => Ok(Stage::Suspended),
        "running" => Ok(Stage::Running),
        other => Err(Error::corrupt(format!("the state {other:?}"))),
    }
}

fn request(state: &State, what: &str) -> Request {
    Request::post(format!("{}/sandboxes/{}{what}", state.api, state.id))
}

/// What is said of memory: nothing where it is kept, which is the provider's default.
fn memory(state: &State) -> Value {
    match state.memory {
        true => json!({}),
        false => json!({ "memory": false }),
    }
}
