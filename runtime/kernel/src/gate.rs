//! Who decides which programs may start.

use std::sync::Arc;

use futures::future::BoxFuture;

use crate::Kernel;
use crate::guest::Guest;
use crate::process::ProcessEnd;
use crate::program::{Program, Run};

/// The status of a command that was found and may not run.
const REFUSED: u8 = 126;

/// Judges every program of a sandbox before it starts, whoever starts it: the shell, or a program
/// such as `xargs`; see [`Kernel::set_gate`].
pub trait Gate: Send + Sync {
    /// Why this command may not start, which it says on its standard error in place of running;
    /// none where it may. Its first word is the program's own name, whatever it was called by. The
    /// command waits for the answer, and can be killed meanwhile.
    fn refusal<'a>(&'a self, command: &'a [Vec<u8>]) -> BoxFuture<'a, Option<String>>;

    /// The builtins and applets that the shell leaves to the programs of their names, which come by
    /// here. Each must have one; asked for when a script starts or is resumed.
    fn leaves(&self) -> Vec<Vec<u8>> {
        Vec::new()
    }

    /// Whether a command may ask this of the network; see [`crate::Invocation::permits_request`].
    fn permits_request(&self, method: &str, url: &str) -> bool {
        let _ = (method, url);
        true
    }
}

impl Kernel {
    /// Puts a gate before every program but the shell, whose commands are judged themselves. What
    /// runs already goes on.
    pub fn set_gate(&self, gate: Option<Arc<dyn Gate>>) {
        *self.gate_slot() = gate;
    }

    /// The gate, where one stands before this program.
    pub(crate) fn gate_of(&self, program: &Program) -> Option<Arc<dyn Gate>> {
        match program.as_shell() {
            Some(_) => None,
            None => self.gate_slot().clone(),
        }
    }
}

/// What a program does that waits at a gate.
pub(crate) fn judged(gate: Arc<dyn Gate>, program: Program, guest: Guest) -> Run {
    Box::pin(async move {
        match gate.refusal(guest.arguments()).await {
            None => program.run(guest).await,
            Some(reason) => {
                guest.complain(&reason);
                ProcessEnd::Exited(REFUSED)
            }
        }
    })
}
