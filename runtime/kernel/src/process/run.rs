//! Puts a program to work on a task of its own.

use std::sync::Arc;

use tokio::runtime::Handle;
use wasmtime::{PoolConcurrencyLimitError, Trap};

use super::{Ended, Entry, ProcessEnd, Startup, signal, supervise};
use crate::descriptor::Descriptors;
use crate::engine::Place;
use crate::guest::Guest;
use crate::program::Program;
use crate::{Error, Kernel, Limit, Result, gate};

/// Starts `program` as the process `entry`.
///
/// # Errors
/// [`Error::Engine`] outside a tokio runtime.
pub(crate) fn start(
    kernel: &Kernel,
    entry: &Arc<Entry>,
    program: &Program,
    startup: Startup,
    descriptors: Descriptors,
    place: Option<Place>,
) -> Result<()> {
    let finish = Finish {
        kernel: kernel.clone(),
        entry: Arc::clone(entry),
        place,
    };
    let runtime = Handle::try_current()
        .map_err(|_| Error::Engine("processes need a tokio runtime".to_owned()))?;
    let delivery = program.delivery();
    let guest = Guest::new(kernel, Arc::clone(entry), startup, descriptors, delivery);
    let future = match kernel.gate_of(program) {
        None => program.run(guest),
        Some(gate) => gate::judged(gate, program.clone(), guest),
    };
    let engine = kernel.settings().engine.clone();
    let supervised = supervise(future, Arc::clone(entry), engine, delivery);
    runtime.spawn(async move {
        let mut finish = finish;
        // The guest and with it the descriptors are gone before anybody hears of the end.
        let end = supervised.await;
        if end == ProcessEnd::Limit(Limit::WallTime) {
            // Time is the whole execution's.
            finish.entry.group.exceed(Limit::WallTime);
        }
        finish.with(end);
    });
    Ok(())
}

/// Makes sure that a process has an end, also when the runtime drops its task.
struct Finish {
    kernel: Kernel,
    entry: Arc<Entry>,
    place: Option<Place>,
}

impl Finish {
    fn with(&mut self, end: ProcessEnd) {
        // Whoever hears of the end may start another one at once.
        self.place = None;
        self.kernel.retire(&self.entry, end);
    }
}

impl Drop for Finish {
    fn drop(&mut self) {
        self.with(ProcessEnd::Signalled(signal::KILL));
    }
}

/// What the error that a guest's call returned says about the end of its process. A trap is
/// reported on the guest's standard error.
pub(crate) fn end_of(error: &wasmtime::Error, guest: &Guest) -> ProcessEnd {
    if let Some(Ended(end)) = error.downcast_ref::<Ended>() {
        return end.clone();
    }
    if error.is::<PoolConcurrencyLimitError>() {
        guest.complain("no place for another process (limit of processes); try again");
        return ProcessEnd::Limit(Limit::Processes);
    }
    if let Some(limit) = guest.limit_hit().or_else(|| count_limit(error)) {
        return ProcessEnd::Limit(limit);
    }
    let reason = match error.downcast_ref::<Trap>() {
        Some(trap) => trap.to_string(),
        None => error.root_cause().to_string(),
    };
    guest.complain(&reason);
    ProcessEnd::Signalled(signal::ABORT)
}

/// The limit on the number of instances, tables or memories, which wasmtime reports in words only.
fn count_limit(error: &wasmtime::Error) -> Option<Limit> {
    let text = error.root_cause().to_string();
    let what = text.strip_prefix("resource limit exceeded: ")?;
    match what.split(' ').next()? {
        "instance" => Some(Limit::Instances),
        "table" => Some(Limit::Tables),
        "memory" => Some(Limit::Memory),
        _ => None,
    }
}
