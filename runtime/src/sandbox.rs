//! A virtual sandbox: one filesystem with its settings, and the executions on it.

use crate::Builder;
use crate::configuration::Configuration;
use crate::context::{Contexts, Taking};
use crate::error::{Below, Code, Error, Result};
use crate::execution::Execution;
use crate::layout::{self, User};
use crate::parking;
use crate::running::{Registered, Running};
use crate::session::Session;
use crate::suspended::Suspended;
use crate::template::{self, Sources};
use crate::trim;
use bytes::Bytes;
use offshoot_backend::{Exec, ShellResult, Stdin, path};
use offshoot_kernel::{
    Capture, Kernel, Limit, Limits, ProcessEnd, Program, Reopened, Request, Resume,
    Session as ShellState, Setup, Shell, Signals, Source, Stdio, Suspender,
};
use offshoot_vfs::{Caller, Kind, Quotas, Vfs};
use std::fmt;
use std::pin::Pin;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, AtomicU64, Ordering};
use std::time::Instant;

/// The permission bits that new files do not get.
const UMASK: u32 = 0o022;

/// The status of a script that was killed.
const SIGKILLED: u8 = 128 + 9;

/// A sandbox of the virtual backend; clones are the same sandbox.
///
/// Its files live as long as the last clone. Every [`Sandbox::exec`] starts from fresh shell state;
/// a [`Session`] keeps it. Executions may run at the same time: they share the files.
///
/// Executions run on the tokio runtime they are started in, whose timer must be enabled.
///
/// ```
/// # #[tokio::main] async fn main() -> offshoot::Result<()> {
/// let sandbox = offshoot::Sandbox::new()?;
/// sandbox.exec("seq 3 > numbers").await?;
/// let result = sandbox.exec("paste -sd+ numbers | sed 's/$/=6/'").await?;
/// assert_eq!(result.stdout_text(), "1+2+3=6\n");
/// # Ok(()) }
/// ```
#[derive(Clone)]
pub struct Sandbox(Arc<Inner>);

struct Inner {
    /// What its parked shells are found by.
    id: u64,
    kernel: Kernel,
    settings: Arc<Settings>,
    ended: AtomicBool,
    running: Running,
    contexts: Contexts,
}

/// Refuses every request.
struct Offline;

impl offshoot_kernel::Gate for Offline {
    fn refusal<'a>(
        &'a self,
        _: &'a [Vec<u8>],
    ) -> Pin<Box<dyn Future<Output = Option<String>> + Send + 'a>> {
        Box::pin(std::future::ready(None))
    }

    fn permits_request(&self, _: &str, _: &str) -> bool {
        false
    }
}

/// How a script runs, beyond what its caller asks for.
#[derive(Default)]
pub(crate) struct Manner {
    /// Commands are read from standard input, with prompts.
    pub(crate) interactive: bool,
    /// Where its signals arrive.
    pub(crate) signals: Signals,
    /// Where it is asked to become data.
    pub(crate) suspender: Suspender,
}

/// What a sandbox is made of besides files. Forks share it.
pub(crate) struct Settings {
    pub(crate) kernel: Arc<offshoot_kernel::Settings>,
    pub(crate) shell: Program,
    pub(crate) setup: Arc<Setup>,
    pub(crate) configuration: Arc<Configuration>,
}

impl Sandbox {
    /// A sandbox with the defaults: the user `user` at home in `/home/user`.
    ///
    /// # Errors
    /// `DIED` where the engine could not be started.
    pub fn new() -> Result<Sandbox> {
        Sandbox::builder().build()
    }

    /// Describes a sandbox.
    pub fn builder() -> Builder {
        Builder::default()
    }

    pub(crate) fn with(vfs: Vfs, settings: Arc<Settings>) -> Sandbox {
        static NEXT: AtomicU64 = AtomicU64::new(0);
        Sandbox(Arc::new(Inner {
            id: NEXT.fetch_add(1, Ordering::Relaxed),
            kernel: Kernel::new(Arc::clone(&settings.kernel), vfs),
            settings,
            ended: AtomicBool::new(false),
            running: Running::default(),
            contexts: Contexts::default(),
        }))
    }

