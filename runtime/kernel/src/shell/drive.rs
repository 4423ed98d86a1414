//! One execution: start, wait, poll, until it has ended.

use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::Arc;
use std::task::{Context, Poll};

use wasmtime::component::ResourceAny;

use super::instance::{Instance, leaves};
use super::keep::{Files, Keeper};
use super::request::no_extras;
use super::suspended::Body;
use super::{Paused, Request, Resume, Setup, Source, Stop, Suspended, Suspender, objects};
use crate::descriptor::{Descriptors, Object};
use crate::guest::clocks::Timer;
use crate::guest::{self, Guest, ShellPre, sandbox_types, shell_bindings};
use crate::process::{Entry, Group, ProcessEnd, end_of, signal};
use crate::program::Loaded;
use crate::{Budgets, Error, Kernel, Limit};
use shell_bindings::{Interest, Outcome, Progress, Started, SuspendError, Turn};

/// An execution under way in its instance.
pub(super) struct Job<'a> {
    pub(super) instance: &'a mut Instance,
    /// None where it was over at once: nothing of it is left in the instance.
    pub(super) execution: Option<ResourceAny>,
    /// What it did when it was started, and what was known of its suspender before.
    first: Option<(Turn, u64)>,
    /// The number in the script and the one in the instance of what the embedder gave.
    pub(super) descriptors: Vec<(u32, u32)>,
    pub(super) script: &'a [u8],
    /// Wait until nothing is left to do.
    pub(super) background: bool,
    /// Do not wait for what has let go of the streams.
    release: bool,
    pub(super) suspender: Suspender,
    end: Option<ProcessEnd>,
    held: bool,
}

/// Opens what the embedder gave in an instance.
pub(super) fn install(
    table: &mut Descriptors,
    request: &Request,
    group: &Arc<Group>,
) -> Result<Vec<(u32, u32)>, Error> {
    let mut descriptors = Vec::with_capacity(3);
    for (number, object) in objects(&request.descriptors, group) {
        let own = table
            .insert(object)
            .map_err(|_| Error::Limit(Limit::OpenFiles))?;
        descriptors.push((number, own));
    }
    Ok(descriptors)
}

