//! What outlives a sandbox: snapshots, forks made from them, and references.

use crate::environment::Environment;
use crate::error::{Code, Error, Result};
use serde::{Deserialize, Serialize};
use std::fmt;
use std::str::FromStr;
use std::sync::Arc;
use std::time::{SystemTime, UNIX_EPOCH};

/// An immutable capture of a sandbox. Its `id` means something to its backend alone.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Snapshot {
    /// The backend that can restore it.
    pub backend: String,
    /// What the backend knows it by.
    pub id: String,
    /// Bytes that it takes, where that is known.
    pub size: Option<u64>,
    /// The snapshot that the sandbox was last restored from or captured in.
    pub parent: Option<String>,
    /// The caller's name for it.
    pub label: Option<String>,
    /// When it was taken, in milliseconds since 1970.
    pub created_ms: u64,
}

impl Snapshot {
    /// A snapshot taken now.
    pub fn new(backend: impl Into<String>, id: impl Into<String>) -> Snapshot {
        let now = SystemTime::now().duration_since(UNIX_EPOCH);
        Snapshot {
            backend: backend.into(),
            id: id.into(),
            size: None,
            parent: None,
            label: None,
            created_ms: now.map_or(0, |now| u64::try_from(now.as_millis()).unwrap_or(u64::MAX)),
        }
    }

    /// The same with the caller's name for it.
    #[must_use]
    pub fn labelled(mut self, label: Option<&str>) -> Snapshot {
        self.label = label.map(str::to_owned);
        self
    }

    /// Checks that this backend made it.
    ///
    /// # Errors
    /// `INVALID` where another one did.
    pub fn of(&self, backend: &str, operation: &'static str) -> Result<&str> {
        if self.backend == backend {
            return Ok(&self.id);
        }
        let message = format!("the snapshot is of the backend {}", self.backend);
        Err(Error::new(Code::Invalid, operation, message).on(backend.to_owned()))
    }
}

/// A prepared state that can be branched any number of times, also at the same time.
///
/// It is a snapshot with the sandbox whose settings the branches get.
#[derive(Debug, Clone)]
pub struct Fork {
    origin: Arc<dyn Environment>,
    snapshot: Snapshot,
}

impl Fork {
    /// Captures `origin` as it is now.
    ///
    /// # Errors
    /// As [`Environment::snapshot`].
    pub async fn new(origin: Arc<dyn Environment>, label: Option<&str>) -> Result<Fork> {
        let snapshot = origin.snapshot(label).await?;
        Ok(Fork { origin, snapshot })
    }

    /// A sandbox of its own in the captured state.
    ///
    /// # Errors
    /// As [`Environment::start`].
    pub async fn attach(&self) -> Result<Arc<dyn Environment>> {
        self.origin.start(&self.snapshot).await
    }

    /// What was captured.
    pub fn snapshot(&self) -> &Snapshot {
        &self.snapshot
    }

    /// Deletes what was captured; branches go on.
    ///
    /// # Errors
    /// As [`Environment::delete_snapshot`].
    pub async fn delete(self) -> Result<()> {
        self.origin.delete_snapshot(&self.snapshot).await
    }
}

/// How another holder, perhaps in another process, reaches a live sandbox. It holds no credential.
///
/// Its text form is versioned:
///
/// ```
/// use offshoot_backend::Reference;
/// let reference = Reference::new("docker", "4f1d");
/// let text = reference.to_string();
/// assert_eq!(text, r#"{"v":1,"provider":"docker","provider_data":"4f1d"}"#);
/// assert_eq!(text.parse::<Reference>()?, reference);
/// # Ok::<(), offshoot_backend::Error>(())
/// ```
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
#[non_exhaustive]
pub struct Reference {
    /// The version of the form.
    pub v: u32,
    /// The backend's name.
    pub provider: String,
    /// What the backend finds the sandbox by.
    pub provider_data: String,
}

/// The version of the form that this crate writes.
const VERSION: u32 = 1;

impl Reference {
    /// A reference in the present form.
    pub fn new(provider: impl Into<String>, provider_data: impl Into<String>) -> Reference {
        Reference {
            v: VERSION,
            provider: provider.into(),
            provider_data: provider_data.into(),
        }
    }
}

impl fmt::Display for Reference {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let text = serde_json::to_string(self).map_err(|_| fmt::Error)?;
        f.write_str(&text)
    }
}

impl FromStr for Reference {
    type Err = Error;

    fn from_str(text: &str) -> Result<Reference> {
        #[derive(Deserialize)]
        struct Version {
            v: u32,
        }
        let malformed = |error: serde_json::Error| {
            let message = format!("not a reference: {error}");
            Error::new(Code::Invalid, "attach", message)
        };
        let Version { v } = serde_json::from_str(text).map_err(malformed)?;
        if v > VERSION {
            let message = format!("the reference has version {v}, this is {VERSION}");
            return Err(Error::new(Code::TooNew, "attach", message));
        }
        serde_json::from_str(text).map_err(malformed)
    }
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn bad_references_have_their_codes() {
        for (text, code) in [
            ("", Code::Invalid),
            ("{}", Code::Invalid),
            (r#"{"v":1,"provider":"x"}"#, Code::Invalid),
            (r#"{"v":"1"}"#, Code::Invalid),
            (r#"{"v":2,"other":[]}"#, Code::TooNew),
        ] {
            assert_eq!(
                text.parse::<Reference>().unwrap_err().code(),
                code,
                "{text}"
            );
        }
    }

    #[test]
    fn a_snapshot_belongs_to_its_backend() {
        let snapshot = Snapshot::new("local", "1").labelled(Some("base"));
        assert_eq!(snapshot.of("local", "restore").unwrap(), "1");
        let error = snapshot.of("docker", "restore").unwrap_err();
        assert_eq!(
            (error.code(), error.backend()),
            (Code::Invalid, Some("docker"))
        );
        let text = serde_json::to_string(&snapshot).unwrap();
        assert_eq!(serde_json::from_str::<Snapshot>(&text).unwrap(), snapshot);
    }
}
