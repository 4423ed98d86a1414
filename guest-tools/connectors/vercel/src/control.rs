//! The control plane: sandboxes have names, run in sessions and keep their files from one to the next.

use offshoot_connector::control::{
    gone_is_fine, is_plain, object, settled, unreachable_is_unavailable,
};
use offshoot_connector::http::{Request, Response, encoded};
use offshoot_connector::{Code, Error, Options, Result, Stage};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// What is told of a sandbox.
#[derive(Deserialize)]
pub(crate) struct Told {
    sandbox: Sandbox,
    session: Session,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Sandbox {
    name: String,
    network_policy: Option<Policy>,
}

#[derive(Deserialize)]
struct Policy {
    mode: String,
}

#[derive(Deserialize)]
struct Session {
    id: String,
    status: String,
    cwd: String,
}

impl Told {
    fn stage(&self) -> Stage {
        match self.session.status.as_str() {
            "running" => Stage::Running,
            "pending" => Stage::Pending,
            "stopping" | "snapshotting" => Stage::Suspending,
            "stopped" => Stage::Suspended,
            _ => Stage::Failed,
        }
    }
}

/// Where the service is, and whose sandboxes these are.
struct Place<'a> {
    api: &'a str,
    team: Option<&'a str>,
    project: Option<&'a str>,
}

impl Place<'_> {
    /// An address, with the query that each has.
    fn url(&self, path: &str, query: &[(&str, &str)]) -> String {
        let api = self.api.trim_end_matches('/');
        let mut url = format!("{api}{path}");
        let given = [("teamId", self.team), ("projectId", self.project)];
        let given = given
            .iter()
            .filter_map(|(name, value)| Some((*name, (*value)?)));
        let all = given.chain(query.iter().copied());
        for (number, (name, value)) in all.enumerate() {
            let mark = if number == 0 { '?' } else { '&' };
            url.push_str(&format!("{mark}{name}={}", encoded(value)));
        }
        url
    }

    fn look(&self, name: &str, resume: bool) -> Result<Told> {
        let resume = if resume { "true" } else { "false" };
        let url = self.url(
            &format!("/v2/sandboxes/{}", encoded(name)),
            &[("resume", resume)],
        );
        Request::get(url).send()?.success()?.json()
    }

    fn reach(&self, told: Told, wanted: Stage) -> Result<Told> {
        let name = told.sandbox.name.clone();
        settled(told, wanted, Told::stage, || self.look(&name, false))
    }

    /// Wakes a sandbox; one that goes to sleep gets there first.
    fn wake(&self, name: &str) -> Result<Told> {
        let mut told = unreachable_is_unavailable(self.look(name, false))?;
        if told.stage() == Stage::Suspending {
            told = self.reach(told, Stage::Suspended)?;
        }
        if told.stage() == Stage::Suspended {
            told = self.look(name, true)?;
        }
        self.reach(told, Stage::Running)
    }
}

impl Settings {
    fn place(&self) -> Place<'_> {
        Place {
            api: &self.api,
            team: self.team.as_deref(),
            project: self.project.as_deref(),
        }
    }

    fn state(&self, told: Told) -> Result<State> {
        beside(
            &State {
                name: String::new(),
                session: String::new(),
                cwd: String::new(),
                api: self.api.clone(),
                team: self.team.clone(),
                project: self.project.clone(),
                closed: false,
                session_ms: self.session_ms,
            },
            told,
        )
    }
}

/// The state of another sandbox, or of the same in another session.
fn beside(state: &State, told: Told) -> Result<State> {
    let Told { sandbox, session } = told;
    if sandbox.name.is_empty() || !is_plain(&session.id) || !session.cwd.starts_with('/') {
        return Err(Error::corrupt(
            "a sandbox without a name, a session or a directory",
        ));
    }
    Ok(State {
        name: sandbox.name,
        session: session.id,
        cwd: session.cwd,
        closed: sandbox
            .network_policy
            .is_some_and(|policy| policy.mode == "deny-all"),
        ..state.clone()
    })
}

