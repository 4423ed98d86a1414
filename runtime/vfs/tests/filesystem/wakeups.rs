//! Pipes in every order of steps of the tasks at their ends: nobody waits for what has happened.
//!
//! A step is one call of the crate, which holds the pipe's lock throughout. A state is the steps that
//! lead to it, done again from the beginning; what tells states apart is what each task was answered.

use std::cell::RefCell;
use std::fmt::Debug;
use std::future::poll_fn;
use std::hash::{Hash, Hasher};
use std::pin::Pin;
use std::rc::Rc;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::task::{Context, Poll, Wake, Waker};

use offshoot_vfs::{Error, Pipe, PipeReader, PipeWriter, Result};
use stateright::{Checker, Model, Property};

/// Bytes that a pipe holds.
const CAPACITY: usize = 64 << 10;

/// What a task was answered so far.
#[derive(Clone, Default)]
struct Answers(Rc<RefCell<Vec<String>>>);

impl Answers {
    /// Lets any other task go first.
    async fn step(&self) {
        let mut yielded = false;
        poll_fn(|context| {
            if yielded {
                return Poll::Ready(());
            }
            yielded = true;
            self.note("step");
            context.waker().wake_by_ref();
            Poll::Pending
        })
        .await;
    }

    fn note<T: Debug>(&self, answer: T) -> T {
        self.0.borrow_mut().push(format!("{answer:?}"));
        answer
    }

    /// Waits as descriptors of the kernel do: registers and looks in one call, again whenever woken.
    async fn wait(&self, poll: impl Fn(&Waker) -> bool) {
        self.step().await;
        poll_fn(|context| match self.note(poll(context.waker())) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }

    /// As it must not be: whatever the answer, it waits.
    async fn wait_blindly(&self, poll: impl Fn(&Waker) -> bool) {
        self.step().await;
        let mut asked = false;
        poll_fn(|context| {
            if asked {
                return Poll::Ready(());
            }
            asked = true;
            self.note(poll(context.waker()));
            Poll::Pending
        })
        .await;
    }

    async fn write_all(&self, writer: &PipeWriter, mut bytes: &[u8]) -> Result<()> {
        while !bytes.is_empty() {
            self.step().await;
            match self.note(writer.try_write(bytes)) {
                Ok(count) => bytes = &bytes[count..],
                Err(Error::Again) => self.wait(|waker| writer.poll_writable(waker)).await,
                Err(error) => return Err(error),
            }
        }
        Ok(())
    }

    async fn read(&self, reader: &PipeReader, most: usize) -> usize {
        let mut buffer = vec![0; most];
        loop {
            self.step().await;
            match self.note(reader.try_read(&mut buffer)) {
                Err(Error::Again) => self.wait(|waker| reader.poll_readable(waker)).await,
                answer => return answer.unwrap(),
            }
        }
    }

    async fn read_to_end(&self, reader: &PipeReader) -> usize {
        let mut all = 0;
        loop {
            match self.read(reader, CAPACITY).await {
                0 => return all,
                count => all += count,
            }
        }
    }

    async fn close<T>(&self, end: T) {
        self.step().await;
        drop(end);
        self.note("closed");
    }
}

#[derive(Default)]
struct Woken(AtomicBool);

impl Wake for Woken {
    fn wake(self: Arc<Woken>) {
        self.0.store(true, Ordering::Relaxed);
    }
}

struct Task {
    /// None once it has ended.
    future: Option<Pin<Box<dyn Future<Output = ()>>>>,
    woken: Arc<Woken>,
    answers: Answers,
}

#[derive(Default)]
struct World(Vec<Task>);

impl World {
    fn add<F: Future<Output = ()> + 'static>(&mut self, start: impl FnOnce(Answers) -> F) {
        let answers = Answers::default();
        let woken = Arc::new(Woken::default());
        woken.0.store(true, Ordering::Relaxed);
        self.0.push(Task {
            future: Some(Box::pin(start(answers.clone()))),
            woken,
            answers,
        });
    }

    fn step(&mut self, number: usize) {
        let task = &mut self.0[number];
        task.woken.0.store(false, Ordering::Relaxed);
        let waker = Waker::from(Arc::clone(&task.woken));
        let Some(future) = &mut task.future else {
            return;
        };
        if future
            .as_mut()
            .poll(&mut Context::from_waker(&waker))
            .is_ready()
        {
            task.future = None;
        }
    }

    fn seen(&self) -> Vec<Seen> {
        let tasks = self.0.iter();
        let seen = tasks.map(|task| Seen {
            answers: task.answers.0.borrow().clone(),
            ended: task.future.is_none(),
            woken: task.woken.0.load(Ordering::Relaxed),
        });
        seen.collect()
    }
}

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    answers: Vec<String>,
    ended: bool,
    woken: bool,
}

#[derive(Clone, Debug)]
struct Reached {
    path: Vec<usize>,
    seen: Vec<Seen>,
}

impl PartialEq for Reached {
    fn eq(&self, other: &Reached) -> bool {
        self.seen == other.seen
    }
}

impl Hash for Reached {
    fn hash<H: Hasher>(&self, state: &mut H) {
        self.seen.hash(state);
    }
}

struct Orders(fn() -> World);

impl Orders {
    fn reach(&self, path: Vec<usize>) -> Reached {
        let mut world = (self.0)();
        path.iter().for_each(|number| world.step(*number));
        let seen = world.seen();
        Reached { path, seen }
    }
}

impl Model for Orders {
    type State = Reached;
    type Action = usize;

    fn init_states(&self) -> Vec<Reached> {
        vec![self.reach(Vec::new())]
    }

