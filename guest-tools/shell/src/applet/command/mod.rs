//! Commands of the families as applets.
//!
//! They are straight programs that read, compute and write; there is nothing here that could put one aside. So each
//! runs to its end in one turn, on input that is complete. What it needs of a pipe is not known before: it is tried
//! with what is there, and where it asks for more, the attempt is undone and repeated with more ([`task`]).

mod gathered;
mod host;
mod task;
mod tee;
#[cfg(test)]
mod tests;

use offshoot_command::call::Call;
use offshoot_command::family::Command;

use super::{Applet, Start};
pub(super) use task::start;

/// A command that is linked in.
#[derive(Debug, Clone, Copy)]
pub(super) struct Linked {
    /// Runs it to its end.
    run: fn(&Call) -> i32,
    /// Whether it may read standard input.
    reads: bool,
}

/// The commands of these names, of which each is in the family: a wrong name does not compile.
const fn pick<const N: usize>(
    family: &[Command],
    reads: bool,
    names: [&'static str; N],
) -> [Applet; N] {
    const fn nothing(_: &Call) -> i32 {
        127
    }
    let nothing = Linked {
        run: nothing,
        reads,
    };
    let mut picked = [Applet {
        name: "",
        start: Start::Command(nothing),
    }; N];
    let mut at = 0;
    while at < N {
        let mut place = 0;
        while !is_same(family[place].name, names[at]) {
            place += 1;
        }
        let run = family[place].run;
        picked[at] = Applet {
            name: names[at],
            start: Start::Command(Linked { run, reads }),
        };
        at += 1;
    }
    picked
}

const fn is_same(a: &str, b: &str) -> bool {
    let (a, b) = (a.as_bytes(), b.as_bytes());
    let mut at = 0;
    while at < a.len() && at < b.len() && a[at] == b[at] {
        at += 1;
    }
    at == a.len() && at == b.len()
}

#[cfg(feature = "command-awk")]
static AWK: &[Applet] = &pick(
    offshoot_text::COMMANDS,
    true,
    ["awk", "gawk", "mawk", "nawk"],
);

#[cfg(feature = "command-text")]
static TEXT: &[Applet] = &pick(
    offshoot_text::COMMANDS,
    true,
    [
        "sed", "sort", "uniq", "diff", "cmp", "paste", "join", "nl", "tac", "rev", "tail", "fmt",
        "column", "split", "base64", "od", "xxd",
    ],
);

#[cfg(feature = "command-search")]
static SEARCH: &[Applet] = &pick(offshoot_search::COMMANDS, true, ["grep", "egrep", "fgrep"]);

#[cfg(feature = "command-search")]
static FIND: &[Applet] = &pick(offshoot_search::COMMANDS, false, ["find"]);

#[cfg(feature = "command-files")]
static FILES: &[Applet] = &pick(
    offshoot_files::COMMANDS,
    false,
    [
        "ls", "cp", "mv", "rm", "mkdir", "touch", "ln", "chmod", "mktemp", "stat", "du",
    ],
);

#[cfg(feature = "command-jq")]
static JQ: &[Applet] = &pick(offshoot_query::COMMANDS, true, ["jq"]);

/// What streams without end, and is a task of our own therefore.
static OWN: &[Applet] = &[Applet {
    name: "tee",
    start: Start::Task(tee::start),
}];

/// The groups that this build has.
static GROUPS: &[&[Applet]] = &[
    OWN,
    #[cfg(feature = "command-awk")]
    AWK,
    #[cfg(feature = "command-text")]
    TEXT,
    #[cfg(feature = "command-search")]
    SEARCH,
    #[cfg(feature = "command-search")]
    FIND,
    #[cfg(feature = "command-files")]
    FILES,
    #[cfg(feature = "command-jq")]
    JQ,
];

/// All of them.
pub(super) fn all() -> impl Iterator<Item = &'static Applet> {
    GROUPS.iter().copied().flatten()
}

/// The one of this name.
pub(super) fn find(name: &[u8]) -> Option<Applet> {
    all().find(|applet| applet.name.as_bytes() == name).copied()
}
