//! Programs that are called again and again, and rest between two calls.

use std::collections::HashSet;
use std::future::{Future, poll_fn};
use std::pin::pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll, Waker};

use futures::task::AtomicWaker;
use wasmtime::Store;

use super::component::Command;
use super::image::{Blocks, Image, changed};
use super::interrupt::Interrupt;
use super::reach::{BLOCK, Reach};
use super::working_set::Watched;
use crate::guest::{self, CommandGuest, CommandPre, Guest, Holding};
use crate::process::{ProcessEnd, end_of};
use crate::{Error, HeldMemory, Limit, Result};

/// The embedder's side of a program whose `run` is called for one round after the other, in the same instance: an
/// interpreter that keeps what it has from one piece of code to the next. Clones are the same.
///
/// The first call is for what the program opens for good: its standard streams, for instance. The second one prepares
/// it, and each further one is a round that [`Rounds::next`] asked for. Between two of them nothing of the program is
/// on a stack, and [`Rounds::capture`] takes what it holds as an [`Image`], from which another process of the same
/// component goes on. Such a process is called the first time as well, and gets the memory of the image then.
///
/// ```
/// use offshoot_kernel::{Rounds, Stdio};
/// let rounds = Rounds::new();
/// // For the first program that has it as a descriptor above 2.
/// let (input, writer) = Stdio::rounds(&rounds);
/// assert!(rounds.capture().is_err(), "nothing rests yet");
/// # drop((input, writer));
/// ```
#[derive(Clone, Default)]
pub struct Rounds(Arc<Shared>);

#[derive(Default)]
struct Shared {
    state: Mutex<State>,
    /// The task that runs the program.
    program: AtomicWaker,
    /// Who waits until it rests.
    host: AtomicWaker,
    /// The round is to be interrupted.
    interrupted: AtomicBool,
}

#[derive(Default)]
struct State {
    claimed: bool,
    /// What it begins as.
    start: Option<Image>,
    /// A round was asked for and has not begun.
    wanted: bool,
    rest: Option<Box<Rest>>,
    /// What it holds while it rests, and the memory that this counts as.
    image: Option<(Image, Option<HeldMemory>)>,
    over: bool,
    /// The limit at which it ended.
    limit: Option<Limit>,
}

/// A program that rests.
struct Rest {
    store: Store<Guest>,
    command: CommandGuest,
    reach: Option<Reach>,
    program: Arc<Command>,
    /// What it held after its first call, and where its stack was.
    begun: Holding,
    stack: u32,
}

impl Rounds {
    /// Those of a program that begins afresh.
    pub fn new() -> Rounds {
        Rounds::default()
    }

    /// Those of a program that goes on with an image. Where that is of another component, or does not fit into the
    /// limits, the process ends.
    pub fn from_image(image: &Image) -> Rounds {
        let rounds = Rounds::default();
        rounds.lock().start = Some(image.clone());
        rounds
    }

    /// Asks for a round. One that was asked for before the program rests begins then.
    pub fn next(&self) {
        self.lock().wanted = true;
        self.0.program.wake();
    }

    /// Interrupts the program, where its build gave its host a way to that: CPython raises `KeyboardInterrupt` between
    /// two of its instructions. It does so within some milliseconds of computing, as soon as it may be interrupted; a
    /// program that waits for something does not see it.
    pub fn interrupt(&self) {
        self.0.interrupted.store(true, Ordering::Release);
    }

    /// Takes an interrupt back that the program has not followed.
    pub fn clear_interrupt(&self) {
        self.0.interrupted.store(false, Ordering::Release);
    }

    pub(super) fn is_interrupted(&self) -> bool {
        self.0.interrupted.load(Ordering::Acquire)
    }

    /// Waits until the program rests and no round is asked for, or it has ended. For one who waits at a time.
    pub async fn resting(&self) {
        poll_fn(|context| {
            self.0.host.register(context.waker());
            let state = self.lock();
            match state.over || state.rest.is_some() && !state.wanted {
                true => Poll::Ready(()),
                false => Poll::Pending,
            }
        })
        .await;
    }