    /// Runs a script from fresh shell state to its end and returns what it wrote. Files stay for the
    /// next one.
    ///
    /// The end is where nothing has the script's output open any more, as for a reader of a pipe. What was
    /// started with its streams redirected, as `server > /dev/null 2>&1 &`, with `nohup` or `setsid`
    /// before it or not, goes on for as long as the sandbox lives; [`Exec::wait_for_background`] waits for
    /// it too.
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// let sandbox = offshoot::Sandbox::new()?;
    /// sandbox.exec("while sleep 0.01; do date > now; done > /dev/null 2>&1 &").await?;
    /// let other = sandbox.exec("until [ -s now ]; do sleep 0.01; done; pkill sleep; echo seen").await?;
    /// assert_eq!(other.stdout_text(), "seen\n");
    /// # Ok(()) }
    /// ```
    ///
    /// A time-out is a result: exit code 124, with the output so far. Dropping the future kills
    /// everything that it started.
    ///
    /// # Errors
    /// `LIMIT` where another limit ended it ([`Error::output`] has what was written),
    /// `NOT_FOUND` for a missing working directory, `SANDBOX_UNAVAILABLE` after
    /// [`Sandbox::cleanup`] and where it ended the script, `DIED` for a fault of the host. Whatever the script does is no error.
    pub async fn exec(&self, exec: impl Into<Exec>) -> Result<ShellResult> {
        self.collect(exec.into(), None).await
    }

    /// Starts a script and returns at once, with its streams.
    ///
    /// # Errors
    /// As [`Sandbox::exec`]; what happens later is reported by [`Execution::wait`].
    pub fn spawn(&self, exec: impl Into<Exec>) -> Result<Execution> {
        self.alive("spawn")?;
        Execution::start(self.clone(), exec.into())
    }

    /// Lets a suspended script go on in this sandbox, with its files as they are here: the sandbox it
    /// was suspended in, a fork of it, or one with the same files in another process. It goes on as
    /// often as it is resumed, each time from the same point.
    ///
    /// Streams are new: what it writes from now on comes out of this execution. Where its standard
    /// input was open, [`Execution::take_stdin`] feeds it; what had arrived and was not read comes
    /// first. Of its time limit, what was left is left.
    ///
    /// # Errors
    /// `NOT_FOUND` for a file that it has open and that is not there, `CONFLICT` where something of
    /// another kind is, `CORRUPT`, `LIMIT`, `SANDBOX_UNAVAILABLE` after [`Sandbox::cleanup`].
    pub fn resume(&self, suspended: &Suspended) -> Result<Execution> {
        self.alive("resume")?;
        Execution::resume(self.clone(), suspended, None)
    }

    /// A session: shell state that lives from one execution to the next.
    pub fn session(&self) -> Session {
        Session::new(self.clone(), ShellState::new(self.shell_setup()), false)
    }

    /// A session that goes on with what [`Session::export`] gave, of this sandbox or another. Its
    /// files are those of this sandbox.
    ///
    /// Nothing runs yet, not even a trap: the bytes are read by the first execution, which answers
    /// `CORRUPT` for what is no exported session and `TOO_NEW` for what a newer version wrote.
    pub fn import_session(&self, state: impl Into<Bytes>) -> Session {
        self.load_session(state.into())
    }

    /// An independent copy of files and settings, in constant time: neither side sees what the
    /// other writes from now on. Running executions stay with the original.
    ///
    /// Contexts are in both: [`Sandbox::find_context`] and [`Sandbox::contexts`] of the copy give them, under the same
    /// ids. What one in Python holds is copied the first time that it is forked after a cell, which takes some
    /// milliseconds; see [`Context::capture`](crate::Context::capture) for what stands against it.
    pub fn fork(&self) -> Sandbox {
        let settings = &self.0.settings;
        let fork = match settings.configuration.seed {
            None => Sandbox::with(self.vfs().fork(), Arc::clone(settings)),
            Some(seed) => {
                // Each branch repeats by itself, whatever its siblings draw.
                let sources = Sources::new(Some(seed));
                let vfs = self.vfs().fork_with(sources.options(self.vfs().quotas()));
                Sandbox::with(vfs, Arc::new(settings.with_sources(sources)))
            }
        };
        fork.set_limits(self.limits());
        fork.set_contexts(self.kept_contexts(Taking::Whole));
        fork
    }

    /// Its resource limits as they are now.
    pub fn limits(&self) -> Limits {
        self.0.kernel.limits()
    }

