//! The command line: what each flag means, and how its value reads.

use anyhow::{Context, bail};
use clap::{Args, Parser, Subcommand};
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

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
    /// A script of the host and its arguments; - reads the script from standard input
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
    /// refused for files that make the host run something, such as .git/hooks or .bashrc
    #[arg(long)]
    pub apply: bool,
    /// Wait for everything in the background, also where it has let go of the output
    #[arg(long)]
    pub wait: bool,
    /// Print one JSON object with status, stdout, stderr and duration_ms when it is over, or with error
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

/// Answer another service's clients with sandboxes of this machine.
///
/// The address is printed when it listens; Ctrl-C puts the sandboxes to sleep and ends it. Clients of E2B
/// must know the key in OFFSHOOT_E2B_KEY; without it one is made and printed. With --foundry whoever reaches the
/// port uses the sandboxes: in Foundry that is the platform alone.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  OFFSHOOT_E2B_KEY=e2b_local offshoot serve --e2b --store /var/lib/offshoot
  offshoot serve --e2b --network https://pypi.org --command node=node.wasm --mount ./data:/data
  export E2B_API_KEY=e2b_local E2B_API_URL=http://127.0.0.1:3000 E2B_SANDBOX_URL=http://127.0.0.1:3000")]
pub struct Serve {
    /// Speak E2B's control plane and envd
    #[arg(long, required_unless_present = "foundry")]
    pub e2b: bool,
    /// Be the container of a hosted agent of Azure's Foundry, a sandbox for each session; see build
    #[arg(long, conflicts_with = "e2b")]
    pub foundry: bool,
    /// Where to listen; port 0 takes a free one; 127.0.0.1:3000 by default, with --foundry 127.0.0.1 and the port in
    /// PORT or 8088
    #[arg(long, value_name = "ADDRESS")]
    pub listen: Option<SocketAddr>,
    /// The folder of the store; without it, sandboxes end with the process that runs them
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// Store what an operation changed before it is answered, as --foundry always does
    #[arg(long, requires = "store")]
    pub durable: bool,
    /// Store what an operation changed within this time after its answer
    #[arg(long, value_name = "TIME", value_parser = duration, default_value = "1s", conflicts_with = "durable")]
    pub durable_within: Duration,
    /// Show a folder of the host in every sandbox: ro (the default) read-only, cow with writes that last
    /// until the sandbox sleeps
    #[arg(long, value_name = "HOST:GUEST[:ro|:cow]")]
    pub mount: Vec<String>,
    /// Give up what the process that runs sandboxes does not need of the host: files, programs, signals,
    /// connections (with --isolation thread only where there is no --network); auto as far as the kernel can,
    /// always or not at all
    #[arg(long, value_name = "WHEN", value_enum, default_value = "auto")]
    pub confine: Confine,
    /// Where sandboxes run: in a process that has neither network nor secrets, and whose death ends commands only;
    /// or in a thread of this one
    #[arg(long, value_name = "HOW", value_enum, default_value_t)]
    pub isolation: Isolation,
    /// The process that runs sandboxes, with a listener and a stream as its standard streams
    #[arg(long, hide = true)]
    pub worker: bool,
    /// What all sandboxes reach.
    #[command(flatten)]
    pub reach: Reach,
}

/// Write what another service makes sandboxes of: an image's recipe and its manifest.
///
/// For a hosted agent of Azure's Foundry the directory gets this program, Dockerfile, agent.yaml, azure.yaml and
/// definition.json. Secrets are named, and never written: Foundry's vault has them.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot build --target foundry-hosted-agent --name boxes --image example.azurecr.io/boxes:1 boxes
  offshoot build --target foundry-hosted-agent --name boxes --image example.azurecr.io/boxes:1 \\
    --network 'GET,POST https://api.example.com' --vault TOKEN=example/key \\
    --secret 'https://api.example.com Authorization: Bearer $TOKEN' boxes
  docker build --tag example.azurecr.io/boxes:1 boxes")]
