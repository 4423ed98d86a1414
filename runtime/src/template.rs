//! What sandboxes share: the engine, the registered programs, and the tree they all start from.

use crate::command::Command;
use crate::error::{Below, Code, Error, Result};
use crate::guest;
use crate::layout::{self, User};
#[cfg(not(feature = "network"))]
use crate::no_network;
use offshoot_kernel::{
    Engine, EngineOptions, FixedTime, Program, Programs, SeededRandom, SystemRandom, SystemTimes,
    Time, WallClock,
};
use offshoot_vfs::{Options, Quotas, Random, Timestamp, Vfs};
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, OnceLock};

/// When a deterministic sandbox starts: 2024-01-01T00:00:00Z.
const START: Timestamp = Timestamp {
    seconds: 1_704_067_200,
    nanoseconds: 0,
};

/// The one engine of the process, for crates that run components beside those of sandboxes, such as
/// connectors.
///
/// # Errors
/// `SANDBOX_UNAVAILABLE` where the machine is not one that wasmtime supports.
pub fn engine() -> Result<&'static Engine> {
    if let Some(engine) = ENGINE.get() {
        return Ok(engine);
    }
    let made = make_engine(&EngineOptions::default())?;
    // Where two threads come here at once, one engine is dropped unused.
    Ok(ENGINE.get_or_init(|| made))
}

static ENGINE: OnceLock<Engine> = OnceLock::new();

/// Sets the one engine of the process up with other options than the default ones, which suit a
/// program that ends soon: a server asks for [`EngineOptions::for_machine`].
///
/// # Errors
/// `CONFLICT` where it is set up already: call this before the first sandbox;
/// `SANDBOX_UNAVAILABLE` as for [`engine`].
pub fn set_up_engine(options: &EngineOptions) -> Result<()> {
    let conflict = || {
        let text = "the engine of this process is set up already";
        Error::new(Code::Conflict, "create", text)
    };
    if ENGINE.get().is_some() {
        return Err(conflict());
    }
    let made = make_engine(options)?;
    ENGINE.set(made).map_err(|_| conflict())
}

/// An engine on which the embedded guests run.
fn make_engine(options: &EngineOptions) -> Result<Engine> {
    let mut options = options.clone();
    if guest::python().is_some() {
        options.stack = options.stack.max(guest::PYTHON_STACK);
    }
    Engine::new(&options).map_err(|error| Error::kernel("create", error))
}

/// Loads the shell and all commands now, on all cores, instead of each when it is first run; `progress` hears how many
/// of how many are loaded, on whichever thread loaded one.
///
/// Without the feature `embed` that compiles them on the first run of a program, which takes seconds, and reads what
/// was kept of them afterwards ([`EngineOptions::cache`]); call it where a program may block, before the first sandbox.
///
/// # Errors
/// `SANDBOX_UNAVAILABLE` as for [`engine`], and where a guest cannot be compiled.
///
/// # Examples
/// ```
/// offshoot::warm(|loaded, of| eprintln!("{loaded} of {of}"))?;
/// # Ok::<(), offshoot::Error>(())
/// ```
pub fn warm(progress: impl Fn(usize, usize) + Sync) -> Result<()> {
    let programs = standard_programs()?;
    let firsts = guest::FAMILIES
        .iter()
        .filter_map(|family| family.commands.first());
    let names: Vec<&str> = ["bash"].iter().chain(firsts).copied().collect();
    let python = guest::python().map(|_| "python3");
    let javascript = guest::javascript().map(|_| "node");
    let names: Vec<&str> = names.into_iter().chain(python).chain(javascript).collect();
    let (next, loaded) = (AtomicUsize::new(0), AtomicUsize::new(0));
    let work = || {
        while let Some(name) = names.get(next.fetch_add(1, Ordering::Relaxed)) {
            let load = programs.get(name).map_or(Ok(()), Program::load);
            load.map_err(|error| Error::kernel("warm", error))?;
            progress(loaded.fetch_add(1, Ordering::Relaxed) + 1, names.len());
        }
        Ok(())
    };
    std::thread::scope(|scope| {
        let cores = std::thread::available_parallelism().map_or(1, usize::from);
        let others: Vec<_> = (1..cores.min(names.len()))
            .map(|_| scope.spawn(work))
            .collect();
        let own = work();
        let ended = others
            .into_iter()
            .map(|other| other.join().unwrap_or(Ok(())));
        ended.fold(own, Result::and)
    })
}

