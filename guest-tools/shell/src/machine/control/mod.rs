//! What a failure does, and what is left when a shell ends.
//!
//! bash has these rules in many places of its own; here they are in one. A command leaves a status. What becomes of
//! it is decided in this order:
//!
//! # A status that is looked at
//!
//! A condition (`if`, `while`, `until`, all but the last of `&&` and `||`, `!`) looks at the status itself: neither the
//! ERR trap nor `set -e` acts on what is in it ([`Suppression`]).
//!
//! - `!` before a command counts as a condition for `set -e` alone, and only where `-e` is set as it begins. Within a
//!   compound command behind `!`, the ERR trap still acts.
//! - A stage of a pipeline or a subshell is a task of its own, and in a condition where it began in one
//!   ([`Around::suppressed`]); what `&` runs is in none. A substitution is in one only where it stands among the words of
//!   a command or of `[[ ]]`, not in `case`, `for`, `(( ))` and redirects ([`expands_words`]).
//! - Where a condition is given up in the midst of an expansion, bash forgets that it has ended: the substitutions of the
//!   rest of a text of `-c` are in one ([`Task::leaves_unchecked`](super::task::Task::leaves_unchecked)).
//! - An `eval` or a sourced file whose status a condition looks at runs with `set -e` and ERR off, however deep, and
//!   so do the tasks that it begins ([`Task::ignores_errors`](super::task::Task::ignores_errors)). One that is all of a
//!   stage or a job is in no condition.
//!
//! # A status that is not
//!
//! The compiler puts a check behind each command, which says what the command was
//! ([`Ended`](super::code::Ended)).
//!
//! 1. The ERR trap runs, unless it is running, or was set in the very command that failed ([`pass_check`]).
//! 2. Then `set -e` ends the shell (`exit_on_error`).
//!
//! # What ends a shell
//!
//! | what | status | calls before the EXIT trap |
//! |---|---|---|
//! | `exit` | its own | stay as they are ([`Left::Nothing`]) |
//! | `set -e` | that of the command | lose their variables ([`Left::Variables`]), unless an `eval` or a sourced file runs within a function |
//! | an error of a special builtin or an expansion, in POSIX mode or under `set -u` | that of the error; 1 where the task is an `eval` or a sourced file and no more | are left ([`Left::Calls`]) |
//! | a signal | 128 and its number, whatever the EXIT trap says | are left |
//!
//! `!` before all of a subshell turns the status that an error ends it with. In a subshell calls stay as they are. A
//! `break` that leaves loops around a task ends it without its EXIT trap, and so does `set -e` behind it.
//!
//! # What redirects hold for the EXIT trap
//!
//! - `exit`: all around it within a function, else those that no text of `eval`, a sourced file or `-c` encloses.
//! - `set -e`: the same, but after a simple command only those around the innermost call with redirects of its own.
//! - An error in the midst of an expansion: all under `set -e`, else none.
//! - A subshell: those that no text in it encloses.

mod around;
mod ending;
mod failure;
mod loops;
mod suppression;

pub use around::Around;
pub use ending::{Ending, Left};
pub(super) use ending::{
    keep_all_for_exit_trap, keep_for_exit_trap, keep_of_subshell, keep_redirects, undo_redirects,
};
pub(super) use failure::{
    expands_words, is_looked_at, is_of_builtin, negated, pass_check, refused_before, thrown, turned,
};
pub use suppression::{NEGATIONS, Suppression};

/// What a task has to know for these rules.
#[derive(Debug, Clone, Default)]
pub struct Control {
    /// The tasks around it.
    pub around: Around,
    /// How far it is with its end.
    pub ending: Ending,
}
