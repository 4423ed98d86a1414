//! The command line: what each flag means, and how its value reads.

mod backends;
pub mod kept;
mod serve;
mod value;

pub use backends::{Add, Capabilities, Selected, Validate};
pub use kept::{Kept, Life, Place};
pub use serve::{Build, Confine, Isolation, Serve, Target};
pub use value::{MountArgument, MountMode, Past, environment};

use clap::{Args, Parser, Subcommand};
use std::path::PathBuf;
use std::time::Duration;
use value::{duration, memory};

/// Runs code that nobody has reviewed in a sandbox of this process: a bash-compatible shell and
/// the usual Unix commands as WebAssembly, over an in-memory filesystem.
#[derive(Debug, Parser)]
#[command(name = "offshoot", version, max_term_width = 100)]
pub struct Arguments {
    /// What to do.
    #[command(subcommand)]
    pub command: Subcommands,
}

/// The subcommands.
#[derive(Debug, Subcommand)]
pub enum Subcommands {
    /// Run a shell script in a fresh sandbox.
    Run(Run),
    /// Type to a shell, in a fresh sandbox or in one that is kept.
    Shell(Shell),
    #[command(flatten)]
    Kept(Kept),
    /// Answer another service's clients with sandboxes of this machine.
    Serve(Serve),
    /// Write what another service makes sandboxes of: an image's recipe and its manifest.
    Build(Build),
    /// Prove that a backend does what it claims, and nothing else.
    Validate(Validate),
    /// Show what each backend can do.
    Capabilities(Capabilities),
    /// Show what a backend needs to be used, or how to write the connector of another.
    Add(Add),
    /// Answer conformance cases, one JSON object a line.
    #[command(hide = true)]
    ConformanceServer,
    /// Answer benchmark requests, one JSON object a line.
    #[command(hide = true)]
    BenchJson,
}

/// Run a shell script in a fresh sandbox.
///
/// The sandbox has its own files, users and processes. It sees nothing of the host but what
/// --mount brings in, and no network but what --network allows. The exit status is the script's; 124 after a time-out,
/// 130 after Ctrl-C (143 after SIGTERM, 129 after SIGHUP), 125 where a limit of the sandbox ended it,
/// 121 where this command could not do it. It is over when the script has ended and nothing writes to its
/// output any more: what runs in the background with its streams redirected ends with the sandbox, or is
/// waited for with --wait.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot run -c 'seq 1 5 | while read n; do echo $((n * n)); done'
  offshoot run --mount .:/work:cow --cwd /work build.sh release
  offshoot run --timeout 2 --memory 64M -c 'while :; do :; done'
  offshoot run --network 'GET,POST https://api.example.com' \\
    --secret 'https://api.example.com Authorization: Bearer $TOKEN' call.sh
  echo 'echo hello from stdin' | offshoot run -")]
pub struct Run {
    /// The text of a script; what follows is $0, $1 and on
    #[arg(short = 'c', value_name = "SCRIPT", allow_hyphen_values = true)]
    pub script: Option<String>,
    /// A script of the host and its arguments; - reads the script from standard input. It is bash's, unless its #!
    /// line names something else that is inside, such as python3
    #[arg(value_name = "FILE", trailing_var_arg = true)]
    pub words: Vec<String>,
    /// What the sandbox is made of.
    #[command(flatten)]
    pub setting: Setting,
    /// What it sees of the host.
    #[command(flatten)]
    pub mounts: Mounts,
    /// What it reaches.
    #[command(flatten)]
    pub reach: Reach,
    /// A file of the host as standard input; this command's own by default
    #[arg(long, value_name = "FILE")]
    pub stdin: Option<PathBuf>,
    /// End everything after this time: seconds, or with a unit ms, s, m, h, d
    #[arg(long, value_name = "TIME", value_parser = duration)]
    pub timeout: Option<Duration>,
    /// Write what the script changed in folders mounted with :cow back to them, where its status is 0;
    /// nothing is written to a folder where a change meets one of the host's own, leads out of it, or touches
    /// files that make the host run something, such as .git/hooks or .bashrc
    #[arg(long)]
    pub apply: bool,
    /// Wait for everything in the background, also where it has let go of the output
    #[arg(long)]
    pub wait: bool,
    /// Print one JSON object with status, stdout, stderr and duration_ms when it is over, or with error; with
    /// --apply also what was applied, and how many changes were withheld
    #[arg(long)]
    pub json: bool,
}

/// Type to a shell, in a fresh sandbox or in one that is kept.
///
/// Lines are edited and remembered while it runs; Tab completes commands and paths, Ctrl-C gives up
/// the line or ends what runs, Ctrl-D or exit ends the shell. What is changed in a kept sandbox is kept. Where standard input is no terminal,
/// commands are read from it without prompts. The exit status is the shell's.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot shell
  offshoot shell work
  offshoot shell --mount .:/work:cow --cwd /work")]
pub struct Shell {
    /// The kept sandbox to be in; without it a fresh one, which ends with the shell
    #[arg(conflicts_with_all = ["Setting", "Mounts"])]
    pub name: Option<String>,
    /// What the sandbox is made of.
    #[command(flatten)]
    pub setting: Setting,
    /// What it sees of the host.
    #[command(flatten)]
    pub mounts: Mounts,
    /// What it reaches.
    #[command(flatten)]
    pub reach: Reach,
    /// Where kept sandboxes are.
    #[command(flatten)]
    pub place: Place,
}

/// The flags that say what a sandbox is made of.
#[derive(Debug, Args)]
pub struct Setting {
    /// Set an environment variable; without =VALUE the host's value is passed on
    #[arg(long, short = 'e', value_name = "NAME[=VALUE]")]
    pub env: Vec<String>,
    /// The working directory inside, made where it is missing; in a mounted folder it must be there
    #[arg(long, value_name = "DIR", default_value = "/home/user")]
    pub cwd: String,
    /// Memory that one process may use, such as 64M or 1G: 256M by default, 4G at most
    #[arg(long, value_name = "SIZE", value_parser = memory)]
    pub memory: Option<u64>,
}

/// The flags that show folders of the host inside.
#[derive(Debug, Args)]
pub struct Mounts {
    /// Show a folder of the host inside: ro (the default) read-only, cow with writes kept in
    /// memory
    #[arg(long, value_name = "HOST:GUEST[:ro|:cow]")]
    pub mount: Vec<String>,
}

/// The flags that say what a sandbox reaches beyond itself, for as long as this command runs.
#[derive(Debug, Args)]
pub struct Reach {
    /// Let curl and wget reach an origin, with GET and HEAD or the methods before it. A request has at most 16 MiB,
    /// an answer 64 MiB, and both together take a minute at most
    #[arg(long, value_name = "[METHODS ]ORIGIN")]
    pub network: Vec<String>,
    /// Add a header, unseen inside, to requests to an origin; $NAME is a variable of the host
    #[arg(long, value_name = "ORIGIN HEADER: VALUE")]
    pub secret: Vec<String>,
    /// Add a command: a WASI 0.2 component of the host; its code is kept in ~/.cache/offshoot
    #[arg(long = "command", value_name = "NAME=FILE.wasm")]
    pub commands: Vec<String>,
}
