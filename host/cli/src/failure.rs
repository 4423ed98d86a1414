//! What this command could not do: how it is said, and the status to end with.

use crate::arguments::{Kept, Subcommands};
use crate::report::harmless;
use offshoot::Code;
use serde_json::{Value, json};
use std::ffi::OsStr;
use std::io::Write;

/// The status where this command could not do what it was asked for.
const USAGE: u8 = 2;

/// The same for commands whose status is a script's otherwise.
pub const OWN: u8 = 121;

/// The status where another process took the sandbox over, and what the script changed is lost.
pub const LOST: u8 = 122;

/// How failures of a command are told.
#[derive(Debug, Clone, Copy)]
pub struct Manner {
    json: bool,
    runs_a_script: bool,
}

impl Manner {
    /// Of this command.
    pub fn of(command: &Subcommands) -> Manner {
        let (json, runs_a_script) = match command {
            Subcommands::Run(options) => (options.json, true),
            Subcommands::Shell(options) => (options.place.json, true),
            Subcommands::Kept(kept) => (kept.place().json, matches!(kept, Kept::Exec { .. })),
            Subcommands::Validate(options) => (options.json, false),
            Subcommands::Capabilities(options) => (options.json, false),
            _ => (false, false),
        };
        Manner {
            json,
            runs_a_script,
        }
    }

    /// Says what went wrong; the status to end with.
    pub fn tell(self, error: &anyhow::Error) -> u8 {
        if self.json {
            let document = json!({ "error": document(error) });
            let _ = writeln!(std::io::stdout(), "{document}");
        }
        say(error);
        match (self.runs_a_script, code_of(error)) {
            (true, Code::Fenced) => LOST,
            (true, _) => OWN,
            (false, _) => USAGE,
        }
    }
}

/// Says on standard error what went wrong.
pub fn say(error: &anyhow::Error) {
    // A guest chooses some of the words.
    let text = harmless(&format!("{error:#}"));
    let _ = writeln!(std::io::stderr(), "offshoot: {text}");
}

/// What went wrong, as JSON.
pub fn document(error: &anyhow::Error) -> Value {
    json!({
        "code": code_of(error).as_str(), "message": format!("{error:#}"),
        "retryable": known(error).is_some_and(offshoot::Error::retryable),
    })
}

fn known(error: &anyhow::Error) -> Option<&offshoot::Error> {
    error.chain().find_map(|cause| cause.downcast_ref())
}

fn code_of(error: &anyhow::Error) -> Code {
    known(error).map_or(Code::Invalid, offshoot::Error::code)
}

/// Says what is wrong with the arguments, or shows the help that they ask for; the status to end with.
pub fn refuse(error: &clap::Error) -> u8 {
    let _ = error.print();
    let command = std::env::args_os().nth(1);
    let command = command.as_deref().and_then(OsStr::to_str);
    match (error.use_stderr(), command) {
        (false, _) => 0,
        (true, Some("run" | "exec")) => OWN,
        (true, _) => USAGE,
    }
}
