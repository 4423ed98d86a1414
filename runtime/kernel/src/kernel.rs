//! The kernel of one sandbox: its files, its processes, and what they share.

use std::fmt;
use std::sync::atomic::{AtomicU64, AtomicUsize};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use offshoot_vfs::{Caller, Random, Source, Vfs, Views};

use crate::descriptor::{Descriptors, Locks, Object};
use crate::engine::Place;
use crate::guest::{Errno, Held};
use crate::limit::ENDED;
use crate::loopback::Loopback;
use crate::proc::{Birth, View};
use crate::process::{
    Entry, Group, Image, Origin, Process, ProcessEnd, SpawnOptions, Startup, Table, signal,
};
use crate::program::{self, Programs};
use crate::{
    Engine, Error, Gate, Limit, Limits, Reopened, Result, Stdio, Suspended, SystemRandom,
    SystemTimes, Time,
};

/// Who the processes of a sandbox are, as `id` and `hostname` show it.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct Identity {
    /// User number; 0 may do everything.
    pub uid: u32,
    /// Group number.
    pub gid: u32,
    /// User name.
    pub user: String,
    /// Group name.
    pub group: String,
    /// Host name of the sandbox.
    pub hostname: String,
}

impl Default for Identity {
    /// `user` (1000) in the group `user` (1000) on `offshoot`.
    fn default() -> Identity {
        Identity {
            uid: 1000,
            gid: 1000,
            user: "user".to_owned(),
            group: "user".to_owned(),
            hostname: "offshoot".to_owned(),
        }
    }
}

/// What sandboxes of one kind share; forks hold the same one.
#[derive(Clone)]
pub struct Settings {
    /// What runs their processes.
    pub engine: Engine,
    /// What they can run.
    pub programs: Arc<Programs>,
    /// Who they are.
    pub identity: Identity,
    /// What they may use.
    pub limits: Limits,
    /// Where their time comes from.
    pub time: Arc<dyn Time>,
    /// Where their randomness comes from.
    pub random: Arc<dyn Random>,
}

impl Settings {
    /// The defaults, with the system's time and randomness.
    pub fn new(engine: Engine, programs: Arc<Programs>) -> Settings {
        Settings {
            engine,
            programs,
            identity: Identity::default(),
            limits: Limits::default(),
            time: Arc::new(SystemTimes::default()),
            random: Arc::new(SystemRandom),
        }
    }
}

impl fmt::Debug for Settings {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Settings")
            .field("programs", &self.programs)
            .field("identity", &self.identity)
            .field("limits", &self.limits)
            .finish_non_exhaustive()
    }
}

/// The processes of one sandbox over one filesystem. Cheap to make, cheap to clone; clones are the
/// same kernel.
///
/// Processes run as tasks of the tokio runtime (with its timer enabled) in which they are started.
/// They keep the kernel alive: whoever is done with a sandbox calls [`Kernel::terminate`].
///
/// # Examples
/// ```
/// use std::sync::Arc;
/// use offshoot_kernel::{
///     Engine, EngineOptions, Kernel, Program, ProcessEnd, Programs, Settings, SpawnOptions, Stdio,
///     marker,
/// };
/// use offshoot_vfs::{Caller, Options, Vfs};
///
/// # #[tokio::main(flavor = "current_thread")]
/// # async fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let mut programs = Programs::default();
/// programs.insert("greet", Program::function(|mut call| async move {
///     let _ = call.stdout.write_all(b"hello\n").await;
///     0
/// }));
/// let vfs = Vfs::new(Options::default());
/// vfs.write_file(&Caller::ROOT, vfs.root(), b"/greet", &marker("greet"), 0o755)?;
///
/// let settings = Settings::new(Engine::new(&EngineOptions::default())?, Arc::new(programs));
/// let kernel = Kernel::new(Arc::new(settings), vfs);
/// let (stdout, mut output) = Stdio::output();
/// let process = kernel.spawn(SpawnOptions::new("/greet", ["greet"]).descriptor(1, stdout))?;
/// assert_eq!(output.read_to_end().await, b"hello\n");
/// assert_eq!(process.wait().await, ProcessEnd::Exited(0));
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
pub struct Kernel(Arc<Inner>);

