//! Sandboxes that several processes want at once: who waits, for whom, and who is told that it was lost.

use super::amend::is_gone;
use super::record::is_awake;
use super::service::{Sandboxes, read};
use crate::context::Taking;
use crate::error::{Below, Code, Error, Result};
use offshoot_store::{ObjectId, Ref, State};
use std::future::Future;
use std::time::Duration;
use tokio::time::Instant;

/// The longest pause between two looks at a sandbox that another process has awake.
const LONGEST_PAUSE: Duration = Duration::from_millis(250);

/// A wait that nobody has to hear of.
const SHORT_WAIT: Duration = Duration::from_millis(300);

impl Sandboxes {
    /// Tries something again as long as another process has the sandbox awake, and patience lasts.
    pub(super) async fn patiently<T, F>(&self, mut attempt: impl FnMut() -> F) -> Result<T>
    where
        F: Future<Output = Result<T>>,
    {
        let start = Instant::now();
        let mut pause = Duration::from_millis(5);
        let mut told = false;
        loop {
            let waited = start.elapsed();
            match attempt().await {
                Err(error)
                    if error.code() == Code::Conflict
                        && error.retryable()
                        && waited < self.0.patience =>
                {
                    if let Some(tell) = &self.0.on_wait
                        && !told
                        && waited >= SHORT_WAIT
                    {
                        let left = (self.0.patience - waited).as_secs();
                        tell(&format!("{}; waiting up to {left} s", error.message()));
                        told = true;
                    }
                }
                done => return done,
            }
            tokio::time::sleep(pause).await;
            pause = (pause * 2).min(LONGEST_PAUSE);
        }
    }

    /// The present state of a sandbox as a commit. Where another process has it awake, this waits for it
    /// to sleep as long as patience lasts; where that process is gone, its last commit is all there is.
    pub(super) async fn present(&self, name: &str) -> Result<ObjectId> {
        let slot = self.slot(name);
        let live = slot.live.lock().await;
        if let Some(live) = live.as_ref() {
            return self.checkpoint_live(name, live, None, Taking::Whole).await;
        }
        drop(live);
        self.patiently(|| self.last(name)).await
    }

    /// The last commit of a sandbox that nobody has awake.
    async fn last(&self, name: &str) -> Result<ObjectId> {
        let owned = name.to_owned();
        self.own_blocking("read", move |store| {
            let (found, _) = read(store, &owned)?;
            let now = store.now();
            let now = now.map_err(|error| Error::store("read", &error))?;
            let lapsed = found.lease_until.is_some_and(|until| until < now);
            let free = found.state == State::Suspended
                || is_awake(found.state) && (lapsed || is_gone(&**store.refs(), &found));
            match found.commit.filter(|_| free) {
                Some(commit) => Ok(commit),
                None => Err(busy("read", &owned, &found)),
            }
        })
        .await
    }
}

/// Another process took it over from this one.
pub(super) fn fenced(operation: &'static str, name: &str) -> Error {
    let message = format!(
        "another process took {name} over while this one was stopped or cut off; \
         what changed here since its last state is lost"
    );
    Error::new(Code::Fenced, operation, message)
}

/// The owner of a ref, in words.
fn who(found: &Ref) -> String {
    let owner = found.owner.as_deref();
    let process = owner.and_then(|owner| owner.split_once('-'));
    match process.filter(|(process, _)| process.parse::<u32>().is_ok()) {
        Some((process, _)) => format!("process {process}"),
        None => owner.unwrap_or("somebody").to_owned(),
    }
}

/// Another process has it awake.
pub(super) fn busy(operation: &'static str, name: &str, found: &Ref) -> Error {
    let state = found.state.name();
    let message = format!("{name} is {state}, and {} has it awake", who(found));
    Error::new(Code::Conflict, operation, message).with_retryable(true)
}
