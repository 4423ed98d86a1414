//! Execution contexts: a Python on the cluster's driver, which runs one command after the other. So that
//! commands of a sandbox run beside each other, each has a context of its own, and whatever goes wrong ends with
//! it.

use offshoot_connector::http::{Request, encoded};
use offshoot_connector::{Code, Error, Result};
use serde::Deserialize;
use serde_json::{Value, json};
use std::thread;
use std::time::Duration;

use crate::cluster;
use crate::settings::State;

/// The first time between two looks at what runs, which doubles up to [`LOOK`].
const FIRST_LOOK: Duration = Duration::from_millis(10);
const LOOK: Duration = Duration::from_secs(1);
/// Bytes of an answer: what a command prints, as JSON.
const ANSWER: usize = 8 << 20;

/// A context, which ends when it is dropped.
pub(crate) struct Context<'a> {
    state: &'a State,
    id: String,
}

#[derive(Deserialize)]
struct Named {
    id: String,
}

#[derive(Deserialize)]
struct Status {
    status: String,
    results: Option<Results>,
}

#[derive(Deserialize, Default)]
#[serde(default, rename_all = "camelCase")]
struct Results {
    result_type: String,
    data: Value,
    summary: String,
    cause: String,
    truncated: bool,
}

/// Looks until `ended`.
fn settled(look: impl Fn() -> Result<Status>, ended: impl Fn(&str) -> bool) -> Result<Status> {
    let mut wait = FIRST_LOOK;
    loop {
        let status = look()?;
        if ended(&status.status) {
            return Ok(status);
        }
        thread::sleep(wait);
        wait = (wait * 2).min(LOOK);
    }
}

impl<'a> Context<'a> {
    /// Begins one.
    ///
    /// # Errors
    /// [`Code::SandboxUnavailable`] where the cluster does not run, and those of the service.
    pub(crate) fn begin(state: &'a State) -> Result<Context<'a>> {
        let asked = json!({ "clusterId": state.cluster, "language": "python" });
        let request = Request::post(format!("{}/api/1.2/contexts/create", state.host));
        let answer = request.json(&asked)?.send()?;
        let status = answer.status();
        let named: Named = match answer.success() {
            Ok(answer) => answer.json()?,
            Err(error) => {
                // What the service says of a cluster that sleeps is not told from other refusals.
                if matches!(status, 400 | 404 | 500) {
                    cluster::check(state)?;
                }
                return Err(error);
            }
        };
        let context = Context {
            state,
            id: named.id,
        };
        let url = context.url("contexts/status");
        let look = || Request::get(url.as_str()).send()?.success()?.json();
        let begun = settled(look, |status| status != "Pending")?;
        match &*begun.status {
            "Running" => Ok(context),
            other => Err(Error::new(
                Code::Died,
                format!("the execution context is {other}"),
            )),
        }
    }

    fn url(&self, what: &str) -> String {
        let (host, cluster) = (&self.state.host, encoded(&self.state.cluster));
        let context = encoded(&self.id);
        format!("{host}/api/1.2/{what}?clusterId={cluster}&contextId={context}")
    }

    /// Runs Python to its end, and gives what it printed.
    ///
    /// # Errors
    /// [`Code::Died`] where it raised, was cancelled, or did not print all, and those of the service.
    pub(crate) fn run(&self, python: &str) -> Result<String> {
        let asked = json!({
            "clusterId": self.state.cluster, "contextId": self.id, "language": "python",
            "command": python,
        });
        let request = Request::post(format!("{}/api/1.2/commands/execute", self.state.host));
        let named: Named = request.json(&asked)?.send()?.success()?.json()?;
        let command = encoded(&named.id);
        let url = format!("{}&commandId={command}", self.url("commands/status"));
        let look = || {
            let body = Request::get(url.as_str()).send()?.success()?.read(ANSWER)?;
            serde_json::from_slice(&body).map_err(Error::corrupt)
        };
        let over = |status: &str| !matches!(status, "Queued" | "Running" | "Cancelling");
        let ended = settled(look, over)?;
        let results = ended.results.unwrap_or_default();
        printed(&ended.status, results)
    }
}

/// What a command printed that ended well.
fn printed(status: &str, results: Results) -> Result<String> {
    if status == "Finished" && results.result_type == "text" && !results.truncated {
        return match results.data {
            Value::String(text) => Ok(text),
            other => Err(Error::corrupt(format!("{other} where a text is due"))),
        };
    }
    let why = match () {
        () if results.truncated => "not all of its output was told".to_owned(),
        () if !results.summary.is_empty() => results.summary,
        () => results.cause,
    };
    let why: String = why.chars().take(500).collect();
    let message = format!("the command was not run: {status}: {why}");
    Err(Error::new(Code::Died, message))
}

impl Drop for Context<'_> {
    fn drop(&mut self) {
        let asked = json!({ "clusterId": self.state.cluster, "contextId": self.id });
        let request = Request::post(format!("{}/api/1.2/contexts/destroy", self.state.host));
        // The service ends a context that is left idle.
        let _ = request.json(&asked).and_then(Request::send);
    }
}
