//! Streams from the host by vsock, where the virtual machine has that.

use offshoot_agent::VSOCK_PORT;
use rustix::io::Errno;
use rustix::net::addr::{SocketAddrArg, SocketAddrLen, SocketAddrOpaque};
use rustix::net::{AddressFamily, SocketFlags, SocketType};
use std::os::fd::OwnedFd;

/// Whatever number this machine has, which a snapshot may give to another one.
const ANY: u32 = u32::MAX;
/// One host calls; another one may before the end of its stream is known.
const WAITING: i32 = 4;
const FLAGS: SocketFlags = SocketFlags::CLOEXEC.union(SocketFlags::NONBLOCK);

/// An address, as `struct sockaddr_vm` of linux/vm_sockets.h has it.
#[repr(C)]
#[derive(Debug, Default)]
struct Address {
    family: u16,
    reserved: u16,
    port: u32,
    machine: u32,
    zero: [u8; 4],
}

#[allow(unsafe_code, reason = "addresses of this family have no safe type")]
// SAFETY: the pointer leads to all of the address, which is valid, with no padding, and lives as long as the call.
unsafe impl SocketAddrArg for Address {
    unsafe fn with_sockaddr<R>(
        &self,
        call: impl FnOnce(*const SocketAddrOpaque, SocketAddrLen) -> R,
    ) -> R {
        let length = size_of::<Address>();
        let length = SocketAddrLen::try_from(length).unwrap_or_default();
        call(std::ptr::from_ref(self).cast(), length)
    }
}

/// Listens for the host.
///
/// # Errors
/// Where the kernel has no vsock.
pub(crate) fn listen() -> rustix::io::Result<OwnedFd> {
    let family = AddressFamily::VSOCK;
    let listener = rustix::net::socket_with(family, SocketType::STREAM, FLAGS, None)?;
    let address = Address {
        family: family.as_raw(),
        port: VSOCK_PORT,
        machine: ANY,
        ..Address::default()
    };
    rustix::net::bind(&listener, &address)?;
    rustix::net::listen(&listener, WAITING)?;
    Ok(listener)
}

/// The newest stream; none where nobody has called. An earlier one is of a host that has given it up.
pub(crate) fn newest(listener: &OwnedFd) -> rustix::io::Result<Option<OwnedFd>> {
    let mut newest = None;
    loop {
        match rustix::net::accept_with(listener, FLAGS) {
            Ok(stream) => newest = Some(stream),
            Err(Errno::AGAIN) => return Ok(newest),
            Err(Errno::INTR | Errno::CONNABORTED) => {}
            Err(error) => return Err(error),
        }
    }
}
