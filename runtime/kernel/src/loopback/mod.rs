//! The network of one sandbox: TCP and UDP between its processes, in memory.
//!
//! There is one interface, the loopback, and nothing leads beyond it. Forks have a loopback of their
//! own, in which nothing is open. The state is a table of ports behind one lock; bytes go through the
//! same bounded pipes that join the processes of a pipeline.

mod datagram;
mod stream;
#[cfg(test)]
mod tests;

pub(crate) use datagram::Mailbox;
pub(crate) use stream::{Connection, Direction, Listener};

use std::collections::BTreeMap;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, Weak};
use std::task::Waker;

use crate::guest::Held;

/// Ports that are given out to whoever names none, as on Linux.
const EPHEMERAL: std::ops::RangeInclusive<u16> = 32768..=60999;

/// Why the loopback refuses something.
#[derive(Debug, Clone, Copy, PartialEq, Eq, thiserror::Error)]
pub(crate) enum Refusal {
    #[error("a sandbox's sockets reach its own loopback only")]
    Beyond,
    #[error("no such address here")]
    NotHere,
    #[error("the address is in use")]
    InUse,
    #[error("no port is free")]
    NoPort,
    #[error("nobody listens there")]
    Refused,
    #[error("those that wait to be accepted are as many as may wait")]
    Full,
    #[error("the sandbox has no memory left for a connection")]
    Memory,
}

/// What a port belongs to.
#[derive(Debug, Clone, Copy, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub(crate) enum Protocol {
    Tcp,
    Udp,
}

/// The loopback of one sandbox; clones are the same one.
#[derive(Clone, Default)]
pub(crate) struct Loopback(Arc<Mutex<Ports>>);

#[derive(Default)]
struct Ports {
    bound: BTreeMap<(Protocol, bool, u16), Vec<Bound>>,
    connections: BTreeMap<u64, Weak<Connection>>,
    /// The number of the next claim or connection.
    next: u64,
    /// Where the search for a free port goes on.
    ephemeral: u16,
}

struct Bound {
    number: u64,
    address: IpAddr,
    open: Open,
}

/// What is behind a port that somebody has.
enum Open {
    Nothing,
    Listener(Weak<Listener>),
    Mailbox(Weak<Mailbox>),
}

/// A socket as `ss` and `/proc/net` show it.
#[derive(Debug, Clone, Copy, PartialEq, Eq)]
pub(crate) struct Socket {
    pub(crate) protocol: Protocol,
    pub(crate) local: SocketAddr,
    /// The other side of a connection.
    pub(crate) remote: Option<SocketAddr>,
}

impl Loopback {
    /// Takes an address until the claim is dropped; port 0 takes a free one.
    pub(crate) fn claim(&self, protocol: Protocol, wanted: SocketAddr) -> Result<Claim, Refusal> {
        if !wanted.ip().is_unspecified() && !is_loopback(wanted.ip()) {
            return Err(Refusal::NotHere);
        }
        let mut ports = self.lock();
        let port = match wanted.port() {
            0 => ports.free(protocol, wanted.is_ipv6())?,
            port => port,
        };
        let number = ports.number();
        let bound = ports
            .bound
            .entry((protocol, wanted.is_ipv6(), port))
            .or_default();
        let any = wanted.ip().is_unspecified();
        let taken =
            |other: &Bound| any || other.address.is_unspecified() || other.address == wanted.ip();
        if bound.iter().any(taken) {
            return Err(Refusal::InUse);
        }
        bound.push(Bound {
            number,
            address: wanted.ip(),
            open: Open::Nothing,
        });
        Ok(Claim {
            loopback: self.clone(),
            number,
            protocol,
            address: SocketAddr::new(wanted.ip(), port),
        })
    }

    /// Lets others connect to a claimed address for as long as the listener lives.
    pub(crate) fn listen(&self, claim: &Claim, backlog: usize) -> Arc<Listener> {
        let listener = Arc::new(Listener::new(backlog));
        self.open(claim, Open::Listener(Arc::downgrade(&listener)));
        listener
    }

    /// Lets others send datagrams to a claimed address for as long as the mailbox lives.
    pub(crate) fn mailbox(&self, claim: &Claim, mut held: Held) -> Result<Arc<Mailbox>, Refusal> {
        if !held.add(Mailbox::MEMORY) {
            return Err(Refusal::Memory);
        }
        let mailbox = Arc::new(Mailbox::new(held));
        self.open(claim, Open::Mailbox(Arc::downgrade(&mailbox)));
        Ok(mailbox)
    }