pub struct Build {
    /// What is written
    #[arg(long, value_enum)]
    pub target: Target,
    /// The agent's name: letters, digits and hyphens
    #[arg(long)]
    pub name: String,
    /// Where the image will be, with its tag
    #[arg(long)]
    pub image: String,
    /// What the image is made from, with a C library as new as this machine's
    #[arg(long, default_value = "debian:trixie-slim")]
    pub base: String,
    /// Processors of a session
    #[arg(long, default_value = "1")]
    pub cpu: String,
    /// Memory of a session; Foundry wants twice as many GiB as processors
    #[arg(long, default_value = "2Gi")]
    pub memory: String,
    /// Let curl and wget reach an origin, with GET and HEAD or the methods before it
    #[arg(long, value_name = "[METHODS ]ORIGIN")]
    pub network: Vec<String>,
    /// Add a header, unseen inside, to requests to an origin; $NAME is filled by --vault
    #[arg(long, value_name = "ORIGIN HEADER: VALUE")]
    pub secret: Vec<String>,
    /// Fill a variable from the project's vault, by the name of a connection and of one of its credentials
    #[arg(long, value_name = "NAME=CONNECTION/KEY")]
    pub vault: Vec<String>,
    /// The directory, which is made where it is missing
    #[arg(value_name = "DIR")]
    pub directory: PathBuf,
}

/// What [`Build`] writes.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Target {
    /// A hosted agent of Azure's Foundry.
    FoundryHostedAgent,
}

/// Prove that a backend does what it claims, and nothing else.
///
/// Makes sandboxes on it and removes them. Every step is reported: the five classic ones, files,
/// commands, attempts to leave the root, each capability in both directions, the end. The exit
/// status is 1 where a step failed.
#[derive(Debug, Args)]
#[command(after_help = "\
Examples:
  offshoot validate
  offshoot validate local --only files --only escape
  offshoot validate docker --set image=debian:12
  offshoot validate gvisor --set rootfs=/srv/debian --twins
  offshoot validate local --speed
  offshoot validate connectors/boxes.wasm --classic
  offshoot validate '{\"backend\": \"docker\", \"image\": \"debian:12\"}' --json")]
pub struct Validate {
    /// Which backend.
    #[command(flatten)]
    pub selected: Selected,
    /// Only the five classic steps: mkdir, writeFile, readFile, exec, rm
    #[arg(long)]
    pub classic: bool,
    /// Prove instead that the suite fails on twins of the backend that claim what it lacks, or deny
    /// what it has
    #[arg(long, conflicts_with = "classic")]
    pub twins: bool,
    /// Measure instead how fast it is: creation, execution, files, fork
    #[arg(long, conflicts_with_all = ["classic", "twins", "only"])]
    pub speed: bool,
    /// Only this area, such as files or capability, or this step; may be given more than once
    #[arg(long, value_name = "AREA")]
    pub only: Vec<String>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags that select a backend.
#[derive(Debug, Args)]
pub struct Selected {
    /// Its name, a record such as {"backend": "docker", "image": "debian:12"}, or a connector's
    /// FILE.wasm with FILE.json beside it; virtual by default
    #[arg(value_name = "BACKEND")]
    pub backend: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
    /// A setting of the backend, as JSON or text; may be given more than once
    #[arg(long, value_name = "NAME=VALUE")]
    pub set: Vec<String>,
    /// Refuse to choose where no backend is named
    #[arg(long)]
    pub strict: bool,
}

/// Show what each backend can do, with its default settings.
#[derive(Debug, Args)]
pub struct Capabilities {
    /// Only this one
    #[arg(value_name = "BACKEND")]
    pub backend: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
    /// Print the page docs/capabilities.md
    #[arg(long, conflicts_with = "json")]
    pub markdown: bool,
}

/// Show what a backend needs to be used, or how to write the connector of another.
///
/// Without a name the backends are listed, each with the variables that hold its credentials.
#[derive(Debug, Args)]
pub struct Add {
    /// Its name; one that is unknown gets the steps to a connector
    #[arg(value_name = "BACKEND")]
    pub name: Option<String>,
    /// A directory of connectors, NAME.wasm and NAME.json each, which are backends too
    #[arg(long, value_name = "DIR")]
    pub connectors: Option<PathBuf>,
}

/// When a server gives up what it does not need of the host.
#[derive(Debug, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Confine {
    /// As far as the kernel can
    Auto,
    /// In all that is known, or nothing is served
    Always,
    /// Not at all
    Never,
}

/// Where a server runs sandboxes.
#[derive(Debug, Default, Clone, Copy, PartialEq, Eq, clap::ValueEnum)]
pub enum Isolation {
    /// In a process of their own, which the server starts anew when it dies; only on Unix
    #[cfg_attr(unix, default)]
    Process,
    /// In the server's own process
    #[cfg_attr(not(unix), default)]
    Thread,
}