struct Inner {
    settings: Arc<Settings>,
    /// Those of the settings, until they are changed.
    limits: Mutex<Limits>,
    vfs: Vfs,
    table: Mutex<Table>,
    locks: Mutex<Locks>,
    gate: Mutex<Option<Arc<dyn Gate>>>,
    /// Bytes of linear memory in use.
    memory: AtomicU64,
    /// Places of the engine's pool that its instances take.
    places: AtomicUsize,
    birth: Birth,
    loopback: Loopback,
}

/// A process that is alive.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct ProcessInfo {
    /// Its number.
    pub pid: u32,
    /// Its parent's number; 1 where the embedder started it or the parent is gone.
    pub parent: u32,
    /// Nanoseconds on the sandbox's monotonic clock when it started.
    pub started: u64,
    /// Its arguments, its name first.
    pub arguments: Vec<Vec<u8>>,
}

impl Kernel {
    /// A kernel without processes over `vfs`.
    pub fn new(settings: Arc<Settings>, vfs: Vfs) -> Kernel {
        let table = Mutex::default();
        let limits = Mutex::new(settings.limits.clone());
        let kernel = Kernel(Arc::new(Inner {
            limits,
            settings,
            vfs,
            table,
            locks: Mutex::default(),
            gate: Mutex::default(),
            memory: AtomicU64::new(0),
            places: AtomicUsize::new(0),
            birth: Birth::default(),
            loopback: Loopback::default(),
        }));
        let views = Arc::downgrade(&kernel.0);
        kernel.0.vfs.set_views(views);
        kernel
    }

    /// What is said of the sandbox's beginning.
    pub(crate) fn birth(&self) -> &Birth {
        &self.0.birth
    }

    /// The network between its processes.
    pub(crate) fn loopback(&self) -> &Loopback {
        &self.0.loopback
    }

    /// What it was made with.
    pub fn settings(&self) -> &Arc<Settings> {
        &self.0.settings
    }

    /// Its limits as they are now.
    pub fn limits(&self) -> Limits {
        self.limited().clone()
    }

    /// Changes the limits. Memory, processes and open files are asked for each time; what runs keeps
    /// its times and its output.
    pub fn set_limits(&self, limits: Limits) {
        *self.limited() = limits;
    }

    pub(crate) fn limited(&self) -> MutexGuard<'_, Limits> {
        // A value that is replaced as a whole is whole.
        self.0.limits.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Which of its files are locked.
    pub(crate) fn locks(&self) -> MutexGuard<'_, Locks> {
        // Each change of it leaves it whole.
        self.0.locks.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Its files.
    pub fn vfs(&self) -> &Vfs {
        &self.0.vfs
    }

    /// Starts a process. It needs no shell.
    ///
    /// # Errors
    /// [`Error::File`] where the path cannot be executed, [`Error::NotProgram`] where it is neither
    /// a program nor a `#!` script, [`Error::Arguments`], [`Error::Limit`] where no further process may
    /// run, [`Error::Engine`] outside a tokio runtime.
    pub fn spawn(&self, options: SpawnOptions) -> Result<Process> {
        let limits = self.limits();
        let group = Group::new(&limits, options.wall_time);
        let descriptors = host_descriptors(&limits, options.descriptors, &group)?;
        let startup = Startup {
            arguments: options.arguments,
            environment: Arc::new(options.environment),
            directory: options.directory,
            umask: options.umask,
        };
        let path = options.path;
        self.spawn_in(&group, Origin::default(), &path, startup, descriptors)
            .map(Process::new)
            .map_err(|errno| spawn_error(errno, &path))
    }

    /// Opens the files of a suspended script again, for [`crate::Shell::resume`]. Files that have no
    /// name are made anew from what the script had in them.
    ///
    /// # Errors
    /// [`Error::Reopen`] for a file that is not where it was, [`Error::Replaced`] where something of
    /// another kind is there, [`Error::File`] where there is no room, [`Error::Corrupt`].
    pub fn reopen(&self, suspended: &Suspended) -> Result<Reopened> {
        Reopened::new(&self.0.vfs, suspended)
    }

