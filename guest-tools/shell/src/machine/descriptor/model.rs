//! Every order of steps of the tasks at a script's pipes and of the programs at their other ends:
//! nobody waits for what has happened.
//!
//! Tasks are the crate's own applets and the loops of its builtins, pipes and the queue of those that
//! are ready are its own too. A state is the steps that lead to it, done again from the beginning.
#![allow(
    clippy::unwrap_used,
    clippy::panic,
    reason = "a test fails by panicking"
)]

use std::cell::Cell;
use std::hash::{Hash, Hasher};
use std::rc::Rc;

use stateright::{Checker, Model, Property};

use super::{Descriptor, Direction, Kind, ReadStep, Ready};
use crate::applet::{self, Outcome, Progress, Running, Stream, Wait};
use crate::machine::Budgets;
use crate::machine::task::TaskId;
use crate::os::linked::{LinkedOs, Settings};
use crate::os::{Errno, Handle, Interest, Os, Result, Stat, Whence};

/// Bytes of one write: more than half of a pipe.
const CHUNK: usize = 40_000;

/// What happens next.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash)]
enum Step {
    /// A task that is ready has its turn.
    Run(usize),
    /// The host finds that something has happened for which a task waits.
    Wake(usize),
    /// A program reads, writes or ends.
    Program(usize),
}

/// A task.
struct Actor {
    /// None once it has ended.
    work: Option<Work>,
    open: Vec<(u32, Rc<Descriptor>)>,
    interests: Vec<Interest>,
    /// Bytes that its applet has read and written.
    moved: Rc<Cell<(usize, usize)>>,
}

enum Work {
    Applet(Running),
    /// A builtin that writes so many bytes.
    Writer(usize),
    /// `while read line`
    Lines(Vec<u8>),
    /// Keeps its descriptors open until its turn.
    Holder,
    /// Starts the program of this number with its descriptors, and waits for it.
    Spawn(usize),
    /// What collects the output of `$( … )`.
    Collector(Vec<u8>),
}

/// A process beside the shell.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash)]
struct Program {
    input: Option<Handle>,
    output: Option<Handle>,
    started: bool,
    ended: bool,
    /// Bytes that it makes by itself.
    makes: usize,
    /// Bytes after which it ends without reading on.
    most: usize,
    read: usize,
    held: usize,
}

struct World {
    os: Rc<LinkedOs>,
    ready: Ready,
    actors: Vec<Actor>,
    programs: Vec<Program>,
}

/// An applet's end of a pipe.
struct Counted(Rc<Descriptor>, Rc<Cell<(usize, usize)>>);

impl Stream for Counted {
    fn read(&self, buffer: &mut [u8]) -> Result<usize> {
        let count = self.0.read(buffer)?;
        let (read, written) = self.1.get();
        self.1.set((read + count, written));
        Ok(count)
    }

    fn write(&self, data: &[u8]) -> Result<usize> {
        let count = self.0.write(data)?;
        let (read, written) = self.1.get();
        self.1.set((read, written + count));
        Ok(count)
    }

    fn seek(&self, offset: i64, whence: Whence) -> Result<u64> {
        self.0.seek(offset, whence)
    }

    fn stat(&self) -> Result<Stat> {
        self.0.stat()
    }
}

impl World {
    fn new() -> World {
        let vfs = offshoot_vfs::Vfs::new(offshoot_vfs::Options::default());
        World {
            os: Rc::new(LinkedOs::new(vfs, Settings::default())),
            ready: Ready::default(),
            actors: Vec::new(),
            programs: Vec::new(),
        }
    }

    fn pipe(&self, unbounded: bool) -> (Rc<Descriptor>, Rc<Descriptor>) {
        let os: Rc<dyn Os> = self.os.clone();
        Descriptor::pipe(&os, &self.ready, unbounded)
    }

    fn add(&mut self, work: Work, open: &[(u32, &Rc<Descriptor>)]) {
        self.ready.borrow_mut().push(TaskId(self.actors.len()));
        let owned = open.iter().map(|(number, open)| (*number, Rc::clone(open)));
        self.actors.push(Actor {
            work: Some(work),
            open: owned.collect(),
            interests: Vec::new(),
            moved: Rc::default(),
        });
    }

    fn applet(&mut self, words: &[&str], open: &[(u32, &Rc<Descriptor>)]) {
        self.add(Work::Holder, open);
        let actor = self.actors.last_mut().unwrap();
        let stream = |(number, open): &(u32, Rc<Descriptor>)| {
            let stream: Rc<dyn Stream> = Rc::new(Counted(open.clone(), actor.moved.clone()));
            (*number, stream)
        };
        let context = Rc::new(applet::Context {
            os: self.os.clone(),
            arguments: words.iter().map(|word| word.as_bytes().to_vec()).collect(),
            environment: Rc::new([]),
            directory: b"/".to_vec(),
            umask: 0,
            budgets: Budgets::default(),
            spent: Cell::new(0),
            streams: actor.open.iter().map(stream).collect(),
        });
        let applet = applet::find(words[0].as_bytes()).unwrap();
        actor.work = applet.start(&context).map(Work::Applet);
        assert!(actor.work.is_some(), "{words:?}");
    }

