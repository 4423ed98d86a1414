//! The `offshoot` command: flags and wiring; the work is done by the `offshoot` library.

mod arguments;
mod backends;
mod bench;
mod completion;
mod conformance;
mod kept;
mod patch;
mod progress;
mod publish;
mod reach;
mod report;
mod run;
mod serve;
mod setting;
mod shell;
mod transfer;

use arguments::{Arguments, Subcommands};
use clap::Parser;
use std::process::ExitCode;

/// What the command ends with where it could not do what it was asked for.
const USAGE: u8 = 2;

fn main() -> ExitCode {
    let arguments = Arguments::parse();
    let done = match arguments.command {
        Subcommands::Run(options) => run::run(options),
        Subcommands::Shell(options) => shell::run(&options),
        Subcommands::Kept(command) => kept::run(command),
        Subcommands::Serve(options) => serve::run(&options),
        Subcommands::Validate(options) => backends::validate(&options),
        Subcommands::Capabilities(options) => backends::capabilities(&options),
        Subcommands::ConformanceServer => conformance::serve().map(|()| 0),
        Subcommands::BenchJson => bench::serve().map(|()| 0),
    };
    match done {
        Ok(status) => ExitCode::from(status),
        Err(error) => {
            eprintln!("offshoot: {error:#}");
            ExitCode::from(USAGE)
        }
    }
}
