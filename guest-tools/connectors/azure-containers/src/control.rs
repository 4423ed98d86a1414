//! Container groups: made of one container, deleted, and gone with what they had once they stop.

use offshoot_connector::control::{gone_is_fine, object, settled, unreachable_is_unavailable};
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Error, Options, Result, Stage, machine, mark};
use serde::Deserialize;
use serde_json::{Value, json};

use crate::settings::{Settings, State};

/// The service's version.
const VERSION: &str = "2023-05-01";
/// The one container of a group.
const CONTAINER: &str = "sandbox";
/// Bytes that the service's tags take of a value.
const TAG: usize = 256;

/// What is told of a container group.
#[derive(Deserialize)]
struct Told {
    properties: Group,
}

#[derive(Deserialize)]
#[serde(rename_all = "camelCase")]
struct Group {
    #[serde(default)]
    provisioning_state: String,
    instance_view: Option<View>,
}

#[derive(Deserialize)]
struct View {
    state: Option<String>,
}

impl Told {
    fn stage(&self) -> Stage {
        let view = self.properties.instance_view.as_ref();
        let state = view
            .and_then(|view| view.state.as_deref())
            .unwrap_or_default();
        match (self.properties.provisioning_state.as_str(), state) {
            ("Failed" | "Canceled" | "Unhealthy", _) | (_, "Failed") => Stage::Failed,
            // What a container had is gone when it stops.
            ("Deleting", _) | (_, "Stopped" | "Succeeded" | "Terminated") => Stage::Deleted,
            ("Succeeded", "Running") => Stage::Running,
            _ => Stage::Pending,
        }
    }
}

impl Settings {
    fn state(&self, id: String) -> Result<State> {
        for (variable, value) in [
            ("AZURE_SUBSCRIPTION_ID", &self.subscription),
            ("AZURE_RESOURCE_GROUP", &self.resource_group),
        ] {
            if value.is_empty() {
                let message = format!("where containers are is not set: {variable}");
                return Err(Error::new(Code::Invalid, message));
            }
        }
        let (api, subscription) = (self.api.trim_end_matches('/'), encoded(&self.subscription));
        let group = encoded(&self.resource_group);
        let provider = "providers/Microsoft.ContainerInstance/containerGroups";
        Ok(State {
            id,
            groups: format!("{api}/subscriptions/{subscription}/resourceGroups/{group}/{provider}"),
        })
    }

    /// What a new container group is asked to be.
    fn asked(&self, options: &Options) -> Value {
        let variables: Vec<Value> = options
            .environment
            .iter()
            .map(|(name, value)| json!({ "name": name, "secureValue": value }))
            .collect();
        let mut asked = json!({
            "tags": object(&options.metadata),
            "properties": {
                "osType": "Linux",
                "restartPolicy": "Never",
                "containers": [{
                    "name": CONTAINER,
                    "properties": {
                        "image": self.image,
                        "command": ["/bin/sleep", "infinity"],
                        "environmentVariables": variables,
                        "resources": {
                            "requests": { "cpu": self.cpu, "memoryInGB": self.memory_gb },
                        },
                    },
                }],
            },
        });
        if let Some(location) = &self.location {
            asked["location"] = location.as_str().into();
        }
        asked
    }
}

impl State {
    fn url(&self, below: &str) -> String {
        format!(
            "{}/{}{below}?api-version={VERSION}",
            self.groups,
            encoded(&self.id)
        )
    }

    fn look(&self) -> Result<Told> {
        Request::get(self.url("")).send()?.success()?.json()
    }

    /// Whether the container can be asked for something.
    fn stage(&self) -> Result<Stage> {
        match self.look() {
            Ok(told) => Ok(told.stage()),
            Err(error) if error.code == Code::NotFound => Ok(Stage::Deleted),
            Err(error) => Err(error),
        }
    }

    /// Asks for a terminal with a program: its address, and the password that is said first.
    pub(crate) fn terminal(&self, program: &str) -> Result<(String, String)> {
        #[derive(Deserialize)]
        #[serde(rename_all = "camelCase")]
        struct Terminal {
            web_socket_uri: String,
            password: String,
        }
        let asked = json!({ "command": program, "terminalSize": { "rows": 24, "cols": 80 } });
        let url = self.url(&format!("/containers/{CONTAINER}/exec"));
        let answer = Request::post(url).json(&asked)?.send()?;
        if matches!(answer.status(), 400 | 404 | 409) && self.stage()? != Stage::Running {
            let message = "the container has ended, and its files with it";
            return Err(Error::new(Code::SandboxUnavailable, message));
        }
        let told: Terminal = answer.success()?.json()?;
        Ok((told.web_socket_uri, told.password))
    }
}

/// Makes a container group, waits until it runs, and marks its container.
pub(crate) fn create(settings: &Settings, options: &Options) -> Result<State> {
    if let Some((name, _)) = options.metadata.iter().find(|(_, value)| value.len() > TAG) {
        let message = format!("limit reached: {name}: a tag of more than {TAG} bytes");
        return Err(Error::new(Code::Limit, message));
    }
    let state = settings.state(format!("offshoot-{}", unique()))?;
    let request = Request::put(state.url("")).json(&settings.asked(options))?;
    let answer = unreachable_is_unavailable(request.send())?;
    let told: Told = answer.success()?.json()?;
    let shell = |words: &[String]| state.shell(&machine::text(words));
    settled(told, Stage::Running, Told::stage, || state.look())
        .and_then(|_| mark::set(&state.id, shell))
        .inspect_err(|_| {
            // The error that is told is the first one.
            let _ = end(&state);
        })?;
    Ok(state)
}

/// Finds a container that was made here by its group's name.
pub(crate) fn find(id: &str, settings: &Settings) -> Result<State> {
    let state = settings.state(id.to_owned())?;
    match mark::find(id, &state) {
        Err(error) if error.code == Code::SandboxUnavailable => match state.stage()? {
            Stage::Deleted => Err(Error::new(Code::NotFound, format!("no sandbox {id}"))),
            _ => Err(error),
        },
        found => found.map(|()| state),
    }
}

/// Deletes a container group; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    gone_is_fine(Request::delete(state.url("")).send()?.success())
}

pub(crate) fn life(state: &State) -> Result<Stage> {
    match state.stage()? {
        Stage::Running => mark::life(state),
        stage => Ok(stage),
    }
}
