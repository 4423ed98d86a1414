//! Sessions and executions: what a host starts, and how it ends.

use std::rc::Rc;

use super::startup::default_variables;
use super::startup::enter_posix;
use super::startup::exported;
use super::startup::import_environment;

use super::call::Positional;
use super::descriptor::{Descriptor, Descriptors, kept};
use super::frame::Role;
use super::invocation::{self, Plan};
use super::reader::{Input, Purpose, Reader};
use super::state::State;
use super::symbol::{Symbols, known};
use super::task::{Task, TaskId};
use super::value::Variable;
use super::{Budgets, Limit, Machine, StateError, save, special};
use crate::codec::{self, Codec, Image, Read, Writer, record, variants};
use crate::os::{Handle, Interest, Pid};
use crate::syntax::Parser;
use crate::text::Text;

/// The number of an execution.
#[derive(Debug, Clone, Copy, PartialEq, Eq, Hash)]
pub struct ExecutionId(pub(super) usize);

/// Shell state that lives from one execution to the next.
///
/// It belongs to the machine that made it: another one numbers names differently. To move a session
/// elsewhere, save it and load it there.
#[derive(Clone)]
pub struct Session(Rc<std::cell::RefCell<SessionState>>);

struct SessionState {
    state: State,
    running: usize,
}

/// A session's first state.
#[derive(Debug, Clone, Default)]
pub struct Setup {
    /// Environment variables.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory, absolute.
    pub directory: Vec<u8>,
    /// Permission bits that new files do not get.
    pub umask: u32,
    /// Called as `sh` or with `--posix`.
    pub posix: bool,
}

/// What to execute.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Source {
    /// The text of a script, as in `bash -c`.
    Text(Vec<u8>),
    /// The path of a script.
    File(Vec<u8>),
    /// The text of a script that was read from a file of the name of `$0`.
    Script(Vec<u8>),
    /// Commands from standard input, as `bash -s`.
    Input,
    /// A command line: `bash` with these options and operands.
    Invocation(Vec<Vec<u8>>),
}

/// One execution.
#[derive(Debug, Clone)]
pub struct Request {
    /// The script.
    pub source: Source,
    /// `$0`
    pub name: Vec<u8>,
    /// `$1` and on.
    pub arguments: Vec<Vec<u8>>,
    /// Variables added for this execution only.
    pub environment: Vec<(Vec<u8>, Vec<u8>)>,
    /// Working directory for this execution only.
    pub directory: Option<Vec<u8>>,
    /// Handles by descriptor number; they stay open until the execution ends.
    pub descriptors: Vec<(u32, Handle)>,
    /// Budgets.
    pub budgets: Budgets,
}

/// How an execution ended.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Outcome {
    /// With a status; 128 + n where signal n ended it.
    Exited(u8),
    /// A budget was used up. Output so far was delivered.
    Exceeded(Limit),
}

/// What a poll did.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Progress {
    /// There is more to do at once.
    More,
    /// Nothing can go on until one of these happens.
    Idle(Vec<Interest>),
    /// No task is left.
    Finished,
}

/// An execution under way.
pub(super) struct Execution {
    pub(super) budgets: Budgets,
    pub(super) steps: u64,
    output: u64,
    main: TaskId,
    session: Session,
    /// Whether the session takes over what it leaves.
    keeps: bool,
    outcome: Option<Outcome>,
    /// What is put back in the session's state at the end.
    before: Before,
    dropped: bool,
    /// Programs and applets wait before they start.
    pub(super) held: bool,
    /// Builtins and applets that it leaves to programs, sorted.
    left: Vec<Vec<u8>>,
}

/// What an execution changes for itself alone.
struct Before {
    name: Text,
    positional: Positional,
    directory: Option<Text>,
    variables: Vec<(super::symbol::Symbol, Variable, Variable)>,
}

impl Machine {
    /// A fresh session.
    pub fn session(&mut self, setup: &Setup) -> Session {
        let state = self.fresh_state(setup);
        Session::new(state)
    }

    /// The state of a shell that was just started.
    pub(super) fn fresh_state(&mut self, setup: &Setup) -> State {
        let identity = self.identity();
        let directory = Text::from(&setup.directory);
        let mut state = State::new(Text::from("bash"), directory, setup.umask, identity.pid);
        state.last_argument = state.name.clone();
        special::prepare(&mut state);
        state.clocks.seconds_base = self.os.now().seconds;
        import_environment(&mut state, &mut self.symbols, &setup.environment);
        let identity = self.identity().clone();
        default_variables(&mut state, &mut self.symbols, &identity);
        if setup.posix {
            enter_posix(&mut state);
        }
        state
    }

