//! UDP: what has arrived at a port and was not yet received.

use std::collections::VecDeque;
use std::net::SocketAddr;
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::task::Waker;

use super::Waiting;
use crate::guest::Held;

/// Bytes that a datagram takes beside its content, so that empty ones are counted too (T28).
const OVERHEAD: usize = 64;

/// A datagram that arrived.
#[derive(Debug, Clone, PartialEq, Eq)]
pub(crate) struct Datagram {
    pub(crate) from: SocketAddr,
    pub(crate) data: Vec<u8>,
}

/// The datagrams that wait at one port. What finds no room is lost, as on any network.
pub(crate) struct Mailbox {
    state: Mutex<State>,
    _held: Held,
}

#[derive(Default)]
struct State {
    arrived: VecDeque<Datagram>,
    bytes: usize,
    /// The only one from whom datagrams are taken.
    peer: Option<SocketAddr>,
    receiving: Waiting,
}

impl Mailbox {
    /// Bytes that what waits takes at most.
    pub(super) const MEMORY: u64 = 208 << 10;
    /// Bytes of the largest datagram, as of UDP over IPv4.
    pub(crate) const LARGEST: usize = 65507;

    pub(super) fn new(held: Held) -> Mailbox {
        Mailbox {
            state: Mutex::default(),
            _held: held,
        }
    }

    /// Takes datagrams from `peer` alone, and forgets those that others sent.
    pub(crate) fn connect(&self, peer: Option<SocketAddr>) {
        let mut state = self.lock();
        state.peer = peer;
        if let Some(peer) = peer {
            state.arrived.retain(|datagram| datagram.from == peer);
            state.bytes = state.arrived.iter().map(size).sum();
        }
    }

    pub(super) fn post(&self, from: SocketAddr, data: &[u8]) {
        let mut state = self.lock();
        let welcome = state.peer.is_none_or(|peer| peer == from);
        let datagram = Datagram {
            from,
            data: data.to_vec(),
        };
        if !welcome || state.bytes + size(&datagram) > Mailbox::MEMORY as usize {
            return;
        }
        state.bytes += size(&datagram);
        state.arrived.push_back(datagram);
        let receiving = state.receiving.take();
        drop(state);
        receiving.wake();
    }

    /// The next datagram.
    pub(crate) fn receive(&self) -> Option<Datagram> {
        let mut state = self.lock();
        let next = state.arrived.pop_front()?;
        state.bytes -= size(&next);
        Some(next)
    }

    /// Whether a datagram is there; otherwise registers `waker`.
    pub(crate) fn poll_receive(&self, waker: &Waker) -> bool {
        let mut state = self.lock();
        let ready = !state.arrived.is_empty();
        if !ready {
            state.receiving.register(waker);
        }
        ready
    }

    fn lock(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

fn size(datagram: &Datagram) -> usize {
    datagram.data.len() + OVERHEAD
}
