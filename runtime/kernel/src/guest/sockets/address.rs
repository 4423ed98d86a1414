//! Addresses as WASI writes them.

use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, SocketAddrV6};

use super::ErrorCode;
use crate::guest::bindings::wasi::sockets::network::{
    IpAddress, IpAddressFamily, IpSocketAddress, Ipv4SocketAddress, Ipv6SocketAddress,
};

/// The address, where it is of the socket's family; IPv4 within IPv6 is none, as WASI has it.
pub(super) fn checked(
    family: IpAddressFamily,
    address: IpSocketAddress,
) -> Result<SocketAddr, ErrorCode> {
    let address = SocketAddr::from(address);
    let fits = match (family, address.ip()) {
        (IpAddressFamily::Ipv4, IpAddr::V4(_)) => true,
        (IpAddressFamily::Ipv6, IpAddr::V6(address)) => address.to_ipv4_mapped().is_none(),
        _ => false,
    };
    fits.then_some(address).ok_or(ErrorCode::InvalidArgument)
}

impl From<IpSocketAddress> for SocketAddr {
    fn from(address: IpSocketAddress) -> SocketAddr {
        match address {
            IpSocketAddress::Ipv4(Ipv4SocketAddress { port, address }) => {
                let (a, b, c, d) = address;
                (Ipv4Addr::new(a, b, c, d), port).into()
            }
            IpSocketAddress::Ipv6(Ipv6SocketAddress { port, address, .. }) => {
                let (a, b, c, d, e, f, g, h) = address;
                SocketAddrV6::new(Ipv6Addr::new(a, b, c, d, e, f, g, h), port, 0, 0).into()
            }
        }
    }
}

impl From<SocketAddr> for IpSocketAddress {
    fn from(address: SocketAddr) -> IpSocketAddress {
        let port = address.port();
        match IpAddress::from(address.ip()) {
            IpAddress::Ipv4(address) => IpSocketAddress::Ipv4(Ipv4SocketAddress { port, address }),
            IpAddress::Ipv6(address) => IpSocketAddress::Ipv6(Ipv6SocketAddress {
                port,
                flow_info: 0,
                address,
                scope_id: 0,
            }),
        }
    }
}

impl From<IpAddr> for IpAddress {
    fn from(address: IpAddr) -> IpAddress {
        match address {
            IpAddr::V4(address) => IpAddress::Ipv4(address.octets().into()),
            IpAddr::V6(address) => IpAddress::Ipv6(address.segments().into()),
        }
    }
}