    /// A session from saved bytes.
    ///
    /// # Errors
    ///
    /// [`StateError::Corrupt`] where the bytes are no saved state, [`StateError::TooNew`] where a
    /// newer version wrote them.
    pub fn load(&mut self, bytes: &[u8]) -> Result<Session, StateError> {
        let pid = self.identity().pid;
        let mut state = State::new(Text::default(), Text::default(), 0, pid);
        save::load(bytes, &mut state, &mut self.symbols)?;
        Ok(Session::new(state))
    }

    /// The state of a session as bytes, equal for equal states.
    ///
    /// # Errors
    ///
    /// [`StateError::Busy`] while an execution runs on it.
    pub fn save(&mut self, session: &Session) -> Result<Vec<u8>, StateError> {
        let session = session.0.borrow();
        if session.running > 0 {
            return Err(StateError::Busy);
        }
        Ok(save::save(&session.state, &self.symbols))
    }

    /// Starts an execution on a session.
    pub fn start(&mut self, session: &Session, request: Request) -> ExecutionId {
        session.0.borrow_mut().running += 1;
        let state = session.0.borrow().state.clone();
        self.start_with(state, session, true, request)
    }

    /// Starts an execution on a copy of a session, which stays as it is.
    pub fn start_apart(&mut self, session: &Session, request: Request) -> ExecutionId {
        let mut state = session.0.borrow().copied();
        // It is a shell of its own, which begins now.
        state.clocks.seconds_base = self.os.now().seconds;
        self.start_with(state, session, false, request)
    }

    fn start_with(
        &mut self,
        state: State,
        session: &Session,
        keeps: bool,
        request: Request,
    ) -> ExecutionId {
        let mut state = state;
        let before = prepare(&mut state, &mut self.symbols, &request);
        let os = self.os.clone();
        state.descriptors = Descriptors::default();
        for (number, handle) in &request.descriptors {
            let open = Descriptor::borrowed(&os, *handle);
            state.descriptors.set(*number, Some(open));
        }
        let files = std::mem::take(&mut state.files);
        kept::reopen(&os, &files, &mut state.descriptors);
        let index = self.free_execution();
        let main = self.begin(None, index, state, request.source, request.arguments);
        self.executions[index] = Some(Execution {
            budgets: request.budgets,
            steps: 0,
            output: 0,
            main,
            session: session.clone(),
            keeps,
            outcome: None,
            before,
            dropped: false,
            held: false,
            left: Vec::new(),
        });
        ExecutionId(index)
    }

    /// Leaves these builtins and applets to the programs of their names, which are started like all
    /// others.
    pub fn leave(&mut self, id: ExecutionId, mut commands: Vec<Vec<u8>>) {
        if let Some(Some(execution)) = self.executions.get_mut(id.0) {
            commands.sort_unstable();
            execution.left = commands;
        }
    }

    /// Whether a task must not run this builtin or applet itself.
    pub(super) fn is_left(&self, task: &Task, name: &[u8]) -> bool {
        let execution = self.executions.get(task.execution).and_then(Option::as_ref);
        execution.is_some_and(|execution| {
            let left = &execution.left;
            !left.is_empty()
                && left
                    .binary_search_by(|one| one.as_slice().cmp(name))
                    .is_ok()
        })
    }

    /// A place for an execution.
    pub(super) fn free_execution(&mut self) -> usize {
        let free = self.executions.iter().position(Option::is_none);
        free.unwrap_or_else(|| {
            self.executions.push(None);
            self.executions.len() - 1
        })
    }

    /// Puts a task in place that executes a source.
    pub(super) fn begin(
        &mut self,
        parent: Option<TaskId>,
        execution: usize,
        state: State,
        source: Source,
        arguments: Vec<Vec<u8>>,
    ) -> TaskId {
        let mut state = state;
        if !matches!(source, Source::Invocation(_)) {
            let arguments = arguments.iter().map(Text::from).collect();
            state.positional = Positional::new(arguments);
        }
        let (plan, startup) = self.plan(&mut state, source);
        self.insert_task(parent, execution, state, |task| {
            read_source(task, plan, &startup);
        })
    }

    /// Where a shell reads its commands from, and what it runs before them.
    fn plan(&mut self, state: &mut State, source: Source) -> (Plan, Vec<u8>) {
        let mut startup = Vec::new();
        let symbols = &mut self.symbols;
        let plan = invocation::plan(&self.os, state, symbols, source, &mut startup);
        (plan, startup)
    }