    fn actions(&self, state: &Reached, actions: &mut Vec<usize>) {
        let tasks = state.seen.iter().enumerate();
        let able = tasks.filter(|(_, task)| task.woken && !task.ended);
        actions.extend(able.map(|(number, _)| number));
    }

    fn next_state(&self, last: &Reached, number: usize) -> Option<Reached> {
        let mut path = last.path.clone();
        path.push(number);
        Some(self.reach(path))
    }

    fn properties(&self) -> Vec<Property<Orders>> {
        vec![
            Property::always(MOVES, |_, state: &Reached| {
                let mut left = state.seen.iter().filter(|task| !task.ended).peekable();
                left.peek().is_none() || left.any(|task| task.woken)
            }),
            Property::sometimes(OVER, |_, state: &Reached| {
                state.seen.iter().all(|task| task.ended)
            }),
        ]
    }
}

const MOVES: &str = "somebody can go on until all have ended";
const OVER: &str = "all end";

/// Somebody who writes nothing keeps the pipe open a while.
fn arrives_and_ends() -> World {
    let mut world = World::default();
    let (reader, writer) = Pipe::ends();
    let other = writer.clone();
    world.add(|at| async move {
        at.write_all(&writer, b"a").await.unwrap();
        at.close(writer).await;
    });
    world.add(|at| async move { at.close(other).await });
    world.add(|at| async move { assert_eq!(at.read_to_end(&reader).await, 1) });
    world
}

/// More than the pipe holds.
fn fills() -> World {
    let mut world = World::default();
    let (reader, writer) = Pipe::ends();
    world.add(|at| async move {
        at.write_all(&writer, &vec![b'x'; CAPACITY + 1])
            .await
            .unwrap();
        at.close(writer).await;
    });
    world.add(|at| async move {
        assert_eq!(at.read_to_end(&reader).await, CAPACITY + 1);
    });
    world
}

/// The reader leaves while its writer waits.
fn breaks() -> World {
    let mut world = World::default();
    let (reader, writer) = Pipe::ends();
    world.add(|at| async move {
        let written = at.write_all(&writer, &vec![b'x'; 2 * CAPACITY + 1]).await;
        assert_eq!(written, Err(Error::BrokenPipe));
    });
    world.add(|at| async move {
        assert_eq!(at.read(&reader, 1).await, 1);
        at.close(reader).await;
    });
    world
}

/// Two readers, of whom one gets the byte and both the end.
fn two_readers() -> World {
    let mut world = World::default();
    let (first, writer) = Pipe::ends();
    let second = first.clone();
    world.add(|at| async move {
        at.write_all(&writer, b"x").await.unwrap();
        at.close(writer).await;
    });
    for reader in [first, second] {
        world.add(|at| async move {
            at.read_to_end(&reader).await;
        });
    }
    world
}

/// Two writers of a full pipe.
fn two_writers() -> World {
    let mut world = World::default();
    let (reader, first) = Pipe::ends();
    let second = first.clone();
    for writer in [first, second] {
        world.add(|at| async move {
            at.write_all(&writer, &vec![b'x'; CAPACITY]).await.unwrap();
            at.close(writer).await;
        });
    }
    world.add(|at| async move {
        assert_eq!(at.read_to_end(&reader).await, 2 * CAPACITY);
    });
    world
}

/// A FIFO whose other side comes and is gone again.
fn meets() -> World {
    let mut world = World::default();
    let pipe = Pipe::new();
    let other = pipe.clone();
    world.add(|at| async move {
        at.step().await;
        let writer = other.writer();
        at.note(writer.has_met());
        at.wait(|waker| writer.poll_met(waker)).await;
        at.close(writer).await;
    });
    world.add(|at| async move {
        at.step().await;
        let reader = pipe.reader();
        at.note(reader.has_met());
        at.wait(|waker| reader.poll_met(waker)).await;
        assert_eq!(at.read_to_end(&reader).await, 0);
    });
    world
}

/// A reader that moves elsewhere lets its writer wait.
fn thaws() -> World {
    let mut world = World::default();
    let (reader, writer) = Pipe::ends();
    reader.freeze(true);
    world.add(|at| async move {
        at.write_all(&writer, b"x").await.unwrap();
        at.close(writer).await;
    });
    world.add(|at| async move {
        at.step().await;
        reader.freeze(false);
        at.note("thawed");
        assert_eq!(at.read_to_end(&reader).await, 1);
    });
    world
}

type Scene = (&'static str, fn() -> World);

const SCENES: [Scene; 7] = [
    ("arrives and ends", arrives_and_ends),
    ("fills", fills),
    ("breaks", breaks),
    ("two readers", two_readers),
    ("two writers", two_writers),
    ("meets", meets),
    ("thaws", thaws),
];

#[test]
fn no_wake_up_is_lost() {
    for (name, scene) in SCENES {
        let checker = Orders(scene).checker().spawn_bfs().join();
        println!("{name}: {} states", checker.unique_state_count());
        if let Some(path) = checker.discovery(MOVES) {
            panic!("{name}: {:?}", path.into_actions());
        }
        checker.assert_any_discovery(OVER);
    }
}

#[test]
fn a_wait_that_does_not_look_loses_one() {
    let blind = || {
        let mut world = World::default();
        let (reader, writer) = Pipe::ends();
        world.add(|at| async move { at.close(writer).await });
        world.add(|at| async move {
            at.step().await;
            if at.note(reader.try_read(&mut [0])) == Err(Error::Again) {
                at.wait_blindly(|waker| reader.poll_readable(waker)).await;
            }
        });
        world
    };
    Orders(blind)
        .checker()
        .spawn_bfs()
        .join()
        .assert_any_discovery(MOVES);
}
