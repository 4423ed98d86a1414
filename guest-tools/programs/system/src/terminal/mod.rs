//! What asks about the terminal: `stty`, `tput`, `clear`, `reset` and `tset`.

mod clear;
mod expand;
mod stty;
mod terminfo;
mod tput;

pub use clear::{reset, run as clear};
pub use stty::run as stty;
pub use tput::run as tput;

use crate::call::Call;
use crate::system;

/// What the commands of ncurses say and end with where no descriptor is a terminal that could be set.
fn without_terminal(call: &Call) -> Option<i32> {
    const STATUS: i32 = 10;
    if (0..3).any(system::is_terminal) {
        return None;
    }
    let message = "terminal attributes: No such device or address\n";
    Some(call.fail(STATUS, message))
}
