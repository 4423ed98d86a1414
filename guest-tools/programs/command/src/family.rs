//! The table of a family of commands, and its `main`.

use std::io::Write as _;

use crate::call::Call;
use crate::system;

/// A command: its name, what runs it, and what there is to say about it.
#[derive(Clone, Copy, Debug)]
pub struct Command {
    /// What it is called by.
    pub name: &'static str,
    /// Runs it and gives its exit status.
    pub run: fn(&Call) -> i32,
    /// Whether it is a command of uutils; the others are ours.
    pub is_uutils: bool,
    /// The libraries that do the main work; empty where none does.
    pub libraries: &'static str,
    /// What is not supported; empty where nothing is known.
    pub gaps: &'static str,
}

impl Command {
    /// A command of ours.
    pub const fn new(name: &'static str, run: fn(&Call) -> i32) -> Command {
        Command {
            name,
            run,
            is_uutils: false,
            libraries: "",
            gaps: "",
        }
    }

    /// A command of uutils.
    pub const fn uutils(name: &'static str, run: fn(&Call) -> i32) -> Command {
        Command {
            is_uutils: true,
            ..Command::new(name, run)
        }
    }

    /// Names the libraries that do the main work.
    pub const fn on(self, libraries: &'static str) -> Command {
        Command { libraries, ..self }
    }

    /// Names what is not supported.
    pub const fn without(self, gaps: &'static str) -> Command {
        Command { gaps, ..self }
    }
}

/// Runs the command of this process: argument zero names it, or else the first argument does.
/// `--list` prints all names.
pub fn main(commands: &[Command]) -> ! {
    main_with(commands, &[])
}

/// The same with what other programs run this family for: who gives `--NAME` as the first argument of any command
/// gets the one of that name. They are listed nowhere.
pub fn main_with(commands: &[Command], internal: &[Command]) -> ! {
    system::enter_directory();
    let mut call = Call::from_environment();
    #[cfg(not(feature = "linked"))]
    crate::memory::set_name(&call.name);
    // Neither a source path nor a hint for developers means anything to who runs a command.
    if !cfg!(debug_assertions) {
        let name = call.name.clone();
        std::panic::set_hook(Box::new(move |_| eprintln!("{name}: internal error")));
    }
    let find = |call: &Call| commands.iter().find(|command| command.name == call.name);
    let mut found = find(&call);
    let asked = call
        .arguments
        .first()
        .and_then(|first| first.strip_prefix(b"--"));
    if let Some(command) =
        asked.and_then(|name| internal.iter().find(|one| one.name.as_bytes() == name))
    {
        call.shift();
        found = Some(command);
    }
    let is_list = matches!(call.arguments.first(), Some(first) if first == b"--list");
    if found.is_none() && !is_list && call.shift() {
        found = find(&call);
    }
    let status = match found {
        Some(command) => (command.run)(&call),
        None if is_list => list(commands),
        None => call.fail(127, "command not found"),
    };
    // A command whose output matters has flushed it and said so.
    let _ = crate::stream::stdout().flush();
    system::exit(status);
}

fn list(commands: &[Command]) -> i32 {
    let names = commands.iter().map(|command| command.name);
    let text = names.collect::<Vec<_>>().join("\n") + "\n";
    i32::from(crate::stream::stdout().write_all(text.as_bytes()).is_err())
}
