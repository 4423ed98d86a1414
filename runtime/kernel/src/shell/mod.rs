//! Drives the shell component: sessions, executions, and waiting for what an idle shell waits for.

mod drive;
mod instance;
mod keep;
mod request;
mod session;
mod signals;
mod suspend;
mod suspended;

pub use keep::Reopened;
pub use request::{Budgets, Request, Resume, Setup, Source};
pub use session::Session;
pub use signals::Signals;
pub use suspend::{Paused, Suspender};
pub use suspended::Suspended;

use std::borrow::Cow;
use std::fmt;
use std::future::poll_fn;
use std::sync::Arc;
use std::task::Poll;

use tokio::runtime::Handle;

use crate::descriptor::Object;
use crate::guest::{Guest, ShellPre, shell_bindings};
use crate::process::{
    Delivery, Entry, Environment, Group, Image, ProcessEnd, Variables, signal, supervise,
};
use crate::program::{Loaded, Program};
use crate::{Error, Kernel, Limit, Result, Stdio};
use drive::{Job, Rest};
use instance::Instance;
use suspend::Finish;

pub(crate) use drive::run_process;
pub(crate) use suspended::Left;

/// The file that a shell without a path of its own runs.
const PROGRAM: &[u8] = b"/usr/bin/bash";

impl Environment for Setup {
    fn variables(&self) -> &Variables {
        &self.environment
    }
}

/// The shell of one sandbox: one instance that lives from one execution to the next.
///
/// An execution that traps, is cancelled (its future is dropped), is killed or reaches a limit of
/// the kernel takes the instance with it; the next one gets a fresh one. Files are not affected.
/// One `Shell` runs one execution at a time; for more at once, make more.
pub struct Shell {
    kernel: Kernel,
    program: Arc<Loaded<ShellPre<Guest>>>,
    instance: Option<Instance>,
}

/// One execution as the kernel counts it. Dropping it ends what it started.
struct Execution {
    kernel: Kernel,
    entry: Arc<Entry>,
    /// Whether children that still run are left alone.
    detached: bool,
}

impl Shell {
    /// A shell for `kernel`; `program` comes from [`Program::shell`]. Nothing is instantiated yet.
    ///
    /// # Errors
    /// [`Error::Interface`] where `program` is no shell.
    pub fn new(kernel: &Kernel, program: &Program) -> Result<Shell> {
        let program = program
            .as_shell()
            .cloned()
            .ok_or_else(|| Error::Interface("the program is no shell".to_owned()))?;
        Ok(Shell {
            kernel: kernel.clone(),
            program,
            instance: None,
        })
    }

    /// Runs a script from fresh shell state. Repeated calls with the same `setup` (the same `Arc`)
    /// share what does not change, which saves most of the time that a short script takes.
    ///
    /// # Errors
    /// [`Error::Limit`] where no further process may run, [`Error::Artifact`] or
    /// [`Error::Interface`] where the shell cannot be loaded. Whatever the script does is no error.
    pub async fn run(&mut self, setup: &Arc<Setup>, request: Request) -> Result<ProcessEnd> {
        let work = Work::Start(State::Fresh(setup), &request);
        self.execute(work).await
    }

    /// Runs a script on a session, which keeps variables, functions, options and directory for the
    /// next one. Where the execution takes the instance with it, the session is as it was before.
    ///
    /// # Errors
    /// Those of [`Shell::run`], and [`Error::Corrupt`] or [`Error::TooNew`] for a session that was
    /// loaded from bytes.
    pub async fn run_session(
        &mut self,
        session: &mut Session,
        request: Request,
    ) -> Result<ProcessEnd> {
        let work = Work::Start(State::Session(session), &request);
        self.execute(work).await
    }

    /// Goes on with a suspended script to its end, on a session of its own. The time that went by
    /// since does not count for it.
    ///
    /// # Errors
    /// Those of [`Shell::run`], [`Error::Corrupt`] and [`Error::TooNew`] for what the shell wrote,
    /// [`Error::Suspended`] where it was suspended again.
    pub async fn resume(&mut self, reopened: Reopened, resume: Resume) -> Result<ProcessEnd> {
        self.execute(Work::Resume(reopened, &resume)).await
    }

    /// Whether an instance is kept for the next execution.
    pub fn is_warm(&self) -> bool {
        self.instance.is_some()
    }

    /// Instantiates the shell now, so that the next execution does not have to.
    ///
    /// # Errors
    /// Those of [`Shell::run`].
    pub async fn warm(&mut self) -> Result<()> {
        if self.instance.is_none() {
            let group = Group::new(&self.kernel.limits(), None);
            let entry = Entry::new(0, 0, 0, Image::default(), group);
            self.instance = Some(instantiate(&self.kernel, &self.program, Arc::new(entry)).await?);
        }
        Ok(())
    }