impl State {
    fn place(&self) -> Place<'_> {
        Place {
            api: &self.api,
            team: self.team.as_deref(),
            project: self.project.as_deref(),
        }
    }

    /// The address of the sandbox, or of something below it.
    fn url(&self, below: &str) -> String {
        self.place().url(
            &format!("/v2/sandboxes/{}{below}", encoded(&self.name)),
            &[],
        )
    }

    /// Asks something of the session that runs. A session that ended did nothing of what it was asked.
    pub(crate) fn ask(
        &self,
        what: &str,
        filled: impl Fn(Request) -> Result<Request>,
    ) -> Result<Response> {
        let ask = |session: &str| {
            let path = format!("/v2/sandboxes/sessions/{session}/{what}");
            filled(Request::post(self.place().url(&path, &[])))?.send()
        };
        let first = ask(&self.session)?;
        if !matches!(first.status(), 404 | 410 | 422) {
            return first.success();
        }
        let told = match self.place().look(&self.name, false) {
            Err(error) if error.code == Code::NotFound => {
                let message = "the sandbox was deleted";
                return Err(Error::new(Code::SandboxUnavailable, message));
            }
            told => told?,
        };
        match told.stage() {
            Stage::Running if told.session.id == self.session => first.success(),
            Stage::Running if !is_plain(&told.session.id) => {
                Err(Error::corrupt("a session without an id"))
            }
            Stage::Running => ask(&told.session.id)?.success(),
            _ => {
                let message = format!("the sandbox is {}", told.session.status);
                Err(Error::new(Code::SandboxUnavailable, message).again())
            }
        }
    }
}

/// Makes a sandbox, of a snapshot where one is given, and waits until it runs.
pub(crate) fn create(
    settings: &Settings,
    options: &Options,
    snapshot: Option<&str>,
) -> Result<State> {
    let mut asked = json!({
        "persistent": true,
        "timeout": settings.session_ms,
        "env": object(&options.environment),
    });
    let text = |text: &Option<String>| text.as_deref().map(Value::from);
    let closed = options.closed()?.unwrap_or(false);
    let tags = (!options.metadata.is_empty()).then(|| Value::Object(object(&options.metadata)));
    for (name, value) in [
        ("projectId", text(&settings.project)),
        ("runtime", text(&settings.runtime)),
        ("image", text(&settings.image)),
        ("tags", tags),
        (
            "resources",
            settings.vcpus.map(|vcpus| json!({ "vcpus": vcpus })),
        ),
        (
            "networkPolicy",
            closed.then(|| json!({ "mode": "deny-all" })),
        ),
        (
            "source",
            snapshot.map(|id| json!({ "type": "snapshot", "snapshotId": id })),
        ),
    ] {
        if let Some(value) = value {
            asked[name] = value;
        }
    }
    // What is of a runtime is made by the older form of the question.
    let version = if settings.runtime.is_some() {
        "v2"
    } else {
        "v3"
    };
    let place = settings.place();
    let url = place.url(&format!("/{version}/sandboxes"), &[]);
    let answer = unreachable_is_unavailable(Request::post(url).json(&asked)?.send())?;
    let made: Told = answer.success().map_err(no_snapshot)?.json()?;
    made_ready(settings, made)
}

fn made_ready(settings: &Settings, made: Told) -> Result<State> {
    let place = settings.place();
    let name = made.sandbox.name.clone();
    let ready = place.reach(made, Stage::Running);
    ready
        .and_then(|told| settings.state(told))
        .inspect_err(|_| {
            // The error that is told is the first one.
            let _ = delete(&place, &name);
        })
}

/// A snapshot that is gone is told as 410.
fn no_snapshot(error: Error) -> Error {
    match error.message.contains("snapshot_not_found") {
        true => error.with_code(Code::NotFound),
        false => error,
    }
}

/// Reaches a sandbox by its name, waking it where it sleeps.
pub(crate) fn connect(name: &str, settings: &Settings) -> Result<State> {
    if !is_plain(name) {
        let message = "a reference to a Vercel sandbox is its name";
        return Err(Error::new(Code::Invalid, message));
    }
    settings.state(settings.place().wake(name)?)
}

