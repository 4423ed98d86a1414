//! Marks, for services that begin a new, empty machine in place of one that ended and say nothing of it.
//!
//! A machine that was made for a sandbox is marked once. Each command looks for the mark first, in the same
//! request, so what ended is never taken for a sandbox that happens to be empty.

use crate::control::{is_plain, unreachable_is_unavailable};
use crate::machine::Machine;
use crate::{Code, Error, Result, Stage};

/// Runs `"$@"` where the directory `$0` is.
const GUARD: &str = r#"[ -d "$0" ] || { echo offshoot-lost; exit 0; }; exec "$@""#;
/// What is told where it is not.
const LOST: &str = "offshoot-lost";
/// Makes the directory `$0`, which must not be there.
const MARK: &str = r#"mkdir -- "$0" && echo offshoot-marked"#;
/// What is told where that was done.
const MARKED: &str = "offshoot-marked";

/// The error's message then.
const GONE: &str = "the sandbox ended, and its files with it";

/// The mark of a machine, by an id that is its own.
fn place(id: &str) -> String {
    format!("/tmp/.offshoot-mark-{id}")
}

/// Words that run the given ones where the mark of `id` is.
pub fn guarded(id: &str, words: &[String]) -> Vec<String> {
    let mut all = ["/bin/bash", "-c", GUARD, &place(id)]
        .map(str::to_owned)
        .to_vec();
    all.extend_from_slice(words);
    all
}

/// What words of [`guarded`] told.
///
/// # Errors
/// [`Code::SandboxUnavailable`] where the machine is another one.
pub fn found(told: String) -> Result<String> {
    match told.trim() {
        LOST => Err(Error::new(Code::SandboxUnavailable, GONE)),
        _ => Ok(told),
    }
}

/// Marks a machine; `run` runs words in whatever machine has the id.
///
/// # Errors
/// [`Code::Died`] where it cannot be marked, [`Code::SandboxUnavailable`] where nobody answers.
pub fn set(id: &str, run: impl FnOnce(&[String]) -> Result<String>) -> Result<()> {
    let words = ["/bin/bash", "-c", MARK, &place(id)].map(str::to_owned);
    let told = unreachable_is_unavailable(run(&words))?;
    match told.trim() {
        MARKED => Ok(()),
        _ => {
            let shown: String = told.chars().take(500).collect();
            let message = format!("the sandbox cannot be marked: {shown}");
            Err(Error::new(Code::Died, message))
        }
    }
}

/// Whether the machine is still the one that was marked. `machine` runs its words [`guarded`].
///
/// # Errors
/// Those of the provider.
pub fn life(machine: &impl Machine) -> Result<Stage> {
    let here = ["/bin/echo", "here"].map(str::to_owned);
    match machine.run(&here, None) {
        Ok(_) => Ok(Stage::Running),
        Err(error) if error.message == GONE => Ok(Stage::Deleted),
        Err(error) => Err(error),
    }
}

/// Finds a machine that was marked before, by the reference to it, which is its id.
///
/// # Errors
/// [`Code::Invalid`] for what can be no id, [`Code::NotFound`] where the machine is another one.
pub fn find(id: &str, machine: &impl Machine) -> Result<()> {
    if !is_plain(id) {
        return Err(Error::new(Code::Invalid, "a reference is the sandbox's id"));
    }
    match unreachable_is_unavailable(life(machine))? {
        Stage::Running => Ok(()),
        _ => Err(Error::new(Code::NotFound, format!("no sandbox {id}"))),
    }
}
