//! One instance of the shell component.

use std::sync::Arc;
use std::sync::atomic::{AtomicU64, Ordering};

use wasmtime::Store;
use wasmtime::component::ResourceAny;

use super::session::{Bin, Live};
use super::{Session, Setup, Stop, state_error};
use crate::descriptor::Descriptors;
use crate::engine::Place;
use crate::guest::{self, Guest, ShellGuest, ShellPre, shell_bindings};
use crate::limit::{HOST_CALL_BYTES, STATE_BYTES};
use crate::process::{Delivery, Entry, Startup, end_of};
use crate::{Kernel, Limit, Result};
use shell_bindings::SuspendError;

/// Numbers instances, so that a session knows whether its own still lives.
static NEXT: AtomicU64 = AtomicU64::new(0);

/// An instance with its store.
pub(super) struct Instance {
    pub(super) store: Store<Guest>,
    shell: ShellGuest,
    number: u64,
    bin: Bin,
    /// The setup of the last fresh execution, and a session that has nothing else in it.
    template: Option<(Arc<Setup>, ResourceAny)>,
    /// Dropped last; none for one that is a process of its own, whose place is counted there.
    _place: Option<Place>,
}

impl Instance {
    /// Instantiates the shell to run on behalf of `entry`.
    pub(super) async fn new(
        kernel: &Kernel,
        program: &ShellPre<Guest>,
        entry: Arc<Entry>,
    ) -> Result<Instance> {
        let place = Place::take(kernel).ok_or(crate::Error::Limit(Limit::Places))?;
        let startup = Startup {
            arguments: vec![b"bash".to_vec()],
            environment: Arc::default(),
            directory: b"/".to_vec(),
            umask: 0,
        };
        let descriptors = Descriptors::new(kernel.limits().open_files);
        let guest = Guest::new(kernel, entry, startup, descriptors, Delivery::Guest);
        let mut store = guest::store(guest);
        let shell = program.instantiate_async(&mut store).await;
        let shell = shell.map_err(|error| instantiation(&error, store.data()))?;
        Ok(Instance::from_parts(store, shell, Some(place)))
    }

    pub(super) fn from_parts(
        store: Store<Guest>,
        shell: ShellGuest,
        place: Option<Place>,
    ) -> Instance {
        let number = NEXT.fetch_add(1, Ordering::Relaxed);
        Instance {
            store,
            shell,
            number,
            bin: Bin::default(),
            template: None,
            _place: place,
        }
    }

    /// Lets it act as `entry` from now on.
    pub(super) fn adopt(&mut self, entry: &Arc<Entry>) {
        self.store.set_epoch_deadline(1);
        self.store.data_mut().become_process(Arc::clone(entry));
    }

    /// A session with nothing but `setup` in it, for executions that do not keep what they change.
    pub(super) async fn fresh(&mut self, setup: &Arc<Setup>) -> Result<ResourceAny, Stop> {
        if let Some((known, template)) = &self.template
            && Arc::ptr_eq(known, setup)
        {
            return Ok(*template);
        }
        if let Some((_, old)) = self.template.take() {
            self.release(old).await?;
        }
        let template = self.construct(setup).await?;
        self.template = Some((Arc::clone(setup), template));
        Ok(template)
    }

    /// The session as it lives in this instance, brought here where it does not.
    pub(super) async fn attach(&mut self, session: &mut Session) -> Result<ResourceAny, Stop> {
        for resource in self.bin.empty() {
            self.release(resource).await?;
        }
        if let Some(live) = &session.live
            && live.instance == self.number
        {
            return Ok(live.resource);
        }
        let resource = match session.state().cloned() {
            None => self.construct(session.setup()).await?,
            Some(state) => {
                let shell = self.shell.offshoot_sandbox_shell().session();
                let loaded = shell.call_load(&mut self.store, &state).await;
                let loaded = loaded.map_err(|error| self.stop(&error))?;
                loaded.map_err(|error| Stop::Error(state_error(error)))?
            }
        };
        let bin = self.bin.clone();
        session.live = Some(Live {
            instance: self.number,
            resource,
            bin,
        });
        Ok(resource)
    }

    /// Keeps the state of a session on the host's side.
    pub(super) async fn keep(&mut self, session: &mut Session) -> Result<(), Stop> {
        let Some(live) = &session.live else {
            return Ok(());
        };
        let shell = self.shell.offshoot_sandbox_shell().session();
        self.store.set_hostcall_fuel(STATE_BYTES);
        let state = shell.call_save(&mut self.store, live.resource).await;
        self.store.set_hostcall_fuel(HOST_CALL_BYTES);
        let state = state.map_err(|error| self.stop(&error))?;
        session.saved(state.map_err(|error| Stop::Error(state_error(error)))?);
        Ok(())
    }