    /// Sends a signal to a process; 0 only asks whether it is alive.
    ///
    /// # Errors
    /// [`Error::NoProcess`] where no such process is alive.
    pub fn kill(&self, pid: u32, signal: u8) -> Result<()> {
        self.signal(pid, signal).map_err(|_| Error::NoProcess(pid))
    }

    /// The processes that are alive, and the subshells and commands that shells run in theirs, in
    /// the order of their numbers.
    pub fn processes(&self) -> Vec<ProcessInfo> {
        let table = self.table();
        let mut all: Vec<ProcessInfo> = table.living().map(|entry| entry.info()).collect();
        let tasks = table.living().flat_map(|entry| entry.tasks.list());
        all.extend(tasks.filter(|task| table.get(task.pid).is_none()));
        drop(table);
        all.sort_by_key(|process| process.pid);
        adopt(&mut all);
        all
    }

    /// Bytes of memory that its processes have now, with what [`Kernel::hold`] counts.
    pub fn memory_used(&self) -> u64 {
        self.0.memory.load(std::sync::atomic::Ordering::Relaxed)
    }

    /// Counts bytes that the embedder keeps for the sandbox as memory of it, as long as the value lives.
    ///
    /// # Errors
    /// [`crate::Error::Limit`] where [`Limits::total_memory`] has not that many left.
    pub fn hold(&self, bytes: u64) -> Result<HeldMemory> {
        let mut held = Held::new(self);
        match held.add(bytes) {
            true => Ok(HeldMemory(held)),
            false => Err(crate::Error::Limit(crate::Limit::Memory)),
        }
    }

    /// Ends every process. New ones can be started afterwards.
    pub fn terminate(&self) {
        let living: Vec<_> = self.table().living().cloned().collect();
        living
            .iter()
            .for_each(|entry| entry.group.send(signal::KILL));
    }

    /// Starts a process in `group`.
    pub(crate) fn spawn_in(
        &self,
        group: &Arc<Group>,
        origin: Origin,
        path: &[u8],
        startup: Startup,
        descriptors: Descriptors,
    ) -> Result<Arc<Entry>, Errno> {
        let caller = self.caller(startup.umask);
        let (program, name, mut arguments, file) =
            program::resolve(self, &caller, path, startup.arguments)?;
        let image = Image {
            program: file.into(),
            arguments: arguments.clone(),
            environment: Some(startup.environment.clone()),
            directory: startup.directory.clone(),
            descriptors: Some(descriptors.numbers().collect()),
        };
        let programs = &self.0.settings.programs;
        let called = arguments
            .first()
            .and_then(|called| called.rsplit(|&byte| byte == b'/').next());
        let renamed = called != Some(name.as_bytes()) && programs.is_shared(&program);
        if renamed || self.gate_of(&program).is_some() {
            // One binary is many programs: which one, the file says, whatever it is called by.
            match arguments.first_mut() {
                Some(called) => *called = name.into_bytes(),
                None => arguments.push(name.into_bytes()),
            }
        }
        let startup = Startup {
            arguments,
            ..startup
        };
        if startup.size() > self.limited().arguments {
            return Err(Errno::ArgumentsTooLong);
        }
        let place = match program.is_instance() {
            true => Some(Place::take(self).ok_or(Errno::TooManyProcesses)?),
            false => None,
        };
        let entry = self.admit(group, origin.parent, image, origin.task)?;
        crate::process::start(self, &entry, &program, startup, descriptors, place)
            .map_err(|_| Errno::Io)?;
        Ok(entry)
    }

    /// Counts a new process and gives it a number: the wanted one where that is free.
    pub(crate) fn admit(
        &self,
        group: &Arc<Group>,
        parent: Option<u32>,
        image: Image,
        wanted: Option<u32>,
    ) -> Result<Arc<Entry>, Errno> {
        let started = self.0.settings.time.monotonic();
        let mut table = self.table();
        let most = self.limited().processes;
        if table.alive() >= most || table.known() >= most.saturating_mul(ENDED) {
            return Err(Errno::TooManyProcesses);
        }
        let pid = table.allocate(wanted);
        let parent = parent.unwrap_or(Table::INIT);
        let entry = Arc::new(Entry::new(pid, parent, started, image, Arc::clone(group)));
        table.insert(Arc::clone(&entry));
        drop(table);
        group.join(&entry);
        Ok(entry)
    }

