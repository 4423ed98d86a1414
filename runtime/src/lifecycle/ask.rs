//! Asking the process that has a sandbox awake to put it to sleep.

use super::amend::{Attempt, Kept};
use super::contend::busy;
use super::record::is_awake;
use super::service::Sandboxes;
use crate::error::Result;
use offshoot_store::{ObjectId, State};
use std::time::Duration;
use tokio::time::Instant;

/// The pause between two looks.
const PAUSE: Duration = Duration::from_millis(100);

impl Sandboxes {
    /// Puts a sandbox to sleep wherever it is awake: here as [`Sandboxes::suspend_patiently`] does,
    /// elsewhere by a note to its owner, for whose answer it waits as long as the service's
    /// [patience](super::SandboxesBuilder::patience).
    ///
    /// An owner without leases follows the note when it renews its claim; one with leases finds it by
    /// [`Sandboxes::asked_to_suspend`].
    ///
    /// # Errors
    /// Those of [`Sandboxes::suspend`]; `CONFLICT` where the owner did not follow in time.
    pub async fn ask_to_suspend(&self, name: &str) -> Result<ObjectId> {
        if self.slot(name).is_awake() {
            return self.suspend_patiently(name).await;
        }
        let end = Instant::now() + self.0.patience;
        let mut asked = false;
        loop {
            let (found, _) = self.read(name).await?;
            if let (State::Suspended, Some(commit)) = (found.state, found.commit) {
                return Ok(commit);
            }
            if is_awake(found.state) && self.lay_to_rest(name).await? {
                continue;
            }
            if !asked {
                let note = |attempt: &mut Attempt| {
                    attempt.record.asleep = true;
                    Ok(())
                };
                self.amend("suspend", name, Kept::WhileRunning, note)
                    .await?;
                asked = true;
            }
            if Instant::now() >= end {
                return Err(busy("suspend", name, &found));
            }
            tokio::time::sleep(PAUSE).await;
        }
    }

    /// Waits until somebody asks for the sandbox to be put to sleep, which is awake here. Whoever
    /// holds leases gives them back then, and calls [`Sandboxes::suspend_patiently`].
    ///
    /// # Errors
    /// `NOT_FOUND` where it was deleted, those of the store.
    pub async fn asked_to_suspend(&self, name: &str) -> Result<()> {
        loop {
            let (_, record) = self.read(name).await?;
            if record.asleep {
                return Ok(());
            }
            tokio::time::sleep(PAUSE).await;
        }
    }
}
