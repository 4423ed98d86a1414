//! The shell as the guest of the native runtime: world `shell-guest`.

use std::cell::RefCell;
use std::collections::HashMap;
use std::rc::Rc;

use self::bindings::exports::offshoot::sandbox::shell as contract;
use self::bindings::offshoot::sandbox::types;
use crate::machine::{
    Budgets, ExecutionId, Limit, Machine, Outcome, Progress, Request, Session, Setup, Source,
    StateError, SuspendError,
};
use crate::os::host::HostOs;
use crate::os::{Handle, Interest, Pid};

/// What wit-bindgen makes of the contracts.
#[allow(missing_docs, unsafe_code, reason = "generated")]
pub mod bindings {
    wit_bindgen::generate!({
        path: "../../wit",
        world: "shell-guest",
        generate_all,
    });
}

thread_local! {
    /// The machine of this instance: a component has one thread.
    static MACHINE: RefCell<Machine> = RefCell::new(Machine::new(Rc::new(HostOs)));
}

fn with<T>(action: impl FnOnce(&mut Machine) -> T) -> T {
    MACHINE.with(|machine| action(&mut machine.borrow_mut()))
}

struct Shell;

/// A session as the host holds it.
struct SessionResource(Session);

/// An execution as the host holds it.
struct ExecutionResource(ExecutionId);

impl contract::Guest for Shell {
    type Session = SessionResource;
    type Execution = ExecutionResource;
}

impl contract::GuestSession for SessionResource {
    fn new(setup: contract::Setup) -> SessionResource {
        let setup = Setup {
            environment: setup.environment,
            directory: setup.directory,
            umask: setup.umask,
            posix: setup.posix,
        };
        SessionResource(with(|machine| machine.session(&setup)))
    }

    fn load(state: Vec<u8>) -> Result<contract::Session, contract::StateError> {
        let session = with(|machine| machine.load(&state)).map_err(state_error)?;
        Ok(contract::Session::new(SessionResource(session)))
    }

    fn save(&self) -> Result<Vec<u8>, contract::StateError> {
        with(|machine| machine.save(&self.0)).map_err(state_error)
    }

    fn fork(&self) -> Result<contract::Session, contract::StateError> {
        let session = self.0.fork().map_err(state_error)?;
        Ok(contract::Session::new(SessionResource(session)))
    }

    fn start(&self, request: contract::Request) -> contract::Started {
        let keep = request.keep;
        let extras = request.extras.unwrap_or_else(|| contract::Extras {
            arguments: Vec::new(),
            environment: Vec::new(),
            directory: None,
            signals: Vec::new(),
            leaves: Vec::new(),
        });
        let request = Request {
            source: match request.source {
                contract::Source::Text(text) => Source::Text(text),
                contract::Source::File(file) => Source::File(file),
                contract::Source::Script(text) => Source::Script(text),
                contract::Source::Input => Source::Input,
                contract::Source::Invocation(words) => Source::Invocation(words),
            },
            name: request.name,
            arguments: extras.arguments,
            environment: extras.environment,
            directory: extras.directory,
            descriptors: request.descriptors,
            budgets: Budgets {
                steps: request.budgets.steps,
                depth: request.budgets.depth,
                output: request.budgets.output,
                expansion: request.budgets.expansion,
                variables: request.budgets.variables,
            },
        };
        let (id, turn, left) = with(|machine| {
            let id = match keep {
                true => machine.start(&self.0, request),
                false => machine.start_apart(&self.0, request),
            };
            machine.leave(id, extras.leaves);
            for number in extras.signals {
                machine.signal(id, None, number);
            }
            let turn = turn(machine, id);
            (id, turn, machine.has_tasks(id))
        });
        let execution = ExecutionResource(id);
        match turn.outcome {
            Some(outcome) if !left => contract::Started::Ended(outcome),
            _ => contract::Started::Running((contract::Execution::new(execution), turn)),
        }
    }

    fn resume(
        state: Vec<u8>,
        descriptors: Vec<(Handle, Handle)>,
        leaves: Vec<Vec<u8>>,
    ) -> Result<(contract::Session, contract::Execution), contract::StateError> {
        let known: HashMap<Handle, Handle> = descriptors.into_iter().collect();
        let handle = |old| known.get(&old).copied();
        let (session, id) = with(|machine| {
            let (session, id) = machine.resume(&state, &handle)?;
            machine.leave(id, leaves);
            Ok((session, id))
        })
        .map_err(state_error)?;
        Ok((
            contract::Session::new(SessionResource(session)),
            contract::Execution::new(ExecutionResource(id)),
        ))
    }
}

impl contract::GuestExecution for ExecutionResource {
    fn poll(&self) -> contract::Turn {
        with(|machine| turn(machine, self.0))
    }

    fn signal(&self, task: Option<Pid>, number: u8) {
        with(|machine| machine.signal(self.0, task, number));
    }

    fn suspend(&self) -> Result<contract::Image, contract::SuspendError> {
        let suspended = with(|machine| machine.suspend(self.0)).map_err(suspend_error)?;
        Ok(contract::Image {
            state: suspended.bytes,
            descriptors: suspended.handles,
        })
    }

    fn hold(&self, held: bool) {
        with(|machine| machine.hold(self.0, held));
    }

    fn holds(&self, descriptors: Vec<Handle>) -> bool {
        with(|machine| machine.holds(self.0, &descriptors))
    }
}

impl Drop for ExecutionResource {
    fn drop(&mut self) {
        with(|machine| machine.drop_execution(self.0));
    }
}

/// Runs what can run, and says how far one execution is.
fn turn(machine: &mut Machine, id: ExecutionId) -> contract::Turn {
    let progress = match machine.poll() {
        Progress::More => contract::Progress::More,
        Progress::Finished => contract::Progress::Finished,
        Progress::Idle(interests) => {
            contract::Progress::Idle(interests.into_iter().map(interest).collect())
        }
    };
    let outcome = machine.outcome(id).map(|outcome| match outcome {
        Outcome::Exited(status) => contract::Outcome::Exited(status),
        Outcome::Exceeded(exceeded) => contract::Outcome::Exceeded(limit(exceeded)),
    });
    contract::Turn { progress, outcome }
}

fn interest(interest: Interest) -> contract::Interest {
    match interest {
        Interest::Readable(handle) => contract::Interest::Readable(handle),
        Interest::Writable(handle) => contract::Interest::Writable(handle),
        Interest::Child(pid) => contract::Interest::Child(pid),
        Interest::Time(time) => contract::Interest::Time(time),
    }
}

fn limit(limit: Limit) -> types::Limit {
    match limit {
        Limit::Steps => types::Limit::Steps,
        Limit::Depth => types::Limit::Depth,
        Limit::Output => types::Limit::Output,
        Limit::Expansion => types::Limit::Expansion,
        Limit::Variables => types::Limit::Variables,
    }
}

fn state_error(error: StateError) -> contract::StateError {
    match error {
        StateError::Corrupt => contract::StateError::Corrupt,
        StateError::TooNew => contract::StateError::TooNew,
        StateError::Busy => contract::StateError::Busy,
    }
}

fn suspend_error(error: SuspendError) -> contract::SuspendError {
    match error {
        SuspendError::Ended => contract::SuspendError::Ended,
        SuspendError::InFlight { command, .. } => contract::SuspendError::InFlight(command),
        SuspendError::TooDeep => contract::SuspendError::TooDeep,
    }
}

#[allow(missing_docs, unsafe_code, reason = "generated")]
mod exports {
    use super::{Shell, bindings};
    bindings::export!(Shell with_types_in bindings);
}
