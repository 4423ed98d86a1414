//! One execution: start, poll, wait, until it has ended.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use wasmtime::component::ResourceAny;

use super::instance::Instance;
use super::{Request, Setup, Source, Stop, objects};
use crate::descriptor::Object;
use crate::guest::clocks::Timer;
use crate::guest::{self, Guest, ShellPre, sandbox_types, shell_bindings};
use crate::process::{Entry, Group, ProcessEnd, end_of, signal};
use crate::program::Loaded;
use crate::{Budgets, Error, Kernel, Limit};
use shell_bindings::{Interest, Outcome, Progress};

/// The descriptors of an execution inside its instance.
pub(super) struct Job {
    /// The number in the script, and the one in the instance.
    descriptors: Vec<(u32, u32)>,
}

impl Job {
    /// Opens what the embedder gave in the instance.
    pub(super) fn new(
        instance: &mut Instance,
        request: &Request,
        group: &Arc<Group>,
    ) -> Result<Job, Error> {
        let table = instance.store.data_mut().descriptors();
        let mut descriptors = Vec::with_capacity(3);
        for (number, object) in objects(&request.descriptors, group) {
            let own = table
                .insert(object)
                .map_err(|_| Error::Limit(Limit::OpenFiles))?;
            descriptors.push((number, own));
        }
        Ok(Job { descriptors })
    }

    /// Runs the request on `session` to its end.
    pub(super) async fn run(
        self,
        instance: &mut Instance,
        session: ResourceAny,
        request: &Request,
    ) -> Result<ProcessEnd, Stop> {
        let started = request.to_guest(self.descriptors.clone());
        let execution = instance.start(session, &started).await?;
        let end = run_to_end(instance, execution, request.wait_for_background).await?;
        instance.release(execution).await?;
        let table = instance.store.data_mut().descriptors();
        self.descriptors
            .iter()
            .for_each(|(_, own)| table.close(*own));
        Ok(end)
    }
}

/// Polls until the execution has an outcome, and with `background` until nothing is left to do.
async fn run_to_end(
    instance: &mut Instance,
    execution: ResourceAny,
    background: bool,
) -> Result<ProcessEnd, Stop> {
    let mut end = None;
    loop {
        deliver(instance, execution).await?;
        let progress = instance.poll().await?;
        if end.is_none() {
            end = instance.outcome(execution).await?.map(from_outcome);
        }
        match (&end, progress) {
            (Some(_), _) if !background => break,
            (_, Progress::Finished) => break,
            (_, Progress::More) => tokio::task::yield_now().await,
            (_, Progress::Idle(interests)) => {
                Waiting::new(instance.store.data(), &interests).wait().await;
            }
        }
    }
    if background {
        wait_for_group(Arc::clone(instance.store.data().entry())).await;
    }
    let lost = || ProcessEnd::Fault("the shell finished without an outcome".to_owned());
    Ok(end.unwrap_or_else(lost))
}

/// Hands signals that were sent to the execution over.
async fn deliver(instance: &mut Instance, execution: ResourceAny) -> Result<(), Stop> {
    let entry = Arc::clone(instance.store.data().entry());
    while let Some(number) = entry.take_signal(|number| number != signal::KILL) {
        instance.signal(execution, number).await?;
    }
    Ok(())
}

/// What to wait for, apart from the guest.
struct Waiting {
    kernel: Kernel,
    entry: Arc<Entry>,
    readable: Vec<Arc<Object>>,
    writable: Vec<Arc<Object>>,
    children: Vec<Arc<Entry>>,
    /// Something asked for is closed or gone: there is nothing to wait for.
    ready: bool,
    time: Option<u64>,
}

impl Waiting {
    fn new(guest: &Guest, interests: &[Interest]) -> Waiting {
        let mut waiting = Waiting {
            kernel: guest.kernel().clone(),
            entry: Arc::clone(guest.entry()),
            readable: Vec::new(),
            writable: Vec::new(),
            children: Vec::new(),
            ready: false,
            time: None,
        };
        for interest in interests {
            waiting.add(guest, interest);
        }
        waiting
    }

    fn add(&mut self, guest: &Guest, interest: &Interest) {
        let known = match interest {
            Interest::Readable(number) => guest
                .open(*number)
                .map(|object| self.readable.push(Arc::clone(object))),
            Interest::Writable(number) => guest
                .open(*number)
                .map(|object| self.writable.push(Arc::clone(object))),
            Interest::Child(pid) => {
                let child = self.kernel.table().get(*pid).cloned();
                child.map(|child| self.children.push(child))
            }
            Interest::Time(instant) => {
                self.time = Some(self.time.map_or(*instant, |first| first.min(*instant)));
                Some(())
            }
        };
        self.ready |= known.is_none();
    }

