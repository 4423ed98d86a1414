//! The flags of what answers another service's clients.

use super::Reach;
use super::value::duration;
use clap::Args;
use std::net::SocketAddr;
use std::path::PathBuf;
use std::time::Duration;

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
