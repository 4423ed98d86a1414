//! Instances of one component: each call gets one to itself, under limits.

use std::future::Future;
use std::panic::AssertUnwindSafe;
use std::pin::{Pin, pin};
use std::sync::{Arc, Mutex, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;

use futures::FutureExt;
use offshoot_backend::{Code, Error, Result};
use offshoot_kernel::Engine;
use tokio::sync::{OwnedSemaphorePermit, Semaphore, SemaphorePermit};
use wasmtime::Store;
use wasmtime::component::Component;

use crate::bindings::{Provider, ProviderPre, wit};
use crate::convert;
use crate::guest::{self, Guest, Spent};
use crate::manifest::Limits;
use crate::outgoing::Way;

/// Instances that wait for the next call.
const PARKED: usize = 8;
/// Bytes of memory above which an instance does not wait for another call: memory never shrinks.
const LARGE: u64 = 16 << 20;

/// Makes and keeps the instances.
pub(crate) struct Instances {
    name: String,
    engine: Engine,
    pre: ProviderPre<Guest>,
    limits: Limits,
    way: Option<Way>,
    parked: Mutex<Vec<Instance>>,
    calls: Arc<Semaphore>,
    /// Apart from calls, so that a command can be killed however many run.
    commands: Arc<Semaphore>,
}

/// One instance, between two calls or in one.
pub(crate) struct Instance {
    pub(crate) store: Store<Guest>,
    pub(crate) provider: Provider,
}

impl Instance {
    /// Begins to count what a call costs.
    pub(crate) fn begin(&mut self) {
        self.store.data_mut().begin();
        self.store.set_epoch_deadline(1);
    }

    /// The interface of the component.
    pub(crate) fn split(&mut self) -> (&mut Store<Guest>, &wit::Guest) {
        (&mut self.store, self.provider.offshoot_sandbox_backend())
    }
}

/// A place for one more command.
pub(crate) struct Place(#[allow(dead_code, reason = "dropping it frees it")] OwnedSemaphorePermit);

/// What came of a function of the component.
pub(crate) enum Outcome<T> {
    Returned(wasmtime::Result<std::result::Result<T, wit::Error>>),
    Panicked,
    Late,
}

/// An instance for one call.
pub(crate) struct Lease<'a> {
    instances: &'a Instances,
    instance: Instance,
    operation: &'static str,
    _permit: SemaphorePermit<'a>,
}

impl Lease<'_> {
    /// The interface of the component.
    pub(crate) fn split(&mut self) -> (&mut Store<Guest>, &wit::Guest) {
        self.instance.split()
    }

    /// The result of the call; an instance that can be used again is kept.
    pub(crate) fn settle<T>(mut self, outcome: Outcome<T>) -> Result<T> {
        let settled = self
            .instances
            .settle(self.operation, &mut self.instance, outcome)?;
        self.instances.park(self.instance);
        settled.map_err(|error| self.instances.on(convert::error(error, self.operation)))
    }
}

/// Calls a function of the component on an instance of its own.
macro_rules! call {
    ($instances:expr, $operation:expr, $function:ident($($argument:expr),* $(,)?)) => {{
        let instances = &$instances;
        let mut lease = instances.lease($operation).await?;
        let (store, backend) = lease.split();
        let time = Some(instances.call_time());
        let outcome = instances
            .drive(backend.$function(store $(, $argument)*), time)
            .await;
        lease.settle(outcome)
    }};
}
pub(crate) use call;

impl Instances {
    pub(crate) fn new(
        name: &str,
        engine: &Engine,
        component: &Component,
        limits: Limits,
        way: Option<Way>,
    ) -> Result<Instances> {
        let refused = |error: wasmtime::Error| {
            let message = format!("not a connector of this version: {error:#}");
            Error::new(Code::Invalid, "load", message).on(name.to_owned())
        };
        let linker = guest::linker(engine.wasm()).map_err(refused)?;
        let pre = linker.instantiate_pre(component).map_err(refused)?;
        let permits = || Arc::new(Semaphore::new(limits.instances.max(1) as usize));
        Ok(Instances {
            name: name.to_owned(),
            engine: engine.clone(),
            pre: ProviderPre::new(pre).map_err(refused)?,
            limits,
            way,
            parked: Mutex::default(),
            calls: permits(),
            commands: permits(),
        })
    }

    pub(crate) fn limits(&self) -> &Limits {
        &self.limits
    }

    /// Waits for a place for one more command.
    pub(crate) async fn place(&self) -> Result<Place> {
        let permit = Arc::clone(&self.commands).acquire_owned().await;
        permit.map(Place).map_err(|_| self.closed("spawn"))
    }

    /// How long a call may take.
    pub(crate) fn call_time(&self) -> Duration {
        Duration::from_millis(self.limits.call_ms)
    }