    pub(super) async fn construct(&mut self, setup: &Setup) -> Result<ResourceAny, Stop> {
        let shell = self.shell.offshoot_sandbox_shell().session();
        let made = shell
            .call_constructor(&mut self.store, &setup.to_guest())
            .await;
        made.map_err(|error| self.stop(&error))
    }

    pub(super) async fn start(
        &mut self,
        session: ResourceAny,
        request: &shell_bindings::Request,
    ) -> Result<shell_bindings::Started, Stop> {
        let shell = self.shell.offshoot_sandbox_shell().session();
        let started = shell.call_start(&mut self.store, session, request).await;
        started.map_err(|error| self.stop(&error))
    }

    pub(super) async fn poll(
        &mut self,
        execution: ResourceAny,
    ) -> Result<shell_bindings::Turn, Stop> {
        let shell = self.shell.offshoot_sandbox_shell().execution();
        let turn = shell.call_poll(&mut self.store, execution).await;
        turn.map_err(|error| self.stop(&error))
    }

    pub(super) async fn signal(
        &mut self,
        execution: ResourceAny,
        task: Option<u32>,
        number: u8,
    ) -> Result<(), Stop> {
        let shell = self.shell.offshoot_sandbox_shell().execution();
        let result = shell.call_signal(&mut self.store, execution, task, number);
        let result = result.await;
        result.map_err(|error| self.stop(&error))
    }

    /// Goes on with a suspended script: its session and execution.
    pub(super) async fn resume(
        &mut self,
        state: &[u8],
        descriptors: &[(u32, u32)],
    ) -> Result<(ResourceAny, ResourceAny), Stop> {
        let leaves = leaves(self.store.data());
        let shell = self.shell.offshoot_sandbox_shell().session();
        let resumed = shell
            .call_resume(&mut self.store, state, descriptors, &leaves)
            .await
            .map_err(|error| self.stop(&error))?;
        resumed.map_err(|error| Stop::Error(state_error(error)))
    }

    /// The script as data, or why not. What it copies out of the guest is bounded by the guest's
    /// memory, not by what one host call may copy.
    pub(super) async fn suspend(
        &mut self,
        execution: ResourceAny,
    ) -> Result<Result<shell_bindings::Image, SuspendError>, Stop> {
        let shell = self.shell.offshoot_sandbox_shell().execution();
        self.store.set_hostcall_fuel(STATE_BYTES);
        let image = shell.call_suspend(&mut self.store, execution).await;
        self.store.set_hostcall_fuel(HOST_CALL_BYTES);
        image.map_err(|error| self.stop(&error))
    }

    /// Whether commands of an execution that still run have one of these descriptors open.
    pub(super) async fn holds(
        &mut self,
        execution: ResourceAny,
        descriptors: &[u32],
    ) -> Result<bool, Stop> {
        let shell = self.shell.offshoot_sandbox_shell().execution();
        let held = shell.call_holds(&mut self.store, execution, descriptors);
        held.await.map_err(|error| self.stop(&error))
    }

    pub(super) async fn hold(&mut self, execution: ResourceAny, held: bool) -> Result<(), Stop> {
        let shell = self.shell.offshoot_sandbox_shell().execution();
        let result = shell.call_hold(&mut self.store, execution, held).await;
        result.map_err(|error| self.stop(&error))
    }

    /// Drops a session or an execution inside the guest.
    pub(super) async fn release(&mut self, resource: ResourceAny) -> Result<(), Stop> {
        let result = resource.resource_drop_async(&mut self.store).await;
        result.map_err(|error| self.stop(&error))
    }

    fn stop(&self, error: &wasmtime::Error) -> Stop {
        Stop::Ended(end_of(error, self.store.data()))
    }
}

/// What scripts leave to programs, where a gate wants to judge it.
pub(super) fn leaves(guest: &Guest) -> Vec<Vec<u8>> {
    let gate = guest.kernel().gate_slot().clone();
    gate.map_or_else(Vec::new, |gate| gate.leaves())
}

/// Why an instance could not be made.
fn instantiation(error: &wasmtime::Error, guest: &Guest) -> crate::Error {
    match end_of(error, guest) {
        crate::ProcessEnd::Limit(limit) => crate::Error::Limit(limit),
        _ => crate::Error::Engine(format!("{error:#}")),
    }
}
