//! Programs that are components.

use std::sync::{Arc, Mutex, MutexGuard, OnceLock, PoisonError};
use std::time::Duration;

use wasmtime::Store;
use wasmtime::component::{Component, InstancePre};

use super::image::Blocks;
use super::interrupt::Way;
use super::reach::Reach;
use super::working_set::WorkingSets;
use crate::guest::{self, CommandGuest, CommandPre, Guest, ShellPre};
use crate::process::{ProcessEnd, end_of};
use crate::{Artifact, Engine, Error, Result};

/// The pauses between two attempts to make an image of memory: the first, which doubles, up to the last.
const FIRST_PAUSE: Duration = Duration::from_millis(1);
const LONGEST_PAUSE: Duration = Duration::from_millis(256);

/// A program that exports `wasi:cli/run`.
pub(crate) type Command = Loaded<CommandPre<Guest>>;

/// What can be made of a linked component.
pub(crate) trait Prepared: Sized {
    fn prepare(instance: InstancePre<Guest>) -> wasmtime::Result<Self>;
}

impl Prepared for CommandPre<Guest> {
    fn prepare(instance: InstancePre<Guest>) -> wasmtime::Result<Self> {
        CommandPre::new(instance)
    }
}

impl Prepared for ShellPre<Guest> {
    fn prepare(instance: InstancePre<Guest>) -> wasmtime::Result<Self> {
        ShellPre::new(instance)
    }
}

/// A component that is loaded and linked when it is first needed, once.
pub(crate) struct Loaded<P> {
    engine: Engine,
    artifact: Option<Artifact>,
    prepared: OnceLock<Result<P, (&'static str, String)>>,
    /// Blocks that memories of its instances begin with, as far as they were asked for.
    pristine: Mutex<Option<Arc<Blocks>>>,
    /// What its instances write to, where their memory can be reached.
    working_sets: WorkingSets,
    /// How its instances are interrupted.
    way: OnceLock<Way>,
}

impl<P: Prepared> Loaded<P> {
    pub(crate) fn new(engine: &Engine, artifact: Artifact) -> Loaded<P> {
        let prepared = OnceLock::new();
        Loaded {
            engine: engine.clone(),
            artifact: Some(artifact),
            prepared,
            pristine: Mutex::default(),
            working_sets: WorkingSets::default(),
            way: OnceLock::new(),
        }
    }

    pub(crate) fn compile(engine: &Engine, bytes: &[u8]) -> Result<Loaded<P>> {
        Loaded::of(engine, &engine.compile(bytes)?)
    }

    pub(crate) fn of(engine: &Engine, component: &Component) -> Result<Loaded<P>> {
        let prepared = prepare(engine, component)?;
        let prepared = OnceLock::from(Ok(prepared));
        Ok(Loaded {
            engine: engine.clone(),
            artifact: None,
            prepared,
            pristine: Mutex::default(),
            working_sets: WorkingSets::default(),
            way: OnceLock::new(),
        })
    }

    pub(crate) fn load(&self) -> Result<()> {
        self.get().map(drop)
    }

    pub(super) fn pristine(&self) -> MutexGuard<'_, Option<Arc<Blocks>>> {
        self.pristine.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub(super) fn working_sets(&self) -> &WorkingSets {
        &self.working_sets
    }

    /// How its instances are interrupted, as the first one says.
    pub(super) async fn way(
        &self,
        store: &mut Store<Guest>,
        reach: &Reach,
    ) -> wasmtime::Result<Way> {
        match self.way.get() {
            Some(way) => Ok(*way),
            None => {
                let way = reach.way(store).await?;
                Ok(*self.way.get_or_init(|| way))
            }
        }
    }

    /// As [`Loaded::get`], where compiling holds up no task: it is done on a thread for what blocks.
    pub(crate) async fn ready(self: &Arc<Loaded<P>>) -> Result<&P>
    where
        P: Send + Sync + 'static,
    {
        if self.prepared.get().is_none() && self.artifact.is_some_and(Artifact::is_slow) {
            let own = Arc::clone(self);
            // Should the thread end early, the next line says why, or loads.
            let _ = tokio::task::spawn_blocking(move || own.load()).await;
        }
        self.get()
    }

