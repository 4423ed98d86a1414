//! The smallest thing that can be driven as a shell: each line of a script is one of the verbs below.

use std::cell::{Cell, RefCell};
use std::rc::{Rc, Weak};

wit_bindgen::generate!({
    path: "../../../../wit",
    world: "shell-guest",
    generate_all,
});

use exports::offshoot::sandbox::shell::{
    Execution, Guest, GuestExecution, GuestSession, Image, Interest, Outcome, Progress, Request,
    Session, Setup, Source, Started, StateError, SuspendError, Turn,
};
use offshoot::sandbox::types::{Errno, Limit};
use offshoot::sandbox::{process, vfs};

struct Shell;

/// A session keeps one number.
struct State(Rc<Cell<u32>>);

impl State {
    fn new(number: u32) -> State {
        State(Rc::new(Cell::new(number)))
    }
}

/// A script, its next line and how it ended.
struct Script {
    lines: Vec<Vec<u8>>,
    next: Cell<usize>,
    descriptors: Vec<(u32, u32)>,
    session: Rc<Cell<u32>>,
    child: Cell<Option<u32>>,
    deadline: Cell<Option<u64>>,
    signal: Cell<u8>,
    held: Cell<bool>,
    outcome: RefCell<Option<Outcome>>,
}

struct Handle(Rc<Script>);

thread_local! {
    static RUNNING: RefCell<Vec<Weak<Script>>> = const { RefCell::new(Vec::new()) };
}

impl Guest for Shell {
    type Session = State;
    type Execution = Handle;
}

/// Does one line of a script that runs.
fn poll() -> Progress {
    let running =
        RUNNING.with_borrow(|all| all.iter().filter_map(Weak::upgrade).collect::<Vec<_>>());
    match running
        .iter()
        .find(|script| script.outcome.borrow().is_none())
    {
        Some(script) => script.step(),
        None => Progress::Finished,
    }
}

impl GuestSession for State {
    fn new(setup: Setup) -> State {
        State::new(setup.environment.len() as u32)
    }

    fn load(state: Vec<u8>) -> Result<Session, StateError> {
        let bytes = state.try_into().map_err(|_| StateError::Corrupt)?;
        Ok(Session::new(State::new(u32::from_le_bytes(bytes))))
    }

    fn save(&self) -> Result<Vec<u8>, StateError> {
        Ok(self.0.get().to_le_bytes().to_vec())
    }

    fn fork(&self) -> Result<Session, StateError> {
        Ok(Session::new(State::new(self.0.get())))
    }

    fn start(&self, request: Request) -> Started {
        let text = match request.source {
            Source::Text(text) | Source::Script(text) => text,
            Source::Invocation(words) => words.join(&b'\n'),
            Source::File(_) | Source::Input => Vec::new(),
        };
        let session = match request.keep {
            true => self.0.clone(),
            false => State::new(self.0.get()).0,
        };
        let handle = begin(session, &text, 0, request.descriptors);
        for number in request.extras.map(|extras| extras.signals).unwrap_or_default() {
            handle.0.signal.set(number);
        }
        let turn = handle.poll();
        match turn.outcome {
            Some(outcome) => Started::Ended(outcome),
            None => Started::Running((Execution::new(handle), turn)),
        }
    }

    /// The image: the next line's number, descriptors, the script.
    fn resume(
        state: Vec<u8>,
        descriptors: Vec<(u32, u32)>,
        _leaves: Vec<Vec<u8>>,
    ) -> Result<(Session, Execution), StateError> {
        let text = String::from_utf8(state).map_err(|_| StateError::Corrupt)?;
        let mut parts = text.splitn(3, '\n');
        let mut part = || parts.next().ok_or(StateError::Corrupt);
        let next = part()?.parse().map_err(|_| StateError::Corrupt)?;
        let own = |old: &str| {
            let old = old.parse().ok()?;
            let found = descriptors.iter().find(|(known, _)| *known == old)?;
            Some(found.1)
        };
        let numbers = part()?.split_terminator(' ');
        let numbers: Option<Vec<_>> = numbers
            .map(|pair| {
                let (number, old) = pair.split_once(':')?;
                Some((number.parse().ok()?, own(old)?))
            })
            .collect();
        let session = State::new(0);
        let numbers = numbers.ok_or(StateError::Corrupt)?;
        let script = part()?.as_bytes();
        let execution = begin(session.0.clone(), script, next, numbers);
        Ok((Session::new(session), Execution::new(execution)))
    }
}

/// Starts a script at a line.
fn begin(session: Rc<Cell<u32>>, text: &[u8], next: usize, own: Vec<(u32, u32)>) -> Handle {
    let script = Rc::new(Script {
        lines: text
            .split(|&byte| byte == b'\n')
            .map(<[u8]>::to_vec)
            .collect(),
        next: Cell::new(next),
        descriptors: own,
        session,
        child: Cell::new(None),
        deadline: Cell::new(None),
        signal: Cell::new(0),
        held: Cell::new(false),
        outcome: RefCell::new(None),
    });
    RUNNING.with_borrow_mut(|all| {
        all.retain(|script| script.strong_count() > 0);
        all.push(Rc::downgrade(&script));
    });
    Handle(script)
}

impl GuestExecution for Handle {
    fn poll(&self) -> Turn {
        let progress = poll();
        let outcome = self.0.outcome.borrow().clone();
        Turn { progress, outcome }
    }