impl<'a> Job<'a> {
    /// Starts the request on `session`.
    pub(super) async fn start(
        instance: &'a mut Instance,
        session: ResourceAny,
        request: &'a Request,
        keep: bool,
    ) -> Result<Job<'a>, Stop> {
        let guest = instance.store.data_mut();
        let group = Arc::clone(&guest.entry().group);
        let descriptors = install(guest.descriptors(), request, &group)?;
        let started = request.to_guest(descriptors.clone(), keep);
        let job = Job {
            background: request.wait_for_background,
            release: request.release,
            suspender: request.suspender.clone(),
            ..Job::new(instance, None, descriptors, request.script())
        };
        job.begin(session, started).await
    }

    /// Has the guest start it and run what can run at once.
    async fn begin(
        mut self,
        session: ResourceAny,
        mut request: shell_bindings::Request,
    ) -> Result<Job<'a>, Stop> {
        let guest = self.instance.store.data();
        let leaves = leaves(guest);
        let entry = guest.entry();
        let early = || entry.take_signal(|number| number != signal::KILL);
        let signals: Vec<u8> = std::iter::from_fn(early).collect();
        if !leaves.is_empty() || !signals.is_empty() {
            let extras = request.extras.get_or_insert_with(no_extras);
            (extras.leaves, extras.signals) = (leaves, signals);
        }
        let changes = self.suspender.changes();
        self.suspender.begin();
        match self.instance.start(session, &request).await? {
            Started::Ended(outcome) => self.end = Some(from_outcome(outcome)),
            Started::Running((execution, turn)) => {
                self.execution = Some(execution);
                self.first = Some((turn, changes));
            }
        }
        Ok(self)
    }

    /// Goes on with what an execution has left running.
    pub(super) fn rest(instance: &'a mut Instance, rest: Rest) -> Job<'a> {
        let Rest { execution, end } = rest;
        Job {
            background: true,
            end: Some(end),
            ..Job::new(instance, execution, Vec::new(), &[])
        }
    }

    fn new(
        instance: &'a mut Instance,
        execution: Option<ResourceAny>,
        descriptors: Vec<(u32, u32)>,
        script: &'a [u8],
    ) -> Job<'a> {
        Job {
            instance,
            execution,
            first: None,
            descriptors,
            script,
            background: false,
            release: false,
            suspender: Suspender::new(),
            end: None,
            held: false,
        }
    }

    fn waiting(self, background: bool, suspender: Suspender) -> Job<'a> {
        Job {
            background,
            suspender,
            ..self
        }
    }

    /// Goes on with a suspended script; its session, too.
    pub(super) async fn resume(
        instance: &'a mut Instance,
        body: &'a Body,
        files: Files,
        resume: &Resume,
    ) -> Result<(Job<'a>, ResourceAny), Stop> {
        let guest = instance.store.data_mut();
        let group = Arc::clone(&guest.entry().group);
        let table = guest.descriptors();
        let installed = files.install(body, &resume.descriptors, &group, table)?;
        let (session, execution) = instance.resume(&body.state, &installed.numbers).await?;
        let job = Job::new(instance, Some(execution), installed.lent, &body.script);
        let job = job.waiting(body.background, resume.suspender.clone());
        let release = body.release;
        Ok((Job { release, ..job }, session))
    }

    /// Runs it to its end, or until the caller need not wait for what is left of it.
    pub(super) async fn run(mut self) -> Result<(ProcessEnd, Option<Rest>), Stop> {
        let all = self.run_to_end().await?;
        if let Some(execution) = self.execution
            && all
        {
            self.instance.release(execution).await?;
        }
        let table = self.instance.store.data_mut().descriptors();
        let given = self.descriptors.iter();
        given
            .filter(|(number, _)| all || *number != INPUT)
            .for_each(|(_, own)| table.close(*own));
        let lost = || ProcessEnd::Fault("the shell finished without an outcome".to_owned());
        let end = self.end.unwrap_or_else(lost);
        let execution = self.execution;
        let rest = (!all).then(|| Rest {
            execution,
            end: end.clone(),
        });
        Ok((end, rest))
    }

    /// Polls until the execution has an outcome, or until nothing is left to do; false where something
    /// goes on for which nobody waits.
    async fn run_to_end(&mut self) -> Result<bool, Stop> {
        while let Some(execution) = self.execution {
            let (turn, changes) = match self.first.take() {
                Some(first) => first,
                None => {
                    deliver(self.instance, execution).await?;
                    let changes = self.suspender.changes();
                    (self.instance.poll(execution).await?, changes)
                }
            };
            let Turn { progress, outcome } = turn;
            if self.end.is_none() {
                self.end = outcome.map(from_outcome);
            }
            let ended = self.end.is_some();
            if ended && !self.background {
                return Ok(true);
            }
            if matches!(progress, Progress::Finished) {
                break;
            }
            if ended && self.release && !self.has_output().await? {
                return Ok(false);
            }
            if self.answer(execution).await? {
                continue;
            }
            match progress {
                Progress::Idle(interests) => {
                    let guest = self.instance.store.data();
                    let mut waiting = Waiting::new(guest, &interests);
                    // Their ends may let go of the streams, or let the script be suspended.
                    if self.end.is_some() && self.release || self.held {
                        waiting.children.extend(others(guest.entry()));
                    }
                    waiting.or(&self.suspender, changes).wait().await;
                }
                _ => tokio::task::yield_now().await,
            }
        }
        if !self.background {
            return Ok(true);
        }
        let entry = Arc::clone(self.instance.store.data().entry());
        loop {
            let living = others(&entry).count();
            if self.release && living > 0 && !self.has_output().await? {
                return Ok(false);
            }
            if wait_for_group(&entry, living, &self.suspender).await {
                return Ok(true);
            }
        }
    }

    /// Whether something has a stream open that the embedder gave for writing, beside the script.
    async fn has_output(&mut self) -> Result<bool, Stop> {
        let given = self.descriptors.iter();
        let outputs = given.filter(|(number, _)| *number != INPUT);
        let outputs: Vec<u32> = outputs.map(|(_, own)| *own).collect();
        let table = self.instance.store.data().open_descriptors();
        let shared = outputs.iter().any(|own| table.is_shared(*own));
        match self.execution {
            Some(execution) if !shared => self.instance.holds(execution, &outputs).await,
            _ => Ok(shared),
        }
    }

    /// Answers whoever wants the script to be suspended; whether what it waits for may be something
    /// else now.
    async fn answer(&mut self, execution: ResourceAny) -> Result<bool, Stop> {
        let asked = self.suspender.take();
        if asked.is_empty() && !self.held {
            return Ok(false);
        }
        let (mut patient, mut changed) = (false, false);
        for asked in asked {
            let image = match other(self.instance.store.data().entry()) {
                Some(name) => Err(Error::InFlight(name)),
                None => self.image(execution).await?,
            };
            match image {
                Ok(suspended) => {
                    changed = true;
                    let (paused, decided) = Paused::new(suspended, &self.suspender);
                    self.freeze(true);
                    let _ = asked.answer.send(Ok(paused));
                    if decided.await.is_ok() {
                        return Err(Stop::Error(Error::Suspended));
                    }
                    self.freeze(false);
                }
                Err(Error::InFlight(_)) if asked.patient => {
                    patient = true;
                    self.suspender.put_back(asked);
                }
                Err(error) => {
                    let _ = asked.answer.send(Err(error));
                }
            }
        }
        if self.held != patient {
            self.held = patient;
            self.instance.hold(execution, patient).await?;
            changed |= !patient;
        }
        Ok(changed)
    }

    /// The script as data, or why not.
    async fn image(&mut self, execution: ResourceAny) -> Result<Result<Suspended, Error>, Stop> {
        // Nothing arrives any more that the image does not have.
        self.freeze(true);
        let image = self.instance.suspend(execution).await?;
        let kept = image.map_err(suspend_error).and_then(|image| {
            let guest = self.instance.store.data();
            let (vfs, table) = (guest.kernel().vfs(), guest.open_descriptors());
            let kept = Keeper::keep(vfs, table, &image.descriptors, &self.descriptors)?;
            Ok(self.describe(image.state, kept))
        });
        self.freeze(false);
        Ok(kept)
    }

    fn describe(&self, state: Vec<u8>, kept: Keeper) -> Suspended {
        let guest = self.instance.store.data();
        let entry = guest.entry();
        Suspended(Arc::new(Body {
            state,
            nodes: kept.nodes,
            objects: kept.objects,
            descriptors: kept.descriptors,
            pid: entry.pid,
            arguments: entry.info().arguments,
            script: self.script.to_vec(),
            umask: 0,
            background: self.background,
            release: self.release,
            left: entry.group.left(),
        }))
    }

    /// Lets whoever writes to the script wait, or no longer.
    fn freeze(&self, frozen: bool) {
        let guest = self.instance.store.data();
        let given = self.descriptors.iter();
        given
            .filter_map(|(_, own)| guest.open(*own))
            .for_each(|object| object.freeze(frozen));
    }
}

