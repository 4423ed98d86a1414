//! Connections: how many there are, how long they stay, and their end.
//!
//! Whoever reaches the port can open connections, before any key is asked for. What such a stranger holds
//! is bounded in number and in time, and gives way to newcomers.

use crate::web::{BoxError, Request, Response, boxed};
use bytes::Bytes;
use http::Extensions;
use http_body_util::BodyExt;
use hyper::body::{Body, Frame, Incoming, SizeHint};
use hyper::service::service_fn;
use hyper_util::rt::{TokioExecutor, TokioIo, TokioTimer};
use hyper_util::server::conn::auto;
use std::collections::BTreeMap;
use std::convert::Infallible;
use std::pin::Pin;
use std::sync::atomic::{AtomicBool, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};
use std::task::{Context, Poll};
use std::time::Duration;
use tokio::net::{TcpListener, TcpStream};
use tokio::sync::{Notify, watch};
use tokio::task::JoinSet;
use tokio::time::Instant;

/// When no connection can be taken, for want of descriptors mostly, the next try is so much later.
const PAUSE: Duration = Duration::from_millis(50);

/// Streams that one connection of HTTP/2 has at a time.
const STREAMS: u32 = 256;

/// Bytes of the headers of a request.
const HEADERS: u32 = 64 << 10;

/// What connections may have.
#[derive(Debug, Clone, Copy)]
pub(crate) struct Patience {
    /// Connections at all.
    pub(crate) most: usize,
    /// Connections that have never shown a key or token; the oldest of them makes room.
    pub(crate) strangers: usize,
    /// The time without a request in flight after which one is closed, its first request included.
    pub(crate) idle: Duration,
    /// The time for the headers of a request.
    pub(crate) headers: Duration,
    /// The time that requests in flight have when everything ends.
    pub(crate) end: Duration,
}

impl Default for Patience {
    fn default() -> Patience {
        let most = descriptors() / 2;
        Patience {
            most: most.clamp(16, 8_192),
            strangers: (most / 2).clamp(8, 256),
            idle: Duration::from_secs(60),
            headers: Duration::from_secs(15),
            end: Duration::from_secs(5),
        }
    }
}

/// Files that this process may have open.
fn descriptors() -> usize {
    #[cfg(unix)]
    let limit = rustix::process::getrlimit(rustix::process::Resource::Nofile).current;
    #[cfg(not(unix))]
    let limit = None::<u64>;
    let number = limit.and_then(|limit| usize::try_from(limit).ok());
    number.unwrap_or(usize::MAX)
}

/// The other side of a connection.
pub(crate) struct Peer {
    is_known: AtomicBool,
    /// Requests in flight, and when their number last changed.
    flight: Mutex<(usize, Instant)>,
    evicted: Notify,
}

impl Peer {
    fn new() -> Peer {
        Peer {
            is_known: AtomicBool::new(false),
            flight: Mutex::new((0, Instant::now())),
            evicted: Notify::new(),
        }
    }

    fn is_known(&self) -> bool {
        self.is_known.load(Ordering::Acquire)
    }

    fn is_idle(&self) -> bool {
        self.flight().0 == 0
    }

    /// Waits until nothing has been in flight for so long.
    async fn idle(&self, time: Duration) {
        loop {
            let (count, since) = *self.flight();
            let now = Instant::now();
            match count {
                0 if now >= since + time => return,
                0 => tokio::time::sleep_until(since + time).await,
                _ => tokio::time::sleep_until(now + time).await,
            }
        }
    }

    fn flight(&self) -> MutexGuard<'_, (usize, Instant)> {
        self.flight.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Notes that whoever sent a request has shown a key or token.
pub(crate) fn trust(extensions: &Extensions) {
    if let Some(peer) = extensions.get::<Arc<Peer>>() {
        peer.is_known.store(true, Ordering::Release);
    }
}

/// A request in flight, to the last byte of its answer.
struct Flight(Arc<Peer>);

impl Flight {
    fn begin(peer: &Arc<Peer>) -> Flight {
        peer.flight().0 += 1;
        Flight(Arc::clone(peer))
    }
}

impl Drop for Flight {
    fn drop(&mut self) {
        let mut flight = self.0.flight();
        *flight = (flight.0 - 1, Instant::now());
    }
}

/// The body of an answer, which is in flight until it is dropped.
struct Flying {
    body: crate::web::Body,
    _flight: Flight,
}

impl Body for Flying {
    type Data = Bytes;
    type Error = BoxError;

    fn poll_frame(
        mut self: Pin<&mut Self>,
        context: &mut Context<'_>,
    ) -> Poll<Option<Result<Frame<Bytes>, BoxError>>> {
        Pin::new(&mut self.body).poll_frame(context)
    }

    fn is_end_stream(&self) -> bool {
        self.body.is_end_stream()
    }

