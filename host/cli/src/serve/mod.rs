//! Endpoints for the clients of other services.

mod process;

use crate::arguments::{Confine, Isolation, MountArgument, Serve};
use crate::run;
use crate::system::told_to_end;
use anyhow::{Context, bail};
use offshoot::lifecycle::{Sandboxes, Store};
use offshoot::network::Gateway;
use offshoot_confine::Confinement;
use offshoot_server::e2b::{self, Durability};
use offshoot_server::foundry;
use std::io::Write;
use std::net::{Ipv4Addr, SocketAddr};
use std::time::Duration;
use tokio::net::TcpListener;

/// Where the key comes from; not a flag, since those are shown to every user of the host.
const KEY: &str = "OFFSHOOT_E2B_KEY";

/// Where a hosted agent is told which session it is for.
const SESSION: &str = "FOUNDRY_AGENT_SESSION_ID";

/// How long a sandbox stays a server's that was killed, where nobody can tell that it is gone; the next one
/// on the same store waits as long.
const CLAIM: Duration = Duration::from_secs(10);

/// Serves until it is told to end.
///
/// # Errors
/// Where the address is taken or the store cannot be read.
pub fn run(options: &Serve) -> anyhow::Result<u8> {
    match options.isolation {
        _ if options.worker => process::work(options),
        Isolation::Process => process::supervise(options),
        Isolation::Thread => alone(options),
    }
}

/// What is served.
enum Served {
    E2b(e2b::Endpoint),
    Foundry(foundry::Endpoint),
}

impl Served {
    /// Serves until it is told to end.
    async fn run(self, listener: TcpListener) -> anyhow::Result<()> {
        let told = told_to_end()?;
        match self {
            Served::E2b(endpoint) => endpoint.serve(listener, told).await?,
            Served::Foundry(endpoint) => endpoint.serve(listener, told).await?,
        }
        Ok(())
    }
}

/// Where to listen.
fn address(options: &Serve) -> anyhow::Result<SocketAddr> {
    let port = match (options.listen, options.foundry) {
        (Some(address), _) => return Ok(address),
        (None, false) => 3000,
        (None, true) => match std::env::var("PORT") {
            Ok(port) => port.parse().context("PORT")?,
            Err(_) => 8088,
        },
    };
    Ok((Ipv4Addr::LOCALHOST, port).into())
}

/// Serves in this process.
fn alone(options: &Serve) -> anyhow::Result<u8> {
    let confinement = Confinement::default().listen(address(options)?.port());
    // Before any other thread: those that run already would stay free.
    confine(
        options,
        match options.reach.network.is_empty() {
            true => confinement,
            false => confinement.connect(),
        },
    )?;
    let runtime = run::runtime()?;
    let status = runtime.block_on(async {
        let (key, is_new) = key()?;
        let endpoint = endpoint(options, &key, None).await?;
        let listener = listen(options)?;
        announce(options, &listener, is_new.then_some(&key))?;
        endpoint.run(TcpListener::from_std(listener)?).await?;
        Ok(0)
    });
    runtime.shutdown_background();
    status
}

/// Gives up what the server does not need: what breaks out of a sandbox, out of WebAssembly, finds the store, what is
/// mounted, what the confinement leaves open, and nothing else.
fn confine(options: &Serve, mut confinement: Confinement) -> anyhow::Result<()> {
    if options.confine == Confine::Never {
        return Ok(());
    }
    if let Some(folder) = &options.store {
        let failed = || format!("the store {}", folder.display());
        std::fs::create_dir_all(folder).with_context(failed)?;
        confinement = confinement.write(folder);
    }
    // Only read: other processes of this user run the code that is kept there.
    if let Some(folder) = offshoot::user_cache().filter(|folder| folder.is_dir()) {
        confinement = confinement.read(folder);
    }
    for text in &options.mount {
        confinement = confinement.read(MountArgument::parse(text)?.host);
    }
    for file in options.reach.component_files() {
        confinement = confinement.read(file);
    }
    let walls = confinement.enter().context("--confine")?;
    let missing = walls.missing().join(", ");
    match options.confine {
        _ if missing.is_empty() => {}
        Confine::Always => bail!("--confine always: this system cannot close {missing}"),
        _ => eprintln!("offshoot: this system cannot close {missing} to the server"),
    }
    Ok(())
}

/// The endpoint over the store. Its sandboxes reach the network by `gateway`, where there is one.
async fn endpoint(options: &Serve, key: &str, gateway: Option<Gateway>) -> anyhow::Result<Served> {
    let store = match &options.store {
        Some(folder) => {
            Store::sqlite(folder).with_context(|| format!("the store {}", folder.display()))?
        }
        None => Store::memory(),
    };
    let sandboxes = Sandboxes::builder(store).lease(CLAIM).patience(CLAIM * 2);
    let mut sandboxes = options.reach.apply_to_all(sandboxes, gateway)?;
    for text in &options.mount {
        let mount = MountArgument::parse(text)?;
        sandboxes = sandboxes.mount(mount.guest.as_str(), mount.open()?);
    }
    let sandboxes = sandboxes.build();
    if options.foundry {
        return Ok(Served::Foundry(agent(options, sandboxes)?));
    }
    let endpoint = e2b::Endpoint::builder(sandboxes, key).durability(durability(options));
    Ok(Served::E2b(endpoint.open().await?))
}

/// The container of a hosted agent.
fn agent(options: &Serve, sandboxes: Sandboxes) -> anyhow::Result<foundry::Endpoint> {
    let mut endpoint = foundry::Endpoint::builder(sandboxes);
    if options.store.is_some() {
        endpoint = endpoint.durable();
    }
    if let Some(session) = std::env::var(SESSION).ok().filter(|id| !id.is_empty()) {
        endpoint = endpoint.session(session);
    }
    endpoint.build().context(SESSION)
}

fn listen(options: &Serve) -> anyhow::Result<std::net::TcpListener> {
    let at = address(options)?;
    let listener = std::net::TcpListener::bind(at);
    let listener = listener.with_context(|| format!("cannot listen on {at}"))?;
    listener.set_nonblocking(true)?;
    Ok(listener)
}

/// Tells where the server is, and a key that was made for it.
fn announce(
    options: &Serve,
    listener: &std::net::TcpListener,
    new_key: Option<&String>,
) -> anyhow::Result<()> {
    let address = listener.local_addr()?;
    let mut out = std::io::stdout();
    if options.foundry {
        writeln!(out, "http://{address}/invocations")?;
        return Ok(out.flush()?);
    }
    writeln!(out, "E2B_API_URL=http://{address}")?;
    writeln!(out, "E2B_SANDBOX_URL=http://{address}")?;
    if let Some(key) = new_key {
        writeln!(out, "E2B_API_KEY={key}")?;
    }
    out.flush()?;
    Ok(())
}

/// What is only in memory is stored nowhere before its end.
fn durability(options: &Serve) -> Durability {
    match (&options.store, options.durable) {
        (None, _) => Durability::AtPause,
        (Some(_), true) => Durability::BeforeAnswer,
        (Some(_), false) => Durability::Within(options.durable_within),
    }
}

/// The key, and whether it was made for this server.
fn key() -> anyhow::Result<(String, bool)> {
    let given = std::env::var(KEY).ok().filter(|key| !key.is_empty());
    match given {
        Some(key) => Ok((key, false)),
        None => Ok((new_key()?, true)),
    }
}

/// A key in the form that E2B's have.
fn new_key() -> anyhow::Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).context("the system has no random numbers")?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("e2b_{digits}"))
}