    fn program(&mut self, program: Program, open: &[(u32, &Rc<Descriptor>)]) {
        self.add(Work::Spawn(self.programs.len()), open);
        self.programs.push(program);
    }

    /// What can happen.
    fn steps(&self) -> Vec<Step> {
        let ready = self.ready.borrow();
        let runs = ready.order().map(|task| Step::Run(task.0));
        let wakes = self.actors.iter().enumerate().filter(|(at, actor)| {
            let queued = ready.order().any(|task| task.0 == *at);
            !queued && actor.interests.iter().any(|one| self.is_ready(*one))
        });
        let works = self.programs.iter().enumerate();
        let works = works.filter(|(_, program)| self.can_work(program));
        runs.chain(wakes.map(|(at, _)| Step::Wake(at)))
            .chain(works.map(|(at, _)| Step::Program(at)))
            .collect()
    }

    fn is_ready(&self, interest: Interest) -> bool {
        match interest {
            Interest::Child(number) => self.programs[number as usize].ended,
            other => self.os.is_ready(other),
        }
    }

    fn can_work(&self, program: &Program) -> bool {
        let able = match program {
            Program { held: 1.., .. } => program.output.map(Interest::Writable),
            Program { most, read, .. } if read >= most => None,
            Program { input, .. } => input.map(Interest::Readable),
        };
        program.started && !program.ended && able.is_none_or(|able| self.os.is_ready(able))
    }

    fn is_over(&self) -> bool {
        self.actors.iter().all(|actor| actor.work.is_none())
    }

    fn step(&mut self, step: Step, looks: bool) {
        match step {
            Step::Run(task) => {
                let mut ready = self.ready.borrow_mut();
                let order: Vec<_> = ready.order().collect();
                while ready.pop().is_some() {}
                order
                    .into_iter()
                    .filter(|one| one.0 != task)
                    .for_each(|one| ready.push(one));
                drop(ready);
                self.turn(task, looks);
            }
            Step::Wake(task) => self.ready.borrow_mut().push(TaskId(task)),
            Step::Program(at) => self.work(at),
        }
    }

    fn turn(&mut self, task: usize, looks: bool) {
        let actor = &mut self.actors[task];
        actor.interests.clear();
        let Some(mut work) = actor.work.take() else {
            return;
        };
        let awaited = advance(&mut work, actor, &mut self.programs, &self.os);
        match awaited {
            Awaited::Nothing => actor.open.clear(),
            Awaited::Turn => self.ready.borrow_mut().push(TaskId(task)),
            Awaited::Child(number) => actor.interests.push(Interest::Child(number)),
            Awaited::Descriptor(number, direction) => {
                let open = actor.open.iter().find(|(known, _)| *known == number);
                let open = &open.unwrap().1;
                let interest = match looks {
                    true => open.wait(direction, TaskId(task)),
                    false => wait_blindly(open, direction, TaskId(task)),
                };
                actor.interests.extend(interest);
            }
        }
        if awaited != Awaited::Nothing {
            actor.work = Some(work);
        }
    }

    fn work(&mut self, at: usize) {
        let program = &mut self.programs[at];
        let mut block = vec![b'x'; CHUNK];
        let more = match *program {
            Program {
                held: held @ 1..,
                output: Some(output),
                ..
            } => match self.os.write(output, &block[..held.min(CHUNK)]) {
                Ok(count) => {
                    program.held -= count;
                    true
                }
                Err(error) => error == Errno::Again,
            },
            Program { most, read, .. } if read >= most => false,
            Program {
                input: Some(input), ..
            } => match self.os.read(input, &mut block) {
                Ok(count) => {
                    program.read += count;
                    program.held += if program.output.is_some() { count } else { 0 };
                    count > 0
                }
                Err(error) => error == Errno::Again,
            },
            _ => false,
        };
        if !more {
            program.ended = true;
            let ends = [program.input.take(), program.output.take()];
            ends.into_iter()
                .flatten()
                .for_each(|end| self.os.close(end));
        }
    }