    fn signal(&self, _task: Option<u32>, number: u8) {
        self.0.signal.set(number);
    }

    fn suspend(&self) -> Result<Image, SuspendError> {
        if self.0.outcome.borrow().is_some() {
            return Err(SuspendError::Ended);
        }
        if self.0.child.get().is_some() {
            return Err(SuspendError::InFlight(b"program".to_vec()));
        }
        let numbers = self.0.descriptors.iter();
        let numbers = numbers.map(|(number, own)| format!("{number}:{own} "));
        // What is left of a sleep is not kept: it is over when the script goes on.
        let next = self.0.next.get() + usize::from(self.0.deadline.get().is_some());
        let numbers = numbers.collect::<String>();
        let head = format!("{next}\n{numbers}\n").into_bytes();
        Ok(Image {
            state: [head, self.0.lines.join(&b'\n')].concat(),
            descriptors: self.0.descriptors.iter().map(|(_, own)| *own).collect(),
        })
    }

    fn hold(&self, held: bool) {
        self.0.held.set(held);
    }

    /// Nothing runs in it once its script has ended.
    fn holds(&self, _descriptors: Vec<u32>) -> bool {
        false
    }
}

impl Script {
    fn own(&self, number: u32) -> u32 {
        self.descriptors
            .iter()
            .find(|(known, _)| *known == number)
            .unwrap()
            .1
    }

    fn print(&self, text: &str) {
        let _ = vfs::write(self.own(1), format!("{text}\n").as_bytes());
    }

    fn end(&self, outcome: Outcome) -> Progress {
        *self.outcome.borrow_mut() = Some(outcome);
        Progress::Finished
    }

    fn advance(&self) -> Progress {
        self.next.set(self.next.get() + 1);
        Progress::More
    }

    /// Does the line it is at.
    fn step(&self) -> Progress {
        if self.signal.get() != 0 {
            self.print(&format!("trap {}", self.signal.replace(0)));
            return self.end(Outcome::Exited(40));
        }
        let Some(line) = self.lines.get(self.next.get()) else {
            return self.end(Outcome::Exited(0));
        };
        let line = String::from_utf8_lossy(line).into_owned();
        let words: Vec<&str> = line.split(' ').collect();
        match words[..] {
            [""] => self.advance(),
            ["print", ref rest @ ..] => {
                self.print(&rest.join(" "));
                self.advance()
            }
            ["add"] => {
                self.session.set(self.session.get() + 1);
                self.print(&self.session.get().to_string());
                self.advance()
            }
            ["pid"] => {
                self.print(&process::identify().pid.to_string());
                self.advance()
            }
            ["exit", status] => self.end(Outcome::Exited(status.parse().unwrap())),
            ["exceed"] => self.end(Outcome::Exceeded(Limit::Steps)),
            ["trap"] => panic!("on purpose"),
            ["loop"] => loop {
                std::hint::black_box(0);
            },
            ["more"] => Progress::More,
            ["sleep", milliseconds] => self.sleep(milliseconds.parse().unwrap()),
            ["cat"] => self.copy(),
            ["run", ref rest @ ..] => self.run(rest, true),
            ["start", ref rest @ ..] => self.run(rest, false),
            ref other => panic!("no such verb: {other:?}"),
        }
    }

    fn sleep(&self, milliseconds: u64) -> Progress {
        match self.deadline.get() {
            None => {
                let deadline = wasi::clocks::monotonic_clock::now() + milliseconds * 1_000_000;
                self.deadline.set(Some(deadline));
                Progress::Idle(vec![Interest::Time(deadline)])
            }
            Some(_) => {
                self.deadline.set(None);
                self.advance()
            }
        }
    }

    fn copy(&self) -> Progress {
        match vfs::read(self.own(0), 4096) {
            Ok(bytes) if bytes.is_empty() => self.advance(),
            Ok(bytes) => {
                let _ = vfs::write(self.own(1), &bytes);
                Progress::More
            }
            Err(Errno::Again) => Progress::Idle(vec![Interest::Readable(self.own(0))]),
            Err(errno) => panic!("{errno:?}"),
        }
    }

    fn run(&self, words: &[&str], wait: bool) -> Progress {
        if self.held.get() && self.child.get().is_none() {
            return Progress::Idle(Vec::new());
        }
        let Some(pid) = self.child.get() else {
            let arguments = ["program"]
                .iter()
                .chain(words)
                .map(|word| word.as_bytes().to_vec());
            let spawned = process::spawn(&process::SpawnOptions {
                path: b"/bin/program".to_vec(),
                arguments: arguments.collect(),
                environment: Vec::new(),
                directory: b"/".to_vec(),
                umask: 0o022,
                descriptors: self.descriptors.clone(),
                task: None,
            });
            return match spawned {
                Ok(pid) if wait => {
                    self.child.set(Some(pid));
                    Progress::Idle(vec![Interest::Child(pid)])
                }
                Ok(_) => self.advance(),
                Err(errno) => {
                    self.print(&format!("{errno:?}"));
                    self.advance()
                }
            };
        };
        match process::try_wait(pid) {
            Ok(Some(status)) => {
                self.child.set(None);
                self.print(&format!("{status:?}"));
                self.advance()
            }
            Ok(None) => Progress::Idle(vec![Interest::Child(pid)]),
            Err(errno) => panic!("{errno:?}"),
        }
    }
}

export!(Shell);
