//! What this command could not do: how it is said, and the status to end with.

use crate::arguments::{Kept, Subcommands};
use offshoot::Code;
use serde_json::json;
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
        let known = error
            .chain()
            .find_map(|cause| cause.downcast_ref::<offshoot::Error>());
        let code = known.map_or(Code::Invalid, offshoot::Error::code);
        if self.json {
            let document = json!({ "error": {
                "code": code.as_str(), "message": format!("{error:#}"),
                "retryable": known.is_some_and(offshoot::Error::retryable),
            }});
            let _ = writeln!(std::io::stdout(), "{document}");
        }
        let _ = writeln!(std::io::stderr(), "offshoot: {error:#}");
        match (self.runs_a_script, code) {
            (true, Code::Fenced) => LOST,
            (true, _) => OWN,
            (false, _) => USAGE,
        }
    }
}

/// Says what is wrong with the arguments, or shows the help that they ask for; the status to end with.
pub fn refuse(error: &clap::Error) -> u8 {
    let _ = error.print();
    let command = std::env::args().nth(1);
    match (error.use_stderr(), command.as_deref()) {
        (false, _) => 0,
        (true, Some("run" | "exec")) => OWN,
        (true, _) => USAGE,
    }
}
