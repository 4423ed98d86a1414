//! `wasi:sockets/tcp`.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::{Poll, Waker};

use offshoot_boxed::boxed;
use wasmtime::component::Resource;
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};
use wasmtime_wasi_io::streams::{DynInputStream, DynOutputStream};

use super::address::checked;
use super::{Answer, ErrorCode, Network};
use crate::guest::Guest;
use crate::guest::bindings::wasi::sockets::network::{IpAddressFamily, IpSocketAddress};
use crate::guest::bindings::wasi::sockets::tcp::{self, ShutdownType};
use crate::guest::bindings::wasi::sockets::tcp_create_socket;
use crate::guest::streams::{ConnectionInput, ConnectionOutput};
use crate::loopback::{Claim, Connection, Direction, Listener, Loopback, Protocol, Refusal};

/// Connections that may wait where nobody says how many.
const BACKLOG: usize = 128;

/// `tcp-socket`.
pub struct TcpSocket {
    family: IpAddressFamily,
    loopback: Loopback,
    state: State,
    backlog: usize,
    options: Options,
}

enum State {
    Unbound,
    Binding(Claim),
    Bound(Claim),
    Connecting(Claim, SocketAddr, Option<Result<Arc<Connection>, Refusal>>),
    Connected(Arc<Connection>),
    Starting(Claim, Arc<Listener>),
    Listening(Claim, Arc<Listener>),
    Closed,
}

/// What means nothing within one machine, kept for whoever asks.
#[derive(Clone)]
struct Options {
    keep_alive: bool,
    idle: u64,
    interval: u64,
    count: u32,
    hops: u8,
    receive_buffer: u64,
    send_buffer: u64,
}

impl Default for Options {
    fn default() -> Options {
        Options {
            keep_alive: false,
            idle: 7200 * 1_000_000_000,
            interval: 75 * 1_000_000_000,
            count: 9,
            hops: 64,
            receive_buffer: 64 << 10,
            send_buffer: 64 << 10,
        }
    }
}

impl TcpSocket {
    fn new(family: IpAddressFamily, loopback: Loopback) -> TcpSocket {
        TcpSocket {
            family,
            loopback,
            state: State::Unbound,
            backlog: BACKLOG,
            options: Options::default(),
        }
    }

    /// Whether the operation that was begun, or an `accept`, has an answer; otherwise registers `waker`.
    fn poll_ready(&self, waker: &Waker) -> bool {
        match &self.state {
            State::Connecting(_, to, None) => self.loopback.poll_room(*to, waker),
            State::Listening(_, listener) => listener.poll_accept(waker),
            _ => true,
        }
    }

    fn claim(&self) -> Option<&Claim> {
        match &self.state {
            State::Bound(claim)
            | State::Connecting(claim, ..)
            | State::Starting(claim, _)
            | State::Listening(claim, _) => Some(claim),
            _ => None,
        }
    }

    /// Refuses while an operation is under way.
    fn check_idle(&self) -> Result<(), ErrorCode> {
        match self.state {
            State::Binding(_) | State::Connecting(..) | State::Starting(..) => {
                Err(ErrorCode::ConcurrencyConflict)
            }
            _ => Ok(()),
        }
    }

    fn take(&mut self) -> State {
        std::mem::replace(&mut self.state, State::Closed)
    }

    /// A connection, with what is remembered of its socket.
    fn connected(&self, connection: Arc<Connection>) -> TcpSocket {
        TcpSocket {
            family: self.family,
            loopback: self.loopback.clone(),
            state: State::Connected(connection),
            backlog: BACKLOG,
            options: self.options.clone(),
        }
    }
}

