//! The `offshoot` command: flags and wiring; the work is done by the `offshoot` library.

mod add;
mod apply;
mod arguments;
mod backends;
mod bench;
mod build;
mod completion;
mod conformance;
mod execute;
mod failure;
mod kept;
mod patch;
mod progress;
mod publish;
mod reach;
mod report;
mod run;
mod serve;
mod setting;
mod setup;
mod shell;
mod system;
mod transfer;

use arguments::{Arguments, Subcommands};
use clap::Parser;
use failure::Manner;
use std::process::ExitCode;

fn main() -> ExitCode {
    let arguments = match Arguments::try_parse() {
        Ok(arguments) => arguments,
        Err(error) => return ExitCode::from(failure::refuse(&error)),
    };
    let manner = Manner::of(&arguments.command);
    let done = match arguments.command {
        Subcommands::Run(options) => run::run(options),
        Subcommands::Shell(options) => shell::run(options),
        Subcommands::Kept(command) => kept::run(command),
        Subcommands::Serve(options) => serve::run(&options),
        Subcommands::Build(options) => build::run(&options),
        Subcommands::Validate(options) => backends::validate(&options),
        Subcommands::Capabilities(options) => backends::capabilities(&options),
        Subcommands::Add(options) => add::run(&options),
        Subcommands::ConformanceServer => conformance::serve().map(|()| 0),
        Subcommands::BenchJson => bench::serve().map(|()| 0),
    };
    ExitCode::from(done.unwrap_or_else(|error| manner.tell(&error)))
}