/// Standard input: whoever waits for a script does not wait for its readers.
const INPUT: u32 = 0;

/// What an execution has left running when its caller heard of its end.
pub(super) struct Rest {
    execution: Option<ResourceAny>,
    end: ProcessEnd,
}

/// The other processes of an execution that are alive.
fn others(own: &Entry) -> impl Iterator<Item = Arc<Entry>> {
    let pid = own.pid;
    let living = own.group.living().into_iter();
    living.filter(move |entry| entry.pid != pid)
}

/// Another process of the execution that is alive, by its name.
fn other(own: &Entry) -> Option<String> {
    let other = others(own).next()?;
    let arguments = other.info().arguments;
    let name = arguments.first().map(Vec::as_slice).unwrap_or_default();
    Some(String::from_utf8_lossy(name).into_owned())
}

/// Waits until every other process of the execution has ended, or until a signal arrives; false where
/// fewer than `living` are left. Nothing is left that could be suspended.
async fn wait_for_group(own: &Entry, living: usize, suspender: &Suspender) -> bool {
    poll_fn(|context| {
        let left = others(own).filter(|entry| !entry.poll_ended(context.waker()));
        let left = left.count();
        if left == 0 || own.has_signals() {
            return Poll::Ready(true);
        }
        if left < living {
            return Poll::Ready(false);
        }
        for asked in suspender.take() {
            match other(own) {
                Some(name) if !asked.patient => {
                    let _ = asked.answer.send(Err(Error::InFlight(name)));
                }
                _ => suspender.put_back(asked),
            }
        }
        Poll::Pending
    })
    .await
}

