//! The cluster: started where it sleeps, and never stopped, as it is the user's.

use offshoot_connector::control::unreachable_is_unavailable;
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{Code, Error, Result};
use serde::Deserialize;
use serde_json::json;
use std::thread;
use std::time::Duration;

use crate::settings::State;

/// The longest time between two looks: a cluster takes minutes to start.
const LOOK: Duration = Duration::from_secs(5);

/// What the service tells of a cluster.
#[derive(Deserialize)]
struct Cluster {
    state: String,
    #[serde(default)]
    state_message: String,
}

impl Cluster {
    fn runs(&self) -> bool {
        matches!(&*self.state, "RUNNING" | "RESIZING")
    }

    fn sleeps(&self) -> Error {
        let (state, why) = (&self.state, &self.state_message);
        let message = format!("the cluster is {state}: {why}");
        Error::new(Code::SandboxUnavailable, message)
    }
}

/// An error of the service as it words it: a cluster that is missing is not called so by the status.
#[derive(Deserialize, Default)]
#[serde(default)]
struct Refused {
    error_code: String,
    message: String,
}

fn look(state: &State) -> Result<Cluster> {
    let (host, id) = (&state.host, encoded(&state.cluster));
    let request = Request::get(format!("{host}/api/2.1/clusters/get?cluster_id={id}"));
    let mut answer = request.send()?;
    if answer.status() != 400 {
        return answer.success()?.json();
    }
    let body = answer.read(64 << 10)?;
    let refused: Refused = serde_json::from_slice(&body).unwrap_or_default();
    let missing = refused.error_code == "INVALID_PARAMETER_VALUE"
        && refused.message.contains("does not exist");
    let code = if missing {
        Code::NotFound
    } else {
        Code::Invalid
    };
    Err(Error::new(code, refused.message))
}

/// Whether the cluster is there and runs.
///
/// # Errors
/// Those of the service.
pub(crate) fn runs(state: &State) -> Result<bool> {
    match look(state) {
        Ok(cluster) => Ok(cluster.runs()),
        Err(error) if error.code == Code::NotFound => Ok(false),
        Err(error) => Err(error),
    }
}

/// Refuses a cluster that does not run.
///
/// # Errors
/// [`Code::SandboxUnavailable`] where it does not run, and those of the service.
pub(crate) fn check(state: &State) -> Result<()> {
    let cluster = look(state)?;
    match cluster.runs() {
        true => Ok(()),
        false => Err(cluster.sleeps()),
    }
}

/// Starts the cluster where it does not run, and waits. How long that may take is the host's limit of a call.
///
/// # Errors
/// [`Code::NotFound`] for no such cluster, [`Code::SandboxUnavailable`] where it cannot run.
pub(crate) fn wake(state: &State) -> Result<()> {
    let mut wait = Duration::from_millis(100);
    loop {
        let cluster = unreachable_is_unavailable(look(state))?;
        match &*cluster.state {
            _ if cluster.runs() => return Ok(()),
            "TERMINATED" => start(state)?,
            "PENDING" | "RESTARTING" | "TERMINATING" => {}
            _ => return Err(cluster.sleeps()),
        }
        thread::sleep(wait);
        wait = (wait * 2).min(LOOK);
    }
}

/// Sends a cluster on its way; one that somebody else sent is fine.
fn start(state: &State) -> Result<()> {
    let request = Request::post(format!("{}/api/2.1/clusters/start", state.host));
    let mut answer = request
        .json(&json!({ "cluster_id": state.cluster }))?
        .send()?;
    if answer.status() != 400 {
        return answer.success().map(drop);
    }
    let body = answer.read(64 << 10)?;
    let refused: Refused = serde_json::from_slice(&body).unwrap_or_default();
    match &*refused.error_code {
        "INVALID_STATE" => Ok(()),
        _ => Err(Error::new(Code::SandboxUnavailable, refused.message)),
    }
}
