//! Builtins: the commands that are part of the shell, and what they are written against.
//!
//! A builtin is a function over a [`Context`]. It never blocks and never runs script code itself:
//! what it cannot finish it returns as a [`Flow`], and the machine goes on from there.

mod alias;
mod bind;
mod command;
mod completion;
mod control;
mod declare;
mod directory;
mod echo;
mod function;
mod getopts;
mod help;
mod history;
mod job;
mod kill;
mod letters;
mod limit;
mod listing;
mod lookup;
mod mapfile;
mod pending;
mod printf;
mod read;
mod set;
mod stack;
mod status;
mod summary;
mod synopsis;
mod test;
#[cfg(test)]
mod tests;
mod trap;
mod wait;

use crate::machine::descriptor::Direction;
use crate::text::Text;

pub use crate::machine::context::{Context, Element, Failed, Key, Place};
pub use command::Sourcing;
pub(crate) use letters::integer;
pub use mapfile::Mapping;
pub use pending::Pending;
pub use read::{Reading, Storing};
pub use wait::Waiting;

/// A builtin. `arguments` are those after the name; the name is [`Context::name`].
pub type Builtin = fn(&mut Context<'_>, arguments: &[Text]) -> Flow;

/// One row of the table of builtins.
#[derive(Debug, Clone, Copy)]
pub struct Entry {
    /// The name.
    pub name: &'static str,
    /// The function.
    pub run: Builtin,
    /// One of POSIX's special builtins: assignments before it last and its errors end the shell,
    /// both in posix mode only.
    pub special: bool,
}

/// What the machine does after a builtin returned. Output is written before any of it.
#[derive(Debug)]
pub enum Flow {
    /// The builtin is done.
    Status(u8),
    /// The builtin failed in a way that ends the shell in posix mode where the builtin is special
    /// (usage errors, assignment errors).
    Fatal(u8),
    /// The commands that were read together are given up, with this status.
    Abandon(u8),
    /// `exit`: runs the EXIT trap and ends the shell or subshell.
    Exit(u8),
    /// `return` from the running function or sourced file; [`Context::can_return`] was asked before.
    Return(u8),
    /// `break N`, N from 1; [`Context::loop_depth`] was asked before.
    Break(u32),
    /// `continue N`, N from 1.
    Continue(u32),
    /// Leaves all loops of the running function, with status 1: `break 0`.
    BreakAll,
    /// The input is more than a value may be.
    TooLarge,
    /// `eval`: runs the text in the present context; its status is the builtin's.
    Eval(Text),
    /// `source`: runs the text as a sourced file.
    Source {
        /// What was read.
        text: Text,
        /// The path, for `BASH_SOURCE` and messages.
        path: Text,
        /// New positional parameters, where there are any.
        arguments: Option<Vec<Text>>,
    },
    /// `source` of what cannot be read: fails, with a RETURN trap as if nothing stood there, and
    /// `set -e` acts before the ERR trap could.
    Unread,
    /// `command`, `builtin`, `exec` with a command: runs these words, the name first.
    Run {
        /// The words.
        words: Vec<Text>,
        /// How the name is looked up.
        lookup: Lookup,
    },
    /// `exec` without a command: the redirects of this command stay.
    KeepRedirects,
    /// Goes on with what may have to wait for expansions, and can be done again.
    Next(Pending),
    /// `fg`: waits for the job of this number, which is in the foreground from now on.
    Foreground(u32),
    /// Asks again when one of these happened; a trapped signal that arrives meanwhile ends the
    /// wait where [`Pending::interruptible`] says so.
    Wait(Vec<Wake>, Pending),
}

/// How [`Flow::Run`] looks up its command.
#[derive(Debug, Clone, PartialEq, Eq)]
pub enum Lookup {
    /// No functions: `command`.
    NoFunctions,
    /// No functions, and PATH is the standard one: `command -p`.
    StandardPath,
    /// Builtins only: `builtin`.
    BuiltinsOnly,
    /// Neither functions nor builtins; the shell ends with the command: `exec`. An applet counts as
    /// a command of PATH.
    Replace {
        /// `$0` of the command: `exec -a`.
        name: Option<Text>,
        /// An empty environment: `exec -c`.
        clear: bool,
    },
}

/// What a builtin waits for. Plain data.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Wake {
    /// A descriptor number of the script.
    Descriptor(u32, Direction),
    /// The monotonic clock reached this many nanoseconds.
    Time(u64),
    /// Any job of this shell changed.
    Jobs,
}