    fn size_hint(&self) -> SizeHint {
        self.body.size_hint()
    }
}

/// All connections.
#[derive(Default)]
struct Hall {
    peers: Mutex<(u64, BTreeMap<u64, Arc<Peer>>)>,
}

impl Hall {
    /// Takes a newcomer in, for whom others leave where it is full; none where nobody can.
    fn enter(&self, patience: &Patience) -> Option<(u64, Arc<Peer>)> {
        let mut peers = self.lock();
        let (next, peers) = &mut *peers;
        let strangers = peers.values().filter(|peer| !peer.is_known()).count();
        let leaves = |peer: &Arc<Peer>| {
            (strangers >= patience.strangers && !peer.is_known())
                || (peers.len() >= patience.most && peer.is_idle())
        };
        let oldest = peers.iter().find(|(_, peer)| leaves(peer));
        if let Some((id, peer)) = oldest.map(|(id, peer)| (*id, Arc::clone(peer))) {
            peers.remove(&id);
            peer.evicted.notify_one();
        }
        if peers.len() >= patience.most {
            return None;
        }
        let (id, peer) = (*next, Arc::new(Peer::new()));
        *next += 1;
        peers.insert(id, Arc::clone(&peer));
        Some((id, peer))
    }

    fn leave(&self, id: u64) {
        self.lock().1.remove(&id);
    }

    fn lock(&self) -> MutexGuard<'_, (u64, BTreeMap<u64, Arc<Peer>>)> {
        self.peers.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

/// Serves connections until `closed` is done; then requests in flight have the time that `patience` gives.
pub(crate) async fn serve<F>(
    listener: TcpListener,
    patience: Patience,
    closed: impl Future<Output = ()> + Send + 'static,
    answer: impl Fn(Request) -> F + Clone + Send + 'static,
) where
    F: Future<Output = Response> + Send + 'static,
{
    let hall = Arc::new(Hall::default());
    let (ending, end) = watch::channel(false);
    let mut connections = JoinSet::new();
    tokio::pin!(closed);
    loop {
        let accepted = tokio::select! {
            accepted = listener.accept() => accepted,
            Some(_) = connections.join_next() => continue,
            () = &mut closed => break,
        };
        let Ok((stream, _)) = accepted else {
            tokio::time::sleep(PAUSE).await;
            continue;
        };
        let Some((id, peer)) = hall.enter(&patience) else {
            // All others are at work; this one is told by being closed.
            continue;
        };
        let connection = connect(stream, patience, peer, answer.clone(), end.clone());
        let hall = Arc::clone(&hall);
        connections.spawn(async move {
            connection.await;
            hall.leave(id);
        });
    }
    drop(listener);
    ending.send_replace(true);
    let all = async { while connections.join_next().await.is_some() {} };
    // Who does not read is not waited for.
    let _ = tokio::time::timeout(patience.end, all).await;
    connections.shutdown().await;
}

/// Serves one connection to its end.
async fn connect<F>(
    stream: TcpStream,
    patience: Patience,
    peer: Arc<Peer>,
    answer: impl Fn(Request) -> F + Send + 'static,
    mut end: watch::Receiver<bool>,
) where
    F: Future<Output = Response> + Send + 'static,
{
    // Small answers are waited for; a connection that is gone already shows it when it is read.
    let _ = stream.set_nodelay(true);
    let whose = Arc::clone(&peer);
    let service = service_fn(move |request: http::Request<Incoming>| {
        let flight = Flight::begin(&whose);
        let mut request = request.map(|body| body.map_err(boxed).boxed_unsync());
        request.extensions_mut().insert(Arc::clone(&whose));
        let answer = answer(request);
        async move {
            let answer = answer.await;
            let flying = answer.map(|body| Flying {
                body,
                _flight: flight,
            });
            Ok::<_, Infallible>(flying)
        }
    });
    let mut server = auto::Builder::new(TokioExecutor::new());
    server
        .http1()
        .timer(TokioTimer::new())
        .header_read_timeout(patience.headers);
    server
        .http2()
        .timer(TokioTimer::new())
        .max_concurrent_streams(STREAMS)
        .max_header_list_size(HEADERS)
        // A client whose machine is gone does not answer.
        .keep_alive_interval(Some(patience.idle))
        .keep_alive_timeout(patience.headers);
    let connection = server
        .serve_connection(TokioIo::new(stream), service)
        .into_owned();
    tokio::pin!(connection);
    tokio::select! {
        // What goes wrong on a connection is known to its client.
        _ = connection.as_mut() => return,
        () = peer.idle(patience.idle) => {}
        () = peer.evicted.notified() => return,
        _ = end.wait_for(|end| *end) => {}
    }
    connection.as_mut().graceful_shutdown();
    tokio::select! {
        _ = connection => {}
        () = peer.idle(patience.end) => {}
    }
}