/// The flags that say what a sandbox is made of.
#[derive(Debug, Args)]
pub struct Setting {
    /// Set an environment variable; without =VALUE the host's value is passed on
    #[arg(long, short = 'e', value_name = "NAME[=VALUE]")]
    pub env: Vec<String>,
    /// The working directory inside
    #[arg(long, value_name = "DIR", default_value = "/home/user")]
    pub cwd: String,
    /// Memory that one process may use, such as 64M
    #[arg(long, value_name = "SIZE", value_parser = size)]
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
    /// Let curl and wget reach an origin, with GET and HEAD or the methods before it
    #[arg(long, value_name = "[METHODS ]ORIGIN")]
    pub network: Vec<String>,
    /// Add a header, unseen inside, to requests to an origin; $NAME is a variable of the host
    #[arg(long, value_name = "ORIGIN HEADER: VALUE")]
    pub secret: Vec<String>,
    /// Add a command: a WASI 0.2 component of the host; its code is kept in ~/.cache/offshoot
    #[arg(long = "command", value_name = "NAME=FILE.wasm")]
    pub commands: Vec<String>,
}

/// What is done with sandboxes that are kept in a store.
#[derive(Debug, Subcommand)]
pub enum Kept {
    /// Make a sandbox that is kept under a name.
    Create {
        /// Its name: letters, digits, '.', '_' and '-'
        name: String,
        /// Make it a branch of this: NAME, NAME@SNAPSHOT, or NAME~2 for two states before
        #[arg(long, value_name = "POINT")]
        from: Option<String>,
        /// Make it from a template that was published: NAME, NAME@NUMBER or NAME@ALIAS
        #[arg(long, value_name = "VERSION", conflicts_with = "from")]
        template: Option<String>,
        /// A text for people
        #[arg(long)]
        title: Option<String>,
        /// A tag to list by; may be given ten times
        #[arg(long)]
        tag: Vec<String>,
        /// A step that makes it ready when it is first used; may be given more than once, in order
        #[arg(long = "setup", value_name = "NAME=COMMAND")]
        step: Vec<String>,
        /// How long it is there.
        #[command(flatten)]
        life: Life,
        /// What it is made of, where it is no branch.
        #[command(flatten)]
        setting: Setting,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Change settings of a kept sandbox, awake or asleep; what is not given stays.
    Set {
        /// The sandbox
        name: String,
        /// A text for people
        #[arg(long)]
        title: Option<String>,
        /// Its tags, instead of those it has; may be given ten times
        #[arg(long)]
        tag: Vec<String>,
        /// How long it is there.
        #[command(flatten)]
        life: Life,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Run a script in a kept sandbox, and keep what it changes.
    ///
    /// The exit status is the script's; 124 after a time-out, 130 after Ctrl-C, 143 after SIGTERM and 129
    /// after SIGHUP, and what it changed is kept all the same; 125 where a limit of the sandbox ended it. 121
    /// says that this command could not do it. 122 says that this process was stopped or cut off for
    /// so long that another one took the sandbox over: what the script changed is lost.
    ///
    /// A sandbox with a setup is set up before the first script; one that failed is run again or left
    /// out with the command setup.
    ///
    /// Where the sandbox is suspended from elsewhere meanwhile, the script sleeps with it: the status
    /// is 75 then, and --resume lets it go on. Where that fails, it sleeps on.
    ///
    /// The script is over when it has ended and nothing writes to its output any more: what runs in the
    /// background with its streams redirected, as in 'server >/dev/null 2>&1 &', goes on while the sandbox
    /// is awake. It falls asleep when nobody uses it, so give --wait for work that has to be finished.
    Exec {
        /// The sandbox
        name: String,
        /// The text of a script; what follows is $0, $1 and on
        #[arg(short = 'c', value_name = "SCRIPT", allow_hyphen_values = true)]
        script: Option<String>,
        /// A script of the host and its arguments; - reads the script from standard input
        #[arg(value_name = "FILE", trailing_var_arg = true)]
        words: Vec<String>,
        /// Keep variables, functions and the working directory under this name too
        #[arg(long, value_name = "NAME")]
        session: Option<String>,
        /// Go on with a script that was suspended with the sandbox, by its number where there are
        /// several
        #[arg(long, value_name = "NUMBER", num_args = 0..=1,
            conflicts_with_all = ["script", "words", "session", "timeout"])]
        resume: Option<Option<u64>>,
        /// End everything after this time: seconds, or with a unit ms, s, m, h, d
        #[arg(long, value_name = "TIME", value_parser = duration)]
        timeout: Option<Duration>,
        /// Wait for everything in the background, also where it has let go of the output
        #[arg(long, conflicts_with = "resume")]
        wait: bool,
        /// What it reaches.
        #[command(flatten)]
        reach: Reach,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show how far the setup of a kept sandbox is; the status is 1 where a step failed.
    Setup {
        /// The sandbox
        name: String,
        /// Run all of it again
        #[arg(long)]
        rerun: bool,
        /// Leave this step out from now on, or all of them, and run the rest
        #[arg(long, value_name = "STEP", num_args = 0..=1)]
        skip: Option<Option<String>>,
        /// What its steps reach.
        #[command(flatten)]
        reach: Reach,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Make a branch of a kept sandbox; neither sees what the other changes.
    Fork {
        /// The parent: NAME, NAME@SNAPSHOT or NAME~2
        parent: String,
        /// The branch
        branch: String,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Keep the present state under a label, or list those kept.
    Snapshot {
        /// The sandbox
        name: String,
        /// The label; without one, the snapshots are listed
        label: Option<String>,
        /// Forget it instead
        #[arg(long, requires = "label")]
        remove: bool,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Keep the present state as a new version of a template, which never changes.
    Publish {
        /// The sandbox
        name: String,
        /// The template; it is made where it is missing
        template: String,
        /// Another name for this version, which another one loses
        #[arg(long)]
        alias: Option<String>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// List templates, or the versions of one.
    Templates {
        /// The template
        template: Option<String>,
        /// Forget this version; what was made from it stays
        #[arg(long, value_name = "NUMBER", requires = "template")]
        remove: Option<u64>,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Set a sandbox back to a state; what it was before is NAME~1 then.
    #[command(visible_alias = "checkout")]
    Restore {
        /// The sandbox
        name: String,
        /// The state: NAME@SNAPSHOT, or NAME~2 for two states before
        point: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Put a sandbox to sleep, with the script that another process runs in it; one that no process
    /// has awake sleeps already.
    Suspend {
        /// The sandbox
        name: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Wake a sandbox, read everything that belongs to it, and say what was brought back.
    Resume {
        /// The sandbox
        name: String,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// List kept sandboxes.
    Ls {
        /// Only those with this tag; may be given more than once
        #[arg(long)]
        tag: Vec<String>,
        /// Only those behind this name
        #[arg(long, value_name = "NAME")]
        after: Option<String>,
        /// At most so many
        #[arg(long, value_name = "NUMBER", default_value_t = 1000)]
        limit: usize,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Draw which sandbox was forked from which.
    Tree {
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show what differs between two: A added, M modified, D deleted.
    Diff {
        /// The one: NAME, NAME@SNAPSHOT or NAME~2
        before: String,
        /// The other
        after: String,
        /// Show what changed in files, as a patch
        #[arg(long)]
        patch: bool,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Bring a branch's changes to its parent, all or none.
    Promote {
        /// The branch
        branch: String,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Show the states of a sandbox, the last one first.
    Log {
        /// The sandbox
        name: String,
        /// At most so many
        #[arg(long, value_name = "NUMBER", default_value_t = 50)]
        limit: usize,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Write a sandbox to one file: with its settings and sessions, or a folder of it as a tar archive.
    Export {
        /// The sandbox
        name: String,
        /// The file; it is replaced
        file: PathBuf,
        /// A tar archive of this folder; of the working directory where none is given
        #[arg(long, value_name = "DIR", num_args = 0..=1)]
        tar: Option<Option<String>>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Make a sandbox from a file that export wrote, or unpack a tar archive in one.
    Import {
        /// The name of the new sandbox; for an archive, it may be there
        name: String,
        /// The file
        file: PathBuf,
        /// It is a tar archive, for this folder; for the working directory where none is given
        #[arg(long, value_name = "DIR", num_args = 0..=1)]
        tar: Option<Option<String>>,
        /// Where it is kept.
        #[command(flatten)]
        place: Place,
    },
    /// Delete sandboxes with their snapshots.
    Rm {
        /// The sandboxes
        #[arg(required = true)]
        names: Vec<String>,
        /// Where they are kept.
        #[command(flatten)]
        place: Place,
    },
    /// Remove from the store what nothing leads to any more, with earlier states that are not kept, and
    /// give the room back to the file system. It works on a full disk, too.
    Gc {
        /// How old something must be, and how long ago a gc must have found it; 0 removes it at once
        #[arg(long, value_name = "TIME", value_parser = duration, default_value = "24h")]
        grace: Duration,
        /// The store.
        #[command(flatten)]
        place: Place,
    },
    /// Verify everything in the store.
    Fsck {
        /// Put damaged objects aside; those whose bytes are what was stored stay
        #[arg(long)]
        quarantine: bool,
        /// Bring back what was put aside and is whole
        #[arg(long, conflicts_with = "quarantine")]
        release: bool,
        /// The store.
        #[command(flatten)]
        place: Place,
    },
}

/// Where sandboxes are kept, and how answers are printed.
#[derive(Debug, Args)]
pub struct Place {
    /// The folder of the store; by default OFFSHOOT_STORE, else offshoot in the user's data folder
    #[arg(long, value_name = "DIR")]
    pub store: Option<PathBuf>,
    /// The store is encrypted with what is in this file; by default OFFSHOOT_KEY_FILE names it
    #[arg(long, value_name = "FILE")]
    pub key_file: Option<PathBuf>,
    /// Print JSON
    #[arg(long)]
    pub json: bool,
}

/// The flags that say how long a kept sandbox is there.
#[derive(Debug, Args)]
pub struct Life {
    /// Put it to sleep after this time without use: a time, or never
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub idle: Option<Span>,
    /// Delete it after this time from now: a time, or never
    #[arg(long, value_name = "TIME", value_parser = span)]
    pub ttl: Option<Span>,
    /// Keep so many states before the present one, those of so long, with false none and with true all
    /// that a gc leaves: 32. An exec that changes nothing makes no state
    #[arg(long, value_name = "NUMBER|TIME|BOOL", num_args = 0..=1, default_missing_value = "true",
        value_parser = past)]
    pub history: Option<Past>,
}

/// Which earlier states are kept.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum Past {
    /// All, or none.
    All(bool),
    /// So many.
    States(u32),
    /// Those of this last time.
    Age(Duration),
}

impl Kept {
    /// Where it is done.
    pub fn place(&self) -> &Place {
        match self {
            Kept::Create { place, .. }
            | Kept::Set { place, .. }
            | Kept::Exec { place, .. }
            | Kept::Setup { place, .. }
            | Kept::Fork { place, .. }
            | Kept::Snapshot { place, .. }
            | Kept::Publish { place, .. }
            | Kept::Templates { place, .. }
            | Kept::Restore { place, .. }
            | Kept::Suspend { place, .. }
            | Kept::Resume { place, .. }
            | Kept::Ls { place, .. }
            | Kept::Tree { place }
            | Kept::Diff { place, .. }
            | Kept::Promote { place, .. }
            | Kept::Log { place, .. }
            | Kept::Export { place, .. }
            | Kept::Import { place, .. }
            | Kept::Rm { place, .. }
            | Kept::Gc { place, .. }
            | Kept::Fsck { place, .. } => place,
        }
    }
}

/// A time, or none for `never`.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub struct Span(pub Option<Duration>);

/// How a folder of the host is mounted.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub enum MountMode {
    /// Nothing can be written.
    ReadOnly,
    /// Writes stay in the sandbox.
    CopyOnWrite,
}

/// One `--mount`.
#[derive(Debug, Clone, PartialEq, Eq)]
pub struct MountArgument {
    /// The folder of the host.
    pub host: PathBuf,
    /// The path inside.
    pub guest: String,
    /// How.
    pub mode: MountMode,
}

impl MountArgument {
    /// Reads `HOST:GUEST[:ro|:cow]`.
    ///
    /// # Errors
    /// Where a part is missing, the mode is unknown, or the guest path is not absolute.
    pub fn parse(text: &str) -> anyhow::Result<MountArgument> {
        let (rest, mode) = match text.rsplit_once(':') {
            Some((rest, "ro")) => (rest, MountMode::ReadOnly),
            Some((rest, "cow")) => (rest, MountMode::CopyOnWrite),
            _ => (text, MountMode::ReadOnly),
        };
        let Some((host, guest)) = rest.rsplit_once(':') else {
            bail!("--mount {text}: write HOST:GUEST, HOST:GUEST:ro or HOST:GUEST:cow");
        };
        if host.is_empty() || !guest.starts_with('/') {
            bail!("--mount {text}: the path inside must be absolute, such as {host}:/work");
        }
        Ok(MountArgument {
            host: PathBuf::from(host),
            guest: guest.to_owned(),
            mode,
        })
    }
}

/// Reads `NAME=VALUE`, or takes the host's value of `NAME`.
///
/// # Errors
/// Where the name is empty, or the host has no such variable.
pub fn environment(text: &str) -> anyhow::Result<(String, String)> {
    let (name, value) = match text.split_once('=') {
        Some((name, value)) => (name, value.to_owned()),
        None => (
            text,
            std::env::var(text).with_context(|| format!("--env {text}: not set on the host"))?,
        ),
    };
    if name.is_empty() {
        bail!("--env {text}: the name is missing");
    }
    Ok((name.to_owned(), value))
}

/// Reads which earlier states are kept: `true`, `false`, `20`, `7d`.
fn past(text: &str) -> Result<Past, String> {
    match text {
        "true" => Ok(Past::All(true)),
        "false" => Ok(Past::All(false)),
        text => match text.parse() {
            Ok(count) => Ok(Past::States(count)),
            Err(_) => duration(text).map(Past::Age),
        },
    }
}

/// Reads a time or `never`.
fn span(text: &str) -> Result<Span, String> {
    match text {
        "never" => Ok(Span(None)),
        time => duration(time).map(|time| Span(Some(time))),
    }
}

/// Reads a time: `2`, `1.5`, `500ms`, `2m`.
fn duration(text: &str) -> Result<Duration, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let scale = match &text[digits.len()..] {
        "ms" => 0.001,
        "" | "s" => 1.0,
        "m" => 60.0,
        "h" => 3600.0,
        "d" => 86_400.0,
        unit => return Err(format!("unknown unit {unit}: use ms, s, m, h or d")),
    };
    let number: f64 = digits.parse().map_err(|_| "not a number".to_owned())?;
    Duration::try_from_secs_f64(number * scale).map_err(|_| "out of range".to_owned())
}

/// Reads a size in bytes: `1000000`, `64M`, `1G`.
fn size(text: &str) -> Result<u64, String> {
    let digits = text.trim_end_matches(|c: char| c.is_ascii_alphabetic());
    let shift = match text[digits.len()..]
        .to_ascii_lowercase()
        .trim_end_matches("ib")
    {
        "" | "b" => 0,
        "k" => 10,
        "m" => 20,
        "g" => 30,
        unit => return Err(format!("unknown unit {unit}: use K, M or G")),
    };
    let number: u64 = digits
        .parse()
        .map_err(|_| "not a whole number".to_owned())?;
    number
        .checked_mul(1 << shift)
        .ok_or_else(|| "too large".to_owned())
}

#[cfg(test)]
mod tests {
    #![allow(clippy::unwrap_used, reason = "a test fails by panicking")]
    use super::*;

    #[test]
    fn mounts_read_from_the_right() {
        let mount = MountArgument::parse("C:/x:/work:cow").unwrap();
        assert_eq!(
            (mount.host.to_str().unwrap(), &*mount.guest),
            ("C:/x", "/work")
        );
        assert_eq!(mount.mode, MountMode::CopyOnWrite);
        assert_eq!(
            MountArgument::parse(".:/w").unwrap().mode,
            MountMode::ReadOnly
        );
        for wrong in ["x", ":/w", "x:w", "x:/w:rw"] {
            assert!(MountArgument::parse(wrong).is_err(), "{wrong}");
        }
    }

    #[test]
    fn times_and_sizes_have_units() {
        assert_eq!(duration("1").unwrap(), Duration::from_secs(1));
        assert_eq!(duration("250ms").unwrap(), Duration::from_millis(250));
        assert_eq!(duration("1.5m").unwrap(), Duration::from_secs(90));
        assert_eq!(span("never").unwrap(), Span(None));
        assert_eq!(span("2h").unwrap(), Span(Some(Duration::from_secs(7200))));
        assert_eq!(size("64M").unwrap(), 64 << 20);
        assert_eq!(size("1GiB").unwrap(), 1 << 30);
        assert_eq!(past("true").unwrap(), Past::All(true));
        assert_eq!(past("20").unwrap(), Past::States(20));
        let week = Duration::from_secs(7 * 86_400);
        assert_eq!(past("7d").unwrap(), Past::Age(week));
        assert!(past("some").is_err());
        for wrong in ["", "x", "-1", "1w"] {
            assert!(duration(wrong).is_err() && size(wrong).is_err(), "{wrong}");
        }
    }
}
