//! `wasi:sockets/udp`.

use std::future::poll_fn;
use std::net::SocketAddr;
use std::sync::Arc;
use std::task::Poll;

use offshoot_boxed::boxed;
use wasmtime::component::Resource;
use wasmtime_wasi_io::poll::{DynPollable, Pollable, subscribe};

use super::address::checked;
use super::tcp::positive;
use super::{Answer, ErrorCode, Network};
use crate::guest::Guest;
use crate::guest::bindings::wasi::sockets::network::{IpAddressFamily, IpSocketAddress};
use crate::guest::bindings::wasi::sockets::udp::{self, IncomingDatagram, OutgoingDatagram};
use crate::guest::bindings::wasi::sockets::udp_create_socket;
use crate::limit::READ_BYTES;
use crate::loopback::{Claim, Loopback, Mailbox, Protocol};

/// Datagrams that one call takes or gives at most.
const AT_ONCE: u64 = 64;

/// `udp-socket`.
pub struct UdpSocket {
    family: IpAddressFamily,
    loopback: Loopback,
    state: State,
    peer: Option<SocketAddr>,
    hops: u8,
    buffers: (u64, u64),
}

enum State {
    Unbound,
    Binding(Arc<Port>),
    Bound(Arc<Port>),
}

/// A port with what arrives there; streams keep it, too.
struct Port {
    claim: Claim,
    mailbox: Arc<Mailbox>,
}

/// `incoming-datagram-stream`.
pub struct Incoming(Arc<Port>);

/// `outgoing-datagram-stream`.
pub struct Outgoing {
    family: IpAddressFamily,
    loopback: Loopback,
    port: Arc<Port>,
    peer: Option<SocketAddr>,
    /// How many may be sent before the next question.
    permitted: u64,
}

impl UdpSocket {
    fn port(&self) -> Result<&Arc<Port>, ErrorCode> {
        match &self.state {
            State::Bound(port) => Ok(port),
            _ => Err(ErrorCode::InvalidState),
        }
    }
}

#[boxed]
impl Pollable for UdpSocket {
    async fn ready(&mut self) {}
}

#[boxed]
impl Pollable for Incoming {
    async fn ready(&mut self) {
        let mailbox = &self.0.mailbox;
        poll_fn(|context| match mailbox.poll_receive(context.waker()) {
            true => Poll::Ready(()),
            false => Poll::Pending,
        })
        .await;
    }
}

#[boxed]
impl Pollable for Outgoing {
    async fn ready(&mut self) {}
}

impl udp_create_socket::Host for Guest {
    fn create_udp_socket(&mut self, family: IpAddressFamily) -> Answer<Resource<UdpSocket>> {
        let loopback = self.kernel.loopback().clone();
        self.open_socket(UdpSocket {
            family,
            loopback,
            state: State::Unbound,
            peer: None,
            hops: 64,
            buffers: (208 << 10, 208 << 10),
        })
    }
}

impl Guest {
    fn udp(&mut self, socket: &Resource<UdpSocket>) -> Answer<&mut UdpSocket> {
        Ok(self.resources.get_mut(socket)?)
    }
}

impl udp::Host for Guest {}

impl udp::HostUdpSocket for Guest {
    fn start_bind(
        &mut self,
        socket: Resource<UdpSocket>,
        _network: Resource<Network>,
        address: IpSocketAddress,
    ) -> Answer<()> {
        let held = self.held();
        let socket = self.udp(&socket)?;
        let address = checked(socket.family, address)?;
        match socket.state {
            State::Unbound => {}
            State::Binding(_) => return Err(ErrorCode::ConcurrencyConflict.into()),
            State::Bound(_) => return Err(ErrorCode::InvalidState.into()),
        }
        let claim = socket.loopback.claim(Protocol::Udp, address)?;
        let mailbox = socket.loopback.mailbox(&claim, held)?;
        socket.state = State::Binding(Arc::new(Port { claim, mailbox }));
        Ok(())
    }

    fn finish_bind(&mut self, socket: Resource<UdpSocket>) -> Answer<()> {
        let socket = self.udp(&socket)?;
        let State::Binding(port) = &socket.state else {
            return Err(ErrorCode::NotInProgress.into());
        };
        socket.state = State::Bound(Arc::clone(port));
        Ok(())
    }

    fn stream(
        &mut self,
        resource: Resource<UdpSocket>,
        remote: Option<IpSocketAddress>,
    ) -> Answer<(Resource<Incoming>, Resource<Outgoing>)> {
        let socket = self.udp(&resource)?;
        let port = Arc::clone(socket.port()?);
        let peer = remote
            .map(|remote| checked(socket.family, remote))
            .transpose()?;
        if peer.is_some_and(|peer| peer.port() == 0 || peer.ip().is_unspecified()) {
            return Err(ErrorCode::InvalidArgument.into());
        }
        if peer.is_some_and(|peer| !peer.ip().is_loopback()) {
            return Err(ErrorCode::AccessDenied.into());
        }
        socket.peer = peer;
        port.mailbox.connect(peer);
        let outgoing = Outgoing {
            family: socket.family,
            loopback: socket.loopback.clone(),
            port: Arc::clone(&port),
            peer,
            permitted: 0,
        };
        let incoming = self.resources.push_child(Incoming(port), &resource)?;
        let outgoing = self.resources.push_child(outgoing, &resource)?;
        Ok((incoming, outgoing))
    }