    fn open(&self, claim: &Claim, open: Open) {
        let mut ports = self.lock();
        let mut bound = ports.bound.get_mut(&claim.key()).into_iter().flatten();
        if let Some(bound) = bound.find(|bound| bound.number == claim.number) {
            bound.open = open;
        }
    }

    /// Connects `from` with whoever listens at `to`, and returns the near end. `held` pays for the
    /// buffers of both directions.
    pub(crate) fn connect(
        &self,
        from: &Claim,
        to: SocketAddr,
        mut held: Held,
    ) -> Result<Arc<Connection>, Refusal> {
        let to = reached(to)?;
        let listener = self.listener(to).ok_or(Refusal::Refused)?;
        if !listener.has_room() {
            return Err(Refusal::Full);
        }
        if !held.add(Connection::MEMORY) {
            return Err(Refusal::Memory);
        }
        let local = source(from.address, to);
        let (near, far) = Connection::pair(local, to, held);
        let (near, far) = (self.listed(near), self.listed(far));
        listener.offer(far)?;
        Ok(near)
    }

    /// Connects with the first address at which somebody listens, from a port of its own.
    pub(crate) fn reach(
        &self,
        addresses: &[SocketAddr],
        held: impl Fn() -> Held,
    ) -> Result<Arc<Connection>, Refusal> {
        let mut refusal = Refusal::Refused;
        for to in addresses {
            let any = SocketAddr::new(unspecified(to.is_ipv6()), 0);
            let claim = self.claim(Protocol::Tcp, any)?;
            match self.connect(&claim, *to, held()) {
                Ok(connection) => {
                    connection.keep(claim);
                    return Ok(connection);
                }
                Err(error) => refusal = error,
            }
        }
        Err(refusal)
    }

    /// Whether a connection to `to` could be made or refused now; otherwise registers `waker`.
    pub(crate) fn poll_room(&self, to: SocketAddr, waker: &Waker) -> bool {
        let listener = reached(to).ok().and_then(|to| self.listener(to));
        listener.is_none_or(|listener| listener.poll_room(waker))
    }

    /// Sends a datagram; nobody hears whether it arrived.
    pub(crate) fn send(
        &self,
        from: SocketAddr,
        to: SocketAddr,
        data: &[u8],
    ) -> Result<(), Refusal> {
        let to = reached(to)?;
        let from = source(from, to);
        let ports = self.lock();
        let mailbox = ports.find(Protocol::Udp, to).and_then(|open| match open {
            Open::Mailbox(mailbox) => mailbox.upgrade(),
            _ => None,
        });
        drop(ports);
        if let Some(mailbox) = mailbox {
            mailbox.post(from, data);
        }
        Ok(())
    }

    /// All sockets that have an address, in the order of their ports.
    pub(crate) fn sockets(&self) -> Vec<Socket> {
        let ports = self.lock();
        let bound = ports.bound.iter().flat_map(|((protocol, _, port), bound)| {
            let open = |bound: &&Bound| match &bound.open {
                Open::Nothing => false,
                Open::Listener(listener) => listener.strong_count() > 0,
                Open::Mailbox(mailbox) => mailbox.strong_count() > 0,
            };
            bound.iter().filter(open).map(|bound| Socket {
                protocol: *protocol,
                local: SocketAddr::new(bound.address, *port),
                remote: None,
            })
        });
        let bound: Vec<Socket> = bound.collect();
        let connected = ports.connections.values().filter_map(Weak::upgrade);
        let connected: Vec<_> = connected.collect();
        // Dropping the last hold on one takes the lock again.
        drop(ports);
        let connected = connected.iter().map(|connection| Socket {
            protocol: Protocol::Tcp,
            local: connection.local,
            remote: Some(connection.remote),
        });
        bound.into_iter().chain(connected).collect()
    }

    fn listener(&self, to: SocketAddr) -> Option<Arc<Listener>> {
        let ports = self.lock();
        match ports.find(Protocol::Tcp, to)? {
            Open::Listener(listener) => listener.upgrade(),
            _ => None,
        }
    }

    /// The end of a connection that has these ports.
    pub(crate) fn connection(&self, local: u16, remote: u16) -> Option<Arc<Connection>> {
        let ports = self.lock();
        let known = ports.connections.values().filter_map(Weak::upgrade);
        let known: Vec<_> = known.collect();
        drop(ports);
        let ports = |one: &Arc<Connection>| (one.local.port(), one.remote.port());
        known.into_iter().find(|one| ports(one) == (local, remote))
    }

    /// Puts one end of a connection into the table for as long as it lives.
    fn listed(&self, connection: Connection) -> Arc<Connection> {
        let mut ports = self.lock();
        let number = ports.number();
        let listed = Listed {
            loopback: self.clone(),
            number,
        };
        let connection = Arc::new(connection.listed(listed));
        ports
            .connections
            .insert(number, Arc::downgrade(&connection));
        connection
    }