/// The shell. The bytes were taken by the build script of this very library.
pub(crate) fn shell() -> Result<Program> {
    static SHELL: OnceLock<Program> = OnceLock::new();
    let engine = engine()?;
    let shell = SHELL.get_or_init(|| Program::shell(engine, guest::artifact(guest::SHELL)));
    Ok(shell.clone())
}

/// The programs that every sandbox has.
fn standard_programs() -> Result<&'static Arc<Programs>> {
    static PROGRAMS: OnceLock<Arc<Programs>> = OnceLock::new();
    let (engine, shell) = (engine()?, shell()?);
    Ok(PROGRAMS.get_or_init(|| {
        let mut programs = Programs::default();
        for family in guest::FAMILIES {
            let program = Program::command(engine, guest::artifact(family.code));
            for name in family.commands {
                programs.insert(*name, program.clone());
            }
        }
        for name in ["bash", "sh"] {
            programs.insert(name, shell.clone());
        }
        if let Some(code) = guest::python() {
            programs.insert("python3", Program::command(engine, guest::artifact(code)));
        }
        if let Some(code) = guest::javascript() {
            programs.insert("node", Program::command(engine, guest::artifact(code)));
        }
        #[cfg(not(feature = "network"))]
        let network = no_network::programs();
        #[cfg(feature = "network")]
        let network = crate::network::programs();
        for (name, program) in network {
            programs.insert(name, program);
        }
        Arc::new(programs)
    }))
}

/// Whether something else stands for `curl` than what says that there is no network.
pub(crate) fn has_network(programs: &Programs) -> bool {
    let standard = standard_programs().ok();
    let without = standard.and_then(|standard| standard.get("curl"));
    match (programs.get("curl"), without) {
        (Some(own), Some(without)) => !own.is_same(without),
        _ => false,
    }
}

/// The standard programs, and the embedder's with a file of their own in `vfs`.
pub(crate) fn programs(vfs: &Vfs, own: &[(String, Command)]) -> Result<Arc<Programs>> {
    let standard = standard_programs()?;
    if own.is_empty() {
        return Ok(Arc::clone(standard));
    }
    let mut all = Programs::clone(standard);
    for (name, command) in own.iter().cloned() {
        if name.is_empty() || name.contains(['/', '\n', '\0']) {
            let message = format!("{name:?} cannot be the name of a command");
            return Err(Error::new(Code::Invalid, "command", message));
        }
        layout::ensure_command(vfs, &name).map_err(|error| Error::file("command", &name, error))?;
        all.insert(name, command.into_program());
    }
    Ok(Arc::new(all))
}

/// Clock and randomness of one sandbox.
#[derive(Clone)]
pub(crate) struct Sources {
    /// Both clocks.
    pub(crate) time: Arc<dyn Time>,
    /// Random bytes.
    pub(crate) random: Arc<dyn Random>,
}

impl Sources {
    /// The system's, or with a seed ones that repeat.
    pub(crate) fn new(seed: Option<u64>) -> Sources {
        match seed {
            None => Sources {
                time: Arc::new(SystemTimes::default()),
                random: Arc::new(SystemRandom),
            },
            Some(seed) => Sources {
                time: Arc::new(FixedTime::new(START)),
                random: Arc::new(SeededRandom::new(seed)),
            },
        }
    }

    /// What a filesystem is given.
    pub(crate) fn options(&self, quotas: Quotas) -> Options {
        let clock = Arc::new(WallClock(Arc::clone(&self.time)));
        Options {
            quotas,
            clock,
            random: Arc::clone(&self.random),
        }
    }
}

/// A fresh filesystem for `user`.
pub(crate) fn filesystem(user: &User, options: Options) -> offshoot_vfs::Result<Vfs> {
    static TEMPLATE: OnceLock<Vfs> = OnceLock::new();
    let template = match TEMPLATE.get() {
        Some(template) => template,
        None => {
            let made = Vfs::new(Options::default());
            layout::populate(&made)?;
            layout::personalize(&made, &User::default())?;
            TEMPLATE.get_or_init(|| made)
        }
    };
    let vfs = template.fork_with(options);
    if *user != User::default() {
        layout::personalize(&vfs, user)?;
    }
    Ok(vfs)
}