    /// Records the end of a process.
    pub(crate) fn retire(&self, entry: &Entry, end: ProcessEnd) {
        // The parent hears of the end first, so that it is never gone before it could be asked for.
        if entry.is_alive() {
            let mut table = self.table();
            let waiting = entry.finish(end);
            if waiting.is_some() {
                table.retire(entry);
            }
            drop(table);
            waiting
                .into_iter()
                .flatten()
                .for_each(std::task::Waker::wake);
        }
    }

    pub(crate) fn signal(&self, pid: u32, number: u8) -> Result<(), Errno> {
        let table = self.table();
        if let Some(entry) = table.get(pid).filter(|entry| entry.is_alive()) {
            entry.send(number);
            return Ok(());
        }
        let sent = table.living().any(|entry| entry.send_to_task(pid, number));
        sent.then_some(()).ok_or(Errno::NoProcess)
    }

    pub(crate) fn caller(&self, umask: u32) -> Caller {
        let identity = &self.0.settings.identity;
        Caller {
            uid: identity.uid,
            gid: identity.gid,
            umask,
            process: 0,
        }
    }

    pub(crate) fn places(&self) -> &AtomicUsize {
        &self.0.places
    }

    pub(crate) fn memory(&self) -> &AtomicU64 {
        &self.0.memory
    }

    pub(crate) fn gate_slot(&self) -> MutexGuard<'_, Option<Arc<dyn Gate>>> {
        self.0.gate.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(crate) fn table(&self) -> MutexGuard<'_, Table> {
        self.0.table.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Views for Inner {
    fn view(self: Arc<Self>, process: u32) -> Arc<dyn Source> {
        Arc::new(View::new(Kernel(self), process))
    }
}

impl fmt::Debug for Kernel {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Kernel")
            .field("processes", &self.table().alive())
            .finish_non_exhaustive()
    }
}

/// Whose parent is not listed has been left to the first process.
fn adopt(processes: &mut [ProcessInfo]) {
    let known: Vec<u32> = processes.iter().map(|process| process.pid).collect();
    for process in processes {
        if known.binary_search(&process.parent).is_err() {
            process.parent = Table::INIT;
        }
    }
}

/// The table of a process that the embedder starts: what is missing of 0, 1 and 2 is nothing.
pub(crate) fn host_descriptors(
    limits: &Limits,
    given: Vec<(u32, Stdio)>,
    group: &Arc<Group>,
) -> Result<Descriptors> {
    let mut descriptors = Descriptors::new(limits.open_files);
    let standard = (0..3).filter(|number| !given.iter().any(|(known, _)| known == number));
    let standard: Vec<_> = standard.map(|number| (number, Stdio::Null)).collect();
    for (number, stdio) in standard.into_iter().chain(given) {
        descriptors
            .put(number, Arc::new(Object::from_host(stdio, group)))
            .map_err(|_| Error::Limit(Limit::OpenFiles))?;
    }
    Ok(descriptors)
}

fn spawn_error(errno: Errno, path: &[u8]) -> Error {
    match errno {
        Errno::NoExec => Error::NotProgram(String::from_utf8_lossy(path).into_owned()),
        Errno::TooManyProcesses => Error::Limit(Limit::Processes),
        Errno::ArgumentsTooLong => Error::Arguments,
        Errno::Io => Error::Engine("processes need a tokio runtime".to_owned()),
        other => Error::File(other.into()),
    }
}

/// Bytes that count as memory of a sandbox until this is dropped; see [`Kernel::hold`].
pub struct HeldMemory(Held);

impl std::fmt::Debug for HeldMemory {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        f.debug_tuple("HeldMemory").field(&self.0.bytes()).finish()
    }
}