    /// Bytes of memory that its processes have now, with what its contexts hold that have not started yet, and what was
    /// captured of those that rest.
    pub fn memory_used(&self) -> u64 {
        self.0.kernel.memory_used()
    }

    /// Changes its resource limits, and those of branches that are made from now on. Memory, processes
    /// and open files count at once, also for what runs; times and output for the next execution.
    pub fn set_limits(&self, limits: Limits) {
        self.0.kernel.set_limits(limits);
    }

    /// What its files may take, as it is now.
    pub fn quotas(&self) -> Quotas {
        self.vfs().quotas()
    }

    /// Changes what its files may take, at once. What is there already stays.
    pub fn set_quotas(&self, quotas: Quotas) {
        self.vfs().set_quotas(quotas);
    }

    /// Its settings as they are now.
    pub(crate) fn present_configuration(&self) -> Configuration {
        Configuration {
            limits: self.limits(),
            quotas: self.quotas(),
            ..self.configuration().clone()
        }
    }

    /// As many independent copies as asked for; see [`Sandbox::fork`].
    ///
    /// ```
    /// # #[tokio::main] async fn main() -> offshoot::Result<()> {
    /// let sandbox = offshoot::Sandbox::builder().file("/tmp/state", "0").build()?;
    /// let branches = sandbox.fork_many(1_000);
    /// branches[7].exec("echo 7 > /tmp/state").await?;
    /// assert_eq!(branches[8].read_file("/tmp/state").await?, "0");
    /// # Ok(()) }
    /// ```
    pub fn fork_many(&self, count: usize) -> Vec<Sandbox> {
        (0..count).map(|_| self.fork()).collect()
    }

    /// The same files under other settings, in constant time.
    pub(crate) fn fork_as(&self, configuration: Configuration) -> Result<Sandbox> {
        let sources = Sources::new(configuration.seed);
        let vfs = self.vfs().fork_with(sources.options(configuration.quotas));
        let cwd = &configuration.cwd;
        layout::create_owned(&vfs, &self.caller(), cwd)
            .map_err(|error| Error::file("fork", cwd, error))?;
        let programs = Arc::clone(&self.0.settings.kernel.programs);
        configuration.assemble(vfs, programs, sources)
    }

    /// The working directory that relative paths start from.
    pub fn cwd(&self) -> &str {
        &self.configuration().cwd
    }

    /// Ends the sandbox: what runs is killed, and later operations fail with
    /// `SANDBOX_UNAVAILABLE`. Doing it twice is fine. Branches are not affected.
    pub async fn cleanup(&self) {
        self.0.ended.store(true, Ordering::Release);
        self.0.kernel.terminate();
        parking::remove(self.0.id);
    }

    pub(crate) fn alive(&self, operation: &'static str) -> Result<()> {
        if self.0.ended.load(Ordering::Acquire) {
            return Err(Error::ended(operation));
        }
        Ok(())
    }

    /// Whether `curl` and `wget` reach anything.
    pub(crate) fn has_network(&self) -> bool {
        template::has_network(&self.0.settings.kernel.programs)
    }

    pub(crate) fn configuration(&self) -> &Configuration {
        &self.0.settings.configuration
    }

    /// A session whose state was saved.
    pub(crate) fn load_session(&self, state: Bytes) -> Session {
        let state = ShellState::load(state, self.shell_setup());
        Session::new(self.clone(), state, false)
    }

    /// What fresh shell state begins with.
    pub(crate) fn shell_setup(&self) -> Setup {
        Setup::clone(&self.0.settings.setup)
    }

    /// Puts a gate before every program of this sandbox.
    pub(crate) fn set_gate(&self, gate: Option<Arc<dyn offshoot_kernel::Gate>>) {
        self.0.kernel.set_gate(gate);
    }

    /// Lets nothing inside ask the network for anything from now on, whatever its policy allows, or lets
    /// it ask again. It replaces the rules that a policy of the contract has set for commands.
    pub fn set_offline(&self, offline: bool) {
        self.set_gate(offline.then(|| Arc::new(Offline) as Arc<dyn offshoot_kernel::Gate>));
    }

