//! Restricted shells: `rbash`, `bash -r`, `set -r` (the manual's The Restricted Shell).
//!
//! What is forbidden is refused where it is done: `cd`, names of commands with a slash, `exec`, redirects that write,
//! and so on ask [`Options::restricted`](super::option::Options::restricted). Here is how a shell becomes restricted:
//! once its startup files have run, and with readonly variables.

use std::rc::Rc;

use super::option::{Options, SetOption, Shopt};
use super::special::set_posix;
use super::state::State;
use super::symbol::{Symbols, known};
use super::value::Attributes;

/// Variables that a restricted shell may not change, beside those that every shell knows.
const HISTORY_FILE: &[u8] = b"HISTFILE";

/// Whether the name of a shell makes it a restricted one.
pub(super) fn is_restricted_name(name: &[u8]) -> bool {
    let base = name.rsplit(|&byte| byte == b'/').next();
    let base = base.unwrap_or_default();
    base.strip_prefix(b"-").unwrap_or(base) == b"rbash"
}

/// Whether the words of a command line ask for a restricted shell.
pub(super) fn is_asked_for(words: &[Vec<u8>]) -> bool {
    let mut words = words.iter();
    while let Some(word) = words.next() {
        match word.as_slice() {
            b"--restricted" => return true,
            b"-" | b"--" => return false,
            b"--rcfile" | b"--init-file" => {
                words.next();
            }
            [b'-', b'-', ..] => {}
            [b'-', letters @ ..] if letters.contains(&b'r') => return true,
            [b'-' | b'+', letters @ ..] if !letters.is_empty() => {
                // These take words of their own.
                for _ in letters.iter().filter(|letter| b"oO".contains(letter)) {
                    words.next();
                }
            }
            _ => return false,
        }
    }
    false
}

/// Forgets what the environment said: a restricted shell takes neither functions nor options from it.
pub(super) fn distrust(state: &mut State) {
    let posix = state.options.on(SetOption::Posix);
    let login = state.options.shopt(Shopt::LoginShell);
    state.functions = Rc::default();
    state.options = Options::default();
    if posix {
        set_posix(state, true);
    }
    state.options.set_shopt(Shopt::LoginShell, login);
    state.options.set_shopt(Shopt::RestrictedShell, true);
}

/// Restricts a shell.
pub(super) fn restrict(state: &mut State, symbols: &mut Symbols) {
    let history = symbols.intern(HISTORY_FILE);
    for symbol in [
        known::PATH,
        known::SHELL,
        known::ENV,
        known::BASH_ENV,
        history,
    ] {
        let slot = state.variables.slot(symbol);
        let readonly = Attributes::READONLY.with(Attributes::DECLARED);
        slot.attributes = slot.attributes.with(readonly);
    }
    state.options.restrict();
}
