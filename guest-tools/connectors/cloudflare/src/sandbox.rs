//! Sandboxes: an id from the bridge, whose container begins with whatever is asked of it.

use offshoot_connector::control::{gone_is_fine, unreachable_is_unavailable};
use offshoot_connector::http::Request;
use offshoot_connector::{Code, Error, Options, Result, mark};
use serde::Deserialize;

use crate::settings::{Settings, State};

#[derive(Deserialize)]
struct Made {
    id: String,
}

/// Makes a sandbox and marks its container.
pub(crate) fn begin(settings: &Settings, options: &Options) -> Result<State> {
    let answer = Request::post(settings.base()?).send();
    let made: Made =
        unreachable_is_unavailable(answer.and_then(|answer| answer.success()))?.json()?;
    if !is_id(&made.id) {
        return Err(Error::corrupt("the sandbox's id"));
    }
    let state = settings.state(made.id, options)?;
    mark::set(&state.id, |words| state.told(words)).inspect_err(|_| {
        // The error that is told is the first one.
        let _ = end(&state);
    })?;
    Ok(state)
}

/// Finds a sandbox that was made here by its id.
pub(crate) fn find(id: &str, settings: &Settings, options: &Options) -> Result<State> {
    if !is_id(id) {
        return Err(Error::new(Code::Invalid, "a reference is the sandbox's id"));
    }
    let state = settings.state(id.to_owned(), options)?;
    mark::find(id, &state)?;
    Ok(state)
}

/// Ends a sandbox; one that is gone is fine.
pub(crate) fn end(state: &State) -> Result<()> {
    gone_is_fine(Request::delete(state.place("")).send()?.success())
}

/// The bridge's own form of an id.
fn is_id(id: &str) -> bool {
    let letter = |byte: u8| matches!(byte, b'a'..=b'z' | b'2'..=b'7');
    (1..=128).contains(&id.len()) && id.bytes().all(letter)
}
