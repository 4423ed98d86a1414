//! Storing what running sandboxes have changed, so that a crash loses little or nothing.

use super::failure::{Code, Failure, Result};
use offshoot::Sandbox;
use offshoot::lifecycle::Sandboxes;
use offshoot_vfs::Vfs;
use std::sync::Arc;
use std::time::Duration;
use tokio::sync::{Mutex, Notify};
use tokio::task::AbortHandle;

/// The longest pause between two attempts to store what could not be stored.
const LONGEST_BACK_OFF: Duration = Duration::from_secs(30);

/// The pause between two looks at a sandbox in which commands run, where every answer is stored.
const BUSY: Duration = Duration::from_millis(500);

/// When what an operation changed is stored durably. Calls that make, pause, snapshot and fork sandboxes
/// are always durable when they are answered.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
#[non_exhaustive]
pub enum Durability {
    /// Before it is answered; of a command, before its end is told.
    BeforeAnswer,
    /// Within this time after the answer, as far as the store keeps up.
    Within(Duration),
    /// When the sandbox pauses, or the endpoint ends.
    AtPause,
}

impl Default for Durability {
    /// Within a second.
    fn default() -> Durability {
        Durability::Within(Duration::from_secs(1))
    }
}

/// Stores one sandbox while it is awake.
pub(super) struct Saver {
    sandboxes: Sandboxes,
    id: String,
    vfs: Vfs,
    /// The files as they were stored last; none when it is over.
    stored: Mutex<Option<Vfs>>,
    touched: Notify,
    durability: Durability,
}

impl Saver {
    /// Begins with a sandbox that has just been woken, and so is as it is stored.
    pub(super) fn new(
        sandboxes: &Sandboxes,
        (id, sandbox): (&str, &Sandbox),
        durability: Durability,
    ) -> Saver {
        let is_kept = durability != Durability::AtPause;
        Saver {
            sandboxes: sandboxes.clone(),
            id: id.to_owned(),
            vfs: sandbox.vfs().clone(),
            stored: Mutex::new(is_kept.then(|| sandbox.vfs().fork())),
            touched: Notify::new(),
            durability,
        }
    }

    /// Stores in the background what is touched, until what is returned is dropped; over and over while
    /// `is_busy` says that something goes on, since files may change at any time then.
    pub(super) fn keep(
        self: Arc<Saver>,
        is_busy: impl Fn() -> bool + Send + 'static,
    ) -> Option<Keeper> {
        let pause = match self.durability {
            // Half the time, since storing takes time as well.
            Durability::Within(time) => time / 2,
            // Commands that run are stored now and then as well.
            Durability::BeforeAnswer => BUSY,
            Durability::AtPause => return None,
        };
        let task = tokio::spawn(async move {
            loop {
                self.touched.notified().await;
                let mut next = pause;
                loop {
                    tokio::time::sleep(next).await;
                    next = match self.store().await {
                        Ok(()) if !is_busy() => break,
                        Ok(()) => pause,
                        Err(_) => (next * 2).min(LONGEST_BACK_OFF),
                    };
                }
            }
        });
        Some(Keeper(task.abort_handle()))
    }

    /// Something may have changed.
    pub(super) fn touch(&self) {
        self.touched.notify_one();
    }

    /// What must be done before an operation is answered.
    pub(super) async fn settle(&self) -> Result<()> {
        match self.durability {
            Durability::BeforeAnswer => self.store().await,
            _ => Ok(()),
        }
    }

    /// Ends it, and waits until nothing is being stored.
    pub(super) async fn end(&self) {
        *self.stored.lock().await = None;
    }

    /// Stores what has changed since it was last stored. Of many callers at once one does it for all.
    async fn store(&self) -> Result<()> {
        let mut stored = self.stored.lock().await;
        let Some(before) = stored.as_mut() else {
            return Ok(());
        };
        let now = self.vfs.fork();
        if now.is_same_tree(before) {
            return Ok(());
        }
        self.sandboxes.checkpoint(&self.id).await.map_err(|error| {
            let message = format!("it was done, but could not be stored: {error}");
            Failure::new(Code::Unavailable, message)
        })?;
        *before = now;
        Ok(())
    }
}

/// Ends the background task when it is dropped.
pub(super) struct Keeper(AbortHandle);

impl Drop for Keeper {
    fn drop(&mut self) {
        self.0.abort();
    }
}