    /// Waits until one holds, or until a signal arrives.
    async fn wait(self) {
        let time = &self.kernel.settings().time;
        let mut timer = pin!(self.time.map(|instant| {
            let mut timer = Timer::new(Arc::clone(time), instant);
            async move { timer.wait().await }
        }));
        poll_fn(|context| {
            if self.poll(context) {
                return Poll::Ready(());
            }
            match timer.as_mut().as_pin_mut() {
                Some(timer) => timer.poll(context),
                None => Poll::Pending,
            }
        })
        .await;
    }

    /// Whether one holds; otherwise every one is registered for.
    fn poll(&self, context: &Context<'_>) -> bool {
        let waker = context.waker();
        self.ready
            || self.entry.has_signals()
            || self
                .readable
                .iter()
                .any(|object| object.poll_readable(waker))
            || self
                .writable
                .iter()
                .any(|object| object.poll_writable(waker))
            || self.children.iter().any(|child| child.poll_ended(waker))
    }
}

/// Waits until every other process of the execution has ended, or until a signal arrives.
async fn wait_for_group(own: Arc<Entry>) {
    poll_fn(|context| {
        let done = own.has_signals() || own.group.poll_alone(own.pid, context.waker());
        if done { Poll::Ready(()) } else { Poll::Pending }
    })
    .await;
}

fn from_outcome(outcome: Outcome) -> ProcessEnd {
    match outcome {
        Outcome::Exited(status) => ProcessEnd::Exited(status),
        Outcome::Exceeded(limit) => ProcessEnd::Limit(limit.into()),
    }
}

impl From<sandbox_types::Limit> for Limit {
    fn from(limit: sandbox_types::Limit) -> Limit {
        match limit {
            sandbox_types::Limit::Memory => Limit::Memory,
            sandbox_types::Limit::WallTime => Limit::WallTime,
            sandbox_types::Limit::CpuTime => Limit::CpuTime,
            sandbox_types::Limit::Processes => Limit::Processes,
            sandbox_types::Limit::OpenFiles => Limit::OpenFiles,
            sandbox_types::Limit::Output => Limit::Output,
            sandbox_types::Limit::Instances => Limit::Instances,
            sandbox_types::Limit::Tables => Limit::Tables,
            sandbox_types::Limit::Steps => Limit::Steps,
            sandbox_types::Limit::Depth => Limit::Depth,
            sandbox_types::Limit::Expansion => Limit::Expansion,
            sandbox_types::Limit::Variables => Limit::Variables,
        }
    }
}

/// A shell that another program started: `bash` with the arguments of the process.
pub(crate) async fn run_process(program: Arc<Loaded<ShellPre<Guest>>>, guest: Guest) -> ProcessEnd {
    let prepared = match program.get() {
        Ok(prepared) => prepared,
        Err(error) => return ProcessEnd::Fault(error.to_string()),
    };
    let setup = process_setup(&guest);
    let request = process_request(&guest);
    let mut store = guest::store(guest);
    let shell = match prepared.instantiate_async(&mut store).await {
        Ok(shell) => shell,
        Err(error) => return end_of(&error, store.data()),
    };
    let mut instance = Instance::from_parts(store, shell);
    let result = async {
        let session = instance.construct(&setup).await?;
        let execution = instance.start(session, &request).await?;
        run_to_end(&mut instance, execution, false).await
    };
    match result.await {
        Ok(end) | Err(Stop::Ended(end)) => end,
        Err(Stop::Error(error)) => ProcessEnd::Fault(error.to_string()),
    }
}

fn process_setup(guest: &Guest) -> Setup {
    let startup = guest.startup();
    let name = startup
        .arguments
        .first()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Setup {
        environment: startup.environment.clone(),
        directory: startup.directory.clone(),
        umask: startup.umask,
        posix: name.rsplit(|&byte| byte == b'/').next() == Some(b"sh"),
    }
}

fn process_request(guest: &Guest) -> shell_bindings::Request {
    let arguments = &guest.startup().arguments;
    let mut request = Request::new(Source::Invocation(
        arguments.iter().skip(1).cloned().collect(),
    ));
    request.budgets = Budgets::default();
    if let Some(name) = arguments.first() {
        request.name = name.clone();
    }
    request.to_guest(
        guest
            .open_numbers()
            .map(|number| (number, number))
            .collect(),
    )
}
