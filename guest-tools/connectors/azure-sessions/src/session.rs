//! Sessions: begun by whatever is asked of them, ended by their identifier.

use offshoot_connector::control::gone_is_fine;
use offshoot_connector::http::{Request, encoded};
use offshoot_connector::path::unique;
use offshoot_connector::{Code, Error, Options, Result, machine, mark};

use crate::settings::{Settings, State};

/// The service's version for commands and files.
pub(crate) const VERSION: &str = "2025-02-02-preview";
/// Its version for ending a session.
const END_VERSION: &str = "2025-10-02-preview";

impl Settings {
    fn state(&self, id: String, options: &Options) -> Result<State> {
        if self.endpoint.is_empty() {
            let message = "the pool's management endpoint is not set: AZURE_SESSION_POOL_ENDPOINT";
            return Err(Error::new(Code::Invalid, message));
        }
        Ok(State {
            id,
            endpoint: self.endpoint.trim_end_matches('/').to_owned(),
            environment: options.environment.clone(),
            command_seconds: self.command_seconds,
        })
    }
}

impl State {
    /// The address of something in the session.
    pub(crate) fn url(&self, what: &str, version: &str) -> String {
        let (endpoint, id) = (&self.endpoint, encoded(&self.id));
        format!("{endpoint}/{what}?identifier={id}&api-version={version}")
    }
}

/// Begins a session and marks it.
pub(crate) fn begin(settings: &Settings, options: &Options) -> Result<State> {
    let state = settings.state(format!("offshoot-{}", unique()), options)?;
    let shell = |words: &[String]| state.shell(&machine::text(words), None);
    mark::set(&state.id, shell).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = end(&state);
    })?;
    Ok(state)
}

/// Finds a session that was begun here by its identifier.
pub(crate) fn find(id: &str, settings: &Settings, options: &Options) -> Result<State> {
    let state = settings.state(id.to_owned(), options)?;
    mark::find(id, &state)?;
    Ok(state)
}

/// Ends a session; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    let request = Request::delete(state.url("session", END_VERSION));
    gone_is_fine(request.send()?.success())
}
