//! Reading commands: one complete command line at a time, as bash does, so that aliases and options
//! act on the lines after them and what stands before a syntax error runs.

use std::rc::Rc;

use super::descriptor::Descriptor;
use super::frame::TrapSaved;
use super::trap::Action;
use crate::syntax::Parser;
use crate::text::Text;

/// Where commands come from, and what is to be done at their end.
pub struct Reader {
    /// The text.
    pub input: Input,
    /// Why it is read.
    pub purpose: Purpose,
    /// Loops that were given up in it, which `break` still counts.
    pub given_up: u32,
    /// A condition was given up in it in the midst of an expansion: bash forgets that the condition ended,
    /// and looks at no status within the substitutions that follow.
    pub unchecked: bool,
    /// `command` began it: POSIX mode ends no shell for what fails in it.
    pub spared: bool,
    /// A condition looks at the status of the `eval` or sourced file: `set -e` is off in it.
    pub ignores: bool,
    /// The ERR trap, which is off in it too.
    pub error_trap: Option<Action>,
    /// `$BASH_COMMAND` around an `eval` or sourced file.
    pub command: Text,
}

impl Reader {
    /// What reads `input` from its beginning.
    pub fn new(input: Input, purpose: Purpose) -> Reader {
        Reader {
            input,
            purpose,
            given_up: 0,
            unchecked: false,
            spared: false,
            ignores: false,
            error_trap: None,
            command: Text::new(),
        }
    }
}

/// Where text comes from.
pub enum Input {
    /// All of it is there.
    Text(Parser),
    /// It is read line by line.
    Descriptor {
        /// From this; from standard input where there is none.
        from: Option<Rc<Descriptor>>,
        /// Lines of a command that is not complete yet.
        pending: Vec<u8>,
        /// The line in which they begin.
        line: u32,
        /// The input is at its end.
        ended: bool,
    },
}

/// Why commands are read.
pub enum Purpose {
    /// They are the task's own; its end is the task's.
    Main,
    /// `eval`, with `$_` after it.
    Eval(Text),
    /// `source`; a call is to end.
    Source,
    /// A trap.
    Trap(TrapSaved),
}
