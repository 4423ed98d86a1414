//! Sessions of an agent: made, found, stopped and deleted by their ids.

use offshoot_connector::control::{gone_is_fine, is_plain, settled, unreachable_is_unavailable};
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde_json::json;

use crate::settings::{Settings, State};

/// The service's version.
const VERSION: &str = "v1";

/// What is told of a session.
#[derive(Deserialize)]
struct Told {
    agent_session_id: String,
    status: String,
}

impl Told {
    fn stage(&self) -> Stage {
        match self.status.as_str() {
            "creating" => Stage::Pending,
            // One that was put to sleep wakes when something is invoked.
            "active" | "updating" => Stage::Running,
            "idle" => Stage::Suspended,
            "deleting" | "deleted" | "expired" => Stage::Deleted,
            _ => Stage::Failed,
        }
    }
}

/// What is told of an agent.
#[derive(Deserialize)]
struct Agent {
    versions: Versions,
}

#[derive(Deserialize)]
struct Versions {
    latest: Version,
}

#[derive(Deserialize)]
struct Version {
    version: String,
}

impl Settings {
    fn state(&self, id: String, options: &Options) -> Result<State> {
        let (endpoint, agent) = (self.endpoint.trim_end_matches('/'), &self.agent);
        if endpoint.is_empty() || agent.is_empty() {
            let message = "the project and the agent are not set: FOUNDRY_PROJECT_ENDPOINT, FOUNDRY_AGENT_NAME";
            return Err(Error::new(Code::Invalid, message));
        }
        Ok(State {
            id,
            endpoint: endpoint.to_owned(),
            agent: agent.clone(),
            environment: options.environment.clone(),
        })
    }
}

impl State {
    /// The address of something of the agent, with a query that begins with `&`.
    pub(crate) fn url(&self, what: &str, query: &str) -> String {
        let (endpoint, agent) = (&self.endpoint, encoded(&self.agent));
        format!("{endpoint}/agents/{agent}{what}?api-version={VERSION}{query}")
    }

    /// The address of the session, or of something that it is told to do.
    fn session(&self, verb: &str) -> String {
        self.url(
            &format!("/endpoint/sessions/{}{verb}", encoded(&self.id)),
            "",
        )
    }

    fn look(&self) -> Result<Told> {
        Request::get(self.session("")).send()?.success()?.json()
    }
}

/// Makes a session and waits until there is its container.
pub(crate) fn create(settings: &Settings, options: &Options) -> Result<State> {
    let state = settings.state(String::new(), options)?;
    let version = match &settings.version {
        Some(version) => version.clone(),
        None => {
            let agent = unreachable_is_unavailable(Request::get(state.url("", "")).send())?;
            agent.success()?.json::<Agent>()?.versions.latest.version
        }
    };
    let asked = json!({
        "version_indicator": { "type": "version_ref", "agent_version": version },
    });
    let made = Request::post(state.url("/endpoint/sessions", "")).json(&asked)?;
    let made = unreachable_is_unavailable(made.send())?.success()?;
    let told: Told = made.json()?;
    if !is_plain(&told.agent_session_id) {
        return Err(Error::corrupt("a session without an id"));
    }
    let state = State {
        id: told.agent_session_id.clone(),
        ..state
    };
    // One that sleeps from the beginning wakes when something is invoked.
    let ready = |told: &Told| match told.stage() {
        Stage::Suspended => Stage::Running,
        stage => stage,
    };
    settled(told, Stage::Running, ready, || state.look()).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = end(&state);
    })?;
    Ok(state)
}

/// Finds a session by its id.
pub(crate) fn find(id: &str, settings: &Settings, options: &Options) -> Result<State> {
    if !is_plain(id) {
        return Err(Error::new(Code::Invalid, "this is no session's id"));
    }
    let state = settings.state(id.to_owned(), options)?;
    match unreachable_is_unavailable(state.look())?.stage() {
        Stage::Deleted => Err(Error::new(Code::NotFound, "the session was deleted")),
        Stage::Failed => Err(Error::new(Code::Died, "the session failed")),
        _ => Ok(state),
    }
}

/// Stops the session's container; what it stored stays.
pub(crate) fn stop(state: &State) -> Result<()> {
    Request::post(state.session(":stop")).send()?.success()?;
    let asleep = |told: &Told| told.stage();
    settled(state.look()?, Stage::Suspended, asleep, || state.look()).map(drop)
}

/// Deletes a session; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    gone_is_fine(Request::delete(state.session("")).send()?.success())
}

/// Where in its life it is.
pub(crate) fn life(state: &State) -> Result<Stage> {
    match state.look() {
        Ok(told) => Ok(told.stage()),
        Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}
