//! The process that listens, holds the secrets and makes the requests of sandboxes. Another one, the worker, runs them:
//! it has what the listener accepts, and the end of a stream to ask for requests at. When it dies, the next one takes
//! over; connections that nobody has accepted yet wait for it.

use super::super::{KEY, SESSION, announce, key, listen};
use crate::arguments::Serve;
use crate::run;
use crate::system::told_to_end;
use anyhow::Context;
use clap::ValueEnum;
use offshoot::network::{Client, Gateway};
use rustix::process::{Pid, Signal, kill_process};
use std::ffi::OsString;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::os::unix::process::ExitStatusExt;
use std::pin::pin;
use std::process::{ExitStatus, Stdio};
use std::time::Duration;
use tokio::io::{AsyncReadExt, AsyncWriteExt};
use tokio::net::TcpStream;
use tokio::process::{Child, Command};

/// Workers in a row that may end before they have answered once.
const ATTEMPTS: u32 = 5;
/// Between two questions whether a worker answers.
const PAUSE: Duration = Duration::from_millis(20);

/// What a worker gets of the environment, beside the key: neither secrets nor what else the host keeps there.
const ENVIRONMENT: [&str; 10] = [
    SESSION,
    "HOME",
    "LANG",
    "LC_ALL",
    "PATH",
    "RUST_BACKTRACE",
    "SQLITE_TMPDIR",
    "TMPDIR",
    "TZ",
    "XDG_CACHE_HOME",
];

/// Has workers serve until it is told to end.
///
/// # Errors
/// Where the address is taken, a flag cannot be read, or workers end before they answer.
pub(crate) fn run(options: &Serve) -> anyhow::Result<u8> {
    let runtime = run::runtime()?;
    let status = runtime.block_on(supervise(options));
    runtime.shutdown_background();
    status
}

async fn supervise(options: &Serve) -> anyhow::Result<u8> {
    let client = Client::new(options.reach.policy()?.unwrap_or_default())?;
    let (key, is_new) = key()?;
    let listener = listen(options)?;
    let mut told = pin!(told_to_end()?);
    let mut is_announced = false;
    let mut failed = 0;
    loop {
        let mut worker = start(options, &listener, &key, &client)?;
        let address = listener.local_addr()?;
        tokio::select! {
            biased;
            () = &mut told => return end(worker).await,
            status = worker.wait() => {
                failed += 1;
                // What is wrong with the flags or the store stands on standard error.
                if !is_announced || failed == ATTEMPTS {
                    return Ok(code(status?));
                }
                continue;
            }
            () = answers(address) => {}
        }
        failed = 0;
        if !is_announced {
            announce(options, &listener, is_new.then_some(&key))?;
            is_announced = true;
        }
        tokio::select! {
            biased;
            () = &mut told => return end(worker).await,
            status = worker.wait() => {
                eprintln!("offshoot: the worker has ended ({}); another one takes over", status?);
            }
        }
    }
}

fn start(
    options: &Serve,
    listener: &TcpListener,
    key: &str,
    client: &Client,
) -> anyhow::Result<Child> {
    let (near, far) = UnixStream::pair()?;
    near.set_nonblocking(true)?;
    let program = std::env::current_exe().context("the program cannot be found")?;
    let environment = ENVIRONMENT
        .iter()
        .filter_map(|name| Some((name, std::env::var_os(name)?)));
    let worker = Command::new(program)
        .args(arguments(options))
        .env_clear()
        .envs(environment)
        .env(KEY, key)
        .stdin(Stdio::from(OwnedFd::from(listener.try_clone()?)))
        .stdout(Stdio::from(OwnedFd::from(far)))
        .kill_on_drop(true)
        .spawn()
        .context("the worker does not start")?;
    // It ends with the worker.
    let near = tokio::net::UnixStream::from_std(near)?;
    tokio::spawn(Gateway::serve(client.clone(), near));
    Ok(worker)
}

/// The flags of a worker: all but those that have secrets.
fn arguments(options: &Serve) -> Vec<OsString> {
    let protocol = match options.foundry {
        true => "--foundry",
        false => "--e2b",
    };
    let mut words: Vec<OsString> = ["serve", protocol, "--worker"].map(Into::into).to_vec();
    let mut flag = |name: &str, value: OsString| words.extend([name.into(), value]);
    if let Some(folder) = &options.store {
        flag("--store", folder.into());
        if !options.durable {
            let time = format!("{}ms", options.durable_within.as_millis());
            flag("--durable-within", time.into());
        }
    }
    let confine = options.confine.to_possible_value();
    flag(
        "--confine",
        confine.map_or_else(OsString::new, |value| value.get_name().into()),
    );
    for (name, values) in [
        ("--mount", &options.mount),
        ("--network", &options.reach.network),
        ("--command", &options.reach.commands),
    ] {
        for value in values {
            flag(name, value.into());
        }
    }
    if options.durable {
        words.push("--durable".into());
    }
    words
}

/// Waits until a worker answers, whatever it says.
async fn answers(mut address: SocketAddr) {
    if address.ip().is_unspecified() {
        address.set_ip(match address.ip() {
            IpAddr::V4(_) => Ipv4Addr::LOCALHOST.into(),
            IpAddr::V6(_) => Ipv6Addr::LOCALHOST.into(),
        });
    }
    // A connection waits for the worker; one that breaks was accepted by a worker that is ending.
    while !asks(address).await.unwrap_or(false) {
        tokio::time::sleep(PAUSE).await;
    }
}

async fn asks(address: SocketAddr) -> std::io::Result<bool> {
    let mut stream = TcpStream::connect(address).await?;
    let request = b"GET /health HTTP/1.1\r\nHost: localhost\r\nConnection: close\r\n\r\n";
    stream.write_all(request).await?;
    Ok(stream.read(&mut [0; 1]).await? > 0)
}

/// Tells a worker to end, and waits for it.
async fn end(mut worker: Child) -> anyhow::Result<u8> {
    let id = worker.id().and_then(|id| Pid::from_raw(id.cast_signed()));
    if let Some(id) = id {
        // One that has ended by itself needs no signal.
        let _ = kill_process(id, Signal::TERM);
    }
    Ok(code(worker.wait().await?))
}

/// A status as shells have it.
fn code(status: ExitStatus) -> u8 {
    let code = status.code();
    let code = code.or_else(|| status.signal().map(|signal| 128 + signal));
    code.and_then(|code| u8::try_from(code).ok()).unwrap_or(1)
}