    /// Waits for an instance for one call.
    pub(crate) async fn lease(&self, operation: &'static str) -> Result<Lease<'_>> {
        let waited = tokio::time::timeout(self.call_time(), self.calls.acquire()).await;
        let permit = match waited {
            Ok(permit) => permit.map_err(|_| self.closed(operation))?,
            Err(_) => return Err(self.late(operation)),
        };
        Ok(Lease {
            instances: self,
            instance: self.take(operation).await?,
            operation,
            _permit: permit,
        })
    }

    /// An instance that waited, or a new one.
    pub(crate) async fn take(&self, operation: &'static str) -> Result<Instance> {
        let parked = self.lock().pop();
        if let Some(mut instance) = parked {
            instance.begin();
            return Ok(instance);
        }
        let mut store = guest::store(
            self.engine.wasm(),
            Guest::new(self.limits, self.way.clone()),
        );
        let made = self.pre.instantiate_async(&mut store);
        match ticking(&self.engine, made).await {
            Ok(provider) => Ok(Instance { store, provider }),
            Err(error) => Err(self.on(failed(operation, &mut store, &error))),
        }
    }

    /// Runs a function of the component, not longer than `time`.
    pub(crate) async fn drive<T>(
        &self,
        function: impl Future<Output = wasmtime::Result<std::result::Result<T, wit::Error>>>,
        time: Option<Duration>,
    ) -> Outcome<T> {
        let driven = AssertUnwindSafe(ticking(&self.engine, function)).catch_unwind();
        let ended = match time {
            Some(time) => tokio::time::timeout(time, driven).await,
            None => Ok(driven.await),
        };
        match ended {
            Ok(Ok(returned)) => Outcome::Returned(returned),
            Ok(Err(_)) => Outcome::Panicked,
            Err(_) => Outcome::Late,
        }
    }

    /// What the component returned. Where it did not, the instance must not be used again.
    pub(crate) fn settle<T>(
        &self,
        operation: &'static str,
        instance: &mut Instance,
        outcome: Outcome<T>,
    ) -> Result<std::result::Result<T, wit::Error>> {
        match outcome {
            Outcome::Returned(Ok(answer)) => Ok(answer),
            Outcome::Returned(Err(error)) => {
                Err(self.on(failed(operation, &mut instance.store, &error)))
            }
            Outcome::Late => Err(self.late(operation)),
            Outcome::Panicked => {
                let message = "the host of the connector failed";
                Err(self.on(Error::new(Code::Died, operation, message)))
            }
        }
    }

    fn late(&self, operation: &'static str) -> Error {
        let time = self.limits.call_ms;
        let message = format!("no answer of the connector within {time} ms");
        self.on(Error::new(Code::Timeout, operation, message))
    }

    fn closed(&self, operation: &'static str) -> Error {
        let message = "the connector is closed";
        self.on(Error::new(Code::SandboxUnavailable, operation, message))
    }

    /// The error, of this backend.
    pub(crate) fn on(&self, error: Error) -> Error {
        error.on(self.name.clone())
    }

    /// Keeps an instance for the next call.
    pub(crate) fn park(&self, instance: Instance) {
        let mut parked = self.lock();
        if parked.len() < PARKED && instance.store.data().memory <= LARGE {
            parked.push(instance);
        }
    }

    fn lock(&self) -> std::sync::MutexGuard<'_, Vec<Instance>> {
        self.parked.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// The error of a call that did not return.
fn failed(operation: &'static str, store: &mut Store<Guest>, error: &wasmtime::Error) -> Error {
    let guest = store.data_mut();
    let (code, message) = match guest.spent {
        Spent::Memory => (
            Code::Limit,
            "limit reached: memory of the connector".to_owned(),
        ),
        Spent::Compute => (
            Code::Limit,
            "limit reached: time to compute of the connector".to_owned(),
        ),
        Spent::Nothing => {
            let said = guest.log.last_line();
            let separator = if said.is_empty() { "" } else { ": " };
            let cause = error.root_cause();
            let message = format!("the connector failed: {cause}{separator}{said}");
            (Code::Died, message)
        }
    };
    Error::new(code, operation, convert::plain(&message))
}

/// Lets the epoch move while the guest computes, and not while it waits.
async fn ticking<F: Future>(engine: &Engine, future: F) -> F::Output {
    struct Ticking<'a, F>(&'a Engine, Pin<&'a mut F>);

    impl<F: Future> Future for Ticking<'_, F> {
        type Output = F::Output;

        fn poll(mut self: Pin<&mut Self>, context: &mut Context<'_>) -> Poll<F::Output> {
            let _running = self.0.running();
            self.1.as_mut().poll(context)
        }
    }

    let future = pin!(future);
    Ticking(engine, future).await
}
