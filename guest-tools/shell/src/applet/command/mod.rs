//! Commands of the families as applets.
//!
//! They are straight programs that read, compute and write; there is nothing here that could put one aside. So each
//! runs to its end in one turn, on input that is complete. What it needs of a pipe is not known before: it is tried
//! with what is there, and where it asks for more, the attempt is undone and repeated with more ([`task`]).
//!
//! What a command starts is a shell within its run ([`child`]): it runs to its end there and then.

mod child;
mod date;
mod gathered;
mod host;
mod pipe;
mod start;
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
    reads: Reads,
}

/// Whether a command reads standard input.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
enum Reads {
    /// It does not, and starts nothing that could.
    No,
    /// It may.
    Input,
    /// What it starts may, where one of its arguments begins so.
    Starting(&'static [&'static str]),
}

impl Reads {
    fn input(self, arguments: &[Vec<u8>]) -> bool {
        match self {
            Reads::No => false,
            Reads::Input => true,
            Reads::Starting(options) => arguments.iter().any(|word| {
                let mut options = options.iter();
                options.any(|option| word.starts_with(option.as_bytes()))
            }),
        }
    }
}

/// The commands of these names, of which each is in the family: a wrong name does not compile.
const fn pick<const N: usize>(
    family: &[Command],
    reads: Reads,
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
    Reads::Input,
    ["awk", "gawk", "mawk", "nawk"],
);

#[cfg(feature = "command-text")]
static TEXT: &[Applet] = &pick(
    offshoot_text::COMMANDS,
    Reads::Input,
    [
        "sed", "sort", "uniq", "diff", "cmp", "paste", "join", "nl", "tac", "rev", "tail", "fmt",
        "column", "split", "base64", "od", "xxd",
    ],
);

#[cfg(feature = "command-search")]
static SEARCH: &[Applet] = &pick(
    offshoot_search::COMMANDS,
    Reads::Input,
    ["grep", "egrep", "fgrep", "xargs"],
);

#[cfg(feature = "command-search")]
static FIND: &[Applet] = &pick(
    offshoot_search::COMMANDS,
    Reads::Starting(&["-exec", "-ok"]),
    ["find"],
);

#[cfg(feature = "command-files")]
static FILES: &[Applet] = &pick(
    offshoot_files::COMMANDS,
    Reads::No,
    [
        "ls", "cp", "mv", "rm", "mkdir", "touch", "ln", "chmod", "mktemp", "stat", "du",
    ],
);

#[cfg(feature = "command-jq")]
static JQ: &[Applet] = &pick(offshoot_query::COMMANDS, Reads::Input, ["jq"]);

/// What is of our own: `tee` streams without end, and the others need a process where others have them.
static OWN: &[Applet] = &[
    Applet {
        name: "tee",
        start: Start::Task(tee::start),
    },
    own("date", date::run, Reads::Starting(&["-f", "--f"])),
    own("printenv", start::run_printenv, Reads::No),
];

static SYSTEM: &[Applet] = &pick(offshoot_system::COMMANDS, Reads::Input, ["env"]);

/// Builtins of the shell as programs.
static BUILTINS: [Applet; start::BUILTINS.len()] = {
    let mut made = [own("", start::run_builtin, Reads::No); start::BUILTINS.len()];
    let mut at = 0;
    while at < made.len() {
        made[at].name = start::BUILTINS[at];
        at += 1;
    }
    made
};

const fn own(name: &'static str, run: fn(&Call) -> i32, reads: Reads) -> Applet {
    Applet {
        name,
        start: Start::Command(Linked { run, reads }),
    }
}

/// The groups that this build has.
static GROUPS: &[&[Applet]] = &[
    OWN,
    SYSTEM,
    &BUILTINS,
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