    fn lock(&self) -> MutexGuard<'_, Ports> {
        // Each change of it leaves it whole.
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Ports {
    fn number(&mut self) -> u64 {
        self.next += 1;
        self.next
    }

    /// A port that nobody has, taken in turn so that none is used again soon.
    fn free(&mut self, protocol: Protocol, v6: bool) -> Result<u16, Refusal> {
        for _ in EPHEMERAL {
            let next = self.ephemeral.wrapping_add(1);
            self.ephemeral = match EPHEMERAL.contains(&next) {
                true => next,
                false => *EPHEMERAL.start(),
            };
            if !self.bound.contains_key(&(protocol, v6, self.ephemeral)) {
                return Ok(self.ephemeral);
            }
        }
        Err(Refusal::NoPort)
    }

    /// What is open at an address, or at all addresses.
    fn find(&self, protocol: Protocol, to: SocketAddr) -> Option<&Open> {
        let bound = self.bound.get(&(protocol, to.is_ipv6(), to.port()))?;
        let fits = |bound: &&Bound| bound.address == to.ip() || bound.address.is_unspecified();
        bound.iter().find(fits).map(|bound| &bound.open)
    }
}

/// An address that somebody has.
pub(crate) struct Claim {
    loopback: Loopback,
    number: u64,
    protocol: Protocol,
    pub(crate) address: SocketAddr,
}

impl Claim {
    fn key(&self) -> (Protocol, bool, u16) {
        (self.protocol, self.address.is_ipv6(), self.address.port())
    }
}

impl Drop for Claim {
    fn drop(&mut self) {
        let mut ports = self.loopback.lock();
        if let Some(bound) = ports.bound.get_mut(&self.key()) {
            bound.retain(|bound| bound.number != self.number);
            if bound.is_empty() {
                ports.bound.remove(&self.key());
            }
        }
    }
}

/// One end of a connection in the table, as long as this lives.
pub(crate) struct Listed {
    loopback: Loopback,
    number: u64,
}

impl Drop for Listed {
    fn drop(&mut self) {
        self.loopback.lock().connections.remove(&self.number);
    }
}

/// The address of this machine that stands for all of them.
pub(crate) fn local(v6: bool) -> IpAddr {
    match v6 {
        true => Ipv6Addr::LOCALHOST.into(),
        false => Ipv4Addr::LOCALHOST.into(),
    }
}

pub(crate) fn unspecified(v6: bool) -> IpAddr {
    match v6 {
        true => Ipv6Addr::UNSPECIFIED.into(),
        false => Ipv4Addr::UNSPECIFIED.into(),
    }
}

/// The addresses of a name or of an address as text; none where nobody has that name.
pub(crate) fn resolve(name: &str, hostname: &str) -> Vec<IpAddr> {
    let literal = name.trim_start_matches('[').trim_end_matches(']');
    if let Ok(address) = literal.parse() {
        return vec![address];
    }
    let known = name.strip_suffix('.').unwrap_or(name).to_ascii_lowercase();
    let is_local = known == "localhost"
        || known.ends_with(".localhost")
        || known.eq_ignore_ascii_case(hostname);
    match is_local {
        true => vec![local(false), local(true)],
        false => Vec::new(),
    }
}

fn is_loopback(address: IpAddr) -> bool {
    address.is_loopback()
}

/// Where something that is sent to `to` arrives: as on Linux, "any address" is the own one.
fn reached(to: SocketAddr) -> Result<SocketAddr, Refusal> {
    if to.ip().is_unspecified() {
        return Ok(SocketAddr::new(local(to.is_ipv6()), to.port()));
    }
    match is_loopback(to.ip()) {
        true => Ok(to),
        false => Err(Refusal::Beyond),
    }
}

/// The address that the other side sees.
fn source(from: SocketAddr, to: SocketAddr) -> SocketAddr {
    match from.ip().is_unspecified() {
        true => SocketAddr::new(local(to.is_ipv6()), from.port()),
        false => from,
    }
}

/// Whoever waits for a change.
#[derive(Default)]
struct Waiting(Vec<Waker>);

impl Waiting {
    fn register(&mut self, waker: &Waker) {
        if !self.0.iter().any(|known| known.will_wake(waker)) {
            self.0.push(waker.clone());
        }
    }

    fn take(&mut self) -> Waiting {
        std::mem::take(self)
    }

    fn wake(self) {
        self.0.into_iter().for_each(Waker::wake);
    }
}
