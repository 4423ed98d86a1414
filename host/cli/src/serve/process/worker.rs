//! The process that runs sandboxes: without a network of its own, and without the secrets that are added to requests.

use super::super::{confine, endpoint, key};
use crate::arguments::Serve;
use crate::run;
use anyhow::Context;
use offshoot::network::Gateway;
use offshoot_confine::Confinement;
use std::net::TcpListener;
use std::os::fd::AsFd;
use std::os::unix::net::UnixStream;

/// Serves what the supervisor listens at, until it is told to end or the supervisor is gone.
///
/// # Errors
/// Where it was not started by a supervisor, and as the server itself.
pub(crate) fn run(options: &Serve) -> anyhow::Result<u8> {
    const WHOSE: &str = "--worker is for `offshoot serve` itself";
    let listener = std::io::stdin().as_fd().try_clone_to_owned()?;
    let listener = TcpListener::from(listener);
    listener.local_addr().context(WHOSE)?;
    let stream = std::io::stdout().as_fd().try_clone_to_owned()?;
    let stream = UnixStream::from(stream);
    stream.local_addr().context(WHOSE)?;
    // Before any other thread: those that run already would stay free.
    confine(options, Confinement::default())?;
    let runtime = run::runtime()?;
    let status = runtime.block_on(async {
        stream.set_nonblocking(true)?;
        let gateway = Gateway::new(tokio::net::UnixStream::from_std(stream)?).await?;
        let (key, _) = key()?;
        let endpoint = endpoint(options, &key, Some(gateway.clone())).await?;
        let listener = tokio::net::TcpListener::from_std(listener)?;
        tokio::select! {
            served = endpoint.run(listener) => served?,
            // As if it had been killed, too, and at once: the port is free before a client sees its connection end.
            () = gateway.ended() => std::process::exit(1),
        }
        Ok(0)
    });
    runtime.shutdown_background();
    status
}
