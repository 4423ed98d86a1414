//! `wasi:sockets` over the loopback of the sandbox.
//!
//! Nothing leads beyond the loopback: an address that is not on it is `access-denied`, a name that is
//! neither `localhost` nor the sandbox's own is `name-unresolvable`. Each socket counts as an open
//! file of its process, and its buffers as memory of the sandbox.

mod address;
mod lookup;
mod tcp;
mod udp;

pub use lookup::Addresses;
pub use tcp::TcpSocket;
pub use udp::{Incoming, Outgoing, UdpSocket};

use wasmtime::component::{Resource, ResourceTableError};

use super::Guest;
use super::bindings::wasi::sockets::instance_network;
use super::bindings::wasi::sockets::network::{self, ErrorCode};
use super::limiter::Held;
use crate::loopback::Refusal;

/// `network`: there is one, and everybody may use it.
pub struct Network;

/// Why a socket refused: with a code that the guest sees, or with its end.
#[derive(Debug)]
pub enum SocketFailure {
    Code(ErrorCode),
    Trap(wasmtime::Error),
}

type Answer<T> = Result<T, SocketFailure>;

impl From<ErrorCode> for SocketFailure {
    fn from(code: ErrorCode) -> SocketFailure {
        SocketFailure::Code(code)
    }
}

impl From<Refusal> for SocketFailure {
    fn from(refusal: Refusal) -> SocketFailure {
        SocketFailure::Code(match refusal {
            Refusal::Beyond => ErrorCode::AccessDenied,
            Refusal::NotHere => ErrorCode::AddressNotBindable,
            Refusal::InUse | Refusal::NoPort => ErrorCode::AddressInUse,
            Refusal::Refused => ErrorCode::ConnectionRefused,
            Refusal::Full => ErrorCode::WouldBlock,
            Refusal::Memory => ErrorCode::OutOfMemory,
        })
    }
}

impl From<ResourceTableError> for SocketFailure {
    fn from(error: ResourceTableError) -> SocketFailure {
        match error {
            ResourceTableError::Full => SocketFailure::Code(ErrorCode::NewSocketLimit),
            other => SocketFailure::Trap(other.into()),
        }
    }
}

impl From<wasmtime::Error> for SocketFailure {
    fn from(error: wasmtime::Error) -> SocketFailure {
        SocketFailure::Trap(error)
    }
}

impl Guest {
    /// Puts a new socket among the resources, where one more may be open.
    fn open_socket<T: Send + 'static>(&mut self, socket: T) -> Answer<Resource<T>> {
        self.check_open_files(self.open_files)
            .map_err(|_| ErrorCode::NewSocketLimit)?;
        let resource = self.resources.push(socket)?;
        self.open_files += 1;
        Ok(resource)
    }

    fn close_socket<T: Send + 'static>(&mut self, socket: Resource<T>) -> wasmtime::Result<()> {
        self.resources.delete(socket)?;
        self.open_files = self.open_files.saturating_sub(1);
        Ok(())
    }

    fn held(&self) -> Held {
        Held::new(&self.kernel)
    }
}

impl network::Host for Guest {
    /// Streams of connections end; they have no error that could tell more.
    fn network_error_code(
        &mut self,
        _error: Resource<wasmtime::Error>,
    ) -> wasmtime::Result<Option<ErrorCode>> {
        Ok(None)
    }

    fn convert_error_code(&mut self, failure: SocketFailure) -> wasmtime::Result<ErrorCode> {
        match failure {
            SocketFailure::Code(code) => Ok(code),
            SocketFailure::Trap(error) => Err(error),
        }
    }
}

impl network::HostNetwork for Guest {
    fn drop(&mut self, network: Resource<Network>) -> wasmtime::Result<()> {
        self.resources.delete(network)?;
        Ok(())
    }
}

impl instance_network::Host for Guest {
    fn instance_network(&mut self) -> wasmtime::Result<Resource<Network>> {
        Ok(self.resources.push(Network)?)
    }
}