    /// What tells states apart.
    fn seen(&self) -> Seen {
        let mut pipes = Vec::new();
        for (_, open) in self.actors.iter().flat_map(|actor| &actor.open) {
            if let Kind::Reader(pipe) | Kind::Writer(pipe) = &open.kind {
                let state = pipe.state.borrow();
                pipes.push((
                    state.buffer.len(),
                    state.system.is_some(),
                    state.waiting.clone(),
                ));
            }
        }
        let actor = |actor: &Actor| {
            let inside = match &actor.work {
                None => None,
                Some(Work::Writer(left)) => Some(*left),
                Some(Work::Lines(line) | Work::Collector(line)) => Some(line.len()),
                Some(Work::Applet(_) | Work::Holder | Work::Spawn(_)) => Some(0),
            };
            (inside, actor.moved.get(), actor.interests.clone())
        };
        Seen {
            ready: self.ready.borrow().order().collect(),
            actors: self.actors.iter().map(actor).collect(),
            pipes,
            programs: self.programs.clone(),
            steps: self.steps(),
            over: self.is_over(),
        }
    }
}

/// What a turn of a task ends with.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Awaited {
    Nothing,
    Turn,
    Child(u32),
    Descriptor(u32, Direction),
}

fn advance(work: &mut Work, actor: &Actor, programs: &mut [Program], os: &LinkedOs) -> Awaited {
    let at = |number| {
        let found = actor.open.iter().find(|(known, _)| *known == number);
        found.map(|(_, open)| open)
    };
    match work {
        Work::Holder => Awaited::Nothing,
        Work::Applet(running) => match running.poll() {
            Progress::Done(Outcome::Exit(_) | Outcome::BrokenPipe) => Awaited::Nothing,
            Progress::More => Awaited::Turn,
            Progress::Waiting(Wait::Readable(number)) => {
                Awaited::Descriptor(number, Direction::Read)
            }
            Progress::Waiting(Wait::Writable(number)) => {
                Awaited::Descriptor(number, Direction::Write)
            }
            Progress::Waiting(other) => panic!("waits for {other:?}"),
        },
        Work::Writer(0) => Awaited::Nothing,
        Work::Writer(left) => {
            let lines = b"line\n".repeat(CHUNK / 5);
            match at(1).unwrap().write(&lines[..CHUNK.min(*left)]) {
                Ok(count) => {
                    *left -= count;
                    Awaited::Turn
                }
                Err(Errno::Again) => Awaited::Descriptor(1, Direction::Write),
                Err(_) => Awaited::Nothing,
            }
        }
        Work::Lines(line) => loop {
            match at(0).unwrap().read_to(b'\n', usize::MAX, line).unwrap() {
                ReadStep::Delimiter => line.clear(),
                ReadStep::Blocked => return Awaited::Descriptor(0, Direction::Read),
                ReadStep::End | ReadStep::Limit => return Awaited::Nothing,
            }
        },
        Work::Spawn(number) => {
            let program = &mut programs[*number];
            if !program.started {
                let own = |number| {
                    let open = at(number)?;
                    let handle = open.handle().unwrap();
                    Some(os.duplicate(handle).unwrap())
                };
                *program = Program {
                    input: own(0),
                    output: own(1),
                    started: true,
                    held: program.makes,
                    ..*program
                };
            }
            match program.ended {
                true => Awaited::Nothing,
                false => Awaited::Child(*number as u32),
            }
        }
        Work::Collector(output) => {
            let reader = at(0).unwrap();
            let mut block = vec![0; 65_536];
            loop {
                reader.drain(output);
                if reader.existing_handle().is_none() && !reader.has_writers() {
                    return Awaited::Nothing;
                }
                match reader.read(&mut block) {
                    Ok(0) => return Awaited::Nothing,
                    Ok(count) => output.extend_from_slice(&block[..count]),
                    Err(_) => return Awaited::Descriptor(0, Direction::Read),
                }
            }
        }
    }
}

/// [`Descriptor::wait`] as it must not be: it does not look again.
fn wait_blindly(open: &Descriptor, direction: Direction, task: TaskId) -> Option<Interest> {
    let handle = open.existing_handle();
    if let (None, Kind::Reader(pipe) | Kind::Writer(pipe)) = (handle, &open.kind) {
        pipe.register(task);
    }
    handle.map(|handle| super::interest(direction, handle))
}

/// A state.
#[derive(Clone, Debug)]
struct Reached {
    path: Vec<Step>,
    seen: Seen,
}

type SeenActor = (Option<usize>, (usize, usize), Vec<Interest>);

#[derive(Clone, Debug, PartialEq, Eq, Hash)]
struct Seen {
    ready: Vec<TaskId>,
    actors: Vec<SeenActor>,
    pipes: Vec<(usize, bool, Vec<TaskId>)>,
    programs: Vec<Program>,
    steps: Vec<Step>,
    over: bool,
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

struct Protocol {
    scene: fn() -> World,
    /// A wait looks again whether it has to.
    looks: bool,
}

impl Protocol {
    fn reach(&self, path: Vec<Step>) -> Reached {
        let mut world = (self.scene)();
        path.iter().for_each(|step| world.step(*step, self.looks));
        let seen = world.seen();
        Reached { path, seen }
    }
}

impl Model for Protocol {
    type State = Reached;
    type Action = Step;