    /// What the program holds. It is copied once after each round, however often it is asked for: some
    /// milliseconds, during which the program does not begin another round. In between it counts as memory of the
    /// sandbox; where that has not so much left, it is copied each time.
    ///
    /// # Errors
    /// [`Error::Held`] where it does not rest, has something open that it had not after its first call (it says
    /// what), or gives its host no way to its memory; [`Error::Over`] where it has ended.
    pub fn capture(&self) -> Result<Image> {
        let mut state = self.lock();
        if state.over {
            return Err(Error::Over);
        }
        if state.wanted {
            return Err(Error::Held("it is running".to_owned()));
        }
        let State { rest, image, .. } = &mut *state;
        let rest = rest
            .as_mut()
            .ok_or_else(|| Error::Held("it is running".to_owned()))?;
        if let Some((image, _)) = image {
            return Ok(image.clone());
        }
        let taken = now(rest.capture())?;
        let held = rest.store.data().kernel().hold(taken.size());
        *image = held.ok().map(|held| (taken.clone(), Some(held)));
        Ok(taken)
    }

    /// What the program holds, where that was captured since its last round.
    pub fn captured(&self) -> Option<Image> {
        let state = self.lock();
        let (image, _) = state.image.as_ref().filter(|_| !state.wanted)?;
        Some(image.clone())
    }

    /// The limit at which the program ended, where one was the reason. Whoever waits for a process that started it sees
    /// an exit status.
    pub fn limit(&self) -> Option<Limit> {
        self.lock().limit
    }

    /// Takes them for a program; false where another one has them.
    pub(crate) fn claim(&self) -> bool {
        !std::mem::replace(&mut self.lock().claimed, true)
    }