    /// The live tree of files, for what the file operations do not offer: links, owners, open files,
    /// differences of forks. It takes absolute paths, and goes on after [`Sandbox::cleanup`].
    ///
    /// ```
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let sandbox = offshoot::Sandbox::new()?;
    /// let (vfs, user) = (sandbox.vfs(), sandbox.caller());
    /// vfs.symlink(&user, b"/etc/hosts", vfs.root(), b"/home/user/hosts")?;
    /// assert_eq!(vfs.read_link(&user, vfs.root(), b"/home/user/hosts")?, b"/etc/hosts");
    /// # Ok(()) }
    /// ```
    pub fn vfs(&self) -> &Vfs {
        self.0.kernel.vfs()
    }

    /// On whose behalf operations on [`Sandbox::vfs`] run when they run as the sandbox's user.
    pub fn caller(&self) -> Caller {
        let User { uid, gid, .. } = self.configuration().user;
        Caller {
            uid,
            gid,
            umask: UMASK,
            process: 0,
        }
    }

    /// Runs to the end with both outputs collected.
    pub(crate) async fn collect(
        &self,
        mut exec: Exec,
        state: Option<&mut ShellState>,
    ) -> Result<ShellResult> {
        let started = Instant::now();
        let stdin = match std::mem::take(&mut exec.stdin) {
            Stdin::Bytes(bytes) => Stdio::Bytes(bytes.into()),
            Stdin::Empty | Stdin::Piped => Stdio::Null,
        };
        let (stdout, stderr) = (Capture::new(), Capture::new());
        let streams = [
            stdin,
            Stdio::Capture(stdout.clone()),
            Stdio::Capture(stderr.clone()),
        ];
        let command = exec.text().into_owned();
        let end = self.run(exec, Manner::default(), streams, state).await;
        let status = end.as_ref().map_or(SIGKILLED, ProcessEnd::status);
        let mut result = ShellResult::new(command, status);
        result.stdout = stdout.take();
        result.stderr = stderr.take();
        let end = match end {
            Ok(end) => end,
            Err(error) if result.stdout.is_empty() && result.stderr.is_empty() => {
                return Err(error);
            }
            Err(error) => return Err(error.with_output(result)),
        };
        result.duration_ms = u64::try_from(started.elapsed().as_millis()).unwrap_or(u64::MAX);
        result.timed_out = end == ProcessEnd::Limit(Limit::WallTime);
        match failure(&end) {
            None => Ok(result),
            Some(error) => Err(error.with_output(result)),
        }
    }

    /// Runs a script in a parked shell or a new one.
    pub(crate) async fn run(
        &self,
        exec: Exec,
        manner: Manner,
        streams: [Stdio; 3],
        state: Option<&mut ShellState>,
    ) -> Result<ProcessEnd> {
        self.alive("exec")?;
        let (setup, request) = self.request(exec, manner, streams)?;
        let mut shell = self.shell("exec")?;
        let end = match state {
            None => shell.run(&setup, request).await,
            Some(state) => shell.run_session(state, request).await,
        };
        self.park(shell);
        self.outlived(end.map_err(|error| Error::kernel("exec", error))?)
    }

    /// The end of a script, unless it came with that of its sandbox.
    fn outlived(&self, end: ProcessEnd) -> Result<ProcessEnd> {
        if let ProcessEnd::Signalled(_) = end {
            self.alive("exec")?;
        }
        Ok(end)
    }

    /// Runs a suspended script to its end.
    pub(crate) async fn run_resumed(
        &self,
        reopened: Reopened,
        resume: Resume,
    ) -> Result<ProcessEnd> {
        let mut shell = self.shell("resume")?;
        let end = shell.resume(reopened, resume).await;
        self.park(shell);
        self.outlived(end.map_err(|error| Error::kernel("resume", error))?)
    }

    /// A parked shell or a new one.
    fn shell(&self, operation: &'static str) -> Result<Shell> {
        let Inner {
            id,
            kernel,
            settings,
            ..
        } = &*self.0;
        match parking::take(*id) {
            Some(shell) => Ok(shell),
            None => {
                Shell::new(kernel, &settings.shell).map_err(|error| Error::kernel(operation, error))
            }
        }
    }

    fn park(&self, shell: Shell) {
        if shell.is_warm() && !self.0.ended.load(Ordering::Acquire) {
            parking::put(self.0.id, shell);
        }
    }

