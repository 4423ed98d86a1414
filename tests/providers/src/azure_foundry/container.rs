//! The container of a session: our own server, as the image has it, over a directory that outlives it.

use crate::service::{Answer, Request};
use http_body_util::{BodyExt, Full};
use hyper_util::rt::TokioIo;
use offshoot::Mount;
use offshoot::lifecycle::{Sandboxes, Store};
use offshoot_server::foundry::Endpoint;
use std::io;
use std::path::Path;
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::oneshot;
use tokio::task::{JoinHandle, JoinSet};

/// Where the container keeps its sandboxes.
pub(super) const STORE: &str = ".offshoot";
/// What sandboxes see of the session's files.
pub(super) const FILES: &str = "files";

/// A container that runs.
pub(super) struct Container {
    address: std::net::SocketAddr,
    stop: oneshot::Sender<()>,
    task: JoinHandle<()>,
}

impl Container {
    /// Starts the server in a directory.
    pub(super) async fn start(session: &str, home: &Path) -> io::Result<Container> {
        let store = Store::sqlite(home.join(STORE)).map_err(io::Error::other)?;
        let files = Mount::read_only(home.join(FILES)).map_err(io::Error::other)?;
        let sandboxes = Sandboxes::builder(store)
            .lease(Duration::from_secs(10))
            .patience(Duration::from_secs(20))
            .mount("/files", files)
            .build();
        let endpoint = Endpoint::builder(sandboxes).session(session).durable();
        let endpoint = endpoint.build().map_err(io::Error::other)?;
        let listener = TcpListener::bind("127.0.0.1:0").await?;
        let address = listener.local_addr()?;
        let (stop, stopped) = oneshot::channel();
        let task = tokio::spawn(async move {
            let stopped = async move {
                // A sender that is gone stops it, too.
                let _ = stopped.await;
            };
            // A container's faults are its callers' to see.
            let _ = endpoint.serve(listener, stopped).await;
        });
        Ok(Container {
            address,
            stop,
            task,
        })
    }

    pub(super) fn url(&self) -> String {
        self.address.to_string()
    }

    /// Waits until it says that it is ready.
    pub(super) async fn ready(&self) -> io::Result<()> {
        let probe = http::Request::get("/readiness").header("host", self.url());
        let probe = probe.body(Full::default()).map_err(io::Error::other)?;
        let (parts, _) = ask(&self.url(), probe).await?;
        match parts.status.as_u16() {
            200 => Ok(()),
            status => Err(io::Error::other(format!("it is not ready: {status}"))),
        }
    }

    /// Stops it, and waits until it has stored what it has.
    pub(super) async fn stop(self) {
        // One that has ended by itself needs no word.
        let _ = self.stop.send(());
        // An error here is a panic of the task, which has ended, too.
        let _ = self.task.await;
    }
}

async fn ask(
    address: &str,
    request: http::Request<Full<bytes::Bytes>>,
) -> io::Result<(http::response::Parts, bytes::Bytes)> {
    let stream = TcpStream::connect(address).await?;
    let (mut sender, connection) = hyper::client::conn::http1::handshake(TokioIo::new(stream))
        .await
        .map_err(io::Error::other)?;
    // It ends with what is asked, whether that is waited for or not.
    let mut connections = JoinSet::new();
    connections.spawn(connection);
    let answer = sender
        .send_request(request)
        .await
        .map_err(io::Error::other)?;
    let (parts, body) = answer.into_parts();
    let body = body.collect().await.map_err(io::Error::other)?.to_bytes();
    Ok((parts, body))
}

/// Hands an invocation on to a container, without the caller's token. The answer, and the headers that went there.
pub(super) async fn hand_on(
    address: &str,
    session: &str,
    request: &Request,
) -> io::Result<(Answer, String)> {
    let target = format!("/invocations?agent_session_id={session}");
    let mut handed = http::Request::post(target)
        .header("host", address)
        .header("x-agent-user-id", "user-1");
    for (name, value) in &request.headers {
        let is_own =
            ["authorization", "host", "content-length", "connection"].contains(&name.as_str());
        if !is_own && !name.as_str().starts_with("x-ms-") {
            handed = handed.header(name, value);
        }
    }
    let handed = handed
        .body(Full::new(request.body.clone()))
        .map_err(io::Error::other)?;
    let seen = format!("{:?}", handed.headers());
    let (parts, body) = ask(address, handed).await?;
    let headers = ["x-agent-session-id", "x-agent-invocation-id"];
    let mut answer = Answer::new(parts.status.as_u16(), "application/json", body);
    for name in headers {
        if let Some(value) = parts.headers.get(name) {
            answer = answer.header(name, value.clone());
        }
    }
    Ok((answer, seen))
}