pub(crate) fn resume(state: &State) -> Result<State> {
    beside(state, state.place().wake(&state.name)?)
}

/// Ends the session; the files of the sandbox are kept. Where others do the same at once, it is enough that
/// the session ended after this was called, and the next one may run already.
pub(crate) fn stop(state: &State) -> Result<()> {
    let place = state.place();
    let mut told = place.look(&state.name, false)?;
    if told.stage() == Stage::Pending {
        told = place.reach(told, Stage::Running)?;
    }
    let session = told.session.id.clone();
    if told.stage() == Stage::Running {
        let url = format!("/v2/sandboxes/sessions/{session}/stop");
        let answer = Request::post(place.url(&url, &[])).send()?;
        // Another call ended it, or is about to.
        if !matches!(answer.status(), 410 | 422) {
            answer.success()?;
        }
    }
    let stage = |told: &Told| match told.session.id == session {
        true => told.stage(),
        false => Stage::Suspended,
    };
    settled(told, Stage::Suspended, stage, || {
        place.look(&state.name, false)
    })
    .map(drop)
}

/// Captures the files. The service ends the session for it, so the sandbox is woken again.
pub(crate) fn snapshot(state: &State) -> Result<(String, Option<u64>)> {
    #[derive(Deserialize)]
    struct Taken {
        snapshot: Snapshot,
    }
    #[derive(Deserialize)]
    #[serde(rename_all = "camelCase")]
    struct Snapshot {
        id: String,
        size_bytes: Option<u64>,
    }
    let taken: Taken = state.ask("snapshot", Ok)?.json()?;
    resume(state)?;
    Ok((taken.snapshot.id, taken.snapshot.size_bytes))
}

/// Sets the sandbox back: its next session begins with the snapshot.
pub(crate) fn restore(state: &State, snapshot: &str) -> Result<State> {
    look_for(state, snapshot)?;
    stop(state)?;
    let asked = json!({ "currentSnapshotId": snapshot });
    let request = Request::new(patch(), state.url("")).json(&asked)?;
    request.send()?.success().map_err(no_snapshot)?;
    resume(state)
}

fn patch() -> offshoot_connector::bindings::wasi::http::types::Method {
    offshoot_connector::bindings::wasi::http::types::Method::Patch
}

/// Refuses a snapshot that is not there.
fn look_for(state: &State, snapshot: &str) -> Result<()> {
    let path = format!("/v2/sandboxes/snapshots/{}", encoded(snapshot));
    let request = Request::get(state.place().url(&path, &[]));
    request.send()?.success().map_err(no_snapshot).map(drop)
}

pub(crate) fn delete_snapshot(state: &State, snapshot: &str) -> Result<()> {
    let path = format!("/v2/sandboxes/snapshots/{}", encoded(snapshot));
    let request = Request::delete(state.place().url(&path, &[]));
    gone_is_fine(request.send()?.success().map_err(no_snapshot))
}

/// A copy. The service copies what the sandbox had when its last session ended, so this one ends first.
pub(crate) fn fork(state: &State) -> Result<State> {
    stop(state)?;
    let asked = json!({ "persistent": true, "timeout": state.session_ms });
    let request = Request::post(state.url("/fork")).json(&asked)?;
    let branch = request.send().and_then(Response::success);
    resume(state)?;
    let made: Told = branch?.json()?;
    let name = made.sandbox.name.clone();
    let place = state.place();
    let ready = place.reach(made, Stage::Running);
    ready.and_then(|told| beside(state, told)).inspect_err(|_| {
        let _ = delete(&place, &name);
    })
}

pub(crate) fn end(state: &State) -> Result<()> {
    delete(&state.place(), &state.name)
}

fn delete(place: &Place<'_>, name: &str) -> Result<()> {
    let url = place.url(&format!("/v2/sandboxes/{}", encoded(name)), &[]);
    gone_is_fine(Request::delete(url).send()?.success())
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    match state.place().look(&state.name, false) {
        Ok(told) => Ok(told.stage()),
        Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}