/// The builtin of this name, whether or not `enable -n` turned it off.
pub fn find(name: &[u8]) -> Option<&'static Entry> {
    let first = usize::from(*name.first()?);
    let (start, end) = (*STARTS.get(first)?, *STARTS.get(first + 1)?);
    let candidates = TABLE.get(usize::from(start)..usize::from(end))?;
    let found = |entry: &&Entry| entry.name.as_bytes() == name;
    candidates.iter().find(found)
}

/// Where the names with each first byte begin: every command is looked up here.
const STARTS: [u8; 129] = {
    let mut starts = [0; 129];
    let mut at = 0;
    while at < TABLE.len() {
        let mut after = TABLE[at].name.as_bytes()[0] as usize + 1;
        while after < starts.len() {
            starts[after] = at as u8 + 1;
            after += 1;
        }
        at += 1;
    }
    starts
};

/// The descriptor number that a path such as `/dev/stdin` or `/dev/fd/3` stands for.
fn descriptor_path(path: &[u8]) -> Option<u32> {
    match path {
        b"/dev/stdin" => Some(0),
        b"/dev/stdout" => Some(1),
        b"/dev/stderr" => Some(2),
        _ => std::str::from_utf8(path.strip_prefix(b"/dev/fd/")?)
            .ok()?
            .parse()
            .ok(),
    }
}

const fn entry(name: &'static str, run: Builtin) -> Entry {
    Entry {
        name,
        run,
        special: false,
    }
}

const fn special(name: &'static str, run: Builtin) -> Entry {
    Entry {
        name,
        run,
        special: true,
    }
}

/// All builtins, sorted by name.
pub const TABLE: &[Entry] = &[
    special(".", command::source),
    special(":", status::succeed),
    entry("[", test::bracket),
    entry("alias", alias::alias),
    entry("bg", job::background),
    entry("bind", bind::run),
    special("break", control::break_loop),
    entry("builtin", command::builtin),
    entry("caller", help::caller),
    entry("cd", directory::cd),
    entry("command", command::command),
    entry("compgen", completion::compgen),
    entry("complete", completion::complete),
    entry("compopt", completion::compopt),
    special("continue", control::continue_loop),
    entry("declare", declare::declare),
    entry("dirs", stack::dirs),
    entry("disown", job::disown),
    entry("echo", echo::run),
    entry("enable", lookup::enable),
    special("eval", control::eval),
    special("exec", command::exec),
    special("exit", control::exit),
    special("export", declare::export),
    entry("false", status::fail),
    entry("fc", history::fc),
    entry("fg", job::foreground),
    entry("getopts", getopts::run),
    entry("hash", lookup::hash),
    entry("help", help::run),
    entry("history", history::history),
    entry("jobs", job::jobs),
    entry("kill", kill::run),
    entry("let", control::evaluate),
    entry("local", declare::local),
    entry("logout", control::logout),
    entry("mapfile", mapfile::run),
    entry("popd", stack::popd),
    entry("printf", printf::run),
    entry("pushd", stack::pushd),
    entry("pwd", directory::pwd),
    entry("read", read::run),
    entry("readarray", mapfile::run),
    special("readonly", declare::readonly),
    special("return", control::return_from),
    special("set", set::set),
    special("shift", control::shift),
    entry("shopt", set::shopt),
    special("source", command::source),
    entry("suspend", job::suspend),
    entry("test", test::run),
    special("times", limit::times),
    special("trap", trap::run),
    entry("true", status::succeed),
    entry("type", lookup::describe_types),
    entry("typeset", declare::declare),
    entry("ulimit", limit::ulimit),
    entry("umask", limit::umask),
    entry("unalias", alias::unalias),
    special("unset", function::unset),
    entry("wait", wait::run),
];