    /// Lets a task go on as a shell that was just started, as `exec` does.
    pub(super) fn begin_in_place(&mut self, task: &mut Task, mut state: State, source: Source) {
        let (plan, startup) = self.plan(&mut state, source);
        let mut fresh = Task::new(task.id, task.parent, task.execution, state);
        fresh.control.around.depth = task.control.around.depth;
        fresh.seen = std::mem::take(&mut task.seen);
        fresh.signals = std::mem::take(&mut task.signals);
        fresh.output = std::mem::take(&mut task.output);
        read_source(&mut fresh, plan, &startup);
        *task = fresh;
    }

    /// How an execution ended; none while it runs.
    pub fn outcome(&self, id: ExecutionId) -> Option<Outcome> {
        self.executions.get(id.0)?.as_ref()?.outcome
    }

    /// Whether anything of an execution is left: its shell, or what that started.
    pub fn has_tasks(&self, id: ExecutionId) -> bool {
        let mut tasks = self.tasks.iter().flatten();
        tasks.any(|task| task.execution == id.0)
    }

    /// Delivers a signal to the shell of an execution, or to the task of this number.
    pub fn signal(&mut self, id: ExecutionId, task: Option<Pid>, signal: u8) {
        if let Some(pid) = task {
            self.signal_process(id.0, pid, signal);
            return;
        }
        let main = self
            .executions
            .get(id.0)
            .and_then(Option::as_ref)
            .map(|e| (e.main, e.outcome));
        if let Some((main, None)) = main {
            self.signal_task(main, signal);
        }
    }

    /// Forgets an execution and ends its tasks.
    pub fn drop_execution(&mut self, id: ExecutionId) {
        let Some(Some(execution)) = self.executions.get_mut(id.0) else {
            return;
        };
        if execution.outcome.is_none() {
            execution.let_go();
        }
        execution.dropped = true;
        self.end_tasks(id.0);
        self.executions[id.0] = None;
    }

    fn end_tasks(&mut self, execution: usize) {
        for index in 0..self.tasks.len() {
            let belongs = self.tasks[index]
                .as_ref()
                .is_some_and(|task| task.execution == execution);
            if belongs && let Some(task) = self.tasks[index].take() {
                if let Some(super::task::Waiting::Child { pid, .. }) = &task.waiting {
                    let _ = self.os.kill(*pid, super::trap::KILL);
                }
                self.free.push(index);
            }
        }
    }

    /// Whether an execution was ended by a limit, or is gone.
    pub(super) fn is_over(&self, execution: usize) -> bool {
        match self.executions.get(execution).and_then(Option::as_ref) {
            Some(execution) => matches!(execution.outcome, Some(Outcome::Exceeded(_))),
            None => true,
        }
    }

    /// A budget of an execution is used up: all its tasks end.
    pub(super) fn exceed(&mut self, execution: usize, limit: Limit) {
        let Some(Some(found)) = self.executions.get_mut(execution) else {
            return;
        };
        if found.outcome.is_none() {
            found.outcome = Some(Outcome::Exceeded(limit));
            found.let_go();
        }
        self.end_tasks(execution);
    }

    /// The main task of an execution has ended.
    pub(super) fn finish(&mut self, execution: usize, id: TaskId, state: State, status: u8) {
        let Some(Some(found)) = self.executions.get_mut(execution) else {
            return;
        };
        if found.main != id || found.outcome.is_some() {
            return;
        }
        found.outcome = Some(Outcome::Exited(status));
        found.let_go();
        if found.keeps {
            found.session.0.borrow_mut().state = found.before.restore(state);
        }
    }

    /// How much of `wanted` bytes an execution may still write.
    pub(super) fn allowed_output(&self, execution: usize, wanted: usize) -> usize {
        let Some(Some(execution)) = self.executions.get(execution) else {
            return wanted;
        };
        match execution.budgets.output {
            0 => wanted,
            limit => {
                let left = limit.saturating_sub(execution.output);
                wanted.min(usize::try_from(left).unwrap_or(usize::MAX))
            }
        }
    }

    pub(super) fn count_output(&mut self, execution: usize, count: usize) {
        if let Some(Some(execution)) = self.executions.get_mut(execution) {
            execution.output += count as u64;
        }
    }
}

impl Session {
    pub(super) fn new(state: State) -> Session {
        Session(Rc::new(std::cell::RefCell::new(SessionState {
            state,
            running: 0,
        })))
    }

    /// An independent copy; takes constant time.
    ///
    /// # Errors
    ///
    /// [`StateError::Busy`] while an execution runs on it.
    pub fn fork(&self) -> Result<Session, StateError> {
        if self.0.borrow().running > 0 {
            return Err(StateError::Busy);
        }
        Ok(Session::new(self.0.borrow().copied()))
    }
}

