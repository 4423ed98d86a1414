//! From blocking calls to asynchronous ones.

use std::future::Future;
use std::sync::mpsc;

use tokio::runtime::{Builder, Runtime};

use crate::{Error, Result};

/// A runtime of its own, so that it can be waited for from any thread, those of another runtime
/// included.
pub(super) struct Bridge(Option<Runtime>);

impl Bridge {
    pub(super) fn new() -> Result<Bridge> {
        let runtime = Builder::new_multi_thread()
            .worker_threads(2)
            .thread_name("offshoot-store")
            .enable_all()
            .build()
            .map_err(|error| Error::io("start threads", &error))?;
        Ok(Bridge(Some(runtime)))
    }

    /// Runs a future to its end.
    pub(super) fn wait<T: Send + 'static>(
        &self,
        future: impl Future<Output = object_store::Result<T>> + Send + 'static,
    ) -> object_store::Result<T> {
        let gone = || object_store::Error::Generic {
            store: "offshoot",
            source: "the runtime has stopped".into(),
        };
        let Some(runtime) = &self.0 else {
            return Err(gone());
        };
        let (sender, receiver) = mpsc::sync_channel(1);
        runtime.spawn(async move {
            // Nobody waits any more only where the thread was killed.
            let _ = sender.send(future.await);
        });
        receiver.recv().unwrap_or_else(|_| Err(gone()))
    }
}

impl Drop for Bridge {
    fn drop(&mut self) {
        // Waiting for its threads is not allowed on a thread of another runtime.
        if let Some(runtime) = self.0.take() {
            runtime.shutdown_background();
        }
    }
}