#[boxed]
impl Pollable for TcpSocket {
    async fn ready(&mut self) {
        poll_fn(|context| match self.poll_ready(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

impl tcp_create_socket::Host for Guest {
    fn create_tcp_socket(&mut self, family: IpAddressFamily) -> Answer<Resource<TcpSocket>> {
        let loopback = self.kernel.loopback().clone();
        self.open_socket(TcpSocket::new(family, loopback))
    }
}

type Streams = (Resource<DynInputStream>, Resource<DynOutputStream>);

impl Guest {
    fn tcp(&mut self, socket: &Resource<TcpSocket>) -> Answer<&mut TcpSocket> {
        Ok(self.resources.get_mut(socket)?)
    }

    fn options(&mut self, socket: Resource<TcpSocket>) -> Answer<&mut Options> {
        Ok(&mut self.tcp(&socket)?.options)
    }

    fn streams(
        &mut self,
        socket: &Resource<TcpSocket>,
        connection: &Arc<Connection>,
    ) -> Answer<Streams> {
        let input: DynInputStream = Box::new(ConnectionInput::new(Arc::clone(connection)));
        let output: DynOutputStream = Box::new(ConnectionOutput::new(Arc::clone(connection)));
        let input = self.resources.push_child(input, socket)?;
        let output = self.resources.push_child(output, socket)?;
        Ok((input, output))
    }
}

impl tcp::Host for Guest {}

impl tcp::HostTcpSocket for Guest {
    fn start_bind(
        &mut self,
        socket: Resource<TcpSocket>,
        _network: Resource<Network>,
        address: IpSocketAddress,
    ) -> Answer<()> {
        let socket = self.tcp(&socket)?;
        socket.check_idle()?;
        let address = checked(socket.family, address)?;
        if !matches!(socket.state, State::Unbound) {
            return Err(ErrorCode::InvalidState.into());
        }
        socket.state = State::Binding(socket.loopback.claim(Protocol::Tcp, address)?);
        Ok(())
    }

    fn finish_bind(&mut self, socket: Resource<TcpSocket>) -> Answer<()> {
        let socket = self.tcp(&socket)?;
        match socket.take() {
            State::Binding(claim) => {
                socket.state = State::Bound(claim);
                Ok(())
            }
            other => {
                socket.state = other;
                Err(ErrorCode::NotInProgress.into())
            }
        }
    }

    fn start_connect(
        &mut self,
        socket: Resource<TcpSocket>,
        _network: Resource<Network>,
        address: IpSocketAddress,
    ) -> Answer<()> {
        let held = self.held();
        let socket = self.tcp(&socket)?;
        socket.check_idle()?;
        let to = checked(socket.family, address)?;
        if to.port() == 0 {
            return Err(ErrorCode::InvalidArgument.into());
        }
        let claim = match socket.take() {
            State::Bound(claim) => claim,
            State::Unbound => {
                socket.state = State::Unbound;
                let any = match socket.family {
                    IpAddressFamily::Ipv4 => SocketAddr::from(([0; 4], 0)),
                    IpAddressFamily::Ipv6 => SocketAddr::from(([0_u16; 8], 0)),
                };
                socket.loopback.claim(Protocol::Tcp, any)?
            }
            other => {
                socket.state = other;
                return Err(ErrorCode::InvalidState.into());
            }
        };
        let result = match socket.loopback.connect(&claim, to, held) {
            Err(Refusal::Full) => None,
            result => Some(result),
        };
        socket.state = State::Connecting(claim, to, result);
        Ok(())
    }

    fn finish_connect(&mut self, resource: Resource<TcpSocket>) -> Answer<Streams> {
        let held = self.held();
        let socket = self.tcp(&resource)?;
        let (claim, to, result) = match socket.take() {
            State::Connecting(claim, to, result) => (claim, to, result),
            other => {
                socket.state = other;
                return Err(ErrorCode::NotInProgress.into());
            }
        };
        match result.unwrap_or_else(|| socket.loopback.connect(&claim, to, held)) {
            Ok(connection) => {
                connection.keep(claim);
                socket.state = State::Connected(Arc::clone(&connection));
                self.streams(&resource, &connection)
            }
            Err(Refusal::Full) => {
                socket.state = State::Connecting(claim, to, None);
                Err(ErrorCode::WouldBlock.into())
            }
            Err(refusal) => Err(refusal.into()),
        }
    }

    fn start_listen(&mut self, socket: Resource<TcpSocket>) -> Answer<()> {
        let socket = self.tcp(&socket)?;
        socket.check_idle()?;
        match socket.take() {
            State::Bound(claim) => {
                let listener = socket.loopback.listen(&claim, socket.backlog);
                socket.state = State::Starting(claim, listener);
                Ok(())
            }
            other => {
                socket.state = other;
                Err(ErrorCode::InvalidState.into())
            }
        }
    }

    fn finish_listen(&mut self, socket: Resource<TcpSocket>) -> Answer<()> {
        let socket = self.tcp(&socket)?;
        match socket.take() {
            State::Starting(claim, listener) => {
                socket.state = State::Listening(claim, listener);
                Ok(())
            }
            other => {
                socket.state = other;
                Err(ErrorCode::NotInProgress.into())
            }
        }
    }

    fn accept(
        &mut self,
        socket: Resource<TcpSocket>,
    ) -> Answer<(
        Resource<TcpSocket>,
        Resource<DynInputStream>,
        Resource<DynOutputStream>,
    )> {
        // Before somebody is taken out of the queue for whom there is no room.
        self.check_open_files(self.open_files)
            .map_err(|_| ErrorCode::NewSocketLimit)?;
        let socket = self.tcp(&socket)?;
        let State::Listening(_, listener) = &socket.state else {
            return Err(ErrorCode::InvalidState.into());
        };
        let connection = listener.accept().ok_or(ErrorCode::WouldBlock)?;
        let accepted = socket.connected(Arc::clone(&connection));
        let accepted = self.open_socket(accepted)?;
        let (input, output) = self.streams(&accepted, &connection)?;
        Ok((accepted, input, output))
    }

    fn local_address(&mut self, socket: Resource<TcpSocket>) -> Answer<IpSocketAddress> {
        let socket = self.tcp(&socket)?;
        let address = match &socket.state {
            State::Connected(connection) => Some(connection.local),
            _ => socket.claim().map(|claim| claim.address),
        };
        Ok(address.ok_or(ErrorCode::InvalidState)?.into())
    }

    fn remote_address(&mut self, socket: Resource<TcpSocket>) -> Answer<IpSocketAddress> {
        match &self.tcp(&socket)?.state {
            State::Connected(connection) => Ok(connection.remote.into()),
            _ => Err(ErrorCode::InvalidState.into()),
        }
    }

    fn is_listening(&mut self, socket: Resource<TcpSocket>) -> wasmtime::Result<bool> {
        let socket = self.resources.get(&socket)?;
        Ok(matches!(socket.state, State::Listening(..)))
    }

    fn address_family(&mut self, socket: Resource<TcpSocket>) -> wasmtime::Result<IpAddressFamily> {
        Ok(self.resources.get(&socket)?.family)
    }

    fn set_listen_backlog_size(&mut self, socket: Resource<TcpSocket>, value: u64) -> Answer<()> {
        let backlog = usize::try_from(positive(value)?).unwrap_or(usize::MAX);
        let socket = self.tcp(&socket)?;
        match &socket.state {
            State::Listening(_, listener) | State::Starting(_, listener) => {
                listener.set_backlog(backlog);
            }
            State::Connected(..) | State::Connecting(..) => {
                return Err(ErrorCode::InvalidState.into());
            }
            _ => {}
        }
        socket.backlog = backlog;
        Ok(())
    }

    fn keep_alive_enabled(&mut self, socket: Resource<TcpSocket>) -> Answer<bool> {
        Ok(self.options(socket)?.keep_alive)
    }

    fn set_keep_alive_enabled(&mut self, socket: Resource<TcpSocket>, value: bool) -> Answer<()> {
        self.options(socket)?.keep_alive = value;
        Ok(())
    }

    fn keep_alive_idle_time(&mut self, socket: Resource<TcpSocket>) -> Answer<u64> {
        Ok(self.options(socket)?.idle)
    }

    fn set_keep_alive_idle_time(&mut self, socket: Resource<TcpSocket>, value: u64) -> Answer<()> {
        self.options(socket)?.idle = positive(value)?;
        Ok(())
    }

    fn keep_alive_interval(&mut self, socket: Resource<TcpSocket>) -> Answer<u64> {
        Ok(self.options(socket)?.interval)
    }

    fn set_keep_alive_interval(&mut self, socket: Resource<TcpSocket>, value: u64) -> Answer<()> {
        self.options(socket)?.interval = positive(value)?;
        Ok(())
    }

    fn keep_alive_count(&mut self, socket: Resource<TcpSocket>) -> Answer<u32> {
        Ok(self.options(socket)?.count)
    }

    fn set_keep_alive_count(&mut self, socket: Resource<TcpSocket>, value: u32) -> Answer<()> {
        self.options(socket)?.count = positive(value)?;
        Ok(())
    }

    fn hop_limit(&mut self, socket: Resource<TcpSocket>) -> Answer<u8> {
        Ok(self.options(socket)?.hops)
    }

    fn set_hop_limit(&mut self, socket: Resource<TcpSocket>, value: u8) -> Answer<()> {
        self.options(socket)?.hops = positive(value)?;
        Ok(())
    }

    fn receive_buffer_size(&mut self, socket: Resource<TcpSocket>) -> Answer<u64> {
        Ok(self.options(socket)?.receive_buffer)
    }

    fn set_receive_buffer_size(&mut self, socket: Resource<TcpSocket>, value: u64) -> Answer<()> {
        self.options(socket)?.receive_buffer = positive(value)?;
        Ok(())
    }

    fn send_buffer_size(&mut self, socket: Resource<TcpSocket>) -> Answer<u64> {
        Ok(self.options(socket)?.send_buffer)
    }

    fn set_send_buffer_size(&mut self, socket: Resource<TcpSocket>, value: u64) -> Answer<()> {
        self.options(socket)?.send_buffer = positive(value)?;
        Ok(())
    }

    fn subscribe(
        &mut self,
        socket: Resource<TcpSocket>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.resources, socket)
    }

    fn shutdown(&mut self, socket: Resource<TcpSocket>, which: ShutdownType) -> Answer<()> {
        let State::Connected(connection) = &self.tcp(&socket)?.state else {
            return Err(ErrorCode::InvalidState.into());
        };
        if matches!(which, ShutdownType::Receive | ShutdownType::Both) {
            connection.shut(Direction::Receive);
        }
        if matches!(which, ShutdownType::Send | ShutdownType::Both) {
            connection.shut(Direction::Send);
        }
        Ok(())
    }

    fn drop(&mut self, socket: Resource<TcpSocket>) -> wasmtime::Result<()> {
        self.close_socket(socket)
    }
}

/// WASI refuses 0 for all numbers that a socket can be told.
pub(super) fn positive<T: Default + PartialEq>(value: T) -> Result<T, ErrorCode> {
    match value == T::default() {
        true => Err(ErrorCode::InvalidArgument),
        false => Ok(value),
    }
}
