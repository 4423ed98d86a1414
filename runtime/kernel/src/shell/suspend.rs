//! Asking for a script to be suspended, from outside of it.

use std::fmt;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};

use futures::channel::oneshot;

use super::Suspended;
use crate::process::Entry;
use crate::{Error, Result};

/// Suspends an execution from elsewhere; clones act on the same one.
///
/// Give it to [`crate::Request::suspender`]. It may be asked before the execution starts.
///
/// A script can be suspended between any two of its commands and while it waits: for time, for
/// input, for its jobs. A program that it started has a state of its own and is not taken along.
#[derive(Clone, Default)]
pub struct Suspender(Arc<Mutex<State>>);

#[derive(Default)]
struct State {
    entry: Weak<Entry>,
    asked: Vec<Asked>,
    /// Counts what changed, so that the execution looks again.
    changes: u64,
    /// It runs, from its beginning or from where it was suspended.
    begun: bool,
    over: bool,
    /// It ends as soon as it can: it is not to be suspended any more.
    killed: bool,
    /// Who waits for the end.
    waiting: Vec<oneshot::Sender<()>>,
}

/// Somebody who wants the execution to be suspended.
pub(super) struct Asked {
    /// Waits until no command is in flight.
    pub(super) patient: bool,
    pub(super) answer: oneshot::Sender<Result<Paused>>,
}

/// A script that stands still, with what it is as data. Dropped, it goes on; see [`Paused::stop`].
pub struct Paused {
    suspended: Suspended,
    decision: oneshot::Sender<()>,
    suspender: Suspender,
}

impl Paused {
    pub(super) fn new(
        suspended: Suspended,
        suspender: &Suspender,
    ) -> (Paused, oneshot::Receiver<()>) {
        let (decision, decided) = oneshot::channel();
        let suspender = suspender.clone();
        let paused = Paused {
            suspended,
            decision,
            suspender,
        };
        (paused, decided)
    }

    /// The script as data.
    pub fn suspended(&self) -> &Suspended {
        &self.suspended
    }

    /// Ends the execution here and gives its instance back; the script exists as data only. The
    /// execution answers [`Error::Suspended`].
    pub async fn stop(self) -> Suspended {
        let over = self.suspender.over();
        let _ = self.decision.send(());
        over.await;
        self.suspended
    }
}

impl fmt::Debug for Paused {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_tuple("Paused").field(&self.suspended).finish()
    }
}

impl Suspender {
    /// For an execution that is yet to start.
    pub fn new() -> Suspender {
        Suspender::default()
    }

    /// Lets the script stand still where it is.
    ///
    /// # Errors
    /// [`Error::InFlight`] while a program or an applet is under way, [`Error::Over`] where the
    /// script has ended, [`Error::Kept`] for what cannot be kept, such as a script that was stopped by
    /// a signal.
    pub async fn pause(&self) -> Result<Paused> {
        self.ask(false).await
    }

    /// The same, but waits until no program is under way, and lets the script wait before it starts
    /// the next one. Dropping the future lets it go on.
    ///
    /// # Errors
    /// Those of [`Suspender::pause`], without [`Error::InFlight`].
    pub async fn pause_patiently(&self) -> Result<Paused> {
        self.ask(true).await
    }

    async fn ask(&self, patient: bool) -> Result<Paused> {
        // Dropped last: the execution finds that nobody asks any more.
        let _wake = Wake(self);
        let (answer, answered) = oneshot::channel();
        {
            let mut state = self.lock();
            if state.over {
                return Err(Error::Over);
            }
            let entry = state.entry.upgrade();
            if entry.is_some_and(|entry| entry.is_paused()) {
                return Err(Error::Kept("the script is stopped by a signal".to_owned()));
            }
            state.asked.push(Asked { patient, answer });
        }
        self.notify();
        answered.await.unwrap_or(Err(Error::Over))
    }

    /// Lets the execution look.
    fn notify(&self) {
        let mut state = self.lock();
        state.changes += 1;
        let entry = state.entry.upgrade();
        drop(state);
        if let Some(entry) = entry {
            entry.wake();
        }
    }

    pub(super) fn attach(&self, entry: &Arc<Entry>) {
        self.lock().entry = Arc::downgrade(entry);
    }

    /// Counts what changed since.
    pub(super) fn changes(&self) -> u64 {
        self.lock().changes
    }

    /// Says that the execution is killed, before it is: it is not suspended any more, and whoever asks hears
    /// at its end that it is over. Otherwise it could go on after a sleep that came first.
    pub fn kill(&self) {
        self.lock().killed = true;
    }

    /// Who asks now; of an execution that was killed nobody is answered before its end.
    pub(super) fn take(&self) -> Vec<Asked> {
        let mut state = self.lock();
        let entry = state.entry.upgrade();
        if state.killed || entry.is_some_and(|entry| entry.is_killed()) {
            return Vec::new();
        }
        let mut asked = std::mem::take(&mut state.asked);
        drop(state);
        asked.retain(|asked| !asked.answer.is_canceled());
        asked
    }

    /// Puts somebody back who goes on waiting.
    pub(super) fn put_back(&self, asked: Asked) {
        self.lock().asked.push(asked);
    }

    /// Whether the execution has begun. A suspended script that never does, because the engine fails
    /// or what it had open is gone, is what it was.
    pub fn has_begun(&self) -> bool {
        self.lock().begun
    }

    pub(super) fn begin(&self) {
        self.lock().begun = true;
    }

    /// Says that the execution is over, or never began: whoever asks now or later hears of it. For
    /// the embedder whose execution may be dropped before it starts.
    pub fn finish(&self) {
        let mut state = self.lock();
        state.over = true;
        let asked = std::mem::take(&mut state.asked);
        let waiting = std::mem::take(&mut state.waiting);
        drop(state);
        drop((asked, waiting));
    }

    /// Waits for the end of the execution.
    fn over(&self) -> impl Future<Output = ()> + use<> {
        let (ended, end) = oneshot::channel();
        let mut state = self.lock();
        if !state.over {
            state.waiting.push(ended);
        }
        drop(state);
        async move {
            let _ = end.await;
        }
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Tells the execution that somebody does not ask any more.
struct Wake<'a>(&'a Suspender);

impl Drop for Wake<'_> {
    fn drop(&mut self) {
        self.0.notify();
    }
}

/// Says at the end of an execution that it is over.
pub(super) struct Finish(pub(super) Suspender);

impl Drop for Finish {
    fn drop(&mut self) {
        self.0.finish();
    }
}

impl fmt::Debug for Suspender {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let state = self.lock();
        f.debug_struct("Suspender")
            .field("asked", &state.asked.len())
            .field("over", &state.over)
            .finish_non_exhaustive()
    }
}
