//! Endpoints for the clients of other services.

use crate::arguments::{Confine, MountArgument, Serve};
use crate::run;
use anyhow::{Context, bail};
use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_confine::Confinement;
use offshoot_server::e2b::{Durability, Endpoint};
use std::io::Write;
use std::time::Duration;
use tokio::net::TcpListener;
use tokio::signal::unix::{SignalKind, signal};

/// Where the key comes from; not a flag, since those are shown to every user of the host.
const KEY: &str = "OFFSHOOT_E2B_KEY";

/// How long a sandbox stays a server's that was killed, where nobody can tell that it is gone; the next one
/// on the same store waits as long.
const CLAIM: Duration = Duration::from_secs(10);

/// Serves until it is told to end.
///
/// # Errors
/// Where the address is taken or the store cannot be read.
pub fn run(options: &Serve) -> anyhow::Result<u8> {
    // Before any other thread: those that run already would stay free.
    confine(options)?;
    let runtime = run::runtime()?;
    let status = runtime.block_on(serve(options));
    runtime.shutdown_background();
    status
}

/// Gives up what the server does not need: what breaks out of a sandbox, out of WebAssembly, finds the store, what is
/// mounted, and nothing else.
fn confine(options: &Serve) -> anyhow::Result<()> {
    if options.confine == Confine::Never {
        return Ok(());
    }
    let mut confinement = Confinement::default().listen(options.listen.port());
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
    if !options.reach.network.is_empty() {
        confinement = confinement.connect();
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

async fn serve(options: &Serve) -> anyhow::Result<u8> {
    let store = match &options.store {
        Some(folder) => {
            Store::sqlite(folder).with_context(|| format!("the store {}", folder.display()))?
        }
        None => Store::memory(),
    };
    let given = std::env::var(KEY).ok().filter(|key| !key.is_empty());
    let (key, is_new) = match given {
        Some(key) => (key, false),
        None => (new_key()?, true),
    };
    let sandboxes = Sandboxes::builder(store).lease(CLAIM).patience(CLAIM * 2);
    let mut sandboxes = options.reach.apply_to_all(sandboxes)?;
    for text in &options.mount {
        let mount = MountArgument::parse(text)?;
        sandboxes = sandboxes.mount(mount.guest.as_str(), mount.open()?);
    }
    let endpoint = Endpoint::builder(sandboxes.build(), key.clone())
        .durability(durability(options))
        .open()
        .await?;
    let listener = TcpListener::bind(options.listen)
        .await
        .with_context(|| format!("cannot listen on {}", options.listen))?;
    let address = listener.local_addr()?;
    let mut out = std::io::stdout();
    writeln!(out, "E2B_API_URL=http://{address}")?;
    writeln!(out, "E2B_SANDBOX_URL=http://{address}")?;
    if is_new {
        writeln!(out, "E2B_API_KEY={key}")?;
    }
    out.flush()?;
    endpoint.serve(listener, told_to_end()?).await?;
    Ok(0)
}

/// What is only in memory is stored nowhere before its end.
fn durability(options: &Serve) -> Durability {
    match (&options.store, options.durable) {
        (None, _) => Durability::AtPause,
        (Some(_), true) => Durability::BeforeAnswer,
        (Some(_), false) => Durability::Within(options.durable_within),
    }
}

/// Ctrl-C, or what service managers send.
fn told_to_end() -> anyhow::Result<impl Future<Output = ()>> {
    let mut interrupt = signal(SignalKind::interrupt())?;
    let mut terminate = signal(SignalKind::terminate())?;
    Ok(async move {
        tokio::select! {
            _ = interrupt.recv() => {}
            _ = terminate.recv() => {}
        }
    })
}

/// A key in the form that E2B's have.
fn new_key() -> anyhow::Result<String> {
    let mut bytes = [0; 20];
    getrandom::fill(&mut bytes).context("the system has no random numbers")?;
    let digits: String = bytes.iter().map(|byte| format!("{byte:02x}")).collect();
    Ok(format!("e2b_{digits}"))
}
