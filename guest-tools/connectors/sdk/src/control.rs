//! What control planes have in common.

use std::thread;
use std::time::Duration;

use serde_json::{Map, Value};

use crate::{Code, Error, Network, Options, Result, Stage};

/// Between two looks at a sandbox that changes. How long that may take is the host's limit of a call.
const LOOK: Duration = Duration::from_millis(200);

/// Pairs as a JSON object.
pub fn object(pairs: &[(String, String)]) -> Map<String, Value> {
    let pairs = pairs.iter().cloned();
    pairs.map(|(name, value)| (name, value.into())).collect()
}

/// Whether a text can be an id, and so a part of URLs as it is.
pub fn is_plain(id: &str) -> bool {
    let plain = |byte: u8| byte.is_ascii_alphanumeric() || byte == b'-' || byte == b'_';
    !id.is_empty() && id.bytes().all(plain)
}

/// Before there is a sandbox, nothing can have died: the service cannot be reached.
///
/// # Errors
/// The same, with [`Code::SandboxUnavailable`] in place of [`Code::Died`].
pub fn unreachable_is_unavailable<T>(answer: Result<T>) -> Result<T> {
    answer.map_err(|error| match error.code {
        Code::Died => error.with_code(Code::SandboxUnavailable),
        _ => error,
    })
}

/// What is gone need not be ended.
///
/// # Errors
/// The same, but for [`Code::NotFound`].
pub fn gone_is_fine<T>(answer: Result<T>) -> Result<()> {
    match answer {
        Err(error) if error.code == Code::NotFound => Ok(()),
        answer => answer.map(drop),
    }
}

/// Looks until a sandbox is where it was sent.
///
/// # Errors
/// [`Code::Died`] where it failed on the way, [`Code::NotFound`] where it was deleted, and those of `look`.
pub fn settled<T>(
    mut told: T,
    wanted: Stage,
    stage: impl Fn(&T) -> Stage,
    look: impl Fn() -> Result<T>,
) -> Result<T> {
    loop {
        match stage(&told) {
            found if found == wanted => return Ok(told),
            Stage::Failed => return Err(Error::new(Code::Died, "the sandbox failed")),
            Stage::Deleted => return Err(Error::new(Code::NotFound, "the sandbox was deleted")),
            _ => {}
        }
        thread::sleep(LOOK);
        told = look()?;
    }
}

impl Options {
    /// Whether the way out is to be closed, where that was said: `Some(true)` for none, `None` for what the
    /// provider decides.
    ///
    /// # Errors
    /// [`Code::Capability`] for a way out that is the host's.
    pub fn closed(&self) -> Result<Option<bool>> {
        match self.network {
            None | Some(Network::Provider) => Ok(None),
            Some(Network::None) => Ok(Some(true)),
            Some(Network::Policy | Network::Host) => Err(Error::refused("this way out")),
        }
    }
}