/// Why the shell cannot suspend a script, for the embedder.
fn suspend_error(error: SuspendError) -> Error {
    match error {
        SuspendError::Ended => Error::Over,
        SuspendError::InFlight(name) => {
            Error::InFlight(String::from_utf8_lossy(&name).into_owned())
        }
        SuspendError::TooDeep => Error::Kept("its commands are nested too deep".to_owned()),
    }
}

/// Hands signals that were sent to the execution over.
async fn deliver(instance: &mut Instance, execution: ResourceAny) -> Result<(), Stop> {
    let entry = Arc::clone(instance.store.data().entry());
    while let Some(number) = entry.take_signal(|number| number != signal::KILL) {
        instance.signal(execution, None, number).await?;
    }
    while let Some((task, number)) = entry.tasks.take_signal() {
        instance.signal(execution, Some(task), number).await?;
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
    /// Who may want the script to be suspended, and what was known of that.
    suspender: Option<(Suspender, u64)>,
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
            suspender: None,
        };
        for interest in interests {
            waiting.add(guest, interest);
        }
        waiting
    }

    /// The same, or until somebody wants the script to be suspended.
    fn or(self, suspender: &Suspender, changes: u64) -> Waiting {
        Waiting {
            suspender: Some((suspender.clone(), changes)),
            ..self
        }
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
        let asked = |(suspender, known): &(Suspender, u64)| suspender.changes() != *known;
        self.ready
            || self.entry.has_signals()
            || self.suspender.as_ref().is_some_and(asked)
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
pub(crate) async fn run_process(
    program: Arc<Loaded<ShellPre<Guest>>>,
    mut guest: Guest,
) -> ProcessEnd {
    let prepared = match program.ready().await {
        Ok(prepared) => prepared,
        Err(error) => return ProcessEnd::Fault(error.to_string()),
    };
    let setup = process_setup(&mut guest);
    let request = process_request(&guest);
    let mut store = guest::store(guest);
    let shell = match prepared.instantiate_async(&mut store).await {
        Ok(shell) => shell,
        Err(error) => return end_of(&error, store.data()),
    };
    let mut instance = Instance::from_parts(store, shell, None);
    let result = async {
        let session = instance.construct(&setup).await?;
        let job = Job::new(&mut instance, None, Vec::new(), &[]);
        job.begin(session, request).await?.run().await
    };
    match result.await {
        Ok((end, _)) | Err(Stop::Ended(end)) => end,
        Err(Stop::Error(error)) => ProcessEnd::Fault(error.to_string()),
    }
}

fn process_setup(guest: &mut Guest) -> Setup {
    let umask = guest.take_umask();
    let startup = guest.startup();
    let name = startup
        .arguments
        .first()
        .map(Vec::as_slice)
        .unwrap_or_default();
    Setup {
        environment: Vec::clone(&startup.environment),
        directory: startup.directory.clone(),
        umask,
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
        false,
    )
}