    fn init_states(&self) -> Vec<Reached> {
        vec![self.reach(Vec::new())]
    }

    fn actions(&self, state: &Reached, actions: &mut Vec<Step>) {
        actions.extend(&state.seen.steps);
    }

    fn next_state(&self, last: &Reached, step: Step) -> Option<Reached> {
        let mut path = last.path.clone();
        path.push(step);
        Some(self.reach(path))
    }

    fn properties(&self) -> Vec<Property<Protocol>> {
        vec![
            Property::always(STUCK, |_, state: &Reached| {
                state.seen.over || !state.seen.steps.is_empty()
            }),
            Property::sometimes(OVER, |_, state: &Reached| state.seen.over),
        ]
    }
}

const STUCK: &str = "somebody can go on until all have ended";
const OVER: &str = "all end";

/// A writer, an applet and a program: `cat f | cut -c2- | awk …`.
fn applet_before_program() -> World {
    let mut world = World::new();
    let (first, to) = world.pipe(false);
    let (second, from) = world.pipe(false);
    world.add(Work::Writer(3 * CHUNK), &[(1, &to)]);
    world.applet(&["cut", "-c2-"], &[(0, &first), (1, &from)]);
    let most = usize::MAX;
    let awk = Program {
        most,
        ..Program::default()
    };
    world.program(awk, &[(0, &second)]);
    world
}

/// A program, an applet and a program that ends early.
fn applet_between_programs() -> World {
    let mut world = World::new();
    let (first, to) = world.pipe(false);
    let (second, from) = world.pipe(false);
    let seq = Program {
        makes: 2 * CHUNK + 1,
        ..Program::default()
    };
    let head = Program {
        most: 1,
        ..Program::default()
    };
    world.program(seq, &[(1, &to)]);
    world.applet(&["tr", "-d", "y"], &[(0, &first), (1, &from)]);
    world.program(head, &[(0, &second)]);
    world
}

/// A writer whose readers are a loop and an applet that ends early; somebody else keeps the pipe open.
fn readers_that_share() -> World {
    let mut world = World::new();
    let (reader, to) = world.pipe(false);
    world.add(Work::Writer(2 * CHUNK), &[(1, &to)]);
    world.add(Work::Holder, &[(1, &to)]);
    world.add(Work::Lines(Vec::new()), &[(0, &reader)]);
    let (beyond, out) = world.pipe(false);
    world.applet(&["head", "-c", "1"], &[(0, &reader), (1, &out)]);
    world.add(Work::Lines(Vec::new()), &[(0, &beyond)]);
    world
}

/// `$( … )` around a builtin, then a program.
fn substitution() -> World {
    let mut world = World::new();
    let (reader, to) = world.pipe(true);
    world.add(Work::Writer(2 * CHUNK), &[(1, &to)]);
    let program = Program {
        makes: 2 * CHUNK,
        ..Program::default()
    };
    world.program(program, &[(1, &to)]);
    world.add(Work::Collector(Vec::new()), &[(0, &reader)]);
    world
}

/// A writer, two applets and a loop: memory pipes alone.
fn memory_alone() -> World {
    let mut world = World::new();
    let (first, to) = world.pipe(false);
    let (second, next) = world.pipe(false);
    let (third, last) = world.pipe(false);
    world.add(Work::Writer(2 * CHUNK), &[(1, &to)]);
    world.applet(&["tr", "-s", "y"], &[(0, &first), (1, &next)]);
    world.applet(&["cat"], &[(0, &second), (1, &last)]);
    world.add(Work::Lines(Vec::new()), &[(0, &third)]);
    world
}

type Scene = (&'static str, fn() -> World);

const SCENES: [Scene; 5] = [
    ("applet before program", applet_before_program),
    ("applet between programs", applet_between_programs),
    ("readers that share", readers_that_share),
    ("substitution", substitution),
    ("memory alone", memory_alone),
];

#[test]
fn no_wake_up_is_lost() {
    for (name, scene) in SCENES {
        let protocol = Protocol { scene, looks: true };
        let checker = protocol.checker().spawn_bfs().join();
        println!("{name}: {} states", checker.unique_state_count());
        if let Some(path) = checker.discovery(STUCK) {
            panic!("{name}: {:?}", path.into_actions());
        }
        checker.assert_any_discovery(OVER);
    }
}

#[test]
fn without_a_second_look_a_wake_up_is_lost() {
    let protocol = Protocol {
        scene: applet_before_program,
        looks: false,
    };
    let checker = protocol.checker().spawn_bfs().join();
    checker.assert_any_discovery(STUCK);
}