impl SessionState {
    /// The state of an independent copy.
    fn copied(&self) -> State {
        let mut state = self.state.clone();
        if !state.clocks.assigned {
            state.clocks.seeded_in = None;
        }
        state
    }
}

record!(Before {
    name,
    positional,
    directory,
    variables
});
variants!(Outcome { 0 Exited(status), 1 Exceeded(limit) });
variants!(Limit { 0 Steps, 1 Depth, 2 Output, 3 Expansion, 4 Variables });

impl Execution {
    /// The session that it runs on.
    pub(super) fn session(&self) -> Session {
        self.session.clone()
    }

    /// It does not run on its session any more.
    fn let_go(&self) {
        if self.keeps {
            self.session.0.borrow_mut().running -= 1;
        }
    }
}

impl Codec<Image> for Execution {
    fn encode(&self, writer: &mut Writer) {
        let Execution {
            budgets,
            steps,
            output,
            main,
            session,
            // Resumed, it has a session of its own.
            keeps: _,
            outcome,
            before,
            dropped: _,
            // Whoever resumes it decides anew.
            held: _,
            left: _,
        } = self;
        budgets.encode(writer);
        steps.encode(writer);
        output.encode(writer);
        main.encode(writer);
        session.0.borrow().state.encode(writer);
        outcome.encode(writer);
        before.encode(writer);
    }

    fn decode(reader: &mut codec::Reader<'_>) -> Read<Execution> {
        let (budgets, steps, output) = Codec::decode(reader)?;
        let main = Codec::decode(reader)?;
        let state = Codec::decode(reader)?;
        let outcome: Option<Outcome> = Codec::decode(reader)?;
        let session = Session(Rc::new(std::cell::RefCell::new(SessionState {
            state,
            running: usize::from(outcome.is_none()),
        })));
        Ok(Execution {
            budgets,
            steps,
            output,
            main,
            session,
            keeps: true,
            outcome,
            before: Codec::decode(reader)?,
            dropped: false,
            held: false,
            left: Vec::new(),
        })
    }
}

impl Before {
    /// The state that the session keeps.
    fn restore(&self, state: State) -> State {
        let mut state = state;
        state.files = Rc::new(kept::keep(&state.descriptors));
        state.descriptors = Descriptors::default();
        while let Some(call) = state.calls.pop() {
            for (symbol, variable) in call.saved.into_iter().rev() {
                state.variables.reveal(symbol, variable);
            }
        }
        state.name = self.name.clone();
        state.positional = self.positional.clone();
        state.script = None;
        state.command_text = None;
        state.mode = None;
        if let Some(directory) = &self.directory {
            state.directory = directory.clone();
        }
        for (symbol, before, given) in &self.variables {
            if state.variables.get(*symbol) == Some(given) {
                state.variables.replace(*symbol, before.clone());
            }
        }
        state
    }
}

/// Gives a state what one execution has for itself.
fn prepare(state: &mut State, symbols: &mut Symbols, request: &Request) -> Before {
    let mut before = Before {
        name: state.name.clone(),
        positional: state.positional.clone(),
        directory: None,
        variables: Vec::new(),
    };
    state.name = Text::from(&request.name);
    if let Some(directory) = &request.directory {
        before.directory = Some(std::mem::replace(
            &mut state.directory,
            Text::from(directory),
        ));
        let pwd = exported(Text::from(directory));
        let old = state.variables.replace(known::PWD, pwd.clone());
        before.variables.push((known::PWD, old, pwd));
    }
    for (name, value) in &request.environment {
        let symbol = symbols.intern(name);
        let variable = exported(Text::from(value));
        let old = state.variables.replace(symbol, variable.clone());
        before.variables.push((symbol, old, variable));
    }
    before
}

/// Lets a task read commands from where `plan` says, after those of `startup`.
fn read_source(task: &mut Task, plan: Plan, startup: &[u8]) {
    let text = |text: &[u8]| Input::Text(Parser::new(text, crate::syntax::Options::default()));
    let input = match plan {
        Plan::Text(script) => text(&script),
        Plan::Input(from) => Input::Descriptor {
            from,
            pending: Vec::new(),
            line: 1,
            ended: false,
        },
        Plan::Failed(message, status) => {
            task.output.push(2, &message);
            task.state.status = status;
            text(b"")
        }
    };
    let reader = Reader::new(input, Purpose::Main);
    task.push_frame(Rc::default(), Role::Reader(Box::new(reader)));
    if !startup.is_empty() {
        let last = task.state.last_argument.clone();
        let reader = Reader::new(text(startup), Purpose::Eval(last));
        task.push_frame(Rc::default(), Role::Reader(Box::new(reader)));
    }
}