    /// Gives the instance and its memory back; sessions survive. For sandboxes that are idle.
    pub fn discard(&mut self) {
        self.instance = None;
    }

    async fn execute(&mut self, work: Work<'_>) -> Result<ProcessEnd> {
        // Dropped last: whoever waits for the end finds everything closed.
        let _finish = Finish(work.suspender().clone());
        let (kernel, program) = (self.kernel.clone(), Arc::clone(&self.program));
        let group = work.group(&kernel);
        let (image, pid) = work.identity();
        let entry = kernel
            .admit(&group, None, image, pid)
            .map_err(|_| Error::Limit(Limit::Processes))?;
        work.attach(&entry);
        let detach = work.detaches();
        let mut execution = Execution {
            kernel: kernel.clone(),
            entry: Arc::clone(&entry),
            detached: false,
        };

        // Whatever happens between here and the end, the instance is used again only if the
        // execution went through to its end.
        let mut instance = self.instance.take();
        let mut result = None;
        let future = async {
            let went = go_through(&kernel, &program, &mut instance, work, &entry).await;
            let end = match &went {
                Ok((end, _)) | Err(Stop::Ended(end)) => end.clone(),
                Err(Stop::Error(_)) => ProcessEnd::Signalled(signal::KILL),
            };
            result = Some(went);
            end
        };
        let engine = kernel.settings().engine.clone();
        let end = supervise(future, Arc::clone(&entry), engine, Delivery::Guest).await;
        match result {
            Some(Err(Stop::Error(error))) => return Err(error),
            Some(Ok((_, Some(rest)))) => {
                if let Some(instance) = instance {
                    go_on(execution, instance, rest);
                }
                return Ok(end);
            }
            Some(Ok((_, None))) => {
                self.instance = instance;
                execution.detached = detach;
            }
            _ => {}
        }
        if let ProcessEnd::Limit(limit) = end {
            group.exceed(limit);
        }
        kernel.retire(&entry, end.clone());
        if !execution.detached {
            // Nothing that was started does anything after the embedder hears of the end (T39).
            group.send(signal::KILL);
            poll_fn(
                |context| match group.poll_alone(entry.pid, context.waker()) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                },
            )
            .await;
        }
        Ok(end)
    }
}

/// Lets what an execution has left running go on by itself. Where no runtime could carry it, it ends.
fn go_on(execution: Execution, mut instance: Instance, rest: Rest) {
    let Ok(runtime) = Handle::try_current() else {
        return;
    };
    let entry = Arc::clone(&execution.entry);
    entry.group.release();
    let engine = execution.kernel.settings().engine.clone();
    runtime.spawn(async move {
        // Ends what is left of it, also where the runtime drops this.
        let _execution = execution;
        let future = async move {
            match Job::rest(&mut instance, rest).run().await {
                Ok((end, _)) | Err(Stop::Ended(end)) => end,
                Err(Stop::Error(_)) => ProcessEnd::Signalled(signal::KILL),
            }
        };
        supervise(future, entry, engine, Delivery::Guest).await;
    });
}

/// A new instance that acts for `entry`.
async fn instantiate(
    kernel: &Kernel,
    program: &Arc<Loaded<ShellPre<Guest>>>,
    entry: Arc<Entry>,
) -> Result<Instance> {
    Instance::new(kernel, program.ready().await?, entry).await
}

/// All that an execution does in its instance, which is made where there is none.
async fn go_through(
    kernel: &Kernel,
    program: &Arc<Loaded<ShellPre<Guest>>>,
    instance: &mut Option<Instance>,
    work: Work<'_>,
    entry: &Arc<Entry>,
) -> Result<(ProcessEnd, Option<Rest>), Stop> {
    let instance = match instance {
        Some(instance) => instance,
        none => none.insert(instantiate(kernel, program, Arc::clone(entry)).await?),
    };
    instance.adopt(entry);
    let (mut state, request) = match work {
        Work::Start(state, request) => (state, request),
        Work::Resume(reopened, resume) => {
            let Reopened { body, files } = reopened;
            let (job, session) = Job::resume(instance, &body, files, resume).await?;
            resume.suspender.begin();
            let went = job.run().await?;
            instance.release(session).await?;
            return Ok(went);
        }
    };
    let (session, keep) = match &mut state {
        State::Fresh(setup) => (instance.fresh(setup).await?, false),
        State::Session(session) => (instance.attach(session).await?, true),
    };
    let job = Job::start(instance, session, request, keep).await?;
    let went = job.run().await?;
    if let State::Session(session) = &mut state {
        instance.keep(session).await?;
        if went.1.is_some() {
            // The instance goes on with something else.
            session.live = None;
        }
    }
    Ok(went)
}