    /// Rests until a round is asked for. `image` is what the program holds, where that is known.
    async fn rest(&self, rest: Box<Rest>, image: Option<Image>) -> Box<Rest> {
        {
            let mut state = self.lock();
            state.rest = Some(rest);
            state.image = image.map(|image| (image, None));
        }
        self.0.host.wake();
        poll_fn(|context| {
            self.0.program.register(context.waker());
            let mut state = self.lock();
            if !state.wanted {
                return Poll::Pending;
            }
            let Some(rest) = state.rest.take() else {
                return Poll::Pending;
            };
            (state.wanted, state.image) = (false, None);
            Poll::Ready(rest)
        })
        .await
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.0.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Ends the rounds with the process.
struct Over(Rounds);

impl Drop for Over {
    fn drop(&mut self) {
        let rest = {
            let mut state = self.0.lock();
            (state.over, state.image) = (true, None);
            state.rest.take()
        };
        drop(rest);
        self.0.0.host.wake();
    }
}

/// A process that is called again and again.
pub(super) async fn run(
    program: &Arc<Command>,
    prepared: &CommandPre<Guest>,
    guest: Guest,
    rounds: Rounds,
) -> ProcessEnd {
    let over = Over(rounds);
    let end = go_on(program, prepared, guest, &over.0).await;
    if let ProcessEnd::Limit(limit) = end {
        over.0.lock().limit = Some(limit);
    }
    end
}

async fn go_on(
    program: &Arc<Command>,
    prepared: &CommandPre<Guest>,
    guest: Guest,
    rounds: &Rounds,
) -> ProcessEnd {
    let mut store = guest::store(guest);
    let start = rounds.lock().start.take();
    let begun = match begin(program, prepared, &mut store, rounds, start.as_ref()).await {
        Ok(Ok(begun)) => begun,
        Ok(Err(())) => return ProcessEnd::Exited(1),
        Err(error) => return end_of(&error, store.data()),
    };
    let Begun {
        command,
        reach,
        held,
        stack,
        mut watched,
    } = begun;
    let mut rest = Box::new(Rest {
        store,
        command,
        reach,
        program: Arc::clone(program),
        begun: held,
        stack,
    });
    let mut image = start;
    loop {
        rest = rounds.rest(rest, image.take()).await;
        let Rest { store, command, .. } = &mut *rest;
        match command.wasi_cli_run().call_run(&mut *store).await {
            Ok(Ok(())) => {}
            Ok(Err(())) => return ProcessEnd::Exited(1),
            Err(error) => return end_of(&error, rest.store.data()),
        }
        if let Some(watched) = watched.take() {
            program.working_sets().image.learn(watched.written());
        }
    }
}

/// An instance that was called for the first time, and then prepared or given what the image has.
struct Begun {
    command: CommandGuest,
    reach: Option<Reach>,
    held: Holding,
    stack: u32,
    /// Its first round shows what those of images write to.
    watched: Option<Watched>,
}

/// Makes an instance and calls it for the first time. With an image it gets that then, else it is prepared.
async fn begin(
    program: &Arc<Command>,
    prepared: &CommandPre<Guest>,
    store: &mut Store<Guest>,
    rounds: &Rounds,
    image: Option<&Image>,
) -> wasmtime::Result<Result<Begun, ()>> {
    let instance = prepared
        .instance_pre()
        .instantiate_async(&mut *store)
        .await?;
    let command = CommandGuest::new(&mut *store, &instance)?;
    let reach = Reach::of(store, &instance)?;
    let sets = program.working_sets();
    let mut watched = None;
    if let Some(reach) = &reach {
        let (place, way) = (reach.place(store).await?, program.way(store, reach).await?);
        let interrupt = Interrupt::new(rounds, place, way);
        store.data_mut().interrupted_by(interrupt);
        let set = image.map_or(&sets.rounds, |_| &sets.image);
        let certain = image.into_iter().flat_map(Image::blocks);
        watched = set.begin(store, place, certain);
    }
    if command.wasi_cli_run().call_run(&mut *store).await?.is_err() {
        return Ok(Err(()));
    }
    let held = store.data_mut().holding();
    let stack = match &reach {
        Some(reach) => reach.stack(store).await?,
        None => 0,
    };
    match (image, &reach) {
        (Some(image), Some(reach)) => put(program, store, reach, image).await?,
        (Some(_), None) => {
            return Err(wasmtime::Error::msg("the program has no way to its memory"));
        }
        (None, _) => {
            if command.wasi_cli_run().call_run(&mut *store).await?.is_err() {
                return Ok(Err(()));
            }
            if let Some(watched) = watched.take() {
                sets.rounds.learn(watched.written());
            }
        }
    }
    Ok(Ok(Begun {
        command,
        reach,
        held,
        stack,
        watched,
    }))
}

/// Gives an instance the memory of an image.
async fn put(
    program: &Arc<Command>,
    store: &mut Store<Guest>,
    reach: &Reach,
    image: &Image,
) -> wasmtime::Result<()> {
    let head = image.head();
    if reach.identity(store).await? != head.component {
        return Err(wasmtime::Error::msg("what is kept is of another program"));
    }
    reach.grow_to(store, head.pages).await?;
    // What the first call wrote to, and the image has as it was before.
    let blocks: HashSet<u32> = image.blocks().flatten().collect();
    let touched = reach.touched(store).await?;
    let stale: Option<Vec<u32>> = touched.map(|touched| {
        let touched = touched.into_iter();
        touched.filter(|block| !blocks.contains(block)).collect()
    });
    let mut regions: Vec<(u32, &[u8])> = Vec::with_capacity(image.regions().len());
    let before;
    if stale.as_ref().is_none_or(|stale| !stale.is_empty()) {
        before = kept_pristine(program, store.data().another(), stale.as_deref()).await?;
        let found = reach.view(store, |memory| {
            changed(memory, stale.as_deref(), Some(&before))
        });
        for (offset, bytes) in found.await? {
            for at in (offset as usize..offset as usize + bytes.len()).step_by(BLOCK) {
                let number = (at / BLOCK) as u32;
                if !blocks.contains(&number) {
                    regions.push((at as u32, before.get(number)));
                }
            }
        }
        reach.write(store, &regions).await?;
        regions.clear();
    }
    regions.extend(image.regions().iter().map(|(at, bytes)| (*at, &bytes[..])));
    reach.write(store, &regions).await?;
    store.data_mut().adopt(head);
    Ok(())
}

/// What every instance begins with, as [`pristine`] gives it. That of some blocks is kept for the next time: a program
/// touches the same ones in each of its first calls.
async fn kept_pristine(
    program: &Arc<Command>,
    guest: Guest,
    numbers: Option<&[u32]>,
) -> wasmtime::Result<Arc<Blocks>> {
    let kept = program.pristine().clone();
    if let (Some(kept), Some(numbers)) = (kept, numbers)
        && kept.has(numbers)
    {
        return Ok(kept);
    }
    let found = Arc::new(pristine(program, guest, numbers).await?);
    if numbers.is_some() {
        *program.pristine() = Some(Arc::clone(&found));
    }
    Ok(found)
}

/// What every instance begins with: these blocks of its memory, or all.
async fn pristine(
    program: &Arc<Command>,
    guest: Guest,
    numbers: Option<&[u32]>,
) -> wasmtime::Result<Blocks> {
    let prepared = program.get().map_err(wasmtime::Error::new)?;
    let mut store = guest::store(guest);
    let instance = prepared
        .instance_pre()
        .instantiate_async(&mut store)
        .await?;
    match Reach::of(&mut store, &instance)? {
        Some(reach) => {
            let copy = |memory: &[u8]| Blocks::of(memory, numbers);
            reach.view(&mut store, copy).await
        }
        None => Ok(Blocks::default()),
    }
}

impl Rest {
    async fn capture(&mut self) -> Result<Image> {
        if let Some(more) = self.store.data_mut().beyond(&self.begun) {
            return Err(Error::Held(more));
        }
        let taken = self.take().await;
        taken.map_err(|error| Error::Engine(format!("{error:#}")))?
    }

    async fn take(&mut self) -> wasmtime::Result<Result<Image>> {
        let Some(reach) = &self.reach else {
            let message = "it gives its host no way to its memory";
            return Ok(Err(Error::Held(message.to_owned())));
        };
        let store = &mut self.store;
        if reach.stack(store).await? != self.stack {
            let message = "its stack is not empty";
            return Ok(Err(Error::Held(message.to_owned())));
        }
        let component = reach.identity(store).await?;
        let touched = reach.touched(store).await?;
        let another = store.data().another();
        let before = match pristine(&self.program, another, touched.as_deref()).await {
            Ok(before) => Some(before),
            // What was touched does without, where there is no room for another instance.
            Err(_) if touched.is_some() => None,
            Err(error) => return Err(error),
        };
        let pages = reach.size(store).await?;
        let regions = reach.view(store, |memory| {
            changed(memory, touched.as_deref(), before.as_ref())
        });
        let regions = regions.await?;
        Ok(Ok(Image::new(store.data().head(component, pages), regions)))
    }
}

/// What a future gives that waits for nothing but its turn.
fn now<F: Future>(future: F) -> F::Output {
    let mut future = pin!(future);
    loop {
        if let Poll::Ready(output) = future
            .as_mut()
            .poll(&mut Context::from_waker(Waker::noop()))
        {
            return output;
        }
        std::thread::yield_now();
    }
}

impl std::fmt::Debug for Rounds {
    fn fmt(&self, f: &mut std::fmt::Formatter<'_>) -> std::fmt::Result {
        let state = self.lock();
        f.debug_struct("Rounds")
            .field("rests", &state.rest.is_some())
            .field("over", &state.over)
            .finish()
    }
}
