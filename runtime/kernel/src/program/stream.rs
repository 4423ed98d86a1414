//! Connections of host functions within the sandbox.

use std::fmt;
use std::future::poll_fn;
use std::io::{self, ErrorKind};
use std::net::SocketAddr;
use std::pin::Pin;
use std::sync::Arc;
use std::task::{Context, Poll, ready};

use futures::io::{AsyncRead, AsyncWrite};
use offshoot_vfs::Error;

use crate::Kernel;
use crate::guest::Held;
use crate::loopback::{self, Connection, Direction, Protocol, Refusal};

/// A connection with a process of the sandbox, over its loopback.
pub struct LoopbackStream(Arc<Connection>);

impl fmt::Debug for LoopbackStream {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "LoopbackStream({} to {})", self.0.local, self.0.remote)
    }
}

impl LoopbackStream {
    pub(super) async fn open(kernel: &Kernel, host: &str, port: u16) -> io::Result<Self> {
        let hostname = &kernel.settings().identity.hostname;
        let mut failure = io::Error::new(ErrorKind::NotFound, "no such host in the sandbox");
        for address in loopback::resolve(host, hostname) {
            match connect(kernel, SocketAddr::new(address, port)).await {
                Ok(connection) => return Ok(LoopbackStream(connection)),
                Err(refusal) => failure = io::Error::new(kind(refusal), refusal),
            }
        }
        Err(failure)
    }
}

async fn connect(kernel: &Kernel, to: SocketAddr) -> Result<Arc<Connection>, Refusal> {
    let network = kernel.loopback();
    let any = loopback::unspecified(to.is_ipv6());
    let claim = network.claim(Protocol::Tcp, SocketAddr::new(any, 0))?;
    loop {
        match network.connect(&claim, to, Held::new(kernel)) {
            Err(Refusal::Full) => {
                poll_fn(|context| match network.poll_room(to, context.waker()) {
                    true => Poll::Ready(()),
                    false => Poll::Pending,
                })
                .await;
            }
            Err(refusal) => return Err(refusal),
            Ok(connection) => {
                connection.keep(claim);
                return Ok(connection);
            }
        }
    }
}

fn kind(refusal: Refusal) -> ErrorKind {
    match refusal {
        Refusal::Beyond | Refusal::NotHere => ErrorKind::PermissionDenied,
        Refusal::InUse | Refusal::NoPort => ErrorKind::AddrInUse,
        Refusal::Refused | Refusal::Full => ErrorKind::ConnectionRefused,
        Refusal::Memory => ErrorKind::OutOfMemory,
    }
}

impl AsyncRead for LoopbackStream {
    fn poll_read(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        buffer: &mut [u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.0.read(buffer) {
                Err(Error::Again) => ready!(wait(self.0.poll_readable(context.waker()))),
                result => return Poll::Ready(result.map_err(broken)),
            }
        }
    }
}

impl AsyncWrite for LoopbackStream {
    fn poll_write(
        self: Pin<&mut Self>,
        context: &mut Context<'_>,
        bytes: &[u8],
    ) -> Poll<io::Result<usize>> {
        loop {
            match self.0.write(bytes) {
                Err(Error::Again) => ready!(wait(self.0.poll_writable(context.waker()))),
                result => return Poll::Ready(result.map_err(broken)),
            }
        }
    }

    fn poll_flush(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        Poll::Ready(Ok(()))
    }

    fn poll_close(self: Pin<&mut Self>, _: &mut Context<'_>) -> Poll<io::Result<()>> {
        self.0.shut(Direction::Send);
        Poll::Ready(Ok(()))
    }
}

fn wait(is_ready: bool) -> Poll<()> {
    match is_ready {
        true => Poll::Ready(()),
        false => Poll::Pending,
    }
}

fn broken(error: Error) -> io::Error {
    match error {
        Error::BrokenPipe => ErrorKind::BrokenPipe.into(),
        other => io::Error::other(other),
    }
}