    fn local_address(&mut self, socket: Resource<UdpSocket>) -> Answer<IpSocketAddress> {
        Ok(self.udp(&socket)?.port()?.claim.address.into())
    }

    fn remote_address(&mut self, socket: Resource<UdpSocket>) -> Answer<IpSocketAddress> {
        let peer = self.udp(&socket)?.peer;
        Ok(peer.ok_or(ErrorCode::InvalidState)?.into())
    }

    fn address_family(&mut self, socket: Resource<UdpSocket>) -> wasmtime::Result<IpAddressFamily> {
        Ok(self.resources.get(&socket)?.family)
    }

    fn unicast_hop_limit(&mut self, socket: Resource<UdpSocket>) -> Answer<u8> {
        Ok(self.udp(&socket)?.hops)
    }

    fn set_unicast_hop_limit(&mut self, socket: Resource<UdpSocket>, value: u8) -> Answer<()> {
        self.udp(&socket)?.hops = positive(value)?;
        Ok(())
    }

    fn receive_buffer_size(&mut self, socket: Resource<UdpSocket>) -> Answer<u64> {
        Ok(self.udp(&socket)?.buffers.0)
    }

    fn set_receive_buffer_size(&mut self, socket: Resource<UdpSocket>, value: u64) -> Answer<()> {
        self.udp(&socket)?.buffers.0 = positive(value)?;
        Ok(())
    }

    fn send_buffer_size(&mut self, socket: Resource<UdpSocket>) -> Answer<u64> {
        Ok(self.udp(&socket)?.buffers.1)
    }

    fn set_send_buffer_size(&mut self, socket: Resource<UdpSocket>, value: u64) -> Answer<()> {
        self.udp(&socket)?.buffers.1 = positive(value)?;
        Ok(())
    }

    fn subscribe(
        &mut self,
        socket: Resource<UdpSocket>,
    ) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.resources, socket)
    }

    fn drop(&mut self, socket: Resource<UdpSocket>) -> wasmtime::Result<()> {
        self.close_socket(socket)
    }
}

impl udp::HostIncomingDatagramStream for Guest {
    fn receive(&mut self, stream: Resource<Incoming>, most: u64) -> Answer<Vec<IncomingDatagram>> {
        let mailbox = &self.resources.get(&stream)?.0.mailbox;
        let (mut received, mut bytes) = (Vec::new(), 0);
        while (received.len() as u64) < most.min(AT_ONCE) && bytes < READ_BYTES {
            let Some(datagram) = mailbox.receive() else {
                break;
            };
            bytes += datagram.data.len();
            received.push(IncomingDatagram {
                data: datagram.data,
                remote_address: datagram.from.into(),
            });
        }
        Ok(received)
    }

    fn subscribe(&mut self, stream: Resource<Incoming>) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.resources, stream)
    }

    fn drop(&mut self, stream: Resource<Incoming>) -> wasmtime::Result<()> {
        self.resources.delete(stream)?;
        Ok(())
    }
}

impl udp::HostOutgoingDatagramStream for Guest {
    fn check_send(&mut self, stream: Resource<Outgoing>) -> Answer<u64> {
        let stream = self.resources.get_mut(&stream)?;
        stream.permitted = AT_ONCE;
        Ok(AT_ONCE)
    }

    fn send(
        &mut self,
        stream: Resource<Outgoing>,
        datagrams: Vec<OutgoingDatagram>,
    ) -> Answer<u64> {
        let stream = self.resources.get_mut(&stream)?;
        let count = datagrams.len() as u64;
        if count > stream.permitted {
            let reason = wasmtime::Error::msg("datagrams without a permit");
            return Err(reason.into());
        }
        stream.permitted -= count;
        for (sent, datagram) in (0..).zip(datagrams) {
            match stream.send(datagram) {
                // What was sent before is told first; the next call tells the error.
                Err(_) if sent > 0 => return Ok(sent),
                result => result?,
            }
        }
        Ok(count)
    }

    fn subscribe(&mut self, stream: Resource<Outgoing>) -> wasmtime::Result<Resource<DynPollable>> {
        subscribe(&mut self.resources, stream)
    }

    fn drop(&mut self, stream: Resource<Outgoing>) -> wasmtime::Result<()> {
        self.resources.delete(stream)?;
        Ok(())
    }
}

impl Outgoing {
    fn send(&self, datagram: OutgoingDatagram) -> Answer<()> {
        let given = datagram
            .remote_address
            .map(|remote| checked(self.family, remote))
            .transpose()?;
        let to = match (self.peer, given) {
            (Some(peer), None) => peer,
            (Some(peer), Some(given)) if peer == given => peer,
            (None, Some(given)) if given.port() != 0 => given,
            _ => return Err(ErrorCode::InvalidArgument.into()),
        };
        if datagram.data.len() > Mailbox::LARGEST {
            return Err(ErrorCode::DatagramTooLarge.into());
        }
        Ok(self
            .loopback
            .send(self.port.claim.address, to, &datagram.data)?)
    }
}
