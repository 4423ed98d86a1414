//! The control plane: sandboxes have ids, belong to a group, stop and go on.

use offshoot_connector::control::{
    gone_is_fine, is_plain, object, settled, unreachable_is_unavailable,
};
use offshoot_connector::http::{Request, Response, encoded};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// The service's version, which its client for Python speaks.
pub(crate) const VERSION: &str = "2026-02-01-preview";
/// Its version for commands, which has words, users and what a command does to a sandbox that sleeps.
pub(crate) const COMMANDS: &str = "2026-09-01-preview";

/// What is told of a sandbox.
#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
pub(crate) struct Told {
    id: String,
    state: String,
    state_details: Option<Details>,
    egress_policy: Option<Egress>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Details {
    stopped_reason: Option<String>,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Egress {
    default_action: Option<String>,
    #[serde(default)]
    host_rules: Vec<Value>,
    #[serde(default)]
    rules: Vec<Value>,
}

impl Told {
    fn stage(&self) -> Stage {
        match self.state.as_str() {
            "Running" => Stage::Running,
            "Creating" => Stage::Pending,
            "Stopping" => Stage::Suspending,
            "Stopped" | "Suspended" | "Idle" => Stage::Suspended,
            "Resuming" => Stage::Resuming,
            "Deleting" | "Deleted" => Stage::Deleted,
            _ => Stage::Failed,
        }
    }

    /// Whether nothing is let out.
    fn closed(&self) -> bool {
        self.egress_policy.as_ref().is_some_and(|policy| {
            policy.default_action.as_deref() == Some("Deny")
                && policy.host_rules.is_empty()
                && policy.rules.is_empty()
        })
    }

    /// One that an administrator disabled must not be woken.
    fn disabled(&self) -> bool {
        let reason = self.state_details.as_ref();
        reason.and_then(|details| details.stopped_reason.as_deref()) == Some("Disabled")
    }
}

impl Settings {
    /// The address of the group.
    fn place(&self) -> Result<String> {
        let mut place = self.endpoint.trim_end_matches('/').to_owned();
        for (what, variable, value) in [
            ("", "AZURE_SANDBOX_ENDPOINT", &self.endpoint),
            (
                "/subscriptions/",
                "AZURE_SUBSCRIPTION_ID",
                &self.subscription,
            ),
            (
                "/resourceGroups/",
                "AZURE_RESOURCE_GROUP",
                &self.resource_group,
            ),
            ("/sandboxGroups/", "AZURE_SANDBOX_GROUP", &self.group),
        ] {
            if value.is_empty() {
                let message = format!("where sandboxes are is not set: {variable}");
                return Err(Error::new(Code::Invalid, message));
            }
            if !what.is_empty() {
                place.push_str(&format!("{what}{}", encoded(value)));
            }
        }
        Ok(place)
    }

    fn state(&self, id: String, group: String, environment: Vec<(String, String)>) -> State {
        State {
            id,
            group,
            environment,
            user: self.user.clone(),
            closed: false,
        }
    }

    /// What a new sandbox is asked to be.
    fn asked(&self, options: &Options) -> Result<Value> {
        let image = match &self.disk_id {
            Some(id) => json!({ "id": id }),
            None => json!({ "name": self.disk, "isPublic": true }),
        };
        let suspend = match self.auto_suspend_seconds {
            0 => json!({ "enabled": false }),
            seconds => {
                json!({ "enabled": true, "interval": seconds, "mode": self.auto_suspend_mode })
            }
        };
        let mut asked = json!({
            "sourcesRef": { "diskImage": image },
            "resources": { "cpu": self.cpu, "memory": self.memory },
            "lifecycle": { "autoSuspendPolicy": suspend },
            "environment": object(&options.environment),
            "labels": object(&options.metadata),
        });
        if options.closed()? == Some(true) {
            asked["egressPolicy"] = json!({ "defaultAction": "Deny" });
        }
        Ok(asked)
    }
}

impl State {
    /// The address of something of the sandbox.
    pub(crate) fn url(&self, below: &str, version: &str) -> String {
        let (group, id) = (&self.group, &self.id);
        format!("{group}/sandboxes/{id}{below}?api-version={version}")
    }

    /// The address of something of the group.
    fn beside(&self, below: &str) -> String {
        format!("{}{below}?api-version={VERSION}", self.group)
    }

    fn look(&self) -> Result<Told> {
        Request::get(self.url("", VERSION))
            .send()?
            .success()?
            .json()
    }

    fn reach(&self, told: Told, wanted: Stage) -> Result<Told> {
        settled(told, wanted, Told::stage, || self.look())
    }

    /// Asks something of a sandbox that runs; one that does not is told as such.
    pub(crate) fn ask(&self, request: Request) -> Result<Response> {
        let answer = request.send()?;
        if !matches!(answer.status(), 400 | 404 | 409) {
            return answer.success();
        }
        let gone = |message: String| Error::new(Code::SandboxUnavailable, message);
        let told = match self.look() {
            Err(error) if error.code == Code::NotFound => {
                return Err(gone("the sandbox was deleted".to_owned()));
            }
            told => told?,
        };
        match told.stage() {
            Stage::Running => answer.success(),
            Stage::Deleted => Err(gone("the sandbox was deleted".to_owned())),
            _ => Err(gone(format!("the sandbox is {}", told.state)).again()),
        }
    }

    /// The same, as it is once it runs.
    fn ready(mut self, told: Told) -> Result<State> {
        self.closed = self.reach(told, Stage::Running)?.closed();
        Ok(self)
    }

    /// The id of what was made, where that can be one.
    fn made(&self, asked: &Value) -> Result<(State, Told)> {
        let request = Request::put(self.beside("/sandboxes")).json(asked)?;
        let answer = unreachable_is_unavailable(request.send())?;
        let told: Told = answer.success()?.json()?;
        if !is_plain(&told.id) {
            return Err(Error::corrupt("a sandbox without an id"));
        }
        let mut state = self.clone();
        state.id.clone_from(&told.id);
        Ok((state, told))
    }

    /// Makes a sandbox in the same group, waits until it runs, and deletes it where it never does.
    fn make(&self, asked: &Value) -> Result<State> {
        let (state, told) = self.made(asked)?;
        state.clone().ready(told).inspect_err(|_| {
            // The error that is told is the first one.
            let _ = end(&state);
        })
    }

    /// Makes a sandbox of a snapshot, which says all that can be said of it.
    fn branch(&self, snapshot: &str) -> Result<State> {
        let url = self.beside(&format!("/snapshots/{}", encoded(snapshot)));
        unreachable_is_unavailable(Request::get(url).send())?.success()?;
        self.make(&json!({ "sourcesRef": { "snapshot": { "id": snapshot } } }))
    }
}

/// Makes a sandbox and waits until it runs.
pub(crate) fn create(settings: &Settings, options: &Options) -> Result<State> {
    let beside = settings.state(String::new(), settings.place()?, Vec::new());
    beside.make(&settings.asked(options)?)
}

/// Makes a sandbox of a snapshot; the service has no variables for one, so they go with its commands.
pub(crate) fn start(snapshot: &str, settings: &Settings, options: &Options) -> Result<State> {
    let environment = options.environment.clone();
    settings
        .state(String::new(), settings.place()?, environment)
        .branch(snapshot)
}

/// Reaches a sandbox by its id, waking it where it sleeps.
pub(crate) fn connect(id: &str, settings: &Settings) -> Result<State> {
    if !is_plain(id) {
        return Err(Error::new(Code::Invalid, "a reference is the sandbox's id"));
    }
    resume(&settings.state(id.to_owned(), settings.place()?, Vec::new()))
}

/// Wakes a sandbox; one that goes to sleep gets there first.
pub(crate) fn resume(state: &State) -> Result<State> {
    let mut told = unreachable_is_unavailable(state.look())?;
    if told.stage() == Stage::Suspending {
        told = state.reach(told, Stage::Suspended)?;
    }
    if told.stage() == Stage::Suspended {
        if told.disabled() {
            let message = "an administrator disabled the sandbox";
            return Err(Error::new(Code::SandboxUnavailable, message));
        }
        let answer = Request::post(state.url("/resume", VERSION)).send()?;
        // Another call wakes it.
        if answer.status() != 409 {
            answer.success()?;
        }
        told = state.look()?;
    }
    state.clone().ready(told)
}

/// Stops a sandbox. Where others do the same at once, it is enough that it sleeps.
pub(crate) fn stop(state: &State) -> Result<()> {
    let mut told = state.look()?;
    if matches!(told.stage(), Stage::Pending | Stage::Resuming) {
        told = state.reach(told, Stage::Running)?;
    }
    if told.stage() == Stage::Running {
        let answer = Request::post(state.url("/stop", VERSION)).send()?;
        // Another call stops it.
        if answer.status() != 409 {
            answer.success()?;
        }
        told = state.look()?;
    }
    state.reach(told, Stage::Suspended).map(drop)
}

/// Captures a sandbox, which goes on.
pub(crate) fn snapshot(state: &State, label: Option<&str>) -> Result<(String, Option<u64>)> {
    #[derive(Deserialize)]
    struct Taken {
        id: String,
        #[serde(rename = "sizeInMB")]
        megabytes: Option<u64>,
    }
    let asked = match label {
        Some(label) => json!({ "labels": { "name": label } }),
        None => json!({}),
    };
    let request = Request::post(state.url("/snapshot", VERSION)).json(&asked)?;
    let taken: Taken = state.ask(request)?.json()?;
    Ok((taken.id, taken.megabytes.map(|megabytes| megabytes << 20)))
}

pub(crate) fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
    let url = state.beside(&format!("/snapshots/{}", encoded(snapshot)));
    gone_is_fine(Request::delete(url).send()?.success())
}

/// A copy, by way of a snapshot of its own.
pub(crate) fn fork(state: &State) -> Result<State> {
    let (taken, _) = snapshot(state, None)?;
    let branch = state.branch(&taken);
    delete_snapshot(state, &taken)?;
    branch
}

/// The service sets no sandbox back: a new one takes the place of the old one, under another id.
pub(crate) fn restore(state: &State, snapshot: &str) -> Result<State> {
    let new = state.branch(snapshot)?;
    end(state)?;
    Ok(new)
}

/// Deletes a sandbox; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    gone_is_fine(Request::delete(state.url("", VERSION)).send()?.success())
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    match state.look() {
        Ok(told) => Ok(told.stage()),
        Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}