impl Drop for Execution {
    fn drop(&mut self) {
        self.kernel
            .retire(&self.entry, ProcessEnd::Signalled(signal::KILL));
        if !self.detached {
            self.entry.group.send(signal::KILL);
        }
    }
}

impl fmt::Debug for Shell {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Shell")
            .field("warm", &self.is_warm())
            .finish_non_exhaustive()
    }
}

/// The sandbox's variables with those of an execution; they are shared where it has none.
fn environment(setup: &Arc<Setup>, own: &Variables) -> Arc<dyn Environment> {
    if own.is_empty() {
        return Arc::clone(setup) as Arc<dyn Environment>;
    }
    let sandbox = setup.environment.iter();
    let sandbox = sandbox.filter(|(name, _)| own.iter().all(|(other, _)| other != name));
    let all: Vec<_> = sandbox.chain(own).cloned().collect();
    Arc::new(all)
}

/// What an execution is to do.
enum Work<'a> {
    Start(State<'a>, &'a Request),
    Resume(Reopened, &'a Resume),
}

impl Work<'_> {
    fn suspender(&self) -> &Suspender {
        match self {
            Work::Start(_, request) => &request.suspender,
            Work::Resume(_, resume) => &resume.suspender,
        }
    }

    /// Who pays.
    fn group(&self, kernel: &Kernel) -> Arc<Group> {
        let limits = &kernel.limits();
        match self {
            Work::Start(_, request) => Group::new(limits, request.wall_time),
            Work::Resume(reopened, resume) => {
                Group::resumed(limits, &reopened.body.left, resume.wall_time)
            }
        }
    }

    /// The command line, and the number that it had.
    fn identity(&self) -> (Image, Option<u32>) {
        let program = Cow::Borrowed(PROGRAM);
        match self {
            Work::Start(state, request) => {
                let setup = state.setup();
                let directory = request.directory.as_ref().unwrap_or(&setup.directory);
                let image = Image {
                    program,
                    arguments: request.command_line(),
                    directory: directory.clone(),
                    environment: Some(environment(setup, &request.environment)),
                    descriptors: None,
                };
                (image, None)
            }
            Work::Resume(reopened, _) => {
                let image = Image {
                    program,
                    arguments: reopened.body.arguments.clone(),
                    ..Image::default()
                };
                (image, Some(reopened.body.pid))
            }
        }
    }

    fn detaches(&self) -> bool {
        matches!(self, Work::Start(_, request) if request.detach)
    }

    /// Lets others reach the execution.
    fn attach(&self, entry: &Arc<Entry>) {
        let signals = match self {
            Work::Start(_, request) => &request.signals,
            Work::Resume(_, resume) => &resume.signals,
        };
        signals.attach(entry);
        self.suspender().attach(entry);
    }
}

/// What an execution starts from.
enum State<'a> {
    Fresh(&'a Arc<Setup>),
    Session(&'a mut Session),
}

impl State<'_> {
    fn setup(&self) -> &Arc<Setup> {
        match self {
            State::Fresh(setup) => setup,
            State::Session(session) => session.shared_setup(),
        }
    }
}

/// Why an execution does not go on: the guest ended, or the embedder gets an error.
enum Stop {
    Ended(ProcessEnd),
    Error(Error),
}

impl From<Error> for Stop {
    fn from(error: Error) -> Stop {
        Stop::Error(error)
    }
}

/// The descriptors that the embedder gave an execution.
fn objects(given: &[(u32, Stdio)], group: &Arc<Group>) -> Vec<(u32, Arc<Object>)> {
    let missing = (0..3).filter(|number| !given.iter().any(|(known, _)| known == number));
    let nothing = missing.map(|number| (number, Stdio::Null));
    let mut all: Vec<_> = nothing.chain(given.iter().cloned()).collect();
    // In an instance that has nothing else open they keep their numbers, so that what the shell's
    // own runtime says when it panics goes to standard error.
    all.sort_by_key(|(number, _)| *number);
    all.into_iter()
        .map(|(number, stdio)| (number, Arc::new(Object::from_host(stdio, group))))
        .collect()
}

/// What a state error means to the embedder.
fn state_error(error: shell_bindings::StateError) -> Error {
    match error {
        shell_bindings::StateError::Corrupt => Error::Corrupt,
        shell_bindings::StateError::TooNew => Error::TooNew,
        shell_bindings::StateError::Busy => Error::Died("an execution is in flight".to_owned()),
    }
}