    pub(crate) fn get(&self) -> Result<&P> {
        let loaded = self.prepared.get_or_init(|| {
            let artifact = self.artifact.ok_or(("ARTIFACT", "none".to_owned()))?;
            artifact
                .load(&self.engine)
                .and_then(|component| prepare(&self.engine, &component))
                .map_err(|error| (error.code(), error.to_string()))
        });
        loaded.as_ref().map_err(|(code, text)| match *code {
            "INTERFACE" => Error::Interface(text.clone()),
            _ => Error::Artifact(text.clone()),
        })
    }
}

/// Makes the images that memories of the component begin as, as its first instance would.
///
/// Linux refuses to seal an image with EBUSY while something else of the system holds a page of it, which
/// happens under load and is over soon. Whatever else fails, the first instance says.
fn make_images(component: &Component) {
    let mut pause = FIRST_PAUSE;
    while let Err(error) = component.initialize_copy_on_write_image() {
        if !is_busy(&error) || pause > LONGEST_PAUSE {
            return;
        }
        std::thread::sleep(pause);
        pause *= 2;
    }
}

fn is_busy(error: &wasmtime::Error) -> bool {
    let mut causes = error
        .chain()
        .filter_map(|cause| cause.downcast_ref::<std::io::Error>());
    causes.any(|cause| cause.kind() == std::io::ErrorKind::ResourceBusy)
}

/// Links a component and looks its exports up.
fn prepare<P: Prepared>(engine: &Engine, component: &Component) -> Result<P> {
    make_images(component);
    engine
        .linker()?
        .instantiate_pre(component)
        .and_then(P::prepare)
        .map_err(|error| Error::Interface(format!("{error:#}")))
}

/// A process of a command.
pub(crate) async fn run(command: Arc<Command>, guest: Guest) -> ProcessEnd {
    let prepared = match command.ready().await {
        Ok(prepared) => prepared,
        Err(error) => return ProcessEnd::Fault(error.to_string()),
    };
    if let Some(rounds) = guest.rounds() {
        return super::rounds::run(&command, prepared, guest, rounds).await;
    }
    let mut store = guest::store(guest);
    let result = if Reach::is_in(prepared.instance_pre().component()) {
        run_prefetched(&command, prepared, &mut store).await
    } else {
        run_plain(prepared, &mut store).await
    };
    match result {
        Ok(Ok(())) => ProcessEnd::Exited(0),
        Ok(Err(())) => ProcessEnd::Exited(1),
        Err(error) => end_of(&error, store.data()),
    }
}

/// Calls a new instance. Its exports were looked up once for all: most programs run for microseconds.
async fn run_plain(
    prepared: &CommandPre<Guest>,
    store: &mut Store<Guest>,
) -> wasmtime::Result<Result<(), ()>> {
    let instance = prepared.instantiate_async(&mut *store).await?;
    instance.wasi_cli_run().call_run(&mut *store).await
}

/// As [`run_plain`]; the memory that runs of the program write to is given to this one at once, instead of with a fault
/// for each page.
async fn run_prefetched(
    command: &Command,
    prepared: &CommandPre<Guest>,
    store: &mut Store<Guest>,
) -> wasmtime::Result<Result<(), ()>> {
    let instance = prepared
        .instance_pre()
        .instantiate_async(&mut *store)
        .await?;
    let guest = CommandGuest::new(&mut *store, &instance)?;
    let set = &command.working_sets.run;
    let watched = match Reach::of(store, &instance)? {
        Some(reach) => {
            let place = reach.place(store).await?;
            set.begin(store, place, [])
        }
        None => None,
    };
    let ended = guest.wasi_cli_run().call_run(&mut *store).await;
    if let Some(watched) = watched {
        set.learn(watched.written());
    }
    ended
}