    /// Opens the files of a suspended script again.
    pub(crate) fn reopen(&self, suspended: &Suspended) -> Result<Reopened> {
        let reopened = self.0.kernel.reopen(&suspended.0);
        reopened.map_err(|error| Error::kernel("resume", error))
    }

    pub(crate) fn running(&self) -> &Running {
        &self.0.running
    }

    pub(crate) fn kernel(&self) -> &Kernel {
        &self.0.kernel
    }

    /// The list of its contexts.
    pub(crate) fn context_list(&self) -> &Contexts {
        &self.0.contexts
    }

    pub(crate) fn register(&self, suspender: &Suspender, id: Option<u64>) -> Registered {
        self.0.running.register(suspender, id)
    }

    fn request(
        &self,
        exec: Exec,
        manner: Manner,
        streams: [Stdio; 3],
    ) -> Result<(Arc<Setup>, Request)> {
        let settings = &self.0.settings;
        let mut request = Request::new(match exec.from_file {
            true => Source::Script(exec.script),
            false => Source::Text(exec.script),
        });
        if manner.interactive {
            request.source = Source::Invocation(vec![b"-i".to_vec()]);
        }
        request.signals = manner.signals;
        request.suspender = manner.suspender;
        request.budgets = settings.configuration.budgets;
        request.wait_for_background = !manner.interactive;
        request.release = !exec.waits;
        request.wall_time = exec.timeout;
        request.arguments = exec.arguments;
        if let Some(name) = exec.name {
            request.name = name;
        }
        for (number, stream) in (0..).zip(streams) {
            request = request.descriptor(number, stream);
        }
        if let Some(directory) = &exec.cwd {
            let resolved = path::resolve(self.cwd(), directory);
            let failed = |error| Error::file("exec", directory, error);
            let found = self
                .vfs()
                .stat(&self.caller(), self.vfs().root(), resolved.as_bytes(), true)
                .map_err(failed)?;
            if found.kind != Kind::Directory {
                return Err(failed(offshoot_vfs::Error::NotDirectory));
            }
            request.directory = Some(resolved.into_bytes());
        }
        let environment = exec.environment.into_iter();
        let environment = environment.map(|(name, value)| (name.into_bytes(), value.into_bytes()));
        if !exec.replace_environment {
            request.environment = environment.collect();
            return Ok((Arc::clone(&settings.setup), request));
        }
        let setup = Setup {
            environment: environment.collect(),
            ..Setup::clone(&settings.setup)
        };
        Ok((Arc::new(setup), request))
    }
}

/// The error of an end that is no result.
pub(crate) fn failure(end: &ProcessEnd) -> Option<Error> {
    match end {
        ProcessEnd::Limit(Limit::WallTime) => None,
        ProcessEnd::Limit(limit) => Some(Error::new(
            Code::Limit,
            "exec",
            format!("limit reached: {limit}"),
        )),
        ProcessEnd::Fault(reason) => Some(Error::new(Code::Died, "exec", reason.clone())),
        _ => None,
    }
}

impl Settings {
    /// The same with another clock and other randomness.
    fn with_sources(&self, sources: Sources) -> Settings {
        let Sources { time, random } = sources;
        let kernel = offshoot_kernel::Settings {
            time,
            random,
            ..offshoot_kernel::Settings::clone(&self.kernel)
        };
        Settings {
            kernel: Arc::new(kernel),
            shell: self.shell.clone(),
            setup: Arc::clone(&self.setup),
            configuration: Arc::clone(&self.configuration),
        }
    }

    /// The first state of a shell.
    pub(crate) fn setup(environment: &[(String, String)], cwd: &str) -> Arc<Setup> {
        let bytes = |(name, value): &(String, String)| {
            (name.as_bytes().to_vec(), value.as_bytes().to_vec())
        };
        Arc::new(Setup {
            environment: environment.iter().map(bytes).collect(),
            directory: cwd.as_bytes().to_vec(),
            umask: UMASK,
            posix: false,
        })
    }
}

impl Drop for Inner {
    fn drop(&mut self) {
        parking::remove(self.id);
        self.kernel.terminate();
        trim::after(self.kernel.vfs().usage().bytes);
    }
}

impl fmt::Debug for Sandbox {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Sandbox")
            .field("id", &self.0.id)
            .field("cwd", &self.cwd())
            .finish_non_exhaustive()
    }
}
